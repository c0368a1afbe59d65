"""Whole matches, played by the engine and written down as records."""

import json
from collections.abc import Callable, Sequence
from random import Random
from typing import Any, Literal

import msgspec

from engine.board import Board, Status
from engine.cards import card_text
from engine.deal import DEAL_VERSION, Deal, commitment, deal, nonce_commitment
from engine.games import variant
from engine.record import (
    HOUSE_PROGRAM,
    RECORD_VERSION,
    Record,
    SeatRecord,
    digest_of,
    read_record,
    sealed,
    write_record,
)
from engine.result import NO_RACE, Result, Standing, decide
from engine.sir_tommy import SirTommyBoard
from tests.engine.positions import sir_tommy_board, tidy

CLOCK = 900_000
NAMES = ("Anna", "Jürgen", "Zoë", "Łukasz", "Ελένη", "Bo", "李小龍", "Şükrü")
Player = Callable[[SirTommyBoard, Random], str]


def hasty(board: SirTommyBoard, chance: Random) -> str:
    """Upwards where possible, else any place for the card in hand, else the next card; stands when there is none."""
    moves = [str(move) for move in board.legal_moves()]
    if moves[0][-2:-1] == "f":
        return moves[0]
    return chance.choice([move for move in moves if move[0] in "htr"] or ["stand"])


def careful(board: SirTommyBoard, chance: Random) -> str:
    """The tidiest move."""
    return str(tidy(board, chance))


def until(length: int, last_word: str, player: Player = hasty) -> Player:
    """A player who ends the board with this word once that many cards are turned."""

    def play(board: SirTommyBoard, chance: Random) -> str:
        return last_word if board.turned >= length else player(board, chance)

    return play


class Table:
    """What a match starts from: its secrets, and the deal that comes of them."""

    def __init__(
        self, spelling: str, seed: int, seats: int = 2, fixed_by: Literal["players", "server"] = "players"
    ) -> None:
        self.fixed_by = fixed_by
        self.chance = Random(seed)
        self.match = "".join(self.chance.choices("abcdefghjkmnpqrstuvwxyz23456789", k=8))
        self.variant = variant(spelling)
        self.secret = self.chance.randbytes(32)
        self.nonces = [self.chance.randbytes(16) for _ in range(seats if fixed_by == "players" else 0)]
        self.deal = deal(self.variant.cards, self.secret, self.nonces, self.match)

    def record(self, seats: Sequence[SeatRecord], result: Result, cards: Deal) -> Record:
        first, second = ([card_text(card) for card in order] for order in cards)
        return sealed(
            Record(
                format="tommy-race match",
                version=RECORD_VERSION,
                match=self.match,
                game=self.variant.spelling,
                created="2025-03-01T12:00:00.000+00:00",
                clock=CLOCK,
                grace=60_000,
                deal_version=DEAL_VERSION,
                fixed_by=self.fixed_by,
                commitment=commitment(self.secret, self.match, self.variant.spelling),
                secret=self.secret.hex(),
                deck=first,
                second=second,
                seats=list(seats),
                result=result,
            )
        )

    def seat(self, number: int, entries: Sequence[tuple[int, str]], board: Board | None) -> SeatRecord:
        nonce = self.nonces[number] if self.nonces else None
        return SeatRecord(
            name=NAMES[number],
            bot=HOUSE_PROGRAM if number == 1 else None,
            level="strong" if number == 1 else None,
            nonce_commitment=None if nonce is None else nonce_commitment(nonce, self.match, number),
            nonce=None if nonce is None else nonce.hex(),
            entries=list(entries),
            status=Status.PLAYING if board is None else board.status,
            count=0 if board is None else board.count,
        )


def race(
    spelling: str,
    seed: int,
    players: Sequence[Player] = (hasty, hasty),
    fixed_by: Literal["players", "server"] = "players",
) -> Record:
    """The record of a match between these players, who move as chance will have it; a timeout is one for all."""
    table = Table(spelling, seed, len(players), fixed_by)
    boards = [sir_tommy_board(spelling, table.deal) for _ in players]
    entries: list[list[tuple[int, str]]] = [[] for _ in players]
    at, late, result = 0, False, None
    while result is None:
        seat = table.chance.choice([seat for seat, board in enumerate(boards) if not board.finished])
        entry = "timeout" if late else players[seat](boards[seat], table.chance)
        late = entry == "timeout"
        at = CLOCK if late else at + table.chance.randint(1, 400)
        boards[seat].enter(entry)
        entries[seat].append((at, entry))
        result = decide(
            [
                Standing(board.status, board.count, log[-1][0] if log else 0)
                for board, log in zip(boards, entries, strict=True)
            ]
        )
    seats = [table.seat(number, entries[number], board) for number, board in enumerate(boards)]
    return table.record(seats, result, table.deal)


def aborted(spelling: str, seed: int, *, seats: int = 2, committed: int = 0, revealed: int = 0) -> Record:
    """The record of a match that has come so far and no further; it is dealt when both have revealed."""
    table = Table(spelling, seed)
    dealt = revealed == 2
    taken = [table.seat(number, [], table.variant.board(table.deal) if dealt else None) for number in range(seats)]
    for number, seat in enumerate(taken):
        if number >= revealed:
            seat.nonce = None
        if number >= max(committed, revealed):
            seat.nonce_commitment = None
    return table.record(taken, NO_RACE, table.deal if dealt else Deal((), ()))


def of_version_1(record: Record) -> Record:
    """A record of two players as it was written before there were others."""
    old = msgspec.structs.replace(
        record, version=1, seats=[msgspec.structs.replace(seat, level=None) for seat in record.seats]
    )
    return sealed(old)


def plain(record: Record) -> Any:
    """The record as plain data in the form of its version, to be changed."""
    return json.loads(write_record(record))


def record_with(spelling: str = "sir-tommy", seed: int = 5) -> Any:
    """A match of two different players as plain data, to be changed."""
    return plain(race(spelling, seed, (hasty, until(20, "stand"))))


def resealed(changed: Any) -> str:
    """Changed plain data as the text of a record, its digest made to fit where it can be read at all."""
    record = read_record(json.dumps(changed))
    return json.dumps(changed | {"digest": digest_of(record)})
