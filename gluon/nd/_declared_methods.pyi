# Made by .ci/make_stubs.py
# mypy: disable-error-code="override"

from collections.abc import Sequence
from gluon._core.arrays.base import DeviceArray
from gluon._core.arrays.context import Context
from gluon.nd._array import NDArray
from typing import Any

class Methods(DeviceArray):
    def abs(self, out: NDArray | None=None, name: str | None=None) -> NDArray:
        """|x|; the subgradient at 0 is 0."""
    def arccos(self, out: NDArray | None=None, name: str | None=None) -> NDArray:
        """The inverse cosine."""
    def arccosh(self, out: NDArray | None=None, name: str | None=None) -> NDArray:
        """The inverse hyperbolic cosine."""
    def arcsin(self, out: NDArray | None=None, name: str | None=None) -> NDArray:
        """The inverse sine."""
    def arcsinh(self, out: NDArray | None=None, name: str | None=None) -> NDArray:
        """The inverse hyperbolic sine."""
    def arctan(self, out: NDArray | None=None, name: str | None=None) -> NDArray:
        """The inverse tangent."""
    def arctanh(self, out: NDArray | None=None, name: str | None=None) -> NDArray:
        """The inverse hyperbolic tangent."""
    def cbrt(self, out: NDArray | None=None, name: str | None=None) -> NDArray:
        """The cube root."""
    def ceil(self, out: NDArray | None=None, name: str | None=None) -> NDArray:
        """The smallest integer not below x; its gradient is 0."""
    def clip(self, a_min: float, a_max: float, out: NDArray | None=None, name: str | None=None) -> NDArray:
        """Limit the values to ``[a_min, a_max]``; the gradient is 0 outside."""
    def cos(self, out: NDArray | None=None, name: str | None=None) -> NDArray:
        """The cosine."""
    def cosh(self, out: NDArray | None=None, name: str | None=None) -> NDArray:
        """The hyperbolic cosine."""
    def degrees(self, out: NDArray | None=None, name: str | None=None) -> NDArray:
        """Radians to degrees."""
    def exp(self, out: NDArray | None=None, name: str | None=None) -> NDArray:
        """e ** x."""
    def expm1(self, out: NDArray | None=None, name: str | None=None) -> NDArray:
        """exp(x) - 1, exact near 0."""
    def fix(self, out: NDArray | None=None, name: str | None=None) -> NDArray:
        """x rounded towards 0; its gradient is 0."""
    def floor(self, out: NDArray | None=None, name: str | None=None) -> NDArray:
        """The largest integer not above x; its gradient is 0."""
    def log(self, out: NDArray | None=None, name: str | None=None) -> NDArray:
        """The natural logarithm."""
    def log10(self, out: NDArray | None=None, name: str | None=None) -> NDArray:
        """The base-10 logarithm."""
    def log1p(self, out: NDArray | None=None, name: str | None=None) -> NDArray:
        """log(1 + x), exact near 0."""
    def log2(self, out: NDArray | None=None, name: str | None=None) -> NDArray:
        """The base-2 logarithm."""
    def ones_like(self, out: NDArray | None=None, name: str | None=None) -> NDArray:
        """Ones of the shape, dtype and device of `data`."""
    def radians(self, out: NDArray | None=None, name: str | None=None) -> NDArray:
        """Degrees to radians."""
    def rcbrt(self, out: NDArray | None=None, name: str | None=None) -> NDArray:
        """1 / cbrt(x)."""
    def reciprocal(self, out: NDArray | None=None, name: str | None=None) -> NDArray:
        """1 / x."""
    def relu(self, out: NDArray | None=None, name: str | None=None) -> NDArray:
        """max(x, 0); the subgradient at 0 is 0."""
    def rint(self, out: NDArray | None=None, name: str | None=None) -> NDArray:
        """The nearest integer, ties to the lower one; its gradient is 0."""
    def round(self, out: NDArray | None=None, name: str | None=None) -> NDArray:
        """The nearest integer, ties away from 0; its gradient is 0."""
    def rsqrt(self, out: NDArray | None=None, name: str | None=None) -> NDArray:
        """1 / sqrt(x)."""
    def sigmoid(self, out: NDArray | None=None, name: str | None=None) -> NDArray:
        """1 / (1 + exp(-x))."""
    def sign(self, out: NDArray | None=None, name: str | None=None) -> NDArray:
        """-1, 0 or 1; its gradient is 0."""
    def sin(self, out: NDArray | None=None, name: str | None=None) -> NDArray:
        """The sine."""
    def sinh(self, out: NDArray | None=None, name: str | None=None) -> NDArray:
        """The hyperbolic sine."""
    def sqrt(self, out: NDArray | None=None, name: str | None=None) -> NDArray:
        """The square root."""
    def square(self, out: NDArray | None=None, name: str | None=None) -> NDArray:
        """x ** 2."""
    def tan(self, out: NDArray | None=None, name: str | None=None) -> NDArray:
        """The tangent."""
    def tanh(self, out: NDArray | None=None, name: str | None=None) -> NDArray:
        """The hyperbolic tangent."""
    def trunc(self, out: NDArray | None=None, name: str | None=None) -> NDArray:
        """x without its fraction; its gradient is 0."""
    def zeros_like(self, out: NDArray | None=None, name: str | None=None) -> NDArray:
        """Zeros of the shape, dtype and device of `data`."""
    def argmax(self, axis: int | None=None, keepdims: bool=False, out: NDArray | None=None, name: str | None=None) -> NDArray:
        """The index of the largest value along `axis`."""
    def argmax_channel(self, out: NDArray | None=None, name: str | None=None) -> NDArray:
        """The index of the largest value along axis 1; see `argmax`."""
    def argmin(self, axis: int | None=None, keepdims: bool=False, out: NDArray | None=None, name: str | None=None) -> NDArray:
        """The index of the smallest value along `axis`."""
    def max(self, axis: int | tuple[int, ...] | None=None, keepdims: bool=False, exclude: bool=False, out: NDArray | None=None, name: str | None=None) -> NDArray:
        """The maximum over `axis`; the whole gradient goes to each element that has this value."""
    def mean(self, axis: int | tuple[int, ...] | None=None, keepdims: bool=False, exclude: bool=False, out: NDArray | None=None, name: str | None=None) -> NDArray:
        """The mean over `axis`."""
    def min(self, axis: int | tuple[int, ...] | None=None, keepdims: bool=False, exclude: bool=False, out: NDArray | None=None, name: str | None=None) -> NDArray:
        """The minimum over `axis`; the whole gradient goes to each element that has this value."""
    def nanprod(self, axis: int | tuple[int, ...] | None=None, keepdims: bool=False, exclude: bool=False, out: NDArray | None=None, name: str | None=None) -> NDArray:
        """The product over `axis`, NaN counted as 1."""
    def nansum(self, axis: int | tuple[int, ...] | None=None, keepdims: bool=False, exclude: bool=False, out: NDArray | None=None, name: str | None=None) -> NDArray:
        """The sum over `axis`, NaN counted as 0."""
    def norm(self, ord: int=2, axis: int | tuple[int, ...] | None=None, out_dtype: Any=None, keepdims: bool=False, out: NDArray | None=None, name: str | None=None) -> NDArray:
        """The norm: `ord` 1 sums ``abs(x)``, and 2 is the square root of the sum of squares."""
    def prod(self, axis: int | tuple[int, ...] | None=None, keepdims: bool=False, exclude: bool=False, out: NDArray | None=None, name: str | None=None) -> NDArray:
        """The product over `axis`."""
    def sum(self, axis: int | tuple[int, ...] | None=None, keepdims: bool=False, exclude: bool=False, out: NDArray | None=None, name: str | None=None) -> NDArray:
        """The sum over `axis`."""
    def broadcast_axes(self, axis: int | Sequence[int]=(), size: int | Sequence[int]=(), out: NDArray | None=None, name: str | None=None) -> NDArray:
        """Broadcast given axes of length 1 to new lengths."""
    def broadcast_to(self, shape: int | Sequence[int], out: NDArray | None=None, name: str | None=None) -> NDArray:
        """Broadcast an array to a shape."""
    def flip(self, axis: int | Sequence[int], out: NDArray | None=None, name: str | None=None) -> NDArray:
        """Reverse the order along one or more axes."""
    def reshape_like(self, rhs: NDArray, lhs_begin: int | None=None, lhs_end: int | None=None, rhs_begin: int | None=None, rhs_end: int | None=None, out: NDArray | None=None, name: str | None=None) -> NDArray:
        """Reshape `lhs` to the shape of `rhs`, or some of its axes to those of `rhs`."""
    def shape_array(self, out: NDArray | None=None, name: str | None=None) -> NDArray:
        """The shape, as an array."""
    def size_array(self, out: NDArray | None=None, name: str | None=None) -> NDArray:
        """The number of values, as an array."""
    def swapaxes(self, dim1: int=0, dim2: int=0, out: NDArray | None=None, name: str | None=None) -> NDArray:
        """Swap two axes."""
    def transpose(self, axes: Sequence[int]=(), out: NDArray | None=None, name: str | None=None) -> NDArray:
        """Permute the axes."""
    def pad(self, mode: str='constant', pad_width: Sequence[int]=(), constant_value: float=0, out: NDArray | None=None, name: str | None=None) -> NDArray:
        """Pad an array."""
    def repeat(self, repeats: int, axis: int | None=None, out: NDArray | None=None, name: str | None=None) -> NDArray:
        """Repeat each element."""
    def slice(self, begin: Sequence[int], end: Sequence[int], step: Sequence[int]=(), out: NDArray | None=None, name: str | None=None) -> NDArray:
        """Slice several axes: a copy of ``data[b0:e0:s0, b1:e1:s1, …]``."""
    def slice_axis(self, axis: int, begin: int, end: int | None, out: NDArray | None=None, name: str | None=None) -> NDArray:
        """Slice one axis: a copy of ``begin:end``."""
    def slice_like(self, shape_like: NDArray, axes: int | Sequence[int]=(), out: NDArray | None=None, name: str | None=None) -> NDArray:
        """Slice an array to the shape of another one."""
    def split(self, num_outputs: int, axis: int=1, squeeze_axis: bool=False, out: NDArray | Sequence[NDArray] | None=None, name: str | None=None) -> NDArray | list[NDArray]:
        """Split an array into equal parts along an axis."""
    def split_v2(self, indices_or_sections: int | Sequence[int], axis: int=0, squeeze_axis: bool=False, out: NDArray | Sequence[NDArray] | None=None, name: str | None=None) -> NDArray | list[NDArray]:
        """Split an array along an axis, into equal parts or at given indices."""
    def tile(self, reps: int | Sequence[int], out: NDArray | None=None, name: str | None=None) -> NDArray:
        """Repeat the whole array along each axis."""
    def depth_to_space(self, block_size: int, out: NDArray | None=None, name: str | None=None) -> NDArray:
        """Rearrange channels into blocks of pixels; the inverse of `space_to_depth`."""
    def diag(self, k: int=0, axis1: int=0, axis2: int=1, out: NDArray | None=None, name: str | None=None) -> NDArray:
        """Extract the `k`-th diagonal, or create a matrix with a vector on that diagonal."""
    def one_hot(self, depth: int, on_value: float=1.0, off_value: float=0.0, dtype: Any='float32', out: NDArray | None=None, name: str | None=None) -> NDArray:
        """One-hot encoding along a new last axis: `on_value` at each index, `off_value` elsewhere."""
    def pick(self, index: NDArray, axis: int=-1, keepdims: bool=False, mode: str='clip', out: NDArray | None=None, name: str | None=None) -> NDArray:
        """Pick one element along `axis` by index."""
    def space_to_depth(self, block_size: int, out: NDArray | None=None, name: str | None=None) -> NDArray:
        """Rearrange blocks of pixels into channels; the inverse of `depth_to_space`."""
    def take(self, indices: NDArray, axis: int=0, mode: str='clip', out: NDArray | None=None, name: str | None=None) -> NDArray:
        """Take slices of `a` along `axis` by index."""
    def argsort(self, axis: int | None=-1, is_ascend: bool=True, dtype: Any='float32', out: NDArray | None=None, name: str | None=None) -> NDArray:
        """The indices that sort an array; equal values keep their order."""
    def sort(self, axis: int | None=-1, is_ascend: bool=True, out: NDArray | None=None, name: str | None=None) -> NDArray:
        """Sort along `axis`."""
    def topk(self, axis: int | None=-1, k: int=1, ret_typ: str='indices', is_ascend: bool=False, dtype: Any='float32', out: NDArray | Sequence[NDArray] | None=None, name: str | None=None) -> NDArray | Any:
        """The `k` largest values along `axis`, in descending order; ties go to the lower index."""
    def dot(self, rhs: NDArray, transpose_a: bool=False, transpose_b: bool=False, forward_stype: str | None=None, out: NDArray | None=None, name: str | None=None) -> NDArray:
        """The sum of products over the last axis of `lhs` and the first of `rhs`."""
    def log_softmax(self, axis: int=-1, temperature: float | None=None, dtype: Any=None, use_length: bool=False, out: NDArray | None=None, name: str | None=None) -> NDArray:
        """The logarithm of the softmax, computed stably."""
    def softmax(self, length: NDArray | None=None, axis: int=-1, temperature: float | None=None, dtype: Any=None, use_length: bool=False, out: NDArray | None=None, name: str | None=None) -> NDArray:
        """``exp(data / temperature)`` divided by its sum along `axis`."""
    def softmin(self, axis: int=-1, temperature: float | None=None, dtype: Any=None, use_length: bool=False, out: NDArray | None=None, name: str | None=None) -> NDArray:
        """The softmax of ``-data``."""
    def slice_assign(self, rhs: Any, begin: Sequence[int | None], end: Sequence[int | None], step: Sequence[int | None]=()) -> NDArray:
        """Write `rhs` into ``self[b0:e0:s0, b1:e1:s1, …]``; see `nd.slice`."""
    def slice_assign_scalar(self, value: float, begin: Sequence[int | None], end: Sequence[int | None], step: Sequence[int | None]=()) -> NDArray:
        """Write a number into ``self[b0:e0:s0, b1:e1:s1, …]``; see `nd.slice`."""
    def to_dlpack_for_read(self) -> Any:
        """The memory of an array, as a DLPack capsule."""
    def to_dlpack_for_write(self) -> Any:
        """The memory of an array, as a DLPack capsule."""
    def expand_dims(self, axis: int, inplace: bool=False) -> NDArray:
        """Insert a new axis of length 1."""
    def flatten(self, inplace: bool=False) -> NDArray:
        """Flatten all axes except the first."""
    def squeeze(self, axis: Any=None, inplace: bool=False) -> NDArray:
        """Remove axes of length 1; see `nd.squeeze`."""
    def broadcast_like(self, other: NDArray) -> NDArray:
        """Broadcast the array to the shape of `other`."""
    def as_in_ctx(self, context: Context) -> NDArray:
        """Return the array itself if it is on `context`, otherwise a copy there."""
    def to_device(self, context: Context) -> NDArray:
        """Return the array itself if it is on `context`, otherwise a copy there."""
    def wait_to_write(self) -> None:
        """Return when the values are computed: at once, unless the array is on a GPU."""
