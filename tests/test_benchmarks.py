"""The benchmarks run and print their tables; how fast they are is not tested."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
pytestmark = pytest.mark.slow


def rows_of(module: str, *arguments: str) -> list[list[str]]:
    """The cells of the Markdown table that a benchmark prints."""
    command = [sys.executable, "-m", f"benchmarks.{module}", "--quick", *arguments]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300)
    assert run.returncode == 0, run.stderr
    lines = [line for line in run.stdout.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


@pytest.mark.parametrize("arguments", [(), ("--alone",)])
def test_overhead_prints_a_row_for_each_operator(arguments: tuple[str, ...]) -> None:
    header, _, *rows = rows_of("overhead", *arguments)
    assert header[:3] == ["µs", "gluon", "NumPy"]
    assert {"exp, -x", "x * w", "dot 4x4", "Function"} <= {row[0] for row in rows}
    assert all(float(row[1]) > 0 for row in rows)


def test_steps_prints_a_row_for_each_step() -> None:
    header, _, *rows = rows_of("steps")
    assert header[:2] == ["ms", "gluon"]
    assert [row[0] for row in rows[:3]] == ["linear regression", "perceptron", "LeNet"]
    assert all(float(row[1]) > 0 for row in rows)


def test_checkpoint_prints_a_row_for_each_length() -> None:
    header, _, *rows = rows_of("checkpoint")
    assert header == ["layers", "plain", "checkpointed", "/ √layers", "time / plain"]
    assert [row[0] for row in rows] == ["9", "16"]
    for layers, plain, checkpointed, *_ in rows:
        assert int(layers) <= float(plain) < int(layers) + 6
        assert float(checkpointed) < 2 * int(layers) ** 0.5 + 4


def test_operators_prints_a_row_for_each_operator_and_size() -> None:
    header, _, *rows = rows_of("operators", "--only", "exp", "argmax", "Convolution")
    assert header[:2] == ["small", "forward µs"]
    small = ["argmax", "exp", "Convolution"]
    assert [row[0] for row in rows if set(row[0]) - set(":-")] == [*small, "large", *small]
