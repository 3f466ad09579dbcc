"""Blocks and symbols: a block called with symbols, exported, and a block made of a symbol."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from numbers import Integral
from os import PathLike
from typing import TYPE_CHECKING, Any

from .. import symbol
from .._core.arrays import interfaces
from .._core.errors import ArgumentError, DTypeError, GluonError, a_type
from .._core.scopes import MANAGERS
from ..nd import NDArray
from ..nd import save as save_arrays
from ..np import ndarray
from ..parameter import ParameterDict
from ..parameter.collection import averaged
from ..symbol import Symbol
from ..symbol.np_symbol import NpSymbol
from .base import whose
from .naming import SymbolNames

if TYPE_CHECKING:
    from .hybrid import HybridBlock


def has_symbols(values: Any) -> bool:
    """Whether nested lists and tuples hold a symbol."""
    return any(
        has_symbols(one) if isinstance(one, (list, tuple)) else isinstance(one, Symbol)
        for one in values
    )


class _Names(SymbolNames):
    """Names operators after the block that contains them.

    The layers of `gluon.nn` call their operator ``fwd``, as those of MXNet do.
    """

    def __init__(self, block: HybridBlock) -> None:
        super().__init__(block.prefix + block._within())
        self._main = "fwd" if block._names_fwd else None

    def get(self, name: str | None, hint: str) -> str:
        """Return the full name of a new symbol."""
        if name is None and self._main:
            name, self._main = self._main, None
        return super().get(name, hint)


@contextlib.contextmanager
def naming(block: HybridBlock) -> Iterator[None]:
    """Names inside the ``with`` block are those of `block`."""
    if block._scope._silent:
        yield
        return
    names = _Names(block)
    MANAGERS.enter(names)
    try:
        yield
    finally:
        MANAGERS.leave(names)


def composed(block: HybridBlock, *args: Any, **kwargs: Any) -> Any:
    """The result of `hybrid_forward` for symbols."""
    params = {name: one.var() for name, one in block._reg_params.items()} | kwargs
    if any(isinstance(one, NDArray) for one in args):
        raise DTypeError(f"{whose(block)}: the inputs must be all symbols or all arrays")
    if any(isinstance(one, NpSymbol) for one in flat(args)):
        params = {
            name: one.as_np_ndarray() if isinstance(one, Symbol) else one
            for name, one in params.items()
        }
    with naming(block):
        return block.hybrid_forward(symbol, *args, **params)


def infer_from(block: HybridBlock, args: Any) -> None:
    """Infer the shapes of parameters from those of the variables in symbols."""
    outputs = symbol.Group(list(flat(block(*args))))
    arg_shapes, _, aux_shapes = outputs.infer_shape_partial()
    found = dict(zip(outputs.list_arguments(), arg_shapes))
    found |= dict(zip(outputs.list_auxiliary_states(), aux_shapes))
    for name, one in block.collect_params().items():
        if found.get(name):
            one.shape = tuple(found[name])


def flat(value: Any) -> Iterator[Any]:
    """The items of nested lists and tuples, without None."""
    if isinstance(value, (list, tuple)):
        for one in value:
            yield from flat(one)
    elif value is not None:
        yield value


def placeholders(form: Any) -> tuple[Any, list[Symbol]]:
    """Variables in the places of arrays: ``data``, or ``data0``, ``data1`` and so on."""
    count = sum(1 for _ in flat(form))
    made: list[Symbol] = []

    def place(one: Any) -> Any:
        if isinstance(one, list):
            return [place(inside) for inside in one]
        if one is None:
            return None
        made.append(symbol.var("data" if count == 1 else f"data{len(made)}"))
        return made[-1].as_np_ndarray() if issubclass(one, ndarray) else made[-1]

    return place(form), made


def graph(block: HybridBlock) -> tuple[list[Symbol], Symbol]:
    """The inputs and the symbol of a block that was called after `hybridize`."""
    form = block._called_with
    if form is None:
        raise GluonError(
            f"{whose(block)}: export() does not know the inputs yet; call hybridize(), and then"
            " call the block once"
        )
    args, inputs = placeholders(form)
    found = list(flat(block(*args)))
    return inputs, found[0] if len(found) == 1 else symbol.Group(found)


def exported(
    block: HybridBlock, path: str, epoch: int, remove_amp_cast: bool, found: Any = None
) -> tuple[str, str]:
    """Write the symbol and the parameters of a block; return the names of both files."""
    if not isinstance(epoch, Integral):
        raise DTypeError(f"export: epoch={epoch!r} is {a_type(epoch)}; pass an integer")
    found = graph(block)[1] if found is None else found
    symbol_file, params_file = f"{path}-symbol.json", f"{path}-{epoch:04d}.params"
    found.save(symbol_file, remove_amp_cast)
    params = block.collect_params()
    named = {}
    for kind, names in (
        ("arg", found.list_arguments()),
        ("aux", found.list_auxiliary_states()),
    ):
        named.update({f"{kind}:{name}": averaged(params[name]) for name in names if name in params})
    save_arrays(params_file, named)
    return symbol_file, params_file


def written_as_onnx(
    block: HybridBlock,
    path: str,
    args: Sequence[Any],
    options: Mapping[str, Any],
    form: Any = None,
    own: tuple[Symbol, list[str]] | None = None,
) -> str:
    """Write a block as an ONNX file, from its inputs; return the name of the file.

    `form` is the argument of `placeholders`; or `own` are the symbol of the block and the names of
    its inputs.
    """
    if not isinstance(path, (str, PathLike)):
        raise DTypeError(
            f"export_onnx: path is {a_type(path)}; give a file and then the inputs, as in"
            " net.export_onnx('net.onnx', x)"
        )
    arrays = list(flat(args))
    if not arrays:
        raise ArgumentError(
            f"{whose(block)}: export_onnx needs inputs, such as nd.ones((1, 3)), after the path"
        )
    block(*args)  # to infer the shapes of all parameters
    if own is None:
        symbols, variables = placeholders(form)
        heads = list(flat(block(*symbols)))
        own = symbol.Group(heads), [str(one.name) for one in variables]
    found, inputs = own
    needed = found.list_inputs()
    params = block.collect_params()
    given = dict(zip(inputs, arrays))
    order = [given[name] for name in needed if name in given]
    return interfaces.public("onnx").export_model(
        found,
        {name: averaged(params[name]) for name in needed if name in params},
        [one.shape for one in order],
        [one.dtype for one in order],
        path,
        **options,
    )


def common_prefix(names: list[str]) -> str:
    """The common prefix of all names."""
    first, last = min(names, default=""), max(names, default="")
    k = 0
    while k < min(len(first), len(last)) and first[k] == last[k]:
        k += 1
    return first[:k]


def variables_of(inputs: Any) -> list[str]:
    """The names of symbols that are variables."""
    names = []
    for one in flat([inputs]):
        if not isinstance(one, Symbol):
            raise DTypeError(f"SymbolBlock: an input is {a_type(one)}; give symbol.var()")
        if len(one.list_outputs()) != 1 or one.get_children() is not None:
            raise ArgumentError(
                f"SymbolBlock: the input {one.name!r} is not a variable, but an output of"
                " operators; give symbol.var(). The outputs come first, as in"
                " SymbolBlock(outputs, inputs)"
            )
        names.append(one.list_outputs()[0])
    return names


def parameters_of(found: Symbol, inputs: list[str], shared: Any) -> ParameterDict:
    """The parameters that the symbol of a block needs besides its inputs."""
    params = ParameterDict("", shared)
    attributes = found.attr_dict()
    arg_types, _, aux_types = found.infer_type_partial()
    for names, types, request in (
        (found.list_arguments(), arg_types, "write"),
        (found.list_auxiliary_states(), aux_types, "null"),
    ):
        for name, dtype in zip(names, types):
            if name in inputs:
                continue
            attr = attributes.get(name, {})
            settings: dict[str, Any] = {"dtype": dtype} if dtype else {}
            for key in ("lr_mult", "wd_mult"):
                if f"__{key}__" in attr:
                    settings[key] = float(attr[f"__{key}__"])
            params.get(name, grad_req=request, allow_deferred_init=True, **settings)
    return params
