"""Layers: fully connected, embedding, dropout."""

from __future__ import annotations

from tests._core.ops.sample import s

TYPES = ("float64", "float16", "int32", "int64", "int8", "uint8")
FULL = [
    s("FullyConnected", "4x3", "2x3", "2", num_hidden=2),
    s("FullyConnected", "4x3", "2x3", None, num_hidden=2, no_bias=True),
    s("FullyConnected", "4x3", "2x3", num_hidden=2, no_bias=True),
    *(
        s("FullyConnected", data, weight, bias, num_hidden=5, flatten=flatten, no_bias=not bias)
        for data, weight, flatten in (
            ("4x3x2", "5x6", True),
            ("4x3x2", "5x2", False),
            ("2x2x3x2", "5x12", True),
            ("2x2x3x2", "5x2", False),
            ("4x3", "5x3", False),
            ("1x1", "5x1", True),
            ("3", "5x3", False),
            ("3", "5x1", True),
        )
        for bias in ("5", None)
    ),
    s("FullyConnected", "4x3 float64", "2x3 float64", "2 float64", num_hidden=2),
    s("FullyConnected", "4x3 float16", "2x3 float16", "2 float16", num_hidden=2).but(
        rtol=4e-3, differs="MXNet needs a GPU for float16", right=lambda x, w, b: x @ w.T + b
    ),
    s(
        "FullyConnected",
        "4x3 integers int32",
        "2x3 integers int32",
        "2 integers int32",
        num_hidden=2,
    ),
    *(
        s("FullyConnected", *inputs, num_hidden=2).but(
            wrt=(), differs="MXNet requires a single dtype", right=lambda x, w, b: x @ w.T + b
        )
        for inputs in (
            ("4x3 float64", "2x3", "2"),
            ("4x3", "2x3 float64", "2"),
            ("4x3", "2x3", "2 float64"),
        )
    ),
    s("FullyConnected", "[[nan, 1], [inf, 2]]", "2x2", "2", num_hidden=2).but(wrt=()),
    s("FullyConnected", "4x3", "2x4", "2", num_hidden=2),
    s("FullyConnected", "4x3", "2x3", "3", num_hidden=2),
    s("FullyConnected", "4x3", "2x3", "2", num_hidden=3),
    s("FullyConnected", "4x3", "2x3", "2x1", num_hidden=2).but(
        differs="MXNet reads it as a vector", refused=True
    ),
    s("FullyConnected", "4x3", "2x3x1", "2", num_hidden=2),
    s("FullyConnected", "4x3", "2x3", num_hidden=2),
    s("FullyConnected", "4x3", "2x3", "2", num_hidden=2, no_bias=True),
    s("FullyConnected", "4x3x2", "5x6", "5", num_hidden=5, flatten=False),
    s("FullyConnected", "0x3", "2x3", "2", num_hidden=2),
    s("FullyConnected", "4x0", "2x0", "2", num_hidden=2),
]
EMBEDDING = [
    s("Embedding", data, "3x4", input_dim=3, output_dim=4).but(wrt=(1,))
    for data in ("[0, 2, 1, 2]", "[[0, 2], [5, -1]] int32", "[[[1]]]", "[0.9, 1.9]")
] + [
    *(
        s("Embedding", f"[0, 2, 2] {kind}", "3x4", input_dim=3, output_dim=4).but(wrt=(1,))
        for kind in TYPES
    ),
    *(
        s("Embedding", "[0, 2]", f"3x4 {kind}", input_dim=3, output_dim=4, dtype=kind).but(wrt=(1,))
        for kind in TYPES[:2]
    ),
    s("Embedding", "[0, 2]", "3x4", input_dim=3, output_dim=4, sparse_grad=False).but(wrt=(1,)),
    s("Embedding", "[0, 2]", "3x4", input_dim=4, output_dim=4).but(wrt=(1,)),
    s("Embedding", "[0, 2]", "3x4", input_dim=3, output_dim=5).but(wrt=(1,)),
    s("Embedding", "0", "3x4", input_dim=3, output_dim=4).but(wrt=(1,)),
    s("Embedding", "[0, 1]", "3x1", input_dim=3, output_dim=1).but(wrt=(1,)),
    s("Embedding", "[0, 1]", "4", input_dim=4, output_dim=1).but(wrt=(1,)),
    s("Embedding", "[0, 1]", "4x2x1", input_dim=4, output_dim=2).but(wrt=(1,)),
]
DROPOUT = [
    *(s("Dropout", "2x3", p=p) for p in (0.0, 0.5, 1.0)),
    *(s("Dropout", f"2x3 {kind}", p=0.5) for kind in TYPES[:2]),
    s("Dropout", "2x3", p=0.5, axes=(0,)),
    *(s("Dropout", "2x3 integers int32", p=0.5).but(training=training) for training in (0, 1)),
    s("Dropout", "20x30", p=0.5).but(training=True, kink=True, differs="it is random"),
    s("Dropout", "20x30", p=0.5, mode="always").but(kink=True, differs="it is random"),
    s("Dropout", "20x30 float16", p=0.5).but(training=True, kink=True, differs="it is random"),
    *(s("Dropout", "2x3", p=0.0, **attrs).but(training=True) for attrs in ({}, {"mode": "always"})),
    *(s("Dropout", "2x3", p=p).but(training=True) for p in (-0.1, 1.1)),
    s("Dropout", "2x3", p=0.5, mode="never"),
    s("Dropout", "2x3", p=0.5, axes=(2,)).but(training=True),
]
SAMPLES = [*FULL, *EMBEDDING, *DROPOUT]
