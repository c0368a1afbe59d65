"""Where a connection leads, and what is said when it does not come about. All over real sockets."""

import asyncio
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from websockets.asyncio.server import ServerConnection
from websockets.datastructures import Headers
from websockets.http11 import Request, Response

from client_cli import connection, dialing
from client_cli.announcements import Announcement
from client_cli.connection import Connection
from client_cli.troubles import ClientError, Exit, SentOn, Unreachable
from client_cli.wording import words
from tests.client_cli.stand_in import StandIn, standing_in

HERE = Path(__file__).parent
TRUSTED = HERE.parent / "server" / "localhost.pem"
KEY = "ab" * 32


def tls(certificate: Path = TRUSTED) -> ssl.SSLContext:
    """What a server with this certificate needs."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    return context


def trust(monkeypatch: pytest.MonkeyPatch, certificate: Path = TRUSTED) -> None:
    """Have this machine trust who vouches for a certificate: here it vouches for itself."""
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))


def port(url: str) -> int:
    return int(url.rpartition(":")[2])


async def trouble(url: str) -> Announcement:
    """Why there is no connection."""
    with pytest.raises(ClientError) as caught:
        async with Connection(url, "Ada", KEY):
            pass
    assert caught.value.exit_code is Exit.NO_CONNECTION
    return caught.value.problem


Answer = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


@asynccontextmanager
async def answering(answer: Answer, certificate: ssl.SSLContext | None = None) -> AsyncIterator[int]:
    """Somebody who answers in a way of their own."""

    async def answered(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await answer(reader, writer)
        finally:
            writer.transport.abort()

    async with await asyncio.start_server(answered, "127.0.0.1", 0, ssl=certificate) as server:
        yield server.sockets[0].getsockname()[1]


# With TLS, and without


async def test_who_asks_for_no_tls_where_there_is_some_is_told_what_to_type() -> None:
    async with standing_in(ssl=tls()) as server:
        told = await trouble(server.url)
        assert told == Unreachable(server.url, "tls")
        assert words(told).endswith(f"Type wss://127.0.0.1:{port(server.url)} instead.")


async def test_who_asks_for_tls_where_there_is_none_is_told_what_to_type() -> None:
    async with standing_in() as server:
        url = server.url.replace("ws:", "wss:")
        told = await trouble(url)
        assert told == Unreachable(url, "no-tls")
        assert f"Type {server.url} instead" in words(told)


def telling_apart(encrypted: Callable[[bytes], Awaitable[bytes]]) -> Answer:
    """As nginx and others do it: who does not begin with TLS is told in the clear, with 400, that it is wanted."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if (start := await reader.read(4096)).startswith(b"\x16"):
            writer.write(await encrypted(start))
            await reader.read(4096)
        else:
            writer.write(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")
            await writer.drain()

    return answer


async def test_a_web_server_that_says_in_the_clear_that_it_wants_tls() -> None:
    async with standing_in(ssl=tls()) as server:

        async def hand_on(start: bytes) -> bytes:
            from_server, to_server = await asyncio.open_connection("127.0.0.1", port(server.url))
            to_server.write(start)
            answer = await from_server.read(4096)
            to_server.transport.abort()
            return answer

        async with answering(telling_apart(hand_on)) as number:
            url = f"ws://127.0.0.1:{number}"
            assert await trouble(url) == Unreachable(url, "tls")


async def test_a_web_server_that_finds_fault_with_ones_tls_is_not_said_to_speak_none() -> None:
    async def alert(_: bytes) -> bytes:
        return bytes.fromhex("15030100020246")

    async with answering(telling_apart(alert)) as number:
        url = f"wss://127.0.0.1:{number}"
        told = await trouble(url)
        assert isinstance(told, Unreachable)
        assert "alert protocol version" in told.why
        assert await trouble(f"ws://127.0.0.1:{number}") == Unreachable(f"ws://127.0.0.1:{number}", "HTTP 400")


async def test_who_hangs_up_on_everybody_is_not_said_to_speak_tls() -> None:
    async def hang_up(_: asyncio.StreamReader, __: asyncio.StreamWriter) -> None:
        pass

    async with answering(hang_up) as number:
        for scheme in ("ws", "wss"):
            url = f"{scheme}://127.0.0.1:{number}"
            assert await trouble(url) == Unreachable(url, "closed")


async def test_who_says_nothing_is_waited_for_so_long_and_no_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dialing, "ANSWER_WITHIN", 0.2)
    monkeypatch.setattr(dialing, "LOOK_WITHIN", 0.2)

    async def say_nothing(reader: asyncio.StreamReader, _: asyncio.StreamWriter) -> None:
        await reader.read()

    async with answering(say_nothing) as number:
        for scheme in ("ws", "wss"):
            url = f"{scheme}://127.0.0.1:{number}"
            assert await trouble(url) == Unreachable(url, "no-answer")


# Certificates


async def test_a_certificate_that_is_trusted(monkeypatch: pytest.MonkeyPatch) -> None:
    trust(monkeypatch)
    async with (
        standing_in(ssl=tls()) as server,
        Connection(f"wss://localhost:{port(server.url)}", "Ada", KEY) as connected,
    ):
        assert connected.welcome.name == "Ada"


@pytest.mark.parametrize(
    ("certificate", "why", "part"),
    [
        (None, "certificate-unknown", "nobody that this machine trusts"),
        ("expired", "certificate-expired", "has expired"),
        ("early", "certificate-early", "not valid yet"),
        ("other", "certificate-other", "for another host"),
    ],
)
async def test_a_certificate_that_is_not(
    monkeypatch: pytest.MonkeyPatch, certificate: str | None, why: str, part: str
) -> None:
    file = TRUSTED if certificate is None else HERE / "certificates" / f"{certificate}.pem"
    if certificate is not None:
        trust(monkeypatch, file)
    async with standing_in(ssl=tls(file)) as server:
        for host in ("localhost", "127.0.0.1"):
            url = f"wss://{host}:{port(server.url)}"
            told = await trouble(url)
            assert told == Unreachable(url, why)
            assert part in words(told)
            assert "running there" not in words(told)


# Redirects


class Redirecting(StandIn):
    """Sends everybody on who comes to the path that is named."""

    def __init__(self, **places: str) -> None:
        super().__init__()
        self.places = places

    def admit(self, _socket: ServerConnection, request: Request) -> Response | None:
        to = self.places.get(request.path.strip("/") or "start")
        return (
            None if to is None else Response(307, "Temporary Redirect", Headers(Location=to, Connection="close"), b"")
        )


@pytest.mark.parametrize("scheme", ["ws", "http"])
async def test_nobody_is_followed_to_another_host(scheme: str) -> None:
    """Not even to one that is on this machine: here localhost is another host than 127.0.0.1."""
    async with standing_in() as elsewhere:
        to = f"{scheme}://localhost:{port(elsewhere.url)}/races"
        async with standing_in(Redirecting(start=to)) as server:
            told = await trouble(server.url)
            assert told == SentOn(server.url, to.replace("http", "ws"), "host")
            assert to.replace("http", "ws") in words(told)
            assert "another host" in words(told)
        assert not elsewhere.connections


async def test_nobody_is_followed_to_another_host_by_a_detour() -> None:
    async with standing_in() as elsewhere:
        places = {"start": "/on", "on": f"//localhost:{port(elsewhere.url)}/"}
        async with standing_in(Redirecting(**places)) as server:
            assert isinstance(await trouble(server.url), SentOn)
        assert not elsewhere.connections


@pytest.mark.parametrize("to", ["/on", "on", "{url}/on", "{http}/on"])
async def test_a_server_may_send_one_on_within_its_host(to: str) -> None:
    server = Redirecting()
    async with standing_in(server):
        server.places = {"start": to.format(url=server.url, http=server.url.replace("ws", "http"))}
        async with Connection(server.url, "Ada", KEY) as connected:
            assert connected.welcome.name == "Ada"


@pytest.mark.parametrize("scheme", ["wss", "https"])
async def test_a_server_may_send_one_on_to_where_it_speaks_tls(monkeypatch: pytest.MonkeyPatch, scheme: str) -> None:
    trust(monkeypatch)
    async with standing_in(ssl=tls()) as encrypted:
        redirecting = Redirecting(start=f"{scheme}://127.0.0.1:{port(encrypted.url)}/")
        async with standing_in(redirecting) as server, Connection(server.url, "Ada", KEY) as connected:
            assert connected.welcome.name == "Ada"
        assert encrypted.connections == 1


async def test_encryption_that_was_asked_for_is_not_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    trust(monkeypatch)
    async with standing_in() as clear:
        async with standing_in(Redirecting(start=clear.url + "/"), ssl=tls()) as server:
            url = server.url.replace("ws:", "wss:")
            told = await trouble(url)
            assert told == SentOn(url, clear.url + "/", "unencrypted")
            assert "not encrypted" in words(told)
        assert not clear.connections


async def test_a_way_without_end() -> None:
    async with standing_in(Redirecting(start="/")) as server:
        told = await trouble(server.url)
        assert told == Unreachable(server.url, "no-end")
        assert "without end" in words(told)


@pytest.mark.parametrize("to", ["ftp://127.0.0.1/", "http://", "ws://[", "ws://127.0.0.1:port/"])
async def test_a_way_to_nowhere(to: str) -> None:
    async with standing_in(Redirecting(start=to)) as server:
        assert isinstance(await trouble(server.url), SentOn)


# In the clear


@pytest.mark.parametrize(
    ("server", "local"),
    [
        ("ws://127.0.0.1:1", True),
        ("ws://127.1", True),
        ("ws://127.255.255.254", True),
        ("ws://localhost:1", True),
        ("ws://LOCALHOST", True),
        ("ws://[::1]:1", True),
        ("ws://example.org", False),
        ("ws://127.0.0.1.example.org", False),
        ("ws://localhost.example.org", False),
        ("ws://10.0.0.1", False),
        ("ws://[::2]", False),
    ],
)
def test_which_servers_are_on_this_machine(server: str, *, local: bool) -> None:
    assert dialing.is_local(server) is local


async def test_what_can_be_read_on_the_way(monkeypatch: pytest.MonkeyPatch) -> None:
    async with standing_in() as clear, standing_in(ssl=tls()) as encrypted:
        async with Connection(clear.url, "Ada", KEY) as connected:
            assert not connected.can_be_read
        monkeypatch.setattr(connection, "is_local", lambda _: False)
        async with Connection(clear.url, "Ada", KEY) as connected:
            assert connected.can_be_read
        trust(monkeypatch)
        async with Connection(encrypted.url.replace("ws:", "wss:"), "Ada", KEY) as connected:
            assert not connected.can_be_read
