"""Record what MegEngine 1.13 reads from the files that tests/megengine/pictures.py writes.

Run it where MegEngine is installed; gluon is not needed:

    /path/to/oracle/bin/python recorded/make_megengine_pictures.py

It writes ``megengine_pictures.json`` beside itself, and what the data sets call their classes to
``gluon/megengine/data/classes.json``.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from megengine.data.dataset import vision

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from tests.megengine.pictures import CASES, outcome  # noqa: E402


def main() -> None:
    found = {name: outcome(name) for name in CASES}
    (HERE / "megengine_pictures.json").write_text(json.dumps(found, indent=0) + "\n")
    kinds = (vision.COCO, vision.Objects365, vision.PascalVOC, vision.Cityscapes)
    names = {kind.__name__: kind.class_names for kind in kinds}
    names["keypoint_names"] = vision.COCO.keypoint_names
    names["classes_originID"] = [vision.COCO.classes_originID[one] for one in names["COCO"]]
    path = HERE.parent / "gluon" / "megengine" / "data" / "classes.json"
    path.write_text(json.dumps(names, indent=0) + "\n")


if __name__ == "__main__":
    main()
