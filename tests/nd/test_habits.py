"""Behaviour that MXNet's scripts rely on although it looks like a mistake, as in MXNet."""

from __future__ import annotations

import warnings

import numpy
import pytest

import gluon
import gluon.mxnet
from gluon import GluonError, autograd, nd, np, npx
from gluon._core.arrays.laxness import TRUSTED
from gluon.contrib import text


def test_slice_like_of_one_axis_by_number():
    like = nd.zeros((1, 7, 2))
    assert nd.slice_like(nd.arange(10), like, axes=0).asnumpy().tolist() == [0]
    assert nd.slice_like(nd.arange(8).reshape((1, 8)), like, axes=(1,)).shape == (1, 7)


def test_saved_tensors_can_be_assigned():
    class Square(autograd.Function):
        def forward(self, x):
            self.saved_tensors = (x,)
            return x * x

        def backward(self, dy):
            (x,) = self.saved_tensors
            return dy * 2 * x

    x = nd.array([1, 2])
    x.attach_grad()
    with autograd.record():
        y = Square()(x)
    y.backward()
    assert x.grad.asnumpy().tolist() == [2, 4]


@pytest.fixture(autouse=True)
def distrusted():
    """Let functions look at their values again, whatever other tests gave them."""
    TRUSTED.clear()


def test_functions_look_until_values_have_been_right():
    nd.sample_multinomial(nd.array([0.5, 0.5]))
    nd.sample_multinomial(nd.array([2, 2]))
    nd.image.to_tensor(nd.full((2, 2, 1), 255))
    nd.image.to_tensor(nd.ones((2, 2, 1)))
    TRUSTED.clear()
    with pytest.warns(UserWarning, match="floats up to 1"):
        nd.image.to_tensor(nd.ones((2, 2, 1)))
    assert not TRUSTED


@pytest.mark.parametrize(
    ("weights", "expected"),
    [
        ([0, 0, 5], {2}),
        ([2, 0, 0], {0}),
        ([-1, -2, -3], {2}),
        ([0, 0, 0], {2}),
        ([0, 0.5, 0], {1, 2}),
    ],
)
def test_multinomial_of_what_does_not_add_up_to_1(weights, expected):
    gluon.random.seed(1)
    with pytest.warns(UserWarning, match="distribution 0 has the sum .* and the least value"):
        drawn = nd.sample_multinomial(nd.array(weights), shape=100).asnumpy()
    assert set(drawn.tolist()) == expected
    logs = nd.log(nd.array([1e-30, 1e-30, 1]))
    with pytest.warns(UserWarning, match="least value -69.08"):
        assert nd.random.multinomial(logs, shape=3).asnumpy().tolist() == [2, 2, 2]


def test_indices_with_fractions():
    with pytest.warns(UserWarning, match="index 1.5 is no whole number"):
        assert nd.arange(4)[nd.array([1, 1.5])].asnumpy().tolist() == [1, 1]


def test_values_are_not_deleted():
    x = nd.arange(4)
    with pytest.raises(GluonError, match="cannot be deleted; take the others"):
        del x[0]


def test_images_with_the_channels_first():
    with pytest.warns(UserWarning, match=r"resize: data of shape .* is read as 8 channels"):
        assert nd.image.resize(nd.ones((3, 8, 8)), 4).shape == (4, 4, 8)
    with pytest.warns(UserWarning, match=r"fixed_crop: data of shape .* is read as 8 channels"):
        gluon.image.center_crop(nd.ones((3, 8, 8)), (2, 2))
    with pytest.warns(UserWarning, match=r"give \(3, 32, 16\)"):
        gluon.image.CreateAugmenter((32, 16, 3))
    with pytest.warns(UserWarning, match="floats up to 1, and are divided by 255"):
        nd.image.to_tensor(nd.ones((2, 2, 3)))


def test_multinomial_keeps_the_frequencies_of_probabilities():
    gluon.random.seed(1)
    drawn = nd.sample_multinomial(nd.array([0.1, 0.2, 0.7]), shape=100_000).asnumpy()
    shares = numpy.bincount(drawn, minlength=3) / len(drawn)
    numpy.testing.assert_allclose(shares, [0.1, 0.2, 0.7], atol=0.01)


@pytest.mark.parametrize(
    "draw",
    [
        lambda low, high: nd.random.uniform(nd.array([low]), nd.array([high]), shape=1000),
        lambda low, high: nd.sample_uniform(nd.array([low]), nd.array([high]), shape=1000),
        lambda low, high: np.random.uniform(low, high, size=1000),
    ],
)
@pytest.mark.parametrize(("low", "high"), [(1, 3), (3, 1)])
def test_uniform_takes_its_bounds_in_any_order(draw, low, high):
    gluon.random.seed(2)
    drawn = draw(low, high).asnumpy()
    assert drawn.min() >= 1
    assert drawn.max() <= 3
    assert low in drawn or (drawn != high).all()
    assert 1.9 < drawn.mean() < 2.1


def test_slice_of_no_axis():
    x = nd.arange(4)
    assert nd.slice(x, begin=[], end=[], step=None).asnumpy().tolist() == [0, 1, 2, 3]


def test_shapes_and_axes_as_arrays_of_numpy_and_ranges():
    assert nd.broadcast_to(nd.ones((1, 2)), shape=numpy.array([3, 2])).shape == (3, 2)
    assert nd.ones((1, 2)).broadcast_to(numpy.array([3, 2])).shape == (3, 2)
    assert nd.moveaxis(nd.ones((2, 3, 4)), range(2), range(1, 3)).shape == (4, 2, 3)
    assert nd.moveaxis(nd.ones((2, 3, 4)), numpy.int64(0), 2).shape == (3, 4, 2)


@pytest.mark.parametrize(
    ("shape", "target", "expected"),
    [
        ((5,), (3, 4, -2), (3, 4, 5)),
        ((2, 5), (3, -2, -2), (3, 2, 5)),
        ((2, 5), (3, -2, 5), (3, 2, 5)),
    ],
)
def test_lengths_to_keep_in_broadcast_to(shape, target, expected):
    assert np.broadcast_to(np.ones(shape), target).shape == expected


def test_infinite_norms_by_name():
    v, m = np.array([3, -4]), np.array([[3, -4], [1, 2]])
    assert float(np.linalg.norm(v, ord="inf")) == 4
    assert float(np.linalg.norm(v, ord="-inf")) == 3
    assert float(np.linalg.norm(m, ord="inf")) == 4
    assert float(np.linalg.norm(m, ord="-inf")) == 1
    assert np.linalg.norm(m, ord="inf", axis=1).tolist() == [4, 2]
    assert float(np.linalg.norm(v, ord="fro")) == 5


@pytest.mark.parametrize("function", [np.linalg.det, lambda x: np.linalg.slogdet(x)[1]])
@pytest.mark.parametrize("shape", [(0, 2, 2), (2, 0, 2, 2), (0, 1, 1)])
def test_determinants_of_no_matrices_have_a_gradient(function, shape):
    x = np.ones(shape)
    x.attach_grad()
    with autograd.record():
        y = function(x)
    y.backward()
    assert x.grad.shape == shape


def test_tensorsolve_of_as_many_axes():
    ones = np.ones((1, 1, 1))
    assert np.linalg.tensorsolve(ones, ones).shape == (1, 1, 1)


def test_multinomial_of_no_outcome():
    assert np.random.multinomial(5, []).shape == (0,)
    assert np.random.multinomial(5, [], size=3).shape == (3, 0)


def test_normal_of_several_numbers_in_half_precision():
    mean, cov = np.zeros(2, dtype="float16"), np.eye(2, dtype="float16")
    drawn = np.random.multivariate_normal(mean, cov, size=3)
    assert (drawn.shape, drawn.dtype) == ((3, 2), numpy.float16)


@pytest.mark.parametrize("made", [np.array, nd.array])
@pytest.mark.parametrize(
    ("value", "dtype", "expected"),
    [(1621, "uint8", 85), (300.7, "int8", 44), (-300.7, "int8", -44), (1e10, "int32", 1410065408)],
)
def test_numbers_wrap_around(made, value, dtype, expected):
    with pytest.warns(UserWarning, match=f"does not fit into {dtype}, .* becomes {expected}"):
        assert made([value], dtype=dtype).asnumpy().tolist() == [expected]


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
@pytest.mark.parametrize("made", [np.array, nd.array])
def test_what_is_no_whole_number_does_not(made, value):
    with pytest.raises(GluonError):
        made([value], dtype="int8")


def test_numpy_asks_whether_all_hold():
    x = nd.array([1, 2])
    assert numpy.all(x == nd.array([1, 2]))
    assert not numpy.all(x == 1)
    assert numpy.any(x == 1)
    assert isinstance(numpy.all(x == 1), nd.NDArray)


def test_pooling_takes_more_lengths_than_axes():
    x = nd.arange(8).reshape((1, 1, 8))
    assert nd.Pooling(x, kernel=(2,), pad=(0, 0, 0)).shape == (1, 1, 7)
    assert nd.Pooling(x, kernel=(2,), pad=(1, 2, 3), stride=(2, 1)).shape == (1, 1, 5)
    with pytest.raises(GluonError):
        nd.Pooling(nd.ones((1, 1, 4, 4)), kernel=(2, 2), pad=(1,))


def test_the_data_folder_follows_the_environment(monkeypatch):
    from gluon.mxnet import base

    monkeypatch.setenv("MXNET_HOME", "/somewhere/else")
    assert base.data_dir() == "/somewhere/else"


@pytest.mark.parametrize("how", ["method", "dot", "matmul"])
def test_a_product_tells_the_shape_of_a_parameter(how):
    class Net(gluon.HybridBlock):
        def __init__(self):
            super().__init__()
            self.w = self.params.get("w", shape=(-1, 3), allow_deferred_init=True)

        def hybrid_forward(self, F, x, w):
            return x.dot(w) if how == "method" else getattr(F.np, how)(x, w)

    with npx.np_shape(), npx.np_array():
        net = Net()
        net.initialize()
        assert net(np.ones((2, 4))).shape == (2, 3)
        assert net.w.shape == (4, 3)


@pytest.mark.parametrize(
    ("call", "given", "expected"),
    [
        (lambda F, x, w: F.np.tensordot(x, w, axes=1), (-1, 3), (4, 3)),
        (lambda F, x, w: F.np.tensordot(x, w, axes=2), (-1, -1, 3), (2, 4, 3)),
        (lambda F, x, w: F.np.tensordot(x, w, axes=([1], [0])), (-1, 3), (4, 3)),
        (lambda F, x, w: F.np.tensordot(x, w, axes=(0, 1)), (5, -1), (5, 2)),
        (lambda F, x, w: F.npx.fully_connected(x, w, num_hidden=3, no_bias=True), (3, -1), (3, 4)),
        (lambda F, x, w: F.npx.relu(w) * 2 + x, (-1, -1), (2, 4)),
    ],
)
def test_functions_of_np_and_npx_tell_the_shape_of_a_parameter(call, given, expected):
    class Net(gluon.HybridBlock):
        def __init__(self):
            super().__init__()
            self.w = self.params.get("w", shape=given, allow_deferred_init=True)

        def hybrid_forward(self, F, x, w):
            return call(F, x, w)

    with npx.np_shape(), npx.np_array():
        net = Net()
        net.initialize()
        net(np.ones((2, 4)))
        assert net.w.shape == expected


def test_what_use_np_decorates_is_initialized_with_it():
    @npx.use_np
    class Net(gluon.HybridBlock):
        def __init__(self):
            super().__init__()
            self.dense = gluon.nn.Dense(2, in_units=3)

        def forward(self, x):
            return self.dense(x)

    net = Net()
    net.initialize()
    assert {type(one.data()) for one in net.collect_params().values()} == {np.ndarray}
    assert type(net(np.ones((1, 3)))) is np.ndarray


def test_sync_batch_norm_gives_the_variance():
    x = nd.array([[1.0], [3.0]])
    ones, zeros = nd.ones((1,)), nd.zeros((1,))
    with autograd.train_mode():
        y, mean, var = nd.contrib.SyncBatchNorm(
            x, ones, zeros, zeros.copy(), ones.copy(), key="a", output_mean_var=True
        )
    assert y.shape == (2, 1)
    assert (mean.asscalar(), round(float(var.asscalar()), 4)) == (2, 1)


def test_tokens_are_split_before_they_are_lowered():
    counted = text.utils.count_tokens_from_str("aAaA b\nB bX", token_delim="A", to_lower=True)
    assert counted == {"a": 2, " b": 1, "b bx": 1}


def test_the_noise_of_sgld_is_that_of_random_normal():
    weight = nd.ones((4,))
    gluon.random.seed(7)
    gluon.optimizer.SGLD(learning_rate=0.1).update(0, weight, nd.zeros((4,)), None)
    gluon.random.seed(7)
    noise = nd.random.normal(0, 0.1**0.5, shape=(4,))
    numpy.testing.assert_allclose(weight.asnumpy(), (1 + noise).asnumpy(), rtol=1e-6)


@pytest.mark.parametrize(
    ("call", "kind"),
    [
        (lambda: np.ones((2, 2), order="F"), NotImplementedError),
        (lambda: np.zeros((2, 2), order="F"), NotImplementedError),
        (lambda: nd.zeros((2, 2), stype="other"), ValueError),
        (lambda: gluon.Parameter("w", stype="other"), AssertionError),
        (lambda: gluon.Parameter("w", grad_req="other"), AssertionError),
        (lambda: gluon.Trainer([1], "sgd"), ValueError),
        (lambda: text.vocab.Vocabulary(unknown_token="a", reserved_tokens=["a"]), AssertionError),
        (lambda: text.embedding.create("glove", pretrained_file_name="x"), KeyError),
        (lambda: text.embedding.CustomEmbedding("/no/such/file"), ValueError),
        (lambda: text.embedding.create("nothing"), AssertionError),
    ],
)
def test_errors_are_of_the_classes_of_mxnet_too(call, kind):
    with pytest.raises(kind) as error:
        call()
    assert isinstance(error.value, GluonError)


def test_setting_the_learning_rate_of_a_schedule_raises_a_warning_of_python():
    optimizer = gluon.optimizer.SGD(lr_scheduler=gluon.lr_scheduler.FactorScheduler(1))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with pytest.raises(UserWarning, match="lr_scheduler"):
            optimizer.set_learning_rate(0.2)


def test_an_update_apart_from_the_key_value_store_is_an_assertion():
    parameter = gluon.Parameter("w", shape=(2,))
    parameter.initialize(ctx=[gluon.cpu(0), gluon.cpu(1)])
    trainer = gluon.Trainer([parameter], "sgd", kvstore="local", update_on_kvstore=True)
    with pytest.raises(AssertionError, match="update_on_kvstore"):
        trainer.update(1)


@pytest.mark.parametrize("kvstore", ["device", "local", None])
@pytest.mark.parametrize("on_kvstore", [None, True, False])
@pytest.mark.parametrize("places", [1, 2])
def test_where_a_trainer_updates(places, on_kvstore, kvstore):
    contexts = [gluon.cpu(k) for k in range(places)]
    net = gluon.nn.Dense(1, in_units=2)
    net.initialize(gluon.init.One(), ctx=contexts)
    options = {"kvstore": kvstore, "update_on_kvstore": on_kvstore}
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.1}, **options)
    with autograd.record():
        heads = [net(nd.ones((1, 2), ctx=ctx)) for ctx in contexts]
    autograd.backward(heads)
    if places == 2 and kvstore and on_kvstore is not False:  # as the oracle
        with pytest.raises(AssertionError, match="update_on_kvstore"):
            trainer.allreduce_grads()
        with pytest.raises(AssertionError, match="update_on_kvstore"):
            trainer.update(1)
        return
    trainer.allreduce_grads()
    trainer.update(1)
    summed = 2 if places == 2 and kvstore else 1
    for weight in net.weight.list_data():
        numpy.testing.assert_allclose(weight.asnumpy(), [[1 - 0.1 * summed] * 2], rtol=1e-6)


def _net(*names):
    class Net(gluon.Block):
        def __init__(self):
            super().__init__()
            for k, name in enumerate(names):
                layer = gluon.nn.Sequential()
                layer.add(gluon.nn.Dense(2, in_units=2), gluon.nn.BatchNorm(in_channels=2))
                setattr(self, name, layer if k else gluon.nn.Dense(2, in_units=2))

    net = Net()
    net.initialize()
    return net


def test_load_takes_a_network_built_alike_by_order(tmp_path):
    saved, loaded = _net("a", "b"), _net("x", "y")
    for k, one in enumerate(saved.collect_params().values()):
        one.set_data(nd.full(one.shape, k))
    saved.save(str(tmp_path / "net"))
    loaded.load(str(tmp_path / "net"))
    values = [one.data().asnumpy().flat[0] for one in loaded.collect_params().values()]
    assert values == list(range(len(values)))
    assert sorted(loaded._collect_params_with_prefix())[0] == "x.bias"


@pytest.mark.parametrize("names", [("x",), ("x", "y", "z")])
def test_load_refuses_a_network_built_otherwise(tmp_path, names):
    _net("a", "b").save(str(tmp_path / "net"))
    with pytest.raises(GluonError, match=r"has (no )?values for"):
        _net(*names).load(str(tmp_path / "net"))


def test_load_goes_by_names_where_they_are_the_same(tmp_path):
    saved, loaded = _net("a", "b"), _net("a", "b")
    loaded._children = dict(reversed(loaded._children.items()))
    saved.a.weight.set_data(nd.full((2, 2), 7))
    saved.save(str(tmp_path / "net"))
    loaded.load(str(tmp_path / "net"))
    assert loaded.a.weight.data().asnumpy().tolist() == [[7, 7], [7, 7]]


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        (lambda x: npx.random.bernoulli(prob=x).sum(), 0),
        (lambda x: npx.random.bernoulli(logit=x, size=(3, 2, 2)).sum(), 0),
        (lambda x: sum(one.sum() for one in np.diag_indices_from(x)), 0),
        (lambda x: (x[np.diag_indices_from(x)] * 3).sum(), [[3, 0], [0, 3]]),
    ],
)
def test_what_has_no_slope_leads_to_zero_gradients(call, expected):
    x, other = np.full((2, 2), 0.5), np.ones(1)
    x.attach_grad()
    other.attach_grad()
    with autograd.record():
        y = call(x) + other.sum()
    y.backward()
    assert x.grad.tolist() == (np.zeros((2, 2)) + np.array(expected)).tolist()
    assert other.grad.tolist() == [1]


@pytest.mark.parametrize(
    ("interpolation", "expected"),
    [("linear", 1.9), ("lower", 1), ("higher", 2), ("midpoint", 1.5), ("nearest", 2)],
)
def test_percentiles_by_interpolation(interpolation, expected):
    found = np.percentile(np.array([1, 2, 3, 5]), 30, interpolation=interpolation)
    assert float(found) == pytest.approx(expected)


def test_loops_and_conditions_have_names():
    one, contrib = nd.ones((1,)), nd.contrib
    assert contrib.cond(one, lambda: one, lambda: -one, name="which").asscalar() == 1
    found, _ = contrib.foreach(lambda x, s: (x + 1, s), nd.ones((2, 1)), one, name="each")
    assert found.asnumpy().tolist() == [[2], [2]]
    _, found = contrib.while_loop(
        lambda x: x < 3, lambda x: (x, x + 1), one, max_iterations=4, name="loop"
    )
    assert found.asscalar() == 3


def test_attached_without_a_gradient():
    for x in (nd.ones((2,)), np.ones(2)):  # as the oracle
        x.attach_grad("null")
        with autograd.record():
            y = (x * 2).sum()
        with pytest.raises(GluonError):
            y.backward()
        assert x.grad is None
    parameter = gluon.Parameter("w", shape=(2,), grad_req="null")
    parameter.initialize()
    assert parameter.data().grad is None


@pytest.mark.parametrize("layer", [gluon.nn.Conv2D, gluon.nn.Conv2DTranspose])
def test_a_convolution_has_groups(layer):
    with pytest.raises(GluonError, match="groups=0 must be at least 1"):
        layer(2, 2, groups=0)
