"""The functions that write a network as an ONNX file."""

from __future__ import annotations

import logging
import os
from collections.abc import Mapping, Sequence
from types import NoneType
from typing import Any

import numpy

from .._core.arrays.dtypes import as_dtype
from .._core.errors import ArgumentError, DTypeError, a_type
from ..nd import NDArray
from ..nd import load as load_arrays
from ..symbol import Symbol
from ..symbol import load as load_symbol
from .converters import CONVERTERS
from .converters.builder import OLDEST
from .exporting import model_of
from .files import package, write_model


def export_model(
    sym: Symbol | str | os.PathLike[str],
    params: Any,
    in_shapes: Sequence[Sequence[int | None]] | None = None,
    in_types: Any = numpy.float32,
    onnx_file_path: str = "model.onnx",
    verbose: bool = False,
    dynamic: bool = False,
    dynamic_input_shapes: Sequence[Sequence[Any]] | None = None,
    run_shape_inference: bool = False,
    input_type: Any = None,
    input_shape: Sequence[Sequence[int | None]] | None = None,
    large_model: bool = False,
    *,
    opset_version: int | None = None,
) -> str:
    """Write a network as an ONNX file.

    Parameters
    ----------
    sym : Symbol or str
        The network, or the name of its file, which ends with ``-symbol.json``.
    params : dict of str to NDArray, list of two of them, or str
        The parameters, with or without the prefixes ``arg:`` and ``aux:``; arguments and auxiliary
        states; or the name of a file that ends with ``.params``. NumPy's arrays are taken too.
    in_shapes : list of tuple of int
        The shapes of the inputs that are not parameters, in the order of `Symbol.list_inputs`. A
        length of None is dynamic.
    in_types : dtype or list of dtype, default float32
    onnx_file_path : str, default 'model.onnx'
    verbose : bool, default False
        Log each node.
    dynamic : bool, default False
        Make the lengths of the inputs dynamic: all of them, or those that are None or strings in
        `dynamic_input_shapes`.
    dynamic_input_shapes : list of tuple, optional
        The lengths of each input to write: numbers, names or None.
    run_shape_inference : bool, default False
        Write the shapes of all intermediate values to the file.
    input_type, input_shape
        The names of `in_types` and `in_shapes` in MXNet 1.8.
    large_model : bool, default False
        Write parameters of 1 kB or more to a second file, ``onnx_file_path + '.data'``. This is
        done in any case if they take over two gigabytes.
    opset_version : int, optional
        The version of ONNX's operators, 13 or later; by default that of the file that the network
        comes from, or 17.

    Returns
    -------
    str
        `onnx_file_path`.

    Raises
    ------
    ArgumentError
        If an operator has no counterpart in ONNX, or the shapes of the inputs do not fit.
    DTypeError
        If an argument has a wrong type.
    GluonError
        If the package onnx is not installed.
    OSError
        If the file cannot be written.
    """
    onnx = package()
    newest = onnx.defs.onnx_opset_version()
    if opset_version is not None and opset_version not in range(OLDEST, newest + 1):
        raise ArgumentError(
            f"export_model: opset_version={opset_version!r}; gluon and onnx {onnx.__version__} have"
            f" {OLDEST} to {newest}"
        )
    network = _network(sym)
    arrays = _arrays(params)
    shapes = in_shapes if input_shape is None else input_shape
    dtypes = in_types if input_type is None else input_type
    names = [name for name in network.list_inputs() if name not in arrays]
    inputs = _inputs(network, names, shapes)
    kinds = dtypes if isinstance(dtypes, (list, tuple)) else [dtypes] * len(inputs)
    if len(kinds) != len(inputs):
        raise ArgumentError(f"export_model: {len(kinds)} in_types for the inputs {list(inputs)}")
    values = {name: _raw(name, one) for name, one in arrays.items()}
    model = model_of(
        network,
        values,
        _lengths(inputs, dynamic, dynamic_input_shapes),
        {name: as_dtype(kind) for name, kind in zip(inputs, kinds)},
        opset_version,
    )
    if verbose:
        for node in model.graph.node:
            logging.info("%s: %s", node.op_type, ", ".join(node.output))
    if not run_shape_inference:
        del model.graph.value_info[:]
    write_model(model, onnx_file_path, beside=large_model)
    return onnx_file_path


def _network(sym: Any) -> Symbol:
    """Return the symbol, loaded if `sym` is the name of a file."""
    if isinstance(sym, (str, os.PathLike)):
        return load_symbol(os.fspath(sym))
    if isinstance(sym, Symbol):
        return sym
    raise DTypeError(
        f"export_model: sym is {a_type(sym)}; give a Symbol or the name of its file, or"
        " call net.export_onnx for a block"
    )


def _raw(name: str, value: Any) -> numpy.ndarray:
    """Return the values of a parameter."""
    if isinstance(value, numpy.ndarray):
        return value
    if not isinstance(value, NDArray):
        raise DTypeError(
            f"export_model: the parameter {name!r} is {a_type(value)}; give an NDArray"
        )
    return value.asnumpy()


def _arrays(params: Any) -> dict[str, Any]:
    """Return the parameters by name."""
    if isinstance(params, (str, os.PathLike)):
        params = load_arrays(os.fspath(params))
    if isinstance(params, (list, tuple)):
        params = {key: one for group in params for key, one in group.items()}
    if not isinstance(params, Mapping):
        raise DTypeError(
            f"export_model: params is {a_type(params)}; give a dict, a list of two, or the"
            " name of a file"
        )
    return {key.removeprefix("arg:").removeprefix("aux:"): one for key, one in params.items()}


def _inputs(network: Symbol, names: list[str], shapes: Any) -> dict[str, Any]:
    """Return the shapes of the inputs to write, by name."""
    labels = set(_labels(network))
    if shapes is None:
        own = network.argument_shapes()
        shapes = [own.get(name) for name in names if name not in labels]
        if None in shapes:
            raise ArgumentError(f"export_model: give in_shapes for the inputs {names}")
    if not all(isinstance(shape, (tuple, list)) for shape in shapes):
        raise DTypeError(f"export_model: in_shapes={shapes!r}; give a list with a tuple per input")
    for given in (names, [name for name in names if name not in labels]):
        if len(shapes) == len(given):
            return {name: tuple(shape) for name, shape in zip(given, shapes)}
    raise ArgumentError(
        f"export_model: {len(shapes)} in_shapes for the inputs {names}; give a shape for each, or"
        " its value in params"
    )


def _labels(network: Symbol) -> list[str]:
    """Return inputs that only loss layers read; the exported network lacks them."""
    uses: dict[str, bool] = {}
    for node in network._order:
        for k, (source, _) in enumerate(node.inputs):
            if source.op is None:
                loss = bool(node.op) and k > 0 and node.input_names[k] == "label"
                loss = loss and node.op is not None and node.op.name.endswith("Output")
                uses[source.name] = uses.get(source.name, True) and loss
    return [name for name, only in uses.items() if only]


def _lengths(inputs: Mapping[str, Any], dynamic: bool, given: Any) -> Mapping[str, Any]:
    """Return the lengths of inputs in the file: numbers, names or None."""
    if not dynamic and given is not None:
        raise ArgumentError(f"export_model: dynamic_input_shapes={given!r} needs dynamic=True")
    if not dynamic:
        return inputs
    if given is None:
        return {name: [None] * len(shape) for name, shape in inputs.items()}
    if [len(shape) for shape in given] != [len(shape) for shape in inputs.values()]:
        raise ArgumentError(
            f"export_model: dynamic_input_shapes={list(given)} for the inputs {dict(inputs)}"
        )
    for n in (n for shape in given for n in shape):
        if not isinstance(n, (int, str, NoneType)):
            raise DTypeError(f"export_model: {n!r} in dynamic_input_shapes; give int, str or None")
    return dict(zip(inputs, given))


def get_operator_support(opset_version: int | None = None) -> list[str]:
    """The operators of symbols that `export_model` supports, by their names in MXNet's files.

    Parameters
    ----------
    opset_version : int, optional
        Ignored: they are the same for all versions from 13.

    Returns
    -------
    list of str
    """
    return sorted(CONVERTERS)
