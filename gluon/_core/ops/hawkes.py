"""The operator of Hawkes processes, whose intensity decays."""

from __future__ import annotations

from typing import Any, Final

from ..engine.op import define
from ..kernels import hawkes as kernels


def _arriving(F: Any, g: Any, a: Any) -> Any:
    """Return the cotangent of each b: its own, plus all later ones times their factors."""
    after = F.concat(F.getitem(a, key=LATER), F.zeros_like(F.getitem(a, key=FIRST)), axis=1)
    return F.flip(F.linear_scan(F.flip(after, axis=1), F.flip(g, axis=1)), axis=1)


def _factor(F: Any, g: Any, a: Any, y: Any) -> Any:
    before = F.concat(F.zeros_like(F.getitem(y, key=FIRST)), F.getitem(y, key=EARLIER), axis=1)
    return _arriving(F, g, a) * before


FIRST = (slice(None), slice(0, 1))
LATER = (slice(None), slice(1, None))
EARLIER = (slice(None), slice(None, -1))
linear_scan: Final = define(
    "linear_scan",
    kernels.linear_scan,
    "y[k] = a[k] y[k - 1] + b[k] along the second axis; a[0] does not count",
    a=_factor,
    b=_arriving,
)
