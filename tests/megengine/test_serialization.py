"""Files of tensors and modules: what is read of them, and that nothing of them runs."""

from __future__ import annotations

import io
import os
import pickle

import numpy as np
import pytest

from gluon import GluonError
from gluon.megengine import Parameter, Tensor, optimizer
from gluon.megengine import module as M
from gluon.megengine.data import vision
from gluon.megengine.serialization import load, save


class Net(M.Module):
    """A module of the program."""

    def __init__(self):
        super().__init__()
        self.conv, self.norm = M.Conv2d(3, 4, 3), M.BatchNorm2d(4)
        self.rest = M.Sequential(M.Linear(4, 2), M.ReLU())
        self.note = (1, "a", {2, 3}, None)


class Call:
    def __reduce__(self):
        return os.system, ("exit 3",)


def reread(thing, **words):
    file = io.BytesIO()
    save(thing, file)
    file.seek(0)
    return load(file, **words)


def test_modules_and_the_states_of_a_run_are_read():
    net = Net()
    found = reread(net)
    assert type(found) is Net
    assert found.note == net.note
    for name, values in net.state_dict().items():
        np.testing.assert_array_equal(found.state_dict()[name], values)
    run = {
        "net": net.state_dict(),
        "opt": optimizer.SGD(net.parameters(), lr=0.1, momentum=0.9).state_dict(),
        "epoch": 3,
        "best": np.float32(0.5),
        "weight": Parameter([1.0, 2.0]),
    }
    found = reread(run)
    assert type(found["weight"]) is Parameter
    assert found["epoch"] == 3
    assert found["best"] == np.float32(0.5)
    assert repr(found["opt"]) == repr(run["opt"])


def test_files_of_megengine_are_read():
    # Tensor(values, dtype, device), as MegEngine 1.13 writes it
    values = pickle.dumps(np.array([1, 2.5], "f"), 2)[2:-1]
    found = load(
        io.BytesIO(
            b"\x80\x02cmegengine.tensor\nTensor\n(" + values + b"X\x02\x00\x00\x00f4"
            b"X\x06\x00\x00\x00xpux:0t\x81}b."
        )
    )
    assert type(found) is Tensor
    assert found.numpy().tolist() == [1, 2.5]


@pytest.mark.parametrize(
    "thing", [Call(), {"a": Call()}, np.array([None, Call()])], ids=["call", "dict", "array"]
)
def test_files_run_nothing_unless_they_are_trusted(thing):
    with pytest.raises(GluonError):
        reread(thing)
    if isinstance(thing, Call):
        with pytest.raises(GluonError, match="pickle_module=pickle"):
            reread(thing)
    reread(thing, pickle_module=pickle)


def test_a_data_set_runs_nothing(tmp_path):
    folder = tmp_path / "cifar-10-batches-py"
    folder.mkdir()
    content = {b"data": np.zeros((2, 3072), "u1"), b"labels": [3, 5]}
    for name in [*(f"data_batch_{k}" for k in range(1, 6)), "test_batch", "batches.meta"]:
        (folder / name).write_bytes(pickle.dumps(content, 2))
    first = vision.CIFAR10(str(tmp_path), train=False, download=False)
    assert len(first) == 2
    (folder / "test_batch").write_bytes(pickle.dumps({b"data": Call()}, 2))
    with pytest.raises(GluonError, match=r"names \w+\.system"):
        vision.CIFAR10(str(tmp_path), train=False, download=False)
