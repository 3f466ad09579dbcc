"""Symbols as pictures in notebooks."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree

from gluon import sym

SVG = "{http://www.w3.org/2000/svg}"


def drawn(symbol):
    """The texts of the boxes, and the arrows: how many are straight, and how many are bent."""
    root = ElementTree.fromstring(symbol._repr_html_())
    texts = ["".join(one.itertext()) for one in root.iter(f"{SVG}text")]
    assert len(texts) == len(list(root.iter(f"{SVG}rect")))
    paths = [one.get("d") for one in root.iter(f"{SVG}path")]
    return texts, sum("C" not in one for one in paths), sum("C" in one for one in paths)


def test_calls_stand_below_each_other_with_their_weights_inside():
    x = sym.FullyConnected(sym.var("data", shape=(0, 4)), num_hidden=3, name="fc")
    x = sym.elemwise_add(sym.relu(x, name="relu"), x, name="plus")
    x = sym.SoftmaxOutput(x, name="softmax")
    texts, straight, bent = drawn(x)
    assert texts == [
        "data (0, 4)",
        "FullyConnected  fc  (weight, bias)",
        "relu",
        "elemwise_add  plus",
        "SoftmaxOutput  softmax  (label)",
    ]
    assert (straight, bent) == (4, 1)


def test_shared_variables_have_boxes_of_their_own():
    weight = sym.var("w")
    x = sym.dot(sym.dot(sym.var("data"), weight), weight)
    assert drawn(x)[0][:2] == ["data", "w"]


def test_names_are_text_and_colours_suit_light_and_dark_pages():
    html = sym.var("<b>&")._repr_html_()
    assert "&lt;b&gt;&amp;" in html
    assert set(re.findall(r'stroke="([^"]+)"', html)) == {"#7f7f7f"}
    assert "background" not in html


def test_of_a_large_graph_the_end_is_shown():
    x = sym.var("data")
    for _ in range(1000):
        x = sym.tanh(x)
    texts, straight, _ = drawn(x)
    assert len(texts) == 200
    assert texts[0].startswith("… 801 more before this: tanh  tanh")
    assert straight == 199


def test_groups_and_nothing():
    x = sym.split(sym.var("data"), num_outputs=2, name="halves")
    assert drawn(sym.Group([x[0], x[1]]))[0] == ["data", "SliceChannel  halves"]
    assert drawn(x[0:0]) == ([], 0, 0)
