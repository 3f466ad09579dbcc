"""Symbols from MXNet's files."""

from __future__ import annotations

import os
from pathlib import Path

from .._core.errors import ArgumentError, MissingFileError, a_type
from .files import from_json
from .symbol import Symbol


def load_json(json_str: str) -> Symbol:
    """Create a symbol from the JSON of `Symbol.tojson` or of MXNet 0.8 to 1.9.

    Parameters
    ----------
    json_str : str

    Returns
    -------
    Symbol

    Raises
    ------
    ArgumentError
        If the text is not the JSON of a symbol, or has an unknown operator.

    Examples
    --------
    >>> from gluon import symbol
    >>> y = symbol.exp(symbol.var("x"), name="y")
    >>> symbol.load_json(y.tojson())
    <Symbol y>
    """
    if not isinstance(json_str, (str, bytes)):
        raise ArgumentError(f"load_json: give a str, not {a_type(json_str)}")
    return Symbol(from_json(json_str))


fromjson = load_json


def load(fname: str | os.PathLike[str]) -> Symbol:
    """Load a symbol from a file, such as ``name-symbol.json``.

    Parameters
    ----------
    fname : str or os.PathLike

    Returns
    -------
    Symbol

    Raises
    ------
    MissingFileError
        If there is no such file.
    ArgumentError
        If the file does not hold a symbol.
    """
    try:
        text = Path(fname).read_bytes()
    except FileNotFoundError:
        raise MissingFileError(f"load: cannot find the file {os.fspath(fname)!r}") from None
    return Symbol(from_json(text, f"load: {os.fspath(fname)}"))
