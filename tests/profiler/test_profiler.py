"""`gluon.profiler`: measurements, output, and that profiling leaves nothing behind."""

import asyncio
import importlib.util
import json
import re
import threading
import weakref
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import numpy as np
import pytest

from gluon import Block, GluonError, Trainer, autograd, nd, nn, profiler
from gluon import np as np_arrays
from gluon._core.engine import call, sweep
from gluon._core.instruments import layers
from gluon.profiler import session
from tests.compared import assert_equal

HERE = Path(__file__).parent
PLAIN = Block.__call__, Trainer.step, nd.NDArray.__iadd__


def kernels():
    return [(op, op.kernel) for op in layers.operators()]


@pytest.fixture(autouse=True)
def nothing_stays_on(monkeypatch):
    monkeypatch.setattr(session, "_session", None)
    monkeypatch.setattr(session, "_config", dict(session.DEFAULTS))
    layers.put("vmap", None)  # as it does by itself some time after the last vmap
    before = kernels()
    yield
    if session._session:
        session._session.pause()
    assert (call._listeners, sweep._walker) == ((), None)
    assert (Block.__call__, Trainer.step, nd.NDArray.__iadd__) == PLAIN
    assert kernels() == before


def counts(profile, **kwargs):
    return {row.name: (row.calls, row.backward_calls) for row in profile.rows(**kwargs)}


def network():
    net = nn.HybridSequential(prefix="net_")
    with net.name_scope():
        net.add(nn.Dense(8, activation="relu", in_units=4), nn.Dense(1, in_units=8))
    net.initialize(init="ones")
    return net


# ---------------------------------------------------------------------------- what is measured


def test_every_way_to_an_operator_is_seen():
    x, w = nd.ones((3, 4)), nd.ones((4, 2))
    with profiler.profile() as p:
        _ = x + x, x * 2, 2 - x, -x, x > 1, abs(x)
        _ = x.exp(), x.T, x[1], x.reshape(4, 3), x.astype("int32")
        _ = nd.dot(x, w), nd.concat(x, x), nd.split(x, 2), nd.argmax(x), nd.Activation(x, "relu")
        x += 1
        x[0] = 3
        nd.random.normal(shape=(2,))
    seen = counts(p)
    names = "add multiply subtract negative greater abs exp transpose getitem reshape dot concat"
    assert {*names.split(), "split", "argmax", "relu", "x += y", "x[...] = y"} <= set(seen)
    assert seen["random_normal"] == (1, 0)
    assert seen["multiply"] == (1, 0)


def test_arrays_of_numpys_kind_are_seen():
    x = np_arrays.ones((2, 3))
    x.attach_grad()
    with profiler.profile() as p:
        with autograd.record():
            y = (np_arrays.exp(x) + 1).sum()
        y.backward()
        z = np_arrays.ones((2,))
        z *= 2
        z[0] = 1
    found = counts(p)
    assert found["exp"] == (1, 1)
    assert found["add"] == (1, 1)
    assert found["x *= y"] == found["x[...] = y"] == (1, 0)


def test_what_a_profile_sees_is_what_is_computed_without():
    def compute():
        net, x = network(), nd.array(np.arange(8).reshape(2, 4))
        x.attach_grad()
        trainer = Trainer(net.collect_params(), "adam")
        for _ in range(2):
            with autograd.record():
                y = (net(x) ** 2).sum()
                y *= 2
            y.backward()
            trainer.step(2)
        return [x.grad.asnumpy(), *(one.data().asnumpy() for one in net.collect_params().values())]

    plain = compute()
    with profiler.profile(memory=True):
        profiled = compute()
    for one, other in zip(plain, profiled):
        assert np.array_equal(one, other)


def test_the_backward_pass_is_seen_with_its_layers():
    net, x = network(), nd.ones((2, 4))
    with profiler.profile() as p:
        with autograd.record():
            y = net(x).sum()
        y.backward()
    assert counts(p) == {"fully_connected": (2, 2), "relu": (1, 1), "sum": (1, 1)}
    layers = counts(p, by="layer")
    assert layers == {
        "net_dense0": (1, 1),
        "net_dense0_relu": (1, 1),
        "net_dense1": (1, 1),
        "(no layer)": (1, 1),
    }
    (first,) = [one for one in p.events if one.name == "relu" and one.kind == "backward"]
    assert first.layers == ("net", "net_dense0", "net_dense0_relu")
    assert first.line.startswith("test_the_backward_pass_is_seen_with_its_layers (test_profiler.py")


def test_gradients_of_gradients_are_seen():
    x = nd.ones((3,))
    x.attach_grad()
    with profiler.profile() as p:
        with autograd.record():
            (dx,) = autograd.grad([nd.exp(x)], [x], create_graph=True)
        dx.backward()
    found = counts(p)
    assert found["exp"] == (1, 2)
    assert found["multiply"] == (1, 1)  # in the watched pull of exp
    outer = [one for one in p.events if one.kind == "backward" and one.inner]
    assert outer[0].own == outer[0].time - outer[0].inner


def test_functions_steps_and_scopes_are_seen():
    class Double(autograd.Function):
        def forward(self, x):
            return x * 2

        def backward(self, dy):
            return dy * 2

    x = nd.ones((3,))
    x.attach_grad()
    net = network()
    trainer = Trainer(net.collect_params(), "sgd")
    with profiler.profile() as p, profiler.scope("mine"):
        with autograd.record():
            y = Double()(x) + net(nd.ones((3, 4))).reshape(-1)
        y.backward()
        trainer.step(1)
    kinds = {(one.kind, one.name) for one in p.events}
    assert {
        ("function", "Double"),
        ("backward", "Double"),
        ("step", "Trainer.step"),
        ("forward", "sgd_update"),
        ("sweep", "backward"),
        ("layer", "net"),
        ("scope", "mine"),
    } <= kinds
    assert all("mine" in one.stack for one in p.events if one.kind != "scope")


def test_all_threads_are_seen():
    def work():
        with autograd.record():
            y = nd.exp(x).sum()
        y.backward()

    x = nd.ones((3,))
    x.attach_grad()
    with profiler.profile() as p:
        threads = [threading.Thread(target=work) for _ in range(3)]
        for one in threads:
            one.start()
        for one in threads:
            one.join()
    assert counts(p)["exp"] == (3, 3)
    assert all(one.stack[0].startswith("work (test_profiler.py") for one in p.events)


def test_coroutines_may_take_turns():
    async def work(name):
        with profiler.scope(name):
            await asyncio.sleep(0)
            x.exp()
            await asyncio.sleep(0)
            if name == "two":
                await asyncio.sleep(0)
                x.log()

    async def both():
        await asyncio.gather(work("one"), work("two"))

    x = nd.ones((2,))
    with profiler.profile() as p:
        asyncio.run(both())
    assert sorted(one.name for one in p.events) == ["exp", "exp", "log", "one", "two"]
    assert p.events[-2].name == "log"
    assert "two" in p.events[-2].stack
    assert p._recorder._waiting() == []


def test_bytes_are_those_of_new_memory():
    x = nd.ones((10, 10))
    with profiler.profile() as p:
        _ = x.reshape(-1), x + 1
    by_name = {row.name: row.bytes for row in p.rows()}
    assert by_name == {"reshape": 0, "add": 400}


def test_memory_is_that_which_is_in_use_meanwhile():
    x = nd.ones((100, 100))
    with profiler.profile(memory=True) as p:
        nd.softmax(x)
    (row,) = p.rows()
    assert 40_000 <= row.peak < 400_000
    assert "Peak" in repr(p)
    assert "Peak" not in repr(profiler.Profile())


def test_memory_before_and_after_an_operator_is_that_of_what_stands_around_it():
    with profiler.profile(memory=True) as p:
        kept = np.ones(100_000)
        with profiler.scope("first"):
            np.ones(100_000).sum()
            nd.ones((2,)).exp()
        with profiler.scope("last"):
            nd.ones((2,)).exp()
            np.ones(100_000).sum()
        with profiler.scope("inside"):
            nd.ones((400, 500)).exp().sum()
        del kept
    peaks = {one.name: one.peak for one in p.events if one.kind == "scope"}
    freed = 20_000  # whatever Python gives back meanwhile
    assert min(peaks.values()) >= 800_000 - freed
    assert peaks["inside"] >= 1_600_000 - freed  # two arrays at a time
    assert (
        max(one.peak for one in p.events if one.name == "exp" and "inside" not in one.stack)
        < 10_000
    )


def test_a_profile_keeps_no_variables_alive():
    def work():
        local = nn.Dense(1)
        nd.ones((2,)).exp()
        return weakref.ref(local)

    with profiler.profile() as p:
        local = work()
    assert local() is None
    assert p.events


def test_an_error_leaves_nothing_open():
    with profiler.profile() as p:
        with pytest.raises(ValueError, match="shape"):
            nd.dot(nd.ones((2, 3)), nd.ones((2, 3)))
        with pytest.raises(KeyError), profiler.scope("mine"):
            raise KeyError
        nd.ones((2,)).exp()
    found = [(one.name, len(one.stack)) for one in p.events]
    assert found == [("dot", 1), ("mine", 1), ("exp", 1)]


def test_profiles_nest_and_meet_anomaly_detection():
    x = nd.array([1, 0])
    x.attach_grad()
    with profiler.profile() as outer:
        with profiler.profile() as inner, autograd.detect_anomaly():
            with autograd.record():
                y = x.sqrt()
            with np.errstate(divide="ignore"), pytest.raises(GluonError, match="has infinity"):
                y.backward()
        nd.exp(x)
    assert counts(inner) == {"sqrt": (1, 1)}
    assert counts(outer) == {"sqrt": (1, 1), "exp": (1, 0)}


def test_a_graph_outlives_the_profile_that_saw_it():
    x = nd.ones((2,))
    x.attach_grad()
    with profiler.profile(), autograd.record():
        y = (x * x).sum()
    y.backward()
    assert x.grad.asnumpy().tolist() == [2, 2]


def test_a_profile_can_pause():
    x = nd.ones((2,))
    with profiler.profile() as p:
        nd.exp(x)
        p.pause()
        nd.sin(x)
        assert not p.running
        p.resume()
        nd.cos(x)
        with pytest.raises(GluonError, match="it is running already"):
            p.resume()
    assert set(counts(p)) == {"exp", "cos"}
    assert p.wall > 0


# ------------------------------------------------------------------------------- how it is shown


@pytest.fixture
def profile():
    net, x = network(), nd.ones((2, 4))
    with profiler.profile() as p:
        with autograd.record():
            y = net(x).sum()
        y.backward()
    return p


def test_the_table(profile):
    lines = repr(profile).splitlines()
    assert lines[0].split()[:3] == ["Operator", "Calls", "Forward"]
    assert {one.split()[0] for one in lines[2:-1]} == {"fully_connected", "relu", "sum"}
    assert "ms in operators" in lines[-1]
    times = [row.total for row in profile.rows()]
    assert times == sorted(times, reverse=True)
    assert sum(times) <= profile.wall
    assert "2 more rows" in str(profile.table(limit=1))
    assert profile._repr_html_().count("<tr>") == 4
    with pytest.raises(ValueError, match="by is 'x'; give one of operator, layer, line"):
        profile.rows(by="x")
    with pytest.raises(ValueError, match="sort_by is 'x'; give one of total, forward"):
        profile.table(sort_by="x")


def test_the_trace_nests(profile, tmp_path):
    profile.save(tmp_path / "trace.json")
    trace = json.loads((tmp_path / "trace.json").read_text())
    events = [one for one in trace["traceEvents"] if one["ph"] == "X"]
    assert len(events) == len(profile.events)
    for one in events:
        assert {"name", "cat", "ts", "dur", "pid", "tid", "args"} <= set(one)
        assert one["ts"] >= 0
    open_ends = []
    for one in events:  # sorted: each lies inside of the last that is not over
        while open_ends and open_ends[-1] <= one["ts"]:
            open_ends.pop()
        assert all(one["ts"] + one["dur"] <= end + 1e-6 for end in open_ends)
        open_ends.append(one["ts"] + one["dur"])
    names = {(one["name"], one["cat"]) for one in events}
    assert ("_backward_relu", "operator") in names
    assert ("net_dense0", "layer") in names
    assert ("backward", "sweep") in names
    (relu,) = [one for one in events if one["name"] == "relu"]
    assert relu["args"]["layer"] == "net / net_dense0 / net_dense0_relu"
    assert relu["args"]["shapes"] == "(2, 8)"


def test_the_flame_graph(profile, tmp_path):
    flame = profile.flame()
    bars = flame.bars()
    kinds = {bar.kind for bar in bars}
    assert kinds == {"line", "layer", "forward", "sweep", "backward"}
    for bar in bars:  # each lies within one of the row below
        inside = [
            one
            for one in bars
            if one.depth == bar.depth - 1
            and one.start <= bar.start
            and bar.start + bar.time <= one.start + one.time
        ]
        assert bar.depth == 0 or len(inside) == 1
    total = sum(one.own for one in profile.events)
    assert sum(bar.time for bar in bars if bar.depth == 0) == total
    profile.save(tmp_path / "flame.svg")
    picture = ElementTree.parse(tmp_path / "flame.svg").getroot()
    assert picture.tag.endswith("svg")
    profile.save(tmp_path / "flame.folded")
    lines = (tmp_path / "flame.folded").read_text().splitlines()
    assert sum(int(one.rpartition(" ")[2]) for one in lines) == total
    assert any(";net;net_dense0;fully_connected " in one for one in lines)
    profile.save(tmp_path / "table.txt")
    assert "fully_connected" in (tmp_path / "table.txt").read_text()
    for save in (profile.save, flame.save):
        with pytest.raises(ValueError, match=r"must end in \.(json|svg)"):
            save(tmp_path / "flame.doc")


def test_an_empty_profile_can_be_shown():
    with profiler.profile() as p:
        pass
    assert "0.000 ms in operators" in repr(p)
    assert "<svg" in p.flame().svg()
    assert p.flame().folded() == ""


# ---------------------------------------------------------------------------- MXNet's interface


def test_the_statistics_are_laid_out_as_in_mxnet():
    spec = importlib.util.spec_from_file_location("programs", HERE.parent / "viz/programs.py")
    programs = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(programs)
    reference = json.loads((HERE.parents[1] / "recorded/viz.json").read_text())["statistics"]
    assert_equal(programs.statistics(nd, profiler), reference)


def test_switching_by_functions(tmp_path):
    x = nd.ones((2,))
    path = tmp_path / "profile.json"
    profiler.set_config(filename=path, profile_imperative=True)
    assert profiler.dumps() == ""
    profiler.start()
    nd.exp(x)
    profiler.pause()
    nd.sin(x)
    profiler.resume()
    nd.cos(x)
    profiler.stop()
    nd.tan(x)
    text = profiler.dumps()
    assert "exp" in text
    assert "cos" in text
    assert "sin" not in text
    assert "tan" not in text
    profiler.set_state("run")
    profiler.set_state("run")
    profiler.dump()
    nd.tan(x)
    names = [one["name"] for one in json.loads(path.read_text())["traceEvents"]]
    assert {"exp", "cos"} <= set(names)
    assert "tan" not in profiler.dumps(reset=True)
    assert profiler.dumps() == ""


def test_reset_discards_the_statistics_and_keeps_the_trace(tmp_path):
    path = tmp_path / "profile.json"
    profiler.set_config(filename=str(path))
    domain = profiler.Domain("input")
    profiler.set_state("run")
    nd.exp(nd.ones(3))
    profiler.Counter(domain, "before", 1)
    assert {"exp", "before"} <= set(re.findall(r"\w+", profiler.dumps(reset=True)))
    nd.sin(nd.ones(3))
    profiler.Counter(domain, "after", 1)
    profiler.set_state("stop")
    assert {"exp", "before", "sin", "after"} & set(re.findall(r"\w+", profiler.dumps())) == {
        "sin",
        "after",
    }
    profiler.dump()
    names = [one["name"] for one in json.loads(path.read_text())["traceEvents"]]
    assert {"exp", "before", "sin", "after"} <= set(names)
    profiler.dumps(reset=True)


def test_order_and_json():
    profiler.set_state("run")
    for _ in range(3):
        nd.ones((2,)).exp()
    nd.ones((1000, 1000)).dot(nd.ones((1000, 1000)))  # slower than three of the others
    profiler.set_state("stop")
    tree = json.loads(profiler.dumps(format="json", sort_by="count"))
    assert tree["Unit"] == {"Time": "ms", "Memory": "kB"}
    operators = tree["Time"]["operator"]
    assert list(operators) == ["exp", "dot"]
    assert set(operators["exp"]) == {"Count", "Total", "Min", "Max", "Avg"}
    assert operators["exp"]["Count"] == 3
    upwards = json.loads(profiler.dumps(format="json", sort_by="count", ascending=True))
    assert list(upwards["Time"]["operator"]) == ["dot", "exp"]
    assert list(json.loads(profiler.dumps(format="json"))["Time"]["operator"]) == ["dot", "exp"]


def test_what_programs_time_and_count(tmp_path):
    domain = profiler.Domain("mine")
    counter = domain.new_counter("items", 3)
    with profiler.profile() as p:
        counter += 2
        counter -= 1
        domain.new_marker("here").mark("thread")
        with domain.new_task("task"), domain.new_frame("frame"):
            pass
        event = profiler.Event("event")
        event.start()
        event.stop()
    assert (str(domain), str(counter), counter.value) == ("mine", "items", 4)
    trace = p.trace()["traceEvents"]
    found = {(one["name"], one["ph"]) for one in trace}
    assert {("items", "C"), ("here", "i"), ("task", "b"), ("task", "e"), ("event", "b")} <= found
    values = [one["args"]["items"] for one in trace if one["name"] == "items"]
    assert values == [5, 4]
    times, memory = session.statistics(p)
    assert {"mine", "mine,frame", "event", "mine,instant_marker"} <= set(times)
    (stat,) = memory["mine,counter"]
    assert (stat.count, stat.min, stat.max) == (2, 4, 5)
    with pytest.raises(GluonError, match=r"Event 'event': call start\(\) before stop\(\)"):
        event.stop()
    with pytest.raises(ValueError, match="scope is 'x'; give one of 'global'"):
        domain.new_marker("here").mark("x")


def test_deprecated_names(tmp_path):
    with pytest.warns(UserWarning, match="profiler_set_config"):
        profiler.profiler_set_config("all", filename=str(tmp_path / "a.json"))
    with pytest.warns(UserWarning, match="profiler_set_state"):
        profiler.profiler_set_state("run")
    with pytest.warns(UserWarning, match="dump_profile"):
        profiler.dump_profile()
    assert (tmp_path / "a.json").exists()
    profiler.set_kvstore_handle(None)


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (lambda: profiler.set_config(foo=1), "unknown option 'foo'; choose from filename"),
        (lambda: profiler.set_config(profile_all="maybe"), "profile_all is 'maybe'; give True"),
        (lambda: profiler.set_config(filename=3), "filename is 3; give a path"),
        (lambda: profiler.set_state("x"), "state is 'x'; give 'run' or 'stop'"),
        (lambda: profiler.set_state("run", "server"), "profile_process is 'server'"),
        (lambda: profiler.pause("server"), "pause: profile_process is 'server'"),
        (lambda: profiler.dumps(format="x"), "format is 'x'; give one of 'table', 'json'"),
        (lambda: profiler.dumps(sort_by="x"), "sort_by is 'x'; give one of 'total'"),
        (lambda: profiler.dumps(ascending="x"), "ascending is 'x'"),
    ],
)
def test_wrong_arguments(function, message):
    with pytest.raises(ValueError, match=message):
        function()
