"""Sums over products of entries with common indices."""

from __future__ import annotations

from functools import partial

import numpy as np

from tests._core.ops.sample import Sample, s

#: The subscripts, and the shapes of the inputs.
CALLS = [
    ("ij,jk->ik", "2x3", "3x4"),
    ("ij,kj->ik", "2x1", "3x4"),
    ("ij,ij->", "2x3", "2x3"),
    ("i,j->ij", "2", "3"),
    ("ij->", "2x3"),
    ("ij->ji", "2x3"),
    ("ij->j", "2x3"),
    ("ii->", "3x3"),
    ("ii->i", "3x3"),
    ("iij->j", "3x3x2"),
    ("iii,i->i", "2x2x2", "2"),
    ("bij,bjk->bik", "2x2x3", "2x3x4"),
    ("bij,jk->bik", "2x2x3", "3x4"),
    ("ij,jk,kl->il", "2x3", "3x4", "4x2"),
    ("ij,k->ij", "2x3", "4"),
    (",ij->ij", "()", "2x3"),
    ("ij,jk->ik", "0x3", "3x4"),
    ("ij,jk->ik", "2x0", "0x4"),
]


#: Calls of so many products that they are computed as products of matrices.
LARGE = [
    ("ij,jk->ki", "12x20", "20x24"),
    ("bij,bkj->bik", "3x12x12", "3x12x12"),
    ("bqhd,bkhd->bhqk", "2x6x3x8", "2x7x3x8"),
    ("bhqk,bkhd->bqhd", "2x3x6x7", "2x7x3x8"),
    ("nchw,oc->nohw", "2x5x6x7", "11x5"),
    ("ijk,kjl->il", "9x5x6", "6x5x20"),
    ("iij,jkl->ki", "5x5x12", "12x9x9"),
    ("ij,j->i", "80x60", "60"),
    ("ij,kj->ik", "20x1", "30x12"),
    ("ij,jk,kl->il", "9x8", "8x7", "7x10"),
    ("ik,jk,k->ij", "20x18", "16x18", "18"),
    ("bi,ijk,bk->bj", "6x9", "9x10x11", "6x11"),
]


def _spread(x: np.ndarray) -> np.ndarray:
    y = np.zeros((2, 2, 3), x.dtype)
    for i in range(2):
        y[i, i] = x[i]
    return y


def _sample(subscripts: str, *inputs: str, **attrs: object) -> Sample:
    right = partial(np.einsum, subscripts)
    return s("F.einsum", *inputs, subscripts=subscripts, **attrs).but(right=right)


SAMPLES: list[Sample] = [
    *(_sample(*call) for call in CALLS),
    _sample("ij,jk,kl->il", "2x3", "3x4", "4x2", optimize=True),
    *(_sample(*call).but(rtol=1e-4) for call in LARGE),
    s("F.spread", "2x3", subscripts="iij->ij", shape=(2, 2, 3)).but(right=_spread),
]
