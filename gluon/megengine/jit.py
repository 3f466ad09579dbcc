"""Tracing, which has no effect: functions run operator by operator."""

from __future__ import annotations

from contextlib import nullcontext
from functools import update_wrapper
from typing import TYPE_CHECKING, Any

from .absent import missing

__all__ = ["exclude_from_trace", "trace"]


class trace:
    """Runs a function unchanged on every call.

    Parameters
    ----------
    function : callable, optional
        Not given in ``@trace(symbolic=True)``.
    **options
        MegEngine's options; ignored.

    Examples
    --------
    >>> @trace(symbolic=True)
    ... def double(x):
    ...     return 2 * x
    >>> double(4)
    8
    """

    def __new__(cls, function: Any = None, **options: Any) -> Any:
        """Return a traced function, or a decorator."""
        if function is None:
            return lambda later: cls(later, **options)
        return super().__new__(cls)

    def __init__(self, function: Any = None, **options: Any) -> None:
        self._function = function
        update_wrapper(self, function)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call the function."""
        return self._function(*args, **kwargs)

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return self if instance is None else self._function.__get__(instance, owner)

    def dump(self, *args: Any, **kwargs: Any) -> None:
        """Raise an error: gluon does not write models in MegEngine's format.

        Parameters
        ----------
        *args, **kwargs
            MegEngine's.

        Examples
        --------
        >>> from gluon.megengine import jit
        >>> try:
        ...     jit.trace(lambda x: x).dump("model.mge")
        ... except NotImplementedError:
        ...     print("save a state_dict instead")
        save a state_dict instead
        """
        raise NotImplementedError(
            "trace.dump writes MegEngine's own model files, which is out of scope; save the"
            " state_dict of the module by megengine.save"
        )


def exclude_from_trace() -> Any:
    """Context manager without effect.

    Examples
    --------
    >>> with exclude_from_trace():
    ...     pass
    """
    return nullcontext()


if not TYPE_CHECKING:  # which looks missing names up itself
    __getattr__ = missing("jit", __all__)
