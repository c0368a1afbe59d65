"""Who a player is: an Ed25519 key pair, and what follows from it for everybody else (docs/protocol.md).

The secret key never leaves the player's machine. A connection is proved by a signature over the server's challenge and the
host that the client dialled, so that what one server was shown is of no use at another.
"""

import hashlib
import re
from ipaddress import ip_address

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from engine.deal import joined
from protocol.messages import Hello

SECRET_KEY_BYTES = 32
CHALLENGE_BYTES = 32

_CHALLENGE = re.compile(f"[0-9a-f]{{{2 * CHALLENGE_BYTES}}}", re.ASCII)


def public_key(secret: str) -> str:
    """The public key that belongs to a secret one; both are 64 hex digits."""
    return _pair(secret).public_key().public_bytes_raw().hex()


def signature(secret: str, challenge: str, host: str) -> str:
    """What proves to the server which greeted with this challenge, and was dialled as this host, who is there.

    128 hex digits.
    """
    return _pair(secret).sign(_signed(challenge, host)).hex()


def signed_hello(challenge: str, secret: str, host: str, name: str, bot: str | None = None, client: str = "") -> Hello:
    """The hello that answers a greeting, for the player with this secret key, on the connection to this host."""
    return Hello(
        name=name,
        key=public_key(secret),
        host=host,
        signature=signature(secret, challenge, host),
        bot=bot,
        client=client,
    )


def is_signed(key: str, signature: str, challenge: str, host: str) -> bool:
    """Whether a signature was made with the secret of this public key, for this challenge and host."""
    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(key)).verify(
            bytes.fromhex(signature), _signed(challenge, host)
        )
    except (InvalidSignature, ValueError):
        return False
    return True


def is_challenge(text: str) -> bool:
    """Whether a text is what a server may have signed: 32 bytes as lower-case hex digits, and nothing else."""
    return _CHALLENGE.fullmatch(text) is not None


def player_of(key: str) -> str:
    """The hash by which a server knows the holder of a public key; both are 64 hex digits."""
    return hashlib.sha256(b"tommy-race player" + bytes.fromhex(key)).hexdigest()


def tag_of(player: str) -> str:
    """The four digits that tell a player from others of the same name."""
    return player[:4]


def host_of(name: str) -> str:
    """A host as it is signed: a name in lower case and in its ASCII form, or an address in its shortest form.

    Without a port, without brackets, and without a dot at the end. What is no host at all stays as it is, in lower case. An
    IPv4 address written as an IPv6 one is an IPv4 address: how it is written otherwise differs from version to version.
    """
    bare = name.strip().lower().removeprefix("[").removesuffix("]").removesuffix(".")
    try:
        address = ip_address(bare.partition("%")[0])
    except ValueError:
        pass
    else:
        return str((address.version == 6 and address.ipv4_mapped) or address)
    try:
        return bare.encode("idna").decode()
    except UnicodeError:
        return bare


def _pair(secret: str) -> Ed25519PrivateKey:
    return Ed25519PrivateKey.from_private_bytes(bytes.fromhex(secret))


def _signed(challenge: str, host: str) -> bytes:
    return joined("tommy-race hello", bytes.fromhex(challenge), host)
