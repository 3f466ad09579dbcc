"""`nd`: samplers under MXNet's flat names, such as ``nd.random_uniform``.

There are three for each distribution: ``random_*`` takes numbers as parameters, ``sample_*``
arrays, and ``*_like``, which is in `nd.random`, numbers and an array that gives shape and dtype.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, NamedTuple

import numpy as np

from ..engine.array import Array, wrap
from ..engine.errors import ArgumentError, DTypeError
from ..engine.op import RECORDED as F
from ..face.prototype import T
from ..kernels import random as kernels
from ..kernels.generator import generator
from ..ndarray.base import A, DeviceArray
from ..ndarray.context import Context, device
from ..ndarray.dtypes import as_dtype
from ._array import NDArray
from ._draw import DRAWN, NUMBERS, Shape, dimensions, draw, draw_integers, is_default
from ._function import function, listed
from ._public import led, public


class Family(NamedTuple):
    """The functions of one distribution.

    Attributes
    ----------
    parameters : dict
        What each parameter means.
    arrays : tuple of str
        The names that ``sample_*`` has for the parameters, where they are other ones.
    """

    parameters: dict[str, str]
    arrays: tuple[str, ...] = ()


FAMILIES = {
    "uniform": Family(
        {"low": "The lower bound.", "high": "The upper bound, not below `low`."},
    ),
    "normal": Family(
        {"loc": "The mean.", "scale": "The standard deviation, 0 or more."},
        ("mu", "sigma"),
    ),
    "gamma": Family(
        {"alpha": "The shape, 0 or more.", "beta": "The scale, 0 or more."},
    ),
    "exponential": Family(
        {"lam": "The rate, above 0."},
    ),
    "poisson": Family({"lam": "The mean, 0 or more."}),
    "negative_binomial": Family(
        {
            "k": "The failure that ends the count, 0 or more; need not be whole.",
            "p": "The probability of a failure, above 0 and at most 1.",
        },
    ),
    "generalized_negative_binomial": Family(
        {
            "mu": "The mean, 0 or more.",
            "alpha": "The dispersion, 0 or more; 0 gives the Poisson distribution.",
        },
    ),
}
SIZE = """
    shape : int or tuple of int, optional
        That of `out`, or (1,), by default.
    ctx : Context, optional"""
BLOCK = """
    shape : int or tuple of int, optional
        Of the block of samples for each parameter; one sample by default."""
DTYPE = """
    dtype : {'float16', 'float32', 'float64'}, optional
        That of `out`, or float32, by default."""
DATA = """
        Only its shape, dtype and device count.
    """
RAISES = """

    Raises
    ------
    ArgumentError
        If a parameter has a value that it cannot have, or a shape does not fit.
    DTypeError
        If an argument or the dtype has the wrong type.

    Examples
    --------
    >>> from gluon import nd
    """


def _require(operator: str, kinds: Any, wanted: str, values: dict[str, Any]) -> None:
    """Raise unless all `values` are of some `kinds`."""
    for name, value in values.items():
        if not isinstance(value, kinds):
            raise DTypeError(f"{operator}: {name} must be {wanted}, not {type(value).__name__}")


def _texts(family: Family, kind: str, names: Iterable[str] = ()) -> str:
    """What a docstring says of the parameters."""
    texts = family.parameters.values()
    return listed(dict(zip(names or family.parameters, texts)), kind)


def _by_numbers(distribution: str) -> Callable[[T], T]:
    family = FAMILIES[distribution]

    def make(like: T) -> T:
        name = like.__name__

        def call(shape: Any, ctx: Any, dtype: Any, out: Any, **values: Any) -> NDArray:
            _require(name, NUMBERS, f"a number (sample_{distribution} takes arrays)", values)
            return draw(name, distribution, values, shape, dtype, ctx, out)

        texts = (
            _texts(family, "float") + SIZE + DTYPE,
            f"NDArray of shape `shape`{RAISES}>>> nd.{name}(shape=(2, 3)).shape\n    (2, 3)",
        )
        return function(like, call, *texts)

    return make


def _by_arrays(distribution: str) -> Callable[[T], T]:
    family = FAMILIES[distribution]
    names = family.arrays or tuple(family.parameters)

    def make(like: T) -> T:
        name = like.__name__

        def call(shape: Any, dtype: Any, out: Any, **values: Any) -> NDArray:
            _require(name, Array, f"an NDArray (random_{distribution} takes numbers)", values)
            return draw(name, distribution, values, shape, dtype, None, out)

        ones = ", ".join("nd.ones((3,))" for _ in names)
        texts = (
            _texts(family, "NDArray of shape s", names) + BLOCK + DTYPE,
            f"NDArray of shape s + shape{RAISES}>>> nd.{name}({ones}, shape=2).shape\n    (3, 2)",
        )
        return function(like, call, *texts)

    return make


def _like(distribution: str) -> Callable[[T], T]:
    family = FAMILIES[distribution]

    def make(like: T) -> T:
        name = like.__name__

        def call(data: Any, out: Any, **values: Any) -> NDArray:
            _require(name, Array, "an NDArray", {"data": data})
            _require(name, NUMBERS, "a number", values)
            drawn = draw(name, distribution, values, data.shape, data._raw.dtype, data._ctx, out)
            return led(drawn, data)

        texts = (
            f"data : NDArray of floating-point numbers{DATA}{_texts(family, 'float')}",
            f"NDArray of the shape, dtype and device of `data`{RAISES}"
            f">>> nd.random.{name}(nd.ones((2, 3))).shape\n    (2, 3)",
        )
        return function(like, call, *texts)

    return make


@_by_numbers("uniform")
def random_uniform(
    low: float = 0,
    high: float = 1,
    shape: Shape = None,
    ctx: Context | None = None,
    dtype: Any = None,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Samples of the uniform distribution on ``[low, high)``."""
    raise NotImplementedError


@_by_numbers("normal")
def random_normal(
    loc: float = 0,
    scale: float = 1,
    shape: Shape = None,
    ctx: Context | None = None,
    dtype: Any = None,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Samples of the normal distribution."""
    raise NotImplementedError


@_by_numbers("gamma")
def random_gamma(
    alpha: float = 1,
    beta: float = 1,
    shape: Shape = None,
    ctx: Context | None = None,
    dtype: Any = None,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Samples of the gamma distribution, whose mean is ``alpha * beta``."""
    raise NotImplementedError


@_by_numbers("exponential")
def random_exponential(
    lam: float = 1,
    shape: Shape = None,
    ctx: Context | None = None,
    dtype: Any = None,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Samples of the exponential distribution, whose mean is ``1 / lam``."""
    raise NotImplementedError


@_by_numbers("poisson")
def random_poisson(
    lam: float = 1,
    shape: Shape = None,
    ctx: Context | None = None,
    dtype: Any = None,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Samples of the Poisson distribution."""
    raise NotImplementedError


@_by_numbers("negative_binomial")
def random_negative_binomial(
    k: float = 1,
    p: float = 1,
    shape: Shape = None,
    ctx: Context | None = None,
    dtype: Any = None,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Samples of the negative binomial distribution: how many successes come before failure k."""
    raise NotImplementedError


@_by_numbers("generalized_negative_binomial")
def random_generalized_negative_binomial(
    mu: float = 1,
    alpha: float = 1,
    shape: Shape = None,
    ctx: Context | None = None,
    dtype: Any = None,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Samples of the negative binomial distribution with the variance ``mu + alpha * mu**2``."""
    raise NotImplementedError


@_by_arrays("uniform")
def sample_uniform(
    low: NDArray,
    high: NDArray,
    shape: Shape = None,
    dtype: Any = None,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Samples of the uniform distribution on ``[low, high)``, for each of many parameters."""
    raise NotImplementedError


@_by_arrays("normal")
def sample_normal(
    mu: NDArray,
    sigma: NDArray,
    shape: Shape = None,
    dtype: Any = None,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Samples of the normal distribution, for each of many parameters."""
    raise NotImplementedError


@_by_arrays("gamma")
def sample_gamma(
    alpha: NDArray,
    beta: NDArray,
    shape: Shape = None,
    dtype: Any = None,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Samples of the gamma distribution, for each of many parameters."""
    raise NotImplementedError


@_by_arrays("exponential")
def sample_exponential(
    lam: NDArray,
    shape: Shape = None,
    dtype: Any = None,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Samples of the exponential distribution, for each of many parameters."""
    raise NotImplementedError


@_by_arrays("poisson")
def sample_poisson(
    lam: NDArray,
    shape: Shape = None,
    dtype: Any = None,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Samples of the Poisson distribution, for each of many parameters."""
    raise NotImplementedError


@_by_arrays("negative_binomial")
def sample_negative_binomial(
    k: NDArray,
    p: NDArray,
    shape: Shape = None,
    dtype: Any = None,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Samples of the negative binomial distribution, for each of many parameters."""
    raise NotImplementedError


@_by_arrays("generalized_negative_binomial")
def sample_generalized_negative_binomial(
    mu: NDArray,
    alpha: NDArray,
    shape: Shape = None,
    dtype: Any = None,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Samples of the generalized negative binomial distribution, for each of many parameters."""
    raise NotImplementedError


@_like("uniform")
def uniform_like(
    data: NDArray,
    low: float = 0,
    high: float = 1,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Samples of the uniform distribution on ``[low, high)``, as many as an array has values."""
    raise NotImplementedError


@_like("normal")
def normal_like(
    data: NDArray,
    loc: float = 0,
    scale: float = 1,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Samples of the normal distribution, as many as an array has values."""
    raise NotImplementedError


@_like("gamma")
def gamma_like(
    data: NDArray,
    alpha: float = 1,
    beta: float = 1,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Samples of the gamma distribution, as many as an array has values."""
    raise NotImplementedError


@_like("exponential")
def exponential_like(
    data: NDArray,
    lam: float = 1,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Samples of the exponential distribution, as many as an array has values."""
    raise NotImplementedError


@_like("poisson")
def poisson_like(
    data: NDArray,
    lam: float = 1,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Samples of the Poisson distribution, as many as an array has values."""
    raise NotImplementedError


@_like("negative_binomial")
def negative_binomial_like(
    data: NDArray,
    k: float = 1,
    p: float = 1,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Samples of the negative binomial distribution, as many as an array has values."""
    raise NotImplementedError


@_like("generalized_negative_binomial")
def generalized_negative_binomial_like(
    data: NDArray,
    mu: float = 1,
    alpha: float = 1,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Samples of the generalized negative binomial distribution, as many as an array has values."""
    raise NotImplementedError


uniform: Final = random_uniform
normal: Final = random_normal


def _integers(like: T) -> T:
    def call(low: Any, high: Any, **rest: Any) -> NDArray:
        return draw_integers("random_randint", low, high, **rest)

    texts = (
        f"low, high : int{SIZE}\n    dtype : {{'int32', 'int64'}}, optional"
        "\n        That of `out`, or int32, by default.",
        f"NDArray of shape `shape`{RAISES}"
        ">>> nd.random_randint(5, 6, shape=3).asnumpy().tolist()\n    [5, 5, 5]",
    )
    return function(like, call, *texts)


@_integers
def random_randint(
    low: int,
    high: int,
    shape: Shape = None,
    ctx: Context | None = None,
    dtype: Any = None,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Integers from ``[low, high)``, each as likely."""
    raise NotImplementedError


@public
def sample_multinomial(
    data: A,
    shape: Any = None,
    get_prob: bool = False,
    dtype: Any = "int32",
    out: A | Sequence[A] | None = None,
    name: str | None = None,
) -> A | Any:
    """Indices drawn with the probabilities in `data`: samples of categorical distributions.

    Parameters
    ----------
    data : NDArray of shape s + (k,), of floating-point numbers
        Probabilities, with the sum 1 (to 1 %) along the last axis.
    shape : int or tuple of int, optional
        How many to draw from each distribution; one by default.
    get_prob : bool, default False
        Also return the logarithm of the probability of each drawn index; it has a gradient,
        from which those of expected rewards are made.
    dtype : str, default 'int32'
        Of the indices.

    Returns
    -------
    NDArray of shape s + shape, or list of two
        The indices, from 0 to k - 1, and the logarithms, of the dtype of `data`.

    Raises
    ------
    ArgumentError
        If `data` holds no probabilities, or `dtype` cannot hold k - 1.
    DTypeError
        If `data` is no array of floating-point numbers.

    Examples
    --------
    >>> from gluon import nd
    >>> nd.sample_multinomial(nd.array([[0, 1, 0], [0, 0, 1]]), shape=4)
    <BLANKLINE>
    [[1 1 1 1]
     [2 2 2 2]]
    <NDArray 2x4 @cpu(0)>
    """
    size = dimensions("sample_multinomial", shape)
    kind = as_dtype("int32" if is_default(dtype) else dtype)
    start, classes = data.shape[:-1], data.shape[-1]
    if data._raw.dtype.kind not in "fV":
        raise DTypeError(
            f"sample_multinomial: data has the dtype {data._raw.dtype.name}; probabilities are"
            " floating-point numbers"
        )
    with np.errstate(over="ignore"):
        last = np.asarray(classes - 1).astype(kind)
    if float(last) != classes - 1:
        raise ArgumentError(
            f"sample_multinomial: {kind.name} cannot hold the index {classes - 1}; pass a wider"
            " dtype"
        )
    rows = data._raw.reshape(math.prod(start), classes)
    try:
        drawn = kernels.categorical(rows, count=math.prod(size), rng=generator())
    except ValueError as error:
        raise ArgumentError(f"sample_multinomial: {error}") from None
    wanted = start + size or (1,)
    indices = led(wrap(NDArray, drawn.reshape(wanted).astype(kind), data._ctx, DRAWN), data)
    if not get_prob:
        return indices
    places = (np.arange(len(rows))[:, None], drawn)
    chosen = F.getitem(F.reshape(data, shape=rows.shape), key=places)
    return [indices, F.reshape(F.log(chosen), shape=wanted)]


@public
def shuffle(data: A, out: A | None = None, name: str | None = None) -> A:
    """The rows of `data` in random order.

    Parameters
    ----------
    data : NDArray of shape (n, ...)

    Returns
    -------
    NDArray of the same shape and dtype

    Raises
    ------
    DTypeError
        If `data` is no array.

    Examples
    --------
    >>> from gluon import nd
    >>> int(nd.shuffle(nd.arange(5)).sum())
    10
    """
    return F.getitem(data, key=generator().permutation(data.shape[0]))


def rand_zipfian(
    true_classes: DeviceArray, num_sampled: int, range_max: int, ctx: Context | None = None
) -> tuple[NDArray, NDArray, NDArray]:
    """Candidate classes for sampled losses, the frequent ones, with the low numbers, more often.

    Class c is drawn with the probability ``log((c + 2) / (c + 1)) / log(range_max + 1)``, near to
    Zipf's law for classes in the order of their frequency.

    Parameters
    ----------
    true_classes : NDArray of integers, of any dtype and shape s
        From 0 to range_max - 1.
    num_sampled : int
        How many to draw.
    range_max : int
        The number of classes.
    ctx : Context, optional

    Returns
    -------
    tuple of three NDArrays
        The drawn classes, int64 of shape (num_sampled,); how often each of the true classes is
        drawn on average, float64 of shape s; and how often each of the drawn ones is, float64 of
        shape (num_sampled,).

    Raises
    ------
    ArgumentError
        If there is no class, or a true class is out of range.
    DTypeError
        If `true_classes` is no array, or a number is not whole.

    Examples
    --------
    >>> from gluon import nd
    >>> drawn, expected_true, expected = nd.contrib.rand_zipfian(nd.array([0, 1]), 6, 8)
    >>> drawn.shape
    (6,)
    >>> expected_true
    <BLANKLINE>
    [1.89278926 1.10721074]
    <NDArray 2 @cpu(0)>
    """
    _require("rand_zipfian", Array, "an NDArray", {"true_classes": true_classes})
    numbers = {"num_sampled": num_sampled, "range_max": range_max}
    _require("rand_zipfian", (int, np.integer), "an integer", numbers)
    count, stop = int(num_sampled), int(range_max)
    if count < 0 or stop < 1:
        raise ArgumentError(
            f"rand_zipfian: num_sampled={count}, range_max={stop}; draw 0 or more, of 1 class or"
            " more"
        )
    true = true_classes._raw.astype(np.float64)
    if not ((true >= 0) & (true < stop)).all():
        raise ArgumentError(
            f"rand_zipfian: true_classes are {true.min():g} to {true.max():g}; for"
            f" range_max={stop} they must be 0 to {stop - 1}"
        )
    drawn = kernels.zipfian(count=count, stop=stop, rng=generator())
    expected = (count * kernels.zipfian_share(classes, stop) for classes in (true, drawn))
    where = device(ctx)
    true_count, drawn_count = (wrap(NDArray, raw, where, DRAWN) for raw in expected)
    return wrap(NDArray, drawn, where, DRAWN), true_count, drawn_count
