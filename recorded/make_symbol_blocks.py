"""Ask the oracle, real MXNet 1.9.1, for the graphs of the blocks in tests/symbol/blocks.py.

Run it from the root of the repository with a Python that has MXNet:

    /path/to/oracle/bin/python recorded/make_symbol_blocks.py

It writes ``symbol_blocks.json.gz`` beside itself.
"""

from __future__ import annotations

import gzip
import json
import sys
from pathlib import Path

from make import apart

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from tests.symbol import blocks  # noqa: E402


def main() -> None:
    import mxnet as mx

    found = {
        name: apart(described, mx, case) for name, case in blocks.CASES.items() if case.compared
    }
    text = json.dumps(found, sort_keys=True).encode()
    (HERE / "symbol_blocks.json.gz").write_bytes(gzip.compress(text, mtime=0))


def described(mx, case) -> dict:
    with mx.name.NameManager():
        found = blocks.described(mx, case)
    return {key: found[key] for key in case.compared}


if __name__ == "__main__":
    main()
