"""Networks as HTML."""

import re
import xml.etree.ElementTree as ElementTree

from gluon import nd, nn


def tree(net):
    """The HTML, which must be well-formed, and its lines of text."""
    html = net._repr_html_()
    root = ElementTree.fromstring(re.sub(r"<details open", "<details open='open'", html))
    return html, ["".join(one.itertext()) for one in root.iter() if one.tag in ("summary", "div")]


def test_a_tree_of_layers_with_shapes_and_counts():
    net = nn.HybridSequential(prefix="net_")
    with net.name_scope():
        net.add(nn.Dense(3, in_units=2), nn.BatchNorm(), nn.Flatten())
    html, lines = tree(net)
    assert "HybridSequential net · 9 parameters and those of unknown shape" in lines
    assert "(0): Dense(2 -> 3, linear) net_dense0 · 9 parameters" in lines
    assert "weight 3x2 float32" in lines
    assert "running_mean 0 float32, no gradient" in lines
    assert "(2): Flatten net_flatten0 · no parameters" in lines
    net.initialize()
    net(nd.ones((1, 2)))
    assert "HybridSequential net · 21 parameters" in tree(net)[1]
    assert html.count("<details open") == 1  # the layers are closed


def test_shared_parameters_count_once():
    first = nn.Dense(3, in_units=3)
    net = nn.Sequential(prefix="net_")
    net.add(first, nn.Dense(3, in_units=3, params=first.params))
    assert "Sequential net · 12 parameters" in tree(net)[1]


def test_large_networks_are_closed_at_first():
    net = nn.Sequential()
    net.add(*[nn.Dense(2) for _ in range(20)])
    assert "<details open" not in net._repr_html_()


def test_a_name_is_text():
    net = nn.Sequential(prefix="<b>_")
    assert "&lt;b&gt;" in net._repr_html_()
