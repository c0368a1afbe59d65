"""Past matches for tests, in few words."""

from engine.result import PLACES_OF_TWO, Reason, Result
from protocol.messages import MATCH_LETTERS, PastMatch, Side

NOON = 1_767_268_800_000
WHOLE = {48, 52, 104}
"""What a solved board counts."""


def past(number: int, score: str, *, game: str = "sir-tommy", you: int = 0, rival: str = "Bo") -> PastMatch:
    """A match, from its player's side: "31-28" is won, "28-31" lost, "left" aborted.

    "31x-28" was resigned by the player, "31-28x" by the rival.
    """
    own, _, other = score.partition("-")
    resigned = next((seat for seat, text in ((you, own), (1 - you, other)) if text.endswith("x")), None)
    own, other = own.removesuffix("x"), other.removesuffix("x")
    raced = own.isdecimal()
    counts = (int(own), int(other)) if raced else (0, 0)
    winner = None if counts[0] == counts[1] else you if counts[0] > counts[1] else 1 - you
    reason = Reason.DRAW if winner is None else Reason.SOLVED if WHOLE & {*counts} else Reason.COUNT
    if resigned is not None:
        winner, reason = 1 - resigned, Reason.RESIGNED
    seats = [Side(name="Ada", tag="00ad", count=counts[0]), Side(name=rival, tag="00b0", count=counts[1])]
    return PastMatch(
        match="abcdef" + MATCH_LETTERS[number // len(MATCH_LETTERS)] + MATCH_LETTERS[number % len(MATCH_LETTERS)],
        game=game,
        ended=NOON - 60_000 * number,
        you=you,
        seats=seats[::-1] if you else seats,
        result=Result(winner, reason, PLACES_OF_TWO[winner]) if raced else None,
        aborted=None if raced else score,
    )
