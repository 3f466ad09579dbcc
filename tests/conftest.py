"""Fixtures for all tests."""

from __future__ import annotations

import gc
from collections.abc import Generator, Iterator

import hypothesis
import numpy
import pytest

from gluon._core.engine.mode import Mode, mode, set_mode

# How long an example takes depends on what else the machine does.
hypothesis.settings.register_profile("untimed", deadline=None)
hypothesis.settings.load_profile("untimed")

#: Scripts that need other libraries or separate processes; tests next to them run them.
collect_ignore_glob = [
    *("clients/run_*.py", "clients/results.py", "clients/d2l/*.py"),
    *("*/programs/*.py", "*/scripts/*.py"),
]


def pytest_collection() -> None:
    """Disable garbage collection during test collection, which creates very many objects."""
    gc.disable()


def pytest_collection_finish() -> None:
    """Exclude these objects from every later garbage collection."""
    gc.enable()
    gc.collect()
    gc.freeze()


@pytest.hookimpl(optionalhook=True, wrapper=True)
def pytest_xdist_auto_num_workers() -> Generator[None, int, int]:
    """Start one worker more than there are cores: tests that start processes mostly wait."""
    return (yield) + 1


@pytest.fixture(autouse=True)
def recording_ends_with_the_test() -> Iterator[None]:
    """Fail a test that leaves a tape recording or the training flag on; reset both."""
    set_mode(Mode())
    yield
    left = mode()
    set_mode(Mode())
    assert not left.tapes, "the test ended while recording"
    assert not left.training, "the test ended in training mode"


@pytest.fixture(autouse=True)
def numpy_prints_as_ever() -> Iterator[None]:
    """Fail a test that leaves NumPy's print options changed; reset them."""
    before = numpy.get_printoptions()
    yield
    left = numpy.get_printoptions()
    numpy.set_printoptions(**before)
    assert left == before, "the test changed NumPy's print options"


@pytest.fixture
def no_cycle_collector() -> Iterator[None]:
    """Run a test with reference counting only, so that a reference cycle shows as a leak."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()
