"""What a match wants done: the output of the pure core, carried out by `server.hub`."""

from collections.abc import Sequence
from typing import NamedTuple

from protocol.messages import Refused, ServerMessage

SPECTATORS = -1
"""The audience beside the seats."""


class Append(NamedTuple):
    """Entry `n` is to be added to one of the match's logs; `at` is its time in milliseconds."""

    log: int
    n: int
    at: int
    text: str


class Send(NamedTuple):
    """A message for some of the audiences: the seats, by their numbers, and `SPECTATORS`."""

    to: Sequence[int]
    message: ServerMessage


Effect = Append | Send


class Refusal(Exception):
    """A command was refused and has changed nothing; `code` is one of `protocol.codes`.

    `n` is the number of the board's last entry, after a refused move.
    """

    def __init__(self, code: str, why: str, n: int | None = None) -> None:
        super().__init__(why)
        self.code = code
        self.why = why
        self.n = n

    def message(self, match: str | None, re: int | None) -> Refused:
        """The refusal as it goes over the wire."""
        return Refused(re=re, code=self.code, why=self.why, match=match, n=self.n)
