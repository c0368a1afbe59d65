"""A record held against what a client was shown of the match: whether it is the match that was raced.

`engine.verify` says whether a record is true to itself. Somebody who makes up the whole of it can make it so; only those who
were there know better. The findings have the same form.
"""

from collections.abc import Iterator
from typing import NamedTuple

from client_cli.receipt import BEFORE, Opened, Receipt
from engine.board import Board, Status
from engine.cards import Card, card_text
from engine.deal import commitment, deal, nonce_commitment
from engine.errors import BadRecord, EngineError, UnknownGame
from engine.games import Variant, variant
from engine.record import Record, SeatRecord, digest_of, read_record, write_record
from engine.result import Reason, Result, Standing, decide
from engine.verify import Finding
from protocol.messages import BoardState, Moved

PREFIX = "receipt-"
CHECKS = ("terms", "commitments", "own-nonce", "entries", "cards", "end", "digest", "result", "doubts", "whole")
"""What is compared, in this order; as a finding each is called by the prefix and this."""
UNNAMED = "?"
"""A player who does not stand in the record."""
SERVERS_WORDS = ("timeout", "abandon")
"""The entries that the server makes on a player's board."""


class _Places(NamedTuple):
    """Places of the deal: those that anybody could come to see, and those that this client saw."""

    all: set[int]
    shown: set[int]


def compared(record: Record, receipt: Receipt) -> list[Finding]:
    """Everything in the receipt that the record has to agree with. `fits` is None for what the receipt cannot tell."""
    return [
        *_terms(record, receipt),
        *_commitments(record, receipt),
        *_own_nonce(record, receipt),
        *_entries(record, receipt),
        *_cards(record, receipt),
        *_end(record, receipt),
        *_doubts(receipt),
    ]


def _finding(check: str, fits: bool | None, **facts: object) -> Finding:
    return Finding(PREFIX + check, fits, facts)


# What the match was


def _terms(record: Record, receipt: Receipt) -> Iterator[Finding]:
    """Its clock and its grace period are those that were told, it ran out for nobody before, and those who played played."""
    if receipt.agreed is None:
        return
    clock, grace = receipt.agreed.clock, receipt.agreed.grace
    players = dict(enumerate((side.name, side.bot, side.level) for side in record.seats))
    early = any(entry == "timeout" and at < clock for side in record.seats for at, entry in side.entries)
    told = {seat: (player.name, player.bot, player.level) for seat, player in receipt.players.items()}
    fits = (record.clock, record.grace) == (clock, grace) and not early and told.items() <= players.items()
    yield _finding("terms", fits)


# What everybody was bound to


def _commitments(record: Record, receipt: Receipt) -> Iterator[Finding]:
    """All are those that were seen during the match, and what the record reveals is what they were made from."""
    opened, kept = receipt.opened, receipt.commitments
    if opened is None:
        return
    stated: dict[int | None, str | None] = {None: record.commitment}
    revealed: dict[int | None, str | None] = {None: commitment(unhex(record.secret), opened.match, opened.game)}
    for seat, side in enumerate(record.seats):
        stated[seat] = side.nonce_commitment
        hidden = side.nonce is None and record.result.reason is Reason.ABORTED
        revealed[seat] = side.nonce_commitment if hidden else nonce_commitment(unhex(side.nonce), opened.match, seat)
    fits = (record.match, record.game) == (opened.match, opened.game) and all(
        note.commitment == stated.get(seat) == revealed.get(seat) for seat, note in kept.items()
    )
    absent = record.result.reason is not Reason.ABORTED and not kept.keys() >= set(range(len(record.seats)))
    if absent and fits:  # somebody whom nobody here saw bound has had a say in the cards
        yield _finding("commitments", False if receipt.bound else None, number=len(kept))
        return
    late = any(note.state not in BEFORE for seat, note in kept.items() if seat != opened.you or receipt.nonce is None)
    yield _finding("commitments", None if fits and late else fits, number=len(kept))


def _own_nonce(record: Record, receipt: Receipt) -> Iterator[Finding]:
    """What this client gave to the shuffle is in it."""
    you = None if receipt.opened is None else receipt.opened.you
    if you is None:
        return
    stated = record.seats[you].nonce if you < len(record.seats) else None
    if receipt.nonce is not None:
        unused = stated is None and record.result.reason is Reason.ABORTED
        yield _finding("own-nonce", unused or stated == receipt.nonce.hex())
    elif stated is not None:
        yield _finding("own-nonce", None)


# What was done


def _entries(record: Record, receipt: Receipt) -> Iterator[Finding]:
    """Every entry that was told is in the record, with its time, and no board has more or fewer than it should."""
    unknown: Finding | None = None
    for seat, side in enumerate(record.seats):
        finding = _log(seat, side, receipt)
        if finding is not None and finding.fits is False:
            yield finding
            return
        unknown = unknown or finding
    strangers = [n for seat, n in (*receipt.moved, *receipt.boards) if not 0 <= seat < len(record.seats)]
    if strangers:
        yield _finding("entries", fits=False, player=UNNAMED, stated=0, found=max(strangers))
    elif unknown is not None:
        yield unknown
    elif receipt.moved or receipt.boards:
        yield _finding("entries", fits=True, number=len(receipt.moved))


def _log(seat: int, side: SeatRecord, receipt: Receipt) -> Finding | None:
    """What is wrong or unknown with one board's entries, if anything."""
    last, has = receipt.last(seat), len(side.entries)
    if last is None:
        return None
    length = {"player": side.name, "stated": has, "found": last}
    if has < last or (has > last and receipt.ended is not None and not receipt.cut):
        return _finding("entries", fits=False, **length)
    for n in sorted(n for owner, n in receipt.moved if owner == seat and n > 0):
        at, entry = side.entries[n - 1]
        for moved in receipt.moved[seat, n]:
            if (moved.at, moved.move) != (at, entry):
                facts = {"stated_at": at, "stated": entry[:20], "found_at": moved.at, "found": moved.move[:20]}
                return _finding("entries", fits=False, player=side.name, number=n, **facts)
    if receipt.opened is not None and seat == receipt.opened.you:
        entries = enumerate((entry for _, entry in side.entries), start=1)
        first = receipt.first(seat)
        if any(n > first and entry not in SERVERS_WORDS and (n, entry) not in receipt.sent for n, entry in entries):
            return _finding("entries", None if receipt.replaced or receipt.cut else False, **length)
    return None


# What was shown


def _cards(record: Record, receipt: Receipt) -> Iterator[Finding]:
    """Every card shown, wherever it was, is the one that was dealt to that place."""
    if receipt.opened is None or not (receipt.boards or receipt.moved):
        return
    try:
        chosen = variant(receipt.opened.game)
    except UnknownGame:
        yield _finding("cards", None)
        return
    places = _Places(set(range(1, len(chosen.cards) + 1)), set())
    misfit = _misfit(record, receipt, receipt.opened, places, chosen)
    if misfit is None:
        yield _finding("cards", fits=True, cards=len(places.shown), unseen=len(places.all - places.shown))
    else:
        seat, n = misfit
        player = record.seats[seat].name if 0 <= seat < len(record.seats) else UNNAMED
        yield _finding("cards", fits=False, player=player, number=n)


def _misfit(
    record: Record, receipt: Receipt, opened: Opened, places: _Places, chosen: Variant
) -> tuple[int, int] | None:
    """The seat and the entry at which something else was shown than was dealt. Notes which places were shown."""
    notes: dict[tuple[int, int], list[Moved | BoardState]] = {}
    for at, moved in receipt.moved.items():
        notes.setdefault(at, []).extend(moved)
    for at, boards in receipt.boards.items():
        notes.setdefault(at, []).extend(boards)
    nonces = [unhex(side.nonce) for side in record.seats]
    if not (nonces and all(nonces)):
        return min(notes)  # no card was dealt, it says
    dealt = deal(chosen.cards, unhex(record.secret), nonces, opened.match)
    if [record.deck, record.second] != [[card_text(card) for card in order] for order in dealt]:
        return 0, 0  # other cards are written down than were dealt
    for seat, side in enumerate(record.seats):
        last = receipt.last(seat)
        board, own = chosen.board(dealt), opened.you == seat
        reach, turned = set(range(1, len(chosen.cards) + 1)), None
        for n in range(len(side.entries) + 1):
            if n:
                try:
                    turned = board.retrace(side.entries[n - 1][1])
                except EngineError:
                    if last is None or n > last:
                        break  # nobody here has seen anything of that
                    return seat, n
                reach.update(board.face_down)
            status = side.status if n == len(side.entries) else Status.PLAYING
            for note in notes.pop((seat, n), ()):
                if not _is_of(note, board, turned, status, own=own):
                    return seat, n
                places.shown.update(_seen(note, board, reach))
        else:
            if board.count != side.count:
                return seat, len(side.entries)
        places.all.update(reach)
    return min(notes, default=None)


def _is_of(note: Moved | BoardState, board: Board, turned: Card | None, status: Status, *, own: bool) -> bool:
    """Whether what was shown is what there was to show."""
    if (note.status, note.count) != (status, board.count):
        return False
    if isinstance(note, Moved):
        card = None if turned is None else card_text(turned)
        return note.card == card and (note.peek == board.peek or (note.peek is None and not own))
    return note.view == board.view() or (not own and note.view == board.view_of_others())


def _seen(note: Moved | BoardState, board: Board, reach: set[int]) -> Iterator[int]:
    """Which places of the deal somebody saw by that. `reach` are those that have come to this board."""
    if isinstance(note, BoardState):
        # What does not lie face down lies open; and before a redeal covers cards again, all of them were turned.
        yield from reach.difference(board.face_down)
    elif note.card is not None:
        yield board.position
    if (note.peek if isinstance(note, Moved) else getattr(note.view, "peek", None)) is not None:
        yield board.face_down[-1]


# How it ended


def _end(record: Record, receipt: Receipt) -> Iterator[Finding]:
    """The digest and the result are those that this client was told."""
    ended = receipt.ended
    if ended is None:
        yield _finding("end", None)
        return
    yield _finding("digest", ended.digest == record.digest == digest_of(record))
    took_place = record.result.reason is not Reason.ABORTED
    told = record.result == ended.result and record.result == _decided(record)
    yield _finding("result", told if ended.state == "over" else not took_place)


def _decided(record: Record) -> Result | None:
    """What the boards have come to, as the record says that they ended."""
    return decide(
        [Standing(side.status, side.count, side.entries[-1][0] if side.entries else 0) for side in record.seats]
    )


def _doubts(receipt: Receipt) -> Iterator[Finding]:
    """What this client found out during the match, and whether it could keep all that it was shown."""
    yield _finding("doubts", not receipt.doubts, doubts=list(receipt.doubts))
    if receipt.cut:
        yield _finding("whole", None)


def is_readable(record: Record) -> bool:
    """Whether a record that a server has sent can be read as one in a file can: it may be anything."""
    try:
        read_record(write_record(record))
    except BadRecord:
        return False
    return True


def unhex(text: str | None) -> bytes:
    """The bytes that hex digits stand for; none, where they are no such digits."""
    try:
        return bytes.fromhex(text or "")
    except ValueError:
        return b""
