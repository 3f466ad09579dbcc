"""Random programs of views, copies, writes and recordings, against the same program on NumPy.

The model of each array is a NumPy array that shares memory exactly where MXNet's arrays do.
"""

import random

import numpy as np

from gluon import autograd, nd
from tests.each import each


def record(x, model, kept):
    y = nd.ones(x.shape)
    y.attach_grad()
    with autograd.record():
        product = x * y
    kept.append((product, y, model.copy()))


def write(x, model, value):
    x[:] = value
    model[...] = value


def write_row(x, model, value):
    x[value % len(x)] = value
    model[value % len(model)] = value


def add(x, model, value):
    x += value
    model += value


#: name -> (what it gives from an array, what it gives from the model)
LOOKS = {
    "row": (lambda x: x[len(x) - 1], lambda m: m[-1] if m.ndim > 1 else m[-1:]),
    "rows": (lambda x: x[1:], lambda m: m[1:]),
    "reshape": (lambda x: x.reshape(-1), lambda m: m.reshape(-1)),
    "detach": (lambda x: x.detach(), lambda m: m[...]),
    "transpose": (lambda x: x.T, lambda m: m.T.copy()),
    "expand_dims": (lambda x: x.expand_dims(0), lambda m: m[None].copy()),
    "copy": (lambda x: x.copy(), lambda m: m.copy()),
    "gather": (lambda x: x[[0, 0]], lambda m: m[[0, 0]]),
}
WRITES = (write, write_row, add)


@each("seed", range(200))
def test_arrays_share_memory_exactly_where_the_model_does(seed):
    rng = random.Random(seed)
    model = np.arange(12, dtype="float32").reshape(3, 4)
    arrays, kept = [(nd.array(model), model)], []
    for _ in range(25):
        x, model = rng.choice(arrays)
        action = rng.choice([*LOOKS, *WRITES, *WRITES, "record", "drop"])
        if action in LOOKS and len(x) > 1:
            look, model_look = LOOKS[action]
            arrays.append((look(x), np.ascontiguousarray(model_look(model))))
        elif action in WRITES:
            action(x, model, rng.randrange(100))
        elif action == "record":
            record(x, model, kept)
        elif action == "drop" and len(arrays) > 1:
            arrays.pop(rng.randrange(len(arrays)))
        for array, wanted in arrays:
            np.testing.assert_array_equal(array.asnumpy(), wanted)
    for product, y, seen in kept:
        product.backward()
        np.testing.assert_array_equal(y.grad.asnumpy(), seen)
