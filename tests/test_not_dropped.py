"""A recorded array is never silently treated as a constant.

Every call of `public_calls` is made again with a recorded array in place of each number and
each array, and with a list of recorded arrays where lists are taken. Its gradient must be the
slope, or there is an error of gluon's, or `NATURAL` says why there is no gradient.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from contextlib import redirect_stdout
from io import StringIO
from typing import Any, NamedTuple

import numpy
import pytest

from gluon import GluonError, autograd, nd, np, npx, random
from gluon._core.engine.array import Array
from tests.public_calls import OWNERS, Call, Place, arrays_in, at, calls, places, reaches, replaced

#: Arguments that are not values: what is ignored, where a result goes, and what kind it is of.
IGNORED = set(
    "name out dtype out_dtype ctx device order subok like workspace cudnn_tune cudnn_off"
    " min_calib_range max_calib_range infer_range copy self_".split()
)


def listed(text: str) -> set[str]:
    """The pairs ``function: argument`` of text such as ``np.cov: m y; np.take: indices``."""
    pairs = [part.split(": ") for part in re.split(r"[;\n]", text) if part.strip()]
    return {f"{name.strip()}: {one}" for name, arguments in pairs for one in arguments.split()}


class Outcome(NamedTuple):
    """The result of a call: the leaf, the floating results, and whether they depend on the leaf."""

    leaf: Any = None
    results: tuple = ()
    passes: bool = False
    floats: bool = False


def made(call: Call, place: Place, raw: Any, as_list: bool) -> Outcome:
    """Make the call with a recorded array of the values `raw` at a place, or a list of parts."""
    random.seed(0)
    make = nd.array if is_classic(call, place) else np.array
    leaf = make(raw, dtype=raw.dtype)
    leaf.attach_grad()
    with autograd.record(), warnings.catch_warnings(), redirect_stdout(StringIO()):
        warnings.simplefilter("ignore")
        value: Any = leaf * 1
        value = [*value] if as_list else value
        args, kwargs = replaced(call, place.path, value)
        if raw.dtype == numpy.float64:
            args, kwargs = doubled((args, kwargs))
        before = {id(x): x._node for x in arrays_in((args, kwargs))}
        result = call.function(*args, **kwargs)
        written = [x for x in arrays_in((args, kwargs)) if x._node is not before[id(x)]]
    results = [*arrays_in(result), *written]
    found = tuple(x for x in results if numpy.dtype(x.dtype).kind == "f" and x.size)
    passes = any(reaches(x._node, leaf._node) for x in found)
    return Outcome(leaf, found, passes, bool(found) or any(numbers_in(result)))


def doubled(value: Any) -> Any:
    """Arguments whose floating arrays have the dtype float64."""
    if isinstance(value, Array):
        is_float = numpy.dtype(value.dtype) == numpy.float32
        return value.astype("float64") if is_float else value
    if isinstance(value, dict):
        return {key: doubled(part) for key, part in value.items()}
    return type(value)(map(doubled, value)) if type(value) in (tuple, list) else value


def is_classic(call: Call, place: Place) -> bool:
    """Whether an NDArray stands at a place, and not an array of `np`."""
    value = at(call, place.path)
    classic = type(value) is nd.NDArray if isinstance(value, Array) else call.owner[:2] == "nd"
    return bool(classic)


def numbers_in(result: Any) -> Iterator[bool]:
    if isinstance(result, (tuple, list)):
        for part in result:
            yield from numbers_in(part)
    elif not isinstance(result, Array):
        yield isinstance(result, (float, numpy.floating, numpy.ndarray))


def values(call: Call, place: Place) -> list[Any]:
    """The values that are tried at a place."""
    value = at(call, place.path)
    if isinstance(value, Array):
        return [value.asnumpy()]
    if value is not None:
        try:
            found = [numpy.array(value, "float32")]
        except (TypeError, ValueError):
            return []
    else:
        given = [x for x in call.args if isinstance(x, Array) and x.dtype in (numpy.float32,)]
        shapes = {(), *[x.shape for x in given[:1]], *[x.shape[-1:] for x in given[:1]]}
        found = [numpy.ones(shape, "float32") for shape in sorted(shapes)]
    return [raw.reshape(raw.shape or (1,)) if is_classic(call, place) else raw for raw in found]


def trials(owner: str) -> Iterator[tuple[Call, Place, Any, bool]]:
    """Every call of functions of `owner`, place and value to be tried."""
    for call in calls():
        if call.owner != owner or f"{owner}.{call.name}" in ELSEWHERE:
            continue
        for place in places(call):
            if place.argument in IGNORED:
                continue
            for raw in values(call, place):
                yield call, place, raw, False
                is_self = place.path == (0,) and "." in call.owner and call.owner[-5:] == "array"
                if raw.ndim and len(raw) and not is_classic(call, place) and not is_self:
                    yield call, place, raw, True


#: Where there is no gradient by nature: for each reason, functions and their arguments.
NATURAL = {
    "places, classes, counts and lengths are integers": """
        nd.CTCLoss: label; nd.Embedding: data; nd.ROIPooling: rois; nd.SequenceLast: sequence_length
        nd.SequenceMask: sequence_length; nd.SequenceReverse: sequence_length; nd.arange: repeat
        nd.batch_take: indices; nd.choose_element_0index: index; nd.fill_element_0index: rhs
        nd.gather_nd: indices; nd.imdecode: index; nd.one_hot: indices; nd.onehot_encode: indices
        nd.pick: index; nd.ravel_multi_index: data; nd.unravel_index: data; nd.scatter_nd: indices
        nd.softmax_cross_entropy: label; nd.take: indices; nd.where: condition
        nd.contrib.DeformablePSROIPooling: rois; nd.contrib.PSROIPooling: rois
        nd.contrib.ROIAlign: rois; nd.contrib.RROIAlign: rois; nd.contrib.boolean_mask: index
        nd.contrib.box_encode: samples matches; nd.contrib.count_sketch: h
        nd.contrib.hawkesll: marks valid_length; nd.contrib.index_copy: index_vector
        nd.contrib.SparseEmbedding: data
        nd.contrib.rand_zipfian: true_classes; nd.contrib.while_loop: max_iterations
        nd.NDArray.__getitem__: key; np.ndarray.__getitem__: key
        np.bincount: x; np.choose: a; np.delete: obj; np.insert: obj; np.repeat: repeats
        np.take: indices; np.take_along_axis: indices; npx.box_encode: samples matches
        npx.ctc_loss: label; npx.embedding: data; npx.gather_nd: indices; npx.index_add: ind
        npx.index_update: ind; npx.one_hot: indices; npx.pick: index; npx.roi_align: rois
        npx.roi_pooling: rois; npx.sequence_mask: sequence_length""",
    "masks and flags are true or false": """
        np.mean: where; np.sum: where; np.prod: where; np.std: where; np.var: where
        np.nanmax: where; np.nanmean: where; np.nanmin: where; np.nanprod: where; np.nanstd: where
        np.nansum: where; np.nanvar: where; np.ndarray.sum: where; npx.masked_softmax: mask
        npx.masked_log_softmax: mask; np.random.multivariate_normal: check_valid
        np.histogram: density; np.histogram2d: density; np.histogramdd: density; np.sort: stable
        np.quantile: overwrite_input; np.percentile: overwrite_input
        np.nanquantile: overwrite_input; np.nanpercentile: overwrite_input""",
    "the result is constant between jumps": """
        nd.argmax: data; nd.argmax_channel: data; nd.argmin: data; nd.argsort: data; nd.topk: data
        nd.all_finite: data; nd.multi_all_finite: ...; nd.contrib.isfinite: data
        nd.contrib.isinf: data; nd.contrib.isnan: data; nd.histogram: a
        np.angle: z; np.floor_divide: x2; np.ndarray.__floordiv__: self other
        np.ndarray.__rfloordiv__: self other; np.spacing: x; np.nextafter: x2; npx.topk: data
        np.quantile: weights; npx.bipartite_matching: data; nd.contrib.bipartite_matching: data
        np.imag: val; np.arange: stop; nd.NDArray.all: self; nd.NDArray.any: self""",
    "a histogram counts: its gradient is that of the weights": """
        np.histogram: a bins range; np.histogram2d: x y bins range; np.histogramdd: sample bins
        np.histogram_bin_edges: a weights""",
    "a threshold": "np.linalg.lstsq: rcond; np.linalg.pinv: rcond rtol",
    "the values are those of the other array": "np.intersect1d: ar2; np.setdiff1d: ar2",
    "the shape alone counts": """
        nd.broadcast_like: rhs; nd.full_like: data; nd.ones_like: data; nd.zeros_like: data
        nd.reshape_like: rhs; nd.slice_like: shape_like; nd.contrib.arange_like: data
        nd.contrib.MultiBoxPrior: data; nd.NDArray.broadcast_like: other; np.full_like: a
        npx.arange_like: data; npx.broadcast_like: rhs; npx.multibox_prior: data
        npx.reshape_like: rhs""",
    "to take values out of the history is what it is for": """
        nd.stop_gradient: data; npx.stop_gradient: data; nd.NDArray.asnumpy: self
        nd.NDArray.asscalar: self; nd.NDArray.detach: self; nd.NDArray.item: self
        nd.NDArray.numpy: self; nd.NDArray.tolist: self; nd.NDArray.attach_grad: self
        np.ndarray.item: self; np.from_dlpack: x""",
    "a count, or a density that is the same everywhere": """
        nd.random_pdf_generalized_negative_binomial: sample; nd.random_pdf_poisson: sample
        nd.random_pdf_negative_binomial: sample; nd.random_pdf_uniform: sample""",
    "ignored": """
        np.geomspace: base; np.percentile: interpolation; np.quantile: interpolation
        np.ndarray.to_device: stream""",
    "the operator has a gradient of its own, as in MXNet": """
        nd.LinearRegressionOutput: label; nd.LogisticRegressionOutput: label
        nd.MAERegressionOutput: label; nd.SVMOutput: label; nd.SoftmaxOutput: label
        nd.Softmax: label""",
    "gamma counts as 1 unless fix_gamma=False": """
        nd.BatchNorm: gamma; nd.contrib.BatchNormWithReLU: gamma; nd.contrib.SyncBatchNorm: gamma
        npx.batch_norm: gamma""",
    "running averages are states, not inputs": """
        nd.BatchNorm: moving_mean moving_var; nd.contrib.BatchNormWithReLU: moving_mean moving_var
        nd.contrib.SyncBatchNorm: moving_mean moving_var; npx.batch_norm: moving_mean moving_var
        nd.IdentityAttachKLSparseReg: moving_avg""",
    "boxes are proposed, matched and selected": """
        nd.contrib.MultiBoxDetection: cls_prob loc_pred anchor
        nd.contrib.MultiBoxTarget: anchor label cls_pred
        nd.contrib.MultiProposal: cls_prob bbox_pred im_info
        nd.contrib.Proposal: cls_prob bbox_pred im_info
        npx.multibox_detection: cls_prob loc_pred anchor
        npx.multibox_target: anchor label cls_pred""",
    "the distribution has no gradient": """
        np.random.beta: a b; np.random.chisquare: df; np.random.choice: p
        np.random.dirichlet: alpha; np.random.f: dfnum dfden; np.random.gamma: shape
        np.random.noncentral_chisquare: df nonc; np.random.noncentral_f: dfnum dfden nonc
        np.random.standard_gamma: shape; np.random.standard_t: df; np.random.vonmises: kappa
        np.random.wald: mean scale; npx.random.bernoulli: prob""",
}
#: Where a gradient passes in some of the calls, and in the others the result is constant.
SOMETIMES = listed(
    """
    np.arange: start; np.interp: left right; np.kaiser: beta; np.linalg.norm: x; np.median: a
    np.piecewise: x; np.polydiv: v; np.roots: p; np.trapezoid: dx"""
)
EXEMPT = set().union(*map(listed, NATURAL.values()))
#: Operators of optimizers and samplers of MXNet's: none of their inputs gets a gradient.
FREE = re.compile(
    r"nd\.(contrib\.|sparse\.)?\w+_update|nd\.multi_lars|nd\.\w+_phase\d|nd\.(random\.\w+|sample_\w+)"
)
#: Comparisons and logical operators.
LOGICAL = re.compile(
    r"nd\.(broadcast_)?(not_)?(equal|greater|lesser|logical_\w+|(greater|lesser)_equal)"
)
#: Functions that are called elsewhere: they write files, or call what an example defines.
ELSEWHERE = {"nd.save", "npx.save", "npx.savez", "nd.Custom", "nd.contrib.cond"}


@pytest.mark.parametrize("owner", OWNERS)
def test_a_recorded_array_is_differentiated_or_refused(owner):
    dropped, passing = set(), set()
    for call, place, raw, as_list in trials(owner):
        key = f"{owner}.{call.name}: {place.argument}"
        try:
            found = made(call, place, raw, as_list)
        except GluonError:
            continue
        if found.passes:
            passing.add(key)
        elif found.floats and not (FREE.match(key) or LOGICAL.match(key)):
            dropped.add(key)
    assert dropped - EXEMPT - SOMETIMES == set()
    assert {key for key in SOMETIMES if key.startswith(owner + ".")} & dropped <= passing


#: Where the gradient is not the slope in the direction that is tried: at jumps, where values are
#: equal or a variance is 0, and of matrices that must be symmetric or keep their rank.
KINKS = listed(
    """
    np.ndarray.__mod__: other; np.ndarray.__imod__: other; np.ndarray.__rmod__: other
    np.linalg.cholesky: a; np.linalg.eigh: a; np.linalg.eigvalsh: a; np.linalg.pinv: a
    np.random.multivariate_normal: cov; np.sign: x; np.rint: x; np.heaviside: x1; np.min: initial
    np.nanmin: initial; np.nanstd: a; np.unique: ar; np.unique_all: x; np.unique_counts: x
    np.unique_inverse: x; np.unique_values: x; np.intersect1d: ar1; np.union1d: ar1 ar2
    np.setdiff1d: ar1; np.setxor1d: ar1 ar2; np.trim_zeros: filt; np.roots: p"""
)


@pytest.fixture
def double() -> Iterator[None]:
    """Create arrays from numbers and lists as float64."""
    calls()  # they switch it back
    npx.set_np(dtype=True)
    yield
    npx.reset_np()


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.usefixtures("double")
@pytest.mark.parametrize("owner", [name for name in OWNERS if name.startswith("np")])
def test_the_gradient_of_what_stands_for_numbers_and_in_lists_is_the_slope(owner):
    wrong = set()
    for call, place, raw, as_list in trials(owner):
        key = f"{owner}.{call.name}: {place.argument}"
        if as_list or not isinstance(at(call, place.path), Array):
            try:
                raw = raw.astype("float64")
                found = made(call, place, raw, as_list)
                if found.passes and not is_slope(call, place, raw, as_list, found):
                    wrong.add(key)
            except GluonError:  # of the value, or of one beside it
                continue
    assert wrong - KINKS == set()


def as_cotangent(weights: Any, x: Array) -> Array:
    make = nd.array if type(x) is nd.NDArray else np.array
    return make(weights.reshape(x.shape), dtype=x.dtype)


def is_slope(call: Call, place: Place, raw: Any, as_list: bool, found: Outcome) -> bool:
    """Whether the gradient along a direction equals finite differences, if those exist."""
    weights = [numpy.cos(numpy.arange(x.size) + k) for k, x in enumerate(found.results)]
    tracked = [(x, w) for x, w in zip(found.results, weights) if x._node.tapes]
    autograd.backward(
        [x for x, _ in tracked],
        [as_cotangent(w, x) for x, w in tracked],
    )
    along = numpy.cos(numpy.arange(raw.size) + 0.5).reshape(raw.shape)
    got = (found.leaf.grad.asnumpy() * along).sum()
    slopes = []
    for step in (1e-4, -1e-4):  # from either side: where they differ, there is no slope
        moved = made(call, place, raw + step * along, as_list).results
        change = [
            (w * (x.asnumpy() - y.asnumpy()).ravel()).sum()
            for w, x, y in zip(weights, moved, found.results)
            if x.shape == y.shape
        ]
        slopes.append(sum(change) / step)
    low, high = sorted(slopes)
    return not numpy.isfinite(slopes).all() or low - 1e-2 * (1 + abs(low)) <= got <= high + 1e-2 * (
        1 + abs(high)
    )
