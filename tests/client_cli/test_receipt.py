"""The journal of a match: what goes in comes out again, whatever has happened to the file."""

import pytest

from client_cli import receipt as receipts
from client_cli.receipt import (
    LONGEST,
    RESERVE,
    VERSION,
    BadReceipt,
    Committed,
    Cut,
    Doubted,
    Drawn,
    Ended,
    Opened,
    Receipt,
    Replaced,
    Revealed,
    Sent,
    address_of,
    read_receipt,
)
from engine.result import Reason, Result
from protocol.messages import Moved
from tests.client_cli.table import CODE, NONCES, Table

OPENED = Opened(VERSION, CODE, "sir-tommy", "ws://h:1", 5, 0)


def journal() -> Receipt:
    """One note of each kind."""
    table = Table().started()
    receipt = Receipt()
    for note in (
        OPENED,
        Committed("ab" * 32, "waiting"),
        Committed("cd" * 32, "seated", 1),
        Drawn(NONCES[0].hex()),
        Revealed(),
        table.board(0),
        Sent(1, "t"),
        table.play(0, "t"),
        Replaced(),
        Doubted("peek"),
        Ended("over", Result(1, Reason.RESIGNED, [2, 1]), "ef" * 32),
        Cut(),
    ):
        receipt.note(note)
    return receipt


def known(receipt: Receipt) -> dict[str, object]:
    """All that a receipt comes to."""
    return {name: value for name, value in vars(receipt).items() if not name.startswith("_")}


def test_what_is_written_is_what_is_read() -> None:
    receipt = journal()
    text = b"".join(receipt.fresh())
    again, whole = read_receipt(text)
    assert known(again) == known(receipt)
    assert whole == len(text)
    assert again.fresh() == []
    assert receipt.fresh() == []


def test_what_is_kept_already_is_not_kept_again() -> None:
    receipt = journal()
    receipt.fresh()
    for note in (OPENED, Sent(1, "t"), Doubted("peek"), Table().started().board(0)):
        receipt.note(note)
    assert receipt.fresh() == []


def test_the_first_that_was_seen_counts() -> None:
    receipt = journal()
    receipt.note(Committed("00" * 32, "over", 1))
    receipt.note(Ended("aborted"))
    receipt.note(Drawn(NONCES[1].hex()))
    assert receipt.commitments[1].commitment == "cd" * 32
    assert receipt.ended is not None
    assert receipt.ended.state == "over"
    assert receipt.nonce == NONCES[0]


@pytest.mark.parametrize("rest", range(1, 30, 7))
def test_half_a_line_at_the_end_was_never_written(rest: int) -> None:
    *lines, last = journal().fresh()
    text = b"".join(lines)
    again, whole = read_receipt(text + last[:-1][:rest])
    assert whole == len(text)
    assert not again.cut
    assert again.ended is not None


@pytest.mark.parametrize(
    ("number", "line"),
    [
        (1, b"{}"),
        (1, b'{"type":"revealed"}'),
        (3, b'{"type":"sent","n":'),
        (4, b"\x00\x00\x00"),
        (5, b'{"type":"moon"}'),
        (6, b'{"type":"drawn","nonce":"xyz"}'),
        (7, b'{"type":"committed","commitment":"short","state":"seated"}'),
        (8, b""),
    ],
)
def test_a_damaged_line_is_named(number: int, line: bytes) -> None:
    lines = journal().fresh()
    lines[number - 1] = line + b"\n"
    with pytest.raises(BadReceipt) as caught:
        read_receipt(b"".join(lines))
    assert caught.value.line == number
    assert str(caught.value).startswith(f"line {number}: ")


def test_a_receipt_of_a_later_version_is_not_guessed_at() -> None:
    receipt = Receipt()
    receipt.note(Opened(VERSION + 1, CODE, "sir-tommy", "", 0))
    with pytest.raises(BadReceipt, match="version-2"):
        read_receipt(b"".join(receipt.fresh()))


def test_an_empty_file_is_a_receipt_of_nothing() -> None:
    for text in (b"", b'{"type":"ope'):
        receipt, whole = read_receipt(text)
        assert (receipt.opened, whole) == (None, 0)


def test_a_server_that_goes_on_for_ever_fills_no_disk() -> None:
    receipt = Receipt()
    receipt.note(OPENED)
    shown = Moved(match=CODE, seat=0, n=1, move="x" * 1000, status="playing", count=0, at=0)  # type: ignore[arg-type]
    size = 0
    for n in range(1, 3000):
        shown.n = n
        receipt.note(shown)
        size += sum(map(len, receipt.fresh()))
    assert LONGEST - 2000 < size <= LONGEST
    assert receipt.cut
    assert len(receipt.moved) < 2200, "nor does it fill the memory"
    # What matters most still has its place, and all of it can be read again.
    receipt.note(Doubted("board"))
    receipt.note(Ended("over", None, "ab" * 32))
    assert receipt.doubts == ["board"]
    assert receipt.ended is not None
    assert receipts.RESERVE > 100 * 200


def test_not_even_what_matters_most_is_kept_for_ever() -> None:
    receipt = Receipt()
    lines = []
    for at in range(40_000):
        receipt.note(Opened(VERSION, CODE, "sir-tommy", "ws://h:1", at, 0))
        lines += receipt.fresh()
    text = b"".join(lines)
    assert len(text) <= LONGEST + RESERVE
    assert receipt.cut
    read_receipt(text)
    with pytest.raises(BadReceipt, match="too-long"):
        read_receipt(text + lines[-1] * (RESERVE // 50))


def test_a_board_is_built_again_as_far_as_it_is_known_without_a_gap() -> None:
    table = Table().started()
    receipt = Receipt()
    receipt.note(table.board(0))
    moved = [table.play(0, entry) for entry in ("t", "hp1", "t")]
    receipt.note(moved[0])
    receipt.note(moved[2])
    assert [each.n for each in receipt.entries(0)] == [0, 1]
    assert list(receipt.entries(1)) == []
    assert (receipt.last(0), receipt.last(1)) == (3, None)


@pytest.mark.parametrize(
    ("server", "address"),
    [
        ("ws://h:1", "h:1"),
        ("wss://Example.ORG:443/path", "example.org:443"),
        ("ws://[::1]:7777", "::1:7777"),
        ("wss://example.org", "example.org:"),
        ("ws://h:port", "ws://h:port"),
    ],
)
def test_where_a_match_was_raced(server: str, address: str) -> None:
    assert address_of(server) == address
