"""`print_summary` and `plot_network`: the layers of a network, as a table and as a picture."""

from __future__ import annotations

import re
import warnings
from collections.abc import Mapping, Sequence
from typing import Any

from .._core.errors import ArgumentError
from ..symbol import Symbol
from .dot import Drawing, Writer, graphviz
from .network import Row, rows_of

TITLES = ("Layer (type)", "Output Shape", "Param #", "Previous Layer")
POSITIONS = (0.44, 0.64, 0.74, 1.0)
#: Shapes of boxes as in MXNet's pictures, but growing with their text, and colours.
BOX = {"shape": "box", "fixedsize": "false", "width": "1.3", "height": "0.8034", "style": "filled"}
COLOURS = {
    "null": "#8dd3c7",
    "Convolution": "#fb8072",
    "FullyConnected": "#fb8072",
    "Activation": "#ffffb3",
    "LeakyReLU": "#ffffb3",
    "BatchNorm": "#bebada",
    "Pooling": "#80b1d3",
    "Concat": "#fdb462",
    "Flatten": "#fdb462",
    "Reshape": "#fdb462",
    "Softmax": "#b3de69",
}
OTHER = "#fccde5"


def print_summary(
    symbol: Any,
    shape: Any = None,
    line_length: int = 120,
    positions: Sequence[float] = POSITIONS,
) -> None:
    """Print a table of the layers of a network: outputs, numbers of parameters, previous layers.

    Shapes are shown without their first axis, that of the batch.

    Parameters
    ----------
    symbol : Block or Symbol
        A block is called once with zeros, in predict mode.
    shape : tuple, list of tuples, or dict of str to tuple
        The shapes of the inputs of a block. For a symbol, the shapes of arguments by name, from
        which the others are inferred; without it the table of a symbol shows no shapes.
    line_length : int, default 120
        In characters.
    positions : sequence of float
        Where the four columns end, in characters or as shares of a line.

    Raises
    ------
    DTypeError
        If `symbol` is neither a Block nor a Symbol.
    ArgumentError
        If shapes are missing, or there are not four positions.

    Examples
    --------
    >>> from gluon import nn, viz
    >>> net = nn.HybridSequential(prefix="net_")
    >>> with net.name_scope():
    ...     net.add(nn.Dense(16, activation="relu"), nn.Dense(10))
    >>> net.initialize()
    >>> viz.print_summary(net, (1, 784), line_length=72)  # doctest: +NORMALIZE_WHITESPACE
    ________________________________________________________________________
    Layer (type)                   Output Shape   Param #Previous Layer
    ========================================================================
    data(null)                     784            0
    ________________________________________________________________________
    net_dense0_fwd(FullyConnected) 16             12560  data
    ________________________________________________________________________
    net_dense0_relu_fwd(Activation)16             0      net_dense0_fwd
    ________________________________________________________________________
    net_dense1_fwd(FullyConnected) 10             170    net_dense0_relu_fwd
    ========================================================================
    Total params: 12730
    ________________________________________________________________________
    """
    if len(positions) != len(TITLES):
        raise ArgumentError(f"print_summary: give four positions, not {len(positions)}")
    ends = [int(line_length * one) if positions[-1] <= 1 else int(one) for one in positions]
    rows = rows_of(symbol, shape, "print_summary")
    if isinstance(symbol, Symbol):  # MXNet shows the first of its inputs
        rows = [row for place, row in enumerate(rows) if row.op != "null" or not place]
    shown = {row.name for row in rows}
    lines = ["_" * line_length, _line(TITLES, ends), "=" * line_length]
    for place, row in enumerate(rows):
        first, *others = [one for one in row.inputs if one in shown] or [""]
        lines.append(_line((f"{row.name}({row.op})", _size(row), row.params, first), ends))
        lines += [_line(("", "", "", one), ends) for one in others]
        lines.append(("=" if place == len(rows) - 1 else "_") * line_length)
    lines += [f"Total params: {sum(row.params for row in rows)}", "_" * line_length]
    print("\n".join(lines))


def _line(fields: Sequence[Any], ends: Sequence[int]) -> str:
    line = ""
    for field, end in zip(fields, ends):
        line = (line + str(field))[:end].ljust(end)
    return line


def _size(row: Row) -> str:
    return "x".join(map(str, row.shape[1:])) if row.shape else ""


def _said(row: Row) -> str:
    return _size(row) + (f"({row.dtype})" if row.dtype else "")


def plot_network(
    symbol: Any,
    title: str = "plot",
    save_format: str = "pdf",
    shape: Any = None,
    dtype: Any = None,
    node_attrs: Mapping[str, str] | None = None,
    hide_weights: bool = True,
) -> Any:
    """A picture of the layers of a network, by the package graphviz if it is installed.

    Parameters
    ----------
    symbol : Block or Symbol
        A block is called once with zeros, in predict mode.
    title : str, default 'plot'
        The name of the file that ``view()`` and ``render()`` write.
    save_format : str, default 'pdf'
        Its format.
    shape : tuple, list of tuples, or dict of str to tuple
        As for `print_summary`; shapes are drawn next to the arrows.
    dtype : str, numpy type or dict of str to them, optional
        The dtypes of the inputs of a block; for a symbol, a dict by argument name. Dtypes are
        drawn next to the shapes.
    node_attrs : dict of str to str, optional
        Graphviz's attributes for all boxes, such as ``{"fixedsize": "false"}``.
    hide_weights : bool, default True
        Whether to omit the parameters.

    Returns
    -------
    graphviz.Digraph or Drawing
        Notebooks display it; ``view()`` of a digraph opens it, and ``source`` is its text.

    Raises
    ------
    DTypeError
        If `symbol` is neither a Block nor a Symbol.
    ArgumentError
        If shapes are missing.

    Examples
    --------
    >>> from gluon import nn, viz
    >>> net = nn.Dense(10, activation="relu")
    >>> net.initialize()
    >>> digraph = viz.plot_network(net, shape=(1, 784))  # doctest: +SKIP
    """
    rows = rows_of(symbol, shape, "plot_network", dtype)
    names = [row.name for row in rows]
    if repeated := sorted({name for name in names if names.count(name) > 1}):
        warnings.warn(
            "There are multiple variables with the same name in your graph, this may result in"
            f" cyclic graph. Repeated names: {','.join(repeated)}",
            RuntimeWarning,
            stacklevel=2,
        )
    if (package := graphviz()) is None:
        return _drawing(rows, title, hide_weights)
    picture = package.Digraph(name=title, format=save_format)
    labels = {one.name: _said(one) for row in rows for one in (row, *row.weights)}
    for row in rows:
        style = {**BOX, **(node_attrs or {}), "fillcolor": COLOURS.get(row.op, OTHER)}
        if row.op == "null":
            style["shape"] = "oval"
        picture.node(name=row.name, label=_label(row), **style)
    for row in rows:
        weights = () if hide_weights else [one.name for one in row.weights]
        for one in (*row.inputs, *weights):
            picture.edge(
                tail_name=row.name,
                head_name=one,
                dir="back",
                arrowtail="open",
                label=labels.get(one, ""),
            )
    return picture


def _drawing(rows: Sequence[Row], title: str, hide_weights: bool) -> Drawing:
    """Return the same picture without the package graphviz."""
    writer = Writer(title, {})
    weights = {one.name for row in rows for one in row.weights}
    key = {row.name: f"n{place}" for place, row in enumerate(rows)}
    for row in rows:
        name, *details = _label(row).split("\n")
        kind = "variable" if row.op == "null" else "operator"
        writer.box(key[row.name], kind, name, *details, _said(row))
        for one in row.inputs:
            if one in key and not (hide_weights and one in weights):
                writer.arrow(key[one], key[row.name])
    return writer.drawing()


def _label(row: Row) -> str:
    """Return the label of a box: the settings that distinguish layers of a kind."""
    given = {key: value for key, value in row.attrs.items() if value is not None}
    kernel, stride = _sizes(given.get("kernel")), _sizes(given.get("stride")) or "1"
    if row.op == "Custom":
        return given["op_type"]
    if row.op == "Convolution" and kernel:
        filters = f", {given['num_filter']}" if "num_filter" in given else ""
        return f"Convolution\n{kernel}/{stride}{filters}"
    if row.op == "FullyConnected" and "num_hidden" in given:
        return f"FullyConnected\n{given['num_hidden']}"
    if row.op in ("Activation", "LeakyReLU"):
        return f"{row.op}\n{given.get('act_type', 'Leaky')}"
    if row.op == "Pooling" and "pool_type" in given:
        return f"Pooling\n{given['pool_type']}, {kernel or '[]'}/{stride}"
    return row.name


def _sizes(value: Any) -> str:
    return "x".join(re.findall(r"\d+", str(value))) if value is not None else ""
