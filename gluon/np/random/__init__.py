"""`gluon.np.random`: random arrays, with NumPy's names. All come from one generator, see `seed`."""

import typing as _typing

from ..absent import missing as _missing
from .choices import (
    binomial,
    choice,
    dirichlet,
    geometric,
    hypergeometric,
    logseries,
    multinomial,
    multivariate_normal,
    negative_binomial,
    permutation,
    poisson,
    randint,
    seed,
    shuffle,
    zipf,
)
from .floats import (
    beta,
    chisquare,
    exponential,
    f,
    gamma,
    gumbel,
    laplace,
    logistic,
    lognormal,
    noncentral_chisquare,
    noncentral_f,
    normal,
    pareto,
    power,
    rand,
    randn,
    random,
    random_sample,
    ranf,
    rayleigh,
    sample,
    standard_cauchy,
    standard_exponential,
    standard_gamma,
    standard_normal,
    standard_t,
    triangular,
    uniform,
    vonmises,
    wald,
    weibull,
)

__all__ = [
    "beta",
    "binomial",
    "chisquare",
    "choice",
    "dirichlet",
    "exponential",
    "f",
    "gamma",
    "geometric",
    "gumbel",
    "hypergeometric",
    "laplace",
    "logistic",
    "lognormal",
    "logseries",
    "multinomial",
    "multivariate_normal",
    "negative_binomial",
    "noncentral_chisquare",
    "noncentral_f",
    "normal",
    "pareto",
    "permutation",
    "poisson",
    "power",
    "rand",
    "randint",
    "randn",
    "random",
    "random_sample",
    "ranf",
    "rayleigh",
    "sample",
    "seed",
    "shuffle",
    "standard_cauchy",
    "standard_exponential",
    "standard_gamma",
    "standard_normal",
    "standard_t",
    "triangular",
    "uniform",
    "vonmises",
    "wald",
    "weibull",
    "zipf",
]


def __dir__() -> list[str]:
    return sorted(__all__)


if not _typing.TYPE_CHECKING:  # where a wrong name is to be reported

    def __getattr__(name: str) -> _typing.Any:
        raise _missing("np.random", name, __all__)
