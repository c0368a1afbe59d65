"""The short proof of a record: what two players read out to each other to know that they hold the same one."""

import hashlib

from protocol.messages import MATCH_LETTERS

ROUNDS = 16_384
"""It takes a moment to work a proof out, so that nobody searches for two records that have the same one."""
GROUPS, LETTERS_IN_A_GROUP = 3, 4
_BYTES = 16


def proof_of(digest: str) -> str:
    """The proof that belongs to a record's digest (64 hex digits): three groups of four letters and digits."""
    stretched = hashlib.pbkdf2_hmac("sha256", bytes.fromhex(digest), b"tommy-race proof", ROUNDS, _BYTES)
    number = int.from_bytes(stretched, "big")
    groups = []
    for _ in range(GROUPS):
        group = ""
        for _ in range(LETTERS_IN_A_GROUP):
            number, letter = divmod(number, len(MATCH_LETTERS))
            group += MATCH_LETTERS[letter]
        groups.append(group)
    return " ".join(groups)
