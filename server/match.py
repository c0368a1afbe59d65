"""A match as a plain state machine: commands and times go in, effects come out.

It knows no sockets, no clock, no store and no chance. Times are milliseconds of the clock that all matches go by, which
stands still while nobody serves them. Each command checks first, so a `Refusal` leaves everything as it was; then it notes
what happened in a log and says what is to be sent. `server.hub` carries the effects out: messages wait until the log
entries before them are in the store.

    waiting -> seated -> revealing -> countdown -> playing -> over
    and, from each of the first four, -> aborted
"""

from collections.abc import Callable
from functools import cached_property
from typing import Self

from engine.board import ENDINGS, Steps
from engine.deal import nonce_commitment
from engine.errors import BadMove, EngineError
from engine.record import Record
from engine.result import Result, decide
from protocol.messages import BoardState, Level, ServerMessage
from server.course import ENDED, NEVER, Course, State
from server.effects import SPECTATORS, Append, Effect, Refusal, Send
from server.events import (
    MATCH_LOG,
    Aborted,
    Again,
    AnyEvent,
    Came,
    Committed,
    Dealt,
    Finished,
    Followed,
    Left,
    Revealed,
    Seated,
    StoredMatch,
    Terms,
    Went,
    board_log,
    event_text,
    parse_event,
)
from server.recording import record_of
from server.seat import Seat
from server.telling import state_message

COUNTDOWN = 3_000
WAITING_LIMIT = 1_800_000
READY_LIMIT = 120_000
REVEAL_LIMIT = 20_000
LONGEST_LOG = 5_000
"""Entries a player may make on one board; in some games cards could be moved back and forth for ever."""
MOST_EVENTS = 500
"""Entries of the match log after which those who come and go after the end add no more to it."""
PLAYERS_WORDS = ("stand", "resign")


class Match(Course):
    """One match, from its creation to its end. `due` is when `tick` has something to do next."""

    def __init__(self, terms: Terms) -> None:
        super().__init__(terms)
        self.spectators = 0
        self.due = NEVER
        self._end_told = False
        """Whether everybody here has been sent how the race ended."""
        self._effects: list[Effect] = []

    # Served by several servers, one after another or at the same time

    @classmethod
    def served(cls, stored: StoredMatch, *, begun: bool = False) -> Steps[Self]:
        """The match that a store has. `begun`: those who are connected here know that the race has begun."""
        match = yield from cls.restore(stored.terms, stored.events, stored.boards)
        if begun and match.state is State.COUNTDOWN:
            match.state = State.PLAYING
        match._end_told = match.state is State.OVER
        match._reckon()
        return match

    def recover(self, now: int, alive: Callable[[str], bool]) -> list[Effect]:
        """Note whose connections are no longer `alive`."""
        if self.state in ENDED:
            return []
        gone = [seat for seat in self.seats if seat.connection is not None and not alive(seat.connection)]
        for seat in gone:
            self._note(now, Went(seat.number, seat.connection or ""))
        if gone:
            self._changed(now)
        return self._flush()

    def catch_up(self, now: int, stored: StoredMatch) -> Steps[list[Effect]]:
        """Take what other servers have written, and tell it to those who are connected here.

        What follows from it, such as the end of the match, is due at once.
        """
        news = stored.after(self.numbers).events
        for at, text in news:
            event = parse_event(text)
            if isinstance(event, Finished):  # the entries that it follows from come before it
                yield from self._hear(now, stored)
            self.take(event, at)
        yield from self._hear(now, stored)
        if self.state is State.OVER and not self._end_told:
            self._show_all()
            self._tell_end(now)
        elif news:
            self._changed(now)
        return self._flush()

    def _hear(self, now: int, stored: StoredMatch) -> Steps[None]:
        """Take the boards' entries that are not known here."""
        boards = stored.after(self.numbers).boards
        if any(boards) and self.state is State.COUNTDOWN:
            self._begin(now)
        for seat, log in zip(self.seats, boards, strict=False):
            first = len(seat.entries) + 1
            if log:
                yield from seat.retrace(log)
            for number in range(first, len(seat.entries) + 1):
                self._effects.append(Send((seat.number,), seat.moved(number, own=True)))
        if any(boards):
            self._show_all()

    def tell(self, now: int) -> list[Effect]:
        """Tell everyone anew how the match stands, and how much time it has."""
        self._changed(now)
        return self._flush()

    def whole(self, now: int) -> list[Effect]:
        """Tell everyone everything anew."""
        self._changed(now)
        if self.state in (State.PLAYING, State.OVER):
            self._lay_open()
        return self._flush()

    # Before the race

    def sit(
        self,
        now: int,
        player: str,
        name: str,
        connection: str | None = None,
        *,
        bot: str | None = None,
        level: Level | None = None,
        paired: bool = False,
        re: int | None = None,
    ) -> list[Effect]:
        """A player takes the next free seat, and is away if there is no connection. The first to come gets seat 0."""
        if any(seat.player == player for seat in self.seats):
            raise Refusal("already-seated", "you have a seat in this match already: resume it")
        if self.state in ENDED:
            raise Refusal("has-started", f"this match is {self.state}")
        if self.full:
            raise Refusal("match-full", "all seats of this match are taken")
        number = len(self.seats)
        self._note(now, Seated(number, player, name, bot, level, paired))
        if connection is not None:
            self._note(now, Came(number, connection))
        self._changed(now, number, re)
        return self._flush()

    def sit_again(
        self, now: int, seat: int, connection: str, *, alive: Callable[[str], bool], re: int | None = None
    ) -> list[Effect]:
        """A player who is gone, and may not know of the seat, takes it up. Refused once something has come of it."""
        mine = self.seats[seat]
        if self.state not in (State.WAITING, State.SEATED) or mine.commitment is not None:
            raise Refusal("has-started", f"this match is {self.state}, and you know of it")
        if mine.connection is not None and alive(mine.connection):
            raise Refusal("already-seated", "you hold this seat already, on another connection")
        return self.resume(now, seat, connection, re=re)

    def ready(self, now: int, seat: int, commitment: str, re: int | None = None) -> list[Effect]:
        """The player is ready, and commits to a nonce."""
        mine = self.seats[seat]
        if mine.commitment is None:
            if self.state in ENDED:
                raise Refusal("has-started", f"this match is {self.state}")
            self._note(now, Committed(seat, commitment))
        elif mine.commitment != commitment:
            raise Refusal("already-ready", "you have committed to another nonce before")
        self._changed(now, seat, re)
        return self._flush()

    def reveal(self, now: int, seat: int, nonce: str, re: int | None = None) -> list[Effect]:
        """The player shows the nonce. When both have, the cards are dealt and the countdown begins."""
        mine = self.seats[seat]
        if mine.nonce is None:
            if self.state is not State.REVEALING:
                raise Refusal("not-revealing", "nonces are revealed when both players are ready, and only then")
            if nonce_commitment(bytes.fromhex(nonce), self.terms.match, seat) != mine.commitment:
                raise Refusal("bad-nonce", "this nonce does not fit your commitment")
            self._note(now, Revealed(seat, nonce))
            if all(each.nonce for each in self.seats):
                self._note(now, Dealt(now + COUNTDOWN))
        elif mine.nonce != nonce:
            raise Refusal("bad-nonce", "you have revealed another nonce before")
        self._changed(now, seat, re)
        return self._flush()

    def leave(self, now: int, seat: int, re: int | None = None) -> list[Effect]:
        """The player gives the seat up before the race, or the chance of a rematch after it."""
        if self.state is State.PLAYING:
            raise Refusal("has-started", "the race is on: resign instead")
        if self.state is State.OVER:
            if not self.seats[seat].left:
                self._note(now, Left(seat))
        elif self.state is not State.ABORTED:
            self._note(now, Aborted("left"))
        self._changed(now, seat, re)
        return self._flush()

    # The race

    def move(self, now: int, seat: int, number: int, text: str, re: int | None = None) -> list[Effect]:
        """Entry `number` of the player's board: a move, `stand` or `resign`.

        An entry made before is answered as it was then.
        """
        mine = self.seats[seat]
        last = len(mine.entries)
        if 0 < number <= last and mine.entries[number - 1].text == text:
            return [Send((seat,), mine.moved(number, re, own=True))]
        if self.state is not State.PLAYING:
            if self.state in ENDED:
                raise Refusal("match-over", f"the match is {self.state}", last)
            raise Refusal("not-started", "the match has not started", last)
        if number <= last:
            raise Refusal("stale", f"entry {number} of your board was made before, and was another", last)
        if number > last + 1:
            raise Refusal("gap", f"entry {number} cannot follow entry {last}", last)
        if last >= LONGEST_LOG and text not in PLAYERS_WORDS:
            raise Refusal("log-full", f"your board has had {LONGEST_LOG} entries: stand or resign", last)
        if text in ENDINGS and text not in PLAYERS_WORDS:
            raise Refusal("bad-move", f"{text} is for the server to say", last)
        try:
            self._play(now, mine, text, re)
        except EngineError as error:
            raise Refusal("bad-move" if isinstance(error, BadMove) else error.code, str(error), last) from None
        self._settle(now)
        return self._flush()

    def _play(self, now: int, seat: Seat, text: str, re: int | None = None) -> None:
        # No entry is older than those before it: a server that takes over may be a little behind the one that is gone.
        at = max([now - self.starts, *(each.last.at for each in self.seats)])
        seat.enter(text, at)
        number = len(seat.entries)
        self._effects.append(Append(board_log(seat.number), number, at, text))
        self._effects.append(Send((seat.number,), seat.moved(number, re, own=True)))

    def _settle(self, now: int) -> None:
        """Show what may be shown now, and end the match if the boards have decided it."""
        result = self._decision()
        if result is not None:
            self._note(now, Finished(result))
        self._show_all()
        if result is not None:
            self._tell_end(now)

    def _decision(self) -> Result | None:
        """The result that the boards have come to, and that has not been noted yet."""
        if self.result is not None or not any(seat.finished for seat in self.seats):
            return None
        return decide([seat.standing for seat in self.seats])

    # Connections

    def part(self, now: int, seat: int, connection: str) -> list[Effect]:
        """A connection is lost. If it still holds the seat, the grace period runs."""
        if self.seats[seat].connection == connection and self._tracks_connections:
            self._note(now, Went(seat, connection))
            self._changed(now)
        return self._flush()

    def resume(
        self, now: int, seat: int, connection: str, number: int | None = None, re: int | None = None
    ) -> list[Effect]:
        """The player is there again, on this connection, and has the board's entries up to `number`.

        0 asks for the whole board, None for nothing: the player has missed nothing.
        """
        mine = self.seats[seat]
        if mine.connection != connection and self._tracks_connections:
            self._note(now, Came(seat, connection))
        self._changed(now, seat, re)
        if number is None:
            return self._flush()
        if self.starts != NEVER and self.state in (State.PLAYING, State.OVER):
            if 0 < number <= len(mine.entries):
                missing: list[ServerMessage] = [
                    mine.moved(n, own=True) for n in range(number + 1, len(mine.entries) + 1)
                ]
            else:
                missing = [mine.own_board()]
            others = [each for each in self.seats if each is not mine]
            missing += [each.progress() for each in others]
            if self.state is State.OVER:
                missing += [each.own_board() for each in others]
            self._effects += [Send((seat,), message) for message in missing]
        return self._flush()

    @property
    def _tracks_connections(self) -> bool:
        """Whether it is worth an entry that somebody comes or goes: not for ever, once the match has ended."""
        return self.state not in ENDED or self.events < MOST_EVENTS

    def watched(self) -> list[ServerMessage]:
        """What a spectator who has just come is told, after the match's state."""
        if self.state not in (State.PLAYING, State.OVER):
            return []
        told: list[ServerMessage] = [self._public_board(seat) for seat in self.seats]
        return told + [seat.progress() for seat in self.seats]

    # After the race

    @cached_property
    def record(self) -> Record:
        """The record of the match, once it has ended."""
        return record_of(self)

    def again(self, now: int, seat: int, re: int | None = None) -> list[Effect]:
        """The player asks for a rematch."""
        if self.state is not State.OVER:
            raise Refusal("not-over", f"the match is {self.state}")
        if any(each.left for each in self.seats):
            raise Refusal("no-rematch", "one of you has left, so there is no rematch")
        if not self.seats[seat].again:
            self._note(now, Again(seat))
        self._changed(now, seat, re)
        return self._flush()

    @property
    def wants_successor(self) -> bool:
        """Whether all players want a rematch that has not been made yet. House bots always do."""
        return self.next is None and self.full and all(seat.again or seat.level for seat in self.seats)

    def follow(self, now: int, successor: str) -> list[Effect]:
        """The rematch has been made. There is only one."""
        if self.next is not None:
            raise Refusal("has-started", "the rematch has been made already")
        self._note(now, Followed(successor))
        self._changed(now)
        return self._flush()

    # Time

    def tick(self, now: int) -> list[Effect]:
        """Do whatever has fallen due by `now`."""
        while self.due <= now and self.state not in ENDED:
            self._fall_due(now)
            self._reckon()
        return self._flush()

    def _fall_due(self, now: int) -> None:
        if self.state is State.COUNTDOWN and self.starts <= now:
            self._begin(now)
            return
        if self.state is State.PLAYING:
            late = self.starts + self.terms.clock <= now
            for seat in self.seats:
                if not seat.finished and (late or self._gone(seat) <= now):
                    self._play(now, seat, "timeout" if late else "abandon")
            self._settle(now)
            return
        limit, why = self._limit()
        self._note(now, Aborted(why if limit <= now else "left"))
        self._changed(now)

    def _begin(self, now: int) -> None:
        """The countdown is over."""
        self.state = State.PLAYING
        self._changed(now)
        self._lay_open()

    def _gone(self, seat: Seat) -> int:
        """When the player's grace period ends."""
        return NEVER if seat.away_since is None else seat.away_since + self.terms.grace

    def _limit(self) -> tuple[int, str]:
        """Until when the match waits in its present state, and what its end is called then."""
        length, why = {
            State.WAITING: (WAITING_LIMIT, "nobody-came"),
            State.SEATED: (READY_LIMIT, "not-ready"),
            State.REVEALING: (REVEAL_LIMIT, "not-revealed"),
        }.get(self.state, (NEVER, ""))
        return self.since + length, why

    @property
    def waits_until(self) -> int | None:
        """Until when the match waits for somebody to come, to be ready or to reveal; None when it doesn't."""
        limit, why = self._limit()
        return limit if why else None

    def _reckon(self) -> None:
        """Work out `due` anew."""
        match self.state:
            case State.OVER | State.ABORTED:
                self.due = NEVER
            case State.COUNTDOWN:
                self.due = self.starts
            case State.PLAYING:
                leavers = [self._gone(seat) for seat in self.seats if not seat.finished]
                decided = self.since if self._decision() is not None else NEVER
                self.due = min(self.starts + self.terms.clock, decided, *leavers)
            case _:
                self.due = min([self._limit()[0], *(self._gone(seat) for seat in self.seats)])

    # Noting what happens

    def _note(self, now: int, event: AnyEvent) -> None:
        self.take(event, now)
        self._effects.append(Append(MATCH_LOG, self.events, now, event_text(event)))

    # Telling

    def _show_all(self) -> None:
        """Send what has become visible of the boards, if anything has."""
        for seat in self.seats:
            fresh = seat.may_show(self.passed_by_others(seat))
            if self.spectators:
                self._effects += [Send((SPECTATORS,), seat.moved(number)) for number in fresh]
            if (fresh or seat.is_live_news) and (progress := seat.progress()) != seat.told:
                seat.told = progress
                self._effects.append(Send(self._others(seat), progress))

    def _lay_open(self) -> None:
        """Send every board whole, to each audience as far as it may see it."""
        for seat in self.seats:
            seat.told = seat.progress()
            self._effects.append(Send((seat.number,), seat.own_board()))
            self._effects.append(Send((SPECTATORS,), self._public_board(seat)))  # entries are there after a restart
            self._effects.append(Send(self._others(seat), seat.told))

    def _public_board(self, seat: Seat) -> BoardState:
        """A board as everybody may see it now."""
        return seat.own_board() if self.state is State.OVER else seat.shown_board()

    def _tell_end(self, now: int) -> None:
        """Send the players each other's boards as well, and everyone the result."""
        self._end_told = True
        for seat in self.seats:
            rivals = tuple(each.number for each in self.seats if each is not seat)
            self._effects.append(Send(rivals, seat.own_board()))
        self._changed(now)

    def _others(self, seat: Seat) -> tuple[int, ...]:
        """Everyone but the owner of a board."""
        return (*(each.number for each in self.seats if each is not seat), SPECTATORS)

    def _changed(self, now: int, seat: int | None = None, re: int | None = None) -> None:
        """Tell everyone the match's state, one seat as the answer to its request `re`."""
        for audience in (*range(self.terms.seats), SPECTATORS):
            answers = re if audience == seat else None
            self._effects.append(Send((audience,), state_message(self, now, audience, answers)))

    def _flush(self) -> list[Effect]:
        self._reckon()
        effects, self._effects = self._effects, []
        return effects
