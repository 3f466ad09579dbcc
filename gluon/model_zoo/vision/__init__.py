"""Networks for images."""

from __future__ import annotations

import typing as _typing
from typing import Any

from ..._core import errors as _errors
from ..._core.errors import ArgumentError
from ..._core.hints.lookup import hinting as _hinting
from ...block import HybridBlock
from .alexnet import AlexNet, alexnet
from .densenet import DenseNet, densenet121, densenet161, densenet169, densenet201
from .inception import Inception3, inception_v3
from .mobilenet import (
    MobileNet,
    MobileNetV2,
    get_mobilenet,
    get_mobilenet_v2,
    mobilenet0_5,
    mobilenet0_25,
    mobilenet0_75,
    mobilenet1_0,
    mobilenet_v2_0_5,
    mobilenet_v2_0_25,
    mobilenet_v2_0_75,
    mobilenet_v2_1_0,
)
from .resnet import (
    BasicBlockV1,
    BasicBlockV2,
    BottleneckV1,
    BottleneckV2,
    ResNetV1,
    ResNetV2,
    get_resnet,
    resnet18_v1,
    resnet18_v2,
    resnet34_v1,
    resnet34_v2,
    resnet50_v1,
    resnet50_v2,
    resnet101_v1,
    resnet101_v2,
    resnet152_v1,
    resnet152_v2,
)
from .squeezenet import SqueezeNet, squeezenet1_0, squeezenet1_1
from .vgg import VGG, get_vgg, vgg11, vgg11_bn, vgg13, vgg13_bn, vgg16, vgg16_bn, vgg19, vgg19_bn

__all__ = [
    "VGG",
    "AlexNet",
    "BasicBlockV1",
    "BasicBlockV2",
    "BottleneckV1",
    "BottleneckV2",
    "DenseNet",
    "Inception3",
    "MobileNet",
    "MobileNetV2",
    "ResNetV1",
    "ResNetV2",
    "SqueezeNet",
    "alexnet",
    "densenet121",
    "densenet161",
    "densenet169",
    "densenet201",
    "get_mobilenet",
    "get_mobilenet_v2",
    "get_model",
    "get_resnet",
    "get_vgg",
    "inception_v3",
    "mobilenet0_5",
    "mobilenet0_25",
    "mobilenet0_75",
    "mobilenet1_0",
    "mobilenet_v2_0_5",
    "mobilenet_v2_0_25",
    "mobilenet_v2_0_75",
    "mobilenet_v2_1_0",
    "resnet18_v1",
    "resnet18_v2",
    "resnet34_v1",
    "resnet34_v2",
    "resnet50_v1",
    "resnet50_v2",
    "resnet101_v1",
    "resnet101_v2",
    "resnet152_v1",
    "resnet152_v2",
    "squeezenet1_0",
    "squeezenet1_1",
    "vgg11",
    "vgg11_bn",
    "vgg13",
    "vgg13_bn",
    "vgg16",
    "vgg16_bn",
    "vgg19",
    "vgg19_bn",
]

#: The functions by the names that `get_model` accepts.
MODELS: dict[str, _typing.Callable[..., HybridBlock]] = {
    "alexnet": alexnet,
    "densenet121": densenet121,
    "densenet161": densenet161,
    "densenet169": densenet169,
    "densenet201": densenet201,
    "inceptionv3": inception_v3,
    "mobilenet0.25": mobilenet0_25,
    "mobilenet0.5": mobilenet0_5,
    "mobilenet0.75": mobilenet0_75,
    "mobilenet1.0": mobilenet1_0,
    "mobilenetv2_0.25": mobilenet_v2_0_25,
    "mobilenetv2_0.5": mobilenet_v2_0_5,
    "mobilenetv2_0.75": mobilenet_v2_0_75,
    "mobilenetv2_1.0": mobilenet_v2_1_0,
    "resnet101_v1": resnet101_v1,
    "resnet101_v2": resnet101_v2,
    "resnet152_v1": resnet152_v1,
    "resnet152_v2": resnet152_v2,
    "resnet18_v1": resnet18_v1,
    "resnet18_v2": resnet18_v2,
    "resnet34_v1": resnet34_v1,
    "resnet34_v2": resnet34_v2,
    "resnet50_v1": resnet50_v1,
    "resnet50_v2": resnet50_v2,
    "squeezenet1.0": squeezenet1_0,
    "squeezenet1.1": squeezenet1_1,
    "vgg11": vgg11,
    "vgg11_bn": vgg11_bn,
    "vgg13": vgg13,
    "vgg13_bn": vgg13_bn,
    "vgg16": vgg16,
    "vgg16_bn": vgg16_bn,
    "vgg19": vgg19,
    "vgg19_bn": vgg19_bn,
}


def get_model(name: str, **kwargs: Any) -> HybridBlock:
    """Create a network by name.

    Parameters
    ----------
    name : str
        Such as ``'resnet18_v1'``; case does not matter.
    **kwargs
        Arguments of the function that makes it: ``classes``, ``pretrained`` and so on.

    Returns
    -------
    HybridBlock

    Raises
    ------
    ArgumentError
        If the network is unknown; the message names all.

    Examples
    --------
    >>> from gluon import nd
    >>> from gluon.model_zoo import vision
    >>> net = vision.get_model("mobilenet0.25", classes=10)
    >>> net.initialize()
    >>> net(nd.ones((1, 3, 32, 32))).shape
    (1, 10)
    """
    model = MODELS.get(str(name).lower())
    if model is None:
        raise ArgumentError(f"get_model: unknown model {name!r}; choose one of {', '.join(MODELS)}")
    try:
        return model(**kwargs)
    except TypeError as error:
        if type(error) is not TypeError:
            raise
        raise _errors.DTypeError(
            f"get_model: {name!r} takes classes, pretrained, ctx, root and prefix ({error}); its"
            " name has the depth and the width"
        ) from None


if not _typing.TYPE_CHECKING:  # so that type checkers report wrong names
    __getattr__ = _hinting(__name__, __all__)
