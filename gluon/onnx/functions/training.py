"""Steps of optimizers, of the domain ``ai.onnx.preview.training``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ... import np
from .table import FUNCTIONS, number

TRAINING = "ai.onnx.preview.training."
#: A step of one weight: (rate, count of steps, weight, gradient, states) -> (weight, states).
Step = Callable[..., tuple[Any, ...]]


def _adagrad(
    *,
    decay_factor: float = 0.0,
    epsilon: float = 1e-6,
    norm_coefficient: float = 0.0,
) -> Step:
    def step(rate: Any, count: float, x: Any, g: Any, h: Any) -> tuple[Any, ...]:
        g = norm_coefficient * x + g
        h = h + g * g
        return x - rate / (1 + count * decay_factor) * g / (np.sqrt(h) + epsilon), h

    return step


def _adam(
    *,
    alpha: float = 0.9,
    beta: float = 0.999,
    epsilon: float = 1e-6,
    norm_coefficient: float = 0.0,
    norm_coefficient_post: float = 0.0,
) -> Step:
    def step(rate: Any, count: float, x: Any, g: Any, v: Any, h: Any) -> tuple[Any, ...]:
        g = norm_coefficient * x + g
        v = alpha * v + (1 - alpha) * g
        h = beta * h + (1 - beta) * (g * g)
        if count > 0:
            rate = rate * ((1 - beta**count) ** 0.5 / (1 - alpha**count))
        x = x - rate * (v / (np.sqrt(h) + epsilon))
        return (1 - norm_coefficient_post) * x, v, h

    return step


def _momentum(*, alpha: float, beta: float, mode: str, norm_coefficient: float) -> Step:
    def step(rate: Any, count: float, x: Any, g: Any, v: Any) -> tuple[Any, ...]:
        g = norm_coefficient * x + g
        v = alpha * v + (beta if count > 0 else 1) * g
        return x - rate * (g + alpha * v if mode == "nesterov" else v), v

    return step


def _of_weights(rule: Callable[..., Step], states: int) -> Callable[..., Any]:
    """Create the operator: it takes all weights, then all gradients, then states by kind."""

    def operator(R: Any, T: Any, *inputs: Any, outputs: int = 1, **attributes: Any) -> Any:
        step, many = rule(**attributes), len(inputs) // (2 + states)
        rows = [inputs[k::many] for k in range(many)]
        found = [step(R, number(T), *row) for row in rows]
        return tuple(
            new.astype(row[0].dtype) for each in zip(*found) for new, row in zip(each, rows)
        )

    return operator


FUNCTIONS |= {
    TRAINING + "Adagrad": _of_weights(_adagrad, 1),
    TRAINING + "Adam": _of_weights(_adam, 2),
    TRAINING + "Momentum": _of_weights(_momentum, 1),
}
