"""Let the oracle, real MXNet 1.9.1, write the parameters of a small BERT and what it computes.

Run it where MXNet is installed; gluon is not needed:

    /path/to/oracle/bin/python recorded/make_bert.py

It writes ``bert.params``, ``bert_full.params`` (full names, with ``arg:``) and ``bert.json``.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from tests.mxnet import bert  # noqa: E402


def main() -> None:
    import mxnet as mx

    mx.random.seed(5)
    net = bert.build(mx)
    net.initialize(mx.init.Normal(0.7))
    found = bert.outputs(mx, net)
    net.save_parameters(str(HERE / "bert.params"))
    full = {f"arg:{name}": one.data() for name, one in net.collect_params().items()}
    mx.nd.save(str(HERE / "bert_full.params"), full)
    names = sorted(mx.nd.load(str(HERE / "bert.params")))
    record = {"outputs": found, "names": names}
    (HERE / "bert.json").write_text(json.dumps(record) + "\n")


if __name__ == "__main__":
    main()
