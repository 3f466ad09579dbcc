"""Damaged ONNX files give a block that returns arrays, or an error of gluon."""

from __future__ import annotations

import contextlib
import warnings
from functools import cache
from random import Random
from typing import Any

import numpy as np
import pytest

from gluon import GluonError, nd
from gluon import onnx as gluon_onnx
from gluon.nd import NDArray
from tests.each import each

onnx = pytest.importorskip("onnx")
from google.protobuf.message import EncodeError  # noqa: E402
from onnx import TensorProto, helper  # noqa: E402

#: How many damaged files are read.
COUNT = 3000
OPSETS = [helper.make_opsetid("", 17), helper.make_opsetid("ai.onnx.preview.training", 1)]
FLOAT, INT64, BOOL = TensorProto.FLOAT, TensorProto.INT64, TensorProto.BOOL


def _info(name: str, kind: int = FLOAT, shape: Any = (2, 3)) -> Any:
    return helper.make_tensor_value_info(name, kind, shape)


def _model(nodes: Any, initializers: Any = (), outputs: Any = ("y",)) -> Any:
    graph = helper.make_graph(
        nodes, "net", [_info("x")], [_info(y, FLOAT, None) for y in outputs], initializers
    )
    for output in graph.output:
        output.type.tensor_type.shape.SetInParent()
    return helper.make_model(graph, opset_imports=OPSETS, ir_version=8)


def _tensor(name: str, kind: int, shape: Any, values: Any) -> Any:
    return helper.make_tensor(name, kind, shape, values)


def _loop() -> Any:
    body = helper.make_graph(
        [
            helper.make_node("Identity", ["go"], ["going"]),
            helper.make_node("Add", ["v", "v"], ["w"]),
            helper.make_node("Identity", ["w"], ["each"]),
        ],
        "body",
        [_info("i", INT64, []), _info("go", BOOL, []), _info("v")],
        [_info("going", BOOL, []), _info("w"), _info("each")],
    )
    loop = helper.make_node("Loop", ["n", "c", "x"], ["y", "z"], body=body)
    given = [_tensor("n", INT64, [], [3]), _tensor("c", BOOL, [], [True])]
    return _model([loop], given, ("y", "z"))


def _if() -> Any:
    branches = {
        f"{name}_branch": helper.make_graph(
            [helper.make_node(op, ["x"], ["r"])], name, [], [_info("r")]
        )
        for name, op in (("then", "Relu"), ("else", "Neg"))
    }
    node = helper.make_node("If", ["c"], ["y"], **branches)
    return _model([node], [_tensor("c", BOOL, [], [True])])


@cache
def sources() -> list[Any]:
    """Small models: layers, several outputs, shapes, sequences, and graphs inside of others."""
    node = helper.make_node
    weight = _tensor("w", FLOAT, [3, 2], [1.0] * 6)
    shape = _tensor("s", INT64, [2], [3, 2])
    return [
        _model([node("MatMul", ["x", "w"], ["h"]), node("Relu", ["h"], ["y"])], [weight]),
        _model([node("Gemm", ["x", "w"], ["y"], alpha=0.5, transB=0)], [weight]),
        _model([node("Reshape", ["x", "s"], ["y"])], [shape]),
        _model([node("Split", ["x"], ["y", "z"], axis=0)], (), ("y", "z")),
        _model([node("TopK", ["x", "k"], ["y", "i"])], [_tensor("k", INT64, [1], [2])]),
        _model([node("Constant", [], ["c"], value=_tensor("c", FLOAT, [3], [1, 2, 3])),
                node("Add", ["x", "c"], ["y"])]),
        _model([node("SequenceConstruct", ["x", "x"], ["q"]),
                node("ConcatFromSequence", ["q"], ["y"], axis=0)]),
        _model([node("Softmax", ["x"], ["h"], axis=1), node("Dropout", ["h"], ["y"])]),
        _model([node("ReduceSum", ["x", "a"], ["y"])], [_tensor("a", INT64, [1], [1])]),
        _model([node("Optional", ["x"], ["o"]), node("OptionalGetElement", ["o"], ["y"])]),
        _model([node("Adam", ["r", "t", "x", "x", "x", "x"], ["y", "v", "h"],
                     domain="ai.onnx.preview.training")],
               [_tensor("r", FLOAT, [], [0.1]), _tensor("t", INT64, [], [1])], ("y", "v", "h")),
        _loop(),
        _if(),
    ]  # fmt: skip


def _fields(message: Any, found: list[tuple[Any, Any]]) -> list[tuple[Any, Any]]:
    """Append each field that is set, inside of other messages too."""
    for field, value in message.ListFields():
        found.append((message, field))
        if field.message_type is not None:
            for one in value if _repeated(field) else [value]:
                _fields(one, found)
    return found


def _repeated(field: Any) -> bool:
    return bool(field.is_repeated if hasattr(field, "is_repeated") else field.label == 3)


NAMES = ("", "x", "y", "z", "h", "w", "r", "v", "Loop", "If", "Relu", "Split", "axis", "\0", "é")


def damage(random: Random, model: Any) -> None:
    """Change one field of a model."""
    message, field = random.choice(_fields(model, []))
    value = getattr(message, field.name)
    if random.random() < 0.2:
        message.ClearField(field.name)
    elif _repeated(field):
        at = random.randrange(len(value))
        if random.random() < 0.4 or field.message_type is not None:
            del value[at]
        else:
            value[at] = _other(random, value[at])
    elif field.enum_type is not None:
        setattr(message, field.name, random.choice(field.enum_type.values).number)
    elif field.message_type is None:
        setattr(message, field.name, _other(random, value))


def _other(random: Random, value: Any) -> Any:
    """Return another value of the same type."""
    if isinstance(value, str):
        return random.choice(NAMES)
    if isinstance(value, bytes):
        return value[: random.randrange(len(value) + 1)] + random.choice((b"", b"x", b"\xff"))
    if isinstance(value, float):
        return random.choice((0.0, -1.0, float("nan"), float("inf"), 1e30))
    return random.choice((0, 1, 2, 3, 7, 9, 10, 16, 22))


def use(data: bytes) -> None:
    """Import a model and run it."""
    net = gluon_onnx.import_to_gluon(data)
    found = net(nd.ones((2, 3)))
    for one in found if isinstance(found, (list, tuple)) else [found]:
        assert isinstance(one, NDArray), f"a block that returns {found!r}"
        one.asnumpy()


def read_damaged(seed: int) -> None:
    """Damage one of the sources, and use what is read."""
    random = Random(seed)
    model = onnx.ModelProto()
    model.CopyFrom(random.choice(sources()))
    for _ in range(random.choice((1, 1, 2, 4))):
        damage(random, model)
    try:
        data = model.SerializeToString()
    except (EncodeError, UnicodeEncodeError):
        return
    if random.random() < 0.2:
        at = random.randrange(len(data) + 1)
        data = data[:at] + bytes([random.randrange(256)]) + data[at + random.randrange(2) :]
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        with contextlib.suppress(GluonError):
            use(data)


@each("seed", range(COUNT), few=10)
def test_a_damaged_file_is_read_or_an_error_of_gluon(seed: int) -> None:
    read_damaged(seed)


def test_the_sources_are_whole() -> None:
    for model in sources():
        use(model.SerializeToString())


@pytest.mark.parametrize(
    ("weights", "outputs"), [(1, ("y",)), (1, ("y", "v", "h")), (2, ("y", "v", "h", "z"))]
)
def test_a_node_with_more_outputs_than_results(weights: int, outputs: tuple[str, ...]) -> None:
    given = [_tensor("r", FLOAT, [], [0.1]), _tensor("t", INT64, [], [1])]
    inputs = ["r", "t", *["x"] * (2 + weights)]
    node = helper.make_node("Adam", inputs, outputs, domain=OPSETS[1].domain)
    net = gluon_onnx.import_to_gluon(_model([node], given, outputs).SerializeToString())
    with pytest.raises(GluonError, match=f"results for {len(outputs)} outputs"):
        net(nd.ones((2, 3)))
