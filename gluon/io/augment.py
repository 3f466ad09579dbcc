"""Image processing (height, width, channels), on bytes, for iterators over record files."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from .._core.engine.array import wrap
from .._core.errors import ArgumentError
from .._core.kernels import image as kernels
from ..nd import NDArray
from ..nd import _colour as colour


class Augmentation(NamedTuple):
    """The augmentation settings of `ImageRecordIter`, which describes them."""

    data_shape: tuple[int, ...]
    resize: int = -1
    rand_crop: bool = False
    random_resized_crop: bool = False
    max_rotate_angle: int = 0
    max_aspect_ratio: float = 0.0
    min_aspect_ratio: float | None = None
    max_shear_ratio: float = 0.0
    max_crop_size: int = -1
    min_crop_size: int = -1
    max_random_scale: float = 1.0
    min_random_scale: float = 1.0
    max_random_area: float = 1.0
    min_random_area: float = 1.0
    max_img_size: float = 1e10
    min_img_size: float = 0.0
    brightness: float = 0.0
    contrast: float = 0.0
    saturation: float = 0.0
    pca_noise: float = 0.0
    random_h: int = 0
    random_s: int = 0
    random_l: int = 0
    rotate: int = -1
    fill_value: int = 255
    inter_method: int = 1
    pad: int = 0

    def __call__(self, picture: np.ndarray, random: np.random.RandomState) -> np.ndarray:
        """Return the augmented image, in the size of `data_shape`."""
        if self.resize != -1:
            picture = self._resized(picture, *self._short(picture), random)
        if self._moves():
            picture = self._moved(picture, random)
        if self.pad > 0:
            sides = dict.fromkeys(("top", "bottom", "left", "right"), self.pad)
            picture = kernels.border(picture, **sides, kind=0, values=self.fill_value)
        return self._coloured(self._cropped(picture, random), random)

    # ------------------------------------------------------------------------------- places

    def _resized(self, x: np.ndarray, height: int, width: int, random: Any) -> np.ndarray:
        if x.shape[:2] == (height, width):
            return x
        interp = interpolation(
            self.inter_method, x.shape[:2], (height, width), lambda: random.randint(0, 5)
        )
        return kernels.resize(x, size=(height, width), interp=interp)

    def _short(self, x: np.ndarray) -> tuple[int, int]:
        """Return the size whose shorter side is `resize`."""
        height, width = x.shape[:2]
        if height > width:
            return self.resize * height // width, self.resize
        return self.resize, self.resize * width // height

    def _stretches(self) -> bool:
        return self.min_aspect_ratio is not None or self.max_aspect_ratio != 0

    def _moves(self) -> bool:
        scales = self.min_random_scale, self.max_random_scale, self.min_img_size
        return (
            max(self.max_rotate_angle, self.max_shear_ratio, self.rotate) > 0
            or (*scales, self.max_img_size) != (1, 1, 0, 1e10)
            or (not self.random_resized_crop and self._stretches())
        )

    def _ratio(self, random: Any) -> float:
        """Return a random aspect ratio."""
        if self.min_aspect_ratio is not None:
            return random.uniform(self.min_aspect_ratio, self.max_aspect_ratio)
        return 1 + random.uniform(-self.max_aspect_ratio, self.max_aspect_ratio)

    def _moved(self, x: np.ndarray, random: Any) -> np.ndarray:
        """Rotate, shear, stretch and scale the image about its centre."""
        shear = random.uniform(-self.max_shear_ratio, self.max_shear_ratio)
        angle = random.randint(-self.max_rotate_angle, self.max_rotate_angle + 1)
        angle = math.radians(self.rotate if self.rotate > 0 else angle)
        scale = random.uniform(self.min_random_scale, self.max_random_scale)
        ratio = 1.0 if self.random_resized_crop else self._ratio(random)
        high = 2 * scale / (1 + ratio)
        wide = ratio * high
        cos, sin = math.cos(angle), math.sin(angle)
        linear = np.array(
            [
                [high * cos - shear * sin * wide, high * sin + shear * cos * wide],
                [-sin * wide, cos * wide],
            ]
        )
        old = np.array(x.shape[1::-1])
        new = (scale * old).clip(self.min_img_size, self.max_img_size)
        matrix = np.column_stack([linear, (new - linear @ old) / 2])
        width, height = map(int, new)
        return kernels.affine(x, matrix=matrix, size=(height, width), fill=self.fill_value)

    def _cropped(self, x: np.ndarray, random: Any) -> np.ndarray:
        height, width = self.data_shape[1:]
        if self.random_resized_crop:
            part = self._random_part(x, random)
            if part is not None:
                return self._resized(part, height, width, random)
        if self.max_crop_size != -1 or self.min_crop_size != -1:
            side = random.randint(self.min_crop_size, self.max_crop_size + 1)
            part = self._part(x, side, side, random, self.rand_crop)
            return self._resized(part, height, width, random)
        if x.shape[0] < height:
            x = self._resized(x, height, max(int(height / x.shape[0] * x.shape[1]), 1), random)
        if x.shape[1] < width:
            x = self._resized(x, max(int(width / x.shape[1] * x.shape[0]), 1), width, random)
        return self._part(x, height, width, random, self.rand_crop)

    def _part(
        self, x: np.ndarray, height: int, width: int, random: Any, anywhere: bool
    ) -> np.ndarray:
        """Crop a rectangle at the centre or at a random position."""
        rows, columns = x.shape[0] - height, x.shape[1] - width
        if rows < 0 or columns < 0:
            raise ArgumentError(
                f"an image of height {x.shape[0]} and width {x.shape[1]} is smaller than the crop"
                f" of height {height} and width {width}"
            )
        top, left = rows // 2, columns // 2
        if anywhere:
            top, left = random.randint(0, rows + 1), random.randint(0, columns + 1)
        return x[top : top + height, left : left + width]

    def _random_part(self, x: np.ndarray, random: Any) -> np.ndarray | None:
        """Crop a rectangle of random area and aspect ratio, if one of ten draws fits."""
        area = x.shape[0] * x.shape[1]
        for _ in range(10):
            target = random.uniform(self.min_random_area, self.max_random_area) * area
            ratio = self._ratio(random)
            height, width = round(math.sqrt(target / ratio)), round(math.sqrt(target * ratio))
            if random.uniform() > 0.5:
                height, width = width, height
            if 0 < height <= x.shape[0] and 0 < width <= x.shape[1]:
                return self._part(x, height, width, random, anywhere=True)
        return None

    # ------------------------------------------------------------------------------ colours

    def _coloured(self, x: np.ndarray, random: Any) -> np.ndarray:
        changes: list[Callable] = [
            partial(change, factor=1 + random.uniform(-limit, limit))
            for change, limit in (
                (colour.brightness, self.brightness),
                (colour.contrast, self.contrast),
                (colour.saturation, self.saturation),
            )
            if limit
        ]
        random.shuffle(changes)
        if self.pca_noise > 0:
            changes += [partial(colour.lighting, alpha=random.normal(0, self.pca_noise, 3))]
        limits = self.random_h, self.random_s, self.random_l
        if any(limits):
            turn, fuller, lighter = (
                random.randint(-limit, limit + 1) / whole
                for limit, whole in zip(limits, (180, 255, 255))
            )
            changes += [partial(colour.hue, turn=turn, fuller=fuller, lighter=lighter)]
        if not changes:
            return x
        y: Any = wrap(NDArray, x.astype(np.float32))
        for change in changes:
            y = wrap(NDArray, change(y).raw.clip(0, 255))
        return np.rint(y.raw).astype(np.uint8)


#: The interpolations that resize, followed by those that select one of these.
INTERPOLATIONS = (0, 1, 2, 3, 4)
CHOOSING = (*INTERPOLATIONS, 9, 10)


def check_interpolation(name: str, interp: Any, known: tuple[int, ...] = CHOOSING) -> int:
    """Return `interp`; raise an error of `name` unless it is the number of an interpolation."""
    if interp not in known:
        raise ArgumentError(f"{name}: interp={interp!r} is not one of {str(known)[1:-1]}")
    return interp


def interpolation(interp: int, old: Any, new: Any, draw: Callable[[], int]) -> int:
    """The interpolation for one of MXNet's numbers, when a size (height, width) changes.

    Parameters
    ----------
    interp : int
        0 to 4 stand for themselves; 9 is cubic to enlarge, area to shrink, and linear otherwise;
        10 is the result of `draw`.
    old, new : tuple of int
    draw : callable

    Returns
    -------
    int
        From 0 to 4.

    Raises
    ------
    ArgumentError
        If it is not one of these.
    """
    check_interpolation("ImageRecordIter", interp)
    if interp == 10:
        return int(draw())
    if interp != 9:
        return interp
    if all(n > o for n, o in zip(new, old)):
        return 2
    return 3 if all(n < o for n, o in zip(new, old)) else 1


class Normalization(NamedTuple):
    """The normalization settings of `ImageRecordIter`, which describes them."""

    mirror: bool = False
    rand_mirror: bool = False
    mean_img: str = ""
    mean_r: float = 0.0
    mean_g: float = 0.0
    mean_b: float = 0.0
    mean_a: float = 0.0
    std_r: float = 1.0
    std_g: float = 1.0
    std_b: float = 1.0
    std_a: float = 1.0
    scale: float = 1.0
    max_random_contrast: float = 0.0
    max_random_illumination: float = 0.0

    def __call__(self, x: np.ndarray, mean: Any, random: Any) -> np.ndarray:
        """Return the normalized image (channels, height, width) in float32."""
        if self.mirror or (self.rand_mirror and random.randint(2)):
            x = x[:, ::-1]
        y = x.transpose(2, 0, 1).astype(np.float32)
        channels = len(y)
        if mean is None:
            mean = self._of_channels("mean", channels)
        contrast = 1 + random.uniform(-self.max_random_contrast, self.max_random_contrast)
        limit = self.max_random_illumination
        y = (y - mean) * np.float32(contrast) + np.float32(random.uniform(-limit, limit))
        return y * np.float32(self.scale) / self._of_channels("std", channels)

    def _of_channels(self, what: str, channels: int) -> np.ndarray:
        values = [getattr(self, f"{what}_{letter}") for letter in "rgba"[:channels]]
        return np.array(values, np.float32).reshape(-1, 1, 1)
