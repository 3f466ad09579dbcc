"""Functions that are only in `contrib`."""

from __future__ import annotations

from tests._core.ops.sample import s

INTS = ("int32", "int64", "int8", "uint8")
SAMPLES = [
    *(
        s("contrib.div_sqrt_dim", data)
        for data in ("4", "2x4 float64", "2x4 float16", "2x1", "2x3x4")
    ),
    *(s("contrib.div_sqrt_dim", f"2x4 natural {kind}") for kind in INTS),
    s("contrib.quadratic", "2x3"),
    *(
        s("contrib.quadratic", data, a=1.5, b=-2.0, c=0.5).but(rtol=rtol)
        for data, rtol in (("4 float64", 1e-12), ("2x4 float16", 2e-3))
    ),
    *(s("contrib.quadratic", f"2x4 natural {kind}", a=1.5, b=-0.5, c=0.5) for kind in INTS),
    s("contrib.quadratic", "[nan, inf, -inf]", a=1.0, b=1.0).but(kink=True),
    *(
        s(f"contrib.{name}", data).but(wrt=())
        for name in ("isnan", "isinf", "isfinite")
        for data in (
            "[nan, inf, -inf, 0]",
            "[[nan, inf], [-inf, 0]] float64",
            "[nan, inf, 0] float16",
            "2 integers int32",
            "2 integers uint8",
        )
    ),
    *(
        s("contrib.SyncBatchNorm", "4x3x2", "3", "3", "3", "3 positive", key="a", **attrs).but(
            wrt=(0, 1, 2), training=training, writes=(3, 4), rtol=3e-5
        )
        for training in (False, True)
        for attrs in ({}, {"fix_gamma": False}, {"use_global_stats": True}, {"eps": 0.1})
    ),
    s("contrib.SparseEmbedding", "[0, 2, 2]", "3x4", input_dim=3, output_dim=4).but(wrt=(1,)),
]
