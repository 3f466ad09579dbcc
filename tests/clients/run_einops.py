"""Use einops on MXNet's arrays, and its layers in a network; run its own tests where they are.

    python -m gluon.mxnet --old-numpy tests/clients/run_einops.py [SOURCE]

It needs einops 0.6.0. Its own tests are in its source archive alone, so SOURCE is the folder of
that archive; they need pytest and parameterized, and NumPy's old names.
"""

from __future__ import annotations

import importlib.util
import pickle
import sys
import tempfile
import types
from pathlib import Path

import mxnet as mx
import numpy as np
from einops import EinopsError, asnumpy, pack, parse_shape, rearrange, reduce, repeat, unpack
from einops.layers.gluon import EinMix, Rearrange, Reduce
from mxnet.gluon import Trainer, loss, nn
from results import Results

#: a pattern, its lengths and the shape of an array that it fits
REARRANGED = [
    ("b c h w -> b (c h w)", {}, (2, 3, 4, 6)),
    ("b c (h a) (w b2) -> b (c a b2) h w", {"a": 2, "b2": 3}, (2, 3, 4, 6)),
    ("... h w -> w ... h", {}, (2, 3, 4, 6)),
    ("b h -> h () b ()", {}, (5, 7)),
    ("(a b) -> b a", {"a": 4}, (12,)),
]
REDUCED = [
    ("b c h w -> b c", {}, (2, 3, 4, 6)),
    ("b c (h a) (w b2) -> b c h w", {"a": 2, "b2": 3}, (2, 3, 4, 6)),
    ("... w -> ...", {}, (3, 4, 5)),
    ("a b -> b () ", {}, (3, 4)),
]
REPEATED = [
    ("h w -> h w c", {"c": 3}, (4, 5)),
    ("h w -> (h a) (w b)", {"a": 2, "b": 3}, (4, 5)),
    ("a ... -> (copies a) ...", {"copies": 2}, (2, 3, 4)),
]
#: tests of einops that are of other libraries alone
OTHERS = ["torch", "keras", "chainer", "flax", "backends_installed", "numpy"]
KINDS = ["sum", "mean", "max", "min", "prod"]


def sample(shape: tuple[int, ...]) -> np.ndarray:
    """Numbers in [0.5, 1.5], no two of them equal."""
    count = int(np.prod(shape))
    return (0.5 + np.random.permutation(count) / count).astype("float32").reshape(shape)


def as_for_numpy(function, *arguments, **lengths) -> None:
    """einops gives the same results for MXNet's arrays as for NumPy's."""
    x, *rest = arguments
    found = function(mx.nd.array(x), *rest, **lengths)
    assert isinstance(found, mx.nd.NDArray)
    np.testing.assert_allclose(asnumpy(found), function(x, *rest, **lengths), rtol=1e-5)


def gradient(function, *arguments, **lengths) -> None:
    """The gradient of a weighted sum of the results is that of finite differences."""
    x, *rest = arguments
    weights = sample(function(x, *rest, **lengths).shape)
    array = mx.nd.array(x)
    array.attach_grad()
    with mx.autograd.record():
        total = (function(array, *rest, **lengths) * mx.nd.array(weights)).sum()
    total.backward()
    wanted = np.empty(x.size)
    for at in range(x.size):
        ends = []
        for step in (1e-6, -1e-6):
            moved = x.astype("float64")
            moved.flat[at] += step
            ends.append((function(moved, *rest, **lengths) * weights).sum())
        wanted[at] = (ends[0] - ends[1]) / 2e-6
    np.testing.assert_allclose(array.grad.asnumpy().ravel(), wanted, rtol=1e-3, atol=1e-4)


def layer(kind: type, function, *arguments, **lengths) -> None:
    """A layer computes what the function does, in a network and after pickling."""
    x, *rest = arguments
    wanted = function(x, *rest, **lengths)
    one = kind(*rest, **lengths)
    net = nn.HybridSequential()
    net.add(one)
    for block in (one, pickle.loads(pickle.dumps(one)), net):
        np.testing.assert_allclose(block(mx.nd.array(x)).asnumpy(), wanted, rtol=1e-5)
    assert repr(rest[0]) in repr(one)


def mixed(bias: str | None) -> None:
    """EinMix is an einsum with a weight that is learnt; on MXNet it computes with mx.np."""
    x = sample((2, 3))
    with mx.util.np_array(True):
        mix = EinMix("b c -> b d", weight_shape="c d", bias_shape=bias, c=3, d=5)
        mix.initialize()
        found = mix(mx.np.array(x))
        wanted = x @ mix.weight.data().asnumpy()
        if bias is not None:
            wanted += mix.bias.data().asnumpy()
        assert found.shape == (2, 5)
        np.testing.assert_allclose(found.asnumpy(), wanted, rtol=1e-5)


def listed() -> None:
    images = [mx.nd.array(sample((4, 5))) for _ in range(3)]
    found = rearrange(images, "b h w -> h (b w)")
    np.testing.assert_array_equal(
        found.asnumpy(), np.concatenate([one.asnumpy() for one in images], axis=1)
    )


def packed() -> None:
    parts = [mx.nd.array(sample(shape)) for shape in [(2, 3), (2, 4, 5), (2,)]]
    together, shapes = pack(parts, "b *")
    assert together.shape == (2, 24)
    for part, back in zip(parts, unpack(together, shapes, "b *")):
        np.testing.assert_array_equal(part.asnumpy(), back.asnumpy())


def shape_parsed() -> None:
    assert parse_shape(mx.nd.zeros((2, 3, 4)), "b _ w") == {"b": 2, "w": 4}


def wrong_shape() -> None:
    try:
        rearrange(mx.nd.zeros((2, 3)), "a (b c) -> a b c", b=2)
    except EinopsError:
        return
    raise AssertionError("there was no error")


def network() -> nn.HybridSequential:
    net = nn.HybridSequential()
    net.add(
        nn.Conv2D(6, kernel_size=3),
        Reduce("b c (h h2) (w w2) -> b c h w", "max", h2=2, w2=2),
        nn.Conv2D(12, kernel_size=3),
        Reduce("b c (h h2) (w w2) -> b c h w", "mean", h2=2, w2=2),
        Rearrange("b c h w -> b (c h w)"),
        nn.Dense(10),
    )
    net.initialize(mx.init.Xavier())
    return net


def trained() -> str:
    net = network()
    x, y = mx.nd.random.normal(shape=(20, 3, 18, 18)), mx.nd.arange(20) % 10
    trainer = Trainer(net.collect_params(), "adam", {"learning_rate": 0.01})
    losses = []
    for _ in range(30):
        with mx.autograd.record():
            error = loss.SoftmaxCrossEntropyLoss()(net(x), y)
        error.backward()
        trainer.step(20)
        losses.append(error.mean().asscalar())
    assert losses[-1] < losses[0] / 5
    return f"loss {losses[0]:.2f} before, {losses[-1]:.2f} after 30 steps"


def saved() -> None:
    x = mx.nd.random.normal(shape=(2, 3, 18, 18))
    one, other = network(), network()
    one(x)
    with tempfile.TemporaryDirectory() as folder:
        one.save_parameters(f"{folder}/net.params")
        other.load_parameters(f"{folder}/net.params")
    np.testing.assert_allclose(one(x).asnumpy(), other(x).asnumpy(), rtol=1e-5)


def written_here(results: Results) -> None:
    """What einops documents of its functions and layers."""
    for pattern, lengths, shape in REARRANGED:
        x = sample(shape)
        for test in (as_for_numpy, gradient):
            results.check(
                f"rearrange '{pattern}' {test.__name__}",
                test,
                rearrange,
                x,
                pattern,
                **lengths,
            )
        results.check(f"Rearrange '{pattern}'", layer, Rearrange, rearrange, x, pattern, **lengths)
    for pattern, lengths, shape in REDUCED:
        x = sample(shape)
        for kind in KINDS:
            for test in (as_for_numpy, gradient):
                results.check(
                    f"reduce '{pattern}' {kind} {test.__name__}",
                    test,
                    reduce,
                    x,
                    pattern,
                    kind,
                    **lengths,
                )
            results.check(
                f"Reduce '{pattern}' {kind}",
                layer,
                Reduce,
                reduce,
                x,
                pattern,
                kind,
                **lengths,
            )
    for pattern, lengths, shape in REPEATED:
        x = sample(shape)
        for test in (as_for_numpy, gradient):
            results.check(
                f"repeat '{pattern}' {test.__name__}", test, repeat, x, pattern, **lengths
            )
    results.check("EinMix without bias", mixed, None)
    results.check("EinMix with bias", mixed, "d")
    for test in (listed, packed, shape_parsed, wrong_shape, trained, saved):
        results.check(test.__name__, test)


def its_own(results: Results, source: Path) -> None:
    """The tests of einops, those of MXNet's arrays and symbols alone."""
    sys.path.insert(0, str(source))
    if importlib.util.find_spec("torch") is None:  # one file imports it, for other tests
        for name in ("torch", "torch.jit"):
            sys.modules[name] = types.ModuleType(name)
        sys.modules["torch"].Tensor = type("Tensor", (), {})
    import tests

    every = tests.collect_test_backends
    tests.collect_test_backends = lambda **kinds: [
        one for one in every(**kinds) if "mxnet" in one.framework_name
    ]
    folder = source / "tests"
    notebooks = f"--ignore={folder / 'test_notebooks.py'}"
    results.suite(str(folder), notebooks, "-k", f"not ({' or '.join(OTHERS)})")


np.random.seed(0)
mx.random.seed(0)
results = Results("einops")
written_here(results)
if len(sys.argv) > 1:
    its_own(results, Path(sys.argv[1]).resolve())
results.finish()
