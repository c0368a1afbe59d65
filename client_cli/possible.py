"""Which states a match can have: a server may say anything, and what follows relies on these."""

from msgspec.structs import replace

from client_cli.troubles import ClientError, Garbled, StrangeGame
from engine.errors import UnknownGame
from engine.games import variant
from engine.result import MOST_SEATS
from protocol.messages import MatchState

PLAYERS = 2
"""How many play in a match that this client can show."""
STATES = ("waiting", "seated", "revealing", "countdown", "playing", "over", "aborted")


def is_possible(state: MatchState) -> bool:
    """Whether a match can be in this state, whatever came before."""
    seats = len(state.seats)
    fewest = {"waiting": 1, "aborted": 0}.get(state.state, PLAYERS)
    if state.state not in STATES or not fewest <= seats <= MOST_SEATS:
        return False
    if state.you is not None and not 0 <= state.you < seats:
        return False
    result = state.result
    if result is None or state.state == "aborted":
        return True
    return (result.winner is None or result.winner < seats) and len(result.places) in (0, seats)


def without_strangers(state: MatchState) -> MatchState:
    """The same as if nobody had come to sit in a match of two."""
    result = state.result
    if result is not None:
        winner = result.winner if result.winner is not None and result.winner < PLAYERS else None
        result = replace(result, winner=winner, places=result.places[:PLAYERS])
    return replace(state, seats=state.seats[:PLAYERS], result=result)


def check_state(state: MatchState) -> None:
    """Raises `ClientError` for a state that no match can have, or of a game that this version does not know."""
    if not is_possible(state) or len(state.seats) > PLAYERS:
        raise ClientError(Garbled("bad-state"))
    try:
        variant(state.game)
    except UnknownGame:
        raise ClientError(StrangeGame(state.match, state.game)) from None
