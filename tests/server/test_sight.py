"""Nobody sees ahead (design.md, point 4), down to the bytes.

The test is non-interference. A whole match is played; at some moment everything that one player and the spectators have
been sent about the other board is set beside what they are sent in a second world, where the cards that the player has
not passed yet are others. The second world's other player makes the same moves, or quite different ones with these
cards; only how many cards are turned, and when, and whether the board is finished, stays the same. Every byte must be.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

import server.course
import server.seat
from engine.board import EVERYTHING, Board, Status
from engine.cards import Card
from engine.deal import Deal
from engine.errors import EngineError
from engine.forty_thieves import FortyThievesView
from engine.games import variant
from protocol.messages import BoardState, MatchList, Moved, Progress, ServerMessage
from server.course import State
from server.effects import SPECTATORS
from server.seat import Seat
from server.sight import shown
from server.telling import listed, state_message
from tests.server.desk import ANN, BOB, Desk, encoded, moves_seen, sensible, spellings

SPELLINGS = spellings()

# What may be shown


@pytest.mark.parametrize(
    ("positions", "passed", "number"),
    [
        ([], 5, 0),
        ([0], -1, 0),
        ([0], 0, 1),
        ([1, 1, 2, 2, 3], -1, 0),
        ([1, 1, 2, 2, 3], 0, 0),
        ([1, 1, 2, 2, 3], 1, 2),
        ([1, 1, 2, 2, 3], 2, 4),
        ([1, 1, 2, 2, 3], 3, 5),
        ([1, 1, 5, 5, 9], 6, 4),
        ([1, 1, 52, 52, 52, 60], 52, 5),
        ([1, 1, 52, 60], EVERYTHING, 4),
    ],
)
def test_an_entry_is_shown_when_the_other_board_has_passed_its_position(
    positions: list[int], passed: int, number: int
) -> None:
    assert shown(positions, passed) == number


@given(st.lists(st.integers(0, 104)).map(sorted), st.integers(-1, 110))
def test_what_is_shown_is_just_what_is_passed(positions: list[int], passed: int) -> None:
    assert shown(positions, passed) == sum(position <= passed for position in positions)


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_a_board_has_passed_what_the_design_says(spelling: str) -> None:
    """Against a second reading of the design's words: every position for itself, and what is passed stays passed."""
    chosen = variant(spelling)
    for seed in range(2):
        random = Random(f"{spelling} {seed}")
        board = chosen.board(shuffled(spelling, random))
        first = set(range(len(chosen.cards) + 1))
        positions = set(range(2 * len(chosen.cards) + 1))
        passed: set[int] = set()
        for _ in range(260):
            moves = [str(move) for move in board.legal_moves()]
            passed |= {position for position in positions if position < board.position}
            if not moves:
                passed = positions
            elif "t" not in moves and not any(move.startswith("h") for move in moves):
                passed |= first if "r" in moves else positions
            assert {position for position in positions if position <= board.passed} == passed
            if not moves:
                break
            board.enter(chosen_move(board, random))


def test_the_rival_is_sent_progress_and_never_a_move_or_a_board() -> None:
    desk = Desk().playing()
    desk.forget()
    for _ in range(30):
        desk.play(ANN, 2)
        desk.play(BOB, 1)
    for player in (ANN, BOB):
        of_the_other = [type(message) for message in desk.new(player) if getattr(message, "seat", player) != player]
        assert set(of_the_other) == {Progress}


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


# The next card of the stock, in games that show it


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


# Non-interference


@dataclass(frozen=True)
class Step:
    """One thing that happens when `after` milliseconds have passed: an entry of a board, or something around it."""

    after: int
    do: str
    seat: int = 0
    entry: str = ""


class World:
    """A match that goes as a script says, and everything that anybody is told of it."""

    def __init__(self, spelling: str, dealt: Deal | None = None) -> None:
        self.spelling = spelling
        with dealing(dealt):
            self.desk = Desk(spelling, clock=7_200_000, grace=600_000).playing()
        self.dealt = self.desk.match.deal
        self.desk.match.spectators = 1
        self.steps: list[Step] = []
        self.finished: list[tuple[bool, bool]] = []
        """Which boards were finished after each step."""
        self._told: list[tuple[int, ServerMessage]] = []
        self._read = 0

    @classmethod
    def played(cls, spelling: str, dealt: Deal, steps: Sequence[Step]) -> "World":
        world = cls(spelling, dealt)
        for step in steps:
            world.take(step)
        return world

    def take(self, step: Step) -> None:
        desk = self.desk
        desk.oversleep(step.after)
        match step.do:
            case "enter":
                desk.move(step.seat, step.entry)
            case "drop":
                desk.drop(step.seat)
            case "resume":
                desk.resume(step.seat, min(3, desk.count_of(step.seat)))
            case "restart":
                with dealing(self.dealt):
                    desk.restart(downtime=1_000)
                desk.match.spectators = 1
        self._told += desk.said[self._read :]
        self._read = len(desk.said)
        if step.do == "watch":
            self._told.append((SPECTATORS, state_message(desk.match, desk.now, SPECTATORS)))
            self._told += [(SPECTATORS, message) for message in desk.match.watched()]
            self._told.append((SPECTATORS, MatchList(matches=[listed(desk.match, desk.now)])))
        self.steps.append(step)
        self.finished.append((desk.board(0).finished, desk.board(1).finished))

    def told_about(self, seat: int) -> list[tuple[int, bytes]]:
        """All that the other player and the spectators have been told, but for the other player's own board."""
        return [
            (audience, encoded(only_about(seat, message)))
            for audience, message in self._told
            if audience != seat and not (isinstance(message, Moved | BoardState | Progress) and message.seat != seat)
        ]


@contextmanager
def dealing(dealt: Deal | None) -> Iterator[None]:
    """Whatever is dealt within is this deal."""
    with pytest.MonkeyPatch.context() as patch:
        if dealt is not None:
            patch.setattr(server.course, "deal", lambda *_: dealt)
        yield


def only_about(seat: int, message: ServerMessage) -> ServerMessage:
    """The message without what it says of the other board."""
    if isinstance(message, MatchList):
        return MatchList(matches=[replace(line, counts=[line.counts[seat]]) for line in message.matches])
    return message


def shuffled(spelling: str, random: Random) -> Deal:
    cards = variant(spelling).cards
    return Deal(tuple(random.sample(cards, len(cards))), tuple(random.sample(cards, len(cards))))


def chosen_move(board: Board, random: Random) -> str:
    """A sensible move mostly, else any."""
    return str(sensible(board) if random.random() < 0.8 else random.choice(board.legal_moves()))


def first_world(spelling: str, random: Random) -> World:
    """A match with one board well ahead of the other, broken off at some moment before its end."""
    ahead, length, dealt = random.randrange(2), random.randrange(5, 330), shuffled(spelling, random)
    world = World(spelling, dealt)
    while len(world.steps) < length:
        after, chance = random.choice([0, 0, 1, 40, 800]), random.random()
        seat = ahead if random.random() < 0.7 else 1 - ahead
        if world.desk.board(seat).finished:
            seat = 1 - seat
        if chance < 0.04:
            step = Step(after, "watch")
        elif chance < 0.07:
            step = Step(after, "drop", seat)
        elif chance < 0.10:
            step = Step(after, "resume", seat)
        elif chance < 0.11:
            step = Step(after, "restart")
        elif chance < 0.112:
            step = Step(after, "enter", seat, "stand")
        else:
            step = Step(after, "enter", seat, chosen_move(world.desk.board(seat), random))
        world.take(step)
        if world.desk.state() is not State.PLAYING:
            return World.played(spelling, dealt, world.steps[:-1])
    return world


def swapped(order: tuple[Card, ...], unseen: int, random: Random) -> tuple[Card, ...]:
    """The order with two cards exchanged, neither of them among the first `unseen`."""
    cards = list(order)
    if len(cards) - unseen >= 2:
        one, other = random.sample(range(unseen, len(cards)), 2)
        cards[one], cards[other] = cards[other], cards[one]
    return tuple(cards)


def replayed(world: World, dealt: Deal) -> list[tuple[bool, bool]] | None:
    """Which boards are finished after each step with these cards; None where a step is not legal with them."""
    boards = [variant(world.spelling).board(dealt) for _ in (0, 1)]
    finished = []
    for step in world.steps:
        if step.do == "enter":
            try:
                boards[step.seat].enter(step.entry)
            except EngineError:
                return None
        finished.append((boards[0].finished, boards[1].finished))
    return finished


def laid_open(board: Board) -> object:
    """What everybody sees of a board, without the card of the stock that its player may see."""
    view = board.view()
    return replace(view, peek=None) if isinstance(view, FortyThievesView) else view


def first_of_the_stock(board: Board) -> int:
    """The deal position of the first card to be turned; in Forty Thieves the columns lie before it."""
    board.enter("t")
    return board.position if isinstance(board.view(), FortyThievesView) else 1


def other_cards(world: World, passed: int, random: Random) -> Deal:
    """Other cards where nothing is passed yet, with which all steps are legal and the same boards are finished.

    What lies open before the first turn stays, too.
    """
    dealt = world.dealt
    assert dealt is not None
    fresh = variant(world.spelling).board
    open_cards = laid_open(fresh(dealt))
    seen = max(passed, first_of_the_stock(fresh(dealt)) - 1), max(passed - len(dealt.first), 0)
    for _ in range(24):
        tried = Deal(*(swapped(order, length, random) for order, length in zip(dealt, seen, strict=True)))
        if laid_open(fresh(tried)) == open_cards and replayed(world, tried) == world.finished:
            dealt = tried
    return dealt


def other_moves(world: World, dealt: Deal, seat: int, passed: int, random: Random) -> list[Step] | None:
    """Other moves of one board where the rival has not passed, at the same times and with the same turns.

    None where these cards and moves do not finish boards just when the first world does.
    """
    boards = [variant(world.spelling).board(dealt) for _ in (0, 1)]
    steps = []
    for step, finished in zip(world.steps, world.finished, strict=True):
        if step.do == "enter":
            board, entry = boards[step.seat], step.entry
            if step.seat == seat and board.position > passed and entry not in ("t", "r", "stand"):
                others = [str(move) for move in board.legal_moves() if str(move) not in ("t", "r")]
                entry = random.choice(others) if others else ""
            if entry:
                try:
                    board.enter(entry)
                except EngineError:
                    return None
            step = Step(step.after, "enter" if entry else "nothing", step.seat, entry)
        if (boards[0].finished, boards[1].finished) != finished:
            return None
        steps.append(step)
    return steps


@dataclass
class Outcome:
    """What comparing worlds has come to."""

    with_other_cards: int = 0
    with_other_moves: int = 0
    different: int = 0


def compare(spelling: str, seed: int) -> Outcome:
    """Play one match in several worlds, and count those that somebody could tell apart too early."""
    random, outcome = Random(f"{spelling} {seed}"), Outcome()
    world = first_world(spelling, random)
    assert world.dealt is not None
    for seat in (0, 1):
        passed = world.desk.board(1 - seat).passed
        if passed == EVERYTHING:
            continue
        told = world.told_about(seat)
        dealt = other_cards(world, passed, random)
        if dealt != world.dealt:
            outcome.with_other_cards += 1
            outcome.different += World.played(spelling, dealt, world.steps).told_about(seat) != told
        for _ in range(4):
            steps = other_moves(world, dealt, seat, passed, random)
            if steps is not None and steps != world.steps:
                outcome.with_other_moves += 1
                outcome.different += World.played(spelling, dealt, steps).told_about(seat) != told
    return outcome


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_not_a_byte_depends_on_what_the_other_player_has_still_to_come_to(spelling: str) -> None:
    matches = 8 if "+" in spelling else 12
    outcomes = [compare(spelling, seed) for seed in range(matches)]
    assert [seed for seed, outcome in enumerate(outcomes) if outcome.different] == []
    assert sum(outcome.with_other_cards for outcome in outcomes) >= matches // 2
    assert sum(outcome.with_other_moves for outcome in outcomes) >= matches // 2


def everything(positions: Sequence[int], _passed: int) -> int:
    return len(positions)


def one_turn_more(positions: Sequence[int], passed: int) -> int:
    return shown(positions, passed + 1)


def a_fixed_delay(positions: Sequence[int], _passed: int) -> int:
    return max(0, len(positions) - 12)


def live_count(self: Seat) -> Progress:
    return replace(honest_progress(self), count=self.last.count)


honest_progress = Seat.progress


def peek_for_all(self: Seat, number: int, re: int | None = None, *, own: bool = False) -> Moved:
    return honest_moved(self, number, re, own=True)


def board_with_peek(self: Seat) -> BoardState:
    told = honest_shown_board(self)
    if isinstance(told.view, FortyThievesView):
        told.view.peek = self.board.peek if self.board else None
    return told


honest_moved, honest_shown_board = Seat.moved, Seat.shown_board

LEAKS: list[tuple[object, str, Callable[..., object]]] = [
    (server.seat, "shown", everything),
    (server.seat, "shown", one_turn_more),
    (server.seat, "shown", a_fixed_delay),
    (Seat, "progress", live_count),
    (Seat, "shown_board", Seat.own_board),
    (Seat, "shown_count", property(lambda self: self.last.count)),  # type: ignore[list-item]
]


@pytest.mark.parametrize(("where", "name", "leak"), LEAKS, ids=lambda part: getattr(part, "__name__", None))
def test_a_server_that_shows_too_much_is_caught(
    where: object, name: str, leak: Callable[..., object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(where, name, leak)
    assert any(compare("sir-tommy", seed).different for seed in range(16))
    assert any(compare("lucas+peek", seed).different for seed in range(16))


@pytest.mark.parametrize(("name", "leak"), [("moved", peek_for_all), ("shown_board", board_with_peek)])
def test_a_server_that_shows_the_next_card_of_the_stock_is_caught(
    name: str, leak: Callable[..., object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Seat, name, leak)
    assert any(compare("forty-thieves+peek", seed).different for seed in range(24))
