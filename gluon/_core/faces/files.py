"""Open the files that users name."""

from __future__ import annotations

import os
from typing import Any

from ..errors import MissingFileError


def opened(
    function: str, path: str | os.PathLike[str], mode: str = "rb", encoding: str | None = None
) -> Any:
    """The open file; the error for a missing file or folder names the public `function`."""
    try:
        return open(path, mode, encoding=encoding)
    except FileNotFoundError:
        folder = os.path.dirname(os.fspath(path))
        if "w" in mode:
            text = f"there is no folder {folder!r} for the file; create it first"
        else:
            text = f"cannot find the file {os.fspath(path)!r}"
        raise MissingFileError(f"{function}: {text}") from None
