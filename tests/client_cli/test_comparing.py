"""A record held against what a client was shown: the true one fits, and every other one does not."""

import json
import re
from collections.abc import Callable
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from client_cli.comparing import compared
from client_cli.race import Race
from client_cli.receipt import Cut, Ended, Opened, Receipt, Replaced, Sent, read_receipt
from engine.board import Board
from engine.cards import DECK, card_text
from engine.deal import deal, nonce_commitment
from engine.games import variant
from engine.record import Record, sealed
from engine.result import NO_RACE, Reason, Result
from engine.sir_tommy import SirTommyBoard
from engine.verify import Finding, verify
from protocol.messages import BoardState
from protocol.proof import proof_of
from tests.client_cli.screen.desk import sensible
from tests.client_cli.table import NONCES, Table

DECK_TEXT = [card_text(card) for card in DECK]
GAMES = ("sir-tommy+redeal", "calculation", "puss-in-the-corner", "strategy+redeal", "lucas+peek", "josephine+groups")


class Seen:
    """A match, and the receipts of a player and of a spectator who saw all of it."""

    def __init__(self, game: str, moves: int = 200, secret: bytes = bytes(range(32))) -> None:
        self.table = Table(game, secret=secret).seated()
        self.player = Race(self.table.match(), lambda: NONCES[0], 0.0)
        self.spectator = Race(self.table.match(None), lambda: b"", 0.0)
        self.player.ready()
        self.tell_state()
        self.table.bound()
        self.tell_state()
        self.table.started()
        self.tell_state()
        for seat in (0, 1):
            self.spectator.receive(self.table.board(seat), 1.0)
        self.player.receive(self.table.board(0), 1.0)
        for number in range(moves):
            for seat in (0, 1) if number % 3 else (0,):
                if (move := sensible(self.table.boards[seat], number)) and self.table.result is None:
                    self.make(seat, move)
        self.make(0, "stand")
        self.make(1, "stand")
        self.player.receive(self.table.board(1), 1.0)
        self.tell_state()

    def tell_state(self) -> None:
        self.player.receive(self.table.match(), 1.0)
        self.spectator.receive(self.table.match(None), 1.0)

    def make(self, seat: int, entry: str) -> None:
        if self.table.boards[seat].finished:
            return
        if seat == 0:
            self.player.move(entry)
        moved = self.table.play(seat, entry)
        if seat == 0:
            self.player.receive(moved, 1.0)
        self.spectator.receive(replace(moved, peek=None), 1.0)

    @property
    def record(self) -> Record:
        return self.table.record()

    @property
    def receipts(self) -> list[Receipt]:
        return [self.player.receipt, self.spectator.receipt]


@pytest.fixture(scope="module", params=GAMES)
def seen(request: pytest.FixtureRequest) -> Seen:
    return Seen(request.param)


def unfit(record: Record, receipt: Receipt) -> set[str]:
    """What does not fit."""
    return {finding.check for finding in compared(record, receipt) if finding.fits is False}


def found(check: str, record: Record, receipt: Receipt) -> Finding:
    (finding,) = (finding for finding in compared(record, receipt) if finding.check == f"receipt-{check}")
    return finding


def turned(board: Board) -> int:
    """How many cards of a board were turned or lay open."""
    return len(board.view().foundations) and board.total - len(board.face_down)


# The true record


def test_the_record_of_the_match_fits(seen: Seen) -> None:
    for receipt in seen.receipts:
        assert all(finding.fits for finding in compared(seen.record, receipt))
    assert seen.player.doubts == seen.spectator.doubts == []


def test_every_place_of_the_deal_is_counted_once(seen: Seen) -> None:
    first, second = seen.table.boards
    total = len(seen.table.variant.cards)
    open_places, gathered = set(), set()
    for board in (first, second):
        redealt = board.turned > seen.table.variant.game.stock or (
            isinstance(board, SirTommyBoard) and board.redeals_left < board.rules.redeals
        )
        down = {place for place in board.face_down if place > total}
        open_places |= set(range(1, total + 1)) - set(board.face_down)
        if redealt:
            place_of = {card: total + place for place, card in enumerate(seen.table.dealt.second, start=1)}
            after_the_redeal = {place_of[card] for card in gathered_by(seen.record, first is not board, seen.table)}
            gathered |= after_the_redeal
            open_places |= after_the_redeal - down
    peeked = {board.face_down[-1] for board in (first, second) if board.peek is not None}
    facts = found("cards", seen.record, seen.player.receipt).facts
    assert facts == {
        "cards": len(open_places | peeked),
        "unseen": total + len(gathered) - len(open_places | peeked),
    }


def gathered_by(record: Record, second: bool, table: Table) -> set[int]:
    """The cards that a player has gathered for the redeal."""
    board = table.variant.board(table.dealt)
    for _, entry in record.seats[second].entries:
        if entry == "r":
            assert isinstance(board, SirTommyBoard)
            return {card for pile in board.piles for card in pile}
        board.retrace(entry)
    return set()


def test_a_redeal_was_among_them() -> None:
    record = Seen("sir-tommy+redeal").record
    assert any(entry == "r" for seat in record.seats for _, entry in seat.entries)


# What was shown otherwise


def lines(receipt: Receipt) -> list[str]:
    return [line.decode() for line in sorted(receipt._lines, key=lambda line: not line.startswith(b'{"type":"opened"'))]


CARD = re.compile(r'"(10|[A2-9JQK])[cdhs]"')


@pytest.mark.parametrize("number", [0, 1])
def test_any_card_shown_otherwise_is_found(seen: Seen, number: int) -> None:
    """One card in one message is another than it was: whichever it is."""
    chance = Random(1)
    receipt = seen.receipts[number]
    kept = lines(receipt)
    shown = [at for at, line in enumerate(kept) if CARD.search(line)]
    assert len(shown) > 10
    for at in chance.sample(shown, min(len(shown), 25)):
        cards = list(CARD.finditer(kept[at]))
        place = chance.choice(cards)
        other = chance.choice([text for card in DECK if f'"{(text := card_text(card))}"' != place[0]])
        line = f'{kept[at][: place.start()]}"{other}"{kept[at][place.end() :]}'
        changed, _ = read_receipt("".join([*kept[:at], line, *kept[at + 1 :]]).encode())
        assert unfit(seen.record, changed) == {"receipt-cards"}, line


@pytest.mark.parametrize("field", ["count", "status", "stock", "hand", "redeals"])
def test_anything_else_shown_otherwise_is_found(field: str) -> None:
    seen = Seen("sir-tommy+redeal", 60)
    for at, shown in seen.player.receipt.boards.items():
        plain: Any = msgspec.to_builtins(shown[0])
        place = plain if field in plain else plain["view"]
        place[field] = {"status": "stuck", "hand": None if place.get("hand") else "Ac"}.get(field, 9)
        seen.player.receipt.boards[at] = [msgspec.convert(plain, BoardState)]
        assert "receipt-cards" in unfit(seen.record, seen.player.receipt)
        seen.player.receipt.boards[at] = shown


# Another record, true to itself


def rewritten(record: Record, **changes: Any) -> Record:
    return sealed(replace(msgspec.convert(msgspec.to_builtins(record), Record), **changes))


def as_aborted(record: Record) -> Record:
    """The match as if it had never been raced."""
    seats = [replace(seat, entries=[], status="playing", count=0) for seat in record.seats]
    return rewritten(record, seats=seats, result=NO_RACE)


def ended_early(seat: int, word: str) -> Callable[[Record], Record]:
    """The match as if one player had ended it with a word after the first two entries."""

    def change(record: Record) -> Record:
        short = replace(record.seats[seat], entries=[*record.seats[seat].entries[:2], (10**5, word)])
        seats = [short if at == seat else other for at, other in enumerate(record.seats)]
        return judged_anew(rewritten(record, seats=seats))

    return change


def swapped(record: Record) -> Record:
    """Each player's moves as if they were the other's."""
    first, second = record.seats
    seats = [replace(first, entries=second.entries), replace(second, entries=first.entries)]
    return judged_anew(rewritten(record, seats=seats))


def judged_anew(record: Record) -> Record:
    """With the ends, counts and result that follow from the moves, as far as the check goes."""
    for finding in verify(record):
        if finding.check == "board":
            for seat in record.seats:
                if seat.name == finding.facts["player"]:
                    seat.status, seat.count = finding.facts["found"]
        elif finding.check == "result" and finding.facts["found"] is not None:
            record = replace(record, result=finding.facts["found"])
    return sealed(record)


def at_other_times(record: Record) -> Record:
    """Every entry of the second player a little later."""
    late = replace(record.seats[1], entries=[(at + 1, entry) for at, entry in record.seats[1].entries])
    return rewritten(record, seats=[record.seats[0], late])


def another_deal(record: Record) -> Record:
    """Another match with the same code, in which nobody did anything."""
    table = Table(record.game, secret=bytes(range(1, 33))).started()
    for seat in (0, 1):
        table.play(seat, "stand")
    return table.record()


RECORDS: dict[str, Callable[[Record], Record]] = {
    "as aborted": as_aborted,
    "own tail cut": ended_early(0, "resign"),
    "rival's tail cut": ended_early(1, "resign"),
    "boards swapped": swapped,
    "another deal": another_deal,
}


@pytest.mark.parametrize("name", RECORDS)
def test_another_record_that_is_true_to_itself_is_found(name: str) -> None:
    seen = Seen("sir-tommy", 40)
    record = RECORDS[name](seen.record)
    assert [finding.check for finding in verify(record) if not finding.fits] == []
    for receipt in seen.receipts:
        assert "receipt-digest" in unfit(record, receipt)
        # And without the digest, as for who was not told it.
        receipt.ended = None
        assert {"receipt-entries", "receipt-cards", "receipt-commitments"} & unfit(record, receipt), name


def test_a_host_that_gives_each_player_a_match_of_their_own_is_seen_by_the_proof_alone() -> None:
    one, other = Seen("sir-tommy", 20), Seen("sir-tommy", 20, secret=bytes(range(9, 41)))
    for seen in (one, other):
        assert not unfit(seen.record, seen.player.receipt)
        assert all(finding.fits for finding in verify(seen.record))
    assert proof_of(one.record.digest) != proof_of(other.record.digest)


def test_other_times_are_found() -> None:
    seen = Seen("sir-tommy", 40)
    record = at_other_times(seen.record)
    assert unfit(record, seen.spectator.receipt) == {"receipt-entries", "receipt-digest"}


@pytest.mark.parametrize(
    ("changes", "checks"),
    [
        ({"secret": "ab" * 32}, {"commitments", "cards", "digest"}),
        ({"secret": "no hex"}, {"commitments", "cards", "digest"}),
        ({"commitment": "ab" * 32}, {"commitments", "digest"}),
        ({"match": "zzzzzzzz"}, {"commitments", "digest"}),
        ({"game": "strategy"}, {"commitments", "digest"}),
        ({"result": Result(1, Reason.RESIGNED, [2, 1])}, {"result", "digest"}),
        ({"deck": DECK_TEXT}, {"cards", "digest"}),
        ({"second": DECK_TEXT}, {"cards", "digest"}),
        ({"seats": []}, {"terms", "commitments", "own-nonce", "entries", "cards", "result", "digest"}),
        ({"digest": "ab" * 32}, {"digest"}),
    ],
)
def test_each_part_of_a_record_is_compared(changes: dict[str, Any], checks: set[str]) -> None:
    seen = Seen("sir-tommy", 20)
    record = replace(seen.record, **changes)
    if "digest" not in changes:
        record = sealed(record)
    assert unfit(record, seen.player.receipt) - {"receipt-own-nonce"} == {
        f"receipt-{check}" for check in checks - {"own-nonce"}
    }


def test_a_false_result_does_not_fit_though_it_was_told_just_so() -> None:
    seen = Seen("sir-tommy", 20)
    winner = 1 - (seen.record.result.winner or 0)
    false = rewritten(seen.record, result=Result(winner, Reason.COUNT, [2, 1] if winner else [1, 2]))
    receipt = seen.player.receipt
    receipt.ended = Ended("over", false.result, false.digest)
    assert unfit(false, receipt) == {"receipt-result"}


@pytest.mark.parametrize("seat", [0, 1])
def test_nor_does_one_that_follows_from_counts_no_board_has(seat: int) -> None:
    seen = Seen("sir-tommy", 20)
    seats = [replace(side, count=51) if at == seat else side for at, side in enumerate(seen.record.seats)]
    receipt = seen.player.receipt
    receipt.boards, receipt.moved = {(0, 0): receipt.boards[0, 0]}, {}
    receipt.ended = None
    assert "receipt-cards" in unfit(rewritten(seen.record, seats=seats), receipt)


@pytest.mark.parametrize("nonce", ["ab" * 16, None, "no hex"])
def test_the_own_nonce_is_compared(nonce: str | None) -> None:
    seen = Seen("sir-tommy", 20)
    seats = [replace(seen.record.seats[0], nonce=nonce), seen.record.seats[1]]
    assert "receipt-own-nonce" in unfit(rewritten(seen.record, seats=seats), seen.player.receipt)


@pytest.mark.parametrize("entry", ["zz", "p1f1", "c1c2"])
def test_a_record_whose_moves_cannot_be_made_is_no_bug(entry: str) -> None:
    seen = Seen("sir-tommy", 20)
    for at in (0, 1):
        seats = [replace(seat, entries=[*seat.entries[:1], (600, entry)]) for seat in seen.record.seats]
        seats[1 - at] = seen.record.seats[1 - at]
        assert "receipt-entries" in unfit(rewritten(seen.record, seats=seats), seen.player.receipt)


# What a receipt cannot tell


def early(seen: Seen) -> Receipt:
    """The player's receipt as if the client had gone before the end."""
    receipt = seen.player.receipt
    receipt.ended = None
    return receipt


def test_who_went_before_the_end_knows_neither_digest_nor_result() -> None:
    seen = Seen("sir-tommy", 20)
    receipt = early(seen)
    findings = {finding.check: finding.fits for finding in compared(seen.record, receipt)}
    assert findings["receipt-end"] is None
    assert "receipt-digest" not in findings
    assert "receipt-result" not in findings
    assert False not in findings.values()


@pytest.mark.parametrize(
    ("entry", "fits"), [("timeout", True), ("abandon", True), ("resign", False), ("t", False), ("stand", True)]
)
def test_entries_after_those_known_have_to_be_the_servers_or_sent(entry: str, fits: bool) -> None:
    seen = Seen("sir-tommy", 20)
    receipt = early(seen)
    last = receipt.last(0)
    assert last is not None
    del receipt.moved[0, last]  # the answer to `stand` has not come
    record = seen.record
    own = replace(record.seats[0], entries=[*record.seats[0].entries[:-1], (10**5, entry)])
    changed = rewritten(record, seats=[own, record.seats[1]])
    assert found("entries", changed, receipt).fits is fits


@pytest.mark.parametrize("told", ["a board", "nothing"])
def test_entries_that_nobody_here_sent_do_not_fit_however_they_were_told(told: str) -> None:
    """The host has played on: it shows the board as it is then, where it should tell of each entry."""
    seen = Seen("sir-tommy", 20)
    receipt = seen.player.receipt
    last = receipt.last(0)
    assert last is not None
    for n in range(last - 3, last + 1):
        receipt.moved.pop((0, n))
        receipt.sent = {sent for sent in receipt.sent if sent[0] != n}
    if told == "a board":
        receipt.note(replace(seen.table.board(0), n=last))
    assert found("entries", seen.record, receipt).fits is False
    receipt.note(Replaced())
    assert found("entries", seen.record, receipt).fits is (None if told == "a board" else False)


def test_entries_from_before_this_client_came_may_be_anybodys() -> None:
    seen = Seen("sir-tommy", 20)
    late = Race(seen.table.match(), lambda: b"", 9.0)
    late.receive(seen.table.board(0), 9.0)
    assert found("entries", seen.record, late.receipt).fits is True


def test_entries_of_another_client_with_the_same_key_are_unknown() -> None:
    seen = Seen("sir-tommy", 20)
    receipt = early(seen)
    last = receipt.last(0)
    assert last is not None
    for n in range(last - 3, last + 1):
        del receipt.moved[0, n]
        receipt.sent = {sent for sent in receipt.sent if sent[0] != n}
    assert found("entries", seen.record, receipt).fits is False
    receipt.note(Replaced())
    assert found("entries", seen.record, receipt).fits is None


def test_who_came_late_did_not_see_anybody_bound() -> None:
    seen = Seen("sir-tommy", 20)
    late = Race(seen.table.match(None), lambda: b"", 9.0)
    for seat in (0, 1):
        late.receive(seen.table.board(seat), 9.0)
    assert {finding.check for finding in compared(seen.record, late.receipt) if finding.fits is None} == {
        "receipt-commitments"
    }
    assert not unfit(seen.record, late.receipt)


def test_a_player_without_the_nonce_cannot_tell_whether_it_went_in() -> None:
    seen = Seen("sir-tommy", 20)
    late = Race(seen.table.match(), lambda: b"", 9.0)
    assert found("own-nonce", seen.record, late.receipt).fits is None


def test_what_was_too_much_to_keep_is_told() -> None:
    seen = Seen("sir-tommy", 20)
    seen.player.receipt.note(Cut())
    assert found("whole", seen.record, seen.player.receipt).fits is None


def test_a_receipt_of_a_game_that_this_version_does_not_know() -> None:
    seen = Seen("sir-tommy", 20)
    receipt = seen.player.receipt
    assert receipt.opened is not None
    receipt.opened = replace(receipt.opened, game="hearts")
    assert found("cards", seen.record, receipt).fits is None


def test_what_was_doubted_during_the_match_does_not_fit_later() -> None:
    seen = Seen("sir-tommy", 20)
    seen.player.receive(replace(seen.table.match(), game="strategy"), 9.0)
    assert unfit(seen.record, seen.player.receipt) == {"receipt-doubts"}
    assert found("doubts", seen.record, seen.player.receipt).facts == {"doubts": ["game"]}


def test_a_match_that_never_was_has_nothing_to_show() -> None:
    table = Table().seated()
    race = Race(table.match(), lambda: NONCES[0], 0.0)
    race.ready()
    table.commit(0)
    race.receive(table.match(), 1.0)
    table.state, table.aborted = "aborted", "left"
    race.receive(table.match(), 1.0)
    assert {finding.check: finding.fits for finding in compared(table.record(), race.receipt)} == {
        "receipt-terms": True,
        "receipt-commitments": True,
        "receipt-own-nonce": True,
        "receipt-digest": True,
        "receipt-result": True,
        "receipt-doubts": True,
    }


def with_a_third(record: Record) -> Record:
    """The match as if somebody else had been bound too, and resigned at once: whoever adds that can choose the cards."""
    secret = bytes.fromhex(record.secret)
    nonces = [bytes.fromhex(seat.nonce or "") for seat in record.seats] + [bytes(range(5, 21))]
    chosen = variant(record.game)
    dealt = deal(chosen.cards, secret, nonces, record.match)
    third = replace(
        record.seats[1],
        name="Mallory",
        nonce=nonces[2].hex(),
        nonce_commitment=nonce_commitment(nonces[2], record.match, 2),
        entries=[(1, "resign")],
        status="resigned",
        count=0,
    )
    deck, second = ([card_text(card) for card in order] for order in dealt)
    return rewritten(record, seats=[*record.seats, third], deck=deck, second=second)


def test_nobody_can_have_been_bound_whom_the_client_has_not_seen() -> None:
    seen = Seen("sir-tommy", 0)
    record = with_a_third(seen.record)
    for receipt in seen.receipts:
        assert "receipt-commitments" in unfit(record, receipt)


@pytest.mark.parametrize(
    "changes", [{"clock": 20_000}, {"grace": 1_000}, {"name": "Zed"}, {"bot": "robo"}, {"early": "timeout"}]
)
def test_the_clock_and_the_players_are_those_that_were_told(changes: dict[str, Any]) -> None:
    seen = Seen("sir-tommy", 20)
    rival = seen.record.seats[1]
    if "name" in changes or "bot" in changes:
        changes = {"seats": [seen.record.seats[0], replace(rival, **changes)]}
    if "early" in changes:
        changes = {"seats": [seen.record.seats[0], replace(rival, entries=[*rival.entries[:-1], (20_000, "timeout")])]}
    for receipt in seen.receipts:
        receipt.ended = None  # as for who was not told the digest
        assert "receipt-terms" in unfit(rewritten(seen.record, **changes), receipt)


def test_an_empty_receipt_says_nothing() -> None:
    receipt = Receipt()
    receipt.note(Opened(1, "abcdefgh", "sir-tommy", "", 0, 0))
    receipt.note(Sent(1, "t"))
    record = Seen("sir-tommy", 20).record
    assert not unfit(record, receipt)
    assert json.loads(msgspec.json.encode([finding.facts for finding in compared(record, receipt)]))
