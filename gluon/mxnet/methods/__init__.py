"""Private Python methods of MXNet's classes, for gluon's classes."""

from __future__ import annotations

from typing import Any

from . import data, keys, networks, training, words

#: class of MXNet -> name -> its object
MEMBERS: dict[str, dict[str, Any]] = {
    **data.MEMBERS,
    **keys.MEMBERS,
    **networks.MEMBERS,
    **training.MEMBERS,
    **words.MEMBERS,
}
