"""Summarize skipped tests in one line: how many, and what to install to run them."""

from __future__ import annotations

import re
from collections.abc import Iterable

#: Packages that are imported under another name, or named by an extra.
_PACKAGES = {
    "PIL": "pillow",
    "cv2": "opencv-python-headless",
    "image": "pillow",
    "opencv": "opencv-python-headless",
    "sklearn": "scikit-learn",
    "xdist": "pytest-xdist",
    "array_api_strict": "array-api-strict",
}
_REASONS = (
    re.compile(r"could not import '([\w.]+)'"),
    re.compile(r"the extra (\w+) is not installed"),
    re.compile(r"(?<!extra )\b([\w.]+) is not installed"),
    re.compile(r"not installed: ([\w., -]+)"),
)


def packages(reason: str) -> set[str]:
    """The packages for want of which a test was skipped, as pip names them.

    Parameters
    ----------
    reason : str
        What the test said.

    Returns
    -------
    set of str
        Their names; empty if it was skipped for another reason.

    Examples
    --------
    >>> packages("Skipped: could not import 'cv2': No module named 'cv2'")
    {'opencv-python-headless'}
    >>> packages("Skipped: there is no GPU")
    set()
    """
    for pattern in _REASONS:
        found = pattern.search(reason)
        if found:
            names = (name.strip().split(".")[0] for name in found[1].split(","))
            return {_PACKAGES.get(name, name) for name in names}
    return set()


def summary(reasons: Iterable[str]) -> str:
    """Return one line that says how many tests were skipped and how to run them.

    Parameters
    ----------
    reasons : iterable of str
        Why each test was skipped.

    Returns
    -------
    str
        The line; empty if nothing was skipped.

    Examples
    --------
    >>> summary(["torch is not installed", "could not import 'torch'", "there is no GPU"])
    '2 tests need packages that are not installed; to run them: pip install torch. 1 was skipped \
for another reason; to see why: -rs'
    """
    needed = [packages(reason) for reason in reasons]
    installable, other = sum(map(bool, needed)), sum(not one for one in needed)
    parts = []
    if installable:
        names = " ".join(sorted(set().union(*needed)))
        what = "1 test needs" if installable == 1 else f"{installable} tests need"
        them = "it" if installable == 1 else "them"
        parts.append(f"{what} packages that are not installed; to run {them}: pip install {names}")
    if other:
        what = (
            "1 was skipped for another reason"
            if other == 1
            else f"{other} were skipped for other reasons"
        )
        parts.append(f"{what}; to see why: -rs")
    return ". ".join(parts)
