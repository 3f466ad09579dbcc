"""Print how the program was started, and exit with the requested status."""

import sys

import __main__

kept = {"__name__", "__file__", "__package__", "__spec__", "__cached__", "__doc__"}
print(
    sys.argv,
    sys.path[0],
    {k: v for k, v in vars(__main__).items() if k in kept}
    | {"__spec__": getattr(__spec__, "name", None)},
)
print(__builtins__.__name__, type(__loader__).__name__, sys.modules["__main__"] is __main__)
import pickle


class Thing:
    pass


print(type(pickle.loads(pickle.dumps(Thing()))) is Thing, Thing.__module__)
if "fail" in sys.argv:

    def function():
        raise KeyError("lost")

    function()
if "exit" in sys.argv:
    sys.exit(7)
if "message" in sys.argv:
    sys.exit("stopped")
if "assert" in sys.argv:
    try:
        1 / 0
    except ZeroDivisionError:
        assert False
