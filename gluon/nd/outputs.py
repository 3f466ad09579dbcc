"""`nd`: output layers, which send back the gradient of a loss that is never computed."""

from __future__ import annotations

from collections.abc import Callable

from ..engine.mode import mode as now
from ..engine.op import RECORDED as F
from ..ndarray import NDArray
from ._public import public
from .normalization import follow


@public
def SoftmaxOutput(
    data: NDArray,
    label: NDArray,
    grad_scale: float = 1.0,
    ignore_label: float = -1.0,
    multi_output: bool = False,
    use_ignore: bool = False,
    preserve_shape: bool = False,
    normalization: str = "null",
    out_grad: bool = False,
    smooth_alpha: float = 0.0,
) -> NDArray:
    """The softmax, with the gradient of the cross-entropy with `label`, whatever comes after.

    Parameters
    ----------
    data : NDArray of shape (batch, classes, ...)
    label : NDArray of shape (batch, ...), or of that of `data`
        The numbers of the classes, or a probability for each.
    grad_scale : float, default 1
    ignore_label : float, default -1
        The label of samples without gradient, with ``use_ignore=True``.
    multi_output : bool, default False
        The classes are axis 1, and every place of the other axes has a label.
    use_ignore : bool, default False
    preserve_shape : bool, default False
        The classes are the last axis, and every place of the other axes has a label.
    normalization : {'null', 'batch', 'valid'}
        Divide by nothing, by the batch, or by the number of labels not ignored.
    out_grad : bool, default False
        Multiply by the gradient that comes from the loss.
    smooth_alpha : float, default 0
        The probability spread over the classes other than the label.

    Returns
    -------
    NDArray of the same shape
    """
    return F.softmax_output(
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


Softmax = SoftmaxOutput


def _regression(op: Callable, name: str, doc: str) -> Callable:
    def call(data: NDArray, label: NDArray, grad_scale: float = 1.0) -> NDArray:
        return op(data, label, grad_scale=grad_scale)

    call.__name__ = call.__qualname__ = name
    call.__doc__ = f"""{doc}, whatever comes after.

    Parameters
    ----------
    data : NDArray of shape (batch, ...)
    label : NDArray with as many values
    grad_scale : float, default 1

    Returns
    -------
    NDArray of the same shape
    """
    return public(call)


LinearRegressionOutput = _regression(
    F.linear_output,
    "LinearRegressionOutput",
    "The data, with the gradient of half the squared error",
)
LogisticRegressionOutput = _regression(
    F.logistic_output,
    "LogisticRegressionOutput",
    "The sigmoid, with the gradient of the binary cross-entropy",
)
MAERegressionOutput = _regression(
    F.absolute_output, "MAERegressionOutput", "The data, with the gradient of the absolute error"
)


@public
def MakeLoss(
    data: NDArray,
    grad_scale: float = 1.0,
    valid_thresh: float = 0.0,
    normalization: str = "null",
) -> NDArray:
    """The data, with the gradient `grad_scale` everywhere, whatever comes after.

    Parameters
    ----------
    data : NDArray
    grad_scale : float, default 1
    valid_thresh : float, default 0
        ``'valid'`` counts the values above.
    normalization : {'null', 'batch', 'valid'}
        Divide by nothing, by the batch, or by the number of valid values.

    Returns
    -------
    NDArray of the same shape
    """
    return F.loss_output(
        data, grad_scale=grad_scale, valid_thresh=valid_thresh, normalization=normalization
    )


@public
def make_loss(data: NDArray) -> NDArray:
    """The data, with the gradient 1 everywhere, whatever comes after; see `MakeLoss`."""
    return F.loss_output(data)


@public
def SVMOutput(
    data: NDArray,
    label: NDArray,
    margin: float = 1.0,
    regularization_coefficient: float = 1.0,
    use_linear: bool = False,
) -> NDArray:
    """The data, with the gradient of a support vector machine's loss, whatever comes after.

    With s = -1 for the class of the label and 1 for the others, that loss is the sum of
    ``max(0, margin + s * data)``, squared by default.

    Parameters
    ----------
    data : NDArray of shape (batch, ..., classes)
        Scores.
    label : NDArray of shape (batch, ...)
        The numbers of the classes.
    margin : float, default 1
    regularization_coefficient : float, default 1
        What the loss is multiplied by.
    use_linear : bool, default False
        Take the loss as it is, not its square.

    Returns
    -------
    NDArray of the same shape

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
    return F.svm_output(
        data,
        label,
        margin=margin,
        regularization_coefficient=regularization_coefficient,
        use_linear=bool(use_linear),
    )


@public
def IdentityAttachKLSparseReg(
    data: NDArray,
    sparseness_target: float = 0.1,
    penalty: float = 0.001,
    momentum: float = 0.9,
    moving_avg: NDArray | None = None,
) -> NDArray:
    """The data; the gradient of a penalty on units that are active too often is added to its own.

    The penalty is ``t * log(t / a) + (1 - t) * log((1 - t) / (1 - a))``, t the target and a the
    average activation of a unit.

    Parameters
    ----------
    data : NDArray of shape (batch, units, ...)
        Activations between 0 and 1, such as sigmoids.
    sparseness_target : float, default 0.1
        The average activation wanted.
    penalty : float, default 0.001
        What the added gradient is multiplied by.
    momentum : float, default 0.9
        The share that the running average keeps of itself.
    moving_avg : NDArray of shape (units,), optional
        The running average, moved in training; by default the batch counts alone.

    Returns
    -------
    NDArray of the same shape

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
    mean = F.mean(data, axis=(0, *range(2, data.ndim)))
    average = moving_avg
    if average is None:
        average, momentum = F.zeros_like(mean), 0.0
    found = F.kl_sparse(
        data, average, sparseness_target=sparseness_target, penalty=penalty, momentum=momentum
    )
    if moving_avg is not None and now().training:
        follow(moving_avg, mean, momentum)
    return found
