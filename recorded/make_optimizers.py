"""Ask the oracle, real MXNet 1.9.1, for the results of the programs in tests/optimizer/programs.py.

Run it where MXNet is installed, whenever programs were added or changed; gluon is not needed:

    /path/to/oracle/bin/python recorded/make_optimizers.py

It writes ``optimizers.npz`` beside itself; see ``make_gluon.py``.
"""

from __future__ import annotations

import sys

from make import HERE
from make_gluon import write

if __name__ == "__main__":
    sys.path.insert(0, str(HERE.parent / "tests" / "optimizer"))
    from programs import programs

    write(programs(), "optimizers.npz")
