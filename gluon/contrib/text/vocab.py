"""`Vocabulary`: indices of tokens."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from typing import Any

from ..._core.errors import ArgumentError, DTypeError

__all__ = ["Vocabulary"]


class Vocabulary:
    """Vocabulary that maps tokens to indices: 0 is unknown, then reserved, then by frequency.

    Parameters
    ----------
    counter : collections.Counter, optional
        The frequency of each token; tokens of equal frequency are sorted.
    most_freq_count : int, optional
        The largest number of tokens to use.
    min_freq : int, default 1
        The smallest frequency of tokens to use.
    unknown_token : hashable, default '<unk>'
    reserved_tokens : list of hashable, optional
        Tokens such as those for padding and for the end of a sentence.

    Raises
    ------
    ArgumentError
        If `min_freq` is not positive, a token is reserved twice, or the unknown one is reserved.
    DTypeError
        If `counter` is not a Counter.

    Examples
    --------
    >>> from collections import Counter
    >>> from gluon.contrib.text.vocab import Vocabulary
    >>> words = Vocabulary(Counter("a b b c c c".split()), min_freq=2, reserved_tokens=["<pad>"])
    >>> words.idx_to_token
    ['<unk>', '<pad>', 'c', 'b']
    >>> words.to_indices(["b", "a"]), words.to_tokens(2)
    ([3, 0], 'c')
    """

    def __init__(
        self,
        counter: Counter | None = None,
        most_freq_count: int | None = None,
        min_freq: int = 1,
        unknown_token: Hashable = "<unk>",
        reserved_tokens: list[Any] | None = None,
    ) -> None:
        if min_freq < 1:
            raise ArgumentError(f"Vocabulary: min_freq={min_freq} must be positive")
        reserved = reserved_tokens or []
        if len({unknown_token, *reserved}) <= len(reserved):
            raise ArgumentError(
                f"Vocabulary: reserved_tokens={reserved} has a token twice, or unknown_token="
                f"{unknown_token!r}, which always has index 0"
            )
        if counter is not None and not isinstance(counter, Counter):
            raise DTypeError(
                f"Vocabulary: counter must be a collections.Counter, not {type(counter).__name__}"
            )
        self._unknown_token = unknown_token
        self._reserved_tokens = None if reserved_tokens is None else list(reserved_tokens)
        self._idx_to_token: list = [unknown_token, *reserved]
        frequent = [
            token
            for token, count in sorted(sorted((counter or {}).items()), key=lambda one: -one[1])
            if count >= min_freq and token not in self._idx_to_token
        ]
        self._idx_to_token += frequent[:most_freq_count]
        self._token_to_idx = {token: k for k, token in enumerate(self._idx_to_token)}

    def __len__(self) -> int:
        return len(self._idx_to_token)

    @property
    def token_to_idx(self) -> dict[Any, Any]:
        """The index of each token."""
        return self._token_to_idx

    @property
    def idx_to_token(self) -> list[Any]:
        """The tokens in order of their indices."""
        return self._idx_to_token

    @property
    def unknown_token(self) -> Any:
        """The token with index 0, for unknown tokens."""
        return self._unknown_token

    @property
    def reserved_tokens(self) -> list[Any] | None:
        """The reserved tokens, which follow the unknown token."""
        return self._reserved_tokens

    def to_indices(self, tokens: Any) -> Any:
        """Convert tokens to indices.

        Parameters
        ----------
        tokens : hashable, or list of them

        Returns
        -------
        int, or list of int
        """
        if isinstance(tokens, list):
            return [self._token_to_idx.get(token, 0) for token in tokens]
        return self._token_to_idx.get(tokens, 0)

    def to_tokens(self, indices: Any) -> Any:
        """Convert indices to tokens.

        Parameters
        ----------
        indices : int, or list of int

        Returns
        -------
        hashable, or list of them

        Raises
        ------
        ArgumentError
            If an index is out of range.
        """
        for k in indices if isinstance(indices, list) else [indices]:
            if not isinstance(k, int) or not 0 <= k < len(self):
                raise ArgumentError(f"to_tokens: {k!r} is not an index from 0 to {len(self) - 1}")
        if isinstance(indices, list):
            return [self._idx_to_token[k] for k in indices]
        return self._idx_to_token[indices]
