"""Sparse arrays behave as MXNet's: classes, creation, methods, and the storage of results."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

import gluon.mxnet
from gluon import nd
from gluon._core.arrays import storage
from recorded.make import HERE
from tests.each import each
from tests.nd.sparse.programs import INTERNAL, PROGRAMS, outcome

REFERENCE = json.loads((HERE / "sparse.json").read_text())
#: Programs that differ on purpose: see `docs/differences.md`.
DIFFERS = {
    **dict.fromkeys(
        ["add(c, c)", "c + c", "c - c", "c * c"]
        + [f"nd.elemwise_{name}(c, c)" for name in ("add", "sub", "mul")],
        "MXNet's columns are not in order, or not written at all",
    ),
    **dict.fromkeys(["d * c", "d * r"], "stored as the sparse factor, as r * d is"),
    'nd.zeros((4, 3), stype="csr").copyto(r)': "simply works",
    "nd.dot(c, d.tostype('row_sparse'), transpose_a=True, forward_stype='default')": "works",
    **{f"nd.dot(d.T, c{stype})": "zeros are not stored" for stype in ("", ", forward_stype='csr'")},
    "nd.dot(c, m[:, 0], forward_stype='row_sparse')": "an error, as without forward_stype",
}


@each("program", [one for one in PROGRAMS if one not in DIFFERS])
def test_as_the_oracle(program: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(storage.VARIABLE, "0")
    with np.errstate(all="ignore"):
        want, got = REFERENCE[program], gives(program)
    if "value" in want and "gluon" not in str(got.get("value")):
        assert got == want
        return
    assert got.keys() == want.keys()
    assert [got.get(key) for key in ("stype", "dtype", "shape")] == [
        want.get(key) for key in ("stype", "dtype", "shape")
    ]
    for key in ("values", "data", "indices", "indptr"):
        given, wanted = (np.array(x.get(key, []), float) for x in (got, want))
        np.testing.assert_allclose(given, wanted, rtol=1e-5, atol=1e-7)


def gives(program: str) -> dict[str, Any]:
    if program not in INTERNAL:
        return outcome(program, nd)
    with gluon.mxnet.installed():
        import mxnet

        return outcome(program, mxnet.nd)
