"""``mxnet.model``: checkpoints, in MXNet's files."""

from __future__ import annotations

from collections import namedtuple
from typing import Any, Final

from .. import nd
from ..engine.errors import ArgumentError, MissingFileError
from ..hook.missing import Later
from ..nd import NDArray
from .table import PAGE, SYMBOLS

__all__ = ["BatchEndParam", "load_checkpoint", "load_params", "save_checkpoint"]

Arrays = dict[str, NDArray]
#: What callbacks for the end of a batch are given.
BatchEndParam: Final = namedtuple("BatchEndParam", ["epoch", "nbatch", "eval_metric", "locals"])
BatchEndParam.__doc__ = """What a callback is given after a batch.

    Parameters
    ----------
    epoch, nbatch : int
        The numbers of the epoch and of the batch, from 0.
    eval_metric : EvalMetric or None
    locals : dict or None
        The variables of the loop.

    Examples
    --------
    >>> from gluon.mxnet.model import BatchEndParam
    >>> BatchEndParam(epoch=0, nbatch=10, eval_metric=None, locals=None).nbatch
    10
"""


def save_checkpoint(
    prefix: str,
    epoch: int,
    symbol: Any,
    arg_params: Arrays,
    aux_params: Arrays,
    remove_amp_cast: bool = True,
) -> None:
    """Write ``prefix-symbol.json`` and ``prefix-0001.params``, the number being the epoch.

    Parameters
    ----------
    prefix : str
    epoch : int
    symbol : Symbol or None
        None writes the parameters alone.
    arg_params, aux_params : dict of str to NDArray of any shape and dtype
    remove_amp_cast : bool, default True
        Accepted for MXNet's sake: recorded histories have no such casts.

    Raises
    ------
    ArgumentError
        If `symbol` is not a symbol.

    Examples
    --------
    >>> import os, tempfile
    >>> from gluon import nd
    >>> from gluon.mxnet import model
    >>> prefix = f"{tempfile.mkdtemp()}/net"
    >>> model.save_checkpoint(prefix, 3, None, {"w": nd.ones((2,))}, {"mean": nd.zeros((2,))})
    >>> os.listdir(os.path.dirname(prefix))
    ['net-0003.params']
    """
    if symbol is not None:
        if not hasattr(symbol, "tojson"):
            raise ArgumentError(
                f"save_checkpoint: symbol is a {type(symbol).__name__}; give what"
                " autograd.get_symbol returns, or None to save the parameters alone"
            )
        with open(f"{prefix}-symbol.json", "w", encoding="utf-8") as file:
            file.write(symbol.tojson())
    named = {f"arg:{name}": value for name, value in arg_params.items()}
    named |= {f"aux:{name}": value for name, value in aux_params.items()}
    nd.save(f"{prefix}-{epoch:04d}.params", named)


def load_params(prefix: str, epoch: int) -> tuple[Arrays, Arrays]:
    """The parameters of a checkpoint.

    Parameters
    ----------
    prefix : str
    epoch : int

    Returns
    -------
    arg_params, aux_params : dict of str to NDArray of any shape and dtype

    Raises
    ------
    ArgumentError
        If a name in the file begins neither with ``arg:`` nor with ``aux:``.
    MissingFileError
        If the file does not exist.

    Examples
    --------
    >>> import tempfile
    >>> from gluon import nd
    >>> from gluon.mxnet import model
    >>> prefix = f"{tempfile.mkdtemp()}/net"
    >>> model.save_checkpoint(prefix, 3, None, {"w": nd.ones((2,))}, {"mean": nd.zeros((2,))})
    >>> arg_params, aux_params = model.load_params(prefix, 3)
    >>> arg_params["w"].asnumpy(), list(aux_params)
    (array([1., 1.], dtype=float32), ['mean'])
    """
    path = f"{prefix}-{epoch:04d}.params"
    found: dict[str, Arrays] = {"arg": {}, "aux": {}}
    loaded = nd.load(path)
    if isinstance(loaded, list):
        raise ArgumentError(f"load_params: the arrays in {path!r} have no names; use nd.load")
    for name, value in loaded.items():
        kind, _, own = name.partition(":")
        if kind not in found or not own:
            raise ArgumentError(
                f"load_params: {name!r} in {path!r} begins neither with 'arg:' nor with 'aux:';"
                " read the parameters of a block with its load_parameters"
            )
        found[kind][own] = value
    return found["arg"], found["aux"]


def load_checkpoint(prefix: str, epoch: int) -> tuple[Any, Arrays, Arrays]:
    """The parameters of a checkpoint; its symbol is an object that fails when used.

    Parameters
    ----------
    prefix : str
    epoch : int

    Returns
    -------
    symbol : object
    arg_params, aux_params : dict of str to NDArray of any shape and dtype

    Raises
    ------
    MissingFileError
        If one of the two files is missing.

    Examples
    --------
    >>> import tempfile
    >>> from gluon import nd
    >>> from gluon.mxnet import model
    >>> prefix = f"{tempfile.mkdtemp()}/net"
    >>> model.save_checkpoint(prefix, 3, None, {"w": nd.ones((2,))}, {})
    >>> with open(f"{prefix}-symbol.json", "w") as file:
    ...     _ = file.write("{}")
    >>> symbol, arg_params, aux_params = model.load_checkpoint(prefix, 3)
    >>> arg_params["w"].asnumpy()
    array([1., 1.], dtype=float32)
    """
    path = f"{prefix}-symbol.json"
    try:
        open(path, "rb").close()
    except FileNotFoundError:
        raise MissingFileError(
            f"load_checkpoint: there is no file {path!r}; load_params reads the parameters alone"
        ) from None
    return Later(f"the symbol of {path!r}", SYMBOLS, PAGE), *load_params(prefix, epoch)
