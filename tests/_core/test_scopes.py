"""Context managers are left, whatever is raised and wherever."""

from __future__ import annotations

import threading
import weakref
from contextlib import ExitStack

import pytest

from gluon import autograd, cpu, current_context, nd, nn, npx
from gluon._core.arrays.switch import semantics
from gluon._core.engine.mode import Mode, mode
from gluon._core.errors import AutogradError
from gluon.autodiff import GradManager
from gluon.mxnet.attribute import AttrScope
from gluon.mxnet.name import NameManager, Prefix


class Interrupt(BaseException):
    """What a signal handler raises, as ``KeyboardInterrupt``."""


def inside():
    """Called in the blocks of the programs below; raises where `interrupted` says so."""
    interrupted.left -= 1
    if interrupted.left < 0:
        raise Interrupt


def interrupted(program, place):
    """Run `program` with an exception in its call number `place` of `inside`; whether it came."""
    interrupted.left = place
    try:
        program()
    except Interrupt:
        return True
    return False


X = nd.array([2.0])
MANAGERS = [GradManager().attach(X), GradManager().attach(X)]


def records():
    with autograd.record():
        inside()
        with autograd.pause():
            inside()
        with autograd.predict_mode():
            inside()
        inside()


@autograd.record()
def decorated():
    inside()


def manages():
    with MANAGERS[0]:
        inside()


def manages_two():
    with MANAGERS[0] | MANAGERS[1]:
        inside()


def nests():
    with autograd.record(), MANAGERS[0], autograd.train_mode(), MANAGERS[1]:
        inside()
        MANAGERS[1].release()
        inside()


def differentiates():
    with MANAGERS[0]:
        y = X * X
        inside()
        MANAGERS[0].backward(y)
        inside()


def places():
    with cpu(1), cpu(2):
        inside()


def names():
    with nn.Sequential().name_scope():
        inside()


def mxnets():
    with Prefix("a_"), NameManager(), AttrScope(a="1"):
        inside()


def switches():
    with npx.np_shape(), npx.np_array():
        inside()
        npx.set_np()
        inside()
    with npx.np_default_dtype(), npx.np_shape(False):
        inside()


@npx.use_np
def switched():
    inside()


def state():
    """The current state of everything that the programs change."""
    prefixes = nn.Dense(1, prefix=None).prefix.startswith("dense")
    managed = type(NameManager.current), AttrScope.current.get({}), prefixes
    return mode()[:5], current_context(), managed, semantics()


@pytest.mark.parametrize(
    "program",
    [
        *(records, decorated, manages, manages_two, nests, differentiates, places, names, mxnets),
        *(switches, switched),
    ],
)
def test_an_exception_in_a_block_leaves_nothing_entered(program):
    before = state()
    assert before[0] == Mode()[:5]
    place = 0
    while interrupted(program, place):
        assert not autograd.is_recording(), place
        for manager in MANAGERS:
            with manager:  # never "already recording"
                pass
        assert state() == before, place
        place += 1
    assert place > 0


def test_a_scope_left_before_one_inside_it_is_an_error_and_ends_both():
    outer, inner = autograd.record(), autograd.record()
    outer.__enter__()
    inner.__enter__()
    with pytest.raises(AutogradError, match="left before another one that was entered inside it"):
        outer.__exit__(None, None, None)
    assert not autograd.is_recording()
    inner.__exit__(None, None, None)
    assert not autograd.is_recording()
    assert not autograd.is_training()


def test_scopes_of_generators_left_in_the_wrong_order_are_an_error():
    def scoped():
        with autograd.record():
            yield

    one, two = scoped(), scoped()
    next(one)
    next(two)
    with pytest.raises(AutogradError, match="reverse order"):
        list(one)
    assert not autograd.is_recording()
    assert list(two) == []
    assert mode()[:5] == Mode()[:5]


def test_a_scope_that_is_not_entered_cannot_be_left():
    with pytest.raises(AutogradError, match="not entered here"):
        autograd.record().__exit__(None, None, None)
    scope = autograd.record()
    scope.__enter__()
    failed = []

    def leave():
        try:
            scope.__exit__(None, None, None)
        except AutogradError as error:
            failed.append(error)

    thread = threading.Thread(target=leave)
    thread.start()
    thread.join()
    assert failed
    assert autograd.is_recording()
    scope.__exit__(None, None, None)
    assert not autograd.is_recording()


def test_an_error_on_its_way_is_not_replaced_by_that_of_the_order():
    outer, inner = autograd.record(), autograd.pause()

    def fail():
        with outer:
            inner.__enter__()
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert mode()[:5] == Mode()[:5]


def test_one_scope_is_entered_again_inside_itself_and_by_exit_stacks():
    scope = autograd.record()
    with scope, autograd.pause(), scope:
        assert autograd.is_recording()
    assert not autograd.is_recording()
    with ExitStack() as stack:
        stack.enter_context(scope)
        stack.enter_context(autograd.pause())
        assert not autograd.is_recording()
        stack.enter_context(scope)
        assert autograd.is_recording()
    assert not autograd.is_recording()


def test_threads_share_a_scope():
    scope, seen = autograd.record(), []
    inside, done = threading.Event(), threading.Event()

    def enter():
        with scope:
            inside.set()
            done.wait(10)
            seen.append(autograd.is_recording())

    thread = threading.Thread(target=enter)
    thread.start()
    inside.wait(10)
    with scope:
        done.set()
        thread.join()
        assert autograd.is_recording()
    assert seen == [True]
    assert not autograd.is_recording()


@pytest.mark.usefixtures("no_cycle_collector")
def test_a_scope_is_freed_when_it_is_left():
    scope = autograd.record()
    left = weakref.ref(scope)
    with scope:
        pass
    del scope
    assert left() is None
