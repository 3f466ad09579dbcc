"""Tests of very many small cases: each test runs a group of them, and names all that fail.

A test costs pytest about a millisecond, more than most such cases take.
"""

from __future__ import annotations

import inspect
from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import Any

import pytest

#: How many cases a group has where nothing else is said.
SIZE = 50


def each(
    argnames: str,
    cases: Iterable[Any],
    by: Callable[..., Any] | None = None,
    few: int | None = None,
    size: int = SIZE,
    together: int = 1,
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Run a test with each of `cases`, a group of them in one test.

    Parameters
    ----------
    argnames : str
        As for ``pytest.mark.parametrize``; the other arguments of the test are fixtures, which the
        cases of a group share.
    cases : iterable
        The value of the argument, or a tuple of their values.
    by : callable, optional
        ``by(*case)`` gives the name of the group; otherwise `size` cases in a row are one.
    few : int, optional
        How many cases of each group a quick run takes; the others are marked slow.
    size : int, default 50
        See `by`.
    together : int, default 1
        How many groups in a row one test runs; its name has all of theirs.

    Returns
    -------
    callable
        A decorator of the test.
    """
    names = argnames.split(", ")
    groups: dict[str, list[tuple]] = defaultdict(list)
    for place, case in enumerate(cases):
        values = case if len(names) > 1 else (case,)
        groups[str(by(*values)) if by else f"from {place // size * size}"].append(values)
    params = []
    for start in range(0, len(groups), together):
        some = dict([*groups.items()][start : start + together])
        first, rest = ([case for one in some.values() for case in one[part]] for part in parts(few))
        name = " ".join(some)
        params.append(pytest.param(first, id=name))
        if rest:
            params.append(pytest.param(rest, id=f"{name}, others", marks=pytest.mark.slow))

    def decorate(test: Callable[..., None]) -> Callable[..., None]:
        def run(_cases: list[tuple], **fixtures: Any) -> None:
            failed = [
                f"{', '.join(map(shown, case))}\n{failure}"
                for case in _cases
                if (failure := failure_of(test, fixtures | dict(zip(names, case))))
            ]
            if failed:
                head = f"{len(failed)} of {len(_cases)} cases failed:\n\n"
                pytest.fail(head + "\n\n".join(failed), pytrace=False)

        run.__name__, run.__doc__, run.__module__ = test.__name__, test.__doc__, test.__module__
        run.__signature__ = with_cases(test, names)  # type: ignore[attr-defined]
        run.pytestmark = list(getattr(test, "pytestmark", ()))  # type: ignore[attr-defined]
        return pytest.mark.parametrize("_cases", params)(run)

    return decorate


def parts(few: int | None) -> tuple[slice, slice]:
    """The parts of a group: a few cases, and the others; all and none where it has one part."""
    return slice(few), slice(few, None) if few else slice(0)


def with_cases(test: Callable[..., None], names: list[str]) -> inspect.Signature:
    """The signature of `test` with the cases of a group in place of `names`."""
    given = inspect.signature(test).parameters
    assert set(names) <= set(given), f"{test.__name__} takes {', '.join(given)}"
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    fixtures = [one for name, one in given.items() if name not in names]
    return inspect.Signature([inspect.Parameter("_cases", kind), *fixtures])


def failure_of(test: Callable[..., None], arguments: dict[str, Any]) -> str | None:
    """Why `test` fails, with the lines that led there; None if it passes."""
    try:
        test(**arguments)
    except pytest.skip.Exception:
        return "it skips itself, and would hide the cases after it: leave it out of the cases"
    except (Exception, pytest.fail.Exception) as error:
        info = pytest.ExceptionInfo.from_exception(error)
        info.traceback = type(info.traceback)(info.traceback[1:])  # without this function
        return str(info.getrepr(style="short"))
    return None


def shown(value: Any) -> str:
    return getattr(value, "__name__", None) or str(value)
