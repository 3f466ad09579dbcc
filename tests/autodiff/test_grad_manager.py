"""GradManager: sessions, callbacks, accumulation, nesting, peers, memory, threads."""

from __future__ import annotations

import asyncio
import sys
import threading
import time
import weakref
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, nullcontext
from functools import reduce
from operator import or_
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

from gluon import autodiff, autograd, nd
from gluon._core.engine.mode import Mode, mode
from gluon._core.engine.node import CREATED, PAUSED, UNTRACKED, Variable
from gluon._core.errors import ArgumentError, AutogradError, DTypeError
from gluon.autodiff import AttachSpec, GradManager


@pytest.fixture
def x():
    return nd.array([1.0, 2.0, 3.0])


def square_sum(x):
    return (x * x).sum()


# ------------------------------------------------------------------------------------ sessions


def test_names():
    assert autodiff.grad_manager.GradManager is GradManager
    assert AttachSpec.__slots__ == ("tensor", "callbacks")


def test_with_returns_the_manager_and_backward_the_gradient(x):
    manager = GradManager().attach(x)
    assert x.grad is None
    with manager as entered:
        grad = manager.backward(square_sum(x))
    assert entered is manager
    assert_allclose(x.grad.asnumpy(), [2, 4, 6])
    assert_allclose(grad.asnumpy(), [2, 4, 6])
    assert x.fresh_grad
    assert type(x.grad) is type(x)
    assert x.grad.dtype == x.dtype


def test_record_and_backward_without_with(x):
    manager = GradManager().attach(x)
    manager.record()
    manager.backward(square_sum(x))
    assert mode() == Mode()
    assert_allclose(x.grad.asnumpy(), [2, 4, 6])


def test_record_while_recording_is_an_error_and_leaves_the_session(x):
    with GradManager().attach(x) as manager:
        y = square_sum(x)
        with pytest.raises(AutogradError, match="already recording"):
            manager.record()
        with pytest.raises(AutogradError, match="already recording"), manager:
            pass
        manager.backward(y)
    assert_allclose(x.grad.asnumpy(), [2, 4, 6])


def test_backward_without_a_session_names_the_way_out(x):
    manager = GradManager().attach(x)
    with pytest.raises(AutogradError, match=r"^no computation history.*record\(\).*with"):
        manager.backward(square_sum(x))
    with manager:
        y = square_sum(x)
        manager.backward(y)
        with pytest.raises(AutogradError, match=r"^no computation history"):
            manager.backward(y)
    assert_allclose(x.grad.asnumpy(), [2, 4, 6])


def test_release_ends_the_session_and_is_harmless_otherwise(x):
    manager = GradManager().attach(x)
    manager.release()
    manager.record()
    y = square_sum(x)
    manager.release()
    manager.release()
    assert mode() == Mode()
    assert x._node.tapes == ()
    with pytest.raises(AutogradError, match="no computation history"):
        manager.backward(y)
    assert x.grad is None


def test_nothing_is_recorded_outside_a_session(x):
    manager = GradManager().attach(x)
    y = square_sum(x)
    with manager:
        manager.backward(y)
    assert x.grad is None


@pytest.mark.parametrize("nothing", [[], ()])
def test_backward_of_nothing_only_releases(x, nothing):
    with GradManager().attach(x) as manager:
        assert manager.backward(nothing) is None
        assert mode() == Mode()
    assert x.grad is None


def test_a_manager_is_reused_and_gradients_add_up(x):
    manager = GradManager().attach(x)
    for _ in range(3):
        with manager:
            manager.backward(square_sum(x))
    assert_allclose(x.grad.asnumpy(), [6, 12, 18])


def test_a_manager_dropped_while_recording_leaves_no_tape(x):
    manager = GradManager().attach(x)
    manager.record()
    y = square_sum(x)
    del manager
    assert mode() == Mode()
    assert x._node.tapes == ()
    assert y.shape == (1,)


# ---------------------------------------------------------------------------- the mode after it


def test_the_blank_says_untracked_while_recording_and_created_after(x):
    assert mode().blank is CREATED
    with GradManager().attach(x) as manager:
        assert mode().blank is UNTRACKED
        with GradManager().attach(x):
            pass
        assert mode().blank is UNTRACKED
        manager.backward(square_sum(x))
        assert mode().blank is CREATED


def test_the_blank_in_pause_is_paused_again_after(x):
    with autograd.pause():
        with GradManager().attach(x) as manager, GradManager().attach(x) as inner:
            inner.backward(square_sum(x))
            manager.backward(square_sum(x))
        assert mode().blank is PAUSED
        with GradManager().attach(x) | GradManager().attach(x) as group:
            for member in group.managers:
                member.backward(square_sum(x))
        assert mode().blank is PAUSED
        with autograd.record(), GradManager().attach(x):
            pass
        assert mode().blank is PAUSED
    assert mode() == Mode()


def test_a_manager_works_inside_pause_and_its_outer_does_not_see_it(x):
    outer, inner = GradManager().attach(x), GradManager().attach(x)
    with outer:
        with autograd.pause(), inner:
            inner.backward(square_sum(x))
        slope, x.grad = x.grad, None
        outer.backward(slope)
    assert_allclose(slope.asnumpy(), [2, 4, 6])
    assert x.grad is None


def test_backward_inside_pause_ends_the_session_for_good(x):
    with GradManager().attach(x) as manager:
        y = square_sum(x)
        with autograd.pause():
            manager.backward(y)
            assert mode().blank is PAUSED
        assert mode() == Mode()
    assert_allclose(x.grad.asnumpy(), [2, 4, 6])


def test_scopes_and_sessions_that_overlap(x):
    manager = GradManager().attach(x)
    with autograd.record():
        manager.record()
    assert len(mode().tapes) == 1
    assert mode().blank is UNTRACKED
    y = square_sum(x)
    with autograd.pause():
        pass
    manager.backward(y)
    assert mode() == Mode()
    assert_allclose(x.grad.asnumpy(), [2, 4, 6])


@pytest.mark.parametrize("pauses", [1, 2])
def test_set_recording_brings_back_the_managers_that_are_paused(x, pauses):
    with GradManager().attach(x) as manager:
        with ExitStack() as stack:
            for _ in range(pauses):
                stack.enter_context(autograd.pause())
            silent = x * 5
            autograd.set_recording(True)
            y = x * silent
        assert_allclose(manager.backward(y).asnumpy(), [5, 10, 15])
        autograd.set_recording(False)


@pytest.mark.parametrize("pauses", [0, 1])
def test_set_recording_brings_them_back_in_the_forward_of_a_function(x, pauses):
    class Peek(autograd.Function):
        def forward(self, x):
            autograd.set_recording(True)
            seen.append(manager.backward(x * x))
            autograd.set_recording(False)
            return x

    seen = []
    with GradManager().attach(x) as manager, ExitStack() as stack:
        for _ in range(pauses):
            stack.enter_context(autograd.pause())
        Peek()(x)
        assert not autograd.is_recording()
    assert_allclose(seen[0].asnumpy(), [2, 4, 6])


def test_a_released_session_is_not_brought_back_by_set_recording(x):
    manager = GradManager().attach(x)
    manager.record()
    autograd.set_recording(False)
    manager.release()
    assert mode().held == ()
    autograd.set_recording(True)
    assert [tape.open for tape in mode().tapes] == [True]
    autograd.set_recording(False)


def test_backward_keeps_the_training_flag(x):
    class Look(autograd.Function):
        def forward(self, x):
            return x * 1

        def backward(self, dy):
            seen.append(autograd.is_training())
            return dy

    seen = []
    manager = GradManager().attach(x, lambda _, g: seen.append(autograd.is_training()) or g)
    for training in (True, False):
        with autograd.record(train_mode=training), manager:
            manager.backward(Look()(x))
    assert seen == [True, True, False, False]


class Broken(autograd.Function):
    def forward(self, x):
        return x * 2

    def backward(self, dy):
        raise ZeroDivisionError


def fail_in_forward(manager, x):
    square_sum(x)
    raise ZeroDivisionError


def fail_in_callback(manager, x):
    def callback(tensor, grad):
        raise ZeroDivisionError

    other = nd.array([1.0])
    manager.attach(other, callback)
    manager.backward(square_sum(x) + other)


def fail_in_backward(manager, x):
    manager.backward(Broken()(x))


@pytest.mark.parametrize("fail", [fail_in_forward, fail_in_callback, fail_in_backward])
def test_an_exception_passes_through_and_the_manager_can_be_used_again(x, fail):
    manager = GradManager().attach(x)
    with pytest.raises(ZeroDivisionError), manager:
        fail(manager, x)
    assert mode() == Mode()
    assert x.grad is None
    assert x._node.tapes == ()
    with manager:
        manager.backward(square_sum(x))
    assert_allclose(x.grad.asnumpy(), [2, 4, 6])


def test_an_exception_in_an_inner_manager_leaves_the_outer_recording(x):
    with GradManager().attach(x) as outer:
        with pytest.raises(ZeroDivisionError), GradManager().attach(x) as inner:
            fail_in_backward(inner, x)
        outer.backward(square_sum(x))
    assert_allclose(x.grad.asnumpy(), [2, 4, 6])


# -------------------------------------------------------------------------------------- attach


def test_attach_returns_the_manager_and_takes_any_iterable():
    a, b, c, d = (nd.array([float(k)]) for k in range(4))
    manager = GradManager()
    assert manager.attach(a) is manager
    manager.attach({"b": b}.values()).attach(t for t in (c,)).attach((d, a))
    assert [t.asscalar() for t in manager.attached_tensors()] == [0, 1, 2, 3]


@pytest.mark.parametrize("dtype", ["int32", "int64", "uint8", "bool"])
def test_only_floats_can_be_attached(dtype):
    manager = GradManager()
    with pytest.raises(DTypeError, match=rf"item 1, of shape \(2,\), has dtype {dtype}.*astype"):
        manager.attach([nd.array([1.0]), nd.array([0, 1], dtype=dtype)])
    assert manager.attached_tensors() == []


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "bfloat16"])
def test_every_float_can_be_attached(dtype):
    x = nd.array([1.0, 2.0]).astype(dtype)
    with GradManager().attach(x) as manager:
        manager.backward(x * x)
    assert x.grad.raw.dtype == x.raw.dtype
    assert_allclose(x.grad.raw.astype("float32"), [2, 4])


@pytest.mark.parametrize("thing", [3, "x", [1.0], np.zeros(2), [np.zeros(2)], None])
def test_only_arrays_can_be_attached(thing):
    with pytest.raises(DTypeError, match="attach"):
        GradManager().attach(thing)


@pytest.mark.parametrize("callbacks", [3, [3], [lambda t, g: g, "no"]])
def test_only_callables_can_be_callbacks(x, callbacks):
    manager = GradManager()
    with pytest.raises(DTypeError, match="cannot be called"):
        manager.attach(x, callbacks)
    assert manager.attached_tensors() == []


class Scale(list):
    """A callable object that is also iterable."""

    def __call__(self, tensor, grad):
        return grad * self[0]


@pytest.mark.parametrize(
    "callbacks",
    [Scale([6]), [Scale([2]), Scale([3])], (Scale([2]), Scale([3])), map(Scale, ([2], [3]))],
)
def test_callbacks_are_one_or_any_iterable_of_them(x, callbacks):
    with GradManager().attach(x, callbacks) as manager:
        manager.backward(x * 1)
    assert_allclose(x.grad.asnumpy(), [6, 6, 6])


def test_attach_takes_callbacks_by_either_name(x):
    with GradManager().attach(x, [lambda t, g: g + 1], callback=lambda t, g: g * 2) as manager:
        manager.backward(square_sum(x))
    assert_allclose(x.grad.asnumpy(), [6, 10, 14])


def test_attach_while_recording_counts_from_there_on(x):
    with GradManager() as manager:
        before = x * 10
        manager.attach(x)
        manager.backward([before, x * 2])
    assert_allclose(x.grad.asnumpy(), [2, 2, 2])


def test_the_middle_of_a_computation_can_be_attached(x):
    with GradManager().attach(x) as manager:
        middle = x * x
        manager.attach(middle)
        manager.backward((middle * 3).sum())
    assert_allclose(middle.grad.asnumpy(), [3, 3, 3])
    assert_allclose(x.grad.asnumpy(), [6, 12, 18])
    assert middle._node.edges == ()


def test_several_tensors_several_heads():
    a, b, c = (nd.array([float(k)]) for k in (2, 3, 4))
    with GradManager().attach([a, b, c]) as manager:
        grads = manager.backward([a * b, a * a], [nd.array([10.0]), None])
    assert [g if g is None else g.asscalar() for g in grads] == [34, 20, None]
    assert (a.grad.asscalar(), b.grad.asscalar(), c.grad) == (34, 20, None)


def test_the_same_head_twice_counts_twice(x):
    with GradManager().attach(x) as manager:
        y = x * 3
        manager.backward([y, y])
    assert_allclose(x.grad.asnumpy(), [6, 6, 6])


def test_an_attached_tensor_can_be_the_head(x):
    with GradManager().attach(x) as manager:
        manager.backward(x, nd.array([1.0, 5.0, 9.0]))
    assert_allclose(x.grad.asnumpy(), [1, 5, 9])


def test_a_gradient_does_not_follow_writes_to_the_cotangent(x):
    dy = nd.ones((3,))
    with GradManager().attach(x) as manager:
        manager.backward(x, dy)
    dy *= 100
    assert_allclose(x.grad.asnumpy(), [1, 1, 1])


def test_tensors_that_share_a_cotangent_do_not_share_a_gradient():
    a, b = nd.ones((2,)), nd.ones((2,))
    with GradManager().attach([a, b]) as manager:
        manager.backward(a + b)
    a.grad *= 7
    assert_allclose(b.grad.asnumpy(), [1, 1])


def test_two_handles_on_one_variable_add_once_and_run_both_callbacks(x):
    x.attach_grad()
    other = x.__copy__()
    manager = GradManager().attach(x, lambda t, g: g * 10).attach(other, lambda t, g: g + 1)
    with manager:
        manager.backward(square_sum(x))
    assert_allclose(x.grad.asnumpy(), [21, 41, 61])
    assert x.grad is other.grad


# ----------------------------------------------------------------------------- bad y and dy


@pytest.mark.parametrize(
    ("dy", "error", "match"),
    [
        ([], ArgumentError, "1 y but 0 dy"),
        ([nd.ones((3,))] * 2, ArgumentError, "1 y but 2 dy"),
        (nd.ones((2,)), ArgumentError, r"expected \(3,\), got \(2,\)"),
        (np.ones(3), DTypeError, "ndarray"),
        (1.0, DTypeError, "float"),
    ],
)
def test_a_wrong_dy_is_an_error_and_ends_the_session(x, dy, error, match):
    manager = GradManager().attach(x)
    manager.record()
    with pytest.raises(error, match=match):
        manager.backward(x * x, dy)
    assert mode() == Mode()
    assert x.grad is None


@pytest.mark.parametrize("y", [3.0, np.zeros(2), "y", [None]])
def test_a_wrong_y_is_an_error(x, y):
    with GradManager().attach(x) as manager, pytest.raises(DTypeError, match=r"y\[0\]"):
        manager.backward(y)


def test_dy_of_another_float_dtype_is_cast(x):
    with GradManager().attach(x) as manager:
        manager.backward(x * x, nd.ones((3,), dtype="float64"))
    assert x.grad.dtype == np.float32


def test_a_y_that_was_not_recorded_is_a_constant(x):
    with GradManager().attach(x) as manager:
        assert manager.backward([nd.array([1.0]), x.detach() * 2]) is None
    assert x.grad is None


# ---------------------------------------------------------------------------- accumulation


def test_another_name_for_the_old_gradient_keeps_its_value(x):
    manager = GradManager().attach(x)
    with manager:
        first = manager.backward(square_sum(x))
    old = x.grad
    with manager:
        manager.backward(square_sum(x))
    assert_allclose(old.asnumpy(), [2, 4, 6])
    assert_allclose(first.asnumpy(), [2, 4, 6])
    assert_allclose(x.grad.asnumpy(), [4, 8, 12])


@pytest.mark.parametrize("grad_req", ["write", "add"])
def test_the_buffer_of_attach_grad_stays_the_same_object(x, grad_req):
    x.attach_grad(grad_req)
    buffer = x.grad
    manager = GradManager().attach(x)
    for _ in range(2):
        with manager:
            manager.backward(square_sum(x))
    assert x.grad is buffer
    assert_allclose(buffer.asnumpy(), [4, 8, 12])


def test_grad_can_be_set_and_cleared(x):
    manager = GradManager().attach(x)
    x.grad = nd.array([100.0, 100.0, 100.0])
    with manager:
        manager.backward(square_sum(x))
    assert_allclose(x.grad.asnumpy(), [102, 104, 106])
    x.grad = None
    with manager:
        manager.backward(square_sum(x))
    assert_allclose(x.grad.asnumpy(), [2, 4, 6])


# -------------------------------------------------------------------------------- callbacks


def test_callbacks_run_in_order_of_attachment_and_of_the_list():
    a, b = nd.array([2.0]), nd.array([3.0])
    log = []

    def note(name, factor):
        def callback(tensor, grad):
            log.append((name, tensor is a, grad.asscalar()))
            return grad * factor

        return callback

    manager = GradManager().attach([a, b], [note("f", 10)]).attach([b], note("g", 100))
    with manager:
        grads = manager.backward(a * b)
    assert log == [("f", True, 3), ("f", False, 2), ("g", False, 20)]
    assert (a.grad.asscalar(), b.grad.asscalar()) == (30, 2000)
    assert [g.asscalar() for g in grads] == [30, 2000]


def test_callbacks_of_unreached_tensors_do_not_run(x):
    manager = GradManager().attach(x, lambda t, g: pytest.fail("called"))
    with manager:
        manager.backward(nd.array([1.0]))


@pytest.mark.parametrize(
    ("result", "error", "match"),
    [
        (None, DTypeError, "forgetful returned a NoneType.*return grad"),
        (1.0, DTypeError, "returned a float"),
        (nd.ones((2,)), ArgumentError, r"shape \(2,\) for a tensor of shape \(3,\)"),
    ],
)
def test_what_a_callback_returns_is_checked(x, result, error, match):
    def forgetful(tensor, grad):
        return result

    with GradManager().attach(x, forgetful) as manager, pytest.raises(error, match=match):
        manager.backward(square_sum(x))
    assert x.grad is None


def test_no_gradient_changes_when_a_callback_raises():
    a, b = nd.array([2.0]), nd.array([3.0])
    manager = GradManager().attach(a).attach(b, lambda t, g: None)
    with pytest.raises(DTypeError), manager:
        manager.backward(a * b)
    assert a.grad is None


def test_a_callback_can_attach_and_use_another_manager(x):
    w = nd.array([2.0])
    inner = GradManager()

    def callback(tensor, grad):
        manager.attach(w)
        with inner.attach(w):
            inner.backward(w * w)
        return grad * w.grad

    manager = GradManager().attach(x, callback)
    with manager:
        manager.backward(square_sum(x))
    assert_allclose(x.grad.asnumpy(), [8, 16, 24])
    assert mode() == Mode()
    assert len(manager.attached_tensors()) == 2


def test_a_callback_can_release_the_manager():
    a, b = nd.array([2.0]), nd.array([5.0])
    manager = GradManager()

    def callback(tensor, grad):
        manager.release()
        return grad

    with manager.attach([a, b], callback):
        da, db = manager.backward(a * b)
    assert (a.grad.asscalar(), b.grad.asscalar()) == (da.asscalar(), db.asscalar()) == (5, 2)


def test_an_outer_manager_records_callbacks_and_accumulation(x):
    outer, inner = GradManager().attach(x), GradManager().attach(x, lambda t, g: g * t)
    with outer:
        for _ in range(2):
            with inner:
                inner.backward(square_sum(x))
        total, x.grad = x.grad, None
        outer.backward(total)
    assert_allclose(total.asnumpy(), [4, 16, 36])
    assert_allclose(x.grad.asnumpy(), [8, 16, 24])


# --------------------------------------------------------------------------------- snapshots


def test_gradients_are_with_respect_to_the_snapshot(x):
    with GradManager().attach(x) as manager:
        y = x * x
        x += 10
        z = x * x
        manager.backward(y + z)
    assert_allclose(x.asnumpy(), [11, 12, 13])
    assert_allclose(x.grad.asnumpy(), [2 + 22, 4 + 24, 6 + 26])
    assert type(x._node) is Variable


def test_overwriting_an_attached_tensor_cuts_what_follows(x):
    with GradManager().attach(x) as manager:
        x[:] = 5
        manager.backward(x * x)
    assert_allclose(x.grad.asnumpy(), [0, 0, 0])


@pytest.mark.parametrize("marked", [True, False])
def test_a_tensor_may_be_written_to_unless_record_tracks_it(x, marked):
    if marked:
        x.attach_grad()
    with GradManager().attach(x) as manager:
        with nullcontext() if marked else autograd.record():
            x *= x
        assert_allclose(manager.backward(x).asnumpy(), [2, 4, 6])
    refused = pytest.raises(AutogradError, match="variable") if marked else nullcontext()
    with autograd.record(), refused:
        x *= x


def test_the_latest_version_of_y_is_differentiated(x):
    with GradManager().attach(x) as manager:
        y = x * 1
        y *= x
        y[0] = 0
        manager.backward(y)
    assert_allclose(x.grad.asnumpy(), [0, 4, 6])


def test_a_write_in_pause_does_not_change_the_gradient(x):
    with GradManager().attach(x) as manager:
        y = x * x
        with autograd.pause():
            x[:] = 100
        manager.backward(y)
    assert_allclose(x.asnumpy(), [100, 100, 100])
    assert_allclose(x.grad.asnumpy(), [2, 4, 6])


def test_a_parameter_of_a_thousand_sessions_grows_no_chain(x):
    manager = GradManager().attach(x)
    for k in range(1000):
        with manager:
            if k % 3 == 0:
                x *= 1.0
            loss = square_sum(x)
            if k % 5:
                manager.backward(loss)
        if x.grad is not None:
            x -= 0.001 * x.grad
            x.grad = None
        assert type(x._node) is Variable
        assert (x._node.tapes, x._node.edges) == ((), ())


def test_state_carried_from_session_to_session_grows_no_chain(x):
    state = nd.zeros((3,))
    manager = GradManager().attach(x)
    for _ in range(3):
        with manager:
            state = state * 0.5 + x
    assert state._node.edges[0] is None


# ------------------------------------------------------------------------------------ nesting


def test_the_fourth_derivative_by_four_managers():
    x = nd.array([2.0])
    managers = [GradManager().attach(x) for _ in range(4)]

    def derivative(order):
        if order == 0:
            return x**5
        with managers[order - 1] as manager:
            y = derivative(order - 1)
            x.grad = None
            return manager.backward(y)

    assert_allclose(derivative(4).asnumpy(), [120 * 2.0])


def test_the_inner_manager_does_not_see_the_outer_backward(x):
    outer, inner = GradManager().attach(x), GradManager().attach(x)
    with outer, inner:
        slope = outer.backward(square_sum(x))
        x.grad = None
        inner.backward(slope)
    assert x.grad is None


def test_gradient_penalty():
    x, w = nd.array([1.0, 2.0]), nd.array([3.0])
    outer, inner = GradManager().attach(w), GradManager().attach(x)
    with outer:
        with inner:
            y = (w * x * x).sum()
            inner.backward(y)
        outer.backward(y + (x.grad * x.grad).sum())
    # d/dw [w Σx² + Σ(2wx)²] = Σx² + 8w Σx²
    assert_allclose(w.grad.asnumpy(), [5 + 8 * 3 * 5])


def test_an_outer_manager_that_is_paused_does_not_see_the_backward(x):
    outer, inner = GradManager().attach(x), GradManager().attach(x)
    with outer, inner:
        y = x**3
        with autograd.pause():
            slope = inner.backward(y)
        assert outer.backward(slope) is None


def test_a_head_gradient_passed_on_is_not_the_variable_it_was(x):
    dy, y = nd.ones((3,)), None
    with GradManager().attach(dy) as outer:
        with GradManager().attach(x) as inner:
            inner.backward(x, dy)
        passed = x.grad
        with GradManager().attach(passed) as third:
            third.backward(passed * 3 + dy * 5)
        y = passed * 7
        assert dy.grad is None
        outer.backward(y)
    assert_allclose(passed.grad.asnumpy(), [3, 3, 3])
    assert_allclose(dy.grad.asnumpy(), [7, 7, 7])


def test_an_outer_manager_released_first(x):
    outer, inner = GradManager().attach(x), GradManager().attach(x)
    outer.record()
    inner.record()
    y = square_sum(x)
    outer.release()
    inner.backward(y)
    assert mode() == Mode()
    assert x._node.tapes == ()
    assert_allclose(x.grad.asnumpy(), [2, 4, 6])


# -------------------------------------------------------------------------------------- peers


def test_peers_each_have_their_own_tensors():
    a, b = nd.array([2.0]), nd.array([3.0])
    one, two = GradManager().attach(a), GradManager().attach(b)
    with one | two:
        y = a * b
        two.backward(y)
        one.backward(y)
    assert (a.grad.asscalar(), b.grad.asscalar()) == (3, 2)
    assert mode() == Mode()


def test_three_peers_do_not_see_each_other_and_one_outer_sees_all(x):
    outer = GradManager().attach(x)
    peers = [GradManager().attach(x) for _ in range(3)]
    with outer:
        with peers[0] | peers[1] | peers[2]:
            y = square_sum(x)
            slope = peers[0].backward(y)
            assert peers[1].backward([y, slope]).asnumpy().tolist() == [2, 4, 6]
            peers[2].backward(y)
        total, x.grad = x.grad, None
        outer.backward(total)
    assert_allclose(total.asnumpy(), [6, 12, 18])
    assert_allclose(x.grad.asnumpy(), [6, 6, 6])


def test_peers_do_not_see_each_others_callbacks(x):
    one, two = GradManager().attach(x, lambda t, g: g * t), GradManager().attach(x)
    with one | two:
        y = square_sum(x)
        slope = one.backward(y)
        assert_allclose(slope.asnumpy(), [2, 8, 18])
        assert two.backward(slope) is None


def test_groups_and_managers_combine_on_both_sides():
    a, b, c, d = (GradManager() for _ in range(4))
    assert (a | (b | c)).managers == [a, b, c]
    assert ((a | b) | c).managers == [a, b, c]
    assert ((a | b) | (c | d)).managers == [a, b, c, d]
    for wrong in (3, None):
        with pytest.raises(TypeError):
            a | wrong
        with pytest.raises(TypeError):
            (a | b) | wrong


def test_the_same_manager_twice_is_an_error():
    a, b = GradManager(), GradManager()
    for twice in (lambda: a | a, lambda: (a | b) | a, lambda: b | (a | b)):
        with pytest.raises(ArgumentError, match="twice"):
            twice()


def test_a_group_records_with_all_or_none(x):
    free, busy = GradManager().attach(x), GradManager().attach(x)
    with busy:
        with pytest.raises(AutogradError, match="already recording"), free | busy:
            pytest.fail("entered")
        assert len(mode().tapes) == 1
        busy.backward(square_sum(x))
    with free:
        free.backward(square_sum(x))
    assert_allclose(x.grad.asnumpy(), [4, 8, 12])


def test_an_exception_in_a_group_releases_every_member(x):
    one, two = GradManager().attach(x), GradManager().attach(x)
    with pytest.raises(ZeroDivisionError), one | two:
        fail_in_forward(one, x)
    assert mode() == Mode()
    assert x._node.tapes == ()


# ------------------------------------------------------------------- together with autograd


def test_a_manager_inside_record_is_recorded(x):
    x.attach_grad()
    with autograd.record():
        with GradManager().attach(x) as manager:
            slope = manager.backward((x**3).sum())
        z = slope.sum()
    x.grad[:] = 0
    z.backward()
    assert_allclose(slope.asnumpy(), [3, 12, 27])
    assert_allclose(x.grad.asnumpy(), [6, 12, 18])


def test_record_inside_a_manager_is_recorded(x):
    x.attach_grad()
    with GradManager().attach(x) as manager:
        with autograd.record():
            y = (x**3).sum()
            y.backward()
        slope = x.grad.copy()
        x.grad[:] = 0
        manager.backward(slope)
    assert_allclose(slope.asnumpy(), [3, 12, 27])
    assert_allclose(x.grad.asnumpy(), [6, 12, 18])


def test_both_differentiate_one_graph(x):
    x.attach_grad("add")
    with autograd.record(), GradManager().attach(x) as manager:
        y = square_sum(x)
        manager.backward(y)
    y.backward()
    assert_allclose(x.grad.asnumpy(), [4, 8, 12])


def test_attaching_a_recorded_array_keeps_its_history(x):
    x.attach_grad()
    with autograd.record():
        y = x * x
        with GradManager().attach(y) as manager:
            z = y * 3
            manager.backward(z)
    z.backward()
    assert_allclose(y.grad.asnumpy(), [3, 3, 3])
    assert_allclose(x.grad.asnumpy(), [6, 12, 18])


class Cube(autograd.Function):
    def forward(self, x):
        self.x = x
        return x * x * x

    def backward(self, dy):
        return dy * 3 * self.x * self.x


def test_a_custom_function_under_two_managers(x):
    outer, inner = GradManager().attach(x), GradManager().attach(x)
    with outer:
        with inner:
            slope = inner.backward(Cube()(x))
        x.grad = None
        outer.backward(slope)
    assert_allclose(slope.asnumpy(), [3, 12, 27])
    assert_allclose(x.grad.asnumpy(), [6, 12, 18])


def test_a_custom_function_under_two_peers(x):
    one, two = GradManager().attach(x), GradManager().attach(x)
    with one | two:
        y = Cube()(x)
        one.backward(y)
        two.backward(y)
    assert_allclose(x.grad.asnumpy(), [6, 24, 54])


# ------------------------------------------------------------------------------------- memory


@pytest.mark.usefixtures("no_cycle_collector")
class TestMemory:
    def test_attached_tensors_are_held_weakly(self, x):
        kept, dropped = nd.array([1.0]), nd.array([2.0])
        manager = GradManager().attach([dropped, kept])
        spec = manager._specs[id(dropped)]
        gone = weakref.ref(dropped)
        assert spec.tensor() is dropped
        del dropped
        assert gone() is None
        assert spec.tensor() is None
        assert [t is kept for t in manager.attached_tensors()] == [True]
        assert len(manager._specs) == 1

    def test_a_tensor_that_is_freed_while_they_are_listed(self):
        """Free the manager between any two lines, as another thread could."""
        tensors = [nd.ones((1,)) for _ in range(6)]
        manager = GradManager().attach(tensors)

        def free_one(frame, event, argument):
            if tensors:
                tensors.pop()
            return free_one

        before = sys.gettrace()
        sys.settrace(free_one)
        try:
            found = manager.attached_tensors()
        finally:
            sys.settrace(before)
        assert all(isinstance(tensor, nd.NDArray) for tensor in found)
        assert len(tensors) < 6

    @pytest.mark.parametrize("end", ["backward", "release"])
    def test_a_temporary_tensor_lives_as_long_as_the_session(self, x, end):
        manager = GradManager().attach(x)
        with manager:
            temporary = x * 2
            manager.attach(temporary, lambda t, g: g)
            y, gone = temporary * temporary, weakref.ref(temporary)
            del temporary
            assert gone() is not None
            if end == "backward":
                manager.backward(y)
                assert gone() is None
        assert gone() is None
        assert len(manager._specs) == 1

    def test_the_manager_is_freed_with_its_specs(self, x):
        manager = GradManager().attach(x, lambda t, g: g)
        with manager:
            manager.backward(square_sum(x))
        gone = weakref.ref(manager)
        del manager
        assert gone() is None

    def test_after_backward_only_y_lives(self, x):
        with GradManager().attach(x) as manager:
            middle = x.exp()
            kept = weakref.ref(middle.raw)
            y = middle * middle
            del middle
            assert kept() is not None
            manager.backward(y)
            assert kept() is None
        assert y.shape == (3,)

    @pytest.mark.parametrize("release", [True, False])
    def test_a_graph_dropped_without_backward_is_freed_at_once(self, x, release):
        with GradManager().attach(x) as manager:
            middle = x.exp()
            kept = weakref.ref(middle.raw)
            y = middle * middle
            del middle
            if release:
                manager.release()
            assert kept() is not None
            del y
            assert kept() is None

    def test_an_attached_intermediate_keeps_no_history_after_release(self, x):
        with GradManager().attach(x) as manager:
            early = x.exp()
            kept = weakref.ref(early.raw)
            middle = early * early
            manager.attach(middle)
            del early
            manager.release()
        assert kept() is None
        assert middle._node.tapes == ()

    @pytest.mark.parametrize("finish", [True, False])
    @pytest.mark.parametrize("marked", [True, False])
    def test_a_recorded_gradient_is_no_cycle_after_the_outer_session(self, finish, marked):
        x = nd.array([1.0, 2.0])
        if marked:
            x.attach_grad()
        outer, inner = GradManager().attach(x), GradManager().attach(x)
        with outer:
            with inner:
                middle = x.exp()
                kept = weakref.ref(middle.raw)
                inner.backward(middle * x)
                del middle
            if finish:
                outer.backward(x * 2)
        variable, grad = weakref.ref(x), weakref.ref(x.grad)
        assert kept() is None
        del x
        assert variable() is None
        assert grad() is None

    @pytest.mark.parametrize("managers", [1, 2])
    @pytest.mark.parametrize("ambient", [True, False])
    def test_the_recorded_gradient_of_an_intermediate_is_no_cycle(self, managers, ambient):
        x = nd.array([1.0, 2.0])
        x.attach_grad()
        outer = autograd.record() if ambient else GradManager().attach(x)
        with outer:
            middle = x * 3
            inner = [GradManager().attach(middle) for _ in range(managers)]
            with reduce(or_, inner):
                y = middle**3
                for one in inner:
                    one.backward(y)
            slope = middle.grad
            if ambient:
                again = autograd.grad(middle.grad, x, retain_graph=True)[0]
                assert_allclose(again.asnumpy(), managers * 54 * x.asnumpy())
        assert_allclose(slope.asnumpy(), managers * 27 * x.asnumpy() ** 2)
        grad = weakref.ref(slope)
        del slope, middle, y
        assert grad() is None

    def test_peers_free_the_graph_when_the_last_has_passed(self, x):
        one, two = GradManager().attach(x), GradManager().attach(x)
        with one | two:
            middle = x.exp()
            kept = weakref.ref(middle.raw)
            y = middle * middle
            del middle
            one.backward(y)
            assert kept() is not None
            two.backward(y)
            assert kept() is None

    def test_an_exception_leaves_nothing_behind(self, x):
        temporary = nd.array([1.0])
        gone = weakref.ref(temporary)
        manager = GradManager().attach(temporary)
        with pytest.raises(ZeroDivisionError) as raised, manager:
            manager.backward(Broken()(temporary))
        del temporary
        # It is freed even while the error, and all frames of its traceback, are alive.
        assert raised.tb is not None
        assert gone() is None


# ------------------------------------------------------------------------- threads and tasks


def descend(target, steps=50):
    """Fit a vector to `target` with its own manager."""
    w = nd.zeros((3,))
    manager = GradManager().attach(w)
    for _ in range(steps):
        with manager:
            manager.backward(square_sum(w - target))
        w -= 0.25 * w.grad
        w.grad = None
    return w


def test_managers_in_threads_are_independent():
    targets = [nd.full((3,), float(k)) for k in range(4)]
    with ThreadPoolExecutor(4) as pool, GradManager():
        for target, w in zip(targets, pool.map(descend, targets)):
            assert_allclose(w.asnumpy(), target.asnumpy(), atol=1e-5)


def other_threads_run(frame, event, argument):
    """A trace function that switches threads before each line where managers share state."""
    if Path(frame.f_code.co_filename).name in ("mark.py", "session.py"):
        time.sleep(0)
        return other_threads_run
    return None


def test_managers_in_threads_share_a_parameter(x):
    count, rounds = 4, 10
    start = threading.Barrier(count)

    def work(_):
        manager = GradManager().attach(x)
        start.wait()
        sys.settrace(other_threads_run)
        for _ in range(rounds):
            with manager:
                manager.backward(square_sum(x))
        sys.settrace(None)

    with ThreadPoolExecutor(count) as pool:
        list(pool.map(work, range(count)))
    assert_allclose(x.grad.asnumpy(), count * rounds * np.array([2, 4, 6]))
    assert x._node.tapes == ()


def test_one_manager_in_two_threads_is_already_recording(x):
    with GradManager().attach(x) as manager, ThreadPoolExecutor(1) as pool:
        with pytest.raises(AutogradError, match="already recording"):
            pool.submit(manager.record).result()
        manager.backward(square_sum(x))
    assert_allclose(x.grad.asnumpy(), [2, 4, 6])


def test_a_session_ended_by_another_thread_leaves_this_one_clean(x):
    with GradManager().attach(x) as manager, ThreadPoolExecutor(1) as pool:
        pool.submit(manager.backward, square_sum(x)).result()
    assert mode() == Mode()
    assert_allclose(x.grad.asnumpy(), [2, 4, 6])


def test_managers_in_tasks_are_independent():
    async def work(k):
        w = nd.array([float(k)])
        with GradManager().attach(w) as manager:
            await asyncio.sleep(0)
            y = w * w
            await asyncio.sleep(0)
            manager.backward(y)
        return w.grad.asscalar()

    async def main():
        return await asyncio.gather(*map(work, range(5)))

    assert asyncio.run(main()) == [0, 2, 4, 6, 8]
    assert mode() == Mode()


def test_a_backward_pass_without_a_gradient_warns():
    x = nd.array([1, 2])
    with GradManager().attach(x) as manager, pytest.warns(UserWarning, match="no y is given"):
        assert manager.backward() is None
    with GradManager() as manager:
        y = x * x
        manager.attach(x)
        with pytest.warns(UserWarning, match=r"call attach\(\) before the computation"):
            manager.backward(y)
