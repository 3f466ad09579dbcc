"""Call an operator as a sample says."""

from __future__ import annotations

import numpy as np

from gluon import nd
from gluon._core.engine.array import wrap
from gluon._core.engine.op import RECORDED
from gluon.nd import NDArray
from recorded.make import as_list
from tests._core.ops.sample import Sample, head_gradient, is_floating


def function(sample: Sample):
    """The callable that the sample names."""
    if sample.op.startswith("F."):
        return getattr(RECORDED, sample.op[2:])
    found = nd
    for part in sample.op.split("."):
        found = getattr(found, part)
    return found


def arrays(raws: list, dtype=None) -> list:
    """The inputs of a call; floating arrays as `dtype`, if one is given."""
    return [
        arrays(raw, dtype)
        if isinstance(raw, list)
        else wrap(NDArray, raw.astype(dtype) if dtype and is_floating(raw) else raw.copy())
        if isinstance(raw, np.ndarray)
        else raw
        for raw in raws
    ]


def flatten(sample: Sample, raws: list, inputs: list) -> list:
    """The input arrays to differentiate, lists taken apart."""
    return [x for k in sample.variables(raws) for x in as_list(inputs[k])]


def run(sample: Sample, inputs: list) -> list:
    return as_list(function(sample)(*inputs, **sample.keywords(inputs)))


def floating(outputs: list) -> list:
    return [(k, y) for k, y in enumerate(outputs) if np.dtype(y.dtype).kind == "f"]


def heads_of(outputs: list) -> tuple[list, list]:
    """The floating outputs with a recorded history, and the cotangent of each."""
    chosen = [(k, y) for k, y in floating(outputs) if y._node.tapes]
    cotangents = [wrap(NDArray, head_gradient(k, y.shape, y.dtype)) for k, y in chosen]
    return [y for _, y in chosen], cotangents
