"""What a message changes for the user, as announcements.

The presenter remembers what it has told of a match, and compares. It belongs to one `Race`, hears every message after
the race has taken it, and is the same for every face: sentences, JSON lines or a full screen.
"""

from collections.abc import Iterator

from client_cli.announcements import (
    Aborted,
    Announcement,
    Away,
    Clock,
    Countdown,
    DealChecked,
    DealDoubted,
    Finished,
    HasLeft,
    IsReady,
    Made,
    Over,
    Played,
    Position,
    Proof,
    Rematch,
    Resumed,
    Returned,
    RivalCount,
    Seated,
    Started,
    Waiting,
    WantsRematch,
)
from client_cli.answers import BoardShown, RivalNow, TimeNow
from client_cli.mirror import Mirror
from client_cli.naming import card_at
from client_cli.race import Race
from client_cli.troubles import Refusal
from engine.board import ENDINGS, Status
from engine.moves import HAND, parse_move
from engine.result import Result
from protocol.messages import AnyServerMessage, BoardState, MatchState, Moved, Progress, Refused, SeatInfo
from protocol.proof import proof_of

CLOCK_MARKS = (300_000, 60_000, 30_000, 10_000)
"""When the clock is announced."""


class Presenter:
    """Tells one match to one user."""

    def __init__(self, race: Race, *, bot_comes: bool = False) -> None:
        self._race = race
        self._bot_comes = bot_comes
        self.over = False
        """Whether the result has been told."""
        self._doubts = 0
        """How many doubts have been told."""
        self._told: MatchState | None = None
        self._told_progress: dict[int, Progress] = {}
        self._held: dict[int, Played] = {}
        """For spectators: turns whose card has not been placed yet."""
        self._counts: dict[int, int] = {}
        self._left: int | None = None

    def heard(self, message: AnyServerMessage) -> list[Announcement]:
        """What there is to tell of a message that was news to the race."""
        told = list(self._news(message))
        state, race = self._told, self._race
        # Who comes to a match that is over gets the boards after its state.
        if state is not None and state.result is not None and not self.over and len(race.mirrors) == len(state.seats):
            self.over = True
            told += self._over(state, state.result)
        return told

    def doubted(self) -> list[Announcement]:
        """What does not fit, as has just turned out."""
        race = self._race
        before, self._doubts = self._doubts, len(race.doubts)
        fresh = race.doubts[before:]
        return [DealDoubted(race.code, fresh, hidden=race.hides_nonce)] if fresh else []

    def checked(self) -> list[Announcement]:
        """What came of checking the deal."""
        race, result = self._race, self._race.state.result
        assert race.checked is not None
        told: list[Announcement] = []
        if not self.over and result is not None:  # the boards have never come
            self.over = True
            told += self._over(race.state, result)
        self._doubts = len(race.doubts)
        told.append(DealChecked(race.code, *race.checked))
        if race.record is not None and not race.checked.doubts:
            told.append(Proof(race.code, proof_of(race.record.digest)))
        return told

    def _news(self, message: AnyServerMessage) -> Iterator[Announcement]:
        match message:
            case MatchState():
                yield from self._match(message)
            case BoardState():
                yield from self._board(message)
            case Moved():
                yield from self._moved(message)
            case Progress():
                yield from self._progress(message)
            case Refused():
                yield Refusal(code=message.code, why=message.why, match=message.match)
            case _:
                pass

    def tick(self, now: float) -> list[Announcement]:
        """The clock, when it has passed one of its marks since the last call."""
        before = self._race.state.left if self._left is None else self._left
        self._left = self._race.left(now)
        if before is None or self._left is None:
            return []
        passed = [mark for mark in CLOCK_MARKS if self._left <= mark < before]
        return [Clock(left=passed[-1])] if passed else []

    def next_tick(self, now: float) -> float | None:
        """When the clock passes its next mark, in seconds from now."""
        left = self._race.left(now)
        if left is None:
            return None
        return next(((left - mark) / 1000 for mark in CLOCK_MARKS if mark < left), None)

    # The match as a whole

    def _match(self, state: MatchState) -> Iterator[Announcement]:
        before, self._told = self._told, state
        if before is None:
            yield from self._arrived(state)
        else:
            yield from self._advanced(before, state)
        if state.aborted is not None and (before is None or before.aborted is None):
            yield Aborted(match=state.match, why=state.aborted)

    def _arrived(self, state: MatchState) -> Iterator[Announcement]:
        """The first that is heard of the match."""
        race = self._race
        if state.state == "waiting":
            yield Waiting(
                match=state.match,
                game=state.game,
                clock=state.clock,
                grace=state.grace,
                names=race.names,
                you=race.you,
                bot_comes=self._bot_comes,
            )
        elif state.state == "seated":
            yield Seated(state.match, state.game, state.clock, state.grace, race.names, race.bots, race.you)
        elif state.aborted is None:
            yield Resumed(state.match, state.game, state.state, race.names, race.bots, race.you, state.left)
        for name, seat in self._others(state):
            if state.state == "seated" and seat.ready:
                yield IsReady(name=name, you=False)
            if seat.away is not None and self._matters_away(seat):
                yield Away(name=name, left=seat.away)

    def _advanced(self, before: MatchState, state: MatchState) -> Iterator[Announcement]:
        race = self._race
        if len(state.seats) > len(before.seats):
            yield Seated(state.match, state.game, state.clock, state.grace, race.names, race.bots, race.you)
        for number, (name, was, seat) in enumerate(zip(race.names, before.seats, state.seats, strict=False)):
            yield from self._seat_changed(number, name, was, seat)
        if state.state == before.state:
            pass
        elif state.state == "countdown":
            yield Countdown(starts=state.starts or 0)
        elif state.state == "playing":
            yield Started(left=state.left or 0, you=race.you)
        if state.next is not None and before.next is None:
            yield Rematch(match=state.next)

    def _seat_changed(self, number: int, name: str, was: SeatInfo, seat: SeatInfo) -> Iterator[Announcement]:
        you = number == self._race.you
        if seat.ready and not was.ready:
            yield IsReady(name=name, you=you)
        if seat.rematch and not was.rematch and self._race.state.next is None:
            mine = self._race.you
            answer = mine is not None and not self._race.state.seats[mine].rematch
            yield WantsRematch(name=name, you=you, answer=answer)
        if you:
            return
        if seat.left and not was.left:
            yield HasLeft(name=name)
        if not self._matters_away(seat):
            return
        if seat.away is not None and was.away is None:
            yield Away(name=name, left=seat.away)
        if seat.away is None and was.away is not None:
            yield Returned(name=name)

    def _matters_away(self, seat: SeatInfo) -> bool:
        """Whether it is worth telling that a player is away: a house bot comes to its seat only after taking it."""
        return not self._race.ended and (self._race.state.state == "playing" or seat.level is None)

    def _others(self, state: MatchState) -> Iterator[tuple[str, SeatInfo]]:
        for number, (name, seat) in enumerate(zip(self._race.names, state.seats, strict=True)):
            if number != self._race.you:
                yield name, seat

    def _over(self, state: MatchState, result: Result) -> Iterator[Announcement]:
        race = self._race
        for seat in list(self._held):
            yield self._held.pop(seat)
        yield Over(
            match=state.match,
            winner=result.winner,
            reason=result.reason,
            names=race.names,
            counts=[race.count(seat) for seat in range(len(state.seats))],
            total=race.total,
            you=race.you,
            digest=state.digest,
        )

    # The boards

    def _board(self, shown: BoardState) -> Iterator[Announcement]:
        """A board as it stands: one's own, or for a spectator each that has anything on it."""
        race = self._race
        self._counts[shown.seat] = shown.count
        self._held.pop(shown.seat, None)
        if shown.seat == race.you:
            yield Position(name=None, view=shown.view, count=shown.count, total=race.total)
        elif race.you is None and (shown.n or shown.count) and not race.ended:
            yield Position(name=race.names[shown.seat], view=shown.view, count=shown.count, total=race.total)

    def _moved(self, moved: Moved) -> Iterator[Announcement]:
        mirror = self._race.mirrors[moved.seat]
        if moved.seat == self._race.you:
            if moved.move not in ENDINGS:
                yield self._made(moved, mirror)
        else:
            yield from self._played(moved, mirror)
        if moved.status is not Status.PLAYING:
            yield self._finished(moved.seat, moved.status, moved.count)
        self._counts[moved.seat] = moved.count

    def _made(self, moved: Moved, mirror: Mirror) -> Announcement:
        return Made(
            n=moved.n,
            move=moved.move,
            card=moved.card,
            view=mirror.board.view(),
            count=moved.count,
            total=self._race.total,
            status=moved.status,
        )

    def _played(self, moved: Moved, mirror: Mirror) -> Iterator[Announcement]:
        """A turn waits for the move that places its card, and both are told as one."""
        held = self._held.pop(moved.seat, None)
        if moved.move in ENDINGS:
            if held is not None:
                yield held
            return
        from_hand = moved.move.startswith("h")
        played = Played(
            name=self._race.names[moved.seat],
            n=moved.n,
            move=moved.move,
            card=moved.card or _card_moved(moved.move, mirror),
            turned=held is not None and from_hand,
            before=self._counts.get(moved.seat, 0),
            count=moved.count,
        )
        if card_at(mirror.board, HAND) is not None:
            self._held[moved.seat] = played
        else:
            yield played

    def _progress(self, progress: Progress) -> Iterator[Announcement]:
        before = self._told_progress.get(progress.seat)
        self._told_progress[progress.seat] = progress
        spectator = self._race.you is None
        known = progress.status is not Status.PLAYING
        was_known = before is not None and before.status is not Status.PLAYING
        if known and not was_known:
            if not spectator:
                yield self._finished(progress.seat, progress.status, progress.count)
        elif progress.finished and not known and not (before and before.finished):
            yield self._finished(progress.seat, None, None)
        elif not spectator and before is not None and progress.count != before.count:
            yield RivalCount(
                name=self._race.names[progress.seat],
                count=progress.count,
                total=self._race.total,
                turned=progress.turned,
            )

    def _finished(self, seat: int, status: str | None, count: int | None) -> Announcement:
        race = self._race
        return Finished(name=race.names[seat], you=seat == race.you, status=status, count=count, total=race.total)

    # What is asked for

    def boards(self) -> list[Announcement]:
        """The boards the user may see, with every card."""
        race = self._race
        seats = race.mirrors if race.you is None else [race.you] if race.own else []
        return [
            BoardShown(
                name=None if seat == race.you else race.names[seat],
                view=race.mirrors[seat].board.view(),
                count=race.mirrors[seat].count,
                total=race.total,
            )
            for seat in sorted(seats)
        ]

    def rival(self) -> list[Announcement]:
        """How the other player comes along."""
        race = self._race
        return [
            RivalNow(
                name=race.names[seat],
                turned=progress.turned,
                count=progress.count,
                total=race.total,
                finished=progress.finished,
                status=progress.status,
                away=race.state.seats[seat].away,
            )
            for seat, progress in race.progress.items()
            if seat != race.you
        ]

    def time(self, now: float) -> list[Announcement]:
        """What is left on the clock."""
        return [TimeNow(left=self._race.left(now), state=self._race.state.state)]


def _card_moved(entry: str, mirror: Mirror) -> str | None:
    """The card that the last entry of a board has moved: it lies where it went. Of several the first."""
    move = parse_move(entry)
    return card_at(mirror.board, move.target, move.cards)
