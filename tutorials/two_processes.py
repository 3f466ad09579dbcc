# %% [markdown]
# # Train on two processes
#
# Each process computes half of every batch, and gradients are averaged before each step. This
# tutorial trains one network on the digits with three programs: one for MegEngine, one for MXNet
# with a key-value store, and one for MXNet with Horovod. Each runs in one process and in two, with
# the same result.

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
# All programs import this module. A batch has 100 digits, divided among the processes.

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
# `make_allreduce_cb` returns a callback that averages gradients over all processes. `bcast_list_`
# copies the parameters of the first process to all others. A `RandomSampler` gives each process its
# part of the samples.

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
# The store `'dist_sync'` adds up gradients, so `step` takes the size of the whole batch. A
# `DistributedSampler` gives each process the same number of samples, in one common order.

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
# `DistributedTrainer` averages gradients, so `step` takes the size of the batch of one process.
# `broadcast_parameters` copies the parameters of the first process to all others, including those
# whose shapes are inferred later.

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
mine = BATCH // hvd.size()
sampler = gluon.data.DistributedSampler(len(x), hvd.size(), hvd.rank())
dataset = gluon.data.ArrayDataset(x, y)
losses = []
for epoch in range(EPOCHS):
    for data, label in gluon.data.DataLoader(dataset, mine, sampler=sampler):
        with autograd.record():
            loss = loss_of(net(data), label)
        loss.backward()
        trainer.step(mine)
    losses.append(loss_of(net(nd.array(x)), nd.array(y)).mean().asscalar().item())
if hvd.rank() == 0:
    print(json.dumps([losses, accuracy(net(nd.array(held_out)).asnumpy())]))
"""

# %% [markdown]
# ## Run the programs
#
# `mpiexec -n 2 python -m gluon.mxnet mxnet_digits.py` runs a program for MXNet in two processes.
# Here, a function of gluon finds `mpiexec`. If no MPI is installed, the tutorial uses one process.


# %%
def started(name: str, count: int) -> tuple[list[float], float]:
    """The losses after each epoch, and the accuracy, of a program in `count` processes."""
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
    several = 2 if find_spec("mpi4py") else 1
except gluon.GluonError:
    several = 1

folder = TemporaryDirectory()
for name, text in PROGRAMS.items():
    Path(folder.name, "digits.py" if name == "digits" else f"{name}_digits.py").write_text(text)
found = {}
for name in ("megengine", "mxnet", "horovod"):
    found[name] = [started(name, 1), started(name, several)]
    (alone, _), (together, right) = found[name]
    print(
        f"{name:9}  accuracy {right:.1%}; loss {alone[-1]:.5f} in 1 process,"
        f" {together[-1]:.5f} in {several}"
    )
folder.cleanup()

# %% [markdown]
# ## Plot
#
# The loss after each epoch: lines for one process, crosses for two. The programs for MXNet and
# Horovod take the same steps. MegEngine initializes layers differently.

# %%
figure, axes = plt.subplots(figsize=(6, 4), layout="constrained")
for (name, ((alone, _), (together, _))), color in zip(found.items(), ("C0", "C1", "C2")):
    axes.semilogy(range(1, len(alone) + 1), alone, color=color, label=name)
    axes.semilogy(range(1, len(alone) + 1), together, "x", color=color)
axes.set(xlabel="epoch", ylabel="loss of the training set")
axes.legend()
figure.savefig("two_processes.png", dpi=120)
plt.show()
