"""Programs on data iterators and augmenters that run on MXNet 1.9.1 and on gluon alike.

Each returns a list of arrays and texts. ``recorded/make_io.py`` keeps what MXNet returns,
and the tests compare.
"""

from __future__ import annotations

import os
import random
import struct
import tempfile
import warnings
from collections.abc import Callable
from functools import partial

import numpy as np

from tests.data.programs import picture, png

NAMES = ("pad", "discard", "roll_over")


def seen(batches, epochs: int = 3, with_pads: bool = True, limit: int = 20) -> list:
    """What several epochs give."""
    found = [repr(batches.provide_data), repr(batches.provide_label), str(batches.batch_size)]
    for _ in range(epochs):
        pads = []
        for batch in batches:
            # MXNet's iterators over files write the next batch into the same arrays.
            found += [one.copy() for one in (*batch.data, *batch.label)]
            pads.append(batch.pad)
            assert len(pads) < limit
        found += [str(pads if with_pads else len(pads))]
        batches.reset()
    return found


# ------------------------------------------------------------------------------------ arrays


def described(mx) -> list:
    d = mx.io.DataDesc
    found = [repr(d("a", (2, 3))), repr(d("a", (2, 3), "int32", "NT")), repr(tuple(d("a", (1,))))]
    found += [str([d.get_batch_axis(one) for one in (None, "NCHW", "TNC", "CHW")])]
    found += [repr(d.get_list([("a", (1, 2)), ("b", (3,))], [("a", "int8"), ("b", "int64")]))]
    found += [repr(d.get_list([("a", (1, 2))], None))]
    zeros = mx.nd.zeros
    found += [str(mx.io.DataBatch([zeros((2, 3))])), str(mx.io.DataBatch([zeros(1)], [zeros(2)]))]
    batch = mx.io.DataBatch(None, bucket_key=4)
    return [*found, str([batch.data, batch.label, batch.pad, batch.index, batch.bucket_key])]


def arrays(mx, last: str, shuffle: bool, n: int, size: int) -> list:
    np.random.seed(n)  # noqa: NPY002
    data, label = np.arange(n * 2.0).reshape(n, 2), np.arange(n)
    return seen(mx.io.NDArrayIter(data, label, size, shuffle, last))


def kinds_of_data(mx) -> list:
    nd, it = mx.nd, mx.io.NDArrayIter
    x, y = np.arange(12.0).reshape(4, 3), np.arange(4)
    found = []
    for data, label in (
        (x, None),
        (nd.array(x, dtype="int32"), nd.array(y, dtype="uint8")),
        ([x, y], [y]),
        ({"b": x, "a": nd.array(y)}, {"z": y, "y": y}),
        ({"a": x.tolist()}, y),
    ):
        found += seen(it(data, label, 3), 1)
    found += [str(it(x, y, 2, data_name="q", label_name="r").provide_label)]
    return [*found, str(it(x, y, 2, layout="NT").provide_data)]


def by_hand(mx) -> list:
    batches = mx.io.NDArrayIter(np.arange(5.0), np.arange(5), 2, last_batch_handle="roll_over")
    found = []
    for _ in range(2):
        while batches.iter_next():
            found += [*batches.getdata()] if 0 <= batches.cursor < 4 else []
            found += [str([batches.getpad(), batches.getindex(), batches.cursor])]
        batches.reset()
    next(batches)
    batches.reset()
    found += [next(batches).data[0]]
    batches.hard_reset()
    return [*found, next(batches).data[0], str(batches.num_data)]


def wrapped(mx) -> list:
    io = mx.io
    one = io.NDArrayIter(np.arange(5.0), np.arange(5), 2)
    found = seen(io.ResizeIter(one, 5)) + seen(io.ResizeIter(one, 2, reset_internal=False))
    found += seen(io.PrefetchingIter(io.NDArrayIter(np.arange(5.0), np.arange(5), 2)))
    two = [io.NDArrayIter(np.arange(5.0) * k, np.arange(5), 2) for k in (1, 2)]
    names = [{"data": "a"}, {"data": "b"}], [{"softmax_label": "c"}, {"softmax_label": "d"}]
    return found + seen(io.PrefetchingIter(two, *names))


# ------------------------------------------------------------------------------------- files


def text(mx, **settings) -> list:
    folder = tempfile.mkdtemp()
    paths = [os.path.join(folder, name) for name in ("data.csv", "label.csv")]
    fmt = "%d" if "dtype" in settings else "%g"
    np.savetxt(paths[0], np.arange(42.0).reshape(7, 6) / 4, fmt, delimiter=",")
    np.savetxt(paths[1], np.arange(7) + 0.5)
    if settings.pop("labels", True):
        settings["label_csv"] = paths[1]
    return seen(mx.io.CSVIter(data_csv=paths[0], batch_size=3, **settings), 4)


def digits(mx, **settings) -> list:
    folder = tempfile.mkdtemp()
    paths = [os.path.join(folder, name) for name in ("images", "labels")]
    values = picture(7, 3, 2)
    with open(paths[0], "wb") as file:
        file.write(struct.pack(">IIII", 0x803, *values.shape) + values.tobytes())
    with open(paths[1], "wb") as file:
        file.write(struct.pack(">II", 0x801, 7) + bytes(range(7)))
    settings = {"batch_size": 3, "shuffle": False, "silent": True, **settings}
    return seen(mx.io.MNISTIter(image=paths[0], label=paths[1], **settings), 2)


def smooth(height: int, width: int, k: int = 0) -> np.ndarray:
    """An image without sharp edges, in which a place between pixels can be told."""
    y, x = np.mgrid[:height, :width]
    channels = [np.sin((x * a + y * b + k) / 5) for a, b in ((1, 2), (2, -1), (1, 1))]
    return (np.stack(channels, -1) * 100 + 120).astype("uint8")


def record_file(mx, labels: list, shape: tuple[int, int] = (8, 10)) -> str:
    folder = tempfile.mkdtemp()
    path = os.path.join(folder, "a")
    file = mx.recordio.MXIndexedRecordIO(path + ".idx", path + ".rec", "w")
    for k, label in enumerate(labels):
        header = mx.recordio.IRHeader(0, label, k, 0)
        file.write_idx(k, mx.recordio.pack(header, png(smooth(*shape, k))))
    file.close()
    return path


#: What ImageRecordIter does without drawing anything, and the size of what it reads.
SETTINGS = [
    ({}, (8, 10)),
    ({"round_batch": True, "batch_size": 5}, (8, 10)),
    ({"data_shape": (1, 8, 10)}, (8, 10)),
    ({"data_shape": (3, 4, 4)}, (8, 10)),
    ({"data_shape": (3, 12, 12)}, (8, 10)),
    ({"data_shape": (3, 12, 9)}, (8, 10)),
    ({"data_shape": (3, 4, 4), "resize": 4}, (8, 10)),
    ({"data_shape": (3, 9, 7), "resize": 9, "inter_method": 9}, (21, 12)),
    ({"mean_r": 1, "mean_g": 2, "mean_b": 3, "std_r": 2, "std_b": 0.5, "scale": 0.5}, (8, 10)),
    ({"mirror": True}, (8, 10)),
    ({"pad": 2, "data_shape": (3, 12, 14), "fill_value": 9}, (8, 10)),
    ({"rotate": 90, "fill_value": 7}, (8, 10)),
    ({"data_shape": (3, 10, 12), "min_img_size": 12}, (8, 10)),
    ({"data_shape": (3, 4, 5), "max_img_size": 6}, (8, 10)),
    ({"data_shape": (3, 4, 5), "min_random_scale": 0.5, "max_random_scale": 0.5}, (8, 10)),
    ({"data_shape": (3, 5, 5), "min_crop_size": 7, "max_crop_size": 7}, (8, 10)),
    ({"num_parts": 2, "part_index": 1, "batch_size": 1}, (8, 10)),
    ({"data_name": "x", "label_name": "y"}, (8, 10)),
    ({"dtype": "uint8"}, (8, 10)),
]
#: The same, where OpenCV rounds places between pixels to 1/32 of one.
MOVED = [
    ({"rotate": 30}, (16, 20)),
    ({"data_shape": (3, 12, 14), "min_random_scale": 1.5, "max_random_scale": 1.5}, (16, 20)),
    ({"min_aspect_ratio": 1.2, "max_aspect_ratio": 1.2}, (16, 20)),
]


def pictures(mx, settings: dict, shape: tuple[int, int], kind: str = "ImageRecordIter") -> list:
    path = record_file(mx, [k / 2 for k in range(7)], shape)
    given = {"data_shape": (3, *shape), "batch_size": 3, **settings, "path_imgrec": path + ".rec"}
    if "num_parts" in settings:
        given["path_imgidx"] = path + ".idx"
    # A thread of MXNet's may change the pad of a batch before it is read.
    return seen(getattr(mx.io, kind)(**given), with_pads=False)


def labelled(mx) -> list:
    path = record_file(mx, [[k, k + 0.5] for k in range(4)])
    given = {"path_imgrec": path + ".rec", "data_shape": (3, 8, 10), "batch_size": 2}
    found = seen(mx.io.ImageRecordIter(label_width=2, **given), 1, with_pads=False)
    with open(path + ".lst", "w") as file:
        file.write("".join(f"{k}\t{k * 2}\t{k * 3}\t{k * 4}\tx.png\n" for k in range(4)))
    listed = mx.io.ImageRecordIter(label_width=3, path_imglist=path + ".lst", **given)
    return found + seen(listed, 1, with_pads=False)


# -------------------------------------------------------------------------------- augmenters

BORDERS = [
    "1, 2, 2, 3",
    "1, 2, 2, 3, 1",
    "1, 2, 2, 3, 2",
    "1, 2, 2, 3, 3",
    "1, 2, 2, 3, 4",
    "1, 2, 2, 3, 16, values=(9, 8, 7)",
    "0, 0, 1, 0, type=0, value=5",
]


def borders(mx) -> list:
    x = mx.nd.array(picture(3, 4, 3), dtype="uint8")
    found = [eval(f"f(x, {text})", {"f": mx.image.copyMakeBorder, "x": x}) for text in BORDERS]
    floats = x.astype("float32")
    return [*found, mx.image.copyMakeBorder(floats, 1, 0, 0, 0, values=(9, 8, 7.5))]


#: Augmenters, and whether they take images of bytes.
AUGMENTERS = [
    ("ResizeAug(7)", True),
    ("ResizeAug(20, 9)", True),
    ("ResizeAug(7, 10)", True),
    ("ForceResizeAug((7, 20))", True),
    ("ForceResizeAug((7, 6), 10)", True),
    ("RandomCropAug((5, 7))", True),
    ("RandomCropAug((40, 7), 1)", True),
    ("RandomSizedCropAug((5, 7), 0.3, (0.75, 1.33))", True),
    ("RandomSizedCropAug((5, 7), (0.3, 0.9), (0.75, 1.33), 10)", True),
    ("CenterCropAug((5, 7))", True),
    ("HorizontalFlipAug(0.5)", True),
    ("CastAug()", True),
    ("CastAug('int32')", True),
    ("BrightnessJitterAug(0.3)", False),
    ("ContrastJitterAug(0.3)", False),
    ("SaturationJitterAug(0.3)", False),
    ("HueJitterAug(0.3)", False),
    ("ColorJitterAug(0.3, 0.2, 0.1)", False),
    ("ColorJitterAug(0.3, 0, 0)", False),
    ("LightingAug(0.1, np.array([55.46, 4.794, 1.148]), np.eye(3))", False),
    ("ColorNormalizeAug(np.array([1.0, 2.0, 3.0]), None)", False),
    ("ColorNormalizeAug(nd.array([1, 2, 3]), nd.array([4, 5, 6]))", False),
    ("RandomGrayAug(0.5)", False),
    ("SequentialAug([BrightnessJitterAug(0.3), HorizontalFlipAug(0.5)])", False),
    ("RandomOrderAug([HueJitterAug(0.1), RandomGrayAug(0.5), HorizontalFlipAug(0.5)])", False),
]
#: Those whose interpolation rounds halves of bytes in its own way.
ROUNDED = ("ResizeAug(", "CropAug(", "CreateAugmenter", "CreateDetAugmenter", "DetRandom")


def names_of(mx) -> dict:
    return {**vars(mx.image), "np": np, "nd": mx.nd}


def augmented(mx, text: str, takes_bytes: bool) -> list:
    random.seed(3)
    np.random.seed(3)  # noqa: NPY002
    augmenter = eval(text, names_of(mx))
    found = [str(augmenter.dumps())]
    for k in range(3):
        x = mx.nd.array(smooth(12, 16, k), dtype="uint8")
        found += [augmenter(x if takes_bytes else x.astype("float32"))]
    return found


CREATED = [
    "(3, 8, 9)",
    "(3, 8, 9), resize=14, rand_crop=True, rand_mirror=True",
    "(3, 8, 9), rand_crop=True, rand_resize=True, inter_method=1",
    "(3, 8, 9), mean=True, std=True, brightness=0.1, contrast=0.1, saturation=0.1, inter_method=1",
    "(3, 8, 9), rand_crop=True, hue=0.2, pca_noise=0.1, rand_gray=0.5, inter_method=1",
    "(3, 8, 9), mean=np.array([1.0, 2, 3]), std=np.array([4.0, 5, 6])",
]


def created(mx, text: str) -> list:
    random.seed(5)
    np.random.seed(5)  # noqa: NPY002
    several = eval(f"CreateAugmenter({text})", names_of(mx))
    found = [str(one.dumps()) for one in several]
    for k in range(3):
        x = mx.nd.array(smooth(12, 16, k), dtype="uint8")
        for one in several:
            x = one(x)
        found += [x]
    return found


BOXES = np.array([[0, 0.1, 0.2, 0.6, 0.7], [1, 0.5, 0.4, 0.9, 0.9], [2, 0.0, 0.0, 0.3, 0.2]])
DETECTION = [
    "DetBorrowAug(CastAug())",
    "DetHorizontalFlipAug(0.5)",
    "DetRandomCropAug()",
    "DetRandomCropAug(0.5, (0.5, 2.0), (0.3, 0.9), 0.4, 20)",
    "DetRandomCropAug(0.99, 1.0, 0.25, 0.3, 5)",
    "DetRandomPadAug()",
    "DetRandomPadAug((0.5, 2.0), (1.5, 4.0), 20, (1, 2, 3))",
    "DetRandomSelectAug([DetHorizontalFlipAug(1), DetRandomPadAug()], 0.3)",
    "DetRandomSelectAug([])",
    "CreateMultiRandCropAugmenter([0.1, 0.5, 0.9], area_range=(0.3, 1.0), skip_prob=0.2)",
    "CreateMultiRandCropAugmenter(0.3, [(0.5, 1), (1, 2)], [(0.1, 1), (0.4, 0.8)], 0.2, [9, 50])",
]


def detected(mx, text: str) -> list:
    random.seed(7)
    augmenter = eval(text, names_of(mx))
    found = [str(augmenter.dumps())]
    for k in range(6):
        x = mx.nd.array(smooth(24, 32, k), dtype="uint8")
        found += [*augmenter(x, BOXES.copy())]
    return found


CREATED_DETECTION = [
    "(3, 8, 9)",
    "(3, 8, 9), resize=14, rand_crop=0.5, rand_pad=0.5, rand_mirror=True, inter_method=1",
    "(3, 8, 9), mean=True, std=True, brightness=0.1, hue=0.1, inter_method=1",
    "(3, 8, 9), rand_crop=0.9, min_object_covered=[0.1, 0.5], pca_noise=0.1, rand_gray=0.5",
]


def created_detection(mx, text: str) -> list:
    random.seed(5)
    np.random.seed(5)  # noqa: NPY002
    several = eval(f"CreateDetAugmenter({text})", names_of(mx))
    found = [str(one.dumps()) for one in several]
    for k in range(3):
        x, label = mx.nd.array(smooth(24, 32, k), dtype="uint8"), BOXES.copy()
        for one in several:
            x, label = one(x, label)
        found += [x, label]
    return found


# ---------------------------------------------------------------------- iterators of images


def image_iter(mx, last: str, index: bool) -> list:
    path = record_file(mx, [k / 2 for k in range(7)])
    more = {"path_imgidx": path + ".idx"} if index else {}
    it = mx.image.ImageIter(3, (3, 4, 5), path_imgrec=path + ".rec", last_batch_handle=last, **more)
    found = seen(it, 4)
    it.hard_reset()
    return [*found, next(it).label[0]]


def image_lists(mx) -> list:
    folder = tempfile.mkdtemp()
    for k in range(5):
        with open(os.path.join(folder, f"{k}.png"), "wb") as file:
            file.write(png(smooth(6, 8, k)))
    names = [f"{k}.png" for k in range(5)]
    with open(os.path.join(folder, "a.lst"), "w") as file:
        file.write("".join(f"{k + 3}\t{k / 4}\t{name}\n" for k, name in enumerate(names)))
    with open(os.path.join(folder, "b.lst"), "w") as file:
        file.write("".join(f"{k}\t{k / 4}\t{k}\t{name}\n" for k, name in enumerate(names)))
    found = []
    for given in (
        {"imglist": [[k, name] for k, name in enumerate(names)]},
        {"imglist": [[k, k + 1, name] for k, name in enumerate(names)], "label_width": 2},
        {"imglist": [[[k, k + 1], name] for k, name in enumerate(names)], "label_width": 2},
        {"path_imglist": os.path.join(folder, "a.lst"), "data_name": "x", "label_name": "y"},
        {"path_imglist": os.path.join(folder, "b.lst"), "label_width": 2},
        {"imglist": [[k, name] for k, name in enumerate(names)], "dtype": "int32"},
    ):
        it = mx.image.ImageIter(2, (3, 4, 5), path_root=folder, **given)
        found += [str(it.seq), *seen(it, 2)]
    random.seed(2)
    given = {"imglist": [[k, name] for k, name in enumerate(names)], "path_root": folder}
    it = mx.image.ImageIter(2, (3, 4, 5), shuffle=True, rand_crop=True, rand_mirror=True, **given)
    return found + seen(it)


def parts(mx) -> list:
    path = record_file(mx, list(range(7)))
    given = {"path_imgrec": path + ".rec", "path_imgidx": path + ".idx"}
    return [
        one
        for k in range(2)
        for one in seen(mx.image.ImageIter(2, (3, 4, 5), num_parts=2, part_index=k, **given), 1)
    ]


def det_record(mx, counts: list[int]) -> str:
    labels = [np.concatenate([[4, 5, 9, 9], BOXES[:n].ravel()]).tolist() for n in counts]
    return record_file(mx, labels, (24, 32)) + ".rec"


def det_iter(mx, **settings) -> list:
    random.seed(4)
    path = det_record(mx, [1, 3, 2, 1, 2])
    it = mx.image.ImageDetIter(2, (3, 8, 9), path_imgrec=path, **settings)
    return [str(it.label_shape), *seen(it)]


def det_shapes(mx) -> list:
    one = mx.image.ImageDetIter(2, (3, 8, 9), path_imgrec=det_record(mx, [1, 2]))
    two = mx.image.ImageDetIter(2, (3, 8, 9), path_imgrec=det_record(mx, [3, 1]))
    found = [str([one.label_shape, two.label_shape])]
    one.sync_label_shape(two)
    found += [str([one.label_shape, two.label_shape, one.provide_label])]
    one.reshape((3, 8, 9), (5, 5))
    return [*found, str([one.provide_data, one.provide_label, one.label_shape]), next(one).label[0]]


# ------------------------------------------------------------------------------------- contrib


def loader(mx) -> list:
    data = mx.gluon.data
    samples = data.ArrayDataset(np.arange(10.0).reshape(5, 2), np.arange(5))
    it = mx.contrib.io.DataLoaderIter(data.DataLoader(samples, 2, last_batch="discard"))
    found = seen(it, 2)
    it = mx.contrib.io.DataLoaderIter(data.DataLoader(samples, 3), "a", "b", "float16")
    return [*found, *(str([batch.data[0].shape, batch.pad]) for batch in it)]


def words(mx) -> list:
    from collections import Counter

    text_ = mx.contrib.text
    count = text_.utils.count_tokens_from_str
    several = count(" Life is great ! \n life is good . \n", to_lower=True)
    found = [str(sorted(several.items()))]
    found += [str(sorted(count("*Life*is*\n*life*", r"\*", "\n", False, several).items()))]
    counts = Counter(["a", "b", "b", "c", "c", "c", "some_word$", "<unk>"])
    for given in (
        {},
        {"most_freq_count": 2},
        {"min_freq": 2, "reserved_tokens": ["<pad>", "b"]},
        {"most_freq_count": 1, "unknown_token": "<?>", "reserved_tokens": ["c"]},
        {"most_freq_count": 0},
    ):
        one = text_.vocab.Vocabulary(counts, **given)
        found += [str([len(one), one.idx_to_token, sorted(one.token_to_idx.items())])]
        found += [str([one.unknown_token, one.reserved_tokens])]
        found += [str([one.to_indices(["b", "none"]), one.to_indices("c"), one.to_tokens([0])])]
    return [*found, str(len(text_.vocab.Vocabulary()))]


def embedded(mx) -> list:
    e = mx.contrib.text.embedding
    path = os.path.join(tempfile.mkdtemp(), "vectors")
    with open(path, "w") as file:
        file.write("2 3\na 0.1 0.2 0.3\nb 0.4 0.5 0.6\nB 1 2 3\na 7 8 9\n")
    with open(path + "2", "w") as file:
        file.write("<unk>,9,8\nb,0.5,0.25\nc,1,2\n")
    vocabulary = mx.contrib.text.vocab.Vocabulary(None, reserved_tokens=["b", "<pad>", "c"])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of the header, and of the token that comes twice
        one = e.CustomEmbedding(path, init_unknown_vec=mx.nd.ones)
        part = e.CustomEmbedding(path, vocabulary=vocabulary)
    two = e.CustomEmbedding(path + "2", ",")
    found = [str([len(one), one.vec_len, one.idx_to_token, two.idx_to_token])]
    found += [one.idx_to_vec, two.idx_to_vec, one.get_vecs_by_tokens("b")]
    found += [one.get_vecs_by_tokens(["A", "none", "B"])]
    found += [one.get_vecs_by_tokens(["A", "none", "B"], lower_case_backup=True)]
    both = e.CompositeEmbedding(vocabulary, [one, two])
    found += [str([both.idx_to_token, both.vec_len, len(both)]), both.idx_to_vec]
    found += [str(part.to_indices(["c", "a"])), part.idx_to_vec]
    two.update_token_vectors("b", mx.nd.array([3, 4]))
    two.update_token_vectors(["c", "<unk>"], mx.nd.array([[5, 6], [7, 8]]))
    return [*found, two.idx_to_vec]


def programs() -> dict[str, Callable]:
    """Name to function, each taking the package."""
    found: dict[str, Callable] = {}
    for last in NAMES:
        for shuffle in (False, True):
            for n, size in ((5, 2), (6, 3), (3, 5), (7, 3)):
                if n < size and last == "roll_over":
                    continue  # an AssertionError there
                found[f"arrays {last} {'shuffled ' * shuffle}{n} by {size}"] = partial(
                    arrays, last=last, shuffle=shuffle, n=n, size=size
                )
        for index in (False, True):
            found[f"image_iter {last} {index}"] = partial(image_iter, last=last, index=index)
    for shape in ((6,), (2, 3)):
        found[f"text {shape}"] = partial(text, data_shape=shape)
    found["text labels"] = partial(text, data_shape=(6,), labels=False, dtype="int32")
    found["digits"], found["flat digits"] = digits, partial(digits, flat=True)
    found["digits in parts"] = partial(digits, num_parts=2, part_index=1, batch_size=2)
    for settings, shape in SETTINGS:
        found[f"pictures {settings}"] = partial(pictures, settings=settings, shape=shape)
    for settings, shape in MOVED:
        found[f"moved {settings}"] = partial(pictures, settings=settings, shape=shape)
    for kind in ("ImageRecordUInt8Iter", "ImageRecordInt8Iter"):
        found[kind] = partial(pictures, settings={}, shape=(8, 10), kind=kind)
    for text_, takes_bytes in AUGMENTERS:
        found[text_] = partial(augmented, text=text_, takes_bytes=takes_bytes)
    found |= {f"CreateAugmenter({one})": partial(created, text=one) for one in CREATED}
    found |= {one: partial(detected, text=one) for one in DETECTION}
    found |= {
        f"CreateDetAugmenter({one})": partial(created_detection, text=one)
        for one in CREATED_DETECTION
    }
    found["det_iter"] = det_iter
    found["det_iter with crops"] = partial(
        det_iter, rand_crop=0.5, rand_pad=0.5, rand_mirror=True, inter_method=1
    )
    found["det_iter discard"] = partial(det_iter, last_batch_handle="discard")
    found["det_iter roll_over"] = partial(det_iter, last_batch_handle="roll_over")
    for one in (described, kinds_of_data, by_hand, wrapped, labelled, borders, image_lists):
        found[one.__name__] = one
    for one in (parts, det_shapes, loader, words, embedded):
        found[one.__name__] = one
    return found
