"""Spectators and house bots."""

from client_cli.announcements import (
    Afterwards,
    BotFinished,
    ConnectionBack,
    ConnectionLost,
    DealChecked,
    DealUnchecked,
    Over,
    Played,
    Proof,
)
from client_cli.answers import BoardShown, Help, NotNow, TimeNow, Unparsable
from client_cli.house import AFTER_REFUSAL, HouseBot
from client_cli.race import RECORD_ID, RECORD_WITHIN
from client_cli.spectator import Spectator
from client_cli.troubles import ClientError, Exit, Replaced
from protocol.messages import GetRecord, Leave, Move, Ready, Refused, Resume, Watch
from tests.client_cli.table import CODE, NONCES, Table


def spectator(table: Table, *, follow: bool = False) -> Spectator:
    return Spectator(table.match(None), lambda: b"", 0.0, follow=follow)


def test_a_spectator_goes_when_the_match_is_over() -> None:
    table = Table().started()
    guest = spectator(table)
    for message in (table.board(0), table.board(1), table.play(0, "t"), table.play(0, "hp1")):
        guest.heard(message, 1.0)
    assert guest.exit_code is None
    guest.heard(table.play(1, "resign"), 2.0)
    guest.heard(table.match(None), 2.0)
    assert guest.exit_code is None
    guest.heard(table.answer_record(), 2.0)
    told = guest.to_tell()
    assert sum(isinstance(each, Played) for each in told) == 1
    assert [type(each) for each in told[-4:]] == [Over, DealChecked, Proof, Afterwards]
    assert told[-1] == Afterwards(match=CODE, again=False)
    assert guest.exit_code is Exit.FINE


def test_a_follower_watches_the_rematch() -> None:
    table = Table().started()
    guest = spectator(table, follow=True)
    for message in (table.board(0), table.board(1), table.play(1, "resign"), table.match(None)):
        guest.heard(message, 1.0)
    guest.to_send()
    guest.heard(table.answer_record(), 1.0)
    assert guest.exit_code is None
    table.next = "zzzzzzzz"
    guest.heard(table.match(None), 1.0)
    guest.heard(table.match(None), 1.0)
    assert guest.to_send() == [Watch(match="zzzzzzzz")]
    guest.heard(Table(code="zzzzzzzz").seated().match(None), 1.0)
    assert guest.race.code == "zzzzzzzz"


def test_a_spectator_can_look_but_not_play() -> None:
    table = Table().seated()
    guest = spectator(table)
    guest.to_tell()
    guest.typed("b", 1.0)
    assert guest.to_tell() == [NotNow(word="b", state="seated")]
    table.started()
    for message in (table.match(None), table.board(0), table.board(1)):
        guest.heard(message, 1.0)
    guest.to_tell()
    guest.typed("b time help t b", 1.0)
    assert [type(told) for told in guest.to_tell()] == [BoardShown, BoardShown, TimeNow, Help, Unparsable]
    guest.typed("quit", 1.0)
    assert guest.exit_code is Exit.FINE


def test_a_loss_is_told_and_the_match_watched_again() -> None:
    guest = spectator(table := Table().started())
    guest.to_tell()
    guest.lost(75.0, 1.0)
    guest.back(2.0)
    assert guest.to_tell() == [ConnectionLost(patience=75_000)]
    assert guest.to_send() == [Watch(match=CODE)]
    for message in (table.match(None), table.board(0), table.board(1), table.progress(0)):
        assert ConnectionBack() not in guest.to_tell()
        guest.heard(message, 2.0)
    assert guest.to_tell() == [ConnectionBack()]


def test_who_goes_on_to_the_rematch_on_the_way_back_is_told_of_it_too() -> None:
    table = Table().started()
    guest = spectator(table, follow=True)
    table.next = "zzzzzzzz"
    for message in (table.board(0), table.board(1), table.play(1, "resign"), table.match(None)):
        guest.heard(message, 1.0)
    guest.lost(75.0, 1.0)
    guest.back(2.0)
    guest.to_tell()
    guest.heard(Table(code="zzzzzzzz").seated().match(None), 2.0)
    assert guest.to_tell().count(ConnectionBack()) == 1


def bot(table: Table, pace: float = 0.0) -> HouseBot:
    guest = HouseBot(table.match(), lambda: NONCES[0], 0.0, pace=pace)
    assert [type(message) for message in guest.to_send()] == [Ready]
    guest.heard(table.bound().match(), 1.0)
    guest.to_send()
    table.started()
    guest.heard(table.match(), 1.0)
    guest.heard(table.board(0), 1.0)
    return guest


def sent(guest: HouseBot) -> list[str]:
    return [message.move for message in guest.to_send() if isinstance(message, Move)]


def test_a_bot_plays_a_match_to_its_end_and_goes() -> None:
    table = Table().seated()
    guest = bot(table)
    while moves := sent(guest):
        assert len(moves) == 1
        guest.heard(table.play(0, moves[0]), 1.0)
    assert table.boards[0].finished
    if table.result is None:
        table.play(1, "stand")
    guest.heard(table.board(1), 1.0)
    guest.heard(table.match(), 1.0)
    assert guest.to_send() == [GetRecord(id=RECORD_ID, match=CODE)]
    guest.heard(table.answer_record(), 1.0)
    (end,) = (told for told in guest.to_tell() if isinstance(told, BotFinished))
    assert end.counts == [table.boards[0].count, 0]
    assert guest.exit_code is Exit.FINE
    assert guest.to_send() == [Leave(match=CODE)]


def test_a_bot_takes_its_time_for_a_turn_whatever_the_rival_does() -> None:
    table = Table().seated()
    guest = bot(table, pace=2.0)
    assert sent(guest) == []
    due = guest.next_tick(1.0)
    assert due is not None
    assert 1.5 <= due <= 2.5
    table.play(1, "t")
    guest.heard(table.progress(1), 1.5)
    assert guest.next_tick(1.0) == due
    guest.tick(1.0 + due)
    assert sent(guest) == ["t"]
    assert guest.next_tick(4.0) is None
    guest.heard(table.play(0, "t"), 4.0)
    assert len(sent(guest)) == 1


def test_a_bot_does_not_insist_at_once_on_what_was_refused() -> None:
    guest = bot(Table().seated())
    assert sent(guest) == ["t"]
    guest.heard(Refused(code="store-failed", why="", match=CODE, n=0), 5.0)
    assert sent(guest) == []
    assert guest.next_tick(5.0) == AFTER_REFUSAL
    guest.tick(5.0 + AFTER_REFUSAL)
    assert sent(guest) == ["t"]


def test_a_bot_decides_anew_after_a_loss_on_what_it_then_sees() -> None:
    """Its turn falls due without a connection; meanwhile the board has moved on."""
    table = Table().seated()
    guest = bot(table, pace=2.0)
    guest.lost(75.0, 1.5)
    guest.tick(9.0)
    guest.back(10.0)
    assert guest.to_send() == [Resume(match=CODE, n=0)]
    table.play(0, "t")
    guest.heard(table.match(), 10.0)
    assert sent(guest) == []
    guest.heard(table.board(0), 10.0)
    guest.heard(table.progress(1), 10.0)
    (move,) = sent(guest)
    assert move.startswith("h")


def test_a_bot_sends_again_what_was_on_its_way_and_races_on() -> None:
    table = Table().seated()
    guest = bot(table)
    assert sent(guest) == ["t"]
    guest.lost(75.0, 1.5)
    guest.back(2.0)
    assert sent(guest) == ["t"]
    for message in (table.match(), table.board(0), table.progress(1), table.play(0, "t")):
        guest.heard(message, 2.0)
    assert len(sent(guest)) == 1


def test_a_bot_goes_when_there_is_no_race() -> None:
    table = Table().seated()
    guest = HouseBot(table.match(), lambda: NONCES[0], 0.0)
    table.state, table.aborted = "aborted", "left"
    guest.heard(table.match(), 1.0)
    assert guest.exit_code is Exit.ERROR


def test_the_servers_own_bots_stay_for_a_rematch() -> None:
    table = Table().seated()
    table.level, table.house_seat = "normal", 0
    guest = bot(table)
    sent(guest)
    table.play(1, "resign")
    guest.heard(table.board(1), 1.0)
    guest.heard(table.match(), 1.0)
    guest.to_send()
    guest.heard(table.answer_record(), 1.0)
    assert guest.exit_code is Exit.FINE
    assert guest.to_send() == []


# What nobody can be trusted with


def test_who_saw_a_false_deal_goes_with_an_error() -> None:
    table = Table().started()
    guest = spectator(table)
    for message in (table.board(0), table.board(1), table.play(1, "resign"), table.match(None)):
        guest.heard(message, 1.0)
    guest.heard(Refused(re=RECORD_ID, code="unknown-match", why="", match=CODE), 1.0)
    assert DealChecked(match=CODE, cards=0, unseen=0, doubts=["no-record"], limits=[]) in guest.to_tell()
    assert guest.exit_code is Exit.ERROR


def test_a_record_that_never_comes_is_told_of() -> None:
    table = Table().started()
    guest = spectator(table)
    for message in (table.board(0), table.board(1), table.play(1, "resign"), table.match(None)):
        guest.heard(message, 1.0)
    assert guest.next_tick(1.0) == RECORD_WITHIN
    guest.tick(1.0 + RECORD_WITHIN)
    assert DealChecked(match=CODE, cards=0, unseen=0, doubts=["no-record"], limits=[]) in guest.to_tell()
    assert guest.exit_code is Exit.ERROR


def test_a_bot_that_waits_for_the_record_in_vain_goes_as_well() -> None:
    table = Table().seated()
    guest = bot(table, pace=2.0)
    sent(guest)
    table.play(1, "resign")
    guest.heard(table.board(1), 1.0)
    guest.heard(table.match(), 1.0)
    due = guest.next_tick(1.0)
    assert due is not None
    assert due <= RECORD_WITHIN
    guest.tick(1.0 + RECORD_WITHIN)
    assert guest.exit_code is Exit.ERROR


def test_a_bot_does_not_begin_a_rematch_before_it_has_the_record() -> None:
    table = Table().seated()
    guest = bot(table)
    sent(guest)
    table.play(1, "resign")
    table.next = "zzzzzzzz"
    guest.heard(table.board(1), 1.0)
    guest.heard(table.match(), 1.0)
    guest.heard(Table(code="zzzzzzzz").seated().match(), 1.0)
    assert guest.race.code == CODE
    guest.heard(table.answer_record(), 1.0)
    assert guest.exit_code is Exit.FINE


def test_who_goes_before_the_record_has_come_is_told_that_nothing_was_checked() -> None:
    table = Table().started()
    guest = spectator(table)
    for message in (table.board(0), table.board(1), table.play(1, "resign"), table.match(None)):
        guest.heard(message, 1.0)
    guest.typed("quit", 2.0)
    guest.gone()
    assert guest.to_tell().count(DealUnchecked(match=CODE)) == 1


def test_a_spectator_may_be_shown_less_than_before_by_another_server() -> None:
    table = Table().started()
    guest = spectator(table)
    early = table.board(0)
    for message in (early, table.play(0, "t"), table.play(0, "hp1")):
        guest.heard(message, 1.0)
    guest.heard(early, 2.0)
    assert guest.race.doubts == []


def test_a_match_whose_record_was_withheld_is_false_when_the_rematch_comes() -> None:
    table = Table().started()
    guest = spectator(table, follow=True)
    table.next = "zzzzzzzz"
    for message in (table.board(0), table.board(1), table.play(1, "resign"), table.match(None)):
        guest.heard(message, 1.0)
    guest.heard(Table(code="zzzzzzzz").seated().match(None), 1.0)
    told = guest.to_tell()
    assert DealChecked(match=CODE, cards=0, unseen=0, doubts=["no-record"], limits=[]) in told
    guest.typed("quit", 2.0)
    assert guest.exit_code is Exit.ERROR


def test_a_seat_taken_by_another_client_is_kept_in_the_receipt() -> None:
    table = Table().seated()
    guest = bot(table)
    guest.to_keep()
    guest.failed(ClientError(Replaced()))
    assert guest.to_keep() == [(CODE, b'{"type":"replaced"}\n')]
