"""`SymbolBlock`: a block made of a symbol."""

from __future__ import annotations

from typing import Any

from .._core.arrays.context import Context, standing_on
from .._core.errors import ArgumentError, DTypeError
from ..nd import NDArray
from ..parameter import DeferredInitializationError
from ..symbol import Group, Symbol, var
from ..symbol import load as load_symbol
from ..symbol.naming import by_name
from ..symbol.program import Program
from .base import whose
from .hybrid import HybridBlock, context_of
from .naming import NameScope
from .symbolic import (
    common_prefix,
    exported,
    flat,
    has_symbols,
    infer_from,
    parameters_of,
    variables_of,
    written_as_onnx,
)


class SymbolBlock(HybridBlock):
    """A block made from a symbol.

    Its parameters are the variables of the symbol that are not inputs, with the same names.

    Parameters
    ----------
    outputs : Symbol or list of Symbol
    inputs : Symbol or list of Symbol
        Variables.
    params : ParameterDict, optional
        Parameters to share with another block.

    Raises
    ------
    ArgumentError, DTypeError
        If an input is not a variable.

    Examples
    --------
    >>> from gluon import SymbolBlock, nd, sym
    >>> x = sym.var("data")
    >>> net = SymbolBlock(sym.FullyConnected(x, num_hidden=2, name="fc"), x)
    >>> net.initialize("ones")
    >>> net(nd.array([[1, 2, 3]])).asnumpy()
    array([[7., 7.]], dtype=float32)
    >>> list(net.collect_params())
    ['fc_weight', 'fc_bias']
    """

    def __init__(self, outputs: Any, inputs: Any, params: Any = None) -> None:
        super().__init__()
        found = list(flat([outputs]))
        if not found or not all(isinstance(one, Symbol) for one in found):
            raise DTypeError("SymbolBlock: outputs must be a Symbol, or a list of them")
        self._symbol = found[0] if len(found) == 1 else Group(found)
        self._program = Program(self._symbol._heads)
        self._inputs = variables_of(inputs)
        known = self._symbol.list_inputs()
        if self._inputs and not set(known).intersection(self._inputs):
            raise ArgumentError(
                f"SymbolBlock: the symbol has no input {self._inputs[0]!r}; it has"
                f" {', '.join(known) or 'none'}"
            )
        own = parameters_of(self._symbol, self._inputs, params)
        self._scope = NameScope("", own, silent=True)
        start = len(common_prefix(list(own)))
        for name, one in own.items():
            self._register_parameter(one, name[start:])

    @staticmethod
    def imports(
        symbol_file: str,
        input_names: Any,
        param_file: str | None = None,
        ctx: Any = None,
        allow_missing: bool = False,
        ignore_extra: bool = False,
    ) -> SymbolBlock:
        """Load what `HybridBlock.export`, `model.save_checkpoint` or MXNet saved.

        Parameters
        ----------
        symbol_file : str
            A file that ends in ``-symbol.json``.
        input_names : str or list of str
            The variables that are not parameters, such as ``'data'``.
        param_file : str, optional
            A file that ends in ``.params``. Without one, call `initialize`.
        ctx : Context or list of Context, default cpu()
        allow_missing, ignore_extra : bool, default False
            Whether parameters may be missing in the file, or the file may have others.

        Returns
        -------
        SymbolBlock

        Raises
        ------
        ArgumentError
            If the files do not contain a network and its parameters.
        MissingFileError
            If the file does not exist.

        Examples
        --------
        >>> import tempfile
        >>> from gluon import SymbolBlock, nd, nn
        >>> net = nn.Dense(2)
        >>> net.initialize("ones")
        >>> net.hybridize()
        >>> net(nd.array([[1, 2, 3]])).asnumpy()
        array([[6., 6.]], dtype=float32)
        >>> files = net.export(f"{tempfile.mkdtemp()}/net")
        >>> SymbolBlock.imports(files[0], "data", files[1])(nd.array([[1, 2, 3]])).asnumpy()
        array([[6., 6.]], dtype=float32)
        """
        names = [input_names] if isinstance(input_names, str) else list(input_names)
        made = SymbolBlock(load_symbol(symbol_file), [var(name) for name in names])
        if param_file is not None:
            made.collect_params().load(
                param_file,
                ctx,
                allow_missing,
                ignore_extra,
                cast_dtype=True,
                dtype_source="saved",
            )
        return made

    def forward(self, x: Any, *args: Any) -> Any:
        """The outputs of the symbol: one, or a list."""
        given = list(flat([x, *args]))
        if len(given) != len(self._inputs):
            raise ArgumentError(f"{whose(self)} takes {self._inputs}, not {len(given)} arrays")
        values = by_name(whose(self), self._inputs, given)
        if has_symbols(values.values()):
            found = list(self._symbol(**values))
        else:
            ctx = context_of(self, (x, *args))
            try:
                params = {name: one.data(ctx) for name, one in self._scope.params.items()}
            except DeferredInitializationError:
                self.infer_shape(x, *args)
                for one in self._scope.params.values():
                    one._finish_deferred_init()
                params = {name: one.data(ctx) for name, one in self._scope.params.items()}
            values |= params
            with standing_on(ctx):  # for operators without inputs
                found = self._program.run([values[name] for name in self._program.inputs])
        return found[0] if len(found) == 1 else found

    def infer_shape(self, *args: Any) -> None:
        """Infer the unknown shapes of all parameters from inputs; see `HybridBlock.infer_shape`."""
        if has_symbols(args):
            infer_from(self, args)
            return
        shapes = {name: one.shape for name, one in zip(self._inputs, flat(args))}
        arg_shapes, _, aux_shapes = self._symbol.infer_shape(**shapes)
        params = self._scope.params
        for names, found in (
            (self._symbol.list_arguments(), arg_shapes),
            (self._symbol.list_auxiliary_states(), aux_shapes),
        ):
            for name, shape in zip(names, found or ()):
                if name in params:
                    params[name].shape = tuple(shape)

    def reset_ctx(self, ctx: Context | list[Context]) -> None:
        """Move all parameters to other contexts.

        Parameters
        ----------
        ctx : Context or list of Context

        Raises
        ------
        ArgumentError
            If a parameter has never been initialized.

        Examples
        --------
        >>> from gluon import SymbolBlock, cpu, sym
        >>> x = sym.var("data")
        >>> net = SymbolBlock(sym.FullyConnected(x, num_hidden=2, name="fc"), x)
        >>> net.infer_shape(sym.var("data", shape=(1, 3)))
        >>> net.initialize()
        >>> net.reset_ctx(cpu(1))
        >>> net.collect_params().list_ctx()
        [cpu(1)]
        """
        self.collect_params().reset_ctx(ctx)

    def export(self, path: str, epoch: int = 0, remove_amp_cast: bool = True) -> tuple[str, str]:
        """Save the network again; see `HybridBlock.export`."""
        return exported(self, path, epoch, remove_amp_cast, self._symbol)

    def export_onnx(self, path: str, *args: NDArray, **options: Any) -> str:
        """Save the network as an ONNX file; see `HybridBlock.export_onnx`."""
        own = (self._symbol, self._inputs)
        return written_as_onnx(self, path, args, options, own=own)
