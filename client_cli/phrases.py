"""The parts that sentences are made of: cards, places, moves, times, boards, names of games."""

from collections.abc import Iterable, Sequence
from functools import singledispatch

from client_cli.foreign import shown
from client_cli.language import Said, fill, joined, plural, say
from engine.forty_thieves import FortyThievesView
from engine.games import View
from engine.moves import Area, Place, parse_move
from engine.sir_tommy import SirTommyView
from engine.spelling import near

SUIT_SIGNS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
EMPTY = "\N{EN DASH}"
BETWEEN = " · "
WIDTH = 80
"""How long a line may get where there is a choice."""
LONGEST_FILE = 1000
"""Letters of a file's name that are shown: it is to be found by them."""


def card(text: str) -> str:
    """7h as 7♥."""
    return text[:-1] + SUIT_SIGNS.get(text[-1], text[-1])


def duration(milliseconds: int) -> str:
    """90000 as 1 min 30 s; a second that has begun counts."""
    minutes, seconds = divmod(-(-milliseconds // 1000), 60)
    if not minutes:
        return say("{seconds} s", seconds=seconds)
    if not seconds:
        return say("{minutes} min", minutes=minutes)
    return say("{minutes} min {seconds} s", minutes=minutes, seconds=seconds)


def cards(number: int) -> str:
    """The number of cards, in words."""
    return plural("{number} card", "{number} cards", number)


def game(spelling: str) -> str:
    """sir-tommy+redeal as Sir Tommy with a redeal."""
    titles = {
        "sir-tommy": say("Sir Tommy"),
        "strategy": say("Strategy"),
        "numerica": say("Numerica"),
        "calculation": say("Calculation"),
        "puss-in-the-corner": say("Puss in the Corner"),
        "forty-thieves": say("Forty Thieves"),
        "lucas": say("Lucas"),
        "limited": say("Limited"),
        "maria": say("Maria"),
        "josephine": say("Josephine"),
    }
    name, *options = spelling.split("+")
    title = titles.get(name, name)
    extras = {
        (): title,
        ("redeal",): say("{game} with a redeal", game=title),
        ("peek",): say("{game} with a look ahead", game=title),
        ("groups",): say("{game} with groups", game=title),
        ("peek", "groups"): say("{game} with a look ahead and groups", game=title),
    }
    return extras.get(tuple(options)) or shown("+".join((title, *options)))


def meant(text: str, names: Iterable[str]) -> str:
    """The question whether one of the names was meant that are near the text; empty if there are none."""
    found = joined(say(" or "), near(text, names))
    return say("Did you mean {names}?", names=found) if found else ""


def versus(names: Sequence[str]) -> str:
    """Ada against Bo."""
    if len(names) == 2:
        return say("{one} against {other}", one=names[0], other=names[1])
    return shown(BETWEEN.join(names))


def place(where: str | Place) -> str:
    """p3 as pile 3."""
    if isinstance(where, str):
        where = Place(Area(where[0]), int(where[1:] or 0))
    if where.area is Area.PILE:
        return say("pile {number}", number=where.number)
    if where.area is Area.FOUNDATION:
        return say("foundation {number}", number=where.number)
    if where.area is Area.COLUMN:
        return say("column {number}", number=where.number)
    if where.area is Area.WASTE:
        return say("the waste")
    return say("the hand")


def move(entry: str, moved: str | None) -> str:
    """A move of the card `moved`, in words."""
    parsed = parse_move(entry)
    if parsed.source.area is Area.STOCK:
        return say("turn the next card")
    if parsed.source.area is Area.NOWHERE:
        return say("gather the piles and deal them again")
    facts = {"card": card(moved or "??"), "source": place(parsed.source), "target": place(parsed.target)}
    if parsed.source.area is Area.HAND:
        return say("{card} to {target}", **facts)
    if parsed.cards > 1:
        return say("{cards}, {card} first, from {source} to {target}", cards=cards(parsed.cards), **facts)
    return say("{card} from {source} to {target}", **facts)


def file(name: str) -> str:
    """A file's name, which may be long; - is standard input."""
    if isinstance(name, Said):
        return name
    return say("standard input") if name == "-" else Said(shown(name, LONGEST_FILE))


def tops(heaps: Sequence[Sequence[str]]) -> str:
    """The top card of each heap."""
    return " ".join(card(heap[-1]) if heap else EMPTY for heap in heaps)


def ranks(heaps: Sequence[Sequence[str]]) -> str:
    """The rank on top of each heap: suits do not matter on foundations."""
    return " ".join(heap[-1][:-1] if heap else EMPTY for heap in heaps)


@singledispatch
def position(view: View, _count: int) -> str:
    """A board in short: one line, or as few as it takes."""
    raise TypeError(type(view))


@position.register
def _(view: SirTommyView, count: int) -> str:
    parts = [] if view.hand is None else [say("{card} in hand", card=card(view.hand))]
    parts += [
        say("piles {tops}", tops=tops(view.piles)),
        say("foundations {ranks}", ranks=ranks(view.foundations)),
        say("count {count}", count=count),
        say("stock {stock}", stock=view.stock),
    ]
    if view.redeals:
        parts.append(say("redeal left"))
    return joined(BETWEEN, parts)


@position.register
def _(view: FortyThievesView, count: int) -> str:
    """What could move, with how deep it lies, and what it could move to."""
    parts = [say("waste {top}", top=_heap(view.waste))]
    if view.peek is not None:
        parts.append(say("next {card}", card=card(view.peek)))
    parts += [
        say("foundations {tops}", tops=suits(view.foundations)),
        say("count {count}", count=count),
        say("stock {stock}", stock=view.stock),
    ]
    columns = [f"{number}:{_heap(cards)}" for number, cards in enumerate(view.columns, start=1)]
    return flow(parts, BETWEEN) + "\n" + flow(columns, "  ", indent="  ")


def _heap(cards: Sequence[str]) -> str:
    """The top card of a heap, and how many there are."""
    return f"{card(cards[-1])}({len(cards)})" if cards else EMPTY


def suits(foundations: Sequence[Sequence[str]]) -> str:
    """The ranks on two foundations for each suit: ♣5/A ♦9/9 ♥K/2 ♠3/A."""
    heights = [cards[-1][:-1] if cards else EMPTY for cards in foundations]
    pairs = zip(SUIT_SIGNS.values(), heights[::2], heights[1::2], strict=True)
    return " ".join(f"{sign}{first}/{second}" for sign, first, second in pairs)


def flow(parts: Sequence[str], between: str, *, indent: str = "", width: int = WIDTH) -> str:
    """Parts next to one another, on as many lines as it takes."""
    lines: list[str] = []
    for part in parts:
        if lines and len(lines[-1]) + len(between) + len(part) <= width:
            lines[-1] += between + part
        else:
            lines.append(indent + part)
    return "\n".join(lines)


@singledispatch
def layout(view: View, _count: int, _total: int) -> str:
    """A board with every card, a line for each place."""
    raise TypeError(type(view))


@layout.register
def _(view: SirTommyView, count: int, total: int) -> str:
    rows = [
        (say("Count"), say("{count} of {total}", count=count, total=total)),
        (say("Stock"), cards(view.stock)),
        (say("Hand"), card(view.hand) if view.hand else EMPTY),
    ]
    if view.redeals:
        rows.append((say("Redeal"), say("one left")))
    for name, heaps in ((say("Foundation {number}"), view.foundations), (say("Pile {number}"), view.piles)):
        rows += [
            (fill(name, number=number), " ".join(map(card, heap)) or EMPTY)
            for number, heap in enumerate(heaps, start=1)
        ]
    return table(rows)


@layout.register
def _(view: FortyThievesView, count: int, total: int) -> str:
    rows = [(say("Count"), say("{count} of {total}", count=count, total=total)), (say("Stock"), cards(view.stock))]
    if view.peek is not None:
        rows.append((say("Next"), card(view.peek)))
    rows.append((say("Foundations"), suits(view.foundations)))
    rows += _heap_rows(say("Waste"), view.waste)
    for number, heap in enumerate(view.columns, start=1):
        rows += _heap_rows(say("Column {number}", number=number), heap)
    return table(rows)


def _heap_rows(name: str, heap: Sequence[str]) -> list[tuple[str, str]]:
    """A heap with every card, on as many lines as it takes."""
    lines = flow([card(text) for text in heap] or [EMPTY], " ", width=WIDTH - 16).split("\n")
    return [(name if at == 0 else "", line) for at, line in enumerate(lines)]


def table(rows: Sequence[Sequence[str]], indent: str = "  ") -> str:
    """Rows of texts below one another, all columns but the last padded."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)][:-1]
    lines = []
    for row in rows:
        padded = [text.ljust(width) for text, width in zip(row, widths, strict=False)]
        lines.append(indent + "  ".join((*padded, row[-1])).rstrip())
    return "\n".join(lines)
