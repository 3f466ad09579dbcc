"""`round` and `rint` are exact for every float: plain, compiled, and in ONNX."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from gluon import nd
from gluon._core.engine.op import TABLE
from gluon._core.native.loading import library

HALF = Fraction(1, 2)
RULES = {
    "round": lambda x: math.copysign(math.floor(abs(x) + HALF), x),
    "rint": lambda x: math.ceil(x - HALF),
}
RULES["round_ste"] = RULES["round"]
INTEGERS = {"float16": np.int16, "float32": np.int32, "float64": np.int64}


def near_ties(dtype: str) -> np.ndarray:
    """The floats next to ties and integers of every size at which there are fractions or none."""
    if dtype == "float16":
        every = np.arange(1 << 16).astype(np.uint16).view(dtype)
        return every[np.isfinite(every)]
    powers = 2.0 ** np.arange(-3, np.finfo(dtype).nmant + 4)
    centres = np.concatenate([powers + k for k in (-1.5, -1, -0.5, 0, 0.5, 1, 1.5, 2, 3)])
    bits = centres.astype(dtype).view(INTEGERS[dtype])[:, None] + np.arange(-6, 7)
    found = bits[bits >= 0].astype(INTEGERS[dtype]).view(dtype)
    return np.concatenate([found, -found, np.zeros(1, dtype), -np.zeros(1, dtype)])


def kernels(name: str) -> list:
    compiled = [library.Elementwise(TABLE[name].fallback, name, 1)] if library else []
    return [TABLE[name].fallback, *compiled]


@pytest.mark.parametrize("dtype", INTEGERS)
@pytest.mark.parametrize("name", RULES)
def test_every_float_around_ties_is_rounded_exactly(name, dtype):
    x = near_ties(dtype)
    rule = RULES[name]
    wanted = np.array([math.copysign(rule(Fraction(float(v))), v) for v in x]).astype(dtype)
    for kernel in kernels(name):
        for found in (kernel(x), kernel(x[::-1].copy())[::-1]):
            np.testing.assert_array_equal(found, wanted)
            np.testing.assert_array_equal(np.signbit(found), np.signbit(wanted))
    for place in (0, 1, len(x) // 2):  # a single number, which is no array for NumPy
        assert TABLE[name].fallback(x[place].reshape(())) == wanted[place]


@pytest.mark.parametrize("name", RULES)
def test_what_is_not_finite_stays(name):
    x = np.array([np.inf, -np.inf, np.nan] * 8, np.float32)
    for kernel in kernels(name):
        with np.errstate(all="raise"):
            np.testing.assert_array_equal(kernel(x), x)


@pytest.mark.parametrize("name", ["round", "rint"])
def test_bfloat16_is_rounded_too(name):
    x = nd.array([0.75, 1.5, 2.5, -0.75, 200]).astype("bfloat16")
    found = getattr(nd, name)(x).astype("float32").asnumpy().tolist()
    assert found == ([1, 2, 3, -1, 200] if name == "round" else [1, 1, 2, -1, 200])
