"""One match in several worlds: what anybody has been told in one of them is set beside what they are told in another.

A world is a match that goes as a script says. In another world the cards that a player has not passed yet are others,
or the moves with them; only how many cards are turned, and when, and whether the board is finished, stays the same.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from random import Random

import pytest
from msgspec.structs import replace

import server.course
from engine.board import EVERYTHING, Board
from engine.cards import Card
from engine.deal import Deal
from engine.errors import EngineError
from engine.forty_thieves import FortyThievesView
from engine.games import variant
from protocol.messages import BoardState, MatchList, Moved, Progress, ServerMessage
from server.course import State
from server.effects import SPECTATORS
from server.telling import listed, state_message
from tests.server.desk import Desk, encoded, sensible


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
