"""Layers with weights."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from ..._core.errors import ArgumentError
from ..._hook.errors import CheckError
from .. import functional
from ..functional.conv import _pair
from ..functional.creation import full, zeros
from ..tensor import Parameter, Tensor
from . import init
from .module import Module

__all__ = [
    "Conv1d",
    "Conv2d",
    "Conv3d",
    "ConvTranspose2d",
    "ConvTranspose3d",
    "Embedding",
    "Linear",
    "PReLU",
]

#: The functions for 1, 2 and 3 spatial axes.
CONVOLUTIONS: dict[int, Callable[..., Any]] = {
    1: functional.conv1d,
    2: functional.conv2d,
    3: functional.conv3d,
}
TRANSPOSED: dict[int, Callable[..., Any]] = {
    2: functional.conv_transpose2d,
    3: functional.conv_transpose3d,
}


#: What the border of an image can be.
PADDING_MODES = ("zeros", "reflect", "replicate")


def _draw_by(layer: Any, fan_in: int) -> None:
    """Draw the weight of a layer with a variance of 1 / `fan_in`, and set its bias to zeros."""
    init.normal_(layer.weight, 0.0, math.sqrt(1 / fan_in))
    if layer.bias is not None:
        init.zeros_(layer.bias)


def lengths(name: str, value: Any, n: int, least: int = 1) -> tuple[int, ...]:
    """An integer for each of `n` spatial axes, `least` or more.

    Parameters
    ----------
    name : str
        What they are called in an error.
    value : int or sequence of int
    n : int
    least : int, default 1

    Returns
    -------
    tuple of int
    """
    found = _pair(value, n)
    if len(found) != n or min(found) < least:
        raise CheckError(f"{name}={value!r} must be an integer of at least {least}, or {n} of them")
    return found


class Linear(Module):
    """Fully connected layer: ``x @ weight.T + bias``.

    Parameters
    ----------
    compute_mode : str
        Ignored.

    Examples
    --------
    >>> layer = Linear(2, 3)
    >>> layer, layer(zeros((4, 2))).shape
    (Linear(in_features=2, out_features=3, bias=True), (4, 3))
    """

    bias: Parameter | None
    in_features: int
    out_features: int
    weight: Parameter

    def __init__(
        self,
        in_features: int,
        out_features: int,
        bias: bool = True,
        compute_mode: str = "default",
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.in_features, self.out_features = in_features, out_features
        self.weight = Parameter(zeros((out_features, in_features)))
        self.bias = Parameter(zeros((out_features,))) if bias else None
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Initialize the weight, and set the bias to zeros.

        Examples
        --------
        >>> import gluon.megengine.module as M
        >>> layer = M.Linear(3, 2)
        >>> layer.bias[:] = 1
        >>> layer.reset_parameters()
        >>> layer.bias
        Parameter([0. 0.], device=xpux:0)
        """
        _draw_by(self, self.in_features)

    def forward(self, x: Any) -> Tensor:
        """Compute the output."""
        return functional.linear(x, self.weight, self.bias)

    def _module_info_string(self) -> str:
        return (
            f"in_features={self.in_features}, out_features={self.out_features},"
            f" bias={self.bias is not None}"
        )


class _Conv(Module):
    """What convolutions over `ndim` axes have in common."""

    bias: Parameter | None
    compute_mode: str
    conv_mode: str
    dilation: tuple[int, ...]
    groups: int
    in_channels: int
    kernel_size: tuple[int, ...]
    out_channels: int
    padding: tuple[int, ...]
    stride: tuple[int, ...]
    weight: Parameter

    ndim = 2
    transposed = False

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Any,
        stride: Any = 1,
        padding: Any = 0,
        dilation: Any = 1,
        groups: int = 1,
        bias: bool = True,
        conv_mode: str = "cross_correlation",
        compute_mode: str = "default",
        padding_mode: str = "zeros",
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        if padding_mode not in PADDING_MODES:
            raise CheckError(
                f"{type(self).__name__}: padding_mode={padding_mode!r} must be one of"
                f" {', '.join(map(repr, PADDING_MODES))}"
            )
        self.padding_mode = padding_mode
        if in_channels % groups or out_channels % groups:
            raise ArgumentError(
                f"{type(self).__name__}: in_channels={in_channels} and out_channels={out_channels}"
                f" are not multiples of groups={groups}"
            )
        self.in_channels, self.out_channels, self.groups = in_channels, out_channels, groups
        self.kernel_size = lengths("kernel_size", kernel_size, self.ndim)
        self.stride = lengths("stride", stride, self.ndim)
        self.padding = lengths("padding", padding, self.ndim, 0)
        self.dilation = lengths("dilation", dilation, self.ndim)
        self.conv_mode, self.compute_mode = conv_mode, compute_mode
        channels = [out_channels // groups, in_channels // groups]
        shape = (*(channels[::-1] if self.transposed else channels), *self.kernel_size)
        self.weight = Parameter(zeros((groups, *shape) if groups > 1 else shape))
        spatial = (1,) * self.ndim
        self.bias = Parameter(zeros((1, out_channels, *spatial))) if bias else None
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Initialize the weight, and set the bias to zeros."""
        _draw_by(self, self._get_fanin())

    def _get_fanin(self) -> int:
        two = self.transposed and self.ndim == 2  # as in MegEngine, where that of 3d is another
        return (self.out_channels if two else self.in_channels) * math.prod(self.kernel_size)

    def _options(self) -> dict[str, Any]:
        names = ("stride", "padding", "dilation", "groups", "conv_mode")
        return {name: getattr(self, name) for name in names}

    def forward(self, inp: Any) -> Tensor:
        """Compute the output."""
        convolution, options = CONVOLUTIONS[self.ndim], self._options()
        if self.padding_mode != "zeros":
            inp = functional.pad(inp, self.get_pad_witdth(), self.padding_mode)
            options["padding"] = 0
        return convolution(inp, self.weight, self.bias, **options)

    def get_pad_witdth(self) -> tuple[tuple[int, int], ...]:
        """How many values the border of each axis has.

        Returns
        -------
        tuple of tuple of int
        """
        return ((0, 0), (0, 0), *((n, n) for n in self.padding))

    def _module_info_string(self) -> str:
        def shown(values: tuple[int, ...]) -> str:
            return str(values if self.ndim > 1 else values[0])

        parts = [
            str(self.in_channels),
            str(self.out_channels),
            f"kernel_size={shown(self.kernel_size)}",
        ]
        usual = {"stride": 1, "padding": 0, "dilation": 1}
        for name, number in usual.items():
            values = getattr(self, name)
            if values != (number,) * self.ndim:
                parts.append(f"{name}={shown(values)}")
        if self.groups != 1:
            parts.append(f"groups={self.groups}")
        if self.bias is None:
            parts.append("bias=False")
        return ", ".join(parts)


class Conv1d(_Conv):
    """A convolution over one axis.

    Parameters
    ----------
    conv_mode, compute_mode, padding_mode : str
        Only their defaults are supported.

    Examples
    --------
    >>> Conv1d(3, 4, 3, padding=1)(zeros((1, 3, 5))).shape
    (1, 4, 5)
    """

    ndim = 1


class Conv2d(_Conv):
    """A convolution over two axes.

    Parameters
    ----------
    conv_mode, compute_mode, padding_mode : str
        Only their defaults are supported.

    Examples
    --------
    >>> Conv2d(3, 4, 3, padding=1)(zeros((1, 3, 5, 5))).shape
    (1, 4, 5, 5)
    """

    ndim = 2


class Conv3d(_Conv):
    """A convolution over three axes.

    Parameters
    ----------
    conv_mode, compute_mode, padding_mode : str
        Only their defaults are supported.

    Examples
    --------
    >>> Conv3d(3, 4, 3, padding=1)(zeros((1, 3, 5, 5, 5))).shape
    (1, 4, 5, 5, 5)
    """

    ndim = 3


class _ConvTranspose(_Conv):
    """What transposed convolutions have in common."""

    output_padding: tuple[int, ...]

    transposed = True

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Any,
        stride: Any = 1,
        padding: Any = 0,
        output_padding: Any = 0,
        dilation: Any = 1,
        groups: int = 1,
        bias: bool = True,
        conv_mode: str = "cross_correlation",
        compute_mode: str = "default",
        **kwargs: Any,
    ) -> None:
        self.output_padding = _pair(output_padding, self.ndim)
        super().__init__(
            in_channels,
            out_channels,
            kernel_size,
            stride,
            padding,
            dilation,
            groups,
            bias,
            conv_mode,
            compute_mode,
            **kwargs,
        )

    def forward(self, inp: Any) -> Tensor:
        """Compute the output."""
        options = {**self._options(), "output_padding": self.output_padding}
        return TRANSPOSED[self.ndim](inp, self.weight, self.bias, **options)


class ConvTranspose2d(_ConvTranspose):
    """A transposed convolution over two axes.

    Parameters
    ----------
    kernel_size, stride, padding : int or (int, int)
    output_padding : int or (int, int), default 0
        Additional size of the result.
    dilation : int or (int, int), default 1
    conv_mode, compute_mode : str
        Only their defaults are supported.

    Examples
    --------
    >>> ConvTranspose2d(3, 2, 2, stride=2)(zeros((1, 3, 4, 4))).shape
    (1, 2, 8, 8)
    """

    ndim = 2


class ConvTranspose3d(_ConvTranspose):
    """A transposed convolution over three axes.

    Parameters
    ----------
    kernel_size, stride, padding : int or (int, int, int)
    output_padding : int or (int, int, int), default 0
        Additional size of the result.
    dilation : int or (int, int, int), default 1
    conv_mode, compute_mode : str
        Only their defaults are supported.

    Examples
    --------
    >>> ConvTranspose3d(3, 2, 2, stride=2)(zeros((1, 3, 4, 4, 4))).shape
    (1, 2, 8, 8, 8)
    """

    ndim = 3


class Embedding(Module):
    """Looks up rows of a weight by index.

    Parameters
    ----------
    padding_idx, max_norm, norm_type
        Not supported, as in MegEngine.
    initial_weight : Tensor of shape (num_embeddings, embedding_dim), of any dtype, optional
    freeze : bool, default False
        Whether to compute no gradient of the table.

    Examples
    --------
    >>> Embedding(10, 4)(Tensor([[1, 2]])).shape
    (1, 2, 4)
    """

    embedding_dim: int
    freeze: bool
    initial_weight: None
    num_embeddings: int
    weight: Parameter

    def __init__(
        self,
        num_embeddings: int,
        embedding_dim: int,
        padding_idx: Any = None,
        max_norm: Any = None,
        norm_type: Any = None,
        initial_weight: Any = None,
        freeze: bool = False,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        if (padding_idx, max_norm, norm_type) != (None, None, None):
            raise ArgumentError(
                "Embedding: padding_idx, max_norm and norm_type are not supported; leave them out"
            )
        if initial_weight is not None and initial_weight.shape != (num_embeddings, embedding_dim):
            raise ArgumentError(
                f"Embedding: initial_weight has shape {initial_weight.shape}; give"
                f" {(num_embeddings, embedding_dim)}"
            )
        self.num_embeddings, self.embedding_dim = num_embeddings, embedding_dim
        self.initial_weight, self.freeze = None, freeze
        self.weight = Parameter(zeros((num_embeddings, embedding_dim)))
        if initial_weight is None:
            self.reset_parameters()
        else:
            self.weight._reset(Tensor(initial_weight))

    def reset_parameters(self) -> None:
        """Initialize the weight.

        Examples
        --------
        >>> import gluon.megengine.module as M
        >>> table = M.Embedding(5, 2)
        >>> table.reset_parameters()
        >>> table.weight.shape
        (5, 2)
        """
        init.normal_(self.weight)

    @classmethod
    def from_pretrained(
        cls,
        embeddings: Tensor,
        freeze: bool = True,
        padding_idx: Any = None,
        max_norm: Any = None,
        norm_type: Any = None,
    ) -> Embedding:
        """Make a layer of a weight.

        Parameters
        ----------
        embeddings : Tensor of shape (num_embeddings, embedding_dim)
        freeze : bool, default True
            Whether to compute no gradient of the table.
        padding_idx, max_norm, norm_type
            Not supported, as in MegEngine.

        Examples
        --------
        >>> import gluon.megengine.module as M
        >>> M.Embedding.from_pretrained(Tensor([[1.0], [2.0]]))(Tensor([1]))
        Tensor([[2.]], device=xpux:0)
        """
        if embeddings.ndim != 2:
            raise ArgumentError(
                f"from_pretrained: embeddings of shape {embeddings.shape} is not a table of rows"
            )
        rows, size = embeddings.shape
        return cls(rows, size, padding_idx, max_norm, norm_type, embeddings, freeze)

    def forward(self, inputs: Any) -> Tensor:
        """Compute the output."""
        return functional.embedding(inputs, self.weight.detach() if self.freeze else self.weight)


class PReLU(Module):
    """ReLU with a learned negative slope.

    Parameters
    ----------
    num_parameters : int, default 1
        1, or the number of channels.

    Examples
    --------
    >>> PReLU()(Tensor([-4.0])).item()
    -1.0
    """

    weight: Parameter

    def __init__(self, num_parameters: int = 1, init: float = 0.25, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.num_parameters = num_parameters
        shape = (1, num_parameters, 1, 1) if num_parameters > 1 else (1,)
        self.weight = Parameter(full(shape, init, dtype="float32"))

    def forward(self, inputs: Any) -> Tensor:
        """Compute the output."""
        return functional.prelu(inputs, self.weight)
