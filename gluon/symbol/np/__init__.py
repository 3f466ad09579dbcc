"""`gluon.symbol.np`: NumPy's functions on symbols, for blocks under ``use_np``.

The functions are those of `gluon.np` with the same names; they compute the same.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..._core.errors import DTypeError
from ..calls import Outputs
from ..methods import parts
from ..np_methods import NP_SYMBOL, function, on, pair
from ..np_symbol import NpSymbol
from ..symbol import Symbol
from . import linalg as linalg
from . import random as random

Function = Callable[..., NpSymbol]
#: What MXNet writes if no context is given.
CPU = "cpu(0)"

abs: Function = function("_npi_absolute", "abs")
absolute: Function = function("_npi_absolute")
add: Function = pair("add")
all: Function = function("_np_all")
amax: Function = function("_np_max", "amax")
amin: Function = function("_np_min", "amin")
any: Function = function("_np_any")
arccos: Function = function("_npi_arccos")
arccosh: Function = function("_npi_arccosh")
arcsin: Function = function("_npi_arcsin")
arcsinh: Function = function("_npi_arcsinh")
arctan: Function = function("_npi_arctan")
arctan2: Function = pair("arctan2")
arctanh: Function = function("_npi_arctanh")
argmax: Function = function("_npi_argmax", axis=None, keepdims=False)
argmin: Function = function("_npi_argmin", axis=None, keepdims=False)
around: Function = function("_npi_around", decimals=0)
bitwise_and: Function = pair("bitwise_and")
bitwise_not: Function = function("_npi_bitwise_not")
bitwise_or: Function = pair("bitwise_or")
bitwise_xor: Function = pair("bitwise_xor")
blackman: Function = function("_npi_blackman", ctx="cpu(0)", dtype="float32")
broadcast_to: Function = function("_npi_broadcast_to")
cbrt: Function = function("_npi_cbrt")
ceil: Function = function("_npi_ceil")
clip: Function = function("clip")
copy: Function = function("_np_copy")
copysign: Function = pair("copysign")
cos: Function = function("_npi_cos")
cosh: Function = function("_npi_cosh")
cumsum: Function = function("_np_cumsum")
deg2rad: Function = function("_npi_deg2rad")
degrees: Function = function("_npi_degrees")
diag: Function = function("_np_diag")
diagflat: Function = function("_np_diagflat")
diagonal: Function = function("_np_diagonal")
diff: Function = function("_npi_diff", n=1, axis=-1)
divide: Function = pair("true_divide")
dot: Function = function("_np_dot")
equal: Function = pair("equal")
exp: Function = function("_npi_exp")
expand_dims: Function = function("expand_dims")
expm1: Function = function("_npi_expm1")
fabs: Function = function("_npi_absolute", "abs")
fix: Function = function("_npi_fix")
flip: Function = function("_npi_flip", axis=None)
floor: Function = function("_npi_floor")
greater: Function = pair("greater")
greater_equal: Function = pair("greater_equal")
hamming: Function = function("_npi_hamming", ctx="cpu(0)", dtype="float32")
hanning: Function = function("_npi_hanning", ctx="cpu(0)", dtype="float32")
hypot: Function = pair("hypot", number="_hypot_scalar")
invert: Function = function("_npi_bitwise_not")
isfinite: Function = function("_npi_isfinite")
isinf: Function = function("_npi_isinf")
isnan: Function = function("_npi_isnan")
isneginf: Function = function("_npi_isneginf")
isposinf: Function = function("_npi_isposinf")
lcm: Function = pair("lcm")
ldexp: Function = pair("ldexp")
less: Function = pair("less")
less_equal: Function = pair("less_equal")
log: Function = function("_npi_log")
log10: Function = function("_npi_log10")
log1p: Function = function("_npi_log1p")
log2: Function = function("_npi_log2")
logical_not: Function = function("_npi_logical_not")
matmul: Function = function("_npi_matmul")
max: Function = function("_np_max")
maximum: Function = pair("maximum", "broadcast_maximum", "_maximum_scalar")
mean: Function = function("_npi_mean", axis=None, keepdims=False)
min: Function = function("_np_min")
minimum: Function = pair("minimum", "broadcast_minimum", "_minimum_scalar")
mod: Function = pair("mod")
moveaxis: Function = function("_np_moveaxis")
multiply: Function = pair("multiply")
nan_to_num: Function = function("_npi_nan_to_num", copy=True, nan=0.0, posinf=None, neginf=None)
negative: Function = function("_npi_negative")
not_equal: Function = pair("not_equal")
polyval: Function = function("_npi_polyval")
power: Function = pair("power")
prod: Function = function("_np_prod")
product: Function = function("_np_prod", "product")
rad2deg: Function = function("_npi_rad2deg")
radians: Function = function("_npi_radians")
reciprocal: Function = function("_npi_reciprocal")
remainder: Function = pair("mod")
repeat: Function = function("repeat")
reshape: Function = function("_np_reshape")
rint: Function = function("_npi_rint")
roll: Function = function("_np_roll")
rot90: Function = function("_npi_rot90", k=1, axes=(0, 1))
round: Function = function("_npi_around", decimals=0)
round_: Function = function("_npi_around", decimals=0)
sign: Function = function("_npi_sign")
sin: Function = function("_npi_sin")
sinh: Function = function("_npi_sinh")
sometrue: Function = function("_np_any", "sometrue")
sort: Function = function("sort", axis=-1, is_ascend=True)
sqrt: Function = function("_npi_sqrt")
square: Function = function("_npi_square")
squeeze: Function = function("_np_squeeze")
std: Function = function("_npi_std", axis=None, ddof=0, keepdims=False)
subtract: Function = pair("subtract")
sum: Function = function("_np_sum")
tan: Function = function("_npi_tan")
tanh: Function = function("_npi_tanh")
tile: Function = function("tile")
trace: Function = function("_np_trace")
transpose: Function = function("_np_transpose")
tril: Function = function("_npi_tril", k=0)
true_divide: Function = pair("true_divide")
trunc: Function = function("_npi_trunc")
var: Function = function("_npi_var", axis=None, ddof=0, keepdims=False)


def swapaxes(a: Symbol, axis1: int, axis2: int) -> NpSymbol:
    """As ``gluon.np.swapaxes``, of a symbol."""
    return on("SwapAxis", "swapaxes", a, dim1=axis1, dim2=axis2)


def argsort(a: Symbol, axis: int | None = -1, kind: Any = None, order: Any = None) -> NpSymbol:
    """As ``gluon.np.argsort``, of a symbol."""
    return on("argsort", "argsort", a, axis=axis, is_ascend=True, dtype="int64")


def take(a: Symbol, indices: Symbol, axis: int | None = None, mode: str = "raise") -> NpSymbol:
    """As ``gluon.np.take``, of symbols."""
    return NpSymbol(a._heads).take(indices, axis, mode)


def ravel(x: Symbol, order: str = "C") -> NpSymbol:
    """As ``gluon.np.ravel``, of a symbol."""
    return on("_npx_reshape", "reshape", x, newshape=-1)


def where(condition: Symbol, x: Symbol | float, y: Symbol | float) -> NpSymbol:
    """As ``gluon.np.where``, of symbols and numbers."""
    left, right = isinstance(x, Outputs), isinstance(y, Outputs)
    if left and right:
        return on("_npi_where", "where", condition, x, y)
    if left:
        return on("_npi_where_rscalar", "where_rscalar", condition, x, scalar=float(y))  # type: ignore[arg-type]
    if right:
        return on("_npi_where_lscalar", "where_lscalar", condition, y, scalar=float(x))  # type: ignore[arg-type]
    return on("_npi_where_scalar2", "where_scalar2", condition, x=float(x), y=float(y))  # type: ignore[arg-type]


def _listed(name: str) -> Function:
    """Create a function of a sequence of symbols."""

    def call(arrays: Sequence[Symbol], **kwargs: Any) -> NpSymbol:
        return on(f"_npi_{name}", name, *arrays, **kwargs)

    return NP_SYMBOL.named(call, name, f"As ``gluon.np.{name}``, of a sequence of symbols.")


column_stack: Function = _listed("column_stack")
dstack: Function = _listed("dstack")
hstack: Function = _listed("hstack")
vstack: Function = _listed("vstack")
row_stack: Function = vstack


def concatenate(seq: Sequence[Symbol], axis: int | None = 0, out: Any = None) -> NpSymbol:
    """As ``gluon.np.concatenate``, of a sequence of symbols."""
    return on("_npi_concatenate", "concatenate", *seq, axis=axis)


def append(arr: Symbol, values: Symbol, axis: int | None = None) -> NpSymbol:
    """As ``gluon.np.append``, of symbols."""
    return concatenate([arr, values], axis)


def stack(arrays: Sequence[Symbol], axis: int = 0, out: Any = None) -> NpSymbol:
    """As ``gluon.np.stack``, of a sequence of symbols."""
    return on("_npi_stack", "stack", *arrays, axis=axis)


def _at_least(name: str) -> Callable[..., Any]:
    def call(*arys: Symbol) -> Any:
        found = [on(f"_np_{name}", name, one, num_args=1) for one in arys]
        return found[0] if len(found) == 1 else found

    return NP_SYMBOL.named(call, name, f"As ``gluon.np.{name}``, of symbols.")


atleast_1d: Callable[..., Any] = _at_least("atleast_1d")
atleast_2d: Callable[..., Any] = _at_least("atleast_2d")
atleast_3d: Callable[..., Any] = _at_least("atleast_3d")


def split(ary: Symbol, indices_or_sections: Any, axis: int = 0) -> list[NpSymbol]:
    """As ``gluon.np.split``, of a symbol."""
    spec = parts(indices_or_sections)
    return list(on("_split_v2", "split", ary, axis=axis, squeeze_axis=False, **spec))


array_split: Callable[..., list[NpSymbol]] = split


def vsplit(ary: Symbol, indices_or_sections: Any) -> list[NpSymbol]:
    """As ``gluon.np.vsplit``, of a symbol."""
    return split(ary, indices_or_sections)


def hsplit(ary: Symbol, indices_or_sections: Any) -> list[NpSymbol]:
    """As ``gluon.np.hsplit``, of a symbol of two or more axes."""
    spec = parts(indices_or_sections)
    return list(on("_npi_hsplit", "hsplit", ary, axis=1, squeeze_axis=False, **spec))


def dsplit(ary: Symbol, indices_or_sections: Any) -> list[NpSymbol]:
    """As ``gluon.np.dsplit``, of a symbol."""
    spec = parts(indices_or_sections)
    return list(on("_npi_dsplit", "dsplit", ary, axis=2, squeeze_axis=False, **spec))


def fliplr(m: Symbol) -> NpSymbol:
    """As ``gluon.np.fliplr``, of a symbol."""
    return flip(m, axis=1)


def flipud(m: Symbol) -> NpSymbol:
    """As ``gluon.np.flipud``, of a symbol."""
    return flip(m, axis=0)


def einsum(subscripts: str, *operands: Symbol, optimize: Any = False) -> NpSymbol:
    """As ``gluon.np.einsum``, of symbols."""
    spec = {"subscripts": subscripts, "optimize": int(bool(optimize))}
    return on("_npi_einsum", "einsum", *operands, **spec)


def tensordot(a: Symbol, b: Symbol, axes: Any = 2) -> NpSymbol:
    """As ``gluon.np.tensordot``, of symbols."""
    if isinstance(axes, int):
        return on("_npi_tensordot_int_axes", "tensordot_int_axes", a, b, axes=axes)
    left, right = (one if isinstance(one, Sequence) else (one,) for one in axes)
    return on("_npi_tensordot", "tensordot", a, b, a_axes_summed=left, b_axes_summed=right)


def inner(a: Symbol, b: Symbol) -> NpSymbol:
    """As ``gluon.np.inner``, of symbols."""
    return tensordot(a, b, ((-1,), (-1,)))


def outer(a: Symbol, b: Symbol) -> NpSymbol:
    """As ``gluon.np.outer``, of symbols."""
    return tensordot(NpSymbol(a._heads).flatten(), NpSymbol(b._heads).flatten(), 0)


def vdot(a: Symbol, b: Symbol) -> NpSymbol:
    """As ``gluon.np.vdot``, of symbols."""
    return tensordot(NpSymbol(a._heads).flatten(), NpSymbol(b._heads).flatten(), 1)


def average(
    a: Symbol, axis: Any = None, weights: Any = None, returned: bool = False, out: Any = None
) -> Any:
    """As ``gluon.np.average``, of symbols."""
    spec = {"axis": axis, "returned": returned, "weighted": weights is not None}
    given = [a] if weights is None else [a, weights]
    found = on("_npi_average", "average", *given, **spec)
    return list(found) if returned else found


def bincount(x: Any, weights: Any = None, minlength: int = 0) -> NpSymbol:
    """As ``gluon.np.bincount``, of symbols."""
    given = [x] if weights is None else [x, weights]
    spec = {"minlength": minlength, "has_weights": weights is not None}
    return on("_npi_bincount", "bincount", *given, **spec)


def percentile(
    a: Symbol,
    q: Any,
    axis: Any = None,
    out: Any = None,
    overwrite_input: Any = None,
    interpolation: str = "linear",
    keepdims: bool = False,
) -> NpSymbol:
    """As ``gluon.np.percentile``, of a symbol; `q` is a number or a symbol."""
    spec = {"axis": axis, "interpolation": interpolation, "keepdims": keepdims}
    if isinstance(q, Outputs):
        return on("_npi_percentile", "percentile", a, q, q_scalar=None, **spec)
    return on("_npi_percentile", "percentile", a, q_scalar=q, **spec)


def quantile(a: Symbol, q: Any, *args: Any, **kwargs: Any) -> NpSymbol:
    """As ``gluon.np.quantile``, of a symbol; see `percentile`."""
    return percentile(a, q * 100, *args, **kwargs)


def histogram(a: Symbol, bins: Any = 10, range: Any = None, **kwargs: Any) -> list[NpSymbol]:
    """As ``gluon.np.histogram``, of a symbol; a number of bins needs their range."""
    if isinstance(bins, Outputs):
        return list(on("_histogram", "histogram", a, bins))
    if range is None:
        raise DTypeError("histogram: with a number of bins, give their range")
    return list(on("_histogram", "histogram", a, bin_cnt=bins, range=range))


def unravel_index(indices: Symbol, shape: Any, order: str = "C") -> NpSymbol:
    """As ``gluon.np.unravel_index``, of a symbol: the indices along all axes, as one array."""
    return on("_unravel_index", "unravel_index", indices, shape=shape)


def pad(x: Symbol, pad_width: Any, mode: str = "constant", **kwargs: Any) -> NpSymbol:
    """As ``gluon.np.pad``, of a symbol, with one number of ``constant_values``."""
    value = kwargs.pop("constant_values", 0)
    return on("_npi_pad", "pad", x, pad_width=pad_width, mode=mode, constant_value=value, **kwargs)


# --------------------------------------------------------------------------- made


def _named(dtype: Any) -> Any:
    return "float32" if dtype is None else dtype


def zeros(
    shape: int | Sequence[int], dtype: Any = None, order: str = "C", ctx: Any = None
) -> NpSymbol:
    """As ``gluon.np.zeros``: a symbol of zeros."""
    return on("_npi_zeros", "zeros", shape=shape, ctx=ctx or CPU, dtype=_named(dtype))


def ones(
    shape: int | Sequence[int], dtype: Any = None, order: str = "C", ctx: Any = None
) -> NpSymbol:
    """As ``gluon.np.ones``: a symbol of ones."""
    return on("_npi_ones", "ones", shape=shape, ctx=ctx or CPU, dtype=_named(dtype))


def full(
    shape: int | Sequence[int],
    fill_value: Any,
    dtype: Any = None,
    order: str = "C",
    ctx: Any = None,
) -> NpSymbol:
    """As ``gluon.np.full``, of one number."""
    spec = {"shape": shape, "value": fill_value, "dtype": _named(dtype)}
    return on("_full", "full", ctx=ctx or CPU, **spec)


def full_like(
    a: Symbol, fill_value: Any, dtype: Any = None, order: str = "C", ctx: Any = None
) -> NpSymbol:
    """As ``gluon.np.full_like``, of a symbol and a number."""
    more = {} if dtype is None else {"dtype": dtype}
    return on("_npi_full_like", "full_like", a, fill_value=fill_value, ctx=ctx or CPU, **more)


def zeros_like(a: Symbol, dtype: Any = None, order: str = "C", ctx: Any = None) -> NpSymbol:
    """As ``gluon.np.zeros_like``, of a symbol."""
    return full_like(a, 0, dtype, order, ctx)


def ones_like(a: Symbol, dtype: Any = None, order: str = "C", ctx: Any = None) -> NpSymbol:
    """As ``gluon.np.ones_like``, of a symbol."""
    return full_like(a, 1, dtype, order, ctx)


def identity(n: int, dtype: Any = None, ctx: Any = None) -> NpSymbol:
    """As ``gluon.np.identity``."""
    return on("_npi_identity", "identity", shape=(n, n), ctx=ctx or CPU, dtype=_named(dtype))


def eye(N: int, M: int | None = None, k: int = 0, dtype: Any = None, ctx: Any = None) -> NpSymbol:
    """As ``gluon.np.eye``."""
    return on("_npi_eye", "eye", N=N, M=M, k=k, ctx=ctx or CPU, dtype=_named(dtype))


def arange(
    start: float, stop: float | None = None, step: float = 1, dtype: Any = None, ctx: Any = None
) -> NpSymbol:
    """As ``gluon.np.arange``."""
    first, last = (0, start) if stop is None else (start, stop)
    spec = {"start": first, "stop": last, "step": step, "dtype": _named(dtype)}
    return on("_npi_arange", "arange", ctx=ctx or CPU, **spec)


def linspace(
    start: float,
    stop: float,
    num: int = 50,
    endpoint: bool = True,
    dtype: Any = None,
    ctx: Any = None,
) -> NpSymbol:
    """As ``gluon.np.linspace``, along one axis."""
    spec = {"start": start, "stop": stop, "num": num, "endpoint": endpoint}
    more = {} if dtype is None else {"dtype": dtype}
    return on("_linspace", "linspace", ctx=ctx or CPU, **spec, **more)


def logspace(
    start: float,
    stop: float,
    num: int = 50,
    endpoint: bool = True,
    base: float = 10.0,
    dtype: Any = None,
    ctx: Any = None,
) -> NpSymbol:
    """As ``gluon.np.logspace``, along one axis."""
    spec = {"start": start, "stop": stop, "num": num, "endpoint": endpoint, "base": base}
    more = {} if dtype is None else {"dtype": dtype}
    return on("_npi_logspace", "logspace", ctx=ctx or CPU, **spec, **more)


def indices(dimensions: Any, dtype: Any = "int32", ctx: Any = None) -> NpSymbol:
    """As ``gluon.np.indices``."""
    return on("_npi_indices", "indices", dimensions=dimensions, dtype=dtype, ctx=ctx or CPU)
