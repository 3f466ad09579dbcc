"""Products of matrices that are one larger product.

- A sum of products, the gradient of a weight that is used several times: the rows of the factors
  are put below each other, and one product adds them.
- Products of consecutive rows of one array with the same matrix, such as the inputs of the steps
  of a recurrent cell.

The order in which values are added changes, as within any product.
"""

from __future__ import annotations

from itertools import pairwise

from .values import Buffer, Instruction, View, new, steps_of


def merged(nodes: list[Instruction], kept: set[Buffer]) -> list[Instruction]:
    """The nodes with larger products."""
    return _of_rows(_of_sums(nodes, kept), kept)


class _Sums:
    """Which node makes each buffer, and how many read it."""

    def __init__(self, nodes: list[Instruction], kept: set[Buffer]) -> None:
        self.kept = kept
        self.readers: dict[Buffer, int] = {}
        self.producer: dict[Buffer, Instruction] = {}
        self.writers: dict[Buffer, int] = {}
        for node in nodes:
            for v in node.reads:
                self.readers[v.buffer] = self.readers.get(v.buffer, 0) + 1
            for v in node.writes:
                self.producer[v.buffer] = node
                self.writers[v.buffer] = self.writers.get(v.buffer, 0) + 1
        self.sums: set[int] = set()
        for node in nodes:
            if self.is_sum(node):
                self.sums.add(id(node))

    def adds(self, node: Instruction | None) -> bool:
        """Whether a node adds two values of the same form."""
        if node is None or node.kind != "each" or node.name != "add":
            return False
        y = node.writes[0]
        return all(v.contiguous and v.shape == y.shape for v in node.reads)

    def is_sum(self, node: Instruction) -> bool:
        """Whether a node adds products, or sums of products, that nobody else reads."""
        y = node.writes[0] if self.adds(node) else None
        if y is None or not y.whole or self.writers[y.buffer] != 1:
            return False
        return all(map(self.is_term, node.reads))

    def is_term(self, v: View) -> bool:
        """Whether a value is a product or a sum of products, and is read by one node alone."""
        node = self.producer.get(v.buffer)
        if node is None or not v.whole or self.writers[v.buffer] != 1:
            return False
        if self.readers[v.buffer] != 1 or v.buffer in self.kept:
            return False
        if node.kind == "dot" and len(v.shape) == 2:
            return v.shape == node.writes[0].shape and not self.changes(node)
        return id(node) in self.sums

    def terms(self, total: Instruction) -> tuple[list[Instruction], list[Instruction]]:
        """The products that make up a sum, and the nodes that add them."""
        products: list[Instruction] = []
        adding: list[Instruction] = []
        left = [total]
        while left:
            node = left.pop()
            if node.kind == "dot":
                products.append(node)
            else:
                adding.append(node)
                left += [self.producer[v.buffer] for v in node.reads[::-1]]
        return products, adding

    def changes(self, node: Instruction) -> bool:
        """Whether a factor may be written to later than the product reads it."""
        return any(
            self.writers.get(v.buffer, 0) > (v.buffer.kind == "temporary") for v in node.reads
        )


def _of_sums(nodes: list[Instruction], kept: set[Buffer]) -> list[Instruction]:
    known = _Sums(nodes, kept)
    gone: set[int] = set()
    replaced: dict[int, list[Instruction]] = {}
    for node in nodes[::-1]:
        if id(node) in gone or id(node) not in known.sums:
            continue
        products, adding = known.terms(node)
        if len(products) < 3:
            continue
        replaced[id(node)] = _stacked(products, node)
        gone.update(map(id, adding))
        gone.update(map(id, products))
    out: list[Instruction] = []
    for node in nodes:
        if id(node) in replaced:
            out += replaced[id(node)]
        elif id(node) not in gone:
            out.append(node)
    return out


def _stacked(products: list[Instruction], total: Instruction) -> list[Instruction]:
    """One product for a sum of products."""
    y = total.writes[0]
    m, n = products[0].reads[0].shape[0], products[0].reads[1].shape[1]
    count = sum(node.reads[0].shape[1] for node in products)
    a, b = new((count, m), y.dtype), new((count, n), y.dtype)
    made, at = [], 0
    for node in reversed(products):
        rows = node.reads[0].shape[1]
        for whole, part in ((a, node.reads[0].turned()), (b, node.reads[1])):
            to = whole.part(at * whole.strides[0], part.shape, whole.strides)
            made.append(Instruction("copy", [part], [to], "copy"))
        at += rows
    made.append(
        Instruction(
            "dot", [a.turned(), b], [y.part(0, (m, n), steps_of((m, n), y.dtype.itemsize))], "dot"
        )
    )
    for node in made:
        node.segment, node.line = total.segment, total.line
    return made


def _of_rows(nodes: list[Instruction], kept: set[Buffer]) -> list[Instruction]:
    known = _Sums(nodes, kept)
    alike: dict[tuple, list[Instruction]] = {}
    for node in nodes:
        if node.kind != "dot" or len(node.writes[0].shape) > 2 or known.changes(node):
            continue
        (a, b), (y,) = node.reads, node.writes
        fixed = a.buffer.kind != "temporary" and known.writers.get(a.buffer, 0) == 0
        fixed = fixed and b.buffer.kind != "temporary" and known.writers.get(b.buffer, 0) == 0
        alone = y.whole and y.buffer not in kept and known.writers[y.buffer] == 1
        if fixed and alone and a.contiguous and y.buffer.kind == "temporary":
            alike.setdefault((a.buffer, a.shape, b.key, node.segment), []).append(node)
    first: dict[int, Instruction] = {}
    moved: dict[Buffer, View] = {}
    gone: set[int] = set()
    numbers = {id(node): k for k, node in enumerate(nodes)}
    for some in alike.values():
        some.sort(key=lambda node: node.reads[0].offset)
        a, b = some[0].reads
        size = a.size * a.dtype.itemsize
        offsets = [node.reads[0].offset for node in some]
        if len(some) < 2 or any(y - x != size for x, y in pairwise(offsets)):
            continue
        rows, inner = a.shape
        y = new((rows * len(some), b.shape[1]), a.dtype)
        shape = rows * len(some), inner
        for k, node in enumerate(some):
            old = node.writes[0]
            moved[old.buffer] = y.part(k * old.size * old.dtype.itemsize, (), ())
        gone.update(map(id, some))
        whole = a.part(0, shape, steps_of(shape, a.dtype.itemsize))
        start = min(some, key=lambda node: numbers[id(node)])
        first[id(start)] = joined = Instruction("dot", [whole, b], [y], "dot")
        joined.segment, joined.line = start.segment, start.line
    return _moved(nodes, first, gone, moved) if moved else nodes


def _moved(
    nodes: list[Instruction],
    first: dict[int, Instruction],
    gone: set[int],
    moved: dict[Buffer, View],
) -> list[Instruction]:
    def there(v: View) -> View:
        to = moved.get(v.buffer)
        return v if to is None else to.part(v.offset, v.shape, v.strides)

    out = []
    for node in nodes:
        if id(node) in first:
            out.append(first[id(node)])
        elif id(node) not in gone:
            node.reads = [there(v) for v in node.reads]
            out.append(node)
    return out
