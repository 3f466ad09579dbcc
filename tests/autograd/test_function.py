"""`autograd.Function`: an operator whose forward and backward the user writes."""

from __future__ import annotations

import gc
import weakref

import numpy as np
import pytest

from gluon import GluonError, autograd, cpu, nd
from gluon.autodiff import GradManager
from gluon.autograd import Function


def variable(*values: float):
    x = nd.array(values)
    x.attach_grad()
    return x


def values(array) -> list:
    return array.asnumpy().tolist()


class Saves(Function):
    """x ** 3 from a saved input."""

    def forward(self, x):
        self.save_for_backward(x)
        return x * x * x

    def backward(self, g):
        (x,) = self.saved_tensors
        return g * 3 * x * x


class Stores(Function):
    """x ** 3 from an attribute."""

    def forward(self, x):
        self.x = x
        return x * x * x

    def backward(self, g):
        return g * 3 * self.x * self.x


class SavesOutput(Function):
    """exp(x) from its own output."""

    def forward(self, x):
        y = nd.exp(x)
        self.save_for_backward(y)
        return y

    def backward(self, g):
        return g * self.saved_tensors[0]


class Two(Function):
    """The product and the sum."""

    def forward(self, a, b):
        self.save_for_backward(a, b)
        return a * b, a + b

    def backward(self, g_product, g_sum):
        a, b = self.saved_tensors
        return g_product * b + g_sum, g_product * a + g_sum


def check(function, x, want: list) -> None:
    with autograd.record():
        y = function()(x)
    y.backward()
    np.testing.assert_allclose(x.grad.asnumpy(), want, rtol=1e-6)


@pytest.mark.parametrize("function", [Saves, Stores])
def test_one_input_one_output(function):
    check(function, variable(1, 2), [3, 12])


def test_saved_outputs():
    check(SavesOutput, variable(0, 1), np.exp([0, 1]))


@pytest.mark.parametrize("order", [1, 2, 3])
@pytest.mark.parametrize(("function", "base"), [(Saves, 3), (Stores, 3), (SavesOutput, None)])
def test_every_order_through_what_forward_kept(function, base, order):
    x = variable(2.0)
    with autograd.record():
        y = function()(x)
        for _ in range(order):
            (y,) = autograd.grad(y, [x], create_graph=True)
    want = np.exp(2) if base is None else [12, 12, 6][order - 1]
    assert y.asscalar() == pytest.approx(want, rel=1e-6)


def test_several_inputs_and_outputs():
    a, b = variable(2, 3), variable(5, 7)
    with autograd.record():
        product, total = Two()(a, b)
        loss = (product * 10 + total).sum()
    loss.backward()
    assert (values(a.grad), values(b.grad)) == ([51, 71], [21, 31])


@pytest.mark.parametrize("used", [0, 1])
def test_an_output_that_is_not_used_has_a_gradient_of_zeros(used):
    a, b = variable(2), variable(5)
    with autograd.record():
        y = Two()(a, b)[used]
    y.backward()
    assert (values(a.grad), values(b.grad)) == (([5], [2]) if used == 0 else ([1], [1]))


@pytest.mark.parametrize("kind", [list, tuple])
@pytest.mark.parametrize("recording", [True, False])
def test_several_outputs_come_as_forward_returns_them(kind, recording):
    class Pair(autograd.Function):
        def forward(self, x):
            return kind([x, x * 2])

    with autograd.record() if recording else autograd.pause():
        outputs = Pair()(variable(2))
    assert type(outputs) is kind
    assert [values(y) for y in outputs] == [[2], [4]]


def test_second_order_through_two_outputs():
    a, b = variable(2), variable(5)
    with autograd.record():
        product, total = Two()(a, b)
        ga, gb = autograd.grad(product * total, [a, b], create_graph=True)
        loss = ga * gb
    loss.backward()
    # f = ab(a + b): f_a = 2ab + b², f_b = a² + 2ab
    fa, fb, faa, fab, fbb = 45, 24, 10, 14, 4
    assert values(a.grad) == [faa * fb + fa * fab]
    assert values(b.grad) == [fab * fb + fa * fbb]


def test_second_order_through_an_output_that_is_used_and_was_saved():
    class Growth(Function):
        def forward(self, x):
            self.y = nd.exp(x)
            return self.y, x * 2

        def backward(self, dy, dz):
            return dy * self.y + dz * 2

    x = variable(1)
    with autograd.record():
        y, z = Growth()(x)
        (dx,) = autograd.grad(y + z, x, create_graph=True)
        product = dx * y
    product.backward()
    # (eˣ + 2) eˣ
    np.testing.assert_allclose(x.grad.asnumpy(), 2 * np.e**2 + 2 * np.e, rtol=1e-6)


def test_an_input_without_gradient_returns_none():
    class Scale(Function):
        def forward(self, x, factor):
            self.factor = factor
            return x * factor

        def backward(self, g):
            return g * self.factor, None

    x, factor = variable(2), variable(3)
    with autograd.record():
        y = Scale()(x, factor) * factor
    y.backward()
    assert (values(x.grad), values(factor.grad)) == ([9], [6])


@pytest.mark.parametrize("of_exponent", [None, nd.ones((5,))])
def test_inputs_that_are_no_arrays_pass_through(of_exponent):
    class Power(Function):
        def forward(self, x, exponent):
            self.exponent = exponent
            self.save_for_backward(x)
            return x**exponent

        def backward(self, g):
            of_x = g * self.exponent * self.saved_tensors[0] ** (self.exponent - 1)
            return of_x, of_exponent

    x = variable(2)
    with autograd.record():
        y = Power()(x, 3)
    y.backward()
    assert values(x.grad) == [12]


def test_numpy_inside():
    class Sine(Function):
        def forward(self, x):
            self.cosine = np.cos(x.asnumpy())
            return nd.array(np.sin(x.asnumpy()))

        def backward(self, g):
            return g * nd.array(self.cosine)

    check(Sine, variable(0, 1), np.cos([0, 1]))


def test_nothing_is_recorded_in_forward_and_training_mode_is_the_callers():
    seen = []

    class Look(Function):
        def forward(self, x):
            seen.append((autograd.is_recording(), autograd.is_training()))
            return x * 2

        def backward(self, g):
            return g * 2

    x = variable(1)
    for train_mode in (True, False):
        with autograd.record(train_mode=train_mode):
            Look()(x)
            assert autograd.is_recording()
    Look()(x)
    assert seen == [(False, True), (False, False), (False, False)]


def test_without_recording_it_is_a_plain_call():
    y = Saves()(nd.array([2.0]))
    assert values(y) == [8]
    with pytest.raises(GluonError, match=r"outside autograd.record\(\)"):
        y.backward()


def test_an_input_returned_as_it_is():
    class Same(Function):
        def forward(self, x):
            return x

        def backward(self, g):
            return g * 7

    x = variable(1)
    with autograd.record():
        y = Same()(x)
        z = y + x
    z.backward()
    assert y is not x
    assert values(x.grad) == [8]


def test_an_input_returned_as_it_is_keeps_its_own_history():
    class Same(Function):
        def forward(self, x):
            self.save_for_backward(x)
            return x

        def backward(self, g):
            return g * self.saved_tensors[0] ** 2

    x = variable(3)
    with autograd.record():
        (dx,) = autograd.grad(Same()(x), x, create_graph=True)
    dx.backward()
    assert (values(dx), values(x.grad)) == ([9], [6])


def test_backward_may_record_and_differentiate():
    class Slope(Function):
        def forward(self, x):
            self.x = x.copy()
            return x**3

        def backward(self, g):
            self.x.attach_grad()
            with autograd.record():
                y = g * self.x**3
            y.backward()
            return self.x.grad

    x = variable(2)
    with autograd.record():
        y = Slope()(x) * 5
    y.backward()
    assert values(x.grad) == [60]
    assert not autograd.is_recording()


def test_forward_may_write_into_what_it_made_but_its_inputs_keep_their_values():
    class Careless(Function):
        def forward(self, x):
            y = x + 0
            y += 1
            x *= 10
            return y

        def backward(self, g):
            return g

    x = variable(2)
    with autograd.record():
        before = x * x
        y = Careless()(x)
        loss = before + y
    assert (values(x), values(y)) == ([2], [3])
    loss.backward()
    assert values(x.grad) == [5]


def test_a_write_to_the_input_after_the_call_does_not_reach_backward():
    x = variable(2)
    with autograd.record():
        y = Saves()(x)
    x[:] = 100
    y.backward()
    assert values(x.grad) == [12]


def test_gradients_are_cast_to_the_dtype_of_their_input():
    class Double(Function):
        def forward(self, x):
            return x.astype("float64") * 2

        def backward(self, g):
            return g * 2

    x = variable(2)
    with autograd.record():
        y = Double()(x)
    y.backward()
    assert (y.dtype, x.grad.dtype) == (np.float64, np.float32)
    assert values(x.grad) == [2]


def test_cotangents_have_the_dtype_of_the_output_they_belong_to():
    seen = []

    class Look(Function):
        def forward(self, x):
            return x * 1

        def backward(self, g):
            seen.append(g.dtype)
            return g.astype("float64")

    x = variable(2)
    with autograd.record():
        y = Look()(Look()(x))
    y.backward()
    assert seen == [np.float32, np.float32]


@pytest.mark.parametrize("kind", [list, None])
def test_everything_stays_on_the_device_of_the_outputs(kind):
    seen = []

    class Look(Function):
        def forward(self, x):
            y = x * 2
            return y if kind is None else kind([y, x * 3])

        def backward(self, *gs):
            seen.extend(g.context for g in gs)
            return gs[0] * 2

    x = nd.ones((2,), ctx=cpu(1))
    x.attach_grad()
    with autograd.record():
        outputs = Look()(x)
    for y in outputs if kind else [outputs]:
        assert y.context == cpu(1)
    (outputs[0] if kind else outputs).backward()
    assert seen == [cpu(1)] * (2 if kind else 1)
    assert values(x.grad) == [2, 2]


def test_add_and_reuse():
    x = nd.array([2.0])
    x.attach_grad("add")
    for _ in range(2):
        with autograd.record():
            y = Saves()(x) + Saves()(x)
        y.backward()
    assert values(x.grad) == [48]


# ------------------------------------------------------------------------------- mistakes


def returning(result, outputs: int = 1):
    """A function of two inputs whose backward returns `result`."""

    class Wrong(Function):
        def forward(self, a, b):
            return a + b if outputs == 1 else (a + b, a - b)

        def backward(self, *gs):
            return result

    return Wrong()


MISTAKES = {
    "too few": (nd.ones((2,)), "1 gradients for 2 inputs"),
    "too many": ([nd.ones((2,))] * 3, "3 gradients for 2 inputs"),
    "nothing": (None, "returned None; end it with `return`"),
    "wrong type": ((nd.ones((2,)), 3.0), r"gradient 1 is float.*\(2,\)"),
    "numpy": ((np.ones(2), None), "gradient 0 is ndarray"),
    "wrong shape": ((nd.ones((2,)), nd.ones((1,))), r"gradient 1 has shape \(1,\).*\(2,\)"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
@pytest.mark.parametrize("create_graph", [False, True])
def test_what_backward_may_not_return(mistake, create_graph):
    result, said = MISTAKES[mistake]
    a, b = variable(1, 2), variable(3, 4)
    with autograd.record():
        y = returning(result)(a, b)
        with pytest.raises(GluonError, match=r"Wrong\.backward.*" + said):
            autograd.grad(y, [a, b], create_graph=create_graph)


@pytest.mark.parametrize("result", [None, 3.0, [nd.ones((1,)), 2]], ids=str)
def test_what_forward_may_not_return(result):
    class Wrong(Function):
        def forward(self, x):
            return result

    with pytest.raises(GluonError, match=r"Wrong\.forward returned"):
        Wrong()(variable(1))


def test_missing_methods_are_named():
    class Empty(Function):
        pass

    class Half(Function):
        def forward(self, x):
            return x * 1

    x = variable(1)
    with pytest.raises(NotImplementedError, match="Empty has no forward"):
        Empty()(x)
    with autograd.record():
        y = Half()(x)
    with pytest.raises(NotImplementedError, match="Half has no backward"):
        y.backward()


def test_an_instance_is_called_once():
    function, x = Saves(), variable(1)
    function(x)
    with pytest.raises(GluonError, match=r"Saves.*once"):
        function(x)


def test_no_arrays_at_all():
    with pytest.raises(TypeError, match="none of the 2 inputs"):
        Saves()(1, 2)


def test_backward_with_other_arguments_than_outputs():
    class Two(autograd.Function):
        def forward(self, x):
            return x * 2

        def backward(self, g, h):
            return g

    x = nd.ones((2,))
    x.attach_grad()
    with autograd.record():
        y = Two()(x)
    with pytest.raises(
        GluonError, match=r"'h'; it gets the instance, self, and one array for each of the 1"
    ):
        y.backward()


def test_a_forgotten_return_is_an_error_and_a_gradient_of_none_is_not():
    def backward(grads):
        return type("Cut", (Function,), {"forward": lambda s, x: x * 2, "backward": grads})

    x = variable(3)
    with autograd.record():
        y = backward(lambda self, dy: None)()(x)
        z = backward(lambda self, dy: (None,))()(x) + x * 5
    with pytest.raises(GluonError, match=r"Cut.backward returned None.*\(None,\) for a single one"):
        y.backward()
    z.backward()
    assert values(x.grad) == [5]


def test_an_error_in_forward_leaves_recording_on():
    class Fails(Function):
        def forward(self, x):
            raise ZeroDivisionError

    x = variable(1)
    with autograd.record():
        with pytest.raises(ZeroDivisionError):
            Fails()(x)
        y = x * 2
    y.backward()
    assert values(x.grad) == [2]


# --------------------------------------------------------------------------------- memory


@pytest.mark.usefixtures("no_cycle_collector")
@pytest.mark.parametrize("function", [Saves, Stores, SavesOutput])
@pytest.mark.parametrize("create_graph", [False, True])
def test_a_call_is_freed_with_its_graph(function, create_graph):
    x = variable(1, 2)
    instance = function()
    with autograd.record():
        y = instance(x)
        loss = y.sum()
        if create_graph:
            (g,) = autograd.grad(loss, [x], create_graph=True)
            del g
    refs = [weakref.ref(instance), weakref.ref(y), weakref.ref(y.raw)]
    del instance, y, loss
    assert [ref() for ref in refs] == [None] * 3
    assert not gc.isenabled()


@pytest.mark.usefixtures("no_cycle_collector")
@pytest.mark.parametrize("function", [Saves, Stores, SavesOutput])
def test_backward_frees_what_forward_kept(function):
    x = variable(1, 2)
    with autograd.record():
        y = function()(x)
        loss = y.sum()
    ref = weakref.ref(y.raw)
    del y
    loss.backward()
    assert ref() is None


# ------------------------------------------------------- arrays between inputs and outputs


class KeepsBetween(Function):
    """x * exp(x), whose backward uses the exponential that forward computed."""

    def forward(self, x):
        e = nd.exp(x)
        self.save_for_backward(x, e)
        return x * e

    def backward(self, g):
        x, e = self.saved_tensors
        return g * (e + x * e)


def kept_as_attribute(self, x, e):
    self.e = e


def kept_in_a_dictionary(self, x, e):
    self.kept = {"deep": [e]}
    self.e = self.kept["deep"][0]


def kept_as_a_view(self, x, e):
    self.e = e.reshape((1, -1)).reshape((-1,))


def kept_after_a_write_into_zeros(self, x, e):
    self.e = nd.zeros(e.shape)
    self.e[:] = e


def kept_after_a_write_to_a_view(self, x, e):
    self.e = nd.zeros(e.shape)
    view = self.e[:]
    view[:] = e


def kept_after_an_addition_in_place(self, x, e):
    self.e = nd.zeros(e.shape)
    self.e += e


def kept_as_out(self, x, e):
    self.e = nd.zeros(e.shape)
    nd.exp(x, out=self.e)


def computed_in_a_pause(self, x, e):
    with autograd.pause():
        self.e = nd.exp(x)


def computed_by_another_function(self, x, e):
    self.e = SavesOutput()(x)


def computed_as_a_derivative(self, x, e):
    self.e = autograd.jacobian(nd.exp, x).sum(axis=1)


def computed_with_numbers_and_several_arrays(self, x, e):
    self.e = nd.concat(x, x, dim=0)[: len(x)].exp() * 2 / 2 + nd.zeros(x.shape)


def a_copy_of_the_input(self, x, e):
    self.e = x.copy().exp()


KEEPING = [
    kept_as_attribute,
    kept_in_a_dictionary,
    kept_as_a_view,
    kept_after_a_write_into_zeros,
    kept_after_a_write_to_a_view,
    kept_after_an_addition_in_place,
    kept_as_out,
    computed_in_a_pause,
    computed_by_another_function,
    computed_as_a_derivative,
    computed_with_numbers_and_several_arrays,
    a_copy_of_the_input,
]


def keeping(keep):
    class Keeps(Function):
        """x * exp(x), with the exponential kept in one of several ways."""

        def forward(self, x):
            keep(self, x, nd.exp(x))
            self.x = x
            return x * nd.exp(x)

        def backward(self, g):
            return g * (self.e + self.x * self.e)

    return Keeps


CANNOT = "Keeps.*gradient cannot be differentiated again.*return it from forward.*detach"


@pytest.mark.parametrize("keep", KEEPING)
def test_the_second_derivative_through_what_forward_computed_is_an_error(keep):
    function = keeping(keep)
    x = variable(0.5, 1)
    right = (1 + x.asnumpy()) * np.exp(x.asnumpy())
    check(function, x, right)  # the first derivative is what it was
    with autograd.record():
        (slope,) = autograd.grad(function()(x), [x], create_graph=True)
    np.testing.assert_allclose(slope.asnumpy(), right, rtol=1e-6)
    with pytest.raises(GluonError, match=CANNOT):
        slope.backward(retain_graph=True)
    with pytest.raises(GluonError, match=CANNOT):
        autograd.grad(slope, [x])


def test_so_it_is_for_managers_and_for_derivatives_of_functions():
    x = nd.array([0.5, 1])
    inner, outer = GradManager().attach(x), GradManager().attach(x)
    with outer:
        with inner:
            slope = inner.backward(KeepsBetween()(x))
        with pytest.raises(GluonError, match=r"KeepsBetween.*cannot be differentiated again"):
            outer.backward(slope)
    for derivative in (autograd.hessian, lambda f, x: autograd.hvp(f, x, x)):
        with pytest.raises(GluonError, match=r"KeepsBetween.*cannot be differentiated again"):
            derivative(lambda x: KeepsBetween()(x).sum(), x)


def test_a_watched_backward_that_nobody_differentiates_is_no_error():
    x = nd.array([0.5, 1])
    inner, outer = GradManager().attach(x), GradManager().attach(x)
    with outer:
        with inner:
            inner.backward(KeepsBetween()(x))
        found = outer.backward(x * x)
    np.testing.assert_allclose(found.asnumpy(), [1, 2])


def test_constants_that_forward_makes_may_be_kept():
    class Masked(Function):
        """4 * x ** 2, whose backward multiplies by arrays that do not depend on x."""

        def forward(self, x):
            self.x = x
            self.mask = (nd.ones(x.shape) * 2 > 1) / 0.5
            self.sign = x > 0  # its derivative is zero
            self.two = nd.exp(nd.zeros(x.shape)) + nd.concat(nd.ones(1), nd.ones(1), dim=0)
            self.two[:] = self.two * 1
            self.one = nd.exp(x).detach() * 0 + 1  # the user says so
            return x * x * 4

        def backward(self, g):
            return g * 2 * self.x * self.mask * self.sign * self.two * self.one

    x = variable(1, 2)
    with autograd.record():
        (slope,) = autograd.grad(Masked()(x), [x], create_graph=True)
    slope.backward()
    assert (values(slope), values(x.grad)) == ([8, 16], [8, 8])


def test_returning_it_as_an_output_is_a_way_out():
    class Returns(Function):
        def forward(self, x):
            self.x, self.e = x, nd.exp(x)
            return x * self.e, self.e

        def backward(self, g, g_e):
            return g * (self.e + self.x * self.e) + g_e * self.e

    x = variable(0.5, 1)
    with autograd.record():
        y, _ = Returns()(x)
        (slope,) = autograd.grad(y, [x], create_graph=True)
    slope.backward()
    right = x.asnumpy()
    np.testing.assert_allclose(x.grad.asnumpy(), (2 + right) * np.exp(right), rtol=1e-6)


def test_what_forward_kept_is_a_constant_outside():
    function = KeepsBetween()
    x = variable(1, 2)
    with autograd.record():
        y = function(x)
        z = x * function.saved_tensors[1]
    z.backward()
    np.testing.assert_allclose(x.grad.asnumpy(), np.exp([1, 2]), rtol=1e-6)
    assert not autograd.is_recording()
    with pytest.raises(GluonError, match=r"KeepsBetween\.forward"):
        function.saved_tensors[1].backward()
    y.backward()


def test_forward_is_not_recorded_and_may_look():
    class Looks(Function):
        def forward(self, x):
            seen.append(autograd.is_recording())
            with autograd.pause():
                seen.append(autograd.is_recording())
            return autograd.checkpoint(nd.exp, x)

        def backward(self, g):
            return g

    seen: list = []
    x = variable(1)
    with autograd.record():
        y = Looks()(x)
        assert autograd.is_recording()
    y.backward()
    assert (seen, values(x.grad)) == ([False, False], [1])
