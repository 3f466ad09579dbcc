"""Models of MXNet's examples on sparse data end with MXNet's numbers."""

from __future__ import annotations

import warnings

import pytest

import gluon.mxnet
from gluon._core.arrays import storage
from recorded.make import HERE, load
from tests.distributed.jobs import needs_mpi, passes
from tests.each import each
from tests.nd.sparse.models import programs
from tests.nn.replay import assert_as

PROGRAMS = programs()
REFERENCE = load(HERE / "sparse_models.npz")


@each("name", PROGRAMS)
def test_one_process(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(storage.VARIABLE, "0")
    with gluon.mxnet.installed(), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of modules that do not prepare
        import mxnet

        found = PROGRAMS[name](mxnet)
    texts = [one for one in found if isinstance(one, str)]
    arrays = [getattr(one, "raw", one) for one in found if not isinstance(one, str)]
    # Sums of a few steps, which MXNet adds up in another order.
    assert_as(REFERENCE[name], texts, arrays, 2e-4, 2e-5)


@needs_mpi
@pytest.mark.slow
def test_several_processes() -> None:
    passes("sparse_models", 2, hook="mxnet")
