"""Make the golden data of this folder with the naive referees; README.md says what it is.

usage: python -m tests.golden.make    (about two minutes; the same files whenever and wherever it runs)

Of the engine only the deal, the result and the record's form are used: every move, status and count is the referees'.
"""

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from copy import deepcopy
from itertools import count as numbers_from
from pathlib import Path
from typing import Any, Literal

from engine.board import ENDINGS, Status
from engine.cards import card_text
from engine.deal import DEAL_VERSION, Deal, commitment, deal, nonce_commitment
from engine.games import CATALOGUE, variant
from engine.record import HOUSE_PROGRAM, RECORD_VERSION, Record, SeatRecord, sealed, write_record
from engine.result import Result, Standing, decide
from tests.engine.referee import FOUR, RANKS, Referee, rank_of
from tests.engine.referee_forty_thieves import COLUMNS_AND_ROWS, FortyThievesReferee, may_lie_on

FOLDER = Path(__file__).parent
CLOCK = 900_000
MOST_BOARDS, DEEPEST = 1000, 12
"""A tree is counted as deep as it has no more distinct boards than this, all depths together."""
SECRET = bytes(range(32))
NONCES = bytes(range(16)), bytes(range(16, 32))
SEATS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")
"""The seats as the dice know them."""

Naive = Referee | FortyThievesReferee


def option_sets(game: str) -> list[str]:
    """Every spelling of a game."""
    if game in COLUMNS_AND_ROWS:
        return [game, f"{game}+peek", f"{game}+groups", f"{game}+peek+groups"]
    return [game, f"{game}+redeal"]


def dealt(game: str, match: str) -> Deal:
    return deal(CATALOGUE[game].cards, SECRET, NONCES, match)


def referee(spelling: str, cards: Deal) -> Naive:
    """A fresh board of the deal."""
    game, *options = spelling.split("+")
    first, second = (list(map(card_text, order)) for order in cards)
    if game in COLUMNS_AND_ROWS:
        return FortyThievesReferee(game, first, set(options))
    return Referee(game, first, second, redeal="redeal" in options)


class Dice:
    """Chance that falls alike for ever: numbers from SHA-256."""

    def __init__(self, *seed: object) -> None:
        self._seed = "/".join(map(str, seed))
        self._thrown = 0

    def throw(self, sides: int) -> int:
        """A number from 0 to `sides` - 1."""
        self._thrown += 1
        digest = hashlib.sha256(f"{self._seed}/{self._thrown}".encode()).digest()
        return int.from_bytes(digest[:8], "big") % sides

    def pick(self, words: list[str]) -> str:
        return words[self.throw(len(words))]


# Players: what each does next on a board that is not finished

Player = Callable[[Any, Dice], str]


def upwards(legal: set[str]) -> list[str]:
    return sorted(move for move in legal if "f" in move)


def hasty(board: Referee, dice: Dice) -> str:
    """Mostly upwards, else any pile; between piles only when nothing else is left, and not for long."""
    legal = board.legal()
    if upwards(legal) and dice.throw(10):
        return dice.pick(upwards(legal))
    placing = sorted(move for move in legal if move[0] in "htr")
    if placing:
        return dice.pick(placing)
    return dice.pick([*sorted(legal), "stand"])


def tidy(board: Referee, dice: Dice) -> str:
    """Upwards, else the pile where the card buries the least; digs when nothing else is left."""
    legal = board.legal()
    if upwards(legal):
        return upwards(legal)[0]
    if board.hand is not None:
        card = board.hand
        return f"hp{min(FOUR, key=lambda number: (buried(board.piles[number - 1], card), dice.throw(100)))}"
    for word in ("t", "r"):
        if word in legal:
            return word
    return digging(board)


def buried(pile: list[str], card: str) -> int:
    """How many lower cards a card would cover."""
    ranks = RANKS.split()
    return sum(ranks.index(rank_of(under)) < ranks.index(rank_of(card)) for under in pile)


def digging(board: Referee) -> str:
    """Take the top off the pile that has a fitting card the least deep, and put it where it buries the least."""
    depths = {
        (depth, source)
        for source in FOUR
        for depth, card in enumerate(reversed(board.piles[source - 1]))
        if board._fitting(card)
    }
    _, source = min(depths)
    card = board.piles[source - 1][-1]
    target = min((number for number in FOUR if number != source), key=lambda at: buried(board.piles[at - 1], card))
    return f"p{source}p{target}"


def wild(board: FortyThievesReferee, dice: Dice) -> str:
    """Mostly upwards, else the next card or any move; may stand when the stock has been passed through."""
    legal = board.legal()
    if upwards(legal) and dice.throw(20):
        return dice.pick(upwards(legal))
    if "t" in legal and dice.throw(2):
        return "t"
    return dice.pick(sorted(legal) if "t" in legal or dice.throw(12) else ["stand"])


def patient(board: FortyThievesReferee, dice: Dice) -> str:
    """Upwards, else a column's cards on another's, else the waste's, else the next card; at the end any way that gains."""
    legal = board.legal()
    if upwards(legal):
        return upwards(legal)[0]
    if not board.stock:
        return way_to_gain(board)[0]
    for move in (*longest_first(legal), *sorted(move for move in legal if move[0] == "w")):
        if worth(board, move, dice):
            return move
    return "t"


def longest_first(legal: set[str]) -> list[str]:
    """The moves from column to column, most cards first."""
    across = sorted(move for move in legal if move[0] == "c")
    return sorted(across, key=lambda move: -int(move.partition("x")[2] or 1))


def worth(board: FortyThievesReferee, move: str, dice: Dice) -> bool:
    """Whether a move builds: what it leaves behind was not built, and an empty column is filled only now and then."""
    places, _, cards = move.partition("x")
    source, _, target = places.rpartition("c")
    if not board.columns[int(target) - 1]:
        return source == "w" and len(board.waste) > 5 and not dice.throw(3)
    if source == "w":
        return True
    column = board.columns[int(source[1:]) - 1]
    at = len(column) - int(cards or 1)
    return at == 0 or not may_lie_on(board.game, column[at], column[at - 1])


def way_to_gain(board: FortyThievesReferee) -> list[str]:
    """The shortest way to a foundation move."""
    ways: list[tuple[list[str], FortyThievesReferee]] = [([], board)]
    seen = {board._lying()}
    for moves, here in ways:
        legal = sorted(here._moves())
        if upwards(set(legal)):
            return [*moves, upwards(set(legal))[0]]
        for move in legal:
            there = here._after(move)
            if there._lying() not in seen:
                seen.add(there._lying())
                ways.append(([*moves, move], there))
    raise AssertionError("the board is stuck")


def weary(board: Referee, dice: Dice) -> str:
    """Plays as it comes, and gives up when some of the cards are turned."""
    return "resign" if len(board.stock) <= 30 else hasty(board, dice)


def players(game: str) -> tuple[Player, Player]:
    """The careful and the careless player of a game."""
    return (patient, wild) if game in COLUMNS_AND_ROWS else (tidy, hasty)


# Counted trees


def counts(start: Naive) -> list[tuple[int, int]]:
    """For each depth from 1 on: how many ways there are to make so many moves, and how many boards they lead to."""
    boards: dict[str, tuple[int, Naive]] = {lying(start): (1, start)}
    found: list[tuple[int, int]] = []
    total = 0
    while len(found) < DEEPEST:
        deeper: dict[str, tuple[int, Naive]] = {}
        for ways, board in boards.values():
            for move in sorted(board.legal()):
                after = deepcopy(board)
                after._do(move)
                before, _ = deeper.get(lying(after), (0, None))
                deeper[lying(after)] = (before + ways, after)
                if total + len(deeper) > MOST_BOARDS:
                    return found
        if not deeper:
            break
        found.append((sum(ways for ways, _ in deeper.values()), len(deeper)))
        total += len(deeper)
        boards = deeper
    return found


def lying(board: Naive) -> str:
    """A board as it lies, every place told from every other."""
    return repr(sorted(vars(board).items(), key=lambda item: item[0]))


def at_the_start(_: Naive) -> bool:
    return True


def halfway(board: Naive) -> bool:
    return len(board.stock) <= 24 and has_some_choice(board)


def late(board: Naive) -> bool:
    return len(board.stock) <= 2 and has_some_choice(board)


def grouped(board: Naive) -> bool:
    return any("x" in move for move in board.legal()) and has_some_choice(board)


def has_some_choice(board: Naive) -> bool:
    return 3 <= len(board.legal()) <= 20


def trees(spelling: str, decks: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """From the start, from the middle of a game, from its end, and where groups move, from one that has some."""
    game = spelling.partition("+")[0]
    stages: list[Callable[[Naive], bool]] = [at_the_start, halfway, late]
    if grouping(spelling):
        stages.append(grouped)
    for first, stage in enumerate(stages, start=1):
        for number in numbers_from(first):
            match = f"tree-{number}"
            cards = dealt(game, match)
            board = referee(spelling, cards)
            moves = moves_until(stage, board, Dice(game, match))
            if moves is not None:
                decks.setdefault(game, {})[match] = {
                    "first": " ".join(map(card_text, cards.first)),
                    "second": " ".join(map(card_text, cards.second)),
                }
                yield {"game": spelling, "deck": match, "moves": " ".join(moves), "counts": counts(board)}
                break


def grouping(spelling: str) -> bool:
    return spelling.endswith("groups") or spelling.startswith("josephine")


def moves_until(stage: Callable[[Naive], bool], board: Naive, dice: Dice) -> list[str] | None:
    """The moves of a careful player up to this stage; None where the game ends before it."""
    careful, _ = players(board.game)
    moves: list[str] = []
    while board.status() == "playing":
        if stage(board):
            return moves
        moves.append(careful(board, dice))
        board.play(moves[-1])
    return None


# Matches


def match(
    spelling: str,
    number: int,
    styles: Sequence[Player],
    version: int = RECORD_VERSION,
    fixed_by: Literal["players", "server"] = "players",
) -> Record:
    """The record of a match between players who move as the dice fall."""
    code = f"golden{number}"
    game = spelling.partition("+")[0]
    nonces = [bytes(range(16 * seat, 16 * seat + 16)) for seat, _ in enumerate(styles) if fixed_by == "players"]
    cards = deal(CATALOGUE[game].cards, SECRET, nonces, code)
    dice = [Dice(spelling, code, seat) for seat in (*SEATS[: len(styles)], "clock")]
    boards = [referee(spelling, cards) for _ in styles]
    entries: list[list[tuple[int, str]]] = [[] for _ in styles]
    standings = [Standing(Status(board.status()), board.count(), 0) for board in boards]
    at = 0
    result: Result | None = None
    while result is None:
        at += 1 + dice[-1].throw(1500)
        waiting = [seat for seat, standing in enumerate(standings) if standing.status is Status.PLAYING]
        seat = waiting[dice[-1].throw(len(waiting))]
        board = boards[seat]
        entry = styles[seat](board, dice[seat])
        if entry not in ENDINGS:
            board.play(entry)
        entries[seat].append((at, entry))
        standings[seat] = Standing(ENDINGS.get(entry) or Status(board.status()), board.count(), at)
        result = decide(standings)
    return sealed(
        Record(
            format="tommy-race match",
            version=version,
            match=code,
            game=spelling,
            created="2025-01-01T12:00:00.000+00:00",
            clock=max(CLOCK, at + 1),
            grace=60_000,
            deal_version=DEAL_VERSION,
            fixed_by=fixed_by,
            commitment=commitment(SECRET, code, spelling),
            secret=SECRET.hex(),
            deck=list(map(card_text, cards.first)),
            second=list(map(card_text, cards.second)),
            seats=[
                SeatRecord(
                    name=style.__name__,
                    bot=HOUSE_PROGRAM,
                    level=None,
                    nonce_commitment=nonce_commitment(nonces[seat], code, seat) if nonces else None,
                    nonce=nonces[seat].hex() if nonces else None,
                    entries=entries[seat],
                    status=standings[seat].status,
                    count=standings[seat].count,
                )
                for seat, style in enumerate(styles)
            ],
            result=result,
        )
    )


MOST_TRIED = 12


def matches(spelling: str) -> Iterator[Record]:
    """Two matches of a careful player and a careless one, and one of two careful ones, solved if that is soon found."""
    careful, careless = players(spelling.partition("+")[0])
    yield match(spelling, 1, (careful, careless), version=1)
    yield match(spelling, 2, (careless, careful), version=1)
    races = [match(spelling, 3, (careful, careful), version=1)]
    while races[-1].result.reason != "solved" and len(races) < MOST_TRIED:
        races.append(match(spelling, 3 + len(races), (careful, careful), version=1))
    yield races[-1] if races[-1].result.reason == "solved" else races[0]


def of_many() -> Iterator[Record]:
    """A match of each game, with one to eight players by turns, of whom every other one is careful.

    In every third only the server has fixed the cards; in one all but one player give up.
    """
    for number, game in enumerate(CATALOGUE):
        styles = (players(game) * 4)[: 1 + number % len(SEATS)]
        yield match(option_sets(game)[-1], number, styles, fixed_by="players" if number % 3 else "server")
    yield match("sir-tommy", len(CATALOGUE), (weary, tidy, weary))


def main() -> None:
    spellings = [spelling for game in CATALOGUE for spelling in option_sets(game)]
    assert all(variant(spelling).spelling == spelling for spelling in spellings)
    decks: dict[str, Any] = {}
    found = [tree for spelling in spellings if "peek" not in spelling for tree in trees(spelling, decks)]
    (FOLDER / "trees.json").write_text(
        "".join(
            [
                '{"format": "tommy-race counted trees", "version": 1,\n',
                f'"secret": "{SECRET.hex()}",\n',
                f'"nonces": {json.dumps([nonce.hex() for nonce in NONCES])},\n',
                f'"decks": {json.dumps(decks, indent=0)},\n',
                '"trees": [\n',
                ",\n".join(map(json.dumps, found)),
                "\n]}\n",
            ]
        ),
        encoding="utf-8",
    )
    for game in CATALOGUE:
        write(game, [record for spelling in option_sets(game) for record in matches(spelling)])
    write("one-to-eight", of_many())


def write(name: str, records: Iterable[Record]) -> None:
    """Write a file with a record on each line."""
    lines = [json.dumps(json.loads(write_record(record)), separators=(",", ":")) for record in records]
    (FOLDER / f"{name}.jsonl").write_text("\n".join([*lines, ""]), encoding="utf-8")


if __name__ == "__main__":
    main()
