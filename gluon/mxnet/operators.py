"""MXNet's internal names of operators, such as ``nd._internal._plus``, in gluon."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import Any

from .. import image, nd, np, npx
from ..nd import NDArray
from ..nd.sparse.functions import scatter_minus, scatter_plus, scatter_quotient, square_sum
from ..symbol import internal, numbers
from ..symbol.numbers import turned
from .helpers import fallback
from .helpers.errors import of_other_type

#: Modules of MXNet with such names.
CLASSIC = ("ndarray._internal", "ndarray.gen__internal")
SYMBOLS = ("symbol._internal", "symbol.gen__internal")
NUMPY = ("ndarray.numpy._internal", "ndarray.numpy._api_internal")
#: MXNet's prefixes of names -> the module of the rest.
PREFIXES = {
    "contrib_": nd.contrib,
    "image_": nd.image,
    "linalg_": nd.linalg,
    "random_": nd.random,
    "sparse_": nd.sparse,
}
#: MXNet's names of operators on two arrays of one shape -> the function.
PAIRS: dict[str, Callable[..., Any]] = {
    **numbers.PAIRS,
    **dict.fromkeys(("add", "plus"), nd.elemwise_add),
    **dict.fromkeys(("minus", "sub"), nd.elemwise_sub),
    "div": nd.elemwise_div,
    "mul": nd.elemwise_mul,
}
#: What ``_NAME_scalar`` computes of an array and a number.
SCALARS: dict[str, Callable[..., Any]] = {
    **numbers.SCALARS,
    "scatter_minus": scatter_minus,
    "scatter_plus": scatter_plus,
}


def into(out: Any, value: Any) -> Any:
    """`value`, or `out` once it has it."""
    if out is None:
        return value
    out[:] = value
    return out


def with_number(compute: Callable[..., Any]) -> Callable[..., Any]:
    """The operator on an array and the argument ``scalar``."""

    def call(
        data: Any, scalar: Any = 1.0, is_int: bool = True, out: Any = None, name: Any = None
    ) -> Any:
        if isinstance(scalar, NDArray):
            raise of_other_type("scalar", scalar, "a number")
        return into(out, compute(data, scalar))

    return call


def snake(name: str) -> str:
    """Convert ``RMinusScalar`` to ``rminus_scalar``."""
    return re.sub("(?<=[a-z])(?=[A-Z])", "_", name).lower()


@cache
def found(path: str, name: str) -> Any:
    """The function for an internal name; None when there is none.

    Parameters
    ----------
    path : str
        The module, below ``mxnet``.
    name : str
    """
    if path in CLASSIC:
        return classic(name)
    if path in SYMBOLS:
        return internal.by_name(name)
    if path == "_numpy_op_doc":
        own = name.removeprefix("_np_").removeprefix("_npx_")
        return getattr(np if name[:4] == "_np_" else npx, own, None)
    return numpy_name(name) if path in NUMPY else None


def classic(name: str) -> Any:
    """The function of `gluon.nd` that an internal name stands for."""
    if name in OTHERS:
        return OTHERS[name]
    own = name.removeprefix("_")
    first = snake(own)
    if first in PAIRS:
        return getattr(nd, PAIRS[first].__name__)  # the tolerant one, under the hook
    if (compute := SCALARS.get(first.removesuffix("_scalar"))) and first[-7:] == "_scalar":
        return with_number(compute)
    for prefix, home in {"": nd, **PREFIXES}.items():
        rest = own.removeprefix(prefix)
        if own.startswith(prefix) and rest in home.__all__:
            return getattr(home, rest)
    return None


def numpy_name(name: str) -> Any:
    """The function of `gluon.np` or `gluon.npx` that an internal name stands for."""
    if name in fallback.OPERATORS:
        return fallback.OPERATORS[name]
    own = name.removesuffix("_scalar")
    for home in (np, np.linalg, np.random, npx):
        if own in home.__all__:
            return getattr(home, own)
    if own != name and (first := vars(np).get(own.removeprefix("r"))) is not None:
        return turned(first)
    return None


def slice_assign(
    lhs: NDArray, rhs: Any, begin: Any, end: Any, step: Any = (), out: Any = None, **_: Any
) -> NDArray:
    """Return a copy of `lhs` with a slice set to `rhs`."""
    return into(out, internal.assigned(lhs, rhs, begin, end, step))


def slice_assign_scalar(
    data: NDArray, scalar: float = 0.0, begin: Any = (), end: Any = (), step: Any = (), **rest: Any
) -> NDArray:
    """Return a copy of `data` with a slice set to one number."""
    return slice_assign(data, scalar, begin, end, step, **rest)


def copyto(data: NDArray, out: Any = None, **_: Any) -> NDArray:
    """A copy, or `out` with the values."""
    return into(out, data.copy())


def set_value(src: float = 0.0, out: Any = None, **_: Any) -> NDArray:
    """`out`, filled with one number."""
    return into(out, src)


def split_v2(
    data: NDArray, indices: Any = (), axis: int = 1, squeeze_axis: bool = False, sections: int = 0,
    **_: Any,
) -> Any:  # fmt: skip
    """The parts of an array: `sections` of one length, or those that begin at `indices`."""
    return nd.split_v2(data, sections or tuple(indices)[1:], axis, squeeze_axis)


def zeros(
    shape: Any = (), ctx: Any = None, dtype: Any = "float32", out: Any = None, **_: Any
) -> Any:
    """An array of zeros."""
    return into(out, nd.zeros(shape, ctx or None, dtype))


def ones(
    shape: Any = (), ctx: Any = None, dtype: Any = "float32", out: Any = None, **_: Any
) -> Any:
    """An array of ones."""
    return into(out, nd.ones(shape, ctx or None, dtype))


def full(
    shape: Any = (), ctx: Any = None, dtype: Any = "float32", value: float = 0.0, out: Any = None,
    **_: Any,
) -> Any:  # fmt: skip
    """An array of one value."""
    return into(out, nd.full(shape, value, ctx or None, dtype))


def scatter_elemwise_div(lhs: Any, rhs: Any, out: Any = None, **_: Any) -> Any:
    """``lhs / rhs`` at the places that `lhs` stores."""
    return into(out, scatter_quotient(lhs, rhs))


OTHERS: dict[str, Any] = {
    "_copy": copyto,
    "_copyto": copyto,
    "_CrossDeviceCopy": copyto,
    "_cvcopyMakeBorder": image.copyMakeBorder,
    "_cvimdecode": image.imdecode,
    "_cvimread": image.imread,
    "_cvimresize": image.imresize,
    "_crop_assign": slice_assign,
    "_crop_assign_scalar": slice_assign_scalar,
    "_full": full,
    "_identity_with_attr_like_rhs": lambda lhs, rhs, **_: lhs.copy(),
    "_ones": ones,
    "_set_value": set_value,
    "_slice_assign": slice_assign,
    "_slice_assign_scalar": slice_assign_scalar,
    "_split_v2": split_v2,
    "_scatter_elemwise_div": scatter_elemwise_div,
    "_square_sum": square_sum,
    "_zeros": zeros,
    "_zeros_without_dtype": zeros,
}
