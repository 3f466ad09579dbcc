"""Programs: their results, and the memory that they use."""

from __future__ import annotations

import numpy as np
import pytest

from gluon import nd, sym
from gluon._core.arrays.base import as_list
from gluon.mxnet.name import NameManager
from gluon.symbol.node import Entry
from gluon.symbol.program import Program

from . import graphs

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")


def branching():
    x, y = sym.var("x"), sym.var("y")
    a, _, c = sym.split(x * 2, num_outputs=3)  # of which one is never read
    shared = sym.exp(a) + c
    return sym.Group([sym.broadcast_add(shared * shared, y), x, shared, sym.concat(a, c, shared)])


def values(shapes):
    random = np.random.RandomState(0)
    return {name: nd.array(random.uniform(0.5, 1.5, shape)) for name, shape in shapes.items()}


def by_hand(program, arrays):
    """The value of each output of each node, all kept."""
    found = {}
    for node in program._order:
        if node.op is None:
            found[Entry(node, 0)] = arrays[node.name]
            continue
        results = as_list(node.op.bound(node)(*[found[entry] for entry in node.inputs]))
        found.update((Entry(node, k), one) for k, one in enumerate(results))
    return found


def cases():
    yield branching(), {"x": (2, 3), "y": (1, 1)}
    for seed in range(0, graphs.COUNT, 8):
        with NameManager():
            symbol, given = graphs.drawn(sym, seed)
        names = symbol.list_arguments() + symbol.list_auxiliary_states()
        shapes, _, states = symbol.infer_shape(**given)
        yield symbol, dict(zip(names, shapes + states))


CASES = list(cases())


@pytest.mark.parametrize("case", range(len(CASES)))
@pytest.mark.parametrize("watched", [False, True])
def test_it_computes_every_node(case, watched):
    symbol, shapes = CASES[case]
    arrays, seen = values(shapes), []
    program = Program(symbol._heads)
    expected = by_hand(program, arrays)

    def watch(node, given, results):
        assert all(one is not None for one in given)
        seen.append(node)
        for k, one in enumerate(results):
            np.testing.assert_array_equal(one.asnumpy(), expected[Entry(node, k)].asnumpy())

    outputs = program.run([arrays[name] for name in program.inputs], watch if watched else None)
    for head, one in zip(symbol._heads, outputs):
        np.testing.assert_array_equal(one.asnumpy(), expected[head].asnumpy())
    assert seen == [node for node in program._order if node.op] * watched


@pytest.mark.parametrize("case", range(len(CASES)))
def test_it_holds_what_is_read_later_and_no_more(case):
    symbol, shapes = CASES[case]
    arrays = values(shapes)
    program = Program(symbol._heads)
    given = [arrays[name] for name in program.inputs]
    slots = [*given, *program._blank]
    made = set()
    for k, (step, run) in enumerate(zip(program.steps, program._runs)):
        run(slots)
        made |= {Entry(step.node, j) for j in range(len(step.outputs))}
        later = {entry for other in program.steps[k + 1 :] for entry in other.node.inputs}
        held = [one for one in slots[len(given) :] if one is not None]
        assert len(held) == len(made & (later | {*symbol._heads}))


def test_a_chain_has_one_slot():
    x = sym.var("x")
    for _ in range(100):
        x = sym.tanh(x) * 2
    assert len(Program(x._heads)._blank) == 1
