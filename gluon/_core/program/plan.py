"""A program: instructions in order, with the place of every value.

A run has an arena for what is computed, the arrays that it is given, those that it makes, and
constants. `instructions` are tuples for ``native/program.c``; without the library, or for what has
no compiled kernel, `run` computes the nodes in Python.
"""

from __future__ import annotations

from typing import Any

from ..native.loading import DTYPES, KERNEL_NUMBERS, SHARES_THREADS
from . import loops
from .listing import Listing, Output
from .lower import Lowering
from .memory import placed
from .merge import merged
from .order import forwarded, needed, ordered, segments
from .values import Buffer, Instruction, View, new

GROUP, DOT, SUM, COPY, KERNEL, MASK = range(6)
#: From so many bytes of memory on, the order of the step is tried too: it may need less.
LARGE = 1 << 22
#: The values of a block, and the bytes of all registers of a group that should stay in cache.
MOST_BLOCK, CACHE = 4096, 40 * 1024


class Plan:
    """What a run does.

    Attributes
    ----------
    groups : list of list of Instruction
    starts : list of int
        The first group of each segment, and the number of all.
    given : list of Buffer
        What arrays a run is given.
    made : list of (tuple, dtype)
        The forms of the arrays that it makes: for `outputs`, then for the results.
    outputs : list of Output
    segments : int
        The number of parts that run by themselves.
    """

    def __init__(self, listing: Listing, lowering: Lowering) -> None:
        self.outputs: list[Output] = [one._replace(raw=None) for one in listing.outputs]
        self.checks = listing.checks
        self.written = [*listing.written]
        self.actions = [entry.event for entry in lowering.actions]
        nodes = list(lowering.nodes)
        self.made_buffers: list[Buffer] = []
        self.made: list[tuple] = []
        taken: set[Buffer] = set()
        for output in listing.outputs:
            self._make(output.view, output.segment, nodes, taken)
        for view, segment in zip(listing.results, listing.ends):
            self._make(view, segment, nodes, taken)
        kept = set(self.made_buffers)
        nodes = needed(forwarded(needed(nodes, kept)), kept)
        if not lowering.exact:
            nodes = needed(merged(nodes, kept), kept)
        self.segments, self.turned = listing.segment + 1, listing.turned
        by_segment = segments(nodes, early=not self.turned)
        grouped = self._grouped(by_segment)
        self._place(grouped)
        if (size := self.size) >= LARGE:
            self._place(self._grouped(by_segment, as_written=True))
            if self.size > size * 0.9:
                self._place(grouped)
        self.instructions = [self._instruction(group) for group in self.groups]

    def _grouped(self, by_segment: dict, as_written: bool = False) -> list[list[list[Instruction]]]:
        """The groups of each segment, in order."""
        return [ordered(by_segment.get(k, []), as_written) for k in range(self.segments)]

    def _place(self, by_segment: list[list[list[Instruction]]]) -> None:
        """Give all values of these groups their places."""
        self.groups: list[list[Instruction]] = []
        self.starts = [0]
        for groups in by_segment:
            self.groups += groups
            self.starts.append(len(self.groups))
        for group in self.groups:
            for node in group:
                for v in (*node.reads, *node.writes):
                    v.buffer.place = -1
        self._number()
        self.size = placed(self.groups, self.inside, self._lasting() if self.turned else set())

    def _make(self, view: View, segment: int, nodes: list[Instruction], taken: set[Buffer]) -> None:
        """Have `view` in an array of its own."""
        buffer = view.buffer
        if buffer.kind != "temporary" or not view.whole or buffer in taken:
            y = new(view.shape, view.dtype)
            node = Instruction("copy", [view], [y], "copy")
            node.segment = segment
            if view.size:
                nodes.append(node)
            buffer = y.buffer
        taken.add(buffer)
        self.made_buffers.append(buffer)
        self.made.append((view.shape, view.dtype))

    def _number(self) -> None:
        """Number the memory of a run: 0 is the arena, then what is given, made, and constant."""
        where: dict[Buffer, set[int]] = {}
        for k, group in enumerate(self.groups):
            for node in group:
                for v in (*node.reads, *node.writes):
                    where.setdefault(v.buffer, set()).add(k)
        for b in self.made_buffers:
            b.kind, b.place = "made", 0
        used = [b for b in where if b.kind == "given"]
        checked = [b for _, b, _ in self.checks if b not in where]
        self.given = used + list(dict.fromkeys(checked))
        self.constants = [b for b in where if b.kind == "constant"]
        for k, b in enumerate([*self.given, *self.made_buffers, *self.constants]):
            b.number, b.place = k + 1, 0
        self.inside = {
            b
            for b, ks in where.items()
            if b.kind == "temporary" and len(ks) == 1 and self._is_group(next(iter(ks)))
        }

    def _lasting(self) -> set[Buffer]:
        """What the first segment leaves for the others, which may run several times."""
        first, later = (
            {v.buffer for group in some for node in group for v in (*node.reads, *node.writes)}
            for some in (self.groups[: self.starts[1]], self.groups[self.starts[1] :])
        )
        return first & later

    def _is_group(self, k: int) -> bool:
        return loops.READABLE and self.groups[k][0].kind == "each"

    # ------------------------------------------------------------------------- instructions

    def _instruction(self, group: list[Instruction]) -> tuple | None:
        """The instruction of the library; None for what Python computes."""
        node = group[0]
        if not loops.READABLE:
            return None
        if node.kind == "each":
            return self._as_group(group)
        if node.kind == "dot":
            return _dot(node)
        if node.kind == "sum":
            (x,), (y,) = node.reads, node.writes
            return (SUM, *node.more["parts"], *_at(x), *_at(y), x.dtype.itemsize)
        if node.kind == "copy":
            (x,), (y,) = node.reads, node.writes
            deep = len(x.shape) > 8 or x.dtype != y.dtype
            return None if deep else (COPY, y.size, _operand(x.stretched(y.shape)), _operand(y))
        if node.kind == "mask":
            (y,), p = node.writes, node.more["p"]
            return (MASK, y.size, *_at(y), y.dtype.itemsize, p, 1 / (1 - p))
        return _kernel(node) if node.kind == "kernel" else None

    def _as_group(self, group: list[Instruction]) -> tuple | None:
        """A group with its registers, which are given by when values are last read."""
        micros = [node for node in group if node.kind == "each"]
        sums = [node for node in group if node.kind == "sum"]
        if any(len(v.shape) > 8 for node in micros for v in node.reads):
            return None
        registers = _Registers(micros, sums, self.inside)
        size = micros[0].writes[0].size
        width = max(v.dtype.itemsize for node in micros for v in (*node.reads, *node.writes))
        block = max(256, min(MOST_BLOCK, CACHE // (width * registers.count) // 64 * 64))
        block = min(block, (size + 63) // 64 * 64)
        loads = tuple([_operand(v, r) for v, r in registers.loads])
        stores = tuple([_operand(v, r) for v, r in registers.stores])
        totals = tuple(
            [
                (
                    registers.of[node.reads[0].buffer],
                    *_at(node.writes[0]),
                    node.reads[0].dtype.itemsize,
                )
                for node in sums
            ]
        )
        return GROUP, size, block, registers.count, loads, tuple(registers.out), stores, totals


class _Registers:
    """The registers of a group: `loads` and `stores` are (view, register); `out` the operations."""

    def __init__(
        self, micros: list[Instruction], sums: list[Instruction], inside: set[Buffer]
    ) -> None:
        self.made = {node.writes[0].buffer for node in micros}
        self.of: dict[Any, int] = {}
        self.count = 0
        self.loads: list[tuple[View, int]] = []
        self.stores: list[tuple[View, int]] = []
        self.out: list[tuple] = []
        written: set[Buffer] = set()
        for node in micros:
            for v in node.reads:
                if v.buffer not in written and self._key(v) not in self.of:
                    self.loads.append((v, self._new(self._key(v))))
            y = node.writes[0]
            written.add(y.buffer)
            if y.buffer not in inside:
                place = self.of[y.buffer] if y.buffer in self.of else self._new(y.buffer)
                self.stores.append((y, place))
        self._run(micros, self._last(micros, sums))

    def _new(self, key: Any) -> int:
        self.of[key] = self.count
        self.count += 1
        return self.count - 1

    def _key(self, v: View) -> Any:
        return v.buffer if v.buffer in self.made else v.key

    def _last(self, micros: list[Instruction], sums: list[Instruction]) -> dict[Any, int]:
        last: dict[Any, int] = {}
        for i, node in enumerate(micros):
            for v in node.reads:
                last[self._key(v)] = i
            last.setdefault(node.writes[0].buffer, i)
        for node in sums:
            last[node.reads[0].buffer] = len(micros)
        return last

    def _run(self, micros: list[Instruction], last: dict[Any, int]) -> None:
        fixed = self.count
        free: list[int] = []
        for i, node in enumerate(micros):
            y = node.writes[0]
            given = [self.of[self._key(v)] for v in node.reads]
            steps = [
                0 if y.size > 1 and v.buffer not in self.made and v.alone else v.dtype.itemsize
                for v in node.reads
            ]
            if y.buffer not in self.of:
                if free:
                    self.of[y.buffer] = free.pop()
                else:
                    self._new(y.buffer)
            loop = node.more["loop"]
            wide = (y.dtype.itemsize == 8 and loop.own >= 0) or node.reads[0].dtype.itemsize == 8
            self.out.append((*loop, int(wide), self.of[y.buffer], y.dtype.itemsize, *given, *steps))
            for key in {self._key(v) for v in node.reads} | {y.buffer}:
                if last[key] == i and self.of[key] >= fixed:
                    free.append(self.of[key])


def _at(v: View) -> tuple[int, int]:
    return v.buffer.number, v.buffer.place + v.offset


def _operand(v: View, register: int = 0) -> tuple:
    return (*_at(v), v.dtype.itemsize, register, v.shape, v.strides)


def _kernel(node: Instruction) -> tuple | None:
    """The calls of the library, with the number of each chain and whether it is for doubles."""
    if not SHARES_THREADS:
        return None
    calls = []
    for chain, noted in enumerate(node.more["chains"]):
        for one in noted:
            views = [_viewed(node, k) for k in one.arrays]
            arrays = tuple([() if v is None else _array(v) for v in views])
            numbers = tuple(map(int, one.integers)), tuple(map(float, one.reals))
            calls.append((chain, KERNEL_NUMBERS[one.name], arrays, *numbers))
    return KERNEL, tuple(calls)


def _viewed(node: Instruction, k: int | None) -> View | None:
    if k is None:
        return None
    return node.reads[k] if k >= 0 else node.writes[~k]


def _array(v: View) -> tuple:
    kind = DTYPES.index(v.dtype) + 1 if v.dtype in DTYPES else 0
    return (*_at(v), v.shape, v.strides, kind, v.dtype.itemsize, int(v.contiguous))


def _dot(node: Instruction) -> tuple | None:
    if not SHARES_THREADS:
        return None
    parts = [(*_at(v), v.shape, v.strides) for v in (*node.reads, *node.writes)]
    return (DOT, node.writes[0].dtype.itemsize, *parts)
