"""Pooling layers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..block import HybridBlock
from .conv_layers import Sizes, checked, each, positive

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ..block.naming import Naming


class _Pooling(HybridBlock):
    """Base of the pooling layers; subclasses define the kind and the number of axes."""

    _names_fwd = True

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
        **kwargs: Unpack[Naming],
    ) -> None:
        super().__init__(**kwargs)
        ndim = self._ndim
        kind = type(self).__name__
        kernel = positive(pool_size, ndim, f"{kind}: pool_size")
        self._kwargs: dict[str, Any] = {
            "kernel": kernel,
            "stride": kernel if strides is None else positive(strides, ndim, f"{kind}: strides"),
            "pad": each(padding, ndim, f"{kind}: padding"),
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
    """Max pooling along one axis; see `MaxPool2D`.

    Takes floats of shape (batch, channels, width), or as `layout` says; returns the same dtype and
    order, with one value for each window.

    Parameters
    ----------
    pool_size, strides, padding
        As for `MaxPool2D`, over one axis.
    layout : {'NCW', 'NWC'}
        The order of the axes: batch (N), channels (C) and space.
    ceil_mode : bool, default False
        Round the length of the output up instead of down.
    **kwargs
        ``prefix`` and ``params``; see `Block`.

    Raises
    ------
    ArgumentError
        If `layout` is not one of these, or a size has neither one number nor one for each axis.

    Examples
    --------
    >>> from gluon import nd, nn
    >>> nn.MaxPool1D()(nd.array([[[1, 3, 2, 8]]])).asnumpy()
    array([[[3., 8.]]], dtype=float32)
    """

    _ndim, _how = 1, "max"

    def __init__(
        self,
        pool_size: Sizes = 2,
        strides: Sizes | None = None,
        padding: Sizes = 0,
        layout: str = "NCW",
        ceil_mode: bool = False,
        **kwargs: Unpack[Naming],
    ) -> None:
        super().__init__(pool_size, strides, padding, layout, ceil_mode, **kwargs)


class MaxPool2D(_Pooling):
    """Max pooling along two axes.

    Takes floats of shape (batch, channels, height, width), or as `layout` says; returns the same
    dtype and order, with one value for each window.

    Parameters
    ----------
    pool_size : int or tuple of int, default 2
        The window; here and below, one number is used for all axes.
    strides : int or tuple of int, optional
        The window by default.
    padding : int or tuple of int, default 0
    layout : {'NCHW', 'NHWC'}
        The order of the axes: batch (N), channels (C) and space.
    ceil_mode : bool, default False
        Round the length of the output up instead of down.
    **kwargs
        ``prefix`` and ``params``; see `Block`.

    Raises
    ------
    ArgumentError
        If `layout` is not one of these, or a size has neither one number nor one for each axis.

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
        **kwargs: Unpack[Naming],
    ) -> None:
        super().__init__(pool_size, strides, padding, layout, ceil_mode, **kwargs)


class MaxPool3D(_Pooling):
    """Max pooling along three axes; see `MaxPool2D`.

    Takes floats of shape (batch, channels, depth, height, width), or as `layout` says; returns the
    same dtype and order, with one value for each window.

    Parameters
    ----------
    pool_size, strides, padding
        As for `MaxPool2D`, over three axes.
    ceil_mode : bool, default False
        Round the length of the output up instead of down.
    layout : {'NCDHW', 'NDHWC'}
        The order of the axes: batch (N), channels (C) and space.
    **kwargs
        ``prefix`` and ``params``; see `Block`.

    Raises
    ------
    ArgumentError
        If `layout` is not one of these, or a size has neither one number nor one for each axis.

    Examples
    --------
    >>> from gluon import nd, nn
    >>> nn.MaxPool3D(3, strides=2, padding=1)(nd.ones((1, 2, 4, 6, 8))).shape
    (1, 2, 2, 3, 4)
    """

    _ndim, _how = 3, "max"

    def __init__(
        self,
        pool_size: Sizes = 2,
        strides: Sizes | None = None,
        padding: Sizes = 0,
        ceil_mode: bool = False,
        layout: str = "NCDHW",
        **kwargs: Unpack[Naming],
    ) -> None:
        super().__init__(pool_size, strides, padding, layout, ceil_mode, **kwargs)


class AvgPool1D(_Pooling):
    """Average pooling along one axis; see `AvgPool2D`.

    Takes floats of shape (batch, channels, width), or as `layout` says; returns the same dtype and
    order, with one value for each window.

    Parameters
    ----------
    pool_size, strides, padding
        As for `MaxPool2D`, over one axis.
    layout : {'NCW', 'NWC'}
        The order of the axes: batch (N), channels (C) and space.
    ceil_mode : bool, default False
        Round the length of the output up instead of down.
    count_include_pad : bool, default True
        Whether the mean includes the zeros of the padding.
    **kwargs
        ``prefix`` and ``params``; see `Block`.

    Raises
    ------
    ArgumentError
        If `layout` is not one of these, or a size has neither one number nor one for each axis.

    Examples
    --------
    >>> from gluon import nd, nn
    >>> nn.AvgPool1D()(nd.array([[[1, 3, 2, 8]]])).asnumpy()
    array([[[2., 5.]]], dtype=float32)
    """

    _ndim, _how = 1, "avg"

    def __init__(
        self,
        pool_size: Sizes = 2,
        strides: Sizes | None = None,
        padding: Sizes = 0,
        layout: str = "NCW",
        ceil_mode: bool = False,
        count_include_pad: bool = True,
        **kwargs: Unpack[Naming],
    ) -> None:
        super().__init__(
            pool_size, strides, padding, layout, ceil_mode, count_include_pad, **kwargs
        )


class AvgPool2D(_Pooling):
    """Average pooling along two axes.

    Takes floats of shape (batch, channels, height, width), or as `layout` says; returns the same
    dtype and order, with one value for each window.

    Parameters
    ----------
    pool_size, strides, padding, ceil_mode, layout
        As for `MaxPool2D`.
    count_include_pad : bool, default True
        Whether the mean includes the zeros of the padding.
    **kwargs
        ``prefix`` and ``params``; see `Block`.

    Raises
    ------
    ArgumentError
        If `layout` is not one of these, or a size has neither one number nor one for each axis.

    Examples
    --------
    >>> from gluon import nd, nn
    >>> nn.AvgPool2D()(nd.arange(16).reshape((1, 1, 4, 4))).asnumpy()
    array([[[[ 2.5,  4.5],
             [10.5, 12.5]]]], dtype=float32)
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
        **kwargs: Unpack[Naming],
    ) -> None:
        super().__init__(
            pool_size, strides, padding, layout, ceil_mode, count_include_pad, **kwargs
        )


class AvgPool3D(_Pooling):
    """Average pooling along three axes; see `AvgPool2D`.

    Takes floats of shape (batch, channels, depth, height, width), or as `layout` says; returns the
    same dtype and order, with one value for each window.

    Parameters
    ----------
    pool_size, strides, padding
        As for `MaxPool2D`, over three axes.
    ceil_mode : bool, default False
        Round the length of the output up instead of down.
    layout : {'NCDHW', 'NDHWC'}
        The order of the axes: batch (N), channels (C) and space.
    count_include_pad : bool, default True
        Whether the mean includes the zeros of the padding.
    **kwargs
        ``prefix`` and ``params``; see `Block`.

    Raises
    ------
    ArgumentError
        If `layout` is not one of these, or a size has neither one number nor one for each axis.

    Examples
    --------
    >>> from gluon import nd, nn
    >>> nn.AvgPool3D(3, strides=2, padding=1)(nd.ones((1, 2, 4, 6, 8))).shape
    (1, 2, 2, 3, 4)
    """

    _ndim, _how = 3, "avg"

    def __init__(
        self,
        pool_size: Sizes = 2,
        strides: Sizes | None = None,
        padding: Sizes = 0,
        ceil_mode: bool = False,
        layout: str = "NCDHW",
        count_include_pad: bool = True,
        **kwargs: Unpack[Naming],
    ) -> None:
        super().__init__(
            pool_size, strides, padding, layout, ceil_mode, count_include_pad, **kwargs
        )


class GlobalMaxPool1D(_Pooling):
    """Maximum over the spatial axis, which keeps length 1.

    Takes floats of shape (batch, channels, width), or as `layout` says; returns the same dtype and
    order, with length 1 for each spatial axis.

    Parameters
    ----------
    layout : {'NCW', 'NWC'}
        The order of the axes: batch (N), channels (C) and space.
    **kwargs
        ``prefix`` and ``params``; see `Block`.

    Raises
    ------
    ArgumentError
        If `layout` is not one of these.

    Examples
    --------
    >>> from gluon import nd, nn
    >>> nn.GlobalMaxPool1D()(nd.array([[[1, 3, 2, 8]]])).asnumpy()
    array([[[8.]]], dtype=float32)
    """

    _ndim, _how, _global = 1, "max", True

    def __init__(self, layout: str = "NCW", **kwargs: Unpack[Naming]) -> None:
        super().__init__(1, None, 0, layout, True, **kwargs)


class GlobalMaxPool2D(_Pooling):
    """Maximum over both spatial axes, which keep length 1.

    Takes floats of shape (batch, channels, height, width), or as `layout` says; returns the same
    dtype and order, with length 1 for each spatial axis.

    Parameters
    ----------
    layout : {'NCHW', 'NHWC'}
        The order of the axes: batch (N), channels (C) and space.
    **kwargs
        ``prefix`` and ``params``; see `Block`.

    Raises
    ------
    ArgumentError
        If `layout` is not one of these.

    Examples
    --------
    >>> from gluon import nd, nn
    >>> nn.GlobalMaxPool2D()(nd.arange(8).reshape((1, 2, 2, 2))).asnumpy()
    array([[[[3.]],
    <BLANKLINE>
            [[7.]]]], dtype=float32)
    """

    _ndim, _how, _global = 2, "max", True

    def __init__(self, layout: str = "NCHW", **kwargs: Unpack[Naming]) -> None:
        super().__init__(1, None, 0, layout, True, **kwargs)


class GlobalMaxPool3D(_Pooling):
    """Maximum over all three spatial axes, which keep length 1.

    Takes floats of shape (batch, channels, depth, height, width), or as `layout` says; returns the
    same dtype and order, with length 1 for each spatial axis.

    Parameters
    ----------
    layout : {'NCDHW', 'NDHWC'}
        The order of the axes: batch (N), channels (C) and space.
    **kwargs
        ``prefix`` and ``params``; see `Block`.

    Raises
    ------
    ArgumentError
        If `layout` is not one of these.

    Examples
    --------
    >>> from gluon import nd, nn
    >>> nn.GlobalMaxPool3D()(nd.ones((1, 2, 4, 6, 8))).shape
    (1, 2, 1, 1, 1)
    """

    _ndim, _how, _global = 3, "max", True

    def __init__(self, layout: str = "NCDHW", **kwargs: Unpack[Naming]) -> None:
        super().__init__(1, None, 0, layout, True, **kwargs)


class GlobalAvgPool1D(_Pooling):
    """Average over the spatial axis, which keeps length 1.

    Takes floats of shape (batch, channels, width), or as `layout` says; returns the same dtype and
    order, with length 1 for each spatial axis.

    Parameters
    ----------
    layout : {'NCW', 'NWC'}
        The order of the axes: batch (N), channels (C) and space.
    **kwargs
        ``prefix`` and ``params``; see `Block`.

    Raises
    ------
    ArgumentError
        If `layout` is not one of these.

    Examples
    --------
    >>> from gluon import nd, nn
    >>> nn.GlobalAvgPool1D()(nd.array([[[1, 3, 2, 8]]])).asnumpy()
    array([[[3.5]]], dtype=float32)
    """

    _ndim, _how, _global = 1, "avg", True

    def __init__(self, layout: str = "NCW", **kwargs: Unpack[Naming]) -> None:
        super().__init__(1, None, 0, layout, True, **kwargs)


class GlobalAvgPool2D(_Pooling):
    """Average over both spatial axes, which keep length 1.

    Takes floats of shape (batch, channels, height, width), or as `layout` says; returns the same
    dtype and order, with length 1 for each spatial axis.

    Parameters
    ----------
    layout : {'NCHW', 'NHWC'}
        The order of the axes: batch (N), channels (C) and space.
    **kwargs
        ``prefix`` and ``params``; see `Block`.

    Raises
    ------
    ArgumentError
        If `layout` is not one of these.

    Examples
    --------
    >>> from gluon import nd, nn
    >>> nn.GlobalAvgPool2D()(nd.arange(8).reshape((1, 2, 2, 2))).asnumpy()
    array([[[[1.5]],
    <BLANKLINE>
            [[5.5]]]], dtype=float32)
    """

    _ndim, _how, _global = 2, "avg", True

    def __init__(self, layout: str = "NCHW", **kwargs: Unpack[Naming]) -> None:
        super().__init__(1, None, 0, layout, True, **kwargs)


class GlobalAvgPool3D(_Pooling):
    """Average over all three spatial axes, which keep length 1.

    Takes floats of shape (batch, channels, depth, height, width), or as `layout` says; returns the
    same dtype and order, with length 1 for each spatial axis.

    Parameters
    ----------
    layout : {'NCDHW', 'NDHWC'}
        The order of the axes: batch (N), channels (C) and space.
    **kwargs
        ``prefix`` and ``params``; see `Block`.

    Raises
    ------
    ArgumentError
        If `layout` is not one of these.

    Examples
    --------
    >>> from gluon import nd, nn
    >>> nn.GlobalAvgPool3D()(nd.ones((1, 2, 4, 6, 8))).shape
    (1, 2, 1, 1, 1)
    """

    _ndim, _how, _global = 3, "avg", True

    def __init__(self, layout: str = "NCDHW", **kwargs: Unpack[Naming]) -> None:
        super().__init__(1, None, 0, layout, True, **kwargs)
