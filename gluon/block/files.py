"""Which parameters of a block belong to which arrays of a file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..nd import NDArray
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


def in_order(params: dict[str, Parameter], saved: dict[str, NDArray]) -> dict[str, NDArray]:
    """The arrays of a file under the names of a block built alike, which names its parts otherwise.

    Names of as many parts whose last ones are equal, all along, are taken for each other. What does
    not fit in that way keeps its names.

    Parameters
    ----------
    params : dict of str to Parameter
        The parameters of the block.
    saved : dict of str to NDArray
    """

    def form(name: str) -> tuple[int, str]:
        return name.count("."), name.rsplit(".", 1)[-1]

    if set(saved) == set(params) or [*map(form, saved)] != [*map(form, params)]:
        return saved
    return dict(zip(params, saved.values()))
