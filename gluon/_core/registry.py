"""`Registry`: classes by name, for `create` functions, and MXNet's functions that use one."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any, Protocol, TypeVar

from .errors import ArgumentError, DTypeError, a_type

__all__ = ["Registry", "get_alias_func", "get_create_func", "get_register_func", "get_registry"]

K = TypeVar("K", bound=type)
#: The registry of each base class.
_registries: dict[type, Registry] = {}


class Registry(dict[str, type]):
    """The subclasses of `base` by the names that `create` takes, in lower case.

    Parameters
    ----------
    base : type
    noun : str
        The name of the kind in messages, such as ``metric``; also the key of the name in JSON.

    Examples
    --------
    >>> from gluon.registry import Registry
    >>> class Shape:
    ...     def __init__(self, sides=0):
    ...         self.sides = sides
    >>> shapes = Registry(Shape, "shape")
    >>> @shapes.register
    ... @shapes.alias("gon")
    ... class Polygon(Shape):
    ...     pass
    >>> [shapes.create(given).sides for given in ("polygon", '["gon", {"sides": 5}]', Shape(4))]
    [0, 5, 4]
    """

    base: type
    noun: str

    def __init__(self, base: type, noun: str, elsewhere: dict[str, str] | None = None) -> None:
        super().__init__()
        self.base, self.noun, self.elsewhere = base, noun, elsewhere or {}
        _registries[base] = self

    def register(self, klass: K, name: str | None = None) -> K:
        """Class decorator that registers a class for `create` under its name.

        Parameters
        ----------
        klass : type
        name : str, optional
            The name to register; that of the class by default.

        Returns
        -------
        type
            The class.

        Raises
        ------
        DTypeError
            If it does not derive from `base`.

        Examples
        --------
        >>> from gluon.registry import Registry
        >>> class Shape: pass
        >>> shapes = Registry(Shape, "shape")
        >>> @shapes.register
        ... class Square(Shape): pass
        >>> type(shapes.create("square")).__name__
        'Square'
        """
        if not (isinstance(klass, type) and issubclass(klass, self.base)):
            raise DTypeError(f"register takes a subclass of {self.base.__name__}, not {klass!r}")
        self[(name or klass.__name__).lower()] = klass
        return klass

    def alias(self, *aliases: str) -> Callable[[K], K]:
        """Class decorator that registers a class for `create` under more names.

        Parameters
        ----------
        *aliases : str

        Returns
        -------
        callable
            The decorator.

        Examples
        --------
        >>> from gluon.registry import Registry
        >>> class Shape: pass
        >>> shapes = Registry(Shape, "shape")
        >>> @shapes.alias("quad")
        ... class Square(Shape): pass
        >>> type(shapes.create("quad")).__name__
        'Square'
        """

        def add(klass: K) -> K:
            for name in aliases:
                self.register(klass, name)
            return klass

        return add

    def create(self, given: Any, *args: Any, **kwargs: Any) -> Any:
        """Create an object of a class; return `given` unchanged if it is one.

        Parameters
        ----------
        given : str, dict or object
            The name of a class; the JSON ``[name, settings]``; or settings with the name among
            them, under `noun`, as a dict or in JSON.
        *args, **kwargs
            Arguments of the class.

        Returns
        -------
        object

        Raises
        ------
        ArgumentError
            If no class has that name, or arguments are given together with an object.
        DTypeError
            If `given` is not one of these.
        """
        if isinstance(given, str) and given[:1] in ("[", "{"):
            given = self._parsed(given)
            if isinstance(given, list):
                return self.create(given[0], **given[1])
        if isinstance(given, dict):
            settings = dict(given)
            return self.create(settings.pop(self.noun, None), **settings)
        if isinstance(given, self.base):
            if args or kwargs:
                raise ArgumentError(
                    f"{a_type(given)} is made already and takes no further arguments;"
                    f" give the name of the {self.noun} with them"
                )
            return given
        if isinstance(given, type) and issubclass(given, self.base):
            return given(*args, **kwargs)
        if not isinstance(given, str):
            constant = isinstance(given, (int, float)) and "constant" in self
            raise DTypeError(
                f"the {self.noun} is given by its name or as {self.base.__name__}, not as"
                f" {type(given).__name__}" + f"; give Constant({given}) for this value" * constant
            )
        if given.lower() not in self:
            from difflib import get_close_matches

            first = given.lower().partition("_")[0]
            known = [self.elsewhere.get(first, first)] if first in {*self.elsewhere, *self} else []
            close = known or get_close_matches(given.lower(), self, 1)
            guess = f"did you mean {close[0]!r}? If not, " if close else ""
            raise ArgumentError(
                f"unknown {self.noun} {given!r}; {guess}choose one of {', '.join(sorted(self))}"
            )
        return self[given.lower()](*args, **kwargs)

    def _parsed(self, text: str) -> Any:
        """Parse the settings in JSON: a dict, or a list of a name and a dict."""
        import json

        try:
            found = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise ArgumentError(f"the {self.noun} {text!r} is not JSON: {error}") from None
        if isinstance(found, list) and [type(one) for one in found] != [str, dict]:
            raise ArgumentError(f"the {self.noun} {text!r} is not a list of a name and settings")
        return found


# ------------------------------------------------------------------------ MXNet's functions


class _Register(Protocol):
    """A decorator that registers a class, which keeps its type."""

    def __call__(self, klass: K, name: str | None = None) -> K: ...


def get_registry(base_class: type) -> dict[str, type]:
    """A copy of the classes registered for a base class, by name.

    Parameters
    ----------
    base_class : type

    Returns
    -------
    dict of str to type

    Examples
    --------
    >>> from gluon import registry
    >>> class Shape: pass
    >>> register = registry.get_register_func(Shape, "shape")
    >>> @register
    ... class Square(Shape): pass
    >>> list(registry.get_registry(Shape))
    ['square']
    """
    return dict(_registries.get(base_class, {}))


def get_register_func(base_class: type, nickname: str) -> _Register:
    """A class decorator that registers subclasses of a base class; see `Registry.register`.

    Parameters
    ----------
    base_class : type
    nickname : str
        The name of the kind in messages.

    Returns
    -------
    callable
        ``register(klass, name=None)``. It warns if the name is taken, and replaces the class.

    Examples
    --------
    >>> from gluon import registry
    >>> class Shape: pass
    >>> register = registry.get_register_func(Shape, "shape")
    >>> @register
    ... class Square(Shape): pass
    >>> create = registry.get_create_func(Shape, "shape")
    >>> type(create("square")).__name__
    'Square'
    """
    registry = _registry(base_class, nickname)

    def register(klass: K, name: str | None = None) -> K:
        key = (name or klass.__name__).lower()
        if key in registry:
            warnings.warn(
                f"New {nickname} {klass.__module__}.{klass.__name__} registered with name {key} is"
                f" overriding existing {nickname} {registry[key].__module__}."
                f"{registry[key].__name__}",
                stacklevel=2,
            )
        return registry.register(klass, name)

    return register


def get_alias_func(base_class: type, nickname: str) -> Callable[..., Callable[[K], K]]:
    """A class decorator that registers subclasses under more names; see `Registry.alias`.

    Parameters
    ----------
    base_class : type
    nickname : str
        The name of the kind in messages.

    Returns
    -------
    callable
        ``alias(*names)`` returns the decorator.

    Examples
    --------
    >>> from gluon import registry
    >>> class Shape: pass
    >>> register = registry.get_register_func(Shape, "shape")
    >>> alias = registry.get_alias_func(Shape, "shape")
    >>> @register
    ... @alias("quad", "box")
    ... class Square(Shape): pass
    >>> sorted(registry.get_registry(Shape))
    ['box', 'quad', 'square']
    """
    return _registry(base_class, nickname).alias


def get_create_func(base_class: type, nickname: str) -> Callable[..., Any]:
    """A function that creates objects of registered classes; see `Registry.create`.

    Parameters
    ----------
    base_class : type
    nickname : str
        The name of the kind in messages; also the keyword for the name of the class.

    Returns
    -------
    callable
        ``create(name, *args, **kwargs)``.

    Examples
    --------
    >>> from gluon import registry
    >>> class Shape: pass
    >>> register = registry.get_register_func(Shape, "shape")
    >>> @register
    ... class Square(Shape): pass
    >>> type(registry.get_create_func(Shape, "shape")("square")).__name__
    'Square'
    """
    registry = _registry(base_class, nickname)

    def create(*args: Any, **kwargs: Any) -> Any:
        return registry.create(*args, **kwargs) if args else registry.create(kwargs)

    return create


def _registry(base_class: type, nickname: str) -> Registry:
    return _registries[base_class] if base_class in _registries else Registry(base_class, nickname)
