"""The decorator of all `nd` functions: ``out=``, ``name=``, and results with at least one axis."""

from __future__ import annotations

import functools
import inspect
import sys
from collections.abc import Callable, Container
from types import ModuleType
from typing import Any, NamedTuple, cast

import numpy as np

from .._core.arrays.base import A
from .._core.arrays.rebind import is_recorded, rebind
from .._core.engine.array import Array
from .._core.engine.call import with_zeros
from .._core.engine.mode import mode
from .._core.engine.op import RECORDED as ops
from .._core.errors import CAUSES, ArgumentError, DTypeError, GluonError, a_type
from .._core.faces.docs import completed
from .._core.faces.errors import named, not_an_array, rejected
from .._core.faces.face import Face
from .._core.faces.kinds import KINDS
from .._core.faces.parameters import OF_ND
from .._core.faces.prototype import T
from .._core.faces.text import (
    FLAG,
    REAL,
    REALS,
    WHOLE,
    WHOLES,
    Reader,
    hints,
    kinds,
    misfit,
    read,
    reader,
)
from .._core.hints.lookup import refuse
from .._core.transforms.crossing import of_each

BOOL, HALF = np.dtype(bool), np.dtype("float16")
#: The types of plain numbers, and of omitted ones.
PLAIN_NUMBERS = frozenset({int, float, bool})
PLAIN = PLAIN_NUMBERS | {type(None)}
#: The types of arguments in which arrays would not get a gradient.
CONTAINERS = (Array, list, tuple)
#: The types of a single integer.
INTS = (int, np.integer)
#: The arguments that `public` handles and does not pass on.
ADDED = ("num_args", "out", "name")
ND = Face(
    "gluon.nd",
    "from gluon import nd",
    "nd.{name}({given}).asnumpy()",
    "array({result}, dtype=float32)",
    parameters=OF_ND,
)


class Taken(NamedTuple):
    """The arguments of a function, according to the annotations of its parameters.

    Attributes
    ----------
    readers : dict
        How text is read for its parameters.
    optional, needed : set of str
        Those that may be None, and those that may not be, though they are not arrays.
    keys : list of str
        All of them.
    arrays : int
        How many arguments without reader come first.
    """

    readers: dict[str, Reader]
    optional: set[str]
    needed: set[str]
    keys: list[str]
    arrays: int


def public(function: T, like: Callable[..., Any] | None = None) -> T:
    """Return `function` with the additional arguments of all MXNet operators.

    They are ``out`` and ``name``, after all others, and ``num_args`` where any number of arrays
    is taken. Numbers, flags and tuples may be given as text; the types of the arguments are those
    in the signature of `like`, by default of `function` itself.
    """
    body: Any = function
    code = body.__code__
    own = [key for key in code.co_varnames[: code.co_argcount] if key not in ADDED]
    counted = "num_args" in code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    by_place = not code.co_flags & inspect.CO_VARARGS
    most = len(own) if by_place else sys.maxsize
    taken: Taken | None = None

    def prepared() -> Taken:
        """Inspect the function at its first call, because annotations are slow to read."""
        found = hints(like or body)
        readers = {key: how for key, kind in found.items() if (how := reader(kind))}
        parameters = inspect.signature(body).parameters.values()
        optional = {key for key, kind in found.items() if type(None) in kinds(kind)}
        optional |= {p.name for p in parameters if p.default is None}
        needed = {key for key, how in readers.items() if how in (FLAG, WHOLE, REAL)} - optional
        keys = [p.name for p in parameters if p.kind is not p.VAR_KEYWORD]
        arrays = next((k for k, key in enumerate(keys) if key in readers and by_place), most)
        return Taken(readers, optional, needed, keys, arrays)

    def given(key: str, value: Any) -> Any:
        """Convert a positional argument that is not a number."""
        how = taken.readers.get(key) if taken else None
        if how and isinstance(value, str):
            return read(how, call.__name__, key, value)
        if how and isinstance(value, CONTAINERS):
            return plain(call.__name__, key, value, how)
        return value

    @functools.wraps(function)
    def call(*args: Any, out: Any = None, name: Any = None, **kwargs: Any) -> Any:
        nonlocal taken
        if taken is None:
            taken = prepared()
        readers, optional, needed, keys, arrays = taken
        if len(args) > most:
            if out is None and len(args) <= most + 2:
                args, out = args[:most], _as_out(call.__name__, own, args[most - 1 :])
            else:
                kwargs["out"] = out  # given twice, which Python rejects
        for key, value in kwargs.items():
            kind = type(value)
            if kind in PLAIN_NUMBERS or (kind is tuple and PLAIN.issuperset(map(type, value))):
                continue
            if isinstance(value, str):
                if key in readers:
                    kwargs[key] = read(readers[key], call.__name__, key, value)
            elif value is None:
                if key in needed:  # NumPy would treat it as NaN, Python as False
                    blame(call.__name__, {key: None}, readers, optional)
            elif isinstance(value, np.generic):  # its dtype would affect the result
                kwargs[key] = value.item()
            elif isinstance(value, CONTAINERS) and key in readers:
                kwargs[key] = plain(call.__name__, key, value, readers[key])
        for value in args[arrays:]:
            kind = type(value)
            if kind not in PLAIN and not (kind is tuple and PLAIN.issuperset(map(type, value))):
                args = (*args[:arrays], *map(given, keys[arrays:], args[arrays:]), *args[most:])
                break
        if counted and "num_args" in kwargs:
            _count(call.__name__, args, kwargs.pop("num_args"))
        try:
            result = function(*args, **kwargs) if kwargs else function(*args)
        except AttributeError as error:
            raise not_an_array(call.__name__, args, kwargs, error) from None
        except GluonError as error:
            if isinstance(error.__context__, CAUSES):  # a kernel rejected its input
                blame(call.__name__, {**dict(zip(own, args)), **kwargs}, readers, optional)
            error.args = (str(error).removeprefix(f"{body.__name__}: "),)  # for an alias
            named(error, call.__name__)
            raise
        except CAUSES as error:
            blame(call.__name__, {**dict(zip(own, args)), **kwargs}, readers, optional)
            takes = f"; it takes {', '.join(keys)}"
            raise rejected(error, body.__name__, call.__name__, keys, takes) from None
        return result if out is None else write(out, result, body.__name__)

    if call.__doc__:
        call.__doc__ = completed(call.__doc__, ADDED if counted else ADDED[1:], OF_ND)
    KINDS[call] = ""
    return cast(T, call)


def alias(name: str, function: T) -> T:
    """Return a function made by `public` under another name, with which its errors begin."""
    twin: Any = public(cast(Any, function).__wrapped__)
    twin.__name__ = twin.__qualname__ = name
    KINDS[twin] = KINDS[function]
    return twin


def blame(
    name: str,
    given: dict[str, Any],
    readers: dict[str, Reader],
    optional: Container[str],
) -> None:
    """Raise an error about the first argument of a wrong type, if there is one."""
    if key := misfit(given, readers, optional):
        kind = a_type(given[key])
        raise DTypeError(f"{name}: {key} is {kind}; it must be {readers[key].kind}") from None


def plain(name: str, key: str, value: Any, how: Reader) -> Any:
    """Return an argument that is not an array; a list as a tuple, which is immutable.

    Raises
    ------
    DTypeError
        If it is a floating array, or holds one: no gradient would pass.
    """
    parts = value if isinstance(value, (list, tuple)) else (value,)
    if any(isinstance(part, Array) and part.form.dtype.kind in "fV" for part in parts):
        is_array = "is" if isinstance(value, Array) else "holds"
        raise DTypeError(
            f"{name}: {key} {is_array} an array and must be {how.kind}; no gradient passes to it."
            " Pass x.item() in place of an array x, or compute with operators on arrays"
        )
    return tuple(value) if isinstance(value, list) and how in (WHOLES, REALS) else value


def _as_out(name: str, keys: list[str], given: tuple[Any, ...]) -> Any:
    """What follows all `keys`, where `out` may be; a number is one of several for the last key."""
    if isinstance(given[1], (int, float)):
        raise DTypeError(
            f"{name}: {keys[-1]} takes several numbers as one tuple; give {keys[-1]}={given}"
        )
    return given[1]


def _count(name: str, args: tuple[Any, ...], num_args: Any) -> None:
    """Raise unless `num_args` is None or the number of given arrays."""
    given = args[0] if len(args) == 1 and isinstance(args[0], (list, tuple)) else args
    if num_args is None:
        return
    if not isinstance(num_args, INTS):
        raise DTypeError(f"{name}: num_args={num_args!r} must be an integer")
    if num_args != len(given) and all(isinstance(x, Array) for x in given):
        raise ArgumentError(f"{name}: num_args={num_args}, but {len(given)} arrays are given")


def one(data: A, out: A | None = None, name: str | None = None) -> A:
    """A float function of one array.

    Parameters
    ----------
    data : NDArray of numbers, of any shape

    Returns
    -------
    NDArray of the same shape and dtype
        The fraction of a result is dropped where `data` is of integers.

    Raises
    ------
    DTypeError
        If `data` is not an NDArray, or boolean.
    """
    raise NotImplementedError


def unary(like: T, op: Callable[..., Any], given: str, result: str) -> T:
    """Create the public form of a float function of one array, with an example."""

    def call(
        data: Any, out: Any = None, name: str | None = None, *, inplace: bool | None = None
    ) -> Any:
        try:
            y, dtype = op(data), data.form.dtype
        except AttributeError as error:
            raise not_an_array(call.__name__, (data,), {}, error) from None
        if inplace is not None:
            refuse(call, ["inplace"])
        if y.form.dtype is not dtype or dtype is BOOL:
            if dtype is BOOL:
                raise DTypeError(f"{call.__name__}: data is boolean; cast it to numbers first")
            if y.form.dtype is HALF:  # NumPy uses float16, with 11 bits, for small integers
                y = op(ops.cast(data, dtype=np.float32))
            y = ops.cast(y, dtype=dtype)  # the result of integers is integers
        return y if out is None else write(out, y, call.__name__)

    name, title = op.__name__, op.__doc__ or ""
    return ND.made(like, call, name, title, f"nd.array({given})", result, "alike")


def operators(module: ModuleType) -> dict[str, Callable[..., Any]]:
    """Return the public functions of `module`, aliases included."""
    found = [(name, value) for name, value in vars(module).items() if name[0] != "_"]
    return {name: value for name, value in found if callable(value) and value in KINDS}


def write(out: Any, result: Any, name: str) -> Any:
    """Write a result, or several, into `out`; recorded if the result is."""
    if isinstance(out, (list, tuple)) or isinstance(result, (list, tuple)):
        outs, results = (x if isinstance(x, (list, tuple)) else [x] for x in (out, result))
        if len(outs) != len(results):
            raise ArgumentError(f"{name}: out holds {len(outs)} arrays for {len(results)} results")
        for one, value in zip(outs, results):
            write(one, value, name)
        return out
    if not isinstance(out, Array):
        raise DTypeError(f"{name}: out must be an NDArray, not {type(out).__name__}")
    # The buffers get no further name here: it would look as if somebody else held them.
    if out.form.shape != result.form.shape:
        raise ArgumentError(
            f"{name}: out has shape {out.form.shape}, the result {result.form.shape}"
        )
    if out.form.dtype != result.form.dtype:
        raise DTypeError(f"{name}: out has dtype {out.form.dtype}, the result {result.form.dtype}")
    if is_recorded(out, result):
        rebind(out, result, f"{name}(out=...)")
    else:
        out[...] = result  # type: ignore[index]
    return out


def with_zero_gradients(result: Any, *sources: Any) -> Any:
    """Record `result` with zero gradients for `sources`, which only gave it a shape or order."""
    if mode().tapes:
        result._node = with_zeros(result._node, [x for x in sources if isinstance(x, Array)])
    return result


def made_like(result: Any, source: Array) -> Any:
    """A new array with a zero gradient for `source`; one of each example in `vmap` if that is."""
    return with_zero_gradients(of_each(result, source), source)


def at_least_1d(result: A) -> A:
    """Reshape a scalar to (1,): MXNet's classic arrays have at least one axis."""
    if result.form.ndim or result._of_numpy:
        return result
    return ops.reshape(result, shape=(1,))


def several(value: Any) -> tuple[Any, ...]:
    """Return one number or a sequence of numbers as a tuple."""
    return (value,) if isinstance(value, (*INTS, float)) else tuple(value)
