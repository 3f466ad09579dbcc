"""Networks of the model zoo with drawn parameters, exported by MXNet 1.9.1 and by gluon."""

from __future__ import annotations

import sys
import zlib
from typing import Any

import numpy as np

#: One network of each family, and the height and width of pictures that it is called with.
FAMILIES = {
    "alexnet": 67,
    "densenet121": 224,
    "inceptionv3": 299,
    "mobilenet0.25": 32,
    "mobilenetv2_0.25": 32,
    "resnet18_v1": 32,
    "resnet18_v2": 32,
    "squeezenet1.1": 224,
    "vgg11_bn": 32,
}
CLASSES = 7


def picture(family: str) -> np.ndarray:
    """The input of the network."""
    size = FAMILIES[family]
    return np.random.RandomState(size).rand(1, 3, size, size).astype("float32")


def values(name: str, shape: tuple[int, ...]) -> np.ndarray:
    """The parameter of that name, which is the same on every machine, so that no file is needed."""
    drawn = np.random.RandomState(zlib.crc32(name.encode())).randn(*shape).astype("float32")
    if name.endswith("weight"):
        return drawn * np.float32((2 / max(1, np.prod(shape[1:]))) ** 0.5)
    return 0.1 * abs(drawn) + 1 if name.endswith(("gamma", "var")) else 0.1 * drawn


def built(mx: Any, family: str) -> Any:
    """The network, with these parameters."""
    net = mx.gluon.model_zoo.vision.get_model(family, classes=CLASSES, prefix="net_")
    net.initialize()
    net.hybridize()
    net(mx.nd.array(picture(family)))
    for name, one in net.collect_params().items():
        one.set_data(mx.nd.array(values(name, one.shape)))
    return net


if __name__ == "__main__":  # write what recorded/make_exported.py reads with MXNet
    import gluon
    from tests.nn.replay import MX

    for _family in FAMILIES:
        _net = built(MX(), _family)
        _net.export(f"{sys.argv[1]}/{_family}")
        _x = gluon.nd.array(picture(_family))
        np.save(f"{sys.argv[1]}/{_family}.npy", _net(_x).asnumpy())
