"""Tensors in host memory play the GPUs, where PyTorch is installed."""

from __future__ import annotations

import pytest

from gluon import gpu


@pytest.fixture(autouse=True)
def played(monkeypatch):
    """Two GPUs, in host memory."""
    monkeypatch.setenv("GLUON_DEVICE", "torch:cpu")


@pytest.fixture
def device(played):
    """The first of them, as the default context."""
    with gpu(0) as ctx:
        yield ctx
