"""Find the public names of a module."""

from __future__ import annotations

import sys
from inspect import ismodule


def public_names(module: str, *others: str) -> list[str]:
    """The names of a module for its ``__all__``, without listing a second time what it imports.

    Parameters
    ----------
    module : str
        The ``__name__`` of the module.
    *others : str
        Those of the modules in it that are for users, and names with an underscore that are.

    Returns
    -------
    list of str
        In order, without other modules, and without other names that begin with an underscore.
    """
    found = vars(sys.modules[module]).items()
    names = {name for name, value in found if name[0] != "_" and not ismodule(value)}
    return sorted(names.union(others))
