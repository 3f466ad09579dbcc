"""Arrays stay on the devices that programs name, whichever is the default one."""

from __future__ import annotations

import numpy as np
import pytest

import gluon
from gluon import autograd, cpu, gpu, kvstore, nd, npx, sym, viz
from gluon import np as gnp
from gluon._core.arrays.through_host import through_host
from gluon._core.devices.common import Unimplemented
from gluon._core.kernels.memory import Buffer
from gluon.io import DataBatch
from gluon.module import Module
from gluon.mxnet.attribute import AttrScope
from gluon.onnx.functions.table import made

ROWS = np.random.RandomState(0).normal(size=(4, 3)).astype(np.float32)


@pytest.fixture(autouse=True)
def host():
    """The host as the default device, as on a machine with GPUs."""
    with cpu():
        yield


def perceptron():
    first, second = ({"ctx_group": name} for name in ("first", "second"))
    with AttrScope(**first):
        hidden = sym.FullyConnected(sym.var("x"), num_hidden=3, name="one")
        hidden = sym.broadcast_add(hidden, sym.ones((1, 3)))
    with AttrScope(**second):
        return sym.FullyConnected(sym.tanh(hidden), num_hidden=2, name="two")


def bound(ctx, groups=None, monitor=None):
    """Outputs and gradients of a symbol that is bound with its parameters at 0.1."""
    run = perceptron().simple_bind(ctx, group2ctx=groups, x=(4, 3))
    run.set_monitor_callback(monitor)
    for name, value in run.arg_dict.items():
        value[:] = nd.array(ROWS) if name == "x" else 0.1
    (y,) = run.forward(is_train=True)
    run.backward([nd.ones((4, 2), ctx=y.context)])
    return [y, *run.grad_dict.values()]


GROUPS = {"first": gpu(0), "second": gpu(1)}


@pytest.mark.parametrize("watched", [False, True])
def test_groups_of_symbols_compute_on_their_devices(watched):
    names = []
    monitor = (lambda name, value: names.append(name)) if watched else None
    found = bound(cpu(), GROUPS, monitor)
    assert {one.context for one in found} == {gpu(0), gpu(1)}
    for one, other in zip(found, bound(cpu())):
        np.testing.assert_allclose(one.asnumpy(), other.asnumpy(), 1e-5, 1e-6)
    assert bool(names) is watched


def test_operators_without_inputs_compute_where_the_executor_is():
    assert {one.context for one in bound(gpu(1))} == {gpu(1)}


@pytest.mark.filterwarnings("ignore:.* is computed on the host")
def test_modules_give_parameters_on_the_default_device():
    net = sym.SoftmaxOutput(
        sym.FullyConnected(sym.var("data"), num_hidden=2, name="dense"), name="softmax"
    )
    for contexts in (gpu(1), [gpu(0), gpu(1)]):
        module = Module(net, context=contexts)
        module.bind([("data", (4, 3))], [("softmax_label", (4,))])
        module.init_params(gluon.init.One())
        module.init_optimizer("device", optimizer_params={"learning_rate": 0.5})
        module.forward_backward(DataBatch([nd.array(ROWS)], [nd.array([0, 1, 1, 0])]))
        module.update()
        (found, *_) = module.get_params()
        assert {one.context for one in found.values()} == {cpu()}
        assert (found["dense_weight"].asnumpy() != 1).any()
        module.forward(DataBatch([nd.array(ROWS)]), is_train=True)
        module.backward([nd.ones((4, 2))])  # from the host


def add_twice(key, given, stored):
    stored += given * 2


def test_stores_keep_what_devices_push_on_the_first_of_them():
    store = kvstore.create("device")
    store.init(["w"], [nd.ones(3)])
    store.set_updater(add_twice)
    out = nd.zeros(3, ctx=gpu(1))
    for _ in range(2):
        store.push("w", [nd.ones(3, ctx=ctx) for ctx in (gpu(0), gpu(1))])
        store.pull("w", out)
    assert out.asnumpy().tolist() == [9, 9, 9]
    assert out.context == gpu(1)


@pytest.mark.parametrize("ctx", [cpu(), gpu(1)])
def test_indices_are_where_their_source_is(ctx):
    x = gnp.array(ROWS, ctx=ctx)
    rows, columns = gnp.unravel_index(gnp.argmax(x), x.shape)
    assert (rows.item(), columns.item()) == np.unravel_index(ROWS.argmax(), ROWS.shape)
    flat = gnp.ravel_multi_index((rows, columns), x.shape)
    assert flat.item() == ROWS.argmax()
    lower, upper = gnp.tril_indices_from(x), gnp.triu_indices_from(x, 1)
    assert x[lower].asnumpy().tolist() == ROWS[np.tril_indices_from(ROWS)].tolist()
    for one in (rows, columns, flat, *lower, *upper, *gnp.ix_(x[0] > 0)):
        assert one.context == ctx
        assert isinstance(one.raw, Buffer) is (ctx != cpu())


class Tripled(autograd.Function):
    def forward(self, x):
        return x * 2

    def backward(self, g):
        return g * 3


def test_gradients_are_checked():
    x = nd.array([1.0, 2.0], dtype="float64", ctx=gpu(1))
    assert autograd.gradcheck(lambda x: nd.tanh(x) * x, x)
    with pytest.raises(gluon.errors.GradcheckError, match="element"):
        autograd.gradcheck(Tripled(), x)


def test_constants_of_onnx_functions_are_on_the_default_device():
    with gpu(1):
        assert made(nd.ones(2).raw).context == gpu(1)
        assert made([1, 2]).context == gpu(1)
    assert made(nd.ones(2, ctx=gpu(1)).raw).context == cpu()


def test_shuffling_keeps_each_value_in_the_order_of_the_host():
    found = []
    for ctx in (gpu(1), cpu()):
        gluon.random.seed(3)
        with ctx:
            found.append(nd.random.shuffle(nd.arange(50)))
    assert [one.context for one in found] == [gpu(1), cpu()]
    assert found[0].asnumpy().tolist() == found[1].asnumpy().tolist()
    assert sorted(found[0].asnumpy()) == list(range(50))


@pytest.mark.filterwarnings("ignore:.* is computed on the host")
@pytest.mark.parametrize("name", ["sgd", "adam", "ftrl"])
def test_steps_of_rows_of_a_sparse_gradient(name):
    found = []
    for ctx in (gpu(1), cpu()):
        net = gluon.nn.Embedding(6, 3, sparse_grad=True)
        net.initialize(gluon.init.Constant(0.5), ctx=ctx)
        trainer = gluon.Trainer(net.collect_params(), name, {"learning_rate": 0.5})
        for rows in ([1, 4, 1], [0, 1]):
            with autograd.record():
                loss = (net(nd.array(rows, ctx=ctx)) ** 2).sum()
            loss.backward()
            trainer.step(1)
        assert net.weight.data(ctx).context == ctx
        found.append(net.weight.data(ctx).asnumpy())
    np.testing.assert_allclose(*found, 1e-5, 1e-6)


def test_functions_of_np_that_make_or_draw_use_the_default_device(recwarn):
    with gpu(1):
        found = [
            gnp.random.randint(5, size=3),
            gnp.random.multinomial(3, [0, 1]),
            gnp.random.permutation(4),
            *gnp.tril_indices(3),
            *gnp.triu_indices(3),
            *gnp.diag_indices(3),
            *gnp.mask_indices(3, gnp.triu),
        ]
    assert {one.context for one in found} == {gpu(1)}
    assert all(isinstance(one.raw, Buffer) for one in found)
    assert not recwarn.list


@pytest.mark.parametrize(
    "name", "nansum nanprod nanmean nanvar nanstd nancumsum nancumprod".split()
)
def test_values_that_are_not_nan(name):
    rows = np.where(ROWS > 1, np.nan, ROWS)
    found = getattr(gnp, name)(gnp.array(rows, ctx=gpu(1)), axis=0)
    assert found.context == gpu(1)
    np.testing.assert_allclose(found.asnumpy(), getattr(np, name)(rows, axis=0), 1e-4, 1e-5)


def test_values_are_put_and_parted_on_a_device():
    x = gnp.array([3.0, 1, 2], ctx=gpu(1))
    gnp.put(x, [0, 2], [1, 5])
    assert x.asnumpy().tolist() == [1, 1, 5]
    assert gnp.partition(x, 2)[2].item() == 5


@pytest.mark.filterwarnings("ignore:polydiv is computed on the host")
def test_functions_of_numbers_give_arrays_on_the_current_device():
    with gpu(1):
        quotient, rest = gnp.polydiv([1, 0, -1], [1, 1])
    assert quotient.context == rest.context == gpu(1)
    assert quotient.asnumpy().tolist() == [1, -1]


@pytest.mark.filterwarnings("ignore:nan_to_num is computed on the host")
@pytest.mark.parametrize("nan", [5, np.float32(5), np.array(5), np.array([5, 6, 7])])
def test_nan_becomes_a_number_or_a_value_of_an_array(nan):
    x = gnp.array([1, np.nan, 2], ctx=gpu(1))
    found = gnp.nan_to_num(x, nan=nan)
    assert found.context == gpu(1)
    assert found.asnumpy().tolist() == [1, 6 if np.ndim(nan) else 5, 2]


@pytest.mark.parametrize("where", [cpu(), gpu(0), gpu(1)])
def test_lists_with_recorded_arrays_become_arrays_on_the_current_device(where):
    x = gnp.array([1, 2, 3], ctx=gpu(1))
    x.attach_grad()
    with autograd.record(), where:
        y = gnp.array([[x[0], 4.0], [5.0, x[2]]])
        loss = (y * y).sum()
    loss.backward()
    assert (y.context, x.grad.context) == (where, gpu(1))
    assert y.asnumpy().tolist() == [[1, 4], [5, 3]]
    assert x.grad.asnumpy().tolist() == [2, 0, 6]


def test_borders_take_a_value_from_an_array_on_a_device():
    x, value = gnp.ones(2, ctx=gpu(1)), gnp.array(3.0, ctx=gpu(1))
    value.attach_grad()
    with autograd.record():
        y = gnp.pad(x, 1, constant_values=value)
    y.backward()
    assert (y.asnumpy().tolist(), value.grad.item()) == ([3, 1, 1, 3], 2)


def test_one_number_on_a_device_has_a_last_axis_for_reductions():
    x = gnp.array(3.0, ctx=gpu(1))
    assert npx.softmax(x).item() == 1
    assert x.T.shape == ()


def test_booleans_on_devices_are_looked_for():
    x = gnp.array([True, False], dtype=bool, ctx=gpu(1))
    assert gnp.isin(x, gnp.array([True], dtype=bool, ctx=gpu(1))).asnumpy().tolist() == [1, 0]
    assert gnp.isin(x, gnp.array([0.5, 0], ctx=gpu(1))).asnumpy().tolist() == [0, 1]


def test_arrays_on_devices_are_saved_as_those_of_numpy(tmp_path):
    npx.savez(str(tmp_path / "x.npz"), gnp.ones(2, ctx=gpu(1)))
    assert np.load(tmp_path / "x.npz")["arr_0"].tolist() == [1, 1]


def test_messages_show_numbers_on_devices():
    with gpu(1), pytest.raises(gluon.GluonError, match=r"add up to 1, not to 0\.6"):
        gnp.random.choice(2, p=[0.5, 0.1])
    assert f"{gnp.array(0.25, ctx=gpu(1)).raw:.1f}" == "0.2"


@pytest.mark.filterwarnings("ignore:fill is computed on the host")
def test_no_function_writes_to_a_copy_on_the_host():
    x = gnp.zeros(3, ctx=gpu(1))
    with pytest.raises(gluon.GluonError, match="fill: why, where it would write"):
        through_host("fill", lambda x: x.fill(1), (x,), {}, Unimplemented("why"))


@pytest.mark.filterwarnings("ignore:.* is computed on the host")
def test_functions_without_a_kernel_for_devices_compute_on_the_host():
    x = gnp.array(ROWS[:3] @ ROWS[:3].T, ctx=gpu(1))
    for function in (gnp.median, gnp.linalg.svdvals, gnp.linalg.matrix_rank, gnp.linalg.eigvalsh):
        found = function(x)
        assert found.context == gpu(1)
        np.testing.assert_allclose(found.asnumpy(), function(x.as_in_ctx(cpu())).asnumpy(), 1e-4)


def test_functions_without_a_kernel_for_devices_can_be_forbidden(monkeypatch):
    monkeypatch.setenv("GLUON_GPU_HOST", "error")
    with pytest.raises(gluon.GluonError, match="GLUON_GPU_HOST=error forbids it"):
        gnp.linalg.matrix_rank(gnp.array(ROWS, ctx=gpu(1)))


def test_the_memory_of_a_graph_is_that_of_its_buffers():
    found = []
    for ctx in (gpu(1), cpu()):
        x = nd.ones((16, 16), ctx=ctx)
        x.attach_grad()
        with autograd.record():
            y = (nd.exp(x) * nd.exp(x).T).sum()
        found.append(str(viz.memory(y)))
    assert found[0] == found[1]
    assert "2.0 KiB kept" in found[0]
