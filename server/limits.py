"""How much one connection, and one address, may ask of the server. No clock in here: times come in, as seconds.

An address is what a player cannot change at will: all of an IPv4 address, the first 64 bits of an IPv6 one, since every
household has a whole /64.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from enum import StrEnum
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

Network = IPv4Network | IPv6Network
Address = IPv4Address | IPv6Address

ONE = 1 - 1e-6
"""A token, but for what adding up fractions may have lost of it."""
HOUSEHOLD = 8
"""Bytes of an address that count: all four of an IPv4 one, a /64 of an IPv6 one."""
FEWEST_TO_FORGET = 1024
"""How many addresses are remembered before those that are idle are looked for."""


class TurnedAway(StrEnum):
    """Why somebody is not let in."""

    SOCKETS = "sockets"
    """The address has as many connections open as it may have."""
    ARRIVALS = "arrivals"
    """The address opens connections too fast."""
    MATCHES = "matches"
    """The address has created as many open matches as it may have."""
    MESSAGES = "messages"
    """The connection sends messages too fast."""


@dataclass(frozen=True)
class Limits:
    """What a connection and an address may do. The defaults leave room for a LAN party behind one address.

    Raises `ValueError` for a limit that would let nobody in.
    """

    sockets: int = 100
    """Connections that an address may have open."""
    arrivals: float = 20.0
    """New connections a second from an address, in the long run ..."""
    arrivals_burst: int = 100
    """... and at once: everyone comes back at the same time when the server has restarted."""
    messages: float = 50.0
    """Messages a second on one connection, in the long run; a person sends one or two ..."""
    messages_burst: int = 200
    """... and at once."""
    matches: int = 200
    """Matches created from an address that have not ended."""
    exempt: tuple[Network, ...] = (ip_network("127.0.0.0/8"), ip_network("::1/128"))
    """Addresses that are not counted. The house bots connect from this machine itself.

    Behind a proxy on the same machine this exempts everyone unless the proxy is trusted.
    """
    trusted: tuple[Network, ...] = ()
    """Proxies that are believed when they say for whom they connect."""

    def __post_init__(self) -> None:
        for field in fields(self):
            limit = getattr(self, field.name)
            if isinstance(limit, int) and limit < 1:
                raise ValueError(f"{field.name} must be at least 1, not {limit}")
            if isinstance(limit, float) and not 0 < limit < float("inf"):
                raise ValueError(f"{field.name} must be more than 0, not {limit}")


class Bucket:
    """A token bucket: full of `burst` tokens at first, and `rate` tokens drop in every second."""

    __slots__ = ("_at", "_burst", "_rate", "_tokens")

    def __init__(self, rate: float, burst: int) -> None:
        self._rate = rate
        self._burst = burst
        self._tokens: float = burst
        self._at = 0.0

    def take(self, now: float) -> bool:
        """Take a token; whether there was one."""
        self._fill(now)
        if self._tokens < ONE:
            return False
        self._tokens -= 1
        return True

    def wait(self, now: float) -> float:
        """How many seconds it takes until there is a token: 0 when there is one."""
        self._fill(now)
        return 0.0 if self._tokens >= ONE else (1 - self._tokens) / self._rate

    def full(self, now: float) -> bool:
        """Whether it is as if nothing had ever been taken."""
        self._fill(now)
        return self._tokens >= self._burst

    def _fill(self, now: float) -> None:
        if now > self._at:
            self._tokens = min(self._burst, self._tokens + (now - self._at) * self._rate)
            self._at = now


class _Door:
    """What one address has going."""

    __slots__ = ("arrivals", "matches", "sockets")

    def __init__(self, arrivals: Bucket) -> None:
        self.arrivals = arrivals
        self.sockets = 0
        self.matches = 0

    def idle(self, now: float) -> bool:
        return not self.sockets and not self.matches and self.arrivals.full(now)


class Doors:
    """What every address has going, as far as it is anything: addresses that are idle are forgotten."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self._doors: dict[str | bytes, _Door] = {}
        self._door_of_match: dict[str, _Door] = {}
        self._enough = FEWEST_TO_FORGET

    def __len__(self) -> int:
        """How many addresses are remembered."""
        return len(self._doors)

    def enter(self, address: str, now: float) -> TurnedAway | None:
        """A connection has come: count it, or say why it is turned away."""
        door = self._door(address, now)
        if door is None:
            return None
        if door.sockets >= self.limits.sockets:
            return TurnedAway.SOCKETS
        if not door.arrivals.take(now):
            return TurnedAway.ARRIVALS
        door.sockets += 1
        return None

    def leave(self, address: str) -> None:
        """A connection that was let in has closed."""
        key = self.counted(address)
        door = None if key is None else self._doors.get(key)
        if door is not None and door.sockets:
            door.sockets -= 1

    def create(self, address: str, match: str, now: float) -> TurnedAway | None:
        """A match is to be created from there: count it until `end`, or say why not."""
        door = self._door(address, now)
        if door is None or match in self._door_of_match:
            return None
        if door.matches >= self.limits.matches:
            return TurnedAway.MATCHES
        door.matches += 1
        self._door_of_match[match] = door
        return None

    def end(self, match: str) -> None:
        """The match has ended, or is not served here any more. A match that was never counted changes nothing."""
        door = self._door_of_match.pop(match, None)
        if door is not None:
            door.matches -= 1

    def bucket(self, address: str) -> Bucket | None:
        """What a new connection's messages are taken from; None where they are not counted."""
        if self.counted(address) is None:
            return None
        return Bucket(self.limits.messages, self.limits.messages_burst)

    def forget(self, now: float) -> None:
        """Forget the addresses that are idle. Happens by itself when there are many."""
        self._doors = {key: door for key, door in self._doors.items() if not door.idle(now)}
        self._enough = max(FEWEST_TO_FORGET, 2 * len(self._doors))

    def _door(self, address: str, now: float) -> _Door | None:
        key = self.counted(address)
        if key is None:
            return None
        door = self._doors.get(key)
        if door is None:
            if len(self._doors) >= self._enough:
                self.forget(now)
            door = self._doors[key] = _Door(Bucket(self.limits.arrivals, self.limits.arrivals_burst))
        return door

    def counted(self, address: str) -> str | bytes | None:
        """What the address is counted as; None if it is exempt."""
        parsed = _parse(address)
        if parsed is None:
            return address
        if _within(parsed, self.limits.exempt):
            return None
        return parsed.packed[:HOUSEHOLD]


def client_address(peer: str, forwarded: str | None, trusted: Sequence[Network]) -> str:
    """For whom a connection has come: its peer, or the client that a trusted peer names in X-Forwarded-For.

    Every proxy adds at the right whom it was called by, so that is read from the right, as far as the proxies are
    trusted: what stands further left anyone may have written. Several such headers are joined with commas first.
    """
    client = _parse(peer)
    if client is None:
        return peer
    for hop in reversed((forwarded or "").split(",")):
        named = _parse(hop)
        if named is None or not _within(client, trusted):
            break
        client = named
    return str(client)


def is_trusted(peer: str, trusted: Sequence[Network]) -> bool:
    """Whether a peer is a proxy that is believed."""
    address = _parse(peer)
    return address is not None and _within(address, trusted)


def _within(address: Address, networks: Sequence[Network]) -> bool:
    return any(address in network for network in networks)


def _parse(text: str) -> Address | None:
    """The address in a text like `192.0.2.1`, `192.0.2.1:80`, `2001:db8::1`, `[2001:db8::1]:80` or `fe80::1%eth0`.

    An IPv4 address written as an IPv6 one is an IPv4 address.
    """
    text = text.strip()
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        address = ip_address(text.partition("%")[0])
    except ValueError:
        return None
    return (address.version == 6 and address.ipv4_mapped) or address
