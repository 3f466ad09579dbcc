"""The inputs of the calls in the sweep: arrays of a million values, rows, matrices, pictures."""

from __future__ import annotations

from typing import Any

import numpy


def inputs(n: int = 1024) -> dict[str, Any]:
    """Return the inputs by name; the large ones have `n` times `n` values.

    Parameters
    ----------
    n : int, default 1024
        A multiple of 32.

    Returns
    -------
    dict of str to ndarray or int
        Integers are int64, floating numbers float32 where nothing else is said.
    """
    draw = numpy.random.default_rng(1)
    return {
        "n": n,
        **_numbers(n, draw),
        **_matrices(n, draw),
        **_indices(n, draw),
        **_layers(n, draw),
    }


def _numbers(n: int, draw: numpy.random.Generator) -> dict[str, Any]:
    def normal(*shape: int) -> numpy.ndarray:
        return draw.standard_normal(shape, dtype="float32")

    def between(low: float, high: float, *shape: int) -> numpy.ndarray:
        return draw.uniform(low, high, shape or (n, n)).astype("float32")

    return {
        **{name: normal(n, n) for name in ("x", "y", "o", "s1", "s3")},
        **{name: normal(n * n) for name in ("v", "w")},
        **{name: normal(n) for name in ("row", "row2", "flat")},
        **{name: normal(20 * n) for name in ("long", "long2")},
        **{name: between(0.5, 1.5) for name in ("p", "q", "s2")},
        **{name: normal(n, n).astype("float16") for name in ("half", "half2")},
        "u": between(-0.9, 0.9),
        "big": between(1.1, 9),
        "flat0": between(0.1, 0.9, n),
        "flat1": between(1.1, 2, n),
        "few": normal(4),
        "short": normal(64),
        "pairs": normal(n * n // 2, 2),
        "images": normal(8, 8, n // 8, n // 8),
        "edges": numpy.linspace(-3, 3, 65, dtype="float32"),
        "edges2": normal(65),
        "one": numpy.ones(1, "float32"),
        "one_each": numpy.ones((n, 1), "float32"),
        "counts": draw.integers(0, 9, (n, n)).astype("float32"),
        "whole": draw.integers(1, 9, n).astype("float32"),
        "simplex": draw.dirichlet([1.0] * 4, n).astype("float32"),
        "triangle": normal(n * (n + 1) // 2),
    }


def _matrices(n: int, draw: numpy.random.Generator) -> dict[str, Any]:
    def normal(*shape: int) -> numpy.ndarray:
        return draw.standard_normal(shape, dtype="float32")

    square = normal(n // 4, n // 4)
    return {
        **{name: normal(n // 2, n // 2) for name in ("m", "m2")},
        **{name: normal(n * n // 256, 16, 16) for name in ("ms", "ms2")},
        **{name: normal(n * n // 3, 3) for name in ("triples", "triples2")},
        **{name: normal(n // 4, 4) for name in ("little", "little2")},
        "square": square,
        "spd": square @ square.T / (n // 4) + numpy.eye(n // 4, dtype="float32"),
        "tall": normal(n // 2, n // 8),
        "tallb": normal(n // 2),
    }


def _indices(n: int, draw: numpy.random.Generator) -> dict[str, Any]:
    return {
        **{name: draw.integers(1, 100, (n, n)) for name in ("i", "j")},
        **{name: draw.integers(0, 1000, n * n) for name in ("iv", "jv")},
        **{name: draw.random((n, n)) < 0.5 for name in ("b", "c")},
        "two": draw.integers(0, 2, (n, n)),
        "rowb": draw.random(n) < 0.5,
        "k": draw.integers(0, n, n),
        "order": draw.permutation(n),
        "both": draw.integers(0, n, (2, n)),
        "kk": draw.integers(0, n * n, (n, n)),
        "along": draw.integers(0, n, (n, n)),
        "bytes": draw.integers(0, 256, n * n // 8, dtype="uint8"),
    }


def _layers(n: int, draw: numpy.random.Generator) -> dict[str, Any]:
    def normal(*shape: int) -> numpy.ndarray:
        return draw.standard_normal(shape, dtype="float32")

    side, heads = 64, 4
    batch = max(n * n // (16 * side * side), 1)
    steps, cases = 64, 16
    corners = draw.uniform(0, side // 2, (128, 2))
    boxes = numpy.concatenate([corners, corners + draw.uniform(4, side // 2, (128, 2))], 1)
    regions = numpy.concatenate([draw.integers(0, batch, (128, 1)), boxes], 1)
    affine = numpy.tile([[1, 0.1, 0, -0.1, 1, 0]], (batch, 1))
    return {
        "pictures": normal(batch, 16, side, side),
        "wide": ((0, 0), (0, 0), (4, 4), (4, 4)),
        "three": {"kernel": (3, 3), "pad": (1, 1), "num_filter": 16},
        "filters": normal(16, 16, 3, 3),
        "depthwise": normal(16, 1, 3, 3),
        "kernels": normal(16, 1, 4, 4),
        "offsets": normal(batch, 18, side, side),
        "columns": normal(batch, 16 * 4, (side // 2) ** 2),
        "channel": normal(16),
        "channel0": numpy.zeros(16, "float32"),
        "channel1": numpy.ones(16, "float32"),
        "regions": regions.astype("float32"),
        "boxes": numpy.tile(boxes, (8, 1)).astype("float32"),
        "grid": draw.uniform(-1, 1, (batch, 2, side, side)).astype("float32"),
        "affine": affine.astype("float32"),
        "photo": draw.integers(0, 256, (n // 2, n // 2, 3), dtype="uint8"),
        "planes": normal(3, n // 2, n // 2),
        "sequence": normal(steps, cases, max(n * n // (steps * cases), 256)),
        "lengths": draw.integers(1, steps, cases).astype("float32"),
        "steps": numpy.arange(steps),
        "cases": numpy.arange(cases),
        "spans": ((steps,) * cases, (8,) * cases, 0, "none"),
        "scores": normal(steps, cases, 64),
        "words": draw.integers(1, 64, (cases, 8)).astype("float32"),
        "heads": normal(steps, cases, heads * 64 * 3),
        "attention": normal(cases * heads, steps, steps),
        "rnn": normal(128 * 128 * 2 + 2 * 128),
        "state": normal(1, cases, 128),
    }
