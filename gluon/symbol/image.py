"""The functions of `gluon.nd.image` on symbols, made of them; the stub lists them for editors."""

from .. import nd
from .compose import composed

globals().update(composed(nd.image, "_image_"))
