# Made by .ci/make_stubs.py
# mypy: disable-error-code="override"

from collections.abc import Mapping
from gluon.symbol.symbol import Symbol
from typing import Any

def fromjson(json_str: str) -> Symbol:
    """Create a symbol from the JSON of `Symbol.tojson` or of MXNet 0.8 to 1.9."""
def Variable(name: str, attr: Mapping[str, str] | None=None, shape: tuple[int, ...] | None=None, lr_mult: float | None=None, wd_mult: float | None=None, dtype: Any=None, init: Any=None, stype: str | None=None, **kwargs: str) -> Symbol:
    """A variable."""
