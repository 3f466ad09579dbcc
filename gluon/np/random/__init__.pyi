# Made by .ci/make_stubs.py
# mypy: disable-error-code="override"


from ._declared import random_sample as random_sample, ranf as ranf, sample as sample
from gluon.np.random.choices import binomial as binomial
from gluon.np.random.choices import choice as choice
from gluon.np.random.choices import dirichlet as dirichlet
from gluon.np.random.choices import geometric as geometric
from gluon.np.random.choices import hypergeometric as hypergeometric
from gluon.np.random.choices import logseries as logseries
from gluon.np.random.choices import multinomial as multinomial
from gluon.np.random.choices import multivariate_normal as multivariate_normal
from gluon.np.random.choices import negative_binomial as negative_binomial
from gluon.np.random.choices import permutation as permutation
from gluon.np.random.choices import poisson as poisson
from gluon.np.random.choices import randint as randint
from gluon.np.random.choices import seed as seed
from gluon.np.random.choices import shuffle as shuffle
from gluon.np.random.choices import zipf as zipf
from gluon.np.random.floats import beta as beta
from gluon.np.random.floats import chisquare as chisquare
from gluon.np.random.floats import exponential as exponential
from gluon.np.random.floats import f as f
from gluon.np.random.floats import gamma as gamma
from gluon.np.random.floats import gumbel as gumbel
from gluon.np.random.floats import laplace as laplace
from gluon.np.random.floats import logistic as logistic
from gluon.np.random.floats import lognormal as lognormal
from gluon.np.random.floats import noncentral_chisquare as noncentral_chisquare
from gluon.np.random.floats import noncentral_f as noncentral_f
from gluon.np.random.floats import normal as normal
from gluon.np.random.floats import pareto as pareto
from gluon.np.random.floats import power as power
from gluon.np.random.floats import rand as rand
from gluon.np.random.floats import randn as randn
from gluon.np.random.floats import random as random
from gluon.np.random.floats import rayleigh as rayleigh
from gluon.np.random.floats import standard_cauchy as standard_cauchy
from gluon.np.random.floats import standard_exponential as standard_exponential
from gluon.np.random.floats import standard_gamma as standard_gamma
from gluon.np.random.floats import standard_normal as standard_normal
from gluon.np.random.floats import standard_t as standard_t
from gluon.np.random.floats import triangular as triangular
from gluon.np.random.floats import uniform as uniform
from gluon.np.random.floats import vonmises as vonmises
from gluon.np.random.floats import wald as wald
from gluon.np.random.floats import weibull as weibull
