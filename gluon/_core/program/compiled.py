"""Kernels of the library as instructions: what is prepared once, and what runs.

The Python side of a compiled kernel (``native/*.py``) prepares: it chooses by shapes and types,
allocates, and calls the library. Here it prepares once, while `loading.told` notes its calls in
place of running them. The notes are an instruction if the calls, run over memory that nothing else
has written to, give what the kernel gave: then nothing but they compute it.

What depends on values is decided where it runs: the library checks the ranges of Winograd's
convolution (`CHECKS`), and where they are too large, the next chain of calls runs.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from ..instruments.recorder import buffer as _owner
from ..native import loading
from ..native.stand_ins import STAND_INS
from .check import close
from .listing import Entry
from .probe import Unknown
from .template import form_of
from .values import Buffer, Instruction, View, address

#: Operators whose stand-ins choose by shapes, types and attributes alone.
NAMES = frozenset(
    "softmax log_softmax softmax_grad log_softmax_grad log_softmax_push batch_norm layer_norm"
    " instance_norm group_norm standardize_grad max_pool max_pool_grad max_pool_push"
    " sum_pool sum_pool_grad lp_pool"
    " convolution convolution_input_grad convolution_weight_grad deconvolution lstm_scan"
    " lstm_scan_grad gru_scan gru_scan_grad rnn_scan rnn_scan_grad batch_dot matmul dot"
    " fully_connected sum mean max min sum_to argmax argmin pad".split()
)
#: Kernels that say whether the values suit the kernel that follows.
CHECKS = frozenset({"spread", "spread_grad"})
#: The most axes of an array in an instruction.
AXES = 8


class Noted(NamedTuple):
    """A call of the library; `arrays` are those of NumPy, or the places among a node's views."""

    name: str
    arrays: tuple
    integers: tuple
    reals: tuple


class Chain(NamedTuple):
    """Calls that compute a kernel, and the arrays that they give."""

    calls: list[Noted]
    found: list


def add(self: Any, entry: Entry, form: Any, reads: list[View]) -> None:
    """Add the calls of a compiled kernel as one node; raise `Unknown` if they are not all of it.

    `form` and `reads` are the call of the kernel in Python, which runs without the library.
    """
    op = entry.event.op
    if op.name not in NAMES or not loading.SHARES_THREADS or op.name not in STAND_INS:
        raise Unknown("a kernel in Python")
    chains = _chains(self, entry)
    places = [_Places(entry, chain) for chain in chains]
    if len(chains) > 1 and not all(one.direct for one in places):
        del chains[0], places[0]
    writes = places[-1].outs(entry, chains[-1])
    outs = list(writes)
    calls = [
        [
            one._replace(
                arrays=tuple([_placed(place.view(x), place, reads, writes) for x in one.arrays])
            )
            for one in chain.calls
        ]
        for chain, place in zip(chains, places)
    ]
    more = {"form": form, "op": op, "kernel": entry.event.kernel}
    self.nodes.append(Instruction("kernel", reads, writes, op.name, chains=calls, **more))
    for y, to in zip(outs, entry.outs):
        if y is not to:
            self.add_copy(y, to)


def _placed(view: View | None, places: _Places, reads: list, writes: list) -> int | None:
    """The number of a view among those that a node reads, or ~number among those it writes."""
    if view is None:
        return None
    if len(view.shape) > AXES:
        raise Unknown(f"arrays of more than {AXES} axes")
    if view.buffer in places.given:
        reads.append(view)
        return len(reads) - 1
    writes.append(view)
    return ~(len(writes) - 1)


class _Places:
    """Where the arrays of a chain lie: in the inputs, in the outputs, or in room of their own."""

    def __init__(self, entry: Entry, chain: Chain) -> None:
        self.memory: dict[int, tuple[Buffer, int]] = {}
        self.given: set[Buffer] = set()
        for raw, view in _inputs(entry):
            self.memory[id(_owner(raw))] = view.buffer, address(raw) - view.offset
            self.given.add(view.buffer)
        for one, to in zip(chain.found, entry.outs):
            owner = _owner(one)
            if id(owner) in self.memory and self.memory[id(owner)][0] in self.given:
                raise Unknown("a result that is an input")
            alike = to.whole and one.flags.c_contiguous and owner.nbytes == one.nbytes
            if alike and to.buffer.kind == "temporary":
                self.memory[id(owner)] = to.buffer, address(owner)
        kept = [self.memory.get(id(_owner(one)), (None,))[0] for one in chain.found]
        self.is_out = [buffer is to.buffer for buffer, to in zip(kept, entry.outs)]
        self.direct = all(self.is_out)

    def view(self, raw: Any) -> View | None:
        """Where an array lies."""
        if raw is None:
            return None
        owner = _owner(raw)
        if id(owner) not in self.memory:
            self.memory[id(owner)] = Buffer("temporary", owner.nbytes), address(owner)
        buffer, start = self.memory[id(owner)]
        return View(buffer, address(raw) - start, raw.shape, raw.strides, raw.dtype)

    def outs(self, entry: Entry, chain: Chain) -> list[View]:
        """What the node writes for each output: the output itself where it can."""
        return [
            to if is_out else self.view(one)  # type: ignore[misc]
            for one, to, is_out in zip(chain.found, entry.outs, self.is_out)
        ]


def _inputs(entry: Entry) -> Iterator[tuple[Any, View]]:
    """The arrays of a call with where they lie."""
    yield from _pairs([*entry.event.inputs], entry.inputs)
    yield from _pairs(entry.event.attrs, entry.attrs)


def _pairs(raws: Any, views: Any) -> Iterator[tuple[Any, View]]:
    if isinstance(views, View):
        yield raws, views
    elif isinstance(views, dict):
        for key, one in views.items():
            yield from _pairs(raws[key], one)
    elif isinstance(views, (list, tuple)):
        for x, y in zip(raws, views):
            yield from _pairs(x, y)


# ------------------------------------------------------------------------- what a kernel calls


def _chains(self: Any, entry: Entry) -> list[Chain]:
    """The calls of a kernel, and where values may not suit them, those that it makes then.

    They are run and compared once for all calls of the same form.
    """
    form = form_of(entry)
    known = self.proved.get(form)
    if known is not None:
        return [_noted(entry.event, refused) for refused in known]
    refused: list[set[str]] = [set()]
    chains = [_checked(entry, self.exact, refused[0])]
    if any(one.name in CHECKS for one in chains[0].calls):
        refused.append(set(CHECKS))
        chains.append(_checked(entry, self.exact, refused[1]))
    if form is not None:
        self.proved[form] = refused
    return chains


def _checked(entry: Entry, exact: bool, refused: set[str]) -> Chain:
    """Calls that give what the kernel gave, without those that are `refused` or do not fit."""
    event = entry.event
    right = event.out if isinstance(event.out, list) else [event.out]
    while True:
        chain = _noted(event, refused)
        found = _run(chain, {id(_owner(raw)) for raw, _ in _inputs(entry)})
        if isinstance(found, list):
            break
        refused.add(found)
    if len(found) != len(right) or not all(map(_same if exact else close, found, right)):
        raise Unknown("more than calls of the library")
    return chain


def _same(found: Any, right: Any) -> bool:
    return found.dtype == right.dtype and np.array_equal(found, right, right.dtype.kind == "f")


def _noted(event: Any, refused: set[str]) -> Chain:
    """What the stand-in of a kernel calls, if the calls that are not `refused` succeed."""
    calls: list[Noted] = []

    def note(name: str, arrays: tuple, integers: tuple, reals: tuple) -> bool:
        if name in refused:
            return False
        calls.append(Noted(name, arrays, integers, reals))
        return True

    with loading.told(note), np.errstate(all="ignore"):
        try:
            found = STAND_INS[event.op.name](event.op.fallback, *event.inputs, **event.attrs)
        except (TypeError, ValueError, AttributeError, IndexError) as error:
            raise Unknown(str(error)) from None
    if not calls:
        raise Unknown("no compiled kernel for these arrays")
    found = [one for one in found if one is not None] if event.op.many else [found]
    return Chain(calls, found)


def _run(chain: Chain, given: set[int]) -> list | str:
    """What the calls give over memory of their own; the name of one that does not fit."""
    memory: dict[int, Any] = {}

    def there(raw: Any) -> Any:
        owner = _owner(raw) if raw is not None else None
        if owner is None or id(owner) in given:
            return raw
        if id(owner) not in memory:
            memory[id(owner)] = np.full(max(owner.nbytes, 1), 255, np.uint8)
        offset = address(raw) - address(owner)
        return np.ndarray(raw.shape, raw.dtype, memory[id(owner)], offset, raw.strides)

    for name, arrays, integers, reals in chain.calls:
        if not loading.run_kernel(name, tuple(map(there, arrays)), integers, reals):
            return name
    return [there(one) for one in chain.found]
