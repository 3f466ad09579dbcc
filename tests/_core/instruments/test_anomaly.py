"""`autograd.detect_anomaly` finds the operator that NaN or infinity comes from, and its line."""

import asyncio
import inspect
import threading

import numpy as np
import pytest

from gluon import Block, GluonError, autograd, nd, nn
from gluon import np as np_arrays
from gluon._core.engine import call, sweep
from gluon._core.engine.op import TABLE
from gluon._core.errors import AnomalyError, AutogradError
from gluon.autodiff import GradManager

NAN, INF = float("nan"), float("inf")


@pytest.fixture(autouse=True)
def quiet():
    """Disable NumPy's own warnings, and check that the engine is unchanged afterwards."""
    with np.errstate(all="ignore"):
        yield
    assert (call._listeners, sweep._walker) == ((), None)


def marked(*values):
    x = nd.array(values)
    x.attach_grad()
    return x


def here(lines_above=1):
    """The file and the number of a line above the call, as a message has them."""
    return f"{__file__}:{inspect.currentframe().f_back.f_lineno - lines_above} in "


def message(function, *args):
    """What the error of `function`, called inside `detect_anomaly`, says."""
    with autograd.detect_anomaly(), pytest.raises(AnomalyError) as error:
        function(*args)
    return str(error.value)


def recorded(function, *inputs):
    with autograd.record():
        return function(*inputs)


# ------------------------------------------------------------------------------ recorded values


@pytest.mark.parametrize(
    ("function", "says"),
    [
        (lambda x: x.log(), "log(x: float32[3]) gave NaN in 1 of 3 values, called at "),
        (lambda x: 1 / x, "divide(x2: float32[3], x1=1) gave infinity in 1 of 3 values"),
        (lambda x: x / x, "divide(x1: float32[3], x2: float32[3]) gave NaN in 1 of 3 values"),
        (lambda x: nd.softmax(x / 0, axis=0), "gave NaN in 1 of 3 values"),
        (lambda x: nd.concat(x, x.sqrt(), dim=0), "sqrt(x: float32[3]) gave NaN"),
        (lambda x: (x * 1e30).square(), "square(x: float32[3]) gave infinity in 2 of 3"),
        (lambda x: x.astype("float16") * 300 * 300, "float16[3], x2=300) gave infinity in 2 of"),
        (lambda x: nd.split(x.log(), 3, axis=0), "log(x: float32[3]) gave NaN"),
        (lambda x: x + NAN, "add(x1: float32[3], x2=nan) gave NaN in 3 of 3 values; x2 held it"),
        (lambda x: x * marked(1, NAN, 1), "NaN in 1 of 3 values; x2 held it already"),
        (lambda x: nd.concat(x, marked(1, NAN, 1), dim=0), "[1] held it already, called"),
    ],
)
def test_a_recorded_value_that_turns_bad_names_the_operator(function, says):
    x = marked(1, -1, 0)
    found = message(recorded, function, x)
    assert says in found
    assert f"called at {__file__}:" in found


def test_the_message_names_the_line_and_the_function():
    def loss(x):
        return x.log()

    assert here(2) + "loss" in message(recorded, loss, marked(-1))


def test_the_message_names_the_layer_that_the_line_called():
    net = nn.HybridSequential()
    net.add(nn.Dense(2, in_units=2, prefix="first_"), nn.Dense(1, in_units=2, prefix="second_"))
    net.initialize()
    net[1].weight.set_data(nd.array([[NAN, 1]]))
    found = message(recorded, lambda: net(nd.ones((4, 2))))
    assert "weight: float32[1, 2]" in found
    assert here(2) + "<lambda> by the layer 'second'" in found


def test_the_message_names_the_layer_of_a_user():
    class Net(Block):
        def forward(self, x):
            return self.compute(x)

        def compute(self, x):
            return x.log()

    call = Block.__call__
    found = message(recorded, Net(prefix="mine_"), marked(-1))
    assert here(4) + "compute by the layer 'mine'" in found
    assert Block.__call__ is call  # nothing is left in the path of a call
    assert "layer" not in message(recorded, lambda x: x.log(), marked(-1))


def test_infinity_that_was_put_in_is_no_anomaly_but_nan_from_it_is():
    mask = nd.array([0, -INF])
    with autograd.detect_anomaly():
        kept = recorded(lambda x: nd.softmax(x + mask), marked(1, 2))
    assert kept.asnumpy().tolist() == [1, 0]
    found = message(recorded, lambda x: x - mask, marked(1, -INF))
    assert found.startswith("subtract(x1: float32[2], x2: float32[2]) gave NaN in 1 of 2 values, ")


def test_every_result_of_several_is_looked_at():
    class Halves(autograd.Function):
        def forward(self, x):
            return x[:1], x[1:].log()

    found = message(recorded, lambda x: nd.split(x, num_outputs=2, axis=0), marked(1, NAN))
    assert "gave NaN in 1 of 1 values; x held it already" in found
    found = message(recorded, lambda x: Halves()(x), marked(1, -1))
    assert found.startswith("Halves(inputs[0]: float32[2]) gave NaN in 1 of 1 values")


def test_infinity_in_a_number_of_numpy_was_put_in():
    with autograd.detect_anomaly():
        recorded(lambda x: nd.clip(x, 0, np.float32(INF)) + np.float32(INF), marked(1, 2))


def test_bfloat16_is_looked_at():
    pytest.importorskip("ml_dtypes")
    assert "NaN in 1 of 2" in message(recorded, lambda x: x.astype("bfloat16").log(), marked(-1, 1))


def test_what_nobody_records_is_not_looked_at():
    with autograd.detect_anomaly():
        assert np.isnan(marked(-1).log().asnumpy()).all()
        recorded(lambda: nd.array([-1]).log())
        with autograd.record(), autograd.pause():
            marked(-1).log()


def test_integers_and_empty_arrays_pass():
    with autograd.detect_anomaly():
        recorded(lambda x: (x * nd.ones((0,)), nd.sum(x)), nd.zeros((0,)))
        x = nd.array([1, 2], dtype="int32")
        with pytest.warns(UserWarning, match="drops fractions"):
            x.attach_grad()
        recorded(lambda x: x * x, x).backward()


# ------------------------------------------------------------------------------------ gradients


def test_a_gradient_that_turns_bad_names_the_operator_and_its_line():
    x = marked(4, 0)
    with autograd.detect_anomaly():
        y = recorded(lambda x: (x.sqrt() * 2).sum(), x)
        line = here()
        with pytest.raises(AnomalyError) as error:
            y.backward()
    assert str(error.value) == (
        "the gradient with respect to x has infinity in 1 of 2 values in"
        f" sqrt(x: float32[2]), called at {line}<lambda>"
    )
    assert x.grad.asnumpy().tolist() == [0, 0]


@pytest.mark.parametrize(
    ("function", "which", "operator"),
    [
        (lambda x, w: nd.broadcast_power(x, w), "x1", "power(x1: float32[2], x2: float32[1])"),
        (lambda x, w: x**0.5, "x1", "power(x1: float32[2], x2=0.5)"),
        (lambda x, w: nd.concat(x.sqrt(), x, dim=0), "x", "sqrt(x: float32[2])"),
        (lambda x, w: nd.split(x, 2, axis=0)[1].sqrt(), "x", "sqrt(x: float32[1])"),
    ],
)
@pytest.mark.parametrize("create_graph", [False, True])
def test_every_kind_of_operator_is_found(function, which, operator, create_graph):
    x, w = marked(4, 0), marked(0.5)
    with autograd.detect_anomaly():
        y = recorded(function, x, w)
        with autograd.record(), pytest.raises(AnomalyError) as error:
            autograd.grad(y, x, create_graph=create_graph)
    assert f"with respect to {which} has" in str(error.value)
    assert operator in str(error.value)


def test_a_graph_recorded_outside_still_names_the_operator():
    y = recorded(lambda x: x.sqrt(), marked(0))
    assert "in sqrt; it was recorded outside detect_anomaly()" in message(y.backward)


def test_a_graph_recorded_inside_knows_its_line_in_a_later_block():
    with autograd.detect_anomaly():
        y = recorded(lambda x: x.sqrt(), marked(0))
        line = here()
    assert line in message(y.backward)


def test_nothing_is_checked_after_the_block():
    x = marked(0)
    with autograd.detect_anomaly():
        y = recorded(lambda x: x.sqrt(), x)
    y.backward()
    assert x.grad.item() == INF
    recorded(lambda x: x.log(), x)


def test_a_bad_head_gradient_is_named():
    y = recorded(lambda x: x * 2, marked(1))
    found = message(y.backward, nd.array([NAN]))
    assert found.startswith("the gradient given for the result of multiply")
    assert "NaN in 1 of 1 values" in found


def test_gradients_that_overflow_when_added_are_named():
    with autograd.detect_anomaly():
        with autograd.record():
            y = marked(0).exp()
            z = nd.concat(y * 3e38, y * 3e38, dim=0)
        with pytest.raises(AnomalyError, match=r"for the result of exp\(.* add up to infinity"):
            autograd.backward(z)


def test_the_second_order_names_both_calls():
    x = marked(1, 0)
    with autograd.detect_anomaly():
        with autograd.record():
            y = x**1.5
            dy = autograd.grad(y, x, create_graph=True)[0]
            line = here()
        with pytest.raises(AnomalyError) as error:
            dy.backward()
    assert "power(x1: float32[2], x2=0.5), called at " + line in str(error.value)
    assert "in the gradient of power(x1: float32[2], x2=1.5), called at" in str(error.value)


def test_right_gradients_of_every_order_pass_unchanged():
    def gradients():
        x = marked(1, 2)
        with autograd.record():
            y = nd.concat(x.log(), x**3, dim=0).sum() * x
            dy = autograd.grad(y, x, create_graph=True)[0]
            again = (dy * dy).sum()
        again.backward(retain_graph=True)
        again.backward()
        return dy.asnumpy().tolist(), x.grad.asnumpy().tolist()

    with autograd.detect_anomaly():
        checked = gradients()
    assert checked == gradients()


def test_a_graph_that_was_released_is_an_error_as_ever():
    x = marked(1, 2)
    y = recorded(lambda x: (x * x).exp(), x)
    with autograd.detect_anomaly():
        y.backward()
        with pytest.raises(AutogradError, match="released by an earlier backward"):
            y.backward()


def test_a_node_that_many_ways_lead_to_is_looked_at_once():
    x = marked(1)

    def doubled(x):
        for _ in range(40):
            x = x + x
        return x

    with autograd.detect_anomaly():
        recorded(doubled, x).backward()
    assert x.grad.item() == 2**40


def test_values_are_checked_again_after_a_backward_pass():
    def step(x):
        recorded(lambda x: x.exp(), x).backward()
        recorded(lambda x: x.log(), x)

    found = message(step, marked(-1))
    assert found.startswith("log(x")
    assert "in the gradient of" not in found


def test_a_gradient_of_one_of_many_inputs_is_numbered():
    def step(x, y):
        recorded(lambda: np_arrays.einsum("i,i->i", x, y)).backward(np_arrays.array([1e30]))

    found = message(step, marked(1e30).as_np_ndarray(), marked(1e-30).as_np_ndarray())
    assert found.startswith("the gradient with respect to input 1 has infinity in 1 of 1 values")


def test_the_graph_is_whole_again_after_an_error():
    x = marked(0)
    y = recorded(lambda x: x.sqrt(), x)
    with autograd.detect_anomaly(), pytest.raises(AnomalyError):
        y.backward(retain_graph=True)
    y = recorded(lambda x: x.exp().sqrt(), x)
    with autograd.detect_anomaly():
        y.backward(retain_graph=True)
    assert y._node.op is TABLE["sqrt"]
    y.backward()
    assert x.grad.item() == 0.5


def test_grad_manager():
    x = nd.array([0])
    with autograd.detect_anomaly(), GradManager().attach(x) as gm:
        y = x.sqrt()
        line = here()
        with pytest.raises(AnomalyError) as error:
            gm.backward(y)
    assert line in str(error.value)


def test_nested_grad_managers():
    x = nd.array([1, 0])
    outer, inner = GradManager().attach(x), GradManager().attach(x)
    with autograd.detect_anomaly(), outer:
        with inner:
            y = x**1.5
            inner.backward(y)
        with pytest.raises(AnomalyError, match="in the gradient of power"):
            outer.backward(x.grad)


class Root(autograd.Function):
    """A square root by the user."""

    def forward(self, x):
        self.save_for_backward(x)
        return x.sqrt()

    def backward(self, dy):
        (x,) = self.saved_tensors
        return dy / x.sqrt() / 2


def test_a_function_of_the_user_is_an_operator():
    assert "Root(inputs[0]: float32[1]) gave NaN" in message(recorded, Root(), marked(-1))
    with autograd.detect_anomaly():
        y = recorded(Root(), marked(0))
        with pytest.raises(AnomalyError, match=r"input 0 has infinity .* in Root\(inputs\[0\]: f"):
            y.backward()


# ------------------------------------------------------------------------------- who is checked


def test_a_gradient_inside_a_checkpointed_call_is_found():
    with autograd.detect_anomaly():
        y = recorded(lambda x: autograd.checkpoint(lambda x: x.sqrt() * 2, x), marked(0))
        with pytest.raises(AnomalyError, match=r"with respect to x has infinity .* in sqrt\("):
            y.backward()


def test_blocks_nest_and_functions_are_decorated():
    @autograd.detect_anomaly()
    def step(x):
        return recorded(lambda x: x.log(), x)

    with autograd.detect_anomaly():
        with autograd.detect_anomaly():
            pass
        with pytest.raises(AnomalyError):
            step(marked(-1))
        with pytest.raises(AnomalyError):
            recorded(lambda x: x.log(), marked(-1))
    with pytest.raises(AnomalyError):
        step(marked(-1))
    recorded(lambda x: x.log(), marked(-1))


def test_other_threads_are_not_checked():
    results = []

    def work():
        x = marked(0)
        with np.errstate(all="ignore"):
            recorded(lambda x: x.sqrt() + Root()(x), x).backward()
            recorded(lambda x: x * 2, marked(1)).backward(nd.array([NAN]))
        results.append(x.grad.item())

    with autograd.detect_anomaly():
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
    assert results == [INF]


def test_each_task_has_its_own_state():
    async def careless(gate):
        await gate.wait()
        x = marked(0)
        recorded(lambda x: x.sqrt(), x).backward()
        return x.grad.item()

    async def careful(gate):
        with autograd.detect_anomaly():
            gate.set()
            await asyncio.sleep(0)
            await asyncio.sleep(0)
            return message(recorded, lambda x: x.log(), marked(-1))

    async def both():
        gate = asyncio.Event()
        return await asyncio.gather(careless(gate), careful(gate))

    infinite, said = asyncio.run(both())
    assert infinite == INF
    assert said.startswith("log(")


def test_the_error_is_one_of_gluon_and_of_python():
    assert issubclass(AnomalyError, GluonError)
    assert issubclass(AnomalyError, FloatingPointError)
