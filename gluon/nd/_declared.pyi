# Made by .ci/make_stubs.py
# mypy: disable-error-code="override"

from collections.abc import Sequence
from gluon._core.arrays.base import A
from gluon._core.arrays.context import Context
from gluon.nd._array import NDArray
from typing import Any, overload

def digamma(data: A, out: A | None=None, name: str | None=None) -> A:
    """The derivative of gammaln."""
def erf(data: A, out: A | None=None, name: str | None=None) -> A:
    """The error function."""
def erfinv(data: A, out: A | None=None, name: str | None=None) -> A:
    """The inverse of the error function."""
def gamma(data: A, out: A | None=None, name: str | None=None) -> A:
    """The gamma function."""
def gammaln(data: A, out: A | None=None, name: str | None=None) -> A:
    """The logarithm of |gamma(x)|."""
def Convolution_v1(data: A, weight: A, bias: A | None=None, kernel: tuple[int, ...] | int | None=None, stride: tuple[int, ...] | int | None=None, dilate: tuple[int, ...] | int | None=None, pad: tuple[int, ...] | int | None=None, num_filter: int | None=None, num_group: int=1, workspace: int=1024, no_bias: bool=False, cudnn_tune: Any=None, cudnn_off: bool=False, layout: str | None=None, out: A | None=None, name: str | None=None) -> A:
    """Convolution of images with filters, in 1, 2, 3 or more dimensions."""
def ctc_loss(data: A, label: A, data_lengths: A | None=None, label_lengths: A | None=None, use_data_lengths: bool=False, use_label_lengths: bool=False, blank_label: str='first', out: A | None=None, name: str | None=None) -> A:
    """Connectionist temporal classification: the negative log-likelihood of labels."""
def BlockGrad(data: A, out: A | None=None, name: str | None=None) -> A:
    """Return a copy without gradient."""
def Cast(data: A, dtype: Any, out: A | None=None, name: str | None=None) -> A:
    """Cast to another dtype; gradients are cast back."""
def ElementWiseSum(*args: A, num_args: int | None=None, out: A | None=None, name: str | None=None) -> A:
    """The sum of arrays of equal shape."""
def abs(data: A, out: A | None=None, name: str | None=None) -> A:
    """|x|; the subgradient at 0 is 0."""
@overload
def add(lhs: A, rhs: A | float, out: A | None=None, name: str | None=None) -> A:
    """lhs + rhs."""
@overload
def add(lhs: float, rhs: A, out: A | None=None, name: str | None=None) -> A:
    """lhs + rhs."""
@overload
def add(lhs: float, rhs: float, out: None=None, name: str | None=None) -> float:
    """lhs + rhs."""
def arccos(data: A, out: A | None=None, name: str | None=None) -> A:
    """The inverse cosine."""
def arccosh(data: A, out: A | None=None, name: str | None=None) -> A:
    """The inverse hyperbolic cosine."""
def arcsin(data: A, out: A | None=None, name: str | None=None) -> A:
    """The inverse sine."""
def arcsinh(data: A, out: A | None=None, name: str | None=None) -> A:
    """The inverse hyperbolic sine."""
def arctan(data: A, out: A | None=None, name: str | None=None) -> A:
    """The inverse tangent."""
def arctanh(data: A, out: A | None=None, name: str | None=None) -> A:
    """The inverse hyperbolic tangent."""
@overload
def broadcast_add(lhs: A, rhs: A | float, out: A | None=None, name: str | None=None) -> A:
    """lhs + rhs."""
@overload
def broadcast_add(lhs: float, rhs: A, out: A | None=None, name: str | None=None) -> A:
    """lhs + rhs."""
@overload
def broadcast_div(lhs: A, rhs: A | float, out: A | None=None, name: str | None=None) -> A:
    """lhs / rhs; of integers, an integer."""
@overload
def broadcast_div(lhs: float, rhs: A, out: A | None=None, name: str | None=None) -> A:
    """lhs / rhs; of integers, an integer."""
@overload
def broadcast_equal(lhs: A, rhs: A | float, out: A | None=None, name: str | None=None) -> A:
    """1 where lhs == rhs, else 0."""
@overload
def broadcast_equal(lhs: float, rhs: A, out: A | None=None, name: str | None=None) -> A:
    """1 where lhs == rhs, else 0."""
@overload
def broadcast_greater(lhs: A, rhs: A | float, out: A | None=None, name: str | None=None) -> A:
    """1 where lhs > rhs, else 0."""
@overload
def broadcast_greater(lhs: float, rhs: A, out: A | None=None, name: str | None=None) -> A:
    """1 where lhs > rhs, else 0."""
@overload
def broadcast_greater_equal(lhs: A, rhs: A | float, out: A | None=None, name: str | None=None) -> A:
    """1 where lhs >= rhs, else 0."""
@overload
def broadcast_greater_equal(lhs: float, rhs: A, out: A | None=None, name: str | None=None) -> A:
    """1 where lhs >= rhs, else 0."""
@overload
def broadcast_hypot(lhs: A, rhs: A | float, out: A | None=None, name: str | None=None) -> A:
    """sqrt(lhs**2 + rhs**2)."""
@overload
def broadcast_hypot(lhs: float, rhs: A, out: A | None=None, name: str | None=None) -> A:
    """sqrt(lhs**2 + rhs**2)."""
@overload
def broadcast_lesser(lhs: A, rhs: A | float, out: A | None=None, name: str | None=None) -> A:
    """1 where lhs < rhs, else 0."""
@overload
def broadcast_lesser(lhs: float, rhs: A, out: A | None=None, name: str | None=None) -> A:
    """1 where lhs < rhs, else 0."""
@overload
def broadcast_lesser_equal(lhs: A, rhs: A | float, out: A | None=None, name: str | None=None) -> A:
    """1 where lhs <= rhs, else 0."""
@overload
def broadcast_lesser_equal(lhs: float, rhs: A, out: A | None=None, name: str | None=None) -> A:
    """1 where lhs <= rhs, else 0."""
@overload
def broadcast_logical_and(lhs: A, rhs: A | float, out: A | None=None, name: str | None=None) -> A:
    """1 where neither is 0, else 0."""
@overload
def broadcast_logical_and(lhs: float, rhs: A, out: A | None=None, name: str | None=None) -> A:
    """1 where neither is 0, else 0."""
@overload
def broadcast_logical_or(lhs: A, rhs: A | float, out: A | None=None, name: str | None=None) -> A:
    """1 where one is not 0, else 0."""
@overload
def broadcast_logical_or(lhs: float, rhs: A, out: A | None=None, name: str | None=None) -> A:
    """1 where one is not 0, else 0."""
@overload
def broadcast_logical_xor(lhs: A, rhs: A | float, out: A | None=None, name: str | None=None) -> A:
    """1 where exactly one of them is 0, else 0."""
@overload
def broadcast_logical_xor(lhs: float, rhs: A, out: A | None=None, name: str | None=None) -> A:
    """1 where exactly one of them is 0, else 0."""
@overload
def broadcast_maximum(lhs: A, rhs: A | float, out: A | None=None, name: str | None=None) -> A:
    """The larger of both; at a tie lhs gets the gradient."""
@overload
def broadcast_maximum(lhs: float, rhs: A, out: A | None=None, name: str | None=None) -> A:
    """The larger of both; at a tie lhs gets the gradient."""
@overload
def broadcast_minimum(lhs: A, rhs: A | float, out: A | None=None, name: str | None=None) -> A:
    """The smaller of both; at a tie lhs gets the gradient."""
@overload
def broadcast_minimum(lhs: float, rhs: A, out: A | None=None, name: str | None=None) -> A:
    """The smaller of both; at a tie lhs gets the gradient."""
@overload
def broadcast_minus(lhs: A, rhs: A | float, out: A | None=None, name: str | None=None) -> A:
    """lhs - rhs."""
@overload
def broadcast_minus(lhs: float, rhs: A, out: A | None=None, name: str | None=None) -> A:
    """lhs - rhs."""
@overload
def broadcast_mod(lhs: A, rhs: A | float, out: A | None=None, name: str | None=None) -> A:
    """The remainder of lhs / rhs, with the sign of rhs."""
@overload
def broadcast_mod(lhs: float, rhs: A, out: A | None=None, name: str | None=None) -> A:
    """The remainder of lhs / rhs, with the sign of rhs."""
@overload
def broadcast_mul(lhs: A, rhs: A | float, out: A | None=None, name: str | None=None) -> A:
    """lhs * rhs."""
@overload
def broadcast_mul(lhs: float, rhs: A, out: A | None=None, name: str | None=None) -> A:
    """lhs * rhs."""
@overload
def broadcast_not_equal(lhs: A, rhs: A | float, out: A | None=None, name: str | None=None) -> A:
    """1 where lhs != rhs, else 0."""
@overload
def broadcast_not_equal(lhs: float, rhs: A, out: A | None=None, name: str | None=None) -> A:
    """1 where lhs != rhs, else 0."""
@overload
def broadcast_plus(lhs: A, rhs: A | float, out: A | None=None, name: str | None=None) -> A:
    """lhs + rhs."""
@overload
def broadcast_plus(lhs: float, rhs: A, out: A | None=None, name: str | None=None) -> A:
    """lhs + rhs."""
@overload
def broadcast_power(lhs: A, rhs: A | float, out: A | None=None, name: str | None=None) -> A:
    """lhs ** rhs."""
@overload
def broadcast_power(lhs: float, rhs: A, out: A | None=None, name: str | None=None) -> A:
    """lhs ** rhs."""
@overload
def broadcast_sub(lhs: A, rhs: A | float, out: A | None=None, name: str | None=None) -> A:
    """lhs - rhs."""
@overload
def broadcast_sub(lhs: float, rhs: A, out: A | None=None, name: str | None=None) -> A:
    """lhs - rhs."""
def cbrt(data: A, out: A | None=None, name: str | None=None) -> A:
    """The cube root."""
def ceil(data: A, out: A | None=None, name: str | None=None) -> A:
    """The smallest integer not below x; its gradient is 0."""
def cos(data: A, out: A | None=None, name: str | None=None) -> A:
    """The cosine."""
def cosh(data: A, out: A | None=None, name: str | None=None) -> A:
    """The hyperbolic cosine."""
def degrees(data: A, out: A | None=None, name: str | None=None) -> A:
    """Radians to degrees."""
@overload
def divide(lhs: A, rhs: A | float, out: A | None=None, name: str | None=None) -> A:
    """lhs / rhs; of integers, an integer."""
@overload
def divide(lhs: float, rhs: A, out: A | None=None, name: str | None=None) -> A:
    """lhs / rhs; of integers, an integer."""
@overload
def divide(lhs: float, rhs: float, out: None=None, name: str | None=None) -> float:
    """lhs / rhs; of integers, an integer."""
def elemwise_add(lhs: A, rhs: A, out: A | None=None, name: str | None=None) -> A:
    """lhs + rhs."""
def elemwise_div(lhs: A, rhs: A, out: A | None=None, name: str | None=None) -> A:
    """lhs / rhs; of integers, an integer."""
def elemwise_mul(lhs: A, rhs: A, out: A | None=None, name: str | None=None) -> A:
    """lhs * rhs."""
def elemwise_sub(lhs: A, rhs: A, out: A | None=None, name: str | None=None) -> A:
    """lhs - rhs."""
@overload
def equal(lhs: A, rhs: A | float, out: A | None=None, name: str | None=None) -> A:
    """1 where lhs == rhs, else 0."""
@overload
def equal(lhs: float, rhs: A, out: A | None=None, name: str | None=None) -> A:
    """1 where lhs == rhs, else 0."""
@overload
def equal(lhs: float, rhs: float, out: None=None, name: str | None=None) -> float:
    """1 where lhs == rhs, else 0."""
def exp(data: A, out: A | None=None, name: str | None=None) -> A:
    """e ** x."""
def expm1(data: A, out: A | None=None, name: str | None=None) -> A:
    """exp(x) - 1, exact near 0."""
def fix(data: A, out: A | None=None, name: str | None=None) -> A:
    """x rounded towards 0; its gradient is 0."""
def floor(data: A, out: A | None=None, name: str | None=None) -> A:
    """The largest integer not above x; its gradient is 0."""
@overload
def greater(lhs: A, rhs: A | float, out: A | None=None, name: str | None=None) -> A:
    """1 where lhs > rhs, else 0."""
@overload
def greater(lhs: float, rhs: A, out: A | None=None, name: str | None=None) -> A:
    """1 where lhs > rhs, else 0."""
@overload
def greater(lhs: float, rhs: float, out: None=None, name: str | None=None) -> float:
    """1 where lhs > rhs, else 0."""
@overload
def greater_equal(lhs: A, rhs: A | float, out: A | None=None, name: str | None=None) -> A:
    """1 where lhs >= rhs, else 0."""
@overload
def greater_equal(lhs: float, rhs: A, out: A | None=None, name: str | None=None) -> A:
    """1 where lhs >= rhs, else 0."""
@overload
def greater_equal(lhs: float, rhs: float, out: None=None, name: str | None=None) -> float:
    """1 where lhs >= rhs, else 0."""
@overload
def hypot(lhs: A, rhs: A | float, out: A | None=None, name: str | None=None) -> A:
    """sqrt(lhs**2 + rhs**2)."""
@overload
def hypot(lhs: float, rhs: A, out: A | None=None, name: str | None=None) -> A:
    """sqrt(lhs**2 + rhs**2)."""
@overload
def lesser(lhs: A, rhs: A | float, out: A | None=None, name: str | None=None) -> A:
    """1 where lhs < rhs, else 0."""
@overload
def lesser(lhs: float, rhs: A, out: A | None=None, name: str | None=None) -> A:
    """1 where lhs < rhs, else 0."""
@overload
def lesser(lhs: float, rhs: float, out: None=None, name: str | None=None) -> float:
    """1 where lhs < rhs, else 0."""
@overload
def lesser_equal(lhs: A, rhs: A | float, out: A | None=None, name: str | None=None) -> A:
    """1 where lhs <= rhs, else 0."""
@overload
def lesser_equal(lhs: float, rhs: A, out: A | None=None, name: str | None=None) -> A:
    """1 where lhs <= rhs, else 0."""
@overload
def lesser_equal(lhs: float, rhs: float, out: None=None, name: str | None=None) -> float:
    """1 where lhs <= rhs, else 0."""
def log(data: A, out: A | None=None, name: str | None=None) -> A:
    """The natural logarithm."""
def log1p(data: A, out: A | None=None, name: str | None=None) -> A:
    """log(1 + x), exact near 0."""
def log2(data: A, out: A | None=None, name: str | None=None) -> A:
    """The base-2 logarithm."""
def log10(data: A, out: A | None=None, name: str | None=None) -> A:
    """The base-10 logarithm."""
@overload
def logical_and(lhs: A, rhs: A | float, out: A | None=None, name: str | None=None) -> A:
    """1 where neither is 0, else 0."""
@overload
def logical_and(lhs: float, rhs: A, out: A | None=None, name: str | None=None) -> A:
    """1 where neither is 0, else 0."""
@overload
def logical_and(lhs: float, rhs: float, out: None=None, name: str | None=None) -> float:
    """1 where neither is 0, else 0."""
@overload
def logical_or(lhs: A, rhs: A | float, out: A | None=None, name: str | None=None) -> A:
    """1 where one is not 0, else 0."""
@overload
def logical_or(lhs: float, rhs: A, out: A | None=None, name: str | None=None) -> A:
    """1 where one is not 0, else 0."""
@overload
def logical_or(lhs: float, rhs: float, out: None=None, name: str | None=None) -> float:
    """1 where one is not 0, else 0."""
@overload
def logical_xor(lhs: A, rhs: A | float, out: A | None=None, name: str | None=None) -> A:
    """1 where exactly one of them is 0, else 0."""
@overload
def logical_xor(lhs: float, rhs: A, out: A | None=None, name: str | None=None) -> A:
    """1 where exactly one of them is 0, else 0."""
@overload
def logical_xor(lhs: float, rhs: float, out: None=None, name: str | None=None) -> float:
    """1 where exactly one of them is 0, else 0."""
@overload
def maximum(lhs: A, rhs: A | float, out: A | None=None, name: str | None=None) -> A:
    """The larger of both; at a tie lhs gets the gradient."""
@overload
def maximum(lhs: float, rhs: A, out: A | None=None, name: str | None=None) -> A:
    """The larger of both; at a tie lhs gets the gradient."""
@overload
def maximum(lhs: float, rhs: float, out: None=None, name: str | None=None) -> float:
    """The larger of both; at a tie lhs gets the gradient."""
@overload
def minimum(lhs: A, rhs: A | float, out: A | None=None, name: str | None=None) -> A:
    """The smaller of both; at a tie lhs gets the gradient."""
@overload
def minimum(lhs: float, rhs: A, out: A | None=None, name: str | None=None) -> A:
    """The smaller of both; at a tie lhs gets the gradient."""
@overload
def minimum(lhs: float, rhs: float, out: None=None, name: str | None=None) -> float:
    """The smaller of both; at a tie lhs gets the gradient."""
@overload
def modulo(lhs: A, rhs: A | float, out: A | None=None, name: str | None=None) -> A:
    """The remainder of lhs / rhs, with the sign of rhs."""
@overload
def modulo(lhs: float, rhs: A, out: A | None=None, name: str | None=None) -> A:
    """The remainder of lhs / rhs, with the sign of rhs."""
@overload
def modulo(lhs: float, rhs: float, out: None=None, name: str | None=None) -> float:
    """The remainder of lhs / rhs, with the sign of rhs."""
@overload
def multiply(lhs: A, rhs: A | float, out: A | None=None, name: str | None=None) -> A:
    """lhs * rhs."""
@overload
def multiply(lhs: float, rhs: A, out: A | None=None, name: str | None=None) -> A:
    """lhs * rhs."""
@overload
def multiply(lhs: float, rhs: float, out: None=None, name: str | None=None) -> float:
    """lhs * rhs."""
def negative(data: A, out: A | None=None, name: str | None=None) -> A:
    """-x."""
@overload
def not_equal(lhs: A, rhs: A | float, out: A | None=None, name: str | None=None) -> A:
    """1 where lhs != rhs, else 0."""
@overload
def not_equal(lhs: float, rhs: A, out: A | None=None, name: str | None=None) -> A:
    """1 where lhs != rhs, else 0."""
@overload
def not_equal(lhs: float, rhs: float, out: None=None, name: str | None=None) -> float:
    """1 where lhs != rhs, else 0."""
@overload
def pow(lhs: A, rhs: A | float, out: A | None=None, name: str | None=None) -> A:
    """lhs ** rhs."""
@overload
def pow(lhs: float, rhs: A, out: A | None=None, name: str | None=None) -> A:
    """lhs ** rhs."""
@overload
def power(base: A, exp: A | float, out: A | None=None, name: str | None=None) -> A:
    """base ** exp."""
@overload
def power(base: float, exp: A, out: A | None=None, name: str | None=None) -> A:
    """base ** exp."""
@overload
def power(base: float, exp: float, out: None=None, name: str | None=None) -> float:
    """base ** exp."""
def radians(data: A, out: A | None=None, name: str | None=None) -> A:
    """Degrees to radians."""
def rcbrt(data: A, out: A | None=None, name: str | None=None) -> A:
    """1 / cbrt(x)."""
def reciprocal(data: A, out: A | None=None, name: str | None=None) -> A:
    """1 / x."""
def relu(data: A, out: A | None=None, name: str | None=None) -> A:
    """max(x, 0); the subgradient at 0 is 0."""
def rint(data: A, out: A | None=None, name: str | None=None) -> A:
    """The nearest integer, ties to the lower one; its gradient is 0."""
def round(data: A, out: A | None=None, name: str | None=None) -> A:
    """The nearest integer, ties away from 0; its gradient is 0."""
def rsqrt(data: A, out: A | None=None, name: str | None=None) -> A:
    """1 / sqrt(x)."""
def sigmoid(data: A, out: A | None=None, name: str | None=None) -> A:
    """1 / (1 + exp(-x))."""
def sign(data: A, out: A | None=None, name: str | None=None) -> A:
    """-1, 0 or 1; its gradient is 0."""
def sin(data: A, out: A | None=None, name: str | None=None) -> A:
    """The sine."""
def sinh(data: A, out: A | None=None, name: str | None=None) -> A:
    """The hyperbolic sine."""
def softsign(data: A, out: A | None=None, name: str | None=None) -> A:
    """x / (1 + |x|)."""
def sqrt(data: A, out: A | None=None, name: str | None=None) -> A:
    """The square root."""
def square(data: A, out: A | None=None, name: str | None=None) -> A:
    """x ** 2."""
@overload
def subtract(lhs: A, rhs: A | float, out: A | None=None, name: str | None=None) -> A:
    """lhs - rhs."""
@overload
def subtract(lhs: float, rhs: A, out: A | None=None, name: str | None=None) -> A:
    """lhs - rhs."""
@overload
def subtract(lhs: float, rhs: float, out: None=None, name: str | None=None) -> float:
    """lhs - rhs."""
def tan(data: A, out: A | None=None, name: str | None=None) -> A:
    """The tangent."""
def tanh(data: A, out: A | None=None, name: str | None=None) -> A:
    """The hyperbolic tangent."""
@overload
def true_divide(lhs: A, rhs: A | float, out: A | None=None, name: str | None=None) -> A:
    """lhs / rhs; of integers, an integer."""
@overload
def true_divide(lhs: float, rhs: A, out: A | None=None, name: str | None=None) -> A:
    """lhs / rhs; of integers, an integer."""
@overload
def true_divide(lhs: float, rhs: float, out: None=None, name: str | None=None) -> float:
    """lhs / rhs; of integers, an integer."""
def trunc(data: A, out: A | None=None, name: str | None=None) -> A:
    """x without its fraction; its gradient is 0."""
def choose_element_0index(data: A, index: A, axis: int=-1, keepdims: bool=False, mode: str='clip', out: A | None=None, name: str | None=None) -> A:
    """Pick one element along `axis` by index."""
def Concat(*data: A, dim: int=1, num_args: int | None=None, out: A | None=None, name: str | None=None) -> A:
    """Join arrays along an axis."""
def Pad(data: A, mode: str='constant', pad_width: Sequence[int]=(), constant_value: float=0, out: A | None=None, name: str | None=None) -> A:
    """Pad an array."""
def SliceChannel(data: A, num_outputs: int, axis: int=1, squeeze_axis: bool=False, out: A | Sequence[A] | None=None, name: str | None=None) -> A | list[A]:
    """Split an array into equal parts along an axis."""
def crop(data: A, begin: Sequence[int], end: Sequence[int], step: Sequence[int]=(), out: A | None=None, name: str | None=None) -> A:
    """Slice several axes: a copy of ``data[b0:e0:s0, b1:e1:s1, …]``."""
def to_dlpack_for_write(data: NDArray) -> Any:
    """The memory of an array, as a DLPack capsule."""
def BatchNorm_v1(data: A, gamma: A, beta: A, moving_mean: A, moving_var: A, eps: float=0.001, momentum: float=0.9, fix_gamma: bool=True, use_global_stats: bool=False, output_mean_var: bool=False, axis: int=1, cudnn_off: bool=False, min_calib_range: float | None=None, max_calib_range: float | None=None, out: A | Sequence[A] | None=None, name: str | None=None) -> A | Any:
    """Normalize each channel over the batch: ``gamma * (data - mean) / sqrt(var + eps) + beta``."""
def LinearRegressionOutput(data: A, label: A, grad_scale: float=1.0, out: A | None=None, name: str | None=None) -> A:
    """Return the data, with the gradient of half the squared error instead of its own."""
def LogisticRegressionOutput(data: A, label: A, grad_scale: float=1.0, out: A | None=None, name: str | None=None) -> A:
    """Return the sigmoid, with the gradient of the binary cross-entropy instead of its own."""
def MAERegressionOutput(data: A, label: A, grad_scale: float=1.0, out: A | None=None, name: str | None=None) -> A:
    """Return the data, with the gradient of the absolute error instead of its own."""
def Softmax(data: A, label: A, grad_scale: float=1.0, ignore_label: float=-1.0, multi_output: bool=False, use_ignore: bool=False, preserve_shape: bool=False, normalization: str='null', out_grad: bool=False, smooth_alpha: float=0.0, out: A | None=None, name: str | None=None) -> A:
    """Return the softmax; its gradient is that of the cross-entropy with `label`."""
def argmax(data: A, axis: int | None=None, keepdims: bool=False, out: A | None=None, name: str | None=None) -> A:
    """The index of the largest value along `axis`."""
def argmin(data: A, axis: int | None=None, keepdims: bool=False, out: A | None=None, name: str | None=None) -> A:
    """The index of the smallest value along `axis`."""
def max(data: A, axis: int | tuple[int, ...] | None=None, keepdims: bool=False, exclude: bool=False, out: A | None=None, name: str | None=None) -> A:
    """The maximum over `axis`; the whole gradient goes to each element that has this value."""
def max_axis(data: A, axis: int | tuple[int, ...] | None=None, keepdims: bool=False, exclude: bool=False, out: A | None=None, name: str | None=None) -> A:
    """The maximum over `axis`; the whole gradient goes to each element that has this value."""
def mean(data: A, axis: int | tuple[int, ...] | None=None, keepdims: bool=False, exclude: bool=False, out: A | None=None, name: str | None=None) -> A:
    """The mean over `axis`."""
def min(data: A, axis: int | tuple[int, ...] | None=None, keepdims: bool=False, exclude: bool=False, out: A | None=None, name: str | None=None) -> A:
    """The minimum over `axis`; the whole gradient goes to each element that has this value."""
def min_axis(data: A, axis: int | tuple[int, ...] | None=None, keepdims: bool=False, exclude: bool=False, out: A | None=None, name: str | None=None) -> A:
    """The minimum over `axis`; the whole gradient goes to each element that has this value."""
def nanprod(data: A, axis: int | tuple[int, ...] | None=None, keepdims: bool=False, exclude: bool=False, out: A | None=None, name: str | None=None) -> A:
    """The product over `axis`, NaN counted as 1."""
def nansum(data: A, axis: int | tuple[int, ...] | None=None, keepdims: bool=False, exclude: bool=False, out: A | None=None, name: str | None=None) -> A:
    """The sum over `axis`, NaN counted as 0."""
def prod(data: A, axis: int | tuple[int, ...] | None=None, keepdims: bool=False, exclude: bool=False, out: A | None=None, name: str | None=None) -> A:
    """The product over `axis`."""
def sum(data: A, axis: int | tuple[int, ...] | None=None, keepdims: bool=False, exclude: bool=False, out: A | None=None, name: str | None=None) -> A:
    """The sum over `axis`."""
def sum_axis(data: A, axis: int | tuple[int, ...] | None=None, keepdims: bool=False, exclude: bool=False, out: A | None=None, name: str | None=None) -> A:
    """The sum over `axis`."""
def normal(loc: float=0, scale: float=1, shape: int | tuple[int, ...] | None=None, ctx: Context | None=None, dtype: Any=None, out: NDArray | None=None, name: str | None=None) -> NDArray:
    """Samples of the normal distribution."""
def uniform(low: float=0, high: float=1, shape: int | tuple[int, ...] | None=None, ctx: Context | None=None, dtype: Any=None, out: NDArray | None=None, name: str | None=None) -> NDArray:
    """Samples of the uniform distribution on ``[low, high)``."""
def Flatten(data: A, out: A | None=None, name: str | None=None) -> A:
    """Flatten all axes except the first."""
def Reshape(data: A, shape: int | Sequence[int]=(), reverse: bool=False, target_shape: int | Sequence[int]=(), keep_highest: bool=False, out: A | None=None, name: str | None=None) -> A:
    """Change the shape of an array, in row-major order."""
def SwapAxis(data: A, dim1: int=0, dim2: int=0, out: A | None=None, name: str | None=None) -> A:
    """Swap two axes."""
def broadcast_axes(data: A, axis: int | Sequence[int]=(), size: int | Sequence[int]=(), out: A | None=None, name: str | None=None) -> A:
    """Broadcast given axes of length 1 to new lengths."""
def reverse(data: A, axis: int | Sequence[int], out: A | None=None, name: str | None=None) -> A:
    """Reverse the order along one or more axes."""
def linalg_det(A: A, out: A | None=None, name: str | None=None) -> A:
    """The determinant of each matrix."""
def linalg_extractdiag(A: A, offset: int=0, out: A | None=None, name: str | None=None) -> A:
    """Extract a diagonal of each matrix."""
def linalg_extracttrian(A: A, offset: int=0, lower: bool=True, out: A | None=None, name: str | None=None) -> A:
    """Extract a triangle of each matrix as a vector (the upper one column by column)."""
def linalg_gelqf(A: A, out: Sequence[A] | None=None, name: str | None=None) -> list[A]:
    """The factors Q and L of ``A = L @ Q``, L lower triangular and the rows of Q orthonormal."""
def linalg_gemm(A: A, B: A, C: A, transpose_a: bool=False, transpose_b: bool=False, alpha: float=1.0, beta: float=1.0, axis: int=-2, out: A | None=None, name: str | None=None) -> A:
    """The products of two stacks of matrices and a third one, ``alpha * A @ B + beta * C``."""
def linalg_gemm2(A: A, B: A, transpose_a: bool=False, transpose_b: bool=False, alpha: float=1.0, axis: int=-2, out: A | None=None, name: str | None=None) -> A:
    """The products of two stacks of matrices, ``alpha * A @ B``."""
def linalg_inverse(A: A, out: A | None=None, name: str | None=None) -> A:
    """The inverse of each matrix."""
def linalg_makediag(A: A, offset: int=0, out: A | None=None, name: str | None=None) -> A:
    """Create matrices with given diagonals; the inverse of `extractdiag`."""
def linalg_maketrian(A: A, offset: int=0, lower: bool=True, out: A | None=None, name: str | None=None) -> A:
    """Create triangular matrices from vectors; the inverse of `extracttrian`."""
def linalg_potrf(A: A, out: A | None=None, name: str | None=None, *, lower: bool=True) -> A:
    """The lower triangular L of the Cholesky factorization ``A = L @ L.T``."""
def linalg_potri(A: A, out: A | None=None, name: str | None=None, *, lower: bool=True) -> A:
    """The inverse of ``A @ A.T``, `A` a lower triangular factor from `potrf`."""
def linalg_slogdet(A: A, out: Sequence[A] | None=None, name: str | None=None) -> list[A]:
    """The sign of the determinant of each matrix, and the logarithm of its absolute value."""
def linalg_sumlogdiag(A: A, out: A | None=None, name: str | None=None) -> A:
    """The sum of the logarithms of the diagonal of each matrix."""
def linalg_syevd(A: A, out: Sequence[A] | None=None, name: str | None=None) -> list[A]:
    """The eigenvectors U and eigenvalues w of symmetric matrices, ``A = U.T @ diag(w) @ U``."""
def linalg_syrk(A: A, transpose: bool=False, alpha: float=1.0, out: A | None=None, name: str | None=None) -> A:
    """Matrices times their own transposes, ``alpha * A @ A.T``."""
def linalg_trmm(A: A, B: A, transpose: bool=False, rightside: bool=False, lower: bool=True, alpha: float=1.0, out: A | None=None, name: str | None=None) -> A:
    """The products of triangular matrices with others, ``alpha * A @ B``."""
def linalg_trsm(A: A, B: A, transpose: bool=False, rightside: bool=False, lower: bool=True, alpha: float=1.0, out: A | None=None, name: str | None=None) -> A:
    """Solve ``A @ X = alpha * B`` for triangular matrices A; the inverse of `trmm`."""
