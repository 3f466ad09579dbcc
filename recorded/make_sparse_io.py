"""Ask the oracle, real MXNet 1.9.1, for the results of the programs in tests/io/sparse_programs.py.

Run it where MXNet is installed, whenever programs were added or changed; gluon is not needed:

    /path/to/oracle/bin/python recorded/make_sparse_io.py

It writes ``sparse_io.npz`` beside itself; see ``make_gluon.py``.
"""

from __future__ import annotations

from make_gluon import write

if __name__ == "__main__":
    from tests.io.sparse_programs import programs

    write(programs(), "sparse_io.npz")
