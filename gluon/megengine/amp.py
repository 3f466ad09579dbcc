"""Mixed precision: everything is computed in the precision of the tensors."""

from __future__ import annotations

from contextlib import ContextDecorator
from typing import TYPE_CHECKING, Any

from .absent import missing

__all__ = ["GradScaler", "autocast"]


class autocast(ContextDecorator):
    """Context manager and decorator without effect: computations keep their dtypes.

    Parameters
    ----------
    low_prec_dtype, high_prec_dtype : str
        Ignored: on the host, half precision gains nothing.

    Examples
    --------
    >>> with autocast():
    ...     pass
    """

    def __init__(
        self,
        enabled: bool = True,
        low_prec_dtype: str = "float16",
        high_prec_dtype: str = "float32",
    ) -> None:
        self.enabled = enabled

    def __enter__(self) -> autocast:
        return self

    def __exit__(self, *exc: object) -> None:
        """Do nothing."""


class GradScaler:
    """Gradient scaler without effect: only half precision needs a scale.

    Parameters
    ----------
    init_scale, growth_factor, backoff_factor, growth_interval : float
        Kept for `state_dict`.

    Examples
    --------
    >>> from gluon.megengine import Tensor
    >>> from gluon.megengine.autodiff import GradManager
    >>> x = Tensor([3.0])
    >>> with GradManager().attach(x) as gm:
    ...     GradScaler().backward(gm, x * x)
    >>> x.grad
    Tensor([6.], device=xpux:0)
    """

    def __init__(
        self,
        init_scale: float = 2.0**4,
        growth_factor: float = 2.0,
        backoff_factor: float = 0.5,
        growth_interval: int = 2000,
    ) -> None:
        self.scale_factor = float(init_scale)
        self.growth_factor, self.backoff_factor = float(growth_factor), float(backoff_factor)
        self.growth_interval = growth_interval
        self._growth_tracker = 0

    def backward(
        self,
        gm: Any,
        y: Any = None,
        dy: Any = None,
        *,
        unscale_grad: bool = True,
        update_scale: Any = "if_unscale_grad",
    ) -> None:
        """Call ``gm.backward(y, dy)``.

        Parameters
        ----------
        unscale_grad, update_scale
            Ignored.
        """
        gm.backward(y, dy)

    def unscale(self, grad_tensors: Any) -> GradScaler:
        """Do nothing: gradients are not scaled.

        Returns
        -------
        GradScaler
            Itself.

        Examples
        --------
        >>> from gluon.megengine import Tensor, amp
        >>> scaler = amp.GradScaler()
        >>> scaler.unscale([Tensor([1.0])]) is scaler
        True
        """
        return self

    def update(self, new_scale: float | None = None) -> None:
        """Do nothing: gradients are not scaled.

        Parameters
        ----------
        new_scale : float, optional
            Kept for `state_dict`.

        Examples
        --------
        >>> from gluon.megengine import amp
        >>> amp.GradScaler().update()
        """
        if new_scale is not None:
            self.scale_factor = float(new_scale)

    def state_dict(self) -> dict[str, float]:
        """The settings, for `load_state_dict`.

        Examples
        --------
        >>> from gluon.megengine import amp
        >>> amp.GradScaler().state_dict()["scale_factor"]
        16.0
        """
        return dict(vars(self))

    def load_state_dict(self, state: dict[str, float]) -> None:
        """Take the settings of another scaler.

        Examples
        --------
        >>> from gluon.megengine import amp
        >>> scaler = amp.GradScaler()
        >>> scaler.load_state_dict(amp.GradScaler(init_scale=4).state_dict())
        >>> scaler.scale_factor
        4.0
        """
        vars(self).update({name: state[name] for name in self.state_dict()})


if not TYPE_CHECKING:  # which looks missing names up itself
    __getattr__ = missing("amp", __all__)
