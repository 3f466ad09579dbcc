"""Declare an operator: its kernel, one gradient rule per input, its attributes, its doc.

A rule's parameter names say what it keeps, and are read once, here:

==================  =====================================================================
``F``               the operators by name: raw kernels, or the recorded operators when
                    somebody watches the backward pass
``g``               the cotangent of the output (a tuple of them for several outputs)
``y``               the output (a tuple of them for several outputs)
an input's name     that input (a tuple for a variadic one)
``<name>_shape``    the shape of that input, or of ``y``; ``<name>_dtype`` likewise
an attribute        its value in this call
``needs``           which inputs want a cotangent, a tuple of bool (for joint rules)
==================  =====================================================================

``F`` comes first where it is used, then ``g``, then the rest in any order.

What a call keeps, and how a rule is called with it, is written out as one expression and compiled
(`Op.keep`, `_with_kept`). Closures that call one function for each kept value are slower: by 1.5 %
on average over the rows of ``benchmarks/overhead.py``, by 15 % for a product of matrices.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, cached_property
from types import CodeType, SimpleNamespace
from typing import Any

from ..kernels.foreign import FIXED, is_loose, own_attribute
from ..kernels.signature import signature
from ..kernels.sparse import Sparse
from ..native import choose
from .call import make_call
from .node import Blank
from .operators import RECORDED
from .pull import make_pull, pull_one, pull_watched

#: The raw kernels, by name. A rule receives these or the recorded operators, `RECORDED`, as ``F``;
#: other modules import the latter as ``ops``.
KERNELS = SimpleNamespace()
#: Every operator, by name.
TABLE: dict[str, Op] = {}


class Rule:
    """A gradient rule and where its arguments come from.

    Attributes
    ----------
    raw, watched : callable
        ``rule(g, kept)``, over raw arrays and over recorded ones; `kept` is the one value
        that the rule wants besides ``g``, or a tuple when it wants several or none.
    sources : tuple of (str, object)
        One ``(kind, key)`` for each of `kept`; the kinds are those of `FETCH`. An attribute is
        loose if it can be an array or a list, to which a caller can write.
    """

    __slots__ = ("function", "raw", "sources", "watched")

    def __init__(self, function: Callable, op: Op) -> None:
        names = list(signature(function)[0])
        uses_namespace = names[0] == "F"
        if names[uses_namespace] != "g":
            raise TypeError(f"{op.name}: a rule takes (F, g, ...) or (g, ...), not {names}")
        self.function = function
        self.sources = _sources(names[uses_namespace + 1 :], op)
        self.raw = _with_kept(function, KERNELS if uses_namespace else None, len(self.sources))
        self.watched = _with_kept(function, RECORDED if uses_namespace else None, len(self.sources))


def _with_kept(function: Callable, namespace: Any, count: int) -> Callable:
    """Return ``rule(g, kept)`` for a rule that takes `count` kept values."""
    if count == 1 and namespace is None:
        return function
    kept = ["kept"] if count == 1 else [f"kept[{k}]" for k in range(count)]
    arguments = ", ".join([*(["F"] if namespace else []), "g", *kept])
    code = _compiled(f"lambda g, kept: function({arguments})")
    return eval(code, {"function": function, "F": namespace})


@cache
def _compiled(expression: str) -> CodeType:
    """An expression, of which the table of operators has few and each many times.

    It has the name of this file: what anomalies and profiles say leaves out the frames of gluon.
    """
    return compile(expression, __file__, "eval")


def _fetched(rule: Rule | None) -> str:
    """Return the expression for what a rule keeps."""
    parts = [FETCH[kind].format(key) for kind, key in rule.sources] if rule else ["None"]
    return parts[0] if len(parts) == 1 else f"({''.join(part + ', ' for part in parts)})"


#: Maps a kind of source to its expression, where {} is the key.
FETCH = {
    "input": "raws[{}]",
    "inputs": "tuple(raws)",
    "output": "out",
    "shape": "getattr(raws[{}], 'shape', ())",
    "dtype": "raws[{}].dtype",
    "shapes": "tuple([raw.shape for raw in raws])",
    "output_shape": "each(out, 'shape')",
    "output_dtype": "each(out, 'dtype')",
    "attribute": "attrs.get('{0[0]}', _{0[0]})",
    "loose": "(v if type(v := attrs.get('{0[0]}', _{0[0]})) in FIXED else own(attrs, '{0[0]}', v))",
    "needs": "needs",
}


def _each(out: Any, name: str) -> Any:
    many = isinstance(out, (tuple, list))
    return tuple(getattr(one, name) for one in out) if many else getattr(out, name)


def _sources(names: list[str], op: Op) -> tuple[tuple[str, Any], ...]:
    """Return where a rule of `op` gets its arguments `names` from."""
    known: dict[str, tuple[str, Any]] = {"needs": ("needs", None), "y": ("output", None)}
    known |= {f"y_{what}": (f"output_{what}", None) for what in ("shape", "dtype")}
    for place, name in enumerate(op.inputs):
        known |= {f"{name}_{what}": (what, place) for what in ("shape", "dtype")}
        known[name] = "input", place
    if op.variadic:
        known |= {op.inputs[0]: ("inputs", None), f"{op.inputs[0]}_shape": ("shapes", None)}
    for name in op.attributes.keys() & names:
        kind = "loose" if is_loose(op.fallback, name) else "attribute"
        known[name] = kind, (name, op.attributes[name])
    for name in names:
        if name not in known:
            raise TypeError(f"{op.name}: a gradient rule asks for {name!r}, which the kernel lacks")
    return tuple([known[name] for name in names])


class Op:
    """One line of the operator table; made by `define`.

    Attributes
    ----------
    name, doc : str
    kernel : callable
        Raw arrays before the star, attributes after it. Every call looks it up here.
    fallback : callable
        The kernel in NumPy; `kernel` itself where no compiled one stands in for it.
    inputs : tuple of str
        The names of the array inputs; one name when `variadic`.
    attributes : dict
        The attributes with their defaults.
    rules : tuple of (Rule or None)
        One for each input; None for an input without derivative.
    joint : Rule or None
        In place of `rules`: one rule that returns the cotangents of all inputs.
    broadcasts : bool
        Whether inputs are broadcast, which the engine then undoes in the gradients.
    many : bool
        Whether the kernel returns a tuple of outputs.
    call, pull, pull_watched : callable
        The operator on arrays, and its gradient: raw and watched; see `pull`.
    fixed : int or None
        Which input of a binary operator is a number here; see `fix`.
    fixes : list of Op
        What `fix` made of it.
    single : callable or None
        The one raw rule of an operator of one input; None for others.
    takes_sparse : bool
        Whether its kernel computes on sparse values.
    blank : Blank or None
        The node of its results, if no input has a derivative.
    """

    pull_watched = staticmethod(pull_watched)
    fixed: int | None = None

    def __init__(self, name: str, kernel: Callable, **fields: Any) -> None:
        self.name, self.kernel = name, kernel
        self.fallback: Callable = fields["fallback"]
        self.doc: str = fields["doc"]
        self.inputs: tuple[str, ...] = fields["inputs"]
        self.attributes: dict[str, Any] = fields["attributes"]
        self.variadic: bool = fields["variadic"]
        self.broadcasts: bool = fields["broadcasts"]
        self.many: bool = fields["many"]
        joint, rules = fields["joint"], fields["rules"]
        self.joint = Rule(joint, self) if joint else None
        self.rules: tuple[Any, ...] = tuple(
            Rule(rules[name], self) if name in rules else None for name in self.inputs
        )
        self.differentiable_inputs = tuple(
            bool(rule) or bool(joint and name not in fields["constants"])
            for name, rule in zip(self.inputs, self.rules)
        )
        # ufuncs of NumPy below 2.2 have no module
        self.takes_sparse = getattr(self.fallback, "__module__", "") == Sparse.__module__
        self.fields = fields
        self.fixes: list[Op] = []
        reason = f"computed by {name}, which has no gradient; differentiate what it was given"
        self.blank = None if self.differentiable else Blank(reason, True, head=fields["zero"])
        self.call = make_call(self)
        self.pull = make_pull(self)
        self.single = self.rules[0].raw if self.pull is pull_one and self.rules[0] else None

    @property
    def differentiable(self) -> bool:
        """Whether any input has a derivative."""
        return any(self.differentiable_inputs)

    @cached_property
    def keep(self) -> Callable[..., Any]:
        """``keep(raws, out, attrs, needs)``: what a call keeps for its rule, or for each of them.

        It is compiled when it is first needed, which for most operators is never.
        """
        if self.joint or self.single:
            kept = _fetched(self.joint or self.rules[0])
        else:
            each = enumerate(map(_fetched, self.rules))
            kept = f"({''.join([f'{one} if needs[{k}] else None, ' for k, one in each])})"
        names = {f"_{name}": default for name, default in self.attributes.items()}
        names |= {"each": _each, "own": own_attribute, "FIXED": FIXED}
        return eval(_compiled(f"lambda raws, out, attrs, needs: {kept}"), names)

    @property
    def binary(self) -> bool:
        """Whether it takes two arrays, both differentiable, and has one output."""
        plain = not (self.joint or self.many or self.variadic)
        return plain and len(self.inputs) == 2 and all(self.rules)

    def fix(self, place: int) -> Op:
        """A binary operator with a number in `place`: unary, ``kernel(x, number)``."""
        name, kernel = self.inputs[place], self.kernel
        fixed = kernel if place == 1 else lambda x, number: kernel(number, x)
        changed = {
            "inputs": (self.inputs[1 - place],),
            "attributes": {name: None},
            "rules": {key: rule for key, rule in self.fields["rules"].items() if key != name},
            "broadcasts": False,
        }
        op = Op(self.name, fixed, **{**self.fields, **changed})
        op.fixed = place
        self.fixes.append(op)
        return op

    def __repr__(self) -> str:
        return f"<Op {self.name}>"


def define(
    name: str,
    kernel: Callable,
    doc: str = "",
    *,
    broadcasts: bool = False,
    many: bool = False,
    joint: Callable | None = None,
    constants: tuple[str, ...] = (),
    zero: bool = False,
    **rules: Callable,
) -> Callable:
    """Add an operator to the table.

    Parameters
    ----------
    name : str
        Its name in ``F``.
    kernel : callable
        ``kernel(*inputs, **attributes)`` over raw arrays.
    doc : str
        One line: what it computes.
    broadcasts : bool, default False
        Whether the kernel broadcasts its inputs; their gradients are summed back.
    many : bool, default False
        Whether the kernel returns a tuple of outputs.
    joint : callable, optional
        One rule returning the cotangents of all inputs, in place of `rules`.
    constants : tuple of str, default ()
        The inputs for which `joint` always returns None.
    zero : bool, default False
        Whether the gradient, without rules, is zero on purpose: results can be heads.
    **rules : callable
        The gradient rule of each differentiable input, under the input's name.

    Returns
    -------
    callable
        The operator over arrays; ``.op`` is its `Op`.
    """
    if name in TABLE:
        raise TypeError(f"{name}: there is an operator of this name already")
    inputs, attributes, variadic = signature(kernel)
    op = Op(
        name,
        choose(name, kernel),
        fallback=kernel,
        doc=doc,
        inputs=inputs,
        attributes=attributes,
        variadic=variadic,
        broadcasts=broadcasts,
        many=many,
        joint=joint,
        constants=constants,
        zero=zero,
        rules=rules,
    )
    if unknown := set(rules) - set(inputs):
        raise TypeError(f"{name}: gradient rules for {sorted(unknown)}, inputs are {inputs}")
    call = op.call
    call.__name__ = call.__qualname__ = name
    call.__doc__ = doc
    call.op = op  # type: ignore[attr-defined]
    TABLE[name] = op
    setattr(KERNELS, name, op.kernel)
    setattr(RECORDED, name, call)
    return call
