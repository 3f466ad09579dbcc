"""Trees of tuples, lists, dicts, named tuples and dataclasses, taken apart and put together.

A function of trees works on the list of leaves, and the structure puts its results into the same
form. What stands at a leaf has a path, such as ``params['w'][0]``, for messages.
"""

from __future__ import annotations

import dataclasses
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from .engine.array import Array
from .errors import ArgumentError, DTypeError, a_type

#: A step of a path, as in ``['w']``, ``[0]`` or ``.weight``, and the child there.
Child = tuple[str, Any]


class Kind(NamedTuple):
    """How the nodes of one class are taken apart and put together.

    Attributes
    ----------
    apart : callable
        ``apart(node)`` gives a list of (step, child), and what `together` needs besides children.
    together : callable
        ``together(extra, children)`` gives a node.
    """

    apart: Callable[[Any], tuple[list[Child], Any]]
    together: Callable[[Any, list[Any]], Any]


def _items(node: Any) -> list[Child]:
    return [(f"[{place}]", one) for place, one in enumerate(node)]


def _values(node: dict) -> list[Child]:
    return [(f"[{key!r}]", one) for key, one in node.items()]


#: How each class is taken apart; `register` adds to it.
KINDS: dict[type, Kind] = {
    type(None): Kind(lambda node: ([], None), lambda _, parts: None),
    tuple: Kind(lambda node: (_items(node), None), lambda _, parts: tuple(parts)),
    list: Kind(lambda node: (_items(node), None), lambda _, parts: parts),
    dict: Kind(
        lambda node: (_values(node), tuple(node)), lambda keys, parts: dict(zip(keys, parts))
    ),
    OrderedDict: Kind(
        lambda node: (_values(node), tuple(node)), lambda keys, parts: OrderedDict(zip(keys, parts))
    ),
    defaultdict: Kind(
        lambda node: (_values(node), (node.default_factory, tuple(node))),
        lambda extra, parts: defaultdict(extra[0], zip(extra[1], parts)),
    ),
}


def _named_tuple(node: Any) -> tuple[list[Child], Any]:
    return [(f".{name}", one) for name, one in zip(node._fields, node)], type(node)


def _dataclass(node: Any) -> tuple[list[Child], Any]:
    names = [field.name for field in dataclasses.fields(node)]
    return [(f".{name}", getattr(node, name)) for name in names], (type(node), tuple(names))


def _dataclass_of(extra: Any, parts: list[Any]) -> Any:
    made = object.__new__(extra[0])  # without `__post_init__`, which may compute with the values
    for name, one in zip(extra[1], parts):
        object.__setattr__(made, name, one)
    return made


NAMED_TUPLE = Kind(_named_tuple, lambda cls, parts: cls(*parts))
DATACLASS = Kind(_dataclass, _dataclass_of)


def kind_of(node: Any) -> Kind | None:
    """How `node` is taken apart; None for a leaf."""
    cls = type(node)
    if kind := KINDS.get(cls):
        return kind
    if isinstance(node, Array):  # the most frequent leaf; what follows takes longer
        return None
    if isinstance(node, tuple) and hasattr(cls, "_fields"):
        return NAMED_TUPLE
    # As `dataclasses.is_dataclass(cls)`, in half the time.
    return DATACLASS if hasattr(cls, "__dataclass_fields__") else None


class Structure:
    """The form of a tree, without its leaves; two of the same form are equal.

    Functions such as `structure` make it.

    Parameters
    ----------
    node : object
        The tree.
    leaves : list
        Takes the leaves, from left to right.
    is_leaf : callable, optional
        As in `flatten`.

    Attributes
    ----------
    paths : tuple of str
        Where each leaf stands, such as ``['w'][0]``; empty for a tree that is a leaf.

    Examples
    --------
    >>> from gluon.func import tree
    >>> tree.structure({"w": [1, 2], "b": 3}).paths
    ("['w'][0]", "['w'][1]", "['b']")
    """

    __slots__ = ("_children", "_extra", "_kind", "_name", "_steps", "paths")

    def __init__(
        self, node: Any, leaves: list[Any], is_leaf: Callable[[Any], bool] | None = None
    ) -> None:
        kind = None if is_leaf is not None and is_leaf(node) else kind_of(node)
        self._kind, self._name = kind, type(node).__name__
        self._extra: Any = None
        self._steps: tuple[str, ...] = ()
        self._children: list[Structure] = []
        self.paths: tuple[str, ...] = ("",)
        if kind is None:
            self._name = "*"
            leaves.append(node)
            return
        pairs, self._extra = kind.apart(node)
        self._steps = tuple([step for step, _ in pairs])
        self._children = [Structure(child, leaves, is_leaf) for _, child in pairs]
        self.paths = tuple(
            [step + path for step, one in zip(self._steps, self._children) for path in one.paths]
        )

    @property
    def num_leaves(self) -> int:
        """How many leaves there are."""
        return len(self.paths)

    def unflatten(self, leaves: Iterable[Any]) -> Any:
        """A tree of this form.

        Parameters
        ----------
        leaves : iterable
            Its leaves, from left to right.

        Returns
        -------
        object

        Raises
        ------
        ArgumentError
            If there are more or fewer leaves than places.

        Examples
        --------
        >>> from gluon.func import tree
        >>> tree.structure({"w": [1, 2], "b": 3}).unflatten("xyz")
        {'w': ['x', 'y'], 'b': 'z'}
        """
        given = list(leaves)
        if self is LEAF and len(given) == 1:
            return given[0]
        if len(given) != len(self.paths):
            raise ArgumentError(
                f"tree: {len(given)} leaves for a structure with {len(self.paths)}; give one for"
                " each"
            )
        return self._filled(iter(given))

    def _filled(self, leaves: Iterator[Any]) -> Any:
        if self._kind is None:
            return next(leaves)
        return self._kind.together(self._extra, [one._filled(leaves) for one in self._children])

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Structure):
            return NotImplemented
        mine, theirs = (
            (one._kind, one._name, one._steps, one._extra, one._children) for one in (self, other)
        )
        return mine == theirs

    def __hash__(self) -> int:
        return hash((self._name, self.paths))

    def __repr__(self) -> str:
        if self._kind is None:
            return "*"
        parts = [f"{step} {one!r}" for step, one in zip(self._steps, self._children)]
        return f"{self._name}({', '.join(parts)})"


def flatten(tree: Any, is_leaf: Callable[[Any], bool] | None = None) -> tuple[list[Any], Structure]:
    """The leaves of a tree, and its structure.

    Parameters
    ----------
    tree : object
    is_leaf : callable, optional
        ``is_leaf(node)`` says of what could be taken apart whether to leave it whole.

    Returns
    -------
    leaves : list
    structure : Structure

    Examples
    --------
    >>> from gluon.func import tree
    >>> leaves, structure = tree.flatten({"w": [1, 2], "b": 3})
    >>> leaves, structure.unflatten([10, 20, 30])
    ([1, 2, 3], {'w': [10, 20], 'b': 30})
    """
    if is_leaf is None and kind_of(tree) is None:
        return [tree], LEAF
    found: list[Any] = []
    return found, Structure(tree, found, is_leaf)


#: The structure of a tree that is a leaf.
LEAF = Structure(0, [])


def unflatten(structure: Structure, leaves: Iterable[Any]) -> Any:
    """The tree of a structure with these leaves.

    Parameters
    ----------
    structure : Structure
    leaves : iterable
        From left to right.

    Returns
    -------
    object

    Raises
    ------
    ArgumentError
        If there are more or fewer leaves than places.

    Examples
    --------
    >>> from gluon.func import tree
    >>> tree.unflatten(tree.structure((0, [0])), [1, 2])
    (1, [2])
    """
    return structure.unflatten(leaves)


def leaves(tree: Any, is_leaf: Callable[[Any], bool] | None = None) -> list[Any]:
    """The leaves of a tree, from left to right; None has none.

    Parameters
    ----------
    tree : object
    is_leaf : callable, optional
        As in `flatten`.

    Returns
    -------
    list

    Examples
    --------
    >>> from gluon.func import tree
    >>> tree.leaves({"w": [1, 2], "b": (3, None)})
    [1, 2, 3]
    """
    return flatten(tree, is_leaf)[0]


def structure(tree: Any, is_leaf: Callable[[Any], bool] | None = None) -> Structure:
    """The form of a tree, to compare with that of another one, or to fill with leaves.

    Parameters
    ----------
    tree : object
    is_leaf : callable, optional
        As in `flatten`.

    Returns
    -------
    Structure

    Examples
    --------
    >>> from gluon.func import tree
    >>> tree.structure([1, 2]) == tree.structure([3, 4]), tree.structure([1, 2]) == (1, 2)
    (True, False)
    """
    return flatten(tree, is_leaf)[1]


def map(
    function: Callable[..., Any],
    tree: Any,
    *others: Any,
    is_leaf: Callable[[Any], bool] | None = None,
) -> Any:
    """A tree of what a function makes of each leaf.

    Parameters
    ----------
    function : callable
        Takes a leaf of each of the trees.
    tree : object
    *others : object
        More trees of the same form.
    is_leaf : callable, optional
        As in `flatten`.

    Returns
    -------
    object
        Of the form of `tree`.

    Raises
    ------
    ArgumentError
        If the trees have not the same form.

    Examples
    --------
    >>> from gluon.func import tree
    >>> tree.map(lambda w, g: w - g, {"w": 3, "b": 2}, {"w": 1, "b": 1})
    {'w': 2, 'b': 1}
    """
    first, form = flatten(tree, is_leaf)
    columns = [first]
    for place, other in enumerate(others, 1):
        columns.append(matched(f"tree.map: tree {place}", form, other, "tree 0", is_leaf))
    return form.unflatten([function(*parts) for parts in zip(*columns)])


def matched(
    what: str,
    form: Structure,
    other: Any,
    model: str,
    is_leaf: Callable[[Any], bool] | None = None,
) -> list[Any]:
    """The leaves of `other`, which has to be of the form of `model`; dicts may differ in order."""
    values, its_form = flatten(other, is_leaf)
    if its_form is form or its_form == form:
        return values
    if sorted(its_form.paths) == sorted(form.paths):
        at = dict(zip(its_form.paths, values))
        return [at[path] for path in form.paths]
    if form is LEAF:
        raise ArgumentError(f"{what} must be a single leaf, as {model} is; got {a_type(other)}")
    differ = [path for path in form.paths if path not in its_form.paths]
    extra = [path for path in its_form.paths if path not in form.paths]
    which = f"it lacks {differ[0] or 'the value itself'}" if differ else f"it has {extra[0]} too"
    raise ArgumentError(
        f"{what} has another form than {model}: {which}; give {form!r}, got {its_form!r}"
    )


def register(
    cls: type,
    flatten: Callable[[Any], tuple[Iterable[Any], Any]],
    unflatten: Callable[[Any, list[Any]], Any],
) -> None:
    """Let the instances of a class be nodes of trees.

    Parameters
    ----------
    cls : type
    flatten : callable
        ``flatten(node)`` returns the children, and what `unflatten` needs besides them, which is
        compared where structures are.
    unflatten : callable
        ``unflatten(extra, children)`` returns a node.

    Raises
    ------
    ArgumentError
        If the class is registered, or taken apart already.
    DTypeError
        If `cls` is not a class.

    Examples
    --------
    >>> from gluon.func import tree
    >>> class Line:
    ...     def __init__(self, slope, offset):
    ...         self.slope, self.offset = slope, offset
    >>> tree.register(Line, lambda line: ((line.slope, line.offset), None),
    ...               lambda _, parts: Line(*parts))
    >>> tree.map(lambda x: 2 * x, Line(1, 3)).offset
    6
    """
    if not isinstance(cls, type):
        raise DTypeError(f"tree.register: give a class, not {type(cls).__name__}")
    if cls in KINDS:
        raise ArgumentError(f"tree.register: {cls.__name__} is a node of trees already")

    def apart(node: Any) -> tuple[list[Child], Any]:
        children, extra = flatten(node)
        return _items(children), extra

    KINDS[cls] = Kind(apart, unflatten)
