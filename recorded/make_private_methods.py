"""List the arguments that private functions and methods of MXNet 1.9.1 cannot do without.

Run it where MXNet is installed; gluon is not needed:

    /path/to/oracle/bin/python recorded/make_private_methods.py

It writes ``private_methods.json`` beside itself. Libraries call these, so gluon's may not ask for
more where it has them.
"""

from __future__ import annotations

import inspect
import json
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path


def functions() -> Iterator[tuple[str, object]]:
    """The functions, by module and name in it, wherever they are defined."""
    for path, module in sorted(sys.modules.items()):
        if path.partition(".")[0] != "mxnet" or ".gen_" in path:  # those are operators
            continue
        for name, value in sorted(vars(module).items()):
            if getattr(value, "__module__", None) != path:
                continue
            if inspect.isclass(value):
                for member, method in sorted(vars(value).items()):
                    yield f"{path}:{name}.{member}", getattr(method, "__func__", method)
            else:
                yield f"{path}:{name}", value


def required(function) -> list[str]:
    """The arguments without a default."""
    return [
        one.name
        for one in inspect.signature(function).parameters.values()
        if one.default is one.empty and one.kind not in (one.VAR_POSITIONAL, one.VAR_KEYWORD)
    ]


def main() -> None:
    import_module("mxnet")
    found = {
        path: required(function)
        for path, function in functions()
        if inspect.isfunction(function)
        and path.replace(":", ".").rpartition(".")[2].startswith("_")
        and not path.endswith("__")
    }
    path = Path(__file__).resolve().parent / "private_methods.json"
    path.write_text(json.dumps(found, indent=0) + "\n")
    print(len(found))


if __name__ == "__main__":
    main()
