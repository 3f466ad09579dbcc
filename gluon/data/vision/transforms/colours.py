"""Transforms that change the colours of images at random."""

from __future__ import annotations

from typing import Any

from ...._core.errors import ArgumentError
from ....block import HybridBlock
from .combinations import perhaps


class _Factor(HybridBlock):
    """Changes an image by a random factor around 1."""

    _change = ""

    def __init__(self, width: float) -> None:
        super().__init__()
        if width < 0:
            raise ArgumentError(
                f"{type(self).__name__}: {width} is negative; factors are drawn from 1 - value to 1"
                " + value"
            )
        self._args = max(0, 1 - width), 1 + width

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        """Apply the transform."""
        return getattr(F.image, self._change)(x, *self._args)


class RandomBrightness(_Factor):
    """Randomly changes the brightness of an image; see `nd.image.random_brightness`.

    Parameters
    ----------
    brightness : float
        The factor is drawn from [max(0, 1 - brightness), 1 + brightness].

    Raises
    ------
    ArgumentError
        If `brightness` is negative.

    Examples
    --------
    >>> from gluon import nd
    >>> from gluon.data.vision import transforms
    >>> result = transforms.RandomBrightness(0.5)(nd.full((2, 2, 3), 100))
    >>> bool(50 <= result.min().asscalar() <= 150)
    True
    """

    _change = "random_brightness"

    def __init__(self, brightness: float) -> None:
        super().__init__(brightness)


class RandomContrast(_Factor):
    """Randomly changes the contrast of an image; see `nd.image.random_contrast`.

    Parameters
    ----------
    contrast : float
        The factor is drawn from [max(0, 1 - contrast), 1 + contrast].

    Raises
    ------
    ArgumentError
        If `contrast` is negative.

    Examples
    --------
    >>> from gluon import nd
    >>> from gluon.data.vision import transforms
    >>> result = transforms.RandomContrast(0.5)(nd.full((2, 2, 3), 100))
    >>> result.asnumpy().round(0)[0, 0]  # grey does not change
    array([100., 100., 100.], dtype=float32)
    """

    _change = "random_contrast"

    def __init__(self, contrast: float) -> None:
        super().__init__(contrast)


class RandomSaturation(_Factor):
    """Randomly changes the saturation of an image; see `nd.image.random_saturation`.

    Parameters
    ----------
    saturation : float
        The factor is drawn from [max(0, 1 - saturation), 1 + saturation].

    Raises
    ------
    ArgumentError
        If `saturation` is negative.

    Examples
    --------
    >>> from gluon import nd
    >>> from gluon.data.vision import transforms
    >>> result = transforms.RandomSaturation(0.5)(nd.full((2, 2, 3), 100))
    >>> result.asnumpy().round(0)[0, 0]  # grey does not change
    array([100., 100., 100.], dtype=float32)
    """

    _change = "random_saturation"

    def __init__(self, saturation: float) -> None:
        super().__init__(saturation)


class RandomHue(_Factor):
    """Randomly changes the hue of an image; see `nd.image.random_hue`.

    Parameters
    ----------
    hue : float
        The rotation is drawn from [max(0, 1 - hue), 1 + hue]; 1 is a full turn.

    Raises
    ------
    ArgumentError
        If `hue` is negative.

    Examples
    --------
    >>> from gluon import nd
    >>> from gluon.data.vision import transforms
    >>> transforms.RandomHue(0.5)(nd.ones((2, 2, 3))).shape
    (2, 2, 3)
    """

    _change = "random_hue"

    def __init__(self, hue: float) -> None:
        super().__init__(hue)


class RandomColorJitter(HybridBlock):
    """Randomly changes brightness, contrast, saturation, hue; see `nd.image.random_color_jitter`.

    Parameters
    ----------
    brightness, contrast, saturation, hue : float, default 0

    Examples
    --------
    >>> from gluon import nd
    >>> from gluon.data.vision import transforms
    >>> transforms.RandomColorJitter(0.1, 0.1, 0.1, 0.1)(nd.ones((6, 8, 3))).shape
    (6, 8, 3)
    """

    def __init__(
        self, brightness: float = 0, contrast: float = 0, saturation: float = 0, hue: float = 0
    ) -> None:
        super().__init__()
        self._args = brightness, contrast, saturation, hue

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        """Apply the transform."""
        return F.image.random_color_jitter(x, *self._args)


class RandomLighting(HybridBlock):
    """Adds AlexNet's random lighting noise to an image; see `nd.image.random_lighting`.

    Parameters
    ----------
    alpha : float
        The standard deviation.

    Examples
    --------
    >>> from gluon import nd
    >>> from gluon.data.vision import transforms
    >>> transforms.RandomLighting(0.1)(nd.ones((6, 8, 3))).shape
    (6, 8, 3)
    """

    def __init__(self, alpha: float) -> None:
        super().__init__()
        self._alpha = alpha

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        """Apply the transform."""
        return F.image.random_lighting(x, self._alpha)


class RandomGray(HybridBlock):
    """Converts an image (height, width, 3) to grey with a probability; see `RandomApply`.

    Parameters
    ----------
    p : float, default 0.5

    Examples
    --------
    >>> from gluon import nd
    >>> from gluon.data.vision import transforms
    >>> transforms.RandomGray(p=1)(nd.array([[[100, 0, 0]]])).asnumpy().round(4)
    array([[[29.9, 29.9, 29.9]]], dtype=float32)
    """

    def __init__(self, p: float = 0.5) -> None:
        super().__init__()
        self.p = p

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        """Apply the transform with the given probability."""
        # Without saturation, only grey is left.
        return perhaps(F, self.p, x, lambda x: F.image.random_saturation(x, 0, 0))
