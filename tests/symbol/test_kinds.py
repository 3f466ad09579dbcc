"""What a function of symbols is follows from that of arrays; the tables state what differs."""

from __future__ import annotations

import pytest

from gluon import nd
from gluon._core.faces.kinds import KINDS
from gluon.symbol import contrib, nd_functions, random
from gluon.symbol.infer import RULES
from gluon.symbol.operator import OPERATORS
from gluon.symbol.shapes import BY_KIND


def test_no_rule_for_shapes_repeats_what_the_kind_of_a_function_says():
    repeated = [
        name
        for name, rule in RULES.items()
        if name in OPERATORS and rule is BY_KIND[KINDS.get(OPERATORS[name].function, "")]
    ]
    assert repeated == []


def test_every_rule_for_shapes_belongs_to_an_operator():
    assert RULES.keys() - OPERATORS.keys() == set()


@pytest.mark.parametrize(
    ("names", "module", "start"),
    [
        (nd_functions._NAMES, nd, ""),
        (contrib._NAMES, nd.contrib, "_contrib_"),
        (random._NAMES, nd.random, "_random_"),
    ],
    ids=["nd", "contrib", "random"],
)
def test_only_names_that_differ_in_files_are_stated(names, module, start):
    for name, own in names.items():
        assert getattr(module, name) in KINDS
        assert own != start + name
        assert own in OPERATORS


def test_another_name_of_a_function_is_of_the_same_kind():
    for name, other in (("Cast", "cast"), ("BlockGrad", "stop_gradient"), ("reverse", "flip")):
        assert KINDS[getattr(nd, name)] == KINDS[getattr(nd, other)] == "alike"
