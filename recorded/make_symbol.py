"""Ask the oracle, real MXNet 1.9.1, about the graphs in tests/symbol.

Run it from the root of the repository with a Python that has MXNet:

    /path/to/oracle/bin/python recorded/make_symbol.py

It writes ``symbol.json.gz`` and the other files ``symbol_*`` beside itself.
"""

from __future__ import annotations

import gzip
import json
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from tests.symbol import graphs, loops  # noqa: E402
from tests.symbol.np import cases as np_cases  # noqa: E402


def main() -> None:
    import mxnet as mx

    found = []
    for seed in range(graphs.COUNT):
        with mx.name.NameManager():
            symbol, given = graphs.drawn(mx.sym, seed)
            found.append(graphs.described(symbol, given))
    text = json.dumps(found, sort_keys=True).encode()
    (HERE / "symbol.json.gz").write_bytes(gzip.compress(text, mtime=0))
    looped = {}
    for case in loops.CASES:
        with mx.name.NameManager():
            looped[case.__name__] = graphs.described(*case(mx.sym))
    (HERE / "symbol_loops.json").write_text(json.dumps(looped, sort_keys=True) + "\n")
    mx.npx.set_np()
    described = {}
    for case in np_cases.CASES:
        with mx.name.NameManager():
            described[case] = json.loads(np_cases.described(mx.sym, case).tojson())
    text = json.dumps(described, sort_keys=True).encode()
    (HERE / "symbol_np.json.gz").write_bytes(gzip.compress(text, mtime=0))
    names = {
        path: [name for name in dir(face) if name[0] != "_" and callable(getattr(face, name))]
        for path, face in (
            ("np", mx.sym.np),
            ("npx", mx.sym.npx),
            ("np.linalg", mx.sym.np.linalg),
            ("np.random", mx.sym.np.random),
        )
    }
    (HERE / "symbol_np_names.json").write_text(json.dumps(names) + "\n")


if __name__ == "__main__":
    main()
