"""The functions of `gluon.nd.linalg` on symbols, made of them; the stub lists them for editors."""

from .. import nd
from .compose import composed as _composed

globals().update(_composed(nd.linalg, "_linalg_"))
