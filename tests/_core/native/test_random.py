"""Compiled dropout: the numbers of NumPy's generator, to the last bit."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gluon import autograd, nd
from gluon._core.engine.op import TABLE
from gluon._core.kernels import parallel
from gluon._core.native.loading import library, status
from gluon._core.native.stand_ins import STAND_INS

pytestmark = pytest.mark.skipif(library is None, reason=f"no compiled kernels: {status}")


def compiled(x, **attributes):
    """Return the result of the library; fail if it falls back to the plain kernel."""

    def plain(*_, **__):
        pytest.fail("the library did not compute this")

    return STAND_INS["dropout_mask"](plain, x, **attributes)


@settings(max_examples=60)
@given(
    sizes=st.lists(st.sampled_from([8, 9, 511, 512, 513, 2000, 65_537]), min_size=1, max_size=4),
    p=st.sampled_from([0.0, 1e-9, 0.1, 0.5, 1 / 3, 0.999, 1 - 2**-24, 1 - 2**-26]),
    dtype=st.sampled_from(["float32", "float64"]),
    seed=st.integers(0, 1 << 64),
)
def test_masks_and_the_generator_after_them(sizes, p, dtype, seed):
    ours, numpys = (np.random.default_rng(seed) for _ in range(2))
    for n in sizes:
        x = np.ones(n, dtype)
        found = compiled(x, p=p, rng=ours)
        wanted = TABLE["dropout_mask"].fallback(x, p=p, rng=numpys)
        assert found.dtype == wanted.dtype
        np.testing.assert_array_equal(found, wanted)
        assert ours.bit_generator.state == numpys.bit_generator.state


@pytest.mark.parametrize("axes", [(0,), (-1,), (0, 2), ()])
def test_shared_axes(axes):
    x = np.ones((14, 15, 16), "float32").transpose(2, 0, 1)
    ours, numpys = (np.random.default_rng(1) for _ in range(2))
    found = compiled(x, p=0.4, axes=axes, rng=ours)
    wanted = TABLE["dropout_mask"].fallback(x, p=0.4, axes=axes, rng=numpys)
    np.testing.assert_array_equal(found, wanted)
    assert found.shape == wanted.shape


def test_masks_are_the_same_for_every_number_of_threads():
    found = []
    for threads in (1, 2, 5):
        before = parallel.set_threads(threads)
        found.append(compiled(np.ones(300_001, "f"), p=0.3, rng=np.random.default_rng(7)))
        parallel.set_threads(before)
    for one in found[1:]:
        np.testing.assert_array_equal(one, found[0])


@pytest.mark.parametrize(
    ("shape", "p", "source"),
    [((0,), 0.5, np.random.PCG64), ((9,), 1.0, np.random.PCG64), ((9,), 0.5, np.random.MT19937)],
)
def test_what_goes_to_the_plain_kernel(shape, p, source):
    ours, numpys = (np.random.Generator(source(3)) for _ in range(2))
    plain = TABLE["dropout_mask"].fallback
    x = np.ones(shape, "f")
    found = STAND_INS["dropout_mask"](plain, x, p=p, rng=ours)
    np.testing.assert_array_equal(found, plain(x, p=p, rng=numpys))


@pytest.mark.parametrize("attributes", [{"p": -0.1}, {"p": 1.5}, {"p": 0.5, "axes": (3,)}])
def test_errors_are_those_of_the_plain_kernel(attributes):
    x, rng = np.ones((2, 3), "f"), np.random.default_rng(0)
    with pytest.raises(ValueError, match=r"probability|out of range"):
        STAND_INS["dropout_mask"](TABLE["dropout_mask"].fallback, x, rng=rng, **attributes)


def test_the_gradient_is_dropped_as_the_values_are():
    x = nd.ones((50, 60))
    x.attach_grad()
    with autograd.record():
        y = nd.Dropout(x, p=0.5)
    y.backward()
    np.testing.assert_array_equal(x.grad.asnumpy(), y.asnumpy())
    assert 0.4 < (y.asnumpy() > 0).mean() < 0.6
