"""What every store promises of matches and their logs (server/store/port.py), whichever it is."""

import asyncio
from random import Random

import pytest

from server.clock import LONGEST_PAUSE
from server.events import Terms
from server.store.port import (
    AppendEntry,
    Conflict,
    CreateMatch,
    EndMatch,
    Seeker,
    SetDue,
    Store,
    StoredMatch,
    StoreError,
    TakeSeat,
)
from tests.server.store.conftest import Place
from tests.server.store.matches import CODE, attempt, kept, make, terms

# Matches


async def test_a_match_is_kept_with_its_terms_and_empty_logs(store: Store) -> None:
    await make(store)
    assert await kept(store) == StoredMatch(terms(), ([], [], []), (0, 0, 0))


async def test_a_match_that_was_never_made_is_not_known(store: Store) -> None:
    assert await store.read(CODE) is None


async def test_a_code_is_used_once(store: Store) -> None:
    await store.write(CODE, [CreateMatch(terms()), AppendEntry(0, 1, 5, "seated")])
    other = Terms(CODE, "strategy", 10_000, 1_000, listed=False, secret="00" * 32, created=5)
    assert isinstance(await attempt(store, CreateMatch(other), AppendEntry(0, 1, 6, "other")), Conflict)
    assert await kept(store) == StoredMatch(terms(), ([(5, "seated")], [], []), (1, 0, 0))


async def test_a_code_is_not_used_again_after_the_match_has_ended(store: Store) -> None:
    await store.write(CODE, [CreateMatch(terms()), EndMatch(7)])
    assert isinstance(await attempt(store, CreateMatch(terms())), Conflict)
    assert await store.open_matches() == []


async def test_of_many_who_make_the_same_match_one_succeeds(store: Store) -> None:
    outcomes = await asyncio.gather(
        *(attempt(store, CreateMatch(terms()), AppendEntry(0, 1, 5, f"maker {each}")) for each in range(20))
    )
    (winner,) = [each for each, outcome in enumerate(outcomes) if outcome is None]
    assert (await kept(store)).events == [(5, f"maker {winner}")]
    assert await store.open_matches() == [CODE]


@pytest.mark.parametrize(
    "write",
    [AppendEntry(1, 1, 5, "t"), TakeSeat("ann", "Ann", 5), SetDue(5), EndMatch(5)],
    ids=lambda each: type(each).__name__,
)
async def test_a_match_that_was_never_made_is_not_written_to(
    store: Store, write: AppendEntry | TakeSeat | SetDue | EndMatch
) -> None:
    assert isinstance(await attempt(store, write), Conflict)
    assert await store.read(CODE) is None
    assert await store.due(1 << 50) == await store.open_matches() == await store.seats("ann") == []
    await make(store)
    assert await kept(store) == StoredMatch(terms(), ([], [], []), (0, 0, 0))


async def test_a_match_that_has_ended_is_still_there(store: Store) -> None:
    await store.write(CODE, [CreateMatch(terms()), AppendEntry(1, 1, 5, "t")])
    await store.write(CODE, [AppendEntry(1, 2, 6, "resign"), EndMatch(7)])
    assert (await kept(store)).boards == ([(5, "t"), (6, "resign")], [])


async def test_entries_may_follow_the_end(store: Store) -> None:
    await store.write(CODE, [CreateMatch(terms()), EndMatch(7)])
    await store.write(CODE, [AppendEntry(0, 1, 8, "again")])
    assert (await kept(store)).events == [(8, "again")]


async def test_boards_take_no_entries_after_the_end(store: Store) -> None:
    await store.write(CODE, [CreateMatch(terms()), AppendEntry(1, 1, 5, "t")])
    await store.write(CODE, [AppendEntry(1, 2, 6, "resign"), EndMatch(7, (2, 0))])
    assert isinstance(await attempt(store, AppendEntry(2, 1, 8, "t")), Conflict)
    assert isinstance(await attempt(store, AppendEntry(1, 3, 8, "t"), AppendEntry(0, 1, 8, "again")), Conflict)
    assert (await kept(store)).numbers == (0, 2, 0)


async def test_a_match_does_not_end_with_other_entries_than_whoever_ends_it_knows(store: Store) -> None:
    await store.write(CODE, [CreateMatch(terms()), AppendEntry(2, 1, 5, "t")])
    end = [AppendEntry(1, 1, 6, "resign"), AppendEntry(0, 1, 6, "finished")]
    assert isinstance(await attempt(store, *end, EndMatch(7, (1, 0))), Conflict)
    assert (await kept(store)).numbers == (0, 0, 1)
    assert await store.open_matches() == [CODE]
    assert await attempt(store, *end, EndMatch(7, (1, 1))) is None
    assert (await kept(store)).numbers == (1, 1, 1)
    assert await store.open_matches() == []


async def test_to_write_nothing_is_fine(store: Store) -> None:
    await store.write(CODE, [])
    assert await store.read(CODE) is None


# Appending: compare and set


async def test_the_logs_of_a_match_are_kept_apart_and_in_order(store: Store) -> None:
    await make(store)
    for number in range(1, 13):
        for log in (2, 0, 1):
            await store.write(CODE, [AppendEntry(log, number, 10 * number, f"{log}:{number}")])
    match, first, second = ([(10 * number, f"{log}:{number}") for number in range(1, 13)] for log in (0, 1, 2))
    assert await kept(store) == StoredMatch(terms(), (match, first, second), (12, 12, 12))
    assert (await kept(store)).events == match
    assert (await kept(store)).boards == (first, second)


@pytest.mark.parametrize("text", ["hp1", "hp2"], ids=["the same text", "another text"])
async def test_a_number_is_taken_once(store: Store, text: str) -> None:
    await make(store)
    await store.write(CODE, [AppendEntry(1, 1, 5, "t")])
    await store.write(CODE, [AppendEntry(1, 2, 6, "hp1")])
    for number in (1, 2):
        assert isinstance(await attempt(store, AppendEntry(1, number, 9, text)), Conflict)
    assert (await kept(store)).boards[0] == [(5, "t"), (6, "hp1")]


@pytest.mark.parametrize("number", [-1, 0, 3, 4, 1_000_000])
async def test_no_entry_comes_before_its_predecessor(store: Store, number: int) -> None:
    await make(store)
    await store.write(CODE, [AppendEntry(1, 1, 5, "t")])
    assert isinstance(await attempt(store, AppendEntry(1, number, 6, "hp1")), Conflict)
    assert (await kept(store)).boards[0] == [(5, "t")]


async def test_the_predecessor_is_looked_for_in_the_same_log_of_the_same_match(store: Store) -> None:
    await make(store, "aaaaaaaa", "bbbbbbbb")
    await store.write("aaaaaaaa", [AppendEntry(1, 1, 5, "t")])
    assert isinstance(await attempt(store, AppendEntry(2, 2, 6, "hp1"), match="aaaaaaaa"), Conflict)
    assert isinstance(await attempt(store, AppendEntry(1, 2, 6, "hp1"), match="bbbbbbbb"), Conflict)


async def test_of_many_who_append_the_same_number_one_succeeds(store: Store) -> None:
    await make(store)
    outcomes = await asyncio.gather(*(attempt(store, AppendEntry(1, 1, 5, f"writer {each}")) for each in range(50)))
    (winner,) = [each for each, outcome in enumerate(outcomes) if outcome is None]
    assert all(isinstance(outcome, Conflict) for outcome in outcomes if outcome is not None)
    assert (await kept(store)).boards[0] == [(5, f"writer {winner}")]


async def test_texts_are_kept_letter_by_letter(store: Store) -> None:
    text = ' Ünïcode, "quotes", \\, \x00, a\r\nline and 🂡 '
    await store.write(CODE, [CreateMatch(terms()), AppendEntry(0, 1, 5, text), AppendEntry(0, 2, 6, "")])
    assert (await kept(store)).events == [(5, text), (6, "")]


async def test_times_may_be_wall_clock_milliseconds_far_ahead(store: Store) -> None:
    await store.write(CODE, [CreateMatch(terms()), AppendEntry(0, 1, 1 << 53, "later"), SetDue(1 << 53)])
    assert (await kept(store)).events == [(1 << 53, "later")]
    assert await store.due((1 << 53) - 1) == []
    assert await store.due(1 << 53) == [CODE]


# Reading on


async def test_what_comes_after_some_numbers_can_be_read_alone(store: Store) -> None:
    await make(store)
    for log, length in enumerate((4, 5, 3)):
        await store.write(CODE, [AppendEntry(log, n, n, f"{log}:{n}") for n in range(1, length + 1)])
    whole = [(n, f"0:{n}") for n in range(1, 5)]
    assert await store.read(CODE, (0, 3, 3)) == StoredMatch(terms(), (whole, [(4, "1:4"), (5, "1:5")], []), (4, 5, 3))


async def test_whoever_knows_more_than_there_is_gets_nothing_and_the_true_numbers(store: Store) -> None:
    await store.write(CODE, [CreateMatch(terms()), AppendEntry(1, 1, 5, "t")])
    assert await store.read(CODE, (7, 7, 7)) == StoredMatch(terms(), ([], [], []), (0, 1, 0))


async def test_what_is_read_has_all_of_a_write_or_nothing(store: Store) -> None:
    await make(store)

    async def write() -> None:
        for n in range(1, 101):
            await store.write(CODE, [AppendEntry(log, n, n, "x") for log in (0, 1, 2)])

    writing = asyncio.create_task(write())
    while not writing.done():
        assert len(set((await kept(store)).numbers)) == 1
    await writing


# All or nothing


async def test_of_writes_that_fail_nothing_is_kept(store: Store) -> None:
    await store.write(CODE, [CreateMatch(terms()), AppendEntry(1, 1, 5, "t"), SetDue(50)])
    failed = await attempt(
        store,
        AppendEntry(2, 1, 6, "t"),
        TakeSeat("ann", "Ann", 6),
        SetDue(60),
        EndMatch(6),
        AppendEntry(1, 1, 6, "taken"),
        AppendEntry(0, 1, 6, "event"),
    )
    assert isinstance(failed, Conflict)
    assert await kept(store) == StoredMatch(terms(), ([], [(5, "t")], []), (0, 1, 0))
    assert await store.open_matches() == [CODE]
    assert await store.due(50) == [CODE]
    assert await store.seats("ann") == await store.history("ann", 9) == []
    assert await store.player("ann") is None


async def test_a_match_whose_first_entry_fails_is_not_made(store: Store) -> None:
    failed = await attempt(
        store, CreateMatch(terms()), TakeSeat("ann", "Ann", 5), SetDue(5), AppendEntry(0, 2, 5, "gap")
    )
    assert isinstance(failed, Conflict)
    assert await store.read(CODE) is None
    assert await store.open_matches() == await store.due(1 << 50) == await store.seats("ann") == []
    assert await attempt(store, CreateMatch(terms())) is None


async def test_writes_that_fail_leave_their_neighbours_alone(store: Store) -> None:
    await make(store)
    outcomes = await asyncio.gather(
        attempt(store, AppendEntry(1, 1, 1, "t"), AppendEntry(2, 1, 1, "t")),
        attempt(store, AppendEntry(2, 2, 2, "no"), AppendEntry(1, 1, 2, "taken")),
        attempt(store, AppendEntry(2, 2, 3, "yes")),
        attempt(store, AppendEntry(1, 3, 4, "gap")),
        attempt(store, AppendEntry(1, 2, 5, "yes"), AppendEntry(1, 3, 5, "too")),
    )
    assert [outcome is None for outcome in outcomes] == [True, False, True, False, True]
    assert (await kept(store)).boards == ([(1, "t"), (5, "yes"), (5, "too")], [(1, "t"), (3, "yes")])


async def test_what_cannot_be_kept_is_said_and_the_store_goes_on(store: Store) -> None:
    await make(store)
    outcomes = await asyncio.gather(
        attempt(store, AppendEntry(1, 1, 5, "\ud800")), attempt(store, AppendEntry(2, 1, 5, "t"), SetDue(7))
    )
    assert isinstance(outcomes[0], StoreError)
    assert not isinstance(outcomes[0], Conflict)
    await store.write(CODE, [AppendEntry(1, 1, 5, "t")])
    assert (await kept(store)).boards[0] == [(5, "t")]


async def test_who_gives_up_waiting_keeps_nobody_else_waiting(store: Store) -> None:
    await make(store)
    impatient = asyncio.create_task(store.write(CODE, [AppendEntry(1, 1, 5, "t")]))
    patient = asyncio.create_task(store.write(CODE, [AppendEntry(2, 1, 5, "t")]))
    await asyncio.sleep(0)
    impatient.cancel()
    await patient
    assert (await kept(store)).boards[1] == [(5, "t")]


async def test_many_matches_move_at_the_same_time(store: Store) -> None:
    codes = [f"match{number:03}" for number in range(40)]
    random = Random(1)

    async def move(code: str) -> None:
        await store.write(code, [CreateMatch(terms(code))])
        for number in range(1, 26):
            for log in (1, 2):
                await store.write(code, [AppendEntry(log, number, number, f"{code} {log} {number}")])
                if random.random() < 0.2:
                    assert isinstance(
                        await attempt(store, AppendEntry(log, number, number, "again"), match=code), Conflict
                    )
        await store.write(code, [EndMatch(100)])

    await asyncio.gather(*(move(code) for code in codes))
    for code in codes:
        for log, board in enumerate((await kept(store, code)).boards, 1):
            assert board == [(number, f"{code} {log} {number}") for number in range(1, 26)]
    assert await store.open_matches() == []


# Closed, and opened again


async def test_closing_writes_what_is_being_written(place: Place) -> None:
    store = await place.open()
    await make(store)
    writes = [asyncio.create_task(store.write(CODE, [AppendEntry(1, n, n, "x")])) for n in range(1, 101)]
    await asyncio.sleep(0)
    await store.close()
    await asyncio.gather(*writes)


async def test_a_closed_store_takes_no_more(place: Place) -> None:
    store = await place.open()
    await make(store)
    await store.close()
    assert isinstance(await attempt(store, AppendEntry(1, 1, 5, "t")), StoreError)
    assert not await store.ready()


async def test_a_store_opened_again_has_everything(place: Place) -> None:
    first = await place.open()
    await make(first, "aaaaaaaa", "bbbbbbbb")
    await asyncio.gather(*(first.write("aaaaaaaa", [AppendEntry(1, n, n, f"x{n}")]) for n in range(1, 101)))
    await first.write("bbbbbbbb", [TakeSeat("ann", "Ann", 5), EndMatch(5)])
    await first.write("aaaaaaaa", [TakeSeat("ann", "Ann B.", 7), SetDue(9)])
    await first.offer("golf", Seeker("ann"), "aaaaaaaa")
    clock = (await first.beat("one", 0, [])).now + 7_000_000
    await first.beat("one", clock, [])
    secret = await first.house_secret()
    await first.close()

    again = await place.open()
    if place.lasting:
        board = [(n, f"x{n}") for n in range(1, 101)]
        assert await kept(again, "aaaaaaaa") == StoredMatch(terms("aaaaaaaa"), ([], board, []), (0, 100, 0))
        assert await again.open_matches() == await again.due(9) == await again.seats("ann") == ["aaaaaaaa"]
        assert await again.history("ann", 9) == ["bbbbbbbb"]
        assert await again.player("ann") == ("Ann B.", 5, 7)
        assert await again.pair("golf", Seeker("ben"), None) == "aaaaaaaa"
        assert 0 <= (await again.beat("another", 0, [])).now - clock < LONGEST_PAUSE
        assert await again.house_secret() == secret
        assert isinstance(await attempt(again, AppendEntry(1, 100, 9, "taken"), match="aaaaaaaa"), Conflict)
        await again.write("aaaaaaaa", [AppendEntry(1, 101, 9, "next")])
    else:
        assert await again.open_matches() == []
    await again.close()
