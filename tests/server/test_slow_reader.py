"""A client that does not listen is dropped, and slows nobody."""

import asyncio
import socket

import pytest

import server.session
from protocol import messages as wire
from server.app import RaceServer
from tests.server.driver import Closed, Visitors, eventually


async def test_a_slow_reader_is_dropped_and_slows_nobody(
    people: Visitors, race_server: RaceServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server.session, "UNREAD_LIMIT", 16 * 1024)
    ann, bob = await people.race()
    small = socket.socket()
    small.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    small.setblocking(False)
    host, port = people.url.removeprefix("ws://").split(":")
    await asyncio.get_running_loop().sock_connect(small, (host, int(port)))
    deaf = await people.guest("Deaf", sock=small, max_queue=1, ping_interval=None)
    await deaf.watch(ann.match)
    session = next(iter(race_server.hub.tables[ann.match].watching))
    assert session.name == "Deaf"
    session.socket.transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)

    async def chatter() -> None:
        """Ask and ask, and never listen to an answer."""
        try:
            while True:
                await deaf.send(wire.Watch(match=ann.match))
                await asyncio.sleep(0)
        except Closed:
            pass

    chattering = asyncio.create_task(chatter())
    async with asyncio.timeout(10):  # unanswered pings would close it too, but only after 15 s
        while not session.socket.transport.is_closing():
            await ann.resume(ann.match)
            await bob.ask(wire.Matches(), wire.MatchList)
    await asyncio.wait_for(chattering, 10)
    await eventually(lambda: not race_server.hub.tables[ann.match].watching)
    await ann.move("t")
    await bob.next(wire.Progress, lambda progress: progress.turned == 1)
