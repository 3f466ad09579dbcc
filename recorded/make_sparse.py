"""Record what MXNet gives for the programs of ``tests/nd/sparse``.

    MXNET_STORAGE_FALLBACK_LOG_VERBOSE=0 python recorded/make_sparse.py

Run with an installation of MXNet 1.9.1, from anywhere.
"""

from __future__ import annotations

import json
import sys
import warnings
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests" / "nd" / "sparse"))
import graphs  # noqa: E402
import programs  # noqa: E402
import training  # noqa: E402


def listed(path: Path, found: dict) -> None:
    """Write a JSON file with a line for each outcome."""
    lines = [f"{json.dumps(key)}: {json.dumps(value)}" for key, value in found.items()]
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n")


def main() -> None:
    """Write ``sparse.json``, ``sparse_graphs.json``, ``sparse.params``, ``sparse_training.npz``."""
    import mxnet
    import numpy as np

    warnings.simplefilter("ignore")
    path = ROOT / "recorded" / "sparse.json"
    listed(path, {one: programs.outcome(one, mxnet.nd) for one in programs.PROGRAMS})
    symbols = {one: graphs.outcome(one, mxnet) for one in graphs.CASES}
    listed(path.with_name("sparse_graphs.json"), symbols)
    mxnet.nd.save(str(path.with_suffix(".params")), programs.saved(mxnet.nd))
    spaces = {"nn": mxnet.gluon.nn, "contrib": mxnet.gluon.contrib}
    weights = {}
    for run in training.RUNS:
        stype, weight = training.trained(run, mxnet.gluon.Trainer, spaces, mxnet.nd, mxnet.autograd)
        weights |= {run: weight, f"{run}: stype": np.array(stype)}
    np.savez_compressed(path.with_name("sparse_training.npz"), **weights)


if __name__ == "__main__":
    main()
