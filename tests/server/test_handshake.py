"""How a connection begins: the version, hello, and what there is to play."""

import asyncio
import http

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus
from websockets.typing import Subprotocol

import server.app
from engine.games import CATALOGUE
from protocol import messages as wire
from tests.server.driver import Visitors
from tests.server.refusals import Case, Cases, Scene, Wrong

# The version


@pytest.mark.parametrize("offered", [["tommy.2"], ["mqtt", "tommy.0"], None], ids=["newer", "others", "none"])
async def test_a_client_of_another_version_is_told_which_versions_there_are(
    people: Visitors, offered: list[Subprotocol] | None
) -> None:
    with pytest.raises(InvalidStatus) as caught:
        await connect(people.url, subprotocols=offered, proxy=None)
    response = caught.value.response
    assert response.status_code == http.HTTPStatus.BAD_REQUEST
    text = response.body.decode()
    assert text.startswith("version: ")
    assert "tommy.1" in text
    assert all(name in text for name in offered or ("no subprotocol",))


async def test_a_client_that_offers_several_versions_gets_one_that_both_speak(people: Visitors) -> None:
    offered = [Subprotocol(name) for name in ("tommy.9", "tommy.1.json", "tommy.1")]
    async with connect(people.url, subprotocols=offered, proxy=None) as socket:
        assert socket.subprotocol in ("tommy.1", "tommy.1.json")


async def test_a_browsers_visit_is_answered_in_words(people: Visitors) -> None:
    host, port = people.url.removeprefix("ws://").split(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    writer.write(b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    answer = (await asyncio.wait_for(reader.read(), 10)).decode()
    writer.close()
    await writer.wait_closed()
    assert answer.startswith("HTTP/1.1 200")
    assert "tommy-race server" in answer


# Hello


async def test_who_says_hello_is_told_who_they_are_and_what_there_is_to_play(people: Visitors) -> None:
    ann = await people.stranger("  Ann\u00a0 of   Greengage ")
    welcome = await ann.hello()
    assert (welcome.name, welcome.seats) == ("Ann of Greengage", [])
    assert {game.name: (game.options, game.cards) for game in welcome.games} == {
        name: (list(game.options), len(game.cards)) for name, game in CATALOGUE.items()
    }
    assert welcome.server


async def test_the_tag_follows_from_the_key_and_does_not_give_it_away(people: Visitors) -> None:
    first = await (await people.stranger("Ann", key="5e" * 16)).hello()
    again = await (await people.stranger("Ann", key="5e" * 16)).hello()
    other = await (await people.stranger("Ann", key="5f" * 16)).hello()
    assert first.tag == again.tag != other.tag
    assert first.tag not in "5e" * 16


async def test_names_are_made_fit_to_be_shown_before_anybody_sees_them(people: Visitors) -> None:
    ann, bob = await people.guest("A\u200bnn\u2060 "), await people.guest("Bob")
    await ann.create()
    assert [seat.name for seat in (await bob.join(ann.match)).seats] == ["Ann", "Bob"]


async def test_who_says_nothing_is_sent_away(people: Visitors, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server.app, "HELLO_WITHIN", 0.01)
    stranger = await people.stranger()
    assert (await stranger.closed()).code == 1008
    assert [refused.code for refused in stranger.all(wire.Refused)] == ["hello-first"]


# What is refused

CASES = Cases()
provokes = CASES.provokes


@provokes("hello-first", state="stranger")
async def a_request_before_hello(scene: Scene) -> Wrong:
    stranger = await scene.people.stranger("Stranger")
    return stranger, wire.Watch(match=scene.match)


@provokes("already-greeted")
async def hello_twice(scene: Scene) -> Wrong:
    return scene.ann, wire.Hello(name="Ann", key=scene.ann.key)


@provokes("already-greeted")
async def hello_as_somebody_else(scene: Scene) -> Wrong:
    return scene.eve, wire.Hello(name="Bob", key=scene.bob.key)


@pytest.mark.parametrize(("code", "scene", "case"), CASES.rows, ids=CASES.names, indirect=["scene"])
async def test_it_is_refused_with_its_code_and_changes_nothing(code: str, scene: Scene, case: Case) -> None:
    await scene.refuses(code, case)
