"""Recurrent layers over whole sequences."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, overload

from .. import nd, symbol
from .._core.arrays.base import A
from .._core.arrays.unpacking import alone
from .._core.errors import ArgumentError, DTypeError, warn_caller
from ..block import HybridBlock
from ..block.naming import Naming
from ..block.shapes import Unknown
from ..nd import NDArray
from ..nd._checks import check_used
from ..nd.rnn import check, features_of, form_of, recurrent
from ..parameter import Parameter
from ..symbol import Symbol
from ..symbol.functions import call
from .base import made

if TYPE_CHECKING:
    from numpy.typing import DTypeLike
    from typing_extensions import Unpack

    from ..initializer.base import InitLike
    from ..nd.activation import ActivationName

LAYOUTS = ("TNC", "NTC")
#: The kinds of parameters, in the order of their creation, which is that of operators.
KINDS = ("i2h_weight", "h2h_weight", "i2h_bias", "h2h_bias", "h2r_weight")
STATES_TOO = "returns the output alone; layer(x, layer.begin_state(batch_size)) returns states too"
#: More layers than are usual, and more than anybody stacks; see `Layer._warn_of_depth`.
USUAL_LAYERS, MOST_LAYERS = 3, 8
PLACES = ("i2h_weight", "h2h_weight", "h2r_weight", "i2h_bias", "h2h_bias")


class Options(Naming, total=False):
    """The additional arguments of a recurrent layer."""

    use_sequence_length: bool


class Layer(HybridBlock):
    """Base class of the recurrent layers.

    The operators take the parameters and compute their gradients separately: nothing is packed
    into one vector and unpacked again, as `nd.RNN` requires.
    """

    def __init__(
        self,
        mode: str,
        hidden_size: int,
        num_layers: int,
        layout: str,
        dropout: float,
        bidirectional: bool,
        input_size: int,
        initializers: tuple[InitLike, ...],
        dtype: DTypeLike,
        projection_size: int | None = None,
        clip: tuple[Any, ...] = (None, None, False),
        /,
        *,
        use_sequence_length: bool = False,
        **kwargs: Unpack[Naming],
    ) -> None:
        super().__init__(**kwargs)
        if layout not in LAYOUTS:
            raise _no_layout(type(self).__name__, layout, hidden_size, num_layers)
        self._layout, self._dtype, self._clip = layout, dtype, clip
        self._use_sequence_length = use_sequence_length
        try:
            self._form = form_of(
                *(mode, hidden_size, num_layers, bidirectional, dropout, projection_size), *clip
            )
        except ArgumentError as error:
            reason = str(error).removeprefix("RNN: ")
            for inner, own in {"state_size=": "hidden_size=", "p=": "dropout="}.items():
                reason = own + reason.removeprefix(inner) if reason.startswith(inner) else reason
            raise ArgumentError(f"{type(self).__name__}: {reason}") from None
        if dropout and num_layers == 1:
            warn_caller(
                f"{type(self).__name__}: dropout={dropout} is between layers, and does nothing with"
                " num_layers=1; nn.Dropout drops outputs"
            )
        kinds = KINDS[: 4 if projection_size is None else 5]
        runs = [f"{side}{k}_" for k in range(num_layers) for side in "lr"[: self._form.directions]]
        #: The parameter names per direction and layer, in the order of `recurrent`.
        self._runs = [[run + kind for kind in sorted(kinds, key=PLACES.index)] for run in runs]
        shapes = dict(self._shapes(input_size))
        for run in runs:
            for kind, init in zip(kinds, initializers):
                spec = {"shape": shapes[run + kind], "init": init, "dtype": dtype}
                parameter = self.params.get(run + kind, allow_deferred_init=True, **spec)
                setattr(self, run + kind, parameter)

    def _shapes(self, features: int) -> Iterator[tuple[str, tuple]]:
        """Yield the names of all parameters, with the shapes for inputs of that length."""
        for names, weights, biases in zip(self._runs, *self._form.shapes(features)):
            yield from zip(names, weights + biases)

    def __repr__(self) -> str:
        form, first = self._form, self.params.get("l0_i2h_weight")
        parts = [f"{first.shape[1] or None} -> {form.size}", self._layout]
        if form.layers != 1:
            parts.append(f"num_layers={form.layers}")
        if form.p:
            parts.append(f"dropout={form.p}")
        if form.directions == 2:
            parts.append("bidirectional")
        return f"{type(self).__name__}({', '.join(parts)})"

    def _collect_params_with_prefix(self, prefix: str = "") -> dict[str, Parameter]:
        """Return the parameters by the names of cells, as MXNet saves them."""
        both = self._form.directions == 2
        start = f"{prefix}." if prefix else ""
        found = {}
        for name, one in self._reg_params.items():
            side, layer, kind = re.fullmatch(r"([lr])(\d+)_(.*)", name).groups()  # type: ignore[union-attr]
            cell = f"{side}_cell." if both else ""
            found[f"{start}_unfused.{layer}.{cell}{kind}"] = one
        return found

    def cast(self, dtype: Any) -> None:
        """Change the dtype of all parameters, and of the states that `begin_state` creates.

        Parameters
        ----------
        dtype : str or numpy type
        """
        super().cast(dtype)
        self._dtype = dtype

    def state_info(self, batch_size: int = 0) -> list[dict[str, Any]]:
        """The shape, the layout and the dtype of each state.

        Parameters
        ----------
        batch_size : int, default 0

        Returns
        -------
        list of dict
        """
        form = self._form
        sizes = [form.out, form.size] if form.mode == "lstm" else [form.size]
        count = form.layers * form.directions
        return [
            {"shape": (count, batch_size, size), "__layout__": "LNC", "dtype": self._dtype}
            for size in sizes
        ]

    def begin_state(
        self, batch_size: int = 0, func: Callable[..., Any] = nd.zeros, **kwargs: Any
    ) -> list[Any]:
        """The states before the first step, of shape (num_layers * directions, batch, size).

        Parameters
        ----------
        batch_size : int
        func : callable, default nd.zeros
            Creates a state; it is called with ``shape=``, ``dtype=`` and `kwargs`, and with
            ``name=`` and ``__layout__=`` if it takes them.
        **kwargs
            Further arguments of `func`, such as ``ctx`` and ``dtype``.

        Returns
        -------
        list of NDArray
        """
        return [
            made(func, {"name": f"{self.prefix}h0_{k}", **info, **kwargs})
            for k, info in enumerate(self.state_info(batch_size))
        ]

    @overload
    def __call__(self, inputs: A, states: None = None, sequence_length: A | None = None) -> A: ...

    @overload
    def __call__(
        self, inputs: A, states: A | Sequence[A], sequence_length: A | None = None
    ) -> tuple[A, list[A]]: ...

    def __call__(self, inputs: Any, states: Any = None, sequence_length: Any = None) -> Any:
        """The output of the last layer; and the last states, if states are given.

        Parameters
        ----------
        inputs : NDArray of shape (steps, batch, features), or (batch, steps, features) for 'NTC'
        states : NDArray or list of NDArray, optional
            As `begin_state` makes them; zeros by default.
        sequence_length : NDArray of shape (batch,), optional
            The number of steps of each sample; for layers with ``use_sequence_length=True``.

        Returns
        -------
        output : NDArray
            In the layout of the inputs.
        states : list of NDArray
            After the last step; only returned if states are given.

        Raises
        ------
        ArgumentError
            If a shape does not fit.
        DTypeError
            If the inputs and the states are not of the dtype of the layer.
        """
        if isinstance(inputs, Symbol) and states is None:
            begin = self.begin_state(0, symbol.zeros)
            return super().__call__(inputs, begin, sequence_length)[0]
        return super().__call__(inputs, states, sequence_length)

    def hybrid_forward(  # type: ignore[override]
        self, F: Any, inputs: Any, states: Any = None, sequence_length: Any = None, **params: Any
    ) -> Any:
        """Apply the layers; see `__call__`."""
        if isinstance(inputs, Symbol):
            return self._composed(F, inputs, states, sequence_length, params)
        for what, one in (("inputs", inputs), ("sequence_length", sequence_length)):
            if one is not None and not isinstance(one, NDArray):
                raise DTypeError(f"{what} must be an NDArray, not {type(one).__name__}")
        check_used("RNN", "sequence_length", sequence_length, self._use_sequence_length)
        x = inputs if self._layout == "TNC" else F.swapaxes(inputs, 0, 1)
        features = features_of(x)
        shapes = dict(self._shapes(features))
        if any(isinstance(one, Unknown) for one in params.values()):
            self._warn_of_depth(features)
        arrays = {
            name: one.of_shape(shapes[name]) if isinstance(one, Unknown) else one
            for name, one in params.items()
        }
        given = states is not None
        begin = self._states(x, states)
        parameters = [(name, arrays[name], shape) for name, shape in shapes.items()]
        check(self._form, x, parameters, begin, sequence_length)
        weights = [[arrays[name] for name in run] for run in self._runs]
        y, lasts = recurrent(self._form, x, weights, begin, sequence_length, given)
        y = y if self._layout == "TNC" else F.swapaxes(y, 0, 1)
        return (y, lasts) if given else alone(y, f"{type(self).__name__}(x) {STATES_TOO}")

    def _warn_of_depth(self, features: int) -> None:
        """Warn if the arguments may be PyTorch's, the lengths of the input and of the state."""
        size, layers, kind = self._form.size, self._form.layers, type(self).__name__
        few = MOST_LAYERS if size > 4 * layers else USUAL_LAYERS
        if features == size and layers > few:
            warnings.warn(
                f"{kind} read hidden_size={size} and num_layers={layers}; it finds the length"
                f" {features} of the input by itself, so give {kind}(hidden_size, num_layers), or"
                f" input_size={features} if it is meant so",
                stacklevel=2,
            )

    def _composed(
        self, F: Any, x: Symbol, states: Any, sequence_length: Any, params: dict[str, Any]
    ) -> tuple[Symbol, list[Symbol]]:
        """Compute the layers as one operator, with all parameters in one vector."""
        form, clip = self._form, self._clip
        order = [name for run in self._runs for name in run]
        order.sort(key=lambda name: name.endswith("bias"))
        packed = call(
            *("_rnn_param_concat", "_rnn_param_concat"),
            *[F.reshape(params[name], shape=-1) for name in order],
            dim=0,
        )
        given = [states] if isinstance(states, Symbol) else list(states)
        if self._use_sequence_length:
            given.append(sequence_length)
        y, *lasts = F.RNN(
            x if self._layout == "TNC" else F.swapaxes(x, dim1=0, dim2=1),
            packed,
            *given,
            use_sequence_length=self._use_sequence_length,
            state_size=form.size,
            projection_size=form.out if form.out != form.size else None,
            num_layers=form.layers,
            bidirectional=form.directions == 2,
            p=form.p,
            state_outputs=True,
            mode=form.mode,
            lstm_state_clip_min=clip[0],
            lstm_state_clip_max=clip[1],
            lstm_state_clip_nan=clip[2],
        )
        return y if self._layout == "TNC" else F.swapaxes(y, dim1=0, dim2=1), lasts

    def _states(self, x: NDArray, states: Any) -> list[NDArray]:
        """Return the initial states as a list."""
        if states is None:
            return self.begin_state(x.shape[1], ctx=x._ctx, dtype=x.dtype)
        found = [states] if isinstance(states, NDArray) else list(states)
        for one in found:
            if not isinstance(one, NDArray):
                raise DTypeError(f"states are NDArrays, not {type(one).__name__}")
        return found


def _no_layout(kind: str, layout: Any, hidden_size: int, num_layers: int) -> ArgumentError:
    """The error for a layout that is none; arguments in PyTorch's order have a number there."""
    read = f"; it read hidden_size={hidden_size} and num_layers={num_layers}"
    read = "" if isinstance(layout, str) else read
    return ArgumentError(f"{kind}: layout {layout!r} is not one of {', '.join(LAYOUTS)}{read}")


class RNN(Layer):
    """Multi-layer Elman RNN: ``h = activation(W x + b + R h + c)``.

    Takes floats of shape (steps, batch, features), or as `layout` says, and optionally states;
    returns the outputs of the last layer at all steps, of the same dtype, with `hidden_size`
    features for each direction, and the new states if states were given.

    Parameters
    ----------
    hidden_size : int
        The length of the state; the output is twice as long if `bidirectional`.
    num_layers : int, default 1
    activation : {'relu', 'tanh'}
    layout : {'TNC', 'NTC'}
        The axes of inputs and outputs: steps (T), batch (N) and features (C).
    dropout : float, default 0
        In training, the probability of dropping an output of a layer below the last.
    bidirectional : bool, default False
        Whether each layer also runs from the last step to the first.
    i2h_weight_initializer, h2h_weight_initializer : str or Initializer, optional
        The initializers of W and R.
    i2h_bias_initializer, h2h_bias_initializer : str or Initializer, default 'zeros'
        The initializers of b and c.
    input_size : int, optional
        The length of the inputs; inferred from the first batch by default.
    dtype : str or numpy type, default 'float32'
    **kwargs
        ``use_sequence_length=True`` to pass the lengths of the samples in each call; ``prefix``
        and ``params``, see `Block`.

    Raises
    ------
    ArgumentError
        If an argument is out of range.

    Examples
    --------
    >>> from gluon import nd, rnn
    >>> layer = rnn.RNN(3, num_layers=2, layout="NTC")
    >>> layer.initialize()
    >>> layer(nd.ones((2, 5, 4))).shape, layer
    ((2, 5, 3), RNN(4 -> 3, NTC, num_layers=2))
    """

    def __init__(
        self,
        hidden_size: int,
        num_layers: int = 1,
        activation: ActivationName = "relu",
        layout: str = "TNC",
        dropout: float = 0,
        bidirectional: bool = False,
        i2h_weight_initializer: InitLike = None,
        h2h_weight_initializer: InitLike = None,
        i2h_bias_initializer: InitLike = "zeros",
        h2h_bias_initializer: InitLike = "zeros",
        input_size: int = 0,
        dtype: DTypeLike = "float32",
        **kwargs: Unpack[Options],
    ) -> None:
        if activation not in ("relu", "tanh"):
            raise ArgumentError(f"RNN: activation={activation!r} is neither 'relu' nor 'tanh'")
        super().__init__(
            "rnn_" + activation,
            hidden_size,
            num_layers,
            layout,
            dropout,
            bidirectional,
            input_size,
            (
                i2h_weight_initializer,
                h2h_weight_initializer,
                i2h_bias_initializer,
                h2h_bias_initializer,
            ),
            dtype,
            **kwargs,
        )


class LSTM(Layer):
    """Multi-layer LSTM; see `LSTMCell`.

    Takes floats of shape (steps, batch, features), or as `layout` says, and optionally states;
    returns the outputs of the last layer at all steps, of the same dtype, with `hidden_size`
    features for each direction (`projection_size` with a projection), and the new states if states
    were given.

    Parameters
    ----------
    hidden_size : int
        The length of the cell state, and of the output of one direction without a projection.
    num_layers : int, default 1
    layout : {'TNC', 'NTC'}
        The axes of inputs and outputs: steps (T), batch (N) and features (C).
    dropout : float, default 0
        In training, the probability of dropping an output of a layer below the last.
    bidirectional : bool, default False
        Whether each layer also runs from the last step to the first.
    input_size : int, optional
        The length of the inputs; inferred from the first batch by default.
    i2h_weight_initializer, h2h_weight_initializer : str or Initializer, optional
    i2h_bias_initializer, h2h_bias_initializer : str or Initializer, default 'zeros'
    projection_size : int, optional
        The length that outputs are projected to.
    h2r_weight_initializer : str or Initializer, optional
        The initializer of the projection.
    state_clip_min, state_clip_max : float, optional
        The limits of the cell state at each step; give both or neither.
    state_clip_nan : bool, default False
        Replace NaN in the cell state by the lower limit.
    dtype : str or numpy type, default 'float32'
    **kwargs
        ``use_sequence_length=True`` to pass the lengths of the samples in each call; ``prefix``
        and ``params``, see `Block`.

    Raises
    ------
    ArgumentError
        If an argument is out of range.

    Examples
    --------
    >>> from gluon import nd, rnn
    >>> layer = rnn.LSTM(3, bidirectional=True)
    >>> layer.initialize()
    >>> x = nd.ones((5, 2, 4))
    >>> layer(x).shape, layer
    ((5, 2, 6), LSTM(4 -> 3, TNC, bidirectional))
    >>> y, (h, s) = layer(x, layer.begin_state(batch_size=2))
    >>> y.shape, h.shape, s.shape
    ((5, 2, 6), (2, 2, 3), (2, 2, 3))
    """

    def __init__(
        self,
        hidden_size: int,
        num_layers: int = 1,
        layout: str = "TNC",
        dropout: float = 0,
        bidirectional: bool = False,
        input_size: int = 0,
        i2h_weight_initializer: InitLike = None,
        h2h_weight_initializer: InitLike = None,
        i2h_bias_initializer: InitLike = "zeros",
        h2h_bias_initializer: InitLike = "zeros",
        projection_size: int | None = None,
        h2r_weight_initializer: InitLike = None,
        state_clip_min: float | None = None,
        state_clip_max: float | None = None,
        state_clip_nan: bool = False,
        dtype: DTypeLike = "float32",
        **kwargs: Unpack[Options],
    ) -> None:
        super().__init__(
            "lstm",
            hidden_size,
            num_layers,
            layout,
            dropout,
            bidirectional,
            input_size,
            (
                i2h_weight_initializer,
                h2h_weight_initializer,
                i2h_bias_initializer,
                h2h_bias_initializer,
                h2r_weight_initializer,
            ),
            dtype,
            projection_size,
            (state_clip_min, state_clip_max, state_clip_nan),
            **kwargs,
        )


class GRU(Layer):
    """Multi-layer GRU; see `GRUCell`.

    Takes floats of shape (steps, batch, features), or as `layout` says, and optionally states;
    returns the outputs of the last layer at all steps, of the same dtype, with `hidden_size`
    features for each direction, and the new states if states were given.

    Parameters
    ----------
    hidden_size : int
        The length of the state; the output is twice as long if `bidirectional`.
    num_layers : int, default 1
    layout : {'TNC', 'NTC'}
        The axes of inputs and outputs: steps (T), batch (N) and features (C).
    dropout : float, default 0
        In training, the probability of dropping an output of a layer below the last.
    bidirectional : bool, default False
        Whether each layer also runs from the last step to the first.
    input_size : int, optional
        The length of the inputs; inferred from the first batch by default.
    i2h_weight_initializer, h2h_weight_initializer : str or Initializer, optional
    i2h_bias_initializer, h2h_bias_initializer : str or Initializer, default 'zeros'
    dtype : str or numpy type, default 'float32'
    **kwargs
        ``use_sequence_length=True`` to pass the lengths of the samples in each call; ``prefix``
        and ``params``, see `Block`.

    Raises
    ------
    ArgumentError
        If an argument is out of range.

    Examples
    --------
    >>> from gluon import nd, rnn
    >>> layer = rnn.GRU(3, use_sequence_length=True)
    >>> layer.initialize()
    >>> y = layer(nd.ones((3, 2, 4)), sequence_length=nd.array([1, 3]))
    >>> (y != 0).asnumpy()[:, :, 0]
    array([[1., 1.],
           [0., 1.],
           [0., 1.]], dtype=float32)
    """

    def __init__(
        self,
        hidden_size: int,
        num_layers: int = 1,
        layout: str = "TNC",
        dropout: float = 0,
        bidirectional: bool = False,
        input_size: int = 0,
        i2h_weight_initializer: InitLike = None,
        h2h_weight_initializer: InitLike = None,
        i2h_bias_initializer: InitLike = "zeros",
        h2h_bias_initializer: InitLike = "zeros",
        dtype: DTypeLike = "float32",
        **kwargs: Unpack[Options],
    ) -> None:
        super().__init__(
            "gru",
            hidden_size,
            num_layers,
            layout,
            dropout,
            bidirectional,
            input_size,
            (
                i2h_weight_initializer,
                h2h_weight_initializer,
                i2h_bias_initializer,
                h2h_bias_initializer,
            ),
            dtype,
            **kwargs,
        )
