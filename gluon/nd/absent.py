"""What MXNet has and gluon's namespaces of functions leave out on purpose, and why."""

from __future__ import annotations

from collections.abc import Collection

from .._core.errors import MissingNameError
from .._core.hints.lookup import missing_name

GRAPHS = "operators of dgl's graphs are out of scope; compute on the parts of a csr array"
QUANTISED = "quantized and int8 operators are out of scope; compute in float32 or float16"
INTERNAL = "MXNet's own internals are out of scope"
CUDA = "gluon computes on the CPU"
IMPORTED = "MXNet's module imports it only for internal use"

#: Maps a module to reasons, and each reason to names.
ABSENT = {
    "nd": {
        INTERNAL: (
            "get_indexing_dispatch_code get_oshape_of_gather_nd_op"
            " indexing_key_expand_implicit_axes"
        ),
    },
    "nd.contrib": {
        GRAPHS: (
            "dgl_adjacency dgl_csr_neighbor_non_uniform_sample dgl_csr_neighbor_uniform_sample"
            " dgl_graph_compact dgl_subgraph edge_id getnnz"
        ),
        QUANTISED: (
            "calibrate_entropy dequantize quantize quantize_asym quantize_v2 quantized_act"
            " quantized_batch_norm quantized_concat quantized_conv quantized_elemwise_add"
            " quantized_elemwise_mul quantized_embedding quantized_flatten"
            " quantized_fully_connected quantized_pooling quantized_rnn requantize"
        ),
        INTERNAL: (
            "backward_gradientmultiplier backward_hawkesll backward_index_copy backward_quadratic"
        ),
    },
    "nd.sparse": {INTERNAL: "gs_retain"},
    "npx": {
        INTERNAL: "check_call classproperty with_metaclass",
        CUDA: "get_cuda_compute_capability",
    },
    "npx.image": {IMPORTED: "Number cv2 numeric_types"},
}


def by_name(absent: dict[str, dict[str, str]]) -> dict[str, str]:
    """The reason for each name of such a table, by module and name."""
    return {
        f"{module}.{name}": reason
        for module, reasons in absent.items()
        for reason, names in reasons.items()
        for name in names.split()
    }


REASONS = by_name(ABSENT)


def missing(module: str, name: str, names: Collection[str]) -> MissingNameError:
    """The error for ``gluon.<module>.<name>``, with the reason or the name that was meant.

    Parameters
    ----------
    module : str
        Without the package: ``'nd.contrib'``.
    name : str
        What was asked for.
    names : collection of str
        What the module has.

    Returns
    -------
    MissingNameError
        For the caller to raise.
    """
    message = f"no operator {name!r} in gluon.{module}"
    return missing_name(message, module, name, names, REASONS.get(f"{module}.{name}"))
