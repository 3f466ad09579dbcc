"""Every kind of operator sample in vmap, against a loop: values, first and second gradients."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gluon import func
from gluon._core.engine.array import wrap
from gluon.nd import NDArray
from tests._core.ops.sample import head_gradient
from tests.func.samples import Case, each_kind
from tests.func.test_forward_samples import close, differentiable

pytestmark = [
    pytest.mark.filterwarnings("ignore::RuntimeWarning"),
    pytest.mark.filterwarnings("ignore:sample_multinomial. distribution"),  # times one of `FACTORS`
]
#: What each example is multiplied with: all stay in the domain of the operator.
FACTORS = (1.0, 0.9, 0.8)
#: What vmap refuses: running statistics differ from example to example.
REFUSED = {"BatchNorm", "IdentityAttachKLSparseReg"}


def mappable(sample) -> bool:
    return differentiable(sample) and not sample.out and not refuses(sample)


def refuses(sample) -> bool:
    return sample.op.split(".")[-1] in REFUSED and sample.training


def examples(case: Case) -> list[tuple[Any, ...]]:
    return [
        tuple([wrap(NDArray, np.asarray(x.asnumpy() * f)) for x in case.variables]) for f in FACTORS
    ]


def stacked(parts: list[tuple[Any, ...]]) -> list[Any]:
    return [wrap(NDArray, np.stack([x.asnumpy() for x in column])) for column in zip(*parts)]


def score(case: Case, *variables: Any) -> Any:
    """A scalar of the outputs."""
    return sum(
        (y * wrap(NDArray, head_gradient(k, y.shape, y.dtype))).sum()
        for k, y in enumerate(case(*variables))
    )


def slope(case: Case, k: int, *variables: Any) -> Any:
    """The gradient of `score` in one direction."""
    v = case.direction(k)
    grads = func.grad(lambda *x: score(case, *x), tuple(range(len(v))))(*variables)
    return sum((g * one).sum() for g, one in zip(grads, v))


def mapped(function, arguments):
    return func.vmap(function, randomness="same")(*arguments)


@each_kind(mappable)
def test_values_and_gradients_of_samples_in_vmap_are_those_of_a_loop(sample):
    case = Case(sample)
    if not case.heads or not case.variables:
        return
    each = examples(case)
    together = stacked(each)
    argnums = tuple(range(len(together)))
    close(mapped(case, together), stacked([case(*one) for one in each]), "value")
    first = func.grad(lambda *x: score(case, *x), argnums)
    wanted = stacked([first(*one) for one in each])
    close(mapped(first, together), wanted, "gradient inside")
    outside = func.grad(lambda *x: mapped(lambda *x: score(case, *x), x).sum(), argnums)
    close(outside(*together), wanted, "gradient outside")


@each_kind(mappable)
def test_second_gradients_of_samples_in_vmap_are_those_of_a_loop(sample):
    case = Case(sample)
    if not case.heads or not case.variables:
        return
    each = examples(case)
    together = stacked(each)
    argnums = tuple(range(len(together)))
    second = func.grad(lambda *x: slope(case, 5, *x), argnums)
    wanted = stacked([second(*one) for one in each])
    close(mapped(second, together), wanted, "second gradient inside")
    outside = func.grad(lambda *x: mapped(lambda *x: slope(case, 5, *x), x).sum(), argnums)
    close(outside(*together), wanted, "second gradient outside")
