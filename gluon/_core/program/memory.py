"""Places for temporary values in one piece of memory, reused when they are no longer read."""

from __future__ import annotations

from .values import Buffer, Instruction

ALIGNED = 64


class Arena:
    """Places by lifetime: the smallest free one that fits."""

    def __init__(self) -> None:
        self.free: list[tuple[int, int]] = []
        self.size = 0

    def take(self, n: int) -> int:
        """A place of `n` bytes."""
        best = min(((size, at) for at, size in self.free if size >= n), default=None)
        if best is None:
            at, self.size = self.size, self.size + n
            return at
        size, at = best
        self.free.remove((at, size))
        if size > n:
            self.free.append((at + n, size - n))
        return at

    def give(self, at: int, n: int) -> None:
        """Let others have the place."""
        for other, size in list(self.free):
            if other + size == at:
                self.free.remove((other, size))
                at, n = other, n + size
            elif at + n == other:
                self.free.remove((other, size))
                n += size
        self.free.append((at, n))


def placed(groups: list[list[Instruction]], inside: set[Buffer], lasting: set[Buffer]) -> int:
    """Give each temporary buffer, except those `inside` groups, its place; return the size.

    Nothing else gets the places of those that are `lasting`.
    """
    last: dict[Buffer, int] = {}
    for k, group in enumerate(groups):
        for node in group:
            for v in (*node.reads, *node.writes):
                if v.buffer.kind == "temporary" and v.buffer not in inside:
                    last[v.buffer] = k
    dying: dict[int, list[Buffer]] = {}
    for b, k in last.items():
        if b in lasting:
            continue
        dying.setdefault(k, []).append(b)
    arena = Arena()
    for k, group in enumerate(groups):
        for node in group:
            for v in (*node.writes, *node.reads):
                if v.buffer in last and v.buffer.place < 0:
                    v.buffer.place = arena.take(_rounded(v.buffer.nbytes))
                    v.buffer.number = 0
        for b in dying.get(k, ()):
            arena.give(b.place, _rounded(b.nbytes))
    return arena.size


def _rounded(n: int) -> int:
    return max(ALIGNED, (n + ALIGNED - 1) // ALIGNED * ALIGNED)
