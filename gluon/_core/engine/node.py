"""The recorded graph: one `Node` per recorded operator call, owned by the arrays that need it.

Nodes hold raw arrays and other nodes, never array handles, so no reference cycle can form and
a graph is freed by reference counting the moment its last handle dies.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import count
from typing import Any

#: Creation numbers decrease, so that a heap returns the newest node first.
next_number = count(0, -1).__next__


class Node:
    """One recorded operator call.

    Attributes
    ----------
    op : Op
        The operator, which knows how to pull a cotangent back.
    tapes : tuple of Tape
        The tapes that saw the call, outermost first.
    edges : tuple of (Node or None), or None
        Where each input came from; None once every tape has released the node.
    kept : tuple, or None
        The raw values that the gradient rules of `op` asked for.
    number : int
        Creation number: later nodes have smaller ones.
    attrs : dict
        The attributes of the call; set only for operators that have some.
    left : tuple of Tape
        Tapes that have released the node while others have not; unset before.
    width : int
        The number of outputs; set only for operators with several.
    notes : dict
        What those who are told of the call note about it; see `call.tell`. Unset before.
    """

    __slots__ = ("attrs", "edges", "kept", "left", "notes", "number", "op", "tapes", "width")
    op: Any
    tapes: tuple[Any, ...]
    edges: Any
    kept: Any
    number: int
    attrs: Any
    left: tuple[Any, ...]
    width: int
    notes: dict[Any, Any]

    def released_by(self, tape: Any) -> bool:
        """Whether `tape`, which recorded this node, has already walked and released it."""
        return self.edges is None or tape in getattr(self, "left", ())

    def forget(self, tape: Any) -> None:
        """Release the node for `tape`; the last open tape to do so frees what it keeps."""
        self.left = left = (*getattr(self, "left", ()), tape)
        if all(seer in left or not seer.open for seer in self.tapes):
            self.edges = self.kept = None


class Variable(Node):
    """A node whose cotangent somebody waits for: a leaf, or a pass-through with one edge.

    Attributes
    ----------
    grad : Array or None
        The handle that receives the gradient.
    req : {'write', 'add', 'null'} or None
        What ``autograd.backward`` does with it; None when only a manager attached it.
    fresh : bool
        Whether a backward has written `grad` since it was last set to False.
    writes : int
        How often the marked array has been written to.
    shape, dtype
        Those of the marked value, for error messages and checks.
    """

    __slots__ = ("dtype", "fresh", "grad", "req", "shape", "writes")

    def __init__(
        self, op: Any, raw: Any, tapes: tuple[Any, ...], edges: tuple[Any, ...] = ()
    ) -> None:
        self.op, self.tapes, self.edges, self.kept = op, tapes, edges, ()
        self.number = next_number()
        self.grad: Any = None
        self.req: str | None = None
        self.fresh: bool = False
        self.writes: int = 0
        self.shape: tuple[int, ...] = raw.shape
        self.dtype: Any = raw.dtype

    def forget(self, tape: Any) -> None:
        """Variables hold no activation: there is nothing to release."""


class Blank(Node):
    """The node of an array without history; its `reason` completes "… because it was".

    An `inherited` one is also that of what operators of one input make of the array.

    Attributes
    ----------
    zeros : dict of Node to (shape, dtype)
        What the array was computed from with a gradient of zeros, and the form of the zeros.
    head : bool
        Whether those zeros may be asked for by themselves, with the array as a head.
    """

    __slots__ = ("head", "inherited", "reason", "zeros")

    def __init__(
        self,
        reason: str,
        inherited: bool = False,
        zeros: dict[Any, Any] | None = None,
        head: bool = False,
    ) -> None:
        self.tapes, self.edges, self.reason, self.inherited = (), (), reason, inherited
        self.zeros: dict[Node, tuple] = zeros or {}
        self.head = head


class InFunction(Blank):
    """The node of what a user's forward, which nobody records, computes from tracked arrays.

    A backward pass that somebody watches gives it `tapes`: from then on it is an error to
    differentiate what was made of such an array, which `op` raises.
    """

    __slots__ = ()
    #: Of the class, which is cheaper than setting them in each.
    inherited, zeros, head = False, {}, False

    def __init__(self, op: Any) -> None:
        self.tapes, self.edges, self.op, self.number = (), (), op, next_number()

    @property
    def reason(self) -> str:  # type: ignore[override]
        """As that of a `Blank`; put together when somebody asks."""
        return self.op.reason

    def of(self, inputs: Iterable[Any]) -> Blank:
        """The node of what is computed inside from the arrays `inputs`."""
        for x in inputs:
            if x._node.tapes or type(x._node) is InFunction:
                return self
        return UNTRACKED


CREATED = Blank(
    "created or computed outside autograd.record(); call attach_grad() on the inputs and"
    " compute it inside `with autograd.record():`. If it is a gradient, compute that with"
    " create_graph=True"
)
PAUSED = Blank(
    "computed while recording was paused; move the computation out of autograd.pause()"
    " (or set_recording(False))"
)
UNTRACKED = Blank(
    "computed from arrays that nobody tracks; call attach_grad() (or GradManager.attach) on"
    " the inputs before the computation. If one of them is a gradient, compute that with"
    " create_graph=True. What leaves the arrays, as with asnumpy(), has no history, and an update"
    " such as x = x - step makes another array; x[:] = x - step keeps the marked one"
)
DETACHED = Blank("cut from its history by detach(); use the array that was detached")
