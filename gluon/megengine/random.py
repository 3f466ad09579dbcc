"""Random tensors. All are drawn from gluon's generator, so that one seed is enough."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from .._core.errors import ArgumentError, DTypeError
from .._core.kernels import generator as shared
from .._core.kernels.random import sample
from .._hook.errors import CheckError
from .absent import missing
from .functional._axes import shape_of
from .interfaces import as_tensor
from .tensor import Tensor

__all__ = [
    "RNG",
    "beta",
    "gamma",
    "normal",
    "permutation",
    "poisson",
    "seed",
    "shuffle",
    "uniform",
]


def _values(x: Any) -> Any:
    return x.raw if isinstance(x, Tensor) else x


def _number(x: Any) -> Any:
    """A parameter, a tensor of one value as that."""
    return x.item() if isinstance(x, Tensor) and x.size == 1 else _values(x)


def _count(n: Any) -> int:
    """How many numbers to permute."""
    if not isinstance(n, (int, np.integer)) or n < 0:
        raise CheckError(f"permutation: n={n!r} is neither an integer of 0 or more nor a tensor")
    return int(n)


class RNG:
    """A random number generator.

    Parameters
    ----------
    seed : int, optional
        By default from the system's entropy.
    device : str or CompNode, optional
        Of the tensors.

    Examples
    --------
    >>> RNG(seed=3).normal(size=(2,)).shape
    (2,)
    >>> RNG(seed=3).uniform(size=4).tolist() == RNG(seed=3).uniform(size=4).tolist()
    True
    """

    def __init__(self, seed: int | None = None, device: Any = None) -> None:
        self._device = device
        self._own = np.random.default_rng(seed)

    @property
    def _generator(self) -> np.random.Generator:
        return self._own

    def _draw(self, distribution: str, size: Any, **parameters: Any) -> Any:
        """Samples of `size` for each value of the parameters."""
        raws = {name: np.asarray(_values(value)) for name, value in parameters.items()}
        own = np.broadcast_shapes(*(raw.shape for raw in raws.values()))
        shape = (
            (1,) if size is None and not own else (*(() if size is None else shape_of(size)), *own)
        )
        try:
            drawn = sample(
                distribution, raws, size=shape, dtype=np.dtype(np.float32), rng=self._generator
            )
        except ValueError as error:
            raise ArgumentError(f"{distribution}: {error}") from None
        return Tensor(drawn, device=self._device)

    def normal(self, mean: Any = 0, std: Any = 1, size: Any = None) -> Tensor:
        """Samples of the normal distribution.

        Parameters
        ----------
        size : int or sequence of int, optional
            One sample for each value of the parameters by default.

        Returns
        -------
        Tensor of float32 and shape (*size, *s), (1,) if both are empty

        Examples
        --------
        >>> normal(0, 1, (2, 3)).shape
        (2, 3)
        """
        return self._draw("normal", size, mean=_number(mean), std=_number(std))

    def uniform(self, low: Any = 0, high: Any = 1, size: Any = None) -> Tensor:
        """Samples of the uniform distribution on ``[low, high)``.

        Returns
        -------
        Tensor of float32 and shape (*size, *s), (1,) if both are empty

        Examples
        --------
        >>> uniform(size=3).shape
        (3,)
        """
        low, high = _number(low), _number(high)
        if not np.less(low, high).all():
            raise CheckError(f"uniform: low={low} must be below high={high}")
        return self._draw("uniform", size, low=low, high=high)

    def gamma(self, shape: Any, scale: Any = 1, size: Any = None) -> Tensor:
        """Samples of the gamma distribution.

        Returns
        -------
        Tensor of float32 and shape (*size, *s), (1,) if both are empty

        Examples
        --------
        >>> gamma(2.0, size=(3,)).shape
        (3,)
        """
        return self._draw("gamma", size, shape=shape, scale=scale)

    def beta(self, alpha: Any, beta: Any, size: Any = None) -> Tensor:
        """Samples of the beta distribution.

        Returns
        -------
        Tensor of float32 and shape (*size, *s), (1,) if both are empty

        Examples
        --------
        >>> random_share = beta(1.0, 2.0)
        >>> 0 <= random_share.item() <= 1
        True
        """
        one, other = np.broadcast_arrays(_values(alpha), _values(beta))
        first = self._draw("gamma", size, alpha=one, scale=1)
        second = self._draw("gamma", size, beta=other, scale=1)
        return first / (first + second)

    def poisson(self, lam: Any, size: Any = None) -> Tensor:
        """Samples of the Poisson distribution.

        Returns
        -------
        Tensor of float32 and shape (*size, *s), (1,) if both are empty

        Examples
        --------
        >>> poisson(3.0, size=(2,)).shape
        (2,)
        """
        return self._draw("poisson", size, lam=lam)

    def permutation(self, n: Any, *, dtype: Any = "int32") -> Tensor:
        """A random permutation of ``range(n)``, or of the rows of a tensor.

        Parameters
        ----------
        n : int, or Tensor of shape (rows, ...)
        dtype : str or numpy dtype, default "int32"
            Of numbers.

        Returns
        -------
        Tensor of shape (n,), or of the shape of the tensor

        Examples
        --------
        >>> sorted(permutation(3).tolist())
        [0, 1, 2]
        """
        if isinstance(n, Tensor):
            return as_tensor(n)[self._generator.permutation(len(n))]
        count = _count(n)
        return Tensor(self._generator.permutation(count), dtype, self._device)

    def shuffle(self, inp: Tensor) -> None:
        """Shuffle the rows of a tensor in place.

        Examples
        --------
        >>> x = Tensor([1, 2, 3])
        >>> shuffle(x)
        >>> sorted(x.tolist())
        [1, 2, 3]
        """
        inp._reset(self.permutation(inp))


class _Shared(RNG):
    """Draws from the generator of gluon."""

    def __init__(self) -> None:
        self._device = None

    @property
    def _generator(self) -> np.random.Generator:
        return shared.generator()


def seed(seed: int) -> None:
    """Seed the random number generator shared by all of gluon.

    Examples
    --------
    >>> seed(1)
    >>> first = normal()
    >>> seed(1)
    >>> first.item() == normal().item()
    True
    """
    if not isinstance(seed, (int, np.integer)):
        raise DTypeError(f"seed: {seed!r} is not an integer")
    if seed < 0:
        raise ArgumentError(f"seed: {seed} is below 0")
    shared.seed(int(seed))


_default = _Shared()
beta: Final = _default.beta
gamma: Final = _default.gamma
normal: Final = _default.normal
permutation: Final = _default.permutation
poisson: Final = _default.poisson
shuffle: Final = _default.shuffle
uniform: Final = _default.uniform
if not TYPE_CHECKING:  # which looks missing names up itself
    __getattr__ = missing("random", __all__)
