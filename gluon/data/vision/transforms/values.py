"""Transforms that prepare images for networks: dtypes, axis orders and scales."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...._core.arrays.laxness import lax
from ...._core.errors import ArgumentError, DTypeError
from ....block import HybridBlock


class Cast(HybridBlock):
    """Casts an image to another dtype.

    Parameters
    ----------
    dtype : str or numpy type, default 'float32'

    Examples
    --------
    >>> from gluon import nd
    >>> from gluon.data.vision import transforms
    >>> transforms.Cast()(nd.ones((2, 2, 3), dtype="uint8")).dtype
    <class 'numpy.float32'>
    """

    def __init__(self, dtype: Any = "float32") -> None:
        super().__init__()
        self._dtype = dtype

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        """Apply the transform."""
        return F.cast(x, self._dtype)


class ToTensor(HybridBlock):
    """Converts images (height, width, channels) in [0, 255] to (channels, height, width) in [0, 1].

    A batch of images keeps its first axis; the result is float32. See `nd.image.to_tensor`.

    Examples
    --------
    >>> from gluon import nd
    >>> from gluon.data.vision import transforms
    >>> transforms.ToTensor()(nd.array([[[0, 51, 255]]], dtype="uint8")).reshape(-1)
    <BLANKLINE>
    [0.  0.2 1. ]
    <NDArray 3 @cpu(0)>
    """

    def __init__(self) -> None:
        super().__init__()

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        """Apply the transform."""
        return F.image.to_tensor(x)


class Normalize(HybridBlock):
    """Normalizes each channel of images (channels, height, width): ``(x - mean) / std``.

    Parameters
    ----------
    mean, std : float or sequence of float
        One number, or one for each channel.

    Raises
    ------
    ArgumentError
        If a standard deviation is 0.

    Examples
    --------
    >>> from gluon import nd
    >>> from gluon.data.vision import transforms
    >>> transforms.Normalize([1, 2, 3], 2)(nd.ones((3, 1, 1)) * 5).asnumpy().ravel()
    array([2. , 1.5, 1. ], dtype=float32)
    """

    def __init__(self, mean: Any = 0.0, std: Any = 1.0) -> None:
        super().__init__()
        for name, value in (("mean", mean), ("std", std)):
            if np.asarray(value).dtype.kind not in "biuf":
                raise DTypeError(
                    f"Normalize: {name}={value!r} is neither a number nor a tuple of them"
                )
        if not np.all(std) and not lax.late_checks:
            raise ArgumentError(f"Normalize: std={std} is a divisor, so it must not be 0")
        self._mean, self._std = mean, std

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        """Apply the transform."""
        return F.image.normalize(x, self._mean, self._std)
