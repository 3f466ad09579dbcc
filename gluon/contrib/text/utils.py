"""Count the tokens of a text."""

from __future__ import annotations

import re
from collections import Counter

__all__ = ["count_tokens_from_str"]


def count_tokens_from_str(
    source_str: str,
    token_delim: str = " ",
    seq_delim: str = "\n",
    to_lower: bool = False,
    counter_to_update: Counter | None = None,
) -> Counter:
    r"""Count the tokens in a text.

    Parameters
    ----------
    source_str : str
    token_delim, seq_delim : str
        The separators of tokens and of sequences of tokens, as regular expressions.
    to_lower : bool, default False
        Convert the text to lower case.
    counter_to_update : collections.Counter, optional
        A counter to update.

    Returns
    -------
    collections.Counter
        `counter_to_update`, or a new one.

    Examples
    --------
    >>> from gluon.contrib.text.utils import count_tokens_from_str
    >>> sorted(count_tokens_from_str("To be\nor not to be", to_lower=True).items())
    [('be', 2), ('not', 1), ('or', 1), ('to', 2)]
    """
    counter: Counter = Counter() if counter_to_update is None else counter_to_update
    tokens = filter(None, re.split(f"{token_delim}|{seq_delim}", source_str))
    counter.update(token.lower() if to_lower else token for token in tokens)
    return counter
