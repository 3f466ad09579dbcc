"""`gluon.autograd`: `mark_variables`, `backward`, `grad`, and their errors."""

from __future__ import annotations

import numpy as np
import pytest

from gluon import GluonError, Parameter, autograd, nd


def variable(*values: float, req: str = "write", dtype: str = "float32"):
    x = nd.array(values, dtype=dtype)
    x.attach_grad(req)
    return x


def values(array) -> list:
    return array.asnumpy().tolist()


# ------------------------------------------------------------------------------- backward


def test_backward_of_a_sum():
    x = variable(1, 2, 3)
    with autograd.record():
        y = (x * x).sum()
    assert y.backward() is None
    assert values(x.grad) == [2, 4, 6]


def test_backward_of_an_array_starts_from_ones():
    x = variable(1, 2, 3)
    with autograd.record():
        y = x * x
    y.backward()
    assert values(x.grad) == [2, 4, 6]


@pytest.mark.parametrize(
    "call",
    [
        lambda y, g: y.backward(g),
        lambda y, g: y.backward(out_grad=g),
        lambda y, g: autograd.backward(y, g),
        lambda y, g: autograd.backward([y], [g]),
        lambda y, g: autograd.backward([y], head_grads=g),
    ],
)
def test_a_head_gradient_in_every_form(call):
    x = variable(1, 2, 3)
    with autograd.record():
        y = x * x
    call(y, nd.array([1, 10, 100]))
    assert values(x.grad) == [2, 40, 600]


@pytest.mark.parametrize("count", [1, 2, 3])
@pytest.mark.parametrize(
    ("program", "slope"),
    [
        (lambda x: x, 1),
        (lambda x: x + x, 2),
        (lambda x: (x + x) + x, 3),
        (lambda x: x + (x + (x + x)), 4),
        (lambda x: (x * 2 + x) + (x + x * 3), 7),
    ],
)
def test_a_head_gradient_is_shared_and_never_written_to(program, slope, count):
    x, head_grad = variable(1, 2), nd.array([1, 10])
    with autograd.record():
        heads = [program(x) for _ in range(count)]
    autograd.backward(heads, [head_grad] * count)
    assert values(x.grad) == [slope * count, 10 * slope * count]
    assert values(head_grad) == [1, 10]
    with autograd.record():
        y = program(x)
    autograd.backward([y] * count, [head_grad] * count)
    assert values(x.grad) == [slope * count, 10 * slope * count]
    assert values(head_grad) == [1, 10]


def test_the_head_gradient_of_a_head_on_the_way_is_never_written_to():
    x, head_grad = variable(1, 2), nd.array([1, 10])
    with autograd.record():
        y = x * 2
        z = y * 3
    autograd.backward([y, z], [head_grad, head_grad])
    assert (values(x.grad), values(head_grad)) == ([8, 80], [1, 10])


def test_several_heads_with_and_without_gradients():
    x = variable(1, 2)
    with autograd.record():
        y, z = x * 2, x * x
    autograd.backward([y, z], [None, nd.array([10.0, 100.0])])
    assert values(x.grad) == [22, 402]


def test_the_same_head_twice_counts_twice():
    x = variable(3)
    with autograd.record():
        y = x * x
    autograd.backward([y, y])
    assert values(x.grad) == [12]


def test_a_head_that_another_head_is_made_of():
    x = variable(3)
    with autograd.record():
        y = x * x
        z = y * 2
    autograd.backward([z, y])
    assert values(x.grad) == [18]


def test_a_variable_as_head():
    x = variable(3)
    with autograd.record():
        y = x
    y.backward(nd.array([7.0]))
    assert values(x.grad) == [7]


def test_write_replaces_and_a_variable_out_of_reach_is_left_alone():
    x, w = variable(1), variable(5)
    w.grad[:] = 9
    for factor in (2.0, 3.0):
        with autograd.record():
            y = x * factor
        y.backward()
    assert values(x.grad) == [3]
    assert values(w.grad) == [9]


@pytest.mark.parametrize("uses", [1, 2, 3, 7])
def test_add_is_exact_however_often_a_variable_is_used(uses):
    x = variable(2, req="add")
    for step in range(1, 4):
        with autograd.record():
            y = sum((x * float(k) for k in range(uses)), x * 0)
        y.backward()
        assert values(x.grad) == [step * sum(range(uses))]
    x.grad[:] = 0
    with autograd.record():
        y = x * x * x
    y.backward()
    assert values(x.grad) == [12]


def test_null_is_as_unmarked():
    x, w = variable(2, req="null"), variable(3)
    with autograd.record():
        y = x * w
    y.backward()
    assert values(w.grad) == [2]
    with pytest.raises(GluonError):
        (x * 2).backward()


def test_null_has_no_gradient():
    x = variable(2)
    assert x.grad is not None
    x.attach_grad("null")
    assert x.grad is None
    x.attach_grad()
    assert values(x.grad) == [0]


def test_retain_graph():
    x = variable(2)
    with autograd.record():
        y = x * x * x
    for _ in range(3):
        y.backward(retain_graph=True)
        assert values(x.grad) == [12]
    y.backward()
    with pytest.raises(GluonError, match="retain_graph=True"):
        y.backward()


def test_backward_inside_record():
    x = variable(2)
    with autograd.record():
        y = x * x
        y.backward()
        assert autograd.is_recording()
    assert values(x.grad) == [4]


def test_gradients_have_the_dtype_of_their_variable():
    x, w = variable(1, 2, dtype="float64"), variable(3, 4, dtype="float16")
    with autograd.record():
        y = (x * w).sum()
    y.backward()
    assert (x.grad.dtype, w.grad.dtype) == (np.float64, np.float16)
    assert (values(x.grad), values(w.grad)) == ([3, 4], [1, 2])


def test_broadcasting_is_undone():
    x, w, b = nd.ones((2, 3)), nd.ones((1, 3)), nd.ones((1,))
    for array in (x, w, b):
        array.attach_grad()
    with autograd.record():
        y = (x * w + b).sum()
    y.backward()
    assert values(w.grad) == [[2, 2, 2]]
    assert values(b.grad) == [6]


# ------------------------------------------------------------------------------------ grad


def test_grad_gives_new_arrays_and_leaves_the_variables_alone():
    x = variable(1, 2)
    with autograd.record():
        y = x * x
    (g,) = autograd.grad(y, [x])
    assert values(g) == [2, 4]
    assert g is not x.grad
    assert values(x.grad) == [0, 0]


def test_grad_of_a_single_array_is_a_list_as_in_mxnet():
    x = variable(1, 2)
    with autograd.record():
        y = x * x
    for variables in (x, [x]):
        found = autograd.grad(y, variables, retain_graph=True)
        assert isinstance(found, list)
        assert [values(one) for one in found] == [[2, 4]]


def test_grad_of_several_heads_and_variables():
    x, w = variable(1, 2), variable(3, 4)
    with autograd.record():
        y, z = x * w, x * x
    gx, gw = autograd.grad([y, z], [x, w], [nd.array([1, 10]), None])
    assert (values(gx), values(gw)) == ([3 + 2, 40 + 4], [1, 20])


def test_grad_of_the_same_variable_twice():
    x = variable(3)
    with autograd.record():
        y = x * x
    assert [values(g) for g in autograd.grad(y, [x, x])] == [[6], [6]]


def test_grad_with_respect_to_what_was_computed_on_the_way():
    x = variable(2)
    with autograd.record():
        y = x * x
        z = y * y * x
    gy, gx = autograd.grad(z, [y, x])
    assert (values(gy), values(gx)) == ([2 * 4 * 2], [5 * 16])


def test_grad_with_respect_to_a_link_of_a_chain():
    x = variable(2)
    with autograd.record():
        links = [x]
        for _ in range(4):
            links.append(links[-1] ** 2)
        y = links[-1] ** 2
    found = autograd.grad(y, links[::-1])
    # y is the power 32 / 2ᵏ of link k.
    want = [2 ** (5 - k) * 2.0 ** (2**k * (2 ** (5 - k) - 1)) for k in range(4, -1, -1)]
    np.testing.assert_allclose([dy.item() for dy in found], want)


def test_grad_keeps_the_graph_when_asked():
    x = variable(2)
    with autograd.record():
        y = x * x
    autograd.grad(y, [x], retain_graph=True)
    autograd.grad(y, [x])
    with pytest.raises(GluonError, match="released"):
        autograd.grad(y, [x])


def test_create_graph_keeps_the_graph_unless_told_otherwise():
    x = variable(2)
    with autograd.record():
        y = x**3
        autograd.grad(y, [x], create_graph=True)
    y.backward()
    assert values(x.grad) == [12]


def test_grad_does_not_compute_what_does_not_lead_to_a_variable():
    class Never(autograd.Function):
        def forward(self, x):
            return x * 1

        def backward(self, g):
            raise AssertionError("not on the way")

    x, w = variable(2), variable(3)
    with autograd.record():
        y = x * x + Never()(w)
    (g,) = autograd.grad(y, [x])
    assert values(g) == [4]


# -------------------------------------------------------------------------- mark_variables


@pytest.mark.parametrize("one_by_one", [True, False])
def test_mark_variables(one_by_one):
    x, w = nd.array([2.0]), nd.array([3.0])
    dx, dw = nd.array([10.0]), nd.array([10.0])
    if one_by_one:
        autograd.mark_variables(x, dx)
        autograd.mark_variables(w, dw, "add")
    else:
        autograd.mark_variables([x, w], [dx, dw], ["write", "add"])
    with autograd.record():
        y = x * w
    y.backward()
    assert (values(dx), values(dw)) == ([3], [12])
    assert x.grad is dx


def test_mark_variables_with_null_leaves_the_buffer_alone():
    x, w = nd.array([2.0]), variable(3)
    dx = nd.array([10.0])
    autograd.mark_variables([x], [dx], "null")
    with autograd.record():
        y = x * w
    y.backward()
    assert values(dx) == [10]


def test_a_gradient_buffer_shared_by_view_is_written_to():
    flat, x = nd.zeros((4,)), nd.array([1.0, 2.0])
    autograd.mark_variables([x], [flat[1:3]])
    with autograd.record():
        y = x * x
    y.backward()
    assert values(flat) == [0, 2, 4, 0]


def test_a_gradient_buffer_in_shared_memory_is_written_to():
    raw, x = np.zeros(2, "float32"), nd.array([1.0, 2.0])
    autograd.mark_variables([x], [nd.from_numpy(raw)])
    with autograd.record():
        y = x * x
    y.backward()
    assert raw.tolist() == [2, 4]


# ----------------------------------------------------------------------------- what is refused

X = nd.ones((3,))
WRONG = {
    "an array for a flag": (lambda: autograd.record(X), r"write record\(\), or pass True"),
    "no gradients": (lambda: autograd.mark_variables(X), "'gradients'; give an array for each"),
    "parameters": (lambda: autograd.grad(X, [Parameter("w")]), r"give its data\(\)"),
    "counts differ": (lambda: autograd.mark_variables([X, X], [nd.ones((3,))]), "2 variables, 1"),
    "shapes differ": (lambda: autograd.mark_variables([X], [nd.ones((2,))]), r"\(2,\).*\(3,\)"),
    "request unknown": (lambda: autograd.mark_variables([X], [nd.ones((3,))], "sum"), "'sum'"),
    "no request": (lambda: autograd.mark_variables([X], [nd.ones((3,))], None), "got None"),
    "an array as request": (lambda: nd.ones((3,)).attach_grad(np.ones(2)), "write, add, null"),
    "no array to mark": (lambda: autograd.mark_variables([1.0], [nd.ones((3,))]), "float"),
    "no array as buffer": (lambda: autograd.mark_variables([X], [0]), "int"),
    "no heads": (lambda: autograd.backward([]), "at least one head"),
    "no array as head": (lambda: autograd.backward([3.0]), "float"),
    "no variable": (lambda: autograd.grad(X, []), "one variable"),
    "no array as variable": (lambda: autograd.grad(X, ["x"]), "str"),
}


@pytest.mark.parametrize("case", WRONG)
def test_wrong_arguments_are_named(case):
    call, said = WRONG[case]
    with pytest.raises(GluonError, match=said) as caught:
        call()
    assert isinstance(caught.value, (TypeError, ValueError))


@pytest.mark.parametrize("shape", [(1,), (2,), (3, 1), (1, 3), (4,)])
def test_a_head_gradient_of_the_wrong_shape_is_an_error(shape):
    x = variable(1, 2, 3)
    with autograd.record():
        y = x * x
    with pytest.raises(ValueError, match=r"expected \(3,\), got \(" + str(shape[0])):
        y.backward(nd.ones(shape))
    with pytest.raises(ValueError, match="shape"):
        autograd.grad(y, [x], nd.ones(shape))
    y.backward()
    assert values(x.grad) == [2, 4, 6]


def test_head_gradients_that_are_no_arrays_or_too_few():
    x = variable(1, 2, 3)
    with autograd.record():
        y = x * x
    with pytest.raises(TypeError, match=r"\(3,\)"):
        y.backward(1.0)
    with pytest.raises(ValueError, match="2 heads but 1"):
        autograd.backward([y, y], [None])


def test_a_head_gradient_of_another_dtype_is_converted():
    x = variable(1, 2, dtype="float64")
    with autograd.record():
        y = x * x
    head_grad = nd.array([1, 2], dtype="int32")
    y.backward(head_grad)
    assert (x.grad.dtype, head_grad.dtype) == (np.float64, np.int32)
    assert values(x.grad) == [2, 8]


def test_the_conversion_of_a_head_gradient_is_differentiated_too():
    x, head_grad = variable(1, 2, dtype="float64"), variable(3, 4)
    with autograd.record():
        y = x * x
        (dx,) = autograd.grad(y, [x], head_grad, create_graph=True)
    dx.backward()
    assert (values(x.grad), values(head_grad.grad)) == ([6, 8], [2, 4])
    assert head_grad.dtype == head_grad.grad.dtype == np.float32


def test_it_is_converted_before_a_function_sees_it():
    class Look(autograd.Function):
        def forward(self, x):
            return x * 2

        def backward(self, dy):
            seen.append(dy.dtype)
            return dy * 2

    seen = []
    x = variable(1, 2)
    for head_grad in (nd.ones((2,)), nd.ones((2,), dtype="float64")):
        with autograd.record():
            y = Look()(x)
        y.backward(head_grad)
    assert seen == [np.float32, np.float32]


def test_gradients_through_a_nested_record_are_one_graph():
    x = variable(2)
    with autograd.record():
        y = x * x
        with autograd.record():
            z = y * x
    z.backward()
    assert values(x.grad) == [12]


def test_what_was_computed_while_paused_is_a_constant():
    x = variable(2)
    with autograd.record():
        with autograd.pause():
            constant = x * x
        y = x * constant
    y.backward()
    assert values(x.grad) == [4]


def test_grad_through_a_released_graph_says_so():
    x = variable(1, 2)
    with autograd.record():
        y = (x * 2).exp()
    y.backward()
    with pytest.raises(GluonError, match="was released by an earlier backward"):
        autograd.grad(y, [x])


@pytest.mark.parametrize("shapes", [((1,), (3,)), ((3,), (1,)), ((3, 1), (1, 2)), ((2,), (3, 2))])
def test_broadcasting_of_either_input_is_undone(shapes):
    a, b = (nd.ones(shape) for shape in shapes)
    a.attach_grad()
    b.attach_grad()
    with autograd.record():
        y = a * b
    y.backward()
    for one in (a, b):
        assert one.grad.shape == one.shape
        assert (one.grad.asnumpy() == y.size / one.size).all()


def test_heads_and_variables_in_the_wrong_order():
    x = nd.ones((3,))
    x.attach_grad()
    with autograd.record():
        y = x * x
    with pytest.raises(GluonError, match="the heads come first, as in grad"):
        autograd.grad(x, y)


def test_a_second_loss_for_the_gradient_of_the_first():
    x = nd.ones((3,))
    x.attach_grad()
    with autograd.record():
        a, b = x.sum(), (x * x).sum()
    with pytest.warns(UserWarning, match=r"several losses are one list, as in backward\(\[a, b"):
        autograd.backward(a, b)
    assert x.grad.asnumpy().tolist() == [3, 3, 3]
