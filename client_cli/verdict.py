"""The verdict on a match record: the findings about it, one announcement each, and their wording.

`engine.verify` says whether the record is true to itself, `comparing` whether it is the match that was raced here.
"""

import errno
import os
import sys
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from time import monotonic
from typing import Any, BinaryIO

from client_cli import receipts
from client_cli.announcements import Announcement, Proof
from client_cli.answers import Checked, Checking, NoReceipt, OtherReceipt, ReceiptChecked, RecordChecked, Verdict
from client_cli.comparing import compared
from client_cli.language import Said, fill, joined, plural, say
from client_cli.reasons import refusals, statuses, unknown_game
from client_cli.receipt import BadReceipt, Receipt
from client_cli.replay import seat_names
from client_cli.troubles import BadRecord, ClientError, DamagedReceipt, file_troubles
from engine import errors
from engine.record import LONGEST_RECORD, Record, digest_of, read_record, write_record
from engine.result import PLACES_OF_TWO, Reason, Result
from engine.verify import Finding, verifying
from protocol.proof import proof_of

Facts = dict[str, Any]
Wording = Callable[[Facts], str]

PATIENCE = 1.0
"""Seconds after which it is told what is being checked."""


def judged(record: Record, folder: Path | None) -> Iterator[Announcement]:
    """Check a record, also against the receipts of the match in a folder. Raises `ClientError`."""
    names = seat_names(record)
    yield RecordChecked(record.match, record.game, record.created, names)
    findings = yield from _verified(record, names)
    for check, fits, facts in findings:
        yield Checked(check, fits, _called(facts, record, names))
    verdicts = [finding.fits for finding in findings]
    held: list[bool | None] = []
    damaged: list[DamagedReceipt] = []
    for told in _held_against_receipts(record, folder):
        if isinstance(told, DamagedReceipt):
            damaged.append(told)
            continue
        if isinstance(told, Checked):
            held.append(told.fits)
        yield told
    if record.digest == digest_of(record):
        yield Proof(record.match, proof_of(record.digest))
    untold = held.count(None)
    yield Verdict(
        len(verdicts), verdicts.count(False), verdicts.count(None), len(held) - untold, held.count(False), untold
    )
    if damaged:
        raise ClientError(damaged[0])


def _held_against_receipts(record: Record, folder: Path | None) -> Iterator[Announcement]:
    """The same record, as those know it who were there from this machine."""
    with file_troubles(folder or Path()):  # without a folder nothing is looked for
        kept = receipts.found(folder, record.match)
    known = [each.receipt for each in kept if isinstance(each.receipt, Receipt)]
    here = {receipt.address for receipt in known if _is_bound(receipt, record)}
    for file, receipt in kept:
        if isinstance(receipt, BadReceipt):
            yield DamagedReceipt(str(file), receipt.line)
            continue
        assert receipt.opened is not None
        server, you = receipt.opened.server, receipt.opened.you
        if here and receipt.address not in here and not _is_bound(receipt, record):
            yield OtherReceipt(str(file), server)
            continue
        names = seat_names(record)
        yield ReceiptChecked(str(file), server, names[you] if you is not None and 0 <= you < len(names) else None)
        for check, fits, facts in compared(record, receipt):
            yield Checked(check, fits, facts)
    if not kept:
        yield NoReceipt(record.match)


def _is_bound(receipt: Receipt, record: Record) -> bool:
    """Whether a receipt's server was bound to this record's secret: then both are of the same match."""
    kept = receipt.commitments.get(None)
    return kept is not None and kept.commitment == record.commitment


def checked_again(record: Record) -> Record:
    """A record that a server has sent, read as one in a file is. Raises `ClientError` if it is none."""
    try:
        return read_record(write_record(record))
    except errors.BadRecord as error:
        raise ClientError(BadRecord(record.match, error.code, error.facts)) from None


def _verified(record: Record, names: list[str]) -> Generator[Announcement, None, list[Finding]]:
    """Verify a record, and tell what is being checked where that takes long."""
    steps, told = verifying(record), monotonic()
    while True:
        try:
            seat = next(steps)
        except StopIteration as done:
            findings: list[Finding] = done.value
            return findings
        if monotonic() - told >= PATIENCE:
            told = monotonic()
            yield Checking(names[seat], seat + 1, len(names))


def _called(facts: Facts, record: Record, names: list[str]) -> Facts:
    """Facts in which players are named as they are called; those of one name, whom the facts do not tell apart, as there."""
    written = [seat.name for seat in record.seats]
    named: Facts = {"names": names} if "names" in facts else {}
    if written.count(facts.get("player", "")) == 1:
        named["player"] = names[written.index(facts["player"])]
    return facts | named


def record_in(file: Path) -> Record:
    """The record in a file, or on standard input for "-". Raises `ClientError` if it is none."""
    try:
        with file_troubles(file), _opened(file) as opened:
            return read_record(opened.read(LONGEST_RECORD + 1))
    except errors.BadRecord as error:
        raise ClientError(BadRecord(str(file), error.code, error.facts)) from None


def _opened(file: Path) -> BinaryIO:
    if str(file) != "-":
        return file.open("rb")
    if sys.stdin is None:
        raise OSError(errno.EBADF, os.strerror(errno.EBADF))
    return sys.stdin.buffer


def finding(checked: Checked) -> str:
    """One finding as a sentence."""
    if checked.fits is None:
        return say("Unknown: {what}", what=unknown_game(checked.facts["stated"]))
    fits, unfit = WORDINGS[checked.check]
    if checked.fits:
        return say("Fits: {what}", what=fits(checked.facts))
    return say("Does NOT fit: {what}", what=unfit(checked.facts))


def _end(end: tuple[str, int]) -> str:
    status, count = end
    return say("{status} with a count of {count}", status=statuses()[status], count=count)


def _result(result: Result | None, names: list[str]) -> str:
    if result is None:
        return say("no result, since the boards are not finished")
    sentence = _reason(result, names)
    if not result.places or PLACES_OF_TWO.get(result.winner) == result.places:
        return sentence
    placed = sorted(zip(result.places, names, strict=False))
    places = joined(", ", [joined(" ", [str(place), name]) for place, name in placed])
    return joined("", [sentence, joined("", [Said(" ("), places, Said(")")])])


def _reason(result: Result, names: list[str]) -> str:
    match result.winner, result.reason:
        case None, Reason.ABORTED:
            return say("no race took place")
        case None, Reason.DRAW:
            return say("a draw")
        case int() as winner, reason if winner < len(names):
            wins = {
                Reason.SOLVED: say("{name} wins by solving the deal"),
                Reason.RESIGNED: say("{name} wins, since the other player resigned"),
                Reason.COUNT: say("{name} wins by the higher count"),
            }
            if len(names) != 2:
                wins[Reason.RESIGNED] = say("{name} wins, since all others resigned")
                wins[Reason.COUNT] = say("{name} wins by the highest count")
            return fill(wins.get(reason, say("{name} wins")), name=names[winner])
    return say("something that cannot be")


def _deck_fits(facts: Facts) -> str:
    first, _ = facts["found"]
    if not first:
        return say("no cards were dealt.")
    if facts["fixed_by"] == "server":
        return plural(
            "dealt again from the secret alone, as only the server fixed the cards, the card is the same.",
            "dealt again from the secret alone, as only the server fixed the cards, all {number} come in the same order.",
            len(first),
        )
    return plural(
        "dealt again from the secret and the nonces, the card is the same.",
        "dealt again from the secret and the nonces, all {number} cards come in the same order.",
        len(first),
    )


def _deck_unfit(facts: Facts) -> str:
    if facts["fixed_by"] == "server":
        return say("dealt again from the secret alone, the cards are others.")
    return say("dealt again from the secret and the nonces, the cards are others.")


def _board_fits(facts: Facts) -> str:
    return plural(
        "{player}'s board, played again: the one move is allowed, and it ends {end}.",
        "{player}'s board, played again: all {number} moves are allowed, and it ends {end}.",
        facts["entries"],
        player=facts["player"],
        end=_end(facts["found"]),
    )


def _board_unfit(facts: Facts) -> str:
    return say(
        "{player}'s board, played again, ends {found}; the record says {stated}.",
        player=facts["player"],
        found=_end(facts["found"]),
        stated=_end(facts["stated"]),
    )


def _result_fits(facts: Facts) -> str:
    return say("the result follows from the boards: {result}.", result=_result(facts["found"], facts.get("names", [])))


def _result_unfit(facts: Facts) -> str:
    names = facts.get("names", [])
    return say(
        "what follows from the boards is: {found}; the record says: {stated}.",
        found=_result(facts["found"], names),
        stated=_result(facts["stated"], names),
    )


def _order_unfit(facts: Facts) -> str:
    if "result" in facts:
        return say("entry {number} of {player} comes after the match was decided.", **facts)
    return say("entry {number} of {player} is earlier than the one before it.", **facts)


def _clock_unfit(facts: Facts) -> str:
    if facts["at"] < 0:
        return say("entry {number} of {player} is from before the start.", **facts)
    if facts["entry"] == "timeout":
        return say("{player}'s time runs out at entry {number}, before the clock does.", **facts)
    return say("entry {number} of {player} was made when the clock had run out.", **facts)


def _entry_unfit(facts: Facts) -> str:
    why = refusals().get(facts["code"], facts["why"])
    return say("entry {number} of {player}, {entry}, is not allowed. {why}", **{**facts, "why": why})


def fixed(sentence: str) -> Wording:
    """A sentence that is the same for all facts but for naming them."""
    return lambda facts: say(sentence, **facts)


WORDINGS: dict[str, tuple[Wording, Wording]] = {
    "digest": (
        fixed(say("the digest: the record is as it was written.")),
        fixed(say("the digest: the record was changed after it was written.")),
    ),
    "commitment": (
        fixed(say("the server's secret is the one it was bound to from the start.")),
        fixed(say("the server's secret is not the one it was bound to.")),
    ),
    "nonce": (
        fixed(say("{player}'s nonce is the one committed to before the cards were dealt.")),
        fixed(say("{player}'s nonce is not the one committed to.")),
    ),
    "deck": (_deck_fits, _deck_unfit),
    "order": (fixed(say("the order of the entries.")), _order_unfit),
    "clock": (fixed(say("the times of the entries.")), _clock_unfit),
    "entry": (
        fixed(say("the moves are allowed.")),
        _entry_unfit,
    ),
    "board": (_board_fits, _board_unfit),
    "result": (_result_fits, _result_unfit),
}
"""For each check what to say when it fits, and when it does not."""
