"""Record files: written and read in order, or by key."""

from __future__ import annotations

import os
import struct
from collections.abc import Callable, Iterator
from threading import Lock
from typing import Any, BinaryIO

import numpy as np

from .._core.errors import (
    ArgumentError,
    DTypeError,
    GluonError,
    MissingFileError,
    MissingKeyError,
    warn_caller,
)
from .._core.hints.called import Called

MAGIC = 0xCED7230A
SEPARATOR = struct.pack("<I", MAGIC)
WORDS = struct.Struct("<II")
#: Kinds of records; the other 29 bits of the second word are the length.
WHOLE, FIRST, MIDDLE, LAST = range(4)
LONGEST = (1 << 29) - 1


class MXRecordIO(Called):
    """Reads or writes a record file sequentially.

    Parameters
    ----------
    uri : str
        The path of the file.
    flag : {'r', 'w'}
        Read, or write a new file.

    Raises
    ------
    ArgumentError
        If `flag` is neither of these.
    MissingFileError
        If the file to read does not exist.

    Examples
    --------
    >>> import os, tempfile
    >>> from gluon import recordio
    >>> path = os.path.join(tempfile.mkdtemp(), "words.rec")
    >>> file = recordio.MXRecordIO(path, "w")
    >>> for word in (b"one", b"two"):
    ...     file.write(word)
    >>> file.close()
    >>> file = recordio.MXRecordIO(path, "r")
    >>> file.read(), file.read(), file.read()
    (b'one', b'two', None)
    """

    flag: str
    is_open: bool = False
    uri: str
    writable: bool

    def __init__(self, uri: str, flag: str) -> None:
        self.is_open = False
        self.uri, self.flag = os.fspath(uri), flag
        self.pid: int | None = None
        if flag not in ("r", "w"):
            raise ArgumentError(f"{self._who}: flag={flag!r} is neither 'r' nor 'w'")
        self.writable = flag == "w"
        self.open()

    @property
    def _who(self) -> str:
        return f"{type(self).__name__} of {self.uri!r}"

    # ---------------------------------------------------------------------- open and close

    def open(self) -> None:
        """Open the file at its start.

        Raises
        ------
        MissingFileError
            If the file to read does not exist.
        ArgumentError
            If the mode is neither reading nor writing.

        Examples
        --------
        >>> import tempfile
        >>> from gluon import recordio
        >>> path = f"{tempfile.mkdtemp()}/a.rec"
        >>> file = recordio.MXRecordIO(path, "w")
        >>> file.write(b"one")
        >>> file.write(b"two")
        >>> file.close()
        >>> file = recordio.MXRecordIO(path, "r")
        >>> file.close()
        >>> file.open()
        >>> file.read()
        b'one'
        """
        self._file: BinaryIO = opened(type(self).__name__, self.uri, self.flag + "b")
        self._lock = Lock()
        self.pid, self.is_open = os.getpid(), True

    def close(self) -> None:
        """Close the file."""
        if self.is_open:
            self.is_open, self.pid = False, None
            self._file.close()

    def reset(self) -> None:
        """Go back to the first record; a file open for writing is emptied.

        Examples
        --------
        >>> import tempfile
        >>> from gluon import recordio
        >>> path = f"{tempfile.mkdtemp()}/a.rec"
        >>> file = recordio.MXRecordIO(path, "w")
        >>> file.write(b"one")
        >>> file.write(b"two")
        >>> file.close()
        >>> file = recordio.MXRecordIO(path, "r")
        >>> file.read()
        b'one'
        >>> file.reset()
        >>> file.read()
        b'one'
        """
        self.close()
        self.open()

    def __del__(self) -> None:
        self.close()

    def __getstate__(self) -> dict[str, Any]:
        if self.writable and self.is_open:
            raise GluonError(
                f"{self._who} is being written and cannot be pickled: two processes would write"
                " into one file; close it, and open it for reading"
            )
        return {k: v for k, v in self.__dict__.items() if k not in ("_file", "_lock", "pid")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state, is_open=False, pid=None)
        if state["is_open"]:
            self.open()

    def _check(self, to_write: bool) -> None:
        """Raise unless this process opened the file for writing or reading as requested."""
        if self.writable != to_write:
            doing, other = ("written", "w") if to_write else ("read", "r")
            raise GluonError(
                f"{self._who} was opened with {self.flag!r} and cannot be {doing}; open it with"
                f" {other!r}"
            )
        if not self.is_open:
            raise GluonError(f"{self._who} is closed; open() opens it again")
        if self.pid != os.getpid():
            raise GluonError(
                f"{self._who} was opened in another process, which would lose its place; reset()"
                " opens it here"
            )

    # ---------------------------------------------------------------------- read and write

    def write(self, buf: bytes) -> None:
        """Write a record.

        Parameters
        ----------
        buf : bytes

        Raises
        ------
        DTypeError
            If it is not bytes.
        GluonError
            If the file is closed or not open for writing, or the record has 512 MiB or more.
        """
        self._check(to_write=True)
        if not isinstance(buf, (bytes, bytearray, memoryview)):
            raise DTypeError(f"{self._who}: write() takes bytes, not {type(buf).__name__}")
        # Flush, so that a process forked later has nothing left to write.
        self._file.write(b"".join(_framed(bytes(buf), self._who)))
        self._file.flush()

    def read(self) -> bytes | None:
        """The next record.

        Returns
        -------
        bytes or None
            None after the last one.

        Raises
        ------
        GluonError
            If the file is damaged, closed, or not open for reading in this process.
        """
        self._check(to_write=False)
        parts: list[bytes] = []
        while (head := self._head(begun=bool(parts))) is not None:
            kind, length = head
            padded = length + -length % 4
            # Python allocates the requested size, and a damaged length can be up to 512 MiB.
            left = os.fstat(self._file.fileno()).st_size - self._file.tell()
            if left < padded:
                raise self._damaged("it ends within a record", WORDS.size)
            part = self._file.read(padded)
            parts.append(part[:length])
            if kind in (WHOLE, LAST):
                return SEPARATOR.join(parts)
        return None

    def _head(self, begun: bool) -> tuple[int, int] | None:
        """Read the kind and the length of the next part, of a new record or one that has begun."""
        head = self._file.read(WORDS.size)
        if not head and not begun:
            return None
        if len(head) < WORDS.size:
            raise self._damaged("it ends within a record", len(head))
        magic, word = WORDS.unpack(head)
        kind, length = word >> 29, word & LONGEST
        if magic != MAGIC:
            raise self._damaged("no record begins there", len(head))
        if (kind in (WHOLE, FIRST)) == begun or kind > LAST:
            raise self._damaged("a part of a record is missing", len(head))
        return kind, length

    def places(self) -> list[int]:
        """The positions of all records, found without reading their contents.

        Returns
        -------
        list of int

        Raises
        ------
        GluonError
            If the file is damaged, closed, or not open for reading in this process.

        Examples
        --------
        >>> import tempfile
        >>> from gluon import recordio
        >>> path = f"{tempfile.mkdtemp()}/a.rec"
        >>> file = recordio.MXRecordIO(path, "w")
        >>> file.write(b"one")
        >>> file.write(b"two")
        >>> file.close()
        >>> file = recordio.MXRecordIO(path, "r")
        >>> file.places()
        [0, 12]
        """
        self._check(to_write=False)
        self._file.seek(0)
        found: list[int] = []
        kind = WHOLE
        while True:
            place = self._file.tell()
            head = self._head(begun=kind in (FIRST, MIDDLE))
            if head is None:
                self._file.seek(0)
                return found
            kind, length = head
            if kind in (WHOLE, FIRST):
                found.append(place)
            self._file.seek(length + -length % 4, os.SEEK_CUR)

    def read_at(self, place: int) -> bytes:
        """Read the record at a position; thread-safe.

        Parameters
        ----------
        place : int
            A position from `places`, or from an index.

        Returns
        -------
        bytes

        Raises
        ------
        GluonError
            If the file is damaged, closed, or not open for reading in this process.

        Examples
        --------
        >>> import tempfile
        >>> from gluon import recordio
        >>> path = f"{tempfile.mkdtemp()}/a.rec"
        >>> file = recordio.MXRecordIO(path, "w")
        >>> file.write(b"one")
        >>> file.write(b"two")
        >>> file.close()
        >>> file = recordio.MXRecordIO(path, "r")
        >>> file.read_at(file.places()[1])
        b'two'
        """
        self._check(to_write=False)
        with self._lock:
            self._file.seek(place)
            record = self.read()
            if record is None:
                raise self._damaged("no record begins there", 0)
        return record

    def _damaged(self, what: str, back: int) -> GluonError:
        place = self._file.tell() - back
        return GluonError(
            f"{self._who} is damaged or not a record file: at byte {place} of"
            f" {os.path.getsize(self.uri)} {what}; copy or make it again"
        )


def lines_of(
    name: str, path: str, encoding: str = "utf-8", hint: str = ""
) -> Iterator[tuple[int, str]]:
    """The lines of the text file at `path` with their numbers; errors name the caller.

    A `hint` follows the error for a file that is no text.
    """
    try:
        with opened(name, path, "r", encoding) as lines:
            yield from enumerate(lines, 1)
    except UnicodeDecodeError as error:
        raise GluonError(f"{name}: {path!r} is not a text in {encoding} ({error}){hint}") from None


def opened(name: str, path: str, mode: str, encoding: str = "utf-8") -> Any:
    """The open file at `path`; an error names the caller."""
    try:
        return open(path, mode, encoding=None if "b" in mode else encoding)
    except FileNotFoundError as error:
        raise MissingFileError(
            f"{name}: cannot find the file {path!r} ({error.strerror})"
        ) from None
    except LookupError as error:
        raise ArgumentError(f"{name}: {error}; encoding='utf8' is the usual one") from None
    except ValueError as error:
        raise ArgumentError(f"{name}: {path!r} is not a path: {error}") from None


def content_of(name: str, path: str) -> bytes:
    """The content of the file at `path` from a list; an error names the caller."""
    try:
        with opened(name, path, "rb") as file:
            return file.read()
    except IsADirectoryError:
        raise MissingFileError(f"{name}: {path!r} is a folder, not a file") from None
    except OSError as error:
        if isinstance(error, GluonError):
            raise
        raise GluonError(f"{name}: {path!r} cannot be read: {error}") from error


def _framed(data: bytes, who: str) -> list[bytes]:
    """Return the pieces of the file for one record."""
    words = np.frombuffer(data, "<u4", len(data) // 4)
    cuts = (np.flatnonzero(words == MAGIC) * 4).tolist()
    starts, ends = [0, *(cut + 4 for cut in cuts)], [*cuts, len(data)]
    kinds = [FIRST, *[MIDDLE] * (len(cuts) - 1), LAST] if cuts else [WHOLE]
    pieces = []
    for kind, start, end in zip(kinds, starts, ends):
        length = end - start
        if length > LONGEST:
            raise GluonError(f"{who}: a record of {length} bytes is too long; split it below 2**29")
        pieces += [WORDS.pack(MAGIC, kind << 29 | length), data[start:end], bytes(-length % 4)]
    return pieces


class MXIndexedRecordIO(MXRecordIO):
    """Reads or writes a record file with an index, for random access.

    Parameters
    ----------
    idx_path : str
        The path of the index: lines of a key, a tab and a position.
    uri : str
        The path of the records.
    flag : {'r', 'w'}
        Read, or write a new file.
    key_type : type, default int
        Converts the text of keys.

    Attributes
    ----------
    keys : list
        All keys, in the order of the index.
    idx : dict
        The position of each key.

    Raises
    ------
    ArgumentError
        If `flag` is neither of these.
    GluonError
        If a line of the index has another format.
    MissingFileError
        If the file to read does not exist.

    Examples
    --------
    >>> import os, tempfile
    >>> from gluon import recordio
    >>> paths = [os.path.join(tempfile.mkdtemp(), name) for name in ("a.idx", "a.rec")]
    >>> file = recordio.MXIndexedRecordIO(*paths, "w")
    >>> for k in range(3):
    ...     file.write_idx(k, b"record %d" % k)
    >>> file.close()
    >>> recordio.MXIndexedRecordIO(*paths, "r").read_idx(1)
    b'record 1'
    """

    idx_path: str
    key_type: Any

    def __init__(
        self, idx_path: str, uri: str, flag: str, key_type: Callable[[Any], Any] = int
    ) -> None:
        self.idx_path, self.key_type = os.fspath(idx_path), key_type
        if self.idx_path.endswith(".rec") and os.fspath(uri).endswith(".idx"):
            warn_caller(
                f"{type(self).__name__}: the index {self.idx_path!r} ends in .rec and the records"
                f" {os.fspath(uri)!r} in .idx; the index comes first"
            )
        self.idx: dict[Any, int] = {}
        self.keys: list[Any] = []
        self.fidx: Any = None
        super().__init__(uri, flag)

    def open(self) -> None:
        """Open both files at their start, and read the index."""
        super().open()
        self.idx, self.keys = {}, []
        try:
            if self.writable:
                self.fidx = opened(type(self).__name__, self.idx_path, "w")
            else:
                self._read_index()
        except BaseException:
            self.close()
            raise

    def _read_index(self) -> None:
        hint = f"; the index comes first, as in {type(self).__name__}(idx_path, uri, flag)"
        for number, line in lines_of(type(self).__name__, self.idx_path, hint=hint):
            try:
                text, place = line.strip().split("\t")[:2]
                key = self.key_type(text)
                self.idx[key] = int(place)
            except ValueError as error:
                raise GluonError(
                    f"{self._who}: line {number} of {self.idx_path!r} is not a key, tab and place:"
                    f" {line!r} ({error})"
                ) from None
            self.keys.append(key)

    def close(self) -> None:
        """Close both files."""
        super().close()
        if self.fidx is not None:
            self.fidx.close()
            self.fidx = None

    def _follow(self) -> None:
        """Reopen the file in a forked process; raise unless it is open for reading."""
        if self.is_open and not self.writable and self.pid != os.getpid():
            self.reset()
        self._check(to_write=False)

    def seek(self, idx: Any) -> None:
        """Seek to the record with the key `idx`, which `read` returns next.

        In a forked process, the file is opened again first.

        Parameters
        ----------
        idx : int
            Or another key of `key_type`.

        Raises
        ------
        KeyError
            If the key does not exist.
        GluonError
            If the file is closed or not open for reading.

        Examples
        --------
        >>> import tempfile
        >>> from gluon import recordio
        >>> folder = tempfile.mkdtemp()
        >>> file = recordio.MXIndexedRecordIO(f"{folder}/a.idx", f"{folder}/a.rec", "w")
        >>> file.write_idx(1, b"one")
        >>> file.write_idx(2, b"two")
        >>> file.close()
        >>> file = recordio.MXIndexedRecordIO(f"{folder}/a.idx", f"{folder}/a.rec", "r")
        >>> file.seek(2)
        >>> file.read()
        b'two'
        """
        self._follow()
        if idx not in self.idx:
            kind = f"; keys are of type {self.key_type.__name__}" * isinstance(idx, str)
            raise MissingKeyError(f"{self._who}: no record has the key {idx!r}{kind}")
        try:
            self._file.seek(self.idx[idx])
        except (OSError, OverflowError, ValueError):
            raise self._damaged(
                f"no record can begin at {self.idx[idx]}, as the index has it", 0
            ) from None

    def tell(self) -> int:
        """The position at which the next record will be written.

        Returns
        -------
        int
            In bytes.

        Raises
        ------
        GluonError
            If the file is closed or not open for writing.

        Examples
        --------
        >>> import tempfile
        >>> from gluon import recordio
        >>> folder = tempfile.mkdtemp()
        >>> file = recordio.MXIndexedRecordIO(f"{folder}/a.idx", f"{folder}/a.rec", "w")
        >>> file.write_idx(1, b"one")
        >>> file.tell()
        12
        """
        self._check(to_write=True)
        return self._file.tell()

    def read_idx(self, idx: Any) -> bytes:
        """Read the record with the key `idx`; thread-safe.

        Parameters
        ----------
        idx : int
            Or another key of `key_type`.

        Returns
        -------
        bytes

        Raises
        ------
        KeyError
            If the key does not exist.
        GluonError
            If the file is damaged, closed, or not open for reading.
        """
        self._follow()
        with self._lock:
            self.seek(idx)
            record = self.read()
            if record is None:
                raise self._damaged(f"no record {idx!r} begins there, though the index says so", 0)
        return record

    def write_idx(self, idx: Any, buf: bytes) -> None:
        """Write a record under the key `idx`.

        Parameters
        ----------
        idx : int
            Or another key of `key_type`.
        buf : bytes

        Raises
        ------
        ArgumentError
            If `key_type` does not take `idx`.
        """
        try:
            key, place = self.key_type(idx), self.tell()
        except (TypeError, ValueError) as error:
            raise ArgumentError(
                f"{self._who}: write_idx(idx, buf): idx={idx!r} is not a key of type"
                f" {self.key_type.__name__}; give one, or key_type=str to the class"
            ) from error
        if key in self.idx:
            warn_caller(
                f"{self._who}: the key {key!r} is written again, and the record before is lost"
            )
        self.write(buf)
        self.fidx.write(f"{key}\t{place}\n")
        self.fidx.flush()
        self.idx[key] = place
        self.keys.append(key)
