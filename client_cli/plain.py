"""The plain line mode: connects a guest with a server, a keyboard and a screen."""

import asyncio
import secrets
import time
from collections.abc import AsyncIterator, Callable
from typing import NamedTuple

from client_cli.announcements import (
    Aborted,
    Announcement,
    BotFinished,
    Connected,
    DealChecked,
    DealDoubted,
    ReceiptLost,
    ReceiptTrouble,
    Unencrypted,
)
from client_cli.answers import Choose, Listed, NoMatches
from client_cli.connection import Back, Connection, Lost
from client_cli.guest import Guest
from client_cli.house import HouseBot
from client_cli.offers import check_offer
from client_cli.player import Player
from client_cli.player_names import called
from client_cli.possible import check_state
from client_cli.receipts import Keeper
from client_cli.spectator import Spectator
from client_cli.terminal import EndOfInput, Line, Screen, is_terminal, read_lines
from client_cli.troubles import ClientError, Exit, Garbled, Refusal
from engine.deal import NONCE_BYTES
from engine.record import Record
from protocol.messages import (
    HOUSE_BOTS,
    AnyServerMessage,
    ClientMessage,
    Create,
    GetRecord,
    Level,
    ListedMatch,
    Matches,
    MatchList,
    MatchRecord,
    MatchState,
    Resume,
    Watch,
)

MARGIN = 15.0
"""Seconds beyond the grace period in which a player's client still tries to come back."""


class Nudge(NamedTuple):
    """A guest was told what to do in another way, and may have something to send."""


Event = AnyServerMessage | Lost | Back | Line | EndOfInput | ClientError | Nudge


async def play(
    connection: Connection, ask: ClientMessage, screen: Screen, keeper: Keeper, *, always_ready: bool
) -> Exit:
    """Take a seat and race."""
    async with connection:
        screen.show(Connected(server=connection.server, name=connection.welcome.name))
        warn(connection, screen.show)
        state = await take_seat(connection, ask)
        inbox: asyncio.Queue[Event] = asyncio.Queue()
        read_lines(inbox.put_nowait)
        player = Player(
            state,
            draw_nonce,
            time.monotonic(),
            recall=keeper.recall,
            always_ready=always_ready,
            terminal=is_terminal(),
            bot_comes=isinstance(ask, Create) and ask.level is not None,
        )
        return await attend(player, connection, screen.show, inbox, keeper)


async def watch(connection: Connection, code: str | None, screen: Screen, keeper: Keeper, *, follow: bool) -> Exit:
    """Watch a match; without a code, one of those being raced."""
    async with connection:
        warn(connection, screen.show)
        inbox: asyncio.Queue[Event] = asyncio.Queue()
        if code is None:
            read_lines(inbox.put_nowait)
            code = await _choose(await listed(connection), inbox, screen)
            if code is None:
                return Exit.ERROR
        elif is_terminal():
            read_lines(inbox.put_nowait)
        state = await come_to(connection, Watch(match=code))
        spectator = Spectator(state, draw_nonce, time.monotonic(), recall=keeper.recall, follow=follow)
        return await attend(spectator, connection, screen.show, inbox, keeper)


async def bot(
    connection: Connection,
    ask: ClientMessage,
    show: Callable[[Announcement], None],
    keeper: Keeper,
    *,
    pace: float,
    level: Level,
) -> Exit:
    """Play one match as a house bot."""
    async with connection:
        warn(connection, show)
        state = await take_seat(connection, ask)
        guest = HouseBot(state, draw_nonce, time.monotonic(), recall=keeper.recall, pace=pace, level=level)
        return await attend(guest, connection, show, asyncio.Queue(), keeper)


def warn(connection: Connection, show: Callable[[Announcement], None]) -> None:
    """Tell a user whose words others can read on their way to the server. For once, that is enough."""
    if connection.can_be_read:
        show(Unencrypted(server=connection.server))


def only_the_end(show: Callable[[Announcement], None]) -> Callable[[Announcement], None]:
    """Show nothing but how a bot's match ended, and what was wrong with it."""

    def show_end(told: Announcement) -> None:
        false = isinstance(told, DealChecked) and told.doubts
        if false or isinstance(told, BotFinished | Aborted | Refusal | DealDoubted | ReceiptTrouble | ReceiptLost):
            show(told)

    return show_end


async def take_seat(connection: Connection, ask: ClientMessage) -> MatchState:
    """Ask for a seat. Who has one in a match that is not over goes back to that. Raises `ClientError`."""
    seats = connection.welcome.seats
    wanted = getattr(ask, "match", None)
    if seats and wanted in (None, *seats):
        ask = Resume(match=wanted or seats[0])
    if isinstance(ask, Create) and ask.level is not None:
        check_offer(connection.welcome, HOUSE_BOTS)
    state = await come_to(connection, ask)
    connection.patience = state.grace / 1000 + MARGIN
    return state


async def come_to(connection: Connection, ask: ClientMessage) -> MatchState:
    """Ask for a match of a game that this version knows. Raises `ClientError`."""
    state = await connection.request(ask)
    if not isinstance(state, MatchState):
        raise ClientError(Garbled("wrong-answer"))
    check_state(state)
    return state


async def listed(connection: Connection) -> list[ListedMatch]:
    """The matches being raced now."""
    answer = await connection.request(Matches())
    if not isinstance(answer, MatchList):
        raise ClientError(Garbled("wrong-answer"))
    return answer.matches


def show_list(matches: list[ListedMatch], screen: Screen) -> None:
    """Print the list of matches, numbered from 1."""
    for number, match in enumerate(matches, start=1):
        names = [called(seat.name, seat.bot, seat.level) for seat in match.seats]
        counts = [seat.count for seat in match.seats]
        bots = [seat.bot for seat in match.seats]
        screen.show(Listed(number, match.match, match.game, names, counts, bots, match.left, match.spectators))
    if not matches:
        screen.show(NoMatches())


async def _choose(matches: list[ListedMatch], inbox: "asyncio.Queue[Event]", screen: Screen) -> str | None:
    """Let the user choose a match by its number; None if there is none to choose, or the user will not."""
    show_list(matches, screen)
    if not matches:
        return None
    screen.show(Choose(highest=len(matches)))
    while isinstance(typed := await inbox.get(), Line):
        word = typed.text.strip().lower()
        if word.isdecimal() and 1 <= int(word) <= len(matches):
            return matches[int(word) - 1].match
        if word in ("q", "quit"):
            break
        if word:
            screen.show(Choose(highest=len(matches)))
    return None


async def attend(
    guest: Guest,
    connection: Connection,
    show: Callable[[Announcement], None],
    inbox: "asyncio.Queue[Event]",
    keeper: Keeper,
) -> Exit:
    """Bring a guest all that happens until it wants to go. Raises `ClientError`."""
    pumping = asyncio.create_task(pump(connection.events(), inbox))
    try:
        while True:
            for told in heard_out(guest, keeper):
                show(told)
            for message in guest.to_send():
                await connection.send(message)
            if guest.exit_code is not None:
                return guest.exit_code
            await deliver(guest, inbox)
    except ClientError:
        for told in heard_out(guest, keeper):
            show(told)
        raise
    finally:
        pumping.cancel()


def heard_out(guest: Guest, keeper: Keeper) -> list[Announcement]:
    """What a guest has to tell, once all that is to be kept has been written down: so before anything is sent."""
    keeper.keep(guest.to_keep())
    guest.kept(keeper.troubles(), whole=not keeper.behind)
    return guest.to_tell()


async def deliver(guest: Guest, inbox: "asyncio.Queue[Event]") -> None:
    """Wait for the next event, or until the guest has something due, and let it know."""
    try:
        async with asyncio.timeout(guest.next_tick(time.monotonic())):
            event = await inbox.get()
    except TimeoutError:
        guest.tick(time.monotonic())
        return
    now = time.monotonic()
    match event:
        case ClientError():
            guest.failed(event)
            raise event
        case Lost():
            guest.lost(event.patience, now)
        case Back():
            guest.back(now)
        case Line():
            guest.typed(event.text, now)
        case EndOfInput():
            guest.input_ended(now)
        case Nudge():
            pass
        case _:
            guest.heard(event, now)


async def pump(events: AsyncIterator[AnyServerMessage | Lost | Back], inbox: "asyncio.Queue[Event]") -> None:
    """Put what happens on the connection beside what is typed."""
    try:
        async for event in events:
            inbox.put_nowait(event)
    except ClientError as error:
        inbox.put_nowait(error)


def draw_nonce() -> bytes:
    """A player's part of the shuffle."""
    return secrets.token_bytes(NONCE_BYTES)


async def matches(connection: Connection, screen: Screen) -> Exit:
    """Print the matches being raced now."""
    async with connection:
        show_list(await listed(connection), screen)
    return Exit.FINE


async def fetch_record(connection: Connection, code: str) -> Record:
    """The record of a match."""
    async with connection:
        answer = await connection.request(GetRecord(match=code))
        if not isinstance(answer, MatchRecord):
            raise ClientError(Garbled("wrong-answer"))
        return answer.record
