"""Compare the outcomes of calls of MXNet's functions in MXNet and in gluon.

python -m tests.mxnet.compare_calls            # how many calls differ, by kind
python -m tests.mxnet.compare_calls accepted   # the calls that MXNet takes and gluon refuses
python -m tests.mxnet.compare_calls --write    # writes differing_calls.txt
"""

from __future__ import annotations

import gzip
import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np

from recorded.make import HERE
from tests.mxnet import calls
from tests.mxnet.difference_groups import GROUPS, reason

STATED = Path(__file__).with_name("differing_calls.txt")
#: The outcome of a call that ends the oracle's process or hangs.
CRASH = "the oracle crashes"
#: Classes of errors that MXNet has for everything.
ANY = {"MXNetError", "Exception", "RuntimeError"}


def reference() -> dict[str, list]:
    """The calls of each function with the oracle's outcome."""
    return json.loads(gzip.decompress((HERE / "calls.json.gz").read_bytes()))


def difference(path: str, expected: dict, found: dict) -> str:
    """How `found` differs from `expected`: "" where it does not."""
    if expected.get("error") == CRASH:
        return "crash"
    if "error" in expected:
        if "values" in found:
            return "refused"
        theirs = set(expected["error"]) - {"Exception"}
        return "" if ANY & theirs or theirs & set(found["error"]) or not theirs else "class"
    if "error" in found:
        return "accepted"
    if len(expected["values"]) != len(found["values"]):
        return "results"
    for ours, theirs in zip(found["values"], expected["values"]):
        if len(theirs) == 1:
            continue
        if ours[:1] != theirs[:1]:
            return "dtype"
        if ours[1] != theirs[1]:
            return "shape"
        if not calls.DRAWS.search(path) and not np.allclose(
            np.array(ours[2], float), np.array(theirs[2], float), 1e-3, 1e-4, equal_nan=True
        ):
            return "value"
    return ""


def differences(mx: Any) -> list[tuple[str, str, list, dict]]:
    """The kind, the function, the call and the oracle's outcome of all calls that differ."""
    rows = []
    for path, made in reference().items():
        mx.npx.set_np() if path.startswith("np") else mx.npx.reset_np()
        try:
            calls.located(mx, path)
        except (AttributeError, RuntimeError):
            continue  # names are another test's
        for arrays, keywords, expected in made:
            found = calls.outcome(mx, [path, arrays, keywords])
            if kind := difference(path, expected, found):
                rows.append((kind, path, [arrays, keywords], expected, found))
    mx.npx.reset_np()
    return rows


def stated(rows: list) -> str:
    """The text of ``differing_calls.txt``: calls that differ, in groups with a reason each."""
    groups: dict[str | None, Counter] = {}
    for kind, path, call, *_ in rows:
        groups.setdefault(reason(kind, path, call), Counter())[kind, path] += 1
    text = "# Calls that end otherwise in gluon than in MXNet: kind, function, number of calls.\n"
    for why in dict.fromkeys(why for *_, why in GROUPS):
        if why in groups:
            text += f"\n# {why}\n"
            text += "".join(f"{k} {path} {n}\n" for (k, path), n in sorted(groups[why].items()))
    return text


def main() -> None:
    import gluon.mxnet

    with gluon.mxnet.installed():
        import mxnet as mx

        rows = differences(mx)
    if "--write" in sys.argv:
        STATED.write_text(stated(rows), encoding="utf-8")
    for kind, path, call, expected, found in rows:
        if kind in sys.argv[1:]:
            print(path, *call, str(expected)[:100], str(found)[:100])
    print(Counter(kind for kind, *_ in rows), "of", sum(map(len, reference().values())))


if __name__ == "__main__":
    main()
