"""The loss of connectionist temporal classification."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .._core.errors import ArgumentError
from .base import Loss, _apply_weighting

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ..block.naming import Naming


class CTCLoss(Loss):
    """Connectionist temporal classification: the negative log-likelihood of label sequences.

    Classes are numbered from 0, and the last one is the blank; see `nd.CTCLoss`.

    Parameters
    ----------
    layout : {'NTC', 'TNC'}
        The order of the axes of predictions: samples, steps, classes.
    label_layout : {'NT', 'TN'}
        The order of the axes of labels.
    weight : float, optional
        A factor of the loss.
    **kwargs
        ``prefix`` and ``params``; see `Block`.

    Raises
    ------
    ArgumentError
        If a layout is not one of these.

    Examples
    --------
    >>> from gluon import loss, nd
    >>> scores = nd.zeros((1, 2, 3))  # one sample, two steps; class 2 is the blank
    >>> print(f"{nd.exp(-loss.CTCLoss()(scores, nd.array([[0, -1]]))).asscalar():.4f}")
    0.3333
    """

    def __init__(
        self,
        layout: str = "NTC",
        label_layout: str = "NT",
        weight: float | None = None,
        **kwargs: Unpack[Naming],
    ) -> None:
        for name, given, known in (
            ("layout", layout, ("NTC", "TNC")),
            ("label_layout", label_layout, ("NT", "TN")),
        ):
            if given not in known:
                raise ArgumentError(f"CTCLoss: {name} {given!r} is not one of {', '.join(known)}")
        super().__init__(weight, label_layout.find("N"), **kwargs)
        self._layout, self._label_layout = layout, label_layout

    def hybrid_forward(
        self,
        F: Any,
        pred: Any,
        label: Any,
        pred_lengths: Any = None,
        label_lengths: Any = None,
        sample_weight: Any = None,
    ) -> Any:
        """The loss of each sample.

        Parameters
        ----------
        F : module
        pred : NDArray of shape (batch, steps, classes), or as `layout` says, floating
            Scores before the softmax.
        label : NDArray of shape (batch, labels), or as `label_layout` says, of any dtype
            -1 pads.
        pred_lengths : NDArray of shape (batch,), of any dtype, optional
            How many steps to use; all by default.
        label_lengths : NDArray of shape (batch,), of any dtype, optional
            How many labels to use; those before the first padding by default.
        sample_weight : NDArray of shape (batch,), of any dtype, optional

        Returns
        -------
        NDArray of shape (batch,)
        """
        shapes = getattr(pred, "shape", ()), getattr(label, "shape", ())
        samples = self._layout.index("N"), self._label_layout.index("N")
        if [*map(len, shapes)] == [3, 2] and shapes[0][samples[0]] != shapes[1][samples[1]]:
            raise ArgumentError(
                f"CTCLoss: pred of shape {shapes[0]} has {shapes[0][samples[0]]} samples in layout"
                f" {self._layout!r}, and label of shape {shapes[1]} has {shapes[1][samples[1]]} in"
                f" label_layout {self._label_layout!r}; make the loss with other layouts, such as"
                " layout='TNC'"
            )
        if self._layout == "NTC":
            pred = F.swapaxes(pred, dim1=0, dim2=1)
        if self._label_layout == "TN":
            label = F.swapaxes(label, dim1=0, dim2=1)
        loss = F.CTCLoss(
            pred,
            label,
            pred_lengths,
            label_lengths,
            use_data_lengths=pred_lengths is not None,
            use_label_lengths=label_lengths is not None,
            blank_label="last",
        )
        return _apply_weighting(F, loss, self._weight, sample_weight)
