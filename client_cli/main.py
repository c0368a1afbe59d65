"""The command line of `tommy`. What a command needs beyond the options is imported when it runs."""

import errno
import io
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from traceback import walk_tb
from typing import Any

import click

from client_cli import after
from client_cli.announcements import Announcement
from client_cli.bots import DEFAULT_LEVEL, LEVELS
from client_cli.foreign import shown
from client_cli.language import say
from client_cli.options import (
    MINUTE,
    NO_RECEIPTS,
    SECOND,
    Settings,
    clock,
    for_bots,
    game_name,
    grace,
    match_code,
    offline,
    online,
    pictured,
    player_key,
    player_name,
    receipted,
    run,
    with_options,
)
from client_cli.streams import drop, fill_in_closed, full
from client_cli.troubles import Bug, ClientError, Exit, FileTrouble, SystemTrouble
from client_cli.version import version
from protocol.messages import DEFAULT_CLOCK, DEFAULT_GRACE, Level

DEFAULT_GAME = "sir-tommy"
PROGRAM = "tommy"
"""What a bot of ours says that it is."""
LONGEST_COMPLAINT = 1000
"""Letters of what is said about a mistake on the command line."""


class Tommy(click.Group):
    """Ends every command with one line and an exit code, never with a traceback."""

    def main(self, *args: Any, **extra: Any) -> Any:
        """Run a command line, and exit."""
        fill_in_closed()
        sys.exit(_ended(lambda: super(Tommy, self).main(*args, **{**extra, "standalone_mode": False})))

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except ClientError as error:
            _complain(error, ctx.ensure_object(Settings))
            ctx.exit(error.exit_code)
        except KeyboardInterrupt:
            _echo_error("")
            ctx.exit(Exit.INTERRUPTED)
        except (click.ClickException, click.exceptions.Exit, click.Abort):
            raise
        except Exception as error:
            if isinstance(error, OSError) and error.errno == errno.EPIPE:
                raise  # whoever read the output has gone; click ends quietly
            if os.environ.get("TOMMY_TRACEBACK"):
                raise
            _complain(ClientError(_trouble(error)), ctx.ensure_object(Settings))
            ctx.exit(Exit.ERROR)


def _ended(work: Callable[[], Any]) -> int:
    """Carry a command line out, and say what click has to say about it. Returns the exit code."""
    try:
        if sys.stdout is None:
            raise full(os.strerror(errno.EBADF))
        return work() or Exit.FINE
    except click.ClickException as error:
        _echo_error(_usage(error))
        return error.exit_code
    except click.Abort:
        _echo_error(say("Aborted!"))
        return Exit.ERROR
    except ClientError as error:
        _complain(error)
    except OSError as error:  # what click prints itself, such as the help
        _complain(ClientError(_trouble(error)))
    return Exit.ERROR


def _usage(error: click.ClickException) -> str:
    """What click says of a mistake on the command line. Whatever was typed there may be in it, but on one line."""
    if not isinstance(error, click.MissingParameter | click.exceptions.NoArgsIsHelpError):
        fit = shown(error.format_message(), LONGEST_COMPLAINT)
        error = click.UsageError(fit, error.ctx) if isinstance(error, click.UsageError) else click.ClickException(fit)
    told = io.StringIO()
    error.show(told)
    return told.getvalue().rstrip("\n")


def _echo_error(text: str) -> None:
    """Print on standard error. Where that takes nothing more, the exit code has to do."""
    from client_cli.terminal import Screen

    with suppress(ClientError):
        Screen(out=sys.stderr or io.StringIO()).print(text)


def _complain(error: ClientError, settings: Settings | None = None) -> None:
    """Tell why the command ends: on standard error, and as an event for whoever reads events."""
    from client_cli.terminal import Screen

    if settings is not None and settings.json:
        with suppress(ClientError):  # it may be the output that there is trouble with
            settings.screen.show(error.problem)
    with suppress(ClientError):
        Screen(out=sys.stderr or io.StringIO()).show(error.problem)


def _trouble(error: Exception) -> Announcement:
    """What to tell of an error that nobody has expected: some are the system's, and no mistake in this program."""
    if isinstance(error, OSError) and error.errno is not None:
        why = error.strerror or str(error)
        if error.filename is not None:
            return FileTrouble(str(error.filename), why)
        if any(frame.f_code is click.echo.__code__ for frame, _ in walk_tb(error.__traceback__)):
            drop(sys.stdout)  # click was printing the help, or the version
            return full(why).problem
        return SystemTrouble(why)
    return Bug(f"{type(error).__name__}: {error}")


def _version(ctx: click.Context, _param: click.Parameter, value: bool) -> None:
    if value and not ctx.resilient_parsing:
        click.echo(f"tommy {version()}")
        ctx.exit()


@click.group(
    cls=Tommy,
    commands=after.COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="\n\n".join(
        (
            say("Race another player through the same shuffled cards."),
            "\b\n"
            + say(
                "Try it:    tommy play --bot        against a house bot\n"
                "           tommy play --create     with a friend, who types: tommy join CODE\n"
                "           tommy play              with whoever comes next\n"
                "           tommy watch             others\n"
                "           tommy rules             what it is all about"
            ),
            say(
                "A server must run somewhere; tommy-server starts one. In a race you type short words: t turns a card, 2 "
                "puts it on pile 2, f on a foundation; ? lists your moves and help all words."
            ),
        )
    ),
    epilog=say(
        "Exit codes: 0 fine, 1 error, or a deal or a record that does not fit, 2 usage, 3 no connection, 4 refused by the "
        "server, 5 a record of a game that this version does not know, 130 Ctrl-C."
    ),
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_version,
    help=say("Show the version and exit."),
)
@online
def main() -> None:
    """`tommy`."""


_game = click.option(
    "--game",
    type=game_name,
    metavar="GAME",
    default=DEFAULT_GAME,
    show_default=True,
    help=say("What to race; tommy rules has all."),
)
_option = click.option(
    "--option",
    "options",
    multiple=True,
    metavar="OPTION",
    help=say("An option of the game, such as redeal or peek; may be given several times. tommy rules GAME has them."),
)
_ready = click.option("--ready", is_flag=True, help=say("Be ready at once, without being asked."))


@main.command(
    help=say(
        "Race somebody: whoever comes next, a house bot, or a friend.\n\n"
        "Whoever comes next is a person, unless you say --anyone. If a match of yours is still on, because the connection "
        "or the program was lost, this takes you back to it."
    )
)
@_game
@_option
@click.option("--bot", is_flag=True, help=say("Against a house bot."))
@click.option(
    "--level",
    type=click.Choice(list(LEVELS)),
    help=say("How well the house bot plays, with --bot. Otherwise {default}.", default=DEFAULT_LEVEL),
)
@click.option(
    "--anyone", is_flag=True, help=say("Against whoever comes next, bots too. Otherwise people meet people only.")
)
@click.option("--create", is_flag=True, help=say("Make a match of your own and show its code, for a friend to join."))
@click.option(
    "--clock",
    type=clock,
    metavar="MIN",
    help=say(
        "Minutes on the match clock, with --bot or --create. Otherwise {default}.", default=DEFAULT_CLOCK // MINUTE
    ),
)
@click.option(
    "--grace",
    type=grace,
    metavar="SEC",
    help=say(
        "Seconds to come back after a lost connection, with --bot or --create. Otherwise {default}.",
        default=DEFAULT_GRACE // SECOND,
    ),
)
@_ready
@receipted
@pictured
@online
@click.pass_obj
def play(
    settings: Settings,
    game: str,
    options: tuple[str, ...],
    *,
    bot: bool,
    level: Level | None,
    anyone: bool,
    create: bool,
    clock: int | None,
    grace: int | None,
    ready: bool,
) -> None:
    """`tommy play`."""
    from client_cli import faces
    from protocol.messages import ClientMessage, Create, Play

    if bot + create + anyone > 1:
        raise click.UsageError(say("Choose one of --bot, --anyone and --create."))
    if level is not None and not bot:
        raise click.UsageError(say("--level belongs to --bot."))
    if not (bot or create) and (clock is not None or grace is not None):
        raise click.UsageError(say("--clock and --grace belong to a match of your own: add --create or --bot."))
    game = with_options(game, options)
    ask: ClientMessage = Play(game=game, bots=anyone)
    if bot or create:
        ask = Create(
            game=game,
            clock=DEFAULT_CLOCK if clock is None else clock,
            grace=DEFAULT_GRACE if grace is None else grace,
            level=(level or DEFAULT_LEVEL) if bot else None,
        )
    run(lambda: faces.race(settings, ask, always_ready=ready))


@main.command(help=say("Take the free seat of a match, or your own seat again."))
@click.argument("code", type=match_code)
@_ready
@receipted
@pictured
@online
@click.pass_obj
def join(settings: Settings, code: str, *, ready: bool) -> None:
    """`tommy join`."""
    from client_cli import faces
    from protocol.messages import Join

    run(lambda: faces.race(settings, Join(match=code), always_ready=ready))


@main.command(
    help=say(
        "Watch a match; without CODE, choose one of those being raced.\n\n"
        "The player who is ahead is shown only as far as it can help nobody: up to where the other one has got."
    )
)
@click.argument("code", type=match_code, required=False)
@click.option("--follow", is_flag=True, help=say("Watch the rematches as well."))
@receipted
@pictured
@online
@click.pass_obj
def watch(settings: Settings, code: str | None, *, follow: bool) -> None:
    """`tommy watch`."""
    from client_cli import faces

    run(lambda: faces.watch(settings, code, follow=follow))


@main.command(help=say("List the matches being raced now."))
@online
@click.pass_obj
def matches(settings: Settings) -> None:
    """`tommy matches`."""
    from client_cli import plain

    connection = settings.connection(settings.fresh_key())
    run(lambda: plain.matches(connection, settings.screen))


@main.command(help=say("Explain a game.\n\nIts goal, its layout, its moves, its end, and how to play it here."))
@click.argument("game", type=game_name, metavar="[GAME]", default=DEFAULT_GAME)
@offline
@click.pass_obj
def rules(settings: Settings, game: str) -> None:
    """`tommy rules`."""
    from client_cli.rules import explained

    settings.screen.show(explained(game))


@main.command(
    help=say(
        "Let a bot play one match, as a client of its own.\n\n"
        "It says that it is a bot, and is marked as one wherever its name stands. It sees what a player sees. At the "
        "normal level it takes what fits and puts the rest where it does least harm, without looking ahead: about one "
        "deal in six of Sir Tommy comes out."
    )
)
@click.option(
    "--join",
    "code",
    type=match_code,
    metavar="CODE",
    envvar="TOMMY_BOT_JOIN",
    help=say("Take the free seat of this match."),
)
@click.option("--quick", is_flag=True, envvar="TOMMY_BOT_QUICK", help=say("Race whoever comes next. The default."))
@click.option(
    "--resume",
    "resumed",
    metavar="MATCH",
    type=match_code,
    envvar="TOMMY_BOT_RESUME",
    help=say("Go to the seat of the bot's key here."),
)
@click.option(
    "--game",
    type=game_name,
    metavar="GAME",
    envvar="TOMMY_BOT_GAME",
    default=DEFAULT_GAME,
    show_default=True,
    help=say("With --quick."),
)
@_option
@click.option(
    "--level",
    type=click.Choice(list(LEVELS)),
    envvar="TOMMY_BOT_LEVEL",
    default=DEFAULT_LEVEL,
    show_default=True,
    help=say("How well it plays."),
)
@click.option(
    "--pace",
    type=click.FloatRange(0, 60),
    envvar="TOMMY_BOT_PACE",
    default=1.0,
    show_default=True,
    metavar="SECONDS",
    help=say("About how long a turn takes, with the moves that follow it."),
)
@click.option(
    "--key",
    type=player_key,
    metavar="KEY",
    envvar=("TOMMY_BOT_KEY", "TOMMY_KEY"),
    show_envvar=True,
    help=say("The bot's key; otherwise a new one."),
)
@click.option(
    "--name", type=player_name, metavar="NAME", envvar=("TOMMY_BOT_NAME", "TOMMY_NAME"), help=say("Otherwise Tommy.")
)
@receipted
@for_bots
@click.pass_obj
def bot(
    settings: Settings,
    code: str | None,
    resumed: str | None,
    game: str,
    options: tuple[str, ...],
    level: Level,
    pace: float,
    key: str | None,
    name: str | None,
    *,
    quick: bool,
) -> None:
    """`tommy bot`."""
    from client_cli import plain
    from protocol.messages import ClientMessage, Join, Play, Resume

    if sum((code is not None, quick, resumed is not None)) > 1:
        raise click.UsageError(say("Choose one of --join, --quick and --resume."))
    game = with_options(game, options)
    ask: ClientMessage = Play(game=game)
    if code is not None:
        ask = Join(match=code)
    elif resumed is not None:
        ask = Resume(match=resumed)
    settings.key = key or settings.key
    settings.name = name or settings.name or "Tommy"
    if settings.key is None and settings.key_file is None and settings.receipts is None:
        settings.receipts = Path(NO_RECEIPTS)  # it never comes back, and is not to push out anybody's own
    secret = settings.fresh_key()
    connection, keeper = settings.connection(secret, bot=PROGRAM), settings.keeper(secret)
    show = settings.screen.show if settings.json else plain.only_the_end(settings.screen.show)
    run(lambda: plain.bot(connection, ask, show, keeper, pace=pace, level=level))
