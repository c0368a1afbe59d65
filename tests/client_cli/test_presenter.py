"""What is told of a match: one announcement for each thing that changes."""

import msgspec

from client_cli.announcements import (
    Aborted,
    Announcement,
    Away,
    Clock,
    Countdown,
    DealChecked,
    DealDoubted,
    Finished,
    HasLeft,
    IsReady,
    Made,
    Over,
    Played,
    Position,
    Proof,
    Rematch,
    Resumed,
    Returned,
    RivalCount,
    Seated,
    Started,
    Waiting,
    WantsRematch,
)
from client_cli.answers import BoardShown, RivalNow, TimeNow
from client_cli.presenter import Presenter
from client_cli.race import Race
from client_cli.troubles import Refusal
from engine.board import Status
from engine.cards import parse_card
from engine.forty_thieves import FortyThievesBoard, FortyThievesView
from engine.sir_tommy import SirTommyView
from protocol.messages import AnyServerMessage, Refused
from protocol.proof import proof_of
from tests.client_cli.table import CODE, NONCES, Table


class Told:
    """A race with its presenter, and what it tells of each message."""

    def __init__(self, table: Table, you: int | None = 0) -> None:
        self.table, self.you = table, you
        state = table.match(you)
        self.race = Race(state, lambda: NONCES[0], 0.0)
        self.presenter = Presenter(self.race)
        self.first = self.presenter.heard(state)

    def of(self, *messages: AnyServerMessage) -> list[Announcement]:
        told = []
        for message in messages:
            if self.race.receive(message, 1.0):
                told += self.presenter.heard(message)
        return told

    def match(self) -> list[Announcement]:
        return self.of(self.table.match(self.you))

    def kinds(self, *messages: AnyServerMessage) -> list[type[Announcement]]:
        return [type(told) for told in self.of(*messages)]


def begun(table: Table, you: int | None = 0) -> Told:
    told = Told(table.seated(), you)
    told.race.ready()
    told.of(table.bound().match(you))
    table.started()
    seats = (0, 1) if you is None else (0,)
    told.of(table.match(you), *(table.board(seat) for seat in seats), table.progress(1))
    return told


def test_the_way_to_the_start() -> None:
    table = Table()
    told = Told(table)
    assert [type(each) for each in told.first] == [Waiting]
    table.seated()
    assert [type(each) for each in told.match()] == [Seated]
    table.commit(1)
    assert told.match() == [IsReady(name="Bo", you=False)]
    table.commit(0)
    assert told.match() == [IsReady(name="Ada", you=True)]
    table.reveal(0)
    table.reveal(1)
    assert told.match() == [Countdown(starts=3000)]
    table.start()
    assert told.match() == [Started(left=900_000, you=0)]
    assert [type(each) for each in told.of(table.board(0))] == [Position]


def test_nothing_is_told_twice() -> None:
    told = begun(Table())
    assert told.match() == []
    assert told.of(told.table.progress(1)) == []


def test_joining_somebody_who_is_ready() -> None:
    table = Table().seated()
    table.commit(1)
    assert Told(table).first[1:] == [IsReady(name="Bo", you=False)]


def test_coming_back_to_a_race() -> None:
    assert Told(Table().started()).first == [
        Resumed(
            match=CODE, game="sir-tommy", state="playing", names=["Ada", "Bo"], bots=[None, None], you=0, left=900_000
        )
    ]


def test_own_moves_show_the_board() -> None:
    table = Table()
    told = begun(table)
    (made,) = told.of(table.play(0, "t"))
    assert isinstance(made, Made)
    assert isinstance(made.view, SirTommyView)
    assert made.view.hand == made.card
    assert made.view.stock == 51


def test_an_end_is_told_once() -> None:
    table = Table()
    told = begun(table)
    assert told.of(table.play(0, "stand")) == [Finished(name="Ada", you=True, status="stood", count=0, total=52)]


def test_the_rival_is_told_of_when_the_count_changes() -> None:
    table = Table()
    told = begun(table)
    table.play(1, "t")
    assert told.of(table.progress(1, count=0)) == []
    assert told.of(table.progress(1, count=2)) == [RivalCount(name="Bo", count=2, total=52, turned=1)]


def test_a_rivals_end_is_told_as_far_as_it_may_be() -> None:
    table = Table()
    told = begun(table)
    table.play(1, "stand")
    hidden = table.progress(1, status=Status.PLAYING)
    assert told.of(hidden) == [Finished(name="Bo", you=False, status=None, count=None, total=52)]
    assert told.of(table.progress(1)) == [Finished(name="Bo", you=False, status="stood", count=0, total=52)]


def test_away_and_back() -> None:
    table = Table()
    told = begun(table)
    table.away[1] = 60_000
    assert told.match() == [Away(name="Bo", left=60_000)]
    table.away[1] = 59_000
    assert told.match() == []
    table.away[1] = None
    assert told.match() == [Returned(name="Bo")]


def test_a_house_bot_on_its_way_is_not_away() -> None:
    table = Table()
    table.level = "normal"
    told = Told(table.seated("House bot"))
    table.away[1] = 60_000
    assert told.match() == []
    table.away[1] = None
    assert told.match() == []


def test_another_bot_that_is_away_is_as_any_player_is() -> None:
    table = Table()
    table.bots[1] = "tommy"
    told = Told(table.seated())
    table.away[1] = 60_000
    assert told.match() == [Away(name="Bo [bot tommy]", left=60_000)]


def test_the_clock_is_told_at_its_marks() -> None:
    told = begun(Table())
    assert told.presenter.next_tick(1.0) == 600.0
    assert told.presenter.tick(601.0) == [Clock(left=300_000)]
    assert told.presenter.tick(602.0) == []
    assert told.presenter.next_tick(602.0) == 239.0
    assert told.presenter.tick(895.0) == [Clock(left=10_000)]
    assert told.presenter.next_tick(895.0) is None


def test_no_clock_runs_before_the_race() -> None:
    told = Told(Table().seated())
    assert told.presenter.next_tick(1.0) is None
    assert told.presenter.tick(1.0) == []


def test_the_end_of_a_match() -> None:
    table = Table()
    told = begun(table)
    for entry in ("t", "hp1", "stand"):
        told.race.move(entry)
        told.of(table.play(0, entry))
    table.play(1, "stand")
    ends = told.of(table.progress(1), table.board(1), table.match())
    assert ends[-1:] == [
        Over(
            match=CODE,
            winner=None,
            reason="draw",
            names=["Ada", "Bo"],
            counts=[0, 0],
            total=52,
            you=0,
            digest=table.record().digest,
        ),
    ]
    assert told.presenter.over
    assert told.match() == []
    assert told.of(table.answer_record()) == []
    assert told.presenter.doubted() == []
    assert told.presenter.checked() == [
        DealChecked(match=CODE, cards=1, unseen=51, doubts=[], limits=[]),
        Proof(match=CODE, proof=proof_of(table.record().digest)),
    ]


def test_a_doubt_is_told_when_it_comes_up_once_and_again_in_the_end() -> None:
    table = Table()
    told = begun(table)
    told.of(table.play(0, "resign"), table.board(1))
    assert told.presenter.doubted() == [DealDoubted(match=CODE, doubts=["foreign-entry"], hidden=False)]
    assert told.presenter.doubted() == []
    told.of(msgspec.structs.replace(table.match(), commitment=""))
    assert told.presenter.doubted() == [DealDoubted(match=CODE, doubts=["commitment-missing"], hidden=False)]
    told.of(table.answer_record())
    assert told.presenter.checked() == [
        DealChecked(match=CODE, cards=0, unseen=0, doubts=["foreign-entry", "commitment-missing", "entries"], limits=[])
    ]
    assert told.presenter.doubted() == []


def test_the_result_is_told_although_the_boards_have_never_come() -> None:
    table = Table()
    told = begun(table)
    table.play(1, "resign")
    assert told.match() == []
    told.of(table.answer_record())
    assert [type(each) for each in told.presenter.checked()] == [Over, DealChecked, Proof]


def test_who_comes_to_a_match_that_is_over_hears_the_result_once_the_boards_are_there() -> None:
    table = Table().started()
    table.play(0, "resign")
    told = Told(table, you=None)
    assert not told.presenter.over
    assert [type(each) for each in told.first] == [Resumed]
    assert told.of(table.board(0)) == []
    assert told.kinds(table.board(1)) == [Over]


def test_a_match_that_did_not_take_place() -> None:
    table = Table()
    told = Told(table)
    table.state, table.aborted = "aborted", "nobody-came"
    assert told.match() == [Aborted(match=CODE, why="nobody-came")]


def test_after_the_match() -> None:
    table = Table()
    told = begun(table)
    told.of(table.play(0, "resign"), table.board(1), table.match())
    table.rematch[1] = True
    assert told.match() == [WantsRematch(name="Bo", you=False, answer=True)]
    table.left[1] = True
    assert told.match() == [HasLeft(name="Bo")]
    table.rematch[0] = True
    table.next = "zzzzzzzz"
    assert told.match() == [Rematch(match="zzzzzzzz")]


def test_a_refusal_is_told() -> None:
    told = begun(Table())
    assert told.of(Refused(code="no-rematch", why="gone", match=CODE)) == [Refusal("no-rematch", "gone", CODE)]


def test_a_spectator_hears_a_turn_and_its_placement_as_one() -> None:
    table = Table()
    told = begun(table, you=None)
    turn = table.play(1, "t")
    assert told.of(turn) == []
    assert told.of(table.play(1, "hp2")) == [
        Played(name="Bo", n=2, move="hp2", card=turn.card, turned=True, before=0, count=0)
    ]


def test_a_spectator_hears_of_a_turn_whose_card_was_never_placed() -> None:
    table = Table()
    told = begun(table, you=None)
    turn = table.play(1, "t")
    assert told.of(turn, table.play(1, "timeout")) == [
        Played(name="Bo", n=1, move="t", card=turn.card, turned=False, before=0, count=0),
        Finished(name="Bo", you=False, status="timed-out", count=0, total=52),
    ]


def test_a_spectator_who_comes_late_is_shown_the_boards() -> None:
    table = Table().started()
    table.play(0, "t")
    told = Told(table, you=None)
    shown = told.of(table.board(0), table.board(1))
    assert [(type(each), each.name) for each in shown if isinstance(each, Position)] == [(Position, "Ada")]
    placed = told.of(table.play(0, "hp1"))
    assert isinstance(placed[0], Played)
    assert placed[0].card == table.boards[0].view().piles[0][0]
    assert not placed[0].turned


def test_a_spectator_sees_a_board_finished_before_its_end_may_be_shown() -> None:
    table = Table()
    told = begun(table, you=None)
    table.play(1, "stand")
    assert told.kinds(table.progress(1, status=Status.PLAYING)) == [Finished]


def test_what_can_be_asked_for() -> None:
    table = Table()
    told = begun(table)
    assert [type(each) for each in told.presenter.boards()] == [BoardShown]
    assert told.presenter.rival() == [
        RivalNow(name="Bo", turned=0, count=0, total=52, finished=False, status="playing", away=None)
    ]
    assert told.presenter.time(1.0) == [TimeNow(left=900_000, state="playing")]
    assert [each.name for each in begun(Table(), you=None).presenter.boards() if isinstance(each, BoardShown)] == [
        "Ada",
        "Bo",
    ]


# The Forty Thieves family


def test_the_next_card_is_shown_where_the_game_shows_it() -> None:
    table = Table("forty-thieves+peek")
    told = begun(table)
    first, second = told.of(table.play(0, "t")), told.of(table.play(0, "t"))
    assert isinstance(first[0], Made)
    assert isinstance(second[0], Made)
    assert isinstance(first[0].view, FortyThievesView)
    assert first[0].view.peek == second[0].card


def test_a_turn_onto_the_waste_is_told_at_once() -> None:
    table = Table("forty-thieves")
    told = begun(table, you=None)
    turn = table.play(1, "t")
    assert told.of(turn) == [Played(name="Bo", n=1, move="t", card=turn.card, turned=False, before=0, count=0)]


def test_of_several_cards_the_first_is_named() -> None:
    table = Table("josephine")
    table.started()
    for board in table.boards:
        assert isinstance(board, FortyThievesBoard)
        board.columns[0] = [parse_card(text) for text in ("Kd", "5h", "4h")]
        board.columns[1] = [parse_card("6h")]
    told = Told(table, you=None)
    told.of(table.board(0), table.board(1))
    assert told.of(table.play(1, "c1c2x2")) == [
        Played(name="Bo", n=1, move="c1c2x2", card="5h", turned=False, before=0, count=0)
    ]
