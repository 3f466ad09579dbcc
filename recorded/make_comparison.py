"""Write to `comparison.json` what gluon and its peers can do, by `tests/comparison/claims.py`.

    python -m recorded.make_comparison LIBRARY=PYTHON[,PYTHON_WITH_NUMPY_2] ...

The programs of each library run with the Python given for it; where that one has an older NumPy, a
second one is given that has NumPy 2.
"""

import json
import sys
from pathlib import Path

from tests.comparison.claims import CLAIMS
from tests.comparison.running import facts, outcome

TARGET = Path(__file__).with_name("comparison.json")


def main(arguments: list[str]) -> None:
    found = json.loads(TARGET.read_text()) if TARGET.exists() else {}
    for one in arguments:
        library, pythons = one.split("=", 1)
        python, *others = pythons.split(",")
        with_numpy_2 = {"numpy_2": others[0]} if others else {}
        outcomes = {
            claim: outcome(library, claim, with_numpy_2.get(claim, python)) for claim in CLAIMS
        }
        found[library] = {**facts(library, python), "outcomes": outcomes}
        print(library, outcomes)
    TARGET.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
