"""The plain line mode as people and programs meet it: real processes, pipes and a terminal."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from engine.record import read_record
from engine.verify import verify
from protocol.messages import Create, Hello, Join, Leave, Play, Ready, Resume
from protocol.players import public_key
from protocol.proof import proof_of
from tests.client_cli.commands import Commands
from tests.client_cli.stand_in import ONE_MATCH, StandIn, offer, standing_in
from tests.client_cli.table import CODE

pty = pytest.importorskip("pty")


@pytest.fixture
async def stand_in() -> AsyncIterator[StandIn]:
    async with standing_in() as stand_in:
        yield stand_in


@pytest.fixture
def tommy(stand_in: StandIn, tmp_path: Path) -> Commands:
    return Commands(stand_in, tmp_path)


async def line_with(process: asyncio.subprocess.Process, part: str) -> str:
    """The next line of a process that has this in it."""
    assert process.stdout is not None
    while line := (await process.stdout.readline()).decode():
        if part in line:
            return line
    raise AssertionError(f"no line with {part!r}")


# Playing


async def test_a_race_in_a_pipe(tommy: Commands, stand_in: StandIn) -> None:
    exit_code, lines, _ = await tommy.run("play", typed="ready\nt 2 t\n3\nx\n")
    assert exit_code == 0
    assert stand_in.moves == [(1, "t"), (2, "hp2"), (3, "t"), (4, "hp3"), (5, "stand")]
    assert lines[0] == f"Connected to {stand_in.url} as Ada."
    assert "I do not know the word x. Type help for those I know." in lines
    assert "A draw: Ada against Bo, 0 to 0." in lines
    assert lines[-3] == "The deal was checked and fits, with all 2 cards shown to you (not shown: 50)."
    assert (
        lines[-2]
        == f"Proof {proof_of(stand_in.table.record().digest)}: read it out to each other; both have to see the same."
    )
    assert lines[-1] == f"To check the moves and the result too: tommy verify {CODE}"


async def test_a_game_that_the_server_does_not_offer(tommy: Commands, stand_in: StandIn) -> None:
    stand_in.games = [offer("lucas"), offer("calculation")]
    exit_code, _, complaints = await tommy.run("play", "--game", "maria")
    assert (exit_code, complaints) == (4, "The server does not offer this game. It offers lucas, calculation.\n")


async def test_a_race_as_events(tommy: Commands) -> None:
    exit_code, events = await tommy.events("play", "--ready", typed="t\nf9\n1\nresign\n")
    kinds = [event["event"] for event in events]
    assert exit_code == 0
    assert kinds == [
        "connected",
        "waiting",
        "seated",
        "is-ready",
        "is-ready",
        "countdown",
        "started",
        "position",
        "made",
        "illegal",
        "made",
        "finished",
        "over",
        "deal-checked",
        "proof",
        "afterwards",
    ]
    assert events[kinds.index("made")]["view"]["stock"] == 51
    assert events[kinds.index("deal-checked")] == {
        "event": "deal-checked",
        "match": CODE,
        "cards": 1,
        "unseen": 51,
        "doubts": [],
        "limits": [],
    }


@pytest.mark.parametrize(
    ("arguments", "asked"),
    [
        (["play", "--game", "numerica"], Play(game="numerica")),
        (["play", "--anyone"], Play(game="sir-tommy", bots=True)),
        (["play", "--create", "--clock", "0.5", "--grace", "2"], Create(game="sir-tommy", clock=30_000, grace=2_000)),
        (["play", "--bot"], Create(game="sir-tommy", level="normal")),
        (["play", "--bot", "--level", "strong"], Create(game="sir-tommy", level="strong")),
        (["join", "ABCD-efgh"], Join(match=CODE)),
    ],
)
async def test_what_is_asked_of_the_server(
    tommy: Commands, stand_in: StandIn, arguments: list[str], asked: Any
) -> None:
    await tommy.run(*arguments, typed="quit\n")
    hello, request = stand_in.received[:2]
    assert isinstance(hello, Hello)
    assert hello.name == "Ada"
    request.id = None
    assert request == asked
    assert isinstance(stand_in.received[-1], Leave)


async def test_who_has_a_seat_goes_back_to_it(tommy: Commands, stand_in: StandIn) -> None:
    stand_in.table.started()
    stand_in.table.play(0, "t")
    stand_in.seats = [CODE]
    exit_code, lines, _ = await tommy.run("play", typed="2\n")
    assert exit_code == 0
    assert isinstance(stand_in.received[1], Resume)
    assert stand_in.moves == [(2, "hp2"), (3, "stand")]
    assert lines[1] == f"Back in match {CODE}, Sir Tommy, Ada against Bo: the race is on."
    assert "in hand" in lines[2]


async def test_the_key_is_kept(tommy: Commands, stand_in: StandIn) -> None:
    for _ in range(2):
        await tommy.run("play", typed="quit\n")
    keys = [message.key for message in stand_in.received if isinstance(message, Hello)]
    assert keys == [public_key((tommy.folder / "key").read_text().strip())] * 2


async def test_a_connection_lost_in_mid_race(tommy: Commands, stand_in: StandIn) -> None:
    stand_in.lose_before = "hp2"
    exit_code, lines, _ = await tommy.run("play", "--ready", typed="t 2 t 3\n")
    assert exit_code == 0
    lost = lines.index("The connection is lost. Trying to come back for 1 min 15 s.")
    # All that was missed comes first.
    assert lines[lost + 1].endswith("count 0 · stock 51")
    assert lines[lost + 2] == "Connected again."
    # The move had been made, and was sent again with the same number: that made no second one.
    assert [move for move in stand_in.moves if move[1] == "hp2"] == [(2, "hp2")] * 2
    assert [moved.move for moved in stand_in.table.logs[0]] == ["t", "hp2", "t", "hp3", "stand"]


async def test_nothing_to_be_typed_ever(tommy: Commands, stand_in: StandIn) -> None:
    exit_code, lines, _ = await tommy.run("play")
    assert exit_code == 1
    assert lines[-1] == "The input has ended before you were ready, so you leave."
    assert isinstance(stand_in.received[-1], Leave)


async def test_ctrl_c(tommy: Commands) -> None:
    process = await tommy.start("play", "--ready")
    await line_with(process, "Go!")
    process.send_signal(signal.SIGINT)
    assert await process.wait() == 130
    _, complaints = await process.communicate()
    assert b"Traceback" not in complaints


async def test_a_terminal(tommy: Commands, stand_in: StandIn) -> None:
    ours, theirs = pty.openpty()
    tommy.environment["COLUMNS"] = "40"
    process = await tommy.start("play", "--plain", stdin=theirs, stdout=theirs, stderr=theirs)
    os.close(theirs)
    loop, shown = asyncio.get_running_loop(), ""

    async def until(part: str) -> None:
        nonlocal shown
        while part not in shown:
            shown += (await loop.run_in_executor(None, os.read, ours, 4096)).decode()

    for part, line in (
        ("ready: within", ""),
        ("count 0", "done"),
        ("Type yes", "no"),
        ("Then not", "t"),
        ("in hand", "resign"),
        ("Resign", "yes"),
        ("tommy verify", "quit"),
    ):
        await until(part)
        os.write(ours, f"{line}\n".encode())
    assert await process.wait() == 0
    os.close(ours)
    assert stand_in.moves == [(1, "t"), (2, "resign")]
    assert max(len(line) for line in shown.splitlines()) < 40
    assert "\x1b" not in shown


# Refusals


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["join", "zzzzzzzz"], "There is no match with this code."),
        (["watch", "zzzzzzzz"], "There is no match with this code."),
        (["record", "zzzzzzzz"], "There is no match with this code."),
    ],
)
async def test_what_is_refused(tommy: Commands, arguments: list[str], sentence: str) -> None:
    exit_code, _, complaints = await tommy.run(*arguments)
    assert exit_code == 4
    assert complaints == f"{sentence}\n"


@pytest.mark.parametrize("refuse", [{"turn_away": "version: 2 is spoken here"}, {"refuse_hello": "bad-message"}])
async def test_who_is_turned_away(tommy: Commands, stand_in: StandIn, refuse: dict[str, str]) -> None:
    vars(stand_in).update(refuse)
    exit_code, _, complaints = await tommy.run("play", "--ready")
    assert exit_code == 4
    assert complaints.count("\n") == 1


async def test_whose_seat_is_taken_over(tommy: Commands, stand_in: StandIn) -> None:
    stand_in.close_with = 4000
    exit_code, _, complaints = await tommy.run("play", "--ready")
    assert exit_code == 1
    assert complaints == "Your seat was taken over by another client with your key; this one goes.\n"


@pytest.mark.parametrize("arguments", [["play"], ["join", CODE], ["watch", CODE], ["bot"]])
async def test_a_match_of_a_game_that_this_version_does_not_know(
    tommy: Commands, stand_in: StandIn, monkeypatch: pytest.MonkeyPatch, arguments: list[str]
) -> None:
    monkeypatch.setattr(stand_in.table.variant, "spelling", "whist")
    exit_code, _, complaints = await tommy.run(*arguments)
    assert exit_code == 1
    assert complaints == f"Match {CODE}: this version of tommy does not know the game whist. Upgrade it.\n"


# Watching, and the rest


def watchable(stand_in: StandIn) -> None:
    stand_in.table.started()
    stand_in.listed = ONE_MATCH


def a_spectators_lines(lines: list[str]) -> bool:
    return (
        lines[0].startswith(f"Watching match {CODE}: Ada against Bo, Sir Tommy; ")
        and lines[1].startswith("Ada turns ")
        and lines[1].endswith(", to pile 1 (0)")
        and lines[2:4] == ["Ada has resigned.", "Bo wins: Ada has resigned. The counts: 0 to 0."]
    )


async def test_watching_by_code(tommy: Commands, stand_in: StandIn) -> None:
    watchable(stand_in)
    exit_code, lines, _ = await tommy.run("watch", CODE)
    assert exit_code == 0
    assert a_spectators_lines(lines)
    assert lines[-1] == f"To check the moves and the result too: tommy verify {CODE}"


async def test_watching_by_number(tommy: Commands, stand_in: StandIn) -> None:
    watchable(stand_in)
    exit_code, lines, _ = await tommy.run("watch", typed="7\n\n1\n")
    assert exit_code == 0
    assert lines[0] == f"  1  {CODE}  Ada against Bo · Sir Tommy · 3 to 4 · 1 min left"
    assert lines[1:3] == ["Which one to watch? Type its number."] * 2
    assert a_spectators_lines(lines[3:])


@pytest.mark.parametrize("typed", ["", "q\n"])
async def test_watching_nothing(tommy: Commands, stand_in: StandIn, typed: str) -> None:
    assert (await tommy.run("watch"))[:2] == (1, ["No match is being raced now."])
    watchable(stand_in)
    assert (await tommy.run("watch", typed=typed))[0] == 1


async def test_the_list_of_matches(tommy: Commands, stand_in: StandIn) -> None:
    assert await tommy.run("matches") == (0, ["No match is being raced now."], "")
    stand_in.listed = ONE_MATCH
    exit_code, events = await tommy.events("matches")
    assert exit_code == 0
    assert events[0]["match"] == CODE


async def test_fetching_a_record(tommy: Commands, stand_in: StandIn) -> None:
    stand_in.table.started()
    stand_in.table.play(0, "resign")
    exit_code, lines, _ = await tommy.run("record", CODE)
    file = tommy.folder / f"tommy-{CODE}.json"
    assert (exit_code, lines) == (0, [f"Written: {file.name}. To check it: tommy verify {file.name}"])
    assert all(finding.fits for finding in verify(read_record(file.read_text(encoding="utf-8"))))
    exit_code, lines, _ = await tommy.run("record", CODE, "-o", "-")
    assert "\n".join(lines) + "\n" == file.read_text(encoding="utf-8")
    exit_code, _, complaints = await tommy.run("record", CODE, "-o", "no/such/folder")
    assert exit_code == 1
    assert complaints == "no/such/folder: No such file or directory\n"


# Bots


@pytest.mark.parametrize("ask", [["--quick"], ["--join", CODE], []])
async def test_a_bot_plays_one_match_and_prints_one_line(tommy: Commands, stand_in: StandIn, ask: list[str]) -> None:
    tommy.environment["TOMMY_BOT_NAME"] = "Robot"
    exit_code, lines, _ = await tommy.run("bot", "--pace", "0", *ask)
    assert exit_code == 0
    (line,) = lines
    assert line.startswith(f"Ada: match {CODE}, Ada against Bo, ")
    hello = stand_in.received[0]
    assert isinstance(hello, Hello)
    assert (hello.name, hello.bot) == ("Robot", "tommy")
    assert stand_in.table.boards[0].finished


async def test_a_bot_says_that_it_is_one_whatever_it_is_told(tommy: Commands, stand_in: StandIn) -> None:
    arguments = ["bot", "--name", "Ada", "--key-file", str(tommy.folder / "key"), "--pace", "0", "--json"]
    for name in ("BOT", "PERSON", "BOT_BOT", "BOT_HELLO", "BOT_PROGRAM", "BOT_NAME", "NAME"):
        tommy.environment[f"TOMMY_{name}"] = ""
    await tommy.run(*arguments)
    await tommy.run("play", "--ready", typed="quit\n")
    hellos = [message for message in stand_in.received if isinstance(message, Hello)]
    assert [hello.bot for hello in hellos] == ["tommy", None]


async def test_a_bot_has_a_name_of_its_own(tommy: Commands, stand_in: StandIn) -> None:
    del tommy.environment["TOMMY_NAME"]
    await tommy.run("bot", "--pace", "0")
    assert isinstance(stand_in.received[0], Hello)
    assert stand_in.received[0].name == "Tommy"


async def test_a_server_without_house_bots_is_not_asked_for_one(tommy: Commands, stand_in: StandIn) -> None:
    stand_in.offers = []
    exit_code, _, complaints = await tommy.run("play", "--bot")
    assert exit_code == 4
    assert complaints == "This server has no house bots. Race a person here, or start a bot yourself: tommy bot\n"
    assert [type(message) for message in stand_in.received] == [Hello]


async def test_a_seat_is_gone_back_to_whatever_the_server_offers(tommy: Commands, stand_in: StandIn) -> None:
    stand_in.offers = []
    stand_in.table.started()
    stand_in.seats = [CODE]
    exit_code, _, _ = await tommy.run("play", "--bot", typed="quit\n")
    assert exit_code == 0
    assert isinstance(stand_in.received[1], Resume)


async def test_an_old_key_is_told_beside_what_was_asked_for(tommy: Commands, stand_in: StandIn) -> None:
    stand_in.table.started()
    stand_in.table.play(0, "resign")
    (tommy.folder / "key").write_text("0d" * 16)
    exit_code, lines, complaints = await tommy.run("record", CODE, "-o", "-")
    assert exit_code == 0
    read_record("\n".join(lines))
    assert complaints.startswith("Your key was one of tommy 0.1, and those have ended.")
    assert complaints.count("\n") == 1


async def test_a_bot_is_sent_to_its_seat(tommy: Commands, stand_in: StandIn) -> None:
    stand_in.table.seated()
    tommy.environment |= {"TOMMY_KEY": "ab" * 32, "TOMMY_BOT_PACE": "0", "TOMMY_BOT_RESUME": CODE}
    exit_code, _, _ = await tommy.run("bot")
    assert exit_code == 0
    assert [type(message) for message in stand_in.received[:3]] == [Hello, Resume, Ready]
    assert stand_in.received[0].key == public_key("ab" * 32)  # type: ignore[attr-defined]
    assert not (tommy.folder / "key").exists()
