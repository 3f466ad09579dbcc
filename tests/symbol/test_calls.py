"""Calls that make symbols give the names, JSON, attributes and shapes that they give in MXNet."""

from __future__ import annotations

import gzip
import importlib
import json
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import gluon.mxnet
from gluon import GluonError, nd, operator, sym
from gluon._core.arrays import storage
from gluon._core.errors import ArgumentError

from . import calls

DATA = Path(__file__).resolve().parents[2] / "recorded" / "symbol_calls.json.gz"
EXPECTED: dict[str, Any] = json.loads(gzip.decompress(DATA.read_bytes()))


@pytest.fixture
def mx() -> Iterator[Any]:
    with gluon.mxnet.installed(), warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        yield importlib.import_module("mxnet")


def test_calls_are_as_in_mxnet(mx: Any) -> None:
    found = json.loads(json.dumps(dict(calls.described(mx))))
    assert found.keys() == EXPECTED.keys()
    differing = {key: (found[key], EXPECTED[key]) for key in found if found[key] != EXPECTED[key]}
    assert not differing, "\n".join(f"{key}: {one}" for key, one in differing.items())


@pytest.mark.parametrize("call", calls.REFUSED)
def test_what_mxnet_refuses_is_refused(mx: Any, call: str) -> None:
    with pytest.raises(ArgumentError):
        calls.named(mx, call)


def test_internal_operators_compute(mx: Any) -> None:
    x, y = mx.nd.array([[1.0, 2], [3, 4]]), mx.nd.array([[5.0, 6]])
    own = mx.sym._internal
    a, b = mx.sym.var("a"), mx.sym.var("b")
    for symbol, expected in (
        (own._slice_assign(a, b, begin=(0,), end=(1,)), [[5, 6], [3, 4]]),
        (own._slice_assign_scalar(a, scalar=7, begin=(None, 1), end=(None, 2)), [[1, 7], [3, 7]]),
        (own._square_sum(a, axis=1), [5, 25]),
        (own._scatter_plus_scalar(a, scalar=2.0), [[3, 4], [5, 6]]),
        (own._scatter_minus_scalar(a, scalar=1.0), [[0, 1], [2, 3]]),
        (own._scatter_elemwise_div(a, a), [[1, 1], [1, 1]]),
        (own._identity_with_attr_like_rhs(a, a), [[1, 2], [3, 4]]),
    ):
        assert symbol.infer_type(a="float32")[1]
        given = {name: {"a": x, "b": y}[name] for name in symbol.list_arguments()}
        found = symbol.eval(**given)[0]
        assert found.asnumpy().tolist() == expected
        shapes = symbol.infer_shape(**{name: one.shape for name, one in given.items()})
        assert shapes[1] == [found.shape]


def test_gradients_of_assigned_slices() -> None:
    a, b = sym.var("a"), sym.var("b")
    graph = json.loads((a + b).tojson().replace("elemwise_add", "_slice_assign"))
    graph["nodes"][-1]["attrs"] = {"begin": "(1,)", "end": "(3,)"}
    run = sym.load_json(json.dumps(graph)).simple_bind(gluon.cpu(), a=(4,), b=(2,))
    run.forward(is_train=True)
    run.backward(nd.array([1, 2, 3, 4]))
    assert [one.asnumpy().tolist() for one in run.grad_arrays] == [[1, 0, 0, 4], [2, 3]]


def test_without_the_hook_arguments_that_mxnet_ignores_are_refused_but_read() -> None:
    with pytest.raises(ArgumentError, match=r"log: no argument 'axis'; there are data"):
        sym.log(sym.var("x"), axis=1)
    graph = json.loads(sym.log(sym.var("x")).tojson())
    graph["nodes"][1]["attrs"] = {"axis": "1"}
    loaded = sym.load_json(json.dumps(graph))
    assert loaded.list_attr() == {"axis": "1"}
    assert loaded.eval(x=nd.ones(2))[0].asnumpy().tolist() == [0, 0]


def test_created_arrays_of_unknown_shapes_are_refused() -> None:
    symbol = sym.ones((0, 3)) * 2
    with pytest.raises(GluonError, match="does not follow from the other shapes; give it as shape"):
        symbol.bind(gluon.cpu(), {}).forward()
    both = sym.ones((2, 3)) + sym.transpose(sym.ones((-1, -1)))
    assert both.bind(gluon.cpu(), {}).forward()[0].asnumpy().tolist() == [[2] * 3] * 2


def test_a_custom_operator_gets_plain_numbers() -> None:
    given = []

    class Prop(operator.CustomOpProp):
        def __init__(self, **kwargs: str) -> None:
            super().__init__()
            given.append(kwargs)

        def create_operator(self, ctx: Any, shapes: Any, dtypes: Any) -> Any:
            return operator.CustomOp()

    operator.register("plain_numbers")(Prop)
    kinds = calls.np.array([2, 3])
    sym.Custom(sym.var("x"), op_type="plain_numbers", size=tuple(kinds), names=("a",))
    nd.Custom(nd.ones(2), op_type="plain_numbers", size=tuple(kinds), names=("a",))
    assert all(one == {"size": "(2, 3)", "names": "('a',)"} for one in given)
    assert len(given) >= 2


@pytest.mark.parametrize(
    ("make", "what"),
    [
        (lambda: _trained(sym.Embedding, sparse_grad=True), r"Embedding\(sparse_grad=True\)"),
        (lambda: _trained(sym.contrib.SparseEmbedding), "SparseEmbedding"),
    ],
)
def test_sparse_gradients_that_are_dense_are_said_once(
    monkeypatch: pytest.MonkeyPatch, make: Any, what: str
) -> None:
    monkeypatch.setattr(storage, "_SAID", set())
    with pytest.warns(UserWarning, match=f"{what}.*: the gradient is dense"):
        make()
    make()  # warnings are errors here: there is no second one


def _trained(embedding: Any, **options: Any) -> None:
    symbol = embedding(sym.var("x"), sym.var("w"), input_dim=4, output_dim=2, **options)
    args, grads = {"x": nd.ones(3), "w": nd.ones((4, 2))}, {"w": nd.zeros((4, 2))}
    symbol.bind(gluon.cpu(), args, grads).forward(is_train=True)
