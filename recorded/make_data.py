"""Ask the oracle, real MXNet 1.9.1, for the results of the programs in tests/data/programs.py.

Run it where MXNet is installed, whenever programs were added or changed; gluon is not needed:

    /path/to/oracle/bin/python recorded/make_data.py

It writes ``data.npz`` beside itself; see ``make_gluon.py``.
"""

from __future__ import annotations

from make_gluon import write

if __name__ == "__main__":
    from tests.data.programs import programs

    write(programs(), "data.npz")
