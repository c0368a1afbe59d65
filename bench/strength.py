"""How well a house bot plays: `python -m bench.strength GAME --level strong --deals 2000`.

The boards are real ones, the bot sees their views alone (their stock face down). Deals and chance are fixed, so that
the same command gives the same figures, except for the times, which are seconds of one core.
"""

import time
from dataclasses import dataclass
from random import Random

import click

from client_cli.bots import LEVELS, choose
from engine.board import Status
from engine.deal import deal
from engine.games import Variant, variant
from protocol.messages import Level

TOLD_EVERY = 50


@dataclass
class Tally:
    """What came out so far; `thought` is in seconds."""

    deals: int = 0
    solved: int = 0
    count: int = 0
    moves: int = 0
    thought: float = 0.0
    longest: float = 0.0

    def __str__(self) -> str:
        share = self.solved / self.deals
        margin = 1.96 * (share * (1 - share) / self.deals) ** 0.5
        return (
            f"{self.deals} deals: {share:.1%} solved (+-{margin:.1%}), mean count {self.count / self.deals:.2f}, "
            f"{self.moves / self.deals:.1f} moves, {1000 * self.thought / self.moves:.1f} ms each, "
            f"the longest {1000 * self.longest:.0f}"
        )


@click.command()
@click.argument("game")
@click.option("--level", type=click.Choice(list(LEVELS)), default="strong")
@click.option("--deals", default=2000, show_default=True)
@click.option("--first", default=0, show_default=True, help="The number of the first deal.")
def main(game: str, level: Level, deals: int, first: int) -> None:
    """Let a house bot play many deals of GAME, such as sir-tommy or calculation+redeal."""
    chosen = variant(game)
    tally = Tally()
    for number in range(first, first + deals):
        _play(chosen, level, number, tally)
        if tally.deals % TOLD_EVERY == 0 or tally.deals == deals:
            click.echo(f"{game} {level} {tally}")


def _play(chosen: Variant, level: Level, number: int, tally: Tally) -> None:
    dealt = deal(chosen.cards, bytes(32), (number.to_bytes(16, "big"), bytes(16)), "bench")
    board, chance = chosen.board(dealt), Random(number)
    while not board.finished:
        seen = chosen.board_from(board.view())
        began = time.process_time()
        move = choose(seen, chance, level)
        took = time.process_time() - began
        tally.thought += took
        tally.longest = max(tally.longest, took)
        tally.moves += 1
        board.enter("stand" if move is None else str(move))
    tally.deals += 1
    tally.solved += board.status is Status.SOLVED
    tally.count += board.count


if __name__ == "__main__":
    main(prog_name="python -m bench.strength")
