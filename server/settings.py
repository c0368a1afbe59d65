"""What a host can set, and what it means."""

from dataclasses import dataclass
from pathlib import Path

import platformdirs

from engine.errors import UnknownGame
from engine.games import CATALOGUE, Game, variant
from server.store.port import Store
from server.store.sqlite import MEMORY, SqliteStore

DEFAULT_PORT = 7777
DEFAULT_BOTS = 4
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

    def here(self, port: int) -> str:
        """Where clients on this machine reach a server with these settings, as host and port."""
        host = EVERYWHERE.get(self.host, self.host)
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
    raise BadSetting(f"--store {address!r} is not a store: use memory: or sqlite:PATH")


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
