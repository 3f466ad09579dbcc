"""Data sets of pictures, read by MegEngine and by gluon from the same files.

``tests/reference/make_megengine_pictures.py`` writes what MegEngine reads.
"""

from __future__ import annotations

import gzip
import os
import pickle
import tarfile
import tempfile
from importlib import import_module

import numpy as np


def described(one):
    """A sample or what a head says, as JSON can hold it."""
    if isinstance(one, (tuple, list)):
        return [described(part) for part in one]
    if isinstance(one, dict):
        return {str(key): described(value) for key, value in one.items()}
    if isinstance(one, (np.ndarray, np.generic)):
        values = np.asarray(one)
        return [str(values.dtype), list(values.shape), values.ravel()[:24].tolist()]
    return one.decode() if isinstance(one, bytes) else one


def mnist(vision, folder):
    rng = np.random.RandomState(0)
    for name, length in zip(vision.MNIST.raw_file_name, (3, 3, 2, 2)):
        images = "images" in name
        head = [2051, length, 4, 5] if images else [2049, length]
        values = rng.randint(0, 256 if images else 10, (length, 20 if images else 1), "uint8")
        with gzip.open(os.path.join(folder, name), "wb") as file:
            file.write(np.array(head, ">i4").tobytes() + values.tobytes())
    sets = [vision.MNIST(folder, train=train, download=False) for train in (True, False)]
    return [[len(one), one[1], one.meta, one.order] for one in sets]


def cifar(vision, folder, kind, keys):
    kind = getattr(vision, kind)
    inside = os.path.join(folder, kind.raw_file_dir)
    os.mkdir(inside)
    rng = np.random.RandomState(0)
    for name in (*kind.train_batch, *kind.test_batch):
        content = {b"data": rng.randint(0, 256, (2, 3072), "uint8")}
        content |= {key: rng.randint(0, 10, 2).tolist() for key in keys}
        with open(os.path.join(inside, name), "wb") as file:
            pickle.dump(content, file)
    with open(os.path.join(inside, kind.meta_info["name"]), "wb") as file:
        pickle.dump({b"label_names": [b"a", b"b"]}, file)
    with tarfile.open(os.path.join(folder, kind.raw_file_name), "w:gz") as archive:
        archive.add(inside, kind.raw_file_dir)
    packed = os.path.join(folder, "packed")
    os.mkdir(packed)
    utils = import_module("megengine.data.dataset.vision.utils")
    utils.untargz(os.path.join(folder, kind.raw_file_name), packed)
    sets = [
        kind(root, train=train, download=False) for root, train in ((folder, True), (packed, False))
    ]
    return [[len(one), one[1], one.meta] for one in sets]


def folders(vision, folder):
    for name in ("b/2.png", "a/sub/1.PNG", "a/0.txt", "a/z.bmp", "c.png"):
        path = os.path.join(folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb"):
            pass
    plain, named = vision.ImageFolder(folder), vision.ImageFolder(folder, class_name=True)
    chosen = vision.ImageFolder(folder, check_valid_func=lambda path: path.endswith(".txt"))
    return [
        [(os.path.relpath(path, folder), label) for path, label in one.samples]
        for one in (plain, named, chosen)
    ] + [plain.class_dict, len(plain)]


def utilities(vision, folder):
    utils = import_module("megengine.data.dataset.vision.utils")
    path = os.path.join(folder, "a")
    with open(path, "wb") as file:
        file.write(b"abc" * 5000)
    return utils.calculate_md5(path), [utils.is_img(one) for one in ("a.JPG", "b.gif", "webp")]


def refuses(kind, call):
    """Whether a call raises an error of a kind."""
    try:
        call()
    except kind:
        return True
    return False


def refused(vision, folder):
    utils, mnist = (
        import_module(f"megengine.data.dataset.vision.{name}") for name in ("utils", "mnist")
    )
    empty, some = os.path.join(folder, "none"), ("image",)
    return [
        refuses(ValueError, lambda: vision.MNIST(empty, download=False)),
        refuses(ValueError, lambda: vision.MNIST(folder, download=False)),
        refuses(ValueError, lambda: vision.CIFAR10(folder, download=False)),
        refuses(ValueError, lambda: vision.VisionDataset(folder, order=3)),
        refuses(
            NotImplementedError,
            lambda: vision.VisionDataset(folder, order=("x",), supported_order=some),
        ),
        refuses(ValueError, lambda: utils.untargz("a.zip")),
        refuses(AssertionError, lambda: mnist.parse_idx1("a")),
    ]


CASES = {
    "MNIST": mnist,
    "CIFAR10": lambda *args: cifar(*args, "CIFAR10", [b"labels"]),
    "CIFAR100": lambda *args: cifar(*args, "CIFAR100", [b"fine_labels", b"coarse_labels"]),
    "ImageFolder": folders,
    "utilities": utilities,
    "refused": refused,
}


def outcome(name):
    """What a case gives."""
    with tempfile.TemporaryDirectory() as folder:
        return described(CASES[name](import_module("megengine.data.dataset.vision"), folder))
