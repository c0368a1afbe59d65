"""What this server is called by those who dial it: a hello counts only if it is signed for that.

A signature that was made for another server is of no use here, nor one made for this server elsewhere. A server that was given
its names goes by these; one without names can only go by what it was asked for, and so is as safe as whoever dialled it.
"""

from collections.abc import Sequence
from ipaddress import ip_address

from websockets.datastructures import Headers

from protocol.players import host_of
from server.limits import Network, is_trusted


def hosts_of(names: Sequence[str], headers: Headers, peer: str, trusted: Sequence[Network]) -> tuple[str, ...]:
    """The hosts that a hello on this connection may be signed for.

    `names` are those that the host has given the server; `headers` are those of the handshake, which came from `peer`.
    """
    if names:
        return tuple(names)
    asked = headers.get_all("X-Forwarded-Host") if is_trusted(peer, trusted) else []
    asked = asked or headers.get_all("Host")
    hosts = {host_in(each.partition(",")[0]) for each in asked}
    return tuple(hosts) if len(hosts) == 1 else ()


def host_in(text: str) -> str:
    """The host in a text such as `races.example.org:7777`, `192.0.2.1` or `[2001:db8::1]:7777`, as it is signed."""
    bare = text.strip()
    if bare.startswith("["):
        return host_of(bare.partition("]")[0])
    try:
        return host_of(str(ip_address(bare)))  # an IPv6 address without brackets has colons of its own
    except ValueError:
        return host_of(bare.partition(":")[0])
