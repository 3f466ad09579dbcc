"""The tutorials run, reach what they promise, and write their pictures."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


def output(script: str, *arguments: str) -> str:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, ROOT / "tutorials" / script, *arguments],
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_both_ways_to_record_a_step_agree():
    assert "largest difference of gradients:   0.0e+00" in output("grad_manager_step.py")


@pytest.mark.slow
def test_adversarial_digits(tmp_path):
    for module in ("sklearn", "matplotlib", "tqdm"):
        pytest.importorskip(module)
    picture = tmp_path / "digits.png"
    text = output("adversarial_digits.py", "--output", str(picture))
    assert float(re.search(r"held out: ([\d.]+)%", text)[1]) >= 97
    rows = re.findall(r"^ +([\d.]+) +([\d.]+)% +([\d.]+)% +([\d.]+)%$", text, re.M)
    for *_, clean, fgsm, pgd in rows:
        assert float(pgd) <= float(fgsm) + 1 <= float(clean)
    assert float(rows[-1][3]) < 10
    assert picture.stat().st_size > 10_000
