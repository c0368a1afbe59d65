"""A board on the canvas. How it is laid out follows from the board and the room there is, never from a game's name."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import singledispatch

from client_cli.language import say
from client_cli.naming import heap
from client_cli.phrases import EMPTY, SUIT_SIGNS, card
from client_cli.screen.canvas import Area, Canvas
from client_cli.screen.heaps import Row, collapsed, packed
from engine.board import Board
from engine.cards import RANKS, card_text
from engine.cards import Card as CardNumber
from engine.forty_thieves import FortyThievesBoard
from engine.moves import HAND, WASTE, Place, column, foundation, pile
from engine.moves import Area as Kind
from engine.sir_tommy import SirTommyBoard

SUITS = {"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"}
STOCK = Place(Kind.STOCK)


@dataclass(frozen=True)
class Marks:
    """What stands out on a board, and the keys that name its piles and columns."""

    picked: Place | None = None
    targets: frozenset[Place] = frozenset()
    fresh: Place | None = None
    keys: Sequence[str] = field(default_factory=tuple)
    waste: str = ""
    """The key of the waste."""

    def role(self, place: Place) -> str:
        """How a card at this place stands out."""
        if place == self.picked:
            return "picked"
        return "fresh" if place == self.fresh else ""

    def around(self, place: Place, text: str) -> tuple[str, str]:
        """A label with signs around it that say the same as the colours, and its role."""
        if place == self.picked:
            return f"[{text}]", "picked"
        return (f"({text})", "target") if place in self.targets else (text, "key" if text else "")

    def key(self, number: int) -> str:
        """What to press for a pile or column."""
        return self.keys[number - 1] if number <= len(self.keys) else str(number)


def suit_role(text: str) -> str:
    """The role of a card's colour."""
    return SUITS.get(text[-1:], "")


def narrowest(board: Board) -> int:
    """How wide the area has to be at least for all that lies side by side."""
    numbers = range(1, 14)
    return 36 + 4 * max(0, sum(heap(board, column(number)) is not None for number in numbers) - 9)


@singledispatch
def draw_board(board: Board, _canvas: Canvas, _area: Area, _marks: Marks) -> None:
    """Draw a board into an area."""
    raise TypeError(type(board))


@draw_board.register
def _(board: SirTommyBoard, canvas: Canvas, area: Area, marks: Marks) -> None:
    pitch = min(8, area.width // 6)
    hand = None if board.hand is None else card_text(board.hand)
    _stock(canvas, Area(area.x, area.y, 6, 3), board.stock)
    in_hand = Area(area.x + pitch, area.y, 6, 3)
    _card(canvas, in_hand, hand, marks.role(HAND) or "top")
    canvas.put_in(Area(in_hand.x, area.y + 3, 6, 1), say("hand"), "dim" if hand is None else "strong", align="^")
    if board.redeals_left:
        canvas.put_in(Area(area.x + 1, area.y + 2, 4, 1), "↻", "key", align="^")
    canvas.claim(in_hand, HAND)
    start = area.x + area.width - 3 * pitch - 7
    for number, cards in enumerate(board.foundations, start=1):
        place = Area(start + (number - 1) * pitch, area.y, 6, 3)
        _foundation(canvas, place, foundation(number), cards, board.next_rank(number), marks)
    wide, below = min(20, area.width // 4), area.y + 5
    for number, cards in enumerate(board.piles, start=1):
        there = Area(
            area.x + (number - 1) * wide,
            below,
            min(wide - 2, 14) if wide > 9 else wide - 1,
            area.y + area.height - below,
        )
        rows = packed(cards, there.height - 2, there.width - 2)
        _pile(canvas, there, pile(number), rows, len(cards), marks)


def _pile(canvas: Canvas, area: Area, place: Place, rows: Sequence[Row], deep: int, marks: Marks) -> None:
    """A pile with its key above, and its depth beside that where it is worth a word."""
    label, role = marks.around(place, marks.key(place.number))
    canvas.put_in(Area(area.x, area.y - 1, area.width, 1), label, role, align="^")
    if deep > 1:
        canvas.put_in(Area(area.x, area.y - 1, area.width, 1), f"x{deep}", "dim", align=">")
    canvas.claim(Area(area.x, area.y - 1, area.width, area.height + 1), place)
    if not rows:
        canvas.box(Area(area.x, area.y, area.width, 3), "empty")
        return
    canvas.box(Area(area.x, area.y, area.width, len(rows) + 2), "face")
    for at, row in enumerate(rows, start=1):
        last = at == len(rows)
        line = Area(area.x + 1, area.y + at, area.width - 2, 1)
        canvas.fill(line, f"face {marks.role(place)}" if last else "face old")
        if row.card is None:
            canvas.put_in(line, row.text, "face old")
        else:
            role = f"face {suit_role(row.card)} " + (f"top {marks.role(place)}" if last else "old")
            canvas.put_in(line, f"{card(row.card):>3}", role, align="^")


@draw_board.register
def _(board: FortyThievesBoard, canvas: Canvas, area: Area, marks: Marks) -> None:
    top = _roomy_top if area.width >= 50 and area.height >= 12 else _narrow_top
    keys = area.y + top(board, canvas, area, marks)
    pitch = min(7, area.width // len(board.columns))
    wide = 5 if pitch > 5 else 3
    start = area.x + (area.width - pitch * len(board.columns)) // 2
    for number, cards in enumerate(board.columns, start=1):
        x, place = start + (number - 1) * pitch, column(number)
        there = Area(x, keys + 1, wide, area.y + area.height - keys - 1)
        label, role = marks.around(place, marks.key(number))
        canvas.put_in(Area(x, keys, wide, 1), label, role, align="^")
        canvas.claim(Area(x, keys, pitch, there.height + 1), place)
        if not cards:
            canvas.put(x, keys + 1, EMPTY.center(wide), "empty")
        rows = collapsed(cards, there.height, board.rules.builds)
        for at, row in enumerate(rows):
            if row.card is None:
                canvas.put(x, there.y + at, f"{row.text:>3}".center(wide), "dim")
                continue
            last = at == len(rows) - 1
            mark = f"top {marks.role(place)}" if last else "old"
            canvas.put(x, there.y + at, f"{card(row.card):>3}".center(wide), f"face {suit_role(row.card)} {mark}")


def _roomy_top(board: FortyThievesBoard, canvas: Canvas, area: Area, marks: Marks) -> int:
    """Stock, waste and foundations as cards. Returns how many lines they take."""
    pitch = min(6, (area.width - 2) // 10)
    _stock(canvas, Area(area.x, area.y, 5, 3), board.stock, board.peek)
    waste = Area(area.x + 6, area.y, 5, 3)
    _card(canvas, waste, card_text(board.waste[-1]) if board.waste else None, marks.role(WASTE) or "top")
    label, role = marks.around(WASTE, marks.waste)
    canvas.put_in(Area(waste.x, area.y + 3, 5, 1), label, role)
    if board.waste and marks.picked != WASTE:
        canvas.put_in(Area(waste.x, area.y + 3, 5, 1), f"x{len(board.waste)}", "dim", align=">")
    canvas.claim(Area(waste.x, area.y, 5, 4), WASTE)
    start = area.x + area.width - 7 * pitch - 6
    for number, cards in enumerate(board.foundations, start=1):
        there = Area(start + (number - 1) * pitch, area.y, 5, 3)
        sign = list(SUIT_SIGNS.values())[(number - 1) // 2]
        _foundation(canvas, there, foundation(number), cards, board.next_rank(number), marks, sign)
    return 4


def _narrow_top(board: FortyThievesBoard, canvas: Canvas, area: Area, marks: Marks) -> int:
    """The same in a line of text, or in two."""
    x = canvas.put(area.x + 1, area.y, say("stock {stock}", stock=board.stock) + "   ")
    x = canvas.put(x, area.y, say("waste {top}", top="").strip() + " ")
    if board.waste:
        text = card_text(board.waste[-1])
        x = canvas.put(x, area.y, f"{card(text):>3}", f"face {suit_role(text)} top {marks.role(WASTE)}")
        x = canvas.put(x, area.y, f" x{len(board.waste)}", "dim")
    else:
        x = canvas.put(x, area.y, EMPTY, "empty")
    lines = 1 if area.width > 70 else 2
    x = area.x if lines == 2 else area.x + area.width - 4 * 10
    for at, sign in enumerate(SUIT_SIGNS.values()):
        first, second = (_height(board.foundations[2 * at + side]) for side in (0, 1))
        x = canvas.put(x, area.y + lines - 1, f" {sign} ", f"face {list(SUITS.values())[at]}")
        x = canvas.put(x, area.y + lines - 1, f" {first}/{second}".ljust(7), "strong")
    return lines


def _height(cards: Sequence[CardNumber]) -> str:
    return card_text(cards[-1])[:-1] if cards else EMPTY


def _stock(canvas: Canvas, area: Area, cards: int, peek: str | None = None) -> None:
    """The stock with the number of its cards, or with the card on top where that may be seen."""
    canvas.box(area, "back" if cards else "empty")
    canvas.put_in(area.inner(), f"{cards:>2}", "back strong" if cards else "empty", align="^")
    if peek is None:
        canvas.put_in(Area(area.x, area.y + 3, area.width, 1), say("stock"), "dim", align="^")
    else:
        canvas.put_in(Area(area.x, area.y + 3, area.width, 1), f"{card(peek):>3}", f"face {suit_role(peek)}", align="^")
    canvas.claim(Area(area.x, area.y, area.width, 4), STOCK)


def _card(canvas: Canvas, area: Area, text: str | None, role: str) -> None:
    """One card, lying alone; a card not seen yet lies face down."""
    if text is None:
        canvas.box(area, "empty")
    elif text == "??":
        canvas.box(area, "back")
        canvas.put_in(area.inner(), "░░░"[: area.width - 2], "back", align="^")
    else:
        canvas.box(area, f"face {role}")
        canvas.put_in(area.inner(), f"{card(text):>3}", f"face {suit_role(text)} {role}", align="^")


def _foundation(
    canvas: Canvas,
    area: Area,
    place: Place,
    cards: Sequence[CardNumber],
    needs: int | None,
    marks: Marks,
    sign: str = "",
) -> None:
    """A foundation with its top card, and below it what it takes next."""
    _card(canvas, area, card_text(cards[-1]) if cards else None, marks.role(place))
    if not cards and sign:
        canvas.put_in(area.inner(), sign, "empty", align="^")
    label, role = marks.around(place, RANKS[needs - 1] if needs else "")
    below = Area(area.x, area.y + 3, area.width, 1)
    if place in marks.targets:
        canvas.put_in(below, label, role, align="^")
    elif needs:
        x = canvas.put(area.x + area.width // 2 - 1, below.y, "→", "dim")
        canvas.put(x, below.y, label, "strong")
    else:
        canvas.put_in(below, "●", "good", align="^")
    canvas.claim(Area(area.x, area.y, area.width, 4), place)


def draw_waste(board: Board, canvas: Canvas, area: Area) -> None:
    """The cards of the waste below its top card, the newest first, as far as there is room."""
    cards = list(reversed(heap(board, WASTE) or ()))[1:]
    across = area.width // 4
    if not cards or area.height < 2:
        return
    canvas.put_in(area, say("below on the waste"), "dim")
    for at, number in enumerate(cards[: across * (area.height - 1)]):
        text = card_text(number)
        x, y = area.x + 4 * (at % across), area.y + 1 + at // across
        canvas.put(x, y, f"{card(text):>3}", f"face {suit_role(text)} old")
