"""A table for the client's tests: real cards and the server's messages, without a server."""

from engine.board import Board, Status
from engine.cards import card_text
from engine.deal import Deal, commitment, deal, nonce_commitment
from engine.games import variant
from engine.record import RECORD_VERSION, Record, SeatRecord, sealed
from engine.result import NO_RACE, Result, Standing, decide
from protocol.messages import BoardState, Level, MatchRecord, MatchState, Moved, Progress, SeatInfo

CODE = "abcdefgh"
NONCES = (bytes(range(16)), bytes(range(16, 32)))
CLOCK = 900_000


class Table:
    """A match as its server would see it. Seat 0 is whose client is tested; seat 1 does as it is told."""

    def __init__(self, game: str = "sir-tommy", *, code: str = CODE, secret: bytes = bytes(32)) -> None:
        self.variant = variant(game)
        self.code = code
        self.secret = secret
        self.state = "waiting"
        self.players = ["Ada"]
        self.promises: list[str | None] = [None, None]
        self.nonces: list[bytes | None] = [None, None]
        self.away: list[int | None] = [None, None]
        self.rematch = [False, False]
        self.left = [False, False]
        self.bots: list[str | None] = [None, None]
        """The programs that play, where no person does."""
        self.level: Level | None = None
        """The level of the house bot, where one plays."""
        self.house_seat = 1
        self.next: str | None = None
        self.aborted: str | None = None
        self.boards: list[Board] = []
        self.logs: list[list[Moved]] = [[], []]
        self.result: Result | None = None
        self.at = 0

    # The way of a match

    def seated(self, name: str = "Bo") -> "Table":
        self.players.append(name)
        self.state = "seated"
        return self

    def commit(self, seat: int, promise: str | None = None) -> None:
        self.promises[seat] = promise or nonce_commitment(NONCES[seat], self.code, seat)
        if all(self.promises):
            self.state = "revealing"

    def reveal(self, seat: int, nonce: bytes | None = None) -> None:
        self.nonces[seat] = nonce or NONCES[seat]
        if all(self.nonces):
            self.state = "countdown"

    def start(self) -> None:
        self.boards = [self.variant.board(self.dealt), self.variant.board(self.dealt)]
        self.state = "playing"

    def bound(self) -> "Table":
        """Both players are ready."""
        if self.state == "waiting":
            self.seated()
        for seat in (0, 1):
            self.commit(seat)
        return self

    def started(self) -> "Table":
        """All of that at once."""
        self.bound()
        for seat in (0, 1):
            self.reveal(seat)
        self.start()
        return self

    @property
    def dealt(self) -> Deal:
        first, second = self.nonces
        assert first is not None
        assert second is not None
        return deal(self.variant.cards, self.secret, (first, second), self.code)

    def play(self, seat: int, entry: str) -> Moved:
        """Enter one entry on a board, and end the match if that decides it."""
        board = self.boards[seat]
        self.at += 500
        card = board.enter(entry)
        moved = Moved(
            match=self.code,
            seat=seat,
            n=len(self.logs[seat]) + 1,
            move=entry,
            card=None if card is None else card_text(card),
            peek=board.peek,
            status=board.status,
            count=board.count,
            at=self.at,
        )
        self.logs[seat].append(moved)
        self.result = decide(
            [
                Standing(each.status, each.count, log[-1].at if log else 0)
                for each, log in zip(self.boards, self.logs, strict=True)
            ]
        )
        if self.result is not None:
            self.state = "over"
        return moved

    # What the server says

    def match(self, you: int | None = 0, re: int | None = None) -> MatchState:
        ended = self.state in ("over", "aborted")
        return MatchState(
            re=re,
            match=self.code,
            game=self.variant.spelling,
            state=self.state,
            seats=[self._seat(seat) for seat in range(len(self.players))],
            commitment=commitment(self.secret, self.code, self.variant.spelling),
            clock=CLOCK,
            grace=60_000,
            you=you,
            waits=120_000 if self.state in ("waiting", "seated") else None,
            starts=3_000 if self.state == "countdown" else None,
            left=CLOCK - self.at if self.state == "playing" else None,
            result=self.result,
            aborted=self.aborted,
            secret=self.secret.hex() if ended else None,
            digest=self.record().digest if ended else None,
            next=self.next,
        )

    def _seat(self, seat: int) -> SeatInfo:
        nonce = self.nonces[seat]
        return SeatInfo(
            name=self.players[seat],
            tag=f"000{seat}",
            bot=self._bot(seat),
            level=self._level(seat),
            ready=self.promises[seat] is not None,
            nonce_commitment=self.promises[seat],
            nonce=nonce.hex() if nonce is not None and all(self.nonces) else None,
            away=self.away[seat],
            rematch=self.rematch[seat],
            left=self.left[seat],
        )

    def _level(self, seat: int) -> Level | None:
        return self.level if seat == self.house_seat else None

    def _bot(self, seat: int) -> str | None:
        return "tommy" if self._level(seat) else self.bots[seat]

    def board(self, seat: int) -> BoardState:
        board = self.boards[seat]
        return BoardState(
            match=self.code,
            seat=seat,
            n=len(self.logs[seat]),
            status=board.status,
            count=board.count,
            view=board.view(),
        )

    def progress(self, seat: int, *, count: int | None = None, status: Status | None = None) -> Progress:
        """How a board comes along; count and status as far as they may be shown, if that is less than all."""
        board = self.boards[seat]
        return Progress(
            match=self.code,
            seat=seat,
            turned=board.turned,
            finished=board.finished,
            status=board.status if status is None else status,
            count=board.count if count is None else count,
        )

    def answer_record(self, re: int | None = None) -> MatchRecord:
        """The answer to who asks for the record."""
        return MatchRecord(re=re, match=self.code, record=self.record())

    def record(self) -> Record:
        dealt = self.dealt if all(self.nonces) else Deal((), ())
        return sealed(
            Record(
                format="tommy-race match",
                version=RECORD_VERSION,
                match=self.code,
                game=self.variant.spelling,
                created="2026-01-02T03:04:05.678+00:00",
                clock=CLOCK,
                grace=60_000,
                deal_version="1",
                fixed_by="players",
                commitment=commitment(self.secret, self.code, self.variant.spelling),
                secret=self.secret.hex(),
                deck=[card_text(card) for card in dealt.first],
                second=[card_text(card) for card in dealt.second],
                seats=[self._seat_record(seat) for seat in range(len(self.players))],
                result=self.result or NO_RACE,
            )
        )

    def _seat_record(self, seat: int) -> SeatRecord:
        nonce, board = self.nonces[seat], self.boards[seat] if self.boards else None
        return SeatRecord(
            name=self.players[seat],
            bot=self._bot(seat),
            level=self._level(seat),
            nonce_commitment=self.promises[seat],
            nonce=None if nonce is None else nonce.hex(),
            entries=[(moved.at, moved.move) for moved in self.logs[seat]],
            status=Status.PLAYING if board is None else board.status,
            count=0 if board is None else board.count,
        )
