"""Parts of MXNet's iterators, data sets and features."""

from __future__ import annotations

import ctypes
import os
from typing import Any

import numpy as np

from ... import nd
from ..._core.errors import GluonError
from ..._hook.members import Reading
from ..helpers.errors import CheckError


def _getdata(
    self: Any, data_source: list, start: int | None = None, end: int | None = None
) -> list:
    """A part of each of some named arrays."""
    if start is None and end is None:
        raise CheckError("NDArrayIter: give the start or the end of the part")
    if end is None:
        end = data_source[0][1].shape[0] if data_source else 0
    return self._part(data_source, start or 0, end)


def _concat(self: Any, first_data: list, second_data: list) -> list:
    """Concatenate pairs of arrays along the samples; an empty list is ignored."""
    if not first_data or not second_data:
        return first_data or second_data
    if len(first_data) != len(second_data):
        raise CheckError(f"NDArrayIter: {len(first_data)} and {len(second_data)} are not pairs")
    return self._joined(first_data, second_data)


def _tile(self: Any, data: list, repeats: int) -> list:
    """Arrays repeated along the first axis."""
    return [nd.tile(one, (repeats,) + (1,) * (one.ndim - 1)) for one in data or []]


def _batchify(self: Any, data_source: list) -> list:
    """The current batch of some named arrays: the iterator's data or labels."""
    return self._batch(int(data_source is self.label))


def _read_batch(self: Any, filename: str) -> tuple[np.ndarray, np.ndarray]:
    """The images and the labels in a file."""
    with open(filename, "rb") as file:
        return self._parts(self._records(filename, file.read()))


def _check_pid(self: Any, allow_reset: bool = False) -> None:
    """Raise, or open the file again, in another process than that which opened it."""
    if self.pid != os.getpid():
        if not allow_reset:
            raise GluonError("the file was opened in another process; open it in this one")
        self.reset()


def _nothing(self: Any) -> None:
    """Return None: the iterator has no data of its own."""


MEMBERS: dict[str, dict[str, Any]] = {
    "gluon.data.vision.datasets.CIFAR10": {"_read_batch": _read_batch},
    "io.io.NDArrayIter": {
        "_batchify": _batchify,
        "_concat": _concat,
        "_getdata": _getdata,
        "_tile": _tile,
    },
    "recordio.MXRecordIO": {"_check_pid": _check_pid},
    "runtime.Feature": {
        "_enabled": Reading(lambda feature: feature.enabled),
        "_fields_": [("_name", ctypes.c_char_p), ("_enabled", ctypes.c_bool)],
        "_name": Reading(lambda feature: feature.name.encode()),
    },
    "test_utils.DummyIter": dict.fromkeys(
        ("getdata", "getindex", "getlabel", "getpad", "iter_next"), _nothing
    ),
}
