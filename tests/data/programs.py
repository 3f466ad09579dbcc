"""Programs on data sets, record files and images that run on MXNet 1.9.1 and on gluon alike.

Each returns a list of arrays and texts. ``recorded/make_data.py`` keeps what MXNet returns,
and the tests compare.
"""

from __future__ import annotations

import gzip
import os
import random
import struct
import tarfile
import tempfile
import warnings
import zlib
from collections.abc import Callable
from functools import partial

import numpy as np

MAGIC = struct.pack("<I", 0xCED7230A)


def picture(*shape: int, seed: int = 3) -> np.ndarray:
    return np.random.RandomState(seed).randint(0, 256, shape).astype("uint8")


def png(values: np.ndarray) -> bytes:
    """A PNG file of an image (height, width[, 3])."""
    height, width = values.shape[:2]
    colour = 2 if values.ndim == 3 else 0

    def chunk(kind: bytes, data: bytes) -> bytes:
        return (
            struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        )

    rows = b"".join(b"\0" + row.tobytes() for row in values)
    head = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, colour, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + head + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def content(path: str) -> np.ndarray:
    with open(path, "rb") as file:
        return np.frombuffer(file.read(), np.uint8)


def sorts(error: BaseException) -> str:
    """Return the built-in base classes of `error` that a program may catch."""
    return str(
        [one.__name__ for one in (ValueError, TypeError, KeyError) if isinstance(error, one)]
    )


def refused(call: Callable) -> str:
    try:
        return f"taken: {call()!r}"
    except Exception as error:
        return sorts(error)


# ------------------------------------------------------------------------------- record files

RECORDS = [
    b"",
    b"a",
    b"abcd",
    bytes(range(256)) * 5,
    MAGIC,
    MAGIC * 3,
    b"abcd" + MAGIC + b"efgh",
    b"abc" + MAGIC + b"not at a multiple of four",
    b"abcd" + MAGIC + b"ef",
    MAGIC + MAGIC + b"abcd" + MAGIC,
]


def records(mx) -> list:
    folder = tempfile.mkdtemp()
    path = os.path.join(folder, "a.rec")
    file = mx.recordio.MXRecordIO(path, "w")
    for one in RECORDS:
        file.write(one)
    file.close()
    file.close()
    found = [content(path)]
    file = mx.recordio.MXRecordIO(path, "r")
    found += [str([file.read() for _ in range(len(RECORDS) + 2)])]
    file.reset()
    return [*found, str([file.read() for _ in range(2)]), str(file.is_open)]


def indexed(mx) -> list:
    folder = tempfile.mkdtemp()
    paths = [os.path.join(folder, name) for name in ("a.idx", "a.rec")]
    file = mx.recordio.MXIndexedRecordIO(*paths, "w")
    places = []
    for k, one in enumerate(RECORDS):
        places.append(file.tell())
        file.write_idx(10 - k, one)
    file.close()
    found = [str(places), *map(content, paths)]
    file = mx.recordio.MXIndexedRecordIO(*paths, "r")
    found += [str(file.keys), str(sorted(file.idx.items()))]
    found += [str([file.read_idx(k) for k in (3, 10, 4, 1)])]
    file.seek(9)
    found += [str(file.read()), str(file.read()), refused(lambda: file.read_idx(77))]
    names = mx.recordio.MXIndexedRecordIO(*paths, "w", key_type=str)
    names.write_idx("first", b"1")
    names.close()
    names = mx.recordio.MXIndexedRecordIO(*paths, "r", key_type=str)
    return [*found, str(names.keys), str(names.read_idx("first"))]


def packs(mx) -> list:
    r = mx.recordio
    found = []
    for label in (3, 1.5, np.float32(2), [1, 2, 3.5], np.arange(4.0), [], [[1, 2], [3, 4]]):
        packed = r.pack(r.IRHeader(7, label, 2**40, 3), b"content")
        header, data = r.unpack(packed)
        found += [np.frombuffer(packed, np.uint8), repr(header._replace(label=0)), str(data)]
        found += [np.asarray(header.label, np.float32)]
    found += [repr(r.pack((1, 2, 3, 4), b"")), repr(r.IRHeader(1, 2.0, 3, 4))]
    return found


# ----------------------------------------------------------------------------------- images

#: An expression, and the shape and dtype of the image that it is applied to.
TRANSFORMS = [
    ("Cast()", (3, 4, 3), "uint8"),
    ("Cast('float16')", (3, 4, 3), "uint8"),
    ("ToTensor()", (3, 4, 3), "uint8"),
    ("ToTensor()", (2, 3, 4, 1), "uint8"),
    ("ToTensor()", (3, 4, 3), "float32"),
    ("Normalize()", (3, 4, 5), "float32"),
    ("Normalize(0.5, 2)", (1, 4, 5), "float32"),
    ("Normalize((1, 2, 3), (4, 5, 6))", (2, 3, 4, 5), "float32"),
    ("Rotate(0)", (3, 5, 7), "float32"),
    ("Rotate(30)", (3, 5, 7), "float32"),
    ("Rotate(-100.5)", (1, 8, 6), "float32"),
    ("Rotate(30, zoom_in=True)", (3, 8, 6), "float32"),
    ("Rotate(120, zoom_out=True)", (2, 3, 8, 6), "float32"),
    ("Rotate(mx.nd.array([10, -20]))", (2, 3, 5, 7), "float32"),
    ("CropResize(1, 0, 3, 2)", (4, 5, 3), "uint8"),
    ("CropResize(0, 1, 3, 2, (6, 5), 1)", (2, 4, 5, 3), "uint8"),
    ("CropResize(0, 1, 3, 2, size=5, interpolation=0)", (4, 5, 1), "float32"),
    ("CenterCrop(3)", (5, 8, 3), "uint8"),
    ("CenterCrop((3, 4))", (5, 8, 3), "uint8"),
    ("CenterCrop((10, 3))", (5, 8, 3), "uint8"),
    ("CenterCrop((4, 12), 2)", (5, 8, 1), "float32"),
    ("CenterCrop(9, 9)", (5, 8, 3), "uint8"),
    ("Resize(4)", (5, 8, 3), "uint8"),
    ("Resize((3, 7))", (5, 8, 3), "float32"),
    ("Resize(4, True, 0)", (5, 8, 3), "uint8"),
    ("Resize((4, 4), True)", (2, 5, 8, 3), "uint8"),
    ("RandomBrightness(0)", (3, 4, 3), "uint8"),
    ("RandomContrast(0)", (3, 4, 3), "uint8"),
    ("RandomSaturation(0)", (3, 4, 3), "float32"),
    ("RandomLighting(0)", (3, 4, 3), "uint8"),
    ("RandomApply(Cast('float32'), 1)", (3, 4, 3), "uint8"),
    ("RandomApply(Cast('float32'), 0)", (3, 4, 3), "uint8"),
    ("RandomRotation((10, 20), rotate_with_proba=0)", (3, 4, 3), "float32"),
    ("Compose([])", (3, 4, 3), "uint8"),
    ("Compose([Resize(6)])", (3, 4, 3), "uint8"),
    ("Compose([CenterCrop(2), Resize(6), ToTensor(), Normalize(0.1, 0.2)])", (3, 4, 3), "uint8"),
    ("Compose([Resize(6), Cast(), CenterCrop(4), ToTensor()])", (3, 4, 3), "uint8"),
    ("Compose([lambda x: x[1:], ToTensor()])", (3, 4, 3), "uint8"),
]
#: Random transforms that draw from Python's or NumPy's generator, as they do here.
DRAWN = [
    ("RandomResizedCrop(4)", (9, 7, 3)),
    ("RandomResizedCrop((3, 5), (0.1, 0.4), (0.5, 2), 0)", (9, 7, 3)),
    ("RandomResizedCrop(3, 0.9, (5, 6))", (9, 7, 3)),
    ("RandomApply(ToTensor())", (3, 4, 3)),
    ("Compose([ToTensor(), RandomRotation((-30, 60), True)])", (6, 8, 3)),
    ("Compose([ToTensor(), RandomRotation((0, 9), rotate_with_proba=0.5)])", (6, 8, 3)),
]
BROKEN = [
    "T.RandomRotation((3, 1))",
    "T.RandomRotation((1, 3), rotate_with_proba=2)",
    "T.Rotate(3)(bytes_)",
    "T.Rotate(3, True, True)(floats)",
    "T.Rotate(mx.nd.array([3]))(floats)",
    "T.Rotate(mx.nd.array([3, 4, 5]))(mx.nd.stack(floats, floats))",
    "T.Rotate(3)(floats[0])",
    "T.CenterCrop(6, interpolation=7)(bytes_)",
    "T.RandomApply([T.ToTensor()], 1)(bytes_)",
]


def namespace(mx) -> dict:
    return {**vars(mx.gluon.data.vision.transforms), "mx": mx}


def transform(mx, text: str, shape: tuple, dtype: str) -> list:
    made = eval(text, namespace(mx))
    x = mx.nd.array(picture(*shape).astype(dtype), dtype=dtype)
    found = [made(x), str(made.name)]
    # A function is shown as a Lambda here, and with its address there.
    return found if "lambda" in text else [*found, repr(made)]


def drawn(mx, text: str, shape: tuple) -> list:
    made = eval(text, namespace(mx))
    random.seed(11)
    np.random.seed(12)  # noqa: NPY002
    x = mx.nd.array(picture(*shape), dtype="uint8")
    return [made(x) for _ in range(4)]


def broken(mx, text: str) -> list:
    x = mx.nd.array(picture(4, 5, 3), dtype="uint8")
    floats = mx.nd.array(picture(3, 4, 5))
    names = {"T": mx.gluon.data.vision.transforms, "mx": mx, "bytes_": x, "floats": floats}
    return [refused(lambda: eval(text, names))]


def images(mx) -> list:
    """The functions of ``image``."""
    image, nd = mx.image, mx.nd
    x = nd.array(picture(6, 9, 3), dtype="uint8")
    found = [image.imresize(x, 4, 5), image.imresize(x, 12, 5, interp=2)]
    found += [image.resize_short(x, 4), image.resize_short(nd.transpose(x, (1, 0, 2)), 8, 9)]
    found += [image.fixed_crop(x, 2, 1, 3, 4), image.fixed_crop(x, 7, 5, 4, 4)]
    found += [
        image.fixed_crop(x, 2, 1, 3, 4, (6, 2), 9),
        image.fixed_crop(x, 0, 0, 9, 6, (3, 2), 9),
    ]
    for size in ((4, 4), (3, 5), (20, 3), (3, 12), (9, 6), (30, 30)):
        part, where = image.center_crop(x, size)
        found += [part, str(where)]
    random.seed(5)
    for size in ((4, 4), (20, 3), (3, 12)):
        part, where = image.random_crop(x, size)
        found += [part, str(where)]
    for area, ratio in ((0.5, (0.5, 2)), ((0.1, 0.3), (1, 1)), ((0.99, 1), (9, 10))):
        part, where = image.random_size_crop(x, (4, 3), area, ratio)
        found += [part, str(where)]
    sizes = [((60, 40), (90, 30)), ((5, 5), (5, 10)), ((5, 5), (3, 4)), ((7, 9), (20, 30))]
    found += [str([image.scale_down(*one) for one in sizes])]
    floats = x.astype("float32")
    found += [image.color_normalize(floats, nd.array([1, 2, 3]), nd.array([4, 5, 6])), floats]
    np.random.seed(2)  # noqa: NPY002
    several = nd.array(picture(2, 3, 5, 7))
    return [
        *found,
        image.random_rotate(several, (-40, 80)),
        image.random_rotate(several[0], (0, 9)),
    ]


def files(mx) -> list:
    """Reading images, and the data sets of them."""
    vision, image = mx.gluon.data.vision, mx.image
    folder = tempfile.mkdtemp()
    colours, grey = picture(4, 5, 3), picture(3, 3)
    for name, values in (("b/1.png", colours), ("b/0.PNG", grey), ("a/x.png", colours[::-1])):
        os.makedirs(os.path.join(folder, os.path.dirname(name)), exist_ok=True)
        with open(os.path.join(folder, name), "wb") as file:
            file.write(png(values))
    for name in ("b/ignored.txt", "ignored.png"):
        open(os.path.join(folder, name), "wb").close()
    path = os.path.join(folder, "b", "1.png")
    found = [image.imread(path), image.imread(path, to_rgb=False)]
    found += [image.imdecode(png(grey)), image.imdecode(np.frombuffer(png(grey), np.uint8), 0)]
    out = mx.nd.zeros((4, 5, 3), dtype="uint8")
    image.imdecode(bytearray(png(colours)), out=out)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        pictures = vision.ImageFolderDataset(folder)
    found += [out, str(len(caught)), str(pictures.synsets), str(len(pictures))]
    found += [str([(os.path.relpath(one, folder), label) for one, label in pictures.items])]
    for k in range(3):
        values, label = pictures[k]
        found += [values, str(label)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        grey = vision.ImageFolderDataset(folder, 0, lambda x, y: (x.astype("float32"), -y))
    return [*found, grey[1][0], str(grey[1][1]), *recorded(mx, folder, colours)]


def recorded(mx, folder: str, colours: np.ndarray) -> list:
    """`ImageRecordDataset`."""
    r = mx.recordio
    paths = [os.path.join(folder, name) for name in ("a.idx", "a.rec")]
    file = r.MXIndexedRecordIO(*paths, "w")
    for k, label in enumerate((2.5, [1, 2])):
        file.write_idx(k + 5, r.pack(r.IRHeader(0, label, k, 0), png(colours + k)))
    file.close()
    found = [str(len(mx.gluon.data.RecordFileDataset(paths[1])))]
    for pictures in (
        mx.gluon.data.vision.ImageRecordDataset(paths[1]),
        mx.gluon.data.vision.ImageRecordDataset(paths[1], transform=lambda x, y: (x[:2], y)),
    ):
        for values, label in (pictures[k] for k in range(len(pictures))):
            found += [values, str(type(label).__name__), np.asarray(label, np.float32)]
    return found


# ------------------------------------------------------------------------------- known data sets


def without_downloads(mx) -> None:
    """Let MXNet use the existing files."""
    module = mx.gluon.data.vision.datasets
    if hasattr(module, "download"):
        module.check_sha1 = lambda *_: True
        module.download = lambda url, path, **_: os.path.join(path, url.split("/")[-1])


def idx(path: str, values: np.ndarray) -> None:
    head = struct.pack(f">{values.ndim + 1}I", 0x800 + values.ndim, *values.shape)
    with gzip.open(path, "wb") as file:
        file.write(head + values.tobytes())


def digits(folder: str) -> None:
    for part, count in (("train", 5), ("t10k", 3)):
        idx(
            os.path.join(folder, f"{part}-images-idx3-ubyte.gz"), picture(count, 28, 28, seed=count)
        )
        labels = np.arange(count, dtype="uint8")
        idx(os.path.join(folder, f"{part}-labels-idx1-ubyte.gz"), labels)


def cifar(folder: str, names: list[str], labels: int) -> None:
    for seed, name in enumerate(names):
        rows = picture(2, labels + 3072, seed=seed)
        rows[:, :labels] = np.arange(2 * labels).reshape(2, labels) + seed
        with open(os.path.join(folder, name), "wb") as file:
            file.write(rows.tobytes())


def known(mx) -> list:
    without_downloads(mx)
    vision = mx.gluon.data.vision
    folder = tempfile.mkdtemp()
    digits(folder)
    ten, hundred = os.path.join(folder, "10"), os.path.join(folder, "100")
    os.mkdir(ten)
    os.mkdir(hundred)
    cifar(ten, [*(f"data_batch_{k}.bin" for k in range(1, 6)), "test_batch.bin"], 1)
    cifar(hundred, ["train.bin", "test.bin"], 2)
    found = []
    for pictures in (
        vision.MNIST(folder),
        vision.MNIST(folder, train=False),
        vision.FashionMNIST(folder, False, lambda x, y: (x.astype("float32") / 255, y)),
        vision.CIFAR10(ten),
        vision.CIFAR10(ten, train=False),
        vision.CIFAR100(hundred),
        vision.CIFAR100(hundred, fine_label=True, train=False),
    ):
        values, label = pictures[1]
        found += [str(len(pictures)), values, str(label), pictures._label, pictures[:2][0]]
    return found


def archived(folder: str, archive: str, names: list[str]) -> None:
    """Move files into an archive, within a folder of their own as the original ones have it."""
    with tarfile.open(os.path.join(folder, archive), "w:gz") as tar:
        for name in names:
            tar.add(os.path.join(folder, name), "batches/" + name)
            os.remove(os.path.join(folder, name))


# ---------------------------------------------------------------------------------------- loading


def samplers(mx) -> list:
    data, contrib = mx.gluon.data, mx.gluon.contrib.data
    found = [str(list(contrib.IntervalSampler(13, 3)))]
    found += [str(list(contrib.IntervalSampler(13, 3, rollover=False)))]
    found += [str(list(contrib.IntervalSampler(3, 3))), str(len(contrib.IntervalSampler(5, 2)))]
    numbers = data.SimpleDataset([5, 6, 7, 8, 9])
    for last in ("keep", "discard", "rollover"):
        batches = data.BatchSampler(data.SequentialSampler(5, 2), 2, last)
        found += [str([len(batches), list(batches), len(batches), list(batches)])]
    even = data.FilterSampler(lambda x: x % 2 == 0, numbers)
    found += [str([list(even), len(even), list(numbers.sample(even))])]
    np.random.seed(1)  # noqa: NPY002
    order = data.RandomSampler(9)
    found += [str([[int(k) for k in order] for _ in range(3)])]
    calls = [
        lambda: numbers.sample([0]),
        lambda: contrib.IntervalSampler(3, 4) and None,
        lambda: len(numbers.take(-1)),
        lambda: list(data.BatchSampler(data.SequentialSampler(3), 2, "drop")),
    ]
    kinds = [refused(call) for call in calls]
    kinds[1] = str(kinds[1].startswith("taken"))  # an AssertionError there
    return [*found, *kinds]


def rounds(mx, **settings) -> list:
    """Batches of several epochs in random order."""
    data = mx.gluon.data
    np.random.seed(4)  # noqa: NPY002
    numbers = data.ArrayDataset(np.arange(7), np.arange(7.0))
    loader = data.DataLoader(numbers, 3, shuffle=True, last_batch="rollover", **settings)
    return [part for _ in range(4) for batch in loader for part in batch]


def programs() -> dict[str, Callable]:
    """Name to function, each taking the package."""
    found: dict[str, Callable] = {}
    for text, shape, dtype in TRANSFORMS:
        found[f"transform {text} {dtype} {shape}"] = partial(
            transform, text=text, shape=shape, dtype=dtype
        )
    for text, shape in DRAWN:
        found[f"drawn {text}"] = partial(drawn, text=text, shape=shape)
    for text in BROKEN:
        found[f"broken {text}"] = partial(broken, text=text)
    for one in (records, indexed, packs, images, files, known, samplers, rounds):
        found[one.__name__] = one
    return found
