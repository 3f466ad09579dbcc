"""Functions with rules of their own: for reverse mode, for forward mode, and for vmap."""

from __future__ import annotations

from collections.abc import Callable
from functools import update_wrapper
from typing import Any, Generic, ParamSpec, TypeVar

from .._core import tree
from .._core.engine.array import Array
from .._core.errors import ArgumentError, DTypeError
from .._core.transforms import crossing
from .._core.transforms.batched import Level, is_at
from ..autograd.arguments import as_array, class_of
from ..autograd.function import Function
from ..autograd.point import zeros
from .reverse import vjp

P = ParamSpec("P")
R = TypeVar("R")


class _Call(Function):
    """One call of a function with rules, as an operator on the leaves of its arguments."""

    _batches = True

    def __init__(self, rules: _Rules[Any, Any], structure: tree.Structure) -> None:
        self.rules, self.structure = rules, structure
        self.form: Any = None
        self.held: Any = None

    def forward(self, *leaves: Any) -> Any:
        arguments = self.structure.unflatten(leaves)
        value, self.held = self.rules._run(arguments)
        found, self.form = tree.flatten(value)
        found = [as_array(one) for one in found]
        for one, path in zip(found, self.form.paths):
            if not isinstance(one, Array):
                raise DTypeError(
                    f"{self.rules.__name__}: output{path} is {class_of(one)}; a function with a"
                    " rule of its own returns arrays, or trees of them"
                )
        return found

    def backward(self, *cotangents: Any) -> Any:
        name = self.rules.__name__
        grads = self.rules._pull(self.held, self.form.unflatten(cotangents))
        count = len(self.structure._children)
        if not isinstance(grads, (tuple, list)) or len(grads) != count:
            got = f"{len(grads)}" if isinstance(grads, (tuple, list)) else class_of(grads)
            raise ArgumentError(
                f"{name}: its rule must return a tuple of {count} gradients, one for each"
                f" argument; got {got}"
            )
        found: list[Any] = []
        for k, (one, form) in enumerate(zip(grads, self.structure._children)):
            if one is None:
                found += [None] * form.num_leaves
            else:
                found += tree.matched(
                    f"{name}: gradient {k}", form, one, "the argument", lambda x: x is None
                )
        return [as_array(one) for one in found]


class _Rules(Generic[P, R]):
    """A function with rules; what `custom_vjp` and `custom_jvp` have in common."""

    _what: str
    __name__: str

    def __init__(self, function: Callable[P, R]) -> None:
        if not callable(function):
            raise DTypeError(f"{self._what}: give a function, not {type(function).__name__}")
        update_wrapper(self, function, updated=())
        self.function = function
        self.__name__ = getattr(function, "__name__", type(function).__name__)
        self._batched: Callable[..., Any] | None = None

    def defvmap(self, rule: Callable[..., Any]) -> Callable[..., Any]:
        """Give the rule for `vmap`; without one, the function and its rules run on batched arrays.

        Parameters
        ----------
        rule : callable
            ``rule(axis_size, in_batched, *arguments)`` gets the arguments, with the examples along
            axis 0 of those arrays for which `in_batched`, a tuple of trees of bool, says so. It
            returns the value with the examples along axis 0 of each array.

        Returns
        -------
        callable
            `rule`, so that it serves as a decorator.
        """
        self._batched = rule
        return rule

    def __call__(self, *arguments: P.args, **keywords: P.kwargs) -> R:
        """Call the function."""
        if keywords:
            raise ArgumentError(
                f"{self.__name__}: a function with a rule of its own takes positional arguments"
                f" alone; got {', '.join(keywords)}"
            )
        self._check()
        leaves, structure = tree.flatten(arguments)
        level = crossing.level_of(leaves)
        if self._batched is not None and level is not None:
            return self._mapped(self._batched, leaves, structure, level)
        if not any(isinstance(x, Array) for x in leaves):
            leaves = [as_array(x) for x in leaves]
        one = _Call(self, structure)
        found = one(*leaves)
        result: R = one.form.unflatten(found)
        return result

    def _mapped(
        self, rule: Callable[..., Any], leaves: list[Any], structure: tree.Structure, level: Level
    ) -> Any:
        batched = [isinstance(x, Array) and is_at(x.raw, level) for x in leaves]
        whole = [
            crossing.unbatch(x, axis=0, level=level) if inside else x
            for x, inside in zip(leaves, batched)
        ]
        value = rule(level.size, structure.unflatten(batched), *structure.unflatten(whole))
        return tree.map(lambda y: crossing.batch(y, axis=0, level=level), value)

    def _check(self) -> None:
        raise NotImplementedError

    def _run(self, arguments: tuple[Any, ...]) -> tuple[Any, Any]:
        raise NotImplementedError

    def _pull(self, held: Any, cotangent: Any) -> Any:
        raise NotImplementedError


class custom_vjp(_Rules[P, R]):
    """A function with a gradient of its own: a decorator, with JAX's names.

    Parameters
    ----------
    function : callable
        Takes arrays of any shape, or trees of them, by position, and returns such.

    Raises
    ------
    ArgumentError
        When it is called, if `defvjp` was not, or the rule returns no gradient for each argument.
    DTypeError
        If `function` is not callable.

    Examples
    --------
    >>> from gluon import func, np
    >>> @func.custom_vjp
    ... def clipped(x):
    ...     return x * 1
    >>> clipped.defvjp(lambda x: (x * 1, None), lambda residuals, g: (np.clip(g, -1, 1),))
    >>> func.grad(lambda x: (clipped(x) * np.array([0.5, 3])).sum())(np.array([1, 2]))
    array([0.5, 1. ])
    """

    _what = "custom_vjp"
    _rules: tuple[Callable[..., Any], Callable[..., Any]] | None = None

    def defvjp(self, fwd: Callable[..., Any], bwd: Callable[..., Any]) -> None:
        """Give the rule for reverse mode; forward mode follows from it.

        Parameters
        ----------
        fwd : callable
            ``fwd(*arguments)`` returns the value and what `bwd` needs. For gradients of higher
            order these are arguments and outputs: `bwd` computes other arrays again.
        bwd : callable
            ``bwd(residuals, cotangent)`` returns a tuple with a gradient for each argument, of its
            form and shapes; None where there is none.
        """
        self._rules = fwd, bwd

    def _check(self) -> None:
        if self._rules is None:
            raise ArgumentError(
                f"{self.__name__}: call its defvjp(fwd, bwd) before the function is called"
            )

    def _run(self, arguments: tuple[Any, ...]) -> tuple[Any, Any]:
        assert self._rules is not None
        found = self._rules[0](*arguments)
        if not isinstance(found, (tuple, list)) or len(found) != 2:
            raise ArgumentError(
                f"{self.__name__}: fwd must return a pair, the value and what bwd needs; got"
                f" {class_of(found)}"
            )
        return found[0], found[1]

    def _pull(self, held: Any, cotangent: Any) -> Any:
        assert self._rules is not None
        return self._rules[1](held, cotangent)


class custom_jvp(_Rules[P, R]):
    """A function with a derivative of its own, in forward mode: a decorator, with JAX's names.

    Its gradient in reverse mode is the transpose of the rule, which has to be linear in the
    tangents.

    Parameters
    ----------
    function : callable
        Takes arrays of any shape, or trees of them, by position, and returns such.

    Raises
    ------
    ArgumentError
        When it is called, if `defjvp` was not.
    DTypeError
        If `function` is not callable.

    Examples
    --------
    >>> from gluon import func, np
    >>> @func.custom_jvp
    ... def log1pexp(x):
    ...     return np.log(1 + np.exp(x))
    >>> @log1pexp.defjvp
    ... def rule(primals, tangents):
    ...     (x,), (t,) = primals, tangents
    ...     return log1pexp(x), (1 - 1 / (1 + np.exp(x))) * t
    >>> func.grad(log1pexp)(100.0)
    array(1., dtype=float64)
    """

    _what = "custom_jvp"
    _rule: Callable[..., Any] | None = None

    def defjvp(self, jvp: Callable[..., Any]) -> Callable[..., Any]:
        """Give the rule.

        Parameters
        ----------
        jvp : callable
            ``jvp(primals, tangents)`` gets the arguments and their tangents, two tuples, and
            returns the value and its tangent.

        Returns
        -------
        callable
            `jvp`, so that it serves as a decorator.
        """
        self._rule = jvp
        return jvp

    def _check(self) -> None:
        if self._rule is None:
            raise ArgumentError(
                f"{self.__name__}: call its defjvp(jvp) before the function is called"
            )

    def _run(self, arguments: tuple[Any, ...]) -> tuple[Any, Any]:
        function: Any = self.function
        return function(*arguments), arguments

    def _pull(self, held: Any, cotangent: Any) -> Any:
        rule: Any = self._rule
        flat, structure = tree.flatten(held)
        varying = [isinstance(x, Array) and x.form.dtype.kind not in "biu" for x in flat]
        start = [zeros(x, x.shape) for x, varies in zip(flat, varying) if varies]

        def push(*tangents: Any) -> Any:
            given = iter(tangents)
            whole = [next(given) if varies else None for varies in varying]
            return rule(held, structure.unflatten(whole))[1]

        found = iter(vjp(push, *start)[1](cotangent))
        grads = [next(found) if varies else None for varies in varying]
        return structure.unflatten(grads)
