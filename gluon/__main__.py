"""``python -m gluon``: print versions and hardware features. Include the output in bug reports."""

from __future__ import annotations

import platform

import numpy as np

from . import __version__, runtime


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
    width = max(map(len, lines))
    return "\n".join(f"{name:{width}}  {value}" for name, value in lines.items())


if __name__ == "__main__":
    print(report())
