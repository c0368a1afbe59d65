"""What can be pressed: one table, which is both what the keys do and the help about them.

A row has its name in the settings file, its keys, a word for the bottom line, what it does, and when that has its time.
A key may stand in two rows whose times never meet, or in two of one name: those belong to different games, or tell of
different moves that the same key makes.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from string import ascii_lowercase
from typing import Any

from client_cli.language import say
from client_cli.words import Stage
from engine.games import Rules
from engine.moves import Way

PICKS = ("1", "2", "3", "4", "5", "6", "7", "8", "9", "0", "-", "=", "+")
"""The keys of piles and columns 1 to 13: the top row of a keyboard, and on."""
CONFIRMING = ("enter", "y", *ascii_lowercase, *(f"f{number}" for number in range(1, 13)))
"""The keys that may say yes to a question, the best one first."""


def _always(_face: Any) -> bool:
    return True


@dataclass(frozen=True)
class Key:
    """A row of the table. `do` is called with the face that is shown; `when` says whether it can be."""

    name: str
    keys: tuple[str, ...]
    label: str
    meaning: str
    do: Callable[[Any], None]
    stage: Stage = Stage.ANY
    when: Callable[[Any], bool] = _always
    waits: bool = False
    """Whether it waits for a card that was turned and has not been told yet."""
    sends: bool = False
    """Whether it is nothing without the server, as are all that wait for a card."""
    always_shown: bool = False
    """Whether the bottom line has room for it before all others."""
    ways: frozenset[Way] = frozenset()
    """The kinds of moves that it tells of: a game that lacks one of them has no such row."""
    unless: frozenset[Way] = frozenset()
    """And neither has a game with one of these."""

    def belongs_to(self, rules: Rules) -> bool:
        """Whether a game has this row."""
        return self.ways <= rules.ways and not self.unless & rules.ways


def _does(name: str, *arguments: object) -> Callable[[Any], None]:
    return lambda face: getattr(face, name)(*arguments)


def _ways(text: str) -> frozenset[Way]:
    return frozenset(text.split())


def _pick(number: int, key: str, meaning: str, ways: str, unless: str = "") -> Key:
    return Key(
        f"pick-{number}",
        (key,),
        say("pick"),
        meaning,
        _does("pick", number),
        Stage.RACE,
        lambda face: face.can_pick(number),
        waits=True,
        ways=_ways(ways),
        unless=_ways(unless),
    )


def _picks(meaning: str, ways: str, unless: str = "") -> list[Key]:
    return [_pick(number, key, meaning, ways, unless) for number, key in enumerate(PICKS, start=1)]


def _line(number: int, key: str) -> Key:
    return Key(
        f"pick-{number}",
        (key,),
        "",
        say("a line of the list"),
        _does("choose_line", number),
        when=lambda face: number <= len(face.matches),
    )


SHARED = (
    Key("help", ("h", "f1"), say("help"), say("these keys"), _does("toggle", "help"), always_shown=True),
    Key("quit", ("q",), say("quit"), say("leave; in a race you are asked first"), _does("ask_quit"), always_shown=True),
)
PLAYING = (
    Key("turn", ("space", "t"), say("turn"), say("turn the next card"),
        _does("turn"), Stage.RACE, lambda face: face.playing, waits=True, ways=_ways("t")),
    Key("turn", ("space", "t"), "", say("at the end of the stock, redeal"),
        _does("turn"), Stage.RACE, lambda face: face.playing, waits=True, ways=_ways("r")),
    *_picks(say("a pile: takes the card in hand, or sends its own up"), "hp pf", unless="pp"),
    *_picks(say("a pile: takes the card in hand; else where from, then where to"), "hp pf pp"),
    *_picks(say("a column: first where from, then where to"), "wc cc"),
    Key("foundation", ("f",), say("up"), say("up: the card in hand, or what fits of a pile"),
        _does("up"), Stage.RACE, lambda face: face.playing, waits=True, ways=_ways("hf pf"), unless=_ways("pp")),
    Key("foundation", ("f",), say("up"), say("up: the card in hand, or the one picked"),
        _does("up"), Stage.RACE, lambda face: face.playing, waits=True, ways=_ways("hf pf pp")),
    Key("foundation", ("f",), say("up"), say("up: the card picked, or the waste's"),
        _does("up"), Stage.RACE, lambda face: face.playing, waits=True, ways=_ways("wf cf")),
    Key("waste", ("w",), say("waste"), say("the top card of the waste"),
        _does("waste"), Stage.RACE, lambda face: face.playing and face.has_waste, waits=True,
        ways=_ways("wf wc")),
    Key("all-up", ("a",), say("all up"), say("send up all that fits, one after the other"),
        _does("all_up"), Stage.RACE, lambda face: face.playing, waits=True),
    Key("cancel", ("escape",), "", say("forget what was picked; close a window"), _does("cancel")),
    Key("moves", ("?",), say("moves"), say("the moves you can make now"),
        _does("toggle", "moves"), Stage.RACE, lambda face: face.playing),
    Key("panel", ("tab",), "", say("show or hide the panel of the race"), _does("toggle_panel"), Stage.RACE),
    Key("ready", ("enter",), say("ready"), say("be ready to race"),
        _does("ready"), Stage.BEFORE, lambda face: face.may_be_ready),
    Key("stand", ("s",), say("stand"), say("stop here, your count stands; you are asked first"),
        _does("ask_stand"), Stage.RACE, lambda face: face.playing, sends=True),
    Key("resign", ("x",), "", say("give the match up; you are asked first"),
        _does("ask_resign"), Stage.RACE, lambda face: face.playing, sends=True),
    Key("rematch", ("n", "enter"), say("rematch"), say("ask for a rematch, or agree to one"),
        _does("rematch"), Stage.AFTER, lambda face: face.can_rematch, sends=True),
    *SHARED,
)  # fmt: skip
WATCHING = (
    Key("next", ("n", "right"), say("next match"), say("watch the next match of the list"), _does("go", "next")),
    Key("list", ("l", "escape"), say("list"), say("back to the list of matches"), _does("go", "list")),
    *SHARED,
)
CHOOSING = (
    Key("up", ("up", "k"), say("up"), say("one line up"), _does("step", -1)),
    Key("down", ("down", "j"), say("down"), say("one line down"), _does("step", 1)),
    *(_line(number, key) for number, key in enumerate(PICKS, start=1)),
    Key("watch", ("enter",), say("watch"), say("watch this match"), _does("choose"),
        when=lambda face: bool(face.matches)),
    *SHARED,
)  # fmt: skip
TABLES = (PLAYING, WATCHING, CHOOSING)

SPELLED = {
    "space": say("Space"),
    "enter": say("Enter"),
    "escape": say("Esc"),
    "tab": say("Tab"),
    "up": "↑",
    "down": "↓",
}


def spelled(key: str) -> str:
    """A key as people read it."""
    return SPELLED.get(key) or (key if len(key) == 1 else key.title())


def names() -> list[str]:
    """Every action a key can be chosen for."""
    return list(dict.fromkeys(row.name for table in TABLES for row in table))


def rebound(table: Sequence[Key], chosen: Mapping[str, tuple[str, ...]]) -> tuple[Key, ...]:
    """The table with the keys that a user has chosen for some of its actions."""
    return tuple(replace(row, keys=chosen.get(row.name, row.keys)) for row in table)


def confirming(rows: Iterable[Key]) -> str:
    """The key that says yes where these rows can be pressed: one that does nothing else there, however fast it comes."""
    bound = {key for row in rows for key in row.keys}
    return next((key for key in CONFIRMING if key not in bound), "")


def clashes(chosen: Mapping[str, tuple[str, ...]]) -> list[tuple[str, str, str]]:
    """The chosen keys that mean two things at one time: the action, the key, and the other action."""
    found = []
    for table in TABLES:
        rows = rebound(table, chosen)
        for row in rows:
            for other in rows:
                both = set(row.keys) & set(other.keys) if _meet(row, other) and row.name in chosen else ()
                found += [(row.name, key, other.name) for key in both]
    return found


def _meet(row: Key, other: Key) -> bool:
    return row.name != other.name and (row.stage is other.stage or Stage.ANY in (row.stage, other.stage))


@dataclass(frozen=True)
class _Racer:
    """Stands for the face of a player in a race, for whom every key has its time that the game has a use for."""

    places: int
    has_waste: bool = True
    playing: bool = True
    may_be_ready: bool = True
    can_rematch: bool = True

    def can_pick(self, number: int) -> bool:
        return number <= self.places


def of_game(rows: Iterable[Key], rules: Rules) -> tuple[Key, ...]:
    """The rows that a game has. Those of more places than it has are among them: their keys answer questions, too."""
    return tuple(row for row in rows if row.belongs_to(rules))


def of_a_race(rows: Iterable[Key], rules: Rules) -> list[Key]:
    """The rows that a player in this game has a use for, of places only those that there are."""
    return [row for row in of_game(rows, rules) if row.when(_Racer(rules.piles or rules.columns))]


def helped(rows: Iterable[Key]) -> list[tuple[str, str]]:
    """The keys and what they do; rows that do the same are one."""
    meanings: dict[str, list[str]] = {}
    for row in rows:
        meanings.setdefault(row.meaning, []).extend(map(spelled, row.keys))
    return [(" ".join(_shorter(keys)), meaning) for meaning, keys in meanings.items()]


def _shorter(keys: list[str]) -> list[str]:
    """Keys for people: a row of digits is told by its ends."""
    digits = [key for key in keys if key in PICKS[:9]]
    return [f"{digits[0]}…{digits[-1]}", *keys[len(digits) :]] if len(digits) > 2 else keys


def hints(rows: Iterable[Key]) -> list[tuple[str, str]]:
    """The bottom line: the first key of what can be done now, and a word for it; a row of keys as its two ends."""
    labels: dict[str, list[str]] = {}
    for row in rows:
        if row.label and row.keys:
            labels.setdefault(row.label, []).append(spelled(row.keys[0]))
    return [(keys[0] if len(keys) == 1 else f"{keys[0]}…{keys[-1]}", label) for label, keys in labels.items()]
