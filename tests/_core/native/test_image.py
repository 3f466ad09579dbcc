"""Resizing of byte images: the compiled kernel gives the bytes of the plain one."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gluon._core.kernels import image, steps
from gluon._core.native.loading import library, status

pytestmark = pytest.mark.skipif(library is None, reason=f"no compiled kernels: {status}")


def resized(x, size, interp, stand_in):
    """The image computed with a stand-in for `weigh_bytes`, and whether the stand-in was called."""
    asked = []

    def run(plain, *inputs):
        asked.append(inputs)
        return stand_in(plain, *inputs)

    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(steps.STAND_INS, "weigh_bytes", run)
        return image.resize(x, size=size, interp=interp), bool(asked)


def left_to_numpy(*_):
    pytest.fail("the library did not compute this")


def compare(x, size, interp):
    compiled = steps.STAND_INS["weigh_bytes"]
    wanted, asked = resized(x, size, interp, lambda plain, *inputs: plain(*inputs))
    found, _ = resized(x, size, interp, lambda _, *inputs: compiled(left_to_numpy, *inputs))
    np.testing.assert_array_equal(found, wanted)
    return found, asked


@settings(max_examples=200)
@given(st.data())
def test_drawn_pictures(data):
    sides = st.sampled_from([1, 2, 3, 8, 17, 40])
    height, width, *size = (data.draw(sides) for _ in range(4))
    batch, channels = data.draw(st.sampled_from([(), (3,)])), data.draw(st.sampled_from([1, 3, 4]))
    rng = np.random.default_rng(data.draw(st.integers(0, 1 << 30)))
    most = data.draw(st.sampled_from([2, 256]))
    x = rng.integers(0, most, (*batch, height, width, channels)).astype(np.uint8) * (257 - most)
    x = x.astype(np.uint8)
    if data.draw(st.booleans()):  # reversed: not contiguous
        x = x[..., ::-1, :]
    interp = data.draw(st.sampled_from([image.LINEAR, image.CUBIC, image.AREA, image.LANCZOS]))
    compare(x, tuple(size), interp)


def test_pictures_are_the_same_for_every_number_of_threads():
    x = np.random.default_rng(0).integers(0, 256, (2, 300, 200, 3)).astype(np.uint8)
    found = []
    for threads in (1, 2, 3, 7):
        library.set_threads(threads)
        found.append(compare(x, (250, 400), image.CUBIC))
    assert all(asked for _, asked in found)
    for one, _ in found[1:]:
        np.testing.assert_array_equal(one, found[0][0])


def test_an_empty_batch_is_left_to_numpy():
    x = np.zeros((0, 20, 30, 3), np.uint8)
    assert image.resize(x, size=(40, 50), interp=image.LINEAR).shape == (0, 40, 50, 3)
