"""Ask the oracle, real MXNet 1.9.1, for the results of the programs in tests/np/.

Run it where MXNet is installed, whenever programs were added or changed; gluon is not needed:

    /path/to/oracle/bin/python tests/reference/make_np.py

It writes ``np.npz`` and ``npx.npz`` beside itself: for each program ``outputs`` (one array) and
``grads`` (one for each variable), ``value`` (the `repr` of any other result), or ``error``. Under
``attributes`` the former lists the attributes of the oracle's array: whether each works, or is
refused.
"""

from __future__ import annotations

import inspect
import warnings

import numpy as np
from make import HERE, Pack, apart, first_line


def main() -> None:
    import mxnet as mx

    from tests.np import npx_programs, programs

    mx.npx.set_np()
    warnings.simplefilter("ignore")
    make(mx, "np", programs.PROGRAMS, {"attributes": attributes(mx)})
    make(mx, "npx", npx_programs.PROGRAMS, {})


def make(mx, name: str, programs: list[str], index: dict) -> None:
    """Write the results of `programs`, beside what `index` holds, as ``<name>.npz``."""
    pack = Pack()
    for program in programs:
        record = apart(evaluate, mx, program)
        for kind in {"outputs", "grads"} & set(record):
            record[kind] = [pack.add(array) for array in record[kind]]
        index[program] = record
    pack.save(HERE / f"{name}.npz", index)
    print(
        *(f"{one}: {record['error']}" for one, record in index.items() if "error" in record),
        sep="\n",
    )
    print(len(programs), "programs")


def evaluate(mx, program: str) -> dict:
    from tests.np.programs import evaluate

    try:
        result, grads = evaluate(program, mx.np, mx.npx, mx.autograd)
        if isinstance(result, mx.np.ndarray):
            record = {"outputs": [result.asnumpy()]}
            if grads:
                record["grads"] = [grads[name].asnumpy() for name in sorted(grads)]
            return record
    except Exception as error:
        return {"error": first_line(error)}
    is_raw = isinstance(result, (np.ndarray, np.generic))
    return {"outputs": [result]} if is_raw else {"value": repr(result)}


def attributes(mx) -> dict[str, bool]:
    """The public attributes of the oracle's array, and whether they are there to be used."""
    x = mx.np.ones((2, 2))
    found = {}
    for name in dir(type(x)):
        if name[0] == "_":
            continue
        try:
            value = getattr(x, name)
            if inspect.ismethod(value):
                value(*[x] * (name in ("broadcast_like", "reshape_like", "slice_like")))
        except AttributeError:
            found[name] = False
        except Exception:
            found[name] = True
        else:
            found[name] = True
    return found


if __name__ == "__main__":
    main()
