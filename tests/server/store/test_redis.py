"""The Redis store's own matters: where it is, what it refuses, and what several servers see of each other."""

import asyncio
import socket
from pathlib import Path

import pytest

from server.events import StoredMatch
from server.store.port import AppendEntry, Conflict, CreateMatch, Seeker, StoreError, UnusableStore
from server.store.redis import RedisStore, _complaint
from server.store.redis_address import RedisAddress
from server.store.redis_scripts import FORMAT
from tests.ports import free_port
from tests.server.store.conftest import no_news
from tests.server.store.matches import CODE, attempt, kept, make, terms
from tests.server.store.redis_process import RedisProcess
from tests.server.store.servers import Server

SECRET = "s3cret"


async def refusal(address: str) -> str:
    """Why a store cannot be opened."""
    with pytest.raises(UnusableStore) as caught:
        await RedisStore(address).open(no_news)
    why = str(caught.value)
    assert SECRET not in why
    assert "\n" not in why
    return why


# Its address


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("redis://localhost", "redis://localhost:6379"),
        ("redis://localhost:7000/2", "redis://localhost:7000/2"),
        (f"redis://:{SECRET}@localhost", "redis://localhost:6379"),
        (f"rediss://tommy:{SECRET}@[::1]:7000", "rediss://tommy@[::1]:7000"),
        ("redis://[::1]", "redis://[::1]:6379"),
        (f"redis+sentinel://:{SECRET}@a,b:7/tommy/1", "redis+sentinel://a:26379,b:7/tommy/1"),
        ("rediss+cluster://a:1,b:2", "rediss+cluster://a:1,b:2"),
        (f"unix://:{SECRET}@/run/redis.sock", "unix:///run/redis.sock"),
    ],
)
def test_an_address_is_shown_without_its_password(address: str, shown: str) -> None:
    assert RedisStore(address).address == shown
    assert RedisAddress.read(address).password == (SECRET if SECRET in address else None)


def test_a_password_may_have_any_letters() -> None:
    assert RedisAddress.read("redis://ann:p%40ss%2F%3A@host").password == "p@ss/:"


@pytest.mark.parametrize(
    "address",
    [
        f"mysql://:{SECRET}@host",
        f"redis://:{SECRET}@",
        f"redis://:{SECRET}@host:port",
        f"redis://:{SECRET}@:6379",
        f"redis://:{SECRET}@host/one",
        f"redis://:{SECRET}@host/1/2",
        f"redis://:{SECRET}@host?db=1",
        f"redis://:{SECRET}@one,two",
        f"redis+sentinel://:{SECRET}@host",
        f"redis+cluster://:{SECRET}@host/1",
        f"redis+tls://:{SECRET}@host",
        f"redis://:{SECRET}/{SECRET}@host",
        f"redis://:{SECRET}@[::1",
        f"redis://:{SECRET}@host\u2100",
    ],
)
def test_an_address_that_is_none_is_refused(address: str) -> None:
    with pytest.raises(UnusableStore) as caught:
        RedisStore(address)
    assert SECRET not in str(caught.value)


# What it refuses


async def test_a_redis_that_is_not_there_is_refused() -> None:
    port = free_port()
    assert f"redis://localhost:{port}" in await refusal(f"redis://:{SECRET}@localhost:{port}")


async def test_a_wrong_password_is_refused(tmp_path: Path) -> None:
    with RedisProcess(tmp_path, "--requirepass", SECRET) as process:
        assert "Authentication required" in await refusal(process.address)
        assert "invalid username-password" in await refusal(process.address.replace("//", "//:wrong@"))
        store = RedisStore(process.address.replace("//", f"//:{SECRET}@"))
        await store.open(no_news)
        await store.close()


async def test_a_replica_is_refused(redis: RedisProcess, tmp_path: Path) -> None:
    with RedisProcess(tmp_path, "--replicaof", "127.0.0.1", str(redis.port)) as replica:
        assert "replica" in await refusal(replica.address)


async def test_one_that_throws_matches_away_is_refused(redis: RedisProcess) -> None:
    redis.run("CONFIG", "SET", "maxmemory-policy", "allkeys-lru")
    redis.run("CONFIG", "SET", "maxmemory", "100mb")
    try:
        assert "noeviction" in await refusal(redis.address)
    finally:
        redis.run("CONFIG", "SET", "maxmemory", 0)


def test_an_old_one_is_refused() -> None:
    assert "6.0.16" in str(_complaint({"redis_version": "6.0.16", "role": "master"}, "redis"))
    assert _complaint({"redis_version": "6.2.0", "role": "master"}, "redis") is None
    assert _complaint({"redis_version": "10.0.1", "role": "master"}, "redis") is None


async def test_a_newer_format_is_refused_and_left_alone(redis: RedisProcess) -> None:
    redis.run("SET", "tommy:format", FORMAT + 1)
    why = await refusal(redis.address)
    assert f"format {FORMAT + 1} is newer than this program's {FORMAT}" in why
    assert redis.keys() == {"tommy:format"}
    assert redis.run("GET", "tommy:format") == str(FORMAT + 1)


async def test_something_else_at_the_address_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(1)
        writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        writer.close()
        await writer.wait_closed()

    server = await asyncio.start_server(serve, "127.0.0.1", 0, family=socket.AF_INET)
    async with server:
        assert "redis://127.0.0.1" in await refusal(f"redis://127.0.0.1:{server.sockets[0].getsockname()[1]}")


async def test_a_socket_file_is_an_address(tmp_path: Path) -> None:
    with RedisProcess(tmp_path, "--unixsocket", str(tmp_path / "redis.sock")):
        store = RedisStore(f"unix://{tmp_path}/redis.sock")
        await store.open(no_news)
        await make(store)
        assert await store.ready()
        await store.close()


# What several servers see of each other


async def test_two_servers_append_each_number_once(one: Server, two: Server) -> None:
    await make(one.store)

    async def append(server: Server, name: str) -> list[int]:
        return [n for n in range(1, 201) if await attempt(server.store, AppendEntry(1, n, n, name)) is None]

    async def chase(server: Server, name: str) -> list[int]:
        mine: list[int] = []
        while (n := (await kept(server.store)).numbers[2] + 1) <= 100:
            if await attempt(server.store, AppendEntry(2, n, n, name)) is None:
                mine.append(n)
        return mine

    ones, twos, chased, chased_too = await asyncio.gather(
        append(one, "one"), append(two, "two"), chase(one, "one"), chase(two, "two")
    )
    boards = (await kept(one.store)).boards
    assert sorted(chased + chased_too) == list(range(1, 101))
    assert [n for n, (_, name) in enumerate(boards[1], 1) if name == "one"] == chased
    assert boards[0] == [(n, "one" if n in ones else "two") for n in range(1, len(boards[0]) + 1)]
    assert not set(ones) & set(twos)


async def test_of_two_servers_one_makes_the_match(one: Server, two: Server) -> None:
    for each in range(20):
        code = f"match{each:03}"
        outcomes = await asyncio.gather(
            *(attempt(server.store, CreateMatch(terms(code)), match=code) for server in (one, two))
        )
        assert sorted(type(outcome).__name__ for outcome in outcomes) == ["Conflict", "NoneType"]


async def test_who_follows_a_match_hears_of_what_others_write(one: Server, two: Server) -> None:
    await make(one.store, "aaaaaaaa", "bbbbbbbb")
    await two.store.follow("aaaaaaaa")
    await one.store.write("bbbbbbbb", [AppendEntry(1, 1, 5, "t")])
    await one.store.write("aaaaaaaa", [AppendEntry(1, 1, 5, "t")])
    assert await two.news() == "aaaaaaaa"
    assert (await kept(two.store, "aaaaaaaa")).numbers == (0, 1, 0)
    assert not two.has_news


async def test_nobody_hears_of_what_they_write_themselves_nor_of_what_is_not_kept(one: Server, two: Server) -> None:
    await make(one.store, "aaaaaaaa", "bbbbbbbb")
    for match in ("aaaaaaaa", "bbbbbbbb"):
        await one.store.follow(match)
    await one.store.write("aaaaaaaa", [AppendEntry(1, 1, 5, "t")])
    assert isinstance(await attempt(two.store, AppendEntry(1, 1, 5, "t"), match="aaaaaaaa"), Conflict)
    await two.store.write("bbbbbbbb", [AppendEntry(1, 1, 5, "t")])
    assert await one.news() == "bbbbbbbb"
    assert not one.has_news


async def test_who_follows_no_more_hears_no_more(one: Server, two: Server) -> None:
    await make(one.store, "aaaaaaaa", "bbbbbbbb")
    for match in ("aaaaaaaa", "bbbbbbbb"):
        await two.store.follow(match)
    await two.store.unfollow("aaaaaaaa")
    await one.store.write("aaaaaaaa", [AppendEntry(1, 1, 5, "t")])
    await one.store.write("bbbbbbbb", [AppendEntry(1, 1, 5, "t")])
    assert await two.news() == "bbbbbbbb"
    await two.store.follow("aaaaaaaa")
    await one.store.write("aaaaaaaa", [AppendEntry(1, 2, 5, "hp1")])
    assert await two.news() == "aaaaaaaa"


async def test_many_matches_are_followed(one: Server, two: Server) -> None:
    many = [f"match{each:03}" for each in range(300)]
    await make(one.store, *many)
    await asyncio.gather(*(two.store.follow(match) for match in many for _ in range(2)))
    await asyncio.gather(*(one.store.write(match, [AppendEntry(1, 1, 5, "t")]) for match in many))
    assert sorted([await two.news() for _ in many]) == many


async def test_a_listener_that_fails_keeps_nobody_else_waiting(redis: RedisProcess, one: Server) -> None:
    complaints: list[object] = []
    heard: asyncio.Queue[str] = asyncio.Queue()
    asyncio.get_running_loop().set_exception_handler(lambda _loop, context: complaints.append(context["exception"]))

    def listen(match: str) -> None:
        heard.put_nowait(match)
        raise ZeroDivisionError

    store = RedisStore(redis.address)
    await store.open(listen)
    await make(one.store, "aaaaaaaa", "bbbbbbbb")
    for match in ("aaaaaaaa", "bbbbbbbb"):
        await store.follow(match)
        await one.store.write(match, [AppendEntry(1, 1, 5, "t")])
        assert await asyncio.wait_for(heard.get(), 10) == match
    await store.close()
    assert [type(each) for each in complaints] == [ZeroDivisionError, ZeroDivisionError]


async def test_servers_know_of_each_other_and_of_the_races_they_serve(one: Server, two: Server) -> None:
    assert (await one.store.beat("one", 0, ["golf abcdefgh", "spider"])).nodes == {"one"}
    assert (await two.store.beat("two", 0, [])).nodes == {"one", "two"}
    assert await two.store.races("two") == ["golf abcdefgh", "spider"]
    assert await one.store.races("one") == []
    await two.store.beat("two", 0, ["ünï"])
    assert await one.store.races("one") == ["ünï"]
    await one.store.silence("one")
    assert await two.store.races("two") == []
    assert (await two.store.beat("two", 0, [])).nodes == {"two"}


async def test_servers_have_the_same_secret(one: Server, two: Server) -> None:
    assert await one.store.house_secret() == await two.store.house_secret()


async def test_a_text_that_is_none_is_an_error(one: Server) -> None:
    with pytest.raises(StoreError):
        await one.store.pair("golf", Seeker("\ud800"), "abcdefgh")
    assert await one.store.player("ann") is None
    await make(one.store)
    assert await one.store.read(CODE) is not None


async def test_what_redis_refuses_fails_alone(redis: RedisProcess, one: Server) -> None:
    """One key is not what it should be: only who asks about it is told so."""
    await make(one.store, "aaaaaaaa", "bbbbbbbb")
    redis.run("SET", "tommy:2:{aaaaaaaa}:1", "no list")
    for _ in range(2):
        bad, good = await asyncio.gather(one.store.read("aaaaaaaa"), one.store.read("bbbbbbbb"), return_exceptions=True)
        assert isinstance(bad, StoreError)
        assert "WRONGTYPE" in str(bad)
        assert isinstance(good, StoredMatch)


async def test_who_follows_and_follows_no_more_and_follows_again_hears_the_news(one: Server, two: Server) -> None:
    """Redis confirms each of them, in turn: only what it says last counts."""
    await make(one.store)
    await one.store.follow(CODE)
    await one.store.unfollow(CODE)
    for _ in range(3):
        following = asyncio.create_task(one.store.follow(CODE))
        await asyncio.sleep(0)
        await one.store.unfollow(CODE)
        following.cancel()
        await asyncio.wait([following])
    await one.store.follow(CODE)
    assert await one.store.ready()
    await two.store.write(CODE, [AppendEntry(1, 1, 1, "t")])
    assert await one.news() == CODE


async def test_two_servers_together_note_no_more_of_a_pair_than_one(one: Server, two: Server) -> None:
    outcomes = await asyncio.gather(
        *(
            server.store.note_pair(("ann", "ben"), f"match{each:03}", 7, 1000, 3)
            for each in range(20)
            for server in (one, two)
        )
    )
    firsts, seconds = outcomes[::2], outcomes[1::2]
    assert firsts == seconds
    assert firsts.count(True) == 3


async def test_what_is_noted_of_a_pair_is_forgotten_by_itself(redis: RedisProcess, one: Server) -> None:
    await one.store.note_pair(("ben", "ann"), CODE, 7, 1000, 3)
    assert 0 < int(str(redis.run("PTTL", "tommy:2:{pair:ann ben}"))) <= 2000
