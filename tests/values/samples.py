"""Values of public classes, computed by NumPy alone: for what MXNet lacks, and where it differs.

A sample is what makes the thing, as text, what it is called with, and what is right. Each needs one
here, or a program that is compared with MXNet's results; `test_values.py` says which lack both.
"""

from __future__ import annotations

import colorsys
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np


def drawn(*shape: int, seed: int = 0) -> np.ndarray:
    return np.random.RandomState(seed).uniform(-1, 1, shape)


class Layer(NamedTuple):
    """A layer or a loss; its gradients are compared with finite differences as well.

    `right` is given the values of the parameters by their names without the prefix, and `inputs`.
    """

    text: str
    inputs: Sequence[np.ndarray]
    right: Callable[..., Any]
    training: bool = False
    #: Whether there are derivatives: not where it is linear between integers, and at those.
    smooth: bool = True


class Optimizer(NamedTuple):
    """`right` is given a weight and the gradients of some updates, and gives the last weight."""

    text: str
    right: Callable[[np.ndarray, list[np.ndarray]], np.ndarray]


class Metric(NamedTuple):
    """`right` is what ``get()`` gives, without the names, after updates with pairs of batches."""

    text: str
    batches: Sequence[tuple[np.ndarray, np.ndarray]]
    right: Any


class Initializer(NamedTuple):
    """`holds` says whether values are right for a weight of this shape."""

    text: str
    shape: tuple[int, ...]
    holds: Callable[[np.ndarray], Any]


class Transform(NamedTuple):
    """`holds` says whether what 40 calls with `picture` give is right."""

    text: str
    holds: Callable[[np.ndarray, list[np.ndarray]], Any]
    picture: np.ndarray


class Schedule(NamedTuple):
    """`right` are the rates at updates 1, 2, ..."""

    text: str
    right: Sequence[float]


def batch_norm_relu(p: dict, x: np.ndarray) -> np.ndarray:
    """Batch normalization in predict mode with its initial statistics, mean 0 and variance 1."""
    return np.maximum(x / np.sqrt(1 + 1e-5), 0)


def deformable(p: dict, x: np.ndarray) -> np.ndarray:
    """With its initial offsets of 0 and mask of 1, the layer is a convolution of 1 x 1."""
    weight = p["deformable_conv_weight"][:, :, 0, 0]
    bias = p["deformable_conv_bias"][:, None, None]
    return np.einsum("oc,nchw->nohw", weight, x) + bias


def momentum(rate: float, share: float) -> Callable:
    """Gradient descent with momentum."""

    def right(weight: np.ndarray, gradients: list[np.ndarray]) -> np.ndarray:
        step = np.zeros_like(weight)
        for gradient in gradients:
            step = share * step - rate * gradient
            weight = weight + step
        return weight

    return right


LAYERS = [
    Layer("nn.Embedding(3, 2)", [np.array([2, 0, 2])], lambda p, x: p["weight"][x.astype(int)]),
    Layer(
        "sequence(nn.Sequential(), nn.Dense(3, in_units=2), nn.Activation('tanh'))",
        [drawn(4, 2)],
        lambda p, x: np.tanh(x @ p["0.weight"].T + p["0.bias"]),
    ),
    Layer("nn.BatchNormReLU(in_channels=3)", [drawn(2, 3, 2)], batch_norm_relu),
    Layer("nn.Lambda('tanh')", [drawn(2, 3)], lambda p, x: np.tanh(x)),
    Layer(
        "sequence(nn.HybridSequential(), nn.Dense(3, in_units=2), nn.Activation('tanh'))",
        [drawn(4, 2)],
        lambda p, x: np.tanh(x @ p["0.weight"].T + p["0.bias"]),
    ),
    Layer(
        "sequence(contrib.nn.Concurrent(), nn.Flatten(), nn.Activation('tanh'))",
        [drawn(4, 2)],
        lambda p, x: np.concatenate([x, np.tanh(x)], axis=-1),
    ),
    Layer(
        "sequence(contrib.nn.HybridConcurrent(axis=0), nn.Flatten(), nn.Activation('tanh'))",
        [drawn(4, 2)],
        lambda p, x: np.concatenate([x, np.tanh(x)], axis=0),
    ),
    Layer(
        "contrib.cnn.ModulatedDeformableConvolution(2, 1, in_channels=3)",
        [drawn(1, 3, 4, 4)],
        deformable,
        smooth=False,
    ),
]
LOSSES = [
    Layer(
        "loss.L2Loss(weight=3)",
        [drawn(4, 3), drawn(4, 3, seed=1)],
        lambda p, x, y: 3 * ((x - y) ** 2).mean(axis=1) / 2,
    ),
]
OPTIMIZERS = [Optimizer("SGD(learning_rate=0.2, momentum=0.9)", momentum(0.2, 0.9))]
LABELS, SCORES = np.array([0, 1, 1]), np.array([[0.9, 0.1], [0.6, 0.4], [0.25, 0.75]])
METRICS = [
    Metric(
        "CompositeEvalMetric(['acc', metric.CrossEntropy(eps=0)])",
        [(LABELS, SCORES)],
        [2 / 3, -np.log([0.9, 0.4, 0.75]).mean()],
    ),
]
INITIALIZERS = [
    Initializer("Constant(3)", (2, 3), lambda x: (x == 3).all()),
    Initializer("Mixed(['gamma', '.*'], ['one', 'zero'])", (2, 3), lambda x: (x == 0).all()),
]


def adamw(weight: np.ndarray, gradients: list[np.ndarray]) -> np.ndarray:
    mean = square = np.zeros_like(weight)
    for t, gradient in enumerate(gradients, 1):
        mean, square = 0.9 * mean + 0.1 * gradient, 0.999 * square + 0.001 * gradient**2
        step = mean / (1 - 0.9**t) / (np.sqrt(square / (1 - 0.999**t)) + 1e-8)
        weight = weight - 0.1 * (step + 0.02 * weight)
    return weight


OPTIMIZERS += [Optimizer("AdamW(learning_rate=0.1, wd=0.02)", adamw)]


def flipped(axis: int) -> Callable:
    """About half of the results are the image, the others its mirror image."""

    def holds(x: np.ndarray, results: list[np.ndarray]) -> bool:
        mirrored = [np.array_equal(y, np.flip(x, axis)) for y in results]
        kept = [np.array_equal(y, x) for y in results]
        return 8 <= sum(mirrored) == 40 - sum(kept) <= 32

    return holds


def brighter(x: np.ndarray, results: list[np.ndarray]) -> bool:
    """All values times one factor, which is drawn between 0.7 and 1.3."""
    factors = [(y / x).mean() for y in results]
    alike = all(np.allclose(y, factor * x, rtol=1e-4) for y, factor in zip(results, factors))
    return alike and 0.7 <= min(factors) < 0.85 and 1.15 < max(factors) <= 1.3


def turned(x: np.ndarray, results: list[np.ndarray]) -> bool:
    """Lightness and saturation stay; the hue of all pixels turns by up to half a circle."""

    def hls(picture: np.ndarray) -> np.ndarray:
        return np.array([colorsys.rgb_to_hls(*pixel) for pixel in picture.reshape(-1, 3).tolist()])

    before, turns = hls(x), []
    for y in results:
        after = hls(y)
        turn = np.exp(2j * np.pi * (after[:, 0] - before[:, 0]))
        turns.append(np.angle(turn[0]) / np.pi)
        if not (
            np.allclose(turn, turn[0], atol=1e-2)
            and np.allclose(after[:, 1:], before[:, 1:], atol=1e-2)
        ):
            return False
    return -1 <= min(turns) < -0.8 and 0.8 < max(turns) <= 1


PICTURE = np.random.RandomState(0).uniform(0.1, 0.9, (4, 5, 3)).astype("float32")
TRANSFORMS = [
    Transform("RandomFlipLeftRight()", flipped(1), PICTURE),
    Transform("RandomFlipTopBottom()", flipped(0), PICTURE),
    Transform("RandomColorJitter(brightness=0.3)", brighter, PICTURE),
    Transform("RandomHue(0.5)", turned, PICTURE),
]
SCHEDULES = [Schedule("FactorScheduler(2, 0.5, base_lr=1)", [1, 1, 0.5, 0.5, 0.25])]
