"""The two array classes by name, for the modules below them.

`gluon.nd._array` and `gluon.np._array` define the classes and enter them here, since the functions
that become their methods stand below them. Write ``interfaces.NDArray`` in a function, where the
class is known by then.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .switch import is_np_array

if TYPE_CHECKING:
    from ...nd._array import NDArray as NDArray
    from ...np._array import ndarray as ndarray


#: Imports a module of gluon by name; set by `gluon`, which is above all floors.
public: Any = None


#: The classes of sparse arrays by storage type; `gluon.nd.sparse` enters them.
SPARSE: dict[str, Any] = {}


def chosen_class() -> Any:
    """The class of the arrays that Gluon makes: what `set_np` switches."""
    return public("np").ndarray if is_np_array() else NDArray


if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        if name == "ndarray":  # `gluon.np` was not imported yet
            return public("np").ndarray
        raise AttributeError(name)


class Symbolic:
    """The base of symbols, which layers can ask for without an import of `gluon.symbol`."""

    __slots__ = ()
