"""Valid and invalid lines of the operator table."""

from __future__ import annotations

import numpy as np
import pytest

from gluon import nd
from gluon._core.engine.op import KERNELS, RECORDED, TABLE, define
from gluon._core.errors import ArgumentError


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ({"x": lambda x, g: g}, r"a rule takes \(F, g, ...\) or \(g, ...\), not \['x', 'g'\]"),
        ({"x": lambda F, x: x}, r"not \['F', 'x'\]"),
        ({"x": lambda g, z: g}, "a gradient rule asks for 'z', which the kernel lacks"),
        ({"x": lambda g, x_size: g}, "asks for 'x_size'"),
        ({"z": lambda g: g}, r"gradient rules for \['z'\], inputs are \('x',\)"),
    ],
)
def test_a_rule_that_cannot_be_followed_is_named(rules, message):
    with pytest.raises(TypeError, match=message):
        define("unruly", lambda x, *, scale=1: x, **rules)
    assert "unruly" not in TABLE
    assert not hasattr(KERNELS, "unruly")


def test_an_operator_shows_its_name():
    assert repr(TABLE["add"]) == "<Op add>"


def test_numbers_alone_are_no_input():
    with pytest.raises(ArgumentError, match=r"concat\(xs\[0\]: int, xs\[1\]: int\)"):
        RECORDED.concat(1, 2)


def test_a_number_too_long_to_show_is_described():
    with pytest.raises(ArgumentError, match="x2=an integer of 2001 bits"):
        nd.ones((2,)) + 2**2000


class Homeless:
    """A kernel that has no module, as the ufuncs of NumPy below 2.2."""

    __code__ = (lambda x: x).__code__
    __kwdefaults__ = None

    @property
    def __module__(self):
        raise AttributeError("__module__")

    def __call__(self, x):
        return x + 2


def test_a_kernel_may_have_no_module():
    try:
        plus_two = define("plus_two", Homeless())
        assert plus_two(nd.ones((2,))).asnumpy().tolist() == [3, 3]
        assert not plus_two.op.takes_sparse
    finally:
        TABLE.pop("plus_two", None)
        for names in (KERNELS, RECORDED):
            if hasattr(names, "plus_two"):
                delattr(names, "plus_two")


def test_two_operators_of_one_name_are_an_error():
    with pytest.raises(TypeError, match="exp: there is an operator of this name already"):
        define("exp", np.exp)
