"""Convolution layers."""

from __future__ import annotations

from numbers import Integral
from typing import TYPE_CHECKING, Any

from .._core.errors import ArgumentError, DTypeError
from ..block import HybridBlock
from ..block.shapes import CHANNELS_LAST, is_channels_last
from ..parameter import Parameter
from .activations import Activation, activated

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ..block.naming import Naming
    from ..initializer.base import InitLike
    from ..nd.activation import ActivationName

LAYOUTS = {1: ("NCW", "NWC"), 2: ("NCHW", "NHWC"), 3: ("NCDHW", "NDHWC")}
Sizes = int | tuple[int, ...] | list[int]


def each(sizes: Sizes, ndim: int, what: str) -> tuple[int, ...]:
    """`sizes` for `ndim` axes: one number is repeated."""
    several: Any = (sizes,) * ndim if isinstance(sizes, Integral) else sizes
    problem = f"{what} is one number or {ndim} numbers, not {sizes!r}"
    if isinstance(sizes, str):
        problem += "; 'same' is kernel_size // 2 for odd kernels with stride 1, and 'valid' is 0"
    try:
        found = tuple(map(int, several))
    except (TypeError, ValueError):
        raise DTypeError(problem) from None
    if len(found) != ndim:
        raise ArgumentError(problem)
    return found


def positive(sizes: Sizes, ndim: int, what: str) -> tuple[int, ...]:
    """`sizes` for `ndim` axes, all above 0."""
    found = each(sizes, ndim, what)
    if min(found) < 1:
        raise ArgumentError(f"{what}={sizes} must be at least 1")
    return found


def checked(layout: str, ndim: int) -> str:
    """`layout`, if it is one for `ndim` axes."""
    if layout not in LAYOUTS[ndim]:
        raise ArgumentError(f"layout {layout!r} is not one of {', '.join(LAYOUTS[ndim])}")
    return layout


class _Conv(HybridBlock):
    """Base of the convolutions; subclasses define the number of axes."""

    _names_fwd = True

    act: Activation | None
    bias: Parameter | None
    weight: Parameter

    _ndim: int
    _op = "Convolution"

    def __init__(
        self,
        channels: int,
        kernel_size: Sizes,
        strides: Sizes = 1,
        padding: Sizes = 0,
        dilation: Sizes = 1,
        groups: int = 1,
        layout: str | None = None,
        activation: ActivationName | None = None,
        use_bias: bool = True,
        weight_initializer: InitLike = None,
        bias_initializer: InitLike = "zeros",
        in_channels: int = 0,
        **kwargs: Unpack[Naming],
    ) -> None:
        super().__init__(**kwargs)
        ndim, kind = self._ndim, type(self).__name__
        kernel = positive(kernel_size, ndim, f"{kind}: kernel_size")
        layout = checked(layout or LAYOUTS[ndim][0], ndim)
        positive(channels, 1, f"{kind}: channels")
        positive(groups, 1, f"{kind}: groups")
        self._kwargs: dict[str, Any] = {
            "kernel": kernel,
            "stride": positive(strides, ndim, f"{kind}: strides"),
            "dilate": positive(dilation, ndim, f"{kind}: dilation"),
            "pad": each(padding, ndim, f"{kind}: padding"),
            "num_filter": channels,
            "num_group": groups,
            "no_bias": not use_bias,
            "layout": layout,
        }
        self._second = ndim + 1 if layout[-1] == "C" else 1
        first, second = self._channels(channels, in_channels, groups)
        shape = [first, *kernel]
        shape.insert(self._second, second)
        with self.name_scope():
            self.weight = self._parameter("weight", shape, weight_initializer)
            self.bias = self._parameter("bias", [channels], bias_initializer) if use_bias else None
            self.act = activated(activation)

    def _channels(self, channels: int, in_channels: int, groups: int) -> tuple[int, int]:
        """Return the first two lengths of the weight, before those of the kernel."""
        return channels, in_channels // groups

    def _parameter(self, name: str, shape: list[int], init: Any) -> Parameter:
        return self.params.get(name, shape=tuple(shape), init=init, allow_deferred_init=True)

    def _alias(self) -> str:
        return "conv"

    def hybrid_forward(self, F: Any, x: Any, weight: Any, bias: Any = None) -> Any:
        """Apply the layer."""
        try:
            y = getattr(F, self._op)(x, weight, bias, **self._kwargs)
        except ArgumentError as error:
            shape = getattr(x, "shape", ())
            if is_channels_last(shape, self._kwargs["layout"]):
                raise ArgumentError(f"{error}. Besides, {CHANNELS_LAST.format(shape)}") from None
            if not self._is_as_in_pytorch(shape):
                raise
            raise ArgumentError(f"{error}{self._read_as()}") from None
        return y if self.act is None else self.act(y)

    def _is_as_in_pytorch(self, shape: tuple[int, ...]) -> bool:
        """Whether the arguments may be PyTorch's: channels of the input, of the output, kernel."""
        place = len(shape) - 1 if self._second == self._ndim + 1 else 1
        channels, kernel = self._kwargs["num_filter"], self._kwargs["kernel"]
        return len(shape) == self._ndim + 2 and shape[place] == channels and len({*kernel}) == 1

    def _read_as(self) -> str:
        """How the arguments were read, to append to an error."""
        kind, given = type(self).__name__, self._kwargs
        channels, kernel, stride = given["num_filter"], given["kernel"][0], given["stride"][0]
        return (
            f". {kind} read channels={channels}, kernel_size={kernel} and strides={stride}; it"
            f" finds the channels of the input by itself, so give {kind}(channels, kernel_size)"
        )

    def _arrow(self) -> str:
        """Return the channels as `repr` shows them."""
        return f"{self.weight.shape[self._second] or None} -> {self.weight.shape[0]}"

    def __repr__(self) -> str:
        given = self._kwargs
        parts = [
            self._arrow(),
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
    """Convolution along one axis; see `Conv2D`.

    Takes floats of shape (batch, channels, width), or as `layout` says; returns `channels`
    channels in the same dtype and order. An axis of length n becomes ``(n + 2 * padding - dilation
    * (kernel_size - 1) - 1) // strides + 1`` long.

    Parameters
    ----------
    channels, kernel_size, strides, padding, dilation, groups
        As for `Conv2D`, over one axis.
    layout : {'NCW', 'NWC'}
        The order of the axes: batch (N), channels (C) and space.
    activation, use_bias, weight_initializer, bias_initializer, in_channels
        As for `Conv2D`.
    **kwargs
        ``prefix`` and ``params``; see `Block`.

    Raises
    ------
    ArgumentError
        If `layout` is none of these, a size has neither one number nor one for each axis, or a
        size other than the padding is below 1.
    DTypeError
        If a size is no number.

    Examples
    --------
    >>> from gluon import nd, nn
    >>> layer = nn.Conv1D(8, 3, padding=1)
    >>> layer.initialize()
    >>> layer(nd.ones((2, 3, 10))).shape, layer.weight.shape
    ((2, 8, 10), (8, 3, 3))
    """

    _ndim = 1


class Conv2D(_Conv):
    """Convolution along two axes.

    Takes floats of shape (batch, channels, height, width), or as `layout` says; returns `channels`
    channels in the same dtype and order. An axis of length n becomes ``(n + 2 * padding - dilation
    * (kernel_size - 1) - 1) // strides + 1`` long.

    Parameters
    ----------
    channels : int
        The number of channels of the output.
    kernel_size : int or tuple of int
        The window; here and below, one number is used for all axes.
    strides, padding, dilation : int or tuple of int
        1, 0 and 1 by default.
    groups : int, default 1
        The number of groups of channels that are convolved separately.
    layout : {'NCHW', 'NHWC'}
        The order of the axes: batch (N), channels (C) and space.
    activation : str, optional
        As for `Activation`.
    use_bias : bool, default True
    weight_initializer, bias_initializer : str or Initializer, optional
    in_channels : int, optional
        The number of channels of the input; inferred from the first batch by default.
    **kwargs
        ``prefix`` and ``params``; see `Block`.

    Raises
    ------
    ArgumentError
        If `layout` is none of these, a size has neither one number nor one for each axis, or a
        size other than the padding is below 1.
    DTypeError
        If a size is no number.

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
    """Convolution along three axes; see `Conv2D`.

    Takes floats of shape (batch, channels, depth, height, width), or as `layout` says; returns
    `channels` channels in the same dtype and order. An axis of length n becomes ``(n + 2 * padding
    - dilation * (kernel_size - 1) - 1) // strides + 1`` long.

    Parameters
    ----------
    channels, kernel_size, strides, padding, dilation, groups
        As for `Conv2D`, over three axes.
    layout : {'NCDHW', 'NDHWC'}
        The order of the axes: batch (N), channels (C) and space.
    activation, use_bias, weight_initializer, bias_initializer, in_channels
        As for `Conv2D`.
    **kwargs
        ``prefix`` and ``params``; see `Block`.

    Raises
    ------
    ArgumentError
        If `layout` is none of these, a size has neither one number nor one for each axis, or a
        size other than the padding is below 1.
    DTypeError
        If a size is no number.

    Examples
    --------
    >>> from gluon import nd, nn
    >>> layer = nn.Conv3D(8, 3, padding=1)
    >>> layer.initialize()
    >>> layer(nd.ones((1, 3, 4, 4, 4))).shape, layer.weight.shape
    ((1, 8, 4, 4, 4), (8, 3, 3, 3, 3))
    """

    _ndim = 3


class _ConvTranspose(_Conv):
    """Base of the transposed convolutions."""

    outpad: tuple[int, ...]

    _op = "Deconvolution"

    def __init__(
        self,
        channels: int,
        kernel_size: Sizes,
        strides: Sizes = 1,
        padding: Sizes = 0,
        output_padding: Sizes = 0,
        dilation: Sizes = 1,
        groups: int = 1,
        layout: str | None = None,
        activation: ActivationName | None = None,
        use_bias: bool = True,
        weight_initializer: InitLike = None,
        bias_initializer: InitLike = "zeros",
        in_channels: int = 0,
        **kwargs: Unpack[Naming],
    ) -> None:
        super().__init__(
            channels,
            kernel_size,
            strides,
            padding,
            dilation,
            groups,
            layout,
            activation,
            use_bias,
            weight_initializer,
            bias_initializer,
            in_channels,
            **kwargs,
        )
        self._kwargs["adj"] = self.outpad = each(output_padding, self._ndim, "output_padding")

    def _channels(self, channels: int, in_channels: int, groups: int) -> tuple[int, int]:
        return in_channels, channels // groups

    def _arrow(self) -> str:
        # MXNet shows the lengths of the weight in this order, which here is from output to input.
        return f"{self.weight.shape[self._second]} -> {self.weight.shape[0]}"


class Conv1DTranspose(_ConvTranspose):
    """Transposed convolution along one axis; see `Conv2DTranspose`.

    Takes floats of shape (batch, channels, width), or as `layout` says; returns `channels`
    channels in the same dtype and order.

    Parameters
    ----------
    channels, kernel_size, strides, padding, output_padding, dilation, groups
        As for `Conv2DTranspose`, over one axis.
    layout : {'NCW', 'NWC'}
        The order of the axes: batch (N), channels (C) and space.
    activation, use_bias, weight_initializer, bias_initializer, in_channels
        As for `Conv2DTranspose`.
    **kwargs
        ``prefix`` and ``params``; see `Block`.

    Raises
    ------
    ArgumentError
        If `layout` is none of these, a size has neither one number nor one for each axis, or a
        size other than the padding is below 1.
    DTypeError
        If a size is no number.

    Examples
    --------
    >>> from gluon import nd, nn
    >>> layer = nn.Conv1DTranspose(8, 4, strides=2, padding=1)
    >>> layer.initialize()
    >>> layer(nd.ones((2, 3, 10))).shape, layer.weight.shape
    ((2, 8, 20), (3, 8, 4))
    """

    _ndim = 1


class Conv2DTranspose(_ConvTranspose):
    """Transposed convolution along two axes: the gradient of a convolution.

    Takes floats of shape (batch, channels, height, width), or as `layout` says; returns `channels`
    channels in the same dtype and order.

    An axis of length n becomes ``(n - 1) * strides + dilation * (kernel_size - 1) + 1 - 2 *
    padding + output_padding`` long.

    Parameters
    ----------
    channels : int
        The number of channels of the output.
    kernel_size : int or tuple of int
        The window; here and below, one number is used for all axes.
    strides, padding : int or tuple of int
        1 and 0 by default; those of the convolution that this one transposes.
    output_padding : int or tuple of int, default 0
        Added to the length of the output; less than `strides`.
    dilation : int or tuple of int, default 1
    groups : int, default 1
        The number of groups of channels that are convolved separately.
    layout : {'NCHW', 'NHWC'}
        The order of the axes: batch (N), channels (C) and space.
    activation : str, optional
        As for `Activation`.
    use_bias : bool, default True
    weight_initializer, bias_initializer : str or Initializer, optional
    in_channels : int, optional
        The number of channels of the input; inferred from the first batch by default.
    **kwargs
        ``prefix`` and ``params``; see `Block`.

    Raises
    ------
    ArgumentError
        If `layout` is none of these, a size has neither one number nor one for each axis, or a
        size other than the padding is below 1.
    DTypeError
        If a size is no number.

    Examples
    --------
    >>> from gluon import nd, nn
    >>> layer = nn.Conv2DTranspose(8, 4, strides=2, padding=1)
    >>> layer.initialize()
    >>> layer(nd.ones((2, 3, 5, 5))).shape, layer.weight.shape
    ((2, 8, 10, 10), (3, 8, 4, 4))
    """

    _ndim = 2


class Conv3DTranspose(_ConvTranspose):
    """Transposed convolution along three axes; see `Conv2DTranspose`.

    Takes floats of shape (batch, channels, depth, height, width), or as `layout` says; returns
    `channels` channels in the same dtype and order.

    Parameters
    ----------
    channels, kernel_size, strides, padding, output_padding, dilation, groups
        As for `Conv2DTranspose`, over three axes.
    layout : {'NCDHW', 'NDHWC'}
        The order of the axes: batch (N), channels (C) and space.
    activation, use_bias, weight_initializer, bias_initializer, in_channels
        As for `Conv2DTranspose`.
    **kwargs
        ``prefix`` and ``params``; see `Block`.

    Raises
    ------
    ArgumentError
        If `layout` is none of these, a size has neither one number nor one for each axis, or a
        size other than the padding is below 1.
    DTypeError
        If a size is no number.

    Examples
    --------
    >>> from gluon import nd, nn
    >>> layer = nn.Conv3DTranspose(8, 4, strides=2, padding=1)
    >>> layer.initialize()
    >>> layer(nd.ones((1, 3, 4, 4, 4))).shape, layer.weight.shape
    ((1, 8, 8, 8, 8), (3, 8, 4, 4, 4))
    """

    _ndim = 3


class ReflectionPad2D(HybridBlock):
    """Pads images by reflecting them at their borders.

    Takes floats of shape (batch, channels, height, width); returns the same dtype, with the height
    and width enlarged by the borders.

    Parameters
    ----------
    padding : int or tuple of 8 ints, default 0
        The width of the border, or the widths before and after each of the four axes; those of the
        first two must be 0.
    **kwargs
        ``prefix`` and ``params``; see `Block`.

    Raises
    ------
    ArgumentError
        If `padding` is neither one number nor eight.

    Examples
    --------
    >>> from gluon import nd, nn
    >>> nn.ReflectionPad2D(1)(nd.array([[[[1, 2], [3, 4]]]])).asnumpy()
    array([[[[4., 3., 4., 3.],
             [2., 1., 2., 1.],
             [4., 3., 4., 3.],
             [2., 1., 2., 1.]]]], dtype=float32)
    """

    def __init__(self, padding: Sizes = 0, **kwargs: Unpack[Naming]) -> None:
        super().__init__(**kwargs)
        self._padding = each(padding, 8, "padding")
        if isinstance(padding, Integral):
            self._padding = (0, 0, 0, 0, *self._padding[4:])

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        """Add the border."""
        return F.pad(x, mode="reflect", pad_width=self._padding)
