"""Ensembles of trees, of the domain ``ai.onnx.ml``: piecewise constant, so their gradient is 0."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy

from ... import np
from ..._core.engine.op import RECORDED as ops
from ..._core.errors import ArgumentError
from .learn import ML, labelled, transformed
from .table import FUNCTIONS, made, room

LEAF, MEMBER = 7, 6
#: The comparisons of nodes, by their code in the newest version.
COMPARISONS = (
    ("BRANCH_LEQ", numpy.less_equal),
    ("BRANCH_LT", numpy.less),
    ("BRANCH_GTE", numpy.greater_equal),
    ("BRANCH_GT", numpy.greater),
    ("BRANCH_EQ", numpy.equal),
    ("BRANCH_NEQ", numpy.not_equal),
)
MODES = {name: k for k, (name, _) in enumerate(COMPARISONS)} | {"LEAF": LEAF}
#: How the values of trees are aggregated, and the value of an empty tree.
AGGREGATES: dict[str, tuple[Any, float]] = {
    "SUM": (numpy.sum, 0),
    "AVERAGE": (numpy.mean, 0),
    "MIN": (numpy.min, numpy.inf),
    "MAX": (numpy.max, -numpy.inf),
}


class Trees(NamedTuple):
    """Nodes one after the other; those of leaves lead to themselves.

    Attributes
    ----------
    modes, features, splits : numpy.ndarray, shape (nodes,)
    missing : numpy.ndarray of bool, shape (nodes,)
        Where NaN follows the branch of a true condition.
    hit, miss : numpy.ndarray of int, shape (nodes,)
        The next nodes.
    roots : numpy.ndarray of int, shape (trees,)
    members : numpy.ndarray, shape (sets, length)
        The sets that nodes of mode `MEMBER` compare with, filled up with NaN; `splits` has the
        place of the set.
    """

    modes: Any
    features: Any
    splits: Any
    missing: Any
    hit: Any
    miss: Any
    roots: Any
    members: Any = None

    def leaves(self, x: Any) -> Any:
        """The leaf of every tree that each row comes to, shape (rows, trees)."""
        at = numpy.broadcast_to(self.roots, (len(x), len(self.roots)))
        rows = numpy.arange(len(x))[:, None]
        kinds = set(self.modes.tolist()) - {LEAF}
        for _ in range(len(self.modes)):
            if (self.modes[at] == LEAF).all():
                return at
            value = x[rows, self.features[at]]
            hit = self.missing[at] & numpy.isnan(value)
            for kind in kinds:
                hit |= (self.modes[at] == kind) & self._compared(kind, value, self.splits[at])
            at = numpy.where(hit, self.hit[at], self.miss[at])
        raise ArgumentError("the nodes of a tree form a cycle")

    def _compared(self, kind: int, value: Any, split: Any) -> Any:
        if kind != MEMBER:
            return COMPARISONS[kind][1](value, split)
        places = split.astype("int64").clip(0, len(self.members) - 1)
        return (self.members[places] == value[..., None]).any(-1)


def _older(nodes: dict[str, Any]) -> tuple[Trees, Any]:
    """Return trees in the older format, and the function that finds their node indices."""
    tree, own = numpy.array(nodes["treeids"]), numpy.array(nodes["nodeids"])
    key = tree * (own.max() + 1) + own
    order = numpy.argsort(key)

    def place(trees: Any, numbers: Any) -> Any:
        wanted = numpy.array(trees) * (own.max() + 1) + numpy.array(numbers)
        return order[numpy.searchsorted(key[order], wanted)]

    modes = numpy.array([MODES[name] for name in nodes["modes"]])
    leaf, here = modes == LEAF, numpy.arange(len(modes))
    hit, miss = (
        numpy.where(leaf, here, place(tree, numpy.where(leaf, own, nodes[way])))
        for way in ("truenodeids", "falsenodeids")
    )
    splits = _numbers(nodes, "values")
    missing = numpy.array(nodes.get("missing_value_tracks_true") or [0] * len(modes), bool)
    features = numpy.where(leaf, 0, nodes["featureids"])
    roots = numpy.unique(tree, return_index=True)[1]
    return Trees(modes, features, splits, missing, hit, miss, roots), place


def _numbers(given: dict[str, Any], name: str) -> Any:
    """Return an attribute that is a list of floats, or a tensor with another name."""
    tensor = given.get(f"{name}_as_tensor")
    return numpy.array(given.get(name, ()), "float32") if tensor is None else tensor


def _scores(
    X: Any, trees: Trees, where: Any, targets: Any, weights: Any, count: int, aggregate: str
) -> Any:
    """Aggregate the values of the reached leaves, shape (rows, count)."""
    meet, none = AGGREGATES[aggregate]
    raw = X.raw if X.dtype.kind == "f" else X.raw.astype("float32")
    values = numpy.full(room(len(trees.modes), count), none, weights.dtype)
    values[where, targets] = 0
    numpy.add.at(values, (where, targets), weights)
    found = meet(values[trees.leaves(raw)], axis=1)
    return numpy.where(numpy.isfinite(found), found, 0).astype(weights.dtype)


def _flat(X: Any, scores: Any) -> Any:
    """Return raw scores as an array with gradient 0."""
    return made(scores) + np.sum(ops.zeros_like(X), -1, keepdims=True).astype(scores.dtype)


def _parts(attributes: dict[str, Any], prefix: str) -> dict[str, Any]:
    """Return the attributes with that prefix, without it."""
    return {
        name.removeprefix(prefix): value
        for name, value in attributes.items()
        if name.startswith(prefix)
    }


def _regressor(
    X: Any,
    *,
    aggregate_function: str = "SUM",
    n_targets: int = 1,
    post_transform: str = "NONE",
    **attributes: Any,
) -> Any:
    trees, place = _older(_parts(attributes, "nodes_"))
    target = _parts(attributes, "target_")
    where = place(target["treeids"], target["nodeids"])
    weights = _numbers(target, "weights")
    scores = _scores(X, trees, where, target["ids"], weights, n_targets, aggregate_function)
    base = _numbers(attributes, "base_values")
    return transformed(_flat(X, scores + base if base.size else scores), post_transform)


def _classifier(
    X: Any,
    *,
    classlabels_int64s: Sequence[int] = (),
    classlabels_strings: Sequence[str] = (),
    post_transform: str = "NONE",
    outputs: int = 2,
    **attributes: Any,
) -> Any:
    trees, place = _older(_parts(attributes, "nodes_"))
    group = _parts(attributes, "class_")
    where = place(group["treeids"], group["nodeids"])
    ids, weights = group["ids"], _numbers(group, "weights")
    count = len(classlabels_int64s or classlabels_strings)
    scores = _scores(X, trees, where, ids, weights, count, "SUM")
    base = _numbers(attributes, "base_values")
    one_sided = count == 2 and len(set(ids)) == 1
    if one_sided:  # there is one weight, for one of two classes
        score = scores[:, ids[0]] + (base[-1] if base.size else 0)
        if (weights >= 0).all():
            scores, post_transform = numpy.stack([1 - score, score], 1), "NONE"
        else:
            scores = numpy.stack([-score, score], 1)
    elif base.size:
        scores = scores + base
    labels = labelled(scores.argmax(-1), classlabels_int64s, classlabels_strings)
    return labels, transformed(_flat(X, scores), post_transform)


def _ensemble(
    X: Any,
    *,
    nodes_modes: Any,
    nodes_featureids: Sequence[int],
    nodes_splits: Any,
    nodes_truenodeids: Sequence[int],
    nodes_trueleafs: Sequence[int],
    nodes_falsenodeids: Sequence[int],
    nodes_falseleafs: Sequence[int],
    leaf_targetids: Sequence[int],
    leaf_weights: Any,
    tree_roots: Sequence[int],
    nodes_missing_value_tracks_true: Sequence[int] = (),
    nodes_hitrates: Any = None,
    membership_values: Any = None,
    n_targets: int = 1,
    aggregate_function: int = 1,
    post_transform: int = 0,
) -> Any:
    count, leaves = len(nodes_modes), len(leaf_weights)
    where = count + numpy.arange(leaves)  # leaves are numbered after the nodes
    hit, miss = (
        numpy.concatenate([numpy.array(ids) + numpy.array(is_leaf) * count, where])
        for ids, is_leaf in (
            (nodes_truenodeids, nodes_trueleafs),
            (nodes_falsenodeids, nodes_falseleafs),
        )
    )
    none = numpy.zeros(leaves, "int64")
    modes = numpy.concatenate([nodes_modes, none + LEAF])
    splits = numpy.concatenate([nodes_splits, none.astype(nodes_splits.dtype)])
    splits[modes == MEMBER] = numpy.arange((modes == MEMBER).sum())
    trees = Trees(
        modes,
        numpy.concatenate([nodes_featureids, none]),
        splits,
        numpy.concatenate([nodes_missing_value_tracks_true or [0] * count, none]).astype(bool),
        hit,
        miss,
        numpy.array(tree_roots),
        _sets(membership_values),
    )
    aggregate = ("AVERAGE", "SUM", "MIN", "MAX")[aggregate_function]
    scores = _scores(X, trees, where, leaf_targetids, leaf_weights, n_targets, aggregate)
    names = ("NONE", "SOFTMAX", "LOGISTIC", "SOFTMAX_ZERO", "PROBIT")
    return transformed(_flat(X, scores), names[post_transform])


def _sets(values: Any) -> Any:
    """Return NaN-separated sets as the rows of a matrix."""
    if values is None:
        return None
    rows = numpy.split(values, numpy.flatnonzero(numpy.isnan(values)) + 1)
    width = max(map(len, rows))
    return numpy.stack(
        [numpy.pad(row, (0, width - len(row)), constant_values=numpy.nan) for row in rows]
    )


FUNCTIONS |= {
    ML + "TreeEnsemble": _ensemble,
    ML + "TreeEnsembleClassifier": _classifier,
    ML + "TreeEnsembleRegressor": _regressor,
}
