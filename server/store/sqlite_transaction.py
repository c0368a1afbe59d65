"""A transaction: all that is done in it is there, or nothing."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from sqlite3 import Connection, Error


@contextmanager
def transaction(database: Connection) -> Iterator[None]:
    """Commit what is done within, or take it back if that fails."""
    database.execute("BEGIN IMMEDIATE")
    try:
        yield
        database.execute("COMMIT")
    except BaseException:
        with suppress(Error):  # a full disk ends a transaction by itself
            database.execute("ROLLBACK")
        raise
