"""Names, and the keys of players side by side."""

import subprocess
import sys
from pathlib import Path

import pytest

from client_cli.announcements import Announcement
from client_cli.identity import claim_key, clean_name, login_name
from client_cli.reports import KeyReplaced

CLAIM = "import sys; from pathlib import Path; from client_cli.identity import claim_key; print(claim_key(print, Path(sys.argv[1])))"


def claimed_elsewhere(folder: Path) -> str:
    """The key that another client gets, which ends at once."""
    done = subprocess.run(
        [sys.executable, "-c", CLAIM, str(folder)], check=True, capture_output=True, text=True, timeout=60
    )
    return done.stdout.strip()


def test_players_side_by_side_have_keys_of_their_own(tmp_path: Path) -> None:
    mine = claim_key(print, tmp_path)
    theirs = claimed_elsewhere(tmp_path)
    assert theirs != mine
    # The other client has ended, so its key is free again.
    assert claimed_elsewhere(tmp_path) == theirs
    assert (tmp_path / "key").read_text().strip() == mine
    assert (tmp_path / "key-2").read_text().strip() == theirs


def test_an_old_key_of_the_second_player_is_put_aside_too(tmp_path: Path) -> None:
    mine = claim_key(print, tmp_path)
    (tmp_path / "key-2").write_text("0d" * 16)
    *told, theirs = claimed_elsewhere(tmp_path).splitlines()
    assert len(told) == 1
    assert theirs not in (mine, "0d" * 16)
    assert (tmp_path / "key-2.old-1").read_text() == "0d" * 16
    assert (tmp_path / "key-2").read_text().strip() == theirs


def test_a_claim_that_finds_an_old_key_is_one_of_the_new_key(tmp_path: Path) -> None:
    (tmp_path / "key").write_text("0d" * 16)
    told: list[Announcement] = []
    mine = claim_key(told.append, tmp_path)
    assert [type(each) for each in told] == [KeyReplaced]
    assert claimed_elsewhere(tmp_path) != mine
    assert (tmp_path / "key").read_text().strip() == mine


def test_a_key_that_may_only_be_read_can_be_claimed(tmp_path: Path) -> None:
    mine = claimed_elsewhere(tmp_path)
    (tmp_path / "key").chmod(0o400)
    assert claim_key(print, tmp_path) == mine
    assert claimed_elsewhere(tmp_path) != mine


def test_a_system_without_such_locks_shares_the_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "fcntl", None)
    assert claim_key(print, tmp_path) == claim_key(print, tmp_path)


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
