"""Checking a match from its record alone: the deal, every move, the result (design, point 7)."""

from collections.abc import Callable, Generator, Sequence
from contextlib import suppress
from itertools import takewhile
from typing import Any, NamedTuple

from engine.board import ENDINGS, Board, Status
from engine.cards import card_text
from engine.deal import NONCE_BYTES, SECRET_BYTES, Deal, commitment, deal, nonce_commitment
from engine.errors import EngineError, UnknownGame
from engine.games import Variant, variant
from engine.record import Record, digest_of
from engine.result import NO_RACE, Reason, Result, Standing, decide

AT_ONCE = 50
"""Entries that are carried out between two steps."""
NEVER = 1 << 30
"""After more entries than any board has."""


class Finding(NamedTuple):
    """One thing that was checked. `facts` holds what a sentence about it needs, by name; words are the client's.

    `fits` is None where this version cannot tell, which it can of all games it knows.
    `check` is one of: digest, game, commitment, nonce, deck, order, clock, entry, board, result.
    """

    check: str
    fits: bool | None
    facts: dict[str, Any]


Verifying = Generator[int, None, list[Finding]]
"""Verifying in steps of a few milliseconds; each names the seat whose board is being played again."""


def verify(record: Record) -> list[Finding]:
    """Everything that can be checked, in order. The record is true to itself when every finding fits.

    Of a game that this version does not know nothing more than the digest can be checked.
    """
    steps = verifying(record)
    while True:
        try:
            next(steps)
        except StopIteration as done:
            findings: list[Finding] = done.value
            return findings


def verifying(record: Record) -> Verifying:
    """Do the same in steps, for a caller who wants to tell how it comes along."""
    findings = [_finding("digest", record.digest, digest_of(record))]
    try:
        chosen = variant(record.game)
    except UnknownGame as error:
        return [*findings, Finding("game", fits=None, facts={"stated": record.game, "why": str(error)})]
    findings += _check_secrets(record, chosen)
    if not all(finding.fits for finding in findings if finding.check != "digest"):
        return findings
    cards = dealt(record, chosen) if is_dealt(record) else None
    findings.append(_check_deck(record, cards))
    if record.result.reason is Reason.ABORTED:
        return findings + _check_aborted(record, chosen, cards)
    assert cards is not None
    return findings + (yield from _check_play(record, chosen, cards))


def dealt(record: Record, chosen: Variant) -> Deal:
    """Both shuffles, dealt again from the secret and the nonces. Raises `ValueError` where they are not hex."""
    nonces = [] if record.fixed_by == "server" else [bytes.fromhex(seat.nonce or "") for seat in record.seats]
    return deal(chosen.cards, bytes.fromhex(record.secret), nonces, record.match)


def is_dealt(record: Record) -> bool:
    """Whether the match has had its cards: all players have revealed their nonces.

    Where the server alone has fixed them, every race has had its cards, and of a match that was aborted its record says it.
    """
    if record.fixed_by == "server":
        return record.result.reason is not Reason.ABORTED or bool(record.deck)
    return bool(record.seats) and all(player.nonce is not None for player in record.seats)


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
    if record.fixed_by == "server":
        return findings
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
    return _finding("deck", [record.deck, record.second], found, fixed_by=record.fixed_by)


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
    """Nobody has made an entry, and all boards are as they were dealt."""
    entries = sum(len(player.entries) for player in record.seats)
    fits = not entries and record.result == NO_RACE
    start = 0 if cards is None else chosen.board(cards).count
    return [
        *(
            _finding("board", (player.status, player.count), (Status.PLAYING, start), player=player.name, entries=0)
            for player in record.seats
        ),
        Finding("result", fits, {"stated": record.result, "found": NO_RACE, "entries": entries}),
    ]


def _check_play(record: Record, chosen: Variant, cards: Deal) -> Verifying:
    """Replay all boards together in the order of their times, up to the entry that decides the match.

    What other players did within the same millisecond is of no known order, and may stand.
    """
    stuck_after = []
    for seat, player in enumerate(record.seats):
        stuck_after.append((yield from _stuck_after(chosen, cards, seat, [entry for _, entry in player.entries])))
    boards = [chosen.board(cards) for _ in record.seats]
    played, ends = [0] * len(boards), [0] * len(boards)
    result: Result | None = None
    timeline = sorted(
        (at, seat, number, entry)
        for seat, player in enumerate(record.seats)
        for number, (at, entry) in enumerate(player.entries, start=1)
    )
    for at, seat, number, entry in timeline:
        facts = {"player": record.seats[seat].name, "number": number, "entry": entry, "at": at}
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
        boards[seat].settle(Status.STUCK if number >= stuck_after[seat] else Status.PLAYING)
        played[seat], ends[seat] = number, at
        result = decide([Standing(board.status, board.count, end) for board, end in zip(boards, ends, strict=True)])
        if number % AT_ONCE == 0:
            yield seat
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


def _stuck_after(chosen: Variant, cards: Deal, seat: int, log: Sequence[str]) -> Generator[int, None, int]:
    """The number of entries after which a board is stuck, as far as its moves are legal; `NEVER` if it is not then.

    Whether a board is stuck can take a search of a second, so it is not asked after every entry. There is no need to: being
    stuck is lasting. All that can be reached from a position after a move could be reached before it; so if there was no
    foundation move in it, there is none now, and if the search came to the end of it within its budget, it does now. A
    board that is not stuck after its last move never was, therefore, and one that is stuck then, and was not before that
    move, has become so by it. These two searches are all that a board needs whose player stopped when it was stuck; where
    somebody played on, the entry that is one too many is found by halving.
    """
    moves: list[str] = []
    board = chosen.board(cards)
    with suppress(EngineError):
        for entry in takewhile(lambda entry: entry not in ENDINGS and board.count < board.total, log):
            board.retrace(entry)
            moves.append(entry)
            if len(moves) % AT_ONCE == 0:
                yield seat
    asked, first, last = len(moves), 0, len(moves)
    if not (yield from _is_stuck(chosen.board(cards), seat, moves)):
        return NEVER
    asked -= 1
    while first < last:
        if (yield from _is_stuck(chosen.board(cards), seat, moves[:asked])):
            last = asked
        else:
            first = asked + 1
        asked = (first + last) // 2
    return last


def _is_stuck(board: Board, seat: int, moves: Sequence[str]) -> Generator[int, None, bool]:
    """Whether a fresh board is stuck after these moves."""
    for number, move in enumerate(moves):
        board.retrace(move)
        if number % AT_ONCE == 0:
            yield seat
    for _ in board.think():
        yield seat
    return board.status is Status.STUCK
