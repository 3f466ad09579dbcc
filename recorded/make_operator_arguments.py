"""List what each operator of real MXNet 1.9.1 takes, with the types that MXNet names.

Run it where MXNet is installed; gluon is not needed:

    /path/to/oracle/bin/python recorded/make_operator_arguments.py

It writes ``gluon/mxnet/arguments.json``: the types, most frequent first, and for each operator
``name:number of its type``. Operators that only run in the backward pass are left out.
"""

import json
from collections import Counter
from pathlib import Path

from mxnet.operator import get_all_registered_operators, get_operator_arguments

if __name__ == "__main__":
    names = [one for one in sorted(get_all_registered_operators()) if "backward" not in one]
    given = {name: get_operator_arguments(name) for name in names}
    counts = Counter(kind for one in given.values() for kind in one.types)
    types = [kind for kind, _ in counts.most_common()]
    number = {kind: k for k, kind in enumerate(types)}
    operators = {
        name: " ".join(f"{arg}:{number[kind]}" for arg, kind in zip(one.names, one.types))
        for name, one in given.items()
    }
    path = Path(__file__).resolve().parents[2] / "gluon" / "mxnet" / "arguments.json"
    path.write_text(json.dumps({"types": types, "operators": operators}, indent=0) + "\n")
