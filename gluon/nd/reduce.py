"""`nd`: reductions. A reduction of all axes gives shape (1,), as in MXNet."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..engine.op import RECORDED as F
from ..engine.op import TABLE
from ..ndarray import NDArray
from ..ndarray.dtypes import as_dtype
from ._public import at_least_1d, documented, not_an_array, public, several, write

Axis = int | tuple[int, ...] | None
PARAMETERS = """data : NDArray
    axis : int or tuple of int, optional
        The axes to reduce; all by default.
    keepdims : bool, default False
        Keep the reduced axes, with length 1.
    exclude : bool, default False
        Reduce all axes but `axis`."""


def chosen_axes(axis: Any, ndim: int, exclude: bool = False) -> Axis:
    """`axis` as the kernels take it: None for all, never empty, never negative."""
    if axis is None or not (given := several(axis)):
        return None
    axes = tuple(a % ndim if -ndim <= a < ndim else a for a in given)
    if exclude:
        axes = tuple(a for a in range(ndim) if a not in axes)
    return axes


def _reduction(op: Callable, name: str) -> Callable:
    def call(
        data: NDArray,
        axis: Axis = None,
        keepdims: bool = False,
        exclude: bool = False,
        out: NDArray | None = None,
        name: str | None = None,
    ) -> NDArray:
        try:
            axes = chosen_axes(axis, data._raw.ndim, exclude)
        except AttributeError as error:
            raise not_an_array(call.__name__, (data,), {}, error) from error
        if axes is None and not keepdims:
            result = op(data, at_least_1d=True)
        else:
            result = op(data, axis=axes, keepdims=bool(keepdims), at_least_1d=True)
        if result._raw.dtype is not data._raw.dtype:
            result = F.cast(result, dtype=data._raw.dtype)  # integers stay integers
        return result if out is None else write(out, result, call.__name__)

    return documented(call, name, TABLE[op.__name__].doc, PARAMETERS, "NDArray")


NAMES = {
    F.sum: "sum sum_axis",
    F.mean: "mean",
    F.prod: "prod",
    F.max: "max max_axis",
    F.min: "min min_axis",
    F.nansum: "nansum",
    F.nanprod: "nanprod",
}
for _op, _names in NAMES.items():
    globals().update({name: _reduction(_op, name) for name in _names.split()})


@public
def norm(
    data: NDArray, ord: int = 2, axis: Axis = None, out_dtype: Any = None, keepdims: bool = False
) -> NDArray:
    """The 1- or 2-norm over `axis`, over all values by default.

    Parameters
    ----------
    data : NDArray
    ord : {1, 2}
    axis : int or tuple of int, optional
    out_dtype : str, optional
        Of the result; that of `data` by default.
    keepdims : bool, default False

    Returns
    -------
    NDArray
    """
    axes = chosen_axes(axis, data._raw.ndim)
    found = F.norm(data, ord=ord, axis=axes, keepdims=bool(keepdims), at_least_1d=True)
    return found if out_dtype is None else F.cast(found, dtype=as_dtype(out_dtype))


def _place(op: Callable, name: str) -> Callable:
    def call(data: NDArray, axis: int | None = None, keepdims: bool = False) -> NDArray:
        places = op(data, axis=axis, keepdims=bool(keepdims))
        return at_least_1d(F.cast(places, dtype=data._raw.dtype))

    inputs = PARAMETERS[: PARAMETERS.index("    exclude")]
    return public(
        documented(call, name, TABLE[name].doc, inputs, "NDArray of indices in the dtype of `data`")
    )


argmax = _place(F.argmax, "argmax")
argmin = _place(F.argmin, "argmin")


@public
def argmax_channel(data: NDArray) -> NDArray:
    """The place of the largest value along axis 1, as float32."""
    return argmax(data, axis=1)
