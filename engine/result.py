"""Who won (rules.md, section 1)."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

import msgspec
from msgspec import Meta

from engine.board import Status

MOST_SEATS = 8
"""How many boards a match may have; the fewest is one."""


class Reason(StrEnum):
    """Why a match ended as it did."""

    SOLVED = "solved"
    """The winner was the first to solve the deal."""
    RESIGNED = "resigned"
    """Everybody else has resigned before the winner."""
    COUNT = "count"
    """The winner has the highest count."""
    DRAW = "draw"
    """Nobody has the first place alone."""
    ABORTED = "aborted"
    """The match never started: there is no winner and nothing to count."""


Seat = Annotated[int, Meta(ge=0, le=MOST_SEATS - 1)]
Place = Annotated[int, Meta(ge=1, le=MOST_SEATS)]


class Result(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The winner's seat (None for a draw or an aborted match), the reason, and the place of each seat, seat 0 first.

    Those who are equal share a place, and the places after it are left out: 1, 1, 3. Places are counted from 1; an aborted
    match has none.
    """

    winner: Seat | None
    reason: Reason
    places: Annotated[list[Place], Meta(max_length=MOST_SEATS)]


NO_RACE = Result(None, Reason.ABORTED, [])
"""What a match has come to that never started."""

PLACES_OF_TWO: dict[int | None, list[int]] = {None: [1, 1], 0: [1, 2], 1: [2, 1]}
"""The places of two players, by the winner: what was written of a result before there could be more."""


@dataclass(frozen=True, slots=True)
class Standing:
    """How one board stands: its status, its count, and when its last entry came (milliseconds of match time)."""

    status: Status
    count: int
    at: int


def decide(standings: Sequence[Standing]) -> Result | None:
    """The result that the boards of a match have come to, seat 0 first, or None while the race goes on.

    It goes on while two boards are open, and while one is whose player can still gain or lose a place by the count: there is
    no other board, or one that has neither solved the deal nor been resigned. So of two players the first to solve or to
    resign decides the race at once.

    Those who have solved the deal come first, in the order of their times. Then come those with a count, the highest first;
    one who still plays has a count as well. Last are those who have resigned, in the opposite order of their times: who
    has held out longer is placed before the others.
    """
    still_open = sum(board.status is Status.PLAYING for board in standings)
    rest = [board.status for board in standings if board.status is not Status.PLAYING]
    if still_open > 1 or not rest or (still_open and not {*rest} <= {Status.SOLVED, Status.RESIGNED}):
        return None
    keys = [_key(board) for board in standings]
    places = [1 + sum(other < key for other in keys) for key in keys]
    if places.count(1) > 1:
        return Result(None, Reason.DRAW, places)
    winner = places.index(1)
    return Result(winner, _reason(standings, standings[winner]), places)


def _key(board: Standing) -> tuple[int, int]:
    """What the places go by: the lower, the better."""
    match board.status:
        case Status.SOLVED:
            return 0, board.at
        case Status.RESIGNED:
            return 2, -board.at
    return 1, -board.count


def _reason(standings: Sequence[Standing], winner: Standing) -> Reason:
    """Why the winner has won: by what decided the race, where the winner has solved the deal after all others resigned."""
    resigned = [board.at for board in standings if board.status is Status.RESIGNED]
    by_resignation = len(resigned) >= max(1, len(standings) - 1)
    if winner.status is Status.SOLVED and not (by_resignation and max(resigned) < winner.at):
        return Reason.SOLVED
    return Reason.RESIGNED if by_resignation else Reason.COUNT
