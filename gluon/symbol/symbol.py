"""`Symbol`: outputs of a graph of calls, to be composed, inferred, bound and saved."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from numbers import Integral
from typing import TYPE_CHECKING, Any, TypeVar

from .._core.engine.array import Array
from .._core.errors import ArgumentError, DTypeError, GluonError
from .._core.faces.files import opened
from .._core.scopes import scope
from .executor import Executor, bind, simple_bind
from .files import from_json, to_json
from .infer import infer_dtypes, infer_shapes, shape_from
from .methods import Methods
from .naming import HIDDEN, by_name
from .node import Entry, GraphNode, ordered, variables
from .notebook import graph_html
from .program import evaluated

if TYPE_CHECKING:
    from .np_symbol import NpSymbol

One = TypeVar("One", bound="Symbol")


class Symbol(Methods):
    """One or several outputs of a graph whose nodes are calls of operators.

    Parameters
    ----------
    heads : sequence of Entry
        The outputs.
    """

    __slots__ = ("_heads",)
    #: The class of symbols with NumPy's interface.
    _numpy: type[NpSymbol]

    def __init__(self, heads: Iterable[Entry]) -> None:
        self._heads = list(heads)

    # ------------------------------------------------------------------ what there is

    @property
    def name(self) -> str | None:
        """The name of the symbol; None if it has several outputs of different nodes."""
        nodes = {head.node for head in self._heads}
        return nodes.pop().name if len(nodes) == 1 else None

    @property
    def _order(self) -> list[GraphNode]:
        return ordered(self._heads)

    def list_arguments(self) -> list[str]:
        """The names of the variables that are not auxiliary states, in the order of use."""
        return [node.name for node in variables(self._order)[0]]

    def list_auxiliary_states(self) -> list[str]:
        """The names of the states that operators update in training, such as running averages."""
        return [node.name for node in variables(self._order)[1]]

    def list_inputs(self) -> list[str]:
        """The names of all variables."""
        return [node.name for node in self._order if node.op is None]

    def list_outputs(self) -> list[str]:
        """The names of the outputs."""
        return [node.output_name(index) for node, index in self._heads]

    @property
    def num_outputs(self) -> int:
        """The number of outputs."""
        return len(self._heads)

    def argument_shapes(self) -> dict[str, tuple[int, ...] | None]:
        """The declared shapes of variables, by name; None for the others."""
        given = {node.name: node.attrs.get("__shape__") for node in self._order if not node.op}
        return {k: None if text is None else shape_from(k, text) for k, text in given.items()}

    def get_internals(self) -> Symbol:
        """Every output of every node, as one symbol."""
        return Symbol(Entry(node, k) for node in self._order for k in range(len(node.outputs)))

    def get_inputs(self) -> Symbol:
        """The variables, as one symbol."""
        return Symbol(Entry(node, 0) for node in self._order if node.op is None)

    def get_children(self) -> Symbol | None:
        """The inputs of the nodes of the outputs, as one symbol; None for variables."""
        nodes = dict.fromkeys(head.node for head in self._heads)
        found = [entry for node in nodes for entry in node.inputs]
        return Symbol(found) if found else None

    def __len__(self) -> int:
        return len(self._heads)

    def __iter__(self: One) -> Iterator[One]:
        return (type(self)([head]) for head in self._heads)

    def __getitem__(self: One, key: Any) -> One:
        """Return an output by number or name, or several by a slice.

        Raises
        ------
        ArgumentError
            If no output has that name, or several have.
        IndexRangeError
            If there are fewer.
        """
        if isinstance(key, str):
            names = self.list_outputs()
            found = [k for k, name in enumerate(names) if name == key]
            if len(found) != 1:
                what = f"{len(found)} outputs" if found else "no output"
                raise ArgumentError(f"Symbol: {what} {key!r}; there are {_few(names)}")
            key = found[0]
        if isinstance(key, slice):
            return type(self)(self._heads[key])
        if not isinstance(key, Integral):
            raise DTypeError(f"Symbol: an output is found by number or name, not {key!r}")
        key = int(key)
        if not -len(self._heads) <= key < len(self._heads):
            raise IndexError(f"Symbol: no output {key}; there are {len(self._heads)}")
        return type(self)([self._heads[key]])

    def __repr__(self) -> str:
        if self.name is None:
            return f"<Symbol group [{', '.join(str(head.node.name) for head in self._heads)}]>"
        return f"<Symbol {self.name}>"

    def _repr_html_(self) -> str:
        return graph_html(self._heads)

    def __bool__(self) -> bool:
        raise ArgumentError(
            "the truth value of a Symbol is undefined; use symbol.contrib.cond or where"
        )

    def __copy__(self) -> Symbol:
        return self.__deepcopy__()

    def __deepcopy__(self, memo: Any = None) -> Symbol:
        """Return a symbol with copied nodes."""
        twins: dict[GraphNode, GraphNode] = {}
        for node in self._order:
            inputs = [Entry(twins[source], k) for source, k in node.inputs]
            twins[node] = GraphNode(node.op, node.name, dict(node.attrs), inputs)
        return type(self)(Entry(twins[node], k) for node, k in self._heads)

    def __getstate__(self) -> dict[str, str]:
        return {"json": self.tojson()}

    def __setstate__(self, state: dict[str, str]) -> None:
        self._heads = from_json(state["json"])

    # ------------------------------------------------------------------ composing

    def __call__(self, *args: Any, name: str | None = None, **kwargs: Any) -> Symbol:
        """Compose: return the same graph with other symbols in place of its variables.

        Parameters
        ----------
        *args : Symbol
            Symbols for the variables in the order of `list_inputs`.
        name : str, optional
            The name of the new output node.
        **kwargs : Symbol
            Symbols for variables, by name.
        """
        twin = like(self.__deepcopy__()._heads, self, *args, *kwargs.values())
        twin._compose(*args, name=name, **kwargs)
        return twin

    def _compose(self, *args: Any, name: str | None = None, **kwargs: Any) -> None:
        if args and kwargs:
            raise DTypeError("compose: give symbols by place or by name, not both")
        free = [node for node in self._order if node.op is None]
        if len(args) > len(free):
            raise ArgumentError(f"compose: {len(args)} symbols for {len(free)} variables")
        found = {**by_name("compose", [node.name for node in free], args), **kwargs}
        unknown = found.keys() - {node.name for node in free}
        if unknown:
            names = _few([node.name for node in free])
            raise ArgumentError(f"compose: no variable {unknown.pop()!r}; there are {names}")
        put = {node: _head(node.name, found[node.name]) for node in free if node.name in found}
        for node in self._order:
            node.inputs = [put.get(entry.node, entry) for entry in node.inputs]
        self._heads = [put.get(head.node, head) for head in self._heads]
        if name and len(self._heads) == 1:
            self._heads[0].node.name = name

    # ------------------------------------------------------------------ attributes

    def attr(self, key: str) -> str | None:
        """An attribute of the symbol; None if it does not have it."""
        attrs = self._one("attr").attrs
        return attrs.get(key, attrs.get(f"__{key}__"))

    def list_attr(self, recursive: bool = False) -> dict[str, str]:
        """The attributes of the symbol.

        Parameters
        ----------
        recursive : bool, default False
            Unsupported; see `attr_dict`.
        """
        if recursive:
            raise DTypeError("list_attr: recursive=True is gone; use attr_dict()")
        return _shown(self._heads[0].node.attrs)

    def attr_dict(self) -> dict[str, dict[str, str]]:
        """The attributes of all nodes with attributes, by node name."""
        return {node.name: _shown(node.attrs) for node in self._order if node.attrs}

    def _set_attr(self, **attrs: str) -> None:
        for key, value in attrs.items():
            if not isinstance(value, str):
                raise ArgumentError(f"set_attr: {key} is a {type(value).__name__}, not a str")
        node = self._one("set_attr")
        node.attrs.update(attrs)
        node._values = None

    def _one(self, what: str) -> GraphNode:
        nodes = {head.node for head in self._heads}
        if len(nodes) != 1:
            raise ArgumentError(f"{what}: this symbol groups {len(nodes)}; take one of them")
        return nodes.pop()

    # ------------------------------------------------------------------ inference

    def infer_shape(self, *args: Any, **kwargs: Any) -> tuple[Any, Any, Any]:
        """Infer the shapes of arguments, outputs and auxiliary states from known shapes.

        Parameters
        ----------
        *args : tuple of int or None
            Known shapes of the arguments in the order of `list_arguments`.
        **kwargs : tuple of int
            Known shapes by name. A length of 0 is unknown; under ``np_shape``, a length of -1.

        Returns
        -------
        tuple of three lists of tuple of int
            Or of three None, if something cannot be inferred.

        Raises
        ------
        ArgumentError
            If shapes contradict each other.
        """
        return infer_shapes(self, args, kwargs, partial=False)

    def infer_shape_partial(self, *args: Any, **kwargs: Any) -> tuple[Any, Any, Any]:
        """Infer shapes as `infer_shape` does, and leave out those that cannot be inferred."""
        return infer_shapes(self, args, kwargs, partial=True)

    def infer_type(self, *args: Any, **kwargs: Any) -> tuple[Any, Any, Any]:
        """Infer the dtypes of arguments, outputs and auxiliary states from known dtypes.

        Parameters
        ----------
        *args : dtype or None
            Known dtypes of the arguments in the order of `list_arguments`.
        **kwargs : dtype
            Known dtypes by name.

        Returns
        -------
        tuple of three lists of type
            Or of three None, if something cannot be inferred.
        """
        return infer_dtypes(self, args, kwargs, partial=False)

    def infer_type_partial(self, *args: Any, **kwargs: Any) -> tuple[Any, Any, Any]:
        """As `infer_type`, with None for unknown dtypes."""
        return infer_dtypes(self, args, kwargs, partial=True)

    # ------------------------------------------------------------------ files

    def tojson(self, remove_amp_cast: bool = True) -> str:
        """The graph as JSON, in the format of MXNet's symbol files.

        Parameters
        ----------
        remove_amp_cast : bool, default True
            Omit the casts of automatic mixed precision.
        """
        return to_json(self._heads, remove_amp_cast)

    def save(self, fname: str, remove_amp_cast: bool = True) -> None:
        """Save the symbol to a file, as the JSON of `tojson`.

        Parameters
        ----------
        fname : str or os.PathLike
        remove_amp_cast : bool, default True
        """
        with opened("save", fname, "w", "utf-8") as file:
            file.write(self.tojson(remove_amp_cast))

    def debug_str(self) -> str:
        """The outputs, variables and calls as text, in the format of MXNet."""
        lines = ["Symbol Outputs:"]
        lines += [
            f"\toutput[{k}]={node.name}({index})" for k, (node, index) in enumerate(self._heads)
        ]
        for node in self._order:
            if node.op is None:
                lines.append(f"Variable:{node.name}")
                continue
            lines += ["--------------------", f"Op:{node.op.name}, Name={node.name}", "Inputs:"]
            lines += [
                f"\targ[{k}]={source.name}({index}) version=0"
                for k, (source, index) in enumerate(node.inputs)
            ]
            if node.attrs:
                lines.append("Attrs:")
                lines += [f"\t{key}={value}" for key, value in sorted(node.attrs.items())]
        return "\n".join(lines) + "\n"

    # ------------------------------------------------------------------ what MXNet has besides

    @property
    def handle(self) -> Symbol:
        """The symbol itself: it has no handle of a C library."""
        return self

    def as_np_ndarray(self) -> NpSymbol:
        """The same outputs with the operators and methods of NumPy's arrays."""
        return self._numpy(self._heads)

    def as_nd_ndarray(self) -> Symbol:
        """The symbol; see `as_np_ndarray`."""
        return self

    def get_backend_symbol(self, backend: str) -> Symbol:
        """Return the symbol itself: no backend changes it."""
        return self

    def optimize_for(self, backend: str, *args: Any, **kwargs: Any) -> Symbol:
        """Return the symbol itself: no backend changes it."""
        return self

    def gradient(self, wrt: Any) -> Any:
        """Raise an error, as in MXNet: bind the symbol and call `Executor.backward`."""
        raise GluonError("gradient: bind the symbol, and call backward() of its executor")

    # ------------------------------------------------------------------ computing

    def bind(
        self,
        ctx: Any,
        args: Any,
        args_grad: Any = None,
        grad_req: Any = "write",
        aux_states: Any = None,
        group2ctx: Any = None,
        shared_exec: Any = None,
    ) -> Executor:
        """Bind the symbol to given arrays.

        Parameters
        ----------
        ctx : Context
        args : list or dict of NDArray
            Arrays for the names in `list_arguments`.
        args_grad : list or dict of NDArray, optional
            Arrays to store the gradients in; arguments without one get no gradient.
        grad_req : {'write', 'add', 'null'}, or a list or dict of them
        aux_states : list or dict of NDArray, optional
            Arrays for the names in `list_auxiliary_states`.
        group2ctx : dict of str to Context, optional
            The contexts of the outputs of operators with an attribute ``ctx_group``.
        shared_exec
            Ignored.

        Returns
        -------
        Executor

        Raises
        ------
        ArgumentError
            If an array is missing, or `grad_req` is not one of the three.
        """
        return bind(self, ctx, args, args_grad, grad_req, aux_states, group2ctx)

    def simple_bind(
        self,
        ctx: Any = None,
        grad_req: Any = "write",
        type_dict: Any = None,
        stype_dict: Any = None,
        group2ctx: Any = None,
        shared_arg_names: Any = None,
        shared_exec: Any = None,
        shared_buffer: Any = None,
        **kwargs: Any,
    ) -> Executor:
        """Bind the symbol to new arrays of zeros with inferred shapes, dtypes and storage types.

        Of a weight that sparse products and embeddings use, the gradient is row_sparse.

        Parameters
        ----------
        ctx : Context, optional
        grad_req : {'write', 'add', 'null'}, or a list or dict of them
        type_dict : dict of str to dtype, optional
            Dtypes that cannot be inferred from others.
        stype_dict : dict of str to {'default', 'row_sparse', 'csr'}, optional
            The storage types of arguments, instead of those that `var` gave them.
        group2ctx : dict of str to Context, optional
            The contexts of variables and operators with an attribute ``ctx_group``.
        shared_arg_names : list of str, optional
            The parameters to share with `shared_exec`; other arguments are shared with
            `shared_buffer`.
        shared_exec : Executor, optional
            An executor whose arrays with the same names and shapes to reuse.
        shared_buffer : dict of str to NDArray, optional
            Arrays to reuse; new arrays are added to it.
        **kwargs : tuple of int
            The shapes of arguments.

        Returns
        -------
        Executor

        Raises
        ------
        ArgumentError
            If a shape cannot be inferred from those that are given.
        """
        return simple_bind(
            self,
            ctx,
            grad_req,
            type_dict,
            shared_arg_names,
            shared_exec,
            shared_buffer,
            kwargs,
            group2ctx,
            stype_dict,
        )

    def eval(self, ctx: Any = None, **kwargs: Array) -> list[Any]:
        """Compute the outputs from arguments; nothing is recorded.

        Parameters
        ----------
        ctx : Context, optional
            Ignored: results are on the context of the arguments.
        **kwargs : NDArray
            One for each name in `list_inputs`.

        Returns
        -------
        list of NDArray
            One for each output.

        Raises
        ------
        ArgumentError
            If an argument is missing or unknown.
        DTypeError
            If an argument is not an array.
        """
        with scope(lambda now, entry: now.paused(entry=entry)):
            return self._compute(**kwargs)

    def _compute(self, **arrays: Array) -> list[Any]:
        """Compute like `eval`, recorded if a tape records."""
        return evaluated(self._heads, arrays)


def _few(names: list[str]) -> str:
    """Format names in a message, but not thousands of them."""
    return ", ".join(names[:20]) + (", ..." if len(names) > 20 else "")


def _shown(attrs: dict[str, str]) -> dict[str, str]:
    """Return attributes with MXNet's hidden ones under both of their names."""
    plain = {key: attrs[f"__{key}__"] for key in HIDDEN if f"__{key}__" in attrs}
    return {**attrs, **plain}


def _head(name: str, symbol: Any) -> Entry:
    """Return the single output of a symbol that is used as an input."""
    if not isinstance(symbol, Symbol):
        raise DTypeError(
            f"compose: {name} is a {type(symbol).__name__}; give a Symbol, such as symbol.var(...)"
        )
    if len(symbol._heads) != 1:
        raise ArgumentError(
            f"compose: {name} has {len(symbol._heads)} outputs; take one of them, such as x[0]"
        )
    return symbol._heads[0]


def like(heads: Iterable[Entry], *given: Any) -> Symbol:
    """A symbol of the class of those in `given`, which may be lists of symbols."""
    for one in given:
        part = one[0] if isinstance(one, (list, tuple)) and one else one
        if isinstance(part, Symbol) and type(part) is not Symbol:
            return type(part)(heads)
    return Symbol(heads)


def Group(symbols: Iterable[Symbol]) -> Symbol:
    """Group the outputs of several symbols into one symbol.

    Parameters
    ----------
    symbols : sequence of Symbol

    Returns
    -------
    Symbol
    """
    symbols = list(symbols)
    if not symbols or any(not isinstance(one, Symbol) for one in symbols):
        raise DTypeError("Group: give a sequence of symbols")
    return like([head for one in symbols for head in one._heads], symbols)
