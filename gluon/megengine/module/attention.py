"""Attention with weights."""

from __future__ import annotations

from typing import Any

from ..._core.errors import ArgumentError
from .. import functional
from ..functional.creation import zeros
from ..tensor import Parameter, Tensor
from . import init
from .module import Module

__all__ = ["MultiHeadAttention"]


class MultiHeadAttention(Module):
    """Multi-head attention with input and output projections.

    Parameters
    ----------
    embed_dim, num_heads : int
        The size of the queries and of the result, and the number of heads that divide it.
    attn_dropout, out_dropout : float, default 0.0
        Ignored, as in MegEngine: initialization sets both to 0.
    add_bias_kv, add_zero_attn : bool
        Only their defaults are supported.
    kdim, vdim : int, optional
        The sizes of keys and values, `embed_dim` by default.

    Examples
    --------
    >>> import gluon.megengine.functional as F
    >>> x = F.ones((2, 3, 4))
    >>> y, weights = MultiHeadAttention(4, 2)(x, x, x, need_weights=True)
    >>> y.shape, weights.shape
    ((2, 3, 4), (4, 3, 3))
    """

    add_bias_kv: bool
    add_zero_attn: bool
    attn_dropout: float
    bias: bool
    bias_k: None
    bias_v: None
    embed_dim: int
    head_dim: int
    io_weight_bias: Parameter
    kdim: int
    num_heads: int
    out_dropout: float
    vdim: int
    weight_bias_len: int

    def __init__(
        self,
        embed_dim: int,
        num_heads: int,
        attn_dropout: float = 0.0,
        out_dropout: float = 0.0,
        bias: bool = True,
        add_bias_kv: bool = False,
        add_zero_attn: bool = False,
        kdim: int | None = None,
        vdim: int | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        if add_bias_kv or add_zero_attn:
            raise ArgumentError(
                "MultiHeadAttention: add_bias_kv and add_zero_attn are not supported; leave them"
                " out"
            )
        if embed_dim % num_heads:
            raise ArgumentError(
                f"MultiHeadAttention: embed_dim={embed_dim} cannot be divided into {num_heads}"
                " heads"
            )
        self.embed_dim, self.num_heads, self.head_dim = embed_dim, num_heads, embed_dim // num_heads
        self.kdim = embed_dim if kdim is None else kdim
        self.vdim = embed_dim if vdim is None else vdim
        self.bias, self.add_bias_kv, self.add_zero_attn = bias, add_bias_kv, add_zero_attn
        self.weight_bias_len = self._weights + 4 * embed_dim * bool(bias)
        self.io_weight_bias = Parameter(zeros((1, self.weight_bias_len)))
        self.bias_k = self.bias_v = None
        self.reset_parameters()

    @property
    def _weights(self) -> int:
        return (2 * self.embed_dim + self.kdim + self.vdim) * self.embed_dim

    def reset_parameters(self) -> None:
        """Initialize the matrices, and set the biases to zeros.

        Examples
        --------
        >>> import gluon.megengine.module as M
        >>> layer = M.MultiHeadAttention(4, 2)
        >>> layer.reset_parameters()
        >>> layer.io_weight_bias.shape
        (1, 80)
        """
        self.attn_dropout = self.out_dropout = 0.0
        init.xavier_uniform_(self.io_weight_bias)
        if self.bias:
            self.io_weight_bias[:, self._weights :] = 0

    def forward(
        self,
        query: Any,
        key: Any,
        value: Any,
        key_padding_mask: Any = None,
        attn_mask: Any = None,
        need_weights: bool = False,
        average_attn_weights: bool = False,
        is_causal: bool = False,
        maybe_cudnn_style_mask: bool = False,
    ) -> tuple[Tensor, Any]:
        """Compute the result, and the weights or None."""
        sizes: dict[str, Any] = {f"{name}proj_size": self.embed_dim for name in "qkvo"}
        biases = {f"{name}bias": self.bias for name in "qkvo"}
        return functional.multi_head_attention(
            query,
            key,
            value,
            self.embed_dim,
            self.num_heads,
            self.attn_dropout,
            self.out_dropout,
            self.io_weight_bias,
            **sizes,
            **biases,
            key_padding_mask=key_padding_mask,
            attn_mask=attn_mask,
            need_weights=need_weights,
            average_attn_weights=average_attn_weights,
            is_causal=is_causal,
            maybe_cudnn_style_mask=maybe_cudnn_style_mask,
            training=self.training,
        )

    def _module_info_string(self) -> str:
        return (
            f"embed_dim={self.embed_dim}, num_heads={self.num_heads}, bias={self.bias},"
            f" kdim={self.kdim}, vdim={self.vdim}"
        )
