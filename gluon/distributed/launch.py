"""Start processes from inside a program, by ``mpiexec``: ``launch(function, 4)``.

Each process runs `main`, which loads the function and writes its result to a file.
"""

from __future__ import annotations

import pickle
import runpy
import shutil
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Callable
from pathlib import Path
from pkgutil import resolve_name
from types import ModuleType
from typing import Any

from .._core.errors import ArgumentError, DistributedError, MissingPackageError
from .._core.mpi import groups as mpi

#: Options of Open MPI to start more processes than cores; other libraries need none.
MORE_THAN_CORES = ("--oversubscribe", "--allow-run-as-root")


def launch(function: Callable[..., Any], size: int, *args: Any, **kwargs: Any) -> list[Any]:
    """Run a function in `size` new processes of this machine, which form one MPI job.

    Parameters
    ----------
    function : callable
        It must be defined at the top level of a module or script, so that it can be imported.
    size : int
        The number of processes.
    *args, **kwargs
        The arguments of the function, sent by pickle.

    Returns
    -------
    list
        The return value of the function on each rank, sent by pickle.

    Raises
    ------
    DistributedError
        If a process failed; the message has the traceback of the first.
    MissingPackageError
        If ``mpiexec`` is not installed.
    ArgumentError
        If the function cannot be imported, or `size` is less than 1.

    Examples
    --------
    >>> from gluon.distributed import launch
    >>> launch(max, 1, 3, 4)
    [4]
    """
    if size < 1:
        raise ArgumentError(f"launch: size={size}; give 1 or more")
    if size == 1:
        return [function(*args, **kwargs)]
    home = sys.modules.get(function.__module__)
    script = getattr(home, "__file__", None) if function.__module__ == "__main__" else None
    if "<" in function.__qualname__ or (function.__module__ == "__main__" and not script):
        raise ArgumentError(
            f"launch: {function.__qualname__} cannot be imported by other processes; define it at"
            " the top of a module or of the script"
        )
    with tempfile.TemporaryDirectory() as folder:
        job = (script, function.__module__, function.__qualname__, sys.path, sys.argv)
        Path(folder, "job").write_bytes(pickle.dumps((job, args, kwargs)))
        program = f"import sys; from {__name__} import main; sys.exit(main(sys.argv[1]))"
        command = [*mpiexec(), "-n", str(size), sys.executable, "-c", program, folder]
        ended = subprocess.run(command, check=False)
        return _results(Path(folder), size, ended.returncode)


def mpiexec() -> list[str]:
    """The command that starts MPI jobs on this machine, with more processes than cores."""
    beside = Path(sys.executable).with_name("mpiexec")
    found = str(beside) if beside.exists() else shutil.which("mpiexec")
    if not found:
        raise MissingPackageError(
            'launch: found no mpiexec; pip install "gluon-autograd[mpi]", or install another MPI'
        )
    version = subprocess.run([found, "--version"], capture_output=True, text=True, check=False)
    is_open_mpi = any(name in version.stdout for name in ("Open MPI", "OpenRTE", "PRRTE", "prte"))
    return [found, *(MORE_THAN_CORES if is_open_mpi else ())]


def _results(folder: Path, size: int, code: int) -> list[Any]:
    found: list[Any] = []
    for rank in range(size):
        file = folder / f"result{rank}"
        is_fine, value = pickle.loads(file.read_bytes()) if file.exists() else (True, None)
        if not is_fine:
            raise DistributedError(f"launch: rank {rank} failed:\n{value}")
        found.append((file.exists(), value))
    absent = [rank for rank, (is_there, _) in enumerate(found) if not is_there]
    if absent:
        raise DistributedError(
            f"launch: the ranks {absent} ended without a result, mpiexec with code {code}"
        )
    return [value for _, value in found]


def _function(script: str | None, module: str, name: str) -> Any:
    """Return the function of a job; run its script as ``__mp_main__``, as multiprocessing does."""
    if script:
        main = ModuleType("__mp_main__")
        main.__dict__.update(runpy.run_path(script, run_name="__mp_main__"))
        sys.modules["__main__"] = sys.modules["__mp_main__"] = main
    found = resolve_name(f"{module}:{name}")
    return getattr(found, "__wrapped__", found)


def main(path: str) -> int:
    """Run the function of the job in a folder; return the exit code."""
    folder = Path(path)
    (job, args, kwargs) = pickle.loads((folder / "job").read_bytes())
    script, module, name, sys.path, sys.argv = job
    rank, code = mpi.world().rank, 0
    try:
        result = (True, _function(script, module, name)(*args, **kwargs))
    except BaseException:
        result, code = (False, traceback.format_exc()), 1
    (folder / f"result{rank}").write_bytes(pickle.dumps(result))
    if code and mpi.world().comm:
        mpi.world().comm.Abort(code)
    return code
