"""Functions that no device computes: on copies of their arrays on the host."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .. import tree
from ..devices.common import Unimplemented
from ..engine.array import Array
from ..errors import DTypeError
from ..kernels.memory import Buffer
from .base import DeviceArray
from .context import CPU, current_context


def through_host(
    name: str, function: Callable[..., Any], args: Any, kwargs: dict[str, Any], why: Unimplemented
) -> Any:
    """What a function gives for copies of its arrays on the host, back on their device; recorded.

    It says so once.
    """
    from ..devices.start import warn_host  # late: only devices need it

    if isinstance(out := kwargs.get("out"), Array) and isinstance(out.raw, Buffer):
        raise DTypeError(f"{name}: {why}, and out is there; leave out=") from None
    warn_host(name, why)
    default, places = current_context(), []

    def down(x: Any) -> Any:
        if not (isinstance(x, DeviceArray) and isinstance(x.raw, Buffer)):
            return x
        places.append(x.context)
        return x.as_in_context(CPU)

    with CPU:
        args, kwargs = tree.map(down, (args, kwargs))
        found = function(*args, **kwargs)
    if found is None:
        raise DTypeError(f"{name}: {why}, where it would write; call it on a copy there") from None

    def back(y: Any) -> Any:
        is_text = not isinstance(y, DeviceArray) or y.form.dtype.kind in "OSU"
        return y if is_text else y.as_in_context(places[0] if places else default)

    return tree.map(back, found)
