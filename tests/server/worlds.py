"""A world is a match that goes as a script says, with everything that anybody is told of it."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from random import Random

import pytest
from msgspec.structs import replace

import server.course
from engine.board import Board
from engine.cards import parse_card
from engine.deal import Deal
from engine.games import variant
from engine.moves import HAND, REDEAL, TURN, Area
from protocol.messages import BoardState, MatchList, Moved, Progress, ServerMessage
from server.course import State
from server.effects import SPECTATORS
from server.telling import listed, state_message
from tests.server.desk import Desk, encoded, sensible
from tests.server.reading import Reading


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
                    desk.restart()
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

    def passed(self, seat: int) -> int:
        """The last place that a player has passed, in the design's words."""
        return self._read_log(seat)[0].passed

    def is_between_shuffles(self, seat: int) -> bool:
        """Whether a player has passed the whole first shuffle, and has some of the second to come."""
        return self._read_log(seat)[0].is_between_shuffles

    def hidden(self, seat: int) -> list[tuple[str, str | None]]:
        """What a player has done, and with which cards, that the other has not passed."""
        _, log = self._read_log(seat)
        passed = self.passed(1 - seat)
        return [(text, card) for place, text, card in log if place > passed]

    def _read_log(self, seat: int) -> tuple[Reading, list[tuple[int, str, str | None]]]:
        assert self.dealt is not None
        reading, log = Reading(self.spelling, self.dealt), []
        for entry in self.desk.match.seats[seat].entries:
            reading.take(entry.text, None if entry.card is None else parse_card(entry.card))
            log.append((reading.place, entry.text, entry.card))
        return reading, log


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
        return MatchList(matches=[replace(line, seats=[line.seats[seat]]) for line in message.matches])
    return message


def shuffled(spelling: str, random: Random) -> Deal:
    cards = variant(spelling).cards
    return Deal(tuple(random.sample(cards, len(cards))), tuple(random.sample(cards, len(cards))))


def chosen_move(board: Board, random: Random) -> str:
    """A sensible move mostly, else any."""
    return str(sensible(board) if random.random() < 0.8 else random.choice(board.legal_moves()))


def bury(world: World, seat: int, random: Random) -> None:
    """Play a board to the end of the first shuffle, with few cards on the foundations or none."""
    board, raised = world.desk.board(seat), random.choice([0, 0.5])
    while TURN in (moves := board.legal_moves()) or REDEAL not in moves:
        buried = [move for move in moves if move == TURN or (move.source == HAND and move.target.area is Area.PILE)]
        raising = moves[0].target.area is Area.FOUNDATION and random.random() < raised
        world.take(Step(random.choice([0, 1]), "enter", seat, str(moves[0] if raising else random.choice(buried))))


def first_world(spelling: str, random: Random, *, late: bool = False) -> World:
    """A match with one board well ahead of the other, broken off at some moment before its end, when somebody looks.

    Mostly the slower player has just turned a card: that is when the next one is worth most to them. It is a `late`
    match when both boards have come to the redeal with most of their cards; the slower player may get no further.
    """
    ahead, length, dealt = random.randrange(2), random.randrange(5, 90 if late else 240), shuffled(spelling, random)
    world, share = World(spelling, dealt), 0.7
    if late:
        bury(world, ahead, random)
        bury(world, 1 - ahead, random)
        share = random.choice([1, 0.7, 0.7])
        redealing = (ahead,) if share == 1 else (1 - ahead, ahead)
        for seat in redealing:
            world.take(Step(0, "enter", seat, str(REDEAL)))
        length += len(world.steps)
    while len(world.steps) < length:
        after, chance = random.choice([0, 0, 1, 40, 800]), random.random()
        seat = ahead if random.random() < share else 1 - ahead
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
            world = World.played(spelling, dealt, world.steps[:-1])
            break
    if random.random() < 0.7 and TURN in world.desk.board(1 - ahead).legal_moves():
        world.take(Step(0, "enter", 1 - ahead, str(TURN)))
    world.take(Step(0, "watch"))
    return world
