"""Activation layers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .. import initializer
from .._core.arrays.laxness import lax
from .._core.errors import ArgumentError, DTypeError
from .._core.hints.synonyms import ACTIVATIONS as INSTEAD
from ..block import HybridBlock
from ..nd._checks import check_choice
from ..nd.activation import ACTIVATIONS

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ..block.naming import Naming
    from ..initializer.base import InitLike
    from ..nd.activation import ActivationName


class Activation(HybridBlock):
    """Activation function, selected by name.

    Takes floats of any shape; returns the same shape and dtype.

    Parameters
    ----------
    activation : {'relu', 'sigmoid', 'softrelu', 'softsign', 'tanh'}
    **kwargs
        ``prefix`` and ``params``; see `Block`.

    Raises
    ------
    ArgumentError
        If `activation` is not one of these.

    Examples
    --------
    >>> from gluon import nd, nn
    >>> nn.Activation("relu")(nd.array([-1, 2])).asnumpy()
    array([0., 2.], dtype=float32)
    """

    _names_fwd = True

    def __init__(self, activation: ActivationName, **kwargs: Unpack[Naming]) -> None:
        self._act_type = activation
        super().__init__(**kwargs)
        if not lax.late_checks:
            check_choice("Activation", "activation", activation, ACTIVATIONS, INSTEAD)

    def _alias(self) -> str:
        return self._act_type

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        """Apply the function."""
        return F.Activation(x, act_type=self._act_type)

    def __repr__(self) -> str:
        return f"Activation({self._act_type})"


def activated(activation: ActivationName | None) -> Activation | None:
    """The activation of that name at the end of a layer; None for none."""
    if activation is not None and not isinstance(activation, str):
        way_out = "a layer or function of your own follows it in an nn.Sequential"
        if isinstance(activation, int):
            way_out = "the input size is inferred, or given as in_units or in_channels"
        raise DTypeError(f"activation={activation!r} is not a name, such as 'relu'; {way_out}")
    return Activation(activation, prefix=activation + "_") if activation else None


class LeakyReLU(HybridBlock):
    """Leaky ReLU: x if x > 0, otherwise ``alpha * x``.

    Takes floats of any shape; returns the same shape and dtype.

    Parameters
    ----------
    alpha : float
        At least 0.
    **kwargs
        ``prefix`` and ``params``; see `Block`.

    Raises
    ------
    ArgumentError
        If `alpha` is negative.

    Examples
    --------
    >>> from gluon import nd, nn
    >>> nn.LeakyReLU(0.1)(nd.array([-1, 2])).asnumpy()
    array([-0.1,  2. ], dtype=float32)
    """

    _names_fwd = True

    def __init__(self, alpha: float, **kwargs: Unpack[Naming]) -> None:
        if alpha < 0:
            raise ArgumentError(f"LeakyReLU: alpha must be at least 0, got {alpha}")
        super().__init__(**kwargs)
        self._alpha = alpha

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        """Apply the function."""
        return F.LeakyReLU(x, act_type="leaky", slope=self._alpha)

    def __repr__(self) -> str:
        return f"LeakyReLU({self._alpha})"


class PReLU(HybridBlock):
    """Leaky ReLU with a learned alpha.

    Takes floats of any shape; returns the same shape and dtype.

    Parameters
    ----------
    alpha_initializer : str or Initializer, default 0.25 everywhere
    in_channels : int, default 1
        1 for a single alpha, or the length of axis 1 for one alpha per channel.
    **kwargs
        ``prefix`` and ``params``; see `Block`.

    Examples
    --------
    >>> from gluon import nd, nn
    >>> layer = nn.PReLU()
    >>> layer.initialize()
    >>> layer(nd.array([[-1, 2]])).asnumpy()
    array([[-0.25,  2.  ]], dtype=float32)
    >>> layer.alpha.shape
    (1,)
    """

    _names_fwd = True

    alpha: Any

    def __init__(
        self, alpha_initializer: InitLike = None, in_channels: int = 1, **kwargs: Unpack[Naming]
    ) -> None:
        super().__init__(**kwargs)
        init = initializer.Constant(0.25) if alpha_initializer is None else alpha_initializer
        with self.name_scope():
            self.alpha = self.params.get("alpha", shape=(in_channels,), init=init)

    def hybrid_forward(self, F: Any, x: Any, alpha: Any) -> Any:
        """Apply the function."""
        return F.LeakyReLU(x, gamma=alpha, act_type="prelu")


class ELU(HybridBlock):
    """Exponential linear unit: x if x > 0, otherwise ``alpha * (exp(x) - 1)``.

    Takes floats of any shape; returns the same shape and dtype.

    Parameters
    ----------
    alpha : float, default 1
    **kwargs
        ``prefix`` and ``params``; see `Block`.

    Examples
    --------
    >>> from gluon import nd, nn
    >>> nn.ELU()(nd.array([-1, 2])).asnumpy().round(4)
    array([-0.6321,  2.    ], dtype=float32)
    """

    def __init__(self, alpha: float = 1.0, **kwargs: Unpack[Naming]) -> None:
        super().__init__(**kwargs)
        self._alpha = alpha

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        """Apply the function."""
        return F.LeakyReLU(x, act_type="elu", slope=self._alpha)


class SELU(HybridBlock):
    """Scaled exponential linear unit, which keeps activations normalized.

    Takes floats of any shape; returns the same shape and dtype.

    Parameters
    ----------
    prefix : str, optional
        The start of the names of its parameters; see `Block`.
    params : ParameterDict, optional
        Parameters to share with another block.

    Examples
    --------
    >>> from gluon import nd, nn
    >>> nn.SELU()(nd.array([-1, 2])).asnumpy().round(4)
    array([-1.1113,  2.1014], dtype=float32)
    """

    _names_fwd = True

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        """Apply the function."""
        return F.LeakyReLU(x, act_type="selu")


class GELU(HybridBlock):
    """Gaussian error linear unit: x times the standard normal CDF of x.

    Takes floats of any shape; returns the same shape and dtype.

    Parameters
    ----------
    prefix : str, optional
        The start of the names of its parameters; see `Block`.
    params : ParameterDict, optional
        Parameters to share with another block.

    Examples
    --------
    >>> from gluon import nd, nn
    >>> nn.GELU()(nd.array([-1, 2])).asnumpy().round(4)
    array([-0.1587,  1.9545], dtype=float32)
    """

    _names_fwd = True

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        """Apply the function."""
        return F.LeakyReLU(x, act_type="gelu")


class Swish(HybridBlock):
    """Swish activation: ``x * sigmoid(beta * x)``.

    Takes floats of any shape; returns the same shape and dtype.

    Parameters
    ----------
    beta : float, default 1
    **kwargs
        ``prefix`` and ``params``; see `Block`.

    Examples
    --------
    >>> from gluon import nd, nn
    >>> nn.Swish()(nd.array([-1, 2])).asnumpy().round(4)
    array([-0.2689,  1.7616], dtype=float32)
    """

    def __init__(self, beta: float = 1.0, **kwargs: Unpack[Naming]) -> None:
        super().__init__(**kwargs)
        self._beta = beta

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        """Apply the function."""
        return x * F.sigmoid(x * self._beta, name="fwd")
