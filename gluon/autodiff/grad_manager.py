"""`GradManager`: attach arrays, record computations on them, and differentiate these.

A manager owns one engine tape per recording session. The rules on nesting, peers and order follow
from that tape's audience: the tapes that were recording when it opened.
"""

from __future__ import annotations

import warnings
from typing import Any
from weakref import ref

from .._core.arrays.base import as_list
from .._core.engine.array import Array
from .._core.engine.mode import Mode, mode
from .._core.engine.node import CREATED
from .._core.errors import ArgumentError, AutogradError
from .._core.scopes import scope
from .checks import Beginning, Callback, checked_callbacks, checked_tensors
from .session import Session, silence_closed


class AttachSpec:
    """An attached tensor of a manager, with its callbacks.

    Attributes
    ----------
    tensor : weakref.ref
        The tensor; calling it returns the array, or None if that was freed.
    callbacks : list of callable
        Run in order on each gradient of the tensor.

    Parameters
    ----------
    tensor : weakref.ref
    callbacks : list of callable

    Examples
    --------
    >>> import weakref
    >>> from gluon import nd
    >>> from gluon.autodiff import AttachSpec
    >>> x = nd.ones((2,))
    >>> AttachSpec(weakref.ref(x), [print]).tensor() is x
    True
    """

    __slots__ = ("tensor", "callbacks")  # noqa: RUF023  (MegEngine's, in its order)
    callbacks: list[Callback]
    tensor: ref

    def __init__(self, tensor: ref[Array], callbacks: list[Callback]) -> None:
        self.tensor = tensor
        self.callbacks = callbacks


class GradManager:
    """Records computations on attached tensors and computes their gradients.

    A session starts with `record` or on entering ``with manager:``, and ends with `backward`,
    `release` or the end of the block. A manager can be used for any number of sessions, one at
    a time. Only computations after `attach` are recorded.

    Managers can be nested. A manager that was recording before another opened also records the
    other's `backward`, which gives gradients of higher order; never the reverse. Managers entered
    together by ``with a | b:`` do not record each other. ``autograd.record()`` nests in the same
    way.

    Examples
    --------
    >>> from gluon import nd
    >>> from gluon.autodiff import GradManager
    >>> x = nd.array([1.0, 2.0, 3.0])
    >>> with GradManager().attach(x) as manager:
    ...     y = (x * x).sum()
    ...     grad = manager.backward(y)
    >>> x.grad.asnumpy()
    array([2., 4., 6.], dtype=float32)

    The second derivative of x³: the outer manager records the inner backward.

    >>> x = nd.array([2.0])
    >>> outer, inner = GradManager().attach(x), GradManager().attach(x)
    >>> with outer:
    ...     with inner:
    ...         slope = inner.backward(x * x * x)
    ...     x.grad = None
    ...     grad = outer.backward(slope)
    >>> slope.asnumpy(), x.grad.asnumpy()
    (array([12.], dtype=float32), array([12.], dtype=float32))
    """

    #: Whether callbacks may return None, which adds nothing to ``.grad``.
    _drops = False

    def __init__(self) -> None:
        #: Whether a callback must be called during the backward pass, not after it.
        self._begins = False
        self._specs: dict[int, AttachSpec] = {}
        self._session: Session | None = None

    def __del__(self) -> None:
        # A manager that is deleted while it records must remove its tape from the mode.
        if self._session is not None:
            self.release()

    def attached_tensors(self) -> list[Any]:
        """The attached tensors that are still alive, in order of attachment.

        Returns
        -------
        list of NDArray of any shape and floating dtype

        Examples
        --------
        >>> from gluon import autodiff, nd
        >>> x = nd.ones((2,))
        >>> manager = autodiff.GradManager().attach([x])
        >>> manager.attached_tensors()[0] is x
        True
        """
        tensors = [spec.tensor() for spec in list(self._specs.values())]
        return [tensor for tensor in tensors if tensor is not None]

    def attach(self, tensors: Any, callbacks: Any = None, *, callback: Any = None) -> GradManager:
        """Track `tensors`, now and in later sessions, so that `backward` computes their gradients.

        While recording, a tensor is marked at once, otherwise by `record`. Marking takes a
        snapshot: gradients are with respect to the value at that moment, whatever is written to
        the tensor later. A tensor that others recorded keeps its history for them.

        Between sessions the manager holds only weak references: a temporary tensor is detached
        when it is freed. A callback that refers to the tensor prevents that.

        Parameters
        ----------
        tensors : NDArray, Parameter, Block, or iterable or dict of NDArrays and Parameters
            Of any shape and a floating dtype. A block attaches its parameters. Parameters whose
            ``grad_req`` is ``'null'`` are skipped.
        callbacks : callable or iterable of callable, optional
            `backward` calls each as ``callback(tensor, grad)``, with `grad` an array of the shape
            and dtype of `tensor`. It returns the gradient for the next callback, and the last one
            for ``tensor.grad``. Attaching a tensor again appends callbacks to those it has.
        callback : callable or iterable of callable, optional
            Further callbacks: MegEngine's documentation uses both names.

        Returns
        -------
        GradManager
            The manager itself.

        Raises
        ------
        DTypeError
            If an item is not a floating array or a callback is not callable; nothing is attached
            then.
        GluonError
            If a parameter has not been initialized.

        Examples
        --------
        >>> from gluon import nd, nn
        >>> net = nn.Dense(1, in_units=2, use_bias=False)
        >>> net.initialize()
        >>> with GradManager().attach(net) as manager:
        ...     grad = manager.backward(net(nd.array([[1.0, 5.0]])))
        >>> net.weight.grad().asnumpy()
        array([[1., 5.]], dtype=float32)
        >>> x = nd.array([1.0, 5.0])
        >>> manager = GradManager().attach(x, callbacks=lambda tensor, grad: nd.clip(grad, -1, 1))
        >>> with manager:
        ...     grad = manager.backward(x * x)
        >>> x.grad.asnumpy()
        array([1., 1.], dtype=float32)
        """
        arrays = checked_tensors(tensors)
        functions = checked_callbacks(callbacks) + checked_callbacks(callback)
        self._begins |= any(isinstance(one, Beginning) for one in functions)
        for tensor in arrays:
            if (spec := self._specs.get(id(tensor))) is None:
                spec = self._specs[id(tensor)] = self._new_spec(tensor)
                if self._session is not None:
                    self._session.watch(tensor)
            spec.callbacks.extend(functions)
        return self

    def _new_spec(self, tensor: Array) -> AttachSpec:
        key, alive = id(tensor), ref(self)

        def forget(_: ref) -> None:
            if (manager := alive()) is not None:
                manager._specs.pop(key, None)

        return AttachSpec(ref(tensor, forget), [])

    def record(self) -> None:
        """Start recording computations on the attached tensors.

        Raises
        ------
        AutogradError
            If the manager is already recording, in this thread or another.

        Examples
        --------
        >>> from gluon import autodiff, nd
        >>> x = nd.array([3])
        >>> manager = autodiff.GradManager().attach([x])
        >>> manager.record()
        >>> y = x * x
        >>> manager.backward(y)
        <BLANKLINE>
        [6.]
        <NDArray 1 @cpu(0)>
        >>> x.grad.asnumpy()
        array([6.], dtype=float32)
        """
        self._record(mode())

    def _record(self, before: Mode) -> None:
        if self._session is not None and not self._session.tape.open:
            self.release()  # an interrupt may have prevented it before
        if self._session is not None:
            raise AutogradError(
                "this GradManager is already recording; call backward() or release() first, or"
                " use a second GradManager to differentiate twice at once"
            )
        self._session = session = Session(before)
        try:
            session.open()
            for tensor in self.attached_tensors():
                session.watch(tensor)
            session.late = not session.watched
        except BaseException:
            self.release()
            raise

    def release(self) -> None:
        """Stop recording without computing gradients.

        The recorded graph is freed together with the arrays computed in it.

        Examples
        --------
        >>> from gluon import autodiff, nd
        >>> manager = autodiff.GradManager().attach([nd.array([3])])
        >>> manager.record()
        >>> manager.release()
        >>> manager.record()  # it can record again
        >>> manager.release()
        """
        session = self._session
        if session is not None:
            session.close()
            self._session = None
        silence_closed(session.idle if session else CREATED)

    def backward(self, y: Any = None, dy: Any = None) -> Any:
        """Add the gradients of `y` to ``.grad`` of the tensors, and stop recording.

        For a tensor marked by ``attach_grad`` the sum is written to its gradient buffer; for
        others it is a new array, so that references to the old gradient keep their value. The
        gradient of a tensor that `y` does not depend on is unchanged, and a `y` that this manager
        did not record is treated as a constant.

        Callbacks and additions run after all gradients are computed, and the managers around this
        one record them. If a callback raises, no ``.grad`` changes. The session always ends.

        Parameters
        ----------
        y : NDArray or list of NDArray, optional
            What to differentiate, of any shape and floating dtype; None or an empty list only
            ends the session.
        dy : NDArray or list of NDArray or None, optional
            The cotangent of each `y`, of its shape; ones where it is None.

        Returns
        -------
        NDArray, None or list of these
            What was added to ``.grad``, of its shape and dtype, or None for a tensor that was not
            reached. A single result if one tensor is attached, otherwise a list in order of
            attachment. (MegEngine returns nothing.)

        Warns
        -----
        UserWarning
            If no gradient is computed: there is no `y`, nothing is attached, or all tensors were
            attached after the computation.

        Raises
        ------
        AutogradError
            If the manager is not recording.
        ArgumentError
            If the numbers of `dy` and `y` differ, a `dy` has another shape than its `y`, or a
            callback changes the shape of a gradient.
        DTypeError
            If a `y` or a `dy` is not an array, or a callback does not return an array.

        Examples
        --------
        >>> from gluon import nd
        >>> x = nd.array([1.0, 2.0])
        >>> with GradManager().attach(x) as manager:
        ...     grad = manager.backward(x * x, nd.array([1.0, 10.0]))
        >>> grad.asnumpy()
        array([ 2., 40.], dtype=float32)
        """
        session = self._session
        if session is None:
            raise AutogradError(
                "no computation history: this GradManager is not recording; call record() or"
                " enter it by `with` before the computation; backward() and release() end it"
            )
        if not session.watched and as_list(y):
            warnings.warn(
                "backward: no gradient is computed, since nothing is attached to this GradManager,"
                " or it is freed; call attach() before the computation",
                stacklevel=2,
            )
        elif y is None and session.watched:
            warnings.warn(
                "backward: no y is given, so no gradient is computed; give the loss, or end the"
                " recording by release()",
                stacklevel=2,
            )
        try:
            with scope(lambda now, entry: now.recorded_by(session.tape.audience(), entry=entry)):
                seeds = session.seeds(y, dy)
                if session.watched and session.late and not seeds and as_list(y):
                    warnings.warn(
                        "backward: no y was computed from an attached tensor, so no gradient is"
                        " computed; call attach() before the computation",
                        stacklevel=2,
                    )
                results = session.backward(
                    seeds,
                    lambda x: self._specs[id(x)].callbacks,
                    self._drops,
                    self._begins,
                )
        finally:
            session.tape.open = False  # set first: a call before it could be interrupted
            self.release()
        return results[0] if len(results) == 1 else results

    def __enter__(self) -> GradManager:
        self._record(mode())
        return self

    def __exit__(self, *exc: object) -> None:
        self.release()

    def __or__(self, other: Any) -> GradManagerGroup:
        return GradManagerGroup([self]) | other


class GradManagerGroup:
    """Managers that record independently at the same time, made by ``a | b``.

    The managers that were recording before the group was entered record the `backward` of each
    member. Members do not record each other, and each ends its session by its own `backward`, or at
    the end of the block. Either all of them start recording or none.

    Examples
    --------
    >>> from gluon import nd
    >>> x, w = nd.array([2.0]), nd.array([5.0])
    >>> a, b = GradManager().attach(x), GradManager().attach(w)
    >>> with a | b:
    ...     y = x * w
    ...     a.backward(y).asnumpy(), b.backward(y).asnumpy()
    (array([5.], dtype=float32), array([2.], dtype=float32))
    """

    def __init__(self, managers: list[GradManager]) -> None:
        self.managers = managers

    def __or__(self, other: Any) -> GradManagerGroup:
        if isinstance(other, GradManager):
            other = GradManagerGroup([other])
        if not isinstance(other, GradManagerGroup):
            return NotImplemented
        managers = self.managers + other.managers
        if len(set(managers)) != len(managers):
            raise ArgumentError(
                "a | b: the same GradManager twice in a group; it records one history at a time,"
                " so attach the tensors to a second GradManager"
            )
        return GradManagerGroup(managers)

    def __enter__(self) -> GradManagerGroup:
        before, entered = mode(), []
        try:
            for manager in self.managers:
                manager._record(before)
                entered.append(manager)
        except BaseException:
            for manager in entered:
                manager.release()
            raise
        return self

    def __exit__(self, *exc: object) -> None:
        for manager in self.managers:
            manager.release()
