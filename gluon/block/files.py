"""Match the parameters of a block to the arrays of a file."""

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
        Whether shared parameters appear only once.
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

    The names in a file are attribute paths, or the full names of parameters, or these without the
    prefix of the network. The kind that fits most names is used.

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
    """The arrays of a file under the names of a block of equal structure with other names.

    Names with the same number of parts and the same last part are matched in order. Names that do
    not match are unchanged.

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
