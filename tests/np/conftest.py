"""The switches that tests of the NumPy interface run under."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from gluon import npx


@pytest.fixture
def numpy_interface() -> Iterator[None]:
    npx.set_np()
    yield
    npx.reset_np()


@pytest.fixture
def defaults_of_numpy() -> Iterator[None]:
    npx.set_np(dtype=True)
    yield
    npx.reset_np()
