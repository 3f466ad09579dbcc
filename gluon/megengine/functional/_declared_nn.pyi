# Made by .ci/make_stubs.py
# mypy: disable-error-code="override"

from collections.abc import Sequence
from gluon.megengine.tensor import Tensor
from numpy.typing import ArrayLike
from typing import Any

def conv1d(inp: Any, weight: Any, bias: Any=None, stride: int | Sequence[int]=1, padding: int | Sequence[int]=0, dilation: int | Sequence[int]=1, groups: int=1, conv_mode: str='cross_correlation', compute_mode: str='default') -> Tensor:
    """Slide a kernel over the 1 last axes."""
def conv2d(inp: Any, weight: Any, bias: Any=None, stride: int | Sequence[int]=1, padding: int | Sequence[int]=0, dilation: int | Sequence[int]=1, groups: int=1, conv_mode: str='cross_correlation', compute_mode: str='default') -> Tensor:
    """Slide a kernel over the 2 last axes."""
def conv3d(inp: Any, weight: Any, bias: Any=None, stride: int | Sequence[int]=1, padding: int | Sequence[int]=0, dilation: int | Sequence[int]=1, groups: int=1, conv_mode: str='cross_correlation', compute_mode: str='default') -> Tensor:
    """Slide a kernel over the 3 last axes."""
def conv_transpose2d(inp: Any, weight: Any, bias: Any=None, stride: int | Sequence[int]=1, padding: int | Sequence[int]=0, output_padding: int | Sequence[int]=0, dilation: int | Sequence[int]=1, groups: int=1, conv_mode: str='cross_correlation', compute_mode: str='default') -> Tensor:
    """The transposed convolution over the 2 last axes."""
def conv_transpose3d(inp: Any, weight: Any, bias: Any=None, stride: int | Sequence[int]=1, padding: int | Sequence[int]=0, output_padding: int | Sequence[int]=0, dilation: int | Sequence[int]=1, groups: int=1, conv_mode: str='cross_correlation', compute_mode: str='default') -> Tensor:
    """The transposed convolution over the 3 last axes."""
def relu(x: ArrayLike) -> Tensor:
    """max(x, 0); the subgradient at 0 is 0."""
def sigmoid(x: ArrayLike) -> Tensor:
    """1 / (1 + exp(-x))."""
def relu6(x: ArrayLike) -> Tensor:
    """x between 0 and 6."""
def hsigmoid(x: ArrayLike) -> Tensor:
    """x / 6 + 1 / 2 between 0 and 1."""
def hswish(x: ArrayLike) -> Tensor:
    """x times its hard sigmoid."""
def silu(x: ArrayLike) -> Tensor:
    """x times its sigmoid."""
def gelu(x: ArrayLike) -> Tensor:
    """x times the normal distribution function at x."""
def softplus(inp: ArrayLike) -> Tensor:
    """log(1 + exp(x))."""
def logsigmoid(inp: ArrayLike) -> Tensor:
    """The logarithm of the sigmoid."""
