"""Every public name of MXNet 1.9.1 is there under the hook, or the table says why not."""

from __future__ import annotations

import json
import sys
from functools import reduce
from pathlib import Path

import pytest

import gluon
import gluon.mxnet
from gluon.mxnet.missing import Later
from gluon.mxnet.modules import reason_for
from gluon.mxnet.table import ABSENT

REFERENCE = Path(__file__).resolve().parent.parent / "reference" / "mxnet_names.json"
NAMES_OF = {module: names.split() for module, names in json.loads(REFERENCE.read_text()).items()}


def explained(path: str) -> bool:
    """Whether the table tells why `path`, below ``mxnet``, is missing."""
    reason = reason_for(path)
    return reason is not None and any(
        word in reason for word in ("planned", "replaced", "out of scope")
    )


@pytest.mark.parametrize("owner", NAMES_OF)
def test_every_name_is_there_or_has_a_reason(owner):
    with gluon.mxnet.installed():
        import mxnet  # noqa: F401

        if explained(owner):
            return
        place = reduce(getattr, owner.split(".")[1:], sys.modules["mxnet"])
        unexplained = [
            name
            for name in NAMES_OF[owner]
            if not hasattr(place, name) and not explained(f"{owner}.{name}")
        ]
    assert unexplained == []


def test_no_reason_is_left_of_a_name_that_is_there():
    with gluon.mxnet.installed():
        import mxnet  # noqa: F401

        stale = []
        for path, reasons in ABSENT.items():
            steps = [step for step in path.split(".") if step]
            place = reduce(lambda one, step: getattr(one, step, None), steps, sys.modules["mxnet"])
            names = [name for words in reasons.values() for name in words.split()]
            there = [name for name in names if place and hasattr(place, name)]
            stale += [f"{path}.{one}" for one in there if type(getattr(place, one)) is not Later]
    assert stale == []
