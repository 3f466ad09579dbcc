"""`nd`: layers of neural networks: fully connected, embedding, dropout."""

from __future__ import annotations

from typing import Any

from .._core.arrays.base import A
from .._core.arrays.storage import warn_dense
from .._core.engine.mode import mode as now
from .._core.engine.op import RECORDED as ops
from .._core.errors import ArgumentError
from .._core.faces.kinds import keeps_shape
from .._core.kernels.generator import generator
from .._core.ops.sparse import has_dense_gradient, takes_rows
from ._checks import check_bias, check_choice, check_floating, check_size
from ._public import public, several


@public
def FullyConnected(
    data: A,
    weight: A,
    bias: A | None = None,
    num_hidden: int | None = None,
    no_bias: bool = False,
    flatten: bool = True,
    out: A | None = None,
    name: str | None = None,
) -> A:
    """Fully connected layer: ``data @ weight.T + bias``.

    Parameters
    ----------
    data : NDArray of shape (batch, ..., features)
        Of a floating dtype.
    weight : NDArray of shape (units, features)
    bias : NDArray of shape (units,), optional
        Leave it out only with ``no_bias=True``.
    num_hidden : int, optional
        The number of units; must match the weight.
    no_bias : bool, default False
    flatten : bool, default True
        Flatten all axes but the first into features; False uses only the last axis.

    Returns
    -------
    NDArray of shape (batch, units), or (batch, ..., units) for ``flatten=False``
        Has the dtype of the inputs, promoted as in NumPy if they differ.

    Raises
    ------
    ArgumentError
        If the shapes do not match, `num_hidden` differs from that of the weight, or neither or
        both of `bias` and ``no_bias=True`` are given.
    DTypeError
        If `data` is of integers.

    Examples
    --------
    >>> from gluon import nd
    >>> x, w, b = nd.array([[1, 2]]), nd.array([[1, 1], [0, 3]]), nd.array([10, 20])
    >>> nd.FullyConnected(x, w, b, num_hidden=2).asnumpy().tolist()
    [[13.0, 26.0]]
    """
    check_floating("FullyConnected", data)
    check_bias("FullyConnected", bias, no_bias)
    check_size("FullyConnected", "num_hidden", num_hidden, weight, weight.form.shape[0])
    return ops.fully_connected(data, weight, bias, flatten=bool(flatten))


@public
def Embedding(
    data: A,
    weight: A,
    input_dim: int | None = None,
    output_dim: int | None = None,
    dtype: Any = None,
    sparse_grad: bool = False,
    out: A | None = None,
    name: str | None = None,
) -> A:
    """Look up rows of `weight` by the indices in `data`.

    Parameters
    ----------
    data : NDArray of any shape and dtype
        Fractions are dropped, and indices out of range are clipped. No gradient reaches it.
    weight : NDArray of shape (rows, width) and any dtype
    input_dim, output_dim : int, optional
        The shape of the weight; checked if given.
    dtype
        Ignored: the dtype is that of the weight.
    sparse_grad : bool, default False
        Whether to warn where the gradient of `weight` is dense: ``attach_grad(stype="row_sparse")``
        makes it sparse.

    Returns
    -------
    NDArray of shape (*data.shape, width) and the dtype of `weight`
        The gradients of a row that is looked up several times add up.

    Raises
    ------
    ArgumentError
        If `weight` is not a matrix, or `input_dim` or `output_dim` is not its shape.

    Examples
    --------
    >>> from gluon import nd
    >>> weight = nd.array([[1, 2], [3, 4], [5, 6]])
    >>> nd.Embedding(nd.array([2, 0]), weight, input_dim=3, output_dim=2).asnumpy().tolist()
    [[5.0, 6.0], [1.0, 2.0]]
    """
    if sparse_grad and now().tapes and has_dense_gradient(weight):
        warn_dense("Embedding(sparse_grad=True)")
    return _rows(data, weight, input_dim, output_dim)


@public
def SparseEmbedding(
    data: A,
    weight: A,
    input_dim: int | None = None,
    output_dim: int | None = None,
    dtype: Any = None,
    sparse_grad: bool = True,
    deterministic: bool = False,
    out: A | None = None,
    name: str | None = None,
) -> A:
    """Look up rows of `weight` by the indices in `data`; as `Embedding`.

    Parameters
    ----------
    data : NDArray of any shape and dtype
        Fractions are dropped, and indices out of range are clipped. No gradient reaches it.
    weight : NDArray of shape (rows, width) and any dtype
        Its gradient is stored as ``attach_grad(stype=)`` says.
    input_dim, output_dim : int, optional
        The shape of the weight; checked if given.
    dtype, sparse_grad, deterministic
        Ignored: the dtype is that of the weight, and gradients add up in a fixed order.

    Returns
    -------
    NDArray of shape (*data.shape, width) and the dtype of `weight`

    Raises
    ------
    ArgumentError
        If `weight` is not a matrix, or `input_dim` or `output_dim` is not its shape.

    Examples
    --------
    >>> from gluon import nd
    >>> weight = nd.array([[1, 2], [3, 4], [5, 6]])
    >>> nd.contrib.SparseEmbedding(nd.array([2]), weight, input_dim=3, output_dim=2).asnumpy()
    array([[5., 6.]], dtype=float32)
    """
    if now().tapes and has_dense_gradient(weight):
        warn_dense("SparseEmbedding")
    return _rows(data, weight, input_dim, output_dim)


def _rows(data: A, weight: A, input_dim: int | None, output_dim: int | None) -> A:
    if weight.ndim != 2:
        raise ArgumentError(
            f"Embedding: weight has shape {weight.shape}, not (rows, width); it comes second, as in"
            " Embedding(data, weight, input_dim=10, output_dim=4)"
        )
    check_size("Embedding", "input_dim", input_dim, weight, weight.shape[0])
    check_size("Embedding", "output_dim", output_dim, weight, weight.shape[-1])
    by_rows = takes_rows(weight)
    if by_rows or weight.stype == "row_sparse":
        return ops.lookup(weight, data, by_rows=by_rows)
    return ops.take(weight, data, axis=0, mode="clip")


@keeps_shape
@public
def Dropout(
    data: A,
    p: float = 0.5,
    mode: str = "training",
    axes: int | tuple[int, ...] | None = (),
    cudnn_off: bool = False,
    out: A | None = None,
    name: str | None = None,
) -> A:
    """In training, set values to 0 with probability `p` and scale the others by ``1 / (1 - p)``.

    Outside of training the data is returned unchanged.

    Parameters
    ----------
    data : NDArray of a floating dtype, of any shape
    p : float, default 0.5
        From 0 to 1; 1 drops all values.
    mode : {'training', 'always'}
        When to drop values.
    axes : tuple of int, optional
        The axes along which values are kept or dropped together.
    cudnn_off
        Ignored.

    Returns
    -------
    NDArray of the same shape and dtype
        The gradient is dropped and scaled like the values. `gluon.random.seed` seeds the choice.

    Raises
    ------
    ArgumentError
        If `p` is not a probability, or `mode` neither of the two.
    DTypeError
        If `data` is of integers.
    IndexRangeError
        If `data` lacks one of the `axes`.

    Examples
    --------
    >>> from gluon import autograd, nd
    >>> x = nd.ones((1000,))
    >>> with autograd.train_mode():
    ...     y = nd.Dropout(x, p=0.75)
    >>> sorted(set(y.asnumpy().tolist()))
    [0.0, 4.0]
    >>> nd.Dropout(x, p=0.75).sum().asscalar().item()
    1000.0
    """
    check_floating("Dropout", data)
    check_choice("Dropout", "mode", mode, ("training", "always"))
    if not 0 <= p <= 1:
        raise ArgumentError(f"Dropout: p={p} is not a probability: it must lie between 0 and 1")
    if p == 0 or not (mode == "always" or now().training):
        return ops.reshape(data, shape=data.shape)
    shared = () if axes is None else several(axes)
    return ops.multiply(data, ops.dropout_mask(data, p=p, axes=shared, rng=generator()))
