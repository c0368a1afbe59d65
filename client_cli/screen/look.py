"""How the full screen looks and behaves: the user's choices, and the paint for each role."""

from dataclasses import dataclass
from functools import cache

from rich.style import Style


@dataclass(frozen=True)
class Look:
    """What the user can choose, in the settings file and on the command line."""

    ascii: bool = False
    color: bool = True
    four_colors: bool = False
    light: bool = False
    animation: bool = True
    bell: bool = True
    keys: bool = True
    auto: bool = False


SIGNS = str.maketrans("♣♦♥♠╭╮╰╯─│█░·\N{EN DASH}…⋮→↑↓↻●○", "cdhs++++-|#.--~:>^v@*o")
"""What stands for the signs on a terminal, or before a user, that has letters only."""

_DARK = {
    "": "#d8e4dc on #12291f",
    "bar": "#c8d8ce on #1b3b2d",
    "title": "bold #ffffff on #1b3b2d",
    "line": "#3d6350",
    "dim": "#7fa08e",
    "strong": "bold #ffffff",
    "good": "bold #8ee59b",
    "bad": "bold #ffb36b",
    "key": "bold #ffd75f",
    "own": "#8ee59b",
    "rival": "#7ab8ff",
    "rest": "#3d6350",
    "back": "#8fb8ff on #25406b",
    "empty": "#7fa08e",
    "face": "#1a1a1a on #f2eee0",
    "old": "on #e0dccd",
    "clubs": "#1a1a1a",
    "spades": "#1a1a1a",
    "diamonds": "#b01010",
    "hearts": "#b01010",
    "top": "bold",
    "fresh": "bold on #fff3a8",
    "picked": "bold #1a1a1a on #ffd75f",
    "target": "bold #8ee59b",
    "window": "#e8f0ea on #24483a",
}
_LIGHT = _DARK | {
    "": "#1c2b23 on #dcebe0",
    "bar": "#1c2b23 on #bcd6c4",
    "title": "bold #000000 on #bcd6c4",
    "line": "#7b9a87",
    "dim": "#46604f",
    "strong": "bold #000000",
    "good": "bold #0b6b22",
    "bad": "bold #8a3200",
    "key": "bold #8a3c00",
    "own": "#0b6b22",
    "rival": "#1b4f9c",
    "rest": "#7b9a87",
    "back": "#1b3d73 on #c4d5ee",
    "empty": "#46604f",
    "face": "#1a1a1a on #ffffff",
    "old": "on #eef0ea",
    "target": "bold #0b6b22",
    "window": "#1c2b23 on #f4faf5",
}
_FOUR = {"clubs": "#0b5a27", "diamonds": "#1a44b0"}
_NONE = {
    "title": "bold",
    "strong": "bold",
    "good": "bold",
    "bad": "bold",
    "key": "bold",
    "top": "bold",
    "fresh": "bold underline",
    "picked": "reverse",
    "target": "bold",
    "dim": "",
}
"""Without colours: weight and reversal only, and nothing faint."""


@cache
def style(look: Look, roles: str) -> Style:
    """How letters of these roles are painted."""
    paints = _NONE if not look.color else (_LIGHT if look.light else _DARK) | (_FOUR if look.four_colors else {})
    return Style.combine(Style.parse(paints.get(role, "")) for role in ("", *roles.split()))
