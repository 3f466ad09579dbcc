"""What a transform is."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any


class Transform(ABC):
    """Changes samples: a subclass defines ``apply(input)``."""

    def apply_batch(self, inputs: Sequence[Any]) -> Any:
        """Change each sample of a batch."""
        return tuple(map(self.apply, inputs))

    @abstractmethod
    def apply(self, input: Any) -> Any:
        """Change one sample."""

    def __repr__(self) -> str:
        return type(self).__name__


class PseudoTransform(Transform):
    """Leaves samples as they are."""

    def apply(self, input: Any) -> Any:
        """The sample itself."""
        return input
