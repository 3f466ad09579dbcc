"""`Initializer`: fills an array by the rule for its name or its description."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from .._core.arrays.context import Context
from .._core.engine.array import Array
from .._core.errors import ArgumentError, DTypeError, a_type
from .._core.hints.called import Hinted
from .._core.kernels.generator import drawing_alike
from .._core.registry import Registry
from ..nd import NDArray


class InitDesc(str):
    """The name of an array to initialize, with attributes.

    Parameters
    ----------
    name : str
    attrs : dict, optional
        ``attrs['__init__']``, an initializer or its description, overrides the rules by name.
    global_init : Initializer, optional
        The initializer to use by default; otherwise the one that is called.

    Examples
    --------
    >>> from gluon import init, nd
    >>> scale = nd.zeros((2,))
    >>> init.Uniform()(init.InitDesc("scale", {"__init__": "ones"}), scale)
    >>> scale.asnumpy()
    array([1., 1.], dtype=float32)
    """

    attrs: dict[str, Any]
    global_init: Initializer | None

    def __new__(  # noqa: D102
        cls, name: str, attrs: dict[str, Any] | None = None, global_init: Any = None
    ) -> InitDesc:
        made = super().__new__(cls, name)
        made.attrs = attrs or {}
        made.global_init = global_init
        return made


def root_mean_square(x: NDArray) -> str:
    """The root of the mean square of `x`."""
    square = float((x.raw.astype("float64") ** 2).mean()) if x.size else 0.0
    return str(np.float32(math.sqrt(square)))


class Initializer(Hinted):
    """Base of all initializers, which are called with a name and the array to fill.

    The name selects the rule: names that end in ``weight`` are filled by `_init_weight`, which
    subclasses define; ``gamma``, ``max`` and running variances with ones; ``bias``, ``beta``,
    ``min`` and running means with zeros. A parameter with its own initializer is filled by that
    initializer's `_init_weight`, whatever its name.

    Parameters
    ----------
    **kwargs
        The settings, for `dumps` and for comparing two initializers.

    Raises
    ------
    ArgumentError
        From a call, if no rule fits the name.
    DTypeError
        From a call, if the arguments are not a name and an array.
    NotImplementedError
        From a call, if the subclass has no `_init_weight`.

    Examples
    --------
    >>> from gluon import init, nd
    >>> class Tenth(init.Initializer):
    ...     def _init_weight(self, name, arr):
    ...         arr[:] = 0.1
    >>> weight = nd.zeros((3,))
    >>> Tenth()("weight", weight)
    >>> weight.asnumpy()
    array([0.1, 0.1, 0.1], dtype=float32)
    """

    _verbose = False
    _print_func: Callable[[NDArray], str] = staticmethod(root_mean_square)

    def __init__(self, **kwargs: Any) -> None:
        self._kwargs = kwargs

    def set_verbosity(
        self, verbose: bool = False, print_func: Callable[[NDArray], str] | None = None
    ) -> Initializer:
        """Switch logging of initialized arrays, at the level INFO, on or off.

        Parameters
        ----------
        verbose : bool, default False
        print_func : callable, optional
            Describes a filled array; by default by the root of its mean square.

        Returns
        -------
        Initializer
            The initializer itself.

        Examples
        --------
        >>> from gluon import init
        >>> zero = init.Zero()
        >>> zero.set_verbosity(True) is zero
        True
        """
        self._verbose = verbose
        self._print_func = print_func or root_mean_square
        return self

    def dumps(self) -> str:
        """The initializer as JSON: its name in lower case and its settings.

        Returns
        -------
        str

        Examples
        --------
        >>> from gluon import init
        >>> init.Normal(0.1).dumps()
        '["normal", {"sigma": 0.1}]'
        """
        import json

        return json.dumps([type(self).__name__.lower(), self._kwargs])

    def __call__(self, desc: str, arr: NDArray) -> None:
        """Fill `arr` by the rule for its name.

        Parameters
        ----------
        desc : str or InitDesc
        arr : NDArray of any shape, of a floating dtype; of any dtype for constants

        Raises
        ------
        ArgumentError
            If the name fits no rule.
        DTypeError
            If `desc` is not a string.
        """
        if not isinstance(desc, str):
            raise DTypeError(
                f"{type(self).__name__} is called with the name of an array, not with"
                f" {a_type(desc)}, and with the array"
            )
        filled = arr.tostype("default") if arr._is_sparse else arr
        with drawing_alike():
            how = self._follow(desc, filled)
        if filled is not arr:
            arr[:] = filled
        if self._verbose:
            import logging

            logging.info("Initialized %s as %s: %s", desc, how, self._print_func(arr))

    def _follow(self, desc: str, arr: NDArray) -> str:
        """Fill `arr`, and return the name of the initializer that did."""
        chosen = None
        if isinstance(desc, InitDesc):
            desc.global_init = desc.global_init or self
            chosen = desc.attrs.get("__init__")
        if chosen:
            create(chosen)._init_weight(desc, arr)
            return chosen if isinstance(chosen, str) else type(chosen).__name__
        how, method = _rule(desc)
        getattr(self, method)(desc, arr)
        return how

    # ------------------------------------------------------------ what subclasses may define

    def _init_weight(self, name: str, arr: NDArray) -> None:
        raise NotImplementedError(f"{type(self).__name__} must define _init_weight(name, arr)")

    def _init_zero(self, name: str, arr: NDArray) -> None:
        arr[:] = 0

    def _init_one(self, name: str, arr: NDArray) -> None:
        arr[:] = 1

    _init_bias = _init_beta = _init_zero
    _init_gamma = _init_one

    def _init_bilinear(self, name: str, arr: NDArray) -> None:
        create("bilinear")._init_weight(name, arr)

    def _init_loc_bias(self, name: str, arr: NDArray) -> None:
        """Fill with the identity, as an affine map of the plane."""
        arr[:] = np.array([1, 0, 0, 0, 1, 0])

    def _init_default(self, name: str, arr: NDArray) -> None:
        raise ArgumentError(
            f"cannot choose how to initialize {str(name)!r}: its name does not end in weight,"
            " bias, gamma or beta. Pass an initializer for it, as in"
            " params.get(name, init='zeros'); the inputs and labels of a Module are no parameters,"
            " so name them in its data_names and label_names"
        )

    def __repr__(self) -> str:
        settings = (f"{name}={value!r}" for name, value in self._kwargs.items())
        return f"{type(self).__name__}({', '.join(settings)})"

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self._kwargs == other._kwargs

    __hash__: Callable[[Any], int] = object.__hash__  # type: ignore[assignment]


#: What layers and parameters take as an initializer.
InitLike = Initializer | str | type[Initializer] | None

#: Maps the end of a name to the method that fills an array with that name.
RULES = {
    "weight": "_init_weight",
    "bias": "_init_bias",
    "gamma": "_init_gamma",
    "beta": "_init_beta",
    "min": "_init_zero",
    "max": "_init_one",
    "running_mean": "_init_zero",
    "moving_mean": "_init_zero",
    "moving_inv_var": "_init_zero",
    "moving_avg": "_init_zero",
    "running_var": "_init_one",
    "moving_var": "_init_one",
}


def _rule(name: str) -> tuple[str, str]:
    """Return the rule that matches a name, and its method; plain strings also match by prefix."""
    if not isinstance(name, InitDesc):
        if name.startswith("upsampling"):
            return "upsampling", "_init_bilinear"
        if name.startswith("stn_loc") and name.endswith(("weight", "bias")):
            return "stn_loc", "_init_zero" if name.endswith("weight") else "_init_loc_bias"
    return next(
        ((ending, method) for ending, method in RULES.items() if name.endswith(ending)),
        ("default", "_init_default"),
    )


#: How the names of other libraries begin, and what gluon calls their initializers.
ELSEWHERE = {"glorot": "xavier", "he": "msraprelu", "kaiming": "msraprelu", "random": "uniform"}
#: Every initializer by the lower-case names that `create` takes.
REGISTRY = Registry(Initializer, "initializer", ELSEWHERE)
register: Final = REGISTRY.register
alias: Final = REGISTRY.alias


def create(initializer: Any, *args: Any, **kwargs: Any) -> Any:
    """Create an initializer from its name or from the output of `Initializer.dumps`.

    Parameters
    ----------
    initializer : str or Initializer
    *args, **kwargs
        Settings of the initializer.

    Returns
    -------
    Initializer

    Raises
    ------
    ArgumentError
        If no initializer has that name, or settings are given together with an `Initializer`.
    DTypeError
        If it is neither a name nor an `Initializer`.

    Examples
    --------
    >>> from gluon import init
    >>> init.create("normal", sigma=0.1).dumps()
    '["normal", {"sigma": 0.1}]'
    """
    return REGISTRY.create(initializer, *args, **kwargs)


def check(*initializers: Any) -> None:
    """Raise unless each is an initializer, or given like one."""
    for one in initializers:
        if isinstance(one, Context):
            raise DTypeError(f"initialize: init is the context {one}; pass it as ctx=")
        if isinstance(one, (Array, np.ndarray)):
            raise DTypeError(
                f"initialize: init is {a_type(one)}; pass init.Constant(values), or call"
                " set_data(values) after initialize()"
            )
        if not isinstance(one, Initializer):
            create(one)  # raises if there is none of this name
