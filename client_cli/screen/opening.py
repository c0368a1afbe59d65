"""Opens the full screen for a player or a spectator, and says in plain lines afterwards what came of it."""

import asyncio
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress

from client_cli import announcements as a
from client_cli import answers, plain
from client_cli.connection import Connection
from client_cli.player import Player
from client_cli.receipts import Keeper
from client_cli.screen.app import Tommy
from client_cli.screen.attending import attend
from client_cli.screen.choosing import Choosing
from client_cli.screen.look import Look
from client_cli.screen.playing import Playing
from client_cli.screen.watching import Watching
from client_cli.spectator import Spectator
from client_cli.terminal import Screen
from client_cli.troubles import ClientError, Exit, Refusal
from client_cli.wording import words
from protocol.messages import ClientMessage, Create, ListedMatch, Unwatch, Watch

Chosen = Mapping[str, tuple[str, ...]]
LIST_EVERY = 2.0
"""Seconds between two looks at the list of matches."""
FAREWELLS = (
    a.Aborted,
    a.Over,
    a.DealDoubted,
    a.DealChecked,
    a.DealUnchecked,
    a.Proof,
    a.ReceiptTrouble,
    a.ReceiptLost,
    answers.SeatKept,
    Refusal,
)
"""What is said again when the screen is closed."""


class Memory:
    """The last words of the match that was seen last."""

    def __init__(self) -> None:
        self._kept: list[a.Announcement] = []

    def keep(self, told: a.Announcement) -> None:
        """Take note of what may have to be said again."""
        if isinstance(told, a.Started | a.Resumed | a.Rematch):
            # That a deal could not be trusted is said in the end, whatever came after.
            self._kept = [each for each in self._kept if getattr(each, "doubts", None)]
        elif isinstance(told, FAREWELLS):
            self._kept.append(told)

    def say(self, screen: Screen) -> None:
        """Say it."""
        for told in self._kept:
            screen.show(told)


async def run(app: Tommy, screen: Screen, memory: Memory) -> Exit:
    """Show the screen until it is left. Raises `ClientError`."""
    exit_code = await app.run_async()
    memory.say(screen)
    if app.error is not None:
        raise app.error
    return Exit.ERROR if exit_code is None else exit_code


async def play(
    connection: Connection,
    ask: ClientMessage,
    screen: Screen,
    keeper: Keeper,
    look: Look,
    chosen: Chosen,
    *,
    always_ready: bool,
    notes: Sequence[a.Announcement] = (),
) -> Exit:
    """Take a seat and race. `notes` are told first."""
    async with connection:
        state = await plain.take_seat(connection, ask)
        bot_comes = isinstance(ask, Create) and ask.level is not None
        player = Player(
            state,
            plain.draw_nonce,
            time.monotonic(),
            recall=keeper.recall,
            always_ready=always_ready,
            terminal=True,
            bot_comes=bot_comes,
        )
        face, memory = Playing(player, look, chosen, time.monotonic()), Memory()
        face.tell(notes)
        plain.warn(connection, lambda told: face.tell([told]))

        async def work(app: Tommy) -> Exit:
            app.show(face)
            inbox: asyncio.Queue[plain.Event] = asyncio.Queue()
            async with Pumped(connection, inbox):
                return await attend(player, connection, face, inbox, app.redraw, memory.keep, keeper)

        return await run(Tommy(work, look), screen, memory)


async def watch(
    connection: Connection,
    code: str | None,
    screen: Screen,
    keeper: Keeper,
    look: Look,
    chosen: Chosen,
    *,
    follow: bool,
    notes: Sequence[a.Announcement] = (),
) -> Exit:
    """Watch one match after the other: the one with this code, or those chosen from the list. `notes` are told first."""
    async with connection:
        memory = Memory()
        warnings: list[a.Announcement] = []
        plain.warn(connection, warnings.append)
        first = None if code is None else await plain.come_to(connection, Watch(match=code))

        async def work(app: Tommy) -> Exit:
            inbox: asyncio.Queue[plain.Event] = asyncio.Queue()
            state, to_tell = first, [*notes, *warnings]
            async with Pumped(connection, inbox):
                while True:
                    if state is None:
                        match = await _choose(app, connection, inbox, Choosing(look, chosen), to_tell)
                        if match is None:
                            return Exit.FINE
                        to_tell = []
                        try:
                            state = await plain.come_to(connection, Watch(match=match))
                        except ClientError as error:
                            to_tell = [error.problem]
                            continue
                    spectator = Spectator(
                        state, plain.draw_nonce, time.monotonic(), recall=keeper.recall, follow=follow
                    )
                    face = Watching(spectator, look, chosen)
                    face.tell(to_tell)
                    app.show(face)
                    exit_code = await attend(spectator, connection, face, inbox, app.redraw, memory.keep, keeper)
                    if face.where is None:
                        return exit_code
                    code, state, to_tell = spectator.race.code, None, []
                    await connection.send(Unwatch(match=code))
                    if face.where == "next" and (match := next_match(await plain.listed(connection), code)):
                        with suppress(ClientError):
                            state = await plain.come_to(connection, Watch(match=match))

        return await run(Tommy(work, look), screen, memory)


def next_match(matches: list[ListedMatch], code: str) -> str | None:
    """The match that stands after this one in the list, which begins again at its end."""
    codes = [match.match for match in matches]
    at = codes.index(code) + 1 if code in codes else 0
    return codes[at % len(codes)] if codes else None


async def _choose(
    app: Tommy,
    connection: Connection,
    inbox: "asyncio.Queue[plain.Event]",
    face: Choosing,
    to_tell: Sequence[a.Announcement],
) -> str | None:
    """Let the user choose from a list that is kept up to date; None if they go. Raises `ClientError`."""
    face.tell(to_tell)
    app.show(face)
    while not face.left.is_set():
        while not inbox.empty():
            event = inbox.get_nowait()
            if isinstance(event, ClientError):
                raise event
        try:
            face.show(await plain.listed(connection))
        except ClientError as error:
            if error.exit_code is not Exit.NO_CONNECTION:
                raise
            face.log.append(words(error.problem))
        app.redraw()
        with suppress(TimeoutError):
            await asyncio.wait_for(face.left.wait(), LIST_EVERY)
    return face.chosen


class Pumped:
    """Puts what happens on a connection into an inbox, as long as it is entered."""

    def __init__(self, connection: Connection, inbox: "asyncio.Queue[plain.Event]") -> None:
        self._connection, self._inbox = connection, inbox

    async def __aenter__(self) -> None:
        self._task = asyncio.create_task(plain.pump(self._connection.events(), self._inbox))

    async def __aexit__(self, *_: object) -> None:
        self._task.cancel()
