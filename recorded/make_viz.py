"""Write what MXNet prints and draws of the networks of `tests/viz/programs.py` to `viz.json`."""

import contextlib
import io
import json
import sys
from pathlib import Path

import mxnet as mx

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "tests" / "viz"))
import programs  # noqa: E402

programs.pretend_graphviz()
found = {}
for name, build in programs.NETWORKS.items():
    net, shape = build(mx.gluon.nn)
    symbol = net(mx.sym.var("data"))
    screen = io.StringIO()
    with contextlib.redirect_stdout(screen):
        mx.viz.print_summary(symbol, shape, line_length=100)
    picture = mx.viz.plot_network(symbol, shape=shape)
    found[name] = {"summary": screen.getvalue(), "picture": picture.calls}
found["symbols"] = {
    name: programs.views(mx, *build(mx.sym)) for name, build in programs.SYMBOLS.items()
}
found["statistics"] = programs.statistics(mx.nd, mx.profiler)
(HERE / "viz.json").write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
