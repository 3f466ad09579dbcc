"""Ask the oracle, real MXNet 1.9.1, for the networks in tests/model_zoo/programs.py.

Run it where MXNet is installed, whenever networks were added or changed; gluon is not needed:

    /path/to/oracle/bin/python recorded/make_zoo.py

It writes ``zoo.npz`` beside itself; see ``make_gluon.py``.
"""

from __future__ import annotations

from make_gluon import write


def main() -> None:
    from tests.model_zoo.programs import programs

    write(programs(), "zoo.npz")


if __name__ == "__main__":
    main()
