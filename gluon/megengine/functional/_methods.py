"""The functions that are methods of `Tensor` as well."""

from __future__ import annotations

from typing import Any

from ..numpy_functions import FUNCTIONS, RENAMED, SAME
from ..tensor import Tensor
from . import elemwise, math, tensor


def _shape_method(function: Any) -> Any:
    """A method that takes lengths or axes one by one, or in one sequence."""

    def method(self: Tensor, *args: Any) -> Tensor:
        if len(args) == 1 and not isinstance(args[0], int):
            args = tuple(args[0])
        return function(self, args)

    method.__name__ = function.__name__
    method.__doc__ = function.__doc__
    return method


def _transpose(self: Tensor, pattern: Any = ()) -> Tensor:
    """The axes in another order, reversed by default.

    Parameters
    ----------
    pattern : sequence of int, optional
        For each axis of the result, which one of this tensor it is; also as separate arguments.

    Returns
    -------
    Tensor of the shape of this one in the new order

    Examples
    --------
    >>> from gluon.megengine import Tensor
    >>> Tensor([[1.0, 2.0]]).transpose().shape, Tensor([[1.0, 2.0]]).transpose(1, 0).shape
    ((2, 1), (2, 1))
    """
    return tensor.transpose(self, pattern or range(self.ndim)[::-1])


for _name in ("sum", "prod", "mean", "max", "min"):
    setattr(Tensor, _name, getattr(math, _name))
Tensor.flatten = tensor.flatten  # type: ignore[attr-defined]
Tensor.reshape = _shape_method(tensor.reshape)  # type: ignore[attr-defined]
Tensor.transpose = _shape_method(_transpose)  # type: ignore[attr-defined]
Tensor.T = property(_transpose)  # type: ignore[attr-defined]

for _name in (*SAME, *RENAMED):
    _own = RENAMED.get(_name, _name)
    FUNCTIONS[_name] = vars(elemwise).get(_own) or vars(math)[_own]
