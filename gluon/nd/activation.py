"""`nd`: activations, softmax and special functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, Literal

from .._core.arrays.base import A, DeviceArray
from .._core.arrays.dtypes import as_dtype
from .._core.engine.array import wrap
from .._core.engine.mode import mode as now
from .._core.engine.op import RECORDED as ops
from .._core.errors import ArgumentError, DTypeError, a_type
from .._core.faces.kinds import keeps_shape
from .._core.hints.synonyms import ACTIVATIONS as INSTEAD
from .._core.kernels.generator import generator
from ._checks import check_choice, check_floating
from ._public import one, public, unary

erf: Final = unary(one, ops.erf, "[-1, 0, 1]", "[-0.8427,  0.    ,  0.8427]")
erfinv: Final = unary(one, ops.erfinv, "[-0.5, 0, 0.5]", "[-0.4769,  0.    ,  0.4769]")
gamma: Final = unary(one, ops.gamma, "[0.5, 1, 5]", "[ 1.7725,  1.    , 24.    ]")
gammaln: Final = unary(one, ops.gammaln, "[1, 10]", "[ 0.    , 12.8018]")
digamma: Final = unary(one, ops.digamma, "[1, 2]", "[-0.5772,  0.4228]")

#: The names of activations, for type checkers.
ActivationName = Literal["relu", "sigmoid", "softrelu", "softsign", "tanh"]
ACTIVATIONS: dict[str, Callable[..., Any]] = {
    "relu": ops.relu,
    "sigmoid": ops.sigmoid,
    "softrelu": ops.softrelu,
    "softsign": ops.softsign,
    "tanh": ops.tanh,
}


@keeps_shape
@public
def Activation(data: A, act_type: str, out: A | None = None, name: str | None = None) -> A:
    """Apply an activation function by name.

    Parameters
    ----------
    data : NDArray of floats, of any shape
    act_type : {'relu', 'sigmoid', 'softrelu', 'softsign', 'tanh'}
        ``max(x, 0)``, ``1 / (1 + exp(-x))``, ``log(1 + exp(x))``, ``x / (1 + |x|)``, or the
        hyperbolic tangent.

    Returns
    -------
    NDArray of the same shape and dtype
        The subgradient of ``'relu'`` at 0 is 0.

    Raises
    ------
    ArgumentError
        If `act_type` is not one of these.
    DTypeError
        If `data` is not an NDArray, or not of floats.

    Examples
    --------
    >>> from gluon import nd
    >>> nd.Activation(nd.array([-1, 0, 3]), act_type="softsign").asnumpy()
    array([-0.5 ,  0.  ,  0.75], dtype=float32)
    """
    check_choice("Activation", "act_type", act_type, ACTIVATIONS, INSTEAD)
    check_floating("Activation", data)
    return ACTIVATIONS[act_type](data)


RECTIFIERS = ("elu", "gelu", "leaky", "prelu", "rrelu", "selu")


@public
def LeakyReLU(
    data: A,
    gamma: A | None = None,
    act_type: str = "leaky",
    slope: float = 0.25,
    lower_bound: float = 0.125,
    upper_bound: float = 0.334,
    out: A | None = None,
    name: str | None = None,
) -> A:
    """Leaky rectified linear units: x if x > 0, otherwise a small or smooth value.

    Parameters
    ----------
    data : NDArray of floats, of shape (batch, channels, ...)
    gamma : NDArray of shape (1,) or (channels,), optional
        The slopes for negative values, for ``'prelu'`` only.
    act_type : {'leaky', 'prelu', 'elu', 'selu', 'gelu', 'rrelu'}
        The value for negative x: ``slope * x``; ``gamma * x``; ``slope * (exp(x) - 1)``; the same
        with the constants of self-normalizing networks, which also scale positive x; ``x`` times
        the probability that a standard normal variable is below x (for positive x too); or ``x``
        times a random slope.
    slope : float, default 0.25
        The slope of ``'leaky'``, or the scale of ``'elu'``, for negative values.
    lower_bound, upper_bound : float
        In training, ``'rrelu'`` draws a slope between these for each value; otherwise it uses
        their mean.

    Returns
    -------
    NDArray of the same shape and dtype
        The subgradient at 0 is that from below.

    Raises
    ------
    ArgumentError
        If `act_type` is not one of these, `gamma` is missing, or given to another type than
        ``'prelu'``, or has another shape.
    DTypeError
        If `data` is not an NDArray, or not of floats.

    Examples
    --------
    >>> from gluon import nd
    >>> x = nd.array([[-2, 3], [-4, 5]])
    >>> nd.LeakyReLU(x, slope=0.5).asnumpy()
    array([[-1.,  3.],
           [-2.,  5.]], dtype=float32)
    >>> nd.LeakyReLU(x, nd.array([0.1, 0.5]), act_type="prelu").asnumpy()
    array([[-0.2,  3. ],
           [-0.4,  5. ]], dtype=float32)
    """
    check_choice("LeakyReLU", "act_type", act_type, RECTIFIERS)
    check_floating("LeakyReLU", data)
    if (gamma is not None) != (act_type == "prelu"):
        raise ArgumentError(
            f"LeakyReLU: act_type={act_type!r} and gamma {'missing' if gamma is None else 'given'};"
            " gamma belongs to 'prelu', and to no other type"
        )
    if act_type == "prelu":
        return ops.prelu(data, gamma)
    if act_type == "rrelu":
        return _randomized(data, lower_bound, upper_bound)
    if act_type in ("leaky", "elu"):
        return {"leaky": ops.leaky_relu, "elu": ops.elu}[act_type](data, slope=slope)
    return ops.selu(data) if act_type == "selu" else ops.gelu(data)


def _randomized(data: A, lower: float, upper: float) -> A:
    if not now().training:
        return ops.leaky_relu(data, slope=(lower + upper) / 2)
    slopes = generator().uniform(lower, upper, data.shape).astype(data.dtype)
    slope = wrap(type(data), slopes, data._ctx)
    return ops.where(ops.greater(data, 0), data, ops.multiply(data, slope))


# -------------------------------------------------------------------------------- softmax


def _soft(name: str, op: Callable[..., Any], data: A, dtype: Any, **attributes: Any) -> A:
    """Apply `op` in the wider of the data's dtype and `dtype`, and cast to the latter."""
    if dtype is None:
        return op(data, **attributes)
    wanted = as_dtype(dtype)
    if wanted.kind in "biu":
        raise DTypeError(f"{name}: dtype={dtype!r} is not floating; use one such as 'float32'")
    raw = data.form.dtype
    if raw.kind in "biu" or wanted.itemsize > raw.itemsize:
        data = ops.cast(data, dtype=wanted)
    y = op(data, **attributes)
    return y if y.form.dtype == wanted else ops.cast(y, dtype=wanted)


@public
def softmax(
    data: A,
    length: A | None = None,
    axis: int = -1,
    temperature: float | None = None,
    dtype: Any = None,
    use_length: bool = False,
    out: A | None = None,
    name: str | None = None,
) -> A:
    """``exp(data / temperature)`` divided by its sum along `axis`.

    Parameters
    ----------
    data : NDArray of any shape and dtype
    length : NDArray of integers, of the shape of `data` without `axis`, optional
        How many positions along `axis` count; the others are 0. Needs ``use_length=True``.
    axis : int, default -1
        Counted from the end if negative.
    temperature : float, default 1
        Not 0.
    dtype : str, optional
        Of the result; by default that of `data`, and float32 for integers.
    use_length : bool, default False

    Returns
    -------
    NDArray of the same shape
        A length of 0 gives zeros.

    Raises
    ------
    ArgumentError
        If only one of `length` and `use_length` is given, `length` has another shape or is longer
        than the axis, or `temperature` is 0.
    DTypeError
        If `data` is not an NDArray, `length` is not of integers, or `dtype` is not a float.
    IndexRangeError
        If the axis is out of range for `data`.

    Examples
    --------
    >>> from gluon import nd
    >>> x = nd.array([[0, 0, 0], [0, 0, 200]])
    >>> nd.softmax(x, axis=0).asnumpy()
    array([[0.5, 0.5, 0. ],
           [0.5, 0.5, 1. ]], dtype=float32)
    >>> nd.softmax(x, nd.array([1, 2], dtype="int32"), use_length=True).asnumpy()
    array([[1. , 0. , 0. ],
           [0.5, 0.5, 0. ]], dtype=float32)
    """
    if bool(use_length) != (length is not None):
        raise ArgumentError(
            f"softmax: use_length={use_length} and length {'given' if use_length else 'missing'};"
            " pass both or none"
            if length is None
            else f"softmax: length of shape {length.shape} needs use_length=True"
        )
    if length is None:
        return _soft("softmax", ops.softmax, data, dtype, axis=axis, temperature=temperature)

    def masked(x: A, **attributes: Any) -> A:
        return ops.masked_softmax(x, length, **attributes)

    return _soft("softmax", masked, data, dtype, axis=axis, temperature=temperature)


@keeps_shape
@public
def log_softmax(
    data: A,
    axis: int = -1,
    temperature: float | None = None,
    dtype: Any = None,
    use_length: bool = False,
    out: A | None = None,
    name: str | None = None,
) -> A:
    """The logarithm of the softmax, computed stably.

    Parameters
    ----------
    data : NDArray of any shape and dtype
    axis : int, default -1
        Counted from the end if negative.
    temperature : float, default 1
        What the data are divided by; not 0.
    dtype : str, optional
        Of the result; by default that of `data`, and float32 for integers.
    use_length : bool, default False
        True is not available.

    Returns
    -------
    NDArray of the same shape

    Raises
    ------
    ArgumentError
        If `temperature` is 0, or for ``use_length=True``.
    DTypeError
        If `data` is not an NDArray, or `dtype` is not a float.
    IndexRangeError
        If the axis is out of range for `data`.

    Examples
    --------
    >>> from gluon import nd
    >>> nd.log_softmax(nd.array([[0, 100]])).asnumpy()
    array([[-100.,    0.]], dtype=float32)
    """
    _without_length("log_softmax", use_length)
    return _soft("log_softmax", ops.log_softmax, data, dtype, axis=axis, temperature=temperature)


@keeps_shape
@public
def softmin(
    data: A,
    axis: int = -1,
    temperature: float | None = None,
    dtype: Any = None,
    use_length: bool = False,
    out: A | None = None,
    name: str | None = None,
) -> A:
    """The softmax of ``-data``.

    Parameters
    ----------
    data : NDArray of numbers, of any shape
    axis : int, default -1
        Counted from the end if negative.
    temperature : float, default 1
        What the data are divided by; not 0.
    dtype : str, optional
        Of the result; by default that of `data`, and float32 for integers.
    use_length : bool, default False
        True is not available.

    Returns
    -------
    NDArray of the same shape

    Raises
    ------
    ArgumentError
        If `temperature` is 0, or for ``use_length=True``.
    DTypeError
        If `data` is not an NDArray, or `dtype` is not a float.
    IndexRangeError
        If the axis is out of range for `data`.

    Examples
    --------
    >>> from gluon import nd
    >>> nd.softmin(nd.array([[0, 0, 200]])).asnumpy()
    array([[0.5, 0.5, 0. ]], dtype=float32)
    """
    _without_length("softmin", use_length)

    def op(x: A, **attributes: Any) -> A:
        return ops.softmax(ops.negative(x), **attributes)

    return _soft("softmin", op, data, dtype, axis=axis, temperature=temperature)


def _without_length(name: str, use_length: bool) -> None:
    if use_length:
        raise ArgumentError(f"{name}: use_length is not available; mask the data, or use softmax")


@keeps_shape
@public
def SoftmaxActivation(
    data: A, mode: str = "instance", out: A | None = None, name: str | None = None
) -> A:
    """The softmax over the last axis, or over the channels.

    Parameters
    ----------
    data : NDArray of shape (batch, channels, ...)
    mode : {'instance', 'channel'}

    Returns
    -------
    NDArray of the same shape
        In the dtype of `data`, and float32 for integers.

    Raises
    ------
    ArgumentError
        If `mode` is not one of these.
    DTypeError
        If `data` is not an NDArray.
    IndexRangeError
        If `data` has no channels.

    Examples
    --------
    >>> from gluon import nd
    >>> nd.SoftmaxActivation(nd.array([[0, 200], [0, 0]])).asnumpy()
    array([[0. , 1. ],
           [0.5, 0.5]], dtype=float32)
    """
    check_choice("SoftmaxActivation", "mode", mode, ("instance", "channel"))
    return ops.softmax(data, axis=1 if mode == "channel" else -1)


# ------------------------------------------------------------------------------- the rest


@keeps_shape
@public
def hard_sigmoid(
    data: A, alpha: float = 0.2, beta: float = 0.5, out: A | None = None, name: str | None = None
) -> A:
    """``alpha * data + beta`` limited to [0, 1].

    Parameters
    ----------
    data : NDArray of floats, of any shape
    alpha : float, default 0.2
    beta : float, default 0.5

    Returns
    -------
    NDArray of the same shape and dtype
        The subgradient at the ends is 0.

    Raises
    ------
    DTypeError
        If `data` is not an NDArray, or not of floats.

    Examples
    --------
    >>> from gluon import nd
    >>> nd.hard_sigmoid(nd.array([-5, 0, 5])).asnumpy()
    array([0. , 0.5, 1. ], dtype=float32)
    """
    check_floating("hard_sigmoid", data)
    return ops.hard_sigmoid(data, alpha=alpha, beta=beta)


@keeps_shape
@public
def smooth_l1(data: A, scalar: float = 1.0, out: A | None = None, name: str | None = None) -> A:
    """Smooth L1: the absolute value, quadratic near 0.

    ``(scalar * x) ** 2 / 2`` where ``|x| < 1 / scalar**2``, and ``|x| - 1 / (2 * scalar**2)``
    elsewhere.

    Parameters
    ----------
    data : NDArray of numbers, of any shape
    scalar : float, default 1

    Returns
    -------
    NDArray of the same shape and dtype
        The fraction of a result is dropped where `data` is of integers.

    Raises
    ------
    DTypeError
        If `data` is not an NDArray, or boolean.

    Examples
    --------
    >>> from gluon import nd
    >>> nd.smooth_l1(nd.array([-2, -0.5, 0, 1])).asnumpy()
    array([1.5  , 0.125, 0.   , 0.5  ], dtype=float32)
    """
    return ops.smooth_l1(data, scalar=scalar)


@public
def softmax_cross_entropy(data: A, label: A, out: A | None = None, name: str | None = None) -> A:
    """The sum over the batch of the cross-entropy of the softmax with the labels.

    Parameters
    ----------
    data : NDArray of floats, of shape (batch, classes)
    label : NDArray of shape (batch,), of any dtype
        The indices of the classes, starting at 0; fractions are dropped. No gradient flows to
        them.

    Returns
    -------
    NDArray of shape (1,)
        In the dtype of `data`.

    Raises
    ------
    ArgumentError
        If the shapes do not fit.
    DTypeError
        If an argument is not an NDArray, or `data` is not of floats.
    IndexRangeError
        If a label is not the index of a class.

    Examples
    --------
    >>> from gluon import nd
    >>> scores = nd.array([[0, 200], [0, 200]])
    >>> nd.softmax_cross_entropy(scores, nd.array([1, 0])).asnumpy()
    array([200.], dtype=float32)
    """
    if not isinstance(label, DeviceArray):
        raise DTypeError(f"softmax_cross_entropy: label is {a_type(label)}, not an NDArray")
    check_floating("softmax_cross_entropy", data)
    return ops.softmax_cross_entropy(data, label)
