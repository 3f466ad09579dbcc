"""`npx.image`: the functions of `gluon.image` and the operators of `nd.image` in one module."""

import typing as _typing

from .. import image as _pictures
from .._core.arrays.switch import is_np_array
from ..image import *  # noqa: F403
from ..nd import image as _operators
from ..nd.absent import missing as _missing
from ..nd.image import *  # noqa: F403

__all__ = ["is_np_array"]
__all__ += _pictures.__all__
__all__ += _operators.__all__


def __dir__() -> list[str]:
    return __all__


if not _typing.TYPE_CHECKING:  # so that type checkers report wrong names

    def __getattr__(name: str) -> _typing.Any:
        raise _missing("npx.image", name, __all__)
