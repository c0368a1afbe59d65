"""A match on a desk: the pure state machine with a clock to turn and lists for a store and for its audiences.

It treats the match as the hub does: due things first, then the command; effects in their order. On the way it checks
what must hold of every effect whatever the test is about.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import combinations
from typing import Any, TypeVar

import msgspec
import pytest

from engine.board import Board, Steps
from engine.cards import rank
from engine.deal import nonce_commitment
from engine.games import CATALOGUE
from engine.moves import Area, Move
from engine.record import read_record, write_record
from engine.result import NO_RACE
from engine.sir_tommy import SirTommyBoard
from engine.verify import verify
from protocol.codec import MSGPACK
from protocol.messages import BoardState, MatchState, Moved, Progress, ServerMessage
from server.course import ENDED, State
from server.effects import SPECTATORS, Append, Effect, Refusal
from server.events import MATCH_LOG, AnyEvent, StoredMatch, Terms, board_log, parse_event
from server.match import Match
from server.telling import listed, state_message

CODE = "abcdefgh"
CREATED = 1_700_000_000_000
CLOCK = 600_000
GRACE = 30_000
NONCES = ("00112233445566778899aabbccddeeff", "ffeeddccbbaa99887766554433221100")
PLAYERS = ("aa" * 32, "bb" * 32)
NAMES = ("Ann", "Bob")
ANN, BOB = 0, 1
EVERYONE = (ANN, BOB, SPECTATORS)

Outcome = TypeVar("Outcome")


def at_once(steps: Steps[Outcome]) -> Outcome:
    """Do something that a server does in steps, and return what comes of it."""
    while True:
        try:
            next(steps)
        except StopIteration as done:
            result: Outcome = done.value
            return result


class Desk:
    """A match with its surroundings. `now` is the matches' clock, `logs` the store, `said` what everyone was sent."""

    def __init__(
        self, game: str = "sir-tommy", *, clock: int = CLOCK, grace: int = GRACE, secret: str = "5e" * 32
    ) -> None:
        self.terms = Terms(match=CODE, game=game, clock=clock, grace=grace, listed=True, secret=secret, created=CREATED)
        self.match = Match(self.terms)
        self.now = CREATED
        self.logs: tuple[list[tuple[int, str]], ...] = ([], [], [])
        self.history: list[Append] = []
        """Every entry of all logs, in the order in which they were made."""
        self.submitted: list[int] = []
        """How long the history was after each submission to the store."""
        self.said: list[tuple[int, ServerMessage]] = []
        self._told = dict.fromkeys(EVERYONE, 0)
        self._connections = 0

    # Doing

    def do(self, command: str, *args: Any, **options: Any) -> None:
        """Give the match a command now, after whatever is due. Raises `Refusal`."""
        self._tick()
        self._carry_out(getattr(self.match, command)(self.now, *args, **options))

    def sit(self, player: str, name: str, **options: Any) -> None:
        """A player takes a seat, on a connection of their own unless it is a bot's."""
        self.do("sit", player, name, None if "level" in options else self._connection(), **options)

    def drop(self, seat: int) -> None:
        """The connection that holds the seat is lost."""
        self.do("part", seat, self.match.seats[seat].connection or "nobody")

    def resume(self, seat: int, number: int | None, re: int | None = None) -> None:
        """The player is there again, on a new connection."""
        self.do("resume", seat, self._connection(), number, re)

    def _connection(self) -> str:
        self._connections += 1
        return f"desk-{self._connections}"

    def wait(self, milliseconds: int) -> None:
        """Let time pass. What falls due on the way is done when it does."""
        until = self.now + milliseconds
        while self.match.due <= until:
            self.now = max(self.now, self.match.due)
            self._tick()
        self.now = until

    def wait_for_due(self) -> None:
        """Let time pass until the match has something to do."""
        self.wait(self.match.due - self.now)

    def oversleep(self, milliseconds: int) -> None:
        """Let time pass while nobody calls the match."""
        self.now += milliseconds

    def restart(self, lost: int = 0) -> None:
        """A server dies, and another one goes on with what the store has. It knows nothing of the last `lost` milliseconds, but
        what happened to the match in them.
        """
        self.now = max(self.now - lost, self.match.touched)
        spectators = self.match.spectators
        self.match = self.restored()
        self.match.spectators = spectators
        self._carry_out(self.match.recover(self.now, alive=lambda _: False))
        self._tick()

    def _tick(self) -> None:
        if self.match.due <= self.now:
            self._carry_out(self.match.tick(self.now))

    def _carry_out(self, effects: list[Effect]) -> None:
        for effect in effects:
            if isinstance(effect, Append):
                log = self.logs[effect.log]
                assert effect.n == len(log) + 1, "entries are numbered 1, 2, 3 ..."
                if log and effect.log != MATCH_LOG:
                    assert effect.at >= log[-1][0], "no entry of a board is older than the one before it"
                log.append((effect.at, effect.text))
                self.history.append(effect)
            else:
                assert effect.to, "a message has somebody to go to"
                self.said += [(audience, effect.message) for audience in effect.to]
        if len(self.history) > (self.submitted[-1] if self.submitted else 0):
            self.submitted.append(len(self.history))

    # A match up to some point

    def seated(self) -> "Desk":
        for player, name in zip(PLAYERS, NAMES, strict=True):
            self.sit(player, name)
        return self

    def revealing(self) -> "Desk":
        self.seated()
        for seat in (0, 1):
            self.do("ready", seat, committed(seat))
        return self

    def counting_down(self) -> "Desk":
        self.revealing()
        for seat in (0, 1):
            self.do("reveal", seat, NONCES[seat])
        return self

    def playing(self) -> "Desk":
        self.counting_down().wait_for_due()
        assert self.match.state is State.PLAYING
        return self

    # Playing

    def board(self, seat: int) -> Board:
        board = self.match.seats[seat].board
        assert board is not None
        return board

    def count_of(self, seat: int) -> int:
        return len(self.match.seats[seat].entries)

    def move(self, seat: int, *moves: str) -> None:
        """Make the next entries of a board."""
        for move in moves:
            self.do("move", seat, self.count_of(seat) + 1, move)

    def play(self, seat: int, most: int = 1000) -> None:
        """Play as a simple player would, for so many moves or until the board is finished."""
        for _ in range(most):
            if self.board(seat).finished or self.match.state is not State.PLAYING:
                return
            self.move(seat, str(sensible(self.board(seat))))

    # Looking

    def state(self) -> State:
        return self.match.state

    def wants_rematch(self) -> bool:
        return self.match.wants_successor

    def new(self, audience: int) -> list[ServerMessage]:
        """What an audience has been sent since it was last asked."""
        before, self._told[audience] = self._told[audience], len(self.said)
        return [message for to, message in self.said[before:] if to == audience]

    def forget(self) -> None:
        """Take what everyone has been sent so far as known."""
        for audience in self._told:
            self.new(audience)

    @property
    def events(self) -> list[AnyEvent]:
        return [parse_event(text) for _, text in self.logs[MATCH_LOG]]

    def restored(self) -> Match:
        """The match as another server finds it in the store."""
        return at_once(Match.served(self.stored))

    @property
    def stored(self) -> StoredMatch:
        """What the store has."""
        return StoredMatch(self.terms, self.logs, tuple(map(len, self.logs)))

    def restored_and_served(self) -> Match:
        """The same as soon as it is served without any time in between."""
        match = self.restored()
        assert not [effect for effect in match.recover(self.now, alive=lambda _: True) if isinstance(effect, Append)]
        if match.due <= self.now:
            assert not [effect for effect in match.tick(self.now) if isinstance(effect, Append)]
        return match

    def picture(self) -> list[Any]:
        return picture(self.match, self.now)

    @contextmanager
    def refuses(self, code: str, n: int | None = None) -> Iterator[None]:
        """What is done within is refused with this code, and changes nothing."""
        before, logged, said = self.picture(), len(self.history), len(self.said)
        with pytest.raises(Refusal) as caught:
            yield
        assert (caught.value.code, caught.value.n) == (code, n)
        assert self.picture() == before
        assert (len(self.history), len(self.said)) == (logged, said)


def committed(seat: int, nonce: str | None = None) -> str:
    """The commitment to a seat's nonce."""
    return nonce_commitment(bytes.fromhex(nonce or NONCES[seat]), CODE, seat)


def picture(match: Match, now: int, *, connections: bool = True) -> list[Any]:
    """Everything that can be seen of a match from outside, by anybody, as bytes and plain numbers.

    Without `connections` what depends on who is connected is left out: a restart changes it on purpose.
    """
    messages: list[Any] = []
    for audience in EVERYONE:
        state = state_message(match, now, audience)
        if not connections:
            state.seats = [msgspec.structs.replace(seat, away=None) for seat in state.seats]
        messages.append(state)
    messages += match.watched()
    if match.state is State.PLAYING:
        messages.append(msgspec.structs.replace(listed(match, now), spectators=0))
    seen: list[Any] = []
    for seat in match.seats:
        if match.deal is not None:
            board = seat.board
            assert board is not None
            messages += [seat.own_board(), seat.progress(), seat.shown_board()]
            messages += [
                seat.moved(number, own=own) for number in range(1, len(seat.entries) + 1) for own in (True, False)
            ]
            seen += [board.passed, board.position, [str(move) for move in board.legal_moves()], seat.shown]
            seen.append(seat.told if match.state in (State.PLAYING, State.OVER) else None)
        seen += [seat.player, seat.commitment, seat.nonce, seat.bot, seat.level, seat.paired]
    if match.state in ENDED:
        messages.append(match.record)
    seen += [match.events, match.starts, match.wants_successor, match.deal]
    if connections:
        seen.append(match.due)
    return [msgspec.msgpack.encode(message) for message in messages] + seen


def about(messages: list[ServerMessage], seat: int) -> list[bytes]:
    """The messages about one board, as bytes."""
    kinds = (BoardState, Moved, Progress)
    return [encoded(message) for message in messages if isinstance(message, kinds) and message.seat == seat]


def encoded(message: ServerMessage) -> bytes:
    """A message as it goes over the wire."""
    frame = MSGPACK.encode(message)
    assert isinstance(frame, bytes)
    return frame


def last_state(messages: list[ServerMessage]) -> MatchState:
    """The newest state of the match among some messages."""
    return [message for message in messages if isinstance(message, MatchState)][-1]


def moves_seen(messages: list[ServerMessage], seat: int) -> list[tuple[int, str]]:
    """The numbered moves of a board among some messages."""
    return [(each.n, each.move) for each in messages if isinstance(each, Moved) and each.seat == seat]


def sensible(board: Board) -> Move:
    """A fair move: up when possible, else turn; else the pile where the card buries least."""
    moves = board.legal_moves()
    first = moves[0]
    if not isinstance(board, SirTommyBoard):
        return _sensible_on_columns(moves)
    if first.target.area is Area.FOUNDATION or board.hand is None:
        ups = [move for move in moves if move.target.area is Area.FOUNDATION]
        others = [move for move in moves if move.source.area is not Area.PILE]
        return (ups or others or moves)[0]
    height = rank(board.hand)

    def buried(move: Move) -> tuple[int, int]:
        pile = board.piles[move.target.number - 1]
        return sum(rank(card) < height for card in pile), -min(map(rank, pile), default=14)

    return min(moves, key=buried)


def _sensible_on_columns(moves: list[Move]) -> Move:
    """Up when possible, else from the waste to a column, else turn."""
    for wanted in (Area.FOUNDATION, Area.WASTE, Area.STOCK):
        for move in moves:
            if wanted in (move.target.area, move.source.area):
                return move
    return moves[0]


def spellings() -> list[str]:
    """Every game with every combination of its options."""
    return [
        "+".join((game.name, *chosen))
        for game in CATALOGUE.values()
        for number in range(len(game.options) + 1)
        for chosen in combinations(game.options, number)
    ]


def solve(desk: Desk, seat: int, *, all_but: int = 0) -> None:
    """Play a board of easy cards up, but for so many of its last entries."""
    entries = [entry for number in range(52) for entry in ("t", f"hf{number % 4 + 1}")]
    desk.move(seat, *entries[: len(entries) - all_but])


def get_stuck(desk: Desk, seat: int) -> None:
    """Play the aces of a board of easy cards up, and bury the twos under all others."""
    for number in range(52):
        desk.move(seat, "t", f"h{'f' if number < 4 else 'p'}{number % 4 + 1}")


def verified(desk: Desk) -> None:
    """The record of the match can be read, is true to itself, and says what the match says."""
    record = desk.match.record
    assert read_record(write_record(record)) == record
    assert [finding for finding in verify(record) if not finding.fits] == []
    assert record.result == (desk.match.result or NO_RACE)
    assert [seat.entries for seat in record.seats] == list(desk.logs[board_log(0) : board_log(len(record.seats))])


def over() -> Desk:
    """A match that Bob has just resigned."""
    desk = Desk().playing()
    desk.move(BOB, "resign")
    desk.forget()
    return desk
