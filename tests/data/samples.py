"""Picklable datasets, for the tests of loading."""

from __future__ import annotations

import multiprocessing
import os
import random
import signal
import time

import numpy as np

from gluon import autograd, current_context, data, nd


class Pictures(data.Dataset):
    """A large image, an array of doubles and a number, all filled with the index."""

    def __init__(self, length: int = 12) -> None:
        self.length = length

    def __len__(self) -> int:
        return self.length

    def __getitem__(self, idx: int) -> tuple:
        return nd.full((3, 64, 64), idx), np.full((90, 90), idx, "float64"), idx


class Odd(Exception):
    """An error that cannot be recreated from its arguments."""

    def __init__(self, one: int, two: int) -> None:
        super().__init__(f"odd {one}, {two}")


class Acting(data.Dataset):
    """Numbers, with an action at number 5."""

    def __init__(self, act: str) -> None:
        self.act = act

    def __len__(self) -> int:
        return 10

    def __getitem__(self, idx: int) -> int:
        if idx == 5:
            getattr(self, self.act)()
        return idx

    def wrong(self) -> None:
        raise KeyError("number five")

    def odd(self) -> None:
        raise Odd(1, 2)

    def local(self) -> None:
        class Local(Exception):
            pass

        raise Local("nobody knows it")

    def leave(self) -> None:
        raise SystemExit(3)

    def killed(self) -> None:
        os.kill(os.getpid(), signal.SIGKILL)

    def gone(self) -> None:
        os._exit(7)

    def slow(self) -> None:
        time.sleep(30)

    def stubborn(self) -> None:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        time.sleep(30)

    def nested(self) -> None:
        next(iter(data.DataLoader([1, 2], 2, num_workers=1)))


class Surroundings(data.Dataset):
    """Reports the process in which a sample is loaded."""

    def __len__(self) -> int:
        return 4

    def __getitem__(self, idx: int) -> tuple:
        x = nd.ones((1,))
        x.attach_grad()
        y = x * 2
        recorded = type(y._node).__name__ != "Blank"
        flags = autograd.is_recording(), autograd.is_training(), recorded
        here = current_context().device_id
        return (*map(int, flags), here, os.getpid(), multiprocessing.current_process().daemon)


class Noise(data.Dataset):
    """Random numbers of gluon, NumPy and Python."""

    def __len__(self) -> int:
        return 8

    def __getitem__(self, idx: int) -> np.ndarray:
        drawn = nd.random.uniform(shape=(1,)).asscalar()
        return np.array([drawn, np.random.random(), random.random()])  # noqa: NPY002


def as_it_is(samples: list) -> list:
    return samples


def everything(samples: list) -> dict:
    """A batch of all kinds of things."""
    x = nd.concat(*[one[0].expand_dims(0) for one in samples], dim=0)
    large = np.arange(60000, dtype="float32").reshape(200, 300)
    return {
        "NDArray": x,
        "transposed": x.transpose((0, 2, 3, 1)),
        "twice": [large, large],
        "part": large[::2, 1:],
        "fortran": np.asfortranarray(large),
        "empty": nd.zeros((0, 3)),
        "objects": np.array([None, "x"] * 20000, dtype=object),
        "dates": np.arange(9000).astype("M8[D]"),
        "text": "x" * 50000,
        "numbers": [one[2] for one in samples],
    }


def broken(samples: list) -> None:
    raise ValueError(f"no batch of {len(samples)}")


def not_to_be_sent(samples: list) -> object:
    return lambda: samples
