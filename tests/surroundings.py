"""Prepare the process in which the tests run, however it was started.

Jobs in the background inherit ignored signals (`nohup python -m pytest &`), shells hand down
settings of other programs, and services have no home. The tests, and the programs they start, must
not notice.
"""

from __future__ import annotations

import os
import signal
import sys
import tempfile

#: Variables that change what gluon, Python, or a program that a test starts does.
_SETTINGS = (
    "CD_JOB",
    "CLICOLOR_FORCE",
    "COLUMNS",
    "CUDA_VISIBLE_DEVICES",
    "FORCE_COLOR",
    "LINES",
    "MKL_NUM_THREADS",
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "PYTHONDEVMODE",
    "PYTHONDONTWRITEBYTECODE",
    "PYTHONHASHSEED",
    "PYTHONINSPECT",
    "PYTHONIOENCODING",
    "PYTHONOPTIMIZE",
    "PYTHONPROFILEIMPORTTIME",
    "PYTHONSAFEPATH",
    "PYTHONTRACEMALLOC",
    "PYTHONVERBOSE",
    "PYTHONWARNINGS",
    "PYTHON_COLORS",
    "TQDM_DISABLE",
)
#: Kept: with them one run of the tests is about compiled kernels, another goes without.
_CHOSEN = ("GLUON_NATIVE", "GLUON_NATIVE_LEAST")
_PREFIXES = ("DMLC_", "GLUON_", "MEGENGINE_", "MGE_", "MXNET_", "PS_")
#: NumPy's BLAS reads it when it is loaded. Several processes test at once, with small matrices.
_SET = {"OPENBLAS_NUM_THREADS": "1", "MPLBACKEND": "Agg", "PYTHON_COLORS": "0"}
#: Ignored signals stay ignored in programs that are started. A hang-up stays as `nohup` wants it,
#: and Python itself ignores SIGPIPE.
_SIGNALS = ("SIGINT", "SIGTERM", "SIGCHLD", "SIGALRM", "SIGUSR1", "SIGUSR2", "SIGQUIT")


def settle() -> None:
    """Give the process the signals, the variables and the home that the tests expect."""
    for name in _SIGNALS:
        _default(getattr(signal, name, None))
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_SETMASK, ())
    for name in list(os.environ):
        if name in _SETTINGS or (name.startswith(_PREFIXES) and name not in _CHOSEN):
            del os.environ[name]
    os.environ.update(_SET)
    # The tests start hundreds of programs, each of which would compile the modules of gluon anew.
    sys.dont_write_bytecode = False
    _find_a_home()


def _default(number: signal.Signals | None) -> None:
    """Let an ignored signal do what it does by default; Python's interrupt is a default, too."""
    if number is not None and signal.getsignal(number) is signal.SIG_IGN:
        is_interrupt = number == signal.SIGINT
        signal.signal(number, signal.default_int_handler if is_interrupt else signal.SIG_DFL)


def _find_a_home() -> None:
    """Make sure that the home folder is writable; use an empty one if it is not."""
    home = os.path.expanduser("~")
    if not (os.path.isdir(home) and os.access(home, os.W_OK)):
        home = os.path.join(tempfile.gettempdir(), f"gluon-tests-{os.getpid()}")
        os.makedirs(home, exist_ok=True)
    os.environ["HOME"] = home
