"""Programs with recurrent cells and layers that run on MXNet 1.9.1 and on gluon alike.

Each returns a list of arrays and texts; see ``tests/nn/programs.py``. The layers have a file of
reference results of their own, since MXNet's need MKL-DNN, with which its convolutions fail.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from typing import Any

import numpy as np

from tests.nn.programs import filled, given


def scope(mx: Any) -> dict[str, Any]:
    """What the texts of cells and layers may name."""
    rnn, crnn = mx.gluon.rnn, mx.gluon.contrib.rnn

    def stack(*cells):
        made = rnn.SequentialRNNCell()
        for cell in cells:
            made.add(cell)
        return made

    def hybrid(*cells):
        made = rnn.HybridSequentialRNNCell()
        for cell in cells:
            made.add(cell)
        return made

    return {**vars(rnn), **vars(crnn), "nn": mx.gluon.nn, "stack": stack, "hybrid": hybrid}


def arrays_in(value: Any) -> list:
    """The arrays in nested lists."""
    if isinstance(value, (list, tuple)):
        return [array for one in value for array in arrays_in(one)]
    return [value]


def form(value: Any) -> str:
    """The shapes of the arrays in nested lists, and their nesting."""
    return str([form(one) for one in value]) if isinstance(value, (list, tuple)) else "array"


def texts_of(net: Any) -> list[str]:
    params = net.collect_params()
    return [repr(net), repr(params), net.name, net.prefix, str(net.params is params)]


def gradients(mx: Any, run: Callable, variables: list, params: Any, train: bool) -> list:
    """What `run` returns, with the gradients of variables and parameters."""
    for x in variables:
        x.attach_grad()
    with mx.autograd.record(train_mode=train):
        results = run()
    heads = list({id(y): y for y in arrays_in(results)}.values())  # MXNet takes none twice
    cotangents = [mx.nd.array(given(*y.shape, seed=k), dtype=y.dtype) for k, y in enumerate(heads)]
    mx.autograd.backward(heads, cotangents, train_mode=train)
    grads = [x.grad for x in variables] + [one.grad() for one in params.values()]
    return [form(results), *arrays_in(results), *grads]


# ------------------------------------------------------------------------------------ cells

SEQUENCE = (2, 4, 5)
IMAGES = {1: (2, 3, 3, 7), 2: (2, 3, 2, 5, 6), 3: (2, 2, 2, 3, 4, 3)}
#: A cell, the shape of its inputs (batch, steps, features), and whether it runs in training mode.
CELLS = [
    ("RNNCell(3)", SEQUENCE, True),
    ("RNNCell(3, 'relu')", SEQUENCE, True),
    ("RNNCell(3, activation='softsign', input_size=5)", SEQUENCE, True),
    ("LSTMCell(3)", SEQUENCE, True),
    ("LSTMCell(3, activation='relu', recurrent_activation='softsign')", SEQUENCE, True),
    ("LSTMCell(3, recurrent_activation='tanh')", SEQUENCE, True),
    ("GRUCell(3)", SEQUENCE, True),
    ("LSTMPCell(4, 3)", SEQUENCE, True),
    ("RNNCell(1)", (1, 1, 1), True),
    ("stack(LSTMCell(3), RNNCell(2))", SEQUENCE, True),
    ("hybrid(GRUCell(3), DropoutCell(0.5), LSTMCell(2))", SEQUENCE, False),
    ("hybrid(RNNCell(3), hybrid(GRUCell(2), RNNCell(4)))", SEQUENCE, True),
    ("DropoutCell(0.3)", SEQUENCE, False),
    ("DropoutCell(0, axes=(1,))", SEQUENCE, True),
    ("BidirectionalCell(RNNCell(3), LSTMCell(2))", SEQUENCE, True),
    ("hybrid(BidirectionalCell(GRUCell(3), GRUCell(3)), RNNCell(2))", SEQUENCE, True),
    (
        "BidirectionalCell(hybrid(RNNCell(3), LSTMCell(2)), ResidualCell(RNNCell(5)))",
        SEQUENCE,
        True,
    ),
    ("ResidualCell(GRUCell(5))", SEQUENCE, True),
    ("ResidualCell(BidirectionalCell(RNNCell(3), RNNCell(2)))", SEQUENCE, True),
    ("ResidualCell(hybrid(RNNCell(2), LSTMCell(5)))", SEQUENCE, True),
    ("ZoneoutCell(LSTMCell(3), 0.5, 0.5)", SEQUENCE, False),
    ("ZoneoutCell(LSTMCell(3))", SEQUENCE, True),
    ("ResidualCell(ZoneoutCell(RNNCell(5), 0.2))", SEQUENCE, False),
    ("VariationalDropoutCell(LSTMCell(3), 0.5, 0.4, 0.3)", SEQUENCE, False),
    ("VariationalDropoutCell(GRUCell(3), 0.5, 0, 0.3)", SEQUENCE, False),
    ("VariationalDropoutCell(BidirectionalCell(RNNCell(3), RNNCell(2)))", SEQUENCE, True),
    ("Conv1DRNNCell((3, 7), 2, 3, 3)", IMAGES[1], True),
    ("Conv1DLSTMCell((3, 7), 2, (2,), (5,), (2,))", IMAGES[1], True),
    ("Conv1DGRUCell((3, 7), 2, 3, 3, 1, activation='relu')", IMAGES[1], True),
    ("Conv2DRNNCell((2, 5, 6), 3, 3, 3, i2h_pad=(1, 0), activation='sigmoid')", IMAGES[2], True),
    ("Conv2DLSTMCell((2, 5, 6), 3, (3, 2), (1, 3), 1)", IMAGES[2], True),
    ("Conv2DLSTMCell((2, 5, 6), 3, 3, 3, 1, activation='relu')", IMAGES[2], True),
    ("Conv2DGRUCell((2, 5, 6), 3, 2, 3, i2h_dilate=2, h2h_dilate=(1, 2))", IMAGES[2], True),
    ("Conv3DRNNCell((2, 3, 4, 3), 2, 2, 3)", IMAGES[3], True),
    ("Conv3DLSTMCell((2, 3, 4, 3), 2, 2, (1, 3, 1))", IMAGES[3], True),
    ("Conv3DGRUCell((2, 3, 4, 3), 2, 3, 1, 1)", IMAGES[3], True),
    ("BidirectionalCell(*[Conv1DRNNCell((3, 7), 2, 3, 3, i) for i in (1, 1)])", IMAGES[1], True),
]
#: How a sequence comes and goes: the layout, whether as a list, merge_outputs, valid_length.
WAYS = {
    "plain": ("NTC", False, None, False),
    "merged": ("NTC", False, True, False),
    "list": ("TNC", True, False, False),
    "lengths": ("TNC", False, True, True),
    "list of lengths": ("NTC", True, False, True),
    "merged lengths": ("NTC", False, True, True),
}


def unrolled(mx: Any, text: str, shape: tuple, train: bool, way: tuple) -> list:
    """A cell over a sequence from states that are not 0: names, outputs and gradients."""
    layout, as_list, merge, lengths = way
    cell = eval(text, scope(mx))
    found = texts_of(cell)
    cell.initialize()
    steps = shape[1]
    data = given(*shape)
    if layout == "TNC":
        data = data.swapaxes(0, 1)
    x = mx.nd.array(data)
    if as_list:
        x = [mx.nd.array(part) for part in given(*shape).swapaxes(0, 1)]
    settings = {"layout": layout, "merge_outputs": merge}
    if lengths:
        settings["valid_length"] = mx.nd.array([max(steps - 1, 1), steps][: shape[0]])
    cell.unroll(steps, x, **settings)
    params = cell.collect_params()
    filled(params)
    info = cell.state_info(shape[0])
    states = [mx.nd.array(given(*one["shape"], seed=k + 1)) for k, one in enumerate(info)]

    def run():
        return cell.unroll(steps, x, begin_state=states, **settings)

    found += gradients(mx, run, arrays_in(x) + states, params, train)
    return [
        *found,
        *texts_of(cell),
        str(cell._counter),
        *arrays_in(cell.unroll(steps, x, **settings)),
    ]


def stepped(mx: Any, text: str, shape: tuple, train: bool) -> list:
    """Two calls of a cell, and what it counts."""
    cell = eval(text, scope(mx))
    cell.initialize()
    x = [mx.nd.array(given(*shape)[:, k]) for k in range(2 if shape[1] > 1 else 1)]
    states = cell.begin_state(batch_size=shape[0], func=mx.nd.zeros)
    counts = [cell._counter, cell._init_counter]
    cell(x[0], states)
    counts += [cell._counter, cell._init_counter]
    cell.reset()
    params = cell.collect_params()
    filled(params)

    def run():
        first, after = cell(x[0], states)
        return [first, cell(x[-1], after)]

    found = gradients(mx, run, x, params, train)
    counts += [cell._counter, cell._init_counter]
    cell.reset()
    counts += [cell._counter, cell._init_counter]
    return [str(counts), *found]


def beginnings(mx: Any) -> list:
    """What `begin_state` asks for, and what `state_info` tells."""

    def asked(**settings):
        return sorted((key, str(value)) for key, value in settings.items())

    found = []
    for text in [
        *(text for text, _, _ in CELLS),
        *("LSTM(3, 2, bidirectional=True, prefix='a_')", "GRU(2)", "RNN(2, dtype='float16')"),
        *("LSTM(4, projection_size=2)",),
    ]:
        cell = eval(text, scope(mx))
        found += [str(cell.state_info()), str(cell.state_info(3))]
        for _ in range(2):
            found.append(str(cell.begin_state(batch_size=2, func=asked, more=7)))
        cell.begin_state(batch_size=2, func=mx.nd.ones, dtype="float64")
        found += arrays_in(cell.begin_state(batch_size=2, func=mx.nd.ones, dtype="float64"))
    draw = {"func": mx.nd.random.uniform, "low": 3, "high": 3}
    return [*found, *eval("LSTMCell(3)", scope(mx)).begin_state(batch_size=2, **draw)]


def names(mx: Any) -> list:
    """Names and descriptions in nested networks."""
    made = scope(mx)

    class Net(mx.gluon.HybridBlock):
        def __init__(self, **kwargs):
            super().__init__(**kwargs)
            with self.name_scope():
                self.stack = eval("hybrid(RNNCell(2), ZoneoutCell(LSTMCell(3), 0.1))", made)
                self.layer = made["LSTM"](3, 2, bidirectional=True)
                self.conv = made["Conv1DLSTMCell"]((3, 7), 2, 3, 3)
                self.residual = made["ResidualCell"](made["GRUCell"](3))
                self.both = eval("BidirectionalCell(RNNCell(2), GRUCell(2))", made)
                self.plain = made["RNN"](4, activation="tanh", layout="NTC", dropout=0.5)
            self.outside = made["GRU"](3, input_size=2, prefix="out_")

    nets = [Net(), Net(prefix="my_")]
    found = [text for net in nets for text in texts_of(net)]
    found += [str(list(net._collect_params_with_prefix())) for net in nets]
    found += [str(list(nets[1].collect_params(".*i2h_weight")))]
    shared = made["LSTMCell"](3, params=nets[0].stack[1].base_cell.params, prefix="shared_")
    empty = [made[name]() for name in ("RecurrentCell", "HybridRecurrentCell", "SequentialRNNCell")]
    return [*found, repr(shared.collect_params()), str(len(nets[0].stack)), *map(repr, empty)]


def dynamic(mx: Any) -> list:
    """`dynamic_unroll`, in both layouts and with lengths."""
    cell = mx.gluon.rnn.GRUCell(3, input_size=5)
    cell.initialize()
    filled(cell.collect_params())
    unroll = mx.gluon.contrib.rnn.rnn_cell.dynamic_unroll
    x = mx.nd.array(given(4, 2, 5))
    state = mx.nd.array(given(2, 3, seed=1))
    found = arrays_in(unroll(cell, x, [state]))
    turned = mx.nd.array(given(4, 2, 5).swapaxes(0, 1))
    found += arrays_in(unroll(cell, turned, [state], 0.5, 0.5, layout="NTC"))
    return [*found, *arrays_in(unroll(cell, x, [state], valid_length=mx.nd.array([2, 3])))]


# ----------------------------------------------------------------------------------- layers

#: A layer and the shape of its inputs.
LAYERS = [
    ("RNN(3)", (4, 2, 5)),
    ("RNN(3, activation='tanh', num_layers=2)", (4, 2, 5)),
    ("RNN(3, 2, 'tanh', 'NTC', bidirectional=True)", (2, 4, 5)),
    ("LSTM(3)", (4, 2, 5)),
    ("LSTM(3, 2, 'NTC', 0, True, 5)", (2, 4, 5)),
    ("LSTM(2, 3)", (1, 3, 2)),
    ("LSTM(3, h2h_bias_initializer='ones')", (3, 1, 4)),
    ("GRU(3)", (4, 2, 5)),
    ("GRU(3, 2, bidirectional=True, layout='NTC')", (2, 4, 5)),
    ("GRU(1)", (1, 1, 1)),
    ("LSTM(3, 2, dtype='float64')", (4, 2, 5)),
    ("GRU(3, dtype='float64', bidirectional=True)", (4, 2, 5)),
]
#: Layers whose gradients MXNet lacks on a CPU.
PROJECTED = [
    ("LSTM(4, projection_size=2)", (4, 2, 5)),
    ("LSTM(4, 2, 'NTC', bidirectional=True, projection_size=3)", (2, 4, 5)),
]


def layer(mx: Any, text: str, shape: tuple, grads: bool = True) -> list:
    """Names, output, states and gradients of a layer, from zeros and from other states."""
    net = eval(text, scope(mx))
    found = texts_of(net)
    dtype = net.state_info()[0]["dtype"]
    net.initialize()
    x = mx.nd.array(given(*shape), dtype=dtype)
    net(x)
    params = net.collect_params()
    filled(params)
    batch = shape[0 if "NTC" in text else 1]
    states = [
        mx.nd.array(given(*one["shape"], seed=k + 1), dtype=dtype)
        for k, one in enumerate(net.state_info(batch))
    ]
    found += [*texts_of(net), net(x), *arrays_in(net(x, states))]
    found += [str(list(net._collect_params_with_prefix()))]
    if grads:
        found += gradients(mx, lambda: net(x, states), [x, *states], params, True)
    return [*found, *([] if len(states) > 1 else arrays_in(net(x, states[0])))]


def language_model(mx: Any):
    """Embedding, LSTM and output layer."""
    nn, rnn = mx.gluon.nn, mx.gluon.rnn

    class Model(mx.gluon.Block):
        def __init__(self, **kwargs):
            super().__init__(**kwargs)
            with self.name_scope():
                self.embedding = nn.Embedding(7, 4)
                self.lstm = rnn.LSTM(5, 2)
                self.out = nn.Dense(7, flatten=False)

        def forward(self, words, states):
            y, states = self.lstm(self.embedding(words), states)
            return self.out(y), states

    model = Model(prefix="model_")
    model.initialize()
    model(mx.nd.zeros((3, 2)), model.lstm.begin_state(batch_size=2))
    filled(model.collect_params())
    return model


def training(mx: Any) -> list:
    """Truncated backpropagation through time: losses and parameters."""
    model = language_model(mx)
    params = model.collect_params()
    trainer = mx.gluon.Trainer(params, "sgd", {"learning_rate": 1.0, "momentum": 0.5})
    cross_entropy = mx.gluon.loss.SoftmaxCrossEntropyLoss()
    words = np.random.RandomState(3).randint(0, 7, (13, 2)).astype("float32")
    states = model.lstm.begin_state(batch_size=2)
    found = [repr(model), repr(params)]
    for start in (0, 4, 8):
        x, label = (mx.nd.array(words[start + k : start + k + 4]) for k in (0, 1))
        states = [state.detach() for state in states]
        with mx.autograd.record():
            y, states = model(x, states)
            loss = cross_entropy(y.reshape((-1, 7)), label.reshape((-1,)))
        loss.backward()
        grads = [one.grad() for one in params.values()]
        mx.gluon.utils.clip_global_norm(grads, 0.5)
        trainer.step(8)
        found.append(loss)
    return [*found, *states, *(one.data() for one in params.values())]


def saved(mx: Any) -> list:
    """Files of parameters, byte by byte, and what a new network gives with them."""
    x, states = mx.nd.array([[1, 2], [0, 6], [3, 3]]), [mx.nd.ones((2, 2, 5))] * 2
    model = language_model(mx)
    files = []
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "net.params")
        model.collect_params().save(path)
        files.append(np.fromfile(path, np.uint8))
        model.save_parameters(path)
        files.append(np.fromfile(path, np.uint8))
        other = language_model(mx)
        other.lstm.initialize(force_reinit=True)
        other.load_parameters(path)
    return [*files, *arrays_in(model(x, states)), *arrays_in(other(x, states))]


def cells() -> dict[str, Callable]:
    """The programs with cells, by name."""
    found: dict[str, Callable] = {}
    for text, shape, train in CELLS:
        for kind, way in WAYS.items():
            if text.startswith("hybrid(Bidirectional") and way[0] == "NTC" and way[3]:
                continue  # MXNet cannot join its outputs
            if "Conv" in text and kind not in ("plain", "merged lengths"):
                continue
            found[f"{kind} {text}"] = lambda mx, a=(text, shape, train, way): unrolled(mx, *a)
        if "Bidirectional" not in text:
            found[f"step {text}"] = lambda mx, a=(text, shape, train): stepped(mx, *a)
    for one in (beginnings, names, dynamic):
        found[one.__name__] = one
    return found


def layers() -> dict[str, Callable]:
    """The programs with layers, by name."""
    found: dict[str, Callable] = {}
    for text, shape in LAYERS:
        found[f"layer {text}"] = lambda mx, a=(text, shape): layer(mx, *a)
    for text, shape in PROJECTED:
        found[f"layer {text}"] = lambda mx, a=(text, shape, False): layer(mx, *a)
    for one in (training, saved):
        found[one.__name__] = one
    return found
