"""The import hook: while it is installed, ``import megengine`` and all its modules are gluon's."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from .._core.errors import GluonError
from .._core.kernels import generator
from .._hook.change import Change
from .absent import ROOT, TABLES
from .members import MEMBERS

#: The folder that subprocesses have in their PYTHONPATH.
FOLDER = str(Path(__file__).parent / "pythonpath")
_state: list[Change] = []


def install() -> None:
    """Make ``import megengine``, and its modules, find gluon; in subprocesses as well.

    Examples
    --------
    >>> import gluon.megengine
    >>> with gluon.megengine.installed():
    ...     import megengine as mge
    ...     import megengine.functional as F
    >>> F.sqrt(mge.Tensor([4.0]))
    Tensor([2.], device=xpux:0)
    """
    if _state:
        return
    real = sys.modules.get(ROOT)
    if real is not None:
        raise GluonError(
            f"megengine is imported already, from {getattr(real, '__file__', None)};"
            " call gluon.megengine.install() before that"
        )
    change = Change(TABLES, FOLDER, MEMBERS)
    _state.append(change)
    try:
        change.apply()
        change.set(vars(generator), "by_rank", False)
    except BaseException:
        uninstall()
        raise


def uninstall() -> None:
    """Undo `install`: ``import megengine`` finds an installed MegEngine, or fails.

    Examples
    --------
    >>> import gluon.megengine
    >>> gluon.megengine.uninstall()
    """
    if _state:
        _state.pop().revert()


@contextmanager
def installed() -> Iterator[None]:
    """Install the hook for a ``with`` block; if it was installed before, it stays installed.

    Examples
    --------
    >>> import gluon.megengine
    >>> with gluon.megengine.installed():
    ...     import megengine
    >>> megengine.Tensor is gluon.megengine.Tensor
    True
    """
    outer = bool(_state)
    install()
    try:
        yield
    finally:
        if not outer:
            uninstall()


def inherit() -> None:
    """Install the hook in a subprocess, whose ``import megengine`` found the folder of this one."""
    if not _state:
        sys.modules.pop(ROOT, None)
        install()
    sys.modules[ROOT] = _state[0].modules[ROOT]
