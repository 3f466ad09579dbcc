"""The warning that gradients are dense where sparse ones are asked for."""

from __future__ import annotations

import warnings

_SAID: set[str] = set()


def warn_dense(what: str) -> None:
    """Warn, once in a process, that `what` has a dense gradient.

    With momentum or weight decay the results differ from those of MXNet, whose lazy updates skip
    the rows that a batch does not use.
    """
    if what in _SAID:
        return
    _SAID.add(what)
    warnings.warn(
        f"{what}: the gradient is dense, so an optimizer with momentum or weight decay moves all"
        " rows, not only those of the batch; leave the argument out to accept this",
        stacklevel=4,
    )
