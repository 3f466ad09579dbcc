"""Forward mode of every operator sample, against two reverse passes."""

from __future__ import annotations

import numpy as np
import pytest

from gluon import func
from gluon._core.engine.op import TABLE
from gluon._core.transforms import kinds
from tests._core.ops.test_samples import each_sample, works
from tests.func.samples import Case, by_two_pulls

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")


def differentiable(sample) -> bool:
    return works(sample) and not sample.writes and "Proposal" not in sample.op  # float32 alone


def close(found, wanted, what):
    for k, (a, b) in enumerate(zip(found, wanted)):
        a, b = a.asnumpy(), b.asnumpy()
        assert a.shape == b.shape, what
        scale = float(np.abs(b[np.isfinite(b)]).max(initial=1))
        np.testing.assert_allclose(a, b, rtol=1e-6, atol=1e-9 * scale, err_msg=f"{what} {k}")


@each_sample(differentiable)
def test_pushes_of_samples_are_their_transposed_pulls(sample):
    case = Case(sample)
    if not case.heads or not case.variables:
        return
    v = case.direction(1)
    value, wanted = by_two_pulls(case, tuple(case.variables), v)
    same, found = func.jvp(case, tuple(case.variables), v)
    close(same, value, "value")
    close(found, wanted, "tangent")
    _, push = func.linearize(case, *case.variables)
    close(push(*v), wanted, "linearized tangent")


@each_sample(lambda one: differentiable(one) and not one.kink)
def test_second_derivatives_of_samples_mix_both_modes(sample):
    case = Case(sample)
    if not case.heads or not case.variables:
        return
    x, v, w = tuple(case.variables), case.direction(1), case.direction(2)

    def once(jvp):
        return lambda *x: tuple(jvp(case, x, v)[1])

    _, wanted = by_two_pulls(once(by_two_pulls), x, w)
    close(func.jvp(once(func.jvp), x, w)[1], wanted, "forward over forward")
    close(func.jvp(once(by_two_pulls), x, w)[1], wanted, "forward over reverse")
    close(by_two_pulls(once(func.jvp), x, w)[1], wanted, "reverse over forward")


def test_each_operator_with_a_gradient_is_of_one_kind():
    listed = [
        *kinds.DIAGONAL,
        *kinds.LINEAR,
        *kinds.MULTILINEAR,
        *kinds.TOGETHER,
        *kinds.BIASED,
        *kinds.SYMMETRIC,
        *kinds.REDUCING,
        *kinds.FILLED,
        *kinds.OTHERS,
    ]
    assert len(listed) == len(set(listed))
    assert set(listed) == {name for name, op in TABLE.items() if op.differentiable}
    assert not [name for name in kinds.FLAT if TABLE[name].differentiable]


def test_linear_inputs_are_those_with_a_derivative():
    for name, inputs in kinds.LINEAR.items():
        op = TABLE[name]
        has = [one for one, derivative in zip(op.inputs, op.differentiable_inputs) if derivative]
        assert inputs == tuple(has), name
