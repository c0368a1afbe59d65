"""What every store promises of matches with any number of seats: log 0 is the match's own, log k the board's of seat k - 1."""

import asyncio
from collections.abc import Sequence

import pytest

from server.events import MATCH_LOG, MOST_SEATS, board_log
from server.store.port import AppendEntry, Conflict, CreateMatch, EndMatch, Numbers, Store, StoredMatch, TakeSeat
from tests.server.store.matches import CODE, attempt, kept, terms

SEATS = [1, 2, 3, MOST_SEATS]


def board(seat: int, entries: int) -> list[AppendEntry]:
    """The first entries of a board."""
    return [AppendEntry(board_log(seat), n, 10 * n, f"{seat}:{n}") for n in range(1, entries + 1)]


async def make(store: Store, seats: int, match: str = CODE) -> None:
    await store.write(match, [CreateMatch(terms(match, seats=seats)), AppendEntry(MATCH_LOG, 1, 5, "made")])


async def played(store: Store, seats: int) -> Numbers:
    """A match in which each board has one entry more than the one before it."""
    await make(store, seats)
    for seat in reversed(range(seats)):
        await store.write(CODE, board(seat, seat + 1))
    return (1, *range(1, seats + 1))


@pytest.mark.parametrize("seats", SEATS)
async def test_each_board_has_a_log_of_its_own(store: Store, seats: int) -> None:
    numbers = await played(store, seats)
    found = await kept(store)
    boards = tuple([(10 * n, f"{seat}:{n}") for n in range(1, seat + 2)] for seat in range(seats))
    assert found == StoredMatch(terms(seats=seats), ([(5, "made")], *boards), numbers)
    assert (found.events, found.boards) == ([(5, "made")], boards)


@pytest.mark.parametrize("seats", SEATS)
async def test_a_match_in_which_nothing_has_happened_has_all_its_logs(store: Store, seats: int) -> None:
    await store.write(CODE, [CreateMatch(terms(seats=seats))])
    assert await kept(store) == StoredMatch(terms(seats=seats), ([],) * (seats + 1), (0,) * (seats + 1))


@pytest.mark.parametrize("seats", SEATS)
async def test_what_comes_after_some_numbers_can_be_read_alone_log_by_log(store: Store, seats: int) -> None:
    numbers = await played(store, seats)
    whole = await kept(store)
    for known in (numbers, (1, *range(seats)), (0,) * (seats + 1), (9,) * (seats + 1)):
        found = await store.read(CODE, known)
        assert found is not None
        assert found.numbers == numbers
        assert found.logs == tuple(log[n:] for log, n in zip(whole.logs, known, strict=True))


async def test_of_logs_for_which_there_is_no_number_all_entries_come(store: Store) -> None:
    numbers = await played(store, 3)
    whole = await kept(store)
    for known in ((), (1,), (1, 1), (1, 1, 0)):
        found = await store.read(CODE, known)
        assert found is not None
        assert found.numbers == numbers
        cut = dict(enumerate(known))
        assert found.logs == tuple(entries[cut.get(log, 0) :] for log, entries in enumerate(whole.logs))
    assert await store.read(CODE, (0,) * (MOST_SEATS + 1)) == whole


@pytest.mark.parametrize("seats", SEATS)
async def test_a_log_that_the_match_does_not_have_is_not_written_to(store: Store, seats: int) -> None:
    await make(store, seats)
    whole = await kept(store)
    for log in (-1, seats + 1, MOST_SEATS + 1, 1000):
        assert isinstance(await attempt(store, AppendEntry(log, 1, 5, "t")), Conflict)
        failed = await attempt(store, AppendEntry(MATCH_LOG, 2, 5, "event"), AppendEntry(log, 1, 5, "t"))
        assert isinstance(failed, Conflict)
    assert await kept(store) == whole


async def test_the_logs_of_one_match_do_not_wait_for_each_other(store: Store) -> None:
    """A number is taken in its own log alone."""
    await make(store, MOST_SEATS)
    outcomes = await asyncio.gather(
        *(attempt(store, AppendEntry(board_log(seat), 1, 5, f"{n}")) for seat in range(MOST_SEATS) for n in range(5))
    )
    assert outcomes.count(None) == MOST_SEATS
    assert (await kept(store)).numbers == (1, *[1] * MOST_SEATS)
    assert isinstance(await attempt(store, AppendEntry(board_log(7), 3, 5, "gap")), Conflict)


@pytest.mark.parametrize("seats", SEATS)
async def test_a_match_ends_with_all_its_boards_as_whoever_ends_it_knows_them(store: Store, seats: int) -> None:
    _, *boards = await played(store, seats)

    def but(seat: int, more: int) -> list[int]:
        return [n + more * (seat == each) for each, n in enumerate(boards)]

    others: list[Sequence[int]] = [but(seat, more) for seat in range(seats) for more in (-1, 1)]
    others += [boards[:-1], [*boards, 0], ()]
    for other in others:
        failed = await attempt(store, AppendEntry(MATCH_LOG, 2, 6, "finished"), EndMatch(7, other))
        assert isinstance(failed, Conflict)
    assert (await kept(store)).numbers == (1, *boards)
    assert await store.open_matches() == [CODE]
    assert await attempt(store, AppendEntry(MATCH_LOG, 2, 6, "finished"), EndMatch(7, boards)) is None
    assert await store.open_matches() == []


@pytest.mark.parametrize("seats", SEATS)
async def test_after_the_end_only_the_log_of_the_match_goes_on(store: Store, seats: int) -> None:
    _, *boards = await played(store, seats)
    await store.write(CODE, [EndMatch(7)])
    for seat, n in enumerate(boards):
        assert isinstance(await attempt(store, AppendEntry(board_log(seat), n + 1, 9, "t")), Conflict)
    await store.write(CODE, [AppendEntry(MATCH_LOG, 2, 9, "again")])
    assert (await kept(store)).numbers == (2, *boards)


async def test_the_last_entries_and_the_end_come_in_one_step(store: Store) -> None:
    await make(store, 3)
    entries = [*board(0, 2), *board(2, 1)]
    assert isinstance(await attempt(store, *entries, EndMatch(7, (2, 1, 1))), Conflict)
    assert (await kept(store)).numbers == (1, 0, 0, 0)
    assert await attempt(store, *entries, EndMatch(7, (2, 0, 1))) is None
    assert (await kept(store)).numbers == (1, 2, 0, 1)


async def test_all_players_of_a_match_find_it(store: Store) -> None:
    players = [f"player {seat}" for seat in range(MOST_SEATS)]
    await make(store, MOST_SEATS)
    await store.write(CODE, [TakeSeat(player, player, 5) for player in players])
    assert [await store.seats(player) for player in players] == [[CODE]] * MOST_SEATS
    await store.write(CODE, [EndMatch(7)])
    assert [await store.seats(player) for player in players] == [[]] * MOST_SEATS
    assert [await store.history(player, 9) for player in players] == [[CODE]] * MOST_SEATS


async def test_nothing_is_left_of_a_swept_match_that_its_code_could_find_again(store: Store) -> None:
    await played(store, MOST_SEATS)
    await store.write(CODE, [EndMatch(7)])
    await store.sweep(8)
    assert await store.read(CODE) is None
    await make(store, MOST_SEATS)
    assert (await kept(store)).numbers == (1, *[0] * MOST_SEATS)
