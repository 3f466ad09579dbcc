"""Checkpoints: files that are complete at any time, and runs that resume from them."""

from __future__ import annotations

import os
import re
import zipfile
from pathlib import Path

import numpy as np
import pytest

from gluon import GluonError, Trainer, autograd, distributed, nd, nn, random
from gluon._core.errors import DTypeError

from .jobs import job, needs_mpi


def made() -> tuple[nn.Dense, Trainer]:
    net = nn.Dense(2, in_units=3)
    net.initialize()
    return net, Trainer(net.collect_params(), "adam", {"learning_rate": 0.1})


def stepped(net: nn.Dense, trainer: Trainer) -> np.ndarray:
    x = nd.random.normal(shape=(4, 3)) + nd.array(np.random.rand(4, 3))  # noqa: NPY002
    with autograd.record():
        loss = (net(x) ** 2).sum()
    loss.backward()
    trainer.step(4)
    return net.weight.data().asnumpy()


def test_a_run_goes_on_as_if_nothing_had_been(tmp_path: Path) -> None:
    path = str(tmp_path / "run")
    random.seed(3)
    net, trainer = made()
    stepped(net, trainer)
    distributed.save_checkpoint(path, net, trainer, epoch=1, orders=[3, 4])
    right = [stepped(net, trainer) for _ in range(3)]
    random.seed(99)
    net, trainer = made()
    assert distributed.load_checkpoint(path, net, trainer) == {"epoch": 1, "orders": [3, 4]}
    for one in right:
        np.testing.assert_array_equal(stepped(net, trainer), one)
    assert os.listdir(tmp_path) == ["run"]


def test_a_write_that_fails_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, (net, trainer) = str(tmp_path / "run"), made()
    distributed.save_checkpoint(path, net, trainer, epoch=1)

    def fails(_: int) -> None:
        raise OSError("the disk is full")

    monkeypatch.setattr(os, "fsync", fails)
    with pytest.raises(OSError, match="the disk is full"):
        distributed.save_checkpoint(path, net, trainer, epoch=2)
    monkeypatch.undo()
    assert distributed.load_checkpoint(path, net, trainer) == {"epoch": 1}


def test_damaged_checkpoints_change_nothing(tmp_path: Path) -> None:
    path, (net, trainer) = tmp_path / "run", made()
    distributed.save_checkpoint(str(path), net, trainer, epoch=1)
    whole = path.read_bytes()
    other, its = made()
    before = other.weight.data().asnumpy()
    damages = [whole[:place] for place in range(0, len(whole), len(whole) // 50)]
    with zipfile.ZipFile(path) as archive:
        for member in archive.infolist():
            place = member.header_offset + 30 + len(member.filename) + member.file_size // 2
            damages.append(whole[:place] + bytes([whole[place] ^ 0x55]) + whole[place + 1 :])
    for damage in damages:
        path.write_bytes(damage)
        with pytest.raises(GluonError, match="is damaged, or not a checkpoint"):
            distributed.load_checkpoint(str(path), other, its)
    np.testing.assert_array_equal(other.weight.data().asnumpy(), before)


def test_errors_of_checkpoints_say_what_to_do(tmp_path: Path) -> None:
    path, (net, trainer) = str(tmp_path / "run"), made()
    with pytest.raises(DTypeError, match=r"JSON can hold, such as int\(x\)"):
        distributed.save_checkpoint(path, net, trainer, epoch=np.int64(3))
    assert distributed.load_checkpoint(path, net, trainer) is None
    distributed.save_checkpoint(path, net)
    with pytest.raises(GluonError, match=r"not a checkpoint of a network and a trainer: .*states"):
        distributed.load_checkpoint(path, net, trainer)
    assert distributed.load_checkpoint(path, net) == {}


@needs_mpi
@pytest.mark.slow
def test_runs_that_are_killed_end_where_an_undisturbed_one_does(tmp_path: Path) -> None:
    right = job("resumed", 1, str(tmp_path / "right"), "-1", "0", "0")
    path = str(tmp_path / "run")
    for size, step, delay, rank in ((3, 13, 0.004, 2), (2, 30, 0.011, 0)):
        ended = job("resumed", size, path, str(step), str(delay), str(rank))
        assert ended.returncode != 0
        assert "loss" not in ended.stdout
    ended = job("resumed", 2, path, "-1", "0", "0")
    begun = int(re.search(r"begun (\d+)", ended.stdout).group(1))
    assert 30 <= begun < 48, ended.stdout + ended.stderr
    losses = [float(re.search(r"loss (\S+)", one.stdout).group(1)) for one in (right, ended)]
    np.testing.assert_allclose(*losses, rtol=1e-3)
