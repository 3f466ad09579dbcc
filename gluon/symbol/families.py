"""Facts about operators, by name, that the signatures in `gluon.nd` do not state."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from .._core.errors import ArgumentError
from .._core.faces.text import WHOLES

Values = Mapping[str, Any]

_MOVING = ("moving_mean", "moving_var")
#: Auxiliary states: inputs that a training pass updates.
AUXILIARY: dict[str, tuple[str, ...]] = {
    "BatchNorm": _MOVING,
    "BatchNorm_v1": _MOVING,
    "_contrib_BatchNormWithReLU": _MOVING,
    "_contrib_SyncBatchNorm": _MOVING,
    "IdentityAttachKLSparseReg": ("moving_avg",),
}
_KERNEL = ("kernel", "num_filter")
#: What a graph must state, because it has no weight from which it follows.
NEEDED: dict[str, tuple[str, ...]] = {
    "Convolution": _KERNEL,
    "Deconvolution": _KERNEL,
    "Embedding": ("input_dim", "output_dim"),
    "FullyConnected": ("num_hidden",),
}
#: The attribute ``__init__`` of variables created for an input: (operator, input) -> text.
INITIALIZERS = {
    **{(name, "moving_mean"): '["zero", {}]' for name in AUXILIARY},
    **{(name, "moving_var"): '["one", {}]' for name in AUXILIARY},
    ("IdentityAttachKLSparseReg", "moving_avg"): '["zero", {}]',
    ("UpSampling", "weight"): '["bilinear", {}]',
    ("LeakyReLU", "gamma"): '["Constant", {"value": 0.25}]',
}


def _bias(values: Values) -> tuple[str, ...]:
    return ("bias",) if values["no_bias"] else ()


def _rnn(values: Values) -> tuple[str, ...]:
    lengths = () if values["use_sequence_length"] else ("sequence_length",)
    return lengths if values["mode"] == "lstm" else ("state_cell", *lengths)


def _ctc(values: Values) -> tuple[str, ...]:
    kinds = ("data", "label")
    return tuple(f"{kind}_lengths" for kind in kinds if not values[f"use_{kind}_lengths"])


def _unless(flag: str, name: str) -> Callable[[Values], tuple[str, ...]]:
    return lambda values: () if values[flag] else (name,)


#: The optional inputs of operators.
WITHOUT: dict[str, Callable[[Values], tuple[str, ...]]] = {
    "CTCLoss": _ctc,
    "Convolution": _bias,
    "Convolution_v1": _bias,
    "Deconvolution": _bias,
    "FullyConnected": _bias,
    "IdentityAttachKLSparseReg": lambda values: (),
    "LeakyReLU": lambda values: () if values["act_type"] == "prelu" else ("gamma",),
    "RNN": _rnn,
    "SequenceLast": _unless("use_sequence_length", "sequence_length"),
    "SequenceMask": _unless("use_sequence_length", "sequence_length"),
    "SequenceReverse": _unless("use_sequence_length", "sequence_length"),
    "_histogram": lambda v: ("bins",) if v["bin_cnt"] is not None else (),
    "_contrib_BilinearResize2D": lambda v: () if "like" in str(v["mode"]) else ("like",),
    "_contrib_DeformableConvolution": _bias,
    "_contrib_DeformablePSROIPooling": lambda v: ("trans",) if v["no_trans"] else (),
    "_contrib_ModulatedDeformableConvolution": _bias,
    "_npi_average": _unless("weighted", "weights"),
    "_npi_bincount": _unless("has_weights", "weights"),
    "softmax": _unless("use_length", "length"),
}


_TWO = ("output0", "output1")


#: The maximum number of outputs, to reject damaged files.
MOST = 10_000


def numbered(count: int) -> tuple[str, ...]:
    """The names of this number of outputs."""
    if not 0 < count <= MOST:
        raise ArgumentError(f"{count} outputs; the number must be 1 to {MOST}")
    return ("output",) if count == 1 else tuple(f"output{k}" for k in range(count))


def _flag(flag: str, *names: str) -> Callable[[Values], tuple[str, ...]]:
    return lambda values: names if values[flag] else names[:1]


def _states(values: Values) -> tuple[str, ...]:
    names = ("output", "state_output", "statecell_output")
    return names[: 1 if not values["state_outputs"] else 3 if values["mode"] == "lstm" else 2]


def _parts(values: Values) -> tuple[str, ...]:
    return numbered(int(values["num_outputs"] or 0))


def _sections(values: Values) -> tuple[str, ...]:
    indices = values["indices"]
    return numbered(int(values["sections"]) or (1 if isinstance(indices, int) else len(indices)))


def _weights(values: Values) -> tuple[str, ...]:
    return numbered(int(values["num_weights"]))


def _topk(values: Values) -> tuple[str, ...]:
    kind = values["ret_typ"]
    return _TWO if kind == "both" else ("output0",) if kind == "value" else ("output",)


_STATISTICS = _flag("output_mean_var", "output", "mean", "var")
_DEVIATION = _flag("output_mean_var", "output", "mean", "std")

#: The names of the outputs of operators with several.
OUTPUTS: dict[str, Callable[[Values], tuple[str, ...]]] = {
    "BatchNorm": _STATISTICS,
    "CTCLoss": lambda v: ("output0",),
    "GroupNorm": _DEVIATION,
    "LayerNorm": _DEVIATION,
    "RNN": _states,
    "SliceChannel": _parts,
    "_contrib_BatchNormWithReLU": _STATISTICS,
    "_contrib_MultiBoxTarget": lambda v: ("loc_target", "loc_mask", "cls_target"),
    "_contrib_MultiProposal": _flag("output_score", "output", "score"),
    "_contrib_Proposal": _flag("output_score", "output", "score"),
    "_contrib_bipartite_matching": lambda v: _TWO,
    "_contrib_box_encode": lambda v: _TWO,
    "_contrib_box_nms": lambda v: ("output0",),
    "_contrib_hawkesll": lambda v: ("output", "out_state"),
    "_linalg_det": lambda v: ("output0",),
    "_linalg_gelqf": lambda v: _TWO,
    "_linalg_slogdet": lambda v: _TWO,
    "_linalg_syevd": lambda v: _TWO,
    "_histogram": lambda v: _TWO,
    "_sample_multinomial": lambda v: _TWO if v["get_prob"] else ("output",),
    "_split_v2": _sections,
    "amp_multicast": _parts,
    "moments": lambda v: _TWO,
    **{
        f"{start}multi_{kind}": _weights
        for start in ("", "preloaded_")
        for kind in ("mp_sgd_mom_update", "mp_sgd_update", "sgd_mom_update", "sgd_update")
    },
    "make_loss": lambda v: ("loss",),
    "sort": lambda v: ("output0",),
    "topk": _topk,
}

#: How to parse arguments without a type: operator -> argument -> reader.
VALUES: dict[str, dict[str, Callable[[str], Any]]] = {
    "_sample_multinomial": {"shape": WHOLES.parse},
}

#: The number of outputs in MXNet, if it hides some.
WIDTHS = {
    "BatchNorm": 3,
    "BatchNorm_v1": 3,
    "BilinearSampler": 2,
    "CTCLoss": 2,
    "Correlation": 3,
    "Dropout": 2,
    "GridGenerator": 2,
    "GroupNorm": 3,
    "InstanceNorm": 3,
    "L2Normalization": 2,
    "LRN": 2,
    "LayerNorm": 3,
    "ROIPooling": 2,
    "SpatialTransformer": 3,
    "_contrib_BatchNormWithReLU": 4,
    "_contrib_DeformablePSROIPooling": 2,
    "_contrib_MultiProposal": 2,
    "_contrib_Proposal": 2,
    "_contrib_SyncBatchNorm": 3,
    "_contrib_box_nms": 2,
    "_linalg_det": 3,
    "_linalg_slogdet": 4,
    "sort": 2,
}


def hidden_outputs(name: str, values: Values) -> int:
    """The least number of outputs in MXNet, where it depends on the arguments."""
    kind = values.get("ret_typ") if name == "topk" else values.get("pool_type")
    return 2 if (name, kind) in (("topk", "value"), ("Pooling", "max")) else 1


#: Variables created in addition to a variable number of arrays.
MORE: dict[str, Callable[[Values], tuple[str, ...]]] = {
    "UpSampling": lambda v: ("weight",) if v["sample_type"] == "bilinear" else (),
}

#: Outputs whose gradient is independent of a head gradient, which `Executor.backward` omits.
#: So is that of functions that are constant between jumps.
LOSSES = frozenset(
    (
        "ceil fix floor rint round trunc"
        " CTCLoss IdentityAttachKLSparseReg LinearRegressionOutput LogisticRegressionOutput"
        " MAERegressionOutput MakeLoss SVMOutput SoftmaxOutput make_loss"
    ).split()
)

#: Operators that ignore further arguments in MXNet though they have some here; the others are those
#: without any.
TAKE_ANY = frozenset(
    (
        "LinearRegressionOutput LogisticRegressionOutput MAERegressionOutput _npi_matmul _npi_svd"
    ).split()
)
