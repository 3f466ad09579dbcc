"""Mark arrays as variables, and hand them their gradients.

Marking is the same act everywhere: the array's node becomes a `Variable`. ``attach_grad``
cuts the history of a computed array, as in MXNet; a manager's ``attach`` keeps it, with a
variable that passes the cotangent on.
"""

from __future__ import annotations

from typing import Any

from ..errors import ArgumentError
from ..kernels.memory import brought, is_external, own
from ..kernels.sparse import as_dense, is_sparse
from .array import Array, as_raw, wrap
from .inplace import write
from .mode import mode
from .node import CREATED, InFunction, Variable
from .op import KERNELS, RECORDED
from .pull import PASS, passing
from .tape import AMBIENT, RECORDING, Tape

REQUESTS = ("write", "add", "null")


def mark(array: Array, grad: Array | None, req: str) -> None:
    """Make `array` a variable of ``autograd.record()`` whose gradient goes to `grad`.

    Parameters
    ----------
    array : Array
    grad : Array of the same shape and dtype, or None
        Overwritten (``write``) or added to (``add``) by ``backward``.
    req : {'write', 'add', 'null'}
        ``null`` unmarks the array.
    """
    if not isinstance(req, str) or req not in REQUESTS:
        raise ArgumentError(f"grad_req must be one of {', '.join(REQUESTS)}; got {req!r}")
    if grad is not None and grad.held.shape != array.held.shape:
        raise ArgumentError(
            f"the gradient buffer has shape {grad.held.shape}, the variable {array.held.shape};"
            " they must be equal"
        )
    before = array._node
    managers = ()
    if type(before) is Variable:
        managers = tuple(tape for tape in before.tapes if tape is not AMBIENT)
    own = () if req == "null" else RECORDING
    if managers:
        variable = before
        variable.tapes = own + managers
    else:
        variable = Variable(PASS, array.held, own)
    variable.grad = grad
    variable.req = req
    array._node = array._mark = variable


def watch(array: Array, tape: Tape) -> Variable:
    """Make `array` a variable of a manager's `tape` as well; its history survives."""
    node = array._node
    before = array._mark
    if type(node) is Variable:
        variable = node
        variable.tapes = (*node.tapes, tape)
    elif any(seer.open for seer in node.tapes):
        variable = Variable(PASS, array.held, (*node.tapes, tape), (node,))
    else:
        ambient = RECORDING if before is not None and before.req in ("write", "add") else ()
        variable = Variable(PASS, array.held, (*ambient, tape))
    if before is not None and before is not variable:
        variable.grad, variable.req, variable.fresh = before.grad, before.req, before.fresh
    array._node = array._mark = variable
    return variable


def unwatch(array: Array, variable: Variable, tape: Tape) -> None:
    """Undo the `watch` that gave `variable` when a manager's session ends."""
    left = tuple(seer for seer in variable.tapes if seer is not tape)
    variable.tapes = RECORDING if left == RECORDING else left
    if not any(seer.open for seer in left):
        variable.edges = ()
    elif variable is array._mark and variable.req is None and variable.grad is not None:
        # Tapes that still record may track how the gradient was computed, a history that leads back
        # to `variable`. If `variable` held the gradient, that would be a reference cycle.
        array._mark = holder = Variable(PASS, array.held, ())
        holder.grad, holder.fresh, variable.grad = variable.grad, variable.fresh, None
    if not any(seer.open for seer in array._node.tapes):
        array._node = variable


def gradient(array: Array) -> Array | None:
    """The gradient of `array`; None when it has none."""
    variable = array._mark
    return None if variable is None else variable.grad


def set_gradient(array: Array, grad: Array | None) -> None:
    """Replace the gradient of `array`, marked or not."""
    variable = array._mark
    if variable is None:
        array._mark = variable = Variable(PASS, array.held, ())
    variable.grad = grad


def deliver(variable: Variable, value: Any, cls: type, ctx: Any = None) -> None:
    """Hand `variable` its total gradient `value`, as its ``grad_req`` wants it."""
    grad = variable.grad
    if grad is not None and is_sparse(grad.held):
        _deliver_sparse(variable, grad, value)
    elif grad is None:
        variable.grad = as_gradient(value, variable.dtype, cls, ctx)
    else:
        new_grad = as_gradient(value, variable.dtype, type(grad))
        new_grad.raw = brought(new_grad.raw, grad.form, grad._ctx)
        if variable.req == "add" and isinstance(value, Array):
            new_grad = RECORDED.add(grad, new_grad)
        elif variable.req == "add":
            new_grad.raw = as_raw(KERNELS.add(grad.raw, new_grad.raw))
        put(grad, new_grad)
    variable.fresh = True


def _deliver_sparse(variable: Variable, grad: Array, value: Any) -> None:
    """Hand `variable` its gradient in the storage of the one that it has."""
    stype = grad.held.stype
    if not isinstance(value, Array):
        value = wrap(Array, value)
    if value.held.dtype != variable.dtype:
        value = RECORDED.cast(value, dtype=variable.dtype)
    if variable.req == "add":
        value = RECORDED.add(wrap(Array, grad.held, grad._ctx, grad._node), value)
    value = RECORDED.cast_storage(value, stype=stype)
    grad.raw = value.held
    if type(grad._node) is not Variable:
        grad._node = value._node


def as_gradient(value: Any, dtype: Any, cls: type, ctx: Any = None) -> Array:
    """A cotangent, raw or recorded, as a `cls` array of its own, of the variable's dtype."""
    if not isinstance(value, Array):
        value = as_dense(value)
        raw = own(value) if value.dtype == dtype else KERNELS.cast(value, dtype=dtype)
        blank = mode().blank
        return wrap(cls, raw, ctx, blank if type(blank) is InFunction else CREATED)
    if value.raw.dtype != dtype:
        value = RECORDED.cast(value, dtype=dtype)
    node = value._node
    if type(node) is Variable:
        # A head gradient that is passed on unchanged; the gradient must not be that variable
        # itself.
        node = passing(node)
    return wrap(cls, own(value.raw), ctx, node)


def put(grad: Array, value: Array) -> None:
    """Let the handle `grad` hold `value`; a buffer shared by views or others is written to."""
    if grad._group is not None or is_external(grad.raw):
        write(grad, ..., value.raw)
    else:
        grad.raw = value.raw
    if type(grad._node) is not Variable:
        grad._node = value._node
