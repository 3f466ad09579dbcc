"""Trees: taken apart and put together, compared, and named in messages."""

from __future__ import annotations

from collections import OrderedDict, defaultdict, namedtuple
from dataclasses import dataclass
from typing import Any

import pytest

from gluon import GluonError, nd, nn
from gluon.func import tree

Pair = namedtuple("Pair", "left right")


@dataclass
class Layer:
    weight: Any
    bias: Any

    def __post_init__(self):
        assert not isinstance(self.weight, str), "made anew"


TREES = [
    3,
    (1, [2, {"b": 3, "a": (4,)}], None),
    Pair(1, Pair(2, 3)),
    Layer(1, [2, 3]),
    OrderedDict(b=1, a=2),
    defaultdict(list, a=1),
    (),
]


@pytest.mark.parametrize("value", TREES, ids=str)
def test_leaves_put_back_give_the_tree(value):
    leaves, structure = tree.flatten(value)
    back = structure.unflatten(leaves)
    assert back == value
    assert type(back) is type(value)
    assert tree.structure(back) == structure
    assert hash(tree.structure(back)) == hash(structure)
    assert structure.num_leaves == len(leaves) == len(structure.paths)


def test_paths_are_written_as_in_python():
    value = {"w": [1, Pair(2, Layer(3, 4))]}
    assert tree.structure(value).paths == (
        "['w'][0]",
        "['w'][1].left",
        "['w'][1].right.weight",
        "['w'][1].right.bias",
    )


def test_structures_of_other_forms_differ():
    structures = [tree.structure(one) for one in TREES]
    for k, one in enumerate(structures):
        assert [k] == [place for place, other in enumerate(structures) if one == other]
    assert tree.structure([1, 2]) != tree.structure((1, 2))
    assert tree.structure(1) != "*"


def test_dicts_match_whatever_their_order():
    found = tree.map(lambda a, b: (a, b), {"x": 1, "y": 2}, {"y": 20, "x": 10})
    assert found == {"x": (1, 10), "y": (2, 20)}


def test_map_stops_at_what_counts_as_a_leaf():
    found = tree.map(len, {"a": [1, 2], "b": [3]}, is_leaf=lambda one: isinstance(one, list))
    assert found == {"a": 2, "b": 1}


def test_trees_of_other_forms_are_errors_that_name_the_place():
    with pytest.raises(GluonError, match=r"tree.map: tree 1 has another form.*it lacks \['b'\]"):
        tree.map(lambda a, b: a, {"a": 1, "b": 2}, {"a": 1})
    with pytest.raises(GluonError, match=r"it has \[1\] too"):
        tree.map(lambda a, b: a, [1], [1, 2])
    with pytest.raises(GluonError, match="1 leaves for a structure with 2"):
        tree.unflatten(tree.structure((1, 2)), [1])


def test_other_classes_are_nodes_once_they_are_registered():
    class Box:
        def __init__(self, held):
            self.held = held

    assert tree.leaves([Box(1)])[0].held == 1
    tree.register(Box, lambda box: ([box.held], None), lambda _, parts: Box(*parts))
    assert tree.leaves([Box({"a": 1})]) == [1]
    assert tree.map(lambda x: x + 1, Box(1)).held == 2
    with pytest.raises(GluonError, match="Box is a node of trees already"):
        tree.register(Box, lambda box: ([], None), lambda _, parts: Box(None))
    with pytest.raises(GluonError, match="give a class, not int"):
        tree.register(3, lambda box: ([], None), lambda _, parts: None)


def test_parameters_of_a_network_are_the_arrays_that_are_learned():
    layer = nn.BatchNorm(in_channels=2, prefix="norm_")
    layer.initialize()
    found = tree.map(lambda x: x.shape, layer.collect_params())
    assert found == {"norm_gamma": (2,), "norm_beta": (2,)}


def test_arrays_are_leaves():
    assert tree.structure(nd.ones((2, 3))).num_leaves == 1
