"""Gradients that store rows: of embeddings, for optimizers that skip rows, through stores."""

from __future__ import annotations

import numpy as np
import pytest

from gluon import GluonError, Trainer, autograd, contrib, cpu, kvstore, nd, nn, optimizer, utils
from recorded.make import HERE
from tests.each import each
from tests.nd.sparse.training import RUNS, trained

REFERENCE = np.load(HERE / "sparse_training.npz")


@each("run", RUNS)
def test_training_as_the_oracle(run: str) -> None:
    stype, weight = trained(run, Trainer, {"nn": nn, "contrib": contrib}, nd, autograd)
    assert stype == str(REFERENCE[run + ": stype"])
    if "adamax" not in run:  # MXNet's divides by 0 where a gradient is always 0
        np.testing.assert_allclose(weight, REFERENCE[run], rtol=2e-5, atol=1e-6)


def looked_up(ids: list[int], weight: nd.NDArray) -> nd.NDArray:
    return nd.Embedding(nd.array(ids), weight, input_dim=4, output_dim=2, sparse_grad=True)


def weight_of(stype: str = "row_sparse", req: str = "write") -> nd.NDArray:
    weight = nd.array([[0, 1], [2, 3], [4, 5], [6, 7]])
    weight.attach_grad(req, stype)
    return weight


def test_rows_and_dense_parts_add_up_to_all_rows_that_are_needed() -> None:
    weight = weight_of()
    with autograd.record():
        y = looked_up([1, 1, 3], weight).sum() + (weight[2] * 5).sum()
    y.backward()
    assert weight.grad.indices.asnumpy().tolist() == [1, 2, 3]
    assert weight.grad.data.asnumpy().tolist() == [[2, 2], [5, 5], [1, 1]]


def test_gradients_are_added_by_rows() -> None:
    weight = weight_of(req="add")
    for ids in ([0, 1], [1, 3]):
        with autograd.record():
            y = looked_up(ids, weight)
        y.backward()
    assert weight.grad.indices.asnumpy().tolist() == [0, 1, 3]
    assert weight.grad.data.asnumpy().tolist() == [[1, 1], [2, 2], [1, 1]]


def test_a_dense_gradient_of_a_lookup_stays_dense() -> None:
    weight = weight_of("default")
    with autograd.record():
        y = looked_up([1, 1], weight)
    y.backward()
    assert weight.grad.stype == "default"
    assert weight.grad.asnumpy()[1].tolist() == [2, 2]


def test_second_derivatives_of_a_lookup() -> None:
    weight = weight_of()
    with autograd.record():
        y = (looked_up([1, 1, 2], weight) ** 3).sum()
        (first,) = autograd.grad(y, [weight], create_graph=True, retain_graph=True)
        z = (first * first).sum()
    z.backward()
    w = weight.asnumpy()
    count = np.array([[0], [2], [1], [0]])
    np.testing.assert_allclose(first.asnumpy(), count * 3 * w**2)
    np.testing.assert_allclose(weight.grad.asnumpy(), count**2 * 2 * 3 * w**2 * 6 * w)


def test_hooks_and_grad_get_dense_arrays() -> None:
    weight = weight_of()
    seen = []
    weight.register_hook(lambda g: seen.append((g.stype, g.shape)))
    with autograd.record():
        y = looked_up([1], weight)
    y.backward()
    assert seen == [("default", (4, 2))]
    with autograd.record():
        y = looked_up([1], weight)
    assert autograd.grad(y, [weight])[0].stype == "default"


def test_the_norm_of_gradients_is_limited_by_rows() -> None:
    grad = nd.sparse.row_sparse_array(([[3, 4]], [1]), shape=(3, 2))
    assert utils.clip_global_norm([grad], 1) == pytest.approx(5)
    assert grad.stype == "row_sparse"
    np.testing.assert_allclose(grad.asnumpy(), [[0, 0], [0.6, 0.8], [0, 0]], rtol=1e-6)
    utils.clip_by_value([grad], 0.7)
    np.testing.assert_allclose(grad.data.asnumpy(), [[0.6, 0.7]], rtol=1e-6)


def test_batches_of_csr_are_split_into_csr() -> None:
    parts = utils.split_and_load(nd.sparse.csr_matrix(np.eye(4)), [cpu(0), cpu(1)])
    assert [(x.stype, x.context, x.shape) for x in parts] == [
        ("csr", cpu(0), (2, 4)),
        ("csr", cpu(1), (2, 4)),
    ]


@pytest.mark.parametrize("on_store", [True, False])
def test_replicas_take_the_same_lazy_steps(on_store: bool) -> None:
    contexts = [cpu(0), cpu(1)]
    layer, alone = (nn.Embedding(6, 2, sparse_grad=True) for _ in range(2))
    layer.initialize("ones", ctx=contexts)
    alone.initialize("ones")
    settings = {"learning_rate": 0.1, "momentum": 0.9, "wd": 0.1}
    trainer = Trainer(layer.collect_params(), "sgd", settings, update_on_kvstore=on_store)
    single = Trainer(alone.collect_params(), "sgd", settings)
    for ids in ([1, 1, 4, 4], [0, 4, 2, 4], [5, 1, 1, 1]):
        with autograd.record():
            ys = [layer(x) for x in utils.split_and_load(nd.array(ids), contexts)]
            y = alone(nd.array(ids))
        autograd.backward([*ys, y])
        trainer.step(4)
        single.step(4)
    for one in layer.weight.list_data():
        np.testing.assert_allclose(one.asnumpy(), alone.weight.data().asnumpy(), rtol=1e-6)


def test_stores_give_rows() -> None:
    store, out = kvstore.create("local"), nd.zeros((4, 2), stype="row_sparse")
    store.init("w", nd.arange(8).reshape((4, 2)).tostype("row_sparse"))
    store.row_sparse_pull("w", out=out, row_ids=nd.array([3, 1, 3]))
    assert out.indices.asnumpy().tolist() == [1, 3]
    store.pull("w", out=out)
    assert out.indices.asnumpy().tolist() == [1, 3]  # left as it is
    store.pull("w", out=out, ignore_sparse=False)
    assert out.asnumpy().tolist() == [[0, 1], [2, 3], [4, 5], [6, 7]]
    pushed = [nd.sparse.row_sparse_array(([[1, 1]], [k]), shape=(4, 2)) for k in (1, 3)]
    store.push("w", pushed)
    store.pull("w", out=out, ignore_sparse=False)
    assert (out.stype, out.indices.asnumpy().tolist()) == ("row_sparse", [1, 3])


@pytest.mark.parametrize("lazy", [True, False])
def test_updates_by_operator(lazy: bool) -> None:
    weight, mom = nd.ones((3, 1)), nd.ones((3, 1))
    grad = nd.sparse.row_sparse_array(([[1]], [1]), shape=(3, 1))
    nd.sgd_mom_update(weight, grad, mom, lr=1, momentum=0.5, lazy_update=lazy, out=weight)
    assert weight.asnumpy().ravel().tolist() == ([1, 0.5, 1] if lazy else [1.5, 0.5, 1.5])
    stored = nd.ones((3, 1)).tostype("row_sparse")
    nd.sgd_update(stored, grad, lr=0.5, out=stored)
    assert stored.stype == "row_sparse"
    assert stored.asnumpy().ravel().tolist() == [1, 0.5, 1]


def test_sparse_weights_of_an_updater() -> None:
    weight = nd.ones((3, 1)).tostype("row_sparse")
    step = optimizer.get_updater(optimizer.Adam(learning_rate=0.5))
    step(0, nd.sparse.row_sparse_array(([[1]], [1]), shape=(3, 1)), weight)
    np.testing.assert_allclose(weight.asnumpy().ravel(), [1, 0.5, 1], rtol=1e-5)
    step(0, nd.ones((3, 1)), weight)
    assert (weight.asnumpy() < 1).all()


def test_a_gradient_of_integers_is_refused() -> None:
    weight = nd.ones((3, 1))
    grad = nd.sparse.row_sparse_array(([[1]], [1]), shape=(3, 1), dtype="int32")
    with pytest.raises(GluonError, match="sgd_update: grad has dtype int32"):
        nd.sgd_update(weight, grad, lr=1, out=weight)
    assert weight.asnumpy().tolist() == [[1], [1], [1]]


def addresses(x: nd.NDArray) -> set[int]:
    """Where the values of a sparse array lie."""
    return {x.held.data.__array_interface__["data"][0]}


@pytest.mark.parametrize("name", ["sgd", "adam", "ftrl", "adagrad"])
def test_a_step_of_rows_copies_no_table(name: str) -> None:
    weight = nd.ones((50, 4)).tostype("row_sparse")
    grad = nd.sparse.row_sparse_array((nd.ones((1, 4)), [3]), shape=(50, 4))
    step = optimizer.get_updater(optimizer.create(name, learning_rate=0.1))
    step(0, grad, weight)
    before = addresses(weight)
    step(0, grad, weight)
    assert addresses(weight) == before
    kept = weight.copy(), weight.held, weight.data  # others have the values now
    values = weight.asnumpy()
    step(0, grad, weight)
    assert not np.array_equal(weight.asnumpy(), values)
    np.testing.assert_array_equal(kept[1].dense(), values)
    np.testing.assert_array_equal(kept[0].asnumpy(), values)


def test_a_step_that_fails_leaves_the_weight() -> None:
    weight = nd.ones((3, 2)).tostype("row_sparse")
    grad = nd.sparse.row_sparse_array((nd.ones((1, 3)), [1]), shape=(3, 3))
    step = optimizer.get_updater(optimizer.SGD(learning_rate=0.1))
    with pytest.raises(GluonError, match="weight"):
        step(0, grad, weight)
    assert (weight.asnumpy() == 1).all()
    weight.check_format()
