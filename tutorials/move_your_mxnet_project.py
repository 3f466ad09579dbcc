"""Move an MXNet project: run it as it is, change its imports, and load what it has saved.

A project that says `import mxnet as mx` moves in three steps, and each can be the last one:

1. Before: the script runs without an edit, by `python -m gluon.mxnet train.py`.
2. After: the imports name gluon, and the script runs by `python train.py`.
3. Its files: `.params` are loaded as they are; a `-symbol.json` says which layers to write down.

    python tutorials/move_your_mxnet_project.py [--folder FOLDER]
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import gluon
from gluon import nd, nn

#: A training script as many were written. It names a GPU if there is one, and takes the CPU here.
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
metric.update([labels], [scores])
print("%s %.3f, loss %.4f" % (*metric.get(), one.mean().asscalar()))
net.save_parameters("corners.params")
"""

#: What to write instead of each import.
IMPORTS = {
    "import mxnet as mx": "import gluon",
    "from mxnet import autograd, nd": "from gluon import autograd, nd",
    "from mxnet.gluon import Trainer, loss, nn": "from gluon import Trainer, loss, nn",
    "mx.context.num_gpus()": "gluon.num_gpus()",
    "mx.": "gluon.",
}

#: What MXNet's `net.export` wrote for this network, its attributes shortened.
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


def network() -> nn.HybridSequential:
    """The network of the project; its prefix gives the parameters the names that they had."""
    net = nn.HybridSequential(prefix="corners_")
    with net.name_scope():
        net.add(nn.Dense(16, activation="tanh", in_units=2), nn.Dense(2, in_units=16))
    return net


def run(folder: Path, *words: str) -> str:
    """What a Python with these arguments prints."""
    home = os.pathsep.join([str(Path(gluon.__file__).parents[1]), os.environ.get("PYTHONPATH", "")])
    environment = {**os.environ, "PYTHONPATH": home}
    command = [sys.executable, *words]
    done = subprocess.run(command, cwd=folder, env=environment, check=True, stdout=subprocess.PIPE)
    return done.stdout.decode().strip()


def layers(path: Path) -> list[str]:
    """The operators in a symbol file, in order, with their attributes."""
    nodes = json.loads(path.read_text())["nodes"]
    return [
        f"{node['op']}({', '.join(f'{k}={v}' for k, v in node.get('attrs', {}).items())})"
        for node in nodes
        if node["op"] != "null"
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--folder", type=Path, help="where to write the project")
    folder = parser.parse_args().folder or Path(tempfile.mkdtemp())
    folder.mkdir(parents=True, exist_ok=True)

    print("1. Before: the script as it is, by python -m gluon.mxnet train.py")
    (folder / "train.py").write_text(BEFORE)
    before = run(folder, "-m", "gluon.mxnet", "train.py")
    print("  ", before)

    print("2. After: with the imports of gluon, by python moved.py")
    after = BEFORE
    for old, new in IMPORTS.items():
        after = after.replace(old, new)
    (folder / "moved.py").write_text(after)
    print("  ", run(folder, "moved.py"))
    changed = sum(a != b for a, b in zip(BEFORE.splitlines(), after.splitlines()))
    print(f"   {changed} of {len(BEFORE.splitlines())} lines differ")

    print("3. Its files: corners.params, which save_parameters wrote")
    net = network()
    net.load_parameters(str(folder / "corners.params"))
    points = nd.array([[0.5, 0.5], [0.5, -0.5], [-0.5, -0.5]])
    print("   classes:", net(points).argmax(axis=1).astype("int32").asnumpy().tolist())

    print("   corners-symbol.json, which export wrote: its layers, to write down in gluon.nn")
    (folder / "corners-symbol.json").write_text(SYMBOL)
    for layer in layers(folder / "corners-symbol.json"):
        print("    ", layer)
    print("   corners-0060.params, which export wrote beside it: found by full names")
    exported = {f"arg:{name}": param.data() for name, param in net.collect_params().items()}
    nd.save(str(folder / "corners-0060.params"), exported)
    other = network()
    other.load_parameters(str(folder / "corners-0060.params"))
    print("   same scores:", bool((other(points) == net(points)).asnumpy().all()))


if __name__ == "__main__":
    main()
