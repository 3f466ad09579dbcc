"""Recurrent cells that convolve with their weights."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..._core.errors import ArgumentError
from ...nd import NDArray
from ...nn.conv_layers import LAYOUTS, Sizes, checked, each, positive
from ...parameter import ParameterDict
from ...rnn.base import ShapedCell
from ...rnn.rnn_cell import RNNCell, remembered, updated

if TYPE_CHECKING:
    from ...initializer.base import InitLike
    from ...nd.activation import ActivationName


class ConvCell(ShapedCell):
    """Base class of the cells; subclasses define the number of axes and the step."""

    _ndim: int
    _gates: int
    _cells = 0

    def __init__(
        self,
        input_shape: tuple[int, ...],
        hidden_channels: int,
        i2h_kernel: Sizes,
        h2h_kernel: Sizes,
        i2h_pad: Sizes = 0,
        i2h_dilate: Sizes = 1,
        h2h_dilate: Sizes = 1,
        i2h_weight_initializer: InitLike = None,
        h2h_weight_initializer: InitLike = None,
        i2h_bias_initializer: InitLike = "zeros",
        h2h_bias_initializer: InitLike = "zeros",
        conv_layout: str | None = None,
        activation: ActivationName | Callable[..., Any] = "tanh",
        prefix: str | None = None,
        params: ParameterDict | None = None,
    ) -> None:
        super().__init__(prefix, params)
        self._activation = activation
        self._state_layout = checked(conv_layout or LAYOUTS[self._ndim][0], self._ndim)
        rows = self._gates * hidden_channels
        self._i2h = self._settings("i2h", rows, kernel=i2h_kernel, dilate=i2h_dilate, pad=i2h_pad)
        self._h2h = self._settings("h2h", rows, kernel=h2h_kernel, dilate=h2h_dilate)
        self._h2h["pad"] = self._padding(**self._h2h)
        channels, space = self._spaces(tuple(input_shape))
        self._state_shapes = [self._shape(hidden_channels, space)] * (1 + self._cells)
        i2h = self._shape(channels, self._i2h["kernel"])
        h2h = self._shape(hidden_channels, self._h2h["kernel"])
        for name, shape, init in (
            ("i2h_weight", i2h, i2h_weight_initializer),
            ("h2h_weight", h2h, h2h_weight_initializer),
            ("i2h_bias", (), i2h_bias_initializer),
            ("h2h_bias", (), h2h_bias_initializer),
        ):
            spec = {"shape": (rows, *shape), "init": init, "allow_deferred_init": True}
            setattr(self, name, self.params.get(name, **spec))

    def _settings(self, side: str, rows: int, **sizes: Sizes) -> dict[str, Any]:
        """Return the arguments of one of the two convolutions."""
        kind = type(self).__name__
        given = {
            key: (each if key == "pad" else positive)(n, self._ndim, f"{kind}: {side}_{key}")
            for key, n in sizes.items()
        }
        return {**given, "num_filter": rows, "layout": self._state_layout}

    def _padding(self, kernel: tuple, dilate: tuple, **_: Any) -> tuple:
        """Return the padding that keeps the shape of the state."""
        if any(n % 2 == 0 for n in kernel):
            raise ArgumentError(
                f"{type(self).__name__}: h2h_kernel={kernel} must be odd along every axis; only"
                " then can the state keep its shape"
            )
        return tuple(n // 2 * step for n, step in zip(kernel, dilate))

    def _spaces(self, input_shape: tuple) -> tuple[int, list[int]]:
        """Return the number of input channels and the spatial shape of the state."""
        if len(input_shape) != self._ndim + 1:
            raise ArgumentError(
                f"{type(self).__name__}: input_shape={input_shape} must have {self._ndim + 1}"
                f" lengths, one for each axis of {self._state_layout} but the batch"
            )
        before = list(input_shape)
        channels = before.pop(self._state_layout.index("C") - 1)
        sizes = zip(before, *(self._i2h[key] for key in ("kernel", "dilate", "pad")))
        space = [n + 2 * pad - step * (width - 1) for n, width, step, pad in sizes]
        if min(space) < 1:
            raise ArgumentError(
                f"{type(self).__name__}: input_shape={input_shape} is too small for"
                f" i2h_kernel={self._i2h['kernel']}; use a smaller kernel, or set i2h_pad"
            )
        return channels, space

    def _shape(self, channels: int, space: Any) -> tuple[int, ...]:
        """Return channels and spatial axes in the order of the layout, without the batch."""
        return (*space, channels) if self._state_layout.endswith("C") else (channels, *space)

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
        return (
            F.Convolution(inputs, i2h_weight, i2h_bias, **self._i2h),
            F.Convolution(h, h2h_weight, h2h_bias, **self._h2h),
        )

    def __repr__(self) -> str:
        rows, *shape = self.params.get("i2h_weight").shape
        channels = shape[self._state_layout.index("C") - 1]
        return (
            f"{type(self).__name__}({channels} -> {rows}, {self._activation}, {self._state_layout})"
        )


class ConvRNNCell(ConvCell):
    """The step of an Elman cell."""

    _gates = 1

    def _alias(self) -> str:
        return "conv_rnn"

    hybrid_forward = RNNCell.hybrid_forward  # type: ignore[assignment]


class ConvLSTMCell(ConvCell):
    """The step of an LSTM cell."""

    _gates = 4
    _cells = 1

    def _alias(self) -> str:
        return "conv_lstm"

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
        gates = F.split(i2h + h2h, num_outputs=4, axis=self._state_layout.index("C"))
        return remembered(F, gates, s, self._activation)


class ConvGRUCell(ConvCell):
    """The step of a GRU cell."""

    _gates = 3

    def _alias(self) -> str:
        return "conv_gru"

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
        axis = self._state_layout.index("C")
        output = updated(F, i2h, h2h, h, self._activation, axis)
        return output, [output]


class Conv1DRNNCell(ConvRNNCell):
    """An Elman cell with convolutions along one axis; see `Conv2DRNNCell`.

    Parameters
    ----------
    input_shape, hidden_channels, i2h_kernel, h2h_kernel, i2h_pad, i2h_dilate, h2h_dilate
        As for `Conv2DRNNCell`.
    i2h_weight_initializer, h2h_weight_initializer : str or Initializer, optional
    i2h_bias_initializer, h2h_bias_initializer : str or Initializer, default 'zeros'
    conv_layout : {'NCW', 'NWC'}
    activation : str or callable, default 'tanh'
    prefix : str, optional
    params : ParameterDict, optional

    Raises
    ------
    ArgumentError
        If the sizes do not fit each other.

    Examples
    --------
    >>> from gluon import contrib, nd
    >>> cell = contrib.rnn.Conv1DRNNCell((3, 8), 4, i2h_kernel=3, h2h_kernel=3, i2h_pad=1)
    >>> cell.initialize()
    >>> outputs, states = cell.unroll(2, nd.ones((1, 2, 3, 8)), merge_outputs=True)
    >>> outputs.shape, len(states), cell
    ((1, 2, 4, 8), 1, Conv1DRNNCell(3 -> 4, tanh, NCW))
    """

    _ndim = 1


class Conv2DRNNCell(ConvRNNCell):
    """An Elman cell with convolutions along two axes: ``h = activation(W * x + b + R * h + c)``.

    Parameters
    ----------
    input_shape : tuple of int
        The shape of one input sample, in the order of `conv_layout`.
    hidden_channels : int
        The number of channels of the state, which is also the output.
    i2h_kernel, h2h_kernel : int or tuple of int
        The windows of W and R; that of R must have odd lengths. Here and below, one number is used
        for all axes.
    i2h_pad : int or tuple of int, default 0
        The padding of the inputs; the padding of the state preserves its shape.
    i2h_dilate, h2h_dilate : int or tuple of int, default 1
    i2h_weight_initializer, h2h_weight_initializer : str or Initializer, optional
        The initializers of W and R.
    i2h_bias_initializer, h2h_bias_initializer : str or Initializer, default 'zeros'
        The initializers of b and c.
    conv_layout : {'NCHW', 'NHWC'}
        The order of the axes: batch (N), channels (C) and space.
    activation : str or callable, default 'tanh'
        A name for `nd.Activation`, a block or a function.
    prefix : str, optional
        The start of the names of its parameters; see `Block`.
    params : ParameterDict, optional
        Parameters to share with another cell.

    Raises
    ------
    ArgumentError
        If the sizes do not fit each other.

    Examples
    --------
    >>> from gluon import contrib, nd
    >>> cell = contrib.rnn.Conv2DRNNCell((3, 8, 8), 4, i2h_kernel=3, h2h_kernel=5, i2h_pad=1)
    >>> cell.initialize()
    >>> outputs, _ = cell.unroll(2, nd.ones((1, 2, 3, 8, 8)), merge_outputs=True)
    >>> outputs.shape, cell
    ((1, 2, 4, 8, 8), Conv2DRNNCell(3 -> 4, tanh, NCHW))
    """

    _ndim = 2


class Conv3DRNNCell(ConvRNNCell):
    """An Elman cell with convolutions along three axes; see `Conv2DRNNCell`.

    Parameters
    ----------
    input_shape, hidden_channels, i2h_kernel, h2h_kernel, i2h_pad, i2h_dilate, h2h_dilate
        As for `Conv2DRNNCell`.
    i2h_weight_initializer, h2h_weight_initializer : str or Initializer, optional
    i2h_bias_initializer, h2h_bias_initializer : str or Initializer, default 'zeros'
    conv_layout : {'NCDHW', 'NDHWC'}
    activation : str or callable, default 'tanh'
    prefix : str, optional
    params : ParameterDict, optional

    Raises
    ------
    ArgumentError
        If the sizes do not fit each other.

    Examples
    --------
    >>> from gluon import contrib, nd
    >>> cell = contrib.rnn.Conv3DRNNCell((3, 4, 4, 4), 4, i2h_kernel=3, h2h_kernel=3, i2h_pad=1)
    >>> cell.initialize()
    >>> outputs, states = cell.unroll(2, nd.ones((1, 2, 3, 4, 4, 4)), merge_outputs=True)
    >>> outputs.shape, len(states), cell
    ((1, 2, 4, 4, 4, 4), 1, Conv3DRNNCell(3 -> 4, tanh, NCDHW))
    """

    _ndim = 3


class Conv1DLSTMCell(ConvLSTMCell):
    """An `LSTMCell` with convolutions along one axis; see `Conv2DRNNCell`.

    Parameters
    ----------
    input_shape, hidden_channels, i2h_kernel, h2h_kernel, i2h_pad, i2h_dilate, h2h_dilate
        As for `Conv2DRNNCell`.
    i2h_weight_initializer, h2h_weight_initializer : str or Initializer, optional
    i2h_bias_initializer, h2h_bias_initializer : str or Initializer, default 'zeros'
    conv_layout : {'NCW', 'NWC'}
    activation : str or callable, default 'tanh'
    prefix : str, optional
    params : ParameterDict, optional

    Raises
    ------
    ArgumentError
        If the sizes do not fit each other.

    Examples
    --------
    >>> from gluon import contrib, nd
    >>> cell = contrib.rnn.Conv1DLSTMCell((3, 8), 4, i2h_kernel=3, h2h_kernel=3, i2h_pad=1)
    >>> cell.initialize()
    >>> outputs, states = cell.unroll(2, nd.ones((1, 2, 3, 8)), merge_outputs=True)
    >>> outputs.shape, len(states), cell
    ((1, 2, 4, 8), 2, Conv1DLSTMCell(3 -> 16, tanh, NCW))
    """

    _ndim = 1


class Conv2DLSTMCell(ConvLSTMCell):
    """An `LSTMCell` with convolutions along two axes; see `Conv2DRNNCell`.

    Parameters
    ----------
    input_shape, hidden_channels, i2h_kernel, h2h_kernel, i2h_pad, i2h_dilate, h2h_dilate
        As for `Conv2DRNNCell`.
    i2h_weight_initializer, h2h_weight_initializer : str or Initializer, optional
    i2h_bias_initializer, h2h_bias_initializer : str or Initializer, default 'zeros'
    conv_layout : {'NCHW', 'NHWC'}
    activation : str or callable, default 'tanh'
    prefix : str, optional
    params : ParameterDict, optional

    Raises
    ------
    ArgumentError
        If the sizes do not fit each other.

    Examples
    --------
    >>> from gluon import contrib, nd
    >>> cell = contrib.rnn.Conv2DLSTMCell((3, 8, 8), 4, i2h_kernel=3, h2h_kernel=3, i2h_pad=1)
    >>> cell.initialize()
    >>> outputs, states = cell.unroll(2, nd.ones((1, 2, 3, 8, 8)), merge_outputs=True)
    >>> outputs.shape, len(states), cell
    ((1, 2, 4, 8, 8), 2, Conv2DLSTMCell(3 -> 16, tanh, NCHW))
    """

    _ndim = 2


class Conv3DLSTMCell(ConvLSTMCell):
    """An `LSTMCell` with convolutions along three axes; see `Conv2DRNNCell`.

    Parameters
    ----------
    input_shape, hidden_channels, i2h_kernel, h2h_kernel, i2h_pad, i2h_dilate, h2h_dilate
        As for `Conv2DRNNCell`.
    i2h_weight_initializer, h2h_weight_initializer : str or Initializer, optional
    i2h_bias_initializer, h2h_bias_initializer : str or Initializer, default 'zeros'
    conv_layout : {'NCDHW', 'NDHWC'}
    activation : str or callable, default 'tanh'
    prefix : str, optional
    params : ParameterDict, optional

    Raises
    ------
    ArgumentError
        If the sizes do not fit each other.

    Examples
    --------
    >>> from gluon import contrib, nd
    >>> cell = contrib.rnn.Conv3DLSTMCell((3, 4, 4, 4), 4, i2h_kernel=3, h2h_kernel=3, i2h_pad=1)
    >>> cell.initialize()
    >>> outputs, states = cell.unroll(2, nd.ones((1, 2, 3, 4, 4, 4)), merge_outputs=True)
    >>> outputs.shape, len(states), cell
    ((1, 2, 4, 4, 4, 4), 2, Conv3DLSTMCell(3 -> 16, tanh, NCDHW))
    """

    _ndim = 3


class Conv1DGRUCell(ConvGRUCell):
    """A `GRUCell` with convolutions along one axis; see `Conv2DRNNCell`.

    Parameters
    ----------
    input_shape, hidden_channels, i2h_kernel, h2h_kernel, i2h_pad, i2h_dilate, h2h_dilate
        As for `Conv2DRNNCell`.
    i2h_weight_initializer, h2h_weight_initializer : str or Initializer, optional
    i2h_bias_initializer, h2h_bias_initializer : str or Initializer, default 'zeros'
    conv_layout : {'NCW', 'NWC'}
    activation : str or callable, default 'tanh'
    prefix : str, optional
    params : ParameterDict, optional

    Raises
    ------
    ArgumentError
        If the sizes do not fit each other.

    Examples
    --------
    >>> from gluon import contrib, nd
    >>> cell = contrib.rnn.Conv1DGRUCell((3, 8), 4, i2h_kernel=3, h2h_kernel=3, i2h_pad=1)
    >>> cell.initialize()
    >>> outputs, states = cell.unroll(2, nd.ones((1, 2, 3, 8)), merge_outputs=True)
    >>> outputs.shape, len(states), cell
    ((1, 2, 4, 8), 1, Conv1DGRUCell(3 -> 12, tanh, NCW))
    """

    _ndim = 1


class Conv2DGRUCell(ConvGRUCell):
    """A `GRUCell` with convolutions along two axes; see `Conv2DRNNCell`.

    Parameters
    ----------
    input_shape, hidden_channels, i2h_kernel, h2h_kernel, i2h_pad, i2h_dilate, h2h_dilate
        As for `Conv2DRNNCell`.
    i2h_weight_initializer, h2h_weight_initializer : str or Initializer, optional
    i2h_bias_initializer, h2h_bias_initializer : str or Initializer, default 'zeros'
    conv_layout : {'NCHW', 'NHWC'}
    activation : str or callable, default 'tanh'
    prefix : str, optional
    params : ParameterDict, optional

    Raises
    ------
    ArgumentError
        If the sizes do not fit each other.

    Examples
    --------
    >>> from gluon import contrib, nd
    >>> cell = contrib.rnn.Conv2DGRUCell((3, 8, 8), 4, i2h_kernel=3, h2h_kernel=3, i2h_pad=1)
    >>> cell.initialize()
    >>> outputs, states = cell.unroll(2, nd.ones((1, 2, 3, 8, 8)), merge_outputs=True)
    >>> outputs.shape, len(states), cell
    ((1, 2, 4, 8, 8), 1, Conv2DGRUCell(3 -> 12, tanh, NCHW))
    """

    _ndim = 2


class Conv3DGRUCell(ConvGRUCell):
    """A `GRUCell` with convolutions along three axes; see `Conv2DRNNCell`.

    Parameters
    ----------
    input_shape, hidden_channels, i2h_kernel, h2h_kernel, i2h_pad, i2h_dilate, h2h_dilate
        As for `Conv2DRNNCell`.
    i2h_weight_initializer, h2h_weight_initializer : str or Initializer, optional
    i2h_bias_initializer, h2h_bias_initializer : str or Initializer, default 'zeros'
    conv_layout : {'NCDHW', 'NDHWC'}
    activation : str or callable, default 'tanh'
    prefix : str, optional
    params : ParameterDict, optional

    Raises
    ------
    ArgumentError
        If the sizes do not fit each other.

    Examples
    --------
    >>> from gluon import contrib, nd
    >>> cell = contrib.rnn.Conv3DGRUCell((3, 4, 4, 4), 4, i2h_kernel=3, h2h_kernel=3, i2h_pad=1)
    >>> cell.initialize()
    >>> outputs, states = cell.unroll(2, nd.ones((1, 2, 3, 4, 4, 4)), merge_outputs=True)
    >>> outputs.shape, len(states), cell
    ((1, 2, 4, 4, 4, 4), 1, Conv3DGRUCell(3 -> 12, tanh, NCDHW))
    """

    _ndim = 3
