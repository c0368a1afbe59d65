"""Whatever people, clocks and servers do to a match, in any order: what must always hold holds (design.md, seven points).

Hypothesis plays both players, the passing of time and the dying of servers. After every step the match restored from
its logs must equal the live one, and at the end of every run time alone must bring the match to an end that its record
proves.
"""

from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from engine.board import ENDINGS, Board
from engine.moves import MOVES
from engine.result import Standing, decide
from protocol.messages import Moved, ServerMessage
from server.course import ENDED, NEVER, State
from server.effects import SPECTATORS, Append, Refusal, Send
from server.events import MATCH_LOG, Aborted, Finished, Followed, board_log
from server.match import COUNTDOWN, PLAYERS_WORDS, READY_LIMIT, REVEAL_LIMIT, WAITING_LIMIT, Match
from tests.server.desk import (
    ANN,
    BOB,
    NONCES,
    PLAYERS,
    Desk,
    at_once,
    committed,
    moves_seen,
    picture,
    spellings,
    verified,
)

GAMES = ["puss-in-the-corner", "puss-in-the-corner+redeal", *spellings()]
ON_COLUMNS = [text for text in MOVES if "c" in text or "w" in text]
WORDS = [
    *(text for text in MOVES if text not in ON_COLUMNS),
    *ENDINGS,
    "",
    "tt",
    "hp",
    "p10f1",
    "win",
    "c14f1",
    "c1c2x1",
]

seats = st.integers(0, 1)
nonces = st.sampled_from([*NONCES, "12" * 16])


class MatchMachine(RuleBasedStateMachine):
    """A match on a desk. `refused` and the like count what a run has seen."""

    desk: Desk

    @initialize(
        game=st.sampled_from(GAMES),
        seed=st.integers(0, 2**32),
        clock=st.sampled_from([10_000, 600_000]),
        grace=st.sampled_from([1_000, 60_000]),
        far=st.sampled_from(["", "seated", "revealing", "counting_down", "playing", "playing", "playing", "playing"]),
    )
    def a_match_is_made(self, game: str, seed: int, clock: int, grace: int, far: str) -> None:
        self.desk = Desk(game, clock=clock, grace=grace, secret=f"{seed:064x}")
        self.desk.match.spectators = 1
        self.second = Match(self.desk.terms)
        self.second.spectators = 1
        self.heard_there: list[ServerMessage] = []
        if far:
            getattr(self.desk, far)()
        else:
            self.desk.sit(PLAYERS[0], "Ann")

    # What players do

    def attempt(self, command: str, *args: Any) -> str | None:
        """Give a command; the code, if it was refused, and then nothing has changed."""
        self.desk.wait(0)
        before, logged, said = self.desk.picture(), len(self.desk.history), len(self.desk.said)
        try:
            self.desk.do(command, *args)
        except Refusal as refusal:
            assert self.desk.picture() == before
            assert (len(self.desk.history), len(self.desk.said)) == (logged, said)
            assert self.desk.match._effects == []
            return refusal.code
        return None

    def taken(self, seat: int) -> bool:
        return seat < len(self.desk.match.seats)

    @rule(player=st.integers(0, 2))
    def sit(self, player: int) -> None:
        match = self.desk.match
        free = len(match.seats) < 2 and match.state is State.WAITING
        known = any(seat.player == [*PLAYERS, "cc" * 32][player] for seat in match.seats)
        refused = self.attempt("sit", [*PLAYERS, "cc" * 32][player], f"Player {player}")
        assert (free and not known) or refused

    @rule(seat=seats, nonce=nonces)
    def ready(self, seat: int, nonce: str) -> None:
        if self.taken(seat):
            self.attempt("ready", seat, committed(seat, nonce))

    @rule(seat=seats)
    def ready_as_agreed(self, seat: int) -> None:
        if self.taken(seat):
            self.attempt("ready", seat, committed(seat))

    @rule(seat=seats, nonce=nonces)
    def reveal(self, seat: int, nonce: str) -> None:
        if self.taken(seat):
            self.attempt("reveal", seat, nonce)

    @rule(seat=seats)
    def reveal_as_agreed(self, seat: int) -> None:
        if self.taken(seat):
            self.attempt("reveal", seat, NONCES[seat])

    @rule(seat=seats, most=st.integers(1, 40))
    def play_sensibly(self, seat: int, most: int) -> None:
        if self.desk.state() is State.PLAYING:
            self.desk.play(seat, most)

    @rule(seat=seats)
    def play_to_the_end(self, seat: int) -> None:
        if self.desk.state() is State.PLAYING:
            self.desk.play(seat, 250)

    @precondition(lambda self: self.desk.match.deal is not None)
    @rule(
        seat=seats,
        behind=st.sampled_from([0, 0, 0, 0, 1, 2, -1, -2, 1000]),
        text=st.sampled_from(WORDS) | st.sampled_from(ON_COLUMNS),
    )
    def try_a_move(self, seat: int, behind: int, text: str) -> None:
        """A move is made exactly when the race is on, its number is next, and the board allows it."""
        self.desk.wait(0)
        mine = self.desk.match.seats[seat]
        last = len(mine.entries)
        number = max(0, last + 1 - behind)
        known = 0 < number <= last and mine.entries[number - 1].text == text
        allowed = {str(move) for move in self.desk.board(seat).legal_moves()}
        if not self.desk.board(seat).finished:
            allowed.update(PLAYERS_WORDS)
        due = self.desk.state() is State.PLAYING and number == last + 1 and text in allowed
        refused = self.attempt("move", seat, number, text)
        assert (refused is None) == (known or due)
        assert len(self.desk.match.seats[seat].entries) == last + (1 if due else 0)

    @precondition(lambda self: self.desk.match.deal is not None)
    @rule(seat=seats, choice=st.integers(0, 200))
    def resend_a_move(self, seat: int, choice: int) -> None:
        """A resent move gets the answer it got, whatever has happened since."""
        log = self.desk.logs[board_log(seat)]
        made = [number for number, (_, text) in enumerate(log, start=1) if text not in ("timeout", "abandon")]
        if made:
            number = made[choice % len(made)]
            answers = [
                m for to, m in self.desk.said if to == seat and isinstance(m, Moved) and (m.seat, m.n) == (seat, number)
            ]
            logged = len(self.desk.history)
            assert self.attempt("move", seat, number, log[number - 1][1]) is None
            if logged == len(self.desk.history):
                assert self.desk.said[-1] == (seat, answers[0])

    @precondition(lambda self: self.desk.state() is State.PLAYING)
    @rule(
        words=st.tuples(st.sampled_from(["", "stand", "resign"]), st.sampled_from(["", "stand", "resign"])), first=seats
    )
    def both_at_once(self, words: tuple[str, str], first: int) -> None:
        """Both players end their boards within one millisecond."""
        for seat in (first, 1 - first):
            if words[seat]:
                self.attempt("move", seat, self.desk.count_of(seat) + 1, words[seat])

    @rule(seat=seats)
    def leave(self, seat: int) -> None:
        if self.taken(seat):
            playing = self.desk.state() is State.PLAYING
            assert (self.attempt("leave", seat) == "has-started") or not playing

    @rule(seat=seats)
    def ask_for_a_rematch(self, seat: int) -> None:
        if self.taken(seat):
            self.attempt("again", seat)
            if self.desk.wants_rematch():
                self.desk.do("follow", "stuvwxyz")

    # What connections, clocks and servers do

    @rule(seat=seats)
    def drop(self, seat: int) -> None:
        if self.taken(seat):
            assert self.attempt("part", seat, self.desk.match.seats[seat].connection or "nobody") is None

    @rule(seat=seats, older=st.integers(1, 9))
    def a_connection_that_has_been_replaced_is_lost(self, seat: int, older: int) -> None:
        """Its late close does nothing, nor does that of the other player's connection."""
        connection = f"desk-{older}"
        if self.taken(seat) and connection != self.desk.match.seats[seat].connection:
            self.desk.wait(0)
            before = (self.desk.match.due, len(self.desk.history), len(self.desk.said))
            self.desk.do("part", seat, connection)
            assert (self.desk.match.due, len(self.desk.history), len(self.desk.said)) == before

    @rule(seat=seats, last=st.integers(0, 120))
    def resume(self, seat: int, last: int) -> None:
        if self.taken(seat):
            self.desk.resume(seat, last)

    @rule(milliseconds=st.sampled_from([0, 1, 20, 900, 3_000, 20_000, 120_000]))
    def wait(self, milliseconds: int) -> None:
        self.desk.wait(milliseconds)

    @precondition(lambda self: self.desk.match.due != NEVER)
    @rule(late=st.sampled_from([-1, 0, 1, 500, 100_000]))
    def wait_for_what_is_due(self, late: int) -> None:
        """A deadline comes: not quite, exactly, or with a server that sleeps through it."""
        self.desk.oversleep(max(0, self.desk.match.due - self.desk.now + late))
        self.desk.wait(0)

    @rule()
    def the_server_dies_and_another_goes_on(self) -> None:
        self.desk.restart()
        self.desk.match.spectators = 1

    # What must always hold

    @invariant()
    def the_match_ends_once_and_as_the_boards_say(self) -> None:
        ends = [event for event in self.desk.events if isinstance(event, Finished | Aborted)]
        assert len(ends) == (1 if self.desk.state() in ENDED else 0)
        assert sum(isinstance(event, Followed) for event in self.desk.events) <= 1
        if self.desk.match.deal is None:
            assert self.desk.logs[board_log(ANN)] == self.desk.logs[board_log(BOB)] == []
            return
        result = decide([self.replayed(seat) for seat in (0, 1)])
        if self.desk.state() is State.ABORTED:
            assert self.desk.logs[board_log(ANN)] == self.desk.logs[board_log(BOB)] == []
        else:
            assert (self.desk.match.result is None) == (self.desk.state() is not State.OVER)
            assert self.desk.match.result == result

    def replayed(self, seat: int) -> Standing:
        """How a board stands that is dealt anew and takes what is in the log."""
        match = self.desk.match
        assert match.deal is not None
        board: Board = match.variant.board(match.deal)
        log = self.desk.logs[board_log(seat)]
        for _, text in log[:-1]:
            board.retrace(text)
        for _, text in log[-1:]:
            board.enter(text)
        return Standing(board.status, board.count, log[-1][0] if log else 0)

    @invariant()
    def what_was_acknowledged_is_in_the_store(self) -> None:
        for _, message in self.desk.said[-5:]:
            if isinstance(message, Moved):
                assert self.desk.logs[board_log(message.seat)][message.n - 1] == (message.at, message.move)

    @invariant()
    def another_server_would_find_the_same_match(self) -> None:
        self.desk.wait(0)
        match = self.desk.restored_and_served()
        assert match.state is self.desk.state()
        assert picture(match, self.desk.now) == self.desk.picture()

    @rule()
    def a_second_server_has_the_same_match_and_tells_the_same_of_it(self) -> None:
        """It hears of the first one's entries at any time, many at once or one by one, and never writes on its own."""
        self.desk.wait(0)
        desk, second = self.desk, self.second
        effects = at_once(second.catch_up(desk.now, desk.stored))
        effects += second.tick(desk.now) if second.due <= desk.now else []
        assert not [effect for effect in effects if isinstance(effect, Append)]
        assert picture(second, desk.now) == desk.picture()
        self.heard_there += [each.message for each in effects if isinstance(each, Send) and SPECTATORS in each.to]
        here = [message for to, message in desk.said if to == SPECTATORS]
        for seat in (0, 1):
            assert moves_seen(self.heard_there, seat) == moves_seen(here, seat)

    @invariant()
    def something_is_always_due_until_the_match_has_ended(self) -> None:
        assert (self.desk.match.due == NEVER) == (self.desk.state() in ENDED)

    def teardown(self) -> None:
        if hasattr(self, "desk"):
            begun = self.desk.now
            while self.desk.state() not in ENDED:
                self.desk.wait_for_due()
            self.a_second_server_has_the_same_match_and_tells_the_same_of_it()
            longest = WAITING_LIMIT + READY_LIMIT + REVEAL_LIMIT + COUNTDOWN + self.desk.terms.clock
            assert self.desk.now - begun <= longest
            assert len(self.desk.logs[MATCH_LOG]) == self.desk.match.events
            verified(self.desk)


TestMatchMachine = MatchMachine.TestCase
TestMatchMachine.settings = settings(max_examples=150, stateful_step_count=40)
