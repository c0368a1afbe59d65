"""The record of a match that has ended."""

from datetime import UTC, datetime

from engine.board import Status
from engine.cards import card_text
from engine.deal import DEAL_VERSION
from engine.record import RECORD_VERSION, Record, SeatRecord, sealed
from engine.result import NO_RACE
from server.course import Course
from server.seat import Seat


def record_of(match: Course) -> Record:
    """The record of a match that has ended."""
    return sealed(
        Record(
            format="tommy-race match",
            version=RECORD_VERSION,
            match=match.terms.match,
            game=match.terms.game,
            created=datetime.fromtimestamp(match.terms.created / 1000, UTC).isoformat(timespec="milliseconds"),
            clock=match.terms.clock,
            grace=match.terms.grace,
            deal_version=DEAL_VERSION,
            fixed_by="players",
            commitment=match.commitment,
            secret=match.terms.secret,
            deck=[card_text(card) for card in match.deal.first] if match.deal else [],
            second=[card_text(card) for card in match.deal.second] if match.deal else [],
            seats=[_seat_record(seat) for seat in match.seats],
            result=match.result or NO_RACE,
        )
    )


def _seat_record(seat: Seat) -> SeatRecord:
    dealt = seat.board is not None
    return SeatRecord(
        name=seat.name,
        bot=seat.bot,
        level=seat.level,
        nonce_commitment=seat.commitment,
        nonce=seat.nonce,
        entries=[(entry.at, entry.text) for entry in seat.entries],
        status=seat.last.status if dealt else Status.PLAYING,
        count=seat.last.count if dealt else 0,
    )
