"""`gluon.viz`: tables and pictures of networks and graphs."""

import importlib.util
import json
import shutil
import sys
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from xml.etree import ElementTree

import numpy as np
import pytest

from gluon import Block, GluonError, autograd, nd, nn, npx, operator, rnn, sym, viz
from gluon._core.instruments import base as instrument
from gluon.autodiff import GradManager
from gluon.mxnet.name import NameManager
from gluon.viz.history import heads_of, history, shapes
from tests.compared import assert_equal

HERE = Path(__file__).parent
REFERENCE = json.loads((HERE.parents[1] / "recorded/viz.json").read_text())


def _load():
    spec = importlib.util.spec_from_file_location("viz_programs", HERE / "programs.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


programs = _load()
can_draw = pytest.mark.skipif(
    not (shutil.which("dot") and importlib.util.find_spec("graphviz")),
    # What a reason calls "not installed", the summary of skipped tests tells pip to install.
    reason="graphviz is not installed" if shutil.which("dot") else "there is no program dot",
)


@pytest.fixture(autouse=True)
def nothing_stays_on():
    yield
    assert instrument._active == ()


@pytest.fixture
def pretended(monkeypatch):
    monkeypatch.setitem(sys.modules, "graphviz", SimpleNamespace(Digraph=programs.Digraph))


@pytest.fixture
def net():
    net, _ = programs.convolutional(nn)
    net.initialize()
    return net


@pytest.fixture
def loss(net):
    with autograd.record():
        return (net(nd.ones((4, 1, 28, 28))) ** 2).mean()


# --------------------------------------------------------------------------------- networks


@pytest.mark.parametrize("name", programs.NETWORKS)
def test_the_table_is_that_of_mxnet(name, capsys):
    net, shape = programs.NETWORKS[name](nn)
    net.initialize()
    viz.print_summary(net, shape, line_length=100)
    assert_equal(capsys.readouterr().out, REFERENCE[name]["summary"])


@pytest.mark.parametrize("name", programs.NETWORKS)
def test_the_picture_is_that_of_mxnet(name, pretended):
    net, shape = programs.NETWORKS[name](nn)
    net.initialize()
    picture = viz.plot_network(net, shape=shape)
    assert_equal(json.loads(json.dumps(picture.calls)), REFERENCE[name]["picture"])


@pytest.mark.parametrize("name", programs.SYMBOLS)
def test_tables_and_pictures_of_symbols_are_those_of_mxnet(name, pretended):
    with NameManager():  # other tests have counted names before
        built = programs.SYMBOLS[name](sym)
    found = json.loads(json.dumps(programs.views(SimpleNamespace(viz=viz), *built)))
    for view, want in REFERENCE["symbols"][name].items():
        # Parameters are counted by shapes, and the first of several outputs is shown.
        if view != "bare table" and (name, view) != ("words", "whole table"):
            assert_equal(found[view], want, view)


def test_the_table_of_a_symbol_counts_all_parameters_once(capsys):
    weight = sym.var("w")
    x = sym.FullyConnected(sym.var("data"), weight, num_hidden=6, no_bias=True, name="one")
    x = sym.LayerNorm(sym.FullyConnected(x, weight, num_hidden=6, name="two"), name="norm")
    x = sym.SliceChannel(x, num_outputs=2, name="halves")
    x = sym.Group([x[0], sym.tanh(x[1], name="second")])
    viz.print_summary(x, {"data": (5, 6)})
    assert [one[:3] for one in rows(capsys.readouterr().out)] == [
        ["data(null)", "6", "0"],
        ["one(FullyConnected)", "6", "36"],
        ["two(FullyConnected)", "6", "6"],
        ["norm(LayerNorm)", "6", "12"],
        ["halves(SliceChannel)", "3", "0"],
        ["second(tanh)", "3", "0"],
    ]


def test_tables_need_no_memory_for_the_values(capsys):
    x = sym.FullyConnected(sym.var("data"), num_hidden=1 << 20, name="fc")
    viz.print_summary(x, {"data": (1 << 20, 1 << 20)})
    assert "1099512676352" in capsys.readouterr().out


def test_custom_operators_are_drawn_by_their_type(pretended):
    operator.register("drawn_by_its_type")(operator.CustomOpProp)
    symbol = sym.Custom(sym.var("data"), op_type="drawn_by_its_type", name="mine")
    assert viz.plot_network(symbol).calls[2][1:3] == ["mine", "drawn_by_its_type"]


def rows(text):
    """The cells of the rows of a table of the default width."""
    lines = [one for one in text.splitlines() if one and one[0] not in "_="]
    ends = (0, 52, 76, 88, 120)
    return [[one[a:b].strip() for a, b in pairwise(ends)] for one in lines[1:-1]]


def test_branches_functions_and_several_inputs(capsys):
    class Net(Block):
        def __init__(self, **kwargs):
            super().__init__(**kwargs)
            with self.name_scope():
                self.embedding, self.dense = nn.Embedding(5, 3), nn.Dense(4, in_units=5)
                self.lstm = rnn.LSTM(6)

        def forward(self, words, x):
            both = nd.concat(self.dense(x), self.dense(x + 1), dim=1)
            return self.lstm(self.embedding(words).transpose((1, 0, 2))), both

    net = Net(prefix="net_")
    net.initialize()
    viz.print_summary(net, [(2, 7), (2, 5)])
    assert rows(capsys.readouterr().out) == [
        ["data0(null)", "7", "0", ""],
        ["data1(null)", "5", "0", ""],
        ["net_dense0_fwd(FullyConnected)", "4", "24", "data1"],
        ["net_broadcast_add0(broadcast_add)", "5", "0", "data1"],
        ["net_dense0_fwd1(FullyConnected)", "4", "0", "net_broadcast_add0"],
        ["net_concat0(Concat)", "8", "0", "net_dense0_fwd"],
        ["", "", "", "net_dense0_fwd1"],
        ["net_embedding0_fwd(Embedding)", "7x3", "15", "data0"],
        ["net_transpose0(transpose)", "2x3", "0", "net_embedding0_fwd"],
        ["net_lstm0_fwd(LSTM)", "2x6", "264", "net_transpose0"],
    ]


def test_a_layer_that_gives_on_its_input_stands_between_the_others(capsys):
    net = nn.HybridSequential(prefix="net_")
    with net.name_scope():
        net.add(nn.Dense(3), nn.Dropout(0.5), nn.Dense(2, activation="relu"))
    net.initialize()
    viz.print_summary(net, (1, 4))
    found = rows(capsys.readouterr().out)
    assert [one[3] for one in found[1:4]] == ["data", "net_dense0_fwd", "net_dropout0_fwd"]


def test_networks_that_compute_with_numpys_arrays(capsys):
    net = nn.Dense(2, prefix="fc_")
    net.initialize()
    with npx.np_array(True):
        viz.print_summary(net, (1, 4))
    assert rows(capsys.readouterr().out)[1][:3] == ["fc_fwd(FullyConnected)", "2", "10"]


def test_a_summary_leaves_the_network_as_it_was(net):
    net(nd.ones((1, 1, 28, 28)))
    before = {name: one.data().asnumpy() for name, one in net.collect_params().items()}
    viz.print_summary(net, (1, 1, 28, 28))
    for name, one in net.collect_params().items():
        assert np.array_equal(one.data().asnumpy(), before[name])
    assert not net._forward_hooks
    assert not net[0]._forward_pre_hooks


def test_the_table_of_a_history(capsys):
    x, w, b = nd.ones((2, 5)), nd.ones((4, 5)), nd.ones((4,))
    for one in (x, w, b):
        one.attach_grad()
    with autograd.record():
        y = nd.relu(nd.FullyConnected(x, w, b, num_hidden=4))
    symbol = autograd.get_symbol(y)
    viz.print_summary(symbol, {"var0": (7, 5)})
    assert rows(capsys.readouterr().out) == [
        ["var0(null)", "5", "0", ""],
        ["node_0(FullyConnected)", "4", "24", "var0"],
        ["node_1(relu)", "4", "0", "node_0"],
    ]
    with pytest.raises(ValueError, match="no argument 'q'; the arguments are var0, var1, var2"):
        viz.print_summary(symbol, {"q": (2,)})


def test_a_history_with_unknown_shapes(capsys):
    w = nd.ones((3, 4))
    w.attach_grad()
    with autograd.record():
        symbol = autograd.get_symbol(nd.dot(nd.ones((2, 3)), w))
    viz.print_summary(symbol)
    assert [one[1] for one in rows(capsys.readouterr().out)] == ["", ""]
    with pytest.raises(ValueError, match="Input shape is incomplete; give those of var0 too"):
        viz.print_summary(symbol, {})
    viz.print_summary(symbol, {"var0": (2, 3)})
    assert rows(capsys.readouterr().out)[-1][1] == "4"


def test_wrong_arguments_of_summaries(net, pretended):
    for function in (viz.print_summary, viz.plot_network):
        with pytest.raises(TypeError, match=f"{function.__name__}: symbol must be a Symbol or a B"):
            function(3)
        with pytest.raises(ValueError, match=f"{function.__name__}: give the shapes of what"):
            function(net)
    with pytest.raises(ValueError, match="give four positions, not 2"):
        viz.print_summary(net, (1, 1, 28, 28), positions=[0.5, 1.0])


def test_weights_are_drawn_on_request(pretended):
    layer = nn.Dense(2, prefix="fc_")
    layer.initialize()
    calls = viz.plot_network(layer, shape=(1, 3), hide_weights=False, title="t").calls
    assert [one[2] for one in calls if one[0] == "edge"] == ["data", "fc_weight", "fc_bias"]
    assert calls[0] == ["graph", "t", "pdf"]


def boxes_of(svg):
    """The texts of the boxes of a column, from above."""
    root = ElementTree.fromstring(svg)
    return [one.text for one in root.iter("{http://www.w3.org/2000/svg}text")]


def test_without_the_package_graphs_and_networks_are_a_column(monkeypatch, net, tmp_path):
    monkeypatch.setitem(sys.modules, "graphviz", None)
    x = nd.ones((2, 3))
    x.attach_grad()
    with autograd.record():
        y = (nd.relu(x) + nd.exp(x)).sum()
    drawing = viz.plot_graph(y, {"x": x})
    names = [text.split()[0] for text in boxes_of(drawing.svg())]
    assert names[0] == "x"
    assert set(names[1:3]) == {"relu", "exp"}
    assert names[3:] == ["add", "sum"]
    assert set(drawing._repr_mimebundle_()) == {"image/svg+xml", "text/plain"}
    drawing.save(tmp_path / "graph.svg")
    assert (tmp_path / "graph.svg").read_text() == drawing.svg()
    names = boxes_of(viz.plot_network(net, shape=(1, 1, 28, 28)).svg())
    layers = [text.split()[0] for text in names]
    assert layers.index("Convolution") < layers.index("FullyConnected")


def test_without_the_package_a_text_cannot_be_drawn(monkeypatch):
    monkeypatch.setitem(sys.modules, "graphviz", None)
    drawing = viz.Drawing("digraph { x -> y }")
    with pytest.raises(ImportError, match=r'pip install "gluon-autograd\[viz\]"'):
        drawing.svg()
    shown = drawing._repr_mimebundle_()
    assert set(shown) == {"text/plain"}
    assert drawing.source in shown["text/plain"]


def test_without_the_program_the_text_is_left(monkeypatch, loss, tmp_path):
    pytest.importorskip("graphviz")
    monkeypatch.setenv("PATH", str(tmp_path))
    drawing = viz.plot_graph(loss)
    assert "<svg" in drawing.svg()
    with pytest.raises(GluonError, match=r"install Graphviz, .*its text is in \.source"):
        drawing.render("png")
    drawing.save(tmp_path / "graph.dot")
    assert (tmp_path / "graph.dot").read_text() == drawing.source


# ----------------------------------------------------------------------------------- graphs


def test_a_graph_shows_operators_variables_shapes_and_bytes(net, loss):
    source = viz.plot_graph(loss, net, title="a <title>").source
    count = sum(row.calls for row in viz.memory(loss).rows)
    for text in (
        f"<b>a &lt;title&gt;: {count} operators, ",
        "<b>net_conv0_weight</b>",
        ">8x1x3x3 float32<",
        "<b>convolution</b>",
        ">4x8x28x28 float32<",
        ">keeps 98.0 KiB<",  # of the relu: its result
        "<b>constant</b>",
        ">4x1x28x28 float32<",
    ):
        assert text in source, text
    assert source.count("#b8e0b0") == 2  # the legend, and the head


def test_a_graph_can_be_cut(loss):
    whole = viz.plot_graph(loss, show_shapes=False)
    assert "more</b>" not in whole.source
    cut = viz.plot_graph(loss, depth=2).source
    count = len(history(heads_of(loss, "")))
    assert f"<b>… {count - 3} more</b>" in cut
    assert cut.count("<b>") == 5  # the title, three operators, and the rest
    assert viz.plot_graph(loss, limit=1).source.count("<b>") == 3


def test_shapes_are_those_that_were_computed():
    x, w = nd.ones((2, 3, 4)), nd.ones((4,))
    x.attach_grad()
    w.attach_grad()
    with autograd.record():
        a = x * w
        b = a.sum(axis=1)
        parts = nd.split(b, num_outputs=2, axis=1)
        y = nd.concat(parts[0], parts[1].astype("float64").astype("float32"), dim=0)
    found = shapes([y])
    by_name = {node.op.name: found.get(node) for node in history([y]) if node.op.name != "cast"}
    sizes = {name: [shape for shape, _ in one] for name, one in by_name.items()}
    assert sizes["multiply"] == [(2, 3, 4)]
    assert sizes["sum"] == [(2, 4)]
    assert sizes["split"] == [(2, 2), (2, 2)]
    assert sizes["concat"] == [(4, 2)]
    casts = [found[node][0][1].name for node in history([y]) if node.op.name == "cast"]
    assert casts == ["float64", "float32"]


def test_a_picture_changes_neither_graph_nor_gradients():
    x = nd.array([1, 2, 3])
    x.attach_grad()
    with autograd.record():
        y = (x * x).exp().sum()
    viz.plot_graph(y)
    viz.memory(y)
    assert x.grad.asnumpy().tolist() == [0, 0, 0]
    y.backward()
    right = 2 * x.asnumpy() * np.exp(x.asnumpy() ** 2)
    assert np.allclose(x.grad.asnumpy(), right)


def test_graphs_of_functions_managers_and_gradients():
    class Double(autograd.Function):
        def forward(self, x):
            self.save_for_backward(x)
            return x * 2

        def backward(self, dy):
            return dy * 2

    x = nd.ones((8,))
    x.attach_grad()
    with autograd.record():
        y = Double()(x)
        (dx,) = autograd.grad([(y * y).sum()], [x], create_graph=True)
    assert "<b>Double</b>" in viz.plot_graph(y).source
    assert viz.memory(y).total >= 32
    assert "multiply" in viz.plot_graph(dx).source
    manager = GradManager().attach([w := nd.ones((3,))])
    with manager:
        z = (w * w).sum()
        assert "<b>multiply</b>" in viz.plot_graph(z, {"w": w}).source
        manager.backward(z)
    assert w.grad.asnumpy().tolist() == [2, 2, 2]


def test_a_backward_that_fails_can_be_left_out():
    class Broken(autograd.Function):
        def forward(self, x):
            return x * 1

        def backward(self, dy):
            raise RuntimeError("no gradient here")

    x = nd.ones((2,))
    x.attach_grad()
    with autograd.record():
        y = Broken()(x)
    with pytest.raises(GluonError, match="no gradient here; pass show_shapes=False"):
        viz.plot_graph(y)
    assert "<b>Broken</b>" in viz.plot_graph(y, show_shapes=False).source


@can_draw
def test_graphviz_draws_what_is_written(net, loss, tmp_path):
    drawing = viz.plot_graph(loss, net)
    shown = drawing._repr_mimebundle_()
    assert shown["image/svg+xml"].count("<svg") == 1
    drawing.save(tmp_path / "graph.png")
    assert (tmp_path / "graph.png").read_bytes()[1:4] == b"PNG"
    with pytest.raises(ValueError, match="does not know the format 'doc'"):
        drawing.save(tmp_path / "graph.doc")
    assert "<svg" in viz.plot_network(net, shape=(1, 1, 28, 28)).pipe("svg").decode()


@pytest.mark.parametrize("function", [viz.plot_graph, viz.memory])
def test_wrong_arguments_of_graphs(function, loss):
    name = function.__name__
    with pytest.raises(TypeError, match=f"{name}: give a recorded NDArray, not int"):
        function(3)
    with pytest.raises(ValueError, match=f"{name}: give at least one array"):
        function([])
    with pytest.raises(GluonError, match=f"{name}: no history of an array of shape"):
        function(nd.ones((2,)))
    loss.backward()
    with pytest.raises(GluonError, match="was released by an earlier backward"):
        function(loss)


def test_wrong_limits(loss):
    with pytest.raises(ValueError, match="depth=0 and limit=200 must be at least 1"):
        viz.plot_graph(loss, depth=0)
    with pytest.raises(ValueError, match="names is an int; give a Block, or a dict"):
        viz.plot_graph(loss, 3)


# ----------------------------------------------------------------------------------- memory


def test_buffers_count_once_and_for_the_oldest():
    x = nd.ones((1000,))
    x.attach_grad()
    with autograd.record():
        y = nd.sin(x) + nd.cos(x) * nd.sin(x)
    found = viz.memory(y)
    rows = {row.operator: (row.calls, row.bytes) for row in found.rows}
    # x for the oldest of three; the results of cos and sin, which multiply keeps
    assert rows == {"sin": (2, 4000), "cos": (1, 0), "multiply": (1, 8000), "add": (1, 0)}
    assert (found.total, found.variables) == (12000, 4000)


def test_a_view_keeps_the_whole_buffer():
    x = nd.ones((100, 10))
    x.attach_grad()
    with autograd.record():
        y = nd.exp(x)[0] * nd.array([2.0] * 10)
    assert viz.memory(y).total == 4000 + 40


def test_memory_shows_itself(loss):
    found = viz.memory(loss)
    assert f"kept by {sum(row.calls for row in found.rows)} calls" in repr(found)
    html = found._repr_html_()
    assert html.count("<tr>") == len(found.rows) + 1
    assert "color:#" not in html.replace("border-bottom:1px solid currentColor", "")


def test_a_deep_graph_is_no_problem():
    x = nd.ones((1,))
    x.attach_grad()
    with autograd.record():
        y = x
        for _ in range(5000):
            y = y * x
    assert viz.memory(y).rows[0].calls == 5000
    assert "<b>… 4951 more</b>" in viz.plot_graph(y, limit=50, show_shapes=False).source
