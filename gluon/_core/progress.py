"""Progress bars: of tqdm if it is installed, otherwise lines of text."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeVar

from .hints.lookup import hinting
from .mpi import groups as mpi

__all__ = ["Lines", "bar", "tracked"]

Item = TypeVar("Item")


def bar(total: int | None = None, desc: str = "", unit: str = "it", **options: Any) -> Any:
    """A progress bar, to be used in a ``with`` statement or closed.

    Of several processes started by ``mpiexec``, only the first shows it.

    Parameters
    ----------
    total : int, optional
        The total amount, if known.
    desc : str, optional
        The text in front of the bar.
    unit : str, default 'it'
        The name of the counted items.
    **options
        For ``tqdm.tqdm``, such as ``file`` or ``mininterval``, in seconds.

    Returns
    -------
    tqdm.tqdm or Lines
        Either has ``update(n)``, ``set_postfix(...)`` and ``close()``.

    Examples
    --------
    >>> import io
    >>> from gluon import progress
    >>> with progress.bar(10, "reading", "file", file=io.StringIO()) as reading:
    ...     for _ in range(10):
    ...         _ = reading.update()
    >>> reading.n
    10
    """
    options.setdefault("disable", not mpi.is_first())
    try:
        tqdm = import_module("tqdm.auto").tqdm
    except ImportError:
        return Lines(total, desc, unit, **options)
    return tqdm(total=total, desc=desc or None, unit=unit, **options)


def tracked(
    items: Iterable[Item],
    total: int | None = None,
    desc: str = "",
    unit: str = "it",
    after: float = 2.0,
) -> Iterator[Item]:
    """Iterate with a progress bar, shown for long iterations on a terminal or in a notebook.

    Parameters
    ----------
    items : iterable
    total : int, optional
        The number of items, if known.
    desc, unit : str, optional
        As for `bar`.
    after : float, default 2
        Show the bar after this many seconds.

    Yields
    ------
    object
        Each item; it is counted as done when the next one is requested.

    Examples
    --------
    >>> from gluon import progress
    >>> [x * x for x in progress.tracked(range(4), 4, "squaring")]
    [0, 1, 4, 9]
    """
    start, shown = time.monotonic(), None
    try:
        for done, item in enumerate(items, 1):
            yield item
            if shown is not None:
                shown.update()
            elif time.monotonic() - start > after and _is_watched():
                shown = bar(total, desc, unit, initial=done)
    finally:
        if shown is not None:
            shown.close()


def _is_watched() -> bool:
    """Whether somebody reads standard error: neither a file nor a pipe."""
    return "ipykernel" in sys.modules or (sys.stderr is not None and sys.stderr.isatty())


class Lines:
    """The progress bar without tqdm: prints lines of text.

    Parameters
    ----------
    total : int, optional
    desc, unit : str, optional
        As for `bar`.
    file : file, optional
        Where to write to; standard error by default.
    mininterval : float, default 10
        The least number of seconds between two lines.
    initial : int, default 0
        The amount already done.
    disable : bool, default False
        Write nothing.
    **options
        tqdm's other options; ignored.

    Examples
    --------
    >>> import sys
    >>> from gluon.progress import Lines
    >>> with Lines(10, "reading", "file", file=sys.stdout, mininterval=0) as bar:
    ...     bar.set_postfix({"errors": 1})
    ...     bar.update(4)
    ...     bar.update(6)
    reading: 40% (4/10 file), 0 s, errors=1
    reading: 100% (10/10 file), 0 s, errors=1
    """

    __module__ = "gluon.progress"  # the public path, which users see
    desc: str
    n: int
    total: int | None
    unit: str

    def __init__(
        self,
        total: int | None = None,
        desc: str = "",
        unit: str = "it",
        file: Any = None,
        mininterval: float = 10.0,
        initial: int = 0,
        disable: bool = False,
        **options: Any,
    ) -> None:
        self.total, self.desc, self.unit, self.n = total, desc, unit, initial
        self._file, self._interval = file or sys.stderr, mininterval
        self._start = self._said = time.monotonic()
        self._shown, self._silent = -1, disable
        self._postfix = ""

    def update(self, n: int = 1) -> None:
        """Add `n` to the amount done.

        Parameters
        ----------
        n : int, default 1
        """
        self.n += n
        if time.monotonic() - self._said >= self._interval:
            self._say()

    def set_postfix(
        self, ordered_dict: Mapping[str, Any] | None = None, refresh: bool = True, **values: Any
    ) -> None:
        """Show values at the end of lines.

        Parameters
        ----------
        ordered_dict : dict, optional
        refresh : bool, default True
            Ignored; tqdm has it.
        **values
            More of them.
        """
        shown = {**(ordered_dict or {}), **values}
        self._postfix = "".join(f", {name}={value}" for name, value in shown.items())

    def close(self) -> None:
        """Write the last line, unless it was already written.

        Examples
        --------
        >>> import sys
        >>> from gluon.progress import Lines
        >>> bar = Lines(2, "reading", file=sys.stdout, mininterval=100)
        >>> bar.update(2)
        >>> bar.close()
        reading: 100% (2/2 it), 0 s
        """
        if self.n != self._shown:
            self._say()

    def _say(self) -> None:
        if self._silent:
            return
        now = time.monotonic()
        done = f"{self.n} {self.unit}"
        if self.total:
            done = f"{self.n / self.total:.0%} ({self.n}/{self.total} {self.unit})"
        name = f"{self.desc}: " if self.desc else ""
        line = f"{name}{done}, {now - self._start:.0f} s{self._postfix}"
        print(line, file=self._file, flush=True)
        self._said, self._shown = now, self.n

    def __enter__(self) -> Lines:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()


if not TYPE_CHECKING:  # where a wrong name is to be reported
    __getattr__ = hinting("gluon.progress", __all__)
