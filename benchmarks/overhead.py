"""The cost of one recorded operator, forward and backward together, on 16 floats.

Each program is a chain of one operator, so that starting and ending a graph hardly counts. All
libraries run the same chain through their public interface; "NumPy" is the chain's kernels,
forward and backward, called by hand. Run it from the root of the repository::

    python -m benchmarks.overhead [--quick] [--alone]
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from statistics import geometric_mean
from typing import Any, NamedTuple

import numpy as np
from gluon.progress import tracked

from gluon import autograd, nd

from . import common

LENGTH = 50
#: The maximum ratio of gluon to a peer.
GOALS = {"PyTorch": 0.45, "HIPS": 0.25, "MyGrad": None}


class Program(NamedTuple):
    """A chain.

    Attributes
    ----------
    step : callable
        ``step(m, x, w)``: one link, where `m` is the library's namespace and `w` a second input
        that is tracked too.
    forward, backward : callable
        The same by hand: ``forward(x, w)`` gives the result and what ``backward(g, kept)`` needs.
    shape : tuple of int
    operators : int
        How many operators are in one link.
    """

    step: Callable
    forward: Callable
    backward: Callable
    shape: tuple[int, ...] = (16,)
    operators: int = 1


def _exp_forward(x: Any, w: Any) -> tuple:
    y = np.exp(np.negative(x))
    return y, y


def _tanh_forward(x: Any, w: Any) -> tuple:
    y = np.tanh(x)
    return y, y


def _relu_forward(x: Any, w: Any) -> tuple:
    y = np.maximum(x, 0)
    return y, y


def _divide_forward(x: Any, w: Any) -> tuple:
    y = x / w
    return y, (y, w)


def _fill(g: Any, key: Any) -> Any:
    out = np.zeros((16,), g.dtype)
    out[key] = g
    return out


PROGRAMS = {
    "exp, -x": Program(lambda m, x, w: m.exp(-x), _exp_forward, lambda g, y: -(g * y), operators=2),
    "sin": Program(
        lambda m, x, w: m.sin(x), lambda x, w: (np.sin(x), x), lambda g, x: g * np.cos(x)
    ),
    "tanh": Program(lambda m, x, w: m.tanh(x), _tanh_forward, lambda g, y: g * (1 - y * y)),
    "relu": Program(lambda m, x, w: m.relu(x), _relu_forward, lambda g, y: g * (y > 0)),
    "x + w": Program(lambda m, x, w: x + w, lambda x, w: (x + w, ()), lambda g, _: (g, g)),
    "x - w": Program(lambda m, x, w: x - w, lambda x, w: (x - w, ()), lambda g, _: (g, -g)),
    "x * w": Program(
        lambda m, x, w: x * w,
        lambda x, w: (x * w, (x, w)),
        lambda g, kept: (g * kept[1], g * kept[0]),
    ),
    "x / w": Program(
        lambda m, x, w: x / w,
        _divide_forward,
        lambda g, kept: (g / kept[1], -g * kept[0] / kept[1]),
    ),
    "x * 2": Program(lambda m, x, w: x * 2, lambda x, w: (x * 2, ()), lambda g, _: g * 2),
    "1 - x": Program(lambda m, x, w: 1 - x, lambda x, w: (1 - x, ()), lambda g, _: -g),
    "x ** 2": Program(lambda m, x, w: x**2, lambda x, w: (x**2, x), lambda g, x: g * (2 * x)),
    "sum(axis)": Program(
        lambda m, x, w: m.sum(x),
        lambda x, w: (x.sum(1, keepdims=True), ()),
        lambda g, _: np.broadcast_to(g, (16, 1)),
        (16, 1),
    ),
    "reshape": Program(
        lambda m, x, w: x.reshape((2, 8)).reshape((4, 4)),
        lambda x, w: (x.reshape((2, 8)).reshape((4, 4)), ()),
        lambda g, _: g.reshape((2, 8)).reshape((4, 4)),
        (4, 4),
        operators=2,
    ),
    "x.T": Program(lambda m, x, w: x.T, lambda x, w: (x.T, ()), lambda g, _: g.T, (4, 4)),
    "x[0:16]": Program(
        lambda m, x, w: x[0:16],
        lambda x, w: (x[0:16], ()),
        lambda g, _: _fill(g, slice(0, 16)),
    ),
    "dot 4x4": Program(
        lambda m, x, w: m.dot(x, w),
        lambda x, w: (x @ w, (x, w)),
        lambda g, kept: (g @ kept[1].T, kept[0].T @ g),
        (4, 4),
    ),
}


def inputs(program: Program) -> tuple[np.ndarray, np.ndarray]:
    """Return values near which every chain stays: 1 ± 0, and for matrices a rotation."""
    x = np.ones(program.shape, np.float32)
    return x, np.roll(np.eye(4, dtype=np.float32), 1, 0) if x.shape == (4, 4) else np.ones_like(x)


# ------------------------------------------------------- the contenders: program -> one run of it


class Names:
    """The functions that programs call, under the same names for every library."""

    def __init__(self, **functions: Callable) -> None:
        self.__dict__.update(functions)


def with_gluon(program: Program) -> Callable[[], object]:
    m = Names(
        exp=nd.exp,
        sin=nd.sin,
        tanh=nd.tanh,
        relu=nd.relu,
        dot=nd.dot,
        sum=lambda x: x.sum(axis=1, keepdims=True),
    )
    x, w = map(nd.array, inputs(program))
    x.attach_grad()
    w.attach_grad()

    def run() -> None:
        with autograd.record():
            y = x
            for _ in range(LENGTH):
                y = program.step(m, y, w)
        y.backward()

    return run


def with_numpy(program: Program) -> Callable[[], object]:
    x, w = inputs(program)

    def run() -> Any:
        y, kept = x, []
        for _ in range(LENGTH):
            y, one = program.forward(y, w)
            kept.append(one)
        g, total = np.ones_like(y), None
        for one in reversed(kept):
            g = program.backward(g, one)
            if type(g) is tuple:
                g, dw = g
                total = dw if total is None else total + dw
        return g, total

    return run


def with_torch(torch: Any, program: Program) -> Callable[[], object]:
    m = Names(
        exp=torch.exp,
        sin=torch.sin,
        tanh=torch.tanh,
        relu=torch.relu,
        dot=torch.mm,
        sum=lambda x: x.sum(1, keepdim=True),
    )
    x, w = (torch.tensor(a, requires_grad=True) for a in inputs(program))
    ones = torch.ones(program.shape)

    def run() -> None:
        x.grad = w.grad = None
        y = x
        for _ in range(LENGTH):
            y = program.step(m, y, w)
        y.backward(ones)

    return run


def with_hips(_: Any, program: Program) -> Callable[[], object]:
    import autograd.numpy as anp
    from autograd import make_vjp

    m = Names(
        exp=anp.exp,
        sin=anp.sin,
        tanh=anp.tanh,
        relu=lambda x: anp.maximum(x, 0),
        dot=anp.dot,
        sum=lambda x: anp.sum(x, axis=1, keepdims=True),
    )
    arrays = inputs(program)

    def chain(x: Any, w: Any) -> Any:
        for _ in range(LENGTH):
            x = program.step(m, x, w)
        return x

    differentiate = make_vjp(chain, (0, 1))

    def run() -> Any:
        vjp, y = differentiate(*arrays)
        return vjp(np.ones_like(y))

    return run


def with_mygrad(mg: Any, program: Program) -> Callable[[], object]:
    from mygrad.nnet.activations import relu

    m = Names(
        exp=mg.exp,
        sin=mg.sin,
        tanh=mg.tanh,
        relu=relu,
        dot=mg.matmul,
        sum=lambda x: mg.sum(x, axis=1, keepdims=True),
    )
    x, w = map(mg.tensor, inputs(program))

    def run() -> None:
        y = x
        for _ in range(LENGTH):
            y = program.step(m, y, w)
        y.backward()
        x.null_grad()
        w.null_grad()

    return run


WITH = {"PyTorch": with_torch, "HIPS": with_hips, "MyGrad": with_mygrad}

# ------------------------------------------------------------------- Function, and a whole graph


class Doubled(autograd.Function):
    """A minimal Function."""

    def forward(self, x: Any) -> Any:
        return x * 2

    def backward(self, g: Any) -> Any:
        return g * 2


def function_with_gluon() -> Callable[[], object]:
    chain = Program(lambda m, x, w: Doubled()(x), lambda x, w: None, lambda g, kept: None)
    return with_gluon(chain)


def function_with_torch(torch: Any) -> Callable[[], object]:
    class TorchDoubled(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return x * 2

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            return g * 2

    chain = Program(lambda m, x, w: TorchDoubled.apply(x), lambda x, w: None, lambda g, kept: None)
    return with_torch(torch, chain)


def graph_with_gluon() -> Callable[[], object]:
    """Build a graph of one operator and run it backward."""
    x = nd.ones((16,))
    x.attach_grad()

    def run() -> None:
        with autograd.record():
            y = x * x
        y.backward()

    return run


def graph_with_torch(torch: Any) -> Callable[[], object]:
    x, ones = torch.ones(16, requires_grad=True), torch.ones(16)

    def run() -> None:
        x.grad = None
        y = x * x
        y.backward(ones)

    return run


# ----------------------------------------------------------------------------------- the report


def measure(rounds: int, found: dict) -> list[tuple[str, dict[str, float]]]:
    """Return microseconds for each row of the table and each contender."""
    results = []
    for name, program in tracked(PROGRAMS.items(), len(PROGRAMS), "operators", "row"):
        contenders = {"gluon": with_gluon(program), "NumPy": with_numpy(program)}
        contenders |= {peer: WITH[peer](module, program) for peer, module in found.items()}
        times = common.race(contenders, rounds)
        count = LENGTH * program.operators
        results.append((name, {who: seconds / count * 1e6 for who, seconds in times.items()}))
    functions, graphs = {"gluon": function_with_gluon()}, {"gluon": graph_with_gluon()}
    if torch := found.get("PyTorch"):
        functions["PyTorch"] = function_with_torch(torch)
        graphs["PyTorch"] = graph_with_torch(torch)
    times = common.race(functions, rounds)
    results.append(("Function", {who: t / LENGTH * 1e6 for who, t in times.items()}))
    times = common.race(graphs, rounds * LENGTH)
    results.append(("a whole graph", {who: t * 1e6 for who, t in times.items()}))
    return results


def report(results: list[tuple[str, dict[str, float]]]) -> str:
    """Return the table."""
    header = ["µs", "gluon", "NumPy", *common.PEERS, *(f"/ {name}" for name in common.PEERS)]
    rows = []
    for name, times in results:
        absolute = [f"{times[who]:.2f}" if who in times else "-" for who in header[1:6]]
        goals = GOALS if name in PROGRAMS else dict.fromkeys(GOALS)
        relative = [common.ratio(times["gluon"], times.get(who), goals[who]) for who in GOALS]
        rows.append([name, *absolute, *relative])
    return common.table(header, rows)


def averages(results: list[tuple[str, dict[str, float]]]) -> str:
    """Return one line: the geometric mean over operators of the ratios to each peer."""
    rows = [times for name, times in results if name in PROGRAMS]
    means = [
        f"{geometric_mean([row['gluon'] / row[who] for row in rows]):.2f} of {who}"
        for who in GOALS
        if who in rows[0]
    ]
    return f"On average over the operators (geometric mean): {', '.join(means) or 'no peer'}."


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--quick", action="store_true", help="a few rounds, to see that it runs")
    parser.add_argument("--alone", action="store_true", help="leave the peers out")
    options = parser.parse_args()
    rounds = 1 if options.quick else 60
    found = {} if options.alone else common.peers()
    if "PyTorch" in found:
        found["PyTorch"].set_num_threads(1)
    results = measure(rounds, found)
    print("\nOne operator, forward and backward, on 16 float32.")
    print(common.machine(found.values()) + "\n")
    print(report(results))
    print("\n" + averages(results))
    print(
        f"Goals: at most {GOALS['PyTorch']} of PyTorch and {GOALS['HIPS']} of HIPS autograd for"
        " each operator (! where missed),\nat most 10 µs for a Function, its own two operators"
        " included, where PyTorch takes about 5 µs for an operator."
    )


if __name__ == "__main__":
    main()
