"""Record the results of all operator samples with the oracle, MXNet 1.9.1.

Run it where MXNet is installed, whenever samples were added or changed; gluon is not needed:

    /path/to/oracle/bin/python recorded/make.py             # all families of operators
    /path/to/oracle/bin/python recorded/make.py conv pool   # these alone

It writes ``operators/<family>.npz`` beside itself: for each sample its outputs and first gradients,
or the error.
"""

from __future__ import annotations

import json
import os
import pickle
import re
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
os.environ.update(OMP_NUM_THREADS="1", MXNET_ENGINE_TYPE="NaiveEngine")
#: MXNet reads it when it is imported, and its RNN gives nonsense in float32 without MKL-DNN.
os.environ["MXNET_MKLDNN_ENABLED"] = str(int(sys.argv[1:] == ["rnn"]))
os.environ["MXNET_USE_SIGNAL_HANDLER"] = "0"
#: How many seconds MXNet may take for one sample: on some input it hangs.
LIMIT = 60


class Pack:
    """Many small arrays as one flat array for each dtype, with an index in JSON."""

    def __init__(self) -> None:
        self.flat: dict[str, list] = {}
        self.size: dict[str, int] = {}

    def add(self, array) -> list:
        """Store `array`, and return its address: dtype, start, shape."""
        array = np.asarray(array)
        name = array.dtype.name
        start = self.size.get(name, 0)
        self.flat.setdefault(name, []).append(array.ravel())
        self.size[name] = start + array.size
        return [name, start, list(array.shape)]

    def save(self, path: Path, index: dict) -> None:
        text = json.dumps(index, sort_keys=True).encode()
        arrays = {name: np.concatenate(parts) for name, parts in self.flat.items()}
        np.savez_compressed(path, index=np.frombuffer(text, np.uint8), **arrays)


def load(path: Path) -> dict:
    """Read a file of `Pack.save`, with arrays in place of their addresses."""
    with np.load(path) as file:
        flats = {name: file[name] for name in file.files}
    index = json.loads(flats.pop("index").tobytes())

    def array(address: list):
        name, start, shape = address
        size = int(np.prod(shape, dtype=np.int64))
        return flats[name][start : start + size].reshape(shape)

    for record in index.values():
        for key in {"outputs", "grads", "written"} & set(record):
            record[key] = [array(at) for at in record[key]]
    return index


def main() -> None:
    from tests._core.ops.samples import FAMILIES

    families = sys.argv[1:] or FAMILIES
    if len(families) == 1:
        write(*families)
    else:
        for family in families:
            subprocess.run([sys.executable, __file__, family], check=True)


def write(family: str) -> None:
    """Write the reference of one family."""
    import mxnet as mx

    from tests._core.ops.samples import FAMILIES

    pack = Pack()
    index = {}
    for sample in FAMILIES[family]:
        if sample.has_reference:
            record = apart(evaluate, mx, sample)
            for key in {"outputs", "grads", "written"} & set(record):
                record[key] = [pack.add(array) for array in record[key]]
            index[str(sample)] = record
    pack.save(HERE / "operators" / f"{family}.npz", index)
    errors = {name: record["error"] for name, record in index.items() if "error" in record}
    print(*(f"{name}: {error}" for name, error in errors.items()), sep="\n")
    print(f"{family}: {len(index)} samples, {len(errors)} of them errors")


def apart(function, *args) -> dict:
    """Call `function` in a child process: on some input MXNet corrupts its memory or dies."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        signal.alarm(LIMIT)
        with os.fdopen(writing, "wb") as pipe:
            pickle.dump(function(*args), pipe)
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        data = pipe.read()
    _, status = os.waitpid(child, 0)
    return pickle.loads(data) if status == 0 else {"error": "the oracle crashes"}


def evaluate(mx, sample) -> dict:
    """The record of one sample: ``error``, or ``outputs`` and ``grads`` (or ``grad_error``)."""
    from tests._core.ops.sample import head_gradient

    function = mx.nd
    for part in sample.op.split("."):
        if not hasattr(function, part):
            return {"error": f"the oracle has no {sample.op}"}
        function = getattr(function, part)
    raws = sample.raws()
    places = sample.variables(raws)
    inputs = [as_array(mx, raw) for raw in raws]
    flat = [x for k in places for x in as_list(inputs[k])]
    for x in flat:
        x.attach_grad()
    try:
        with mx.autograd.record(train_mode=sample.training):
            results = function(*inputs, **sample.keywords(inputs))
        outputs = as_list(results)
        record = {"outputs": [y.asnumpy() for y in outputs]}
        record["written"] = [x.asnumpy() for k in sample.writes for x in as_list(inputs[k])]
    except Exception as error:
        try:  # it may be the recording that MXNet cannot do
            outputs = as_list(function(*inputs, **sample.keywords(inputs)))
            values = [y.asnumpy() for y in outputs]
            return {"outputs": values, "grad_error": first_line(error)}
        except Exception:
            return {"error": first_line(error)}
    heads = [y for y in outputs if y.dtype in (np.float16, np.float32, np.float64)]
    if not flat or not heads:
        return record
    try:
        cotangents = [
            mx.nd.array(head_gradient(k, y.shape, y.dtype), dtype=y.dtype)
            for k, y in enumerate(outputs)
            if any(y is head for head in heads)
        ]
        mx.autograd.backward(heads, cotangents, train_mode=sample.training)
        record["grads"] = [x.grad.asnumpy() for x in flat]
        record["written"] = [x.asnumpy() for k in sample.writes for x in as_list(inputs[k])]
    except Exception as error:
        record["grad_error"] = first_line(error)
    return record


def as_array(mx, raw):
    if isinstance(raw, list):
        return [as_array(mx, one) for one in raw]
    return mx.nd.array(raw, dtype=raw.dtype) if isinstance(raw, np.ndarray) else raw


def as_list(value) -> list:
    return list(value) if isinstance(value, (list, tuple)) else [value]


def first_line(error: Exception) -> str:
    """The kind of an error with the line that says what is wrong, without file names."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()] or [""]
    said = next((line for line in lines if "Error" in line or "Check failed" in line), lines[-1])
    said = re.sub(r"\[[\d:]+\] ", "", said.split(": Error ")[-1])  # the time of day
    return f"{type(error).__name__}: {said[:100]}"


if __name__ == "__main__":
    main()
