"""The recording state is one immutable value, which is replaced, and restored after any error."""

from __future__ import annotations

import pytest

from gluon import autograd, nd
from gluon._core.engine.mode import Mode, mode

SCOPES = {
    "record": (autograd.record, (True, True)),
    "record(False)": (lambda: autograd.record(train_mode=False), (True, False)),
    "pause": (autograd.pause, (False, False)),
    "pause(True)": (lambda: autograd.pause(train_mode=True), (False, True)),
    "train_mode": (autograd.train_mode, (None, True)),
    "predict_mode": (autograd.predict_mode, (None, False)),
}


def flags() -> tuple[bool, bool]:
    return autograd.is_recording(), autograd.is_training()


def expected(inner: str, outside: tuple[bool, bool]) -> tuple[bool, bool]:
    recording, training = SCOPES[inner][1]
    return (outside[0] if recording is None else recording, training)


@pytest.mark.parametrize("inner", SCOPES)
@pytest.mark.parametrize("outer", SCOPES)
def test_scopes_nest_and_restore(outer, inner):
    with SCOPES[outer][0]():
        outside = expected(outer, (False, False))
        assert flags() == outside
        with SCOPES[inner][0]():
            assert flags() == expected(inner, outside)
        assert flags() == outside
    assert mode() == Mode()


@pytest.mark.parametrize("name", SCOPES)
def test_a_scope_restores_after_an_error(name):
    with pytest.raises(ZeroDivisionError), SCOPES[name][0]():
        raise ZeroDivisionError
    assert mode() == Mode()


@pytest.mark.parametrize("name", SCOPES)
def test_a_scope_decorates_a_function(name):
    @SCOPES[name][0]()
    def inside(depth: int):
        """Doc."""
        if depth:
            return inside(depth - 1)
        return flags()

    assert inside(0) == inside(3) == expected(name, (False, False))
    assert (inside.__name__, inside.__doc__) == ("inside", "Doc.")
    assert mode() == Mode()


@pytest.mark.parametrize("name", SCOPES)
def test_one_scope_may_be_entered_again_and_again(name):
    scope = SCOPES[name][0]()
    for _ in range(2):
        with scope:
            with scope:
                assert flags() == expected(name, (False, False))
            assert flags() == expected(name, (False, False))
        assert mode() == Mode()


def test_a_generator_that_is_left_half_way_restores():
    def numbers():
        with autograd.record():
            yield 1
            yield 2

    for _ in numbers():
        assert autograd.is_recording()
        break
    assert mode() == Mode()


def test_set_recording_and_set_training_return_the_state_before():
    assert autograd.set_recording(True) is False
    assert autograd.set_recording(True) is True
    assert autograd.set_training(True) is False
    assert flags() == (True, True)
    assert autograd.set_training(False) is True
    assert autograd.set_recording(False) is True
    assert autograd.set_recording(False) is False
    assert flags() == (False, False)


def test_switching_off_and_on_inside_record_keeps_the_graph():
    x = nd.array([2.0])
    x.attach_grad()
    with autograd.record():
        y = x * x
        before = autograd.set_recording(False)
        silent = x * 5
        autograd.set_recording(before)
        z = y * x * silent
    z.backward()
    assert x.grad.asscalar() == 3 * 4 * 10


def test_a_scope_undoes_what_it_changed_itself_and_no_more():
    """As in MXNet: a switch that the scope did not change is not restored."""
    with autograd.record():
        autograd.set_recording(False)
    assert flags() == (False, False)
    with autograd.predict_mode():
        autograd.set_training(True)
    with autograd.record():
        with autograd.train_mode():
            autograd.set_recording(False)
        assert flags() == (False, True)
    with autograd.pause():
        assert autograd.set_recording(True) is False
    assert flags() == (True, True)
    autograd.set_recording(False)
    autograd.set_training(False)


def test_record_inside_pause_records():
    x = nd.array([2.0])
    x.attach_grad()
    with autograd.pause(), autograd.record():
        y = x * x
    y.backward()
    assert x.grad.asscalar() == 4


def test_the_training_flag_during_backward():
    seen = []

    class Look(autograd.Function):
        def forward(self, x):
            return x * 1

        def backward(self, g):
            seen.append(flags())
            return g

    x = nd.array([1.0])
    x.attach_grad()
    for train_mode in (True, False):
        with autograd.record():
            y = Look()(x)
        y.backward(train_mode=train_mode)
        with autograd.record():
            y = Look()(x)
        autograd.grad(y, [x], train_mode=train_mode)
    assert seen == [(False, True)] * 2 + [(False, False)] * 2
