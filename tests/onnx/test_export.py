"""Exported networks: onnxruntime computes what gluon computes, and they can be imported again."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gluon import GluonError, autograd, nd, nn, rnn, sym
from gluon.model_zoo import vision
from tests._core.ops.samples import SAMPLES

onnx = pytest.importorskip("onnx")
pytest.importorskip("onnxruntime")
from gluon import onnx as gluon_onnx  # noqa: E402
from gluon.onnx import files  # noqa: E402

from .agreement import check, needs_new_runtime, ran  # noqa: E402

#: What begins the samples in which onnxruntime differs, and why.
DIFFERENCES = {
    "BilinearSampler(1x2x3x5, [[[[-1, -1, 1": "GridSample of places far outside is not 0 there",
    "LRN(": "onnxruntime has three axes or more only",
    "RNN(": "onnxruntime has no float64 here",
    "ROIPooling(": "onnxruntime refuses regions outside",
    "contrib.ROIAlign(": "onnxruntime refuses regions without an image",
    "degrees(": "integers are multiplied by integers",
    "image.normalize(": "integers are divided by integers",
    "norm(": "squares overflow",
    "one_hot(": "onnxruntime refuses a depth of 0",
    "rcbrt(": "the sign of zero",
    "unravel_index(": "places before the first",
}
DRAWN = (
    "random",
    "sample",
    "normal",
    "uniform",
    "Dropout",
    "shuffle",
    "multinomial",
    "exponential",
)
#: How many of the samples are tried: every nth one with each version of the operators.
EVERY = {13: 4, 17: 1, 21: 4}


def found(place: Any, path: str) -> Any:
    for part in path.split("."):
        place = getattr(place, part, None)
    return place


def composed(sample: Any) -> tuple[Any, dict[str, np.ndarray]]:
    """A sample as a symbol, and its arrays by name."""
    arrays: dict[str, np.ndarray] = {}

    def variable(raw: Any) -> Any:
        if isinstance(raw, list):
            return [variable(one) for one in raw]
        if not isinstance(raw, np.ndarray):
            return raw
        name = f"x{len(arrays)}"
        arrays[name] = raw
        return sym.var(name, shape=raw.shape)

    inputs = [variable(raw) for raw in sample.raws()]
    return found(sym, sample.op)(*inputs, **sample.attrs), arrays


def divides_by_zero(raws: Any) -> bool:
    """Whether integers are divided by zero; onnxruntime has no answer."""
    return all(np.asarray(raw).dtype.kind in "biu" for raw in raws) and not np.all(raws[-1])


def is_tried(sample: Any) -> bool:
    simple = not (sample.training or sample.out or sample.writes or sample.refused)
    known = str(sample).startswith(tuple(DIFFERENCES))
    known = known or any(word in sample.op and "pdf" not in sample.op for word in DRAWN)
    if not simple or known or found(sym, sample.op) is None:
        return False
    raws = sample.raws()
    if any(word in sample.op for word in ("div", "mod")) and divides_by_zero(raws):
        return False
    arrays = [raw for raw in raws if isinstance(raw, np.ndarray)]
    return bool(arrays) and all(
        raw.size and np.isfinite(raw).all() and abs(raw.astype("float64")).max() < 1e6
        for raw in arrays
    )


def compared(sample: Any, opset: int) -> bool:
    """Whether both can compute a sample; then the results agree."""
    try:
        net, arrays = composed(sample)
    except (GluonError, TypeError):  # no symbol takes these arguments
        return False
    if set(net.list_inputs()) != set(arrays):
        return False  # an input is left out
    try:
        check(net, arrays, opset, max(1e-5, sample.rtol))
    except GluonError:  # ONNX cannot express it
        return False
    except Exception as error:
        if "NOT_IMPLEMENTED" in str(error) or "is invalid" in str(error):
            return False  # onnxruntime has the operator for other dtypes
        raise
    return True


with np.errstate(all="ignore"):
    TRIED = [sample for sample in SAMPLES if is_tried(sample)]


@needs_new_runtime
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("opset", EVERY)
def test_operators_compute_the_same_in_onnxruntime(opset):
    wrong, count = [], 0
    chosen = TRIED[opset % EVERY[opset] :: EVERY[opset]]
    for sample in chosen:
        try:
            count += compared(sample, opset)
        except Exception as error:
            wrong.append(f"{sample}: {error!r:.400}")
    assert not wrong, "\n".join(wrong)
    assert count > len(chosen) / 3


def without_memory(layer: Any) -> None:
    """Make the averages of batch normalization those of the last batch."""
    if isinstance(layer, nn.BatchNorm):
        layer._kwargs["momentum"] = 0.0


def zoo(name: str, side: int) -> tuple[Any, Any]:
    net = vision.get_model(name, classes=10)
    net.initialize("xavier")
    x = nd.random.normal(shape=(4, 3, side, side))
    net(x)
    for param in net.collect_params(".*gamma|.*beta").values():
        # Around 1: where many values are cut off at 0, rounding grows from layer to layer.
        param.set_data(nd.random.uniform(0.7, 1.3, param.shape))
    net.apply(without_memory)
    with autograd.train_mode():  # statistics of other data would leave nothing but zeros
        net(x)
    return net, x[:2]


FAMILIES = {
    "resnet18_v1": 64,
    "resnet18_v2": 64,
    "mobilenet0.25": 64,
    "mobilenetv2_0.25": 64,
    "squeezenet1.0": 224,
    "densenet121": 224,
    "alexnet": 64,
    "vgg11": 32,
    "inceptionv3": 299,
}
LARGE = ("densenet121", "alexnet", "vgg11", "inceptionv3")


@pytest.mark.parametrize(
    "name", [pytest.param(k, marks=pytest.mark.slow) if k in LARGE else k for k in FAMILIES]
)
def test_the_model_zoo_goes_out_and_comes_back(name, tmp_path):
    net, x = zoo(name, FAMILIES[name])
    right = net(x).asnumpy()
    path = net.export_onnx(str(tmp_path / "net.onnx"), x)
    scale = abs(right).max()
    assert abs(right[0] - right[1]).max() > 1e-3 * scale > 0
    np.testing.assert_allclose(ran(path, {"data": x.asnumpy()})[0], right, atol=1e-4 * scale)
    back = gluon_onnx.import_to_gluon(path)(x).asnumpy()
    np.testing.assert_allclose(back, right, rtol=1e-5, atol=1e-5 * scale)


def small() -> tuple[Any, Any]:
    net = nn.HybridSequential(prefix="small_")
    with net.name_scope():
        net.add(nn.Dense(4, activation="tanh"), nn.Dense(2))
    net.initialize("xavier")
    x = nd.random.normal(shape=(3, 5))
    net(x)
    net.hybridize()
    net(x)
    return net, x


def test_forms_of_arguments(tmp_path):
    net, x = small()
    symbol_file, params_file = net.export(str(tmp_path / "net"))
    symbol = sym.load(symbol_file)
    arrays = nd.load(params_file)
    plain = {key.partition(":")[2]: one for key, one in arrays.items()}
    path = str(tmp_path / "net.onnx")
    calls = [
        ((symbol_file, params_file, [x.shape], "float32", path), {}),
        ((symbol, arrays, [x.shape], [np.float32], path), {}),
        ((symbol, plain, [x.shape]), {"onnx_file_path": path}),
        ((symbol, [plain, {}]), {"input_shape": [x.shape], "onnx_file_path": path}),
        ((symbol, plain, [x.shape]), {"input_type": "float32", "onnx_file_path": path}),
        ((symbol, plain, [x.shape]), {"run_shape_inference": True, "onnx_file_path": path}),
    ]
    for args, options in calls:
        assert gluon_onnx.export_model(*args, **options) == path
        np.testing.assert_allclose(
            ran(path, {"data": x.asnumpy()})[0], net(x).asnumpy(), rtol=1e-5, atol=1e-6
        )


def test_names_survive(tmp_path):
    net, x = small()
    path = net.export_onnx(str(tmp_path / "net.onnx"), x)
    graph = onnx.load(path).graph
    assert [one.name for one in graph.input] == ["data"]
    assert set(net.collect_params()) <= {one.name for one in graph.initializer}
    back, arguments, states = gluon_onnx.import_model(path)
    assert set(arguments) == set(net.collect_params())
    assert states == {}
    assert back.list_outputs()[0].startswith(graph.output[0].name)
    assert gluon_onnx.get_model_metadata(path) == {
        "input_tensor_data": [("data", (3, 5))],
        "output_tensor_data": [(graph.output[0].name, (3, 2))],
    }


@pytest.mark.parametrize("lengths", [None, [("batch", 5)]])
def test_a_dynamic_batch_axis(lengths, tmp_path):
    net, x = small()
    path = str(tmp_path / "net.onnx")
    net.export_onnx(path, x, dynamic=True, dynamic_input_shapes=lengths)
    more = nd.random.normal(shape=(7, 5))
    np.testing.assert_allclose(
        ran(path, {"data": more.asnumpy()})[0], net(more).asnumpy(), rtol=1e-5, atol=1e-6
    )


def tagger() -> Any:
    net = nn.HybridSequential()
    net.add(nn.Embedding(9, 5), rnn.LSTM(4, bidirectional=True, layout="NTC"))
    net.add(nn.LayerNorm(), nn.Dense(3, flatten=False))
    return net


NETWORKS = {
    "tagger": (tagger, (2, 3)),
    "attention": (lambda: nn.MultiHeadAttention(6, 2), (2, 3, 6)),
    "encoder": (lambda: nn.TransformerEncoderLayer(6, 8, num_heads=2, dropout=0.0), (2, 3, 6)),
    "convolution": (lambda: nn.Conv1D(4, 3, padding=1), (2, 6, 5)),
}


@pytest.mark.parametrize("name", NETWORKS)
@pytest.mark.parametrize("opset", [13, 17, 21])
def test_dynamic_batch_and_sequence_axes(name, opset, tmp_path):
    make, shape = NETWORKS[name]
    net = make()
    net.initialize("xavier")
    draw = np.random.default_rng(0)

    def drawn(*shape: int) -> Any:
        return nd.array(
            draw.integers(9, size=shape) if len(shape) == 2 else draw.normal(size=shape)
        )

    path = str(tmp_path / "net.onnx")
    axis = 2 if name == "convolution" else 1
    lengths = ["batch", *shape[1:]]
    lengths[axis] = "length"
    net.export_onnx(
        path,
        drawn(*shape),
        dynamic=True,
        dynamic_input_shapes=[lengths],
        opset_version=opset,
    )
    (given,) = onnx.load(path).graph.input
    assert [one.dim_param or one.dim_value for one in given.type.tensor_type.shape.dim] == lengths
    for batch, length in ((2, 3), (5, 7), (1, 4)):
        more = list(shape)
        more[0], more[axis] = batch, length
        x = drawn(*more)
        (found,) = ran(path, {given.name: x.asnumpy()})
        np.testing.assert_allclose(found, net(x).asnumpy(), rtol=1e-4, atol=1e-5)


def test_recurrent_networks(tmp_path):
    for kind in (rnn.LSTM, rnn.GRU, rnn.RNN):
        net = kind(4, num_layers=2, bidirectional=True, layout="NTC")
        net.initialize("xavier")
        x = nd.random.normal(shape=(2, 3, 5))
        path = net.export_onnx(str(tmp_path / "net.onnx"), x)
        right = net(x).asnumpy()
        np.testing.assert_allclose(ran(path, {"data": x.asnumpy()})[0], right, atol=1e-5)
        back = gluon_onnx.import_to_gluon(path)(x).asnumpy()
        np.testing.assert_allclose(back, right, atol=1e-5)


def test_half_precision(tmp_path):
    net, x = small()
    net.cast("float16")
    x = x.astype("float16")
    path = net.export_onnx(str(tmp_path / "net.onnx"), x)
    (result,) = ran(path, {"data": x.asnumpy()})
    assert result.dtype == "float16"
    np.testing.assert_allclose(result, net(x).asnumpy(), atol=1e-2)


def test_large_values_lie_beside_the_file(tmp_path, monkeypatch):
    monkeypatch.setattr(files, "LARGEST_FILE", 1000)
    net = nn.Dense(64)
    net.initialize("xavier")
    x = nd.random.normal(shape=(2, 32))
    path = net.export_onnx(str(tmp_path / "net.onnx"), x)
    assert (tmp_path / "net.onnx.data").stat().st_size >= 64 * 32 * 4
    right = net(x).asnumpy()
    np.testing.assert_allclose(ran(path, {"data": x.asnumpy()})[0], right, rtol=1e-4, atol=1e-6)
    checked = []
    checker = onnx.checker.check_model
    monkeypatch.setattr(
        onnx.checker, "check_model", lambda one: checked.append(one) or checker(one)
    )
    back = gluon_onnx.import_to_gluon(path)(x).asnumpy()
    assert checked == [path]  # a model with its values may be more than the checker takes
    np.testing.assert_allclose(back, right, rtol=1e-5, atol=1e-6)
    size = (tmp_path / "net.onnx.data").stat().st_size
    net.export_onnx(path, x, run_shape_inference=True)
    assert (tmp_path / "net.onnx.data").stat().st_size == size
    assert onnx.load(path, load_external_data=False).graph.value_info


def test_what_onnx_has_not_is_listed_at_once(tmp_path):
    x = sym.var("data")
    root = sym.linalg.syevd(x, name="first")[1]
    net = sym.sgd_update(x, root, lr=0.1, name="second")
    with pytest.raises(GluonError, match=r"syevd \(node 'first'\), .*\(node 'second'\)"):
        gluon_onnx.export_model(net, {}, [(2, 3, 4)], onnx_file_path=str(tmp_path / "no.onnx"))
    assert list(tmp_path.iterdir()) == []


def test_what_onnx_has_not_is_found_in_the_bodies_of_loops(tmp_path):
    x, s = sym.var("x"), sym.var("s")
    net, _ = sym.contrib.foreach(lambda x, s: (sym.linalg.syevd(x, name="inner")[1], s), x, s)
    with pytest.raises(GluonError, match=r"no counterpart of _linalg_syevd \(node 'inner'\)"):
        gluon_onnx.export_model(
            net, {}, [(5, 2, 2), (2,)], onnx_file_path=str(tmp_path / "no.onnx")
        )


def test_lengths_are_numbers_names_or_none(tmp_path):
    net, x = small()
    path = str(tmp_path / "no.onnx")
    for lengths, words in (((1.5, 5), "1.5 in dynamic_input_shapes"), ((2,), r"\[\(2,\)\] for")):
        with pytest.raises(GluonError, match=words):
            net.export_onnx(path, x, dynamic=True, dynamic_input_shapes=[lengths])


def test_the_version_is_one_that_there_is(tmp_path):
    net, x = small()
    for version in (12, 1000, "new"):
        with pytest.raises(GluonError, match=f"opset_version={version!r}"):
            net.export_onnx(str(tmp_path / "no.onnx"), x, opset_version=version)


UNARY = ("cbrt", "cos", "erf", "exp", "log10", "log2", "negative", "reciprocal", "relu", "rint")
UNARY += ("round", "sigmoid", "softsign", "sqrt", "tan", "tanh")


@needs_new_runtime
@pytest.mark.parametrize("dtype", ["int8", "uint8", "int32", "int64"])
@pytest.mark.parametrize("name", UNARY)
def test_functions_of_integers_lose_the_fraction(name, dtype):
    """Also if the result is an integer that rounding can miss, such as cbrt(27)."""
    x = np.r_[1:18, 27, 64, 100, 125].astype(dtype)
    if name == "exp":  # only what fits
        x = x[: 4 if dtype[-1] == "8" else 13]
    check(getattr(sym, name)(sym.var("x")), {"x": x})


@needs_new_runtime
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", ["round", "rint"])
def test_numbers_next_to_ties_are_rounded_exactly(name, dtype):
    below = np.nextafter(np.array(0.5, dtype), np.array(0, dtype))
    x = np.array([below, 0.5, 1.5, 2.5, np.inf, 0, -below, -0.5, -1.5, -2.5, -np.inf], dtype)
    check(getattr(sym, name)(sym.var("x")), {"x": x})


def test_a_sum_of_integers():
    x = np.arange(3, dtype="int64") + 2**40
    check(sym.add_n(*map(sym.var, "abc")), dict.fromkeys("abc", x))


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "int32"])
def test_aggregates_of_many_arrays(dtype):
    arrays = {"a": np.arange(6).reshape(2, 3).astype(dtype), "b": np.array([3, 4], "float32")}
    both = [sym.var("a"), sym.var("b")]
    nets = [
        sym.multi_sum_sq(*both, num_arrays=2),
        sym.multi_all_finite(*both, num_arrays=2),
        sym.all_finite(both[0]),
    ]
    for wrong in (None, np.inf, -np.inf, np.nan):
        if wrong is not None and dtype != "int32":
            arrays["a"][1, 2] = wrong
        for net in nets if wrong is None else nets[1:]:
            check(net, {name: arrays[name] for name in net.list_inputs()})


@pytest.mark.parametrize(
    ("opset", "dtype"), [(13, "float32"), (22, "float32"), (22, "float16"), (22, "float64")]
)
def test_maxima_of_regions(opset, dtype):
    """Regions over the border, of one pixel, with swapped corners, of another image, and none."""
    inside = [[0, 0, 0, 4, 4], [0, 2, 1, 2, 1], [1, 0.5, 1.5, 5, 2.49]]
    outside = [
        [0, 4, 3, 1, 1],
        [1, -3, -2, 2.6, 3.3],
        [-1, 0, 0, 4, 4],
        [2, 0, 0, 4, 4],
        [0, 9, 9, 9, 9],
    ]
    rois = np.array(inside + (outside if opset == 22 else []), "float32")
    x = np.random.default_rng(0).normal(size=(2, 3, 5, 6)).astype(dtype)
    for pooled, scale in (((2, 2), 1.0), ((2, 3), 0.7), ((7, 7), 0.4), ((1, 2), 0.0)):
        net = sym.ROIPooling(*map(sym.var, "xr"), pooled_size=pooled, spatial_scale=scale)
        given = {"x": x, "r": rois.astype(dtype)}
        check(net, given, opset, shapes={"x": (None, None, 5, 6), "r": (None, 5)})


@pytest.mark.parametrize("lengths", [False, True])
@pytest.mark.parametrize("bidirectional", [False, True])
@pytest.mark.parametrize(
    "options",
    [
        {"projection_size": 3},
        {"lstm_state_clip_min": -0.2, "lstm_state_clip_max": 0.1},
        {"projection_size": 2, "lstm_state_clip_min": 0.0, "lstm_state_clip_max": 0.3},
    ],
    ids=["projected", "limited", "both"],
)
def test_lstms_with_a_projection_and_limits(options, bidirectional, lengths):
    size, layers, ways, draw = 4, 2, 1 + bidirectional, np.random.default_rng(0)
    out = options.get("projection_size", size)
    names = ["data", "parameters", "state", "state_cell"] + ["sequence_length"] * lengths
    net = sym.RNN(
        **{name: sym.var(name) for name in names},
        **{"state_size": size, "num_layers": layers, "mode": "lstm", "state_outputs": True},
        bidirectional=bidirectional,
        use_sequence_length=lengths,
        **options,
    )
    shapes = {"data": (5, 3, 6), "state": (layers * ways, 3, out)}
    shapes["state_cell"] = (layers * ways, 3, size)
    given, _, _ = net.infer_shape(**shapes)
    drawn = dict(zip(net.list_arguments(), given))
    arrays = {name: draw.normal(0, 0.5, drawn[name]).astype("float32") for name in names}
    if lengths:
        arrays["sequence_length"] = np.array([5, 1, 3], "float32")
    model = check(net, arrays, rtol=1e-5)
    assert [node.op_type for node in model.graph.node].count("Scan") == layers * ways
    data = (None, None, 6)
    more = {name: one.shape for name, one in arrays.items()} | {"data": data}
    check(net, arrays, shapes=more)


@pytest.mark.parametrize("dtype", ["int8", "int32", "int64"])
def test_counts_of_integers(dtype):
    x, edges = np.arange(20).astype(dtype) % 7, np.array([0, 2, 5], dtype)
    check(sym.histogram(sym.var("x"), bins=sym.var("edges")), {"x": x, "edges": edges})


@pytest.mark.parametrize("ratio", [-1.0, 1.5])
@pytest.mark.parametrize("threshold", [0.0, 0.3])
def test_targets_of_a_detector(threshold, ratio):
    draw = np.random.default_rng(1)
    low = draw.uniform(0, 0.6, (12, 2))
    anchors = np.c_[low, low + draw.uniform(0.2, 0.4, (12, 2))][None].astype("float32")
    boxes = anchors[0, [[1, 4, 7], [2, 3, 9], [5, 6, 0]]] + 0.03
    kinds = np.array([[0, 2, 1], [1, -1, 0], [-1, 0, 0]])[..., None]  # -1 ends the list
    label = np.concatenate([kinds, boxes], 2).astype("float32")
    net = sym.contrib.MultiBoxTarget(
        *map(sym.var, ("anchors", "label", "scores")),
        overlap_threshold=threshold,
        negative_mining_ratio=ratio,
        minimum_negative_samples=1,
    )
    scores = draw.normal(size=(3, 4, 12)).astype("float32")
    check(net, {"anchors": anchors, "label": label, "scores": scores})


@pytest.mark.parametrize("channels", [1, 2, 3])
@pytest.mark.parametrize("interp", range(5))
@pytest.mark.parametrize("dtype", ["uint8", "float32"])
def test_images_at_another_size(dtype, interp, channels):
    draw = np.random.default_rng(0)
    for old, sizes in (((7, 9), (4, 5)), ((4, 3), (7, 11)), ((8, 6), (3, 4)), ((9, 8), (3, 8))):
        x = draw.integers(0, 256, (*old, channels)).astype(dtype)
        for given in (x, np.stack([x, x[::-1]])):
            check(sym.image.resize(sym.var("x"), size=sizes, interp=interp), {"x": given})


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int32"])
def test_integers_that_are_computed_with_as_floats(dtype):
    """All pairs of bytes: only the fraction is lost."""
    x, y, draw = sym.var("x"), sym.var("y"), np.random.default_rng(0)
    every = np.arange(256).astype(dtype)
    given = {"x": every[:, None], "y": every[None]}
    check(sym.broadcast_hypot(x, y), given)
    three = {"x": draw.integers(-9, 9, (2, 3, 4)).astype(dtype)}
    three["y"] = draw.integers(-9, 9, (2, 4, 5)).astype(dtype)
    check(sym.batch_dot(x, y), three)
    for net in (
        sym.contrib.quadratic(x, a=0.3, b=-1.5, c=0.7),
        sym.smooth_l1(x, scalar=0.7),
        sym.smooth_l1(x, scalar=0.0),
        sym.cumsum(x, axis=1),
        sym.cumsum(x, dtype="int8"),
        sym.nanprod(x, axis=2),
        sym.mean(x, axis=0),
        sym.softmax(x, axis=1),
    ):
        check(net, {"x": three["x"]})


@pytest.mark.parametrize("value", [3, 2.5])
@pytest.mark.parametrize("name", ["add", "subtract", "multiply", "divide", "maximum", "greater"])
def test_booleans_and_numbers(name, value):
    x = sym.var("x")
    check(getattr(sym, name)(x, value), {"x": np.array([False, True])})
    check(getattr(sym, name)(value, x), {"x": np.array([True, name == "divide"])})


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int32", "int64"])
def test_counts_of_integers_in_a_range(dtype):
    x = (np.arange(60) % 23).astype(dtype)
    for bins, limits in ((4, (1, 5)), (7, (0, 22)), (3, (2, 100)), (10, (0, 2))):
        check(sym.histogram(sym.var("x"), bins=bins, range=limits), {"x": x})


@needs_new_runtime
@pytest.mark.parametrize("opset", [13, 17, 21])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_orthogonal_factors_have_the_signs_of_lapack(dtype, opset):
    """Also with rows that are zero after the diagonal, which do not change."""
    draw, net = np.random.default_rng(0), sym.Group(list(sym.linalg.gelqf(sym.var("x"))))
    for shape in ((5, 5), (3, 8), (2, 4, 4), (1, 3)):
        check(net, {"x": draw.normal(size=shape).astype(dtype)}, opset, rtol=1e-4)
    rows = [[-2, 0, 0, 0, 0], [0, 0, 3, 0, 0], [0, 0, 1, 0, -4]]
    check(net, {"x": np.array(rows, dtype)}, opset)


@pytest.mark.parametrize("opset", [13, 17, 21])
def test_regions_of_points_between_the_pixels(opset):
    """An unknown number of images and regions, also 0, and regions without an image."""
    draw = np.random.default_rng(0)
    x, r, t = map(sym.var, "xrt")
    given = {"x": draw.normal(size=(2, 8, 5, 6)).astype("float32")}
    rois = np.array([[0, 0, 0, 4, 4], [1, 2, 1, 2, 1], [-1, 0, 0, 4, 4]], "float32")
    given |= {"r": rois, "t": draw.normal(size=(3, 4, 2, 2)).astype("float32")}
    options = {"output_dim": 2, "group_size": 2, "pooled_size": 2, "sample_per_part": 2}
    parts = sym.contrib.DeformablePSROIPooling(x, r, t, 0.7, trans_std=0.1, **options)
    shapes = {"x": (None, 8, 5, 6), "r": (None, 5), "t": (None, 4, 2, 2)}
    check(parts, given, opset, shapes=shapes)
    turned = np.array([[0, 1.5, 2, 3, 2, 30], [1, 2, 2, 1, 1, 0], [-1, 0, 0, 1, 1, 5]], "float32")
    net = sym.contrib.RROIAlign(x, r, pooled_size=(2, 3), spatial_scale=0.7)
    for some in (turned, turned[:0]):
        regions = {"x": given["x"], "r": some}
        check(net, regions, opset, shapes={"x": (None, None, 5, 6), "r": (None, 6)})
