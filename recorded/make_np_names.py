"""List the public names of MXNet's `np`, `np.linalg` and `np.random`, and their arguments.

Run it where MXNet is installed; gluon is not needed:

    /path/to/oracle/bin/python recorded/make_np_names.py

It writes ``np_names.json`` beside itself, in the form of ``names.json``; see ``make_names.py``.
Names that MXNet answers only because it falls back on NumPy are among them; what is a module,
or a name of Python's, is not.
"""

from __future__ import annotations

import inspect
import json
from pathlib import Path

from make_names import arguments

MODULES = ("np", "np.linalg", "np.random")


def taken(value) -> str | None:
    """The arguments of a function; None where they cannot be read."""
    try:
        return arguments(value) if inspect.isfunction(value) else None
    except (TypeError, ValueError):
        return None


def main() -> None:
    import mxnet as mx

    found = {}
    for path in MODULES:
        module = mx.np if path == "np" else getattr(mx.np, path.split(".")[1])
        names = getattr(module, "__all__", None) or dir(module)
        found[path] = {
            name: taken(getattr(module, name))
            for name in sorted({*names, *(name for name in dir(module) if name[0] != "_")})
            if not inspect.ismodule(getattr(module, name)) and name[0] != "_"
        }
    path = Path(__file__).resolve().parent / "np_names.json"
    path.write_text(json.dumps(found, indent=0) + "\n")
    print({path: len(names) for path, names in found.items()})


if __name__ == "__main__":
    main()
