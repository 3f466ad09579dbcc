"""`nd.contrib`: functions that are experimental in MXNet."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from .._core.arrays.base import A
from .._core.arrays.context import device
from .._core.engine.mode import mode as now
from .._core.engine.op import RECORDED as ops
from .._core.errors import ArgumentError
from .._core.faces.face import Face
from .._core.faces.kinds import keeps_shape
from .._core.faces.prototype import T
from .._core.kernels import collective
from ._checks import (
    check_floating,
    check_numbers,
    check_numeric,
    places,
    whole,
)
from ._public import ND, public
from .absent import missing
from .attention import (
    interleaved_matmul_encdec_qk,
    interleaved_matmul_encdec_valatt,
    interleaved_matmul_selfatt_qk,
    interleaved_matmul_selfatt_valatt,
)
from .boxes import (
    MultiBoxDetection,
    MultiBoxPrior,
    MultiBoxTarget,
    bipartite_matching,
    box_decode,
    box_encode,
    box_iou,
    box_nms,
    box_non_maximum_suppression,
)
from .contrib_optimizer import (
    adamw_update,
    group_adagrad_update,
    mp_adamw_update,
    multi_adamw_update,
    multi_lamb_update,
    multi_mp_adamw_update,
    multi_mp_lamb_update,
)
from .control import cond, foreach, while_loop
from .ctc import CTCLoss, ctc_loss
from .deform import DeformableConvolution, DeformablePSROIPooling, ModulatedDeformableConvolution
from .hawkes import hawkesll
from .nn import SparseEmbedding
from .normalization import BatchNorm, BatchNormWithReLU, follow, over_ranks
from .proposals import MultiProposal, Proposal
from .random import uniform
from .resample import AdaptiveAvgPooling2D, BilinearResize2D
from .roi import PSROIPooling, ROIAlign, RROIAlign
from .sampling import rand_zipfian
from .spectral import count_sketch, fft, ifft

__all__ = [
    "AdaptiveAvgPooling2D",
    "BatchNormWithReLU",
    "BilinearResize2D",
    "CTCLoss",
    "DeformableConvolution",
    "DeformablePSROIPooling",
    "ModulatedDeformableConvolution",
    "MultiBoxDetection",
    "MultiBoxPrior",
    "MultiBoxTarget",
    "MultiProposal",
    "PSROIPooling",
    "Proposal",
    "ROIAlign",
    "RROIAlign",
    "SparseEmbedding",
    "SyncBatchNorm",
    "adamw_update",
    "allclose",
    "arange_like",
    "bipartite_matching",
    "boolean_mask",
    "box_decode",
    "box_encode",
    "box_iou",
    "box_nms",
    "box_non_maximum_suppression",
    "cond",
    "count_sketch",
    "ctc_loss",
    "div_sqrt_dim",
    "fft",
    "foreach",
    "gradientmultiplier",
    "group_adagrad_update",
    "hawkesll",
    "ifft",
    "index_array",
    "index_copy",
    "interleaved_matmul_encdec_qk",
    "interleaved_matmul_encdec_valatt",
    "interleaved_matmul_selfatt_qk",
    "interleaved_matmul_selfatt_valatt",
    "isfinite",
    "isinf",
    "isnan",
    "mp_adamw_update",
    "multi_adamw_update",
    "multi_lamb_update",
    "multi_mp_adamw_update",
    "multi_mp_lamb_update",
    "quadratic",
    "rand_zipfian",
    "round_ste",
    "sign_ste",
    "uniform",
    "while_loop",
]


def __dir__() -> list[str]:
    return __all__


if not TYPE_CHECKING:  # so that type checkers report wrong names

    def __getattr__(name: str) -> Any:
        raise missing("nd.contrib", name, __all__)


#: Maps a mode to the new length of an axis of length n.
@public
def SyncBatchNorm(
    data: A,
    gamma: A,
    beta: A,
    moving_mean: A,
    moving_var: A,
    eps: float = 1e-3,
    momentum: float = 0.9,
    fix_gamma: bool = True,
    use_global_stats: bool = False,
    output_mean_var: bool = False,
    ndev: int = 1,
    key: str = "",
    out: A | Sequence[A] | None = None,
    name: str | None = None,
) -> A | Any:
    """`nd.BatchNorm` over the batches of all processes, which all must call it.

    In training the mean and the variance are those of the combined batch of all processes, and
    gradients flow to all of them. With one process it equals `nd.BatchNorm`.

    Parameters
    ----------
    data : NDArray of shape (batch, channels, ...)
        Of a floating dtype.
    gamma, beta : NDArray of shape (channels,)
    moving_mean, moving_var : NDArray of shape (channels,)
    eps, momentum, fix_gamma, use_global_stats, output_mean_var
        As for `nd.BatchNorm`.
    ndev : int, default 1
        Ignored: gluon finds the number of processes itself.
    key : str
        Ignored: processes are matched by the order of their calls.

    Returns
    -------
    NDArray of the same shape and dtype, or list of three NDArrays
        With the mean and the variance.

    Raises
    ------
    ArgumentError
        If a parameter does not have one value for each channel.
    DTypeError
        If `data` is of integers.
    DistributedError
        If not all processes call it.

    Examples
    --------
    >>> from gluon import nd
    >>> x, ones, zeros = nd.array([[1], [3]]), nd.ones((1,)), nd.zeros((1,))
    >>> mean, var = nd.array([1]), nd.array([4])
    >>> nd.contrib.SyncBatchNorm(x, ones, zeros, mean, var, key="a", eps=0).asnumpy().tolist()
    [[0.0], [1.0]]
    """
    if now().training and not use_global_stats and collective.place(None)[1] > 1:
        check_floating("SyncBatchNorm", data)
        mean, var, _ = over_ranks(data, 1)
        if fix_gamma:
            gamma = ops.ones_like(gamma)
        y = ops.batch_norm_inference(data, gamma, beta, mean, var, axis=1, eps=eps)
        follow(moving_mean, mean, momentum)
        follow(moving_var, var, momentum)
        return [y, mean, var] if output_mean_var else y
    norm = (eps, momentum, fix_gamma, use_global_stats, output_mean_var)
    found: Any = BatchNorm(data, gamma, beta, moving_mean, moving_var, *norm)
    if not output_mean_var:
        return found
    y, mean, root = found
    return [y, mean, 1 / (root * root) - eps]


@public
def boolean_mask(
    data: A, index: A, axis: int = 0, out: A | None = None, name: str | None = None
) -> A:
    """The rows of `data` where `index` is not 0.

    Parameters
    ----------
    data : NDArray of any shape and dtype
    index : NDArray of shape (n,) and any dtype, as long as `axis`
        No gradient reaches it.
    axis : int, default 0
        Of the rows.

    Returns
    -------
    NDArray of the same dtype, with as many places along `axis` as `index` has values other than 0

    Raises
    ------
    ArgumentError
        If `index` is not as long as `axis`.
    IndexRangeError
        If the axis is out of range for `data`.

    Examples
    --------
    >>> from gluon import nd
    >>> x = nd.array([[1, 2], [3, 4], [5, 6]])
    >>> nd.contrib.boolean_mask(x, nd.array([1, 0, 1])).asnumpy().tolist()
    [[1.0, 2.0], [5.0, 6.0]]
    """
    (axis,) = places("boolean_mask", "axis", axis, data.ndim)
    if index.shape != (data.shape[axis],):
        raise ArgumentError(
            f"boolean_mask: index has shape {index.shape}; it needs {(data.shape[axis],)}, one"
            f" value for each place of axis {axis} of the data {data.shape}"
        )
    mask = ops.not_equal(index, 0).raw
    return ops.getitem(data, key=(slice(None),) * axis + (mask,))


@public
def index_copy(
    old_tensor: A, index_vector: A, new_tensor: A, out: A | None = None, name: str | None = None
) -> A:
    """Replace some rows of `old_tensor`; of duplicates, the last one wins.

    Parameters
    ----------
    old_tensor : NDArray of shape (n, ...) and any dtype
    index_vector : NDArray of shape (m,) and any dtype
        Which rows; negative ones count from the end. No gradient reaches it.
    new_tensor : NDArray of shape (m, ...)
        The new rows.

    Returns
    -------
    NDArray of the shape and dtype of `old_tensor`
        The gradient of replaced rows is 0.

    Raises
    ------
    ArgumentError
        If `new_tensor` does not have the shape of m rows.
    IndexRangeError
        If the row does not exist.

    Examples
    --------
    >>> from gluon import nd
    >>> x, rows = nd.zeros((3, 2)), nd.array([[1, 2], [3, 4]])
    >>> nd.contrib.index_copy(x, nd.array([2, 0]), rows).asnumpy().tolist()
    [[3.0, 4.0], [0.0, 0.0], [1.0, 2.0]]
    """
    key = ops.cast(index_vector, dtype="int64").raw
    if new_tensor.shape != key.shape + old_tensor.shape[1:]:
        raise ArgumentError(
            f"index_copy: new_tensor has shape {new_tensor.shape}; {key.shape[0]} rows of"
            f" {old_tensor.shape} need {key.shape + old_tensor.shape[1:]}"
        )
    return ops.setitem(old_tensor, new_tensor, key=key)


@public
def arange_like(
    data: A,
    start: float = 0.0,
    step: float = 1.0,
    repeat: int = 1,
    ctx: Any = None,
    axis: int | None = None,
    out: A | None = None,
    name: str | None = None,
) -> A:
    """Evenly spaced values in the shape of `data`, or of the length of `axis`.

    Parameters
    ----------
    data : NDArray of any number type and shape
        Only its shape and dtype are used.
    start, step : float, default 0 and 1
    repeat : int, default 1
        How many times to repeat each value.
    ctx : Context, optional
        The device of the result.
    axis : int, optional

    Returns
    -------
    NDArray of the shape of `data`, or as long as `axis`, and of the dtype of `data`

    Raises
    ------
    DTypeError
        If `data` is boolean.
    IndexRangeError
        If the axis is out of range for `data`.

    Examples
    --------
    >>> from gluon import nd
    >>> nd.contrib.arange_like(nd.zeros((2, 3)), step=0.5).asnumpy().tolist()
    [[0.0, 0.5, 1.0], [1.5, 2.0, 2.5]]
    >>> nd.contrib.arange_like(nd.zeros((2, 3)), axis=1).asnumpy().tolist()
    [0.0, 1.0, 2.0]
    """
    check_numeric("arange_like", data)
    result = ops.arange_like(data, start=start, step=step, repeat=repeat, axis=axis)
    if ctx:
        result._ctx = device(ctx)
    return result


@public
def index_array(
    data: A, axes: Sequence[int] | None = None, out: A | None = None, name: str | None = None
) -> A:
    """The multi-dimensional index of each element, along a new last axis.

    Parameters
    ----------
    data : NDArray of any shape and dtype
        Only its shape is used.
    axes : tuple of int, optional
        The indices along these axes only.

    Returns
    -------
    NDArray of shape (*data.shape, data.ndim), or (*data.shape, len(axes)), and dtype int64
        It cannot be differentiated.

    Raises
    ------
    IndexRangeError
        If `data` lacks one of the `axes`.

    Examples
    --------
    >>> from gluon import nd
    >>> nd.contrib.index_array(nd.zeros((2, 2))).asnumpy().tolist()
    [[[0, 0], [0, 1]], [[1, 0], [1, 1]]]
    """
    return ops.index_array(data, axes=None if axes is None else whole("index_array", "axes", axes))


@keeps_shape
@public
def div_sqrt_dim(data: A, out: A | None = None, name: str | None = None) -> A:
    """`data` divided by the square root of the length of its last axis.

    Parameters
    ----------
    data : NDArray of any number type and shape

    Returns
    -------
    NDArray of the same shape and dtype

    Raises
    ------
    DTypeError
        If `data` is not an NDArray.

    Examples
    --------
    >>> from gluon import nd
    >>> nd.contrib.div_sqrt_dim(nd.array([1, 2, 3, 4])).asnumpy().tolist()
    [0.5, 1.0, 1.5, 2.0]
    """
    return _in_floats(data, lambda x: ops.divide(x, data.shape[-1] ** 0.5))


@keeps_shape
@public
def gradientmultiplier(
    data: A, scalar: float = 1.0, is_int: bool = True, out: A | None = None, name: str | None = None
) -> A:
    """Return `data`, and multiply its gradient by `scalar`.

    Parameters
    ----------
    data : NDArray of any shape and dtype
    scalar : float, default 1
        A negative number reverses the gradient.
    is_int
        Ignored.

    Returns
    -------
    NDArray of the same shape and dtype

    Raises
    ------
    DTypeError
        If `data` is not an NDArray.

    Examples
    --------
    >>> from gluon import autograd, nd
    >>> x = nd.array([1, 2])
    >>> x.attach_grad()
    >>> with autograd.record():
    ...     y = nd.contrib.gradientmultiplier(x, scalar=-0.5) * 10
    >>> y.backward()
    >>> y.asnumpy().tolist(), x.grad.asnumpy().tolist()
    ([10.0, 20.0], [-5.0, -5.0])
    """
    check_numbers("gradientmultiplier", scalar=scalar)
    return ops.scale_gradient(data, scalar=scalar)


@keeps_shape
@public
def round_ste(data: A, out: A | None = None, name: str | None = None) -> A:
    """`nd.round` with a straight-through gradient.

    Parameters
    ----------
    data : NDArray of any number type and shape

    Returns
    -------
    NDArray of the same shape and dtype

    Raises
    ------
    DTypeError
        If `data` is not an NDArray, or boolean.

    Examples
    --------
    >>> from gluon import nd
    >>> nd.contrib.round_ste(nd.array([-1.5, 0.4, 2.5])).asnumpy().tolist()
    [-2.0, 0.0, 3.0]
    """
    check_numeric("round_ste", data)
    return ops.round_ste(data)


@keeps_shape
@public
def sign_ste(data: A, out: A | None = None, name: str | None = None) -> A:
    """`nd.sign` with a straight-through gradient.

    Parameters
    ----------
    data : NDArray of any number type and shape

    Returns
    -------
    NDArray of the same shape and dtype

    Raises
    ------
    DTypeError
        If `data` is not an NDArray, or boolean.

    Examples
    --------
    >>> from gluon import nd
    >>> nd.contrib.sign_ste(nd.array([-1.5, 0, 2.5])).asnumpy().tolist()
    [-1.0, 0.0, 1.0]
    """
    check_numeric("sign_ste", data)
    return ops.sign_ste(data)


@public
def allclose(
    a: A,
    b: A,
    rtol: float = 1e-5,
    atol: float = 1e-8,
    equal_nan: bool = True,
    out: A | None = None,
    name: str | None = None,
) -> A:
    """1 when ``abs(a - b) <= atol + rtol * abs(b)`` everywhere, else 0.

    Parameters
    ----------
    a, b : NDArray of equal shape, of any dtypes
    rtol, atol : float
        The relative and the absolute tolerance.
    equal_nan : bool, default True
        Count NaN as equal to NaN.

    Returns
    -------
    NDArray of shape () and dtype uint8
        Without gradient.

    Raises
    ------
    ArgumentError
        If the shapes differ.
    DTypeError
        If `a` or `b` is not an NDArray.

    Examples
    --------
    >>> from gluon import nd
    >>> nd.contrib.allclose(nd.array([1, 2]), nd.array([1, 2.1]), rtol=0.1).item()
    1
    """
    return ops.allclose(a, b, rtol=rtol, atol=atol, equal_nan=bool(equal_nan))


@keeps_shape
@public
def quadratic(
    data: A,
    a: float = 0.0,
    b: float = 0.0,
    c: float = 0.0,
    out: A | None = None,
    name: str | None = None,
) -> A:
    """``a * data**2 + b * data + c``.

    Parameters
    ----------
    data : NDArray of any number type and shape
    a, b, c : float, default 0

    Returns
    -------
    NDArray of the same shape and dtype
        The fraction of a result is dropped where `data` is of integers.

    Raises
    ------
    DTypeError
        If `data` is not an NDArray.

    Examples
    --------
    >>> from gluon import nd
    >>> nd.contrib.quadratic(nd.array([0, 1, 2]), a=1, b=-2, c=0.5).asnumpy().tolist()
    [0.5, -0.5, 0.5]
    """
    return _in_floats(data, lambda x: ops.add(ops.multiply(ops.add(ops.multiply(x, a), b), x), c))


def _in_floats(data: A, function: Callable[..., Any]) -> A:
    """Compute ``function(data)`` in the dtype of the data; integers are computed as floats."""
    if data.form.dtype.kind in "fV":
        return function(data)
    return ops.cast(function(ops.cast(data, dtype=np.float64)), dtype=data.form.dtype)


def asked(data: A, out: A | None = None, name: str | None = None) -> A:
    """A question about each value.

    Parameters
    ----------
    data : NDArray of any number type and shape

    Returns
    -------
    NDArray of the same shape and dtype
        It cannot be differentiated.

    Raises
    ------
    DTypeError
        If `data` is not an NDArray.
    """
    raise NotImplementedError


CONTRIB = Face(__name__, ND.imports, "nd.contrib.{name}({given}).asnumpy().tolist()")


def _asks(like: T, op: Callable[..., Any], question: str, answer: str) -> T:
    def call(data: A, out: A | None = None, name: str | None = None) -> A:
        return ops.cast(op(data), dtype=data.form.dtype)

    title = f"{question}: 1 for yes, 0 for no"
    given = 'nd.array([1, float("inf"), float("nan")])'
    return keeps_shape(public(CONTRIB.made(like, call, op.__name__, title, given, answer)))


isnan: Final = _asks(asked, ops.isnan, "Which values are NaN", "[0.0, 0.0, 1.0]")
isinf: Final = _asks(asked, ops.isinf, "Which values are infinite", "[0.0, 1.0, 0.0]")
isfinite: Final = _asks(
    asked, ops.isfinite, "Which values are neither NaN nor infinite", "[1.0, 0.0, 0.0]"
)
