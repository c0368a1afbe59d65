"""Who won (rules.md, section 1)."""

from dataclasses import dataclass
from enum import StrEnum

import msgspec

from engine.board import Status


class Reason(StrEnum):
    """Why a match ended as it did."""

    SOLVED = "solved"
    RESIGNED = "resigned"
    COUNT = "count"
    DRAW = "draw"
    ABORTED = "aborted"
    """The match never started: there is no winner and nothing to count."""


class Result(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The winner's seat (0 or 1, None for a draw or an aborted match) and the reason."""

    winner: int | None
    reason: Reason


@dataclass(frozen=True, slots=True)
class Standing:
    """How one board stands: its status, its count, and when its last entry came (milliseconds of match time)."""

    status: Status
    count: int
    at: int


def decide(first: Standing, second: Standing) -> Result | None:
    """The result that two boards have come to, or None while the race goes on.

    Solving and resigning decide at once, the earlier of them where there are two; at the same time, and for different
    winners, they make a draw. Otherwise the match ends when both boards are finished, and the higher count wins.
    """
    decisive = [
        (board.at, Result(seat, Reason.SOLVED) if board.status is Status.SOLVED else Result(1 - seat, Reason.RESIGNED))
        for seat, board in enumerate((first, second))
        if board.status in (Status.SOLVED, Status.RESIGNED)
    ]
    if decisive:
        earliest = min(at for at, _ in decisive)
        results = [result for at, result in decisive if at == earliest]
        if len({result.winner for result in results}) == 2:
            return Result(None, Reason.DRAW)
        return min(results, key=lambda result: result.reason is not Reason.SOLVED)
    if Status.PLAYING in (first.status, second.status):
        return None
    if first.count == second.count:
        return Result(None, Reason.DRAW)
    return Result(0 if first.count > second.count else 1, Reason.COUNT)
