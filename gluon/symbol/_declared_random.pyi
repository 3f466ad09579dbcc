# Made by .ci/make_stubs.py
# mypy: disable-error-code="override"

from gluon.symbol.symbol import Symbol

def exponential_like(data: Symbol | None = None, lam: float = 1, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Samples of the exponential distribution, in the shape of an array."""
def gamma_like(data: Symbol | None = None, alpha: float = 1, beta: float = 1, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Samples of the gamma distribution, in the shape of an array."""
def generalized_negative_binomial_like(data: Symbol | None = None, mu: float = 1, alpha: float = 1, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Samples of the generalized negative binomial distribution, in the shape of an array."""
def negative_binomial_like(data: Symbol | None = None, k: float = 1, p: float = 1, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Samples of the negative binomial distribution, in the shape of an array."""
def normal_like(data: Symbol | None = None, loc: float = 0, scale: float = 1, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Samples of the normal distribution, in the shape of an array."""
def poisson_like(data: Symbol | None = None, lam: float = 1, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Samples of the Poisson distribution, in the shape of an array."""
def shuffle(data: Symbol | None = None, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Shuffle the rows of `data`."""
def uniform_like(data: Symbol | None = None, low: float = 0, high: float = 1, *, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Samples of the uniform distribution on ``[low, high)``, in the shape of an array."""
