"""Gluon with `npx.set_np()`: expressions and small programs, run by the oracle and on gluon.

They see the modules that `Modules` names, and give arrays, numbers, or (nested) lists of them.
NumPy is all that this file needs: ``recorded/make_np.py`` reads it inside the oracle.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as onp

from tests.np.gluon_models import MODELS


class Modules(NamedTuple):
    """The modules of a library."""

    np: Any
    npx: Any
    autograd: Any
    gluon: Any
    nn: Any
    rnn: Any
    loss: Any
    metric: Any
    init: Any
    data: Any
    optimizer: Any
    image: Any
    nd: Any


def draw(*shape: int, seed: int = 0, dtype: str = "float32") -> Any:
    """Normal numbers, always the same."""
    return onp.random.RandomState(seed).normal(size=shape).astype(dtype)


def started(m: Modules, net: Any, *inputs: Any) -> Any:
    """`net` with parameters that are always the same, after a first call on `inputs`."""
    net.initialize()
    net(*inputs)
    for k, (_, parameter) in enumerate(sorted(net._collect_params_with_prefix().items())):
        if parameter.grad_req != "null":
            value = draw(*parameter.shape, seed=k) * 0.3
            parameter.set_data(m.np.array(value, dtype="float32"))
    return net


# -------------------------------------------------------------------------- one call for each

VECTORS, SERIES, PICTURES = "f(2, 3)", "f(2, 3, 5)", "f(2, 3, 6, 6)"
LAYERS = {
    VECTORS: """nn.Dense(4) nn.Dense(4,activation='relu') nn.Activation('tanh') nn.LeakyReLU(0.1)
        nn.PReLU() nn.ELU() nn.SELU() nn.GELU() nn.Swish() nn.BatchNorm() nn.LayerNorm()
        nn.Dropout(0.5) nn.Flatten() nn.HybridLambda(lambda*x:x[1])
        nn.Embedding(4,2)""".split(),
    SERIES: """nn.Dense(4,flatten=False) nn.Conv1D(2,2) nn.Conv1DTranspose(2,2) nn.MaxPool1D()
        nn.AvgPool1D() nn.GlobalAvgPool1D() nn.GlobalMaxPool1D() nn.InstanceNorm()
        nn.GroupNorm(3) nn.BatchNorm(axis=2) nn.LayerNorm(axis=1) nn.Embedding(4,2)
        rnn.RNN(4) rnn.LSTM(4,layout='NTC') rnn.GRU(4,2,bidirectional=True)""".split(),
    PICTURES: """nn.Conv2D(2,3) nn.Conv2D(2,(2,3),strides=2,padding=1,groups=1)
        nn.Conv2DTranspose(2,3) nn.MaxPool2D() nn.AvgPool2D() nn.GlobalAvgPool2D()
        nn.GlobalMaxPool2D() nn.ReflectionPad2D(1) nn.BatchNorm()
        nn.Flatten()""".split(),
    "f(2, 3, 3, 3, 3)": """nn.Conv3D(2,2) nn.Conv3DTranspose(2,2) nn.MaxPool3D() nn.AvgPool3D()
        nn.GlobalAvgPool3D() nn.GlobalMaxPool3D()""".split(),
}
LOSSES = (
    """loss.L2Loss()(p, q) loss.L1Loss()(p, q) loss.SigmoidBCELoss()(p, b)
    loss.SigmoidBCELoss(from_sigmoid=True)(u, b) loss.SoftmaxCELoss()(p, k)
    loss.SoftmaxCELoss(sparse_label=False)(p, u) loss.KLDivLoss(from_logits=False)(p, u)
    loss.HuberLoss()(p, q) loss.HingeLoss()(p, s) loss.SquaredHingeLoss()(p, s)
    loss.LogisticLoss()(p, s) loss.TripletLoss()(p, q, u) loss.PoissonNLLLoss()(p, u)
    loss.CosineEmbeddingLoss()(p, q, s[:, 0]) loss.L2Loss()(p[0], q[0])
    loss.L2Loss(weight=2.0)(p, q, u) loss.CTCLoss()(f(2, 3, 5), k[:, None])
    loss.SDMLLoss()(p, q)""".replace("\n    ", " ")
    .replace(") loss", ")|loss")
    .split("|")
)
METRICS = """Accuracy()|k|p TopKAccuracy(2)|k|p F1()|k|p[:,:2] MCC()|k|p[:,:2] MAE()|q|p MSE()|q|p
    RMSE()|q|p CrossEntropy()|k|u Perplexity(None)|k|u PearsonCorrelation()|q|p
    Loss()|None|p NegativeLogLikelihood()|k|u""".split()
EXPRESSIONS = [
    *(
        f"started(m, {layer}, {given})({given})"
        for given, layers in LAYERS.items()
        for layer in layers
        if "Embedding" not in layer
    ),
    "started(m, nn.Embedding(4, 2), k)(k)",
    "started(m, rnn.LSTM(4), f(2, 3, 5))(f(2, 3, 5), rnn.LSTM(4).begin_state(3))",
    *(
        "started(m, {0}, p, {0}.begin_state(2))(p, {0}.begin_state(2))".format(f"rnn.{cell}(4)")
        for cell in ("RNNCell", "LSTMCell", "GRUCell")
    ),
    "started(m, Unrolled(m), f(2, 3, 5))(f(2, 3, 5))",
    *LOSSES,
    *(
        f"measured(metric.{one.split('|')[0]}, {one.split('|')[1]}, {one.split('|')[2]})"
        for one in METRICS
    ),
    *(
        f"initialized(init.{one})"
        for one in ("Zero()", "One()", "Constant(3.0)", "Bilinear()", "LSTMBias()")
    ),
    # What is not known before the first batch.
    *("repr(nn.Dense(4))", "repr(nn.Conv2D(2, 3))", "repr(nn.BatchNorm())", "repr(nn.LayerNorm())"),
    *("nn.Conv2D(2, 3).weight.shape", "repr(nn.Dense(4, prefix='d_').collect_params())"),
    *(
        f"optimized(m, '{one}')"
        for one in """sgd nag adam adagrad rmsprop adadelta adamax nadam
        ftrl ftml signum lamb lars dcasgd""".split()
    ),
    *("[b for b in data.DataLoader(data.ArrayDataset(p, k), 1)]",),
    *("data.ArrayDataset(p, onp.arange(2))[1]", "data.SimpleDataset([p, q])[1]"),
    *("[b for b in data.DataLoader(data.ArrayDataset(onp.ones((4, 2), 'float32')), 2)]",),
    *("gluon.utils.split_and_load(p, [npx.cpu(0), npx.cpu(1)])", "gluon.utils.split_data(p, 2)"),
    *("gluon.utils.clip_global_norm([p, q], 1.0)", "gluon.utils.clip_global_norm([p, q], 9.0)"),
    "data.vision.transforms.ToTensor()(np.ones((2, 2, 3), dtype='uint8'))",
    "data.vision.transforms.Normalize(0.5, 2.0)(np.ones((3, 2, 2)))",
    "data.vision.transforms.Compose([data.vision.transforms.Resize(4), data.vision.transforms."
    "ToTensor()])(np.ones((2, 2, 3), dtype='uint8')).shape",
    "data.vision.transforms.CenterCrop(2)(np.ones((4, 4, 3), dtype='uint8'))",
    "data.vision.transforms.Cast('float16')(p)",
    *(
        f"onp.dtype(data.vision.transforms.{one}(np.ones((6, 6, 3), dtype='uint8')).dtype).name"
        for one in """RandomFlipLeftRight() RandomFlipTopBottom() RandomBrightness(0.1)
        RandomContrast(0.1) RandomSaturation(0.1) RandomHue(0.1) RandomColorJitter(0.1,0.1)
        RandomLighting(0.1) RandomResizedCrop(4) CropResize(0,0,2,2)""".split()
    ),
    *(
        f"started(m, gluon.contrib.{layer}, {given})({given})"
        for layer, given in [
            ("nn.Identity()", "p"),
            ("nn.PixelShuffle1D(3)", "f(2, 3, 5)"),
            ("nn.PixelShuffle2D(2)", "f(1, 4, 2, 2)"),
            ("nn.SyncBatchNorm()", "f(2, 3, 2, 2)"),
        ]
    ),
    *(
        f"run_cell(m, {cell})"
        for cell in """rnn.DropoutCell(0.5) rnn.ZoneoutCell(rnn.RNNCell(3,input_size=3))
        rnn.ResidualCell(rnn.GRUCell(3,input_size=3)) gluon.contrib.rnn.LSTMPCell(4,3,input_size=3)
        gluon.contrib.rnn.VariationalDropoutCell(rnn.LSTMCell(3,input_size=3))
        rnn.LSTMCell(4,input_size=3)""".split()
    ),
    "image.imresize(np.ones((2, 2, 3), dtype='uint8'), 4, 4)",
    "image.color_normalize(np.ones((2, 2, 3)), np.array([0.5, 0.5, 0.5]), np.array([2.0, 2, 2]))",
    "p.as_nd_ndarray().as_np_ndarray()",
    "gluon.Parameter('w', shape=(2, 2), init='ones').name",
    "constant(m)",
]


def Unrolled(m: Modules) -> Any:
    """Run a cell over the steps of a batch."""

    class Steps(m.gluon.HybridBlock):
        def __init__(self) -> None:
            super().__init__()
            self.cell = m.rnn.GRUCell(4)

        def forward(self, x: Any) -> Any:
            return self.cell.unroll(3, x, layout="NTC", merge_outputs=True)

    return Steps()


def run_cell(m: Modules, cell: Any) -> Any:
    """Two steps of a cell, its states fed back."""
    x = m.np.array(draw(2, 3))
    started(m, cell, x, cell.begin_state(batch_size=2))
    y, states = cell(x, cell.begin_state(batch_size=2))
    return cell(y[:, :3], states)


def constant(m: Modules) -> Any:
    """A constant of a block, and the gradient and the data of its parameters on a context."""

    class Scaled(m.gluon.HybridBlock):
        def __init__(self) -> None:
            super().__init__()
            self.scale = self.params.get_constant("scale", m.np.array([1, 2, 3]))

        def hybrid_forward(self, F: Any, x: Any, scale: Any) -> Any:
            return x * scale

    net = Scaled()
    net.initialize()
    return [net(m.np.ones((2, 3))), net.scale.data()]


def measured(metric: Any, label: Any, prediction: Any) -> list:
    metric.update([label], [prediction])
    return list(metric.get())


def initialized(initializer: Any) -> Any:
    from_name = initializer.__module__.partition(".")[0]
    library = __import__(from_name)
    np = library.np
    array = np.zeros((4, 1, 2, 2))
    description = (library.initializer if from_name == "gluon" else library.init).InitDesc("weight")
    if "bias" in type(initializer).__name__.lower():
        array = np.zeros((8,))
    initializer._init_weight(description, array)
    return array


def optimized(m: Modules, name: str) -> list:
    """The weights after three steps of an optimizer."""
    net = started(m, m.nn.Dense(2), m.np.ones((1, 3)))
    trainer = m.gluon.Trainer(net.collect_params(), name, {"learning_rate": 0.1, "wd": 0.01})
    for step in range(3):
        with m.autograd.record():
            y = (net(m.np.array(draw(4, 3, seed=step))) ** 2).mean()
        y.backward()
        trainer.step(4)
    return [net.weight.data(), net.bias.data(), net.weight.grad()]


def names(m: Modules) -> dict[str, Any]:
    """The names that the expressions can use."""
    np = m.np
    given = {
        "p": draw(2, 3, seed=1),
        "q": draw(2, 3, seed=2),
        "u": onp.abs(draw(2, 3, seed=3)) / 4 + 0.05,
        "b": onp.array([[1, 0, 1], [0, 0, 1]], "float32"),
        "s": onp.array([[1, -1, 1], [-1, -1, 1]], "float32"),
        "k": onp.array([1, 0], "float32"),
    }
    arrays = {name: np.array(raw) for name, raw in given.items()}
    helpers = {
        **{"started": started, "measured": measured, "initialized": initialized},
        **{
            "optimized": optimized,
            "Unrolled": Unrolled,
            "run_cell": run_cell,
            "constant": constant,
            "onp": onp,
            "m": m,
        },
    }
    return {**m._asdict(), **helpers, **arrays, "f": lambda *shape: np.array(draw(*shape))}


# ---------------------------------------------------------------------------------- programs


def linear_regression(m: Modules) -> list:
    """From scratch: synthetic data, minibatches, stochastic gradient descent by hand."""
    np, autograd = m.np, m.autograd
    truth, offset = np.array([2, -3.4]), 4.2
    x = np.array(draw(64, 2))
    y = np.dot(x, truth) + offset
    y += np.array(draw(64, seed=1)) * 0.01
    w, b = np.array(draw(2, 1, seed=2)) * 0.01, np.zeros(1)
    w.attach_grad()
    b.attach_grad()
    losses = []
    for _ in range(3):
        for start in range(0, 64, 16):
            rows = np.array(onp.arange(start, start + 16), dtype="int32")
            with autograd.record():
                error = (np.dot(x[rows], w) + b - y[rows].reshape(-1, 1)) ** 2 / 2
            error.backward()
            for parameter in (w, b):
                parameter[:] = parameter - 0.1 * parameter.grad / 16
        losses.append(float(error.mean()))
    return [w, b, losses, w.shape, truth - w.reshape(truth.shape)]


def linear_regression_concise(m: Modules) -> list:
    np, autograd, gluon = m.np, m.autograd, m.gluon
    x = np.array(draw(32, 2))
    y = np.dot(x, np.array([2, -3.4])) + 4.2
    loader = gluon.data.DataLoader(gluon.data.ArrayDataset(x, y), 8, shuffle=False)
    net = m.nn.Sequential()
    net.add(m.nn.Dense(1))
    started(m, net, x)
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.03})
    loss = m.loss.L2Loss()
    found = []
    for _ in range(2):
        for features, label in loader:
            with autograd.record():
                error = loss(net(features), label)
            error.backward()
            trainer.step(8)
        found.append(loss(net(x), y).mean())
    return [*found, net[0].weight.data(), net[0].bias.data(), net[0].weight.data().shape]


def softmax_regression(m: Modules) -> list:
    """From scratch, with its own cross entropy and accuracy."""
    np, autograd = m.np, m.autograd
    x, labels = np.array(draw(32, 6)), np.array(onp.arange(32) % 3)
    w, b = np.array(draw(6, 3, seed=4)) * 0.1, np.zeros(3)
    w.attach_grad()
    b.attach_grad()

    def softmax(values: Any) -> Any:
        powers = np.exp(values)
        return powers / powers.sum(1, keepdims=True)

    for _ in range(5):
        with autograd.record():
            chances = softmax(np.dot(x.reshape((-1, w.shape[0])), w) + b)
            error = -np.log(chances[np.arange(32, dtype="int32"), labels.astype("int32")])
        error.backward()
        w -= 0.5 * w.grad / 32
        b -= 0.5 * b.grad / 32
    guess = chances.argmax(axis=1)
    right = guess.astype(labels.dtype) == labels
    return [w, error, guess, float(right.astype("float32").sum()), right.dtype]


def perceptron(m: Modules) -> list:
    """A hidden layer from scratch, and weight decay."""
    np, npx, autograd = m.np, m.npx, m.autograd
    x, labels = np.array(draw(16, 5)), np.array(onp.arange(16) % 4)
    parameters = [
        np.array(draw(*shape, seed=k)) * 0.2 for k, shape in enumerate([(5, 8), (8,), (8, 4), (4,)])
    ]
    for parameter in parameters:
        parameter.attach_grad()
    w1, b1, w2, b2 = parameters
    loss = m.loss.SoftmaxCrossEntropyLoss()
    for _ in range(4):
        with autograd.record():
            hidden = np.maximum(np.dot(x, w1) + b1, 0)
            hidden = npx.relu(hidden)
            error = loss(np.dot(hidden, w2) + b2, labels)
            total = error.mean() + 0.1 * ((w1**2).sum() + (w2**2).sum()) / 2
        total.backward()
        for parameter in parameters:
            parameter[:] -= 0.1 * parameter.grad
    return [total, total.shape, error, *parameters]


def lenet(m: Modules) -> list:
    np, nn, autograd, gluon = m.np, m.nn, m.autograd, m.gluon
    net = nn.HybridSequential()
    net.add(
        nn.Conv2D(channels=3, kernel_size=5, padding=2, activation="sigmoid"),
        nn.AvgPool2D(pool_size=2, strides=2),
        nn.Conv2D(channels=4, kernel_size=3, activation="sigmoid"),
        nn.AvgPool2D(pool_size=2, strides=2),
        nn.Dense(12, activation="sigmoid"),
        nn.Dense(3),
    )
    x, labels = np.array(draw(6, 1, 12, 12)), np.array(onp.arange(6) % 3)
    started(m, net, x)
    net.hybridize()
    shapes, y = [], x
    for layer in net:
        y = layer(y)
        shapes.append(y.shape)
    trainer = gluon.Trainer(net.collect_params(), "adam", {"learning_rate": 0.01})
    loss = m.loss.SoftmaxCrossEntropyLoss()
    for _ in range(3):
        with autograd.record():
            outputs = net(x)
            error = loss(outputs, labels)
        error.backward()
        trainer.step(6)
    return [shapes, error, outputs]


def recurrent_from_scratch(m: Modules) -> list:
    """A character-level language model with gradient clipping."""
    np, npx, autograd = m.np, m.npx, m.autograd
    text = np.array([[0, 1, 2, 3], [2, 1, 0, 3]])
    sizes = [(4, 5), (5, 5), (5,), (5, 4), (4,)]
    parameters = [np.array(draw(*shape, seed=k)) * 0.3 for k, shape in enumerate(sizes)]
    for parameter in parameters:
        parameter.attach_grad()
    w, u, b, v, c = parameters
    loss = m.loss.SoftmaxCrossEntropyLoss()
    for _ in range(3):
        state = np.zeros(shape=(2, 5))
        with autograd.record():
            outputs = []
            for step in npx.one_hot(text.T, 4):
                state = np.tanh(np.dot(step, w) + np.dot(state, u) + b)
                outputs.append(np.dot(state, v) + c)
            joined = np.concatenate(outputs, axis=0)
            error = loss(joined, text.T.reshape(-1)).mean()
        error.backward()
        norm = math_sqrt(sum((p.grad**2).sum() for p in parameters))
        for parameter in parameters:
            grad = parameter.grad * (0.1 / norm if norm > 0.1 else 1)
            parameter[:] = parameter - 0.5 * grad
    return [norm, error, joined, state, w]


def math_sqrt(value: Any) -> float:
    return float(value) ** 0.5


def recurrent_concise(m: Modules) -> list:
    np, npx, autograd, gluon = m.np, m.npx, m.autograd, m.gluon
    text = np.array([[0, 1, 2, 3], [2, 1, 0, 3]])
    layer, dense = m.rnn.RNN(6), m.nn.Dense(4)
    steps = npx.one_hot(text.T, 4)
    started(m, layer, steps)
    started(m, dense, np.ones((1, 6)))
    trainers = [
        gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 1}) for net in (layer, dense)
    ]
    loss = m.loss.SoftmaxCrossEntropyLoss()
    state = layer.begin_state(batch_size=2)
    for _ in range(2):
        state = [s.detach() for s in state]
        with autograd.record():
            y, state = layer(steps, state)
            outputs = dense(y.reshape(-1, y.shape[-1]))
            error = loss(outputs, text.T.reshape(-1)).mean()
        error.backward()
        for trainer in trainers:
            trainer.step(1)
    return [error, outputs, len(state), state[0], y.shape]


def attention(m: Modules) -> list:
    """Scaled dot products with lengths, additive scores, several heads."""
    np, npx, nn, autograd = m.np, m.npx, m.nn, m.autograd

    def masked_softmax(scores: Any, lengths: Any) -> Any:
        flat = scores.reshape(-1, scores.shape[-1])
        lengths = lengths.repeat(scores.shape[1])
        flat = npx.sequence_mask(flat, lengths, True, value=-1e6, axis=1)
        return npx.softmax(flat).reshape(scores.shape)

    class Additive(nn.Block):
        def __init__(self) -> None:
            super().__init__()
            self.key = nn.Dense(4, use_bias=False, flatten=False)
            self.query = nn.Dense(4, use_bias=False, flatten=False)
            self.score = nn.Dense(1, use_bias=False, flatten=False)

        def forward(self, query: Any, key: Any, value: Any, lengths: Any) -> Any:
            features = np.expand_dims(self.query(query), 2) + np.expand_dims(self.key(key), 1)
            scores = np.squeeze(self.score(np.tanh(features)), axis=-1)
            self.weights = masked_softmax(scores, lengths)
            return npx.batch_dot(self.weights, value)

    query, key = np.array(draw(2, 1, 6)), np.array(draw(2, 5, 3, seed=1))
    value, lengths = np.array(draw(2, 5, 4, seed=2)), np.array([2, 5])
    net = started(m, Additive(), query, key, value, lengths)
    key.attach_grad()
    with autograd.record():
        y = net(query, key, value, lengths)
    y.backward()
    heads = value.reshape(2, 5, 2, -1).transpose(0, 2, 1, 3).reshape(-1, 5, 2)
    scores = npx.batch_dot(heads, heads, transpose_b=True) / onp.sqrt(2)
    dots = npx.batch_dot(masked_softmax(scores, lengths.repeat(2)), heads)
    return [y, net.weights, key.grad, dots]


def transposed(m: Modules) -> list:
    """A layer of one's own, saved and loaded; a block of the NumPy interface hybridized."""
    import tempfile

    np, npx, nn = m.np, m.npx, m.nn

    class Mine(nn.HybridBlock):
        def __init__(self) -> None:
            super().__init__()
            self.weight = self.params.get("weight", shape=(3, 2))

        def hybrid_forward(self, F: Any, x: Any, weight: Any) -> Any:
            return F.npx.relu(F.np.dot(x, weight)) - x.mean()

    with tempfile.TemporaryDirectory() as folder:
        first = started(m, Mine(), np.ones((1, 3)))
        first.save_parameters(f"{folder}/net")
        second = Mine()
        second.load_parameters(f"{folder}/net")
        npx.save(f"{folder}/arrays", {"w": first.weight.data()})
        loaded = npx.load(f"{folder}/arrays")["w"]
    second.hybridize()
    x = np.array(draw(4, 3))
    return [first(x), second(x), loaded, second.weight.data().shape]


def estimator(m: Modules) -> list:
    """An estimator fits a network, its metrics measure it."""
    import logging

    net = started(m, m.nn.Dense(3), m.np.ones((1, 4)))
    x, labels = m.np.array(draw(12, 4)), m.np.array(onp.arange(12) % 3)
    loader = m.gluon.data.DataLoader(m.gluon.data.ArrayDataset(x, labels), 4)
    trainer = m.gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.1})
    made = m.gluon.contrib.estimator.Estimator(
        net,
        m.loss.SoftmaxCrossEntropyLoss(),
        train_metrics=m.metric.CrossEntropy(),
        trainer=trainer,
    )
    made.logger.setLevel(logging.ERROR)
    made.fit(loader, epochs=2)
    return [net.weight.data(), net(x)]


PROGRAMS: dict[str, Callable[[Modules], list]] = {
    function.__name__: function
    for function in (
        *(linear_regression, linear_regression_concise, softmax_regression, perceptron, lenet),
        *(recurrent_from_scratch, recurrent_concise, attention, transposed, estimator),
        *MODELS,
    )
}
PROGRAMS |= {
    text: (lambda m, text=text: [eval(text, names(m))])  # type: ignore[misc]
    for text in EXPRESSIONS
}


def leaves(m: Modules, result: Any) -> tuple[list, list]:
    """The arrays in a result, and the rest of it, each array marked by its class."""
    arrays: list = []

    def visit(value: Any) -> Any:
        if isinstance(value, (list, tuple)):
            return [visit(one) for one in value]
        if isinstance(value, (m.np.ndarray, m.nd.NDArray)):
            arrays.append(value.asnumpy())
            return "np" if isinstance(value, m.np.ndarray) else "nd"
        if isinstance(value, onp.ndarray):
            arrays.append(value)
            return "numpy"
        if isinstance(value, (float, onp.floating)):
            arrays.append(onp.float64(value))
            return "float"
        return str(value)

    return visit(result), arrays
