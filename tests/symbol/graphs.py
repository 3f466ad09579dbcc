"""Graphs drawn at random, of the same operators from the same seed in gluon and in MXNet."""

from __future__ import annotations

import json
from collections.abc import Callable
from random import Random
from typing import Any

#: How many there are.
COUNT = 200
UNARY = (
    "abs arctan cbrt ceil cos exp erf floor log1p negative relu rint round sigmoid sign sin"
    " softsign sqrt square tanh trunc zeros_like ones_like BlockGrad log_softmax softmax"
    " hard_sigmoid identity make_loss degrees reciprocal"
).split()
REDUCTIONS = "sum mean max min prod nansum norm".split()
BROADCAST = (
    "broadcast_add broadcast_sub broadcast_mul broadcast_div broadcast_maximum broadcast_power"
    " broadcast_greater broadcast_equal broadcast_hypot"
).split()


class Drawing:
    """One graph while it grows.

    Attributes
    ----------
    sym : module
        ``mxnet.sym`` or ``gluon.sym``.
    x : Symbol
    shape : list of int
        The lengths of the axes of `x`.
    """

    def __init__(self, sym: Any, seed: int) -> None:
        self.sym, self.random = sym, Random(seed)
        ndim = self.random.choice((2, 3, 4, 4, 4))
        self.given = {"data": tuple(self.random.choice((2, 4, 6, 8)) for _ in range(ndim))}
        self.x = sym.var("data")
        self.ndim = ndim
        self.count = 0

    def grow(self) -> Any:
        """The graph after some operators."""
        for _ in range(self.random.randint(3, 9)):
            steps = [step for step, axes in STEPS if self.ndim in axes]
            self.random.choice(steps)(self)
        return self.x

    def name(self) -> dict[str, str]:
        """Draw a name, or None."""
        self.count += 1
        return {"name": f"n{self.count}"} if self.random.random() < 0.5 else {}

    def axis(self) -> int:
        """Draw one of the axes."""
        return self.random.randrange(-self.ndim, self.ndim)


def unary(d: Drawing) -> None:
    d.x = getattr(d.sym, d.random.choice(UNARY))(d.x, **d.name())


def number(d: Drawing) -> None:
    value = d.random.choice((2, 0.5, -1))
    how: Callable[[Any], Any] = d.random.choice(
        (
            lambda x: x + value,
            lambda x: value - x,
            lambda x: x * value,
            lambda x: value / x,
            lambda x: x**value,
            lambda x: x > value,
            lambda x: x % 3,
            lambda x: -x,
        )
    )
    d.x = how(d.x)


def with_itself(d: Drawing) -> None:
    other = d.sym.tanh(d.x)
    d.x = d.random.choice(
        (
            lambda: d.x + other,
            lambda: d.x * other,
            lambda: d.sym.maximum(d.x, other),
            lambda: d.sym.add_n(d.x, other, d.x, **d.name()),
            lambda: d.sym.where(other, d.x, other),
            lambda: d.x - d.sym.var("same"),
        )
    )()


def reduce(d: Drawing) -> None:
    keepdims = d.random.random() < 0.5
    name = d.random.choice(REDUCTIONS)
    d.x = getattr(d.sym, name)(d.x, axis=d.axis(), keepdims=keepdims, **d.name())
    d.ndim -= not keepdims


def broadcast(d: Drawing) -> None:
    small = d.sym.mean(d.x, axis=d.axis(), keepdims=True)
    d.x = getattr(d.sym, d.random.choice(BROADCAST))(d.x, small, **d.name())


def dense(d: Drawing) -> None:
    flatten = d.random.random() < 0.7
    spec = {"num_hidden": d.random.choice((4, 6)), "no_bias": d.random.random() < 0.3}
    if not flatten:
        spec["flatten"] = False
    d.x = d.sym.FullyConnected(d.x, **spec, **d.name())
    d.ndim = 2 if flatten else d.ndim


def convolve(d: Drawing) -> None:
    spec: dict[str, Any] = {"kernel": (3, 3), "pad": (1, 1), "num_filter": d.random.choice((4, 8))}
    if d.random.random() < 0.3:
        spec["no_bias"] = True
    if d.random.random() < 0.4:
        spec["stride"] = (2, 2)
        spec["pad"] = (2, 2)
    layer = d.random.choice((d.sym.Convolution, d.sym.Deconvolution))
    d.x = layer(d.x, **spec, **d.name())


def pool(d: Drawing) -> None:
    d.x = d.sym.Pooling(
        d.x,
        kernel=(2, 2),
        stride=(2, 2),
        pad=(1, 1),
        pool_type=d.random.choice(("max", "avg", "sum")),
        pooling_convention=d.random.choice(("valid", "full")),
        global_pool=d.random.random() < 0.2,
        **d.name(),
    )


def normalize(d: Drawing) -> None:
    layer, spec = d.random.choice(
        (
            ("BatchNorm", {"fix_gamma": False}),
            ("BatchNorm", {}),
            ("LayerNorm", {"axis": -1}),
            ("InstanceNorm", {"eps": 0.1}),
            ("LeakyReLU", {"act_type": "prelu"}),
            ("LeakyReLU", {"act_type": "leaky", "slope": 0.1}),
            ("Dropout", {"p": 0.3}),
            ("Activation", {"act_type": "relu"}),
            ("L2Normalization", {}),
        )
    )
    d.x = getattr(d.sym, layer)(d.x, **spec, **d.name())


def concatenate(d: Drawing) -> None:
    d.x = d.sym.Concat(d.x, d.sym.exp(d.x), dim=d.random.randrange(d.ndim), **d.name())


def stack(d: Drawing) -> None:
    d.x = d.sym.stack(d.x, d.x, axis=d.axis(), **d.name())
    d.ndim += 1


def expand(d: Drawing) -> None:
    d.x = d.sym.expand_dims(d.x, axis=d.axis(), **d.name())
    d.ndim += 1


def flatten(d: Drawing) -> None:
    d.x = d.sym.Flatten(d.x, **d.name())
    d.ndim = 2


def reshape(d: Drawing) -> None:
    shape, ndim = d.random.choice((((0, -1), 2), ((-1,), 1), ((0, 0, -1), 3), ((-3, -2), -1)))
    if len(shape) > d.ndim:
        return
    d.x = d.sym.Reshape(d.x, shape=shape, **d.name())
    d.ndim = d.ndim + ndim if ndim < 0 else ndim


def transpose(d: Drawing) -> None:
    axes = list(range(d.ndim))
    d.random.shuffle(axes)
    d.x = d.sym.transpose(d.x, axes=tuple(axes), **d.name())


def swap(d: Drawing) -> None:
    d.x = d.sym.SwapAxis(d.x, dim1=0, dim2=d.ndim - 1, **d.name())


def cut(d: Drawing) -> None:
    d.x = d.sym.slice_axis(d.x, axis=d.axis(), begin=0, end=1, **d.name())


def one_slice(d: Drawing) -> None:
    d.x = d.sym.slice(d.x, begin=(0, 0), end=(1, None), **d.name())


def tile(d: Drawing) -> None:
    d.x = d.sym.tile(d.x, reps=(2,) * d.random.randint(1, d.ndim), **d.name())


def repeat(d: Drawing) -> None:
    d.x = d.sym.repeat(d.x, repeats=2, axis=d.axis(), **d.name())


def pad(d: Drawing) -> None:
    width = (0, 0, 0, 0, 1, 2, 0, 1)
    d.x = d.sym.Pad(d.x, mode="constant", pad_width=width, constant_value=1, **d.name())


def pick_best(d: Drawing) -> None:
    kind = d.random.choice(("value", "indices", "mask"))
    d.x = d.sym.topk(d.x, axis=d.axis(), k=1, ret_typ=kind, **d.name())


def embed(d: Drawing) -> None:
    d.x = d.sym.Embedding(d.x, input_dim=10, output_dim=3, **d.name())
    d.ndim += 1


def one_hot(d: Drawing) -> None:
    d.x = d.sym.one_hot(d.x, depth=5, **d.name())
    d.ndim += 1


def take(d: Drawing) -> None:
    d.x = d.sym.take(d.sym.var("table", shape=(5, 2)), d.x, **d.name())
    d.ndim += 1


def dot(d: Drawing) -> None:
    d.x = d.sym.dot(d.x, d.x, transpose_b=True, **d.name())


def batch_dot(d: Drawing) -> None:
    d.x = d.sym.batch_dot(d.x, d.x, transpose_a=True, **d.name())


def recur(d: Drawing) -> None:
    mode = d.random.choice(("lstm", "gru", "rnn_tanh"))
    spec = {"state_size": 3, "num_layers": d.random.choice((1, 2)), "mode": mode}
    d.x = d.sym.RNN(d.x, bidirectional=d.random.random() < 0.5, **spec, **d.name())


def divide(d: Drawing) -> None:
    parts = d.sym.SliceChannel(d.sym.Concat(d.x, d.x, dim=1), num_outputs=2, axis=1, **d.name())
    d.x = parts[0] + parts[1]


def grow_picture(d: Drawing) -> None:
    d.x = d.sym.UpSampling(d.x, scale=2, sample_type="nearest", **d.name())


ANY = range(1, 5)
#: What can be done, and to arrays of how many axes.
STEPS = (
    *[(step, ANY) for step in (unary, unary, number, number, with_itself, pick_best)],
    *[(step, range(2, 5)) for step in (reduce, reduce, broadcast, dense, normalize, normalize)],
    *[(step, range(2, 5)) for step in (concatenate, flatten, reshape, transpose, swap, cut)],
    *[(step, range(2, 5)) for step in (one_slice, tile, repeat, divide)],
    *[(step, range(1, 4)) for step in (stack, expand, embed, one_hot)],
    (take, range(1, 3)),
    *[(step, (4,)) for step in (convolve, convolve, pool, pad, grow_picture)],
    (dot, (2,)),
    (batch_dot, (3,)),
    (recur, (3,)),
)


def drawn(sym: Any, seed: int) -> tuple[Any, dict[str, tuple[int, ...]]]:
    """The graph of a seed, and the shape of its data."""
    drawing = Drawing(sym, seed)
    return drawing.grow(), drawing.given


def described(symbol: Any, given: dict[str, tuple[int, ...]]) -> dict[str, Any]:
    """Properties of a graph that are compared between both libraries."""
    found: dict[str, Any] = {
        "names": [symbol.list_arguments(), symbol.list_outputs(), symbol.list_auxiliary_states()],
        "internals": symbol.get_internals().list_outputs(),
        "json": json.loads(symbol.tojson()),
        "attributes": symbol.attr_dict(),
    }
    shapes = symbol.infer_shape(**given)
    found["shapes"] = shapes[0] and [[list(one) for one in group] for group in shapes]
    return found
