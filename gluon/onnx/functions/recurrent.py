"""Recurrent layers, step by step: `RNN`, `GRU` and `LSTM` in one or both directions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ... import np, npx
from ..._core.errors import ArgumentError
from .activation import Elu, HardSigmoid, LeakyRelu, ThresholdedRelu
from .table import FUNCTIONS, implements, made

#: The activations by lower-case name; alpha and beta are their arguments.
ACTIVATIONS: dict[str, Callable[..., Any]] = {
    "affine": lambda x, alpha, beta: x * alpha + beta,
    "elu": lambda x, alpha, beta: Elu(x, alpha=alpha),
    "hardsigmoid": lambda x, alpha, beta: HardSigmoid(x, alpha=alpha, beta=beta),
    "leakyrelu": lambda x, alpha, beta: LeakyRelu(x, alpha=alpha),
    "relu": lambda x, alpha, beta: npx.relu(x),
    "scaledtanh": lambda x, alpha, beta: np.tanh(x * beta) * alpha,
    "sigmoid": lambda x, alpha, beta: npx.sigmoid(x),
    "softplus": lambda x, alpha, beta: FUNCTIONS["Softplus"](x),
    "softsign": lambda x, alpha, beta: FUNCTIONS["Softsign"](x),
    "tanh": lambda x, alpha, beta: np.tanh(x),
    "thresholdedrelu": lambda x, alpha, beta: ThresholdedRelu(x, alpha=alpha),
}
#: The default values of alpha and beta.
DEFAULTS = {"elu": (1.0, 0.0), "hardsigmoid": (0.2, 0.5), "leakyrelu": (0.01, 0.0)}


def _activations(
    names: Sequence[str], alphas: Sequence[float], betas: Sequence[float], clip: float | None
) -> list[Callable[[Any], Any]]:
    """Return the activation functions, each of one array."""
    alphas, betas = list(alphas), list(betas)
    found = []
    for name in names:
        kind = name.lower()
        if kind not in ACTIVATIONS:
            raise ArgumentError(
                f"activation {name!r} is unknown; ONNX has {', '.join(ACTIVATIONS)}"
            )
        alpha, beta = DEFAULTS.get(kind, (1.0, 0.0))
        if kind in ("affine", "elu", "hardsigmoid", "leakyrelu", "scaledtanh", "thresholdedrelu"):
            alpha = alphas.pop(0) if alphas else alpha
        if kind in ("affine", "hardsigmoid", "scaledtanh"):
            beta = betas.pop(0) if betas else beta
        found.append(_clipped(ACTIVATIONS[kind], alpha, beta, clip))
    return found


def _clipped(
    function: Callable[..., Any], alpha: float, beta: float, clip: float | None
) -> Callable[[Any], Any]:
    if clip is None:
        return lambda x: function(x, alpha, beta)
    return lambda x: function(np.clip(x, -clip, clip), alpha, beta)


class _Layer:
    """Shared by the three operators: directions, masks of lengths, and layouts."""

    def __init__(
        self,
        gates: int,
        default: Sequence[str],
        arrays: Sequence[Any],
        *,
        activations: Sequence[str] = (),
        activation_alpha: Sequence[float] = (),
        activation_beta: Sequence[float] = (),
        clip: float | None = None,
        direction: str = "forward",
        hidden_size: int | None = None,
        layout: int = 0,
    ) -> None:
        x, w, r, b, lengths, *states = arrays
        self.x = np.swapaxes(x, 0, 1) if layout else x
        self.layout, self.direction, self.r = layout, direction, r
        self.size = r.shape[-1]
        count = r.shape[0]
        names = list(activations) or list(default) * count
        each = len(default)
        made_ = _activations(names, activation_alpha, activation_beta, clip)
        self.functions = [made_[k * each : (k + 1) * each] for k in range(count)]
        zeros = np.zeros((count, gates * self.size), dtype=x.dtype)
        self.wb, self.rb = (zeros, zeros) if b is None else np.split(b, 2, 1)
        self.w = w
        self.states = [self._state(one) for one in states]
        self.lengths = None if lengths is None else lengths.raw

    def _state(self, given: Any) -> Any:
        if given is None:
            shape = (self.r.shape[0], self.x.shape[1], self.size)
            return np.zeros(shape, dtype=self.x.dtype)
        return np.swapaxes(given, 0, 1) if self.layout else given

    def run(self, step: Callable[..., tuple[Any, ...]]) -> tuple[Any, ...]:
        """Return all outputs: the values of every step, and the last states.

        ``step(projected, states, r, rb, functions, k)`` gives the next states.
        """
        ways = [
            self._one_way(step, k, self.direction == "reverse" or k == 1)
            for k in range(self.r.shape[0])
        ]
        y = np.stack([one for one, _ in ways], 1)
        last = [np.stack(list(each)) for each in zip(*(states for _, states in ways))]
        if self.layout:
            y = y.transpose((2, 0, 1, 3))
            last = [np.swapaxes(one, 0, 1) for one in last]
        return (y, *last)

    def _one_way(self, step: Any, k: int, backwards: bool) -> tuple[Any, list[Any]]:
        projected = np.matmul(self.x, self.w[k].T) + self.wb[k]
        states = [one[k] for one in self.states]
        steps = range(len(projected))
        outs: list[Any] = [None] * len(projected)
        for t in reversed(steps) if backwards else steps:
            new = step(projected[t], states, self.r[k], self.rb[k], self.functions[k], k)
            outs[t] = new[0]
            if self.lengths is not None:
                goes_on = made((t < self.lengths)[:, None])
                outs[t] = np.where(goes_on, new[0], np.zeros_like(new[0]))
                new = [np.where(goes_on, a, b) for a, b in zip(new, states)]
            states = list(new)
        return np.stack(outs), states


@implements
def RNN(
    X: Any,
    W: Any,
    R: Any,
    B: Any = None,
    sequence_lens: Any = None,
    initial_h: Any = None,
    *,
    outputs: int = 1,
    **attributes: Any,
) -> Any:
    layer = _Layer(1, ["Tanh"], (X, W, R, B, sequence_lens, initial_h), **attributes)

    def step(x: Any, states: Any, r: Any, rb: Any, functions: Any, k: int) -> tuple[Any]:
        return (functions[0](x + np.matmul(states[0], r.T) + rb),)

    return layer.run(step)[:outputs]


@implements
def GRU(
    X: Any,
    W: Any,
    R: Any,
    B: Any = None,
    sequence_lens: Any = None,
    initial_h: Any = None,
    *,
    linear_before_reset: int = 0,
    outputs: int = 1,
    **attributes: Any,
) -> Any:
    layer = _Layer(3, ["Sigmoid", "Tanh"], (X, W, R, B, sequence_lens, initial_h), **attributes)
    size = layer.size

    def step(x: Any, states: Any, r: Any, rb: Any, functions: Any, k: int) -> tuple[Any]:
        (h,) = states
        gate, candidate = functions
        both = gate(x[:, : 2 * size] + np.matmul(h, r[: 2 * size].T) + rb[: 2 * size])
        update, reset = both[:, :size], both[:, size:]
        last, bias = r[2 * size :].T, rb[2 * size :]
        if linear_before_reset:
            inner = reset * (np.matmul(h, last) + bias)
        else:
            inner = np.matmul(reset * h, last) + bias
        new = candidate(x[:, 2 * size :] + inner)
        return (new + update * (h - new),)

    return layer.run(step)[:outputs]


@implements
def LSTM(
    X: Any,
    W: Any,
    R: Any,
    B: Any = None,
    sequence_lens: Any = None,
    initial_h: Any = None,
    initial_c: Any = None,
    P: Any = None,
    *,
    input_forget: int = 0,
    outputs: int = 1,
    **attributes: Any,
) -> Any:
    arrays = (X, W, R, B, sequence_lens, initial_h, initial_c)
    layer = _Layer(4, ["Sigmoid", "Tanh", "Tanh"], arrays, **attributes)

    def step(x: Any, states: Any, r: Any, rb: Any, functions: Any, k: int) -> tuple[Any, Any]:
        h, c = states
        gate, candidate, squash = functions
        i, o, f, g = np.split(x + np.matmul(h, r.T) + rb, 4, 1)
        if P is not None:
            of_i, of_o, of_f = np.split(P[k], 3)
            i, f = i + of_i * c, f + of_f * c
        i = gate(i)
        f = 1 - i if input_forget else gate(f)
        c = f * c + i * candidate(g)
        o = gate(o if P is None else o + of_o * c)
        return o * squash(c), c

    return layer.run(step)[:outputs]
