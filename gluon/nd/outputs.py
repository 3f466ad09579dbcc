"""`nd`: output layers, which propagate the gradient of a loss."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from .._core.arrays.base import A
from .._core.engine.mode import mode as now
from .._core.engine.op import RECORDED as ops
from .._core.faces.face import Face
from .._core.faces.kinds import keeps_shape
from .._core.faces.parameters import OF_ND
from .._core.faces.prototype import T
from ._checks import check_floating, check_numbers
from ._public import alias, public
from .normalization import follow


@public
def SoftmaxOutput(
    data: A,
    label: A,
    grad_scale: float = 1.0,
    ignore_label: float = -1.0,
    multi_output: bool = False,
    use_ignore: bool = False,
    preserve_shape: bool = False,
    normalization: str = "null",
    out_grad: bool = False,
    smooth_alpha: float = 0.0,
    out: A | None = None,
    name: str | None = None,
) -> A:
    """Return the softmax; its gradient is that of the cross-entropy with `label`.

    That gradient is ``(softmax - target) * grad_scale``; the target is 1 at the label and 0
    elsewhere.

    Parameters
    ----------
    data : NDArray of shape (batch, classes, ...)
        Scores, of a floating dtype. All axes but the first hold classes, unless `multi_output` or
        `preserve_shape` says otherwise.
    label : NDArray of shape (batch, ...), or of that of `data`
        The indices of the classes, of any dtype, or a probability for each class. No gradient
        reaches it.
    grad_scale : float, default 1
    ignore_label : float, default -1
        The label of samples without gradient, with ``use_ignore=True``.
    multi_output : bool, default False
        The classes are axis 1, and every position of the other axes has a label.
    use_ignore : bool, default False
    preserve_shape : bool, default False
        The classes are the last axis, and every position of the other axes has a label.
    normalization : {'null', 'batch', 'valid'}
        Divide the gradient by nothing, by the batch, or by the number of labels that are not
        `ignore_label`. With `multi_output`, ``'null'`` divides by the number of positions.
    out_grad : bool, default False
        Multiply by the incoming gradient.
    smooth_alpha : float, default 0
        Label smoothing: the probability taken from the label and spread evenly over the other
        classes.

    Returns
    -------
    NDArray of the same shape and dtype

    Raises
    ------
    ArgumentError
        If a sample does not have one label or one probability for each class, or `normalization`
        is not one of the three.
    DTypeError
        If `data` is of integers.

    Examples
    --------
    >>> from gluon import autograd, nd
    >>> x = nd.array([[0, 0]])
    >>> x.attach_grad()
    >>> with autograd.record():
    ...     y = nd.SoftmaxOutput(x, nd.array([1]))
    >>> y.backward()
    >>> y.asnumpy().tolist(), x.grad.asnumpy().tolist()
    ([[0.5, 0.5]], [[0.5, -0.5]])
    """
    check_floating("SoftmaxOutput", data)
    check_numbers("SoftmaxOutput", grad_scale=grad_scale, ignore_label=ignore_label)
    check_numbers("SoftmaxOutput", smooth_alpha=smooth_alpha)
    return ops.softmax_output(
        data,
        label,
        grad_scale=grad_scale,
        ignore_label=ignore_label,
        multi_output=multi_output,
        use_ignore=use_ignore,
        preserve_shape=preserve_shape,
        normalization=normalization,
        out_grad=out_grad,
        smooth_alpha=smooth_alpha,
    )


Softmax: Final = alias("Softmax", SoftmaxOutput)


def fitted(
    data: A,
    label: A,
    grad_scale: float = 1.0,
    out: A | None = None,
    name: str | None = None,
) -> A:
    """A loss of data and label.

    Parameters
    ----------
    data : NDArray of shape (batch, ...)
        Of a floating dtype.
    label : NDArray of shape (batch, ...) and any dtype
        As many values as `data` has. No gradient reaches it.
    grad_scale : float, default 1
        A factor of the gradient, which is also divided by the number of values in a sample.

    Returns
    -------
    NDArray of the same shape and dtype

    Raises
    ------
    ArgumentError
        If `label` has another number of values or another first axis.
    DTypeError
        If `data` is of integers.
    """
    raise NotImplementedError


LEARNT = Face(
    "gluon.nd",
    "from gluon import autograd, nd",
    """x = nd.array([[0], [0]])
>>> x.attach_grad()
>>> with autograd.record():
...     y = nd.{name}({given})
>>> y.backward()
>>> y.asnumpy().tolist(), x.grad.asnumpy().tolist()""",
    rounds=False,
    parameters=OF_ND,
)


def _regression(
    like: T, op: Callable[..., Any], function: str, title: str, value: str, slope: str
) -> T:
    def call(
        data: A,
        label: A,
        grad_scale: float = 1.0,
        out: A | None = None,
        name: str | None = None,
    ) -> A:
        check_floating(function, data)
        check_numbers(function, grad_scale=grad_scale)
        return op(data, label, grad_scale=grad_scale)

    title, given = f"Return the {title} instead of its own", "x, nd.array([[1], [-2]])"
    return public(LEARNT.made(like, call, function, title, given, f"({value}, {slope})"))


LinearRegressionOutput: Final = _regression(
    fitted,
    ops.linear_output,
    "LinearRegressionOutput",
    "data, with the gradient of half the squared error",
    "[[0.0], [0.0]]",
    "[[-1.0], [2.0]]",
)
LogisticRegressionOutput: Final = _regression(
    fitted,
    ops.logistic_output,
    "LogisticRegressionOutput",
    "sigmoid, with the gradient of the binary cross-entropy",
    "[[0.5], [0.5]]",
    "[[-0.5], [2.5]]",
)
MAERegressionOutput: Final = _regression(
    fitted,
    ops.absolute_output,
    "MAERegressionOutput",
    "data, with the gradient of the absolute error",
    "[[0.0], [0.0]]",
    "[[-1.0], [1.0]]",
)


@keeps_shape
@public
def MakeLoss(
    data: A,
    grad_scale: float = 1.0,
    valid_thresh: float = 0.0,
    normalization: str = "null",
    out: A | None = None,
    name: str | None = None,
) -> A:
    """Return the data; its gradient is `grad_scale`, whatever the head gradient.

    Parameters
    ----------
    data : NDArray of a floating dtype, of any shape
        A loss.
    grad_scale : float, default 1
    valid_thresh : float, default 0
        ``'valid'`` counts the values above this.
    normalization : {'null', 'batch', 'valid'}
        Divide the gradient by nothing, by the product of all lengths but the last, or by the
        number of valid values.

    Returns
    -------
    NDArray of the same shape and dtype

    Raises
    ------
    ArgumentError
        If `normalization` is not one of the three.
    DTypeError
        If `data` is of integers.

    Examples
    --------
    >>> from gluon import autograd, nd
    >>> x = nd.array([1, 2, 3, 4])
    >>> x.attach_grad()
    >>> with autograd.record():
    ...     loss = nd.MakeLoss(x * x, grad_scale=0.5)
    >>> loss.backward()
    >>> x.grad.asnumpy().tolist()
    [1.0, 2.0, 3.0, 4.0]
    """
    check_floating("MakeLoss", data)
    check_numbers("MakeLoss", grad_scale=grad_scale, valid_thresh=valid_thresh)
    return ops.loss_output(
        data, grad_scale=grad_scale, valid_thresh=valid_thresh, normalization=normalization
    )


@keeps_shape
@public
def make_loss(data: A, out: A | None = None, name: str | None = None) -> A:
    """Return the data; its gradient is 1. The same as `MakeLoss` without options.

    Parameters
    ----------
    data : NDArray of any shape and dtype
        A loss.

    Returns
    -------
    NDArray of the same shape and dtype

    Raises
    ------
    DTypeError
        If `data` is not an NDArray.

    Examples
    --------
    >>> from gluon import autograd, nd
    >>> x = nd.array([1, 2])
    >>> x.attach_grad()
    >>> with autograd.record():
    ...     y = nd.make_loss(x * x) * 100
    >>> y.backward()
    >>> x.grad.asnumpy().tolist()
    [2.0, 4.0]
    """
    return ops.loss_output(data)


@public
def SVMOutput(
    data: A,
    label: A,
    margin: float = 1.0,
    regularization_coefficient: float = 1.0,
    use_linear: bool = False,
    out: A | None = None,
    name: str | None = None,
) -> A:
    """Return the data; its gradient is that of the hinge loss.

    With s = -1 for the class of the label and 1 for the others, that loss is the sum of
    ``max(0, margin + s * data)``, squared by default.

    Parameters
    ----------
    data : NDArray of shape (batch, ..., classes)
        Scores, of a floating dtype.
    label : NDArray of shape (batch, ...) and any dtype
        The indices of the classes. No gradient reaches it.
    margin : float, default 1
    regularization_coefficient : float, default 1
        A factor of the loss.
    use_linear : bool, default False
        Use the loss itself instead of its square.

    Returns
    -------
    NDArray of the same shape and dtype

    Raises
    ------
    ArgumentError
        If `label` does not have one value for each position of the other axes.
    DTypeError
        If `data` is of integers.

    Examples
    --------
    >>> from gluon import autograd, nd
    >>> x = nd.array([[2, 0.5, -3]])
    >>> x.attach_grad()
    >>> with autograd.record():
    ...     y = nd.SVMOutput(x, nd.array([1]))
    >>> y.backward()
    >>> x.grad.asnumpy().tolist()
    [[6.0, -1.0, 0.0]]
    """
    check_floating("SVMOutput", data)
    check_numbers("SVMOutput", margin=margin, regularization_coefficient=regularization_coefficient)
    return ops.svm_output(
        data,
        label,
        margin=margin,
        regularization_coefficient=regularization_coefficient,
        use_linear=bool(use_linear),
    )


@public
def IdentityAttachKLSparseReg(
    data: A,
    sparseness_target: float = 0.1,
    penalty: float = 0.001,
    momentum: float = 0.9,
    moving_avg: A | None = None,
    out: A | None = None,
    name: str | None = None,
) -> A:
    """Return the data, and add the gradient of a sparsity penalty to its own.

    The penalty is ``t * log(t / a) + (1 - t) * log((1 - t) / (1 - a))``, where t is the target and
    a is the average activation of a unit.

    Parameters
    ----------
    data : NDArray of shape (batch, units, ...)
        Activations between 0 and 1, such as sigmoids, of a floating dtype.
    sparseness_target : float, default 0.1
        The target t.
    penalty : float, default 0.001
        A factor of the added gradient.
    momentum : float, default 0.9
        The weight of the old running average.
    moving_avg : NDArray of shape (units,), optional
        The running average, updated in training; by default the average of the batch is used.

    Returns
    -------
    NDArray of the same shape and dtype

    Raises
    ------
    ArgumentError
        If `data` has less than two axes, or `moving_avg` does not have one value for each unit.
    DTypeError
        If `data` is of integers.

    Examples
    --------
    >>> from gluon import autograd, nd
    >>> x = nd.array([[0.5], [0.5]])
    >>> x.attach_grad()
    >>> with autograd.record():
    ...     y = nd.IdentityAttachKLSparseReg(x, sparseness_target=0.25, penalty=1)
    >>> y.backward()
    >>> x.grad.asnumpy().tolist()
    [[2.0], [2.0]]
    """
    check_floating("IdentityAttachKLSparseReg", data)
    check_numbers("IdentityAttachKLSparseReg", penalty=penalty, momentum=momentum)
    check_numbers("IdentityAttachKLSparseReg", sparseness_target=sparseness_target)
    mean = ops.mean(data, axis=(0, *range(2, data.ndim)))
    average = moving_avg
    if average is None:
        average, momentum = ops.zeros_like(mean), 0.0
    found = ops.kl_sparse(
        data, average, sparseness_target=sparseness_target, penalty=penalty, momentum=momentum
    )
    if moving_avg is not None and now().training:
        follow(moving_avg, mean, momentum)
    return found
