"""Files in the safetensors format, which PyTorch and others read and write."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from .._core.arrays.dtypes import bfloat16, is_supported
from .._core.engine.array import wrap
from .._core.errors import ArgumentError, GluonError, MissingPackageError
from .._core.kernels.memory import on_host
from ._array import NDArray

SUFFIX = ".safetensors"
#: What the package raises for a dtype that NumPy lacks.
NO_DTYPE = (AttributeError, KeyError, TypeError)


def is_meant(fname: Any) -> bool:
    """Whether the name of a file has the extension of this format."""
    return os.fspath(fname).lower().endswith(SUFFIX)


def _package(caller: str) -> Any:
    try:
        import safetensors.numpy
    except ImportError:
        raise MissingPackageError(
            f"{caller}: a {SUFFIX} file needs the package safetensors; pip install"
            " 'gluon-autograd[safetensors]'"
        ) from None
    return safetensors


def save(fname: Any, arrays: list[NDArray], names: list[str]) -> None:
    """Write arrays with their names."""
    if len(names) != len(arrays):
        raise ArgumentError(
            f"save: a {SUFFIX} file holds arrays by name, but {os.fspath(fname)!r} would hold"
            f" {len(arrays)} without names; give a dict of str to NDArray"
        )
    raws = [np.ascontiguousarray(on_host(x.raw)).reshape(x.shape) for x in arrays]
    _package("save").numpy.save_file(dict(zip(names, raws)), os.fspath(fname))


def _read(package: Any, name: str) -> dict[str, np.ndarray]:
    try:
        return package.numpy.load_file(name)
    except TypeError as error:
        if "bfloat16" not in str(error):
            raise
        bfloat16()  # NumPy does not know the name before this
        return package.numpy.load_file(name)


def load(fname: Any) -> dict[str, NDArray]:
    """Read the arrays of a file by name; raise `GluonError` if it is damaged."""
    package, name = _package("load"), os.fspath(fname)
    try:
        found = _read(package, name)
    except (package.SafetensorError, *NO_DTYPE) as error:
        raise GluonError(f"load: {name!r} is not a valid file of arrays: {error}") from None
    wrong = [f"{key} of {raw.dtype}" for key, raw in found.items() if not is_supported(raw.dtype)]
    if wrong:
        raise GluonError(f"load: {name!r} has dtypes that arrays cannot have: {', '.join(wrong)}")
    return {key: wrap(NDArray, raw) for key, raw in found.items()}
