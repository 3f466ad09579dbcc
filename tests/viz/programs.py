"""Networks whose tables and pictures are compared with MXNet's; both libraries build them."""

import contextlib
import io
import re
import sys
from types import SimpleNamespace


def convolutional(nn):
    net = nn.HybridSequential(prefix="net_")
    with net.name_scope():
        net.add(nn.Conv2D(8, 3, padding=1, activation="relu"), nn.BatchNorm(), nn.MaxPool2D(2))
        net.add(nn.GlobalAvgPool2D(), nn.Dense(16, activation="tanh"), nn.Dropout(0.5))
        net.add(nn.Dense(10, use_bias=False))
    return net, {"data": (1, 1, 28, 28)}


def grouped(nn):
    net = nn.HybridSequential(prefix="net_")
    with net.name_scope():
        net.add(nn.Conv2D(8, (3, 5), strides=(2, 1), use_bias=False), nn.LeakyReLU(0.1))
        net.add(nn.AvgPool2D(3, 2), nn.Conv2D(4, 1, dilation=2), nn.Activation("sigmoid"))
    return net, {"data": (2, 3, 16, 16)}


NETWORKS = {"convolutional": convolutional, "grouped": grouped}


def perceptron(sym):
    x = sym.FullyConnected(sym.var("data"), num_hidden=8, name="fc1")
    x = sym.LeakyReLU(x, name="leaky")
    x = sym.FullyConnected(sym.Dropout(x, name="drop"), num_hidden=3, no_bias=True, name="fc2")
    return sym.SoftmaxOutput(x, name="softmax"), {"data": (5, 4)}, {"data": "float16"}


def residual(sym):
    data = sym.var("data")
    x = sym.Convolution(data, kernel=(3, 3), pad=(1, 1), num_filter=4, name="conv0")
    branch = sym.BatchNorm(x, fix_gamma=False, name="bn")
    branch = sym.Activation(branch, act_type="tanh", name="tanh")
    branch = sym.Convolution(branch, kernel=(1, 1), num_filter=4, no_bias=True, name="conv1")
    x = sym.concat(x + branch, x, dim=1, name="both")
    x = sym.Pooling(x, kernel=(2, 2), stride=(2, 2), pool_type="avg", name="pool")
    x = sym.Convolution(x, kernel=(3, 3), num_filter=6, num_group=2, name="grouped")
    x = sym.Pooling(x, global_pool=True, pool_type="max", name="all")
    x = sym.Flatten(x, name="flat")
    x = sym.broadcast_mul(x, sym.var("scale", shape=(1, 6)), name="scaled")
    return x, {"data": (2, 3, 8, 8)}, {"data": "float32", "scale": "float32"}


def words(sym):
    x = sym.Embedding(sym.var("words"), input_dim=9, output_dim=4, name="embed")
    parts = sym.SliceChannel(x, num_outputs=2, axis=1, squeeze_axis=True, name="parts")
    x = sym.dot(parts[0], sym.var("other_weight"), name="product")
    return sym.Reshape(x, shape=(-1, 5), name="rows"), {"words": (3, 2), "other_weight": (4, 5)}, {}


SYMBOLS = {"perceptron": perceptron, "residual": residual, "words": words}


def views(mx, symbol, shapes, dtypes):
    """The tables and pictures of a symbol."""
    found = {}
    for name, shape, settings in (
        ("whole", shapes, {"line_length": 100}),
        ("bare", None, {"line_length": 60, "positions": [20, 30, 40, 60]}),
    ):
        screen = io.StringIO()
        with contextlib.redirect_stdout(screen):
            mx.viz.print_summary(symbol, shape, **settings)
        found[f"{name} table"] = screen.getvalue()
    for name, settings in {
        "bare": {},
        "shapes": {"shape": shapes, "save_format": "png", "title": "t"},
        "weights": {"shape": shapes, "hide_weights": False},
        "box": {"node_attrs": {"shape": "oval", "fixedsize": "false"}},
        **({"dtypes": {"dtype": dtypes}} if dtypes else {}),
        **({"both": {"shape": shapes, "dtype": dtypes}} if dtypes else {}),
    }.items():
        found[f"{name} picture"] = mx.viz.plot_network(symbol, **settings).calls
    return found


class Digraph:
    """Notes the calls that the package graphviz would get."""

    def __init__(self, name, format):
        self.calls = [["graph", name, format]]

    def node(self, name, label, **attrs):
        # A box of a fixed size cuts its text.
        attrs.pop("fixedsize")
        self.calls.append(["node", name, label, attrs])

    def edge(self, tail_name, head_name, **attrs):
        self.calls.append(["edge", tail_name, head_name, attrs])


def pretend_graphviz():
    sys.modules["graphviz"] = SimpleNamespace(Digraph=Digraph)


def statistics(nd, profiler):
    """The headers of the tables of `dumps`, for operators, domains and events."""
    profiler.set_config(profile_all=True, aggregate_stats=True, filename="unused.json")
    profiler.set_state("run")
    nd.exp(nd.ones((20, 20))).wait_to_read()
    domain = profiler.Domain("dom")
    for one in (domain.new_task("task"), domain.new_frame("frame"), profiler.Event("event")):
        one.start()
        one.stop()
    domain.new_marker("marker").mark()
    profiler.set_state("stop")
    text = profiler.dumps(reset=True)
    found = {"start": text.splitlines()[:3]}
    for part in text.split("\n\n"):
        lines = part.strip("\n").splitlines()
        lines = lines[2:] if part.strip().startswith("Profile") else lines
        if lines and lines[0] in ("Device Storage", "dom", "dom,frame", "event", "operator"):
            ends = [one.end() for one in re.finditer(r"\S+", lines[4])]
            found[lines[0]] = [*lines[:4], ends[-4:]]
    return found
