"""What a client asks about the past, over real sockets."""

import pytest

from client_cli.connection import Connection
from client_cli.past import listed, past_and_ratings, past_matches, ranking, ranks, ratings
from client_cli.reports import NoRanking, Ranked, RatingNow
from protocol.messages import History, Rank, Ranking
from tests.client_cli.pasts import past
from tests.client_cli.stand_in import StandIn, standing_in

ADA = Rank(name="Ada", tag="00ad", rating=1600, deviation=50, matches=30, place=1)
BO = Rank(name="Bo", tag="00b0", rating=1400, deviation=150, matches=3, place=2, provisional=True)


def connection(server: StandIn) -> Connection:
    return Connection(server.url, "Ada", "5e" * 32)


@pytest.mark.parametrize(
    ("most", "asked"),
    [(1, [1]), (100, [100]), (150, [100, 50]), (230, [100, 100, 30]), (1000, [100, 100, 100])],
)
async def test_matches_come_a_page_at_a_time(most: int, asked: list[int]) -> None:
    async with standing_in() as server:
        server.past = [past(number, "31-28") for number in range(240)]
        assert await past_matches(connection(server), most) == server.past[:most]
        questions = [message for message in server.received if isinstance(message, History)]
        assert [question.most for question in questions] == asked
        assert questions[0].before is None


async def test_who_has_no_past_is_told_so_at_once() -> None:
    async with standing_in() as server:
        assert await past_matches(connection(server), 1000) == []
        assert len(server.received) == 2


@pytest.mark.parametrize("you", [0, 1])
def test_a_line_is_told_from_the_players_side(you: int) -> None:
    line = listed(past(0, "28-31", you=you))
    assert (line.outcome, line.count, line.rival_count, line.rival, line.rival_tag) == ("lost", 28, 31, "Bo", "00b0")
    assert listed(past(0, "31-28", you=you)).outcome == "won"
    assert listed(past(0, "31-31", you=you)).outcome == "drawn"
    assert listed(past(0, "not-ready", you=you)).outcome == "not-ready"


def test_a_match_to_which_nobody_came_has_no_rival() -> None:
    match = past(0, "left")
    match.seats.pop()
    assert listed(match).rival is None


async def test_a_ranking() -> None:
    async with standing_in() as server:
        server.rankings = {"forty-thieves": Ranking(family="forty-thieves", ranks=[ADA, BO], you=BO)}
        found = await ranking(connection(server), "forty-thieves")
        assert ranks(found) == [Ranked("forty-thieves", ADA, you=False), Ranked("forty-thieves", BO, you=True)]
        assert ranks(await ranking(connection(server), "sir-tommy")) == [NoRanking("sir-tommy")]
        matches, rankings = await past_and_ratings(connection(server))
        assert (matches, ratings(rankings)) == ([], [RatingNow("forty-thieves", BO)])


def test_who_is_not_in_the_list_stands_below_it() -> None:
    eve = Rank(name="Eve", tag="00ee", rating=1000, deviation=80, matches=9)
    assert ranks(Ranking(family="sir-tommy", ranks=[ADA], you=eve))[1:] == [Ranked("sir-tommy", eve, you=True)]
