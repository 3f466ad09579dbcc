"""Executors, modules and symbol blocks as programs: the same as call by call."""

from __future__ import annotations

import numpy as np
import pytest

import gluon
from gluon import autograd, io, module, nd, sym
from gluon._core.program import loops

needs_library = pytest.mark.skipif(not loops.READABLE, reason="programs need the library")


@pytest.fixture(params=["1", "0"])
def switch(request, monkeypatch) -> str:
    """Programs switched on, and off."""
    monkeypatch.setenv("GLUON_PROGRAM", request.param)
    return request.param


@pytest.fixture
def switched_on(monkeypatch) -> None:
    monkeypatch.setenv("GLUON_PROGRAM", "1")


def dense() -> sym.Symbol:
    x = sym.var("data")
    for k, name in enumerate(("tanh", "relu", "sigmoid")):
        x = sym.FullyConnected(x, num_hidden=8, name=f"fc{k}")
        x = sym.Activation(x, act_type=name, name=name)
    return sym.SoftmaxOutput(sym.FullyConnected(x, num_hidden=3, name="last"), name="softmax")


def pictures() -> sym.Symbol:
    x = sym.Convolution(sym.var("data"), kernel=(3, 3), num_filter=4, name="conv")
    x = sym.Activation(sym.BatchNorm(x, fix_gamma=False, name="norm"), act_type="relu")
    x = sym.Pooling(x, kernel=(2, 2), stride=(2, 2), pool_type="max")
    x = sym.Dropout(sym.Flatten(x), p=0.3)
    return sym.SoftmaxOutput(sym.FullyConnected(x, num_hidden=3, name="last"), name="softmax")


def elementwise() -> sym.Symbol:
    x, y = sym.var("data"), sym.var("scale")
    for k in range(8):
        x = sym.broadcast_mul(sym.tanh(x * 0.7 + k), y)
    return sym.Group([x, sym.sum(x, axis=1)])


def bound(symbol: sym.Symbol, shape: tuple, on: bool, monkeypatch, **options):
    monkeypatch.setenv("GLUON_PROGRAM", "1")
    made = symbol.simple_bind(gluon.cpu(), data=shape, **options)
    made._bound.on = on
    r = np.random.RandomState(0)
    for array in [*made.arg_arrays, *made.aux_arrays]:
        array[:] = np.abs(r.randn(*array.shape)) * 0.3
    if "softmax_label" in made.arg_dict:
        made.arg_dict["softmax_label"][:] = r.randint(3, size=made.arg_dict["softmax_label"].shape)
    return made


def close(found, right) -> None:
    for name, x in found.items():
        y = right[name]
        if y is not None:
            bound = 1e-4 * max(np.abs(y.asnumpy()).max(), 1e-2)
            np.testing.assert_allclose(x.asnumpy(), y.asnumpy(), 1e-4, bound, err_msg=name)


NETS = [
    (dense, (4, 6), {}),
    (dense, (4, 6), {"grad_req": "add"}),
    (dense, (4, 6), {"grad_req": {"fc0_weight": "write", "data": "add"}}),
    (pictures, (4, 2, 8, 8), {}),
    (elementwise, (5, 7), {"scale": (1, 7)}),
]


@pytest.mark.parametrize(("net", "shape", "options"), NETS)
def test_steps_are_those_of_the_calls(net, shape, options, monkeypatch):
    pair = [bound(net(), shape, on, monkeypatch, **options) for on in (True, False)]
    r = np.random.RandomState(1)
    heads = None
    if net is elementwise:
        heads = [nd.array(r.randn(*one.shape)) for one in pair[0].outputs]
    for k in range(6):
        x = r.randn(*shape).astype("float32")
        for one in pair:
            gluon.random.seed(k)
            one.forward(is_train=True, data=x)
            one.backward(heads)
            for weight, grad in one.grad_dict.items():
                if grad is not None and weight != "data":
                    one.arg_dict[weight][:] -= 0.05 * grad
        program, calls = pair
        close(*[dict(enumerate(one.outputs)) for one in pair])
        for what in ("grad_dict", "aux_dict", "arg_dict"):
            close(getattr(program, what), getattr(calls, what))
        close(*[dict(enumerate(one.forward(data=x))) for one in pair])
    assert not program._bound.calls.why
    if loops.READABLE:
        assert [one.failed for one in program._bound.calls.variants.values()] == ["", ""]
        assert len(program._bound.calls.variants) == 2
    assert not calls._bound.calls.variants


def test_a_read_of_outputs_a_write_and_a_second_backward_pass(monkeypatch):
    found = []
    for on in (True, False):
        one = bound(dense(), (4, 6), on, monkeypatch)
        for k in range(5):
            one.forward(is_train=True, data=np.full((4, 6), (k + 1) / 9, "float32"))
            kept = one.outputs[0]
            before = kept.asnumpy()
            one.backward()
            first = one.grad_dict["fc0_weight"].asnumpy()
            one.arg_dict["fc1_weight"][:] *= 0.9
            one.backward()
            assert not np.allclose(first, one.grad_dict["fc0_weight"].asnumpy(), 1e-4, 0)
            np.testing.assert_array_equal(kept.asnumpy(), before)
        found.append(one)
    close(found[0].grad_dict, found[1].grad_dict)


def test_who_records_does_not_see_an_executor(switch):
    x = nd.ones((4, 6))
    x.attach_grad()
    one = dense().bind(
        gluon.cpu(),
        {"data": x, "softmax_label": nd.zeros(4)}
        | {f"fc{k}_weight": nd.ones((8, 8 if k else 6)) * 0.1 for k in range(3)}
        | {f"fc{k}_bias": nd.zeros(8) for k in range(3)}
        | {"last_weight": nd.ones((3, 8)), "last_bias": nd.zeros(3)},
        args_grad={"fc0_weight": nd.zeros((8, 6))},
    )
    for _ in range(5):
        with autograd.record():
            y = one.forward(is_train=True)[0] * 2
            with pytest.raises(gluon.errors.AutogradError):
                y.backward()
            one.backward()
    assert np.abs(one.grad_dict["fc0_weight"].asnumpy()).max() >= 0
    assert not x.grad.asnumpy().any()


def test_a_state_that_is_replaced(monkeypatch):
    pair = [bound(pictures(), (4, 2, 8, 8), on, monkeypatch) for on in (True, False)]
    for k in range(9):
        for one in pair:
            gluon.random.seed(k)
            if k == 5:
                one.aux_dict["norm_moving_mean"] = nd.ones(4)
            one.forward(is_train=True)
        close(*[one.aux_dict for one in pair])


def test_monitors_hear_of_every_call(switch):
    heard: list[str] = []
    one = dense().simple_bind(gluon.cpu(), data=(4, 6))
    for _ in range(4):
        one.forward(is_train=True)
        one.backward()
    one.set_monitor_callback(lambda name, array: heard.append(name))
    one.forward(is_train=True)
    assert heard[:2] == ["fc0_output", "tanh_output"]
    assert "softmax_output" in heard
    one.backward()
    assert "fc0_backward_output0" in heard
    one.set_monitor_callback(None)
    heard.clear()
    one.forward(is_train=True)
    assert not heard


def test_executors_of_other_shapes_share_arrays(monkeypatch):
    found = []
    for on in (True, False):
        one = bound(dense(), (4, 6), on, monkeypatch)
        other = one.reshape(data=(2, 6), softmax_label=(2,))
        for _ in range(5):
            for each in (one, other):
                each.forward(is_train=True)
                each.backward()
                each.arg_dict["fc0_weight"][:] -= each.grad_dict["fc0_weight"]
        found += [one, other]
    for k in (0, 1):
        close(found[k].arg_dict, found[k + 2].arg_dict)
        close(found[k].grad_dict, found[k + 2].grad_dict)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"normalization": "batch", "grad_scale": 0.5},
        {"normalization": "valid", "use_ignore": True, "ignore_label": 1},
        {"use_ignore": True, "ignore_label": 1},
        {"smooth_alpha": 0.1, "out_grad": True},
        {"preserve_shape": True},
        {"multi_output": True},
    ],
)
@pytest.mark.parametrize("labels", [(0, 1, 2, 1), (-1, 0, 7, 2.9)])
def test_output_layers(options, labels, monkeypatch):
    shape, some = (4, 3), nd.array(labels)
    if "multi_output" in options or "preserve_shape" in options:
        shape, some = (4, 3, 3), nd.stack(some, some, some, axis=1)
    if "valid" in options.values():
        some = nd.abs(some)
    x = sym.sigmoid(sym.tanh(sym.var("data") * 2) + sym.var("data"))
    out = sym.SoftmaxOutput(x, sym.var("softmax_label"), **options)
    found = []
    for on in (True, False):
        one = bound(out, shape, on, monkeypatch, softmax_label=some.shape)
        one.arg_dict["softmax_label"][:] = some
        one.arg_dict["data"][:] = np.random.RandomState(0).randn(*shape)
        for _ in range(5):
            one.forward(is_train=True)
            one.backward(nd.ones(shape) * 3 if "out_grad" in options else None)
        found.append(one)
    close(*[{"y": one.outputs[0], **one.grad_dict} for one in found])


def fitted(**options):
    r = np.random.RandomState(0)
    x, y = r.randn(20, 6).astype("float32"), r.randint(3, size=20)
    batches = io.NDArrayIter(x, y, batch_size=4)
    model = module.Module(dense())
    gluon.random.seed(3)
    model.fit(batches, num_epoch=3, optimizer="adam", initializer=gluon.init.Xavier(), **options)
    return model, batches


def test_modules_fit_predict_and_score(monkeypatch):
    found = []
    for on in ("1", "0"):
        monkeypatch.setenv("GLUON_PROGRAM", on)
        model, batches = fitted(eval_metric="acc")
        values = model.predict(batches).asnumpy(), model.score(batches, "ce")[0][1]
        found.append((model.get_params()[0], *values))
    close(found[0][0], found[1][0])
    np.testing.assert_allclose(found[0][1], found[1][1], 1e-3, 1e-5)
    assert abs(found[0][2] - found[1][2]) < 1e-4


@needs_library
def test_the_executor_of_a_module_is_a_program(switched_on):
    model, _ = fitted()
    (one,) = model._exec_group.execs
    assert "instructions" in one.program()
    assert "fc0" in one.program()


@pytest.mark.parametrize("reads", [False, True])
def test_symbol_blocks(reads, monkeypatch):
    x = sym.var("data")
    out = sym.tanh(sym.FullyConnected(x, num_hidden=4, name="fc"))
    out = sym.broadcast_mul(out, x.mean(axis=1, keepdims=True))
    out = sym.Group([out, sym.sigmoid(out) + 1]) if reads else out
    found = []
    for on in ("1", "0"):
        monkeypatch.setenv("GLUON_PROGRAM", on)
        gluon.random.seed(0)
        net = gluon.SymbolBlock(out, x)
        net.initialize(gluon.init.Normal(1))
        net.hybridize()
        for k in range(5):
            data = nd.array(np.random.RandomState(k).randn(3, 5))
            data.attach_grad()
            with autograd.record():
                results = net(data)
                results = results if reads else [results]
                loss = sum((one * one).sum() for one in results)
            loss.backward()
        grads = {name: one.grad() for name, one in net.collect_params().items()}
        found.append({**grads, "x": data.grad, **dict(enumerate(results))})
        if on == "1" and loops.READABLE:
            assert "fc" in net.program()
            assert "product" in net.program()
    close(*found)


@needs_library
def test_the_instructions_of_an_executor_name_its_nodes(switched_on):
    one = dense().simple_bind(gluon.cpu(), data=(4, 6))
    for _ in range(4):
        one.forward(is_train=True)
        one.backward()
    lines = one.program().splitlines()
    assert any("product" in line and "# fc1" in line for line in lines[:20])
    assert any("product" in line and "# fc1" in line for line in lines[-8:])  # its gradient


def test_a_switch_before_the_executor_is_bound(monkeypatch):
    monkeypatch.setenv("GLUON_PROGRAM", "0")
    one = dense().simple_bind(gluon.cpu(), data=(4, 6))
    for _ in range(4):
        one.forward()
    assert one.program() == "softmax: runs call by call, because of GLUON_PROGRAM=0"


def test_an_error_is_that_of_the_call(switched_on):
    x = sym.var("data")
    y = x
    for _ in range(12):
        y = sym.tanh(y) * 0.5
    one = sym.batch_take(y, sym.var("places"), name="picked").bind(
        gluon.cpu(), {"data": nd.ones((2, 3)), "places": nd.array([0, 1], dtype="int32")}
    )
    for _ in range(5):
        one.forward()
    assert one.outputs[0].shape == (2,)


def test_the_symbol_of_what_a_program_gave(monkeypatch):
    found = []
    for on in ("1", "0"):
        monkeypatch.setenv("GLUON_PROGRAM", on)
        gluon.random.seed(0)
        net = gluon.nn.HybridSequential()
        net.add(gluon.nn.Dense(5, activation="tanh"), gluon.nn.Dropout(0.5), gluon.nn.Dense(3))
        net.initialize()
        net.hybridize()
        loss = gluon.loss.SoftmaxCrossEntropyLoss()
        loss.hybridize()
        for _ in range(5):
            with autograd.record():
                made = net(nd.ones((4, 6)) * 0.3)
                y = loss(made * 2, nd.array([0, 1, 2, 0])).sum()
        assert (type(made._node.op).__name__ == "Pair") == (on == "1")
        symbol = autograd.get_symbol(y)
        found.append((symbol.tojson(), symbol.infer_shape()[1]))
        y.backward()  # the graph is as it was
        found[-1] += (net[0].weight.grad().asnumpy(),)
        with pytest.raises(gluon.errors.AutogradError, match="released"):
            autograd.get_symbol(y)
    assert found[0][:2] == found[1][:2]
    np.testing.assert_allclose(found[0][2], found[1][2], 1e-4, 1e-6)


def test_the_symbol_of_several_results(switched_on):
    class Net(gluon.HybridBlock):
        def hybrid_forward(self, F, x):
            y = F.tanh(x) * F.sigmoid(x)
            return F.exp(y) + 1, F.split(y * y, num_outputs=2, axis=1)[1]

    net = Net()
    net.hybridize()
    x = nd.array(np.random.RandomState(0).randn(2, 4))
    x.attach_grad()
    for _ in range(5):
        with autograd.record():
            one, two = net(x)
            y = two * 3
    value = autograd.get_symbol(y).eval(var0=x)[0]
    np.testing.assert_allclose(value.asnumpy(), y.asnumpy(), 1e-5)
    value = autograd.get_symbol(one).eval(var0=x)[0]
    np.testing.assert_allclose(value.asnumpy(), one.asnumpy(), 1e-5)
