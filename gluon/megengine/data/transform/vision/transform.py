"""Transforms of images (height, width, channels), and of the boxes, masks and points on them.

A transform of ``order=("image", "boxes")`` takes tuples of both, and gives each kind to the method
``_apply_KIND``. Random values are drawn once for a sample, from NumPy's global generator.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ....._core.errors import ArgumentError
from ....._hook.errors import CheckError, MissingMethodError
from ..meta_transform import Transform
from . import functional

NEAREST, LINEAR = 0, 1


def both(size: Any) -> Any:
    """Height and width, from them or from one number."""
    return (size, size) if isinstance(size, int) else size


class VisionTransform(Transform):
    """Base class of vision transforms: calls a method for each part of a sample, by `order`."""

    def __init__(self, order: Sequence[str] | None = None) -> None:
        super().__init__()
        order = ("image",) if order is None else order
        if not isinstance(order, Sequence):
            raise ArgumentError(f"{type(self).__name__}: order={order!r} is not a sequence")
        for kind in order:
            if kind == "batch":
                raise ArgumentError(f"{type(self).__name__}: 'batch' is not a kind of data")
            if not kind.endswith(("category", "info")) and self._get_apply(kind) is None:
                raise MissingMethodError(f"{type(self).__name__} has no method _apply_{kind}")
        self.order = order

    def apply(self, input: Any) -> Any:
        """Transform one sample, a tuple of parts or an image."""
        parts = input if isinstance(input, tuple) else (input,)
        found = []
        for place, part in enumerate(parts):
            kind = self.order[place] if place < len(self.order) else ""
            change = self._get_apply(kind) if kind else None
            found.append(part if change is None else change(part))
        return found[0] if len(found) == 1 else tuple(found)

    def _get_apply(self, key: str) -> Any:
        return getattr(self, f"_apply_{key}", None)

    def _get_image(self, input: Any) -> Any:
        return (input if isinstance(input, tuple) else (input,))[self.order.index("image")]

    def _refuse(self, kind: str) -> Any:
        raise MissingMethodError(f"{type(self).__name__} has no method _apply_{kind}")

    def _apply_image(self, image: Any) -> Any:
        self._refuse("image")

    def _apply_coords(self, coords: Any) -> Any:
        self._refuse("coords")

    def _apply_mask(self, mask: Any) -> Any:
        self._refuse("mask")

    def _apply_boxes(self, boxes: Any) -> Any:
        x0, y0, x1, y1 = np.asarray(boxes).reshape(-1, 4).T
        corners = np.stack([x0, y0, x1, y0, x0, y1, x1, y1], 1).reshape(-1, 2)
        moved = self._apply_coords(corners).reshape(-1, 4, 2)
        return np.concatenate((moved.min(1), moved.max(1)), 1)

    def _apply_keypoints(self, keypoints: Any) -> Any:
        coords = [self._apply_coords(one) for one in keypoints[..., :2]]
        return np.concatenate((coords, keypoints[..., 2:]), -1)

    def _apply_polygons(self, polygons: Any) -> Any:
        return [[self._apply_coords(one) for one in instance] for instance in polygons]


class ToMode(VisionTransform):
    """Moves the channels of images and masks to the first axis."""

    def __init__(self, mode: str = "CHW", *, order: Any = None) -> None:
        super().__init__(order)
        if mode != "CHW":
            raise CheckError(f"ToMode: mode={mode!r} is not 'CHW'")
        self.mode = mode

    def _apply_image(self, image: Any) -> Any:
        return np.ascontiguousarray(np.moveaxis(image, 2, 0))

    def _apply_coords(self, coords: Any) -> Any:
        return coords

    def _apply_mask(self, mask: Any) -> Any:
        return self._apply_image(mask)


class Compose(VisionTransform):
    """Applies transforms in sequence; those in `shuffle_indices` (from 1) are shuffled."""

    shuffle_indices: Any | list[tuple[Any, ...]] | None

    def __init__(
        self,
        transforms: Sequence[Any] = (),
        batch_compose: bool = False,
        shuffle_indices: Any = None,
        *,
        order: Any = None,
    ) -> None:
        super().__init__(order)
        if batch_compose and shuffle_indices is not None:
            raise ArgumentError("Compose: give batch_compose=True or shuffle_indices, not both")
        self.transforms = transforms
        self.batch_compose = batch_compose
        self.shuffle_indices = shuffle_indices and [
            tuple(one - 1 for one in group) for group in shuffle_indices
        ]
        self._set_order()

    def _set_order(self) -> None:
        for one in self.transforms:
            one.order = self.order
            if isinstance(one, Compose):
                one._set_order()

    def apply_batch(self, inputs: Sequence[Any]) -> Any:
        """Transform each sample of a batch."""
        if not self.batch_compose:
            return super().apply_batch(inputs)
        for one in self.transforms:
            inputs = one.apply_batch(inputs)
        return inputs

    def apply(self, input: Any) -> Any:
        """Transform one sample."""
        for one in self._shuffle():
            input = one.apply(input)
        return input

    def _shuffle(self) -> Any:
        places = list(range(len(self.transforms)))
        for group in self.shuffle_indices or ():
            for place, other in zip(group, np.random.permutation(group).tolist()):
                places[place] = other
        return [self.transforms[place] for place in places]


class TorchTransformCompose(VisionTransform):
    """Applies torchvision's transforms to Pillow images in RGB."""

    def __init__(self, transforms: Sequence[Any], *, order: Any = None) -> None:
        super().__init__(order)
        self.transforms = transforms

    def _apply_image(self, image: Any) -> Any:
        from PIL import Image

        picture = Image.fromarray(swapped(image).astype(np.uint8))
        for one in self.transforms:
            picture = one(picture)
        return swapped(np.array(picture, np.uint8))


def swapped(image: Any) -> Any:
    """Swap red and blue, on the first or the last axis."""
    if image.shape[0] == 3:
        return np.ascontiguousarray(image[::-1])
    return np.ascontiguousarray(image[..., ::-1]) if image.shape[2] == 3 else image


class Pad(VisionTransform):
    """Pads images and masks."""

    mask_value: int
    size: tuple[int, int, int, int]
    value: Any

    def __init__(
        self, size: Any = 0, value: Any = 0, mask_value: int = 0, *, order: Any = None
    ) -> None:
        super().__init__(order)
        if not isinstance(mask_value, int):
            raise ArgumentError(f"Pad: mask_value={mask_value!r} is not an integer")
        self.size, self.value, self.mask_value = functional.widths(size), value, mask_value

    def _apply_image(self, image: Any) -> Any:
        return functional.pad(image, self.size, self.value)

    def _apply_coords(self, coords: Any) -> Any:
        coords[:, 0] += self.size[2]
        coords[:, 1] += self.size[0]
        return coords

    def _apply_mask(self, mask: Any) -> Any:
        return functional.pad(mask, self.size, self.mask_value)


class _Resized(VisionTransform):
    """Base of transforms that resize; `_get_shape` computes the new height and width."""

    def __init__(self, interpolation: Any, order: Any) -> None:
        super().__init__(order)
        self.interpolation = interpolation

    def apply(self, input: Any) -> Any:
        """Transform one sample."""
        self._shape_info = self._get_shape(self._get_image(input))
        return super().apply(input)

    def _get_shape(self, image: Any) -> tuple[int, int, int, int]:
        raise NotImplementedError

    def _apply_image(self, image: Any) -> Any:
        return self._resized(image, self.interpolation)

    def _apply_mask(self, mask: Any) -> Any:
        return self._resized(mask, NEAREST)

    def _resized(self, image: Any, interpolation: Any) -> Any:
        old, new = self._shape_info[:2], self._shape_info[2:]
        return image if tuple(old) == tuple(new) else functional.resize(image, new, interpolation)

    def _apply_coords(self, coords: Any) -> Any:
        height, width, new_height, new_width = self._shape_info
        coords[:, 0] = coords[:, 0] * (new_width / width)
        coords[:, 1] = coords[:, 1] * (new_height / height)
        return coords


class Resize(_Resized):
    """Resizes images; one number is the length of the shorter side."""

    def __init__(self, output_size: Any, interpolation: Any = LINEAR, *, order: Any = None) -> None:
        super().__init__(interpolation, order)
        self.output_size = output_size

    def _get_shape(self, image: Any) -> Any:
        height, width = image.shape[:2]
        if not isinstance(self.output_size, int):
            return height, width, *self.output_size
        scaled = [self.output_size * side // min(height, width) for side in (height, width)]
        return height, width, *scaled


class ShortestEdgeResize(_Resized):
    """A length for the shorter side that is drawn, as long as the longer one is not too long."""

    max_size: int
    min_size: Any

    def __init__(
        self,
        min_size: Any,
        max_size: int,
        sample_style: str = "range",
        interpolation: Any = LINEAR,
        *,
        order: Any = None,
    ) -> None:
        super().__init__(interpolation, order)
        if sample_style not in ("range", "choice"):
            raise MissingMethodError(
                f"ShortestEdgeResize: sample_style={sample_style!r} is neither 'range' nor 'choice'"
            )
        self.min_size, self.max_size, self.sample_style = both(min_size), max_size, sample_style

    def _get_shape(self, image: Any) -> Any:
        height, width = image.shape[:2]
        if self.sample_style == "range":
            size = np.random.randint(self.min_size[0], self.min_size[1] + 1)
        else:
            size = np.random.choice(self.min_size)
        scale = min(size / min(height, width), self.max_size / max(height, width))
        return height, width, round(height * scale), round(width * scale)


class RandomResize(_Resized):
    """Resizes images by a random scale."""

    def __init__(self, scale_range: Any, interpolation: Any = LINEAR, *, order: Any = None) -> None:
        super().__init__(interpolation, order)
        self.scale_range = scale_range

    def _get_shape(self, image: Any) -> Any:
        height, width = image.shape[:2]
        scale = np.random.uniform(*self.scale_range)
        return height, width, round(height * scale), round(width * scale)


class RandomCrop(VisionTransform):
    """Crops a random part of a given size, after padding."""

    output_size: Any
    pad: Pad
    padding_maskvalue: int
    padding_value: Any

    def __init__(
        self,
        output_size: Any,
        padding_size: Any = 0,
        padding_value: Any = (0, 0, 0),
        padding_maskvalue: int = 0,
        *,
        order: Any = None,
    ) -> None:
        super().__init__(order)
        self.output_size = both(output_size)
        self.pad = Pad(padding_size, padding_value, order=self.order)
        self.padding_value, self.padding_maskvalue = padding_value, padding_maskvalue

    def apply(self, input: Any) -> Any:
        """Transform one sample."""
        self.pad.order = self.order
        input = self.pad.apply(input)
        self._h, self._w = self._get_image(input).shape[:2]
        self._th, self._tw = self.output_size
        self._x = np.random.randint(0, max(0, self._w - self._tw) + 1)
        self._y = np.random.randint(0, max(0, self._h - self._th) + 1)
        return super().apply(input)

    def _cut(self, image: Any, value: Any) -> Any:
        missing = max(0, self._th - self._h), max(0, self._tw - self._w)
        if any(missing):
            image = functional.pad(image, missing, value)
        return image[self._y : self._y + self._th, self._x : self._x + self._tw]

    def _apply_image(self, image: Any) -> Any:
        return self._cut(image, self.padding_value)

    def _apply_mask(self, mask: Any) -> Any:
        return self._cut(mask, self.padding_maskvalue)

    def _apply_coords(self, coords: Any) -> Any:
        coords[:, 0] -= self._x
        coords[:, 1] -= self._y
        return coords


class RandomResizedCrop(VisionTransform):
    """Crops a part of random area and aspect ratio, and resizes it."""

    output_size: Any
    ratio_range: Any
    scale_range: Any

    def __init__(
        self,
        output_size: Any,
        scale_range: Any = (0.08, 1.0),
        ratio_range: Any = (3 / 4, 4 / 3),
        interpolation: Any = LINEAR,
        *,
        order: Any = None,
    ) -> None:
        super().__init__(order)
        for name, one in (("scale_range", scale_range), ("ratio_range", ratio_range)):
            if one[0] > one[1]:
                raise CheckError(f"RandomResizedCrop: {name}={one!r} is not (smallest, largest)")
        self.output_size = both(output_size)
        self.scale_range, self.ratio_range = scale_range, ratio_range
        self.interpolation = interpolation

    def apply(self, input: Any) -> Any:
        """Transform one sample."""
        self._coord_info = self._get_coord(self._get_image(input))
        return super().apply(input)

    def _cut(self, image: Any, interpolation: Any) -> Any:
        x, y, width, height = self._coord_info
        return functional.resize(
            image[y : y + height, x : x + width], self.output_size, interpolation
        )

    def _apply_image(self, image: Any) -> Any:
        return self._cut(image, self.interpolation)

    def _apply_mask(self, mask: Any) -> Any:
        return self._cut(mask, NEAREST)

    def _apply_coords(self, coords: Any) -> Any:
        x, y, width, height = self._coord_info
        coords[:, 0] = (coords[:, 0] - x) * self.output_size[1] / width
        coords[:, 1] = (coords[:, 1] - y) * self.output_size[0] / height
        return coords

    def _get_coord(self, image: Any, attempts: int = 10) -> tuple[int, int, int, int]:
        height, width = image.shape[:2]
        for _ in range(attempts):
            area = np.random.uniform(*self.scale_range) * height * width
            low, high = map(math.log, self.ratio_range)
            ratio = math.exp(np.random.uniform(low, high))
            w, h = round(math.sqrt(area * ratio)), round(math.sqrt(area / ratio))
            if 0 < w <= width and 0 < h <= height:
                x = np.random.randint(0, width - w + 1)
                return x, np.random.randint(0, height - h + 1), w, h
        ratio = min(max(width / height, min(self.ratio_range)), max(self.ratio_range))
        w, h = min(width, round(height * ratio)), min(height, round(width / ratio))
        return (width - w) // 2, (height - h) // 2, w, h


class CenterCrop(VisionTransform):
    """Crops the center of an image."""

    output_size: Any

    def __init__(self, output_size: Any, *, order: Any = None) -> None:
        super().__init__(order)
        self.output_size = both(output_size)

    def apply(self, input: Any) -> Any:
        """Transform one sample."""
        self._coord_info = self._get_coord(self._get_image(input))
        return super().apply(input)

    def _apply_image(self, image: Any) -> Any:
        x, y = self._coord_info
        return image[y : y + self.output_size[0], x : x + self.output_size[1]]

    def _apply_mask(self, mask: Any) -> Any:
        return self._apply_image(mask)

    def _apply_coords(self, coords: Any) -> Any:
        coords -= np.array(self._coord_info, coords.dtype)
        return coords

    def _get_coord(self, image: Any) -> tuple[int, int]:
        (height, width), (new_height, new_width) = image.shape[:2], self.output_size
        if new_height > height or new_width > width:
            raise CheckError(
                f"CenterCrop: output_size={self.output_size} is larger than the image, of"
                f" {(height, width)}"
            )
        return round((width - new_width) / 2), round((height - new_height) / 2)


class _RandomFlip(VisionTransform):
    """Base of transforms that flip images along an axis with a probability."""

    axis: int
    code: int

    code, axis = 0, 0

    def __init__(self, prob: float = 0.5, *, order: Any = None) -> None:
        super().__init__(order)
        self.prob = prob

    def apply(self, input: Any) -> Any:
        """Transform one sample."""
        self._flipped = np.random.random() < self.prob
        self._length = self._get_image(input).shape[1 - self.axis]
        return super().apply(input)

    def _apply_image(self, image: Any) -> Any:
        return functional.flip(image, self.code) if self._flipped else image

    def _apply_mask(self, mask: Any) -> Any:
        return self._apply_image(mask)

    def _apply_coords(self, coords: Any) -> Any:
        if self._flipped:
            coords[:, self.axis] = self._length - coords[:, self.axis]
        return coords


class RandomHorizontalFlip(_RandomFlip):
    """Flips images horizontally with a probability."""

    axis: int
    code: int

    code, axis = 1, 0


class RandomVerticalFlip(_RandomFlip):
    """Flips images vertically with a probability."""

    axis: int
    code: int

    code, axis = 0, 1


class _Coloured(VisionTransform):
    """Base of transforms of colors, which leave masks and coordinates unchanged."""

    def _apply_coords(self, coords: Any) -> Any:
        return coords

    def _apply_mask(self, mask: Any) -> Any:
        return mask


class Normalize(_Coloured):
    """Subtracts a mean from each channel, and divides by a standard deviation."""

    mean: Any
    std: Any

    def __init__(self, mean: Any = 0.0, std: Any = 1.0, *, order: Any = None) -> None:
        super().__init__(order)
        self.mean, self.std = np.array(mean, np.float32), np.array(std, np.float32)

    def _apply_image(self, image: Any) -> Any:
        return (image - self.mean) / self.std


class GaussianNoise(_Coloured):
    """Adds normally distributed noise, in parts of 255."""

    mean: Any
    std: Any

    def __init__(self, mean: Any = 0.0, std: Any = 1.0, *, order: Any = None) -> None:
        super().__init__(order)
        self.mean, self.std = np.array(mean, np.float32), np.array(std, np.float32)

    def _apply_image(self, image: Any) -> Any:
        noise = np.random.normal(self.mean, self.std, image.shape) * 255
        return (image + noise.astype(np.float32)).clip(0, 255).astype(image.dtype)


class _Jitter(_Coloured):
    """Base of transforms that blend an image with another by a random factor around 1."""

    def __init__(self, value: float, *, order: Any = None) -> None:
        super().__init__(order)
        if value < 0:
            raise ArgumentError(f"{type(self).__name__}: value={value!r} is negative")
        self.value = value

    def _other(self, image: Any) -> Any:
        raise NotImplementedError

    def _apply_image(self, image: Any) -> Any:
        if self.value == 0:
            return image
        part = np.random.uniform(max(0, 1 - self.value), 1 + self.value)
        floats = image.astype(np.float32)
        mixed = floats * part + self._other(floats) * (1 - part)
        return mixed.clip(0, 255).astype(image.dtype)


class BrightnessTransform(_Jitter):
    """Randomly changes the brightness."""

    def _other(self, image: Any) -> Any:
        return 0


class ContrastTransform(_Jitter):
    """Randomly changes the contrast."""

    def _other(self, image: Any) -> Any:
        return functional.to_gray(image).mean()


class SaturationTransform(_Jitter):
    """Randomly changes the saturation."""

    def _other(self, image: Any) -> Any:
        return functional.to_gray(image)


class HueTransform(_Coloured):
    """Randomly rotates the hue."""

    def __init__(self, value: float, *, order: Any = None) -> None:
        super().__init__(order)
        if not 0 <= value <= 0.5:
            raise ArgumentError(f"HueTransform: value={value!r} is not between 0 and 0.5")
        self.value = value

    def _apply_image(self, image: Any) -> Any:
        if self.value == 0:
            return image
        part = np.random.uniform(-self.value, self.value)
        return functional.turn_hue(image.astype(np.uint8), part).astype(image.dtype)


class ColorJitter(VisionTransform):
    """Randomly changes brightness, contrast, saturation and hue, in random order."""

    transforms: Compose

    def __init__(
        self,
        brightness: float = 0,
        contrast: float = 0,
        saturation: float = 0,
        hue: float = 0,
        *,
        order: Any = None,
    ) -> None:
        super().__init__(order)
        kinds = (BrightnessTransform, ContrastTransform, SaturationTransform, HueTransform)
        given = (brightness, contrast, saturation, hue)
        chosen = [kind(value) for kind, value in zip(kinds, given) if value != 0]
        everything = tuple(range(1, len(chosen) + 1))
        self.transforms = Compose(chosen, shuffle_indices=[everything], order=order)

    def apply(self, input: Any) -> Any:
        """Transform one sample."""
        return self.transforms.apply(input)


class Lighting(_Coloured):
    """Adds AlexNet's random lighting noise."""

    eigval: Any
    eigvec: Any

    def __init__(self, scale: float, *, order: Any = None) -> None:
        super().__init__(order)
        if scale < 0:
            raise ArgumentError(f"Lighting: scale={scale!r} is negative")
        self.scale = scale
        self.eigvec = np.array(
            [[-0.5836, -0.6948, 0.4203], [-0.5808, -0.0045, -0.8140], [-0.5675, 0.7192, 0.4009]]
        )
        self.eigval = np.array([0.2175, 0.0188, 0.0045])

    def _apply_image(self, image: Any) -> Any:
        if self.scale == 0:
            return image
        amount = np.random.normal(scale=self.scale * 255, size=3)
        light = image.astype(np.float32) + self.eigvec.dot(amount * self.eigval)
        return light.clip(0, 255).astype(image.dtype)
