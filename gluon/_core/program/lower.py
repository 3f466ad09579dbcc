"""From the entries of a listing to simple instructions.

Views need none. A few operators have a rule (`rules`); what the others do is found by running
their plain kernel once over arrays that note each ufunc (`probe`). Kernels that do something else
are called as they are, in Python.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ..instruments.recorder import buffer as _owner
from . import compiled, loops
from .listing import Entry, Failed, Listing
from .probe import Probe, Unknown, plain
from .template import Template, form_of
from .trace import Action, Call, Write
from .values import Buffer, Instruction, View, address, new

#: How far what a kernel's ufuncs give may lie from what its compiled form gave, by item size.
CLOSE = {2: 1e-2, 4: 1e-5, 8: 1e-12}


class Lowering:
    """The instructions of entries, each found while the arrays of its event are there.

    Parameters
    ----------
    exact : bool
        Whether sums must be added in the order of the kernels.

    Attributes
    ----------
    nodes : list of Instruction
    actions : list of Entry
    """

    def __init__(self, exact: bool = False) -> None:
        self.exact = exact
        self.nodes: list[Instruction] = []
        self.actions: list[Entry] = []
        self.known: set[Buffer] = set()
        self.memory: dict[int, tuple[Buffer, int]] = {}  # of what a probe runs over
        self.alike: set[int] = set()  # arrays whose values are all the same
        self.keep: list[Any] = []
        self.refused = ""  # why a probe is no good
        self.constants: dict[tuple, View] = {}
        self.templates: dict[Any, Template] = {}
        self.proved: dict[Any, list[set[str]]] = {}  # which compiled kernels do not fit, by form

    def enter(self, listing: Listing, entry: Entry) -> None:
        """Add an entry."""
        start = len(self.nodes)
        self._enter(entry)
        for node in self.nodes[start:]:
            node.segment = entry.segment
            node.line = node.line or entry.event.line if hasattr(entry.event, "line") else ""

    def _enter(self, entry: Entry) -> None:
        event = entry.event
        if isinstance(event, Action):
            self.actions.append(entry)
        elif isinstance(event, Write):
            self._write(entry)
        elif isinstance(event, Call):
            self._call(entry)
        else:  # a move
            self.add_copy(entry.inputs[0], entry.outs[0])
        for view in entry.outs:
            self.known.add(view.buffer)

    # ------------------------------------------------------------------------- calls

    def _call(self, entry: Entry) -> None:
        if all(self._is_there(view.buffer) for view in entry.outs):
            return  # views
        if not all(view.size for view in _views([entry.inputs, entry.attrs])):
            return self._in_python(entry, "an array without values")
        mark, why = len(self.nodes), ""
        for lower in (self._by_rule, self._compiled, self._inline):
            try:
                return lower(entry)
            except Unknown as reason:
                del self.nodes[mark:]
                self._forget()
                if lower != self._inline or entry.event.op.name not in compiled.NAMES:
                    why = str(reason)
        self._in_python(entry, why)

    def _is_there(self, buffer: Buffer) -> bool:
        return buffer.kind != "temporary" or buffer in self.known

    def _by_rule(self, entry: Entry) -> None:
        rule = RULES.get(entry.event.op.name)
        if rule is None or len(entry.outs) != 1 or not rule(self, entry):
            raise Unknown("no rule for these arrays")

    def _compiled(self, entry: Entry) -> None:
        reads: list[View] = []
        compiled.add(self, entry, numbered([entry.inputs, entry.attrs], reads), reads)

    def _in_python(self, entry: Entry, why: str) -> None:
        reads: list[View] = []
        form = numbered([entry.inputs, entry.attrs], reads)
        op, kernel = entry.event.op, entry.event.kernel
        node = Instruction(
            "python", reads, list(entry.outs), op.name, form=form, op=op, kernel=kernel
        )
        node.why, node.draws = why, "rng" in entry.attrs
        self.nodes.append(node)

    def _inline(self, entry: Entry) -> None:
        """Add the ufuncs of an elementwise kernel."""
        if entry.attrs.get("rng") is not None:
            raise Unknown("random numbers")
        if len(entry.outs) != 1:
            raise Unknown("several outputs")
        event, (y,) = entry.event, entry.outs
        op = event.op
        if any(_views([entry.attrs])):
            raise Unknown("an array among the attributes")
        inputs, views = list(event.inputs), list(entry.inputs)
        if not all(isinstance(x, (np.ndarray, int, float, np.generic)) for x in inputs):
            raise Unknown("an input that is no array")
        if op.fixed == 0:
            inputs, views = inputs[::-1], views[::-1]
        if self._own(op, inputs, views, event.out, y):
            return
        form = form_of(entry)
        if form is not None and form in self.templates:
            self.nodes += self.templates[form].repeated(entry)
            return
        mark = len(self.nodes)
        found = self._probed(op, inputs, views, event.attrs)
        out = event.out
        if not isinstance(found, np.ndarray) or found.shape != out.shape:
            raise Unknown("not the result of ufuncs")
        if found.dtype != out.dtype or not self._agrees(plain(found), out):
            raise Unknown("not quite the values of its ufuncs")
        self.settle(self.locate(found), y, mark)
        self._forget()
        if form is not None:
            self.templates[form] = Template(entry, self.nodes[mark:])

    def _own(self, op: Any, inputs: list, views: list, out: Any, y: View) -> bool:
        """Add an operation of the library, where that computes the operator."""
        alike = all(isinstance(x, np.ndarray) and x.dtype == inputs[0].dtype for x in inputs)
        loop = loops.own(op.name, inputs[0].dtype, out.size) if alike and inputs else None
        if loop is None or len(inputs) > 2:
            return False
        return self.each(op.name, op.fallback, loop, views, y)

    def _probed(self, op: Any, inputs: list, views: list, attrs: dict) -> Any:
        try:
            probes = []
            for x, view in zip(inputs, views):
                if isinstance(x, np.ndarray):
                    self._remember(x, view)
                    x = self._probe(x)
                probes.append(x)
            self.refused = ""
            with np.errstate(all="ignore"):
                found = op.fallback(*probes, **attrs)
        except (TypeError, ValueError, AttributeError, IndexError) as error:
            raise Unknown(self.refused or str(error)) from None
        if self.refused:
            raise Unknown(self.refused)
        return found

    def refuse(self, why: str) -> None:
        """Hear what a probe cannot follow, where it must not raise; it gets None."""
        self.refused = self.refused or why

    @staticmethod
    def _agrees(found: Any, out: Any) -> bool:
        if np.array_equal(found, out, equal_nan=out.dtype.kind == "f"):
            return True
        if out.dtype.kind != "f":
            return False
        bound = CLOSE[min(8, out.itemsize)]
        with np.errstate(all="ignore"):
            return bool(np.allclose(found, out, bound, bound * 1e-3, equal_nan=True))

    # ------------------------------------------------------------------------- probes

    def _forget(self) -> None:
        """Let go of what a probe ran over."""
        self.memory.clear()
        self.alike.clear()
        self.keep.clear()

    def _remember(self, raw: Any, view: View) -> None:
        owner = _owner(raw)
        self.keep.append(owner)
        start = address(raw) - view.offset
        self.memory[id(owner)] = view.buffer, start

    def locate(self, raw: Any) -> View:
        """Where an array of a probing lies."""
        found = self.memory.get(id(_owner(raw)))
        if found is None:
            raise Unknown("values that NumPy computed in another way")
        buffer, start = found
        offset = address(raw) - start
        return View(buffer, offset, raw.shape, raw.strides, raw.dtype)

    def _operand(self, x: Any, dtype: np.dtype, shape: tuple) -> View:
        """An input of a ufunc, converted to `dtype` and broadcast."""
        if isinstance(x, Probe) or (isinstance(x, np.ndarray) and id(_owner(x)) in self.memory):
            view = self.locate(x)
            return self.converted(view, dtype).stretched(shape)
        if id(x) in self.alike and np.size(x):
            x = x.flat[0]
        if np.ndim(x) or not isinstance(x, (np.ndarray, np.generic, int, float)):
            raise Unknown("an array that is made inside")
        return self.constant(x, dtype).stretched(shape)

    def converted(self, view: View, dtype: np.dtype) -> View:
        """`view` in another dtype."""
        if view.dtype == dtype:
            return view
        y = new(view.shape, dtype)
        if loops.READABLE:
            loop = loops.cast(view.dtype, dtype)
            if loop is None:
                raise Unknown(f"a conversion of {view.dtype} to {dtype}")
        else:
            loop = None
        self.each("cast", np.positive, loop, [view], y)
        return y

    def contiguous(self, view: View) -> View:
        """`view`, or a copy of it."""
        if view.contiguous:
            return view
        y = new(view.shape, view.dtype)
        self.add_copy(view, y)
        return y

    def constant(self, value: Any, dtype: Any) -> View:
        """One value that never changes."""
        raw = np.asarray(value, dtype)
        key = raw.tobytes(), raw.dtype
        found = self.constants.get(key)
        if found is None:
            buffer = Buffer("constant", raw.nbytes, raw)
            found = self.constants[key] = View(buffer, 0, (), (), raw.dtype)
        return found

    def ufunc(self, ufunc: Any, inputs: tuple) -> Any:
        """Hear that a ufunc is called with probes; note and run it."""
        given = [plain(x) for x in inputs]
        result = np.asarray(ufunc(*given))
        common = np.result_type(*given)
        for dtype in (common, result.dtype):
            types = (dtype,) * ufunc.nin + (result.dtype,)
            loop = loops.numpys(ufunc, types)
            if loop is not None or not loops.READABLE:
                break
        else:
            raise Unknown(
                f"{ufunc.__name__} of {', '.join(str(np.asarray(x).dtype) for x in given)}"
            )
        views = [self._operand(x, dtype, result.shape) for x in inputs]
        if ufunc.__name__ in loops.EXACT and not all(v.alone for v in views):
            loop = loops.own(ufunc.__name__, dtype, result.size) or loop
        return self._made(ufunc.__name__, ufunc, loop, views, result)

    def where(self, *inputs: Any) -> Any:
        """Hear of a call of ``np.where(condition, x, y)``."""
        given = [plain(x) for x in inputs]
        result = np.where(*given)
        loop = loops.where(result.dtype)
        if loop is None and loops.READABLE:
            raise Unknown(f"where of {result.dtype}")
        dtypes = (np.dtype(bool), result.dtype, result.dtype)
        views = [self._operand(x, d, result.shape) for x, d in zip(inputs, dtypes)]
        return self._made("where", np.where, loop, views, result)

    def uniform(self, x: Any) -> Any:
        """Hear of an array whose values are all the same, as `full_like` makes them."""
        self.keep.append(x)
        self.alike.add(id(x))
        return x

    def cast(self, x: Any, dtype: np.dtype) -> Any:
        """Hear that a probe is converted."""
        if plain(x).dtype == dtype:
            return x
        result = plain(x).astype(dtype, order="C")  # in the layout of what `converted` makes
        view = self.converted(self.locate(x), dtype)
        self._remember(result, view)
        return self._probe(result)

    def _made(self, name: str, function: Any, loop: Any, views: list, result: Any) -> Any:
        y = new(result.shape, result.dtype)
        if not result.flags.c_contiguous:
            result = np.ascontiguousarray(result).reshape(result.shape)
        if not self.each(name, function, loop, views, y):
            raise Unknown("one value for all")
        self._remember(result, y)
        return self._probe(result)

    def _probe(self, result: Any) -> Any:
        made = result.view(Probe)
        made.listener = self
        self.keep += [result, made]
        return made

    # ------------------------------------------------------------------------- instructions

    def each(self, name: str, function: Any, loop: Any, views: list, y: View) -> bool:
        """Add a function of single values; whether that was possible."""
        views = [v.stretched(y.shape) for v in views]
        if loop is not None and loop.needs_many and y.size > 1 and all(v.alone for v in views):
            return False
        to = y if y.contiguous else new(y.shape, y.dtype)
        node = Instruction("each", views, [to], name, function=function, loop=loop)
        self.nodes.append(node)
        if to is not y:
            self.add_copy(to, y)
        return True

    def add_copy(self, x: View, y: View) -> None:
        """Add the copy of `x` to `y`, broadcast and converted."""
        x = self.converted(x, y.dtype).stretched(y.shape)
        if y.contiguous and y.size:
            self.nodes.append(
                Instruction(
                    "each", [x], [y], "identity", function=np.positive, loop=loops.identity(x.dtype)
                )
            )
        else:
            self.nodes.append(Instruction("copy", [x], [y], "copy"))

    def settle(self, found: View, y: View, mark: int) -> None:
        """Let `y` hold what the nodes from number `mark` on computed as `found`."""
        last = self.nodes[-1] if len(self.nodes) > mark else None
        if last and last.writes[0].key == found.key and found.whole and y.whole:
            last.writes = [y]
            return
        self.add_copy(found, y)

    def _write(self, entry: Entry) -> None:
        event, (value,), (to,) = entry.event, entry.inputs, entry.outs
        if not isinstance(value, View):
            if value.ndim:
                raise Failed("a write of values that no operator computed")
            value = self.constant(value, to.dtype)
        if event.ufunc is None:
            self.add_copy(value, to)
            return
        value = self.converted(value, to.dtype)
        loop = loops.numpys(event.ufunc, (to.dtype,) * 3)
        if loop is None and loops.READABLE:
            raise Failed(f"{event.ufunc.__name__} in place of {to.dtype}")
        y = new(to.shape, to.dtype)
        self.each(event.ufunc.__name__, event.ufunc, loop, [to, value], y)
        self.add_copy(y, to)


def _views(value: Any) -> Any:
    """The views among nested lists, tuples and dictionaries."""
    if isinstance(value, View):
        yield value
    elif isinstance(value, dict):
        for one in value.values():
            yield from _views(one)
    elif isinstance(value, (list, tuple)):
        for one in value:
            yield from _views(one)


class Place(NamedTuple):
    """Stands for view number `k` of those that a node reads."""

    k: int


def numbered(value: Any, reads: list[View]) -> Any:
    """`value` with a `Place` for each view, which goes to `reads`."""
    if isinstance(value, View):
        reads.append(value)
        return Place(len(reads) - 1)
    if isinstance(value, dict):
        return {key: numbered(one, reads) for key, one in value.items()}
    if type(value) in (list, tuple):
        return type(value)([numbered(one, reads) for one in value])
    return value


def filled(form: Any, arrays: list) -> Any:
    """The arguments of a call, with an array for each `Place`."""
    if isinstance(form, Place):
        return arrays[form.k]
    if isinstance(form, dict):
        return {key: filled(one, arrays) for key, one in form.items()}
    if type(form) in (list, tuple):
        return type(form)([filled(one, arrays) for one in form])
    return form


def has_places(form: Any) -> bool:
    """Whether there is a `Place` among the arguments."""
    if isinstance(form, dict):
        return any(map(has_places, form.values()))
    return isinstance(form, Place) or (type(form) in (list, tuple) and any(map(has_places, form)))


#: What to add for an operator, by name: ``rule(lowering, entry)`` says whether it did.
RULES: dict[str, Callable[[Lowering, Entry], bool]] = {}
