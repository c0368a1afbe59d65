"""The folder of receipts: files for this user alone, apart for each player, few enough, and no reason to stop a race."""

import errno
import os
import re
import stat
from collections.abc import Iterable
from pathlib import Path

import pytest

from client_cli import receipts
from client_cli.announcements import DealUnchecked, ReceiptLost, ReceiptTrouble
from client_cli.comparing import CHECKS
from client_cli.guest import Guest
from client_cli.house import HouseBot
from client_cli.plain import heard_out
from client_cli.player import Player
from client_cli.race import RECORD_ID, Race
from client_cli.receipt import LONGEST, BadReceipt, Doubted, Drawn, Receipt, Sent
from client_cli.receipts import Keeper, found
from protocol.messages import AnyServerMessage, BoardState, MatchState, Moved, Refused
from tests.client_cli.table import CODE, NONCES, Table

SERVER = "ws://h:1"
ADA, BO = "aa" * 32, "bb" * 32


def state(code: str = CODE, you: int | None = 0) -> MatchState:
    return Table(code=code).seated().match(you)


def keep(keeper: Keeper, *notes: Sent | Doubted | Drawn, code: str = CODE) -> Receipt:
    """Come to a match, and keep something of it."""
    receipt = keeper.recall(state(code))
    for note in notes:
        receipt.note(note)
    keeper.keep((code, line) for line in receipt.fresh())
    return receipt


def files(folder: Path) -> list[str]:
    return sorted(file.name for file in folder.iterdir())


def test_a_receipt_outlives_the_client(tmp_path: Path) -> None:
    keep(Keeper(tmp_path, SERVER, ADA), Drawn(NONCES[0].hex()), Sent(1, "t"))
    again = Keeper(tmp_path, SERVER, ADA).recall(state())
    assert again.nonce == NONCES[0]
    assert again.sent == {(1, "t")}


def test_nobody_else_can_read_it(tmp_path: Path) -> None:
    folder = tmp_path / "data" / "receipts"
    keep(Keeper(folder, SERVER, ADA))
    (file,) = folder.iterdir()
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_players_spectators_and_servers_have_files_of_their_own_and_all_are_found(tmp_path: Path) -> None:
    keepers = [
        Keeper(tmp_path, SERVER, ADA),
        Keeper(tmp_path, SERVER, BO),
        Keeper(tmp_path, SERVER),
        Keeper(tmp_path, "ws://other:1", ADA),
        Keeper(tmp_path, "ws://h:2", ADA),
    ]
    for at, keeper in enumerate(keepers):
        keep(keeper, Doubted(str(at)))
    assert len(files(tmp_path)) == 5
    kept = [each.receipt for each in found(tmp_path, CODE)]
    assert sorted(doubt for receipt in kept if isinstance(receipt, Receipt) for doubt in receipt.doubts) == list(
        "01234"
    )
    assert found(tmp_path, "zzzzzzzz") == []
    for at, keeper in enumerate(keepers):
        assert keeper.recall(state()).doubts == [str(at)]


def test_two_clients_of_one_player_write_files_of_their_own(tmp_path: Path) -> None:
    one, other = Keeper(tmp_path, SERVER, ADA), Keeper(tmp_path, SERVER, ADA)
    first, second = keep(one, Sent(1, "t")), keep(other, Sent(2, "hp1"))
    for keeper, receipt, note in ((one, first, Sent(3, "t")), (other, second, Sent(4, "hp2"))):
        receipt.note(note)
        keeper.keep((CODE, line) for line in receipt.fresh())
    assert len(files(tmp_path)) == 2
    assert first.sent == {(1, "t"), (3, "t")}
    assert second.sent == {(1, "t"), (2, "hp1"), (4, "hp2")}, "the one that takes over knows what was done before"
    del keeper, one, other
    assert Keeper(tmp_path, SERVER, ADA).recall(state()).sent == {(1, "t"), (2, "hp1"), (3, "t"), (4, "hp2")}


def test_what_two_spectators_keep_accuses_nobody(tmp_path: Path) -> None:
    table = Table().started()
    keepers = [Keeper(tmp_path, SERVER), Keeper(tmp_path, SERVER)]
    races = [Race(table.match(None), lambda: b"", 0.0, keeper.recall(table.match(None))) for keeper in keepers]
    shown: list[BoardState | Moved] = [table.board(0), table.play(0, "t"), table.play(0, "hp1")]
    for message in shown:
        for at, race in enumerate(races):
            race.receive(message, 1.0)
            keepers[at].keep((CODE, line) for line in race.receipt.fresh())
    keepers.clear()
    assert len(found(tmp_path, CODE)) == 2
    again = Race(table.match(None), lambda: b"", 2.0, Keeper(tmp_path, SERVER).recall(table.match(None)))
    for message in shown:
        again.receive(message, 2.0)
    assert again.doubts == []
    assert len(files(tmp_path)) == 2


def test_lines_that_stand_twice_in_a_file_are_read_once(tmp_path: Path) -> None:
    keep(Keeper(tmp_path, SERVER, ADA), Doubted("peek"))
    (file,) = tmp_path.iterdir()
    file.write_bytes(file.read_bytes() * 2)
    assert Keeper(tmp_path, SERVER, ADA).recall(state()).doubts == ["peek"]


def test_half_a_line_is_cut_off_before_more_is_written(tmp_path: Path) -> None:
    keep(Keeper(tmp_path, SERVER, ADA), Sent(1, "t"))
    (file,) = tmp_path.iterdir()
    with file.open("ab") as opened:
        opened.write(b'{"type":"sent","n":2,"mo')
    keep(Keeper(tmp_path, SERVER, ADA), Sent(2, "hp1"))
    ((_, receipt),) = found(tmp_path, CODE)
    assert isinstance(receipt, Receipt)
    assert receipt.sent == {(1, "t"), (2, "hp1")}


def test_without_a_folder_nothing_is_kept() -> None:
    keeper = Keeper(None, SERVER, ADA)
    keep(keeper, Sent(1, "t"))
    assert keeper.recall(state()).sent == set()
    assert not keeper.behind
    assert found(None, CODE) == []


@pytest.mark.parametrize("code", ["../../evil", "/etc/passwd", "abcdefg", "abcdefghj", "ABCDEFGH", "abcdefg\n", ""])
def test_a_server_does_not_say_which_file_is_written(tmp_path: Path, code: str) -> None:
    folder = tmp_path / "receipts"
    folder.mkdir()
    keep(Keeper(folder, SERVER, ADA), Sent(1, "t"), code=code)
    assert files(tmp_path) == ["receipts"]
    assert files(folder) == []


# What goes wrong


def test_a_damaged_receipt_is_put_aside_and_told(tmp_path: Path) -> None:
    keep(Keeper(tmp_path, SERVER, ADA), Sent(1, "t"))
    (file,) = tmp_path.iterdir()
    file.write_bytes(file.read_bytes() + b"what is this?\n")
    assert isinstance(found(tmp_path, CODE)[0].receipt, BadReceipt)
    keeper = Keeper(tmp_path, SERVER, ADA)
    keep(keeper, Sent(2, "t"))
    aside = file.with_suffix(".damaged")
    assert keeper.troubles() == [ReceiptLost(str(aside), 3)]
    assert files(tmp_path) == sorted([file.name, aside.name])
    assert Keeper(tmp_path, SERVER, ADA).recall(state()).sent == {(2, "t")}


def full(monkeypatch: pytest.MonkeyPatch, *, short: bool) -> None:
    """The disk takes nothing more, or half of what it is given."""
    write = os.write

    def written(descriptor: int, line: bytes) -> int:
        if short:
            return write(descriptor, line[: len(line) // 2])
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "write", written)


@pytest.mark.parametrize("short", [False, True])
def test_a_full_disk_is_told_once_and_what_was_not_written_comes_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, short: bool
) -> None:
    keeper = Keeper(tmp_path, SERVER, ADA)
    receipt = keep(keeper, Sent(1, "t"))
    with monkeypatch.context() as patched:
        full(patched, short=short)
        for n in (2, 3):
            receipt.note(Sent(n, "t"))
            keeper.keep((CODE, line) for line in receipt.fresh())
            assert keeper.behind
    (file,) = tmp_path.iterdir()
    assert keeper.troubles() == [ReceiptTrouble(str(file), "No space left on device")]
    assert keeper.troubles() == []
    assert file.read_bytes().endswith(b"\n"), "half a line was left behind"
    receipt.note(Sent(4, "t"))
    keeper.keep((CODE, line) for line in receipt.fresh())
    assert not keeper.behind
    assert {n for n, _ in Keeper(tmp_path, SERVER, ADA).recall(state()).sent} == {1, 2, 3, 4}


def test_a_folder_that_cannot_be_stops_no_race_and_the_verdict_says_what_it_means(tmp_path: Path) -> None:
    (tmp_path / "receipts").write_text("a file where the folder should be")
    keeper = Keeper(tmp_path / "receipts", SERVER, ADA)
    table = Table().seated()
    guest = HouseBot(table.match(), lambda: NONCES[0], 0.0, recall=keeper.recall)
    told = heard_out(guest, keeper)
    assert [each for each in told if isinstance(each, ReceiptTrouble)]
    for message in messages_of(guest, table):
        guest.heard(message, 1.0)
        told += heard_out(guest, keeper)
    assert sum(isinstance(each, ReceiptTrouble) for each in told) == 1
    assert guest.race.checked is not None
    assert (guest.race.checked.doubts, guest.race.checked.limits) == ([], ["unkept"])


def messages_of(guest: Guest, table: Table) -> Iterable[AnyServerMessage]:
    """A match in which the rival resigns at once."""
    yield table.bound().match()
    table.started()
    yield table.match()
    yield table.board(0)
    table.play(1, "resign")
    yield table.board(1)
    yield table.match()
    guest.to_send()
    yield table.answer_record()


# How many


def aged(folder: Path, name: str, age: int, size: int = 10) -> None:
    file = folder / name
    file.write_bytes(b"x" * size)
    os.utime(file, (1_000_000 - age, 1_000_000 - age))


def test_there_are_so_many_at_most_and_the_oldest_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(receipts, "MOST_FILES", 4)
    for at, code in enumerate("abcde"):
        aged(tmp_path, f"{code * 8}-00000000.jsonl", age=at)
    keep(Keeper(tmp_path, SERVER, ADA), code="zzzzzzzz")
    assert [name[:8] for name in files(tmp_path)] == ["aaaaaaaa", "bbbbbbbb", "cccccccc", "zzzzzzzz"]


def test_those_of_matches_only_watched_go_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(receipts, "MOST_FILES", 3)
    aged(tmp_path, "aaaaaaaa-00000000.jsonl", age=9)
    aged(tmp_path, "bbbbbbbb-00000000-watched.jsonl", age=1)
    aged(tmp_path, "cccccccc-00000000-watched.jsonl", age=2)
    keep(Keeper(tmp_path, SERVER, ADA), code="zzzzzzzz")
    assert [name[:8] for name in files(tmp_path)] == ["aaaaaaaa", "bbbbbbbb", "zzzzzzzz"]


def test_they_take_so_much_room_at_most(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(receipts, "MOST_BYTES", 100)
    for at, code in enumerate("abcd"):
        aged(tmp_path, f"{code * 8}-00000000.jsonl", age=at, size=40)
    keep(Keeper(tmp_path, SERVER, ADA), code="zzzzzzzz")
    assert [name[:8] for name in files(tmp_path)] == ["aaaaaaaa", "bbbbbbbb", "zzzzzzzz"]


def test_a_server_pushes_out_its_own_first_and_nothing_that_was_just_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(receipts, "MOST_FILES", 3)
    keep(Keeper(tmp_path, "ws://other:1", ADA), code="aaaaaaaa")
    for code in ("bbbbbbbb", "cccccccc"):
        keep(Keeper(tmp_path, SERVER, ADA), code=code)
    for file in tmp_path.iterdir():
        if not file.name.startswith("b"):
            os.utime(file, (1_000_000, 1_000_000 - file.name.startswith("a")))
    keep(Keeper(tmp_path, SERVER, ADA), code="zzzzzzzz")
    assert [name[:8] for name in files(tmp_path)] == ["aaaaaaaa", "bbbbbbbb", "zzzzzzzz"]


def test_a_receipt_that_was_pushed_out_leaves_none_without_a_beginning(tmp_path: Path) -> None:
    keeper = Keeper(tmp_path, SERVER, ADA)
    receipt = keep(keeper, Sent(1, "t"))
    (file,) = tmp_path.iterdir()
    file.unlink()
    receipt.note(Sent(2, "t"))
    keeper.keep((CODE, line) for line in receipt.fresh())
    assert files(tmp_path) == []


@pytest.mark.parametrize("asked", [False, True])
def test_a_server_cannot_lead_a_player_on_to_matches_nobody_asked_for(tmp_path: Path, *, asked: bool) -> None:
    table, keeper = Table().started(), Keeper(tmp_path, SERVER, ADA)
    player = Player(table.match(), lambda: NONCES[0], 0.0, recall=keeper.recall)
    table.play(0, "resign")
    table.next, table.rematch = "zzzzzzzz", [True, True]
    if asked:
        player.race.again()
    player.heard(table.match(), 1.0)
    player.heard(state("zzzzzzzz"), 1.0)
    assert (player.race.code == "zzzzzzzz") is asked


def test_a_record_that_was_only_to_be_asked_for_again_is_no_lie_when_a_rematch_comes() -> None:
    table = Table().started()
    player = Player(table.match(), lambda: NONCES[0], 0.0)
    table.play(1, "resign")
    player.heard(table.match(), 1.0)
    player.heard(Refused(re=RECORD_ID, code="store-failed", why="not now", match=CODE), 1.0)
    player.race.again()
    table.next = "zzzzzzzz"
    player.heard(table.match(), 1.1)
    before = player.race
    player.heard(state("zzzzzzzz"), 1.2)
    assert player.race.code == "zzzzzzzz"
    assert "no-record" not in before.doubts
    assert DealUnchecked(CODE) in player.to_tell()


def test_what_is_none_of_ours_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(receipts, "MOST_FILES", 1)
    others = ["my-thesis.jsonl", "abcdefgh-notes.jsonl", "abcdefgh-00000000.txt"]
    for name in others:
        aged(tmp_path, name, age=9)
    keep(Keeper(tmp_path, SERVER, ADA), code="zzzzzzzz")
    assert set(others) < set(files(tmp_path))
    assert found(tmp_path, CODE) == []


# What the page says


def test_the_page_says_how_much_is_kept_and_what_is_compared() -> None:
    page = (Path(__file__).parents[2] / "docs" / "fairness.md").read_text(encoding="utf-8")
    section = " ".join(page.split("\n### What a client keeps\n")[1].split("\n## ")[0].split())
    assert f"At most {LONGEST >> 20} MiB of one match are kept, and of {receipts.MOST_FILES:,} matches" in section
    assert set(re.findall(r"`receipt-([\w-]+)`", section)) == set(CHECKS)
