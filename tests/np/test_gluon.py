"""Under `npx.set_np` Gluon makes, takes and returns arrays of `np`."""

from __future__ import annotations

import numpy
import pytest

import gluon
from gluon import autograd, init, loss, metric, nd, nn, np, rnn
from gluon.data import ArrayDataset, DataLoader

pytestmark = pytest.mark.usefixtures("numpy_interface")


def is_np(*arrays) -> bool:
    return all(type(one) is np.ndarray for one in arrays)


LAYERS = {
    "Dense": lambda: nn.Dense(4, activation="relu"),
    "Dense along the last axis": lambda: nn.Dense(4, flatten=False),
    "Conv2D": lambda: nn.Conv2D(4, 3),
    "Conv2DTranspose": lambda: nn.Conv2DTranspose(3, 3),
    "MaxPool2D": lambda: nn.MaxPool2D(2),
    "AvgPool2D": lambda: nn.AvgPool2D(2),
    "GlobalAvgPool2D": nn.GlobalAvgPool2D,
    "BatchNorm": nn.BatchNorm,
    "LayerNorm": nn.LayerNorm,
    "InstanceNorm": lambda: nn.InstanceNorm(axis=2),
    "GroupNorm": lambda: nn.GroupNorm(3),
    "Dropout": lambda: nn.Dropout(0.5),
    "Flatten": nn.Flatten,
    "LeakyReLU": lambda: nn.LeakyReLU(0.1),
    "PReLU": nn.PReLU,
    "ELU": nn.ELU,
    "SELU": nn.SELU,
    "GELU": nn.GELU,
    "Swish": nn.Swish,
    "ReflectionPad2D": lambda: nn.ReflectionPad2D(1),
    "HybridLambda": lambda: nn.HybridLambda(lambda F, x: F.np.maximum(x, 0)),
}


@pytest.mark.parametrize("name", LAYERS)
def test_layers_compute_the_same_as_on_classic_arrays(name):
    raw = numpy.random.default_rng(0).normal(size=(2, 3, 8, 8)).astype("float32")
    results = []
    for array in (np.array, nd.array):
        layer = LAYERS[name]()
        layer.initialize(init.Constant(0.1))
        x = array(raw)
        x.attach_grad()
        with autograd.record(train_mode=name != "Dropout"):
            y = layer(x)
        y.backward()
        results.append((y.asnumpy(), x.grad.asnumpy()))
        if array is np.array:
            parameters = layer.collect_params().values()
            assert is_np(y, x.grad, *(one.data() for one in parameters))
            assert is_np(*(one.grad() for one in parameters if one.grad_req != "null"))
    for ours, classic in zip(*results):
        numpy.testing.assert_allclose(ours, classic, rtol=1e-5, atol=1e-6)


LOSSES = {
    **{name: (getattr(loss, name)(), ("2x3", "2x3")) for name in ("L2Loss", "L1Loss", "HuberLoss")},
    "HingeLoss": (loss.HingeLoss(), ("2x3", "2x3")),
    "KLDivLoss": (loss.KLDivLoss(from_logits=False), ("2x3", "2x3")),
    "SigmoidBCELoss": (loss.SigmoidBCELoss(), ("2x3", "2x3")),
    "SoftmaxCELoss": (loss.SoftmaxCELoss(), ("2x3", "2")),
    "LogisticLoss": (loss.LogisticLoss(), ("2x3", "2x3")),
    "TripletLoss": (loss.TripletLoss(), ("2x3", "2x3", "2x3")),
    "CosineEmbeddingLoss": (loss.CosineEmbeddingLoss(), ("2x3", "2x3", "2")),
    "PoissonNLLLoss": (loss.PoissonNLLLoss(), ("2x3", "2x3")),
}


@pytest.mark.filterwarnings("ignore:.* label has the value 0")
@pytest.mark.parametrize("name", LOSSES)
def test_losses(name):
    function, shapes = LOSSES[name]
    draw = numpy.random.default_rng(0)
    raws = [draw.uniform(size=[*map(int, shape.split("x"))]).astype("float32") for shape in shapes]
    raws[-1] = raws[-1].round()
    inputs = [np.array(raw) for raw in raws]
    inputs[0].attach_grad()
    with autograd.record():
        result = function(*inputs)
        mean = result.mean()
    mean.backward()
    assert is_np(result, mean, inputs[0].grad)
    assert mean.shape == ()
    classic = function(*map(nd.array, raws))
    numpy.testing.assert_allclose(result.asnumpy(), classic.asnumpy(), rtol=1e-5)


@pytest.mark.parametrize("make", [rnn.RNN, rnn.LSTM, rnn.GRU])
def test_recurrent_layers(make):
    layer = make(4)
    layer.initialize()
    y, states = layer(np.ones((3, 2, 5)), layer.begin_state(2))
    assert is_np(y, *states)
    assert is_np(layer(np.ones((3, 2, 5))))


@pytest.mark.parametrize("make", [rnn.RNNCell, rnn.LSTMCell, rnn.GRUCell])
def test_recurrent_cells(make):
    cell = make(4)
    cell.initialize()
    y, states = cell(np.ones((2, 5)), cell.begin_state(2))
    assert is_np(y, *states)
    outputs, _ = cell.unroll(3, np.ones((2, 3, 5)), merge_outputs=True)
    assert is_np(outputs)


class Net(nn.HybridBlock):
    """A block that overrides `forward`, as books on the NumPy interface write them."""

    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.hidden = nn.Dense(4, activation="relu")
        self.output = nn.Dense(2)
        self.weight = self.params.get("weight", shape=(4, 4))

    def forward(self, X):
        return self.output(np.dot(self.hidden(X), self.weight.data()))


@pytest.mark.parametrize("hybridized", [False, True])
def test_a_block_may_override_forward(hybridized):
    net = Net()
    net.initialize(init.One())
    if hybridized:
        net.hybridize()
    with autograd.record():
        y = net(np.ones((2, 3)))
    y.backward()
    assert is_np(y, net.weight.grad())
    assert net.weight.grad().asnumpy().any()


#: GroupAdaGrad takes matrices alone.
OPTIMIZERS = sorted({*gluon.optimizer.Optimizer.opt_registry} - {"groupadagrad"})


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_training(name):
    net = nn.Sequential()
    net.add(nn.Dense(8, activation="relu"), nn.Dense(1))
    net.initialize(init.Normal(0.1))
    trainer = gluon.Trainer(net.collect_params(), name)
    for _ in range(2):
        with autograd.record():
            error = loss.L2Loss()(net(np.ones((4, 3))), np.ones((4, 1)))
        error.backward()
        trainer.step(4)
    assert is_np(error, net[0].weight.data(), net[0].weight.grad())
    assert numpy.isfinite(net[0].weight.data().asnumpy()).all()


def test_initializers_get_and_fill_such_arrays():
    seen = []

    class Own(init.Initializer):
        def _init_weight(self, name, data):
            seen.append(data)
            data[:] = np.arange(6).reshape(2, 3)
            data *= np.abs(data) >= 3

    layer = nn.Dense(2, in_units=3)
    layer.initialize(Own())
    assert is_np(*seen)
    assert layer.weight.data().tolist() == [[0, 0, 0], [3, 4, 5]]
    layer.weight.set_data(np.ones((2, 3)))
    layer.weight.data()[0, 0] = 42
    assert layer.weight.data().tolist() == [[42, 1, 1], [1, 1, 1]]


def test_saved_parameters_come_back_as_such_arrays(tmp_path):
    one, two = (nn.Dense(2, in_units=3) for _ in range(2))
    one.initialize()
    one.save_parameters(str(tmp_path / "one"))
    two.load_parameters(str(tmp_path / "one"))
    assert is_np(two.weight.data())
    assert np.array_equal(one.weight.data(), two.weight.data())
    constant = gluon.Constant("scale", np.ones(2))
    constant.initialize()
    assert is_np(constant.data())


@pytest.mark.parametrize("workers", [{}, {"num_workers": 1, "thread_pool": True}])
def test_loaders(workers):
    given = ArrayDataset(np.arange(8).reshape(4, 2), numpy.arange(4))
    batches = list(DataLoader(given, batch_size=2, **workers))
    assert is_np(*(part for batch in batches for part in batch))
    assert [x.tolist() for x, _ in batches] == [[[0, 1], [2, 3]], [[4, 5], [6, 7]]]


@pytest.mark.slow
def test_loaders_in_processes():
    given = ArrayDataset(np.arange(8).reshape(4, 2), numpy.arange(4))
    batches = list(DataLoader(given, batch_size=2, num_workers=1))
    assert is_np(*(part for batch in batches for part in batch))


def test_helpers():
    parts = gluon.utils.split_and_load(np.ones((4, 2)), [gluon.cpu(0), gluon.cpu(1)])
    assert is_np(*parts)
    arrays = [np.full((3,), 3)]
    gluon.utils.clip_global_norm(arrays, 1.0)
    assert np.allclose(arrays[0], 3**-0.5)
    accuracy = metric.Accuracy()
    accuracy.update([np.array([0, 1])], [np.array([[0.9, 0.1], [0.2, 0.8]])])
    assert accuracy.get() == ("accuracy", 1.0)


def test_gradients_and_functions():
    x = np.arange(3)
    x.attach_grad()

    class Sigmoid(autograd.Function):
        def forward(self, x):
            y = 1 / (1 + np.exp(-x))
            self.save_for_backward(y)
            return y

        def backward(self, dy):
            (y,) = self.saved_tensors
            return dy * y * (1 - y)

    with autograd.record():
        cube = (x**3).sum()
        y = Sigmoid()(x)
    assert is_np(*autograd.grad(cube, [x], create_graph=False), y)
    y.backward()
    numpy.testing.assert_allclose(x.grad.asnumpy(), [0.25, 0.19661, 0.10499], rtol=1e-4)


def test_higher_orders():
    x = np.array([1.0, 2.0])
    x.attach_grad()
    with autograd.record():
        y = (np.sin(x) * x).sum()
        (first,) = autograd.grad(y, [x], create_graph=True)
        (second,) = autograd.grad(first.sum(), [x], create_graph=True)
        third = second.sum()
    third.backward()
    raw = x.asnumpy()
    numpy.testing.assert_allclose(
        second.asnumpy(), 2 * numpy.cos(raw) - raw * numpy.sin(raw), rtol=1e-5
    )
    numpy.testing.assert_allclose(
        x.grad.asnumpy(), -3 * numpy.sin(raw) - raw * numpy.cos(raw), rtol=1e-5
    )
