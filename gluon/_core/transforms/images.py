"""The tangents of operators that read images at points, by windows or by patches."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from ..engine.node import Node
from .worlds import Tangents, attributes_of, given, in_form, total_of

Slope = tuple[int, int]


def _steeper(slope: Slope) -> tuple[Slope, Slope]:
    """The slopes by the row and by the column."""
    return (slope[0] + 1, slope[1]), (slope[0], slope[1] + 1)


def sample(F: Any, node: Node, inputs: Any, attrs: Any, out: Any, tangents: Tangents) -> Any:
    """The sample of the tangent of the images, and slopes where points move."""
    (x, *points), (of_x, *moves, _) = inputs, tangents
    border, slope = given(node, attrs, "border"), given(node, attrs, "slope")
    parts = [] if of_x is None else [F.sample(of_x, *points, border=border, slope=slope)]
    for move, steeper in zip(moves, _steeper(slope)):
        if move is not None:
            found = F.sample(x, *points, border=border, slope=steeper)
            parts.append(found * F.expand_dims(move, axis=1))
    return total_of(F, parts, tangents)


def sample_grad(F: Any, node: Node, inputs: Any, attrs: Any, out: Any, tangents: Tangents) -> Any:
    """Linear in the values; where points move, slopes share values out."""
    (x, *points), (of_x, *moves, _) = inputs, tangents
    how = {name: given(node, attrs, name) for name in ("shape", "border")}
    slope = given(node, attrs, "slope")
    parts = [] if of_x is None else [F.sample_grad(of_x, *points, slope=slope, **how)]
    for move, steeper in zip(moves, _steeper(slope)):
        if move is not None:
            parts.append(
                F.sample_grad(x * F.expand_dims(move, axis=1), *points, slope=steeper, **how)
            )
    return total_of(F, parts, tangents)


def sample_slopes(F: Any, node: Node, inputs: Any, attrs: Any, out: Any, tangents: Tangents) -> Any:
    """Linear in the images and in the values; where points move, slopes of slopes."""
    (x, values, *points), (of_x, of_values, *moves, _) = inputs, tangents
    border, slope = given(node, attrs, "border"), given(node, attrs, "slope")

    def slopes(x: Any, values: Any, slope: Slope) -> Any:
        return F.sample_slopes(x, values, *points, border=border, slope=slope)

    pairs = [] if of_x is None else [slopes(of_x, values, slope)]
    if of_values is not None:
        pairs.append(slopes(x, of_values, slope))
    for move, steeper in zip(moves, _steeper(slope)):
        if move is not None:
            pairs.append([one * move for one in slopes(x, values, steeper)])
    return [total_of(F, column) for column in zip(*pairs)]


def lp_pool(F: Any, node: Node, inputs: Any, attrs: Any, out: Any, tangents: Tangents) -> Any:
    """The sum of the tangents times (x / y) ** (p - 1); 0 where y is 0, as the gradient rule."""
    p, y = given(node, attrs, "p"), in_form(F, out, node)
    window = {name: one for name, one in attributes_of(node, attrs).items() if name != "p"}
    if p == 1:
        return F.sum_pool(tangents[0], **window)
    found = F.sum_pool(tangents[0] * inputs[0] ** (p - 1), **window)
    return F.where(y == 0, 0.0, found / F.where(y == 0, 1.0, y) ** (p - 1))


def distance(F: Any, node: Node, inputs: Any, attrs: Any, out: Any, tangents: Tangents) -> Any:
    """The slope along the tangent of each image."""
    how = attributes_of(node, attrs)
    parts = [
        F.distance_slope(one, *inputs, first=first, **how)
        for one, first in zip(tangents, (True, False))
        if one is not None
    ]
    return total_of(F, parts)


def flat_in_images(
    F: Any, node: Node, inputs: Any, attrs: Any, out: Any, tangents: Tangents
) -> Any:
    """The operator on the tangent of what moves; slopes of 1 and -1 are flat."""
    if tangents[0] is None:
        return None
    return getattr(F, node.op.name)(tangents[0], *inputs[1:], **attributes_of(node, attrs))


FORMULAS: Final[dict[str, Callable[..., Any]]] = {
    "sample": sample,
    "sample_grad": sample_grad,
    "sample_slopes": sample_slopes,
    "lp_pool": lp_pool,
    "distance": distance,
    "distance_grad": flat_in_images,
    "distance_slope": flat_in_images,
}
