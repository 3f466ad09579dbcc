"""Sparse arrays in files and pickles: as MXNet writes them, and damaged."""

from __future__ import annotations

import copy
import pickle
from pathlib import Path

import numpy as np
import pytest

from gluon import GluonError, contrib, nd, nn
from recorded.make import HERE
from tests.nd.sparse.programs import ROWS, saved

CONTENT = (HERE / "sparse.params").read_bytes()


def test_files_are_those_of_the_oracle(tmp_path: Path) -> None:
    path = str(tmp_path / "arrays.params")
    nd.save(path, saved(nd))
    assert Path(path).read_bytes() == CONTENT


def test_files_of_the_oracle_load() -> None:
    found = nd.load_frombuffer(CONTENT)
    for name, wanted in saved(nd).items():
        got = found[name]
        assert (got.stype, got.dtype, got.shape) == (wanted.stype, wanted.dtype, wanted.shape)
        np.testing.assert_array_equal(got.asnumpy(), wanted.asnumpy())


def test_damaged_files_are_errors_or_whole_arrays() -> None:
    draw = np.random.default_rng(0)
    refused = 0
    for _ in range(600):
        damaged = bytearray(CONTENT)
        for place in draw.integers(0, len(CONTENT), draw.integers(1, 4)):
            damaged[place] = draw.integers(256)
        try:
            found = nd.load_frombuffer(bytes(damaged[: draw.integers(100, len(CONTENT) + 1)]))
        except GluonError:
            refused += 1
            continue
        for x in found.values():
            if x.stype != "default":
                x.check_format()
    assert refused > 300


@pytest.mark.parametrize("stype", ["csr", "row_sparse"])
def test_copies_and_pickles_keep_the_storage(stype: str) -> None:
    x = nd.array(ROWS).tostype(stype)
    for twin in (pickle.loads(pickle.dumps(x)), copy.copy(x), copy.deepcopy(x), x.copy()):
        assert (twin.stype, type(twin)) == (stype, type(x))
        np.testing.assert_array_equal(twin.asnumpy(), x.asnumpy())
    x.data[:] = 9
    x.indices[:] = 0
    x.check_format()
    np.testing.assert_array_equal(x.asnumpy(), np.float32(ROWS))


def test_a_pickle_with_wrong_indices_is_refused() -> None:
    x = nd.array(ROWS).tostype("csr")
    state = x.__getstate__() | {"indices": np.array([0, 9, 1, 0])}
    with pytest.raises(ValueError, match="indices from 0 to 9 are out of range for 3 columns"):
        x.__setstate__(state)


def test_parameters_with_stype_are_saved_with_it(tmp_path) -> None:
    path = str(tmp_path / "a.params")
    layer = contrib.nn.SparseEmbedding(3, 2)
    layer.initialize("ones")
    assert layer.weight.var().attr("__storage_type__") == "1"
    layer.save_parameters(path)
    (saved,) = nd.load(path).values()
    assert saved.stype == "row_sparse"
    for other in (contrib.nn.SparseEmbedding(3, 2), nn.Embedding(3, 2)):
        other.initialize("zeros")
        other.load_parameters(path)
        np.testing.assert_array_equal(other(nd.array([0, 2])).asnumpy(), np.ones((2, 2)))
