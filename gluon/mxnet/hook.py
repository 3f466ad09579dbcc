"""The import hook: while it is installed, ``import mxnet`` and all its modules are gluon's."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

from ..engine.errors import GluonError
from ..hook.errors import error_for
from ..hook.finder import Finder, other_paths
from ..ndarray import context
from . import gpu, old_numpy, old_python
from .missing import explain
from .modules import ROOT, located, made, reason_for
from .table import NAMES

#: A release of MXNet in every comparison of versions; the rest tells that it is gluon.
VERSION = "1.9.1+gluon"
#: The folder that subprocesses have in their PYTHONPATH.
FOLDER = str(Path(__file__).parent / "pythonpath")
#: Tells subprocesses which options to install with.
OPTIONS = "GLUON_MXNET_OPTIONS"


class Installed:
    """What `install` changed, so that `uninstall` can take it back."""

    def __init__(self, old_names: bool) -> None:
        self.modules = made()
        root = self.modules[ROOT]
        root.__dict__["__version__"] = VERSION
        root.__file__ = os.path.join(FOLDER, ROOT, "__init__.py")
        root.__path__ = []
        root.__spec__ = spec_from_file_location(ROOT, root.__file__)
        self.finder = Finder(ROOT, lambda: self.modules, self._explained)
        self.undo: list[Callable[[], Any]] = []
        self.old_names = old_names

    def apply(self) -> None:
        """Change the running Python."""
        sys.meta_path.insert(0, self.finder)
        self.undo.append(lambda: sys.meta_path.remove(self.finder))
        sys.modules.update(self.modules)
        self.undo.append(self._forget_modules)
        answered: set[int] = set()
        for path, module in self.modules.items():
            if id(module) not in answered:
                answered.add(id(module))
                self._set(module.__dict__, "__getattr__", answer(path, module, self.modules))
        self._set(vars(context), "unavailable", gpu.host_or_error)
        for name, value in child_environment(self.old_names).items():
            self._set(os.environ, name, value)
        # Multiprocessing hands the path to what it spawns; the first place is the script's own.
        sys.path.insert(min(1, len(sys.path)), FOLDER)
        self.undo.append(self._shorten_path)
        if self.old_names:
            self.undo += [old_numpy.offer(), old_python.offer()]

    def revert(self) -> None:
        """Leave Python as it was."""
        while self.undo:
            self.undo.pop()()

    def _explained(self, name: str) -> str:
        """Why there is no module of this name."""
        parent = name.rpartition(".")[0]
        siblings = [one.rpartition(".")[2] for one in self.modules if one.startswith(parent)]
        return explain(name, reason_for(name), siblings)

    @staticmethod
    def _shorten_path() -> None:
        if FOLDER in sys.path:
            sys.path.remove(FOLDER)

    def _forget_modules(self) -> None:
        for name, module in self.modules.items():
            if sys.modules.get(name) is module:
                del sys.modules[name]

    def _set(self, mapping: Any, name: str, value: Any) -> None:
        if name in mapping:
            before = mapping[name]
            self.undo.append(lambda: mapping.update({name: before}))
        else:
            self.undo.append(lambda: mapping.pop(name, None))
        mapping[name] = value


_state: list[Installed] = []


def install(old_numpy: bool = False) -> None:
    """Make ``import mxnet``, and every module of MXNet 1.9.1, find gluon.

    It reaches the subprocesses of this one as well. A second call changes nothing but `old_numpy`,
    from False to True.

    Parameters
    ----------
    old_numpy : bool, default False
        Also give NumPy the names back that it had when MXNet was made, ``np.bool``, ``np.int``,
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
    change.apply()


def uninstall() -> None:
    """Take back what `install` did: ``import mxnet`` finds an installed MXNet, or nothing.

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
    """Install the hook for a ``with`` block; inside another one, nothing changes at its end.

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


def child_environment(old_names: bool) -> dict[str, str]:
    """The variables with which the hook reaches subprocesses."""
    found = os.pathsep.join([FOLDER, *other_paths(FOLDER)])
    return {"PYTHONPATH": found, OPTIONS: "old_numpy" if old_names else ""}


def answer(path: str, module: ModuleType, modules: dict[str, ModuleType]) -> Callable[[str], Any]:
    """The ``__getattr__`` of a module while the hook is installed."""
    original = vars(module).get("__getattr__")
    extra = NAMES.get(path.removeprefix(f"{ROOT}."), {})

    def __getattr__(name: str) -> Any:
        if name[:2] == "__":
            raise AttributeError(f"module {module.__name__!r} has no attribute {name!r}")
        if (child := modules.get(f"{path}.{name}")) is not None:
            return child
        value = located(extra[name], modules) if name in extra else None
        if value is not None:
            return value
        own = None
        if original is not None:
            try:
                return original(name)
            except AttributeError as error:
                own = str(error)
        what = f"{path}.{name}"
        reason = reason_for(what)
        message = explain(what, reason, dir(module)) if reason or not own else own
        raise error_for(sys._getframe(1), message, name)

    return __getattr__
