"""What the scripts of this folder share: they test a library, and print what came out."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import mxnet
import numpy as np

PASSED, FAILED, SKIPPED = "passed", "failed", "skipped"


class Results:
    """The outcome of each test of a library, for a table.

    Parameters
    ----------
    client : str
        The library, as it is called where it is installed from.
    """

    def __init__(self, client: str) -> None:
        self.client = client
        self.rows: list[tuple[str, str, str]] = []
        self.begun = time.perf_counter()

    def add(self, name: str, outcome: str, why: str = "") -> None:
        """Note an outcome and show it: long runs are watched."""
        self.rows.append((name, outcome, why))
        print(f"{outcome:8} {name}" + f"  ({why})" * bool(why), flush=True)

    def check(self, name: str, test: Callable[[], Any]) -> None:
        """Run a test, which returns what is worth a note in the table."""
        try:
            note = test()
        except Exception as error:
            traceback.print_exc()
            self.add(name, FAILED, brief(f"{type(error).__name__}: {error}"))
        else:
            self.add(name, PASSED, note or "")

    def suite(self, *arguments: str) -> None:
        """Run tests that are the library's own with pytest."""
        import pytest

        quiet = ["--no-header", "--tb=native", "-p", "no:cacheprovider", "-W", "ignore"]
        alone = ["-c", os.devnull, "--rootdir", sys.prefix]  # no settings of the working folder
        pytest.main([*quiet, *alone, *arguments], plugins=[Plugin(self)])

    def finish(self) -> None:
        """Print the sums and end with status 1 if anything failed, or nothing ran."""
        counts = Counter(outcome for _, outcome, _ in self.rows)
        sums = ", ".join(f"{counts[one]} {one}" for one in (PASSED, FAILED, SKIPPED))
        version = importlib.metadata.version(self.client)
        print(f"\n{self.client} {version}: {sums} in {time.perf_counter() - self.begun:.1f} s")
        print(
            f"MXNet {mxnet.__version__}, Python {platform.python_version()}, NumPy {np.__version__}"
        )
        sys.exit(bool(counts[FAILED]) or not counts[PASSED])


class Plugin:
    """Hands the outcomes of pytest on to a table."""

    def __init__(self, results: Results) -> None:
        self.results = results

    def pytest_runtest_logreport(self, report: Any) -> None:
        """One row for each test; a setup has one only where it ends the test."""
        if report.when != "call" and report.passed:
            return
        file, _, test = report.location
        name = f"{Path(file).name}::{test}"
        if report.skipped:
            self.results.add(name, SKIPPED, brief(report.longrepr[2]))
        elif report.failed:
            self.results.add(name, FAILED, last_line(report))
        else:
            self.results.add(name, PASSED)

    def pytest_collectreport(self, report: Any) -> None:
        """A file that cannot be imported is one failure."""
        if report.failed:
            self.results.add(Path(report.nodeid).name, FAILED, last_line(report))


def last_line(report: Any) -> str:
    """The line of a traceback that has the error."""
    lines = [line for line in report.longreprtext.splitlines() if line.strip()]
    errors = [line for line in lines if line[0] not in " \t" and "Error" in line]
    return brief((errors or lines)[-1])


def brief(text: str, width: int = 160) -> str:
    """The first line of `text`, cut to a width."""
    line = text.strip().partition("\n")[0]
    return line if len(line) <= width else f"{line[: width - 1]}…"
