"""Connectionist temporal classification."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ..engine.op import define
from ..kernels import ctc as kernels
from ..kernels.memory import beside

ctc_states: Final = define(
    "ctc_states",
    kernels.ctc_states,
    "The states that alignments of labels pass through, how they end and whether there are any",
    many=True,
)


def _ctc_paths(F: Any, g: Any, x: Any, skips: Any, y: Any) -> Any:
    """The recursion backwards: a state hands its cotangent to those that its paths came from.

    It does so in proportion to their share, exp(y[t-1, s-k] + x[t, s] - y[t, s]) for a move by
    k = 0, 1, 2 states. Shares are laid where they come from, at s-k.
    """
    steps, batch, size = x.shape
    if steps == 1:
        return g
    gone = F.pad((x - y)[1:], width=((0, 0), (0, 0), (0, 2)), value=kernels.NEVER)
    ways = [y[:-1] + gone[:, :, k : k + size] for k in range(3)]
    no_skip = beside(x, np.zeros((batch, 2), bool))
    skipping = F.concat(skips, no_skip, axis=1)[:, 2:]
    ways[2] = F.where(F.broadcast_to(skipping, shape=ways[2].shape), ways[2], kernels.NEVER)
    shares = [F.split(F.exp(way), sections=steps - 1, axis=0) for way in ways]
    parts = F.split(g, sections=steps, axis=0)
    beyond = beside(x, np.zeros((1, batch, 2), x.dtype))
    total = parts[-1]
    totals = [total]
    for t in range(steps - 2, -1, -1):
        wide = F.concat(total, beyond, axis=2)
        total = parts[t]
        for k in range(3):
            total = total + shares[k][t] * wide[:, :, k : k + size]
        totals.append(total)
    return F.concat(*reversed(totals), axis=0)


ctc_paths: Final = define(
    "ctc_paths",
    kernels.ctc_paths,
    "The logarithm of the probability of all paths in a state at a step, given that of its class",
    x=_ctc_paths,
)
log_sum_exp: Final = define(
    "log_sum_exp",
    kernels.log_sum_exp,
    "The logarithm of the sum of exp(x) over `axis`",
    x=lambda F, g, x, y, axis: F.expand_dims(g, axis=axis) * F.exp(x - F.expand_dims(y, axis=axis)),
)
