"""Calls of every function of MXNet, made from its docstrings, end as they do in MXNet."""

from __future__ import annotations

import re
from collections import Counter

import numpy
import pytest

import gluon.mxnet
from tests.mxnet.compare_calls import STATED, differences
from tests.mxnet.difference_groups import reason


@pytest.mark.slow
def test_no_more_calls_differ_than_are_stated():
    with gluon.mxnet.installed(), numpy.printoptions():  # one of the calls sets them
        import mxnet as mx

        rows = differences(mx)
    assert [row for row in rows if reason(*row[:3]) is None] == []  # each has a reason
    found = Counter((kind, path) for kind, path, *_ in rows)
    lines = re.findall(r"^(\w+) (\S+) (\d+)$", STATED.read_text(encoding="utf-8"), re.MULTILINE)
    stated: Counter = Counter()
    for kind, path, number in lines:
        stated[kind, path] += int(number)
    assert {key: n for key, n in found.items() if n > stated[key]} == {}
