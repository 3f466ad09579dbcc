"""Sequences, as one array or as a list with an array for each step."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .. import nd, symbol
from .._core.errors import ArgumentError, DTypeError
from ..nd import NDArray
from ..symbol import Symbol


def is_whole(sequence: Any) -> bool:
    """Whether a sequence is one array or symbol, not a list of steps."""
    return isinstance(sequence, (NDArray, Symbol))


def operators(x: Any) -> Any:
    """Those for an array or a symbol."""
    return symbol if isinstance(x, Symbol) else nd


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
    elif isinstance(inputs, Symbol) and length is not None:
        found = length  # operators check this later
    elif isinstance(inputs, (list, tuple)) and all(
        isinstance(x, (NDArray, Symbol)) for x in inputs
    ):
        found = len(inputs)
    else:
        raise DTypeError(
            f"unroll: inputs are one NDArray or a list of them, not {type(inputs).__name__}; the"
            " length comes first, as in unroll(length, inputs)"
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
    whole = is_whole(inputs)
    like = inputs if whole else inputs[0]
    if isinstance(like, Symbol):  # the batch size is unknown until inputs are given
        return cell.begin_state(batch_size=0, func=symbol.zeros)
    batch = like.shape[(layout if whole else layout.replace("T", "")).index("N")]
    dtype = like.dtype if like.form.dtype.kind in "fV" else "float32"

    def zeros(shape: Any, ctx: Any = like._ctx, dtype: Any = dtype, **_: Any) -> NDArray:
        return nd.zeros(shape, ctx, dtype)

    return cell.begin_state(batch_size=batch, func=zeros)


def parted(sequence: Any, axis: int, length: int) -> list[Any]:
    """A sequence with this number of steps as a list; `axis` is the axis of the steps."""
    if not is_whole(sequence):
        return list(sequence)
    if isinstance(sequence, Symbol):
        given: Any = {"axis": axis, "num_outputs": length, "squeeze_axis": 1}
        return list(symbol.split(sequence, **given))
    parts = nd.split(sequence, length, axis=axis, squeeze_axis=True)
    return parts if isinstance(parts, list) else [parts]


def joined(sequence: Any, axis: int) -> Any:
    """A sequence as one array; `axis` is the axis of the steps."""
    return sequence if is_whole(sequence) else operators(sequence[0]).stack(*sequence, axis=axis)


def arranged(sequence: Any, axis: int, merge: bool | None, length: int) -> Any:
    """A sequence as one array if `merge`, as a list if not, unchanged for None."""
    if merge is None:
        return sequence
    return joined(sequence, axis) if merge else parted(sequence, axis, length)


def masked(sequence: Any, axis: int, valid_length: Any) -> Any:
    """A sequence as one array, with zeros beyond the length of each sample."""
    data = joined(sequence, axis)
    return operators(data).SequenceMask(data, valid_length, use_sequence_length=True, axis=axis)


def last_valid(states: Sequence[Any], valid_length: Any) -> Any:
    """From a state at all steps, for each sample that at its last step."""
    F = operators(valid_length)
    return F.SequenceLast(F.stack(*states, axis=0), valid_length, use_sequence_length=True)


def turned(steps: list[Any], valid_length: Any) -> list[Any]:
    """The steps from the last to the first; those beyond the length of a sample stay."""
    if valid_length is None:
        return steps[::-1]
    F = operators(valid_length)
    back = F.SequenceReverse(F.stack(*steps, axis=0), valid_length, use_sequence_length=True)
    return parted(back, 0, len(steps))
