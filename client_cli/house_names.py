"""The house bots' names in the user's language: the server sends English ones, mostly with the bot's level."""

from msgspec.structs import replace

from client_cli.language import say
from protocol.messages import AnyServerMessage, Level, MatchState, SeatInfo


def house_name(level: Level) -> str:
    """The name of a house bot of this level."""
    return {"easy": say("Easy house bot"), "normal": say("House bot"), "strong": say("Strong house bot")}[level]


def side_name(name: str, level: Level | None) -> str:
    """The name of somebody in a list: that of a house bot in the user's language; any other is as it was."""
    return name if level is None else house_name(level)


def renamed(message: AnyServerMessage) -> AnyServerMessage:
    """A match, its house bots with their names in the user's language; any other message is as it was."""
    return seated(message) if isinstance(message, MatchState) else message


def seated(state: MatchState) -> MatchState:
    """A match, its house bots with their names in the user's language."""
    return replace(state, seats=[_renamed(seat) for seat in state.seats])


def _renamed(seat: SeatInfo) -> SeatInfo:
    return replace(seat, name=side_name(seat.name, seat.level))
