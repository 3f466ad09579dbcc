"""Programs as text: the instructions, what runs in Python and why, and why calls ran as written."""

from __future__ import annotations

from typing import Any

from .plan import Plan
from .values import Node, View

KINDS = ("fused", "product", "sum", "copy", "kernel", "mask")


def text(name: str, compiled: Any) -> str:
    """What is known of a step: its programs, and why calls ran without one."""
    lines = [f"{name}: {_count(len(compiled.variants), 'form')} of arguments"]
    for variant in compiled.variants.values():
        lines += ["", _arguments(variant)]
        if variant.failed:
            lines.append(f"  runs as written: {variant.failed}")
        elif variant.ready:
            lines += [f"  {line}" for line in _program(variant.program.plan)]
        else:
            lines.append(
                f"  called {_count(variant.calls, 'time')}; from call {variant.wait + 1} on it is"
                " watched, to become a program"
            )
    if compiled.why:
        lines += ["", "calls that ran as written:"]
        lines += [f"  {n:6}  {why}" for why, n in compiled.why.items()]
    return "\n".join(lines)


def _count(n: int, what: str) -> str:
    return f"{n} {what}{'s' * (n != 1)}"


def _arguments(variant: Any) -> str:
    forms = [f"{dtype}{list(shape)}" for dtype, shape in variant.forms_of_leaves]
    return f"for {', '.join(forms) or 'no arrays'}:"


def _program(plan: Plan) -> list[str]:
    counts = [_kind(one) for one in plan.instructions]
    total = ", ".join(f"{counts.count(kind)} {kind}" for kind in dict.fromkeys(counts))
    lines = [f"{_count(len(counts), 'instruction')} ({total}), {plan.size:,} bytes of memory"]
    for segment, (first, end) in enumerate(zip(plan.starts, plan.starts[1:])):
        for k in range(first, end):
            lines.append(_line(k, plan.instructions[k], plan.groups[k]))
        if segment < len(plan.actions):
            action = plan.actions[segment]
            lines.append(f"   -  calls   {action.call.__qualname__}{_at(action.line)}")
    return lines


def _kind(instruction: Any) -> str:
    return "Python" if instruction is None else KINDS[instruction[0]]


def _line(k: int, instruction: Any, group: list[Node]) -> str:
    names = list(dict.fromkeys(node.name for node in group))
    what = ", ".join(names[:6]) + (f" and {len(names) - 6} more" if len(names) > 6 else "")
    if len(group) > 1:
        what = f"{len(group)} operations on {group[0].writes[0].size:,} values: {what}"
    elif group[0].writes:
        what += f" {_form(group[0].writes[0])}"
    why = f" ({group[0].why})" if group[0].why else ""
    lines = list(dict.fromkeys(node.line for node in group if node.line))
    where = _at(lines[0] + (" and others" if len(lines) > 1 else "")) if lines else ""
    return f"{k:4}  {_kind(instruction):7} {what}{why}{where}"


def _form(v: View) -> str:
    return f"{v.dtype}{list(v.shape)}"


def _at(line: str) -> str:
    return f"  # {line}" if line else ""
