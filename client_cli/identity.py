"""Who the player is: a name, and the key that holds the player's seats."""

import getpass
import os
from collections.abc import Callable
from pathlib import Path

from platformdirs import user_data_path

from client_cli import key_file
from client_cli.announcements import Announcement
from client_cli.troubles import file_troubles

LONGEST_NAME = 24
MOST_KEYS = 16
"""How many clients with a key of their own may run side by side on one machine."""

_claimed: list[int] = []
"""The descriptors of the claimed key files: the claims end with the process."""


def clean_name(text: str) -> str:
    """A name fit for the wire: printable, single spaces, not too long; empty if nothing is left of it."""
    printable = "".join(letter if letter.isprintable() else " " for letter in text)
    return " ".join(printable.split())[:LONGEST_NAME].strip()


def login_name() -> str:
    """The name of whoever is logged in."""
    try:
        name = getpass.getuser()
    except (OSError, KeyError, ImportError):
        name = ""
    return clean_name(name) or "player"


def key_folder() -> Path:
    """Where keys are kept if nothing else is said."""
    return user_data_path("tommy-race", appauthor=False)


def name_file() -> Path:
    """Where the player's name is kept."""
    return key_folder() / "name"


def kept_name() -> str:
    """The name kept on this machine; empty if there is none that can be read."""
    try:
        return clean_name(name_file().read_text(encoding="utf-8", errors="replace"))
    except OSError:
        return ""


def keep_name(name: str) -> None:
    """Go by this name on this machine from now on. Raises `ClientError`."""
    file = name_file()
    with file_troubles(file), key_file.draft(file, name) as drafted:
        drafted.replace(file)


def claim_key(tell: Callable[[Announcement], None], folder: Path | None = None) -> str:
    """This machine's key, or another one of its own if a running client has it: two people can play side by side.

    After a crash nobody has it, so the next client gets it again, and with it the seat. `tell` hears if a key had to be
    replaced. Raises `ClientError`.
    """
    folder = folder or key_folder()
    for number in range(1, MOST_KEYS + 1):
        file = folder / ("key" if number == 1 else f"key-{number}")
        key = key_file.load(file, tell)
        with file_troubles(file):
            descriptor = _open(file)
        if _claim(descriptor):
            return key
    return key_file.new_key()


def _claim(descriptor: int) -> bool:
    """Claim an open key file until the process ends. Where that fails, it is closed."""
    claimed = False
    try:
        claimed = lock(descriptor)
    finally:
        if claimed:
            _claimed.append(descriptor)
        else:
            os.close(descriptor)
    return claimed


def _open(file: Path) -> int:
    """Open a key file to lock it: for writing if that is allowed, since some systems lock nothing else."""
    try:
        return os.open(file, os.O_RDWR)
    except OSError:
        return os.open(file, os.O_RDONLY)


def lock(descriptor: int) -> bool:
    """Claim an open file for this process; True as well where the system has no such locks."""
    try:
        import fcntl
    except ImportError:
        return True
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
