"""Compute on graphs with DGL's back end for MXNet.

    python -m gluon.mxnet --old-numpy tests/clients/run_dgl.py [--json]

It needs dgl 1.0.1. With MXNet itself, ``--json`` records the numbers.
"""

from __future__ import annotations

import os
from functools import partial

os.environ["DGLBACKEND"] = "mxnet"

import dgl
import numpy as np
from dgl import function
from dgl.nn import mxnet as layers
from mxnet import autograd, gluon, nd
from results import Results, settle

NODES, WIDTH = 12, 5
#: A layer for each name: how to make it, and whether it takes weights of edges too.
LAYERS = {
    "GraphConv": partial(layers.GraphConv, WIDTH, 4),
    "GATConv": partial(layers.GATConv, WIDTH, 4, num_heads=2),
    "SAGEConv mean": partial(layers.SAGEConv, WIDTH, 4, aggregator_type="mean"),
    "SAGEConv gcn": partial(layers.SAGEConv, WIDTH, 4, aggregator_type="gcn"),
    "SAGEConv pool": partial(layers.SAGEConv, WIDTH, 4, aggregator_type="pool"),
    "TAGConv": partial(layers.TAGConv, WIDTH, 4),
    "SGConv": partial(layers.SGConv, WIDTH, 4, k=2),
    "ChebConv": partial(layers.ChebConv, WIDTH, 4, k=2),
    "AGNNConv": layers.AGNNConv,
    "APPNPConv": partial(layers.APPNPConv, k=3, alpha=0.1),
    "GINConv": partial(layers.GINConv, None, "sum"),
    "EdgeConv": partial(layers.EdgeConv, WIDTH, 4),
    "GatedGraphConv": partial(layers.GatedGraphConv, WIDTH, WIDTH, n_steps=2, n_etypes=2),
    "RelGraphConv": partial(layers.RelGraphConv, WIDTH, 4, num_rels=2),
    "NNConv": lambda: layers.NNConv(
        WIDTH, 4, gluon.nn.Dense(WIDTH * 4, in_units=3), aggregator_type="sum"
    ),
    "GMMConv": partial(layers.GMMConv, WIDTH, 4, dim=3, n_kernels=2),
}


def graph() -> dgl.DGLGraph:
    """A ring with chords, each node its own neighbour too."""
    ends = [(i, (i + step) % NODES) for i in range(NODES) for step in (0, 1, 4)]
    return dgl.graph(ends, num_nodes=NODES)


def normal(*shape: int, seed: int = 0) -> nd.NDArray:
    return nd.array(np.random.RandomState(seed).normal(0, 1, shape))


def inputs(name: str, edges: int) -> tuple:
    """The inputs of a layer besides the graph and the values of its nodes."""
    if name in ("GatedGraphConv", "RelGraphConv"):
        return (nd.arange(edges) % 2,)
    return (normal(edges, 3),) if name in ("NNConv", "GMMConv") else ()


def settled(net: gluon.Block, *arguments) -> None:
    """Give all parameters of a layer values that are the same with every library."""
    net.initialize()
    net(*arguments)
    settle(net, ending="")


def layer(name: str) -> dict[str, nd.NDArray]:
    """The output of a layer, and the gradients of its inputs."""
    g, x = graph(), normal(NODES, WIDTH)
    net = LAYERS[name]()
    arguments = g, x, *inputs(name, g.number_of_edges())
    settled(net, *arguments)
    x.attach_grad()
    with autograd.record():
        out = net(*arguments)
        (out**2).sum().backward()
    return {"output": out, "gradient": x.grad}


def messages() -> dict[str, nd.NDArray]:
    """Messages along edges, reduced by each function, with their gradients."""
    g, found = graph(), {}
    for how in "sum", "mean", "max", "min":
        x, w = normal(NODES, WIDTH), normal(g.number_of_edges(), 1, seed=1)
        x.attach_grad()
        w.attach_grad()
        with autograd.record(), g.local_scope():
            g.ndata["x"], g.edata["w"] = x, w
            g.update_all(function.u_mul_e("x", "w", "m"), getattr(function, how)("m", "y"))
            (g.ndata["y"] ** 2).sum().backward()
            found[how] = g.ndata["y"]
        found |= {f"{how} nodes": x.grad, f"{how} edges": w.grad}
    return found


def edges() -> dict[str, nd.NDArray]:
    """Scores on edges, normalized over those that meet in a node."""
    g, x = graph(), normal(NODES, WIDTH)
    x.attach_grad()
    with autograd.record(), g.local_scope():
        g.ndata["x"] = x
        g.apply_edges(function.u_dot_v("x", "x", "s"))
        weights = dgl.nn.mxnet.edge_softmax(g, g.edata["s"])
        (weights**2).sum().backward()
    return {"weights": weights, "gradient": x.grad}


def batches() -> dict[str, nd.NDArray]:
    """Batches of graphs, their parts, and readouts of each graph."""
    graphs = [graph() for _ in range(3)]
    for number, one in enumerate(graphs):
        one.ndata["x"] = normal(NODES, WIDTH, seed=number)
    batch = dgl.batch(graphs)
    part = batch.subgraph(nd.array([1, 2, 5, 14], dtype="int64"))
    pooling = layers.GlobalAttentionPooling(gluon.nn.Dense(1, in_units=WIDTH))
    settled(pooling, batch, batch.ndata["x"])
    return {
        "sum": dgl.sum_nodes(batch, "x"),
        "largest": dgl.max_nodes(batch, "x"),
        "softmax": dgl.softmax_nodes(batch, "x"),
        "top": dgl.topk_nodes(batch, "x", 2, sortby=0)[0],
        "part": part.ndata["x"],
        "degrees": batch.in_degrees(),
        "attention": pooling(batch, batch.ndata["x"]),
        "set": layers.SumPooling()(batch, batch.ndata["x"]),
    }


def train() -> dict[str, list]:
    """Two graph convolutions learn to tell the nodes apart."""
    g, x = graph(), normal(NODES, WIDTH)
    labels = nd.array(np.arange(NODES) % 3)
    net = [layers.GraphConv(WIDTH, 16, activation=nd.relu), layers.GraphConv(16, 3)]
    settled(net[0], g, x)
    settled(net[1], g, net[0](g, x))
    parameters = gluon.ParameterDict()
    for one in net:
        parameters.update(one.collect_params())
    trainer = gluon.Trainer(parameters, "adam", {"learning_rate": 0.02})
    told = []
    for _ in range(20):
        with autograd.record():
            loss = gluon.loss.SoftmaxCELoss()(net[1](g, net[0](g, x)), labels).mean()
        loss.backward()
        trainer.step(1)
        told.append(float(loss.asscalar()))
    assert told[-1] < 0.8 * told[0], f"the loss does not fall: {told[0]}, {told[-1]}"
    return {"losses": told}


results = Results("dgl", "clients_dgl.json")
for name in LAYERS:
    results.compare(name, partial(layer, name))
results.compare("update_all", messages)
results.compare("apply_edges, edge_softmax", edges)
results.compare("batch, subgraph, readouts", batches)
results.compare("train two GraphConv", train)
results.finish()
