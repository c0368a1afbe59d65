"""Matches to put into a store, and short ways to do it."""

from server.events import Terms
from server.store.port import (
    AppendEntry,
    CreateMatch,
    EndMatch,
    SetDue,
    Store,
    StoredMatch,
    StoreError,
    TakeSeat,
    Write,
)

CODE = "abcdefgh"


def terms(match: str = CODE, created: int = 1_700_000_000_000, seats: int = 2) -> Terms:
    return Terms(match, "sir-tommy", 900_000, 60_000, listed=True, secret="5e" * 32, created=created, seats=seats)


async def make(store: Store, *matches: str) -> None:
    """Make some matches, or the usual one."""
    for match in matches or (CODE,):
        await store.write(match, [CreateMatch(terms(match))])


async def attempt(store: Store, *writes: Write, match: str = CODE) -> StoreError | None:
    """Write, and return what is said against it."""
    try:
        await store.write(match, writes)
    except StoreError as error:
        return error
    return None


async def kept(store: Store, match: str = CODE) -> StoredMatch:
    found = await store.read(match)
    assert found is not None
    return found


async def play(store: Store, match: str, players: tuple[str, ...], *, due: int = 5, ended: int | None = None) -> None:
    """Have a match from beginning to end, or nearly."""
    seats = [TakeSeat(player, player.title(), 5 + seat) for seat, player in enumerate(players)]
    await store.write(match, [CreateMatch(terms(match)), AppendEntry(0, 1, 5, "seated"), *seats, SetDue(due)])
    for n in (1, 2, 3):
        await store.write(match, [AppendEntry(1, n, n, "t")])
    if ended is not None:
        await store.write(match, [AppendEntry(0, 2, ended, "finished"), EndMatch(ended)])
