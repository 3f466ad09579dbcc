"""Transforms made of others."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

from ...._core.errors import ArgumentError, DTypeError, a_type
from ....block import Block, HybridBlock
from ....nn import HybridSequential, Lambda, Sequential
from ....symbol import Symbol


class Compose(Sequential):
    """Applies transforms in sequence.

    Parameters
    ----------
    transforms : list of Block or callable

    Raises
    ------
    DTypeError
        If `transforms` is a single transform, not a list.

    Examples
    --------
    >>> from gluon import nd
    >>> from gluon.data.vision import transforms
    >>> ready = transforms.Compose([transforms.Resize(8), transforms.ToTensor()])
    >>> ready(nd.zeros((4, 6, 3), dtype="uint8")).shape
    (3, 8, 8)
    """

    def __init__(self, transforms: Sequence[Any]) -> None:
        super().__init__()
        if callable(transforms):
            raise DTypeError(
                "Compose: give a list of transforms, such as"
                f" Compose([{type(transforms).__name__}()])"
            )
        together: list[HybridBlock] = []
        for one in transforms:
            if isinstance(one, HybridBlock):
                together.append(one)
                continue
            self._add_together(together)
            together = []
            self.add(one if isinstance(one, Block) else Lambda(one))
        self._add_together(together)

    def _add_together(self, blocks: list[HybridBlock]) -> None:
        """Add consecutive hybrid blocks as one block, as MXNet does."""
        if len(blocks) < 2:
            self.add(*blocks)
            return
        joined = HybridSequential()
        joined.add(*blocks)
        self.add(joined)


class HybridCompose(HybridSequential):
    """Applies transforms that are hybrid blocks in sequence.

    Parameters
    ----------
    transforms : list of HybridBlock

    Raises
    ------
    ArgumentError
        If one of them is not a hybrid block.

    Examples
    --------
    >>> from gluon import nd
    >>> from gluon.data.vision import transforms
    >>> prepare = transforms.HybridCompose([transforms.Resize(4), transforms.ToTensor()])
    >>> prepare(nd.ones((6, 8, 3), dtype="uint8")).shape
    (3, 4, 4)
    """

    def __init__(self, transforms: Sequence[HybridBlock]) -> None:
        super().__init__()
        self.add(*transforms)


class RandomApply(Sequential):
    """Applies a transform with a probability.

    The decision is drawn from Python's module `random`.

    Parameters
    ----------
    transforms : Block or callable
        Such as a `Compose`.
    p : float, default 0.5

    Raises
    ------
    DTypeError
        If `transforms` cannot be called.

    Examples
    --------
    >>> from gluon import nd
    >>> from gluon.data.vision import transforms
    >>> transforms.RandomApply(transforms.Resize(4), p=1)(nd.ones((6, 8, 3))).shape
    (4, 4, 3)
    """

    transforms: Any

    def __init__(self, transforms: Any, p: float = 0.5) -> None:
        super().__init__()
        self.transforms = _callable("RandomApply", transforms)
        self.p = p

    def forward(self, x: Any) -> Any:
        """Apply the transform with the given probability."""
        return x if self.p < random.random() else self.transforms(x)


class HybridRandomApply(HybridSequential):
    """Applies a transform that is a hybrid block with a probability; see `RandomApply`.

    Parameters
    ----------
    transforms : HybridBlock
    p : float, default 0.5

    Raises
    ------
    ArgumentError
        If `transforms` is not a hybrid block.

    Examples
    --------
    >>> from gluon import nd
    >>> from gluon.data.vision import transforms
    >>> transforms.HybridRandomApply(transforms.Cast(), p=1)(nd.ones((2, 2, 3))).shape
    (2, 2, 3)
    """

    def __init__(self, transforms: HybridBlock, p: float = 0.5) -> None:
        super().__init__()
        if not isinstance(transforms, HybridBlock):
            raise ArgumentError(
                f"HybridRandomApply: transforms is {a_type(transforms)}, not a"
                " HybridBlock; use RandomApply"
            )
        self.transforms = transforms
        self.p = p

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        """Apply the transform with the given probability."""
        return perhaps(F, self.p, x, self.transforms)


def perhaps(F: Any, p: float, x: Any, change: Callable[[Any], Any]) -> Any:
    """``change(x)`` with a probability; a symbol draws each time that it runs."""
    if not isinstance(x, Symbol):
        return x if p < random.random() else change(x)
    drawn = F.reshape(F.random.uniform(shape=(1,)), shape=(1, 1, 1)) < p
    return F.where(F.broadcast_like(drawn, x), change(x), x)


def _callable(name: str, transform: Any) -> Any:
    if not callable(transform):
        raise DTypeError(
            f"{name}: transforms is {a_type(transform)}; pass one transform, such as Compose([...])"
        )
    return transform
