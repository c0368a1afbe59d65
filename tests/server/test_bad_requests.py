"""Requests that cannot be granted: each is refused with its code, and leaves the match as it was."""

import secrets
from collections.abc import Callable
from typing import Any

import pytest

import server.hub
import server.lobby
from engine.deal import nonce_commitment
from engine.games import CATALOGUE
from protocol import messages as wire
from tests.server.driver import NONCE, Visitors
from tests.server.refusals import Case, Cases, Scene, Wrong

CASES = Cases()
provokes = CASES.provokes


@provokes("unknown-game")
async def a_game_there_is_not(scene: Scene) -> Wrong:
    return scene.eve, wire.Play(game="sir-tomy")


@provokes("unknown-game")
async def an_option_there_is_not(scene: Scene) -> Wrong:
    return scene.eve, wire.Create(game="sir-tommy+peek")


@provokes("not-offered")
async def a_game_that_the_host_does_not_offer(scene: Scene) -> Wrong:
    scene.monkeypatch.setattr(scene.race_server.lobby, "games", (CATALOGUE["lucas"],))
    return scene.eve, wire.Create(game="sir-tommy")


def request_case(code: str, request: Callable[..., wire.ClientMessage], match: str, **fields: Any) -> None:
    """A request of Eve's about a match in which she has no seat, or about one that there is not."""
    name = f"{request.__name__} of {'a match there is not' if match else 'a match of others'}"

    @provokes(code, name=name)
    async def send(scene: Scene) -> Wrong:
        return scene.eve, request(match=match or scene.match, **fields)


NOWHERE = "zzzzzzzz"
FOR_PLAYERS: list[tuple[type[wire.ClientMessage], dict[str, Any]]] = [
    (wire.Ready, {"commitment": "0" * 64}),
    (wire.Reveal, {"nonce": NONCE}),
    (wire.Move, {"n": 1, "move": "t"}),
    (wire.Resume, {}),
    (wire.Rematch, {}),
    (wire.Leave, {}),
]
for kind, details in FOR_PLAYERS:
    request_case("not-your-seat", kind, "", **details)
    request_case("unknown-match", kind, NOWHERE, **details)
for kind in (wire.Join, wire.Watch, wire.GetRecord):
    request_case("unknown-match", kind, NOWHERE)


@provokes("not-your-seat")
async def somebody_elses_seat_with_ones_own_key(scene: Scene) -> Wrong:
    thief = await scene.people.guest("Ann", key=secrets.token_hex(32))
    return thief, wire.Resume(match=scene.match, n=0)


@provokes("not-your-seat")
async def a_move_on_a_connection_that_did_not_resume(scene: Scene) -> Wrong:
    second = await scene.people.guest("Ann", key=scene.ann.key)
    return second, wire.Move(match=scene.match, n=1, move="t")


@provokes("match-full")
async def a_third_player(scene: Scene) -> Wrong:
    return scene.eve, wire.Join(match=scene.match)


@provokes("match-full", state="seated")
async def a_third_player_before_the_start(scene: Scene) -> Wrong:
    return scene.eve, wire.Join(match=scene.match)


@provokes("already-seated", state="seated")
async def a_second_seat(scene: Scene) -> Wrong:
    return scene.ann, wire.Join(match=scene.match)


@provokes("already-seated", state="seated")
async def a_second_seat_on_a_second_connection(scene: Scene) -> Wrong:
    second = await scene.people.guest("Not Ann", key=scene.ann.key)
    return second, wire.Join(match=scene.match)


@provokes("already-ready", state="seated")
async def another_commitment(scene: Scene) -> Wrong:
    await scene.ann.ready()
    return scene.ann, wire.Ready(match=scene.match, commitment="0" * 64)


@provokes("not-revealing", state="seated")
async def a_nonce_too_early(scene: Scene) -> Wrong:
    return scene.ann, wire.Reveal(match=scene.match, nonce=NONCE)


@provokes("bad-nonce", state="seated")
async def a_nonce_that_does_not_fit(scene: Scene) -> Wrong:
    await scene.ann.ready()
    await scene.bob.ready()
    return scene.ann, wire.Reveal(match=scene.match, nonce="0" * 32)


@provokes("bad-nonce", state="seated")
async def the_others_nonce(scene: Scene) -> Wrong:
    copied = nonce_commitment(bytes.fromhex(NONCE), scene.match, 0)
    await scene.ann.ready()
    await scene.bob.ask(wire.Ready(match=scene.match, commitment=copied), wire.MatchState)
    return scene.bob, wire.Reveal(match=scene.match, nonce=NONCE)


@provokes("has-started")
async def leaving_a_race(scene: Scene) -> Wrong:
    return scene.ann, wire.Leave(match=scene.match)


@provokes("has-started", state="left")
async def joining_a_match_that_was_given_up(scene: Scene) -> Wrong:
    return scene.eve, wire.Join(match=scene.match)


@provokes("not-started", state="seated")
async def a_move_before_the_start(scene: Scene) -> Wrong:
    return scene.ann, wire.Move(match=scene.match, n=1, move="t")


@provokes("match-over", state="over")
async def a_move_after_the_end(scene: Scene) -> Wrong:
    return scene.ann, scene.next_move("t")


@provokes("match-over", state="left")
async def a_move_in_a_match_that_was_given_up(scene: Scene) -> Wrong:
    return scene.ann, wire.Move(match=scene.match, n=1, move="t")


@provokes("not-over")
async def the_record_of_a_race_that_is_on(scene: Scene) -> Wrong:
    return scene.eve, wire.GetRecord(match=scene.match)


@provokes("not-over")
async def a_rematch_of_a_race_that_is_on(scene: Scene) -> Wrong:
    return scene.ann, wire.Rematch(match=scene.match)


@provokes("no-rematch", state="over")
async def a_rematch_after_one_has_left(scene: Scene) -> Wrong:
    await scene.bob.ask(wire.Leave(match=scene.match), wire.MatchState)
    return scene.ann, wire.Rematch(match=scene.match)


@provokes("no-bots")
async def a_house_bot_where_there_is_none(scene: Scene) -> Wrong:
    return scene.eve, wire.Create(game="sir-tommy", level="normal")


@provokes("too-many")
async def a_match_more_than_a_player_may_have(scene: Scene) -> Wrong:
    scene.monkeypatch.setattr(server.lobby, "MATCHES_OF_A_PLAYER", 1)
    return scene.ann, wire.Create(game="sir-tommy")


@provokes("too-many")
async def a_match_more_than_one_may_watch(scene: Scene) -> Wrong:
    scene.monkeypatch.setattr(server.hub, "MOST_WATCHED", 1)
    other, _ = await scene.people.pair()
    await scene.eve.watch(other.match)
    return scene.eve, wire.Watch(match=scene.match)


@provokes("shutting-down")
async def a_match_on_a_server_that_is_closing(scene: Scene) -> Wrong:
    scene.race_server.hub.draining = True
    return scene.eve, wire.Play(game="sir-tommy")


@pytest.mark.parametrize(("code", "scene", "case"), CASES.rows, ids=CASES.names, indirect=["scene"])
async def test_it_is_refused_with_its_code_and_changes_nothing(code: str, scene: Scene, case: Case) -> None:
    await scene.refuses(code, case)


async def test_a_near_miss_of_a_game_is_answered_with_the_names_it_may_have_meant(people: Visitors) -> None:
    ann = await people.guest()
    assert "did you mean sir-tommy" in (await ann.refused(wire.Play(game="sir_tommi"))).why
    assert "did you mean forty-thieves" in (await ann.refused(wire.Play(game="forty-thief"))).why
    assert "it has redeal" in (await ann.refused(wire.Play(game="strategy+peek"))).why
    assert "it has peek, groups" in (await ann.refused(wire.Play(game="lucas+redeal"))).why
    assert "named twice" in (await ann.refused(wire.Play(game="lucas+peek+peek"))).why
