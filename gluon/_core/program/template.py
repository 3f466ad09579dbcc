"""Instructions of an elementwise kernel, found once for all calls of the same form.

An unrolled network calls a few kernels hundreds of times with arrays of the same shapes. What a
kernel does depends on nothing else, because a kernel that reads a value is no instruction.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .listing import Entry
from .values import Buffer, Instruction, View


def form_of(entry: Entry) -> Any:
    """What the instructions of a call depend on; None where they are to be found anew."""
    buffers = {y.buffer for y in entry.outs}
    if len(buffers) < len(entry.outs) or not all(y.whole for y in entry.outs):
        return None
    parts: list[Any] = [(y.shape, y.dtype) for y in entry.outs]
    for raw, view in zip(entry.event.inputs, entry.inputs):
        if isinstance(view, View):
            if view.buffer in buffers or not isinstance(raw, np.ndarray):
                return None
            buffers.add(view.buffer)
            parts += view.shape, view.strides, view.dtype
        else:
            parts += type(view), repr(view)
    form = entry.event.op, *parts, *sorted(entry.event.attrs.items())
    try:
        hash(form)
    except TypeError:
        return None
    return (*form, repr(entry.event.attrs))


class Template:
    """The nodes of a call, to be repeated over other arrays.

    Parameters
    ----------
    entry : Entry
        The call whose nodes these are.
    nodes : list of Instruction
    """

    def __init__(self, entry: Entry, nodes: list[Instruction]) -> None:
        self.nodes = [(n.kind, [*n.reads], [*n.writes], n.name, n.more) for n in nodes]
        self.views = [*entry.inputs, entry.outs[0]]

    def repeated(self, entry: Entry) -> list[Instruction]:
        """The nodes of another call of the same form."""
        there: dict[Buffer, tuple[Buffer, int]] = {}
        for old, new in zip(self.views, [*entry.inputs, entry.outs[0]]):
            if isinstance(old, View):
                there[old.buffer] = new.buffer, new.offset - old.offset

        def moved(v: View) -> View:
            if v.buffer.kind == "constant" and v.buffer not in there:
                return v
            if v.buffer not in there:
                there[v.buffer] = Buffer(v.buffer.kind, v.buffer.nbytes), 0
            buffer, shift = there[v.buffer]
            return View(buffer, v.offset + shift, v.shape, v.strides, v.dtype)

        return [
            Instruction(kind, [moved(v) for v in reads], [moved(v) for v in writes], name, **more)
            for kind, reads, writes, name, more in self.nodes
        ]
