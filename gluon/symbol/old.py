"""Compatibility with files of older MXNet: operator names, missing states, defaults."""

from __future__ import annotations

from .families import INITIALIZERS
from .naming import HIDDEN
from .node import Entry, GraphNode
from .operator import Operator

#: Maps old names of operators to those in `OPERATORS`.
CANONICAL: dict[str, str] = {
    "ElementWiseSum": "add_n",
    "Softmax": "SoftmaxOutput",
    **{f"_{name}": f"elemwise_{name}" for name in ("add", "div", "mul", "sub")},
    "_Plus": "elemwise_add",
    "_plus": "elemwise_add",
    "_Minus": "elemwise_sub",
    "_minus": "elemwise_sub",
    "_Mul": "elemwise_mul",
    "_Div": "elemwise_div",
    **{
        f"_{name}": f"_{name.lower()}"
        for name in (
            "Equal Greater Greater_Equal Hypot Lesser Lesser_Equal Logical_And Logical_Or"
            " Logical_Xor Maximum Minimum Mod Not_Equal Power"
        ).split()
    },
    **{
        f"_{name}Scalar": f"_{other}_scalar"
        for name, other in (
            pair.split(":")
            for pair in (
                "Plus:plus Minus:minus RMinus:rminus Mul:mul Div:div RDiv:rdiv Mod:mod RMod:rmod"
                " Power:power RPower:rpower Maximum:maximum Minimum:minimum Hypot:hypot"
                " Equal:equal NotEqual:not_equal Greater:greater GreaterEqual:greater_equal"
                " Lesser:lesser LesserEqual:lesser_equal LogicalAnd:logical_and"
                " LogicalOr:logical_or LogicalXor:logical_xor"
            ).split()
        )
    },
    "_crop_assign": "_slice_assign",
    "_crop_assign_scalar": "_slice_assign_scalar",
    "_contrib_CTCLoss": "CTCLoss",
    "_contrib_ctc_loss": "CTCLoss",
    "_contrib_box_non_maximum_suppression": "_contrib_box_nms",
    "broadcast_axes": "broadcast_axis",
    "broadcast_minus": "broadcast_sub",
    "broadcast_plus": "broadcast_add",
    "cast": "Cast",
    "choose_element_0index": "pick",
    "concat": "Concat",
    "crop": "slice",
    "ctc_loss": "CTCLoss",
    "cumsum": "_np_cumsum",
    "flatten": "Flatten",
    "flip": "reverse",
    "identity": "_copy",
    "max_axis": "max",
    "min_axis": "min",
    "pad": "Pad",
    "reshape": "Reshape",
    "split": "SliceChannel",
    "stop_gradient": "BlockGrad",
    "sum_axis": "sum",
    "swapaxes": "SwapAxis",
    "normal": "_random_normal",
    "uniform": "_random_uniform",
    "shuffle": "_shuffle",
    "ravel_multi_index": "_ravel_multi_index",
    "unravel_index": "_unravel_index",
    **{
        f"{kind}_{name}": f"_{kind}_{name}"
        for kind, names in {
            "linalg": "det extractdiag extracttrian gelqf gemm gemm2 inverse makediag maketrian"
            " potrf potri slogdet sumlogdiag syevd syrk trmm trsm",
            "random": "exponential gamma generalized_negative_binomial negative_binomial normal"
            " pdf_dirichlet pdf_exponential pdf_gamma pdf_generalized_negative_binomial"
            " pdf_negative_binomial pdf_normal pdf_poisson pdf_uniform poisson randint uniform",
            "sample": "exponential gamma generalized_negative_binomial multinomial"
            " negative_binomial normal poisson uniform",
        }.items()
        for name in names.split()
    },
}
_HIDDEN_SUFFIXES = tuple(f"_{key}" for key in HIDDEN)


def brought_up_to_date(
    version: int, operator: Operator, name: str, attrs: dict[str, str], inputs: list[Entry]
) -> None:
    """Convert a node in a file of an older MXNet to that of 1.9.1.

    Parameters
    ----------
    version : int
        Such as 800 for 0.8.0, 10901 for 1.9.1.
    operator : Operator
    name : str
    attrs : dict of str to str
    inputs : list of Entry
    """
    _hand_down(attrs, operator, inputs)
    if version < 900 and not operator.variadic:
        _add_states(operator, name, attrs, inputs)
    if version < 905 and operator.name in ("argmax", "argmin") and attrs.get("axis") == "-1":
        del attrs["axis"]  # the former default, which meant all axes


def _hand_down(attrs: dict[str, str], operator: Operator, inputs: list[Entry]) -> None:
    """Move ``weight_lr_mult`` of an operator to its input ``weight`` as ``lr_mult``."""
    for key in [key for key in attrs if key.endswith(_HIDDEN_SUFFIXES) and key[:2] != "__"]:
        value = attrs.pop(key)
        own = next(one for one in HIDDEN if key.endswith(f"_{one}"))
        wanted = key.removesuffix(f"_{own}")
        names = operator.input_names(operator.read(attrs), len(inputs))
        if wanted in names and names.index(wanted) < len(inputs):
            inputs[names.index(wanted)].node.attrs.setdefault(f"__{own}__", value)


def _add_states(operator: Operator, name: str, attrs: dict[str, str], inputs: list[Entry]) -> None:
    """Add the auxiliary states, which files before 0.9 lack."""
    for key in operator.input_names(operator.read(attrs))[len(inputs) :]:
        init = INITIALIZERS.get((operator.name, key))
        own = {"__init__": init} if init else {}
        inputs.append(Entry(GraphNode(None, f"{name}_{key}", own), 0))
