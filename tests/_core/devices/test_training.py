"""Networks on a device are trained as on the host: layers, losses, optimizers, files, loaders."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import gluon
from gluon import autograd, func, loss, metric, nd, nn, npx, rnn
from gluon import np as gnp
from gluon._core.kernels.memory import Buffer
from gluon.autodiff import GradManager
from gluon.data import ArrayDataset, DataLoader
from gluon.optimizer import Optimizer

IMAGES = np.random.RandomState(0).normal(size=(4, 3, 12, 12)).astype(np.float32)
STEPS = np.random.RandomState(1).normal(size=(5, 2, 4)).astype(np.float32)
ROWS = np.random.RandomState(2).normal(size=(6, 3)).astype(np.float32)
GPU, CPU = gluon.gpu(0), gluon.cpu()

LAYERS = {
    "Dense": (lambda: nn.Dense(4, activation="relu"), IMAGES),
    "Conv1D": (lambda: nn.Conv1D(4, 3, dilation=2), IMAGES[:, :, 0]),
    "Conv2D": (lambda: nn.Conv2D(5, 3, strides=2, padding=1), IMAGES),
    "Conv2D in groups": (lambda: nn.Conv2D(6, 3, groups=3, use_bias=False), IMAGES),
    "Conv2DTranspose": (lambda: nn.Conv2DTranspose(5, 3, strides=2, output_padding=1), IMAGES),
    "MaxPool2D": (lambda: nn.MaxPool2D(3, 2, 1, ceil_mode=True), IMAGES),
    "MaxPool2D padded": (lambda: nn.MaxPool2D(3, 2, 1), IMAGES),
    "MaxPool1D padded": (lambda: nn.MaxPool1D(3, 1, 1), IMAGES[:, :, 0]),
    "GlobalAvgPool2D": (nn.GlobalAvgPool2D, IMAGES),
    "AvgPool2D": (lambda: nn.AvgPool2D(3, 2, 1), IMAGES),
    "AvgPool2D inside": (lambda: nn.AvgPool2D(3, 2, 1, count_include_pad=False), IMAGES),
    "GlobalMaxPool2D": (nn.GlobalMaxPool2D, IMAGES),
    "BatchNorm": (nn.BatchNorm, IMAGES),
    "LayerNorm": (nn.LayerNorm, IMAGES),
    "GroupNorm": (lambda: nn.GroupNorm(3), IMAGES),
    "InstanceNorm": (nn.InstanceNorm, IMAGES),
    "Dropout": (lambda: nn.Dropout(0.5), IMAGES),
    "PReLU": (nn.PReLU, IMAGES),
    "GELU": (nn.GELU, IMAGES),
    "ReflectionPad2D": (lambda: nn.ReflectionPad2D(1), IMAGES),
    "LSTM": (lambda: rnn.LSTM(6, 2, bidirectional=True), STEPS),
    "GRU": (lambda: rnn.GRU(6), STEPS),
    "RNN": (lambda: rnn.RNN(6, activation="relu"), STEPS),
    "LSTMCell": (lambda: Unrolled(rnn.LSTMCell(5)), STEPS),
    "Embedding": (lambda: nn.Embedding(12, 3), np.arange(12).reshape(3, 4) % 5),
}


class Unrolled(gluon.Block):
    """A cell over five steps."""

    def __init__(self, cell):
        super().__init__()
        self.cell = cell

    def forward(self, x):
        return self.cell.unroll(5, x, layout="TNC", merge_outputs=True)[0]


@pytest.fixture
def alone(played, monkeypatch):
    """No operator may leave the device, where PyTorch computes."""
    if played == "torch:cpu":
        monkeypatch.setenv("GLUON_GPU_HOST", "error")


def first(value):
    return value[0] if isinstance(value, (list, tuple)) else value


def trained(make, x, ctx, optimizer="sgd", settings=None, steps=2):
    """The output, the gradient of the input and the parameters after some steps on `ctx`."""
    with ctx:
        gluon.random.seed(1)
        net = make()
        net.initialize(ctx=ctx)
        x = nd.array(x, ctx=ctx, dtype=x.dtype if x.dtype.kind == "f" else "float32")
        x.attach_grad()
        net(x)
        parameters = net.collect_params()
        trainer = gluon.Trainer(parameters, optimizer, settings or {}) if parameters else None
        for _ in range(steps):
            with autograd.record():
                y = first(net(x))
                total = (y * y).mean()
            total.backward()
            if trainer:
                trainer.step(1)
        assert all(type(p.data(ctx).raw) is type(x.raw) for p in net.collect_params().values())
        arrays = [y, x.grad, *[p.data(ctx) for p in net.collect_params().values()]]
        assert all(one.context == ctx for one in arrays)
        return [one.asnumpy() for one in arrays]


def assert_same(found, want, rtol=1e-3):
    assert len(found) == len(want)
    for a, b in zip(found, want):
        assert a.dtype == b.dtype
        np.testing.assert_allclose(a, b, rtol, rtol * max(1e-2, np.abs(b).max(initial=0)))


@pytest.mark.filterwarnings("ignore:.*computed on the host")
@pytest.mark.usefixtures("alone")
@pytest.mark.parametrize("name", LAYERS)
def test_layers(name):
    make, x = LAYERS[name]
    assert_same(trained(make, x, GPU), trained(make, x, CPU))


@pytest.mark.usefixtures("alone")
@pytest.mark.parametrize("kind", ["RNN", "LSTM", "GRU"])
@pytest.mark.parametrize("last", [False, True], ids=["all steps", "last states"])
def test_states_of_recurrent_layers(kind, last):
    found = []
    for ctx in (GPU, CPU):
        with ctx:
            gluon.random.seed(1)
            net = getattr(rnn, kind)(6)
            net.initialize(ctx=ctx)
            x, states = nd.array(STEPS), net.begin_state(2, ctx=ctx)
            for one in (x, *states):
                one.attach_grad()
            with autograd.record():
                y, ends = net(x, states)
                total = sum(((end**2).sum() for end in ends), nd.zeros(1))
                total = total if last else (y**2).sum()
            total.backward()
            arrays = [x.grad, *[one.grad for one in states]]
            arrays += [p.grad(ctx) for p in net.collect_params().values()]
            found.append([one.asnumpy() for one in arrays])
    assert_same(*found)


def network():
    net = nn.Sequential()
    net.add(nn.Dense(4, activation="tanh"), nn.Dense(2))
    return net


#: Those that need more than the name, or that the host alone computes.
OPTIMIZERS = sorted({"sgd", "nag", *Optimizer.opt_registry} - {"test", "ccsgd", "groupadagrad"})


@pytest.mark.usefixtures("alone")
@pytest.mark.parametrize("name", OPTIMIZERS)
def test_optimizers(name):
    found, want = (trained(network, ROWS, ctx, name, steps=3) for ctx in (GPU, CPU))
    assert_same(found, want)


@pytest.mark.parametrize(
    "name", "sgd nag signum adam adamw adamax rmsprop adagrad adadelta ftrl lamb".split()
)
def test_settings_of_optimizers(name):
    settings = {"wd": 0.1, "clip_gradient": 0.01, "learning_rate": 0.1}
    found, want = (trained(network, ROWS, ctx, name, settings) for ctx in (GPU, CPU))
    assert_same(found, want)


LOSSES = (
    "L1Loss L2Loss HuberLoss SoftmaxCrossEntropyLoss SigmoidBinaryCrossEntropyLoss KLDivLoss"
    " HingeLoss SquaredHingeLoss LogisticLoss PoissonNLLLoss"
).split()


@pytest.mark.filterwarnings("ignore:KLDivLoss")  # drawn values are no logarithms
@pytest.mark.usefixtures("alone")
@pytest.mark.parametrize("name", LOSSES)
def test_losses(name):
    found = []
    for ctx in (GPU, CPU):
        with ctx:
            x = nd.array(ROWS)
            x.attach_grad()
            label = nd.array([0, 1, 2, 0, 1, 2]) if "Softmax" in name else nd.abs(x.copy()) / 9
            with autograd.record():
                y = getattr(loss, name)()(x, label)
            y.backward()
            found.append([y.asnumpy(), x.grad.asnumpy()])
    assert_same(*found)


@pytest.mark.filterwarnings("ignore:.* is computed on the host")
def test_ctc_loss():
    found = []
    for ctx in (GPU, CPU):
        with ctx:
            x = nd.array(STEPS)
            x.attach_grad()
            with autograd.record():
                y = loss.CTCLoss(layout="TNC")(x, nd.array([[1, 2], [2, 1]]))
            y.backward()
            found.append([y.asnumpy(), x.grad.asnumpy()])
    assert_same(*found)


@pytest.mark.parametrize("kvstore", ["device", "local"])
def test_several_devices_keep_equal_weights(kvstore):
    contexts = [gluon.gpu(0), gluon.gpu(1)]
    net = nn.Dense(2)
    net.initialize(ctx=contexts)
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"momentum": 0.9}, kvstore=kvstore)
    for _ in range(2):
        parts = gluon.utils.split_and_load(nd.array(ROWS, ctx=CPU), contexts)
        with autograd.record():
            losses = [(net(x) ** 2).sum() for x in parts]
        autograd.backward(losses)
        trainer.step(6)
    one, two = (net.weight.data(ctx) for ctx in contexts)
    assert (one.context, two.context) == tuple(contexts)
    np.testing.assert_array_equal(one.asnumpy(), two.asnumpy())


def test_files(tmp_path, device):
    net, trainer = network(), None
    net.initialize(ctx=device)
    trainer = gluon.Trainer(net.collect_params(), "adam")
    x = nd.array(ROWS)
    with autograd.record():
        total = net(x).sum()
    total.backward()
    trainer.step(1)
    net.save_parameters(str(tmp_path / "net"))
    trainer.save_states(str(tmp_path / "states"))
    trainer.load_states(str(tmp_path / "states"))
    for ctx in (CPU, gluon.gpu(1)):
        other = network()
        other.load_parameters(str(tmp_path / "net"), ctx=ctx)
        np.testing.assert_allclose(
            other(x.as_in_context(ctx)).asnumpy(), net(x).asnumpy(), 1e-5, 1e-6
        )
    nd.save(str(tmp_path / "x"), {"x": x})
    np.testing.assert_array_equal(nd.load(str(tmp_path / "x"))["x"].asnumpy(), ROWS)
    again = pickle.loads(pickle.dumps(x))
    assert again.context == device
    np.testing.assert_array_equal(again.asnumpy(), ROWS)


@pytest.mark.parametrize("workers", [0, 1])
def test_batches_are_copied_to_a_device(workers):
    for x, y in DataLoader(ArrayDataset(ROWS, np.arange(6)), 2, num_workers=workers):
        assert isinstance(x.as_in_context(GPU).raw, Buffer)
        assert y.as_in_context(GPU).context == GPU


def test_batches_without_workers_are_on_the_default_device(device):
    for data in (ROWS, nd.array(ROWS)):
        for x, y in DataLoader(ArrayDataset(data, np.arange(len(ROWS))), 2):
            assert x.context == y.context == device


def test_functions_of_users(device):
    class Sigmoid(autograd.Function):
        def forward(self, x):
            y = 1 / (1 + nd.exp(-x))
            self.save_for_backward(y)
            return y

        def backward(self, g):
            (y,) = self.saved_tensors
            return g * y * (1 - y)

    x = nd.array(ROWS)
    x.attach_grad()
    with autograd.record():
        y = Sigmoid()(x)
        (g,) = autograd.grad(y, [x], create_graph=True)
    g.backward()
    s = 1 / (1 + np.exp(-ROWS))
    np.testing.assert_allclose(x.grad.asnumpy(), s * (1 - s) * (1 - 2 * s), 1e-4, 1e-5)


def test_managers_and_transformations(device):
    w = nd.array([1.0, 2.0])
    with GradManager().attach([w]) as manager:
        manager.backward((w**3).sum())
    assert w.grad.asnumpy().tolist() == [3, 12]
    assert func.grad(lambda x: (x**3).sum())(w).asnumpy().tolist() == [3, 12]
    assert func.jacfwd(lambda x: x**3)(w).asnumpy().tolist() == [[3, 0], [0, 12]]
    assert func.hessian(lambda x: (x**3).sum())(w)[0].asnumpy().tolist() == [[6, 0], [0, 12]]
    assert func.jvp(nd.square, (w,), (nd.ones(2),))[1].asnumpy().tolist() == [2, 4]
    each = func.vmap(lambda x: x * x)(nd.array(ROWS))
    np.testing.assert_allclose(each.asnumpy(), ROWS * ROWS, 1e-6)


def test_examples_with_norms_of_their_own(device):
    x, gamma = nd.array(STEPS), nd.array(STEPS[:, 0])
    found = func.vmap(nd.LayerNorm)(x, gamma, gamma)
    assert found.context == device
    for k in range(len(STEPS)):
        want = nd.LayerNorm(x[k], gamma[k], gamma[k])
        np.testing.assert_allclose(found[k].asnumpy(), want.asnumpy(), 1e-4, 1e-5)


def test_examples_beside_what_all_share(device):
    shared = nd.array([1.0, 2.0, 3.0])
    for function in (lambda x: shared * x, lambda x: x * shared, lambda x: nd.dot(shared, x)):
        found = func.vmap(function)(nd.array(ROWS))
        want = [function(nd.array(row)).asnumpy() for row in ROWS]
        np.testing.assert_allclose(found.asnumpy(), np.reshape(want, found.shape), 1e-5)


ROWS_OF = {
    "lookup": lambda w, csr: nd.Embedding(nd.array([3, 1, 3]), w, 5, 3, sparse_grad=True) * 0,
    "csr_dot": lambda w, csr: nd.sparse.dot(csr, w) * 0,
}


@pytest.mark.filterwarnings("ignore:.* is computed on the host")
@pytest.mark.parametrize("name", ROWS_OF)
def test_sparse_gradients_have_the_rows_that_occur_even_if_they_are_zero(name, played):
    rows = {}
    for ctx in CPU, GPU:
        with ctx:
            weight = gluon.Parameter("w", shape=(5, 3), stype="row_sparse", grad_stype="row_sparse")
            weight.initialize("ones", ctx=ctx)
            csr = nd.sparse.csr_matrix(([2.0, 5.0], [1, 3], [0, 1, 2]), shape=(2, 5))
            with autograd.record():
                y = ROWS_OF[name](weight.row_sparse_data(nd.array([1, 3])), csr)
            y.backward()
            rows[ctx] = weight.grad().indices.asnumpy().tolist()
    assert rows[GPU] == rows[CPU] == [1, 3]


@pytest.mark.filterwarnings("ignore:.* is computed on the host")
def test_sparse_gradients(device):
    layer = nn.Embedding(5, 3, sparse_grad=True)
    layer.initialize()
    with autograd.record():
        total = layer(nd.array([0, 1, 1])).sum()
    total.backward()
    assert layer.weight.grad().stype == "row_sparse"
    assert layer.weight.grad().asnumpy()[:, 0].tolist() == [1, 2, 0, 0, 0]


def test_checkpoints(device):
    net = network()
    net.initialize(ctx=device)
    x = nd.array(ROWS)
    x.attach_grad()
    grads = []
    for call in (net, lambda x: autograd.checkpoint(net, x)):
        with autograd.record():
            y = (call(x) ** 2).sum()
        y.backward()
        grads.append(x.grad.asnumpy())
    np.testing.assert_allclose(*grads, 1e-6)


def test_compiled_blocks_and_steps_run_as_written(device):
    net = nn.HybridSequential()
    net.add(nn.Dense(3, activation="relu"), nn.Dense(1))
    net.initialize(ctx=device)
    net.hybridize()
    x = nd.array(ROWS)

    @gluon.jit
    def step(x):
        with autograd.record():
            total = (net(x) ** 2).sum()
        total.backward()
        return total

    wants = [float((net(x) ** 2).sum().asscalar()) for _ in range(120)]
    finds = [float(step(x).asscalar()) for _ in range(4)]
    np.testing.assert_allclose(finds, wants[:4], 1e-5)
    assert "an argument on a device" in step.program()


@pytest.mark.parametrize("form", ["jit", "hybridize"])
def test_steps_that_find_their_arrays_see_new_weights(device, form, monkeypatch):
    monkeypatch.setenv("GLUON_PROGRAM", "1")
    found = []
    for compiled in (False, True):
        gluon.random.seed(0)
        net = nn.HybridSequential()
        net.add(nn.Dense(3, activation="tanh"), nn.Dense(1))
        net.initialize(ctx=device)
        trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.1})
        x = nd.array(ROWS)

        def step(net=net, x=x, trainer=trainer):
            with autograd.record():
                total = (net(x) ** 2).sum()
            total.backward()
            trainer.step(6)
            return total

        if compiled and form == "hybridize":
            net.hybridize()
        run = gluon.jit(step) if compiled and form == "jit" else step
        found.append([float(run().asscalar()) for _ in range(6)])
    assert found[0] == found[1]


def test_metrics(device):
    label, pred = nd.array([1, 0]), nd.array([[0.2, 0.8], [0.4, 0.6]])
    for one, want in ((metric.Accuracy(), 0.5), (metric.TopKAccuracy(top_k=2), 1.0)):
        one.update([label], [pred])
        assert one.get()[1] == want


@pytest.mark.filterwarnings("ignore:norm is computed on the host")
def test_arrays_of_the_interface_of_numpy(device):
    x = gnp.array([[1.0, 2.0], [3.0, 4.0]])
    x.attach_grad()
    with autograd.record():
        y = gnp.linalg.norm(x) + x[gnp.array([0, 1], dtype="int64")].mean() + npx.relu(x).sum()
    y.backward()
    want = np.array([[1, 2], [3, 4]]) / np.sqrt(30) + 0.25 + 1
    np.testing.assert_allclose(x.grad.asnumpy(), want, 1e-5)
    assert (repr(x), x.ctx) == ("array([[1., 2.],\n       [3., 4.]])", device)
    assert float(x.std()) == pytest.approx(np.sqrt(1.25))


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_half_precision(device, dtype):
    if dtype == "bfloat16":
        pytest.importorskip("ml_dtypes")
    x = nd.array(ROWS).astype(dtype)
    x.attach_grad()
    with autograd.record():
        y = nd.softmax(nd.FullyConnected(x, x, num_hidden=6, no_bias=True)) ** 2
    y.backward()
    assert x.grad.raw.dtype == x.raw.dtype == y.raw.dtype
    assert np.isfinite(x.grad.astype("float32").asnumpy()).all()


@pytest.mark.parametrize("played", ["torch:cpu"], indirect=True)
def test_dlpack_shares_memory(device):
    torch = pytest.importorskip("torch")
    x = nd.array([1.0, 2.0])
    other = torch.from_dlpack(x)
    other[0] = 5
    assert x.asnumpy().tolist() == [5, 2]
