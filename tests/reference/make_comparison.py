"""Write to `comparison.json` what gluon and its peers can do, by `tests/comparison/claims.py`.

    python -m tests.reference.make_comparison LIBRARY=PYTHON ... [current=PYTHON]

The programs of each library run with the Python given for it, and those of the claim ``current``
with the last one, which has Python 3.13 and NumPy 2.
"""

import json
import sys
from pathlib import Path

from tests.comparison.claims import CLAIMS
from tests.comparison.running import facts, outcome

TARGET = Path(__file__).with_name("comparison.json")


def main(arguments: list[str]) -> None:
    pythons = dict(one.split("=", 1) for one in arguments)
    current = pythons.pop("current")
    found = json.loads(TARGET.read_text()) if TARGET.exists() else {}
    for library, python in pythons.items():
        found[library] = facts(library, python) | {
            "outcomes": {
                claim: outcome(library, claim, current if claim == "current" else python)
                for claim in CLAIMS
            }
        }
        print(library, found[library]["outcomes"])
    TARGET.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
