"""Racers who play on through anything: they resume with their last number, and send again what was not answered."""

import asyncio
import math
import random
import secrets
from collections.abc import Callable, Coroutine, Sequence

from engine.board import Board
from engine.cards import UNKNOWN, parse_card
from engine.deal import nonce_commitment
from engine.games import variant
from engine.sir_tommy import SirTommyBoard
from protocol import messages as wire
from tests.faults.guests import Guest, Party, Trouble
from tests.server.desk import sensible
from tests.server.driver import Client, Visitors

GAME = "puss-in-the-corner"
LATER = 0.2
"""Seconds after which something is sent again that the store could not keep."""
HOPELESS = ("gap", "stale", "match-over", "board-finished", "stock-empty", "no-card-in-hand", "card-in-hand")
"""Refusals of moves that were sent without waiting: think again with the board as it is."""
OUTAGE = ("store-failed", "shutting-down")


class Racer(Guest):
    """A player of one match. `errand` is how it comes about: a match of one's own, a quick one, or one to be joined.

    It makes `ahead` moves at a time without waiting for their answers; with more than one it plays without thinking.
    It stops for a while at entry `leash`, and takes `pace` seconds for a move.
    """

    def __init__(
        self,
        addresses: Sequence[str],
        errand: wire.ClientMessage,
        name: str = "Ann",
        *,
        ahead: int = 1,
        leash: float = math.inf,
        pace: float = 0.0,
        ping_timeout: float = 10.0,
    ) -> None:
        super().__init__(addresses, name)
        self.ping_timeout = ping_timeout
        self.errand = errand
        self.ahead = ahead
        self.leash = leash
        self.pace = pace
        self.seat = -1
        self.board: Board | None = None
        self.entries = 0
        """The last entry of the own board that is known here."""
        self.gives_up = False
        """Whether the next move is to resign."""
        self.rival: wire.Progress | None = None
        """How the rival comes along."""
        self.unanswered: dict[int, str] = {}
        """The moves on their way, by number."""
        self.acknowledged: dict[int, str] = {}
        """The moves that the server has said it has."""
        self.resent = 0
        """How often a move was sent again."""
        self._nonce = secrets.token_bytes(16)
        self._ready = self._revealed = False
        """Whether that has been said on this connection."""
        self._resuming = False
        self._requests: dict[int, int] = {}
        """The numbers of the moves asked for, by request."""
        self._last_request = 0
        self._timers: set[asyncio.TimerHandle] = set()
        self._moving: set[asyncio.Task[None]] = set()

    # For the test

    async def playing(self) -> None:
        """Wait until the race is on."""
        await self.until(lambda: self.board is not None)

    async def has_made(self, entries: int) -> None:
        """Wait until so many entries are acknowledged, or there are no more to be made."""
        await self.until(lambda: self.entries >= entries or self.finished)

    async def has_taken(self, seat: int) -> None:
        """Wait until the seat is taken."""
        await self.until(lambda: self.state is not None and len(self.state.seats) > seat)

    async def go_on(self, leash: float = math.inf) -> None:
        """Play on, to this entry or to the end."""
        self.leash = leash
        await self._play_on()

    @property
    def finished(self) -> bool:
        return self.over or (self.board is not None and self.board.finished)

    @property
    def rival_away(self) -> bool:
        """Whether the rival is known to be gone."""
        return self.state is not None and self.state.seats[1 - self.seat].away is not None

    def __str__(self) -> str:
        return f"{super().__str__()}, entry {self.entries}, unanswered {self.unanswered}"

    # Coming back

    async def stay(self) -> None:
        try:
            await super().stay()
        finally:
            for timer in self._timers:
                timer.cancel()
            for task in self._moving:
                task.cancel()

    async def arrive(self, welcome: wire.Welcome) -> None:
        self._ready = self._revealed = False
        self._requests.clear()
        if not self.match and welcome.seats:  # it came about, and nobody could say so any more
            (self.match,) = welcome.seats
        if self.match:
            await self._resume()
        else:
            self._last_request += 1
            self.errand.id = self._last_request
            await self.send(self.errand)

    async def _resume(self) -> None:
        self._resuming = True
        self._last_request += 1
        await self.send(wire.Resume(id=self._last_request, match=self.match, n=self.entries))

    # Hearing

    async def take(self, message: wire.AnyServerMessage) -> None:
        if isinstance(message, wire.MatchState) and not self.match and message.re is not None:
            self.match = message.match
        await super().take(message)
        match message:
            case wire.MatchState(match=self.match):
                await self._follow(message)
            case wire.BoardState(match=self.match, seat=self.seat):
                assert self.state is not None
                assert message.n >= max(self.acknowledged, default=0), f"{self} has lost entries: {message}"
                self.board, self.entries = variant(self.state.game).board_from(message.view), message.n
            case wire.Moved(match=self.match, seat=self.seat):
                self._enter(message)
            case wire.Progress(match=self.match):
                self.rival = message
                return
            case wire.Refused():
                await self._think_again(message)
            case _:
                return
        await self._play_on()

    async def _follow(self, state: wire.MatchState) -> None:
        assert state.you is not None
        self.seat = state.you
        if state.re == self._last_request and self._resuming:
            self._resuming = False
            for number, text in sorted(self.unanswered.items()):
                self.resent += 1
                await self._send_move(number, text)
        if state.state in ("waiting", "seated") and not self._ready:
            self._ready = True
            commitment = nonce_commitment(self._nonce, self.match, self.seat)
            await self.send(wire.Ready(match=self.match, commitment=commitment))
        elif state.state == "revealing" and not self._revealed:
            self._revealed = True
            await self.send(wire.Reveal(match=self.match, nonce=self._nonce.hex()))

    def _enter(self, moved: wire.Moved) -> None:
        self.acknowledged[moved.n] = moved.move
        self.unanswered.pop(moved.n, None)
        if self.board is None or moved.n <= self.entries:
            return
        assert moved.n == self.entries + 1, f"{self} was told {moved}, with a gap before it"
        self.board.enter(moved.move, parse_card(moved.card) if moved.card else UNKNOWN)
        self.entries = moved.n
        assert (self.board.status, self.board.count) == (moved.status, moved.count), f"{self} disagrees with {moved}"

    async def _think_again(self, refused: wire.Refused) -> None:
        number = self._requests.pop(refused.re, None) if refused.re is not None else None
        if refused.code == "not-your-seat":
            return  # a newer connection has taken it, and this one is about to be closed
        if refused.code in OUTAGE:
            if number is None:
                raise Trouble(refused.code)
            if not self._timers:
                self._later(LATER, self._resume)
        elif number is not None:
            assert refused.code in HOPELESS, f"{self} was refused: {refused}"
            for each in [each for each in self.unanswered if each >= number]:
                del self.unanswered[each]
            if not self.over and refused.code != "match-over":
                await self._resume()
        elif refused.code != "not-revealing":
            raise AssertionError(f"{self} was refused: {refused}")

    # Playing

    async def _play_on(self) -> None:
        """Make the moves that may be made now."""
        if self.pace:
            if not self._timers and not self.unanswered:
                self._later(self.pace, self._make_moves)
        else:
            await self._make_moves()

    async def _make_moves(self) -> None:
        while (
            self.board is not None
            and not self.finished
            and not self._resuming
            and self.connected
            and len(self.unanswered) < self.ahead
            and not {"stand", "resign"} & set(self.unanswered.values())
            and (number := self.entries + len(self.unanswered) + 1) <= self.leash
        ):
            text = self._next_move(self.board, number)
            self.unanswered[number] = text
            await self._send_move(number, text)

    def _next_move(self, board: Board, number: int) -> str:
        if self.gives_up:
            return "resign"
        if not self.unanswered and self.ahead == 1:
            return str(sensible(board))
        assert isinstance(board, SirTommyBoard), "without thinking, only this family can be played"
        before = self.unanswered.get(number - 1)
        in_hand = before == "t" if before else board.hand is not None
        if in_hand:
            return f"hp{random.randint(1, 4)}"
        turned = sum(text == "t" for text in self.unanswered.values())
        return "t" if board.view().stock > turned else "stand"

    async def _send_move(self, number: int, text: str) -> None:
        self._last_request += 1
        self._requests[self._last_request] = number
        await self.send(wire.Move(id=self._last_request, match=self.match, n=number, move=text))

    def _later(self, seconds: float, work: Callable[[], Coroutine[None, None, None]]) -> None:
        def begin() -> None:
            self._timers.discard(timer)
            task = asyncio.ensure_future(work())
            self._moving.add(task)
            task.add_done_callback(self._moved)

        timer = asyncio.get_running_loop().call_later(seconds, begin)
        self._timers.add(timer)

    def _moved(self, task: asyncio.Task[None]) -> None:
        self._moving.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            assert isinstance(error, Exception)
            self.failure = error


async def pair(
    people: Party, first: Sequence[str], second: Sequence[str], game: str = GAME, number: int = 0, **options: float
) -> tuple[Racer, Racer]:
    """Two racers in a match of their own, one of whom goes to the addresses `first`, the other to `second`."""
    terms = {name: int(options.pop(name)) for name in ("clock", "grace") if name in options}
    ann = people.come(Racer(first, wire.Create(game=game, **terms), f"Ann {number}", **options))  # type: ignore[arg-type]
    await ann.has_taken(0)
    bob = people.come(Racer(second, wire.Join(match=ann.match), f"Bob {number}", **options))  # type: ignore[arg-type]
    await bob.has_taken(1)
    return ann, bob


async def pairs(
    people: Party, count: int, first: Sequence[str], second: Sequence[str], game: str = GAME, **options: float
) -> list[Racer]:
    """The racers of so many matches, all racing."""
    made = await asyncio.gather(*(pair(people, first, second, game, number, **options) for number in range(count)))
    racers = [racer for both in made for racer in both]
    await asyncio.gather(*(racer.playing() for racer in racers))
    return racers


async def two(here: Visitors, there: Visitors, **terms: int) -> tuple[Client, Client]:
    """Ann and Bob in a race of their own, each a visitor of a server."""
    ann, bob = await here.guest("Ann"), await there.guest("Bob")
    await ann.create(GAME, **terms)
    await bob.join(ann.match)
    await start(ann, bob)
    return ann, bob


async def start(*players: Client) -> None:
    """Bring a seated match to its start, with players who may be at different servers."""
    for player in players:
        await player.ready()
    for player in players:
        await player.reached("revealing", player.match)
        await player.reveal()
    for player in players:
        await player.state("playing")
        await player.next(wire.BoardState, lambda board, player=player: board.seat == player.seat)  # type: ignore[misc]
