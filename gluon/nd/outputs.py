"""`nd`: output layers, which send back the gradient of a loss that is never computed."""

from __future__ import annotations

from collections.abc import Callable

from ..engine.op import RECORDED as F
from ..ndarray import NDArray
from ._public import floating, public


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
    floating("SoftmaxOutput", data)
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
        floating(name, data)
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
    floating("MakeLoss", data)
    return F.loss_output(
        data, grad_scale=grad_scale, valid_thresh=valid_thresh, normalization=normalization
    )


@public
def make_loss(data: NDArray) -> NDArray:
    """The data, with the gradient 1 everywhere, whatever comes after; see `MakeLoss`."""
    return F.loss_output(data)
