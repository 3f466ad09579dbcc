"""`jit`: a step that runs as one program, without Python for each operator."""

from __future__ import annotations

from collections.abc import Callable
from functools import update_wrapper
from types import MethodType
from typing import Any, Generic, ParamSpec, TypeVar

from .errors import DTypeError
from .hints.lookup import hinted

__all__ = ["Jitted", "jit"]

P = ParamSpec("P")
R = TypeVar("R")


class Jitted(Generic[P, R]):
    """A step that `jit` has decorated: call it as the step itself.

    Parameters
    ----------
    step : callable
    exact : bool
        See `jit`.

    Examples
    --------
    >>> import gluon
    >>> type(gluon.jit(abs)).__name__
    'Jitted'
    """

    __module__ = "gluon.jitted"  # the public path, which users see

    def __init__(self, step: Callable[P, R], exact: bool = False) -> None:
        if not callable(step):
            raise DTypeError(f"jit: give a function, not {type(step).__name__}")
        from .program import convolutions  # noqa: F401  (the rules of operators, before the first use)
        from .program.step import Compiled

        self._compiled = Compiled(step, exact)
        update_wrapper(self, step)

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """What the step gives."""
        compiled = self._compiled
        found: R = compiled.call(compiled.function, args, kwargs)
        return found

    def __get__(self, owner: Any, kind: Any = None) -> Any:
        return self if owner is None else MethodType(self, owner)

    def program(self) -> str:
        """The programs of the step as text, and why calls ran as written.

        Returns
        -------
        str

        Examples
        --------
        >>> import gluon
        >>> from gluon import nd
        >>> step = gluon.jit(lambda x: (x * 2 + 1).sum())
        >>> for _ in range(3):
        ...     y = step(nd.ones((2, 3)))
        >>> print(step.program().splitlines()[0])
        <lambda>: 1 form of arguments
        """
        from .program.picture import shown

        return shown(getattr(self, "__name__", "step"), self._compiled)


@hinted
def jit(step: Callable[P, R], *, exact: bool = False) -> Jitted[P, R]:
    """Let a step run as one program: forward pass, backward pass and update, without Python.

    The first call of a step runs as written. The second and the third are watched: what they
    compute becomes a list of instructions. If both do the same, and the instructions give the same
    values, the calls that follow run them. Otherwise they go on as written; `Jitted.program` says
    why.

    Parameters
    ----------
    step : callable
        A function of arrays, and of nested lists, tuples and dictionaries of arrays. Everything
        else among its arguments chooses a program. It may record, go backwards, write to arrays,
        call layers and a `Trainer`. Numbers that Python computes are those of the watched calls,
        as long as what they are computed from is the same; the learning rate of a `Trainer` is
        not fixed.
    exact : bool, default False
        Whether sums are added in the same order as without. Otherwise results may differ in the
        last digits.

    Returns
    -------
    Jitted
        The step, to be called in the same way.

    Examples
    --------
    >>> import gluon
    >>> from gluon import autograd, nd
    >>> w = nd.array([1, 2])
    >>> w.attach_grad()
    >>> @gluon.jit
    ... def step(x):
    ...     with autograd.record():
    ...         loss = ((w * x) ** 2).sum()
    ...     loss.backward()
    ...     w[:] = w - 0.1 * w.grad
    ...     return loss
    >>> [round(float(step(nd.array([1, 1])).asscalar()), 3) for _ in range(5)]
    [5.0, 3.2, 2.048, 1.311, 0.839]
    """
    return Jitted(step, exact)
