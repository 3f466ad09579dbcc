"""Pooling."""

from __future__ import annotations

from tests.ops.sample import s

POOLS: list[dict] = [
    {"kernel": (2, 2)},
    {"kernel": (3, 2), "stride": (2, 2)},
    {"kernel": (3, 3), "stride": (2, 2), "pad": (1, 1)},
    {"kernel": (3, 3), "stride": (2, 2), "pooling_convention": "full"},
    {"kernel": (2, 3), "stride": (3, 2), "pad": (1, 1), "pooling_convention": "full"},
    {"kernel": (2, 2), "global_pool": True},
]

SAMPLES = [
    *(
        s("Pooling", "2x2x6x7", pool_type=kind, **attrs)
        for kind in ("max", "avg", "sum")
        for attrs in POOLS
    ),
    *(
        s("Pooling", "2x2x6x7", pool_type="avg", count_include_pad=False, **attrs)
        for attrs in POOLS[2:5]
    ),
    *(
        s("Pooling", "2x2x5x5 positive", pool_type="lp", p_value=p, kernel=(2, 2))
        for p in (1, 2, 3)
    ),
    s("Pooling", "2x2x7", pool_type="max", kernel=(3,), stride=(2,)),
    s("Pooling", "2x2x7", pool_type="avg", kernel=(3,), pad=(1,)),
    s("Pooling", "1x2x4x4x4", pool_type="max", kernel=(2, 2, 2), stride=(2, 2, 2)),
    s("Pooling", "1x2x4x4x4", pool_type="avg", kernel=(2, 3, 2)),
    s("Pooling", "2x2x7", pool_type="max", kernel=(3,), stride=(2,), pooling_convention="same").but(
        differs="MXNet fails"
    ),
    s(
        "Pooling",
        "2x2x7x6",
        pool_type="max",
        kernel=(3, 2),
        stride=(2, 2),
        pooling_convention="same",
    ).but(differs="MXNet takes one axis only"),
    s("Pooling", "1x1x4x4 float64", pool_type="max", kernel=(2, 2)),
    s("Pooling", "1x1x2x2", pool_type="max", kernel=(3, 3)),
    s("Pooling", "1x1x4x4", pool_type="mean", kernel=(2, 2)),
    *(
        s("Pooling_v1", "2x2x6x7 distinct", pool_type=kind, **attrs)
        for kind in ("max", "avg", "sum")
        for attrs in POOLS
    ),
    s("Pooling_v1", "1x2x4x4x4", pool_type="avg", kernel=(2, 3, 2), pad=(1, 1, 1)).but(
        differs="MXNet takes two axes only"
    ),
    s("Pooling_v1", "1x1x4x4 float64", kernel=(2, 2)),
    s(
        "Pooling_v1",
        "1x1x4x4 positive",
        global_pool=True,
        pool_type="avg",
        pad=(1, 1),
        stride=(2, 2),
    ),
    s("Pooling_v1", "1x1x4x4", kernel=(2, 2), pool_type="lp"),
    s("Pooling_v1", "1x1x4x4"),
    s("Pooling_v1", "1x1x2x2", kernel=(3, 3)),
    s("Pooling_v1", "[[[[1, nan, 1], [2, 2, 3]]]]", kernel=(2, 2)).but(wrt=(), kink=True),
    s("F.pick_places", "1x2x4x4", "1x2x2x2 index4 int64", kernel=(2, 2), stride=(2, 2)),
    s("contrib.AdaptiveAvgPooling2D", "1x2x5x6", output_size=(2, 3)),
    s("contrib.AdaptiveAvgPooling2D", "1x2x4x4", output_size=1),
]
