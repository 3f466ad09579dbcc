"""In-place writes: the graph keeps the recorded values, and a copy is made only if needed."""

from __future__ import annotations

import numpy as np
import pytest

from gluon import GluonError, autograd, nd
from gluon.autograd import Function


@pytest.fixture
def x():
    x = nd.array([1.0, 2.0, 3.0])
    x.attach_grad()
    return x


def pointer(array) -> int:
    return array.raw.ctypes.data


WRITES = {
    "x[:] = v": lambda x: x.__setitem__(slice(None), 100),
    "x[i] = v": lambda x: x.__setitem__(1, 100),
    "x += v": lambda x: x.__iadd__(100),
    "x *= array": lambda x: x.__imul__(nd.array([5.0, 6.0, 7.0])),
    "out=x": lambda x: nd.exp(nd.ones((3,)), out=x),
    "copyto": lambda x: nd.zeros((3,)).copyto(x),
    "view": lambda x: x.reshape((3, 1)).__setitem__(0, 100),
    "detach": lambda x: x.detach().__setitem__(0, 100),
    "dlpack": lambda x: nd.from_dlpack(x).__setitem__(..., 100),
}
#: What keeps x, y or the other factor, and its gradient at 1, 2, 3.
GRAPHS = {
    "square": (lambda x: (x * x).sum(), [2, 4, 6]),
    "input kept": (lambda x: x.sin().sum(), np.cos([1, 2, 3])),
    "output kept": (lambda x: x.exp().sum(), np.exp([1, 2, 3])),
    "view kept": (lambda x: (x[1:] * x[:2]).sum(), [2, 4, 2]),
    "reshape kept": (lambda x: (x.reshape((3, 1)) ** 3).sum(), [3, 12, 27]),
    "power": (lambda x: (x**3).sum(), [3, 12, 27]),
}


@pytest.mark.parametrize("write", WRITES)
@pytest.mark.parametrize("graph", GRAPHS)
def test_a_write_after_recording_does_not_change_the_gradient(x, graph, write):
    forward, want = GRAPHS[graph]
    with autograd.record():
        y = forward(x)
    WRITES[write](x)
    assert x.asnumpy().tolist() != [1, 2, 3]
    y.backward()
    np.testing.assert_allclose(x.grad.asnumpy(), want, rtol=1e-6)


@pytest.mark.parametrize("write", WRITES)
def test_a_write_to_a_computed_array_does_not_change_the_gradient(x, write):
    with autograd.record():
        y = x.exp()
        z = (y * y).sum()
    WRITES[write](y)
    z.backward()
    np.testing.assert_allclose(x.grad.asnumpy(), 2 * np.exp([2, 4, 6]), rtol=1e-6)


def test_a_function_sees_the_values_it_saved(x):
    class Square(Function):
        def forward(self, x):
            self.save_for_backward(x)
            return x * x

        def backward(self, g):
            (x,) = self.saved_tensors
            return 2 * x * g

    with autograd.record():
        y = Square()(x).sum()
    x[:] = 50
    y.backward()
    assert x.grad.asnumpy().tolist() == [2, 4, 6]


def test_a_write_without_a_graph_copies_nothing(x):
    before = pointer(x)
    x[:] = 5
    x += 1
    x *= x
    x[0] = 0
    nd.exp(x, out=x)
    assert pointer(x) == before


@pytest.mark.parametrize("whole_alive", [True, False])
def test_a_write_to_views_without_a_graph_copies_nothing(whole_alive):
    whole = nd.zeros((4,))
    views = [whole[1:], whole[:2], whole.reshape((2, 2))]
    before = pointer(whole)
    if not whole_alive:
        del whole
    for k, view in enumerate(views):
        view[0] = k + 1
        assert pointer(views[1]) == before
    assert views[1].asnumpy().tolist() == [3, 3]


def test_a_write_after_backward_copies_nothing(x):
    before = pointer(x)
    with autograd.record():
        y = (x * x).sum()
    y.backward()
    x -= 0.1 * x.grad
    assert pointer(x) == before


def test_a_write_after_the_graph_was_dropped_copies_nothing(x):
    before = pointer(x)
    with autograd.record():
        y = (x * x).sum()
    del y
    x[:] = 0
    assert pointer(x) == before


def test_a_write_copies_when_a_graph_keeps_the_buffer_and_only_once(x):
    before = pointer(x)
    with autograd.record():
        y = (x * x).sum()
    x += 1
    moved = pointer(x)
    x += 1
    assert before != moved == pointer(x)
    y.backward()


def test_a_write_to_an_array_that_the_graph_does_not_keep_copies_nothing(x):
    """The sum of two arrays keeps neither of them."""
    before = pointer(x)
    with autograd.record():
        y = (x + x).sum()
    x += 1
    assert pointer(x) == before
    y.backward()


def test_views_survive_a_copy_on_write_together(x):
    rows, flat = x.reshape((3, 1)), x[0:3]
    with autograd.record():
        y = (x * x).sum()
    flat[1] = -7
    assert x.asnumpy().tolist() == rows.asnumpy().ravel().tolist() == [1, -7, 3]
    x[:] = 4
    assert flat.asnumpy().tolist() == rows.asnumpy().ravel().tolist() == [4, 4, 4]
    y.backward()
    assert x.grad.asnumpy().tolist() == [2, 4, 6]


def test_a_view_in_the_graph_keeps_its_value_when_the_base_is_written(x):
    part = x[1:]
    with autograd.record():
        y = (part * x[1:]).sum()
    x[:] = 9
    assert part.asnumpy().tolist() == [9, 9]
    y.backward()
    assert x.grad.asnumpy().tolist() == [0, 2, 3]


# ------------------------------------------------------------------- in place while recording


@pytest.mark.parametrize(
    ("program", "want"),
    [
        ("y *= y", [4 * n for n in (1, 8, 27)]),
        ("y += x", [3, 5, 7]),
        ("y -= 5", [2, 4, 6]),
        ("y /= x", [1, 1, 1]),
        ("y **= 2", [4 * n for n in (1, 8, 27)]),
        ("y[1:] = x[:2] * 10", [12, 10, 0]),
        ("y[0] = 7", [0, 4, 6]),
        ("y[:] = x", [1, 1, 1]),
        ("y[nd.array([2])] = 0", [2, 4, 0]),
        ("nd.multiply(y, x, out=y)", [3, 12, 27]),
    ],
)
def test_in_place_on_a_recorded_array_is_differentiable(x, program, want):
    names = {"x": x, "nd": nd}
    with autograd.record():
        y = names["y"] = x * x
        exec(program, names)
        assert names["y"] is y
        loss = y.sum()
    loss.backward()
    np.testing.assert_allclose(x.grad.asnumpy(), want, rtol=1e-6)


def test_earlier_uses_keep_the_earlier_value(x):
    with autograd.record():
        y = x * 2
        z = y * y
        y *= 10
        loss = (z + y).sum()
    loss.backward()
    assert x.grad.asnumpy().tolist() == [8 + 20, 16 + 20, 24 + 20]


def test_second_order_through_an_in_place_write(x):
    with autograd.record():
        y = x * x
        y[1:] = x[1:] ** 3
        (dx,) = autograd.grad(y.sum(), [x], create_graph=True)
        loss = dx.sum()
    loss.backward()
    assert x.grad.asnumpy().tolist() == [2, 12, 18]


def test_a_fresh_buffer_filled_with_recorded_values_is_differentiable(x):
    with autograd.record():
        buffer = nd.zeros((2, 3))
        for k in range(2):
            buffer[k] = x * (k + 1)
        loss = (buffer * buffer).sum()
    loss.backward()
    assert x.grad.asnumpy().tolist() == [10, 20, 30]


IN_PLACE = {
    "+=": lambda x: x.__iadd__(1),
    "[...]=": lambda x: x.__setitem__(0, -1),
    "out=": lambda x: nd.exp(x, out=x),
}


@pytest.mark.parametrize("write", IN_PLACE)
def test_in_place_on_a_variable_while_recording_is_an_error_that_names_the_way_out(x, write):
    with autograd.record(), pytest.raises(GluonError, match=r"\(3,\).*pause\(\)"):
        IN_PLACE[write](x)
    assert x.asnumpy().tolist() == [1, 2, 3]
    with autograd.record(), autograd.pause():
        IN_PLACE[write](x)
    assert x.asnumpy().tolist() != [1, 2, 3]


def test_a_recorded_write_through_a_view_reaches_the_array_and_its_other_views(x):
    with autograd.record():
        y = x * x
        tail, table, cut = y[1:], y.reshape((3, 1)), y.detach()
        y[1:] += x[:2]
        tail *= 2
        loss = (y * nd.array([1, 10, 100])).sum() + table.sum() + tail.sum()
    assert y.asnumpy().tolist() == [1, 10, 22]
    assert tail.asnumpy().tolist() == [10, 22]
    assert table.asnumpy().tolist() == [[1], [10], [22]]
    assert cut.asnumpy().tolist() == [1, 10, 22]
    loss.backward()
    # y = (x0², 2 (x1² + x0), 2 (x2² + x1)); weights 1 + 1, 10 + 2, 100 + 2
    assert x.grad.asnumpy().tolist() == [2 * 2 * 1 + 24, 12 * 8 + 204, 102 * 12]
    y[0] = 77
    assert table.asnumpy()[0, 0] == cut.asnumpy()[0] == 77


def test_a_write_through_a_row_makes_an_untracked_array_differentiable(x):
    buffer = nd.zeros((2, 3))
    row = buffer[1]
    with autograd.record():
        row[:] = x * 3
        loss = (buffer * buffer).sum()
    loss.backward()
    assert x.grad.asnumpy().tolist() == [18, 36, 54]


def test_a_recorded_write_that_would_change_a_variable_is_an_error(x):
    view = x[1:]
    with autograd.record(), pytest.raises(GluonError, match=r"variable of shape \(3,\)"):
        view += x[1:]
    assert x.asnumpy().tolist() == [1, 2, 3]


def test_a_recorded_write_reaches_the_views_of_an_array_that_is_gone(x):
    with autograd.record():
        y = x * 2
        first, second = y[:2], y[1:]
        del y
        first *= x[:2]
        loss = (second * second).sum()
    loss.backward()
    assert second.asnumpy().tolist() == [8, 6]
    assert x.grad.asnumpy().tolist() == [0, 2 * 8 * 8, 2 * 6 * 2]


def written(draw, keep):
    """Values and gradients of a drawn program of views and writes that forgets what it can."""
    random = np.random.RandomState(draw)
    x = nd.array(np.arange(1.0, 13).reshape(3, 4))
    x.attach_grad()
    kept = []
    with autograd.record():
        array = x * 1
        for _ in range(3):
            start = random.randint(len(array))
            view = array[start:] if array.ndim == 1 or random.rand() < 0.5 else array[start]
            kept.append(array if keep[len(kept)] else None)
            array = view
            if random.rand() < 0.5:
                array *= float(random.randint(2, 5))
        array += array * array
        loss = (array * array).sum()
    loss.backward()
    return (
        array.asnumpy(),
        x.grad.asnumpy(),
        [None if one is None else one.asnumpy() for one in kept],
    )


@pytest.mark.parametrize("draw", range(40))
def test_what_a_recorded_write_does_never_depends_on_who_else_lives(draw):
    value, grad, all_kept = written(draw, (True, True, True))
    for number in range(7):
        keep = [bool(number >> bit & 1) for bit in range(3)]
        other, other_grad, kept = written(draw, keep)
        np.testing.assert_array_equal(other, value)
        np.testing.assert_array_equal(other_grad, grad)
        for one, same in zip(kept, all_kept):
            assert one is None or np.array_equal(one, same)


@pytest.mark.parametrize("look", [lambda t: t.reshape(-1), lambda t: t.detach(), lambda t: t[0]])
def test_views_of_a_transposed_array_share_with_it_and_not_with_the_source(look):
    source = nd.array([[1, 2, 3], [4, 5, 6]])
    turned = source.T
    view = look(turned)
    turned[:] = 0
    assert source.asnumpy().tolist() == [[1, 2, 3], [4, 5, 6]]
    assert not view.asnumpy().any()
    view[:] = 7
    assert (turned.asnumpy() == 7).any()
    assert source.asnumpy().tolist() == [[1, 2, 3], [4, 5, 6]]


def test_an_array_that_moved_on_is_no_view_of_what_it_was(x):
    base = nd.zeros((3, 1))
    view = base.reshape((1, 3))
    with autograd.record():
        base[:] = nd.ones((3, 1))
    del view
    with autograd.record():
        base += (x.reshape((1, 3)) * 2).T
    flat = base.reshape(-1)
    flat[:] = 5
    assert base.asnumpy().tolist() == [[5], [5], [5]]


def test_what_was_detached_sees_a_recorded_write_and_stays_a_constant(x):
    with autograd.record():
        y = x * 2
        constant = y.detach()
        y *= 3
        z = constant * x
    z.backward()
    assert constant.asnumpy().tolist() == x.grad.asnumpy().tolist() == [6, 12, 18]


def test_an_empty_view_is_no_hindrance(x):
    with autograd.record():
        y = x * 2
        nothing = y[3:]
        y *= 3
    y.backward()
    assert nothing.shape == (0,)
    assert x.grad.asnumpy().tolist() == [6, 6, 6]


def test_a_view_that_was_rebound_alone_has_views_of_its_own(x):
    with autograd.record():
        whole = x * 2
        view = whole[1:]
        del whole
        view *= 3
        part = view[:1]
        view *= 5
        y = part + view.sum()
    y.backward()
    assert part.asnumpy().tolist() == [60]
    assert x.grad.asnumpy().tolist() == [0, 60, 30]


def test_a_loop_of_updates_as_in_training(x):
    """A parameter remains the same object, with the same buffer and mark."""
    before = pointer(x)
    for _ in range(3):
        with autograd.record():
            loss = ((x - 1) ** 2).sum()
        loss.backward()
        x -= 0.5 * x.grad
    np.testing.assert_allclose(x.asnumpy(), [1, 1, 1])
    assert pointer(x) == before
