# %% [markdown]
# # Move an MXNet project
#
# A project that says `import mxnet as mx` moves in three steps, and each can be the last one:
#
# 1. Before: the script runs without an edit, by `python -m gluon.mxnet train.py`.
# 2. After: the imports name gluon, and the script runs by `python train.py`.
# 3. Its files: `.params` are loaded as they are; a `-symbol.json` says which layers to write down.

# %%
import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # the matrices are small

import difflib
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from matplotlib import pyplot as plt

import gluon
from gluon import nd, nn

# %% [markdown]
# ## The project
#
# A training script as many were written. It names a GPU if there is one, and takes the CPU here.

# %%
BEFORE = """\
import mxnet as mx
import numpy as np
from mxnet import autograd, nd
from mxnet.gluon import Trainer, loss, nn

ctx = mx.gpu() if mx.context.num_gpus() else mx.cpu()
rng = np.random.RandomState(0)
x = nd.array(rng.uniform(-1, 1, (256, 2)), ctx=ctx)
labels = x[:, 0] * x[:, 1] > 0

net = nn.HybridSequential(prefix="corners_")
with net.name_scope():
    net.add(nn.Dense(16, activation="tanh", in_units=2), nn.Dense(2, in_units=16))
net.initialize(mx.init.Zero(), ctx=ctx)
for param in net.collect_params().values():
    param.set_data(nd.array(rng.uniform(-0.7, 0.7, param.shape)))
net.hybridize()
trainer = Trainer(net.collect_params(), "adam", {"learning_rate": 0.05})
entropy = loss.SoftmaxCrossEntropyLoss()
metric = mx.metric.Accuracy()
for epoch in range(60):
    with autograd.record():
        scores = net(x)
        one = entropy(scores, labels)
    one.backward()
    trainer.step(len(x))
    print("epoch %d, loss %.6f" % (epoch, one.mean().asscalar()))
metric.update([labels], [scores])
print("%s %.3f" % metric.get())
net.save_parameters("corners.params")
"""

# %% [markdown]
# ## Before
#
# The script as it is, in a Python of its own.

# %%
folder = Path(tempfile.mkdtemp())
(folder / "train.py").write_text(BEFORE)


def run(*words: str) -> list[str]:
    """What a Python with these arguments prints."""
    home = os.pathsep.join([str(Path(gluon.__file__).parents[1]), os.environ.get("PYTHONPATH", "")])
    environment = {**os.environ, "PYTHONPATH": home}
    command = [sys.executable, *words]
    done = subprocess.run(command, cwd=folder, env=environment, check=True, stdout=subprocess.PIPE)
    return done.stdout.decode().splitlines()


before = run("-m", "gluon.mxnet", "train.py")
print(*before[-2:], sep="\n")

# %% [markdown]
# ## After
#
# The same with the imports of gluon: every `mx.` is a `gluon.`

# %%
IMPORTS = {
    "import mxnet as mx": "import gluon",
    "from mxnet import autograd, nd": "from gluon import autograd, nd",
    "from mxnet.gluon import Trainer, loss, nn": "from gluon import Trainer, loss, nn",
    "mx.context.num_gpus()": "gluon.num_gpus()",
    "mx.": "gluon.",
}
after = BEFORE
for old, new in IMPORTS.items():
    after = after.replace(old, new)
(folder / "moved.py").write_text(after)
lines = difflib.ndiff(BEFORE.splitlines(), after.splitlines())
print(*(line for line in lines if line[0] in "-+"), sep="\n")

# %% [markdown]
# Both learn the same, number by number:

# %%
moved = run("moved.py")
print(*moved[-2:], sep="\n")
assert moved == before

# %% [markdown]
# ## Its files
#
# What `save_parameters` wrote is loaded into the same network. Its prefix gives the parameters the
# names that they had.

# %%


def network() -> nn.HybridSequential:
    net = nn.HybridSequential(prefix="corners_")
    with net.name_scope():
        net.add(nn.Dense(16, activation="tanh", in_units=2), nn.Dense(2, in_units=16))
    return net


net = network()
net.load_parameters(str(folder / "corners.params"))
points = nd.array([[0.5, 0.5], [0.5, -0.5], [-0.5, -0.5]])
print("classes:", net(points).argmax(axis=1).astype("int32").asnumpy().tolist())

# %% [markdown]
# `net.export` wrote two files: a graph, and the parameters under their full names. gluon has no
# graphs to load, for it runs what you write. The file says what to write down in `gluon.nn`; here
# is that of this network, its attributes shortened.

# %%
SYMBOL = """{"nodes": [
{"op": "null", "name": "data", "inputs": []},
{"op": "null", "name": "corners_dense0_weight", "inputs": []},
{"op": "null", "name": "corners_dense0_bias", "inputs": []},
{"op": "FullyConnected", "name": "corners_dense0_fwd",
 "attrs": {"flatten": "True", "no_bias": "False", "num_hidden": "16"},
 "inputs": [[0, 0, 0], [1, 0, 0], [2, 0, 0]]},
{"op": "Activation", "name": "corners_dense0_tanh_fwd", "attrs": {"act_type": "tanh"},
 "inputs": [[3, 0, 0]]},
{"op": "null", "name": "corners_dense1_weight", "inputs": []},
{"op": "null", "name": "corners_dense1_bias", "inputs": []},
{"op": "FullyConnected", "name": "corners_dense1_fwd",
 "attrs": {"flatten": "True", "no_bias": "False", "num_hidden": "2"},
 "inputs": [[4, 0, 0], [5, 0, 0], [6, 0, 0]]}]}
"""

for node in json.loads(SYMBOL)["nodes"]:
    if node["op"] != "null":
        print(node["op"], node["attrs"])

# %% [markdown]
# The parameters that `export` wrote are found by those names. The file is made here, since there is
# no MXNet on this machine:

# %%
exported = {f"arg:{name}": param.data() for name, param in net.collect_params().items()}
nd.save(str(folder / "corners-0060.params"), exported)
other = network()
other.load_parameters(str(folder / "corners-0060.params"))
print("same scores:", bool((other(points) == net(points)).asnumpy().all()))

# %% [markdown]
# ## Plot
#
# Left, the loss of both runs: one line lies on the other. Right, what the file knows when it is
# loaded into gluon: the probability of the second class over the plane, and the corners that
# the script trained on.


# %%
def losses(lines: list[str]) -> list[float]:
    return [float(loss) for line in lines for loss in re.findall(r"loss ([\d.]+)", line)]


across, up = np.meshgrid(np.linspace(-1, 1, 80), np.linspace(-1, 1, 80))
plane = nd.array(np.column_stack([across.ravel(), up.ravel()]))
share = net(plane).softmax()[:, 1].asnumpy().reshape(across.shape)
corners = np.random.RandomState(0).uniform(-1, 1, (256, 2))
second = corners.prod(axis=1) > 0

figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4.5), layout="constrained")
left.plot(losses(before), color="#9fc3e0", linewidth=7, label="python -m gluon.mxnet train.py")
left.plot(losses(moved), "--", color="#d1692b", label="python moved.py")
left.set(xlabel="epoch", title="loss in training", ylim=(0, None))
left.legend(frameon=False)
shades = right.contourf(across, up, share, levels=np.linspace(0, 1, 11), cmap="RdBu")
figure.colorbar(shades, ax=right, label="probability of the second class")
for chosen, colour in ((second, "#2166ac"), (~second, "#b2182b")):
    right.plot(*corners[chosen].T, "o", color=colour, markeredgecolor="white", markersize=5)
right.set(title="corners.params, loaded", aspect="equal")
figure.savefig("move_your_mxnet_project.png", dpi=120)
plt.show()
