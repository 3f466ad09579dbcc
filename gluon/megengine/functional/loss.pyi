# Made by .ci/make_stubs.py
# mypy: disable-error-code="override"

from gluon.megengine.functional._checked import checked
from gluon.megengine.tensor import Tensor
from numpy.typing import ArrayLike
from typing import Any

from ._declared_loss import binary_cross_entropy as binary_cross_entropy, cross_entropy as cross_entropy, hinge_loss as hinge_loss, l1_loss as l1_loss, square_loss as square_loss
__all__ = ['binary_cross_entropy', 'cross_entropy', 'ctc_loss', 'hinge_loss', 'l1_loss', 'square_loss']
@checked
def ctc_loss(pred: ArrayLike, pred_lengths: ArrayLike, label: ArrayLike, label_lengths: Any, blank: int=0, reduction: str='mean') -> Tensor: ...
