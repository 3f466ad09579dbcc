# Made by .ci/make_stubs.py
# mypy: disable-error-code="override"

from gluon.megengine.functional._checked import checked
from gluon.megengine.tensor import Tensor
from numpy.typing import ArrayLike
from typing import Any

from ._declared_elemwise import abs as abs, acos as acos, acosh as acosh, add as add, asin as asin, asinh as asinh, atan as atan, atan2 as atan2, atanh as atanh, ceil as ceil, cos as cos, cosh as cosh, div as div, equal as equal, erf as erf, exp as exp, expm1 as expm1, floor as floor, floor_div as floor_div, greater as greater, greater_equal as greater_equal, left_shift as left_shift, less as less, less_equal as less_equal, log as log, log1p as log1p, logaddexp as logaddexp, logical_and as logical_and, logical_not as logical_not, logical_or as logical_or, logical_xor as logical_xor, maximum as maximum, minimum as minimum, mod as mod, mul as mul, neg as neg, not_equal as not_equal, pow as pow, right_shift as right_shift, round as round, sign as sign, sin as sin, sinh as sinh, sqrt as sqrt, square as square, sub as sub, tan as tan, tanh as tanh
__all__ = ['abs', 'acos', 'acosh', 'add', 'asin', 'asinh', 'atan', 'atan2', 'atanh', 'ceil', 'clip', 'cos', 'cosh', 'div', 'equal', 'erf', 'exp', 'expm1', 'floor', 'floor_div', 'greater', 'greater_equal', 'left_shift', 'less', 'less_equal', 'log', 'log1p', 'logaddexp', 'logical_and', 'logical_not', 'logical_or', 'logical_xor', 'maximum', 'minimum', 'mod', 'mul', 'neg', 'not_equal', 'pow', 'right_shift', 'round', 'sign', 'sin', 'sinh', 'sqrt', 'square', 'sub', 'tan', 'tanh']
@checked
def clip(x: ArrayLike, lower: Any=None, upper: Any=None) -> Tensor: ...
