"""`EvalMetric`: a mean over batches, and the base class of metrics."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, Final

import numpy as np

from .._core.errors import ArgumentError, DTypeError, MissingKeyError, a_type, warn_caller
from .._core.hints.called import OURS, Hinted
from .._core.hints.lookup import hinted
from .._core.hints.synonyms import METRIC
from .._core.kernels.linalg import wide
from .._core.kernels.memory import on_host
from .._core.registry import Registry
from ..nd import NDArray


class EvalMetric(Hinted):
    """Base class of all metrics: a mean over batches.

    A subclass defines `update`, which adds to ``sum_metric`` and to ``num_inst``.

    Parameters
    ----------
    name : str
    output_names, label_names : list of str, optional
        Which predictions and labels `update_dict` uses; all by default.
    **kwargs
        Settings, for `get_config`. With ``has_global_stats=True`` the subclass adds to
        ``global_sum_metric`` and ``global_num_inst`` too, which `reset_local` does not reset.

    Attributes
    ----------
    num_inst : int
        The number of items added up, such as samples.
    sum_metric : float
        The sum over these items.
    global_num_inst, global_sum_metric : int and float
        The same since `reset`.

    Examples
    --------
    >>> from gluon import metric, nd
    >>> class Positive(metric.EvalMetric):
    ...     def update(self, labels, preds):
    ...         self.sum_metric += (preds > 0).sum().asscalar()
    ...         self.num_inst += preds.size
    >>> share = Positive("share")
    >>> share.update(None, nd.array([1, -1]))
    >>> share.update(None, nd.array([3, 1]))
    >>> share.get_name_value()
    [('share', 0.75)]
    >>> share.reset_local()
    >>> share.get()
    ('share', nan)
    >>> share.reset()
    >>> share.get_global(), share.get_global_name_value()
    (('share', nan), [('share', nan)])
    >>> share.get_config()["name"]
    'share'
    """

    _elsewhere = METRIC
    label_names: list[str] | None
    name: str
    output_names: list[str] | None

    num_inst: Any
    sum_metric: Any
    global_num_inst: Any
    global_sum_metric: Any

    def __init__(
        self,
        name: Any,
        output_names: list[str] | None = None,
        label_names: list[str] | None = None,
        **kwargs: Any,
    ) -> None:
        self.name = str(name)
        self.output_names, self.label_names = output_names, label_names
        self._has_global_stats = kwargs.pop("has_global_stats", False)
        self._kwargs = kwargs
        self.reset()

    def __repr__(self) -> str:
        pairs = ", ".join(f"{name}={value}" for name, value in self.get_name_value())
        return f"{type(self).__name__}({pairs})"

    def __str__(self) -> str:
        return f"EvalMetric: {dict(self.get_name_value())}"

    def get_config(self) -> dict[str, Any]:
        """The settings, in which ``metric`` is the name of the class.

        Returns
        -------
        dict
            The argument for `create`.
        """
        return {
            **self._kwargs,
            "metric": type(self).__name__,
            "name": self.name,
            "output_names": self.output_names,
            "label_names": self.label_names,
        }

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if cls.__module__.startswith(OURS) and "update" in vars(cls):
            cls.update = hinted(cls.update)  # type: ignore[method-assign]

    #: Whether a batch has been looked at for mistakes.
    _looked = False

    # ------------------------------------------------------------------------------ batches

    def update(self, labels: Any, preds: Any) -> None:
        """Update the metric with a batch; subclasses define it.

        Parameters
        ----------
        labels, preds : NDArray or list of NDArray, of shape (batch, ...) and any dtype

        Raises
        ------
        NotImplementedError
            If a subclass does not define it.
        """
        raise NotImplementedError(f"{type(self).__name__} must define update(labels, preds)")

    def update_dict(self, label: dict[str, NDArray], pred: dict[str, NDArray]) -> None:
        """Update the metric with a batch of named arrays.

        Parameters
        ----------
        label, pred : dict of str to NDArray of shape (batch, ...) and any dtype

        Raises
        ------
        KeyError
            If one of `output_names` or of `label_names` is missing.

        Examples
        --------
        >>> from gluon import metric, nd
        >>> accuracy = metric.Accuracy(output_names=["out"], label_names=["kind"])
        >>> labels, predictions = {"kind": nd.array([0, 1])}, {"out": nd.array([[1, 0], [1, 0]])}
        >>> accuracy.update_dict(labels, {**predictions, "other": nd.zeros((2,))})
        >>> accuracy.get()
        ('accuracy', 0.5)
        """
        self.update(_chosen(label, self.label_names), _chosen(pred, self.output_names))

    def _add(self, total: float, count: float) -> None:
        """Add to the values since `reset_local` and to those since `reset`."""
        self.sum_metric += total
        self.num_inst += count
        self.global_sum_metric += total
        self.global_num_inst += count

    def _pairs(self, labels: Any, preds: Any) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Yield labels with their predictions, as plain arrays."""
        try:
            labels, preds = check_label_shapes(labels, preds, True)
        except (ArgumentError, DTypeError) as error:
            raise type(error)(f"{type(self).__name__}: {error}") from None
        for label, pred in zip(labels, preds):
            yield as_numpy(label), as_numpy(pred)

    def _look(self, label: np.ndarray, pred: np.ndarray, axis: int = 1) -> None:
        """Warn in the first batch if what should be classes, or scores of them, seem to be others.

        `axis` is that of the classes, which `pred` lacks if it has the shape of `label`.
        """
        if self._looked or not label.size:
            return
        self._looked, name = True, type(self).__name__
        if pred.shape == label.shape:
            cut = np.isfinite(pred)
            if pred.dtype.kind == "f" and (wrong := pred[cut & (pred != np.trunc(pred))]).size:
                warn_caller(
                    f"{name}: predictions of the shape of the labels, {pred.shape}, are read as"
                    f" classes, which cuts {wrong[0]:.4g} to {int(wrong[0])}; give pred > 0.5 for"
                    " probabilities of class 1, and label.argmax(axis=1) for one-hot labels"
                )
        elif -pred.ndim <= axis < pred.ndim:
            classes, most = pred.shape[axis], label.max()
            if classes == 1 and most > 0:
                warn_caller(
                    f"{name}: pred of shape {pred.shape} has the scores of one class, 0, and labels"
                    f" go up to {most:.4g}; for two classes give nd.concat(1 - pred, pred) of"
                    " probabilities pred, or the decisions pred > 0.5 in the shape of the labels"
                )
            elif most >= classes:
                warn_caller(
                    f"{name}: the label {most:.4g} is none of the {classes} classes of pred, which"
                    " count from 0"
                )

    def _unfit(self, label: np.ndarray, pred: np.ndarray, needs: str) -> ArgumentError:
        """Return the error for a batch whose arrays have incompatible shapes."""
        return ArgumentError(
            f"{type(self).__name__}: labels of shape {label.shape} and predictions of shape"
            f" {pred.shape}; {needs}"
        )

    # ------------------------------------------------------------------------------- results

    def reset(self) -> None:
        """Reset the metric."""
        self.global_num_inst = 0
        self.global_sum_metric = 0.0
        self.reset_local()

    def reset_local(self) -> None:
        """Reset the metric, except for `get_global`."""
        self.num_inst = 0
        self.sum_metric = 0.0

    def get(self) -> tuple[Any, Any]:
        """The name and the value since `reset` or `reset_local`.

        Returns
        -------
        tuple of str and float
            NaN before the first batch; lists of both for several metrics.
        """
        return self.name, mean(self.sum_metric, self.num_inst)

    def get_global(self) -> tuple[Any, Any]:
        """The name and the value since `reset`; as `get` for metrics without global statistics.

        Returns
        -------
        tuple of str and float
        """
        if not self._has_global_stats:
            return self.get()
        return self.name, mean(self.global_sum_metric, self.global_num_inst)

    def get_name_value(self) -> list[tuple[str, float]]:
        """The result of `get`, as a list of pairs.

        Returns
        -------
        list of tuple of str and float
        """
        return _paired(*self.get())

    def get_global_name_value(self) -> list[tuple[str, float]]:
        """The result of `get_global`, as a list of pairs.

        Returns
        -------
        list of tuple of str and float
        """
        return _paired(*self.get_global())


def mean(total: Any, count: Any) -> Any:
    """`total` divided by `count`; NaN if that is 0."""
    found = total / count if count else math.nan
    return found.item() if isinstance(found, np.generic) else found


def _paired(names: Any, values: Any) -> list[tuple[str, float]]:
    names = names if isinstance(names, list) else [names]
    values = values if isinstance(values, list) else [values]
    return list(zip(names, values))


def _chosen(arrays: dict[str, NDArray], names: list[str] | None) -> list[NDArray]:
    """Return the arrays with these names; all of them by default."""
    if not isinstance(arrays, dict):
        raise DTypeError(
            f"update_dict takes arrays by name, in dicts, not {a_type(arrays)};"
            " update(labels, preds) takes lists"
        )
    if names is None:
        return list(arrays.values())
    missing = [name for name in names if name not in arrays]
    if missing:
        raise MissingKeyError(f"unknown array {missing[0]!r}; the arrays are {', '.join(arrays)}")
    return [arrays[name] for name in names]


def as_numpy(x: Any) -> np.ndarray:
    """An array of NumPy for reading."""
    return on_host(x.raw) if isinstance(x, NDArray) else np.asarray(x)


def widened(x: np.ndarray) -> np.ndarray:
    """`x`, half precision as float32."""
    return x.astype(wide(x.dtype), copy=False)


def check_label_shapes(
    labels: Any, preds: Any, wrap: bool = False, shape: bool = False
) -> tuple[Any, Any]:
    """Raise unless there are as many predictions as labels.

    Parameters
    ----------
    labels, preds : NDArray or list of NDArray, of shape (batch, ...) and any dtype
    wrap : bool, default False
        Whether to put arrays into lists.
    shape : bool, default False
        Compare shapes instead of lengths.

    Returns
    -------
    tuple
        The labels and the predictions.

    Raises
    ------
    ArgumentError
        If the lengths or the shapes differ.
    DTypeError
        If one is neither an array nor a list.

    Examples
    --------
    >>> from gluon import metric, nd
    >>> labels, preds = metric.check_label_shapes(nd.ones((2,)), nd.ones((2, 5)), wrap=True)
    >>> len(labels), preds[0].shape
    (1, (2, 5))
    """
    for name, given in (("labels", labels), ("preds", preds)):
        if not hasattr(given, "shape" if shape else "__len__"):
            raise DTypeError(f"{name} is {a_type(given)}; pass an array, or a list of arrays")
    kind = "of shape" if shape else "with the length"
    one, other = (labels.shape, preds.shape) if shape else (len(labels), len(preds))
    if one != other:
        raise ArgumentError(f"labels {kind} {one} do not fit predictions {kind} {other}")
    if wrap:
        labels, preds = (
            [x] if isinstance(x, (NDArray, np.ndarray)) else x for x in (labels, preds)
        )
    return labels, preds


#: Every metric by the names that `create` takes, in lower case.
REGISTRY = Registry(EvalMetric, "metric")
register: Final = REGISTRY.register
alias: Final = REGISTRY.alias
