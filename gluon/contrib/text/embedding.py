"""Word embeddings, from local files."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

from ... import nd
from ..._core.errors import (
    ArgumentError,
    DTypeError,
    GluonError,
    MissingFileError,
    MissingKeyError,
    warn_caller,
)
from ..._core.registry import Registry
from ...nd import NDArray
from ...recordio.files import lines_of
from .vocab import Vocabulary

__all__ = [
    "CompositeEmbedding",
    "CustomEmbedding",
    "FastText",
    "GloVe",
    "create",
    "get_pretrained_file_names",
    "register",
]

K = TypeVar("K", bound=type)  #: Where MXNet stores files of vectors.
ROOT = os.path.join(os.environ.get("MXNET_HOME", os.path.join("~", ".mxnet")), "embeddings")


class MissingVectorsError(MissingFileError, KeyError, ValueError):
    """A file of word vectors does not exist; MXNet raises one of three errors."""

    __str__ = Exception.__str__  # KeyError would show the message in quotes


class _TokenEmbedding(Vocabulary):
    """Base of embeddings: a vocabulary with a vector for each token.

    Where a token is in a file more than once, the first vector counts.
    """

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._idx_to_vec: NDArray = nd.zeros((len(self), 0))

    @property
    def vec_len(self) -> int:
        """The length of the vectors."""
        return self._idx_to_vec.shape[1]

    @property
    def idx_to_vec(self) -> NDArray:
        """The vectors in the order of the token indices."""
        return self._idx_to_vec

    # ---------------------------------------------------------------------------- loading

    def _load_embedding(
        self, path: str, delimiter: str, init_unknown_vec: Callable, encoding: str = "utf8"
    ) -> None:
        """Read a file that has a token and its vector on each line."""
        path = os.path.expanduser(path)
        if not os.path.isfile(path):
            raise MissingVectorsError(
                f"{type(self).__name__}: cannot find the file {path!r}; gluon downloads nothing, so"
                " put it there"
            )
        logging.info("Loading vectors of tokens from %s", path)
        vectors: dict[str, np.ndarray] = {}
        for number, line in lines_of(type(self).__name__, path, encoding):
            self._read(vectors, line.rstrip().split(delimiter), f"line {number} of {path!r}")
        if not vectors:
            raise DTypeError(f"{type(self).__name__}: {path!r} has no token vectors")
        unknown = vectors.pop(self.unknown_token, None)
        for token in vectors:
            self._token_to_idx[token] = len(self)
            self._idx_to_token.append(token)
        length = len(next(iter(vectors.values()), unknown))  # type: ignore[arg-type]
        first = len(self) - len(vectors)
        table = nd.array(np.vstack([np.zeros((first, length)), *vectors.values()]))
        table[0] = init_unknown_vec(shape=(length,)) if unknown is None else nd.array(unknown)
        self._idx_to_vec = table

    def _read(self, vectors: dict[str, np.ndarray], parts: list[str], where: str) -> None:
        """Add the token of a line and its vector."""
        token, *numbers = parts
        try:
            vector = np.array([float(one) for one in numbers])
        except ValueError as error:
            raise ArgumentError(f"{type(self).__name__}: {where}: {error}") from None
        if not numbers:
            raise ArgumentError(f"{type(self).__name__}: {where} is not a token with a vector")
        if token in vectors:
            warn_caller(f"{where} has {token!r} again, which is ignored")
        elif len(vector) == 1:
            warn_caller(f"{where} is ignored: it looks like a header")
        elif vectors and len(vector) != len(next(iter(vectors.values()))):
            raise GluonError(
                f"{type(self).__name__}: {where} has a vector of length {len(vector)}, but those"
                f" before it have length {len(next(iter(vectors.values())))}"
            )
        else:
            vectors[token] = vector

    def _take(self, vocabulary: Any, embeddings: list[_TokenEmbedding]) -> None:
        """Take the tokens of a vocabulary and concatenate the vectors of embeddings."""
        if not isinstance(vocabulary, Vocabulary):
            raise DTypeError(
                f"{type(self).__name__}: vocabulary must be a Vocabulary, not"
                f" {type(vocabulary).__name__}"
            )
        self._idx_to_vec = self._joined(embeddings, vocabulary.idx_to_token[1:])
        self._token_to_idx = dict(vocabulary.token_to_idx)
        self._idx_to_token = list(vocabulary.idx_to_token)
        self._unknown_token = vocabulary.unknown_token
        self._reserved_tokens = vocabulary.reserved_tokens

    @staticmethod
    def _joined(embeddings: list[_TokenEmbedding], tokens: list) -> NDArray:
        """Return the concatenated vectors of embeddings for the unknown token and `tokens`."""
        return nd.concat(
            *(
                nd.concat(one.idx_to_vec[:1], one.get_vecs_by_tokens(tokens), dim=0)
                if tokens
                else one.idx_to_vec[:1]
                for one in embeddings
            ),
            dim=1,
        )

    # ---------------------------------------------------------------------------- vectors

    def get_vecs_by_tokens(self, tokens: Any, lower_case_backup: bool = False) -> NDArray:
        """Return the vectors of tokens.

        Parameters
        ----------
        tokens : str or list of str
        lower_case_backup : bool, default False
            Look for a token in lower case where there is none.

        Returns
        -------
        NDArray of shape (vec_len,) or (tokens, vec_len)
        """
        found = []
        for token in tokens if isinstance(tokens, list) else [tokens]:
            known = token in self._token_to_idx or not lower_case_backup
            found.append(self.to_indices(token if known else token.lower()))
        vectors = nd.take(self._idx_to_vec, nd.array(found, dtype="int64"))
        return vectors if isinstance(tokens, list) else vectors[0]

    def update_token_vectors(self, tokens: Any, new_vectors: NDArray) -> None:
        """Replace the vectors of tokens.

        Parameters
        ----------
        tokens : str or list of str
        new_vectors : NDArray of shape (tokens, vec_len), or (vec_len,) for one token

        Raises
        ------
        ArgumentError
            If a token is unknown, or the vectors have another shape.
        """
        names = tokens if isinstance(tokens, list) else [tokens]
        if not isinstance(new_vectors, NDArray):
            kind = type(new_vectors).__name__
            raise DTypeError(f"update_token_vectors: new_vectors must be an NDArray, not {kind}")
        shape = (len(names), self.vec_len)
        if new_vectors.shape not in (shape, shape[1:] if len(names) == 1 else shape):
            raise ArgumentError(
                f"update_token_vectors: new_vectors has shape {new_vectors.shape}, not {shape}"
            )
        for token in names:
            if token not in self._token_to_idx:
                raise ArgumentError(
                    f"update_token_vectors: {token!r} is unknown; name {self.unknown_token!r} to"
                    " change the vector of all unknown tokens"
                )
        self._idx_to_vec[nd.array(self.to_indices(names), dtype="int64")] = new_vectors.reshape(
            shape
        )


EMBEDDINGS = Registry(_TokenEmbedding, "token embedding")


def register(embedding_cls: K) -> K:
    """Class decorator that registers an embedding for `create`.

    Parameters
    ----------
    embedding_cls : type
        A subclass of `_TokenEmbedding`.

    Returns
    -------
    type
        The class.

    Examples
    --------
    >>> from gluon.contrib import text
    >>> @text.embedding.register
    ... class Words(text.embedding.CustomEmbedding):
    ...     pass
    >>> Words.__name__
    'Words'
    >>> _ = text.embedding.EMBEDDINGS.pop("words")
    """
    return EMBEDDINGS.register(embedding_cls)


def create(embedding_name: str, **kwargs: Any) -> Any:
    """Create an embedding by name, such as ``'glove'``.

    Parameters
    ----------
    embedding_name : str
    **kwargs
        Arguments of the class.

    Returns
    -------
    _TokenEmbedding

    Raises
    ------
    ArgumentError
        If the embedding is unknown.

    Examples
    --------
    >>> import os, tempfile
    >>> from gluon.contrib import text
    >>> root = tempfile.mkdtemp()
    >>> os.mkdir(f"{root}/glove")
    >>> with open(f"{root}/glove/glove.6B.50d.txt", "w") as file:
    ...     print("a 1 2", "b 3 4", sep=chr(10), file=file)
    >>> words = text.embedding.create(
    ...     "glove", pretrained_file_name="glove.6B.50d.txt", embedding_root=root
    ... )
    >>> len(words), words.vec_len
    (3, 2)
    """
    return EMBEDDINGS.create(embedding_name, **kwargs)


def get_pretrained_file_names(embedding_name: str | None = None) -> Any:
    """List the files of word vectors on this machine.

    Parameters
    ----------
    embedding_name : str, optional

    Returns
    -------
    list of str, or dict of them
        For one embedding, or for all by their names.

    Raises
    ------
    KeyError
        If the embedding is unknown.

    Examples
    --------
    >>> from gluon.contrib import text
    >>> sorted(text.embedding.get_pretrained_file_names())
    ['fasttext', 'glove']
    """
    if embedding_name is None:
        return {name: get_pretrained_file_names(name) for name in EMBEDDINGS}
    if embedding_name not in EMBEDDINGS:
        raise MissingKeyError(
            f"{embedding_name!r} is not one of the embeddings {', '.join(EMBEDDINGS)}"
        )
    folder = os.path.join(os.path.expanduser(ROOT), embedding_name)
    names = os.listdir(folder) if os.path.isdir(folder) else []
    return sorted(name for name in names if name.endswith((".txt", ".vec")))


class _FileEmbedding(_TokenEmbedding):
    """An embedding whose files are in a folder of its name."""

    def __init__(
        self,
        pretrained_file_name: str,
        embedding_root: str = ROOT,
        init_unknown_vec: Callable[..., Any] = nd.zeros,
        vocabulary: Vocabulary | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        path = os.path.join(embedding_root, type(self).__name__.lower(), pretrained_file_name)
        self._load_embedding(path, " ", init_unknown_vec)
        if vocabulary is not None:
            self._take(vocabulary, [self])


@register
class GloVe(_FileEmbedding):
    """GloVe word vectors, from a file in the folder ``glove`` of `embedding_root`.

    Parameters
    ----------
    pretrained_file_name : str, default 'glove.840B.300d.txt'
    embedding_root : str, default '~/.mxnet/embeddings'
        The environment variable ``MXNET_HOME`` replaces ``~/.mxnet``.
    init_unknown_vec : callable, default nd.zeros
        Creates the vector of unknown tokens if the file has none.
    vocabulary : Vocabulary, optional
        The tokens of the embedding; by default those of the file.
    **kwargs
        Arguments of `Vocabulary`.

    Raises
    ------
    MissingFileError
        If the file does not exist; the message says where it should be.

    Examples
    --------
    >>> import os, tempfile
    >>> from gluon.contrib import text
    >>> root = tempfile.mkdtemp()
    >>> os.mkdir(f"{root}/glove")
    >>> with open(f"{root}/glove/glove.6B.50d.txt", "w") as file:
    ...     print("a 1 2", "b 3 4", sep=chr(10), file=file)
    >>> words = text.embedding.GloVe("glove.6B.50d.txt", root)
    >>> words.get_vecs_by_tokens("b").asnumpy()
    array([3., 4.], dtype=float32)
    """

    def __init__(
        self,
        pretrained_file_name: str = "glove.840B.300d.txt",
        embedding_root: str = ROOT,
        init_unknown_vec: Callable[..., Any] = nd.zeros,
        vocabulary: Vocabulary | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(
            pretrained_file_name, embedding_root, init_unknown_vec, vocabulary, **kwargs
        )


@register
class FastText(_FileEmbedding):
    """fastText word vectors, from a file in the folder ``fasttext`` of `embedding_root`.

    Parameters
    ----------
    pretrained_file_name : str, default 'wiki.simple.vec'
    embedding_root, init_unknown_vec, vocabulary
        See `GloVe`.
    **kwargs
        Arguments of `Vocabulary`.

    Raises
    ------
    MissingFileError
        If the file does not exist; the message says where it should be.

    Examples
    --------
    >>> import os, tempfile
    >>> from gluon.contrib import text
    >>> root = tempfile.mkdtemp()
    >>> os.mkdir(f"{root}/fasttext")
    >>> with open(f"{root}/fasttext/wiki.simple.vec", "w") as file:
    ...     print("a 1 2", "b 3 4", sep=chr(10), file=file)
    >>> words = text.embedding.FastText("wiki.simple.vec", root)
    >>> words.get_vecs_by_tokens("b").asnumpy()
    array([3., 4.], dtype=float32)
    """

    def __init__(
        self,
        pretrained_file_name: str = "wiki.simple.vec",
        embedding_root: str = ROOT,
        init_unknown_vec: Callable[..., Any] = nd.zeros,
        vocabulary: Vocabulary | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(
            pretrained_file_name, embedding_root, init_unknown_vec, vocabulary, **kwargs
        )


class CustomEmbedding(_TokenEmbedding):
    """Word vectors from a file with a token and its vector on each line.

    Parameters
    ----------
    pretrained_file_path : str
    elem_delim : str, default ' '
        The separator of a token and its numbers.
    encoding : str, default 'utf8'
    init_unknown_vec : callable, default nd.zeros
        Creates the vector of unknown tokens if the file has none.
    vocabulary : Vocabulary, optional
        The tokens of the embedding; by default those of the file.
    **kwargs
        Arguments of `Vocabulary`.

    Raises
    ------
    GluonError
        If a line has another format.
    MissingFileError
        If the file does not exist.

    Examples
    --------
    >>> import os, tempfile
    >>> from gluon.contrib.text.embedding import CustomEmbedding
    >>> path = os.path.join(tempfile.mkdtemp(), "vectors.txt")
    >>> with open(path, "w") as file:
    ...     print("a 1 2", "b 3 4", sep=chr(10), file=file)
    >>> words = CustomEmbedding(path)
    >>> words.get_vecs_by_tokens(["b", "?"]).asnumpy().tolist()
    [[3.0, 4.0], [0.0, 0.0]]
    """

    def __init__(
        self,
        pretrained_file_path: str,
        elem_delim: str = " ",
        encoding: str = "utf8",
        init_unknown_vec: Callable[..., Any] = nd.zeros,
        vocabulary: Vocabulary | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self._load_embedding(pretrained_file_path, elem_delim, init_unknown_vec, encoding)
        if vocabulary is not None:
            self._take(vocabulary, [self])


class CompositeEmbedding(_TokenEmbedding):
    """Concatenates the vectors of several embeddings for the tokens of a vocabulary.

    Parameters
    ----------
    vocabulary : Vocabulary
    token_embeddings : embedding, or list of them

    Raises
    ------
    DTypeError
        If an argument has another type.

    Examples
    --------
    >>> import tempfile
    >>> from collections import Counter
    >>> from gluon.contrib import text
    >>> path = f"{tempfile.mkdtemp()}/vectors.txt"
    >>> with open(path, "w") as file:
    ...     print("a 1 2", "b 3 4", sep=chr(10), file=file)
    >>> words = text.embedding.CustomEmbedding(path)
    >>> known = text.vocab.Vocabulary(Counter(["b"]))
    >>> both = text.embedding.CompositeEmbedding(known, [words, words])
    >>> both.get_vecs_by_tokens("b").asnumpy()
    array([3., 4., 3., 4.], dtype=float32)
    """

    def __init__(self, vocabulary: Vocabulary, token_embeddings: Any) -> None:
        super().__init__()
        several = token_embeddings if isinstance(token_embeddings, list) else [token_embeddings]
        for one in several:
            if not isinstance(one, _TokenEmbedding):
                raise DTypeError(
                    f"CompositeEmbedding: {type(one).__name__} is not an embedding of tokens"
                )
        self._take(vocabulary, several)
