"""Record what MegEngine 1.13 reads from the files that tests/megengine/pictures.py writes.

Run it where MegEngine is installed; gluon is not needed:

    /path/to/oracle/bin/python tests/reference/make_megengine_pictures.py

It writes ``megengine_pictures.json`` beside itself.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1]))

from tests.megengine.pictures import CASES, outcome  # noqa: E402


def main() -> None:
    found = {name: outcome(name) for name in CASES}
    (HERE / "megengine_pictures.json").write_text(json.dumps(found, indent=0) + "\n")


if __name__ == "__main__":
    main()
