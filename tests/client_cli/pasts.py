"""Past matches for tests, in few words."""

from engine.result import PLACES_OF_TWO, Reason, Result
from protocol.messages import MATCH_LETTERS, PastMatch, Side

NOON = 1_767_268_800_000


def past(number: int, score: str, *, game: str = "sir-tommy", you: int = 0, rival: str = "Bo") -> PastMatch:
    """A match, from its player's side: "31-28" is won, "28-31" lost, "left" aborted."""
    own, _, other = score.partition("-")
    raced = own.isdecimal()
    counts = (int(own), int(other)) if raced else (0, 0)
    winner = None if counts[0] == counts[1] else you if counts[0] > counts[1] else 1 - you
    seats = [Side(name="Ada", tag="00ad", count=counts[0]), Side(name=rival, tag="00b0", count=counts[1])]
    return PastMatch(
        match="abcdef" + MATCH_LETTERS[number // len(MATCH_LETTERS)] + MATCH_LETTERS[number % len(MATCH_LETTERS)],
        game=game,
        ended=NOON - 60_000 * number,
        you=you,
        seats=seats[::-1] if you else seats,
        result=Result(winner, Reason.DRAW if winner is None else Reason.COUNT, PLACES_OF_TWO[winner])
        if raced
        else None,
        aborted=None if raced else score,
    )
