"""`LSTMPCell`, `VariationalDropoutCell` and `dynamic_unroll`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..._core.arrays.interfaces import Symbolic
from ...nd import NDArray
from ...parameter import ParameterDict
from ...rnn.base import RecurrentCell
from ...rnn.modifiers import ModifierCell, check_steps
from ...rnn.rnn_cell import GatedCell, remembered
from ...rnn.sequence import arranged, check_length, joined, operators, time_axis

if TYPE_CHECKING:
    from ...initializer.base import InitLike


class VariationalDropoutCell(ModifierCell):
    """Applies the same dropout mask at all steps of a sequence.

    `reset` draws new masks; `unroll` calls it.

    Parameters
    ----------
    base_cell : HybridRecurrentCell
    drop_inputs, drop_states, drop_outputs : float, default 0
        In training, the probabilities of setting values of the inputs, of the first state and of
        the outputs to 0.

    Raises
    ------
    ArgumentError
        If the cell cannot be modified.

    Examples
    --------
    >>> from gluon import autograd, contrib, nd, rnn
    >>> cell = contrib.rnn.VariationalDropoutCell(rnn.RNNCell(100), drop_outputs=0.5)
    >>> cell.initialize()
    >>> with autograd.train_mode():
    ...     (one, two), _ = cell.unroll(2, nd.ones((1, 2, 3)), merge_outputs=False)
    >>> ((one == 0) == (two == 0)).min().item()
    1.0
    """

    drop_inputs: float
    drop_states: float

    def __init__(
        self,
        base_cell: RecurrentCell,
        drop_inputs: float = 0.0,
        drop_states: float = 0.0,
        drop_outputs: float = 0.0,
    ) -> None:
        if drop_states:
            check_steps(base_cell, "VariationalDropoutCell")
        super().__init__(base_cell)
        self.drop_inputs, self.drop_states = drop_inputs, drop_states
        self.drop_outputs = drop_outputs

    def _alias(self) -> str:
        return "vardrop"

    def __repr__(self) -> str:
        return f"VariationalDropoutCell(p_out = {self.drop_outputs}, p_state = {self.drop_states})"

    def reset(self) -> None:
        """Reset the states and draw new dropout masks."""
        super().reset()
        self.drop_inputs_mask: Any = None
        self.drop_states_mask: Any = None
        self.drop_outputs_mask: Any = None

    def _initialize_input_masks(self, F: Any, inputs: NDArray, states: Any) -> None:
        """Draw the dropout masks of inputs and states, used until the next `reset`."""
        if self.drop_states and self.drop_states_mask is None:
            self.drop_states_mask = F.Dropout(F.ones_like(states[0]), p=self.drop_states)
        if self.drop_inputs and self.drop_inputs_mask is None:
            self.drop_inputs_mask = F.Dropout(F.ones_like(inputs), p=self.drop_inputs)

    def _initialize_output_mask(self, F: Any, output: NDArray) -> None:
        """Draw the dropout mask of the outputs, used until the next `reset`."""
        if self.drop_outputs and self.drop_outputs_mask is None:
            self.drop_outputs_mask = F.Dropout(F.ones_like(output), p=self.drop_outputs)

    def hybrid_forward(self, F: Any, inputs: NDArray, states: Any) -> Any:
        """One step."""
        self._initialize_input_masks(F, inputs, states)
        if self.drop_inputs:
            inputs = inputs * self.drop_inputs_mask
        if self.drop_states:
            first, *others = states
            states = [first * self.drop_states_mask, *others]
        output, states = self.base_cell(inputs, states)
        self._initialize_output_mask(F, output)
        if self.drop_outputs:
            output = output * self.drop_outputs_mask
        return output, states

    def unroll(
        self,
        length: int,
        inputs: Any,
        begin_state: Any = None,
        layout: str = "NTC",
        merge_outputs: bool | None = None,
        valid_length: NDArray | None = None,
    ) -> tuple[Any, Any]:
        """As `RecurrentCell.unroll`, but without `drop_states` it returns one array by default."""
        if self.drop_states:
            return super().unroll(length, inputs, begin_state, layout, merge_outputs, valid_length)
        self.reset()
        check_length(length, inputs, layout)
        with self._base_alone() as cell:
            outputs, states = _dropped(
                *(cell, length, inputs, begin_state, self.drop_inputs, self.drop_outputs),
                *(layout, valid_length),
            )
        return arranged(outputs, time_axis(layout), merge_outputs, length), states


def dynamic_unroll(
    cell: RecurrentCell,
    inputs: Any,
    begin_state: Any,
    drop_inputs: float = 0,
    drop_outputs: float = 0,
    layout: str = "TNC",
    valid_length: NDArray | None = None,
) -> tuple[NDArray, Any]:
    """Call a cell for each step of a sequence, as `RecurrentCell.unroll` does.

    Parameters
    ----------
    cell : RecurrentCell
    inputs : NDArray, list of NDArrays, or Symbol
        An array with the axes of `layout`, or one for each step. A symbol becomes a loop over the
        steps of its array; the states are then symbols.
    begin_state : list of NDArray, or None
        The states before the first step; zeros for None.
    drop_inputs, drop_outputs : float, default 0
        In training, the probabilities of setting inputs and outputs to 0, with the same masks at
        all steps.
    layout : str, default 'TNC'
        The axes: steps (T), batch (N) and features (C).
    valid_length : NDArray of shape (batch,), optional
        The number of steps of each sample.

    Returns
    -------
    outputs : NDArray
    states : list of NDArray
        The states after the last step.
    """
    axis = time_axis(layout)
    if isinstance(inputs, Symbolic):
        return _looped(cell, inputs, begin_state, drop_inputs, drop_outputs, axis, valid_length)
    check_length(None, inputs, layout)
    length = inputs.shape[axis] if isinstance(inputs, NDArray) else len(inputs)
    return _dropped(
        cell, length, inputs, begin_state, drop_inputs, drop_outputs, layout, valid_length
    )


def _looped(
    cell: RecurrentCell,
    inputs: Any,
    begin_state: Any,
    drop_inputs: float,
    drop_outputs: float,
    axis: int,
    valid_length: Any,
) -> tuple[Any, Any]:
    """Apply `dynamic_unroll` to a symbol: a loop over the steps of the array at run time."""
    F = operators(inputs)
    if drop_inputs:
        inputs = F.Dropout(inputs, p=drop_inputs, axes=(axis,))
    inputs = F.swapaxes(inputs, dim1=0, dim2=1) if axis else inputs

    def step(x: Any, states: list[Any]) -> tuple[Any, list[Any]]:
        *before, place = states
        output, after = cell(x, before)
        if valid_length is not None:
            counts = F.broadcast_lesser(place, valid_length)
            after = [F.where(counts, new, old) for new, old in zip(after, before)]
        return output, [*after, place + 1]

    first = cell.begin_state(func=F.zeros) if begin_state is None else begin_state
    outputs, states = F.contrib.foreach(step, inputs, [*first, F.zeros((1,))])
    if valid_length is not None:
        outputs = F.SequenceMask(outputs, valid_length, use_sequence_length=True, axis=0)
    outputs = F.swapaxes(outputs, dim1=0, dim2=1) if axis else outputs
    if drop_outputs:
        outputs = F.Dropout(outputs, p=drop_outputs, axes=(axis,))
    return outputs, states[:-1]


def _dropped(
    cell: RecurrentCell,
    length: int,
    inputs: Any,
    begin_state: Any,
    drop_inputs: float,
    drop_outputs: float,
    layout: str,
    valid_length: Any,
) -> tuple[Any, Any]:
    """Unroll a cell for a fixed number of steps, with the same dropout masks in each."""
    axis = time_axis(layout)
    if drop_inputs:
        inputs = joined(inputs, axis)
        inputs = operators(inputs).Dropout(inputs, p=drop_inputs, axes=(axis,))
    outputs, states = cell.unroll(length, inputs, begin_state, layout, True, valid_length)
    if drop_outputs:
        outputs = operators(outputs).Dropout(outputs, p=drop_outputs, axes=(axis,))
    return outputs, states


class LSTMPCell(GatedCell):
    """LSTM cell with a projected output.

    As `gluon.rnn.LSTMCell`, but with ``h = P o tanh(s)``. The states are h and s.

    Parameters
    ----------
    hidden_size : int
        The length of s.
    projection_size : int
        The length of h, which is also the output.
    i2h_weight_initializer, h2h_weight_initializer : str or Initializer, optional
        The initializers of W, of shape (4 * hidden_size, input_size), and R, (4 * hidden_size,
        projection_size).
    h2r_weight_initializer : str or Initializer, optional
        The initializer of P, of shape (projection_size, hidden_size).
    i2h_bias_initializer, h2h_bias_initializer : str or Initializer, default 'zeros'
        The initializers of b and c.
    input_size : int, optional
        The length of the inputs; inferred from the first batch by default.
    prefix : str, optional
        The start of the names of its parameters; see `Block`.
    params : ParameterDict, optional
        Parameters to share with another cell.

    Examples
    --------
    >>> from gluon import contrib
    >>> contrib.rnn.LSTMPCell(4, 3, input_size=5)
    LSTMPCell(5 -> 16 -> 3)
    """

    _gates = 4
    _cells = 1

    def __init__(
        self,
        hidden_size: int,
        projection_size: int,
        i2h_weight_initializer: InitLike = None,
        h2h_weight_initializer: InitLike = None,
        h2r_weight_initializer: InitLike = None,
        i2h_bias_initializer: InitLike = "zeros",
        h2h_bias_initializer: InitLike = "zeros",
        input_size: int = 0,
        prefix: str | None = None,
        params: ParameterDict | None = None,
    ) -> None:
        self._projection_size = projection_size
        self._h2r_weight_initializer = h2r_weight_initializer
        super().__init__(
            hidden_size,
            i2h_weight_initializer,
            h2h_weight_initializer,
            i2h_bias_initializer,
            h2h_bias_initializer,
            input_size,
            prefix,
            params,
        )

    def _alias(self) -> str:
        return "lstmp"

    def _output_size(self) -> int:
        return self._projection_size

    def _more_parameters(self) -> list[tuple[str, tuple, Any]]:
        shape = (self._projection_size, self._hidden_size)
        return [("h2r_weight", shape, self._h2r_weight_initializer)]

    def hybrid_forward(
        self,
        F: Any,
        inputs: NDArray,
        states: Any,
        i2h_weight: NDArray,
        h2h_weight: NDArray,
        h2r_weight: NDArray,
        i2h_bias: NDArray,
        h2h_bias: NDArray,
    ) -> Any:
        """One step."""
        h, s = self._checked(inputs, states)
        i2h, h2h = self._sums(F, inputs, h, i2h_weight, h2h_weight, i2h_bias, h2h_bias)
        gates = F.split(i2h + h2h, num_outputs=4, axis=1)
        output, (_, s) = remembered(F, gates, s, "tanh")
        h = F.FullyConnected(output, h2r_weight, no_bias=True, num_hidden=self._projection_size)
        return h, [h, s]

    def _described(self) -> str:
        return f" -> {self._projection_size}"
