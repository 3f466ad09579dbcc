"""Initializers that choose values by the name of an array."""

from __future__ import annotations

from typing import Any

from .._core.errors import ArgumentError, DTypeError
from .._core.hints.lookup import compiled
from ..nd import NDArray
from ..nd.files import load
from .base import Initializer, create, register


@register
class Mixed(Initializer):
    """Chooses one of several initializers by the name of the array.

    It uses the first initializer whose pattern matches the start of the name. That one applies its
    own rules by name, so that a name ending in ``bias`` is filled with zeros, unless `Mixed` is
    the initializer of a parameter, as in ``net.initialize(Mixed(...))``.

    Parameters
    ----------
    patterns : list of str
        Regular expressions.
    initializers : list of Initializer or str
        One for each pattern.

    Raises
    ------
    ArgumentError
        If their numbers differ.

    Examples
    --------
    >>> from gluon import init, nn
    >>> net = nn.Dense(2, in_units=2, prefix="out_", bias_initializer=None)
    >>> net.initialize(init.Mixed([".*bias", ".*"], [init.Constant(3), init.One()]))
    >>> net.bias.data().asnumpy(), net.weight.data().asnumpy()[0]
    (array([3., 3.], dtype=float32), array([1., 1.], dtype=float32))
    """

    def __init__(self, patterns: list[str], initializers: list[Any]) -> None:
        patterns, initializers = list(patterns), [create(one) for one in initializers]
        if len(patterns) != len(initializers):
            raise ArgumentError(
                f"Mixed: {len(patterns)} patterns but {len(initializers)} initializers; give the"
                " same number of each"
            )
        super().__init__(patterns=patterns, initializers=[one.dumps() for one in initializers])
        self.map = [
            (compiled("Mixed", "patterns", one), init) for one, init in zip(patterns, initializers)
        ]

    def __call__(self, name: str, arr: NDArray) -> None:
        """Fill `arr` with the initializer whose pattern matches.

        Parameters
        ----------
        name : str or InitDesc
        arr : NDArray of any shape, of a floating dtype; of any dtype for constants

        Raises
        ------
        ArgumentError
            If no pattern matches.
        """
        if getattr(name, "attrs", {}).get("__init__"):
            super().__call__(name, arr)
        else:
            self._find(name)(name, arr)

    def _init_weight(self, name: str, arr: NDArray) -> None:
        self._find(name)._init_weight(name, arr)

    def _find(self, name: str) -> Initializer:
        for pattern, init in self.map:
            if pattern.match(name):
                return init
        patterns = ", ".join(repr(pattern.pattern) for pattern, _ in self.map)
        raise ArgumentError(
            f"Mixed: {str(name)!r} matches none of {patterns}; add '.*' with the initializer of all"
            " others"
        )


class Load(Initializer):
    """Copies saved values by the name of the array.

    Parameters
    ----------
    param : str or dict of str to NDArray of the shapes of the parameters, of any dtype
        A file, or the arrays. The prefixes ``arg:`` and ``aux:`` of names are removed.
    default_init : Initializer, optional
        For arrays that were not saved.
    verbose : bool, default False
        Log, at the level INFO, which arrays were saved and which were not.

    Raises
    ------
    ArgumentError
        If the file holds arrays without names.
    DTypeError
        If `param` is neither of these.

    Examples
    --------
    >>> from gluon import init, nd
    >>> saved = init.Load({"arg:x": nd.array([1, 2])}, default_init=init.One())
    >>> x, y = nd.zeros((2,)), nd.zeros((2,))
    >>> saved("x", x), saved("y_weight", y)
    (None, None)
    >>> x.asnumpy(), y.asnumpy()
    (array([1., 2.], dtype=float32), array([1., 1.], dtype=float32))
    """

    default_init: Any | None
    param: dict[Any, Any]

    def __init__(self, param: Any, default_init: Any = None, verbose: bool = False) -> None:
        super().__init__()
        if not isinstance(param, (str, dict)):
            raise DTypeError(f"Load takes a file or a dict of arrays, not {type(param).__name__}")
        found: Any = load(param) if isinstance(param, str) else param
        if not isinstance(found, dict):
            raise ArgumentError(f"Load: {param} holds arrays without names")
        self.param = {
            name.removeprefix("arg:").removeprefix("aux:"): one for name, one in found.items()
        }
        self.default_init = default_init if default_init is None else create(default_init)
        self.verbose = verbose

    def dumps(self) -> str:
        """Raise an error: there is no JSON for arrays.

        Raises
        ------
        ArgumentError
            Always.
        """
        raise ArgumentError("Load: dumps() is unsupported, since arrays cannot be written as JSON")

    def __call__(self, name: str, arr: NDArray) -> None:
        """Fill `arr` with the values saved under its name.

        Parameters
        ----------
        name : str
        arr : NDArray of any shape, of a floating dtype; of any dtype for constants

        Raises
        ------
        ArgumentError
            If no array was saved under that name and there is no default, or the shapes differ.
        """
        self._fill(name, arr, lambda init: init(name, arr))

    def _init_weight(self, name: str, arr: NDArray) -> None:
        self._fill(name, arr, lambda init: init._init_weight(name, arr))

    def _fill(self, name: str, arr: NDArray, otherwise: Any) -> None:
        saved = self.param.get(name)
        if saved is not None:
            if saved.shape != arr.shape:
                raise ArgumentError(
                    f"Load: {str(name)!r} has shape {arr.shape}, but the saved array has"
                    f" {saved.shape}"
                )
            arr[:] = saved
        elif self.default_init is not None:
            otherwise(self.default_init)
        else:
            raise ArgumentError(
                f"Load: no array was saved for {str(name)!r}, only for {', '.join(self.param)};"
                " give default_init for the rest"
            )
        if self.verbose:
            import logging

            logging.info("Initialized %s by %s", name, "default" if saved is None else "loading")
