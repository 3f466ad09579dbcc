"""Image datasets, from local files."""

from __future__ import annotations

import os
import tarfile
import zlib
from collections.abc import Callable, Sequence
from itertools import count
from numbers import Number
from typing import Any

import numpy as np

from ... import image, recordio
from ..._core.arrays.interfaces import chosen_class
from ..._core.engine.array import wrap
from ..._core.errors import ArgumentError, DTypeError, GluonError, MissingFileError, warn_caller
from ...io.files import read_idx
from ...nd.files import MOST_DEFLATED
from ...recordio.files import lines_of
from ..dataset import Dataset, RecordFileDataset, _DownloadedDataset

__all__ = [
    "CIFAR10",
    "CIFAR100",
    "MNIST",
    "FashionMNIST",
    "ImageFolderDataset",
    "ImageListDataset",
    "ImageRecordDataset",
]
#: Where MXNet stores its datasets.
ROOT = os.path.join(os.environ.get("MXNET_HOME", os.path.join("~", ".mxnet")), "datasets")
EXTENSIONS = (".jpg", ".jpeg", ".png")
Transform = Callable[[Any, Any], Any]


# ------------------------------------------------------------------------- files of numbers


class MNIST(_DownloadedDataset):
    """Handwritten digits: images (28, 28, 1) of uint8, and labels of int32.

    `root` must contain the files ``train-images-idx3-ubyte.gz`` and
    ``train-labels-idx1-ubyte.gz``, ``t10k-images-idx3-ubyte.gz`` and
    ``t10k-labels-idx1-ubyte.gz``, compressed or not.

    Parameters
    ----------
    root : str, default '~/.mxnet/datasets/mnist'
        The environment variable ``MXNET_HOME`` replaces ``~/.mxnet``.
    train : bool, default True
        True for the training set, False for the test set.
    transform : callable, optional
        Called with an image and its label; it returns the sample.

    Raises
    ------
    MissingFileError
        If a file does not exist; the message names it.
    GluonError
        If a file is damaged.

    Examples
    --------
    >>> import struct, tempfile
    >>> from gluon.data import vision
    >>> folder = tempfile.mkdtemp()  # with two empty images instead of the real ones
    >>> with open(f"{folder}/t10k-images-idx3-ubyte", "wb") as file:
    ...     _ = file.write(struct.pack(">4i", 2051, 2, 28, 28) + bytes(2 * 28 * 28))
    >>> with open(f"{folder}/t10k-labels-idx1-ubyte", "wb") as file:
    ...     _ = file.write(struct.pack(">2i", 2049, 2) + bytes([7, 2]))
    >>> digits = vision.MNIST(folder, train=False)
    >>> picture, label = digits[0]
    >>> len(digits), picture.shape, int(label)
    (2, (28, 28, 1), 7)
    """

    def __init__(
        self,
        root: str = os.path.join(ROOT, "mnist"),
        train: bool = True,
        transform: Transform | None = None,
    ) -> None:
        self._train = train
        super().__init__(root, transform)

    def _get_data(self) -> None:
        part = "train" if self._train else "t10k"
        pictures = self._numbers(f"{part}-images-idx3-ubyte", 3)
        labels = self._numbers(f"{part}-labels-idx1-ubyte", 1)
        if len(pictures) != len(labels):
            raise GluonError(
                f"{type(self).__name__}: {len(pictures)} images and {len(labels)} labels in"
                f" {self._root!r} belong to different data sets"
            )
        self._data, self._label = wrap(chosen_class(), pictures[..., None]), labels.astype(np.int32)

    def _numbers(self, name: str, axes: int) -> np.ndarray:
        try:
            return read_idx(type(self).__name__, os.path.join(self._root, name), axes)
        except MissingFileError:
            raise self._missing(f"file {name}.gz") from None


class FashionMNIST(MNIST):
    """Images of clothing, in the format of `MNIST`.

    Parameters
    ----------
    root : str, default '~/.mxnet/datasets/fashion-mnist'
        The environment variable ``MXNET_HOME`` replaces ``~/.mxnet``.
    train : bool, default True
        True for the training set, False for the test set.
    transform : callable, optional
        Called with an image and its label; it returns the sample.

    Raises
    ------
    MissingFileError
        If a file does not exist; the message names it.
    GluonError
        If a file is damaged.

    Examples
    --------
    >>> import struct, tempfile
    >>> from gluon.data import vision
    >>> folder = tempfile.mkdtemp()  # with two empty images instead of the real ones
    >>> with open(f"{folder}/t10k-images-idx3-ubyte", "wb") as file:
    ...     _ = file.write(struct.pack(">4i", 2051, 2, 28, 28) + bytes(2 * 28 * 28))
    >>> with open(f"{folder}/t10k-labels-idx1-ubyte", "wb") as file:
    ...     _ = file.write(struct.pack(">2i", 2049, 2) + bytes([9, 2]))
    >>> clothes = vision.FashionMNIST(folder, train=False)
    >>> len(clothes), int(clothes[0][1])
    (2, 9)
    """

    def __init__(
        self,
        root: str = os.path.join(ROOT, "fashion-mnist"),
        train: bool = True,
        transform: Transform | None = None,
    ) -> None:
        super().__init__(root, train, transform)


class CIFAR10(_DownloadedDataset):
    """Images (32, 32, 3) of uint8 in ten classes, and labels of int32.

    `root` must contain the binary files ``data_batch_1.bin`` to ``data_batch_5.bin`` and
    ``test_batch.bin``, or ``cifar-10-binary.tar.gz`` with these inside.

    Parameters
    ----------
    root : str, default '~/.mxnet/datasets/cifar10'
        The environment variable ``MXNET_HOME`` replaces ``~/.mxnet``.
    train : bool, default True
        True for the training set, False for the test set.
    transform : callable, optional
        Called with an image and its label; it returns the sample.

    Raises
    ------
    MissingFileError
        If a file does not exist; the message names it.
    GluonError
        If a file is damaged.

    Examples
    --------
    >>> import tempfile
    >>> from gluon.data import vision
    >>> folder = tempfile.mkdtemp()  # with one empty image instead of the real ones
    >>> with open(f"{folder}/test_batch.bin", "wb") as file:
    ...     _ = file.write(bytes([3]) + bytes(3 * 32 * 32))
    >>> picture, label = vision.CIFAR10(folder, train=False)[0]
    >>> picture.shape, int(label)
    ((32, 32, 3), 3)
    """

    _archive = "cifar-10-binary.tar.gz"
    _files: tuple[Sequence[str], Sequence[str]] = (
        [f"data_batch_{k}.bin" for k in range(1, 6)],
        ["test_batch.bin"],
    )
    #: The number of labels before each image, and the position of the one to use.
    _labels, _which = 1, 0

    def __init__(
        self,
        root: str = os.path.join(ROOT, "cifar10"),
        train: bool = True,
        transform: Transform | None = None,
    ) -> None:
        self._train = train
        super().__init__(root, transform)

    def _get_data(self) -> None:
        names = self._files[0 if self._train else 1]
        records = np.concatenate([self._records(*one) for one in self._contents(names).items()])
        pictures, self._label = self._parts(records)
        self._data = wrap(chosen_class(), np.ascontiguousarray(pictures))

    def _parts(self, records: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the images and the labels in the records."""
        pictures = records[:, self._labels :].reshape(-1, 3, 32, 32).transpose(0, 2, 3, 1)
        return pictures, records[:, self._which].astype(np.int32)

    def _contents(self, names: Sequence[str]) -> dict[str, bytes]:
        """Return the content of files, from the folder or from the archive in it."""
        paths = {name: os.path.join(self._root, name) for name in names}
        missing = [name for name in names if not os.path.exists(paths[name])]
        if not missing:
            found = {}
            for name, path in paths.items():
                with open(path, "rb") as file:
                    found[name] = file.read()
            return found
        archive = os.path.join(self._root, self._archive)
        if not os.path.exists(archive):
            raise self._missing(f"file {missing[0]}, or {self._archive} that holds it,")
        try:
            with tarfile.open(archive) as tar:
                members = {os.path.basename(one.name): one for one in tar if one.isfile()}
                most = os.path.getsize(archive) * MOST_DEFLATED
                if any(members[name].size > most for name in names):
                    raise EOFError("a file in it is larger than it can hold")
                return {name: tar.extractfile(members[name]).read() for name in names}  # type: ignore[union-attr]
        except (EOFError, KeyError, OSError, ValueError, tarfile.TarError, zlib.error) as error:
            raise GluonError(
                f"{type(self).__name__}: {archive!r} is damaged, or lacks a file: {error}"
            ) from error

    def _records(self, name: str, content: bytes) -> np.ndarray:
        size = self._labels + 3 * 32 * 32
        if len(content) % size or not content:
            raise GluonError(
                f"{type(self).__name__}: {name} in {self._root!r} is damaged: it has"
                f" {len(content)} bytes, not a multiple of the record size {size}"
            )
        return np.frombuffer(content, np.uint8).reshape(-1, size)


class CIFAR100(CIFAR10):
    """Images as in `CIFAR10`, in 100 classes and 20 superclasses.

    `root` must contain the binary files ``train.bin`` and ``test.bin``, or
    ``cifar-100-binary.tar.gz`` with these inside.

    Parameters
    ----------
    root : str, default '~/.mxnet/datasets/cifar100'
        The environment variable ``MXNET_HOME`` replaces ``~/.mxnet``.
    fine_label : bool, default False
        True for the 100 classes, False for the 20 superclasses.
    train : bool, default True
        True for the training set, False for the test set.
    transform : callable, optional
        Called with an image and its label; it returns the sample.

    Raises
    ------
    MissingFileError
        If a file does not exist; the message names it.
    GluonError
        If a file is damaged.

    Examples
    --------
    >>> import tempfile
    >>> from gluon.data import vision
    >>> folder = tempfile.mkdtemp()  # with one empty image instead of the real ones
    >>> with open(f"{folder}/test.bin", "wb") as file:
    ...     _ = file.write(bytes([3, 42]) + bytes(3 * 32 * 32))
    >>> [int(vision.CIFAR100(folder, fine, train=False)[0][1]) for fine in (False, True)]
    [3, 42]
    """

    _archive = "cifar-100-binary.tar.gz"
    _files = (["train.bin"], ["test.bin"])
    _labels = 2

    def __init__(
        self,
        root: str = os.path.join(ROOT, "cifar100"),
        fine_label: bool = False,
        train: bool = True,
        transform: Transform | None = None,
    ) -> None:
        self._which = int(fine_label)
        super().__init__(root, train, transform)


# ------------------------------------------------------------------------ files of images


class ImageRecordDataset(RecordFileDataset):
    """Dataset of the images and labels in a record file; requires Pillow or OpenCV.

    Parameters
    ----------
    filename : str
        The path of the file ``name.rec``; ``name.idx`` must be next to it.
    flag : {0, 1}, default 1
        0 for grey images, 1 for RGB images.
    transform : callable, optional
        Called with an image and its label; it returns the sample.

    Raises
    ------
    MissingFileError
        If the file or its index does not exist.

    Examples
    --------
    >>> import tempfile
    >>> import numpy as np
    >>> from gluon import recordio
    >>> from gluon.data import vision
    >>> folder = tempfile.mkdtemp()
    >>> file = recordio.MXIndexedRecordIO(f"{folder}/a.idx", f"{folder}/a.rec", "w")
    >>> picture = np.zeros((6, 8, 3), "uint8")
    >>> file.write_idx(0, recordio.pack_img(recordio.IRHeader(0, 5, 0, 0), picture, 9, ".png"))
    >>> file.close()
    >>> picture, label = vision.ImageRecordDataset(f"{folder}/a.rec")[0]
    >>> picture.shape, label
    ((6, 8, 3), 5.0)
    """

    def __init__(self, filename: str, flag: int = 1, transform: Transform | None = None) -> None:
        super().__init__(filename)
        self._flag, self._transform = flag, transform

    def __getitem__(self, idx: int) -> Any:
        header, data = recordio.unpack(super().__getitem__(idx))
        sample = image.imdecode(data, self._flag), header.label
        return sample if self._transform is None else self._transform(*sample)


class ImageFolderDataset(Dataset):
    """Dataset of the images in a folder with one subfolder per class.

    It needs Pillow or OpenCV.

    Parameters
    ----------
    root : str
        The folder, such as ``pets`` of ``pets/cat/1.jpg`` and ``pets/dog/1.png``.
    flag : {0, 1}, default 1
        0 for grey images, 1 for RGB images.
    transform : callable, optional
        Called with an image and its label; it returns the sample.

    Attributes
    ----------
    synsets : list of str
        The names of the folders; a label is an index into this list.
    items : list of tuple
        The path and the label of each image.

    Raises
    ------
    MissingFileError
        If the folder does not exist.

    Examples
    --------
    >>> import os, tempfile
    >>> import numpy as np
    >>> from gluon import recordio
    >>> from gluon.data import vision
    >>> picture = np.zeros((6, 8, 3), "uint8")
    >>> header = recordio.IRHeader(0, 0, 0, 0)
    >>> content = recordio.unpack(recordio.pack_img(header, picture, 9, ".png"))[1]
    >>> folder = tempfile.mkdtemp()
    >>> for kind in ("cat", "dog"):
    ...     os.mkdir(f"{folder}/{kind}")
    ...     with open(f"{folder}/{kind}/1.png", "wb") as file:
    ...         _ = file.write(content)
    >>> pets = vision.ImageFolderDataset(folder)
    >>> len(pets), pets.synsets, pets[1][1]
    (2, ['cat', 'dog'], 1)
    """

    def __init__(self, root: str, flag: int = 1, transform: Transform | None = None) -> None:
        self._root = os.path.expanduser(root)
        self._flag, self._transform = flag, transform
        self._exts = list(EXTENSIONS)
        self.synsets: list[str] = []
        self.items: list[tuple[str, int]] = []
        if not os.path.isdir(self._root):
            raise MissingFileError(
                f"ImageFolderDataset: cannot find the folder {self._root!r}; it should hold a"
                " folder"
                " of images for each label"
            )
        self._list_images(self._root)

    def _list_images(self, root: str) -> None:
        for folder in sorted(os.listdir(root)):
            path = os.path.join(root, folder)
            if not os.path.isdir(path):
                warn_caller(f"{path} is ignored: it is not a folder")
                continue
            for name in sorted(os.listdir(path)):
                if os.path.splitext(name)[1].lower() in self._exts:
                    self.items.append((os.path.join(path, name), len(self.synsets)))
                else:
                    warn_caller(
                        f"{os.path.join(path, name)} is ignored: its name does not end with any of"
                        f" {', '.join(self._exts)}"
                    )
            self.synsets.append(folder)

    def __getitem__(self, idx: int) -> Any:
        path, label = self.items[idx]
        picture = image.imread(path, self._flag)
        return (picture, label) if self._transform is None else self._transform(picture, label)

    def __len__(self) -> int:
        return len(self.items)


class ImageListDataset(Dataset):
    """Dataset of listed image files, each with one or more labels; requires Pillow or OpenCV.

    Parameters
    ----------
    root : str, default '.'
        The folder of the files.
    imglist : str or list
        A file in `root`, with lines of a number, labels and a path, separated by tabs; or a list
        of such items as ``[label, path]``, ``[label, label, path]`` or ``[[label, ...], path]``.
    flag : {0, 1}, default 1
        0 for grey images, 1 for RGB images.

    Raises
    ------
    ArgumentError
        If an item has another form.
    DTypeError
        If `imglist` is neither a path nor a list.
    MissingFileError
        If the file does not exist.

    Examples
    --------
    >>> import tempfile
    >>> import numpy as np
    >>> from gluon import recordio
    >>> from gluon.data import vision
    >>> picture = np.zeros((6, 8, 3), "uint8")
    >>> header = recordio.IRHeader(0, 0, 0, 0)
    >>> content = recordio.unpack(recordio.pack_img(header, picture, 9, ".png"))[1]
    >>> folder = tempfile.mkdtemp()
    >>> with open(f"{folder}/1.png", "wb") as file:
    ...     _ = file.write(content)
    >>> picture, label = vision.ImageListDataset(folder, [[5, "1.png"]])[0]
    >>> picture.shape, label
    ((6, 8, 3), array([5.], dtype=float32))
    """

    items: Any

    def __init__(self, root: str = ".", imglist: Any = None, flag: int = 1) -> None:
        self._root, self._flag = os.path.expanduser(root), flag
        if isinstance(imglist, str):
            path = os.path.join(self._root, imglist)
            lines = [line.strip() for _, line in lines_of("ImageListDataset", path)]
            items = [line.split("\t")[1:] for line in lines if line]
        elif isinstance(imglist, (list, tuple)):
            items = list(imglist)
        else:
            raise DTypeError(
                f"ImageListDataset: imglist={imglist!r} is neither a path nor a list of"
                " [label, path]"
            )
        self.items = [self._item(number, one) for number, one in zip(count(1), items)]

    def _item(self, number: int, item: Sequence[Any]) -> tuple[str, np.ndarray]:
        try:
            first, *others, path = item
            first = [first, *others] if others else first
            numbers = [first] if isinstance(first, (Number, str)) else first
            return os.path.join(self._root, path), np.asarray(numbers, np.float32)
        except (TypeError, ValueError) as error:
            raise ArgumentError(
                f"ImageListDataset: item {number}, {item!r}, is not labels and a path: {error}"
            ) from None

    def __getitem__(self, idx: int) -> Any:
        path, labels = self.items[idx]
        return image.imread(path, self._flag), labels

    def __len__(self) -> int:
        return len(self.items)
