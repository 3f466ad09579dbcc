"""Profiles of programs: each instruction is an event, with its layer and line."""

from __future__ import annotations

import json

import numpy as np
import pytest

import gluon
from gluon import autograd, nd, nn, profiler
from gluon._core.program import loops

needs_library = pytest.mark.skipif(not loops.READABLE, reason="programs need the library")


@pytest.fixture
def step(monkeypatch):
    """A step of a hybridized block, called until it is a program."""
    monkeypatch.setenv("GLUON_PROGRAM", "1")
    gluon.random.seed(1)
    net = nn.HybridSequential(prefix="net_")
    with net.name_scope():
        net.add(nn.Dense(5, activation="tanh"), nn.Dropout(0.5), nn.Dense(3))
    net.initialize()
    net.hybridize()

    def train():
        with autograd.record():
            y = net(nd.ones((4, 6)))
        y.backward()
        return y, net[0].weight.grad()

    for _ in range(5):
        train()
    assert ("product" in net.program()) == loops.READABLE
    return train


@needs_library
def test_instructions_are_events_with_their_layers(step):
    with profiler.profile() as profile:
        step()
    rows = {row.name: row for row in profile.rows()}
    assert (rows["dot"].calls, rows["dot"].backward_calls) == (2, 3)
    assert rows["dropout_mask"].calls == rows["add+tanh"].calls == 1
    layers = {row.name: row for row in profile.rows(by="layer")}
    assert layers["net_dense1"].calls == 2
    assert layers["net_dense1"].backward_calls >= 2
    assert layers["net_dropout0"].calls == 2
    (line,) = [row for row in profile.rows(by="line") if row.calls]
    assert line.name.startswith("train (test_programs.py:")
    assert line.backward_calls


@needs_library
def test_programs_are_in_the_statistics_and_in_the_trace(step, tmp_path):
    profiler.set_config(filename=str(tmp_path / "profile.json"))
    profiler.set_state("run")
    step()
    step()
    profiler.set_state("stop")
    times = json.loads(profiler.dumps(format="json"))["Time"]
    assert {name: one["Count"] for name, one in times["program"].items()} == {
        "net": 2,
        "net (backward)": 2,
    }
    assert times["operator"]["dot"]["Count"] == 4
    assert times["operator"]["_backward_dot"]["Count"] == 6
    profiler.dump()
    profiler.dumps(reset=True)
    profiler.set_config(filename="profile.json")
    events = json.loads((tmp_path / "profile.json").read_text())["traceEvents"]
    (first, _) = [one for one in events if one.get("cat") == "program" and one["name"] == "net"]
    inside = [
        one
        for one in events
        if one.get("cat") == "operator"
        and first["ts"] <= one["ts"] <= one["ts"] + one["dur"] <= first["ts"] + first["dur"]
    ]
    names = [(one["name"], one["args"]["layer"].rpartition(" / ")[2]) for one in inside]
    assert names[0] == ("dot", "net_dense0")
    assert ("dropout_mask", "net_dropout0") in names


def test_a_profile_changes_no_value(step):
    gluon.random.seed(3)
    y, grad = step()
    gluon.random.seed(3)
    with profiler.profile():
        seen, seen_grad = step()
    np.testing.assert_array_equal(seen.asnumpy(), y.asnumpy())
    np.testing.assert_array_equal(seen_grad.asnumpy(), grad.asnumpy())


def test_a_step_with_an_update_is_a_program_with_calls():
    net = nn.Dense(3)
    net.initialize()
    trainer = gluon.Trainer(net.collect_params(), "sgd")

    @gluon.jit
    def fit(x):
        with autograd.record():
            loss = (net(x) ** 2).sum()
        loss.backward()
        trainer.step(1)
        return loss

    for k in range(4):
        fit(nd.ones((2, 3)) * k)
    with profiler.profile() as profile:
        fit(nd.ones((2, 3)))
    names = [one.name for one in profile.events]
    assert "sgd_update" in names
    assert "fit" in [one.name for one in profile.events]
    assert names.index("dot") < names.index("sgd_update")


def test_without_a_program_operators_are_seen():
    @gluon.jit
    def fit(x):
        return (x * 2 + 1).tanh()

    with profiler.profile() as profile:
        for k in range(5):
            fit(nd.ones((2, 3)) * k)
    assert "a profiler was open" in fit.program()
    assert [one.name for one in profile.events].count("tanh") == 5
    for k in range(4):
        fit(nd.ones((2, 3)) * k)
    with profiler.profile() as profile:
        fit(nd.ones((2, 3)))
    assert "fit" in [one.name for one in profile.events]


def test_anomaly_detection_sees_operators(step):
    gluon.random.seed(3)
    y, _ = step()
    gluon.random.seed(3)
    with autograd.detect_anomaly():
        seen, _ = step()
    np.testing.assert_allclose(seen.asnumpy(), y.asnumpy(), 1e-5, 1e-6)


def test_without_the_library(monkeypatch):
    monkeypatch.setattr(loops, "READABLE", False)

    @gluon.jit
    def fit(x):
        return nd.dot(x * 2 + 1, x).tanh()

    for k in range(4):
        right = fit(nd.ones((3, 3)) * k)
    with profiler.profile() as profile:
        found = fit(nd.ones((3, 3)) * 3)
    assert {"dot", "tanh"} <= {one.name for one in profile.events}
    np.testing.assert_array_equal(found.asnumpy(), right.asnumpy())
