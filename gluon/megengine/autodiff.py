"""MegEngine's `GradManager` and `Function`: those of gluon, over tensors."""

from __future__ import annotations

from copy import copy
from typing import TYPE_CHECKING, Any
from weakref import WeakSet

from .. import autodiff
from .._core.arrays.base import as_list
from .._core.engine.array import Array
from .._core.engine.op import RECORDED
from .._core.errors import DTypeError, a_type
from ..autodiff.grad_manager import AttachSpec as AttachSpec
from ..autodiff.grad_manager import GradManagerGroup as GradManagerGroup
from ..autograd import function
from .absent import missing
from .interfaces import as_tensor

__all__ = ["Function", "GradManager"]


class GradManager(autodiff.GradManager):
    """Records computations on attached tensors; see `gluon.autodiff.GradManager`.

    If a callback returns None, the gradient of its tensor is unchanged.

    Examples
    --------
    >>> from gluon.megengine import Tensor
    >>> x = Tensor([1.0, 2.0])
    >>> with GradManager().attach(x, lambda tensor, grad: print(grad)) as gm:
    ...     _ = gm.backward((x * x).sum())
    Tensor([2. 4.], device=xpux:0)
    >>> x.grad is None
    True
    """

    _drops = True
    #: All living managers.
    _all: WeakSet[GradManager] = WeakSet()  # noqa: RUF012  (of all together)

    def __init__(self) -> None:
        super().__init__()
        self._kept: list[Array] = []
        GradManager._all.add(self)

    def backward(self, y: Any = None, dy: Any = None) -> Any:
        """Add the gradients of `y`, and of tensors sent to other processes.

        See `gluon.autodiff.GradManager.backward`.
        """
        if self._kept:
            ys = as_list(y)
            zeros = [RECORDED.zeros_like(one) for one in self._kept]
            dy = [*([None] * len(ys) if dy is None else as_list(dy)), *zeros]
            y = [*ys, *self._kept]
        return super().backward(y, dy)

    def release(self) -> None:
        """Stop recording without computing gradients."""
        self._kept.clear()
        super().release()


def keep(x: Array) -> None:
    """Include `x` in `backward` of the managers that record it."""
    for manager in list(GradManager._all):
        if manager._session is not None and manager._session.tape in x._node.tapes:
            manager._kept.append(x)


def attach_to_all(x: Array) -> None:
    """Attach `x` to every manager that records."""
    for manager in list(GradManager._all):
        if manager._session is not None and manager._session.tape.open:
            manager.attach(x)


class _Call(function.Function):
    """One call of a `Function`, with the values that its forward kept."""

    _keeps_none = True

    def __init__(self, own: Function) -> None:
        self.own = own

    def forward(self, *inputs: Any) -> Any:
        return self.own.forward(*map(as_tensor, inputs))

    def backward(self, *output_grads: Any) -> Any:
        grads = self.own.backward(*[one if one is None else as_tensor(one) for one in output_grads])
        return (None,) if grads is None else grads  # which MegEngine allows


class Function:
    """Base class of functions with a custom gradient.

    Write ``forward(*inputs)`` and ``backward(*output_grads)``. Keep what backward needs in
    attributes. An instance may be called any number of times: each call has its own attributes.

    Examples
    --------
    >>> import gluon.megengine.functional as F
    >>> from gluon.megengine import Tensor
    >>> class Sigmoid(Function):
    ...     def forward(self, x):
    ...         self.y = 1 / (1 + F.exp(-x))
    ...         return self.y
    ...     def backward(self, dy):
    ...         return dy * self.y * (1 - self.y)
    >>> x = Tensor([0.0])
    >>> with GradManager().attach(x) as gm:
    ...     _ = gm.backward(Sigmoid()(x))
    >>> x.grad
    Tensor([0.25], device=xpux:0)
    """

    def forward(self, *inputs: Any) -> Any:
        """Compute the outputs."""
        raise NotImplementedError(f"{type(self).__name__} has no forward(self, *inputs)")

    def backward(self, *output_grads: Any) -> Any:
        """Compute the gradients of the inputs.

        Parameters
        ----------
        *output_grads : Tensor or None, of any dtype
            The gradient of each output, of its shape; None if nothing depends on the output.

        Returns
        -------
        Tensor or None, or list or tuple of these
            One for each input, of its shape; None for no gradient.
        """
        raise NotImplementedError(f"{type(self).__name__} has no backward(self, *output_grads)")

    def __call__(self, *inputs: Any) -> Any:
        """Run `forward` on tensors and record the call as one operator."""
        for place, one in enumerate(inputs):
            if not isinstance(one, Array):
                raise DTypeError(
                    f"{type(self).__name__}: input {place} is {a_type(one)}; give a"
                    " Tensor, and numbers to the constructor"
                )
        kind = type(type(self).__name__, (_Call,), {})  # messages name the user's class
        return kind(copy(self))(*map(as_tensor, inputs))


if not TYPE_CHECKING:  # which looks missing names up itself
    __getattr__ = missing("autodiff", __all__)
