"""`gluon.operator` and `nd.Custom`: values, gradients of every order, calls and mistakes.

The values asserted are those of MXNet 1.9.1, where it has them.
"""

from __future__ import annotations

import gc
import threading
import traceback
import weakref

import numpy as np
import pytest

from gluon import GluonError, HybridBlock, autograd, nd, operator
from gluon.operator import CustomOp, CustomOpProp, register


def define(name: str, forward=None, backward=None, **methods):
    """Register an operator made of functions; the returned list records their arguments."""
    seen: list = []

    class Op(CustomOp):
        def forward(self, is_train, req, in_data, out_data, aux):
            seen.append(("forward", is_train, req, autograd.is_recording()))
            (forward or double)(self, req, in_data, out_data, aux)

        def backward(self, req, out_grad, in_data, out_data, in_grad, aux):
            seen.append(("backward", req, autograd.is_recording()))
            (backward or double_grad)(self, req, out_grad, in_data, out_data, in_grad, aux)

    class Prop(CustomOpProp):
        def __init__(self, **kwargs):
            super().__init__(kwargs.pop("top", "True") == "True")
            seen.append(("init", kwargs))

        def create_operator(self, ctx, in_shapes, in_dtypes):
            seen.append(("create", str(ctx), in_shapes, in_dtypes))
            return Op()

    for key, method in methods.items():
        setattr(Prop, key, method)
    register(name)(Prop)
    return seen


def double(op, req, in_data, out_data, aux):
    op.assign(out_data[0], req[0], in_data[0] * 2)


def double_grad(op, req, out_grad, in_data, out_data, in_grad, aux):
    op.assign(in_grad[0], req[0], out_grad[0] * 2)


def variable(*values: float, dtype: str = "float32", grad_req: str = "write"):
    x = nd.array(values, dtype=dtype)
    x.attach_grad(grad_req)
    return x


def values(array) -> list:
    return array.asnumpy().tolist()


# ---------------------------------------------------------------------------------- calls


def test_what_the_methods_are_given():
    seen = define("double")
    x = variable(1, 2, 3)
    y = nd.Custom(x, op_type="double")
    with autograd.record():
        y = nd.Custom(x, op_type="double", a=1, b=(2, 3), c="s", d=None, e=True, f=1.5)
    y.backward()
    assert values(y) == [2, 4, 6]
    assert values(x.grad) == [2, 2, 2]
    strings = {"a": "1", "b": "(2, 3)", "c": "s", "d": "None", "e": "True", "f": "1.5"}
    create = ("create", "cpu(0)", [[3]], [np.float32])
    assert seen == [
        *(("init", {}), create, ("forward", False, ["write"], False)),
        *(("init", strings), create, ("forward", True, ["write"], False)),
        ("backward", ["write"], False),
    ]


def test_predict_mode_is_told():
    seen = define("double")
    with autograd.record(train_mode=False):
        nd.Custom(variable(1), op_type="double")
    assert seen[-1] == ("forward", False, ["write"], False)


def test_outputs_and_gradients_that_are_not_assigned_are_zeros():
    define("idle", lambda *_: None, lambda *_: None)
    x = variable(1, 2)
    with autograd.record():
        y = nd.Custom(x, op_type="idle")
    y.backward()
    assert (values(y), values(x.grad)) == ([0, 0], [0, 0])


def test_assign():
    op = CustomOp()
    for req, want in {"null": 1, "write": 5, "inplace": 5, "add": 6}.items():
        array = nd.ones((2, 2))
        op.assign(array, req, nd.full((2, 2), 5))
        assert values(array) == [[want, want]] * 2
    array = nd.ones((2, 2))
    with pytest.warns(UserWarning, match=r"repeats an array of shape \(2,\) to fill one of shape"):
        op.assign(array, "write", nd.array([5, 6]))
    assert values(array) == [[5, 6]] * 2
    for source in (3, np.array([3.0, 3.0])):
        array = nd.ones((2,))
        op.assign(array, "write", source)
        assert values(array) == [3, 3]


def two(op, req, in_data, out_data, aux):
    op.assign(out_data[0], req[0], in_data[0] * in_data[1])
    op.assign(out_data[1], req[1], in_data[0] + in_data[1])


def two_grad(op, req, out_grad, in_data, out_data, in_grad, aux):
    op.assign(in_grad[0], req[0], out_grad[0] * in_data[1] + out_grad[1])
    op.assign(in_grad[1], req[1], out_grad[0] * in_data[0] + out_grad[1])


TWO = {"list_arguments": lambda self: ["a", "b"], "list_outputs": lambda self: ["p", "q"]}


def test_several_inputs_and_outputs():
    seen = define("two", two, two_grad, **TWO)
    a, b = variable(2, 3), variable(5, 7)
    with autograd.record():
        p, q = nd.Custom(a, b, op_type="two")
        loss = p * 10 + q
    loss.backward()
    assert (values(a.grad), values(b.grad)) == ([51, 71], [21, 31])
    with autograd.record():
        p, q = nd.Custom(a, nd.ones((2,)), op_type="two")
    p.backward()
    assert seen[-1] == ("backward", ["write", "null"], False)
    assert values(a.grad) == [1, 1]
    assert isinstance(nd.Custom(a, b, op_type="two"), list)


def test_gradients_add_up():
    define("two", two, two_grad, **TWO)
    a, b = variable(2), variable(5, grad_req="add")
    for _ in range(2):
        with autograd.record():
            p, _ = nd.Custom(a, b, op_type="two")
        p.backward()
    assert values(b.grad) == [4]


def test_auxiliary_states_are_written_in_forward():
    def count(op, req, in_data, out_data, aux):
        aux[0][:] = aux[0] + 1
        op.assign(out_data[0], req[0], in_data[0] * aux[0])

    def count_grad(op, req, out_grad, in_data, out_data, in_grad, aux):
        op.assign(in_grad[0], req[0], out_grad[0] * aux[0])

    seen = define(
        "count",
        count,
        count_grad,
        list_auxiliary_states=lambda self: ["calls"],
        infer_shape=lambda self, shapes: (shapes, shapes, [[1]]),
    )
    x, calls = variable(1, 2), nd.zeros((1,))
    for _ in range(2):
        with autograd.record():
            y = nd.Custom(x, calls, op_type="count")
    y.backward()
    assert (values(calls), values(y), values(x.grad)) == ([2], [2, 4], [2, 2])
    assert seen[1] == ("create", "cpu(0)", [[2], [1]], [np.float32] * 2)


def test_a_loss_needs_no_gradient_from_above():
    def softmax(op, req, in_data, out_data, aux):
        op.assign(out_data[0], req[0], nd.softmax(in_data[0]))

    def difference(op, req, out_grad, in_data, out_data, in_grad, aux):
        classes = nd.one_hot(in_data[1], in_data[0].shape[1])
        op.assign(in_grad[0], req[0], out_data[0] - classes)

    define(
        "loss",
        softmax,
        difference,
        list_arguments=lambda self: ["data", "label"],
        infer_shape=lambda self, shapes: ([shapes[0], shapes[0][:1]], [shapes[0]]),
    )
    x, label = nd.array([[0, 0], [2, 2]]), nd.array([1, 0])
    x.attach_grad()
    with autograd.record():
        y = nd.Custom(x, label, op_type="loss", top=False)
    y.backward()
    assert values(x.grad) == [[0.5, -0.5], [-0.5, 0.5]]


def test_what_forward_stores_backward_finds_and_each_call_has_its_own():
    def square(op, req, in_data, out_data, aux):
        op.kept = in_data[0].asnumpy()
        op.assign(out_data[0], req[0], op.kept**2)

    def square_grad(op, req, out_grad, in_data, out_data, in_grad, aux):
        op.assign(in_grad[0], req[0], out_grad[0] * nd.array(2 * op.kept))

    define("square", square, square_grad)
    x = variable(2, 3)
    with autograd.record():
        y = nd.Custom(nd.Custom(x, op_type="square"), op_type="square")
    y.backward()
    assert (values(y), values(x.grad)) == ([16, 81], [32, 108])


def test_shapes_and_dtypes_are_inferred():
    def outer(op, req, in_data, out_data, aux):
        op.assign(out_data[0], req[0], in_data[0].reshape((-1, 1)) * in_data[0])

    define(
        "outer",
        outer,
        infer_shape=lambda self, shapes: (shapes, [shapes[0] * 2]),
        infer_type=lambda self, types: (types, [np.float64], []),
    )
    y = nd.Custom(nd.array([1, 2]), op_type="outer")
    assert (values(y), y.dtype) == ([[1, 2], [2, 4]], np.float64)


def test_integers():
    define("double")
    with pytest.warns(UserWarning, match="drops fractions"):
        x = variable(1, 2, dtype="int32")
    with autograd.record():
        y = nd.Custom(x, op_type="double")
    y.backward()
    assert (y.dtype, values(y), x.grad.dtype, values(x.grad)) == (
        np.int32,
        [2, 4],
        np.int32,
        [2, 2],
    )


def test_out_and_name():
    define("double")
    out = nd.zeros((2,))
    assert nd.Custom(nd.ones((2,)), op_type="double", out=out, name="ignored") is out
    assert values(out) == [2, 2]


def test_a_name_is_registered_anew():
    define("double")
    define("double", lambda op, req, x, y, aux: op.assign(y[0], req[0], x[0] * 100))
    assert values(nd.Custom(nd.ones((1,)), op_type="double")) == [100]


def test_in_a_block():
    class Twice(HybridBlock):
        def hybrid_forward(self, F, x):
            return F.Custom(x, op_type="double")

    define("double")
    block = Twice()
    assert values(block(nd.ones((1,)))) == [2]
    block.hybridize()
    assert values(block(nd.ones((1,)))) == [2]


def test_a_call_runs_in_the_thread_of_the_caller():
    threads = []
    define("where", lambda op, req, x, y, aux: threads.append(threading.current_thread()))
    worker = threading.Thread(target=nd.Custom, args=(nd.ones((1,)),), kwargs={"op_type": "where"})
    worker.start()
    worker.join()
    nd.Custom(nd.ones((1,)), op_type="where")
    assert threads == [worker, threading.current_thread()]


def test_an_input_keeps_its_values_when_forward_writes_to_it():
    def careless(op, req, in_data, out_data, aux):
        in_data[0][:] = 9
        op.assign(out_data[0], req[0], in_data[0])

    define("careless", careless)
    x = nd.ones((1,))
    assert values(nd.Custom(x, op_type="careless")) == [9]
    assert values(x) == [1]


def test_registered_operators_and_the_defaults():
    names = operator.get_all_registered_operators()
    assert {"Activation", "Convolution", "Custom"} <= set(names)
    assert names == sorted(names)
    prop = CustomOpProp()
    assert prop.infer_shape([[2, 3]]) == ([[2, 3]], [[2, 3]], [])
    assert prop.infer_type([np.float32]) == ([np.float32], [np.float32], [])
    assert prop.declare_backward_dependency([0], [1], [2]) == [0, 1, 2]
    assert CustomOpProp(need_top_grad=False).declare_backward_dependency([0], [1], [2]) == [1, 2]
    register("nothing")(CustomOpProp)
    assert values(nd.Custom(nd.ones((1,)), op_type="nothing")) == [0]


# -------------------------------------------------------------------------- higher orders


def cube(op, req, in_data, out_data, aux):
    op.assign(out_data[0], req[0], in_data[0] ** 3)


def cube_grad(op, req, out_grad, in_data, out_data, in_grad, aux):
    op.assign(in_grad[0], req[0], 3 * out_grad[0] * in_data[0] ** 2)


def cube_grad_in_parts(op, req, out_grad, in_data, out_data, in_grad, aux):
    op.assign(in_grad[0], req[0], out_grad[0] * in_data[0] ** 2)
    op.assign(in_grad[0], "add", 2 * out_grad[0] * in_data[0] ** 2)


def cube_grad_by_elements(op, req, out_grad, in_data, out_data, in_grad, aux):
    for k in range(2):
        in_grad[0][k] = 3 * out_grad[0][k] * in_data[0][k] ** 2


def exponential(op, req, in_data, out_data, aux):
    op.assign(out_data[0], req[0], nd.exp(in_data[0]))


def exponential_grad(op, req, out_grad, in_data, out_data, in_grad, aux):
    op.assign(in_grad[0], req[0], out_grad[0] * out_data[0])


@pytest.mark.parametrize("order", [1, 2, 3])
@pytest.mark.parametrize("backward", [cube_grad, cube_grad_in_parts, cube_grad_by_elements])
def test_every_order_through_the_inputs(backward, order):
    define("cube", cube, backward)
    x = variable(2, 3)
    with autograd.record():
        y = nd.Custom(x, op_type="cube")
        for _ in range(order):
            (y,) = autograd.grad(y, [x], create_graph=True)
    assert values(y) == [[12, 27], [12, 18], [6, 6]][order - 1]


def grown(op, req, in_data, out_data, aux):
    op.e = nd.exp(in_data[0])
    op.assign(out_data[0], req[0], in_data[0] * op.e)


def grown_grad(op, req, out_grad, in_data, out_data, in_grad, aux):
    op.assign(in_grad[0], req[0], out_grad[0] * (op.e + in_data[0] * op.e))


def grown_with_a_state(op, req, in_data, out_data, aux):
    aux[0][:] = nd.exp(in_data[0])
    op.assign(out_data[0], req[0], in_data[0] * aux[0])


def grown_with_a_state_grad(op, req, out_grad, in_data, out_data, in_grad, aux):
    op.assign(in_grad[0], req[0], out_grad[0] * (aux[0] + in_data[0] * aux[0]))


@pytest.mark.parametrize("state", [False, True])
def test_the_second_derivative_through_what_forward_computed_is_an_error(state):
    if state:
        define(
            "grown",
            grown_with_a_state,
            grown_with_a_state_grad,
            list_auxiliary_states=lambda self: ["e"],
            infer_shape=lambda self, shapes: (shapes, shapes, shapes),
        )
    else:
        define("grown", grown, grown_grad)
    x, states = variable(1, 2), [nd.zeros(2)] * state
    right = (1 + x.asnumpy()) * np.exp(x.asnumpy())
    with autograd.record():
        (slope,) = autograd.grad(nd.Custom(x, *states, op_type="grown"), [x], create_graph=True)
    np.testing.assert_allclose(slope.asnumpy(), right, rtol=1e-6)
    with pytest.raises(GluonError, match=r"Custom.*cannot be differentiated again"):
        slope.backward()
    with autograd.record():
        y = nd.Custom(x, *states, op_type="grown")
        for one in states:  # outside the call a state is as constant as ever
            y = y * one / one
    y.backward()
    np.testing.assert_allclose(x.grad.asnumpy(), right, rtol=1e-6)


@pytest.mark.parametrize("order", [1, 2, 3])
def test_every_order_through_the_outputs(order):
    define("exponential", exponential, exponential_grad)
    x = variable(0.5, -1)
    with autograd.record():
        y = nd.Custom(x, op_type="exponential")
        for _ in range(order):
            (y,) = autograd.grad(y, [x], create_graph=True)
    np.testing.assert_allclose(y.asnumpy(), np.exp([0.5, -1]), rtol=1e-6)


def test_second_order_through_two_outputs():
    define("two", two, two_grad, **TWO)
    a, b = variable(2), variable(5)
    with autograd.record():
        product, total = nd.Custom(a, b, op_type="two")
        ga, gb = autograd.grad(product * total, [a, b], create_graph=True)
        loss = ga * gb
    loss.backward()
    # f = ab(a + b): f_a = 2ab + b², f_b = a² + 2ab
    fa, fb, faa, fab, fbb = 45, 24, 10, 14, 4
    assert values(a.grad) == [faa * fb + fa * fab]
    assert values(b.grad) == [fab * fb + fa * fbb]


def test_nothing_is_recorded_in_a_plain_backward_and_everything_in_a_watched_one():
    seen = define("cube", cube, cube_grad)
    x = variable(2)
    for create_graph in (False, True):
        with autograd.record():
            y = nd.Custom(x, op_type="cube")
            autograd.grad(y, [x], create_graph=create_graph)
        assert seen[-1] == ("backward", ["write"], create_graph)


# ------------------------------------------------------------------------------- mistakes


def stop(*_):
    raise KeyError("mine")


METHODS = ("__init__", "list_arguments", "list_outputs", "list_auxiliary_states", "infer_shape")


@pytest.mark.parametrize("method", [*METHODS, "infer_type", "create_operator"])
def test_an_error_of_the_user_comes_as_it_is(method):
    define("stops", **{method: stop})
    with pytest.raises(KeyError, match="mine"):
        nd.Custom(nd.ones((1,)), op_type="stops")


@pytest.mark.parametrize("when", ["forward", "backward"])
def test_the_traceback_leads_to_the_line_of_the_user(when):
    define("stops", **{when: stop})
    x = variable(1)
    with pytest.raises(KeyError, match="mine") as caught, autograd.record():
        nd.Custom(x, op_type="stops").backward()
    assert traceback.extract_tb(caught.value.__traceback__)[-1].name == "stop"
    assert not autograd.is_recording()


MISTAKES = {
    "no name": (lambda x: nd.Custom(x), ValueError, "op_type is missing"),
    "an unknown name": (lambda x: nd.Custom(x, op_type="nope"), ValueError, "'nope'"),
    "no array": (lambda x: nd.Custom(op_type="double"), ValueError, "got 0 arrays"),
    "too many arrays": (lambda x: nd.Custom(x, x, op_type="double"), ValueError, "got 2 arrays"),
    "a list": (lambda x: nd.Custom([1.0], op_type="double"), TypeError, "data is list"),
    "an array by name": (lambda x: nd.Custom(data=x, op_type="double"), TypeError, "by position"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_wrong_calls(mistake):
    define("double")
    call, kind, said = MISTAKES[mistake]
    with pytest.raises(GluonError, match=r"^Custom.*" + said) as caught:
        call(nd.ones((2,)))
    assert isinstance(caught.value, kind)


def lose_output(op, req, in_data, out_data, aux):
    out_data[0] = in_data[0] * 2


def lose_gradient(op, req, out_grad, in_data, out_data, in_grad, aux):
    in_grad[0] = out_grad[0] * 2


@pytest.mark.parametrize(
    ("methods", "said"),
    [
        ({"forward": lose_output}, "forward replaced an array of the list out_data; write into"),
        ({"backward": lose_gradient}, "it replaced an array of the list in_grad; write into"),
        ({"create_operator": lambda *_: None}, "create_operator returned a NoneType; return a"),
    ],
)
def test_values_that_would_be_lost(methods, said):
    define("loses", **methods)
    x = variable(1)
    with pytest.raises(GluonError, match=rf"Custom.*{said}"), autograd.record():
        nd.Custom(x, op_type="loses").backward()


WRONG_SHAPES = {
    "four lists": lambda s: (s, s, [], []),
    "two outputs": lambda s: (s, s + s, []),
    "two inputs": lambda s: (s + s, s, []),
    "another input": lambda s: ([[3, 3]], s, []),
    "an auxiliary state": lambda s: (s, s, s),
}


@pytest.mark.parametrize("wrong", WRONG_SHAPES)
def test_wrong_shapes(wrong):
    infer = WRONG_SHAPES[wrong]
    define("wrong", infer_shape=lambda self, shapes: infer(shapes))
    with pytest.raises(ValueError, match=r"^Custom\(op_type='wrong'\): infer_shape returned"):
        nd.Custom(nd.ones((2, 3)), op_type="wrong")


def test_an_output_of_another_shape_than_inferred():
    define("wrong", infer_shape=lambda self, shapes: (shapes, [[3, 3]]))
    with (
        pytest.raises(ValueError, match=r"\(3, 3\)"),
        pytest.warns(UserWarning, match=r"infer_shape decides the shapes of outputs"),
    ):
        nd.Custom(nd.ones((2, 3)), op_type="wrong")


def test_wrong_types():
    define("wrong", infer_type=lambda self, types: ([np.float64], types, []))
    with pytest.raises(ValueError, match=r"infer_type returned \[dtype\('float64'\)\]"):
        nd.Custom(nd.ones((1,)), op_type="wrong")


def test_only_a_property_can_be_registered():
    with pytest.raises(TypeError, match=r"^register: .*CustomOpProp"):
        register("wrong")(CustomOp)


# --------------------------------------------------------------------------------- memory


@pytest.mark.usefixtures("no_cycle_collector")
@pytest.mark.parametrize("create_graph", [False, True])
def test_a_call_is_freed_with_its_graph(create_graph):
    define("cube", cube, cube_grad)
    x = variable(1, 2)
    with autograd.record():
        y = nd.Custom(x, op_type="cube")
        loss = y.sum()
        if create_graph:
            autograd.grad(loss, [x], create_graph=True)
    refs = [weakref.ref(y), weakref.ref(y.raw)]
    del y, loss
    assert [ref() for ref in refs] == [None] * 2
    assert not gc.isenabled()


@pytest.mark.usefixtures("no_cycle_collector")
@pytest.mark.parametrize("used", [False, True])
def test_an_input_that_backward_does_not_use_is_not_kept(used):
    def declare(self, out_grad, in_data, out_data):
        return [*out_grad, *in_data] if used else out_grad

    given = []

    def backward(op, req, out_grad, in_data, out_data, in_grad, aux):
        given.extend(in_data)
        op.assign(in_grad[0], req[0], out_grad[0] * 2)

    define("double", backward=backward, declare_backward_dependency=declare)
    x = variable(1, 2)
    with autograd.record():
        z = x + 1
        y = nd.Custom(z, op_type="double")
    ref = weakref.ref(z.raw)
    del z
    assert (ref() is not None) == used
    y.backward()
    assert values(x.grad) == [2, 2]
    assert (given[0] is not None) == used
