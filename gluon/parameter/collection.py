"""`ParameterDict`: parameters by name."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import initializer
from .._core.arrays import Context
from .._core.arrays.dtypes import as_dtype
from .._core.arrays.interfaces import chosen_class
from .._core.arrays.storage import seat
from .._core.engine.array import wrap
from .._core.errors import ArgumentError, MissingKeyError, MissingNameError, warn_caller
from .._core.hints.lookup import meant
from .._core.kernels.memory import on_host
from .._core.kernels.sparse import all_rows
from .._core.tree import KINDS, Kind
from ..nd import NDArray
from ..nd.files import load as load_arrays
from ..nd.files import save as save_arrays
from .parameter import UNKNOWN, Constant, Contexts, Parameter

if TYPE_CHECKING:
    from ..initializer.base import InitLike

#: Attributes that the first layer to request a parameter decides.
ITS_OWN = ("allow_deferred_init", "differentiable")


def _merged(name: str, stored: Any, given: Any, key: str) -> Any:
    """Merge the attribute `key` of a parameter that is requested again with the value `given`."""
    if key == "shape":
        given = (given,) if isinstance(given, int) else tuple(given)
        pairs = list(zip(stored, given))
        if len(stored) == len(given) and all(
            a == b or a in UNKNOWN or b in UNKNOWN for a, b in pairs
        ):
            return tuple(b if a in UNKNOWN else a for a, b in pairs)
    elif stored == given or (key == "dtype" and as_dtype(stored) == as_dtype(given)):
        return stored
    raise ArgumentError(
        f"Parameter {name!r} exists with {key}={stored}; it cannot be requested again with"
        f" {key}={given}. Give another name or the same {key}"
    )


def _unknown(key: Any, params: dict[str, Parameter]) -> str:
    """The message for a parameter that does not exist."""
    if not isinstance(key, str):
        return f"parameters go by name, not by {key!r}; use list(params.values())[{key!r}]"
    found = meant(key, params) or f"; the names are {', '.join(params) or 'none: it is empty'}"
    return f"there is no parameter {key!r}{found}"


class _Name(str):
    """A name of a parameter; its errors say how to loop over parameters, which one may expect."""

    __slots__ = ()

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(
            f"'str' object has no attribute {name!r}: {str(self)!r} is a name. A loop over a"
            " ParameterDict gives names; loop over params.values() for the parameters, over"
            " params.items() for both"
        )

    def __setattr__(self, name: str, value: Any) -> None:
        getattr(self, name)  # raises

    def __reduce__(self) -> Any:
        return str, (str(self),)  # files need no class of gluon


class ParameterDict:
    """Dictionary of parameters by full name, in order of creation.

    Parameters
    ----------
    prefix : str, default ''
        The start of the names of all parameters made by `get`.
    shared : ParameterDict, optional
        Where `get` looks for a parameter before it creates one.

    Examples
    --------
    >>> from gluon import ParameterDict
    >>> params = ParameterDict("net_")
    >>> params.get("weight", shape=(2, 3))
    Parameter net_weight (shape=(2, 3), dtype=<class 'numpy.float32'>)
    >>> list(params)
    ['net_weight']
    >>> params.initialize("ones")
    >>> params.get("weight").data().asnumpy()
    array([[1., 1., 1.],
           [1., 1., 1.]], dtype=float32)
    >>> list(params.keys()) == [parameter.name for parameter in params.values()]
    True
    """

    def __init__(self, prefix: str = "", shared: ParameterDict | None = None) -> None:
        self._prefix = prefix
        self._shared = shared
        self._params: dict[str, Parameter] = {}

    def __repr__(self) -> str:
        lines = "\n".join(f"  {one}" for one in self.values())
        return f"{self._prefix + ' ' if self._prefix else ''}(\n{lines}\n)"

    def __getitem__(self, key: str) -> Parameter:
        try:
            return self._params[key]
        except KeyError:
            raise MissingKeyError(_unknown(key, self._params)) from None

    def __iter__(self) -> Iterator[str]:
        return map(_Name, self._params)

    def __contains__(self, key: str) -> bool:
        return key in self._params

    def __len__(self) -> int:
        return len(self._params)

    def items(self) -> Any:
        """Pairs of name and parameter.

        Returns
        -------
        view of (str, Parameter)

        Examples
        --------
        >>> from gluon import nn
        >>> for name, parameter in nn.Dense(2, in_units=3, prefix="out_").collect_params().items():
        ...     print(name, parameter.shape)
        out_weight (2, 3)
        out_bias (2,)
        """
        return self._params.items()

    def keys(self) -> Any:
        """The names."""
        return self._params.keys()

    def values(self) -> Any:
        """The parameters."""
        return self._params.values()

    @property
    def prefix(self) -> str:
        """The prefix of the names of all parameters created by `get`."""
        return self._prefix

    def _find(self, name: str) -> Parameter | None:
        if name not in self._params and self._shared is not None:
            shared = self._shared._find(name)
            if shared is not None:
                self._params[name] = shared
        return self._params.get(name)

    def get(self, name: str, **kwargs: Any) -> Parameter:
        """Return the parameter ``prefix + name``; create it if it does not exist.

        Parameters
        ----------
        name : str
        **kwargs
            As for `Parameter`. They must agree with those of an existing parameter, except for
            `allow_deferred_init` and `differentiable`, which it keeps.

        Returns
        -------
        Parameter

        Raises
        ------
        ArgumentError
            If they do not agree.
        """
        name = self._prefix + name
        found = self._find(name)
        if found is None:
            found = self._params[name] = Parameter(name, **kwargs)
            return found
        for key, given in kwargs.items():
            if key in ITS_OWN or given is None:
                continue
            stored = getattr(found, key, None)
            if stored is None:
                setattr(found, key, given)
            else:
                merged = _merged(name, stored, given, key)
                if key == "shape":
                    found._shape = merged
        return found

    def get_constant(self, name: str, value: Any = None) -> Parameter:
        """Return the constant ``prefix + name``; create it from `value` if it does not exist.

        Parameters
        ----------
        name : str
        value : array-like, optional, of any shape and dtype
            Must equal the value of an existing constant.

        Returns
        -------
        Constant

        Raises
        ------
        KeyError
            If the constant does not exist and no `value` is given.
        ArgumentError
            If it has another value, or the name is that of a parameter.

        Examples
        --------
        >>> from gluon import ParameterDict
        >>> ParameterDict("net_").get_constant("scale", [1, 2])
        Constant net_scale (shape=(2,), dtype=<class 'numpy.float32'>)
        """
        name = self._prefix + name
        found = self._find(name)
        if found is None:
            if value is None:
                raise MissingKeyError(
                    f"the constant {name!r} does not exist; give its value to create it"
                )
            found = self._params[name] = Constant(name, value)
        elif not isinstance(found, Constant):
            raise ArgumentError(f"{name!r} is a parameter, not a constant; give another name")
        elif value is not None and not np.array_equal(
            *(on_host(one.value.raw) for one in (Constant(name, value), found))
        ):
            raise ArgumentError(f"the constant {name!r} exists with another value")
        return found

    def update(self, other: ParameterDict) -> None:
        """Add all parameters of `other`.

        Parameters
        ----------
        other : ParameterDict

        Raises
        ------
        ArgumentError
            If a name is taken by another parameter.

        Examples
        --------
        >>> from gluon import nn
        >>> params = nn.Dense(2, prefix="first_").collect_params()
        >>> params.update(nn.Dense(2, prefix="second_").collect_params())
        >>> list(params)
        ['first_weight', 'first_bias', 'second_weight', 'second_bias']
        """
        for name, one in other.items():
            if self._params.setdefault(name, one) is not one:
                raise ArgumentError(
                    f"two different parameters are called {name!r}; give the blocks"
                    " different prefixes, or make them inside name_scope()"
                )

    def initialize(
        self,
        init: InitLike = None,
        ctx: Contexts = None,
        verbose: bool = False,
        force_reinit: bool = False,
    ) -> None:
        """Initialize every parameter; see `Parameter.initialize`.

        Parameters
        ----------
        init : str or Initializer, optional
            For parameters without their own initializer; ``Uniform(0.07)`` by default.
        ctx : Context or list of Context, optional
        verbose : bool, default False
            Log, at the level INFO, what is initialized and how.
        force_reinit : bool, default False
        """
        if verbose:
            made = initializer.create(initializer.Uniform() if init is None else init)
            init = made.set_verbosity(True)
        for one in self.values():
            one.initialize(None, ctx, init, force_reinit)

    def zero_grad(self) -> None:
        """Set all gradients to 0.

        Examples
        --------
        >>> from gluon import autograd, nn, nd
        >>> layer = nn.Dense(1, in_units=2)
        >>> layer.initialize()
        >>> with autograd.record():
        ...     y = layer(nd.ones((1, 2)))
        >>> y.backward()
        >>> layer.collect_params().zero_grad()
        >>> layer.weight.grad().asnumpy()
        array([[0., 0.]], dtype=float32)
        """
        for one in self.values():
            one.zero_grad()

    def reset_ctx(self, ctx: Contexts) -> None:
        """Move all parameters to other contexts.

        Parameters
        ----------
        ctx : Context or list of Context

        Raises
        ------
        ArgumentError
            If a parameter has never been initialized.

        Examples
        --------
        >>> from gluon import cpu, nn
        >>> layer = nn.Dense(1, in_units=2)
        >>> layer.initialize()
        >>> layer.collect_params().reset_ctx([cpu(0), cpu(1)])
        >>> layer.collect_params().list_ctx()
        [cpu(0), cpu(1)]
        """
        for one in self.values():
            one.reset_ctx(ctx)

    def list_ctx(self) -> list[Context]:
        """The contexts of all parameters.

        Returns
        -------
        list of Context

        Examples
        --------
        >>> from gluon import cpu, nn
        >>> layer = nn.Dense(1, in_units=2)
        >>> layer.initialize(ctx=cpu(1))
        >>> layer.collect_params().list_ctx()
        [cpu(1)]
        """
        return list(dict.fromkeys(ctx for one in self.values() for ctx in one.list_ctx()))

    def setattr(self, name: str, value: Any) -> None:
        """Set an attribute, such as ``grad_req`` or ``lr_mult``, of every parameter.

        Parameters
        ----------
        name : str
        value : object

        Raises
        ------
        MissingNameError
            If parameters have no such attribute, but one with nearly this name.

        Examples
        --------
        >>> from gluon import nn
        >>> layer = nn.Dense(1, in_units=2)
        >>> layer.collect_params(".*weight").setattr("lr_mult", 0.1)
        >>> layer.weight.lr_mult, layer.bias.lr_mult
        (0.1, 1.0)
        """
        for one in self.values():
            if not hasattr(one, name) and (hint := meant(name, dir(one))):
                raise MissingNameError(f"setattr: {one.whose} has no attribute {name!r}{hint}")
            setattr(one, name, value)

    def save(self, filename: str, strip_prefix: str = "") -> None:
        """Save the values of all parameters, under their names, to a file that MXNet can read.

        Parameters
        ----------
        filename : str
        strip_prefix : str, default ''
            The prefix to remove from the names.

        Raises
        ------
        ArgumentError
            If a name does not start with `strip_prefix`.

        Examples
        --------
        >>> import tempfile
        >>> from gluon import nd, nn
        >>> layer = nn.Dense(1, in_units=2, prefix="out_")
        >>> layer.initialize()
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     layer.collect_params().save(f"{folder}/out.params", strip_prefix="out_")
        ...     sorted(nd.load(f"{folder}/out.params"))
        ['bias', 'weight']
        """
        check_prefix(self, strip_prefix, "strip_prefix")
        saved = {name[len(strip_prefix) :]: averaged(one) for name, one in self.items()}
        save_arrays(filename, saved)

    def load(
        self,
        filename: str,
        ctx: Contexts = None,
        allow_missing: bool = False,
        ignore_extra: bool = False,
        restore_prefix: str = "",
        cast_dtype: bool = False,
        dtype_source: str = "current",
    ) -> None:
        """Load the values of parameters from a file of `save` or MXNet.

        Parameters
        ----------
        filename : str
        ctx : Context or list of Context, optional
            Where to put parameters that are not initialized; ``cpu(0)`` by default.
        allow_missing, ignore_extra : bool, default False
            Whether parameters may be missing in the file, or the file may have others.
        restore_prefix : str, default ''
            The prefix to add to the names in the file.
        cast_dtype : bool, default False
            Whether dtypes may differ.
        dtype_source : {'current', 'saved'}
            Which dtype to keep if they differ: that of the parameter, or the saved one.

        Raises
        ------
        ArgumentError
            If names, shapes or dtypes do not fit.

        Examples
        --------
        >>> import tempfile
        >>> from gluon import nn
        >>> layer = nn.Dense(1, in_units=2, prefix="out_", weight_initializer="ones")
        >>> layer.initialize()
        >>> other = nn.Dense(1, in_units=2, prefix="other_")
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     layer.collect_params().save(f"{folder}/out.params", strip_prefix="out_")
        ...     other.collect_params().load(f"{folder}/out.params", restore_prefix="other_")
        >>> other.weight.data().asnumpy()
        array([[1., 1.]], dtype=float32)
        """
        check_prefix(self, restore_prefix, "restore_prefix")
        self.load_dict(
            read(filename),
            ctx,
            allow_missing,
            ignore_extra,
            restore_prefix,
            filename,
            cast_dtype,
            dtype_source,
        )

    def load_dict(
        self,
        param_dict: dict[str, NDArray],
        ctx: Contexts = None,
        allow_missing: bool = False,
        ignore_extra: bool = False,
        restore_prefix: str = "",
        filename: str | None = None,
        cast_dtype: bool = False,
        dtype_source: str = "current",
    ) -> None:
        """Set the values of parameters from a dict of arrays; see `load`.

        Parameters
        ----------
        param_dict : dict of str to NDArray of the shapes of the parameters, of any dtype
            The prefixes ``arg:`` and ``aux:`` of names are removed.
        ctx : Context or list of Context, optional
            Where to put parameters that are not initialized; ``cpu(0)`` by default.
        allow_missing, ignore_extra : bool, default False
            Whether parameters may be missing in `param_dict`, or it may have others.
        restore_prefix : str, default ''
            The prefix to add to the names in `param_dict`.
        filename : str, optional
            The source of the arrays, for messages.
        cast_dtype : bool, default False
            Whether dtypes may differ.
        dtype_source : {'current', 'saved'}
            Which dtype to keep if they differ: that of the parameter, or the saved one.

        Raises
        ------
        ArgumentError
            If names, shapes or dtypes do not fit.

        Examples
        --------
        >>> from gluon import ParameterDict, nd
        >>> params = ParameterDict("net_")
        >>> weight = params.get("w", shape=(2,))
        >>> params.load_dict({"w": nd.array([1, 2])}, restore_prefix="net_")
        >>> weight.data().asnumpy()
        array([1., 2.], dtype=float32)
        """
        saved = {restore_prefix + name: one for name, one in plain(param_dict).items()}
        fill(
            self._params,
            saved,
            filename or "param_dict",
            allow_missing,
            ignore_extra,
            (ctx, cast_dtype, dtype_source),
        )


def check_prefix(params: ParameterDict, prefix: str, argument: str) -> None:
    """Raise unless all names start with `prefix`."""
    for name in params:
        if not name.startswith(prefix):
            raise ArgumentError(
                f"{argument}={prefix!r}, but the name of {params[name].whose} does not start"
                " with it"
            )


def averaged(parameter: Parameter) -> NDArray:
    """The values of a parameter, the mean of several replicas."""
    raw = parameter._average()
    if parameter._stype == "row_sparse":
        return seat(all_rows(raw))
    return wrap(chosen_class(), raw)


def read(filename: str) -> dict[str, NDArray]:
    """The arrays in a file by name, without the ``arg:`` and ``aux:`` of MXNet's checkpoints."""
    found = load_arrays(filename)
    if not found:
        return {}
    if not isinstance(found, dict):
        raise ArgumentError(f"{filename} holds a list of arrays without names, not parameters")
    return plain(found)


def plain(arrays: dict[str, NDArray]) -> dict[str, NDArray]:
    """`arrays` without the prefixes ``arg:`` and ``aux:`` of names."""
    return {name.removeprefix("arg:").removeprefix("aux:"): one for name, one in arrays.items()}


def fill(
    params: dict[str, Parameter],
    saved: dict[str, NDArray],
    filename: str,
    allow_missing: bool,
    ignore_extra: bool,
    how: tuple[Any, ...],
) -> None:
    """Load `saved` into `params` by name, after checking that all of it fits.

    `how` are the further arguments of `Parameter._load_init`.
    """
    known = {id(params[name]) for name in saved if name in params}
    missing = [name for name, one in params.items() if id(one) not in known]
    other = _other_prefix(list(saved), list(params)) if missing and not known else ""
    if saved and missing and not known and allow_missing and ignore_extra:
        told = f"it has {listed(list(saved))}, and the parameters are {listed(missing)}{other}"
        warn_caller(f"{filename}: nothing is loaded: {told}")
    extra = [name for name in saved if name not in params]
    if missing and not allow_missing:
        raise ArgumentError(
            f"{filename} has no values for {listed(missing)}; it has {listed(list(saved))}."
            f"{other or _way_out(saved, missing)}"
        )
    if extra and not ignore_extra:
        raise ArgumentError(
            f"{filename} has values for {listed(extra)}, which are not parameters here:"
            f" {listed(list(params))}. Load it into the same network, or pass ignore_extra=True"
        )
    found = [(params[name], data) for name, data in saved.items() if name in params]
    shapes: dict[int, tuple] = {}
    for one, data in found:
        try:
            one._check_saved(data, *how)
        except ArgumentError as error:
            raise ArgumentError(f"{filename}: {error}") from None
        if shapes.setdefault(id(one), data.shape) != data.shape:
            raise ArgumentError(
                f"{filename}: it has {one.whose} twice, with the shapes {shapes[id(one)]} and"
                f" {data.shape}"
            )
    for one, data in found:
        one._load_init(data, *how)


def _way_out(saved: Collection[str], missing: Collection[str]) -> str:
    """What to say if the `missing` parameters are not among the `saved` names."""
    dotted, underscored = all("." in name for name in missing), all("_" in name for name in saved)
    if dotted and underscored and not any("." in name for name in saved):
        return (
            " A file of export() loads with SymbolBlock.imports(symbol_file, input_names,"
            " param_file)"
        )
    return " Load it into the same network, or pass allow_missing=True"


def _other_prefix(saved: list[str], names: list[str]) -> str:
    """What to say if two lists of names differ in their prefix only; nothing if they do not."""
    kinds = [[name.rpartition("_")[2] for name in each] for each in (saved, names)]
    if kinds[0] != kinds[1] or not all("_" in name for name in (*saved, *names)):
        return ""
    return (
        " The names differ in their prefixes, which count the layers of a program: save and load by"
        " net.save_parameters(filename) and net.load_parameters(filename), which leave them out, or"
        " make both networks with the same prefix="
    )


def listed(names: list[str]) -> str:
    """The first of some names."""
    return ", ".join(names[:4]) + (f", ... ({len(names)})" if len(names) > 4 else "")


def _apart(params: ParameterDict) -> tuple[list[tuple[str, Any]], Any]:
    """The values that are differentiated, as those of a dict."""
    names = [name for name, one in params.items() if one.grad_req != "null"]
    return [(f"[{name!r}]", params[name].data()) for name in names], tuple(names)


#: As a tree it is the dict of the arrays that are learned; what is made of it is a plain dict.
KINDS[ParameterDict] = Kind(_apart, lambda names, parts: dict(zip(names, parts)))
