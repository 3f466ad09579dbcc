"""List the public names of real MXNet 1.9.1 and the arguments that each takes.

Run it where MXNet is installed; gluon is not needed:

    /path/to/oracle/bin/python recorded/make_names.py

It writes ``names.json`` beside itself: for each module its names, for each function its arguments.
``np_names.json`` has the same about the NumPy interface.
"""

from __future__ import annotations

import inspect
import json
import re
from importlib import import_module
from operator import attrgetter
from pathlib import Path

import mxnet as mx

NP_MODULES = ["np", "np.linalg", "np.random", "npx", "npx.image", "npx.random"]
MODULES = ["nd", "nd.contrib", "nd.image", "nd.linalg", "nd.random", "nd.sparse"]


def arguments(value) -> str | None:
    """The names of what a function takes; None for what is none, or tells nothing."""
    if inspect.isclass(value):
        return None
    try:
        parameters = list(inspect.signature(value).parameters.values())
    except (TypeError, ValueError):
        return None
    names = [p.name for p in parameters if p.kind is not p.VAR_KEYWORD]
    if any(p.kind is p.VAR_KEYWORD for p in parameters):
        names += documented(inspect.getdoc(value) or "")
    return " ".join(dict.fromkeys(names))


def documented(doc: str) -> list[str]:
    """The arguments that a docstring in NumPy's style describes."""
    _, _, section = doc.partition("Parameters\n----------\n")
    section, _, _ = section.partition("Returns\n")
    return re.findall(r"^(\w+) : ", section, re.M)


def is_public(name: str, value) -> bool:
    """Whether `value` is MXNet's own, and not something that a module imports for itself."""
    home = getattr(value, "__module__", "") or ""
    return callable(value) and name[0] != "_" and home.startswith(("mxnet.ndarray", "ndarray"))


def main() -> None:
    found = {}
    for path in MODULES:
        module = import_module(f"mxnet.{path}".replace(".nd", ".ndarray"))
        public = {name: value for name, value in vars(module).items() if is_public(name, value)}
        found[path] = {name: arguments(value) for name, value in sorted(public.items())}
    methods = {name: value for name, value in vars(mx.nd.NDArray).items() if name[0] != "_"}
    methods |= dict.fromkeys(("handle", "writable"))
    found["nd.NDArray"] = {name: arguments(value) for name, value in sorted(methods.items())}
    write("names.json", found)
    write("np_names.json", {path: numpy_names(path) for path in NP_MODULES})


def numpy_names(path: str) -> dict[str, str | None]:
    """The names of a module of the NumPy interface, its classes and numbers among them."""
    module = attrgetter(path)(mx)
    names = [name for name in dir(module) if name[0] != "_"]
    values = {name: getattr(module, name) for name in names}
    return {
        name: arguments(value) if callable(value) else None
        for name, value in values.items()
        if not inspect.ismodule(value)
    }


def write(name: str, found: dict) -> None:
    path = Path(__file__).resolve().parent / name
    path.write_text(json.dumps(found, indent=0) + "\n")
    print({path: len(names) for path, names in found.items()})


if __name__ == "__main__":
    main()
