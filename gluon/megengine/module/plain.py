"""Layers without parameters, and `Sequential`."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator
from inspect import signature
from typing import Any

from .. import functional as F
from ..functional import elemwise, nn
from ..tensor import Tensor
from .module import Module

__all__ = [
    "GELU",
    "AdaptiveAvgPool2d",
    "AdaptiveMaxPool2d",
    "AvgPool2d",
    "Concat",
    "Dropout",
    "Elemwise",
    "Identity",
    "LeakyReLU",
    "LocalResponseNorm",
    "MaxPool2d",
    "Pad",
    "PixelShuffle",
    "ReLU",
    "Sequential",
    "SiLU",
    "Sigmoid",
    "SlidingWindow",
    "SlidingWindowTranspose",
    "Softmax",
]

#: Follows the first line of the docstring of a layer that calls a function.
DOC = """

    Parameters
    ----------
    {arguments}
        As for `functional.{function}`.
    name : str, optional
        For the user.

    Examples
    --------
    >>> import gluon.megengine.functional as F
    >>> import gluon.megengine.module as M
    >>> from gluon.megengine import Tensor
    >>> {code}
    {result}
"""
#: An example for each layer, and what it gives.
EXAMPLES = """
M.Sigmoid()(Tensor([-1.0, 2.0])) | Tensor([0.2689 0.8808], device=xpux:0)
M.ReLU()(Tensor([-1.0, 2.0])) | Tensor([0. 2.], device=xpux:0)
M.SiLU()(Tensor([-1.0, 2.0])) | Tensor([-0.2689  1.7616], device=xpux:0)
M.GELU()(Tensor([-1.0, 2.0])) | Tensor([-0.1587  1.9545], device=xpux:0)
M.Softmax(axis=1)(Tensor([[0.0, 0.0]])) | Tensor([[0.5 0.5]], device=xpux:0)
M.LeakyReLU(0.1)(Tensor([-1.0, 2.0])) | Tensor([-0.1  2. ], device=xpux:0)
M.MaxPool2d(2)(F.ones((1, 1, 2, 2))) | Tensor([[[[1.]]]], device=xpux:0)
M.AvgPool2d(2)(F.ones((1, 1, 2, 2))) | Tensor([[[[1.]]]], device=xpux:0)
M.AdaptiveAvgPool2d(1)(F.ones((1, 1, 3, 4))) | Tensor([[[[1.]]]], device=xpux:0)
M.AdaptiveMaxPool2d(1)(F.ones((1, 1, 3, 4))) | Tensor([[[[1.]]]], device=xpux:0)
M.PixelShuffle(2)(F.ones((1, 4, 1, 1))).shape | (1, 1, 2, 2)
M.SlidingWindow(2)(F.ones((1, 1, 3, 3))).shape | (1, 1, 2, 2, 2, 2)
M.LocalResponseNorm(k=1.0, alpha=3.0, beta=1.0)(F.ones((1, 1, 1, 1))).item() | 0.25
M.SlidingWindowTranspose((3, 3), 2)(F.ones((1, 1, 2, 2, 2, 2))).shape | (1, 1, 3, 3)
M.Pad(((0, 0), (1, 1)))(Tensor([[1.0]])) | Tensor([[0. 1. 0.]], device=xpux:0)
"""


def _doc(name: str, function: Callable, arguments: list[str], doc: str) -> str:
    """The docstring of the layer `name`, which calls `function` with these arguments."""
    rows = [line.split(" | ") for line in EXAMPLES.strip().splitlines()]
    code, result = next(row for row in rows if row[0].startswith(f"M.{name}("))
    called = function.__name__
    text = DOC.format(arguments=", ".join(arguments), function=called, code=code, result=result)
    return doc + (
        text if arguments else text.replace(f"    \n        As for `functional.{called}`.\n", "")
    )


def _layer(
    name: str,
    function: Callable,
    doc: str,
    renamed: dict[str, str] | None = None,
    shown: bool = True,
) -> type:
    """A layer that calls `function`; its arguments but the first are the layer's.

    `renamed` says how the layer calls some of them.
    """
    own = list(signature(function).parameters.values())[1:]
    names = {p.name: (renamed or {}).get(p.name, p.name) for p in own}

    def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
        Module.__init__(self, kwargs.pop("name", None))
        there = {ours: theirs for theirs, ours in names.items()}
        options = dict(zip(names, args)) | {there.get(k, k): v for k, v in kwargs.items()}
        bound = signature(function).bind(None, **options)
        bound.apply_defaults()
        for theirs, ours in names.items():
            setattr(self, ours, bound.arguments[theirs])

    def forward(self: Any, inp: Any) -> Tensor:
        """Compute the output."""
        return function(inp, **{theirs: getattr(self, ours) for theirs, ours in names.items()})

    def info(self: Any) -> str:
        return ", ".join(f"{ours}={getattr(self, ours)}" for ours in names.values())

    text = _doc(name, function, list(names.values()), doc)
    members = {"__init__": __init__, "forward": forward, "__doc__": text, "__module__": __name__}
    if shown:
        members["_module_info_string"] = info
    return type(name, (Module,), members)


def _pooling(name: str, function: Callable, doc: str) -> type:
    """A layer of pooling, of which the stride is the size of the kernel by default."""
    made: Any = _layer(name, function, doc)
    plain = made.__init__

    def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
        plain(self, *args, **kwargs)
        self.stride = self.kernel_size if self.stride is None else self.stride

    made.__init__ = __init__
    return made


Sigmoid = _layer("Sigmoid", nn.sigmoid, "The sigmoid.")
ReLU = _layer("ReLU", nn.relu, "The rectifier.")
SiLU = _layer("SiLU", nn.silu, "x times its sigmoid.")
GELU = _layer("GELU", nn.gelu, "x times the normal distribution function at x.")
Softmax = _layer("Softmax", nn.softmax, "`functional.softmax` along `axis`.")
LeakyReLU = _layer("LeakyReLU", nn.leaky_relu, "`functional.leaky_relu`.", shown=False)
LocalResponseNorm = _layer(
    "LocalResponseNorm", nn.local_response_norm, "`functional.local_response_norm`.", shown=False
)
SlidingWindowTranspose = _layer(
    "SlidingWindowTranspose",
    nn.sliding_window_transpose,
    "`functional.sliding_window_transpose`.",
    shown=False,
)
MaxPool2d = _pooling("MaxPool2d", nn.max_pool2d, "`functional.max_pool2d`.")
AvgPool2d = _pooling("AvgPool2d", nn.avg_pool2d, "`functional.avg_pool2d`.")
AdaptiveAvgPool2d = _layer(
    "AdaptiveAvgPool2d", nn.adaptive_avg_pool2d, "`functional.adaptive_avg_pool2d`.", shown=False
)
AdaptiveMaxPool2d = _layer(
    "AdaptiveMaxPool2d", nn.adaptive_max_pool2d, "`functional.adaptive_max_pool2d`.", shown=False
)
PixelShuffle = _layer("PixelShuffle", nn.pixel_shuffle, "`functional.pixel_shuffle`.", shown=False)
SlidingWindow = _layer(
    "SlidingWindow", nn.sliding_window, "`functional.sliding_window`.", shown=False
)
Pad = _layer("Pad", nn.pad, "`functional.pad`.", {"constant_value": "constant_val"}, shown=False)


class Dropout(Module):
    """Replace values by 0 at random while training.

    Parameters
    ----------
    drop_prob : float, default 0.0

    Examples
    --------
    >>> Dropout(0.3)
    Dropout(drop_prob=0.3)
    """

    def __init__(self, drop_prob: float = 0.0, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.drop_prob = drop_prob

    def forward(self, inputs: Any) -> Any:
        """Compute the output."""
        return F.dropout(inputs, self.drop_prob, training=True) if self.training else inputs

    def _module_info_string(self) -> str:
        return f"drop_prob={self.drop_prob}"


class Identity(Module):
    """Gives what it is given.

    Parameters
    ----------
    name : str, optional
        For the user.

    Examples
    --------
    >>> import gluon.megengine.functional as F
    >>> Identity()(F.ones((2,)))
    Tensor([1. 1.], device=xpux:0)
    """

    def forward(self, x: Any) -> Any:
        """Return the input."""
        return x


class Concat(Module):
    """`functional.concat`.

    Parameters
    ----------
    name : str, optional
        For the user.

    Examples
    --------
    >>> import gluon.megengine.functional as F
    >>> Concat()([F.ones((1, 2)), F.zeros((1, 2))], axis=1)
    Tensor([[1. 1. 0. 0.]], device=xpux:0)
    """

    def forward(self, inps: Any, axis: int = 0) -> Tensor:
        """Compute the output."""
        return F.concat(inps, axis)


class Elemwise(Module):
    """One of the functions of `functional.elemwise`, by name.

    Parameters
    ----------
    method : str

    Raises
    ------
    ArgumentError
        If there is no such function.

    Examples
    --------
    >>> Elemwise("add")(Tensor([1.0]), Tensor([2.0])).item()
    3.0
    """

    def __init__(self, method: str, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.method = method
        place = elemwise if hasattr(elemwise, method.lower()) else nn
        self._function = getattr(place, method.lower())

    def forward(self, *inps: Any) -> Tensor:
        """Compute the output."""
        return self._function(*inps)


class Sequential(Module):
    """Modules called one after the other.

    Parameters
    ----------
    *args : Module, or one OrderedDict of names to them

    Examples
    --------
    >>> net = Sequential(ReLU(), Sigmoid())
    >>> net
    Sequential(
      (0): ReLU()
      (1): Sigmoid()
    )
    >>> len(net), net[0]
    (2, ReLU())
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.layer_keys: list[str] = []
        one = args[0] if len(args) == 1 else None
        named = one if isinstance(one, OrderedDict) else {str(k): m for k, m in enumerate(args)}
        for key, module in named.items():
            setattr(self, key, module)
            self.layer_keys.append(key)

    @property
    def layer_values(self) -> list[Module]:
        """The modules in order."""
        return [getattr(self, key) for key in self.layer_keys]

    def forward(self, inp: Any) -> Any:
        """Compute the output."""
        for layer in self.layer_values:
            inp = layer(inp)
        return inp

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            keys = self.layer_keys[index]
            return type(self)(OrderedDict((key, getattr(self, key)) for key in keys))
        return self.layer_values[index]

    def __setitem__(self, index: int, module: Module) -> None:
        setattr(self, self.layer_keys[index], module)

    def __delitem__(self, index: Any) -> None:
        keys = self.layer_keys[index]
        del self.layer_keys[index]
        for key in keys if isinstance(index, slice) else [keys]:
            delattr(self, key)

    def __len__(self) -> int:
        return len(self.layer_keys)

    def __iter__(self) -> Iterator[Module]:
        return iter(self.layer_values)
