"""`Registry`: classes by name, for `create` functions."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from .engine.errors import ArgumentError, DTypeError


class Registry(dict[str, type]):
    """The subclasses of `base` by the names that `create` takes, in lower case.

    Parameters
    ----------
    base : type
    noun : str
        What they are called in messages, such as ``metric``: also the key of the name in JSON.

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

    def __init__(self, base: type, noun: str) -> None:
        super().__init__()
        self.base, self.noun = base, noun

    def register(self, cls: type, name: str | None = None) -> type:
        """Make a class known to `create` under its name; a class decorator.

        Parameters
        ----------
        cls : type
        name : str, optional
            Another name than the class has.

        Returns
        -------
        type
            The class.

        Raises
        ------
        DTypeError
            If it does not derive from `base`.
        """
        if not (isinstance(cls, type) and issubclass(cls, self.base)):
            raise DTypeError(f"register takes a subclass of {self.base.__name__}, not {cls!r}")
        self[(name or cls.__name__).lower()] = cls
        return cls

    def alias(self, *aliases: str) -> Callable[[type], type]:
        """Make a class known to `create` under more names; a class decorator.

        Parameters
        ----------
        *aliases : str

        Returns
        -------
        callable
            The decorator.
        """

        def add(cls: type) -> type:
            for name in aliases:
                self.register(cls, name)
            return cls

        return add

    def create(self, given: Any, *args: Any, **kwargs: Any) -> Any:
        """An object of a class, or `given` as it is if it is one.

        Parameters
        ----------
        given : str, dict or object
            The name of a class; the JSON ``[name, settings]``; or settings with the name among
            them, under `noun`, as a dict or in JSON.
        *args, **kwargs
            What the class takes.

        Returns
        -------
        object

        Raises
        ------
        ArgumentError
            If no class has that name, or there are arguments and nothing is made.
        DTypeError
            If `given` is none of these.
        """
        if isinstance(given, str) and given[:1] in ("[", "{"):
            given = json.loads(given)
            if isinstance(given, list):
                given, settings = given
                return self.create(given, **settings)
        if isinstance(given, dict):
            settings = dict(given)
            return self.create(settings.pop(self.noun, None), **settings)
        if isinstance(given, self.base):
            if args or kwargs:
                raise ArgumentError(
                    f"a {type(given).__name__} is made already and takes no further arguments;"
                    f" give the name of the {self.noun} with them"
                )
            return given
        if isinstance(given, type) and issubclass(given, self.base):
            return given(*args, **kwargs)
        if not isinstance(given, str):
            raise DTypeError(
                f"the {self.noun} is given by its name or as {self.base.__name__}, not as"
                f" {type(given).__name__}"
            )
        if given.lower() not in self:
            raise ArgumentError(
                f"no {self.noun} is called {given!r}; there are {', '.join(sorted(self))}"
            )
        return self[given.lower()](*args, **kwargs)
