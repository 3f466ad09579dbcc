"""`nd`: pooling over moving windows."""

from __future__ import annotations

from math import prod
from typing import Any

from .._core.arrays.base import A
from .._core.engine.op import RECORDED as ops
from .._core.errors import ArgumentError
from ._checks import check_choice, check_floating
from ._public import public
from .conv import Shape, as_shape, channels_last, to_first, to_last


@public
def Pooling(
    data: A,
    kernel: Shape = None,
    pool_type: str = "max",
    global_pool: bool = False,
    cudnn_off: bool = False,
    pooling_convention: str = "valid",
    stride: Shape = None,
    pad: Shape = None,
    p_value: int | None = None,
    count_include_pad: bool | None = None,
    layout: str | None = None,
    out: A | None = None,
    name: str | None = None,
) -> A:
    """Pool over moving windows: maximum, average, sum or p-norm.

    Parameters
    ----------
    data : NDArray of shape (batch, channels, *spatial), or as `layout` says
        Of a floating dtype.
    kernel : tuple of int
        The window; not needed for ``global_pool=True``.
    pool_type : {'max', 'avg', 'sum', 'lp'}
        ``'lp'`` is the p-th root of the sum of the p-th powers, signs included.
    global_pool : bool, default False
        One window over all positions.
    cudnn_off
        Ignored.
    pooling_convention : {'valid', 'full', 'same'}
        The number of windows along an axis of length n: ``(n + 2 * pad - kernel) / stride + 1``,
        rounded down for ``'valid'`` and up for ``'full'``, whose last window may reach over the
        border; or ``n / stride``, rounded up, for ``'same'``.
    stride : tuple of int, default 1
    pad : tuple of int, default 0
        Less than `kernel`. The maximum and the sum ignore the padding.
    p_value : {1, 2, 3}, optional
        The p of ``'lp'``; required for it.
    count_include_pad : bool, default True
        Whether ``'avg'`` includes the padding.
    layout : {'NCW', 'NCHW', 'NCDHW', 'NWC', 'NHWC', 'NDHWC'}, optional
        Channels first by default.

    Returns
    -------
    NDArray of shape (batch, channels, *positions), or as `layout` says, and the same dtype
        Of equal maxima in a window the first gets the gradient.

    Raises
    ------
    ArgumentError
        If `kernel` or `p_value` is missing, an option or the layout is not one of the above, an
        argument does not have one value for each dimension, or a window is larger than the padded
        data.
    DTypeError
        If `data` is of integers.

    Examples
    --------
    >>> from gluon import nd
    >>> x = nd.array([[[1, 2, 4, 8, 16]]])
    >>> nd.Pooling(x, kernel=(2,), stride=(2,)).asnumpy().tolist()
    [[[2.0, 8.0]]]
    >>> nd.Pooling(x, kernel=(2,), stride=(2,), pooling_convention="full").asnumpy().tolist()
    [[[2.0, 8.0, 16.0]]]
    >>> nd.Pooling(x, pool_type="sum", global_pool=True).asnumpy().tolist()
    [[[31.0]]]
    """
    last = channels_last("Pooling", layout, data)
    check_choice("Pooling", "pool_type", pool_type, ("max", "avg", "sum", "lp"))
    check_floating("Pooling", data)
    data = to_first(data, last)
    if global_pool:
        window: dict[str, Any] = {"kernel": data.shape[2:]}
    elif kernel is None or kernel == ():
        raise ArgumentError("Pooling: kernel is missing; pass it, or global_pool=True")
    else:
        convention = {"convention": pooling_convention}
        ndim = data.ndim - 2
        stride, pad = (one and as_shape(one, ndim)[:ndim] for one in (stride, pad))
        window = {"kernel": kernel, "stride": stride, "pad": pad, **convention}
    return to_last(_pool(data, pool_type, window, p_value, count_include_pad), last)


@public
def Pooling_v1(
    data: A,
    kernel: Shape = None,
    pool_type: str = "max",
    global_pool: bool = False,
    pooling_convention: str = "valid",
    stride: Shape = None,
    pad: Shape = None,
    out: A | None = None,
    name: str | None = None,
) -> A:
    """The former `Pooling`: the maximum and the average include the zeros of the padding.

    Parameters
    ----------
    data : NDArray of shape (batch, channels, *spatial)
        Of a floating dtype.
    kernel : tuple of int
        The window; not needed for ``global_pool=True``.
    pool_type : {'max', 'avg', 'sum'}
    global_pool : bool, default False
        One window over all positions.
    pooling_convention : {'valid', 'full'}
        Whether windows may reach over the border; the average divides by all of such a window.
    stride : tuple of int, default 1
    pad : tuple of int, default 0

    Returns
    -------
    NDArray of shape (batch, channels, *positions) and the same dtype
        Of equal maxima in a window the first gets the gradient.

    Raises
    ------
    ArgumentError
        If `kernel` is missing, an option is not one of the above, an argument does not have one
        value for each dimension, or a window is larger than the padded data.
    DTypeError
        If `data` is of integers.

    Examples
    --------
    >>> from gluon import nd
    >>> nd.Pooling_v1(nd.array([[[-1, -2]]]), kernel=(2,), pad=(1,)).asnumpy().tolist()
    [[[0.0, -1.0, 0.0]]]
    """
    check_choice("Pooling_v1", "pool_type", pool_type, ("max", "avg", "sum"))
    check_choice("Pooling_v1", "pooling_convention", pooling_convention, ("valid", "full"))
    spatial = data.shape[2:]
    if global_pool:
        kernel, stride, pad = spatial, None, None
    if pad:
        widths = [(0, 0), (0, 0), *((n, n) for n in as_shape(pad, len(spatial)))]
        data = ops.pad(data, width=widths, mode="constant", value=0)
    how = "max" if pool_type == "max" else "sum"
    window: Any = {"kernel": kernel, "stride": stride, "pooling_convention": pooling_convention}
    found = Pooling(data, pool_type=how, **window)
    return ops.divide(found, prod(as_shape(kernel, len(spatial)))) if pool_type == "avg" else found


def _pool(
    data: A, pool_type: str, window: dict[str, Any], p_value: int | None, include_pad: bool | None
) -> A:
    if pool_type == "max":
        return ops.max_pool(data, **window)
    if pool_type == "lp":
        if p_value is None:
            raise ArgumentError("Pooling: pool_type='lp' needs p_value, 1, 2 or 3")
        return ops.lp_pool(data, p=int(p_value), **window)
    divide_by = None
    if pool_type == "avg":
        divide_by = "window" if include_pad is None or include_pad else "inside"
    return ops.sum_pool(data, divide_by=divide_by, **window)
