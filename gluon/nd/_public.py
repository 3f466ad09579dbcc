"""What every `nd` function has: ``out=`` and ``name=``, and results that are never 0-d."""

from __future__ import annotations

import functools
import inspect
import re
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np

from ..engine.array import Array
from ..engine.errors import ArgumentError, DTypeError, GluonError, named, translated
from ..engine.op import RECORDED as F
from ..engine.rebind import is_recorded, rebind
from ..ndarray import NDArray, ndarray

BOOL = np.dtype(bool)
#: The functions for users, as against helpers.
PUBLIC: set[Callable] = set()
#: What counts as one whole number.
INTS = (int, np.integer)
OUT = """
    out : NDArray of the shape and dtype of the result, optional
        Where to write it.
    name : str, optional
        Ignored; symbols use it in MXNet.
"""
NUM_ARGS = """
    num_args : int, optional
        How many arrays are given."""
#: What the functions of one array have in common: parameters, results and errors.
UNARY = (
    "data : NDArray of numbers, of any shape",
    """NDArray of the same shape and dtype
        The fraction of a result is dropped where `data` is of integers.""",
    """DTypeError
        If `data` is no NDArray, or boolean.""",
)


def public(function: Callable) -> Callable:
    """`function` with the arguments that every operator of MXNet has.

    They are ``out`` and ``name``, after all others, and ``num_args`` where any number of arrays
    is taken.
    """
    signature = inspect.signature(function)
    parameters = [p for p in signature.parameters.values() if p.kind is not p.VAR_KEYWORD]
    by_place = all(p.kind is p.POSITIONAL_OR_KEYWORD for p in parameters)
    most = len(parameters) if by_place else sys.maxsize
    variadic = any(p.kind is p.VAR_POSITIONAL for p in parameters)
    counted = variadic and "num_args" not in signature.parameters

    @functools.wraps(function)
    def call(*args: Any, out: Any = None, name: Any = None, **kwargs: Any) -> Any:
        if most < len(args) <= most + 2 and out is None:
            args, out = args[:most], args[most]
        if kwargs:  # a number of NumPy's would bring its dtype along
            kwargs = {k: v.item() if isinstance(v, np.generic) else v for k, v in kwargs.items()}
        if counted and "num_args" in kwargs:
            _count(call.__name__, args, kwargs.pop("num_args"))
        try:
            result = function(*args, **kwargs)
        except AttributeError as error:
            raise not_an_array(call.__name__, args, kwargs, error) from error
        except GluonError as error:
            named(error, call.__name__)
            raise
        except (TypeError, ValueError, IndexError) as error:
            reason = str(error).removeprefix(f"{call.__name__}() ")
            if reason != str(error):  # Python refused the call itself
                reason += f"; it takes {', '.join(p.name for p in parameters)}"
            raise translated(error, f"{call.__name__}: {reason}") from error
        return result if out is None else write(out, result, function.__name__)

    one = inspect.Parameter
    kind = one.POSITIONAL_OR_KEYWORD if by_place else one.KEYWORD_ONLY
    extra = ("num_args", "out", "name") if counted else ("out", "name")
    parameters += [one(key, kind, default=None) for key in extra]
    if call.__doc__:
        call.__doc__ = _with(OUT if not counted else NUM_ARGS + OUT, call.__doc__)
    call.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    PUBLIC.add(call)
    return call


def _with(parameters: str, doc: str) -> str:
    """`doc` with descriptions of more parameters, indented as it is."""
    match = re.search(r"\n\n( *)Returns\n", doc)
    if match is None:
        return doc
    more = parameters.rstrip().replace("\n    ", "\n" + match[1])
    return doc[: match.start()] + more + doc[match.start() :]


def _count(name: str, args: tuple, num_args: int | None) -> None:
    """Raise unless `num_args` is how many arrays are given, or None."""
    given = args[0] if len(args) == 1 and isinstance(args[0], (list, tuple)) else args
    if num_args not in (None, len(given)) and all(isinstance(x, Array) for x in given):
        raise ArgumentError(f"{name}: num_args={num_args}, but {len(given)} arrays are given")


def not_an_array(name: str, args: tuple, kwargs: dict, error: AttributeError) -> Exception:
    """The error to raise for `error`: a `DTypeError` where an argument should be an array."""
    culprit = getattr(error, "obj", None)
    if isinstance(culprit, Array) or all(culprit is not x for x in (*args, *kwargs.values())):
        return error
    return DTypeError(
        f"{name}: got {type(culprit).__name__} where an NDArray is needed; use nd.array(...)"
    )


def table(text: str) -> dict[str, tuple[str, ...]]:
    """The lines of a table, ``name | cell | ...``, by name."""
    rows = [[cell.strip() for cell in line.split("|")] for line in text.strip().splitlines()]
    return {name: tuple(cells) for name, *cells in rows}


def unary(op: Callable, doc: str, given: str, result: str) -> Callable:
    """The public form of a float function of one array; of `given` it is `result`."""
    name = op.__name__

    def call(data: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
        y = op(data)
        dtype = data._raw.dtype
        if y._raw.dtype is not dtype or dtype is BOOL:
            if dtype is BOOL:
                raise DTypeError(f"{call.__name__}: data is boolean; cast it to numbers first")
            y = F.cast(y, dtype=dtype)  # integers stay integers
        return y if out is None else write(out, y, call.__name__)

    return documented(call, name, doc, *UNARY, shown(f"nd.{name}(nd.array({given}))", result))


def documented(
    call: Callable,
    name: str,
    doc: str,
    inputs: str,
    returns: str,
    raises: str = "",
    example: str = "",
) -> Callable:
    """Give a function made from a table its name and a docstring."""
    call.__name__ = call.__qualname__ = name
    sections = [("Parameters", inputs.strip() + OUT), ("Returns", returns)]
    sections += [("Raises", raises), ("Examples", example)]
    call.__doc__ = f"{doc}.\n" + "".join(
        f"\n    {title}\n    {'-' * len(title)}\n    {text.strip()}\n"
        for title, text in sections
        if text
    )
    PUBLIC.add(call)
    return call


def shown(code: str, result: str, dtype: str = "float32") -> str:
    """An example: `code` with the array that it gives, printed as one of NumPy."""
    rounded = ".round(4)" * bool(re.search(r"\.\d{4}", result))
    shown = f"array({result}, dtype={dtype})".replace("\n", "\n    ")
    return f">>> from gluon import nd\n    >>> {code}.asnumpy(){rounded}\n    {shown}"


def operators(module: ModuleType) -> dict[str, Callable]:
    """The functions of `module` that `public` or `documented` made, aliases included."""
    found = [(name, value) for name, value in vars(module).items() if name[0] != "_"]
    return {name: value for name, value in found if callable(value) and value in PUBLIC}


def write(out: Any, result: Any, name: str) -> Any:
    """Write a result, or several, into `out`, recorded where the result is."""
    if isinstance(out, (list, tuple)) or isinstance(result, (list, tuple)):
        outs, results = (x if isinstance(x, (list, tuple)) else [x] for x in (out, result))
        if len(outs) != len(results):
            raise ArgumentError(f"{name}: out holds {len(outs)} arrays for {len(results)} results")
        for one, value in zip(outs, results):
            write(one, value, name)
        return out
    if not isinstance(out, Array):
        raise DTypeError(f"{name}: out must be an NDArray, not {type(out).__name__}")
    if out._raw.shape != result._raw.shape:
        raise ArgumentError(
            f"{name}: out has shape {out._raw.shape}, the result {result._raw.shape}"
        )
    if out._raw.dtype != result._raw.dtype:
        raise DTypeError(f"{name}: out has dtype {out._raw.dtype}, the result {result._raw.dtype}")
    if is_recorded(out, result):
        rebind(out, result, f"{name}(out=...)")
    else:
        out[...] = result  # type: ignore[index]
    return out


def at_least_1d(result: NDArray) -> NDArray:
    """MXNet's classic arrays have at least one axis: a scalar result has shape (1,)."""
    if result._raw.ndim or isinstance(result, ndarray):
        return result
    return F.reshape(result, shape=(1,))


def several(value: Any) -> tuple:
    """One number or a sequence of them, as a tuple."""
    return (value,) if isinstance(value, (*INTS, float)) else tuple(value)
