from pathlib import Path

import platformdirs
import pytest

from engine.games import CATALOGUE
from server.limits import Limits
from server.settings import (
    DEFAULT_PORT,
    BadSetting,
    Health,
    Settings,
    default_store,
    games_named,
    health_at,
    limits_named,
    store_at,
)
from server.store.sqlite import SqliteStore


def test_the_settings_of_a_host_who_sets_nothing() -> None:
    settings = Settings()
    assert (settings.host, settings.port, settings.bots) == ("0.0.0.0", DEFAULT_PORT, 4)
    assert settings.games == tuple(CATALOGUE.values())


@pytest.mark.parametrize(
    ("host", "here"),
    [
        ("0.0.0.0", "127.0.0.1:7777"),
        ("", "127.0.0.1:7777"),
        ("::", "[::1]:7777"),
        ("::1", "[::1]:7777"),
        ("192.0.2.7", "192.0.2.7:7777"),
        ("race.example", "race.example:7777"),
    ],
)
def test_a_client_on_the_same_machine_knows_where_to_go(host: str, here: str) -> None:
    assert Settings(host=host).here(7777) == here


def test_matches_are_kept_in_the_users_data_folder_unless_the_host_says_otherwise(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(platformdirs, "user_data_dir", lambda name, **_: str(tmp_path / name))
    assert default_store() == f"sqlite:{tmp_path / 'tommy-race' / 'matches.db'}"
    for address in ("", default_store()):
        store = store_at(address)
        assert isinstance(store, SqliteStore)
        assert Path(store.path) == tmp_path / "tommy-race" / "matches.db"


@pytest.mark.parametrize(
    ("address", "path"),
    [("memory:", ":memory:"), ("sqlite:matches.db", "matches.db"), ("sqlite:/var/lib/a:b.db", "/var/lib/a:b.db")],
)
def test_a_store_is_named_by_its_kind_and_its_place(address: str, path: str) -> None:
    store = store_at(address)
    assert isinstance(store, SqliteStore)
    assert store.path == path
    assert store.address == address


@pytest.mark.parametrize(
    "address", ["memory", "sqlite", "sqlite:", "memory:x", "redi://h", "matches.db", ":", "Memory:"]
)
def test_what_is_no_store_is_refused_and_the_stores_there_are_named(address: str) -> None:
    with pytest.raises(BadSetting, match="use memory:, sqlite:PATH or redis://HOST:PORT") as caught:
        store_at(address)
    assert repr(address) in str(caught.value)


@pytest.mark.parametrize(
    ("names", "offered"),
    [
        ("sir-tommy", ["sir-tommy"]),
        ("calculation,sir-tommy", ["sir-tommy", "calculation"]),
        (" lucas , maria,lucas,", ["lucas", "maria"]),
        ("", list(CATALOGUE)),
        (" , ", list(CATALOGUE)),
    ],
)
def test_the_games_that_are_offered_are_named(names: str, offered: list[str]) -> None:
    assert [game.name for game in games_named(names)] == offered


@pytest.mark.parametrize(
    ("names", "why"),
    [
        ("sir-tomy", "did you mean sir-tommy"),
        ("sir-tommy,lukas", "did you mean lucas"),
        ("puss", "did you mean puss-in-the-corner?"),
        ("qq", "the games are sir-tommy, strategy, numerica"),
        ("lucas+peek", "leave the options away"),
        ("lucas+redeal", "no option 'redeal'"),
        ("sir-tommy calculation", "there is no game 'sir-tommy calculation'"),
    ],
)
def test_a_game_there_is_not_cannot_be_offered(names: str, why: str) -> None:
    with pytest.raises(BadSetting, match="--games: ") as caught:
        games_named(names)
    assert why in str(caught.value)


@pytest.mark.parametrize(
    ("text", "health"),
    [("off", None), ("127.0.0.1:7778", Health("127.0.0.1", 7778)), ("[::1]:80", Health("::1", 80))],
)
def test_where_the_health_is_told(text: str, health: Health | None) -> None:
    assert health_at(text, asked_for=True) == health


@pytest.mark.parametrize("text", ["", "on", "7778", ":7778", "localhost:", "localhost:x", "localhost:70000"])
def test_what_is_no_address_for_the_health_is_refused(text: str) -> None:
    with pytest.raises(BadSetting, match="use HOST:PORT, or off"):
        health_at(text, asked_for=True)


def test_limits_are_changed_by_their_names() -> None:
    limits = limits_named("sockets=5, messages=2.5", "10.0.0.0/8, 192.0.2.1")
    assert (limits.sockets, limits.messages, limits.matches) == (5, 2.5, Limits().matches)
    assert [str(network) for network in limits.trusted] == ["10.0.0.0/8", "192.0.2.1/32"]
    assert limits_named("", "") == Limits()


@pytest.mark.parametrize(
    ("changes", "trusted", "why"),
    [
        ("socket=5", "", "one of the names sockets, arrivals"),
        ("sockets", "", "is not NAME=NUMBER"),
        ("sockets=many", "", "'many' is no number that sockets can be"),
        ("sockets=2.5", "", "'2.5' is no number that sockets can be"),
        ("sockets=0", "", "sockets must be at least 1"),
        ("messages=nan", "", "messages must be more than 0"),
        ("", "proxy", "--trust 'proxy' is not an address or a network"),
        ("", "10.0.0.1/8", "--trust '10.0.0.1/8' is not an address or a network"),
    ],
)
def test_what_is_no_limit_is_refused(changes: str, trusted: str, why: str) -> None:
    with pytest.raises(BadSetting) as caught:
        limits_named(changes, trusted)
    assert why in str(caught.value)
