"""What anybody has been told in one world is set beside what they are told in another.

In the other world the cards that a player has not passed yet are others, or the moves with them; only how many cards
of the first shuffle are turned, and when, and whether the board is finished, stays the same. What a player has passed is
read from the design's words, not asked of the engine.
"""

from dataclasses import dataclass
from random import Random

from msgspec.structs import replace

from engine.board import EVERYTHING, Board
from engine.cards import Card
from engine.deal import Deal
from engine.errors import EngineError
from engine.forty_thieves import FortyThievesView
from engine.games import variant
from tests.server.reading import Reading
from tests.server.worlds import Step, World, first_world

MATCHES = 8
"""How many matches of a game are enough for a server that shows too much to be caught."""


def swapped(order: tuple[Card, ...], unseen: int, random: Random) -> tuple[Card, ...]:
    """The order with two cards exchanged, neither of them among the first `unseen`; often the very next is one."""
    cards = list(order)
    if len(cards) - unseen >= 2:
        one, other = random.sample(range(unseen, len(cards)), 2)
        if other != unseen and random.random() < 0.5:
            one = unseen
        cards[one], cards[other] = cards[other], cards[one]
    return tuple(cards)


def replayed(world: World, dealt: Deal, rival: int) -> int | None:
    """What the rival has passed in the end with these cards.

    None where a step is not legal with them, or not the same boards are finished after it.
    """
    boards, reading = [variant(world.spelling).board(dealt) for _ in (0, 1)], Reading(world.spelling, dealt)
    for step, finished in zip(world.steps, world.finished, strict=True):
        if step.do == "enter":
            try:
                card = boards[step.seat].enter(step.entry)
            except EngineError:
                return None
            if step.seat == rival:
                reading.take(step.entry, card)
        if (boards[0].finished, boards[1].finished) != finished:
            return None
    return reading.passed


def laid_open(board: Board) -> object:
    """What everybody sees of a board, without the card of the stock that its player may see."""
    view = board.view()
    return replace(view, peek=None) if isinstance(view, FortyThievesView) else view


def first_of_the_stock(board: Board) -> int:
    """The deal position of the first card to be turned; in Forty Thieves the columns lie before it."""
    board.enter("t")
    return board.position if isinstance(board.view(), FortyThievesView) else 1


def other_cards(world: World, rival: int, random: Random) -> Deal:
    """Other cards where the rival has passed nothing yet, with which all steps are legal and the same boards finished.

    What lies open before the first turn stays, too; and the place of the rival's newest turn: after a redeal another
    card there, which the rival sees already, may come from another place.
    """
    passed = world.passed(rival)
    dealt = world.dealt
    assert dealt is not None
    fresh = variant(world.spelling).board
    open_cards = laid_open(fresh(dealt))
    seen = max(passed, first_of_the_stock(fresh(dealt)) - 1), max(passed - len(dealt.first), 0)
    for _ in range(16):
        tried = Deal(*(swapped(order, length, random) for order, length in zip(dealt, seen, strict=True)))
        if laid_open(fresh(tried)) == open_cards and replayed(world, tried, rival) == passed:
            dealt = tried
    return dealt


def other_moves(world: World, dealt: Deal, seat: int, passed: int, random: Random) -> list[Step] | None:
    """Other moves of one board where the rival has not passed, at the same times and with the same turns before a redeal.

    None where these cards and moves do not finish boards just when the first world does.
    """
    boards = [variant(world.spelling).board(dealt) for _ in (0, 1)]
    reading = Reading(world.spelling, dealt)
    steps = []
    for step, finished in zip(world.steps, world.finished, strict=True):
        if step.do == "enter":
            board, entry = boards[step.seat], step.entry
            kept = ("r", "stand") if reading.redealt else ("t", "r", "stand")
            if step.seat == seat and reading.place > passed and entry not in kept:
                others = [str(move) for move in board.legal_moves() if str(move) not in kept]
                entry = random.choice(others) if others else ""
            if entry:
                try:
                    card = board.enter(entry)
                except EngineError:
                    return None
                if step.seat == seat:
                    reading.take(entry, card)
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
    between_shuffles: int = 0
    """How often something else of the second shuffle was hidden from a player past the first."""
    different: int = 0

    def compare(self, seat: int, world: World, other: World) -> None:
        """Set what is told of a board in one world beside what is told of it in another."""
        self.different += other.told_about(seat) != world.told_about(seat)
        self.between_shuffles += world.is_between_shuffles(1 - seat) and other.hidden(seat) != world.hidden(seat)


def compare(spelling: str, seed: int, *, late: bool = False) -> Outcome:
    """Play one match in several worlds, and count those that somebody could tell apart too early."""
    random, outcome = Random(f"{spelling} {seed}"), Outcome()
    world = first_world(spelling, random, late=late)
    assert world.dealt is not None
    for seat in (0, 1):
        passed = world.passed(1 - seat)
        if passed == EVERYTHING:
            continue
        dealt = other_cards(world, 1 - seat, random)
        if dealt != world.dealt:
            outcome.with_other_cards += 1
            outcome.compare(seat, world, World.played(spelling, dealt, world.steps))
        for _ in range(4):
            steps = other_moves(world, dealt, seat, passed, random)
            if steps is not None and steps != world.steps:
                outcome.with_other_moves += 1
                outcome.compare(seat, world, World.played(spelling, dealt, steps))
    return outcome
