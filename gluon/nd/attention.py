"""`nd.contrib`: products of multi-head attention over interleaved projections.

The last axis holds the projections of all heads, head by head: in each head the query, the key and
the value (or only the key and the value).
"""

from __future__ import annotations

from .._core.arrays.base import A
from .._core.engine.op import RECORDED as ops
from .._core.errors import ArgumentError
from ._public import public


def _heads(name: str, data: A, heads: int, parts: int) -> list[A]:
    """Split (length, batch, heads * parts * width) into parts (batch * heads, length, width)."""
    if data.ndim != 3 or heads < 1 or data.shape[2] % (heads * parts):
        raise ArgumentError(
            f"{name}: shape {data.shape} for heads={heads}; the projections have shape (length,"
            f" batch, {parts} * heads * width)"
        )
    length, batch, size = data.shape
    width = size // (heads * parts)
    split = ops.reshape(data, shape=(length, batch, heads, parts, width))
    moved = ops.transpose(split, axes=(3, 1, 2, 0, 4))
    every = ops.reshape(moved, shape=(parts, batch * heads, length, width))
    return ops.unstack(every, axis=0)


def _scores(queries: A, keys: A) -> A:
    return ops.batch_dot(ops.divide(queries, queries.shape[-1] ** 0.5), keys, transpose_b=True)


def _attended(name: str, attention: A, values: A, heads: int) -> A:
    """Return the values weighted by attention, as (query length, batch, heads * width)."""
    rows, length, width = values.shape
    if attention.ndim != 3 or attention.shape[::2] != (rows, length):
        raise ArgumentError(
            f"{name}: attention has shape {attention.shape}; heads={heads} and the projections"
            f" need ({rows}, query length, {length})"
        )
    mixed = ops.reshape(ops.batch_dot(attention, values), shape=(rows // heads, heads, -1, width))
    moved = ops.transpose(mixed, axes=(2, 0, 1, 3))
    return ops.reshape(moved, shape=(*moved.shape[:2], heads * width))


@public
def interleaved_matmul_selfatt_qk(
    queries_keys_values: A, heads: int, out: A | None = None, name: str | None = None
) -> A:
    """Scaled dot products of queries and keys, for self-attention.

    Parameters
    ----------
    queries_keys_values : NDArray of shape (length, batch, heads * 3 * width)
        In each head the query, the key and the value.
    heads : int
        Their number.

    Returns
    -------
    NDArray of shape (batch * heads, length, length)
        Has the dtype of the inputs, promoted as in NumPy if they differ.

    Raises
    ------
    ArgumentError
        If the shape does not fit `heads`.
    DTypeError
        If the input is not an NDArray.

    Examples
    --------
    >>> from gluon import nd
    >>> x = nd.array([[[2, 3, 0]], [[1, 5, 0]]])
    >>> nd.contrib.interleaved_matmul_selfatt_qk(x, heads=1).asnumpy().tolist()
    [[[6.0, 10.0], [3.0, 5.0]]]
    """
    queries, keys, _ = _heads("interleaved_matmul_selfatt_qk", queries_keys_values, heads, 3)
    return _scores(queries, keys)


@public
def interleaved_matmul_selfatt_valatt(
    queries_keys_values: A, attention: A, heads: int, out: A | None = None, name: str | None = None
) -> A:
    """The values of each head weighted by its attention.

    Parameters
    ----------
    queries_keys_values : NDArray of shape (length, batch, heads * 3 * width)
        In each head the query, the key and the value.
    attention : NDArray of shape (batch * heads, query length, length)
    heads : int
        Their number.

    Returns
    -------
    NDArray of shape (query length, batch, heads * width)
        Has the dtype of the inputs, promoted as in NumPy if they differ.

    Raises
    ------
    ArgumentError
        If a shape does not fit `heads`, or the shapes do not go together.
    DTypeError
        If an input is not an NDArray.

    Examples
    --------
    >>> from gluon import nd
    >>> x = nd.array([[[2, 3, 10]], [[1, 5, 20]]])
    >>> half = nd.ones((1, 2, 2)) / 2
    >>> nd.contrib.interleaved_matmul_selfatt_valatt(x, half, heads=1).asnumpy().tolist()
    [[[15.0]], [[15.0]]]
    """
    name = "interleaved_matmul_selfatt_valatt"
    return _attended(name, attention, _heads(name, queries_keys_values, heads, 3)[2], heads)


@public
def interleaved_matmul_encdec_qk(
    queries: A, keys_values: A, heads: int, out: A | None = None, name: str | None = None
) -> A:
    """Scaled dot products of queries and keys, for encoder-decoder attention.

    Parameters
    ----------
    queries : NDArray of shape (query length, batch, heads * width)
    keys_values : NDArray of shape (length, batch, heads * 2 * width)
        In each head the key and the value.
    heads : int
        Their number.

    Returns
    -------
    NDArray of shape (batch * heads, query length, length)

    Raises
    ------
    ArgumentError
        If a shape does not fit `heads`, or the shapes do not go together.
    DTypeError
        If an input is not an NDArray.

    Examples
    --------
    >>> from gluon import nd
    >>> scores = nd.contrib.interleaved_matmul_encdec_qk
    >>> scores(nd.array([[[2]]]), nd.array([[[3, 0]], [[5, 0]]]), heads=1).asnumpy().tolist()
    [[[6.0, 10.0]]]
    """
    name = "interleaved_matmul_encdec_qk"
    (asked,) = _heads(name, queries, heads, 1)
    keys, _ = _heads(name, keys_values, heads, 2)
    if (asked.shape[0], asked.shape[2]) != (keys.shape[0], keys.shape[2]):
        raise ArgumentError(
            f"{name}: queries have shape {queries.shape}, keys_values {keys_values.shape}; the"
            " batch must be the same, and the last axis twice as long"
        )
    return _scores(asked, keys)


@public
def interleaved_matmul_encdec_valatt(
    keys_values: A, attention: A, heads: int, out: A | None = None, name: str | None = None
) -> A:
    """The values of each head weighted by its attention.

    Parameters
    ----------
    keys_values : NDArray of shape (length, batch, heads * 2 * width)
        In each head the key and the value.
    attention : NDArray of shape (batch * heads, query length, length)
    heads : int
        Their number.

    Returns
    -------
    NDArray of shape (query length, batch, heads * width)
        Has the dtype of the inputs, promoted as in NumPy if they differ.

    Raises
    ------
    ArgumentError
        If a shape does not fit `heads`, or the shapes do not go together.
    DTypeError
        If an input is not an NDArray.

    Examples
    --------
    >>> from gluon import nd
    >>> values, weights = nd.array([[[3, 10]], [[5, 20]]]), nd.array([[[0.5, 0.5]]])
    >>> nd.contrib.interleaved_matmul_encdec_valatt(values, weights, heads=1).asnumpy().tolist()
    [[[15.0]]]
    """
    name = "interleaved_matmul_encdec_valatt"
    return _attended(name, attention, _heads(name, keys_values, heads, 2)[1], heads)
