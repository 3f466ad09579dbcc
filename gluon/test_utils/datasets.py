"""Files for tests. Files that MXNet downloads from servers that no longer exist must be local."""

from __future__ import annotations

import bz2
import os
import shutil
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from .. import utils
from .._core.errors import MissingFileError
from ..data.vision import MNIST
from ..data.vision.datasets import ROOT
from ..io import MNISTIter

MNIST_FILES = tuple(
    f"{part}-{kind}-ubyte" for part in ("train", "t10k") for kind in ("images-idx3", "labels-idx1")
)
MODELS = (
    "imagenet1k-inception-bn imagenet1k-resnet-18 imagenet1k-resnet-34 imagenet1k-resnet-50"
    " imagenet1k-resnet-101 imagenet1k-resnet-152 imagenet1k-resnext-50 imagenet1k-resnext-101"
    " imagenet1k-resnext-101-64x4d imagenet11k-resnet-152 imagenet11k-place365ch-resnet-152"
    " imagenet11k-place365ch-resnet-50"
).split()


def download(
    url: str,
    fname: str | None = None,
    dirname: str | None = None,
    overwrite: bool = False,
    retries: int = 5,
) -> str:
    """Download a file, unless it already exists; see `utils.download`.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from gluon import test_utils
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> _ = (folder / "a.txt").write_text("content")
    >>> path = test_utils.download((folder / "a.txt").as_uri(), fname="b.txt", dirname=str(folder))
    >>> pathlib.Path(path).read_text()
    'content'
    """
    fname = url.split("/")[-1] if fname is None else fname
    path = fname if dirname is None else os.path.join(dirname, fname)
    return utils.download(url, path=path, overwrite=overwrite, retries=retries)


def download_model(
    model_name: str,
    dst_dir: str = "./",
    meta_info: Mapping[str, Mapping[str, str]] | None = None,
) -> tuple[str | None, int]:
    """Find the two files of a trained network, ``<name>-symbol.json`` and ``<name>-0000.params``.

    Examples
    --------
    >>> from gluon import test_utils
    >>> test_utils.download_model("no-such-network")
    (None, 0)
    """
    if model_name not in (MODELS if meta_info is None else meta_info):
        return None, 0
    prefix = os.path.join(dst_dir, model_name)
    files = {"symbol": f"{prefix}-symbol.json", "params": f"{prefix}-0000.params"}
    if meta_info is None:
        _require("download_model", files.values())
        return prefix, 0
    os.makedirs(dst_dir, exist_ok=True)
    for kind, file in files.items():
        download(meta_info[model_name][kind], file)
    return prefix, 0


def get_mnist() -> dict[str, np.ndarray]:
    """The MNIST handwritten digits.

    They are read from the local files ``train-images-idx3-ubyte.gz``,
    ``train-labels-idx1-ubyte.gz``, ``t10k-images-idx3-ubyte.gz`` and
    ``t10k-labels-idx1-ubyte.gz``, compressed or not, in the current folder, in ``data``, or where
    `data.vision.MNIST` looks.

    Examples
    --------
    >>> from gluon import test_utils
    >>> digits = test_utils.get_mnist()  # doctest: +SKIP
    >>> digits["train_data"].shape, digits["train_label"].shape  # doctest: +SKIP
    ((60000, 1, 28, 28), (60000,))
    """
    folders = (".", "data", os.path.expanduser(os.path.join(ROOT, "mnist")))
    for folder in folders:
        if all(_there(os.path.join(folder, name)) for name in MNIST_FILES):
            break
    else:
        raise MissingFileError(
            f"get_mnist: the files {', '.join(f'{name}.gz' for name in MNIST_FILES)} are in none of"
            f" the folders {', '.join(map(os.path.abspath, folders))}, and the server from which"
            " MXNet fetched them is gone: put them into one of these"
        )
    found: dict[str, np.ndarray] = {}
    for name, part in (("train", MNIST(folder, train=True)), ("test", MNIST(folder, train=False))):
        images = part._data.asnumpy().transpose(0, 3, 1, 2)
        found[f"{name}_data"] = images.astype(np.float32) / 255
        found[f"{name}_label"] = part._label.astype(np.int8)
    return found


def get_mnist_pkl() -> None:
    """Check that the file ``data/mnist.pkl.gz`` exists.

    Examples
    --------
    >>> from gluon import GluonError, test_utils
    >>> try:
    ...     test_utils.get_mnist_pkl()
    ... except GluonError:
    ...     print("the message says which files are missing")
    the message says which files are missing
    """
    _require("get_mnist_pkl", [os.path.join("data", "mnist.pkl.gz")])


def get_mnist_ubyte() -> None:
    """Check that the four uncompressed files of the handwritten digits are in ``data``.

    If ``data/mnist.zip`` exists, they are extracted from it.

    Examples
    --------
    >>> from gluon import GluonError, test_utils
    >>> try:
    ...     test_utils.get_mnist_ubyte()
    ... except GluonError:
    ...     print("the message says which files are missing")
    the message says which files are missing
    """
    _unpacked("get_mnist_ubyte", "mnist.zip", MNIST_FILES)


def get_mnist_iterator(
    batch_size: int, input_shape: tuple[int, ...], num_parts: int = 1, part_index: int = 0
) -> tuple[MNISTIter, MNISTIter]:
    """Iterators over the handwritten digits in ``data``: for training, shuffled, and validation.

    Examples
    --------
    >>> from gluon import GluonError, test_utils
    >>> try:
    ...     test_utils.get_mnist_iterator(100, (784,))
    ... except GluonError:
    ...     print("the message says which files are missing")
    the message says which files are missing
    """
    get_mnist_ubyte()
    images, labels = MNIST_FILES[::2], MNIST_FILES[1::2]
    training, validation = (
        MNISTIter(
            image=os.path.join("data", image),
            label=os.path.join("data", label),
            shuffle=image is MNIST_FILES[0],
            flat=len(input_shape) != 3,
            batch_size=batch_size,
            num_parts=num_parts,
            part_index=part_index,
        )
        for image, label in zip(images, labels)
    )
    return training, validation


def get_cifar10() -> None:
    """Check that ``train.rec``, ``test.rec``, ``train.lst`` and ``test.lst`` are in ``data/cifar``.

    If ``data/cifar10.zip`` exists, they are extracted from it.

    Examples
    --------
    >>> from gluon import GluonError, test_utils
    >>> try:
    ...     test_utils.get_cifar10()
    ... except GluonError:
    ...     print("the message says which files are missing")
    the message says which files are missing
    """
    names = ("train.rec", "test.rec", "train.lst", "test.lst")
    _unpacked("get_cifar10", "cifar10.zip", [os.path.join("cifar", name) for name in names])


def get_zip_data(data_dir: str, url: str, data_origin_name: str) -> None:
    """Download a ZIP archive, unless it already exists, and extract it.

    Examples
    --------
    >>> import pathlib, tempfile, zipfile
    >>> from gluon import test_utils
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> with zipfile.ZipFile(folder / "source.zip", "w") as file:
    ...     file.writestr("a.txt", "content")
    >>> test_utils.get_zip_data(str(folder / "data"), (folder / "source.zip").as_uri(), "data.zip")
    >>> (folder / "data" / "a.txt").read_text()
    'content'
    """
    archive = os.path.join(data_dir, data_origin_name)
    if not os.path.exists(archive):
        download(url, fname=archive)
        with zipfile.ZipFile(archive) as file:
            file.extractall(data_dir)


def get_bz2_data(data_dir: str, data_name: str, url: str, data_origin_name: str) -> None:
    """Download a file compressed with bzip2, and decompress it, unless it already exists.

    Examples
    --------
    >>> import bz2, pathlib, tempfile
    >>> from gluon import test_utils
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> _ = (folder / "source.bz2").write_bytes(bz2.compress(b"content"))
    >>> url = (folder / "source.bz2").as_uri()
    >>> test_utils.get_bz2_data(str(folder / "data"), "a.txt", url, "a.txt.bz2")
    >>> (folder / "data" / "a.txt").read_text()
    'content'
    """
    target, packed = os.path.join(data_dir, data_name), os.path.join(data_dir, data_origin_name)
    if os.path.exists(target):
        return
    download(url, fname=packed)
    with bz2.open(packed) as source, open(target, "wb") as file:
        shutil.copyfileobj(source, file)
    os.remove(packed)


def get_im2rec_path(home_env: str = "MXNET_HOME") -> str:
    """Unsupported: the path of MXNet's program ``im2rec.py``.

    Examples
    --------
    >>> from gluon import GluonError, test_utils
    >>> try:
    ...     test_utils.get_im2rec_path()
    ... except GluonError:
    ...     print("it is a program of MXNet's")
    it is a program of MXNet's
    """
    home = os.environ.get(home_env, "")
    paths = [os.path.join(home, *up, "tools", "im2rec.py") for up in ((), ("..", ".."))]
    for path in paths if home else ():
        if os.path.isfile(path):
            return path
    raise MissingFileError(
        f"get_im2rec_path: gluon has no im2rec.py; set {home_env} to a folder that has"
        " tools/im2rec.py, or write record files with recordio.MXIndexedRecordIO"
    )


class DummyIter:
    """Repeats the first batch of an iterator forever, to measure speed.

    Examples
    --------
    >>> from gluon import io, nd, test_utils
    >>> batches = test_utils.DummyIter(io.NDArrayIter(nd.arange(4), batch_size=2))
    >>> [batches.next().data[0].asnumpy().tolist() for _ in range(3)]
    [[0.0, 1.0], [0.0, 1.0], [0.0, 1.0]]
    >>> batches.reset()
    """

    batch_size: Any
    provide_data: Any
    provide_label: Any
    the_batch: Any

    def __init__(self, real_iter: Any) -> None:
        self.real_iter = real_iter
        self.provide_data = real_iter.provide_data
        self.provide_label = real_iter.provide_label
        self.batch_size = real_iter.batch_size
        self.the_batch = next(real_iter)

    def __iter__(self) -> Iterator[Any]:
        return self

    def __next__(self) -> Any:
        return self.the_batch

    def next(self) -> Any:
        """The batch."""
        return self.the_batch

    def reset(self) -> None:
        """Do nothing: the batch is always the same."""


def _there(path: str) -> bool:
    return os.path.exists(path) or os.path.exists(f"{path}.gz")


def _require(function: str, files: Iterable[str]) -> None:
    for file in files:
        if not os.path.exists(file):
            raise MissingFileError(
                f"{function}: cannot find {os.path.abspath(file)}, and the server from which MXNet"
                " fetched it is gone: put it there"
            )


def _unpacked(function: str, archive: str, names: Iterable[str]) -> None:
    """Find files in ``data`` or in an archive there."""
    files = [os.path.join("data", name) for name in names]
    packed = os.path.join("data", archive)
    if not all(map(os.path.exists, files)) and os.path.exists(packed):
        with zipfile.ZipFile(packed) as file:
            file.extractall("data")
    _require(function, files)
