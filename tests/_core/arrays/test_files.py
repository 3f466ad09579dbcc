"""`nd.save` and `nd.load`: MXNet's binary format, written and read."""

import random
import struct

import numpy as np
import pytest

from gluon import GluonError, nd

#: What MXNet 1.9.1 writes for {"a": float32 [1, 2], "b": int32 [[3]]}.
WRITTEN_BY_MXNET = bytes.fromhex(
    "120100000000000000000000000000000200000000000000c9fa93f900000000010000000200000000000000"
    "0100000000000000000000000000803f00000040c9fa93f90000000002000000010000000000000001000000"
    "0000000001000000000000000400000003000000020000000000000001000000000000006101000000000000"
    "0062"
)


def test_reads_what_mxnet_wrote():
    found = nd.load_frombuffer(WRITTEN_BY_MXNET)
    assert list(found) == ["a", "b"]
    assert found["a"].dtype == np.float32
    assert found["a"].asnumpy().tolist() == [1, 2]
    assert found["b"].dtype == np.int32
    assert found["b"].asnumpy().tolist() == [[3]]


def test_writes_what_mxnet_writes(tmp_path):
    path = tmp_path / "arrays.params"
    nd.save(str(path), {"a": nd.array([1, 2]), "b": nd.array([[3]], dtype="int32")})
    assert path.read_bytes() == WRITTEN_BY_MXNET


@pytest.mark.parametrize(
    "dtype", ["float16", "float32", "float64", "int8", "uint8", "int32", "int64", "bool"]
)
def test_a_list_comes_back_as_it_was(tmp_path, dtype):
    path = str(tmp_path / "arrays")
    arrays = [nd.array([[1, 0], [3, 4]], dtype=dtype), nd.zeros((0, 3), dtype=dtype)]
    nd.save(path, arrays)
    for found, wanted in zip(nd.load(path), arrays, strict=True):
        assert found.dtype == wanted.dtype
        assert found.shape == wanted.shape
        np.testing.assert_array_equal(found.asnumpy(), wanted.asnumpy())


def test_every_truncated_file_is_rejected():
    for length in range(len(WRITTEN_BY_MXNET)):
        with pytest.raises(GluonError):
            nd.load_frombuffer(WRITTEN_BY_MXNET[:length])


def test_a_file_that_claims_more_than_it_holds_is_rejected_before_allocating():
    place = WRITTEN_BY_MXNET.index(struct.pack("<iq", 1, 2)) + 4
    huge = struct.pack("<q", 1 << 60)
    with pytest.raises(GluonError):
        nd.load_frombuffer(WRITTEN_BY_MXNET[:place] + huge + WRITTEN_BY_MXNET[place + 8 :])


def test_damaged_files_give_an_error_or_arrays_and_nothing_else():
    rng = random.Random(0)
    for _ in range(2000):
        damaged = bytearray(WRITTEN_BY_MXNET)
        for _ in range(rng.randint(1, 4)):
            damaged[rng.randrange(len(damaged))] = rng.randrange(256)
        try:
            found = nd.load_frombuffer(bytes(damaged))
        except GluonError:
            continue
        values = found.values() if isinstance(found, dict) else found
        assert all(isinstance(array, nd.NDArray) for array in values)


def test_a_shape_that_no_array_can_have_is_an_error(tmp_path):
    path = tmp_path / "arrays"
    nd.save(path, [nd.zeros((0, 3))])
    content = bytearray(path.read_bytes())
    place = content.index((3).to_bytes(8, "little"), 24)
    content[place : place + 8] = (2**62).to_bytes(8, "little")
    with pytest.raises(GluonError, match="has shape"):
        nd.load_frombuffer(bytes(content))


@pytest.mark.parametrize("path", [None, 3, nd.ones(1)])
def test_what_is_no_path_is_refused(path):
    for call in (lambda: nd.save(path, [nd.ones(1)]), lambda: nd.load(path)):
        with pytest.raises(GluonError, match="fname is a path, not"):
            call()


def test_a_file_that_is_not_there_is_an_error_of_gluon(tmp_path):
    with pytest.raises(GluonError, match="cannot find the file") as caught:
        nd.load(tmp_path / "nothing")
    assert isinstance(caught.value, FileNotFoundError)
