"""Networks that MXNet 1.9.1 and gluon make and run alike; see tests/nn/programs.py."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable
from contextlib import redirect_stdout
from functools import partial
from io import StringIO

import numpy as np

#: The function that makes a network, and the shape of its input, as small as possible.
NETWORKS = [
    ("alexnet()", (1, 3, 63, 65)),
    ("densenet121()", (1, 3, 223, 223)),
    ("densenet161()", (1, 3, 223, 223)),
    ("densenet169()", (1, 3, 223, 223)),
    ("densenet201()", (1, 3, 223, 223)),
    ("inception_v3()", (1, 3, 299, 299)),
    ("mobilenet1_0()", (2, 3, 48, 64)),
    ("mobilenet0_75()", (2, 3, 48, 64)),
    ("mobilenet0_5()", (2, 3, 48, 64)),
    ("mobilenet0_25()", (2, 3, 48, 64)),
    ("mobilenet_v2_1_0()", (2, 3, 48, 64)),
    ("mobilenet_v2_0_75()", (2, 3, 48, 64)),
    ("mobilenet_v2_0_5()", (2, 3, 48, 64)),
    ("mobilenet_v2_0_25()", (2, 3, 48, 64)),
    *[
        (f"resnet{layers}_v{version}()", (1, 3, 40, 64))
        for version in (1, 2)
        for layers in (18, 34, 50, 101, 152)
    ],
    ("squeezenet1_0()", (1, 3, 213, 224)),
    ("squeezenet1_1()", (1, 3, 213, 224)),
    *[
        (f"vgg{layers}{end}()", (1, 3, 32, 32))
        for end in ("", "_bn")
        for layers in (11, 13, 16, 19)
    ],
    # Other arguments.
    ("get_mobilenet(1.1, classes=5)", (1, 3, 32, 32)),
    ("get_mobilenet_v2(1.4, classes=5, prefix='my_')", (1, 3, 32, 32)),
    ("get_resnet(1, 18, thumbnail=True, classes=10)", (1, 3, 9, 8)),
    ("get_resnet(2, 50, thumbnail=True, classes=10)", (1, 3, 9, 8)),
    ("get_vgg(11, batch_norm=True, classes=10)", (1, 3, 32, 32)),
    ("vgg11_bn(batch_norm=False, classes=10)", (1, 3, 32, 32)),
    ("get_model('MobileNetV2_0.25', classes=4)", (1, 3, 32, 32)),
    ("get_model('squeezenet1.1', classes=4, prefix='')", (1, 3, 213, 213)),
    ("ResNetV1(BottleneckV1, [2, 1], [4, 8, 12], classes=3)", (2, 3, 32, 32)),
    ("ResNetV2(BasicBlockV2, [1, 2], [4, 4, 8], classes=3)", (2, 3, 32, 32)),
    ("VGG([1, 2], [4, 6], classes=3, batch_norm=True)", (2, 3, 8, 8)),
    ("DenseNet(6, 4, [2, 3], bn_size=2, dropout=0.25, classes=3)", (2, 3, 56, 57)),
    ("BasicBlockV1(8, 2, downsample=True, in_channels=4)", (2, 4, 6, 5)),
    ("BasicBlockV2(4, 1)", (2, 4, 6, 5)),
    ("BottleneckV1(8, 1)", (2, 8, 6, 5)),
    ("BottleneckV2(8, 2, True)", (2, 4, 6, 5)),
    ("mobilenet.LinearBottleneck(4, 4, 2, 1)", (2, 4, 6, 5)),
    ("mobilenet.LinearBottleneck(4, 6, 6, 2)", (2, 4, 6, 5)),
]
#: Networks to differentiate in float32. Deep ones would compare rounding errors: a value on the
#: other side of 0 in one ``relu`` changes the gradients before it.
TRAINED = [
    ("get_resnet(1, 18, thumbnail=True, classes=3)", (2, 3, 16, 16)),
    ("ResNetV2(BottleneckV2, [2, 1], [4, 8, 12], classes=3)", (2, 3, 32, 32)),
    ("DenseNet(6, 4, [2, 2], classes=3)", (2, 3, 56, 56)),
    ("mobilenet.LinearBottleneck(4, 4, 6, 1)", (2, 4, 6, 5)),
    ("mobilenet.LinearBottleneck(4, 6, 1, 2)", (2, 4, 6, 5)),
]
#: One network of each family, to differentiate as a whole in float64.
WHOLE = [
    ("alexnet", (2, 3, 64, 64)),
    ("densenet121", (2, 3, 223, 223)),
    ("inception_v3", (1, 3, 299, 299)),
    ("mobilenet0_25", (2, 3, 64, 64)),
    ("mobilenet_v2_0_25", (2, 3, 64, 64)),
    ("resnet50_v1", (2, 3, 48, 48)),
    ("resnet50_v2", (2, 3, 48, 48)),
    ("squeezenet1_0", (1, 3, 213, 213)),
    ("vgg11_bn", (2, 3, 32, 32)),
]
#: The names that `get_model` takes.
NAMES = {
    "alexnet",
    "inceptionv3",
    *(f"densenet{n}" for n in (121, 161, 169, 201)),
    *(f"mobilenet{n}" for n in (0.25, 0.5, 0.75, 1.0)),
    *(f"mobilenetv2_{n}" for n in (0.25, 0.5, 0.75, 1.0)),
    *(f"resnet{n}_v{version}" for n in (18, 34, 50, 101, 152) for version in (1, 2)),
    *(f"squeezenet{n}" for n in (1.0, 1.1)),
    *(f"vgg{n}{end}" for n in (11, 13, 16, 19) for end in ("", "_bn")),
}


def made(mx, text: str):
    return eval(text, dict(vars(mx.gluon.model_zoo.vision)))


def filled(net) -> None:
    """Give parameters values that depend on their places, and keep what comes out near 1."""
    for place, (name, param) in enumerate(net.collect_params().items()):
        if name.endswith("gamma") and param.grad_req == "null":
            continue  # MXNet sets it to 1 when the layer is called
        shape = param.shape
        draw = np.random.RandomState(place).uniform(-1, 1, shape)
        if name.endswith("weight"):
            draw *= np.sqrt(6 / np.prod(shape[1:]))
        else:
            draw = 0.2 * draw + name.endswith(("gamma", "var"))
        values = param.data().copy()
        values[:] = draw
        param.set_data(values)


def structure(mx, text: str) -> list:
    """The structure of a network, and the names of its parts."""
    net = made(mx, text)
    return [repr(net), "\n".join(places(net))]


def run(mx, text: str, shape: tuple[int, ...]) -> list:
    """Names and shapes of the parameters, and the output; of many classes, each tenth."""
    net = made(mx, text)
    net.initialize("zeros")
    x = mx.nd.array(np.random.RandomState(7).uniform(-1, 1, shape))
    net(x)  # infers the shapes
    filled(net)
    y = net(x)
    return ["\n".join(parameters(net)), str(y.shape), y[:, ::10] if y.shape[1] == 1000 else y]


def places(block, place: str = "") -> list[str]:
    """Each block with its name."""
    found = [f"{place} {type(block).__name__} {block.prefix}"]
    for name, child in block._children.items():
        found += places(child, f"{place}.{name}")
    return found


def parameters(net) -> list[str]:
    def init(param) -> str:
        return param.init.dumps() if hasattr(param.init, "dumps") else repr(param.init)

    return [
        f"{one.name} {tuple(one.shape)} {np.dtype(one.dtype)} {one.grad_req} {init(one)}"
        for one in net.collect_params().values()
    ]


def trained(mx, text: str, shape: tuple[int, ...]) -> list:
    """The output while training, and some of the gradients."""
    net = made(mx, text)
    net.initialize()
    x = mx.nd.array(np.random.RandomState(7).uniform(-1, 1, shape))
    net(x)
    filled(net)
    x.attach_grad()
    with mx.autograd.record():
        y = net(x)
    y.backward(mx.nd.array(np.random.RandomState(3).uniform(-1, 1, y.shape)))
    grads = [one.grad() for one in net.collect_params().values() if one.grad_req != "null"]
    return [y, x.grad[:, :, ::4, ::4], *grads[:2], *grads[-2:]]


def whole(mx, name: str, shape: tuple[int, ...]) -> list:
    """A step of training in float64: output, some gradients of the input, a sketch of the rest."""
    net = made(mx, f"{name}(classes=4)")
    net.apply(without_dropout)
    net.initialize("zeros")
    x = mx.nd.array(np.random.RandomState(7).uniform(-1, 1, shape))
    net(x)
    net.cast("float64")
    filled(net)
    x = x.astype("float64")
    x.attach_grad()
    with mx.autograd.record():
        y = net(x)
    head = np.random.RandomState(3).uniform(-1, 1, y.shape)
    y.backward(mx.nd.array(head, dtype="float64"))
    params = net.collect_params().values()
    results = [one.data() if one.grad_req == "null" else one.grad() for one in params]
    return [y, x.grad[:, :, ::7, ::7], np.array([sketch(one.asnumpy()) for one in results])]


def without_dropout(block) -> None:
    if type(block).__name__ == "Dropout":
        block._rate = 0


def sketch(array: np.ndarray) -> tuple[float, float]:
    """The norm of an array, and its dot product with another array."""
    values = array.ravel()
    return np.linalg.norm(values), values @ np.random.RandomState(5).uniform(-1, 1, values.size)


def summary(mx, name: str, shape: tuple[int, ...]) -> list:
    """The table of layers, once the shapes are known."""
    net = made(mx, f"{name}(classes=4)")
    net.initialize("zeros")
    x = mx.nd.zeros(shape)
    net(x)
    with redirect_stdout(StringIO()) as text:
        net.summary(x)
    return [text.getvalue()]


def signatures(mx) -> list:
    """The public names, and the arguments with their defaults."""
    vision, store = mx.gluon.model_zoo.vision, mx.gluon.model_zoo.model_store
    found = {name: getattr(vision, name) for name in dir(vision) if name[0] != "_"}
    found |= {name: getattr(store, name) for name in ("get_model_file", "purge", "short_hash")}
    functions = {name: one for name, one in found.items() if callable(one)}
    for helper in ("Any", "ArgumentError", "HybridBlock"):
        functions.pop(helper, None)
    return [
        json.dumps({name: signature(one) for name, one in functions.items()}),
        json.dumps([store.short_hash(name) for name in sorted(NAMES)]),
    ]


def signature(function) -> list[str]:
    return [
        f"{one.kind.name} {one.name} {'' if one.name == 'root' else one.default}"
        for one in inspect.signature(function).parameters.values()
    ]


def programs() -> dict[str, Callable]:
    found: dict[str, Callable] = {"signatures": signatures}
    for text, shape in NETWORKS:
        found[f"structure of {text}"] = partial(structure, text=text)
        found[text] = partial(run, text=text, shape=shape)
    for text, shape in TRAINED:
        found[f"training {text}"] = partial(trained, text=text, shape=shape)
    for name, shape in WHOLE:
        found[f"whole {name}"] = partial(whole, name=name, shape=shape)
        found[f"summary of {name}"] = partial(summary, name=name, shape=shape)
    return found
