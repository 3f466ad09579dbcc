"""Optimization: by hand in two dimensions, over minibatches, and with gluon's optimizers."""

from __future__ import annotations

import contextlib
import io
import math

from d2l import mxnet as d2l
from harness import Result, generator, program
from mxnet import autograd, lr_scheduler, np


def train_2d(trainer, f, gradient) -> Result:
    """Descend with a rule from d2l's starting point; the losses are values of `f`."""
    with contextlib.redirect_stdout(io.StringIO()) as said:
        results = d2l.train_2d(trainer, f_grad=gradient)
    assert said.getvalue().startswith("epoch 20, x1:")
    d2l.show_trace_2d(f, results)
    return Result(f(*results[0]), f(*results[-1]))


def bowl(x1, x2):
    """A quadratic function with different curvatures along its axes."""
    return 0.1 * x1**2 + 2 * x2**2


def slopes(x1, x2):
    """Its gradient."""
    return 0.2 * x1, 4 * x2


@program("train_2d, show_trace_2d: gradient descent")
def descent() -> Result:
    def step(x1, x2, s1, s2, gradient):
        g1, g2 = gradient(x1, x2)
        return x1 - 0.4 * g1, x2 - 0.4 * g2, 0, 0

    return train_2d(step, bowl, slopes)


@program("train_2d: gradients by autograd")
def recorded() -> Result:
    def gradient(x1, x2):
        x = np.array([x1, x2])
        x.attach_grad()
        with autograd.record():
            y = bowl(x[0], x[1])
        y.backward()
        return x.grad[0].item(), x.grad[1].item()

    def step(x1, x2, s1, s2, gradient):
        g1, g2 = gradient(x1, x2)
        s1, s2 = 0.9 * s1 + 0.1 * g1**2, 0.9 * s2 + 0.1 * g2**2
        return x1 - 0.4 * g1 / math.sqrt(s1 + 1e-6), x2 - 0.4 * g2 / math.sqrt(s2 + 1e-6), s1, s2

    return train_2d(step, bowl, gradient)


# ------------------------------------------------------------------------------ minibatches


def airfoil() -> tuple:
    """Made-up measurements in the file format of those that d2l downloads."""
    rng = generator(21)
    X = rng.normal(size=(600, 5))
    y = X @ rng.normal(size=5) + 0.3 * rng.normal(size=600)
    with open("airfoil.dat", "w") as file:
        for row, value in zip(X, y):
            file.write("\t".join(f"{number:.6f}" for number in [*row, value]) + "\n")
    d2l.download = lambda *_: "airfoil.dat"
    _, features = d2l.get_data_ch11(batch_size=10, n=600)
    data = np.genfromtxt("airfoil.dat", dtype="float32", delimiter="\t")
    data = (data - data.mean(axis=0)) / data.std(axis=0)
    return d2l.load_array((data[:, :-1], data[:, -1]), 10, is_train=False), features


def zeros(features: int, count: int = 1) -> list:
    """States of a rule for the weights and the bias: `count` arrays each."""
    shapes = (features, 1), 1
    states = [tuple(np.zeros(shape) for _ in range(count)) for shape in shapes]
    return states if count > 1 else [state for (state,) in states]


def from_scratch(step, states, settings: dict) -> Result:
    """Train a linear model with a rule on arrays; the loss of its first weights is almost 0.5."""
    loader, features = airfoil()
    _, losses = d2l.train_ch11(step, states(features), settings, loader, features)
    return Result(0.5, losses[-1])


def concise(name: str, settings: dict) -> Result:
    """The same with an optimizer of gluon. The loss is half the squared error."""
    with contextlib.redirect_stdout(io.StringIO()) as said:
        d2l.train_concise_ch11(name, settings, airfoil()[0])
    return Result(0.5, float(said.getvalue().rpartition("loss: ")[2].split(",")[0]))


@program("get_data_ch11, train_ch11: momentum")
def momentum() -> Result:
    def step(params, states, settings):
        for p, v in zip(params, states):
            v[:] = settings["momentum"] * v + p.grad
            p[:] -= settings["lr"] * v

    return from_scratch(step, zeros, {"lr": 0.005, "momentum": 0.9})


@program("train_ch11: Adagrad")
def adagrad() -> Result:
    def step(params, states, settings):
        for p, s in zip(params, states):
            s[:] += np.square(p.grad)
            p[:] -= settings["lr"] * p.grad / np.sqrt(s + 1e-6)

    return from_scratch(step, zeros, {"lr": 0.1})


@program("train_ch11: Adadelta")
def adadelta() -> Result:
    def step(params, states, settings):
        rho = settings["rho"]
        for p, (s, delta) in zip(params, states):
            s[:] = rho * s + (1 - rho) * np.square(p.grad)
            g = (np.sqrt(delta + 1e-5) / np.sqrt(s + 1e-5)) * p.grad
            p[:] -= g
            delta[:] = rho * delta + (1 - rho) * g * g

    return from_scratch(step, lambda n: zeros(n, 2), {"rho": 0.9})


@program("train_ch11: Adam and Yogi")
def adam() -> Result:
    def step(params, states, settings):
        for p, (v, s) in zip(params, states):
            v[:] = 0.9 * v + 0.1 * p.grad
            s[:] = s + 0.001 * np.sign(np.square(p.grad) - s) * np.square(p.grad)
            v_hat = v / (1 - 0.9 ** settings["t"])
            s_hat = s / (1 - 0.999 ** settings["t"])
            p[:] -= settings["lr"] * v_hat / (np.sqrt(s_hat) + 1e-3)
        settings["t"] += 1

    return from_scratch(step, lambda n: zeros(n, 2), {"lr": 0.01, "t": 1})


@program("train_concise_ch11: sgd")
def concise_sgd() -> Result:
    return concise("sgd", {"learning_rate": 0.005, "momentum": 0.9})


@program("train_concise_ch11: adagrad")
def concise_adagrad() -> Result:
    return concise("adagrad", {"learning_rate": 0.1})


@program("train_concise_ch11: rmsprop")
def concise_rmsprop() -> Result:
    return concise("rmsprop", {"learning_rate": 0.01, "gamma1": 0.9})


@program("train_concise_ch11: adadelta")
def concise_adadelta() -> Result:
    return concise("adadelta", {"rho": 0.9})


@program("train_concise_ch11: adam with a schedule")
def concise_adam() -> Result:
    schedule = lr_scheduler.CosineScheduler(
        120, base_lr=0.03, final_lr=0.005, warmup_steps=5, warmup_begin_lr=0
    )
    return concise("adam", {"learning_rate": 0.03, "lr_scheduler": schedule})
