"""Symbols and modules allocate sparse arrays, and compute sparse gradients, as MXNet's."""

from __future__ import annotations

import json
import warnings
from typing import Any

import numpy as np
import pytest

import gluon
from gluon import io, kvstore, module, nd, optimizer, sym
from gluon._core.arrays import storage
from gluon._core.errors import ArgumentError
from recorded.make import HERE
from tests.each import each
from tests.nd.sparse import graphs

REFERENCE = json.loads((HERE / "sparse_graphs.json").read_text())
#: Cases that differ on purpose.
DIFFERS = {
    "add_n(x, w, x); x=csr w=csr": "stored as csr",
    **{f"maximum(x, w); x={one} w={one}": "dense" for one in ("csr", "row_sparse")},
    **{
        f"cast(w, dtype='float64'); x={x} w={w}": "stored like w"
        for x in ("default", "csr", "row_sparse")
        for w in ("csr", "row_sparse")
    },
}


@pytest.fixture
def mx() -> Any:
    import gluon.mxnet

    with gluon.mxnet.installed():
        import mxnet

        yield mxnet


@each("case", [one for one in graphs.CASES if one not in DIFFERS])
def test_as_the_oracle(case: str, mx: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(storage.VARIABLE, "0")
    want = REFERENCE[case]
    if "error" in want:
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of gradients that are dense in both
        got = graphs.outcome(case, mx)
    assert {key: one[0] for key, one in got.items()} == {key: one[0] for key, one in want.items()}
    for key, one in want.items():
        np.testing.assert_allclose(got[key][1:], one[1:], rtol=1e-4, atol=1e-4)


def linear() -> Any:
    x, w = sym.var("data", stype="csr"), sym.var("weight", stype="row_sparse", shape=(6, 1))
    return sym.LinearRegressionOutput(sym.sparse.dot(x, w), sym.var("label"), name="out")


ROWS = [[0, 2, 0, 0, 0, 0], [0, 0, 0, 1, 0, 3]]


def test_storage_types_are_kept_in_files() -> None:
    loaded = sym.load_json(linear().tojson())
    assert loaded.attr_dict()["data"] == {"__storage_type__": "2"}
    assert loaded.attr_dict()["weight"]["__storage_type__"] == "1"
    executor = loaded.simple_bind(gluon.cpu(), data=(2, 6))
    assert [one.stype for one in executor.arg_arrays] == ["csr", "row_sparse", "default"]


def test_gradients_have_the_rows_of_the_batch() -> None:
    executor = linear().simple_bind(gluon.cpu(), {"weight": "add"}, data=(2, 6))
    executor.arg_dict["weight"][:] = nd.ones((6, 1))
    for _ in range(2):
        executor.forward(is_train=True, data=nd.sparse.csr_matrix(ROWS), label=nd.zeros(2))
        executor.backward()
    grad = executor.grad_dict["weight"]
    assert executor.outputs[0].asnumpy().tolist() == [[2], [4]]
    assert grad.indices.asnumpy().tolist() == [1, 3, 5]
    assert grad.data.asnumpy().tolist() == [[8], [8], [24]]


def test_storage_types_of_a_call_replace_those_of_variables() -> None:
    executor = linear().simple_bind(gluon.cpu(), stype_dict={"weight": "default"}, data=(2, 6))
    assert [one.stype for one in executor.arg_arrays] == ["csr", "default", "default"]
    with pytest.raises(
        ArgumentError, match="simple_bind: the storage type 'rows' of weight must be"
    ):
        linear().simple_bind(gluon.cpu(), stype_dict={"weight": "rows"}, data=(2, 6))


def test_sparse_arrays_can_be_bound_and_reshaped() -> None:
    w = nd.sparse.row_sparse_array(([[1], [2]], [1, 3]), shape=(6, 1))
    args = {"data": nd.sparse.csr_matrix(ROWS), "weight": w, "label": nd.zeros((2, 1))}
    grads = {"weight": nd.zeros((6, 1))}
    executor = linear().bind(gluon.cpu(), args, grads)
    executor.forward(is_train=True)
    executor.backward()
    assert executor.outputs[0].asnumpy().tolist() == [[2], [2]]
    assert grads["weight"].asnumpy().ravel().tolist() == [0, 4, 0, 2, 0, 6]
    smaller = executor.reshape(data=(1, 6), label=(1, 1), partial_shaping=True)
    assert smaller.arg_dict["data"].stype == "csr"
    assert smaller.forward(data=nd.sparse.csr_matrix(ROWS[:1]))[0].asnumpy().tolist() == [[2]]


def test_the_rows_of_squares_have_gradients_of_rows() -> None:
    x, w = sym.var("x", stype="csr"), sym.var("w", stype="row_sparse")
    squares = sym.load_json(  # what `sym._internal._square_sum` writes
        sym.sum(w, axis=1, keepdims=True, name="s").tojson().replace('"op": "sum"', OP)
    )
    executor = sym.dot(x, squares).simple_bind(gluon.cpu(), x=(2, 6), w=(6, 2))
    executor.arg_dict["w"][:] = nd.ones((6, 2))
    executor.forward(is_train=True, x=nd.sparse.csr_matrix(ROWS))
    executor.backward(nd.ones((2, 1)))
    assert executor.outputs[0].asnumpy().tolist() == [[4], [8]]
    assert executor.grad_dict["w"].indices.asnumpy().tolist() == [1, 3, 5]
    assert executor.grad_dict["w"].data.asnumpy().tolist() == [[4, 4], [2, 2], [6, 6]]


OP = '"op": "_square_sum"'


@each("dtype", ["float32", "int64"])
def test_retained_rows(dtype: str) -> None:
    x, i = sym.var("x", stype="row_sparse"), sym.var("i")
    rows = sym.load_json(sym.sparse.retain(x, i).tojson())
    assert '"op": "_sparse_retain"' in rows.tojson()
    assert rows.infer_shape_partial(x=(4, 2))[1] == [(4, 2)]
    executor = rows.simple_bind(gluon.cpu(), x=(4, 2), i=(2,), type_dict={"i": dtype})
    executor.arg_dict["x"][:] = nd.arange(8).reshape((4, 2)).tostype("row_sparse")
    (y,) = executor.forward(is_train=True, i=nd.array([3, 1], dtype=dtype))
    assert y.stype == executor.grad_dict["x"].stype == "row_sparse"
    assert y.indices.asnumpy().tolist() == [1, 3]
    executor.backward(nd.array([[1], [2], [3], [4]]).broadcast_to((4, 2)))
    assert executor.grad_dict["x"].indices.asnumpy().tolist() == [1, 3]
    assert executor.grad_dict["x"].data.asnumpy().tolist() == [[2, 2], [4, 4]]


def test_a_step_of_adagrad() -> None:
    w, g, h = (sym.var(name, stype="row_sparse") for name in "wgh")
    step = sym.load_json(sym.sparse.adagrad_update(w, g, h, lr=0.5).tojson())
    assert '"op": "_sparse_adagrad_update"' in step.tojson()
    executor = step.simple_bind(gluon.cpu(), grad_req="null", w=(3, 1))
    executor.arg_dict["w"][:] = nd.ones((3, 1))
    executor.arg_dict["g"][:] = nd.sparse.row_sparse_array(([[2]], [1]), shape=(3, 1))
    (y,) = executor.forward()
    assert y.stype == "row_sparse"
    np.testing.assert_allclose(y.asnumpy().ravel(), [1, 0.5, 1], rtol=1e-6)
    assert executor.arg_dict["h"].asnumpy().ravel().tolist() == [0, 4, 0]


def test_names_with_a_prefix(mx: Any) -> None:
    for name in ("_contrib_round_ste", "_contrib_sign_ste"):
        for stype in ("csr", "row_sparse"):
            x = nd.array([[0.6, 0]]).tostype(stype)
            assert getattr(mx.nd.sparse, name)(x).stype == stype
        assert f'"op": "{name}"' in getattr(mx.sym.sparse, name)(mx.sym.var("x")).tojson()


@pytest.mark.parametrize("pulls", [True, False])
@pytest.mark.parametrize("store", [None, "local"])
def test_modules_train_rows(store: str | None, pulls: bool) -> None:
    batch = io.DataBatch([nd.sparse.csr_matrix(ROWS)], [nd.array([[1], [2]])])
    model = module.Module(linear(), label_names=["label"])
    model.bind([("data", (2, 6))], [("label", (2, 1))])
    model.init_params(arg_params={"weight": nd.sparse.row_sparse_array(nd.ones((6, 1)))})
    made = optimizer.create("sgd", learning_rate=0.1, wd=0.1, rescale_grad=0.5)
    model.init_optimizer(store and kvstore.create(store), made)
    rows = (lambda one: {"weight": one.data[0].indices}) if pulls else None
    for _ in range(2):
        model.prepare(batch, sparse_row_id_fn=rows)
        model.forward_backward(batch)
        model.update()
    held = model._exec_group.param_arrays[0][0]
    if store and pulls:
        assert held.indices.asnumpy().tolist() == [1, 3, 5]
    w = model.get_params()[0]["weight"]
    assert w.stype == "row_sparse"
    expected = np.ones(6)
    for _ in range(2):
        errors = np.array(ROWS) @ expected - [1, 2]
        step = 0.1 * (0.5 * errors @ np.array(ROWS) + 0.1 * expected)
        expected -= step * np.any(ROWS, axis=0)
    np.testing.assert_allclose(w.asnumpy().ravel(), expected, rtol=1e-6)


def test_rows_of_what_is_no_parameter_are_an_error() -> None:
    batch = io.DataBatch([nd.sparse.csr_matrix(ROWS)], [nd.array([[1], [2]])])
    model = module.Module(linear(), label_names=["label"])
    model.bind([("data", (2, 6))], [("label", (2, 1))])
    model.init_params()
    model.init_optimizer(kvstore.create("local"))
    with pytest.raises(ArgumentError, match="gives rows of 'v'; there are the parameters weight"):
        model.prepare(batch, lambda one: {"v": one.data[0].indices})


def test_contexts_share_csr_batches() -> None:
    model = module.Module(linear(), label_names=["label"], context=[gluon.cpu(0), gluon.cpu(1)])
    model.bind([("data", (2, 6))], [("label", (2, 1))])
    model.init_params(arg_params={"weight": nd.sparse.row_sparse_array(nd.ones((6, 1)))})
    model.forward(io.DataBatch([nd.sparse.csr_matrix(ROWS)], [nd.array([[1], [2]])]))
    assert model.get_outputs()[0].asnumpy().tolist() == [[2], [4]]
    assert [one.arg_dict["data"].stype for one in model._exec_group.execs] == ["csr", "csr"]
