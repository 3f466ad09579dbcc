"""Check the built site: broken links, unrendered markup, pages without a title, and so on.

``python docs/check_site.py FOLDER`` prints a line for each fault, and exits with 1 if there is one.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

#: Markup that must not be visible to readers, outside code.
UNRENDERED = {
    r"```": "a code fence",
    r"^\s*:::": "a fence of colons",
    r"\{(toctree|code-cell|figure|image|math|note|warning|auto\w+|eval-rst)\}": "a directive",
    r"(^|\s):(func|class|meth|mod|attr|ref|doc|math|exc|obj):": "a role",
    r"^\s*\.\. \w+::": "a directive",
    r"\$[^$\s]([^$\n]*[^$\s])?\$(?!\d)": "a formula",
    r"\|[ :]?-{3,}[ :]?\|": "a table",
    r"\]\((?!\s)[^)\s]*\.md[^)]*\)": "a link",
    r"<(class|function|module) |<[\w.]+ object( at \w+)?>": "a value",
}
#: Elements without an end tag.
VOID = {"br", "hr", "img", "input", "link", "meta", "col", "source", "wbr", "path", "use"}
#: Elements whose text is not prose.
CODE = {"pre", "code", "script", "style", "svg", "textarea", "title", "kbd", "samp"}
#: Inline elements.
INLINE = {"a", "abbr", "b", "code", "em", "i", "kbd", "samp", "span", "strong", "sub", "sup", "wbr"}


class Page(HTMLParser):
    """The links, anchors and text of a page.

    Parameters
    ----------
    text : str
        The HTML.
    """

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.links: list[str] = []
        self.anchors: set[str] = {"", "top"}
        self.images_without_text: list[str] = []
        self.title = ""
        self.headings = 0
        self.emphasis_in_words: list[str] = []
        self.prose: list[str] = []
        self._open: list[tuple[str, bool]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.anchors |= {given[key] for key in ("id", "name") if key in given}
        self.links += [given[key] for key in ("href", "src") if key in given]
        if tag == "img" and not given.get("alt", "").strip():
            self.images_without_text.append(given.get("src", "")[:80])
        if tag == "h1":
            self.headings += 1
        if tag not in INLINE:
            self.prose.append("\n")
        if tag not in VOID:
            # mathjax renders the text of class "math" in the browser
            code = tag in CODE or "math" in given.get("class", "").split()
            self._open.append((tag, code))

    def handle_endtag(self, tag: str) -> None:
        while self._open and tag in (name for name, _ in self._open):
            if self._open.pop()[0] == tag:
                break

    def handle_data(self, data: str) -> None:
        if self._open and self._open[-1][0] == "title" and not self.title:
            self.title = data.strip()
        if not any(code for _, code in self._open):
            before = self.prose[-1] if self.prose else ""
            in_strong = self._open and self._open[-1][0] == "strong"
            if in_strong and before[-1:].isalnum() and data[:1].isalnum():
                self.emphasis_in_words.append(before[-30:])
            self.prose.append(data)


def _inside(link: str) -> bool:
    parts = urlsplit(link)
    return not parts.scheme and not parts.netloc and bool(link)


def faults(folder: Path) -> Iterator[str]:
    """Yield the faults of the site in `folder`, one line each."""
    folder = folder.resolve()
    pages = {path: Page(path.read_text(encoding="utf-8")) for path in folder.rglob("*.html")}
    if not pages:
        yield f"{folder} contains no pages"
    for path, page in sorted(pages.items()):
        name = path.relative_to(folder).as_posix()
        yield from (f"{name}: {fault}" for fault in _faults_of(path, page, pages))


def _faults_of(path: Path, page: Page, pages: dict[Path, Page]) -> Iterator[str]:
    # filled by a script
    if not page.title or not (page.headings or "search-results" in page.anchors):
        yield "no title"
    for image in page.images_without_text:
        yield f"an image without alternative text: {image}"
    for before in page.emphasis_in_words:
        yield f"emphasis inside a word, after: {before}"
    for link in sorted(set(filter(_inside, page.links))):
        parts = urlsplit(link)
        target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
        if target.is_dir():
            target /= "index.html"
        if not target.exists():
            yield f"a broken link to {link}"
        elif target in pages and unquote(parts.fragment) not in pages[target].anchors:
            yield f"a link to {link}, a missing anchor"
    for line in "".join(page.prose).splitlines():
        for pattern, what in UNRENDERED.items():
            if re.search(pattern, line):
                yield f"{what} that was not rendered: {line.strip()[:80]}"


def main(arguments: list[str]) -> int:
    (folder,) = arguments
    found = list(faults(Path(folder)))
    print("\n".join(found))
    return bool(found)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
