"""Programs on arrays of `np` give what MXNet gives: values, gradients, dtypes and shapes."""

from __future__ import annotations

from typing import Any

import numpy
import pytest

from gluon import autograd, nd, np, npx
from recorded.make import HERE, load
from tests.each import each
from tests.np import function_programs, npx_programs
from tests.np.programs import GROUPS, PROGRAMS, evaluate, raws

REFERENCE = load(HERE / "np.npz")
ATTRIBUTES = REFERENCE.pop("attributes")
REFERENCE |= load(HERE / "np_functions.npz")
REFERENCE |= load(HERE / "npx.npz")
#: Where MXNet's gradient is not the slope of its own result.
WRONG_GRADIENTS = [
    *("np.arctan2(0.5, x)", "np.atleast_3d(x)", "np.rot90(x)", "np.rot90(x, 3)"),
    *("np.where(x > 0.7, x, 0)", "x.std()", "np.var(x, ddof=1)"),
    *(f"np.linalg.norm(x, {order})" for order in ("1", "2", "np.inf", "-1", "-2")),
    *(one for one in GROUPS["reductions"] if one.startswith(("np.std(x", "np.var(x"))),
]
#: MXNet keeps the dtype of the indices; NumPy does not.
COUNTS = ("np.bincount(i)", "np.bincount(i, minlength=8)", "np.unravel_index(i, (2, 3))[0]")
#: What MXNet's array has and gluon's has not.
ABSENT = {
    "handle": "the address of an array in MXNet's library",
    "slice_assign": "fails there: it calls a classic operator",
    "slice_assign_scalar": "fails there: it calls a classic operator",
    "tostype": "fails there: storage is always dense",
}


pytestmark = pytest.mark.usefixtures("numpy_interface")


def raw(result: Any) -> Any:
    return result.asnumpy() if isinstance(result, nd.NDArray) else result


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@each("program", PROGRAMS + npx_programs.PROGRAMS + function_programs.PROGRAMS)
def test_programs(program):
    reference = REFERENCE[program]
    if "error" in reference:  # NumPy itself says what is right
        value = eval(program, {"np": numpy, **raws()})
        value = numpy.asarray(value) if type(value) is int else value  # before NumPy 2.3 a count
        reference = {"outputs": [value]} if hasattr(value, "shape") else {"value": repr(value)}
    result, grads = evaluate(program, np, npx, autograd)
    if "value" in reference:
        assert repr(result) == reference["value"]
        return
    (want,) = reference["outputs"]
    got = raw(result)
    if program in COUNTS:
        want = want.astype("int64")
    assert (got.shape, got.dtype) == (want.shape, want.dtype)
    rtol = 2e-3 if got.dtype == numpy.float16 else 2e-5
    numpy.testing.assert_allclose(got, want, rtol=rtol, atol=1e-6)
    if program in WRONG_GRADIENTS or is_lost(program, reference):
        assert_slopes(program, grads)
        return
    for name, grad in zip("xy", reference.get("grads", ())):
        if not grads:  # MXNet records functions that have no gradient, too
            assert not grad.any()
            continue
        assert type(grads[name]) is np.ndarray
        numpy.testing.assert_allclose(grads[name].asnumpy(), grad, rtol=2e-4, atol=2e-5)


def is_lost(program: str, reference: dict) -> bool:
    """Whether MXNet gives zeros for the gradients of a function that is recorded here."""
    return program in function_programs.PROGRAMS and not any(
        grad.any() for grad in reference.get("grads", ())
    )


def assert_slopes(program: str, grads: dict[str, Any], step: float = 1e-5) -> None:
    """`grads` are the slopes of what NumPy gives for the program, by finite differences."""
    program = program.replace("interpolation", "method")  # as NumPy has it now
    result = eval(program, {"np": numpy, **raws("float64")})
    head = numpy.random.RandomState(1).normal(size=numpy.shape(result))
    for name, grad in grads.items():
        slopes = numpy.zeros(grad.shape)
        for place in numpy.ndindex(*grad.shape):
            for sign in (1, -1):
                moved = raws("float64")
                moved[name][place] += sign * step
                value = eval(program, {"np": numpy, **moved})
                slopes[place] += (head * value).sum() * sign / (2 * step)
        numpy.testing.assert_allclose(grad.asnumpy(), slopes, rtol=1e-3, atol=1e-4)


@each("name", [name for name in ATTRIBUTES if name not in ABSENT])
def test_attributes(name):
    assert hasattr(np.ndarray, name) == ATTRIBUTES[name]


def test_every_absence_is_of_an_attribute():
    assert set(ABSENT) <= set(ATTRIBUTES)
