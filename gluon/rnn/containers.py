"""Stacked and bidirectional cells."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .._core.errors import ArgumentError, DTypeError
from .._core.hints.lookup import hinted
from ..block.base import whose
from ..nd import NDArray
from .base import HybridRecurrentCell, RecurrentCell, check_unmodified
from .sequence import (
    arranged,
    check_length,
    first_states,
    is_whole,
    joined,
    operators,
    parted,
    time_axis,
    turned,
)


def shared_out(block: RecurrentCell, cells: list[RecurrentCell], states: Any) -> list[Any]:
    """The states of each cell.

    Raises
    ------
    ArgumentError
        If there are too many or too few.
    """
    counts = [len(cell.state_info()) for cell in cells]
    if not isinstance(states, (list, tuple)) or len(states) != sum(counts):
        given = len(states) if isinstance(states, (list, tuple)) else type(states).__name__
        raise ArgumentError(
            f"{whose(block)} needs a list of {sum(counts)} states, got {given};"
            " begin_state(batch_size=...) makes it"
        )
    ends = [sum(counts[: k + 1]) for k in range(len(counts))]
    return [states[end - count : end] for count, end in zip(counts, ends)]


class CellOfCells(RecurrentCell):
    """A cell whose states are those of the cells inside, in order."""

    @property
    def _cells(self) -> list[Any]:
        return list(self._children.values())

    def state_info(self, batch_size: int = 0) -> list[dict[str, Any]]:
        """The shapes and layouts of the states of all cells, in order; see `RecurrentCell`."""
        return [info for cell in self._cells for info in cell.state_info(batch_size)]

    def begin_state(self, batch_size: int = 0, **kwargs: Any) -> list[Any]:  # type: ignore[override]
        """The states of all cells before the first step, in order.

        Parameters
        ----------
        batch_size : int, default 0
        **kwargs
            ``func`` and more; see `RecurrentCell.begin_state`.
        """
        check_unmodified(self)
        return [
            state
            for cell in self._cells
            for state in cell.begin_state(batch_size=batch_size, **kwargs)
        ]


class Stack(CellOfCells):
    """Base class of the two kinds of stacked cells."""

    def add(self, cell: RecurrentCell) -> None:
        """Append a cell.

        Parameters
        ----------
        cell : RecurrentCell

        Raises
        ------
        DTypeError
            If it is not a cell.
        """
        if not isinstance(cell, RecurrentCell):
            raise DTypeError(
                f"{whose(self)}: add() takes a cell, such as LSTMCell, not {type(cell).__name__}"
            )
        self.register_child(cell)

    @hinted
    def unroll(
        self,
        length: int,
        inputs: Any,
        begin_state: Any = None,
        layout: str = "NTC",
        merge_outputs: bool | None = None,
        valid_length: NDArray | None = None,
    ) -> tuple[Any, Any]:
        """Call each cell for the whole sequence, on the outputs of the one below.

        See `RecurrentCell.unroll`.
        """
        self.reset()
        check_length(length, inputs, layout)
        begin_state = first_states(self, begin_state, inputs, layout)
        states = shared_out(self, self._cells, begin_state)
        outputs, lasts = inputs, []
        for k, (cell, first) in enumerate(zip(self._cells, states), 1):
            merge = merge_outputs if k == len(states) else None
            outputs, last = cell.unroll(length, outputs, first, layout, merge, valid_length)
            lasts += last
        return outputs, lasts

    def _step(self, inputs: NDArray, states: Any) -> tuple[NDArray, list]:
        nexts: list = []
        for cell, own in zip(self._cells, shared_out(self, self._cells, states)):
            inputs, after = cell(inputs, own)
            nexts += after
        return inputs, nexts

    def __len__(self) -> int:
        return len(self._children)

    def __getitem__(self, key: int) -> Any:
        return self._cells[key]

    def __iter__(self) -> Iterator[Any]:
        return iter(self._cells)

    def __repr__(self) -> str:
        lines = [f"({key}): " + repr(one).replace("\n", "\n  ") for key, one in enumerate(self)]
        return "{}(\n{}\n)".format(type(self).__name__, "\n".join(lines))


class SequentialRNNCell(Stack):
    """Runs cells in sequence (stacked).

    Parameters
    ----------
    prefix : str, optional
        The start of the names of its parameters; see `Block`.
    params : ParameterDict, optional
        Parameters to share with another cell.

    Examples
    --------
    >>> from gluon import nd, rnn
    >>> stack = rnn.SequentialRNNCell()
    >>> stack.add(rnn.LSTMCell(4))
    >>> stack.add(rnn.GRUCell(2))
    >>> stack.initialize()
    >>> outputs, states = stack.unroll(3, nd.ones((1, 3, 5)), merge_outputs=True)
    >>> outputs.shape, [state.shape for state in states]
    ((1, 3, 2), [(1, 4), (1, 4), (1, 2)])
    """

    def forward(self, inputs: NDArray, states: Any) -> tuple[Any, Any]:
        """The output of the last cell, and the next states of all."""
        self._counter += 1
        return self._step(inputs, states)


class HybridSequentialRNNCell(Stack, HybridRecurrentCell):
    """Runs hybrid cells in sequence; see `SequentialRNNCell`.

    Parameters
    ----------
    prefix : str, optional
        The start of the names of its parameters; see `Block`.
    params : ParameterDict, optional
        Parameters to share with another cell.

    Examples
    --------
    >>> from gluon import nd, rnn
    >>> stack = rnn.HybridSequentialRNNCell()
    >>> stack.add(rnn.LSTMCell(4))
    >>> stack.add(rnn.GRUCell(3))
    >>> stack.initialize()
    >>> outputs, states = stack.unroll(5, nd.ones((2, 5, 6)), merge_outputs=True)
    >>> outputs.shape, [state.shape for state in states]
    ((2, 5, 3), [(2, 4), (2, 4), (2, 3)])
    """

    def hybrid_forward(self, F: Any, inputs: NDArray, states: Any) -> Any:
        """The output of the last cell, and the next states of all."""
        return self._step(inputs, states)


class BidirectionalCell(CellOfCells, HybridRecurrentCell):
    """Runs two cells over a sequence in both directions and concatenates their outputs.

    It cannot run a single step; call `unroll`.

    Parameters
    ----------
    l_cell, r_cell : HybridRecurrentCell
        The cells for the forward and the backward direction.
    output_prefix : str, default ``'bi_'``
        The start of the names of outputs that are symbols.

    Raises
    ------
    NotImplementedError
        If it is called for a single step.

    Examples
    --------
    >>> from gluon import nd, rnn
    >>> cell = rnn.BidirectionalCell(rnn.LSTMCell(4), rnn.GRUCell(2))
    >>> cell.initialize()
    >>> outputs, states = cell.unroll(3, nd.ones((1, 3, 5)), merge_outputs=True)
    >>> outputs.shape, len(states)
    ((1, 3, 6), 3)
    """

    def __init__(
        self, l_cell: RecurrentCell, r_cell: RecurrentCell, output_prefix: str = "bi_"
    ) -> None:
        super().__init__(prefix="", params=None)
        self.register_child(l_cell, "l_cell")
        self.register_child(r_cell, "r_cell")
        self._output_prefix = output_prefix

    def __call__(self, *args: Any) -> Any:
        """Raise an error: a bidirectional cell cannot compute single steps.

        Raises
        ------
        NotImplementedError
        """
        raise NotImplementedError(
            "BidirectionalCell: it cannot compute a single step; call unroll()"
        )

    def __repr__(self) -> str:
        forward, backward = self._cells
        return f"BidirectionalCell(forward={forward!r}, backward={backward!r})"

    @hinted
    def unroll(
        self,
        length: int,
        inputs: Any,
        begin_state: Any = None,
        layout: str = "NTC",
        merge_outputs: bool | None = None,
        valid_length: NDArray | None = None,
    ) -> tuple[Any, Any]:
        """Call both cells for the whole sequence; see `RecurrentCell.unroll`.

        The output of a step is the output of the forward cell and that of the backward cell,
        concatenated along the axis of the features.
        """
        self.reset()
        check_length(length, inputs, layout)
        axis = time_axis(layout)
        begin_state = first_states(self, begin_state, inputs, layout)
        states = shared_out(self, self._cells, begin_state)
        steps = parted(inputs, axis, length)
        forward, backward = self._cells
        ahead, last_ahead = forward.unroll(
            length, steps, states[0], layout, merge_outputs, valid_length
        )
        back, last_back = backward.unroll(
            length, turned(steps, valid_length), states[1], layout, False, valid_length
        )
        back = turned(back, valid_length)
        outputs: Any
        F = operators(steps[0])
        if is_whole(ahead):
            name = f"{self._output_prefix}out"
            outputs = F.concat(ahead, joined(back, axis), dim=layout.find("C"), name=name)
        else:
            features = layout.replace("T", "").find("C")
            outputs = [
                F.concat(*pair, dim=features, name=f"{self._output_prefix}t{step}")
                for step, pair in enumerate(zip(ahead, back))
            ]
        return arranged(outputs, axis, merge_outputs, length), last_ahead + last_back
