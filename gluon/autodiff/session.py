"""A recording session of a `GradManager`: its tape, its tensors, and how it enters the mode."""

from __future__ import annotations

from collections.abc import Callable, Generator
from threading import RLock
from typing import Any

from .._core.arrays.base import as_list
from .._core.engine.array import Array
from .._core.engine.backward import cotangent
from .._core.engine.mark import as_gradient, gradient, put, set_gradient, unwatch, watch
from .._core.engine.mode import Mode, mode, set_mode
from .._core.engine.node import CREATED, PAUSED, Blank, Node, Variable
from .._core.engine.op import RECORDED
from .._core.engine.sweep import sweep
from .._core.engine.tape import Tape
from .._core.errors import ArgumentError, DTypeError, a_type
from .checks import Awaited, Beginning, Callback, checked_gradient
from .final_gradients import FinalGradients

#: Managers in several threads may share a tensor. This lock protects its tapes and gradient. It is
#: reentrant, because freeing an array may drop a manager, which then releases itself.
SHARED = RLock()

RELEASED = Blank("recorded by a GradManager that has been released; compute it again")


class Session:
    """The state of a manager from ``record`` to ``release``: all its strong references."""

    __slots__ = ("idle", "late", "tape", "watched")
    idle: Blank
    #: Whether nothing was attached when the recording began.
    late: bool
    tape: Tape

    def __init__(self, before: Mode) -> None:
        #: The blank of the mode that is restored once nothing records.
        self.idle = PAUSED if before.blank is PAUSED else CREATED
        self.tape = Tape(_still_open(before.tapes))
        self.watched: list[tuple[Array, Variable]] = []

    def open(self) -> None:
        """Record from now on."""
        now = mode()
        tapes = (*_still_open(now.tapes), self.tape)
        set_mode(now.recorded_by(tapes))

    def watch(self, tensor: Array) -> None:
        """Take the snapshot of `tensor` that gradients will be with respect to."""
        with SHARED:
            self.watched.append((tensor, watch(tensor, self.tape)))

    def seeds(self, y: Any, dy: Any) -> list[tuple[Node, Array]]:
        """The nodes of those `y` that were recorded, with their cotangents."""
        ys = as_list(y)
        dys = [None] * len(ys) if dy is None else as_list(dy)
        if len(dys) != len(ys):
            raise ArgumentError(
                f"backward: {len(ys)} y but {len(dys)} dy; give one dy for each y, or none at all"
            )
        pairs = []
        for k, (head, given) in enumerate(zip(ys, dys)):
            if not isinstance(head, Array):
                raise DTypeError(
                    f"backward: y[{k}] is {a_type(head)}; give an array or a list of arrays"
                )
            g = cotangent(head, given)
            if self.tape in head._node.tapes:
                pairs.append((head._node, g))
        return pairs

    def backward(
        self,
        seeds: list[tuple[Node, Array]],
        callbacks: Callable[[Array], list[Callback]],
        drops: bool,
        begins: bool,
    ) -> list[Array | None]:
        """Sweep from `seeds`, and `deliver` the gradients.

        If `begins`, some of the callbacks are `Beginning`.
        """
        training, begin = mode().training, dict[Variable, Callable[[Any], Any]]()
        if begins and not self.tape.audience():
            begin, callbacks = self._begin({node for node, _ in seeds}, callbacks)
        if not begin:
            received, _ = sweep(self.tape, seeds, training=training)
            return self.deliver(received, callbacks, drops, {})
        final = FinalGradients(self.tape, [node for node, _ in seeds], begin)
        received, _ = sweep(self.tape, seeds, training=training, around=final.around)
        received.update(final.received)
        return self.deliver(received, callbacks, drops, final.begun)

    def _begin(
        self, seeds: set[Node], callbacks: Callable[[Array], list[Callback]]
    ) -> tuple[dict[Variable, Callable[[Any], Any]], Callable[[Array], list[Callback]]]:
        """Return what to call per variable once its gradient is final, and all callbacks."""
        passes: dict[int, Callback] = {}
        tensors = [tensor for tensor, _ in self.watched]

        def of_pass(tensor: Array) -> list[Callback]:
            given = callbacks(tensor)
            for one in given:
                if isinstance(one, Beginning) and id(one) not in passes:
                    passes[id(one)] = one.begin(tensors) or one
            return [passes.get(id(one), one) for one in given]

        def beginning(tensor: Array, variable: Variable, first: Callback) -> Callable[[Any], Any]:
            plain, ctx, dtype = tensor._plain, tensor._ctx, variable.dtype
            return lambda value: first(tensor, as_gradient(value, dtype, plain, ctx))

        begin: dict[Variable, Callable[[Any], Any]] = {}
        for tensor, variable in self.watched:
            first, plain = (next(iter(of(tensor)), None) for of in (of_pass, callbacks))
            is_free = not (variable.edges or variable in seeds or hasattr(variable, "notes"))
            if first and first is not plain and is_free:  # notes are hooks, which change gradients
                begin.setdefault(variable, beginning(tensor, variable, first))
        return begin, of_pass

    def deliver(
        self,
        received: dict[Node, Any],
        callbacks: Callable[[Array], list[Callback]],
        drops: bool,
        begun: dict[Variable, Any],
    ) -> list[Array | None]:
        """Call the callbacks, and add the gradients in `received` to the tensors' gradients.

        If `drops`, callbacks may return None, which adds nothing. Those that return an `Awaited`
        gradient are waited for once all others have been called. `begun` is what first callbacks
        have given already.

        Returns
        -------
        list of (Array or None)
            What was added, for each tensor in order of attachment.
        """
        grads: dict[Variable, Array | None] = {}
        owners: dict[Variable, Array] = {}
        waiting: dict[Variable, Generator[None, None, Array | None]] = {}
        watched = list(self.watched)  # callbacks may attach tensors, and release the manager
        for tensor, variable in watched:
            if variable not in received:
                continue
            # Two handles on one variable share one gradient, which passes through the callbacks of
            # both.
            if variable in waiting:
                grads[variable] = _rest(waiting.pop(variable))
            first, grad = begun.pop(variable, None), grads.get(variable)
            if first is None and variable not in grads:
                value = received[variable]
                grad = as_gradient(value, variable.dtype, tensor._plain, tensor._ctx)
            owners[variable] = tensor
            functions = callbacks(tensor)
            if not functions:
                grads[variable] = grad
                continue
            steps = _passed(tensor, grad, variable, functions, drops, first)
            try:
                next(steps)
                waiting[variable] = steps
            except StopIteration as end:
                grads[variable] = end.value
        for variable, steps in waiting.items():
            grads[variable] = _rest(steps)
        # Assign gradients at the end, so that none changes if a callback raises.
        with SHARED:
            for variable, tensor in owners.items():
                if (grad := grads[variable]) is not None:
                    accumulate(tensor, grad)
        return [grads.get(variable) for _, variable in watched]

    def close(self) -> None:
        """Stop recording and release every tensor; continue if that was interrupted."""
        self.tape.open = False
        with SHARED:
            while self.watched:
                tensor, variable = self.watched[-1]
                unwatch(tensor, variable, self.tape)
                _cut(gradient(tensor))
                self.watched.pop()


def _passed(
    tensor: Array,
    grad: Array | None,
    variable: Variable,
    callbacks: list[Callback],
    drops: bool,
    first: Any,
) -> Generator[None, None, Array | None]:
    """Pass `grad` through the callbacks and return it; yield before waiting for an `Awaited` one.

    `first` is what the first callback has given, if it has been called.
    """
    for callback in callbacks:
        given = callback(tensor, grad) if first is None else first
        first = None
        if isinstance(given, Awaited):
            yield
            given = given.wait()
        if given is None and drops:
            grad = None
            continue
        given = checked_gradient(given, callback, variable)
        # The callback may write to the returned array later.
        grad = as_gradient(given, given.form.dtype, type(given), given._ctx)
    return grad


def _rest(steps: Generator[None, None, Array | None]) -> Array | None:
    """Run a generator to its end and return its result."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            value: Array | None = end.value
            return value


def _still_open(tapes: tuple[Tape, ...]) -> tuple[Tape, ...]:
    return tuple(tape for tape in tapes if tape.open)


def silence_closed(idle: Blank) -> None:
    """Take closed tapes out of the mode.

    There is a new mode even when nothing changes: that is how a scope entered before notices that
    it must not simply put back the tapes it found.
    """
    now = mode()
    tapes = _still_open(now.tapes)
    blank = idle if now.tapes and not tapes else now.blank
    set_mode(now._replace(tapes=tapes, blank=blank, held=_still_open(now.held)))


def _cut(grad: Array | None) -> None:
    """Drop a history that no tape can walk any more from a gradient.

    It may lead back to the variable that holds the gradient: a reference cycle.
    """
    if grad is not None and grad._node.tapes and not _still_open(grad._node.tapes):
        grad._node = RELEASED


def accumulate(tensor: Array, grad: Array) -> None:
    """Add `grad` to the gradient of `tensor`."""
    before = gradient(tensor)
    variable = tensor._mark
    if before is None:
        set_gradient(tensor, grad)
    elif variable.req in ("write", "add"):
        # The buffer of attach_grad belongs to the user, who may hold it under another name.
        put(before, RECORDED.add(before, grad))
    else:
        set_gradient(tensor, RECORDED.add(before, grad))
    variable.fresh = True
