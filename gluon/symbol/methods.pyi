# Made by .ci/make_stubs.py
# mypy: disable-error-code="override"

from collections.abc import Callable
from gluon._core.faces.face import Face
from typing import Any, TypeVar

from ._declared_methods import Methods as Methods
SYMBOL = Face('gluon.symbol')
Method = Callable[..., Any]
S = TypeVar('S', bound='Methods')
def parts(indices_or_sections: Any) -> dict[str, Any]: ...
