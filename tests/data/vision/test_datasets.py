"""Data sets of images: what `tests/data/programs.py` does not compare with the oracle."""

from __future__ import annotations

import gzip
import os

import numpy as np
import pytest

from gluon import GluonError, data
from gluon.data import vision
from gluon.data.dataset import _DownloadedDataset
from tests.data.programs import archived, cifar, digits, picture, png

BATCHES = [*(f"data_batch_{k}.bin" for k in range(1, 6)), "test_batch.bin"]


def test_digits_that_are_not_compressed(tmp_path):
    digits(str(tmp_path))
    want = vision.MNIST(str(tmp_path))[3][0].asnumpy()
    for path in tmp_path.iterdir():
        with gzip.open(path) as file:
            path.with_suffix("").write_bytes(file.read())
        path.unlink()
    pictures = vision.MNIST(str(tmp_path))
    np.testing.assert_array_equal(pictures[3][0].asnumpy(), want)
    assert pictures[3][1].dtype == np.int32
    pictures._data[0] = 0  # as any array


@pytest.mark.parametrize(
    ("make", "names", "archive", "labels"),
    [
        (vision.CIFAR10, BATCHES, "cifar-10-binary.tar.gz", 1),
        (vision.CIFAR100, ["train.bin", "test.bin"], "cifar-100-binary.tar.gz", 2),
    ],
)
def test_files_in_an_archive(tmp_path, make, names, archive, labels):
    folder = str(tmp_path)
    cifar(folder, names, labels)
    want = [make(folder, train=train)[1] for train in (True, False)]
    archived(folder, archive, names)
    for train, (values, label) in zip((True, False), want):
        got, number = make(folder, train=train)[1]
        np.testing.assert_array_equal(got.asnumpy(), values.asnumpy())
        assert number == label
    (tmp_path / archive).write_bytes((tmp_path / archive).read_bytes()[:-200])
    with pytest.raises(GluonError, match=f"{archive}' is damaged, or lacks a file"):
        make(folder)
    os.remove(tmp_path / archive)
    cifar(folder, names[:1], labels)
    archived(folder, archive, names[:1])
    with pytest.raises(GluonError, match=r"lacks a file: .*test"):
        make(folder, train=False)


@pytest.mark.parametrize(
    ("make", "missing"),
    [
        (vision.MNIST, "train-images-idx3-ubyte.gz"),
        (lambda root: vision.FashionMNIST(root, train=False), "t10k-images-idx3-ubyte.gz"),
        (vision.CIFAR10, "data_batch_1.bin, or cifar-10-binary.tar.gz that holds it,"),
        (vision.CIFAR100, "train.bin, or cifar-100-binary.tar.gz that holds it,"),
    ],
)
def test_a_missing_file_is_named(tmp_path, make, missing):
    with pytest.raises(FileNotFoundError, match=f"cannot find file {missing} in .*put it there"):
        make(str(tmp_path))


def test_the_default_folders_are_those_of_mxnet(monkeypatch, tmp_path):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("MXNET_HOME", raising=False)
    for make, name in ((vision.MNIST, "mnist"), (vision.FashionMNIST, "fashion-mnist")):
        if vision.datasets.ROOT.startswith("~"):
            with pytest.raises(GluonError, match=rf"{tmp_path}.*datasets.{name}"):
                make()


@pytest.mark.parametrize(
    "change",
    [
        lambda data: data[:-1],
        lambda data: data + b"\0",
        lambda data: b"\0\0\x09" + data[3:],
        lambda data: data[:7],
        lambda data: b"",
    ],
)
def test_damaged_digits(tmp_path, change):
    digits(str(tmp_path))
    for name in ("train-images-idx3-ubyte.gz", "train-labels-idx1-ubyte.gz"):
        path = tmp_path / name
        before = path.read_bytes()
        with gzip.open(path) as file:
            data = file.read()
        with gzip.open(path, "wb") as file:
            file.write(change(data))
        with pytest.raises(GluonError, match="is damaged, or not an idx file"):
            vision.MNIST(str(tmp_path))
        path.write_bytes(before[:-9])
        with pytest.raises(GluonError, match="is damaged"):
            vision.MNIST(str(tmp_path))
        path.write_bytes(before)
    (tmp_path / "train-labels-idx1-ubyte.gz").write_bytes(
        (tmp_path / "t10k-labels-idx1-ubyte.gz").read_bytes()
    )
    with pytest.raises(GluonError, match="5 images and 3 labels"):
        vision.MNIST(str(tmp_path))


def test_damaged_batches(tmp_path):
    cifar(str(tmp_path), BATCHES, 1)
    for content in (b"", b"x" * 3072):
        (tmp_path / BATCHES[3]).write_bytes(content)
        with pytest.raises(GluonError, match=r"data_batch_4.bin in .* is damaged: it has"):
            vision.CIFAR10(str(tmp_path))


def test_a_data_set_of_your_own_from_a_folder(tmp_path):
    class Own(_DownloadedDataset):
        def _get_data(self):
            self._data, self._label = [1, 2], [3, 4]

    assert list(Own(str(tmp_path), None)) == [(1, 3), (2, 4)]
    assert Own(str(tmp_path), lambda x, y: x * y)[1] == 8
    with pytest.raises(NotImplementedError, match="must define _get_data"):
        _DownloadedDataset(str(tmp_path), None)


# ------------------------------------------------------------------------------ files of images


@pytest.fixture
def folder(tmp_path):
    """A folder with the images 0.png, 1.png, 2.png."""
    pytest.importorskip("PIL.Image", reason="the extra image is not installed")
    for k in range(3):
        (tmp_path / f"{k}.png").write_bytes(png(picture(2, 3, 3, seed=k)))
    return tmp_path


def test_lists_of_pictures(folder):
    (folder / "a.lst").write_text("7\t1.5\t0.png\n\n8\t1\t2\t2.png\n")
    named = vision.ImageListDataset(str(folder), "a.lst")
    given = vision.ImageListDataset(
        str(folder), [[1.5, "0.png"], (1, 2, "2.png"), [[3, 4], "1.png"]], flag=0
    )
    assert (len(named), len(given)) == (2, 3)
    values, label = named[1]
    np.testing.assert_array_equal(values.asnumpy(), picture(2, 3, 3, seed=2))
    assert (label.dtype, label.tolist()) == (np.float32, [1, 2])
    assert [one[1].tolist() for one in (named[0], *given)] == [[1.5], [1.5], [1, 2], [3, 4]]
    assert given[0][0].shape == (2, 3, 1)


@pytest.mark.parametrize(
    ("items", "kind", "message"),
    [
        (None, TypeError, "neither a path nor a list"),
        ("none.lst", FileNotFoundError, "ImageListDataset: cannot find the file .*none.lst"),
        ([[1, "0.png"], ["0.png"]], ValueError, r"item 2, \['0.png'\], is not labels and a path"),
        ([["x", "0.png"]], ValueError, "item 1"),
        ([[1, 2]], ValueError, "item 1"),
    ],
)
def test_wrong_lists(folder, items, kind, message):
    with pytest.raises(kind, match=message):
        vision.ImageListDataset(str(folder), items)


def test_folders(tmp_path, folder):
    with pytest.raises(FileNotFoundError, match=r"cannot find the folder .*nowhere"):
        vision.ImageFolderDataset(str(tmp_path / "nowhere"))
    with pytest.warns(UserWarning, match=r"\.png is ignored: it is not a folder"):
        assert len(vision.ImageFolderDataset(str(folder))) == 0
    (folder / "a").mkdir()
    for k in range(3):
        (folder / f"{k}.png").rename(folder / "a" / f"{k}.png")
    (folder / "a" / "3.jpg").write_bytes(b"no image")
    pictures = vision.ImageFolderDataset(str(folder))
    with pytest.raises(ValueError, match=r"imread of .*3.jpg': .*are not an image"):
        pictures[3]
    loader = data.DataLoader(pictures.take(3), 3, num_workers=1)
    ((values, labels),) = loader
    assert (values.shape, values.dtype, labels.asnumpy().tolist()) == (
        (3, 2, 3, 3),
        np.uint8,
        [0] * 3,
    )
