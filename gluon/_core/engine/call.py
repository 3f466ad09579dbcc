"""How a call of an operator runs and is recorded.

This is the path every operator takes, so each arity has its own closure, made once when the
table is read: positional calls, no list, no dict unless attributes were given.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from threading import Lock
from typing import TYPE_CHECKING, Any

from numpy import asarray, ndarray

from ..kernels.foreign import own
from ..kernels.memory import form_of
from ..kernels.sparse import is_sparse
from ..refusals import NUMBERS, failure, names_of
from .array import Array, as_raw, new, wrap
from .mode import mode
from .node import UNTRACKED, Blank, InFunction, Node, next_number
from .pull import output, zeros_to
from .tape import AMBIENT, RECORDING, common, union

if TYPE_CHECKING:
    from .op import Op, Rule

#: What a binary operator keeps if neither of its rules needs anything.
NOTHING: tuple = ((), ())
#: Stands for a kept value that the rule has to fetch.
UNKNOWN = object()
NO_ATTRIBUTES: dict = {}
#: The functions that are told of every recorded call; see `tell`.
_listeners: tuple[Callable, ...] = ()
_lock = Lock()
#: Computes what kernels of dense arrays cannot; see `let_recover`.
_recover: Callable | None = None


def tell(told: Callable, on: bool = True) -> None:
    """From now on call ``told(node, inputs, attrs, out)`` for every recorded call, or no longer.

    It is told of the calls of all threads and tasks. Calls run ``op.kernel``, which may be
    replaced as well: `op.TABLE` has all of them.
    """
    global _listeners
    with _lock:
        others = tuple([one for one in _listeners if one is not told])
        _listeners = (*others, told) if on else others


def report(node: Node, inputs: Sequence, attrs: dict, out: Any) -> None:
    """Tell of a call that is recorded: of an operator, or like one."""
    for told in _listeners:
        told(node, inputs, attrs, out)


def let_recover(recover: Callable[..., Any]) -> None:
    """From now on have ``recover(op, inputs, attrs)`` compute calls that get sparse arrays."""
    global _recover
    _recover = recover


def make_call(op: Op) -> Callable:
    """The operator over arrays."""
    if op.binary:
        return _binary_with_attributes(op) if op.attributes else _binary(op)
    if not op.rules[0] or op.many or op.variadic or len(op.inputs) > 1:
        return _general(op)
    return _unary_with_attributes(op) if op.attributes else _unary(op)


def _kept(rule: Rule) -> str | None:
    """Return what the rule of a call keeps in the common cases: "", "x1", "x2" or "y"."""
    cases = {(): "", (("input", 0),): "x1", (("input", 1),): "x2", (("output", None),): "y"}
    return cases.get(rule.sources)


def _unary(op: Op) -> Callable:
    kept = _kept(op.rules[0])
    keeps_x, keeps_y, other = kept == "x1", kept == "y", () if kept == "" else UNKNOWN

    def call(x: Array) -> Array:
        try:
            raw = op.kernel(x.held)
        except Exception as error:
            return recovered(op, (x,), {}, error)
        return _result(op, x, raw, raw if keeps_y else x.held if keeps_x else other, NO_ATTRIBUTES)

    return call


def _unary_with_attributes(op: Op) -> Callable:
    def call(x: Array, **attrs: Any) -> Array:
        try:
            raw = op.kernel(x.held, **attrs)
        except Exception as error:
            return recovered(op, (x,), attrs, error)
        return _result(op, x, raw, UNKNOWN, attrs)

    return call


def _with_number(op: Op, place: int) -> Callable:
    """``call(x, number)`` for a binary operator whose input `place` is a Python number."""
    name = op.inputs[place]
    fixed = op.fix(place)
    keeps_number = [kind for kind, _ in fixed.rules[0].sources] == ["attribute"]

    def call(x: Array, number: Any) -> Array:
        try:
            source = x.held
            dtype = source.dtype
            # As x._number(number), but without the call for most arrays.
            value = asarray(number, dtype) if dtype.kind == "f" else x._number(number)
            raw = fixed.kernel(source, value)
        except Exception as error:
            return recovered(fixed, (x,), {name: number}, error)
        return _result(fixed, x, raw, value if keeps_number else UNKNOWN, {name: number})

    fixed.call = call
    return call


def _result(op: Op, x: Array, raw: Any, kept: Any, attrs: dict) -> Array:
    """Return the result of an operator on one array, recorded if that array is tracked."""
    if type(raw) is not ndarray:
        if is_sparse(raw) and not op.takes_sparse:
            return recovered(op, (x,), attrs, TypeError())  # it was handed on as it is
        is_kept, raw = kept is raw, as_raw(raw)
        kept = raw if is_kept else kept
    y = new(type(x))
    y.raw = raw
    y._ctx = x._ctx
    y._mark = y._group = None
    now = mode()
    tapes = now[0]  # by index, like `blank` below: access by name costs 1 % of a recorded call
    if tapes:
        source = x._node
        seen = source.tapes
        # Inside a user's forward nobody records: there is nothing to look for.
        if seen is tapes or (
            seen and type(now[2]) is not InFunction and (seen := common(tapes, seen))
        ):
            y._node = node = Node()
            node.op = op
            node.tapes = seen
            node.edges = (source,)
            node.number = next_number()
            node.attrs = attrs
            if kept is UNKNOWN:
                kept = op.keep((x.held,), raw, attrs, ())
            node.kept = kept
            if _listeners:
                report(node, (x,), attrs, raw)
            return y
        if type(source) is Blank and source.inherited:
            y._node = source
            return y
        if type(blank := now[2]) is InFunction:  # as blank.of((x,)), without the call
            y._node = blank if seen or type(source) is InFunction else UNTRACKED
            return y
    y._node = now[2]
    return y


def _binary(op: Op) -> Callable:
    broadcasts = op.broadcasts
    simple1, simple2 = map(_kept, op.rules)
    keeps_nothing = simple1 == simple2 == ""
    keeps_other = simple1 == "x2" and simple2 == "x1"
    left, right = (None, None) if op.attributes else (_with_number(op, 0), _with_number(op, 1))

    def call(x1: Any, x2: Any, attrs: dict = NO_ATTRIBUTES) -> Array:
        cls = type(x1)
        kind = type(x2)
        if kind is not cls:
            if right and (kind is float or kind is int or isinstance(x2, NUMBERS)):
                return right(x1, x2)
            if left and isinstance(x1, NUMBERS):
                return left(x2, x1)
        try:
            raw1, raw2 = x1.held, x2.held
            raw = op.kernel(raw1, raw2, **attrs) if attrs else op.kernel(raw1, raw2)
        except Exception as error:
            return recovered(op, (x1, x2), attrs, error)
        y = new(cls)
        if type(raw) is not ndarray:
            if is_sparse(raw) and not op.takes_sparse:
                return recovered(op, (x1, x2), attrs, TypeError())
            raw = as_raw(raw)
        y.raw = raw
        y._ctx = x1._ctx
        y._mark = y._group = None
        now = mode()
        tapes = now[0]
        if tapes:
            node1, node2 = x1._node, x2._node
            seen1, seen2 = node1.tapes, node2.tapes
            both = seen1 is tapes and seen2 is tapes
            if not both:
                seen1 = seen1 and common(tapes, seen1)
                seen2 = seen2 and common(tapes, seen2)
            if both or seen1 or seen2:
                y._node = node = Node()
                node.op = op
                node.number = next_number()
                if both:
                    node.tapes = tapes
                    node.edges = (node1, node2)
                else:
                    node.tapes = union(tapes, seen1, seen2)
                    node.edges = (node1 if seen1 else None, node2 if seen2 else None)
                    other, near = (node2, node1) if seen1 else (node1, node2)
                    if type(other) is Blank and other.zeros and {near} != other.zeros.keys():
                        y._node = with_zeros(node, (x2 if seen1 else x1,))
                if keeps_nothing:
                    node.kept = NOTHING
                elif keeps_other:
                    node.kept = (raw2 if seen1 else None, raw1 if seen2 else None)
                else:
                    node.attrs = attrs
                    node.kept = op.keep((raw1, raw2), raw, attrs, (seen1, seen2))
                if broadcasts and raw1.shape != raw2.shape:
                    node.kept += (raw1.shape, raw2.shape)
                if _listeners:
                    report(node, (x1, x2), attrs, raw)
                return y
            blanks = type(node1) is Blank is type(node2)
            if type(now[2]) is InFunction or (blanks and (node1.zeros or node2.zeros)):
                y._node = with_zeros(now[2], (x1, x2))
                return y
        y._node = now[2]
        return y

    return call


def _binary_with_attributes(op: Op) -> Callable:
    binary, general = _binary(op), _general(op)

    def call(x1: Any, x2: Any = None, **attrs: Any) -> Array:
        if isinstance(x2, Array) and isinstance(x1, Array):
            return binary(x1, x2, attrs)
        return general(x1, x2, **attrs)

    return call


def _first(op: Op, inputs: tuple) -> Array:
    """Return the first array, which determines the class and context of the results."""
    for x in inputs:
        if isinstance(x, Array):
            return x
    raise failure(op, inputs, {}, TypeError("none of the inputs is an array"))


def _general(op: Op) -> Callable:
    """Call an operator with any number of inputs and outputs; inputs may be None or numbers."""

    def call(*inputs: Any, **attrs: Any) -> Any:
        raws = [x.held if isinstance(x, Array) else x for x in inputs]
        try:
            out = op.kernel(*raws, **attrs)
        except Exception as error:
            return recovered(op, inputs, attrs, error)
        first = inputs[0] if inputs and isinstance(inputs[0], Array) else _first(op, inputs)
        if op.many:
            out = [as_raw(raw) for raw in out]
        elif type(out) is not ndarray:
            if is_sparse(out) and not op.takes_sparse:
                return recovered(op, inputs, attrs, TypeError())
            out = as_raw(out)
        now = mode()
        node: Node = op.blank or now.blank
        tapes = now.tapes
        rest: Any = ()
        if tapes:
            tracked = op.differentiable_inputs if not op.variadic else (bool(op.joint),) * len(raws)
            seens = [
                seen if not seen or seen is tapes else common(tapes, seen)
                for x, has_rule in zip(inputs, tracked)
                for seen in (x._node.tapes if has_rule and isinstance(x, Array) else (),)
            ]
            inside = type(node) is InFunction
            if any(seens):
                node = _record(op, inputs, raws, out, attrs, seens)
            rest = [
                x
                for x, seen in zip(inputs, seens)
                if not seen and isinstance(x, Array)
                if inside or type(x._node) is not Blank or x._node.zeros
            ]
        if not op.many:
            return wrap(type(first), out, first._ctx, with_zeros(node, rest) if rest else node)
        nodes = ports(node, len(out), rest)
        return [wrap(type(first), raw, first._ctx, one) for raw, one in zip(out, nodes)]

    return call


def _record(op: Op, inputs: Any, raws: list, out: Any, attrs: dict, seens: list) -> Node:
    """Create the node of a general call; `seens` has the tapes that track each input."""
    absent = (None,) * (len(op.inputs) - len(inputs))  # optional inputs at the end
    needs = (*[seen != () for seen in seens], *absent)
    node = Node()
    for k, x in enumerate(inputs):
        if not isinstance(x, Array):
            raws[k] = own(x)
            attrs = {**attrs, names_of(op, len(inputs))[k]: raws[k]}
    node.op, node.attrs, node.number = op, attrs, next_number()
    tapes = mode().tapes
    node.tapes = tapes if tapes in seens else union(tapes, *seens)
    if op.many:
        node.width = len(out)
    node.edges = (*[x._node if need else None for x, need in zip(inputs, needs)], *absent)
    node.kept = op.keep(raws, out, attrs, needs)
    if op.broadcasts and not op.joint:
        node.kept += tuple([getattr(raw, "shape", ()) for raw in raws])
    if _listeners:
        report(node, inputs, attrs, out)
    return node


def ports(node: Node, count: int, rest: Sequence[Array]) -> list[Node]:
    """The nodes of the outputs of `node`; as those of `with_zeros`."""
    if isinstance(node, Blank) or not node.op.many:
        return [with_zeros(node, rest)] * count
    return [with_zeros(output(node, k), rest) for k in range(count)]


def with_zeros(node: Node, inputs: Sequence[Array]) -> Node:
    """`node`, of a result, made to lead with gradients of zeros to what `inputs` come from.

    Nothing is kept for that but the shapes and dtypes of the zeros. It is so for
    ``autograd.record()`` alone: a manager's gradient of what is not reached is None.
    """
    now = mode()
    if type(node) is InFunction:
        return node.of(inputs)
    if AMBIENT not in now.tapes:
        return node
    sources: dict[Node, tuple] = {}
    head = False
    for x in inputs:
        source = x._node
        if type(source) is not Blank:
            if AMBIENT in source.tapes:
                sources[source] = form_of(x.held)
        elif source.zeros:
            sources |= source.zeros
            head = head or source.head
            node = source if node is now.blank else node
    if not sources:
        return node
    # Sources that were released have their gradient; those that `node` leads to will get one.
    near = node.edges
    sources = {n: form for n, form in sources.items() if n.edges is not None and n not in near}
    if type(node) is Blank:
        same = sources.keys() == node.zeros.keys()
        return node if same else Blank(node.reason, True, sources, head or node.head)
    return zeros_to(node, union(now.tapes, node.tapes, RECORDING), sources) if sources else node


def recovered(op: Op, inputs: tuple, attrs: dict, error: Exception) -> Any:
    """The result of a call whose kernel failed: kernels of dense arrays refuse sparse values."""
    if _recover and any(isinstance(x, Array) and is_sparse(x.held) for x in inputs):
        return _recover(op, inputs, attrs)
    raise failure(op, inputs, attrs, error) from None
