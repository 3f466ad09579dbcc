"""Sequences."""

from __future__ import annotations

from tests.ops.sample import s

SAMPLES = [
    *(
        s(name, "4x2x3", **attrs)
        for name, attrs in [("SequenceMask", {"value": -1}), ("SequenceReverse", {})]
    ),
    s("SequenceLast", "4x2x3").but(differs="MXNet crashes", right=lambda x: x[-1]),
    *(
        s(name, "4x2x3", "[1, 3]", use_sequence_length=True).but(wrt=(0,))
        for name in ("SequenceMask", "SequenceLast", "SequenceReverse")
    ),
    s("SequenceMask", "2x4x3", "[4, 2]", use_sequence_length=True, axis=1, value=2.5).but(wrt=(0,)),
    s("SequenceLast", "2x4x3", "[4, 2]", use_sequence_length=True, axis=1).but(wrt=(0,)),
]
