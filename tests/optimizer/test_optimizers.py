"""Optimizers: differences from the oracle, registry, update counts and states."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from gluon import GluonError, cpu, lr_scheduler, nd, optimizer, random


def test_nag_with_weight_decay():
    rng = np.random.default_rng(0)
    want, state = rng.normal(size=5), np.zeros(5)
    weight = nd.array(want, dtype="float64")
    update = optimizer.get_updater(optimizer.NAG(learning_rate=0.1, momentum=0.9, wd=0.2))
    for _ in range(4):
        grad = rng.normal(size=5)
        update(0, nd.array(grad, dtype="float64"), weight)
        change = grad + 0.2 * want
        state = 0.9 * state + change
        want = want - 0.1 * (change + 0.9 * state)
    np.testing.assert_allclose(weight.asnumpy(), want, rtol=1e-12)


# --------------------------------------------------------------------------------- the base


def test_registry():
    @optimizer.register
    class Halver(optimizer.Optimizer):
        def update(self, index, weight, grad, state):
            weight[:] = weight / 2

    made = optimizer.create("HALVER", learning_rate=3)
    assert made.learning_rate == 3
    weight = nd.ones((2,))
    optimizer.get_updater(made)([0, 1], [None, None], [weight, weight])
    assert weight.asnumpy().tolist() == [0.25, 0.25]
    del optimizer.Optimizer.opt_registry["halver"]
    with pytest.raises(ValueError, match="unknown optimizer 'halver'; choose one of adadelta, "):
        optimizer.create("halver")
    with pytest.raises(TypeError, match="a name such as 'sgd', not 3"):
        optimizer.create(3)
    with pytest.raises(NotImplementedError, match=r"must define update\(\)"):
        optimizer.Optimizer().update(0, weight, weight, None)


def test_half_precision_keeps_a_float32_copy():
    weight, grad = nd.ones((1,), dtype="float16"), nd.ones((1,), dtype="float16")
    coarse = weight.copy()
    update = optimizer.get_updater(optimizer.SGD(learning_rate=1e-4, multi_precision=True))
    coarse_update = optimizer.get_updater(optimizer.SGD(learning_rate=1e-4))
    for _ in range(10):
        update(0, grad, weight)
        coarse_update(0, grad, coarse)
    assert weight.dtype == np.float16
    assert weight.asscalar() == np.float16(0.999)
    assert coarse.asscalar() == 1


def test_states_travel_as_bytes():
    one = optimizer.get_updater(optimizer.SGD(momentum=0.9))
    one(0, nd.ones((2,)), nd.ones((2,)))
    two = optimizer.get_updater(optimizer.SGD(momentum=0.9))
    two.set_states(one.get_states())
    assert two.states[0].asnumpy().tolist() == one.states[0].asnumpy().tolist()
    three = optimizer.get_updater(optimizer.SGD())
    three.set_states(one.get_states(dump_optimizer=True))
    assert three.optimizer.momentum == 0.9
    assert pickle.loads(pickle.dumps(three.optimizer)).num_update == 1


@pytest.mark.parametrize(
    ("made", "what"),
    [
        (lambda: optimizer.Adam(0.001, 1.5), r"Adam: beta1=1\.5"),
        (lambda: optimizer.create("adam", beta2=-1), "Adam: beta2=-1"),
        (lambda: optimizer.SGD(momentum=9), "SGD: momentum=9"),
        (lambda: optimizer.NAG(momentum=9), "NAG: momentum=9"),
        (lambda: optimizer.Signum(momentum=9), "Signum: momentum=9"),
        (lambda: optimizer.LARS(momentum=9), "LARS: momentum=9"),
        (lambda: optimizer.LBSGD(momentum=9), "LBSGD: momentum=9"),
        (lambda: optimizer.DCASGD(momentum=9), "DCASGD: momentum=9"),
        (lambda: optimizer.AdaDelta(rho=9), "AdaDelta: rho=9"),
        (lambda: optimizer.FTML(beta1=9), "FTML: beta1=9"),
        (lambda: optimizer.RMSProp(gamma1=1), "RMSProp: gamma1=1"),
    ],
)
def test_a_share_of_an_average_beyond_one(made, what):
    with pytest.warns(UserWarning, match=f"{what} is the share of an average") as caught:
        made()
    assert [one.filename for one in caught] == [__file__]


@pytest.mark.parametrize(
    "made",
    [
        lambda: optimizer.SGD(wd=-1),
        lambda: optimizer.Adam(epsilon=-1),
        lambda: optimizer.AdaGrad(eps=-1),
        lambda: optimizer.AdaDelta(epsilon=-1),
        lambda: optimizer.RMSProp(epsilon=-1),
        lambda: optimizer.FTML(epsilon=-1),
    ],
)
def test_a_negative_number_that_is_added(made):
    with pytest.warns(UserWarning, match="(wd|eps|epsilon)=-1 is negative; give 0 or") as caught:
        made()
    assert [one.filename for one in caught] == [__file__]


def test_a_negative_learning_rate():
    with pytest.warns(UserWarning, match="learning_rate=-1 is negative: steps raise the loss"):
        sgd = optimizer.SGD(learning_rate=-1)
    with pytest.warns(UserWarning, match=r"learning_rate=-0\.5 is negative"):
        sgd.set_learning_rate(-0.5)
    assert sgd.learning_rate == -0.5


def test_a_scheduler_and_a_learning_rate():
    schedule = lr_scheduler.FactorScheduler(1, base_lr=1)
    with pytest.warns(UserWarning, match="base_lr=1 is set to learning_rate=0.5"):
        made = optimizer.SGD(learning_rate=0.5, lr_scheduler=schedule)
    assert made.learning_rate == 0.5
    with pytest.raises(GluonError, match="decided by lr_scheduler"):
        made.set_learning_rate(1)


# ------------------------------------------------------------------ other than in the oracle


def trained(name: str, shapes: list, steps: int = 4, **settings) -> list[np.ndarray]:
    """The weights after some updates with the same gradients."""
    made = optimizer.create(name, **settings)
    update = optimizer.get_updater(made)
    weights, grads = (
        [
            nd.array(np.random.default_rng([seed, k]).normal(size=shape), dtype="float64")
            for k, shape in enumerate(shapes)
        ]
        for seed in range(2)
    )
    for _ in range(steps):
        for k, weight in enumerate(weights):
            update(k, grads[k], weight)
    return [weight.asnumpy() for weight in weights]


@pytest.mark.parametrize("name", ["nadam", "lars"])
def test_an_update_does_not_depend_on_other_weights(name):
    schedule = lr_scheduler.FactorScheduler(1, 0.5, base_lr=0.1)
    settings = {} if name == "nadam" else {"momentum": 0.9, "lr_scheduler": schedule}
    alone = trained(name, [(3,)], **settings)
    np.testing.assert_array_equal(trained(name, [(3,), (2, 4)], **settings)[0], alone[0])
    twice = trained(name, [(3,)] * 6, **settings)
    np.testing.assert_array_equal(twice[0], alone[0])


def test_replicas_on_two_devices_stay_equal():
    made = optimizer.create("nadam", learning_rate=0.1)
    updates = [optimizer.get_updater(made) for _ in range(2)]
    weights = [nd.array([1, 2], ctx=cpu(device)) for device in range(2)]
    for _ in range(3):
        for update, weight in zip(updates, weights):
            update(0, nd.array([0.5, -1], ctx=weight.context), weight)
    assert weights[0].asnumpy().tolist() == weights[1].asnumpy().tolist()


def test_dcasgd_with_momentum():
    weight, grad, state, previous = (np.array([x]) for x in (1.0, 0.5, 0.0, 1.0))
    update = optimizer.get_updater(optimizer.DCASGD(momentum=0.9, lamda=2, learning_rate=0.1))
    found = nd.array([1], dtype="float64")
    for _ in range(3):
        update(0, nd.array(grad, dtype="float64"), found)
        change = grad + 2 * grad**2 * (weight - previous)
        state = 0.9 * state - 0.1 * change
        previous, weight = weight, weight + state
    np.testing.assert_allclose(found.asnumpy(), weight, rtol=1e-12)


def test_adamax_and_centered_rmsprop_stay_finite():
    weight = nd.ones((2,))
    update = optimizer.get_updater(optimizer.Adamax())
    update(0, nd.array([0, 1]), weight)
    np.testing.assert_allclose(weight.asnumpy(), [1, 0.998])
    update = optimizer.get_updater(optimizer.RMSProp(centered=True, epsilon=0))
    constant = nd.full((50,), 0.3)
    weights = nd.ones((50,))
    with np.errstate(divide="ignore", invalid="ignore"):
        for _ in range(300):
            update(0, constant, weights)
    assert not np.isnan(weights.asnumpy()).any()


@pytest.mark.parametrize("name", ["adam", "rmsprop", "ftml", "nadam", "lamb"])
def test_a_gradient_of_0_is_no_nan_in_float16(name):
    weight = nd.ones((2,), dtype="float16")
    update = optimizer.get_updater(optimizer.create(name))
    update(0, nd.array([0, 1], dtype="float16"), weight)
    assert weight[0].asscalar() == pytest.approx(1, abs=2e-3)
    assert 0.9 <= weight[1].asscalar() < 1


@pytest.mark.parametrize("name", sorted(optimizer.Optimizer.opt_registry))
def test_gradients_stay_as_they_are(name):
    grad = nd.array([[0.5, -2.0]])
    update = optimizer.get_updater(optimizer.create(name, rescale_grad=0.5, clip_gradient=0.1))
    update(0, grad, nd.ones((1, 2)))
    assert grad.asnumpy().tolist() == [[0.5, -2]]


def test_gradients_are_summed_and_not_kept():
    """LBSGD does not count a gradient array that a backward pass overwrites as a sum."""
    weight, grad = nd.zeros((1,)), nd.array([1])
    update = optimizer.get_updater(optimizer.LBSGD(batch_scale=2, learning_rate=1, warmup_epochs=0))
    update(0, grad, weight)
    grad[:] = 3
    update(0, grad, weight)
    assert weight.asscalar() == -4  # (1 + 3) / 2, twice as far


def test_langevin_dynamics_samples_the_posterior():
    """For a quadratic loss x**2 / 2 that is the normal distribution."""
    random.seed(5)
    weights = nd.zeros((2000,))
    update = optimizer.get_updater(optimizer.SGLD(learning_rate=0.1))
    for _ in range(100):
        update(0, weights.copy(), weights)
    assert abs(weights.mean().asscalar()) < 0.1
    assert abs(weights.asnumpy().std() - 1) < 0.1


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: optimizer.LBSGD(warmup_strategy="slow"), "'slow' is not one of 'linear'"),
        (lambda: optimizer.SGD().set_lr_scale({}), "use set_lr_mult"),
        (lambda: trained("groupadagrad", [(3,)]), r"weight 0 has shape \(3,\); it must have rows"),
        (lambda: trained("groupadagrad", [(3, 2)], wd=1), "wd must be 0, not 1"),
        (lambda: trained("ftrl", [(3,)], learning_rate=0), "lr must not be 0"),
    ],
)
def test_settings_that_make_no_sense(call, message):
    with pytest.raises(GluonError, match=message):
        call()


# -------------------------------------------------------------------------------- the updater


def test_an_updater_passes_lists_of_one_dtype():
    seen = []

    class Listed(optimizer.Optimizer):
        aggregate_num = 2

        def update_multi_precision(self, index, weight, grad, state):
            seen.append(index)
            for one, slope in zip(weight, grad):
                one -= slope

    weights = [nd.ones((1,), dtype=d) for d in ("float32", "float64", "float32", "float32")]
    update = optimizer.get_updater(Listed())
    update([0, 1, 2, 3], [nd.ones((1,), dtype=w.dtype) for w in weights], weights)
    assert seen == [[0, 2], [3], [1]]
    update(0, nd.ones((1,)), weights[0])
    assert seen[-1] == [0]
    assert [weight.asscalar() for weight in weights] == [-1, 0, 0, 0]


def test_an_optimizer_of_ones_own_steps_in_single_precision():
    seen = []

    class Own(optimizer.Optimizer):
        def create_state(self, index, weight):
            return None

        def update(self, index, weight, grad, state):
            seen.append((weight.dtype, grad.dtype))

    half = nd.ones((1,), dtype="float16")
    optimizer.get_updater(Own(multi_precision=True))(0, half, half)
    assert seen == [(np.float32, np.float32)]


@pytest.mark.parametrize(
    ("name", "together"), [("SGD", 4), ("LARS", 4), ("LAMB", 45), ("NAG", 0), ("Adam", 0)]
)
def test_how_many_weights_one_step_takes_at_most(name, together):
    assert getattr(optimizer, name)().aggregate_num == together


def test_states_move_to_a_context():
    update = optimizer.get_updater(optimizer.Adam())
    state = (nd.ones((1,)), [nd.zeros((2,)), None])
    moved = update.sync_state_context(state, cpu(1))
    assert moved[0].context == moved[1][0].context == cpu(1)
    assert isinstance(moved[1], list)
    assert moved[1][1] is None


def test_a_schedule_may_be_any_function():
    made = optimizer.SGD(lr_scheduler=lambda number: 1 / number)
    optimizer.get_updater(made)(0, nd.ones((1,)), nd.ones((1,)))
    assert made.learning_rate == 1


@pytest.mark.parametrize("wrong", [[1], 3, ({}, "sgd"), ([], optimizer.SGD()), ({}, None, None)])
def test_states_are_a_dict_with_or_without_an_optimizer(wrong):
    update = optimizer.get_updater(optimizer.SGD())
    with pytest.raises(GluonError, match="are a dict, with or without an Optimizer"):
        update.set_states(pickle.dumps(wrong))
    update.set_states(pickle.dumps(({}, None)))
