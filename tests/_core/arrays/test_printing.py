"""``repr`` and ``str``: character by character what the oracle prints."""

from __future__ import annotations

import pytest

from gluon import cpu, nd
from tests._core.arrays.programs import PRINTING
from tests._core.arrays.replay import assert_as_the_oracle, programs


@pytest.mark.parametrize("program", programs(PRINTING, {}))
def test_prints_as_the_oracle(program):
    assert_as_the_oracle(program)


def test_the_device_and_every_axis_are_printed():
    assert repr(nd.zeros((1, 2), ctx=cpu(3))).endswith("<NDArray 1x2 @cpu(3)>")


def test_an_empty_array_is_printed():
    assert repr(nd.zeros((0, 2))) == "\n[]\n<NDArray 0x2 @cpu(0)>"
