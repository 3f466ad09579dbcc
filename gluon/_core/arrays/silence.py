"""Operators do not warn of ``log(-1)`` or ``1 / 0``: a filter for NumPy's warnings from gluon."""

import warnings
from functools import cache


@cache
def silence_numpy() -> None:
    """Append the filter; called when an array is made, because an import changes no filters.

    All other filters take precedence over it. It matches only gluon's modules: warnings from the
    user's own NumPy code, and `numpy.seterr`, are not affected. `numpy.errstate` around each kernel
    instead would add over half to the time of an operator on a small array, and override `seterr`.
    """
    warnings.filterwarnings("ignore", ".* encountered in ", RuntimeWarning, r"gluon\.", append=True)
