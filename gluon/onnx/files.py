"""ONNX's files: read and written with the package onnx, and checked before allocating memory."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from math import prod
from pathlib import Path
from typing import Any

import numpy

from .._core.errors import ArgumentError, GluonError, MissingFileError
from .functions.table import DTYPES

#: Larger tensors are written to a second file, because the main file is limited to 2 GiB.
LARGEST_FILE = 2**31 - 2**26


def package() -> Any:
    """The package onnx.

    Raises
    ------
    GluonError
        If the package is not installed.
    """
    try:
        import onnx
    except ImportError:
        raise GluonError(
            "gluon.onnx needs the package onnx; pip install 'gluon-autograd[onnx]'"
        ) from None
    return onnx


def read_model(file: Any, supports: Callable[[Any], Any] = lambda model: None) -> Any:
    """The model in a file, with the values that lie beside it in the file's folder.

    Parameters
    ----------
    file : str, os.PathLike, bytes or ModelProto
    supports : callable, optional
        Raises for a model whose operators are unknown, before anything else of it is checked.

    Raises
    ------
    MissingFileError
        If there is no such file.
    ArgumentError
        If it is not a model, or values are missing or do not fit their shape.
    """
    onnx = package()
    is_path = isinstance(file, (str, os.PathLike))
    what = os.fspath(file) if is_path else "the model"
    model = file if isinstance(file, onnx.ModelProto) else _parsed(file, is_path, what)
    if not model.graph.output:
        raise ArgumentError(f"import_model: {what} is not an ONNX model: its graph has no outputs")
    supports(model)
    folder = Path(file).parent if is_path else None
    outside = []
    for tensor in _tensors(model.graph):
        size = _check_size(tensor)
        if tensor.data_location == onnx.TensorProto.EXTERNAL:
            outside.append((tensor, _outside(tensor, folder, size)))
    _check(what if outside else model, what)  # before the model has more than it takes
    for tensor, (path, offset, size) in outside:
        with open(path, "rb") as stream:
            stream.seek(offset)
            tensor.raw_data = stream.read(size)
        tensor.data_location = onnx.TensorProto.DEFAULT
        del tensor.external_data[:]
    return model


def _check(model: Any, what: str) -> None:
    """Raise unless a model, or that in a file, follows the rules of ONNX."""
    from google.protobuf.message import EncodeError  # type: ignore[import-untyped]

    onnx = package()
    try:
        onnx.checker.check_model(model)
    except EncodeError:
        raise ArgumentError(
            f"import_model: {what} has more than two gigabytes; give the path of its file"
        ) from None
    except (onnx.checker.ValidationError, ValueError) as error:
        reason = (str(error).strip() or "onnx's checker refuses it").splitlines()[0]
        raise ArgumentError(f"import_model: {what} is damaged: {reason}") from None


def _parsed(file: Any, is_path: bool, what: str) -> Any:
    if is_path and not os.path.isfile(file):
        raise MissingFileError(f"import_model: cannot find the file {what!r}")
    model = package().ModelProto()
    try:
        model.ParseFromString(Path(file).read_bytes() if is_path else file)
    except Exception as error:  # the parser's error class depends on its build
        raise ArgumentError(f"import_model: {what} is not an ONNX model: {error}") from None
    return model


def graphs(outer: Any) -> Iterator[Any]:
    """A graph, or a function of a model, and all graphs inside of it."""
    waiting = [outer]
    while waiting:
        one = waiting.pop()
        yield one
        for node in one.node:
            for each in node.attribute:
                waiting += [each.g] if each.HasField("g") else each.graphs


def _tensors(outer: Any) -> Iterator[Any]:
    """Yield every tensor in a graph."""
    for graph in graphs(outer):
        yield from graph.initializer
        for node in graph.node:
            for each in node.attribute:
                yield from [each.t] if each.HasField("t") else each.tensors


def _check_size(tensor: Any) -> int:
    """Return the bytes that the shape of a tensor implies; raise unless it has as many."""
    onnx = package()
    name = tensor.name or "a constant"
    if any(n < 0 for n in tensor.dims):
        raise ArgumentError(f"import_model: {name} has shape {tuple(tensor.dims)}")
    if tensor.data_type == onnx.TensorProto.STRING or tensor.data_type not in DTYPES:
        return 0
    width = numpy.dtype(onnx.helper.tensor_dtype_to_np_dtype(tensor.data_type)).itemsize
    size = prod(tensor.dims) * width
    if tensor.data_location == onnx.TensorProto.EXTERNAL:
        return size
    if tensor.raw_data and len(tensor.raw_data) != size:
        raise ArgumentError(
            f"import_model: {name} of shape {tuple(tensor.dims)} has {len(tensor.raw_data)} bytes,"
            f" not {size}; the file is damaged"
        )
    if not tensor.raw_data and _listed(tensor) != prod(tensor.dims):
        raise ArgumentError(
            f"import_model: {name} of shape {tuple(tensor.dims)} has {_listed(tensor)} values;"
            " the file is damaged"
        )
    return size


def _listed(tensor: Any) -> int:
    """Return the number of values of a tensor that are not raw bytes."""
    kind = package().helper.tensor_dtype_to_field(tensor.data_type)
    return len(getattr(tensor, kind))


def _outside(tensor: Any, folder: Path | None, size: int) -> tuple[Path, int, int]:
    """Return the file with the values of a tensor, where they begin, and their size."""
    spec = {one.key: one.value for one in tensor.external_data}
    location = spec.get("location", "")
    if folder is None:
        raise ArgumentError(
            f"import_model: {tensor.name} lies in the file {location!r}; give the path of the model"
        )
    path = (folder / location).resolve()
    if not location or not path.is_relative_to(folder.resolve()):
        raise ArgumentError(
            f"import_model: {tensor.name} lies in {location!r}, outside of the model's folder"
        )
    given = spec.get("offset", "0")
    offset = int(given) if given.isdecimal() else -1
    if not path.is_file() or offset < 0 or path.stat().st_size - offset < size:
        raise ArgumentError(
            f"import_model: {tensor.name} needs {size} bytes from byte {given} of {location!r},"
            " which are not there"
        )
    return path, offset, size


def value_of(tensor: Any) -> Any:
    """The raw array in a tensor of a file.

    Raises
    ------
    ArgumentError
        If gluon does not support its dtype.
    """
    if tensor.data_type == package().TensorProto.STRING:  # class labels
        return package().numpy_helper.to_array(tensor).astype(str)
    if tensor.data_type not in DTYPES:
        names = {number: name for name, number in package().TensorProto.DataType.items()}
        kind = names.get(tensor.data_type, tensor.data_type)
        raise ArgumentError(
            f"import_model: {tensor.name or 'a constant'} is of dtype {kind}, which is unsupported"
        )
    return package().numpy_helper.to_array(tensor)


def dimensions(shape: Any) -> tuple[int | str, ...]:
    """The lengths of a shape in a file: numbers, names, or ``'?'``."""
    return tuple(
        one.dim_value if one.HasField("dim_value") else one.dim_param or "?" for one in shape.dim
    )


def described(values: Any) -> list[tuple[str, tuple[int, ...]]]:
    """Names and shapes of inputs or outputs; unknown lengths are 0."""
    return [
        (
            one.name,
            tuple(n if isinstance(n, int) else 0 for n in dimensions(one.type.tensor_type.shape)),
        )
        for one in values
    ]


def write_model(model: Any, path: str, beside: bool = False) -> None:
    """Write a model; values go to ``path.data`` if asked to, or the file would exceed 2 GiB."""
    onnx = package()
    data = Path(f"{os.fspath(path)}.data")
    large = sum(len(one.raw_data) for one in model.graph.initializer) > LARGEST_FILE
    data.unlink(missing_ok=True)  # onnx would append to it
    onnx.save_model(
        model,
        path,
        save_as_external_data=beside or large,
        all_tensors_to_one_file=True,
        location=data.name,
    )
