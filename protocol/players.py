"""Who a player is: what follows from a key, for whoever has it and for everybody else (docs/protocol.md)."""

import hashlib


def player_of(key: str) -> str:
    """The hash by which a server knows the holder of a key; both are hex digits."""
    return hashlib.sha256(b"tommy-race player" + bytes.fromhex(key)).hexdigest()


def tag_of(player: str) -> str:
    """The four digits that tell a player from others of the same name."""
    return player[:4]
