# Made by .ci/make_stubs.py
# mypy: disable-error-code="override"

from gluon.megengine.tensor import Tensor
from numpy.typing import ArrayLike
from typing import Any

def l1_loss(pred: ArrayLike, label: Any, reduction: str='mean') -> Tensor:
    """The absolute error."""
def square_loss(pred: ArrayLike, label: Any, reduction: str='mean') -> Tensor:
    """The squared error."""
def cross_entropy(pred: ArrayLike, label: ArrayLike, axis: int=1, with_logits: bool=True, label_smooth: float=0, reduction: str='mean') -> Any:
    """The cross-entropy between scores of classes and the true classes."""
def binary_cross_entropy(pred: ArrayLike, label: Any, with_logits: bool=True, reduction: str='mean') -> Tensor:
    """The binary cross-entropy."""
def hinge_loss(pred: ArrayLike, label: Any, norm: str='L1', reduction: str='mean') -> Tensor:
    """The hinge loss, summed over the classes of each sample."""
