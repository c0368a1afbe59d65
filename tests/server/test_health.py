import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress

import pytest
import pytest_asyncio

from server import health
from server.health import LONGEST_REQUEST, MOST_VISITORS, Health


class Answers:
    """What the server under test has to say for itself."""

    def __init__(self) -> None:
        self.reasons: list[str] = []
        self.hangs = False
        self.asked = asyncio.Event()
        self.figures = b"tommy_connections 3.0\n"
        self.broken = False

    async def ready(self) -> list[str]:
        self.asked.set()
        if self.hangs:
            await asyncio.Event().wait()
        return self.reasons

    def metrics(self) -> bytes:
        if self.broken:
            raise ZeroDivisionError
        return self.figures


@pytest.fixture
def answers() -> Answers:
    return Answers()


@pytest_asyncio.fixture
async def port(answers: Answers) -> AsyncIterator[int]:
    asked = Health(answers.ready, answers.metrics)
    yield await asked.open("127.0.0.1", 0)
    await asyncio.wait_for(asked.close(), 5)


async def sent(port: int, request: bytes) -> bytes:
    """What comes back, until the server hangs up."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    found = b""
    with suppress(ConnectionError):
        writer.write(request)
        while some := await asyncio.wait_for(reader.read(65536), 5):
            found += some
    writer.close()
    with suppress(ConnectionError):
        await writer.wait_closed()
    return found


async def get(port: int, path: str) -> tuple[int, str, str]:
    """The status, the headers and the body of an answer."""
    answer = await sent(port, f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: */*\r\n\r\n".encode())
    head, _, body = answer.decode().partition("\r\n\r\n")
    assert f"\r\nContent-Length: {len(body.encode())}\r\n" in head
    assert "\r\nConnection: close" in head
    return int(head.split()[1]), head, body


async def test_a_server_that_turns_is_healthy_whatever_its_store_does(port: int, answers: Answers) -> None:
    answers.reasons = ["the store cannot be reached"]
    status, head, body = await get(port, "/healthz")
    assert (status, body) == (200, "ok\n")
    assert head.startswith("HTTP/1.1 200 OK\r\nContent-Type: text/plain; charset=utf-8\r\n")


async def test_a_server_is_ready_unless_there_are_reasons_against_it(port: int, answers: Answers) -> None:
    assert (await get(port, "/readyz"))[::2] == (200, "ok\n")
    answers.reasons = ["the store cannot be reached", "draining"]
    assert (await get(port, "/readyz"))[::2] == (503, "the store cannot be reached\ndraining\n")


async def test_a_server_that_cannot_tell_in_time_is_not_ready(
    port: int, answers: Answers, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(health, "READY_WITHIN", 0.01)
    answers.hangs = True
    assert (await get(port, "/readyz"))[::2] == (503, "no answer within 0.01 s\n")


async def test_figures_are_told_in_the_format_of_prometheus(port: int, answers: Answers) -> None:
    status, head, body = await get(port, "/metrics?name=all")
    assert (status, body) == (200, "tommy_connections 3.0\n")
    assert "\r\nContent-Type: text/plain; version=0.0.4; charset=utf-8\r\n" in head
    answers.figures = b"# a long line\n" * 100_000
    assert len((await get(port, "/metrics"))[2]) == 1_400_000


async def test_an_answer_that_fails_is_an_error_and_the_next_one_is_none(port: int, answers: Answers) -> None:
    answers.broken = True
    assert (await get(port, "/metrics"))[0] == 500
    answers.broken = False
    assert (await get(port, "/metrics"))[0] == 200


@pytest.mark.parametrize("path", ["/", "/metrics/", "/HEALTHZ", "/healthz/../metrics", "*", "http://localhost/healthz"])
async def test_there_is_nothing_else(port: int, path: str) -> None:
    assert (await get(port, path))[0] == 404


@pytest.mark.parametrize("method", ["POST", "HEAD", "OPTIONS", "get", "PRI"])
async def test_there_is_only_get(port: int, method: str) -> None:
    answer = await sent(port, f"{method} /healthz HTTP/1.1\r\n\r\n".encode())
    assert answer.startswith(b"HTTP/1.1 405 Method Not Allowed\r\n")
    assert b"\r\nAllow: GET\r\n" in answer


@pytest.mark.parametrize(
    "request_",
    [
        b"\r\n\r\n",
        b"hello\r\n\r\n",
        b"GET /healthz\r\n\r\n",
        b"GET  /healthz HTTP/1.1\r\n\r\n",
        b"GET /healthz HTTP/2\r\n\r\n",
        b"GET /healthz HTTP/1.1 \r\n\r\n",
        b"GET /healthz HTTP/1.1\nHost: x\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n",
        bytes(range(256)) + b"\r\n\r\n",
    ],
)
async def test_what_is_no_request_is_answered_as_such(port: int, request_: bytes) -> None:
    assert (await sent(port, request_)).startswith(b"HTTP/1.1 400 Bad Request\r\n")


@pytest.mark.parametrize("start", [b"GET /healthz HTTP/1.1\r\nX: ", b"", b"GET /"], ids=["header", "garbage", "target"])
async def test_a_request_without_an_end_is_cut_off(port: int, start: bytes) -> None:
    answer = await sent(port, start + b"x" * 10 * LONGEST_REQUEST)
    assert answer == b"" or answer.startswith(b"HTTP/1.1 431 ")  # reset, if the rest was still on its way
    assert (await get(port, "/healthz"))[0] == 200


async def test_a_request_just_too_long_is_told_so(port: int) -> None:
    head = b"GET /healthz HTTP/1.1\r\nX: "
    longest = head + b"x" * (LONGEST_REQUEST - len(head)) + b"\r\n\r\n"
    assert (await sent(port, longest)).startswith(b"HTTP/1.1 200 ")
    assert (await sent(port, longest[:-4] + b"x\r\n\r\n")).startswith(b"HTTP/1.1 431 ")


@pytest.mark.parametrize("start", [b"", b"GET /healthz HTTP/1.1\r\n", b"GET /healthz HTTP/1.1\n\n"])
async def test_who_never_comes_to_the_point_is_hung_up_on(
    port: int, start: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(health, "PATIENCE", 0.02)
    assert await sent(port, start) == b""


async def test_who_never_reads_is_hung_up_on(port: int, answers: Answers, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "PATIENCE", 0.02)
    answers.figures = b"x" * 50_000_000
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1024)
    writer.write(b"GET /metrics HTTP/1.1\r\n\r\n")
    start = await reader.readexactly(100)  # no more, until the server has lost patience
    await visitors_gone()
    with suppress(ConnectionError):
        while some := await reader.read(1 << 20):
            start += some
    assert len(start) < len(answers.figures)
    writer.close()
    with suppress(ConnectionError):
        await writer.wait_closed()


async def visitors_gone() -> None:
    visits = [task for task in asyncio.all_tasks() if "_visit" in repr(task.get_coro())]
    assert visits
    await asyncio.wait_for(asyncio.gather(*visits), 5)


async def test_who_hangs_up_early_leaves_nothing_behind(port: int) -> None:
    _, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(b"GET /hea")
    writer.close()
    await writer.wait_closed()
    _, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(b"GET /metrics HTTP/1.1\r\n\r\n")
    writer.transport.abort()
    assert (await get(port, "/healthz"))[0] == 200


async def test_only_so_many_may_keep_it_waiting_at_a_time(port: int) -> None:
    waiting = [await asyncio.open_connection("127.0.0.1", port) for _ in range(MOST_VISITORS)]
    assert await sent(port, b"GET /healthz HTTP/1.1\r\n\r\n") == b""
    for reader, writer in waiting:
        writer.write(b"GET /healthz HTTP/1.1\r\n\r\n")
        assert await reader.read()
        writer.close()
        await writer.wait_closed()
    assert (await get(port, "/healthz"))[0] == 200


async def test_closing_hangs_up_on_whoever_is_there(answers: Answers) -> None:
    answers.hangs = True
    asked = Health(answers.ready, answers.metrics)
    port = await asked.open("127.0.0.1", 0)
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    visit = asyncio.create_task(sent(port, b"GET /readyz HTTP/1.1\r\n\r\n"))
    await asyncio.wait_for(answers.asked.wait(), 5)
    await asyncio.wait_for(asked.close(), 5)
    assert await visit == await reader.read() == b""
    writer.close()
    await writer.wait_closed()
    with pytest.raises(ConnectionRefusedError):
        await asyncio.open_connection("127.0.0.1", port)


async def test_an_address_that_is_taken_is_an_error(port: int, answers: Answers) -> None:
    with pytest.raises(OSError, match=str(port)):
        await Health(answers.ready, answers.metrics).open("127.0.0.1", port)
