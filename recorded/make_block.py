"""Ask the oracle, real MXNet 1.9.1, for the results of the programs in tests/block/programs.py.

Run it where MXNet is installed, whenever programs were added or changed; gluon is not needed:

    /path/to/oracle/bin/python recorded/make_block.py

It writes ``block_plain.npz`` and ``block_mkldnn.npz`` beside itself; see ``make_gluon.py``.
"""

from __future__ import annotations

import os
import subprocess
import sys

from make_gluon import write

#: Which programs need MKL-DNN, a setting that MXNet reads when it is imported: see ``make.py``.
KINDS = {"plain": "0", "mkldnn": "1"}


def main() -> None:
    for kind in KINDS:
        subprocess.run([sys.executable, __file__, kind], check=True)


def ask(kind: str) -> None:
    from tests.block import programs

    os.environ["MXNET_MKLDNN_ENABLED"] = KINDS[kind]
    write(getattr(programs, kind)(), f"block_{kind}.npz")


if __name__ == "__main__":
    ask(*sys.argv[1:]) if sys.argv[1:] else main()
