"""jacobian, hessian, hvp, vjp, jvp and value_and_grad: against closed forms, NumPy and PyTorch."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from functools import partial

import numpy as np
import pytest
from numpy.testing import assert_allclose

from gluon import GluonError, autograd, nd, nn
from gluon._core.engine.mode import mode
from gluon.autodiff import GradManager
from gluon.nd import NDArray


def double(*values):
    return nd.array(np.array(values), dtype="float64")


def close(array, wanted):
    assert_allclose(array.asnumpy(), wanted, rtol=1e-10, atol=1e-12)


@pytest.fixture
def x():
    return double(1.0, 2.0, 3.0)


#: Every public function at a point, as a function that returns a tuple of arrays.
CALLS: dict[str, Callable] = {
    "jacobian": lambda f, x, v: (autograd.jacobian(f, x),),
    "hessian": lambda f, x, v: (autograd.hessian(lambda x: f(x).sum(), x),),
    "hvp": lambda f, x, v: autograd.hvp(lambda x: f(x).sum(), x, v),
    "vjp": autograd.vjp,
    "jvp": autograd.jvp,
    "value_and_grad": lambda f, x, v: autograd.value_and_grad(f)(x),
}


@pytest.fixture(params=CALLS)
def call(request):
    return CALLS[request.param]


# --------------------------------------------------------------------------- closed forms


def test_jacobian_of_a_linear_map_is_its_matrix(x):
    A = double([1.0, 2.0, 3.0], [4.0, 5.0, 6.0])
    close(autograd.jacobian(lambda x: nd.dot(A, x), x), A.asnumpy())


def test_hessian_of_a_quadratic_form_is_its_symmetric_part_doubled(x):
    A = np.array([[1.0, 2.0, 3.0], [0.0, 5.0, 6.0], [7.0, 8.0, 9.0]])
    found = autograd.hessian(lambda x: nd.dot(x, nd.dot(nd.array(A, dtype="float64"), x)), x)
    close(found, A + A.T)


def test_products_are_those_with_the_matrices(x):
    def f(x):
        return nd.dot(x, x) * nd.sin(x)

    J, v = autograd.jacobian(f, x).asnumpy(), double(0.5, -1.0, 2.0)
    value, product = autograd.vjp(f, x, v)
    close(value, f(x).asnumpy())
    close(product, v.asnumpy() @ J)
    value, product = autograd.jvp(f, x, v)
    close(value, f(x).asnumpy())
    close(product, J @ v.asnumpy())
    H = autograd.hessian(lambda x: f(x).sum(), x).asnumpy()
    value, product = autograd.hvp(lambda x: f(x).sum(), x, v)
    close(value, [f(x).asnumpy().sum()])
    close(product, H @ v.asnumpy())


def test_shapes_are_those_of_the_output_then_the_input():
    x = nd.array(np.arange(6.0).reshape(2, 3), dtype="float64")
    J = autograd.jacobian(lambda x: nd.dot(x, x.T), x)
    assert J.shape == (2, 2, 2, 3)
    X, eye = x.asnumpy(), np.eye(2)
    close(J, np.einsum("ik,jl->ijkl", eye, X) + np.einsum("jk,il->ijkl", eye, X))
    assert autograd.hessian(lambda x: (x * x).sum(), x).shape == (2, 3, 2, 3)
    assert autograd.jacobian(lambda x: x[0:0], x).shape == (0, 3, 2, 3)


def test_several_inputs_and_outputs(x):
    w = double(4.0, 5.0)

    def f(x, w):
        return x.sum() * w, (x * x).sum() * w[0]

    J = autograd.jacobian(f, (x, w))
    assert [[part.shape for part in row] for row in J] == [[(2, 3), (2, 2)], [(1, 3), (1, 2)]]
    close(J[0][0], [[4, 4, 4], [5, 5, 5]])
    close(J[0][1], [[6, 0], [0, 6]])
    close(J[1][0], [[8, 16, 24]])
    close(J[1][1], [[14, 0]])
    v, u = (double(1.0, 0.0), double(2.0)), (double(1.0, 1.0, 0.0), double(0.0, 1.0))
    value, products = autograd.vjp(f, [x, w], v)
    assert isinstance(value, tuple)
    close(products[0], [4 + 16, 4 + 32, 4 + 48])
    close(products[1], [6 + 28, 0])
    value, products = autograd.jvp(f, (x, w), u)
    close(products[0], [8, 10 + 6])
    close(products[1], [24])


def test_hessian_of_several_inputs_has_all_blocks(x):
    w = double(4.0)
    H = autograd.hessian(lambda x, w: (x**2).sum() * w**3, (x, w))
    close(H[0][0], 2 * 64 * np.eye(3))
    close(H[0][1], 2 * 48 * np.array([[1], [2], [3]]))
    close(H[1][0], H[0][1].asnumpy().T)
    close(H[1][1], [[14 * 24]])


@pytest.mark.parametrize(
    ("argnums", "many"),
    [
        (1, False),
        (-1, False),
        (np.int64(1), False),
        (nd.array([1], dtype="int32"), True),
        ([1], True),
        ((1, 0), True),
    ],
)
def test_argnums_choose_and_order_the_inputs(x, argnums, many):
    found = autograd.jacobian(lambda n, x: x * n, (double(2.0), x), argnums=argnums)
    assert isinstance(found, tuple) == many
    close(found[0] if many else found, 2 * np.eye(3))
    if many and len(argnums) == 2:
        close(found[1], [[1], [2], [3]])


def test_a_sequence_of_argnums_gives_a_tuple_also_for_a_single_array(x):
    assert isinstance(autograd.jacobian(lambda x: x * 2, x, argnums=[0]), tuple)


def test_inputs_left_out_may_be_anything(x):
    def power(x, n, places):
        return nd.take(x, places) ** n

    places = nd.array([2, 0], dtype="int32")
    J = autograd.jacobian(power, (x, 2, places), argnums=0)
    close(J, [[0, 0, 6], [2, 0, 0]])


def test_what_an_output_does_not_depend_on_has_zeros(x, call):
    *_, found = call(lambda x: x * 0 + 1, x, x)
    assert not found.asnumpy().any()
    *_, found = call(lambda x: nd.ones((3,), dtype="float64"), x, x)
    assert not found.asnumpy().any()
    close(autograd.jacobian(lambda x, w: x, (x, x))[1], np.zeros((3, 3)))


def test_a_function_that_returns_its_input(x):
    close(autograd.jacobian(lambda x: x, x), np.eye(3))
    value, product = autograd.jvp(lambda x: x, x, x)
    close(value, x.asnumpy())
    close(product, x.asnumpy())
    with pytest.raises(GluonError, match="created or computed outside"):
        value.backward()


def test_vjp_without_v_takes_ones(x):
    close(autograd.vjp(lambda x: x**2, x)[1], [2, 4, 6])


def test_the_dtype_is_that_of_the_input():
    x = nd.array([1, 2])
    assert autograd.jacobian(lambda x: x.astype("float64") ** 2, x).dtype == np.float32
    value, product = autograd.jvp(lambda x: x.astype("float64") ** 2, x, x)
    assert (value.dtype, product.dtype) == (np.float64, np.float64)
    _, product = autograd.vjp(lambda x: x * x, x, nd.ones((2,), dtype="float64"))
    assert product.dtype == np.float32


class Tensor(NDArray):
    """Another class of array."""

    __slots__ = ()


def test_results_take_the_class_of_the_arrays(call):
    x = Tensor.__new__(Tensor)
    x.raw, x._node, x._ctx = np.array([1.0, 2.0]), mode().blank, None
    assert all(type(one) is Tensor for one in call(lambda x: x * x, x, x))


# ------------------------------------------------------------------------- value_and_grad


def test_value_and_grad_of_a_loss():
    @autograd.value_and_grad
    def loss(w, x, y, *, scale=1.0):
        """The squared error."""
        return ((nd.dot(x, w) - y) ** 2).sum() * scale

    assert (loss.__name__, loss.__doc__) == ("loss", "The squared error.")
    w, x, y = double(1.0, -1.0), double([1.0, 2.0], [3.0, 4.0]), double(0.0, 1.0)
    value, slope = loss(w, x, y, scale=0.5)
    residual = np.array([-1.0, -2.0])
    close(value, [2.5])
    close(slope, residual @ x.asnumpy())


def test_value_and_grad_of_several_arguments(x):
    w = double(2.0)
    value, slopes = autograd.value_and_grad(lambda x, w: x * w, argnums=(1, 0))(x, w)
    close(value, [2, 4, 6])
    close(slopes[0], [6])
    close(slopes[1], [2, 2, 2])
    (total, parts), slope = autograd.value_and_grad(lambda x: (x.sum(), [x * x][0]))(x)
    close(total, [6])
    close(parts, [1, 4, 9])
    close(slope, [3, 5, 7])


def test_training_steps_go_down():
    step = autograd.value_and_grad(lambda w: ((w - 3) ** 2).sum())
    w, values = double(0.0, 10.0), []
    for _ in range(50):
        value, slope = step(w)
        values.append(value.item())
        w -= 0.1 * slope
    assert values == sorted(values, reverse=True)
    assert_allclose(w.asnumpy(), [3, 3], atol=1e-3)


# ------------------------------------------------------------------ nesting and recording


def test_jacobians_of_jacobians(x):
    second = autograd.jacobian(lambda x: autograd.jacobian(lambda x: x**4, x), x)
    third = autograd.jacobian(lambda x: autograd.hessian(lambda x: (x**4).sum(), x), x)
    cube = np.zeros((3, 3, 3))
    cube[range(3), range(3), range(3)] = 1
    close(second, cube * 12 * np.array([1, 4, 9]))
    close(third, cube * 24 * np.array([1, 2, 3]))


def test_every_product_of_every_other(x, call):
    def f(x):
        return nd.sin(x) * x.sum()

    def inner(x):
        return call(f, x, x * 2)[-1]

    J = autograd.jacobian(inner, x)
    step = 1e-6
    for place in range(3):
        moved = [x.asnumpy(), x.asnumpy()]
        moved[0][place] += step
        moved[1][place] -= step
        high, low = (inner(nd.array(raw, dtype="float64")).asnumpy() for raw in moved)
        assert_allclose(J.asnumpy()[..., place], (high - low) / (2 * step), rtol=1e-6, atol=1e-7)


def test_forward_over_forward_over_reverse(x):
    def cube(x):
        return (x**3).sum()

    one = double(1.0, 0.0, 0.0)

    def along(x):
        return autograd.jvp(autograd.value_and_grad(cube), x, one)[1][1]

    close(autograd.jvp(along, x, one)[1], [6, 0, 0])


@pytest.mark.parametrize("kind", ["record", "manager"])
def test_results_are_recorded_by_those_who_record(x, call, kind):
    def score(x):
        return sum((part * part).sum() for part in call(lambda x: x**3, x, x))

    wanted = autograd.jacobian(score, x)[0].asnumpy()
    x.attach_grad()
    manager = GradManager().attach(x)
    with autograd.record() if kind == "record" else manager:
        y = score(x)
        if kind == "manager":
            manager.backward(y)
    if kind == "record":
        y.backward()
    close(x.grad, wanted)


def test_values_are_recorded_by_those_who_record(x):
    x.attach_grad()
    for call in (autograd.vjp, partial(autograd.hvp, v=x), partial(autograd.jvp, v=x)):
        with autograd.record():
            value, _ = call(lambda x: (x * x).sum(), x)
        value.backward()
        close(x.grad, 2 * x.asnumpy())


def test_a_value_that_nobody_records_says_why(x):
    with autograd.record(), autograd.pause():
        value, _ = autograd.vjp(lambda x: x * x, x)
    with pytest.raises(GluonError, match="while recording was paused"):
        value.backward()


def test_record_and_backward_inside_the_function(x):
    def slope(x):
        w = double(1.0, 1.0, 1.0)
        w.attach_grad()
        with autograd.record():
            y = (w * x**2).sum()
            (g,) = autograd.grad([y], [w], create_graph=True)
        return g * w

    close(autograd.jacobian(slope, x), np.diag([2, 4, 6]))


@pytest.mark.parametrize("recorder", [None, autograd.record, autograd.pause])
def test_nothing_is_left_behind(x, call, recorder):
    w = double(1.0, 1.0, 1.0)
    for array in (x, w):
        array.attach_grad()
        array.grad[:] = 7
    nodes = x._node, w._node
    before = mode()
    if recorder is None:
        parts = call(lambda x: x * w, x, x)
        assert mode() is before
        assert not any(part._node.tapes for part in parts)
    else:
        with recorder():
            inside = mode()
            parts = call(lambda x: x * w, x, x)
            assert mode() == inside
    assert (x._node, w._node) == nodes
    for array in (x, w):
        assert not array.fresh_grad
        close(array.grad, [7, 7, 7])


def test_an_error_in_the_function_leaves_nothing_recording(x, call):
    def f(x):
        raise KeyError("mine")

    before = mode()
    with pytest.raises(KeyError, match="mine"):
        call(f, x, x)
    assert mode() is before


def test_captured_arrays_are_constants(x):
    close(autograd.jacobian(lambda y: x * y, x), np.diag([1, 2, 3]))


def test_the_mode_of_training_is_that_outside(x):
    net = nn.Dropout(0.5)
    assert autograd.value_and_grad(net)(x)[1].asnumpy().tolist() == [1, 1, 1]
    with autograd.train_mode():
        assert set(autograd.value_and_grad(net)(x)[1].asnumpy().tolist()) <= {0, 2}


def test_a_backward_rule_sees_the_mode_of_training_outside(x):
    seen = []

    class Seen(autograd.Function):
        def forward(self, x):
            return x * 2

        def backward(self, dy):
            seen.append(autograd.is_training())
            return dy * 2

    autograd.vjp(lambda x: Seen()(x), x)
    with autograd.train_mode():
        autograd.vjp(lambda x: Seen()(x), x)
    assert seen == [False, True]


def test_writes_into_an_argument_stay_inside(x):
    def f(x):
        x *= x
        return x

    close(autograd.jacobian(f, x), np.diag([2, 4, 6]))
    close(x, [1, 2, 3])


@pytest.mark.usefixtures("no_cycle_collector")
def test_the_graph_is_freed(x, call):
    kept = []

    def f(x):
        y = nd.exp(x)
        kept.append(weakref.ref(y.raw))
        return y * y

    parts = call(f, x, x)
    assert kept
    assert all(one() is None for one in kept)
    assert parts


# ----------------------------------------------------------------------------- bad input


BAD = {
    "no function": (lambda x: autograd.jacobian(3, x), "jacobian: give a function, .* got int"),
    "no array": (lambda x: autograd.vjp(nd.sin, [1.0]), "vjp: input 0 is float; give an array"),
    "integers": (
        lambda x: autograd.jvp(nd.sin, x.astype("int32"), x),
        r"jvp: input 0, of shape \(3,\), has dtype int32, which has no derivative; leave it out",
    ),
    "argnums beyond": (
        lambda x: autograd.hessian(nd.sin, x, argnums=1),
        "hessian: argnums=1, but the number of inputs is 1",
    ),
    "argnums twice": (
        lambda x: autograd.jacobian(nd.sin, (x, x), argnums=(0, -2)),
        "each only once",
    ),
    "no argnums": (lambda x: autograd.jacobian(nd.sin, x, argnums=()), "at least one input"),
    "argnums a word": (lambda x: autograd.jacobian(nd.sin, x, argnums="a"), "argnums='a'; give"),
    "no output": (
        lambda x: autograd.vjp(lambda x: 3.0, x),
        "vjp: output 0 of the function is float; return an array",
    ),
    "an output of integers": (
        lambda x: autograd.vjp(lambda x: x.astype("int32"), x),
        "vjp: output 0 of the function has dtype int32",
    ),
    "truth values": (
        lambda x: autograd.vjp(nd.sin, x.astype("bool")),
        "vjp: input 0, of shape .* has dtype bool, which has no derivative",
    ),
    "no gradient": (
        lambda x: autograd.jacobian(nd.argmax, x),
        "jacobian: output 0 of the function was computed by argmax, which has no gradient",
    ),
    "detached": (
        lambda x: autograd.jacobian(lambda x: x.detach(), x),
        r"was cut from its history by detach\(\)",
    ),
    "not a scalar": (
        lambda x: autograd.hvp(nd.sin, x, x),
        r"hvp: the function returned shape \(3,\); it must return a single value, so sum it",
    ),
    "shape of v": (
        lambda x: autograd.jvp(nd.sin, x, nd.ones(2)),
        r"jvp: v has shape \(2,\), but input 0 has \(3,\)",
    ),
    "shape of one v": (
        lambda x: autograd.vjp(lambda x: (x, x), x, (x, nd.ones(2))),
        r"vjp: v\[1\] has shape \(2,\), but output 1 has \(3,\)",
    ),
    "v for several": (
        lambda x: autograd.hvp(lambda x, w: (x * w).sum(), (x, x), x),
        "hvp: v must be a tuple of 2 arrays, one for each input; got NDArray",
    ),
    "several v": (lambda x: autograd.jvp(nd.sin, x, (x,)), "jvp: v must be one array"),
    "v a number": (lambda x: autograd.vjp(nd.sin, x, 2), "vjp: v is int; give an array"),
    "no decorated function": (
        lambda x: autograd.value_and_grad(x),
        "value_and_grad: give a function, not NDArray",
    ),
    "no argument": (
        lambda x: autograd.value_and_grad(nd.sin)(),
        "value_and_grad: argnums=0, but the number of inputs is 0",
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input_is_named(x, name):
    run, message = BAD[name]
    before = mode()
    with pytest.raises(GluonError, match=message):
        run(x)
    assert mode() is before


# ------------------------------------------------------------------------------- PyTorch

#: Functions of one array that gluon and PyTorch write alike, given ``F``, and what to call them.
SHARED: dict[str, Callable] = {
    "polynomial": lambda F, x: x**3 - 2 * x,
    "product": lambda F, x: F.exp(x) * F.sin(x) / (1 + x * x),
    "reduction": lambda F, x: F.tanh(x).sum() * x,
    "quotient": lambda F, x: F.exp(x) / F.exp(x).sum(),
    "matrix": lambda F, x: F.dot(x, x) * F.log(x * x + 1),
}


@pytest.mark.parametrize("name", SHARED)
def test_as_in_pytorch(name):
    torch = pytest.importorskip("torch")
    f = SHARED[name]
    raw = np.array([0.5, -1.0, 2.0])
    v = np.array([1.0, -2.0, 0.5])
    x, t = nd.array(raw, dtype="float64"), torch.tensor(raw)
    dv, tv = nd.array(v, dtype="float64"), torch.tensor(v)
    theirs = torch.autograd.functional

    def ours(x):
        return f(nd, x)

    def its(t):
        return f(torch, t)

    close(autograd.jacobian(ours, x), theirs.jacobian(its, t).numpy())
    H = theirs.hessian(lambda t: its(t).sum(), t).numpy()
    close(autograd.hessian(lambda x: ours(x).sum(), x), H)
    for name in ("vjp", "jvp"):
        found, wanted = getattr(autograd, name)(ours, x, dv), getattr(theirs, name)(its, t, tv)
        close(found[0], wanted[0].numpy())
        close(found[1], wanted[1].numpy())
    found = autograd.hvp(lambda x: ours(x).sum(), x, dv)[1]
    close(found, theirs.hvp(lambda t: its(t).sum(), t, tv)[1].numpy())
