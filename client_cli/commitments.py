"""What everybody is bound to before the cards are known, and whether the server still says so later.

A host that could change a commitment, or come with one only when it knows the other nonces, could choose the cards: so a
nonce is revealed only when all three are there, and every state that is shown after that has to show the same.
"""

import re
from collections.abc import Iterator

from client_cli.comparing import unhex
from client_cli.possible import PLAYERS
from client_cli.receipt import OPEN, Agreed, Committed, Receipt, Sits
from engine.deal import commitment, nonce_commitment
from protocol.messages import MatchState

_HASH = re.compile("[0-9a-f]{64}", re.ASCII)


def agreed(state: MatchState, receipt: Receipt) -> Iterator[str]:
    """What does not fit in the terms of a match, and in who plays it. What is seen for the first time is kept."""
    terms = Agreed(state.clock, state.grace)
    if receipt.agreed not in (None, terms):
        yield "terms"
    receipt.note(terms)
    for seat, info in enumerate(state.seats):
        player = Sits(seat, info.name, info.bot, info.level)
        if receipt.players.get(seat, player) != player or (receipt.bound and seat not in receipt.commitments):
            yield "seat"
        else:
            receipt.note(player)


def watched(state: MatchState, receipt: Receipt, you: int | None) -> Iterator[str]:
    """What does not fit in the commitments that a state shows. Those that are seen for the first time are kept.

    Once all are bound nobody else may come: whoever did could choose a nonce that makes the cards good.
    """
    yield from _server(state, receipt)
    bound = state.state not in (*OPEN, "aborted")
    were_bound = receipt.bound
    seats = [seat.nonce_commitment for seat in state.seats]
    seats += [None] * (PLAYERS - len(seats) if bound else 0)
    for seat, shown in enumerate(seats):
        mine = seat == you and receipt.nonce is not None
        kept = receipt.commitments.get(seat)
        if not _is_hash(shown):
            if bound or kept is not None or shown is not None:
                yield "own-commitment" if mine else "nonce-commitment-missing"
        elif mine and receipt.nonce is not None and shown != nonce_commitment(receipt.nonce, state.match, seat):
            yield "own-commitment"
        elif kept is None and were_bound:
            yield "seat"
        elif kept is None:
            receipt.note(Committed(shown or "", state.state, seat))
        elif kept.commitment != shown:
            yield "nonce-commitment-changed"
    given = [shown for shown in seats if shown is not None]
    if len(set(given)) < len(given):
        yield "same-commitment"


def _server(state: MatchState, receipt: Receipt) -> Iterator[str]:
    """The server's commitment."""
    kept = receipt.commitments.get(None)
    if not _is_hash(state.commitment):
        yield "commitment-missing"
    elif kept is None:
        receipt.note(Committed(state.commitment, state.state))
    elif kept.commitment != state.commitment:
        yield "commitment-changed"


def opened(state: MatchState, receipt: Receipt, game: str, you: int | None) -> Iterator[str]:
    """What does not fit in the nonces and the secret that a state reveals: each has to be what its commitment was made from."""
    kept = {seat: note.commitment for seat, note in receipt.commitments.items()}
    over = state.state == "over"
    for seat, info in enumerate(state.seats):
        nonce = unhex(info.nonce)
        if (info.nonce is not None or over) and nonce_commitment(nonce, state.match, seat) != kept.get(seat):
            yield "nonce"
        if seat == you and info.nonce is not None and receipt.nonce not in (None, nonce):
            yield "own-nonce"
    if (state.secret is not None or over) and commitment(unhex(state.secret), state.match, game) != kept.get(None):
        yield "secret"


def _is_hash(shown: str | None) -> bool:
    return shown is not None and _HASH.fullmatch(shown) is not None
