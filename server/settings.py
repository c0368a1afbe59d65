"""What a host can set, and what it means."""

import re
import ssl
from dataclasses import dataclass, field, fields
from ipaddress import ip_network
from pathlib import Path
from typing import Any

import platformdirs

from engine.errors import UnknownGame
from engine.games import CATALOGUE, Game, variant
from server.hosts import host_in
from server.limits import Limits
from server.store.port import Store, UnusableStore
from server.store.sqlite import SqliteStore
from server.store.sqlite_thread import MEMORY

DEFAULT_PORT = 7777
DEFAULT_BOTS = 4
DEFAULT_HEALTH = "127.0.0.1:7778"
DAY = 86_400_000
MOST_PORT = 65_535
SCHEMES = ("redis", "rediss", "redis+sentinel", "rediss+sentinel", "redis+cluster", "rediss+cluster", "unix")
LIMITS = {each.name: each.default for each in fields(Limits) if isinstance(each.default, int | float)}
"""What `--limits` can change, and what it is otherwise."""
EVERYWHERE = {"0.0.0.0": "127.0.0.1", "": "127.0.0.1", "::": "::1"}  # noqa: S104
"""The hosts that stand for every address of this machine, and the one of them at which it reaches itself."""


class BadSetting(Exception):
    """A setting cannot be used; the text says which and why."""


@dataclass(frozen=True)
class Settings:
    """The settings of one server."""

    host: str = "0.0.0.0"  # noqa: S104 - a race server is there for others; --host narrows it
    port: int = DEFAULT_PORT
    store: str = ""
    bots: int = DEFAULT_BOTS
    games: tuple[Game, ...] = tuple(CATALOGUE.values())
    """The games that are offered."""
    keep: int | None = None
    """For how many milliseconds a match is kept after its end; None for as long as the store is used to."""
    health: "Health | None" = None
    """Where the server tells of its health; None for nowhere."""
    certificate: Path | None = None
    """A file with the certificate for wss://, its chain and, unless `key` has it, its private key; None for ws://."""
    key: Path | None = None
    drain: float = 0.0
    """For how many seconds a server that is about to stop lets those who are there race on."""
    names: tuple[str, ...] = ()
    """What the server is called by those who dial it; without any it goes by what it was asked for."""
    origins: tuple[str, ...] = ()
    """The web pages that may connect, by their origins."""
    limits: Limits = field(default_factory=Limits)

    @property
    def scheme(self) -> str:
        """What the addresses of a server with these settings begin with."""
        return "ws" if self.certificate is None else "wss"

    def tls(self) -> ssl.SSLContext | None:
        """What is needed to serve wss://; None for ws://. Raises `BadSetting`."""
        if self.certificate is None:
            if self.key is not None:
                raise BadSetting("--key is of no use without --certificate")
            return None
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        try:
            context.load_cert_chain(self.certificate, self.key)
        except OSError as error:  # ssl's own errors, too
            files = " and ".join(str(file) for file in (self.certificate, self.key) if file is not None)
            raise BadSetting(f"cannot serve wss:// with {files}: {error.strerror or error}") from None
        return context

    def here(self, port: int) -> str:
        """Where clients on this machine reach a server with these settings, as host and port."""
        return _with_port(EVERYWHERE.get(self.host, self.host), port)

    def called(self, port: int) -> str:
        """What players dial to reach it, as host and port: its first name, if it has any."""
        return _with_port(self.names[0], port) if self.names else self.here(port)


@dataclass(frozen=True)
class Health:
    """An address at which the server tells of its health; without it if it cannot be had, unless it was asked for."""

    host: str
    port: int
    asked_for: bool = True

    def __str__(self) -> str:
        return f"{self.host}:{self.port}"


def _with_port(host: str, port: int) -> str:
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def default_store() -> str:
    """The SQLite file in the user's data folder."""
    return f"sqlite:{Path(platformdirs.user_data_dir('tommy-race', appauthor=False)) / 'matches.db'}"


def store_at(address: str) -> Store:
    """The store that `--store` names. Raises `BadSetting`."""
    kind, colon, path = (address or default_store()).partition(":")
    if kind == "memory" and colon and not path:
        return SqliteStore(MEMORY)
    if kind == "sqlite" and path:
        return SqliteStore(path)
    if kind in SCHEMES:
        from server.store.redis import RedisStore  # which takes a moment to import, and most hosts do without

        try:
            return RedisStore(address)
        except UnusableStore as error:
            raise BadSetting(f"--store: {error}") from None
    raise BadSetting(f"--store {address!r} is not a store: use memory:, sqlite:PATH or redis://HOST:PORT")


def health_at(text: str, *, asked_for: bool) -> Health | None:
    """The address that `--health` names; none for `off`. Raises `BadSetting`."""
    if text == "off":
        return None
    host, colon, port = text.rpartition(":")
    if not colon or not host or not port.isdecimal() or int(port) > MOST_PORT:
        raise BadSetting(f"--health {text!r} is not an address: use HOST:PORT, or off")
    return Health(host.strip("[]"), int(port), asked_for)


def limits_named(changes: str, trusted: str) -> Limits:
    """The limits with those changed that `--limits` names, and the proxies of `--trust`. Raises `BadSetting`."""
    values: dict[str, Any] = {}
    for change in filter(None, (part.strip() for part in changes.split(","))):
        name, equals, value = change.partition("=")
        if name not in LIMITS or not equals:
            raise BadSetting(f"--limits {change!r} is not NAME=NUMBER with one of the names {', '.join(LIMITS)}")
        try:
            values[name] = type(LIMITS[name])(value)
        except ValueError:
            raise BadSetting(f"--limits {change!r}: {value!r} is no number that {name} can be") from None
    for network in filter(None, (part.strip() for part in trusted.split(","))):
        try:
            values["trusted"] = (*values.get("trusted", ()), ip_network(network))
        except ValueError as error:
            raise BadSetting(f"--trust {network!r} is not an address or a network: {error}") from None
    try:
        return Limits(**values)
    except ValueError as error:
        raise BadSetting(f"--limits: {error}") from None


def server_named(name: str) -> str:
    """A name that `--name` gives the server, as clients sign it. Raises `BadSetting`."""
    host = host_in(name)
    if not host or "://" in name or not re.fullmatch(r"[a-z0-9._-]+|[0-9a-f:.]+", host):
        raise BadSetting(
            f"--name {name!r} is no host: use a name such as races.example.org, without a scheme and a port"
        )
    return host


def games_named(names: str) -> tuple[Game, ...]:
    """The games that `--games` names, in the order of the catalogue; all, if it names none. Raises `BadSetting`."""
    named = {name.strip() for name in names.split(",")} - {""}
    for name in sorted(named):
        try:
            chosen = variant(name)
        except UnknownGame as error:
            raise BadSetting(f"--games: {error}") from None
        if chosen.options:
            raise BadSetting(f"--games: {name!r} names a game with its options: leave the options away")
    return tuple(game for game in CATALOGUE.values() if not named or game.name in named)
