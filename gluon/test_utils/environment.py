"""Properties of the machine, and temporary environment changes, for tests."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, suppress
from io import UnsupportedOperation
from typing import Any

from .._core.arrays import Context, current_context, num_gpus
from .._core.arrays.context import set_default_context
from .._core.errors import ArgumentError
from .._core.runtime import Features

__all__ = [
    "EnvManager",
    "default_context",
    "discard_stderr",
    "environment",
    "has_tvm_ops",
    "is_aarch64_run",
    "is_cd_run",
    "is_op_runnable",
    "list_gpus",
    "set_default_context",
    "set_env_var",
]


def default_context() -> Context:
    """The context of the innermost ``with`` block, or the one set by `set_default_context`.

    Examples
    --------
    >>> from gluon import test_utils
    >>> test_utils.default_context()
    cpu(0)
    """
    return current_context()


def list_gpus() -> range:
    """The indices of the available GPUs: none, ``range(0)``.

    Examples
    --------
    >>> from gluon import test_utils
    >>> list(test_utils.list_gpus())
    []
    """
    return range(num_gpus())


def is_cd_run() -> bool:
    """Whether the environment variable ``CD_JOB`` is 1.

    Examples
    --------
    >>> from gluon import test_utils
    >>> with test_utils.EnvManager("CD_JOB", "1"):
    ...     test_utils.is_cd_run()
    True
    """
    return os.environ.get("CD_JOB") == "1"


def is_aarch64_run() -> bool:
    """Whether the processor is a 64-bit ARM.

    Examples
    --------
    >>> import platform
    >>> from gluon import test_utils
    >>> test_utils.is_aarch64_run() == (platform.machine() == "aarch64")
    True
    """
    return platform.machine() == "aarch64"


def has_tvm_ops() -> bool:
    """Whether there are operators compiled by TVM: False.

    Examples
    --------
    >>> from gluon import test_utils
    >>> test_utils.has_tvm_ops()
    False
    """
    return Features().is_enabled("TVM_OP")


def is_op_runnable() -> bool:
    """Whether the operators run in the current context: True, as in every build without TVM.

    Examples
    --------
    >>> from gluon import test_utils
    >>> test_utils.is_op_runnable()
    True
    """
    return True


@contextmanager
def environment(*args: Any) -> Iterator[None]:
    """Set environment variables in a ``with`` block.

    Examples
    --------
    >>> import os
    >>> from gluon import test_utils
    >>> with test_utils.environment("MXNET_TEST_SEED", "7"):
    ...     os.environ["MXNET_TEST_SEED"]
    '7'
    >>> "MXNET_TEST_SEED" in os.environ
    False
    """
    if len(args) == 1 and isinstance(args[0], Mapping):
        wanted = dict(args[0])
    elif len(args) == 2:
        wanted = {args[0]: args[1]}
    else:
        raise ArgumentError("environment takes a name and a value, or one dict of them")
    before = {name: os.environ.get(name) for name in wanted}
    try:
        _set(wanted)
        yield
    finally:
        _set(before)


def _set(values: Mapping[str, str | None]) -> None:
    for name, value in values.items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value


def EnvManager(key: str, val: str | None) -> AbstractContextManager[None]:  # noqa: N802, RUF100
    """Set one environment variable in a ``with`` block: `environment`, as MXNet 1.6 called it.

    Examples
    --------
    >>> import os
    >>> from gluon import test_utils
    >>> with test_utils.EnvManager("GREETING", "hello"):
    ...     os.environ["GREETING"]
    'hello'
    >>> "GREETING" in os.environ
    False
    """
    return environment(key, val)


def set_env_var(key: str, val: str, default_val: str = "") -> str:
    """Set an environment variable.

    Examples
    --------
    >>> import os
    >>> from gluon import test_utils
    >>> test_utils.set_env_var("GREETING", "hello", "none")
    'none'
    >>> os.environ.pop("GREETING")
    'hello'
    """
    before = os.environ.get(key, default_val)
    os.environ[key] = val
    return before


@contextmanager
def discard_stderr() -> Iterator[None]:
    """Discard output to standard error in a ``with`` block, from Python or C.

    Examples
    --------
    >>> import sys
    >>> from gluon import test_utils
    >>> with test_utils.discard_stderr():
    ...     _ = sys.stderr.write("nobody reads this")
    """
    descriptor = None
    # replaced by an object without a file descriptor
    with suppress(AttributeError, UnsupportedOperation):
        descriptor = sys.stderr.fileno()
    if descriptor is None:
        yield
        return
    sys.stderr.flush()
    before = os.dup(descriptor)
    try:
        with open(os.devnull, "w") as nowhere:
            os.dup2(nowhere.fileno(), descriptor)
        yield
    finally:
        sys.stderr.flush()
        os.dup2(before, descriptor)
        os.close(before)
