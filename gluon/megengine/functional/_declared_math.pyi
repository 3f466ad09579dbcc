# Made by .ci/make_stubs.py
# mypy: disable-error-code="override"

from collections.abc import Sequence
from gluon.megengine.tensor import Tensor
from numpy.typing import ArrayLike

def sum(inp: ArrayLike, axis: int | Sequence[int] | None=None, keepdims: bool=False) -> Tensor:
    """The sum; of bool, how many hold."""
def prod(inp: ArrayLike, axis: int | Sequence[int] | None=None, keepdims: bool=False) -> Tensor:
    """The product."""
def mean(inp: ArrayLike, axis: int | Sequence[int] | None=None, keepdims: bool=False) -> Tensor:
    """The mean; integers and float16 count as float32."""
def max(inp: ArrayLike, axis: int | Sequence[int] | None=None, keepdims: bool=False) -> Tensor:
    """The largest value."""
def min(inp: ArrayLike, axis: int | Sequence[int] | None=None, keepdims: bool=False) -> Tensor:
    """The smallest value."""
def var(inp: ArrayLike, axis: int | Sequence[int] | None=None, keepdims: bool=False) -> Tensor:
    """The mean squared distance to the mean."""
def std(inp: ArrayLike, axis: int | Sequence[int] | None=None, keepdims: bool=False) -> Tensor:
    """The root of `var`."""
def argmax(inp: ArrayLike, axis: int | Sequence[int] | None=None, keepdims: bool=False) -> Tensor:
    """The index of the largest value, of dtype int32."""
def argmin(inp: ArrayLike, axis: int | Sequence[int] | None=None, keepdims: bool=False) -> Tensor:
    """The index of the smallest value, of dtype int32."""
def isnan(inp: ArrayLike) -> Tensor:
    """Whether each value is NaN."""
def isinf(inp: ArrayLike) -> Tensor:
    """Whether each value is infinite."""
