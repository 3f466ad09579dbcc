"""List every name in the modules and classes of real MXNet 1.9.1, and where each comes from.

Run it where MXNet is installed; gluon is not needed:

    /path/to/oracle/bin/python recorded/make_mxnet_names.py

`listing.py` says what it writes: ``mxnet_names.json.gz`` and ``gluon/mxnet/names.json``.
"""

from listing import Listing

if __name__ == "__main__":
    Listing(
        "mxnet",
        skip={"mxnet.libmxnet", "mxnet.onnx.setup"},  # the shared library, and a script
        generated=("mxnet.ndarray", "mxnet.symbol"),
        inside=("ndarray", "symbol"),
    ).write()
