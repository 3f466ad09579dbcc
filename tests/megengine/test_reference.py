"""Every function, layer and optimizer against what MegEngine 1.13 gave."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from gluon import megengine
from recorded.make import HERE, load
from tests.compared import assert_equal
from tests.each import each
from tests.megengine.programs import EXPRESSIONS, cotangent, evaluate, programs

REFERENCE = load(HERE / "megengine.npz")
PROGRAMS = programs()
#: How far apart the two may be, as a share of the value and absolutely.
NEAR = {"rtol": 2e-5, "atol": 2e-6}
LEARNED = {"rtol": 1e-3, "atol": 1e-4}
HALF = {"rtol": 2e-3, "atol": 2e-3}


#: Where MegEngine gives no gradient and gluon does: zeros, or the cotangent of what is passed on.
NO_GRADIENT = {
    "round(x)": [0, 0, 0],
    "F.ceil(x)": [0, 0, 0],
    "F.floor(x)": [0, 0, 0],
    "F.sign(x)": [0, 0, 0],
    "F.round(F.stack([p,x]))": [0, 0, 0],
    "F.dropout(x,0.0)": [*cotangent((3,))],
    "F.dropout(x,0.5,False)": [*cotangent((3,))],
    "F.mod(x,p)": [-3, 3 * np.cos(1), 0],
}


def assert_alike(got: list, want: list, near: dict = NEAR) -> None:
    assert [one.shape for one in got] == [one.shape for one in want]
    for one, other in zip(got, want):
        assert one.dtype == other.dtype
        assert_allclose(one, other, **(HALF if one.dtype == np.float16 else near))


@pytest.mark.filterwarnings("ignore:backward. no y was computed")  # some give constants
@each("expression", EXPRESSIONS)
def test_expression(expression):
    want, got = REFERENCE[expression], evaluate(megengine, expression)
    if all_exact(want["outputs"]):
        assert_equal(got["texts"], want["texts"], "texts")
    assert_alike(got["outputs"], want["outputs"])
    for ours, theirs in zip(got["grads"], want["grads"], strict=True):
        if theirs.size or not ours.size:
            assert_alike([ours], [theirs])
        else:
            assert_allclose(ours, NO_GRADIENT[expression], **NEAR)


def all_exact(arrays: list) -> bool:
    """Whether all values are whole numbers of 64ths: such are printed alike everywhere."""
    return all((one.astype(float) * 64 % 1 == 0).all() for one in arrays)


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name):
    want, results = REFERENCE[name], PROGRAMS[name](megengine)
    assert_equal([one for one in results if isinstance(one, str)], want["texts"], "texts")
    arrays = [one for one in results if not isinstance(one, str)]
    near = LEARNED if name == "training" else NEAR
    assert_alike([np.asarray(one) for one in arrays], want["outputs"], near)
