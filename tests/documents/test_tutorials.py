"""The tutorials run as notebooks and scripts, reach their stated results, and end with a picture.

Building the documentation runs them as notebooks. `.ci/run` then sets EXECUTED_TUTORIALS to the
folder where it left them, and their numbers are looked up there; before, it sets it to "later".
Otherwise each runs as a script.
"""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[2]
MAIN_JOB = "adversarial_digits"
NOTEBOOKS = sorted({p.stem for p in (ROOT / "tutorials").glob("*.py")} - {MAIN_JOB})
INDEX = (ROOT / "docs" / "tutorials" / "index.md").read_text(encoding="utf-8")


def cells(text: str) -> list[tuple[bool, str]]:
    """Split a script in percent format into cells: whether each is prose, and its lines."""
    head, *parts = re.split(r"^# %%( \[markdown\])?$", text, flags=re.M)
    assert not head
    return [(bool(mark), lines.strip()) for mark, lines in zip(parts[::2], parts[1::2])]


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_notebooks_have_the_percent_format(name):
    (is_prose, title), *_ = found = cells((ROOT / "tutorials" / f"{name}.py").read_text("utf-8"))
    assert is_prose
    assert title.startswith("# # ")
    for is_prose, lines in found:
        assert lines
        if is_prose:
            assert all(line.startswith("#") for line in lines.splitlines())
        else:
            ast.parse(lines)
    assert lines.endswith(f'figure.savefig("{name}.png", dpi=120)\nplt.show()')


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_no_line_of_a_paragraph_begins_like_a_list(name):
    text = (ROOT / "tutorials" / f"{name}.py").read_text(encoding="utf-8")
    lists = re.findall(r"^(# .+)\n(# (?:[-+*]|1\.) .*)", text, re.MULTILINE)
    assert [
        second for first, second in lists if not re.match(r"# (?:[-+*]|\d+\.) |#   ", first)
    ] == []


def test_the_index_lists_each_notebook():
    described = re.findall(r"^- \{doc\}`(\w+)`: ", INDEX, re.M)
    in_navigation = re.search(r":hidden:\n\n(.+?)\n```", INDEX, re.S)[1].split()
    assert described == in_navigation
    assert sorted(described) == NOTEBOOKS == sorted(PROMISES)


def run(name: str, folder: Path, *arguments: str) -> str:
    """Run a script in this folder, and return its output."""
    for module in ("matplotlib", "tqdm", *([] if name == MAIN_JOB else ["sklearn"])):
        pytest.importorskip(module)
    if "onnx" in name:
        pytest.importorskip("skl2onnx")
        pytest.importorskip("onnxruntime")
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "MPLBACKEND": "Agg"}
    script = ROOT / "tutorials" / f"{name}.py"
    done = subprocess.run(
        [sys.executable, script, *arguments],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def looked_up(path: Path) -> tuple[str, int]:
    """Return what an executed notebook printed, and the number of pictures in its last cell."""
    notebook = json.loads(path.read_text(encoding="utf-8"))
    outputs = [cell["outputs"] for cell in notebook["cells"] if cell["cell_type"] == "code"]
    streams = (one for some in outputs for one in some if one.get("name") == "stdout")
    pictures = sum("image/png" in one.get("data", ()) for one in outputs[-1])
    return "".join("".join(one["text"]) for one in streams), pictures


@pytest.mark.slow
def test_adversarial_digits(tmp_path):
    picture = tmp_path / "digits.png"
    text = run(MAIN_JOB, tmp_path, "--output", str(picture))
    assert float(re.search(r"held out: ([\d.]+)%", text)[1]) >= 97
    rows = re.findall(r"^ +([\d.]+) +([\d.]+)% +([\d.]+)% +([\d.]+)%$", text, re.M)
    for *_, clean, fgsm, pgd in rows:
        assert float(pgd) <= float(fgsm) + 1 <= float(clean)
    assert float(rows[-1][3]) < 10
    assert picture.stat().st_size > 10_000


def test_the_digits_are_those_of_scikit_learn():
    expected = pytest.importorskip("sklearn.datasets").load_digits()
    found = np.load(ROOT / "tutorials" / "digits.npz")
    np.testing.assert_array_equal(found["pictures"], expected.images)
    np.testing.assert_array_equal(found["labels"], expected.target)


#: For each notebook, what to find in its output and what must hold for the numbers found.
PROMISES = {
    "adversarial_attacks": (
        r"plain training: ([\d.]+)% .*\nunder attack: ([\d.]+)% (?:.*\n)+"
        r"deepfool +plain +fools ([\d.]+)%, median length ([\d.]+)\n(?:.*\n)"
        r"carlini_wagner +plain +fools ([\d.]+)%, median length ([\d.]+)\n",
        lambda plain, guarded, deepfool, far, wagner, near: (
            plain >= 97 and guarded >= 90 and min(deepfool, wagner) >= 95 and near < far
        ),
    ),
    "attack_an_onnx_file": (
        r"differ by (\S+)\nas it came: ([\d.]+)% right, ([\d.]+)% .*\n"
        r"trained on: ([\d.]+)% right, ([\d.]+)% .*\nonnxruntime: ([\d.]+)% right, .* (\S+)\n",
        lambda first, plain, fooled, guarded, withstands, outside, last: (
            max(first, last) < 1e-5 and withstands > fooled + 20 and outside == guarded >= 95
        ),
    ),
    "autograd_in_ten_minutes": (
        r"root ([\d.]+), slope ([\d.]+), .*\n(?:.*\n)*order 4: largest difference (\S+)",
        lambda root, slope, difference: (
            abs(root - 3) < 1e-5 and abs(slope - 1 / 6) < 1e-5 and difference < 1e-5
        ),
    ),
    "character_lstm": (
        r"bits per character: ([\d.]+), and ([\d.]+) from",
        lambda lstm, pairs: lstm < pairs - 0.7,
    ),
    "custom_operators": (
        r"losses are (\S+) apart (?:.*\n)+([\d.]+) MiB kept by 49 (?:.*\n)+([\d.]+) MiB kept by 10",
        lambda apart, composed, fused: apart < 1e-2 and fused < composed / 2,
    ),
    "dcgan_digits": (
        r"score: ([\d.]+) for forged digits, ([\d.]+) for real",
        lambda forged, real: 5.5 < forged < real <= 10,
    ),
    "digits_classifiers": (
        r"regression .* ([\d.]+)%\nperceptron .* ([\d.]+)%\n"
        r"LeNet .* ([\d.]+)%\nResNet .* ([\d.]+)%",
        lambda softmax, perceptron, lenet, resnet: (
            softmax >= 94 and perceptron >= 96 and lenet >= 97 and resnet >= 98
        ),
    ),
    "fine_tune_exported": (
        r"last layer trained: ([\d.]+)% right\nall from scratch: +([\d.]+)% right\n"
        r"(?:.*\n)+0\.2 +([\d.]+)% +([\d.]+)%\nscores (\S+) apart, the same signs: True",
        lambda tuned, scratch, fooled, noisy, apart: (
            tuned > max(93, scratch + 2) and fooled < 45 < 80 < noisy and apart < 1e-5
        ),
    ),
    "fit_an_ode": (
        r"misfit ([\d.]+) at the start, ([\d.]+) at the end",
        lambda start, end: end < 0.15 * start,
    ),
    "grad_manager_step": (
        r"difference of gradients: +(\S+)\n.*after the step: +(\S+)",
        lambda gradients, parameters: gradients == parameters == 0,
    ),
    "grad_managers": (
        r"loss ([\d.]+)\n.*loss ([\d.]+)\n.*: (\S+); by finite differences (\S+)\n",
        lambda first, last, slope, nearly: (
            last < first / 2 and abs(slope - nearly) < 0.01 * abs(nearly)
        ),
    ),
    "hamiltonian_monte_carlo": (
        r"Hamiltonian +mean of y +([\d.]+), variance +([\d.]+), .* ([\d.]+)\n.* ([\d.]+)\n",
        lambda mean, variance, slides, walks: (
            abs(mean - 1) < 0.1 and abs(variance - 2.09) < 0.3 and slides < walks
        ),
    ),
    "linear_regression": (
        r"descent +([\d.]+) .*\n.*momentum +([\d.]+) .*\nexact +([\d.]+) ",
        lambda descent, momentum, exact: exact <= min(descent, momentum) < 1.02 * exact,
    ),
    "matrix_factorisation": (
        r"test error: ([\d.]+); with offsets only: ([\d.]+); of the noise: ([\d.]+)",
        lambda error, offsets, noise: noise < error < 1.5 * noise < offsets,
    ),
    "move_your_mxnet_project": (
        r"loss ([\d.]+)\naccuracy ([\d.]+)\n(?:.*\n)+.*loss ([\d.]+)\naccuracy ([\d.]+)\n"
        r"classes: \[1, 0, 1\]\n(?:.*\n)+same scores: True",
        lambda before, right, after, still_right: before == after and right == still_right > 0.95,
    ),
    "newton_cg": (
        r"Newton-CG: gradient (\S+) .*\n.*momentum: gradient (\S+) .*\nAdam: gradient (\S+) ",
        lambda newton, momentum, adam: newton < 1e-9 < min(momentum, adam),
    ),
    "private_digits": (
        r"from a loop: (\S+)\n(?:.*\n)+epsilon +inf: .* ([\d.]+)% of the digits.*\n"
        r"(?:.*\n)+epsilon +2\.0: .* ([\d.]+)% of the digits.*\n"
        r"(?:.*\n)*epsilon +0\.5: .* ([\d.]+)% of the digits",
        lambda apart, without, some, much: (
            apart < 1e-5 and without >= 95 and without > some > max(88, much)
        ),
    ),
    "robustness_of_each_digit": (
        r"held out: ([\d.]+)%\n(?:.*\n)+fooled .*: ([\d.]+)%, .*: ([\d.]+)%\n"
        r"smallest radius: median ([\d.]+), .*\n.*estimate: ([\d.]+)\n",
        lambda right, near, far, median, together: (
            right >= 95 and near < 5 and far > 50 and 0.02 < median < 0.3 and together > 0.8
        ),
    ),
    "compile_a_step": (
        r"loss: ([\d.]+) at first, ([\d.]+) at .*\n.*: ([\d.]+)%\n.*at most (\S+)\n(?:.*\n)+"
        r"new numbers: (\d+), and Python gives (\d+)",
        lambda first, last, right, apart, now, python: (
            last < first / 4 and right > 90 and apart < 1e-2 and now == python == 105
        ),
    ),
    "two_processes": (
        r"megengine +accuracy ([\d.]+)%; loss ([\d.]+) in 1 process, ([\d.]+) in \d\n"
        r"mxnet +accuracy ([\d.]+)%; loss ([\d.]+) in 1 process, ([\d.]+) in \d\n"
        r"horovod +accuracy ([\d.]+)%; loss ([\d.]+) in 1 process, ([\d.]+) in \d\n",
        lambda *found: (
            min(found[::3]) >= 93
            and all(abs(one - two) <= 0.001 for one, two in zip(found[1::3], found[2::3]))
            and found[4] == found[7]
        ),
    ),
    "two_towers": (
        r"best ten: ([\d.]+)% before training, ([\d.]+)% after it\n.*: ([\d.]+)%\n.*\n"
        r"sparse +[\d.]+ +([\d.]+) +([\d.]+)\ndense +[\d.]+ +([\d.]+) +([\d.]+)\n",
        lambda before, after, best, memory, grad, full_memory, full_grad: (
            before < 20
            and 40 < after < best
            and full_grad == 128
            and grad < full_grad / 100
            and memory < full_memory / 5
        ),
    ),
    "vibrations_of_water": (
        r"rank of the Jacobian: (\d)\n(?:.*\n)+error: ([\d.]+) at first, ([\d.]+) in",
        lambda rank, first, last: rank == 3 and last < 2 < first,
    ),
    "vae_digits": (
        r"nats .*: ([\d.]+), and ([\d.]+) with .*\nsquared error: ([\d.]+), and ([\d.]+) with",
        lambda nats, mean, error, linear: nats < 0.4 * mean and error < linear,
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", PROMISES)
def test_notebooks_reach_what_they_promise(name, tmp_path):
    executed = os.environ.get("EXECUTED_TUTORIALS")
    if executed == "later":
        pytest.skip("it runs with the documentation")
    if executed:
        text, pictures = looked_up(Path(executed) / f"{name}.ipynb")
        assert pictures == 1
    else:
        text = run(name, tmp_path)
        assert [path.name for path in tmp_path.iterdir()] == [f"{name}.png"]
        assert (tmp_path / f"{name}.png").stat().st_size > 10_000
    pattern, holds = PROMISES[name]
    found = re.search(pattern, text)
    assert found, text
    assert holds(*map(float, found.groups())), found[0]
