# Made by .ci/make_stubs.py
# mypy: disable-error-code="override"

from collections.abc import Callable
from gluon._core.faces.face import Face
from gluon.symbol.np_symbol import NpSymbol
from typing import Any

from ._declared_np_methods import NpMethods as NpMethods
NP_SYMBOL = Face('gluon.symbol.np')
FLIPPED = {'greater': 'less', 'greater_equal': 'less_equal', 'less': 'greater', 'less_equal': 'greater_equal'}
def on(name: str, hint: str, /, *args: Any, **kwargs: Any) -> NpSymbol: ...
def function(name: str, hint: str='', **written: Any) -> Callable[..., NpSymbol]: ...
def pair(name: str, both: str='', number: str='') -> Callable[..., NpSymbol]: ...
