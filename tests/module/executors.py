"""What executors compute and keep, in programs that run on MXNet 1.9.1 and on gluon alike."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tests.module.programs import drawn


def network(mx):
    """A convolution and its relatives, without a loss."""
    x = mx.sym.Convolution(mx.sym.Variable("data"), kernel=(3, 3), num_filter=2, name="conv")
    x = mx.sym.BatchNorm(x, name="bn", fix_gamma=False)
    x = mx.sym.Flatten(mx.sym.Activation(x, act_type="tanh", name="act"), name="flat")
    return mx.sym.FullyConnected(x, num_hidden=3, name="fc")


def filled(mx, symbol, grad_req="write", **shapes):
    """An executor whose arguments are drawn."""
    bound = symbol.simple_bind(mx.cpu(), grad_req=grad_req, **shapes)
    for seed, name in enumerate(symbol.list_arguments()):
        bound.arg_dict[name][:] = mx.nd.array(drawn(*bound.arg_dict[name].shape, seed=seed))
    return bound


def backward_again(mx) -> list:
    """More than one backward pass after a forward pass, of each mode.

    MXNet reuses the arrays of longer networks, which makes its second gradients wrong.
    """
    found = []
    x = mx.sym.FullyConnected(mx.sym.Variable("x"), num_hidden=2, name="f")
    for req in ("write", "add"):
        for training in (True, False):
            bound = filled(mx, x, req, x=(2, 3))
            bound.forward(is_train=training)
            for seed in range(3):
                bound.backward(mx.nd.array(drawn(2, 2, seed=seed)))
                found += [bound.grad_dict[name].copy() for name in ("x", "f_weight")]
                found += [bound.outputs[0].copy()]
    return found


def other_shapes(mx) -> list:
    """Executors of other shapes have the old values, and share memory."""
    found = []
    x = mx.sym.Variable("x")
    net = mx.sym.BatchNorm(mx.sym.FullyConnected(x, num_hidden=4, name="f"), name="bn")
    for shape, more in (
        ((3, 4), {}),
        ((5, 4), {}),
        ((3, 3), {"partial_shaping": True}),
        ((7, 4), {"allow_up_sizing": True}),
    ):
        old = filled(mx, net, x=(5, 4))
        old.aux_dict["bn_moving_mean"][:] = 7
        old.forward(is_train=True)
        old.backward(mx.nd.array(drawn(5, 4)))
        new = old.reshape(x=shape, **more)
        found += [new.arg_dict["f_weight"].copy(), new.aux_dict["bn_moving_mean"].copy()]
        if shape != (7, 4):  # larger arrays have no values yet
            found += [new.arg_dict["x"].copy(), new.grad_dict["x"].copy()]
        new.arg_dict["x"][:], new.arg_dict["f_weight"][:] = 9, 3
        found += [old.arg_dict["x"], old.arg_dict["f_weight"]]
        new.forward(is_train=True)
        new.backward(mx.nd.array(drawn(shape[0], 4)))
        found += [new.outputs[0], old.grad_dict["x"], new.grad_dict["x"]]
    return found


def heads(mx) -> list:
    """Outputs beside a loss that need no gradient, and a loss of one's own."""

    class Softmax(mx.operator.CustomOp):
        def forward(self, is_train, req, in_data, out_data, aux):
            self.assign(out_data[0], req[0], mx.nd.softmax(in_data[0]))

        def backward(self, req, out_grad, in_data, out_data, in_grad, aux):
            self.assign(in_grad[0], req[0], out_data[0] - mx.nd.one_hot(in_data[1], 3))

    class Prop(mx.operator.CustomOpProp):
        def __init__(self):
            super().__init__(need_top_grad=False)

        def list_arguments(self):
            return ["data", "label"]

        def infer_shape(self, in_shape):
            return [in_shape[0], (in_shape[0][0],)], [in_shape[0]], []

        def create_operator(self, ctx, shapes, dtypes):
            return Softmax()

    mx.operator.register("softmax_without_heads")(Prop)
    fc = mx.sym.FullyConnected(mx.sym.Variable("data"), num_hidden=3, name="fc")
    own = mx.sym.Custom(fc, name="softmax", op_type="softmax_without_heads")
    label = mx.sym.Variable("softmax_label")
    losses = own, mx.sym.identity(own), mx.sym.SoftmaxOutput(fc, label, name="softmax")
    round_ones = ("ceil", "fix", "floor", "rint", "round", "trunc")
    beside = [getattr(mx.sym, name)(fc) for name in round_ones]
    beside += [mx.sym.BlockGrad(fc), mx.sym.argmax(fc, axis=1), fc > 0, mx.sym.zeros_like(fc)]
    found = []
    for loss in losses:
        bound = filled(mx, mx.sym.Group([loss, *beside]), data=(2, 4), softmax_label=(2,))
        bound.arg_dict["softmax_label"][:] = 1
        bound.forward(is_train=True)
        bound.backward()
        found += [bound.grad_dict["fc_weight"], bound.outputs[0]]
    module = mx.module.Module(own)
    batches = mx.io.NDArrayIter(np.ones((4, 3), "float32"), np.zeros(4, "float32"), batch_size=2)
    module.fit(batches, num_epoch=1, initializer=mx.init.One())
    return [*found, module.get_params()[0]["fc_weight"]]


def monitored(mx) -> list:
    """A monitor sees batches of all sizes."""
    seen: list[str] = []
    mon = mx.monitor.Monitor(1, lambda x: mx.nd.array([x.size]), pattern="fc|flat_o|softmax_o")
    module = mx.module.Module(mx.sym.SoftmaxOutput(network(mx), name="softmax"))
    module.bind([("data", (2, 1, 5, 5))], [("softmax_label", (2,))])
    module.init_params()
    module.install_monitor(mon)
    module.init_optimizer()
    for count in (2, 3, 3, 2):
        batch = mx.io.DataBatch([mx.nd.ones((count, 1, 5, 5))], [mx.nd.zeros((count,))])
        mon.tic()
        module.forward_backward(batch)
        module.update()
        seen += [f"{step} {name} {text}".strip() for step, name, text in mon.toc()]
    return seen


def factors(mx) -> list:
    """Learning rates and weight decays given as attributes, with stores and without."""
    x = mx.sym.Variable("data")
    x = mx.sym.FullyConnected(x, num_hidden=2, name="a", attr={"lr_mult": "0"})
    weight = mx.sym.Variable("b_weight", lr_mult=0.5, wd_mult=2.0)
    x = mx.sym.FullyConnected(x, weight=weight, num_hidden=2, name="b")
    net = mx.sym.SoftmaxOutput(mx.sym.FullyConnected(x, num_hidden=2, name="c"), name="softmax")
    found = []
    batch = mx.io.DataBatch([mx.nd.array([[1, 2, 3], [4, 5, 6]])], [mx.nd.array([0, 1])])
    for count in (1, 2):
        for store in ("local", None):
            module = mx.module.Module(net, context=[mx.cpu(k) for k in range(count)])
            module.bind([("data", (2, 3))], [("softmax_label", (2,))])
            module.init_params(mx.init.One())
            settings = {"learning_rate": 1.0, "wd": 0.1}
            module.init_optimizer(kvstore=store, optimizer="sgd", optimizer_params=settings)
            optimizer = module._optimizer
            for names in (optimizer.lr_mult, optimizer.wd_mult, optimizer.idx2name):
                found.append(repr(sorted(names.items())))
            module.forward_backward(batch)
            module.update()
            found += [value for _, value in sorted(module.get_params()[0].items())]
    return found


def grouped(mx) -> list:
    """Contexts of groups of variables and operators."""
    first, second = ({"ctx_group": name} for name in ("first", "second"))
    a = mx.sym.square(mx.sym.Variable("a", attr=first), attr=first)
    net = mx.sym.elemwise_add(a, mx.sym.Variable("b", attr=second), attr=second)
    found = []
    for count, groups in (
        (1, None),
        (1, {"first": mx.cpu(1), "second": mx.cpu(2)}),
        (1, [{"first": mx.cpu(1), "second": mx.cpu(2)}]),
        (2, {"first": [mx.cpu(3), mx.cpu(4)], "second": mx.cpu(5)}),
    ):
        contexts = [mx.cpu(k) for k in range(count)]
        shapes = [("a", (4, 5)), ("b", (4, 5))]
        module = mx.module.Module(net, ["a", "b"], None, context=contexts, group2ctxs=groups)
        module.bind(shapes, inputs_need_grad=True)
        module.init_params()
        module.forward(mx.io.DataBatch([mx.nd.ones((4, 5)), mx.nd.ones((4, 5))]), is_train=True)
        module.backward([mx.nd.ones((4, 5))])
        found += [repr(one.context) for each in module.get_input_grads(False) for one in each]
        found += [repr(one.context) for one in module.get_outputs(False)[0]]
    groups = {"first": mx.cpu(6), "second": mx.cpu(7)}
    bound = net.simple_bind(mx.cpu(), group2ctx=groups, a=(2,), b=(2,))
    found += [repr(bound.arg_dict[name].context) for name in "ab"]
    return [*found, *module.get_input_grads(), *module.get_outputs()]


def programs() -> dict[str, Callable]:
    """Return all programs, by a descriptive name."""
    return {
        one.__name__: one
        for one in (backward_again, factors, grouped, heads, monitored, other_shapes)
    }
