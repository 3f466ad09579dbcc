"""Data sets of pictures, read by MegEngine and by gluon from the same files.

``recorded/make_megengine_pictures.py`` writes what MegEngine reads.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import os
import pickle
import struct
import tarfile
import tempfile
import zlib
from importlib import import_module
from xml.etree import ElementTree

import numpy as np


def described(one):
    """A sample or an attribute in a form that JSON can hold."""
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


def png(path, values):
    """Write a picture, grey (height, width) or red before blue (height, width, 3)."""
    height, width = values.shape[:2]
    head = struct.pack(">IIBBBBB", width, height, 8, 2 if values.ndim == 3 else 0, 0, 0, 0)
    rows = b"".join(b"\0" + row.tobytes() for row in values)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n")
        for kind, data in ((b"IHDR", head), (b"IDAT", zlib.compress(rows)), (b"IEND", b"")):
            file.write(struct.pack(">I", len(data)) + kind + data)
            file.write(struct.pack(">I", zlib.crc32(kind + data)))


def picture(seed, *shape):
    return np.random.RandomState(seed).randint(0, 256, shape).astype("uint8")


def annotated(vision, folder, name, order):
    """COCO and Objects365, with a crowd, a flat box and a picture of nothing."""
    for number in (3, 5, 8, 9):
        png(os.path.join(folder, f"{number}.png"), picture(number, 4, 6, 3))
    seen = [[1, 2, 2] * 11 + [0, 0, 0] * 6, [1, 2, 0] * 17]

    def known(image, kind, box, crowd=0, joints=0):
        return {
            "image_id": image, "category_id": kind, "bbox": box, "iscrowd": crowd,
            "keypoints": seen[joints], "segmentation": [],
        }  # fmt: skip

    described = {
        "images": [
            {"id": k, "height": 4, "width": 6, "file_name": f"{k}.png"} for k in (9, 3, 8, 5)
        ],
        "categories": [{"id": k, "name": str(k)} for k in (18, 2, 44)],
        "annotations": [
            known(3, 18, [0, 1, 2, 2]),
            known(3, 2, [1, 1, 0, 2]),
            known(5, 44, [0, 0, 3, 3], crowd=1),
            known(8, 44, [0.5, 0.5, 3, 3], joints=1),
        ],
    }
    path = os.path.join(folder, "known.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(described, file)
    kind = getattr(vision, name)
    sets = [kind(folder, path, removes, order=order) for removes in (False, True)]
    return [
        [one.ids, len(one), list(one), one.contiguous_category_id_to_json_id] for one in sets
    ] + [sets[0].get_img_info(1), kind.class_names, kind.supported_order]


XML = """<annotation><filename>a.jpg</filename>{}<size><width>6</width></size></annotation>"""
OBJECT = """<object><name>{}</name><bndbox><xmin>1</xmin><ymin>2</ymin><xmax>{}</xmax>
<ymax>4</ymax></bndbox><part/></object>"""


def voc(vision, folder):
    colors = np.array(vision.PascalVOC.class_colors, "uint8")
    for k, name in enumerate("ab"):
        png(os.path.join(folder, "JPEGImages", f"{name}.jpg"), picture(k, 4, 6, 3))
        mask = colors[picture(k + 5, 4, 6) % 21][:, :, ::-1].copy()
        mask[0, 0] = 1, 2, 3
        png(os.path.join(folder, "SegmentationClass", f"{name}.png"), mask)
        png(os.path.join(folder, "SegmentationClass_aug", f"{name}.png"), picture(k, 4, 6) % 21)
    for path, text in {
        "Annotations/a.xml": XML.format(OBJECT.format("dog", 5) + OBJECT.format("person", 6)),
        "Annotations/b.xml": XML.format(OBJECT.format("sofa", 3)),
        "ImageSets/Main/train.txt": "a\nb\n",
        "ImageSets/Segmentation/train.txt": "b\n",
        "ImageSets/Segmentation/train_aug.txt": "b\na\n",
    }.items():
        path = os.path.join(folder, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    boxes = vision.PascalVOC(folder, "train", order=("image", "boxes", "boxes_category", "info"))
    masks = vision.PascalVOC(folder, "train", order=("image", "mask"))
    more = vision.PascalVOC(folder, "train_aug", order=("mask",))
    both = ("image", "boxes", "mask")
    return [
        list(map(list, (boxes, masks, more))),
        [vision.PascalVOC.class_names, vision.PascalVOC.class_colors],
        boxes.parse_voc_xml(ElementTree.fromstring(XML.format(OBJECT.format("cat", 2)))),
        refuses(ValueError, lambda: vision.PascalVOC(folder, "train", order=both)),
        refuses(NotImplementedError, lambda: vision.PascalVOC(folder, "train", order=("image",))),
        refuses(RuntimeError, lambda: vision.PascalVOC("nowhere", "train", order=("mask",))),
    ]


def cityscapes(vision, folder):
    for k, name in enumerate(("bonn/bonn_1", "jena/jena_2")):
        png(
            os.path.join(folder, "leftImg8bit/train", f"{name}_leftImg8bit.png"),
            picture(k, 4, 6, 3),
        )
        png(
            os.path.join(folder, "gtFine/train", f"{name}_gtFine_labelIds.png"),
            picture(k, 4, 6) % 40,
        )
    streets = vision.Cityscapes(folder, "train", "gtFine", order=("image", "mask", "info"))
    read = [[*sample[:2], sample[2][:2]] for sample in streets]
    return [
        sorted(described(read)),
        sorted(os.path.relpath(path, folder) for path in streets.images),
        streets.class_names,
        refuses(RuntimeError, lambda: vision.Cityscapes("nowhere", "train", "gtFine")),
    ]


def imagenet(vision, folder):
    """From archives, packed in archives for training; then from the folders that these leave."""

    def packed(name, files, mode):
        path = os.path.join(folder, name)
        with tarfile.open(path, mode) as archive:
            for file, content in files.items():
                info = tarfile.TarInfo(file)
                info.size = len(content)
                archive.addfile(info, io.BytesIO(content))
        with open(path, "rb") as file:
            content = file.read()
        return content, (name, hashlib.md5(content).hexdigest())

    kit = "ILSVRC2012_devkit_t12"
    meta = ({1: "n01", 2: "n02"}, {"n01": ("cat", "puss"), "n02": ("dog",)})
    truth = f"{kit}/data/ILSVRC2012_validation_ground_truth.txt"
    inner = {
        f"{name}.tar": packed("inner.tar", {f"{name}_{k}.JPEG": b"" for k in range(2)}, "w")[0]
        for name in ("n01", "n02")
    }

    class Small(vision.ImageNet):
        raw_file_meta = {  # noqa: RUF012  (as in MegEngine)
            "train": packed("train.tar", inner, "w")[1],
            "val": packed("val.tar", {f"{k}.JPEG": b"" for k in range(3)}, "w")[1],
            "devkit": packed(
                f"{kit}.tar.gz",
                {truth: b"2\n1\n2\n", f"{kit}/meta.pkl": pickle.dumps(meta)},
                "w:gz",
            )[1],
        }

    def read():
        sets = [Small(folder, train=train) for train in (True, False)]
        return [
            [[os.path.relpath(path, folder), int(label)] for path, label in one.samples]
            for one in sets
        ]

    first = read()
    os.remove(os.path.join(folder, "train.tar"))
    return [
        first == read(),
        first,
        Small(folder).check_raw_file(),
        Small(folder).valid_ground_truth,
        Small(folder).meta,
        refuses(FileNotFoundError, lambda: Small(os.path.join(folder, "nowhere"))),
        refuses(FileNotFoundError, lambda: vision.ImageNet(os.path.join(folder, "nowhere"))),
    ]


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
    "COCO": lambda *args: annotated(*args, "COCO", ("image", "boxes", "keypoints", "info")),
    "COCO boxes": lambda *args: annotated(*args, "COCO", ("boxes_category", "boxes")),
    "Objects365": lambda *args: annotated(*args, "Objects365", ("image", "boxes", "info")),
    "PascalVOC": voc,
    "Cityscapes": cityscapes,
    "ImageNet": imagenet,
    "MNIST": mnist,
    "CIFAR10": lambda *args: cifar(*args, "CIFAR10", [b"labels"]),
    "CIFAR100": lambda *args: cifar(*args, "CIFAR100", [b"fine_labels", b"coarse_labels"]),
    "ImageFolder": folders,
    "utilities": utilities,
    "refused": refused,
}


def outcome(name):
    """The result of a case."""
    with tempfile.TemporaryDirectory() as folder:
        return described(CASES[name](import_module("megengine.data.dataset.vision"), folder))
