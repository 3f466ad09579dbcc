"""Reading pickles without running what they ask for: only known names are looked up and called.

`pickle.loads` imports any module and calls any function that a file names. Here, a name means what
a table says, only functions of this file are called, and an object gets its attributes only if it
is of a known class. NumPy's own functions are replaced too: with contradictory arguments they write
outside of arrays.
"""

from __future__ import annotations

import collections
import io
import pickle
import sys
from collections.abc import Callable, Iterable
from inspect import isfunction
from math import prod
from types import ModuleType
from typing import Any, ClassVar, NamedTuple

import numpy as np

from ..engine.array import Array, wrap
from ..errors import GluonError, UnknownNameError, a_type
from .dtypes import bfloat16


class Known(NamedTuple):
    """What a pickle may hold besides plain values and arrays of NumPy.

    Attributes
    ----------
    what : str
        What it should be, for errors.
    kinds : tuple of type
        The classes whose instances get attributes. Subclasses that the program defines are found.
    look_up : callable
        ``look_up(module, name)`` is what a name stands for, None if it is unknown.
    calls : tuple of callable
        What of that the pickle may call.
    values : callable
        ``values(content)`` is the raw array in the bytes of an array of MXNet's.
    encoding : str
        How to read the strings of Python 2; ``'bytes'`` leaves them as they are.
    way_out : str
        What an error about an unknown name ends with.
    """

    what: str
    kinds: tuple[type, ...]
    look_up: Callable[[str, str], Any] = lambda module, name: None
    calls: tuple[Callable[..., Any], ...] = ()
    values: Callable[[Any], np.ndarray] | None = None
    encoding: str = "ASCII"
    way_out: str = (
        ". A class of your own is read if it derives from {} and its module is imported before"
    )


def unpickle(data: bytes, known: Known) -> Any:
    """Read a pickle of plain values, arrays of NumPy, and what is `known`.

    Raises
    ------
    GluonError
        If the pickle is damaged, or holds anything else.
    """
    try:
        return _Unpickler(io.BytesIO(data), known).load()
    except UnknownNameError:
        raise
    except Exception as error:  # a damaged pickle can raise any error
        raise GluonError(
            f"the {len(data)} bytes are not {known.what}, or damaged:"
            f" {type(error).__name__}: {error}"
        ) from error


_Plain: Any = pickle._Unpickler  # the one in Python, whose methods can be replaced


class _Unpickler(_Plain):
    """The unpickler of Python without what can call anything; see `unpickle`."""

    append: Callable[[Any], None]
    read: Callable[[int], bytes]
    stack: list[Any]

    def __init__(self, file: io.BytesIO, known: Known) -> None:
        super().__init__(file, encoding=known.encoding)
        self.known = known

    def find_class(self, module: str, name: str) -> Any:
        """What a name stands for."""
        for look_up in (self.known.look_up, _of_python, _of_numpy, self._defined):
            found = look_up(module, name)
            if found is not None:
                return found
        bases = " or ".join(kind.__name__ for kind in self.known.kinds)
        raise UnknownNameError(
            f"{self.known.what}: the data names {module}.{name}, which is not read, because it"
            f" could run code{self.known.way_out.format(bases)}"
        )

    def _defined(self, module: str, name: str) -> Any:
        """A class of an imported module that derives from a known one."""
        found: Any = sys.modules.get(module)
        for part in name.split("."):
            found = vars(found).get(part) if isinstance(found, (type, ModuleType)) else None
        is_known = isinstance(found, type) and issubclass(found, self.known.kinds)
        return found if is_known else None

    def _instantiate(self, klass: Any, args: Any) -> None:
        raise ValueError("it creates an object as Python 1 did")

    def get_extension(self, code: int) -> None:
        """Refuse what the program registered with ``copyreg``."""
        raise ValueError(f"it has the extension code {code}")

    def load_reduce(self) -> None:
        """Call a function, if it is a known one."""
        args = self.stack.pop()
        called = self.stack.pop()
        if isinstance(called, type) and issubclass(called, Array) and args == (None,):
            self.append(_blank(called))  # so MXNet writes arrays
        elif any(called is one for one in (*CALLED, *self.known.calls)):
            self.append(called(*args))
        else:
            raise ValueError(f"it calls {_named(called)}")

    def load_newobj(self) -> None:
        """Create an object of a class, without arguments."""
        args = self.stack.pop()
        self.append(_blank(self.stack.pop(), *args))

    def load_newobj_ex(self) -> None:
        """Refuse: nothing that is read here is written so."""
        raise ValueError("it creates an object with named arguments")

    def load_bytearray8(self) -> None:
        """Read a bytearray, of no more bytes than there are."""
        self.append(bytearray(self.read(int.from_bytes(self.read(8), "little"))))

    def load_build(self) -> None:
        """Give the last object its attributes."""
        state = self.stack.pop()
        target: Any = self.stack[-1]
        if type(target) is np.ndarray:
            _fill(target, *state)
        elif isinstance(target, np.dtype):
            _order(target, state)
        elif not isinstance(target, (Array, *self.known.kinds)):
            raise ValueError(f"it sets attributes of {_named(target)}")
        elif not state:
            return
        elif isinstance(target, Array) and self.known.values and "handle" in state:
            target.raw = self.known.values(state["handle"])
        elif (set_state := getattr(type(target), "__setstate__", None)) is not None:
            set_state(target, state)
        else:
            vars(target).update({str(key): value for key, value in state.items()})

    dispatch: ClassVar = {
        **_Plain.dispatch,
        pickle.REDUCE[0]: load_reduce,
        pickle.NEWOBJ[0]: load_newobj,
        pickle.NEWOBJ_EX[0]: load_newobj_ex,
        pickle.BYTEARRAY8[0]: load_bytearray8,
        pickle.BUILD[0]: load_build,
    }


# ------------------------------------------------------------------------------- what is called


def _named(thing: Any) -> str:
    """What an error calls something, which can be too large to print."""
    name = getattr(thing, "__name__", None)
    return name if isinstance(name, str) else a_type(thing)


def _blank(klass: Any, *args: Any) -> Any:
    """A new object without attributes, of a class that `find_class` gave.

    MegEngine gives the values of a tensor at once, with its dtype and device.
    """
    if isinstance(klass, type) and issubclass(klass, Array) and args:
        if type(args[0]) is not np.ndarray:
            raise ValueError(f"it makes an array of {_named(args[0])}")
        return wrap(klass, args[0])
    if not isinstance(klass, type) or args:
        raise ValueError(f"it creates {_named(klass)} from {len(args)} arguments")
    return wrap(klass, np.empty((0,))) if issubclass(klass, Array) else klass.__new__(klass)


def _reconstructor(klass: Any, base: Any, state: Any) -> Any:
    """What Python wrote in place of a new object in its oldest format."""
    if base is not object or state is not None:
        raise ValueError(f"it creates {_named(klass)} from a base with a state")
    return _blank(klass)


def _empty(kind: Any, shape: Any, code: Any) -> np.ndarray:
    """An array of NumPy that `_fill` completes."""
    return np.empty((0,), np.uint8)


def _fill(
    target: np.ndarray, version: Any, shape: Any, dtype: Any, by_columns: Any, data: Any
) -> None:
    """Give an array of `_empty` its values."""
    if target.shape != (0,) or target.dtype != np.uint8:
        raise ValueError("it sets the values of an array twice")
    values: tuple[Any, ...] = (1, *_checked(shape, dtype, data), bool(by_columns), bytes(data))
    target.__setstate__(values)


def _checked(shape: Any, dtype: Any, data: Any) -> tuple[tuple[int, ...], np.dtype]:
    """Return the shape and the dtype of an array, if they fit the size of its data."""
    if not isinstance(dtype, np.dtype) or not isinstance(data, (bytes, bytearray)):
        raise ValueError(f"it makes an array of {a_type(dtype)} and {_named(data)}")
    shape = tuple(int(length) for length in shape)
    if min(shape, default=0) < 0 or prod(shape) * dtype.itemsize != len(data):
        raise ValueError(f"an array of shape {shape} and {dtype} has {len(data)} bytes")
    return shape, dtype


def _from_buffer(data: Any, dtype: Any, shape: Any, order: Any) -> np.ndarray:
    """An array, as protocol 5 writes it."""
    shape, dtype = _checked(shape, dtype, data)
    return np.ndarray(shape, dtype, bytearray(data), order="F" if order == "F" else "C")


def _scalar(dtype: Any, data: Any) -> Any:
    """A scalar of NumPy."""
    shape, dtype = _checked((), dtype, data)
    return np.ndarray(shape, dtype, bytes(data))[()]


def _dtype(code: Any, align: Any = False, copy: Any = True) -> np.dtype:
    """A dtype of numbers."""
    code = code.decode() if isinstance(code, bytes) else code  # of Python 2
    name = code if isinstance(code, str) else getattr(code, "__name__", "")
    dtype = bfloat16() if name == "bfloat16" else np.dtype(name)
    if dtype.kind not in "biufc" and name != "bfloat16":
        raise ValueError(f"an array of dtype {dtype} holds no numbers")
    return np.dtype(dtype, copy=True)  # `_order` changes it


def _order(target: Any, state: Any) -> None:
    """Set the byte order of a dtype, which is all that its state says of one of numbers."""
    if state[1] in (FOREIGN, FOREIGN.encode()):
        target.__setstate__((3, FOREIGN, None, None, None, -1, -1, 0))


def _encode(text: str, encoding: str = "latin1") -> bytes:
    """Bytes, as protocols before 3 write them."""
    if not isinstance(text, str) or encoding not in ("latin1", "latin-1"):
        raise ValueError(f"it encodes {_named(text)}")
    return text.encode("latin1")


def _bytearray(data: Any = b"", encoding: str = "latin1") -> bytearray:
    """A bytearray: of bytes, or of text in protocols before 3."""
    return bytearray(_encode(data, encoding) if isinstance(data, str) else bytes(data[:]))


def _collected(kind: type) -> Callable[..., Any]:
    """A function that makes a collection of a list, and nothing of a number."""

    def collect(items: Iterable[Any] = ()) -> Any:
        return kind(list(items))

    return collect


def _complex(real: float, imaginary: float) -> complex:
    return complex(float(real), float(imaginary))


def _slice(start: Any, stop: Any, step: Any) -> slice:
    return slice(start, stop, step)


#: What names of Python's modules stand for; Python 2 had other names.
PLAIN: dict[tuple[str, str], Any] = {
    ("builtins", "bytearray"): _bytearray,
    ("builtins", "complex"): _complex,
    ("builtins", "slice"): _slice,
    ("builtins", "list"): _collected(list),
    ("builtins", "set"): _collected(set),
    ("builtins", "frozenset"): _collected(frozenset),
    ("collections", "OrderedDict"): _collected(collections.OrderedDict),
    ("copyreg", "_reconstructor"): _reconstructor,
    ("copyreg", "__newobj__"): _blank,
    ("_codecs", "encode"): _encode,
    ("ml_dtypes", "bfloat16"): "bfloat16",
    **{("builtins", kind.__name__): kind for kind in (object, bool, int, float, str)},
}
PLAIN |= {("__builtin__", name): PLAIN["builtins", name] for name in ("object", "bytearray", "set")}
PLAIN |= {("copy_reg", name): PLAIN["copyreg", name] for name in ("_reconstructor", "__newobj__")}
#: What names of NumPy's modules stand for, in whichever module a version has them.
OF_NUMPY: dict[str, Any] = {
    "_reconstruct": _empty,
    "_frombuffer": _from_buffer,
    "scalar": _scalar,
    "dtype": _dtype,
    "ndarray": np.ndarray,
}
#: The functions that a pickle may call.
CALLED = (int, *(one for one in (*PLAIN.values(), *OF_NUMPY.values()) if isfunction(one)))
#: The byte order that is not the one of the machine.
FOREIGN = {"little": ">", "big": "<"}[sys.byteorder]


# ----------------------------------------------------------------------------------- names


def _of_python(module: str, name: str) -> Any:
    return PLAIN.get((module, name))


def _of_numpy(module: str, name: str) -> Any:
    """What a name of NumPy's stands for: a function of `OF_NUMPY`, or the class of a scalar."""
    if module.partition(".")[0] != "numpy":
        return None
    scalar = getattr(np, name, None) if module == "numpy" and name.isidentifier() else None
    is_scalar = isinstance(scalar, type) and issubclass(scalar, np.generic)
    return OF_NUMPY.get(name) or (scalar if is_scalar else None)
