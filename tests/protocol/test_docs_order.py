"""Of several faults of a move the server names the one that stands first in the table of docs/protocol.md."""

from pathlib import Path

import pytest

import server.match
from protocol import messages as wire
from protocol.codes import CODES, MOVES
from tests.protocol.page import SECTIONS, rows_of
from tests.server.driver import Client, Visitors, serving

NOWHERE = "zzzzzzzz"
ORDER = [[code.strip(" `") for code in row[1].split(",")] for row in rows_of(SECTIONS["Playing"])]
"""The codes of each row; of the last row there are many."""


def test_the_table_has_every_code_of_moves_but_for_those_of_the_rules() -> None:
    *named, others = ORDER
    before_the_rules = [code for row in named for code in row]
    assert set(before_the_rules) <= CODES.keys()
    assert others == ["one of the others"]
    assert set(before_the_rules) & MOVES.keys() == {
        "stale",
        "gap",
        "log-full",
        "bad-move",
        "board-finished",
        "not-in-this-game",
    }


def place(code: str, nth: int = 0) -> int:
    """The row of a code; the n-th where it has several."""
    return [at for at, row in enumerate(ORDER) if code in row][nth]


async def code_of(player: Client, match: str, n: int, move: str) -> str:
    return (await player.refused(wire.Move(match=match, n=n, move=move))).code


async def test_the_first_fault_of_several_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server.match, "COUNTDOWN", 5)
    monkeypatch.setattr(server.match, "LONGEST_LOG", 3)
    async with serving(tmp_path / "matches.db") as (_, people):
        ann, bob = await people.race()
        waiting = await _waiting(people, ann)
        found = [
            await code_of(ann, NOWHERE, 7, "xyz"),  # there is no such match, and it is no move
            await code_of(ann, waiting, 7, "xyz"),  # it has not started, the number is not the next, it is no move
            await code_of(ann, ann.match, 7, "timeout"),  # the number is not the next, it is the server's word
        ]
        await ann.move("t", "hp1", "t")
        found.append(await code_of(ann, ann.match, 4, "timeout"))  # the board is full, it is the server's word
        await bob.move("stand")
        found += [
            await code_of(bob, bob.match, 2, "timeout"),  # it is the server's word, the board is finished
            await code_of(bob, bob.match, 2, "c1c2"),  # the game has no such move, the board is finished
            await code_of(bob, bob.match, 2, "xyz"),  # the board is finished, it is no move
        ]
        await ann.move("stand")
        found.append(await code_of(ann, ann.match, 4, "xyz"))  # the match is over, the number has been used
    expected = "unknown-match not-started gap log-full bad-move not-in-this-game board-finished match-over"
    assert found == expected.split()
    rows = [place(code) for code in found[:-1]]
    assert rows == sorted(set(rows))
    assert place("match-over") < place("stale") < place("board-finished") < place("bad-move", 1)


async def _waiting(people: Visitors, player: Client) -> str:
    """A match in which the player has a seat, and which has not started."""
    host = await people.guest("Cy")
    state = await host.create()
    await player.ask(wire.Join(match=state.match), wire.MatchState)
    return state.match
