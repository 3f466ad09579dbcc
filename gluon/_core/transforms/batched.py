"""The raw buffer of an array inside `vmap`: it carries one axis more than it shows.

Kernels of operators meet it first in `aware`, which takes a rule for the operator, or runs the
plain kernel for each example. Rules of gradients use it as they use NumPy's arrays: by operators,
methods and NumPy's two protocols. What it does not know, it refuses, so that nothing takes it for
the array of one example.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextvars import ContextVar
from itertools import count
from threading import Lock
from typing import Any
from weakref import WeakValueDictionary

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin

from ..engine.mode import mode
from ..engine.node import next_number
from ..engine.op import KERNELS, Op
from ..errors import ArgumentError, AutogradError, MissingNameError, warn_caller
from ..instruments import layers


class Level:
    """One run of `vmap`.

    Attributes
    ----------
    name : str
        Of the function that is mapped, for messages.
    place : tuple of float
        Arrays of an example of a level with a larger one hold those of a level with a smaller one:
        a level is inside of those that were open when it began, and those that are over, whose
        arrays a graph or a linear function still has, are inside of those that began later.
    size : int
        The length of the mapped axis.
    start : int
        Nodes with larger numbers are older than it.
    open : bool
        Whether the function runs.
    randomness : str
        What random draws do inside.
    """

    __slots__ = ("name", "open", "place", "randomness", "size", "start")

    def __init__(self, name: str, size: int, randomness: str, outer: Iterable[Level] = ()) -> None:
        self.name, self.size = name, size
        self.randomness, self.start, self.open = randomness, next_number(), True
        around = max((level.place for level in (*LEVELS.get(), *outer)), default=())
        self.place: tuple[float, ...] = (*around, self.start)
        ALIVE.add(id(self))
        take_batched()

    def __del__(self) -> None:
        ALIVE.discard(id(self))

    def check(self) -> None:
        """Raise if an array of it is used after its function returned."""
        if not self.open and mode().walked is None and self not in LEVELS.get():
            raise AutogradError(
                f"vmap: an array left {self.name}, in which it stood for one example of"
                f" {self.size}; return it, so that vmap gives the array of all examples"
            )


#: The ids of all levels that the function, arrays of an example or a graph of them hold.
ALIVE: set[int] = set()
#: The levels of this thread or task, outermost first.
LEVELS: ContextVar[tuple[Level, ...]] = ContextVar("gluon_levels", default=())


class Batched(NDArrayOperatorsMixin):
    """A raw array of one example, that holds those of all: axis 0 of `data` is the mapped one."""

    #: `family` has the arrays that show the same values, by id; None if there never was another.
    __slots__ = ("__weakref__", "data", "family", "level")
    base = None

    def __init__(self, data: Any, level: Level) -> None:
        self.data, self.level = data, level
        self.family: Any = None

    @property
    def of_all(self) -> Any:
        """NumPy's array of all examples, of all levels."""
        return getattr(self.data, "of_all", self.data)

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(self.data.shape[1:])

    @property
    def ndim(self) -> int:
        return int(self.data.ndim) - 1

    @property
    def size(self) -> int:
        return int(np.prod(self.shape, dtype=np.int64))

    @property
    def dtype(self) -> Any:
        return self.data.dtype

    @property
    def itemsize(self) -> int:
        return int(self.data.dtype.itemsize)

    @property
    def flags(self) -> Any:
        return self.data.flags

    @property
    def T(self) -> Any:
        return self.transpose()

    def __len__(self) -> int:
        if not self.ndim:
            raise TypeError("len() of unsized object")
        return self.shape[0]

    def __getitem__(self, key: Any) -> Any:
        return KERNELS.getitem(self, key=key)

    def __setitem__(self, key: Any, value: Any) -> None:
        self.check_written()
        if type(value) is Batched:
            value.written_into(self)
        self.data = KERNELS.setitem(self, value, key=key).data

    def check_written(self) -> None:
        """Raise where a write would not reach an array that shows the same values."""
        if self.family and any(one is not self for one in self.family.values()):
            raise AutogradError(
                f"vmap: {self.level.name} writes into an array of which another one is a view;"
                " inside vmap the other would not see it, so compute a new array, as with x + 1"
            )

    def view(self, data: Any) -> Batched:
        """An array of `data`, which shows values of this one: neither can be written to."""
        if self.family is None:
            self.family = WeakValueDictionary({id(self): self})
        result = Batched(data, self.level)
        result.family = self.family
        self.family[id(result)] = result
        return result

    def written_into(self, target: Any) -> None:
        """Raise unless `target` can hold values of each example."""
        if type(target) is np.ndarray or (
            type(target) is Batched and target.level.place < self.level.place
        ):
            raise outside(self.level)

    def fill(self, value: Any) -> None:
        self[...] = value

    def reshape(self, *shape: Any, order: str = "C") -> Any:
        if order != "C":
            raise unknown(f"reshape(order={order!r})")
        given = shape[0] if len(shape) == 1 and not isinstance(shape[0], int) else shape
        return KERNELS.reshape(self, shape=tuple(given))

    def transpose(self, *axes: Any) -> Any:
        given = axes[0] if len(axes) == 1 and not isinstance(axes[0], int) else axes or None
        return KERNELS.transpose(self, axes=given)

    def swapaxes(self, first: int, second: int) -> Any:
        order = list(range(self.ndim))
        order[first], order[second] = order[second], order[first]
        return KERNELS.transpose(self, axes=order)

    def astype(self, dtype: Any, copy: bool = True, **options: Any) -> Any:
        if options:
            raise unknown(f"astype({', '.join(options)})")
        if not copy and self.dtype == dtype:
            return self
        return KERNELS.cast(self, dtype=dtype)

    def copy(self, order: str = "C") -> Any:
        return Batched(self.data.copy(), self.level)

    def squeeze(self, axis: Any = None) -> Any:
        return KERNELS.squeeze(self, axis=axis)

    def ravel(self, order: str = "C") -> Any:
        return self.reshape(-1, order=order)

    def _sum_to(self, shape: tuple[int, ...]) -> Any:
        return KERNELS.sum_to(self, shape=shape)

    def each_of(self, function: Callable[..., Any], *args: Any) -> Any:
        """What a function of raw arrays gives for each example, joined."""
        return each(function, args, {})

    def _everywhere(self) -> bool:
        data = self.data
        return data._everywhere() if type(data) is Batched else bool(data.all())

    def __getattr__(self, name: str) -> Any:
        if name in REDUCTIONS:
            return _reduction(self, name)
        if name in READS:
            raise read_inside(self.level, f"by {name}()")
        if name.startswith("__"):
            raise AttributeError(name)
        raise unknown(f".{name}")

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        raise read_inside(self.level, "as by float(), int() or asnumpy()")

    def __bool__(self) -> bool:
        raise read_inside(self.level, "by bool(), if or while")

    def __float__(self) -> float:
        raise read_inside(self.level, "by float()")

    def __int__(self) -> int:
        raise read_inside(self.level, "by int()")

    def __index__(self) -> int:
        raise read_inside(self.level, "as an index")

    def __deepcopy__(self, memo: Any) -> Any:
        return self.copy()

    def __repr__(self) -> str:
        return f"<one of {self.level.size} arrays {self.dtype}{list(self.shape)} in vmap>"

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        out = options.pop("out", None)
        # The sweep adds to cotangents that it owns, and takes what this gives in their place.
        adds = ufunc is np.add and out and out[0] is inputs[0] and mode().walked is not None
        if out is not None and not adds:
            if not isinstance(out[0], Batched) or len(out) > 1:
                raise outside(self.level)
            out[0].check_written()
            value = self.__array_ufunc__(ufunc, method, *inputs, **options)
            value.written_into(out[0])
            out[0].data = value.data
            return out[0]
        if method == "reduce" and ufunc in OF_UFUNC and options.keys() <= {"axis", "keepdims"}:
            options.setdefault("axis", 0)
            return getattr(KERNELS, OF_UFUNC[ufunc])(*inputs, **options)
        if method != "__call__" or ufunc.signature is not None or "where" in options:
            return each(getattr(ufunc, method), inputs, options)
        level = deepest(inputs)
        level.check()
        return wrapped(ufunc(*aligned(level, inputs), **options), level)

    def __array_function__(self, function: Any, types: Any, args: Any, options: Any) -> Any:
        if function in LIKE:
            like, *rest = args
            return Batched(function(like.data, *rest, **options), like.level)
        if function in SHAPES:
            return SHAPES[function](*args, **options)
        return each(function, args, options)


#: Methods that are operators of the same name.
REDUCTIONS = frozenset("sum mean max min prod any all argmax argmin".split())
#: Methods that give values to Python.
READS = frozenset("item tolist tobytes tofile dump dumps".split())
OF_UFUNC = {np.add: "sum", np.multiply: "prod", np.maximum: "max", np.minimum: "min"}
LIKE = frozenset([np.zeros_like, np.ones_like, np.empty_like])
SHAPES: dict[Any, Callable[..., Any]] = {
    np.result_type: lambda *xs: np.result_type(*[getattr(x, "dtype", x) for x in xs]),
    np.shape: lambda x: x.shape,
    np.ndim: lambda x: x.ndim,
    np.size: lambda x: x.size,
    np.reshape: lambda x, shape: x.reshape(shape),
    np.transpose: lambda x, axes=None: KERNELS.transpose(x, axes=axes),
    np.expand_dims: lambda x, axis: KERNELS.expand_dims(x, axis=axis),
    np.broadcast_to: lambda x, shape: KERNELS.broadcast_to(x, shape=tuple(shape)),
    np.concatenate: lambda xs, axis=0: KERNELS.concat(*xs, axis=axis),
    np.stack: lambda xs, axis=0: KERNELS.stack(*xs, axis=axis),
    np.where: lambda c, x, y: KERNELS.where(c, x, y),
}


def _reduction(x: Batched, name: str) -> Callable[..., Any]:
    def reduce(axis: Any = None, **options: Any) -> Any:
        dtype = options.pop("dtype", None)
        if dtype is not None and dtype != x.dtype:
            return getattr(x.astype(dtype), name)(axis, **options)
        if options.keys() - {"keepdims"}:
            raise unknown(f"{name}({', '.join(options)})")
        return getattr(KERNELS, name)(x, axis=axis, **options)

    return reduce


# -------------------------------------------------------------------------------- errors


def unknown(what: str) -> Exception:
    """The error for what an array inside vmap does not have."""
    error = MissingNameError(f"vmap: NumPy's {what} of an array inside it; use functions of gluon")
    return _asking(error)


def read_inside(level: Level, how: str) -> Exception:
    """The error for values that Python wants to see."""
    level.check()
    return _asking(
        AutogradError(
            f"vmap: the values of an array in {level.name} were asked for, {how}; there is one for"
            f" each of {level.size} examples, so compute with functions of gluon, such as where(),"
            " return the array, or loop over the examples"
        )
    )


def _asking(error: Exception) -> Exception:
    error.asks_vmap = True  # type: ignore[attr-defined]
    return error


def asks(error: Exception) -> bool:
    """Whether somebody asked for what an array of one example has not, but each example."""
    return getattr(error, "asks_vmap", False)


def uneven(name: str, level: Level, shapes: set[tuple[int, ...]]) -> Exception:
    """The error for examples whose results cannot be joined."""
    return ArgumentError(
        f"vmap: {name} gives arrays of different shapes for different examples in {level.name},"
        f" such as {min(shapes)}; shapes must not depend on values"
    )


def outside(level: Level) -> Exception:
    """The error for a write into an array that was made elsewhere."""
    return AutogradError(
        f"vmap: {level.name} writes values of each of {level.size} examples into an array that was"
        " made without them; return them, or make the array from an argument, as with zeros_like()"
    )


# ------------------------------------------------------------------------------ examples


def levels_of(values: Any) -> list[Level]:
    """The levels of batched arrays among `values`, which may be in tuples and lists."""
    found = []
    for one in values:
        if type(one) is Batched:
            found.append(one.level)
        elif isinstance(one, (tuple, list)):
            found += levels_of(one)
    return found


def deepest(values: Any) -> Level:
    """The innermost level of batched arrays among `values`."""
    return max(levels_of(values), key=lambda level: level.place)


def is_at(x: Any, level: Level) -> bool:
    """Whether `x` is an array of one example of `level`."""
    return type(x) is Batched and x.level is level


def wrapped(result: Any, level: Level) -> Any:
    """A result, or each of several, as one of an example."""
    if isinstance(result, (tuple, list)):
        return type(result)([wrapped(one, level) for one in result])
    return Batched(result if hasattr(result, "ndim") else np.asarray(result), level)


def aligned(level: Level, values: Sequence[Any]) -> list[Any]:
    """The arrays of all examples, with axes of length 1 such that examples broadcast."""
    most = max(getattr(x, "ndim", 0) for x in values)
    return [lengthened(x, most).data if is_at(x, level) else x for x in values]


def lengthened(x: Any, ndim: int) -> Any:
    """A batched array whose examples have `ndim` axes, those of length 1 first."""
    missing = ndim - x.ndim
    if missing <= 0:
        return x
    shape = (x.level.size, *(1,) * missing, *x.shape)
    return Batched(KERNELS.reshape(x.data, shape=shape), x.level)


def example(x: Any, level: Level, k: int) -> Any:
    """The array of example `k`; what is no array of `level` is that of all."""
    if is_at(x, level):
        return x.data[(k, ...)]
    if isinstance(x, (tuple, list)) and levels_of(x):
        return type(x)([example(one, level, k) for one in x])
    return x


def each(function: Callable[..., Any], args: Sequence[Any], options: dict[str, Any]) -> Any:
    """What a function of raw arrays gives for each example, joined."""
    level = deepest([*args, *options.values()])
    level.check()
    results = []
    for k in range(level.size or 1):
        inputs = [_one(x, level, k) for x in args]
        results.append(function(*inputs, **{n: _one(x, level, k) for n, x in options.items()}))
    return _joined(results, level, getattr(function, "__name__", "a function"))


def _one(x: Any, level: Level, k: int) -> Any:
    if not level.size and is_at(x, level):
        return np.zeros(x.shape, x.dtype)
    return example(x, level, k)


def _joined(results: list[Any], level: Level, name: str) -> Any:
    first = results[0]
    if isinstance(first, (tuple, list)):
        return type(first)([_joined(list(parts), level, name) for parts in zip(*results)])
    if first is None:
        raise outside(level)
    arrays = [one if hasattr(one, "ndim") else np.asarray(one) for one in results]
    if arrays[0].dtype.kind in "OUS":
        raise unknown(name)
    shapes = {one.shape for one in arrays}
    if len(shapes) > 1:
        raise uneven(name, level, shapes)
    stacked = KERNELS.stack(
        *[np.ascontiguousarray(x) if type(x) is np.ndarray and x.ndim else x for x in arrays],
        axis=0,
    )
    return Batched(stacked if level.size else stacked[:0], level)


# ------------------------------------------------------------------------------ operators

#: ``rule(level, inputs, attrs)`` for each operator; see `batching`. None: it does not know.
RULES: dict[str, Callable[..., Any]] = {}
#: The operators that said already that they run in a loop.
_told: set[str] = set()
#: After how many calls without a level kernels are again as they were. To change all of them takes
#: as long as some thousand calls of those that look for batched arrays are slower.
IDLE = 2000
_idle = count()
_lock = Lock()


def take_batched() -> None:
    """Let the kernels of all operators take batched arrays, as long as there are levels."""
    global _idle
    with _lock:
        _idle = count()
        if not layers.is_there("vmap"):
            layers.put("vmap", _aware)


def _called_idly() -> None:
    """Hear of a call without a level."""
    if next(_idle) >= IDLE:
        with _lock:
            if not ALIVE and layers.is_there("vmap"):
                layers.put("vmap", None)


def _aware(op: Op, kernel: Callable[..., Any]) -> Callable[..., Any]:
    alone = type(op.fallback) is np.ufunc and op.fixed is None and op.fallback.nout == 1
    if alone and not layers.is_there("trace"):
        return kernel  # it asks `Batched.__array_ufunc__`
    known = _variants.get(op)
    if known is None or known[0] is not kernel:
        known = _variants[op] = kernel, aware(op, kernel)
    return known[1]


#: The last kernel of each operator for batched arrays, with the kernel that it was made of.
_variants: dict[Op, tuple[Callable[..., Any], Callable[..., Any]]] = {}


def aware(op: Op, kernel: Callable[..., Any]) -> Callable[..., Any]:
    """The kernel of an operator, for batched arrays too."""
    name, fixed = op.name, op.fixed

    def run(*inputs: Any, **attrs: Any) -> Any:
        for x in inputs:
            if type(x) is Batched:
                return batched_call(name, kernel, fixed, inputs, attrs)
        if attrs and levels_of(attrs.values()):
            return batched_call(name, kernel, fixed, inputs, attrs)
        if "rng" in attrs and not hasattr(attrs["rng"], "bit_generator"):
            return op.fallback(*inputs, **attrs)
        if not ALIVE:
            _called_idly()
        return kernel(*inputs, **attrs)

    return run


def batched_call(
    name: str, kernel: Callable[..., Any], fixed: int | None, inputs: Any, attrs: dict[str, Any]
) -> Any:
    """Run an operator on arrays of which some are batched."""
    level = deepest([*inputs, *attrs.values()])
    level.check()
    rule = RULES.get(name)
    if rule is not None:
        if fixed == 0:  # the operator with a number in place of its first input
            inputs = inputs[::-1]
        found = rule(name, level, inputs, attrs)
        if found is not NotImplemented:
            return found
        if fixed == 0:
            inputs = inputs[::-1]
    say_once(name)
    return each(_named(name, kernel), inputs, attrs)


def say_once(name: str) -> None:
    """Warn that an operator runs in a loop, the first time that it does."""
    if name not in _told:
        _told.add(name)
        warn_caller(
            f"vmap: {name} runs in a loop over the examples, as it does with these arguments;"
            " it is said once",
            RuntimeWarning,
        )


def _named(name: str, kernel: Callable[..., Any]) -> Callable[..., Any]:
    def run(*inputs: Any, **attrs: Any) -> Any:
        # An example of a batched array may be batched by a level further out.
        function = getattr(KERNELS, name) if levels_of(inputs) else kernel
        return function(*inputs, **attrs)

    run.__name__ = name
    return run
