"""The import hook: while it is installed, ``import mxnet`` and all its modules are gluon's."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.util import spec_from_file_location
from pathlib import Path
from types import ModuleType

from .._core.arrays import context
from .._core.arrays.laxness import lax
from .._core.errors import GluonError
from .._core.kernels import generator
from .._hook.change import Change
from .._hook.finder import Finder
from . import gpu, ignored, old_numpy, old_python
from .members import MEMBERS, stand_in
from .modules import ROOT, TABLES

#: Compares as a release of MXNet; the local part identifies gluon.
VERSION = "1.9.1+gluon"
#: The folder that subprocesses have in their PYTHONPATH.
FOLDER = str(Path(__file__).parent / "pythonpath")
#: Passes the options of `install` to subprocesses.
OPTIONS = "GLUON_MXNET_OPTIONS"


HOROVOD = "horovod"
HOROVOD_NAMES = (HOROVOD, f"{HOROVOD}.mxnet")
HINT = "horovod.mxnet is gluon.mxnet.horovod"


def horovod_modules() -> dict[str, ModuleType]:
    """The modules that stand for Horovod's."""
    package = ModuleType(HOROVOD, HINT)
    package.__path__ = []
    vars(package)["mxnet"] = import_module(f"{__package__}.horovod")
    return dict(zip(HOROVOD_NAMES, (package, vars(package)["mxnet"])))


class Installed(Change):
    """The changes that `install` made and `uninstall` undoes."""

    stand_in = staticmethod(stand_in)

    def __init__(self, old_names: bool) -> None:
        super().__init__(TABLES, FOLDER, MEMBERS)
        root = self.modules[ROOT]
        root.__dict__["__version__"] = VERSION
        root.__file__ = os.path.join(FOLDER, ROOT, "__init__.py")
        root.__path__ = []
        root.__spec__ = spec_from_file_location(ROOT, root.__file__)
        self.old_names = old_names

    def apply(self) -> None:
        """Change the running Python."""
        super().apply()
        self.set(vars(context), "unavailable", gpu.host_or_error)
        for permission in vars(lax):
            self.set(vars(lax), permission, True)
        self.set(vars(generator), "by_rank", False)
        self.undo.append(ignored.offer())
        self._offer_horovod()
        if self.old_names:
            self.undo += [old_numpy.offer(), old_python.offer()]

    def _offer_horovod(self) -> None:
        """Let ``import horovod.mxnet`` find `gluon.mxnet.horovod`."""
        finder = Finder(HOROVOD, horovod_modules, lambda name: f"gluon has no {name}; {HINT}")
        sys.meta_path.insert(0, finder)
        self.undo.append(lambda: sys.meta_path.remove(finder))
        self.undo.append(lambda: [sys.modules.pop(name, None) for name in HOROVOD_NAMES])

    def child_environment(self) -> dict[str, str]:
        """Return the environment variables that install the hook in subprocesses."""
        options = "old_numpy" if self.old_names else ""
        return {**super().child_environment(), OPTIONS: options}


_state: list[Installed] = []


def install(old_numpy: bool = False) -> None:
    """Make ``import mxnet``, and every module of MXNet 1.9.1, find gluon.

    Subprocesses get the hook too. A second call only changes `old_numpy`, from False to True.

    Parameters
    ----------
    old_numpy : bool, default False
        Also restore names that NumPy had at the time of MXNet, ``np.bool``, ``np.int``,
        ``np.asscalar`` and others, and Python those of its standard library: ``time.clock``,
        ``collections.Iterable``, ``inspect.getargspec``, ``distutils.version`` and others.

    Raises
    ------
    GluonError
        If another ``mxnet`` was imported before.

    Examples
    --------
    >>> import gluon.mxnet
    >>> with gluon.mxnet.installed():
    ...     import mxnet as mx
    ...     from mxnet.gluon import nn
    >>> mx.nd.ones((2,)) + 1
    <BLANKLINE>
    [2. 2.]
    <NDArray 2 @cpu(0)>
    >>> nn.Dense is gluon.nn.Dense
    True
    """
    if _state:
        if old_numpy and not _state[0].old_names:
            uninstall()
            install(old_numpy=True)
        return
    real = sys.modules.get(ROOT)
    if real is not None:
        raise GluonError(
            f"mxnet is imported already, from {getattr(real, '__file__', None)};"
            " call gluon.mxnet.install() before that"
        )
    change = Installed(old_numpy)
    _state.append(change)
    try:
        change.apply()
    except BaseException:
        uninstall()
        raise


def uninstall() -> None:
    """Undo `install`: ``import mxnet`` finds an installed MXNet, or fails.

    Examples
    --------
    >>> import gluon.mxnet
    >>> gluon.mxnet.install()
    >>> gluon.mxnet.uninstall()
    """
    if _state:
        _state.pop().revert()


@contextmanager
def installed(old_numpy: bool = False) -> Iterator[None]:
    """Install the hook for a ``with`` block; if it was installed before, it stays installed.

    Parameters
    ----------
    old_numpy : bool, default False
        As for `install`.

    Returns
    -------
    context manager

    Raises
    ------
    GluonError
        If MXNet itself was imported before.

    Examples
    --------
    >>> import gluon.mxnet
    >>> with gluon.mxnet.installed():
    ...     import mxnet as mx
    >>> mx.nd.ones((2,)).asnumpy()
    array([1., 1.], dtype=float32)
    """
    outer = bool(_state)
    install(old_numpy)
    try:
        yield
    finally:
        if not outer:
            uninstall()


def inherit() -> None:
    """Install the hook in a subprocess, whose ``import mxnet`` found the folder of this one."""
    if not _state:
        sys.modules.pop(ROOT, None)
        install(old_numpy="old_numpy" in os.environ.get(OPTIONS, ""))
    sys.modules[ROOT] = _state[0].modules[ROOT]
