"""Image datasets, from local files."""

from __future__ import annotations

import gzip
import hashlib
import os
import tarfile
from collections.abc import Callable, Sequence
from typing import Any, ClassVar

import numpy as np

from ... import image
from ..._core.arrays.unpickling import Known, unpickle
from ..._core.errors import ArgumentError, GluonError
from ..._hook.errors import CheckError
from .dataset import Dataset

__all__ = ["CIFAR10", "CIFAR100", "MNIST", "ImageFolder", "VisionDataset"]
IMG_EXT = (".jpg", ".png", ".jpeg", ".ppm", ".bmp", ".pgm", ".tif", ".tiff", ".webp")


def _default_dataset_root() -> str:
    cache = os.getenv("XDG_CACHE_HOME", os.path.join("~", ".cache"))
    return os.path.expanduser(os.path.join(cache, "megengine"))


def is_img(filename: str) -> bool:
    """Whether a file is an image, by its extension."""
    return filename.lower().endswith(IMG_EXT)


def calculate_md5(filename: str) -> str:
    """The MD5 sum of a file, in hexadecimal digits."""
    with open(filename, "rb") as file:
        return hashlib.md5(file.read(), usedforsecurity=False).hexdigest()


def untar(path: str, to: str | None = None, remove: bool = False) -> None:
    """Unpack an archive beside itself, or into another folder."""
    safely = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}  # newer Pythons
    with tarfile.open(path) as archive:
        archive.extractall(to or os.path.dirname(path), **safely)  # type: ignore[arg-type]
    if remove:
        os.remove(path)


def untargz(path: str, to: str | None = None, remove: bool = False) -> None:
    """Unpack an archive whose name ends in ``.tar.gz``."""
    if not path.endswith(".tar.gz"):
        raise ArgumentError(f"untargz: {path!r} does not end in .tar.gz")
    untar(path, to, remove)


class VisionDataset(Dataset):
    """Base class of image datasets.

    Parameters
    ----------
    root : str
        The folder with the files.
    order : sequence of str, default ('image',)
        The parts of a sample.
    supported_order : sequence of str, optional
        The parts that are supported.

    Raises
    ------
    ArgumentError
        If `order` is not a sequence.
    NotImplementedError
        If a part of it is not supported.

    Examples
    --------
    >>> VisionDataset("pictures", order=("image", "mask")).order
    ('image', 'mask')
    """

    order: Any

    def __init__(self, root: Any, *, order: Any = None, supported_order: Any = None) -> None:
        self.root: Any = os.path.expanduser(root) if isinstance(root, (str, bytes)) else root
        self.order = ("image",) if order is None else order
        if not isinstance(self.order, Sequence):
            raise ArgumentError(f"{type(self).__name__}: order must be a sequence, not {order!r}")
        for one in self.order if supported_order is not None else ():
            if one not in supported_order:
                raise NotImplementedError(
                    f"{type(self).__name__}: {one!r} must be one of {supported_order}"
                )


class _Stored(VisionDataset):
    """Base of datasets that are read into memory on creation."""

    arrays: tuple[Any, ...]

    def __init__(self, root: str | None) -> None:
        super().__init__(root or self._default_root, order=("image", "image_category"))

    @property
    def _default_root(self) -> str:
        return os.path.join(_default_dataset_root(), type(self).__name__)

    def _missing(self, name: str) -> GluonError:
        return ArgumentError(
            f"{type(self).__name__}: cannot find {name} in {self.root!r}; gluon downloads nothing,"
            " so put it there"
        )

    def __getitem__(self, index: int) -> tuple[Any, ...]:
        return tuple(array[index] for array in self.arrays)

    def __len__(self) -> int:
        return len(self.arrays[0])


def parse_idx3(idx3_file: str) -> tuple[dict[str, int], list[np.ndarray]]:
    """Parse an MNIST image file: its header and images."""
    (magic, count, height, width), values = _idx(idx3_file, 4)
    head = {"magic": magic, "imgs": count, "height": height, "width": width}
    return head, list(values.reshape(-1, height, width, 1).copy())


def parse_idx1(idx1_file: str) -> tuple[dict[str, int], np.ndarray]:
    """Parse an MNIST label file: its header and labels."""
    (magic, count), values = _idx(idx1_file, 2)
    return {"magic": magic, "imgs": count}, values.astype(int)


def _idx(path: str, count: int) -> tuple[list[int], np.ndarray]:
    if not path.endswith(".gz"):
        raise CheckError(f"{path!r} does not end in .gz")
    with gzip.open(path) as file:
        content = file.read()
    head = np.frombuffer(content, ">i4", count).tolist()
    return head, np.frombuffer(content, np.uint8, offset=4 * count)


class MNIST(_Stored):
    """Handwritten digits (28, 28, 1) and their classes, from the four packed files of MNIST.

    Parameters
    ----------
    root : str, optional
        The folder with the files, ``~/.cache/megengine/MNIST`` by default.
    train : bool, default True
        True for the training set, False for the test set.
    download : bool
        Ignored: nothing is downloaded.

    Raises
    ------
    ArgumentError
        If a file is missing.

    Examples
    --------
    >>> import gzip, os, tempfile
    >>> import numpy as np
    >>> folder = tempfile.mkdtemp()
    >>> heads = ([0, 1, 2, 2], [0, 1]) * 2
    >>> for name, head, size in zip(MNIST.raw_file_name, heads, (4, 1) * 2):
    ...     with gzip.open(os.path.join(folder, name), "wb") as file:
    ...         _ = file.write(np.array(head, ">i4").tobytes() + bytes([1] * size))
    >>> digits = MNIST(folder)
    >>> image, label = digits[0]
    >>> image.shape, int(label)
    ((2, 2, 1), 1)
    >>> digits.process(train=False)
    >>> len(digits)
    1
    """

    arrays: tuple[Any, ...]

    raw_file_name: ClassVar[list[str]] = [
        f"{part}-{kind}-ubyte.gz"
        for part in ("train", "t10k")
        for kind in ("images-idx3", "labels-idx1")
    ]

    def __init__(self, root: str | None = None, train: bool = True, download: bool = True) -> None:
        super().__init__(root)
        for name in self.raw_file_name:
            if not os.path.exists(os.path.join(self.root, name)):
                raise self._missing(name)
        self.process(train)

    @property
    def meta(self) -> dict[str, dict[str, int]]:
        """The headers of the two files."""
        return self._meta_data

    def process(self, train: bool) -> None:
        """Read the two files for training, or those for tests.

        Parameters
        ----------
        train : bool
        """
        names = self.raw_file_name[:2] if train else self.raw_file_name[2:]
        paths = [os.path.join(self.root, name) for name in names]
        of_images, images = parse_idx3(paths[0])
        of_labels, labels = parse_idx1(paths[1])
        self._meta_data = {"images": of_images, "labels": of_labels}
        self.arrays = images, labels.astype(np.int32)


class CIFAR10(_Stored):
    """Images (32, 32, 3) in BGR of ten classes.

    Parameters
    ----------
    root : str, optional
        The folder with the unpacked folder of the data set, or its archive.
    train : bool, default True
        True for the training set, False for the test set.
    download : bool
        Ignored: nothing is downloaded.
    timeout : int
        Ignored.

    Raises
    ------
    ArgumentError
        If the files are missing.

    Examples
    --------
    >>> import os, pickle, tempfile
    >>> import numpy as np
    >>> folder = os.path.join(tempfile.mkdtemp(), CIFAR10.raw_file_dir)
    >>> os.mkdir(folder)
    >>> with open(os.path.join(folder, "test_batch"), "wb") as file:
    ...     pickle.dump({b"data": np.zeros((2, 3072), "uint8"), b"labels": [3, 5]}, file)
    >>> pictures = CIFAR10(os.path.dirname(folder), train=False)
    >>> image, label = pictures[1]
    >>> image.shape, int(label)
    ((32, 32, 3), 5)
    >>> pictures.bytes2array(["test_batch"])[1]
    array([3, 5], dtype=int32)
    """

    arrays: tuple[Any, ...]
    target_file: str

    raw_file_name = "cifar-10-python.tar.gz"
    raw_file_dir = "cifar-10-batches-py"
    train_batch: ClassVar[list[str]] = [f"data_batch_{n}" for n in range(1, 6)]
    test_batch: ClassVar[list[str]] = ["test_batch"]
    meta_info: ClassVar[dict[str, str]] = {"name": "batches.meta"}
    #: The keys of the labels in a file.
    _labels: tuple[bytes, ...] = (b"labels",)

    def __init__(
        self,
        root: str | None = None,
        train: bool = True,
        download: bool = True,
        timeout: int = 500,
    ) -> None:
        super().__init__(root)
        self.timeout = timeout
        self.target_file = os.path.join(self.root, self.raw_file_dir)
        archive = os.path.join(self.root, self.raw_file_name)
        if not os.path.exists(self.target_file):
            if not os.path.exists(archive):
                raise self._missing(f"{self.raw_file_dir}, or {self.raw_file_name} that holds it,")
            untargz(archive)
        self.arrays = self.bytes2array(self.train_batch if train else self.test_batch)

    @property
    def meta(self) -> dict[Any, Any]:
        """The names of the classes, and more."""
        return self._read(self.meta_info["name"])

    def _read(self, name: str) -> dict:
        with open(os.path.join(self.target_file, name), "rb") as file:
            return unpickle(file.read(), Known("a part of CIFAR", (), encoding="bytes", way_out=""))

    def bytes2array(self, filenames: Sequence[str]) -> tuple[Any, ...]:
        """The images and the labels in files.

        Parameters
        ----------
        filenames : sequence of str

        Returns
        -------
        list of numpy.ndarray of shape (32, 32, 3)
        *numpy.ndarray of shape (images,)
            int32.
        """
        parts = [self._read(name) for name in filenames]
        pictures = np.concatenate([one[b"data"] for one in parts]).reshape(-1, 3, 32, 32)
        labels = [
            np.concatenate([one[key] for one in parts]).astype(np.int32) for key in self._labels
        ]
        return list(pictures.transpose(0, 2, 3, 1)[..., ::-1]), *labels


class CIFAR100(CIFAR10):
    """Images as in `CIFAR10`, of 100 classes and 20 superclasses.

    Parameters
    ----------
    root, train, download, timeout
        As for `CIFAR10`.

    Raises
    ------
    ArgumentError
        If the files are missing.

    Examples
    --------
    >>> CIFAR100.raw_file_dir
    'cifar-100-python'
    """

    raw_file_name = "cifar-100-python.tar.gz"
    raw_file_dir = "cifar-100-python"
    train_batch: ClassVar[list[str]] = ["train"]
    test_batch: ClassVar[list[str]] = ["test"]
    meta_info: ClassVar[dict[str, str]] = {"name": "meta"}
    _labels = (b"fine_labels", b"coarse_labels")


class ImageFolder(VisionDataset):
    """Dataset of the images in a folder with one subfolder per class.

    Parameters
    ----------
    root : str
    check_valid_func : callable, optional
        A function of a path that returns whether it is an image; by default it checks the suffix.
    class_name : bool, default False
        Whether labels are the names of folders instead of their numbers.

    Examples
    --------
    >>> import os, tempfile
    >>> folder = tempfile.mkdtemp()
    >>> os.mkdir(os.path.join(folder, "cats"))
    >>> open(os.path.join(folder, "cats", "a.png"), "w").close()
    >>> pictures = ImageFolder(folder)
    >>> len(pictures), list(pictures.collect_class()), int(pictures.collect_samples()[0][1])
    (1, ['cats'], 0)
    """

    check_valid: Any
    class_dict: dict[str, Any]
    samples: list[tuple[str, Any]]

    def __init__(
        self,
        root: str,
        check_valid_func: Callable[[str], bool] | None = None,
        class_name: bool = False,
    ) -> None:
        super().__init__(root, order=("image", "image_category"))
        self.check_valid = check_valid_func or is_img
        self.class_name = class_name
        self.class_dict = self.collect_class()
        self.samples = self.collect_samples()

    def collect_class(self) -> dict[str, Any]:
        """The classes: folder names and their indices.

        Returns
        -------
        dict of str to int32
        """
        names = sorted(one.name for one in os.scandir(self.root) if one.is_dir())
        return {name: np.int32(k) for k, name in enumerate(names)}

    def collect_samples(self) -> list[tuple[str, Any]]:
        """The paths of the images and their classes.

        Returns
        -------
        list of tuple
        """
        return [
            (path, name if self.class_name else number)
            for name, number in self.class_dict.items()
            for folder, _, files in sorted(os.walk(os.path.join(self.root, name), followlinks=True))
            for file in sorted(files)
            if self.check_valid(path := os.path.join(folder, file))
        ]

    def __getitem__(self, index: int) -> tuple[np.ndarray, Any]:
        path, label = self.samples[index]
        return image.imread(path, to_rgb=False).asnumpy(), label

    def __len__(self) -> int:
        return len(self.samples)
