"""Parts of MXNet's layers, cells, losses, networks and initializers."""

from __future__ import annotations

import logging
import warnings
from collections.abc import Sequence
from typing import Any, NoReturn

import numpy as np

from ... import nd
from ..._core.arrays.context import num_gpus
from ..._core.errors import DTypeError, a_type, article
from ..._hook.errors import MissingMethodError
from ..._hook.members import Reading, constant
from ...model_zoo.vision import resnet, vgg
from ...model_zoo.vision._builders import sequence
from ...nd import NDArray
from ...nn import HybridSequential, LeakyReLU
from ..helpers.errors import CheckError


def _get_activation(self: Any, F: Any, inputs: Any, activation: Any, **kwargs: Any) -> Any:  # noqa: N803, RUF100
    """Apply an activation, given by name or as a function."""
    if activation in ("relu", "sigmoid", "softsign", "tanh"):
        return getattr(F, activation)(inputs, **kwargs)
    if isinstance(activation, str):
        return F.Activation(inputs, act_type=activation, **kwargs)
    if isinstance(activation, LeakyReLU):
        return F.LeakyReLU(inputs, act_type="leaky", slope=activation._alpha, **kwargs)
    return activation(inputs, **kwargs)


def _decide_shapes(self: Any) -> tuple:
    """The axis and number of channels, and the shapes of weights, padding and state."""
    axis = self._state_layout.find("C")
    weights = [self.params.get(f"{side}_weight").shape for side in ("i2h", "h2h")]
    return axis, weights[0][axis], *weights, self._h2h["pad"], self._state_shapes[0]


def _conv_forward(
    self: Any, F: Any, inputs: Any, states: Any, *weights: Any, prefix: str | None = None  # noqa: N803, RUF100
) -> tuple:  # fmt: skip
    """What the inputs and what the state contribute to the gates."""
    return self._sums(F, inputs, states[0], *weights[:4])


def _get_num_devices(self: Any) -> int:
    """Return the number of GPUs, at least 1."""
    warnings.warn("SyncBatchNorm: give num_devices, unless all GPUs are used", stacklevel=2)
    return num_gpus() or 1


def _has_no_step(self: Any, *args: Any, **kwargs: Any) -> NoReturn:
    """Raise an error: the cell computes nothing besides its inner cells."""
    raise MissingMethodError(f"{type(self).__name__} has no hybrid_forward; call the cell")


def _register_param(self: Any, name: str, shape: Any, init: Any, dtype: Any) -> Any:
    """A parameter of the layer, under its name."""
    found = self.params.get(name, shape=shape, init=init, allow_deferred_init=True, dtype=dtype)
    setattr(self, name, found)
    return found


# ------------------------------------------------------------------------------------ losses


def _cosine_similarity(self: Any, F: Any, x: Any, y: Any, axis: int = -1) -> Any:  # noqa: N803, RUF100
    """The cosines of the angles between vectors, 0 where one has no length."""
    lengths = F.norm(x, axis=axis) * F.norm(y, axis=axis)
    product = F.sum(x * y, axis=axis)
    return (product / F.maximum(lengths, 1e-12)).reshape((-1, 1))


def _compute_distances(self: Any, x1: Any, x2: Any) -> Any:
    """The squares of the distances of each row of one array from each row of the other."""
    if x1.shape != x2.shape:
        raise CheckError(f"SDMLLoss: x1 has shape {x1.shape} and x2 {x2.shape}; give as many rows")
    return ((x1.expand_dims(1) - x2.expand_dims(0)) ** 2).sum(axis=2)


def _compute_labels(self: Any, F: Any, batch_size: int) -> Any:  # noqa: N803, RUF100
    """For each row the probabilities of the others: most of it on its own."""
    own = F.eye(batch_size)
    rest = self.smoothing_parameter / (batch_size - 1)
    return own * (1 - self.smoothing_parameter - rest) + rest


# ---------------------------------------------------------------------------------- networks


def _make_layer(
    self: Any,
    block: Any,
    layers: int,
    channels: int,
    stride: int,
    stage_index: int,
    in_channels: int = 0,
) -> HybridSequential:
    """A stage of a residual network."""
    return resnet.stage(block, layers, channels, stride, stage_index, in_channels)


def _make_features(
    self: Any, layers: Sequence[int], filters: Sequence[int], batch_norm: bool
) -> HybridSequential:
    """Return the layers of a network up to the classifier."""
    return sequence(vgg.convolutions(layers, filters, batch_norm))


# ------------------------------------------------------------------------------ initializers


def _legacy_init(self: Any, name: str, arr: NDArray) -> None:
    """Initialize an array by its name."""
    warnings.warn(
        "init(str, NDArray): call init(mx.init.InitDesc(name), array)",
        DeprecationWarning,
        stacklevel=3,
    )
    for what, value, kind in ("name", name, str), ("arr", arr, NDArray):
        if not isinstance(value, kind):
            raise DTypeError(f"{what} is {a_type(value)}, not {article(kind.__name__)}")
    self(str(name), arr)


def _init_quantized_weight(self: Any, name: str, arr: NDArray) -> None:
    """Write one whole number of 8 bits, drawn at random, everywhere."""
    arr[:] = np.int8(nd.random.randint(-127, 127, dtype="int32").asscalar())


def _verbose_print(self: Any, desc: str, init: str, arr: NDArray) -> None:
    """Log what was initialized and how, if `set_verbosity` asks for it."""
    if self._verbose:
        logging.info("Initialized %s as %s: %s", desc, init, self._print_func(arr))


def _gates(*names: str) -> dict[str, Any]:
    return {"_gate_names": constant(names)}


MEMBERS: dict[str, dict[str, Any]] = {
    "gluon.contrib.nn.basic_layers.SyncBatchNorm": {"_get_num_devices": _get_num_devices},
    "gluon.contrib.rnn.conv_rnn_cell._BaseConvRNNCell": {
        "_conv_forward": _conv_forward,
        "_decide_shapes": _decide_shapes,
        "_num_gates": Reading(lambda cell: cell._gates),
    },
    "gluon.contrib.rnn.conv_rnn_cell._ConvGRUCell": _gates("_r", "_z", "_o"),
    "gluon.contrib.rnn.conv_rnn_cell._ConvLSTMCell": _gates("_i", "_f", "_c", "_o"),
    "gluon.contrib.rnn.conv_rnn_cell._ConvRNNCell": _gates(""),
    "gluon.loss.CosineEmbeddingLoss": {"_cosine_similarity": _cosine_similarity},
    "gluon.loss.SDMLLoss": {
        "_compute_distances": _compute_distances,
        "_compute_labels": _compute_labels,
        "_loss": lambda self, F, x1, x2: self.hybrid_forward(F, x1, x2),
    },
    "gluon.model_zoo.vision.resnet.ResNetV1": {"_make_layer": _make_layer},
    "gluon.model_zoo.vision.resnet.ResNetV2": {"_make_layer": _make_layer},
    "gluon.model_zoo.vision.vgg.VGG": {"_make_features": _make_features},
    "gluon.rnn.rnn_cell.RecurrentCell": {"_get_activation": _get_activation},
    "gluon.rnn.rnn_cell.SequentialRNNCell": {"hybrid_forward": _has_no_step},
    "gluon.rnn.rnn_layer._RNNLayer": {"_register_param": _register_param},
    "initializer.Initializer": {
        "_init_quantized_bias": lambda self, name, arr: self._init_zero(name, arr),
        "_init_quantized_weight": _init_quantized_weight,
        "_legacy_init": _legacy_init,
        "_verbose_print": _verbose_print,
    },
}
