"""Functions of functions together with managers, record(), checkpoint, checks and each other."""

from __future__ import annotations

import gc
import threading
import warnings
import weakref

import numpy
import pytest
from numpy.testing import assert_allclose

from gluon import GluonError, autograd, func, nd, np, profiler
from gluon._core.engine.op import KERNELS, TABLE
from gluon._core.instruments import layers
from gluon._core.transforms import batched
from gluon.autodiff import GradManager

X = numpy.random.RandomState(0).normal(size=(4, 3))
W = numpy.array([0.5, -1.0, 2.0])


def close(found, wanted, rtol=1e-9):
    assert_allclose(found.asnumpy(), numpy.asarray(wanted), rtol=rtol, atol=1e-12)


def double(x):
    return np.array(x, dtype="float64")


def f(w, x):
    return np.tanh(w * x).sum() ** 2


each = func.vmap(func.grad(f), (None, 0))


def norm(w):
    """It has gradients for each example inside, and is differentiated outside."""
    return (each(w, double(X)) ** 2).sum()


def loop(w):
    return sum((func.grad(f)(w, double(x)) ** 2).sum() for x in X)


# ------------------------------------------------------------------- recorders, outside


def recorded(w):
    w.attach_grad()
    with autograd.record():
        y = norm(w)
    y.backward()
    return w.grad


def managed(w):
    gm = GradManager().attach([w])
    with gm:
        gm.backward(norm(w))
    return w.grad


def united(w):
    first, second = GradManager().attach([w]), GradManager()
    with first | second:
        first.backward(norm(w))
    return w.grad


def nested(w):
    """The gradient in a manager inside another one, which differentiates along W."""
    outer, inner = GradManager().attach([w]), GradManager().attach([w])
    with outer:
        with inner:
            inner.backward(norm(w))
        slope, w.grad = w.grad, None
        outer.backward((slope * double(W)).sum())
    return w.grad


@pytest.mark.parametrize("recorder", [recorded, managed, united])
def test_recorders_around_gradients_for_each_example(recorder):
    close(recorder(double(W)), func.grad(loop)(double(W)).asnumpy())


def test_managers_in_managers_around_gradients_for_each_example():
    wanted = func.jvp(func.grad(loop), (double(W),), (double(W),))[1]
    close(nested(double(W)), wanted.asnumpy())


# -------------------------------------------------------------------- recorders, inside


def by_record(w, x):
    w = w.copy()
    w.attach_grad()
    with autograd.record():
        y = f(w, x)
    return autograd.grad(y, [w], create_graph=True)[0]


def by_backward(w, x):
    w = w.copy()
    w.attach_grad()
    with autograd.record():
        y = f(w, x)
    y.backward()
    return w.grad


def by_manager(w, x):
    w = w.copy()
    gm = GradManager().attach([w])
    with gm:
        gm.backward(f(w, x))
    return w.grad


@pytest.mark.parametrize("slope", [by_record, by_backward, by_manager])
def test_recorders_inside_of_vmap_and_of_derivatives(slope):
    wanted = each(double(W), double(X)).asnumpy()
    close(func.vmap(slope, (None, 0))(double(W), double(X)), wanted)
    if slope is by_manager:  # attach_grad() cuts the history
        hessian = func.hessian(f)(double(W), double(X[0])).asnumpy()
        for jac in (func.jacrev, func.jacfwd):
            close(jac(slope)(double(W), double(X[0])), hessian)
        mapped = func.vmap(func.jacfwd(slope), (None, 0))(double(W), double(X))
        close(mapped[0], hessian)


# ------------------------------------------------------------------------- mixed orders


def test_orders_of_all_kinds_are_the_same_number():
    g = lambda x: np.exp(2 * x) * np.sin(x)  # noqa: E731
    push = lambda f: lambda x: func.jvp(f, (x,), (np.ones_like(x),))[1]  # noqa: E731
    pull = lambda f: lambda x: func.vjp(f, x)[1](np.ones_like(x))[0]  # noqa: E731
    ways = {
        "grad": func.grad,
        "jvp": push,
        "vjp": pull,
        "jacfwd": func.jacfwd,
        "jacrev": func.jacrev,
        "autograd": lambda f: lambda x: autograd.value_and_grad(f)(x)[1],
        "elementwise": func.elementwise_grad,
    }
    x = double(0.3)
    for name, outer in ways.items():
        for other, middle in ways.items():
            found = outer(middle(func.grad(g)))(x)
            wanted = func.grad(func.grad(func.grad(g)))(x)
            assert_allclose(found.asnumpy(), wanted.asnumpy(), err_msg=f"{name} {other}")
            mapped = func.vmap(outer(middle(g)))(double([0.3, 0.4]))
            assert_allclose(mapped.asnumpy()[0], func.grad(func.grad(g))(x).asnumpy())


def test_functions_of_autograd_inside_and_outside_of_vmap():
    H = func.vmap(lambda x: autograd.hessian(lambda w: f(w, x), double(W)))(double(X))
    close(H, [func.hessian(f)(double(W), double(x)).asnumpy() for x in X])
    J = autograd.jacobian(lambda w: each(w, double(X)), double(W))
    close(J, H.asnumpy())
    value, product = autograd.hvp(norm, double(W), double(W))
    close(value, loop(double(W)).asnumpy())
    close(product, func.hessian(loop)(double(W)).asnumpy() @ W)


# ------------------------------------------------------------ checkpoint, checks, watching


def test_checkpoints_inside_and_around():
    def kept(w, x):
        return autograd.checkpoint(f, w, x)

    wanted = each(double(W), double(X)).asnumpy()
    close(func.vmap(func.grad(kept), (None, 0))(double(W), double(X)), wanted)
    around = func.grad(
        lambda w: autograd.checkpoint(lambda w: func.vmap(f, (None, 0))(w, X).sum(), w)
    )
    close(around(double(W)), wanted.sum(0))


def test_checks_of_gradients():
    mapped = lambda w: func.vmap(f, (None, 0))(w, double(X))  # noqa: E731
    assert autograd.gradcheck(mapped, double(W))
    assert autograd.gradcheck(lambda w: each(w, double(X)), double(W))
    assert autograd.gradgradcheck(mapped, double(W))
    forward = lambda w: func.jvp(mapped, (w,), (double(W),))[1]  # noqa: E731
    assert autograd.gradcheck(forward, double(W))


def test_anomalies_are_found_for_one_example():
    def root(x):
        return np.sqrt(x).sum()

    with autograd.detect_anomaly(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        close(func.vmap(func.grad(root))(double(X**2 + 1)), 0.5 / numpy.sqrt(X**2 + 1))
        with pytest.raises(GluonError, match="sqrt"):
            func.vmap(func.grad(root))(double(X))  # some are negative


def test_profiles_name_operators_inside():
    with profiler.profile() as found:
        each(double(W), double(X))
    assert "tanh" in str(found)


# ------------------------------------------------------------------------------- threads


def test_threads_do_not_disturb_each_other():
    wanted, found = each(double(W), double(X)).asnumpy(), []

    def run():
        for _ in range(20):
            ones = func.vmap(lambda x: x * 1)(double(X)).asnumpy()
            found.append(
                abs(each(double(W), double(X)).asnumpy() - wanted).max() + abs(ones - X).max()
            )

    threads = [threading.Thread(target=run) for _ in range(4)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert len(found) == 80
    assert max(found) < 1e-12


# ---------------------------------------------------------------- what is left afterwards


def plain():
    return {op: op.kernel for op in layers.operators()}


def use_up():
    """Call operators until nothing remains of vmap."""
    x = nd.ones((2, 3))
    for _ in range(batched.IDLE + 2):
        nd.dot(x, x.T)


@pytest.mark.usefixtures("no_cycle_collector")
def test_kernels_are_as_before_when_vmap_is_over():
    gc.collect()
    use_up()
    before, listed = plain(), {name: getattr(KERNELS, name) for name in TABLE}
    each(double(W), double(X))
    func.grad(norm)(double(W))
    func.hessian(norm)(double(W))
    assert not batched.ALIVE, "a run of vmap is held by something"
    use_up()
    assert not layers.is_there("vmap")
    assert plain() == before
    assert {name: getattr(KERNELS, name) for name in TABLE} == listed


def test_kernels_take_batched_arrays_as_long_as_a_graph_has_some():
    w = double(W)
    w.attach_grad()
    with autograd.record():
        y = func.vmap(f, (None, 0))(w, double(X)).sum()
    use_up()
    y.backward()
    close(w.grad, each(double(W), double(X)).asnumpy().sum(0))


def test_an_instrument_that_opens_and_closes_inside():
    def watched(w, x):
        with autograd.detect_anomaly():
            return f(w, x)

    close(func.vmap(watched, (None, 0))(W, X), func.vmap(f, (None, 0))(W, X).asnumpy())
    with autograd.detect_anomaly():
        close(each(W, X), func.vmap(func.grad(watched), (None, 0))(W, X).asnumpy())


@pytest.mark.usefixtures("no_cycle_collector")
@pytest.mark.parametrize(
    "run",
    [
        lambda f, x: func.grad(f)(x),
        lambda f, x: func.jacrev(f)(x),
        lambda f, x: func.jacfwd(f)(x),
        lambda f, x: func.hessian(f)(x),
        lambda f, x: func.linearize(f, x)[1](x),
        lambda f, x: func.vjp(f, x)[1](1.0),
        lambda f, x: func.jvp(f, (x,), (x,)),
        lambda f, x: func.vmap(func.grad(f))(x.reshape((1, 3))),
        lambda f, x: autograd.jvp(f, x, x),
    ],
)
def test_buffers_are_freed_without_the_collector(run):
    alive = []

    def f(x):
        y = np.exp(x)
        alive.append(weakref.ref(y.raw))
        return (y * y).sum()

    run(f, double(W))
    assert alive
    assert all(one() is None for one in alive)


# ------------------------------------------------------------------------------ leaks

KEPT: list = []


def keeping(x):
    KEPT[:] = [x, x * x]
    return KEPT[1].sum()


LEAKS = {
    "grad": lambda: func.grad(keeping)(double(W)),
    "jvp": lambda: func.jvp(keeping, (double(W),), (double(W),)),
    "vjp": lambda: func.vjp(keeping, double(W)),
    "jacrev": lambda: func.jacrev(keeping)(double(W)),
    "linearize": lambda: func.linearize(keeping, double(W)),
    "value_and_grad": lambda: autograd.value_and_grad(keeping)(double(W)),
}


@pytest.mark.parametrize("name", LEAKS)
def test_what_left_a_function_has_values_but_no_derivative(name):
    message = rf"it left keeping, in which {name} tracked it; compute with it there, or return it"
    LEAKS[name]()
    x, y = KEPT
    close(y + 1, W**2 + 1)
    with pytest.raises(GluonError, match=message):
        y.backward()
    with pytest.raises(GluonError, match=message):
        autograd.grad(y, [x])


@pytest.mark.parametrize(
    "use",
    [
        lambda x: x + 1,
        lambda x: x.asnumpy(),
        lambda x: nd.ones(3) * x,
        lambda x: np.dot(x, x),
        lambda x: func.grad(lambda w: (w * x).sum())(double(W)),
        lambda x: func.vmap(lambda w: w * x)(double(X)),
    ],
)
def test_an_array_of_one_example_that_left_vmap_names_the_function(use):
    func.vmap(keeping)(double(X))
    use_up()
    with pytest.raises(GluonError, match="an array left keeping, in which it stood for one"):
        use(KEPT[1])
    KEPT.clear()
