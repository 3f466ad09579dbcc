"""`nd`: layers of neural networks: fully connected, embedding, dropout."""

from __future__ import annotations

from typing import Any

from ..engine.errors import ArgumentError
from ..engine.mode import mode as now
from ..engine.op import RECORDED as F
from ..kernels.generator import generator
from ..ndarray import NDArray
from ._public import choice, floating, public


def check_bias(name: str, bias: NDArray | None, no_bias: bool) -> None:
    """Raise unless there is either a bias or ``no_bias=True``."""
    if (bias is None) != bool(no_bias):
        raise ArgumentError(
            f"{name}: no_bias={no_bias} and bias {'missing' if bias is None else 'given'}; pass"
            " either a bias or no_bias=True"
        )


def check_size(name: str, argument: str, given: int | None, weight: NDArray, size: int) -> None:
    """Raise when a size is given and is not `size`, that of the weight."""
    if given is not None and given != size:
        raise ArgumentError(f"{name}: {argument}={given}, but the weight has shape {weight.shape}")


@public
def FullyConnected(
    data: NDArray,
    weight: NDArray,
    bias: NDArray | None = None,
    num_hidden: int | None = None,
    no_bias: bool = False,
    flatten: bool = True,
) -> NDArray:
    """``data @ weight.T + bias``.

    Parameters
    ----------
    data : NDArray of shape (batch, ..., features)
    weight : NDArray of shape (units, features)
    bias : NDArray of shape (units,), optional
        To be left out with ``no_bias=True`` only.
    num_hidden : int, optional
        The number of units, checked against the weight.
    no_bias : bool, default False
    flatten : bool, default True
        Make all axes but the first one axis of features; False uses the last axis only.

    Returns
    -------
    NDArray of shape (batch, units), or (batch, ..., units) for ``flatten=False``
    """
    floating("FullyConnected", data)
    check_bias("FullyConnected", bias, no_bias)
    check_size("FullyConnected", "num_hidden", num_hidden, weight, weight.shape[0])
    return F.fully_connected(data, weight, bias, flatten=bool(flatten))


@public
def Embedding(
    data: NDArray,
    weight: NDArray,
    input_dim: int | None = None,
    output_dim: int | None = None,
    dtype: Any = None,
    sparse_grad: bool = False,
) -> NDArray:
    """The rows of `weight` that `data` numbers.

    Parameters
    ----------
    data : NDArray of integers, of any dtype
        Numbers outside the weight are clipped.
    weight : NDArray of shape (rows, width)
    input_dim, output_dim : int, optional
        The shape of the weight, checked.
    dtype, sparse_grad
        Ignored: the dtype is that of the weight, and gradients are dense.

    Returns
    -------
    NDArray of shape (*data.shape, width)
    """
    check_size("Embedding", "input_dim", input_dim, weight, weight.shape[0])
    check_size("Embedding", "output_dim", output_dim, weight, weight.shape[-1])
    return F.take(weight, data, axis=0, mode="clip")


@public
def Dropout(
    data: NDArray,
    p: float = 0.5,
    mode: str = "training",
    axes: int | tuple[int, ...] | None = (),
    cudnn_off: bool = False,
) -> NDArray:
    """In training set values to 0 with probability `p` and scale the others by ``1 / (1 - p)``.

    Parameters
    ----------
    data : NDArray
    p : float, default 0.5
    mode : {'training', 'always'}
    axes : tuple of int, optional
        The axes along which values are kept or dropped together.
    cudnn_off
        Ignored.

    Returns
    -------
    NDArray of the same shape
    """
    choice("Dropout", "mode", mode, ("training", "always"))
    if not 0 <= p <= 1:
        raise ArgumentError(f"Dropout: p={p} is not a probability: it must lie between 0 and 1")
    if p == 0 or not (mode == "always" or now().training):
        return F.reshape(data, shape=data.shape)
    shared = (axes,) if isinstance(axes, int) else tuple(axes or ())
    return F.multiply(data, F.dropout_mask(data, p=p, axes=shared, rng=generator()))
