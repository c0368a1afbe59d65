"""Whether boards were stuck is searched for twice a board at most, and what is found is what asking every time would find."""

from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random
from time import process_time

import pytest

import engine.verify
from engine.board import Board, Status
from engine.cards import ACE, parse_card, rank
from engine.deal import Deal
from engine.errors import EngineError
from engine.forty_thieves import FortyThievesBoard, stuck_search
from engine.games import TWO_DECKS, Variant
from engine.moves import Area
from engine.record import Record
from engine.result import Reason, Result, Standing, decide
from engine.stuck import STEP, Columns, Position, StuckSearch
from engine.verify import Finding, verify, verifying
from tests.engine.habits import HABITS, play
from tests.engine.layouts import WITHOUT_PEEK, Layout, fresh, laid_out, layout_of, near_the_end
from tests.engine.matches import Table
from tests.engine.positions import dealt

Log = list[tuple[int, str]]

LOOSE = (
    *("Kc Qc Jc 10c", "Kc Qc Jc 10c", "Kd Qd Jd 10d", "Kd Qd Jd 10d", "Kh Qh Jh 10h", "Kh Qh Jh 10h"),
    *("9h 8h 7h 6h", "9c 8c 7c 6c", "9d 8d 7d 6d", "9c 8c 7c 6c"),
)
"""Ten columns that go together in so many ways in Josephine that no search comes to the end of them."""
TIGHT = (
    *("Kc Qc Jc 10c", "Kc Qc Jc 10c", "Kd Qd Jd 10d", "Kd Qd Jd 10d", "Kh Qh Jh 10h", "Kh Qh Jh 10h"),
    *("Ks Qs Js 10s", "Ks Qs Js 10s", "9c 8c 7c 6c", "9d 8d 7d 6d"),
)
"""Ten that go together in some ways, none of which leads anywhere."""


def stacked(columns: Sequence[str]) -> Deal:
    """A deal of these columns. The aces are turned first, so that in the end they lie deep under other low cards."""
    lying = [[parse_card(card) for card in column.split()] for column in columns]
    rest = Counter(TWO_DECKS)
    rest.subtract(card for column in lying for card in column)
    aces_first = sorted(rest.elements(), key=lambda card: (rank(card) != ACE, -rank(card)))
    order = (*(card for row in zip(*lying, strict=True) for card in row), *aces_first)
    return Deal(order, order)


def turned_out(cards: Deal) -> tuple[FortyThievesBoard, list[str]]:
    """A board of Josephine whose stock has been turned to its end, and how that was done."""
    board = fresh("josephine", cards)
    moves = ["t"] * board.stock
    for move in moves:
        board.retrace(move)
    return board, moves


def to_and_fro(cards: Deal, length: int, chance: Random) -> list[str]:
    """The stock turned to its end, and then cards moved from column to column, until there are so many moves."""
    board, moves = turned_out(cards)
    while len(moves) < length:
        across = [move for move in board._moves() if move.source.area is move.target.area is Area.COLUMN]
        moves.append(str(chance.choice(across)))
        board.retrace(moves[-1])
    return moves


def record_of(table: Table, logs: Sequence[Log], boards: Sequence[Board]) -> Record:
    """The record of these logs, as somebody may have written it who takes the boards as they are."""
    seats = [table.seat(number, log, board) for number, (log, board) in enumerate(zip(logs, boards, strict=True))]
    standings = [
        Standing(board.status, board.count, log[-1][0] if log else 0) for board, log in zip(boards, logs, strict=True)
    ]
    result = decide(standings) or Result(0, Reason.COUNT, [1, 2])
    return table.record(seats, result, table.deal)


def timed(moves: Sequence[str], first: int = 0) -> Log:
    """One move each second."""
    return [(first + 1000 * number, move) for number, move in enumerate(moves)]


def played(table: Table, logs: Sequence[Log]) -> Record:
    """The record of a match of these logs, each entry carried out."""
    boards = [table.variant.board(table.deal) for _ in logs]
    for board, log in zip(boards, logs, strict=True):
        for _, entry in log:
            board.retrace(entry)
    return record_of(table, logs, boards)


def table_of(cards: Deal, monkeypatch: pytest.MonkeyPatch, seats: int = 2) -> Table:
    """A table with these cards; whoever deals them again gets them as well."""
    monkeypatch.setattr(engine.verify, "deal", lambda *_: cards)
    table = Table("josephine", 1, seats)
    table.deal = cards
    return table


@pytest.fixture
def searches(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Every search begun since; none knows what another has found out."""
    begun: list[object] = []
    search = StuckSearch._search

    def note(self: StuckSearch, *question: object) -> object:
        begun.append(question)
        return search(self, *question)  # type: ignore[arg-type]

    monkeypatch.setattr(StuckSearch, "_search", note)
    stuck_search.cache_clear()
    return begun


def test_a_long_lawful_game_of_josephine_takes_no_more_time_than_two_searches_a_board(
    searches: list[object], monkeypatch: pytest.MonkeyPatch
) -> None:
    cards = stacked(LOOSE)
    table, chance = table_of(cards, monkeypatch), Random(1)
    logs = [timed([*to_and_fro(cards, 180, chance), "stand"], first) for first in (0, 500)]
    record = played(table, logs)
    assert all(len(seat.entries) > 165 and seat.status == "stood" for seat in record.seats)

    board, _ = turned_out(cards)
    stuck_search.cache_clear()
    searches.clear()
    begun = process_time()
    assert board.status is Status.PLAYING
    one_search = process_time() - begun
    assert len(searches) == 1

    stuck_search.cache_clear()
    searches.clear()
    begun = process_time()
    assert [finding for finding in verify(record) if not finding.fits] == []
    assert len(searches) <= 2 * len(record.seats)
    assert process_time() - begun < 10 * one_search


def test_a_game_that_ends_when_it_is_stuck_takes_two_searches_a_board(
    searches: list[object], monkeypatch: pytest.MonkeyPatch
) -> None:
    cards = stacked(TIGHT)
    table = table_of(cards, monkeypatch, 3)
    moves = ["t"] * 64
    record = played(table, [timed(moves, first) for first in (0, 300, 600)])
    assert [seat.status for seat in record.seats] == ["stuck"] * 3
    searches.clear()
    assert [finding for finding in verify(record) if not finding.fits] == []
    assert len(searches) <= 2 * len(record.seats)


@pytest.mark.parametrize("more", [1, 2, 3, 37, 100])
def test_who_plays_on_when_stuck_is_named_with_the_first_entry_that_is_one_too_many(
    more: int, searches: list[object], monkeypatch: pytest.MonkeyPatch
) -> None:
    cards = stacked(TIGHT)
    table = table_of(cards, monkeypatch)
    logs = [timed(to_and_fro(cards, 64 + more, Random(2))), [(500, "t"), (500_000, "stand")]]
    record = played(table, logs)
    searches.clear()
    finding = verify(record)[-1]
    assert (finding.check, finding.fits, finding.facts["code"]) == ("entry", False, "board-finished")
    assert (finding.facts["player"], finding.facts["number"]) == ("Anna", 65)
    assert len(searches) <= 2 + more.bit_length()


def test_verifying_pauses_after_a_few_positions_and_names_the_board_it_is_at(monkeypatch: pytest.MonkeyPatch) -> None:
    cards = stacked(LOOSE)
    table = table_of(cards, monkeypatch)
    record = played(table, [timed([*to_and_fro(cards, 80, Random(seed)), "stand"], 500 * seed) for seed in (0, 1)])
    stuck_search.cache_clear()
    looked_at: list[object] = []
    look = StuckSearch._reached

    def note(self: StuckSearch, position: Position, waste: bytes) -> Iterator[tuple[Columns, int]]:
        looked_at.append(position)
        return look(self, position, waste)

    monkeypatch.setattr(StuckSearch, "_reached", note)
    named, most = [], 0
    for seat in verifying(record):
        most = max(most, len(looked_at))
        looked_at.clear()
        named.append(seat)
    assert 0 < most <= STEP
    assert len(named) > 100
    assert {*named} == {0, 1}
    assert [finding for finding in verify(record) if not finding.fits] == []


# What is found


def found_by_asking_every_time(record: Record, boards: Sequence[Board]) -> list[Finding]:
    """What there is to find in the play, by a board that is asked before and after every entry how it stands."""
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
        try:
            boards[seat].enter(entry)
        except EngineError as error:
            return [Finding("entry", fits=False, facts={**facts, "code": error.code, "why": str(error)})]
        played[seat], ends[seat] = number, at
        result = decide([Standing(board.status, board.count, end) for board, end in zip(boards, ends, strict=True)])
    ended = [(board.status, board.count) for board in boards]
    stated = [(player.status, player.count) for player in record.seats]
    return [
        *(
            Finding(
                "board",
                there == here,
                {"stated": there, "found": here, "player": player.name, "entries": len(player.entries)},
            )
            for player, there, here in zip(record.seats, stated, ended, strict=True)
        ),
        Finding(
            "result",
            record.result == result,
            {"stated": record.result, "found": result, "names": [player.name for player in record.seats]},
        ),
    ]


def nearly_stuck(spelling: str, seed: int, chance: Random) -> tuple[Layout, list[str]]:
    """Where careless players are a few moves before their boards are finished, or the time is up, and those moves."""
    board = fresh(spelling, dealt(spelling, seed))
    layouts, moves = [layout_of(board)], list[str]()
    for move in play(board, HABITS[seed % len(HABITS)], Random(seed)):
        moves.append(str(move))
        layouts.append(layout_of(board))
    left = chance.choice([1, 2, 6])
    return layouts[-left - 1], moves[-left:]


def heedless(board: Board, begun: list[str], chance: Random) -> list[str]:
    """What somebody does who may not notice when the board is stuck, and now and then errs."""
    entries = begun if chance.random() < 0.6 else []
    for entry in entries:
        board.retrace(entry)
    notices = chance.random() < 0.5
    for _ in range(chance.choice([0, 3, 10, 40])):
        moves = board._moves()
        if not moves or board.count == board.total or (notices and board.finished):
            break
        entries = [*entries, str(chance.choice(moves))]
        board.retrace(entries[-1])
    return entries + chance.choice([[], [], [], [], ["stand"], ["resign"], ["c1c1"], ["junk"], ["abandon", "stand"]])


@pytest.mark.parametrize("spelling", WITHOUT_PEEK)
def test_what_is_found_is_what_a_board_would_say_that_is_asked_after_every_entry(
    spelling: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = Counter[str]()
    for seed in range(50):
        chance = Random(f"{spelling} {seed}")
        layout, begun = near_the_end(spelling, chance, most_stock=3), list[str]()
        if seed % 3:
            layout, begun = nearly_stuck(spelling, seed, chance)
        table = Table(spelling, seed, chance.choice([1, 2, 2, 3]))
        logs = []
        for seat, _ in enumerate(table.nonces):
            entries = heedless(laid_out(spelling, layout), begun, chance)
            logs.append([(seat + 100 * number, entry) for number, entry in enumerate(entries)])
        record = record_of(table, logs, [laid_out(spelling, layout) for _ in logs])
        found = found_by_asking_every_time(record, [laid_out(spelling, layout) for _ in logs])
        with monkeypatch.context() as patch:
            patch.setattr(Variant, "board", lambda *_, layout=layout: laid_out(spelling, layout))
            assert verify(record)[-len(found) :] == found
        seen.update(finding.check for finding in found if "stuck" in str(finding.facts))
    assert min(seen["entry"], seen["board"]) > 0
