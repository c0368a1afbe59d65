"""Checking a match from its record alone: the deal, every move, the result (design, point 7)."""

from collections.abc import Callable
from typing import Any, NamedTuple

from engine.board import Board, Status
from engine.cards import card_text
from engine.deal import NONCE_BYTES, SECRET_BYTES, Deal, commitment, deal, nonce_commitment
from engine.errors import EngineError, UnknownGame
from engine.games import Variant, variant
from engine.record import Record, digest_of
from engine.result import Reason, Result, Standing, decide


class Finding(NamedTuple):
    """One thing that was checked. `facts` holds what a sentence about it needs, by name; words are the client's.

    `fits` is None where this version cannot tell, which it can of all games it knows.
    `check` is one of: digest, game, commitment, nonce, deck, order, clock, entry, board, result.
    """

    check: str
    fits: bool | None
    facts: dict[str, Any]


def verify(record: Record) -> list[Finding]:
    """Everything that can be checked, in order. The record is true to itself when every finding fits.

    Of a game that this version does not know nothing more than the digest can be checked.
    """
    findings = [_finding("digest", record.digest, digest_of(record))]
    try:
        chosen = variant(record.game)
    except UnknownGame as error:
        return [*findings, Finding("game", fits=None, facts={"stated": record.game, "why": str(error)})]
    findings += _check_secrets(record, chosen)
    if not all(finding.fits for finding in findings if finding.check != "digest"):
        return findings
    cards = dealt(record, chosen) if _can_deal(record) else None
    findings.append(_check_deck(record, cards))
    if record.result.reason is Reason.ABORTED:
        return findings + _check_aborted(record, chosen, cards)
    assert cards is not None
    return findings + _check_play(record, chosen, cards)


def dealt(record: Record, chosen: Variant) -> Deal:
    """Both shuffles, dealt again from the secret and the nonces. Raises `ValueError` where they are not hex."""
    first, second = (bytes.fromhex(seat.nonce or "") for seat in record.seats)
    return deal(chosen.cards, bytes.fromhex(record.secret), (first, second), record.match)


def _can_deal(record: Record) -> bool:
    """Whether the cards are known: both players have revealed their nonces."""
    return len(record.seats) == 2 and all(player.nonce is not None for player in record.seats)


def _finding(check: str, stated: object, found: object, **facts: object) -> Finding:
    return Finding(check, stated == found, {"stated": stated, "found": found, **facts})


def _check_secrets(record: Record, chosen: Variant) -> list[Finding]:
    findings = [
        _hex_finding(
            "commitment",
            record.commitment,
            record.secret,
            SECRET_BYTES,
            lambda secret: commitment(secret, record.match, chosen.spelling),
        )
    ]
    for seat, player in enumerate(record.seats):
        if player.nonce is not None or record.result.reason is not Reason.ABORTED:
            findings.append(
                _hex_finding(
                    "nonce",
                    player.nonce_commitment,
                    player.nonce or "",
                    NONCE_BYTES,
                    lambda nonce, seat=seat: nonce_commitment(nonce, record.match, seat),  # type: ignore[misc]
                    player=player.name,
                )
            )
    return findings


def _check_deck(record: Record, cards: Deal | None) -> Finding:
    """Both shuffles are as dealt again, or empty where nothing was dealt."""
    found = [[card_text(card) for card in order] for order in cards or ((), ())]
    return _finding("deck", [record.deck, record.second], found)


def _hex_finding(
    check: str, stated: str | None, preimage: str, length: int, hashed: Callable[[bytes], str], **facts: object
) -> Finding:
    try:
        raw = bytes.fromhex(preimage)
    except ValueError:
        raw = b""
    found = (
        hashed(raw) if len(raw) == length and raw.hex() == preimage else "nothing: it is not hex of the right length"
    )
    return _finding(check, stated, found, **facts)


def _check_aborted(record: Record, chosen: Variant, cards: Deal | None) -> list[Finding]:
    """Nobody has made an entry, and both boards are as they were dealt."""
    entries = sum(len(player.entries) for player in record.seats)
    found = Result(None, Reason.ABORTED)
    fits = not entries and record.result == found
    count = 0 if cards is None else chosen.board(cards).count
    return [
        *(
            _finding("board", (player.status, player.count), (Status.PLAYING, count), player=player.name, entries=0)
            for player in record.seats
        ),
        Finding("result", fits, {"stated": record.result, "found": found, "entries": entries}),
    ]


def _check_play(record: Record, chosen: Variant, cards: Deal) -> list[Finding]:
    """Replay both boards together in the order of their times, up to the entry that decides the match.

    What the other player did within the same millisecond is of no known order, and may stand.
    """
    boards = (chosen.board(cards), chosen.board(cards))
    ends = [0, 0]
    result: Result | None = None
    timeline = sorted(
        (at, seat, number, entry)
        for seat, player in enumerate(record.seats)
        for number, (at, entry) in enumerate(player.entries, start=1)
    )
    played = [0, 0]
    for at, seat, number, entry in timeline:
        name = record.seats[seat].name
        facts = {"player": name, "number": number, "entry": entry, "at": at}
        if number != played[seat] + 1:
            return [Finding("order", fits=False, facts=facts)]
        if result is not None and at > max(ends):
            return [Finding("order", fits=False, facts={**facts, "result": result})]
        if at < 0 or (at < record.clock) == (entry == "timeout"):
            return [Finding("clock", fits=False, facts={**facts, "clock": record.clock})]
        try:
            boards[seat].enter(entry)
        except EngineError as error:
            return [Finding("entry", fits=False, facts={**facts, "code": error.code, "why": str(error)})]
        played[seat], ends[seat] = number, at
        result = _decided(boards, ends)
    findings = [
        _finding(
            "board",
            (player.status, player.count),
            (board.status, board.count),
            player=player.name,
            entries=len(player.entries),
        )
        for player, board in zip(record.seats, boards, strict=True)
    ]
    return [*findings, _finding("result", record.result, result, names=[player.name for player in record.seats])]


def _decided(boards: tuple[Board, Board], ends: list[int]) -> Result | None:
    first, second = (Standing(board.status, board.count, at) for board, at in zip(boards, ends, strict=True))
    return decide(first, second)
