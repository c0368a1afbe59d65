"""The next card of the stock, in games that show it: to the own player alone."""

from collections.abc import Sequence
from itertools import pairwise

import pytest

from engine.forty_thieves import FortyThievesView
from protocol.messages import BoardState, Moved, ServerMessage
from server.effects import SPECTATORS
from tests.server.desk import ANN, BOB, Desk, spellings

SPELLINGS = spellings()


def peeks(messages: Sequence[ServerMessage]) -> list[str | None]:
    """The cards of the stock that some messages show."""
    moved = [message.peek for message in messages if isinstance(message, Moved)]
    views = [message.view for message in messages if isinstance(message, BoardState)]
    return moved + [view.peek for view in views if isinstance(view, FortyThievesView)]


@pytest.mark.parametrize("spelling", [spelling for spelling in SPELLINGS if "peek" in spelling])
def test_the_next_card_of_the_stock_is_shown_to_the_boards_own_player_alone(spelling: str) -> None:
    desk = Desk(spelling).playing()
    desk.match.spectators = 1
    for seat, moves in ((ANN, 25), (BOB, 40), (ANN, 20)):
        desk.play(seat, moves)
        desk.drop(seat)
        desk.resume(seat, 0)
        desk.resume(seat, 2)
    told = {audience: [message for to, message in desk.said if to == audience] for audience in (ANN, BOB, SPECTATORS)}
    assert any(isinstance(message, Moved) for message in told[SPECTATORS])
    assert set(peeks([*told[SPECTATORS], *desk.match.watched()])) == {None}
    for seat in (ANN, BOB):
        about_own = [message for message in told[seat] if getattr(message, "seat", None) == seat]
        assert None not in peeks(about_own)
        assert peeks([message for message in told[seat] if message not in about_own]) == []
        turned = [message for message in about_own if isinstance(message, Moved) and message.move == "t"]
        for before, after in pairwise({message.n: message for message in turned}.values()):
            assert before.peek == after.card


def test_no_other_game_shows_a_card_of_the_stock() -> None:
    for spelling in (spelling for spelling in SPELLINGS if "peek" not in spelling):
        desk = Desk(spelling).playing()
        desk.play(ANN, 20)
        assert set(peeks([message for _, message in desk.said])) <= {None}
