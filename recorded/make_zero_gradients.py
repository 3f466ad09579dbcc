"""Ask the oracle, real MXNet 1.9.1, which inputs of its operators get a gradient, zeros included.

Run it where MXNet is installed, whenever samples were added; gluon is not needed:

    /path/to/oracle/bin/python recorded/make_zero_gradients.py

It writes ``zero_gradients.json``: for the first samples of each operator, what becomes of the
gradient of each floating input, which was filled with a mark before.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from recorded.make import apart, as_array, as_list  # noqa: E402

#: How many samples of one operator, and what the gradients are filled with.
MOST, MARK = 4, 7777


def chosen(families: dict) -> list:
    """The samples that are asked about: the first ones of each operator."""
    found: dict[str, list] = {}
    for samples in families.values():
        for sample in samples:
            group = found.setdefault(sample.op, [])
            if sample.has_reference and not sample.writes and not sample.out and len(group) < MOST:
                group.append(sample)
    return [sample for group in found.values() for sample in group]


def reached(mx, sample) -> dict:
    """``reached``: whether each floating input got a gradient, and "zeros" for one of zeros."""
    function = mx.nd
    for part in sample.op.split("."):
        function = getattr(function, part)
    inputs = [as_array(mx, raw) for raw in sample.raws()]
    arrays = [x for one in inputs for x in as_list(one) if isinstance(x, mx.nd.NDArray)]
    floats = [x for x in arrays if np.dtype(x.dtype).kind == "f"]
    for x in floats:
        x.attach_grad()
        x.grad[:] = MARK
    other = mx.nd.ones((1,))
    other.attach_grad()
    try:
        with mx.autograd.record(train_mode=sample.training):
            results = as_list(function(*inputs, **sample.keywords(inputs)))
            total = other * 2
            for y in results:
                total = total + y.astype("float32").sum()
        total.backward()
        grads = [x.grad.asnumpy() for x in floats]
    except Exception as error:
        return {"error": type(error).__name__}
    says = ["no" if (g == MARK).all() and g.size else "yes" if g.any() else "zeros" for g in grads]
    return {"reached": says}


def main() -> None:
    import mxnet as mx

    from tests._core.ops.samples import FAMILIES

    found = {str(sample): apart(reached, mx, sample) for sample in chosen(FAMILIES)}
    path = HERE / "zero_gradients.json"
    path.write_text(json.dumps(found, indent=0, sort_keys=True) + "\n")
    print(f"{len(found)} samples")


if __name__ == "__main__":
    main()
