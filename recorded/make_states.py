"""Ask the oracle, real MXNet 1.9.1, for states of optimizers and what comes after them.

Run it where MXNet is installed, whenever tests/optimizer/state_programs.py changed; gluon is not
needed:

    /path/to/oracle/bin/python recorded/make_states.py

It writes ``states.npz`` beside itself; see ``make_gluon.py``.
"""

from __future__ import annotations

import sys

from make import HERE
from make_gluon import write

if __name__ == "__main__":
    sys.path.insert(0, str(HERE.parent))
    from tests.optimizer.state_programs import programs

    write(programs(), "states.npz")
