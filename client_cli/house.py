"""The house bot: a client like any other, whose moves come from `bots`. It plays one match."""

import random
from collections.abc import Callable

from client_cli.announcements import BotFinished
from client_cli.bots import DEFAULT_LEVEL, choose
from client_cli.guest import Guest, Recall, no_earlier_run
from client_cli.troubles import Exit
from engine.moves import REDEAL, TURN
from protocol.messages import Level, MatchState, Refused

AFTER_REFUSAL = 0.5
"""Seconds before a bot tries again."""


class HouseBot(Guest):
    """Plays at a pace that people can follow: about `pace` seconds for a turn and what follows it."""

    def __init__(
        self,
        state: MatchState,
        draw_nonce: Callable[[], bytes],
        now: float,
        *,
        recall: Recall = no_earlier_run,
        pace: float = 0.0,
        level: Level = DEFAULT_LEVEL,
    ) -> None:
        self._pace = pace
        self._level = level
        self._chance = random.Random(f"{state.match} {state.you}")
        self._moves_at: float | None = None
        super().__init__(state, draw_nonce, now, recall=recall)

    @property
    def _follows(self) -> bool:
        return False

    def _refused(self, message: Refused, now: float) -> None:
        super()._refused(message, now)
        self._moves_at = now + AFTER_REFUSAL

    def _settle(self, now: float) -> None:
        if self.race.state.state in ("waiting", "seated"):
            self.race.ready()
        elif self.race.state.state == "aborted":
            self.exit_code = Exit.ERROR
        self._think(now)

    def _over(self) -> None:
        race, result = self.race, self.race.state.result
        assert race.you is not None
        if result is not None:
            self._told.append(
                BotFinished(
                    name=race.names[race.you],
                    match=race.code,
                    counts=[race.count(0), race.count(1)],
                    names=race.names,
                    winner=result.winner,
                )
            )
        if race.state.seats[race.you].level is None:
            # The server's own bots may be called again for a rematch.
            race.leave()
        self.exit_code = self.farewell

    def _think(self, now: float, *, turns: bool = False) -> None:
        """Make the next move: a turn in its time (`turns`), everything else at once."""
        race = self.race
        if self._moves_at is not None or not race.playing or race.unanswered or race.behind or race.own is None:
            return
        move = choose(race.own.board, self._chance, self._level)
        if move in (TURN, REDEAL) and self._pace and not turns:
            self._moves_at = now + self._pace * self._chance.uniform(0.75, 1.25)
        else:
            race.move("stand" if move is None else str(move))

    def tick(self, now: float) -> None:
        self._look_for_record(now)
        if self._moves_at is not None and self._moves_at <= now:
            self._moves_at = None
            self._think(now, turns=True)

    def next_tick(self, now: float) -> float | None:
        return self._soonest(None if self._moves_at is None else max(0.0, self._moves_at - now), now)
