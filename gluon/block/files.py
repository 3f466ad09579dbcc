"""Which parameters of a block belong to which arrays of a file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..ndarray import NDArray
from ..parameter import Parameter
from ..parameter.collection import averaged

if TYPE_CHECKING:
    from .base import Block


def to_save(block: Block, deduplicate: bool) -> dict[str, NDArray]:
    """The values of all parameters by the attributes that lead to them.

    Parameters
    ----------
    block : Block
    deduplicate : bool
        Whether parameters that are reached in several ways are there just once.
    """
    params = block._collect_params_with_prefix()
    if deduplicate:
        names = {id(one): name for name, one in params.items()}
        params = {name: one for name, one in params.items() if names[id(one)] == name}
    return {name: averaged(one) for name, one in params.items()}


def paired(
    block: Block, saved: dict[str, NDArray]
) -> tuple[dict[str, Parameter], dict[str, NDArray]]:
    """The parameters of a block and the arrays of a file, both under names of one kind.

    The names in a file are attributes, or the full names of parameters, or these without the
    prefix of the network. The kind that most of them are of is meant.

    Parameters
    ----------
    block : Block
    saved : dict of str to NDArray
    """
    attributes = block._collect_params_with_prefix()
    if all(name in attributes for name in saved):
        return attributes, saved
    full = dict(block.collect_params().items())
    prefixed = {block.prefix + name: one for name, one in saved.items()}
    return max(
        ((attributes, saved), (full, saved), (full, prefixed)),
        key=lambda pair: sum(name in pair[0] for name in pair[1]),
    )
