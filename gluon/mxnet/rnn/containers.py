"""Cells made of cells: one after the other, in both directions, with dropout or shortcuts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ... import symbol as sym
from ..._core.errors import ArgumentError, GluonError
from ...symbol import Symbol
from .base import Arrays, BaseRNNCell, RNNParams
from .sequences import _normalize_sequence


class _Several(BaseRNNCell):
    """A cell made of others, whose states are theirs."""

    _cells: list[BaseRNNCell]
    _shares: bool

    def _take(self, cell: BaseRNNCell) -> None:
        if self._shares:
            if not cell._own_params:
                raise ArgumentError("give params to the outer cell, or to the inner ones, not both")
            cell.params._params.update(self.params._params)
        self.params._params.update(cell.params._params)

    @property
    def state_info(self) -> list[dict[str, Any]]:
        """Those of all cells."""
        return [one for cell in self._cells for one in cell.state_info]

    def begin_state(self, func: Callable[..., Any] = sym.zeros, **kwargs: Any) -> list[Symbol]:
        """Those of all cells."""
        if self._modified:
            raise GluonError(f"{type(self).__name__}.begin_state: call that of the outer cell")
        return [one for cell in self._cells for one in cell.begin_state(func, **kwargs)]

    def unpack_weights(self, args: Arrays) -> Arrays:
        """The same parameters, with an array for each gate of each cell."""
        for cell in self._cells:
            args = cell.unpack_weights(args)
        return args

    def pack_weights(self, args: Arrays) -> Arrays:
        """The same parameters, as the cells take them."""
        for cell in self._cells:
            args = cell.pack_weights(args)
        return args


class SequentialRNNCell(_Several):
    """A stack of cells."""

    def __init__(self, params: RNNParams | None = None) -> None:
        super().__init__("", params)
        self._shares, self._cells = params is not None, []

    def add(self, cell: BaseRNNCell) -> None:
        """Append a cell."""
        self._cells.append(cell)
        self._take(cell)

    def __call__(self, inputs: Symbol, states: list[Symbol]) -> tuple[Symbol, list[Symbol]]:
        """The output of the last cell, and the states of all."""
        self._counter += 1
        after: list[Symbol] = []
        rest = iter(states)
        for cell in self._cells:
            if isinstance(cell, BidirectionalCell):
                raise GluonError("a BidirectionalCell has no single steps; call unroll")
            inputs, states = cell(inputs, [next(rest) for _ in cell.state_info])
            after += states
        return inputs, after

    def unroll(
        self,
        length: int,
        inputs: Any,
        begin_state: list[Symbol] | None = None,
        layout: str = "NTC",
        merge_outputs: bool | None = None,
    ) -> tuple[Any, list[Symbol]]:
        """The outputs of the last cell, and the last states of all."""
        self.reset()
        rest = iter(self.begin_state() if begin_state is None else begin_state)
        after: list[Symbol] = []
        for cell in self._cells:
            merge = merge_outputs if cell is self._cells[-1] else None
            begin = [next(rest) for _ in cell.state_info]
            inputs, states = cell.unroll(length, inputs, begin, layout, merge)
            after += states
        return inputs, after


class BidirectionalCell(_Several):
    """Two cells, of which the second takes the steps from the last to the first."""

    def __init__(
        self,
        l_cell: BaseRNNCell,
        r_cell: BaseRNNCell,
        params: RNNParams | None = None,
        output_prefix: str = "bi_",
    ) -> None:
        super().__init__("", params)
        self._output_prefix, self._shares = output_prefix, params is not None
        self._cells = [l_cell, r_cell]
        for cell in self._cells:
            self._take(cell)

    def __call__(self, inputs: Symbol, states: list[Symbol]) -> tuple[Symbol, list[Symbol]]:
        """Raise: there are no single steps."""
        raise GluonError("a BidirectionalCell has no single steps; call unroll")

    def unroll(
        self,
        length: int,
        inputs: Any,
        begin_state: list[Symbol] | None = None,
        layout: str = "NTC",
        merge_outputs: bool | None = None,
    ) -> tuple[Any, list[Any]]:
        """The outputs of both cells side by side, and two lists: the last states of each."""
        self.reset()
        steps, axis = _normalize_sequence(length, inputs, layout, False)
        begin = self.begin_state() if begin_state is None else begin_state
        first, second = self._cells
        count = len(first.state_info)
        left, states = first.unroll(length, steps, begin[:count], layout, merge_outputs)
        back, states_back = second.unroll(length, steps[::-1], begin[count:], layout, merge_outputs)
        if merge_outputs is None:
            merge_outputs = isinstance(left, Symbol) and isinstance(back, Symbol)
        left, right = (
            _normalize_sequence(length, one, layout, merge_outputs)[0] for one in (left, back)
        )
        name = self._output_prefix
        outputs: Any
        if merge_outputs:
            right = sym.reverse(right, axis=axis)
            outputs = sym.Concat(left, right, dim=2, name=f"{name}out")
        else:
            outputs = [
                sym.Concat(one, other, dim=1, name=f"{name}t{k}")
                for k, (one, other) in enumerate(zip(left, right[::-1]))
            ]
        return outputs, [states, states_back]


class DropoutCell(BaseRNNCell):
    """Drops inputs while training."""

    def __init__(
        self, dropout: float, prefix: str = "dropout_", params: RNNParams | None = None
    ) -> None:
        super().__init__(prefix, params)
        self.dropout = dropout

    @property
    def state_info(self) -> list[dict[str, Any]]:
        """None."""
        return []

    def __call__(self, inputs: Symbol, states: list[Symbol]) -> tuple[Symbol, list[Symbol]]:
        """The inputs, some of them zero."""
        return sym.Dropout(data=inputs, p=self.dropout) if self.dropout > 0 else inputs, states

    def unroll(
        self,
        length: int,
        inputs: Any,
        begin_state: list[Symbol] | None = None,
        layout: str = "NTC",
        merge_outputs: bool | None = None,
    ) -> tuple[Any, list[Symbol]]:
        """The inputs, some of them zero, as one symbol if they are one."""
        self.reset()
        given, _ = _normalize_sequence(length, inputs, layout, merge_outputs)
        if isinstance(given, Symbol):
            return self(given, [])
        return super().unroll(length, given, begin_state, layout, merge_outputs)


class ModifierCell(BaseRNNCell):
    """Base of cells that change the result of another cell."""

    def __init__(self, base_cell: BaseRNNCell) -> None:
        self.base_cell = base_cell
        base_cell._modified = True
        super().__init__()

    def reset(self) -> None:
        """Restart the numbers of steps at 0."""
        super().reset()
        self.base_cell.reset()

    @property
    def params(self) -> RNNParams:
        """The variables of the cell inside."""
        self._own_params = False
        return self.base_cell.params

    @property
    def state_info(self) -> list[dict[str, Any]]:
        """Those of the cell inside."""
        return self.base_cell.state_info

    def begin_state(self, func: Callable[..., Any] = sym.zeros, **kwargs: Any) -> list[Symbol]:
        """Those of the cell inside."""
        if self._modified:
            raise GluonError(f"{type(self).__name__}.begin_state: call that of the outer cell")
        self.base_cell._modified = False
        try:
            return self.base_cell.begin_state(func, **kwargs)
        finally:
            self.base_cell._modified = True

    def unpack_weights(self, args: Arrays) -> Arrays:
        """Those of the cell inside."""
        return self.base_cell.unpack_weights(args)

    def pack_weights(self, args: Arrays) -> Arrays:
        """Those of the cell inside."""
        return self.base_cell.pack_weights(args)


class ZoneoutCell(ModifierCell):
    """Keeps previous outputs and states at random positions while training."""

    def __init__(
        self, base_cell: BaseRNNCell, zoneout_outputs: float = 0.0, zoneout_states: float = 0.0
    ) -> None:
        if hasattr(base_cell, "unfuse"):
            raise ArgumentError("ZoneoutCell takes cells with single steps; unfuse() this one")
        super().__init__(base_cell)
        self.zoneout_outputs, self.zoneout_states = zoneout_outputs, zoneout_states

    def reset(self) -> None:
        """Restart the numbers of steps at 0."""
        super().reset()
        self.prev_output: Symbol | None = None

    def __call__(self, inputs: Symbol, states: list[Symbol]) -> tuple[Symbol, list[Symbol]]:
        """The output and the states of the cell inside, or those before."""

        def kept(p: float, new: Symbol, old: Symbol) -> Symbol:
            if p == 0:
                return new
            return sym.where(sym.Dropout(sym.ones_like(new), p=p), new, old)

        output, after = self.base_cell(inputs, states)
        before = self.prev_output if self.prev_output is not None else sym.zeros_like(output)
        output = kept(self.zoneout_outputs, output, before)
        self.prev_output = output
        return output, [kept(self.zoneout_states, *pair) for pair in zip(after, states)]


class ResidualCell(ModifierCell):
    """Adds the inputs to the outputs."""

    def __call__(self, inputs: Symbol, states: list[Symbol]) -> tuple[Symbol, list[Symbol]]:
        """The sum, and the states of the cell inside."""
        output, states = self.base_cell(inputs, states)
        return self._sum(output, inputs), states

    @staticmethod
    def _sum(output: Symbol, inputs: Symbol) -> Symbol:
        return sym.elemwise_add(output, inputs, name=f"{output.name}_plus_residual")

    def unroll(
        self,
        length: int,
        inputs: Any,
        begin_state: list[Symbol] | None = None,
        layout: str = "NTC",
        merge_outputs: bool | None = None,
    ) -> tuple[Any, list[Symbol]]:
        """The sums, and the states of the cell inside."""
        self.reset()
        begin = self.begin_state() if begin_state is None else begin_state
        outputs, states = self.base_cell.unroll(length, inputs, begin, layout, merge_outputs)
        merge = isinstance(outputs, Symbol)
        given, _ = _normalize_sequence(length, inputs, layout, merge)
        if merge:
            return self._sum(outputs, given), states
        return [self._sum(*pair) for pair in zip(outputs, given)], states
