"""Names, and the keys of players side by side."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from client_cli import identity
from client_cli.announcements import Announcement
from client_cli.identity import claim_key, clean_name, keep_name, kept_name, login_name
from client_cli.reports import KeyReplaced
from tests.client_cli.descriptors import open_descriptors

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


def test_of_the_keys_that_are_looked_at_only_the_claimed_one_stays_open(tmp_path: Path) -> None:
    before = open_descriptors()
    claims = [claim_key(print, tmp_path) for _ in range(3)]
    assert len(set(claims)) == 3
    files = [os.path.realpath(f"/dev/fd/{descriptor}") for descriptor in open_descriptors() - before]
    assert sorted(files) == [str(tmp_path / name) for name in ("key", "key-2", "key-3")]


def test_who_finds_every_key_taken_plays_with_one_for_now_and_leaves_nothing_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(identity, "MOST_KEYS", 2)
    claims = [claim_key(print, tmp_path) for _ in range(2)]
    before = open_descriptors()
    assert claim_key(print, tmp_path) not in claims
    assert open_descriptors() == before
    assert sorted(each.name for each in tmp_path.iterdir()) == ["key", "key-2"]


def test_a_claim_that_is_interrupted_leaves_nothing_open(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("fcntl.flock", interrupted)
    before = open_descriptors()
    with pytest.raises(KeyboardInterrupt):
        claim_key(print, tmp_path)
    assert open_descriptors() == before


def test_keeping_a_name_leaves_nothing_open(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(identity, "key_folder", lambda: tmp_path)
    before = open_descriptors()
    keep_name("Ada")
    assert kept_name() == "Ada"
    assert open_descriptors() == before


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
