"""``mx.gpu()`` as a default computes on the host; as a probe it fails, so that scripts go on."""

from __future__ import annotations

import textwrap
import warnings

import pytest

import gluon
import gluon.mxnet
from gluon import GluonError, nd
from gluon.mxnet import gpu


@pytest.fixture(autouse=True)
def hooked(monkeypatch):
    """The hook, before its warning was shown."""
    monkeypatch.setattr(gpu, "_warned", False)
    monkeypatch.delenv(gpu.VARIABLE, raising=False)
    with gluon.mxnet.installed():
        yield


@pytest.fixture
def script(tmp_path):
    """Run a function of a script and return what it returns."""

    def run(source: str):
        path = tmp_path / "script.py"
        path.write_text(textwrap.dedent(source))
        names = {"__name__": "__main__"}
        exec(compile(path.read_text(), str(path), "exec"), names)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return names["found"]()

    return run


def test_a_default_computes_on_the_host_with_one_warning():
    ctx = gluon.gpu(1)
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        x = nd.ones((2, 3), ctx=ctx)
        y = x * 2 + nd.random.uniform(shape=(2, 3), ctx=ctx)
        z = nd.zeros((1,)).as_in_context(ctx)
    assert len(seen) == 1
    assert "arrays on gpu(1) are computed on the host" in str(seen[0].message)
    assert seen[0].filename == __file__
    assert (x.context, y.context, z.context) == (ctx, ctx, ctx)
    assert (gluon.num_gpus(), repr(x).splitlines()[-1]) == (0, "<NDArray 2x3 @gpu(1)>")


def test_networks_train_on_it():
    ctx = [gluon.gpu(0), gluon.gpu(1)]
    net = gluon.nn.Dense(1, in_units=3)
    with pytest.warns(UserWarning, match="host"):
        net.initialize(ctx=ctx)
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.1})
    parts = gluon.utils.split_and_load(nd.ones((4, 3)), ctx)
    with gluon.autograd.record():
        losses = [net(x) ** 2 for x in parts]
    for loss in losses:
        loss.backward()
    trainer.step(4)
    assert [net.weight.data(c).context for c in ctx] == ctx
    assert (net.weight.data(ctx[0]) == net.weight.data(ctx[1])).asnumpy().all()


def test_the_variable_makes_it_an_error(monkeypatch):
    monkeypatch.setenv(gpu.VARIABLE, "error")
    with pytest.raises(GluonError, match=r"num_gpus\(\) is 0"):
        nd.ones((1,), ctx=gluon.gpu())


def test_the_variable_makes_probes_compute(monkeypatch, script):
    monkeypatch.setenv(gpu.VARIABLE, "host")
    assert script(joined(PROBES["bare"])) == "gpu"


def test_without_the_hook_it_is_an_error():
    gluon.mxnet.uninstall()
    with pytest.raises(GluonError, match="put the array on cpu"):
        nd.ones((1,), ctx=gluon.gpu())


HEAD = """
    import sys, traceback
    import mxnet as mx
    from mxnet import nd
    from mxnet.base import MXNetError
"""
PROBES = {
    "error of mxnet": """
        def found():
            try:
                nd.array([0], ctx=mx.gpu())
            except mx.base.MXNetError:
                return "cpu"
            return "gpu"
    """,
    "among others": """
        def found():
            try:
                nd.array([0], ctx=mx.gpu())
            except (ValueError, MXNetError) as error:
                return "cpu"
            return "gpu"
    """,
    "bare": """
        def found():
            try:
                nd.zeros((1,), mx.gpu())
                return "gpu"
            except:
                return "cpu"
    """,
    "in a loop": """
        def found():
            for i in range(3):
                try:
                    nd.zeros((1,), mx.gpu(i)).asnumpy()
                except Exception:
                    break
            return "gpu" if i else "cpu"
    """,
    "comprehension": """
        def found():
            try:
                ctx = [nd.zeros((1,), mx.gpu(i)).context for i in range(2)]
            except RuntimeError:
                return "cpu"
            return "gpu"
    """,
    "with": """
        def found():
            try:
                with mx.gpu():
                    nd.zeros((1,))
            except Exception:
                return "cpu"
            return "gpu"
    """,
    "outer": """
        def found():
            try:
                try:
                    nd.zeros((1,), mx.gpu())
                except Exception:
                    raise
                return "gpu"
            except MXNetError:
                return "cpu"
    """,
    "block": """
        def found():
            try:
                mx.gluon.nn.Dense(2, in_units=2).initialize(ctx=mx.gpu())
                return "gpu"
            except MXNetError:
                return "cpu"
    """,
}
DEFAULTS = {
    "plain": """
        def found():
            return str(nd.zeros((1,), mx.gpu()).context)[:3]
    """,
    "no matching handler": """
        def found():
            try:
                return str(nd.zeros((1,), mx.gpu()).context)[:3]
            except KeyboardInterrupt:
                return "cpu"
    """,
    "handler that ends": """
        def found():
            try:
                nd.zeros((1,), mx.gpu())
            except Exception:
                sys.exit("failed")
            return "gpu"
    """,
    "finally": """
        def found():
            try:
                nd.zeros((1,), mx.gpu())
            finally:
                result = "gpu"
            return result
    """,
    "in the handler": """
        def found():
            try:
                1 / 0
            except Exception:
                nd.zeros((1,), mx.gpu())
                return "gpu"
    """,
    "called from a try": """
        def main():
            nd.zeros((1,), mx.gpu())
            return "gpu"
        def found():
            try:
                return main()
            except Exception:
                traceback.print_exc()
                return "cpu"
    """,
    "defined in a try": """
        try:
            def found():
                nd.zeros((1,), mx.gpu())
                return "gpu"
        except Exception:
            pass
    """,
    "network": """
        def found():
            try:
                mx.gluon.nn.Dense(2, in_units=2).initialize(ctx=mx.gpu())
                return "gpu"
            except Exception as error:
                print(error)
                return "cpu"
    """,
    "long": """
        def found():
            try:
                a = nd.zeros((1,), mx.gpu())
                b = a + 1
                c = b + 1
                d = c + 1
                for k in range(3):
                    d += k
                    c += k
                    b += k
                    a += k
                return "gpu"
            except Exception as error:
                return "cpu"
    """,
}


def joined(source: str) -> str:
    return textwrap.dedent(HEAD) + textwrap.dedent(source)


@pytest.mark.parametrize("probe", PROBES)
def test_a_probe_finds_no_gpu(script, probe):
    assert script(joined(PROBES[probe])) == "cpu"


@pytest.mark.parametrize("default", DEFAULTS)
def test_a_default_finds_one(script, default):
    assert script(joined(DEFAULTS[default])) == "gpu"
