"""Train the classes of `d2l` 1.0.3 and print what became of each.

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

import harness
import attention  # noqa: F401
import detection  # noqa: F401
import language  # noqa: F401
import optimisation  # noqa: F401
import regression  # noqa: F401
import vision  # noqa: F401

#: The largest part of the loss that may be left for a program to have trained.
LEFT = 0.9


def main(words: list[str]) -> int:
    """Run programs, print the table; how many failed."""
    target = None
    if words[:1] == ["--json"]:
        target, words = Path(words[1]).resolve(), words[2:]
    verbose = "-v" in words
    words = [word for word in words if word != "-v"]
    chosen = [
        name
        for name in harness.PROGRAMS
        if not words or any(word.lower() in name.lower() for word in words)
    ]
    found, failed = {}, 0
    print(
        "| Class | Loss before | Loss after | Accuracy | Result |\n| --- | --- | --- | --- | --- |"
    )
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for name in chosen:
            line, found[name] = attempt(name, verbose)
            failed += not line.endswith("| passed |")
            print(line, flush=True)
        os.chdir("/")
    if target:
        target.write_text(json.dumps(found, indent=0) + "\n")
    return failed


def attempt(name: str, verbose: bool) -> tuple[str, list[float | None] | None]:
    """The line of the table for one program, and its numbers."""
    try:
        with contextlib.nullcontext() if verbose else contextlib.redirect_stdout(io.StringIO()):
            result = harness.run(name)
    except Exception as error:
        if verbose:
            traceback.print_exc()
        why = str(error).strip().splitlines()
        return f"| {name} | | | | {type(error).__name__}: {why[0] if why else ''} |", None
    accuracy = "" if result.accuracy is None else f"{result.accuracy:.3f}"
    passed = result.after < LEFT * result.before
    told = "passed" if passed else "failed: the loss did not fall"
    line = f"| {name} | {result.before:.4f} | {result.after:.4f} | {accuracy} | {told} |"
    return line, list(result)


if __name__ == "__main__":
    sys.exit(bool(main(sys.argv[1:])))
