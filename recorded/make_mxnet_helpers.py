"""Record what helpers in the modules of real MXNet 1.9.1 give.

Run it where MXNet is installed; gluon is not needed:

    /path/to/oracle/bin/python recorded/make_mxnet_helpers.py

It writes ``mxnet_helpers.json`` beside itself: the outcomes of the calls in
``tests/mxnet/helpers/calls.py`` and ``tests/mxnet/helpers/methods.py``.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import mxnet as mx
import mxnet.contrib.amp
import mxnet.contrib.tensorboard

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from tests.mxnet.helpers import calls, methods  # noqa: E402


def main() -> None:
    every = {**calls.CALLS, **methods.CALLS}
    found = {name: calls.outcome(call, mx) for name, call in every.items()}
    (HERE / "mxnet_helpers.json").write_text(json.dumps(found, indent=0) + "\n")


if __name__ == "__main__":
    main()
