"""Private methods of MXNet's classes that are plain Python there, for gluon's classes."""

from __future__ import annotations

from typing import Any

from . import data, keys, networks, training, words

#: class of MXNet -> names -> what they are
MEMBERS: dict[str, dict[str, Any]] = {
    **data.MEMBERS,
    **keys.MEMBERS,
    **networks.MEMBERS,
    **training.MEMBERS,
    **words.MEMBERS,
}
