"""Run the programs of `claims.py`, each in a process of its own: some of them crash."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

CLAIMS_FILE = Path(__file__).parent / "claims.py"
ROOT = Path(__file__).resolve().parents[2]


def start(python: str, *arguments: str) -> subprocess.CompletedProcess:
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    environment.pop("PYTHONPATH", None)
    if "gluon" in arguments:
        environment["PYTHONPATH"] = str(ROOT)  # this one, installed or not
    command = [python, str(CLAIMS_FILE), *arguments]
    return subprocess.run(
        command, env=environment, cwd=CLAIMS_FILE.parent, capture_output=True, text=True, timeout=90
    )


def outcome(library: str, claim: str, python: str = sys.executable) -> str:
    """``"yes"``, ``"wrong"`` where the numbers are not right, ``"error"``, or ``"no"``.

    ``"no"`` is what a library does not offer; ``"error"`` is also a program that crashes or never
    ends.
    """
    from .claims import PROGRAMS

    if (library, claim) not in PROGRAMS:
        return "no"
    try:
        done = start(python, library, claim)
    except subprocess.TimeoutExpired:
        return "error"
    if done.returncode == 1 and "Traceback" not in done.stderr:
        return "wrong"
    return "yes" if done.returncode == 0 else "error"


def facts(library: str, python: str = sys.executable) -> dict:
    """The versions with which the programs run, and what the library requires."""
    done = start(python, library)
    return json.loads(done.stdout.splitlines()[-1])
