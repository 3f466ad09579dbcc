"""`mx.log`: loggers with short colored lines."""

from __future__ import annotations

import logging
import warnings
from logging import CRITICAL, DEBUG, ERROR, INFO, NOTSET, WARNING

__all__ = ["CRITICAL", "DEBUG", "ERROR", "INFO", "NOTSET", "WARNING", "getLogger", "get_logger"]

RED, GREEN, BLUE, PLAIN = "\x1b[31m", "\x1b[32m", "\x1b[34m", "\x1b[0m"
LETTERS = {CRITICAL: "C", ERROR: "E", WARNING: "W", INFO: "I", DEBUG: "D"}
LINE = "%(asctime)s %(process)d %(pathname)s:%(funcName)s:%(lineno)d]"


class _Formatter(logging.Formatter):
    """Formats level, time, process and place in color, then the message."""

    def __init__(self) -> None:
        super().__init__(LINE + PLAIN + " %(message)s", "%m%d %H:%M:%S")

    def _get_color(self, level: int) -> str:
        return RED if level >= WARNING else GREEN if level >= INFO else BLUE

    def _get_label(self, level: int) -> str:
        return LETTERS.get(level, "U")

    def format(self, record: logging.LogRecord) -> str:
        level = record.levelno
        return self._get_color(level) + self._get_label(level) + super().format(record)


def get_logger(
    name: str | None = None,
    filename: str | None = None,
    filemode: str | None = None,
    level: int = WARNING,
) -> logging.Logger:
    """Return a logger; the first call for a name sets it up."""
    logger = logging.getLogger(name)
    if name is not None and not getattr(logger, "_init_done", False):
        logger._init_done = True  # type: ignore[attr-defined]
        handler: logging.Handler
        if filename:
            handler = logging.FileHandler(filename, filemode or "a")
        else:
            handler = logging.StreamHandler()
            handler.setFormatter(_Formatter())
        logger.addHandler(handler)
        logger.setLevel(level)
    return logger


def getLogger(  # noqa: N802, RUF100
    name: str | None = None,
    filename: str | None = None,
    filemode: str | None = None,
    level: int = WARNING,
) -> logging.Logger:
    """`get_logger` under its old name, with a warning of its own."""
    warnings.warn(
        "getLogger is deprecated, Use get_logger instead.", DeprecationWarning, stacklevel=2
    )
    return get_logger(name, filename, filemode, level)
