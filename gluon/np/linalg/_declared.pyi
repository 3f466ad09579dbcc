# Made by .ci/make_stubs.py
# mypy: disable-error-code="override"

from gluon.np._array import ndarray
from numpy.typing import ArrayLike, DTypeLike
from typing import Any

def matmul(a: ArrayLike, b: ArrayLike, out: ndarray | None=None, *, dtype: DTypeLike | None=None, casting: str='same_kind') -> ndarray:
    """The matrix product, ``a @ b``; stacks of matrices broadcast."""
def tensordot(a: ArrayLike, b: ArrayLike, axes: Any=2) -> ndarray:
    """The sums of products over several axes of both."""
def vecdot(x1: ArrayLike, x2: ArrayLike, /, out: ndarray | None=None, *, axis: int=-1) -> ndarray:
    """The sums of products along an axis; the other axes broadcast."""
