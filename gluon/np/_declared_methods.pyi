# Made by .ci/make_stubs.py
# mypy: disable-error-code="override"

from collections.abc import Sequence
from gluon._core.arrays.base import DeviceArray
from gluon._core.arrays.context import Context
from gluon.np._array import ndarray
from numpy.typing import ArrayLike, DTypeLike
from typing import Any, Literal, overload

class Methods(DeviceArray):
    def all(self, axis: int | Sequence[int] | None=None, out: ndarray | None=None, keepdims: bool=False, *, where: ArrayLike | None=None) -> ndarray:
        """Whether all values over axes are nonzero."""
    def any(self, axis: int | Sequence[int] | None=None, out: ndarray | None=None, keepdims: bool=False, *, where: ArrayLike | None=None) -> ndarray:
        """Whether any value over axes is nonzero."""
    def argmax(self, axis: int | None=None, out: ndarray | None=None, *, keepdims: bool=False) -> ndarray:
        """The index of the largest value; the first of several."""
    def argmin(self, axis: int | None=None, out: ndarray | None=None, *, keepdims: bool=False) -> ndarray:
        """The index of the smallest value; the first of several."""
    def cumsum(self, axis: int | None=None, dtype: DTypeLike | None=None, out: ndarray | None=None) -> ndarray:
        """The cumulative sum along an axis; integers are added in 64 bits."""
    def max(self, axis: int | Sequence[int] | None=None, out: ndarray | None=None, keepdims: bool=False, initial: Any=None, where: ArrayLike | None=None) -> ndarray:
        """The maximum over axes; every largest element gets the whole gradient."""
    def mean(self, axis: int | Sequence[int] | None=None, dtype: DTypeLike | None=None, out: ndarray | None=None, keepdims: bool=False, *, where: ArrayLike | None=None) -> ndarray:
        """The mean over axes, in the default floating dtype for integers."""
    def min(self, axis: int | Sequence[int] | None=None, out: ndarray | None=None, keepdims: bool=False, initial: Any=None, where: ArrayLike | None=None) -> ndarray:
        """The minimum over axes; every smallest element gets the whole gradient."""
    def prod(self, axis: int | Sequence[int] | None=None, dtype: DTypeLike | None=None, out: ndarray | None=None, keepdims: bool=False, initial: Any=None, where: ArrayLike | None=None) -> ndarray:
        """The product over axes; integers are multiplied in 64 bits."""
    def std(self, axis: int | Sequence[int] | None=None, dtype: DTypeLike | None=None, out: ndarray | None=None, ddof: float=0, keepdims: bool=False, *, where: ArrayLike | None=None, mean: ArrayLike | None=None, correction: float | None=None) -> ndarray:
        """The standard deviation over axes: the square root of the variance."""
    def sum(self, axis: int | Sequence[int] | None=None, dtype: DTypeLike | None=None, out: ndarray | None=None, keepdims: bool=False, initial: Any=None, where: ArrayLike | None=None) -> ndarray:
        """The sum over axes; integers are added in 64 bits."""
    def var(self, axis: int | Sequence[int] | None=None, dtype: DTypeLike | None=None, out: ndarray | None=None, ddof: float=0, keepdims: bool=False, *, where: ArrayLike | None=None, mean: ArrayLike | None=None, correction: float | None=None) -> ndarray:
        """The variance over axes: the mean of the squared distances from the mean."""
    def ravel(self, order: str='C') -> ndarray:
        """Flatten an array, on the same memory."""
    def repeat(self, repeats: Any, axis: int | None=None) -> ndarray:
        """Repeat each element along an axis."""
    def squeeze(self, axis: int | Sequence[int] | None=None) -> ndarray:
        """Remove axes of length 1, on the same memory."""
    def swapaxes(self, axis1: int, axis2: int) -> ndarray:
        """Swap two axes."""
    def broadcast_to(self, shape: int | Sequence[int]) -> ndarray:
        """Broadcast an array to a shape."""
    def compress(self, condition: Any, axis: int | None=None, out: ndarray | None=None) -> ndarray:
        """Select slices along an axis where a condition holds; see `np.compress`."""
    def diagonal(self, offset: int=0, axis1: int=0, axis2: int=1) -> ndarray:
        """Extract a diagonal of two axes."""
    def nonzero(self) -> tuple[ndarray, ...]:
        """The indices of the nonzero elements."""
    def take(self, indices: Any, axis: int | None=None, out: ndarray | None=None, mode: str='raise') -> ndarray:
        """Take elements along an axis by index."""
    def dot(self, b: ArrayLike, out: ndarray | None=None) -> ndarray:
        """The sum of products over the last axis of `a` and the last but one of `b`."""
    def trace(self, offset: int=0, axis1: int=0, axis2: int=1, dtype: DTypeLike | None=None, out: ndarray | None=None) -> ndarray:
        """The sum along a diagonal of two axes."""
    def argpartition(self, kth: int | Sequence[int], axis: int | None=-1, kind: str='introselect', order: Any=None) -> ndarray:
        """The indices that partition an array along an axis; see `partition`."""
    def argsort(self, axis: int | None=-1, kind: str | None=None, order: Any=None, *, descending: bool=False, stable: bool | None=None) -> ndarray:
        """The indices that sort an array along an axis."""
    def searchsorted(self, v: ArrayLike, side: str='left', sorter: Any=None) -> ndarray:
        """The indices at which to insert values to keep the order."""
    def cumprod(self, axis: int | None=None, dtype: DTypeLike | None=None, out: ndarray | None=None) -> ndarray:
        """The cumulative product along an axis; integers are multiplied in 64 bits."""
    def choose(self, choices: Sequence[ArrayLike], out: ndarray | None=None, mode: str='raise') -> ndarray:
        """Choose each value from several arrays by index."""
    def put(self, ind: ArrayLike, v: ArrayLike, mode: str='raise') -> None:
        """Set elements by flat index."""
    @overload
    def conj(self, out: None=None, where: Literal[True]=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> Any:
        """The complex conjugate: a copy of real numbers."""
    @overload
    def conj(self, out: ndarray | None=None, where: ArrayLike=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> ndarray:
        """The complex conjugate: a copy of real numbers."""
    @overload
    def conjugate(self, out: None=None, where: Literal[True]=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> Any:
        """The complex conjugate: a copy of real numbers."""
    @overload
    def conjugate(self, out: ndarray | None=None, where: ArrayLike=True, *, dtype: DTypeLike | None=None, casting: str='same_kind', order: str='K', subok: bool=True) -> ndarray:
        """The complex conjugate: a copy of real numbers."""
    def reshape(self, *newshape: int | Sequence[int], order: str='C', **kwargs: Any) -> ndarray:
        """Change the shape, on the same memory; see `np.reshape`."""
    def reshape_view(self, *shape: int | Sequence[int]) -> ndarray:
        """Change the shape of an array, on the same memory."""
    def transpose(self, *axes: int | Sequence[int]) -> ndarray:
        """Permute the axes; see `np.transpose`."""
    def flatten(self, order: str='C') -> ndarray:
        """Return a flattened copy."""
    def clip(self, min: ArrayLike | None=None, max: ArrayLike | None=None, out: ndarray | None=None) -> ndarray:
        """Limit the values to ``[min, max]``; see `np.clip`."""
    def round(self, decimals: int=0, out: ndarray | None=None) -> ndarray:
        """Round to a number of decimals; see `np.round`."""
    def sort(self, axis: int=-1, kind: str | None=None, order: Any=None) -> None:
        """Sort along an axis, in place; see `np.sort`."""
    def partition(self, kth: int | Sequence[int], axis: int=-1, kind: str='introselect', order: Any=None) -> None:
        """Partition along an axis, in place; see `np.partition`."""
    def to_dlpack_for_read(self) -> Any:
        """The memory of an array, as a DLPack capsule."""
    def to_dlpack_for_write(self) -> Any:
        """The memory of an array, as a DLPack capsule."""
    def as_in_ctx(self, context: Context) -> ndarray:
        """Return the array itself if it is on `context`, otherwise a copy there."""
    def wait_to_write(self) -> None:
        """Return when the values are computed: at once, unless the array is on a GPU."""
