"""Layers without parameters, and `Sequential`."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from typing import Any

from ..._core.errors import ArgumentError, DTypeError
from .. import functional
from ..functional import nn
from ..functional.modes import ELEMWISE
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


class Sigmoid(Module):
    """The sigmoid.

    Examples
    --------
    >>> import gluon.megengine.module as M
    >>> from gluon.megengine import Tensor
    >>> M.Sigmoid()(Tensor([-1.0, 2.0]))
    Tensor([0.2689 0.8808], device=xpux:0)
    """

    def forward(self, inp: Any) -> Tensor:
        """Compute the output."""
        return nn.sigmoid(inp)


class ReLU(Module):
    """ReLU: ``max(x, 0)``.

    Examples
    --------
    >>> import gluon.megengine.module as M
    >>> from gluon.megengine import Tensor
    >>> M.ReLU()(Tensor([-1.0, 2.0]))
    Tensor([0. 2.], device=xpux:0)
    """

    def forward(self, inp: Any) -> Tensor:
        """Compute the output."""
        return nn.relu(inp)


class SiLU(Module):
    """SiLU: ``x * sigmoid(x)``.

    Examples
    --------
    >>> import gluon.megengine.module as M
    >>> from gluon.megengine import Tensor
    >>> M.SiLU()(Tensor([-1.0, 2.0]))
    Tensor([-0.2689  1.7616], device=xpux:0)
    """

    def forward(self, inp: Any) -> Tensor:
        """Compute the output."""
        return nn.silu(inp)


class GELU(Module):
    """GELU: x times the standard normal CDF of x.

    Examples
    --------
    >>> import gluon.megengine.module as M
    >>> from gluon.megengine import Tensor
    >>> M.GELU()(Tensor([-1.0, 2.0]))
    Tensor([-0.1587  1.9545], device=xpux:0)
    """

    def forward(self, inp: Any) -> Tensor:
        """Compute the output."""
        return nn.gelu(inp)


class Softmax(Module):
    """`functional.softmax` along `axis`.

    Examples
    --------
    >>> import gluon.megengine.module as M
    >>> from gluon.megengine import Tensor
    >>> M.Softmax(axis=1)(Tensor([[0.0, 0.0]]))
    Tensor([[0.5 0.5]], device=xpux:0)
    """

    def __init__(self, axis: Any = None, *, name: str | None = None) -> None:
        super().__init__(name)
        self.axis = axis

    def forward(self, inp: Any) -> Tensor:
        """Compute the output."""
        return nn.softmax(inp, self.axis)

    def _module_info_string(self) -> str:
        return f"axis={self.axis}"


class LeakyReLU(Module):
    """`functional.leaky_relu`.

    Examples
    --------
    >>> import gluon.megengine.module as M
    >>> from gluon.megengine import Tensor
    >>> M.LeakyReLU(0.1)(Tensor([-1.0, 2.0]))
    Tensor([-0.1  2. ], device=xpux:0)
    """

    def __init__(self, negative_slope: float = 0.01, *, name: str | None = None) -> None:
        super().__init__(name)
        self.negative_slope = negative_slope

    def forward(self, inp: Any) -> Tensor:
        """Compute the output."""
        return nn.leaky_relu(inp, self.negative_slope)


class LocalResponseNorm(Module):
    """`functional.local_response_norm`.

    Examples
    --------
    >>> import gluon.megengine.functional as F
    >>> import gluon.megengine.module as M
    >>> M.LocalResponseNorm(k=1.0, alpha=3.0, beta=1.0)(F.ones((1, 1, 1, 1))).item()
    0.25
    """

    def __init__(
        self,
        kernel_size: int = 5,
        k: float = 2.0,
        alpha: float = 0.0001,
        beta: float = 0.75,
        *,
        name: str | None = None,
    ) -> None:
        super().__init__(name)
        self.kernel_size = kernel_size
        self.k = k
        self.alpha = alpha
        self.beta = beta

    def forward(self, inp: Any) -> Tensor:
        """Compute the output."""
        return nn.local_response_norm(inp, self.kernel_size, self.k, self.alpha, self.beta)


class SlidingWindowTranspose(Module):
    """`functional.sliding_window_transpose`.

    Examples
    --------
    >>> import gluon.megengine.functional as F
    >>> import gluon.megengine.module as M
    >>> M.SlidingWindowTranspose((3, 3), 2)(F.ones((1, 1, 2, 2, 2, 2))).shape
    (1, 1, 3, 3)
    """

    def __init__(
        self,
        output_size: Any,
        kernel_size: Any,
        padding: Any = 0,
        stride: Any = 1,
        dilation: Any = 1,
        *,
        name: str | None = None,
    ) -> None:
        super().__init__(name)
        self.output_size = output_size
        self.kernel_size = kernel_size
        self.padding = padding
        self.stride = stride
        self.dilation = dilation

    def forward(self, inp: Any) -> Tensor:
        """Compute the output."""
        return nn.sliding_window_transpose(
            inp, self.output_size, self.kernel_size, self.padding, self.stride, self.dilation
        )


class MaxPool2d(Module):
    """`functional.max_pool2d`; by default the stride is the size of the kernel.

    Examples
    --------
    >>> import gluon.megengine.functional as F
    >>> import gluon.megengine.module as M
    >>> M.MaxPool2d(2)(F.ones((1, 1, 2, 2)))
    Tensor([[[[1.]]]], device=xpux:0)
    """

    stride: Any

    def __init__(
        self, kernel_size: Any, stride: Any = None, padding: Any = 0, *, name: str | None = None
    ) -> None:
        super().__init__(name)
        self.kernel_size = kernel_size
        self.stride = kernel_size if stride is None else stride
        self.padding = padding

    def forward(self, inp: Any) -> Tensor:
        """Compute the output."""
        return nn.max_pool2d(inp, self.kernel_size, self.stride, self.padding)

    def _module_info_string(self) -> str:
        return f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}"


class AvgPool2d(Module):
    """`functional.avg_pool2d`; by default the stride is the size of the kernel.

    Examples
    --------
    >>> import gluon.megengine.functional as F
    >>> import gluon.megengine.module as M
    >>> M.AvgPool2d(2)(F.ones((1, 1, 2, 2)))
    Tensor([[[[1.]]]], device=xpux:0)
    """

    stride: Any

    def __init__(
        self,
        kernel_size: Any,
        stride: Any = None,
        padding: Any = 0,
        mode: str = "average_count_exclude_padding",
        *,
        name: str | None = None,
    ) -> None:
        super().__init__(name)
        self.kernel_size = kernel_size
        self.stride = kernel_size if stride is None else stride
        self.padding = padding
        self.mode = mode

    def forward(self, inp: Any) -> Tensor:
        """Compute the output."""
        return nn.avg_pool2d(inp, self.kernel_size, self.stride, self.padding, self.mode)

    def _module_info_string(self) -> str:
        window = f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}"
        return f"{window}, mode={self.mode}"


class AdaptiveAvgPool2d(Module):
    """`functional.adaptive_avg_pool2d`.

    Examples
    --------
    >>> import gluon.megengine.functional as F
    >>> import gluon.megengine.module as M
    >>> M.AdaptiveAvgPool2d(1)(F.ones((1, 1, 3, 4)))
    Tensor([[[[1.]]]], device=xpux:0)
    """

    def __init__(self, oshp: Any, *, name: str | None = None) -> None:
        super().__init__(name)
        self.oshp = oshp

    def forward(self, inp: Any) -> Tensor:
        """Compute the output."""
        return nn.adaptive_avg_pool2d(inp, self.oshp)


class AdaptiveMaxPool2d(Module):
    """`functional.adaptive_max_pool2d`.

    Examples
    --------
    >>> import gluon.megengine.functional as F
    >>> import gluon.megengine.module as M
    >>> M.AdaptiveMaxPool2d(1)(F.ones((1, 1, 3, 4)))
    Tensor([[[[1.]]]], device=xpux:0)
    """

    def __init__(self, oshp: Any, *, name: str | None = None) -> None:
        super().__init__(name)
        self.oshp = oshp

    def forward(self, inp: Any) -> Tensor:
        """Compute the output."""
        return nn.adaptive_max_pool2d(inp, self.oshp)


class PixelShuffle(Module):
    """`functional.pixel_shuffle`.

    Examples
    --------
    >>> import gluon.megengine.functional as F
    >>> import gluon.megengine.module as M
    >>> M.PixelShuffle(2)(F.ones((1, 4, 1, 1))).shape
    (1, 1, 2, 2)
    """

    def __init__(self, upscale_factor: int, *, name: str | None = None) -> None:
        super().__init__(name)
        self.upscale_factor = upscale_factor

    def forward(self, inp: Any) -> Tensor:
        """Compute the output."""
        return nn.pixel_shuffle(inp, self.upscale_factor)


class SlidingWindow(Module):
    """`functional.sliding_window`.

    Examples
    --------
    >>> import gluon.megengine.functional as F
    >>> import gluon.megengine.module as M
    >>> M.SlidingWindow(2)(F.ones((1, 1, 3, 3))).shape
    (1, 1, 2, 2, 2, 2)
    """

    def __init__(
        self,
        kernel_size: Any,
        padding: Any = 0,
        stride: Any = 1,
        dilation: Any = 1,
        *,
        name: str | None = None,
    ) -> None:
        super().__init__(name)
        self.kernel_size = kernel_size
        self.padding = padding
        self.stride = stride
        self.dilation = dilation

    def forward(self, inp: Any) -> Tensor:
        """Compute the output."""
        return nn.sliding_window(inp, self.kernel_size, self.padding, self.stride, self.dilation)


class Pad(Module):
    """`functional.pad`.

    Examples
    --------
    >>> import gluon.megengine.module as M
    >>> from gluon.megengine import Tensor
    >>> M.Pad(((0, 0), (1, 1)))(Tensor([[1.0]]))
    Tensor([[0. 1. 0.]], device=xpux:0)
    """

    def __init__(
        self,
        pad_width: Any,
        mode: str = "constant",
        constant_val: float = 0.0,
        *,
        name: str | None = None,
    ) -> None:
        super().__init__(name)
        self.pad_width = pad_width
        self.mode = mode
        self.constant_val = constant_val

    def forward(self, inp: Any) -> Tensor:
        """Compute the output."""
        return nn.pad(inp, self.pad_width, self.mode, self.constant_val)


class Dropout(Module):
    """Dropout: in training, sets random values to zero and scales up the rest.

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
        return (
            functional.dropout(inputs, self.drop_prob, training=True) if self.training else inputs
        )

    def _module_info_string(self) -> str:
        return f"drop_prob={self.drop_prob}"


class Identity(Module):
    """Returns its input.

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
        return functional.concat(inps, axis)


class Elemwise(Module):
    """An elementwise function by the name that MegEngine's operator has for it.

    Parameters
    ----------
    method : str
        Such as ``"add"``, ``"h_swish"`` or ``"fuse_add_relu"``, in small or capital letters.

    Examples
    --------
    >>> Elemwise("add")(Tensor([1.0]), Tensor([2.0])).item()
    3.0
    """

    def __init__(self, method: str, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        if method.upper() not in ELEMWISE:
            raise ArgumentError(
                f"Elemwise: no mode {method!r}; the modes are {', '.join(ELEMWISE)}"
            )
        self.method = method

    def forward(self, *inps: Any) -> Tensor:
        """Compute the output."""
        function = ELEMWISE[self.method.upper()]
        try:
            return function(*inps)
        except TypeError as error:
            raise DTypeError(f"Elemwise: {self.method} of {len(inps)} inputs: {error}") from None


class Sequential(Module):
    """Runs modules in sequence.

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
