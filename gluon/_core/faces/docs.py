"""Docstrings put together from parts."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from inspect import cleandoc
from textwrap import indent
from typing import Any

#: The indentation of a docstring in its source.
MARGIN = " " * 4
#: What follows the parameters.
_RETURNS = re.compile(r"\n\n( *)(?:Returns|Raises)\n")


def in_source(function: Callable[..., Any]) -> str:
    """The docstring of a function indented as in its source, where Python 3.13 takes that away."""
    return indent(cleandoc(function.__doc__ or ""), MARGIN).strip()


def entry(name: str, text: str, margin: str = MARGIN) -> str:
    """The lines on a parameter: its type, and on the next lines of `text` its meaning."""
    kind, *meaning = text.split("\n")
    return "\n".join([f"{margin}{name} : {kind}", *(f"{margin}    {line}" for line in meaning)])


def completed(doc: str, names: Iterable[str], known: Mapping[str, str]) -> str:
    """A docstring with the parameters among `names` that it lacks, as `known` describes them.

    What is missing follows the other parameters.
    """
    found = _RETURNS.search(doc)
    if found is None:
        return doc
    margin, head, rest = found[1], doc[: found.start()], doc[found.start() :]
    missing = [name for name in names if name in known and f"\n{margin}{name} : " not in head]
    return "\n".join([head, *(entry(name, known[name], margin) for name in missing)]) + rest


def assembled(title: str, sections: Mapping[str, str]) -> str:
    """A docstring of a summary and of sections, which may be indented as in a docstring."""
    return f"{title.rstrip('.')}.\n" + "".join(
        f"\n{MARGIN}{heading}\n{MARGIN}{'-' * len(heading)}\n{MARGIN}{text.strip()}\n"
        for heading, text in sections.items()
        if text
    )


def filled(text: str, words: Mapping[str, str]) -> str:
    """`text` with each of `words` where it has that name in braces; other braces stay."""
    for name, word in words.items():
        text = text.replace(f"{{{name}}}", word)
    return text


def example(imports: str, code: str, printed: str, rounds: bool = True) -> str:
    """An example: imports, and `code` with what it prints; rounded where the digits are many."""
    rounded = ".round(4)" if rounds and re.search(r"\.\d{4}", printed) else ""
    return indent(f">>> {imports}\n>>> {code}{rounded}\n{printed}", MARGIN).strip()
