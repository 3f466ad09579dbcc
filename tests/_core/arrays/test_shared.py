"""Memory shared with other libraries by DLPack: writes on either side."""

from __future__ import annotations

import numpy as np
import pytest

from gluon import autograd, nd
from gluon import np as gnp

TAKE = {
    "numpy": np.from_dlpack,
    "nd": nd.from_dlpack,
    "read": lambda x: nd.from_dlpack(nd.to_dlpack_for_read(x)),
    "write": lambda x: nd.from_dlpack(nd.to_dlpack_for_write(x)),
    "twice": lambda x: (np.from_dlpack(x), np.from_dlpack(x))[1],
}
WRITES = {
    "x[i] = v": lambda x: x.__setitem__(1, 100),
    "x += v": lambda x: x.__iadd__(100),
    "out=x": lambda x: nd.exp(nd.ones((3,)), out=x),
    "view": lambda x: x[1:].__setitem__(0, 100),
}


def values(x):
    return (x if isinstance(x, np.ndarray) else x.asnumpy()).tolist()


@pytest.mark.parametrize("take", TAKE)
@pytest.mark.parametrize("write", WRITES)
def test_an_export_sees_what_is_written_to_the_array_and_the_reverse(take, write):
    x = nd.array([1.0, 2.0, 3.0])
    early = x[1:]
    taken = TAKE[take](x)
    for _ in range(2):
        WRITES[write](x)
        assert values(taken) == values(x)
        assert values(early) == values(x)[1:]
    if not isinstance(taken, np.ndarray):
        taken[2] = 7
        assert x.asnumpy()[2] == early.asnumpy()[1] == 7


def test_a_view_is_exported_with_its_array():
    x = nd.array([[1.0, 2.0], [3.0, 4.0]])
    row = np.from_dlpack(x[1])
    x += 1
    assert row.tolist() == [4, 5]
    other = gnp.arange(6.0).reshape(2, 3)
    taken = np.from_dlpack(other)
    other[:, 1] = 9
    assert taken.tolist() == [[0, 9, 2], [3, 9, 5]]


def test_a_graph_keeps_its_values_and_the_sharing_ends():
    x = nd.array([1.0, 2.0, 3.0])
    x.attach_grad()
    taken = np.from_dlpack(x)
    with autograd.record():
        y = x * x
    x += 10
    y.backward()
    assert x.grad.asnumpy().tolist() == [2, 4, 6]
    assert taken.tolist() == [1, 2, 3]
    assert np.from_dlpack(x).tolist() == [11, 12, 13]


def test_the_memory_lives_as_long_as_either():
    x = nd.array(np.arange(1000.0))
    taken = np.from_dlpack(x)
    del x
    assert taken.sum() == 499500
    x = nd.array(np.arange(1000.0))
    np.from_dlpack(x)
    x += 1
    assert x.sum().item() == 500500


@pytest.mark.parametrize(
    ("look", "shares"),
    [
        (lambda y: y[1:], (True, True)),
        (lambda y: y[1], (True, True)),
        (lambda y: y[1:3, :], (True, True)),
        (lambda y: y[1, 1:], (True, True)),
        (lambda y: y[:, 1:], (False, True)),
        (lambda y: y[::2], (False, True)),
        (lambda y: y[..., 1], (False, True)),
        (lambda y: y[::-1], (False, True)),
        (lambda y: y[[0, 1]], (False, False)),
    ],
)
@pytest.mark.parametrize("recording", [False, True])
def test_which_slices_share_memory(look, shares, recording):
    for make, wanted in zip((nd.arange, gnp.arange), shares):
        x = make(12).reshape(4, 3)
        x.attach_grad()
        with autograd.record(recording) if recording else autograd.predict_mode():
            y = x * 1
            part = look(y)
            part[:] = -1
            assert bool((y.asnumpy() < 0).any()) is wanted
            y[:] = 5
            assert bool((part.asnumpy() == 5).all()) is wanted
