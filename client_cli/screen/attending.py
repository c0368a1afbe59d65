"""Brings a guest what happens on the connection, and its face what the guest tells: `plain.attend` for a picture."""

import asyncio
import time
from collections.abc import Callable, Iterable
from typing import Protocol

from client_cli import plain
from client_cli.announcements import Announcement
from client_cli.connection import Connection
from client_cli.guest import Guest
from client_cli.receipts import Keeper
from client_cli.troubles import ClientError, Exit


class Attended(Protocol):
    """A face of a guest."""

    left: asyncio.Event
    nudged: Callable[[], None]

    def changed(self, told: Iterable[Announcement], now: float) -> None:
        """Something happened."""


async def attend(
    guest: Guest,
    connection: Connection,
    face: Attended,
    inbox: "asyncio.Queue[plain.Event]",
    redraw: Callable[[], None],
    remember: Callable[[Announcement], None],
    keeper: Keeper,
) -> Exit:
    """Go on until the user leaves; a guest who has nothing more to do stays in the picture. Raises `ClientError`."""
    face.nudged = lambda: inbox.put_nowait(plain.Nudge())
    try:
        while True:
            told = plain.heard_out(guest, keeper)
            for each in told:
                remember(each)
            face.changed(told, time.monotonic())
            redraw()
            for message in guest.to_send():
                await connection.send(message)
            if face.left.is_set():
                guest.gone()
                for each in guest.to_tell():
                    remember(each)
                return guest.exit_code or guest.farewell
            if guest.exit_code is not None:
                await face.left.wait()
                continue
            await plain.deliver(guest, inbox)
    except ClientError:
        for each in plain.heard_out(guest, keeper):
            remember(each)
        raise
