"""What must hold on a GPU before arrays there are more than experimental, as one program.

It needs gluon's tree, NumPy, PyTorch and a GPU, but no network and no other package: without
ml_dtypes it leaves bfloat16 out. Run it from the root of the repository::

    python -m benchmarks.device_checklist [--quick] [--only POINT ...]

With ``GLUON_DEVICE=torch:cpu`` it runs on tensors in host memory, and with ``numpy:strict``
on arrays of NumPy: what needs a GPU is left out, and no time means much. It prints a Markdown table
and ends with 1 if a goal was missed.
"""

from __future__ import annotations

import argparse
import os
import sys
import warnings
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from typing import Any, NamedTuple

import numpy as np

import gluon
from gluon import GluonError, autograd, nd

from . import common, steps_gluon
from .steps import drawn, labels

#: Steps and their goals: the largest ratio to PyTorch eager.
STEPS = {"lenet": 1.5, "resblock": 1.15, "lstm": 1.5, "transformer": 1.5}
RESNET = "resnet18 training 32"
NETWORK_GOAL, OVERHEAD_GOAL, LAUNCH_GOAL, MEMORY_GOAL = 1.15, 1.5, 1.3, 1.1
GPU = gluon.gpu(0)


class Row(NamedTuple):
    """A line of the table."""

    point: str
    what: str
    found: str
    goal: str = ""
    holds: bool = True


def on_cuda() -> bool:
    """Whether a GPU computes, and not tensors in host memory."""
    import torch

    return torch.cuda.is_available() and not os.environ.get("GLUON_DEVICE")


def within(point: str, what: str, found: float, goal: float) -> Row:
    """A row for a ratio that has an upper limit."""
    return Row(point, what, f"{found:.2f}", f"<= {goal}", found <= goal)


# ----------------------------------------------------------------------------- correctness


def environment(quick: bool) -> Iterator[Row]:
    """Say what computes."""
    import torch

    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = False
    played = os.environ.get("GLUON_DEVICE")
    name = torch.cuda.get_device_name() if on_cuda() else f"host memory, {played}"
    count = gluon.num_gpus()
    yield Row("1", "device", f"{name}, PyTorch {torch.__version__}", "a device", count > 0)


def samples(quick: bool) -> Iterator[Row]:
    """Every operator sample: values, gradients and second gradients equal those of the host."""
    from tests._core.devices.compared import OTHER, differences
    from tests._core.ops.samples import SAMPLES

    chosen = [one for one in SAMPLES if str(one) not in OTHER][:: 100 if quick else 1]
    wrong = []
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        for sample in chosen:
            try:
                if differences(sample, GPU):
                    wrong.append(str(sample))
            except Exception as error:
                wrong.append(f"{sample}: {error}")
    for one in wrong:
        print(f"differs: {one}", file=sys.stderr)
    found = f"{len(chosen) - len(wrong)} of {len(chosen)}"
    yield Row("2", "operator samples equal", found, "all", not wrong)


# ----------------------------------------------------------------------------------- speed


def _pair(name: str) -> tuple[Callable[[], Any], Callable[[], Any]]:
    """A step in gluon and in PyTorch, on the device."""
    import torch

    from . import steps_torch

    torch.set_default_device("cuda" if on_cuda() else "cpu")
    theirs = steps_torch.steps()[name]()
    torch.set_default_device("cpu")
    with GPU:
        ours = steps_gluon.steps(nd, autograd, gluon)[name]()

    def run() -> Any:
        with GPU:
            return ours()

    return run, theirs


def times(quick: bool) -> Iterator[Row]:
    """Ratios of whole steps to PyTorch eager."""
    goals = {"lenet": STEPS["lenet"]} if quick else {**STEPS, RESNET: NETWORK_GOAL}
    for name, goal in goals.items():
        ours, theirs = _pair(name)
        found = common.race({"gluon": ours, "torch": theirs}, 2 if quick else 10, 2)
        yield within("3", f"{name}, ratio of times", found["gluon"] / found["torch"], goal)


def overhead(quick: bool) -> Iterator[Row]:
    """The ratio for one recorded operator on 16 numbers, both passes."""
    import torch

    device = "cuda" if on_cuda() else "cpu"
    x = nd.array(drawn(16), ctx=GPU)
    x.attach_grad()
    t = torch.tensor(drawn(16), device=device, requires_grad=True)

    def ours() -> None:
        with autograd.record():
            y = x
            for _ in range(50):
                y = nd.tanh(y)
        y.backward()
        y.wait_to_read()

    def theirs() -> None:
        y = t
        for _ in range(50):
            y = torch.tanh(y)
        y.backward(torch.ones_like(y))
        if device == "cuda":
            torch.cuda.synchronize()

    found = common.race({"gluon": ours, "torch": theirs}, 3 if quick else 50)
    yield within(
        "4", "one recorded operator, ratio of times", found["gluon"] / found["torch"], OVERHEAD_GOAL
    )


def _launches(step: Callable[[], Any]) -> tuple[int, int]:
    """How many kernels a step launches, and how many copies to the host it makes."""
    import torch
    from torch.profiler import ProfilerActivity, profile

    step()
    activities = [ProfilerActivity.CUDA] if on_cuda() else [ProfilerActivity.CPU]
    with profile(activities=activities) as seen:
        step()
        if on_cuda():
            torch.cuda.synchronize()
    names = [event.name for event in seen.events()]
    copies = sum("Memcpy DtoH" in name for name in names)
    return len(names) - copies, copies


def launches(quick: bool) -> Iterator[Row]:
    """Kernels launched in a step, next to PyTorch's, and copies to the host."""
    name = "lenet" if quick else RESNET
    (ours, copies), (theirs, _) = map(_launches, _pair(name))
    if on_cuda():
        yield within("5", f"{name}, ratio of launches", ours / theirs, LAUNCH_GOAL)
    yield Row("5", f"{name}, copies to the host", str(copies), "<= 1, the loss", copies <= 1)


# ------------------------------------------------------------------------- memory, dtypes


def memory(quick: bool) -> Iterator[Row]:
    """Memory stays the same over many steps, and its peak is near that of PyTorch."""
    import torch

    if not on_cuda():
        yield Row("6", "memory", "left out: no GPU")
        return
    peaks = []
    for step in _pair("lenet" if quick else RESNET):
        step()
        torch.cuda.reset_peak_memory_stats()
        before = torch.cuda.memory_allocated()
        for _ in range(100 if quick else 10_000):
            step()
        grown = torch.cuda.memory_allocated() - before
        peaks.append(torch.cuda.max_memory_allocated() - before)
        if len(peaks) == 1:
            yield Row("6", "growth in bytes", str(grown), "0", grown <= 0)
    yield within("6", "ratio of peaks", peaks[0] / max(1, peaks[1]), MEMORY_GOAL)


def _losses(dtype: str, steps: int) -> list[float]:
    """The losses of a small convolutional network in a dtype."""
    with GPU:
        gluon.random.seed(0)
        library = steps_gluon.library_of(nd, autograd, gluon)
        net = steps_gluon.lenet_layers(library)
        net.initialize()
        net.cast(dtype)
        x, y = nd.array(drawn(32, 1, 28, 28)).astype(dtype), nd.array(labels(32))
        trainer = gluon.Trainer(
            net.collect_params(), "sgd", {"learning_rate": 0.05, "multi_precision": True}
        )
        loss_of = gluon.loss.SoftmaxCrossEntropyLoss()
        found = []
        for _ in range(steps):
            with autograd.record():
                loss = loss_of(net(x).astype("float32"), y)
            loss.backward()
            trainer.step(32)
            found.append(float(loss.mean().asscalar()))
    return found


def halves(quick: bool) -> Iterator[Row]:
    """A network of half precision trains to the loss of float32."""
    count = 3 if quick else 50
    want = _losses("float32", count)[-1]
    for dtype in ("float16", "bfloat16"):
        if dtype == "bfloat16" and find_spec("ml_dtypes") is None:
            yield Row("7", dtype, "left out: ml_dtypes is not installed")
            continue
        found = _losses(dtype, count)[-1]
        off = abs(found - want) / max(abs(want), 0.1)
        yield Row("7", f"{dtype}, loss off by", f"{off:.3f}", "<= 0.02", off <= 0.02)


# ----------------------------------------------------------------------- errors, the host


def failures(quick: bool) -> Iterator[Row]:
    """Too large arrays are an error after which the next step works; steps need no host."""
    if on_cuda():
        try:
            nd.ones((1 << 45,), ctx=GPU)
            holds = False
        except GluonError:
            holds = bool(nd.ones(2, ctx=GPU).sum().asscalar() == 2)
        yield Row("8", "out of memory is a GluonError", str(holds), "True", holds)
    os.environ["GLUON_GPU_HOST"] = "error"
    try:
        for name in ("lenet",) if quick else STEPS:
            _pair(name)[0]()
        found = "none"
    except GluonError as error:
        found = str(error)
    finally:
        del os.environ["GLUON_GPU_HOST"]
    yield Row("8", "operators on the host in steps", found, "none", found == "none")


def cupy(quick: bool) -> Iterator[Row]:
    """Kernels over arrays of CuPy, by NumPy's protocols alone; for information."""
    try:
        import cupy as library
    except ImportError:
        yield Row("9", "kernels over CuPy's arrays", "left out: CuPy is not installed")
        return
    from gluon._core.engine.op import TABLE

    x = library.ones((4, 4), np.float32)
    unary = [op for op in TABLE.values() if len(op.inputs) == 1 and not op.attributes]
    right = 0
    for op in unary:
        try:
            right += isinstance(op.fallback(x), library.ndarray)
        except Exception:
            continue
    yield Row("9", "kernels over CuPy's arrays", f"{right} of {len(unary)}")


def two(quick: bool) -> Iterator[Row]:
    """A trainer with the halves of a batch on two devices keeps their weights equal."""
    if gluon.num_gpus() < 2:
        yield Row("10", "two devices", "left out: there is one")
        return
    contexts = [gluon.gpu(0), gluon.gpu(1)]
    net = gluon.nn.Dense(10)
    net.initialize(ctx=contexts)
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"momentum": 0.9}, kvstore="device")
    for _ in range(3):
        parts = gluon.utils.split_and_load(nd.array(drawn(16, 8), ctx=gluon.cpu()), contexts)
        with autograd.record():
            losses = [(net(x) ** 2).sum() for x in parts]
        autograd.backward(losses)
        trainer.step(16)
    one, other = (net.weight.data(ctx).asnumpy() for ctx in contexts)
    equal = bool(np.array_equal(one, other))
    yield Row("10", "two devices, weights equal", str(equal), "True", equal)


POINTS = {
    "1": environment,
    "2": samples,
    "3": times,
    "4": overhead,
    "5": launches,
    "6": memory,
    "7": halves,
    "8": failures,
    "9": cupy,
    "10": two,
}


def main(arguments: list[str] | None = None) -> int:
    """Run the points and print the table; 1 if a goal was missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--only", nargs="+", choices=POINTS, default=list(POINTS))
    given = parser.parse_args(arguments)
    rows = []
    for point in given.only:
        try:
            rows += POINTS[point](given.quick)
        except Exception as error:
            rows.append(
                Row(point, POINTS[point].__name__, f"{type(error).__name__}: {error}", "", False)
            )
        print(f"point {point} is done", file=sys.stderr, flush=True)
    header = ("point", "what", "found", "goal", "holds")
    cells = [[*row[:4], "yes" if row.holds else "NO"] for row in rows]
    print(common.table(header, cells))
    return int(not all(row.holds for row in rows))


if __name__ == "__main__":
    sys.exit(main())
