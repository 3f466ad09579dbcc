"""Compiled steps of optimizers against the plain ones: several weights of any size and value."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gluon import nd
from gluon._core.engine.array import wrap
from gluon._core.engine.inplace import join
from gluon._core.engine.node import Variable
from gluon._core.kernels.optimizer import at_rows, each
from gluon._core.native.loading import library, status
from gluon._core.native.stand_ins import STAND_INS
from gluon._core.ops import optimizer as steps
from gluon._core.ops.optimizer import Step
from gluon.nd import NDArray
from tests._core.native.plain import refuse

pytestmark = pytest.mark.skipif(library is None, reason=f"no compiled kernels: {status}")

STEPS = [
    step
    for step in vars(steps).values()
    if isinstance(step, Step) and step.kernel.__name__ in STAND_INS
]
NAMED = {"shares": (0.5, 0.4, 2.0), "t": 3, "lr": 0.1, "eta": 0.5}
SPECIAL = [0.0, -0.0, np.inf, -np.inf, np.nan, 1e-42, 1e15]
#: The tolerance of values.
TOLERANCE = {"float32": 2e-5, "float64": 1e-12}


def compiled(step: Step, rows: list) -> None:
    """Run the steps in the library; fail if it falls back to the plain kernel."""

    def plain(_: list) -> None:
        pytest.fail(f"{step.name}: the library did not compute this")

    STAND_INS[step.kernel.__name__](plain, rows)


def drawn_settings(draw, step: Step) -> dict:
    own = {name: NAMED[name] for name in step.settings if name in NAMED}
    for name, choices in {
        "wd": [0.0, 0.1],
        "clip_gradient": [-1.0, 0.0, 0.5, np.inf],
        "clip_weights": [-1.0, 0.7],
        "rescale_grad": [1.0, 0.25],
        "momentum": [0.0, 0.9],
        "wd_lh": [0.0, 0.1],
    }.items():
        if name in step.settings:
            own[name] = draw(st.sampled_from(choices))
    return own


def drawn_arrays(draw, step: Step, dtype: str) -> tuple:
    rng = np.random.default_rng(draw(st.integers(0, 1 << 30)))
    shape = draw(st.sampled_from([(), (0,), (1,), (7, 3), (70, 1), (2, 301)]))
    count = len(step.arrays)
    if step is steps.dcasgd and draw(st.booleans()):
        count -= 1  # without momentum
    found = [np.asarray(rng.uniform(0.1, 2, shape)) for _ in range(count)]
    found[1] = np.asarray(rng.normal(size=shape))
    if step is steps.rmsprop_centered:
        found[2] += 5  # the mean of the squares is above the square of the mean
    if draw(st.booleans()):
        for x in found[:2]:
            places = np.asarray(rng.random(shape) < 0.1)
            x[places] = rng.choice(SPECIAL, places.sum())
    grad = "float16" if draw(st.booleans()) else dtype
    with np.errstate(all="ignore"):
        return tuple(x.astype(grad if k == 1 else dtype) for k, x in enumerate(found))


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.kernel.__name__)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@settings(max_examples=10)
@given(data=st.data())
def test_drawn_steps_of_several_weights(step, dtype, data):
    count = data.draw(st.sampled_from([1, 2, 5]))
    rows = [
        (drawn_arrays(data.draw, step, dtype), drawn_settings(data.draw, step))
        for _ in range(count)
    ]
    size = len(rows[0][0])
    rows = [row for row in rows if len(row[0]) == size]
    compare(step, rows, TOLERANCE[dtype])


def compare(step: Step, rows: list, tolerance: float) -> None:
    """Run the steps in the library and, on copies, in NumPy."""
    copies = [(tuple(x.copy() for x in arrays), given) for arrays, given in rows]
    with np.errstate(all="ignore"):
        compiled(step, rows)
        each(step.kernel)(copies)
    for (arrays, _), (wanted, _) in zip(rows, copies):
        for got, want in zip(arrays, wanted):
            np.testing.assert_allclose(got, want, tolerance, tolerance)


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.kernel.__name__)
@pytest.mark.parametrize("grad", ["float16", "float32"])
def test_large_weights_are_computed_in_parts(step, grad):
    rng = np.random.default_rng(0)
    arrays = [rng.uniform(0.1, 2, 70_001).astype("float32") for _ in step.arrays]
    arrays[1] = arrays[1].astype(grad)
    if step is steps.rmsprop_centered:
        arrays[2] += 5
    given = {name: NAMED[name] for name in step.settings if name in NAMED}
    sizes = (0, 70_001, 0, 5, 32_768, 40_000, 0)
    rows = [(tuple(x[:size].copy() for x in arrays), given) for size in sizes]
    compare(step, rows, 2e-5)


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.kernel.__name__)
def test_nan_and_infinities_of_the_gradient_go_where_numpy_lets_them_go(step):
    arrays = [np.full(4, 0.5, "float32") for _ in step.arrays]
    arrays[1][:] = [np.nan, np.inf, -np.inf, 1]
    plain = [x.copy() for x in arrays]
    given = {name: NAMED[name] for name in step.settings if name in NAMED} | {"wd": 0.1}
    given = {name: value for name, value in given.items() if name in step.settings}
    with np.errstate(all="ignore"):
        compiled(step, [(tuple(arrays), given)])
        step.kernel(*plain, **given)
    for got, want in zip(arrays, plain):
        np.testing.assert_allclose(got, want, 1e-5)


def test_results_are_the_same_for_every_number_of_threads():
    rng = np.random.default_rng(0)
    start = [rng.uniform(1, 2, 150_001).astype("float32") for _ in range(8)]
    found = []
    for threads in (1, 2, 3):
        library.set_threads(threads)
        arrays = [x.copy() for x in start]
        given = {"lr": 0.1, "wd": 0.01}
        compiled(steps.adam, [(tuple(arrays[:4]), given), (tuple(arrays[4:]), given)])
        found.append(arrays)
    for other in found[1:]:
        for a, b in zip(other, found[0]):
            np.testing.assert_array_equal(a, b)


def test_more_weights_than_a_call_holds():
    rows = [((np.ones(3, "float32"), np.ones(3, "float32")), {"lr": k}) for k in range(1, 200)]
    compiled(steps.sgd, rows)
    assert [float(arrays[0][2]) for arrays, _ in rows] == [1 - k for k in range(1, 200)]


def plainly(step: Step, rows: list) -> bool:
    """Return whether the library leaves these steps to the plain kernel."""
    taken = []
    STAND_INS[step.kernel.__name__](taken.extend, rows)
    return taken == rows


def test_what_does_not_fit_is_left_to_the_plain_kernel():
    def ones(*shape, dtype="float32"):
        return np.ones(shape, dtype)

    good = {"lr": 0.1}
    shared, read_only = ones(8), ones(4)
    read_only.flags.writeable = False
    for arrays in [
        (ones(4), ones(5)),
        (ones(4), ones(4, dtype="float64")),
        (ones(4, dtype="float16"), ones(4)),
        (ones(4, 4).T[1:], ones(3, 4)),
        (ones(8)[::2], ones(4)),
        (shared[:4], shared[2:6]),
        (read_only, ones(4)),
        (ones(4),),
    ]:
        assert plainly(steps.sgd, [(arrays, good)])
    arrays = ones(4), ones(4)
    for wrong in [{}, {"lr": 0.1, "other": 1}, {"lr": None}]:
        assert plainly(steps.sgd, [(arrays, wrong)])
    assert plainly(steps.sgd, [(arrays, good), ((arrays[0], ones(4)), good)])  # one weight twice
    assert plainly(steps.ftml, [((*arrays, ones(4), ones(4), ones(4)), {"lr": 1, "t": 0})])
    assert plainly(steps.ftrl, [((*arrays, ones(4), ones(4)), {"lr": 0})])


# ------------------------------------------------------------------------------ some rows


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.kernel.__name__)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@settings(max_examples=10)
@given(data=st.data())
def test_drawn_steps_of_some_rows(step, dtype, data):
    draw = data.draw
    rng = np.random.default_rng(draw(st.integers(0, 1 << 30)))
    count, after = draw(st.sampled_from([1, 9, 3000])), draw(st.sampled_from([(), (3,), (4, 10)]))
    rows = np.flatnonzero(rng.random(count) < draw(st.sampled_from([0.1, 0.9, 1])))
    rows = rows if len(rows) else np.array([count - 1])
    arrays = [rng.uniform(0.1, 2, (count, *after)).astype(dtype) for _ in step.arrays]
    grad = draw(st.sampled_from(["float16", dtype]))
    arrays[1] = rng.normal(size=(len(rows), *after)).astype(grad)
    if step is steps.rmsprop_centered:
        arrays[2] += 5
    given, copies = drawn_settings(draw, step), [x.copy() for x in arrays]
    STAND_INS[f"{step.kernel.__name__} at rows"](refuse, arrays, rows, given)
    with np.errstate(all="ignore"):
        at_rows(step.kernel, step._written)(copies, rows, given)
    for got, want in zip(arrays, copies):
        np.testing.assert_allclose(got, want, TOLERANCE[dtype], TOLERANCE[dtype])


def test_rows_that_are_wrong_touch_nothing():
    number = library.KERNELS.index("sgd_momentum")
    numbers, good = (0.1, 0.0, 1.0, -1.0, 0.9), np.array([0, 3])

    def ones(*shape, dtype="float32"):
        return np.ones(shape, dtype)

    def run(rows, grad=None, weight=None, mom=None, numbers=numbers):
        arrays = [ones(4, 5), ones(2, 5), ones(4, 5)]
        given = [x if own is None else own for x, own in zip(arrays, (weight, grad, mom))]
        taken = library.run(number, (*given, rows), (), numbers)
        return taken or not all((x == 1).all() for x in given)

    assert run(good)
    for rows in ([0, 4], [-1, 3], [3, 0], [2, 2], [0, 1 << 62], [0, 1, 2], [1], []):
        assert not run(np.array(rows, np.int64))
    assert not run(good.astype("int32"))
    assert not run(good, ones(2, 4))
    assert not run(good, ones(2, 6))
    assert not run(good, ones(2, 0))
    assert not run(good, ones(2, 5, dtype="float64"))
    assert not run(good, ones(2, 5, dtype="float16"))
    assert not run(good, mom=ones(3, 5))
    assert not run(good, weight=ones(5, 4).T)
    assert not run(good, numbers=numbers[:4])
    shared, read_only = ones(7, 5), ones(4, 5)
    read_only.flags.writeable = False
    assert not run(good, weight=shared[:4], mom=shared[3:])
    assert not run(good, weight=shared[:4], grad=shared[3:5])
    assert not run(good, weight=read_only)
    assert not run(good, mom=read_only)


def test_what_does_not_fit_at_rows_is_left_to_the_plain_kernel():
    rows = np.array([1, 2])
    for weight in (np.ones((8, 3), "float32")[::2], np.ones((4, 3), "float16")):
        steps.sgd._run_rows([weight, np.ones((2, 3), weight.dtype)], rows, {"lr": 0.1})
        np.testing.assert_allclose(weight[:, 0], [1, 0.9, 0.9, 1], 1e-3)
    with pytest.raises(TypeError, match="other"):
        steps.sgd._run_rows([np.ones((4, 3)), np.ones((2, 3))], rows, {"lr": 0.1, "other": 1})


# -------------------------------------------------------------------------------- handles


def at_once(step: Step, rows: list) -> bool:
    """Return whether the library takes the steps with the handles as they are."""
    return step._run_handles(rows, step._writes, Variable)


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.kernel.__name__)
@settings(max_examples=5)
@given(data=st.data())
def test_drawn_steps_of_handles(step, data):
    rows = [
        (drawn_arrays(data.draw, step, "float32"), drawn_settings(data.draw, step))
        for _ in range(2)
    ]
    rows = [row for row in rows if len(row[0]) == len(rows[0][0])]
    handles = [(tuple(wrap(NDArray, np.array(x)) for x in arrays), given) for arrays, given in rows]
    assert at_once(step, handles)
    compiled(step, rows)
    for (wanted, _), (found, _) in zip(rows, handles):
        for x, y in zip(wanted, found):
            np.testing.assert_array_equal(x, y.raw)


def read_only(x):
    x.raw.flags.writeable = False
    return x


def with_a_view(x):
    join(x, wrap(NDArray, x.raw[:1]))
    return x


UNFIT = {
    "kept": lambda x: (x, x.raw),
    "another handle": lambda x: (x, wrap(NDArray, x.raw)),
    "a view": lambda x: (wrap(NDArray, x.raw[1:]),),
    "with a view": lambda x: (with_a_view(x),),
    "read-only": lambda x: (read_only(x),),
    "another shape": lambda x: (wrap(NDArray, x.raw.reshape(3, 2)),),
    "another dtype": lambda x: (x.astype("int32"),),
    "twice": lambda x: (x, x),
}


@pytest.mark.parametrize("which", ["weight", "state"])
@pytest.mark.parametrize("how", UNFIT)
def test_buffers_that_may_not_be_written_to(how, which):
    weight, grad, state = (nd.ones(6).reshape((2, 3)).copy() for _ in range(3))
    one, *others = UNFIT[how](weight if which == "weight" else state)
    arrays = (one, grad, state) if which == "weight" else (weight, grad, one)
    rows = [(arrays, {"lr": 0.5, "momentum": 0.5})]
    rows += [((nd.ones(2), nd.ones(2), nd.ones(2)), {"lr": 0.5, "momentum": 0.5})]
    if how == "twice":
        rows.append(rows[0])
    assert not at_once(steps.sgd_momentum, rows)
    for handles, _ in rows:
        assert all((x.raw == 1).all() for x in handles)
    assert all((getattr(x, "raw", x) == 1).all() for x in others)


def test_a_write_to_a_variable_is_counted_once():
    weight, grad = nd.ones(3), nd.ones(3)
    weight.attach_grad()
    before = weight._node.writes
    assert at_once(steps.sgd, [((weight, grad), {"lr": 0.5})])
    assert weight._node.writes == before + 1
    kept = weight.raw
    steps.sgd(weight, grad, lr=0.5)
    assert weight._node.writes == before + 2
    assert (kept == 0.5).all()
    assert (weight.raw == 0).all()


@pytest.mark.parametrize("step", [steps.sgd_momentum, steps.nag, steps.adam, steps.adamw])
@pytest.mark.parametrize("sign", [1, -1])
def test_means_without_gradients_decay_to_zero(step, sign):
    arrays = [np.zeros(3, "float32") for _ in step.arrays]
    arrays[2][:] = sign * 1.2e-38, np.nan, sign
    given = {"lr": 0.1} | {key: 0.9 for key in ("momentum", "eta") if key in step.settings}
    compiled(step, [(tuple(arrays), given)])
    assert arrays[2][0] == 0
    assert np.isnan(arrays[2][1])
    assert arrays[2][2] == np.float32(sign * 0.9)
