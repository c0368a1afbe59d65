"""The client's model of a match: what it sends, what it takes, and what it finds wrong."""

import msgspec
import pytest

from client_cli.race import RECORD_AGAIN, RECORD_ID, RECORD_WITHIN, Check, Race
from engine.cards import card_text
from engine.deal import nonce_commitment
from engine.forty_thieves import FortyThievesBoard
from engine.sir_tommy import SirTommyView
from protocol.messages import (
    BoardState,
    GetRecord,
    Leave,
    MatchRecord,
    Move,
    Ready,
    Refused,
    Rematch,
    Resume,
    Reveal,
    Watch,
)
from tests.client_cli.table import CODE, NONCES, Table


def race_at(table: Table, you: int | None = 0) -> Race:
    """A client that came to the table and is ready."""
    race = Race(table.match(you), lambda: NONCES[0], 0.0)
    if table.state in ("waiting", "seated"):
        race.ready()
    return race


def race_begun(table: Table) -> Race:
    """A client whose own race has begun, with its first message out of the way."""
    race = race_at(table.seated())
    race.receive(table.bound().match(), 1.0)
    table.started()
    for message in (table.match(), table.board(0), table.progress(1)):
        assert race.receive(message, 1.0)
    race.to_send()
    return race


def make(table: Table, race: Race, *entries: str) -> None:
    """The player makes these entries, and the server answers."""
    for entry in entries:
        race.move(entry)
        assert race.receive(table.play(0, entry), 2.0)


def checked(table: Table, race: Race) -> Check:
    """What came of checking the deal with the record."""
    race.receive(table.answer_record(RECORD_ID), 4.0)
    assert race.checked is not None
    return race.checked


def moves(race: Race) -> list[tuple[int, str]]:
    return [(message.n, message.move) for message in race.to_send() if isinstance(message, Move)]


def refusal(code: str, n: int | None) -> Refused:
    return Refused(code=code, why="because", match=CODE, n=n)


# Before the race


def test_being_ready_commits_to_a_nonce_once() -> None:
    race = race_at(Table().seated())
    race.ready()
    assert race.to_send() == [Ready(match=CODE, commitment=nonce_commitment(NONCES[0], CODE, 0))]


def test_the_nonce_is_shown_when_both_are_bound_and_not_before() -> None:
    table = Table().seated()
    race = race_at(table)
    race.to_send()
    table.commit(0)
    race.receive(table.match(), 0.0)
    assert race.to_send() == []
    table.commit(1)
    race.receive(table.match(), 0.0)
    assert race.to_send() == [Reveal(match=CODE, nonce=NONCES[0].hex())]


def test_readiness_lost_with_a_connection_is_sent_again() -> None:
    table = Table().seated()
    race = race_at(table)
    race.to_send()
    race.rejoin(2.0)
    race.receive(table.match(), 0.0)
    assert [type(message) for message in race.to_send()] == [Resume, Ready]


def test_a_nonce_of_another_run_is_lost() -> None:
    table = Table().seated()
    table.commit(0)
    assert Race(table.match(), lambda: NONCES[0], 0.0).cannot_start
    assert not race_at(Table().seated()).cannot_start


# Moves


def test_moves_are_numbered_and_wait_for_their_answers() -> None:
    table = Table()
    race = race_begun(table)
    assert [race.move("t"), race.move("hp1")] == [1, 2]
    assert moves(race) == [(1, "t"), (2, "hp1")]
    assert race.own is not None
    assert race.own.board.turned == 0
    assert race.receive(table.play(0, "t"), 2.0)
    assert race.unanswered == {2: "hp1"}
    assert race.own.board.view() == table.boards[0].view()


def test_what_was_not_answered_is_sent_again_under_the_same_numbers() -> None:
    table = Table()
    race = race_begun(table)
    race.receive(table.play(0, "t"), 2.0)
    race.move("hp1")
    race.move("t")
    race.to_send()
    race.rejoin(2.0)
    assert race.to_send() == [
        Resume(match=CODE, n=1),
        Move(match=CODE, n=2, move="hp1"),
        Move(match=CODE, n=3, move="t"),
    ]


def test_no_move_is_made_from_a_loss_until_all_that_was_missed_is_there() -> None:
    table = Table()
    race = race_begun(table)
    race.receive(table.play(0, "t"), 2.0)
    race.move("hp1")
    race.to_send()
    race.lost()
    assert race.move("t") is None
    race.rejoin(3.0)
    for message in (table.match(), table.play(0, "hp1")):
        assert race.move("t") is None
        race.receive(message, 3.0)
    assert race.move("t") is None
    race.receive(table.progress(1), 3.0)
    assert race.move("t") == 3
    assert moves(race) == [(2, "hp1"), (3, "t")]


def test_before_the_race_the_state_is_all_that_was_missed() -> None:
    race = race_at(table := Table().seated())
    race.lost()
    race.receive(table.match(), 1.0)
    assert race.behind
    race.rejoin(2.0)
    race.receive(table.match(), 2.0)
    assert not race.behind


def test_who_is_refused_the_way_back_does_not_wait_for_it() -> None:
    race = race_begun(Table())
    race.lost()
    race.rejoin(2.0)
    race.receive(refusal("gap", 0), 2.0)
    assert race.behind
    race.receive(refusal("not-your-seat", None), 2.0)
    assert not race.behind


def test_a_way_back_that_the_server_cannot_read_just_now_is_asked_for_again_and_nothing_is_lost_by_it() -> None:
    table = Table()
    race = race_begun(table)
    race.receive(table.play(0, "t"), 2.0)
    race.move("hp1")
    race.lost()
    for now in (2.0, 3.0):
        race.rejoin(now) if now == 2.0 else race.tick(now)
        assert race.to_send() == [Resume(match=CODE, n=1), Move(match=CODE, n=2, move="hp1")]
        assert not race.receive(refusal("store-failed", None), now), "nobody is told: it is being seen to"
        assert not race.receive(refusal("not-your-seat", None), now), "the move had nowhere to go"
        assert race.behind
        assert race.next_tick() == now + 1.0
    race.tick(4.0)
    race.to_send()
    for message in (table.match(), table.play(0, "hp1"), table.progress(1)):
        race.receive(message, 4.0)
    assert not race.behind
    assert race.unanswered == {}
    assert race.next_tick() is None


def test_a_loss_meanwhile_ends_the_asking() -> None:
    race = race_begun(Table())
    race.lost()
    race.rejoin(2.0)
    race.receive(refusal("store-failed", None), 2.0)
    race.lost()
    assert race.next_tick() is None


def test_an_answer_that_comes_twice_counts_once() -> None:
    table = Table()
    race = race_begun(table)
    race.move("t")
    answer = table.play(0, "t")
    assert race.receive(answer, 2.0)
    assert not race.receive(answer, 2.0)
    assert race.own is not None
    assert race.own.n == 1


def test_a_gap_asks_for_what_is_missing_once() -> None:
    table = Table()
    race = race_begun(table)
    table.play(0, "t")
    late = [table.play(0, "hp1"), table.play(0, "t")]
    assert not any(race.receive(moved, 2.0) for moved in late)
    assert race.to_send() == [Resume(match=CODE, n=0)]
    race.receive(table.match(), 2.0)
    assert race.receive(table.board(0), 2.0)
    assert race.own is not None
    assert race.own.n == 3


def test_a_gap_is_noticed_though_the_old_board_could_take_the_entry() -> None:
    """A turn is lost, and the next one would be legal without it: its card would be taken for the lost one's."""
    table = Table("lucas")
    race = race_begun(table)
    assert [race.move("t"), race.move("t")] == [1, 2]
    race.to_send()
    table.play(0, "t")
    assert not race.receive(table.play(0, "t"), 2.0)
    assert race.own is not None
    assert race.own.n == 0
    assert race.own.board.turned == 0
    assert race.to_send() == [Resume(match=CODE, n=0)]
    for message in (table.match(), table.board(0)):
        race.receive(message, 2.0)
    assert race.own is not None
    assert race.own.board.view() == table.boards[0].view()
    assert race.doubts == []


def test_a_whole_board_leaves_what_is_on_its_way_after_it() -> None:
    """The next move takes no number that is on its way."""
    table = Table()
    race = race_begun(table)
    assert [race.move(entry) for entry in ("t", "hp1", "t")] == [1, 2, 3]
    table.play(0, "t")
    assert race.receive(table.board(0), 2.0)
    assert race.unanswered == {2: "hp1", 3: "t"}
    assert race.move("hp2") == 4


def test_the_clock_voids_what_was_sent_for_its_number() -> None:
    table = Table()
    race = race_begun(table)
    race.move("t")
    race.move("hp1")
    assert race.receive(table.play(0, "timeout"), 2.0)
    assert race.unanswered == {}
    assert not race.playing
    assert not race.receive(refusal("board-finished", 1), 2.0)


def test_a_refusal_voids_what_follows_and_is_told_once() -> None:
    table = Table()
    race = race_begun(table)
    race.move("t")
    race.move("hp1")
    race.to_send()
    assert race.receive(refusal("store-failed", 0), 2.0)
    assert not race.receive(refusal("gap", 0), 2.0)
    assert race.unanswered == {}
    assert race.to_send() == []
    assert race.move("t") == 1


def test_a_refusal_from_further_on_asks_for_what_is_missing() -> None:
    race = race_begun(Table())
    race.move("t")
    race.to_send()
    assert race.receive(refusal("stale", 4), 2.0)
    assert race.to_send() == [Resume(match=CODE, n=0)]


def test_a_move_the_rules_forbid_is_doubted() -> None:
    table = Table()
    race = race_begun(table)
    good = table.play(0, "t")
    bad = msgspec.structs.replace(good, move="hp1", card=None)
    assert not race.receive(bad, 2.0)
    assert race.to_send() == [Resume(match=CODE, n=0)]
    assert "entry" in race.doubts


def test_other_matches_are_none_of_its_business() -> None:
    race = race_begun(Table())
    other = Table(code="zzzzzzzz").started()
    assert not race.receive(other.match(), 2.0)
    assert not race.receive(other.play(0, "t"), 2.0)
    assert not race.receive(Refused(code="gap", why="", match="zzzzzzzz", n=3), 2.0)


def test_progress_counts_when_it_changes() -> None:
    table = Table()
    race = race_begun(table)
    table.play(1, "t")
    assert race.receive(table.progress(1), 2.0)
    assert not race.receive(table.progress(1), 2.0)


def test_the_clock_runs_from_what_the_server_says() -> None:
    race = race_begun(Table())
    assert race.left(1.0) == 900_000
    assert race.left(31.5) == 869_500
    assert race.left(5000.0) == 0


def test_asking_and_leaving() -> None:
    race = race_begun(Table())
    race.again()
    race.leave()
    assert race.to_send() == [Rematch(match=CODE), Leave(match=CODE)]


# Spectators


def test_a_spectator_mirrors_both_boards() -> None:
    table = Table().started()
    race = race_at(table, you=None)
    for message in (table.board(0), table.board(1), table.play(0, "t"), table.play(1, "t"), table.play(1, "hp2")):
        assert race.receive(message, 1.0)
    assert [race.mirrors[seat].n for seat in (0, 1)] == [1, 2]
    assert race.own is None


def test_a_spectator_watches_again_on_a_gap_and_after_a_loss() -> None:
    table = Table().started()
    race = race_at(table, you=None)
    race.receive(table.board(0), 1.0)
    table.play(0, "t")
    assert not race.receive(table.play(0, "hp1"), 1.0)
    assert race.to_send() == [Watch(match=CODE)]
    race.rejoin(2.0)
    assert race.to_send() == [Watch(match=CODE)]
    assert race.mirrors == {}


# The end


def over(table: Table, race: Race) -> None:
    """A few moves, and both stand."""
    make(table, race, "t", "hp1", "t", "hp2", "stand")
    table.play(1, "stand")
    race.receive(table.progress(1), 3.0)
    race.receive(table.board(1), 3.0)
    race.receive(table.match(), 3.0)


def test_the_deal_is_checked_with_the_record() -> None:
    table = Table()
    race = race_begun(table)
    over(table, race)
    assert race.ended
    assert race.awaits_record
    assert race.to_send()[-1] == GetRecord(id=RECORD_ID, match=CODE)
    assert checked(table, race) == Check(cards=2, unseen=50, doubts=[], limits=[])
    assert not race.awaits_record


def test_a_record_is_asked_for_once() -> None:
    table = Table()
    race = race_begun(table)
    over(table, race)
    race.to_send()
    table.rematch[1] = True
    race.receive(table.match(), 4.0)
    checked(table, race)
    table.left[1] = True
    race.receive(table.match(), 5.0)
    assert race.to_send() == []


@pytest.mark.parametrize("code", ["unknown-match", "not-over", "no-idea"])
def test_a_record_that_is_refused_is_a_doubt(code: str) -> None:
    table = Table()
    race = race_begun(table)
    over(table, race)
    assert not race.receive(Refused(re=RECORD_ID, code=code, why="", match=CODE), 4.0)
    assert race.checked == Check(cards=0, unseen=0, doubts=["no-record"], limits=[])


def test_a_record_that_never_comes_is_a_doubt() -> None:
    table = Table()
    race = race_begun(table)
    over(table, race)
    assert race.next_tick() == 3.0 + RECORD_WITHIN
    race.tick(3.0 + RECORD_WITHIN - 0.1)
    assert race.awaits_record
    race.tick(3.0 + RECORD_WITHIN)
    assert race.checked == Check(cards=0, unseen=0, doubts=["no-record"], limits=[])
    assert race.next_tick() is None


def test_a_record_that_cannot_be_read_just_now_is_asked_for_again() -> None:
    table = Table()
    race = race_begun(table)
    over(table, race)
    race.to_send()
    race.receive(Refused(re=RECORD_ID, code="store-failed", why="", match=CODE), 4.0)
    assert race.next_tick() == 4.0 + RECORD_AGAIN
    race.tick(4.0 + RECORD_AGAIN)
    assert race.to_send() == [GetRecord(id=RECORD_ID, match=CODE)]
    assert checked(table, race).doubts == []


def test_a_record_is_not_waited_for_without_a_connection_and_asked_for_on_the_next() -> None:
    table = Table()
    race = race_begun(table)
    over(table, race)
    race.to_send()
    race.lost()
    assert race.next_tick() is None
    race.rejoin(100.0)
    assert race.to_send() == [Resume(match=CODE, n=5), GetRecord(id=RECORD_ID, match=CODE)]
    assert race.next_tick() == 100.0 + RECORD_WITHIN


@pytest.mark.parametrize("change", [{"seats": []}, {"version": 77}, {"deal_version": "9"}])
def test_what_is_no_record_is_none(change: dict[str, object]) -> None:
    table = Table()
    race = race_begun(table)
    over(table, race)
    race.receive(MatchRecord(match=CODE, record=msgspec.structs.replace(table.record(), **change)), 4.0)
    assert race.checked is not None
    assert race.checked.doubts == ["no-record"]


def test_a_match_that_was_aborted_has_nothing_to_check() -> None:
    table = Table().seated()
    race = race_at(table)
    table.state, table.aborted = "aborted", "left"
    race.receive(table.match(), 1.0)
    assert not race.awaits_record
    assert GetRecord(id=RECORD_ID, match=CODE) not in race.to_send()


@pytest.mark.parametrize(
    ("doubts", "change"),
    [
        (["commitment-changed"], {"commitment": "0" * 64}),
        (["commitment-missing"], {"commitment": ""}),
        (["secret"], {"secret": "00"}),
        (["secret"], {"secret": "no hex"}),
        (["secret"], {"secret": None}),
        (["result"], {"result": None}),
        (["game"], {"game": "sir-tommy+redeal"}),
    ],
)
def test_an_end_that_does_not_fit_is_doubted_at_once(doubts: list[str], change: dict[str, str | None]) -> None:
    table = Table()
    race = race_begun(table)
    make(table, race, "t", "hp1", "resign")
    race.receive(table.board(1), 3.0)
    race.receive(msgspec.structs.replace(table.match(), **change), 4.0)
    assert race.doubts == doubts
    assert checked(table, race).doubts[: len(doubts)] == doubts


def test_a_nonce_that_is_not_ones_own_is_found() -> None:
    table = Table()
    race = race_begun(table)
    make(table, race, "resign")
    table.nonces[0] = b"another's nonce."
    table.promises[0] = nonce_commitment(b"another's nonce.", CODE, 0)
    race.receive(table.match(), 4.0)
    assert race.doubts == ["own-commitment", "nonce", "own-nonce"]


def test_cards_that_are_not_the_deals_are_found() -> None:
    table = Table()
    race = race_begun(table)
    race.move("t")
    moved = table.play(0, "t")
    assert race.receive(msgspec.structs.replace(moved, card="Ac" if moved.card != "Ac" else "Kd"), 2.0)
    make(table, race, "hp1", "stand")
    table.play(1, "stand")
    race.receive(table.match(), 2.0)
    assert checked(table, race) == Check(cards=0, unseen=0, doubts=["cards"], limits=[])


@pytest.mark.parametrize("change", [{"card": None}, {"card": "Zz"}, {"count": 7}])
def test_a_move_told_as_it_cannot_have_been_is_doubted(change: dict[str, object]) -> None:
    table = Table()
    race = race_begun(table)
    race.move("t")
    race.receive(msgspec.structs.replace(table.play(0, "t"), **change), 2.0)
    assert race.doubts == ["entry"]


def test_a_move_told_in_two_ways_is_doubted() -> None:
    table = Table()
    race = race_begun(table)
    race.move("t")
    moved = table.play(0, "t")
    race.receive(moved, 2.0)
    race.receive(moved, 2.0)
    assert race.doubts == []
    race.receive(msgspec.structs.replace(moved, card="Ac" if moved.card != "Ac" else "Kd"), 2.0)
    assert race.doubts == ["entry"]


def test_an_entry_that_this_client_did_not_make_is_doubted() -> None:
    table = Table()
    race = race_begun(table)
    race.receive(table.play(0, "t"), 2.0)
    assert race.doubts == ["foreign-entry"]


@pytest.mark.parametrize("entries", [["t", "hp1", "t", "hp2"], ["stand"], ["resign"], ["t", "timeout"]])
@pytest.mark.parametrize("resumed", [False, True])
def test_nor_may_it_come_to_be_by_a_whole_board(entries: list[str], *, resumed: bool) -> None:
    """A host that plays on somebody's board need not tell of each entry."""
    table = Table()
    race = race_begun(table)
    for entry in entries:
        table.play(0, entry)
    if resumed:
        race.lost()
        race.rejoin(2.0)
    race.receive(table.board(0), 2.0)
    assert race.doubts == ["foreign-entry"]


def test_nor_be_there_from_the_start() -> None:
    table = Table()
    race = Race(table.seated().match(), lambda: NONCES[0], 0.0)
    race.ready()
    table.bound()
    race.receive(table.match(), 1.0)
    table.started()
    race.receive(table.match(), 1.0)
    table.play(0, "t")
    race.receive(table.board(0), 1.0)
    assert race.doubts == ["foreign-entry"]


@pytest.mark.parametrize("last", ["hp1", "timeout", "abandon"])
def test_a_whole_board_after_entries_that_were_sent_is_not_doubted(last: str) -> None:
    table = Table()
    race = race_begun(table)
    race.move("t")
    table.play(0, "t")
    if last == "hp1":
        race.move(last)
    table.play(0, last)
    race.lost()
    race.rejoin(2.0)
    race.receive(table.board(0), 2.0)
    assert race.doubts == []


@pytest.mark.parametrize("you", [None, 1])
def test_a_seat_that_becomes_another_in_mid_match_is_told(you: int | None) -> None:
    table = Table()
    race = race_begun(table)
    race.receive(table.match(you), 2.0)
    assert race.doubts == ["seat"]


@pytest.mark.parametrize("word", ["timeout", "abandon"])
def test_what_the_server_may_enter_is_not_doubted(word: str) -> None:
    table = Table()
    race = race_begun(table)
    race.receive(table.play(0, word), 2.0)
    assert race.doubts == []


def test_who_takes_the_seat_with_the_same_key_may_enter_things() -> None:
    table = Table()
    race = race_begun(table)
    race.replaced()
    race.receive(table.play(0, "t"), 2.0)
    assert race.doubts == []


def changed(shown: BoardState) -> list[BoardState]:
    """The same board with other cards, another count, another end, fewer entries."""
    other = msgspec.convert(msgspec.to_builtins(shown), BoardState)
    assert isinstance(other.view, SirTommyView)
    other.view.piles[0] = ["Kd" if card != "Kd" else "Ks" for card in other.view.piles[0]]
    return [
        other,
        msgspec.structs.replace(shown, count=shown.count + 1),
        msgspec.structs.replace(shown, status="stuck"),
        msgspec.structs.replace(shown, n=shown.n - 1),
    ]


@pytest.mark.parametrize("number", range(4))
def test_a_board_shown_otherwise_than_it_is_is_doubted_at_once(number: int) -> None:
    table = Table()
    race = race_begun(table)
    make(table, race, "t", "hp1")
    assert not race.receive(table.board(0), 2.0)
    assert race.doubts == []
    race.receive(changed(table.board(0))[number], 2.0)
    assert race.doubts == ["board"]


@pytest.mark.parametrize("change", ["piles", "foundations"])
def test_what_is_no_board_of_the_game_is_doubted(change: str) -> None:
    table = Table()
    race = race_begun(table)
    places: list[list[list[str]]] = [[["Xx"], [], [], []], [[]]]
    for broken in places:
        shown = table.board(0)
        setattr(shown.view, change, broken)
        assert not race.receive(shown, 2.0)
    race.receive(msgspec.structs.replace(table.board(0), view=Table("lucas").started().board(0).view), 2.0)
    assert race.doubts == ["board"]


def test_a_seat_that_there_is_not_is_passed_over() -> None:
    table = Table()
    race = race_begun(table)
    for message in (table.play(1, "t"), table.board(1), table.progress(1)):
        assert not race.receive(msgspec.structs.replace(message, seat=7), 2.0)
        assert not race.receive(msgspec.structs.replace(message, seat=-1), 2.0)


def test_equal_names_are_told_apart_by_their_tags() -> None:
    assert Race(Table().seated("Ada").match(), lambda: b"", 0.0).names == ["Ada (0000)", "Ada (0001)"]
    assert Race(Table().seated("Bo").match(), lambda: b"", 0.0).names == ["Ada", "Bo"]


def test_the_next_card_is_learnt_and_checked_at_the_end() -> None:
    table = Table("lucas+peek")
    race = race_begun(table)
    assert race.own is not None
    for _ in range(3):
        expected = race.own.board.peek
        assert expected == table.boards[0].peek
        race.move("t")
        moved = table.play(0, "t")
        assert moved.card == expected
        assert race.receive(moved, 1.0)
    assert race.own.board.view() == table.boards[0].view()
    make(table, race, "stand")
    table.play(1, "stand")
    race.receive(table.board(1), 2.0)
    race.receive(table.match(), 2.0)
    # 8 aces and 39 cards in the columns, 3 turned, and the one that comes next.
    assert checked(table, race) == Check(cards=51, unseen=53, doubts=[], limits=[])


def test_a_next_card_shown_falsely_is_doubted_when_it_is_turned_and_never_lies_on_the_waste() -> None:
    table = Table("lucas+peek")
    race = race_begun(table)
    assert race.own is not None
    race.move("t")
    moved = table.play(0, "t")
    false = "Kd" if moved.peek != "Kd" else "Ks"
    race.receive(msgspec.structs.replace(moved, peek=false), 1.0)
    assert race.own.board.peek == false
    assert race.doubts == []
    race.move("t")
    turned = table.play(0, "t")
    race.receive(turned, 1.0)
    assert race.doubts == ["peek"]
    assert isinstance(race.own.board, FortyThievesBoard)
    assert card_text(race.own.board.waste[-1]) == turned.card
    assert race.own.board.view() == table.boards[0].view()
