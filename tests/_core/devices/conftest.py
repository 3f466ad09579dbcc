"""Two GPUs in host memory: arrays of NumPy, and tensors of PyTorch where it is installed."""

from __future__ import annotations

from importlib.util import find_spec

import pytest

from gluon import gpu

STRICT, TENSORS = "numpy:strict", "torch:cpu"

#: Tensors that are made of PyTorch's.
collect_ignore_glob = [] if find_spec("torch") else ["rehearsal.py"]


@pytest.fixture(autouse=True, params=[STRICT, TENSORS] if find_spec("torch") else [STRICT])
def played(request, monkeypatch):
    """What plays the GPUs."""
    monkeypatch.setenv("GLUON_DEVICE", request.param)
    return request.param


@pytest.fixture
def device(played):
    """The first of them, as the default context."""
    with gpu(0) as ctx:
        yield ctx
