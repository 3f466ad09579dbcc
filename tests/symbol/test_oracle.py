"""Drawn graphs, beside what MXNet says of them: names, JSON, attributes, shapes."""

from __future__ import annotations

import gzip
import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from gluon import GluonError, sym
from gluon.mxnet.name import NameManager

from . import graphs

DATA = Path(__file__).resolve().parent.parent / "reference" / "symbol.json.gz"


@cache
def recorded() -> list[dict[str, Any]]:
    return json.loads(gzip.decompress(DATA.read_bytes()))


@cache
def described(seed: int) -> dict[str, Any]:
    with NameManager():
        symbol, given = graphs.drawn(sym, seed)
        return json.loads(json.dumps(graphs.described(symbol, given, GluonError)))


@pytest.mark.parametrize("seed", range(graphs.COUNT))
@pytest.mark.parametrize("what", ["names", "internals", "json", "attributes", "shapes"])
def test_a_graph_is_as_in_mxnet(seed: int, what: str) -> None:
    assert described(seed)[what] == recorded()[seed][what]


@pytest.mark.parametrize("seed", range(graphs.COUNT))
def test_what_is_known_in_part_is_right(seed: int) -> None:
    """MXNet refuses some graphs with an unknown axis, and takes its 0 for a length in others."""
    found, theirs = described(seed)["partial"], recorded()[seed]["partial"]
    assert found != "error"
    if theirs == "error":
        return
    for own, other in zip(found, theirs):
        for shape, expected in zip(own, other):
            if shape and expected:
                assert len(shape) == len(expected)
                assert all(n == m or 0 in (n, m) for n, m in zip(shape, expected))


def test_loading_gives_the_same_graph() -> None:
    for seed, one in enumerate(recorded()):
        text = json.dumps(one["json"])
        assert json.loads(sym.load_json(text).tojson()) == one["json"], seed
