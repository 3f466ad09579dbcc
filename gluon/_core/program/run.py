"""Run a plan: by the compiled library, and in Python what has no instruction there.

`Room` is the memory of one run, with the arrays that Python computes on; a program keeps the rooms
that nobody uses, so that threads have one each.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import as_strided

from ..engine.array import Array, wrap
from ..instruments import base
from ..instruments.base import instruction
from ..kernels import generator
from ..native.loading import library
from ..refusals import failure
from . import loops
from .lower import filled, has_places
from .plan import MASK, Plan
from .show import label, layer_of, line_of
from .values import Instruction, View, address

ALIGNED = 4096
#: The rooms that a program keeps while nobody uses them.
KEPT = 4


class Program:
    """A plan that can run.

    Parameters
    ----------
    plan : Plan
    name : str
        Of the step.
    """

    def __init__(self, plan: Plan, name: str = "") -> None:
        self.plan, self.name = plan, name
        self.constants = tuple(
            [np.ascontiguousarray(b.source).reshape(-1).view(np.uint8) for b in plan.constants]
        )
        self.rooms: list[Room] = []
        self.kept = KEPT
        self.compiled: Any = None
        if loops.READABLE:
            blank = tuple([one or () for one in plan.instructions])
            self.compiled = library.Program(
                blank, self.constants, len(plan.given) + len(plan.made), plan.size
            )

    @property
    def nbytes(self) -> int:
        """The memory of one run, with what it makes."""
        plan = self.plan
        return plan.size + sum(prod(shape) * np.dtype(d).itemsize for shape, d in plan.made)

    def room(self) -> Room:
        """A room of which the caller has the sole use."""
        try:
            return self.rooms.pop()
        except IndexError:
            return Room(self)

    def give_back(self, room: Room) -> None:
        """Let the next run have the room."""
        if len(self.rooms) < self.kept:
            self.rooms.append(room)

    def close(self) -> None:
        """Let go of the memory that no run uses, because none will follow."""
        self.kept = 0
        self.rooms.clear()


def _aligned(size: int) -> Any:
    raw = np.empty(size + ALIGNED, np.uint8)
    shift = -address(raw) % ALIGNED
    return raw[shift : shift + size]


class Room:
    """The memory of a run, and what Python computes on it.

    Parameters
    ----------
    program : Program
    poisons : bool
        Whether what a run reads and did not write itself is NaN, so that it cannot look right.

    Attributes
    ----------
    arena : ndarray of bytes
    arrays : list
        What the run was given and makes. Functions hold this list and not the room, so that the
        memory goes as soon as nobody needs the room.
    """

    def __init__(self, program: Program, poisons: bool = False) -> None:
        self.poisons = poisons
        self.compiled, self.plan, self.constants = program.compiled, program.plan, program.constants
        self.name, self.arena = program.name, _aligned(program.plan.size)
        self.arrays: list = []
        if poisons:
            self.arena.fill(255)
        self.parts: list[list[tuple]] = []
        self.in_python: dict[int, list[Callable[[], None]]] = {}
        plan = program.plan
        self.draws = any(one and one[0] == MASK for one in plan.instructions)
        for first, end in zip(plan.starts, plan.starts[1:]):
            self.parts.append(self._parts(plan, first, end))

    def _parts(self, plan: Plan, first: int, end: int) -> list[tuple]:
        """What to do in a segment: runs of instructions of the library, and calls in Python."""
        found: list[tuple] = []
        k = first
        while k < end:
            if plan.instructions[k] is None:
                self.in_python[k] = [self._step(node) for node in plan.groups[k]]
                found += [(None, step) for step in self.in_python[k]]
                k += 1
                continue
            start = k
            while k < end and plan.instructions[k] is not None:
                k += 1
            found.append((start, k))
        return found

    def run(self, segment: int, arrays: tuple) -> None:
        """Run a segment over the arrays that are given and made, in that order."""
        self.arrays[:] = arrays
        if base._active and base.see_programs():
            return self._shown(segment, arrays)
        for start, what in self.parts[segment]:
            if start is None:
                what()
            elif not self.draws:
                self.compiled.run(self.arena, arrays, start, what, None, self.poisons)
            else:
                self._computed(arrays, start, what)
        self.arrays.clear()

    def _computed(self, arrays: tuple, first: int, end: int) -> None:
        """Run some instructions in the library."""
        if not self.draws:
            return self.compiled.run(self.arena, arrays, first, end, None, self.poisons)
        source = generator.generator().bit_generator
        with source.lock:
            return self.compiled.run(self.arena, arrays, first, end, source.capsule, self.poisons)

    def _shown(self, segment: int, arrays: tuple) -> None:
        """Run a segment while instruments look at each instruction."""
        plan, back = self.plan, segment > 0 and self.plan.turned
        with instruction("program", self.name + " (backward)" * back):
            for k in range(*plan.starts[segment : segment + 2]):
                what = label(plan.groups[k]), layer_of(plan.groups[k]), line_of(plan.groups[k])
                with instruction("backward" if back else "forward", *what):
                    if plan.instructions[k] is not None:
                        self._computed(arrays, k, k + 1)
                    for step in self.in_python.get(k, ()):
                        step()
        self.arrays.clear()

    # ------------------------------------------------------------------------- in Python

    def _array(self, v: View) -> Callable[[], Any]:
        """Return a function that gives a value as an array of NumPy."""
        if not v.size:
            nothing = np.empty(v.shape, v.dtype)
            return lambda: nothing
        b, offset = v.buffer, v.buffer.place + v.offset
        if b.kind in ("temporary", "constant"):
            at = b.number - 1 - len(self.plan.given) - len(self.plan.made)
            memory = self.arena if b.kind == "temporary" else self.constants[at]
            array = np.ndarray(v.shape, v.dtype, memory, offset, v.strides)
            if b.kind == "constant":
                array.flags.writeable = False
            return lambda: array
        place, arrays = b.number - 1, self.arrays
        if v.offset == 0 and (
            (b.kind == "made" and v.whole) or b.like == (v.shape, v.strides, v.dtype)
        ):
            like = v.shape
            return lambda: arrays[place].reshape(like)
        return lambda: strided(arrays[place], v)

    def _step(self, node: Instruction) -> Callable[[], None]:
        reads = [self._array(v) for v in node.reads]
        writes = [self._array(v) for v in node.writes]
        if node.kind in ("python", "kernel", "mask"):
            return _call(node, reads, writes)
        (y,) = writes
        if node.kind == "sum":
            outer, middle, inner = node.more["parts"]
            return lambda: np.add.reduce(
                reads[0]().reshape(outer, middle, inner), 1, None, y().reshape(outer, inner)
            )
        if node.kind == "dot":
            a, b = reads
            return lambda: np.matmul(a(), b(), y())
        if node.kind == "copy" or node.name in ("identity", "cast"):
            return lambda: np.copyto(y(), reads[0](), "unsafe")
        function = node.more["function"]

        def each() -> None:
            with np.errstate(all="ignore"):
                np.copyto(y(), function(*[x() for x in reads]), "unsafe")

        return each


def _call(node: Instruction, reads: list, writes: list) -> Callable[[], None]:
    """What calls a kernel in Python, and puts its results in their places."""
    (given, attrs), kernel, op = node.more["form"], node.more["kernel"], node.more["op"]
    plain = {key: value for key, value in attrs.items() if not has_places(value)}
    others = {key: value for key, value in attrs.items() if key not in plain}

    def call() -> None:
        arrays = [x() for x in reads]
        inputs = filled(given, arrays)
        attrs = {**plain, **filled(others, arrays)} if others else plain
        if "rng" in attrs:
            attrs = {**attrs, "rng": generator.generator()}
        try:
            found = kernel(*inputs, **attrs)
        except Exception as error:
            handles = [wrap(Array, x) if isinstance(x, np.ndarray) else x for x in inputs]
            failed = failure(op, tuple(handles), attrs, error)
            raise type(failed)(f"in {node.line}: {failed}" if node.line else failed) from None
        for y, one in zip(writes, found if op.many else [found]):
            np.copyto(y(), one, "unsafe")

    return call


def strided(array: Any, v: View) -> Any:
    """The values `v` of the memory that begins with `array`."""
    first = array[(0,) * array.ndim + (...,)]
    count = v.offset // v.dtype.itemsize
    start = as_strided(first, (count + 1,), (v.dtype.itemsize,))[count:]
    return as_strided(start, v.shape, v.strides)
