"""What players are called on the user's screen.

Who is a bot is told by what the server says of it, never by its name: anybody may be named House bot.
"""

from collections.abc import Sequence

from client_cli.language import say
from protocol.messages import Level, SeatInfo

MARK = "[bot"
"""How the mark of a bot begins, in every language."""


def house_name(level: Level) -> str:
    """The name of a house bot of this level."""
    return _house_names()[level]


def called(name: str, bot: str | bool | None = None, level: Level | None = None) -> str:
    """What somebody is called: a house bot by its level, another bot by its name with a mark, a person by name.

    `bot` is the program that plays, or whether any does, where there is no room for more. A person who goes by the name of
    a house bot, or by one with such a mark in it, has it in quotation marks.
    """
    if level is not None:
        return house_name(level)
    if isinstance(bot, str):
        return say("{name} [bot {program}]", name=name, program=bot)
    if bot:
        return say("{name} [bot]", name=name)
    taken = (house.casefold() for house in _house_names().values())
    return f'"{name}"' if name.casefold() in taken or MARK in name.casefold() else name


def seat_names(seats: Sequence[SeatInfo]) -> list[str]:
    """What the players of a match are called, with their tags where that alone would not do."""
    names = [called(seat.name, seat.bot, seat.level) for seat in seats]
    if len(set(names)) == len(names):
        return names
    return [f"{name} ({seat.tag})" for name, seat in zip(names, seats, strict=True)]


def _house_names() -> dict[Level, str]:
    return {"easy": say("Easy house bot"), "normal": say("House bot"), "strong": say("Strong house bot")}
