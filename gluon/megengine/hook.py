"""The import hook: while it is installed, ``import megengine`` and all its modules are gluon's."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from types import ModuleType

from ..engine.errors import GluonError
from ..hook.finder import Finder, other_paths
from .absent import explained

ROOT = "megengine"
PACKAGE = __name__.rpartition(".")[0]
#: The folder that subprocesses have in their PYTHONPATH.
FOLDER = str(Path(__file__).parent / "pythonpath")
#: Modules of MegEngine that have another name here.
OTHERS = {
    "gluon.autodiff.grad_manager": ("autodiff.grad_manager",),
    f"{PACKAGE}.data.dataloader": ("data.collator",),
    f"{PACKAGE}.distributed": ("distributed.group", "distributed.helper"),
    f"{PACKAGE}.functional.distributed": ("distributed.functional",),
    f"{PACKAGE}.jit": ("jit.tracing",),
    f"{PACKAGE}.module.layers": tuple(f"module.{name}" for name in ("conv", "embedding", "linear")),
    f"{PACKAGE}.module.normalization": ("module.batchnorm",),
    f"{PACKAGE}.module.plain": tuple(
        f"module.{name}"
        for name in (
            "activation adaptive_pooling concat dropout elemwise identity padding pixel_shuffle"
            " pooling sequential sliding_window"
        ).split()
    ),
    f"{PACKAGE}.optimizer.rules": tuple(
        f"optimizer.{name}" for name in ("adadelta", "adagrad", "adam", "adamw", "sgd")
    ),
    f"{PACKAGE}.optimizer.schedule": tuple(
        f"optimizer.{name}" for name in ("clip_grad", "lr_scheduler", "multi_step_lr")
    ),
    f"{PACKAGE}.random": ("random.rng",),
}


def modules() -> dict[str, ModuleType]:
    """The modules of MegEngine, by their names there."""
    found = {
        ROOT + name.removeprefix(PACKAGE): module
        for name, module in list(sys.modules.items())
        if name == PACKAGE or name.startswith(f"{PACKAGE}.")
    }
    for name, others in OTHERS.items():
        found |= {f"{ROOT}.{other}": import_module(name) for other in others}
    return found


def _explained(name: str) -> str:
    """Why there is no module of this name."""
    parent, _, last = name.removeprefix(f"{ROOT}.").rpartition(".")
    return explained(parent, last, modules())


_finder = Finder(ROOT, modules, _explained)


def install() -> None:
    """Make ``import megengine``, and its modules, find gluon; in subprocesses as well.

    Raises
    ------
    GluonError
        If another ``megengine`` was imported before.

    Examples
    --------
    >>> import gluon.megengine
    >>> with gluon.megengine.installed():
    ...     import megengine as mge
    ...     import megengine.functional as F
    >>> F.sqrt(mge.Tensor([4.0]))
    Tensor([2.], device=xpux:0)
    """
    if _finder in sys.meta_path:
        return
    real = sys.modules.get(ROOT)
    if real is not None:
        raise GluonError(
            f"megengine is imported already, from {getattr(real, '__file__', None)};"
            " call gluon.megengine.install() before that"
        )
    sys.modules.update(modules())
    sys.meta_path.insert(0, _finder)
    _set_path([FOLDER, *other_paths(FOLDER)])


def uninstall() -> None:
    """Take back what `install` did: ``import megengine`` finds an installed one, or nothing.

    Examples
    --------
    >>> import gluon.megengine
    >>> gluon.megengine.uninstall()
    """
    if _finder not in sys.meta_path:
        return
    sys.meta_path.remove(_finder)
    for name in [one for one in sys.modules if one.partition(".")[0] == ROOT]:
        del sys.modules[name]
    _set_path(other_paths(FOLDER))


@contextmanager
def installed() -> Iterator[None]:
    """Install the hook for a ``with`` block; inside another one, nothing changes at its end.

    Returns
    -------
    context manager

    Raises
    ------
    GluonError
        If MegEngine itself was imported before.

    Examples
    --------
    >>> import gluon.megengine
    >>> with gluon.megengine.installed():
    ...     import megengine
    >>> megengine.Tensor is gluon.megengine.Tensor
    True
    """
    outer = _finder in sys.meta_path
    install()
    try:
        yield
    finally:
        if not outer:
            uninstall()


def inherit() -> None:
    """Install the hook in a subprocess, whose ``import megengine`` found the folder of this one."""
    sys.modules.pop(ROOT, None)
    install()


def _set_path(paths: list[str]) -> None:
    if paths:
        os.environ["PYTHONPATH"] = os.pathsep.join(paths)
    else:
        os.environ.pop("PYTHONPATH", None)
