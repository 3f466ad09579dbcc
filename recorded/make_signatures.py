"""List what real MXNet 1.9.1 offers for training: every public name, and the arguments it takes.

Run it where MXNet is installed; gluon is not needed:

    /path/to/oracle/bin/python recorded/make_signatures.py

It writes ``signatures.json`` beside itself: for each module its functions, classes and methods,
each with its arguments, or null where Python cannot tell them.
"""

from __future__ import annotations

import inspect
import json
from importlib import import_module
from pathlib import Path

MODULES = (
    "callback gluon gluon.block gluon.contrib.cnn gluon.contrib.data gluon.contrib.estimator"
    " gluon.contrib.nn gluon.contrib.rnn gluon.data gluon.data.dataloader gluon.data.dataset"
    " gluon.data.sampler gluon.data.vision gluon.data.vision.datasets gluon.data.vision.transforms"
    " gluon.loss gluon.model_zoo.model_store gluon.model_zoo.vision gluon.nn gluon.parameter"
    " gluon.rnn gluon.trainer gluon.utils initializer kvstore lr_scheduler metric optimizer random"
    " recordio"
)
STARS = {"VAR_POSITIONAL": "*", "VAR_KEYWORD": "**"}


def arguments(value) -> list[str] | None:
    """Each argument as in a definition: ``name``, ``name=default``, ``*args``."""
    try:
        parameters = inspect.signature(value).parameters.values()
    except (TypeError, ValueError):
        return None
    return [
        STARS.get(p.kind.name, "") + p.name + f"={p.default!r}" * (p.default is not p.empty)
        for p in parameters
        if p.name != "self"
    ]


def is_public(name: str, value, module: str) -> bool:
    """Whether `value` is a class or a function that `module`, or one inside it, defines."""
    home = getattr(value, "__module__", None) or ""
    inside = home.startswith((f"mxnet.{module}", f"mxnet.ndarray.{module}", "mxnet.registry"))
    return inside and name[0] != "_" and (inspect.isclass(value) or inspect.isroutine(value))


def methods(value) -> dict:
    """The public methods that a class defines itself."""
    if not inspect.isclass(value):
        return {}
    own = {name: getattr(value, name) for name in vars(value) if name[0] != "_"}
    return {name: one for name, one in sorted(own.items()) if inspect.isroutine(one)}


def main() -> None:
    found: dict[str, dict] = {}
    seen = set()
    for path in MODULES.split():
        module = import_module(f"mxnet.{path}")
        found[path] = {}
        for name in sorted(getattr(module, "__all__", None) or vars(module)):
            value = getattr(module, name)
            if not is_public(name, value, path):
                continue
            found[path][name] = arguments(value)
            for key, one in () if value in seen else methods(value).items():
                found[path][f"{name}.{key}"] = arguments(one)
            seen.add(value)
    path = Path(__file__).resolve().parent / "signatures.json"
    path.write_text(json.dumps(found, indent=0) + "\n")
    print({module: len(names) for module, names in found.items()})


if __name__ == "__main__":
    main()
