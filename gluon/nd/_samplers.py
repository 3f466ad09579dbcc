"""Factories of the samplers; `FAMILIES` describes the parameters of each distribution."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from .._core.engine.array import Array
from .._core.errors import DTypeError
from .._core.faces.kinds import keeps_shape
from .._core.faces.prototype import T
from ._array import NDArray
from ._draw import REALS, draw, draw_integers
from ._function import function, listed
from ._public import with_zero_gradients


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
            "k": "The number of failures, 0 or more; it may have a fraction.",
            "p": "The probability of a failure, above 0 and at most 1.",
        },
    ),
    "generalized_negative_binomial": Family(
        {
            "mu": "The mean, 0 or more.",
            "alpha": "The dispersion, 0 or more; 0 is the Poisson distribution.",
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
        Only its shape, dtype and device are used.
    """
RAISES = """

    Raises
    ------
    ArgumentError
        If a parameter is out of range, or a shape does not fit.
    DTypeError
        If an argument or the dtype has the wrong type.

    Examples
    --------
    >>> from gluon import nd
    """


def require(operator: str, kinds: Any, wanted: str, values: dict[str, Any]) -> None:
    """Raise unless all `values` are of some `kinds`."""
    for name, value in values.items():
        if not isinstance(value, kinds):
            raise DTypeError(f"{operator}: {name} must be {wanted}, not {type(value).__name__}")


def _texts(family: Family, kind: str, names: Iterable[str] = ()) -> str:
    """Format the docstring lines of the parameters."""
    texts = family.parameters.values()
    return listed(dict(zip(names or family.parameters, texts)), kind)


def by_numbers(distribution: str) -> Callable[[T], T]:
    """Create ``random_*`` from a signature: the parameters are numbers."""
    family = FAMILIES[distribution]

    def make(like: T) -> T:
        name = like.__name__

        def call(shape: Any, ctx: Any, dtype: Any, out: Any, **values: Any) -> NDArray:
            require(name, REALS, f"a number (sample_{distribution} takes arrays)", values)
            return draw(name, distribution, values, shape, dtype, ctx, out)

        texts = (
            _texts(family, "float") + SIZE + DTYPE,
            f"NDArray of shape `shape`{RAISES}>>> nd.{name}(shape=(2, 3)).shape\n    (2, 3)",
        )
        return function(like, call, *texts)

    return make


def by_arrays(distribution: str) -> Callable[[T], T]:
    """Create ``sample_*`` from a signature: the parameters are arrays."""
    family = FAMILIES[distribution]
    names = family.arrays or tuple(family.parameters)

    def make(like: T) -> T:
        name = like.__name__

        def call(shape: Any, dtype: Any, out: Any, **values: Any) -> NDArray:
            require(name, Array, f"an NDArray (random_{distribution} takes numbers)", values)
            return draw(name, distribution, values, shape, dtype, None, out)

        ones = ", ".join("nd.ones((3,))" for _ in names)
        texts = (
            _texts(family, "NDArray of shape s", names) + BLOCK + DTYPE,
            f"NDArray of shape s + shape{RAISES}>>> nd.{name}({ones}, shape=2).shape\n    (3, 2)",
        )
        return function(like, call, *texts)

    return make


def like_array(distribution: str) -> Callable[[T], T]:
    """Create ``*_like`` from a signature: an array gives shape, dtype and device."""
    family = FAMILIES[distribution]

    def make(like: T) -> T:
        name = like.__name__

        def call(data: Any, out: Any, **values: Any) -> NDArray:
            require(name, Array, "an NDArray", {"data": data})
            require(name, REALS, "a number", values)
            drawn = draw(name, distribution, values, data.shape, data.form.dtype, data._ctx, out)
            return with_zero_gradients(drawn, data)

        texts = (
            f"data : NDArray of floating-point numbers{DATA}{_texts(family, 'float')}",
            f"NDArray of the shape, dtype and device of `data`{RAISES}"
            f">>> nd.random.{name}(nd.ones((2, 3))).shape\n    (2, 3)",
        )
        return keeps_shape(function(like, call, *texts))

    return make


def of_integers(like: T) -> T:
    """Create ``random_randint`` from its signature."""

    def call(low: Any, high: Any, **rest: Any) -> NDArray:
        return draw_integers("random_randint", low, high, **rest)

    texts = (
        f"low, high : int{SIZE}\n    dtype : {{'int32', 'int64'}}, optional"
        "\n        That of `out`, or int32, by default.",
        f"NDArray of shape `shape`{RAISES}"
        ">>> nd.random_randint(5, 6, shape=3).asnumpy().tolist()\n    [5, 5, 5]",
    )
    return function(like, call, *texts)
