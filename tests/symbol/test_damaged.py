"""Damaged JSON of symbols gives a symbol, or an error of gluon; never another error."""

from __future__ import annotations

import contextlib
import json
import re
import warnings
from collections.abc import Callable
from copy import deepcopy
from functools import cache
from math import prod
from random import Random
from typing import Any

import numpy as np

import gluon
from gluon import GluonError, sym
from tests.each import each

from . import graphs, loops

#: How many damaged graphs are read.
COUNT = 3000
#: What replaces the text of an attribute.
TEXTS = (
    *("", "None", "null", "(null)", "()", "(1,1", "(1, 1)", "((1,),)", "[None]", "(None, None)"),
    *("-1", "0", "2", "1.5", "nan", "inf", "1e400", "9" * 5000, "0x10", "True", "true", "abs"),
    *("(" * 500, "[" * 500, "float32", "float33", "i4,i4", "O", "V8", "bfloat16", "\0", "\u0663"),
    *('["zero", {}]', "lambda: 0", "(0,)", "(-5, 3)", "(1000000, 1000000)", "10000000000000"),
)
#: What replaces any value.
VALUES: tuple[Any, ...] = (
    *(None, True, 0, -1, 1.5, 10**30, "", "null", "relu", [], {}, [0], [[0, 0, 0]], {"a": "b"}),
    *([0, 0, 0], "UpSampling", "_zeros", "Custom", "_foreach", "SliceChannel", "_arange", "RNN"),
)


@cache
def sources() -> list[str]:
    """The JSON of some graphs, those with graphs inside among them."""
    drawn = [graphs.drawn(sym, seed)[0] for seed in range(60)]
    inner = [make(sym)[0] for make in loops.CASES]
    return [one.tojson() for one in (*drawn, *inner, *(sym.Group([one()]) for one in MORE))]


def _x(**shape: Any) -> Any:
    return sym.var("x", **shape)


#: Operators whose arguments decide about their inputs, outputs or arrays.
MORE: tuple[Callable[[], Any], ...] = (
    lambda: sym.UpSampling(_x(shape=(1, 2, 3, 3)), scale=2, sample_type="nearest"),
    lambda: sym.zeros((2, 3), dtype="int32") + _x(dtype="int32"),
    lambda: sym.arange(0, 4) + sym.linspace(0, 1, 4) + sym.full((4,), 3),
    lambda: sym.RNN(_x(shape=(2, 1, 3)), state_size=2, num_layers=1, mode="lstm"),
    lambda: sym.Convolution(_x(shape=(1, 2, 5, 5)), num_filter=2, kernel=(3, 3)),
    lambda: sym.topk(_x(shape=(2, 3)), k=2, ret_typ="both")[0],
    lambda: sym.split_v2(_x(shape=(4, 3)), (1, 2))[1],
    lambda: sym.random.uniform(0, 1, shape=(2, 2)),
    lambda: sym.Embedding(_x(shape=(3,)), input_dim=4, output_dim=2),
    lambda: sym.slice(_x(shape=(3, 4)), begin=(0, None), end=(2, 3)),
    lambda: sym.np.einsum("ij,jk->ik", _x().as_np_ndarray(), sym.var("y").as_np_ndarray()),
    lambda: sym.np.ones((2, 3)).sum(axis=(0, 1)).as_nd_ndarray(),
)


def damaged(random: Random, graph: Any) -> None:
    """Change one value in a graph."""
    places = list(_places(graph))
    texts = [place for place in places if isinstance(place[0][place[1]], str)]
    chosen = texts if texts and random.random() < 0.5 else places
    if not chosen:  # an earlier damage left nothing
        return
    where, key = random.choice(chosen)
    old, kind = where[key], random.random()
    if kind < 0.15:
        del where[key]
    elif isinstance(old, str) and kind < 0.8:
        where[key] = random.choice((*TEXTS, _cut(random, old)))
    elif isinstance(old, int) and kind < 0.6:
        where[key] = old + random.choice((-1, 1, 100))
    else:
        where[key] = deepcopy(random.choice(VALUES))


def _cut(random: Random, text: str) -> str:
    at = random.randrange(len(text) + 1)
    return text[:at] + random.choice(("", "(", ")", ",", "9", "-", "x")) + text[at + 1 :]


def _places(value: Any) -> Any:
    """Yield each container inside of `value` with each of its keys."""
    for key in list(value) if isinstance(value, dict) else range(len(value)):
        yield value, key
        if isinstance(value[key], (dict, list)):
            yield from _places(value[key])


def use(text: str) -> None:
    """Load a symbol, ask it for everything, and run it where it is small."""
    symbol = sym.load_json(text)
    symbol.tojson()
    for ask in (
        symbol.attr_dict,
        symbol.debug_str,
        symbol.argument_shapes,
        symbol.infer_shape,
        symbol.infer_type,
        symbol.get_internals().list_outputs,
        lambda: symbol.infer_shape(data=(2, 2, 2)),
        lambda: _run(symbol),
    ):
        with contextlib.suppress(GluonError):
            ask()


def _run(symbol: Any) -> None:
    if large(symbol):
        return
    given = {name: (2, 2) for name in symbol.list_arguments()[:1] if not symbol.infer_shape()[0]}
    symbol.simple_bind(gluon.cpu(), **given).forward(is_train=True)


def large(symbol: Any) -> bool:
    """Whether an attribute holds a number that may take long, or much memory."""
    numbers = re.findall(r"[\d.]+(?:e\d+)?", json.dumps(symbol.attr_dict()))
    shapes = symbol.get_internals().infer_shape_partial()[1]
    return any(prod(shape) > 10**5 for shape in shapes) or any(len(one) > 5 for one in numbers)


def read_damaged(seed: int) -> None:
    """Damage one of the sources, and use what is read."""
    random = Random(seed)
    graph = json.loads(random.choice(sources()))
    for _ in range(random.choice((1, 1, 2, 4))):
        damaged(random, graph)
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        with contextlib.suppress(GluonError):
            use(json.dumps(graph))


@each("seed", range(COUNT), few=10)
def test_damaged_json_raises_errors_of_gluon(seed: int) -> None:
    read_damaged(seed)
