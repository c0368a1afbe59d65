"""What is said of a match record."""

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec
import pytest

from client_cli import receipts, verdict
from client_cli.announcements import Announcement, Proof
from client_cli.answers import Checked, Checking, NoReceipt, OtherReceipt, ReceiptChecked, RecordChecked, Verdict
from client_cli.receipts import Keeper
from client_cli.troubles import BadRecord, ClientError, DamagedReceipt, Exit, FileTrouble
from client_cli.verdict import WORDINGS, checked_again, judged, record_in
from client_cli.wording import words
from engine.record import LONGEST_RECORD, sealed, write_record
from engine.result import Reason, Result
from protocol.proof import proof_of
from tests.client_cli.table import CODE, Table
from tests.client_cli.test_comparing import Seen, as_aborted
from tests.engine.matches import hasty, race, until

ENTRIES = ((0, "t"), (1, "t"), (0, "hp1"), (1, "hp2"), (0, "stand"), (1, "stand"))


def played() -> Table:
    table = Table().started()
    for seat, entry in ENTRIES:
        table.play(seat, entry)
    return table


@pytest.fixture
def file(tmp_path: Path) -> Path:
    file = tmp_path / "record.json"
    file.write_text(write_record(played().record()), encoding="utf-8")
    return file


def change(file: Path, **fields: Any) -> None:
    file.write_text(json.dumps(json.loads(file.read_text()) | fields))


def change_seat(file: Path, seat: int, **fields: Any) -> None:
    plain = json.loads(file.read_text())
    plain["seats"][seat] |= fields
    file.write_text(json.dumps(plain))


def unfit(file: Path) -> list[str]:
    """What is said of everything that does not fit, but the digest."""
    told = list(judged(record_in(file), None))
    bad = [each for each in told if isinstance(each, Checked) and each.fits is False]
    assert told[-1] == Verdict(checked=sum(isinstance(each, Checked) for each in told), unfit=len(bad))
    assert all(words(each).startswith("Does NOT fit: ") for each in bad)
    assert bad[0].check == "digest"
    return [words(each).removeprefix("Does NOT fit: ") for each in bad[1:]]


def test_a_true_record(file: Path) -> None:
    told = list(judged(record_in(file), None))
    assert isinstance(told[0], RecordChecked)
    assert isinstance(told[-1], Verdict)
    assert told[-1].unfit == 0
    assert isinstance(told[-3], NoReceipt)
    assert told[-2] == Proof(match=CODE, proof=proof_of(played().record().digest))
    assert [words(each) for each in told[1:-3]] == [
        "Fits: the digest: the record is as it was written.",
        "Fits: the server's secret is the one it was bound to from the start.",
        "Fits: Ada's nonce is the one committed to before the cards were dealt.",
        "Fits: Bo's nonce is the one committed to before the cards were dealt.",
        "Fits: dealt again from the secret and the nonces, all 52 cards come in the same order.",
        "Fits: Ada's board, played again: all 3 moves are allowed, and it ends stood with a count of 0.",
        "Fits: Bo's board, played again: all 3 moves are allowed, and it ends stood with a count of 0.",
        "Fits: the result follows from the boards: a draw.",
    ]


class Clock:
    """Time that passes only when somebody looks."""

    def __init__(self, each: float) -> None:
        self.now, self._each = 0.0, each

    def read(self) -> float:
        self.now += self._each
        return self.now


@pytest.fixture
def long_record(tmp_path: Path) -> Path:
    file = tmp_path / "long.json"
    file.write_text(write_record(race("calculation+redeal", 1, [hasty] * 3)), encoding="utf-8")
    return file


@pytest.mark.parametrize("each", [0.07, 0.3, 1.5])
def test_what_is_being_checked_is_told_where_it_takes_long_once_a_second_at_most(
    each: float, long_record: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock(each)
    monkeypatch.setattr(verdict, "monotonic", clock.read)
    times, boards = [0.0], []
    for told in judged(record_in(long_record), None):
        if isinstance(told, Checking):
            times.append(clock.now)
            boards.append((told.player, told.number, told.boards))
    assert len(times) > 1
    assert all(after - before >= 1 for before, after in pairwise(times))
    assert {*boards} <= {("Anna", 1, 3), ("Strong house bot", 2, 3), ("Zoë", 3, 3)}


def test_who_fixed_the_cards_and_who_came_in_at_which_place_is_told(tmp_path: Path) -> None:
    file = tmp_path / "three.json"
    ends = [until(20, "stand"), until(9, "resign"), until(5, "resign")]
    file.write_text(write_record(race("sir-tommy", 3, ends, "server")), encoding="utf-8")
    told = [words(each) for each in judged(record_in(file), None)]
    assert (
        "Fits: dealt again from the secret alone, as only the server fixed the cards, all 52 come in the same order."
        in told
    )
    result = "Fits: the result follows from the boards: Anna wins, since all others resigned (1 Anna, 2 "
    assert [each for each in told if each.startswith(result)]
    change(file, deck=["Ac"])
    assert "dealt again from the secret alone, the cards are others." in unfit(file)


def test_nothing_is_told_of_what_takes_less_than_a_second(long_record: Path) -> None:
    assert not [told for told in judged(record_in(long_record), None) if isinstance(told, Checking)]


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"secret": "11" * 32}, "the server's secret is not the one it was bound to."),
        ({"deck": ["Ac"]}, "dealt again from the secret and the nonces, the cards are others."),
        (
            {"result": {"winner": 0, "reason": "count", "places": [1, 2]}},
            "what follows from the boards is: a draw; the record says: Ada wins by the higher count.",
        ),
        (
            {"result": {"winner": 7, "reason": "solved", "places": []}},
            "what follows from the boards is: a draw; the record says: something that cannot be.",
        ),
        (
            {"result": {"winner": 0, "reason": "count", "places": [2, 1]}},
            "what follows from the boards is: a draw; the record says: Ada wins by the higher count (1 Bo, 2 Ada).",
        ),
        ({"clock": 2000}, "entry 2 of Bo was made when the clock had run out."),
    ],
)
def test_a_changed_record(file: Path, fields: dict[str, Any], sentence: str) -> None:
    change(file, **fields)
    assert sentence in unfit(file)


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"nonce": "22" * 16}, "Ada's nonce is not the one committed to."),
        ({"nonce_commitment": None}, "Ada's nonce is not the one committed to."),
        (
            {"count": 5},
            "Ada's board, played again, ends stood with a count of 0; the record says stood with a count of 5.",
        ),
        ({"entries": [[500, "t"], [400, "hp1"]]}, "entry 2 of Ada is earlier than the one before it."),
        ({"entries": [[-5, "t"]]}, "entry 1 of Ada is from before the start."),
        ({"entries": [[500, "timeout"]]}, "Ada's time runs out at entry 1, before the clock does."),
        (
            {"entries": [[500, "resign"], [5000, "t"]]},
            "entry 1 of Bo comes after the match was decided.",
        ),
        (
            {"entries": [[500, "hp1"]]},
            "entry 1 of Ada, hp1, is not allowed. No card is in hand: turn one first.",
        ),
    ],
)
def test_a_changed_seat(file: Path, fields: dict[str, Any], sentence: str) -> None:
    change_seat(file, 0, **fields)
    assert sentence in unfit(file)


@pytest.mark.parametrize(
    ("game", "near"),
    [
        ("hearts", ""),
        ("calc", " Did you mean calculation?"),
        ("sir-tommy+joker", ""),
    ],
)
def test_a_record_of_an_unknown_game_is_not_called_false(tmp_path: Path, game: str, near: str) -> None:
    record = played().record()
    record.game = game
    file = tmp_path / "record.json"
    file.write_text(write_record(sealed(record)), encoding="utf-8")
    told = list(judged(record_in(file), None))
    assert [words(each) for each in (*told[1:3], told[-1])] == [
        "Fits: the digest: the record is as it was written.",
        f"Unknown: this version of tommy does not know the game {game}. Upgrade it.{near}",
        "This record cannot be checked with this version of tommy: upgrade it.",
    ]
    assert isinstance(told[-1], Verdict)
    assert told[-1].exit_code is Exit.UNKNOWN_GAME


def test_a_changed_record_is_false_whether_or_not_its_game_is_known(file: Path) -> None:
    change(file, game="hearts")
    *_, verdict = judged(record_in(file), None)
    assert isinstance(verdict, Verdict)
    assert (verdict.unfit, verdict.unknown, verdict.exit_code) == (1, 1, Exit.ERROR)
    assert words(verdict).startswith("This record is NOT true to itself")


def test_a_record_without_an_end(file: Path) -> None:
    change_seat(file, 0, entries=[])
    assert (
        "what follows from the boards is: no result, since the boards are not finished; the record says: a draw."
        in unfit(file)
    )


def test_a_match_that_did_not_take_place(tmp_path: Path) -> None:
    table = Table().seated()
    table.commit(0)
    table.commit(1)
    table.reveal(0)
    table.reveal(1)
    table.start()
    file = tmp_path / "record.json"
    file.write_text(write_record(table.record()), encoding="utf-8")
    told = [words(each) for each in judged(record_in(file), None)]
    assert "Fits: the result follows from the boards: no race took place." in told
    assert told[-1].startswith("This record is true")


@pytest.mark.parametrize("winner", ["solved", "resigned", "count"])
def test_every_reason_to_win_is_told(file: Path, winner: str) -> None:
    change(file, result={"winner": 1, "reason": winner, "places": [2, 1]})
    assert "the record says: Bo wins" in unfit(file)[-1]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "not JSON"),
        ("[]", "this is no match record."),
        ('{"format": "tommy-race match", "version": 9}', "has version 9, and this version of tommy reads up to 2."),
        ('{"format": "tommy-race match", "version": 1}', "damaged, at $.match."),
        ("x" * (LONGEST_RECORD + 1), "longer"),
    ],
)
def test_what_is_no_record(tmp_path: Path, text: str, why: str) -> None:
    file = tmp_path / "record.json"
    file.write_text(text)
    with pytest.raises(ClientError) as caught:
        list(judged(record_in(file), None))
    assert isinstance(caught.value.problem, BadRecord)
    assert why in words(caught.value.problem)
    assert "\n" not in words(caught.value.problem)


def test_what_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(ClientError) as caught:
        list(judged(record_in(tmp_path), None))
    assert isinstance(caught.value.problem, FileTrouble)


def test_every_check_has_words_for_both() -> None:
    assert list(WORDINGS) == [
        "digest",
        "commitment",
        "nonce",
        "deck",
        "order",
        "clock",
        "entry",
        "board",
        "result",
    ]


# With receipts


def kept(folder: Path, seen: Seen, server: str = "ws://h:1", number: int = 0) -> None:
    """A file with the player's receipt of a match, or the spectator's."""
    receipt = seen.receipts[number]
    assert receipt.opened is not None
    keeper = Keeper(folder, server, "" if number else "ab" * 32)
    opened = msgspec.json.encode(msgspec.structs.replace(receipt.opened, server=server)) + b"\n"
    keeper.keep((CODE, line) for line in (opened, *list(receipt._lines)))


@pytest.fixture
def seen() -> Seen:
    return Seen("sir-tommy", 30)


def told_of(seen: Seen, folder: Path) -> list[Announcement]:
    return list(judged(seen.record, folder))


def test_a_record_is_held_against_the_receipts_of_all_who_were_there(tmp_path: Path, seen: Seen) -> None:
    kept(tmp_path, seen)
    kept(tmp_path, seen, number=1)
    told = told_of(seen, tmp_path)
    assert [each.name for each in told if isinstance(each, ReceiptChecked)] == ["Ada", None]
    assert not any(isinstance(each, NoReceipt) for each in told)
    sentences = [words(each) for each in told if isinstance(each, Checked) and each.check.startswith("receipt-")]
    assert len(sentences) == 8 + 7
    assert all(sentence.startswith("Fits: ") for sentence in sentences)
    assert isinstance(told[-2], Proof)
    assert told[-1] == Verdict(checked=8, unfit=0, compared=15, misfits=0)
    assert told[-1].exit_code is Exit.FINE


def test_a_record_that_a_receipt_does_not_know_is_false(tmp_path: Path, seen: Seen) -> None:
    kept(tmp_path, seen)
    seen.record.seats[0].entries.pop()
    record = as_aborted(seen.record)
    *_, verdict = judged(record, tmp_path)
    assert isinstance(verdict, Verdict)
    assert verdict.unfit == 0
    assert verdict.misfits > 0
    assert verdict.exit_code is Exit.ERROR


def test_a_receipt_of_another_servers_match_with_the_same_code_is_passed_over(tmp_path: Path, seen: Seen) -> None:
    other = Seen("sir-tommy", 30, secret=bytes(range(7, 39)))
    kept(tmp_path, other, server="ws://other:1")
    # Alone it speaks against the record: nobody can tell which of the two is the match.
    assert isinstance((alone := told_of(seen, tmp_path)[-1]), Verdict)
    assert alone.misfits
    kept(tmp_path, seen)
    told = told_of(seen, tmp_path)
    assert [each.server for each in told if isinstance(each, OtherReceipt)] == ["ws://other:1"]
    assert told[-1] == Verdict(checked=8, unfit=0, compared=8, misfits=0)


def test_a_damaged_receipt_is_an_error_after_all_else_was_said(tmp_path: Path, seen: Seen) -> None:
    kept(tmp_path, seen)
    kept(tmp_path, seen, number=1)
    damaged = min(tmp_path.iterdir())
    damaged.write_bytes(damaged.read_bytes() + b"{}\n")
    lines = damaged.read_bytes().count(b"\n")
    told: list[Announcement] = []
    with pytest.raises(ClientError) as caught:
        told.extend(judged(seen.record, tmp_path))
    assert caught.value.problem == DamagedReceipt(str(damaged), lines)
    assert isinstance(told[-1], Verdict)
    assert told[-1].compared > 0


def test_a_folder_that_cannot_be_read_is_told(tmp_path: Path, seen: Seen, monkeypatch: pytest.MonkeyPatch) -> None:
    def denied(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(receipts, "found", denied)
    with pytest.raises(ClientError) as caught:
        told_of(seen, tmp_path)
    assert caught.value.problem == FileTrouble(str(tmp_path), "Permission denied")


def test_a_record_from_a_server_is_read_as_strictly_as_a_file(seen: Seen) -> None:
    assert checked_again(seen.record) == seen.record
    for change in ({"seats": seen.record.seats * 5}, {"version": 9}, {"deal_version": "2"}):
        with pytest.raises(ClientError) as caught:
            checked_again(msgspec.structs.replace(seen.record, **change))
        assert isinstance(caught.value.problem, BadRecord)


def test_the_places_of_eight_are_not_cut() -> None:
    names = [f"{letter * 23}{letter}" for letter in "abcdefgh"]
    result = Result(0, Reason.COUNT, list(range(1, 9)))
    said = verdict.finding(Checked("result", fits=True, facts={"found": result, "names": names}))
    assert all(f"{place} {name}" in said for place, name in enumerate(names, start=1))
