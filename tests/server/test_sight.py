"""What others are told of a board (design.md, point 4): what is live, and the entries that they have passed themselves."""

from random import Random

import pytest

from engine.board import Status
from engine.deal import Deal
from engine.games import variant
from protocol.messages import Progress
from server.effects import SPECTATORS
from server.events import Seated
from server.seat import Seat
from tests.server.desk import ANN, BOB, CODE, PLAYERS, Desk, encoded, moves_seen, spellings
from tests.server.reading import Reading
from tests.server.worlds import chosen_move, shuffled


@pytest.mark.parametrize("spelling", spellings())
def test_a_board_has_passed_what_the_design_says(spelling: str) -> None:
    """Against a second reading of the design's words."""
    chosen = variant(spelling)
    for seed in range(2):
        random = Random(f"{spelling} {seed}")
        dealt = shuffled(spelling, random)
        board, reading = chosen.board(dealt), Reading(spelling, dealt)
        for _ in range(260):
            assert (board.position, board.passed) == (reading.place, reading.passed)
            if board.finished:
                break
            entry = chosen_move(board, random)
            reading.take(entry, board.enter(entry))


def test_the_rival_is_sent_progress_and_never_a_move_or_a_board() -> None:
    desk = Desk().playing()
    desk.forget()
    for _ in range(30):
        desk.play(ANN, 2)
        desk.play(BOB, 1)
    for player in (ANN, BOB):
        of_the_other = [type(message) for message in desk.new(player) if getattr(message, "seat", player) != player]
        assert set(of_the_other) == {Progress}


def test_the_rival_learns_at_once_that_a_card_was_turned_and_no_more() -> None:
    desk = Desk().playing()
    desk.play(ANN, 9)
    (progress,) = [desk.new(BOB)[-1]]
    turned = desk.board(ANN).turned
    assert progress == Progress(match=CODE, seat=ANN, turned=turned, finished=False, status=Status.PLAYING, count=0)


def test_that_a_board_is_finished_is_known_at_once_and_how_it_finished_only_later() -> None:
    desk = Desk().playing()
    desk.play(ANN, 9)
    desk.move(ANN, "stand")
    progress = desk.new(BOB)[-1]
    assert isinstance(progress, Progress)
    assert (progress.finished, progress.status) == (True, Status.PLAYING)
    while desk.board(BOB).turned <= desk.board(ANN).turned:
        desk.play(BOB, 1)
    progress = [message for message in desk.new(BOB) if isinstance(message, Progress)][-1]
    assert (progress.finished, progress.status) == (True, Status.STOOD)


def test_once_one_player_has_no_card_to_come_the_other_is_seen_live() -> None:
    desk = Desk().playing()
    desk.match.spectators = 1
    desk.play(ANN, 9)
    assert moves_seen(desk.new(SPECTATORS), ANN) == []
    desk.move(BOB, "stand")
    assert [number for number, _ in moves_seen(desk.new(SPECTATORS), ANN)] == list(range(1, 10))
    desk.play(ANN, 1)
    assert [number for number, _ in moves_seen(desk.new(SPECTATORS), ANN)] == [10]


# After a redeal


def redealt(spelling: str, dealt: Deal, common: int, again: int, chance: Random) -> Seat:
    """A seat that has turned `common` cards onto the first pile, then played as it came to its redeal and `again` cards on."""
    board = variant(spelling).board
    seat = Seat(CODE, Seated(ANN, PLAYERS[ANN], "Ann"))
    seat.deal(board(dealt), board(dealt))
    while seat.board is not None and seat.board.turned_again < again:
        moves = [str(move) for move in seat.board.legal_moves()]
        if seat.board.turned <= common:
            seat.enter("t" if "t" in moves else "hp1", 0)
        else:
            placing = [move for move in moves if move[0] == "h"]
            seat.enter(chance.choice(placing) if placing else moves[-1], 0)
    return seat


@pytest.mark.parametrize("spelling", [spelling for spelling in spellings() if "redeal" in spelling])
def test_two_boards_that_agree_in_what_is_live_and_what_is_shown_are_told_alike(spelling: str) -> None:
    """They differ in moves, cards turned again and counts: whatever is said of one is what is said of the other."""
    counts, turned = set(), set()
    for seed in range(20):
        chance = Random(f"{spelling} {seed}")
        dealt, common = shuffled(spelling, chance), chance.randint(1, 9)
        one, other = (redealt(spelling, dealt, common, again, chance) for again in chance.sample(range(1, 9), 2))
        for seat in (one, other):
            seat.may_show(one._positions[2 * common - 1])
        assert one.live == other.live
        assert one.shown == other.shown >= 2 * common
        assert encoded(one.progress()) == encoded(other.progress())
        assert encoded(one.shown_board()) == encoded(other.shown_board())
        counts.add((one.last.count, other.last.count))
        turned.add((one.last.turned_again, other.last.turned_again))
    assert any(first != second for first, second in counts)
    assert all(first != second for first, second in turned)


@pytest.mark.parametrize("spelling", [spelling for spelling in spellings() if "redeal" in spelling])
def test_a_card_turned_after_the_redeal_is_no_news_before_it_is_passed_and_told_when_it_is(spelling: str) -> None:
    chance = Random(spelling)
    dealt = shuffled(spelling, chance)
    seat = redealt(spelling, dealt, 3, 1, chance)
    first = variant(spelling).game.stock
    seat.told = seat.progress()
    for number in range(2, 6):
        while seat.board is not None and seat.board.turned_again < number:
            moves = [str(move) for move in seat.board.legal_moves()]
            seat.enter(next((move for move in moves if move[0] == "h"), moves[-1]), 0)
        assert not seat.is_live_news
        assert seat.progress() == seat.told
        assert seat.told.turned == first
    for number in range(1, 6):
        positions = [
            at for at, entry in zip(seat._positions, seat.entries, strict=True) if entry.turned_again == number
        ]
        seat.may_show(positions[0])
        assert seat.progress().turned == first + number
