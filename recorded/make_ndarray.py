"""Ask the oracle, real MXNet 1.9.1, for the results of the programs in tests/_core/arrays/.

Run it where MXNet is installed, whenever programs were added or changed; gluon is not needed:

    /path/to/oracle/bin/python recorded/make_ndarray.py

It writes ``ndarray.npz`` beside itself: for each program ``outputs`` (one array), ``value`` (the
`repr` of any other result), or ``error``.
"""

from __future__ import annotations

import numpy as np
from make import HERE, Pack, apart, first_line


def main() -> None:
    import mxnet as mx

    from tests._core.arrays.method_programs import METHODS
    from tests._core.arrays.programs import GROUPS

    pack = Pack()
    index = {}
    for program in (one for group in (*GROUPS.values(), METHODS) for one in group):
        record = apart(evaluate, mx, program)
        if "outputs" in record:
            record["outputs"] = [pack.add(array) for array in record["outputs"]]
        index[program] = record
    pack.save(HERE / "ndarray.npz", index)
    print(
        *(f"{one}: {record['error']}" for one, record in index.items() if "error" in record),
        sep="\n",
    )
    print(len(index), "programs")


def evaluate(mx, program: str) -> dict:
    from tests._core.arrays.programs import run

    try:
        result = run(program, mx.nd, mx)
        if isinstance(result, mx.nd.NDArray):
            return {"outputs": [result.asnumpy()]}
    except Exception as error:
        return {"error": first_line(error)}
    is_raw = isinstance(result, (np.ndarray, np.generic))
    return {"outputs": [result]} if is_raw else {"value": repr(result)}


if __name__ == "__main__":
    main()
