"""ONNX's own tests of single operators, which come with the package onnx, run by gluon.

`docs/onnx_coverage.py` runs them too, so this module needs nothing that only tests need.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
import onnx

from gluon import nd
from gluon._core.engine.array import wrap
from gluon._core.errors import GluonError
from gluon.onnx import importing
from gluon.onnx.functions.table import DTYPES, Sequence
from gluon.symbol.program import Program


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
