"""Private methods of MXNet's arrays for indices."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from ... import nd
from ... import np as mxnp
from ..._core.errors import GluonError, IndexRangeError
from ...nd import NDArray
from ...np import ndarray
from ..helpers.arrays import _broadcast_shapes, _get_slice_len, _int_to_slice, _is_advanced_index
from ..helpers.errors import CheckError, of_other_type

INTEGERS = (int, np.integer)


def _same_length(key: Sequence, shape: Sequence) -> None:
    if len(key) != len(shape):
        raise CheckError(f"a key of {len(key)} slices does not fit the shape {tuple(shape)}")


def _advanced_index_to_array(idx: Any, ax_len: int, ctx: Any) -> NDArray:
    """The places on one axis that an index takes."""
    if isinstance(idx, NDArray):
        return idx.astype("int64").as_in_context(ctx)
    if isinstance(idx, slice):
        idx = range(*idx.indices(ax_len))
    elif isinstance(idx, INTEGERS):
        idx = [idx]
    elif not isinstance(idx, (np.ndarray, list, tuple, range)):
        raise of_other_type("an index", idx, "a number, a slice or an array")
    return nd.array(np.asarray(idx), ctx, "int64")


def _basic_indexing_contiguous_flat_begin_end(slc_key: Any, shape: Any) -> tuple[int, int]:
    """Where slices without gaps begin and end in the flat array."""
    _same_length(slc_key, shape)
    parts = [range(n)[one] for one, n in zip(slc_key, shape)]
    if not all(parts):
        return 0, 0
    first, last = 0, 0
    for part, n in zip(parts, shape):
        first = first * n + part.start
        last = last * n + part.start + len(part) - 1
    return first, last + 1


def _basic_indexing_key_int_to_slice(idcs: Iterable) -> tuple[tuple, tuple[int, ...]]:
    """A key with slices for its numbers, and the places of those."""
    key = tuple(idcs)
    numbers = tuple(place for place, one in enumerate(key) if isinstance(one, INTEGERS))
    return tuple(
        _int_to_slice(int(one)) if isinstance(one, INTEGERS) else one for one in key
    ), numbers


def _basic_indexing_key_to_begin_end_step(
    idcs: Iterable, shape: Sequence[int], keep_none: bool = True
) -> tuple:
    """The beginnings, ends and steps of a key of numbers and slices."""
    key, _ = _basic_indexing_key_int_to_slice(one for one in idcs if one is not None)
    return tuple(
        zip(
            *(
                (one.start, one.stop, one.step) if keep_none else one.indices(n)
                for one, n in zip(key, shape)
            )
        )
    )


def _basic_indexing_slice_is_contiguous(slc_key: Any, shape: Any) -> bool:
    """Whether slices take values that lie beside each other, in their order."""
    _same_length(slc_key, shape)
    parts = [range(n)[one] for one, n in zip(slc_key, shape)]
    lengths = [len(part) for part in parts]
    if np.prod(lengths) <= 1:
        return True
    whole = True
    for part, n in zip(reversed(parts), reversed(shape)):
        if len(part) > 1 and (part.step != 1 or not whole):
            return False
        whole = whole and len(part) == n
    return True


def _basic_indexing_sliced_shape(slc_key: Any, shape: Any) -> tuple[int, ...]:
    """The shape of what slices take."""
    _same_length(slc_key, shape)
    return tuple(_get_slice_len(one, n) for one, n in zip(slc_key, shape))


def _broadcast_advanced_indices(arrays: Sequence, block_axes: Sequence[int]) -> tuple:
    """Indices of one shape: those of `block_axes` meet in one block, the others have an axis."""
    first, behind = block_axes[0], block_axes[-1] + 1
    block = _broadcast_shapes(arrays[axis] for axis in block_axes)
    trailing = len(arrays) - behind
    lengths = [len(one) for one in arrays]
    shape = (*lengths[:first], *block, *lengths[behind:])
    found = []
    for axis, one in enumerate(arrays):
        form = [1] * len(shape)
        if axis in block_axes:
            one = one.broadcast_to(block)
            form[first : first + len(block)] = block
        else:
            form[axis if axis < first else axis - behind + len(shape) - trailing] = lengths[axis]
        found.append(one.reshape(form).broadcast_to(shape))
    return tuple(found)


def _drop_int_axes(indexed_shape: Iterable[int], int_axes: Any) -> tuple[int, ...]:
    """A shape without some axes; (1,) where none is left."""
    return tuple(n for axis, n in enumerate(indexed_shape) if axis not in int_axes) or (1,)


def _drop_slice_none_at_end(key: Iterable) -> tuple:
    """A key without the whole slices at its end."""
    rest = list(key)
    while isinstance(rest[-1], slice) and rest[-1] == slice(None):
        rest.pop()
    return tuple(rest)


def _new_axes_after_basic_indexing(axes: Any, key: Iterable) -> tuple:
    """Where the axes that a key adds are in the result, by their places in the key."""
    before = np.cumsum([0] + [not isinstance(one, INTEGERS) for one in key])
    return tuple(before[axes])


def _new_axes_after_advanced_indexing(
    key: Sequence, adv_axs: Any, bcast_adv_ndim: int, adv_are_adjacent: bool
) -> tuple:
    """Where the axes that a key with arrays adds are in the result."""
    start = 0 if adv_are_adjacent else bcast_adv_ndim
    before = start + np.cumsum([0] + [place not in adv_axs for place in range(len(key))])
    return tuple(before[[place for place, one in enumerate(key) if one is None]])


def _get_index_nd(self: Any, key: Sequence) -> tuple[Any, tuple]:
    """The places that a whole key with arrays takes, and where it adds axes."""
    whole = tuple(one for one in key if one is not None)
    if len(whole) < self.ndim:
        raise GluonError(f"the key has {len(whole)} indices for the {self.ndim} axes; give all")
    if len(whole) > self.ndim:
        raise IndexRangeError(
            f"the key has {len(whole)} axes of indices for an array of {self.ndim} axes"
        )
    places = [place for place, one in enumerate(key) if _is_advanced_index(one)]
    advanced = [axis for axis, one in enumerate(whole) if _is_advanced_index(one)]
    kept = range(len(_drop_slice_none_at_end(whole)))
    adjacent = bool(np.all(np.diff(places) == 1))
    others = [axis for axis in kept if axis not in advanced]
    order = list(kept) if adjacent else advanced + others
    arrays = {
        axis: _advanced_index_to_array(whole[axis], self.shape[axis], self.ctx) for axis in order
    }
    block = advanced if adjacent else range(len(advanced))
    found = dict(zip(order, _broadcast_advanced_indices(list(arrays.values()), block)))
    added = len(_broadcast_shapes(arrays[axis] for axis in advanced))
    axes = _new_axes_after_advanced_indexing(key, places, added, adjacent)
    every = [found[axis] for axis in kept]
    return (nd.stack(*every) if all(type(one) is NDArray for one in every) else every), axes


def _prepare_value_nd(
    self: Any, value: Any, bcast_shape: Sequence[int], squeeze_axes: Any = None
) -> NDArray:
    """A value in the shape of the place it is written to."""
    shape = tuple(bcast_shape)
    module = mxnp if ndarray in type(self).__mro__ else nd
    try:
        found = module.array(value, ctx=self.ctx, dtype=self.dtype)
    except (TypeError, ValueError):
        raise of_other_type("the value", value, "a number or an array") from None
    if squeeze_axes and found.ndim > len(shape):
        found = found.squeeze(axis=tuple(axis for axis in squeeze_axes if axis < found.ndim))
    while found.ndim > len(shape) and found.shape[0] == 1:
        found = found.squeeze(axis=0)
    if found.shape == shape:
        return found
    return found.reshape(shape) if found.size == 0 else found.broadcast_to(shape)


def _scatter_set_nd(self: Any, value_nd: Any, indices: Any) -> Any:
    """Write values to the places that `_get_index_nd` gives."""
    self[tuple(indices)] = value_nd
    return self


MEMBERS: dict[str, dict[str, Any]] = {
    "ndarray.ndarray.NDArray": {
        **{
            one.__name__: staticmethod(one)
            for one in (
                _advanced_index_to_array,
                _basic_indexing_contiguous_flat_begin_end,
                _basic_indexing_key_int_to_slice,
                _basic_indexing_key_to_begin_end_step,
                _basic_indexing_slice_is_contiguous,
                _basic_indexing_sliced_shape,
                _broadcast_advanced_indices,
                _drop_int_axes,
                _drop_slice_none_at_end,
                _new_axes_after_advanced_indexing,
                _new_axes_after_basic_indexing,
            )
        },
        "_get_index_nd": _get_index_nd,
        "_prepare_value_nd": _prepare_value_nd,
        "_scatter_set_nd": _scatter_set_nd,
    },
}
