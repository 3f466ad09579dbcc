"""Each cause of a missing gradient has its own message, with the shape and the way out."""

from __future__ import annotations

import pytest

from gluon import GluonError, autograd, nd
from gluon.autodiff import GradManager


@pytest.fixture
def x():
    x = nd.array([1.0, 2.0, 3.0])
    x.attach_grad()
    return x


def never_recorded(x):
    return x * 2


def created(x):
    return nd.ones((3,))


def paused(x):
    with autograd.record(), autograd.pause():
        return x * 2


def switched_off(x):
    with autograd.record():
        autograd.set_recording(False)
        y = x * 2
        autograd.set_recording(True)
    return y


def one_of_two(x):
    return nd.split(nd.concat(x, x, dim=0), 2, axis=0)[0]


def joined(x):
    with autograd.record():
        return nd.concat(nd.ones((1,)), nd.ones((2,)), dim=0)


def untracked(x):
    with autograd.record():
        return nd.ones((3,)) * 2


def released(x):
    with autograd.record():
        y = x.exp()
    y.backward()
    return y


def detached(x):
    with autograd.record():
        return (x * 2).detach()


def flat(x):
    with autograd.record():
        return nd.argmax(x, axis=0) * x.detach()


def null(x):
    y = nd.ones((3,))
    y.attach_grad("null")
    return y


def gradient_of_a_manager(x):
    w = nd.ones((3,))
    with GradManager().attach(w, lambda tensor, grad: grad * 2) as manager:
        return manager.backward(w * x)


def recorded_by_a_manager(x):
    w = nd.ones((3,))
    with GradManager().attach(w):
        return w * x


CAUSES = {
    never_recorded: ("outside autograd.record()", "attach_grad()"),
    created: ("outside autograd.record()", "attach_grad()"),
    gradient_of_a_manager: ("outside autograd.record()", "attach_grad()"),
    one_of_two: ("outside autograd.record()", "attach_grad()"),
    joined: ("nobody tracks", "attach_grad()"),
    paused: ("paused", "pause()"),
    switched_off: ("paused", "set_recording(False)"),
    untracked: ("nobody tracks", "attach_grad()"),
    recorded_by_a_manager: ("GradManager that recorded it has been released", "compute it again"),
    released: ("released by an earlier backward", "retain_graph=True"),
    detached: ("detach()", "array that was detached"),
    null: ("'null'", "attach_grad"),
}


def message(head) -> str:
    with pytest.raises(GluonError) as caught:
        head.backward()
    return str(caught.value)


@pytest.mark.parametrize("cause", CAUSES, ids=lambda cause: cause.__name__)
def test_the_cause_and_the_way_out_are_named(x, cause):
    said = message(cause(x))
    for words in CAUSES[cause]:
        assert words in said


@pytest.mark.parametrize("cause", [*CAUSES, flat], ids=lambda cause: cause.__name__)
def test_the_shape_is_named(x, cause):
    assert "of shape (3,)" in message(cause(x))


def test_different_causes_have_different_messages(x):
    causes = [never_recorded, paused, untracked, released, detached, flat, null]
    assert len({message(cause(x)) for cause in causes}) == len(causes)


def test_an_operator_without_gradient_is_named(x):
    assert "computed by argmax, which has no gradient" in message(flat(x))


@pytest.mark.parametrize("after", [lambda y: y, lambda y: y * 2, nd.exp, lambda y: y.reshape(1)])
def test_an_operator_without_gradient_is_named_after_operators_that_have_one(x, after):
    with autograd.record():
        y = after(nd.argmax(x, axis=0))  # whose positions are cast to float32
    assert "computed by argmax, which has no gradient" in message(y)


def test_a_variable_that_does_not_reach_the_head(x):
    w = nd.ones((2, 2))
    w.attach_grad()
    with autograd.record():
        y = x * 2
    with pytest.raises(
        GluonError, match=r"variable 1 of shape \(2, 2\).*\(3,\).*compute the heads"
    ):
        autograd.grad(y, [x, w])


def test_a_variable_cut_off_by_attach_grad(x):
    with autograd.record():
        y = x * 2
        y.attach_grad()
        z = y * 3
    with pytest.raises(GluonError, match=r"\(3,\).*attach_grad\(\)"):
        autograd.grad(z, [x])


def test_a_variable_cut_off_by_detach(x):
    with autograd.record():
        z = (x * 2).detach() * 3 + nd.zeros((1,))
    assert "nobody tracks" in message(z)
    with autograd.record():
        z = (x * 2).detach() * x
    (g,) = autograd.grad(z, [x])
    assert g.asnumpy().tolist() == [2, 4, 6]


def test_a_variable_that_was_never_marked():
    w = nd.ones((2,))
    x = nd.ones((2,))
    x.attach_grad()
    with autograd.record():
        y = x * w
    with pytest.raises(GluonError, match=r"variable 0 of shape \(2,\).*attach_grad"):
        autograd.grad(y, [w])


def test_a_released_graph_below_a_living_one(x):
    """A released head is no constant; the error names the head, not the released node below."""
    with autograd.record():
        y = x.exp()
        z = y.sum()
        y.backward()
    said = r"shape \(1,\).*'exp' was released.*retain_graph=True"
    with pytest.raises(GluonError, match=said):
        z.backward(retain_graph=True)
    with pytest.raises(GluonError, match=said):
        autograd.grad(z, x)


def test_a_released_graph_extended_later(x):
    with autograd.record():
        y = x.exp()
    y.backward()
    with autograd.record():
        z = y * x
    with pytest.raises(GluonError, match="'exp' was released"):
        z.backward()


def test_every_message_is_one_a_user_can_catch_by_one_name(x):
    for wrong in (
        lambda: x + {},
        lambda: nd.zeros((2,)) + nd.zeros((3,)),
        lambda: x[7],
        lambda: x.reshape((2, 2)),
        lambda: nd.zeros((2,), dtype="complex64"),
        lambda: nd.concat(nd.zeros((2, 3)), nd.zeros((3, 2)), dim=0),
        lambda: autograd.backward([]),
        lambda: x.backward(nd.ones((2,))),
    ):
        with pytest.raises(GluonError):
            wrong()
