"""Which states a match can have: a server may say anything, and what follows relies on these."""

from client_cli.troubles import ClientError, Garbled, StrangeGame
from engine.errors import UnknownGame
from engine.games import variant
from protocol.messages import MatchState

STATES = ("waiting", "seated", "revealing", "countdown", "playing", "over", "aborted")
PLAYERS = 2


def is_possible(state: MatchState) -> bool:
    """Whether a match of two can be in this state, whatever came before."""
    seats = len(state.seats)
    fewest = {"waiting": 1, "aborted": 0}.get(state.state, PLAYERS)
    if state.state not in STATES or not fewest <= seats <= PLAYERS:
        return False
    if state.you is not None and not 0 <= state.you < seats:
        return False
    result = state.result
    if result is None or state.state == "aborted":
        return True
    return (result.winner is None or result.winner < seats) and len(result.places) in (0, seats)


def check_state(state: MatchState) -> None:
    """Raises `ClientError` for a state that no match can have, or of a game that this version does not know."""
    if not is_possible(state):
        raise ClientError(Garbled("bad-state"))
    try:
        variant(state.game)
    except UnknownGame:
        raise ClientError(StrangeGame(state.match, state.game)) from None
