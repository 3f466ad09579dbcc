"""Ask the oracle, real MXNet 1.9.1, which operators ignore arguments that they do not have.

Run it where MXNet is installed, whenever operators were added; gluon is not needed:

    /path/to/oracle/bin/python recorded/make_ignored_arguments.py

It writes ``ignored_arguments.json``: for each operator of the samples, and for functions of the
extension `npx` and methods of arrays, whether it takes an argument ``no_such=3``.
"""

from __future__ import annotations

import inspect
import json
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from recorded.make import apart, as_array  # noqa: E402

EXTRA = {"no_such": 3}


def first_samples(families: dict) -> list:
    """One sample of each operator."""
    found: dict = {}
    for samples in families.values():
        for sample in samples:
            if sample.has_reference and not sample.writes and not sample.out:
                found.setdefault(sample.op, sample)
    return list(found.values())


def ignored(mx, sample) -> dict:
    """Whether the call of the sample takes the argument, if it works without."""
    function = mx.nd
    for part in sample.op.split("."):
        function = getattr(function, part)
    inputs = [as_array(mx, raw) for raw in sample.raws()]
    return takes(lambda **extra: function(*inputs, **sample.keywords(inputs), **extra))


def takes(call) -> dict:
    """``{}`` if `call` does not work, else whether it takes the argument as well."""
    try:
        call()
    except Exception:
        return {}
    try:
        call(**EXTRA)
    except Exception:
        return {"takes": False}
    return {"takes": True}


def methods(mx, run=apart) -> dict:
    """The same for methods of arrays that need no argument, and functions of `npx` of arrays.

    MXNet is `run` in processes of its own, which some calls end.
    """
    found = {}
    for name in sorted(dir(mx.nd.NDArray)):
        if name[0] != "_" and callable(getattr(mx.nd.NDArray, name)):
            x = mx.nd.array([[0.1, 0.2], [0.3, 0.4]])
            found[f"NDArray.{name}"] = run(takes, getattr(x, name))
    for name, function in sorted(vars(mx.npx).items()):
        if name[0] != "_" and inspect.isfunction(function) and name not in ("waitall", "load"):
            for count in (1, 2, 3):
                given = [mx.np.array([[0.1, 0.2], [0.3, 0.4]])] * count
                if record := run(takes, lambda f=function, g=given, **k: f(*g, **k)):
                    found[f"npx.{name}"] = record
                    break
    return found


def main() -> None:
    import mxnet as mx

    from tests._core.ops.samples import FAMILIES

    found = {one.op: apart(ignored, mx, one) for one in first_samples(FAMILIES)} | methods(mx)
    told = {name: record["takes"] for name, record in found.items() if "takes" in record}
    path = HERE / "ignored_arguments.json"
    path.write_text(json.dumps(told, indent=0, sort_keys=True) + "\n")
    print(f"{sum(told.values())} of {len(told)} take any argument")


if __name__ == "__main__":
    main()
