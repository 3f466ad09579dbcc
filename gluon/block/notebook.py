"""How notebooks display networks: as a collapsible tree."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

from .._core.html import escape
from ..parameter import Parameter
from ..utils import shape_is_known

if TYPE_CHECKING:
    from .base import Block

#: Blocks with more children than this are initially collapsed.
OPEN = 12
INDENT = "margin-left:1.2em"


def block_html(block: Block) -> str:
    """A network as HTML: its layers, and their parameters with shapes and numbers of values.

    Parameters
    ----------
    block : Block

    Returns
    -------
    str
    """
    return f"<div>{_tree(block, '', 0)}</div>"


def _tree(block: Block, place: str, depth: int) -> str:
    inside = [_tree(child, name, depth + 1) for name, child in block._children.items()]
    inside += [_parameter(name, one) for name, one in block._reg_params.items()]
    name = f"({escape(place)}): " if place else ""
    said = repr(block)
    said = type(block).__name__ if "\n" in said else said
    text = f"{name}<b>{escape(said)}</b> <small>{escape(block.name)} · {_total(block)}</small>"
    if not inside:
        return f"<div style='{INDENT}'>{text}</div>"
    is_open = " open" if depth < 2 and block._children and len(inside) <= OPEN else ""
    return (
        f"<details{is_open} style='{INDENT}'><summary>{text}</summary>{''.join(inside)}</details>"
    )


def _parameter(name: str, one: Parameter) -> str:
    shape = "x".join(map(str, one.shape)) if one.shape else "shape not known yet"
    frozen = ", no gradient" if one.grad_req == "null" else ""
    dtype = getattr(one.dtype, "__name__", one.dtype)
    text = f"{name} <small>{escape(f'{shape} {dtype}{frozen}')}</small>"
    return f"<div style='{INDENT}'>{text}</div>"


def _total(block: Block) -> str:
    params: dict[int, Parameter] = {}
    block.apply(lambda one: params.update((id(each), each) for each in one._reg_params.values()))
    known = [prod(one.shape) for one in params.values() if shape_is_known(one.shape)]
    if not params:
        return "no parameters"
    more = "" if len(known) == len(params) else " and those of unknown shape"
    return f"{sum(known):,} parameters{more}"
