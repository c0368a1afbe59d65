"""Where receipts are kept: a folder with a file for each match and each player, one note a line.

A file only ever grows, line by line, so that a client that is killed loses nothing but half a line. Two players on one
machine, or a player and a spectator, have files of their own; so have players at another server. A client holds the file
that it writes; another one of the same player, or another spectator, has a file with a number meanwhile (where the system
has no such locks they share one, and what stands there twice is read once).
"""

import errno
import hashlib
import os
import re
import time
import weakref
from collections.abc import Iterable
from contextlib import suppress
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import NamedTuple

from client_cli.announcements import Announcement, ReceiptLost, ReceiptTrouble
from client_cli.identity import lock
from client_cli.receipt import LONGEST, RESERVE, VERSION, BadReceipt, Opened, Receipt, address_of, read_receipt
from engine.deal import joined
from protocol.messages import MATCH_PATTERN, MatchState

MOST_FILES = 1_000
MOST_BYTES = 256 << 20
"""What there may be in the folder; beyond that the oldest files go."""
KEPT_FOR = 3600.0
"""Seconds in which a file that was written goes only if there is no other."""
MOST_CLIENTS = 99
"""How many clients of one owner may keep a match at the same time."""
WATCHED = "watched"
"""What the file of a spectator is called by, where a player's has a part of a hash."""


_IS_CODE = re.compile(MATCH_PATTERN)
_IS_FILE = re.compile(rf"{MATCH_PATTERN}-[0-9a-f]{{8}}(-{WATCHED})?(-[0-9]{{1,2}})?\.(jsonl|damaged)")
"""Our own files: there may be others in the folder, and those are none of our business."""


class Kept(NamedTuple):
    """A receipt that was found, and its file; or why it cannot be read."""

    file: Path
    receipt: Receipt | BadReceipt


def found(folder: Path | None, match: str) -> list[Kept]:
    """The receipts of a match, of all who were there from this machine. Raises `OSError`."""
    if folder is None or not folder.is_dir():
        return []
    kept = []
    for file in sorted(folder.glob(f"{match}-*.jsonl")):
        if not _IS_FILE.fullmatch(file.name):
            continue
        try:
            receipt, _ = _read(file)
        except BadReceipt as error:
            kept.append(Kept(file, error))
        else:
            if receipt.opened is not None:
                kept.append(Kept(file, receipt))
    return kept


def _read(file: Path) -> tuple[Receipt, int]:
    with file.open("rb") as opened:
        return read_receipt(opened.read(LONGEST + RESERVE + 1))


class Keeper:
    """Keeps the receipts of one player's matches at one server; without a folder it keeps none.

    `player` is the player's hash, and empty for a spectator. Nothing that goes wrong here stops a race: it is told, once.
    """

    def __init__(self, folder: Path | None, server: str = "", player: str = "") -> None:
        self.behind = False
        """Whether there is something that could not be written."""
        self._folder = folder
        self._server = server
        where = address_of(server)
        self._owner = hashlib.sha256(joined("tommy-race receipt", where, player)).hexdigest()[:8]
        if not player:
            self._owner += f"-{WATCHED}"
        self._held: dict[str, _Held] = {}
        """The files that are being written, by the match."""
        self._newest = ""
        self._late: list[tuple[str, bytes]] = []
        """What could not be written, and is tried again with the next lines."""
        self._troubles: list[Announcement] = []
        self._has_complained = False

    def recall(self, state: MatchState) -> Receipt:
        """The receipt of a match: what an earlier run has kept, if there was one."""
        receipt = self._earlier(state.match)
        now = round(time.time() * 1000)
        receipt.note(Opened(VERSION, state.match, state.game, self._server, now, state.you))
        return receipt

    def _keeps(self, match: str) -> bool:
        """Whether a match is kept: never one whose code is none, since the file is called by it."""
        return self._folder is not None and _IS_CODE.fullmatch(match) is not None

    def _earlier(self, match: str) -> Receipt:
        if not self._keeps(match):
            return Receipt()
        receipt = Receipt()
        try:
            self._newest = match
            held = self._hold(match)
            try:
                receipt = held.read()
            except BadReceipt as error:
                aside = held.file.with_suffix(".damaged")
                self._troubles.append(ReceiptLost(str(aside), error.line))
                self._held.pop(match).close()
                held.file.replace(aside)
            for file in sorted(held.file.parent.glob(f"{match}-{self._owner}*.jsonl")):
                if file != held.file and _IS_FILE.fullmatch(file.name) and self._is_own(file.name):
                    with suppress(BadReceipt, FileNotFoundError):
                        receipt.take_in(_read(file)[0])
        except OSError as error:
            self._complain(self._file(match), error)
        return receipt

    def _is_own(self, name: str) -> bool:
        """Whether a file is of this keeper's owner: a player is no spectator."""
        return (WATCHED in name) == (WATCHED in self._owner)

    def _hold(self, match: str) -> "_Held":
        """The file to write to, which nobody else does. Raises `OSError`."""
        if match not in self._held:
            first = self._file(match)
            for number in range(1, MOST_CLIENTS + 1):
                file = first if number == 1 else first.with_stem(f"{first.stem}-{number}")
                if not file.exists():
                    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
                    _make_room(file.parent, self._owner)
                held = _Held(file)
                if held.is_ours:
                    self._held[match] = held
                    break
                held.close()
            else:
                raise OSError(errno.EBUSY, os.strerror(errno.EBUSY))
        return self._held[match]

    def keep(self, lines: Iterable[tuple[str, bytes]]) -> None:
        """Write lines of the receipts of these matches."""
        lines, self._late = [*self._late, *((match, line) for match, line in lines if self._keeps(match))], []
        for match, group in groupby(lines, key=itemgetter(0)):
            file, late = self._file(match), list(group)
            try:
                if not self._late:
                    self._hold(match).append(b"".join(line for _, line in late))
                    continue
            except OSError as error:
                self._complain(file, error)
            self._late += late
        self.behind = bool(self._late)
        for match in set(self._held) - {self._newest, *(match for match, _ in self._late)}:
            self._held.pop(match).close()

    def troubles(self) -> list[Announcement]:
        """What went wrong; each trouble is given out once."""
        troubles, self._troubles = self._troubles, []
        return troubles

    def _complain(self, file: Path, error: OSError) -> None:
        if not self._has_complained:
            self._has_complained = True
            self._troubles.append(ReceiptTrouble(str(file), error.strerror or str(error)))

    def _file(self, match: str) -> Path:
        assert self._folder is not None
        return self._folder / f"{match}-{self._owner}.jsonl"


class _Held:
    """A file that this client writes to, and is the only one to if it `is_ours`. Raises `OSError`."""

    def __init__(self, file: Path) -> None:
        self.file = file
        flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | getattr(os, "O_BINARY", 0)
        self._descriptor = os.open(file, flags, 0o600)
        self.close = weakref.finalize(self, os.close, self._descriptor)
        self.is_ours = lock(self._descriptor)

    def read(self) -> Receipt:
        """What is there; half a line at the end is cut off, unless there is more by now. Raises `BadReceipt`."""
        with self.file.open("rb") as opened:
            text = opened.read(LONGEST + RESERVE + 1)
        receipt, whole = read_receipt(text)
        if whole < len(text) == os.fstat(self._descriptor).st_size:
            os.ftruncate(self._descriptor, whole)
        return receipt

    def append(self, lines: bytes) -> None:
        """Write lines at the end: all of them or nothing."""
        size = os.fstat(self._descriptor).st_size
        if os.write(self._descriptor, lines) < len(lines):
            os.ftruncate(self._descriptor, size)
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def _make_room(folder: Path, owner: str) -> None:
    """Have the oldest receipts go, so that there is room for one more.

    None that was written in the last hour goes while there is another. Of the others those of the same owner go first, so
    that a server has no others forgotten, and then those of matches only watched.
    """
    files: list[tuple[bool, bool, bool, float, int, str]] = []
    late = time.time() - KEPT_FOR
    with os.scandir(folder) as there:
        for file in there:
            if _IS_FILE.fullmatch(file.name):
                with suppress(FileNotFoundError):  # another client was as quick
                    kept = file.stat()
                    rank = kept.st_mtime > late, owner[:8] != file.name.split("-")[1][:8], WATCHED not in file.name
                    files.append((*rank, kept.st_mtime, kept.st_size, file.path))
    number, total = len(files), sum(file[-2] for file in files)
    for *_, size, path in sorted(files):
        if number < MOST_FILES and total <= MOST_BYTES:
            break
        Path(path).unlink(missing_ok=True)
        number, total = number - 1, total - size
