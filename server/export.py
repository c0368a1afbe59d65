"""Writing the records of all matches that have ended, for a backup or for anybody who wants to check them."""

from collections.abc import AsyncIterator
from pathlib import Path

import structlog

from engine.record import Record, write_record
from server.match import Match
from server.store.port import Store
from server.thinking import Thinking

log = structlog.get_logger()


async def records(store: Store) -> AsyncIterator[Record]:
    """The records of all matches that have ended and are kept, the oldest first. Raises `StoreError`.

    A match that cannot be read, such as one of a game that this version does not know, is passed over and logged.
    """
    thinking = Thinking()
    async for code in store.ended_matches():
        stored = await store.read(code)
        if stored is None:  # it has been kept long enough meanwhile
            continue
        try:
            record = (await thinking.done(Match.served(stored))).record
        except Exception:
            log.exception("match cannot be exported", match=code)
            continue
        yield record


async def exported(store: Store, folder: Path) -> tuple[int, int]:
    """Write those records that are not in the folder yet; how many were written, and how many were there.

    Each file appears whole or not at all. Raises `UnusableStore`, `StoreError`, `OSError`.
    """
    written = kept = 0
    await store.open(lambda _: None)
    try:
        async for record in records(store):
            file = folder / f"tommy-{record.match}.json"
            if file.exists():
                kept += 1
                continue
            draft = file.with_suffix(".part")
            draft.write_text(write_record(record), encoding="utf-8")
            draft.replace(file)
            written += 1
    finally:
        await store.close()
    return written, kept
