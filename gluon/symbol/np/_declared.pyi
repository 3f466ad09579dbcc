# Made by .ci/make_stubs.py
# mypy: disable-error-code="override"

from collections.abc import Sequence
from gluon.symbol.np_symbol import NpSymbol
from gluon.symbol.symbol import Symbol
from numpy.typing import DTypeLike
from typing import Any

def abs(x: Symbol, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """As ``gluon.np.abs``, of symbols."""
def absolute(x: Symbol, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """As ``gluon.np.absolute``, of symbols."""
def add(x1: Symbol | float, x2: Symbol | float, out: None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """As ``gluon.np.add``, of symbols, or of a symbol and a number."""
def all(a: Symbol, axis: int | Sequence[int] | None = None, keepdims: bool = False, *, where: Any = None, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """Whether all values over axes are nonzero."""
def amax(a: Symbol, axis: int | Sequence[int] | None = None, keepdims: bool = False, initial: Any = None, where: Any = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """The maximum over axes; every largest element gets the whole gradient."""
def amin(a: Symbol, axis: int | Sequence[int] | None = None, keepdims: bool = False, initial: Any = None, where: Any = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """The minimum over axes; every smallest element gets the whole gradient."""
def any(a: Symbol, axis: int | Sequence[int] | None = None, keepdims: bool = False, *, where: Any = None, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """Whether any value over axes is nonzero."""
def arccos(x: Symbol, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """As ``gluon.np.arccos``, of symbols."""
def arccosh(x: Symbol, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """As ``gluon.np.arccosh``, of symbols."""
def arcsin(x: Symbol, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """As ``gluon.np.arcsin``, of symbols."""
def arcsinh(x: Symbol, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """As ``gluon.np.arcsinh``, of symbols."""
def arctan(x: Symbol, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """As ``gluon.np.arctan``, of symbols."""
def arctan2(x1: Symbol | float, x2: Symbol | float, out: None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """As ``gluon.np.arctan2``, of symbols, or of a symbol and a number."""
def arctanh(x: Symbol, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """As ``gluon.np.arctanh``, of symbols."""
def argmax(a: Symbol, axis: int | None = None, *, keepdims: bool = False, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """The index of the largest value; the first of several."""
def argmin(a: Symbol, axis: int | None = None, *, keepdims: bool = False, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """The index of the smallest value; the first of several."""
def around(x: Symbol, decimals: int = 0, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """Round to a number of decimals, ties to even; the gradient is 0."""
def bitwise_and(x1: Symbol | float, x2: Symbol | float, out: None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """As ``gluon.np.bitwise_and``, of symbols, or of a symbol and a number."""
def bitwise_not(x: Symbol, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """As ``gluon.np.bitwise_not``, of symbols."""
def bitwise_or(x1: Symbol | float, x2: Symbol | float, out: None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """As ``gluon.np.bitwise_or``, of symbols, or of a symbol and a number."""
def bitwise_xor(x1: Symbol | float, x2: Symbol | float, out: None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """As ``gluon.np.bitwise_xor``, of symbols, or of a symbol and a number."""
def blackman(M: int = 0, ctx: Any = None, dtype: str | None = 'float32', *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """As ``gluon.np.blackman``, of symbols."""
def broadcast_to(array: Symbol, shape: int | Sequence[int], *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """Broadcast an array to a shape."""
def cbrt(x: Symbol, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """As ``gluon.np.cbrt``, of symbols."""
def ceil(x: Symbol, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """As ``gluon.np.ceil``, of symbols."""
def clip(data: Symbol, a_min: float, a_max: float, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """Limit the values to ``[a_min, a_max]``; the gradient is 0 outside."""
def copy(a: Symbol, order: str = 'K', *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """Return a copy; recorded."""
def copysign(x1: Symbol | float, x2: Symbol | float, out: None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """As ``gluon.np.copysign``, of symbols, or of a symbol and a number."""
def cos(x: Symbol, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """As ``gluon.np.cos``, of symbols."""
def cosh(x: Symbol, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """As ``gluon.np.cosh``, of symbols."""
def cumsum(a: Symbol, axis: int | None = None, dtype: Any = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """Cumulative sum along `axis`; of the flattened array by default."""
def deg2rad(x: Symbol, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """As ``gluon.np.deg2rad``, of symbols."""
def degrees(x: Symbol, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """As ``gluon.np.degrees``, of symbols."""
def diag(v: Symbol, k: int = 0, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """Extract a diagonal, or create a matrix with a vector on it."""
def diagflat(v: Symbol, k: int = 0, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """Create a matrix with the flattened array on its diagonal."""
def diagonal(a: Symbol, offset: int = 0, axis1: int = 0, axis2: int = 1, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """Extract a diagonal of two axes."""
def diff(a: Symbol, n: int = 1, axis: int = -1, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """As ``gluon.np.diff``, of symbols."""
def divide(x1: Symbol | float, x2: Symbol | float, out: None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """As ``gluon.np.true_divide``, of symbols, or of a symbol and a number."""
def dot(a: Symbol, b: Symbol, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """The sum of products over the last axis of `a` and the last but one of `b`."""
def equal(x1: Symbol | float, x2: Symbol | float, out: None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """As ``gluon.np.equal``, of symbols, or of a symbol and a number."""
def exp(x: Symbol, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """As ``gluon.np.exp``, of symbols."""
def expand_dims(data: Symbol, axis: int, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """Insert a new axis of length 1."""
def expm1(x: Symbol, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """As ``gluon.np.expm1``, of symbols."""
def fabs(x: Symbol, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """As ``gluon.np.abs``, of symbols."""
def fix(x: Symbol, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """As ``gluon.np.fix``, of symbols."""
def flip(m: Symbol, axis: int | Sequence[int] | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """Reverse the order along axes."""
def floor(x: Symbol, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """As ``gluon.np.floor``, of symbols."""
def greater(x1: Symbol | float, x2: Symbol | float, out: None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """As ``gluon.np.greater``, of symbols, or of a symbol and a number."""
def greater_equal(x1: Symbol | float, x2: Symbol | float, out: None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """As ``gluon.np.greater_equal``, of symbols, or of a symbol and a number."""
def hamming(M: int = 0, ctx: Any = None, dtype: str | None = 'float32', *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """As ``gluon.np.hamming``, of symbols."""
def hanning(M: int = 0, ctx: Any = None, dtype: str | None = 'float32', *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """As ``gluon.np.hanning``, of symbols."""
def hypot(x1: Symbol | float, x2: Symbol | float, out: None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """As ``gluon.np.hypot``, of symbols, or of a symbol and a number."""
def invert(x: Symbol, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """As ``gluon.np.bitwise_not``, of symbols."""
def isfinite(x: Symbol, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """As ``gluon.np.isfinite``, of symbols."""
def isinf(x: Symbol, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """As ``gluon.np.isinf``, of symbols."""
def isnan(x: Symbol, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """As ``gluon.np.isnan``, of symbols."""
def isneginf(x: Symbol, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """As ``gluon.np.isneginf``, of symbols."""
def isposinf(x: Symbol, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """As ``gluon.np.isposinf``, of symbols."""
def lcm(x1: Symbol | float, x2: Symbol | float, out: None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """As ``gluon.np.lcm``, of symbols, or of a symbol and a number."""
def ldexp(x1: Symbol | float, x2: Symbol | float, out: None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """As ``gluon.np.ldexp``, of symbols, or of a symbol and a number."""
def less(x1: Symbol | float, x2: Symbol | float, out: None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """As ``gluon.np.less``, of symbols, or of a symbol and a number."""
def less_equal(x1: Symbol | float, x2: Symbol | float, out: None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """As ``gluon.np.less_equal``, of symbols, or of a symbol and a number."""
def log(x: Symbol, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """As ``gluon.np.log``, of symbols."""
def log10(x: Symbol, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """As ``gluon.np.log10``, of symbols."""
def log1p(x: Symbol, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """As ``gluon.np.log1p``, of symbols."""
def log2(x: Symbol, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """As ``gluon.np.log2``, of symbols."""
def logical_not(x: Symbol, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """As ``gluon.np.logical_not``, of symbols."""
def matmul(a: Symbol, b: Symbol, *, dtype: DTypeLike | None = None, casting: str = 'same_kind', name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """The matrix product, ``a @ b``; stacks of matrices broadcast."""
def max(a: Symbol, axis: int | Sequence[int] | None = None, keepdims: bool = False, initial: Any = None, where: Any = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """The maximum over axes; every largest element gets the whole gradient."""
def maximum(x1: Symbol | float, x2: Symbol | float, out: None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """As ``gluon.np.maximum``, of symbols, or of a symbol and a number."""
def mean(a: Symbol, axis: int | Sequence[int] | None = None, dtype: DTypeLike | None = None, keepdims: bool = False, *, where: Any = None, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """The mean over axes, in the default floating dtype for integers."""
def min(a: Symbol, axis: int | Sequence[int] | None = None, keepdims: bool = False, initial: Any = None, where: Any = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """The minimum over axes; every smallest element gets the whole gradient."""
def minimum(x1: Symbol | float, x2: Symbol | float, out: None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """As ``gluon.np.minimum``, of symbols, or of a symbol and a number."""
def mod(x1: Symbol | float, x2: Symbol | float, out: None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """As ``gluon.np.mod``, of symbols, or of a symbol and a number."""
def moveaxis(tensor: Symbol, source: int | Sequence[int], destination: int | Sequence[int], *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """Move axes to new positions; the other axes keep their order."""
def multiply(x1: Symbol | float, x2: Symbol | float, out: None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """As ``gluon.np.multiply``, of symbols, or of a symbol and a number."""
def nan_to_num(data: Symbol, copy: bool = True, nan: float = 0.0, posinf: float | None = None, neginf: float | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """As ``gluon.np.nan_to_num``, of symbols."""
def negative(x: Symbol, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """As ``gluon.np.negative``, of symbols."""
def not_equal(x1: Symbol | float, x2: Symbol | float, out: None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """As ``gluon.np.not_equal``, of symbols, or of a symbol and a number."""
def polyval(p: Symbol, x: Symbol, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """Evaluate a polynomial, by Horner's rule."""
def power(x1: Symbol | float, x2: Symbol | float, out: None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """As ``gluon.np.power``, of symbols, or of a symbol and a number."""
def prod(a: Symbol, axis: int | Sequence[int] | None = None, dtype: DTypeLike | None = None, keepdims: bool = False, initial: Any = None, where: Any = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """The product over axes; integers are multiplied in 64 bits."""
def product(a: Symbol, axis: int | Sequence[int] | None = None, dtype: DTypeLike | None = None, keepdims: bool = False, initial: Any = None, where: Any = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """The product over axes; integers are multiplied in 64 bits."""
def rad2deg(x: Symbol, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """As ``gluon.np.rad2deg``, of symbols."""
def radians(x: Symbol, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """As ``gluon.np.radians``, of symbols."""
def reciprocal(x: Symbol, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """As ``gluon.np.reciprocal``, of symbols."""
def remainder(x1: Symbol | float, x2: Symbol | float, out: None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """As ``gluon.np.mod``, of symbols, or of a symbol and a number."""
def repeat(data: Symbol, repeats: int, axis: int | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """Repeat each element."""
def reshape(a: Symbol, newshape: int | Sequence[int] | None = None, order: str = 'C', *, shape: int | Sequence[int] | None = None, copy: bool | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """Change the shape of an array, on the same memory."""
def rint(x: Symbol, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """As ``gluon.np.rint``, of symbols."""
def roll(a: Symbol, shift: int | Sequence[int], axis: int | Sequence[int] | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """Roll values along axes, wrapping around at the ends."""
def rot90(m: Symbol, k: int = 1, axes: tuple[int, int] = (0, 1), *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """Rotate by 90 degrees in the plane of two axes."""
def round(x: Symbol, decimals: int = 0, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """Round to a number of decimals, ties to even; the gradient is 0."""
def round_(x: Symbol, decimals: int = 0, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """Round to a number of decimals, ties to even; the gradient is 0."""
def sign(x: Symbol, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """As ``gluon.np.sign``, of symbols."""
def sin(x: Symbol, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """As ``gluon.np.sin``, of symbols."""
def sinh(x: Symbol, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """As ``gluon.np.sinh``, of symbols."""
def sometrue(a: Symbol, axis: int | Sequence[int] | None = None, keepdims: bool = False, *, where: Any = None, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """Whether any value over axes is nonzero."""
def sort(data: Symbol, axis: int | None = -1, is_ascend: bool = True, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """Sort along `axis`."""
def sqrt(x: Symbol, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """As ``gluon.np.sqrt``, of symbols."""
def square(x: Symbol, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """As ``gluon.np.square``, of symbols."""
def squeeze(a: Symbol, axis: int | Sequence[int] | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """Remove axes of length 1, on the same memory."""
def std(a: Symbol, axis: int | Sequence[int] | None = None, dtype: DTypeLike | None = None, ddof: float = 0, keepdims: bool = False, *, where: Any = None, mean: Any = None, correction: float | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """The standard deviation over axes: the square root of the variance."""
def subtract(x1: Symbol | float, x2: Symbol | float, out: None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """As ``gluon.np.subtract``, of symbols, or of a symbol and a number."""
def sum(a: Symbol, axis: int | Sequence[int] | None = None, dtype: DTypeLike | None = None, keepdims: bool = False, initial: Any = None, where: Any = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """The sum over axes; integers are added in 64 bits."""
def tan(x: Symbol, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """As ``gluon.np.tan``, of symbols."""
def tanh(x: Symbol, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """As ``gluon.np.tanh``, of symbols."""
def tile(data: Symbol, reps: int | Sequence[int], *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """Repeat the whole array along each axis."""
def trace(a: Symbol, offset: int = 0, axis1: int = 0, axis2: int = 1, dtype: DTypeLike | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """The sum along a diagonal of two axes."""
def transpose(a: Symbol, axes: Sequence[int] | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """Permute the axes."""
def tril(m: Symbol, k: int = 0, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """The values on and below a diagonal of the last two axes, zeros elsewhere."""
def true_divide(x1: Symbol | float, x2: Symbol | float, out: None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """As ``gluon.np.true_divide``, of symbols, or of a symbol and a number."""
def trunc(x: Symbol, *, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """As ``gluon.np.trunc``, of symbols."""
def var(a: Symbol, axis: int | Sequence[int] | None = None, dtype: DTypeLike | None = None, ddof: float = 0, keepdims: bool = False, *, where: Any = None, mean: Any = None, correction: float | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> NpSymbol:
    """The variance over axes: the mean of the squared distances from the mean."""
def column_stack(arrays: Sequence[Symbol], **kwargs: Any) -> NpSymbol:
    """As ``gluon.np.column_stack``, of a sequence of symbols."""
def dstack(arrays: Sequence[Symbol], **kwargs: Any) -> NpSymbol:
    """As ``gluon.np.dstack``, of a sequence of symbols."""
def hstack(arrays: Sequence[Symbol], **kwargs: Any) -> NpSymbol:
    """As ``gluon.np.hstack``, of a sequence of symbols."""
def vstack(arrays: Sequence[Symbol], **kwargs: Any) -> NpSymbol:
    """As ``gluon.np.vstack``, of a sequence of symbols."""
def row_stack(arrays: Sequence[Symbol], **kwargs: Any) -> NpSymbol:
    """As ``gluon.np.vstack``, of a sequence of symbols."""
def atleast_1d(*arys: Symbol) -> Any:
    """As ``gluon.np.atleast_1d``, of symbols."""
def atleast_2d(*arys: Symbol) -> Any:
    """As ``gluon.np.atleast_2d``, of symbols."""
def atleast_3d(*arys: Symbol) -> Any:
    """As ``gluon.np.atleast_3d``, of symbols."""
def array_split(ary: Symbol, indices_or_sections: Any, axis: int=0) -> list[NpSymbol]:
    """As ``gluon.np.split``, of a symbol."""
