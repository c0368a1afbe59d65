"""What is typed and what comes of it, at a terminal and in a pipe."""

import re

import pytest

from client_cli import language
from client_cli.announcements import Afterwards, Announcement, AskReady, Clock, ConnectionLost, Made
from client_cli.answers import (
    BoardShown,
    Confirm,
    Help,
    Illegal,
    Incomplete,
    InputEnded,
    LegalMoves,
    NotConfirmed,
    NotNow,
    NotTaken,
    RivalNow,
    SeatKept,
    TimeNow,
    Unparsable,
)
from client_cli.player import CONFIRMED, NO, YES, Player
from client_cli.troubles import Exit, Refusal
from client_cli.wording import words
from client_cli.words import Command, WordError, find
from engine.games import variant
from protocol.messages import (
    AnyServerMessage,
    ClientMessage,
    GetRecord,
    Leave,
    Move,
    Ready,
    Refused,
    Rematch,
    Resume,
    Reveal,
)
from tests.client_cli.table import CODE, NONCES, Table


class Seat:
    """A player at a table, whose moves are answered at once."""

    def __init__(self, table: Table, *, terminal: bool = True, always_ready: bool = False) -> None:
        self.table = table
        self.player = Player(table.match(), lambda: NONCES[0], 0.0, terminal=terminal, always_ready=always_ready)
        self.told: list[Announcement] = []
        self.sent: list[ClientMessage] = []
        self.collect()

    def collect(self) -> None:
        self.told += self.player.to_tell()
        for message in self.player.to_send():
            self.sent.append(message)
            if isinstance(message, Move):
                self.heard(self.table.play(0, message.move))
                if self.table.state == "over":
                    self.heard(self.table.board(1), self.table.match())
            elif isinstance(message, GetRecord):
                self.heard(self.table.answer_record(message.id))

    def heard(self, *messages: AnyServerMessage) -> None:
        for message in messages:
            self.player.heard(message, 1.0)
            self.collect()

    def say(self, *lines: str) -> list[Announcement]:
        """Type lines, and give back what is told of them."""
        before = len(self.told)
        for line in lines:
            self.player.typed(line, 1.0)
            self.collect()
        return self.told[before:]

    def end_input(self) -> None:
        self.player.input_ended(1.0)
        self.collect()

    def begin(self) -> None:
        """Let the race begin, whoever was ready."""
        self.heard(self.table.bound().match())
        self.table.started()
        self.heard(self.table.match(), self.table.board(0), self.table.progress(1))

    @property
    def moves(self) -> list[str]:
        return [message.move for message in self.sent if isinstance(message, Move)]

    def kinds(self, *lines: str) -> list[type[Announcement]]:
        return [type(told) for told in self.say(*lines)]


def seat(**options: bool) -> Seat:
    return Seat(Table().seated(), **options)


def begun(**options: bool) -> Seat:
    at = seat(**options)
    at.begin()
    return at


# Being ready


def test_a_player_is_asked_and_answers_with_enter() -> None:
    at = seat()
    assert at.told[-1] == AskReady(waits=120_000)
    at.say("")
    at.say("", "ready")
    assert [type(message) for message in at.sent] == [Ready]


def test_enter_while_nobody_is_there_means_nothing() -> None:
    at = Seat(Table())
    at.say("")
    assert at.sent == []
    at.table.seated()
    at.heard(at.table.match())
    assert isinstance(at.told[-1], AskReady)


def test_always_ready_is_not_asked() -> None:
    at = seat(always_ready=True)
    assert not any(isinstance(told, AskReady) for told in at.told)
    assert [type(message) for message in at.sent] == [Ready]
    at.table.commit(0)
    at.table.commit(1)
    at.heard(at.table.match())
    assert isinstance(at.sent[-1], Reveal)


def test_a_nonce_lost_with_another_run_gives_the_match_up() -> None:
    table = Table().seated()
    table.commit(0)
    at = Seat(table)
    assert any(isinstance(told, Refusal) and told.code == "already-ready" for told in at.told)
    assert at.sent == [Leave(match=CODE)]
    assert at.player.exit_code is Exit.ERROR


# Moves


def test_a_line_is_carried_out_word_by_word() -> None:
    at = begun()
    assert at.kinds("t 2 t 3") == [Made] * 4
    assert at.moves == ["t", "hp2", "t", "hp3"]


@pytest.mark.parametrize(
    ("line", "kind", "moves"),
    [("t x 2", Unparsable, ["t"]), ("t t 2", Illegal, ["t"]), ("x t", Unparsable, []), ("t 7 2", Illegal, ["t"])],
)
def test_nothing_after_a_wrong_word_is_carried_out(line: str, kind: type[Announcement], moves: list[str]) -> None:
    at = begun()
    assert at.kinds(line)[-1] is kind
    assert at.moves == moves
    at.say("2" if moves else "t")
    assert len(at.moves) == len(moves) + 1


def test_a_word_waits_for_the_answer_to_the_one_before() -> None:
    at = begun()
    at.player.typed("t 1", 1.0)
    at.player.typed("t", 1.0)
    assert [message.move for message in at.player.to_send() if isinstance(message, Move)] == ["t"]
    at.heard(at.table.play(0, "t"))
    assert at.moves == ["hp1", "t"]


def test_a_refused_move_drops_the_rest_of_its_line() -> None:
    at = begun()
    at.player.typed("t 2 t", 1.0)
    at.player.typed("time", 1.0)
    at.player.to_send()
    at.heard(Refused(code="store-failed", why="", match=CODE, n=0))
    assert [type(told) for told in at.told[-2:]] == [Refusal, TimeNow]
    assert at.moves == []


def test_moves_before_the_start_are_answered_at_a_terminal() -> None:
    assert seat().say("t 2") == [NotNow(word="t", state="seated")]


def test_moves_are_sent_again_after_a_loss() -> None:
    at = begun()
    at.say("t 2")
    at.player.typed("t", 1.0)
    at.player.to_send()
    at.player.lost(75.0, 1.0)
    at.player.back(2.0)
    assert at.player.to_send() == [Resume(match=CODE, n=2), Move(match=CODE, n=3, move="t")]


def lost(at: Seat) -> None:
    at.player.lost(75.0, 1.0)
    at.collect()


def back(at: Seat) -> None:
    """The connection is there again, and so is all that was missed."""
    at.player.back(2.0)
    n = next(message.n for message in at.player.to_send() if isinstance(message, Resume))
    at.heard(at.table.match(), *at.table.logs[0][n:], at.table.progress(1))


def test_a_line_typed_without_a_connection_is_not_taken_and_told_of() -> None:
    at = begun()
    lost(at)
    assert at.say("t 2", "done", "resign") == [NotTaken("t 2"), NotTaken("done"), NotTaken("resign")]
    at.player.back(2.0)
    assert at.say("t")[-1] == NotTaken("t")
    back(at)
    assert at.moves == []
    assert at.kinds("t 2") == [Made, Made]


def test_what_waited_behind_a_move_that_is_on_its_way_is_not_taken_either() -> None:
    at = begun()
    at.player.typed("t 2", 1.0)
    at.player.typed("t", 1.0)
    at.player.to_send()
    lost(at)
    assert at.told[-2:] == [NotTaken("2"), NotTaken("t")]
    at.player.back(2.0)
    assert at.player.to_send() == [Resume(match=CODE, n=0), Move(match=CODE, n=1, move="t")]


def test_a_question_is_not_answered_without_a_connection() -> None:
    at = begun()
    at.say("done")
    lost(at)
    assert at.say("yes") == [NotTaken("stand")]
    back(at)
    assert at.moves == []


def test_a_rematch_is_not_asked_for_without_a_connection() -> None:
    at = begun()
    at.say("resign", "yes")
    lost(at)
    assert at.say("again") == [NotTaken("again")]
    at.player.order(Command.AGAIN, 1.0)
    at.collect()
    assert at.told[-1] == NotTaken("again")
    assert Rematch(match=CODE) not in at.sent


def test_a_pipe_that_ends_without_a_connection_stands_when_it_is_back() -> None:
    at = begun(terminal=False)
    lost(at)
    at.end_input()
    assert at.told[-1] == ConnectionLost(patience=75_000)
    back(at)
    assert at.told.count(InputEnded(stands=True)) == 1
    assert at.moves == ["stand"]


def test_words_that_only_tell_and_leaving_need_no_connection() -> None:
    at = begun()
    at.player.typed("t", 1.0)
    at.player.to_send()
    lost(at)
    assert at.kinds("b time help rival quit") == [BoardShown, TimeNow, Help, RivalNow, SeatKept]
    assert at.player.exit_code is Exit.FINE


def test_a_pipe_waits_for_the_connection_and_for_what_was_missed() -> None:
    at = begun(terminal=False)
    lost(at)
    assert at.say("t 1", "t") == []
    at.end_input()
    at.player.back(2.0)
    assert at.moves == []
    back(at)
    assert at.moves == ["t", "hp1", "t", "stand"]


# Other words


def test_the_words_that_only_tell() -> None:
    at = begun()
    assert at.kinds("? b rival time help") == [LegalMoves, BoardShown, RivalNow, TimeNow, Help]
    assert at.moves == []


@pytest.mark.parametrize(("word", "entry"), [("done", "stand"), ("resign", "resign")])
def test_ending_asks_for_a_yes(word: str, entry: str) -> None:
    at = begun()
    assert at.kinds(f"{word} t") == [Confirm]
    at.say("YES")
    assert at.moves == [entry]


@pytest.mark.parametrize("spoken", ["en", "de", "es"])
@pytest.mark.parametrize("game", ["sir-tommy", "lucas+groups"])
def test_no_word_is_both_a_command_and_a_yes(game: str, spoken: str) -> None:
    language.choose(spoken)
    for word in (*YES, *NO[1:]):
        with pytest.raises(WordError):
            find(word, variant(game).rules)
    for command in CONFIRMED:
        assert re.search(rf" {YES[0]}\b", words(Confirm(word=command, count=0)))


@pytest.mark.parametrize("word", ["done", "stand", "resign"])
def test_saying_it_twice_is_no_yes(word: str) -> None:
    at = begun()
    assert at.kinds(word, word, word.upper(), "no") == [
        Confirm,
        NotConfirmed,
        Confirm,
        NotConfirmed,
        Confirm,
        NotConfirmed,
    ]
    assert at.moves == []


def test_anything_but_a_yes_is_a_no_and_then_itself() -> None:
    at = begun()
    assert at.kinds("done", "no") == [Confirm, NotConfirmed]
    assert at.kinds("done", "t 1") == [Confirm, NotConfirmed, Made, Made]
    assert at.moves == ["t", "hp1"]


def test_a_yes_typed_ahead_is_still_the_answer() -> None:
    at = begun()
    at.player.typed("t", 1.0)
    at.player.typed("done", 1.0)
    at.player.typed("yes", 1.0)
    at.collect()
    assert at.moves == ["t", "stand"]


def test_standing_twice_is_not_possible() -> None:
    at = begun()
    at.say("done", "yes")
    assert at.say("done") == [NotNow(word="done", state="playing")]


def test_quitting_in_mid_race_keeps_the_seat() -> None:
    at = begun()
    assert at.say("quit") == [SeatKept(match=CODE, grace=60_000)]
    assert at.player.exit_code is Exit.FINE
    assert at.sent == []


def test_quitting_before_the_race_gives_the_seat_up() -> None:
    at = seat()
    at.say("q")
    assert at.sent == [Leave(match=CODE)]
    assert at.player.exit_code is Exit.FINE


# After the race


def test_the_end_and_a_rematch() -> None:
    at = begun()
    at.say("resign", "yes")
    assert at.told[-1] == Afterwards(match=CODE, again=True)
    assert at.kinds("t") == [NotNow]
    at.say("again")
    assert at.sent[-1] == Rematch(match=CODE)
    at.table.next = "zzzzzzzz"
    successor = Table(code="zzzzzzzz").seated()
    at.heard(at.table.match(), successor.match())
    assert isinstance(at.told[-1], AskReady)
    at.say("")
    assert isinstance(at.sent[-1], Ready)
    assert at.sent[-1].match == "zzzzzzzz"


def test_again_has_its_time() -> None:
    assert begun().say("again") == [NotNow(word="again", state="playing")]


def test_a_match_that_did_not_take_place_is_an_error() -> None:
    at = seat()
    at.table.state, at.table.aborted = "aborted", "left"
    at.heard(at.table.match())
    assert at.player.exit_code is Exit.ERROR


def test_a_seat_that_is_gone_is_an_error() -> None:
    at = begun()
    at.heard(Refused(code="unknown-match", why="", match=CODE))
    assert at.player.exit_code is Exit.REFUSED


# In a pipe


def test_words_in_a_pipe_wait_for_the_start() -> None:
    at = Seat(Table(), terminal=False)
    at.say("t 2", "t", "1")
    assert at.sent == []
    at.table.seated()
    at.heard(at.table.match())
    assert [type(message) for message in at.sent] == [Ready]
    at.begin()
    assert at.moves == ["t", "hp2", "t", "hp1"]


def test_a_pipe_that_ends_stands() -> None:
    at = begun(terminal=False)
    at.say("t 1")
    at.end_input()
    assert at.moves == ["t", "hp1", "stand"]
    assert InputEnded(stands=True) in at.told
    assert at.player.exit_code is None
    at.table.play(1, "stand")
    at.heard(at.table.board(1), at.table.match())
    assert at.told[-1] == Afterwards(match=CODE, again=False)
    assert at.player.exit_code is Exit.FINE


def test_a_pipe_that_ends_before_anything_was_said_leaves() -> None:
    at = seat(terminal=False)
    at.end_input()
    assert at.told[-1] == InputEnded(stands=False)
    assert at.sent == [Leave(match=CODE)]
    assert at.player.exit_code is Exit.ERROR


def test_a_pipe_that_ends_when_ready_waits_for_the_start_and_stands() -> None:
    at = seat(terminal=False, always_ready=True)
    at.end_input()
    assert at.player.exit_code is None
    at.begin()
    assert at.moves == ["stand"]


def test_in_a_pipe_nothing_is_confirmed() -> None:
    at = begun(terminal=False)
    at.say("done")
    assert at.moves == ["stand"]


def test_again_in_a_pipe_waits_for_the_end_and_moves_for_the_rematch() -> None:
    at = begun(terminal=False)
    at.say("done", "again", "t")
    at.table.play(1, "stand")
    at.heard(at.table.board(1), at.table.match())
    assert at.sent[-1] == Rematch(match=CODE)
    at.table.next = "zzzzzzzz"
    at.heard(at.table.match())
    at.table = Table(code="zzzzzzzz").seated()
    at.heard(at.table.match())
    at.begin()
    assert at.moves == ["stand", "t"]


def test_the_end_of_input_at_a_terminal_is_a_quit() -> None:
    at = begun()
    at.end_input()
    assert at.told[-1] == SeatKept(match=CODE, grace=60_000)
    assert at.player.exit_code is Exit.FINE


def test_the_clock_is_told() -> None:
    at = begun()
    assert at.player.next_tick(1.0) == 600.0
    at.player.tick(601.0)
    at.collect()
    assert at.told[-1] == Clock(left=300_000)


def test_forty_thieves_is_played_with_words_of_its_own() -> None:
    seat = Seat(Table("forty-thieves+peek").seated(), always_ready=True)
    seat.begin()
    told = seat.say("t t", "f", "1 1", "4", "?", "b", "help")
    assert [type(each) for each in told] == [Made, Made, Unparsable, Illegal, Incomplete, LegalMoves, BoardShown, Help]
