"""What holds for all tests, the examples in docstrings included."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

import pytest

pytest.register_assert_rewrite("tests")  # so that `assert` prints values in all its modules

from tests.surroundings import settle  # noqa: E402

settle()  # before NumPy is imported, whose BLAS reads the environment once

from tests import printed, skips  # noqa: E402

printed.forgive_last_bits()

#: Modules that import PyTorch, which only the first array on a device needs.
collect_ignore_glob = [] if find_spec("torch") else ["gluon/_core/devices/*.py"]


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Say in one line what was skipped, and how to run it."""
    reports = terminalreporter.stats.get("skipped", ())
    line = skips.summary(str(one.longrepr[-1]) for one in reports)
    if line:
        terminalreporter.write_line(line)
