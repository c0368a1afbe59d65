"""Names and keys."""

import stat
import subprocess
import sys
from pathlib import Path

import pytest

from client_cli.announcements import Announcement
from client_cli.identity import claim_key, clean_name, is_key, load_key, login_name
from client_cli.troubles import BadKey, ClientError, FileTrouble

CLAIM = "import sys; from pathlib import Path; from client_cli.identity import claim_key; print(claim_key(Path(sys.argv[1])))"


def trouble(file: Path) -> Announcement:
    with pytest.raises(ClientError) as caught:
        load_key(file)
    return caught.value.problem


def test_a_key_is_made_at_first_use_and_kept(tmp_path: Path) -> None:
    file = tmp_path / "deep" / "key"
    key = load_key(file)
    assert is_key(key)
    assert load_key(file) == key
    assert file.read_text() == key + "\n"


def test_a_key_is_its_owners_alone(tmp_path: Path) -> None:
    file = tmp_path / "folder" / "key"
    load_key(file)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700


@pytest.mark.parametrize("text", ["x", "0" * 31, "0" * 33, "A" * 32, "é" * 32])
def test_a_file_that_holds_no_key(tmp_path: Path, text: str) -> None:
    file = tmp_path / "key"
    file.write_text(text, encoding="utf-8")
    assert trouble(file) == BadKey(str(file))
    assert file.read_text(encoding="utf-8") == text


def test_a_key_that_cannot_be_kept(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert isinstance(trouble(tmp_path / "file" / "key"), FileTrouble)


def test_players_side_by_side_have_keys_of_their_own(tmp_path: Path) -> None:
    mine = claim_key(tmp_path)

    def another() -> str:
        done = subprocess.run(
            [sys.executable, "-c", CLAIM, str(tmp_path)], check=True, capture_output=True, text=True, timeout=60
        )
        return done.stdout.strip()

    theirs = another()
    assert theirs != mine
    # The other client has ended, so its key is free again.
    assert another() == theirs
    assert (tmp_path / "key").read_text().strip() == mine
    assert (tmp_path / "key-2").read_text().strip() == theirs


def test_a_system_without_such_locks_shares_the_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "fcntl", None)
    assert claim_key(tmp_path) == claim_key(tmp_path)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Ada", "Ada"),
        ("  Ada   Lovelace ", "Ada Lovelace"),
        ("a\x1b[2Jb\n", "a [2Jb"),
        ("x" * 40, "x" * 24),
        ("é" * 24, "é" * 24),
        ("\x00", ""),
        ("y" * 23 + " z", "y" * 23),
    ],
)
def test_names_are_made_fit(text: str, name: str) -> None:
    assert clean_name(text) == name


def test_somebody_without_a_login_name_is_a_player(monkeypatch: pytest.MonkeyPatch) -> None:
    def nobody() -> str:
        raise OSError

    monkeypatch.setattr("getpass.getuser", nobody)
    assert login_name() == "player"
