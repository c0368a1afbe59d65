"""What people write for servers, codes, games and times."""

import click
import pytest

from client_cli.options import (
    clock,
    game_name,
    grace,
    match_code,
    player_key,
    player_name,
    server_address,
    with_options,
)


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("example.org", "ws://example.org:7777"),
        ("example.org:80", "ws://example.org:80"),
        ("127.0.0.1", "ws://127.0.0.1:7777"),
        ("[::1]", "ws://[::1]:7777"),
        ("[::1]:9", "ws://[::1]:9"),
        (" host ", "ws://host:7777"),
        ("ws://host:1/path", "ws://host:1/path"),
        ("wss://example.org", "wss://example.org"),
    ],
)
def test_a_server(text: str, url: str) -> None:
    assert server_address(text) == url


@pytest.mark.parametrize("text", ["", "host:port", "host:99999", "http://host", "ws://", "two hosts", "[::1"])
def test_no_server(text: str) -> None:
    with pytest.raises(click.BadParameter):
        server_address(text)


@pytest.mark.parametrize("text", ["abcd2345", "ABCD2345", "abcd-2345", " AbCd 23-45 "])
def test_a_code_as_people_write_it(text: str) -> None:
    assert match_code(text) == "abcd2345"


@pytest.mark.parametrize("text", ["", "abcd234", "abcd23456", "abcd234o", "ábcd2345"])
def test_no_code(text: str) -> None:
    with pytest.raises(click.BadParameter):
        match_code(text)


def test_a_game() -> None:
    assert game_name("Sir-Tommy+Redeal") == "sir-tommy+redeal"
    with pytest.raises(click.BadParameter, match="Did you mean sir-tommy"):
        game_name("sir-tomy")


def test_times() -> None:
    assert clock("0.5") == 30_000
    assert grace("1.5") == 1_500
    for text in ("x", "", "nan", "inf", "0", "-1", "1e9"):
        with pytest.raises(click.BadParameter):
            clock(text)
        with pytest.raises(click.BadParameter):
            grace(text)


def test_names_and_keys() -> None:
    assert player_name(" Ada ") == "Ada"
    assert player_key("0" * 64) == "0" * 64
    assert player_key(f" {'0' * 64}\r\n") == "0" * 64
    with pytest.raises(click.BadParameter):
        player_name(" \x00")


@pytest.mark.parametrize(
    ("text", "why"),
    [("5e" * 16, "a key of tommy 0.1"), ("5e" * 31, "not the whole"), ("5E" * 32, "lower case"), ("", "no key here")],
)
def test_what_is_no_key_is_said_to_be_what_it_is_without_being_told(text: str, why: str) -> None:
    with pytest.raises(click.BadParameter, match=why) as caught:
        player_key(text)
    assert not text or text not in str(caught.value)


@pytest.mark.parametrize(
    ("game", "options", "spelling"),
    [
        ("lucas", (), "lucas"),
        ("lucas", ("groups", "Peek"), "lucas+peek+groups"),
        ("lucas+groups", ("peek",), "lucas+peek+groups"),
        ("strategy", ("redeal",), "strategy+redeal"),
    ],
)
def test_options_of_a_game(game: str, options: tuple[str, ...], spelling: str) -> None:
    assert with_options(game, options) == spelling


@pytest.mark.parametrize(
    ("game", "options"),
    [
        ("sir-tommy", ("redeal", "Redeal")),
        ("sir-tommy+redeal", ("redeal",)),
        ("josephine", ("groups", "peek", "groups")),
    ],
)
def test_an_option_named_twice_is_refused_as_the_server_does(game: str, options: tuple[str, ...]) -> None:
    with pytest.raises(click.BadParameter, match="is named twice"):
        with_options(game, options)
    with pytest.raises(click.BadParameter, match="is named twice"):
        game_name("+".join((game, *options)))


def test_wrong_names_are_answered_with_the_near_ones() -> None:
    for text, near in (
        ("luca", "Did you mean lucas?"),
        ("puss", "Did you mean puss-in-the-corner?"),
        ("calc", "Did you mean calculation?"),
        ("lucas+pek", "Did you mean peek?"),
        ("zzz", "The games are"),
    ):
        with pytest.raises(click.BadParameter, match=near.replace("?", r"\?")):
            game_name(text)
    with pytest.raises(click.BadParameter, match=r"lucas has no option 'redeal'. It can have peek, groups."):
        with_options("lucas", ("redeal",))
