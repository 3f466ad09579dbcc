"""What becomes of arrays on ``mx.gpu(i)`` while the hook is installed: there is no GPU here.

Most scripts name a GPU as a default; their arrays are computed on the host, with one warning.
Some try a GPU and take the CPU when that fails: to them the error is the answer they ask for.
Which of the two a call is shows in the script's source alone, so that is where `is_probe` looks.
"""

from __future__ import annotations

import ast
import builtins
import linecache
import os
import sys
import warnings
from collections.abc import Iterator
from functools import cache
from types import FrameType
from typing import Any

from ..engine.errors import GluonError
from ..ndarray.context import Context

#: ``error``: every array on a GPU is an error; ``host``: none is; otherwise `is_probe` decides.
VARIABLE = "GLUON_GPU"
PACKAGE = __name__.partition(".")[0]
#: Modules whose functions make single arrays, as a probe does, rather than networks or data.
MAKERS = tuple(f"{PACKAGE}.{name}" for name in ("nd", "ndarray", "np", "npx", "random"))
#: A try block with more statements does the work itself.
LONGEST = 8
#: Functions that make a handler no answer to a probe.
EXITS = {"exit", "_exit", "abort", "quit"}

_warned = False


def host_or_error(ctx: Context) -> None:
    """Let an array on `ctx` be computed on the host, with one warning, or raise.

    Parameters
    ----------
    ctx : Context
        A GPU.

    Raises
    ------
    GluonError
        If the call is a probe, or the variable ``GLUON_GPU`` is ``error``.
    """
    global _warned
    wanted = os.environ.get(VARIABLE, "")
    frame, called = caller()
    if wanted == "error" or (wanted != "host" and is_probe(frame, called)):
        raise GluonError(
            f"{ctx} is not available: num_gpus() is 0; use cpu(), or set {VARIABLE}=host to compute"
            " on the host all that names a GPU"
        )
    if not _warned:
        _warned = True
        warnings.warn(
            f"there is no GPU here: arrays on {ctx} are computed on the host;"
            f" set {VARIABLE}=error to make this an error",
            stacklevel=depth(frame),
        )


def depth(frame: FrameType) -> int:
    """How far `frame` is from the caller of this function, as `warnings.warn` counts it."""
    count, here = 1, sys._getframe(1)
    while here is not frame and here.f_back is not None:
        count, here = count + 1, here.f_back
    return count


def caller() -> tuple[FrameType, str]:
    """The innermost frame outside of gluon, and the module of gluon that it called."""
    frame, called = sys._getframe(1), ""
    while frame.f_back is not None:
        name = frame.f_globals.get("__name__") or ""
        if name.partition(".")[0] != PACKAGE:
            break
        frame, called = frame.f_back, name
    return frame, called


def is_probe(frame: FrameType, called: str) -> bool:
    """Whether the script tries a GPU, and has an answer ready for the case that there is none.

    A probe stands in a short ``try`` block of its function, of which a handler catches
    `MXNetError` and neither raises again nor exits. Where that handler catches all errors, the
    call must make an array, since whole networks are not made as probes.

    Parameters
    ----------
    frame : frame
        What called gluon.
    called : str
        The module of gluon that it called.
    """
    code = frame.f_code
    if code.co_name == "<lambda>":
        return False
    source = "".join(linecache.getlines(code.co_filename, frame.f_globals))
    for block in tries(source, frame.f_lineno):
        for handler in block.handlers:
            classes = caught(handler, frame)
            if not any(issubclass(GluonError, one) for one in classes):
                continue
            if ends(handler):
                break
            own = any(issubclass(one, GluonError) for one in classes)
            return statements(block) <= LONGEST and (own or called.startswith(MAKERS))
    return False


@cache
def tries(source: str, line: int) -> list[ast.Try]:
    """The ``try`` statements, innermost first, that have `line` in their first block.

    Only those of the innermost function there: others are left when it is called.
    """
    try:
        node: ast.AST | None = ast.parse(source)
    except SyntaxError:
        return []
    found: list[ast.Try] = []
    while node is not None:
        inside = next((one for one in parts(node) if one.lineno <= line <= one.end_lineno), None)
        if isinstance(inside, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            found = []
        elif isinstance(node, ast.Try) and inside in node.body:
            found.insert(0, node)
        node = inside
    return found


def parts(node: ast.AST) -> Iterator[Any]:
    """The statements and handlers directly inside a node."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, (ast.stmt, ast.ExceptHandler)):
            yield child
        elif isinstance(child, ast.match_case):
            yield from parts(child)


def caught(handler: ast.ExceptHandler, frame: FrameType) -> list[type]:
    """The classes of errors that a handler names, looked up where it stands."""
    if handler.type is None:
        return [BaseException]
    named = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    found = []
    for one in named:
        try:
            value: Any = located(one, frame)
        except (AttributeError, KeyError):
            continue
        if isinstance(value, type):
            found.append(value)
    return found


def located(name: ast.expr, frame: FrameType) -> Any:
    """What a dotted name stands for in a frame."""
    if isinstance(name, ast.Attribute):
        return getattr(located(name.value, frame), name.attr)
    places = (frame.f_locals, frame.f_globals, vars(builtins))
    key = name.id if isinstance(name, ast.Name) else ""
    return next((place[key] for place in places if key in place), None)


def ends(handler: ast.ExceptHandler) -> bool:
    """Whether a handler raises again or exits."""
    for node in ast.walk(handler):
        if isinstance(node, ast.Raise):
            return True
        if isinstance(node, ast.Call):
            name = getattr(node.func, "attr", getattr(node.func, "id", ""))
            if name in EXITS:
                return True
    return False


def statements(block: ast.Try) -> int:
    """How many statements the first block of a ``try`` has, nested ones included."""
    return sum(isinstance(node, ast.stmt) for part in block.body for node in ast.walk(part))
