"""Call a block as a function of its parameters."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from .._core.engine.array import Array, alias
from .._core.errors import ArgumentError, DTypeError
from .._core.hints.lookup import hinted, meant
from ..autograd.arguments import as_array, class_of


def _parameters(block: Any) -> dict[str, Any]:
    """The parameters of a block by full name, and by the names that `save_parameters` writes."""
    if not hasattr(block, "collect_params"):
        raise DTypeError(
            f"functional_call: give a block, then its parameters; got {class_of(block)}"
        )
    return {**block._collect_params_with_prefix(), **block.collect_params()._params}


def _fitting(name: str, value: Any, parameter: Any) -> Any:
    """The array `value` for a parameter."""
    x = as_array(value.data() if hasattr(value, "list_data") else value)
    if not isinstance(x, Array):
        raise DTypeError(f"functional_call: parameters[{name!r}] is {class_of(x)}; give an array")
    wanted = parameter.shape or x.shape
    shape = x.shape
    fits = len(wanted) == len(shape) and all(n in (0, -1, m) for n, m in zip(wanted, shape))
    if not fits:
        raise ArgumentError(
            f"functional_call: parameters[{name!r}] has shape {shape}; {parameter.whose} has"
            f" {tuple(wanted)}"
        )
    return alias(x)  # because the block may write to it


@contextmanager
def _instead(block: Any, parameters: Mapping[str, Any]) -> Iterator[None]:
    """Let the block have `parameters` as its values."""
    known = _parameters(block)
    for name in parameters:
        if name not in known:
            found = meant(name, known) or f"; the names are {', '.join(block.collect_params())}"
            raise ArgumentError(f"functional_call: the block has no parameter {name!r}{found}")
    given = {name: _fitting(name, one, known[name]) for name, one in parameters.items()}
    before = {name: known[name]._data for name in given}
    try:
        for name, one in given.items():
            known[name]._data = [one]
        yield
    finally:
        for name, replicas in before.items():
            known[name]._data = replicas


@hinted
def functional_call(
    block: Any, parameters: Any, arguments: Any = (), keywords: Mapping[str, Any] | None = None
) -> Any:
    """Call a block with given parameters instead of the parameters of the block.

    This makes a loss a function of the parameters, which you can transform. Writes of the block to
    its parameters, such as the running statistics of BatchNorm, are lost. The block is changed
    during the call, so call it from one thread at a time.

    Parameters
    ----------
    block : Block
    parameters : dict of str to arrays of any shape and dtype, or ParameterDict
        The values by name: the names of ``collect_params()``, or those in files. Parameters that
        you leave out have the values of the block.
    arguments : tuple, or a single array of any shape and dtype
        What the block is called with.
    keywords : dict, optional
        Keyword arguments of the call.

    Returns
    -------
    object
        What the block returns.

    Raises
    ------
    ArgumentError
        If the block has no parameter of a name, or one of another shape.
    DTypeError
        If `block` is not a block, or a value not an array.

    Examples
    --------
    >>> from gluon import func, nd, nn
    >>> net = nn.Dense(1, in_units=2, prefix="net_")
    >>> net.initialize("ones")
    >>> def loss(params, x):
    ...     return func.functional_call(net, params, x).sum()
    >>> grads = func.grad(loss)(net.collect_params(), nd.array([[1, 2], [3, 4]]))
    >>> {name: grad.asnumpy().tolist() for name, grad in grads.items()}
    {'net_weight': [[4.0, 6.0]], 'net_bias': [2.0]}
    """
    if not isinstance(parameters, Mapping):
        if not hasattr(parameters, "items"):
            raise DTypeError(
                "functional_call: parameters must be a dict of arrays by name; got"
                f" {class_of(parameters)}"
            )
        parameters = dict(parameters.items())
    given = arguments if isinstance(arguments, (tuple, list)) else (arguments,)
    with _instead(block, parameters):
        return block(*given, **(keywords or {}))
