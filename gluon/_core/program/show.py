"""Programs as text: the instructions, what runs in Python and why, and why calls ran as written."""

from __future__ import annotations

from typing import Any

from .plan import Plan
from .values import Instruction, View

KINDS = ("fused", "product", "sum", "copy", "kernel", "mask")


def text(name: str, compiled: Any) -> str:
    """What is known of a step: its programs, and why calls ran without one."""
    lines = [f"{name}: {_count(len(compiled.variants), 'form')} of arguments"]
    for variant in compiled.variants.values():
        lines += ["", arguments(variant), f"  {waiting(variant)}"]
        if variant.ready:
            lines += [f"  {line}" for line in _program(variant.program.plan)]
    if compiled.why:
        lines += ["", "calls that ran as written:"]
        lines += [f"  {n:6}  {why}" for why, n in compiled.why.items()]
    return "\n".join(lines)


def _count(n: int, what: str) -> str:
    return f"{n} {what}{'s' * (n != 1)}"


def arguments(variant: Any) -> str:
    """The forms of the arguments."""
    forms = [f"{dtype}{list(shape)}" for dtype, shape in variant.forms_of_leaves]
    return f"for {', '.join(forms) or 'no arrays'}:"


def waiting(variant: Any) -> str:
    """The size of the program; why there is none, or when there will be."""
    if variant.failed:
        return f"runs as written: {variant.failed}"
    if variant.ready:
        order = ", sums in the order of the step" if variant.exact else ""
        return summary(variant.program.plan) + order
    watched = f"from call {variant.wait + 1} on it is watched, to become a program"
    return f"called {_count(variant.calls, 'time')}; {watched}"


def summary(plan: Plan) -> str:
    """How many instructions there are, by kind, and their memory."""
    counts = [kind(one) for one in plan.instructions]
    total = ", ".join(f"{counts.count(one)} {one}" for one in dict.fromkeys(counts))
    return f"{_count(len(counts), 'instruction')} ({total}), {plan.size:,} bytes of memory"


def _program(plan: Plan) -> list[str]:
    lines = []
    for segment, (first, end) in enumerate(zip(plan.starts, plan.starts[1:])):
        for k in range(first, end):
            lines.append(_line(k, plan.instructions[k], plan.groups[k]))
        if segment < len(plan.actions):
            action = plan.actions[segment]
            lines.append(f"   -  calls   {action.call.__qualname__}{_at(action.line)}")
        elif segment == 0 and plan.turned:
            lines.append("   -  backward pass")
    return lines


def kind(instruction: Any) -> str:
    """The kind of an instruction in a word."""
    return "Python" if instruction is None else KINDS[instruction[0]]


def _line(k: int, instruction: Any, group: list[Instruction]) -> str:
    lines = list(dict.fromkeys(node.line for node in group if node.line))
    where = _at(lines[0] + (" and others" if len(lines) > 1 else "")) if lines else ""
    return f"{k:4}  {kind(instruction):7} {described(group)}{where}"


def described(group: list[Instruction]) -> str:
    """What an instruction computes, and why in Python."""
    names = list(dict.fromkeys(node.name for node in group))
    what = ", ".join(names[:6]) + (f" and {len(names) - 6} more" if len(names) > 6 else "")
    if len(group) > 1:
        what = f"{len(group)} operations on {group[0].writes[0].size:,} values: {what}"
    elif group[0].writes:
        what += f" {_form(group[0].writes[0])}"
    return what + (f" ({group[0].why})" if group[0].why else "")


def label(group: list[Instruction]) -> str:
    """The name of an instruction: that of its operator, or of the first few that it fuses."""
    names = list(dict.fromkeys(node.name for node in group))
    return "+".join(names[:3]) + "+..." * (len(names) > 3)


def line_of(group: list[Instruction]) -> str:
    """The user's line that an instruction belongs to first."""
    return group[0].line.rpartition(", ")[2]


def layer_of(group: list[Instruction]) -> str:
    """The layers that an instruction belongs to."""
    layers = [node.line.rpartition(", ")[0] for node in group]
    return ", ".join(dict.fromkeys(filter(None, layers)))


def _form(v: View) -> str:
    return f"{v.dtype}{list(v.shape)}"


def _at(line: str) -> str:
    return f"  # {line}" if line else ""
