"""The command line of a hook: run a script, a module or code as Python would."""

from __future__ import annotations

import builtins
import io
import os
import pkgutil
import runpy
import sys
from collections.abc import Callable, Mapping, Sequence
from importlib.machinery import BuiltinImporter, PathFinder, SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType, TracebackType

#: The letters of the options of Python itself.
PYTHON = frozenset("bBdEiIOPqRsSuvWxX")
PACKAGE = __name__.partition(".")[0]
HOME = Path(__file__).resolve().parents[2]


def command(
    words: Sequence[str],
    usage: str,
    version: str,
    install: Callable[..., None],
    options: Mapping[str, str],
) -> None:
    """Run what a command line names, with a hook; does not return before that has ended.

    Parameters
    ----------
    words : sequence of str
        The command line, after the name of the command.
    usage : str
        What ``--help`` shows; it begins with ``usage: COMMAND``.
    version : str
        What ``--version`` shows.
    install : callable
        Installs the hook.
    options : mapping
        Options of the command line -> arguments of `install` that they set to True.
    """
    words, chosen = list(words), {}
    while words and words[0] in ("-h", "--help", "--version", *options):
        option = words.pop(0)
        if option not in options:
            print(version if option == "--version" else usage.rstrip())
            return
        chosen[options[option]] = True
    first = words[0] if words else ""
    way = {"-m": run_module, "-c": run_string}.get(first)
    if way is not None:
        del words[0]
    if not words or (way is None and first[:1] == "-" != first):
        name = usage.split()[1]
        wrong = f"no option {first!r}" if words else "there is nothing to run"
        if first[1:2] in PYTHON:
            option = " ".join(words[: 2 if first in ("-W", "-X") else 1])
            place = f"python {option} -m {name.replace('-', '.')} ..."
            wrong = f"{first} is an option of Python; give it before -m, as in\n{place}"
        print(f"{name}: {wrong}\n\n{usage}", end="", file=sys.stderr)
        raise SystemExit(2)
    install(**chosen)
    as_python(way or run_script, words)


def run_script(words: list[str]) -> None:
    """Run a file, a folder or archive with a ``__main__.py``, or ``-`` for what standard input has.

    Parameters
    ----------
    words : list of str
        The path and the arguments.
    """
    path = words[0]
    sys.argv[:] = words
    if path == "-":
        first_on_path("")
        execute(compile(sys.stdin.read(), "<stdin>", "exec", dont_inherit=True))
    elif pkgutil.get_importer(path) is not None:
        first_on_path(os.path.abspath(path))
        new_main()
        runpy._run_module_as_main("__main__", alter_argv=False)  # type: ignore[attr-defined]
    else:
        file = os.path.abspath(path)
        first_on_path(os.path.dirname(os.path.realpath(path)))
        try:
            with io.open_code(file) as stream:
                source = stream.read()
        except OSError as error:
            text = f"can't open file {file!r}: [Errno {error.errno}] {error.strerror}"
            print(f"{sys.executable}: {text}", file=sys.stderr)
            raise SystemExit(2) from None
        loader = SourceFileLoader("__main__", file)
        execute(
            compile(source, file, "exec", dont_inherit=True),
            __file__=file,
            __cached__=None,
            __loader__=loader,
        )


def run_module(words: list[str]) -> None:
    """Run a module, as ``python -m`` does: `words` are its name and the arguments."""
    sys.argv[:] = ["-m", *words[1:]]
    first_on_path(os.getcwd())
    new_main()
    runpy._run_module_as_main(words[0])  # type: ignore[attr-defined]


def run_string(words: list[str]) -> None:
    """Run a piece of code, as ``python -c`` does: `words` are the code and the arguments."""
    sys.argv[:] = ["-c", *words[1:]]
    first_on_path("")
    execute(compile(words[0], "<string>", "exec", dont_inherit=True))


def first_on_path(folder: str) -> None:
    """Put `folder` where Python has put its own choice, unless told not to (``-P``, ``-I``)."""
    if not getattr(sys.flags, "safe_path", sys.flags.isolated):
        sys.path[0] = folder
    if PathFinder.find_spec(PACKAGE) is None:  # it was found in the current folder
        sys.path.append(str(HOME))


def new_main() -> ModuleType:
    """An empty ``__main__``, for the program to be."""
    module = ModuleType("__main__")
    module.__dict__.update(__builtins__=builtins, __loader__=BuiltinImporter)
    sys.modules["__main__"] = module
    return module


def execute(code: CodeType, **names: object) -> None:
    """Run `code` as ``__main__``, with some names given."""
    module = new_main()
    module.__dict__.update(names)
    exec(code, module.__dict__)


def as_python(how: Callable[[list[str]], None], words: list[str]) -> None:
    """Run a program so that its traceback, if it comes to that, has its own frames alone."""
    try:
        how(words)
    except SystemExit:
        raise
    except BaseException:
        # Python itself prints the error and exits: it handles exit codes and signals.
        hook = sys.excepthook

        def show(
            kind: type[BaseException], value: BaseException, traceback: TracebackType | None
        ) -> None:
            sys.excepthook = hook
            sys.last_traceback = below = of_program(traceback)
            hook(kind, value.with_traceback(below), below)

        sys.excepthook = show
        raise


def of_program(traceback: TracebackType | None) -> TracebackType | None:
    """What is left of a traceback after the frames of this module."""
    step = below = traceback
    while step is not None:
        if step.tb_frame.f_globals is globals():
            below = step.tb_next
        step = step.tb_next
    return below
