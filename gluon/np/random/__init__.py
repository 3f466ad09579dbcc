"""`gluon.np.random`: random arrays, with NumPy's names. All come from one generator, see `seed`."""

import typing as _typing

from ..._core.faces.names import public_names as _public_names
from ..absent import missing as _missing
from .choices import binomial as binomial
from .choices import choice as choice
from .choices import dirichlet as dirichlet
from .choices import geometric as geometric
from .choices import hypergeometric as hypergeometric
from .choices import logseries as logseries
from .choices import multinomial as multinomial
from .choices import multivariate_normal as multivariate_normal
from .choices import negative_binomial as negative_binomial
from .choices import permutation as permutation
from .choices import poisson as poisson
from .choices import randint as randint
from .choices import seed as seed
from .choices import shuffle as shuffle
from .choices import zipf as zipf
from .floats import beta as beta
from .floats import chisquare as chisquare
from .floats import exponential as exponential
from .floats import f as f
from .floats import gamma as gamma
from .floats import gumbel as gumbel
from .floats import laplace as laplace
from .floats import logistic as logistic
from .floats import lognormal as lognormal
from .floats import noncentral_chisquare as noncentral_chisquare
from .floats import noncentral_f as noncentral_f
from .floats import normal as normal
from .floats import pareto as pareto
from .floats import power as power
from .floats import rand as rand
from .floats import randn as randn
from .floats import random as random
from .floats import random_sample as random_sample
from .floats import ranf as ranf
from .floats import rayleigh as rayleigh
from .floats import sample as sample
from .floats import standard_cauchy as standard_cauchy
from .floats import standard_exponential as standard_exponential
from .floats import standard_gamma as standard_gamma
from .floats import standard_normal as standard_normal
from .floats import standard_t as standard_t
from .floats import triangular as triangular
from .floats import uniform as uniform
from .floats import vonmises as vonmises
from .floats import wald as wald
from .floats import weibull as weibull

if not _typing.TYPE_CHECKING:  # type checkers use the imports above and report wrong names
    __all__ = _public_names(__name__)

    def __dir__() -> list[str]:
        return __all__

    def __getattr__(name: str) -> _typing.Any:
        raise _missing("np.random", name, __all__)
