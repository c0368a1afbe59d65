"""The settings file of the full screen: a TOML file with how it looks, and the keys.

    [look]
    ascii = true

    [keys]
    turn = ["space", "g"]

Whatever is wrong in it is told in one line: where, what, and what is allowed.
"""

import os
import re
import sys
import tomllib
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from platformdirs import user_config_path

from client_cli.foreign import can_write
from client_cli.language import joined, say
from client_cli.screen import keys
from client_cli.screen.look import Look
from client_cli.troubles import BadSettings, ClientError, FileTrouble

LOOKS = {each.name.replace("_", "-"): each.name for each in fields(Look)}
"""The settings of the look, as they are spelled in the file."""
SPECIAL = ("space", "enter", "tab", "escape", "backspace", "delete", "insert", "home", "end", "pageup", "pagedown",
           "up", "down", "left", "right", *(f"f{number}" for number in range(1, 13)))  # fmt: skip
"""The keys that write no letter."""


@dataclass
class Settings:
    """What a settings file says."""

    look: dict[str, bool] = field(default_factory=dict)
    keys: dict[str, tuple[str, ...]] = field(default_factory=dict)


def settings_file() -> Path:
    """Where the settings are if nothing else is said."""
    return user_config_path("tommy-race", appauthor=False) / "screen.toml"


def load(file: Path | None = None) -> Settings:
    """The settings in a file; without one, those in the usual place, if there are any. Raises `ClientError`."""
    given, file = file is not None, file or settings_file()
    try:
        text = file.read_text(encoding="utf-8-sig")
    except FileNotFoundError as error:
        if given:
            raise ClientError(FileTrouble(str(file), error.strerror or str(error))) from None
        return Settings()
    except OSError as error:
        raise ClientError(FileTrouble(str(file), error.strerror or str(error))) from None
    except UnicodeDecodeError as error:
        raise ClientError(FileTrouble(str(file), str(error))) from None
    return _Reader(str(file), text).read()


def chosen(file: Path | None, given: Mapping[str, bool]) -> tuple[Look, dict[str, tuple[str, ...]]]:
    """The look and the keys: what the environment says, the settings file, and above all the command line."""
    said = load(file)
    around = {"color": not os.environ.get("NO_COLOR"), "ascii": not can_write("╭♠", sys.stdout.encoding or "ascii")}
    return Look(**{**around, **said.look, **given}), said.keys


class _Reader:
    """Reads one file, and knows where in it everything stands."""

    def __init__(self, file: str, text: str) -> None:
        self._file, self._text = file, text

    def read(self) -> Settings:
        try:
            tables = tomllib.loads(self._text)
        except tomllib.TOMLDecodeError as error:
            line = re.search(r"at line (\d+)", str(error))
            raise self._wrong(str(error), line=int(line[1]) if line else self._text.count("\n") + 1) from None
        known: dict[str, Collection[str]] = {"look": LOOKS, "keys": keys.names()}
        for table, entries in tables.items():
            self._check_name(table, known, say("section"), table)
            if not isinstance(entries, dict):
                raise self._wrong(say("{name} is a section: write [{name}]", name=table), table)
            for name in entries:
                self._check_name(name, known[table], table, name)
        look = {LOOKS[name]: self._flag(name, value) for name, value in tables.get("look", {}).items()}
        chosen = {name: self._keys(name, value) for name, value in tables.get("keys", {}).items()}
        for name, key, other in keys.clashes(chosen):
            raise self._wrong(say("the key {key} is that of {other} already", key=key, other=other), name)
        return Settings(look, chosen)

    def _check_name(self, name: str, known: Iterable[str], what: str, at: str) -> None:
        if name not in known:
            allowed = say("there is {names}", names=_listed(known))
            raise self._wrong(say("{what} {name} is not known: {allowed}", what=what, name=name, allowed=allowed), at)

    def _flag(self, name: str, value: Any) -> bool:
        if not isinstance(value, bool):
            raise self._wrong(say("{name} is true or false", name=name), name)
        return value

    def _keys(self, name: str, value: Any) -> tuple[str, ...]:
        given = [value] if isinstance(value, str) else value
        if not isinstance(given, list) or not all(isinstance(key, str) for key in given):
            raise self._wrong(say('{name} is a list of keys, such as ["space", "t"]', name=name), name)
        for key in given:
            if not _is_key(key):
                allowed = joined(", ", SPECIAL[:12])
                raise self._wrong(
                    say(
                        "{key} is no key: write one letter or sign, one of {special} ..., f1 to f12 or ctrl+a to ctrl+z",
                        key=repr(key),
                        special=allowed,
                    ),
                    name,
                )
        return tuple(given)

    def _wrong(self, why: str, name: str = "", line: int | None = None) -> ClientError:
        if line is None:
            found = re.search(rf'^\s*\[?\s*"?{re.escape(name)}\b', self._text, re.MULTILINE)
            line = self._text.count("\n", 0, found.end()) + 1 if found else 1
        return ClientError(BadSettings(self._file, line, why))


def _is_key(key: str) -> bool:
    letter = len(key) == 1 and key.isprintable() and not key.isspace()
    return letter or key in SPECIAL or (re.fullmatch("ctrl[+][a-z]", key) is not None and key != "ctrl+c")


def _listed(names: Iterable[str]) -> str:
    """Names for a sentence; those that only count are told as one."""
    return joined(", ", dict.fromkeys(re.sub(r"^pick-\d+$", "pick-1 ... pick-13", name) for name in names))
