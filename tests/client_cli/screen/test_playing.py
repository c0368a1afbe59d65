"""What a player presses, and what comes of it: the table of keys row by row, without a terminal."""

import pytest

from client_cli.screen import keys
from client_cli.screen.look import Look
from client_cli.troubles import Exit
from engine.board import Status
from engine.moves import HAND, WASTE, Area, Place, column, foundation, pile
from protocol.messages import Leave, Move, Ready, Rematch
from protocol.proof import proof_of
from tests.client_cli.screen.desk import Desk


def begun(game: str = "sir-tommy", **options: object) -> Desk:
    desk = Desk(game, **options)  # type: ignore[arg-type]
    desk.table.seated()
    return desk.begin()


def seated() -> Desk:
    desk = Desk()
    desk.table.seated()
    desk.hear(desk.table.match())
    return desk


# Before the race


def test_waiting_shows_what_to_tell_the_other() -> None:
    assert "tommy join abcdefgh" in Desk().text()
    assert "The house bot is on its way." in Desk(bot_comes=True).text()


def test_enter_is_ready() -> None:
    desk = seated()
    assert "Press Enter when you are ready: within 2 min." in desk.text()
    desk.press("enter", "enter")
    assert [type(message) for message in desk.sent] == [Ready]
    desk.table.commit(0)
    desk.hear(desk.table.match())
    text = desk.text()
    assert "Ada: ready" in text
    assert "Bo: not ready yet" in text
    assert "Press Enter" not in text


def test_the_countdown_counts() -> None:
    desk = seated()
    desk.table.state = "countdown"
    desk.hear(desk.table.match())
    assert "│  3  │" in desk.text()
    desk.now += 1.5
    assert "│  2  │" in desk.text()


def test_a_match_that_does_not_take_place() -> None:
    desk = seated()
    desk.table.state, desk.table.aborted = "aborted", "left"
    desk.hear(desk.table.match())
    assert "did not take place: a player left" in desk.text()
    desk.press("q")
    assert desk.face.left.is_set()
    assert desk.player.exit_code is Exit.ERROR


# Moves


def test_one_key_turns_and_one_places() -> None:
    desk = begun().press("space", "2", "t", "1")
    assert desk.moves == ["t", "hp2", "t", "hp1"]


def test_a_key_that_is_no_move_tells_why() -> None:
    desk = begun().press("space", "space")
    assert desk.moves == ["t"]
    assert "Place " in desk.text()
    desk.press("Z", "9", "w")
    assert desk.moves == ["t"]


def test_all_that_fits_goes_up_as_ordinary_moves() -> None:
    desk = begun("forty-thieves")
    while not any(move.target.area is Area.FOUNDATION for move in desk.board.legal_moves()):
        desk.press("space")
    made = len(desk.moves)
    desk.press("a")
    assert {move[-2] for move in desk.moves[made:]} == {"f"}
    assert not any(move.target.area is Area.FOUNDATION for move in desk.board.legal_moves())


def test_auto_sends_up_before_each_turn() -> None:
    desk = begun("forty-thieves", look=Look(auto=True))
    for _ in range(20):
        desk.press("space")
        fits = [move for move in desk.board.legal_moves() if move.target.area is Area.FOUNDATION]
        assert {move.source for move in fits} <= {WASTE}
    assert any("f" in move for move in desk.moves)


def test_thirteen_columns_have_their_keys() -> None:
    desk = begun("lucas")
    for number, key in enumerate(keys.PICKS, start=1):
        desk.press(key)
        assert desk.face._picking.source == column(number)
        assert f"[{key}]" in desk.text()
        desk.press("escape")
        assert desk.face._picking.source is None


def test_what_was_picked_and_where_it_may_go_is_marked() -> None:
    desk = begun("strategy").press("space", "1", "space", "2", "1")
    text = desk.text()
    assert "[1]" in text
    assert "(2)" in text
    assert "(4)" in text
    desk.press("4")
    assert desk.moves[-1] == "p1p4"


# At once, and taken back


def test_a_move_is_shown_before_its_answer() -> None:
    desk = begun(slow=True).press("space")
    assert "│ 51 │" in desk.text()
    assert "│░░░ │" in desk.text()
    desk.answer()
    desk.press("3")
    assert desk.waiting
    assert desk.face.board is not None
    assert desk.face.board.view().hand is None
    assert len(desk.face.board.view().piles[2]) == 1


def test_a_refused_move_is_taken_back_and_told() -> None:
    desk = begun(slow=True).press("space")
    desk.answer()
    desk.press("3")
    desk.refuse("store-failed")
    assert desk.face.board is not None
    assert desk.face.board.view().hand is not None
    assert "The server could not write this down" in desk.text()


def test_keys_pressed_at_the_start_wait_for_the_board() -> None:
    """The race begins a moment before the board is there."""
    desk = Desk()
    desk.table.seated()
    desk.table.started()
    desk.hear(desk.table.match())
    assert "Go!" in desk.text()
    desk.press("space", "2")
    assert not [message for message in desk.sent if isinstance(message, Move)]
    desk.hear(desk.table.board(0), desk.table.progress(1))
    assert [message.move for message in desk.sent if isinstance(message, Move)] == ["t", "hp2"]


def test_keys_pressed_ahead_wait_for_the_card() -> None:
    desk = begun(slow=True).press("space", "2", "space", "3")
    assert [move.move for move in desk.waiting] == ["t"]
    desk.answer()
    assert [move.move for move in desk.waiting] == ["hp2", "t"]
    desk.answer()
    desk.answer()
    assert [move.move for move in desk.waiting] == ["hp3"]


def test_what_waits_is_dropped_when_a_move_is_refused() -> None:
    desk = begun(slow=True).press("space", "2", "space")
    desk.refuse("store-failed")
    assert desk.waiting == []
    assert desk.moves == ["t"]


def test_what_waits_is_dropped_when_a_key_is_wrong() -> None:
    desk = begun(slow=True).press("space", "space", "2", "space")
    desk.answer()
    assert desk.moves == ["t"]
    desk.press("escape")


# Windows and questions


@pytest.mark.parametrize(("key", "title"), [("?", "─ Moves ─"), ("h", "─ Keys ─"), ("f1", "─ Keys ─")])
def test_windows_open_and_close(key: str, title: str) -> None:
    desk = begun()
    assert title in desk.press(key).text()
    assert title not in desk.press(key).text()
    assert title not in desk.press(key, "escape").text()
    desk.press(key, "space")
    assert title not in desk.text()
    assert desk.moves == ["t"]


def test_the_window_of_moves_names_keys() -> None:
    desk = begun(keys={"turn": ("g",)}).press("?")
    assert "│ g  turn the next card │" in desk.text()


def test_the_panel_can_be_hidden() -> None:
    desk = begun()
    assert "cards turned" in desk.text()
    assert "cards turned" not in desk.press("tab").text()
    assert "cards turned" in desk.press("tab").text()


@pytest.mark.parametrize(("key", "entry"), [("s", "stand"), ("x", "resign")])
def test_ending_it_takes_a_yes(key: str, entry: str) -> None:
    desk = begun().press(key)
    assert "Enter: yes" in desk.text()
    desk.press("space", key, "n")
    assert desk.moves == []
    desk.press(key, "enter")
    assert desk.moves == [entry]


def test_quitting_takes_a_yes_while_it_matters() -> None:
    desk = begun().press("q")
    assert "Leave? Your seat is kept for 1 min." in desk.text()
    desk.press("n")
    assert not desk.face.left.is_set()
    desk.press("q", "enter")
    assert desk.face.left.is_set()
    desk = seated().press("q")
    assert "Leave, and give the match up?" in desk.text()
    desk.press("y")
    assert isinstance(desk.sent[-1], Leave)


# The other player


def test_why_the_other_count_is_held_back() -> None:
    desk = begun()
    assert "Counted up to now." in desk.text()
    desk.rival("t", "hp1", "t", "hp2", "t", count=0)
    assert "Ahead of you: counted" in desk.text()
    desk.rival("stand", count=0)
    assert "Bo stands at 0 of 52." in desk.text()
    desk.hear(desk.table.progress(1, count=0, status=Status.PLAYING))
    assert "Finished. The count is" in desk.text()


def test_who_has_nothing_more_to_decide_sees_the_other_count_as_it_is() -> None:
    desk = begun()
    desk.rival("t", "hp1", "t", "hp2", "t", count=0)
    desk.press("s", "enter")
    assert "Ahead of you" not in desk.text()
    assert "Counted up to now." in desk.text()


def test_after_the_first_shuffle_nobody_knows_who_is_ahead_if_there_is_a_redeal() -> None:
    desk = begun("sir-tommy+redeal")
    for number in range(52):
        for entry in ("t", "hp1"):
            desk.hear(desk.moved(0, entry))
            if number < 51:
                desk.rival(entry, count=0)
    assert "Counted up to now." in desk.text()
    desk.rival("t", "hp1", count=0)
    assert "Counted at least up to" in desk.text()


def test_who_is_away_has_so_long_to_come_back() -> None:
    desk = begun()
    desk.table.away[1] = 30_000
    desk.hear(desk.table.match())
    desk.now += 10
    assert "away: 20 s to come back" in desk.text()


def test_keys_pressed_without_a_connection_do_nothing_but_say_so() -> None:
    desk = begun(slow=True).press("space")
    desk.answer()
    made = len(desk.moves)
    desk.lose()
    for key in ("1", "space", "a", "f", "s", "x"):
        desk.player.to_tell()
        desk.face.log.clear()
        desk.press(key)
        assert "There is no connection: this key did nothing." in desk.text()
        assert desk.face.question is None
    desk.face.click(Place(Area.STOCK), twice=False)
    desk.face.click(pile(1), twice=False)
    desk.come_back()
    desk.press("1")
    desk.catch_up()
    assert len(desk.moves) == made
    desk.press("2")
    assert desk.moves[made:] == ["hp2"]


def test_nor_does_a_click() -> None:
    desk = begun("lucas")
    desk.lose()
    click(desk, column(1))
    assert "[1]" not in desk.text()
    assert "There is no connection: this key did nothing." in desk.text()


def test_the_same_is_said_once() -> None:
    desk = begun()
    desk.lose()
    assert desk.press("space", "space", "1").text().count("this key did nothing") == 1


def test_a_key_that_waited_for_its_card_is_dropped_when_the_connection_is_lost() -> None:
    """The turn was sent before, and is sent again; nobody has seen the card that the next key would place."""
    desk = begun(slow=True).press("space", "2")
    desk.lose()
    desk.press("3")
    desk.come_back()
    assert [move.move for move in desk.waiting] == ["t"]
    desk.catch_up()
    desk.answer()
    assert desk.moves == ["t", "t"]
    desk.press("4")
    assert desk.moves[2:] == ["hp4"]


def test_a_question_cannot_be_answered_without_a_connection() -> None:
    desk = begun().press("s")
    desk.lose()
    desk.press("enter")
    assert "There is no connection: this key did nothing." in desk.text()
    desk.come_back()
    desk.catch_up()
    assert desk.moves == []


def test_a_rematch_cannot_be_asked_for_without_a_connection() -> None:
    desk = begun().end()
    desk.lose()
    assert "this key did nothing" in desk.press("n").text()
    desk.come_back()
    desk.hear(desk.table.match())
    desk.press("n")
    assert [type(message) for message in desk.sent].count(Rematch) == 1


def test_what_needs_no_server_works_without_a_connection() -> None:
    desk = begun()
    desk.lose()
    assert "─ Moves ─" in desk.press("?").text()
    desk.press("escape", "q", "enter")
    assert desk.face.left.is_set()


def test_the_own_connection_has_so_long_to_come_back() -> None:
    desk = begun()
    desk.player.lost(75.0, desk.now)
    desk.collect()
    desk.now += 15
    assert "No connection: 1 min" in desk.text()
    desk.come_back()
    assert "No connection" in desk.text()
    desk.catch_up()
    assert "No connection" not in desk.text()
    assert "Connected again." in desk.text()


def test_a_seat_taken_again_knows_how_many_were_turned() -> None:
    desk = Desk()
    desk.table.seated()
    desk.table.started()
    for entry in ("t", "hp1", "t"):
        desk.moved(0, entry)
    desk.hear(desk.table.match(), desk.table.board(0), desk.table.progress(1))
    assert "● 2  ○ 0" in desk.text()


# The end


def test_the_end_shows_both_boards_and_the_proof() -> None:
    desk = begun().press("space", "1").end()
    text = desk.text()
    assert "A draw: Ada against Bo, 0 to 0." in text
    assert "The deal was checked and fits, with the one card shown to you (not shown: 51)." in text
    assert f"Proof {proof_of(desk.table.record().digest)}: " in text
    assert "Bo stands at 0 of 52." in text


@pytest.mark.parametrize("key", ["n", "enter"])
def test_one_key_asks_for_a_rematch(key: str) -> None:
    desk = begun().end().press(key)
    assert isinstance(desk.sent[-1], Rematch)


def test_a_rematch_begins_again() -> None:
    desk = begun().press("space", "1").end()
    desk.table.rematch[1] = True
    desk.hear(desk.table.match())
    assert "Bo asks for a rematch." in desk.text()
    desk.press("n")
    desk.table.rematch[0], desk.table.next = True, "bcdefghj"
    desk.hear(desk.table.match())
    fresh = Desk().table
    fresh.code = "bcdefghj"
    fresh.seated()
    desk.hear(fresh.match())
    assert "Press Enter when you are ready" in desk.text()
    assert "bcdefghj" in desk.text()


def test_no_rematch_with_who_has_left() -> None:
    desk = begun().end()
    desk.table.left[1] = True
    desk.hear(desk.table.match())
    desk.press("n")
    assert not any(isinstance(message, Rematch) for message in desk.sent)
    assert "n rematch" not in desk.text()


def test_the_bell_rings_at_the_start_and_at_the_end() -> None:
    desk = begun()
    assert desk.face.bells == 1
    assert desk.end().face.bells == 2


# The mouse


def click(desk: Desk, place: Place, *, twice: bool = False) -> None:
    desk.face.click(place, twice=twice)


def test_clicks_do_what_keys_do() -> None:
    desk = begun()
    click(desk, Place(Area.STOCK))
    click(desk, pile(4))
    assert desk.moves == ["t", "hp4"]
    desk = begun("strategy").press("space", "1")
    click(desk, pile(1))
    click(desk, pile(2))
    assert desk.moves[-1] == "p1p2"


def test_a_double_click_sends_up() -> None:
    desk = begun("forty-thieves")
    while not any(move.source == WASTE and move.target.area is Area.FOUNDATION for move in desk.board.legal_moves()):
        desk.press("space")
    click(desk, WASTE)
    click(desk, WASTE, twice=True)
    assert desk.moves[-1].startswith("wf")


def test_a_double_click_makes_no_two_moves() -> None:
    desk = begun()
    click(desk, Place(Area.STOCK))
    click(desk, Place(Area.STOCK), twice=True)
    assert desk.moves == ["t"]
    click(desk, pile(1))
    click(desk, pile(1), twice=True)
    assert desk.moves == ["t", "hp1"]


def test_a_click_beside_everything_is_nothing() -> None:
    desk = begun()
    desk.face.click(None, twice=False)
    click(desk, HAND)
    click(desk, foundation(1))
    assert desk.moves == []


def test_every_place_of_the_board_can_be_clicked() -> None:
    for game, places in (
        ("strategy", [Place(Area.STOCK), HAND, *map(pile, range(1, 5)), *map(foundation, range(1, 5))]),
        ("lucas", [Place(Area.STOCK), WASTE, *map(column, range(1, 14)), *map(foundation, range(1, 9))]),
    ):
        canvas = begun(game).face.picture(80, 24, 1.0)
        found = {canvas.place_at(x, y) for x in range(80) for y in range(24)}
        assert found == {None, *places}
