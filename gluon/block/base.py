"""`Block`: a layer or network with named parameters and children."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Collection, Iterator, Sequence
from inspect import signature
from typing import TYPE_CHECKING, Any, overload

from .._core.arrays.base import A
from .._core.changes import Counted, change
from .._core.engine.array import Array
from .._core.errors import KINDS, ArgumentError, DTypeError, GluonError, a_type, warn_caller
from .._core.hints.called import Hinted
from .._core.hints.lookup import as_stated, compiled, hinted, refuse
from .._core.hints.synonyms import BLOCK, MODES
from .._core.instruments.base import OBSERVED
from ..nd.files import save as save_arrays
from ..parameter import Parameter, ParameterDict
from ..parameter.collection import fill, read
from ..parameter.parameter import Contexts
from ..utils import HookHandle
from .files import in_order, paired, to_save
from .naming import NameScope, named
from .notebook import block_html
from .shapes import inferring
from .summary import summarize
from .watch import arrays

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .._core.hints.lookup import Nothing
    from ..initializer.base import InitLike

#: Errors caused by inputs; they are raised again with the name of the block.
BAD_INPUT: tuple[type[GluonError], ...] = tuple(KINDS.values())


class Block(Hinted):
    """Base class of all layers and networks.

    Blocks and parameters that are assigned as attributes belong to the block. Subclasses define
    `forward`.

    Parameters
    ----------
    prefix : str, optional
        The start of the names of its parameters; by default the name of the class in lower
        case and a number. Blocks created inside ``with self.name_scope():`` are named after it.
    params : ParameterDict, optional
        Parameters to share with another block, as in ``params=other.params``.

    Raises
    ------
    GluonError
        From a call, if a parameter has not been initialized.
    NotImplementedError
        From a call, if the subclass has no `forward`.

    Examples
    --------
    >>> from gluon import Block, nd, nn
    >>> class Net(Block):
    ...     def __init__(self, **kwargs):
    ...         super().__init__(**kwargs)
    ...         with self.name_scope():
    ...             self.hidden = nn.Dense(4, in_units=3)
    ...             self.out = nn.Dense(2, in_units=4)
    ...     def forward(self, x):
    ...         return self.out(nd.relu(self.hidden(x)))
    >>> net = Net(prefix="net_")
    >>> net.initialize()
    >>> net(nd.ones((5, 3))).shape
    (5, 2)
    >>> list(net.collect_params())
    ['net_dense0_weight', 'net_dense0_bias', 'net_dense1_weight', 'net_dense1_bias']
    """

    _elsewhere = BLOCK
    #: Whether `summary` has a row for it; containers have none.
    _in_summary = True
    #: What calls `forward`, if not None; see `HybridBlock.hybridize`.
    _programs: Any = None
    #: How often it was changed; see `_core.changes`.
    _changes = 0
    #: The attributes on which no value depends.
    _uncounted: Collection[str] = ("_called_with",)

    def __init__(
        self,
        prefix: str | None = None,
        params: ParameterDict | None = None,
        **_: Unpack[Nothing],
    ) -> None:
        refuse(type(self), _)
        self._children: dict[str, Block] = Counted()
        self._reg_params: dict[str, Parameter] = {}
        self._forward_hooks: dict[int, Callable] = Counted()
        self._forward_pre_hooks: dict[int, Callable] = Counted()
        self._op_hooks: dict[int, Any] = Counted()
        self._scope = named(prefix, params, self._alias())

    def _alias(self) -> str:
        """Return the name of the block without its number."""
        return type(self).__name__.lower()

    def __repr__(self) -> str:
        inside = {key: one for key, one in self.__dict__.items() if isinstance(one, Block)}
        return described(self, inside)

    def _repr_html_(self) -> str:
        return block_html(self)

    def __setattr__(self, name: str, value: Any) -> None:
        before = self.__dict__.get(name)
        if isinstance(before, (Block, Parameter)) and not isinstance(value, type(before)):
            way_out = "Use another attribute"
            if isinstance(before, Parameter) and hasattr(value, "shape"):
                way_out = f"Use net.{name}.set_data(values) to write its values"
            raise DTypeError(
                f"{name!r} of {whose(self)} is {a_type(before)}; it cannot become"
                f" {a_type(value)}. {way_out}"
            )
        if isinstance(value, (Block, Parameter)):
            if "_children" not in self.__dict__:
                raise GluonError(
                    f"{type(self).__name__}: call super().__init__() before {name!r} is assigned"
                )
            if isinstance(value, Block):
                self.register_child(value, name)
            else:
                self._register_parameter(value, name)
        super().__setattr__(name, value)
        if name not in self._uncounted:
            change(self)

    def __delattr__(self, name: str) -> None:
        super().__delattr__(name)
        change(self)

    def _register_parameter(self, parameter: Parameter, name: str) -> None:
        if self._reg_params.setdefault(name, parameter) is not parameter:
            raise GluonError(
                f"{name!r} of {whose(self)} is {self._reg_params[name].whose} already; to share"
                " parameters between blocks, pass params= when the block is made"
            )
        parameter._layer = parameter._layer or whose(self)

    def _counted(self) -> list[Any]:
        """What a program of the layer takes as fixed, each with a number of its changes."""
        hooks = self._forward_hooks, self._forward_pre_hooks, self._op_hooks
        return [self, self._children, *hooks, *self._reg_params.values()]

    # ---------------------------------------------------------------- names and parameters

    @property
    def prefix(self) -> str:
        """The prefix of the names of the block's parameters."""
        return self._scope.prefix

    @property
    def name(self) -> str:
        """The prefix without its last underscore."""
        prefix = self._scope.prefix
        return prefix[:-1] if prefix.endswith("_") else prefix

    @property
    def params(self) -> ParameterDict:
        """The block's own parameters, without those of its children; see `collect_params`."""
        return self._scope.params

    def name_scope(self) -> NameScope:
        """Context manager: blocks created inside get the prefix of this one.

        Returns
        -------
        context manager
            Blocks and parameters created inside are named after this block.

        Examples
        --------
        >>> from gluon import nn
        >>> net = nn.Sequential(prefix="model_")
        >>> with net.name_scope():
        ...     net.add(nn.Dense(10))
        >>> net[0].name
        'model_dense0'

        >>> from gluon import Block, nn
        >>> class Net(Block):
        ...     def __init__(self, **kwargs):
        ...         super().__init__(**kwargs)
        ...         with self.name_scope():
        ...             self.out = nn.Dense(2)
        >>> Net(prefix="net_").out.name
        'net_dense0'
        """
        return self._scope

    def collect_params(self, select: str | None = None) -> ParameterDict:
        """The parameters of the block and of all blocks inside it.

        Parameters
        ----------
        select : str, optional
            A regular expression; only parameters whose name starts with a match.

        Returns
        -------
        ParameterDict

        Raises
        ------
        ArgumentError
            If `select` is not a regular expression.

        Examples
        --------
        >>> from gluon import nn
        >>> net = nn.Dense(2, prefix="fc_")
        >>> list(net.collect_params(".*weight|.*gamma"))
        ['fc_weight']
        """
        found = ParameterDict(self._scope.params.prefix)
        if not select:
            collect(self, found, None)
            return found
        pattern = compiled("collect_params", "select", select)
        collect(self, found, pattern.match)
        if not found and (others := [one for one in self.collect_params() if pattern.search(one)]):
            warn_caller(
                f"collect_params({select!r}) finds nothing: it must match from the start of a name,"
                f" such as {others[0]!r}; write {'.*' + select!r}"
            )
        return found

    @hinted
    def initialize(
        self,
        init: InitLike = None,
        ctx: Contexts = None,
        verbose: bool = False,
        force_reinit: bool = False,
    ) -> None:
        """Initialize all parameters; see `ParameterDict.initialize`.

        Parameters
        ----------
        init : str or Initializer, optional
            For parameters without their own initializer; ``Uniform(0.07)`` by default.
        ctx : Context or list of Context, optional
            Where to put replicas; the current context by default.
        verbose : bool, default False
            Log, at the level INFO, what is initialized and how.
        force_reinit : bool, default False
            Replace existing values.
        """
        self.collect_params().initialize(init, ctx, verbose, force_reinit)

    @hinted
    def cast(self, dtype: Any) -> None:
        """Change the dtype of all parameters that support it.

        Parameters
        ----------
        dtype : str or numpy type

        Examples
        --------
        >>> from gluon import nd, nn
        >>> layer = nn.Dense(2, in_units=3)
        >>> layer.initialize()
        >>> layer.cast("float64")
        >>> layer(nd.ones((1, 3), dtype="float64")).dtype
        <class 'numpy.float64'>
        """
        for child in self._children.values():
            child.cast(dtype)
        for one in self.params.values():
            one.cast(dtype)

    # -------------------------------------------------------------------------------- files

    def _collect_params_with_prefix(self, prefix: str = "") -> dict[str, Parameter]:
        """Return all parameters by attribute path, such as ``features.0.weight``.

        Subclasses may name theirs otherwise. `prefix` is the path of the block, without a dot.
        """
        start = f"{prefix}." if prefix else ""
        found = {start + name: one for name, one in self._reg_params.items()}
        for name, child in self._children.items():
            found.update(child._collect_params_with_prefix(start + name))
        return found

    @hinted
    def save_parameters(self, filename: str, deduplicate: bool = False) -> None:
        """Save the values of all parameters to a file that MXNet can read, or ``.safetensors``.

        Names are attribute paths, such as ``hidden.weight``, so that a network built by the same
        code can load the file.

        Parameters
        ----------
        filename : str
            A name that ends with ``.safetensors`` selects that format; see `nd.save`.
        deduplicate : bool, default False
            Save parameters that blocks share only once.

        Examples
        --------
        >>> import tempfile
        >>> from gluon import nd, nn
        >>> net = nn.Dense(2, in_units=3, weight_initializer="ones")
        >>> net.initialize()
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     net.save_parameters(f"{folder}/net.params")
        ...     sorted(nd.load(f"{folder}/net.params"))
        ['bias', 'weight']
        """
        save_arrays(filename, to_save(self, deduplicate))

    @hinted
    def load_parameters(
        self,
        filename: str,
        ctx: Contexts = None,
        allow_missing: bool = False,
        ignore_extra: bool = False,
        cast_dtype: bool = False,
        dtype_source: str = "current",
    ) -> None:
        """Load the values of parameters from a file of `save_parameters` or MXNet.

        Parameters
        ----------
        filename : str
            A name that ends with ``.safetensors`` is read in that format; see `nd.load`.
        ctx : Context or list of Context, optional
            Where to put parameters that are not initialized; ``cpu(0)`` by default.
        allow_missing, ignore_extra : bool, default False
            Whether parameters may be missing in the file, or the file may have others.
        cast_dtype : bool, default False
            Whether dtypes may differ.
        dtype_source : {'current', 'saved'}
            Which dtype to keep if they differ: that of the parameter, or that of the file.

        Raises
        ------
        ArgumentError
            If names, shapes or dtypes do not fit.

        Examples
        --------
        >>> import tempfile
        >>> from gluon import nn
        >>> net = nn.Dense(2, in_units=3, weight_initializer="ones")
        >>> other = nn.Dense(2, in_units=3)
        >>> net.initialize()
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     net.save_parameters(f"{folder}/net.params")
        ...     other.load_parameters(f"{folder}/net.params")
        >>> other.weight.data().asnumpy()
        array([[1., 1., 1.],
               [1., 1., 1.]], dtype=float32)
        """
        params, saved = paired(self, read(filename))
        fill(
            params,
            saved,
            filename,
            allow_missing,
            ignore_extra,
            (ctx, cast_dtype, dtype_source),
        )

    def save_params(self, filename: str) -> None:
        """The former `save_parameters`: names parameters in full, without the block's prefix.

        Parameters
        ----------
        filename : str

        Examples
        --------
        >>> import tempfile, warnings
        >>> from gluon import nd, nn
        >>> net = nn.Dense(2, in_units=3)
        >>> net.initialize()
        >>> with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        ...     warnings.simplefilter("ignore")  # the name is deprecated
        ...     net.save_params(f"{folder}/net.params")
        ...     sorted(nd.load(f"{folder}/net.params"))
        ['bias', 'weight']
        """
        warnings.warn("save_params is deprecated; use save_parameters", stacklevel=2)
        self.collect_params().save(filename, strip_prefix=self.prefix)

    def load_params(
        self,
        filename: str,
        ctx: Contexts = None,
        allow_missing: bool = False,
        ignore_extra: bool = False,
    ) -> None:
        """The former name of `load_parameters`.

        Parameters
        ----------
        filename : str
        ctx : Context or list of Context, optional
            Where to put parameters that are not initialized; ``cpu(0)`` by default.
        allow_missing, ignore_extra : bool, default False
            Whether parameters may be missing in the file, or the file may have others.

        Raises
        ------
        ArgumentError
            If names, shapes or dtypes do not fit.

        Examples
        --------
        >>> import tempfile, warnings
        >>> from gluon import nn
        >>> net = nn.Dense(1, in_units=3, weight_initializer="ones")
        >>> other = nn.Dense(1, in_units=3)
        >>> net.initialize()
        >>> with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        ...     warnings.simplefilter("ignore")  # the names are deprecated
        ...     net.save_params(f"{folder}/net.params")
        ...     other.load_params(f"{folder}/net.params")
        >>> other.weight.data().asnumpy()
        array([[1., 1., 1.]], dtype=float32)
        """
        warnings.warn("load_params is deprecated; use load_parameters", stacklevel=2)
        self.load_parameters(filename, ctx, allow_missing, ignore_extra)

    def save(self, prefix: str) -> None:
        """Save the values of all parameters to the file ``<prefix>-model.params``.

        Parameters
        ----------
        prefix : str
            The path of the file up to ``-model.params``.

        Examples
        --------
        >>> import os, tempfile
        >>> from gluon import nn
        >>> net = nn.Dense(2, in_units=3)
        >>> net.initialize()
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     net.save(f"{folder}/net")
        ...     os.listdir(folder)
        ['net-model.params']
        """
        self.save_parameters(f"{prefix}-model.params")

    def load(self, prefix: str) -> None:
        """Load a file of `save`, from gluon or MXNet, into a network built by the same code.

        Parameters
        ----------
        prefix : str
            The path of the file up to ``-model.params``.

        Raises
        ------
        ArgumentError
            If names, shapes or dtypes do not fit.

        Examples
        --------
        >>> import tempfile
        >>> from gluon import nn
        >>> net = nn.Dense(1, in_units=3, weight_initializer="ones")
        >>> other = nn.Dense(1, in_units=3)
        >>> net.initialize()
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     net.save(f"{folder}/net")
        ...     other.load(f"{folder}/net")
        >>> other.weight.data().asnumpy()
        array([[1., 1., 1.]], dtype=float32)
        """
        filename = f"{prefix}-model.params"
        params = self._collect_params_with_prefix()
        how = (None, False, "current")
        fill(params, in_order(params, read(filename)), filename, False, False, how)

    # ------------------------------------------------------------------- children and hooks

    def register_child(self, block: Block, name: str | None = None) -> None:
        """Register `block` as a child, under `name` or its number.

        Parameters
        ----------
        block : Block
        name : str, optional

        Examples
        --------
        >>> from gluon import Block, nn
        >>> net = Block()
        >>> net.register_child(nn.Dense(2, in_units=3, prefix="out_"), "out")
        >>> list(net.collect_params())
        ['out_weight', 'out_bias']
        """
        self._children[str(len(self._children)) if name is None else name] = block

    def apply(self, fn: Callable[[Block], Any]) -> Block:
        """Apply `fn` to every child block, and then to this one.

        Parameters
        ----------
        fn : callable
            Called with each block.

        Returns
        -------
        Block
            The block itself.

        Raises
        ------
        DTypeError
            If `fn` cannot be called so.

        Examples
        --------
        >>> from gluon import nn
        >>> net = nn.Sequential()
        >>> net.add(nn.Dense(4), nn.Flatten())
        >>> _ = net.apply(lambda block: print(type(block).__name__))
        Dense
        Flatten
        Sequential
        """
        for child in self._children.values():
            child.apply(fn)
        as_stated(fn, "fn(block); net.initialize(init) takes an initializer", self)
        return self

    def register_forward_pre_hook(self, hook: Callable[..., Any]) -> HookHandle:
        """Call ``hook(block, inputs)`` before each forward pass.

        Parameters
        ----------
        hook : callable
            Its return value is ignored.

        Returns
        -------
        HookHandle
            Its ``detach()`` removes the hook.

        Raises
        ------
        DTypeError
            If the hook cannot be called so.

        Examples
        --------
        >>> from gluon import nd, nn
        >>> layer = nn.Flatten()
        >>> handle = layer.register_forward_pre_hook(lambda block, inputs: print(inputs[0].shape))
        >>> layer(nd.ones((2, 3, 4))).shape
        (2, 3, 4)
        (2, 12)
        >>> handle.detach()
        >>> layer(nd.ones((2, 3, 4))).shape
        (2, 12)
        """
        _check_hook("register_forward_pre_hook", hook, "block, inputs")
        return HookHandle(self._forward_pre_hooks, hook)

    def register_forward_hook(self, hook: Callable[..., Any]) -> HookHandle:
        """Call ``hook(block, inputs, output)`` after each forward pass.

        Parameters
        ----------
        hook : callable
            Its return value is ignored.

        Returns
        -------
        HookHandle
            Its ``detach()`` removes the hook.

        Raises
        ------
        DTypeError
            If the hook cannot be called so.

        Examples
        --------
        >>> from gluon import nd, nn
        >>> layer = nn.Flatten()
        >>> handle = layer.register_forward_hook(lambda block, inputs, output: print(output.shape))
        >>> result = layer(nd.ones((2, 3, 4)))
        (2, 12)
        """
        _check_hook("register_forward_hook", hook, "block, inputs, output")
        return HookHandle(self._forward_hooks, hook)

    def register_op_hook(
        self, callback: Callable[..., Any], monitor_all: bool = False
    ) -> HookHandle:
        """Call ``callback(name, operator, array)`` for each operator output in the forward pass.

        It is called for every operator that the `hybrid_forward` of this block, or of its current
        inner blocks, takes from ``F``.

        Parameters
        ----------
        callback : callable
            `name` combines the names of the block and the operator with ``output``; `operator` is
            its name in `gluon.nd`.
        monitor_all : bool, default False
            Call it for the inputs of operators too.

        Returns
        -------
        HookHandle
            Its ``detach()`` removes the hook.

        Examples
        --------
        >>> from gluon import nd, nn
        >>> net = nn.Dense(2, activation="relu", prefix="fc_")
        >>> net.initialize()
        >>> handle = net.register_op_hook(lambda name, op, array: print(name, array.shape))
        >>> y = net(nd.ones((4, 3)))
        fc_fullyconnected0_output (4, 2)
        fc_relu_activation0_output (4, 2)
        """
        handle = HookHandle()
        self.apply(lambda block: handle._add(block._op_hooks, (callback, monitor_all)))
        return handle

    def hybridize(self, active: bool = True, **kwargs: Any) -> None:
        """Hybridize all children; see `HybridBlock.hybridize`.

        Parameters
        ----------
        active : bool, default True
        **kwargs
            Passed on, such as ``static_alloc`` and ``static_shape``.

        Examples
        --------
        >>> from gluon import nd, nn
        >>> layer = nn.Flatten()
        >>> layer.hybridize(static_alloc=True)
        >>> layer(nd.ones((2, 3, 4))).shape
        (2, 12)
        """
        for child in self._children.values():
            child.hybridize(active, **kwargs)

    def summary(self, *inputs: Any) -> None:
        """Print a table of the child blocks, their output shapes and parameter counts.

        Parameters
        ----------
        *inputs : NDArray
            The inputs to call the block with, of any shape and dtype that it takes.

        Raises
        ------
        ArgumentError
            If there are no inputs.
        GluonError
            If parameters are not initialized.

        Examples
        --------
        >>> from gluon import nd, nn
        >>> net = nn.Sequential()
        >>> net.add(nn.Dense(4, in_units=3), nn.Dense(2, in_units=4))
        >>> net.initialize()
        >>> net.summary(nd.ones((5, 3)))
        --------------------------------------------------------------------------------
                Layer (type)                                Output Shape         Param #
        ================================================================================
                       Input                                      (5, 3)               0
                     Dense-1                                      (5, 4)              16
                     Dense-2                                      (5, 2)              10
        ================================================================================
        Parameters in forward computation graph, duplicate included
           Total params: 26
           Trainable params: 26
           Non-trainable params: 0
        Shared params in forward computation graph: 0
        Unique parameters in model: 26
        --------------------------------------------------------------------------------
        """
        if not inputs:
            raise ArgumentError("summary: pass inputs, as in net.summary(nd.ones((1, 3)))")
        if isinstance(inputs[0], (tuple, list)) and all(isinstance(n, int) for n in inputs[0]):
            raise DTypeError(
                f"summary: {inputs[0]} is a shape; pass an array, as in"
                f" net.summary(nd.ones({tuple(inputs[0])}))"
            )
        print(summarize(self, inputs))

    # --------------------------------------------------------------------------- computing

    @overload
    def __call__(self, x: A, /, *args: Any) -> A: ...

    @overload
    def __call__(self, *args: Any) -> Any: ...

    def __call__(self, *args: Any, **unknown: Unpack[Nothing]) -> Any:
        """Run the hooks and `forward`, and return the output."""
        if unknown:
            raise _by_keyword(self, args, unknown)
        if self._forward_pre_hooks and not inferring.get():
            for hook in list(self._forward_pre_hooks.values()):
                _ignore(hook(self, args), "forward_pre_hook")
        try:
            programs = self._programs
            out = self.forward(*args) if programs is None else programs(self, args)
        except BAD_INPUT as error:
            if is_located(error):
                raise
            raise located(self, error, args) from None
        except TypeError as error:
            if error.__traceback__.tb_next is not None or not (  # type: ignore[union-attr]
                reason := self._miscounted(args)
            ):
                raise
            raise located(self, DTypeError(reason), args) from None
        if self._forward_hooks and not inferring.get():
            for hook in list(self._forward_hooks.values()):
                _ignore(hook(self, args, out), "forward_hook")
        if out is None:
            warn_caller(f"forward of {whose(self)} returned None; end it with `return`")
        return out

    def _input_names(self) -> list[str]:
        """The names of the inputs; none if there may be any number."""
        return list(inputs_of(self.forward) or ())

    def _miscounted(self, args: tuple[Any, ...]) -> str:
        """What is wrong with the number of inputs, to say in an error."""
        return miscounted(self.forward, args)

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """Compute the output from the inputs; subclasses define it.

        Parameters
        ----------
        *args : NDArray
            The inputs, of the shapes and dtypes that the subclass takes.
        **kwargs
            Unused; it tells type checkers that a subclass may take any arguments.

        Returns
        -------
        NDArray of any shape and dtype, or another result of the subclass

        Raises
        ------
        NotImplementedError
            If a subclass does not define it.

        Examples
        --------
        >>> from gluon import Block, nd
        >>> class Double(Block):
        ...     def forward(self, x):
        ...         return 2 * x
        >>> Double()(nd.array([1, 2])).asnumpy()
        array([2., 4.], dtype=float32)
        """
        raise NotImplementedError(f"{type(self).__name__} must define forward(self, ...)")


OBSERVED.append((Block, "__call__", "layer", lambda block: block.name))


def whose(block: Block) -> str:
    """The class and the name of a block, for messages."""
    return f"{type(block).__name__} {block.name!r}"


def is_located(error: Exception) -> bool:
    """Whether `error` names its block, or is of a user's class."""
    return hasattr(error, "layer") or type(error) not in BAD_INPUT


def located(block: Block, error: Exception, inputs: tuple[Any, ...]) -> GluonError:
    """`error` with its block, and the shapes of parameters and inputs that it does not name."""
    kind: Any = type(error) if type(error) in BAD_INPUT else ArgumentError
    reason = str(error)

    def untold(shape: Any) -> bool:
        return str(shape) not in reason and str([*(shape or ())]) not in reason

    params = block._reg_params.items()
    told = [f"{name} {one.shape}" for name, one in params if untold(one.shape)]
    if shapes := [str(one.shape) for one in arrays(inputs) if untold(one.shape)]:
        told.append(f"called with {', '.join(shapes)}")
    found = kind(f"in {', '.join([whose(block), *told])}: {reason}")
    found.layer = block.name
    return found.with_traceback(error.__traceback__)


def _check_hook(name: str, hook: Any, arguments: str) -> None:
    """Raise if `hook` cannot be called with the `arguments`, separated by commas."""
    if not callable(hook):
        raise DTypeError(f"{name}: give a function of ({arguments}), not {a_type(hook)}")
    try:
        signature(hook).bind(*arguments.split(", "))
    except TypeError as error:
        raise DTypeError(f"{name}: the hook is called as hook({arguments}): {error}") from None
    except ValueError:  # functions in C have no signature
        pass


def miscounted(function: Callable[..., Any], args: Sequence[Any], *filled: str) -> str:
    """What is wrong with the number of inputs of a layer; nothing if the number is right.

    Parameters
    ----------
    function : callable
        The method that computes the output.
    args : sequence
        The inputs that the user gave.
    *filled : str
        The parameters of the function that the layer itself fills in.
    """
    taken = inputs_of(function, *filled)
    if taken is None:
        return ""
    needed = sum(one.default is one.empty for one in taken.values())
    if needed <= len(args) <= len(taken):
        return ""
    count = str(needed) if needed == len(taken) else f"{needed} to {len(taken)}"
    return (
        f"it takes {count} input{'s' * (count != '1')} ({', '.join(taken)}), and was called with"
        f" {len(args)}"
    )


def inputs_of(function: Callable[..., Any], *filled: str) -> dict[str, Any] | None:
    """The parameters of a function by name, without those `filled` in; None for any number."""
    found = [one for name, one in signature(function).parameters.items() if name not in filled]
    if any(one.kind is one.VAR_POSITIONAL for one in found):
        return None
    return {
        one.name: one
        for one in found
        if one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD)
    }


def _by_keyword(block: Block, args: Sequence[Any], given: Collection[str]) -> GluonError:
    """Return the error for inputs that were given by keyword."""
    names, told = block._input_names(), ", ".join(given)
    if not names:
        way_out = f"give them in order, as in layer({', '.join([*('x' for _ in args), *given])})"
    elif set(given) <= set(names):
        way_out = f"give them in order, as in layer({', '.join(names)})"
    else:
        way_out = f"it takes {', '.join(names)}"
        if set(given) & {"train", "training", "is_train", "is_training", "train_mode"}:
            way_out += f"; {MODES}, or inside `with autograd.train_mode():`"
    reason = f"inputs have no keywords, and it got {told}; {way_out}"
    return located(block, DTypeError(reason), tuple(args))


def described(block: Block, inside: dict[str, Block]) -> str:
    """The `repr` of a block with others inside."""
    lines = [f"  ({key}): " + repr(one).replace("\n", "\n  ") for key, one in inside.items()]
    return "{}(\n{}\n)".format(type(block).__name__, "\n".join(lines))


def collect(block: Block, found: ParameterDict, matches: Callable[..., Any] | None) -> None:
    """Add the parameters of a block, then those of its children, to `found`."""
    warn_of_unregistered(block)
    chosen = ParameterDict()
    chosen._params = {
        name: one for name, one in block.params.items() if matches is None or matches(name)
    }
    found.update(chosen)
    for child in block._children.values():
        collect(child, found, matches)


def _ignore(found: Any, kind: str) -> None:
    """Warn if a hook returned something: it is not used."""
    if found is not None:
        warn_caller(
            f"register_{kind}: what the hook returned, {a_type(found)}, is not used; to change"
            " inputs or outputs, write a block that calls this one"
        )


def warn_of_unregistered(block: Block) -> None:
    """Warn about what `collect_params` leaves out: parameters, and blocks in a list or dict."""
    own = [id(one) for one in block.params.values()]
    for name, parameter in block._reg_params.items():
        if id(parameter) not in own and parameter._layer == whose(block):
            warn_caller(
                f"{parameter.whose} is not collected, so initialize() and a Trainer leave it out;"
                f" make it as in self.params.get({name!r}, shape=...)",
            )
    registered = {id(child) for child in block._children.values()}
    for name, value in block.__dict__.items():
        if isinstance(value, Array) and value._mark is not None and value._mark.req != "null":
            warn_caller(
                f"{name!r} of {whose(block)} is an array with a gradient, which is no parameter:"
                f" initialize() and a Trainer leave it out; self.params.get({name!r}, shape=...)"
                " makes one",
            )
        inside = () if isinstance(value, Block) else blocks(value)
        if any(id(one) not in registered for one in inside):
            warn_caller(
                f"{name!r} of {whose(block)} is {a_type(value)} of blocks, whose"
                " parameters are not collected; use nn.Sequential, or register_child() for"
                " each",
            )


def blocks(value: Any) -> Iterator[Block]:
    """The blocks in nested lists, tuples and dicts."""
    if isinstance(value, Block):
        yield value
    elif isinstance(value, (list, tuple, dict)):
        for one in value.values() if isinstance(value, dict) else value:
            yield from blocks(one)
