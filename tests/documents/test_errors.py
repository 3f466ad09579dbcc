"""The pages of errors: each entry raises its error, and each message of gluon has an entry."""

from __future__ import annotations

import contextlib
import functools
import io
import re
import textwrap
import warnings
from pathlib import Path
from typing import NamedTuple

import pytest

import gluon
from gluon._core import errors
from gluon.block import naming
from tests.documents import messages
from tests.documents.messages import messages as read_messages
from tests.printed import same

PAGES = Path(__file__).resolve().parents[2] / "docs" / "errors"
TEXT = (PAGES / "index.md").read_text(encoding="utf-8")
PREAMBLE = re.search(r"examples begin with these lines:\n\n```python\n(.*?)```", TEXT, re.S)[1]

#: Messages without an entry, each with the reason.
INTERNAL = {
    "gradient rules for": "raised while an operator of gluon is defined",
    "there is an operator of this name already": "raised while an operator of gluon is defined",
    "a gradient rule asks for": "raised while an operator of gluon is defined",
    "a rule takes": "raised while an operator of gluon is defined",
    "copyMakeBorder: …": "adds its name to what a kernel said, which has an entry",
    "sample_multinomial: …": "adds its name to what a kernel said, which has an entry",
    "pack_img: …": "adds its name to what a kernel said, which has an entry",
    "changed the form of an": "an action of a jitted step that gives a weight another shape",
    "Generator test fails": "what a check of gluon.test_utils reports, not a misuse",
}


class Entry(NamedTuple):
    title: str
    code: str
    printed: str
    words: list[str]


def entry(text: str) -> Entry:
    """Return the entry with this text; its parts are in the common order."""
    form = (
        r"(?P<title>.+)\n\n```python\n(?P<code>.+?)```\n\n```text\n(?P<printed>.+?)```\n\n"
        r"Cause\n: .+?\n\nFix\n: .+?\n\n<!-- Messages:\n(?P<words>(?:(?!-->).)+)-->\s*\Z"
    )
    found = re.fullmatch(form, text, re.S)
    assert found, f"not in the form of an entry: {text[:60]!r}"
    words = re.findall(r"`([^`]+)`", found["words"])
    return Entry(found["title"].strip(), found["code"], found["printed"], words)


ENTRIES = [
    entry(text)
    for page in sorted(PAGES.glob("*.md"))
    if page.name != "index.md"
    for text in re.split(r"^## ", page.read_text(encoding="utf-8"), flags=re.M)[1:]
]


@functools.cache
def pattern(words: str) -> re.Pattern:
    return re.compile(".*".join(map(re.escape, words.split(messages.GAP))))


def says(words: str, text: str) -> bool:
    """Whether `text` contains `words`, where an ellipsis matches anything."""
    return bool(pattern(words).search(text))


def tidy(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.title)
def test_each_entry_is_brought_about(entry, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(naming.ROOT, "_counts", {})  # the first Dense is dense0
    monkeypatch.setattr(gluon.operator, "REGISTERED", registered := {})
    monkeypatch.setattr("gluon.nd.custom.REGISTERED", registered)  # whatever other tests registered
    gluon.random.seed(0)
    namespace: dict = {}
    exec(PREAMBLE, namespace)
    with contextlib.redirect_stdout(io.StringIO()) as out, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # as in a program, where they are not errors
        try:
            exec(compile(entry.code, "<page>", "exec"), namespace)
        except Exception as error:
            print(f"{type(error).__name__}: {error}")
            kind = type(error)
        else:
            pytest.fail("nothing was raised")
    printed = out.getvalue().replace(str(tmp_path), ".")
    assert same(tidy(entry.printed), tidy(printed)), printed
    assert issubclass(kind, (errors.GluonError, NotImplementedError))
    assert any(says(words, tidy(printed)) for words in entry.words)


def test_every_class_of_error_stands_in_the_table():
    def below(kind: type) -> set[type]:
        return {kind}.union(*(below(one) for one in kind.__subclasses__()))

    import gluon._hook.errors  # has classes of its own
    import gluon.megengine.helpers.hub
    import gluon.megengine.helpers.tracing
    import gluon.mxnet.helpers.bindings  # noqa: F401  (as well)

    ours = {k for k in below(errors.GluonError) if k.__module__.startswith("gluon")}
    public = {kind.__name__ for kind in ours if not kind.__name__.startswith("_")}
    assert len(public) > 10
    rows = re.findall(r"^\| (`\w+Error`.*?|`(?:Worker|Not)\w+`.*?) \| (.+?) \| .+ \|$", TEXT, re.M)
    table = {
        name: re.findall(r"`([\w.]+)`", bases)
        for k, bases in rows
        for name in re.findall(r"`(\w+)`", k)
    }
    assert set(table) == public
    for kind in ours:
        for base in table.get(kind.__name__, []):
            assert base.split(".")[-1] in {one.__name__ for one in kind.__mro__}


def speaks(message: messages.Message) -> bool:
    """Whether a message has text of its own, besides that of another error."""
    return len(re.findall(r"[a-z]{3,}", message.text)) >= 2


@pytest.mark.slow
def test_every_message_has_an_entry():
    assert len(read_messages()) > 900  # otherwise the source is not read
    words = [w for entry in ENTRIES for w in entry.words] + list(INTERNAL)
    alone = [m for m in read_messages() if speaks(m) and not any(says(w, m.text) for w in words)]
    assert not alone, "\n".join(f"{m.place} {m.kind}: {m.text}" for m in alone)


@pytest.mark.slow
def test_no_words_are_left_of_messages_that_are_gone():
    gone = {
        (entry.title, words)
        for entry in ENTRIES
        for words in entry.words
        if not says(words, tidy(entry.printed))
        and not any(says(words, m.text) for m in read_messages())
    }
    assert not gone
    assert not {w for w in INTERNAL if not any(says(w, m.text) for m in read_messages())}


@pytest.mark.slow
def test_words_tell_messages_apart():
    """Patterns that match many messages would make the test above meaningless."""
    for entry in ENTRIES:
        for words in entry.words:
            assert sum(says(words, m.text) for m in read_messages()) <= 40, (entry.title, words)
            assert len(re.findall(r"\w", words)) >= 4, (entry.title, words)


def test_the_reader_of_the_source_sees_every_form_of_a_message():
    source = textwrap.dedent(
        """
        REASON = "it is planned"

        class Own(ValueError):
            pass

        def f(x, many):
            what = "several" if many else "one"
            if x == 1:
                raise ValueError(f"f: x={x} is {what} too " "far")
            if x == 2:
                raise Own(REASON)
            return TypeError("{} is no {}".format(x, many) + "; stop")
        """
    )
    found = messages.read(source, "f.py")
    assert [m.text for m in found] == [
        "f: x=… is … too far",
        "it is planned",
        "… is no …; stop",
    ]
    assert [m.kind for m in found] == ["ValueError", "Own", "TypeError"]
