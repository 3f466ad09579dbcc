"""How notebooks behave while the site is built.

An error shows as its message, and names a cell by its number rather than by a temporary file. What
a cell prints comes in one piece when it ends, for myst-nb begins a new line where one piece meets
the next.
"""

from ipykernel.compiler import XCachingCompiler
from ipykernel.iostream import OutStream

c = get_config()  # type: ignore[name-defined]  # noqa: F821
c.InteractiveShell.xmode = "Minimal"
c.InteractiveShell.colors = "nocolor"
OutStream.flush_interval = 3600
XCachingCompiler.get_code_name = lambda self, raw, code, number: f"<cell {number}>"
