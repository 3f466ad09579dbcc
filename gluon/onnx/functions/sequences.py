"""Sequences of arrays, and values that may be missing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy

from ... import np
from .control import apart, run
from .table import FUNCTIONS, Sequence, implements, made, number, whole

FUNCTIONS |= {
    "Optional": lambda input=None: input,
    "OptionalGetElement": lambda input: input,
    "OptionalHasElement": lambda input=None: made(numpy.bool_(input is not None)),
    "SequenceConstruct": lambda *inputs: Sequence(inputs),
    "SequenceEmpty": lambda *, dtype=1: Sequence(),
    "SequenceLength": lambda input_sequence: made(numpy.int64(len(input_sequence))),
}


@implements
def SequenceAt(input_sequence: Any, position: Any) -> Any:
    return input_sequence[int(number(position))]


@implements
def SequenceInsert(input_sequence: Any, tensor: Any, position: Any = None) -> Any:
    found = Sequence(input_sequence)
    found.insert(int(number(position, len(found))), tensor)
    return found


@implements
def SequenceErase(input_sequence: Any, position: Any = None) -> Any:
    found = Sequence(input_sequence)
    del found[int(number(position, -1))]
    return found


@implements
def ConcatFromSequence(input_sequence: Any, *, axis: int, new_axis: int = 0) -> Any:
    join = np.stack if new_axis else np.concatenate
    return join(list(input_sequence), axis)


@implements
def SplitToSequence(input: Any, split: Any = None, *, axis: int = 0, keepdims: int = 1) -> Any:
    length = input.shape[axis]
    each = 1 if split is None else int(number(split))
    if split is None or not split.ndim:
        ends = list(range(each, length, each))
    else:
        ends = numpy.cumsum(whole(split))[:-1].tolist()
    parts = np.split(input, ends, axis)
    if split is None and not keepdims:
        parts = [np.squeeze(one, axis) for one in parts]
    return Sequence(parts)


@implements
def SequenceMap(*arrays: Any, body: Mapping[str, Any]) -> Any:
    (first, *others), (captured,) = apart(arrays, body)
    found = [
        run(body, [one, *(x[k] if isinstance(x, Sequence) else x for x in others)], captured)
        for k, one in enumerate(first)
    ]
    return tuple(map(Sequence, zip(*found)))
