"""What stands for a plain kernel in the tests of its compiled one."""

from __future__ import annotations


def refuse(*args: object, **attributes: object) -> None:
    """Fail, because the compiled kernel left its arguments to the plain one."""
    raise AssertionError("this goes to the plain kernel")
