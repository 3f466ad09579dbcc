"""One program for each promise of MegEngine's three documents on automatic differentiation."""

from __future__ import annotations

import inspect
import weakref

import numpy as np
import pytest
from numpy.testing import assert_allclose

from gluon import nd
from gluon._core.engine.mode import Mode, mode
from gluon._core.errors import AutogradError
from gluon.autodiff import GradManager
from gluon.autodiff.grad_manager import AttachSpec

# --------------------------------------------------------------------- basics: grad and the manager


def test_without_a_manager_there_is_no_gradient():
    mass, speed = nd.array([4.0]), nd.array([3.0])
    energy = 0.5 * mass * speed * speed
    assert energy.asscalar() == 18
    assert mass.grad is None
    assert speed.grad is None


def test_what_with_encloses_is_recorded_and_only_bound_tensors_get_gradients():
    mass, speed = nd.array([4.0]), nd.array([3.0])
    with GradManager() as manager:
        manager.attach(speed)
        energy = 0.5 * mass * speed * speed
        manager.backward(energy)
    assert speed.grad.asnumpy().tolist() == [12]
    assert mass.grad is None


def test_backward_adds_to_grad():
    speed = nd.array([3.0])
    for expected in (6, 12, 18):
        with GradManager().attach(speed) as manager:
            manager.backward(speed * speed)
        assert speed.grad.asscalar() == expected


def test_detach_gives_an_unbound_tensor():
    speed = nd.array([3.0])
    with GradManager().attach(speed) as manager:
        manager.backward(speed * speed.detach())
    assert speed.grad.asscalar() == 3


def test_bound_tensors_can_be_queried():
    tensors = [nd.ones((n,)) for n in (1, 2, 3)]
    manager = GradManager().attach(tensors)
    assert [id(t) for t in manager.attached_tensors()] == [id(t) for t in tensors]
    assert GradManager().attached_tensors() == []


def fit_line(manager, slope, offset, session):
    inputs = nd.array(np.linspace(-1, 1, 9))
    targets = inputs * 3 - 2
    for _ in range(200):
        session(manager, lambda: ((inputs * slope + offset - targets) ** 2).mean())
        for parameter in (slope, offset):
            parameter -= 0.3 * parameter.grad
            parameter.grad = None


def session_by_with(manager, loss):
    with manager:
        manager.backward(loss())


def session_by_record(manager, loss):
    manager.record()
    manager.backward(loss())


def session_by_release(manager, loss):
    manager.record()
    loss()
    manager.release()
    session_by_record(manager, loss)


@pytest.mark.parametrize("session", [session_by_with, session_by_record, session_by_release])
def test_one_manager_trains_a_model(session):
    slope, offset = nd.array([0.0]), nd.array([0.0])
    manager = GradManager().attach([slope, offset])
    fit_line(manager, slope, offset, session)
    assert_allclose([slope.asscalar(), offset.asscalar()], [3, -2], atol=1e-4)


# ------------------------------------------------------------------- package: the interface


def test_signatures():
    def parameters(function):
        found = inspect.signature(function).parameters.values()
        return [(p.name, p.default) for p in found if p.name != "self"]

    empty = inspect.Parameter.empty
    assert parameters(GradManager) == []
    assert parameters(GradManager.attach)[:2] == [("tensors", empty), ("callbacks", None)]
    assert parameters(GradManager.backward) == [("y", None), ("dy", None)]
    assert parameters(GradManager.record) == []
    assert parameters(GradManager.release) == []
    assert AttachSpec.__slots__ == ("tensor", "callbacks")
    assert not hasattr(AttachSpec(None, []), "__dict__")


def test_computation_before_attach_is_ignored():
    angle = nd.array([0.5])
    with GradManager() as manager:
        early = nd.sin(angle)
        manager.attach(angle)
        late = nd.cos(angle)
        manager.backward(early * late)
    assert_allclose(angle.grad.asnumpy(), -(np.sin(0.5) ** 2), rtol=1e-6)


def test_backward_is_a_vector_jacobian_product():
    a = nd.array([1.0, 2.0])
    matrix = nd.array([[1.0, 10.0], [100.0, 1000.0]])
    with GradManager() as manager:
        manager.attach(a)
        y = (matrix * a).sum(axis=1)
        dy = nd.array([3.0, 5.0])
        manager.backward(y, dy)
    assert_allclose(a.grad.asnumpy(), [3 + 500, 30 + 5000])


def test_backward_sums_over_the_heads():
    a, b = nd.array([2.0]), nd.array([7.0])
    with GradManager().attach([a, b]) as manager:
        heads = [a * b, a * a * b]
        manager.backward(heads, [nd.array([10.0]), nd.array([1.0])])
    assert (a.grad.asscalar(), b.grad.asscalar()) == (10 * 7 + 2 * 2 * 7, 10 * 2 + 4)


def test_dy_is_one_for_a_scalar():
    a = nd.array([1.0, 2.0, 3.0])
    with GradManager().attach(a) as manager:
        manager.backward((a * a).sum())
    assert_allclose(a.grad.asnumpy(), [2, 4, 6])


def test_record_allows_backward_and_release_forbids_it():
    a = nd.array([1.0])
    manager = GradManager().attach(a)
    with pytest.raises(AutogradError, match="no computation history"):
        manager.backward(a * 2)
    manager.record()
    y = a * 2
    manager.release()
    with pytest.raises(AutogradError, match="no computation history"):
        manager.backward(y)


def test_backward_makes_the_manager_inactive():
    a = nd.array([1.0])
    manager = GradManager().attach(a)
    manager.record()
    y = a * 2
    manager.backward(y)
    assert mode() == Mode()
    with pytest.raises(AutogradError, match="no computation history"):
        manager.backward(y)
    manager.record()
    manager.release()


def test_one_manager_records_one_history_at_a_time():
    manager = GradManager()
    with manager, pytest.raises(AutogradError, match="already recording"):
        manager.record()


def test_attached_once_remembered_for_every_use():
    a = nd.array([1.0, 1.0])
    manager = GradManager().attach(a)
    for factor in (1, 10, 100):
        with manager:
            manager.backward(a * factor)
    assert_allclose(a.grad.asnumpy(), [111, 111])


@pytest.mark.parametrize("attach_first", [True, False])
def test_the_snapshot_is_taken_at_first_encounter(attach_first):
    level = nd.array([2.0])
    manager = GradManager()
    if attach_first:
        manager.attach(level)
        level *= 2  # before record(): the snapshot is 4
    with manager:
        if not attach_first:
            level *= 2  # before attach(): the snapshot is 4 here, too
            manager.attach(level)
        level *= level
        manager.backward(level * level)
    assert level.asscalar() == 16
    # (s²)² at s = 4
    assert level.grad.asscalar() == 4 * 4**3


def test_the_latest_version_of_y_counts():
    a = nd.array([2.0])
    with GradManager().attach(a) as manager:
        y = a * 1
        y += a * a
        manager.backward(y)
    assert a.grad.asscalar() == 5


# --------------------------------------------------------------------------- package: callbacks


def test_a_callback_can_average_over_workers():
    gradients_elsewhere = {2: nd.array([0.0, 6.0]), 3: nd.array([3.0, 0.0, 0.0])}
    weights = [nd.array([1.0, 1.0]), nd.array([1.0, 1.0, 1.0])]

    def mean(tensor, grad):
        return (grad + gradients_elsewhere[tensor.shape[0]]) / 2

    manager = GradManager().attach((w for w in weights), callback=mean)
    with manager:
        manager.backward([w * 4 for w in weights])
    assert_allclose(weights[0].grad.asnumpy(), [2, 5])
    assert_allclose(weights[1].grad.asnumpy(), [3.5, 2, 2])


def test_what_a_callback_returns_goes_to_the_next_and_is_accumulated():
    a = nd.array([1.0])
    manager = GradManager().attach(a, callbacks=[lambda t, g: g + 1, lambda t, g: g * 10])
    for expected in (60, 120):
        with manager:
            manager.backward(a * 5)
        assert a.grad.asscalar() == expected


def test_overlapping_attach_concatenates_callbacks():
    def double(tensor, grad):
        return grad * 2

    def increase(tensor, grad):
        return grad + 1

    results = []
    for calls in (
        [("ab", [double]), ("b", [increase])],
        [("a", [double]), ("b", [double, increase])],
    ):
        tensors = {"a": nd.array([1.0]), "b": nd.array([1.0])}
        manager = GradManager()
        for names, callbacks in calls:
            manager.attach([tensors[name] for name in names], callbacks=callbacks)
        with manager:
            manager.backward(tensors["a"] * 3 + tensors["b"] * 5)
        results.append([tensor.grad.asscalar() for tensor in tensors.values()])
    assert results == [[6, 11], [6, 11]]


def test_attaching_again_and_again_grows_the_callbacks():
    a = nd.array([1.0])
    manager = GradManager()
    for count in (1, 2, 3):
        manager.attach(a, callbacks=[lambda t, g: g * 2])
        a.grad = None
        with manager:
            manager.backward(a * 1)
        assert a.grad.asscalar() == 2**count


# ------------------------------------------------------------------------------ package: resources


@pytest.mark.usefixtures("no_cycle_collector")
def test_temporary_tensors_are_held_weakly_between_uses():
    weight = nd.array([2.0])
    manager = GradManager().attach(weight)
    gone = []
    for k in range(3):
        with manager:
            temporary = nd.array([float(k)])
            manager.attach(temporary)
            manager.backward(weight * temporary)
        assert temporary.grad.asscalar() == 2
        gone.append(weakref.ref(temporary))
        del temporary
        assert len(manager.attached_tensors()) == 1
    assert [dead() for dead in gone] == [None] * 3


@pytest.mark.usefixtures("no_cycle_collector")
def test_a_callback_that_holds_its_tensor_keeps_it_until_the_manager_goes():
    tensor = nd.array([1.0])
    manager = GradManager().attach(tensor, callbacks=lambda t, g, held=tensor: g)
    alive = weakref.ref(tensor)
    del tensor
    assert alive() is not None
    del manager
    assert alive() is None


@pytest.mark.usefixtures("no_cycle_collector")
def test_backward_frees_resources():
    a = nd.array([1.0, 2.0])
    with GradManager().attach(a) as manager:
        hidden = nd.exp(a)
        buffer = weakref.ref(hidden.raw)
        y = nd.sqrt(hidden) * hidden
        del hidden
        manager.backward(y)
        assert buffer() is None


# ---------------------------------------------------------------------------------- higher order


def pair(*tensors):
    return GradManager().attach(tensors), GradManager().attach(tensors)


def test_a_nested_pair_gives_the_second_derivative():
    angles = nd.array([0.1, 0.7, 2.0])
    outer, inner = pair(angles)
    with outer:
        with inner:
            inner.backward(nd.sin(angles) * angles)
        first, angles.grad = angles.grad, None
        outer.backward(first)
    a = angles.asnumpy()
    assert_allclose(first.asnumpy(), np.sin(a) + a * np.cos(a), rtol=1e-5)
    assert_allclose(angles.grad.asnumpy(), 2 * np.cos(a) - a * np.sin(a), rtol=1e-5)


def test_the_outer_manager_tells_forward_and_backward_results_not_apart():
    a = nd.array([2.0])
    outer, inner = pair(a)
    with outer:
        with inner:
            y = a * a * a
            inner.backward(y)
        slope, a.grad = a.grad, None
        outer.backward(y * slope)
    # d/da (a³ · 3a²) = 15a⁴
    assert a.grad.asscalar() == 15 * 2**4


def test_swapped_the_second_derivative_stays_none():
    angles = nd.array([0.1, 0.7, 2.0])
    outer, inner = pair(angles)
    with outer, inner:
        slope = outer.backward(nd.sin(angles))
        assert_allclose(slope.asnumpy(), np.cos(angles.asnumpy()), rtol=1e-6)
        angles.grad = None
        inner.backward(slope)
    assert angles.grad is None


def test_swapped_backward_of_a_cleared_gradient_only_releases():
    a = nd.array([2.0])
    outer, inner = pair(a)
    with outer, inner:
        outer.backward(a * a)
        a.grad = None
        with pytest.warns(UserWarning, match="no y is given"):
            inner.backward(a.grad)
    assert a.grad is None
    assert mode() == Mode()


@pytest.mark.parametrize(
    ("function", "slope"),
    [(nd.sin, np.cos), (nd.exp, np.exp), (lambda x: x * x * x, lambda x: 3 * x * x)],
)
def test_forward_mode_by_two_reverse_passes(function, slope):
    def derivative_along(function, point, direction):
        with GradManager() as over:
            with GradManager().attach(point) as under:
                value = function(point)
                cotangent = nd.zeros(value.shape)
                over.attach(cotangent)
                under.backward(value, cotangent)
            # the pulled-back cotangent is linear in it: its derivative is the Jacobian
            over.backward(point.grad, direction)
        return value, cotangent.grad

    point, direction = nd.array([0.3, -1.2, 2.5]), nd.array([1.0, 10.0, 0.0])
    value, along = derivative_along(function, point, direction)
    p, d = point.asnumpy(), direction.asnumpy()
    assert_allclose(value.asnumpy(), function(nd.array(p)).asnumpy())
    assert_allclose(along.asnumpy(), slope(p) * d, rtol=1e-5)


def test_a_union_gives_two_first_derivatives():
    angles = nd.array([0.1, 0.7, 2.0])
    one, two = pair(angles)
    with one | two:
        y = nd.sin(angles)
        one.backward(y)
        two.backward(y)
    assert_allclose(angles.grad.asnumpy(), 2 * np.cos(angles.asnumpy()), rtol=1e-6)


def test_a_union_serves_two_sets_of_parameters():
    critic, actor = nd.array([2.0]), nd.array([5.0])
    for_critic, for_actor = GradManager().attach(critic), GradManager().attach(actor)
    with for_critic | for_actor:
        score = critic * actor
        for_critic.backward(score * score)
        for_actor.backward(-score)
    assert (critic.grad.asscalar(), actor.grad.asscalar()) == (2 * 10 * 5, -2)


@pytest.mark.parametrize("swap", [False, True])
def test_members_of_a_union_do_not_see_each_other(swap):
    angles = nd.array([0.1, 0.7, 2.0])
    one, two = pair(angles)
    if swap:
        one, two = two, one
    with one | two:
        slope = two.backward(nd.sin(angles))
        angles.grad = None
        one.backward(slope)
    assert angles.grad is None
