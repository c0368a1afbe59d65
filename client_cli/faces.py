"""Which face a guest gets: the full screen, or the plain line mode."""

from collections.abc import Iterator
from contextlib import contextmanager

from client_cli.announcements import Announcement
from client_cli.options import Settings
from client_cli.troubles import Exit
from protocol.messages import ClientMessage


async def race(settings: Settings, ask: ClientMessage, *, always_ready: bool) -> Exit:
    """Take a seat and race."""
    if settings.full_screen:
        from client_cli.screen import opening
        from client_cli.screen.settings import chosen

        look, keys = chosen(settings.settings, settings.look)
        with _notes(settings) as notes:
            key = settings.seat_key(notes.append)
            return await opening.play(
                settings.connection(key),
                ask,
                settings.screen,
                settings.keeper(key),
                look,
                keys,
                always_ready=always_ready,
                notes=notes,
            )
    from client_cli import plain

    key = settings.seat_key()
    return await plain.play(
        settings.connection(key), ask, settings.screen, settings.keeper(key), always_ready=always_ready
    )


async def watch(settings: Settings, code: str | None, *, follow: bool) -> Exit:
    """Watch a match, or choose one."""
    if settings.full_screen:
        from client_cli.screen import opening
        from client_cli.screen.settings import chosen

        look, keys = chosen(settings.settings, settings.look)
        with _notes(settings) as notes:
            connection = settings.connection(settings.fresh_key(notes.append))
            return await opening.watch(
                connection, code, settings.screen, settings.keeper(), look, keys, follow=follow, notes=notes
            )
    from client_cli import plain

    connection = settings.connection(settings.fresh_key())
    return await plain.watch(connection, code, settings.screen, settings.keeper(), follow=follow)


@contextmanager
def _notes(settings: Settings) -> Iterator[list[Announcement]]:
    """What there is to tell beside the match. The full screen shows it, and soon other things: so it is told again."""
    notes: list[Announcement] = []
    try:
        yield notes
    finally:
        for note in notes:
            settings.tell(note)
