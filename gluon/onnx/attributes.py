"""Attributes of ONNX's operators as strings, for symbols and their files."""

from __future__ import annotations

import base64
import json
from typing import Any

import numpy

#: Tensors with more values are written in base64.
FEW = 64


def text(value: Any) -> str:
    """An attribute as JSON."""
    return json.dumps(value, default=_tensor)


def _tensor(value: Any) -> Any:
    array = numpy.asarray(value)
    few = array.size <= FEW and array.dtype.kind in "biuf"
    data: Any = array.tolist() if few else base64.b64encode(array.tobytes()).decode()
    return {"tensor": data, "dtype": str(array.dtype), "shape": list(array.shape)}


def read(written: str) -> Any:
    """The attribute that `text` wrote."""
    return json.loads(written, object_hook=_object)


def _object(found: dict[str, Any]) -> Any:
    if "tensor" not in found:
        return found
    data, dtype, shape = found["tensor"], numpy.dtype(found["dtype"]), tuple(found["shape"])
    if isinstance(data, str):
        return numpy.frombuffer(base64.b64decode(data), dtype).reshape(shape).copy()
    return numpy.array(data, dtype).reshape(shape)
