"""The file with the secret key: what is found in it, and what becomes of that."""

import os
import stat
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest

from client_cli.announcements import Announcement
from client_cli.key_file import Kind, export, keep, kind_of, load
from client_cli.reports import KeyReplaced, NoKey
from client_cli.troubles import BadKey, ClientError, FileThere, FileTrouble
from protocol.players import player_of, public_key, tag_of
from tests.client_cli.descriptors import open_descriptors

KEY, OTHER, OLD = "5e" * 32, "7a" * 32, "0d" * 16
IN_ALL_SHAPES = {
    "plain": KEY.encode(),
    "line": f"{KEY}\n".encode(),
    "windows": f"{KEY}\r\n".encode(),
    "blanks": f"\n  {KEY}\t\r\n\n".encode(),
    "wrapped": f"{KEY[:40]}\n{KEY[40:]}\n".encode(),
    "notepad": f"{KEY}\r\n".encode("utf-8-sig"),
    "powershell": b"\xff\xfe" + f"{KEY}\r\n".encode("utf-16-le"),
    "big-endian": b"\xfe\xff" + f"{KEY}\n".encode("utf-16-be"),
}


def trouble(file: Path) -> Announcement:
    with pytest.raises(ClientError) as caught:
        load(file, print)
    return caught.value.problem


def mode(file: Path) -> int:
    return stat.S_IMODE(file.stat().st_mode)


def test_a_key_is_made_at_first_use_and_kept(tmp_path: Path) -> None:
    file = tmp_path / "deep" / "key"
    told: list[Announcement] = []
    key = load(file, told.append)
    assert kind_of(key) is Kind.KEY
    assert load(file, told.append) == key
    assert file.read_text() == key + "\n"
    assert not told
    assert [each.name for each in file.parent.iterdir()] == ["key"]


def test_a_key_is_its_owners_alone(tmp_path: Path) -> None:
    file = tmp_path / "folder" / "key"
    umask = os.umask(0)
    try:
        load(file, print)
    finally:
        os.umask(umask)
    assert mode(file) == 0o600
    assert mode(file.parent) == 0o700


@pytest.mark.parametrize("shape", IN_ALL_SHAPES)
def test_a_key_is_read_whatever_an_editor_has_put_around_it(tmp_path: Path, shape: str) -> None:
    file = tmp_path / "key"
    file.write_bytes(IN_ALL_SHAPES[shape])
    assert load(file, print) == KEY
    assert file.read_bytes() == IN_ALL_SHAPES[shape]


@pytest.mark.parametrize("text", [OLD, f"{OLD}\n", f"\ufeff{OLD}\r\n"])
def test_a_key_of_0_1_is_put_aside_and_a_new_one_made_and_that_is_told_once(tmp_path: Path, text: str) -> None:
    file = tmp_path / "key"
    file.write_text(text, encoding="utf-8", newline="")
    (tmp_path / "key.old-1").symlink_to("gone")
    told: list[Announcement] = []
    key = load(file, told.append)
    assert kind_of(key) is Kind.KEY
    aside = tmp_path / "key.old-2"
    assert told == [KeyReplaced(str(file), "old", str(aside), tag_of(player_of(public_key(key))))]
    assert aside.read_text(encoding="utf-8") == text.replace("\r\n", "\n")
    assert load(file, told.append) == key
    assert len(told) == 1
    assert mode(file) == 0o600


def test_an_empty_file_gets_a_key_and_that_is_told(tmp_path: Path) -> None:
    file = tmp_path / "key"
    file.write_text("\r\n")
    told: list[Announcement] = []
    key = load(file, told.append)
    assert told == [KeyReplaced(str(file), "empty", None, tag_of(player_of(public_key(key))))]
    assert [each.name for each in tmp_path.iterdir()] == ["key"]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("x", Kind.NONE),
        (KEY[:-1], Kind.CUT),
        (OLD[:-1], Kind.CUT),
        (KEY + "0", Kind.NONE),
        (KEY.upper(), Kind.NONE),
        ("é" * 64, Kind.NONE),
        (KEY * 100, Kind.NONE),
        ("-----BEGIN OPENSSH PRIVATE KEY-----", Kind.NONE),
        (f"public:{KEY}", Kind.PUBLIC),
    ],
)
def test_a_file_that_holds_no_key_stays_as_it_is_and_is_said_to_be_what_it_is(
    tmp_path: Path, text: str, kind: Kind
) -> None:
    file = tmp_path / "key"
    file.write_text(text, encoding="utf-8")
    assert trouble(file) == BadKey(str(file), kind)
    assert file.read_text(encoding="utf-8") == text


def test_what_is_no_file_is_told_in_the_systems_words(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "gone").symlink_to("nowhere")
    (tmp_path / "file").touch()
    for name, why in (
        ("folder", "Is a directory"),
        ("loop", "Too many levels of symbolic links"),
        ("gone", "No such file or directory"),
        ("file/key", "Not a directory"),
    ):
        assert trouble(tmp_path / name) == FileTrouble(str(tmp_path / name), why)


def test_a_file_that_may_not_be_read_is_told_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def forbidden(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", forbidden)
    assert trouble(tmp_path / "key") == FileTrouble(str(tmp_path / "key"), "Permission denied")


def test_an_old_key_that_cannot_be_put_aside_is_said_to_be_old(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def read_only(*_: object) -> None:
        raise OSError(30, "Read-only file system")

    file = tmp_path / "key"
    file.write_text(OLD)
    monkeypatch.setattr(Path, "rename", read_only)
    assert trouble(file) == BadKey(str(file), Kind.OLD)
    assert [(each.name, each.read_text()) for each in tmp_path.iterdir()] == [("key", OLD)]


@pytest.mark.parametrize("before", [None, OLD])
def test_clients_that_come_at_the_same_time_have_the_same_key(tmp_path: Path, before: str | None) -> None:
    clients, rounds = 6, 30
    together = threading.Barrier(clients)

    def client(file: Path) -> str:
        together.wait()
        return load(file, lambda _: None)

    with ThreadPoolExecutor(clients) as pool:
        for number in range(rounds):
            file = tmp_path / str(number) / "key"
            if before is not None:
                file.parent.mkdir()
                file.write_text(before)
            keys = set(pool.map(client, [file] * clients))
            assert keys == {file.read_text().strip()}
            assert len(list(file.parent.iterdir())) == (1 if before is None else 2)


def test_a_disk_without_links_takes_a_key_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_links(*_: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(Path, "hardlink_to", no_links)
    key = load(tmp_path / "key", print)
    assert (tmp_path / "key").read_text() == f"{key}\n"
    assert mode(tmp_path / "key") == 0o600


# Bringing a key, and taking it elsewhere


@pytest.mark.parametrize("before", [None, OLD, f"{OTHER}\n", f"{KEY}\n"])
def test_a_key_that_was_brought_is_its_owners_alone_whatever_the_file_was_before(
    tmp_path: Path, before: str | None
) -> None:
    file = tmp_path / "folder" / "key"
    umask = os.umask(0)
    try:
        if before is not None:
            file.parent.mkdir(mode=0o700)
            file.write_text(before)
            assert mode(file) == 0o666
        keep(file, KEY)
    finally:
        os.umask(umask)
    assert mode(file) == 0o600
    assert mode(file.parent) == 0o700


def test_whatever_was_there_is_put_aside_as_it_was(tmp_path: Path) -> None:
    file = tmp_path / "key"
    for before in (b"\xff\x00 no key at all", OLD.encode(), f"{OTHER}\n".encode()):
        file.write_bytes(before)
        aside = keep(file, KEY)
        assert aside is not None
        assert aside.read_bytes() == before
        assert file.read_text() == f"{KEY}\n"
    assert keep(file, KEY) is None


def test_what_is_no_key_changes_nothing(tmp_path: Path) -> None:
    file = tmp_path / "key"
    file.write_text(KEY)
    for text, kind in ((OLD, "old"), ("", "empty"), (KEY[:-2], "cut"), ("x", "none"), (public_key(KEY), "public")):
        with pytest.raises(ClientError) as caught:
            keep(file, text)
        assert caught.value.problem == NoKey(kind)
    assert [(each.name, each.read_text()) for each in tmp_path.iterdir()] == [("key", KEY)]


def test_a_key_is_exported_for_its_owners_eyes_only(tmp_path: Path) -> None:
    file = tmp_path / "copy"
    umask = os.umask(0)
    try:
        export(file, KEY)
    finally:
        os.umask(umask)
    assert file.read_text() == f"{KEY}\n"
    assert mode(file) == 0o600


def test_an_export_overwrites_nothing(tmp_path: Path) -> None:
    (tmp_path / "copy").write_text("mine")
    (tmp_path / "link").symlink_to("nowhere")
    for name in ("copy", "link"):
        with pytest.raises(ClientError) as caught:
            export(tmp_path / name, KEY)
        assert caught.value.problem == FileThere(str(tmp_path / name))
    assert (tmp_path / "copy").read_text() == "mine"
    assert not (tmp_path / "nowhere").exists()


def test_an_export_that_fails_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(ClientError) as caught:
        export(tmp_path / "copy", KEY)
    assert caught.value.problem == FileTrouble(str(tmp_path / "copy"), "No space left on device")
    assert not list(tmp_path.iterdir())


# Nothing stays open, whatever goes wrong


def full(*_: object, **_options: object) -> None:
    raise OSError(28, "No space left on device")


def done(work: Callable[[Path, str], object], file: Path) -> None:
    """Do it, and whatever comes of it: see that no descriptor is left open, and nothing beside the files there were."""
    before = open_descriptors()
    there = {each.name for each in file.parent.iterdir()}
    with suppress(ClientError):
        work(file, KEY)
    assert open_descriptors() == before
    assert not [each.name for each in file.parent.iterdir() if each.suffix == ".part" and each.name not in there]


WORK: dict[str, Callable[[Path, str], object]] = {
    "load": lambda file, _: load(file, lambda _: None),
    "keep": keep,
    "export": export,
}


@pytest.mark.parametrize("before", [None, "", OLD, OTHER, "x"])
@pytest.mark.parametrize("work", WORK)
@pytest.mark.parametrize("broken", [None, "fsync", "rename", "replace", "hardlink_to", "unlink"])
def test_no_descriptor_is_left_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, work: str, before: str | None, broken: str | None
) -> None:
    file = tmp_path / "key"
    if before is not None:
        file.write_text(before)
    if broken == "unlink":
        monkeypatch.setattr(Path, "rename", full)  # and what is drafted is not put in its place either
        monkeypatch.setattr(Path, "hardlink_to", full)
    elif broken is not None:
        monkeypatch.setattr(os if broken == "fsync" else Path, broken, full)
    done(WORK[work], file)


def test_nor_is_one_where_the_folder_cannot_be_locked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "key"
    file.write_text(OLD)
    monkeypatch.setattr("fcntl.flock", full)
    done(keep, file)
    assert file.read_text() == f"{KEY}\n"


def test_nor_is_one_where_a_written_file_cannot_be_opened_as_text(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The system may lack the memory for it, say: then the bare descriptor is all there is to close."""
    monkeypatch.setattr(os, "fdopen", full)
    for work in WORK.values():
        done(work, tmp_path / "key")
        assert not list(tmp_path.iterdir())
