"""Ask the oracle, real MXNet 1.9.1, about the calls in tests/symbol/calls.py.

Run it from the root of the repository with a Python that has MXNet:

    /path/to/oracle/bin/python recorded/make_symbol_calls.py

It writes ``symbol_calls.json.gz`` beside itself.
"""

from __future__ import annotations

import gzip
import json
import sys
import warnings
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from tests.symbol import calls  # noqa: E402


def main() -> None:
    import mxnet as mx

    warnings.simplefilter("ignore", DeprecationWarning)
    found = dict(calls.described(mx))
    for call in calls.REFUSED:
        try:
            calls.named(mx, call)
        except mx.base.MXNetError:
            continue
        raise SystemExit(f"MXNet takes {call}")
    text = json.dumps(found, sort_keys=True).encode()
    (HERE / "symbol_calls.json.gz").write_bytes(gzip.compress(text, mtime=0))


if __name__ == "__main__":
    main()
