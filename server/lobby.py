"""The lobby: how two players, or a player and a house bot, come to sit in one match."""

import secrets
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from engine.deal import SECRET_BYTES
from engine.games import Game, variant
from protocol.messages import DEFAULT_CLOCK, DEFAULT_GRACE, MATCH_LENGTH, MATCH_LETTERS, Level
from server.course import ENDED, State
from server.effects import Effect, Refusal
from server.events import Terms
from server.house import House
from server.hub import Hub
from server.table import Table

if TYPE_CHECKING:
    from server.session import Session

MATCHES_OF_A_PLAYER = 8
MOST_TABLES = 20_000


class Lobby:
    """Makes matches, and seats players in them."""

    def __init__(self, hub: Hub, house: House, games: Sequence[Game]) -> None:
        self.hub = hub
        self.house = house
        self.games = games
        """The games that are offered; matches of others go on, and have their rematches."""
        self.closing = False
        """Whether the server takes no new matches any more."""
        self._waiting: list[Table] = []
        """Public matches that want a second player, or did when they were last looked at; the oldest first."""

    def quick(self, session: "Session", game: str, re: int | None) -> None:
        """Seat a player in the public match that has waited longest for this game, or in a new one."""
        spelling = self._offered(game)
        self._check_player(session)
        self._waiting = [table for table in self._waiting if table.match.state is State.WAITING and not table.failed]
        for table in self._waiting:
            first = table.match.seats[0]
            if table.match.terms.game == spelling and table.seated[0] is not None and first.player != session.player:
                self.sit(table, session, re)
                return
        self._check_room()
        table = self._lay(spelling, DEFAULT_CLOCK, DEFAULT_GRACE, listed=True)
        self.sit(table, session, re)
        self._waiting.append(table)

    def create(
        self, session: "Session", game: str, clock: int, grace: int, *, bot: Level | None, re: int | None
    ) -> None:
        """Make a match of a player's own: for whoever has its code, or against a house bot."""
        spelling = self._offered(game)
        self._check_player(session)
        self._check_room()
        if bot is not None and not self.house.has_room:
            raise Refusal("no-bots", "no house bot is free on this server")
        table = self._lay(spelling, clock, grace, listed=False)
        self.sit(table, session, re)
        if bot is not None:
            self._seat_bot(table, bot)

    def sit(self, table: Table, session: "Session", re: int | None) -> None:
        """Seat a player in a match. Raises `Refusal`."""
        self._check_player(session)

        def sit(now: int) -> list[Effect]:
            effects = table.match.sit(now, session.player, session.name, re=re)
            self.hub.seat(table, len(table.match.seats) - 1, session)
            return effects

        self.hub.act(table, sit)

    def again(self, table: Table, seat: int, re: int | None) -> None:
        """A player asks for a rematch; once both do, it is made, with the same seats on the same terms."""
        match = table.match
        self.hub.act(table, partial(match.again, seat=seat, re=re))
        if not match.wants_successor or self.closing:
            return
        terms = match.terms
        successor = self._lay(terms.game, terms.clock, terms.grace, listed=terms.listed)
        self.hub.act(table, partial(match.follow, successor=successor.code))
        for player in match.seats:
            if player.bot is not None:
                self._seat_bot(successor, player.bot)
            else:
                self.hub.act(successor, partial(successor.match.sit, player=player.player, name=player.name))
                self.hub.seat(successor, player.number, None)
                if table.seated[player.number] is None:
                    self.hub.act(successor, partial(successor.match.drop, seat=player.number))
        for number, session in enumerate(table.seated):  # they hear of it now that both are seated
            if session is not None:
                self.hub.resume(successor, number, session, last=0, re=None)

    def take_up(self) -> None:
        """Go on where the server stopped: with the matches that wait, and the house bots that play."""
        for table in self.hub.tables.values():
            match = table.match
            if match.state is State.WAITING and match.terms.listed:
                self._waiting.append(table)
            for seat in match.seats:
                if match.state not in ENDED and seat.bot is not None:
                    self.house.send(table.code, seat.bot)

    def _seat_bot(self, table: Table, level: Level) -> None:
        player, name = self.house.player(table.code), self.house.NAMES[level]
        number = len(table.match.seats)
        self.hub.act(table, partial(table.match.sit, player=player, name=name, bot=level))
        self.hub.act(table, partial(table.match.drop, seat=number))
        self.house.send(table.code, level)

    def _offered(self, game: str) -> str:
        """The spelling of a game that this server offers. Raises `UnknownGame`, or a `Refusal` that says what it offers."""
        chosen = variant(game)
        if chosen.game not in self.games:
            offered = ", ".join(each.name for each in self.games)
            raise Refusal("unknown-game", f"this server does not offer {chosen.game.name}, only {offered}")
        return chosen.spelling

    def _check_player(self, session: "Session") -> None:
        if self.closing:
            raise Refusal("shutting-down", "the server is closing and takes no new matches")
        if len(self.hub.seats_of(session.player)) >= MATCHES_OF_A_PLAYER:
            raise Refusal("too-many", f"you are in {MATCHES_OF_A_PLAYER} matches already")

    def _check_room(self) -> None:
        if len(self.hub.tables) >= MOST_TABLES:
            raise Refusal("too-many", "the server has as many matches as it can take")

    def _lay(self, game: str, clock: int, grace: int, *, listed: bool) -> Table:
        code = self._new_code()
        return self.hub.lay(
            Terms(
                match=code,
                game=game,
                clock=clock,
                grace=grace,
                listed=listed,
                secret=secrets.token_hex(SECRET_BYTES),
                created=self.hub.now(),
            )
        )

    def _new_code(self) -> str:
        while True:
            code = "".join(secrets.choice(MATCH_LETTERS) for _ in range(MATCH_LENGTH))
            if code not in self.hub.tables:
                return code
