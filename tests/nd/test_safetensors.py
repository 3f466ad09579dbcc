"""Files of the package safetensors: no file of that name has another format."""

from __future__ import annotations

import json
import struct
import subprocess
import sys

import numpy
import pytest

from gluon import GluonError, nd, nn, np, npx

safetensors = pytest.importorskip("safetensors.numpy")
DTYPES = "float64 float32 float16 int64 int32 int8 uint8 bool".split()


def header(path):
    """The table of contents at the beginning of such a file."""
    content = path.read_bytes()
    (size,) = struct.unpack("<Q", content[:8])
    return json.loads(content[8 : 8 + size])


@pytest.mark.parametrize("dtype", DTYPES)
def test_what_is_saved_is_loaded_here_and_by_the_package(tmp_path, dtype):
    path = tmp_path / "arrays.safetensors"
    values = numpy.arange(6).reshape(2, 3).astype(dtype)
    nd.save(path, {"x": nd.array(values, dtype=dtype).T, "y": nd.array([1], dtype=dtype)})
    assert header(path)["x"]["shape"] == [3, 2]
    for found in (safetensors.load_file(path), nd.load(path)):
        x = found["x"] if isinstance(found["x"], numpy.ndarray) else found["x"].asnumpy()
        assert x.dtype == dtype
        assert x.tolist() == values.T.tolist()


def test_bfloat16_is_loaded_before_any_array_of_it_was_made(tmp_path):
    pytest.importorskip("ml_dtypes")
    path = tmp_path / "b.safetensors"
    content = json.dumps({"w": {"dtype": "BF16", "shape": [2], "data_offsets": [0, 4]}}).encode()
    path.write_bytes(struct.pack("<Q", len(content)) + content + bytes.fromhex("803f0040"))
    program = (
        "import sys; from gluon import nd; print(nd.load(sys.argv[1])['w'].astype('f4').sum())"
    )
    found = subprocess.run(
        [sys.executable, "-c", program, str(path)], capture_output=True, text=True, check=True
    )
    assert "[3.]" in found.stdout


@pytest.mark.parametrize("dtype", ["F8_E4M3", "C64"])
def test_dtypes_that_arrays_cannot_have(tmp_path, dtype):
    path = tmp_path / "b.safetensors"
    size = {"F8_E4M3": 1, "C64": 8}[dtype]
    content = json.dumps({"w": {"dtype": dtype, "shape": [1], "data_offsets": [0, size]}}).encode()
    path.write_bytes(struct.pack("<Q", len(content)) + content + bytes(size))
    with pytest.raises(GluonError, match="load: "):
        nd.load(path)


def test_both_interfaces_and_all_capitals(tmp_path):
    path = str(tmp_path / "arrays.SAFETENSORS")
    npx.save(path, {"x": np.array(3.5), "empty": np.zeros((0, 2))})
    found = npx.load(path)
    assert (type(found["x"]), found["x"].shape, found["x"].item()) == (np.ndarray, (), 3.5)
    assert found["empty"].shape == (0, 2)


def test_parameters(tmp_path):
    path = str(tmp_path / "net.safetensors")
    nets = [nn.Dense(2, in_units=3), nn.Dense(2, in_units=3)]
    for net in nets:
        net.initialize(init="normal")
    nets[0].save_parameters(path)
    assert set(safetensors.load_file(path)) == {"weight", "bias"}
    nets[1].load_parameters(path)
    assert (nets[0].weight.data() == nets[1].weight.data()).asnumpy().all()
    nets[0].collect_params().save(path, strip_prefix=nets[0].prefix)
    nets[1].collect_params().load(path, restore_prefix=nets[1].prefix)


def test_arrays_without_names_are_refused(tmp_path):
    path = tmp_path / "arrays.safetensors"
    with pytest.raises(GluonError, match="give a dict"):
        nd.save(path, [nd.ones(2)])
    assert not path.exists()


def test_a_file_of_another_format_is_refused(tmp_path):
    path = tmp_path / "arrays.params"
    nd.save(path, {"x": nd.ones(2)})
    other = path.rename(tmp_path / "arrays.safetensors")
    with pytest.raises(GluonError, match="is not a valid file of arrays"):
        nd.load(other)
    with pytest.raises(FileNotFoundError, match="cannot find the file"):
        nd.load(tmp_path / "none.safetensors")


def test_the_package_is_named_where_it_is_not_installed(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "safetensors.numpy", None)
    with pytest.raises(ImportError, match=r"pip install 'gluon-autograd\[safetensors\]'"):
        nd.save(tmp_path / "arrays.safetensors", {"x": nd.ones(2)})
    assert not (tmp_path / "arrays.safetensors").exists()
