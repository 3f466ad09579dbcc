"""Derivatives of functions at a point: products with the Jacobian, and full matrices."""

from ._derivatives import hessian as hessian
from ._derivatives import hvp as hvp
from ._derivatives import jacobian as jacobian
from ._derivatives import jvp as jvp
from ._derivatives import value_and_grad as value_and_grad
from ._derivatives import vjp as vjp

__all__ = ["hessian", "hvp", "jacobian", "jvp", "value_and_grad", "vjp"]


def __dir__() -> list[str]:
    return __all__
