"""A server may say of a match whatever it likes: the client ends with an answer, or goes on."""

from collections.abc import Callable
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from client_cli.guest import Guest
from client_cli.house import HouseBot
from client_cli.player import Player
from client_cli.spectator import Spectator
from client_cli.troubles import ClientError, StrangeGame
from engine.result import Reason, Result
from protocol.messages import MatchState, SeatInfo
from tests.client_cli.table import NONCES, Table

SEATS = st.builds(SeatInfo, name=st.text(max_size=3), tag=st.just("0000"), ready=st.booleans(), rematch=st.booleans())
RESULTS = st.builds(
    Result, st.none() | st.integers(0, 7), st.sampled_from(list(Reason)), st.lists(st.integers(1, 8), max_size=8)
)
STATES = st.builds(
    lambda **changes: replace(Table().seated().match(), **changes),
    state=st.sampled_from(["waiting", "seated", "revealing", "countdown", "playing", "over", "aborted", "what"]),
    seats=st.lists(SEATS, max_size=4),
    you=st.none() | st.integers(-3, 9),
    left=st.none() | st.integers(),
    waits=st.none() | st.integers(),
    starts=st.none() | st.integers(),
    result=st.none() | RESULTS,
    aborted=st.none() | st.text(max_size=5),
    next=st.none() | st.just("zzzzzzzz"),
)
GUESTS: list[Callable[[MatchState], Guest]] = [
    lambda state: Player(state, lambda: NONCES[0], 0.0),
    lambda state: Spectator(state, lambda: b"", 0.0, follow=True),
    lambda state: HouseBot(state, lambda: NONCES[0], 0.0),
]


@pytest.mark.parametrize("guest", GUESTS)
@given(first=STATES, others=st.lists(STATES, max_size=4))
def test_no_state_is_a_bug_of_the_client(
    guest: Callable[[MatchState], Guest], first: MatchState, others: list[MatchState]
) -> None:
    for begun in (Table().seated().match(), first):
        with suppress(ClientError):
            there = guest(begun)
            for state in others:
                there.heard(state, 1.0)
                there.tick(2.0)
                there.to_tell()


def test_a_rematch_of_an_unknown_game_is_told() -> None:
    table = Table().started()
    player = Player(table.match(), lambda: NONCES[0], 0.0)
    table.play(0, "resign")
    table.next = "zzzzzzzz"
    player.race.again()
    player.heard(table.match(), 1.0)
    with pytest.raises(ClientError) as error:
        player.heard(replace(Table(code="zzzzzzzz").seated().match(), game="hearts"), 1.0)
    assert error.value.problem == StrangeGame("zzzzzzzz", "hearts")
