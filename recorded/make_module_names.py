"""List the public names of MXNet 1.9.1's small modules, and the arguments of their functions.

Run it where MXNet is installed; gluon is not needed:

    /path/to/oracle/bin/python recorded/make_module_names.py

It writes ``module_names.json`` beside itself, in the form of ``names.json``; see ``make_names.py``.
"""

from __future__ import annotations

import inspect
import json
from importlib import import_module
from pathlib import Path

from make_names import arguments

MODULES = (
    "attribute callback context engine libinfo log monitor name random registry runtime test_utils"
    " util"
).split()


def taken(value) -> str | None:
    """The arguments of a function, or of what makes objects of a class."""
    return arguments(value.__init__ if inspect.isclass(value) else value)


def main() -> None:
    found = {}
    for path in MODULES:
        module = import_module(f"mxnet.{path}")
        found[path] = {
            name: taken(value)
            for name, value in sorted(vars(module).items())
            if name[0] != "_" and getattr(value, "__module__", "") == module.__name__
        }
    path = Path(__file__).resolve().parent / "module_names.json"
    path.write_text(json.dumps(found, indent=0) + "\n")
    print({path: len(names) for path, names in found.items()})


if __name__ == "__main__":
    main()
