"""How a connection begins: the version, the greeting, hello, and what there is to play."""

import asyncio
import http

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus
from websockets.typing import Origin, Subprotocol

import server.app
from engine.games import CATALOGUE
from protocol import messages as wire
from protocol.players import public_key
from server.app import RaceServer
from tests.server.driver import Visitors
from tests.server.refusals import Case, Cases, Scene, Wrong

# The version


@pytest.mark.parametrize(
    "offered", [["tommy.3"], ["tommy.1.json", "tommy.1"], ["mqtt"], None], ids=["newer", "older", "others", "none"]
)
async def test_a_client_of_another_version_is_told_which_versions_there_are(
    people: Visitors, offered: list[Subprotocol] | None
) -> None:
    with pytest.raises(InvalidStatus) as caught:
        await connect(people.url, subprotocols=offered, proxy=None)
    response = caught.value.response
    assert response.status_code == http.HTTPStatus.BAD_REQUEST
    text = response.body.decode()
    assert text.startswith("version: ")
    assert "tommy.2" in text
    assert all(name in text for name in offered or ("no subprotocol",))


async def test_a_client_that_offers_several_versions_gets_one_that_both_speak(people: Visitors) -> None:
    offered = [Subprotocol(name) for name in ("tommy.9", "tommy.2.json", "tommy.2", "tommy.1")]
    async with connect(people.url, subprotocols=offered, proxy=None) as socket:
        assert socket.subprotocol == "tommy.2"


async def test_a_browsers_visit_is_answered_in_words(people: Visitors) -> None:
    host, port = people.url.removeprefix("ws://").split(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    writer.write(b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    answer = (await asyncio.wait_for(reader.read(), 10)).decode()
    writer.close()
    await writer.wait_closed()
    assert answer.startswith("HTTP/1.1 200")
    assert "tommy-race server" in answer


async def test_a_page_from_an_origin_that_the_host_has_not_allowed_is_answered_with_403(people: Visitors) -> None:
    with pytest.raises(InvalidStatus) as caught:
        await connect(people.url, subprotocols=[Subprotocol("tommy.2")], proxy=None, origin=Origin("https://x.example"))
    assert caught.value.response.status_code == http.HTTPStatus.FORBIDDEN


# Hello


async def test_who_says_hello_is_told_who_they_are_and_what_there_is_to_play(people: Visitors) -> None:
    ann = await people.stranger("  Ann\u00a0 of   Greengage ")
    welcome = await ann.hello()
    assert (welcome.name, welcome.seats) == ("Ann of Greengage", [])
    assert {game.name: (game.options, game.cards) for game in welcome.games} == {
        name: (list(game.options), len(game.cards)) for name, game in CATALOGUE.items()
    }
    assert welcome.server


async def test_who_says_hello_is_told_what_there_is_beside_the_games(people: Visitors, race_server: RaceServer) -> None:
    assert (await (await people.stranger()).hello()).offers == ["history", "rankings"]
    race_server.house.limit = 1
    assert (await (await people.stranger()).hello()).offers == ["house-bots", "history", "rankings"]


async def test_the_tag_follows_from_the_key_and_does_not_give_it_away(people: Visitors) -> None:
    first = await (await people.stranger("Ann", key="5e" * 32)).hello()
    again = await (await people.stranger("Ann", key="5e" * 32)).hello()
    other = await (await people.stranger("Ann", key="5f" * 32)).hello()
    assert first.tag == again.tag != other.tag
    assert first.tag not in "5e" * 32
    assert first.tag not in public_key("5e" * 32)


async def test_names_are_made_fit_to_be_shown_before_anybody_sees_them(people: Visitors) -> None:
    ann, bob = await people.guest("A\u200bnn\u2060 "), await people.guest("Bob")
    await ann.create()
    assert [seat.name for seat in (await bob.join(ann.match)).seats] == ["Ann", "Bob"]


async def test_a_program_that_says_so_is_shown_as_one(people: Visitors) -> None:
    ann, robot = await people.guest("Ann"), await people.stranger("Robo")
    await robot.ask(await robot.signed(bot=" my\u200b  bot 1.0"), wire.Welcome)
    await ann.create()
    seats = (await robot.join(ann.match)).seats
    assert [(seat.name, seat.bot, seat.level) for seat in seats] == [("Ann", None, None), ("Robo", "my bot 1.0", None)]


async def test_who_says_nothing_is_sent_away_and_told_nothing_but_the_greeting(
    people: Visitors, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server.app, "HELLO_WITHIN", 0.01)
    stranger = await people.stranger()
    assert (await stranger.closed()).code == 1008
    assert [type(message) for message in stranger.heard] == [wire.Greeting]


# What is refused

CASES = Cases()
provokes = CASES.provokes


@provokes("hello-first", state="stranger")
async def a_request_before_hello(scene: Scene) -> Wrong:
    stranger = await scene.people.stranger("Stranger")
    return stranger, wire.Watch(match=scene.match)


@provokes("already-greeted")
async def hello_twice(scene: Scene) -> Wrong:
    return scene.ann, await scene.ann.signed()


@provokes("already-greeted")
async def hello_as_somebody_else(scene: Scene) -> Wrong:
    scene.eve.key = scene.bob.key
    return scene.eve, await scene.eve.signed()


@provokes("wrong-host")
async def a_hello_that_was_signed_for_another_server(scene: Scene) -> Wrong:
    thief = await scene.people.stranger("Ann", key=scene.ann.key)
    return thief, await thief.signed(host="elsewhere.example.org")


@provokes("wrong-host")
async def a_host_that_is_not_in_the_form_in_which_it_is_signed(scene: Scene) -> Wrong:
    stranger = await scene.people.stranger()
    return stranger, await stranger.signed(host=f"{stranger.host}:7777")


@provokes("bad-signature")
async def a_hello_that_was_said_on_another_connection(scene: Scene) -> Wrong:
    return await scene.people.stranger("Ann"), await scene.ann.signed()


@provokes("bad-signature")
async def a_hello_whose_host_was_changed_on_the_way(scene: Scene) -> Wrong:
    thief = await scene.people.stranger("Ann", key=scene.ann.key)
    hello = await thief.signed(host="elsewhere.example.org")
    hello.host = thief.host
    return thief, hello


@provokes("bad-signature")
async def the_key_of_somebody_else(scene: Scene) -> Wrong:
    thief = await scene.people.stranger("Ann")
    hello = await thief.signed()
    hello.key = public_key(scene.ann.key)
    return thief, hello


@provokes("bad-signature")
async def a_key_that_is_no_point_of_the_curve(scene: Scene) -> Wrong:
    stranger = await scene.people.stranger()
    hello = await stranger.signed()
    hello.key = "02" + "00" * 31
    return stranger, hello


@pytest.mark.parametrize(("code", "scene", "case"), CASES.rows, ids=CASES.names, indirect=["scene"])
async def test_it_is_refused_with_its_code_and_changes_nothing(code: str, scene: Scene, case: Case) -> None:
    await scene.refuses(code, case)
