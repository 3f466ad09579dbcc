"""What reads values outside of operators: deliveries of gradients, checks, files, processes."""

from __future__ import annotations

import os
import warnings

import numpy as np
import pytest

import gluon
from gluon import autograd, cpu, distributed, gpu, image, kvstore, loss, nd
from gluon import np as gnp
from gluon._core.errors import AnomalyError
from gluon._core.kernels.memory import Buffer
from tests.distributed.jobs import needs_mpi, passes

HOST, FIRST, SECOND = cpu(), gpu(0), gpu(1)


@pytest.mark.parametrize("shared", [False, True])
@pytest.mark.parametrize("req", ["write", "add"])
@pytest.mark.parametrize(
    ("ctx", "there"), [(FIRST, HOST), (HOST, FIRST), (FIRST, SECOND), (SECOND, SECOND)]
)
def test_gradients_go_to_the_device_of_their_buffer(ctx, there, req, shared):
    x, whole = nd.array([1.0, 2.0], ctx=ctx), nd.ones(4, ctx=there)
    grad = whole[1:3] if shared else nd.ones(2, ctx=there)
    autograd.mark_variables([x], [grad], req)
    with autograd.record():
        y = x * x
    y.backward()
    assert isinstance(grad.raw, Buffer) is (there != HOST)
    assert (grad + nd.ones(2, ctx=there)).context == there
    want = [2 + (req == "add"), 4 + (req == "add")]
    assert grad.asnumpy().tolist() == want
    if shared:
        assert whole.asnumpy().tolist() == [1, *want, 1]


def test_anomalies_are_found(device):
    x = nd.array([0.0, 1.0])
    x.attach_grad()
    with autograd.detect_anomaly(), np.errstate(all="ignore"):
        with autograd.record(), pytest.raises(AnomalyError, match="infinity in 1 of 2 values"):
            nd.log(x)
        with autograd.record():
            y = nd.sqrt(x)
        with pytest.raises(AnomalyError, match="infinity in 1 of 2 values in sqrt"):
            y.backward()


def test_losses_look_at_the_values_of_their_first_call(device):
    made, pred = loss.SigmoidBCELoss(from_sigmoid=True), nd.array([[-1.5]])
    with (
        pytest.warns(UserWarning, match=r"value -1\.5; .*probabilities"),
        np.errstate(all="ignore"),
    ):
        made(pred, nd.array([[1]]))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        made(nd.array([[0.5]]), nd.array([[1]]))


def test_labels_that_count_are_looked_at(device):
    made, pred, label = loss.SoftmaxCrossEntropyLoss(), nd.zeros((2, 3)), nd.array([0, 9])
    made(pred, label, nd.array([[1], [0]]))
    with pytest.raises(gluon.GluonError, match=r"label 9 is out of range .* at position \[1\]"):
        made(pred, label, nd.array([[0], [1]]))
    with pytest.raises(gluon.GluonError, match="broadcast"):
        made(pred, label, nd.zeros((7, 7)))


@pytest.mark.parametrize("ctx", [HOST, FIRST, SECOND])
def test_parameters_take_the_values_of_arrays_on_devices(ctx, device):
    rows = nd.array([[1.0, 2.0, 3.0]])
    net = gluon.nn.Dense(2, in_units=3, weight_initializer=gluon.init.Constant(rows))
    net.initialize(ctx=ctx)
    assert net.weight.data(ctx).asnumpy().tolist() == [[1, 2, 3], [1, 2, 3]]


@pytest.mark.filterwarnings("ignore:.* is computed on the host")
def test_rows_of_parameters_are_asked_for_by_indices_on_devices(device):
    weight = gluon.Parameter("weight", shape=(4, 1), stype="row_sparse")
    weight.initialize(init="ones")
    rows = weight.row_sparse_data(nd.array([3, 1, 3]))
    assert rows.indices.asnumpy().tolist() == [1, 3]


@pytest.mark.filterwarnings("ignore:.* is computed on the host")
def test_counts_and_places_may_be_on_devices(device):
    x, numbers = gnp.array([1.0, 2.0, 3.0]), gnp.array([2, 0, 1], dtype="int64")
    assert gnp.repeat(x, numbers).asnumpy().tolist() == [1, 1, 3]
    assert gnp.delete(x, numbers[:2]).asnumpy().tolist() == [2]
    assert gnp.insert(x, numbers[:1], 9).asnumpy().tolist() == [1, 2, 9, 3]


def test_files_of_pictures_may_be_on_devices(device):
    pytest.importorskip("PIL")
    file = nd.array(np.frombuffer(b"P6 1 1 255 \1\2\3", np.uint8), dtype="uint8")
    assert image.imdecode(file).asnumpy().tolist() == [[[1, 2, 3]]]


@pytest.mark.parametrize("how", [{"type": "2bit", "threshold": 1}, {"type": "fp16"}, None])
def test_stores_of_several_processes_hold_arrays_on_devices(how, device):
    store = kvstore.create("dist_sync")
    if how:
        store.set_gradient_compression(how)
    store.init("w", nd.zeros(3))
    out = nd.zeros(3)
    store.pushpull("w", [nd.ones(3, ctx=gpu(0)), nd.zeros(3, ctx=gpu(0))], out=out)
    assert (out.context, out.asnumpy().tolist()) == (device, [1, 1, 1])


def test_collectives_in_place_and_in_the_background(device):
    x = nd.array([1.0, 2.0])
    assert distributed.broadcast_(x) is x
    assert distributed.allreduce_(x, "mean") is x
    for start in (distributed.iallreduce, distributed.ibroadcast, distributed.iallgather):
        found = start(x).wait()
        assert (found.context, found.asnumpy().tolist()) == (device, [1, 2])
    splits = nd.array([2], dtype="int32")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert distributed.alltoall(x, splits).asnumpy().tolist() == [1, 2]
    assert x.context == device


@needs_mpi
@pytest.mark.slow
@pytest.mark.parametrize("program", ["collectives", "training", "stores"])
def test_processes_exchange_arrays_on_devices(program, played):
    assert os.environ["GLUON_DEVICE"] == played
    passes(program, 2)


@pytest.mark.parametrize("where", [HOST, FIRST])
def test_states_that_were_read_follow_the_weights(where, tmp_path):
    def trainer(contexts):
        net = gluon.nn.Dense(2, in_units=3, weight_initializer="ones")
        net.initialize(ctx=contexts)
        return net, gluon.Trainer(net.collect_params(), "adam", update_on_kvstore=False)

    def step(net, made, contexts):
        for ctx in contexts:
            with autograd.record():
                loss = net(nd.ones((1, 3), ctx=ctx)).sum()
            loss.backward()
        made.step(1)

    net, made = trainer([where])
    step(net, made, [where])
    made.save_states(str(tmp_path / "states"))
    other, again = trainer([FIRST, SECOND])
    again.load_states(str(tmp_path / "states"))
    step(other, again, [FIRST, SECOND])
    for updater in again._updaters:
        mean, _ = updater.states[0]
        assert isinstance(mean.raw, Buffer)
    assert [x.context for x in other.weight.list_data()] == [FIRST, SECOND]


def test_blocks_of_symbols_compute_where_their_inputs_are():
    x = gluon.sym.var("x")
    block = gluon.SymbolBlock(x + gluon.sym.ones((2, 3)), x)
    for ctx in (HOST, FIRST, SECOND):
        assert block(nd.ones((2, 3), ctx=ctx)).context == ctx


@pytest.mark.parametrize("ctx", [HOST, FIRST])
def test_executors_take_gradients_from_other_devices(ctx):
    x = gluon.sym.var("x")
    bound = (x * x).simple_bind(ctx, x=(2,))
    bound.forward(is_train=True, x=nd.array([1.0, 2.0]))
    bound.backward(nd.ones(2, ctx=SECOND))
    grad = bound.grad_dict["x"]
    assert (grad.context, grad.asnumpy().tolist()) == (ctx, [2, 4])


@pytest.mark.parametrize("ctx", [HOST, FIRST, SECOND])
def test_arrays_are_made_of_lists_of_arrays(ctx, device):
    one, two = nd.array([1.0], ctx=ctx), gnp.array(2.0, ctx=ctx)
    assert nd.array([one, one]).asnumpy().tolist() == [[1], [1]]
    assert gnp.array([[two, 3], [4, two]]).asnumpy().tolist() == [[2, 3], [4, 2]]
    assert nd.array([one, one]).context == device


@pytest.mark.filterwarnings("ignore:.* is computed on the host", "ignore:.*dense")
def test_sparse_arrays_of_a_device_are_made_added_and_subtracted(device):
    x = nd.array([[0.0, 1], [2, 0]])
    assert nd.sparse.csr_matrix(x).data.asnumpy().tolist() == [1, 2]
    x -= x.tostype("row_sparse")
    assert isinstance(x.raw, Buffer)
    assert x.asnumpy().tolist() == [[0, 0], [0, 0]]
    weight = nd.ones((3, 1))
    weight.attach_grad("add", stype="row_sparse")
    for _ in range(2):
        with autograd.record():
            y = nd.Embedding(nd.array([0, 2]), weight, 3, 1, sparse_grad=True)
        y.backward()
    assert weight.grad.stype == "row_sparse"
    assert weight.grad.asnumpy().tolist() == [[2], [0], [2]]


@pytest.mark.filterwarnings("ignore:.* is computed on the host", "ignore:.*dense")
@pytest.mark.parametrize("stype", ["csr", "row_sparse"])
@pytest.mark.parametrize("ctx", [FIRST, SECOND])
def test_sparse_arrays_beside_dense_ones(stype, ctx):
    raw = np.array([[1, 0], [2, 0]], np.float32)
    sparse, x = nd.array(raw, ctx=ctx).tostype(stype), nd.ones((2, 2), ctx=ctx)
    x.attach_grad()
    with autograd.record():
        y = (sparse + x) * x + nd.dot(sparse, x) + nd.concat(x, sparse)[:, :2]
    y.backward()
    assert {y.context, x.grad.context} == {ctx}
    assert y.asnumpy().tolist() == [[4, 3], [6, 4]]
    ways = raw.sum(0)[:, None]
    np.testing.assert_allclose(x.grad.asnumpy(), raw + 2 + ways + 1)
    assert (sparse.tostype("default") + x).asnumpy().tolist() == (raw + 1).tolist()


def test_pictures_get_borders_and_colours(device):
    picture = nd.ones((1, 2, 3))
    wide = image.copyMakeBorder(picture, 1, 0, 0, 1, values=7)
    assert (wide.context, wide.shape) == (device, (2, 3, 3))
    plain = image.color_normalize(nd.ones((1, 2, 3), ctx=HOST), nd.array([1.0, 1.0, 1.0]))
    assert (plain.context, plain.asnumpy().any()) == (HOST, False)
