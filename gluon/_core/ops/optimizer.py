"""The steps of optimizers, on arrays: they write to their arrays and have no gradient."""

from __future__ import annotations

from collections.abc import Callable
from itertools import compress
from sys import getrefcount
from typing import Any, Final

from ..engine.array import Array, wrap
from ..engine.inplace import all_writable
from ..engine.node import Variable
from ..engine.op import define
from ..errors import ArgumentError, DTypeError
from ..instruments.base import OBSERVED
from ..journal import JOURNAL, again
from ..kernels import adaptive, large_batch, optimizer
from ..kernels.memory import ALONE, Buffer, beside
from ..kernels.signature import signature
from ..kernels.sparse import Rows, all_rows, as_dense, is_sparse, to_rows
from ..native import choose

#: Dense weights, and those of storage type row_sparse.
EITHER = ("default", "row_sparse")
#: All steps.
STEPS: list[Step] = []


class Step:
    """One step of an optimizer, over arrays.

    Where a graph keeps the buffer of an array that the step writes to, the array moves to a copy
    first.

    Parameters
    ----------
    name : str
        What error messages call it.
    kernel : callable
        ``kernel(*arrays, **settings)``; the first array is the weight.
    doc : str
        One line: what it computes.
    reads : tuple of str, default ('grad',)
        The arrays that it does not write to.
    shaped : tuple of str, default ()
        The arrays whose shape the kernel checks itself; all others have that of the weight.
    lazy : tuple of str, default ()
        For weights of which storage types the step can leave rows as they are that a row_sparse
        gradient does not store.

    Attributes
    ----------
    arrays : list of str
        The names of the arrays.
    doc : str
    settings : dict
        The settings with their defaults; `inspect.Parameter.empty` for those without.
    """

    arrays: list[str]
    doc: str
    kernel: Any
    name: str
    reads: tuple[str, ...]
    settings: dict[str, Any]
    shaped: tuple[str, ...]
    lazy: tuple[str, ...]

    def __init__(
        self,
        name: str,
        kernel: Callable,
        doc: str,
        *,
        reads: tuple[str, ...] = ("grad",),
        shaped: tuple[str, ...] = (),
        lazy: tuple[str, ...] = (),
    ) -> None:
        self.name, self.kernel, self.doc = name, kernel, doc
        arrays, self.settings, _ = signature(kernel)
        self.arrays = list(arrays)
        self.reads, self.shaped, self.lazy = reads, shaped, lazy
        self._run = choose(kernel.__name__, optimizer.each(kernel))
        written = [k for k, place in enumerate(self.arrays) if place not in reads]
        by_rows = optimizer.at_rows(kernel, written)
        self._writes = bytes([place not in reads for place in self.arrays])
        self._run_handles = choose(f"{kernel.__name__} of handles", lambda *_: False)
        STEPS.append(self)
        self._written, self._run_rows = written, choose(f"{kernel.__name__} at rows", by_rows)

    def __call__(self, *arrays: Array, **settings: Any) -> Any:
        """Run the step; return an array if the kernel returns one, else None."""
        return self.each([(arrays, settings)])[0]

    @again
    def each(self, rows: list[tuple[tuple[Array, ...], dict[str, Any]]]) -> list:
        """Take the step for several weights at once, each with its arrays and its settings."""
        if JOURNAL.get() is None and self._run_handles(rows, self._writes, Variable):
            return [None] * len(rows)
        for arrays, _ in rows:
            shape = arrays[0].raw.shape
            for place, array in zip(self.arrays, arrays):
                if array.raw.dtype.kind not in "fV" or array.raw.shape != shape:
                    self._check(place, array.raw, shape)
        # for all arrays, before this function holds references to buffers
        all_writable([x for arrays, _ in rows for x in compress(arrays, self._writes)])
        try:
            found = self._run([([x.raw for x in arrays], settings) for arrays, settings in rows])
        except ValueError as error:
            raise ArgumentError(f"{self.name}: {error}") from None
        except TypeError as error:
            raise DTypeError(f"{self.name}: {error}") from None
        return [
            None if one is None else wrap(type(arrays[0]), one, arrays[0]._ctx)
            for (arrays, _), one in zip(rows, found)
        ]

    def stored(
        self, arrays: tuple[Array, ...], settings: dict[str, Any], lazy: bool, stype: str
    ) -> Any:
        """Run the step where arrays are sparse; return what it returns.

        Parameters
        ----------
        arrays : tuple of Array
        settings : dict
        lazy : bool
            Whether to leave the rows as they are that a row_sparse gradient does not store, if the
            step can.
        stype : str
            The storage type of the weight, which may be kept in a dense array.
        """
        grad, found = arrays[1].held, None
        by_rows = lazy and stype in self.lazy and is_sparse(grad)
        plain = [
            _dense(x, name not in self.reads)
            if is_sparse(x.held) and not (by_rows and x.held is grad)
            else x
            for name, x in zip(self.arrays, arrays)
        ]
        done = False
        try:
            if by_rows:
                self._by_rows(plain, settings, to_rows(grad))
            else:
                (found,) = self.each([(tuple(plain), settings)])
            done = True
        finally:
            for name, x, one in zip(self.arrays, arrays, plain):
                if x is not one and name not in self.reads and (done or _is_taken(x)):
                    x.raw = all_rows(one.raw, x.held)
        return found

    def _by_rows(self, arrays: list[Array], settings: dict[str, Any], grad: Rows) -> None:
        """Run the step on the rows that the gradient, the second array, stores."""
        for name, array in zip(self.arrays, arrays):
            if array.held.dtype.kind not in "fV" or array.held.shape != grad.shape:
                self._check(name, array.held, grad.shape)
        all_writable([arrays[k] for k in self._written])
        if len(grad.indices):
            data, rows = (beside(arrays[0].raw, x) for x in (grad.data, grad.indices))
            raw = [data if k == 1 else x.raw for k, x in enumerate(arrays)]
            there = isinstance(data, Buffer)
            run = optimizer.at_rows(self._run_one, self._written) if there else self._run_rows
            run(raw, rows, settings)

    def _run_one(self, *raw: Any, **settings: Any) -> None:
        """The kernel on raw arrays, wherever they are."""
        self._run([(raw, settings)])

    def _check(self, place: str, raw: Any, shape: tuple[int, ...]) -> None:
        if raw.dtype.kind not in "fV":  # V: bfloat16
            raise DTypeError(
                f"{self.name}: {place} has dtype {raw.dtype}; optimizers need floating point, cast"
                " it with astype('float32')"
            )
        if raw.shape != shape and place not in self.shaped:
            raise ArgumentError(
                f"{self.name}: {place} has shape {raw.shape}, the weight {shape}; they must be"
                " equal"
            )


def _dense(x: Array, for_writing: bool) -> Array:
    """A sparse array as a dense one.

    One for writing takes the values of a row_sparse array that stores all rows, if nobody else has
    them: a copy of a large table takes longer than the step. The array is without values then.
    """
    if for_writing and type(x.held) is Rows and x.held.is_full and _is_alone(x):
        held = x.held
        data, held.data = held.data, held.data[:0].copy()
        return wrap(type(x), data, x._ctx)
    return wrap(type(x), as_dense(x.held), x._ctx)


def _is_taken(x: Array) -> bool:
    """Whether `_dense` took the values of `x`."""
    return type(x.held) is Rows and len(x.held.data) < len(x.held.indices)


def _is_alone(x: Array) -> bool:
    """Whether nobody but `x`, a row_sparse array, has its values."""
    return (
        x._group is None
        and getrefcount(x.held) <= ALONE
        and getrefcount(x.held.data) <= ALONE
        and x.held.data.base is None
        and x.held.data.flags.writeable
        and JOURNAL.get() is None
    )


OBSERVED.append((Step, "each", "forward", lambda step: step.name))

sgd: Final = Step("sgd_update", optimizer.sgd, "weight -= lr * (grad + wd * weight)", lazy=EITHER)
sgd_momentum: Final = Step(
    "sgd_mom_update",
    optimizer.sgd_momentum,
    "mom = momentum * mom - lr * (grad + wd * weight); weight += mom",
    lazy=EITHER,
)
nag: Final = Step(
    "nag_mom_update",
    optimizer.nag,
    "d = lr * (grad + wd * weight); mom = momentum * mom - d; weight += momentum * mom - d",
)
signsgd: Final = Step(
    "signsgd_update", optimizer.signsgd, "weight = (1 - lr * wd) * weight - lr * sign(grad)"
)
signum: Final = Step(
    "signum_update",
    optimizer.signum,
    "mom = momentum * mom - (1 - momentum) * (grad + wd * weight);"
    " weight = (1 - lr * wd_lh) * weight + lr * sign(mom)",
)
dcasgd: Final = Step(
    "dcasgd",
    optimizer.dcasgd,
    "weight -= lr * (grad + wd * weight + lamda * grad**2 * (weight - previous))",
)
sgld: Final = Step("sgld", optimizer.sgld, "Half a step of sgd, and noise of variance lr")
ascent: Final = Step("ascent", optimizer.ascent, "weight += grad; previous = weight")

adam: Final = Step(
    "adam_update",
    adaptive.adam,
    "The running mean of the gradient over the root of that of its square, plus epsilon",
    lazy=EITHER,
)
adamw: Final = Step(
    "adamw_update", adaptive.adamw, "As adam, times eta; wd acts on the weight, not on the gradient"
)
adamax: Final = Step(
    "adamax", adaptive.adamax, "The running mean of the gradient over its running maximum"
)
nadam: Final = Step(
    "nadam", adaptive.nadam, "As adam, the mean looking ahead by Nesterov's momentum"
)
ftml: Final = Step("ftml_update", adaptive.ftml, "Follow the moving leader")
ftrl: Final = Step(
    "ftrl_update", adaptive.ftrl, "Follow the regularized leader", lazy=("row_sparse",)
)
rmsprop: Final = Step(
    "rmsprop_update",
    adaptive.rmsprop,
    "The gradient over the root of the running mean of its square",
)
rmsprop_centered: Final = Step(
    "rmspropalex_update",
    adaptive.rmsprop_centered,
    "The gradient over the root of its running variance, with momentum",
)
adagrad: Final = Step(
    "adagrad", adaptive.adagrad, "The gradient over the root of the sum of its squares", lazy=EITHER
)
group_adagrad: Final = Step(
    "group_adagrad_update",
    adaptive.group_adagrad,
    "As adagrad, with the mean of each row",
    shaped=("history",),
    lazy=EITHER,
)
adadelta: Final = Step(
    "adadelta",
    adaptive.adadelta,
    "The gradient times the root of the running mean of squared steps over its own",
)
lamb_direction: Final = Step(
    "lamb_update_phase1",
    large_batch.lamb_direction,
    "Adam's direction, its means unbiased, plus wd * weight",
    reads=("weight", "grad"),
)
lamb: Final = Step(
    "lamb", large_batch.lamb, "A step in lamb_direction, as long as lr times the weight"
)

lars_rates: Final = define(
    "lars_rates",
    large_batch.lars_rates,
    "lr * eta * |weight| / (|grad| + wd * |weight| + eps), lr where a norm is 0",
)
