"""`checkpoint`: keep only the inputs of a function, and compute it again in the backward pass."""

from __future__ import annotations

from collections.abc import Callable
from contextvars import copy_context
from typing import Any

from .._core.engine.array import Array, alias, wrap
from .._core.engine.mode import mode
from .._core.engine.node import Node, Variable, next_number
from .._core.engine.pull import output, passing
from .._core.engine.sweep import sweep
from .._core.engine.tape import common, union
from .._core.errors import AutogradError, DTypeError
from .._core.kernels import generator
from .._core.kernels.foreign import own
from .._core.scopes import restored_writes, scope
from .._core.transforms.batched import LEVELS, Level
from .._core.transforms.crossing import outside_now


def checkpoint(function: Callable[..., Any], *inputs: Any, **keywords: Any) -> Any:
    """Call a function without keeping its values; the backward pass computes them again.

    Everything the call records is freed at once, except for the inputs. The backward pass records
    it again, with the same random numbers and in the same mode. A chain of ``n`` layers in ``√n``
    calls needs memory for about ``2 √n`` layers, and one more forward pass.

    Parameters
    ----------
    function : callable
        Returns an array, or nested tuples, lists and dicts of arrays and other objects. Arrays
        that it captures, such as parameters, get their gradients too. It must compute the same
        values when it is called again. Writes to other arrays, such as running averages, happen
        only once.
    *inputs : object
        Its arguments; they may be nested tuples, lists and dicts of arrays.
    **keywords : object
        Its keyword arguments, in the same forms.

    Returns
    -------
    object
        What the function returns.

    Raises
    ------
    DTypeError
        If `function` cannot be called.
    AutogradError
        In the backward pass, if a variable that the function captures was written to after the
        call, or if the second call returns something else.

    Notes
    -----
    Gradients of every order equal those of the same function without `checkpoint`. Checkpoints can
    be nested.

    Examples
    --------
    >>> from gluon import autograd, nd
    >>> def layer(x):
    ...     return nd.tanh(x * w)
    >>> w, x = nd.array([0.5]), nd.array([0])
    >>> w.attach_grad()
    >>> x.attach_grad()
    >>> with autograd.record():
    ...     y = autograd.checkpoint(layer, x)
    >>> y.backward()
    >>> x.grad.asscalar().item()
    0.5
    """
    if not callable(function):
        raise DTypeError(
            f"checkpoint: give a function, then its arguments; got {type(function).__name__}"
        )
    if not mode().tapes:
        return function(*inputs, **keywords)
    call, start = _Call(function, inputs, keywords), next_number()
    value = call.first(inputs, keywords)
    tapes = mode().tapes
    ends = {id(y): common(tapes, y._node.tapes) for y in leaves(value) if _is_newer(y, start)}
    if not ends:
        return value
    tracked = [y for y in leaves(value) if id(y) in ends]
    node = _node(call, tracked, union(tapes, *ends.values()), start)
    call.places = [place for place, y in enumerate(leaves(value)) if id(y) in ends]
    ports = {id(y): output(node, k) if node.op.many else node for k, y in enumerate(tracked)}
    for key, port in ports.items():
        port.tapes = ends[key]

    def handle(y: Array) -> Array:
        return wrap(type(y), y.raw, y._ctx, ports[id(y)]) if id(y) in ports else y

    return mapped(handle, value)


def _is_newer(y: Array, start: int) -> bool:
    """Whether the history of `y` ends in a node that was recorded after number `start`."""
    return bool(y._node.tapes) and y._node.number < start


def _node(call: _Call, tracked: list, tapes: tuple, start: int) -> Node:
    """Return the node of a call, with edges to all of its sources."""
    node = Node()
    node.op = _Recomputed(call.name, many=len(tracked) > 1)
    node.tapes, node.attrs, node.width = tapes, {}, len(tracked)
    node.edges = edges = _sources([y._node for y in tracked], tapes, start)
    node.number, node.kept = next_number(), (call,)
    given = {x._node for x in leaves(call.arguments)}
    call.captured = [
        (edge, edge.writes) for edge in edges if type(edge) is Variable and edge not in given
    ]
    return node


def _sources(nodes: list[Node], tapes: tuple, start: int) -> tuple[Node, ...]:
    """Return the nodes recorded before number `start` that lead to `nodes`."""
    found, seen, stack = [], set(nodes), list(nodes)
    while stack:
        node = stack.pop()
        if node.number > start:
            found.append(node)
            continue
        for edge in node.edges or ():
            if edge is not None and edge not in seen and common(tapes, edge.tapes):
                seen.add(edge)
                stack.append(edge)
    return tuple(found)


class _Recomputed:
    """The operator of a checkpointed call."""

    single = None

    def __init__(self, name: str, many: bool) -> None:
        self.name, self.many = name, many

    def pull(self, node: Node, g: Any, wants: Any) -> list[Any]:
        """Repeat the call, and run the backward pass through the new recording."""
        now = mode()
        tape, watched = now.walked, now.walked in now.tapes
        nodes = node.kept[0].again(now.tapes if watched else (*now.tapes, tape))
        with outside_now(node.kept[0].later_levels()):
            return self._swept(node, nodes, g, wants)

    def _swept(self, node: Node, nodes: list[Node], g: Any, wants: Any) -> list[Any]:
        now = mode()
        tape, watched = now.walked, now.walked in now.tapes
        cotangents = [_inside(one) for one in (g if self.many else (g,))]
        seeds = [
            (end, one if isinstance(one, Array) else wrap(Array, one))
            for end, one in zip(nodes, cotangents)
            if one is not None and tape in end.tapes
        ]
        received, _ = sweep(
            tape,  # type: ignore[arg-type]
            seeds,
            receivers=[edge for edge in node.edges if wants is None or wants(edge)],
            stops=True,
            retain=watched,
            create_graph=watched,
            training=now.training,
        )
        return [received.get(edge) for edge in node.edges]

    pull_watched = pull


def _inside(cotangent: Any) -> Any:
    """A cotangent as a handle that is newer than what was computed again."""
    if not isinstance(cotangent, Array) or not cotangent._node.tapes or not LEVELS.get():
        return cotangent
    return wrap(type(cotangent), cotangent.raw, cotangent._ctx, passing(cotangent._node))


def leaves(tree: Any) -> list[Array]:
    """The different arrays in nested tuples, lists and dicts."""
    found: dict[int, Array] = {}
    mapped(lambda x: found.setdefault(id(x), x), tree)
    return list(found.values())


def mapped(change: Callable[..., Any], tree: Any) -> Any:
    """Nested tuples, lists and dicts with every array in them changed."""
    if isinstance(tree, Array):
        return change(tree)
    if isinstance(tree, dict):
        return {key: mapped(change, value) for key, value in tree.items()}
    if type(tree) in (tuple, list):
        return type(tree)(mapped(change, value) for value in tree)
    if isinstance(tree, tuple) and hasattr(tree, "_make"):
        return tree._make(mapped(change, value) for value in tree)
    return tree


class _Call:
    """A call that can be repeated.

    Attributes
    ----------
    name : str
        What the function is called, in messages.
    arguments : tuple
        Positional ones and keywords; the arrays are handles and copies of its own.
    context : contextvars.Context
        The training flag, the device and the like.
    random : dict
        The state of the generator.
    shapes : list of tuple
        Those of the arrays that the function returned.
    places : list of int
        Which of these are tracked.
    captured : list of (Variable, int)
        The variables that it captured, and how often they had been written to.
    """

    places: list[int]
    captured: list[tuple[Variable, int]]

    def __init__(
        self, function: Callable[..., Any], inputs: tuple[Any, ...], keywords: dict[Any, Any]
    ) -> None:
        self.function = function
        self.name = getattr(function, "__name__", type(function).__name__)
        self.arguments = mapped(alias, own((inputs, keywords)))
        self.context = copy_context()

    def first(self, inputs: tuple[Any, ...], keywords: dict[Any, Any]) -> Any:
        """Call the function on the caller's arguments."""
        inputs, keywords = mapped(alias, (inputs, keywords))
        with generator.remembered() as self.random:
            value = self.function(*inputs, **keywords)
        self.shapes = [y.shape for y in leaves(value)]
        return value

    def again(self, tapes: tuple[Any, ...]) -> list[Node]:
        """Repeat the call, recorded only by `tapes`, and return the nodes of its results."""
        for variable, writes in self.captured:
            if variable.writes != writes:
                raise AutogradError(
                    f"checkpoint: a variable of shape {variable.shape} that {self.name} captures"
                    " was written to after the call, which can therefore not be computed again;"
                    " call backward first, or pass the variable as an argument"
                )

        def run() -> list[Node]:
            inputs, keywords = mapped(alias, own(self.arguments))
            with (
                generator.replaying(self.random),
                restored_writes(),
                scope(lambda now, entry: now.recorded_by(tapes, entry=entry)),
            ):
                found = leaves(self.function(*inputs, **keywords))
                if (shapes := [y.shape for y in found]) != self.shapes:
                    raise AutogradError(
                        f"checkpoint: {self.name} returned arrays of shapes {shapes} when it was"
                        f" computed again, and {self.shapes} the first time; it must compute the"
                        " same"
                    )
                return [found[place]._node for place in self.places]

        return self.context.copy().run(run)

    def later_levels(self) -> list[Level]:
        """The runs of `vmap` that the call did not stand in, as this one does."""
        known = self.context.get(LEVELS, ())
        return [one for one in LEVELS.get() if one not in known]

    def forward(self, *inputs: Any) -> Any:
        """Compute the call for a `Symbol`, which has no access to captured arrays."""
        raise AutogradError(
            f"checkpoint: {self.name} cannot be computed from a symbol; record it without"
            " checkpoint()"
        )
