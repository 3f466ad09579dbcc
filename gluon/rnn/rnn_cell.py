"""Elman, LSTM and GRU cells."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..nd import NDArray
from ..parameter import ParameterDict
from .base import ShapedCell

if TYPE_CHECKING:
    from ..initializer.base import InitLike
    from ..nd.activation import ActivationName


def activated(F: Any, x: Any, activation: str | Callable[..., Any]) -> Any:
    """The activation function of that name, or one that is given, applied to `x`."""
    return F.Activation(x, act_type=activation) if isinstance(activation, str) else activation(x)


class GatedCell(ShapedCell):
    """Base class of the cells: weights and biases for the inputs and for the state.

    Subclasses define the number of gates, and the number of states after the output.
    """

    _gates: int
    _cells = 0

    def __init__(
        self,
        hidden_size: int,
        i2h_weight_initializer: InitLike = None,
        h2h_weight_initializer: InitLike = None,
        i2h_bias_initializer: InitLike = "zeros",
        h2h_bias_initializer: InitLike = "zeros",
        input_size: int = 0,
        prefix: str | None = None,
        params: ParameterDict | None = None,
    ) -> None:
        super().__init__(prefix, params)
        self._hidden_size = hidden_size
        self._state_shapes = [(self._output_size(),), *[(hidden_size,)] * self._cells]
        rows = self._gates * hidden_size
        for name, shape, init in (
            ("i2h_weight", (rows, input_size), i2h_weight_initializer),
            ("h2h_weight", (rows, self._output_size()), h2h_weight_initializer),
            *self._more_parameters(),
            ("i2h_bias", (rows,), i2h_bias_initializer),
            ("h2h_bias", (rows,), h2h_bias_initializer),
        ):
            parameter = self.params.get(name, shape=shape, init=init, allow_deferred_init=True)
            setattr(self, name, parameter)

    def _output_size(self) -> int:
        return self._hidden_size

    def _more_parameters(self) -> list[tuple[str, tuple, Any]]:
        """Return names, shapes and initializers of the parameters between weights and biases."""
        return []

    def _sums(
        self,
        F: Any,
        inputs: Any,
        h: Any,
        i2h_weight: Any,
        h2h_weight: Any,
        i2h_bias: Any,
        h2h_bias: Any,
    ) -> tuple[Any, Any]:
        """Return the contributions of the inputs and of the state to the gates."""
        rows = self._gates * self._hidden_size
        return (
            F.FullyConnected(inputs, i2h_weight, i2h_bias, num_hidden=rows),
            F.FullyConnected(h, h2h_weight, h2h_bias, num_hidden=rows),
        )

    def __repr__(self) -> str:
        rows, inputs = self.params.get("i2h_weight").shape
        return f"{type(self).__name__}({inputs or None} -> {rows}{self._described()})"

    def _described(self) -> str:
        """Return further settings for `repr`."""
        return ""


class RNNCell(GatedCell):
    """Elman RNN cell: ``h = activation(W x + b + R h + c)``.

    Takes floats of shape (batch, features) and one state of shape (batch, hidden_size); returns an
    output and a state of that shape, in the same dtype.

    Parameters
    ----------
    hidden_size : int
        The length of the state, which is also the output.
    activation : str or callable, default 'tanh'
        A name for `nd.Activation`, a block or a function.
    i2h_weight_initializer, h2h_weight_initializer : str or Initializer, optional
        The initializers of W, of shape (hidden_size, input_size), and R, (hidden_size,
        hidden_size).
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
    >>> from gluon import nd, rnn
    >>> cell = rnn.RNNCell(3)
    >>> cell.initialize()
    >>> output, states = cell(nd.ones((2, 4)), cell.begin_state(batch_size=2))
    >>> output.shape, states[0] is output, cell
    ((2, 3), True, RNNCell(4 -> 3, tanh))
    """

    _gates = 1

    def __init__(
        self,
        hidden_size: int,
        activation: ActivationName | Callable[..., Any] = "tanh",
        i2h_weight_initializer: InitLike = None,
        h2h_weight_initializer: InitLike = None,
        i2h_bias_initializer: InitLike = "zeros",
        h2h_bias_initializer: InitLike = "zeros",
        input_size: int = 0,
        prefix: str | None = None,
        params: ParameterDict | None = None,
    ) -> None:
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
        self._activation = activation

    def _alias(self) -> str:
        return "rnn"

    def hybrid_forward(
        self,
        F: Any,
        inputs: NDArray,
        states: Any,
        i2h_weight: NDArray,
        h2h_weight: NDArray,
        i2h_bias: NDArray,
        h2h_bias: NDArray,
    ) -> Any:
        """One step."""
        (h,) = self._checked(inputs, states)
        i2h, h2h = self._sums(F, inputs, h, i2h_weight, h2h_weight, i2h_bias, h2h_bias)
        output = activated(F, i2h + h2h, self._activation)
        return output, [output]

    def _described(self) -> str:
        return f", {self._activation}"


class LSTMCell(GatedCell):
    """Long short-term memory (LSTM) cell.

    Takes floats of shape (batch, features) and two states of shape (batch, hidden_size), of output
    and cell; returns an output and two states of that shape, in the same dtype.

    With i, f, g, o the four parts of ``W x + b + R h + c``, the new cell state is
    ``s = f s + i g`` and the output ``h = o activation(s)``; i, f, o go through
    `recurrent_activation` and g through `activation`. The states are h and s.

    Parameters
    ----------
    hidden_size : int
        The length of both states; h is also the output.
    i2h_weight_initializer, h2h_weight_initializer : str or Initializer, optional
        The initializers of W, of shape (4 * hidden_size, input_size), and R, (4 * hidden_size,
        hidden_size).
    i2h_bias_initializer, h2h_bias_initializer : str or Initializer, default 'zeros'
        The initializers of b and c; ``init.LSTMBias()`` starts with open forget gates.
    input_size : int, optional
        The length of the inputs; inferred from the first batch by default.
    prefix : str, optional
        The start of the names of its parameters; see `Block`.
    params : ParameterDict, optional
        Parameters to share with another cell.
    activation : str or callable, default 'tanh'
        A name for `nd.Activation`, a block or a function.
    recurrent_activation : str or callable, default 'sigmoid'

    Examples
    --------
    >>> from gluon import nd, rnn
    >>> cell = rnn.LSTMCell(3)
    >>> cell.initialize()
    >>> output, (h, s) = cell(nd.ones((2, 4)), cell.begin_state(batch_size=2))
    >>> output.shape, h is output, s.shape, cell.i2h_weight.shape
    ((2, 3), True, (2, 3), (12, 4))
    """

    _gates = 4
    _cells = 1

    def __init__(
        self,
        hidden_size: int,
        i2h_weight_initializer: InitLike = None,
        h2h_weight_initializer: InitLike = None,
        i2h_bias_initializer: InitLike = "zeros",
        h2h_bias_initializer: InitLike = "zeros",
        input_size: int = 0,
        prefix: str | None = None,
        params: ParameterDict | None = None,
        activation: ActivationName | Callable[..., Any] = "tanh",
        recurrent_activation: ActivationName | Callable[..., Any] = "sigmoid",
    ) -> None:
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
        self._activation = activation
        self._recurrent_activation = recurrent_activation

    def _alias(self) -> str:
        return "lstm"

    def hybrid_forward(
        self,
        F: Any,
        inputs: NDArray,
        states: Any,
        i2h_weight: NDArray,
        h2h_weight: NDArray,
        i2h_bias: NDArray,
        h2h_bias: NDArray,
    ) -> Any:
        """One step."""
        h, s = self._checked(inputs, states)
        i2h, h2h = self._sums(F, inputs, h, i2h_weight, h2h_weight, i2h_bias, h2h_bias)
        gates = F.split(i2h + h2h, num_outputs=4, axis=1)
        return remembered(F, gates, s, self._activation, self._recurrent_activation)


def remembered(
    F: Any, gates: Any, s: Any, activation: Any, recurrent_activation: Any = "sigmoid"
) -> Any:
    """The output and the states of a cell with long short-term memory."""
    enter, forget, new, leave = gates
    enter = activated(F, enter, recurrent_activation)
    forget = activated(F, forget, recurrent_activation)
    leave = activated(F, leave, recurrent_activation)
    s = forget * s + enter * activated(F, new, activation)
    h = leave * activated(F, s, activation)
    return h, [h, s]


class GRUCell(GatedCell):
    """Gated recurrent unit (GRU) cell.

    Takes floats of shape (batch, features) and one state of shape (batch, hidden_size); returns an
    output and a state of that shape, in the same dtype.

    With r, z the sigmoids of the first two parts of ``W x + b + R h + c``, and
    ``n = tanh(W x + b + r (R h + c))`` from the third, ``h = (1 - z) n + z h``.

    Parameters
    ----------
    hidden_size : int
        The length of the state, which is also the output.
    i2h_weight_initializer, h2h_weight_initializer : str or Initializer, optional
        The initializers of W, of shape (3 * hidden_size, input_size), and R, (3 * hidden_size,
        hidden_size).
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
    >>> from gluon import rnn
    >>> rnn.GRUCell(3, input_size=4)
    GRUCell(4 -> 9)
    """

    _gates = 3

    def _alias(self) -> str:
        return "gru"

    def hybrid_forward(
        self,
        F: Any,
        inputs: NDArray,
        states: Any,
        i2h_weight: NDArray,
        h2h_weight: NDArray,
        i2h_bias: NDArray,
        h2h_bias: NDArray,
    ) -> Any:
        """One step."""
        (h,) = self._checked(inputs, states)
        i2h, h2h = self._sums(F, inputs, h, i2h_weight, h2h_weight, i2h_bias, h2h_bias)
        output = updated(F, i2h, h2h, h, "tanh", axis=1)
        return output, [output]


def updated(F: Any, i2h: Any, h2h: Any, h: Any, activation: Any, axis: int) -> Any:
    """The next state of a gated recurrent unit."""
    i_reset, i_update, i_new = F.split(i2h, num_outputs=3, axis=axis)
    h_reset, h_update, h_new = F.split(h2h, num_outputs=3, axis=axis)
    reset = F.sigmoid(i_reset + h_reset)
    update = F.sigmoid(i_update + h_update)
    new = activated(F, i_new + reset * h_new, activation)
    return (1 - update) * new + update * h
