"""`gluon.symbol`: networks as graphs of calls, to be composed, bound, saved and loaded."""

from __future__ import annotations

import typing as _typing

from .._core.hints.lookup import hinting as _hinting
from . import contrib as contrib
from . import image as image
from . import internal as _rest  # noqa: F401  (it declares operators)
from . import linalg as linalg
from . import np as np
from . import npx as npx
from . import numbers as _numbers  # noqa: F401  (it declares operators)
from . import random as random
from . import sparse as sparse
from .executor import Executor as Executor
from .functions import add as add
from .functions import arange as arange
from .functions import concatenate as concatenate
from .functions import divide as divide
from .functions import equal as equal
from .functions import eye as eye
from .functions import full as full
from .functions import full_like as full_like
from .functions import greater as greater
from .functions import greater_equal as greater_equal
from .functions import histogram as histogram
from .functions import hypot as hypot
from .functions import lesser as lesser
from .functions import lesser_equal as lesser_equal
from .functions import linspace as linspace
from .functions import logical_and as logical_and
from .functions import logical_or as logical_or
from .functions import logical_xor as logical_xor
from .functions import maximum as maximum
from .functions import minimum as minimum
from .functions import modulo as modulo
from .functions import multiply as multiply
from .functions import not_equal as not_equal
from .functions import ones as ones
from .functions import pow as pow
from .functions import power as power
from .functions import split_v2 as split_v2
from .functions import subtract as subtract
from .functions import true_divide as true_divide
from .functions import zeros as zeros
from .history import get_symbol as get_symbol
from .loading import fromjson as fromjson
from .loading import load as load
from .loading import load_json as load_json
from .nd_functions import *  # noqa: F403
from .symbol import Group as Group
from .symbol import Symbol as Symbol
from .variable import Variable as Variable
from .variable import var as var

if not _typing.TYPE_CHECKING:  # where a wrong name is to be reported
    __getattr__ = _hinting(__name__, [name for name in globals() if name[0] != "_"])
