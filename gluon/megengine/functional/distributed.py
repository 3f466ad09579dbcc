"""Collective operators. The group has one process: each returns what it is given, recorded."""

from __future__ import annotations

from typing import Any

from ..tensor import Tensor
from .tensor import copy

TEXT = """{doc}.

    Parameters
    ----------
    inp : Tensor of any shape and dtype
    group : optional
        The one process.
    device : str or CompNode, optional
    **axes : int
        Taken and of no effect.

    Returns
    -------
    Tensor of the same shape
        A recorded copy of `inp`, since there is one process.

    Raises
    ------
    DTypeError
        If `inp` holds no numbers.

    Examples
    --------
    >>> import gluon.megengine.functional as F
    >>> from gluon.megengine import Tensor
    >>> F.distributed.{name}(Tensor([1.0, 2.0]))
    Tensor([1. 2.], device=xpux:0)
"""
_DOCS = {
    "all_gather": "The tensors of all processes, joined",
    "all_reduce_max": "The largest values over all processes",
    "all_reduce_min": "The smallest values over all processes",
    "all_reduce_sum": "The sum over all processes",
    "all_to_all": "A part from each process, joined",
    "broadcast": "The tensor of the first process",
    "gather": "The tensors of all processes, joined, on the first",
    "reduce_scatter_sum": "This process's part of the sum over all processes",
    "reduce_sum": "The sum over all processes, on the first",
    "scatter": "This process's part of the tensor of the first",
}


def _collective(name: str, doc: str) -> Any:
    def function(inp: Any, group: Any = None, device: Any = None, **axes: int) -> Tensor:
        return copy(inp, device)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = TEXT.format(doc=doc, name=name)
    return function


globals().update({name: _collective(name, doc) for name, doc in _DOCS.items()})
__all__ = sorted(_DOCS)
