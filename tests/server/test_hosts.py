"""Who somebody is, is proved to one server alone: for its challenge, and for the host that was dialled."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from ipaddress import ip_network
from typing import Any
from urllib.parse import urlsplit

import pytest
from websockets.datastructures import Headers

from protocol import messages as wire
from protocol.players import host_of
from server.app import RaceServer
from server.hosts import host_in, hosts_of
from server.limits import Limits
from server.settings import BadSetting, Settings, server_named
from tests.server.driver import Client, Visitors, visitors

PROXY = (ip_network("127.0.0.1/32"),)


@asynccontextmanager
async def called(*names: str, bots: int = 0, **settings: Any) -> AsyncIterator[tuple[RaceServer, Visitors]]:
    """A server with these names, and those who come to it."""
    running = RaceServer(Settings(host="127.0.0.1", port=0, store="memory:", bots=bots, names=names, **settings))
    port = await running.open()
    async with visitors(f"ws://127.0.0.1:{port}") as people:
        yield running, people
    await running.close()


async def answer(client: Client, **options: Any) -> str:
    """What becomes of a hello that is signed for this host: the code of the refusal, or the type of the answer."""
    told = await client.ask(await client.signed(**options), wire.ServerMessage)
    return told.code if isinstance(told, wire.Refused) else str(told.__struct_config__.tag)


# A server that was given its names


async def test_a_server_with_names_takes_signatures_for_these_only() -> None:
    async with called("races.example.org", "tommy.example.org") as (_, people):
        for host, expected in (
            ("races.example.org", "welcome"),
            ("tommy.example.org", "welcome"),
            ("evil.example.org", "wrong-host"),
            ("127.0.0.1", "wrong-host"),
            ("localhost", "wrong-host"),
            ("example.org", "wrong-host"),
            ("races.example.org.evil.org", "wrong-host"),
        ):
            assert await answer(await people.stranger(), host=host) == expected, host


async def test_another_server_cannot_pass_the_challenge_on() -> None:
    """The relay is asked for by its own name, whatever it is told of the challenge's home."""
    async with called("races.example.org") as (_, people):
        relay = await people.stranger("Eve")
        victims_hello = await relay.signed("relay.example.net")  # what a victim signs who has dialled the relay
        assert (await relay.refused(victims_hello)).code == "wrong-host"
        victims_hello.host = "races.example.org"
        assert (await relay.refused(victims_hello)).code == "bad-signature"


async def test_the_refusal_says_what_the_server_is_called() -> None:
    async with called("races.example.org") as (_, people):
        client = await people.stranger()
        refused = await client.refused(await client.signed("127.0.0.1"))
        assert refused.why == "your hello is signed for 127.0.0.1, and this server is called races.example.org"
        await client.ask(await client.signed("races.example.org"), wire.Welcome)  # it is no strike, and may be mended


async def test_the_own_bots_of_a_server_with_names_come_all_the_same() -> None:
    async with called("races.example.org", bots=1) as (_, people):
        ann = await people.stranger("Ann")
        await ann.ask(await ann.signed("races.example.org"), wire.Welcome)
        await ann.create(level="easy")
        await ann.ready()
        assert (await ann.state("revealing")).seats[1].level == "easy"


# A server without


async def test_a_server_without_names_takes_what_it_was_asked_for() -> None:
    async with called() as (_, people):
        assert await answer(await people.stranger(), host="127.0.0.1") == "welcome"
        assert await answer(await people.stranger(), host="races.example.org") == "wrong-host"
        port = urlsplit(people.url).port
        for asked in ("Races.Example.org", "races.example.org:8080", "races.example.org."):
            named = await Client.connected(f"ws://{asked}/", host="127.0.0.1", port=port)
            assert await answer(named) == "welcome", asked
            await named.close()


async def test_who_is_asked_for_by_two_hosts_is_called_neither() -> None:
    async with called() as (_, people):
        twice = await people.stranger(additional_headers={"Host": "races.example.org"})
        assert await answer(twice, host="races.example.org") == "wrong-host"
        assert await answer(twice, host="127.0.0.1") == "wrong-host"


async def test_only_a_trusted_proxy_says_what_was_asked_for() -> None:
    asked = {"X-Forwarded-Host": "races.example.org"}
    async with called(limits=Limits(trusted=PROXY)) as (_, people):
        assert await answer(await people.stranger(additional_headers=asked), host="races.example.org") == "welcome"
        assert await answer(await people.stranger(additional_headers=asked), host="127.0.0.1") == "wrong-host"
    async with called() as (_, people):
        assert await answer(await people.stranger(additional_headers=asked), host="races.example.org") == "wrong-host"


# The signature


async def test_no_challenge_comes_twice_and_an_old_signature_is_of_no_use() -> None:
    async with called() as (_, people):
        first, second = await people.stranger("Ann"), await people.stranger("Ann")
        heard = await first.signed()
        assert (await second.next(wire.Greeting)).challenge != first.all(wire.Greeting)[0].challenge
        assert (await second.refused(heard)).code == "bad-signature"
        assert (await first.ask(heard, wire.Welcome)).name == "Ann"


async def test_who_signs_with_another_key_is_not_let_in() -> None:
    async with called() as (_, people):
        ann, eve = await people.guest("Ann"), await people.stranger("Eve")
        stolen = await eve.signed()
        stolen.key = (await ann.signed()).key
        assert (await eve.refused(stolen)).code == "bad-signature"


@pytest.mark.parametrize("key", ["00" * 32, "ff" * 32, "01" + "00" * 31])
async def test_a_key_that_is_none_is_refused(key: str) -> None:
    async with called() as (_, people):
        eve = await people.stranger("Eve")
        hello = await eve.signed()
        hello.key = key
        assert (await eve.refused(hello)).code == "bad-signature"


# Hosts as they are signed


@pytest.mark.parametrize(
    ("text", "host"),
    [
        ("races.example.org", "races.example.org"),
        ("RACES.example.ORG:7777", "races.example.org"),
        ("races.example.org.:7777", "races.example.org"),
        ("192.0.2.1:7777", "192.0.2.1"),
        ("[2001:DB8:0::1]:7777", "2001:db8::1"),
        ("[2001:db8::1]", "2001:db8::1"),
        ("2001:db8:0:0::1", "2001:db8::1"),
        ("[fe80::1%25eth0]:7777", "fe80::1"),
        ("[::ffff:192.0.2.1]:7777", "192.0.2.1"),
        ("[::FFFF:C000:201]", "192.0.2.1"),
        ("Spiel.Bücher.example", "spiel.xn--bcher-kva.example"),
        ("localhost", "localhost"),
        ("", ""),
    ],
)
def test_a_host_header_names_the_host_as_it_is_signed(text: str, host: str) -> None:
    assert host_in(text) == host
    assert host_of(host) == host


def test_without_any_name_nothing_fits() -> None:
    assert hosts_of((), Headers(), "192.0.2.1", ()) == ()


@pytest.mark.parametrize("name", ["", " ", "ws://races.example.org", "races example", "a/b", "races.example.org?x"])
def test_a_name_that_is_no_host(name: str) -> None:
    with pytest.raises(BadSetting, match=r"--name .* is no host"):
        server_named(name)


@pytest.mark.parametrize(
    ("name", "host"),
    [("Races.Example.org", "races.example.org"), ("races.example.org:7777", "races.example.org"), ("[::1]", "::1")],
)
def test_a_name_is_kept_as_it_is_signed(name: str, host: str) -> None:
    assert server_named(name) == host
