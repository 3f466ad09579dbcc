"""The functions of `gluon.nd.linalg` on symbols, made of them; the stub lists them for editors."""

import typing as _typing

from .. import nd
from .compose import composed as _composed

globals().update(_composed(nd.linalg, "_linalg_"))
if _typing.TYPE_CHECKING:
    from ._declared_linalg import *  # noqa: F403
