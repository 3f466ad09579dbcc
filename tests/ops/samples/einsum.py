"""Sums over products of entries with common indices."""

from __future__ import annotations

from functools import partial

import numpy as np

from tests.ops.sample import Sample, s

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


def _sample(subscripts: str, *inputs: str, **attrs: object) -> Sample:
    right = partial(np.einsum, subscripts)
    return s("F.einsum", *inputs, subscripts=subscripts, **attrs).but(right=right)


SAMPLES: list[Sample] = [
    *(_sample(*call) for call in CALLS),
    _sample("ij,jk,kl->il", "2x3", "3x4", "4x2", optimize=True),
]
