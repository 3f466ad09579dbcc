"""Attention layers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from .._core.arrays.unpacking import alone
from .._core.errors import ArgumentError
from ..block import HybridBlock
from ..nd import NDArray
from .activations import GELU, Activation
from .basic_layers import Dense, Dropout, HybridSequential
from .norm_layers import LayerNorm

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ..block.naming import Naming
    from ..initializer.base import InitLike
    from ..nd.activation import ActivationName

#: The score of a masked place. Every floating dtype can hold it, and its exponential is 0.
LOWEST = -6e4


class MultiHeadAttention(HybridBlock):
    """Multi-head attention ("Attention Is All You Need", 2017).

    Each head projects queries, keys and values to vectors of length ``units / num_heads``, and
    computes ``softmax(query · keyᵀ / sqrt(units / num_heads)) · value``. The results of all heads
    are concatenated and projected once more.

    Takes ``layer(query)``, ``layer(query, key, value)`` or ``layer(query, key, value, mask)``; the
    keys are the queries by default, and the values the keys. They have the shapes (batch, query
    length, features), (batch, key length, features) and (batch, key length, features); the result
    has shape (batch, query length, units), in the dtype of the layer.

    Parameters
    ----------
    units : int
        The length of the projections of all heads together, and of the output.
    num_heads : int
        The number of heads; it must divide `units`.
    dropout : float, default 0
        The probability of setting an attention weight to 0 in training.
    use_bias : bool, default True
        Whether the projections have biases.
    causal : bool, default False
        Whether a query attends only to keys at its own and earlier positions.
    weight_initializer, bias_initializer : str or Initializer, optional
    **kwargs
        ``prefix`` and ``params``; see `Block`.

    Raises
    ------
    ArgumentError
        If `num_heads` does not divide `units`.

    Notes
    -----
    The mask has the shape (batch, query length, key length); a length may be 1. It is 1 where a
    query may attend to a key, and 0 elsewhere. The weights of a query without any key are zeros.

    Examples
    --------
    >>> from gluon import nd, nn
    >>> layer = nn.MultiHeadAttention(8, num_heads=2)
    >>> layer.initialize()
    >>> x = nd.ones((4, 5, 6))
    >>> layer(x).shape
    (4, 5, 8)

    The second sample of the batch has three elements, followed by padding:

    >>> length = nd.array([5, 3]).reshape((2, 1, 1))
    >>> mask = nd.arange(5).reshape((1, 1, 5)) < length
    >>> layer(x[:2], x[:2], x[:2], mask).shape
    (2, 5, 8)
    """

    dropout: Dropout
    key: Dense
    out: Dense
    query: Dense
    value: Dense

    def __init__(
        self,
        units: int,
        num_heads: int,
        dropout: float = 0.0,
        use_bias: bool = True,
        causal: bool = False,
        weight_initializer: InitLike = None,
        bias_initializer: InitLike = "zeros",
        **kwargs: Unpack[Naming],
    ) -> None:
        super().__init__(**kwargs)
        if num_heads < 1 or units % num_heads:
            raise ArgumentError(
                f"MultiHeadAttention: units={units} cannot be divided by num_heads={num_heads}"
            )
        self._heads, self._scale, self._causal = num_heads, (units // num_heads) ** -0.5, causal

        def projection(name: str) -> Dense:
            return Dense(
                units,
                use_bias=use_bias,
                flatten=False,
                weight_initializer=weight_initializer,
                bias_initializer=bias_initializer,
                prefix=f"{name}_",
            )

        with self.name_scope():
            self.query, self.key = projection("query"), projection("key")
            self.value, self.out = projection("value"), projection("out")
            self.dropout = Dropout(dropout)

    def forward(self, x: Any, *args: Any) -> Any:
        """Apply the layer, after a check of the shapes."""
        for name, one in zip(("query", "key", "value", "mask"), (x, *args)):
            if isinstance(one, NDArray) and one.ndim != 3:
                needed = "query length, key length" if name == "mask" else "length, features"
                raise ArgumentError(f"{name} has shape {one.shape}; it needs (batch, {needed})")
        return super().forward(x, *args)

    def hybrid_forward(
        self, F: Any, query: Any, key: Any = None, value: Any = None, mask: Any = None
    ) -> Any:
        """Apply the layer."""
        key = query if key is None else key
        value = key if value is None else value
        queries = self._split(F, self.query(query) * self._scale)
        keys, values = self._split(F, self.key(key)), self._split(F, self.value(value))
        scores = F.batch_dot(queries, keys, transpose_b=True)
        weights = self.dropout(self._weights(F, scores, mask))
        joined = F.reshape(F.batch_dot(weights, values), shape=(-4, -1, self._heads, 0, 0))
        joined = F.transpose(joined, axes=(0, 2, 1, 3))
        y = self.out(F.reshape(joined, shape=(0, 0, -3)))
        return alone(y, "MultiHeadAttention returns the output alone, without its weights")

    def _split(self, F: Any, x: Any) -> Any:
        """Reshape (batch, length, units) to (batch * heads, length, units / heads)."""
        x = F.reshape(x, shape=(0, 0, -4, self._heads, -1))
        return F.reshape(F.transpose(x, axes=(0, 2, 1, 3)), shape=(-3, 0, 0))

    def _weights(self, F: Any, scores: Any, mask: Any) -> Any:
        """Return the softmax of the scores, (batch * heads, queries, keys); 0 where masked."""
        allowed = None
        if mask is not None:
            scores = F.reshape(scores, shape=(-4, -1, self._heads, 0, 0))
            allowed = F.broadcast_like(F.expand_dims(mask, axis=1), scores)
        if self._causal:
            places = [F.contrib.arange_like(scores, axis=axis) for axis in (-2, -1)]
            rows, columns = (F.expand_dims(one, axis=1 - k) for k, one in enumerate(places))
            behind = F.broadcast_like(F.broadcast_greater_equal(rows, columns), scores)
            allowed = behind if allowed is None else allowed * behind
        if allowed is None:
            return F.softmax(scores, axis=-1)
        nothing = F.zeros_like(scores)
        weights = F.softmax(F.where(allowed, scores, nothing + LOWEST), axis=-1)
        weights = F.where(allowed, weights, nothing)
        return weights if mask is None else F.reshape(weights, shape=(-3, 0, 0))

    def __repr__(self) -> str:
        units, in_units = self.query.weight.shape
        return f"MultiHeadAttention({in_units or None} -> {units}, num_heads={self._heads})"


class TransformerEncoderLayer(HybridBlock):
    """Transformer encoder layer: self-attention and a feed-forward network, both residual.

    ``x = norm(x + attention(x))`` and then ``x = norm(x + dense(activation(dense(x))))``.

    Takes ``layer(x)`` or ``layer(x, mask)``, x of shape (batch, length, units), the mask as for
    `MultiHeadAttention`; returns the shape and the dtype of x.

    Parameters
    ----------
    units : int
        The length of the elements.
    hidden_size : int
        The output length of the first dense layer.
    num_heads : int
        The number of attention heads; it must divide `units`.
    dropout : float, default 0
        The probability of setting a value to 0 in training, for the attention weights, the output
        of the activation, and both residual branches.
    activation : str, default 'relu'
        As for `Activation`, or ``'gelu'``.
    pre_norm : bool, default False
        Whether to normalize the inputs of the attention and the dense layers, as in ``x +
        attention(norm(x))``, instead of the sums.
    causal : bool, default False
        Whether elements attend only to themselves and earlier elements.
    use_bias : bool, default True
        Whether the projections and dense layers have biases.
    epsilon : float, default 1e-5
        As for `LayerNorm`.
    weight_initializer, bias_initializer : str or Initializer, optional
    **kwargs
        ``prefix`` and ``params``; see `Block`.

    Raises
    ------
    ArgumentError
        If `num_heads` does not divide `units`.

    Examples
    --------
    >>> from gluon import nd, nn
    >>> layer = nn.TransformerEncoderLayer(8, hidden_size=32, num_heads=2, dropout=0.1)
    >>> layer.initialize()
    >>> layer(nd.ones((4, 5, 8))).shape
    (4, 5, 8)
    """

    attention: MultiHeadAttention
    attention_norm: LayerNorm
    dense: HybridSequential
    dense_norm: LayerNorm
    dropout: Dropout

    def __init__(
        self,
        units: int,
        hidden_size: int,
        num_heads: int,
        dropout: float = 0.0,
        activation: ActivationName | Literal["gelu"] = "relu",
        pre_norm: bool = False,
        causal: bool = False,
        use_bias: bool = True,
        epsilon: float = 1e-5,
        weight_initializer: InitLike = None,
        bias_initializer: InitLike = "zeros",
        **kwargs: Unpack[Naming],
    ) -> None:
        super().__init__(**kwargs)
        self._pre_norm = pre_norm
        made: dict[str, Any] = {
            "use_bias": use_bias,
            "weight_initializer": weight_initializer,
            "bias_initializer": bias_initializer,
        }
        with self.name_scope():
            self.attention = MultiHeadAttention(units, num_heads, dropout, causal=causal, **made)
            self.dense = HybridSequential(prefix="dense_")
            with self.dense.name_scope():
                self.dense.add(
                    Dense(hidden_size, flatten=False, in_units=units, **made),
                    GELU() if activation == "gelu" else Activation(activation),
                    Dropout(dropout),
                    Dense(units, flatten=False, in_units=hidden_size, **made),
                )
            self.attention_norm = LayerNorm(epsilon=epsilon, in_channels=units)
            self.dense_norm = LayerNorm(epsilon=epsilon, in_channels=units)
            self.dropout = Dropout(dropout)

    def hybrid_forward(self, F: Any, x: Any, mask: Any = None) -> Any:
        """Apply the layer."""
        if self._pre_norm:
            seen = self.attention_norm(x)
            x = x + self.dropout(self.attention(seen, seen, seen, mask))
            return x + self.dropout(self.dense(self.dense_norm(x)))
        x = self.attention_norm(x + self.dropout(self.attention(x, x, x, mask)))
        return self.dense_norm(x + self.dropout(self.dense(x)))
