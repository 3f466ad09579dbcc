# Made by .ci/make_stubs.py
# mypy: disable-error-code="override"

from gluon.megengine.tensor import Tensor
from numpy.typing import ArrayLike

def abs(x: ArrayLike) -> Tensor:
    """|x|; the subgradient at 0 is 0."""
def acos(x: ArrayLike) -> Tensor:
    """The inverse cosine."""
def acosh(x: ArrayLike) -> Tensor:
    """The inverse hyperbolic cosine."""
def asin(x: ArrayLike) -> Tensor:
    """The inverse sine."""
def asinh(x: ArrayLike) -> Tensor:
    """The inverse hyperbolic sine."""
def atan(x: ArrayLike) -> Tensor:
    """The inverse tangent."""
def atanh(x: ArrayLike) -> Tensor:
    """The inverse hyperbolic tangent."""
def ceil(x: ArrayLike) -> Tensor:
    """The smallest integer not below x; its gradient is 0."""
def cos(x: ArrayLike) -> Tensor:
    """The cosine."""
def cosh(x: ArrayLike) -> Tensor:
    """The hyperbolic cosine."""
def erf(x: ArrayLike) -> Tensor:
    """The error function."""
def exp(x: ArrayLike) -> Tensor:
    """e ** x."""
def expm1(x: ArrayLike) -> Tensor:
    """exp(x) - 1, exact near 0."""
def floor(x: ArrayLike) -> Tensor:
    """The largest integer not above x; its gradient is 0."""
def log(x: ArrayLike) -> Tensor:
    """The natural logarithm."""
def log1p(x: ArrayLike) -> Tensor:
    """log(1 + x), exact near 0."""
def logical_not(x: ArrayLike) -> Tensor:
    """Where x is 0."""
def neg(x: ArrayLike) -> Tensor:
    """-x."""
def round(x: ArrayLike) -> Tensor:
    """The nearest integer, ties away from 0; its gradient is 0."""
def sign(x: ArrayLike) -> Tensor:
    """-1, 0 or 1; its gradient is 0."""
def sin(x: ArrayLike) -> Tensor:
    """The sine."""
def sinh(x: ArrayLike) -> Tensor:
    """The hyperbolic sine."""
def sqrt(x: ArrayLike) -> Tensor:
    """The square root."""
def square(x: ArrayLike) -> Tensor:
    """x ** 2."""
def tan(x: ArrayLike) -> Tensor:
    """The tangent."""
def tanh(x: ArrayLike) -> Tensor:
    """The hyperbolic tangent."""
def add(x: ArrayLike, y: ArrayLike) -> Tensor:
    """x1 + x2."""
def atan2(x: ArrayLike, y: ArrayLike) -> Tensor:
    """The angle of the point (x2, x1)."""
def div(x: ArrayLike, y: ArrayLike) -> Tensor:
    """x1 / x2."""
def equal(x: ArrayLike, y: ArrayLike) -> Tensor:
    """Where x1 == x2."""
def floor_div(x: ArrayLike, y: ArrayLike) -> Tensor:
    """The largest integer not above x1 / x2."""
def greater(x: ArrayLike, y: ArrayLike) -> Tensor:
    """Where x1 > x2."""
def greater_equal(x: ArrayLike, y: ArrayLike) -> Tensor:
    """Where x1 >= x2."""
def left_shift(x: ArrayLike, y: ArrayLike) -> Tensor:
    """The bits of x1 moved left by x2."""
def less(x: ArrayLike, y: ArrayLike) -> Tensor:
    """Where x1 < x2."""
def less_equal(x: ArrayLike, y: ArrayLike) -> Tensor:
    """Where x1 <= x2."""
def logaddexp(x: ArrayLike, y: ArrayLike) -> Tensor:
    """The logarithm of the sum of the exponentials of x and y."""
def logical_and(x: ArrayLike, y: ArrayLike) -> Tensor:
    """Where both are not 0."""
def logical_or(x: ArrayLike, y: ArrayLike) -> Tensor:
    """Where one of them is not 0."""
def logical_xor(x: ArrayLike, y: ArrayLike) -> Tensor:
    """Where exactly one of them is not 0."""
def maximum(x: ArrayLike, y: ArrayLike) -> Tensor:
    """The larger of two; at a tie the gradient goes to x1."""
def minimum(x: ArrayLike, y: ArrayLike) -> Tensor:
    """The smaller of two; at a tie the gradient goes to x1."""
def mod(x: ArrayLike, y: ArrayLike) -> Tensor:
    """The remainder: of integers with the sign of y, of others with that of x."""
def mul(x: ArrayLike, y: ArrayLike) -> Tensor:
    """x1 * x2."""
def not_equal(x: ArrayLike, y: ArrayLike) -> Tensor:
    """Where x1 != x2."""
def pow(x: ArrayLike, y: ArrayLike) -> Tensor:
    """x1 ** x2."""
def right_shift(x: ArrayLike, y: ArrayLike) -> Tensor:
    """The bits of x1 moved right by x2."""
def sub(x: ArrayLike, y: ArrayLike) -> Tensor:
    """x1 - x2."""
