"""List every name in the modules and classes of real MegEngine 1.13, and where each comes from.

Run it where MegEngine is installed; gluon is not needed:

    /path/to/oracle/bin/python recorded/make_megengine_names.py

`listing.py` says what it writes: ``megengine_names.json.gz`` and ``gluon/megengine/names.json``.
"""

from listing import Listing

#: Scripts, and modules that need packages which MegEngine does not install.
SKIP = {
    "megengine.tools.benchmark_op",
    "megengine.tools.draw_graph",
    "megengine.tools.graph_info_analyze",
    "megengine.tools.network_visualize",
    "megengine.utils.tensorboard",
    "megengine.xla",
}

if __name__ == "__main__":
    Listing("megengine", skip=SKIP, inside=("imperative", "mgb")).write()
