"""List the names of the Python array API standard, as `array_api_strict` has them.

    python recorded/make_array_api.py

It writes ``array_api.json`` beside itself: the names of the main namespace and those of ``linalg``.
"""

from __future__ import annotations

import json
from pathlib import Path

import array_api_strict

#: Names of `array_api_strict` itself, beside the standard.
OWN = {"Device", "ArrayAPIStrictFlags", "__version__", "fft", "linalg"}


def main() -> None:
    names = [name for name in array_api_strict.__all__ if name not in OWN and "strict" not in name]
    found = {"version": array_api_strict.__array_api_version__, "names": sorted(names)}
    found["linalg"] = sorted(array_api_strict.linalg.__all__)
    path = Path(__file__).resolve().parent / "array_api.json"
    path.write_text(json.dumps(found, indent=0) + "\n")
    print({key: len(value) for key, value in found.items()})


if __name__ == "__main__":
    main()
