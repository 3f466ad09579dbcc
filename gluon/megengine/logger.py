"""Loggers for MegEngine's scripts, made with Python's `logging`."""

from __future__ import annotations

import logging
from typing import Any

_all_loggers: list[logging.Logger] = []
_default_level = logging.INFO
_default_level_name = "INFO"


class MegEngineLogFormatter(logging.Formatter):
    """The time, the level of a warning or an error, and the message."""

    log_fout = None
    max_lines = 256

    def format(self, record: logging.LogRecord) -> str:
        """The text of one record."""
        mark = {logging.DEBUG: "DBG ", logging.WARNING: "WRN ", logging.ERROR: "ERR "}
        prefix = mark.get(record.levelno, "")
        return f"{self.formatTime(record, '%d %H:%M:%S')} {prefix}{super().format(record)}"


class MegBrainLogFormatter(MegEngineLogFormatter):
    """The same for what MegEngine's library logs."""


def get_logger(name: str | None = None, formatter: Any = MegEngineLogFormatter) -> logging.Logger:
    """Return a logger that writes to standard error."""
    logger = logging.getLogger(name)
    if logger not in _all_loggers:
        _all_loggers.append(logger)
        logger.propagate = False
        logger.setLevel(_default_level)
        handler = logging.StreamHandler()
        handler.setFormatter(formatter())
        logger.handlers[:] = [handler]
    return logger


def set_log_level(level: Any, update_existing: bool = True) -> int:
    """Set the level of all loggers; returns the previous one."""
    global _default_level
    before, _default_level = _default_level, level
    if update_existing:
        for logger in _all_loggers:
            logger.setLevel(level)
    return before


def set_log_file(fout: Any, mode: str = "a") -> None:
    """Also write log messages to a file."""
    file = isinstance(fout, str)
    target = logging.FileHandler(fout, mode) if file else logging.StreamHandler(fout)
    target.setFormatter(MegEngineLogFormatter())
    for logger in _all_loggers:
        logger.addHandler(target)


def enable_debug_log() -> None:
    """Set all loggers to the level DEBUG."""
    set_log_level(logging.DEBUG)


def replace_mgb_log_level(level: Any) -> int:
    """Has no effect; returns the level of the loggers."""
    return _default_level


set_mgb_log_level = replace_mgb_log_level
logger = _logger = get_logger("megengine")
