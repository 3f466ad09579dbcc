"""``python -m gluon``: print versions and hardware features. Include the output in bug reports."""

from __future__ import annotations

import platform
import sys
from pathlib import Path

import numpy as np

from . import __version__
from ._core import runtime


def compiled_elsewhere() -> Path | None:
    """Return the folder of another gluon on the path, which has compiled kernels."""
    own = Path(__file__).resolve().parent
    for found in (Path(folder, "gluon").resolve() for folder in sys.path):
        if found != own and any((found / "_core" / "native").glob("_library.*")):
            return found
    return None


def report() -> str:
    """Return a report on this installation, with one fact per line.

    Returns
    -------
    str
    """
    found = runtime.compiled()
    products = "on these threads" if found.shares_threads else "on threads of NumPy's library"
    lines = {
        "gluon": __version__,
        "Python": f"{platform.python_version()}, {platform.system()} {platform.machine()}",
        "NumPy": np.__version__,
        "native kernels": found.instructions or f"none ({found.reason})",
        "threads": found.threads,
        "matrix products": products,
        "freed memory": "kept for the next step" if found.keeps_memory else "given back",
    }
    if found.reason.startswith("not built") and (other := compiled_elsewhere()):
        lines["note"] = f"{other} has native kernels; to use it, start Python in another folder"
    width = max(map(len, lines))
    return "\n".join(f"{name:{width}}  {value}" for name, value in lines.items())


USAGE = """\
usage: python -m gluon

Print the versions of gluon, Python and NumPy, and what gluon computes with.

To run an MXNet script:       python -m gluon.mxnet SCRIPT [ARGUMENT ...]
To run a MegEngine script:    python -m gluon.megengine SCRIPT [ARGUMENT ...]
"""


def main() -> None:
    """Print the report, or how to use this command."""
    words = sys.argv[1:]
    if words and words[0] not in ("-h", "--help"):
        print(f"python -m gluon: it takes no argument {words[0]!r}\n\n{USAGE}", file=sys.stderr)
        raise SystemExit(2)
    print(USAGE.rstrip() if words else report())


if __name__ == "__main__":
    main()
