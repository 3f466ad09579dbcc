# %% [markdown]
# # Train on two processes
#
# In data-parallel training, each process computes the gradients for its half of every batch, and
# the gradients are averaged over the processes before each step, as `DistributedDataParallel` of
# PyTorch does. The processes exchange gradients over MPI.
#
# Three libraries have different interfaces for this, and gluon runs programs for all of them.
# This tutorial trains the same kind of network on the digits with three programs: one for
# MegEngine, one for MXNet with a key-value store, and one for MXNet with Horovod. You need not
# install these libraries: gluon stands in for them. Each program runs in one process and in two,
# with the same result. To write a program for gluon itself, use the code of the second program
# with `import gluon`.

# %%
import json
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

from matplotlib import pyplot as plt

import gluon
from gluon.distributed.launch import mpiexec

# %% [markdown]
# ## Data
#
# All programs import this module, `digits.py`. A batch has 100 digits, divided among the processes.

# %%
PROGRAMS = {
    "digits": """
import numpy as np
from sklearn.datasets import load_digits

BATCH, EPOCHS, HELD_OUT = 100, 8, 397
pictures, labels = load_digits(return_X_y=True)
order = np.random.default_rng(0).permutation(len(labels))
pictures, labels = (pictures[order] / 16).astype("float32"), labels[order].astype("int32")
x, y = pictures[HELD_OUT:], labels[HELD_OUT:]
held_out = pictures[:HELD_OUT]


def accuracy(scores):
    return float((scores.argmax(1) == labels[:HELD_OUT]).mean())
"""
}

# %% [markdown]
# ## MegEngine
#
# `bcast_list_` copies the parameters of the first process to all others. `make_allreduce_cb`
# returns a callback that averages gradients over all processes; the `GradManager` calls it with
# each gradient. A `RandomSampler` gives each process its part of the samples.

# %%
PROGRAMS["megengine"] = """
import json
import megengine.distributed as dist
import megengine.functional as F
import megengine.module as M
import megengine.random
from digits import BATCH, EPOCHS, accuracy, held_out, x, y
from megengine import Tensor
from megengine.autodiff import GradManager
from megengine.data import DataLoader, RandomSampler
from megengine.data.dataset import ArrayDataset
from megengine.optimizer import Adam

megengine.random.seed(1)
model = M.Sequential(M.Linear(64, 64), M.ReLU(), M.Linear(64, 10))
dist.bcast_list_(model.parameters())
gm = GradManager()
gm.attach(model.parameters(), callbacks=dist.make_allreduce_cb("MEAN"))
optimizer = Adam(model.parameters(), lr=0.005)
dataset = ArrayDataset(x, y)
sampler = RandomSampler(dataset, BATCH // dist.get_world_size(), seed=0)
losses = []
for epoch in range(EPOCHS):
    for data, label in DataLoader(dataset, sampler=sampler):
        with gm:
            gm.backward(F.nn.cross_entropy(model(Tensor(data)), Tensor(label)))
        optimizer.step().clear_grad()
    losses.append(F.nn.cross_entropy(model(Tensor(x)), Tensor(y)).item())
if dist.get_rank() == 0:
    print(json.dumps([losses, accuracy(model(Tensor(held_out)).numpy())]))
"""

# %% [markdown]
# ## MXNet
#
# A key-value store collects the gradients of a `Trainer`. The store `'dist_sync'` sums them over
# the processes, and `step(n)` divides them by `n`, so it takes the size of the whole batch. A
# `DistributedSampler` gives each process its part of the samples; it is an addition of gluon.

# %%
PROGRAMS["mxnet"] = """
import json
import mxnet as mx
from digits import BATCH, EPOCHS, accuracy, held_out, x, y
from mxnet import autograd, gluon, nd

store = mx.kv.create("dist_sync")
mx.random.seed(1)
net = gluon.nn.HybridSequential()
net.add(gluon.nn.Dense(64, activation="relu"), gluon.nn.Dense(10))
net.initialize(mx.init.Xavier())
trainer = gluon.Trainer(net.collect_params(), "adam", {"learning_rate": 0.005}, kvstore=store)
loss_of = gluon.loss.SoftmaxCrossEntropyLoss()
sampler = gluon.data.DistributedSampler(len(x))
dataset = gluon.data.ArrayDataset(x, y)
losses = []
for epoch in range(EPOCHS):
    for data, label in gluon.data.DataLoader(dataset, BATCH // store.num_workers, sampler=sampler):
        with autograd.record():
            loss = loss_of(net(data), label)
        loss.backward()
        trainer.step(BATCH)
    losses.append(loss_of(net(nd.array(x)), nd.array(y)).mean().asscalar().item())
if store.rank == 0:
    print(json.dumps([losses, accuracy(net(nd.array(held_out)).asnumpy())]))
"""

# %% [markdown]
# ## Horovod
#
# Horovod's `DistributedTrainer` averages gradients over the processes, so `step` takes the size of
# the batch of one process. `broadcast_parameters` copies the parameters of the first process to all
# others, including those whose shapes are inferred later.

# %%
PROGRAMS["horovod"] = """
import json
import horovod.mxnet as hvd
import mxnet as mx
from digits import BATCH, EPOCHS, accuracy, held_out, x, y
from mxnet import autograd, gluon, nd

hvd.init()
mx.random.seed(1)
net = gluon.nn.HybridSequential()
net.add(gluon.nn.Dense(64, activation="relu"), gluon.nn.Dense(10))
net.initialize(mx.init.Xavier())
hvd.broadcast_parameters(net.collect_params())
trainer = hvd.DistributedTrainer(net.collect_params(), "adam", {"learning_rate": 0.005})
loss_of = gluon.loss.SoftmaxCrossEntropyLoss()
batch_here = BATCH // hvd.size()
sampler = gluon.data.DistributedSampler(len(x), hvd.size(), hvd.rank())
dataset = gluon.data.ArrayDataset(x, y)
losses = []
for epoch in range(EPOCHS):
    for data, label in gluon.data.DataLoader(dataset, batch_here, sampler=sampler):
        with autograd.record():
            loss = loss_of(net(data), label)
        loss.backward()
        trainer.step(batch_here)
    losses.append(loss_of(net(nd.array(x)), nd.array(y)).mean().asscalar().item())
if hvd.rank() == 0:
    print(json.dumps([losses, accuracy(net(nd.array(held_out)).asnumpy())]))
"""

# %% [markdown]
# ## Run the programs
#
# `mpiexec` is a part of MPI. It starts a program several times, like `torchrun`:
#
# ```sh
# mpiexec -n 2 python -m gluon.mxnet mxnet_digits.py
# ```
#
# `gluon.distributed.launch.mpiexec` returns the command `mpiexec` with the options that it needs on
# this computer. Without MPI, this tutorial runs each program twice in one process.


# %%
def run(name: str, count: int) -> tuple[list[float], float]:
    """Run a program in `count` processes. Return the loss after each epoch, and the accuracy."""
    module = "gluon.megengine" if name == "megengine" else "gluon.mxnet"
    command = [sys.executable, "-m", module, f"{name}_digits.py"]
    if count > 1:
        command = [*mpiexec(), "-n", str(count), *command]
    path = os.pathsep.join([str(Path(gluon.__file__).parent.parent), *sys.path])
    variables = {**os.environ, "PYTHONPATH": path, "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run(command, cwd=folder.name, env=variables, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    losses, accuracy = json.loads(done.stdout)
    return losses, accuracy


try:
    mpiexec()
    most = 2 if find_spec("mpi4py") else 1
except gluon.GluonError:
    most = 1

folder = TemporaryDirectory()
for name, text in PROGRAMS.items():
    Path(folder.name, "digits.py" if name == "digits" else f"{name}_digits.py").write_text(text)
found = {}
for name in ("megengine", "mxnet", "horovod"):
    found[name] = [run(name, 1), run(name, most)]
    (alone, _), (together, accuracy) = found[name]
    print(
        f"{name:9}  accuracy {accuracy:.1%}; loss {alone[-1]:.5f} in 1 process,"
        f" {together[-1]:.5f} in {most}"
    )
folder.cleanup()

# %% [markdown]
# ## Plot
#
# The plot shows the loss after each epoch: lines for one process, crosses for two. The crosses
# lie on the lines. The programs for MXNet and Horovod take the same steps, so their lines
# coincide. MegEngine initializes layers differently, so its line differs.

# %%
figure, axes = plt.subplots(figsize=(6, 4), layout="constrained")
for (name, ((alone, _), (together, _))), color in zip(found.items(), ("C0", "C1", "C2")):
    axes.semilogy(range(1, len(alone) + 1), alone, color=color, label=name)
    axes.semilogy(range(1, len(alone) + 1), together, "x", color=color)
axes.set(xlabel="epoch", ylabel="loss of the training set")
axes.legend()
figure.savefig("two_processes.png", dpi=120)
plt.show()
