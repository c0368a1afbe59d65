"""Moves that cannot be made: each is refused with its code, and leaves the match as it was."""

from collections.abc import Callable

import pytest

import server.course
import server.match
from engine.cards import parse_card
from engine.deal import Deal
from engine.games import variant
from engine.sir_tommy import SirTommyBoard
from protocol import messages as wire
from tests.server.driver import Client, Visitors, begin
from tests.server.refusals import Case, Cases, Scene, Wrong

CASES = Cases()
provokes = CASES.provokes


def move_case(code: str, move: str, *, after: tuple[str, ...] = (), game: str = "sir-tommy") -> None:
    """A move that is refused after some others."""
    name = f"{move!r} in {game}" + (f" after {' '.join(after)}" if after else "")

    @provokes(code, game, name=name)
    async def send(scene: Scene) -> Wrong:
        if after:
            await scene.ann.move(*after)
        return scene.ann, scene.next_move(move)


move_case("bad-move", "turn")
move_case("bad-move", "timeout")
move_case("bad-move", "abandon")
move_case("bad-move", "\x1b[2J")
move_case("no-card-in-hand", "hp1")
move_case("no-card-in-hand", "hf1")
move_case("card-in-hand", "t", after=("t",))
move_case("card-in-hand", "p1f1", after=("t", "hp1", "t"))
move_case("pile-empty", "p1f1")
move_case("pile-empty", "p4p1", game="strategy")
move_case("no-such-place", "hp5", after=("t",))
move_case("no-such-place", "hf5", after=("t",))
move_case("no-such-place", "p9f1")
move_case("same-place", "p1p1", after=("t", "hp1"), game="strategy")
move_case("not-in-this-game", "p1p2", after=("t", "hp1"))
move_case("not-in-this-game", "r")
move_case("stock-not-empty", "r", game="sir-tommy+redeal")
move_case("board-finished", "t", after=("stand",))
move_case("board-finished", "resign", after=("stand",))
move_case("bad-move", "c1f5x2", game="josephine")
move_case("bad-move", "c1c14", game="forty-thieves")
move_case("bad-move", "c1c2x1", game="josephine")
move_case("bad-move", "wc1x2", game="forty-thieves+groups")
move_case("not-in-this-game", "hp1", game="forty-thieves")
move_case("not-in-this-game", "r", game="lucas+peek")
move_case("not-in-this-game", "c1c2", game="sir-tommy")
move_case("no-such-place", "c1c11", game="forty-thieves")
move_case("no-such-place", "c10c1", game="maria")
move_case("no-such-place", "c1f9", game="limited")
move_case("pile-empty", "wc1", game="lucas")
move_case("same-place", "c1c1", game="josephine")
move_case("not-a-sequence", "c1c2x5", game="forty-thieves")
move_case("not-a-sequence", "c1c2x13", game="josephine+peek+groups")
move_case("board-finished", "t", after=("stand",), game="maria+peek")


@provokes("stale")
async def another_move_with_a_number_that_is_taken(scene: Scene) -> Wrong:
    await scene.ann.move("t", "hp1")
    return scene.ann, wire.Move(match=scene.match, n=2, move="hp2")


@provokes("gap")
async def a_number_too_large(scene: Scene) -> Wrong:
    return scene.ann, wire.Move(match=scene.match, n=2, move="t")


@provokes("log-full", "strategy")
async def a_move_more_than_a_board_may_have(scene: Scene) -> Wrong:
    await scene.ann.move("t", "hp1")
    scene.monkeypatch.setattr(server.match, "LONGEST_LOG", 2)
    return scene.ann, scene.next_move("p1p2")


def column_case(code: str, move: str, columns: str, game: str) -> None:
    """A move that is refused with these cards at the ends of the first columns, in a game with ten columns of four."""

    @provokes(code, game, "seated", name=f"{move!r} in {game} with {columns}")
    async def send(scene: Scene) -> Wrong:
        ends = [[parse_card(card) for card in column.split()] for column in columns.split("/")]
        wanted = {10 * (4 - len(end) + row) + at: card for at, end in enumerate(ends) for row, card in enumerate(end)}
        others = list(variant(game).cards)
        for card in wanted.values():
            others.remove(card)
        order = tuple(wanted[at] if at in wanted else others.pop() for at in range(len(variant(game).cards)))
        scene.monkeypatch.setattr(server.course, "deal", lambda *_: Deal(order, order))
        await begin(scene.ann, scene.bob)
        return scene.ann, scene.next_move(move)


column_case("does-not-build", "c1c2", "7h / 8s", "forty-thieves")
column_case("does-not-build", "c1c2", "7h / 6h", "forty-thieves+peek+groups")
column_case("does-not-build", "c1c2", "Kh / Ah", "josephine")
column_case("does-not-build", "c1c2x2", "8h 7h / 10h", "josephine")
column_case("does-not-fit", "c1f5", "2h / 9h", "forty-thieves")
column_case("does-not-fit", "c1f4", "Ah / 9h", "forty-thieves")
column_case("not-a-sequence", "c1c2x2", "7s 8h / 9h", "josephine")
column_case("too-many-cards", "c1c2x2", "8h 7h / 9h", "forty-thieves")
column_case("too-many-cards", "c1c2x2", "8h 7h / 9h", "forty-thieves+groups")
column_case("too-many-cards", "c1c2x3", "7s 6s 5s / 8s", "forty-thieves+peek+groups")


async def turn_until(player: Client, wanted: Callable[[str], bool]) -> None:
    """Turn cards, and put them on piles, until one is in hand that is wanted."""
    while True:
        card = (await player.move("t")).card
        assert card is not None
        if wanted(card):
            return
        await player.move("hp1")


@provokes("does-not-fit")
async def a_card_that_does_not_fit(scene: Scene) -> Wrong:
    await turn_until(scene.ann, lambda card: not card.startswith("A"))
    return scene.ann, scene.next_move("hf1")


@provokes("not-leftmost", "numerica")
async def a_foundation_that_is_not_the_leftmost(scene: Scene) -> Wrong:
    await turn_until(scene.ann, lambda card: card.startswith("A"))
    return scene.ann, scene.next_move("hf2")


async def turn_all(player: Client) -> None:
    """Turn the whole stock onto piles, the aces on the fourth, so that the board is not stuck."""
    board = player.board
    assert isinstance(board, SirTommyBoard)
    while board.stock:
        card = (await player.move("t")).card or ""
        await player.move("hp4" if card.startswith("A") else "hp1")


@provokes("stock-empty")
async def a_turn_of_nothing(scene: Scene) -> Wrong:
    await turn_all(scene.ann)
    return scene.ann, scene.next_move("t")


@provokes("no-redeal-left", "sir-tommy+redeal")
async def a_second_redeal(scene: Scene) -> Wrong:
    await turn_all(scene.ann)
    await scene.ann.move("r")
    await turn_all(scene.ann)
    return scene.ann, scene.next_move("r")


@pytest.mark.parametrize(("code", "scene", "case"), CASES.rows, ids=CASES.names, indirect=["scene"])
async def test_it_is_refused_with_its_code_and_changes_nothing(code: str, scene: Scene, case: Case) -> None:
    await scene.refuses(code, case)


async def test_a_resent_move_is_no_bad_input_and_gets_the_same_bytes(people: Visitors) -> None:
    ann, bob = await people.race()
    move = wire.Move(id=500, match=ann.match, n=1, move="t")
    frames = []
    for _ in range(3):
        await ann.send(move)
        await ann.next(wire.Moved)
        frames.append(ann.frames[-1])
        await bob.move("t")
        await bob.move("hp1")
    assert len(set(frames)) == 1


async def test_refusals_are_no_strikes(people: Visitors) -> None:
    ann, _ = await people.race()
    for _ in range(10):
        assert (await ann.refused(wire.Move(match=ann.match, n=7, move="t"))).code == "gap"
    await ann.move("t")
