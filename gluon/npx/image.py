"""`npx.image`: the pictures of `gluon.image` and the operators of `nd.image`, by one name."""

from typing import Any

from .. import image as _pictures
from ..image import *  # noqa: F403
from ..nd import image as _operators
from ..nd.absent import missing
from ..ndarray.switch import is_np_array as is_np_array

globals().update({_name: getattr(_operators, _name) for _name in _operators.__all__})

__all__ = sorted({*_pictures.__all__, *_operators.__all__, "is_np_array"})


def __dir__() -> list[str]:
    return __all__


def __getattr__(name: str) -> Any:
    raise missing("npx.image", name, __all__)
