"""ONNX's own tests of single operators, which come with the package onnx."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
import pytest

from gluon import nd
from gluon._core.engine.array import wrap
from gluon._core.errors import GluonError
from gluon.symbol.program import Program

onnx = pytest.importorskip("onnx")
from gluon.onnx import importing  # noqa: E402
from gluon.onnx.functions.table import DTYPES, Sequence  # noqa: E402

#: Tests whose values cannot be met, by the beginning of their names.
OPEN = {
    "test_bernoulli": "the values are drawn by another generator",
    "test_training_dropout": "the values are drawn by another generator",
    "test_resize_downsample_scales_cubic_align_corners": "see the next one",
    "test_resize_downsample_scales_linear_align_corners": (
        "the corners of a length before it is rounded down; runtimes and PyTorch take those after"
    ),
}


@cache
def cases() -> list[Any]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from onnx.backend.test.case.node import collect_testcases

        return [case for case in collect_testcases(None) if is_of_numbers(case.model)]


def is_of_numbers(model: Any) -> bool:
    return all(is_number(one.type) for one in (*model.graph.input, *model.graph.output))


def is_number(kind: Any) -> bool:
    if kind.HasField("tensor_type"):
        return kind.tensor_type.elem_type in DTYPES
    if kind.HasField("sequence_type"):
        return is_number(kind.sequence_type.elem_type)
    return kind.HasField("optional_type") and is_number(kind.optional_type.elem_type)


def value_of(one: Any) -> Any:
    """An array of gluon, a sequence of them, or None."""
    if isinstance(one, list):
        return Sequence(map(value_of, one))
    if isinstance(one, onnx.TensorProto):
        one = onnx.numpy_helper.to_array(one)
    return one if one is None else wrap(nd.NDArray, np.asarray(one))


def flat(values: Any) -> Iterator[np.ndarray]:
    for one in values:
        yield from flat(one) if isinstance(one, Sequence) else [one.raw]


def network_of(model: Any) -> Any:
    """The network; None where gluon has not all of its operators."""
    try:
        return importing.network(model)
    except GluonError as error:
        if "unsupported" not in str(error):
            raise
        return None


def mistakes(case: Any) -> Iterator[str]:
    """The difference from the values of the test; empty if gluon does not have the operator."""
    network = network_of(case.model)
    if network is None:
        return
    program = Program(network.heads)
    for given, expected in case.data_sets:
        names = [node.name for node in network.inputs]
        arrays = dict(zip(names, map(value_of, given)))
        arrays |= network.params
        found = program.run([arrays[name] for name in program.inputs])
        for one, right in zip(flat(found), flat(map(value_of, expected)), strict=True):
            if one.shape != right.shape or one.dtype != right.dtype:
                yield f"{one.shape} {one.dtype}, not {right.shape} {right.dtype}"
                continue
            narrow = right.dtype.itemsize < 4 and right.dtype.kind not in "iub"
            np.testing.assert_allclose(
                one.astype("float64"),
                right.astype("float64"),
                rtol=1e-2 if narrow else 1e-3,
                atol=1e-3 if narrow else 1e-6,
                err_msg=case.name,
            )


PARTS = 8


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("part", range(PARTS))
def test_operators_compute_what_onnx_says(part):
    failed = []
    for case in cases()[part::PARTS]:
        if case.name.startswith(tuple(OPEN)):
            continue
        try:
            failed += [f"{case.name}: {one}" for one in mistakes(case)]
        except (AssertionError, GluonError) as error:
            failed.append(f"{case.name}: {error}")
    assert not failed, "\n".join(failed[:10])


def test_all_of_them_are_supported():
    """All tests with numbers pass, except those in `OPEN`."""
    supported = sum(network_of(case.model) is not None for case in cases())
    assert supported == len(cases()) > 1000
