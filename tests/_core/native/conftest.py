"""Here, native kernels run even for few values."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from gluon._core.native import loading


@pytest.fixture(scope="module", autouse=True)
def _few_values_are_enough() -> Iterator[None]:
    before, loading.LEAST = loading.LEAST, 1
    yield
    loading.LEAST = before
