"""The operators behind `gluon.symbol.np`, with the names and arguments of MXNet's files."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from re import findall
from typing import Any
from typing import cast as typed

from .. import nd, np
from .._core.arrays.base import A
from .._core.faces.kinds import broadcasts, keeps_shape
from ..np.codes import lengths_meant
from .families import OUTPUTS, VALUES, WIDTHS, numbered
from .operator import OPERATORS, Operator

Axes = int | Sequence[int] | None
Lengths = int | tuple[int, ...]

#: ``_npi_NAME`` of one array.
UNARY = (
    "absolute arccos arccosh arcsin arcsinh arctan arctanh bitwise_not cbrt ceil cos cosh deg2rad"
    " degrees exp expm1 fix floor isfinite isinf isnan isneginf isposinf log log10 log1p log2"
    " logical_not negative rad2deg radians reciprocal rint sign sin sinh sqrt square tan tanh trunc"
).split()
#: ``_npi_NAME`` of two arrays, and ``_npi_NAME_scalar`` of an array and a number.
BINARY = (
    "add arctan2 bitwise_and bitwise_or bitwise_xor copysign equal greater greater_equal hypot lcm"
    " ldexp less less_equal mod multiply not_equal power subtract true_divide"
).split()
#: ``_npi_rNAME_scalar``, of a number and an array.
TURNED = "arctan2 copysign ldexp mod power subtract true_divide".split()
#: Reductions with the arguments of `gluon.np`.
REDUCED = {
    **{f"_np_{name}": name for name in "all any max min prod sum".split()},
    **{f"_npi_{name}": name for name in "argmax argmin mean std var".split()},
}
#: Functions whose arguments in files are those of `gluon.np`.
ALIKE = {
    **{
        f"_np_{name}": name
        for name in ("copy diag diagflat diagonal dot reshape roll squeeze trace transpose").split()
    },
    **{
        f"_npi_{name}": name
        for name in "around broadcast_to flip matmul polyval rot90 tril".split()
    },
    **{
        f"_npi_{name}": f"linalg.{name}"
        for name in (
            "cholesky eig eigh eigvals eigvalsh pinv solve svd tensorinv tensorsolve"
        ).split()
    },
}


def _found(name: str) -> Any:
    module: Any = np
    for part in name.split("."):
        module = getattr(module, part)
    return module


def _one(compute: Callable[..., Any]) -> Callable[..., Any]:
    def call(x: A, num_args: int = 1) -> A:
        return compute(x)

    return call


def _two(compute: Callable[..., Any]) -> Callable[..., Any]:
    def call(lhs: A, rhs: A) -> A:
        return compute(lhs, rhs)

    return call


def _of_number(compute: Callable[..., Any], turned: bool = False) -> Callable[..., Any]:
    def call(data: A, scalar: float = 1.0, is_int: bool = True) -> A:
        # A fractional number would convert integers to floats.
        number = int(scalar) if is_int and float(scalar).is_integer() else float(scalar)
        return compute(number, data) if turned else compute(data, number)

    return call


def _joined(compute: Callable[..., Any]) -> Callable[..., Any]:
    def call(*data: A, num_args: int = 0) -> Any:
        return compute(data)

    return call


def _concatenate(*data: A, num_args: int = 0, axis: int | None = 0) -> Any:
    return np.concatenate(data, axis)


def _stack(*data: A, num_args: int = 0, axis: int = 0) -> Any:
    return np.stack(data, axis)


def _einsum(*data: A, num_args: int = 0, subscripts: str = "", optimize: int = 0) -> Any:
    return np.einsum(subscripts, *typed(Any, data), optimize=bool(optimize))


def _coded_reshape(a: A, newshape: Axes = (), reverse: bool = False, order: str = "C") -> Any:
    codes = (newshape,) if isinstance(newshape, int) else tuple(newshape or ())
    return np.reshape(a, lengths_meant(a.shape, codes, reverse))


def _where(condition: A, x: A, y: A) -> Any:
    return np.where(condition, x, y)


def _where_left(condition: A, x: A, scalar: float = 0.0) -> Any:
    return np.where(condition, scalar, x)


def _where_right(condition: A, x: A, scalar: float = 0.0) -> Any:
    return np.where(condition, x, scalar)


def _where_numbers(condition: A, x: float = 0.0, y: float = 0.0) -> Any:
    return np.where(condition, x, y)


def _tensordot(a: A, b: A, a_axes_summed: Axes = (), b_axes_summed: Axes = ()) -> Any:
    return np.tensordot(a, b, (a_axes_summed, b_axes_summed))


def _tensordot_last(a: A, b: A, axes: int = 2) -> Any:
    return np.tensordot(a, b, axes)


def _average(
    a: A, weights: A | None = None, axis: Axes = None, returned: bool = False, weighted: bool = True
) -> Any:
    return np.average(a, axis, weights, returned)


def _bincount(
    data: A, weights: A | None = None, minlength: int = 0, has_weights: bool = False
) -> Any:
    return np.bincount(data, weights, minlength)


def _percentile(
    a: A,
    q: A | None = None,
    axis: Axes = None,
    interpolation: str = "linear",
    keepdims: bool = False,
    q_scalar: float | None = None,
) -> Any:
    by: Any = q if q_scalar is None else q_scalar
    return np.percentile(a, by, axis, interpolation=interpolation, keepdims=keepdims)


def _diff(a: A, n: int = 1, axis: int = -1) -> Any:
    return np.diff(a, n, axis)


def _nan_to_num(
    data: A,
    copy: bool = True,
    nan: float = 0.0,
    posinf: float | None = None,
    neginf: float | None = None,
) -> Any:
    return np.nan_to_num(data, copy, nan, posinf, neginf)


def _pad(
    data: A,
    pad_width: Any = None,
    mode: str = "constant",
    constant_value: float = 0.0,
    reflect_type: str = "even",
) -> Any:
    more = {"constant_values": constant_value} if mode == "constant" else {}
    return np.pad(data, pad_width, mode, **more)


def _full_like(
    a: A, fill_value: float = 0.0, dtype: str | None = None, ctx: Any = None
) -> Any:  # fmt: skip
    found: Any = nd.full_like(a, fill_value)
    return found if dtype is None else found.astype(dtype)


def _norm(
    data: A, ord: float | None = 2, axis: Axes = None, keepdims: bool = False, flag: int = -1
) -> Any:
    kind: Any = {-2: None, 1: None, 2: "nuc"}.get(flag, ord)
    along = axis[0] if isinstance(axis, tuple) and len(axis) == 1 else axis
    return np.linalg.norm(data, kind, along, keepdims)


def _split_along(
    data: A,
    indices: tuple[int, ...] = (),
    axis: int = 1,
    squeeze_axis: bool = False,
    sections: int = 0,
) -> Any:
    return np.split(data, sections or tuple(indices)[1:], axis)


def _zeros(shape: Lengths = (), ctx: Any = None, dtype: str | None = "float32") -> Any:
    return np.zeros(shape, dtype)


def _ones(shape: Lengths = (), ctx: Any = None, dtype: str | None = "float32") -> Any:
    return np.ones(shape, dtype)


def _identity(shape: Lengths = (), ctx: Any = None, dtype: str | None = "float32") -> Any:
    return np.identity(shape if isinstance(shape, int) else shape[0], dtype)


def _eye(
    N: int = 0, M: int | None = None, k: int = 0, ctx: Any = None, dtype: str | None = "float32"
) -> Any:
    return np.eye(N, M, k, dtype)


def _arange(
    start: float = 0.0,
    stop: float | None = None,
    step: float = 1.0,
    ctx: Any = None,
    dtype: str | None = "float32",
) -> Any:
    return np.arange(start, stop, step, dtype)


def _indices(
    dimensions: tuple[int, ...] = (), ctx: Any = None, dtype: str | None = "int32"
) -> Any:  # fmt: skip
    return np.indices(dimensions, dtype or "int32")


def _logspace(
    start: float = 0.0,
    stop: float = 1.0,
    num: int = 50,
    endpoint: bool = True,
    base: float = 10.0,
    ctx: Any = None,
    dtype: str | None = "float32",
) -> Any:
    return np.logspace(start, stop, num, endpoint, base, dtype)


def _window(compute: Callable[..., Any]) -> Callable[..., Any]:
    def call(M: int = 0, ctx: Any = None, dtype: str | None = "float32") -> Any:
        return compute(M, dtype)

    return call


def _nonzero(x: A) -> Any:
    return np.argwhere(x)


#: Samplers: their parameters are numbers or, if None, the next arrays.
DRAWS = {
    "uniform": ("low", "high"),
    "normal": ("loc", "scale"),
    "gamma": ("shape", "scale"),
    "exponential": ("scale",),
    "gumbel": ("loc", "scale"),
    "logistic": ("loc", "scale"),
    "pareto": ("a",),
    "rayleigh": ("scale",),
    "weibull": ("a",),
}


def _drawn(name: str, parameters: tuple[str, ...]) -> Callable[..., Any]:
    compute = getattr(np.random, name)

    def call(
        *data: A,
        low: float | None = None,
        high: float | None = None,
        loc: float | None = None,
        scale: float | None = None,
        shape: float | None = None,
        a: float | None = None,
        size: Axes = None,
        dtype: str | None = None,
        ctx: Any = None,
    ) -> Any:
        numbers = {"low": low, "high": high, "loc": loc, "scale": scale, "shape": shape, "a": a}
        arrays = iter(data)
        given = [next(arrays) if numbers[key] is None else numbers[key] for key in parameters]
        found = compute(*given, size=size)
        return found if dtype is None else found.astype(dtype)

    return call


FUNCTIONS: dict[str, Callable[..., Any]] = {
    **{f"_npi_{name}": keeps_shape(_one(_found(name))) for name in UNARY},
    **{f"_npi_{name}": broadcasts(_two(_found(name))) for name in BINARY},
    **{f"_npi_{name}_scalar": keeps_shape(_of_number(_found(name))) for name in BINARY},
    **{f"_npi_r{name}_scalar": keeps_shape(_of_number(_found(name), True)) for name in TURNED},
    **{name: _found(other) for name, other in (REDUCED | ALIKE).items()},
    **{
        f"_npi_{name}": _joined(_found(name))
        for name in ("column_stack", "dstack", "hstack", "vstack")
    },
    **{f"_np_{name}": _one(_found(name)) for name in ("atleast_1d", "atleast_2d", "atleast_3d")},
    **{f"_npi_{name}": _window(_found(name)) for name in ("blackman", "hamming", "hanning")},
    **{f"_npi_{name}": _drawn(name, parameters) for name, parameters in DRAWS.items()},
    "_npi_arange": _arange,
    "_npi_average": _average,
    "_npi_bincount": _bincount,
    "_npi_concatenate": _concatenate,
    "_npi_diff": _diff,
    "_npi_dsplit": _split_along,
    "_npi_einsum": _einsum,
    "_npi_eye": _eye,
    "_npi_full_like": _full_like,
    "_npi_hsplit": _split_along,
    "_npi_identity": _identity,
    "_npi_indices": _indices,
    "_npi_logspace": _logspace,
    "_npi_nan_to_num": _nan_to_num,
    "_npi_norm": _norm,
    "_npi_ones": _ones,
    "_npi_pad": _pad,
    "_npi_percentile": _percentile,
    "_npi_stack": _stack,
    "_npi_tensordot": _tensordot,
    "_npi_tensordot_int_axes": _tensordot_last,
    "_npi_where": _where,
    "_npi_where_lscalar": _where_left,
    "_npi_where_rscalar": _where_right,
    "_npi_where_scalar2": _where_numbers,
    "_npi_zeros": _zeros,
    "_npx_nonzero": _nonzero,
    "_npx_relu": keeps_shape(_one(nd.relu)),
    "_npx_reshape": _coded_reshape,
    "_npx_sigmoid": keeps_shape(_one(nd.sigmoid)),
}


def _pairs(text: str) -> Any:
    """Return the numbers of values before and after, per axis."""
    numbers = [int(one) for one in findall(r"-?\d+", text)]
    return list(zip(numbers[::2], numbers[1::2])) if len(numbers) > 1 else numbers[0]


VALUES.update({"_npi_pad": {"pad_width": _pairs}})
VALUES.update({f"_np_{name}": {"initial": float} for name in ("max", "min", "prod", "sum")})
OUTPUTS.update(
    {
        "_npi_average": lambda v: numbered(2 if v["returned"] else 1),
        "_npi_dsplit": OUTPUTS["_split_v2"],
        "_npi_eig": lambda v: numbered(2),
        "_npi_eigh": lambda v: numbered(2),
        "_npi_hsplit": OUTPUTS["_split_v2"],
        "_npi_svd": lambda v: numbered(3),
    }
)
WIDTHS.update({"_npi_average": 2, "_npi_norm": 4, "_npi_std": 2, "_npi_var": 2})
WIDTHS.update((f"_npi_{name}", 2) for name in DRAWS if name not in ("gamma", "uniform"))
OPERATORS.update((name, Operator(name, how)) for name, how in FUNCTIONS.items())
