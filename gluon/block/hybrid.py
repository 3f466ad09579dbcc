"""`HybridBlock`: a block that computes with the operators of a given namespace."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from .. import autograd, nd
from .._core.arrays.context import CPU
from .._core.errors import ArgumentError, DTypeError, GluonError, a_type
from .._core.hints.called import OURS
from .._core.hints.lookup import meant, parameters
from ..nd import NDArray
from ..parameter import DeferredInitializationError, Parameter
from ..utils import shape_is_known
from .base import BAD_INPUT, Block, inputs_of, is_located, located, miscounted, whose
from .shapes import Inference, inferring, stand_in, unknown
from .watch import Watched, arrays


class HybridBlock(Block):
    """Base class of layers that define `hybrid_forward`.

    `hybrid_forward` gets the operators as ``F``, which is `gluon.nd`, and the block's own
    parameters as keyword arguments with the names of their attributes. A block that is called with
    symbols returns a symbol; ``F`` is then `gluon.sym`.

    Parameters
    ----------
    prefix : str, optional
        The start of the names of its parameters; see `Block`.
    params : ParameterDict, optional
        Parameters to share with another block.

    Examples
    --------
    >>> from gluon import HybridBlock, nd
    >>> class Scaled(HybridBlock):
    ...     def __init__(self, **kwargs):
    ...         super().__init__(**kwargs)
    ...         self.factor = self.params.get("factor", shape=(1,), init="ones")
    ...     def hybrid_forward(self, F, x, factor):
    ...         return F.broadcast_mul(F.relu(x), factor)
    >>> layer = Scaled()
    >>> layer.initialize()
    >>> layer(nd.array([-1, 2])).asnumpy()
    array([0., 2.], dtype=float32)
    """

    #: The nesting of the inputs in the first call after `hybridize`.
    _called_with: Any = None
    #: Whether the first operator is called ``fwd`` in symbols.
    _names_fwd: bool = False

    def _within(self) -> str:
        """Return the part between the prefix and the names of operators in symbols."""
        return ""

    def register_child(self, block: Block, name: str | None = None) -> None:
        """Register `block` as a child, under `name` or its number.

        Raises
        ------
        ArgumentError
            If it is not a `HybridBlock`.
        """
        if not isinstance(block, HybridBlock):
            raise ArgumentError(
                f"the children of {whose(self)} are HybridBlocks, and {block!r} is"
                f" {a_type(block)}; put it into an nn.Sequential or a Block"
            )
        super().register_child(block, name)

    def forward(self, x: Any, *args: Any, **kwargs: Any) -> Any:
        """The output of `hybrid_forward`, with the parameters on the context of `x`.

        Parameters
        ----------
        x, *args : NDArray of any shape and dtype
        **kwargs
            Keyword arguments of `hybrid_forward`.

        Raises
        ------
        ArgumentError, DTypeError
            If the inputs do not fit; the message names the layer and its parameters.
        """
        if isinstance(x, NDArray):
            ctx = x._ctx
        else:
            from . import symbolic  # lazy, because symbols take long to import

            if symbolic.has_symbols((x, *args)):
                return symbolic.composed(self, x, *args, **kwargs)
            ctx = context_of(self, (x, *args))
        params = {**kwargs}
        try:
            for name, one in self._reg_params.items():
                held = one._data
                params[name] = (
                    first if held and (first := held[0])._ctx is ctx else one.data(ctx or CPU)
                )
        except GluonError as error:
            if inferring.get():
                return _infer(self, x, args, kwargs)
            if not isinstance(error, DeferredInitializationError):
                raise
            _find_shapes(partial(HybridBlock.forward, self, **kwargs), x, *args)
            self._begin(x)
            return HybridBlock.forward(self, x, *args, **kwargs)
        try:
            F = Watched(self) if self._op_hooks and not inferring.get() else nd
            return self.hybrid_forward(F, x, *args, **params)
        except BAD_INPUT as error:
            if is_located(error):
                raise
            raise located(self, error, (x, *args)) from None
        except AttributeError:
            if (found := _no_array((x, *args))) is None:
                raise
            raise located(self, found, (x, *args)) from None
        except TypeError as error:
            if error.__traceback__.tb_next is not None:  # type: ignore[union-attr]
                raise
            reason = self._miscounted((x, *args)) or f"{error}; {_called_as(self, args)}"
            raise located(self, DTypeError(reason), (x, *args)) from None

    def _begin(self, x: Any) -> None:
        """Initialize parameters after the first input, `x`, has shown their shapes."""
        for one in self._reg_params.values():
            one._finish_deferred_init()

    def _miscounted(self, args: tuple[Any, ...]) -> str:
        if type(self).forward is not HybridBlock.forward:
            return super()._miscounted(args)
        reason = miscounted(self.hybrid_forward, args, "F", *self._reg_params)
        left = self._input_names()[len(args) :]
        if reason and left and self._reg_params and not type(self).__module__.startswith(OURS):
            reason += (
                f"; if {left[0]} is a parameter, make it in __init__, as in self.{left[0]} ="
                f" self.params.get({left[0]!r}, shape=...)"
            )
        return reason

    def _input_names(self) -> list[str]:
        if type(self).forward is not HybridBlock.forward and (found := super()._input_names()):
            return found
        return list(inputs_of(self.hybrid_forward, "F", *self._reg_params) or ())

    def infer_shape(self, *args: Any) -> None:
        """Infer the unknown shapes of all parameters from inputs, without initializing them.

        Parameters
        ----------
        *args : NDArray or Symbol
            The inputs of a forward pass; only their shapes are used, not dtypes or values. Symbols
            have the shapes that their variables were created with.

        Raises
        ------
        ArgumentError
            If the operators that use a parameter do not determine its shape.

        Examples
        --------
        >>> from gluon import nd, nn
        >>> net = nn.HybridSequential()
        >>> net.add(nn.Dense(4), nn.Dense(2))
        >>> net.infer_shape(nd.ones((5, 3)))
        >>> net[0].weight.shape, net[1].weight.shape
        ((4, 3), (2, 4))
        """
        from . import symbolic

        if symbolic.has_symbols(args):
            symbolic.infer_from(self, args)
        else:
            _find_shapes(self.forward, *args)

    def infer_type(self, *args: Any) -> None:
        """Cast all parameters to the dtype of the inputs, if the layers can compute with it.

        Parameters
        ----------
        *args : NDArray of any shape
            The inputs of a forward pass. The first one with a floating dtype is used.

        Examples
        --------
        >>> from gluon import nd, nn
        >>> layer = nn.Dense(2)
        >>> layer.infer_type(nd.ones((5, 3), dtype="float64"))
        >>> layer.weight.dtype
        <class 'numpy.float64'>
        """
        dtypes = [one.dtype for one in arrays(args) if one.form.dtype.kind in "fV"]
        if dtypes:
            self.cast(dtypes[0])

    def hybridize(
        self,
        active: bool = True,
        backend: str | None = None,
        clear: bool = True,
        static_alloc: bool = False,
        static_shape: bool = False,
        inline_limit: int = 2,
        forward_bulk_size: int | None = None,
        backward_bulk_size: int | None = None,
        **kwargs: Any,
    ) -> None:
        """Run calls as programs where that is faster.

        The first call afterwards records the inputs for `export`. After about a hundred calls with
        arguments of the same form, two are watched, to become a program; see `program`. Values and
        gradients stay the same, up to the order in which sums are added. With the environment
        variable ``GLUON_PROGRAM=0``, the block runs operator by operator; with ``1``, the second
        call is watched already.

        Parameters
        ----------
        active : bool, default True
            False drops the programs.
        backend, clear, static_alloc, static_shape, inline_limit
            Accepted without effect: memory is planned in advance in any case, and a new shape gets
            a program of its own.
        forward_bulk_size, backward_bulk_size
            Accepted without effect: a program is one bulk.
        **kwargs
            Accepted without effect, with a warning if neither MXNet nor a backend knows them.
        """
        for name in () if backend else kwargs.keys() - {"flags"}:
            way_out = meant(name, parameters(HybridBlock.hybridize))
            warnings.warn(
                f"hybridize: the option {name!r} is unknown and has no effect{way_out}",
                stacklevel=2,
            )
        options = {"static_alloc": static_alloc, "static_shape": static_shape, **kwargs}
        super().hybridize(active, **options)
        from .compiled import Programs  # late: networks that are not hybridized need none of it

        self._programs = Programs() if active else None

    def program(self) -> str:
        """The programs of a hybridized block as text, and why calls ran as written.

        Returns
        -------
        str

        Examples
        --------
        >>> from gluon import nn
        >>> layer = nn.Dense(2, prefix="out_")
        >>> print(layer.program())
        out: call hybridize() first
        """
        if self._programs is None:
            return f"{self.name}: call hybridize() first"
        return self._programs.text(self.name)

    def optimize_for(
        self,
        x: Any,
        *args: Any,
        backend: str | None = None,
        clear: bool = False,
        static_alloc: bool = False,
        static_shape: bool = False,
        inline_limit: int = 2,
        forward_bulk_size: int | None = None,
        backward_bulk_size: int | None = None,
        **kwargs: Any,
    ) -> None:
        """Unsupported: MXNet's compilation for a `backend`.

        Parameters
        ----------
        x, *args : NDArray of any shape and dtype
        backend : str
        clear, static_alloc, static_shape, inline_limit, forward_bulk_size, backward_bulk_size
        **kwargs

        Raises
        ------
        GluonError
            Always.

        Examples
        --------
        >>> from gluon import GluonError, nd, nn
        >>> try:
        ...     nn.Dense(2).optimize_for(nd.ones((1, 3)))
        ... except GluonError:
        ...     print("there is no backend")
        there is no backend
        """
        raise GluonError(
            f"{whose(self)}: optimize_for() supports no backends, got {backend!r}; call the block"
            " without it"
        )

    def hybrid_forward(self, F: Any, x: Any, *args: Any, **params: Any) -> Any:
        """Compute the output from the inputs and parameters; subclasses define it.

        Parameters
        ----------
        F : module
            The operators: `gluon.nd`, or `gluon.sym` for symbols.
        x : NDArray of any shape and dtype
        *args : NDArray of any shape and dtype
            Further inputs.
        **params : NDArray
            The block's own parameters, in their shapes and dtypes.

        Returns
        -------
        NDArray, or list or tuple of them, of any shape and dtype

        Raises
        ------
        NotImplementedError
            If a subclass does not define it.
        """
        raise NotImplementedError(f"{type(self).__name__} must define hybrid_forward(self, F, x)")

    def export(self, path: str, epoch: int = 0, remove_amp_cast: bool = True) -> tuple[str, str]:
        """Save the network as a symbol with its parameters, in MXNet's files.

        Call `hybridize` and then the block once before, so that its inputs are known. They are
        named ``data``, or ``data0``, ``data1`` and so on. `SymbolBlock.imports`,
        `model.load_checkpoint` and MXNet read the files.

        Parameters
        ----------
        path : str
            The start of the names of the files.
        epoch : int, default 0
            A number in the name of the file of parameters.
        remove_amp_cast : bool, default True
            Omit the casts of automatic mixed precision.

        Returns
        -------
        tuple of str
            The names of the files, ``path-symbol.json`` and ``path-0000.params``.

        Raises
        ------
        GluonError
            If the block was not called after `hybridize`.

        Examples
        --------
        >>> import tempfile
        >>> from gluon import SymbolBlock, nd, nn
        >>> net = nn.Dense(2, weight_initializer="ones")
        >>> net.initialize()
        >>> net.hybridize()
        >>> y = net(nd.array([[1, 2, 3]]))
        >>> files = net.export(f"{tempfile.mkdtemp()}/net")
        >>> again = SymbolBlock.imports(files[0], "data", files[1])
        >>> again(nd.array([[1, 2, 3]])).asnumpy()
        array([[6., 6.]], dtype=float32)
        """
        from .symbolic import exported

        return exported(self, path, epoch, remove_amp_cast)

    def export_onnx(self, path: str, *args: NDArray, **options: Any) -> str:
        """Save the network as an ONNX file, for onnxruntime and other runtimes.

        Parameters
        ----------
        path : str
            The name of the file, such as ``'net.onnx'``.
        *args : NDArray
            Example inputs, which set the shapes and dtypes; the block is called once with them.
        **options
            Options of `onnx.export_model`, such as ``dynamic=True`` and ``opset_version``.

        Returns
        -------
        str
            `path`.

        Raises
        ------
        ArgumentError
            If an operator has no counterpart in ONNX.
        GluonError
            If the package onnx is not installed.

        Examples
        --------
        >>> import tempfile
        >>> from gluon import nd, nn, onnx
        >>> net = nn.Dense(2, weight_initializer="ones")
        >>> net.initialize()
        >>> path = net.export_onnx(f"{tempfile.mkdtemp()}/net.onnx", nd.ones((1, 3)))
        >>> onnx.import_to_gluon(path)(nd.array([[1, 2, 3]])).asnumpy()
        array([[6., 6.]], dtype=float32)
        """
        from .compiled import structure
        from .symbolic import written_as_onnx

        return written_as_onnx(self, path, args, options, structure(args))


def _find_shapes(forward: Callable, *args: Any) -> None:
    """Run `forward` to infer the shapes of the parameters that it uses."""
    first = next(arrays(args), None)
    before = inferring.set(True)
    try:
        with autograd.pause(), np.errstate(all="ignore"), CPU if first is None else first.context:
            forward(*args)
    finally:
        inferring.reset(before)


def context_of(block: HybridBlock, inputs: tuple) -> Any:
    """The context of the first array in nested lists of `inputs`."""
    found = next(arrays(inputs), None)
    if found is None:
        kinds = ", ".join(type(one).__name__ for one in inputs)
        lost = any(one is None for one in inputs)
        error = ArgumentError(
            f"it needs an NDArray among its inputs and got: {kinds}; convert with nd.array(...)"
            + (", and have the block before return its output" if lost else "")
        )
        raise located(block, error, inputs)
    return found._ctx


def _no_array(inputs: tuple) -> DTypeError | None:
    """Return the error for an input that is not an array of gluon, or None if all are."""
    for one in inputs:
        if isinstance(one, np.ndarray) or (isinstance(one, (list, tuple)) and not [*arrays(one)]):
            return DTypeError(f"an input is {a_type(one)}; convert it with nd.array(...)")
    return None


def _called_as(block: HybridBlock, args: tuple) -> str:
    """Describe how `HybridBlock.forward` calls `hybrid_forward`, for messages."""
    inputs = ["x", *(f"x{k}" for k in range(2, 2 + len(args)))]
    given = ", ".join(["self", "F", *inputs, *block._reg_params])
    return f"it is called as hybrid_forward({given}), of nd, the inputs and the parameters"


ADVICE = "; pass inputs that fit, or give the shapes in full where the layer is made"


def _infer(block: HybridBlock, x: Any, args: tuple, kwargs: dict[str, Any]) -> Any:
    """Run `hybrid_forward` with stand-ins for the parameters, whose shapes it infers."""
    params = {name: _stand_in(one) for name, one in block._reg_params.items()}
    try:
        if getattr(x, "_of_numpy", False):
            from .probe import probe

            x = probe(x)
        return block.hybrid_forward(Inference(), x, *args, **params, **kwargs)
    except (GluonError, ValueError, TypeError, IndexError, AttributeError) as error:
        if hasattr(error, "layer"):
            raise
        if type(error) is TypeError and (reason := block._miscounted((x, *args))):
            raise located(block, DTypeError(reason), (x, *args)) from None
        if all(shape_is_known(one.shape) for one in block._reg_params.values()):
            raise located(block, error, (x, *args)) from None
        if isinstance(x, (list, tuple)):
            reason = (
                f"the input is {a_type(x)} of {len(x)}, not an array; a batch with labels"
                " is a list, so unpack it, as in `for x, y in loader`"
            )
            raise located(block, DTypeError(reason), (x, *args)) from None
        way_out = "" if ";" in str(error) else ADVICE
        uncertain = ArgumentError(
            f"the shapes of the parameters cannot be inferred ({error}){way_out}"
        )
        raise located(block, uncertain, (x, *args)) from None


def _stand_in(parameter: Parameter) -> Any:
    """Return the values of a parameter, ones of its shape, or a probe that infers the shape."""
    if parameter._data and len(parameter._data) == 1:
        return parameter._data[0]
    return stand_in(parameter) if shape_is_known(parameter.shape) else unknown(parameter)
