"""Hybridized blocks run as programs: the same values, gradients and random numbers as without."""

from __future__ import annotations

import copy
import gc
import pickle
import threading
import tracemalloc
import weakref

import numpy as np
import pytest

import gluon
from gluon import HybridBlock, autograd, contrib, loss, nd, nn, npx, rnn
from gluon import np as mnp
from tests.nn.programs import LAYERS, LOSSES
from tests.values import samples
from tests.values.test_values import sequence

pytestmark = pytest.mark.usefixtures("switched_on")


@pytest.fixture
def switched_on(monkeypatch):
    monkeypatch.setenv("GLUON_PROGRAM", "1")


NAMES = {"nn": nn, "rnn": rnn, "contrib": contrib, "loss": loss, "nd": nd}


def data(*shape, seed=0):
    return nd.array(np.random.RandomState(seed).uniform(-1, 1, shape).astype("float32"))


def programs_of(net) -> list:
    return list(net._programs.calls.variants.values())


def is_program(net) -> bool:
    """Whether calls of the block can run as a program."""
    return any(one.ready for one in programs_of(net))


def reasons(net) -> str:
    """Why calls ran as written."""
    return "; ".join([*[one.failed for one in programs_of(net)], *net._programs.calls.why])


class Around(HybridBlock):
    """A block with some operators of its own around another one, so that a program is worth it."""

    def __init__(self, inner, **kwargs):
        super().__init__(**kwargs)
        with self.name_scope():
            self.inner = inner
            self.scale = self.params.get("scale", shape=(1,), init="ones")

    def hybrid_forward(self, F, *inputs, scale):
        first, *others = inputs
        for _ in range(4):
            first = F.broadcast_mul(first * 1.01 + 0.01, scale)
        found = self.inner(first, *others)
        if not isinstance(found, (list, tuple)):
            return F.tanh(found) * 1.5 + F.sigmoid(found) - F.square(found) * 0.1
        return found


def assert_same(found: list, right: list, rtol: float = 2e-5) -> None:
    assert len(found) == len(right)
    for one, two in zip(found, right):
        assert one.shape == two.shape
        assert one.dtype == two.dtype
        scale = np.abs(two[np.isfinite(two)]).max(initial=0) if two.dtype.kind == "f" else 0
        # Terms are of the order of 1, and may cancel.
        np.testing.assert_allclose(one, two, rtol, rtol * max(scale, 0.1))


def flat(value) -> list:
    if isinstance(value, (list, tuple)):
        return [one for part in value for one in flat(part)]
    return [value]


def used(make, inputs, hybrid: bool, order: int, times: int = 6):
    """What a block gives in some calls, with gradients, and what its parameters are then."""
    gluon.random.seed(3)
    net = make()
    net.initialize()
    if order == 2:  # where terms nearly cancel
        net.cast("float64")
        inputs = [x.astype("float64") for x in inputs]
    if hybrid:
        net.hybridize()
    found = []
    for k in range(times):
        given = [x * (1 + k / 20) if x.size > 4 else x for x in inputs]
        given[0].attach_grad()
        gluon.random.seed(k)
        with autograd.record():
            heads = flat(net(*given))
            if order == 2:
                wanted = [given[0]]
                total = sum((y * y).sum() for y in heads)
                (g,) = autograd.grad(total, wanted, create_graph=True)
                heads = [(g * g).sum()]
        autograd.backward(heads)
        found += [y.asnumpy() for y in heads]
        params = net.collect_params().values()
        found += [given[0].grad.asnumpy()]
        found += [one.grad().asnumpy() for one in params if one.grad_req != "null"]
        found += [y.asnumpy() for y in flat(net(*given))]
    return [*found, *[one.data().asnumpy() for one in net.collect_params().values()]], net


def compared(make, inputs, order=1):
    """Check that the hybridized block does the same; return it."""
    right, _ = used(make, inputs, False, order)
    found, net = used(make, inputs, True, order)
    assert_same(found, right, 2e-5 if order == 1 else 1e-9)
    return net


def layer(text):
    return eval(text, {**NAMES, "sequence": sequence})


@pytest.mark.parametrize("order", [1, 2])
@pytest.mark.parametrize(("text", "shape"), LAYERS)
def test_layers(text, shape, order):
    net = compared(lambda: Around(layer(text)), [data(*shape)], order)
    assert is_program(net), reasons(net)


MORE = [one for one in samples.LAYERS if all(np.asarray(x).dtype.kind == "f" for x in one.inputs)]


@pytest.mark.parametrize("sample", MORE, ids=lambda one: one.text)
def test_layers_that_mxnet_lacks(sample):
    inputs = [nd.array(x) for x in sample.inputs]
    make = lambda: layer(sample.text)  # noqa: E731
    if not isinstance(make(), HybridBlock):
        pytest.skip("no HybridBlock")
    compared(make, inputs)


@pytest.mark.filterwarnings("ignore:.*exp.pred. has the sum")
@pytest.mark.parametrize(("text", "kind"), LOSSES)
@pytest.mark.parametrize("weighted", [False, True])
def test_losses(text, kind, weighted):
    pred, label = data(4, 3), data(4, 3, seed=8)
    if kind == "classes":
        label = nd.array([0, 2, 1, 1])
    elif kind == "places":
        pred, label = data(4, 3, 2), nd.array([[0, 2], [1, 1], [2, 0], [0, 0]])
    elif kind in ("shares", "probabilities"):
        label = nd.abs(label)
        pred = nd.abs(pred) * 0.5 + 0.05 if kind == "probabilities" else pred
    axes = (1, 3) if "batch_axis=1" in text else (4,) + (1,) * (len(pred.shape) - 1)
    extra = [data(*axes, seed=9)] if weighted else []
    compared(lambda: Around(eval(text, vars(loss).copy())), [pred, label, *extra])


CELLS = ["RNNCell(4)", "LSTMCell(4)", "GRUCell(4)"]


class Unrolled(HybridBlock):
    def __init__(self, cell, **kwargs):
        super().__init__(**kwargs)
        with self.name_scope():
            self.cell = cell

    def hybrid_forward(self, F, x):
        outputs, states = self.cell.unroll(4, x, layout="NTC", merge_outputs=True)
        return [outputs, *states]


@pytest.mark.parametrize("text", CELLS)
@pytest.mark.parametrize("order", [1, 2])
def test_unrolled_cells(text, order):
    net = compared(lambda: Unrolled(layer(f"rnn.{text}")), [data(3, 4, 5)], order)
    assert is_program(net), reasons(net)


@pytest.mark.parametrize("kind", ["RNN", "LSTM", "GRU"])
def test_recurrent_layers(kind):
    compared(lambda: layer(f"rnn.{kind}(4, 2, bidirectional=True)"), [data(4, 3, 5)])


# ------------------------------------------------------------------------- graphs


def mixed(seed=1, dropout=0.0, norm=False):
    """A network with enough operators for a program."""
    gluon.random.seed(seed)
    net = nn.HybridSequential()
    net.add(nn.Dense(6, activation="tanh", in_units=4), nn.GELU())
    if norm:
        net.add(nn.BatchNorm(in_channels=6))
    if dropout:
        net.add(nn.Dropout(dropout))
    net.add(nn.Dense(5, activation="sigmoid", in_units=6), nn.Swish(), nn.Dense(3, in_units=5))
    net.initialize()
    return net


def ready(net, *inputs, times=4, record=True):
    """The hybridized network, once its calls run as a program."""
    net.hybridize()
    for k in range(times):
        inputs = [x + 0.01 * k for x in inputs]
        if record:
            with autograd.record():
                net(*inputs)
        else:
            net(*inputs)
    assert is_program(net), reasons(net)
    return net


def both(work, **options):
    """Check that `work` does the same with a network as it is written and as a program."""
    x = data(7, 4)
    right = work(mixed(**options), x.copy())
    net = ready(mixed(**options), x, record=options.get("record", True))
    fresh = mixed(**options)
    for one, two in zip(net.collect_params().values(), fresh.collect_params().values()):
        one.set_data(two.data())
        if one.grad_req != "null":
            one.grad()[:] = 0
    count = len(programs_of(net))
    found = work(net, x.copy())
    assert_same([np.asarray(one) for one in found], [np.asarray(one) for one in right])
    return net, count


def grads_of(net):
    return [one.grad().asnumpy() for one in net.collect_params().values() if one.grad_req != "null"]


def test_several_forward_passes_before_a_backward_pass():
    def work(net, x):
        with autograd.record():
            ys = [net(x * k) for k in (1, 2, 3)]
            total = (ys[0] * ys[1] + ys[2]).sum()
        total.backward()
        return [total.asnumpy(), *grads_of(net)]

    both(work)


def test_the_graph_is_retained():
    def work(net, x):
        x.attach_grad()
        found = []
        with autograd.record():
            y = net(x)
            z = net(x * 2)
        for k in range(3):
            y.backward(data(7, 3, seed=k), retain_graph=True)
            found += [x.grad.asnumpy(), *grads_of(net)]
            z.backward(data(7, 3, seed=k + 5), retain_graph=True)
            found += [x.grad.asnumpy(), *grads_of(net)]
        return found

    both(work)


def test_a_released_graph_is_an_error():
    net = ready(mixed(), data(7, 4))
    with autograd.record():
        y = net(data(7, 4))
    y.backward()
    with pytest.raises(gluon.GluonError, match="was released"):
        y.backward()


def test_gradients_are_added_or_left():
    def work(net, x):
        params = list(net.collect_params().values())
        params[0].grad_req, params[1].grad_req, params[2].grad_req = "add", "null", "add"
        found = []
        for k in range(6):
            with autograd.record():
                y = net(x + k)
            y.backward()
            found += grads_of(net)
        return found

    both(work)


def test_only_some_gradients_are_asked_for():
    def work(net, x):
        x.attach_grad()
        w = net[0].weight.data()
        with autograd.record():
            y = net(x)
        return [g.asnumpy() for g in autograd.grad(y, [w])]

    both(work)


def test_weights_that_are_written_to_between_the_passes():
    def work(net, x):
        x.attach_grad()
        with autograd.record():
            y = net(x)
        for one in net.collect_params().values():
            one.data()[:] = 7
        y.backward()
        return [x.grad.asnumpy(), *grads_of(net), net(x).asnumpy()]

    both(work)


def test_weights_that_are_written_to_before_a_gradient_of_second_order():
    def work(net, x):
        x.attach_grad()
        with autograd.record():
            y = net(x)
            with autograd.pause():
                for one in net.collect_params().values():
                    one.data()[:] = one.data() * 1.5
            (g,) = autograd.grad((y * y).sum(), [x], create_graph=True)
            z = (g * g).sum()
        z.backward()
        return [z.asnumpy(), x.grad.asnumpy(), *grads_of(net)]

    both(work)


def test_gradients_of_third_order():
    def work(net, x):
        x.attach_grad()
        with autograd.record():
            y = net(x)
            for _ in range(2):
                (g,) = autograd.grad((y * y).sum(), [x], create_graph=True)
                y = nd.tanh(g)
        y.backward()
        return [x.grad.asnumpy(), *grads_of(net)]

    both(work)


def test_second_order_through_dropout_has_its_numbers():
    def work(net, x):
        gluon.random.seed(5)
        x.attach_grad()
        with autograd.record():
            y = net(x)
            nd.random.uniform(shape=(3,))
            (g,) = autograd.grad((y * y).sum(), [x], create_graph=True)
            z = (g * g).sum()
        z.backward()
        return [z.asnumpy(), x.grad.asnumpy(), nd.random.uniform(shape=(3,)).asnumpy()]

    both(work, dropout=0.5)


def test_the_result_and_the_input_may_be_written_to():
    def work(net, x):
        x.attach_grad()
        with autograd.record():
            y = net(x)
            z = (y * y).sum()
        view = y[1:]
        y[:] = 3
        x[:] = 4
        z.backward()
        return [z.asnumpy(), x.grad.asnumpy(), view.asnumpy(), *grads_of(net)]

    both(work)


def test_results_are_arrays_of_their_own():
    net = ready(mixed(), data(7, 4), record=False)
    inputs = [data(7, 4, seed=k) for k in range(5)]
    found = [net(x) for x in inputs]
    net.hybridize(False)
    assert_same([y.asnumpy() for y in found], [net(x).asnumpy() for x in inputs])


def test_random_numbers_are_those_of_the_block():
    def work(net, x):
        gluon.random.seed(11)
        found = []
        for _ in range(4):
            with autograd.record():
                y = net(x)
            y.backward()
            found += [y.asnumpy(), *grads_of(net), nd.random.normal(shape=(2,)).asnumpy()]
        return found

    both(work, dropout=0.4)


def test_running_averages_follow():
    def work(net, x):
        found = []
        for k in range(5):
            with autograd.record():
                net(x * (k + 1))
            found += [one.data().asnumpy() for one in net.collect_params().values()]
            found += [net(x).asnumpy()]
        return found

    both(work, norm=True)


def test_training_and_predicting():
    def work(net, x):
        found = []
        for train in (True, False, True, False):
            gluon.random.seed(1)
            with autograd.record(train_mode=train):
                y = net(x)
            y.backward()
            found += [y.asnumpy(), *grads_of(net), net(x).asnumpy()]
            with autograd.train_mode():
                found += [net(x).asnumpy()]
        return found

    for _ in range(2):
        both(work, dropout=0.5, norm=True)


def test_other_shapes_have_their_own_programs():
    def work(net, x):
        found = []
        for n in (2, 5, 2, 5, 2, 5, 2, 5):
            with autograd.record():
                y = net(data(n, 4, seed=n))
            y.backward()
            found += [y.asnumpy(), *grads_of(net)]
        return found

    both(work)


def test_an_input_that_is_computed_from_the_other():
    class Two(HybridBlock):
        def hybrid_forward(self, F, x, y):
            for _ in range(5):
                x, y = F.tanh(x) + y, F.sigmoid(y) * x
            return x, [y, x * y]

    found = []
    for hybrid in (False, True):
        net = Two()
        if hybrid:
            net.hybridize()
        a = data(3, 2)
        a.attach_grad()
        mine = []
        for k in range(6):
            with autograd.record():
                b = a * a + k
                x, (y, z) = net(a, b)
                total = (x * z).sum() + y.mean()
            total.backward()
            mine += [total.asnumpy(), a.grad.asnumpy(), x.asnumpy(), z.asnumpy()]
            with autograd.record():
                x, (y, z) = net(a, a)
            x.backward()
            mine += [a.grad.asnumpy()]
            with autograd.record():
                y = net(a, a * 2)[1][0]
            y.backward()
            mine += [a.grad.asnumpy()]
        found.append(mine)
    assert_same(found[1], found[0])
    assert is_program(net), reasons(net)


# ------------------------------------------------------------------------- guards


def check_change(change, record=False, x=None):
    """Check a network as a program before and after a change."""
    x = data(7, 4) if x is None else x
    net, plain = ready(mixed(), x, record=record), mixed()
    net(x), plain(x)
    change(net), change(plain)
    for _ in range(6):
        for one in (net, plain):
            with autograd.record():
                y = one(x)
            y.backward()
        assert_same([net(x).asnumpy(), *grads_of(net)], [plain(x).asnumpy(), *grads_of(plain)])
    return net


@pytest.mark.parametrize("record", [False, True])
def test_an_input_is_not_what_the_block_knows_by_another_name(record):
    class Net(HybridBlock):
        def __init__(self):
            super().__init__()
            self.w = data(3, 2, seed=5)

        def hybrid_forward(self, F, x):
            for _ in range(6):
                x = F.tanh(x) * self.w + 0.1
            return x

    net, plain = Net(), Net()
    net.hybridize()
    net.w.attach_grad(), plain.w.attach_grad()
    for k in range(12):
        found = []
        for one in (net, plain):
            x = one.w if k < 6 else data(3, 2, seed=k)
            if k >= 6:
                x.attach_grad()
            with autograd.record() if record else autograd.pause():
                y = one(x)
            if record:
                y.backward()
            found.append([y.asnumpy(), x.grad.asnumpy(), one.w.grad.asnumpy()])
        assert_same(*found)


def test_another_input_after_many_calls_with_one():
    net, plain, x = mixed(), mixed(), data(7, 4)
    net.hybridize()
    for k in range(12):
        found = []
        x = data(7, 4, seed=k) if k > 6 else x
        for one in (net, plain):
            with autograd.record():
                y = one(x)
            y.backward()
            found.append([y.asnumpy(), *grads_of(one)])
        assert_same(*found)
        assert k < 3 or is_program(net), reasons(net)


def test_hooks_that_are_registered_later():
    x, seen = data(7, 4), []
    net = ready(mixed(), x, record=False)
    handle = net[2].register_forward_hook(lambda block, args, out: seen.append(out.shape))
    net(x)
    net(x)
    assert seen == [(7, 5), (7, 5)]
    handle.detach()
    net(x)
    assert len(seen) == 2
    handle = net.register_forward_pre_hook(lambda block, args: seen.append("own"))
    right = net(x).asnumpy()
    assert seen[-1] == "own"
    handle.detach()
    with net.register_op_hook(lambda name, op, y: seen.append(op)):
        assert_same([net(x).asnumpy()], [right])
    assert "FullyConnected" in seen
    assert "hooks" in reasons(net)


def test_children_that_are_replaced():
    def change(net):
        gluon.random.seed(9)
        net._children["2"] = nn.Dense(5, activation="relu", in_units=6)
        net._children["2"].initialize()

    check_change(change)


def test_attributes_that_are_changed():
    net = check_change(lambda net: setattr(net[0].act, "_act_type", "relu"))
    x = data(7, 4)
    net[0].act._act_type = "sigmoid"
    first = net(x).asnumpy()
    net.hybridize(False)
    assert_same([first], [net(x).asnumpy()])


@pytest.mark.parametrize("held", [False, True])
def test_parameters_that_are_cast_or_initialized_again(held):
    kept = []

    def change(net):
        if held:
            kept.append([one.data() for one in net.collect_params().values()])
        gluon.random.seed(4)
        net.initialize(force_reinit=True)

    check_change(change)
    x = data(7, 4)
    net = ready(mixed(), x, record=False)
    if held:
        kept.append([one.data() for one in net.collect_params().values()])
    net.cast("float64")
    assert net(x.astype("float64")).dtype == np.float64


def test_parameters_that_are_loaded(tmp_path):
    other = mixed(seed=8)
    other.save_parameters(str(tmp_path / "net.params"))
    check_change(lambda net: net.load_parameters(str(tmp_path / "net.params")))


def test_parameters_that_are_shared_and_trained_elsewhere():
    def change(net):
        net[0].weight.set_data(nd.ones((6, 4)))
        net[2].bias.data()[:] = 3

    check_change(change)


def test_a_counter_in_the_block_is_seen():
    class Counting(HybridBlock):
        count = 0

        def hybrid_forward(self, F, x):
            self.count += 1
            for _ in range(6):
                x = F.tanh(x) * self.count
            return x

    net, plain = Counting(), Counting()
    net.hybridize()
    x = data(3, 2)
    for _ in range(30):
        assert_same([net(x).asnumpy()], [plain(x).asnumpy()])
    assert net.count == plain.count == 30
    assert not is_program(net)


def test_a_value_that_is_read():
    class Reads(HybridBlock):
        def forward(self, x):
            for _ in range(6):
                x = nd.tanh(x) * 2
            return x * 2 if x.sum().asscalar() > 0 else x - 1

    net = Reads()
    net.hybridize()
    for k in range(6):
        x = data(3, 2) + (-1) ** k
        right = Reads()(x).asnumpy()
        assert_same([net(x).asnumpy()], [right])
    assert "a value is read" in reasons(net)


def test_a_function_of_the_user_is_differentiated_by_the_user():
    calls = []

    class Cube(autograd.Function):
        def forward(self, x):
            self.save_for_backward(x)
            return x * x * x

        def backward(self, dy):
            calls.append(1)
            (x,) = self.saved_tensors
            return dy * x * x * 2  # not the derivative

    class Net(HybridBlock):
        def forward(self, x):
            for _ in range(6):
                x = nd.tanh(x) * 2
            return Cube()(x)

    found = []
    for hybrid in (False, True):
        net = Net()
        if hybrid:
            net.hybridize()
        x = data(3, 2)
        x.attach_grad()
        for _ in range(5):
            with autograd.record():
                y = net(x)
            y.backward()
        found.append([y.asnumpy(), x.grad.asnumpy()])
    assert len(calls) == 10
    assert_same(found[1], found[0])
    assert not is_program(net)


def test_an_array_that_is_kept_is_the_blocks():
    class Keeps(HybridBlock):
        def hybrid_forward(self, F, x):
            for _ in range(6):
                x = F.tanh(x) * 2
            self.kept = x
            return x + 1

    net = Keeps()
    net.hybridize()
    for k in range(6):
        y = net(data(3, 2, seed=k))
        assert_same([net.kept.asnumpy() + 1], [y.asnumpy()])


def test_errors_are_those_of_the_block():
    class Net(HybridBlock):
        def __init__(self):
            super().__init__()
            self.inner = nn.Embedding(5, 3, prefix="words_")

        def hybrid_forward(self, F, x):
            y = self.inner(x)
            for _ in range(6):
                y = F.tanh(y) * 2
            return y

    net = Net()
    net.initialize()
    good, bad = nd.array([1, 2, 4]), nd.array([1, 2, 7])
    with pytest.raises(IndexError) as right:
        net(bad)
    net.hybridize()
    for _ in range(5):
        net(good)
    assert is_program(net), reasons(net)
    with pytest.raises(IndexError) as found:
        net(bad)
    assert str(found.value) == str(right.value)
    assert "words" in str(found.value)
    assert_same([net(good).asnumpy()], [net(good).asnumpy()])
    with pytest.raises(gluon.GluonError):
        mixed()(data(7, 9))
    other = ready(mixed(), data(7, 4))
    with pytest.raises(gluon.GluonError, match="dense"):
        other(data(7, 9))


# ------------------------------------------------------------------------- around it


def test_managers_and_other_recordings_see_operators():
    from gluon import autodiff

    x = data(7, 4)
    net, plain = ready(mixed(), x), mixed()
    found = []
    for one in (net, plain):
        gm = autodiff.GradManager()
        w = one[0].weight.data()
        gm.attach([w])
        with gm:
            y = one(x)
            gm.backward(y)
        found.append([w.grad.asnumpy()])
    assert_same(*found)
    assert "GradManager" in reasons(net)


def test_a_checkpoint_of_a_hybridized_block():
    def work(net, x):
        x.attach_grad()
        with autograd.record():
            y = autograd.checkpoint(net, x)
        y.backward()
        return [y.asnumpy(), x.grad.asnumpy(), *grads_of(net)]

    both(work)


def test_a_jitted_step_contains_the_block():
    def work(net, x):
        trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.1})

        def step(x):
            with autograd.record():
                y = (net(x) ** 2).mean()
            y.backward()
            trainer.step(1)
            return y

        jitted = gluon.jit(step)
        return [jitted(x).asnumpy() for _ in range(8)]

    both(work)


def test_trainers_update_in_place():
    def work(net, x):
        loss = gluon.loss.L2Loss()
        if net._programs is not None:
            loss.hybridize()
        trainer = gluon.Trainer(net.collect_params(), "adam", {"learning_rate": 0.1})
        found = []
        for k in range(8):
            with autograd.record():
                value = loss(net(x), data(7, 3, seed=k))
            value.backward()
            trainer.step(7)
            found.append(value.asnumpy())
        return [*found, *[one.data().asnumpy() for one in net.collect_params().values()]]

    both(work)


def test_a_copy_of_a_block_and_a_pickled_one():
    x = data(7, 4)
    net = ready(mixed(), x, record=False)
    right = net(x).asnumpy()
    for other in (copy.deepcopy(net), pickle.loads(pickle.dumps(net))):
        for _ in range(5):
            assert_same([other(x).asnumpy()], [right])
        assert is_program(other), reasons(other)
        other[0].weight.data()[:] = 0
        assert not np.allclose(other(x).asnumpy(), right)
        assert_same([net(x).asnumpy()], [right])


def test_several_threads_at_once():
    net, plain = mixed(), mixed()
    net.hybridize()
    wrong = []

    def work(k):
        for _ in range(20):
            x = data(5, 4, seed=k)
            x.attach_grad()
            grads = []
            for one in (net, plain):
                with autograd.record():
                    y = one(x)
                weights = [p.data() for p in one.collect_params().values()]
                grads.append(autograd.grad(y, [x, *weights])[0].asnumpy())
            if not np.allclose(*grads, 1e-4, 1e-5):
                wrong.append(k)

    threads = [threading.Thread(target=work, args=(k,)) for k in range(6)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert not wrong
    assert is_program(net), reasons(net)


def trained(net, x):
    with autograd.record():
        y = net(x)
        net(x)  # of which there is no backward pass
    y.backward()


def test_memory_does_not_grow():
    x = data(7, 4)
    net = ready(mixed(dropout=0.5, norm=True), x)
    for _ in range(20):
        trained(net, x)
    gc.collect()
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    for _ in range(1000):
        trained(net, x)
    gc.collect()
    grown = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    assert grown < 20_000


def test_programs_and_their_memory_go_with_the_block():
    x = data(7, 4)
    net = ready(mixed(dropout=0.5, norm=True), x)
    trained(net, x)
    gc.collect()
    gc.disable()
    try:
        program = next(one.program for one in programs_of(net) if one.ready)
        room = weakref.ref(program.rooms[0])
        program = weakref.ref(program)
        del net
        assert program() is None
        assert room() is None
    finally:
        gc.enable()


def test_arrays_of_numpy(monkeypatch):
    npx.set_np()
    try:
        net = nn.HybridSequential()
        net.add(nn.Dense(6, activation="tanh"), nn.LayerNorm(), nn.GELU(), nn.Dense(3))
        net.initialize()
        x = mnp.array(np.random.RandomState(0).randn(5, 4).astype("float32"))
        right = net(x)
        net.hybridize()
        for _ in range(6):
            with autograd.record():
                y = net(x)
            y.backward()
            assert type(y) is mnp.ndarray
            assert_same([y.asnumpy()], [right.asnumpy()])
        assert is_program(net), reasons(net)
    finally:
        npx.reset_np()


def test_the_switch(monkeypatch):
    monkeypatch.setenv("GLUON_PROGRAM", "0")
    net = mixed()
    net.hybridize()
    x = data(7, 4)
    for _ in range(6):
        net(x)
    assert not is_program(net)
    assert "GLUON_PROGRAM=0" in net.program()


def test_hybridize_again_and_not_any_longer():
    x = data(7, 4)
    net = ready(mixed(), x)
    right = net(x).asnumpy()
    net.hybridize()
    assert not programs_of(net)
    ready(net, x)
    assert_same([net(x).asnumpy()], [right])
    net.hybridize(active=False)
    assert net._programs is None
    assert net[0]._programs is None
    assert_same([net(x).asnumpy()], [right])


def test_what_is_no_array_is_the_error_that_it_was():
    net = ready(mixed(), data(7, 4))
    for wrong in (np.ones((7, 4)), [1, 2], None, 3):
        with pytest.raises(gluon.GluonError) as right:
            mixed()(wrong)
        with pytest.raises(gluon.GluonError) as found:
            net(wrong)
        assert type(found.value) is type(right.value)


def test_export_and_symbols_are_as_before(tmp_path):
    x = data(7, 4)
    net = ready(mixed(), x, record=False)
    right = net(x).asnumpy()
    symbol_file, params_file = net.export(str(tmp_path / "net"))
    again = gluon.SymbolBlock.imports(symbol_file, "data", params_file)
    assert_same([again(x).asnumpy()], [right])
    again.hybridize()
    for _ in range(5):
        assert_same([again(x).asnumpy()], [right])
    assert type(net(gluon.sym.var("data"))) is gluon.sym.Symbol
    net.summary(x)
    assert_same([net(x).asnumpy()], [right])


def test_a_deferred_network_is_hybridized_first():
    net = nn.HybridSequential()
    net.add(nn.Dense(6, activation="tanh"), nn.GELU(), nn.BatchNorm(), nn.Dense(3), nn.Swish())
    net.initialize()
    net.hybridize(static_alloc=True, static_shape=True)
    x = data(7, 4)
    for _ in range(6):
        with autograd.record():
            y = net(x)
        y.backward()
    assert net[0].weight.shape == (6, 4)
    assert is_program(net), reasons(net)


# ------------------------------------------------------------------------- what a user sees


def test_a_program_is_printed_with_layers():
    net = mixed()
    assert net.program() == f"{net.name}: call hybridize() first"
    ready(net, data(7, 4))
    text = net.program()
    assert f"# {net[0].name}, test_hybridize.py:" in text
    assert "product" in text
    small = nn.Dense(2, in_units=3)
    small.initialize()
    small.hybridize()
    for _ in range(4):
        small(nd.ones((1, 3)))
    assert "too little: 1 operators" in small.program()


def test_a_block_of_which_few_gradients_are_asked_for_runs_as_written():
    x = data(7, 4)
    net, plain = mixed(), mixed()
    net.hybridize()
    x.attach_grad()
    for _ in range(6):
        found = []
        for one in (net, plain):
            with autograd.record():
                loss = (one(x) ** 2).sum()
            found.append(autograd.grad(loss, [x])[0].asnumpy())
        assert_same([found[0]], [found[1]])
    assert not is_program(net)
    assert "are not asked for" in reasons(net)
    (variant,) = net._programs.calls.variants.values()
    assert not variant.program.rooms
    ready(net, data(7, 4))  # the input is not tracked
    trained(net, data(7, 4))
    assert is_program(net)
