"""Containers and basic layers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, overload

from .. import nd
from .._core.arrays.interfaces import Symbolic
from .._core.arrays.laxness import check_indices, lax, warn_of_fractions
from .._core.errors import ArgumentError, DTypeError, GluonError, IndexRangeError, a_type
from .._core.hints.lookup import RefusedOfClass, meant
from .._core.hints.synonyms import REBUILD
from .._core.journal import watcher
from .._core.refusals import NUMBERS
from ..block import Block, HybridBlock
from ..block.base import described, whose
from ..parameter import Parameter
from .activations import activated

if TYPE_CHECKING:
    from numpy.typing import DTypeLike
    from typing_extensions import Self, Unpack

    from ..block.naming import Naming
    from ..initializer.base import InitLike
    from ..nd.activation import ActivationName

    class Child(Block):
        """A block of a container: type checkers know that it is one, and not which."""

        def __getattr__(self, name: str) -> Any: ...


class Sequential(Block):
    """Runs blocks in sequence.

    Each block gets the output of the one before, so shapes and dtypes must match from block to
    block.

    Indexing returns a block, slicing a container of the same kind. ``net[-1] = block`` replaces a
    block.

    Parameters
    ----------
    prefix : str, optional
        The start of the names of its parameters; see `Block`.
    params : ParameterDict, optional
        Parameters to share with another block.

    Examples
    --------
    >>> from gluon import nd, nn
    >>> net = nn.Sequential()
    >>> net.add(nn.Dense(8, activation="relu"), nn.Dense(2))
    >>> net.initialize()
    >>> net(nd.ones((4, 3))).shape, len(net)
    ((4, 2), 2)
    """

    _in_summary = False

    def add(self, *blocks: Block) -> None:
        """Append blocks.

        Parameters
        ----------
        *blocks : Block

        Raises
        ------
        DTypeError
            If an argument is not a block.
        """
        for block in blocks:
            if not isinstance(block, Block):
                kind = type(block).__name__
                way_out = ""
                if isinstance(block, (list, tuple)):
                    way_out = "; unpack it, as in add(*blocks)"
                elif isinstance(block, type):
                    kind = f"the class {block.__name__}"
                    way_out = f"; create it, as in add({block.__name__}(...))"
                elif callable(block):
                    way_out = "; wrap a function, as in add(nn.Lambda(function))"
                raise DTypeError(f"{whose(self)}: add() takes blocks, not {kind}{way_out}")
            self.register_child(block)

    def forward(self, x: Any) -> Any:
        """Call the blocks in order, each with the output of the one before."""
        for block in self._children.values():
            x = block(x)
        return x

    def __repr__(self) -> str:
        return described(self, self._children)

    def __len__(self) -> int:
        return len(self._children)

    def __iter__(self) -> Iterator[Block]:
        return iter(self._children.values())

    @overload
    def __getitem__(self, key: int) -> Child: ...
    @overload
    def __getitem__(self, key: slice) -> Self: ...
    def __getitem__(self, key: int | slice) -> Any:
        try:
            chosen = list(self._children.values())[key]
        except (IndexError, TypeError):
            raise _no_block(self, key) from None
        if not isinstance(chosen, list):
            return chosen
        net = type(self)(prefix=self.prefix)
        with net.name_scope():
            net.add(*chosen)
        return net

    def __setitem__(self, key: int, block: Block) -> None:
        if isinstance(key, slice):
            raise DTypeError(f"{whose(self)}: assign one block at a time, as in net[0] = block")
        if not isinstance(block, Block):
            raise DTypeError(f"{whose(self)}: net[{key}] is a block, not {a_type(block)}")
        try:
            name = list(self._children)[key]
        except (IndexError, TypeError):
            raise _no_block(self, key) from None
        self.register_child(block, name)

    def __delitem__(self, key: int | slice) -> None:
        raise DTypeError(f"{whose(self)}: blocks cannot be deleted; {REBUILD}")

    def __iadd__(self, other: Any) -> Self:
        raise DTypeError(f"{whose(self)}: blocks are not added by +=; use net.add(*blocks)")


def _no_block(net: Sequential, key: Any) -> GluonError:
    """The error for ``net[key]``, for which there is no block."""
    count = len(net._children)
    if isinstance(key, int):
        return IndexRangeError(f"{net.name}[{key}]: the index is out of range for {count} blocks")
    return DTypeError(f"{net.name}[{key!r}]: index blocks with integers and slices, not {key!r}")


class HybridSequential(Sequential, HybridBlock):
    """Runs hybrid blocks in sequence; see `Sequential`.

    Parameters
    ----------
    prefix : str, optional
        The start of the names of its parameters; see `Block`.
    params : ParameterDict, optional
        Parameters to share with another block.

    Raises
    ------
    ArgumentError
        From ``add``, if a block is not a `HybridBlock`.

    Examples
    --------
    >>> from gluon import nd, nn
    >>> net = nn.HybridSequential()
    >>> net.add(nn.Dense(4, activation="relu"), nn.Dense(2))
    >>> net.initialize()
    >>> net(nd.ones((5, 3))).shape, len(net), net[1]
    ((5, 2), 2, Dense(4 -> 2, linear))
    """

    if not TYPE_CHECKING:  # for type checkers, that of Sequential
        forward = HybridBlock.forward

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        """Call the blocks in order, each with the output of the one before."""
        for block in self._children.values():
            x = block(x)
        return x


class Dense(HybridBlock):
    """Fully connected layer: ``x . weight.T + bias``, then an optional activation.

    Takes floats of shape (batch, ...) in the dtype of the layer; returns shape (batch, units), or
    (..., units) with ``flatten=False``.

    Parameters
    ----------
    units : int
        The length of the output.
    activation : str, optional
        As for `Activation`.
    use_bias : bool, default True
    flatten : bool, default True
        Whether to flatten all axes of the input but the first; otherwise the layer is applied
        along the last axis.
    dtype : str or numpy type, default 'float32'
    weight_initializer, bias_initializer : str or Initializer, optional
    in_units : int, optional
        The length of the input; inferred from the first batch by default.
    **kwargs
        ``prefix`` and ``params``; see `Block`.

    Raises
    ------
    ArgumentError
        If `units` is less than 1.
    DTypeError
        If `activation` is not a string.

    Examples
    --------
    >>> from gluon import nd, nn
    >>> layer = nn.Dense(2)
    >>> layer.initialize()
    >>> layer(nd.ones((4, 3, 5))).shape, layer.weight.shape
    ((4, 2), (2, 15))
    """

    _names_fwd = True

    weight: Parameter

    def __init__(
        self,
        units: int,
        activation: ActivationName | None = None,
        use_bias: bool = True,
        flatten: bool = True,
        dtype: DTypeLike = "float32",
        weight_initializer: InitLike = None,
        bias_initializer: InitLike = "zeros",
        in_units: int = 0,
        **kwargs: Unpack[Naming],
    ) -> None:
        super().__init__(**kwargs)
        if units < 1 and not lax.late_checks:
            raise ArgumentError(f"Dense: units={units} must be at least 1")
        self._units, self._flatten = units, flatten
        self.bias: Parameter | None = None
        with self.name_scope():
            self.weight = self.params.get(
                "weight",
                shape=(units, in_units),
                init=weight_initializer,
                dtype=dtype,
                allow_deferred_init=True,
            )
            if use_bias:
                self.bias = self.params.get(
                    "bias",
                    shape=(units,),
                    init=bias_initializer,
                    dtype=dtype,
                    allow_deferred_init=True,
                )
            self.act = activated(activation)

    def hybrid_forward(self, F: Any, x: Any, weight: Any, bias: Any = None) -> Any:
        """Apply the layer."""
        x = F.FullyConnected(
            x,
            weight,
            bias,
            num_hidden=self._units,
            no_bias=bias is None,
            flatten=self._flatten,
        )
        return x if self.act is None else self.act(x)

    def __repr__(self) -> str:
        units, in_units = self.weight.shape
        return f"Dense({in_units or None} -> {units}, {self.act or 'linear'})"


class Dropout(HybridBlock):
    """Dropout: in training, sets random values to zero and scales up the rest.

    Takes floats of any shape; returns the same shape and dtype.

    Parameters
    ----------
    rate : float
        The probability of setting a value to zero.
    axes : tuple of int, default ()
        Axes along which values are dropped or kept together.
    **kwargs
        ``prefix`` and ``params``; see `Block`.

    Raises
    ------
    ArgumentError
        If `rate` is not between 0 and 1.

    Examples
    --------
    >>> from gluon import autograd, nd, nn
    >>> layer = nn.Dropout(0.5)
    >>> layer(nd.ones((3,))).asnumpy()
    array([1., 1., 1.], dtype=float32)
    >>> with autograd.train_mode():
    ...     sorted(set(layer(nd.ones((100,))).tolist()))
    [0.0, 2.0]
    """

    _names_fwd = True

    def __init__(self, rate: float, axes: tuple[int, ...] = (), **kwargs: Unpack[Naming]) -> None:
        super().__init__(**kwargs)
        if not isinstance(rate, NUMBERS) or not 0 <= rate <= 1:
            raise ArgumentError(
                f"Dropout: rate={rate!r} is not the share of values to drop, from 0 to 1"
            )
        self._rate, self._axes = rate, axes

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        """Apply the layer."""
        if self._rate > 0:
            return F.Dropout(x, p=self._rate, axes=self._axes, cudnn_off=False)
        return F.identity(x, name="identity0") if isinstance(x, Symbolic) else x

    def __repr__(self) -> str:
        return f"Dropout(p = {self._rate}, axes={self._axes})"


class Embedding(HybridBlock):
    """Looks up a row of the weight for each index.

    Takes indices of any shape and dtype, from 0 to ``input_dim - 1``; returns one more axis, of
    length `output_dim`, in the dtype of the weight. Other indices raise an error; with
    `util.set_clip_indices` they are clipped, as in MXNet.

    Parameters
    ----------
    input_dim : int
        The number of indices.
    output_dim : int
        The length of each vector.
    dtype : str or numpy type, default 'float32'
    weight_initializer : str or Initializer, optional
    sparse_grad : bool, default False
        Whether the gradient of the weight is row_sparse: it stores the rows that a batch uses, and
        optimizers with lazy updates change these alone; see `nd.sparse`.
    **kwargs
        ``prefix`` and ``params``; see `Block`.

    Examples
    --------
    >>> from gluon import nd, nn
    >>> layer = nn.Embedding(10, 4)
    >>> layer.initialize()
    >>> layer(nd.array([[1, 2], [3, 4]])).shape
    (2, 2, 4)
    """

    #: Whether no call has looked for fractions; a pickle of version 0.2 does not say.
    _is_unseen = False

    _names_fwd = True

    weight: Parameter

    if not TYPE_CHECKING:
        from_pretrained = RefusedOfClass(
            "from_pretrained", "make the layer, and call its weight.set_data(values)"
        )

    def __init__(
        self,
        input_dim: int,
        output_dim: int,
        dtype: DTypeLike = "float32",
        weight_initializer: InitLike = None,
        sparse_grad: bool = False,
        **kwargs: Unpack[Naming],
    ) -> None:
        super().__init__(**kwargs)
        self._is_unseen = True
        self._kwargs: dict[str, Any] = {
            "input_dim": input_dim,
            "output_dim": output_dim,
            "dtype": dtype,
            "sparse_grad": sparse_grad,
        }
        self.weight = self.params.get(
            "weight",
            shape=(input_dim, output_dim),
            init=weight_initializer,
            dtype=dtype,
            grad_stype="row_sparse" if sparse_grad else "default",
        )

    def hybrid_forward(self, F: Any, x: Any, weight: Any) -> Any:
        """Apply the layer."""
        if not isinstance(x, Symbolic):
            check_indices("index", x, self._kwargs["input_dim"], "rows", "give a larger input_dim")
            if self._is_unseen and watcher() is None:
                self._is_unseen = False
                warn_of_fractions(x)
        return F.Embedding(x, weight, **self._kwargs)

    def __repr__(self) -> str:
        return "Embedding({input_dim} -> {output_dim}, {dtype})".format(**self._kwargs)


class Flatten(HybridBlock):
    """Flattens all axes except the first.

    Takes an array of any dtype and of shape (batch, ...); returns shape (batch, n).

    Parameters
    ----------
    prefix : str, optional
        The start of the names of its parameters; see `Block`.
    params : ParameterDict, optional
        Parameters to share with another block.

    Examples
    --------
    >>> from gluon import nd, nn
    >>> nn.Flatten()(nd.ones((2, 3, 4))).shape
    (2, 12)
    """

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        """Apply the layer."""
        return F.flatten(x)

    def __repr__(self) -> str:
        return "Flatten"


def _named_function(function: Any, kind: str) -> tuple[str, Callable | None]:
    """Return the name of the argument of a lambda layer, and the argument if it is a function."""
    if isinstance(function, str):
        if not hasattr(nd, function):
            raise ArgumentError(
                f"{kind}: gluon.nd has no function {function!r}{meant(function, dir(nd))}"
            )
        return function, None
    if isinstance(function, type) and issubclass(function, Block):
        name = function.__name__
        raise ArgumentError(f"{kind}: {name} is a class; create the block, as in {name}(...)")
    if not callable(function):
        raise ArgumentError(
            f"{kind} takes a function or the name of one in gluon.nd, not {function!r}"
        )
    return getattr(function, "__name__", type(function).__name__), function


class Lambda(Block):
    """Wraps a function as a `Block`.

    Parameters
    ----------
    function : str or callable
        The name of a function of `gluon.nd`, or ``function(*inputs)``.
    prefix : str, optional
        See `Block`.

    Raises
    ------
    ArgumentError
        If `function` is neither callable nor the name of a function of `gluon.nd`.

    Examples
    --------
    >>> from gluon import nd, nn
    >>> nn.Lambda(lambda x: x * 2)(nd.ones((2,))).asnumpy()
    array([2., 2.], dtype=float32)
    """

    def __init__(self, function: Any, prefix: str | None = None) -> None:
        super().__init__(prefix=prefix)
        self._name, given = _named_function(function, "Lambda")
        self._function = getattr(nd, self._name) if given is None else given

    def forward(self, *args: Any) -> Any:
        """Call the function."""
        return self._function(*args)

    def __repr__(self) -> str:
        return f"Lambda({self._name})"


class HybridLambda(HybridBlock):
    """Wraps a function as a `HybridBlock`.

    Parameters
    ----------
    function : str or callable
        The name of a function of `gluon.nd`, or ``function(F, *inputs)``.
    prefix : str, optional
        See `Block`.

    Raises
    ------
    ArgumentError
        If `function` is neither callable nor the name of a function of `gluon.nd`.

    Examples
    --------
    >>> from gluon import nd, nn
    >>> nn.HybridLambda("relu")(nd.array([-1, 2])).asnumpy()
    array([0., 2.], dtype=float32)
    >>> nn.HybridLambda(lambda F, x: F.square(x) + 1)(nd.array([3])).asnumpy()
    array([10.], dtype=float32)
    """

    def __init__(self, function: Any, prefix: str | None = None) -> None:
        super().__init__(prefix=prefix)
        self._name, self._function = _named_function(function, "HybridLambda")

    def hybrid_forward(self, F: Any, x: Any, *args: Any) -> Any:
        """Call the function."""
        if self._function is None:
            return getattr(F, self._name)(x, *args)
        try:
            return self._function(F, x, *args)
        except TypeError as error:
            if error.__traceback__.tb_next is not None:  # type: ignore[union-attr]
                raise
            raise DTypeError(
                f"HybridLambda: {error}; the function is called with F, which is gluon.nd, and the"
                " inputs, as in HybridLambda(lambda F, x: F.square(x)); Lambda leaves F out"
            ) from None

    def __repr__(self) -> str:
        return f"HybridLambda({self._name})"
