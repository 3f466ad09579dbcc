"""``mxnet.util`` and ``mxnet.autograd``: the scopes behind ``np_shape``, ``record`` and others."""

from __future__ import annotations

from typing import Any

from ... import autograd, util
from ..._core.errors import ArgumentError


class _Switch:
    """Context manager that sets a value and restores it."""

    def __init__(self, wanted: bool | None) -> None:
        self._wanted, self._before = wanted, None

    def _set(self, wanted: Any) -> Any:
        raise NotImplementedError

    def __enter__(self) -> None:
        if self._wanted is not None:
            self._before = self._set(self._wanted)

    def __exit__(self, *exc: object) -> None:
        if self._wanted is not None and self._before != self._wanted:
            self._set(self._before)


class _NumpyShapeScope(_Switch):
    """Context manager that sets whether NumPy's shapes are on."""

    def _set(self, wanted: Any) -> Any:
        return util.set_np_shape(wanted)


class _NumpyArrayScope(_Switch):
    """Context manager that sets whether Gluon creates arrays of ``mx.np``."""

    def _set(self, wanted: Any) -> Any:
        return _set_np_array(wanted)


def _set_np_array(active: bool) -> bool:
    """Set whether Gluon creates arrays of ``mx.np``, and return the value before."""
    before = util.is_np_array()
    util.set_np(shape=bool(active) or util.is_np_shape(), array=bool(active))
    return before


class _RecordingStateScope:
    """Context manager that sets recording and training mode; None leaves one unchanged."""

    def __init__(self, is_record: bool | None, train_mode: bool | None) -> None:
        self._wanted = is_record, train_mode
        self._entered: list[Any] = []

    def __enter__(self) -> None:
        record, train = self._wanted
        scopes = []
        if record is not None:
            inside = autograd.is_training() if train is None else train
            scopes.append((autograd.record if record else autograd.pause)(inside))
        elif train is not None:
            scopes.append((autograd.train_mode if train else autograd.predict_mode)())
        for one in scopes:
            one.__enter__()
        self._entered = scopes

    def __exit__(self, *exc: Any) -> None:
        while self._entered:
            self._entered.pop().__exit__(*exc)


def _sanity_check_params(
    func_name: str, unsupported_params: Any, param_dict: dict[str, Any]
) -> None:
    """Raise NotImplementedError if an unsupported argument is given."""
    for name in unsupported_params:
        if name in param_dict:
            raise NotImplementedError(f"{func_name}: the argument {name!r} is not supported")


def _parse_head(heads: Any, head_grads: Any) -> tuple[list, list]:
    """Return heads and their gradients as two lists; None means ones."""
    heads = heads if isinstance(heads, (list, tuple)) else [heads]
    if head_grads is None:
        return list(heads), [None] * len(heads)
    grads = head_grads if isinstance(head_grads, (list, tuple)) else [head_grads]
    if len(grads) != len(heads):
        raise ArgumentError(f"{len(heads)} heads but {len(grads)} gradients of heads")
    return list(heads), list(grads)
