"""The parts that sentences are made of: cards, places, moves, times, boards, names of games."""

from collections.abc import Sequence

from client_cli.language import plural, say
from engine.moves import Area, Place, parse_move
from engine.sir_tommy import SirTommyView

SUIT_SIGNS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
EMPTY = "\N{EN DASH}"
BETWEEN = " · "


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
    }
    name, *options = spelling.split("+")
    title = titles.get(name, name)
    if options == ["redeal"]:
        return say("{game} with a redeal", game=title)
    return "+".join((title, *options))


def versus(names: Sequence[str]) -> str:
    """Ada against Bo."""
    if len(names) == 2:
        return say("{one} against {other}", one=names[0], other=names[1])
    return BETWEEN.join(names)


def place(where: str | Place) -> str:
    """p3 as pile 3."""
    if isinstance(where, str):
        where = Place(Area(where[0]), int(where[1:] or 0))
    if where.area is Area.PILE:
        return say("pile {number}", number=where.number)
    if where.area is Area.FOUNDATION:
        return say("foundation {number}", number=where.number)
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
    return say("{card} from {source} to {target}", **facts)


def file(name: str) -> str:
    """A file's name; - is standard input."""
    return say("standard input") if name == "-" else name


def tops(heaps: Sequence[Sequence[str]]) -> str:
    """The top card of each heap."""
    return " ".join(card(heap[-1]) if heap else EMPTY for heap in heaps)


def ranks(heaps: Sequence[Sequence[str]]) -> str:
    """The rank on top of each heap: suits do not matter on foundations."""
    return " ".join(heap[-1][:-1] if heap else EMPTY for heap in heaps)


def position(view: SirTommyView, count: int) -> str:
    """A board in one line."""
    parts = [] if view.hand is None else [say("{card} in hand", card=card(view.hand))]
    parts += [
        say("piles {tops}", tops=tops(view.piles)),
        say("foundations {ranks}", ranks=ranks(view.foundations)),
        say("count {count}", count=count),
        say("stock {stock}", stock=view.stock),
    ]
    if view.redeals:
        parts.append(say("redeal left"))
    return BETWEEN.join(parts)


def layout(view: SirTommyView, count: int, total: int) -> str:
    """A board with every card, a line for each place."""
    rows = [
        (say("Count"), say("{count} of {total}", count=count, total=total)),
        (say("Stock"), cards(view.stock)),
        (say("Hand"), card(view.hand) if view.hand else EMPTY),
    ]
    if view.redeals:
        rows.append((say("Redeal"), say("one left")))
    for name, heaps in ((say("Foundation {number}"), view.foundations), (say("Pile {number}"), view.piles)):
        rows += [
            (name.format(number=number), " ".join(map(card, heap)) or EMPTY)
            for number, heap in enumerate(heaps, start=1)
        ]
    return table(rows)


def table(rows: Sequence[Sequence[str]], indent: str = "  ") -> str:
    """Rows of texts below one another, all columns but the last padded."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)][:-1]
    lines = []
    for row in rows:
        padded = [text.ljust(width) for text, width in zip(row, widths, strict=False)]
        lines.append(indent + "  ".join((*padded, row[-1])).rstrip())
    return "\n".join(lines)
