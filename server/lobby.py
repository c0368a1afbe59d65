"""The lobby: how two players, or a player and a house bot, come to sit in one match."""

import secrets
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING

import structlog

from engine.deal import SECRET_BYTES
from engine.games import Game, variant
from engine.record import HOUSE_PROGRAM
from protocol.messages import (
    DEFAULT_CLOCK,
    DEFAULT_GRACE,
    HOUSE_BOTS,
    MATCH_LENGTH,
    MATCH_LETTERS,
    OFFERS,
    GameInfo,
    Level,
)
from server.clock import wall_clock
from server.course import State
from server.effects import Refusal
from server.events import Terms
from server.house import House
from server.hub import Hub
from server.match import Match
from server.seat import Seat
from server.store.port import Seeker, StoreError
from server.table import Table

if TYPE_CHECKING:
    from server.session import Session

MATCHES_OF_A_PLAYER = 8
MOST_TABLES = 20_000

log = structlog.get_logger()


class Lobby:
    """Makes matches, and seats players in them."""

    def __init__(self, hub: Hub, house: House, games: Sequence[Game]) -> None:
        self.hub = hub
        self.house = house
        self.games = games
        """The games that are offered; matches of others go on, and have their rematches."""

    @property
    def games_offered(self) -> list[GameInfo]:
        """The same with their figures, for players."""
        return [_offer(game) for game in self.games]

    @property
    def offers(self) -> list[str]:
        """What players may ask for beside the games."""
        return [offer for offer in OFFERS if offer != HOUSE_BOTS or self.house.limit]

    async def quick(self, session: "Session", game: str, *, bots: bool, re: int | None) -> None:
        """Seat a player in the public match that has waited longest for this game, or in a new one.

        `bots`: the rival may be a bot, as a bot's always may.
        """
        seeker = Seeker(session.player, bot=session.bot is not None, bots=bots or session.bot is not None)
        spelling = self._offered(game)
        if await self._has_asked(session, seeker, spelling, re):
            return
        await self._check_player(session)
        await self._give_up_rematches(session)
        if await self._find_rival(session, seeker, spelling, None, re):
            return
        self._check_room()
        table = await self._lay(spelling, DEFAULT_CLOCK, DEFAULT_GRACE, listed=True, bots=seeker.bots, session=session)
        # The player is not told yet: somebody else may have come at the same time.
        sit = partial(
            Match.sit, player=session.player, name=session.name, connection=session.connection, bot=session.bot
        )
        await self.hub.act(table, sit)
        try:
            found = await self._find_rival(session, seeker, spelling, table.code, re)
        except StoreError:  # the player is told that nothing has happened
            with suppress(StoreError):
                await self.hub.act(table, partial(Match.leave, seat=0))
            raise
        if found:
            await self.hub.act(table, partial(Match.leave, seat=0))
        else:
            await self.hub.resume(table, 0, session, last=None, re=re)

    async def _has_asked(self, session: "Session", seeker: Seeker, game: str, re: int | None) -> bool:
        """Give a player who was gone the seat of an earlier quick match back. Whether there is one.

        The connection may have been lost before the answer came, so that the player does not know of the seat. Who has
        asked as somebody else, or for other rivals, has asked for something else.
        """
        for table in await self._not_begun(session, game):
            asked_alike = table.match.state is State.SEATED or table.match.terms.bots == seeker.bots
            for seat in table.match.seats:
                if seat.player == session.player and (seat.bot is not None) == seeker.bot and asked_alike:
                    with suppress(Refusal):
                        await self.hub.sit_again(table, seat.number, session, re)
                        return True
        return False

    async def _not_begun(self, session: "Session", game: str) -> list[Table]:
        """A player's public matches of a game that are not under way, first those in which somebody else is seated."""
        found = []
        for code in await self.hub.store.seats(session.player):
            try:
                table = await self.hub.table(code, session.party)
            except Refusal:
                continue  # it is gone meanwhile
            except StoreError:
                raise
            except Exception:
                log.exception("match cannot be read", match=code)
                continue
            match = table.match
            if match.terms.listed and match.terms.game == game and match.state in (State.SEATED, State.WAITING):
                found.append(table)
        return sorted(found, key=lambda table: table.match.state is State.WAITING)

    async def _find_rival(self, session: "Session", seeker: Seeker, game: str, own: str | None, re: int | None) -> bool:
        """Seat a player with somebody who waits; if nobody does, let the player's own match wait. Whether there was one."""
        while True:
            code = await self.hub.store.pair(game, seeker, own)
            if code is None:
                return False
            found = await self._joined(code, session, re)
            with suppress(StoreError):  # whoever finds it next will do it
                await self.hub.store.withdraw(game, code)
            if found:
                return True

    async def _joined(self, code: str, session: "Session", re: int | None) -> bool:
        """Take the free seat of a match that waits; whether somebody waits there, and nobody else was quicker."""
        try:
            table = await self.hub.table(code, session.party)
            if table.match.state is State.WAITING and all(seat.away_since is None for seat in table.match.seats):
                await self.hub.sit(table, session, re, paired=True)
                return True
        except Refusal:
            pass
        return False

    async def create(
        self, session: "Session", game: str, clock: int, grace: int, *, level: Level | None, re: int | None
    ) -> None:
        """Make a match of a player's own: for whoever has its code, or against a house bot."""
        spelling = self._offered(game)
        await self._check_player(session)
        self._check_room()
        if level is not None and not self.house.has_room:
            raise Refusal("no-bots", "no house bot is free on this server")
        await self._give_up_rematches(session)
        table = await self._lay(spelling, clock, grace, listed=False, session=session)
        await self.hub.sit(table, session, re)
        if level is not None:
            await self._seat_bot(table, level)

    async def join(self, code: str, session: "Session", re: int | None) -> None:
        """Seat a player in a match that somebody else has made. Raises `Refusal`."""
        await self._check_player(session)
        table = await self.hub.table(code, session.party)
        if table.match.state is State.WAITING and all(seat.player != session.player for seat in table.match.seats):
            await self._give_up_rematches(session)
        await self.hub.sit(table, session, re)

    async def _give_up_rematches(self, session: "Session") -> None:
        """Who goes elsewhere must not be seated in a rematch as well that was asked for before and is agreed to only then."""
        for code, seat in list(session.seats.items()):
            table = self.hub.tables.get(code)
            if table is not None and table.match.next is None and table.match.seats[seat].again:
                await self.hub.act(table, partial(Match.leave, seat=seat))

    async def _comes_back(self, table: Table, seat: Seat) -> bool:
        """Whether a player who wants a rematch has not found another rival meanwhile, on whatever connection.

        Who still waits for one, and is here, waits no more. Who has one, or has come back only to look for one, has left.
        """
        here = seat.connection is not None and self.hub.alive(seat.connection)
        for code in await self.hub.store.seats(seat.player):
            try:
                other = await self.hub.table(code)
            except Refusal:
                continue  # it is gone meanwhile
            if not other.match.terms.listed or other.over:
                continue
            if not here or other.match.state is not State.WAITING:
                await self.hub.act(table, partial(Match.leave, seat=seat.number))
                return False
            await self.hub.act(other, partial(Match.leave, seat=0))
        return True

    async def again(self, table: Table, seat: int, re: int | None) -> None:
        """A player asks for a rematch; once both do, it is made, with the same seats on the same terms."""
        await self.hub.act(table, partial(Match.again, seat=seat, re=re))
        match = table.match
        if not match.wants_successor or self.hub.draining:
            return
        for player in match.seats:
            if player.level is None and not await self._comes_back(table, player):
                return
        terms = match.terms
        successor = await self._lay(terms.game, terms.clock, terms.grace, listed=terms.listed, bots=terms.bots)
        seated = list(table.seated)
        for player, session in zip(match.seats, seated, strict=True):
            if player.level is not None:
                await self._seat_bot(successor, player.level)
            else:
                sit = partial(
                    Match.sit,
                    player=player.player,
                    name=player.name,
                    connection=None if session is None else session.connection,
                    bot=player.bot,
                    paired=player.paired,
                )
                await self.hub.act(successor, sit)

        def go_there() -> None:
            for number, session in enumerate(seated):
                if session is not None and table.seated[number] is session:
                    self.hub.take_seat(successor, number, session)

        try:
            await self.hub.act(table, partial(Match.follow, successor=successor.code), go_there)
        except Refusal:  # both have asked twice, or on two servers: the other one was quicker
            await self.hub.act(successor, partial(Match.leave, seat=0))

    async def _seat_bot(self, table: Table, level: Level) -> None:
        player, name = self.house.player(table.code), self.house.NAMES[level]
        await self.hub.act(table, partial(Match.sit, player=player, name=name, bot=HOUSE_PROGRAM, level=level))

    def _offered(self, game: str) -> str:
        """The spelling of a game that this server offers. Raises `UnknownGame`, or a `Refusal` that says what it offers."""
        chosen = variant(game)
        if chosen.game not in self.games:
            offered = ", ".join(each.name for each in self.games)
            raise Refusal("not-offered", f"this server does not offer {chosen.game.name}, only {offered}")
        return chosen.spelling

    async def _check_player(self, session: "Session") -> None:
        if self.hub.draining:
            raise Refusal("shutting-down", "the server is closing and takes no new matches")
        if len(await self.hub.store.seats(session.player)) >= MATCHES_OF_A_PLAYER:
            raise Refusal("too-many", f"you are in {MATCHES_OF_A_PLAYER} matches already")

    def _check_room(self) -> None:
        if len(self.hub.tables) >= MOST_TABLES:
            raise Refusal("too-many", "the server has as many matches as it can take")

    async def _lay(
        self,
        game: str,
        clock: int,
        grace: int,
        *,
        listed: bool,
        bots: bool = False,
        session: "Session | None" = None,
    ) -> Table:
        code = new_code()
        if session is not None and (why := self.hub.doors.create(session.address, code, monotonic())) is not None:
            self.hub.figures.turned_away(why)
            raise Refusal("too-many", "too many open matches were made from where you are")
        return await self._laid(
            Terms(
                match=code,
                game=game,
                clock=clock,
                grace=grace,
                listed=listed,
                secret=secrets.token_hex(SECRET_BYTES),
                created=wall_clock(),
                opened=self.hub.now(),
                bots=bots,
            )
        )

    async def _laid(self, terms: Terms) -> Table:
        try:
            return await self.hub.lay(terms)
        except StoreError:
            self.hub.doors.end(terms.match)
            raise


def new_code() -> str:
    """A code for a new match, which is its name as well."""
    return "".join(secrets.choice(MATCH_LETTERS) for _ in range(MATCH_LENGTH))


def _offer(game: Game) -> GameInfo:
    rules = game.rules
    return GameInfo(
        name=game.name,
        options=list(game.options),
        cards=len(game.cards),
        stock=game.stock,
        foundations=rules.foundations,
        piles=rules.piles,
        columns=rules.columns,
    )
