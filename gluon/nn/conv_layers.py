"""Convolution and pooling layers in one, two and three dimensions."""

from __future__ import annotations

from numbers import Integral
from typing import Any

from ..block import HybridBlock
from ..engine.errors import ArgumentError
from ..parameter import Parameter
from .activations import Activation

LAYOUTS = {1: ("NCW", "NWC"), 2: ("NCHW", "NHWC"), 3: ("NCDHW", "NDHWC")}
Sizes = int | tuple[int, ...] | list[int]


def each(sizes: Sizes, ndim: int, what: str) -> tuple[int, ...]:
    """`sizes` for `ndim` axes: one number is repeated."""
    several: Any = (sizes,) * ndim if isinstance(sizes, Integral) else sizes
    found = tuple(map(int, several))
    if len(found) != ndim:
        raise ArgumentError(f"{what} is one number or {ndim} numbers, not {sizes}")
    return found


def checked(layout: str, ndim: int) -> str:
    """`layout`, if it is one for `ndim` axes."""
    if layout not in LAYOUTS[ndim]:
        raise ArgumentError(f"layout {layout!r} is none of {', '.join(LAYOUTS[ndim])}")
    return layout


class _Conv(HybridBlock):
    """What the convolutions have in common; subclasses say over how many axes."""

    _ndim: int

    def __init__(
        self,
        channels: int,
        kernel_size: Sizes,
        strides: Sizes = 1,
        padding: Sizes = 0,
        dilation: Sizes = 1,
        groups: int = 1,
        layout: str | None = None,
        activation: str | None = None,
        use_bias: bool = True,
        weight_initializer: Any = None,
        bias_initializer: Any = "zeros",
        in_channels: int = 0,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        ndim = self._ndim
        kernel = each(kernel_size, ndim, "kernel_size")
        layout = checked(layout or LAYOUTS[ndim][0], ndim)
        self._kwargs: dict[str, Any] = {
            "kernel": kernel,
            "stride": each(strides, ndim, "strides"),
            "dilate": each(dilation, ndim, "dilation"),
            "pad": each(padding, ndim, "padding"),
            "num_filter": channels,
            "num_group": groups,
            "no_bias": not use_bias,
            "layout": layout,
        }
        self._in_axis = ndim + 1 if layout[-1] == "C" else 1
        shape = [channels, *kernel]
        shape.insert(self._in_axis, in_channels // groups)
        with self.name_scope():
            self.weight = self._parameter("weight", shape, weight_initializer)
            self.bias = self._parameter("bias", [channels], bias_initializer) if use_bias else None
            self.act = Activation(activation, prefix=activation + "_") if activation else None

    def _parameter(self, name: str, shape: list[int], init: Any) -> Parameter:
        return self.params.get(name, shape=tuple(shape), init=init, allow_deferred_init=True)

    def _alias(self) -> str:
        return "conv"

    def hybrid_forward(self, F: Any, x: Any, weight: Any, bias: Any = None) -> Any:
        """Apply the layer."""
        x = F.Convolution(x, weight, bias, **self._kwargs)
        return x if self.act is None else self.act(x)

    def __repr__(self) -> str:
        given = self._kwargs
        inputs = self.weight.shape[self._in_axis] or None
        parts = [
            f"{inputs} -> {given['num_filter']}",
            f"kernel_size={given['kernel']}",
            f"stride={given['stride']}",
        ]
        if any(given["pad"]):
            parts.append(f"padding={given['pad']}")
        if any(n != 1 for n in given["dilate"]):
            parts.append(f"dilation={given['dilate']}")
        if given["num_group"] != 1:
            parts.append(f"groups={given['num_group']}")
        if self.bias is None:
            parts.append("bias=False")
        if self.act is not None:
            parts.append(repr(self.act))
        return f"{type(self).__name__}({', '.join(parts)})"


class Conv1D(_Conv):
    """Convolution along one axis; see `Conv2D`."""

    _ndim = 1


class Conv2D(_Conv):
    """Convolution along two axes.

    Parameters
    ----------
    channels : int
        The number of channels of the output.
    kernel_size : int or tuple of int
        The window; one number serves for every axis, here and below.
    strides, padding, dilation : int or tuple of int
        1, 0 and 1 by default.
    groups : int, default 1
        The number of groups of channels that are convolved apart from each other.
    layout : {'NCHW', 'NHWC'}
        The order of the axes: batch (N), channels (C) and space.
    activation : str, optional
        As for `Activation`.
    use_bias : bool, default True
    weight_initializer, bias_initializer : str or Initializer, optional
    in_channels : int, optional
        The number of channels of the input; found from the first batch by default.
    **kwargs
        ``prefix`` and ``params``; see `Block`.

    Examples
    --------
    >>> from gluon import nd, nn
    >>> layer = nn.Conv2D(8, 3, padding=1)
    >>> layer.initialize()
    >>> layer(nd.ones((2, 3, 5, 5))).shape, layer.weight.shape
    ((2, 8, 5, 5), (8, 3, 3, 3))
    """

    _ndim = 2


class Conv3D(_Conv):
    """Convolution along three axes; see `Conv2D`."""

    _ndim = 3


class _Pooling(HybridBlock):
    """What the pooling layers have in common; subclasses say how, and over how many axes."""

    _ndim: int
    _how: str
    _global = False

    def __init__(
        self,
        pool_size: Sizes,
        strides: Sizes | None,
        padding: Sizes,
        layout: str,
        ceil_mode: bool,
        count_include_pad: bool | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        ndim = self._ndim
        kernel = each(pool_size, ndim, "pool_size")
        self._kwargs: dict[str, Any] = {
            "kernel": kernel,
            "stride": kernel if strides is None else each(strides, ndim, "strides"),
            "pad": each(padding, ndim, "padding"),
            "global_pool": self._global,
            "pool_type": self._how,
            "layout": checked(layout, ndim),
            "pooling_convention": "full" if ceil_mode else "valid",
        }
        if count_include_pad is not None:
            self._kwargs["count_include_pad"] = count_include_pad

    def _alias(self) -> str:
        return "pool"

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        """Apply the layer."""
        return F.Pooling(x, **self._kwargs)

    def __repr__(self) -> str:
        given = self._kwargs
        return (
            f"{type(self).__name__}(size={given['kernel']}, stride={given['stride']},"
            f" padding={given['pad']}, ceil_mode={given['pooling_convention'] == 'full'},"
            f" global_pool={self._global}, pool_type={self._how}, layout={given['layout']})"
        )


class MaxPool1D(_Pooling):
    """The maximum over windows along one axis; see `MaxPool2D`."""

    _ndim, _how = 1, "max"

    def __init__(
        self,
        pool_size: Sizes = 2,
        strides: Sizes | None = None,
        padding: Sizes = 0,
        layout: str = "NCW",
        ceil_mode: bool = False,
        **kwargs: Any,
    ) -> None:
        super().__init__(pool_size, strides, padding, layout, ceil_mode, **kwargs)


class MaxPool2D(_Pooling):
    """The maximum over windows.

    Parameters
    ----------
    pool_size : int or tuple of int, default 2
        The window; one number serves for every axis, here and below.
    strides : int or tuple of int, optional
        The window by default.
    padding : int or tuple of int, default 0
    layout : {'NCHW', 'NHWC'}
        The order of the axes: batch (N), channels (C) and space.
    ceil_mode : bool, default False
        Round the length of the output up, instead of down.
    **kwargs
        ``prefix`` and ``params``; see `Block`.

    Examples
    --------
    >>> from gluon import nd, nn
    >>> nn.MaxPool2D()(nd.arange(16).reshape((1, 1, 4, 4))).asnumpy()
    array([[[[ 5.,  7.],
             [13., 15.]]]], dtype=float32)
    """

    _ndim, _how = 2, "max"

    def __init__(
        self,
        pool_size: Sizes = 2,
        strides: Sizes | None = None,
        padding: Sizes = 0,
        layout: str = "NCHW",
        ceil_mode: bool = False,
        **kwargs: Any,
    ) -> None:
        super().__init__(pool_size, strides, padding, layout, ceil_mode, **kwargs)


class MaxPool3D(_Pooling):
    """The maximum over windows along three axes; see `MaxPool2D`."""

    _ndim, _how = 3, "max"

    def __init__(
        self,
        pool_size: Sizes = 2,
        strides: Sizes | None = None,
        padding: Sizes = 0,
        ceil_mode: bool = False,
        layout: str = "NCDHW",
        **kwargs: Any,
    ) -> None:
        super().__init__(pool_size, strides, padding, layout, ceil_mode, **kwargs)


class AvgPool1D(_Pooling):
    """The mean over windows along one axis; see `AvgPool2D`."""

    _ndim, _how = 1, "avg"

    def __init__(
        self,
        pool_size: Sizes = 2,
        strides: Sizes | None = None,
        padding: Sizes = 0,
        layout: str = "NCW",
        ceil_mode: bool = False,
        count_include_pad: bool = True,
        **kwargs: Any,
    ) -> None:
        super().__init__(
            pool_size, strides, padding, layout, ceil_mode, count_include_pad, **kwargs
        )


class AvgPool2D(_Pooling):
    """The mean over windows.

    Parameters
    ----------
    pool_size, strides, padding, ceil_mode, layout
        As for `MaxPool2D`.
    count_include_pad : bool, default True
        Whether padding counts as zeros in the mean.
    **kwargs
        ``prefix`` and ``params``; see `Block`.
    """

    _ndim, _how = 2, "avg"

    def __init__(
        self,
        pool_size: Sizes = 2,
        strides: Sizes | None = None,
        padding: Sizes = 0,
        ceil_mode: bool = False,
        layout: str = "NCHW",
        count_include_pad: bool = True,
        **kwargs: Any,
    ) -> None:
        super().__init__(
            pool_size, strides, padding, layout, ceil_mode, count_include_pad, **kwargs
        )


class AvgPool3D(_Pooling):
    """The mean over windows along three axes; see `AvgPool2D`."""

    _ndim, _how = 3, "avg"

    def __init__(
        self,
        pool_size: Sizes = 2,
        strides: Sizes | None = None,
        padding: Sizes = 0,
        ceil_mode: bool = False,
        layout: str = "NCDHW",
        count_include_pad: bool = True,
        **kwargs: Any,
    ) -> None:
        super().__init__(
            pool_size, strides, padding, layout, ceil_mode, count_include_pad, **kwargs
        )


class GlobalMaxPool1D(_Pooling):
    """The maximum over all of one axis, of which each keeps length 1."""

    _ndim, _how, _global = 1, "max", True

    def __init__(self, layout: str = "NCW", **kwargs: Any) -> None:
        super().__init__(1, None, 0, layout, True, **kwargs)


class GlobalMaxPool2D(_Pooling):
    """The maximum over all of space, which keeps length 1.

    Parameters
    ----------
    layout : {'NCHW', 'NHWC'}
        The order of the axes: batch (N), channels (C) and space.
    **kwargs
        ``prefix`` and ``params``; see `Block`.
    """

    _ndim, _how, _global = 2, "max", True

    def __init__(self, layout: str = "NCHW", **kwargs: Any) -> None:
        super().__init__(1, None, 0, layout, True, **kwargs)


class GlobalMaxPool3D(_Pooling):
    """The maximum over all of three axes, of which each keeps length 1."""

    _ndim, _how, _global = 3, "max", True

    def __init__(self, layout: str = "NCDHW", **kwargs: Any) -> None:
        super().__init__(1, None, 0, layout, True, **kwargs)


class GlobalAvgPool1D(_Pooling):
    """The mean over all of one axis, of which each keeps length 1."""

    _ndim, _how, _global = 1, "avg", True

    def __init__(self, layout: str = "NCW", **kwargs: Any) -> None:
        super().__init__(1, None, 0, layout, True, **kwargs)


class GlobalAvgPool2D(_Pooling):
    """The mean over all of space, which keeps length 1.

    Parameters
    ----------
    layout : {'NCHW', 'NHWC'}
        The order of the axes: batch (N), channels (C) and space.
    **kwargs
        ``prefix`` and ``params``; see `Block`.
    """

    _ndim, _how, _global = 2, "avg", True

    def __init__(self, layout: str = "NCHW", **kwargs: Any) -> None:
        super().__init__(1, None, 0, layout, True, **kwargs)


class GlobalAvgPool3D(_Pooling):
    """The mean over all of three axes, of which each keeps length 1."""

    _ndim, _how, _global = 3, "avg", True

    def __init__(self, layout: str = "NCDHW", **kwargs: Any) -> None:
        super().__init__(1, None, 0, layout, True, **kwargs)
