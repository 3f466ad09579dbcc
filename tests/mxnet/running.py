"""Running programs in a Python of their own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HOOKED = ("-m", "gluon.mxnet")
#: Variables that belong to the tests themselves: a program may run tests of its own.
INHERITED = ("GLUON_", "PYTEST_")


def python(
    *arguments: object,
    cwd: Path | None = None,
    path: tuple = (),
    timeout: float = 300,
    **variables: str,
) -> subprocess.CompletedProcess:
    """Run Python for at most `timeout` seconds, gluon and the folders of `path` in reach."""
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith(INHERITED)},
        "PYTHONPATH": os.pathsep.join(map(str, [*path, ROOT])),
        "OPENBLAS_NUM_THREADS": "1",
        **variables,
    }
    words = [sys.executable, *map(str, arguments)]
    return subprocess.run(
        words, cwd=cwd, env=environment, capture_output=True, text=True, timeout=timeout
    )
