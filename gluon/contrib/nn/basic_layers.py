"""Parallel branches, pixel shuffle, and synchronized batch normalization."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Any

from ... import autograd, nd
from ..._core.arrays.laxness import check_indices
from ..._core.errors import ArgumentError, GluonError
from ...block import Block, HybridBlock
from ...block.base import whose
from ...nn import BatchNorm, HybridSequential, Sequential
from ...nn.conv_layers import Sizes, each
from ...parameter import Parameter, ParameterDict
from ...symbol import Symbol

if TYPE_CHECKING:
    from numpy.typing import DTypeLike
    from typing_extensions import Unpack

    from ...block.naming import Naming
    from ...initializer.base import InitLike


class Concurrent(Sequential):
    """Applies blocks to the same input and concatenates their outputs.

    Parameters
    ----------
    axis : int, default -1
        The axis along which to concatenate the outputs.
    prefix : str, optional
        The start of the names of its parameters; see `Block`.
    params : ParameterDict, optional
        Parameters to share with another block.

    Examples
    --------
    >>> from gluon import nd, nn
    >>> from gluon.contrib.nn import Concurrent, Identity
    >>> net = Concurrent()
    >>> net.add(nn.Activation("relu"), Identity())
    >>> net(nd.array([[-1, 2]])).asnumpy()
    array([[ 0.,  2., -1.,  2.]], dtype=float32)
    """

    def __init__(
        self, axis: int = -1, prefix: str | None = None, params: ParameterDict | None = None
    ) -> None:
        super().__init__(prefix=prefix, params=params)
        self.axis = axis

    def forward(self, x: Any) -> Any:
        """Call every block and concatenate the outputs."""
        return nd.concat(*[block(x) for block in self._children.values()], dim=self.axis)


class HybridConcurrent(HybridSequential):
    """Applies hybrid blocks to the same input and concatenates their outputs; see `Concurrent`.

    Parameters
    ----------
    axis : int, default -1
        The axis along which to concatenate the outputs.
    prefix : str, optional
        The start of the names of its parameters; see `Block`.
    params : ParameterDict, optional
        Parameters to share with another block.

    Examples
    --------
    >>> from gluon import contrib, nd, nn
    >>> both = contrib.nn.HybridConcurrent(axis=1)
    >>> both.add(contrib.nn.Identity(), nn.Dense(2))
    >>> both.initialize()
    >>> both(nd.ones((4, 3))).shape
    (4, 5)
    """

    def __init__(
        self, axis: int = -1, prefix: str | None = None, params: ParameterDict | None = None
    ) -> None:
        super().__init__(prefix=prefix, params=params)
        self.axis = axis

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        """Call every block and concatenate the outputs."""
        return F.concat(*[block(x) for block in self._children.values()], dim=self.axis)


class Identity(HybridBlock):
    """Returns its input, for instance as a branch of a `HybridConcurrent`.

    Parameters
    ----------
    prefix : str, optional
        See `Block`.
    params : ParameterDict, optional

    Examples
    --------
    >>> from gluon import contrib, nd
    >>> contrib.nn.Identity()(nd.array([1, 2])).asnumpy()
    array([1., 2.], dtype=float32)
    """

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        """Return the input."""
        return x


class SparseEmbedding(Block):
    """As `nn.Embedding`, with a weight and a gradient of storage type row_sparse.

    Takes indices of any shape and dtype; returns one more axis, of length `output_dim`.

    Parameters
    ----------
    input_dim : int
        The number of indices.
    output_dim : int
        The length of each vector.
    dtype : str or numpy type, default 'float32'
    weight_initializer : str or Initializer, optional
    **kwargs
        ``prefix`` and ``params``; see `Block`.

    Examples
    --------
    >>> from gluon import contrib, nd
    >>> layer = contrib.nn.SparseEmbedding(10, 3)
    >>> layer.initialize()
    >>> layer(nd.array([[1, 2]])).shape
    (1, 2, 3)
    """

    weight: Parameter

    def __init__(
        self,
        input_dim: int,
        output_dim: int,
        dtype: DTypeLike = "float32",
        weight_initializer: InitLike = None,
        **kwargs: Unpack[Naming],
    ) -> None:
        super().__init__(**kwargs)
        self._kwargs: dict[str, Any] = {
            "input_dim": input_dim,
            "output_dim": output_dim,
            "dtype": dtype,
            "sparse_grad": True,
        }
        self.weight = self.params.get(
            "weight",
            shape=(input_dim, output_dim),
            init=weight_initializer,
            dtype=dtype,
            grad_stype="row_sparse",
            stype="row_sparse",
        )

    def forward(self, x: Any) -> Any:
        """Look up the rows of the weight."""
        check_indices("index", x, self._kwargs["input_dim"], "rows", "give a larger input_dim")
        return nd.Embedding(x, self.weight.row_sparse_data(x), **self._kwargs)

    def __repr__(self) -> str:
        return "SparseEmbedding({input_dim} -> {output_dim}, {dtype})".format(**self._kwargs)


class SyncBatchNorm(BatchNorm):
    """Batch normalization over the whole batch when it is split over several processes.

    In training the mean and the variance are those of the combined batch of all processes, and
    gradients flow to all of them; see `gluon.distributed`. All processes must call the layer. With
    one process it equals `BatchNorm`, for parameters on one context.

    Parameters
    ----------
    in_channels : int, optional
        The number of channels, along axis 1; inferred from the first batch by default.
    num_devices : int, default 1
        Ignored: gluon finds the number of processes itself.
    momentum : float, default 0.9
        The weight of the old running statistics; ``1 - momentum`` is that of a training batch.
    epsilon : float, default 1e-5
        Added to the variance.
    center, scale : bool, default True
        Whether to add a learned beta, and to multiply by a learned gamma.
    use_global_stats : bool, default False
        Use the running statistics in training too.
    beta_initializer, gamma_initializer : str or Initializer
    running_mean_initializer, running_variance_initializer : str or Initializer
    **kwargs
        ``prefix`` and ``params``; see `Block`.

    Raises
    ------
    GluonError
        From a call in training, if its parameters are on several contexts: contexts compute one
        after the other.

    Examples
    --------
    >>> from gluon import autograd, contrib, nd
    >>> layer = contrib.nn.SyncBatchNorm()
    >>> layer.initialize()
    >>> with autograd.train_mode():
    ...     layer(nd.array([[1], [3]])).asnumpy().round(3)
    array([[-1.],
           [ 1.]], dtype=float32)
    """

    def __init__(
        self,
        in_channels: int = 0,
        num_devices: int | None = None,
        momentum: float = 0.9,
        epsilon: float = 1e-5,
        center: bool = True,
        scale: bool = True,
        use_global_stats: bool = False,
        beta_initializer: InitLike = "zeros",
        gamma_initializer: InitLike = "ones",
        running_mean_initializer: InitLike = "zeros",
        running_variance_initializer: InitLike = "ones",
        **kwargs: Unpack[Naming],
    ) -> None:
        super().__init__(
            1,
            momentum,
            epsilon,
            center,
            scale,
            use_global_stats,
            beta_initializer,
            gamma_initializer,
            running_mean_initializer,
            running_variance_initializer,
            in_channels,
            **kwargs,
        )
        self._num_devices = 1 if num_devices is None else num_devices

    def hybrid_forward(
        self, F: Any, x: Any, gamma: Any, beta: Any, running_mean: Any, running_var: Any
    ) -> Any:
        """Apply the layer."""
        if autograd.is_training() and not self._kwargs["use_global_stats"]:
            contexts = self.running_mean.list_ctx()
            if len(contexts) > 1:
                raise GluonError(
                    f"{whose(self)} is on {contexts}, which compute one after the other, so that"
                    " they cannot share statistics while training; put the network on one"
                    " context, or use nn.BatchNorm"
                )
        parameters = (gamma, beta, running_mean, running_var)
        return F.contrib.SyncBatchNorm(x, *parameters, **self._settings())

    def _settings(self) -> dict[str, Any]:
        given: dict[str, Any] = {**self._kwargs, "ndev": self._num_devices, "key": self.prefix}
        del given["axis"]
        return given

    def __repr__(self) -> str:
        given = self._settings()
        settings = ", ".join(f"{key}={value!r}" for key, value in given.items())
        return f"SyncBatchNorm({settings}, in_channels={self.gamma.shape[0] or None})"


class _PixelShuffle(HybridBlock):
    """Base of the pixel shuffles; subclasses define the number of axes."""

    _ndim: int

    def __init__(self, factor: Sizes) -> None:
        super().__init__()
        self._factors = each(factor, self._ndim, "factor")

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        """Move channels into spatial axes."""
        ndim, factors = self._ndim, self._factors
        if not isinstance(x, Symbol) and (x.ndim != ndim + 2 or x.shape[1] % prod(factors)):
            raise ArgumentError(
                f"{type(self).__name__}: x has shape {x.shape}; it needs {ndim + 2} axes, and the"
                f" channels, axis 1, must be a multiple of {prod(factors)}"
            )
        space = [0] * ndim  # remaining lengths; -4 splits an axis in two, and -3 merges two
        x = F.reshape(x, shape=(0, -4, -1, prod(factors), *space))
        for k in range(ndim - 1):
            rest = prod(factors[k + 1 :])
            x = F.reshape(x, shape=(*[0] * (k + 2), -4, factors[k], rest, *space))
        pairs = [axis for k in range(2, 2 + ndim) for axis in (k + ndim, k)]
        x = F.transpose(x, axes=(0, 1, *pairs))
        return F.reshape(x, shape=(0, 0, *[-3] * ndim))

    def __repr__(self) -> str:
        shown = self._factors if self._ndim > 1 else self._factors[0]
        return f"{type(self).__name__}({shown})"


class PixelShuffle1D(_PixelShuffle):
    """Enlarges sequences by moving channels into space; see `PixelShuffle2D`.

    Parameters
    ----------
    factor : int

    Raises
    ------
    ArgumentError
        From a call, if the factor does not divide the channels.

    Examples
    --------
    >>> from gluon import contrib, nd
    >>> contrib.nn.PixelShuffle1D(2)(nd.array([[[1, 2], [3, 4]]])).asnumpy()
    array([[[1., 3., 2., 4.]]], dtype=float32)
    """

    _ndim = 1


class PixelShuffle2D(_PixelShuffle):
    """Enlarges images by moving channels into space.

    From (batch, channels * f1 * f2, height, width) to (batch, channels, height * f1, width * f2):
    ``y[b, c, h * f1 + i, w * f2 + j] = x[b, (c * f1 + i) * f2 + j, h, w]``.

    Parameters
    ----------
    factor : int or tuple of int
        The factors (f1, f2); one number is used for both.

    Raises
    ------
    ArgumentError
        If `factor` is neither one number nor two; from a call, if the factors do not divide the
        channels.

    Examples
    --------
    >>> from gluon import nd
    >>> from gluon.contrib.nn import PixelShuffle2D
    >>> x = nd.array([[[[1]], [[2]], [[3]], [[4]]]])
    >>> PixelShuffle2D(2)(x).asnumpy()
    array([[[[1., 2.],
             [3., 4.]]]], dtype=float32)
    """

    _ndim = 2


class PixelShuffle3D(_PixelShuffle):
    """Enlarges volumes by moving channels into space; see `PixelShuffle2D`.

    Parameters
    ----------
    factor : int or tuple of int
        The factor for each axis; one number is used for all three.

    Raises
    ------
    ArgumentError
        If `factor` is neither one number nor three; from a call, if the factors do not divide the
        channels.

    Examples
    --------
    >>> from gluon import contrib, nd
    >>> contrib.nn.PixelShuffle3D((2, 1, 3))(nd.ones((1, 12, 2, 2, 2))).shape
    (1, 2, 4, 2, 6)
    """

    _ndim = 3
