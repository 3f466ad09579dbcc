"""Steps of optimizers with a rate for each value: the weight as ``out``, the states, settings."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests._core.ops.sample import Sample, s
from tests._core.ops.samples.optimizer import FULL, aside, each_dtype, half, refused, update

W, G, M, V = "2x3", "2x3 unit", "2x3 unit", "2x3 positive"
ZEROS = "[[0, 0, 0], [0, 0, 0]]"
BETAS = {"beta1": 0.8, "beta2": 0.9, "epsilon": 0.01}
NAN_GRADIENT = "[[nan, inf, -inf], [1e30, 0, -1e-30]]"

ADAM = [
    *each_dtype("adam_update", W, G, M, V, states=2, lr=0.1),
    *each_dtype("adam_update", W, G, M, V, states=2, lr=0.1, **BETAS, **FULL),
    update("adam_update", W, G, ZEROS, ZEROS, states=2, lr=0.1),
    aside(update("adam_update", W, G, M, V, states=2, lr=0.1, lazy_update=False)),
    s("adam_update", W, G, M, V, 0.1, 0.8, 0.9, 0.01, 0.1, 2, 0.3).but(wrt=(), writes=(2, 3)),
    update("adam_update", W, NAN_GRADIENT, M, V, states=2, lr=0.1),
    s("adam_update", *["0x3"] * 4, lr=0.1).but(wrt=(), right=lambda w, g, m, v: w),
    s("adam_update", *["[1, 0] float16"] * 2, *["[0, 0] float16"] * 2, lr=1).but(
        wrt=(),
        writes=(2, 3),
        rtol=3e-3,
        differs="epsilon is 0 in float16, and MXNet divides by it",
        right=lambda w, g, m, v: np.array([1 - 0.1 / 0.001**0.5, 0], "float16"),
    ),
    refused("adam_update", W, G, M, V),
    refused("adam_update", W, G, M, "3x2", lr=0.1),
]
LEADERS = [
    *each_dtype("ftml_update", W, G, V, V, M, states=3, lr=0.1, t=3, half=2e-2),
    *each_dtype(
        *("ftml_update", W, G, V, V, M),
        **{"states": 3, "lr": 0.1, "t": 2, "wd": 0.1, "rescale_grad": 2, "clip_grad": 0.3},
        **BETAS,
    ),
    update("ftml_update", W, G, ZEROS, ZEROS, ZEROS, states=3, lr=0.1, t=1),
    aside(update("ftml_update", W, G, V, V, M, states=3, lr=0.1, t=1)),
    refused("ftml_update", W, G, V, V, M, lr=0.1),
    refused("ftml_update", W, G, V, V, M, lr=0.1, t=0).but(
        differs="a learning rate of 0 gives NaN in MXNet", refused=True
    ),
    refused("ftml_update", W, G, V, V, M, lr=0, t=1).but(
        differs="a learning rate of 0 gives NaN in MXNet", refused=True
    ),
    *each_dtype("ftrl_update", W, G, M, V, states=2, lr=0.1, half=2e-2),
    *each_dtype("ftrl_update", W, G, M, V, states=2, lr=0.1, lamda1=0.5, beta=2, half=2e-2, **FULL),
    update("ftrl_update", W, G, ZEROS, ZEROS, states=2, lr=0.1, lamda1=0.3),
    aside(update("ftrl_update", W, G, M, V, states=2, lr=0.1)),
    update("ftrl_update", W, NAN_GRADIENT, M, V, states=2, lr=0.1),
    refused("ftrl_update", W, G, M, V, lr=0).but(
        differs="a learning rate of 0 gives NaN in MXNet", refused=True
    ),
]
RMSPROP = [
    *each_dtype("rmsprop_update", W, G, V, states=1, lr=0.1),
    *each_dtype(
        "rmsprop_update",
        W,
        G,
        V,
        states=1,
        lr=0.1,
        gamma1=0.8,
        epsilon=0.01,
        clip_weights=0.5,
        **FULL,
    ),
    update("rmsprop_update", W, G, ZEROS, states=1, lr=0.1, clip_weights=0),
    aside(update("rmsprop_update", W, G, V, states=1, lr=0.1)),
    *each_dtype("rmspropalex_update", W, G, "2x3 above", M, M, states=3, lr=0.1),
    *each_dtype(
        *("rmspropalex_update", W, G, "2x3 above", M, M),
        **{"states": 3, "lr": 0.1, "gamma1": 0.8, "gamma2": 0.7, "clip_weights": 0.5},
        **FULL,
    ),
    update("rmspropalex_update", W, G, ZEROS, ZEROS, ZEROS, states=3, lr=0.1),
    aside(update("rmspropalex_update", W, G, "2x3 above", M, M, states=3, lr=0.1)),
    refused("rmspropalex_update", W, G, V, M, "2", lr=0.1),
]


def grouped(weight: Any, grad: Any, history: Any) -> Any:
    total = history + np.square(grad).mean(1, keepdims=True)
    return weight - np.float32(0.1) * grad / np.sqrt(total + np.float32(1e-5))


ROWS = {"differs": "MXNet supports sparse gradients only", "right": grouped}
CONTRIB = [
    update("contrib.group_adagrad_update", W, G, "2x1 positive", states=1, lr=0.1).but(**ROWS),
    aside(update("contrib.group_adagrad_update", W, G, "2x1 positive", states=1, lr=0.1)).but(
        **ROWS
    ),
    refused("contrib.group_adagrad_update", W, G, "2x3 positive", lr=0.1),
    *each_dtype(
        "contrib.adamw_update", W, G, M, V, states=2, rescale_grad=1, lr=0.1, eta=0.5, wd=0.1
    ),
    *each_dtype(
        *("contrib.adamw_update", W, G, M, V),
        **{"states": 2, "rescale_grad": 0.5, "lr": 0.1, "eta": 0.5, "clip_gradient": 0.3},
        **BETAS,
    ),
    s("contrib.adamw_update", W, G, M, V, "[0.5]", lr=0.1, eta=0.5).but(
        wrt=(), out=(0,), writes=(0, 2, 3)
    ),
    aside(update("contrib.adamw_update", W, G, M, V, states=2, rescale_grad=1, lr=0.1, eta=1)),
    *(
        update("contrib.adamw_update", W, G, M, V, states=2, rescale_grad=r, lr=0.1, eta=1)
        for r in (0, float("inf"), float("nan"))
    ),
    s("contrib.adamw_update", W, G, M, V, 0, lr=0.1, eta=1).but(
        wrt=(), differs="MXNet's result is not initialized", right=lambda w, *_: w
    ),
    s("contrib.adamw_update", W, G, M, V, "2 positive", lr=0.1, eta=1).but(
        wrt=(), differs="MXNet ignores the second factor", refused=True
    ),
    refused("contrib.adamw_update", W, G, M, V, 1, lr=0.1),
    update(
        "contrib.mp_adamw_update", *half(W, G, M, V), states=3, rescale_grad=1, lr=0.1, eta=0.5
    ).but(rtol=1e-3),
]
LAMB = [
    *(
        aside(one)
        for one in (
            *each_dtype("lamb_update_phase1", W, G, M, V, states=2, t=1, wd=0, half=2e-2),
            *each_dtype("lamb_update_phase1", W, G, M, V, states=2, t=3, **BETAS, **FULL),
            update("lamb_update_phase1", W, G, M, V, states=2, t=3, wd=0, bias_correction=False),
        )
    ),
    s("lamb_update_phase1", W, G, M, V, "2x3", t=1, wd=0).but(wrt=()),
    aside(update("mp_lamb_update_phase1", *half(W, G, M, V), states=3, t=2, wd=0.1)),
    refused("lamb_update_phase1", W, G, M, V, t=1),
    refused("lamb_update_phase1", W, G, M, V, wd=0),
    refused("lamb_update_phase1", W, G, M, V, t=0, wd=0).but(
        differs="update number 0 gives NaN in MXNet", refused=True
    ),
    *(
        update("lamb_update_phase2", W, G, r1, "[2]", lr=0.1, lower_bound=low, upper_bound=high)
        for r1 in ("[3]", "[0]")
        for low, high in ((-1, -1), (0, 0), (5, -1), (-1, 2), (0.1, 0.2))
    ),
    update("lamb_update_phase2", W, G, "[3]", "[0]", lr=0.1),
    *each_dtype("lamb_update_phase2", W, G, "[3]", "[2]", lr=0.1)[:1],
    aside(update("lamb_update_phase2", W, G, "[1]", "[2]", lr=0.1)),
    refused("lamb_update_phase2", W, G, "2", "2", lr=0.1),
    s("mp_lamb_update_phase2", "2x3 float16", "2x3", "[3]", "[2]", "2x3", lr=0.1).but(
        wrt=(),
        out=(0,),
        writes=(0, 4),
        differs="MXNet writes the weight, but not weight32",
        right=lambda w, g, r1, r2, full: (full - np.float32(0.15) * g).astype("float16"),
    ),
]
TWO = [["2x3", "4"], ["2x3 unit", "4 unit"], ["2x3 unit", "4 unit"], ["2x3 above", "4 above"]]
FULL_WEIGHTS = ["[[1, -2, 3], [4, 5, -6]]", "[1, 2, 0, -0.5]"]
HALF_WEIGHTS = [f"{one} float16" for one in FULL_WEIGHTS]
HALVES = [HALF_WEIGHTS, ["2x3 unit float16", "4 unit float16"], *TWO[2:], FULL_WEIGHTS]
RATES = {"lrs": [0.1, 0.2], "wds": [0.0, 0.3]}


def lists(op: str, *inputs: Any, **attrs: Any) -> Sample:
    """A call with lists of arrays, all of which are written to except the gradients."""
    places = tuple(k for k, one in enumerate(inputs) if isinstance(one, list) and k != 1)
    return s(op, *inputs, **attrs).but(wrt=(), out=(0,), writes=places)


MULTI = [
    lists("contrib.multi_adamw_update", *TWO, rescale_grad=0.5, etas=[0.5, 1], **RATES),
    lists("contrib.multi_adamw_update", *TWO, "[0.5]", etas=[1, 1], size=2, **RATES, **BETAS),
    lists("contrib.multi_adamw_update", *TWO, rescale_grad=0, etas=[0.5, 1], **RATES),
    lists("contrib.multi_mp_adamw_update", *HALVES, rescale_grad=1, etas=[0.5, 1], **RATES).but(
        rtol=1e-3
    ),
    lists("contrib.multi_lamb_update", *TWO, step_count=[1, 3], **RATES),
    lists(
        *("contrib.multi_lamb_update", *TWO),
        **{"step_count": [1, 3], "rescale_grad": 0.5, "clip_gradient": 0.3, "lower_bound": 1.5},
        **{"upper_bound": 1.9, "bias_correction": False},
        **RATES,
        **BETAS,
    ),
    lists("contrib.multi_mp_lamb_update", *HALVES, step_count=[2, 1], **RATES).but(rtol=1e-3),
    refused("contrib.multi_lamb_update", *TWO, step_count=[1], **RATES),
    refused("contrib.multi_adamw_update", *TWO, 1, [0.1], [0, 0], [1, 1]),
]
SAMPLES = [*ADAM, *LEADERS, *RMSPROP, *CONTRIB, *LAMB, *MULTI]
