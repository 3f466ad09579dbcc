"""Ask the oracle, real MXNet 1.9.1, what the scripts in tests/mxnet/scripts print.

Run it where MXNet is installed, whenever scripts were added or changed; gluon is not needed:

    /path/to/oracle/bin/python recorded/make_mxnet_scripts.py

It writes ``mxnet_scripts.json`` beside itself.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent


def printed(script: Path) -> str:
    """What a script prints."""
    run = [sys.executable, str(script)]
    return subprocess.run(run, check=True, capture_output=True, text=True).stdout


if __name__ == "__main__":
    scripts = sorted((HERE.parent / "tests" / "mxnet" / "scripts").glob("*.py"))
    found = {script.name: printed(script) for script in scripts}
    (HERE / "mxnet_scripts.json").write_text(json.dumps(found, indent=0) + "\n")
