# Made by .ci/make_stubs.py
# mypy: disable-error-code="override"

from collections.abc import Sequence
from gluon._core.engine.array import Array
from gluon.megengine.tensor import Tensor

class Methods(Array):
    def sum(self, axis: int | Sequence[int] | None=None, keepdims: bool=False) -> Tensor:
        """The sum; of bool, how many hold."""
    def prod(self, axis: int | Sequence[int] | None=None, keepdims: bool=False) -> Tensor:
        """The product."""
    def mean(self, axis: int | Sequence[int] | None=None, keepdims: bool=False) -> Tensor:
        """The mean; integers and float16 count as float32."""
    def max(self, axis: int | Sequence[int] | None=None, keepdims: bool=False) -> Tensor:
        """The largest value."""
    def min(self, axis: int | Sequence[int] | None=None, keepdims: bool=False) -> Tensor:
        """The smallest value."""
    def flatten(self, start_axis: int=0, end_axis: int=-1) -> Tensor:
        """Join the axes from `start_axis` to `end_axis`."""
