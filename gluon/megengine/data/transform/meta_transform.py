"""The base class of transforms."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any


class Transform(ABC):
    """Base class of transforms; subclasses define ``apply(input)``."""

    def apply_batch(self, inputs: Sequence[Any]) -> Any:
        """Transform each sample of a batch."""
        return tuple(map(self.apply, inputs))

    @abstractmethod
    def apply(self, input: Any) -> Any:
        """Transform one sample."""

    def __repr__(self) -> str:
        return type(self).__name__


class PseudoTransform(Transform):
    """Returns samples unchanged."""

    def apply(self, input: Any) -> Any:
        """Return the sample."""
        return input
