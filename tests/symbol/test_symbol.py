"""`autograd.get_symbol`: the recorded history as a Symbol."""

import json

import numpy as np
import pytest

from gluon import autograd, nd
from gluon._core.errors import AutogradError
from gluon.autodiff import GradManager


@pytest.fixture
def recorded():
    """``z`` from a variable ``x`` and a constant ``w``, with its symbol."""
    x, w = nd.array([1, 2]), nd.array([3, 4])
    x.attach_grad()
    with autograd.record():
        z = nd.exp(x * 2 + w) * x / 3
    return x, w, z, autograd.get_symbol(z)


def test_lists_arguments_in_the_order_of_computation(recorded):
    symbol = recorded[3]
    assert symbol.list_arguments() == symbol.list_inputs() == ["var0", "var1"]
    assert symbol.list_auxiliary_states() == []


def test_arguments_nobody_tracked_stand_where_the_operator_takes_them():
    w, b = nd.ones((4, 3)), nd.ones((4,))
    w.attach_grad()
    b.attach_grad()
    with autograd.record():
        y = nd.FullyConnected(nd.ones((2, 3)), w, b, num_hidden=4)
    shapes = autograd.get_symbol(y).argument_shapes()
    assert list(shapes.items()) == [("var0", None), ("var1", (4, 3)), ("var2", (4,))]


def test_names_the_output_after_the_last_step(recorded):
    symbol = recorded[3]
    assert symbol.name == "node_4"
    assert symbol.list_outputs() == ["node_4_output"]


def test_internals_have_every_step_as_output(recorded):
    x, w, _, symbol = recorded
    internals = symbol.get_internals()
    assert internals.list_outputs() == [
        "var0",
        "node_0_output",
        "var1",
        "node_1_output",
        "node_2_output",
        "node_3_output",
        "node_4_output",
    ]
    assert len(internals) == 7
    (inner,) = internals["node_1_output"].eval(var0=x, var1=w)
    np.testing.assert_array_equal(inner.asnumpy(), [5, 8])
    with pytest.raises(ValueError, match="no output 'nothing'"):
        internals["nothing"]


def test_eval_recomputes_the_value_and_takes_new_arguments(recorded):
    x, w, z, symbol = recorded
    np.testing.assert_array_equal(symbol.eval(var0=x, var1=w)[0].asnumpy(), z.asnumpy())
    (other,) = symbol.eval(var0=nd.array([0, 3]), var1=nd.array([5, -6]))
    np.testing.assert_allclose(other.asnumpy(), [0, 1], rtol=1e-6)


def test_eval_says_which_arguments_it_wants(recorded):
    x, _, _, symbol = recorded
    with pytest.raises(ValueError, match="arguments are var0, var1; got var0"):
        symbol.eval(var0=x)
    with pytest.raises(TypeError, match="var1 is list"):
        symbol.eval(var0=x, var1=[1, 2])


def test_eval_records_nothing(recorded):
    x, w, _, symbol = recorded
    with autograd.record():
        (again,) = symbol.eval(var0=x, var1=w)
    with pytest.raises(AutogradError):
        again.backward()


def test_json_has_the_form_of_mxnet(recorded):
    graph = json.loads(recorded[3].tojson())
    assert [node["op"] for node in graph["nodes"]] == [
        "null",
        "_mul_scalar",
        "null",
        "broadcast_add",
        "exp",
        "broadcast_mul",
        "_div_scalar",
    ]
    assert graph["nodes"][1]["attrs"] == {"scalar": "2.0"}
    assert graph["nodes"][3]["inputs"] == [[1, 0, 0], [2, 0, 0]]
    assert graph["arg_nodes"] == [0, 2]
    assert graph["heads"] == [[6, 0, 0]]
    assert graph["node_row_ptr"] == list(range(8))
    assert graph["attrs"]["mxnet_version"] == ["int", 10901]


def test_several_outputs_numbers_and_joined_arrays():
    x = nd.array([[1, 2, 3, 4]])
    x.attach_grad()
    with autograd.record():
        a, b = nd.split(x, 2, axis=1)
        z = nd.concat(nd.where(a > 1, a * b, 3 - b), nd.stack(a, b, axis=1).sum(axis=2), dim=1)
    symbol = autograd.get_symbol(z)
    assert symbol.list_arguments() == ["var0", "var1"]
    assert {"node_0_output0", "node_0_output1"} <= set(symbol.get_internals().list_outputs())
    np.testing.assert_array_equal(symbol.eval(var0=a > 1, var1=x)[0].asnumpy(), z.asnumpy())
    split = next(node for node in json.loads(symbol.tojson())["nodes"] if node["name"] == "node_0")
    assert split["attrs"] == {"num_outputs": "2", "axis": "1"}


def test_a_function_of_the_user_is_one_step():
    class Double(autograd.Function):
        def forward(self, x):
            return x * 2

        def backward(self, dy):
            return dy * 2

    x = nd.array([1, 2])
    x.attach_grad()
    with autograd.record():
        y = Double()(x)
    symbol = autograd.get_symbol(y)
    assert repr(symbol) == "<Symbol node_0>"
    assert "Op:Double, Name=node_0" in symbol.debug_str()
    np.testing.assert_array_equal(symbol.eval(var0=nd.array([4]))[0].asnumpy(), [8])


def test_a_long_history_shows_its_name_alone():
    x = nd.array([1])
    x.attach_grad()
    with autograd.record():
        y = x
        for _ in range(20_000):
            y = nd.sin(y)
    symbol = autograd.get_symbol(y)
    assert repr(symbol) == "<Symbol node_19999>"
    assert repr(symbol.get_internals()["var0"]) == "<Symbol var0>"


def test_an_array_that_a_manager_watches_on_the_way_is_a_copy():
    x = nd.array([2])
    with GradManager().attach(x) as manager:
        y = x * 3
        manager.attach(y)
        symbol = autograd.get_symbol(y * x)
    assert symbol.list_arguments() == ["var0"]
    assert '"op": "_copy"' in symbol.tojson()
    assert symbol.eval(var0=x)[0].item() == 12
    outputs = "var0, node_0, node_1, node_2"
    assert repr(symbol.get_internals()) == f"<Symbol group [{outputs}]>"


def test_symbol_of_a_variable_is_that_argument():
    x = nd.array([1])
    x.attach_grad()
    symbol = autograd.get_symbol(x)
    assert symbol.list_arguments() == symbol.list_outputs() == ["var0"]


def test_errors_say_why_there_is_no_history(recorded):
    z = recorded[2]
    with pytest.raises(AutogradError, match=r"shape \(3,\).*outside autograd.record"):
        autograd.get_symbol(nd.ones((3,)))
    with pytest.raises(TypeError, match="give an NDArray, not int"):
        autograd.get_symbol(3)
    z.backward()
    with pytest.raises(AutogradError, match=r"shape \(.*\): .* released by an earlier backward"):
        autograd.get_symbol(z)
