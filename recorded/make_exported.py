"""Ask the oracle, real MXNet 1.9.1, for the files and outputs of the networks of tests/module/zoo.

Run it where MXNet is installed; gluon is not needed:

    /path/to/oracle/bin/python recorded/make_exported.py

It writes ``exported.json.gz`` beside itself, with the symbol and the output of each network. The
parameters are not kept: the same ones can be drawn again.

With the folder of files that gluon exported, it checks instead that MXNet reads them and computes
the same:

    /path/to/gluon/bin/python tests/module/zoo.py FOLDER
    /path/to/oracle/bin/python recorded/make_exported.py FOLDER
"""

from __future__ import annotations

import gzip
import json
import sys
import tempfile
from pathlib import Path

import numpy as np
from make import HERE


def main() -> None:
    import mxnet as mx

    from tests.module.zoo import FAMILIES, built, picture

    found = {}
    with tempfile.TemporaryDirectory() as folder:
        for family in FAMILIES:
            net = built(mx, family)
            output = net(mx.nd.array(picture(family))).asnumpy()
            net.export(f"{folder}/net")
            symbol = json.loads(Path(f"{folder}/net-symbol.json").read_text())
            found[family] = {"symbol": symbol, "output": output.ravel().tolist()}
            print(family, output.ravel()[:3])
    packed = gzip.compress(json.dumps(found).encode(), mtime=0)
    (HERE / "exported.json.gz").write_bytes(packed)


def check(folder: str) -> None:
    import mxnet as mx

    from tests.module.zoo import FAMILIES, picture

    for family in FAMILIES:
        start = f"{folder}/{family}"
        net = mx.gluon.SymbolBlock.imports(f"{start}-symbol.json", ["data"], f"{start}-0000.params")
        x = mx.nd.array(picture(family))
        wanted = np.load(f"{start}.npy")
        symbol, args, auxes = mx.model.load_checkpoint(start, 0)
        module = mx.mod.Module(symbol, label_names=None)
        module.bind([("data", x.shape)], for_training=False)
        module.set_params(args, auxes)
        for y in (net(x), module.predict(x)):
            print(family, float(abs(y.asnumpy() - wanted).max() / abs(wanted).max()))


if __name__ == "__main__":
    check(sys.argv[1]) if sys.argv[1:] else main()
