"""Datasets of images with boxes, masks and classes, from local files."""

from __future__ import annotations

import json
import os
import shutil
from collections import defaultdict
from functools import cache
from pathlib import Path
from typing import Any, ClassVar
from xml.etree import ElementTree

import numpy as np

from ... import image
from ..._core.errors import ArgumentError, GluonError, MissingFileError
from ..serialization import load, save
from .vision import (
    ImageFolder,
    VisionDataset,
    _default_dataset_root,
    calculate_md5,
    untar,
    untargz,
)

__all__ = ["COCO", "Cityscapes", "ImageNet", "Objects365", "PascalVOC"]
min_keypoints_per_image = 10


@cache
def _names(kind: str) -> tuple[Any, ...]:
    """Read the names of the classes of a dataset, and the like."""
    path = Path(__file__).with_name("classes.json")
    return tuple(json.loads(path.read_text(encoding="utf-8"))[kind])


def _picture(path: str) -> np.ndarray:
    """Read an image (height, width, 3) in BGR."""
    return image.imread(path, to_rgb=False).asnumpy()


def _grey(path: str) -> np.ndarray:
    return image.imread(path, flag=0).asnumpy()[:, :, 0]


class _Scenes(VisionDataset):
    """Base of datasets whose samples have the parts that `order` names."""

    supported_order: ClassVar[tuple[str, ...]]

    def __init__(self, root: str, order: Any) -> None:
        super().__init__(root, order=order, supported_order=self.supported_order)

    def _part(self, name: str, index: int) -> Any:
        """Return one part of a sample."""
        raise NotImplementedError

    def __getitem__(self, index: int) -> tuple[Any, ...]:
        return tuple(self._part(name, index) for name in self.order)

    def _folder(self) -> None:
        if not os.path.isdir(self.root):
            raise MissingFileError(f"{type(self).__name__}: cannot find the folder {self.root!r}")


def _count_visible_keypoints(anno: list[dict]) -> int:
    """Count the visible keypoints of objects."""
    return sum(one > 0 for obj in anno for one in obj["keypoints"][2::3])


def has_valid_annotation(anno: list[dict], order: Any) -> bool:
    """Whether the annotation of an image has the parts that `order` names."""
    if not anno or ({"boxes", "boxes_category"} & {*order} and "bbox" not in anno[0]):
        return False
    if "keypoints" not in order:
        return True
    return "keypoints" in anno[0] and _count_visible_keypoints(anno) >= min_keypoints_per_image


class _Annotated(_Scenes):
    """Base of datasets described by one file in COCO's format."""

    cats: dict[Any, Any]
    contiguous_category_id_to_json_id: dict[int, Any]
    ids: list[Any]
    imgs: dict[Any, Any]
    json_category_id_to_contiguous_id: dict[Any, int]

    def __init__(
        self,
        root: str,
        ann_file: str,
        remove_images_without_annotations: bool = False,
        *,
        order: Any = None,
    ) -> None:
        super().__init__(root, order)
        with open(ann_file, encoding="utf-8") as file:
            known = json.load(file)
        self.imgs = {one["id"]: one for one in known["images"]}
        self.cats = {one["id"]: one for one in known["categories"]}
        self.img_to_anns: dict[Any, list[dict]] = defaultdict(list)
        for one in known["annotations"]:
            self.img_to_anns[one["image_id"]].append(one)
        self.ids = sorted(self.imgs)
        if remove_images_without_annotations:
            self.ids = [one for one in self.ids if self._kept(one)]
        numbered = list(enumerate(sorted(self.cats), 1))
        self.json_category_id_to_contiguous_id = {one: k for k, one in numbered}
        self.contiguous_category_id_to_json_id = dict(numbered)

    def _kept(self, number: Any) -> bool:
        """Whether objects of an image remain without crowds and empty boxes."""
        left = [
            one
            for one in self.img_to_anns.pop(number, [])
            if one["iscrowd"] == 0 and min(one["bbox"][2:]) > 0
        ]
        if self._fits(left):
            self.img_to_anns[number] = left
            return True
        del self.imgs[number]
        return False

    def _fits(self, anno: list[dict]) -> bool:
        return len(anno) > 0

    def _part(self, name: str, index: int) -> Any:
        known, found = self.get_img_info(index), self.img_to_anns[self.ids[index]]
        if name == "image":
            return _picture(os.path.join(self.root, known["file_name"]))
        if name == "info":
            return [known["height"], known["width"], known["file_name"]]
        if name == "boxes_category":
            numbers = self.json_category_id_to_contiguous_id
            return np.array([numbers[one["category_id"]] for one in found], np.int32)
        if name == "keypoints":
            places = np.array([one["keypoints"] for one in found], np.float32)
            return places.reshape(-1, len(_names("keypoint_names")), 3)
        boxes = np.array([one["bbox"] for one in found], np.float32).reshape(-1, 4)
        boxes[:, 2:] += boxes[:, :2]
        return boxes

    def get_img_info(self, index: int) -> dict[str, Any]:
        """Return the entry of an image in the annotations.

        Parameters
        ----------
        index : int

        Returns
        -------
        dict
        """
        return self.imgs[self.ids[index]]

    def __len__(self) -> int:
        return len(self.ids)


class COCO(_Annotated):
    """COCO: images with boxes (objects, 4) of float32, classes from 1, and keypoints of people.

    Parameters
    ----------
    root : str
        The folder of images.
    ann_file : str
        The JSON file of annotations.
    remove_images_without_annotations : bool, default False
        Whether to skip images without an object; crowds and flat boxes do not count.
    order : sequence of str, default ('image',)
        The parts of a sample: ``'image'``, ``'boxes'``, ``'boxes_category'``, ``'keypoints'`` and
        ``'info'``, which is height, width and the name of the file.

    Raises
    ------
    NotImplementedError
        If `order` has an unknown part.

    Examples
    --------
    >>> import json, os, tempfile
    >>> path = os.path.join(tempfile.mkdtemp(), "known.json")
    >>> known = {
    ...     "images": [{"id": 7, "height": 4, "width": 6, "file_name": "a.png"}],
    ...     "categories": [{"id": 18, "name": "dog"}],
    ...     "annotations": [{"image_id": 7, "category_id": 18, "bbox": [1, 1, 2, 3]}],
    ... }
    >>> with open(path, "w") as file:
    ...     json.dump(known, file)
    >>> COCO("pictures", path, order=("boxes", "boxes_category", "info"))[0]
    (array([[1., 1., 3., 4.]], dtype=float32), array([1], dtype=int32), [4, 6, 'a.png'])
    """

    supported_order = ("image", "boxes", "boxes_category", "keypoints", "info")
    class_names: ClassVar[tuple[str, ...]] = _names("COCO")
    keypoint_names: ClassVar[tuple[str, ...]] = _names("keypoint_names")
    classes_originID: ClassVar[dict[str, int]] = dict(zip(class_names, _names("classes_originID")))

    def _fits(self, anno: list[dict]) -> bool:
        return has_valid_annotation(anno, self.order)


class Objects365(_Annotated):
    """Objects365: images with boxes and classes as in `COCO`, of 365 classes.

    Parameters
    ----------
    root, ann_file, remove_images_without_annotations
        As for `COCO`.
    order : sequence of str, default ('image',)
        The parts of a sample: ``'image'``, ``'boxes'``, ``'boxes_category'`` and ``'info'``.

    Raises
    ------
    NotImplementedError
        If `order` has an unknown part.

    Examples
    --------
    >>> len(Objects365.class_names), Objects365.class_names[:3]
    (365, ('person', 'sneakers', 'chair'))
    """

    supported_order = ("image", "boxes", "boxes_category", "info")
    class_names: ClassVar[tuple[str, ...]] = _names("Objects365")


def _shades(count: int) -> list[list[int]]:
    """The first colors in BGR: the bits of each number in turn, from the highest."""
    return [
        [sum((k >> 3 * bit + channel & 1) << 7 - bit for bit in range(3)) for channel in (2, 1, 0)]
        for k in range(count)
    ]


class PascalVOC(_Scenes):
    """PASCAL VOC: images with boxes (objects, 4) of float32 and classes, or with masks (h, w, 1).

    Parameters
    ----------
    root : str
        The folder with ``JPEGImages``, ``Annotations`` and ``ImageSets``.
    image_set : str
        The list of images in ``ImageSets``, such as ``'trainval'``.
    order : sequence of str
        The parts of a sample: ``'image'``, ``'info'``, which is height, width and the name of the
        file, and ``'boxes'`` and ``'boxes_category'``, or ``'mask'``.

    Raises
    ------
    ArgumentError
        If `order` names both boxes and masks.
    NotImplementedError
        If it has neither, or an unknown part.
    MissingFileError
        If there is no such folder.

    Examples
    --------
    >>> PascalVOC.class_names[:2], PascalVOC.class_colors[1]
    (('aeroplane', 'bicycle'), [0, 0, 128])
    """

    annotations: list[str]
    file_names: list[str]
    images: list[str]
    masks: list[str]

    supported_order = ("image", "boxes", "boxes_category", "mask", "info")
    class_names: ClassVar[tuple[str, ...]] = _names("PascalVOC")
    class_colors: ClassVar[list[list[int]]] = _shades(21)

    def __init__(self, root: str, image_set: str, *, order: Any = None) -> None:
        super().__init__(root, order)
        boxes, masks = {"boxes", "boxes_category"} & {*self.order}, "mask" in self.order
        if boxes and masks:
            raise ArgumentError(f"PascalVOC: order={order} has boxes and masks; give one of them")
        if not boxes and not masks:
            raise NotImplementedError(f"PascalVOC: order={order} needs 'boxes' or 'mask'")
        self._folder()
        self.image_set = image_set
        kind = "Main" if boxes else "Segmentation"
        path = os.path.join(self.root, "ImageSets", kind, image_set.rstrip("\n") + ".txt")
        with open(path, encoding="utf-8") as file:
            self.file_names = [line.strip() for line in file]
        self.images = self._paths("JPEGImages", ".jpg")
        if boxes:
            self.annotations = self._paths("Annotations", ".xml")
        else:
            more = "_aug" if "aug" in image_set else ""
            self.masks = self._paths(f"SegmentationClass{more}", ".png")
        self.img_infos: dict[int, dict[str, Any]] = {}

    def _paths(self, folder: str, end: str) -> list[str]:
        return [os.path.join(self.root, folder, name + end) for name in self.file_names]

    def _part(self, name: str, index: int) -> Any:
        if name == "image":
            return _picture(self.images[index])
        if name == "info":
            known = self.get_img_info(index)
            return [known["height"], known["width"], known["file_name"]]
        if name == "mask":
            path = self.masks[index]
            found = _grey(path) if "aug" in self.image_set else self._trans_mask(_picture(path))
            return found[:, :, np.newaxis]
        read = self.parse_voc_xml(ElementTree.parse(self.annotations[index]).getroot())
        objects = read["annotation"]["object"]
        if name == "boxes_category":
            kinds = [self.class_names.index(one["name"]) + 1 for one in objects]
            return np.array(kinds, np.int32)
        edges = [
            [one["bndbox"][key] for key in ("xmin", "ymin", "xmax", "ymax")] for one in objects
        ]
        return np.array(edges, np.float32).reshape(-1, 4)

    def get_img_info(self, index: int, image: Any = None) -> dict[str, Any]:
        """The height, the width and the name of an image.

        Parameters
        ----------
        index : int
        image : numpy.ndarray of shape (height, width, ...), optional
            The picture, if it is at hand.

        Returns
        -------
        dict
        """
        if index not in self.img_infos:
            shape = (_picture(self.images[index]) if image is None else image).shape
            name = self.file_names[index]
            self.img_infos[index] = {"height": shape[0], "width": shape[1], "file_name": name}
        return self.img_infos[index]

    def _trans_mask(self, mask: np.ndarray) -> np.ndarray:
        """Convert colors to class indices; 255 for unknown colors."""
        found = np.full(mask.shape[:2], 255, np.uint8)
        for number, color in enumerate(self.class_colors):
            found[(mask == color).all(-1)] = number
        return found

    def parse_voc_xml(self, node: Any) -> dict[str, Any]:
        """Parse an XML annotation into a dict, with its objects in a list.

        Parameters
        ----------
        node : xml.etree.ElementTree.Element

        Returns
        -------
        dict
        """
        if not len(node):
            return {node.tag: node.text.strip()} if node.text else {}
        found: dict[str, list] = defaultdict(list)
        for child in node:
            for key, value in self.parse_voc_xml(child).items():
                found[key].append(value)
        inside: dict[str, Any] = {k: one[0] if len(one) == 1 else one for k, one in found.items()}
        if node.tag == "annotation":
            inside["object"] = found["object"]
        return {node.tag: inside}

    def __len__(self) -> int:
        return len(self.images)


class Cityscapes(_Scenes):
    """Cityscapes: street images with masks (height, width, 1) of 19 classes; 255 is ignored.

    Parameters
    ----------
    root : str
        The folder with ``leftImg8bit`` and the folder of `mode`.
    image_set : str
        Such as ``'train'``.
    mode : {'gtFine', 'gtCoarse'}
    order : sequence of str, default ('image',)
        The parts of a sample: ``'image'``, ``'mask'`` and ``'info'``, which is height, width and
        the path of the file.

    Raises
    ------
    MissingFileError
        If there is no such folder.

    Examples
    --------
    >>> Cityscapes.class_names[:3]
    ('road', 'sidewalk', 'building')
    """

    images: list[str]
    images_dir: str
    masks: list[str]
    masks_dir: str

    supported_order = ("image", "mask", "info")
    class_names: ClassVar[tuple[str, ...]] = _names("Cityscapes")
    #: The indices of the classes in files.
    _numbers = (7, 8, 11, 12, 13, 17, *range(19, 29), 31, 32, 33)

    def __init__(self, root: str, image_set: str, mode: str, *, order: Any = None) -> None:
        super().__init__(root, order)
        self._folder()
        self.mode = mode
        self.images_dir = os.path.join(self.root, "leftImg8bit", image_set)
        self.masks_dir = os.path.join(self.root, mode, image_set)
        pairs = [(city, name) for city in os.listdir(self.images_dir)
                 for name in os.listdir(os.path.join(self.images_dir, city))]  # fmt: skip
        end = self._get_target_suffix(mode, "semantic")
        self.images = [os.path.join(self.images_dir, *pair) for pair in pairs]
        self.masks = [
            os.path.join(self.masks_dir, city, f"{name.split('_leftImg8bit')[0]}_{end}")
            for city, name in pairs
        ]

    def _part(self, name: str, index: int) -> Any:
        if name == "image":
            return _picture(self.images[index])
        if name == "mask":
            return self._trans_mask(_grey(self.masks[index]))[:, :, np.newaxis]
        return [*_picture(self.images[index]).shape[:2], self.images[index]]

    def _trans_mask(self, mask: np.ndarray) -> np.ndarray:
        """Convert the class indices of files."""
        numbers = np.full(256, 255, np.uint8)
        numbers[[*self._numbers]] = np.arange(len(self._numbers))
        return numbers[mask]

    def _get_target_suffix(self, mode: str, target_type: str) -> str:
        """Return the suffix of file names of one type."""
        ends = {"instance": "instanceIds.png", "semantic": "labelIds.png", "color": "color.png"}
        return f"{mode}_{ends.get(target_type, 'polygons.json')}"

    def _load_json(self, path: str) -> Any:
        with open(path, encoding="utf-8") as file:
            return json.load(file)

    def __len__(self) -> int:
        return len(self.images)


class ImageNet(ImageFolder):
    """ImageNet: images in one folder per class, unpacked if necessary.

    Parameters
    ----------
    root : str, optional
        The folder with the archives, or with ``train``, ``val`` and ``ILSVRC2012_devkit_t12``;
        ``~/.cache/megengine/ImageNet`` by default.
    train : bool, default True
        True for the training set, False for the validation set.
    **kwargs
        As for `ImageFolder`.

    Raises
    ------
    MissingFileError
        If a folder and the archive for it are missing.
    ArgumentError
        If an archive is damaged.

    Examples
    --------
    >>> import os, tempfile
    >>> root = tempfile.mkdtemp()
    >>> for folder in ("ILSVRC2012_devkit_t12", "train/n01440764"):
    ...     os.makedirs(os.path.join(root, folder))
    >>> open(os.path.join(root, "train", "n01440764", "a.JPEG"), "w").close()
    >>> len(ImageNet(root))
    1
    """

    devkit_dir: str
    root: Any
    target_folder: str
    train: bool

    raw_file_meta: ClassVar[dict[str, tuple[str, str]]] = {
        "train": ("ILSVRC2012_img_train.tar", "1d675b47d978889d74fa0da5fadfb00e"),
        "val": ("ILSVRC2012_img_val.tar", "29b22e2961454d5413ddabcf34fc5622"),
        "devkit": ("ILSVRC2012_devkit_t12.tar.gz", "fa75699e90414af021442c21a62c3abf"),
    }
    default_train_dir = "train"
    default_val_dir = "val"
    default_devkit_dir = "ILSVRC2012_devkit_t12"

    def __init__(self, root: str | None = None, train: bool = True, **kwargs: Any) -> None:
        self.root, self.train = root or self._default_root, train
        if not os.path.exists(self.root):
            raise MissingFileError(f"ImageNet: cannot find the folder {self.root!r}")
        self.devkit_dir = os.path.join(self.root, self.default_devkit_dir)
        folder = self.default_train_dir if train else self.default_val_dir
        self.target_folder = os.path.join(self.root, folder)
        if not os.path.exists(self.devkit_dir):
            self._prepare_devkit()
        if not os.path.exists(self.target_folder):
            (self._prepare_train if train else self._prepare_val)()
        super().__init__(self.target_folder, **kwargs)

    @property
    def _default_root(self) -> str:
        return os.path.join(_default_dataset_root(), type(self).__name__)

    def _archive(self, part: str) -> str:
        """Return the path of an archive that exists and is complete."""
        name, checksum = self.raw_file_meta[part]
        path = os.path.join(self.root, name)
        if not os.path.exists(path):
            raise MissingFileError(
                f"ImageNet: cannot find {name} in {self.root!r}; gluon downloads nothing, so put it"
                " there"
            )
        if calculate_md5(path) != checksum:
            raise ArgumentError(f"ImageNet: {path!r} is damaged; fetch it again")
        return path

    def check_raw_file(self) -> bool:
        """Whether all archives exist.

        Returns
        -------
        bool
        """
        names = [name for name, _ in self.raw_file_meta.values()]
        return all(os.path.exists(os.path.join(self.root, name)) for name in names)

    def _prepare_devkit(self) -> None:
        untargz(self._archive("devkit"))

    def _prepare_train(self) -> None:
        untar(self._archive("train"), self.target_folder)
        for name in os.listdir(self.target_folder):
            path = os.path.join(self.target_folder, name)
            untar(path, os.path.splitext(path)[0], remove=True)

    def _prepare_val(self) -> None:
        untar(self._archive("val"), self.target_folder)
        self._organize_val_data()

    def _organize_val_data(self) -> None:
        """Move images into the folders of their classes."""
        names = sorted(os.listdir(self.target_folder))
        for number, name in zip(self.valid_ground_truth, names):
            folder = os.path.join(self.target_folder, self.meta[0][number])
            os.makedirs(folder, exist_ok=True)
            shutil.move(os.path.join(self.target_folder, name), os.path.join(folder, name))

    @property
    def valid_ground_truth(self) -> list[int]:
        """The class of each validation image."""
        path = os.path.join(self.devkit_dir, "data", "ILSVRC2012_validation_ground_truth.txt")
        if not os.path.exists(path):
            raise MissingFileError(f"ImageNet: cannot find the file {path!r}")
        with open(path, encoding="utf-8") as file:
            return [int(line) for line in file]

    @property
    def meta(self) -> tuple[dict[int, str], dict[str, tuple[str, ...]]]:
        """The folders and the names of the classes."""
        kept = os.path.join(self.devkit_dir, "meta.pkl")
        if os.path.exists(kept):
            return load(kept)
        path = os.path.join(self.devkit_dir, "data", "meta.mat")
        if not os.path.exists(path):
            raise MissingFileError(f"ImageNet: cannot find the file {path!r}")
        try:
            from scipy.io import loadmat  # type: ignore[import-untyped, unused-ignore]
        except ImportError:
            raise GluonError(f"ImageNet: reading {path!r} needs SciPy; pip install scipy") from None
        rows = [row for row in loadmat(path, squeeze_me=True)["synsets"] if row[4] == 0]
        folders = {int(row[0]): str(row[1]) for row in rows}
        words = {str(row[1]): tuple(row[2].split(", ")) for row in rows}
        save((folders, words), kept)
        return folders, words
