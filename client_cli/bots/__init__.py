"""The house bots' play, at each level and in each family of games. They see what a player sees, and nothing else."""

from collections.abc import Callable
from random import Random
from typing import Any

from client_cli.bots import forty_thieves, sir_tommy
from engine.board import Board
from engine.forty_thieves import FortyThievesBoard
from engine.moves import Move
from engine.sir_tommy import SirTommyBoard
from protocol.messages import Level

Player = Callable[[Any, Random | None], Move | None]
"""Looks at a board of its family, and says what to do; None when nothing is left that is of use."""


def _strong(board: SirTommyBoard, whim: Random | None) -> Move | None:
    from client_cli.bots.strong import strong  # with numpy, which nothing else here needs

    return strong(board, whim)


def _strong_in_forty_thieves(board: FortyThievesBoard, whim: Random | None) -> Move | None:
    from client_cli.bots.forty_thieves_strong import strong  # with numpy as well

    return strong(board, whim)


LEVELS: dict[Level, dict[type[Board], Player]] = {
    "easy": {SirTommyBoard: sir_tommy.easy, FortyThievesBoard: forty_thieves.easy},
    "normal": {SirTommyBoard: sir_tommy.normal, FortyThievesBoard: forty_thieves.normal},
    "strong": {SirTommyBoard: _strong, FortyThievesBoard: _strong_in_forty_thieves},
}
"""Every level there is, with its player for each family."""

DEFAULT_LEVEL: Level = "normal"


def choose(board: Board, whim: Random | None = None, level: Level = DEFAULT_LEVEL) -> Move | None:
    """The bot's move on a board; None when nothing is left that is of use, and it stands.

    Without a `whim` it is the same move every time.
    """
    return LEVELS[level][type(board)](board, whim)
