"""Casts for mixed precision."""

from __future__ import annotations

from tests._core.ops.sample import s

HALF = "2 float16"
SAMPLES = [
    s("amp_cast", "2x3", dtype="float64").but(kink=True),
    s("amp_cast", "2x3", dtype="float32"),
    s("amp_cast", "2x3", dtype="float16").but(kink=True),
    s("amp_cast", "2x3 float16", dtype="float32"),
    s("amp_cast", "2x3 float64", dtype="float16"),
    s("amp_cast", "2x3 large", dtype="int32").but(wrt=()),
    s("amp_cast", "2x3 natural", dtype="uint8").but(wrt=()),
    s("amp_cast", "2x3 integers int32", dtype="float16"),
    s("amp_cast", "0x3", dtype="float16").but(kink=True, right=lambda x: x.astype("float16")),
    s("amp_cast", "2x3", dtype="bool").but(wrt=()),
    s("amp_multicast", "2x3", "2", num_outputs=2),
    s("amp_multicast", "2x3", HALF, "3 float64", "1 integers int32", num_outputs=4).but(kink=True),
    s("amp_multicast", "2x3", HALF, num_outputs=2, cast_narrow=True).but(kink=True),
    s("amp_multicast", HALF, "3 float64", num_outputs=2).but(kink=True),
    s("amp_multicast", HALF, "1 float16", num_outputs=2).but(kink=True),
    s("amp_multicast", "1 integers int32", "2x3", num_outputs=2).but(wrt=(1,)),
    s("amp_multicast", "2x3", num_outputs=1),
    s("amp_multicast", "2x3", "2", "1", num_outputs=2).but(wrt=()),
]
