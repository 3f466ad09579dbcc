"""Compiled kernels as instructions: layers in jitted steps run without Python."""

from __future__ import annotations

import numpy as np
import pytest

import gluon
from gluon import autograd, nd, nn, rnn
from gluon._core.native import loading
from gluon._core.native.random import MORE
from gluon._core.program import compiled, loops

needs_library = pytest.mark.skipif(
    not (loops.READABLE and loading.SHARES_THREADS), reason="needs the compiled library"
)


class Attention(nn.Block):
    """A layer with products of stacks, a softmax and a norm."""

    def __init__(self) -> None:
        super().__init__()
        self.mix, self.norm = nn.Dense(24, flatten=False), nn.LayerNorm()

    def forward(self, x):
        q, k, v = nd.split(self.mix(x), 3, axis=-1)
        scores = nd.softmax(nd.batch_dot(q, k, transpose_b=True))
        return self.norm(x + nd.batch_dot(scores, v))


def sequential(*layers):
    net = nn.Sequential()
    net.add(*layers)
    return net


NETS = {
    "convolutions": (
        lambda: sequential(
            nn.Conv2D(6, 5, activation="relu"), nn.MaxPool2D(2, 2), nn.Conv2D(8, 3), nn.AvgPool2D(2)
        ),
        (4, 3, 20, 20),
    ),
    "winograd": (lambda: sequential(nn.Conv2D(32, 3, padding=1)), (4, 32, 16, 16)),
    "batch norm": (
        lambda: sequential(nn.Conv2D(8, 3, use_bias=False), nn.BatchNorm()),
        (4, 3, 12, 12),
    ),
    "layer norm": (lambda: sequential(nn.LayerNorm()), (4, 8, 20)),
    "other norms": (lambda: sequential(nn.InstanceNorm(), nn.GroupNorm(2)), (4, 4, 8, 20)),
    "attention": (Attention, (6, 10, 8)),
    "lstm": (lambda: rnn.LSTM(12, 2), (5, 4, 8)),
    "gru": (lambda: rnn.GRU(12), (5, 4, 8)),
    "rnn": (lambda: rnn.RNN(12, bidirectional=True), (5, 4, 8)),
    "embedding": (lambda: sequential(nn.Embedding(20, 8), nn.Dense(6, flatten=False)), (7, 9)),
    "classes": (lambda: sequential(nn.Dense(10)), (8, 30)),
    "deconvolutions": (
        lambda: sequential(
            nn.Conv2DTranspose(6, 4, strides=2, padding=1), nn.Conv2DTranspose(3, 3, use_bias=False)
        ),
        (4, 3, 5, 5),
    ),
    "pointwise": (  # the gradient of the first bias is only rounding
        lambda: sequential(nn.Conv2D(8, 1), nn.BatchNorm(), nn.Conv2D(6, 1), nn.Conv2D(4, 1)),
        (4, 3, 12, 12),
    ),
    "one sample": (lambda: sequential(nn.Conv2D(8, 1), nn.Conv2D(6, 1)), (1, 3, 12, 12)),
    "gelu": (lambda: sequential(nn.Dense(8), nn.GELU()), (6, 5)),
    "words": (lambda: sequential(nn.Embedding(20, 8), rnn.LSTM(6, layout="NTC")), (7, 9)),
}


def step_of(name: str, train: bool = True):
    """A step of training of a network, its data and its parameters."""
    make, shape = NETS[name]
    r = np.random.RandomState(0)
    gluon.random.seed(0)
    net = make()
    net.initialize()
    x = r.randint(0, 20, shape) if name in ("embedding", "words") else r.randn(*shape)
    x = nd.array(x.astype("float32"))
    labels = nd.array(r.randint(0, 10, shape[:1]))
    loss_of = gluon.loss.SoftmaxCrossEntropyLoss()
    net(x)
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.1})

    def step(x, labels):
        with autograd.record(train):
            y = net(x)
            loss = loss_of(y, labels) if name == "classes" else (y**3).mean()
        loss.backward()
        trainer.step(1)
        return y

    return step, (x, labels), [p.data() for p in net.collect_params().values()]


def in_python(jitted) -> list[str]:
    """The kernels that the program calls in Python."""
    (variant,) = jitted._compiled.variants.values()
    assert variant.ready, variant.failed
    plan = variant.program.plan
    return [
        f"{node.name} ({node.why})"
        for instruction, group in zip(plan.instructions, plan.groups)
        if instruction is None
        for node in group
    ]


def compare(name: str, train: bool = True, **options):
    step, data, parameters = step_of(name, train)
    other, _, others = step_of(name, train)
    jitted = gluon.jit(other, **options)
    for _ in range(5):
        right, found = step(*data).asnumpy(), jitted(*data).asnumpy()
        np.testing.assert_allclose(found, right, 1e-4, 1e-4 * np.abs(right).max())
        for one, two in zip(others, parameters):
            bound = 1e-4 * np.abs(two.asnumpy()).max() + 1e-6
            np.testing.assert_allclose(one.asnumpy(), two.asnumpy(), 1e-4, bound)
    return jitted


@needs_library
@pytest.mark.parametrize("n", [3000, 3008, 4099])
def test_values_read_and_written_in_one_group_are_loaded(n):
    average = nd.array(np.arange(n))

    def step(x):
        average[:] = average * 0.9
        average[:] = average + nd.sigmoid(x) * 0.1
        return x * 2

    jitted, x = gluon.jit(step), nd.array(np.linspace(-3, 3, n))
    for _ in range(6):
        right = average.asnumpy() * np.float32(0.9) + nd.sigmoid(x).asnumpy() * np.float32(0.1)
        jitted(x)
        np.testing.assert_allclose(average.asnumpy(), right, 1e-6)
    assert not in_python(jitted)


@needs_library
@pytest.mark.parametrize("name", NETS)
def test_layers_run_without_python(name):
    left = {"other norms": {"standardize_grad"}}  # whose sums over a few samples NumPy computes
    found = {one.split()[0] for one in in_python(compare(name))}
    assert found <= left.get(name, set())


@needs_library
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_dropout_draws_the_numbers_of_its_kernel(dtype):
    """Small masks are drawn by the program, large ones by their kernel, from one stream."""

    def step(x, small):
        with autograd.train_mode():
            y = nd.Dropout(nd.Dropout(x * 1.5, p=0.3, axes=(0,)), p=0.1)
            return y, nd.Dropout(small + 1, p=0.6)

    data = nd.ones((300, 301), dtype=dtype), nd.ones((3, 5), dtype=dtype)
    series = []
    for called in (step, jitted := gluon.jit(step)):
        gluon.random.seed(1)
        series.append([one.asnumpy() for _ in range(6) for one in called(*data)])
    large = sum(size >= MORE * loading.LEAST for size in (301, 300 * 301, 15))
    assert [one.split()[0] for one in in_python(jitted)] == ["dropout_mask"] * large
    for right, found in zip(*series):
        np.testing.assert_allclose(found, right, 1e-6)


@needs_library
def test_a_norm_with_given_statistics_runs_without_python():
    assert not in_python(compare("batch norm", train=False))


@pytest.mark.parametrize("name", ["convolutions", "lstm", "layer norm", "classes"])
def test_layers_without_the_library(name, monkeypatch):
    monkeypatch.setattr(loops, "READABLE", False)
    compare(name)


@needs_library
@pytest.mark.parametrize("name", ["convolutions", "lstm", "attention"])
def test_exact_programs_have_the_bits_of_the_kernels(name):
    step, data, parameters = step_of(name)
    other, _, others = step_of(name)
    jitted = gluon.jit(other, exact=True)
    for _ in range(5):
        assert (jitted(*data).asnumpy() == step(*data).asnumpy()).all()
    for one, two in zip(others, parameters):
        assert (one.asnumpy() == two.asnumpy()).all()
    in_python(jitted)


@needs_library
def test_winograd_gives_way_where_the_values_are_too_large():
    step, (x, labels), _ = step_of("winograd")
    other, _, _ = step_of("winograd")
    net = gluon.jit(lambda x: other(x, labels))
    for _ in range(4):
        step(x, labels), net(x)
    (variant,) = net._compiled.variants.values()
    chains = [
        len(node.more["chains"])
        for group in variant.program.plan.groups
        for node in group
        if node.kind == "kernel" and node.name == "convolution"
    ]
    assert chains == [2], "winograd, and plain sums where the range is too large"
    spread = nd.array(np.where(np.arange(16) % 2, 1e30, 1e-30).astype("float32"))
    wide = x * spread.reshape((1, 1, 1, 16))
    np.testing.assert_allclose(net(wide).asnumpy(), step(wide, labels).asnumpy(), 1e-4)


@needs_library
def test_what_python_computes_besides_is_no_instruction(monkeypatch):
    monkeypatch.setattr(compiled, "NAMES", compiled.NAMES | {"sequence_mask"})
    jitted = gluon.jit(lambda x, n: nd.SequenceMask(x, n, use_sequence_length=True) + 0)
    x = nd.array(np.random.RandomState(0).randn(6, 20, 30))
    for lengths in ([3] * 20, [3] * 20, [3] * 20, [5] * 20):
        found = jitted(x, nd.array(lengths))
        assert (found[lengths[0] :] == 0).asnumpy().all()
        assert (found[: lengths[0]] == x[: lengths[0]]).asnumpy().all()
    assert any("sequence_mask" in one for one in in_python(jitted))
