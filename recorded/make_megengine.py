"""Ask MegEngine 1.13 for the results of the programs in tests/megengine/programs.py.

Run it where MegEngine is installed, whenever programs were added or changed; gluon is not needed:

    /path/to/python recorded/make_megengine.py

It writes ``megengine.npz`` beside itself: for each expression its outputs and gradients, and how
it is printed; for each program its ``texts`` and ``outputs``.
"""

from __future__ import annotations

import sys

import numpy as np
from make import HERE, Pack, first_line


def main() -> None:
    sys.path.insert(0, str(HERE.parent / "tests" / "megengine"))
    import megengine
    from programs import EXPRESSIONS, evaluate, programs

    pack = Pack()
    index: dict[str, dict] = {}
    for name in EXPRESSIONS:
        index[name] = kept(pack, name, lambda name=name: evaluate(megengine, name))
    for name, program in programs().items():
        index[name] = kept(pack, name, lambda program=program: sorted_out(program(megengine)))
    pack.save(HERE / "megengine.npz", index)
    print(len(index), "programs")


def sorted_out(results: list) -> dict:
    return {
        "texts": [one for one in results if isinstance(one, str)],
        "outputs": [
            one if isinstance(one, np.ndarray) else one.numpy()
            for one in results
            if not isinstance(one, str)
        ],
    }


def kept(pack: Pack, name: str, run) -> dict:
    try:
        record = run()
    except Exception as error:
        print(f"{name}: {first_line(error)}")
        return {"error": first_line(error)}
    for key in {"outputs", "grads"} & set(record):
        record[key] = [pack.add(array) for array in record[key]]
    return record


if __name__ == "__main__":
    main()
