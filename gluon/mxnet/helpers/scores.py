"""``mxnet.metric``: the counts behind F1 and Matthews's correlation."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..._hook.members import Reading
from ...metric.confusion import F1, MCC

COUNTS = ("true_positives", "false_positives", "false_negatives", "true_negatives")


def _ratio(positives: str, others: str) -> Reading:
    """Return ``positives / (positives + others)``, or 0 without any."""

    def read(self: Any) -> float:
        part, rest = getattr(self, positives), getattr(self, others)
        return float(part / (part + rest)) if part + rest > 0 else 0.0

    return Reading(read)


def _score(start: str) -> Reading:
    return Reading(lambda self: F1._score(self._counts(start)))


def _total(start: str) -> Reading:
    return Reading(lambda self: self._counts(start).sum())


class _BinaryClassificationMetrics:
    """Counts right and wrong predictions of two classes, and computes scores."""

    def __init__(self) -> None:
        self.reset_stats()

    def update_binary_stats(self, label: Any, pred: Any) -> None:
        """Add labels and the scores of both classes to the counts."""
        found = F1()._counted(label.asnumpy(), pred.asnumpy())
        for name, more in zip(COUNTS, found):
            for key in (name, f"global_{name}"):
                setattr(self, key, getattr(self, key) + more)

    def _counts(self, start: str) -> np.ndarray:
        return np.array([getattr(self, start + name) for name in COUNTS])

    precision = _ratio("true_positives", "false_positives")
    global_precision = _ratio("global_true_positives", "global_false_positives")
    recall = _ratio("true_positives", "false_negatives")
    global_recall = _ratio("global_true_positives", "global_false_negatives")
    fscore, global_fscore = _score(""), _score("global_")
    total_examples, global_total_examples = _total(""), _total("global_")

    def matthewscc(self, use_global: bool = False) -> float:
        """Matthews's correlation, or 0 without samples."""
        return MCC._score(self._counts("global_" if use_global else ""))

    def local_reset_stats(self) -> None:
        """Reset the counts, except for the global ones."""
        for name in COUNTS:
            setattr(self, name, 0)

    def reset_stats(self) -> None:
        """Reset all counts."""
        self.local_reset_stats()
        for name in COUNTS:
            setattr(self, f"global_{name}", 0)
