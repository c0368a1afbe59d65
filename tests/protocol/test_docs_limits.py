"""docs/protocol.md gives the times and limits, the close codes and the subprotocols that the code has."""

import inspect
import re
from typing import Any

import protocol.codec
import server.app
import server.hub
import server.keeper
import server.limits
import server.lobby
import server.match
import server.past
import server.ranking
import server.session
from protocol import messages as wire
from protocol.codec import ENCODINGS, LARGEST_CLIENT_FRAME, LARGEST_SERVER_FRAME
from server.settings import DEFAULT_PORT
from tests.protocol.page import SECTIONS, first_column, rows_of, under


def _in_source(module: Any, name: str) -> int:
    """The number that a source file gives as a named argument."""
    (number,) = set(re.findall(rf"\b{name}=(\d+)", inspect.getsource(module)))
    return int(number)


LIMITS = {
    "to say hello": f"{server.app.HELLO_WITHIN:.0f} seconds",
    "between two pings": f"{_in_source(server.app, 'ping_interval')} seconds",
    "for a pong": f"{_in_source(server.app, 'ping_timeout')} seconds",
    "strikes on one connection": f"{server.session.STRIKES}",
    "a frame from a client": f"{LARGEST_CLIENT_FRAME:,} bytes",
    "a frame from the server, at most": f"{LARGEST_SERVER_FRAME:,} bytes",
    "what a client may leave unread": f"{server.session.UNREAD_LIMIT:,} bytes",
    "nesting in a client's message, itself counted": f"{protocol.codec._DEEPEST} levels",
    "a text in a client's message": f"{protocol.codec._LONGEST_TEXT} bytes of UTF-8",
    "fields of a map, items of a list": f"{_in_source(protocol.codec, 'max_map_len')}",
    "a waiting match": f"{server.match.WAITING_LIMIT:,} ms",
    "to be ready": f"{server.match.READY_LIMIT:,} ms",
    "to reveal": f"{server.match.REVEAL_LIMIT:,} ms",
    "the countdown": f"{server.match.COUNTDOWN:,} ms",
    "the match clock, at least": f"{wire.CLOCK_BOUNDS[0]:,} ms",
    "the match clock, at most": f"{wire.CLOCK_BOUNDS[1]:,} ms",
    "the match clock, if nothing is said": f"{wire.DEFAULT_CLOCK:,} ms",
    "the grace period, at least": f"{wire.GRACE_BOUNDS[0]:,} ms",
    "the grace period, at most": f"{wire.GRACE_BOUNDS[1]:,} ms",
    "the grace period, if nothing is said": f"{wire.DEFAULT_GRACE:,} ms",
    "a player's moves on one board": f"{server.match.LONGEST_LOG:,}",
    "open matches of one player": f"{server.lobby.MATCHES_OF_A_PLAYER}",
    "matches on one server": f"{server.lobby.MOST_TABLES:,}",
    "ended matches a connection keeps its seats in": f"{server.hub.ENDED_SEATS_KEPT}",
    "matches that one connection watches": f"{server.hub.MOST_WATCHED}",
    "matches in the list": f"{server.keeper.LONGEST_LIST}",
    "own matches that have ended, in one answer": f"{wire.MOST_PAST}",
    "own matches that have ended, in all": f"{server.past.LONGEST_PAST:,}",
    "players in a ranking": f"{server.ranking.LONGEST_RANKING}",
    "silence on a connection that neither plays nor watches": f"{server.session.IDLE_LIMIT:.0f} seconds",
}


def test_the_limits_are_those_of_the_code() -> None:
    assert {row[0]: row[1] for row in rows_of(SECTIONS["Times and limits"])} == LIMITS
    assert _in_source(protocol.codec, "max_array_len") == _in_source(protocol.codec, "max_map_len")
    hosts, page = server.limits.Limits(), " ".join(SECTIONS["Times and limits"].split())
    assert f"may have {hosts.sockets} connections open, make {hosts.arrivals:.0f} new ones a second after the" in page
    assert f"after the first {hosts.arrivals_burst}, and have made {hosts.matches} open matches" in page
    assert f"more than {hosts.messages:.0f} messages a second, after the first {hosts.messages_burst}," in page


def test_limits_in_the_text_are_those_of_the_table() -> None:
    minutes, seconds = server.match.WAITING_LIMIT // 60_000, server.match.REVEAL_LIMIT // 1000
    given_up = [row[3] for row in rows_of(SECTIONS["The life of a match"])]
    assert given_up[:3] == [
        f"{minutes} minutes: `nobody-came`",
        f"{server.match.READY_LIMIT // 60_000} minutes: `not-ready`",
        f"{seconds} seconds: `not-revealed`",
    ]
    assert f"port {DEFAULT_PORT}" in SECTIONS["Connecting"]
    assert f"last {server.hub.ENDED_SEATS_KEPT} matches" in SECTIONS["The end"]
    assert f"had its {server.match.LONGEST_LOG:,} entries" in SECTIONS["Playing"]
    assert f"watches {server.hub.MOST_WATCHED} matches at most" in under("What a client sends")["watch"]
    assert f"within {server.app.HELLO_WITHIN:.0f} seconds" in SECTIONS["Hello, and who you are"]


def test_who_is_not_counted_is_named() -> None:
    page = " ".join(SECTIONS["Times and limits"].split())
    networks = " and ".join(str(network).removesuffix("/128") for network in server.limits.Limits().exempt)
    assert f"({networks}) are not counted and not slowed down" in page


def test_the_close_codes_are_those_that_the_server_uses() -> None:
    source = inspect.getsource(server.session) + inspect.getsource(server.app)
    used = {int(code) for code in re.findall(r"\b(1\d{3}|4\d{3})\b", source)} - {1024}
    by_the_library = {1009, 1011}
    assert {int(code) for code in first_column(SECTIONS["Close codes"])} == used | by_the_library
    assert {server.session.REPLACED, server.app.RESTART} < used


def test_the_subprotocols_are_named() -> None:
    assert list(ENCODINGS) == ["tommy.2", "tommy.2.json"]
    assert all(name.startswith(f"tommy.{wire.VERSION}") for name in ENCODINGS)
    assert all(f"- `{name}`" in SECTIONS["Two encodings"] for name in ENCODINGS)
