"""The messages that tell of a match as a whole: its public state, and its line in the list of matches."""

from typing import TYPE_CHECKING

from protocol.messages import ListedMatch, MatchState, SeatInfo, Side
from protocol.players import tag_of
from server.effects import SPECTATORS

if TYPE_CHECKING:
    from server.match import Match
    from server.seat import Seat


def state_message(match: "Match", now: int, audience: int, re: int | None = None) -> MatchState:
    """The public state of a match, for one audience. What is secret before the end is left out until then."""
    ended = match.ended is not None
    return MatchState(
        re=re,
        match=match.terms.match,
        game=match.terms.game,
        state=match.state,
        seats=[_seat_info(match, seat, now) for seat in match.seats],
        commitment=match.commitment,
        clock=match.terms.clock,
        grace=match.terms.grace,
        you=None if audience == SPECTATORS else audience,
        waits=max(0, match.waits_until - now) if match.waits_until is not None else None,
        starts=max(0, match.starts - now) if match.state == "countdown" else None,
        left=_left(match, now) if match.state == "playing" else None,
        result=match.result,
        aborted=match.aborted,
        secret=match.terms.secret if ended else None,
        digest=match.record.digest if ended else None,
        next=match.next,
    )


def _seat_info(match: "Match", seat: "Seat", now: int) -> SeatInfo:
    all_revealed = match.full and all(each.nonce for each in match.seats)
    grace = match.terms.grace
    gone = None if seat.away_since is None else min(grace, max(0, seat.away_since + grace - now))
    return SeatInfo(
        name=seat.name,
        tag=tag_of(seat.player),
        bot=seat.bot,
        level=seat.level,
        ready=seat.commitment is not None,
        nonce_commitment=seat.commitment,
        nonce=seat.nonce if all_revealed else None,
        away=gone,
        rematch=seat.again,
        left=seat.left,
    )


def _left(match: "Match", now: int) -> int:
    """What is left on the match clock: no more than there was, if a server took over that is a little behind."""
    return min(match.terms.clock, max(0, match.starts + match.terms.clock - now))


def listed(match: "Match", now: int) -> ListedMatch:
    """The match's line in the list of matches, with no more of its counts than spectators see."""
    return ListedMatch(
        match=match.terms.match,
        game=match.terms.game,
        seats=[
            Side(name=seat.name, tag=tag_of(seat.player), count=seat.shown_count, bot=seat.bot, level=seat.level)
            for seat in match.seats
        ],
        left=_left(match, now),
        spectators=match.spectators,
    )
