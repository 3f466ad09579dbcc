"""Compiled kernels, where a C compiler was found when gluon was installed.

`choose` is all that the rest of gluon knows of them: it is asked once for each operator, when the
operator table is read. Each family has a C file, which computes, and a Python file of the same
name, which says what arrays the C code takes; everything else is left to the plain kernel.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from .loading import KEEPS_MEMORY as KEEPS_MEMORY
from .loading import LEAST, library, operation
from .loading import SHARES_THREADS as SHARES_THREADS
from .loading import status as status

if library is not None:
    from . import activation as activation
    from . import boxes as boxes
    from . import conv as conv
    from . import copy as copy
    from . import decompose as decompose
    from . import elementwise as elementwise
    from . import image as image
    from . import indexing as indexing
    from . import layout as layout
    from . import libsvm as libsvm
    from . import linalg as linalg
    from . import normalization as normalization
    from . import optimizer as optimizer
    from . import pool as pool
    from . import random as random
    from . import reduce as reduce
    from . import resample as resample
    from . import rnn as rnn
    from . import roi as roi
    from . import scan as scan
    from . import sequence as sequence
    from . import sparse as sparse
    from . import warp as warp

from .stand_ins import SMALL, STAND_INS, STRIDED

#: Whether compiled kernels are used; `status` tells which, or why not.
is_active: bool = library is not None


def chooser(plain: Callable, other: Callable, kind: type) -> Callable:
    """``plain(*inputs)``, but ``other(*inputs)`` where an input is a `kind`, or a list of some."""
    if library is not None and hasattr(library, "Choose"):
        return library.Choose(plain, other, kind)

    def choose(*inputs: Any, **attributes: Any) -> Any:
        for x in inputs:
            if type(x) is kind or (type(x) in (list, tuple) and any(type(y) is kind for y in x)):
                return other(*inputs, **attributes)
        return plain(*inputs, **attributes)

    return choose


def choose(name: str, plain: Callable) -> Callable:
    """The kernel to use for the operator `name`: `plain`, or a compiled one in its place.

    A compiled kernel takes what `plain` takes, gives what it gives, and calls it for what it was
    not written for.
    """
    if library is None:
        return plain
    if name in library.OPERATIONS:
        return operation(name, plain)
    stand_in = STAND_INS.get(name)
    if stand_in is None:
        return plain
    least = min(LEAST, SMALL.get(name, LEAST))
    return library.Large(plain, partial(stand_in, plain), least, name in STRIDED)
