"""One connection: its greeting, its answers, how it is lost and comes back."""

from collections.abc import AsyncIterator

import pytest
from websockets.typing import Subprotocol

from client_cli import connection
from client_cli.announcements import Announcement
from client_cli.connection import Back, Connection, Lost
from client_cli.troubles import (
    ClientError,
    Exit,
    Garbled,
    GaveUp,
    NotAccepted,
    Refusal,
    Replaced,
    Unreachable,
    WrongVersion,
)
from protocol.messages import Hello, Join, Matches, MatchList, MatchState, Move, Moved, Play, Ready, Resume
from protocol.players import public_key
from tests.client_cli.stand_in import ONE_MATCH, StandIn, offer, standing_in
from tests.client_cli.table import CODE, Table
from tests.ports import free_port

KEY = "0123456789abcdef" * 4


@pytest.fixture
async def stand_in() -> AsyncIterator[StandIn]:
    async with standing_in() as stand_in:
        yield stand_in


@pytest.fixture(autouse=True)
def _hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "FIRST_DELAY", 0.001)
    monkeypatch.setattr(connection, "LONGEST_DELAY", 0.002)


def connect(stand_in: StandIn) -> Connection:
    return Connection(stand_in.url, "Ada", KEY)


async def failure(connection: Connection) -> tuple[Announcement, Exit]:
    """Why a connection cannot be made."""
    with pytest.raises(ClientError) as caught:
        async with connection:
            pass
    return caught.value.problem, caught.value.exit_code


async def test_a_greeting(stand_in: StandIn) -> None:
    async with connect(stand_in) as connection:
        assert connection.welcome.name == "Ada"
    (hello,) = stand_in.received
    assert isinstance(hello, Hello)
    assert (hello.name, hello.key) == ("Ada", public_key(KEY))
    assert hello.client.startswith("tommy ")


async def test_an_answer_goes_to_whoever_asked_and_the_rest_to_the_events(stand_in: StandIn) -> None:
    stand_in.listed = ONE_MATCH
    async with connect(stand_in) as connection:
        answer = await connection.request(Matches())
        assert isinstance(answer, MatchList)
        assert answer.matches == ONE_MATCH
        state = await connection.request(Play(game="sir-tommy"))
        assert isinstance(state, MatchState)
        assert state.state == "waiting"
        pushed = await anext(connection.events())
        assert isinstance(pushed, MatchState)
        assert pushed.state == "seated"


async def test_a_refusal_is_an_error(stand_in: StandIn) -> None:
    async with connect(stand_in) as connection:
        with pytest.raises(ClientError) as caught:
            await connection.request(Join(match="zzzzzzzz"))
    assert caught.value.problem == Refusal("unknown-match", "no such match", "zzzzzzzz")
    assert caught.value.exit_code is Exit.REFUSED


async def test_who_asks_for_a_game_that_is_not_offered_is_told_those_that_are(stand_in: StandIn) -> None:
    stand_in.games = [offer("lucas"), offer("limited")]
    async with connect(stand_in) as connection:
        with pytest.raises(ClientError) as caught:
            await connection.request(Play(game="maria"))
    assert caught.value.problem == Refusal("not-offered", "not here", games=("lucas", "limited"))


async def test_a_lost_connection_comes_back_by_itself() -> None:
    stand_in = StandIn(Table().started())
    stand_in.lose_before = "t"
    async with standing_in(stand_in), connect(stand_in) as connection:
        connection.patience = 30.0
        events = connection.events()
        await connection.send(Move(match=CODE, n=1, move="t"))
        assert await anext(events) == Lost(30.0)
        assert isinstance(await anext(events), Back)
        await connection.send(Resume(match=CODE, n=0))
        await connection.send(Move(match=CODE, n=1, move="t"))
        while not isinstance(event := await anext(events), Moved):
            pass
        assert event.n == 1
    assert stand_in.connections == 2
    assert len(stand_in.table.logs[0]) == 1


async def test_who_waits_for_an_answer_is_told_of_the_loss() -> None:
    stand_in = StandIn(Table().started())
    stand_in.lose_before = "t"
    async with standing_in(stand_in), connect(stand_in) as connection:
        with pytest.raises(ClientError) as caught:
            await connection.request(Move(match=CODE, n=1, move="t"))
        assert caught.value.exit_code is Exit.NO_CONNECTION


async def test_patience_ends() -> None:
    async with standing_in() as stand_in:
        connection = connect(stand_in)
        connection.patience = 0.01
        await connection.__aenter__()
    events = connection.events()
    assert isinstance(await anext(events), Lost)
    with pytest.raises(ClientError) as caught:
        await anext(events)
    assert caught.value.problem == GaveUp(stand_in.url, 10)
    assert caught.value.exit_code is Exit.NO_CONNECTION
    await connection.__aexit__()


async def test_what_is_sent_without_a_connection_is_dropped() -> None:
    async with standing_in() as stand_in:
        connection = connect(stand_in)
        await connection.__aenter__()
    assert isinstance(await anext(connection.events()), Lost)
    assert not await connection.send(Ready(match=CODE, commitment="0" * 64))
    with pytest.raises(ClientError) as caught:
        await connection.request(Matches())
    assert caught.value.exit_code is Exit.NO_CONNECTION
    await connection.__aexit__()


async def test_a_seat_taken_over_is_not_taken_back(stand_in: StandIn) -> None:
    stand_in.close_with = connection.REPLACED
    async with connect(stand_in) as made:
        with pytest.raises(ClientError) as caught:
            await anext(made.events())
    assert caught.value.problem == Replaced()
    assert stand_in.connections == 1


async def test_a_server_that_restarts_is_waited_for(stand_in: StandIn) -> None:
    stand_in.close_with = 1012
    async with connect(stand_in) as made:
        events = made.events()
        assert isinstance(await anext(events), Lost)
        stand_in.close_with = None
        while not isinstance(await anext(events), Back):
            pass


# What does not come about


async def test_nobody_there() -> None:
    url = f"ws://127.0.0.1:{free_port()}"
    assert await failure(Connection(url, "Ada", KEY)) == (Unreachable(url, "refused"), Exit.NO_CONNECTION)


async def test_another_version(stand_in: StandIn) -> None:
    stand_in.turn_away = "version: this server speaks tommy.2"
    assert await failure(connect(stand_in)) == (
        WrongVersion(stand_in.url, "this server speaks tommy.2"),
        Exit.REFUSED,
    )


async def test_some_other_server(stand_in: StandIn) -> None:
    stand_in.turn_away = "what do you want?"
    assert await failure(connect(stand_in)) == (Unreachable(stand_in.url, "HTTP 400"), Exit.NO_CONNECTION)


async def test_a_server_that_agrees_to_no_version() -> None:
    def none(*_: object) -> Subprotocol | None:
        return None

    async with standing_in(select_subprotocol=none) as stand_in:
        assert await failure(connect(stand_in)) == (WrongVersion(stand_in.url, "no-version"), Exit.REFUSED)


async def test_a_server_that_does_not_want_this_player(stand_in: StandIn) -> None:
    stand_in.refuse_hello = "bad-message"
    assert await failure(connect(stand_in)) == (NotAccepted(stand_in.url, "bad-message", "not today"), Exit.REFUSED)


async def test_a_server_that_is_closing(stand_in: StandIn) -> None:
    stand_in.refuse_hello = "shutting-down"
    assert await failure(connect(stand_in)) == (Unreachable(stand_in.url, "shutting-down"), Exit.NO_CONNECTION)


async def test_a_server_that_talks_nonsense(stand_in: StandIn, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stand_in, "answers", lambda message: iter([stand_in.table.match()]))
    assert await failure(connect(stand_in)) == (Garbled("no-welcome"), Exit.ERROR)


@pytest.mark.parametrize("challenge", ["c0c", "no hex digits", "c0" * 31, "c0" * 200, "C0" * 32, "c0" * 32 + "\n"])
async def test_a_server_whose_challenge_is_none(monkeypatch: pytest.MonkeyPatch, challenge: str) -> None:
    monkeypatch.setattr(StandIn, "challenge", challenge)
    async with standing_in() as stand_in:
        assert await failure(connect(stand_in)) == (Garbled("no-greeting"), Exit.ERROR)
        assert not stand_in.received


def test_pauses_grow_and_have_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "FIRST_DELAY", 0.2)
    monkeypatch.setattr(connection, "LONGEST_DELAY", 3.0)
    delays = [delay for delay, _ in zip(connection._delays(), range(20), strict=False)]
    assert all(0.1 <= delay <= 3.0 for delay in delays)
    assert all(delay >= 1.5 for delay in delays[5:])
