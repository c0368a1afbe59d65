"""The house bots' names in the user's language: the server sends English ones, mostly with the bot's level."""

from msgspec.structs import replace

from client_cli.language import say
from protocol.messages import AnyServerMessage, Level, MatchState, SeatInfo

ENGLISH: dict[Level, str] = {"easy": "Easy house bot", "normal": "House bot", "strong": "Strong house bot"}
"""What the server calls them."""


def house_name(level: Level) -> str:
    """The name of a house bot of this level."""
    return {"easy": say("Easy house bot"), "normal": say("House bot"), "strong": say("Strong house bot")}[level]


def known(name: str) -> str:
    """The name of a house bot where no level comes with it, as in lists; any other is as it was."""
    return next((house_name(level) for level, english in ENGLISH.items() if english == name), name)


def renamed(message: AnyServerMessage) -> AnyServerMessage:
    """A match, its house bots with their names in the user's language; any other message is as it was."""
    return seated(message) if isinstance(message, MatchState) else message


def seated(state: MatchState) -> MatchState:
    """A match, its house bots with their names in the user's language."""
    return replace(state, seats=[_renamed(seat) for seat in state.seats])


def _renamed(seat: SeatInfo) -> SeatInfo:
    return seat if seat.bot is None else replace(seat, name=house_name(seat.bot))
