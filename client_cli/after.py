"""The commands for what comes after a match: its record, whether that is true, looking at it again, and all that was played.

What a command needs beyond the options is imported when it runs.
"""

import os
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from client_cli import key_file
from client_cli.answers import Written
from client_cli.language import say
from client_cli.options import Settings, at_home, match_code, offline, online, player_name, receipted, run
from client_cli.troubles import BadRecord, ClientError, Exit, file_troubles
from protocol.messages import FAMILIES, Family

if TYPE_CHECKING:
    from engine.record import Record

WORTH_A_PLOT = 3
"""How many deals of a game are worth drawing."""


def record_of(settings: Settings, what: str) -> "Record":
    """The record in a file, or on standard input for "-", or else that of a match, from the server. Raises `ClientError`."""
    import asyncio

    from client_cli import plain, verdict

    if what == "-" or os.path.exists(what) or {".", os.sep} & set(what):  # noqa: PTH110 - Path's can raise
        return verdict.record_in(Path(what))
    code = match_code(what)
    return verdict.checked_again(asyncio.run(plain.fetch_record(settings.connection(settings.fresh_key()), code)))


@click.command(help=say("Fetch the record of a match that is over, for tommy verify."))
@click.argument("code", metavar="MATCH", type=match_code)
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, allow_dash=True, path_type=Path),
    metavar="FILE",
    help=say("Where to write it; - is standard output. Otherwise tommy-MATCH.json."),
)
@online
@click.pass_obj
def record(settings: Settings, code: str, output: Path | None) -> None:
    """`tommy record`."""
    import asyncio

    from client_cli import plain
    from engine.record import write_record

    connection = settings.connection(settings.fresh_key())
    text = write_record(asyncio.run(plain.fetch_record(connection, code)))
    if output is not None and str(output) == "-":
        settings.screen.print_json(text.rstrip("\n"))
        return
    file = output or Path(f"tommy-{code}.json")
    with file_troubles(file):
        file.write_text(text, encoding="utf-8")
    settings.screen.show(Written(match=code, file=str(file)))


@click.command(
    help=say(
        "Check a match.\n\n"
        "Name its record, a file, or its code. The shuffle is dealt again, both boards are played again, and the result is "
        "worked out again. If you were there, from this machine, all that your client was shown and did is compared with "
        "the record as well. Exit code 1 if anything does not fit, 5 if this version does not know the game."
    )
)
@click.argument("what", metavar="FILE|MATCH")
@receipted
@online
@click.pass_obj
def verify(settings: Settings, what: str) -> None:
    """`tommy verify`."""
    from client_cli.verdict import judged

    exit_code = Exit.FINE
    for told in judged(record_of(settings, what), settings.receipts_folder):
        settings.screen.show(told)
        exit_code = getattr(told, "exit_code", exit_code)
    click.get_current_context().exit(exit_code)


@click.command(
    help=say(
        "Step through a match that is over.\n\n"
        "Name its record, a file, or its code. Enter goes to the next step, b back, p lets it run, help has the rest. "
        "Without a terminal to type at, all steps are printed."
    )
)
@click.argument("what", metavar="FILE|MATCH")
@online
@click.pass_obj
def replay(settings: Settings, what: str) -> None:
    """`tommy replay`."""
    from client_cli import viewer
    from client_cli.replay import Replay
    from engine import errors

    try:
        replayed = Replay(record_of(settings, what))
    except errors.BadRecord as error:
        exit_code = Exit.UNKNOWN_GAME if error.code == errors.UnknownGame.code else Exit.ERROR
        raise ClientError(BadRecord(what, error.code, error.facts), exit_code) from None
    run(lambda: viewer.view(replayed, settings.screen))


@click.command(help=say("List your own matches on the server, the newest first."))
@click.option(
    "--most",
    type=click.IntRange(1, 1000),
    metavar="NUMBER",
    default=20,
    show_default=True,
    help=say("How many to list."),
)
@online
@click.pass_obj
def history(settings: Settings, most: int) -> None:
    """`tommy history`."""
    import asyncio

    from client_cli.past import listed, past_matches
    from client_cli.reports import NoPast

    matches = asyncio.run(past_matches(settings.connection(settings.own_key()), most))
    for match in matches:
        settings.screen.show(listed(match))
    if not matches:
        settings.screen.show(NoPast())


@click.command(
    help=say(
        "Show your figures on the server, game by game.\n\n"
        "Races won, deals solved, both over your last 50 and 100 deals too, your mean count, your wins in a row, and "
        "beside them what the books say and how house bots do; on a terminal your counts are drawn as well. Solved and mean "
        "count go over finished boards: a board that the other player's end may have cut short is left out."
    )
)
@online
@click.pass_obj
def stats(settings: Settings) -> None:
    """`tommy stats`."""
    import asyncio

    from client_cli.past import past_and_ratings, ratings
    from client_cli.reports import CountPlot, NoPast
    from client_cli.stats import stats as figures

    matches, rankings = asyncio.run(past_and_ratings(settings.connection(settings.own_key())))
    games = figures(matches)
    for game in games:
        settings.screen.show(game)
        if not settings.json and is_terminal() and game.deals >= WORTH_A_PLOT:
            settings.screen.show(CountPlot(game.game, game.total, game.counts, game.wins, game.finished))
    for rating in ratings(rankings):
        settings.screen.show(rating)
    if not games:
        settings.screen.show(NoPast())


@click.command(
    help=say(
        "Show the server's ranking of a family of games.\n\n"
        "A player's strength lies within the margin, as good as certainly; the players stand by its lower end. After few "
        "matches the margin is wide, and the rating provisional. Only matches of two whom the server paired count: none by "
        "code, none against a house bot."
    )
)
@click.option(
    "--family",
    type=click.Choice(list(FAMILIES)),
    default=FAMILIES[0],
    show_default=True,
    help=say("Which games."),
)
@online
@click.pass_obj
def top(settings: Settings, family: Family) -> None:
    """`tommy top`."""
    import asyncio

    from client_cli.past import ranking, ranks

    for line in ranks(asyncio.run(ranking(settings.connection(settings.own_key()), family))):
        settings.screen.show(line)


@click.command(help=say("Show the name that others see, or choose another."))
@click.argument("name", type=player_name, metavar="[NAME]", required=False)
@offline
@click.pass_obj
def name(settings: Settings, name: str | None) -> None:
    """`tommy name`."""
    from client_cli import identity
    from client_cli.reports import NameKept

    if name is not None:
        identity.keep_name(name)
    kept = identity.kept_name()
    settings.screen.show(NameKept(kept or identity.login_name(), kept=bool(kept), changed=name is not None))


@click.command(
    help=say(
        "Show your key, take it to another machine, or bring one here.\n\n"
        "Servers know you by its public part; its secret part proves that it is you, and no server is ever told it. "
        "With the same key you are the same player on another machine: --export here, --import there. Never type "
        "a key on the command line, where others can see it."
    )
)
@click.option("--show", is_flag=True, help=say("Print the secret key."))
@click.option(
    "--export",
    "exported",
    type=click.Path(allow_dash=True, path_type=Path),
    metavar="FILE",
    help=say("Write the secret key into a new file that only you can read; - is standard output."),
)
@click.option(
    "--import",
    "imported",
    type=click.Path(allow_dash=True, path_type=Path),
    metavar="[FILE]",
    is_flag=False,
    flag_value="-",
    help=say("Take the key in a file for this machine's; without FILE, one from standard input. Yours is put aside."),
)
@at_home
@click.pass_obj
def key(settings: Settings, *, show: bool, exported: Path | None, imported: Path | None) -> None:
    """`tommy key`."""
    from client_cli.reports import KeyExported, KeyImported, KeyKept
    from protocol.players import player_of, public_key, tag_of

    if show + (exported is not None) + (imported is not None) > 1:
        raise click.UsageError(say("Choose one of --show, --export and --import."))
    file = settings.own_key_file
    if imported is not None:
        given = _given_key(imported)
        aside = key_file.keep(file, given)
        tag = tag_of(player_of(public_key(given)))
        settings.screen.show(KeyImported(str(file), tag, None if aside is None else str(aside)))
        return
    own = key_file.load(file, settings.tell)
    public = public_key(own)
    tag = tag_of(player_of(public))
    if exported is None or str(exported) == "-":
        secret = own if show or exported else None
        settings.screen.show(KeyKept(str(file), tag, public, secret))
    else:
        key_file.export(exported, own)
        settings.screen.show(KeyExported(str(exported), tag))


def _given_key(file: Path) -> str:
    """What is to be imported: from a file, or from standard input for "-". Raises `ClientError`."""
    name = str(file)
    if name != "-":
        if key_file.kind_of(key_file.tidy(name)) in (key_file.Kind.KEY, key_file.Kind.OLD):
            raise click.UsageError(say("That is a key, and no file. Put it into one: others see what you type here."))
        return key_file.text_in(file)
    if sys.stdin.isatty():
        return key_file.tidy(_typed_secretly())
    return key_file.key_text(sys.stdin.buffer.read(key_file.LONGEST))


def _typed_secretly() -> str:
    """A line typed at a terminal that does not show it."""
    return str(click.prompt(say("The key"), hide_input=True))


@click.command(
    help=say(
        "Look whether all is well: the server, your key, your terminal.\n\n"
        "What is not as it should be is told with what to do about it. Exit code 1 if there is any."
    )
)
@online
@click.pass_obj
def doctor(settings: Settings) -> None:
    """`tommy doctor`."""
    import asyncio

    from client_cli import doctor as doctors
    from client_cli import language
    from client_cli.reports import Examination, Examined

    # A key of its own: what the player's own is, is looked at and not changed.
    connection = settings.connection(key_file.new_key())
    size = shutil.get_terminal_size()
    terminal = doctors.Terminal(sys.stdout.isatty(), sys.stdout.encoding or "ascii", size.columns, size.lines)
    found = [
        *asyncio.run(doctors.server_examined(connection)),
        doctors.key_given(settings.key) if settings.key else doctors.key_examined(settings.own_key_file),
        *doctors.terminal_examined(terminal, os.environ, language.spoken()),
    ]
    for each in found:
        settings.screen.show(each)
    unfit = sum(isinstance(each, Examined) and not each.fits for each in found)
    settings.screen.show(Examination(unfit))
    click.get_current_context().exit(Exit.ERROR if unfit else Exit.FINE)


@click.command(
    help=say(
        "Have your shell complete the words of tommy.\n\n"
        '\b\nbash, in ~/.bashrc:              eval "$(tommy completion bash)"\n'
        'zsh, in ~/.zshrc:                eval "$(tommy completion zsh)"\n'
        "fish, in ~/.config/fish/config.fish:  tommy completion fish | source"
    )
)
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@offline
@click.pass_context
def completion(context: click.Context, shell: str) -> None:
    """`tommy completion`."""
    from click.shell_completion import get_completion_class

    from client_cli.terminal import Screen

    complete = get_completion_class(shell)
    assert complete is not None
    Screen().print(complete(context.find_root().command, {}, "tommy", "_TOMMY_COMPLETE").source())


def is_terminal() -> bool:
    """Whether somebody looks at what is printed."""
    return sys.stdout.isatty()


COMMANDS: tuple[click.Command, ...] = (record, verify, replay, history, stats, top, name, key, doctor, completion)
