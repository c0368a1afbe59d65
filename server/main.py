"""The command `tommy-server`."""

import asyncio
import contextlib
import logging
import os
import socket
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import structlog

from server.app import RaceServer, run
from server.export import exported
from server.settings import (
    DAY,
    DEFAULT_BOTS,
    DEFAULT_HEALTH,
    DEFAULT_PORT,
    EVERYWHERE,
    LIMITS,
    BadSetting,
    Settings,
    default_store,
    games_named,
    health_at,
    limits_named,
    server_named,
    store_at,
)
from server.store.port import StoreError

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
  tommy-server --store redis://host   one of several servers that share their matches
  tommy-server export -o records      write the records of all matches that have ended

Matches are kept in the store, so they outlive a restart, planned or not: players come back by themselves and go on.
Stop with Ctrl-C or SIGTERM."""


class OneLineGroup(click.Group):
    """A command that says in one line what is wrong with it."""

    def main(self, *args: Any, **extra: Any) -> Any:
        try:
            return super().main(*args, **{**extra, "standalone_mode": False})
        except click.UsageError as error:
            trouble = f"{error.format_message()} (--help lists the options)"
        except (BadSetting, StoreError) as error:
            trouble = str(error)
        except OSError as error:
            what = error.strerror or str(error)
            trouble = what if error.filename is None else f"{error.filename}: {what}"
            _drop_output()
        except click.Abort:
            sys.exit(130)
        click.echo(f"tommy-server: {trouble}", err=True)
        sys.exit(2)


@click.group(
    cls=OneLineGroup,
    epilog=EPILOG,
    invoke_without_command=True,
    context_settings={"auto_envvar_prefix": "TOMMY", "show_default": True},
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
    help="Where matches are kept: sqlite:PATH, memory: or redis://HOST:PORT, for several servers.",
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
@click.option(
    "--certificate",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Serve wss:// with this certificate and its chain (PEM).",
)
@click.option(
    "--key",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="The certificate's private key, if it is in a file of its own.",
)
@click.option(
    "--keep",
    type=click.FloatRange(min=0, min_open=True),
    metavar="DAYS",
    show_default="for ever; in Redis 30 days",
    help="For how many days a match is kept after its end.",
)
@click.option(
    "--health",
    default=DEFAULT_HEALTH,
    metavar="ADDRESS",
    help="Where /healthz, /readyz and /metrics are, for probes and Prometheus; off for nowhere.",
)
@click.option(
    "--drain",
    default=0.0,
    type=click.FloatRange(0, 3600),
    metavar="SECONDS",
    help="How long a server that is told to stop lets its players race on, while it takes nobody new.",
)
@click.option(
    "--name",
    "names",
    multiple=True,
    metavar="HOST",
    show_default="whatever it is asked for",
    help="What the server is called by those who dial it; may be given several times. Nobody can be who they are not by "
    "passing on what another server was told. Give it on every public server.",
)
@click.option(
    "--origin",
    "origins",
    multiple=True,
    metavar="URL",
    help="The origin of a web page that may connect; may be given several times. Other pages may not.",
)
@click.option(
    "--limits",
    default="",
    show_default=False,
    metavar="NAME=N,...",
    help="What one address may do: " + ", ".join(f"{name}={value}" for name, value in LIMITS.items()) + ".",
)
@click.option(
    "--trust",
    default="",
    show_default=False,
    metavar="NETWORKS",
    help="Proxies that are believed when they say for whom they connect (X-Forwarded-For), separated by commas.",
)
@click.option("--log-level", default="info", type=click.Choice(LEVELS), help="The least a log line must matter.")
@click.option("--log-json", is_flag=True, help="Log as JSON lines instead of text.")
@click.version_option(package_name="tommy-race", message="tommy-server %(version)s")
@click.pass_context
def main(
    context: click.Context,
    host: str,
    port: int,
    store: str,
    bots: int,
    games: str,
    certificate: Path | None,
    key: Path | None,
    keep: float | None,
    health: str,
    drain: float,
    names: tuple[str, ...],
    origins: tuple[str, ...],
    limits: str,
    trust: str,
    log_level: str,
    log_json: bool,
) -> None:
    """Host races of patience: two players, the same cards, the first to solve them wins."""
    set_up_logging(log_level, as_json=log_json)
    asked_for = context.get_parameter_source("health") is not click.core.ParameterSource.DEFAULT
    context.obj = settings = Settings(
        host=host,
        port=port,
        store=store,
        bots=bots,
        games=games_named(games),
        keep=None if keep is None else round(keep * DAY),
        health=health_at(health, asked_for=asked_for),
        certificate=certificate,
        key=key,
        drain=drain,
        names=tuple(map(server_named, names)),
        origins=origins,
        limits=limits_named(limits, trust),
    )
    if context.invoked_subcommand is None:
        server = RaceServer(settings)
        with asyncio.Runner(loop_factory=new_event_loop) as runner:
            runner.run(run(server, lambda actual: announce(server, actual)))


@main.command()
@click.option(
    "-o",
    "--output",
    type=click.Path(file_okay=False, path_type=Path),
    required=True,
    metavar="FOLDER",
    help="Where the files go, tommy-MATCH.json each. What is there already is not written again.",
)
@click.pass_obj
def export(settings: Settings, output: Path) -> None:
    """Write the records of all matches that have ended.

    With an SQLite store this needs a server that is not running; with Redis it may.
    """
    output.mkdir(parents=True, exist_ok=True)
    with asyncio.Runner(loop_factory=new_event_loop) as runner:
        written, kept = runner.run(exported(store_at(settings.store), output))
    tell(f"{written} records written to {output}, {kept} were there already")


def _drop_output() -> None:
    """Let go of what standard output may not have taken: Python would try again at the end, and fail once more."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def tell(line: str) -> None:
    """Print a line. Raises `OSError`, with the name of what takes nothing more."""
    try:
        click.echo(line)
    except OSError as error:
        raise OSError(error.errno, error.strerror, "standard output") from None


def announce(server: RaceServer, port: int) -> None:
    """Tell the host what is served where, and what others type to come."""
    settings = server.settings
    scheme = settings.scheme
    tell(f"tommy-server {server.version} serving on {scheme}://{settings.here(port)}")
    tell(f"  matches are kept in {server.store.address} ({server.waiting} still open)")
    called = settings.called(port)
    if scheme == "wss":
        called = f"wss://{called}"
    tell(f"  to play:   tommy play --server {called}")
    tell(f"  to watch:  tommy watch --server {called}")
    for address in addresses() if settings.host in EVERYWHERE and scheme == "ws" and not settings.names else ():
        tell(f"  from other machines:  --server {address}:{port}")
    tell("  to stop:   Ctrl-C")


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
