"""Trained parameters are read from files, and a missing file is an error that names it."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from gluon import cpu, nd
from gluon._core.errors import ArgumentError
from gluon.model_zoo import model_store, vision
from gluon.model_zoo.vision import resnet
from gluon.utils import DownloadError


def small(monkeypatch) -> None:
    """Make ``resnet18_v1`` a small network."""
    monkeypatch.setitem(resnet.LAYERS, 18, ("basic", (1, 1), (4, 4, 8)))


@pytest.mark.parametrize("name", ["resnet18_v1-a0666292.params", "resnet18_v1.params"])
def test_pretrained_reads_a_file(name, tmp_path, monkeypatch):
    small(monkeypatch)
    net = vision.resnet18_v1(classes=3)
    net.initialize()
    x = nd.array(np.random.RandomState(0).rand(1, 3, 32, 32))
    expected = net(x)
    net.save_parameters(str(tmp_path / name))
    for make in (
        lambda **kwargs: vision.get_model("resnet18_v1", **kwargs),
        lambda **kwargs: vision.get_resnet(1, 18, **kwargs),
    ):
        loaded = make(classes=3, pretrained=True, root=str(tmp_path), ctx=cpu(1))
        assert loaded.output.weight.list_ctx() == [cpu(1)]
        y = loaded(x.as_in_context(cpu(1)))
        np.testing.assert_array_equal(y.asnumpy(), expected.asnumpy())


def test_parameters_of_another_shape_are_an_error(tmp_path, monkeypatch):
    small(monkeypatch)
    net = vision.resnet18_v1(classes=3)
    net.initialize()
    net(nd.ones((1, 3, 32, 32)))
    net.save_parameters(str(tmp_path / "resnet18_v1.params"))
    with pytest.raises(ArgumentError, match="shape"):
        vision.resnet18_v1(pretrained=True, root=str(tmp_path))


@pytest.mark.parametrize(
    ("make", "file"),
    [
        (vision.alexnet, "alexnet-44335d1f"),
        (vision.vgg11_bn, "vgg11_bn-ee79a809"),
        (vision.densenet121, "densenet121-f27dbf2d"),
        (vision.inception_v3, "inceptionv3-ed47ec45"),
        (vision.mobilenet1_0, "mobilenet1.0-6b8c5106"),
        (vision.mobilenet_v2_0_5, "mobilenetv2_0.5-aabd26cd"),
        (vision.resnet152_v2, "resnet152_v2-f2695542"),
        (vision.squeezenet1_1, "squeezenet1.1-33ba0f93"),
    ],
)
def test_a_missing_file_is_named(make, file, tmp_path):
    with pytest.raises(DownloadError) as caught:
        make(pretrained=True, root=str(tmp_path))
    assert str(tmp_path / f"{file}.params") in str(caught.value)
    assert "http" not in str(caught.value)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: vision.get_model("resnet19_v1"), "resnet19_v1.*resnet18_v1"),
        (lambda: vision.get_model(3), "get_model"),
        (lambda: vision.get_resnet(3, 18), "version=3"),
        (lambda: vision.get_resnet(1, 19), "num_layers=19 .* 18, 34"),
        (lambda: vision.get_vgg(12), "num_layers=12"),
        (lambda: vision.densenet.get_densenet(122), "num_layers=122"),
        (lambda: vision.SqueezeNet("2.0"), "version='2.0'"),
        (lambda: vision.VGG([1, 1], [2]), "VGG: layers has 2 stages but filters has 1"),
        (lambda: vision.ResNetV2(vision.BasicBlockV2, [1], [2]), "channels needs 2"),
        (lambda: vision.get_mobilenet(0.3, pretrained=True), "mobilenet0.3"),
        (lambda: model_store.get_model_file("lenet"), "lenet"),
    ],
)
def test_wrong_arguments(call, message):
    with pytest.raises(ArgumentError, match=message):
        call()


def test_purge_deletes_parameter_files(tmp_path):
    for name in ("alexnet-44335d1f.params", "own.params", "notes.txt"):
        (tmp_path / name).write_text("")
    model_store.purge(str(tmp_path))
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]
    with pytest.raises(FileNotFoundError):
        model_store.purge(str(tmp_path / "nowhere"))


@pytest.mark.parametrize("home", [None, "elsewhere"])
def test_the_folder_by_default(home, tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("MXNET_HOME", raising=False)
    if home:
        monkeypatch.setenv("MXNET_HOME", str(tmp_path / home))
    folder = tmp_path / (home or ".mxnet") / "models"
    folder.mkdir(parents=True)
    (folder / "alexnet.params").write_text("")
    code = "from gluon.model_zoo import model_store as s; print(s.get_model_file('alexnet'))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == str(folder / "alexnet.params")


def test_every_model_has_a_file():
    assert set(vision.MODELS) == set(model_store.HASHES)
