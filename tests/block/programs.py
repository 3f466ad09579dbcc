"""Programs on blocks, parameters and layers; see ``tests/nn/programs.py``.

``recorded/make_block.py`` keeps what MXNet returns.
"""

from __future__ import annotations

import contextlib
import copy
import io
import os
import tempfile
import warnings
from collections import OrderedDict
from collections.abc import Callable

import numpy as np

from tests.nn.programs import filled, given, layer

#: A layer and the shape of its input.
LAYERS = [
    ("nn.Conv1DTranspose(4, 3)", (2, 3, 5)),
    ("nn.Conv1DTranspose(4, 3, 2, 1, 1, in_channels=3, activation='relu')", (2, 3, 5)),
    ("nn.Conv2DTranspose(4, 3)", (2, 3, 4, 5)),
    (
        "nn.Conv2DTranspose(4, 3, 2, 1, 1, groups=2, in_channels=6, activation='tanh')",
        (2, 6, 4, 5),
    ),
    ("nn.Conv2DTranspose(4, 4, (2, 1), (1, 0), (1, 0), use_bias=False)", (2, 3, 4, 5)),
    ("nn.Conv2DTranspose(2, (3, 2), dilation=2, in_channels=3)", (2, 3, 4, 5)),
    ("nn.Conv1D(6, 3, 2, 1, 2, 3)", (2, 3, 8)),
    ("nn.Conv2D(4, 3, groups=2, weight_initializer='ones', bias_initializer='ones')", (2, 4, 5, 5)),
    ("nn.Conv3D(4, (1, 2, 3), (1, 2, 1), (0, 1, 0), groups=2)", (2, 4, 3, 4, 5)),
    ("nn.MaxPool1D(layout='NWC')", (2, 4, 3)),
    ("nn.MaxPool2D(layout='NHWC')", (2, 4, 5, 3)),
    ("nn.MaxPool3D(layout='NDHWC')", (2, 4, 4, 4, 3)),
    ("nn.AvgPool1D(layout='NWC')", (2, 4, 3)),
    ("nn.AvgPool2D(3, 2, 1, layout='NHWC')", (2, 6, 6, 3)),
    ("nn.AvgPool3D(layout='NDHWC')", (2, 4, 4, 4, 3)),
    ("nn.GlobalMaxPool1D('NWC')", (2, 4, 3)),
    ("nn.GlobalMaxPool2D('NHWC')", (2, 4, 5, 3)),
    ("nn.GlobalMaxPool3D('NDHWC')", (2, 4, 3, 4, 3)),
    ("nn.GlobalAvgPool1D('NWC')", (2, 4, 3)),
    ("nn.GlobalAvgPool2D('NHWC')", (2, 4, 5, 3)),
    ("nn.GlobalAvgPool3D('NDHWC')", (2, 4, 3, 4, 3)),
    ("nn.MaxPool1D(3, 2, 1, ceil_mode=True)", (2, 3, 8)),
    ("nn.MaxPool3D(3, 2, (1, 0, 1), ceil_mode=True)", (1, 2, 5, 6, 5)),
    ("nn.AvgPool1D(3, 2, 1, count_include_pad=False)", (2, 3, 7)),
    ("nn.AvgPool2D((2, 3), 1, (1, 1))", (2, 3, 5, 5)),
    ("nn.AvgPool3D(3, 2, 1, count_include_pad=False)", (1, 2, 5, 5, 5)),
    ("nn.BatchNorm(3, beta_initializer='ones')", (2, 3, 2, 4)),
    ("nn.InstanceNorm()", (2, 3, 4, 4)),
    ("nn.InstanceNorm(2, 0.1, False, True)", (2, 3, 4, 5)),
    ("nn.InstanceNorm(-1, scale=True, in_channels=5)", (2, 3, 5)),
    ("nn.LayerNorm(0, 0.1, False, False)", (2, 3, 4)),
    ("nn.LayerNorm(in_channels=4, prefix='norm_')", (2, 4)),
    ("nn.GroupNorm()", (2, 4, 3)),
    ("nn.GroupNorm(2, 0.01, False)", (2, 4, 3, 2)),
    ("nn.GroupNorm(num_groups=4, scale=False)", (2, 4, 3)),
    ("nn.ReflectionPad2D(1)", (2, 3, 4, 4)),
    ("nn.ReflectionPad2D((0, 0, 0, 0, 1, 2, 3, 0))", (2, 3, 4, 4)),
    ("nn.PReLU(in_channels=3)", (2, 3, 4)),
    ("nn.ELU()", (2, 3)),
    ("nn.Swish()", (2, 3)),
    ("nn.LeakyReLU(0)", (2, 3)),
    ("nn.Activation('relu', prefix='act_')", (2, 3)),
    ("nn.Activation('tanh')", (2, 3)),
    ("nn.Activation('softrelu')", (2, 3)),
    ("nn.Dense(3, 'relu', False, False, 'float32', 'ones')", (2, 3, 4)),
    ("nn.Flatten()", (3,)),
    ("nn.Dropout(0.0, (1,))", (2, 3)),
    ("contrib.nn.Identity()", (2, 3)),
    ("contrib.nn.PixelShuffle1D(2)", (2, 6, 3)),
    ("contrib.nn.PixelShuffle2D((2, 3))", (2, 12, 3, 4)),
    ("contrib.nn.PixelShuffle2D(2)", (2, 12, 3, 4)),
    ("contrib.nn.PixelShuffle3D((1, 2, 3))", (1, 12, 2, 2, 2)),
    ("contrib.nn.PixelShuffle3D(2)", (1, 16, 2, 1, 2)),
    ("contrib.nn.SyncBatchNorm(num_devices=1)", (4, 3, 2)),
    ("contrib.nn.SyncBatchNorm(3, 1, 0.5, 0.01, False, False)", (4, 3)),
    ("contrib.cnn.DeformableConvolution(3)", (2, 2, 5, 4)),
    (
        "contrib.cnn.DeformableConvolution(4, (3, 2), (2, 1), (1, 0), (1, 2),"
        " num_deformable_group=2, activation='relu', offset_use_bias=False)",
        (2, 4, 7, 6),
    ),
    ("contrib.cnn.DeformableConvolution(3, 3, use_bias=False)", (2, 2, 5, 4)),
]
#: Layers that MXNet computes only with MKL-DNN.
MKLDNN_LAYERS = [
    ("nn.Conv3DTranspose(2, 3)", (1, 3, 2, 3, 2)),
    ("nn.Conv3DTranspose(2, 3, 2, 1, (1, 0, 1))", (1, 3, 2, 3, 2)),
    ("nn.BatchNormReLU()", (4, 3, 2, 2)),
    ("nn.BatchNormReLU(1, 0.5, 0.01, scale=False, in_channels=3)", (4, 3, 2, 2)),
]


def raised(call: Callable) -> str:
    """Return whether `call` raises, but not which error, since the kinds differ."""
    try:
        call()
    except Exception:
        return "raises"
    return "passes"


def shown(call: Callable) -> str:
    """Return what `call` prints."""
    with contextlib.redirect_stdout(io.StringIO()) as out:
        call()
    return out.getvalue()


def warned(call: Callable) -> str:
    """Return the number of warnings of `call`."""
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        call()
    return str(sum(issubclass(one.category, UserWarning) for one in found))


def concurrent(mx) -> list:
    """Branches side by side, plain and hybrid."""
    nn, contrib = mx.gluon.nn, mx.gluon.contrib.nn
    found = []
    for kind, axis in ((contrib.Concurrent, -1), (contrib.HybridConcurrent, 1)):
        net = kind(axis=axis, prefix="branches_")
        with net.name_scope():
            net.add(nn.Dense(2, in_units=3), contrib.Identity())
            net.add(nn.Dense(1))
        net.initialize()
        x = mx.nd.array(given(2, 3))
        net(x)
        filled(net.collect_params())
        x.attach_grad()
        with mx.autograd.record():
            y = net(x)
        y.backward()
        found += [repr(net), str(len(net)), repr(net[1]), repr(net[:2]), net.name, y, x.grad]
        found += [one.grad() for one in net.collect_params().values()]
    return [*found, raised(lambda: contrib.HybridConcurrent().add(nn.Lambda("relu")))]


def refused(mx) -> list:
    """Layers that cannot be created, or cannot be called with an array of that shape."""
    nn, nd = mx.gluon.nn, mx.nd
    cases = [
        ("nn.Conv2D(4, (3, 3, 3))", (2, 3, 5, 5)),
        ("nn.Conv2D(4, 3, layout='CHWN')", (2, 3, 5, 5)),
        ("nn.Conv2D(4, 3, groups=3, in_channels=3)", (2, 3, 5, 5)),
        ("nn.Conv2D(3, 3, groups=3)", (2, 4, 5, 5)),
        ("nn.Conv2D(4, 9)", (2, 3, 5, 5)),
        ("nn.Conv2DTranspose(4, 3, output_padding=1)", (2, 3, 5, 5)),
        ("nn.Conv2DTranspose(4, 3, padding=5)", (2, 3, 3, 3)),
        ("nn.Conv2DTranspose(4, 3, strides=(1, 2, 3))", (2, 3, 5, 5)),
        ("nn.MaxPool2D(layout='NCWH')", (2, 3, 5, 5)),
        ("nn.MaxPool2D(7)", (2, 3, 5, 5)),
        ("nn.InstanceNorm(in_channels=5)", (2, 3, 4)),
        ("nn.GroupNorm(3)", (2, 4, 3)),
        ("nn.ReflectionPad2D((1, 2))", (2, 3, 4, 4)),
        ("nn.ReflectionPad2D(1)", (3, 4, 4)),
        ("nn.PReLU(in_channels=3)", (2, 4)),
        ("nn.LeakyReLU(-1)", (2, 4)),
        ("nn.Activation('mish')", (2, 4)),
        ("nn.Dense(0)", (2, 4)),
        ("nn.Dense(2, activation='mish')", (2, 4)),
        ("nn.Lambda('rleu')", (2, 4)),
        ("nn.HybridLambda(3)", (2, 4)),
        ("contrib.nn.PixelShuffle1D(2)", (2, 5, 3)),
        ("contrib.nn.PixelShuffle2D((2, 3, 4))", (2, 24, 3, 3)),
    ]

    def call(text, shape):
        net = eval(text, {"nn": nn, "contrib": mx.gluon.contrib})
        net.initialize()
        net(nd.ones(shape)).asnumpy()

    return [f"{text} {raised(lambda a=text, b=shape: call(a, b))}" for text, shape in cases]


# ----------------------------------------------------------------------------------- blocks


def two_layers(mx, **kwargs):
    """A block with two layers, a parameter and a constant of its own."""
    nn = mx.gluon.nn

    class Net(mx.gluon.HybridBlock):
        def __init__(self, **kwargs):
            super().__init__(**kwargs)
            with self.name_scope():
                self.first = nn.Dense(3, activation="tanh")
                self.norm = nn.BatchNorm()
                self.shift = self.params.get("shift", shape=(3,), init="ones")
                self.scale = self.params.get_constant("factor", mx.nd.array([1, 2, 0.5]))
                self.last = nn.Dense(2, in_units=3)

        def hybrid_forward(self, F, x, shift, scale):
            y = F.broadcast_mul(self.norm(self.first(x)), scale)
            return self.last(F.broadcast_add(y, shift))

    return Net(**kwargs)


def trained(mx, **kwargs):
    """`two_layers` with values, after a first batch."""
    net = two_layers(mx, **kwargs)
    net.initialize()
    net(mx.nd.ones((2, 4)))
    filled(net.collect_params())
    return net


def attributes(mx) -> list:
    """Assigning blocks and parameters."""
    gluon, nn = mx.gluon, mx.gluon.nn

    def assign(*pairs):
        net = two_layers(mx, prefix="net_")
        for name, value in pairs:
            setattr(net, name, value)
        return net

    one, other = gluon.Parameter("one", shape=(1,)), gluon.Parameter("other")
    cases = [
        [("first", nn.Dense(7, prefix="new_"))],
        [("first", None)],
        [("first", nn.Flatten())],
        [("first", one)],
        [("shift", one)],
        [("shift", 3)],
        [("own", one)],
        [("own", one), ("own", other)],
        [("own", 3), ("own", nn.Dense(2, prefix="own_"))],
        [("own", gluon.Constant("c", [1]))],
        [("own", nn.Dense(2, prefix="own_")), ("first", nn.Dense(1, prefix="again_"))],
    ]
    found = [raised(lambda case=case: assign(*case)) for case in cases]
    for case in (cases[0], cases[6], cases[8], cases[10]):
        net = assign(*case)
        found += [repr(net), repr(net.collect_params()), str(list(net._children))]
        found += [str(sorted(net._collect_params_with_prefix()))]
    net = assign()
    net.register_child(nn.Dense(1, prefix="c_"))
    net.register_child(nn.Dense(1, prefix="d_"), "named")
    found += [str(list(net._children)), repr(net), str(list(net.collect_params(".*_bias").keys()))]
    return [*found, raised(lambda: net.register_child(gluon.Block()))]


def containers(mx) -> list:
    """Blocks in lists and dicts are not registered as children, with a warning."""
    nn = mx.gluon.nn
    found = []
    for make in (lambda b: [b], lambda b: (b,), lambda b: {"a": b}, lambda b: [[b]], lambda b: [1]):
        net = mx.gluon.Block(prefix="net_")
        net.layers = make(nn.Dense(1))
        found.append(warned(net.collect_params))
        net.register_child(nn.Dense(1))
        net.layers = list(net._children.values())
        found.append(warned(net.collect_params))
    return found


def walks(mx) -> list:
    """`apply`, hooks and the order in which they are called."""
    nn = mx.gluon.nn
    net = nn.HybridSequential(prefix="net_")
    with net.name_scope():
        net.add(nn.Dense(3, activation="relu"), nn.HybridSequential())
        with net[1].name_scope():
            net[1].add(nn.Dense(2))
    seen = []
    same = net.apply(lambda block: seen.append(block.name)) is net
    net.initialize()
    x = mx.nd.array(given(2, 4))
    net(x)
    handles = []
    for block in (net, net[0], net[1], net[1][0]):
        handles.append(
            block.register_forward_pre_hook(lambda b, i: seen.append(f"> {b.name} {len(i)}"))
        )
        handles.append(
            block.register_forward_hook(lambda b, i, o: seen.append(f"< {b.name} {o.shape}"))
        )
    out = net(x)
    unchanged = net[0].register_forward_hook(lambda b, i, o: o * 0)
    again = net(x)
    for handle in handles:
        handle.detach()
        handle.detach()
    net(x)
    with unchanged:
        pass
    return [str(same), *seen, str((again - out).asnumpy().max()), str(len(net[0]._forward_hooks))]


def handles(mx) -> list:
    """A hook handle by itself."""
    hooks: dict = OrderedDict()
    handle = mx.gluon.utils.HookHandle()
    handle.attach(hooks, print)
    found = [str(len(hooks)), raised(lambda: handle.attach(hooks, print))]
    with handle:
        found.append(str(len(hooks)))
    return [*found, str(len(hooks))]


def shared(mx) -> list:
    """Parameters that two networks share, by `params` of a layer and of a whole network."""
    nn = mx.gluon.nn
    one = nn.Dense(2, in_units=3, prefix="one_")
    two = nn.Dense(2, in_units=3, params=one.params)
    third = nn.Dense(2, in_units=3, params=one.collect_params(), prefix="third_")
    found = [repr(two.collect_params()), two.name, repr(two.params), third.prefix]
    found += [str(two.weight is one.weight), str(third.bias is one.bias)]
    net = trained(mx, prefix="net_")
    twin = two_layers(mx, params=net.collect_params())
    found += [str(twin.first.weight is net.first.weight), str(twin.shift is net.shift)]
    found += [repr(twin.collect_params()), twin.prefix, repr(twin), repr(net.params)]
    x = mx.nd.array(given(4, 4))
    with mx.autograd.record():
        y = net(x) + twin(x)
    y.backward()
    found += [y, *(p.grad() for p in net.collect_params().values() if p.grad_req != "null")]
    found.append(raised(lambda: nn.Dense(3, in_units=3, params=one.params)))
    return [*found, raised(lambda: nn.Dense(3, params=[]))]


def summaries(mx) -> list:
    """What `summary` prints."""
    gluon, nn, nd = mx.gluon, mx.gluon.nn, mx.nd
    net = trained(mx)
    x = nd.ones((2, 4))
    found = [shown(lambda: net.summary(x))]
    net.first.collect_params().setattr("grad_req", "null")

    class Both(gluon.Block):
        def __init__(self):
            super().__init__()
            self.body = nn.HybridSequential()
            self.body.add(nn.Dense(3, in_units=3), nn.Dense(3, in_units=3))
            self.tied = nn.Dense(3, params=self.body[0].params)

        def forward(self, x, other, number=None):
            x = self.tied(self.body(self.body(x)))
            return [x, (x * 2, other)]

    both = Both()
    both.initialize()
    x, y = nd.ones((2, 3)), [nd.ones((1, 2)), nd.ones((1,))]
    found += [shown(lambda: net.summary(nd.ones((5, 4)))), shown(lambda: both.summary(x, y))]
    found.append(shown(lambda: both.summary(x, None, 3)))
    return [*found, raised(lambda: two_layers(mx).summary(x)), raised(lambda: both.summary())]


def casts(mx) -> list:
    """Casting networks and parameters, before and after there are values."""
    found = []
    for dtype in ("float64", np.float16):
        net = two_layers(mx, prefix="net_")
        net.cast(dtype)
        found.append(repr(net.collect_params()))
        net.initialize()
        x = mx.nd.array(given(2, 4), dtype=dtype)
        if dtype == "float64":
            net(x)
            filled(net.collect_params())
            found.append(net(x))
        net.cast("float32")
        found += [repr(net.collect_params()), net(mx.nd.array(given(2, 4))) * 0]
    parameter = mx.gluon.Parameter("w", shape=(2,), init="ones")
    parameter.initialize()
    parameter.cast("float64")
    found += [parameter.data(), parameter.grad(), repr(parameter)]
    parameter.dtype = "float16"
    return [*found, parameter.data(), parameter.grad(), repr(parameter)]


def hybridized(mx) -> list:
    """Values, statistics and gradients with and without `hybridize`, in its forms."""
    found = []
    for settings in (
        None,
        {},
        {"static_alloc": True, "static_shape": True},
        {"active": False},
        {"inline_limit": 1, "forward_bulk_size": 3, "backward_bulk_size": 3},
    ):
        net = trained(mx, prefix="net_")
        if settings is not None:
            net.hybridize(**settings)
        for seed in range(2):
            x = mx.nd.array(given(3, 4, seed=seed))
            x.attach_grad()
            with mx.autograd.record():
                y = net(x)
            y.backward(mx.nd.array(given(3, 2, seed=9)))
            found += [y, x.grad]
            found += [p.grad() for p in net.collect_params().values() if p.grad_req != "null"]
        found += [net.norm.running_mean.data(), net.norm.running_var.data(), net(x)]
    return found


def structures(mx) -> list:
    """Blocks with several inputs and outputs, lists among them, and optional inputs."""
    gluon = mx.gluon

    class Mixed(gluon.HybridBlock):
        def __init__(self, **kwargs):
            super().__init__(**kwargs)
            with self.name_scope():
                self.w = self.params.get("w", shape=(0, 0), allow_deferred_init=True, init="ones")

        def hybrid_forward(self, F, x, pair, w=None):
            one, (two,) = pair
            y = F.FullyConnected(x, w, num_hidden=3, no_bias=True)
            return [F.relu(y), (one + two, [one * 2])]

    class Optional(gluon.HybridBlock):
        def hybrid_forward(self, F, x, y=None):
            return x if y is None else F.concat(x, y, dim=1)

    found = []
    for active in (False, True):
        net = Mixed(prefix="mixed_")
        net.w.shape = (3, 0)
        net.initialize()
        if active:
            net.hybridize()
        one = mx.nd.array(given(2, 2))
        a, (b, (c,)) = net(mx.nd.array(given(2, 4)), [one, [one + 1]])
        found += [a, b, c, repr(net.collect_params())]
    x = mx.nd.array(given(2, 2))
    net = Optional()
    return [*found, net(x), net(x, x), net(x, None)]


#: Layers with a parameter of unknown shape; the last ones cannot infer it.
INFERRED = [
    ("x * w", 2),
    ("w * x", 2),
    ("x + w", 2),
    ("w - x", 2),
    ("x / w", 2),
    ("x ** w", 2),
    ("x > w", 2),
    ("-w + x", 2),
    ("(w * 2 + 1) * x", 2),
    ("F.elemwise_mul(x, w)", 2),
    ("F.elemwise_add(w, x)", 2),
    ("F.maximum(x, w)", 2),
    ("F.where(x, x, w)", 2),
    ("F.add_n(x, w)", 2),
    ("F.exp(w) * x", 2),
    ("F.relu(w) + x", 2),
    ("F.identity(w) + x", 2),
    ("F.BlockGrad(w) + x", 2),
    ("x * (w + w * w)", 2),
    ("x * w + w", 2),
    ("F.FullyConnected(x, w, num_hidden=4, no_bias=True)", 2),
    ("F.FullyConnected(x, F.relu(w) * 2, num_hidden=4, no_bias=True)", 2),
    ("F.FullyConnected(x, F.ones((4, 3)), w, num_hidden=4)", 1),
    ("F.LayerNorm(x, w, w)", 1),
    ("F.Embedding(x, w, input_dim=4, output_dim=5)", 2),
    ("F.broadcast_mul(x, w)", 2),
    ("F.dot(x, w)", 2),
    ("F.concat(x, w, dim=0)", 2),
    ("F.reshape(w, shape=(2, 3)) * x", 2),
    ("F.softmax(w)", 2),
]


def inference(mx) -> list:
    """Shapes inferred from operators."""

    def tell(text: str, ndim: int) -> str:
        class Layer(mx.gluon.HybridBlock):
            def __init__(self):
                super().__init__()
                shape = (0,) * ndim
                self.w = self.params.get("w", shape=shape, init="ones", allow_deferred_init=True)

            def hybrid_forward(self, F, x, w):
                return eval(text, {"F": F, "x": x, "w": w})

        net = Layer()
        net.initialize()
        try:
            y = net(mx.nd.ones((2, 3)))
        except ValueError:
            return "unknown"
        return f"{net.w.shape} {y.shape}"

    return [f"{text}: {tell(text, ndim)}" for text, ndim in INFERRED]


def copies(mx) -> list:
    """A deep copy has parameters of its own, of the same names and values."""
    net = trained(mx, prefix="net_")
    x = mx.nd.array(given(2, 4))
    twin = copy.deepcopy(net)
    twin.shift.set_data(mx.nd.zeros((3,)))
    return [repr(twin), repr(twin.collect_params()), twin.prefix, net(x), twin(x)]


# ------------------------------------------------------------------------------- parameters


def lives(mx) -> list:
    """The life cycle of a parameter, and the errors in each state."""
    gluon, nd = mx.gluon, mx.nd
    late = gluon.Parameter("late", shape=(3, 0), allow_deferred_init=True, init="ones")
    reads = ("data", "grad", "list_data", "list_grad", "list_ctx")
    found = [raised(getattr(late, name)) for name in reads]
    found += [raised(lambda: late.set_data(nd.ones((3, 2))))]
    found += [raised(lambda: late.reset_ctx(mx.cpu(1))), raised(late.zero_grad)]
    late.initialize(ctx=[mx.cpu(0), mx.cpu(1)])
    found += [raised(getattr(late, name)) for name in reads]
    found += [str(late.list_ctx()), repr(late)]
    late.set_data(nd.ones((3, 2)) * 5)
    late.reset_ctx(mx.cpu(2))
    found += [repr(late), raised(late.data), str(late.list_ctx())]
    late._finish_deferred_init()
    found += [late.data(), late.grad(), str(late.data().context), str(late.list_ctx())]
    for shape in ((3, 2), (3, 3), (3, 2, 1)):
        found.append(raised(lambda shape=shape: setattr(late, "shape", shape)))
    for wrong in (nd.ones((2, 3)), [[1, 2]], 3):
        found.append(raised(lambda wrong=wrong: late.set_data(wrong)))
    late.set_data(np.full((3, 2), 7))
    found += [late.data(), raised(lambda: late.data(mx.cpu(0)))]
    late.set_data(nd.ones((3, 2), dtype="float16"))
    found += [late.data(), warned(late.initialize)]
    late.initialize("zeros", mx.cpu(0), force_reinit=True)
    found += [
        late.data(),
        str(late.list_ctx()),
        raised(lambda: late.initialize("none", None, 0, 1)),
    ]
    for shape in (None, (3, 0), ()):
        found.append(raised(gluon.Parameter("w", shape=shape).initialize))
    return found


def requests(mx) -> list:
    """`grad_req` with all its values, and arrays without a gradient."""
    gluon, nd, autograd = mx.gluon, mx.nd, mx.autograd
    found = []
    parameter = gluon.Parameter("w", shape=(2,), init="ones")
    parameter.initialize()
    for req in ("write", "add", "null", "add"):
        parameter.grad_req = req
        for k in range(2):
            with autograd.record():
                y = parameter.data() * nd.array([2, k + 3])
                z = nd.ones((2,))
                z.attach_grad()
                y = y * z
            if req != "null":
                y.backward()
        found += [parameter.grad_req, str(parameter.data().grad is None)]
        found += [raised(parameter.grad), raised(parameter.list_grad)]
        if req != "null":
            found.append(parameter.grad().copy())
            parameter.zero_grad()
            found.append(parameter.grad().copy())
    found += [raised(lambda: setattr(parameter, "grad_req", "all"))]
    fixed = gluon.Parameter("mean", shape=(2,), differentiable=False)
    fixed.grad_req = "write"
    constant = gluon.Constant("c", [[1, 2.5]])
    found += [fixed.grad_req, repr(constant), constant.grad_req]
    found += [warned(lambda: setattr(constant, "grad_req", "write")), constant.grad_req]
    constant.initialize(init=None, default_init=mx.init.Zero())
    found += [constant.data(), constant.value, raised(constant.grad)]
    for name in ("row_sparse_data", "list_row_sparse_data"):
        found.append(raised(lambda name=name: getattr(parameter, name)(nd.array([0]))))
    return found


def collections(mx) -> list:
    """`ParameterDict`: getting, sharing and updating parameters, and methods for all of them."""
    Dict, nd = mx.gluon.ParameterDict, mx.nd
    params = Dict("net_")
    params.get("w", shape=(2, 0), dtype="float32", lr_mult=2, allow_deferred_init=True)
    found = [repr(params), str(params.get("w", shape=(0, 3)).shape), params.prefix]
    found += [
        str(list(params.keys())),
        str(list(params)),
        str("net_w" in params),
        str("w" in params),
    ]
    for key, value in (
        *(("shape", (2, 4)), ("shape", (2, 3, 1)), ("dtype", "float16"), ("dtype", np.float32)),
        *(("lr_mult", 3), ("lr_mult", 2), ("init", "ones"), ("init", None), ("grad_req", "add")),
    ):
        found.append(f"{key} {value} {raised(lambda k=key, v=value: params.get('w', **{k: v}))}")
    params.get_constant("c", nd.array([1, 2]))
    found += [raised(lambda: params.get_constant("c", nd.array([1, 3])))]
    found += [raised(lambda: params.get_constant("d")), raised(lambda: params["none"])]
    found += [raised(lambda: params.get_constant("w", [1])), repr(params)]
    other = Dict("net_", shared=params)
    found += [str(other.get("w") is params.get("w")), str(list(other.keys()))]
    apart = Dict("net_")
    apart.get("w")
    found += [raised(lambda: params.update(apart)), raised(lambda: params.update(other))]
    more = Dict("more_")
    more.get("v", shape=(1,))
    params.update(more)
    found += [repr(params)]
    params.setattr("lr_mult", 0.5)
    params.initialize(mx.init.One(), [mx.cpu(0), mx.cpu(1)])
    found += [str([(p.lr_mult, p.data().asnumpy().tolist()) for p in params.values()])]
    for one in params.values():
        if one.grad_req != "null":
            one.grad()[:] = 3
    params.zero_grad()
    params.reset_ctx(mx.cpu(1))
    found += [p.grad(mx.cpu(1)) for p in params.values() if p.grad_req != "null"]
    return [*found, str(params.list_ctx()), str(Dict().list_ctx())]


def replicas(mx) -> list:
    """Two contexts: gradients on each, their sum, an update, statistics, and one context again."""
    contexts = [mx.cpu(0), mx.cpu(1)]
    found = []
    for hybrid in (False, True):
        net = trained(mx, prefix="net_")
        net.collect_params().reset_ctx(contexts)
        if hybrid:
            net.hybridize()
        params = net.collect_params()
        settings = {"learning_rate": 0.5, "wd": 0.1}
        trainer = mx.gluon.Trainer(params, "sgd", settings, update_on_kvstore=False)
        trainer.allreduce_grads()  # the first step also makes all replicas equal
        net.last.collect_params().setattr("lr_mult", 0.1)
        net.shift.wd_mult = 0
        for step in range(2):
            parts = mx.gluon.utils.split_and_load(given(16, 4, seed=step), contexts)
            with mx.autograd.record():
                errors = [(net(part) ** 2).sum() for part in parts]
            for error in errors:
                error.backward()
            grads = [p for p in params.values() if p.grad_req != "null"]
            found += [*errors, *(g.copy() for p in grads for g in p.list_grad())]
            trainer.allreduce_grads()
            found += [g.copy() for p in grads for g in p.list_grad()]
            trainer.update(16)
            found += [d.copy() for p in params.values() for d in p.list_data()]
            found += [str(p.list_ctx()) for p in params.values()]
        for part in parts:
            found += [net(part), str(net(part).context)]
        found.append(raised(lambda net=net: net(mx.nd.ones((1, 4), ctx=mx.cpu(2)))))
        net.collect_params().reset_ctx(mx.cpu(3))
        found += [p.data(mx.cpu(3)) for p in params.values()]
    return found


# ------------------------------------------------------------------------------------ files


def names_in_files(mx) -> list:
    """The names in the files that each way of saving writes, and the bytes of the older format."""
    net = trained(mx, prefix="net_")
    found = []
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        path = os.path.join(folder, "net.params")
        for save in (
            lambda: net.save_parameters(path),
            lambda: net.save_parameters(path, deduplicate=True),
            lambda: net.save_params(path),
            lambda: net.collect_params().save(path),
            lambda: net.collect_params().save(path, strip_prefix="net_"),
            lambda: net.collect_params(".*weight").save(path, "net_dense"),
            lambda: net.params.save(path),
        ):
            save()
            found.append(str(sorted(mx.nd.load(path))))
        net.save_params(path)
        with open(path, "rb") as file:
            found.append(np.frombuffer(file.read(), np.uint8).copy())
        found.append(raised(lambda: net.collect_params().save(path, "other_")))
        found.append(raised(lambda: two_layers(mx).save_parameters(path)))
        found.append(raised(lambda: two_layers(mx).collect_params().save(path)))
        tied = mx.gluon.nn.Sequential()
        tied.add(mx.gluon.nn.Dense(2, in_units=2))
        tied.add(mx.gluon.nn.Dense(2, in_units=2, params=tied[0].params))
        tied.initialize()
        for deduplicate in (False, True):
            tied.save_parameters(path, deduplicate)
            found.append(str(sorted(mx.nd.load(path))))
            tied.load_parameters(path)
    return found


#: Options of `loaded`: the network's dtype, whether it is initialized, the saved dtype, and
#: settings.
LOADS = [
    ("float32", False, "all", {}),
    ("float32", True, "all", {}),
    ("float32", False, "all", {"ctx": "one"}),
    ("float32", False, "all", {"ctx": "two"}),
    ("float32", True, "all", {"ctx": "one"}),
    ("float32", True, "all", {"ctx": "zero"}),
    ("float64", False, "all", {}),
    ("float64", False, "all", {"cast_dtype": True}),
    ("float64", False, "all", {"cast_dtype": True, "dtype_source": "saved"}),
    ("float64", True, "all", {"cast_dtype": True, "dtype_source": "saved"}),
    ("float64", False, "all", {"cast_dtype": True, "dtype_source": "file"}),
    ("float32", False, "less", {}),
    ("float32", False, "less", {"allow_missing": True}),
    ("float32", True, "less", {"allow_missing": True}),
    ("float32", False, "more", {}),
    ("float32", False, "more", {"ignore_extra": True}),
    ("float32", False, "wider", {}),
    ("float32", True, "wider", {}),
]


def loaded(mx) -> list:
    """Loading by `load_parameters`, `ParameterDict.load` and `load_dict`, with every setting."""
    contexts = {"zero": mx.cpu(0), "one": mx.cpu(1), "two": [mx.cpu(0), mx.cpu(1)]}
    source = trained(mx, prefix="net_")
    values = {name: p.data() for name, p in source._collect_params_with_prefix().items()}
    full = {p.name: p.data() for p in source.collect_params().values()}

    def changed(arrays: dict, how: str) -> dict:
        name = next(name for name in arrays if name.endswith("bias"))
        if how == "less":
            return {key: one for key, one in arrays.items() if key != name}
        if how == "more":
            return {**arrays, name + "2": mx.nd.ones((1,))}
        return {**arrays, name: mx.nd.ones((9,))} if how == "wider" else arrays

    def run(way: str, dtype: str, ready: bool, how: str, settings: dict) -> list:
        net = two_layers(mx, prefix="net_")
        net.cast(dtype)
        if ready:
            net.initialize()
        settings = dict(settings)
        if "ctx" in settings:
            settings["ctx"] = contexts[settings["ctx"]]
        try:
            if way == "load_dict":
                net.collect_params().load_dict(changed(full, how), **settings)
            else:
                mx.nd.save(path, changed(values if way == "load_parameters" else full, how))
                target = net if way == "load_parameters" else net.collect_params()
                getattr(target, way)(path, **settings)
        except Exception:
            return [f"{way} {dtype} {ready} {how} {sorted(settings)} raises"]
        made = [p for p in net.collect_params().values() if p._data is not None]
        return [f"{way} {p.name} {p.list_ctx()} {p.dtype}" for p in made] + [
            p.list_data()[0] * (p.name != "net_dense0_bias") for p in made
        ]

    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "net.params")
        return [
            one
            for way in ("load_parameters", "load", "load_dict")
            for load in LOADS
            for one in run(way, *load)
        ]


def former_files(mx) -> list:
    """Files with the names of parameters, as `save_params` and checkpoints write them."""
    source = trained(mx, prefix="net_")
    x = mx.nd.array(given(2, 4))
    params = source.collect_params()
    short = {p.name[len("net_") :]: p.data() for p in params.values()}
    kinds = {p.name: "aux:" if "running" in p.name else "arg:" for p in params.values()}
    typed = {kinds["net_" + name] + name: one for name, one in short.items()}
    found = [source(x)]
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        path = os.path.join(folder, "net.params")
        for arrays, prefix in ((short, "other_"), (typed, "net_")):
            mx.nd.save(path, arrays)
            for name in ("load_parameters", "load_params"):
                net = two_layers(mx, prefix=prefix)
                getattr(net, name)(path)
                found.append(net(x))
            net = two_layers(mx, prefix=prefix)
            net.collect_params().load(path, restore_prefix=prefix)
            found.append(net(x))
        alone = mx.gluon.nn.Dense(2, in_units=4)
        alone.initialize()
        alone.save_parameters(path)
        other = mx.gluon.nn.Dense(2)
        other.load_parameters(path)
        found.append(alone(x) - other(x))
        flat = mx.gluon.nn.Flatten()
        flat.save_parameters(path)
        flat.load_parameters(path)
        source.save(os.path.join(folder, "net"))
        found.append(str("net-model.params" in os.listdir(folder)))
        net = two_layers(mx, prefix="net_")
        net.load_parameters(os.path.join(folder, "net-model.params"))
        found.append(net(x))
        found.append(raised(lambda: net.load_parameters(os.path.join(folder, "none"))))
    return found


# ------------------------------------------------------------------------------------ utils


def helpers(mx) -> list:
    nd, utils = mx.nd, mx.gluon.utils
    x = nd.array(given(5, 4))
    found = [*utils.split_data(x, 5), *utils.split_data(x, 3, even_split=False)]
    found += [*utils.split_data(x, 4, batch_axis=1), *utils.split_data(x, 1)]
    found += [*utils.split_data(x, 6, even_split=False), *utils.split_data(given(4, 2), 2)]
    for sizes in ((2,), (6,), (0,), (3, 1)):
        found.append(raised(lambda sizes=sizes: utils.split_data(x, *sizes)))
    both = [mx.cpu(0), mx.cpu(1)]
    for data in (
        x,
        given(4, 2),
        [[1, 2], [3, 4], [5, 6]],
        np.arange(4),
        nd.ones((4,), dtype="int32"),
    ):
        parts = utils.split_and_load(data, both, even_split=False)
        found += [*parts, str([part.context for part in parts])]
    found += [*utils.split_and_load(x, both, 1), *utils.split_and_load(x, [mx.cpu(1)])]
    found += [
        raised(lambda: utils.split_and_load(x, both)),
        raised(lambda: utils.split_and_load(x, [])),
    ]
    for limit in (0, 0.5, 2, np.float32(1), 100):
        arrays = [nd.array(given(3)), nd.array(given(2, 2)), nd.zeros((2,))]
        norm = utils.clip_global_norm(arrays, limit)
        found += [f"{norm:.5f}", *arrays]
        arrays = [nd.array(given(3)), nd.array(given(2, 2))]
        found += [utils.clip_global_norm(arrays, limit, check_isfinite=False), *arrays]
    for value in (np.nan, np.inf):
        arrays = [nd.array([value, 1]), nd.array([1, 2])]
        found += [warned(lambda arrays=arrays: utils.clip_global_norm(arrays, 1)), *arrays]
    found.append(raised(lambda: utils.clip_global_norm([], 1)))
    shapes = (None, (), (1,), (0,), (1, 0), (3, 4))
    return [*found, str([utils.shape_is_known(shape) for shape in shapes])]


def files(mx) -> list:
    """Checksums, moving files, and downloads that are there already."""
    utils = mx.gluon.utils
    digest = "aaf4c61ddcc5e8a2dabede0f3b482cd9aea9434d"
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "a.txt")
        with open(path, "w", encoding="ascii") as file:
            file.write("hello")
        url = "http://localhost:9/a.txt"
        found = [str(utils.check_sha1(path, one)) for one in (digest, digest.upper(), "")]
        for target in (path, folder):
            found.append(str(utils.download(url, target) == path))
            found.append(str(utils.download(url, target, sha1_hash=digest) == path))
        found += [raised(lambda: utils.download(url, path, retries=-1))]
        found += [raised(lambda: utils.download("http://localhost:9/", retries=0))]
        found += [raised(lambda: utils.download(url, path, True, retries=0))]
        found += [raised(lambda: utils.download(url, path, False, "0" * 40, 0))]
        utils.replace_file(path, path + "2")
        found += [str(os.listdir(folder)), raised(lambda: utils.replace_file(path, path + "2"))]
        return [*found, raised(lambda: utils.check_sha1(path, digest))]


def layers(described: list) -> dict[str, Callable]:
    """A program for each layer."""
    return {
        f"layer {text} {shape}": lambda mx, a=text, b=shape: layer(mx, a, b)
        for text, shape in described
    }


def mkldnn() -> dict[str, Callable]:
    """The programs that need MKL-DNN in MXNet."""
    return layers(MKLDNN_LAYERS)


def plain() -> dict[str, Callable]:
    """Return all other programs, by a descriptive name."""
    found = layers(LAYERS)
    for one in (
        *(concurrent, refused, attributes, containers, walks, handles, shared, summaries, casts),
        *(hybridized, structures, inference, copies, lives, requests, collections, replicas),
        *(names_in_files, loaded, former_files, helpers, files),
    ):
        found[one.__name__] = one
    return found
