"""Ask pyright's language server what editors ask it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from types import TracebackType
from typing import Any


class LanguageServer:
    """A process that reads and writes JSON-RPC, in a folder.

    Parameters
    ----------
    folder : Path
        Where the files are that editors have open.
    settings : dict of str to str
        Variables of the environment.
    """

    def __init__(self, folder: Path, settings: dict[str, str]) -> None:
        self.folder, self._asked = folder, 0
        self._process = subprocess.Popen(
            [sys.executable, "-m", "pyright.langserver", "--stdio"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=settings,
        )

    def __enter__(self) -> LanguageServer:
        hover = {"contentFormat": ["plaintext"]}
        root = {"uri": self.folder.as_uri(), "name": self.folder.name}
        about = {"capabilities": {"textDocument": {"hover": hover}}, "workspaceFolders": [root]}
        self._ask("initialize", {"processId": os.getpid(), "rootUri": root["uri"], **about})
        self._tell("initialized", {})
        return self

    def __exit__(self, kind: type | None, error: Any, traceback: TracebackType | None) -> None:
        self._process.kill()
        self._process.communicate()

    def open(self, name: str, text: str) -> str:
        """The address of a file with this text."""
        uri = (self.folder / name).as_uri()
        document = {"uri": uri, "languageId": "python", "version": 1, "text": text}
        self._tell("textDocument/didOpen", {"textDocument": document})
        return uri

    def hover(self, uri: str, line: int, column: int) -> str:
        """What is shown at a place; lines and columns count from 0."""
        shown = self._ask("textDocument/hover", _at(uri, line, column))
        return shown["contents"]["value"] if shown else ""

    def complete(self, uri: str, line: int, column: int) -> set[str]:
        """The names that are offered at a place."""
        found = self._ask("textDocument/completion", _at(uri, line, column)) or {"items": []}
        return {one["label"] for one in found["items"]}

    def _send(self, message: dict[str, Any]) -> None:
        data = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self._process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(data), data))
        self._process.stdin.flush()

    def _tell(self, method: str, parameters: dict[str, Any]) -> None:
        self._send({"method": method, "params": parameters})

    def _ask(self, method: str, parameters: dict[str, Any]) -> Any:
        self._asked += 1
        self._send({"id": self._asked, "method": method, "params": parameters})
        while True:
            found = self._read()
            if "method" not in found and found.get("id") == self._asked:
                return found.get("result")
            if "id" in found and "method" in found:  # it asks for settings: there are none
                count = len(found["params"].get("items", ()))
                self._send({"id": found["id"], "result": [{}] * count or None})

    def _read(self) -> dict[str, Any]:
        length = 0
        while line := self._process.stdout.readline().strip():
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])
        assert length, "the language server ended"
        return json.loads(self._process.stdout.read(length))


def _at(uri: str, line: int, column: int) -> dict[str, Any]:
    place = {"line": line, "character": column}
    return {"textDocument": {"uri": uri}, "position": place}
