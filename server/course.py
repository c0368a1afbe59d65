"""The course a match has taken: what its terms and its logs say, folded together."""

from collections.abc import Sequence
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING, Self

from engine.board import EVERYTHING, Steps
from engine.deal import Deal, commitment, deal
from engine.games import variant
from server.events import (
    Aborted,
    Again,
    AnyEvent,
    Came,
    Committed,
    Credited,
    Dealt,
    Finished,
    Followed,
    Left,
    Numbers,
    Revealed,
    Seated,
    Terms,
    Went,
    parse_event,
)
from server.seat import Seat

if TYPE_CHECKING:
    from engine.result import Result

NEVER = 1 << 62


class State(StrEnum):
    """Where a match is on its way."""

    WAITING = "waiting"
    SEATED = "seated"
    REVEALING = "revealing"
    COUNTDOWN = "countdown"
    PLAYING = "playing"
    OVER = "over"
    ABORTED = "aborted"


ENDED = (State.OVER, State.ABORTED)


class Course:
    """What has happened to a match so far. Only events and board entries change it."""

    def __init__(self, terms: Terms) -> None:
        self.terms = terms
        self.variant = variant(terms.game)
        self.state = State.WAITING
        self.since = terms.since
        """When the present state began."""
        self.seats: list[Seat] = []
        self.deal: Deal | None = None
        self.starts = NEVER
        """When the countdown ends."""
        self.result: Result | None = None
        self.aborted: str | None = None
        self.ended: int | None = None
        self.next: str | None = None
        self.events = 0
        """How many events the match log has."""
        self.event_at = terms.since
        """When the last of them happened."""

    @classmethod
    def of(cls, terms: Terms, events: Sequence[tuple[int, str]]) -> Self:
        """What has happened according to the match log, entries as (time, text). The boards are as they were dealt."""
        course = cls(terms)
        for at, text in events:
            course.take(parse_event(text), at)
        return course

    @classmethod
    def restore(
        cls, terms: Terms, events: Sequence[tuple[int, str]], boards: Sequence[Sequence[tuple[int, str]]]
    ) -> Steps[Self]:
        """The match that these logs describe, entries as (time, text); in steps, as a board may have to think."""
        course = cls.of(terms, events)
        if course.deal is not None:
            for seat, log in zip(course.seats, boards, strict=True):
                yield from seat.retrace(log)
            for seat in course.seats:
                seat.may_show(course.passed_by_others(seat))
                seat.told = seat.progress()
                yield from seat.keep_up()
        return course

    @property
    def touched(self) -> int:
        """When something last happened."""
        return max([self.event_at, *(self.starts + seat.last.at for seat in self.seats if seat.entries)])

    @property
    def numbers(self) -> Numbers:
        """The number of the last entry of each log: the match's own, then those of the boards."""
        free = self.terms.seats - len(self.seats)
        return (self.events, *(len(seat.entries) for seat in self.seats), *[0] * free)

    @property
    def full(self) -> bool:
        """Whether all seats are taken."""
        return len(self.seats) == self.terms.seats

    @cached_property
    def commitment(self) -> str:
        """What binds the server to its secret."""
        return commitment(bytes.fromhex(self.terms.secret), self.terms.match, self.terms.game)

    def passed_by_others(self, seat: Seat) -> int:
        """The last deal position that all other boards have passed; everything, once there is nothing to decide."""
        others = (each.passed for each in self.seats if each is not seat)
        return EVERYTHING if self.state is State.OVER else min(others, default=EVERYTHING)

    def take(self, event: AnyEvent, at: int) -> None:
        """Take the next event of the match log, which happened at `at`."""
        self.events += 1
        self.event_at = at
        match event:
            case Seated():
                self.seats.append(Seat(self.terms.match, event))
                self.seats[event.seat].away_since = at
                if self.full:
                    self._enter(State.SEATED, at)
            case Came():
                self.seats[event.seat].connection = event.connection
                self.seats[event.seat].away_since = None
            case Went():
                if self.seats[event.seat].connection == event.connection:
                    self.seats[event.seat].connection = None
                    self.seats[event.seat].away_since = at
            case Committed():
                self.seats[event.seat].commitment = event.commitment
                if self.full and all(seat.commitment for seat in self.seats):
                    self._enter(State.REVEALING, at)
            case Revealed():
                self.seats[event.seat].nonce = event.nonce
            case Dealt():
                self._deal()
                self.starts = event.starts
                self._enter(State.COUNTDOWN, at)
            case Credited():
                self.since += event.downtime
                for seat in self.seats:
                    if seat.away_since is not None:
                        seat.away_since += event.downtime
                if self.starts != NEVER:
                    self.starts += event.downtime
            case Finished():
                self.result = event.result
                self.ended = at
                self._enter(State.OVER, at)
            case Aborted():
                self.aborted = event.why
                self.ended = at
                self._enter(State.ABORTED, at)
            case Again():
                self.seats[event.seat].again = True
            case Left():
                self.seats[event.seat].left = True
            case Followed():
                self.next = event.match

    def _enter(self, state: State, at: int) -> None:
        self.state = state
        self.since = at

    def _deal(self) -> None:
        nonces = [bytes.fromhex(seat.nonce or "") for seat in self.seats]
        self.deal = deal(self.variant.cards, bytes.fromhex(self.terms.secret), nonces, self.terms.match)
        for seat in self.seats:
            seat.deal(self.variant.board(self.deal), self.variant.board(self.deal))
