"""Every operator sample: against the oracle's reference, and against finite differences."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import pytest

from gluon import GluonError, autograd, nd
from gluon._core.engine.array import wrap
from gluon._core.engine.op import TABLE
from gluon.nd import NDArray
from recorded.make import HERE, as_list, load
from tests._core.ops.calls import arrays, flatten, floating, function, heads_of, run
from tests._core.ops.sample import Sample, blank, first, head_gradient, is_floating
from tests._core.ops.samples import FAMILIES, SAMPLES
from tests.each import each

REFERENCE = {
    name: record
    for family in FAMILIES
    for name, record in load(HERE / "operators" / f"{family}.npz").items()
}
pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")


def assert_close(got, want, rtol: float, what: str = "") -> None:
    """Check that arrays are equal to `rtol`, relative to each value or to the largest one."""
    got, want = np.asarray(got), np.asarray(want)
    assert (got.shape, got.dtype) == (want.shape, want.dtype), what
    rounded = want.dtype.kind == "f" or (want.dtype.kind in "iu" and rtol > 1e-3)
    finite = np.abs(want[np.isfinite(want)]) if rounded else np.zeros(1)
    scale = float(finite.max(initial=0))
    np.testing.assert_allclose(got, want, rtol=rtol, atol=rtol * scale, err_msg=what)


#: How many samples of an operator a quick run takes; the others are marked slow.
FEW = 2


def each_sample(keep: Callable[[Sample], bool]) -> Callable:
    """Run a test with the samples for which `keep` holds, those of an operator together."""
    return each("sample", filter(keep, SAMPLES), by=lambda one: one.op, few=FEW, together=8)


def fails(sample: Sample) -> bool:
    return sample.refused or "error" in REFERENCE.get(str(sample), ())


def works(sample: Sample) -> bool:
    return not fails(sample)


def is_smooth(sample: Sample) -> bool:
    """Whether finite differences apply: float32 or float64 inputs, away from kinks."""
    return str(sample) in SMOOTH


def has_slopes(sample: Sample) -> bool:
    if sample.kink or fails(sample):
        return False
    raws = [blank(one) for one in sample.inputs]
    places = sample.variables(raws)
    return bool(places) and all(
        first(raws[k]).dtype != np.float16 and first(raws[k]).size for k in places
    )


SMOOTH = {str(sample) for sample in SAMPLES if has_slopes(sample)}


def test_no_two_samples_are_the_same():
    names = [str(sample) for sample in SAMPLES]
    assert len(names) == len(set(names))


@each_sample(lambda one: one.has_reference and works(one))
def test_values_and_gradients_are_those_of_the_oracle(sample):
    assert str(sample) in REFERENCE, "no reference yet: run recorded/make.py"
    reference = REFERENCE[str(sample)]
    raws = sample.raws()
    inputs = arrays(raws)
    variables = flatten(sample, raws, inputs)
    for x in variables:
        x.attach_grad()
    with autograd.record(train_mode=sample.training):
        outputs = run(sample, inputs)
    assert len(outputs) == len(reference["outputs"])
    for k, (y, want) in enumerate(zip(outputs, reference["outputs"])):
        assert_close(y.asnumpy(), want, sample.rtol, f"output {k}")
    heads, cotangents = heads_of(outputs)
    if heads:
        autograd.backward(heads, cotangents, train_mode=sample.training)
    written = leaves([inputs[k] for k in sample.writes])
    for k, (x, want) in enumerate(zip(written, reference.get("written", []))):
        assert_close(x.asnumpy(), want, sample.rtol, f"written {k}")
    if sample.differs_grad or "grads" not in reference:
        return
    for k, (x, want) in enumerate(zip(variables, reference["grads"])):
        assert_close(x.grad.asnumpy(), want, 3 * sample.rtol, f"gradient {k}")


@each_sample(lambda one: one.right is not None)
def test_values_are_right_where_the_oracle_is_not_asked(sample):
    raws = sample.raws()
    outputs = run(sample, arrays(raws))
    wanted = as_list(sample.right(*raws))
    assert len(outputs) == len(wanted)
    for y, want in zip(outputs, wanted):
        assert_close(y.asnumpy(), want, sample.rtol)


@each_sample(works)
def test_a_call_leaves_its_inputs_alone_and_keeps_the_dtype(sample):
    raws = sample.raws()
    inputs = arrays(raws)
    variables = flatten(sample, raws, inputs)
    for x in variables:
        x.attach_grad()
    with autograd.record(train_mode=sample.training):
        outputs = run(sample, inputs)
    heads, cotangents = heads_of(outputs)
    before = [y.asnumpy() for y in outputs]
    if heads:
        autograd.backward(heads, cotangents, train_mode=sample.training)
    for x in variables:
        assert (x.grad.dtype, x.grad.shape) == (x.dtype, x.shape)
    for y, was in zip(outputs, before):
        np.testing.assert_array_equal(y.asnumpy(), was)
    given = arrays(raws)
    for k in sample.writes:
        inputs[k] = given[k]
    for x, want in zip(leaves(inputs), leaves(given)):
        np.testing.assert_array_equal(x.asnumpy(), want.asnumpy())
    if "dtype" not in sample.attrs and variables and all(x.dtype == np.float32 for x in variables):
        assert all(y.dtype == np.float32 for y in heads)


def leaves(inputs: list) -> list:
    return [x for one in inputs for x in as_list(one) if isinstance(x, NDArray)]


def named(message: str) -> str:
    """The operator that an error message begins with."""
    return re.split(r"[(:.]", message.removeprefix("nd."))[0]


@each_sample(fails)
def test_what_the_oracle_refuses_is_an_error_that_names_the_operator(sample):
    inputs = arrays(sample.raws())
    with pytest.raises(GluonError) as caught, autograd.record(train_mode=sample.training):
        run(sample, inputs)
    assert named(str(caught.value)) in (sample.op.split(".")[-1], *TABLE)


# ---------------------------------------------------------------------- finite differences


class Differentiated(NamedTuple):
    """The result of `Smooth.gradients`, with its inputs and outputs."""

    variables: list
    cotangents: list
    grads: list
    heads: list


class Smooth:
    """A sample in float64: the scalar <head, f(inputs)>, its gradients, and theirs."""

    def __init__(self, sample: Sample) -> None:
        self.sample = sample
        self.raws = sample.raws()
        for k, raw in enumerate(self.raws):
            if isinstance(raw, list):
                self.raws[k] = [r.astype("float64") for r in raw]
            elif is_floating(raw):
                self.raws[k] = raw.astype("float64")
        self.rng = np.random.RandomState(7)

    def variables(self, move: dict | None = None) -> tuple[list, list]:
        """Fresh inputs, and those among them to differentiate, moved by ``{place: step}``."""
        inputs = arrays(self.raws)
        variables = flatten(self.sample, self.raws, inputs)
        for place, step in (move or {}).items():
            variables[place][...] = variables[place].asnumpy() + step
        for x in variables:
            x.attach_grad()
        return inputs, variables

    def value(self, move: dict) -> float:
        inputs, _ = self.variables(move)
        with autograd.train_mode() if self.sample.training else autograd.predict_mode():
            outputs = run(self.sample, inputs)
        return sum(
            float((head_gradient(k, y.shape, y.dtype) * y.asnumpy()).sum())
            for k, y in floating(outputs)
        )

    def gradients(
        self, move: dict | None = None, head_move: float = 0.0, create_graph: bool = False
    ) -> Differentiated:
        """The gradients of <head, f(inputs)>; zeros where none flows."""
        inputs, variables = self.variables(move)
        with autograd.record(train_mode=self.sample.training):
            outputs = run(self.sample, inputs)
            heads, cotangents = heads_of(outputs)
            for h in cotangents:
                h += head_move
                h.attach_grad()
            nothing = sum((x.sum() * 0 for x in variables), nd.zeros((1,), dtype="float64"))
            grads = autograd.grad(
                [*heads, nothing],
                variables,
                [*cotangents, nd.ones((1,), dtype="float64")],
                create_graph=create_graph,
                train_mode=self.sample.training,
            )
        return Differentiated(variables, cotangents, grads, heads)

    def direction(self, x) -> np.ndarray:
        """A random direction; a symmetric one where the operator takes that for granted."""
        v = np.asarray(self.rng.normal(size=x.shape))
        symmetric = any(kind in str(self.sample.inputs) for kind in (" spd", " symmetric"))
        return (v + np.swapaxes(v, -1, -2)) / 2 if symmetric and x.ndim > 1 else v


STEP = 1e-6


def assert_slope(slope: float, got: float, scale: float, what: str) -> None:
    assert np.isfinite(got)
    np.testing.assert_allclose(got, slope, rtol=1e-5, atol=2e-7 * max(1.0, scale), err_msg=what)


@each_sample(lambda one: is_smooth(one) and not one.own)
def test_first_gradients_are_the_slopes(sample):
    smooth = Smooth(sample)
    variables, _, grads, _ = smooth.gradients()
    for k, (x, g) in enumerate(zip(variables, grads)):
        assert g.dtype == x.dtype
        v = smooth.direction(x)
        slope = (smooth.value({k: STEP * v}) - smooth.value({k: -STEP * v})) / (2 * STEP)
        got = g.asnumpy()
        assert_slope(slope, (got * v).sum(), np.abs(got * v).sum(), f"input {k}")


@each_sample(is_smooth)
def test_second_gradients_are_the_slopes_of_the_first(sample):
    smooth = Smooth(sample)
    variables, cotangents, grads, _ = smooth.gradients(create_graph=True)
    weights = [smooth.direction(x) for x in variables]

    def score(**how) -> float:
        found = smooth.gradients(**how).grads
        return sum((u * g.asnumpy()).sum() for u, g in zip(weights, found))

    with autograd.record(train_mode=sample.training):
        # Every variable reaches the score, if only by nothing: linear operators have zeros here.
        total = sum((x.sum() * 0 for x in [*variables, *cotangents]), 0)
        for u, g in zip(weights, grads):
            total = total + (wrap(NDArray, u) * g).sum()
    seconds = autograd.grad(total, variables + cotangents, train_mode=sample.training)
    for k, (x, g) in enumerate(zip(variables, seconds)):
        v = smooth.direction(x)
        ends = [score(move={k: sign * STEP * v}) for sign in (1, -1)]
        got = g.asnumpy() * v
        assert_slope((ends[0] - ends[1]) / (2 * STEP), got.sum(), np.abs(got).sum(), f"input {k}")
    # The gradients are linear in the cotangents, so that any step is exact.
    slope = (score(head_move=1.0) - score(head_move=-1.0)) / 2
    got = [g.asnumpy() for g in seconds[len(variables) :]]
    assert_slope(slope, sum(g.sum() for g in got), sum(np.abs(g).sum() for g in got), "cotangents")


# ----------------------------------------------------------------------------- bad input

PUBLIC = {function(sample).__name__ for sample in SAMPLES}
NAMES = sorted({one.op for one in SAMPLES if one.inputs and not one.op.startswith("F.")})


@each("name", NAMES)
def test_a_list_in_the_place_of_an_array_is_an_error_that_names_the_operator(name):
    sample = next(one for one in SAMPLES if one.op == name)
    inputs = arrays(sample.raws())
    place = next(k for k, x in enumerate(inputs) if isinstance(x, (NDArray, list)))
    inputs[place] = [[1.0], [2.0]] if isinstance(inputs[place], list) else [1.0, 2.0]
    with pytest.raises(GluonError) as caught:
        run(sample, inputs)
    assert isinstance(caught.value, TypeError)
    assert named(str(caught.value)) in (*PUBLIC, *TABLE)
