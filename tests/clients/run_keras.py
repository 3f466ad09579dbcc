"""Train, evaluate and keep networks with keras-mxnet, the back end of Keras for MXNet.

    python -m gluon.mxnet --old-numpy tests/clients/run_keras.py [--json]

It needs keras-mxnet 2.2.4.3, on Python 3.10. With MXNet itself, ``--json`` records the numbers.
"""

from __future__ import annotations

import os
import tempfile
import warnings
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

os.environ["KERAS_BACKEND"] = "mxnet"
warnings.simplefilter("ignore")  # it warns that it is the last version

import keras  # noqa: E402  (the back end is chosen when it is imported)
import mxnet as mx  # noqa: E402
import numpy as np  # noqa: E402
from keras import backend, layers, models  # noqa: E402
from results import Results  # noqa: E402

PICTURES = (8, 8, 3)
STEPS = (5, 4)
#: Layers by name, the shape of their inputs, and how they are made.
LAYERS: dict[str, tuple[tuple[int, ...], Callable[[], Any]]] = {
    "Dense": ((6,), lambda: layers.Dense(4, activation="tanh")),
    "Conv1D": (STEPS, lambda: layers.Conv1D(3, 2, padding="same")),
    "Conv2D": (PICTURES, lambda: layers.Conv2D(4, 3, strides=2, activation="relu")),
    "Conv2DTranspose": (PICTURES, lambda: layers.Conv2DTranspose(4, 3)),
    "SeparableConv2D": (PICTURES, lambda: layers.SeparableConv2D(4, 3)),
    "MaxPooling2D": (PICTURES, lambda: layers.MaxPooling2D(2)),
    "AveragePooling2D": (PICTURES, lambda: layers.AveragePooling2D(2)),
    "GlobalAveragePooling2D": (PICTURES, layers.GlobalAveragePooling2D),
    "UpSampling2D": (PICTURES, lambda: layers.UpSampling2D(2)),
    "ZeroPadding2D": (PICTURES, lambda: layers.ZeroPadding2D(1)),
    "BatchNormalization": (PICTURES, layers.BatchNormalization),
    "LeakyReLU": ((6,), layers.LeakyReLU),
    "ELU": ((6,), layers.ELU),
    "PReLU": ((6,), layers.PReLU),
    "Softmax": ((6,), lambda: layers.Activation("softmax")),
    "Permute": (STEPS, lambda: layers.Permute((2, 1))),
    "RepeatVector": ((6,), lambda: layers.RepeatVector(3)),
    "SimpleRNN": (STEPS, lambda: layers.SimpleRNN(3)),
    "GRU": (STEPS, lambda: layers.GRU(3, return_sequences=True)),
    "LSTM": (STEPS, lambda: layers.LSTM(3)),
    "Bidirectional": (STEPS, lambda: layers.Bidirectional(layers.LSTM(3))),
    "TimeDistributed": (STEPS, lambda: layers.TimeDistributed(layers.Dense(3))),
}
#: Without nadam, which gluon computes for each weight by itself: see docs/differences.md.
OPTIMIZERS = "sgd rmsprop adagrad adadelta adam adamax".split()
LOSSES = "mse mae mape msle hinge squared_hinge poisson binary_crossentropy".split()
results = Results("keras-mxnet", "clients_keras.json")


def settle(model: Any) -> Any:
    """Give a model weights that are the same with every library; vectors may be variances."""
    shapes = [one.shape for one in model.get_weights()]
    model.set_weights(
        [np.random.uniform(0.1 if len(one) == 1 else -0.3, 0.3, one) for one in shapes]
    )
    return model


def compiled(inside: Sequence[Any], loss: str, optimizer: Any = "sgd", **more: Any) -> Any:
    """A network of layers, with settled weights."""
    model = models.Sequential(list(inside))
    model.compile(optimizer, loss, **more)
    return settle(model)


def trained(model: Any, x: Any, y: Any) -> dict[str, Any]:
    """What two epochs of training leave."""
    history = model.fit(x, y, batch_size=8, epochs=2, shuffle=False, verbose=0).history
    return {**history, "evaluated": model.evaluate(x, y, verbose=0), "predicted": model.predict(x)}


def of_layer(name: str) -> dict[str, Any]:
    """The output of a layer, and of the network that it was trained in."""
    shape, make = LAYERS[name]
    x = np.random.uniform(-1, 1, (8, *shape)).astype("float32")
    before = [make()]
    before[0] = type(before[0]).from_config(
        {**before[0].get_config(), "batch_input_shape": (8, *shape)}
    )
    model = compiled(before, "mse")
    y = model.predict(x)
    return {"predicted": y, "loss": [model.train_on_batch(x, 0 * y + 0.5) for _ in range(3)]}


def classifier() -> dict[str, Any]:
    x = np.random.rand(32, 10).astype("float32")
    y = keras.utils.to_categorical((x.sum(1) > 5).astype(int), 2)
    inside = [
        layers.Dense(16, activation="relu", input_shape=(10,)),
        layers.Dense(2, activation="softmax"),
    ]
    return trained(compiled(inside, "categorical_crossentropy", "adam", metrics=["acc"]), x, y)


def pictures() -> dict[str, Any]:
    x = np.random.rand(32, *PICTURES).astype("float32")
    y = np.arange(32) % 4
    inside = [
        layers.Conv2D(8, 3, activation="relu", input_shape=PICTURES),
        layers.BatchNormalization(),
        layers.AveragePooling2D(2),
        layers.Flatten(),
        layers.Dense(4, activation="softmax"),
    ]
    return trained(compiled(inside, "sparse_categorical_crossentropy"), x, y)


def words() -> dict[str, Any]:
    x, y = np.random.randint(0, 20, (32, 6)), np.arange(32) % 2
    inside = [
        layers.Embedding(20, 8, input_length=6),
        layers.LSTM(8),
        layers.Dense(1, activation="sigmoid"),
    ]
    return trained(compiled(inside, "binary_crossentropy", "rmsprop"), x, y)


def two_inputs() -> dict[str, Any]:
    """A model of two inputs that share a layer, with two outputs."""
    a, b = layers.Input((5,)), layers.Input((5,))
    shared = layers.Dense(6, activation="tanh")
    both = layers.concatenate([shared(a), shared(b)])
    model = models.Model([a, b], [layers.Dense(2)(both), layers.add([shared(a), shared(b)])])
    model.compile("sgd", "mse", loss_weights=[1.0, 0.5])
    settle(model)
    x = [np.random.rand(16, 5).astype("float32") for _ in range(2)]
    y = [np.random.rand(16, width).astype("float32") for width in (2, 6)]
    losses = [model.train_on_batch(x, y) for _ in range(4)]
    first, second = model.predict(x)
    return {"losses": np.array(losses), "first": first, "second": second}


def optimizer(name: str) -> dict[str, Any]:
    x = np.random.rand(16, 6).astype("float32")
    model = compiled([layers.Dense(3, input_shape=(6,))], "mse", name)
    losses = [model.train_on_batch(x, x[:, :3]) for _ in range(5)]
    return {"losses": losses, "weight": model.get_weights()[0]}


def loss(name: str) -> dict[str, Any]:
    x = np.random.rand(16, 6).astype("float32")
    model = compiled([layers.Dense(3, activation="sigmoid", input_shape=(6,))], name)
    return {"losses": [model.train_on_batch(x, np.round(x[:, 3:])) for _ in range(4)]}


def description() -> dict[str, Any]:
    """A model from its JSON, with the weights of another."""
    x = np.random.rand(8, 6).astype("float32")
    model = compiled([layers.Dense(4, activation="relu", input_shape=(6,))], "mse")
    again = models.model_from_json(model.to_json())
    again.set_weights(model.get_weights())
    assert np.array_equal(again.predict(x), model.predict(x))
    return {"predicted": again.predict(x)}


def checkpoint() -> dict[str, Any]:
    """A model that Keras exports for MXNet, run by a `Module`."""
    x = np.random.rand(8, 6).astype("float32")
    model = compiled([layers.Dense(4, activation="relu", input_shape=(6,))], "mse")
    expected = model.predict(x, batch_size=8)
    with tempfile.TemporaryDirectory() as folder:
        prefix = str(Path(folder) / "model")
        names, _ = models.save_mxnet_model(model, prefix)
        symbol, arguments, states = mx.model.load_checkpoint(prefix, 0)
    module = mx.mod.Module(symbol, data_names=names, label_names=None)
    module.bind([(names[0], x.shape)], for_training=False)
    module.set_params(arguments, states)
    module.forward(mx.io.DataBatch([mx.nd.array(x)]), is_train=False)
    found = module.get_outputs()[0].asnumpy()
    np.testing.assert_allclose(found, expected, 1e-5, 1e-6)
    return {"predicted": found}


def functions() -> dict[str, Any]:
    """Functions of the back end, evaluated."""
    x = backend.variable(np.linspace(-2, 2, 12).reshape(3, 4))
    named = "abs exp sigmoid softsign softplus square tanh relu hard_sigmoid l2_normalize".split()
    return {
        **{name: backend.eval(getattr(backend, name)(x)) for name in named},
        "dot": backend.eval(backend.dot(x, backend.transpose(x))),
        "mean": backend.eval(backend.mean(x, axis=1)),
        "clip": backend.eval(backend.clip(x, -1, 0.5)),
    }


def main() -> None:
    for name in LAYERS:
        results.compare(f"layer {name}", partial(of_layer, name))
    for test in (classifier, pictures, words, two_inputs, description, checkpoint, functions):
        results.compare(test.__name__, test)
    for name in OPTIMIZERS:
        results.compare(f"optimizer {name}", partial(optimizer, name))
    for name in LOSSES:
        results.compare(f"loss {name}", partial(loss, name))
    results.finish()


main()
