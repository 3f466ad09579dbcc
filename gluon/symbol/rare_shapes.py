"""Rules for the shapes of updates, detectors and images; see `shapes`."""

from __future__ import annotations

from math import isqrt
from typing import Any

from .layer_shapes import embedding
from .move_shapes import forward, known, opened
from .node import GraphNode
from .shapes import (
    Both,
    Misfit,
    Rule,
    Shape,
    Shapes,
    alike,
    as_first,
    merged,
    one_value,
    spread,
    tupled,
)


def _several(per: int, more: int = 0) -> Rule:
    """Updates of several weights: `per` inputs with the shape of each, and `more` at the end."""

    def rule(node: GraphNode, ins: Shapes, outs: Shapes) -> Both:
        own, found = len(ins) - more, []
        for k in range(0, own, per):
            shape: Shape | None = None
            for one in (*ins[k : min(k + per, own)], *outs[k // per : k // per + 1]):
                shape = merged(shape, one)
            found.append(shape)
        return [*(one for one in found for _ in range(per)), *ins[own:]], found[: len(outs)]

    return rule


def _first_but(last: int) -> Rule:
    """All arrays have the shape of the first, except the last ones."""

    def rule(node: GraphNode, ins: Shapes, outs: Shapes) -> Both:
        front, found = alike(node, ins[: len(ins) - last], outs)
        return [*front, *ins[len(ins) - last :]], found

    return rule


def _each(node: GraphNode, ins: Shapes, outs: Shapes) -> Both:
    """Each output has the shape of its input."""
    found = list(map(merged, ins, outs))
    return found, found


def _correlation(a: dict[str, Any], data: Shape, other: Shape) -> Shape:
    reach, stride = int(a["max_displacement"]), int(a["stride1"])
    border = reach + (int(a["kernel_size"]) - 1) // 2
    grid = 2 * (reach // int(a["stride2"])) + 1
    room = [n + 2 * int(a["pad_size"]) - 2 * border for n in data[2:]]
    if min(room) < 1:
        raise Misfit(f"no patch fits into data of shape {data}")
    return (data[0], grid * grid, *(-(-n // stride) for n in room))


def _resized(a: dict[str, Any], data: Shape) -> Shape:
    sides = tupled(a["size"])
    width, height = sides if len(sides) == 2 else sides * 2
    if a["keep_ratio"] and len(sides) == 1:
        old = data[-3:-1]
        height, width = (side * sides[0] // min(old) for side in old) if min(old) else sides * 2
    return (*data[:-3], int(height), int(width), data[-1])


def _regions(batch: bool) -> Rule:
    """The proposed regions of each image, with their scores."""

    def rule(a: dict[str, Any], data: Shape, *rest: Shape) -> list[Shape]:
        top = int(a["rpn_post_nms_top_n"]) * (data[0] if batch else 1)
        return [(top, 5), (top, 1)]

    return opened(rule)


def _pooled(a: dict[str, Any], data: Shape, rois: Shape, *rest: Shape) -> Shape:
    return (rois[0], int(a["output_dim"]), *spread(a["pooled_size"], 2, 1))


def _hawkes(a: dict[str, Any], lda: Shape, *rest: Shape) -> list[Shape]:
    return [lda[:1], lda]


def _triangle_of(a: dict[str, Any], data: Shape) -> Shape:
    """The values of a triangle of matrices."""
    n, offset = data[-1], int(a["offset"])
    m = n - abs(offset)
    return (*data[:-2], m * (m + 1) // 2)


def _from_triangle(a: dict[str, Any], data: Shape) -> Shape:
    m = (isqrt(8 * data[-1] + 1) - 1) // 2
    return (*data[:-1], *(m + abs(int(a["offset"])),) * 2)


def _priors(a: dict[str, Any], data: Shape) -> Shape:
    count = len(tupled(a["sizes"])) + len(tupled(a["ratios"])) - 1
    return (1, data[2] * data[3] * count, 4)


def _targets(a: dict[str, Any], anchor: Shape, label: Shape, scores: Shape) -> list[Shape]:
    n, count = label[0], anchor[1]
    return [(n, 4 * count), (n, 4 * count), (n, count)]


RARE_SHAPES: dict[str, Rule] = {
    **dict.fromkeys(("_contrib_adamw_update", "_contrib_mp_adamw_update"), _first_but(1)),
    "Correlation": opened(_correlation),
    "_contrib_DeformablePSROIPooling": forward(_pooled),
    "_contrib_MultiBoxPrior": opened(_priors),
    "_contrib_MultiBoxTarget": known(_targets),
    "_contrib_MultiProposal": _regions(True),
    "_contrib_Proposal": _regions(False),
    "_contrib_SparseEmbedding": embedding,
    "_contrib_bipartite_matching": forward(lambda a, d: [d[:-1], (*d[:-2], d[-1])]),
    "_contrib_group_adagrad_update": as_first,
    "_contrib_hawkesll": known(_hawkes),
    "_image_resize": opened(_resized),
    "_sparse_retain": as_first,
    "_linalg_extracttrian": known(_triangle_of),
    "_linalg_maketrian": known(_from_triangle),
    "_random_pdf_dirichlet": forward(lambda a, sample, alpha: sample[:-1] or one_value()),
    "amp_multicast": _each,
    "lamb_update_phase2": _first_but(2),
    "mp_lamb_update_phase2": forward(lambda a, weight, *rest: weight),
    "multi_mp_sgd_mom_update": _several(4),
    "multi_mp_sgd_update": _several(3),
    "multi_sgd_mom_update": _several(3),
    "multi_sgd_update": _several(2),
    "preloaded_multi_mp_sgd_mom_update": _several(4, 2),
    "preloaded_multi_mp_sgd_update": _several(3, 2),
    "preloaded_multi_sgd_mom_update": _several(3, 2),
    "preloaded_multi_sgd_update": _several(2, 2),
}
