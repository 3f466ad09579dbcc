"""The functions of `gluon.nd.contrib` on symbols."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from .. import nd
from . import control as _control  # noqa: F401  (it declares operators)
from .compose import composed as _composed
from .loops import cond as cond
from .loops import foreach as foreach
from .loops import while_loop as while_loop
from .random import uniform as uniform
from .symbol import Symbol

_NAMES = {
    "CTCLoss": "CTCLoss",
    "box_non_maximum_suppression": "_contrib_box_nms",
    "ctc_loss": "CTCLoss",
}
globals().update(_composed(nd.contrib, "_contrib_", _NAMES))
if TYPE_CHECKING:
    from ._declared_contrib import *  # noqa: F403


def rand_zipfian(
    true_classes: Symbol, num_sampled: int, range_max: int, ctx: Any = None
) -> tuple[Symbol, Symbol, Symbol]:
    """Classes drawn from a log-uniform distribution; see `nd.contrib.rand_zipfian`.

    Returns
    -------
    tuple of three Symbols
        The classes, and the expected counts of the true classes and of the drawn ones.
    """
    spread = math.log(range_max + 1)
    drawn = (uniform(0, spread, shape=(num_sampled,), dtype="float64").exp() - 1).astype("int64")
    drawn = drawn % range_max

    def expected(classes: Symbol) -> Symbol:
        own = classes.astype("float64")
        return ((own + 2.0) / (own + 1.0)).log() / spread * num_sampled

    return drawn, expected(true_classes), expected(drawn)
