"""`mx.libinfo`: the version of MXNet whose API gluon provides, and its missing files."""

from __future__ import annotations

from typing import NoReturn

from .._core.errors import MissingFileError

__version__ = "1.9.1"


def find_lib_path(prefix: str = "libmxnet") -> NoReturn:
    """Raise `MissingFileError`: there is no compiled library."""
    _absent("find_lib_path", f"library {prefix}")


def find_include_path() -> NoReturn:
    """Raise `MissingFileError`: there are no header files."""
    _absent("find_include_path", "C++ header files")


def find_conf_path(prefix: str = "tvmop") -> NoReturn:
    """Raise `MissingFileError`: there is no configuration of compiled operators."""
    _absent("find_conf_path", f"configuration {prefix}.conf")


def _absent(function: str, what: str) -> NoReturn:
    raise MissingFileError(
        f"{function}: gluon has no {what}, because it is written in Python on NumPy. Write an"
        " operator of your own with operator.CustomOp or autograd.Function"
    )
