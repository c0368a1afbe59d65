"""How a connection begins: who says hello is told who they are, and what there is to play."""

from engine.games import CATALOGUE
from tests.server.driver import Visitors


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
