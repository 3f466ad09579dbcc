"""Collective operators in one process; `tests/distributed` has them in several."""

from __future__ import annotations

import numpy as np

from tests._core.ops.sample import Sample, s

KINDS = ("sum", "mean", "max", "min", "product")


def same(name: str, data: str, **attrs: object) -> Sample:
    """In a group of one process, a collective returns its input."""
    return s(f"F.{name}", data, **attrs).but(right=lambda x: x)


SAMPLES = [
    *(same("allreduce", shape, reduction=op) for op in KINDS for shape in ("2x3", "()", "0x3")),
    *(same("allreduce", "3 float16", reduction=op).but(rtol=2e-3) for op in ("sum", "mean")),
    *(
        s("F.allreduce", "3 integers int32", reduction=op).but(wrt=(), right=lambda x: x)
        for op in ("sum", "max")
    ),
    s("F.allreduce", "3 integers int32", reduction="mean").but(refused=True),
    s("F.allreduce", "2x3", reduction="median").but(refused=True),
    s("F.allreduce", "2x3", ranks=(0, 1)).but(refused=True),
    s("F.other_product", "2x3").but(right=np.ones_like),
    *(same("broadcast_from", shape, root=0) for shape in ("2x3", "()", "0x3")),
    s("F.broadcast_from", "2x3", root=1).but(refused=True),
    *(same("reduce_to", shape, root=0) for shape in ("2x3", "()", "0x3")),
    s("F.reduce_to", "2x3", root=-1).but(refused=True),
    *(same("allgather", shape) for shape in ("2x3", "0x3", "3x0")),
    s("F.allgather", "()").but(refused=True),
    *(same("reduce_scatter", shape) for shape in ("2x3", "0x3", "3x0")),
    s("F.reduce_scatter", "2x3", lengths=(3,)).but(refused=True),
    same("alltoall", "2x3", given=(2,), gotten=(2,)),
    s("F.send", "2x3", ranks=(0,)).but(right=lambda _: np.zeros((), "float32")),
    s("F.receive", "()", shape=(2,), dtype="float32", ranks=(0,)).but(
        right=lambda _: np.zeros(2, "float32"), wrt=()
    ),
    s("F.send", "2x3", ranks=(0, 1)).but(refused=True),
    s("F.alltoall", "()", given=(1,), gotten=(1,)).but(refused=True),
]
