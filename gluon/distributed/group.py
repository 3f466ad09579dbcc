"""Ranks, and groups of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

from .._core.errors import ArgumentError, translated
from .._core.mpi import groups as mpi


class Group:
    """A group of processes that exchange data; created by `new_group`.

    Parameters
    ----------
    ranks : sequence of int
        The ranks of the members among all processes.

    Raises
    ------
    ArgumentError
        If a rank is out of range or given twice.

    Examples
    --------
    >>> from gluon import distributed
    >>> group = distributed.new_group([0])
    >>> group.ranks, group.rank, group.size
    ((0,), 0, 1)
    """

    ranks: tuple[int, ...]

    def __init__(self, ranks: Sequence[int]) -> None:
        self.ranks = tuple(int(rank) for rank in ranks)
        try:
            self._members = mpi.group_of(self.ranks)
        except ValueError as error:
            raise translated(error, f"Group: {error}") from None

    @property
    def rank(self) -> int:
        """The rank of this process in the group; -1 if it is not a member."""
        return self._members.rank

    @property
    def size(self) -> int:
        """The number of members."""
        return self._members.size

    def __repr__(self) -> str:
        return f"Group({list(self.ranks)})"


#: What functions accept as a group: a Group, its ranks, or None for all processes.
Members: TypeAlias = "Group | Sequence[int] | None"


def ranks_of(group: Any) -> tuple[int, ...] | None:
    """The ranks of a `group` argument."""
    if group is None or isinstance(group, tuple):
        return group
    ranks = getattr(group, "ranks", group)
    try:
        return tuple(int(rank) for rank in ranks)
    except TypeError:
        raise ArgumentError(
            f"group={group!r}: give a Group, a sequence of ranks, or None for all processes"
        ) from None


def new_group(ranks: Sequence[int]) -> Group:
    """Create a group of processes; every member must call this.

    Parameters
    ----------
    ranks : sequence of int
        The members, by their ranks among all processes.

    Returns
    -------
    Group

    Raises
    ------
    ArgumentError
        If a rank is out of range or given twice.

    Examples
    --------
    >>> from gluon import distributed
    >>> distributed.new_group([0])
    Group([0])
    """
    return Group(ranks)


def get_rank(group: Members = None) -> int:
    """The rank of this process in a group; -1 if it is not a member.

    Parameters
    ----------
    group : Group or sequence of int, optional
        By default all processes.

    Returns
    -------
    int

    Raises
    ------
    ArgumentError
        If the group has ranks that do not exist.

    Examples
    --------
    >>> from gluon import distributed
    >>> distributed.get_rank()
    0
    """
    return mpi.group_of(ranks_of(group)).rank


def get_size(group: Members = None) -> int:
    """The number of processes in a group.

    Parameters
    ----------
    group : Group or sequence of int, optional
        By default all processes.

    Returns
    -------
    int

    Raises
    ------
    ArgumentError
        If the group has ranks that do not exist.

    Examples
    --------
    >>> from gluon import distributed
    >>> distributed.get_size()
    1
    """
    return mpi.group_of(ranks_of(group)).size
