"""Ask the oracle, real MXNet 1.9.1, for the results of the programs in tests/module.

Run it where MXNet is installed, whenever programs were added or changed; gluon is not needed:

    /path/to/oracle/bin/python recorded/make_module.py

It writes ``module.npz`` beside itself; see ``make_gluon.py``.
"""

from __future__ import annotations

import os

from make_gluon import write

if __name__ == "__main__":
    os.environ["MXNET_SUBGRAPH_BACKEND"] = "NONE"  # otherwise layers are fused, and named anew
    from tests.module import epochs, executors
    from tests.module.programs import programs

    write(programs() | epochs.programs() | executors.programs(), "module.npz")
