"""Entry point of the command line: parses arguments, runs the command, turns errors into messages and exit codes."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module

from .. import __version__
from .streams import is_broken_pipe, prepare_stream
from .terminal import COMMANDS, COULD_NOT_RUN, CommandError

_CLOSED_PIPE = 141  # what a shell reports for a program that SIGPIPE ended
TRACEBACK = "RULEWRIGHT_TRACEBACK"  # environment variable; if set, bugs print their traceback


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return the exit code: 0 no problems, 1 problems, 2 the command could not run."""
    for stream in (sys.stdout, sys.stderr):
        prepare_stream(stream)
    try:
        status = run(list(sys.argv[1:] if arguments is None else arguments))
        sys.stdout.flush()
    except CommandError as stop:
        status = print_error(str(stop), stop.status)
    except KeyboardInterrupt:
        status = 130
    except OSError as error:
        is_closed = is_broken_pipe(error)
        status = discard_output(_CLOSED_PIPE if is_closed else print_error(describe_os_error(error), COULD_NOT_RUN))
    except Exception as error:
        if TRACEBACK in os.environ:
            raise
        mistake = f"a mistake in rulewright itself: {type(error).__name__}: {error}"
        status = print_error(f"{mistake}; {TRACEBACK}=1 shows where", COULD_NOT_RUN)
    return status


def run(arguments: list[str]) -> int:
    """Run one command; only its own module is imported."""
    if arguments in (["--version"], ["-V"]):
        print(f"rulewright {__version__}")
        return 0
    from .arguments import ParserExitError, parse_arguments

    try:
        command, options = parse_arguments(arguments, COMMANDS)
    except ParserExitError as done:
        return done.status
    status: int = import_module(f".{command}", __name__).run(options)
    return status


def print_error(message: str, status: int) -> int:
    """Print an error message and return the exit code."""
    from ..render.text_width import visible
    from .invocation import as_started

    print("rulewright:", "\n".join(map(visible, as_started(message).split("\n"))), file=sys.stderr)
    return status


def describe_os_error(error: OSError) -> str:
    return f"{error.filename}: {error.strerror}" if error.filename else str(error.strerror or error)


def discard_output(status: int) -> int:
    """Discard buffered output after the reader of a pipe is gone, so that Python prints no error at exit."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return status
