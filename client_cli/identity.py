"""Who the player is: a name, and the key that holds the player's seats."""

import getpass
import os
import re
import secrets
from itertools import count
from pathlib import Path

from platformdirs import user_data_path

from client_cli.troubles import BadKey, ClientError, FileTrouble
from protocol.players import SECRET_KEY_BYTES

LONGEST_NAME = 24
MOST_KEYS = 16
"""How many clients with a key of their own may run side by side on one machine."""

_KEY = re.compile("[0-9a-f]{64}", re.ASCII)
_claimed: list[int] = []
"""The descriptors of the claimed key files: the claims end with the process."""


def is_key(text: str) -> bool:
    """Whether a text is a secret key: 32 bytes as hex digits."""
    return _KEY.fullmatch(text) is not None


def new_key() -> str:
    """A fresh key."""
    return secrets.token_hex(SECRET_KEY_BYTES)


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
    _keep(name_file(), name)


def keep_key(file: Path, key: str) -> Path | None:
    """Have this key in the file from now on. Where one was that is another, it is put aside; tells where.

    Raises `ClientError`.
    """
    aside = None
    try:
        if file.exists() and file.read_text(encoding="ascii", errors="replace").strip() not in ("", key):
            aside = next(
                place for number in count(1) if not (place := file.with_name(f"{file.name}.old-{number}")).exists()
            )
            _keep(aside, file.read_text(encoding="ascii", errors="replace").strip())
    except OSError as error:
        raise ClientError(FileTrouble(str(file), error.strerror or str(error))) from None
    _keep(file, key)
    return aside


def _keep(file: Path, text: str) -> None:
    """Put a line into a file that nobody else can read: the whole of it or nothing."""
    draft = file.with_name(f"{file.name}.part")
    try:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        draft.unlink(missing_ok=True)
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as opened:
            opened.write(f"{text}\n")
        draft.replace(file)
    except OSError as error:
        raise ClientError(FileTrouble(str(file), error.strerror or str(error))) from None


def load_key(file: Path) -> str:
    """The key in a file, which is made if it does not exist. Raises `ClientError`."""
    try:
        with os.fdopen(_open(file), "r+", encoding="ascii", errors="replace") as opened:
            return _key_in(file, opened.fileno())
    except OSError as error:
        raise ClientError(FileTrouble(str(file), error.strerror or str(error))) from None


def claim_key(folder: Path | None = None) -> str:
    """This machine's key, or another one of its own if a running client has it: two people can play side by side.

    After a crash nobody has it, so the next client gets it again, and with it the seat. Raises `ClientError`.
    """
    folder = folder or key_folder()
    for number in range(1, MOST_KEYS + 1):
        file = folder / ("key" if number == 1 else f"key-{number}")
        try:
            descriptor = _open(file)
        except OSError as error:
            raise ClientError(FileTrouble(str(file), error.strerror or str(error))) from None
        if _lock(descriptor):
            _claimed.append(descriptor)
            return _key_in(file, descriptor)
        os.close(descriptor)
    return new_key()


def _open(file: Path) -> int:
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    return os.open(file, os.O_RDWR | os.O_CREAT, 0o600)


def _key_in(file: Path, descriptor: int) -> str:
    text = os.read(descriptor, 100).decode("ascii", errors="replace").strip()
    if not text:
        text = new_key()
        os.write(descriptor, f"{text}\n".encode())
    if not is_key(text):
        raise ClientError(BadKey(str(file)))
    return text


def _lock(descriptor: int) -> bool:
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
