"""Random graphs have the names, JSON, attributes and shapes of MXNet."""

from __future__ import annotations

import gzip
import json
from functools import cache
from pathlib import Path
from typing import Any

from gluon import sym
from gluon.mxnet.name import NameManager
from tests.compared import assert_equal
from tests.each import each

from . import graphs

DATA = Path(__file__).resolve().parents[2] / "recorded" / "symbol.json.gz"


@cache
def recorded() -> list[dict[str, Any]]:
    return json.loads(gzip.decompress(DATA.read_bytes()))


@each("seed", range(graphs.COUNT))
def test_a_graph_is_as_in_mxnet(seed: int) -> None:
    with NameManager():
        symbol, given = graphs.drawn(sym, seed)
        found = json.loads(json.dumps(graphs.described(symbol, given)))
    for what in ("names", "internals", "json", "attributes", "shapes"):
        assert_equal(found[what], recorded()[seed][what], what)


@each("seed", range(graphs.COUNT))
def test_what_follows_without_the_batch_is_right(seed: int) -> None:
    with NameManager():
        symbol, given = graphs.drawn(sym, seed)
    found = symbol.infer_shape_partial(data=(0, *given["data"][1:]))
    for own, expected in zip(found, recorded()[seed]["shapes"]):
        for shape, whole in zip(own, expected):
            assert len(shape) in (0, len(whole))
            assert all(n in (0, m) for n, m in zip(shape, whole))
    assert any(map(any, found[0]))


def test_loading_gives_the_same_graph() -> None:
    for seed, one in enumerate(recorded()):
        text = json.dumps(one["json"])
        assert_equal(json.loads(sym.load_json(text).tojson()), one["json"], f"graph {seed}")
