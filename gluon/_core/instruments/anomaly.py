"""Find where NaN or infinity comes from: what `autograd.detect_anomaly` switches on.

It is an instrument, so a call pays nothing while no block is open. Who checks is in a context
variable: other threads and asyncio tasks compute as ever.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from types import FrameType
from typing import Any

import numpy

from .. import PACKAGE
from ..engine.array import Array
from ..engine.node import Node
from ..engine.pull import PASS
from ..errors import AnomalyError
from ..kernels.memory import Buffer
from ..kernels.sparse import as_dense
from ..refusals import names_of
from . import base as instrument

NOWHERE = "; it was recorded outside detect_anomaly(), record it inside to learn where"
#: None if nothing is checked, a node while its gradient rule runs, otherwise True.
checking: ContextVar[Any] = ContextVar("gluon_checking", default=None)
#: The name of the innermost layer that runs.
layer: ContextVar[str | None] = ContextVar("gluon_layer", default=None)


@contextmanager
def detecting() -> Iterator[None]:
    """Check what is recorded and differentiated inside, in this thread or task."""
    before = checking.get()
    instrument.switch_on(DETECTOR)
    try:
        checking.set(True)
        yield
    finally:
        checking.set(before)
        instrument.switch_off(DETECTOR)


class Detector(instrument.Instrument):
    """Checks what the threads and tasks that ask for it record and differentiate."""

    def inside(self, kind: str, label: str, subject: Any) -> AbstractContextManager[Any]:
        """Note the layer that runs, for messages."""
        return _named(label) if kind == "layer" else instrument.NOTHING

    def recorded(
        self, node: Node, inputs: Sequence[Any], attrs: Mapping[str, Any], out: Any
    ) -> None:
        """Note the call and its line on the node, and check the results."""
        if checking.get() is None:
            return
        given = [*zip(names_of(node.op, len(inputs)), inputs), *attrs.items()]
        what = f"{node.op.name}({', '.join(f'{key}{_like(value)}' for key, value in given)})"
        where = _place(sys._getframe(1))
        node.notes["call"] = f"{what}, called {where}"
        if checking.get() is True:  # a backward pass checks the results of rules instead
            for one in out if isinstance(out, (list, tuple)) else [out]:
                _check(getattr(one, "raw", one), given, what, where)

    def walking(self, seeds: list[Any]) -> AbstractContextManager[Any]:
        """Check the gradients that a backward pass begins with."""
        for node, g in seeds if checking.get() is not None else ():
            if found := _anomaly_of(g):
                given = f"the gradient given for the result of {_call_of(node)}"
                raise AnomalyError(f"{given} has {found}")
        return instrument.NOTHING

    def pull(self, pull: Callable[..., Any]) -> Callable[..., Any]:
        """A pull whose cotangents are checked."""
        return _checked(pull)


@contextmanager
def _named(name: str) -> Iterator[None]:
    before = layer.set(name)
    try:
        yield
    finally:
        layer.reset(before)


DETECTOR = Detector()


# ------------------------------------------------------------------------------- recorded values


def _check(raw: Any, given: list[tuple[str, Any]], what: str, where: str) -> None:
    """Raise if a result holds NaN, or infinity that no input holds."""
    found = anomaly(raw)
    if found is None:
        return
    had = [key for key, x in given if (anomaly(getattr(x, "raw", x)) or "")[:3] == found[:3]]
    if not had or found.startswith("NaN"):
        already = f"; {had[0]} held it already" if had else ""
        raise AnomalyError(f"{what} gave {found}{already}, called {where}")


def anomaly(raw: Any) -> str | None:
    """What is wrong with the values of a raw array or a number, such as ``NaN in 1 of 3 values``.

    None if nothing is. Inside `vmap`, the values are those of all examples.
    """
    raw = getattr(raw, "of_all", raw)
    if not isinstance(raw, (Buffer, numpy.ndarray, numpy.generic, float)):
        return None
    values: Any = raw if isinstance(raw, Buffer) else numpy.asarray(raw)
    if values.dtype.kind not in "fV" or numpy.isfinite(values).all():
        return None
    nans = int(numpy.isnan(values).sum())
    kind, count = ("NaN", nans) if nans else ("infinity", int(numpy.isinf(values).sum()))
    return f"{kind} in {count} of {values.size} values"


def _like(value: Any) -> str:
    """Return the dtype and shape of an array, or the value of an attribute."""
    raw = getattr(value, "raw", None)
    return f"={value!r}" if raw is None else f": {raw.dtype}{list(raw.shape)}"


def _place(frame: FrameType | None) -> str:
    """Return the calling line outside the package, and the layer that runs."""
    while frame is not None and frame.f_code.co_filename.startswith(PACKAGE):
        frame = frame.f_back
    pulled = checking.get()
    inside = f", in the gradient of {_call_of(pulled)}" if isinstance(pulled, Node) else ""
    if name := layer.get():
        inside = f" by the layer {name!r}{inside}"
    if frame is None:
        return f"at an unknown line{inside}"
    code = frame.f_code
    return f"at {code.co_filename}:{frame.f_lineno} in {code.co_name}{inside}"


# ------------------------------------------------------------------------------------- gradients


def _checked(pull: Callable) -> Callable:
    def checked(node: Node, g: Any, wants: Any) -> Sequence:
        if checking.get() is None:  # another thread walks the same graph
            return pull(node, g, wants)
        if found := _anomaly_of(g):
            raise AnomalyError(
                f"the gradients for the result of {_call_of(node)} add up to {found}"
            )
        token = checking.set(node)
        try:
            grads = pull(node, g, wants)
        finally:
            checking.reset(token)
        for place, grad in enumerate(grads):
            if found := _anomaly_of(grad):
                names = () if getattr(node.op, "variadic", True) else node.op.inputs
                which = names[place] if names else f"input {place}"
                raise AnomalyError(
                    f"the gradient with respect to {which} has {found} in {_call_of(node)}"
                )
        return grads

    return checked


def _anomaly_of(g: Any) -> str | None:
    """Return `anomaly` of a cotangent: a raw array, an array, or one per output."""
    if isinstance(g, Sequence):
        return next(filter(None, map(_anomaly_of, g)), None)
    return anomaly(as_dense(g.raw if isinstance(g, Array) else g))


def _call_of(node: Node) -> str:
    if note := getattr(node, "notes", {}).get("call"):
        return note
    return f"{getattr(node.op, 'name', node.op)}{NOWHERE if node.op is not PASS else ''}"
