"""Augmentation of images (height, width, channels), on bytes, with the boxes of their objects.

Objects are rows: the class, then the left, upper, right and lower edge of the box relative to the
width and height, then further values.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from .._core.engine.array import wrap
from .._core.errors import ArgumentError
from .._core.kernels import image as kernels
from ..nd import NDArray
from ..nd import _colour as colour
from .augment import check_interpolation, interpolation

Range = tuple[float, ...]
Labelled = tuple[np.ndarray, np.ndarray]
#: A border that makes the image less than this much larger is left out.
LEAST_PAD = 1.05
EMIT, RESIZE = ("center", "overlap"), ("fit", "force", "shrink")
#: The pairs of settings that are limits, with the lowest and the highest possible value.
LIMITS = {
    "crop_scales": (0.0, 1.0),
    "crop_aspect_ratios": (0.0, np.inf),
    "crop_overlaps": (0.0, 1.0),
    "crop_sample_coverages": (0.0, 1.0),
    "crop_object_coverages": (0.0, 1.0),
}


class Box(NamedTuple):
    """A rectangle, relative to the width and height of an image."""

    left: float
    top: float
    width: float
    height: float

    def holds(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        """Whether points lie inside."""
        right, bottom = self.left + self.width, self.top + self.height
        return (x >= self.left) & (x <= right) & (y >= self.top) & (y <= bottom)

    def shared(self, objects: np.ndarray) -> np.ndarray:
        """The area that each object shares with the rectangle."""
        low = np.maximum(objects[:, 1:3], self[:2])
        high = np.minimum(objects[:, 3:5], (self.left + self.width, self.top + self.height))
        return np.maximum(high - low, 0).prod(1)

    def seen(self, objects: np.ndarray) -> np.ndarray:
        """The objects with their edges relative to the rectangle."""
        found = objects.copy()
        found[:, 1:5] = (objects[:, 1:5] - np.tile(self[:2], 2)) / np.tile(self[2:], 2)
        return found


def areas(objects: np.ndarray) -> np.ndarray:
    """The areas of the boxes of objects."""
    return (objects[:, 3:5] - objects[:, 1:3]).prod(1)


class DetAugmentation(NamedTuple):
    """The augmentation settings of `ImageDetRecordIter`, which describes them."""

    data_shape: tuple[int, ...]
    resize: int = -1
    rand_crop_prob: float = 0.0
    min_crop_scales: Range = (0.0,)
    max_crop_scales: Range = (1.0,)
    min_crop_aspect_ratios: Range = (1.0,)
    max_crop_aspect_ratios: Range = (1.0,)
    min_crop_overlaps: Range = (0.0,)
    max_crop_overlaps: Range = (1.0,)
    min_crop_sample_coverages: Range = (0.0,)
    max_crop_sample_coverages: Range = (1.0,)
    min_crop_object_coverages: Range = (0.0,)
    max_crop_object_coverages: Range = (1.0,)
    num_crop_sampler: int = 1
    crop_emit_mode: str = "center"
    emit_overlap_thresh: float = 0.3
    max_crop_trials: tuple[int, ...] = (25,)
    rand_pad_prob: float = 0.0
    max_pad_scale: float = 1.0
    max_random_hue: int = 0
    random_hue_prob: float = 0.0
    max_random_saturation: int = 0
    random_saturation_prob: float = 0.0
    max_random_illumination: int = 0
    random_illumination_prob: float = 0.0
    max_random_contrast: float = 0.0
    random_contrast_prob: float = 0.0
    rand_mirror_prob: float = 0.0
    fill_value: int = 127
    inter_method: int = 1
    resize_mode: str = "force"

    def checked(self, who: str) -> DetAugmentation:
        """The same with a value for each crop sampler; raises an error of `who` for wrong ones."""
        check_interpolation(who, self.inter_method)
        for name, known in (("crop_emit_mode", EMIT), ("resize_mode", RESIZE)):
            if getattr(self, name) not in known:
                given = getattr(self, name)
                raise ArgumentError(f"{who}: {name}={given!r} is not one of {', '.join(known)}")
        names = [f"{side}_{name}" for name in LIMITS for side in ("min", "max")]
        each: dict[str, Any] = {name: self._each(who, name) for name in (*names, "max_crop_trials")}
        full = self._replace(**each)
        for name, (least, most) in LIMITS.items():
            low, high = getattr(full, f"min_{name}"), getattr(full, f"max_{name}")
            for a, b in zip(low, high):
                if not (least <= a <= b <= most) or (a == b and name == "crop_scales"):
                    raise ArgumentError(
                        f"{who}: min_{name}={low} and max_{name}={high} must be limits between"
                        f" {least:g} and {most:g}, the lower ones first"
                    )
        return full

    def _each(self, who: str, name: str) -> tuple:
        """Return the values of a setting, one for each crop sampler."""
        given = getattr(self, name)
        values = tuple(np.ravel(given).tolist())
        if len(values) == 1:
            return values * self.num_crop_sampler
        if len(values) != self.num_crop_sampler:
            raise ArgumentError(
                f"{who}: {name}={given} needs one value, or one for each of"
                f" num_crop_sampler={self.num_crop_sampler}"
            )
        return values

    def __call__(self, x: np.ndarray, objects: np.ndarray, random: Any) -> Labelled:
        """Return the augmented image, at most of the size of `data_shape`, and its objects."""
        if self.resize != -1:
            height, width = (self.resize * n // min(x.shape[:2]) for n in x.shape[:2])
            x = self._resized(x, height, width, random)
        x = self._coloured(x, random)
        if random.uniform() < self.rand_mirror_prob:
            x, objects = x[:, ::-1], objects.copy()
            objects[:, [1, 3]] = 1 - objects[:, [3, 1]]
        if self.max_pad_scale > 1 and random.uniform() < self.rand_pad_prob:
            x, objects = self._padded(x, objects, random)
        if random.uniform() < self.rand_crop_prob:
            x, objects = self._cropped(x, objects, random)
        return self._fitted(x, random), objects

    # ------------------------------------------------------------------------------- places

    def _resized(self, x: np.ndarray, height: float, width: float, random: Any) -> np.ndarray:
        size = max(int(height), 1), max(int(width), 1)
        if x.shape[:2] == size:
            return x
        interp = interpolation(self.inter_method, x.shape[:2], size, lambda: random.randint(0, 5))
        return kernels.resize(np.ascontiguousarray(x), size=size, interp=interp)

    def _fitted(self, x: np.ndarray, random: Any) -> np.ndarray:
        """Bring the image to the size of `data_shape`, or into it, as `resize_mode` says."""
        height, width = self.data_shape[1:]
        if self.resize_mode == "force":
            return self._resized(x, height, width, random)
        ratio = np.float32(min(height / x.shape[0], width / x.shape[1]))
        if self.resize_mode == "shrink" and ratio >= 1:
            return x
        rows, columns = (ratio * np.float32(n) for n in x.shape[:2])
        return self._resized(x, float(rows), float(columns), random)

    def _padded(self, x: np.ndarray, objects: np.ndarray, random: Any) -> Labelled:
        """Put the image at a random position on a larger one."""
        scale = random.uniform(1, self.max_pad_scale)
        if scale < LEAST_PAD:
            return x, objects
        left, top = random.uniform(0, scale - 1, 2)
        rows, columns = x.shape[:2]
        sides = {
            "top": int(top * rows),
            "bottom": int((scale - top - 1) * rows),
            "left": int(left * columns),
            "right": int((scale - left - 1) * columns),
        }
        x = kernels.border(x, **sides, kind=0, values=self.fill_value)
        return x, Box(-left, -top, scale, scale).seen(objects)

    def _cropped(self, x: np.ndarray, objects: np.ndarray, random: Any) -> Labelled:
        """Crop a rectangle that holds an object, by the samplers in random order."""
        rows, columns = x.shape[:2]
        for k in random.permutation(self.num_crop_sampler):
            for _ in range(self.max_crop_trials[k]):
                box = self._drawn(k, columns / rows, random)
                found = self._held(box, k, objects)
                if len(found):
                    left, top = int(box.left * columns), int(box.top * rows)
                    height = max(int(box.height * rows), 1)
                    width = max(int(box.width * columns), 1)
                    return x[top : top + height, left : left + width], found
        return x, objects

    def _drawn(self, k: int, aspect: float, random: Any) -> Box:
        """Draw a rectangle within the limits of sampler `k`, for an image of an aspect ratio."""
        scale = random.uniform(self.min_crop_scales[k], self.max_crop_scales[k]) + 1e-12
        low = max(self.min_crop_aspect_ratios[k] / aspect, scale**2)
        high = min(self.max_crop_aspect_ratios[k] / aspect, 1 / scale**2)
        ratio = np.sqrt(low + random.uniform() * (high - low))
        width, height = min(1.0, scale * ratio), min(1.0, scale / ratio)
        return Box(random.uniform(0, 1 - width), random.uniform(0, 1 - height), width, height)

    def _held(self, box: Box, k: int, objects: np.ndarray) -> np.ndarray:
        """Return the objects in a rectangle; none if it is not within the limits of sampler `k`."""
        shared, whole, own = box.shared(objects), areas(objects), box.width * box.height
        fits = np.full(len(objects), True)
        for value, low, high in (
            (shared / (whole + own - shared), self.min_crop_overlaps, self.max_crop_overlaps),
            (shared / own, self.min_crop_sample_coverages, self.max_crop_sample_coverages),
            (shared / whole, self.min_crop_object_coverages, self.max_crop_object_coverages),
        ):
            if low[k] > 0 or high[k] < 1:
                fits &= (value >= low[k]) & (value <= high[k])
        if not fits.any():
            return objects[:0]
        if self.crop_emit_mode == "center":
            inside = box.holds(objects[:, [1, 3]].mean(1), objects[:, [2, 4]].mean(1))
        else:
            inside = shared / whole >= self.emit_overlap_thresh
        found = box.seen(objects[inside])
        found[:, 1:5] = found[:, 1:5].clip(0, 1)
        return found

    # ------------------------------------------------------------------------------ colours

    def _coloured(self, x: np.ndarray, random: Any) -> np.ndarray:
        chances = (
            self.random_hue_prob,
            self.random_saturation_prob,
            self.random_illumination_prob,
            self.random_contrast_prob,
        )
        if max(chances) <= 0:
            return x
        limits = (
            self.max_random_hue,
            self.max_random_saturation,
            self.max_random_illumination,
            self.max_random_contrast,
        )
        drawn = [random.uniform(-1, 1) * limit for limit in limits]
        chosen = random.uniform(size=4) < chances
        turn, fuller, lighter, contrast = (one * is_on for one, is_on in zip(drawn, chosen))
        y: Any = wrap(NDArray, x.astype(np.float32))
        turn, fuller, lighter = int(turn) / 180, int(fuller) / 255, int(lighter) / 255
        if any((turn, fuller, lighter)) and x.shape[2] == 3:
            y = wrap(NDArray, colour.hue(y, turn=turn, fuller=fuller, lighter=lighter).raw)
        return np.rint((y.raw.clip(0, 255) * (1 + contrast)).clip(0, 255)).astype(np.uint8)
