"""User-defined operators with a forward and a backward, called by name with `nd.Custom`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

from . import nd
from ._core.errors import ArgumentError, DTypeError, warn_caller
from ._core.hints.lookup import hinting
from .nd._public import operators
from .nd.custom import REGISTERED

__all__ = ["CustomOp", "CustomOpProp", "get_all_registered_operators", "register"]

K = TypeVar("K", bound=type)

Lists = tuple[list, list, list]


class CustomOp:
    """Base class of the computation of a custom operator.

    Each call of `nd.Custom` creates an instance, so backward can use what forward stored in it.
    Written with NDArray operations, backward can be differentiated again, to any order.
    `CustomOpProp` has a complete example.

    Examples
    --------
    >>> from gluon import operator
    >>> class Square(operator.CustomOp):
    ...     def forward(self, is_train, req, in_data, out_data, aux):
    ...         self.assign(out_data[0], req[0], in_data[0] ** 2)
    ...     def backward(self, req, out_grad, in_data, out_data, in_grad, aux):
    ...         self.assign(in_grad[0], req[0], out_grad[0] * 2 * in_data[0])
    """

    def forward(
        self,
        is_train: bool,
        req: list[Any],
        in_data: list[Any],
        out_data: list[Any],
        aux: list[Any],
    ) -> None:
        """Compute the outputs and write them with `assign`; nothing is recorded meanwhile.

        Parameters
        ----------
        is_train : bool
            Whether in training mode.
        req : list of str
            How to write each output: ``'write'``.
        in_data, out_data, aux : list of NDArray
            The inputs, the outputs (zeros at first) and the auxiliary states, of the shapes and
            dtypes that the properties infer.
        """

    def backward(
        self,
        req: list[Any],
        out_grad: list[Any],
        in_data: list[Any],
        out_data: list[Any],
        in_grad: list[Any],
        aux: list[Any],
    ) -> None:
        """Compute the gradients of the inputs and write them with `assign`.

        Parameters
        ----------
        req : list of str
            How to write each gradient: ``'write'``, or ``'null'`` if it is not needed.
        out_grad, in_data, out_data : list of NDArray
            The gradients of the outputs, the inputs (None for one that
            `CustomOpProp.declare_backward_dependency` leaves out) and the outputs, each
            of its shape and dtype in the forward pass.
        in_grad, aux : list of NDArray
            The gradients of the inputs (zeros at first), of their shapes and dtypes, and the
            auxiliary states.

        Raises
        ------
        NotImplementedError
            If a subclass does not define it.
        """
        raise NotImplementedError(
            f"{type(self).__name__} has no backward(self, req, out_grad, in_data, out_data,"
            " in_grad, aux); for a gradient of zeros, define one that does nothing"
        )

    def assign(self, dst: Any, req: str, src: Any) -> None:
        """Write `src` to `dst` as requested by `req`.

        Parameters
        ----------
        dst : NDArray of any shape and dtype
        req : {'null', 'write', 'inplace', 'add'}
        src : NDArray, numpy.ndarray or number, of the shape of `dst` or broadcast to it
            An array of another shape gives a warning.

        Raises
        ------
        ArgumentError
            If `req` is not one of these.
        """
        given = getattr(src, "shape", ())
        if given and req != "null" and src.size != dst.size:
            warn_caller(
                f"{type(self).__name__}: assign() repeats an array of shape {given} to fill one of"
                f" shape {dst.shape}; infer_shape decides the shapes of outputs, and gradients have"
                " those of the inputs"
            )
        if req in ("write", "inplace"):
            dst[...] = src
        elif req == "add":
            dst[...] += src
        elif req != "null":
            raise ArgumentError(
                f"{type(self).__name__}: assign(dst, req, src): req={req!r} is none of 'null',"
                " 'write', 'inplace', 'add'; give req[0] for the first array"
            )


class CustomOpProp:
    """Base class that declares a custom operator; decorate subclasses with `register`.

    Parameters
    ----------
    need_top_grad : bool, default True
        Whether backward uses the gradients of the outputs; a loss does not.

    Examples
    --------
    >>> from gluon import autograd, nd, operator
    >>> class Scale(operator.CustomOp):
    ...     def __init__(self, factor):
    ...         self.factor = factor
    ...     def forward(self, is_train, req, in_data, out_data, aux):
    ...         self.assign(out_data[0], req[0], in_data[0] * self.factor)
    ...     def backward(self, req, out_grad, in_data, out_data, in_grad, aux):
    ...         self.assign(in_grad[0], req[0], out_grad[0] * self.factor)
    >>> @operator.register("scale")
    ... class ScaleProp(operator.CustomOpProp):
    ...     def __init__(self, factor="1"):
    ...         super().__init__()
    ...         self.factor = float(factor)
    ...     def create_operator(self, ctx, in_shapes, in_dtypes):
    ...         return Scale(self.factor)
    >>> x = nd.array([1, 2])
    >>> x.attach_grad()
    >>> with autograd.record():
    ...     y = nd.Custom(x, op_type="scale", factor=3)
    >>> y.backward()
    >>> y.asnumpy().tolist(), x.grad.asnumpy().tolist()
    ([3.0, 6.0], [3.0, 3.0])
    """

    def __init__(self, need_top_grad: bool = True) -> None:
        self.need_top_grad_ = need_top_grad

    def list_arguments(self) -> list[str]:
        """The names of the inputs; one, ``data``, by default.

        Examples
        --------
        >>> from gluon import operator
        >>> operator.CustomOpProp().list_arguments()
        ['data']
        """
        return ["data"]

    def list_outputs(self) -> list[str]:
        """The names of the outputs; one, ``output``, by default.

        Examples
        --------
        >>> from gluon import operator
        >>> operator.CustomOpProp().list_outputs()
        ['output']
        """
        return ["output"]

    def list_auxiliary_states(self) -> list[str]:
        """The names of auxiliary states, which forward may change; none by default.

        Examples
        --------
        >>> from gluon import operator
        >>> operator.CustomOpProp().list_auxiliary_states()
        []
        """
        return []

    def infer_shape(self, in_shape: list[Any]) -> tuple[Any, ...]:
        """The shapes of the inputs, the outputs and the auxiliary states.

        Parameters
        ----------
        in_shape : list of list of int
            The shapes of the inputs.

        Returns
        -------
        tuple of two or three lists of shapes
            By default every output has the shape of the first input; no auxiliary state.

        Examples
        --------
        >>> from gluon import operator
        >>> operator.CustomOpProp().infer_shape([[2, 3]])
        ([[2, 3]], [[2, 3]], [])
        """
        return in_shape, [in_shape[0]] * len(self.list_outputs()), []

    def infer_type(self, in_type: list[Any]) -> tuple[Any, ...]:
        """The dtypes of the inputs, the outputs and the auxiliary states.

        Parameters
        ----------
        in_type : list of type
            NumPy's types of the inputs.

        Returns
        -------
        tuple of three lists
            By default all have the type of the first input.

        Examples
        --------
        >>> import numpy as np
        >>> from gluon import operator
        >>> operator.CustomOpProp().infer_type([np.float32])
        ([<class 'numpy.float32'>], [<class 'numpy.float32'>], [])
        """
        one = [in_type[0]]
        return in_type, one * len(self.list_outputs()), one * len(self.list_auxiliary_states())

    def declare_backward_dependency(
        self, out_grad: list[int], in_data: list[int], out_data: list[int]
    ) -> list[int]:
        """The arrays that backward needs.

        Parameters
        ----------
        out_grad, in_data, out_data : list of int
            A number for each array.

        Returns
        -------
        list of int
            The numbers of the arrays to keep; all by default, except for `out_grad` without
            ``need_top_grad``.

        Examples
        --------
        >>> from gluon import operator
        >>> operator.CustomOpProp(need_top_grad=False).declare_backward_dependency([0], [1], [2])
        [1, 2]
        """
        return [*(out_grad if self.need_top_grad_ else ()), *in_data, *out_data]

    def create_operator(self, ctx: Any, in_shapes: list[Any], in_dtypes: list[Any]) -> CustomOp:
        """Create the operator for one call.

        Parameters
        ----------
        ctx : Context
        in_shapes, in_dtypes : list
            Of the inputs and the auxiliary states.

        Returns
        -------
        CustomOp
        """
        return CustomOp()


def register(reg_name: str) -> Callable[[K], K]:
    """Class decorator that registers a `CustomOpProp` for `nd.Custom`.

    Parameters
    ----------
    reg_name : str
        The ``op_type`` it is called by; an operator of that name is replaced.

    Returns
    -------
    callable
        Takes the class and returns it.

    Raises
    ------
    DTypeError
        If the class is not a subclass of `CustomOpProp`.

    Examples
    --------
    >>> from gluon import operator
    >>> @operator.register("nothing")
    ... class NothingProp(operator.CustomOpProp):
    ...     pass
    >>> NothingProp().list_outputs()
    ['output']
    """

    def add(prop_cls: K) -> K:
        if not (isinstance(prop_cls, type) and issubclass(prop_cls, CustomOpProp)):
            raise DTypeError(
                f"register: {prop_cls!r} is not a subclass of CustomOpProp; derive it from that"
            )
        REGISTERED[reg_name] = prop_cls
        return prop_cls

    return add


def get_all_registered_operators() -> list[str]:
    """The names of the operators in `gluon.nd`, in order.

    Returns
    -------
    list of str

    Examples
    --------
    >>> from gluon import operator
    >>> "Convolution" in operator.get_all_registered_operators()
    True
    """
    return sorted(operators(nd))


if not TYPE_CHECKING:  # where a wrong name is to be reported
    __getattr__ = hinting(__name__, __all__)
