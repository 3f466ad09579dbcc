"""Every layer: name, description, output, gradients and statistics as in MXNet."""

from __future__ import annotations

import numpy as np
import pytest

import gluon
from gluon import GluonError, autograd, nd, nn
from tests.compared import assert_equal
from tests.nn.replay import assert_as_the_oracle, named, replay

#: Layers whose gradient MXNet has wrong: SELU's is off where x < 0.
WRONG_GRADIENT = ["layer nn.SELU() (2, 3)"]


@pytest.mark.parametrize("name", [one for one in named("layer") if one not in WRONG_GRADIENT])
def test_layer(name, monkeypatch):
    assert_as_the_oracle(name, monkeypatch)


@pytest.mark.parametrize("name", WRONG_GRADIENT)
def test_layer_without_its_gradient(name, monkeypatch):
    want, texts, (y, _, again) = replay(name, monkeypatch)
    assert_equal(texts, want["texts"], "texts")
    np.testing.assert_allclose(y, want["outputs"][0], rtol=1e-5)
    np.testing.assert_allclose(again, want["outputs"][-1], rtol=1e-5)


def test_embedding(monkeypatch):
    assert_as_the_oracle("embedding", monkeypatch)


# ------------------------------------------------------------------------------- containers


def test_sequential_is_a_sequence():
    net = nn.HybridSequential(prefix="net_")
    net.add(nn.Dense(1), nn.Dense(2), nn.Dense(3))
    assert len(net) == 3
    assert [layer._units for layer in net] == [1, 2, 3]
    assert isinstance(net[1:], nn.HybridSequential)
    assert net[1:][0] is net[1]
    assert net[-1] is net[2]
    with pytest.raises(IndexError):
        net[3]


def test_sequential_refuses_what_is_no_block():
    with pytest.raises(TypeError, match=r"'net'.*add\(\) takes blocks, not function"):
        nn.Sequential(prefix="net_").add(nd.relu)


def test_hybrid_sequential_refuses_plain_blocks():
    with pytest.raises(ValueError, match=r"Lambda\(relu\) is a Lambda; put it into"):
        nn.HybridSequential().add(nn.Lambda("relu"))


# ---------------------------------------------------------------------------------- layers


def test_dropout_follows_the_mode():
    gluon.random.seed(0)
    layer, x = nn.Dropout(0.4), nd.ones((1000,))
    assert (layer(x) == x).min().asscalar() == 1
    with autograd.record():
        dropped = layer(x)
    with autograd.record(train_mode=False):
        kept = layer(x)
    assert 0.3 < (dropped == 0).mean().asscalar() < 0.5
    assert dropped.max().asscalar() == pytest.approx(1 / 0.6)
    assert (kept == x).min().asscalar() == 1


def test_dropout_shares_along_axes():
    with autograd.train_mode():
        y = nn.Dropout(0.5, axes=(1,))(nd.ones((50, 6))).asnumpy()
    assert (y == y[:, :1]).all()
    assert 0 < y[:, 0].mean() < 2


def test_batch_norm_updates_its_statistics_unrecorded():
    layer = nn.BatchNorm(in_channels=2, momentum=0.5)
    layer.initialize()
    x = nd.array([[1, 2], [3, 6]])
    mean = layer.running_mean.data()
    with autograd.record():
        y = layer(x)
    assert mean.asnumpy().tolist() == [1, 2]
    assert layer.running_var.data().asnumpy().tolist() == [1, 2.5]
    y.backward()
    with pytest.raises(GluonError):
        mean.backward()
    for quiet in (autograd.record(train_mode=False), autograd.pause()):
        with quiet:
            layer(x)
    assert mean.asnumpy().tolist() == [1, 2]
    assert layer.running_mean.data() is mean


def test_batch_norm_stays_in_float32():
    layer = nn.BatchNorm(in_channels=2)
    layer.initialize()
    layer.cast("float16")
    assert {one.data().dtype for one in layer.collect_params().values()} == {np.float32}
    layer.cast("float64")
    assert layer.gamma.data().dtype == np.float64


@pytest.mark.parametrize("function", ["relu", nd.relu])
def test_lambdas(function):
    x = nd.array([-1, 2])
    assert nn.Lambda(function)(x).asnumpy().tolist() == [0, 2]
    assert repr(nn.Lambda(function)) == "Lambda(relu)"
    assert nn.HybridLambda("broadcast_add")(x, x).asnumpy().tolist() == [-2, 4]


@pytest.mark.parametrize("kind", [nn.Lambda, nn.HybridLambda])
def test_lambdas_refuse_what_is_no_function(kind):
    with pytest.raises(ValueError, match=r"gluon\.nd has no function 'rleu'"):
        kind("rleu")
    with pytest.raises(ValueError, match="takes a function or the name of one"):
        kind(3)


# -------------------------------------------------------------------------------- convolutions


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_channels_last_computes_the_same(dtype):
    first, last = nn.Conv2D(4, 3, padding=1), nn.Conv2D(4, 3, padding=1, layout="NHWC")
    x = nd.random.normal(shape=(2, 3, 5, 6)).astype(dtype)
    for net in (first, last):
        net.initialize()
        net.cast(dtype)
    want = first(x)
    last(x.transpose((0, 2, 3, 1)))
    last.weight.set_data(first.weight.data().transpose((0, 2, 3, 1)))
    last.bias.set_data(first.bias.data())
    got = last(x.transpose((0, 2, 3, 1))).transpose((0, 3, 1, 2))
    assert last.weight.shape == (4, 3, 3, 3)
    np.testing.assert_allclose(got.asnumpy(), want.asnumpy(), rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize(
    ("kind", "layout", "shape"),
    [
        ("Conv1DTranspose", "NWC", (2, 4, 6)),
        ("Conv2DTranspose", "NHWC", (2, 4, 5, 6)),
        ("Conv3DTranspose", "NDHWC", (2, 4, 2, 3, 4)),
        ("Conv1D", "NWC", (2, 4, 6)),
        ("Conv3D", "NDHWC", (2, 4, 2, 3, 4)),
    ],
)
def test_every_convolution_takes_channels_last(kind, layout, shape):
    def to_last(array):
        return array.transpose((0, *range(2, len(shape)), 1))

    settings = {"padding": 1, "groups": 2, "activation": "relu"}
    first = getattr(nn, kind)(6, 3, **settings)
    last = getattr(nn, kind)(6, 3, layout=layout, **settings)
    x = nd.random.normal(shape=shape)
    for net, data in ((first, x), (last, to_last(x))):
        net.initialize()
        net(data)
    last.weight.set_data(to_last(first.weight.data()))
    got, want = last(to_last(x)), to_last(first(x))
    np.testing.assert_allclose(got.asnumpy(), want.asnumpy(), rtol=1e-4, atol=1e-6)
    assert repr(last) == repr(first)


@pytest.mark.parametrize("shape", [(4, 2), (4, 2, 3), (4, 2, 3, 1, 2)])
def test_batch_norm_with_relu_takes_any_number_of_axes(shape):
    x = nd.random.normal(shape=shape)
    layer, plain = nn.BatchNormReLU(), nn.BatchNorm()
    layer.initialize()
    plain.initialize()
    with autograd.train_mode():
        assert (layer(x) == nd.relu(plain(x))).asnumpy().all()


def test_sizes_may_be_of_numpy():
    layer = nn.Conv2D(2, np.int64(3), strides=(np.int32(1), 2), in_channels=1)
    assert repr(layer) == "Conv2D(1 -> 2, kernel_size=(3, 3), stride=(1, 2))"
    assert nn.MaxPool2D(np.int64(2))(nd.ones((1, 1, 4, 4))).shape == (1, 1, 2, 2)


@pytest.mark.parametrize("sparse", [True, False])
def test_an_embedding_has_the_gradient_that_is_asked_for(sparse):
    layer = nn.Embedding(3, 2, sparse_grad=sparse)
    layer.initialize()
    with autograd.record():
        y = layer(nd.array([1, 1]))
    y.backward()
    assert layer.weight.grad().stype == ("row_sparse" if sparse else "default")
    assert layer.weight.grad().asnumpy().tolist() == [[0, 0], [2, 2], [0, 0]]


def test_channels_last_is_described_by_its_channels():
    layer = nn.Conv2D(4, 5, layout="NHWC", in_channels=2)
    assert repr(layer) == "Conv2D(2 -> 4, kernel_size=(5, 5), stride=(1, 1))"


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: nn.Conv2D(3, (3, 3, 3)), r"kernel_size is one number or 2 numbers"),
        (lambda: nn.Conv2D(3, 3, strides=0), "Conv2D: strides=0 must be at least 1"),
        (lambda: nn.Conv1D(3, 0), "Conv1D: kernel_size=0 must be at least 1"),
        (lambda: nn.Conv3D(0, 3), "Conv3D: channels=0 must be at least 1"),
        (lambda: nn.Conv2DTranspose(3, 3, dilation=(1, 0)), r"dilation=\(1, 0\) must be at least"),
        (lambda: nn.Conv1D(3, 3, strides=(1, 2)), r"strides is one number or 1 numbers"),
        (lambda: nn.MaxPool2D((2,)), r"pool_size is one number or 2 numbers"),
        (lambda: nn.Conv2D(3, 3, layout="CHW"), r"layout 'CHW' is not one of NCHW, NHWC"),
        (lambda: nn.AvgPool1D(layout="NCHW"), r"layout 'NCHW' is not one of NCW, NWC"),
        (lambda: nn.ReflectionPad2D((1, 2)), r"padding is one number or 8 numbers"),
        (lambda: nn.Conv2DTranspose(3, 3, output_padding=(1,)), r"output_padding is one number or"),
        (lambda: nn.LeakyReLU(-1), r"alpha must be at least 0, got -1"),
    ],
)
def test_wrong_settings(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def test_wrong_inputs_name_the_layer_its_parameters_and_the_shapes():
    layer = nn.Conv2D(3, 3, prefix="first_")
    layer.initialize()
    with pytest.raises(ValueError, match=r"Conv2D 'first'.*\(3, 0, 3, 3\).*\(1, 5, 5\).*4 axes"):
        layer(nd.ones((1, 5, 5)))
    layer(nd.ones((1, 2, 5, 5)))
    with pytest.raises(
        ValueError, match=r"'first': .*\[1, 4, 5, 5\], weight: float32\[3, 2, 3, 3\]"
    ):
        layer(nd.ones((1, 4, 5, 5)))
    with pytest.raises(ValueError, match=r"activation='rleu' is not one of"):
        nn.Activation("rleu")(nd.ones((1,)))


@pytest.mark.parametrize("dtype", ["float32", "float64", "float16"])
def test_running_averages_move_and_leave_what_a_graph_keeps(dtype):
    x = nd.array([[1, 4], [3, 8]])
    mean, var = nd.full((2,), 7, dtype=dtype), nd.full((2,), 3, dtype=dtype)
    factor = nd.ones((2,), dtype=dtype)
    factor.attach_grad()
    view = mean[:1]
    with autograd.record():
        kept = (factor * mean).sum()
        nd.BatchNorm(x, nd.ones((2,)), nd.zeros((2,)), mean, var, momentum=0.75)
    kept.backward()
    assert factor.grad.asnumpy().tolist() == [7, 7]
    assert mean.dtype == var.dtype == np.dtype(dtype)
    assert mean.asnumpy().tolist() == [0.75 * 7 + 0.25 * 2, 0.75 * 7 + 0.25 * 6]
    assert var.asnumpy().tolist() == [0.75 * 3 + 0.25 * 1, 0.75 * 3 + 0.25 * 4]
    assert view.asnumpy().tolist() == mean.asnumpy().tolist()[:1]


def test_running_averages_of_another_length_are_an_error():
    x, ones = nd.ones((2, 3)), nd.ones((3,))
    with autograd.train_mode(), pytest.raises(GluonError, match="shape"):
        nd.BatchNorm(x, ones, ones, nd.ones((2,)), ones)
