# Made by .ci/make_stubs.py
# mypy: disable-error-code="override"

from collections.abc import Sequence
from gluon._core.arrays import Context
from gluon.np._array import ndarray
from numpy.typing import DTypeLike

def random_sample(size: int | Sequence[int] | None=None, dtype: DTypeLike | None=None, ctx: Context | None=None) -> ndarray:
    """Samples of the uniform distribution on ``[0, 1)``."""
def ranf(size: int | Sequence[int] | None=None, dtype: DTypeLike | None=None, ctx: Context | None=None) -> ndarray:
    """Samples of the uniform distribution on ``[0, 1)``."""
def sample(size: int | Sequence[int] | None=None, dtype: DTypeLike | None=None, ctx: Context | None=None) -> ndarray:
    """Samples of the uniform distribution on ``[0, 1)``."""
