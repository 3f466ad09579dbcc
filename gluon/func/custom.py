"""Functions with rules of their own: for reverse mode, for forward mode, and for vmap."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from contextlib import suppress
from contextvars import ContextVar
from functools import partial, update_wrapper
from typing import Any, Generic, ParamSpec, TypeVar

from .._core import tree
from .._core.arrays.history import constants
from .._core.engine.array import Array
from .._core.engine.mode import mode
from .._core.engine.node import InFunction
from .._core.errors import ArgumentError, DTypeError
from .._core.transforms import crossing
from .._core.transforms.batched import Level, is_at
from ..autograd.arguments import as_array, class_of, places
from ..autograd.function import Function
from ..autograd.point import zeros
from .reverse import vjp

P = ParamSpec("P")
R = TypeVar("R")
#: The functions with rules whose `fwd` runs in this thread or task.
_running: ContextVar[tuple[Any, ...]] = ContextVar("gluon_custom_rules", default=())


class _Call(Function):
    """One call of a function with rules, as an operator on the leaves of its arguments.

    `fixed` has the arguments without a derivative, by position.
    """

    _batches = True

    def __init__(
        self, rules: _Rules[Any, Any], structure: tree.Structure, fixed: dict[int, Any]
    ) -> None:
        self.rules, self.structure, self.fixed = rules, structure, fixed
        self.form: Any = None
        self.held: Any = None
        self.leaves: tuple[Any, ...] | None = None

    def forward(self, *leaves: Any) -> Any:
        value, self.held = self.rules._run(self.structure.unflatten(leaves), self.fixed)
        found, self.form = tree.flatten(value)
        kept = [x for x in tree.leaves(self.held) if isinstance(x, Array)]
        if any(type(x._node) is InFunction for x in kept if all(x is not y for y in found)):
            self.leaves = leaves
        found = [as_array(one) for one in found]
        for one, path in zip(found, self.form.paths):
            if not isinstance(one, Array):
                raise DTypeError(
                    f"{self.rules.__name__}: output{path} is {class_of(one)}; a function with a"
                    " rule of its own returns arrays, or trees of them"
                )
        return found

    def backward(self, *cotangents: Any) -> Any:
        name, held = self.rules.__name__, self.held
        if self.leaves is not None and mode().tapes:  # it computes on what has a history
            held = self.rules._run(self.structure.unflatten(self.leaves), self.fixed)[1]
        grads = self.rules._pull(held, self.form.unflatten(cotangents), self.fixed)
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

    def __init__(self, function: Callable[P, R], nondiff_argnums: int | Sequence[int] = ()) -> None:
        if not callable(function):
            raise DTypeError(f"{self._what}: give a function, not {type(function).__name__}")
        update_wrapper(self, function, updated=())
        self.function = function
        self.nondiff_argnums = nondiff_argnums
        self.__name__ = getattr(function, "__name__", type(function).__name__)
        self._call = type(self.__name__, (_Call,), {})  # messages and graphs name it
        self._batched: Callable[..., Any] | None = None
        self._forward: Callable[..., Any] = function
        self._signature: inspect.Signature | None = None
        with suppress(TypeError, ValueError):  # of C, without a signature
            self._signature = inspect.signature(function)

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
        if self in _running.get():
            return self.function(*arguments, **keywords)
        self._check()
        given = self._positional(arguments, keywords)
        fixed = {place: given[place] for place in self._fixed(len(given))}
        self._refuse_recorded(fixed)
        varying = tuple([one for place, one in enumerate(given) if place not in fixed])
        leaves, structure = tree.flatten(varying)
        level = crossing.level_of(leaves)
        if self._batched is not None and level is not None:
            return self._mapped(self._batched, leaves, structure, level, fixed)
        if not any(isinstance(x, Array) for x in leaves):
            leaves = [as_array(x) for x in leaves]
        one = self._call(self, structure, fixed)
        found = one(*leaves)
        result: R = one.form.unflatten(found)
        return result

    def _positional(self, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> tuple[Any, ...]:
        """Return all arguments by position, with those that have defaults."""
        if self._signature is None:
            return arguments
        try:
            bound = self._signature.bind(*arguments, **keywords)
        except TypeError as error:
            raise ArgumentError(f"{self.__name__}: {error}") from None
        bound.apply_defaults()
        if bound.kwargs:
            raise ArgumentError(
                f"{self.__name__}: a function with a rule of its own has no arguments that are"
                f" given by name alone; got {', '.join(bound.kwargs)}"
            )
        return bound.args

    def _fixed(self, count: int) -> list[int]:
        """Return the positions of the arguments without a derivative."""
        chosen = self.nondiff_argnums
        if not isinstance(chosen, int) and not chosen:
            return []
        name = f"{self._what}: nondiff_argnums of {self.__name__}"
        return sorted(places(name, chosen, count, "argument")[0])

    def _refuse_recorded(self, fixed: dict[int, Any]) -> None:
        """Raise if a recorded array has an effect without being an argument with a derivative."""
        for place, one in fixed.items():
            constants(self.__name__, **{f"argument {place}": tree.leaves(one)})
        todo = [self.function, self._forward, *fixed.values()]
        for function in todo:
            if isinstance(function, partial):
                given = [*function.args, *function.keywords.values()]
                constants(self.__name__, **{"an argument of a partial": tree.leaves(given)})
                todo += [function.func, *given]
            names = getattr(getattr(function, "__code__", None), "co_freevars", ())
            for name, cell in zip(names, getattr(function, "__closure__", None) or ()):
                value = getattr(cell, "cell_contents", None)
                if callable(value) and not any(value is one for one in todo):
                    todo.append(value)
                constants(self.__name__, **{name: tree.leaves(value)})

    def _mapped(
        self,
        rule: Callable[..., Any],
        leaves: list[Any],
        structure: tree.Structure,
        level: Level,
        fixed: dict[int, Any],
    ) -> Any:
        batched = [isinstance(x, Array) and is_at(x.raw, level) for x in leaves]
        whole = [
            crossing.unbatch(x, axis=0, level=level) if inside else x
            for x, inside in zip(leaves, batched)
        ]
        never = dict.fromkeys(fixed, False)
        value = rule(
            level.size,
            with_fixed(structure.unflatten(batched), never),
            *with_fixed(structure.unflatten(whole), fixed),
        )
        return tree.map(lambda y: crossing.batch(y, axis=0, level=level), value)

    def _check(self) -> None:
        raise NotImplementedError

    def _run(self, varying: tuple[Any, ...], fixed: dict[int, Any]) -> tuple[Any, Any]:
        raise NotImplementedError

    def _pull(self, held: Any, cotangent: Any, fixed: dict[int, Any]) -> Any:
        raise NotImplementedError


def with_fixed(varying: Sequence[Any], fixed: dict[int, Any]) -> tuple[Any, ...]:
    """All arguments in order: those with a derivative, and the others by position."""
    found = list(varying)
    for place, one in fixed.items():  # in ascending order
        found.insert(place, one)
    return tuple(found)


class custom_vjp(_Rules[P, R]):
    """Decorator that gives a function its own gradient; the names are those of JAX.

    Parameters
    ----------
    function : callable
        Takes and returns arrays of any shape, or trees of them.
    nondiff_argnums : int or sequence of int, default ()
        The positions of arguments without a derivative, which may be anything, such as functions.

    Raises
    ------
    ArgumentError
        When you call the function before `defvjp`, or if the rule does not return a gradient for
        each argument.
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
            ``fwd(*arguments)`` returns the value and the residuals, which are whatever `bwd` needs.
            If the residuals contain arrays other than arguments and outputs, `fwd` runs again for
            gradients of higher order. Inside `fwd`, a call of the function has no rule.
        bwd : callable
            ``bwd(residuals, cotangent)`` returns a tuple with a gradient for each argument, of the
            form and shapes of the argument, or None for no gradient. Arguments without a
            derivative come first.
        """
        self._rules, self._forward = (fwd, bwd), fwd

    def _check(self) -> None:
        if self._rules is None:
            raise ArgumentError(
                f"{self.__name__}: call its defvjp(fwd, bwd) before the function is called"
            )

    def _run(self, varying: tuple[Any, ...], fixed: dict[int, Any]) -> tuple[Any, Any]:
        assert self._rules is not None
        before = _running.set((*_running.get(), self))
        try:
            found = self._rules[0](*with_fixed(varying, fixed))
        finally:
            _running.reset(before)
        if not isinstance(found, (tuple, list)) or len(found) != 2:
            raise ArgumentError(
                f"{self.__name__}: fwd must return a pair, the value and what bwd needs; got"
                f" {class_of(found)}"
            )
        return found[0], found[1]

    def _pull(self, held: Any, cotangent: Any, fixed: dict[int, Any]) -> Any:
        assert self._rules is not None
        return self._rules[1](*fixed.values(), held, cotangent)


class custom_jvp(_Rules[P, R]):
    """Decorator that gives a function its own derivative in forward mode; the names are JAX's.

    The gradient in reverse mode is the transpose of the rule, so the rule must be linear in the
    tangents.

    Parameters
    ----------
    function : callable
        Takes and returns arrays of any shape, or trees of them.
    nondiff_argnums : int or sequence of int, default ()
        The positions of arguments without a derivative, which may be anything, such as functions.

    Raises
    ------
    ArgumentError
        When you call the function before `defjvp`.
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
            returns the value and its tangent. Arguments without a derivative come first. The
            tangent of a number is 0. Other leaves that are not arrays of floats have the tangent
            None.

        Returns
        -------
        callable
            `jvp`, so that it serves as a decorator.
        """
        self._rule = jvp
        return jvp

    def defjvps(self, *jvps: Callable[..., Any] | None) -> None:
        """Give a rule for each argument; the tangent of the value is the sum of their results.

        Parameters
        ----------
        *jvps : callable or None
            ``jvp(tangent, value, *primals)`` returns the tangent of the value for the tangent of
            one argument; None stands for zeros.

        Raises
        ------
        ArgumentError
            When you call the function, if there are more or fewer rules than arguments.

        Examples
        --------
        >>> from gluon import func
        >>> @func.custom_jvp
        ... def scaled(x, y):
        ...     return x * y
        >>> scaled.defjvps(lambda t, value, x, y: t * y, None)
        >>> func.grad(scaled, (0, 1))(2.0, 3.0)
        (array(3., dtype=float64), array(0., dtype=float64))
        """

        def rule(primals: tuple[Any, ...], tangents: tuple[Any, ...]) -> tuple[Any, Any]:
            if len(jvps) != len(primals):
                raise ArgumentError(
                    f"{self.__name__}: defjvps got {len(jvps)} rules for {len(primals)} arguments"
                )
            value: Any = self(*primals)  # type: ignore[call-arg]
            moves = zip(jvps, tangents)
            parts = [jvp(t, value, *primals) for jvp, t in moves if not (jvp is None or t is None)]
            return value, sum(parts[1:], parts[0]) if parts else value * 0

        self._rule = rule

    def _check(self) -> None:
        if self._rule is None:
            raise ArgumentError(
                f"{self.__name__}: call its defjvp(jvp) before the function is called"
            )

    def _run(self, varying: tuple[Any, ...], fixed: dict[int, Any]) -> tuple[Any, Any]:
        function: Any = self.function
        return function(*with_fixed(varying, fixed)), varying

    def _pull(self, held: Any, cotangent: Any, fixed: dict[int, Any]) -> Any:
        assert self._rule is not None
        rule = partial(self._rule, *fixed.values())
        flat, structure = tree.flatten(held)
        varying = [isinstance(x, Array) and x.form.dtype.kind not in "biu" for x in flat]
        start = [zeros(x, x.shape) for x, varies in zip(flat, varying) if varies]

        def push(*tangents: Any) -> Any:
            given, others = (
                iter(tangents),
                [0.0 if isinstance(x, (int, float)) else None for x in flat],
            )
            whole = [next(given) if varies else other for varies, other in zip(varying, others)]
            return rule(held, structure.unflatten(whole))[1]

        found = iter(vjp(push, *start)[1](cotangent))
        grads = [next(found) if varies else None for varies in varying]
        return structure.unflatten(grads)
