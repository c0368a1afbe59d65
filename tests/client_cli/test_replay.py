"""A replay: both boards at every moment of a record."""

from random import Random

import msgspec
import pytest

from client_cli.replay import Replay
from engine.board import Status
from engine.errors import BadRecord
from engine.games import CATALOGUE
from engine.record import Record
from tests.client_cli.table import Table
from tests.engine.matches import aborted, careful, hasty, race, until

RECORDS = [
    race("sir-tommy", 1),
    race("calculation+redeal", 2, (careful, hasty)),
    race("strategy", 3, (until(30, "stand"), until(12, "resign"))),
    race("numerica", 4, (hasty, until(9, "timeout"))),
]


def thieves() -> Record:
    """A few moves of Forty Thieves."""
    table, chance = Table("forty-thieves").started(), Random(5)
    for _ in range(60):
        seat = chance.choice((0, 1))
        table.play(seat, str(chance.choice(table.boards[seat].legal_moves())))
    table.play(0, "stand")
    table.play(1, "stand")
    return table.record()


@pytest.fixture(params=[*RECORDS, thieves()], ids=lambda record: record.game)
def record(request: pytest.FixtureRequest) -> Record:
    found: Record = request.param
    return found


def test_it_begins_at_the_beginning(record: Record) -> None:
    replay = Replay(record)
    assert (replay.position, replay.last) == (0, None)
    assert replay.boards[0].view() == replay.boards[1].view()
    assert [board.turned for board in replay.boards] == [0, 0]


def test_it_has_every_entry_once_in_the_order_of_time(record: Record) -> None:
    steps = Replay(record).steps
    assert [step.at for step in steps] == sorted(step.at for step in steps)
    for seat in (0, 1):
        own = [(step.at, step.entry) for step in steps if step.seat == seat]
        assert own == record.seats[seat].entries
        assert [step.n for step in steps if step.seat == seat] == list(range(1, len(own) + 1))


def test_it_ends_as_the_record_says(record: Record) -> None:
    replay = Replay(record)
    replay.go_to(len(replay.steps))
    assert replay.at_end
    assert replay.pause is None
    assert [board.count for board in replay.boards] == [seat.count for seat in record.seats]
    assert [board.status for board in replay.boards] == [seat.status for seat in record.seats]
    for seat in (0, 1):
        last = [step for step in replay.steps if step.seat == seat][-1]
        assert (last.status, last.count) == (record.seats[seat].status, record.seats[seat].count)


def test_forwards_and_backwards_it_shows_the_same(record: Record) -> None:
    replay = Replay(record)
    seen = [[board.view() for board in replay.boards]]
    while replay.forward():
        seen.append([board.view() for board in replay.boards])
    assert len(seen) == len(replay.steps) + 1
    for expected in seen[-2::-1]:
        assert replay.back()
        assert [board.view() for board in replay.boards] == expected
    assert not replay.back()
    for position in Random(7).choices(range(len(seen)), k=20):
        replay.go_to(position)
        assert [board.view() for board in replay.boards] == seen[position]


def test_a_step_changes_its_own_board_alone(record: Record) -> None:
    replay = Replay(record)
    for step in replay.steps:
        before = [(board.view(), board.count) for board in replay.boards]
        assert replay.forward()
        assert replay.last == step
        assert step.before == before[step.seat][1]
        assert step.count == replay.boards[step.seat].count
        assert replay.boards[1 - step.seat].view() == before[1 - step.seat][0]


def test_a_step_names_its_card(record: Record) -> None:
    for step in Replay(record).steps:
        assert (step.card is None) == (step.entry in ("r", "stand", "resign", "timeout"))
    first = Replay(RECORDS[0]).steps[0]
    assert (first.entry, first.card) == ("t", RECORDS[0].deck[0])


@pytest.mark.parametrize("players", [1, 3, 8])
def test_a_match_of_any_number_of_players_whose_cards_the_server_fixed_can_be_replayed(players: int) -> None:
    record = race("numerica", players, [hasty] * players, "server")
    replay = Replay(record)
    replay.go_to(len(replay.steps))
    assert [board.count for board in replay.boards] == [seat.count for seat in record.seats]
    assert {step.seat for step in replay.steps} == set(range(players))


def test_beyond_the_ends_is_the_end() -> None:
    replay = Replay(RECORDS[0])
    replay.go_to(-5)
    assert replay.position == 0
    replay.go_to(1_000_000)
    assert replay.position == len(replay.steps)
    assert not replay.forward()


def test_the_pauses_add_up_to_the_time_of_the_match() -> None:
    replay, passed = Replay(RECORDS[0]), 0
    while (pause := replay.pause) is not None:
        passed += pause
        replay.forward()
    assert passed == replay.steps[-1].at


def test_only_the_last_entry_of_a_board_ends_it() -> None:
    steps = Replay(RECORDS[0]).steps
    assert sum(step.status is not Status.PLAYING for step in steps) == 2


@pytest.mark.parametrize("game", CATALOGUE)
def test_every_game_can_be_replayed(game: str) -> None:
    table = Table(game).started()
    table.play(0, "t")
    table.play(1, "resign")
    replay = Replay(table.record())
    assert replay.total == len(CATALOGUE[game].cards)
    assert [step.entry for step in replay.steps] == ["t", "resign"]


def test_a_match_that_was_dealt_and_not_raced_has_no_steps() -> None:
    replay = Replay(aborted("sir-tommy", 1, revealed=2))
    assert (replay.steps, replay.at_end, replay.pause) == ((), True, None)


@pytest.mark.parametrize("seats", [0, 1, 2])
def test_what_was_never_dealt_cannot_be_replayed(seats: int) -> None:
    with pytest.raises(BadRecord, match="never dealt"):
        Replay(aborted("sir-tommy", 1, seats=seats))


@pytest.mark.parametrize(
    ("changes", "code"),
    [({"game": "whist"}, "unknown-game"), ({"secret": "xyz"}, "contradictory"), ({"game": "lucas"}, "contradictory")],
)
def test_a_record_that_makes_no_sense(changes: dict[str, str], code: str) -> None:
    with pytest.raises(BadRecord) as caught:
        Replay(msgspec.structs.replace(RECORDS[0], **changes))
    assert caught.value.code == code


def test_a_move_that_is_not_allowed() -> None:
    record = msgspec.convert(msgspec.to_builtins(RECORDS[0]), Record)
    record.seats[0].entries[1] = (record.seats[0].entries[1][0], "p1f1")
    with pytest.raises(BadRecord, match="cannot be replayed"):
        Replay(record)
