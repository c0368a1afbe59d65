"""A server that cheats, and the real client: it must not be led into a false deal, and say so whatever it is shown."""

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from client_cli.race import RECORD_ID
from engine.cards import ACE, rank
from engine.deal import nonce_commitment
from engine.record import Record, sealed
from engine.result import NO_RACE, Reason, Result
from engine.verify import verify
from protocol.messages import (
    BoardState,
    ClientMessage,
    GetRecord,
    MatchRecord,
    MatchState,
    Moved,
    Ready,
    Refused,
    Resume,
    Reveal,
    ServerMessage,
)
from protocol.proof import proof_of
from tests.client_cli.commands import Commands
from tests.client_cli.lies import CHANGES, committed
from tests.client_cli.stand_in import StandIn, standing_in
from tests.client_cli.table import CODE, Table

Lie = Callable[[Any], ServerMessage | None]


class Liar(StandIn):
    """Tells the client something else than it should, of every message of a kind, or of a state of the match."""

    def __init__(self, table: Table | None = None, **lies: Lie) -> None:
        super().__init__(table)
        self.lies = lies

    def told(self, answer: ServerMessage) -> ServerMessage | None:
        kind = answer.state if isinstance(answer, MatchState) else type(answer).__name__
        lie = self.lies.get(kind)
        return answer if lie is None else lie(answer)

    @property
    def revealed(self) -> bool:
        """Whether the client has shown its nonce."""
        return any(isinstance(message, Reveal) for message in self.received)


class Client:
    """A running client that tells its events."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process
        self.events: list[dict[str, Any]] = []

    @classmethod
    async def started(cls, tommy: Commands, *arguments: str) -> "Client":
        return cls(await tommy.start(*arguments, "--json"))

    async def until(self, *names: str) -> dict[str, Any]:
        """The next event with one of these names."""
        assert self.process.stdout is not None
        async with asyncio.timeout(30):
            while line := await self.process.stdout.readline():
                event: dict[str, Any] = json.loads(line)
                self.events.append(event)
                if event["event"] in names:
                    return event
        raise AssertionError(f"none of {names} came, but {[event['event'] for event in self.events]}")

    async def type(self, line: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(line.encode() + b"\n")
        await self.process.stdin.drain()

    async def end(self) -> int | None:
        """Nothing more is typed: the exit code, once the client has gone."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        out, complaints = await self.process.communicate()
        self.events += [json.loads(line) for line in out.decode().splitlines()]
        assert b"Traceback" not in complaints
        return self.process.returncode

    async def kill(self) -> None:
        self.process.kill()
        await self.process.wait()

    def doubts(self) -> list[str]:
        """All that it told at once, in this order."""
        told = [event["doubts"] for event in self.events if event["event"] == "deal-doubted"]
        return [doubt for doubts in told for doubt in doubts]

    @property
    def verdict(self) -> dict[str, Any]:
        """What it told of the deal in the end."""
        (verdict,) = (event for event in self.events if event["event"] == "deal-checked")
        return verdict


async def raced(server: StandIn, folder: Path, typed: str = "t 1 t 2 resign") -> tuple[int | None, Client]:
    """A whole race of a client against this server: the exit code, and the client."""
    client = await Client.started(Commands(server, folder), "play", "--ready")
    await client.type(typed)
    return await client.end(), client


# Before the nonces are revealed


@pytest.mark.parametrize("lie", ["rival's missing", "rival's a copy of one's own", "own replaced", "server's replaced"])
async def test_a_nonce_is_not_revealed_unless_everybody_is_bound(tmp_path: Path, lie: str) -> None:
    tell, doubt = CHANGES[lie]
    async with standing_in(Liar(revealing=tell)) as server:
        client = await Client.started(Commands(server, tmp_path), "play", "--ready")
        # A client that falls for it reveals, and gets its race.
        told = await client.until("deal-doubted", "started")
        assert (told["event"], told["doubts"], told["hidden"]) == ("deal-doubted", [doubt], True)
        server.table.state, server.table.aborted = "aborted", "not-revealed"
        await server.push(server.table.match())
        assert await client.end() == 1
        assert isinstance(server, Liar)
        assert not server.revealed


async def test_a_commitment_that_comes_later_comes_too_late(tmp_path: Path) -> None:
    async with standing_in(Liar(revealing=committed(1, None))) as server:
        assert isinstance(server, Liar)
        client = await Client.started(Commands(server, tmp_path), "play", "--ready")
        await client.until("deal-doubted", "started")
        server.lies.clear()
        table = server.table
        await server.push(table.match(), table.match())
        table.state, table.aborted = "aborted", "not-revealed"
        await server.push(table.match())
        assert await client.end() == 1
        assert client.doubts() == ["nonce-commitment-missing"]
        assert not server.revealed


# The attack: the rival's nonce is chosen once the honest one is known


class Grinder(StandIn):
    """Waits for the honest nonce and then chooses the rival's, so that the first card is an ace.

    At first it shows nothing of what the rival is bound to, or `decoy`.
    """

    def __init__(self, decoy: str | None) -> None:
        super().__init__()
        self.decoy = decoy

    def _answers(self, message: ClientMessage) -> Any:
        table = self.table
        match message:
            case Ready():
                table.commit(0, message.commitment)
                table.state, table.promises[1] = "revealing", self.decoy
                yield table.match()
            case Reveal():
                table.reveal(0, bytes.fromhex(message.nonce))
                chance = Random(7)
                while table.nonces[1] is None or rank(table.dealt.first[0]) != ACE:
                    table.nonces[1] = chance.randbytes(16)
                table.commit(1, nonce_commitment(table.nonces[1], CODE, 1))
                table.reveal(1, table.nonces[1])
                yield table.match()
                table.start()
                yield table.match()
                yield table.board(0)
                yield table.progress(1)
            case _:
                yield from super()._answers(message)


async def test_the_rivals_nonce_cannot_be_chosen_after_the_honest_one(tmp_path: Path) -> None:
    async with standing_in(Grinder(decoy=None)) as server:
        client = await Client.started(Commands(server, tmp_path), "play", "--ready")
        await client.type("t 1 resign")
        assert (await client.until("deal-doubted", "deal-checked"))["event"] == "deal-doubted"
        server.table.state, server.table.aborted = "aborted", "not-revealed"
        await server.push(server.table.match())
        assert await client.end() == 1
        assert not any(isinstance(message, Reveal) for message in server.received)


async def test_the_rivals_commitment_cannot_be_exchanged_for_a_better_one(tmp_path: Path) -> None:
    async with standing_in(Grinder(decoy="ab" * 32)) as server:
        exit_code, client = await raced(server, tmp_path)
        made = next(event for event in client.events if event["event"] == "made")
        assert made["card"][0] == "A", "the attack itself has failed"
        assert all(finding.fits for finding in verify(server.table.record())), "the record alone would not tell"
        assert client.doubts() == ["nonce-commitment-changed", "nonce"]
        assert client.verdict["doubts"] == ["nonce-commitment-changed", "nonce", "commitments"]
        assert exit_code == 1


# After the nonces were revealed


@pytest.mark.parametrize("lie", ["rival's missing", "rival's replaced", "own replaced", "server's replaced"])
async def test_what_everybody_was_bound_to_cannot_change(tmp_path: Path, lie: str) -> None:
    tell, doubt = CHANGES[lie]
    async with standing_in(Liar(over=tell)) as server:
        exit_code, client = await raced(server, tmp_path)
        assert doubt in client.doubts()
        assert client.doubts() == sorted(set(client.doubts()), key=client.doubts().index), "told twice"
        assert doubt in client.verdict["doubts"]
        assert not any(event["event"] == "proof" for event in client.events)
        assert exit_code == 1


@pytest.mark.parametrize("lie", ["rival's replaced", "server's replaced"])
async def test_nor_while_the_connection_is_lost(tmp_path: Path, lie: str) -> None:
    tell, doubt = CHANGES[lie]
    async with standing_in(Liar()) as server:
        assert isinstance(server, Liar)
        server.lose_before = "hp1"
        honest = server._answers

        def answers(message: ClientMessage) -> Any:
            server.lies = {"playing": tell} if isinstance(message, Resume) else server.lies
            return honest(message)

        server._answers = answers  # type: ignore[method-assign]
        exit_code, client = await raced(server, tmp_path)
        assert any(event["event"] == "connection-back" for event in client.events)
        assert doubt in client.doubts()
        assert exit_code == 1


async def restarted(server: StandIn, folder: Path, until: str, then: Callable[[], None] = lambda: None) -> Client:
    """A client that is killed at some event, and started again with the same key and receipts."""
    tommy = Commands(server, folder)
    client = await Client.started(tommy, "play", "--ready")
    await client.type("t 1 t")
    await client.until(until)
    await client.kill()
    server.seats = [CODE]
    then()
    return await Client.started(tommy, "join", CODE, "--ready")


@pytest.mark.parametrize("lie", ["rival's replaced", "own replaced", "server's replaced"])
async def test_nor_while_the_client_is_not_there(tmp_path: Path, lie: str) -> None:
    tell, doubt = CHANGES[lie]
    async with standing_in(Liar()) as server:
        assert isinstance(server, Liar)
        client = await restarted(server, tmp_path, "made", lambda: server.lies.update(playing=tell))
        await client.type("resign")
        exit_code = await client.end()
        assert doubt in client.doubts()
        assert doubt in client.verdict["doubts"]
        assert exit_code == 1


async def test_who_comes_back_after_a_restart_has_everything_compared(tmp_path: Path) -> None:
    async with standing_in(StandIn()) as server:
        client = await restarted(server, tmp_path, "made")
        await client.type("resign")
        assert await client.end() == 0
        assert client.verdict["doubts"] == []
        assert client.verdict["limits"] == []
        assert client.verdict["cards"] >= 1


async def test_a_match_goes_on_although_the_client_was_lost_before_the_start(tmp_path: Path) -> None:
    """The nonce is in the receipt: without it the match could not start."""
    bound = asyncio.Event()
    async with standing_in(Liar(revealing=lambda _state: bound.set())) as server:
        assert isinstance(server, Liar)
        tommy = Commands(server, tmp_path)
        client = await Client.started(tommy, "play", "--ready")
        await bound.wait()
        await client.kill()
        server.lies.clear()
        server.seats = [CODE]
        client = await Client.started(tommy, "join", CODE)
        await client.type("t 1 resign")
        assert await client.end() == 0
        assert server.revealed
        assert client.verdict["doubts"] == client.verdict["limits"] == []


async def test_without_a_receipt_it_cannot_start(tmp_path: Path) -> None:
    async with standing_in(StandIn()) as server:
        server.table.seated().bound()
        server.seats = [CODE]
        client = await Client.started(Commands(server, tmp_path), "join", CODE)
        assert await client.end() == 1
        assert client.events[-1]["code"] == "already-ready"


async def test_a_spectator_remembers_the_commitments_too(tmp_path: Path) -> None:
    table = Table().bound()
    async with standing_in(Liar(table)) as server:
        assert isinstance(server, Liar)
        tommy = Commands(server, tmp_path)
        first = await Client.started(tommy, "watch", CODE)
        await first.until("resumed")
        await first.kill()
        table.nonces = [bytes(16), bytes(16)]
        table.commit(1, nonce_commitment(bytes(16), CODE, 1))
        table.commit(0, nonce_commitment(bytes(16), CODE, 0))
        table.start()
        exit_code, client = await watched(tommy)
        assert client.doubts()[:2] == ["nonce-commitment-changed", "nonce"]
        assert exit_code == 1


async def watched(tommy: Commands) -> tuple[int | None, Client]:
    client = await Client.started(tommy, "watch", CODE)
    return await client.end(), client


# What is shown


def false_card(moved: Moved) -> Moved:
    """Another card than the one turned."""
    return replace(moved, card=None if moved.card is None else "Kd" if moved.card != "Kd" else "Ks")


def false_board(shown: BoardState) -> BoardState:
    """A board with one card exchanged for another."""
    view: Any = msgspec.convert(msgspec.to_builtins(shown), BoardState).view
    heaps = view.columns if hasattr(view, "columns") else view.foundations
    heap = next(heap for heap in heaps if heap)
    heap[0] = "Kd" if heap[0] != "Kd" else "Ks"
    return replace(shown, view=view)


def no_peek(shown: BoardState) -> BoardState:
    """The next card is not shown, which the game shows."""
    view: Any = msgspec.convert(msgspec.to_builtins(shown), BoardState).view
    view.peek = None
    return replace(shown, view=view)


def rivals(lie: Lie) -> Lie:
    """The same lie, about the rival's board alone."""
    return lambda message: lie(message) if message.seat == 1 else message


@pytest.mark.parametrize(
    ("game", "lies"),
    [
        ("sir-tommy", {"Moved": false_card}),
        ("calculation", {"BoardState": false_board}),
        ("forty-thieves", {"BoardState": false_board}),
        ("forty-thieves", {"BoardState": rivals(false_board)}),
        ("lucas", {"BoardState": rivals(false_board)}),
        ("lucas+peek", {"BoardState": no_peek}),
    ],
)
async def test_every_card_shown_is_compared_with_those_dealt(tmp_path: Path, game: str, lies: dict[str, Lie]) -> None:
    async with standing_in(Liar(Table(game), **lies)) as server:
        exit_code, client = await raced(server, tmp_path, "t resign")
        assert client.verdict["doubts"][-1] == "cards"
        assert exit_code == 1


async def test_a_false_next_card_is_told_at_once_and_is_not_what_is_turned(tmp_path: Path) -> None:
    def lie(shown: BoardState) -> BoardState:
        view: Any = msgspec.convert(msgspec.to_builtins(shown), BoardState).view
        view.peek = "Kd" if view.peek != "Kd" else "Ks"
        return replace(shown, view=view)

    async with standing_in(Liar(Table("lucas+peek"), BoardState=lie)) as server:
        exit_code, client = await raced(server, tmp_path, "t resign")
        made = next(event for event in client.events if event["event"] == "made")
        assert made["view"]["waste"] == [made["card"]] == [server.table.logs[0][0].card]
        assert client.doubts()[0] == "peek"
        assert exit_code == 1


@pytest.mark.parametrize("lost", [True, False])
async def test_all_cards_are_compared_after_a_resume_too(tmp_path: Path, *, lost: bool) -> None:
    async with standing_in(Liar(Moved=lambda moved: false_card(moved) if moved.n == 1 else moved)) as server:
        if lost:
            server.lose_before = "hp1"
            exit_code, client = await raced(server, tmp_path)
        else:
            client = await restarted(server, tmp_path, "made")
            await client.type("resign")
            exit_code = await client.end()
        assert "cards" in client.verdict["doubts"]
        assert exit_code == 1


async def test_an_honest_match_with_a_lost_connection_has_every_card_compared(tmp_path: Path) -> None:
    async with standing_in(StandIn(Table("lucas+peek"))) as server:
        server.lose_before = "t"
        exit_code, client = await raced(server, tmp_path, "t t resign")
        assert (exit_code, client.verdict["doubts"], client.verdict["limits"]) == (0, [], [])
        # The aces and the columns, two cards turned, and the next one.
        assert (client.verdict["cards"], client.verdict["unseen"]) == (8 + 39 + 3, 104 - 50)


# The record


def rewritten(record: Record, **changes: Any) -> Record:
    return sealed(replace(msgspec.convert(msgspec.to_builtins(record), Record), **changes))


def recorded(change: Callable[[Record], Record]) -> Lie:
    """Another record than the match's."""
    return lambda answer: MatchRecord(re=answer.re, match=answer.match, record=change(answer.record))


def as_aborted(record: Record) -> Record:
    seats = [replace(seat, entries=[], status="playing", count=0) for seat in record.seats]
    return rewritten(record, seats=seats, result=NO_RACE)


def with_tails_cut(record: Record) -> Record:
    """The match as if the player had resigned at once."""
    first = replace(record.seats[0], entries=[(500, "resign")])
    return rewritten(record, seats=[first, record.seats[1]])


def with_boards_swapped(record: Record) -> Record:
    first, second = record.seats
    entries = [second.entries, first.entries]
    seats = [
        replace(seat, entries=log, status=other.status, count=other.count)
        for seat, log, other in zip((first, second), entries, (second, first), strict=True)
    ]
    return rewritten(record, seats=seats, result=Result(0, Reason.RESIGNED, [1, 2]))


@pytest.mark.parametrize("change", [as_aborted, with_tails_cut, with_boards_swapped])
async def test_a_record_of_another_match_is_told_from_that_of_this_one(
    tmp_path: Path, change: Callable[[Record], Record]
) -> None:
    async with standing_in(Liar(MatchRecord=recorded(change))) as server:
        exit_code, client = await raced(server, tmp_path)
        false = change(server.table.record())
        assert all(finding.fits for finding in verify(false)), "the record alone would not tell"
        assert {"entries", "digest"} <= set(client.verdict["doubts"])
        assert exit_code == 1
        # And so it is later, for who has the receipt; the record alone is true to itself.
        server.received.clear()
        exit_code, lines, _ = await Commands(server, tmp_path).run("verify", CODE)
        assert any(isinstance(message, GetRecord) for message in server.received)
        assert exit_code == 1
        assert lines[-1].startswith("This record is true to itself: all ")
        assert "It is NOT the match that was raced here" in lines[-1]


async def test_a_record_with_another_digest_is_not_the_one_promised(tmp_path: Path) -> None:
    async with standing_in(
        Liar(MatchRecord=recorded(lambda record: rewritten(record, created="2026-01-02T03:04:05.679+00:00")))
    ) as server:
        exit_code, client = await raced(server, tmp_path)
        assert client.verdict["doubts"] == ["digest"]
        assert exit_code == 1


@pytest.mark.parametrize(
    "lie",
    [
        lambda answer: Refused(re=RECORD_ID, code="unknown-match", why="gone", match=answer.match),
        lambda answer: Refused(re=RECORD_ID, code="not-over", why="not yet", match=answer.match),
    ],
)
async def test_a_record_that_is_refused_is_a_doubt(tmp_path: Path, lie: Lie) -> None:
    async with standing_in(Liar(MatchRecord=lie)) as server:
        exit_code, client = await raced(server, tmp_path)
        assert client.verdict["doubts"] == ["no-record"]
        assert exit_code == 1


async def test_a_plain_line_says_it_loudly(tmp_path: Path) -> None:
    async with standing_in(Liar(over=committed(1, "ab" * 32))) as server:
        exit_code, lines, _ = await Commands(server, tmp_path).run("play", "--ready", typed="resign\n")
        assert exit_code == 1
        (warning,) = (line for line in lines if line.startswith("WARNING"))
        assert "a player's commitment was replaced by another" in warning
        assert any(line.startswith("The deal was checked and does NOT fit: ") for line in lines)


async def test_a_bot_tells_of_a_false_deal_in_its_few_lines(tmp_path: Path) -> None:
    async with standing_in(Liar(Moved=false_card)) as server:
        exit_code, lines, _ = await Commands(server, tmp_path).run("bot", "--pace", "0")
        assert exit_code == 1
        assert any(line.startswith("The deal was checked and does NOT fit: ") for line in lines)


async def test_counts_that_were_told_and_are_not_the_records_are_found(tmp_path: Path) -> None:
    async with standing_in(Liar(Progress=lambda told: replace(told, count=told.count + 1))) as server:
        exit_code, client = await raced(server, tmp_path, "t 1 done")
        assert client.verdict["doubts"] == ["result"]
        assert exit_code == 1


# Who takes the seat with the same key


async def test_a_seat_taken_by_another_client_is_no_lie_of_the_server(tmp_path: Path) -> None:
    async with standing_in(StandIn()) as server:
        tommy = Commands(server, tmp_path)
        client = await Client.started(tommy, "play", "--ready")
        await client.until("position")
        await server.close(4000)
        assert await client.end() == 1
        assert client.events[-1]["event"] == "replaced"
        for entry in ("t", "hp1", "resign"):  # by the other client
            server.table.play(0, entry)
        exit_code, lines, _ = await tommy.run("verify", CODE)
        assert exit_code == 0
        assert any(line.startswith("Unknown: another client with your key took your seat") for line in lines)


async def test_entries_that_nobody_here_made_are_one(tmp_path: Path) -> None:
    async with standing_in(StandIn()) as server:
        tommy = Commands(server, tmp_path)
        client = await Client.started(tommy, "play", "--ready")
        await client.until("position")
        await client.kill()
        server.table.play(0, "resign")
        exit_code, lines, _ = await tommy.run("verify", CODE)
        assert exit_code == 1
        assert "Does NOT fit: Ada's entries: 1 in the record, 0 known to the client." in lines


# Both players


async def test_both_players_and_who_watches_see_the_same_proof(tmp_path: Path) -> None:
    async with standing_in(StandIn()) as server:
        _, player = await raced(server, tmp_path)
        _, spectator = await watched(Commands(server, tmp_path))
        proof = proof_of(server.table.record().digest)
        for client in (player, spectator):
            assert [event["proof"] for event in client.events if event["event"] == "proof"] == [proof]
        exit_code, lines, _ = await Commands(server, tmp_path).run("verify", CODE)
        assert exit_code == 0
        assert f"Proof {proof}: read it out to each other; both have to see the same." in lines
        assert sum(line.startswith("The receipt of ") for line in lines) == 2
