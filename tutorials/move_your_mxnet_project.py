# %% [markdown]
# # Move an MXNet project
#
# A project that uses `import mxnet as mx` moves in three steps. You can stop after each of them:
#
# 1. Run the script unchanged with `python -m gluon.mxnet train.py`.
# 2. Change the imports to gluon, and run it with `python train.py`.
# 3. Load `.params` and `-symbol.json` files with gluon.

# %%
import difflib
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from matplotlib import pyplot as plt

import gluon
from gluon import SymbolBlock, nd, nn

# %% [markdown]
# ## The project
#
# This is a typical training script. It uses a GPU if there is one; here it uses the CPU.

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
# ## Run the script unchanged
#
# Run the unchanged script in a separate Python process.

# %%
folder = Path(tempfile.mkdtemp())
(folder / "train.py").write_text(BEFORE)


def run(*words: str) -> list[str]:
    """Return the output of Python with these arguments."""
    home = os.pathsep.join([str(Path(gluon.__file__).parents[1]), os.environ.get("PYTHONPATH", "")])
    environment = {**os.environ, "PYTHONPATH": home}
    command = [sys.executable, *words]
    done = subprocess.run(command, cwd=folder, env=environment, check=True, stdout=subprocess.PIPE)
    return done.stdout.decode().splitlines()


before = run("-m", "gluon.mxnet", "train.py")
print(*before[-2:], sep="\n")

# %% [markdown]
# ## Change the imports
#
# This is the same script with the imports of gluon. Every `mx.` becomes `gluon.`.

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
# Both scripts print the same numbers:

# %%
moved = run("moved.py")
print(*moved[-2:], sep="\n")
assert moved == before

# %% [markdown]
# ## Load the files
#
# A file of `save_parameters` loads into the same network. The prefix must be the same, because
# the names of the parameters begin with it.

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
# `net.export` writes a network as two files, the symbol and the parameters, which MXNet and gluon
# both read. `SymbolBlock.imports` loads them without the code of the network:

# %%
net.hybridize()
net(points)
net.export(str(folder / "exported"), epoch=60)
files = [str(folder / name) for name in ("exported-symbol.json", "exported-0060.params")]
loaded = SymbolBlock.imports(files[0], "data", files[1])
print("same scores:", bool((loaded(points) == net(points)).asnumpy().all()))

# %% [markdown]
# The parameters also load into a network that you write yourself:

# %%
other = network()
other.load_parameters(files[1])
print("same scores:", bool((other(points) == net(points)).asnumpy().all()))

# %% [markdown]
# ## Plot
#
# Left: the training loss of both runs, which coincide. Right: the network loaded from the file: the
# predicted probability of the second class over the plane, with the training points.


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
