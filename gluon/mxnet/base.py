"""``mxnet.base``: the error class, and types for `isinstance`."""

from __future__ import annotations

import os
from typing import Final

import numpy as np

from .._core.errors import GluonError as MXNetError
from ..nd import NDArray

__all__ = [
    "MXNetError",
    "data_dir",
    "integer_types",
    "mx_real_t",
    "numeric_types",
    "string_types",
    "tensor_types",
]

string_types: Final = (str,)
integer_types: Final = (int, np.int32, np.int64)
numeric_types: Final = (float, int, np.generic)
tensor_types: Final = (NDArray,)
mx_real_t = np.float32


def data_dir() -> str:
    """Return the folder for files of the model zoo and of datasets."""
    return os.path.expanduser(os.environ.get("MXNET_HOME", os.path.join("~", ".mxnet")))
