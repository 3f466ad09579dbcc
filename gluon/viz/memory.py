"""`memory`: the memory that the graph of an array keeps alive."""

from __future__ import annotations

from typing import Any, NamedTuple

from .._core.engine.node import Variable
from .._core.html import Table, bytes_text
from .._core.instruments.recorder import buffer
from .history import heads_of, history, inputs_kept, is_leaf, kept_arrays


class Kept(NamedTuple):
    """The memory that the nodes of one operator keep.

    Attributes
    ----------
    operator : str
    calls : int
        The number of nodes.
    bytes : int
        The size of the buffers that they keep, without those that older nodes keep too.
    """

    operator: str
    calls: int
    bytes: int


class Memory:
    """The memory that a graph keeps alive; created by `memory`.

    Attributes
    ----------
    rows : list of Kept
        One for each operator, the largest first.
    total : int
        The bytes of all buffers, each counted once.
    variables : int
        The part of `total` for the values of variables, which remain when the graph is freed.

    Parameters
    ----------
    rows : list of Kept
    variables : int
        In bytes.

    Examples
    --------
    >>> from gluon import autograd, nd, viz
    >>> x = nd.ones((256, 1024))
    >>> x.attach_grad()
    >>> with autograd.record():
    ...     y = nd.exp(x).sum()
    >>> kept = viz.memory(y)
    >>> kept.total
    1048576
    >>> print(str(kept.table()).splitlines()[0])
    Operator  Calls     Kept   Share
    """

    rows: list[Kept]
    total: int

    def __init__(self, rows: list[Kept], variables: int) -> None:
        self.rows = sorted(rows, key=lambda row: (-row.bytes, row.operator))
        self.total = sum(row.bytes for row in rows)
        self.variables = variables

    def table(self) -> Table:
        """The rows as a printable table.

        Returns
        -------
        Table
        """
        lines = [
            (row.operator, row.calls, bytes_text(row.bytes), f"{row.bytes / (self.total or 1):.1%}")
            for row in self.rows
        ]
        count = sum(row.calls for row in self.rows)
        notes = [f"{bytes_text(self.total)} kept by {count} calls"]
        if self.variables:
            notes.append(f"{bytes_text(self.variables)} of it are values of variables")
        return Table(("Operator", "Calls", "Kept", "Share"), lines, notes=notes)

    def __repr__(self) -> str:
        return str(self.table())

    def _repr_html_(self) -> str:
        return self.table()._repr_html_()


def memory(y: Any) -> Memory:
    """The memory that the graph of an array keeps alive until its backward pass, by operator.

    A buffer that several nodes keep is counted for the oldest of them.

    Parameters
    ----------
    y : NDArray, or list of NDArray, of any shape and dtype
        Recorded arrays whose graph no backward pass has released.

    Returns
    -------
    Memory
        It can be printed, and notebooks display it.

    Raises
    ------
    AutogradError
        If `y` has no recorded history, or it was released; the message says why.
    DTypeError
        If something is not an array.

    Examples
    --------
    >>> from gluon import autograd, nd, viz
    >>> x = nd.ones((256, 1024))
    >>> x.attach_grad()
    >>> with autograd.record():
    ...     y = (nd.exp(x) * nd.sin(x)).sum()
    >>> viz.memory(y)
    Operator  Calls     Kept  Share
    --------  -----  -------  -----
    exp           1  1.0 MiB  33.3%
    multiply      1  1.0 MiB  33.3%
    sin           1  1.0 MiB  33.3%
    sum           1      0 B   0.0%
    3.0 MiB kept by 4 calls
    1.0 MiB of it are values of variables
    """
    seen: set[int] = set()
    counts: dict[str, list[int]] = {}
    of_variables = 0
    for node in history(heads_of(y, "memory")):
        if is_leaf(node):
            continue
        own = {
            id(buffer(raw))
            for place, raw in inputs_kept(node)
            if isinstance(node.edges[place], Variable)
        }
        total = counts.setdefault(node.op.name, [0, 0])
        total[0] += 1
        for owner in map(buffer, kept_arrays(node)):
            if id(owner) not in seen:
                seen.add(id(owner))
                total[1] += owner.nbytes
                of_variables += owner.nbytes * (id(owner) in own)
    return Memory([Kept(name, *total) for name, total in counts.items()], of_variables)
