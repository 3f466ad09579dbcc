"""Train the classes of `d2l` 1.0.3 and print the result of each.

    python -m gluon.mxnet tests/clients/d2l [--json FILE] [WORD ...]

`d2l` is installed without its dependencies, beside matplotlib, pandas, requests and IPython. The
same command without ``-m gluon.mxnet`` asks MXNet itself. Words pick programs by their names.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import sys
import tempfile
import traceback
from pathlib import Path

import attention  # noqa: F401
import detection  # noqa: F401
import harness
import language  # noqa: F401
import optimisation  # noqa: F401
import recommenders  # noqa: F401
import regression  # noqa: F401
import vision  # noqa: F401
import words  # noqa: F401

#: The results of the programs with MXNet.
REFERENCE = Path(__file__).resolve().parents[3] / "recorded" / "clients_d2l.json"
TITLES = "Class", "Loss before", "Loss after", "With MXNet", "Accuracy", "Result"
#: A program has trained if at most this part of the initial loss is left.
LEFT = 0.9


def main(arguments: list[str]) -> int:
    """Run programs and print the table. Return the number of failures."""
    target = None
    if arguments[:1] == ["--json"]:
        target, arguments = Path(arguments[1]).resolve(), arguments[2:]
    chosen = [
        name
        for name in harness.PROGRAMS
        if not arguments or any(word.lower() in name.lower() for word in arguments)
    ]
    expected = json.loads(REFERENCE.read_text()) if REFERENCE.exists() else {}
    found, failed = {}, 0
    print("|", " | ".join(TITLES), "|\n|", " | ".join(["---"] * len(TITLES)), "|")
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for name in chosen:
            found[name], told = attempt(name)
            failed += told != "passed"
            before, after, accuracy = found[name] or [None] * 3
            numbers = before, after, (expected.get(name) or [None] * 3)[1], accuracy
            cells = ("" if number is None else f"{number:.3f}" for number in numbers)
            print("|", " | ".join([name, *cells, told]), "|", flush=True)
        os.chdir("/")
    if target:
        target.write_text(json.dumps(found, indent=0) + "\n")
    return failed


def attempt(name: str) -> tuple[harness.Result | None, str]:
    """Return the result of a program, and whether it succeeded."""
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            result = harness.run(name)
    except Exception as error:
        traceback.print_exc()
        why = str(error).strip().splitlines()
        return None, f"failed: {type(error).__name__}: {why[0] if why else ''}"
    if result.after < LEFT * result.before:
        return result, "passed"
    return result, "failed: the loss did not fall"


if __name__ == "__main__":
    sys.exit(bool(main(sys.argv[1:])))
