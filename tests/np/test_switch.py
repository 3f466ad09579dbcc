"""`npx.set_np` and related functions: what they switch, where, and for how long."""

from __future__ import annotations

from threading import Thread

import pytest

import gluon
from gluon import np, npx


@pytest.fixture(autouse=True)
def classic_again():
    yield
    npx.reset_np()


def now() -> tuple[bool, bool, bool]:
    return npx.is_np_shape(), npx.is_np_array(), npx.is_np_default_dtype()


def test_set_and_reset():
    assert now() == (False, False, False)
    npx.set_np()
    assert now() == (True, True, False)
    npx.set_np(dtype=True)
    assert now() == (True, True, True)
    npx.set_np(array=False)
    assert now() == (True, False, False)
    npx.reset_np()
    assert now() == (False, False, False)
    with pytest.raises(ValueError, match="need shape=True"):
        npx.set_np(shape=False)
    assert now() == (False, False, False)


def test_another_thread_begins_with_the_classic_interface():
    npx.set_np()
    found = []
    thread = Thread(target=lambda: found.append(now()))
    thread.start()
    thread.join()
    assert found == [(False, False, False)]


def test_blocks_nest_and_end_with_errors():
    with npx.np_shape(), npx.np_array():
        assert now() == (True, True, False)
        with npx.np_array(False):
            assert now() == (True, False, False)
        assert now() == (True, True, False)
    with pytest.raises(KeyError), npx.np_default_dtype():
        raise KeyError
    assert now() == (False, False, False)
    assert (npx.set_np_shape(True), npx.set_np_shape(False)) == (False, True)
    assert (npx.set_np_default_dtype(True), npx.set_np_default_dtype(False)) == (False, True)


@npx.use_np
class Everywhere:
    def __init__(self):
        self.seen = [now()]

    def __call__(self):
        return now()

    @property
    def found(self):
        return now()

    @staticmethod
    def static():
        return now()

    @classmethod
    def own(cls):
        return now()


def test_decorated_functions_and_classes():
    one = Everywhere()
    assert [*one.seen, one(), one.found, one.static(), one.own()] == [(True, True, False)] * 5
    assert Everywhere.__name__ == "Everywhere"
    assert npx.use_np(now)() == (True, True, False)
    assert npx.use_np_shape(now)() == (True, False, False)
    assert npx.use_np_array(now)() == (False, True, False)
    assert npx.use_np_default_dtype(now)() == (False, False, True)
    assert now() == (False, False, False)
    assert npx.use_np(now).__name__ == "now"
    with pytest.raises(TypeError, match="decorates classes and functions, not int"):
        npx.use_np(3)


def test_default_dtypes():
    def dtypes():
        made = (
            np.array([1]),
            np.array([1.5]),
            np.arange(3),
            np.arange(1.5),
            np.zeros(2),
            np.eye(2),
        )
        made += (np.linspace(0, 1, 3), np.full(2, 3), np.full(2, 1.5), np.ones(2, "int32") / 2)
        return [str(x.dtype) for x in made]

    assert dtypes() == ["float32"] * 10
    npx.set_np(dtype=True)
    assert dtypes() == [
        *("int64", "float64", "int64", "float64", "float64"),
        *("float64", "float64", "int64", "float64", "float64"),
    ]


def test_the_package_has_both_namespaces():
    assert gluon.np is np
    assert gluon.npx is npx
    assert gluon.nd.np is np
    assert gluon.nd.npx is npx
