"""A reader of the pages in another language comes to the same as the code: cards, places, moves, verdicts, hashes, a race.

The reader is other_language.mjs, for Node; what it knows it has from docs/protocol.md and docs/fairness.md.
"""

import asyncio
import json
import re
import shutil
import subprocess
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import urlsplit

import pytest

import engine.stuck
import server.match
from engine.board import EVERYTHING, Board, Status
from engine.cards import card_text
from engine.deal import commitment, deal, joined, nonce_commitment
from engine.errors import EngineError
from engine.games import CATALOGUE, variant
from engine.moves import MOVES
from engine.record import digest_of, read_record
from protocol.players import host_of, player_of, public_key, signature
from tests.engine.layouts import WITHOUT_PEEK, Layout, laid_out
from tests.engine.test_stuck import SHUFFLING, without_stock
from tests.protocol.page import PAGE, SECTIONS, rows_of
from tests.server.driver import serving

READER = Path(__file__).with_name("other_language.mjs")
GOLDEN = Path(__file__).parents[1] / "golden"
FIRST_WITH_WEBSOCKET = (20, 10)
SECRET, MATCH = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f", "k7wq2m9x"
NONCES = ["202122232425262728292a2b2c2d2e2f", "303132333435363738393a3b3c3d3e3f"]
SPELLINGS = [
    "+".join((game.name, *options))
    for game in CATALOGUE.values()
    for options in ((), game.options[:1], game.options[1:], game.options)
]


def _has_node() -> bool:
    node = shutil.which("node")
    if node is None:
        return False
    version = subprocess.run([node, "--version"], capture_output=True, text=True, check=True).stdout
    return tuple(map(int, version.strip().removeprefix("v").split(".")[:2])) >= FIRST_WITH_WEBSOCKET


pytestmark = pytest.mark.skipif(not _has_node(), reason="Node 20.10 or newer is not here")


async def answers(question: str, *asked: Any) -> list[Any]:
    """What the reader answers to a question about each of these."""
    process = await asyncio.create_subprocess_exec(
        "node",
        "--no-warnings",
        "--experimental-websocket",
        READER,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        limit=1 << 26,
    )
    lines = "".join(json.dumps([question, each]) + "\n" for each in asked)
    try:
        told, complaints = await process.communicate(lines.encode())
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    assert process.returncode == 0, complaints.decode()
    found = [json.loads(line) for line in told.splitlines()]
    assert len(found) == len(asked)
    return found


def golden(game: str = "*") -> list[dict[str, Any]]:
    """The records that the referees made."""
    return [
        json.loads(line)
        for path in sorted(GOLDEN.glob(f"{game}.jsonl"))
        for line in path.read_text(encoding="utf-8").splitlines()
    ]


# Hashes and signatures


async def test_lists_of_values_are_the_same_bytes() -> None:
    lists: list[list[str | bytes]] = [[], [""], ["a", b"\x00\xff"], ["Zoë", b""], ["x" * 300, bytes(70_000)]]
    asked = [[each if isinstance(each, str) else {"hex": each.hex()} for each in values] for values in lists]
    assert await answers("list", *asked) == [joined(*values).hex() for values in lists]


async def test_a_hello_is_signed_alike() -> None:
    chance = Random(1)
    asked = [
        (chance.randbytes(32).hex(), chance.randbytes(32).hex(), host) for host in ("localhost", "::1", "x.example")
    ]
    for (secret, challenge, host), said in zip(asked, await answers("hello", *asked), strict=True):
        key = public_key(secret)
        assert said["signature"] == signature(secret, challenge, host)
        assert (said["key"], said["host"], said["player"]) == (key, host, player_of(key))


async def test_the_host_is_named_alike() -> None:
    dialled = [row[0].strip("`") for row in rows_of(SECTIONS["Hello, and who you are"])]
    dialled = [url for url in dialled if "%" not in url]  # what a browser would dial has no zones
    dialled += ["ws://LOCALHOST:1", "ws://10.0.0.1", "ws://[::1]:7777", "ws://[2001:db8:0:1:0:0:0:1]", "ws://a.b.c.:80"]
    (found,) = await answers("hosts", dialled)
    assert found == [host_of(urlsplit(url).hostname or "") for url in dialled]


async def test_a_proof_is_read_alike() -> None:
    proof = pytest.importorskip("protocol.proof")
    digests = [Random(number).randbytes(32).hex() for number in range(20)]
    (found,) = await answers("proofs", digests)
    assert found == [proof.proof_of(digest) for digest in digests]


async def test_the_patterns_of_the_schemas_can_be_read() -> None:
    texts = [path.read_text(encoding="utf-8") for path in PAGE.parent.glob("*.json")]
    patterns = {json.loads(found) for text in texts for found in re.findall(r'"pattern": (".*")', text)}
    assert len(patterns) > 10
    assert await answers("patterns", sorted(patterns)) == [[True] * len(patterns)]


# The deal


async def test_every_game_is_dealt_alike() -> None:
    chance = Random(2)
    asked: list[Any] = [(game, SECRET, NONCES, MATCH) for game in SPELLINGS]
    for players in (1, 3, 8):
        nonces = [chance.randbytes(16).hex() for _ in range(players)]
        asked.append((chance.choice(SPELLINGS), chance.randbytes(32).hex(), nonces, "abcdefgh"))
    for (game, secret, nonces, match), found in zip(asked, await answers("deal", *asked), strict=True):
        chosen = variant(game)
        cards = deal(chosen.cards, bytes.fromhex(secret), [*map(bytes.fromhex, nonces)], match)
        assert [found["first"], found["second"]] == [[*map(card_text, order)] for order in cards]
        assert found["commitment"] == commitment(bytes.fromhex(secret), match, game)
        board: Any = chosen.board(cards)
        assert found["stock"] == [[place, card_text(card)] for place, card in reversed(board._stock)]
        view = board.view_of_others()
        assert found["view"] == {"family": view.__struct_config__.tag} | {
            name: getattr(view, name) for name in view.__struct_fields__ if name != "peek"
        }


# Boards


async def test_every_golden_record_is_found_true() -> None:
    records = golden()
    assert len(records) > 80
    for record, found in zip(records, await answers("check", *records), strict=True):
        seats = record["seats"]
        assert found["commitment"] == record["commitment"]
        assert found["nonce_commitments"] == [seat["nonce_commitment"] for seat in seats if seat["nonce_commitment"]]
        assert (found["deck"], found["second"]) == (record["deck"], record["second"])
        assert [(each["status"], each["count"]) for each in found["boards"]] == [
            (seat["status"], seat["count"]) for seat in seats
        ]
        assert found["result"] | record["result"] == found["result"]
        assert found["digest"] == record["digest"] == digest_of(read_record(json.dumps(record)))


def codes(board: Board, moves: list[str]) -> dict[str, str | None]:
    """What the engine says to each of these moves; nothing to those that are legal."""
    found: dict[str, str | None] = dict.fromkeys(map(str, board.legal_moves()))
    for text in moves:
        if text not in found:
            try:
                board.enter(text)
            except EngineError as error:
                found[text] = error.code
            else:
                raise AssertionError(f"{text} was no legal move, and was made")
    return found


@pytest.mark.parametrize("game", CATALOGUE)
async def test_the_same_moves_are_legal_and_the_same_places_passed(game: str) -> None:
    walked = [
        (record, seat) for record in golden(game)[:: len(CATALOGUE[game].options) + 1] for seat in record["seats"]
    ]
    walks = [
        {
            "game": record["game"],
            "deck": record["deck"],
            "second": record["second"],
            "entries": [entry for _, entry in seat["entries"]],
            "every": 20,
        }
        for record, seat in walked
    ]
    (notation,) = await answers("notation", None)
    known = [text for text in notation if text in MOVES]
    assert len(known) > 2000
    for (record, _), walk, found in zip(walked, walks, await answers("walk", *walks), strict=True):
        chosen = variant(record["game"])
        nonces = [bytes.fromhex(seat["nonce"]) for seat in record["seats"]]
        board = chosen.board(deal(chosen.cards, bytes.fromhex(record["secret"]), nonces, record["match"]))
        for entry, step in zip(walk["entries"], found, strict=True):
            board.retrace(entry)
            assert step["place"] == board.position
            if "status" in step:
                passed = None if board.passed == EVERYTHING else board.passed
                assert (step["status"], step["passed"]) == (board.status, passed)
                ours, theirs = codes(board, known), dict(zip(notation, step["verdicts"], strict=True))
                for code in (None, "not-in-this-game", "board-finished"):
                    assert [move for move in known if ours[move] == code] == [
                        move for move in known if theirs[move] == code
                    ]


# Stuck


def plain(spelling: str, layout: Layout, most: int = engine.stuck.BUDGET) -> dict[str, Any]:
    return {
        "game": spelling,
        "columns": layout.columns + [[]] * (len(laid_out(spelling, layout).columns) - len(layout.columns)),
        "waste": layout.waste,
        "foundations": layout.foundations,
        "most": most,
    }


async def test_the_same_boards_are_stuck() -> None:
    layouts = [(game, layout) for game in WITHOUT_PEEK for seed in range(6) for layout in without_stock(game, seed)]
    expected = [laid_out(*each)._is_stuck() for each in layouts]
    assert await answers("stuck", *(plain(*each) for each in layouts)) == expected
    assert min(expected.count(True), expected.count(False)) > 20


async def test_a_board_is_stuck_at_the_same_number_of_positions(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a budget of all that can be reached, the board on the table counted; with one less it is not."""
    boards = [("limited", SHUFFLING)]
    for game in ("forty-thieves", "lucas", "maria", "josephine"):
        boards += [(game, layout) for seed in range(8) for *_, layout in [without_stock(game, seed)]]
    budgets = range(1, 60)
    asked = [plain(game, layout, budget) for game, layout in boards for budget in budgets]
    said = await answers("stuck", *asked)
    boundaries = []
    for at, (game, layout) in enumerate(boards):
        verdicts = []
        for budget in budgets:
            monkeypatch.setattr(engine.stuck, "BUDGET", budget)
            verdicts.append(laid_out(game, layout)._is_stuck())
        assert said[at * len(budgets) :][: len(budgets)] == verdicts
        boundaries.append(verdicts.count(False) + 1 if True in verdicts else None)
    assert boundaries[0] == 2
    assert len(set(boundaries)) > 5


async def test_a_board_from_which_too_much_can_be_reached_is_not_stuck() -> None:
    wide = Layout.of("Kh 9h 8h 5h / Kd 9d 8d 5d / Kc 9c 8c 5c / Ks 9s 8s 5s / 6h 9h 7h 5h / 6d 9d 7d 5d")
    assert laid_out("limited", wide).status is Status.STUCK  # just within the budget; with a column more it is exceeded
    assert laid_out("lucas", wide).status is Status.PLAYING
    asked = [plain("limited", wide), plain("lucas", wide), plain("lucas", wide, 10**6)]
    assert await answers("stuck", *asked) == [True, False, True]


# A race


@pytest.mark.parametrize(
    ("game", "most"), [("sir-tommy+redeal", 200), ("calculation", 120), ("josephine+peek+groups", 100), ("lucas", 100)]
)
async def test_two_readers_race_and_find_everything_true(
    game: str, most: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server.match, "COUNTDOWN", 5)
    async with serving(tmp_path / "matches.db") as (_, people):
        (found,) = await answers("race", {"url": people.url, "game": game, "most": most})
    assert len(found) == 2
    for seen in found:
        record = read_record(json.dumps(seen["record"]))
        assert seen["tag"]
        assert seen["commitments"]
        assert seen["cards"]
        assert seen["sight"]
        assert seen["digest"]
        assert seen["result"]
        assert seen["boards"] == [[seat.status, seat.count] for seat in record.seats]
        assert record.seats[0].count > 0
        assert nonce_commitment(bytes.fromhex(record.seats[0].nonce or ""), record.match, 0) == (
            record.seats[0].nonce_commitment
        )
    assert found[0]["proof"] == found[1]["proof"]
