"""Ask the oracle, real MXNet 1.9.1, what becomes of calls of every function that it has.

Run it where MXNet is installed; gluon is not needed:

    /path/to/oracle/bin/python recorded/make_calls.py

It writes ``calls.json.gz``: the calls that `tests.mxnet.calls` makes from the oracle's docstrings
and signatures, each with its outcome. Where a call ends the process or hangs, the outcome is
``{"error": "the oracle crashes"}``.
"""

from __future__ import annotations

import gzip
import json
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from recorded import make  # noqa: E402
from tests.mxnet import calls  # noqa: E402


def asked(mx, path, function) -> dict:
    """The calls of one function, with their outcomes."""

    def accepts(call) -> bool:
        return "values" in calls.outcome(mx, call)

    made = calls.calls_of(path, function, accepts)
    return {"calls": [[*call[1:], calls.outcome(mx, call)] for call in made]}


def asked_one_by_one(mx, path, function) -> dict:
    """The same for a function of which some call hangs, or ends the process."""

    def outcome(call) -> dict:
        return make.apart(calls.outcome, mx, call)

    made = calls.calls_of(path, function, lambda call: "values" in outcome(call))
    return {"calls": [[*call[1:], outcome(call)] for call in made]}


def main() -> None:
    import mxnet as mx

    make.LIMIT = 1  # what takes longer hangs
    found = {}
    for path, function in calls.functions(mx).items():
        mx.npx.set_np() if path.startswith("np") else mx.npx.reset_np()
        record = make.apart(asked, mx, path, function)
        if "calls" not in record:
            record = asked_one_by_one(mx, path, function)
            print(path, "crashes or hangs", flush=True)
        found[path] = record["calls"]
    text = json.dumps(found, sort_keys=True).encode()
    (HERE / "calls.json.gz").write_bytes(gzip.compress(text, mtime=0))
    print(f"{len(found)} functions, {sum(map(len, found.values()))} calls")


if __name__ == "__main__":
    main()
