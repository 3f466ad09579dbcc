"""Ask the oracle, real MXNet 1.9.1, for the results of the programs in tests/np/.

Run it where MXNet is installed, whenever programs were added or changed; gluon is not needed:

    /path/to/oracle/bin/python recorded/make_np.py np npx np_functions
    /path/to/oracle/bin/python recorded/make_np.py np_gluon

It writes ``np.npz`` and ``npx.npz`` beside itself: for each program ``outputs`` (one array) and
``grads`` (one for each variable), ``value`` (the `repr` of any other result), or ``error``. Under
``attributes`` the former lists the attributes of the oracle's array: whether each works, or is
refused. ``np_gluon.npz`` has ``kinds``, a result with its arrays marked by their class, and
``outputs``, or ``error``.
"""

from __future__ import annotations

import inspect
import os
import sys
import warnings

import numpy as np
from make import HERE, Pack, apart, first_line

#: The names of what to make.
WANTED = sys.argv[1:]
if WANTED == ["np_gluon"]:  # alone, since recurrent layers work with MKL-DNN only
    os.environ["MXNET_MKLDNN_ENABLED"] = "1"


def main() -> None:
    import mxnet as mx

    from tests.np import function_programs, npx_programs, programs

    mx.npx.set_np()
    warnings.simplefilter("ignore")
    if "np" in WANTED:
        make(mx, "np", programs.PROGRAMS, {"attributes": attributes(mx)})
    if "npx" in WANTED:
        make(mx, "npx", npx_programs.PROGRAMS, {})
    if "np_functions" in WANTED:
        make(mx, "np_functions", function_programs.PROGRAMS, {})
    if "np_gluon" in WANTED:
        make_gluon(mx)


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


def make_gluon(mx) -> None:
    """Write what the programs with Gluon give as ``np_gluon.npz``."""
    from tests.np.gluon_programs import PROGRAMS

    pack, index = Pack(), {}
    for name in PROGRAMS:
        record = apart(run, mx, name)
        record["outputs"] = [pack.add(array) for array in record.get("outputs", ())]
        index[name] = record
    pack.save(HERE / "np_gluon.npz", index)
    print(*(f"{one}: {index[one]['error']}" for one in index if "error" in index[one]), sep="\n")


def run(mx, name: str) -> dict:
    from tests.np.gluon_programs import PROGRAMS, Modules, leaves

    gluon = mx.gluon
    modules = Modules(
        *(mx.np, mx.npx, mx.autograd, gluon, gluon.nn, gluon.rnn, gluon.loss, mx.metric, mx.init),
        *(gluon.data, mx.optimizer, mx.image, mx.nd),
    )
    try:
        kinds, arrays = leaves(modules, PROGRAMS[name](modules))
    except Exception as error:
        return {"error": f"{type(error).__name__}: {first_line(error)}"}
    return {"kinds": kinds, "outputs": arrays}


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
