# Made by .ci/make_stubs.py
# mypy: disable-error-code="override"

from collections.abc import Sequence
from gluon._core.arrays import Context
from gluon.np._array import ndarray
from numpy.typing import ArrayLike, DTypeLike
from typing import Any, Literal, overload

def cumproduct(a: ArrayLike, axis: int | None=None, dtype: DTypeLike | None=None, out: ndarray | None=None) -> ndarray:
    """The cumulative product along an axis; integers are multiplied in 64 bits."""
def trapz(y: ArrayLike, x: ArrayLike | None=None, dx: Any=1.0, axis: int=-1) -> ndarray:
    """The integral along an axis, by the trapezoidal rule."""
@overload
def conj(x: float, out: None=None, where: Literal[True]=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> Any:
    """The complex conjugate: a copy of real numbers."""
@overload
def conj(x: ArrayLike, out: ndarray | None=None, where: ArrayLike=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> ndarray:
    """The complex conjugate: a copy of real numbers."""
@overload
def conjugate(x: float, out: None=None, where: Literal[True]=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> Any:
    """The complex conjugate: a copy of real numbers."""
@overload
def conjugate(x: ArrayLike, out: ndarray | None=None, where: ArrayLike=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> ndarray:
    """The complex conjugate: a copy of real numbers."""
def asanyarray(a: Any, dtype: DTypeLike | None=None, ctx: Context | None=None, *, copy: bool | None=None, order: str='K', device: Context | None=None) -> ndarray:
    """Convert to an array; returns `a` itself if it is an array of that dtype."""
def empty(shape: int | tuple[int, ...], dtype: DTypeLike | None=None, order: str='C', ctx: Context | None=None, *, device: Context | None=None) -> ndarray:
    """An uninitialized array."""
def empty_like(a: ArrayLike, dtype: DTypeLike | None=None, order: str='C', ctx: Context | None=None, out: ndarray | None=None, *, subok: bool=False, shape: int | tuple[int, ...] | None=None, device: Context | None=None) -> ndarray:
    """An uninitialized array, like another one."""
def geomspace(start: ArrayLike, stop: ArrayLike, num: int=50, endpoint: bool=True, base: ArrayLike=10.0, dtype: DTypeLike | None=None, axis: int=0, ctx: Context | None=None, *, device: Context | None=None) -> ndarray:
    """Values from start to stop, each the same multiple of the one before."""
def logspace(start: ArrayLike, stop: ArrayLike, num: int=50, endpoint: bool=True, base: ArrayLike=10.0, dtype: DTypeLike | None=None, axis: int=0, ctx: Context | None=None, *, device: Context | None=None) -> ndarray:
    """Values from base ** start to base ** stop, evenly spaced in their logarithm."""
def ones(shape: int | tuple[int, ...], dtype: DTypeLike | None=None, order: str='C', ctx: Context | None=None, *, device: Context | None=None) -> ndarray:
    """An array of ones."""
def ones_like(a: ArrayLike, dtype: DTypeLike | None=None, order: str='C', ctx: Context | None=None, out: ndarray | None=None, *, subok: bool=False, shape: int | tuple[int, ...] | None=None, device: Context | None=None) -> ndarray:
    """An array of ones, like another one."""
def zeros(shape: int | tuple[int, ...], dtype: DTypeLike | None=None, order: str='C', ctx: Context | None=None, *, device: Context | None=None) -> ndarray:
    """An array of zeros."""
def zeros_like(a: ArrayLike, dtype: DTypeLike | None=None, order: str='C', ctx: Context | None=None, out: ndarray | None=None, *, subok: bool=False, shape: int | tuple[int, ...] | None=None, device: Context | None=None) -> ndarray:
    """An array of zeros, like another one."""
@overload
def abs(x: float, out: None=None, where: Literal[True]=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> Any:
    """|x|; the subgradient at 0 is 0."""
@overload
def abs(x: ArrayLike, out: ndarray | None=None, where: ArrayLike=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> ndarray:
    """|x|; the subgradient at 0 is 0."""
@overload
def absolute(x: float, out: None=None, where: Literal[True]=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> Any:
    """|x|; the subgradient at 0 is 0."""
@overload
def absolute(x: ArrayLike, out: ndarray | None=None, where: ArrayLike=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> ndarray:
    """|x|; the subgradient at 0 is 0."""
@overload
def acos(x: float, out: None=None, where: Literal[True]=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> Any:
    """The inverse cosine."""
@overload
def acos(x: ArrayLike, out: ndarray | None=None, where: ArrayLike=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> ndarray:
    """The inverse cosine."""
@overload
def acosh(x: float, out: None=None, where: Literal[True]=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> Any:
    """The inverse hyperbolic cosine."""
@overload
def acosh(x: ArrayLike, out: ndarray | None=None, where: ArrayLike=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> ndarray:
    """The inverse hyperbolic cosine."""
@overload
def add(x1: float, x2: float, out: None=None, where: Literal[True]=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> Any:
    """x1 + x2."""
@overload
def add(x1: ArrayLike, x2: ArrayLike, out: ndarray | None=None, where: ArrayLike=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> ndarray:
    """x1 + x2."""
@overload
def arccos(x: float, out: None=None, where: Literal[True]=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> Any:
    """The inverse cosine."""
@overload
def arccos(x: ArrayLike, out: ndarray | None=None, where: ArrayLike=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> ndarray:
    """The inverse cosine."""
@overload
def arccosh(x: float, out: None=None, where: Literal[True]=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> Any:
    """The inverse hyperbolic cosine."""
@overload
def arccosh(x: ArrayLike, out: ndarray | None=None, where: ArrayLike=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> ndarray:
    """The inverse hyperbolic cosine."""
@overload
def arcsin(x: float, out: None=None, where: Literal[True]=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> Any:
    """The inverse sine."""
@overload
def arcsin(x: ArrayLike, out: ndarray | None=None, where: ArrayLike=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> ndarray:
    """The inverse sine."""
@overload
def arcsinh(x: float, out: None=None, where: Literal[True]=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> Any:
    """The inverse hyperbolic sine."""
@overload
def arcsinh(x: ArrayLike, out: ndarray | None=None, where: ArrayLike=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> ndarray:
    """The inverse hyperbolic sine."""
@overload
def arctan(x: float, out: None=None, where: Literal[True]=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> Any:
    """The inverse tangent."""
@overload
def arctan(x: ArrayLike, out: ndarray | None=None, where: ArrayLike=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> ndarray:
    """The inverse tangent."""
@overload
def arctan2(x1: float, x2: float, out: None=None, where: Literal[True]=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> Any:
    """The angle of the point (x2, x1)."""
@overload
def arctan2(x1: ArrayLike, x2: ArrayLike, out: ndarray | None=None, where: ArrayLike=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> ndarray:
    """The angle of the point (x2, x1)."""
@overload
def arctanh(x: float, out: None=None, where: Literal[True]=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> Any:
    """The inverse hyperbolic tangent."""
@overload
def arctanh(x: ArrayLike, out: ndarray | None=None, where: ArrayLike=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> ndarray:
    """The inverse hyperbolic tangent."""
def around(x: ArrayLike, decimals: int=0, out: ndarray | None=None) -> ndarray:
    """Round to a number of decimals, ties to even; the gradient is 0."""
@overload
def asin(x: float, out: None=None, where: Literal[True]=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> Any:
    """The inverse sine."""
@overload
def asin(x: ArrayLike, out: ndarray | None=None, where: ArrayLike=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> ndarray:
    """The inverse sine."""
@overload
def asinh(x: float, out: None=None, where: Literal[True]=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> Any:
    """The inverse hyperbolic sine."""
@overload
def asinh(x: ArrayLike, out: ndarray | None=None, where: ArrayLike=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> ndarray:
    """The inverse hyperbolic sine."""
@overload
def atan(x: float, out: None=None, where: Literal[True]=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> Any:
    """The inverse tangent."""
@overload
def atan(x: ArrayLike, out: ndarray | None=None, where: ArrayLike=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> ndarray:
    """The inverse tangent."""
@overload
def atan2(x1: float, x2: float, out: None=None, where: Literal[True]=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> Any:
    """The angle of the point (x2, x1)."""
@overload
def atan2(x1: ArrayLike, x2: ArrayLike, out: ndarray | None=None, where: ArrayLike=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> ndarray:
    """The angle of the point (x2, x1)."""
@overload
def atanh(x: float, out: None=None, where: Literal[True]=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> Any:
    """The inverse hyperbolic tangent."""
@overload
def atanh(x: ArrayLike, out: ndarray | None=None, where: ArrayLike=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> ndarray:
    """The inverse hyperbolic tangent."""
@overload
def bitwise_and(x1: float, x2: float, out: None=None, where: Literal[True]=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> Any:
    """The bits that both have."""
@overload
def bitwise_and(x1: ArrayLike, x2: ArrayLike, out: ndarray | None=None, where: ArrayLike=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> ndarray:
    """The bits that both have."""
@overload
def bitwise_invert(x: float, out: None=None, where: Literal[True]=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> Any:
    """The bits of x inverted; the logical not of booleans."""
@overload
def bitwise_invert(x: ArrayLike, out: ndarray | None=None, where: ArrayLike=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> ndarray:
    """The bits of x inverted; the logical not of booleans."""
@overload
def bitwise_left_shift(x1: float, x2: float, out: None=None, where: Literal[True]=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> Any:
    """The bits of x1 moved left by x2."""
@overload
def bitwise_left_shift(x1: ArrayLike, x2: ArrayLike, out: ndarray | None=None, where: ArrayLike=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> ndarray:
    """The bits of x1 moved left by x2."""
@overload
def bitwise_not(x: float, out: None=None, where: Literal[True]=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> Any:
    """The bits of x inverted; the logical not of booleans."""
@overload
def bitwise_not(x: ArrayLike, out: ndarray | None=None, where: ArrayLike=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> ndarray:
    """The bits of x inverted; the logical not of booleans."""
@overload
def bitwise_or(x1: float, x2: float, out: None=None, where: Literal[True]=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> Any:
    """The bits that one of them has."""
@overload
def bitwise_or(x1: ArrayLike, x2: ArrayLike, out: ndarray | None=None, where: ArrayLike=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> ndarray:
    """The bits that one of them has."""
@overload
def bitwise_right_shift(x1: float, x2: float, out: None=None, where: Literal[True]=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> Any:
    """The bits of x1 moved right by x2."""
@overload
def bitwise_right_shift(x1: ArrayLike, x2: ArrayLike, out: ndarray | None=None, where: ArrayLike=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> ndarray:
    """The bits of x1 moved right by x2."""
@overload
def bitwise_xor(x1: float, x2: float, out: None=None, where: Literal[True]=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> Any:
    """The bits that exactly one of them has."""
@overload
def bitwise_xor(x1: ArrayLike, x2: ArrayLike, out: ndarray | None=None, where: ArrayLike=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> ndarray:
    """The bits that exactly one of them has."""
@overload
def cbrt(x: float, out: None=None, where: Literal[True]=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> Any:
    """The cube root."""
@overload
def cbrt(x: ArrayLike, out: ndarray | None=None, where: ArrayLike=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> ndarray:
    """The cube root."""
@overload
def ceil(x: float, out: None=None, where: Literal[True]=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> Any:
    """The smallest integer not below x; its gradient is 0."""
@overload
def ceil(x: ArrayLike, out: ndarray | None=None, where: ArrayLike=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> ndarray:
    """The smallest integer not below x; its gradient is 0."""
@overload
def copysign(x1: float, x2: float, out: None=None, where: Literal[True]=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> Any:
    """|x1| with the sign of x2."""
@overload
def copysign(x1: ArrayLike, x2: ArrayLike, out: ndarray | None=None, where: ArrayLike=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> ndarray:
    """|x1| with the sign of x2."""
@overload
def cos(x: float, out: None=None, where: Literal[True]=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> Any:
    """The cosine."""
@overload
def cos(x: ArrayLike, out: ndarray | None=None, where: ArrayLike=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> ndarray:
    """The cosine."""
@overload
def cosh(x: float, out: None=None, where: Literal[True]=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> Any:
    """The hyperbolic cosine."""
@overload
def cosh(x: ArrayLike, out: ndarray | None=None, where: ArrayLike=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> ndarray:
    """The hyperbolic cosine."""
@overload
def deg2rad(x: float, out: None=None, where: Literal[True]=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> Any:
    """Degrees to radians."""
@overload
def deg2rad(x: ArrayLike, out: ndarray | None=None, where: ArrayLike=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> ndarray:
    """Degrees to radians."""
@overload
def degrees(x: float, out: None=None, where: Literal[True]=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> Any:
    """Radians to degrees."""
@overload
def degrees(x: ArrayLike, out: ndarray | None=None, where: ArrayLike=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> ndarray:
    """Radians to degrees."""
@overload
def divide(x1: float, x2: float, out: None=None, where: Literal[True]=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> Any:
    """x1 / x2."""
@overload
def divide(x1: ArrayLike, x2: ArrayLike, out: ndarray | None=None, where: ArrayLike=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> ndarray:
    """x1 / x2."""
@overload
def equal(x1: float, x2: float, out: None=None, where: Literal[True]=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> Any:
    """Where x1 == x2."""
@overload
def equal(x1: ArrayLike, x2: ArrayLike, out: ndarray | None=None, where: ArrayLike=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> ndarray:
    """Where x1 == x2."""
@overload
def exp(x: float, out: None=None, where: Literal[True]=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> Any:
    """e ** x."""
@overload
def exp(x: ArrayLike, out: ndarray | None=None, where: ArrayLike=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> ndarray:
    """e ** x."""
@overload
def exp2(x: float, out: None=None, where: Literal[True]=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> Any:
    """2 ** x."""
@overload
def exp2(x: ArrayLike, out: ndarray | None=None, where: ArrayLike=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> ndarray:
    """2 ** x."""
@overload
def expm1(x: float, out: None=None, where: Literal[True]=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> Any:
    """exp(x) - 1, exact near 0."""
@overload
def expm1(x: ArrayLike, out: ndarray | None=None, where: ArrayLike=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> ndarray:
    """exp(x) - 1, exact near 0."""
@overload
def fabs(x: float, out: None=None, where: Literal[True]=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> Any:
    """The absolute value, as a float."""
@overload
def fabs(x: ArrayLike, out: ndarray | None=None, where: ArrayLike=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> ndarray:
    """The absolute value, as a float."""
@overload
def fix(x: float, out: None=None, where: Literal[True]=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> Any:
    """x rounded towards 0; its gradient is 0."""
@overload
def fix(x: ArrayLike, out: ndarray | None=None, where: ArrayLike=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> ndarray:
    """x rounded towards 0; its gradient is 0."""
@overload
def floor(x: float, out: None=None, where: Literal[True]=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> Any:
    """The largest integer not above x; its gradient is 0."""
@overload
def floor(x: ArrayLike, out: ndarray | None=None, where: ArrayLike=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> ndarray:
    """The largest integer not above x; its gradient is 0."""
@overload
def floor_divide(x1: float, x2: float, out: None=None, where: Literal[True]=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> Any:
    """The largest integer not above x1 / x2."""
@overload
def floor_divide(x1: ArrayLike, x2: ArrayLike, out: ndarray | None=None, where: ArrayLike=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> ndarray:
    """The largest integer not above x1 / x2."""
@overload
def fmax(x1: float, x2: float, out: None=None, where: Literal[True]=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> Any:
    """The larger of two, the other one where one is NaN; at a tie the gradient goes to x1."""
@overload
def fmax(x1: ArrayLike, x2: ArrayLike, out: ndarray | None=None, where: ArrayLike=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> ndarray:
    """The larger of two, the other one where one is NaN; at a tie the gradient goes to x1."""
@overload
def fmin(x1: float, x2: float, out: None=None, where: Literal[True]=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> Any:
    """The smaller of two, the other one where one is NaN; at a tie the gradient goes to x1."""
@overload
def fmin(x1: ArrayLike, x2: ArrayLike, out: ndarray | None=None, where: ArrayLike=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> ndarray:
    """The smaller of two, the other one where one is NaN; at a tie the gradient goes to x1."""
@overload
def fmod(x1: float, x2: float, out: None=None, where: Literal[True]=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> Any:
    """The remainder of x1 / x2, with the sign of x1."""
@overload
def fmod(x1: ArrayLike, x2: ArrayLike, out: ndarray | None=None, where: ArrayLike=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> ndarray:
    """The remainder of x1 / x2, with the sign of x1."""
@overload
def gcd(x1: float, x2: float, out: None=None, where: Literal[True]=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> Any:
    """The greatest common divisor."""
@overload
def gcd(x1: ArrayLike, x2: ArrayLike, out: ndarray | None=None, where: ArrayLike=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> ndarray:
    """The greatest common divisor."""
@overload
def greater(x1: float, x2: float, out: None=None, where: Literal[True]=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> Any:
    """Where x1 > x2."""
@overload
def greater(x1: ArrayLike, x2: ArrayLike, out: ndarray | None=None, where: ArrayLike=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> ndarray:
    """Where x1 > x2."""
@overload
def greater_equal(x1: float, x2: float, out: None=None, where: Literal[True]=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> Any:
    """Where x1 >= x2."""
@overload
def greater_equal(x1: ArrayLike, x2: ArrayLike, out: ndarray | None=None, where: ArrayLike=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> ndarray:
    """Where x1 >= x2."""
@overload
def heaviside(x1: float, x2: float, out: None=None, where: Literal[True]=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> Any:
    """0 where x1 < 0, 1 where x1 > 0, and x2 where x1 is 0."""
@overload
def heaviside(x1: ArrayLike, x2: ArrayLike, out: ndarray | None=None, where: ArrayLike=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> ndarray:
    """0 where x1 < 0, 1 where x1 > 0, and x2 where x1 is 0."""
@overload
def hypot(x1: float, x2: float, out: None=None, where: Literal[True]=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> Any:
    """sqrt(x1**2 + x2**2)."""
@overload
def hypot(x1: ArrayLike, x2: ArrayLike, out: ndarray | None=None, where: ArrayLike=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> ndarray:
    """sqrt(x1**2 + x2**2)."""
@overload
def invert(x: float, out: None=None, where: Literal[True]=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> Any:
    """The bits of x inverted; the logical not of booleans."""
@overload
def invert(x: ArrayLike, out: ndarray | None=None, where: ArrayLike=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> ndarray:
    """The bits of x inverted; the logical not of booleans."""
@overload
def isfinite(x: float, out: None=None, where: Literal[True]=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> Any:
    """Where x is neither NaN nor infinite."""
@overload
def isfinite(x: ArrayLike, out: ndarray | None=None, where: ArrayLike=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> ndarray:
    """Where x is neither NaN nor infinite."""
@overload
def isinf(x: float, out: None=None, where: Literal[True]=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> Any:
    """Where x is infinite."""
@overload
def isinf(x: ArrayLike, out: ndarray | None=None, where: ArrayLike=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> ndarray:
    """Where x is infinite."""
@overload
def isnan(x: float, out: None=None, where: Literal[True]=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> Any:
    """Where x is NaN."""
@overload
def isnan(x: ArrayLike, out: ndarray | None=None, where: ArrayLike=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> ndarray:
    """Where x is NaN."""
@overload
def isneginf(x: float, out: None=None, where: Literal[True]=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> Any:
    """Where x is negative infinity."""
@overload
def isneginf(x: ArrayLike, out: ndarray | None=None, where: ArrayLike=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> ndarray:
    """Where x is negative infinity."""
@overload
def isposinf(x: float, out: None=None, where: Literal[True]=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> Any:
    """Where x is positive infinity."""
@overload
def isposinf(x: ArrayLike, out: ndarray | None=None, where: ArrayLike=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> ndarray:
    """Where x is positive infinity."""
@overload
def lcm(x1: float, x2: float, out: None=None, where: Literal[True]=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> Any:
    """The least common multiple."""
@overload
def lcm(x1: ArrayLike, x2: ArrayLike, out: ndarray | None=None, where: ArrayLike=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> ndarray:
    """The least common multiple."""
@overload
def left_shift(x1: float, x2: float, out: None=None, where: Literal[True]=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> Any:
    """The bits of x1 moved left by x2."""
@overload
def left_shift(x1: ArrayLike, x2: ArrayLike, out: ndarray | None=None, where: ArrayLike=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> ndarray:
    """The bits of x1 moved left by x2."""
@overload
def less(x1: float, x2: float, out: None=None, where: Literal[True]=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> Any:
    """Where x1 < x2."""
@overload
def less(x1: ArrayLike, x2: ArrayLike, out: ndarray | None=None, where: ArrayLike=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> ndarray:
    """Where x1 < x2."""
@overload
def less_equal(x1: float, x2: float, out: None=None, where: Literal[True]=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> Any:
    """Where x1 <= x2."""
@overload
def less_equal(x1: ArrayLike, x2: ArrayLike, out: ndarray | None=None, where: ArrayLike=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> ndarray:
    """Where x1 <= x2."""
@overload
def log(x: float, out: None=None, where: Literal[True]=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> Any:
    """The natural logarithm."""
@overload
def log(x: ArrayLike, out: ndarray | None=None, where: ArrayLike=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> ndarray:
    """The natural logarithm."""
@overload
def log1p(x: float, out: None=None, where: Literal[True]=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> Any:
    """log(1 + x), exact near 0."""
@overload
def log1p(x: ArrayLike, out: ndarray | None=None, where: ArrayLike=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> ndarray:
    """log(1 + x), exact near 0."""
@overload
def log2(x: float, out: None=None, where: Literal[True]=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> Any:
    """The base-2 logarithm."""
@overload
def log2(x: ArrayLike, out: ndarray | None=None, where: ArrayLike=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> ndarray:
    """The base-2 logarithm."""
@overload
def log10(x: float, out: None=None, where: Literal[True]=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> Any:
    """The base-10 logarithm."""
@overload
def log10(x: ArrayLike, out: ndarray | None=None, where: ArrayLike=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> ndarray:
    """The base-10 logarithm."""
@overload
def logaddexp(x1: float, x2: float, out: None=None, where: Literal[True]=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> Any:
    """log(exp(x1) + exp(x2))."""
@overload
def logaddexp(x1: ArrayLike, x2: ArrayLike, out: ndarray | None=None, where: ArrayLike=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> ndarray:
    """log(exp(x1) + exp(x2))."""
@overload
def logaddexp2(x1: float, x2: float, out: None=None, where: Literal[True]=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> Any:
    """log2(2 ** x1 + 2 ** x2)."""
@overload
def logaddexp2(x1: ArrayLike, x2: ArrayLike, out: ndarray | None=None, where: ArrayLike=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> ndarray:
    """log2(2 ** x1 + 2 ** x2)."""
@overload
def logical_and(x1: float, x2: float, out: None=None, where: Literal[True]=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> Any:
    """Where both are not 0."""
@overload
def logical_and(x1: ArrayLike, x2: ArrayLike, out: ndarray | None=None, where: ArrayLike=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> ndarray:
    """Where both are not 0."""
@overload
def logical_not(x: float, out: None=None, where: Literal[True]=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> Any:
    """Where x is 0."""
@overload
def logical_not(x: ArrayLike, out: ndarray | None=None, where: ArrayLike=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> ndarray:
    """Where x is 0."""
@overload
def logical_or(x1: float, x2: float, out: None=None, where: Literal[True]=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> Any:
    """Where one of them is not 0."""
@overload
def logical_or(x1: ArrayLike, x2: ArrayLike, out: ndarray | None=None, where: ArrayLike=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> ndarray:
    """Where one of them is not 0."""
@overload
def logical_xor(x1: float, x2: float, out: None=None, where: Literal[True]=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> Any:
    """Where exactly one of them is not 0."""
@overload
def logical_xor(x1: ArrayLike, x2: ArrayLike, out: ndarray | None=None, where: ArrayLike=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> ndarray:
    """Where exactly one of them is not 0."""
@overload
def maximum(x1: float, x2: float, out: None=None, where: Literal[True]=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> Any:
    """The larger of two, or NaN."""
@overload
def maximum(x1: ArrayLike, x2: ArrayLike, out: ndarray | None=None, where: ArrayLike=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> ndarray:
    """The larger of two, or NaN."""
@overload
def minimum(x1: float, x2: float, out: None=None, where: Literal[True]=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> Any:
    """The smaller of two, or NaN."""
@overload
def minimum(x1: ArrayLike, x2: ArrayLike, out: ndarray | None=None, where: ArrayLike=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> ndarray:
    """The smaller of two, or NaN."""
@overload
def mod(x1: float, x2: float, out: None=None, where: Literal[True]=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> Any:
    """x1 modulo x2, with the sign of x2; the gradients of integers are 0."""
@overload
def mod(x1: ArrayLike, x2: ArrayLike, out: ndarray | None=None, where: ArrayLike=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> ndarray:
    """x1 modulo x2, with the sign of x2; the gradients of integers are 0."""
@overload
def multiply(x1: float, x2: float, out: None=None, where: Literal[True]=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> Any:
    """x1 * x2."""
@overload
def multiply(x1: ArrayLike, x2: ArrayLike, out: ndarray | None=None, where: ArrayLike=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> ndarray:
    """x1 * x2."""
@overload
def negative(x: float, out: None=None, where: Literal[True]=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> Any:
    """-x."""
@overload
def negative(x: ArrayLike, out: ndarray | None=None, where: ArrayLike=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> ndarray:
    """-x."""
@overload
def nextafter(x1: float, x2: float, out: None=None, where: Literal[True]=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> Any:
    """The next number after x1 towards x2."""
@overload
def nextafter(x1: ArrayLike, x2: ArrayLike, out: ndarray | None=None, where: ArrayLike=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> ndarray:
    """The next number after x1 towards x2."""
@overload
def not_equal(x1: float, x2: float, out: None=None, where: Literal[True]=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> Any:
    """Where x1 != x2."""
@overload
def not_equal(x1: ArrayLike, x2: ArrayLike, out: ndarray | None=None, where: ArrayLike=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> ndarray:
    """Where x1 != x2."""
@overload
def positive(x: float, out: None=None, where: Literal[True]=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> Any:
    """+x, a copy."""
@overload
def positive(x: ArrayLike, out: ndarray | None=None, where: ArrayLike=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> ndarray:
    """+x, a copy."""
@overload
def pow(x1: float, x2: float, out: None=None, where: Literal[True]=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> Any:
    """x1 ** x2."""
@overload
def pow(x1: ArrayLike, x2: ArrayLike, out: ndarray | None=None, where: ArrayLike=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> ndarray:
    """x1 ** x2."""
@overload
def power(x1: float, x2: float, out: None=None, where: Literal[True]=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> Any:
    """x1 ** x2."""
@overload
def power(x1: ArrayLike, x2: ArrayLike, out: ndarray | None=None, where: ArrayLike=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> ndarray:
    """x1 ** x2."""
@overload
def rad2deg(x: float, out: None=None, where: Literal[True]=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> Any:
    """Radians to degrees."""
@overload
def rad2deg(x: ArrayLike, out: ndarray | None=None, where: ArrayLike=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> ndarray:
    """Radians to degrees."""
@overload
def radians(x: float, out: None=None, where: Literal[True]=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> Any:
    """Degrees to radians."""
@overload
def radians(x: ArrayLike, out: ndarray | None=None, where: ArrayLike=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> ndarray:
    """Degrees to radians."""
@overload
def reciprocal(x: float, out: None=None, where: Literal[True]=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> Any:
    """1 / x."""
@overload
def reciprocal(x: ArrayLike, out: ndarray | None=None, where: ArrayLike=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> ndarray:
    """1 / x."""
@overload
def remainder(x1: float, x2: float, out: None=None, where: Literal[True]=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> Any:
    """x1 modulo x2, with the sign of x2; the gradients of integers are 0."""
@overload
def remainder(x1: ArrayLike, x2: ArrayLike, out: ndarray | None=None, where: ArrayLike=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> ndarray:
    """x1 modulo x2, with the sign of x2; the gradients of integers are 0."""
@overload
def right_shift(x1: float, x2: float, out: None=None, where: Literal[True]=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> Any:
    """The bits of x1 moved right by x2."""
@overload
def right_shift(x1: ArrayLike, x2: ArrayLike, out: ndarray | None=None, where: ArrayLike=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> ndarray:
    """The bits of x1 moved right by x2."""
@overload
def rint(x: float, out: None=None, where: Literal[True]=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> Any:
    """The nearest integer, ties to even ones; its gradient is 0."""
@overload
def rint(x: ArrayLike, out: ndarray | None=None, where: ArrayLike=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> ndarray:
    """The nearest integer, ties to even ones; its gradient is 0."""
def round_(x: ArrayLike, decimals: int=0, out: ndarray | None=None) -> ndarray:
    """Round to a number of decimals, ties to even; the gradient is 0."""
@overload
def sign(x: float, out: None=None, where: Literal[True]=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> Any:
    """-1, 0 or 1; its gradient is 0."""
@overload
def sign(x: ArrayLike, out: ndarray | None=None, where: ArrayLike=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> ndarray:
    """-1, 0 or 1; its gradient is 0."""
@overload
def signbit(x: float, out: None=None, where: Literal[True]=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> Any:
    """Where x has a minus sign."""
@overload
def signbit(x: ArrayLike, out: ndarray | None=None, where: ArrayLike=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> ndarray:
    """Where x has a minus sign."""
@overload
def sin(x: float, out: None=None, where: Literal[True]=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> Any:
    """The sine."""
@overload
def sin(x: ArrayLike, out: ndarray | None=None, where: ArrayLike=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> ndarray:
    """The sine."""
@overload
def sinh(x: float, out: None=None, where: Literal[True]=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> Any:
    """The hyperbolic sine."""
@overload
def sinh(x: ArrayLike, out: ndarray | None=None, where: ArrayLike=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> ndarray:
    """The hyperbolic sine."""
@overload
def spacing(x: float, out: None=None, where: Literal[True]=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> Any:
    """The distance to the next number."""
@overload
def spacing(x: ArrayLike, out: ndarray | None=None, where: ArrayLike=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> ndarray:
    """The distance to the next number."""
@overload
def sqrt(x: float, out: None=None, where: Literal[True]=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> Any:
    """The square root."""
@overload
def sqrt(x: ArrayLike, out: ndarray | None=None, where: ArrayLike=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> ndarray:
    """The square root."""
@overload
def square(x: float, out: None=None, where: Literal[True]=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> Any:
    """x ** 2."""
@overload
def square(x: ArrayLike, out: ndarray | None=None, where: ArrayLike=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> ndarray:
    """x ** 2."""
@overload
def subtract(x1: float, x2: float, out: None=None, where: Literal[True]=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> Any:
    """x1 - x2."""
@overload
def subtract(x1: ArrayLike, x2: ArrayLike, out: ndarray | None=None, where: ArrayLike=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> ndarray:
    """x1 - x2."""
@overload
def tan(x: float, out: None=None, where: Literal[True]=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> Any:
    """The tangent."""
@overload
def tan(x: ArrayLike, out: ndarray | None=None, where: ArrayLike=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> ndarray:
    """The tangent."""
@overload
def tanh(x: float, out: None=None, where: Literal[True]=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> Any:
    """The hyperbolic tangent."""
@overload
def tanh(x: ArrayLike, out: ndarray | None=None, where: ArrayLike=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> ndarray:
    """The hyperbolic tangent."""
@overload
def true_divide(x1: float, x2: float, out: None=None, where: Literal[True]=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> Any:
    """x1 / x2."""
@overload
def true_divide(x1: ArrayLike, x2: ArrayLike, out: ndarray | None=None, where: ArrayLike=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> ndarray:
    """x1 / x2."""
@overload
def trunc(x: float, out: None=None, where: Literal[True]=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> Any:
    """x without its fraction; its gradient is 0."""
@overload
def trunc(x: ArrayLike, out: ndarray | None=None, where: ArrayLike=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> ndarray:
    """x without its fraction; its gradient is 0."""
def tril(m: ArrayLike, k: int=0) -> ndarray:
    """The values on and below a diagonal of the last two axes, zeros elsewhere."""
def triu(m: ArrayLike, k: int=0) -> ndarray:
    """The values on and above a diagonal of the last two axes, zeros elsewhere."""
@overload
def where(condition: ArrayLike) -> tuple[ndarray, ...]:
    """Choose from `x` where the condition holds, otherwise from `y`; without them, as `nonzero`."""
@overload
def where(condition: ArrayLike, x: ArrayLike, y: ArrayLike) -> ndarray:
    """Choose from `x` where the condition holds, otherwise from `y`; without them, as `nonzero`."""
def column_stack(arrays: Sequence[ArrayLike], out: ndarray | None=None, *, dtype: DTypeLike | None=None, casting: str='same_kind') -> ndarray:
    """Join vectors and matrices as columns."""
def concat(seq: Sequence[ArrayLike], axis: int | None=0, out: ndarray | None=None, *, dtype: DTypeLike | None=None, casting: str='same_kind') -> ndarray:
    """Join arrays along an existing axis."""
def dsplit(ary: ArrayLike, indices_or_sections: int | Sequence[int]) -> list[ndarray]:
    """Split an array along its third axis."""
def dstack(arrays: Sequence[ArrayLike], out: ndarray | None=None, *, dtype: DTypeLike | None=None, casting: str='same_kind') -> ndarray:
    """Join arrays along their third axis."""
def hsplit(ary: ArrayLike, indices_or_sections: int | Sequence[int]) -> list[ndarray]:
    """Split an array along its second axis, or a vector along its only one."""
def hstack(arrays: Sequence[ArrayLike], out: ndarray | None=None, *, dtype: DTypeLike | None=None, casting: str='same_kind') -> ndarray:
    """Join arrays along their second axis, or vectors along their only one."""
def row_stack(arrays: Sequence[ArrayLike], out: ndarray | None=None, *, dtype: DTypeLike | None=None, casting: str='same_kind') -> ndarray:
    """Join arrays as rows."""
def vsplit(ary: ArrayLike, indices_or_sections: int | Sequence[int]) -> list[ndarray]:
    """Split an array along its first axis."""
def vstack(arrays: Sequence[ArrayLike], out: ndarray | None=None, *, dtype: DTypeLike | None=None, casting: str='same_kind') -> ndarray:
    """Join arrays as rows."""
def alltrue(a: ArrayLike, axis: int | Sequence[int] | None=None, out: ndarray | None=None, keepdims: bool=False, *, where: ArrayLike | None=None) -> ndarray:
    """Whether all values over axes are nonzero."""
def amax(a: ArrayLike, axis: int | Sequence[int] | None=None, out: ndarray | None=None, keepdims: bool=False, initial: Any=None, where: ArrayLike | None=None) -> ndarray:
    """The maximum over axes; every largest element gets the whole gradient."""
def amin(a: ArrayLike, axis: int | Sequence[int] | None=None, out: ndarray | None=None, keepdims: bool=False, initial: Any=None, where: ArrayLike | None=None) -> ndarray:
    """The minimum over axes; every smallest element gets the whole gradient."""
def product(a: ArrayLike, axis: int | Sequence[int] | None=None, dtype: DTypeLike | None=None, out: ndarray | None=None, keepdims: bool=False, initial: Any=None, where: ArrayLike | None=None) -> ndarray:
    """The product over axes; integers are multiplied in 64 bits."""
def sometrue(a: ArrayLike, axis: int | Sequence[int] | None=None, out: ndarray | None=None, keepdims: bool=False, *, where: ArrayLike | None=None) -> ndarray:
    """Whether any value over axes is nonzero."""
def atleast_1d(*arys: ArrayLike) -> Any:
    """Arrays with at least 1 axis."""
def atleast_2d(*arys: ArrayLike) -> Any:
    """Arrays with at least 2 axes."""
def atleast_3d(*arys: ArrayLike) -> Any:
    """Arrays with at least 3 axes."""
def permute_dims(a: ArrayLike, axes: Sequence[int] | None=None) -> ndarray:
    """Permute the axes."""
