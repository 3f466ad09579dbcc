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
def test_a_project_for_mxnet_moves_without_a_difference(tmp_path):
    text = output("move_your_mxnet_project.py", "--folder", str(tmp_path))
    before, after = re.findall(r"accuracy ([\d.]+), loss ([\d.]+)", text)
    assert before == after
    assert float(before[0]) > 0.95
    assert "classes: [1, 0, 1]" in text
    assert "same scores: True" in text


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


#: For each script, what to find in its output and what must hold for the numbers found.
TUTORIALS = {
    "character_lstm.py": (
        r"bits per character: ([\d.]+), and ([\d.]+) from",
        lambda lstm, pairs: lstm < pairs - 0.8,
    ),
    "dcgan_digits.py": (
        r"score: ([\d.]+) for forged digits, ([\d.]+) for real",
        lambda forged, real: 5.5 < forged < real <= 10,
    ),
    "digits_classifiers.py": (
        r"regression .* ([\d.]+)% .*\nperceptron .* ([\d.]+)% .*\n"
        r"LeNet .* ([\d.]+)% .*\nResNet .* ([\d.]+)% ",
        lambda softmax, perceptron, lenet, resnet: (
            softmax >= 94 and perceptron >= 96 and lenet >= 97 and resnet >= 98
        ),
    ),
    "matrix_factorisation.py": (
        r"error: ([\d.]+), from offsets alone ([\d.]+), from the noise ([\d.]+)",
        lambda error, offsets, noise: noise < error < 1.5 * noise < offsets,
    ),
    "newton_cg.py": (
        r"Newton-CG: gradient (\S+) .*\n.*momentum: gradient (\S+) .*\nAdam: gradient (\S+) ",
        lambda newton, momentum, adam: newton < 1e-9 < min(momentum, adam),
    ),
    "vae_digits.py": (
        r"nats .*: ([\d.]+), and ([\d.]+) with .*\nsquared error: ([\d.]+), and ([\d.]+) with",
        lambda nats, mean, error, linear: nats < 0.4 * mean and error < linear,
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("script", TUTORIALS)
def test_tutorials_reach_what_they_promise(script, tmp_path):
    for module in ("sklearn", "matplotlib", "tqdm"):
        pytest.importorskip(module)
    picture = tmp_path / "picture.png"
    text = output(script, "--output", str(picture))
    pattern, holds = TUTORIALS[script]
    found = re.search(pattern, text)
    assert found, text
    assert holds(*map(float, found.groups())), found[0]
    assert picture.stat().st_size > 10_000
