"""`gluon.symbol`: networks as graphs of calls, to be composed, bound, saved and loaded."""

from __future__ import annotations

from . import contrib as contrib
from . import image as image
from . import linalg as linalg
from . import numbers as _numbers
from . import random as random
from .executor import Executor as Executor

from .loading import load as load
from .loading import load_json as load_json
from .history import get_symbol as get_symbol
from .loading import fromjson as fromjson
from .op import *  # noqa: F403
from .symbol import Group as Group
from .symbol import Symbol as Symbol
from .variable import Variable as Variable
from .variable import var as var
