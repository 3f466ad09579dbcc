"""``mxnet.log``: loggers that write a letter for the level, the time and the place."""

from __future__ import annotations

import logging
import sys
from logging import CRITICAL, DEBUG, ERROR, INFO, NOTSET, WARNING, Logger

__all__ = [
    "CRITICAL",
    "DEBUG",
    "ERROR",
    "INFO",
    "NOTSET",
    "WARNING",
    "getLogger",
    "get_logger",
]

#: The colours of a terminal for the levels from which they hold.
COLOURS = {WARNING: "\x1b[31m", INFO: "\x1b[32m", NOTSET: "\x1b[34m"}


class Formatter(logging.Formatter):
    """Lines such as ``I0131 12:00:00 4711 train.py:main:12] text``, the head in colour."""

    def format(self, record: logging.LogRecord) -> str:
        """The line for `record`."""
        colour = next(code for level, code in COLOURS.items() if record.levelno >= level)
        letter = record.levelname[0] if record.levelno in COLOURS or record.levelno > 0 else "U"
        place = "%(asctime)s %(process)d %(pathname)s:%(funcName)s:%(lineno)d"
        self._style._fmt = f"{colour}{letter}{place}]\x1b[0m %(message)s"
        return super().format(record)


def get_logger(
    name: str | None = None,
    filename: str | None = None,
    filemode: str | None = None,
    level: int = WARNING,
) -> Logger:
    """A logger that writes to a file, or in colour to the standard error.

    Parameters
    ----------
    name : str, optional
        That of the root logger unless given; a logger that was set up before stays as it is.
    filename : str, optional
        Where to write plain lines.
    filemode : str, default 'a'
        How to open the file.
    level : int, default WARNING
        The least level that is written.

    Returns
    -------
    logging.Logger
    """
    logger = logging.getLogger(name)
    if name is None or getattr(logger, "_init_done", None):
        return logger
    logger._init_done = True  # type: ignore[attr-defined]
    if filename:
        handler: logging.Handler = logging.FileHandler(filename, filemode or "a")
    else:
        handler = logging.StreamHandler(sys.stderr)
        handler.setFormatter(Formatter(datefmt="%m%d %H:%M:%S"))
    logger.addHandler(handler)
    logger.setLevel(level)
    return logger


getLogger = get_logger
