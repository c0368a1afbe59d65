"""The command `tommy-server`."""

import asyncio
import contextlib
import logging
import socket
import sys
from collections.abc import Callable

import click
import structlog

from server.app import RaceServer, run
from server.settings import DEFAULT_BOTS, DEFAULT_PORT, EVERYWHERE, BadSetting, Settings, default_store, games_named
from server.store.port import UnusableStore

new_event_loop: Callable[[], asyncio.AbstractEventLoop] = asyncio.new_event_loop
with contextlib.suppress(ImportError):  # where there is no uvloop, asyncio's own loop serves as well, only slower
    from uvloop import new_event_loop

LEVELS = ("debug", "info", "warning", "error")

EPILOG = """\b
Every option can also be set in the environment: TOMMY_PORT=8000, TOMMY_STORE=memory: and so on.

\b
Examples:
  tommy-server                        serve everyone who can reach this machine
  tommy-server --host 127.0.0.1       only this machine
  tommy-server --port 0               any free port; the first line says which
  tommy-server --store memory:        forget all matches at the end
  tommy-server --games lucas,maria    offer these games only

Matches are kept in the store, so they outlive a restart, planned or not: players come back by themselves and go on.
Stop with Ctrl-C or SIGTERM."""


class OneLineCommand(click.Command):
    """A command that says in one line what is wrong with its options."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        try:
            return super().parse_args(ctx, args)
        except click.UsageError as error:
            click.echo(f"tommy-server: {error.format_message()} (--help lists the options)", err=True)
            ctx.exit(2)


@click.command(
    cls=OneLineCommand, epilog=EPILOG, context_settings={"auto_envvar_prefix": "TOMMY", "show_default": True}
)
@click.option("--host", default="0.0.0.0", metavar="ADDRESS", help="Address to listen on.")  # noqa: S104
@click.option(
    "--port", default=DEFAULT_PORT, type=click.IntRange(0, 65535), help="Port to listen on; 0 for any free one."
)
@click.option(
    "--store",
    default=default_store,
    show_default="an SQLite file in your data folder",
    metavar="WHERE",
    help="Where matches are kept: sqlite:PATH or memory:.",
)
@click.option(
    "--bots",
    default=DEFAULT_BOTS,
    type=click.IntRange(0, 64),
    help="How many house bots may play at a time. Each is a process of its own.",
)
@click.option(
    "--games",
    default="",
    show_default="all there are",
    metavar="NAMES",
    help="The games to offer, each with all its options, separated by commas.",
)
@click.option("--log-level", default="info", type=click.Choice(LEVELS), help="The least a log line must matter.")
@click.option("--log-json", is_flag=True, help="Log as JSON lines instead of text.")
@click.version_option(package_name="tommy-race", message="tommy-server %(version)s")
def main(host: str, port: int, store: str, bots: int, games: str, log_level: str, log_json: bool) -> None:
    """Host races of patience: two players, the same cards, the first to solve them wins."""
    set_up_logging(log_level, as_json=log_json)
    try:
        server = RaceServer(Settings(host=host, port=port, store=store, bots=bots, games=games_named(games)))
        with asyncio.Runner(loop_factory=new_event_loop) as runner:
            runner.run(run(server, lambda actual: announce(server, actual)))
    except (BadSetting, UnusableStore) as error:
        click.echo(f"tommy-server: {error}", err=True)
        sys.exit(2)


def announce(server: RaceServer, port: int) -> None:
    """Tell the host what is served where, and what others type to come."""
    here = server.settings.here(port)
    click.echo(f"tommy-server {server.version} serving on ws://{here}")
    click.echo(f"  matches are kept in {server.store.address} ({len(server.hub.tables)} still open)")
    click.echo(f"  to play:   tommy play --server {here}")
    click.echo(f"  to watch:  tommy watch --server {here}")
    for address in addresses() if server.settings.host in EVERYWHERE else ():
        click.echo(f"  from other machines:  --server {address}:{port}")
    click.echo("  to stop:   Ctrl-C")
    sys.stdout.flush()


def addresses() -> list[str]:
    """This machine's addresses as others may know it."""
    try:
        _, _, found = socket.gethostbyname_ex(socket.gethostname())
    except OSError:
        return []
    return [address for address in found if not address.startswith("127.")]


def set_up_logging(level: str, *, as_json: bool) -> None:
    """Log to standard error, as text or as JSON lines."""
    number = logging.getLevelNamesMapping()[level.upper()]
    renderer = (
        structlog.processors.JSONRenderer() if as_json else structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty())
    )
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            renderer,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(number),
        logger_factory=structlog.WriteLoggerFactory(file=sys.stderr),
        cache_logger_on_first_use=True,
    )
    logging.basicConfig(level=max(number, logging.WARNING), format="%(levelname)s %(name)s: %(message)s")
    logging.getLogger("websockets").setLevel(logging.ERROR)  # a broken handshake is the client's matter, not the host's


if __name__ == "__main__":
    main()
