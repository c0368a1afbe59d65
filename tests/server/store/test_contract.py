"""What every store promises (server/store/port.py), whichever it is."""

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random

import pytest
import pytest_asyncio

from server.events import Terms
from server.store.port import AppendEntry, Conflict, CreateMatch, EndMatch, Store, StoredMatch, StoreError, Write
from server.store.sqlite import MEMORY, SqliteStore


@dataclass(frozen=True)
class Kind:
    """A kind of store, and how to open one; `lasting` ones have everything again when they are opened anew."""

    name: str
    at: Callable[[Path], Store]
    lasting: bool


KINDS = [
    Kind("sqlite", lambda folder: SqliteStore(str(folder / "matches.db")), lasting=True),
    Kind("memory", lambda _: SqliteStore(MEMORY), lasting=False),
]


@pytest.fixture(params=KINDS, ids=lambda kind: kind.name)
def kind(request: pytest.FixtureRequest) -> Kind:
    assert isinstance(request.param, Kind)
    return request.param


@pytest_asyncio.fixture
async def store(kind: Kind, tmp_path: Path) -> AsyncIterator[Store]:
    opened = kind.at(tmp_path)
    await opened.open()
    yield opened
    await opened.close()


def terms(match: str = "abcdefgh") -> Terms:
    return Terms(match, "sir-tommy", 900_000, 60_000, listed=True, secret="5e" * 32, created=1_700_000_000_000)


def submitting(store: Store, *writes: Write) -> "asyncio.Future[StoreError | None]":
    """Submit some writes that belong together; the future gets what `done` is told."""
    future = asyncio.get_running_loop().create_future()
    store.submit(writes, future.set_result)
    return future


async def submit(store: Store, *writes: Write) -> StoreError | None:
    return await asyncio.wait_for(submitting(store, *writes), 10)


async def kept(store: Store, match: str = "abcdefgh") -> StoredMatch:
    found = await store.load(match)
    assert found is not None
    return found


# Matches


async def test_a_match_is_kept_with_its_terms_and_empty_logs(store: Store) -> None:
    assert await submit(store, CreateMatch(terms())) is None
    assert await kept(store) == StoredMatch(terms(), [], ([], []))


async def test_a_match_that_was_never_made_is_not_known(store: Store) -> None:
    assert await store.load("abcdefgh") is None


async def test_a_code_is_used_once(store: Store) -> None:
    await submit(store, CreateMatch(terms()), AppendEntry("abcdefgh", 2, 1, 5, "seated"))
    other = Terms("abcdefgh", "strategy", 10_000, 1_000, listed=False, secret="00" * 32, created=5)
    assert isinstance(await submit(store, CreateMatch(other), AppendEntry("abcdefgh", 2, 1, 6, "other")), Conflict)
    assert await kept(store) == StoredMatch(terms(), [(5, "seated")], ([], []))


async def test_a_code_is_not_used_again_after_the_match_has_ended(store: Store) -> None:
    await submit(store, CreateMatch(terms()), EndMatch("abcdefgh", 7))
    assert isinstance(await submit(store, CreateMatch(terms())), Conflict)


async def test_open_matches_are_those_that_have_not_ended(store: Store) -> None:
    assert await store.open_matches() == []
    for match in ("aaaaaaaa", "bbbbbbbb", "cccccccc"):
        await submit(store, CreateMatch(terms(match)))
    await submit(store, EndMatch("bbbbbbbb", 7))
    assert sorted(await store.open_matches()) == ["aaaaaaaa", "cccccccc"]


async def test_a_match_that_has_ended_is_still_there(store: Store) -> None:
    await submit(store, CreateMatch(terms()), AppendEntry("abcdefgh", 0, 1, 5, "t"))
    await submit(store, AppendEntry("abcdefgh", 0, 2, 6, "resign"), EndMatch("abcdefgh", 7))
    assert (await kept(store)).boards == ([(5, "t"), (6, "resign")], [])


async def test_a_match_may_be_ended_twice(store: Store) -> None:
    await submit(store, CreateMatch(terms()))
    assert await submit(store, EndMatch("abcdefgh", 7)) is None
    assert await submit(store, EndMatch("abcdefgh", 8)) is None
    assert await store.open_matches() == []


async def test_entries_may_follow_the_end(store: Store) -> None:
    await submit(store, CreateMatch(terms()), EndMatch("abcdefgh", 7))
    assert await submit(store, AppendEntry("abcdefgh", 2, 1, 8, "again")) is None
    assert (await kept(store)).events == [(8, "again")]


# Appending: compare and set


async def test_the_logs_of_a_match_are_kept_apart_and_in_order(store: Store) -> None:
    await submit(store, CreateMatch(terms()))
    for number in range(1, 13):
        for log in (2, 0, 1):
            assert await submit(store, AppendEntry("abcdefgh", log, number, 10 * number, f"{log}:{number}")) is None
    boards = [[(10 * number, f"{log}:{number}") for number in range(1, 13)] for log in (0, 1, 2)]
    assert await kept(store) == StoredMatch(terms(), boards[2], (boards[0], boards[1]))


@pytest.mark.parametrize("text", ["hp1", "hp2"], ids=["the same text", "another text"])
async def test_a_number_is_taken_once(store: Store, text: str) -> None:
    await submit(store, CreateMatch(terms()))
    await submit(store, AppendEntry("abcdefgh", 0, 1, 5, "t"))
    await submit(store, AppendEntry("abcdefgh", 0, 2, 6, "hp1"))
    for number in (1, 2):
        assert isinstance(await submit(store, AppendEntry("abcdefgh", 0, number, 9, text)), Conflict)
    assert (await kept(store)).boards[0] == [(5, "t"), (6, "hp1")]


@pytest.mark.parametrize("number", [3, 4, 1_000_000])
async def test_no_entry_comes_before_its_predecessor(store: Store, number: int) -> None:
    await submit(store, CreateMatch(terms()))
    await submit(store, AppendEntry("abcdefgh", 0, 1, 5, "t"))
    assert isinstance(await submit(store, AppendEntry("abcdefgh", 0, number, 6, "hp1")), Conflict)
    assert (await kept(store)).boards[0] == [(5, "t")]


async def test_the_predecessor_is_looked_for_in_the_same_log_of_the_same_match(store: Store) -> None:
    for match in ("aaaaaaaa", "bbbbbbbb"):
        await submit(store, CreateMatch(terms(match)))
    await submit(store, AppendEntry("aaaaaaaa", 0, 1, 5, "t"))
    assert isinstance(await submit(store, AppendEntry("aaaaaaaa", 1, 2, 6, "hp1")), Conflict)
    assert isinstance(await submit(store, AppendEntry("bbbbbbbb", 0, 2, 6, "hp1")), Conflict)


async def test_of_many_who_append_the_same_number_one_succeeds(store: Store) -> None:
    await submit(store, CreateMatch(terms()))
    futures = [submitting(store, AppendEntry("abcdefgh", 0, 1, 5, f"writer {each}")) for each in range(50)]
    outcomes = await asyncio.gather(*futures)
    (winner,) = [each for each, outcome in enumerate(outcomes) if outcome is None]
    assert all(isinstance(outcome, Conflict) for outcome in outcomes if outcome is not None)
    assert (await kept(store)).boards[0] == [(5, f"writer {winner}")]


async def test_texts_are_kept_letter_by_letter(store: Store) -> None:
    text = 'Ünïcode, "quotes", \\, \x00, a\nline and 🂡'
    await submit(store, CreateMatch(terms()), AppendEntry("abcdefgh", 2, 1, 5, text))
    assert (await kept(store)).events == [(5, text)]


async def test_times_may_be_wall_clock_milliseconds_far_ahead(store: Store) -> None:
    await submit(store, CreateMatch(terms()), AppendEntry("abcdefgh", 2, 1, 1 << 53, "later"))
    assert (await kept(store)).events == [(1 << 53, "later")]


# All or nothing


async def test_of_a_submission_that_fails_nothing_is_kept(store: Store) -> None:
    await submit(store, CreateMatch(terms()), AppendEntry("abcdefgh", 0, 1, 5, "t"))
    failed = await submit(
        store,
        AppendEntry("abcdefgh", 1, 1, 6, "t"),
        CreateMatch(terms("bbbbbbbb")),
        EndMatch("abcdefgh", 6),
        AppendEntry("abcdefgh", 0, 1, 6, "taken"),
        AppendEntry("abcdefgh", 2, 1, 6, "event"),
    )
    assert isinstance(failed, Conflict)
    assert await kept(store) == StoredMatch(terms(), [], ([(5, "t")], []))
    assert await store.load("bbbbbbbb") is None
    assert await store.open_matches() == ["abcdefgh"]


async def test_a_submission_that_fails_leaves_its_neighbours_alone(store: Store) -> None:
    await submit(store, CreateMatch(terms()))
    futures = [
        submitting(store, AppendEntry("abcdefgh", 0, 1, 1, "t"), AppendEntry("abcdefgh", 1, 1, 1, "t")),
        submitting(store, AppendEntry("abcdefgh", 1, 2, 2, "no"), AppendEntry("abcdefgh", 0, 1, 2, "taken")),
        submitting(store, AppendEntry("abcdefgh", 1, 2, 3, "yes")),
        submitting(store, AppendEntry("abcdefgh", 0, 3, 4, "gap")),
        submitting(store, AppendEntry("abcdefgh", 0, 2, 5, "yes"), AppendEntry("abcdefgh", 0, 3, 5, "too")),
    ]
    outcomes = await asyncio.gather(*futures)
    assert [outcome is None for outcome in outcomes] == [True, False, True, False, True]
    assert (await kept(store)).boards == ([(1, "t"), (5, "yes"), (5, "too")], [(1, "t"), (3, "yes")])


async def test_what_cannot_be_kept_is_reported_and_the_store_goes_on(store: Store) -> None:
    await submit(store, CreateMatch(terms()))
    for entry in (AppendEntry("abcdefgh", 0, 1, 1 << 80, "t"), AppendEntry("abcdefgh", 0, 1, 5, "\ud800")):
        assert isinstance(await submit(store, entry), StoreError)
    assert await submit(store, AppendEntry("abcdefgh", 0, 1, 5, "t")) is None
    assert (await kept(store)).boards[0] == [(5, "t")]


# Order


async def test_what_was_done_is_reported_in_the_order_of_the_submissions(store: Store) -> None:
    reported: list[int] = []

    def note(number: int) -> Callable[[StoreError | None], None]:
        return lambda _error: reported.append(number)

    store.submit([CreateMatch(terms())], note(0))
    for number in range(1, 300):
        entry = number if number % 7 else 9999
        store.submit([AppendEntry("abcdefgh", number % 2, entry, number, "x")], note(number))
        if number % 50 == 0:
            await asyncio.sleep(0)
    await submit(store, EndMatch("abcdefgh", 5))
    assert reported == list(range(300))


async def test_whoever_asks_sees_all_that_was_submitted_before(store: Store) -> None:
    store.submit([CreateMatch(terms())], lambda _error: None)
    for number in range(1, 101):
        store.submit([AppendEntry("abcdefgh", 0, number, number, "x")], lambda _error: None)
        if number % 25 == 0:
            assert len((await kept(store)).boards[0]) == number
    assert await store.open_matches() == ["abcdefgh"]


async def test_reports_come_on_the_loop(store: Store) -> None:
    loops: list[object] = []
    store.submit([CreateMatch(terms())], lambda _error: loops.append(asyncio.get_running_loop()))
    await submit(store, EndMatch("abcdefgh", 5))
    assert loops == [asyncio.get_running_loop()]


async def test_a_listener_that_fails_keeps_nobody_else_waiting(store: Store) -> None:
    complaints = []
    asyncio.get_running_loop().set_exception_handler(lambda _loop, context: complaints.append(context))

    def fail(_error: StoreError | None) -> None:
        raise ZeroDivisionError

    store.submit([CreateMatch(terms("aaaaaaaa"))], fail)
    assert await submit(store, CreateMatch(terms("bbbbbbbb"))) is None
    assert [type(each["exception"]) for each in complaints] == [ZeroDivisionError]


async def test_many_matches_move_at_the_same_time(store: Store) -> None:
    codes = [f"match{number:03}" for number in range(40)]
    random = Random(1)
    await asyncio.gather(*(submitting(store, CreateMatch(terms(code))) for code in codes))

    async def play(code: str) -> None:
        for number in range(1, 26):
            for log in (0, 1):
                assert await submit(store, AppendEntry(code, log, number, number, f"{code} {log} {number}")) is None
                if random.random() < 0.2:
                    assert isinstance(await submit(store, AppendEntry(code, log, number, number, "again")), Conflict)
        assert await submit(store, EndMatch(code, 100)) is None

    await asyncio.gather(*(play(code) for code in codes))
    for code in codes:
        for log, board in enumerate((await kept(store, code)).boards):
            assert board == [(number, f"{code} {log} {number}") for number in range(1, 26)]
    assert await store.open_matches() == []


# What else is kept


async def test_the_newest_beat_is_kept(store: Store) -> None:
    assert await store.last_beat() == 0
    for now in (1_700_000_000_000, 1_700_000_001_000):
        store.beat(now)
    assert await store.last_beat() == 1_700_000_001_000


async def test_the_house_secret_is_made_once(store: Store) -> None:
    secret = await store.house_secret()
    assert len(secret) == 32
    assert await store.house_secret() == secret


async def test_two_stores_have_two_house_secrets(kind: Kind, tmp_path: Path) -> None:
    secrets = set()
    for name in ("one", "two"):
        other = kind.at(tmp_path / name)
        await other.open()
        secrets.add(await other.house_secret())
        await other.close()
    assert len(secrets) == 2


# Closed, and opened again


async def test_closing_writes_what_was_submitted_and_reports_it(kind: Kind, tmp_path: Path) -> None:
    first = kind.at(tmp_path)
    await first.open()
    futures = [submitting(first, CreateMatch(terms()))]
    futures += [submitting(first, AppendEntry("abcdefgh", 0, number, number, "x")) for number in range(1, 101)]
    first.beat(1_700_000_000_000)
    await first.close()
    assert await asyncio.wait_for(asyncio.gather(*futures), 10) == [None] * 101


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind.lasting], ids=lambda kind: kind.name)
async def test_a_store_opened_again_has_everything(kind: Kind, tmp_path: Path) -> None:
    first = kind.at(tmp_path)
    await first.open()
    futures = [submitting(first, CreateMatch(terms(code))) for code in ("aaaaaaaa", "bbbbbbbb")]
    futures += [submitting(first, AppendEntry("aaaaaaaa", 0, number, number, f"x{number}")) for number in range(1, 101)]
    futures += [submitting(first, EndMatch("bbbbbbbb", 5))]
    first.beat(1_700_000_000_000)
    secret = await first.house_secret()
    await first.close()
    assert await asyncio.gather(*futures) == [None] * 103

    again = kind.at(tmp_path)
    await again.open()
    assert await kept(again, "aaaaaaaa") == StoredMatch(
        terms("aaaaaaaa"), [], ([(number, f"x{number}") for number in range(1, 101)], [])
    )
    assert await again.open_matches() == ["aaaaaaaa"]
    assert await again.last_beat() == 1_700_000_000_000
    assert await again.house_secret() == secret
    assert isinstance(await submit(again, AppendEntry("aaaaaaaa", 0, 100, 9, "taken")), Conflict)
    assert await submit(again, AppendEntry("aaaaaaaa", 0, 101, 9, "next")) is None
    await again.close()
