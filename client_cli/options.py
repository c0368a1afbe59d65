"""The options that several commands share, and the kinds of arguments they take."""

import re
import sys
from collections.abc import Callable, Coroutine, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import urlsplit

import click

from client_cli import identity, key_file, language, phrases, reasons
from client_cli.language import joined, say
from client_cli.troubles import Exit
from protocol.messages import CLOCK_BOUNDS, GRACE_BOUNDS, MATCH_LENGTH, MATCH_PATTERN

if TYPE_CHECKING:
    from client_cli.announcements import Announcement
    from client_cli.connection import Connection
    from client_cli.receipts import Keeper
    from client_cli.terminal import Screen

DEFAULT_SERVER = "ws://127.0.0.1:7777"
DEFAULT_PORT = 7777
NO_RECEIPTS = "off"
MINUTE, SECOND = 60_000, 1_000

Command = TypeVar("Command", bound=Callable[..., Any])
Tell = Callable[["Announcement"], None]


@dataclass
class Settings:
    """What the shared options say."""

    server: str = DEFAULT_SERVER
    name: str = ""
    key: str | None = field(default=None, repr=False)
    key_file: Path | None = None
    json: bool = False
    plain: bool = False
    settings: Path | None = None
    receipts: Path | None = None
    look: dict[str, bool] = field(default_factory=dict)
    """What the command line says of how the full screen looks."""

    @property
    def full_screen(self) -> bool:
        """Whether to take the whole terminal, or to print line after line."""
        from client_cli.terminal import can_draw

        return not (self.plain or self.json) and can_draw()

    @property
    def screen(self) -> "Screen":
        """Where to print."""
        from client_cli.terminal import Screen

        return Screen(as_json=self.json)

    def connection(self, key: str, bot: str | None = None) -> "Connection":
        """A connection for the player with this secret key, not yet made. `bot` is the program, where no person plays."""
        from client_cli.connection import Connection

        return Connection(self.server, self.name or identity.kept_name() or identity.login_name(), key, bot)

    def keeper(self, key: str | None = None) -> "Keeper":
        """What keeps the receipts of the player with this secret key, or without one of a spectator."""
        from client_cli.receipts import Keeper
        from protocol.players import player_of, public_key

        return Keeper(self.receipts_folder, self.server, "" if key is None else player_of(public_key(key)))

    @property
    def receipts_folder(self) -> Path | None:
        """Where receipts are kept; None if none are."""
        if self.receipts is None:
            return identity.key_folder() / "receipts"
        return None if str(self.receipts) == NO_RECEIPTS else self.receipts

    def tell(self, told: "Announcement") -> None:
        """Tell what is no answer to the command, beside what is: on standard error, or as an event like others."""
        from client_cli.terminal import Screen

        (self.screen if self.json else Screen(out=sys.stderr)).show(told)

    def seat_key(self, tell: "Tell | None" = None) -> str:
        """The key to take a seat with: one that no other client on this machine is playing with.

        If a key had to be replaced, that is told, or given to `tell`; so do the others.
        """
        return self._given_key(tell) or identity.claim_key(tell or self.tell)

    def own_key(self) -> str:
        """This machine's key, to ask about its player, whoever is playing with it meanwhile."""
        return self._given_key(None) or key_file.load(self.own_key_file, self.tell)

    @property
    def own_key_file(self) -> Path:
        """Where this machine's key is."""
        return self.key_file or identity.key_folder() / "key"

    def fresh_key(self, tell: "Tell | None" = None) -> str:
        """The key of somebody who has no seat to come back to: a spectator, a bot."""
        return self._given_key(tell) or key_file.new_key()

    def _given_key(self, tell: "Tell | None") -> str | None:
        if self.key is not None:
            return self.key
        return None if self.key_file is None else key_file.load(self.key_file, tell or self.tell)


def run(work: Callable[[], Coroutine[Any, Any, Exit]]) -> None:
    """Carry out a command's work, and exit as it says."""
    import asyncio

    exit_code = asyncio.run(work())
    click.get_current_context().exit(exit_code)


def server_address(text: str) -> str:
    """A server as a URL, host:port or host."""
    given = text.strip()
    url = given if "://" in given else f"ws://{given}"
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise _no_address(text) from None
    if parts.scheme not in ("ws", "wss") or not parts.hostname or re.search(r"\s", given):
        raise _no_address(text)
    if port is None and url != given:
        return f"ws://{parts.netloc.rstrip(':')}:{DEFAULT_PORT}{parts.path}"
    return url


def _no_address(text: str) -> click.BadParameter:
    return click.BadParameter(
        say("{value} is no server address: write host, host:port or ws://host:port.", value=repr(text))
    )


def match_code(text: str) -> str:
    """A match's code, as people write it: capitals, spaces and dashes do no harm."""
    code = re.sub(r"[\s-]", "", text).lower()
    if not re.fullmatch(MATCH_PATTERN, code):
        raise click.BadParameter(
            say(
                "{value} is no match code: it has {length} letters and digits, none of them 0, 1, i, l or o.",
                value=repr(text),
                length=MATCH_LENGTH,
            )
        )
    return code


def game_name(text: str) -> str:
    """A game of the catalogue, perhaps with its options: sir-tommy, sir-tommy+redeal."""
    from engine.games import CATALOGUE

    name, *options = text.strip().lower().split("+")
    if name not in CATALOGUE:
        raise click.BadParameter(
            say(
                "{value} is no game. {near}",
                value=repr(name),
                near=phrases.meant(name, CATALOGUE) or say("The games are {games}.", games=joined(", ", CATALOGUE)),
            )
        )
    return with_options(name, options)


def with_options(game: str, options: Iterable[str]) -> str:
    """A game with more options, whatever their order; none may be named twice."""
    from engine.games import CATALOGUE, variant

    name, *chosen = game.split("+")
    for option in (given.strip().lower() for given in options):
        known = CATALOGUE[name].options
        if option not in known:
            raise click.BadParameter(
                say(
                    "{game} has no option {value}. {near}",
                    game=name,
                    value=repr(option),
                    near=phrases.meant(option, known) or say("It can have {options}.", options=joined(", ", known)),
                )
            )
        if option in chosen:
            raise click.BadParameter(
                say("The option {value} is named twice for {game}: once is enough.", value=repr(option), game=name)
            )
        chosen.append(option)
    return variant("+".join((name, *chosen))).spelling


def clock(text: str) -> int:
    """Minutes, as milliseconds."""
    return _time(text, MINUTE, CLOCK_BOUNDS)


def grace(text: str) -> int:
    """Seconds, as milliseconds."""
    return _time(text, SECOND, GRACE_BOUNDS)


def _time(text: str, unit: int, bounds: tuple[int, int]) -> int:
    try:
        time = round(float(text) * unit)
    except (ValueError, OverflowError):
        raise click.BadParameter(say("{value} is no number.", value=repr(text))) from None
    if not bounds[0] <= time <= bounds[1]:
        low, high = map(phrases.duration, bounds)
        raise click.BadParameter(say("It has to be from {low} to {high}.", low=low, high=high))
    return time


def player_name(text: str) -> str:
    """A player's name."""
    name = identity.clean_name(text)
    if not name:
        raise click.BadParameter(say("A name needs at least one letter."))
    return name


def player_key(text: str) -> str:
    """A player's secret key."""
    key = key_file.tidy(text)
    if (kind := key_file.kind_of(key)) is not key_file.Kind.KEY:
        raise click.BadParameter(reasons.no_keys()[kind])
    return key


def _keep(context: click.Context, parameter: click.Parameter, value: Any) -> None:
    """Note a shared option. It may stand before the command or after it, if both have it; the one further right counts."""
    settings = context.ensure_object(Settings)
    assert parameter.name is not None
    given = context.get_parameter_source(parameter.name) is click.core.ParameterSource.COMMANDLINE
    elsewhere = () if context.parent is None else context.parent.command.params
    if given or parameter.name not in [other.name for other in elsewhere]:
        setattr(settings, parameter.name, value)


def _speak(_context: click.Context, _parameter: click.Parameter, value: str | None) -> None:
    """Speak a language from here on."""
    if value:
        language.choose(value)


def _shared(*names: str, **attributes: Any) -> Callable[[Command], Command]:
    return click.option(*names, expose_value=False, callback=_keep, **attributes)


_SERVER = _shared(
    "--server",
    type=server_address,
    metavar="URL",
    envvar="TOMMY_SERVER",
    default=DEFAULT_SERVER,
    show_default=True,
    show_envvar=True,
    help=say("The server: a URL, host:port or host."),
)
_NAME = _shared(
    "--name",
    type=player_name,
    metavar="NAME",
    envvar=("TOMMY_NAME",),
    default=None,
    show_envvar=True,
    help=say("The name others see. Otherwise the one that tommy name keeps, or your login name."),
)
_KEY_FILE = _shared(
    "--key-file",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    envvar="TOMMY_KEY_FILE",
    show_envvar=True,
    help=say("Where your key is, which holds your seats. Made at first use."),
)
_KEY = _shared("--key", type=player_key, envvar=("TOMMY_KEY",), show_envvar=True, hidden=True)
_JSON = _shared(
    "--json",
    is_flag=True,
    default=False,
    help=say("Print every event as one line of JSON."),
)
_LANG = click.option(
    "--lang",
    metavar="LANG",
    is_eager=True,
    expose_value=False,
    callback=_speak,
    help=say("The language: en, de or es. Otherwise that of your environment."),
)


def online(command: Command) -> Command:
    """The options of every command that talks to a server."""
    for option in (_LANG, _JSON, _KEY, _KEY_FILE, _NAME, _SERVER):
        command = option(command)
    return command


def for_bots(command: Command) -> Command:
    """The same for bots, which have names and keys of their own."""
    for option in (_LANG, _JSON, _KEY_FILE, _SERVER):
        command = option(command)
    return command


def at_home(command: Command) -> Command:
    """The options of commands about what is kept on this machine."""
    for option in (_LANG, _JSON, _KEY_FILE):
        command = option(command)
    return command


_RECEIPTS = _shared(
    "--receipts",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="FOLDER",
    envvar="TOMMY_RECEIPTS",
    show_envvar=True,
    help=say("Where the receipts of your matches are kept, for tommy verify; off for none."),
)


def receipted(command: Command) -> Command:
    """The option of the commands that keep receipts or look for them."""
    return _RECEIPTS(command)


def _paint(context: click.Context, parameter: click.Parameter, value: bool | None) -> None:
    """Note how the full screen is to look, where that is said."""
    if value is not None and parameter.name is not None:
        context.ensure_object(Settings).look[parameter.name] = value


def _look(flags: str, text: str) -> Callable[[Command], Command]:
    return click.option(flags, default=None, expose_value=False, callback=_paint, help=text)


_PLAIN = _shared(
    "--plain",
    is_flag=True,
    default=False,
    envvar="TOMMY_PLAIN",
    help=say("Lines instead of the full screen; so it is in a pipe, too."),
)
_SETTINGS = _shared(
    "--settings",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    envvar="TOMMY_SETTINGS",
    show_envvar=True,
    help=say("The full screen's settings: its keys, and all of the following."),
)
_LOOKS = (
    _look("--keys/--no-keys", say("The keys in the bottom line.")),
    _look("--auto/--no-auto", say("Send up what fits before each turn.")),
    _look("--bell/--no-bell", say("Ring at the start and at the end.")),
    _look("--animation/--no-animation", say("Mark what has just moved.")),
    _look("--light/--dark", say("Dark on light, or light on dark.")),
    _look("--four-colors/--two-colors", say("A colour for each suit, or red and black.")),
    _look("--color/--no-color", say("Colours; NO_COLOR says no as well.")),
    _look("--ascii/--signs", say("Letters instead of signs, or signs.")),
)


def pictured(command: Command) -> Command:
    """The options of the commands that can take the whole terminal."""
    for option in (*_LOOKS, _SETTINGS, _PLAIN):
        command = option(command)
    return command


def offline(command: Command) -> Command:
    """The options of the other commands."""
    for option in (_LANG, _JSON):
        command = option(command)
    return command
