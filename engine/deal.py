"""The deal: cards that neither the server nor a player could choose (docs/fairness.md has test vectors).

1. The server draws a secret and publishes its commitment when the match is created.
2. Each player draws a nonce and commits to it; when all have committed, all reveal.
3. Secret, nonces and match give one key, and the key gives both shuffles.
4. The secret is published when the match is over, so that anyone can repeat all of it.

Nobody can steer the cards: the server is bound before the nonces exist, each player before seeing the others'. Where
nobody is there to draw a nonce, the secret alone gives the key, and whoever drew it could choose the cards.
Texts are hashed in UTF-8. Several values hashed together are each preceded by their length in four bytes, so
that no two different lists of values look alike.
"""

import hashlib
import hmac
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from engine.cards import Card

DEAL_VERSION = "1"
SECRET_BYTES = 32
NONCE_BYTES = 16


class Deal(NamedTuple):
    """The shuffled order of a game's cards, and the second shuffle, which orders a redeal.

    `first[0]` is at deal position 1; `second[0]` is at deal position `len(first) + 1`.
    """

    first: tuple[Card, ...]
    second: tuple[Card, ...]


def joined(*values: bytes | str) -> bytes:
    """Several values as one text to be hashed or signed: no two different lists give the same."""
    parts = [value.encode() if isinstance(value, str) else value for value in values]
    return b"".join(len(part).to_bytes(4, "big") + part for part in parts)


def commitment(secret: bytes, match: str, game: str) -> str:
    """What the server publishes before anyone else has chosen anything, as 64 hex digits.

    `game` is the full spelling with its options, such as "sir-tommy+redeal".
    """
    text = joined("tommy-race commitment", secret, match, game, DEAL_VERSION)
    return hashlib.sha256(text).hexdigest()


def nonce_commitment(nonce: bytes, match: str, seat: int) -> str:
    """What the player in `seat` (0, 1 ...) sends before the nonce itself, as 64 hex digits.

    The seat is part of it, so that a player cannot repeat another's commitment and later the other's nonce.
    """
    return hashlib.sha256(joined("tommy-race nonce", nonce, match, str(seat))).hexdigest()


def shuffle(cards: Sequence[Card], key: bytes, label: str) -> tuple[Card, ...]:
    """Fisher and Yates's shuffle, from the last place down, each place drawn without bias.

    The draws are four-byte big-endian numbers from SHAKE-256 over key and label; a number in the last, incomplete
    run of multiples is passed over.
    """
    shuffled = list(cards)
    numbers = _numbers(joined(key, label))
    for last in range(len(shuffled) - 1, 0, -1):
        choices = last + 1
        fair = (1 << 32) // choices * choices
        number = next(number for number in numbers if number < fair)
        chosen = number % choices
        shuffled[last], shuffled[chosen] = shuffled[chosen], shuffled[last]
    return tuple(shuffled)


def _numbers(seed: bytes) -> Iterator[int]:
    stream = hashlib.shake_256(seed)
    length, start = 1024, 0
    while True:
        chunk = stream.digest(length)
        for at in range(start, length, 4):
            yield int.from_bytes(chunk[at : at + 4], "big")
        start, length = length, 2 * length


def deal(cards: Sequence[Card], secret: bytes, nonces: Sequence[bytes], match: str) -> Deal:
    """Both shuffles of `cards` for one match. `nonces` are the players', seat 0 first; none if the secret alone decides."""
    key = hmac.digest(secret, joined("tommy-race deal", *nonces, match), "sha256")
    return Deal(shuffle(cards, key, "first"), shuffle(cards, key, "second"))
