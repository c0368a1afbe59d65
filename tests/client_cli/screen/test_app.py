"""The whole screen in Textual, against a stand-in for the server: keys and clicks in, what is painted out."""

import asyncio
import io
from collections.abc import AsyncIterator, Awaitable, Callable

import pytest
from textual.pilot import Pilot

from client_cli import connection, plain
from client_cli.connection import Connection
from client_cli.receipts import Keeper
from client_cli.reports import KeyReplaced
from client_cli.screen import opening
from client_cli.screen.app import Picture, Tommy
from client_cli.screen.look import Look
from client_cli.screen.opening import Memory
from client_cli.screen.playing import Playing
from client_cli.terminal import Screen
from client_cli.troubles import ClientError, Exit
from protocol.messages import (
    Create,
    Join,
    ListedMatch,
    MatchRecord,
    MatchState,
    Play,
    Ready,
    Rematch,
    Resume,
    ServerMessage,
    Unwatch,
    Watch,
)
from tests.client_cli.lies import CHANGES
from tests.client_cli.screen.desk import sensible
from tests.client_cli.stand_in import ONE_MATCH, StandIn, sides, standing_in
from tests.client_cli.table import CODE, NONCES, Table

PATIENCE = 30.0
"""Seconds that anything may take on a busy machine."""

Script = Callable[["Hands"], Awaitable[None]]


class Hands:
    """Presses keys, and reads the screen."""

    def __init__(self, app: Tommy, pilot: Pilot[Exit]) -> None:
        self.app, self.pilot = app, pilot

    @property
    def text(self) -> str:
        picture = self.app.query_one(Picture)
        return "\n".join(picture.render_line(y).text for y in range(picture.size.height))

    async def until(self, text: str) -> None:
        """Wait until this is on the screen."""
        try:
            async with asyncio.timeout(PATIENCE):
                while text not in self.text:
                    await self.pilot.pause()
        except TimeoutError:
            raise AssertionError(f"no {text!r} on the screen:\n{self.text}") from None

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)

    async def find(self, text: str) -> tuple[int, int]:
        """Where this is on the screen."""
        await self.until(text)
        lines = self.text.split("\n")
        return next((line.index(text), y) for y, line in enumerate(lines) if text in line)

    async def click(self, text: str, times: int = 1) -> None:
        await self.pilot.click(Picture, offset=await self.find(text), times=times)


@pytest.fixture
async def stand_in() -> AsyncIterator[StandIn]:
    async with standing_in() as stand_in:
        yield stand_in


@pytest.fixture
def headless(monkeypatch: pytest.MonkeyPatch) -> list[Script]:
    """Run the app without a terminal, and with a script that the test puts into the list."""
    scripts: list[Script] = []

    async def run(app: Tommy, screen: Screen, memory: Memory) -> Exit:
        async with app.run_test(size=(80, 24)) as pilot:
            await scripts[0](Hands(app, pilot))
        memory.say(screen)
        if app.error is not None:
            raise app.error
        return Exit.ERROR if app.return_value is None else app.return_value

    monkeypatch.setattr(opening, "run", run)
    monkeypatch.setattr(plain, "draw_nonce", lambda: NONCES[0])
    return scripts


async def play(
    server: StandIn, scripts: list[Script], script: Script, look: Look | None = None, *, always_ready: bool = False
) -> tuple[Exit, str]:
    """Play with a script: the exit code, and what is said when the screen is closed."""
    scripts.append(script)
    out = io.StringIO()
    made = Connection(server.url, "Ada", "ab" * 32)
    ask = Play(game=server.table.variant.spelling)
    exit_code = await opening.play(
        made, ask, Screen(out=out), Keeper(None), look or Look(bell=False), {}, always_ready=always_ready
    )
    return exit_code, out.getvalue()


async def test_a_whole_race(stand_in: StandIn, headless: list[Script]) -> None:
    async def script(hands: Hands) -> None:
        await hands.until("Press Enter when you are ready")
        await hands.press("enter")
        await hands.until("│ 52 │")
        await hands.press("space", "2", "space")
        await hands.until("│ 50 │")
        await hands.press("3", "question_mark")
        await hands.until("─ Moves ─")
        await hands.press("escape", "tab", "tab", "s")
        await hands.until("Stop here with a count of 0?")
        await hands.press("enter")
        await hands.until("A draw: Ada against Bo, 0 to 0.")
        await hands.until("The deal was checked")
        await hands.press("n")
        await hands.press("q")

    exit_code, said = await play(stand_in, headless, script)
    assert exit_code is Exit.FINE
    assert stand_in.moves == [(1, "t"), (2, "hp2"), (3, "t"), (4, "hp3"), (5, "stand")]
    assert any(isinstance(message, Rematch) for message in stand_in.received)
    assert said.splitlines()[0] == "A draw: Ada against Bo, 0 to 0."


async def test_the_mouse(stand_in: StandIn, headless: list[Script]) -> None:
    async def script(hands: Hands) -> None:
        await hands.click("│ 52 │")
        await hands.until("│ 51 │")
        await hands.click("   4   ")
        await hands.click("│ 51 │", times=2)
        await hands.until("│ 50 │")
        await hands.press("q", "enter")

    await play(stand_in, headless, script, always_ready=True)
    assert [move for _, move in stand_in.moves] == ["t", "hp4", "t"]


async def test_a_double_click_on_a_column_sends_up(headless: list[Script]) -> None:
    async with standing_in(StandIn(Table("forty-thieves"))) as stand_in:

        async def script(hands: Hands) -> None:
            await hands.until("│64 │")
            board = stand_in.table.boards[0]
            entry = sensible(board, 0)
            assert entry is not None
            assert entry.startswith("c")
            number = int(entry[1 : entry.index("f")])
            x, y = await hands.find(f"  {number}  ")
            await hands.pilot.click(Picture, offset=(x + 2, y), times=2)
            await hands.until("1/104")
            await hands.press("q", "enter")

        await play(stand_in, headless, script, always_ready=True)
        assert len(stand_in.moves) == 1


async def test_a_connection_lost_in_mid_race(stand_in: StandIn, headless: list[Script]) -> None:
    stand_in.lose_before = "hp2"

    async def script(hands: Hands) -> None:
        await hands.until("│ 52 │")
        await hands.press("space", "2")
        await hands.until("Connected again.")
        await hands.press("space", "3")
        await hands.until("│ 50 │")
        await hands.press("x", "enter")
        await hands.until("Bo wins, since you resigned.")
        await hands.press("q")

    await play(stand_in, headless, script, always_ready=True)
    assert [moved.move for moved in stand_in.table.logs[0]] == ["t", "hp2", "t", "hp3", "resign"]


async def test_a_seat_that_is_taken_over_ends_it(stand_in: StandIn, headless: list[Script]) -> None:
    stand_in.close_with = 4000

    with pytest.raises(ClientError):
        await play(stand_in, headless, failed)


async def failed(hands: Hands) -> None:
    """Wait until the screen is left over something."""
    async with asyncio.timeout(PATIENCE):
        while hands.app.error is None:
            await hands.pilot.pause()


async def test_what_nobody_expects_closes_the_screen(
    stand_in: StandIn, headless: list[Script], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is told in a line, as in the line mode; Textual would print where in the program it was."""

    async def pressed(hands: Hands) -> None:
        await hands.until("│ 52 │")
        monkeypatch.setattr(Playing, "turn", lambda _: 1 / 0)
        await hands.press("space")
        await failed(hands)

    with pytest.raises(ZeroDivisionError):
        await play(stand_in, headless, pressed, always_ready=True)


@pytest.mark.parametrize("place", ["draw", "changed"])
async def test_nor_does_it_matter_where(
    stand_in: StandIn, headless: list[Script], monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    monkeypatch.setattr(Playing, place, lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        await play(stand_in, headless, failed)


async def test_who_can_be_overheard_is_told_once(
    stand_in: StandIn, headless: list[Script], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "is_local", lambda _: False)
    monkeypatch.setattr(opening, "LIST_EVERY", 0.05)
    warning = "can be read on the way"

    async def playing(hands: Hands) -> None:
        await hands.until("Press Enter when you are ready")
        await hands.until(warning)
        await hands.press("q", "y")

    async def watching(hands: Hands) -> None:
        await hands.until(warning)
        stand_in.listed = ONE_MATCH
        stand_in.table.started()
        await hands.until("→ 1  Ada against Bo")
        await hands.press("enter")
        await hands.until("Bo wins")
        assert warning not in hands.text
        await hands.press("l")
        await hands.until("Matches being raced")
        assert warning not in hands.text
        await hands.press("q")

    async def watching_one(hands: Hands) -> None:
        await hands.until(warning)
        await hands.press("q")

    await play(stand_in, headless, playing)
    headless.clear()
    await watch(stand_in, headless, watching, None)
    headless.clear()
    stand_in.table = Table()
    await watch(stand_in, headless, watching_one, CODE)


async def test_ctrl_c(stand_in: StandIn, headless: list[Script]) -> None:
    async def script(hands: Hands) -> None:
        await hands.until("│ 52 │")
        await hands.press("ctrl+c")

    exit_code, _ = await play(stand_in, headless, script, always_ready=True)
    assert exit_code is Exit.INTERRUPTED


async def test_letters_only_and_no_colours(stand_in: StandIn, headless: list[Script]) -> None:
    async def script(hands: Hands) -> None:
        await hands.until("+----+")
        assert hands.text.isascii()
        styles = [segment.style for y in range(24) for segment in hands.app.query_one(Picture).render_line(y)]
        assert not any(style and (style.color or style.bgcolor) for style in styles)
        await hands.press("q", "enter")

    await play(stand_in, headless, script, Look(ascii=True, color=False), always_ready=True)


async def test_another_size(stand_in: StandIn, headless: list[Script]) -> None:
    async def script(hands: Hands) -> None:
        await hands.until("│ 52 │")
        await hands.pilot.resize_terminal(60, 20)
        await hands.until("needs 80 by 24")
        await hands.press("space", "x", "enter", "x", "y", "q", "enter")
        await hands.pilot.click(Picture, offset=(3, 3))
        await hands.pilot.resize_terminal(120, 40)
        await hands.until("│ 52 │")
        assert all(len(line) == 120 for line in hands.text.split("\n"))
        await hands.press("q", "enter")

    await play(stand_in, headless, script, always_ready=True)
    assert stand_in.moves == []


@pytest.mark.parametrize("size", [(0, 24), (80, 0), (0, 0)])
async def test_a_window_of_no_size_takes_no_answer(
    stand_in: StandIn, headless: list[Script], size: tuple[int, int]
) -> None:
    """No picture is made of it at all; the question that was open is gone all the same."""

    async def script(hands: Hands) -> None:
        await hands.until("│ 52 │")
        await hands.press("x")
        await hands.until("Resign, and lose the match?")
        await hands.pilot.resize_terminal(*size)
        await hands.press("enter", "x", "enter", "space")
        await hands.pilot.resize_terminal(80, 24)
        await hands.until("h help")
        assert "Resign, and lose the match?" not in hands.text
        await hands.press("q", "enter")

    await play(stand_in, headless, script, always_ready=True)
    assert stand_in.moves == []


async def test_a_small_window_can_be_left(stand_in: StandIn, headless: list[Script]) -> None:
    async def script(hands: Hands) -> None:
        await hands.until("│ 52 │")
        await hands.pilot.resize_terminal(60, 20)
        await hands.until("Ctrl+C leaves.")
        await hands.press("ctrl+c")

    exit_code, _ = await play(stand_in, headless, script, always_ready=True)
    assert exit_code is Exit.INTERRUPTED


async def test_a_key_is_on_the_screen_at_once(stand_in: StandIn, headless: list[Script]) -> None:
    """The picture has changed when the key has been handled: nothing waits for the server."""

    async def script(hands: Hands) -> None:
        await hands.until("│ 52 │")
        await hands.press("space")
        await hands.until("│ 51 │")
        hands.app.pressed("1")
        canvas = hands.app.query_one(Picture)._canvas
        assert canvas is not None
        assert "│ 51 │  │    │" in canvas.lines()[3]
        await hands.press("q", "enter")

    await play(stand_in, headless, script, always_ready=True)
    assert stand_in.moves == [(1, "t"), (2, "hp1")]


async def test_a_false_deal_is_seen_said_again_and_no_success(headless: list[Script]) -> None:
    tell, _ = CHANGES["rival's replaced"]

    class Liar(StandIn):
        def told(self, answer: ServerMessage) -> ServerMessage:
            return tell(answer) if isinstance(answer, MatchState) and answer.state == "over" else answer

    async def script(hands: Hands) -> None:
        await hands.until("│ 52 │")
        await hands.press("x", "enter")
        await hands.until("WARNING: this deal cannot be trusted.")
        await hands.until("does NOT fit: a player's commitment was replaced by")
        assert "Proof" not in hands.text
        await hands.press("q")

    async with standing_in(Liar()) as server:
        exit_code, said = await play(server, headless, script, always_ready=True)
    assert exit_code is Exit.ERROR
    assert "WARNING, this deal cannot be trusted: a player's commitment was replaced by another" in said
    assert "does NOT fit" in said


async def test_who_leaves_before_the_record_is_told_that_nothing_was_checked(headless: list[Script]) -> None:
    class Slow(StandIn):
        def told(self, answer: ServerMessage) -> ServerMessage | None:
            return None if isinstance(answer, MatchRecord) else answer

    async def script(hands: Hands) -> None:
        await hands.until("│ 52 │")
        await hands.press("x", "enter")
        await hands.until("Bo wins")
        await hands.press("q")

    async with standing_in(Slow()) as server:
        _, said = await play(server, headless, script, always_ready=True)
        watching = io.StringIO()
        headless[:] = [script_of_a_spectator]
        connection = Connection(server.url, "Eve", "cd" * 32)
        await opening.watch(connection, CODE, Screen(out=watching), Keeper(None), Look(), {}, follow=False)
    for told in (said, watching.getvalue()):
        assert told.count(f"The deal could not be checked yet. To do it later: tommy verify {CODE}") == 1


async def script_of_a_spectator(hands: Hands) -> None:
    await hands.until("Bo wins")
    await hands.press("q")


@pytest.mark.parametrize("ask", [Create(game="sir-tommy", level="easy"), Join(match=CODE)])
async def test_all_ways_to_a_seat(stand_in: StandIn, headless: list[Script], ask: Create | Join) -> None:
    async def script(hands: Hands) -> None:
        await hands.until("Press Enter")
        await hands.press("q", "y")

    headless.append(script)
    made = Connection(stand_in.url, "Ada", "ab" * 32)
    await opening.play(made, ask, Screen(out=io.StringIO()), Keeper(None), Look(), {}, always_ready=False)
    assert not any(isinstance(message, Ready | Resume) for message in stand_in.received)


NOTE = KeyReplaced("key", "old", "key.old-1", "00ad")


async def test_what_there_is_to_tell_first_is_on_the_screen(stand_in: StandIn, headless: list[Script]) -> None:
    async def script(hands: Hands) -> None:
        await hands.until("Press Enter")
        await hands.until("Your key was one of tommy 0.1, and those have ended.")
        await hands.press("q", "y")

    headless.append(script)
    connection = Connection(stand_in.url, "Ada", "ab" * 32)
    ask = Play(game="sir-tommy")
    await opening.play(
        connection, ask, Screen(out=io.StringIO()), Keeper(None), Look(), {}, always_ready=False, notes=[NOTE]
    )


async def test_so_it_is_for_who_watches(stand_in: StandIn, headless: list[Script]) -> None:
    stand_in.table.started()
    stand_in.listed = ONE_MATCH

    async def script(hands: Hands) -> None:
        await hands.until("q quit")
        assert hands.app.face is not None
        assert hands.app.face.log[0].startswith("Your key was one of tommy 0.1, and those have ended.")
        await hands.press("q")

    for code in (None, CODE):
        headless[:] = [script]
        connection = Connection(stand_in.url, "Eve", "cd" * 32)
        out = Screen(out=io.StringIO())
        assert (
            await opening.watch(connection, code, out, Keeper(None), Look(), {}, follow=False, notes=[NOTE])
            is Exit.FINE
        )


# Watching


async def watch(server: StandIn, scripts: list[Script], script: Script, code: str | None) -> Exit:
    scripts.append(script)
    made = Connection(server.url, "Eve", "cd" * 32)
    return await opening.watch(made, code, Screen(out=io.StringIO()), Keeper(None), Look(), {}, follow=False)


async def test_watching_to_the_end(stand_in: StandIn, headless: list[Script]) -> None:
    stand_in.table.started()

    async def script(hands: Hands) -> None:
        await hands.until("Bo wins: Ada has resigned.")
        await hands.press("h")
        await hands.until("─ Keys ─")
        await hands.press("h", "q")

    assert await watch(stand_in, headless, script, CODE) is Exit.FINE


async def test_choosing_from_the_list_and_going_on(
    stand_in: StandIn, headless: list[Script], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opening, "LIST_EVERY", 0.05)
    stand_in.table.started()

    async def script(hands: Hands) -> None:
        await hands.until("No match is being raced now.")
        stand_in.listed = ONE_MATCH
        await hands.until("→ 1  Ada against Bo")
        await hands.press("enter")
        await hands.until("Bo wins")
        await hands.press("n")
        await hands.until("Ada against Bo · Sir Tommy")
        await hands.press("l")
        await hands.until("Matches being raced")
        stand_in.listed = [ListedMatch(match="zzzzzzzz", game="lucas", seats=sides("A", "B"), left=1)]
        await hands.until("→ 1  A against B")
        await hands.press("1")
        await hands.until("There is no match with this code.")
        await hands.press("q")

    assert await watch(stand_in, headless, script, None) is Exit.FINE
    kinds = [type(message) for message in stand_in.received]
    assert kinds.count(Watch) == 3
    assert kinds.count(Unwatch) == 2
