"""Keys of every kind, alone and beside others: values, shapes and writes are those of NumPy."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from gluon._core.devices.start import start
from gluon._core.kernels.memory import on_host

PARTS = {
    ":": slice(None),
    "1:": slice(1, None),
    "::-1": slice(None, None, -1),
    "0": 0,
    "None": None,
    "...": Ellipsis,
    "rows": np.array([2, 0]),
    "column": np.array([[1], [0]]),
    "number": np.array(1),
    "mask": np.array([True, False, True]),
    "list": [0, 1],
}
KEYS = [
    [PARTS[name] for name in names]
    for count in (1, 2, 3)
    for names in product(PARTS, repeat=count)
    if names.count("...") < 2
]
RAW = np.arange(81.0).reshape(3, 3, 3, 3)


def found(x, key, put):
    """What a key reads, writes and adds to; the class of the error where it fits no axes."""
    try:
        y = x[key]
    except IndexError as error:
        return type(error)
    values = put(np.arange(100.0, 100.0 + y.size).reshape(y.shape))
    after, sums = x.copy(), x.copy()
    after[key] = values
    np.add.at(sums, key, values)
    return [on_host(one) for one in (y, after, sums)]


@pytest.mark.parametrize("indices", ["host", "device"])
@pytest.mark.parametrize("form", ["whole", "transposed"])
def test_keys_select_what_they_select_in_numpy(form, indices, played):
    put = lambda raw: start(played).put(raw, 0)  # noqa: E731
    x, y = RAW, put(RAW)
    if form == "transposed":
        x, y = x.T, y.T
    for parts in KEYS:
        there = [put(one) if isinstance(one, np.ndarray) else one for one in parts]
        one, other = (
            tuple(key) if len(key) > 1 else key[0]
            for key in (parts, there if indices == "device" else parts)
        )
        want, got = found(x, one, np.asarray), found(y, other, put)
        if isinstance(want, type):
            assert got is want, parts
            continue
        for a, b in zip(got, want):
            np.testing.assert_array_equal(a, b, err_msg=str(parts))


@pytest.mark.parametrize("key", [[1, 1, 0], np.array([1, 1, 0])])
def test_sums_at_equal_places(key, played):
    x = start(played).put(np.zeros((3, 2)), 0)
    np.add.at(x, key, start(played).put(np.arange(6.0).reshape(3, 2), 0))
    assert on_host(x).tolist() == [[4, 5], [2, 4], [0, 0]]
