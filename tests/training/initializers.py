"""Programs of initializers, that run on MXNet 1.9.1 and on gluon alike."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable

from tests.training.callbacks import logs

NAMES = [
    *("x_weight", "x_bias", "x_gamma", "x_beta", "x_min", "x_max", "weight", "stn_bias"),
    *("upsampling0_weight", "stn_loc_weight", "stn_loc_bias", "xweight"),
]
#: Names that MXNet knows in plain strings only.
OLD_NAMES = ["x_moving_mean", "x_moving_var", "x_moving_inv_var", "x_moving_avg", "upsampling0_x"]

#: Initializers that draw nothing, and shapes.
FIXED = [
    ("Zero()", (2, 3)),
    ("One()", (3,)),
    ("Constant(3)", (2, 3)),
    ("Constant(nd.array([1, 2, 3]))", (2, 3)),
    ("Bilinear()", (2, 3, 4, 4)),
    ("Bilinear()", (1, 2, 5, 5)),
    ("Bilinear()", (1, 1, 3, 3)),
    ("Bilinear()", (2, 1, 3, 6)),
    ("Bilinear()", (1, 1, 1, 1)),
    ("LSTMBias()", (8,)),
    ("LSTMBias(2.5)", (12,)),
    ("LSTMBias(2.5)", (7,)),
    ("LSTMBias()", (8, 2)),
]

SETTINGS = [
    *("Zero()", "One()", "Constant(3)", "Uniform()", "Uniform(2)"),
    *("Normal()", "Normal(sigma=2)", "Orthogonal()", "Orthogonal(2, 'normal')", "Xavier()"),
    *("Xavier('gaussian', 'in', 2)", "MSRAPrelu()", "MSRAPrelu('out', 0)", "Bilinear()"),
    *("LSTMBias()", "LSTMBias(forget_bias=2)"),
    "FusedRNN(None, 3, 2, 'lstm')",
]

MODES = [
    (mode, both, layers)
    for mode in ("rnn_relu", "rnn_tanh", "lstm", "gru")
    for both in (False, True)
    for layers in (1, 2)
]
GATES = {"rnn_relu": 1, "rnn_tanh": 1, "lstm": 4, "gru": 3}


def made(mx, text):
    return eval(text, {**vars(mx.init), "nd": mx.nd})


def counting(mx):
    """An initializer that numbers the weights it is given, and remembers their names."""

    class Counting(mx.init.Initializer):
        def __init__(self):
            super().__init__()
            self.names = []

        def _init_weight(self, name, arr):
            self.names.append(f"{name} {arr.shape}")
            arr[:] = len(self.names)

    return Counting()


def fixed(mx, text: str, shape: tuple) -> list:
    found = []
    for dtype in ("float32", "float16", "float64"):
        array = mx.nd.ones(shape, dtype=dtype) * 7
        made(mx, text)(mx.init.InitDesc("x_weight"), array)
        found.append(array)
    return found


def named(mx) -> list:
    """Arrays by their names."""
    found = []
    for name in NAMES + OLD_NAMES:
        for desc in (name, mx.init.InitDesc(name)):
            if name in OLD_NAMES and desc is not name:
                continue
            array = mx.nd.ones((6,) if "stn" in name else (1, 1, 4, 4)) * 7
            mx.init.Constant(5)(desc, array)
            found.append(array)
    return found


def chosen(mx) -> list:
    """An initializer in the description goes before the name, whatever the form of it."""
    init, found = mx.init, []
    for attribute in ("ones", '["constant", {"value": 3}]', init.Constant(4), init.One().dumps()):
        for name in ("x_bias", "other"):
            array = mx.nd.zeros((2,))
            init.Zero()(init.InitDesc(name, {"__init__": attribute}), array)
            found.append(array)
    desc = init.InitDesc("x_weight", {"a": "1"})
    one = init.One()
    before = desc.global_init
    one(desc, array)
    texts = [str(desc), repr(desc.attrs), str(before), str(desc.global_init is one)]
    other = init.InitDesc("x_weight", global_init=init.Zero())
    one(other, array)
    return [*found, *texts, type(other.global_init).__name__]


def settings(mx) -> list:
    """Descriptions, equality, and initializers made from descriptions."""
    init, found = mx.init, []
    for text in SETTINGS:
        one = made(mx, text)
        again = init.create(one.dumps())
        found += [one.dumps(), again.dumps(), str(one == again), str(one == init.Uniform(9))]
    for given in ("xavier", "Xavier", "zeros", "ones", "zero", "one", "msraprelu", "lstmbias"):
        found.append(init.create(given).dumps())
    found += [init.create("uniform", 0.5).dumps(), init.create("normal", sigma=3).dumps()]
    found.append(init.Constant(mx.nd.array([1, 2])).dumps())
    found.append(init.FusedRNN(init.Xavier(), 3, 2, "gru", True, 0.5).dumps())
    return [*found, init.create('["xavier", {"magnitude": 2}]').dumps()]


def mixed(mx) -> list:
    init, found = mx.init, []
    one = init.Mixed(
        ["bias", ".*_bias", "first", ".*"],
        [init.Constant(2), init.Constant(3), init.Constant(4), init.Constant(5)],
    )
    for name in ("bias", "x_bias", "first_weight", "x_first_weight", "first_gamma"):
        for desc in (name, init.InitDesc(name)):
            array = mx.nd.ones((2,)) * 7
            one(desc, array)
            found.append(array)
    return found


def loaded(mx) -> list:
    """Values from a dictionary and from a file, and defaults for the others."""
    nd, init, found = mx.nd, mx.init, []
    saved = {"arg:x": nd.array([1, 2]), "aux:y": nd.array([3, 4]), "z_bias": nd.array([5, 6])}
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "saved.params")
        nd.save(path, saved)
        for one in (init.Load(saved), init.Load(path, init.Constant(8))):
            found.append(repr(sorted(one.param)))
            others = () if one.default_init is None else ("w_weight", "w_bias")
            for name in ("x", "y", "z_bias", *others):
                array = nd.ones((2,)) * 7
                one(name, array)
                found.append(array)
    return found


def logged(mx) -> list:
    """What initializers log."""
    with logs() as lines:
        init, nd = mx.init, mx.nd
        one = init.Constant(3)
        one(init.InitDesc("quiet_weight"), nd.zeros((2,)))
        lines.append(str(one.set_verbosity(True) is one))
        for name in ("a_weight", "a_bias", "a_gamma", "a_beta", "a_min", "a_max"):
            one(init.InitDesc(name), nd.zeros((2,)))
        one(init.InitDesc("a", {"__init__": "ones"}), nd.zeros((2,)))
        one.set_verbosity(True, lambda x: f"of {x.size}")
        one(init.InitDesc("b_weight"), nd.zeros((2, 3)))
        one.set_verbosity()
        one(init.InitDesc("quiet_weight"), nd.zeros((2,)))
        load = init.Load({"x": nd.zeros((2,))}, init.One(), verbose=True)
        load("x", nd.zeros((2,)))
        load("x_weight", nd.zeros((2,)))
    return lines


def fused(mx, mode: str, both: bool, layers: int) -> list:
    """All parameters of a recurrent network in one array."""
    hidden, inputs, sides = 3, 5, 2 if both else 1
    rows = sides * GATES[mode] * hidden
    size = rows * (inputs + hidden + 2) + (layers - 1) * rows * (sides * hidden + hidden + 2)
    one, array = counting(mx), mx.nd.ones((size,)) * -1
    desc = mx.init.InitDesc("rnn_weight", global_init=one)
    mx.init.FusedRNN(None, hidden, layers, mode, both, forget_bias=9.5)(desc, array)
    other = mx.nd.ones((size,)) * -1
    described = mx.init.FusedRNN(None, hidden, layers, mode, both).dumps()
    around = mx.init.InitDesc("x", {"__init__": described})
    counting(mx)(around, other)
    return [*one.names, array, other]


def own(mx) -> list:
    """Initializers of the user's own: other methods, other names, in parameters."""
    init = mx.init

    @init.register
    @init.alias("thrice")
    class Three(init.Initializer):
        def __init__(self, scale=1):
            super().__init__(scale=scale)
            self.scale = scale

        def _init_weight(self, name, arr):
            arr[:] = 3 * self.scale

        def _init_bias(self, name, arr):
            arr[:] = -3 * self.scale

        def _init_gamma(self, name, arr):
            arr[:] = 30

        def _init_beta(self, name, arr):
            arr[:] = 31

        def _init_default(self, name, arr):
            arr[:] = 32

    found = []
    for given in ("three", "Thrice", Three(2), '["three", {"scale": 5}]'):
        for name in ("x_weight", "x_bias", "x_gamma", "x_beta", "other"):
            array = mx.nd.zeros((2,))
            init.create(given)(init.InitDesc(name), array)
            found.append(array)
        parameter = mx.gluon.Parameter("x_bias", shape=(2,), init=given)
        parameter.initialize()
        found.append(parameter.data())
    net = mx.gluon.nn.Dense(1, in_units=2, bias_initializer=None)
    net.initialize("three")
    return [*found, net.weight.data(), net.bias.data(), Three(4).dumps()]


def programs() -> dict[str, Callable]:
    """Return all programs, by a descriptive name."""
    found: dict[str, Callable] = {
        f"init {text} {shape}": lambda mx, a=text, b=shape: fixed(mx, a, b) for text, shape in FIXED
    }
    for case in MODES:
        found[f"init fused {case}"] = lambda mx, c=case: fused(mx, *c)
    for one in (named, chosen, settings, mixed, loaded, logged, own):
        found[f"init {one.__name__}"] = one
    return found
