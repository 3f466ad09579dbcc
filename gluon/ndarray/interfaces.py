"""The two classes of arrays by name, for modules that those classes are built on.

`gluon.nd._array` and `gluon.np._array` define the classes and enter them here, since the functions
that become their methods stand below them. Write ``interfaces.NDArray`` in a function, where the
class is known by then.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .switch import is_np_array

if TYPE_CHECKING:
    from ..nd._array import NDArray as NDArray
    from ..np._array import ndarray as ndarray


def chosen_class() -> Any:
    """The class of the arrays that Gluon makes: what `set_np` switches."""
    return ndarray if is_np_array() else NDArray


class Symbolic:
    """The base of symbols, which layers can ask for without an import of `gluon.symbol`."""

    __slots__ = ()
