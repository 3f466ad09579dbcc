"""Which instructions are needed, in which order they run, and which run together as a group."""

from __future__ import annotations

from heapq import heapify, heappop, heappush
from typing import Any

from .values import Buffer, Instruction, View

#: The values that a group may hold at once: each has a register of the library.
MOST = 480


def needed(nodes: list[Instruction], kept: set[Buffer]) -> list[Instruction]:
    """Those that something depends on: what `kept` holds, what is given, and random numbers."""
    read: set[Buffer] = set()
    found = []
    for node in nodes[::-1]:
        is_seen = any(
            v.buffer.kind == "given" or v.buffer in kept or v.buffer in read for v in node.writes
        )
        if is_seen or node.draws:
            found.append(node)
            read.update(v.buffer for v in node.reads)
    return found[::-1]


def forwarded(nodes: list[Instruction]) -> list[Instruction]:
    """Let readers of a plain copy read what it copies, where that never changes."""
    writers: dict[Buffer, int] = {}
    for node in nodes:
        for v in node.writes:
            writers[v.buffer] = writers.get(v.buffer, 0) + 1
    sources: dict[Buffer, tuple[View, View]] = {}

    def replaced(v: View) -> View:
        found = sources.get(v.buffer)
        if found is None:
            return v
        whole, source = found
        same = v.offset == whole.offset and v.shape == whole.shape and v.contiguous
        return source if same else v

    for node in nodes:
        if node.kind == "each":
            reads, loop = [replaced(v) for v in node.reads], node.more["loop"]
            if loop is None or not loop.needs_many or not all(v.alone for v in reads):
                node.reads = reads
        if node.name != "identity":
            continue
        (x,), (y,) = node.reads, node.writes
        stays = writers.get(x.buffer, 0) == (x.buffer.kind == "temporary")
        if stays and y.buffer.kind == "temporary" and writers[y.buffer] == 1 and y.whole:
            sources[y.buffer] = y, x
    return nodes


def segments(nodes: list[Instruction], early: bool = True) -> dict[int, list[Instruction]]:
    """The nodes by the earliest segment in which they can run, or by that in which they ran."""
    made: dict[Buffer, int] = {}
    found: dict[int, list[Instruction]] = {}
    for node in nodes:
        views = [*node.reads, *node.writes]
        fixed = not early or node.draws or any(v.buffer.kind == "given" for v in views)
        at = max([made.get(v.buffer, 0) for v in views], default=0)
        at = max(at, node.segment) if fixed or not early else at
        for v in node.writes:
            made[v.buffer] = at
        found.setdefault(at, []).append(node)
    return found


def _after(nodes: list[Instruction]) -> tuple[list[int], list[set[int]]]:
    """For each node how many must come before it, and which come after."""
    before: list[set[int]] = [set() for _ in nodes]
    wrote: dict[Buffer, list[int]] = {}
    read: dict[Buffer, list[int]] = {}
    drawn = None
    for k, node in enumerate(nodes):
        for v in node.reads:
            before[k].update(wrote.get(v.buffer, ()))
        for v in node.writes:
            before[k].update(read.get(v.buffer, ()), wrote.get(v.buffer, ()))
        for v in node.reads:
            read.setdefault(v.buffer, []).append(k)
        for v in node.writes:
            wrote.setdefault(v.buffer, []).append(k)
        if node.draws:
            before[k].update(() if drawn is None else (drawn,))
            drawn = k
        before[k].discard(k)
    after: list[set[int]] = [set() for _ in nodes]
    for k, some in enumerate(before):
        for j in some:
            after[j].add(k)
    return [len(some) for some in before], after


class _Queue:
    """The nodes that can run now."""

    def __init__(self, nodes: list[Instruction]) -> None:
        self.nodes = nodes
        self.missing, self.after = _after(nodes)
        self.others: list[int] = []
        self.ready: dict[int, list[int]] = {}
        for k in range(len(nodes)):
            if not self.missing[k]:
                self.add(k)

    def add(self, k: int) -> None:
        node = self.nodes[k]
        if node.kind == "each":
            self.ready.setdefault(node.writes[0].size, []).append(k)
        else:
            heappush(self.others, k)

    def release(self, k: int) -> None:
        for j in sorted(self.after[k]):
            self.missing[j] -= 1
            if not self.missing[j]:
                self.add(j)


def same(v: View, made: View) -> bool:
    """Whether `v`, of a buffer that a group makes as `made`, is what its register holds."""
    return (
        v.offset == made.offset and v.contiguous and v.size == made.size and v.dtype == made.dtype
    )


def ordered(nodes: list[Instruction], as_written: bool = False) -> list[list[Instruction]]:
    """Lists of nodes that run together, in order: groups, and all others alone.

    Whatever is not elementwise runs first, so that groups are large; with `as_written`, what came
    first in the step, so that less is kept at once.
    """
    queue = _Queue(nodes)
    order: list[list[Instruction]] = []
    while True:
        firsts = [(some[0], size) for size, some in queue.ready.items() if some]
        if queue.others and not (as_written and firsts and min(firsts)[0] < queue.others[0]):
            k = heappop(queue.others)
            order.append([nodes[k]])
            queue.release(k)
            continue
        if not firsts:
            return order
        order.append(_group(queue, min(firsts)[1]))


def _group(queue: _Queue, size: int) -> list[Instruction]:
    """The largest group of elementwise nodes of one size that can run now."""
    nodes, pending = queue.nodes, queue.ready[size]
    group: list[Instruction] = []
    made: dict[Buffer, View] = {}
    loads: dict[Buffer, set[Any]] = {}
    waiting: list[int] = []
    count = 0
    while pending:
        k = pending.pop(0)
        node = nodes[k]
        y = node.writes[0]
        aligned = loads.get(y.buffer, set()) <= {(y.offset, True)}
        fits = count < MOST and y.buffer not in made and aligned
        if not fits or any(v.buffer in made and not same(v, made[v.buffer]) for v in node.reads):
            waiting.append(k)
            continue
        for v in node.reads:
            if v.buffer not in made:
                loads.setdefault(v.buffer, set()).add((v.offset, same(v, y)))
                count += 1
        count += 1
        group.append(node)
        made[y.buffer] = y
        queue.release(k)
    queue.ready[size] = waiting
    # Sums over everything that the group made join it.
    for k in [k for k in queue.others if _totals(nodes[k], size, made)]:
        queue.others.remove(k)
        group.append(nodes[k])
        queue.release(k)
    heapify(queue.others)
    return group


def _totals(node: Instruction, size: int, made: dict[Buffer, View]) -> bool:
    if node.kind != "sum" or node.more["parts"] != (1, size, 1):
        return False
    v = node.reads[0]
    return v.buffer in made and same(v, made[v.buffer])
