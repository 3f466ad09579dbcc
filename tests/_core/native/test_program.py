"""The executor of programs, with the sanitizers that look on here: drawn steps and layers."""

from __future__ import annotations

import numpy as np
import pytest

from gluon._core.native.loading import library
from gluon._core.program import loops
from tests._core.program.test_compiled import NETS, compare
from tests._core.program.test_drawn import compared
from tests.symbol.test_compiled import bound, pictures

pytestmark = pytest.mark.skipif(library is None, reason="needs the compiled library")


def test_the_loops_of_numpy_are_read():
    assert loops.READABLE


@pytest.mark.parametrize("seed", range(200, 212))
def test_drawn_steps_run_in_the_library(seed):
    compared(seed)


@pytest.mark.parametrize(
    "instruction",
    [
        (0, 4),
        (0, 4, 0, 1, (), (), (), ()),
        (0, 4, 64, 1, (), ((-1, 0, 0, 0, 0, 4, 0, 4),), (), ()),
        (0, 4, 64, 1, ((9, 0, 4, 0, (4,), (4,)),), (), (), ()),
        (0, 4, 64, 1, ((0, 0, 4, 5, (4,), (4,)),), (), (), ()),
        (1, 4, (0, 0, (4,), (4,)), (0, 0, (4,), (4,)), (0, 0, (4,), (4,))),
        (2, 1, 4, 1, 0, -8, 0, 0, 4),
        (3, 4, (0, 0, 4, 0, (4,) * 9, (4,) * 9), (0, 0, 4, 0, (4,), (4,))),
        (7, 4),
        (5, 4, 0, 0, 4, 1.0, 1.0),
        (5, 4, 0, 0, 4),
    ],
)
def test_an_instruction_that_does_not_fit_is_refused(instruction):
    with pytest.raises((TypeError, ValueError, IndexError)):
        library.Program((instruction,), (), 0, 64)


def test_another_arena_is_refused():
    program = library.Program((), (), 1, 64)
    for arena, arrays in ((np.zeros(8, np.uint8), (np.zeros(1),)), (np.zeros(64, np.uint8), ())):
        with pytest.raises((TypeError, ValueError)):
            program.run(arena, arrays, 0, 0, None, False)


@pytest.mark.parametrize("name", NETS)
def test_the_kernels_of_layers_run_in_the_library(name):
    compare(name)


def test_the_two_passes_of_an_executor_run_in_the_library(monkeypatch):
    one = bound(pictures(), (4, 2, 8, 8), True, monkeypatch)
    for _ in range(6):
        one.forward(is_train=True)
        one.backward()
        one.forward()
    assert [variant.failed for variant in one._bound.calls.variants.values()] == ["", ""]
