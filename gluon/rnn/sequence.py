"""Sequences, as one array or as a list with an array for each step."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from .. import nd
from ..engine.errors import ArgumentError, DTypeError
from ..nd import NDArray


def time_axis(layout: str) -> int:
    """The axis of the steps.

    Raises
    ------
    ArgumentError
        If `layout` names no such axis, or none for the batch.
    """
    if not {"N", "T"} <= set(layout):
        raise ArgumentError(
            f"layout {layout!r} must name the axes of the batch (N) and of the steps (T), as"
            " 'NTC' or 'TNC' do"
        )
    return layout.index("T")


def check_length(length: int | None, inputs: Any, layout: str) -> None:
    """Raise unless the inputs are a sequence of that length.

    Parameters
    ----------
    length : int or None
        How many steps there should be; any number for None.
    inputs : NDArray, or list of NDArrays
    layout : str
        That of an array.

    Raises
    ------
    ArgumentError
        If there are no steps, or others than `length`.
    DTypeError
        If the inputs are something else.
    """
    axis = time_axis(layout)
    if isinstance(inputs, NDArray):
        found = inputs.shape[axis] if axis < inputs.ndim else 0
    elif isinstance(inputs, (list, tuple)) and all(isinstance(x, NDArray) for x in inputs):
        found = len(inputs)
    else:
        raise DTypeError(
            f"unroll: inputs are one NDArray or a list of them, not {type(inputs).__name__}"
        )
    if not found or length not in (None, found):
        shape = f" of shape {inputs.shape}" if isinstance(inputs, NDArray) else ""
        raise ArgumentError(
            f"unroll: length={length}, and the inputs{shape} have {found} steps in layout"
            f" {layout!r}; the length must be that, and at least 1"
        )


def first_states(cell: Any, begin_state: Any, inputs: Any, layout: str) -> Any:
    """The states to unroll from: zeros of the inputs' floating dtype unless some are given."""
    if begin_state is not None:
        return begin_state
    whole = isinstance(inputs, NDArray)
    like = inputs if whole else inputs[0]
    batch = like.shape[(layout if whole else layout.replace("T", "")).index("N")]
    dtype = like.dtype if like.raw.dtype.kind in "fV" else "float32"

    def zeros(shape: Any, ctx: Any = like._ctx, dtype: Any = dtype, **_: Any) -> NDArray:
        return nd.zeros(shape, ctx, dtype)

    return cell.begin_state(batch_size=batch, func=zeros)


def parted(sequence: Any, axis: int) -> list[NDArray]:
    """A sequence as a list; `axis` is that of the steps."""
    if not isinstance(sequence, NDArray):
        return list(sequence)
    parts = nd.split(sequence, sequence.shape[axis], axis=axis, squeeze_axis=True)
    return parts if isinstance(parts, list) else [parts]


def joined(sequence: Any, axis: int) -> NDArray:
    """A sequence as one array; `axis` is that of the steps."""
    return sequence if isinstance(sequence, NDArray) else nd.stack(*sequence, axis=axis)


def arranged(sequence: Any, axis: int, merge: bool | None) -> Any:
    """A sequence as one array if `merge`, as a list if not, as it is for None."""
    if merge is None:
        return sequence
    return joined(sequence, axis) if merge else parted(sequence, axis)


def masked(sequence: Any, axis: int, valid_length: NDArray) -> NDArray:
    """A sequence as one array, with zeros beyond the length of each sample."""
    data = joined(sequence, axis)
    return nd.SequenceMask(data, valid_length, use_sequence_length=True, axis=axis)


def last_valid(states: Iterable[NDArray], valid_length: NDArray) -> NDArray:
    """Of a state at all steps, for each sample that at its last one."""
    return nd.SequenceLast(nd.stack(*states, axis=0), valid_length, use_sequence_length=True)


def turned(steps: list[NDArray], valid_length: NDArray | None) -> list[NDArray]:
    """The steps from the last to the first; those beyond the length of a sample stay."""
    if valid_length is None:
        return steps[::-1]
    data = nd.stack(*steps, axis=0)
    return parted(nd.SequenceReverse(data, valid_length, use_sequence_length=True), 0)
