"""`Parameter`: an array of a layer, initialized once its shape is known; a replica per device."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, NoReturn

import numpy as np

from .. import autograd, initializer
from .._core.arrays import Context, current_context
from .._core.arrays.base import fitting
from .._core.arrays.context import CPU, DEFAULT, device
from .._core.arrays.dtypes import as_dtype
from .._core.arrays.interfaces import chosen_class
from .._core.arrays.laxness import check_gradient
from .._core.arrays.storage import STYPES
from .._core.arrays.switch import is_np_array, is_np_shape
from .._core.changes import change
from .._core.engine.array import Array, wrap
from .._core.engine.inplace import write
from .._core.engine.mark import REQUESTS, gradient, mark
from .._core.errors import (
    AllocationError,
    ArgumentError,
    DTypeError,
    GluonError,
    MissingNameError,
    a_type,
)
from .._core.hints.called import Hinted
from .._core.hints.lookup import Refused, missing_attribute
from .._core.hints.synonyms import ATTRIBUTES, PARAMETER, PARAMETER_UNUSED, RECORD
from .._core.kernels.memory import on_host
from ..initializer.base import check as check_initializers
from ..nd import NDArray
from ..nd.creation import array
from ..nd.sparse._array import rows_of
from ..utils import shape_is_known

if TYPE_CHECKING:
    from ..initializer.base import InitLike
    from ..symbol import Symbol

Contexts = Context | list[Context] | None
#: Values that stand for an unknown length.
UNKNOWN = (0, -1)
#: What PyTorch has as attributes, and Gluon as methods -> how to write to it.
METHODS = {
    "data": "use p.set_data(values)",
    "grad": "p.zero_grad() sets it to 0, and p.grad()[:] = values writes to it",
}
RECORDED = "leave it out; parameters are recorded inside `with autograd.record():`"
#: What arrays have, and those of PyTorch -> how to get it from a parameter.
WAYS_OUT = {
    **{
        name: RECORDED if way_out == RECORD else f"of x = p.data(): {way_out}"
        for name, way_out in ATTRIBUTES.items()
    },
    **{
        name: f"use p.data().{name}"
        for name in dir(NDArray)
        if name[0] != "_"
        and name not in {"raw", "held", "form"}
        and not isinstance(getattr(NDArray, name), Refused)
    },
    **PARAMETER,
}


class DeferredInitializationError(GluonError):
    """The values of a parameter were requested before its shape was known.

    Examples
    --------
    >>> from gluon import DeferredInitializationError, nn
    >>> layer = nn.Dense(2)
    >>> layer.initialize()
    >>> try:
    ...     layer.weight.data()
    ... except DeferredInitializationError:
    ...     print("the shape is not known before the first batch")
    the shape is not known before the first batch
    """


class Deferred(NamedTuple):
    """A deferred initialization: it waits for the shape."""

    init: Any
    ctx: list[Context]
    default_init: Any
    data: Any


def as_contexts(ctx: Contexts) -> list[Context]:
    """`ctx` as a list, the current context by default."""
    if ctx is None:
        return [current_context()]
    if isinstance(ctx, str):
        raise DTypeError(f"ctx={ctx!r} is a str; pass a Context, such as gluon.cpu()")
    found = [ctx] if isinstance(ctx, Context) else list(ctx)
    if len(set(found)) != len(found):
        raise ArgumentError(
            f"ctx={found} names a context twice, and each holds one replica of the parameters; give"
            " contexts that differ, such as [cpu(0), cpu(1)], or one of them"
        )
    return found


def _check_storage(name: str, what: str, stype: str) -> None:
    if stype not in STYPES:
        raise ArgumentError(
            f"Parameter {name!r}: {what} must be one of {', '.join(STYPES)}, not {stype!r}"
        )


def _check_name(name: Any) -> None:
    """Raise unless `name` is a string; PyTorch's `Parameter` takes the values first."""
    if not isinstance(name, str):
        raise DTypeError(
            f"Parameter: name is of type {type(name).__name__}, not str; give a name and a shape,"
            " as in Parameter('weight', shape=(2, 3)), and the values to set_data"
        )


class Parameter(Hinted):
    """An array of a layer, such as a weight or bias, that can be trained.

    Its values exist after `initialize`, once the shape is known, with a replica on each
    context. A layer that is assigned a parameter as an attribute registers it.

    Parameters
    ----------
    name : str
    grad_req : {'write', 'add', 'null'}
        Whether ``backward`` replaces the gradient, adds to it, or does not compute it.
    shape : int or tuple of int, optional
        0 for a length to infer.
    dtype : str or numpy type, default float32
    lr_mult, wd_mult : float, default 1
        Factors of the learning rate and the weight decay.
    init : str or Initializer, optional
        By default the initializer given to `initialize`.
    allow_deferred_init : bool, default False
        Whether `initialize` may be called before the shape is known.
    differentiable : bool, default True
        False for arrays without gradient, such as running means.
    stype : {'default', 'row_sparse', 'csr'}
        The storage of the values. With one but the first, `row_sparse_data` gives rows of them, and
        `data` is unavailable.
    grad_stype : {'default', 'row_sparse', 'csr'}
        The storage of the gradient; see `nd.sparse`.

    Raises
    ------
    ArgumentError
        If `grad_req` or a storage is not one of these.

    Examples
    --------
    >>> from gluon import Parameter
    >>> weight = Parameter("weight", shape=(2, 3), init="ones")
    >>> weight.initialize()
    >>> weight.data().asnumpy()
    array([[1., 1., 1.],
           [1., 1., 1.]], dtype=float32)
    >>> weight.grad().shape
    (2, 3)
    """

    _elsewhere = WAYS_OUT
    #: How to get an array of it, for the messages of operators.
    _as_array: ClassVar[str] = "p.data()"
    lr_mult: float
    wd_mult: float
    #: How often it got other arrays; see `_core.changes`.
    _changes = 0
    _stype = _grad_stype = "default"  # of parameters in pickles of older versions

    if not TYPE_CHECKING:
        requires_grad = Refused("requires_grad", PARAMETER["requires_grad"])

        def _refuse(self, *_: Any, **__: Any) -> NoReturn:
            raise DTypeError(
                f"{self.whose} is not an array; compute with p.data(), as in p.data() * 2 and"
                " p.data()[0]"
            )

        def __setattr__(self, name: str, value: Any) -> None:
            if name in METHODS:
                raise MissingNameError(f"p.{name} is a method of {self.whose}; {METHODS[name]}")
            if name in PARAMETER_UNUSED:
                raise missing_attribute(self, name, PARAMETER_UNUSED[name])
            if isinstance(value, str) and name in ("lr_mult", "wd_mult"):
                raise DTypeError(f"{name} of {self.whose} is the str {value!r}; give a number")
            super().__setattr__(name, value)
            if name == "_data":
                change(self)

        def __bool__(self) -> bool:
            return True  # as in ``if layer.bias:``

        __getitem__ = __setitem__ = __array__ = __len__ = __iter__ = _refuse
        __int__ = __float__ = __round__ = __mod__ = __floordiv__ = _refuse
        __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = _refuse
        __truediv__ = __rtruediv__ = __pow__ = __rpow__ = __matmul__ = __rmatmul__ = _refuse
        __neg__ = __abs__ = __gt__ = __ge__ = __lt__ = __le__ = _refuse

    def __init__(
        self,
        name: str,
        grad_req: str = "write",
        shape: Any = None,
        dtype: Any = np.float32,
        lr_mult: float = 1.0,
        wd_mult: float = 1.0,
        init: InitLike = None,
        allow_deferred_init: bool = False,
        differentiable: bool = True,
        stype: str = "default",
        grad_stype: str = "default",
    ) -> None:
        _check_name(name)
        self.name = name
        _check_storage(name, "stype", stype)
        _check_storage(name, "grad_stype", grad_stype)
        self._stype, self._grad_stype = stype, grad_stype
        self.lr_mult, self.wd_mult = lr_mult, wd_mult
        self.init = init
        self.allow_deferred_init = allow_deferred_init
        self._differentiable = differentiable
        self._shape = (shape,) if isinstance(shape, int) else shape and tuple(shape)
        if any(length is not None and length < -1 for length in self._shape or ()):
            raise ArgumentError(
                f"Parameter {name!r}: shape={self._shape} has a negative length; give positive"
                " ones, or 0 where the first batch decides"
            )
        self._dtype = dtype
        self._layer = ""
        self._deferred: Deferred | None = None
        self._data: list[NDArray] | None = None
        self._var: tuple[dict[str, Any], Symbol] | None = None
        self._grad_req = "null"
        self.grad_req = grad_req

    def __repr__(self) -> str:
        return f"{type(self).__name__} {self.name} (shape={self.shape}, dtype={self.dtype})"

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        if self._data is not None:
            self._set_replicas(self._data)  # a copied array is no longer a variable

    @property
    def whose(self) -> str:
        """The parameter and its layer, for messages."""
        return f"{type(self).__name__} {self.name!r}" + (
            f" of {self._layer}" if self._layer else ""
        )

    # --------------------------------------------------------------------- what it is like

    @property
    def _storage_of_grad(self) -> str | None:
        """The storage of the gradients; arrays of `gluon.np` have dense ones."""
        return None if self._grad_stype == "default" or is_np_array() else self._grad_stype

    @property
    def grad_req(self) -> str:
        """How a backward pass stores the gradient: ``write``, ``add`` or ``null``."""
        return self._grad_req

    @grad_req.setter
    def grad_req(self, req: str) -> None:
        if req not in REQUESTS:
            needed = f"one of {', '.join(REQUESTS)}; a shape is given as shape=(2, 3)"
            raise ArgumentError(f"{self.whose}: grad_req must be {needed}; got {req!r}")
        if not self._differentiable:
            req = "null"
        if req != self._grad_req:
            self._grad_req = req
            if self._data is not None:
                self._set_replicas(self._data)

    @property
    def dtype(self) -> Any:
        """The dtype as given; assigning calls `cast`."""
        return self._dtype

    @dtype.setter
    def dtype(self, dtype: Any) -> None:
        self.cast(dtype)

    @property
    def shape(self) -> Any:
        """The shape, or None if unknown.

        An unknown length is 0, or -1 under `npx.set_np`. Assigning sets the unknown lengths, and
        must agree with the known ones.
        """
        if self._shape is None or not is_np_shape():
            return self._shape
        return tuple(-1 if n == 0 else n for n in self._shape)

    @shape.setter
    def shape(self, shape: Iterable[int]) -> None:
        shape = tuple(shape)
        self._check_shape(shape)
        self._shape = shape

    def _check_shape(self, shape: tuple[int, ...]) -> None:
        known = self._shape
        if known is not None and (
            len(known) != len(shape)
            or any(old not in UNKNOWN and old != new for old, new in zip(known, shape))
        ):
            what = f"{self.whose} has shape {known}, which cannot become {shape}"
            raise ArgumentError(f"{what}; give values of its shape, or make the layer for theirs")

    def cast(self, dtype: Any) -> None:
        """Change the dtype of the values and of the gradient, now or once they exist.

        Parameters
        ----------
        dtype : str or numpy type

        Raises
        ------
        DTypeError
            If the dtype is unknown.

        Examples
        --------
        >>> from gluon import Parameter
        >>> weight = Parameter("weight", shape=(2,))
        >>> weight.initialize()
        >>> weight.cast("float64")
        >>> weight.data().dtype, weight.grad().dtype
        (<class 'numpy.float64'>, <class 'numpy.float64'>)
        """
        new = as_dtype(dtype)
        self._dtype = dtype
        if self._data is not None:
            replicas = [wrap(type(one), one.raw.astype(new), one._ctx) for one in self._data]
            self._set_replicas(replicas)

    # --------------------------------------------------------------------- initialization

    def initialize(
        self,
        init: InitLike = None,
        ctx: Contexts = None,
        default_init: InitLike = None,
        force_reinit: bool = False,
    ) -> None:
        """Initialize the parameter, now or when its shape is known.

        Parameters
        ----------
        init : str or Initializer, optional
            By default the parameter's own initializer, then `default_init`.
        ctx : Context or list of Context, optional
            Where to put replicas; the current context by default.
        default_init : str or Initializer, optional
            ``Uniform(0.07)`` by default.
        force_reinit : bool, default False
            Initialize the parameter again if it already has values; otherwise it warns.

        Raises
        ------
        ArgumentError
            If the shape is unknown and initialization cannot be deferred.
        """
        if self._data is not None and not force_reinit:
            warnings.warn(
                f"{self.whose} has been initialized already and keeps its values; pass"
                " force_reinit=True to replace them",
                stacklevel=2,
            )
            return
        default_init = initializer.Uniform() if default_init is None else default_init
        if init is None:
            init = default_init if self.init is None else self.init
        check_initializers(init, default_init)
        if not shape_is_known(self._shape) and not self.allow_deferred_init:
            raise ArgumentError(
                f"{self.whose} cannot be initialized with shape {self.shape}: give every"
                " length, or allow_deferred_init=True to let the first batch decide"
            )
        self._data = None
        self._deferred = Deferred(init, as_contexts(ctx), default_init, None)
        if shape_is_known(self._shape):
            self._finish_deferred_init()

    def _finish_deferred_init(self) -> None:
        """Initialize the parameter if that was deferred and its shape is known now."""
        if self._deferred is None:
            return
        init, ctx, default_init, data = self._deferred
        if not shape_is_known(self._shape):
            raise ArgumentError(
                f"{self.whose} cannot be initialized: its shape {self.shape} is still not"
                " known after the first batch; give in_units, in_channels or the like"
            )
        if data is None:
            try:
                zeros = np.zeros(self._shape, as_dtype(self._dtype))
            except (MemoryError, ValueError) as error:  # too many bytes, or too many to count
                raise AllocationError(f"{self.whose}: {error}; make the layer smaller") from None
            data = wrap(chosen_class(), zeros)
            with autograd.pause():
                describe = initializer.InitDesc(self.name, {"__init__": init})
                initializer.create(default_init)(describe, data)
        self._deferred = None
        self._replicate(data.raw, ctx)

    def _replicate(self, raw: np.ndarray, ctx: list[Context]) -> None:
        dtype = as_dtype(self._dtype)
        cls = chosen_class()
        self._set_replicas([wrap(cls, np.array(on_host(raw), dtype), device(one)) for one in ctx])

    def _set_replicas(self, replicas: list[NDArray]) -> None:
        """Set `replicas` as the values, with gradients of zeros if `grad_req` requires them."""
        self._data = replicas
        for one in replicas:
            wanted = self._grad_req != "null"
            grad = one._zeros(self.whose, self._storage_of_grad) if wanted else None
            check_gradient(self.whose, one, self._grad_req, refuse=False)
            mark(one, grad, self._grad_req)

    def reset_ctx(self, ctx: Contexts) -> None:
        """Move the values to other contexts; several replicas are averaged first.

        Parameters
        ----------
        ctx : Context or list of Context

        Raises
        ------
        ArgumentError
            If the parameter has never been initialized.

        Examples
        --------
        >>> from gluon import Parameter, cpu
        >>> weight = Parameter("weight", shape=(2,))
        >>> weight.initialize()
        >>> weight.reset_ctx(cpu(1))
        >>> weight.list_ctx()
        [cpu(1)]
        """
        if self._data is not None:
            self._replicate(self._average(), as_contexts(ctx))
        elif self._deferred is not None:
            self._deferred = self._deferred._replace(ctx=as_contexts(ctx))
        else:
            raise ArgumentError(f"reset_ctx: {self.whose} is not initialized; call initialize()")

    def _average(self) -> np.ndarray:
        """Return the mean of all replicas."""
        raws = [on_host(one.raw) for one in self._check(self._data)]
        return raws[0] if len(raws) == 1 else np.mean(raws, axis=0, dtype=raws[0].dtype)

    # --------------------------------------------------------------------- values, gradients

    def _check(self, replicas: list[NDArray] | None) -> list[NDArray]:
        """Return `replicas`, or raise an error that says why there are none and what to do."""
        if replicas is not None:
            return replicas
        if self._deferred is not None:
            raise DeferredInitializationError(
                f"{self.whose} has no values yet: its shape {self.shape} is not known before"
                " the first batch. Pass a batch through the network first, or give in_units,"
                " in_channels or the like when the layer is made"
            )
        if (self._layer or "").startswith("SymbolBlock"):
            raise GluonError(
                f"{self.whose} has no values; give their file, as in SymbolBlock.imports("
                "symbol_file, input_names, param_file), or call initialize() for new ones"
            )
        raise GluonError(
            f"{self.whose} has not been initialized; call initialize() on it or on the whole"
            " network first. A Trainer needs net.collect_params(), which has the parameters of"
            " all layers; net.params has only those of the outermost layer"
        )

    def data(self, ctx: Context | None = None) -> NDArray:
        """The values on one context.

        Parameters
        ----------
        ctx : Context, optional
            By default the only context, or the current one of several.

        Returns
        -------
        NDArray
            Of the parameter's shape and dtype; not a copy.

        Raises
        ------
        DeferredInitializationError
            If the shape is not known yet.
        GluonError
            If the parameter has not been initialized, or not on that context.
        """
        if ctx is None and self._data and len(self._data) == 1:
            return self._shown(self._data)[0]
        self._shown(self._check(self._data))
        return self._on(ctx)

    def list_data(self) -> list[NDArray]:
        """The values on all contexts, in order of initialization.

        Returns
        -------
        list of NDArray of the shape and dtype of the parameter

        Raises
        ------
        DeferredInitializationError
            If the shape is not known yet.
        GluonError
            If the parameter has not been initialized.

        Examples
        --------
        >>> from gluon import Parameter, cpu
        >>> weight = Parameter("weight", shape=(2,), init="ones")
        >>> weight.initialize(ctx=[cpu(0), cpu(1)])
        >>> [(one.ctx, one.asnumpy().tolist()) for one in weight.list_data()]
        [(cpu(0), [1.0, 1.0]), (cpu(1), [1.0, 1.0])]
        """
        return list(self._shown(self._check(self._data)))

    def _shown(self, replicas: list[NDArray]) -> list[NDArray]:
        """The replicas, if their storage is the dense one that `data` gives."""
        if self._stype != "default":
            raise GluonError(
                f"{self.whose} has stype={self._stype!r}, so its values are not given as a whole;"
                " use row_sparse_data(row_id)"
            )
        return replicas

    def _on(self, ctx: Context | None) -> NDArray:
        """The replica on a context, in any storage."""
        replicas = self._check(self._data)
        wanted = current_context() if ctx is None and len(replicas) > 1 else ctx
        for one in replicas:
            if wanted is None or one.context == wanted:
                return one
        raise GluonError(
            f"{self.whose} is on {[one.context for one in replicas]}, not on {wanted}; initialize"
            f" it there, or move it with reset_ctx({wanted})"
        )

    def grad(self, ctx: Context | None = None) -> NDArray:
        """The gradient on one context; see `data`.

        Parameters
        ----------
        ctx : Context, optional
            By default the only context, or the current one of several.

        Returns
        -------
        NDArray
            Of the parameter's shape and dtype; not a copy.

        Raises
        ------
        GluonError
            If `grad_req` is ``null``, or for the reasons of `data`.
        """
        return self._gradient(self._on(ctx))

    def _gradient(self, replica: NDArray) -> Any:
        found = gradient(replica)
        if found is None:
            raise GluonError(
                f"{self.whose} has no gradient, since its grad_req is {self._grad_req!r}; set"
                " grad_req to 'write' or 'add'"
            )
        return found

    def list_grad(self) -> list[NDArray]:
        """The gradients on all contexts.

        Returns
        -------
        list of NDArray of the shape and dtype of the parameter

        Raises
        ------
        GluonError
            For the reasons of `grad`.

        Examples
        --------
        >>> from gluon import Parameter
        >>> weight = Parameter("weight", shape=(2,))
        >>> weight.initialize()
        >>> [one.asnumpy().tolist() for one in weight.list_grad()]
        [[0.0, 0.0]]
        """
        return [self._gradient(one) for one in self._check(self._data)]

    def row_sparse_data(self, row_id: NDArray) -> NDArray:
        """Rows of a parameter with ``stype='row_sparse'``, on the context of `row_id`; recorded.

        Parameters
        ----------
        row_id : NDArray of any shape and dtype
            The numbers of the rows, in any order.

        Returns
        -------
        RowSparseNDArray of the shape and dtype of the parameter
            It stores these rows.

        Raises
        ------
        GluonError
            If the parameter is dense, or not initialized on that context.

        Examples
        --------
        >>> from gluon import Parameter, nd
        >>> weight = Parameter("weight", shape=(3, 1), stype="row_sparse", init="ones")
        >>> weight.initialize()
        >>> weight.row_sparse_data(nd.array([2, 0])).indices.asnumpy().tolist()
        [0, 2]
        """
        return self._rows("row_sparse_data", self._on(row_id.context), row_id)

    def _rows(self, name: str, replica: NDArray, row_id: NDArray) -> Any:
        if self._stype != "row_sparse":
            raise GluonError(f"{name}: {self.whose} has stype={self._stype!r}; use data()")
        return rows_of(name, replica, row_id)

    def list_row_sparse_data(self, row_id: NDArray) -> list[NDArray]:
        """The rows on all contexts; see `row_sparse_data`, and `list_data`.

        Parameters
        ----------
        row_id : NDArray of any shape and dtype
            The numbers of the rows, in any order.

        Returns
        -------
        list of RowSparseNDArray of the shape and dtype of the parameter

        Raises
        ------
        GluonError
            If the parameter is dense, or not initialized.

        Examples
        --------
        >>> from gluon import Parameter, nd
        >>> weight = Parameter("weight", shape=(3, 1), stype="row_sparse")
        >>> weight.initialize()
        >>> [one.shape for one in weight.list_row_sparse_data(nd.array([2, 0]))]
        [(3, 1)]
        """
        replicas = self._check(self._data)
        return [self._rows("list_row_sparse_data", one, row_id) for one in replicas]

    def var(self) -> Symbol:
        """The variable for the parameter in symbols, with its name and settings.

        Returns
        -------
        Symbol

        Raises
        ------
        DTypeError
            If the name of the parameter is not a string.

        Examples
        --------
        >>> from gluon import Parameter
        >>> Parameter("weight", shape=(2,), lr_mult=0.5).var().attr("__lr_mult__")
        '0.5'
        """
        settings = {
            "shape": self.shape,
            "dtype": self.dtype,
            "lr_mult": self.lr_mult,
            "wd_mult": self.wd_mult,
            "init": self.init,
        }
        # reuse the variable while its settings are unchanged
        if self._var is None or self._var[0] != settings:
            from ..symbol import var

            self._var = settings, var(self.name, stype=self._stype, **settings)
        return self._var[1]

    def list_ctx(self) -> list[Context]:
        """The contexts of the values.

        Returns
        -------
        list of Context

        Raises
        ------
        GluonError
            If the parameter has never been initialized.

        Examples
        --------
        >>> from gluon import Parameter, cpu
        >>> weight = Parameter("weight", shape=(2,))
        >>> weight.initialize(ctx=[cpu(0), cpu(1)])
        >>> weight.list_ctx()
        [cpu(0), cpu(1)]
        """
        if self._deferred is not None:
            return list(self._deferred.ctx)
        return [one.context for one in self._check(self._data)]

    def set_data(self, data: Any) -> None:
        """Replace the values on every context.

        Parameters
        ----------
        data : NDArray or numpy.ndarray of the parameter's shape, of any dtype

        Raises
        ------
        ArgumentError
            If the shape differs.

        Examples
        --------
        >>> from gluon import Parameter, nd
        >>> weight = Parameter("weight", shape=(2,))
        >>> weight.initialize()
        >>> weight.set_data(nd.array([3, 4]))
        >>> weight.data().asnumpy()
        array([3., 4.], dtype=float32)
        """
        if not hasattr(data, "shape"):
            raise DTypeError(f"{self.whose}: data is {a_type(data)}; pass nd.array(data)")
        self.shape = data.shape
        if self._data is None:
            if self._deferred is None:
                self._check(None)
            held = data if isinstance(data, Array) else wrap(NDArray, np.asarray(data))
            self._deferred = self._deferred._replace(data=held)  # type: ignore[union-attr]
            return
        for one in self._data:
            write(one, ..., fitting(data.raw, one) if isinstance(data, Array) else data)

    def _load_init(
        self,
        data: NDArray,
        ctx: Contexts,
        cast_dtype: bool = False,
        dtype_source: str = "current",
    ) -> None:
        """Load saved values that passed `_check_saved`, initialized or not.

        Parameters
        ----------
        data : NDArray of the parameter's shape
        ctx : Context or list of Context, optional
            Where to put replicas if there are none; ``cpu(0)`` by default.
        cast_dtype : bool
            Whether the dtypes may differ.
        dtype_source : {'current', 'saved'}
            Which dtype to keep if they differ: that of the parameter, or the saved one.
        """
        self.shape = data.shape
        if dtype_source == "saved" and as_dtype(self._dtype) != as_dtype(data.dtype):
            self.cast(data.dtype)
        if self._data is None and self._deferred is None:
            self._replicate(data.raw, as_contexts(DEFAULT or CPU if ctx is None else ctx))
            return
        self.set_data(data)
        self._finish_deferred_init()

    def _check_saved(
        self, data: NDArray, ctx: Contexts, cast_dtype: bool, dtype_source: str
    ) -> None:
        """Raise unless `_load_init` accepts these arguments; nothing changes.

        Raises
        ------
        ArgumentError
            If shape, dtype or context do not fit.
        """
        if dtype_source not in ("current", "saved"):
            raise ArgumentError(f"dtype_source is 'current' or 'saved', not {dtype_source!r}")
        self._check_shape(data.shape)
        if self._deferred is not None and not shape_is_known(data.shape):
            raise ArgumentError(f"{self.whose} cannot take saved values of shape {data.shape}")
        if as_dtype(self._dtype) != as_dtype(data.dtype) and not cast_dtype:
            raise ArgumentError(
                f"{self.whose} has dtype {as_dtype(self._dtype)}, the saved values"
                f" {as_dtype(data.dtype)}; pass cast_dtype=True to convert"
            )
        contexts = None if ctx is None else as_contexts(ctx)
        if self._data is None and self._deferred is None:
            for one in contexts or ():
                device(one)
        elif contexts is not None and set(contexts) != set(self.list_ctx()):
            raise ArgumentError(
                f"{self.whose} is on {self.list_ctx()} and cannot be loaded on {contexts};"
                " leave ctx out, or call reset_ctx() first"
            )

    def zero_grad(self) -> None:
        """Set the gradients to 0, if there are any.

        Examples
        --------
        >>> from gluon import Parameter, autograd
        >>> weight = Parameter("weight", shape=(2,), init="ones")
        >>> weight.initialize()
        >>> with autograd.record():
        ...     y = (weight.data() ** 2).sum()
        >>> y.backward()
        >>> weight.grad().asnumpy()
        array([2., 2.], dtype=float32)
        >>> weight.zero_grad()
        >>> weight.grad().asnumpy()
        array([0., 0.], dtype=float32)
        """
        for one in self._data or ():
            grad: Any = gradient(one)
            if grad is not None:
                if grad._is_sparse:
                    grad[:] = grad._zeros("zero_grad", None)
                else:
                    write(grad, ..., 0)


class Constant(Parameter):
    """An array of a layer that is never trained.

    Parameters
    ----------
    name : str
    value : NDArray or array-like, of any shape
        float32 unless it is an NDArray.

    Raises
    ------
    DTypeError
        If `value` holds no numbers.

    Examples
    --------
    >>> from gluon import Constant
    >>> scale = Constant("scale", [1, 2.5])
    >>> scale.initialize()
    >>> scale.data().asnumpy(), scale.grad_req
    (array([1. , 2.5], dtype=float32), 'null')
    """

    value: NDArray

    def __init__(self, name: str, value: Any) -> None:
        self.value = value if isinstance(value, NDArray) else array(value)
        super().__init__(
            name,
            "null",
            self.value.shape,
            self.value.dtype,
            init=initializer.Constant(self.value),
        )

    @property
    def grad_req(self) -> str:
        """Always ``null``; assigning anything else warns and changes nothing."""
        return "null"

    @grad_req.setter
    def grad_req(self, req: str) -> None:
        if req != "null":
            warnings.warn(
                f"{self.whose} is never trained: its grad_req stays 'null', not {req!r}",
                stacklevel=3,
            )
