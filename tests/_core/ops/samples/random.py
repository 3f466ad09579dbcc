"""Probability densities, and samplers with parameters that determine the result."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tests._core.ops.sample import Sample, s

OUTSIDE = "the density is 0 outside the distribution; MXNet evaluates its formula there"
NO_LAW = "parameters without a distribution give nan; MXNet evaluates its formula for them"
LIMIT = "the limit of the formula; MXNet returns nan"
NO_MASS = "parameters at the end of their range are allowed"


def only(values: list, dtype: str = "float32") -> Callable:
    """A function that returns `values`, whatever the inputs of the sample are."""
    return lambda *inputs: np.array(values, dtype)


#: name -> the kinds of the sample and of the parameters
DENSITIES = {
    "normal": ("", "", "positive"),
    "gamma": ("positive", "positive", "positive"),
    "exponential": ("positive", "positive"),
    "poisson": ("natural", "above"),
    "negative_binomial": ("natural", "above", "prob"),
    "generalized_negative_binomial": ("natural", "positive", "positive"),
}
COUNTS = ("poisson", "negative_binomial", "generalized_negative_binomial")


def _smooth() -> list[Sample]:
    """Each density, in and between the shapes and dtypes that it takes."""
    found = []
    for name, kinds in DENSITIES.items():
        # The gradient for a count is 0, and so not the slope of the formula.
        wrt = tuple(range(name in COUNTS, len(kinds)))
        for shapes, dtype, attrs in (
            (("2x3", "2"), "", {}),
            (("2x3", "2"), "", {"is_log": True}),
            (("4", "4"), "", {"is_log": True}),
            (("1x2x3x2", "1x2"), "", {}),
            (("2x3", "2"), "float64", {}),
            (("5", "5"), "float16", {}),
            (("0x3", "0"), "", {}),
        ):
            places = [shapes[0], *[shapes[1]] * (len(kinds) - 1)]
            given = [f"{shape} {kind} {dtype}" for shape, kind in zip(places, kinds)]
            rtol = 6e-3 if dtype == "float16" else 1e-5
            found.append(s(f"random_pdf_{name}", *given, **attrs).but(wrt=wrt, rtol=rtol))
    return found


def _uniform() -> list[Sample]:
    op, bounds = "random_pdf_uniform", ("[-1.25, -1]", "[1, 2.5]")
    return [
        s(op, "2x3 unit", *bounds),
        s(op, "2x2x3 unit", *bounds, is_log=True),
        s(op, "2 unit float64", *(f"{bound} float64" for bound in bounds)),
        s(op, "2 unit float16", *(f"{bound} float16" for bound in bounds)).but(rtol=2e-3),
        s(op, "[[-0.5, 0, 2, 2.5]]", "[0]", "[2]").but(
            kink=True, differs=OUTSIDE, right=only([[0, 0.5, 0.5, 0]])
        ),
        s(op, "[[-1, 3]]", "[0]", "[2]", is_log=True).but(
            kink=True, differs=OUTSIDE, right=only([[-np.inf, -np.inf]])
        ),
        s(op, "[1, 1, 1]", "[2, 1, nan]", "[1, 1, 2]").but(
            kink=True, differs=NO_LAW, right=only([np.nan, np.nan, np.nan])
        ),
    ]


DIRICHLET = [
    s("random_pdf_dirichlet", "2x3 prob", "3 positive"),
    s("random_pdf_dirichlet", "2x3 prob", "3 positive", is_log=True),
    s("random_pdf_dirichlet", "2x4x3 prob", "2x3 positive"),
    s("random_pdf_dirichlet", "2x4x5x2 prob", "2x2 positive", is_log=True),
    s("random_pdf_dirichlet", "2x3 prob", "2x3 above"),
    s("random_pdf_dirichlet", "3 prob", "3 above"),
    s("random_pdf_dirichlet", "2x3 prob float64", "3 above float64"),
    s("random_pdf_dirichlet", "2x3 prob float16", "3 above float16").but(rtol=6e-3),
    s("random_pdf_dirichlet", "4x1 positive", "1 positive"),
    s("random_pdf_dirichlet", "[[1, 2], [2, 3], [3, 4]]", "[2.5, 2.5]"),
    s("random_pdf_dirichlet", "[[0, 1], [0.5, 0.5]]", "[2, 1]").but(kink=True),
    s("random_pdf_dirichlet", "[[-0.5, 1.5], [0.5, 0.5]]", "[2, 1]").but(
        kink=True, differs=OUTSIDE, right=only([0, 1])
    ),
    s("random_pdf_dirichlet", "[[0.5, 0.5], [0.5, 0.5]]", "[[-1, 1], [0, 1]]").but(
        kink=True, differs=NO_LAW, right=only([np.nan, np.nan])
    ),
    s("random_pdf_dirichlet", "2x4x3 prob", "4x3 positive"),
    s("random_pdf_dirichlet", "2x3 prob", "2 positive"),
    s("random_pdf_dirichlet", "3 prob", "2x3 positive"),
]


def _edge(name: str, *inputs: str, right: list, why: str = OUTSIDE, **attrs: object) -> Sample:
    sample = s(f"random_pdf_{name}", *inputs, **attrs)
    return sample.but(wrt=(), differs=why, right=only(right))


EDGES = [
    s("random_pdf_normal", "[inf, -inf, nan, 0]", "[0, 0, 0, nan]", "[1, 1, 1, 1]").but(kink=True),
    s("random_pdf_normal", "[[40, 200]]", "[0]", "[1]", is_log=True).but(kink=True),
    _edge("normal", "[1, 1]", "[0, 0]", "[-1, 0]", why=NO_LAW, right=[np.nan, np.nan]),
    s("random_pdf_gamma", "[[0.001, 30, 300]]", "[20]", "[2]", is_log=True),
    _edge("gamma", "[0, 0, 0]", "[0.5, 1, 2]", "[3, 3, 3]", why=LIMIT, right=[np.inf, 3, 0]),
    _edge("gamma", "[[-1, -0.5]]", "[2.5]", "[1]", right=[[0, 0]]),
    _edge("gamma", "[1, 1]", "[-0.5, 1]", "[1, -1]", why=NO_LAW, right=[np.nan, np.nan]),
    s("random_pdf_exponential", "[[0, inf]]", "[2]").but(wrt=()),
    _edge("exponential", "[[-1, -0.5]]", "[2]", right=[[0, 0]]),
    _edge("exponential", "[[-1, -0.5]]", "[2]", is_log=True, right=[[-np.inf, -np.inf]]),
    _edge("exponential", "[1, 1]", "[-1, 0]", why=NO_LAW, right=[np.nan, np.nan]),
    s("random_pdf_poisson", "[[0, 2.5, -1]]", "[2.3]").but(wrt=()),
    s("random_pdf_poisson", "[[100, 90, 130]]", "[100]").but(wrt=(1,), rtol=1e-4),
    _edge("poisson", "[0, 1]", "[0, 0]", why=LIMIT, right=[1, 0]),
    _edge("poisson", "[1]", "[-1]", why=NO_LAW, right=[np.nan]),
    s("random_pdf_negative_binomial", "[[0, 2.5, -1]]", "[2.5]", "[0.3]").but(wrt=()),
    _edge("negative_binomial", "[0, 1]", "[0, 0]", "[0.5, 0.5]", why=LIMIT, right=[1, 0]),
    _edge("negative_binomial", "[0, 1]", "[2, 2]", "[1, 1]", why=LIMIT, right=[1, 0]),
    _edge("negative_binomial", "[1]", "[2]", "[1.5]", why=NO_LAW, right=[np.nan]),
    _edge("negative_binomial", "[1]", "[-0.5]", "[0.5]", why=NO_LAW, right=[np.nan]),
    s("random_pdf_generalized_negative_binomial", "[[0, 2.5, -1]]", "[2.5]", "[0.3]").but(wrt=()),
    _edge(
        *("generalized_negative_binomial", "[0, 1, 1]", "[1, 1, 0]", "[0, 0, 0]"),
        why=LIMIT,
        right=[np.exp(-1), np.exp(-1), 0],
    ),
    _edge(
        *("generalized_negative_binomial", "[1, 1]", "[-1, 1]", "[1, -1]"),
        why=NO_LAW,
        right=[np.nan, np.nan],
    ),
    # What must be refused.
    s("random_pdf_normal", "2x3", "3", "3 positive"),
    s("random_pdf_normal", "3", "1", "1 positive"),
    s("random_pdf_normal", "2x3", "2", "1 positive"),
    s("random_pdf_normal", "2", "2x2", "2x2 positive"),
    s("random_pdf_normal", "2 integers int32", "2 integers int32", "2 natural int32"),
    s("random_pdf_normal", "2", 0, 1),
    s("random_pdf_gamma", "2 positive", "2 positive"),
]

# ------------------------------------------------------------------------------- samplers

#: name -> the parameters for which one value is certain
CERTAIN = {
    "uniform": {"low": 2, "high": 2},
    "poisson": {"lam": 0},
    "negative_binomial": {"k": 3, "p": 1},
    "generalized_negative_binomial": {"mu": 0, "alpha": 2},
}
#: name -> parameters that are refused
WRONG = {
    "uniform": {"low": 2, "high": 1},
    "normal": {"loc": 0, "scale": -1},
    "gamma": {"alpha": -1, "beta": 1},
    "exponential": {"lam": -1},
    "poisson": {"lam": -1},
    "negative_binomial": {"k": 1, "p": -0.5},
    "generalized_negative_binomial": {"mu": 1, "alpha": -1},
}


def _samplers() -> list[Sample]:
    found = []
    for name, numbers in CERTAIN.items():
        arrays = [f"[{number}, {number}]" for number in numbers.values()]
        found += [
            s(f"random_{name}", **numbers, shape=(2, 3)),
            s(f"random_{name}", **numbers, shape=4, dtype="float64"),
            s(f"random_{name}", **numbers, shape=2, dtype="float16"),
            s(f"random_{name}", **numbers, shape=2, dtype="int32"),
            s(f"sample_{name}", *arrays).but(wrt=()),
            s(f"sample_{name}", *arrays, (2, 3)).but(wrt=()),
            s(f"sample_{name}", *arrays, shape=3, dtype="float64").but(wrt=()),
            s(f"sample_{name}", *(f"{a} float64" for a in arrays)).but(wrt=()),
            s(f"sample_{name}", *(f"{a} int32" for a in arrays), dtype="float16").but(wrt=()),
            s(f"random.{name}_like", "2x3", **numbers).but(wrt=()),
            s(f"random.{name}_like", "3 float16", *numbers.values()).but(wrt=()),
            s(f"random.{name}_like", "3 float64", **numbers).but(wrt=()),
        ]
        if name != "uniform":
            found.append(s(f"random.{name}", **numbers, shape=(2, 1)))
    for name, numbers in WRONG.items():
        found.append(s(f"random_{name}", **numbers, shape=2))
    return found


def _refused(op: str, *inputs: str, why: str, **attrs: object) -> Sample:
    return s(op, *inputs, **attrs).but(wrt=(), differs=why, refused=True)


NEGATIVE = "MXNet accepts it and returns meaningless samples"
SAMPLERS = [
    s("sample_normal", "[1, 2]", "[0, 0]", shape=3).but(wrt=()),
    s("random.uniform", "[1, 2]", "[1, 2]", shape=(2,), dtype="float64").but(wrt=()),
    s("random.normal", "[[1, 2]]", "[[0, 0]]").but(wrt=()),
    s("random_normal", loc=3, scale=0, shape=2).but(differs=NO_MASS, right=only([3, 3])),
    s("random_gamma", alpha=0, beta=1, shape=2).but(differs=NO_MASS, right=only([0, 0])),
    s("random.exponential", scale=0, shape=2).but(differs=NO_MASS, right=only([0, 0])),
    s("random_randint", low=5, high=6, shape=(2, 3)),
    s("random_randint", low=5, high=6, shape=3, dtype="int64"),
    s("random_randint", low=5, high=2, shape=3),
    s("random_randint", low=5.0, high=6.0, shape=3),
    s("random_randint", low=5, high=6, shape=3, dtype="float32"),
    _refused("random_randint", low=5, high=5, shape=3, why="MXNet divides by zero and crashes"),
    _refused(
        "random_randint",
        low=0,
        high=2**40,
        shape=3,
        why="MXNet draws numbers that int32 cannot hold",
    ),
    _refused("sample_normal", "[0]", "[-1]", why=NEGATIVE),
    _refused("sample_gamma", "[-1]", "[1]", why="MXNet hangs"),
    _refused("sample_exponential", "[1, -1]", why=NEGATIVE),
    _refused("sample_poisson", "[1, -1]", why=NEGATIVE),
    _refused("sample_negative_binomial", "[1]", "[1.5]", why=NEGATIVE),
    _refused("sample_negative_binomial", "[1]", "[0]", why=NEGATIVE),
    _refused("sample_generalized_negative_binomial", "[2]", "[-1]", why="MXNet hangs"),
    s("sample_uniform", "[1, 2]", "[1, 2, 3]"),
    s("sample_uniform", "[[1, 2]]", "[[1], [2]]"),
    s("sample_multinomial", "[0, 1, 0]").but(kink=True),
    s("sample_multinomial", "[0, 1, 0]", (2, 3), get_prob=True).but(kink=True),
    s("sample_multinomial", "[[0, 1, 0], [1, 0, 0]]", get_prob=True).but(kink=True),
    s("sample_multinomial", "[[0, 1, 0], [1, 0, 0]] float64", 2, True, dtype="uint8").but(
        kink=True
    ),
    s("sample_multinomial", "[[[0, 1]], [[1, 0]]] float16", 2, True, dtype="float32").but(
        kink=True
    ),
    s("random.multinomial", "[[0, 1]]", shape=2, get_prob=True, dtype="float64").but(kink=True),
    s("sample_multinomial", "[0, 1] int32"),
    _refused("sample_multinomial", "[nan, 1]", why=NEGATIVE),
    s("shuffle", "1x3").but(differs_grad="MXNet has none"),
    s("shuffle", "1 integers int32"),
    s("random.shuffle", "0x3").but(wrt=(), right=lambda x: x),
]
SAMPLES = [*_smooth(), *_uniform(), *DIRICHLET, *EDGES, *_samplers(), *SAMPLERS]
