"""The file with a player's secret key: 64 hex digits, for nobody's eyes but the player's.

What was written into it by hand may have a byte order mark, blanks and other line ends: editors put them there. A key of
tommy 0.1 has 32 digits. It was told to every server and proves nothing any more, so it is put aside and a new one made.
"""

import codecs
import os
import re
import secrets
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from enum import StrEnum
from itertools import count
from pathlib import Path

from client_cli.announcements import Announcement
from client_cli.reports import KeyReplaced, NoKey
from client_cli.troubles import BadKey, ClientError, FileThere, file_troubles
from protocol.players import SECRET_KEY_BYTES, player_of, public_key, tag_of

LONGEST = 1000
"""Bytes that are read of what should be a key, which takes 132 at most."""
PUBLIC = "public:"
"""What a public key is shown with, so that nobody takes it for the secret one."""

_MARKS = {codecs.BOM_UTF8: "utf-8", codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}
_DIGITS = re.compile("[0-9a-f]+", re.ASCII)
_KEY_DIGITS, _OLD_DIGITS = 2 * SECRET_KEY_BYTES, 32


class Kind(StrEnum):
    """What a text is that should be a key."""

    KEY = "key"
    OLD = "old"
    PUBLIC = "public"
    CUT = "cut"
    EMPTY = "empty"
    NONE = "none"


def new_key() -> str:
    """A fresh key."""
    return secrets.token_hex(SECRET_KEY_BYTES)


def key_text(data: bytes) -> str:
    """What is written in a file, whatever the editor has put around it."""
    mark = next((mark for mark in _MARKS if data.startswith(mark)), b"")
    return tidy(data.removeprefix(mark).decode(_MARKS.get(mark, "utf-8"), "replace"))


def tidy(text: str) -> str:
    """A text without its blanks and line ends, which mean nothing in a key."""
    return "".join(text.split())


def kind_of(text: str) -> Kind:
    """What a tidy text is."""
    if not text:
        return Kind.EMPTY
    if text.startswith(PUBLIC):
        return Kind.PUBLIC
    if not _DIGITS.fullmatch(text) or len(text) > _KEY_DIGITS:
        return Kind.NONE
    return {_KEY_DIGITS: Kind.KEY, _OLD_DIGITS: Kind.OLD}.get(len(text), Kind.CUT)


def read(file: Path) -> str:
    """The text in a file, key or not. Raises `OSError`."""
    with file.open("rb") as opened:
        return key_text(opened.read(LONGEST))


def load(file: Path, tell: Callable[[Announcement], None]) -> str:
    """The key in a file, which is made if it does not exist. `tell` hears if another was there. Raises `ClientError`."""
    with file_troubles(file):
        try:
            text = read(file)
        except FileNotFoundError:
            return _made(file)
        kind = kind_of(text)
        if kind is Kind.KEY:
            return text
        if kind in (Kind.OLD, Kind.EMPTY):
            return _replaced(file, kind, tell)
        raise ClientError(BadKey(str(file), kind))


def text_in(file: Path) -> str:
    """The text in a file, key or not. Raises `ClientError`."""
    with file_troubles(file):
        return read(file)


def keep(file: Path, text: str) -> Path | None:
    """Have this key in the file from now on. Where something else was, it is put aside; tells where.

    Raises `ClientError`, also if the text is no key: then nothing has changed.
    """
    with file_troubles(file):
        try:
            before = read(file)
        except FileNotFoundError:
            before = ""
        kind = kind_of(text)
        if kind_of(before) is Kind.KEY and text == public_key(before):
            kind = Kind.PUBLIC
        if kind is not Kind.KEY:
            raise ClientError(NoKey(kind))
        with draft(file, text) as drafted, _alone(file.parent):
            aside = None if before in ("", text) else _put_aside(file)
            drafted.replace(file)
            return aside


def export(file: Path, key: str) -> None:
    """Write a key into a file that was not there before. Raises `ClientError`."""
    with file_troubles(file):
        try:
            descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except FileExistsError:
            raise ClientError(FileThere(str(file))) from None
        try:
            _write(descriptor, key)
        except OSError:
            file.unlink()
            raise


@contextmanager
def draft(file: Path, text: str) -> Iterator[Path]:
    """A line in a file that nobody else can read, ready to take the place of another: so that is whole or not there."""
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    descriptor, name = tempfile.mkstemp(prefix=f"{file.name}.", suffix=".part", dir=file.parent)
    drafted = Path(name)
    try:
        _write(descriptor, text)
        yield drafted
    finally:
        drafted.unlink(missing_ok=True)


def _write(descriptor: int, text: str) -> None:
    """Write a line, and close the descriptor, whatever comes of it."""
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8", closefd=False) as opened:
            opened.write(f"{text}\n")
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _made(file: Path) -> str:
    """A new key in a file; or the one that another client has made there at the same time."""
    key = new_key()
    with draft(file, key) as drafted:
        return _laid(drafted, file, key)


def _laid(drafted: Path, file: Path, key: str) -> str:
    try:
        file.hardlink_to(drafted)  # which fails where there is a file, unlike `rename`
    except FileExistsError:
        text = read(file)
        if kind_of(text) is not Kind.KEY:
            raise ClientError(BadKey(str(file), kind_of(text))) from None
        return text
    except OSError:  # there are no such links on this disk
        drafted.replace(file)
    return key


def _replaced(file: Path, kind: Kind, tell: Callable[[Announcement], None]) -> str:
    """A new key in the place of what is none any more; or the one that another client has just put there."""
    key, aside = new_key(), None
    try:
        with draft(file, key) as drafted, _alone(file.parent):
            if is_first := kind_of(read(file)) is kind:
                if kind is Kind.EMPTY:
                    file.unlink()
                else:
                    aside = _put_aside(file)
                key = _laid(drafted, file, key)
    except OSError:  # it cannot be moved: then the user has to know what it is
        raise ClientError(BadKey(str(file), kind)) from None
    if not is_first:
        return load(file, tell)
    tell(KeyReplaced(str(file), kind, None if aside is None else str(aside), tag_of(player_of(public_key(key)))))
    return key


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Two clients do not change the same key at the same time, where the system has such locks."""
    try:
        import fcntl
    except ImportError:
        yield
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        with suppress(OSError):
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def _put_aside(file: Path) -> Path:
    aside = next(
        place for number in count(1) if not os.path.lexists(place := file.with_name(f"{file.name}.old-{number}"))
    )
    file.rename(aside)
    return aside
