"""A player's picture at a table, without a terminal: keys go in, and what is drawn can be read."""

from typing import Self

from client_cli.player import Player
from client_cli.screen.face import Face
from client_cli.screen.look import SIGNS, Look
from client_cli.screen.playing import Playing
from client_cli.screen.watching import Watching
from client_cli.spectator import Spectator
from engine.board import Board
from engine.moves import Area
from protocol.messages import AnyServerMessage, ClientMessage, GetRecord, Move, Moved, Refused, Resume
from tests.client_cli.table import NONCES, Table

PLAIN = Look()


class Desk:
    """A player. The server answers every move at once, or with `slow` when `answer` is called."""

    def __init__(
        self,
        game: str = "sir-tommy",
        *,
        look: Look = PLAIN,
        keys: dict[str, tuple[str, ...]] | None = None,
        slow: bool = False,
        bot_comes: bool = False,
    ) -> None:
        self.table = Table(game)
        self.slow = slow
        self.now = 1.0
        self.player = Player(self.table.match(), lambda: NONCES[0], self.now, bot_comes=bot_comes)
        self.face = Playing(self.player, look, keys or {}, self.now)
        self.face.nudged = self.collect
        self.sent: list[ClientMessage] = []
        self.waiting: list[Move] = []
        self.collect()

    def collect(self) -> None:
        """Tell the face what there is, and send what there is to send."""
        self.face.changed(self.player.to_tell(), self.now)
        for message in self.player.to_send():
            self.sent.append(message)
            if isinstance(message, Move):
                self.waiting.append(message)
            elif isinstance(message, GetRecord):
                self.hear(self.table.answer_record(message.id))
        while self.waiting and not self.slow:
            self.answer()

    def answer(self) -> None:
        """The server's answer to the oldest move that has none."""
        move = self.waiting.pop(0)
        self.hear(self.moved(0, move.move))
        if self.table.state == "over":
            self.hear(self.table.board(1), self.table.match())

    def lose(self) -> None:
        """Lose the connection, and with it what is on its way."""
        self.waiting.clear()
        self.player.lost(75.0, self.now)
        self.collect()

    def come_back(self) -> None:
        """Connect again; what was missed is not here yet."""
        self.player.back(self.now)
        self.collect()

    def catch_up(self) -> None:
        """Be told what was missed."""
        (resume,) = (message for message in self.sent[-1 - len(self.waiting) :] if isinstance(message, Resume))
        self.hear(self.table.match(), *self.table.logs[0][resume.n :], self.table.progress(1))

    def refuse(self, code: str) -> None:
        """Refuse the oldest move, and with it all that came after."""
        self.waiting.clear()
        self.hear(Refused(code=code, why="", match=self.table.code, n=len(self.table.logs[0])))

    def moved(self, seat: int, entry: str) -> Moved:
        return self.table.play(seat, entry)

    def hear(self, *messages: AnyServerMessage) -> None:
        for message in messages:
            self.player.heard(message, self.now)
            self.collect()

    def begin(self) -> Self:
        """Let the race begin."""
        self.player.race.ready()
        self.collect()
        self.hear(self.table.bound().match())
        self.table.started()
        self.hear(self.table.match(), self.table.board(0), self.table.progress(1))
        return self

    def rival(self, *entries: str, count: int | None = None) -> None:
        """The other player does something, of which this count may be seen."""
        for entry in entries:
            self.moved(1, entry)
            self.hear(self.table.progress(1, count=count))

    def end(self) -> Self:
        """Both stand."""
        self.press("s", "enter")
        self.moved(1, "stand")
        self.hear(self.table.progress(1), self.table.board(1), self.table.match())
        return self

    def press(self, *keys: str) -> Self:
        for key in keys:
            self.face.press(key)
        return self

    def play(self, moves: int) -> Self:
        """So many sensible moves, made without the keyboard; the other player makes two for three."""
        for number in range(moves):
            for seat in (0, 1) if number % 3 else (0,):
                board = self.table.boards[seat]
                if (move := sensible(board, number)) and seat == 0:
                    self.player.race.move(move)
                    self.collect()
                elif move:
                    self.rival(move, count=board.count // 2)
        return self

    @property
    def moves(self) -> list[str]:
        return [message.move for message in self.sent if isinstance(message, Move)]

    @property
    def board(self) -> Board:
        return self.table.boards[0]

    def text(self, width: int = 80, height: int = 24) -> str:
        return text_of(self.face, width, height, self.now)


class Stand:
    """Somebody who watches a table."""

    def __init__(self, game: str = "sir-tommy", *, look: Look = PLAIN, moves: int = 0) -> None:
        self.table = Table(game).started()
        self.spectator = Spectator(self.table.match(None), lambda: NONCES[0], 1.0, follow=False)
        self.face = Watching(self.spectator, look, {})
        self.hear(*(message for seat in (0, 1) for message in (self.table.board(seat), self.table.progress(seat))))
        for number in range(moves):
            for seat in (0, 1) if number % 3 else (0,):
                if move := sensible(self.table.boards[seat], number):
                    self.hear(self.table.play(seat, move), self.table.progress(seat))

    def hear(self, *messages: AnyServerMessage) -> None:
        for message in messages:
            self.spectator.heard(message, 1.0)
            self.face.changed(self.spectator.to_tell(), 1.0)

    def end(self) -> Self:
        """Both players stand, and the record comes."""
        for seat in (0, 1):
            self.hear(self.table.play(seat, "stand"), self.table.progress(seat))
        self.hear(self.table.match(None), self.table.answer_record())
        return self

    def text(self, width: int = 80, height: int = 24) -> str:
        return text_of(self.face, width, height, 1.0)


def text_of(face: Face, width: int, height: int, now: float) -> str:
    """The picture of a face as it is read."""
    lines = face.picture(width, height, now).lines()
    assert [len(line) for line in lines] == [width] * height
    text = "\n".join(line.rstrip() for line in lines) + "\n"
    return text.translate(SIGNS) if face.look.ascii else text


def sensible(board: Board, number: int) -> str | None:
    """A move: up if that is possible, else one after the other, and no card to and fro."""
    moves = board.legal_moves()
    if ups := [move for move in moves if move.target.area is Area.FOUNDATION]:
        return str(ups[number % len(ups)])
    return str(moves[number // 2 % len(moves)]) if moves else None
