"""Networks whose tables and pictures are compared with MXNet's; both libraries build them."""

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
