"""Ask MegEngine 1.13 what becomes of the calls that tests/megengine/calls.py makes.

Run it where MegEngine is installed; gluon is not needed:

    /path/to/oracle/bin/python recorded/make_megengine_calls.py

It writes ``megengine_calls.json.gz`` beside itself. A call that ends MegEngine's process is left
out, and so is one whose result is another the second time: MegEngine reads memory that it has not
written. Calls are run in a process of their own, which is started again after the bad ones.
"""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from pathlib import Path
from threading import Timer

HERE = Path(__file__).resolve().parent
#: How long a call may take, in seconds.
LONGEST = 20.0


def serve() -> None:
    """Print a line for each call that standard input names."""
    import megengine

    from tests.megengine.calls import outcome

    megengine.config.async_level = 0  # errors where they happen
    for line in sys.stdin:
        found = [outcome(megengine, json.loads(line)) for _ in range(2)]
        print("#" + json.dumps(found), flush=True)


def ask(texts: list[str]) -> dict:
    """What becomes of each call."""
    found: dict = {}
    process = None
    for text in texts:
        if process is None:
            words = [sys.executable, __file__, "serve"]
            pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
            process = subprocess.Popen(words, stderr=subprocess.DEVNULL, **pipes)
        process.stdin.write(json.dumps(text) + "\n")
        process.stdin.flush()
        timer = Timer(LONGEST, process.kill)
        timer.start()
        line = next((one for one in process.stdout if one[:1] == "#"), None)
        timer.cancel()
        if line is None:
            print("it does not end, or ends the process:", text, flush=True)
            process = None
            continue
        first, second = json.loads(line[1:])
        if first == second:
            found[text] = first
    return found


def main() -> None:
    import megengine

    from tests.megengine.calls import calls

    found = ask(calls(megengine))
    with gzip.GzipFile(HERE / "megengine_calls.json.gz", "wb", mtime=0) as file:
        file.write(json.dumps(found).encode())
    print(len(found), "calls")


if __name__ == "__main__":
    sys.path.insert(0, str(HERE.parent))
    serve() if "serve" in sys.argv else main()
