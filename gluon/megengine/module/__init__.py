"""MegEngine's modules: models, layers and the initialization of parameters."""

import typing as _typing

from ..._core.faces.names import public_names as _public_names
from ..absent import missing as _missing
from . import init as init
from . import module as module
from .attention import *  # noqa: F403
from .fused import *  # noqa: F403
from .layers import *  # noqa: F403
from .module import Module as Module
from .normalization import *  # noqa: F403
from .places import *  # noqa: F403
from .plain import *  # noqa: F403
from .rnn import *  # noqa: F403

if not _typing.TYPE_CHECKING:  # type checkers use the imports above and report wrong names
    __all__ = _public_names(__name__, "init", "module")
    __getattr__ = _missing("module", __all__)
