"""Programs as pictures in notebooks, and as text."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

import pytest

import gluon
from gluon import autograd, nd, nn
from gluon._core.native import loading
from gluon._core.program import loops, picture

SVG = "{http://www.w3.org/2000/svg}"
needs_library = pytest.mark.skipif(not loops.READABLE, reason="programs need the library")


@pytest.fixture
def net(monkeypatch):
    monkeypatch.setenv("GLUON_PROGRAM", "1")
    monkeypatch.setattr(loading, "LEAST", 2048)  # a program draws small masks itself
    made = nn.HybridSequential(prefix="net_")
    with made.name_scope():
        made.add(nn.Dense(5, activation="tanh"), nn.Dropout(0.5), nn.Dense(3))
    made.initialize()
    made.hybridize()
    for _ in range(5):
        with autograd.record():
            y = made(nd.ones((4, 6)))
        y.backward()
    return made


def drawn(shown: str) -> list[tuple[str, str]]:
    """The texts of a picture with the colours of their boxes; none for those at the side."""
    root = ElementTree.fromstring(shown._repr_html_())
    colours = [one.get("fill") for one in root.iter(f"{SVG}rect")]
    texts = ["".join(one.itertext()) for one in root.iter(f"{SVG}text")]
    sides = len(texts) - len(colours)
    return list(zip(texts, [None] * sides + colours))


@needs_library
def test_a_block_is_drawn_with_its_layers_at_the_side(net):
    texts = drawn(net.program())
    sides = [text for text, colour in texts if colour is None]
    assert sides[0] == "net_dense0"
    assert "net_dropout0" in sides
    assert sides[-1] == "net_dense0"
    boxes = dict(texts[len(sides) :])
    assert next(iter(boxes)) == "argument 0  float32[4, 6]"
    assert "backward pass" in boxes
    (mask,) = [text for text in boxes if "dropout_mask" in text]
    assert not mask.startswith("Python  ")
    assert "#f7c6c7" not in boxes.values()


@needs_library
def test_what_runs_in_python_has_a_colour_of_its_own(monkeypatch):
    monkeypatch.setenv("GLUON_PROGRAM", "1")

    @gluon.jit
    def step(x):
        return nd.sort(nd.exp(x) + 1) * 2

    for k in range(4):
        step(nd.ones((4, 6)) * k)
    boxes = {text: colour for text, colour in drawn(step.program()) if colour is not None}
    (called,) = [text for text in boxes if "sort" in text]
    assert called.startswith("Python  ")
    assert [text for text, colour in boxes.items() if colour == "#f7c6c7"] == [called]


@needs_library
def test_the_update_of_a_trainer_is_drawn_as_a_call():
    net = nn.Dense(3)
    net.initialize()
    trainer = gluon.Trainer(net.collect_params(), "sgd")

    @gluon.jit
    def step(x):
        with autograd.record():
            loss = (net(x) ** 2).sum()
        loss.backward()
        trainer.step(1)
        return loss

    before = step.program()
    assert "0 forms of arguments" in before
    assert "<svg" not in before._repr_html_()
    for k in range(4):
        step(nd.ones((2, 3)) * k)
        if k == 0:
            assert "called 1 time" in step.program()._repr_html_()
    assert drawn(step.program())[-1] == ("calls Trainer.step", "#f7c6c7")


@needs_library
def test_a_long_program_is_cut(net, monkeypatch):
    monkeypatch.setattr(picture, "MOST", 4)
    boxes = [text for text, colour in drawn(net.program()) if colour]
    assert len(boxes) == 5
    assert boxes[-1].endswith(" more")


def test_reasons_are_drawn_without_markup():
    @gluon.jit
    def step(x):
        return x * float(x.sum().asscalar() < 1)

    for _ in range(4):
        step(nd.ones(3))
    shown = step.program()
    root = ElementTree.fromstring(shown._repr_html_())
    assert "runs as written: a value is read" in "".join(root.itertext())
    assert repr(shown) == str(shown)


@needs_library
def test_text_has_the_backward_pass_and_the_layers_of_gradients(net):
    lines = net.program().splitlines()
    middle = next(k for k, line in enumerate(lines) if "backward pass" in line)
    assert any("dot" in line and "# net_dense1" in line for line in lines[:middle])
    assert any("dot" in line and "# net_dense1" in line for line in lines[middle:])
    assert any("dot" in line and "# net_dense0" in line for line in lines[middle:])
