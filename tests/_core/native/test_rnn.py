"""Compiled recurrent layers and their gradients against the plain ones."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gluon._core.engine.op import KERNELS, TABLE
from gluon._core.native.loading import library, status
from gluon._core.native.stand_ins import STAND_INS
from gluon._core.ops import rnn

pytestmark = pytest.mark.skipif(library is None, reason=f"no compiled kernels: {status}")

GATES = {"lstm": 4, "gru": 3, "rnn": 1}
#: The rules, over raw arrays: what their compiled kernels stand in for.
RULES = {"lstm": rnn._lstm, "gru": rnn._gru, "rnn": rnn._rnn}
sizes = st.tuples(
    st.sampled_from([1, 2, 5]), st.sampled_from([1, 2, 7, 13, 40]), st.sampled_from([1, 3, 32, 45])
)


def compiled(name: str, *inputs, **attributes):
    """Return the result of the library; fail if it falls back to the plain kernel."""

    def plain(*_, **__):
        pytest.fail(f"{name}: the library did not compute this")

    return STAND_INS[name](plain, *inputs, **attributes)


def inputs_of(cell: str, size: tuple[int, int, int], seed: int) -> list[np.ndarray]:
    """x, weight, bias for a GRU, h, and c for an LSTM."""
    rng = np.random.default_rng(seed)
    steps, batch, units = size
    wide = GATES[cell] * units
    shapes = [(steps, batch, wide), (wide, units), (wide,), (batch, units), (batch, units)]
    arrays = [rng.normal(size=shape).astype("float32") for shape in shapes]
    arrays[1] /= np.float32(units) ** 0.5
    return arrays[:2] + arrays[2:3] * (cell == "gru") + arrays[3:4] + arrays[4:] * (cell == "lstm")


def close(found, wanted, tolerance=1e-4):
    for a, b in zip(found, wanted):
        assert (a is None) == (b is None)
        if a is not None:
            assert a.dtype == np.float32
            assert a.shape == b.shape
            np.testing.assert_allclose(a, b, tolerance, tolerance)


def wide(arrays):
    return [x if x is None else x.astype("float64") for x in arrays]


@pytest.mark.parametrize("cell", GATES)
@settings(max_examples=30)
@given(size=sizes, seed=st.integers(0, 1 << 30), data=st.data())
def test_drawn_layers_and_their_gradients(cell, size, seed, data):
    arrays = inputs_of(cell, size, seed)
    act = {"act": data.draw(st.sampled_from(["tanh", "relu"]))} if cell == "rnn" else {}
    if data.draw(st.booleans()):  # not contiguous
        arrays = [np.asfortranarray(x) for x in arrays]
    found = compiled(f"{cell}_scan", *arrays, **act)
    exact = TABLE[f"{cell}_scan"].fallback(*wide(arrays), **act)
    many = [found] if cell == "rnn" else list(found)
    close(many, [exact] if cell == "rnn" else exact)
    rng = np.random.default_rng(seed)
    cotangents = [rng.normal(size=many[0].shape).astype("float32"), None, None]
    if cell == "lstm" and (present := data.draw(st.integers(0, 2))):
        cotangents[1] = rng.normal(size=many[0].shape).astype("float32")
        cotangents[0] = cotangents[0] if present == 1 else None
    kept = [x for k, x in enumerate(arrays) if k and not (cell == "gru" and k == 2)]

    def gradient(call, to):
        """The result of `call`, a rule, with its arrays converted by `to`."""
        g, y, rest = tuple(to(cotangents)), tuple(to(many)), to(kept)
        if cell == "rnn":
            return call(g[0], *rest, y[0], act["act"])
        if cell == "lstm":
            return call(g, *rest, None, y, None)
        return call(g, *rest, y)

    plain = partial(RULES[cell], KERNELS)
    close(gradient(partial(compiled, f"{cell}_scan_grad"), list), gradient(plain, wide), 1e-3)


@pytest.mark.parametrize("cell", GATES)
def test_results_are_the_same_for_every_number_of_threads(cell):
    arrays = inputs_of(cell, (3, 20, 200), 0)
    act = {"act": "tanh"} if cell == "rnn" else {}
    found = []
    for threads in (1, 2, 5):
        library.set_threads(threads)
        found.append(np.asarray(compiled(f"{cell}_scan", *arrays, **act)[0]))
    for one in found[1:]:
        np.testing.assert_array_equal(one, found[0])


def test_nan_goes_on_to_later_steps_and_infinities_saturate():
    x, weight, h, c = inputs_of("lstm", (3, 2, 5), 0)
    x[1, 0, 2], x[0, 1] = np.nan, np.inf
    found = compiled("lstm_scan", x, weight, h, c)
    close(found, TABLE["lstm_scan"].fallback(x, weight, h, c))
    states = compiled("rnn_scan", x[:, :, :5], weight[:5], h, act="relu")
    with np.errstate(invalid="ignore"):
        close([states], [TABLE["rnn_scan"].fallback(x[:, :, :5], weight[:5], h, act="relu")])


@pytest.mark.parametrize("cell", GATES)
def test_shapes_that_do_not_fit_are_left_to_the_plain_kernel(cell):
    arrays = inputs_of(cell, (2, 3, 4), 0)
    act = {"act": "tanh"} if cell == "rnn" else {}
    for k in range(len(arrays)):
        wrong = [x[..., :-1] if j == k else x for j, x in enumerate(arrays)]
        left = []
        STAND_INS[f"{cell}_scan"](lambda *a, left=left, **_: left.append(a), *wrong, **act)
        assert left
    left = []
    doubles = [x.astype("float64") for x in arrays]
    STAND_INS[f"{cell}_scan"](lambda *a, **_: left.append(a), *doubles, **act)
    assert left
