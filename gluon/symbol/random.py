"""The functions of `gluon.nd.random` on symbols."""

from __future__ import annotations

from typing import Final

from .. import nd
from .compose import compose

exponential_like: Final = compose(nd.random.exponential_like, "_random_exponential_like")
gamma_like: Final = compose(nd.random.gamma_like, "_random_gamma_like")
generalized_negative_binomial_like: Final = compose(
    nd.random.generalized_negative_binomial_like, "_random_generalized_negative_binomial_like"
)
negative_binomial_like: Final = compose(
    nd.random.negative_binomial_like, "_random_negative_binomial_like"
)
normal_like: Final = compose(nd.random.normal_like, "_random_normal_like")
poisson_like: Final = compose(nd.random.poisson_like, "_random_poisson_like")
shuffle: Final = compose(nd.random.shuffle, "_shuffle")
uniform_like: Final = compose(nd.random.uniform_like, "_random_uniform_like")
