"""Every reader of files handles damaged ones, or raises an error of gluon."""

from __future__ import annotations

import gzip
import io
import pickle
import struct
import tarfile
import tracemalloc
import warnings
import zipfile
import zlib
from pathlib import Path

import numpy as np
import pytest

from gluon import (
    GluonError,
    Trainer,
    autograd,
    data,
    image,
    initializer,
    metric,
    nd,
    nn,
    npx,
    optimizer,
    recordio,
)
from gluon import io as gio
from gluon import np as gnp
from gluon._core.kernels import image as kernels
from gluon.contrib import text
from gluon.data import vision
from gluon.megengine import serialization

#: What a reader of these small files may hold at one time.
MOST_BYTES = 64 << 20
DAMAGES = 150


# ------------------------------------------------------------------------------- files and readers


def written(function):
    def make(folder):
        path = folder / "file"
        function(str(path))
        return [path]

    return make


def zipped(save, *args, **kwargs):
    def write(path):
        with open(path, "wb") as file:
            save(file, *args, **kwargs)

    return written(write)


def text_file(*lines):
    return written(lambda path: Path(path).write_text("\n".join(lines) + "\n"))


def network():
    net = nn.Dense(3, in_units=4)
    net.initialize()
    return net


def trainer(net):
    made = Trainer(net.collect_params(), "adam")
    with autograd.record():
        loss = net(nd.ones((2, 4))).sum()
    loss.backward()
    made.step(1)
    return made


def png():
    pytest.importorskip("PIL")
    picture = np.arange(300, dtype=np.uint8).reshape(10, 10, 3)
    return recordio.unpack(recordio.pack_img(recordio.IRHeader(0, 1, 0, 0), picture, 9, ".png"))[1]


def jpeg():
    pytest.importorskip("PIL")
    picture = np.arange(300, dtype=np.uint8).reshape(10, 10, 3)
    return recordio.unpack(recordio.pack_img(recordio.IRHeader(0, 1, 0, 0), picture))[1]


def records(content, *, index=True, two_labels=True):
    def make(folder):
        rec, idx = folder / "file.rec", folder / "file.idx"
        file = recordio.MXIndexedRecordIO(str(idx), str(rec), "w")
        for key in range(3):
            label = [key, 1] if two_labels and key == 2 else key
            file.write_idx(key, recordio.pack(recordio.IRHeader(0, label, key, 0), content()))
        file.close()
        return [rec, idx] if index else [rec]

    return make


def read_records(path):
    file = recordio.MXRecordIO(path, "r")
    while (record := file.read()) is not None:
        recordio.unpack(record)
    file.places()


def read_index(path):
    file = recordio.MXIndexedRecordIO(path.removesuffix("rec") + "idx", path, "r")
    for key in file.keys:
        file.read_idx(key)


def idx(name, shape):
    content = struct.pack(f">{1 + len(shape)}I", 0x800 + len(shape), *shape)
    return name, gzip.compress(content + bytes(range(int(np.prod(shape)))))


def mnist(folder):
    name, content = idx("train-images-idx3-ubyte.gz", (3, 4, 4))
    (folder / name).write_bytes(content)
    (folder / "train-labels-idx1-ubyte.gz").write_bytes(idx("", (3,))[1])
    return [folder / name, folder / "train-labels-idx1-ubyte.gz"]


def cifar(folder):
    path = folder / "cifar-10-binary.tar.gz"
    with tarfile.open(path, "w:gz") as tar:
        for name in ("test_batch.bin",):
            entry = tarfile.TarInfo(f"cifar-10-batches-bin/{name}")
            entry.size = 3073
            tar.addfile(entry, io.BytesIO(bytes(3073)))
    return [path]


def picture_list(folder):
    (folder / "a.png").write_bytes(png())
    path = folder / "file.lst"
    path.write_text("0\t1\ta.png\n1\t2\ta.png\n")
    return [path]


READERS = {
    "nd.load": (written(lambda path: nd.save(path, {"a": nd.ones((2, 3))})), nd.load),
    "nd.load of a list": (written(lambda path: nd.save(path, [nd.ones((2, 3))] * 3)), nd.load),
    "nd.load_frombuffer": (
        written(lambda path: nd.save(path, {"a": nd.ones((2, 3))})),
        lambda path: nd.load_frombuffer(Path(path).read_bytes()),
    ),
    "npx.load": (
        zipped(npx.savez, gnp.ones(3), b=gnp.ones((2, 2))),
        npx.load,
    ),
    "npx.load of a packed file": (
        zipped(np.savez_compressed, a=np.ones(9), b=np.arange(3)),
        npx.load,
    ),
    "load_parameters": (
        written(lambda path: network().save_parameters(path)),
        lambda path: network().load_parameters(path),
    ),
    "Trainer.load_states": (
        written(lambda path: trainer(network()).save_states(path)),
        lambda path: trainer(network()).load_states(path),
    ),
    "megengine.load": (
        written(lambda path: serialization.save({"a": np.ones(3)}, path)),
        serialization.load,
    ),
    "MXRecordIO": (records(lambda: b"content", index=False), read_records),
    "MXIndexedRecordIO": (records(lambda: b"content"), read_index),
    "RecordFileDataset": (
        records(lambda: b"content"),
        lambda path: list(data.RecordFileDataset(path)),
    ),
    "ImageRecordDataset": (records(png), lambda path: list(vision.ImageRecordDataset(path))),
    "ImageRecordIter": (
        records(png, two_labels=False),
        lambda path: list(
            gio.ImageRecordIter(path_imgrec=path, data_shape=(3, 4, 4), batch_size=1)
        ),
    ),
    "ImageRecordIter with a list": (
        lambda folder: [*picture_list(folder), *records(png)(folder)],
        lambda path: gio.ImageRecordIter(
            path_imgrec=path.removesuffix("lst") + "rec",
            path_imglist=path,
            data_shape=(3, 4, 4),
            batch_size=1,
        ),
    ),
    "ImageIter": (
        picture_list,
        lambda path: list(
            image.ImageIter(1, (3, 4, 4), path_imglist=path, path_root=path.rsplit("/", 1)[0])
        ),
    ),
    "ImageListDataset": (
        picture_list,
        lambda path: list(vision.ImageListDataset(path.rsplit("/", 1)[0], "file.lst")),
    ),
    "MNIST": (mnist, lambda path: vision.MNIST(path.rsplit("/", 1)[0])),
    "CIFAR10": (cifar, lambda path: vision.CIFAR10(path.rsplit("/", 1)[0], train=False)),
    "CSVIter": (
        text_file("1,2", "3,4"),
        lambda path: list(gio.CSVIter(data_csv=path, data_shape=(2,), batch_size=1)),
    ),
    "np.genfromtxt": (text_file("1 2", "3 4"), gnp.genfromtxt),
    "CustomEmbedding": (text_file("a 1 2", "b 3 4"), text.embedding.CustomEmbedding),
    "imread": (written(lambda path: Path(path).write_bytes(png())), image.imread),
    "imread of a JPEG": (written(lambda path: Path(path).write_bytes(jpeg())), image.imread),
}


# ------------------------------------------------------------------------------------- the damage


def damaged(content, random):
    """`content`, damaged in one of several ways."""
    content = bytearray(content)
    kind = random.randint(7)
    place = random.randint(len(content)) if content else 0
    if kind == 0:
        return bytes(content[:place])
    if kind == 1:
        for _ in range(random.randint(1, 9)):
            content[random.randint(len(content))] ^= 1 << random.randint(8)
    elif kind == 2:
        content[place : place + 8] = b"\xff" * random.choice([1, 2, 4, 8])
    elif kind == 3:
        content[place : place + 4] = struct.pack("<I", random.choice([0, 1 << 20, 0x7FFFFFFF]))
    elif kind == 4:
        content[place : place + 4] = struct.pack(">I", random.choice([0, 1 << 20, 0x7FFFFFFF]))
    elif kind == 5:
        content[place:place] = random.bytes(random.randint(1, 20))
    else:
        content = bytearray(random.bytes(random.randint(40)))
    return bytes(content)


@pytest.mark.parametrize("name", READERS)
def test_a_damaged_file_is_an_error_of_gluons(tmp_path, name):
    make, read = READERS[name]
    paths = make(tmp_path)
    whole = [path.read_bytes() for path in paths]
    random = np.random.RandomState(zlib.crc32(name.encode()))
    passed = 0
    tracemalloc.start()
    try:
        for turn in range(DAMAGES):
            which = turn % len(paths)
            for path, content in zip(paths, whole):
                path.write_bytes(content)
            paths[which].write_bytes(damaged(whole[which], random))
            tracemalloc.reset_peak()
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                try:
                    read(str(paths[0]))
                    passed += 1
                except GluonError:
                    pass
            assert tracemalloc.get_traced_memory()[1] < MOST_BYTES, turn
    finally:
        tracemalloc.stop()
    assert passed < DAMAGES
    paths[which].write_bytes(whole[which])
    read(str(paths[0]))  # whole again


# --------------------------------------------------------------- what is claimed, and is not there


def chunk(kind, content):
    crc = struct.pack(">I", zlib.crc32(kind + content))
    return struct.pack(">I", len(content)) + kind + content + crc


def png_of(width, height, rows=b""):
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    start = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header)
    return start + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def bmp_of(width, height):
    return (
        b"BM"
        + struct.pack("<IHHI", 60, 0, 0, 54)
        + struct.pack("<IiiHHIIiiII", 40, width, height, 1, 24, 0, 0, 0, 0, 0, 0)
    )


def jpeg_of(width, height):
    written = io.BytesIO()
    pytest.importorskip("PIL.Image").new("RGB", (8, 8)).save(written, "JPEG")
    content = bytearray(written.getvalue())
    frame = content.index(b"\xff\xc0") + 5  # behind the marker, a length and the bits of a value
    content[frame : frame + 4] = struct.pack(">HH", height, width)
    return bytes(content)


@pytest.mark.parametrize("make", [png_of, bmp_of, jpeg_of])
def test_a_small_file_of_a_huge_picture_is_refused_before_it_is_decoded(make):
    pytest.importorskip("PIL")
    content = make(8_000, 8_000)
    with pytest.raises(GluonError, match="8000 x 8000 pixels"):
        image.imdecode(content)
    with pytest.raises(GluonError, match="8000 x 8000 pixels"):
        nd.imdecode(content)
    assert kernels._announced(content) == (8_000, 8_000)
    assert kernels._announced(content[:15]) == (0, 0)


def test_opencv_is_not_asked_for_a_huge_picture(monkeypatch):
    class OpenCV:
        """Fail the test on any access."""

    monkeypatch.setitem(__import__("sys").modules, "PIL", None)
    monkeypatch.setitem(__import__("sys").modules, "cv2", OpenCV())
    with pytest.raises(GluonError, match="8000 x 8000 pixels"):
        image.imdecode(png_of(8_000, 8_000))


def test_a_large_flat_picture_is_decoded():
    pytest.importorskip("PIL")
    content = png_of(2000, 1500, (b"\0" + bytes(6000)) * 1500)
    assert len(content) < 20_000
    assert image.imdecode(content).shape == (1500, 2000, 3)


@pytest.mark.parametrize("version", [(1, 0), (2, 0)])
def test_an_npz_that_claims_a_huge_array_takes_no_memory(tmp_path, version):
    header = io.BytesIO()
    claim = {"descr": "<f4", "fortran_order": False, "shape": (1 << 20, 1 << 8)}
    write = np.lib.format.write_array_header_1_0
    (write if version == (1, 0) else np.lib.format.write_array_header_2_0)(header, claim)
    path = tmp_path / "claims.npz"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a.npy", header.getvalue() + bytes(16))
    tracemalloc.start()
    try:
        with pytest.raises(GluonError, match="longer than the file"):
            npx.load(path)
        assert tracemalloc.get_traced_memory()[1] < 1 << 20
    finally:
        tracemalloc.stop()


def test_an_npz_of_something_else_is_an_error(tmp_path):
    path = tmp_path / "text.npz"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("readme.txt", "no array")
    with pytest.raises(GluonError, match="not a valid file of arrays"):
        npx.load(path)
    np.savez(path, a=np.array([{}], dtype=object))
    with pytest.raises(GluonError, match="not a valid file of arrays"):
        npx.load(path)


def test_an_npz_of_many_zeros_is_read(tmp_path):
    np.savez_compressed(tmp_path / "zeros.npz", a=np.zeros((1000, 1000)), b=np.zeros((0, 3)))
    found = npx.load(tmp_path / "zeros.npz")
    assert (found["a"].shape, found["b"].shape) == ((1000, 1000), (0, 3))


@pytest.mark.parametrize("given", ['["adam"]', "[", "{", '["adam", 3]', "[1, {}]", '{"a": 1}'])
@pytest.mark.parametrize("create", [optimizer.create, initializer.create, metric.create])
def test_damaged_json_of_an_object_is_an_error_of_gluons(create, given):
    with pytest.raises((GluonError, ValueError)) as caught:
        create(given)
    assert isinstance(caught.value, GluonError)


def test_a_pickle_with_a_huge_memo_takes_no_memory():
    update = optimizer.get_updater(optimizer.SGD())
    tracemalloc.start()
    try:
        with pytest.raises(GluonError, match="this is list"):
            update.set_states(b"\x80\x02]r\xff\xff\xff\x0f.")
        assert tracemalloc.get_traced_memory()[1] < MOST_BYTES
    finally:
        tracemalloc.stop()
    update.set_states(pickle.dumps({"a": nd.ones((2,))}, protocol=2))
    assert list(update.states) == ["a"]
