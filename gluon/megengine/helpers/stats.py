"""``megengine.utils.module_stats``: the size of a network and its operations."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from math import prod
from typing import Any, NamedTuple

import numpy as np

from ..._core.errors import ArgumentError, DTypeError
from .. import module as M
from ..logger import get_logger
from ..tensor import Tensor
from .utils import set_module_mode_safe
from .values import get_dtype_bit

logger = get_logger("megengine.utils.module_stats")
Row = dict[str, Any]
_calc_flops_dict: dict[type, Callable] = {}
_calc_receptive_field_dict: dict[type, Callable] = {}
_receptive_field_enabled = False


def _register_dict(*modules: type, dict: dict) -> Callable:  # noqa: A002, RUF100
    """A decorator that registers a function for classes of modules."""

    def enter(function: Callable) -> Callable:
        dict.update((one, function) for one in modules)
        return function

    return enter


register_flops = partial(_register_dict, dict=_calc_flops_dict)
register_receptive_field = partial(_register_dict, dict=_calc_receptive_field_dict)


def enable_receptive_field() -> None:
    """Switch on receptive fields."""
    global _receptive_field_enabled
    _receptive_field_enabled = True


def disable_receptive_field() -> None:
    """Switch off receptive fields."""
    global _receptive_field_enabled
    _receptive_field_enabled = False


CONVOLUTIONS = (M.Conv1d, M.Conv2d, M.Conv3d, M.LocalConv2d, M.DeformableConv2d)
NORMS = (M.BatchNorm1d, M.BatchNorm2d, M.SyncBatchNorm, M.GroupNorm, M.LayerNorm, M.InstanceNorm)


@register_flops(*CONVOLUTIONS)
def flops_convNd(module: Any, inputs: Sequence[Any], outputs: Sequence[Any]) -> float:
    """A multiplication and an addition count as one."""
    each = module.in_channels // module.groups * np.prod(module.kernel_size)
    return prod(outputs[0].shape) * float(each + (module.bias is not None))


@register_flops(M.ConvTranspose2d)
def flops_convNdTranspose(module: Any, inputs: Sequence[Any], outputs: Sequence[Any]) -> float:
    """As `flops_convNd`, for each value of the input."""
    each = module.out_channels // module.groups * np.prod(module.kernel_size)
    bias = prod(outputs[0].shape) * (module.bias is not None)
    return prod(inputs[0].shape) * each + bias


@register_flops(*NORMS)
def flops_norm(module: Any, inputs: Sequence[Any], outputs: Sequence[Any]) -> float:
    """Seven operations for each value."""
    return prod(inputs[0].shape) * 7


@register_flops(M.AvgPool2d, M.MaxPool2d)
def flops_pool(module: Any, inputs: Sequence[Any], outputs: Sequence[Any]) -> float:
    """One operation for each value of a window."""
    size = module.kernel_size
    return prod(outputs[0].shape) * (prod(size) if isinstance(size, tuple) else size**2)


@register_flops(M.AdaptiveAvgPool2d, M.AdaptiveMaxPool2d)
def flops_adaptivePool(module: Any, inputs: Sequence[Any], outputs: Sequence[Any]) -> float:
    """One operation for each value of a window, by MegEngine's rule for windows."""
    lengths = inputs[0].shape[2:4]
    windows = (n - (n - 1) * (n // (n - 1)) for n in lengths)
    return float(prod(outputs[0].shape) * prod(windows))


@register_flops(M.Linear)
def flops_linear(module: Any, inputs: Sequence[Any], outputs: Sequence[Any]) -> float:
    """A multiplication and an addition count as one."""
    bias = module.out_features if module.bias is not None else 0
    return prod(outputs[0].shape) * module.in_features + bias


@register_flops(M.BatchMatMulActivation)
def flops_batchmatmul(module: Any, inputs: Sequence[Any], outputs: Sequence[Any]) -> float:
    """A multiplication and an addition count as one."""
    batch, rows, inner = inputs[0].shape
    return rows * (inner + (module.bias is not None)) * module.weight.shape[-1] * batch


#: The classes of modules that are counted.
hook_modules: list[type] = [
    *CONVOLUTIONS,
    M.ConvTranspose2d,
    M.ConvTranspose3d,
    M.Linear,
    M.BatchMatMulActivation,
    *NORMS,
    M.AvgPool2d,
    M.MaxPool2d,
    M.AdaptiveAvgPool2d,
    M.AdaptiveMaxPool2d,
]


def register_hook_module(module: Any) -> None:
    """Register a function that counts further classes of modules."""
    for one in module if isinstance(module, (tuple, list)) else [module]:
        if not (isinstance(one, type) and issubclass(one, M.Module)):
            raise DTypeError(f"register_hook_module: {one!r} is not a class of modules; give one")
        hook_modules.append(one)


def _as_floats(inp: Any) -> np.ndarray:
    return np.asarray(inp.numpy() if isinstance(inp, Tensor) else inp, np.float32)


def _mean(inp: Any) -> Any:
    """The mean, in float32."""
    return _as_floats(inp).mean()


def _std(inp: Any) -> Any:
    """The standard deviation, in float32."""
    return _as_floats(inp).std()


def dict2table(list_of_dict: Iterable[Row], header: Sequence[str]) -> list[list[Any]]:
    """Convert dicts to rows of a table, with the header first."""
    rows = [[row.get(name, "") for name in header] for row in list_of_dict]
    return [[*header], *rows]


def sizeof_fmt(num: float, suffix: str = "B") -> str:
    """Format a number with a unit: multiples of 1000, or of 1024 for bytes."""
    scale, mark = (1024.0, "i") if suffix == "B" else (1000.0, "")
    letters = iter("KMGTPEZY")
    unit = ""
    while abs(num) >= scale and unit != f"Y{mark}":
        num, unit = num / scale, f"{next(letters)}{mark}"
    return f"{num:3.3f} {unit}{suffix}"


Pair = tuple[int, int]


def preprocess_receptive_field(module: Any, inputs: Sequence[Any], outputs: Any) -> tuple:
    """Return the largest receptive field and stride of the modules before."""
    owners = [getattr(one, "owner", None) for one in inputs]
    pairs = [[getattr(one, name, (1, 1)) for one in owners] for name in ("_rf", "_stride")]
    return tuple(tuple(map(max, zip(*one))) for one in pairs)


def _receptive_field_fallback(module: Any, inputs: Sequence[Any], outputs: Any) -> Any:
    """Pass on the receptive field and stride; None if they are off."""
    if not _receptive_field_enabled:
        return None
    found = preprocess_receptive_field(module, inputs, outputs) if inputs else ((1, 1), (1, 1))
    module._rf, module._stride = found
    return found


_iter_list: list[tuple[Any, dict[type, Callable], Callable | None]] = [
    ("flops_num", _calc_flops_dict, None),
    (("receptive_field", "stride"), _calc_receptive_field_dict, _receptive_field_fallback),
]


def get_op_stats(module: Any, inputs: Sequence[Any], outputs: Any) -> Row | None:
    """Return the shapes and operations of a module; None if its class is unknown."""
    outputs = outputs if isinstance(outputs, (tuple, list)) else (outputs,)
    found: Row = {
        "input_shapes": [x.shape for x in inputs],
        "output_shapes": [y.shape for y in outputs],
    }
    counted = False
    for key, known, otherwise in _iter_list:
        function = next((known[one] for one in known if isinstance(module, one)), None)
        if function is None:
            if otherwise is not None:
                otherwise(module, inputs, outputs)
            continue
        value, counted = function(module, inputs, outputs), True
        found.update({key: value} if isinstance(key, str) else zip(key, value))
    return found if counted else None


def _bars(rows: list[Row], key: str, bar: str, length: int) -> int:
    """Add to rows their share of the sum of `key` and a bar; return the sum."""
    total, largest = sum(int(row[key]) for row in rows), max([row[key] for row in rows], default=0)
    for row in rows:
        row["ratio"] = row[key] / total if total else 0.0
        row["percentage"] = f"{row['ratio'] * 100:.2f}%"
        row[bar] = "#" * int(row[key] / largest * length) if largest else ""
    return total


def _sums_so_far(rows: list[Row], key: str, into: str, suffix: str = "B") -> None:
    for row, total in zip(rows, np.cumsum([int(row[key]) for row in rows]).tolist()):
        row[into] = sizeof_fmt(total, suffix)


def sum_op_stats(flops: list[Row], bar_length_max: int = 20) -> tuple[int, list[Row]]:
    """Sum the operations of all modules, and append a row for the sum."""
    total = _bars(flops, "flops_num", "bar", bar_length_max)
    _sums_so_far(flops, "flops_num", "flops_cum", "OPs")
    for row in flops:
        row["flops"] = sizeof_fmt(row["flops_num"], "OPs")
    widths = sum(shape[1] for row in flops for shape in row["output_shapes"] if len(shape) > 1)
    text = sizeof_fmt(total, "OPs")
    flops.append({"name": "total", "flops": text, "output_shapes": widths})
    return total, flops


def _sum_sizes(rows: list[Row], dims: str, bar_length_max: int) -> tuple[int, int, list[Row]]:
    count = sum(int(row[dims]) for row in rows)
    total = _bars(rows, "size", "size_bar", bar_length_max)
    _sums_so_far(rows, "size", "size_cum")
    for row in rows:
        row["size"] = sizeof_fmt(row["size"])
    rows.append({"name": "total", dims: count, "size": sizeof_fmt(total)})
    return count, total, rows


def sum_param_stats(params: list[Row], bar_length_max: int = 20) -> tuple[int, int, list[Row]]:
    """Sum values and bytes of all parameters, and append a row for the sum."""
    return _sum_sizes(params, "param_dim", bar_length_max)


def sum_activations_stats(
    activations: list[Row], bar_length_max: int = 20
) -> tuple[int, int, list[Row]]:
    """Sum values and bytes of all outputs, and append a row for the sum."""
    return _sum_sizes(activations, "act_dim", bar_length_max)


def _sizes(inp: Tensor, dims: str) -> Row:
    dtype = np.dtype(inp.dtype)
    nbits, count = get_dtype_bit(dtype.name), prod(inp.shape)
    size = count * nbits // 8
    return {"dtype": dtype, "shape": inp.shape, dims: count, "nbits": nbits, "size": size}


def _moments(inp: Tensor) -> Row:
    return {"mean": f"{_mean(inp):.3g}", "std": f"{_std(inp):.3g}"}


def get_param_stats(param: Tensor) -> Row:
    """Return dtype, shape, size, mean and standard deviation of a parameter."""
    return _sizes(param, "param_dim") | _moments(param)


def get_activation_stats(output: Tensor, has_input: bool = False) -> Row:
    """Return dtype, shape and size of an output; for real inputs its mean and deviation, too."""
    return _sizes(output, "act_dim") | (_moments(output) if has_input else {})


def _told(title: str, table: Sequence[Sequence[Any]]) -> None:
    """Log a table with aligned columns."""
    texts = [[str(one) for one in row] for row in table]
    widths = [max(map(len, column)) for column in zip(*texts)]
    lines = ["  ".join(map(str.ljust, row, widths)).rstrip() for row in texts]
    logger.info("%s\n%s", title, "\n".join(lines))


def print_op_stats(flops: list[Row]) -> None:
    """Log the operations of modules."""
    fields = ["receptive_field", "stride"] if _receptive_field_enabled else []
    header = ["name", "class_name", "input_shapes", "output_shapes", *fields]
    _told("flops stats:", dict2table(flops, [*header, "flops", "flops_cum", "percentage", "bar"]))


SIZES = ["size", "size_cum", "percentage", "size_bar"]


def print_param_stats(params: list[Row]) -> None:
    """Log the sizes of parameters."""
    header = ["name", "dtype", "shape", "mean", "std", "param_dim", "nbits", *SIZES]
    _told("param stats:", dict2table(params, header))


def print_activations_stats(activations: list[Row], has_input: bool = False) -> None:
    """Log the sizes of outputs."""
    moments = ["mean", "std"] if has_input else []
    header = ["name", "class_name", "dtype", "shape", *moments, "nbits", "act_dim", *SIZES]
    _told("activations stats:", dict2table(activations, header))


def print_summary(**kwargs: Any) -> None:
    """Log names and values."""
    _told("summary", [("item", "value"), *kwargs.items()])


class total_stats(NamedTuple):
    """The sums."""

    param_size: int
    param_dims: int
    flops: int
    act_size: int
    act_dims: int


class stats_details(NamedTuple):
    """The rows."""

    params: list[Row]
    flops: list[Row]
    activations: list[Row]


def _loaded(value: Any) -> Any:
    """Convert NumPy arrays in lists and dicts to tensors; numbers become float32."""
    if isinstance(value, np.ndarray):
        return Tensor(value)
    if isinstance(value, Mapping):
        return {key: _loaded(one) for key, one in value.items()}
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*map(_loaded, value))
    if isinstance(value, Sequence):
        return [_loaded(one) for one in value]
    return Tensor(value, dtype=np.float32)


def _given(inputs: Any, input_shapes: Any) -> list[Tensor]:
    if inputs is not None:
        return _loaded(inputs if isinstance(inputs, (tuple, list)) else [inputs])
    if not input_shapes:
        raise ArgumentError("module_stats: give inputs or input_shapes, such as [(1, 3, 32, 32)]")
    shapes = input_shapes if isinstance(input_shapes[0], tuple) else [input_shapes]
    return [Tensor(np.zeros(shape, np.float32)) for shape in shapes]


def _counted(model: M.Module, given: list[Tensor], moments: bool) -> stats_details:
    """Run a network once, and return the rows of its tables."""
    rows, seen = stats_details([], [], []), set()

    def note(module: Any, inputs: Any, outputs: Any, name: str) -> None:
        named = {"name": name, "class_name": type(module).__name__}
        if (computed := get_op_stats(module, inputs, outputs)) is not None:
            rows.flops.append(computed | named)
        for end, one in (("w", "weight"), ("b", "bias")):
            value = getattr(module, one, None)
            if value is not None and id(value) not in seen:
                seen.add(id(value))
                rows.params.append(get_param_stats(value) | {"name": f"{name}-{end}"})
        first = outputs[0] if isinstance(outputs, (tuple, list)) else outputs
        rows.activations.append(get_activation_stats(first, moments) | named)

    handles = [
        one.register_forward_hook(partial(note, name=name))
        for name, one in model.named_modules()
        if isinstance(one, tuple(hook_modules))
    ]
    try:
        with set_module_mode_safe(model, training=False):
            model(*given)
    finally:
        for one in handles:
            one.remove()
    return rows


def module_stats(
    model: M.Module,
    inputs: Any = None,
    input_shapes: Any = None,
    cal_params: bool = True,
    cal_flops: bool = True,
    cal_activations: bool = True,
    logging_to_stdout: bool = True,
    bar_length_max: int = 20,
) -> tuple[total_stats, stats_details]:
    """Run a network once in evaluation mode; count operations, parameters and outputs.

    Parameters
    ----------
    inputs : numpy.ndarray or a list of them, optional
        What to run it on; or give `input_shapes`, the shapes of zeros.
    cal_params, cal_flops, cal_activations : bool, default True
        What to count.
    logging_to_stdout : bool, default True
        Whether to log tables besides the summary.
    bar_length_max : int, default 20

    Returns
    -------
    total_stats, stats_details
        The sums, and the rows of the tables.
    """
    disable_receptive_field()
    rows = _counted(model, _given(inputs, input_shapes), inputs is not None)
    for wanted, one in zip((cal_params, cal_flops, cal_activations), rows):
        if not wanted:
            one.clear()
    told: Row = {"#params": len(rows.params)}
    dims = size = flops = act_dims = act_size = 0
    if cal_params:
        dims, size, _ = sum_param_stats(rows.params, bar_length_max)
        told |= {"total_param_dims": sizeof_fmt(dims, ""), "total_param_size": sizeof_fmt(size)}
    if cal_flops:
        flops, _ = sum_op_stats(rows.flops, bar_length_max)
        told["total_flops"] = sizeof_fmt(flops, "OPs")
    if cal_activations:
        act_dims, act_size, _ = sum_activations_stats(rows.activations, bar_length_max)
        told |= {"total_act_dims": sizeof_fmt(act_dims, ""), "total_act_size": sizeof_fmt(act_size)}
    if cal_flops and size:
        told["flops/param_size"] = f"{flops / size:3.3f}"
    if logging_to_stdout:
        tables = (print_param_stats, cal_params), (print_op_stats, cal_flops)
        for (show, wanted), one in zip(tables, rows):
            if wanted:
                show(one)
        if cal_activations:
            print_activations_stats(rows.activations, inputs is not None)
    print_summary(**told)
    return total_stats(size, dims, flops, act_size, act_dims), rows
