"""`ConvRNNCell`, `ConvLSTMCell` and `ConvGRUCell`, whose gates are convolutions."""

from __future__ import annotations

from functools import partial
from typing import Any

from ... import symbol as sym
from ..._core.errors import ArgumentError
from ...symbol import Symbol
from .base import BaseRNNCell, RNNParams
from .cells import GRUCell, LSTMCell, RNNCell, _Gated

LEAKY = partial(sym.LeakyReLU, act_type="leaky", slope=0.2)


def _window(kernel: Any, stride: Any, pad: Any, dilate: Any) -> dict[str, Any]:
    return {"kernel": kernel, "stride": stride, "pad": pad, "dilate": dilate}


class _Convolutional(_Gated):
    """A cell whose gates are convolutions of the input and of the state."""

    _joint = ""
    _usual: str

    def __init__(
        self,
        input_shape: tuple[int, ...],
        num_hidden: int,
        h2h_kernel: tuple[int, int] = (3, 3),
        h2h_dilate: tuple[int, int] = (1, 1),
        i2h_kernel: tuple[int, int] = (3, 3),
        i2h_stride: tuple[int, int] = (1, 1),
        i2h_pad: tuple[int, int] = (1, 1),
        i2h_dilate: tuple[int, int] = (1, 1),
        i2h_weight_initializer: Any = None,
        h2h_weight_initializer: Any = None,
        i2h_bias_initializer: Any = "zeros",
        h2h_bias_initializer: Any = "zeros",
        activation: Any = LEAKY,
        prefix: str | None = None,
        params: RNNParams | None = None,
        conv_layout: str = "NCHW",
    ) -> None:
        if not all(length % 2 for length in h2h_kernel):
            raise ArgumentError(
                f"{type(self).__name__}: h2h_kernel={h2h_kernel}; its lengths must be odd, so that"
                " the state keeps its shape"
            )
        BaseRNNCell.__init__(self, self._usual if prefix is None else prefix, params)
        self._num_hidden, self._activation = num_hidden, activation
        self._layout, self._own_params = conv_layout, params is None
        get = self.params.get
        weight = get("i2h_weight", init=i2h_weight_initializer)
        self._i2h = weight, get("i2h_bias", init=i2h_bias_initializer)
        weight = get("h2h_weight", init=h2h_weight_initializer)
        self._h2h = weight, get("h2h_bias", init=h2h_bias_initializer)
        same = tuple(d * (k - 1) // 2 for d, k in zip(h2h_dilate, h2h_kernel))
        self._windows = {
            self._i2h: _window(i2h_kernel, i2h_stride, i2h_pad, i2h_dilate),
            self._h2h: _window(h2h_kernel, (1, 1), same, h2h_dilate),
        }
        self._state_shape = self._convolved(input_shape)

    def _convolved(self, input_shape: tuple[int, ...]) -> tuple[int, ...]:
        """The shape of a state, of any batch."""
        projected = self._linear(sym.var("data"), self._i2h, "shape")
        (shape,) = projected.infer_shape_partial(data=input_shape)[1]
        own = {0: 0, self._layout.index("C"): self._num_hidden}
        return tuple(own.get(k, n) for k, n in enumerate(shape))

    @property
    def state_info(self) -> list[dict[str, Any]]:
        """The states, as large as the convolved input."""
        one = {"shape": self._state_shape, "__layout__": self._layout}
        return [dict(one) for _ in super().state_info]

    def _linear(self, x: Symbol, variables: tuple[Symbol, Symbol], name: str) -> Symbol:
        weight, bias = variables
        return sym.Convolution(
            data=x,
            weight=weight,
            bias=bias,
            num_filter=self._num_hidden * len(self._gates),
            layout=self._layout,
            name=name,
            **self._windows[variables],
        )

    def _parts(self, total: Symbol, name: str) -> list[Symbol]:
        """What belongs to each gate: parts of the channels."""
        axis = self._layout.index("C")
        given: Any = {"axis": axis} if axis != 1 or len(self._gates) == 4 else {}
        return list(sym.SliceChannel(total, num_outputs=len(self._gates), name=name, **given))


class ConvRNNCell(_Convolutional, RNNCell):
    """`RNNCell` of images, whose products are convolutions."""

    _usual = "ConvRNN_"


class ConvLSTMCell(_Convolutional, LSTMCell):
    """`LSTMCell` of images, whose products are convolutions."""

    _usual = "ConvLSTM_"


class ConvGRUCell(_Convolutional, GRUCell):
    """`GRUCell` of images, whose products are convolutions."""

    _usual = "ConvGRU_"
