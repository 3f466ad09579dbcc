"""The functions that load a network from an ONNX file."""

from __future__ import annotations

import os
from typing import Any

from .._core.errors import ArgumentError
from ..block.symbol_block import SymbolBlock
from ..nd import NDArray
from ..symbol import Group, Symbol, var
from .files import described, read_model
from .importing import Network, network

File = str | os.PathLike[str] | bytes


def import_model(model_file: File) -> tuple[Symbol, dict[str, NDArray], dict[str, NDArray]]:
    """Load a network from an ONNX file as a symbol and its parameters.

    The nodes of the symbol are ONNX's operators, with their names in the file; they are
    differentiable. Floating values of one axis or more become parameters; scalars and integers
    remain constants.

    Parameters
    ----------
    model_file : str, os.PathLike or bytes
        A file, or its content.

    Returns
    -------
    sym : Symbol
    arg_params : dict of str to NDArray
    aux_params : dict of str to NDArray
        The moving averages of batch normalization.

    Raises
    ------
    MissingFileError
        If there is no such file.
    ArgumentError
        If the file is damaged, or has operators that gluon does not have: the error lists all.
    GluonError
        If the package onnx is not installed.
    """
    found = network(model_file)
    sym = _symbol(found)
    states = set(sym.list_auxiliary_states())
    used = set(sym.list_inputs())
    params = {name: one for name, one in found.params.items() if name in used}
    return (
        sym,
        {name: one for name, one in params.items() if name not in states},
        {name: one for name, one in params.items() if name in states},
    )


def _symbol(found: Network) -> Symbol:
    heads = [Symbol([head]) for head in found.heads]
    return heads[0] if len(heads) == 1 else Group(heads)


def import_to_gluon(model_file: File, ctx: Any = None) -> SymbolBlock:
    """Load a network from an ONNX file as a block, which can be trained, attacked and exported.

    Parameters
    ----------
    model_file : str, os.PathLike or bytes
    ctx : Context or list of Context, default cpu()

    Returns
    -------
    SymbolBlock

    Raises
    ------
    MissingFileError
        If there is no such file.
    ArgumentError
        If the file is damaged, or has operators that gluon does not have: the error lists all.
    GluonError
        If the package onnx is not installed.
    """
    found = network(model_file)
    inputs = [var(node.name) for node in found.inputs]
    if not inputs:
        raise ArgumentError("import_to_gluon: the network has no inputs")
    block = SymbolBlock(_symbol(found), inputs)
    for name, param in block.collect_params().items():
        param._load_init(found.params[name], ctx, cast_dtype=True, dtype_source="saved")
    return block


def get_model_metadata(model_file: File) -> dict[str, list[tuple[str, tuple[int, ...]]]]:
    """The names and shapes of a network's inputs and outputs.

    Parameters
    ----------
    model_file : str, os.PathLike or bytes

    Returns
    -------
    dict
        ``input_tensor_data`` and ``output_tensor_data``, lists of name and shape; a length that is
        unknown in the file is 0.

    Raises
    ------
    MissingFileError
        If there is no such file.
    ArgumentError
        If the file is damaged.
    GluonError
        If the package onnx is not installed.
    """
    graph = read_model(model_file).graph
    given = {one.name for one in graph.initializer}
    return {
        "input_tensor_data": described(one for one in graph.input if one.name not in given),
        "output_tensor_data": described(graph.output),
    }
