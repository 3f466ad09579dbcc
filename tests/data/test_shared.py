"""Memory passed between processes: what is shared, and what the pickle contains."""

from __future__ import annotations

import os
from multiprocessing import Pipe

import numpy as np
import pytest

from gluon import nd
from gluon.data import shared

pytestmark = pytest.mark.skipif(not shared.AVAILABLE, reason="processes hand over no files here")
JUST = shared.SMALL  # bytes


@pytest.mark.parametrize(("size", "files"), [(JUST - 1, 0), (JUST, 1), (JUST + 1, 1)])
def test_arrays_of_so_many_bytes_go_apart(size, files):
    value = np.arange(size) % 251
    packed = shared.pack([value.astype(np.uint8)])
    assert len(packed.memory) == files
    np.testing.assert_array_equal(shared.unpack(packed)[0], value)


@pytest.mark.parametrize("serving", [True, False])
def test_memory_made_to_be_handed_over_is_not_copied_but_once(monkeypatch, serving):
    monkeypatch.setattr(shared, "serving", serving)
    value = shared.empty((JUST,), np.uint8)
    value[:] = 7
    assert isinstance(value.base, shared.Memory) is serving
    first, second = shared.pack(value), shared.pack(value)
    assert (first.memory[0] is value.base) is serving
    assert second.memory[0] is not first.memory[0]
    part = shared.pack(value[:JUST])
    assert part.memory[0] is not first.memory[0]
    for packed in (first, second):
        assert (shared.unpack(packed) == 7).all()


def test_memory_that_nobody_needs_gives_its_file_back():
    packed = shared.pack(np.zeros(JUST, np.uint8))
    file = packed.memory[0].file
    os.fstat(file)
    del packed
    with pytest.raises(OSError, match="descriptor"):
        os.fstat(file)


def test_small_arrays_are_plain_ones(monkeypatch):
    monkeypatch.setattr(shared, "serving", True)
    assert shared.empty((JUST - 1,), np.uint8).base is None
    assert shared.empty((JUST // 4,), np.float32).base is not None


def test_arrays_in_pieces_and_of_gluon_arrive_whole():
    strided = np.arange(4.0 * JUST)[::2]
    array = nd.array(np.arange(JUST, dtype="float32"))
    ours, theirs = Pipe()
    with ours, theirs:
        shared.send(ours, ("head", 3), shared.pack({"strided": strided, "array": array}))
        head, packed = shared.receive(theirs)
    assert head == ("head", 3)
    found = shared.unpack(packed)
    np.testing.assert_array_equal(found["strided"], strided)
    np.testing.assert_array_equal(found["array"].asnumpy(), array.asnumpy())
    assert len(packed.memory) == 2
