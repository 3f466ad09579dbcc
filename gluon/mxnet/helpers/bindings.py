"""``mxnet.base``: helpers for ctypes, error classes, and descriptors."""

from __future__ import annotations

import ctypes
import inspect
import os
import sys
from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from ..._core.errors import GluonError, MissingNameError, a_type
from .errors import CheckError, of_other_type

PREFIXES = ("_contrib_", "_linalg_", "_sparse_", "_image_", "_random_")
mx_float_p: Final = ctypes.POINTER(ctypes.c_float)
error_types: dict[str, type[BaseException]] = {
    one.__name__: one
    for one in (ValueError, TypeError, AttributeError, IndexError, NotImplementedError)
}


class _NullType:
    """The class of `_Null`."""

    def __repr__(self) -> str:
        return "_Null"


#: Stands for an omitted argument.
_Null = _NullType()


class _Unavailable(GluonError):
    """The error for a function that a kind of object lacks."""

    where = ""

    def __init__(self, function: Callable[..., Any], alias: str | None, *args: Any) -> None:
        super().__init__()
        self.function, self.alias = function.__name__, alias
        self.args = tuple(str(type(one)) for one in args)

    def __str__(self) -> str:
        operator = f' (namely operator "{self.alias}")' if self.alias else ""
        given = f" with arguments ({', '.join(self.args)})" if self.args else ""
        return f"Function {self.function}{operator}{given} is not {self.where}."


class NotImplementedForSymbol(_Unavailable):
    """The error for a function of arrays that symbols lack."""

    where = "implemented for Symbol and only available in NDArray"


class NotSupportedForSparseNDArray(_Unavailable):
    """The error for a function of dense arrays that sparse arrays lack."""

    where = "supported for SparseNDArray and only available in NDArray"


class MXCallbackList(ctypes.Structure):
    """A list of callbacks for C code."""

    _fields_ = (
        ("num_callbacks", ctypes.c_int),
        ("callbacks", ctypes.POINTER(ctypes.CFUNCTYPE(ctypes.c_int))),
        ("contexts", ctypes.POINTER(ctypes.c_void_p)),
    )


class _MXClassPropertyDescriptor:
    """A property of a class; writing needs the metaclass."""

    def __init__(self, fget: Any, fset: Any = None) -> None:
        self.fget, self.fset = fget, fset

    def __get__(self, obj: Any, clas: type | None = None) -> Any:
        return self.fget.__get__(obj, clas or type(obj))()

    def __set__(self, obj: Any, value: Any) -> Any:
        if self.fset is None:
            raise MissingNameError("the class property has no setter, so it cannot be written")
        clas = obj if isinstance(obj, type) else type(obj)
        return self.fset.__get__(None if clas is obj else obj, clas)(value)

    def setter(self, func: Any) -> _MXClassPropertyDescriptor:
        """Set the function that writes the property."""
        self.fset = as_classmethod(func)
        return self


class _MXClassPropertyMetaClass(type):
    """The metaclass of classes with writable properties."""

    def __setattr__(cls, key: str, value: Any) -> None:
        found = cls.__dict__.get(key)
        if type(found) is _MXClassPropertyDescriptor:
            found.__set__(cls, value)
        else:
            super().__setattr__(key, value)


def as_classmethod(func: Any) -> Any:
    """Convert a function to a class method, unless it is one."""
    return func if isinstance(func, (classmethod, staticmethod)) else classmethod(func)


def classproperty(func: Any) -> _MXClassPropertyDescriptor:
    """A decorator that makes a method a property of the class."""
    return _MXClassPropertyDescriptor(as_classmethod(func))


def with_metaclass(meta: type, *bases: type) -> type:
    """Return a base class that sets the metaclass of its subclasses."""

    class Meta(type):
        def __new__(cls, name: str, this_bases: tuple, d: dict) -> Any:
            return meta(name, bases, d)

        @classmethod
        def __prepare__(cls, name: str, this_bases: tuple, /, **_: Any) -> Any:
            return meta.__prepare__(name, bases)

    return type.__new__(Meta, "temporary_class", (), {})


def register_error(func_name: Any = None, cls: type | None = None) -> Any:
    """Register an error class under its name or a given one; also a decorator."""
    if callable(func_name):
        func_name, cls = func_name.__name__, func_name

    def register(found: type) -> type:
        error_types[func_name or found.__name__] = found
        return found

    return register if cls is None else register(cls)


def _valid_error_name(name: str) -> bool:
    """Whether `name` is a valid name of an error class."""
    return all(one.isalnum() or one in "_." for one in name)


def _find_error_type(line: str) -> str | None:
    """Return the error class that a line of a message begins with."""
    name, colon, _ = line.partition(":")
    return name.strip() if colon and _valid_error_name(name.strip()) else None


def py_str(x: bytes) -> str:
    """Decode bytes."""
    return x.decode("utf-8")


def c_str(string: str) -> ctypes.c_char_p:
    """Convert a string for C code."""
    return ctypes.c_char_p(string.encode())


def c_str_array(strings: Sequence[str]) -> Any:
    """Convert strings for C code."""
    return (ctypes.c_char_p * len(strings))(*[one.encode() for one in strings])


def c_array(ctype: Any, values: Sequence[Any]) -> Any:
    """Convert values to an array for C code."""
    return (ctype * len(values))(*values)


def c_array_buf(ctype: Any, buf: Any) -> Any:
    """Expose the memory of a buffer to C code."""
    return (ctype * len(buf)).from_buffer(buf)


def c_handle_array(objs: Sequence[Any]) -> Any:
    """Convert the handles of objects for C code."""
    return (ctypes.c_void_p * len(objs))(*[one.handle for one in objs])


def ctypes2buffer(cptr: Any, length: int) -> bytearray:
    """Copy `length` bytes of memory."""
    if not isinstance(cptr, ctypes.POINTER(ctypes.c_char)):
        raise of_other_type("cptr", cptr, "a pointer to char")
    return bytearray(cptr[:length])


def ctypes2numpy_shared(cptr: Any, shape: Sequence[int]) -> np.ndarray:
    """Return the floats at a pointer as a NumPy array, without a copy."""
    if not isinstance(cptr, mx_float_p):
        raise GluonError(f"cptr is {a_type(cptr)}; give a pointer to float")
    return np.ctypeslib.as_array(cptr, tuple(shape))


def _as_list(obj: Any) -> Any:
    """Return a list or tuple itself, and wrap anything else in a list."""
    return obj if isinstance(obj, (list, tuple)) else [obj]


def _get_op_name_prefix(op_name: str) -> str:
    """Return the prefix of an operator name that denotes its module, such as ``_contrib_``."""
    return next((one for one in PREFIXES if op_name.startswith(one)), "")


def _is_np_op(op_name: str) -> bool:
    """Whether an operator belongs to ``mx.np`` or ``mx.npx``."""
    return op_name.startswith(("_np_", "_npx_", "_npi_"))


def _output_is_list(op_name: str) -> bool:
    """Whether an operator always returns a list."""
    return op_name in ("_npi_split", "_npi_hsplit")


def _get_op_submodule_name(op_name: str, op_name_prefix: str, submodule_name_list: Any) -> str:
    """Return the module in an operator name after its prefix, such as ``_random_``."""
    rest = op_name[len(op_name_prefix) :]
    if not op_name.startswith(op_name_prefix):
        raise CheckError(f"{op_name!r} does not begin with {op_name_prefix!r}")
    return next((one for one in submodule_name_list if rest.startswith(one)), "")


def build_param_doc(
    arg_names: Sequence[str],
    arg_types: Sequence[str],
    arg_descs: Sequence[str],
    remove_dup: bool = True,
) -> str:
    """Return the section of a docstring about parameters."""
    seen, lines = set(), []
    for name, kind, text in zip(arg_names, arg_types, arg_descs):
        if name == "num_args" or (name in seen and remove_dup):
            continue
        seen.add(name)
        lines.append(f"{name} : {kind}" + (f"\n    {text}" if text else ""))
    return "Parameters\n----------\n" + "\n".join(lines) + "\n"


def add_fileline_to_docstring(module: Any, incursive: bool = True) -> None:
    """Add file and line to the docstrings of a module's functions."""
    place = sys.modules[module] if isinstance(module, str) else module
    for value in list(vars(place).values()):
        if inspect.isfunction(value) and value.__doc__ and "From:" not in value.__doc__:
            file, line = inspect.getsourcefile(value), value.__code__.co_firstlineno
            value.__doc__ += f"\n\nFrom:{file}:{line}"
        elif inspect.isclass(value) and incursive:
            add_fileline_to_docstring(value, False)


def data_dir_default() -> str:
    """Return the folder for files without ``MXNET_HOME``."""
    if sys.platform == "win32":
        return os.path.join(os.environ.get("APPDATA", ""), "mxnet")
    return os.path.join(os.path.expanduser("~"), ".mxnet")


def _notify_shutdown() -> None:
    """Do nothing: gluon has no library to shut down."""
