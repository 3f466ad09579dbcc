"""Profile the time and memory of operators, layers and lines.

``with profiler.profile() as p:`` times a block; MXNet's functions and classes are here too. While
nothing is profiled, operators run at full speed.
"""

import typing as _typing

from .._core.hints.lookup import hinting as _hinting
from .flame import Flame
from .objects import Counter, Domain, Event, Frame, Marker, Task, scope
from .profile import Profile, profile
from .session import (
    dump,
    dump_profile,
    dumps,
    pause,
    profiler_set_config,
    profiler_set_state,
    resume,
    set_config,
    set_kvstore_handle,
    set_state,
    start,
    stop,
)

__all__ = [
    "Counter",
    "Domain",
    "Event",
    "Flame",
    "Frame",
    "Marker",
    "Profile",
    "Task",
    "dump",
    "dump_profile",
    "dumps",
    "pause",
    "profile",
    "profiler_set_config",
    "profiler_set_state",
    "resume",
    "scope",
    "set_config",
    "set_kvstore_handle",
    "set_state",
    "start",
    "stop",
]

if not _typing.TYPE_CHECKING:  # so that type checkers report wrong names
    __getattr__ = _hinting(__name__, __all__)
