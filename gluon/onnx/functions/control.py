"""Control flow of ONNX: `If`, `Loop` and `Scan`, whose bodies are graphs of their own."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy

from ... import np
from ..._core.errors import ArgumentError
from ...symbol.files import from_json
from ...symbol.program import Program
from .. import attributes
from .table import implements, made, number, room

#: Attributes that hold a graph, in the order of their captured values.
BODIES = ("body", "else_branch", "prob_mod", "score_mod", "then_branch")


def nested(symbol: str) -> Any:
    """The file of a body's symbol as values, bodies inside of it included.

    As text inside of text, it would grow with the power of the depth.
    """
    found = json.loads(symbol)
    for node in found["nodes"]:
        attrs = node.get("attrs", {})
        attrs |= {key: json.loads(attrs[key]) for key in attrs.keys() & BODIES}
    return found


def flat(symbol: Any) -> str:
    """The file of a body's symbol, from what `nested` gives; bodies inside of it are text again."""
    if isinstance(symbol, str):  # in files of older versions
        return symbol
    for node in symbol["nodes"]:
        attrs = node.get("attrs", {})
        attrs |= {key: attributes.text(attrs[key]) for key in attrs.keys() & BODIES}
    return json.dumps(symbol)


@lru_cache
def _program(text: str) -> tuple[Program, int]:
    """Return a runnable body, and its number of outputs."""
    heads = from_json(text)
    return Program(heads), len(heads)


def run(body: Mapping[str, Any], given: Sequence[Any], captured: Sequence[Any]) -> list[Any]:
    """The outputs of a body, from its own inputs and the values around it."""
    program, _ = _program(body["symbol"])
    arrays = dict(zip(body["inputs"], given)) | dict(zip(body["captured"], captured))
    arrays |= {name: made(one) for name, one in body["params"].items()}
    return program.run([arrays[name] for name in program.inputs])


def apart(
    arrays: Sequence[Any], *bodies: Mapping[str, Any] | None
) -> tuple[list[Any], list[list[Any]]]:
    """The inputs of the operator, and what each body captures: it comes after them."""
    rest = list(arrays)
    parts: list[list[Any]] = []
    for body in reversed(bodies):
        count = len(body["captured"]) if body else 0
        parts.insert(0, rest[len(rest) - count :])
        del rest[len(rest) - count :]
    return rest, parts


@implements
def If(*arrays: Any, else_branch: Any, then_branch: Any) -> Any:
    (cond,), (of_else, of_then) = apart(arrays, else_branch, then_branch)
    if cond.raw.reshape(-1)[0]:
        return tuple(run(then_branch, (), of_then))
    return tuple(run(else_branch, (), of_else))


@implements
def Loop(*arrays: Any, body: Any) -> Any:
    (most, go_on, *states), (captured,) = apart(arrays, body)
    limit = None if most is None else int(number(most))
    goes = True if go_on is None else bool(go_on.raw.reshape(-1)[0])
    count = len(states)
    gathered: list[list[Any]] = [[] for _ in range(_program(body["symbol"])[1] - 1 - count)]
    step = 0
    while goes and (limit is None or step < limit):
        inputs = (made(numpy.int64(step)), made(numpy.bool_(goes)), *states)
        cond, *found = run(body, inputs, captured)
        states = found[:count]
        for kept, value in zip(gathered, found[count:]):
            room(step + 1, *value.shape)
            kept.append(value)
        goes, step = bool(cond.raw.reshape(-1)[0]), step + 1
    if not step and gathered:
        raise ArgumentError("the body did not run, so that the shape of what it gathers is unknown")
    return (*states, *(np.stack(kept) for kept in gathered))


@implements
def Scan(
    *arrays: Any,
    body: Any,
    num_scan_inputs: int,
    scan_input_axes: Sequence[int] = (),
    scan_input_directions: Sequence[int] = (),
    scan_output_axes: Sequence[int] = (),
    scan_output_directions: Sequence[int] = (),
) -> Any:
    inputs, (captured,) = apart(arrays, body)
    states, scanned = inputs[:-num_scan_inputs], inputs[-num_scan_inputs:]
    axes = scan_input_axes or [0] * num_scan_inputs
    turned = scan_input_directions or [0] * num_scan_inputs
    lines = [
        np.moveaxis(np.flip(x, axis) if back else x, axis, 0)
        for x, axis, back in zip(scanned, axes, turned)
    ]
    gathered: list[list[Any]] = []
    for step in range(len(lines[0])):
        found = run(body, (*states, *(line[step] for line in lines)), captured)
        states, values = found[: len(states)], found[len(states) :]
        gathered = gathered or [[] for _ in values]
        for kept, value in zip(gathered, values):
            kept.append(value)
    return (*states, *_stacked(gathered, scan_output_axes, scan_output_directions))


@implements
def Scan_1(
    lengths: Any, *arrays: Any, body: Any, num_scan_inputs: int, directions: Sequence[int] = ()
) -> Any:
    """Scan before opset 9: of each sample of a batch, as far as `lengths` says."""
    inputs, (captured,) = apart(arrays, body)
    longest = inputs[-1].shape[1]
    each = []
    for k in range(len(inputs[-1])):
        end = longest if lengths is None else int(lengths.raw[k])
        states = [x[k] for x in inputs[:-num_scan_inputs]]
        scanned = [x[k, :end] for x in inputs[-num_scan_inputs:]]
        found = Scan(
            *(*states, *scanned, *captured),
            body=body,
            num_scan_inputs=num_scan_inputs,
            scan_input_directions=directions,
        )
        each.append(
            [*found[: len(states)], *(_longer(one, longest) for one in found[len(states) :])]
        )
    return tuple(np.stack(values) for values in zip(*each))


def _longer(x: Any, length: int) -> Any:
    """Append zeros to an array along its first axis."""
    return np.pad(x, [(0, length - len(x))] + [(0, 0)] * (x.ndim - 1))


def _stacked(gathered: list[list[Any]], axes: Sequence[int], turned: Sequence[int]) -> Any:
    for k, values in enumerate(gathered):
        axis = axes[k] if axes else 0
        y = np.stack(values[::-1] if turned and turned[k] else values, axis)
        yield y
