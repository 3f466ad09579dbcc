"""``mxnet.gluon.block``, ``utils``, ``nn`` and ``parameter``: arguments, names, strings."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import Any

from ... import np as mx_np
from ..._core.errors import ArgumentError, DTypeError, a_type
from ...block.naming import NameScope, current_scope, named, set_scope
from ...nd import NDArray
from ...parameter import ParameterDict
from ...symbol import Symbol

#: The address of MXNet's files; ``MXNET_GLUON_REPO`` overrides it.
REPOSITORY = "https://apache-mxnet.s3-accelerate.dualstack.amazonaws.com/"


class _Current:
    """The innermost name scope of each thread, as in MXNet."""

    @property
    def value(self) -> NameScope | None:
        """The scope of the innermost ``name_scope``; None outside."""
        scope = current_scope()
        return scope if scope.prefix else None

    @value.setter
    def value(self, scope: NameScope | None) -> None:
        set_scope(scope)


class _BlockScope(NameScope):
    """The names given inside a block."""

    _current = _Current()

    def __init__(self, block: Any) -> None:
        prefix = block.prefix
        params = getattr(block, "params", None) or ParameterDict(prefix)
        super().__init__(prefix, params, silent=getattr(block, "_empty_prefix", prefix == ""))
        self._block = block

    @staticmethod
    def create(
        prefix: str | None, params: ParameterDict | None, hint: str
    ) -> tuple[str, ParameterDict]:
        """Return the prefix and the parameters of a new block."""
        scope = named(prefix, params, hint)
        return scope.prefix, scope.params


def _flatten(args: Any, inout_str: str) -> tuple[list, Any]:
    """Flatten nested arrays to a list, and return codes of the nesting.

    The code is 0 for an array, -1 for None, and the number of outputs for a symbol with several.
    """
    if args is None:
        return [None], -1
    if isinstance(args, NDArray):
        return [args], 0
    if isinstance(args, Symbol):
        count = len(args.list_outputs())
        return [args], count if count > 1 else 0
    if not isinstance(args, (list, tuple)):
        raise ArgumentError(
            f"the {inout_str} of a HybridBlock is {a_type(args)}; give arrays, None, or"
            " lists of them"
        )
    parts = [_flatten(one, inout_str) for one in args]
    return [one for flat, _ in parts for one in flat], [form for _, form in parts]


def _regroup(args: Sequence[Any], fmt: Any) -> Any:
    """Undo `_flatten`."""
    return _taken(args, fmt)[0]


def _taken(args: Any, fmt: Any) -> tuple[Any, Any]:
    """Split `args` into the part for `fmt` and the rest."""
    if not isinstance(fmt, int):
        if not isinstance(args, (list, tuple)):
            raise ArgumentError(f"{a_type(args)} cannot be regrouped; give a list")
        found = []
        for one in fmt:
            part, args = _taken(args, one)
            found.append(part)
        return found, args
    if fmt < -1:
        raise ArgumentError(f"unknown format {fmt}: -1 is None, 0 an array, more are a symbol")
    if fmt == -1 and args[0] is not None:
        raise ArgumentError(f"expected None, not {a_type(args[0])}")
    return (args[:fmt], args[fmt:]) if fmt > 0 else (args[0], args[1:])


def _gather_type_ctx_info(args: Any) -> tuple[bool, bool, set, Any]:
    """Return whether nested lists hold symbols and arrays, and the contexts of the arrays."""
    if isinstance(args, NDArray):
        return False, True, {args.ctx}, args.ctx
    if isinstance(args, Symbol):
        return True, False, set(), None
    symbols, arrays, first = False, False, None
    contexts: set[Any] = set()
    for one in args if isinstance(args, (list, tuple)) else ():
        symbol, array, inside, ctx = _gather_type_ctx_info(one)
        symbols, arrays = symbols or symbol, arrays or array
        contexts, first = contexts | inside, ctx if first is None else first
        if symbols and arrays:
            break
    return symbols, arrays, contexts, first


def _common_prefix(names: Sequence[str]) -> str:
    """Return the common prefix of names."""
    return os.path.commonprefix(list(names))  # noqa: RUF071 - of characters, as is meant


def _indent(s_: str, numSpaces: int) -> str:  # noqa: N803, RUF100
    """Indent all lines but the first."""
    return s_.replace("\n", "\n" + " " * numSpaces)


def _brief_print_list(lst: Iterable[Any], limit: int = 7) -> str:
    """Quote values; of more than `limit` omit those in the middle."""
    quoted = [f"'{one}'" for one in lst]
    if len(quoted) > limit:
        last = -(-limit // 2)
        quoted = [*quoted[: limit // 2], "...", *quoted[-last:]]
    return ", ".join(quoted)


def _check_all_np_ndarrays(out: Any) -> None:
    """Raise TypeError if nested arrays include one of `nd`."""
    if isinstance(out, (list, tuple)):
        for one in out:
            _check_all_np_ndarrays(one)
    elif isinstance(out, (NDArray, Symbol)) and not isinstance(out, mx_np.ndarray):
        raise DTypeError(
            f"the output of a block is {a_type(out)}; under use_np it is an array of np"
        )


def _check_same_symbol_type(symbols: Sequence[Any]) -> type:
    """Return the class that all symbols have."""
    if any(type(one) is not type(symbols[0]) for one in symbols):
        raise DTypeError("the symbols are of different classes")
    return type(symbols[0])


def _get_repo_url() -> str:
    """Return the address of MXNet's files, with a slash at the end."""
    return os.environ.get("MXNET_GLUON_REPO", REPOSITORY).rstrip("/") + "/"


def _get_repo_file_url(namespace: str, filename: str) -> str:
    """Return the address of a file of MXNet."""
    return f"{_get_repo_url()}{namespace}/{filename}"
