"""Shared parts of the networks: sequential and parallel layers, and trained parameters."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from typing import Any, TypeVar

from ..._core.arrays import cpu
from ..._core.errors import ArgumentError
from ..._core.faces.prototype import T, typed
from ...block import HybridBlock
from ...block.naming import Naming
from ...contrib.nn import HybridConcurrent
from ...nn import Activation, BatchNorm, Conv2D, HybridSequential
from ...nn.conv_layers import Sizes
from ...parameter import ParameterDict
from ...parameter.parameter import Contexts
from ..model_store import ROOT, get_model_file

CPU = cpu()
Layers = Iterable[HybridBlock]
Container = TypeVar("Container", bound=HybridSequential)
Net = TypeVar("Net", bound=HybridBlock)


class Classes(Naming, total=False):
    """What functions that create networks pass on to the class."""

    classes: int


class Classifier(HybridBlock):
    """A network that computes ``output(features(x))``."""

    features: HybridSequential
    output: HybridBlock

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        """Compute the class scores.

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
    """Chain layers; a generator creates them in the name scope of `prefix`."""
    return _filled(HybridSequential(prefix=prefix), layers)


def parallel(branches: Layers, prefix: str = "") -> HybridConcurrent:
    """Concatenate parallel branches along the channels; see `sequence`."""
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
    """Yield a convolution without bias, and batch normalization."""
    yield Conv2D(channels, kernel, stride, pad, groups=groups, use_bias=False)
    yield BatchNorm(epsilon=epsilon)


def conv_norm_relu(channels: int, kernel: Sizes, *args: Any, **kwargs: Any) -> Layers:
    """Yield `conv_norm` and ``relu``."""
    yield from conv_norm(channels, kernel, *args, **kwargs)
    yield Activation("relu")


def norm_relu() -> Layers:
    """Yield batch normalization and ``relu``."""
    yield BatchNorm()
    yield Activation("relu")


def check(function: str, argument: str, given: Any, known: Collection) -> None:
    """Raise unless `given` is a valid value of an argument."""
    if given not in known:
        raise ArgumentError(
            f"{function}: {argument}={given!r} is not one of {', '.join(map(repr, known))}"
        )


def trained(net: Net, name: str, pretrained: bool, ctx: Contexts, root: str) -> Net:
    """Return `net`, with the parameters of the model `name` in `root` if `pretrained`."""
    if pretrained:
        net.load_parameters(get_model_file(name, root), ctx=ctx)
    return net


#: The number of parameters of the networks that `variant` creates, shown in their examples.
ARRAYS = dict(
    pair.split("=")
    for pair in """
    densenet121=606 densenet161=806 densenet169=846 densenet201=1006 mobilenet0_5=137
    mobilenet0_25=137 mobilenet0_75=137 mobilenet1_0=137 mobilenet_v2_0_5=266
    mobilenet_v2_0_25=266 mobilenet_v2_0_75=266 mobilenet_v2_1_0=266 resnet18_v1=102
    resnet18_v2=98 resnet34_v1=182 resnet34_v2=178 resnet50_v1=299 resnet50_v2=259
    resnet101_v1=588 resnet101_v2=514 resnet152_v1=877 resnet152_v2=769 squeezenet1_0=52
    squeezenet1_1=52 vgg11=22 vgg11_bn=54 vgg13=26 vgg13_bn=66 vgg16=32 vgg16_bn=84 vgg19=38
    vgg19_bn=102
    """.split()
)


def variant(
    like: T, name: str, summary: str, get: Callable[..., HybridBlock], *args: Any, **settings: Any
) -> T:
    """Create the function `name`, which calls `get` with `args`, `settings` and its keywords.

    For type checkers and editors, its arguments are those of `like`.
    """

    def model(**kwargs: Any) -> HybridBlock:
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

    Raises
    ------
    DownloadError
        If it is to be `pretrained` and the file is not there.

    Examples
    --------
    >>> from gluon.model_zoo import vision
    >>> net = vision.{name}(classes=10)
    >>> len(net.collect_params())
    {ARRAYS[name]}
    """
    return typed(like, model)


def plain(
    *,
    classes: int = 1000,
    pretrained: bool = False,
    ctx: Contexts = CPU,
    root: str = ROOT,
    prefix: str | None = None,
    params: ParameterDict | None = None,
) -> Classifier:
    """The arguments of most networks, for `variant`."""
    raise NotImplementedError
