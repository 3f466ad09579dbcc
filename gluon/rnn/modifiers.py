"""Cells that modify another cell, or drop values between cells."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from numbers import Number
from typing import Any

from .. import nd
from .._core.errors import ArgumentError, DTypeError
from .._core.hints.lookup import hinted
from ..block.base import whose
from ..nd import NDArray
from ..parameter import ParameterDict
from ..symbol import Symbol
from .base import HybridRecurrentCell, RecurrentCell, check_unmodified
from .containers import BidirectionalCell
from .sequence import arranged, check_length, is_whole, masked, operators, time_axis


class DropoutCell(HybridRecurrentCell):
    """Dropout on the inputs of a recurrent network.

    It has no states; use it between the cells of a `SequentialRNNCell`.

    Parameters
    ----------
    rate : float
        The probability of setting a value to zero.
    axes : tuple of int, default ()
        Axes along which values are dropped or kept together.
    prefix : str, optional
        See `Block`.
    params : ParameterDict, optional

    Raises
    ------
    DTypeError
        If `rate` is not a number.

    Examples
    --------
    >>> from gluon import nd, rnn
    >>> cell = rnn.DropoutCell(0.5)
    >>> output, states = cell(nd.ones((1, 3)), [])  # outside training nothing happens
    >>> output.asnumpy(), states
    (array([[1., 1., 1.]], dtype=float32), [])
    """

    def __init__(
        self,
        rate: float,
        axes: tuple[int, ...] = (),
        prefix: str | None = None,
        params: ParameterDict | None = None,
    ) -> None:
        super().__init__(prefix, params)
        if not isinstance(rate, Number):
            raise DTypeError(f"DropoutCell: rate is a number, not {type(rate).__name__}")
        self._rate, self._axes = rate, axes

    def _alias(self) -> str:
        return "dropout"

    def __repr__(self) -> str:
        return f"DropoutCell(rate={self._rate}, axes={self._axes})"

    def state_info(self, batch_size: int = 0) -> list[dict[str, Any]]:
        """An empty list: there are no states."""
        return []

    def hybrid_forward(self, F: Any, inputs: NDArray, states: Any) -> Any:
        """One step, or all at once; the states are unchanged."""
        if self._rate > 0:
            inputs = F.Dropout(inputs, p=self._rate, axes=self._axes)
        return inputs, states

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
        """As `RecurrentCell.unroll`; an array is processed at once, whatever `valid_length` is."""
        self.reset()
        check_length(length, inputs, layout)
        inputs = arranged(inputs, time_axis(layout), merge_outputs, length)
        if is_whole(inputs):
            return self.hybrid_forward(operators(inputs), inputs, begin_state or [])
        return super().unroll(length, inputs, begin_state, layout, merge_outputs)


class ModifierCell(HybridRecurrentCell):
    """Base class of cells that modify another cell.

    Call the modified cell only through its modifier.

    Parameters
    ----------
    base_cell : HybridRecurrentCell

    Raises
    ------
    ArgumentError
        If the cell already belongs to a modifier.
    DTypeError
        If it is not a cell.

    Examples
    --------
    >>> from gluon import nd, rnn
    >>> class Halved(rnn.ModifierCell):
    ...     def hybrid_forward(self, F, inputs, states):
    ...         output, states = self.base_cell(inputs, states)
    ...         return output / 2, states
    >>> cell = Halved(rnn.RNNCell(3))
    >>> cell.initialize()
    >>> cell(nd.ones((2, 4)), cell.begin_state(batch_size=2))[0].shape
    (2, 3)
    """

    def __init__(self, base_cell: RecurrentCell) -> None:
        if not isinstance(base_cell, RecurrentCell):
            raise DTypeError(
                f"{type(self).__name__} is made of a cell, not of {type(base_cell).__name__}"
            )
        if base_cell._modified:
            raise ArgumentError(
                f"{whose(base_cell)} belongs to a modifier already; make the {type(self).__name__}"
                " of that one, or of another cell"
            )
        super().__init__(prefix=base_cell.prefix + self._alias(), params=None)
        self.base_cell = base_cell
        base_cell._modified = True

    @property
    def params(self) -> ParameterDict:
        """The parameters of the inner cell."""
        return self.base_cell.params

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.base_cell!r})"

    def state_info(self, batch_size: int = 0) -> list[dict[str, Any]]:
        """The shapes and layouts of the states of the inner cell; see `RecurrentCell`."""
        return self.base_cell.state_info(batch_size)

    def begin_state(self, func: Callable[..., Any] = nd.zeros, **kwargs: Any) -> Any:  # type: ignore[override]
        """The states of the inner cell before the first step.

        Parameters
        ----------
        func : callable, default nd.zeros
        **kwargs
            ``batch_size`` and more; see `RecurrentCell.begin_state`.
        """
        check_unmodified(self)
        with self._base_alone() as cell:
            return cell.begin_state(func=func, **kwargs)

    @contextmanager
    def _base_alone(self) -> Iterator[RecurrentCell]:
        """Return a context in which the base cell may be called by itself."""
        self.base_cell._modified = False
        try:
            yield self.base_cell
        finally:
            self.base_cell._modified = True

    def hybrid_forward(self, F: Any, inputs: NDArray, states: Any) -> Any:
        """One step; subclasses define it."""
        raise NotImplementedError(
            f"{type(self).__name__} must define hybrid_forward(self, F, inputs, states)"
        )


class ZoneoutCell(ModifierCell):
    """Zoneout: in training, random outputs and states keep their previous values.

    Before the first step the previous output is 0. Outside training nothing is kept.

    Parameters
    ----------
    base_cell : HybridRecurrentCell
        Not a `BidirectionalCell`, which has no single step.
    zoneout_outputs, zoneout_states : float, default 0
        The probability of keeping the previous value of an output, or of a state.

    Raises
    ------
    ArgumentError
        If the cell cannot be modified.

    Examples
    --------
    >>> from gluon import rnn
    >>> rnn.ZoneoutCell(rnn.GRUCell(3), zoneout_states=0.1)
    ZoneoutCell(p_out=0.0, p_state=0.1, GRUCell(None -> 9))
    """

    def __init__(
        self,
        base_cell: RecurrentCell,
        zoneout_outputs: float = 0.0,
        zoneout_states: float = 0.0,
    ) -> None:
        check_steps(base_cell, "ZoneoutCell")
        super().__init__(base_cell)
        self._zoneout_outputs, self._zoneout_states = zoneout_outputs, zoneout_states
        self._prev_output: NDArray | None = None

    def __repr__(self) -> str:
        return (
            f"ZoneoutCell(p_out={self._zoneout_outputs}, p_state={self._zoneout_states},"
            f" {self.base_cell!r})"
        )

    def _alias(self) -> str:
        return "zoneout"

    def reset(self) -> None:
        """Reset the step counter and the previous output."""
        super().reset()
        self._prev_output = None

    def hybrid_forward(self, F: Any, inputs: NDArray, states: Any) -> Any:
        """One step."""
        new, new_states = self.base_cell(inputs, states)
        old = self._prev_output
        output = _some(F, new, F.zeros_like(new) if old is None else old, self._zoneout_outputs)
        pairs = zip(new_states, states)
        after = [_some(F, one, before, self._zoneout_states) for one, before in pairs]
        self._prev_output = output
        return output, after


def _some(F: Any, new: Any, old: Any, rate: float) -> Any:
    """In training, return the new values, except for a random share of the old ones."""
    return F.where(F.Dropout(F.ones_like(new), p=rate), new, old) if rate else new


def check_steps(cell: Any, modifier: str) -> None:
    """Raise for a cell without a single step."""
    if isinstance(cell, BidirectionalCell):
        raise ArgumentError(
            f"{modifier}: a BidirectionalCell has no single step; make the {modifier}s of the"
            " cells inside"
        )


class ResidualCell(ModifierCell):
    """Adds the inputs to the outputs of another cell (residual connection).

    Parameters
    ----------
    base_cell : HybridRecurrentCell
        Its outputs must have the same length as its inputs.

    Raises
    ------
    ArgumentError
        If the cell cannot be modified.

    Examples
    --------
    >>> from gluon import nd, rnn
    >>> cell = rnn.ResidualCell(rnn.RNNCell(2))
    >>> cell.initialize("zeros")
    >>> cell(nd.array([[1, 2]]), cell.begin_state(batch_size=1))[0].asnumpy()
    array([[1., 2.]], dtype=float32)
    """

    def hybrid_forward(self, F: Any, inputs: NDArray, states: Any) -> Any:
        """One step."""
        output, states = self.base_cell(inputs, states)
        _check_sum(output, inputs)
        return output + inputs, states

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
        """As `RecurrentCell.unroll`, with the inputs added to all outputs."""
        self.reset()
        with self._base_alone() as cell:
            outputs, states = cell.unroll(
                length, inputs, begin_state, layout, merge_outputs, valid_length
            )
        axis = time_axis(layout)
        if valid_length is not None:
            inputs = masked(inputs, axis, valid_length)
        inputs = arranged(inputs, axis, is_whole(outputs), length)
        pairs = [(outputs, inputs)] if is_whole(outputs) else list(zip(outputs, inputs))
        for pair in pairs:
            _check_sum(*pair)
        sums = [output + x for output, x in pairs]
        return sums[0] if is_whole(outputs) else sums, states


def _check_sum(output: Any, inputs: Any) -> None:
    if not isinstance(output, Symbol) and output.shape != inputs.shape:
        raise ArgumentError(
            f"ResidualCell: outputs of shape {output.shape} cannot be added to inputs of shape"
            f" {inputs.shape}; give the cell inside as many outputs as inputs"
        )
