"""The command line: `python -m bench [--quick] [NAMES]`."""

import time
from collections.abc import Callable

import click

from bench import codec_speed, engine_speed, idle_cost, machine, move_cost, spectator_cost, thinking_cost
from bench.table import Table

BENCHMARKS: dict[str, Callable[..., list[Table]]] = {
    "engine": engine_speed.run,
    "codec": codec_speed.run,
    "moves": move_cost.run,
    "idle": idle_cost.run,
    "spectators": spectator_cost.run,
    "thinking": thinking_cost.run,
}


@click.command()
@click.argument("names", nargs=-1, type=click.Choice(list(BENCHMARKS)))
@click.option("--quick", is_flag=True, help="Go through the motions; the figures mean little.")
def main(names: tuple[str, ...], quick: bool) -> None:
    """Measure what the server costs on this machine: all of it, or what is named."""
    print(machine.described())
    for name in names or BENCHMARKS:
        began = time.perf_counter()
        tables = BENCHMARKS[name](quick=quick)
        print(f"\n== {name} ({time.perf_counter() - began:.0f} s)")
        for table in tables:
            print(f"\n{table}", flush=True)


if __name__ == "__main__":
    main(prog_name="python -m bench")
