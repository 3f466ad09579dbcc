"""``mxnet.gluon.rnn.rnn_cell``: convert sequences between lists of steps and arrays."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ... import nd
from ...nd import NDArray
from .bindings import _as_list
from .errors import CheckError


def _cells_state_info(cells: Iterable[Any], batch_size: int) -> list[dict]:
    """Return the shapes of the states of all cells."""
    return [one for cell in cells for one in cell.state_info(batch_size)]


def _cells_begin_state(cells: Iterable[Any], **kwargs: Any) -> list[Any]:
    """Return the initial states of all cells."""
    return [one for cell in cells for one in cell.begin_state(**kwargs)]


def _get_begin_state(cell: Any, F: Any, begin_state: Any, inputs: Any, batch_size: int) -> Any:  # noqa: N803, RUF100
    """Return the given states, or initial ones on the context of the inputs."""
    if begin_state is not None:
        return begin_state
    with _as_list(inputs)[0].context:
        return cell.begin_state(func=F.zeros, batch_size=batch_size)


def _format_sequence(
    length: int | None, inputs: Any, layout: str, merge: bool | None, in_layout: str | None = None
) -> tuple[Any, int, Any, int]:
    """Convert a sequence to an array or a list of steps, as `merge` says.

    Also return the time axis of `layout`, the module of operators, and the batch size.
    """
    if inputs is None:
        raise CheckError("give the inputs of the sequence: an array, or a list of arrays")
    axis = layout.find("T")
    at = axis if in_layout is None else in_layout.find("T")
    if isinstance(inputs, NDArray):
        batch_size = inputs.shape[layout.find("N")]
        if merge is False:
            if length is not None and length != inputs.shape[at]:
                raise CheckError(f"the inputs have {inputs.shape[at]} steps, not length={length}")
            inputs = _as_list(
                nd.split(inputs, axis=at, num_outputs=inputs.shape[at], squeeze_axis=True)
            )
    else:
        if length is not None and len(inputs) != length:
            raise CheckError(f"the inputs have {len(inputs)} steps, not length={length}")
        batch_size = inputs[0].shape[0]
        if merge is True:
            inputs, at = nd.stack(*inputs, axis=axis), axis
    if isinstance(inputs, NDArray) and axis != at:
        inputs = nd.swapaxes(inputs, dim1=axis, dim2=at)
    return inputs, axis, nd, batch_size


def _mask_sequence_variable_length(
    F: Any, data: Any, length: int, valid_length: Any, time_axis: int, merge: bool  # noqa: N803, RUF100
) -> Any:  # fmt: skip
    """Set the steps after the end of each sequence to zero."""
    if not isinstance(data, NDArray):
        data = F.stack(*data, axis=time_axis)
    masked = F.SequenceMask(
        data, sequence_length=valid_length, use_sequence_length=True, axis=time_axis
    )
    if merge:
        return masked
    return _as_list(F.split(masked, num_outputs=length, axis=time_axis, squeeze_axis=True))


def _reverse_sequences(sequences: Sequence[Any], unroll_step: int, valid_length: Any = None) -> Any:
    """Reverse the steps; each sequence from its own end, if lengths are given."""
    if valid_length is None:
        return list(reversed(sequences))
    turned = nd.SequenceReverse(
        nd.stack(*sequences, axis=0), sequence_length=valid_length, use_sequence_length=True
    )
    return _as_list(nd.split(turned, axis=0, num_outputs=unroll_step, squeeze_axis=True))


def _get_conv_out_size(
    dimensions: Sequence[int],
    kernels: Sequence[int],
    paddings: Sequence[int],
    dilations: Sequence[int],
) -> tuple[int, ...]:
    """Return the output lengths of a convolution with stride 1; 0 if unknown."""
    return tuple(
        length and length + 2 * pad - dilation * (kernel - 1)
        for length, kernel, pad, dilation in zip(dimensions, kernels, paddings, dilations)
    )
