"""What the networks have in common: layers in a row and side by side, and trained parameters."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from typing import Any, TypeVar

from ...block import HybridBlock
from ...contrib.nn import HybridConcurrent
from ...engine.errors import ArgumentError
from ...nn import Activation, BatchNorm, Conv2D, HybridSequential
from ...nn.conv_layers import Sizes
from ...parameter.parameter import Contexts
from ..model_store import get_model_file

Layers = Iterable[HybridBlock]
Container = TypeVar("Container", bound=HybridSequential)
Net = TypeVar("Net", bound=HybridBlock)


class Classifier(HybridBlock):
    """A network that computes ``output(features(x))``."""

    features: HybridBlock
    output: HybridBlock

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        """Compute one number for each class.

        Parameters
        ----------
        F : module
            `nd`.
        x : NDArray of shape (N, 3, height, width)

        Returns
        -------
        NDArray of shape (N, classes)
        """
        return self.output(self.features(x))


def sequence(layers: Layers, prefix: str = "") -> HybridSequential:
    """Layers one after the other; a generator makes them in the name scope of `prefix`."""
    return _filled(HybridSequential(prefix=prefix), layers)


def parallel(branches: Layers, prefix: str = "") -> HybridConcurrent:
    """Branches side by side, whose outputs are joined along the channels; see `sequence`."""
    return _filled(HybridConcurrent(axis=1, prefix=prefix), branches)


def _filled(net: Container, layers: Layers) -> Container:
    with net.name_scope():
        net.add(*layers)
    return net


def conv_norm(
    channels: int,
    kernel: Sizes,
    stride: int = 1,
    pad: Sizes = 0,
    groups: int = 1,
    epsilon: float = 1e-5,
) -> Iterator[HybridBlock]:
    """A convolution without bias, and batch normalization."""
    yield Conv2D(channels, kernel, stride, pad, groups=groups, use_bias=False)
    yield BatchNorm(epsilon=epsilon)


def conv_norm_relu(channels: int, kernel: Sizes, *args: Any, **kwargs: Any) -> Layers:
    """`conv_norm`, and ``relu``."""
    yield from conv_norm(channels, kernel, *args, **kwargs)
    yield Activation("relu")


def norm_relu() -> Layers:
    """Batch normalization and ``relu``."""
    yield BatchNorm()
    yield Activation("relu")


def check(function: str, argument: str, given: Any, known: Collection) -> None:
    """Raise unless `given` is one of the values that an argument can take."""
    if given not in known:
        raise ArgumentError(
            f"{function}: {argument}={given!r} is none of {', '.join(map(repr, known))}"
        )


def trained(net: Net, name: str, pretrained: bool, ctx: Contexts, root: str) -> Net:
    """`net`, with the parameters that the model `name` has in `root` if it is `pretrained`."""
    if pretrained:
        net.load_parameters(get_model_file(name, root), ctx=ctx)
    return net


def variant(
    name: str, summary: str, get: Callable[..., Net], *args: Any, **settings: Any
) -> Callable[..., Net]:
    """The function `name`, which calls `get` with `args` and `settings` besides its keywords."""

    def model(**kwargs: Any) -> Net:
        return get(*args, **{**kwargs, **settings})

    model.__name__ = model.__qualname__ = name
    model.__module__ = get.__module__
    model.__doc__ = f"""{summary}

    Parameters
    ----------
    **kwargs
        See `{get.__name__}`.

    Returns
    -------
    HybridBlock
    """
    return model
