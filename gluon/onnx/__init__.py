"""`gluon.onnx`: networks from ONNX's files, and networks written to them.

The package onnx reads and writes the files; ``pip install 'gluon-autograd[onnx]'`` installs it.
"""

from __future__ import annotations

import typing as _typing

from .._core.faces.names import public_names as _public_names
from .._core.hints.lookup import hinting as _hinting
from .loading import get_model_metadata as get_model_metadata
from .loading import import_model as import_model
from .loading import import_to_gluon as import_to_gluon
from .saving import export_model as export_model
from .saving import get_operator_support as get_operator_support

if not _typing.TYPE_CHECKING:  # where a wrong name is to be reported
    __getattr__ = _hinting(__name__, _public_names(__name__))
