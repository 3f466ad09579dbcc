"""`RecurrentCell`: a block for one step of a sequence."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from .. import nd
from .._core.errors import ArgumentError
from .._core.hints.lookup import hinted
from ..block import Block, HybridBlock
from ..block.base import whose
from ..nd import NDArray
from ..parameter import ParameterDict
from ..symbol import Symbol
from .sequence import (
    arranged,
    check_length,
    first_states,
    last_valid,
    masked,
    parted,
    time_axis,
)


class RecurrentCell(Block):
    """Base class of all recurrent cells, which compute one step of a sequence.

    A cell is called as ``output, states = cell(inputs, states)``; `unroll` does that for a whole
    sequence.

    Parameters
    ----------
    prefix : str, optional
        The start of the names of its parameters; see `Block`.
    params : ParameterDict, optional
        Parameters to share with another cell.

    Examples
    --------
    >>> from gluon import nd, rnn
    >>> class Sum(rnn.RecurrentCell):
    ...     def state_info(self, batch_size=0):
    ...         return [{"shape": (batch_size, 2), "__layout__": "NC"}]
    ...     def forward(self, inputs, states):
    ...         total = inputs + states[0]
    ...         return total, [total]
    >>> cell = Sum()
    >>> outputs, states = cell.unroll(3, nd.ones((1, 3, 2)), merge_outputs=True)
    >>> outputs.asnumpy()[0]
    array([[1., 1.],
           [2., 2.],
           [3., 3.]], dtype=float32)
    >>> cell.reset()
    """

    # Names of symbols have these numbers.
    _uncounted = (*HybridBlock._uncounted, "_counter", "_init_counter")

    def __init__(self, prefix: str | None = None, params: ParameterDict | None = None) -> None:
        super().__init__(prefix, params)
        self._modified = False
        self.reset()

    def reset(self) -> None:
        """Reset the step counter before a new sequence, also in all inner cells."""
        self._init_counter = self._counter = -1
        for cell in self._children.values():
            if isinstance(cell, RecurrentCell):
                cell.reset()

    def state_info(self, batch_size: int = 0) -> list[dict[str, Any]]:
        """The shape and the layout of each state; subclasses define it.

        Parameters
        ----------
        batch_size : int, default 0

        Returns
        -------
        list of dict

        Raises
        ------
        NotImplementedError
            If a subclass does not define it.
        """
        raise NotImplementedError(f"{type(self).__name__} must define state_info(self, batch_size)")

    def begin_state(
        self, batch_size: int = 0, func: Callable[..., Any] = nd.zeros, **kwargs: Any
    ) -> list[Any]:
        """The states before the first step.

        Parameters
        ----------
        batch_size : int
        func : callable, default nd.zeros
            Creates a state; it is called with ``shape=`` and `kwargs`, and with ``name=`` and
            ``__layout__=`` if it takes them.
        **kwargs
            Further arguments of `func`, such as ``ctx`` and ``dtype``.

        Returns
        -------
        list of NDArray of the shapes of `state_info`

        Raises
        ------
        ArgumentError
            If the cell belongs to a modifier such as `ZoneoutCell`.

        Examples
        --------
        >>> from gluon import rnn
        >>> [state.shape for state in rnn.LSTMCell(3).begin_state(batch_size=2)]
        [(2, 3), (2, 3)]
        """
        check_unmodified(self)
        states = []
        for info in self.state_info(batch_size):
            self._init_counter += 1
            name = f"{self.prefix}begin_state_{self._init_counter}"
            states.append(made(func, {"name": name, **(info or {}), **kwargs}))
        return states

    @hinted
    def unroll(
        self,
        length: int,
        inputs: Any,
        begin_state: Any = None,
        layout: str = "NTC",
        merge_outputs: bool | None = None,
        valid_length: NDArray | None = None,
    ) -> tuple[Any, Any]:
        """Call the cell for each step of a sequence.

        Parameters
        ----------
        length : int
            The number of steps.
        inputs : NDArray of floats, or list of NDArrays
            An array of shape (batch, steps, features), its axes as in `layout`, or one of shape
            (batch, features) for each step.
        begin_state : list of NDArray, optional
            The states before the first step, of the shapes of `state_info`; zeros by default.
        layout : str, default 'NTC'
            The axes: batch (N), steps (T) and features (C).
        merge_outputs : bool, optional
            Whether to return the outputs as one array or as a list. The default is a list, or one
            array if `valid_length` is given.
        valid_length : NDArray of shape (batch,), optional
            The number of steps of each sample: later outputs are 0, and the states are those after
            its last step.

        Returns
        -------
        outputs : NDArray, or list of NDArrays
            Of the shapes of `inputs` except for the last axis, which has the features of the cell.
        states : list of NDArray
            The states after the last step, of the shapes of `state_info`.

        Raises
        ------
        ArgumentError
            If the inputs do not have `length` steps, or do not fit the cell or the states.

        Examples
        --------
        >>> from gluon import nd, rnn
        >>> cell = rnn.GRUCell(5)
        >>> cell.initialize()
        >>> outputs, states = cell.unroll(3, nd.ones((2, 3, 4)), merge_outputs=True)
        >>> outputs.shape, [state.shape for state in states]
        ((2, 3, 5), [(2, 5)])
        """
        self.reset()
        check_length(length, inputs, layout)
        axis = time_axis(layout)
        states = first_states(self, begin_state, inputs, layout)
        outputs, history = [], []
        for x in parted(inputs, axis, length):
            output, states = self(x, states)
            outputs.append(output)
            if valid_length is not None:
                history.append(states)
        if valid_length is None:
            return arranged(outputs, axis, merge_outputs, length), states
        try:
            states = [last_valid(column, valid_length) for column in zip(*history)]
        except ArgumentError as error:
            raise ArgumentError(
                f"unroll: valid_length has a length from 1 to {length} for each sample ({error})"
            ) from None
        return arranged(masked(outputs, axis, valid_length), axis, merge_outputs, length), states

    def _miscounted(self, args: tuple[Any, ...]) -> str:
        reason = super()._miscounted(args)
        if reason and len(args) == 1 and hasattr(args[0], "shape"):
            reason += f"; the first states are cell.begin_state(batch_size={args[0].shape[0]})"
        return reason

    def forward(self, inputs: NDArray, states: Any) -> tuple[Any, Any]:
        """The output and the next states.

        Parameters
        ----------
        inputs : NDArray of shape (batch, features), of the dtype of the parameters
        states : list of NDArray
            Of the shapes of `state_info` and that dtype.

        Returns
        -------
        output : NDArray of shape (batch, features of the output)
        states : list of NDArray
            Of the same shapes.
        """
        self._counter += 1
        return super().forward(inputs, states)

    def _within(self) -> str:
        return f"t{self._counter}_"


class HybridRecurrentCell(RecurrentCell, HybridBlock):
    """Base of recurrent cells that define `hybrid_forward`.

    Parameters
    ----------
    prefix : str, optional
        The start of the names of its parameters; see `Block`.
    params : ParameterDict, optional
        Parameters to share with another cell.

    Examples
    --------
    >>> from gluon import nd, rnn
    >>> class Sum(rnn.HybridRecurrentCell):
    ...     def state_info(self, batch_size=0):
    ...         return [{"shape": (batch_size, 1), "__layout__": "NC"}]
    ...     def hybrid_forward(self, F, inputs, states):
    ...         total = inputs + states[0]
    ...         return total, [total]
    >>> outputs, _ = Sum().unroll(3, nd.ones((1, 3, 1)))
    >>> [output.item() for output in outputs]
    [1.0, 2.0, 3.0]
    """


class ShapedCell(HybridRecurrentCell):
    """Base of the cells whose states have known shapes when they are created."""

    #: The shape of each state, without the batch axis.
    _state_shapes: list[tuple[int, ...]]
    _state_layout = "NC"

    def state_info(self, batch_size: int = 0) -> list[dict[str, Any]]:
        """The shape and the layout of each state.

        Parameters
        ----------
        batch_size : int, default 0

        Returns
        -------
        list of dict
        """
        return [
            {"shape": (batch_size, *shape), "__layout__": self._state_layout}
            for shape in self._state_shapes
        ]

    def forward(self, inputs: Any, states: Any) -> tuple[Any, Any]:
        """The output and the next states; see `RecurrentCell.forward`."""
        output, after = super().forward(inputs, states)
        if isinstance(output, Symbol):  # with MXNet's names
            for one, name in zip((output, *after[1:]), ("out", "state")):
                one._heads[0].node.name = f"{self.prefix}{self._within()}{name}"
        return output, after

    def _checked(self, inputs: Any, states: Any) -> Any:
        """Return the states of a step; raise `ArgumentError` if they do not match the cell."""
        if isinstance(inputs, Symbol) and len(states) == len(self._state_shapes):
            return states
        batch = inputs.shape[0]
        wanted = [(batch, *shape) for shape in self._state_shapes]
        given = states if isinstance(states, (list, tuple)) else [states]
        shapes = [getattr(state, "shape", type(state).__name__) for state in given]
        if given is states and shapes == wanted:
            return states
        raise ArgumentError(
            f"the cell needs a list of states of shape {wanted} for inputs of shape"
            f" {inputs.shape}; got {shapes if given is states else type(states).__name__}."
            f" begin_state(batch_size={batch}) makes it"
        )


def check_unmodified(cell: RecurrentCell) -> None:
    """Raise for a cell that belongs to a modifier."""
    if cell._modified:
        raise ArgumentError(
            f"{whose(cell)} belongs to a modifier, such as a ZoneoutCell, that was made of it;"
            " call the modifier instead"
        )


def made(func: Callable[..., Any], settings: dict[str, Any]) -> Any:
    """A state that `func` makes, without the hints that it does not take."""
    try:
        parameters = inspect.signature(func).parameters
    except (TypeError, ValueError):
        return func(**settings)
    if any(one.kind is one.VAR_KEYWORD for one in parameters.values()):
        return func(**settings)
    hints = {"name", "__layout__"} - set(parameters)
    return func(**{key: value for key, value in settings.items() if key not in hints})
