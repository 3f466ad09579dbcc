"""Ask the oracle, real MXNet 1.9.1, for the results of the programs in tests/nn/programs.py.

Run it where MXNet is installed, whenever programs were added or changed; gluon is not needed:

    /path/to/oracle/bin/python recorded/make_gluon.py

It writes ``gluon.npz`` beside itself: for each program its ``texts`` and ``outputs``, arrays.
"""

from __future__ import annotations

import sys
import warnings

import numpy as np
from make import HERE, Pack, apart, first_line


def main() -> None:
    sys.path.insert(0, str(HERE.parent / "tests" / "nn"))
    from programs import programs

    write(programs(), "gluon.npz")


def write(programs: dict, file: str) -> None:
    """Run `programs`, and keep what they return in `file`."""
    import mxnet as mx

    pack = Pack()
    index = {}
    for name, program in programs.items():
        record = apart(evaluate, mx, program)
        record["outputs"] = [pack.add(array) for array in record.get("outputs", ())]
        index[name] = record
        if "error" in record:
            print(f"{name}: {record['error']}")
    pack.save(HERE / file, index)
    print(len(index), "programs")


def evaluate(mx, program) -> dict:
    warnings.simplefilter("ignore")
    try:
        results = program(mx)
    except Exception as error:
        return {"error": first_line(error)}
    return {
        "texts": [one for one in results if isinstance(one, str)],
        "outputs": [
            one if isinstance(one, np.ndarray) else one.asnumpy()
            for one in results
            if not isinstance(one, str)
        ],
    }


if __name__ == "__main__":
    main()
