"""Symbols: composed, bound, run forwards and backwards, and attributes of all kinds."""

from __future__ import annotations

import pickle
import tracemalloc

import numpy as np
import pytest

from gluon import GluonError, HybridBlock, SymbolBlock, autograd, nd, operator, sym
from gluon.mxnet.attribute import AttrScope
from gluon.mxnet.name import NameManager, Prefix


def network():
    x = sym.var("data")
    x = sym.Convolution(x, kernel=(3, 3), num_filter=4, name="conv")
    x = sym.Activation(sym.BatchNorm(x, name="bn", fix_gamma=False), act_type="tanh")
    x = sym.FullyConnected(sym.Pooling(x, global_pool=True, pool_type="avg"), num_hidden=3)
    return sym.SoftmaxOutput(x, name="softmax")


def filled(executor, seed=0):
    random = np.random.RandomState(seed)
    for name, array in executor.arg_dict.items():
        array[:] = random.uniform(0.1, 1, array.shape)
        if name.endswith("label"):
            array[:] = random.randint(3, size=array.shape)
    return executor


def test_a_bound_network_gives_what_the_functions_give():
    with NameManager():
        ex = filled(network().simple_bind(data=(2, 3, 5, 5)))
    arrays = {name: array.copy() for name, array in {**ex.arg_dict, **ex.aux_dict}.items()}
    for array in arrays.values():
        array.attach_grad()
    a = list(arrays.values())
    with autograd.record():
        y = nd.Convolution(*a[:3], kernel=(3, 3), num_filter=4)
        y = nd.BatchNorm(y, a[3], a[4], a[8], a[9], fix_gamma=False)
        y = nd.Pooling(nd.tanh(y), global_pool=True, pool_type="avg")
        y = nd.SoftmaxOutput(nd.FullyConnected(y, a[5], a[6], num_hidden=3), a[7])
    y.backward()
    (out,) = ex.forward(is_train=True)
    ex.backward()
    np.testing.assert_allclose(out.asnumpy(), y.asnumpy(), rtol=1e-5, atol=1e-6)
    for name, grad in ex.grad_dict.items():
        np.testing.assert_allclose(
            grad.asnumpy(), arrays[name].grad.asnumpy(), rtol=1e-5, atol=1e-6, err_msg=name
        )
    for name, state in ex.aux_dict.items():
        np.testing.assert_allclose(
            state.asnumpy(), arrays[name].asnumpy(), rtol=1e-5, atol=1e-6, err_msg=name
        )
        assert state.asnumpy().any()


@pytest.mark.parametrize("req", ["add", ["add", "null"], {"x": "add"}])
def test_requests(req):
    x, y = sym.var("x"), sym.var("y")
    ex = sym.make_loss(x * y).bind(
        None, [nd.array([2]), nd.array([3])], [nd.array([10]), nd.array([10])], req
    )
    ex.forward(is_train=True)
    ex.backward()
    assert ex.grad_dict["x"].asscalar() == 13
    assert ex.grad_dict["y"].asscalar() == (12 if req == "add" else 10)


def test_a_head_without_gradient_is_an_error_unless_it_is_a_loss():
    ex = (sym.var("x") * 2).simple_bind(x=(2,))
    with pytest.raises(GluonError, match=r"forward\(is_train=True\)"):
        ex.backward(nd.ones((2,)))
    ex.forward(is_train=True)
    with pytest.raises(GluonError, match=r"_mul_scalar.*not a loss.*make_loss"):
        ex.backward()
    ex.backward(nd.array([1, 3]))
    assert ex.grad_arrays[0].asnumpy().tolist() == [2, 6]


def test_prediction_keeps_nothing():
    x = sym.var("x")
    for _ in range(50):
        x = sym.tanh(x * 0.5)
    ex = x.simple_bind(x=(10_000,))
    peaks = []
    for training in (False, True):
        ex.forward(training)
        tracemalloc.start()
        ex.forward(training)
        peaks.append(tracemalloc.get_traced_memory()[1] / 40_000)
        tracemalloc.stop()
    assert peaks[0] < 5  # arrays alive at a time, of 100 results
    assert peaks[1] > 40


def test_reshape_shares_the_parameters():
    ex = filled(network().simple_bind(data=(2, 3, 5, 5)))
    other = ex.reshape(data=(1, 3, 7, 7), softmax_label=(1,), allow_up_sizing=True)
    assert other.arg_dict["conv_weight"] is ex.arg_dict["conv_weight"]
    assert other.forward()[0].shape == (1, 3)
    with pytest.raises(GluonError, match="softmax_label would change"):
        ex.reshape(data=(1, 3, 5, 5))


def test_monitor_sees_every_output():
    seen = []
    ex = network().simple_bind(data=(2, 3, 5, 5))
    ex.set_monitor_callback(lambda name, array: seen.append((name, array.shape)))
    ex.forward()
    assert ("conv_output", (2, 4, 3, 3)) in seen
    assert seen[-1] == ("softmax_output", (2, 3))


def test_copy_params_from():
    ex = network().simple_bind(data=(2, 3, 5, 5))
    ex.copy_params_from({"conv_bias": nd.ones((4,)), "no": nd.ones((1,))}, None, True)
    assert ex.arg_dict["conv_bias"].asnumpy().tolist() == [1] * 4
    with pytest.raises(GluonError, match=r"conv_bias has shape \(4,\).*\(5,\)"):
        ex.copy_params_from({"conv_bias": nd.ones((5,))})


def test_names_and_attributes():
    with NameManager(), Prefix("a_"), AttrScope(lr_mult="2"):
        x = sym.var("x", wd_mult=3)
        y = sym.FullyConnected(x, num_hidden=2)
    assert y.list_arguments() == ["x", "a_fullyconnected0_weight", "a_fullyconnected0_bias"]
    assert x.list_attr() == {
        "__lr_mult__": "2", "lr_mult": "2", "__wd_mult__": "3", "wd_mult": "3"
    }  # fmt: skip
    assert y.attr("num_hidden") == "2"
    assert y.attr("lr_mult") == "2"


def test_composing_by_calling():
    net = sym.exp(sym.var("a"), name="e") + sym.var("b")
    other = net(a=sym.var("c") * 2)
    assert other.list_arguments() == ["c", "b"]
    assert net.list_arguments() == ["a", "b"]
    with pytest.raises(GluonError, match="no variable 'z'"):
        net(z=sym.var("c"))


def test_outputs_are_found_by_number_name_and_slice():
    parts = sym.split(sym.var("x"), num_outputs=3, name="s")
    assert [one.name for one in parts] == ["s"] * 3
    assert parts[1].list_outputs() == parts["s_output1"].list_outputs() == ["s_output1"]
    assert parts[1:].list_outputs() == ["s_output1", "s_output2"]
    group = sym.Group([parts[0], sym.var("y")])
    assert group.list_outputs() == ["s_output0", "y"]
    assert group.get_children().list_outputs() == ["x"]
    with pytest.raises(GluonError, match=r"has 3 outputs"):
        sym.exp(parts)


def test_pickled_and_copied():
    net = network()
    for twin in (pickle.loads(pickle.dumps(net)), net.__copy__()):
        assert twin.tojson() == net.tojson()


def test_what_is_no_symbol_is_refused():
    x = sym.var("x")
    for wrong in (
        lambda: x + "a",
        lambda: sym.exp(1),
        lambda: sym.maximum(1, 2),
        lambda: x.asnumpy(),
    ):
        with pytest.raises(GluonError):
            wrong()
    with pytest.raises(GluonError, match="no argument 'nothing'"):
        sym.exp(x, nothing=1)
    with pytest.raises(GluonError, match="truth value of a Symbol is undefined"):
        bool(x == x)


def test_a_custom_operator():
    class Twice(operator.CustomOp):
        def forward(self, is_train, req, in_data, out_data, aux):
            self.assign(out_data[0], req[0], in_data[0] * 2 + in_data[1])

        def backward(self, req, out_grad, in_data, out_data, in_grad, aux):
            self.assign(in_grad[0], req[0], out_grad[0] * 2)
            self.assign(in_grad[1], req[1], out_grad[0])

    @operator.register("symbol_twice")
    class TwiceProp(operator.CustomOpProp):
        def list_arguments(self):
            return ["data", "shift"]

        def infer_shape(self, in_shape):
            return [in_shape[0], in_shape[0]], [in_shape[0]], []

        def create_operator(self, ctx, shapes, dtypes):
            return Twice()

    y = sym.make_loss(sym.Custom(data=sym.var("x"), op_type="symbol_twice", name="t"))
    y = sym.load_json(y.tojson())
    assert y.list_arguments() == ["x", "t_shift"]
    ex = y.simple_bind(x=(2,))
    ex.forward(is_train=True, x=nd.array([1, 2]))
    ex.backward()
    assert ex.outputs[0].asnumpy().tolist() == [2, 4]
    assert ex.grad_dict["x"].asnumpy().tolist() == [2, 2]


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "int32"])
def test_every_dtype_goes_through_the_graph(dtype):
    x = sym.FullyConnected(sym.exp(sym.var("data")), num_hidden=2, name="fc")
    args, outs, _ = x.infer_type(data=dtype)
    assert [np.dtype(one) for one in (*args, *outs)] == [np.dtype(dtype)] * 4
    assert x.infer_type_partial(fc_weight=dtype)[1] == outs


def test_a_shape_that_is_given_replaces_that_of_the_variable():
    x = sym.tanh(sym.var("x", shape=(2, 5)))
    assert x.infer_shape(x=(7, 3))[1] == [(7, 3)]
    assert x.infer_shape(x=(0, 5))[1] == x.infer_shape()[1] == [(2, 5)]
    with pytest.raises(ValueError, match=r"x is of shape \(\?, 3\), and its attribute says"):
        x.infer_shape(x=(0, 3))


def test_the_shapes_of_a_recorded_history_follow():
    x, w = nd.ones((2, 5)), nd.ones((4, 5))
    x.attach_grad()
    with autograd.record():
        y = nd.split(nd.FullyConnected(x, w, no_bias=True, num_hidden=4), 2)[1]
    found = autograd.get_symbol(y).infer_shape(var0=(3, 5), var1=(6, 5))
    assert found == ([(3, 5), (6, 5)], [(3, 3)], [])


def test_a_custom_operator_with_auxiliary_states(tmp_path):
    class Counted(operator.CustomOp):
        def forward(self, is_train, req, in_data, out_data, aux):
            self.assign(out_data[0], req[0], in_data[0] * in_data[1] + aux[0])
            if is_train:
                aux[0][:] = aux[0] + 1

        def backward(self, req, out_grad, in_data, out_data, in_grad, aux):
            self.assign(in_grad[0], req[0], out_grad[0] * in_data[1])
            self.assign(in_grad[1], req[1], (out_grad[0] * in_data[0]).sum(axis=0))

    @operator.register("symbol_counted")
    class CountedProp(operator.CustomOpProp):
        def list_arguments(self):
            return ["data", "w"]

        def list_auxiliary_states(self):
            return ["count"]

        def infer_shape(self, shapes):
            return [shapes[0], shapes[0][1:]], [shapes[0]], [shapes[0][1:]]

        def create_operator(self, ctx, shapes, dtypes):
            return Counted()

    class Layer(HybridBlock):
        def __init__(self, **kwargs):
            super().__init__(**kwargs)
            self.w = self.params.get("w", shape=(3,), init="ones")
            self.count = self.params.get("count", shape=(3,), init="zeros", grad_req="null")

        def hybrid_forward(self, F, x, w, count):
            return F.Custom(x, w, count, op_type="symbol_counted")

    y = sym.Custom(sym.var("x"), op_type="symbol_counted", name="c")
    assert y.list_auxiliary_states() == ["c_count"]
    ex = y.simple_bind(x=(2, 3))
    ex.arg_dict["x"][:], ex.arg_dict["c_w"][:] = 2, 3
    for _ in range(3):
        ex.forward(is_train=True)
        ex.backward(nd.ones((2, 3)))
    assert ex.outputs[0].asnumpy()[0].tolist() == [8] * 3
    assert ex.aux_dict["c_count"].asnumpy().tolist() == [3] * 3
    assert ex.grad_dict["c_w"].asnumpy().tolist() == [4] * 3
    layer = Layer(prefix="layer_")
    layer.initialize()
    layer.hybridize()
    layer(nd.ones((2, 3)))
    files = layer.export(str(tmp_path / "layer"))
    assert set(nd.load(files[1])) == {"arg:layer_w", "aux:layer_count"}
    again = SymbolBlock.imports(files[0], "data", files[1])
    with autograd.record():
        again(nd.ones((2, 3)))
    assert again.collect_params()["layer_count"].data().asnumpy().tolist() == [1] * 3


def test_dtypes_of_double_precision():
    y = sym.FullyConnected(sym.var("x"), num_hidden=2, name="f") * 2
    assert y.infer_type(x="float64")[0] == [np.float64] * 3


@pytest.mark.parametrize(
    "use",
    [
        lambda symbol, x, y: symbol.bind(None, [x, y]),
        lambda symbol, x, y: SymbolBlock(symbol, [sym.var("a"), sym.var("a")])(x, y),
        lambda symbol, x, y: symbol.infer_shape(x.shape, (1,)),
        lambda symbol, x, y: symbol.infer_type("float32", "int32"),
        lambda symbol, x, y: symbol(sym.var("x"), sym.var("y")),
    ],
)
def test_variables_of_one_name_do_not_lose_what_is_given_by_place(use):
    with pytest.raises(GluonError, match="two variables are named 'a'"):
        use(sym.var("a") * sym.var("a"), nd.ones(2), nd.ones(2) * 3)


def test_variables_of_one_name_take_one_array():
    product, x = sym.var("a") * sym.var("a"), nd.array([2, 3])
    for args in ([x, x], {"a": x}):
        assert product.bind(None, args).forward()[0].asnumpy().tolist() == [4, 9]
    assert product.infer_shape((2,), (2,))[1] == product.infer_shape(a=(2,))[1] == [(2,)]


def test_a_symbol_block_refuses_more_arrays_than_inputs():
    a = sym.var("a")
    with pytest.raises(GluonError, match=r"takes .*'a'.*, not 2 arrays"):
        SymbolBlock(a * 2, [a])(nd.ones(2), nd.ones(2))
