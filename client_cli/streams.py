"""The standard streams where they fail: full, closed, or taken by something else."""

import os
from contextlib import suppress
from typing import TextIO

from client_cli.language import say
from client_cli.troubles import ClientError, FileTrouble

LAST = 2
"""The descriptor of standard error."""


def full(why: str) -> ClientError:
    """Standard output takes nothing more."""
    return ClientError(FileTrouble(say("standard output"), why))


def drop(out: TextIO | None) -> None:
    """Let go of what an output would not take: Python would try again at the end, and fail once more."""
    with suppress(OSError, ValueError, AttributeError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, out.fileno())  # type: ignore[union-attr]
        os.close(nowhere)


def fill_in_closed() -> None:
    """Have every standard descriptor that was closed lead nowhere.

    Otherwise the next file or socket gets its number, and what is read from standard input comes out of that.
    """
    with suppress(OSError):
        while (nowhere := os.open(os.devnull, os.O_RDWR)) <= LAST:
            pass
        os.close(nowhere)
