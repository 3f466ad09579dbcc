"""Where a function is differentiated: its arguments, some of them variables of a tape.

The functions of `gluon.autograd` (of arrays) and of `gluon.func` (of trees) do the same here. A
function is recorded on a tape of its own, and surrounding tapes record the backward pass. So
nothing touches a ``.grad`` or needs ``record()``; inside ``record()`` results can be differentiated
again, and all these functions can be nested.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from .._core import tree
from .._core.engine.array import Array, alias, wrap
from .._core.engine.mark import as_gradient
from .._core.engine.mode import mode, under
from .._core.engine.node import CREATED, UNTRACKED, Blank
from .._core.engine.op import RECORDED as ops
from .._core.engine.sweep import sweep
from .._core.engine.tape import Tape
from .._core.errors import ArgumentError, AutogradError, DTypeError
from .._core.transforms.crossing import variable
from .._core.transforms.forward import Local, listen
from .arguments import Form, Inputs, class_of, fitting


def pull(tape: Tape, heads: list[Any], cotangents: list[Any], variables: list[Any]) -> list[Any]:
    """The cotangents of `variables`, zeros for those that do not reach a head; keeps the graph."""
    seeds = [(y._node, g) for y, g in zip(heads, cotangents) if tape in y._node.tapes]
    nodes = [x._node for x in variables]
    received, _ = sweep(tape, seeds, receivers=nodes, retain=True, training=mode().training)
    return [
        as_gradient(received[node], x.raw.dtype, type(x), x._ctx)
        if node in received
        else zeros(x, x.raw.shape)
        for x, node in zip(variables, nodes)
    ]


def rows(tape: Tape, head: Array, variables: list[Any]) -> list[Any]:
    """The Jacobian of `head` for each variable: a reverse pass for each value of `head`."""
    shape, size = head.raw.shape, head.raw.size
    found = []
    for place in range(size):
        one = np.zeros(size, head.raw.dtype)
        one[place] = 1
        found.append(pull(tape, [head], [wrap(Array, one.reshape(shape), head._ctx)], variables))
    if not size:
        return [zeros(x, shape + x.raw.shape) for x in variables]
    return [
        ops.reshape(ops.stack(*column, axis=0), shape=shape + x.raw.shape)
        for x, column in zip(variables, zip(*found))
    ]


def zeros(like: Array, shape: tuple[int, ...]) -> Any:
    """Zeros of the class, dtype and context of an array."""
    return wrap(type(like), np.zeros(shape, like.raw.dtype), like._ctx)


def ones(like: Array) -> Any:
    """Ones of the shape, class, dtype and context of an array."""
    return wrap(type(like), np.ones_like(like.raw), like._ctx)


def outputs_of(name: str, value: Any) -> list[Any]:
    """The return value of a function, as a list of arrays that can have a derivative."""
    outputs = list(value) if isinstance(value, (tuple, list)) else [value]
    for place, y in enumerate(outputs):
        if not isinstance(y, Array):
            raise DTypeError(
                f"{name}: output {place} of the function is {class_of(y)}; return an array,"
                " or a tuple of arrays, computed from the inputs"
            )
        if y.raw.dtype.kind in "biu":
            raise DTypeError(
                f"{name}: output {place} of the function has dtype {y.raw.dtype}, which has no"
                " derivative; return floating arrays"
            )
        node = y._node
        if isinstance(node, Blank) and node not in (CREATED, UNTRACKED) and not node.head:
            raise AutogradError(f"{name}: output {place} of the function was {node.reason}")
    return outputs


def only_value(name: str, heads: list[Any], instead: str) -> Any:
    """The only head, which has one value; `instead` is what takes others."""
    if len(heads) == 1 and heads[0].raw.size == 1:
        return heads[0]
    if not heads:
        raise ArgumentError(
            f"{name}: the function returned no array; it must return a single value, so look for"
            " a missing return"
        )
    shapes = ", ".join(str(y.raw.shape) for y in heads)
    raise ArgumentError(
        f"{name}: the function returned shape {shapes}; it must return a single value, so"
        f" sum it, or use {instead}"
    )


class Point:
    """A function at a point, recorded by a separate tape that tracks its variables.

    Used in a ``with`` block, which closes the tape at its end.

    Attributes
    ----------
    form : Form or Inputs
        The arguments.
    tape : Tape
        What `call` records on.
    variables : list of Array
        The chosen arrays among the arguments.
    """

    def __init__(
        self, form: Form | Inputs, kind: Callable[[tuple[Tape, ...]], Local] = Local
    ) -> None:
        self.form: Any = form
        self.tape: Any = kind(mode().tapes)
        self.variables = [variable(x, self.tape) for x in form.arrays]

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *exc: object) -> None:
        self.tape.open = False

    def call(self, function: Callable[..., Any], **keywords: Any) -> Any:
        """What the function returns at this point, recorded."""
        if not callable(function):
            raise DTypeError(
                f"{self.form.name}: give a function, then its inputs; got {type(function).__name__}"
            )
        name = getattr(function, "__name__", type(function).__name__)
        self.tape.called = self.form.name, name
        filled = self.form.filled([alias(x) for x in self.variables])  # it may write to them
        run = partial(function, **keywords) if keywords else function
        now = mode()
        return under(now.recorded_by((*now.tapes, self.tape)), run, *filled)

    def pull(self, heads: list[Any], cotangents: list[Any]) -> Any:
        """The gradients of the variables, given those of `heads`."""
        return self.form.shaped(pull(self.tape, heads, cotangents, self.variables))

    def rows(self, heads: Sequence[Any]) -> list[Any]:
        """The Jacobian of each head."""
        return [self.form.shaped(rows(self.tape, head, self.variables)) for head in heads]

    def settled(self, value: Any) -> Any:
        """A tree without history that only this or closed tapes recorded."""
        if isinstance(value, Array):
            return self._without(value)
        return tree.map(lambda one: self._without(one) if isinstance(one, Array) else one, value)

    def _without(self, x: Any) -> Any:
        tapes = x._node.tapes
        if not tapes or [one for one in tapes if one.open and one is not self.tape]:
            return x
        return wrap(type(x), x.raw, x._ctx, mode().blank)


def pushed(point: Point, tangents: list[Any], run: Callable[[], list[Any]]) -> list[Any]:
    """The tangents of the heads that `run` returns, which calls the function of the point.

    The tape of the point is a forward one.
    """
    tape: Any = point.tape
    tape.start({x._node: t for x, t in zip(point.variables, tangents)})
    listen(True)
    try:
        return [tangent_like(tape.tangent(y._node), y) for y in run()]
    finally:
        tape.close()
        listen(False)


def tangent_like(tangent: Any, head: Array) -> Any:
    """A tangent, None for zeros, as the user sees it: an array like the head."""
    if tangent is None:
        return zeros(head, head.raw.shape)
    return as_gradient(tangent, head.raw.dtype, type(head), head._ctx)


class Recorded(Point):
    """A function of trees at a point, called when the block is entered, or by `run`.

    Attributes
    ----------
    heads : list of Array
        The leaves of the function's result.
    structure : Structure
        Of the result.
    """

    def __init__(
        self,
        name: str,
        function: Callable[..., Any],
        arguments: Sequence[Any],
        keywords: dict[str, Any],
        argnums: Any,
        has_aux: bool = False,
        kind: Callable[[tuple[Tape, ...]], Local] = Local,
    ) -> None:
        super().__init__(Form(name, function, arguments, argnums), kind)
        self.called = function, keywords, has_aux

    def run(self) -> list[Any]:
        """Call the function; return the heads."""
        function, keywords, has_aux = self.called
        value, self.aux = self.call(function, **keywords), None
        name = self.form.name
        if has_aux:
            if not isinstance(value, (tuple, list)) or len(value) != 2:
                raise DTypeError(
                    f"{name}: with has_aux=True the function must return a pair, its value and"
                    f" anything else; it returned {class_of(value)}"
                )
            value, self.aux = value
        leaves, self.structure = tree.flatten(value)
        for one, path in zip(leaves, self.structure.paths):
            if path and not isinstance(one, Array):
                raise DTypeError(
                    f"{name}: output{path} of the function is {class_of(one)}; return arrays"
                    " computed from the inputs, and anything else with has_aux=True"
                )
        self.heads = outputs_of(name, leaves)
        return self.heads

    def __enter__(self) -> Any:
        try:
            self.run()
        except BaseException:
            self.tape.open = False
            raise
        return self

    @property
    def value(self) -> Any:
        """The function's result, without history that only this tape recorded."""
        return self.structure.unflatten([self._without(y) for y in self.heads])

    @property
    def rest(self) -> Any:
        """The additional result of the function (`has_aux`), without the same history."""
        return self.settled(self.aux)

    def cotangents(self, given: Any) -> list[Any]:
        """The leaves of `given`, one like each head."""
        name = self.form.name
        leaves = tree.matched(f"{name}: the cotangent", self.structure, given, "the output")
        return [
            fitting(name, one, head, f"the cotangent{path}")
            for one, head, path in zip(leaves, self.heads, self.structure.paths)
        ]

    def with_rest(self, *results: Any) -> Any:
        """What a transformed function returns: `results`, and the rest if there is one."""
        found = (*results, self.rest) if self.called[2] else results
        return found if len(found) > 1 else found[0]
