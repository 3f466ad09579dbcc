"""Networks go from MXNet 1.9.1 to gluon, and from gluon to its files and back."""

from __future__ import annotations

import gzip
import json

import numpy as np
import pytest

from gluon import SymbolBlock, model, nd
from gluon.module import Module
from recorded.make import HERE
from tests.module.zoo import FAMILIES, built, picture, values
from tests.nn.replay import MX

EXPORTED = json.loads(gzip.decompress((HERE / "exported.json.gz").read_bytes()))
SLOW = ("densenet121", "inceptionv3", "vgg11_bn", "alexnet")
EACH = [pytest.param(one, marks=[pytest.mark.slow] * (one in SLOW)) for one in FAMILIES]


@pytest.fixture
def files(tmp_path):
    """Writes what MXNet exported; gives the start of the names of the files."""

    def write(family):
        start = f"{tmp_path}/net"
        with open(f"{start}-symbol.json", "w") as file:
            json.dump(EXPORTED[family]["symbol"], file)
        net = SymbolBlock.imports(f"{start}-symbol.json", "data")
        net.infer_shape(nd.array(picture(family)))
        states = net._symbol.list_auxiliary_states()
        named = {
            f"{'aux' if name in states else 'arg'}:{name}": nd.array(values(name, one.shape))
            for name, one in net.collect_params().items()
        }
        nd.save(f"{start}-0003.params", named)
        return start

    return write


@pytest.mark.parametrize("family", EACH)
def test_what_mxnet_exported_computes_the_same(family, files):
    start, x = files(family), nd.array(picture(family))
    wanted = np.array(EXPORTED[family]["output"]).reshape(1, -1)
    net = SymbolBlock.imports(f"{start}-symbol.json", ["data"], f"{start}-0003.params")
    symbol, args, auxes = model.load_checkpoint(start, 3)
    module = Module(symbol, label_names=None)
    module.bind([("data", x.shape)], for_training=False)
    module.set_params(args, auxes)
    for y in (net(x), module.predict(x)):
        np.testing.assert_allclose(y.asnumpy(), wanted, rtol=1e-4, atol=1e-4 * abs(wanted).max())


@pytest.mark.parametrize("family", EACH)
def test_what_gluon_exports_is_what_mxnet_exports(family, tmp_path):
    net, x = built(MX(), family), nd.array(picture(family))
    symbol_file, params_file = net.export(f"{tmp_path}/net", epoch=12)
    assert params_file.endswith("net-0012.params")
    again = SymbolBlock.imports(symbol_file, "data", params_file)
    y = net(x).asnumpy()
    np.testing.assert_allclose(again(x).asnumpy(), y, rtol=1e-5, atol=1e-5 * abs(y).max())
    with open(symbol_file) as file:
        ours, theirs = json.load(file), EXPORTED[family]["symbol"]
    assert [node["op"] for node in ours["nodes"]] == [node["op"] for node in theirs["nodes"]]
    assert [node["inputs"] for node in ours["nodes"]] == [n["inputs"] for n in theirs["nodes"]]
    assert [node["name"] for node in ours["nodes"]] == [node["name"] for node in theirs["nodes"]]
    assert ours["heads"] == theirs["heads"]
    assert ours["arg_nodes"] == theirs["arg_nodes"]
