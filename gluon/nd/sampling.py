"""`nd`: the samplers of `nd.random` under MXNet's flat names, such as ``nd.random_uniform``."""

from __future__ import annotations

from collections.abc import Callable
from inspect import Parameter, Signature
from typing import Any

from ..engine.errors import DTypeError
from ..ndarray import NDArray
from . import random
from ._public import documented, public

REQUIRED = Parameter.empty
INPUTS = """{0} : float
    shape : int or tuple of int, optional
        (1,) by default.
    ctx : Context, optional
    dtype : str, optional"""
ARRAYS = """{0} : NDArray
        One distribution for each value.
    shape : int or tuple of int, optional
        Of the block of samples of each distribution; one sample by default.
    dtype : str, optional"""


def _by_rate(lam: Any = 1, **kwargs: Any) -> NDArray:
    return random.exponential(1 / lam, **kwargs)


#: name -> (sampler, its parameters with their defaults)
SAMPLERS: dict[str, tuple[Callable, dict[str, Any]]] = {
    "uniform": (random.uniform, {"low": 0, "high": 1}),
    "normal": (random.normal, {"loc": 0, "scale": 1}),
    "exponential": (_by_rate, {"lam": 1}),
    "gamma": (random.gamma, {"alpha": 1, "beta": 1}),
    "poisson": (random.poisson, {"lam": 1}),
    "randint": (random.randint, {"low": REQUIRED, "high": REQUIRED}),
}


def _flat(name: str, draw: Callable, parameters: dict, rest: str, inputs: str) -> Callable:
    defaults = {**parameters, **dict.fromkeys(rest.split())}
    places = [Parameter(k, Parameter.POSITIONAL_OR_KEYWORD, default=v) for k, v in defaults.items()]
    signature = Signature(places)

    def call(*args: Any, **kwargs: Any) -> NDArray:
        try:
            given = signature.bind(*args, **kwargs)
        except TypeError as error:
            raise DTypeError(f"{name}: {error}") from None
        given.apply_defaults()
        first = [given.arguments.pop(parameter) for parameter in parameters]
        given.arguments.pop("name")
        return draw(*first, **{k: v for k, v in given.arguments.items() if v is not None})

    call.__signature__ = signature  # type: ignore[attr-defined]
    inputs = inputs.format(", ".join(parameters))
    return documented(call, name, f"See `nd.random.{name.split('_')[-1]}`", inputs, "NDArray")


for _name, (_draw, _parameters) in SAMPLERS.items():
    _rest = "shape ctx dtype out name"
    globals()[f"random_{_name}"] = _flat(f"random_{_name}", _draw, _parameters, _rest, INPUTS)
    if _name != "randint":
        _names = {"mu": 0, "sigma": 1} if _name == "normal" else _parameters
        _names = dict.fromkeys(_names, REQUIRED)
        globals()[f"sample_{_name}"] = _flat(
            f"sample_{_name}", _draw, _names, "shape dtype out name", ARRAYS
        )
uniform = globals()["random_uniform"]
normal = globals()["random_normal"]


@public
def sample_multinomial(
    data: NDArray, shape: Any = None, get_prob: bool = False, dtype: Any = "int32"
) -> Any:
    """See `nd.random.multinomial`."""
    return random.multinomial(data, shape=shape, get_prob=get_prob, dtype=dtype)


@public
def shuffle(data: NDArray) -> NDArray:
    """The rows of `data` in random order."""
    return random.shuffle(data)
