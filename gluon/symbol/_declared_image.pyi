# Made by .ci/make_stubs.py
# mypy: disable-error-code="override"

from collections.abc import Sequence
from gluon.symbol.symbol import Symbol
from typing import overload

@overload
def adjust_lighting(data: Symbol, alpha: Sequence[float], *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Add the principal components of ImageNet's colors, each times its `alpha`."""
@overload
def adjust_lighting(*, data: Symbol | None = None, alpha: Sequence[float], name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Add the principal components of ImageNet's colors, each times its `alpha`."""
@overload
def crop(data: Symbol, x: int, y: int, width: int, height: int, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Crop a rectangle of images."""
@overload
def crop(*, data: Symbol | None = None, x: int, y: int, width: int, height: int, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Crop a rectangle of images."""
def flip_left_right(data: Symbol | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Flip images horizontally."""
def flip_top_bottom(data: Symbol | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Flip images vertically; see `flip_left_right`."""
def normalize(data: Symbol | None = None, mean: float | Sequence[float] = 0.0, std: float | Sequence[float] = 1.0, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Normalize each channel: ``(data - mean) / std``."""
@overload
def random_brightness(data: Symbol, min_factor: float, max_factor: float, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Randomly change the brightness: multiply `data` by a random factor."""
@overload
def random_brightness(*, data: Symbol | None = None, min_factor: float, max_factor: float, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Randomly change the brightness: multiply `data` by a random factor."""
@overload
def random_color_jitter(data: Symbol, brightness: float, contrast: float, saturation: float, hue: float, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Randomly change brightness, contrast, saturation and hue, in random order."""
@overload
def random_color_jitter(*, data: Symbol | None = None, brightness: float, contrast: float, saturation: float, hue: float, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Randomly change brightness, contrast, saturation and hue, in random order."""
@overload
def random_contrast(data: Symbol, min_factor: float, max_factor: float, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Randomly change the contrast: ``factor * data + (1 - factor) * mean``."""
@overload
def random_contrast(*, data: Symbol | None = None, min_factor: float, max_factor: float, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Randomly change the contrast: ``factor * data + (1 - factor) * mean``."""
def random_flip_left_right(data: Symbol | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Flip images horizontally with probability 0.5."""
def random_flip_top_bottom(data: Symbol | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Flip images vertically with probability 0.5."""
@overload
def random_hue(data: Symbol, min_factor: float, max_factor: float, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Randomly rotate the hue; lightness and saturation (HLS) stay."""
@overload
def random_hue(*, data: Symbol | None = None, min_factor: float, max_factor: float, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Randomly rotate the hue; lightness and saturation (HLS) stay."""
def random_lighting(data: Symbol | None = None, alpha_std: float = 0.05, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """`adjust_lighting` with a random `alpha`."""
@overload
def random_saturation(data: Symbol, min_factor: float, max_factor: float, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Randomly change the saturation: ``factor * data + (1 - factor) * grey``."""
@overload
def random_saturation(*, data: Symbol | None = None, min_factor: float, max_factor: float, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Randomly change the saturation: ``factor * data + (1 - factor) * grey``."""
@overload
def resize(data: Symbol, size: int | Sequence[int], keep_ratio: bool = False, interp: int = 1, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Resize images, with the interpolation of OpenCV 3.4."""
@overload
def resize(*, data: Symbol | None = None, size: int | Sequence[int], keep_ratio: bool = False, interp: int = 1, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Resize images, with the interpolation of OpenCV 3.4."""
def to_tensor(data: Symbol | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Convert images in [0, 255] to float32 in [0, 1], channels first."""
