"""Sphinx directives: the operators that can be imported from ONNX files, and exported."""

from __future__ import annotations

import warnings
from collections import Counter
from typing import Any

from docutils.nodes import Element
from docutils.parsers.rst import Directive
from docutils.statemachine import StringList

from gluon import GluonError, onnx
from tests.onnx.nodes import cases, mistakes, network_of


def passes(case: Any) -> bool:
    """Whether gluon passes one of ONNX's tests of an operator."""
    try:
        return network_of(case.model) is not None and list(mistakes(case)) == []
    except (AssertionError, GluonError):
        return False


def came_in() -> list[str]:
    """Return the table of imported operators, with the number of ONNX's tests that pass."""
    counts: Counter[str] = Counter()
    passed: Counter[str] = Counter()
    for case in cases():
        kinds = {".".join(filter(None, (one.domain, one.op_type))) for one in case.model.graph.node}
        if len(kinds) == 1:
            (kind,) = kinds
            counts[kind] += 1
            passed[kind] += passes(case)
    rows = [f"| `{kind}` | {passed[kind]} | {counts[kind]} |" for kind in sorted(counts)]
    total = f"{passed.total()} of {counts.total()} tests of {len(counts)} operators pass."
    return [total, "", "| Operator | Passed | Tests |", "| --- | --- | --- |", *rows]


def go_out() -> list[str]:
    """Return a table of the operators of symbols that can be exported."""
    rows = [f"| `{name}` |" for name in onnx.get_operator_support()]
    return [f"{len(rows)} operators:", "", "| Operator |", "| --- |", *rows]


TABLES = {"in": came_in, "out": go_out}


class OnnxCoverage(Directive):
    """``onnx-coverage`` with ``in`` or ``out``."""

    required_arguments = 1

    def run(self) -> list:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)
            lines = TABLES[self.arguments[0]]()
        node = Element()
        self.state.nested_parse(StringList(lines, source="onnx-coverage"), 0, node)
        return node.children


def setup(app: Any) -> dict:
    app.add_directive("onnx-coverage", OnnxCoverage)
    return {"parallel_read_safe": True}
