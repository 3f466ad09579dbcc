"""Control flow: programs give the results of MXNet 1.9.1, and the gradients of plain loops."""

from __future__ import annotations

import numpy as np
import pytest

from gluon import GluonError, autograd, nd
from gluon.nd.contrib import cond, foreach, while_loop


def a(*values: float, dtype: str = "float32"):
    return nd.array(values, dtype=dtype)


def plain(value):
    """Arrays as nested lists of numbers; lists and tuples keep their type."""
    if isinstance(value, (list, tuple)):
        return type(value)(plain(part) for part in value)
    return value.asnumpy().tolist()


X = [[1, 2], [3, 4], [5, 6]]


def loop(body, states, data=None):
    return lambda: foreach(body, nd.array(X) if data is None else data(), states())


def repeat(func, loop_vars, limit=3, go_on=lambda i, *_: i < 3):
    return lambda: while_loop(go_on, func, loop_vars(), max_iterations=limit)


def zeros():
    return nd.zeros((2,))


#: A program, and what MXNet makes of it.
PROGRAMS = {
    "one state": (
        loop(lambda x, s: (x + s, x + s), zeros),
        ([[1, 2], [4, 6], [9, 12]], [9, 12]),
    ),
    "a list of states": (
        loop(lambda x, s: (x + s[0], [s[0] + 1]), lambda: [zeros()]),
        ([[1, 2], [4, 5], [7, 8]], [[3, 3]]),
    ),
    "a tuple of states": (
        loop(lambda x, s: (x, (s[0] + 1,)), lambda: (zeros(),)),
        (X, ([3, 3],)),
    ),
    "nested outputs and states": (
        loop(
            lambda x, s: ([x, [x + 1, (x * 2,)]], [s[0], [s[1][0] + x]]),
            lambda: [zeros(), [zeros()]],
        ),
        (
            [X, [[[2, 3], [4, 5], [6, 7]], [[[2, 4], [6, 8], [10, 12]]]]],
            [[0, 0], [[9, 12]]],
        ),
    ),
    "a list of data": (
        loop(lambda x, s: (x[0] + x[1], s), zeros, lambda: [nd.array(X), nd.array(X) * 2]),
        ([[3, 6], [9, 12], [15, 18]], [0, 0]),
    ),
    "a tuple of data is a list": (
        loop(lambda x, s: (x.pop(), s), zeros, lambda: (nd.array(X),)),
        (X, [0, 0]),
    ),
    "no output": (
        loop(lambda x, s: ([], s + x), zeros),
        ([], [9, 12]),
    ),
    "no state": (
        loop(lambda x, s: (x, s), list),
        (X, []),
    ),
    "states of a changing number": (
        loop(lambda x, s: (x, [x, x]), lambda: [zeros()]),
        (X, [[5, 6], [5, 6]]),
    ),
    "slices of a vector have one value": (
        loop(lambda x, s: (x, s + x), lambda: a(0), lambda: a(1, 2, 3)),
        ([[1], [2], [3]], [6]),
    ),
    "the form of the last output": (
        loop(lambda x, s: (x if s.item() else [x], s + 1), lambda: a(0), lambda: a(1, 2)),
        ([[1], [2]], [2]),
    ),
    "while, a list": (
        repeat(lambda i, s: ([i + s], [i + 1, s + i]), lambda: (a(0), a(1))),
        ([[[1], [2], [4]]], [[3], [4]]),
    ),
    "while, one variable": (
        repeat(lambda i: (i * 2, i + 1), lambda: a(0)),
        ([[0], [2], [4]], [3]),
    ),
    "while, one variable, lists": (
        repeat(lambda i: ([i], [i + 1]), lambda: a(0)),
        ([[[0], [1], [2]]], [3]),
    ),
    "while, a tuple": (
        repeat(lambda i: ((i, i * 2), (i + 1,)), lambda: (a(0),)),
        ([[[0], [1], [2]], [[0], [2], [4]]], [[3]]),
    ),
    "while, nested": (
        repeat(lambda i, j: ([i, [(i,)]], (i + 1, [j[0] + 1])), lambda: (a(0), [a(0)])),
        ([[[0], [1], [2]], [[[[0], [1], [2]]]]], [[3], [[3]]]),
    ),
    "while, up to the limit": (
        repeat(lambda i: (i, i + 1), lambda: [a(0)], 2),
        ([[0], [1]], [[2]]),
    ),
    "while, no step": (
        repeat(lambda i: (i, i + 1), lambda: a(5)),
        ([], [5]),
    ),
    "while, no step allowed": (
        repeat(lambda i: (i, i + 1), lambda: [a(0)], 0),
        ([], [[0]]),
    ),
    "while, no output": (
        repeat(lambda i: (None, i + 1), lambda: [a(0)]),
        ([], [[3]]),
    ),
    "while, a limit from an array": (
        repeat(lambda i: (i, i + 1), lambda: [a(0)], nd.array([2])),
        ([[0], [1]], [[2]]),
    ),
    "while, a limit from a string": (
        repeat(lambda i: (i, i + 1), lambda: [a(0)], "2"),
        ([[0], [1]], [[2]]),
    ),
    "while, a condition from NumPy": (
        repeat(lambda i: (i, i + 1), lambda: [a(0)], 2, lambda i: np.array([1])),
        ([[0], [1]], [[2]]),
    ),
    "while, a condition of None": (
        repeat(lambda i: (i, i + 1), lambda: [a(0)], 2, lambda i: None),
        ([], [[0]]),
    ),
    "if": (lambda: cond(a(2), lambda: a(1), lambda: a(0)), [1]),
    "else": (lambda: cond(a(0), lambda: a(1), lambda: [a(2), (a(3),)]), [[2], ([3],)]),
    "NaN holds": (lambda: cond(a(np.nan), lambda: a(1), lambda: a(0)), [1]),
    "a matrix of one value": (lambda: cond(nd.ones((1, 1)), lambda: a(1), lambda: a(0)), [1]),
    "a number": (lambda: cond(3, lambda: a(1), lambda: a(0)), [1]),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_programs_give_what_mxnet_gives(name):
    program, want = PROGRAMS[name]
    assert plain(program()) == want


def test_steps_that_were_not_run_are_zeros_in_the_output():
    outputs, last = while_loop(
        lambda i: i < 2, lambda i: ([i + 1, nd.ones((1, 2))], i + 1), a(0), max_iterations=4
    )
    assert plain(outputs) == [[[1], [2], [0], [0]], [[[1, 1]], [[1, 1]], [[0, 0]], [[0, 0]]]]
    assert plain(last) == [2]


def test_integers_stay_integers():
    outputs, last = foreach(
        lambda x, s: (x + s, s + x), a(1, 2, dtype="int32"), a(0, dtype="int32")
    )
    assert (outputs.dtype, last.dtype, plain(outputs)) == (np.int32, np.int32, [[1], [3]])


def vector():
    return nd.ones((2,))


ERRORS = {
    "data of different lengths": (
        loop(lambda x, s: (x, s), zeros, lambda: [vector(), a(1)]),
        ValueError,
    ),
    "no slice": (loop(lambda x, s: (x, s), zeros, lambda: nd.zeros((0, 2))), ValueError),
    "no data": (loop(lambda x, s: (x, s), zeros, list), ValueError),
    "data of NumPy": (loop(lambda x, s: (x, s), zeros, lambda: np.ones((2, 2))), TypeError),
    "nested data": (loop(lambda x, s: (x, s), zeros, lambda: [[vector()]]), TypeError),
    "a state of None": (loop(lambda x, s: (x, s), lambda: None), TypeError),
    "an output of None": (loop(lambda x, s: (None, s), zeros), TypeError),
    "outputs of different number": (
        loop(lambda x, s: ([x] * int(s.item() + 1), s + 1), lambda: a(0)),
        ValueError,
    ),
    "outputs of different shapes": (
        loop(lambda x, s: (s, nd.concat(s, x, dim=0)), lambda: a(0), lambda: a(1, 2)),
        ValueError,
    ),
    "no limit": (lambda: while_loop(bool, lambda i: (i, i), a(1)), ValueError),
    "a limit of nonsense": (repeat(lambda i: (i, i), lambda: a(0), "x"), ValueError),
    "no variables": (repeat(lambda: ([], []), list), ValueError),
    "fewer variables": (repeat(lambda i: (i, None), lambda: [a(0)]), ValueError),
    "more variables": (repeat(lambda i: (i, [i, i]), lambda: [a(0)]), ValueError),
    "steps of different number": (
        repeat(lambda i: ([i] * int(i.item() + 1), i + 1), lambda: a(0)),
        ValueError,
    ),
    "a number as output": (repeat(lambda i: (1, i + 1), lambda: a(0)), TypeError),
    "a condition of two values": (
        repeat(lambda i: (i, i), lambda: a(0), 3, lambda i: vector()),
        ValueError,
    ),
    "a condition of two values, NumPy": (
        repeat(lambda i: (i, i), lambda: a(0), 3, lambda i: np.ones(2)),
        ValueError,
    ),
    "a predicate of two values": (lambda: cond(vector(), zeros, zeros), ValueError),
    "an empty predicate": (lambda: cond(nd.zeros((0,)), zeros, zeros), ValueError),
}


@pytest.mark.parametrize("name", ERRORS)
def test_errors_name_the_function(name):
    program, kind = ERRORS[name]
    with pytest.raises(GluonError, match=r"^(foreach|while_loop|cond): ") as caught:
        program()
    assert isinstance(caught.value, kind)


def test_an_error_in_the_body_comes_as_it_is():
    with pytest.raises(ZeroDivisionError):
        foreach(lambda x, s: 1 / 0, a(1), a(0))


def recurrence(w, x, h):
    """A loss over a loop with two data, a nested state and a variable that the body closes over."""

    def body(parts, states):
        total, (last,) = states
        after = (parts[0] * w + last) * parts[1]
        return [after, last], [total + after, [after * w]]

    (outputs, lasts), (total, (end,)) = foreach(body, [x, x + 1], [nd.zeros_like(h), [h]])
    return (outputs * outputs).sum() + (lasts * total).sum() + (end * end * end).sum()


def unrolled(w, x, h):
    """`recurrence` in Python's own loop."""
    total, last, outputs, lasts = nd.zeros_like(h), h, [], []
    for k in range(3):
        after = (x[k] * w + last) * (x[k] + 1)
        outputs.append(after)
        lasts.append(last)
        total, last = total + after, after * w
    loss = sum((y * y).sum() for y in outputs) + sum((y * total).sum() for y in lasts)
    return loss + (last * last * last).sum()


def powers(w, x, h):
    def func(k, y):
        return [y * x, y], [k + 1, y * w + h]

    (products, values), (_, last) = while_loop(
        lambda k, y: k < 3, func, [nd.zeros((1,), dtype="float64"), h], max_iterations=5
    )
    return (products * values.expand_dims(1)).sum() + (last * last).sum()


def unrolled_powers(w, x, h):
    y, loss = h, 0
    for _ in range(3):
        loss = loss + (y * x * y).sum()
        y = y * w + h
    return loss + (y * y).sum()


def branch(w, x, h):
    return cond((w * h).sum() < 9, lambda: (w * w * x * h).sum(), lambda: w.sum())


def orders(loss, order: int) -> list:
    """The gradients of the `order`-th derivative of `loss`, each time summed to one number."""
    rng = np.random.default_rng(3)
    shapes = [(2,), (3, 2), (2,)]
    variables = [nd.array(rng.uniform(0.5, 1, shape), dtype="float64") for shape in shapes]
    for v in variables:
        v.attach_grad()
    with autograd.record():
        y = loss(*variables)
        for _ in range(order - 1):
            grads = autograd.grad(y, variables, create_graph=True)
            y = sum((g * g).sum() for g in grads)
    y.backward()
    return [v.grad.asnumpy() for v in variables]


@pytest.mark.parametrize("order", [1, 2, 3])
@pytest.mark.parametrize(
    ("loss", "same"),
    [
        (recurrence, unrolled),
        (powers, unrolled_powers),
        (branch, lambda w, x, h: (w * w * x * h).sum()),
    ],
)
def test_gradients_are_those_of_the_loop_written_out(loss, same, order):
    for got, want in zip(orders(loss, order), orders(same, order)):
        np.testing.assert_allclose(got, want, rtol=1e-10)


def test_a_backward_in_the_loop():
    w = a(3)
    w.attach_grad()

    def body(x, s):
        with autograd.record():
            y = w * w * x
        y.backward()
        return w.grad.copy(), s

    grads, _ = foreach(body, a(1, 2), a(0))
    assert plain(grads) == [[6], [12]]
