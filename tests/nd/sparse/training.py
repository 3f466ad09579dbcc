"""Short trainings of embeddings, for gluon and for MXNet: this file needs NumPy only."""

from __future__ import annotations

from typing import Any

import numpy as np

LAYERS = ["nn.Embedding(6, 2, sparse_grad=True)", "nn.Embedding(6, 2)"]
LAYERS += ["contrib.nn.SparseEmbedding(6, 2)"]
OPTIMIZERS = """
sgd learning_rate=0.1
sgd learning_rate=0.1 momentum=0.9 wd=0.01
sgd learning_rate=0.1 momentum=0.9 wd=0.01 lazy_update=False
sgd learning_rate=0.1 clip_gradient=0.2 rescale_grad=0.5
adam learning_rate=0.1 wd=0.01
adam learning_rate=0.1 lazy_update=False
adagrad learning_rate=0.1
ftrl learning_rate=0.1
groupadagrad learning_rate=0.1
rmsprop learning_rate=0.1
nag learning_rate=0.1 momentum=0.9
signum learning_rate=0.1
ftml
adamax
adadelta
""".strip().splitlines()
#: MXNet's group_adagrad has no dense gradients.
RUNS = [
    f"{layer}; {settings}"
    for layer in LAYERS
    for settings in OPTIMIZERS
    if not (settings.startswith("group") and layer == LAYERS[1])
]


def trained(run: str, trainer: Any, spaces: Any, nd: Any, autograd: Any) -> tuple[str, Any]:
    """The storage type of the gradient and the weight after three steps."""
    layer, settings = run.split("; ")
    name, *given = settings.split()
    net = eval(layer, spaces)
    net.initialize("ones")
    keywords = {key: eval(value) for key, value in (one.split("=") for one in given)}
    stepping = trainer(net.collect_params(), name, keywords)
    for ids in ([1, 1, 4], [0, 4], [5, 1]):
        factors = np.arange(1, 2 * len(ids) + 1).reshape(len(ids), 2) * 0.1
        with autograd.record():
            y = (net(nd.array(ids)) * nd.array(factors)).sum()
        y.backward()
        stepping.step(1)
    grad = net.weight.grad()
    if "SparseEmbedding" in layer:
        return grad.stype, net.weight.row_sparse_data(nd.arange(6)).asnumpy()
    return grad.stype, net.weight.data().asnumpy()
