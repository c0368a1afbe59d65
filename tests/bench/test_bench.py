"""Every benchmark runs and gives figures. Which figures is for `make bench` to say, on a machine with nothing else to do."""

import math

import pytest
from click.testing import CliRunner

from bench import machine
from bench.__main__ import BENCHMARKS, main
from bench.table import Table


@pytest.mark.parametrize("name", BENCHMARKS)
def test_every_benchmark_gives_figures(name: str) -> None:
    tables = BENCHMARKS[name](quick=True)
    assert tables
    for table in tables:
        assert table.rows
        for label, figures in table.rows.items():
            assert len(figures) == len(table.columns), label
            assert all(math.isfinite(figure) and figure > 0 for figure in figures), (label, figures)


def test_a_benchmark_leaves_the_process_where_it_was() -> None:
    before = machine.cores()
    BENCHMARKS["idle"](quick=True)
    assert machine.cores() == before


def test_the_command_says_the_machine_and_prints_the_tables() -> None:
    answer = CliRunner().invoke(main, ["--quick", "codec", "engine"])
    assert answer.exit_code == 0, answer.output
    assert answer.output.startswith(machine.described())
    assert "== codec" in answer.output
    assert "decode_client move" in answer.output
    assert "puss-in-the-corner" in answer.output


def test_an_unknown_benchmark_is_refused() -> None:
    answer = CliRunner().invoke(main, ["nothing"])
    assert answer.exit_code == 2
    assert "nothing" in answer.output


def test_a_table_aligns_its_columns() -> None:
    table = Table("Speed", ("us", "a second"), {"slow": (1234.5, 0.5), "quick one": (2.345, 12.34)}, ("noted",))
    assert str(table).splitlines() == [
        "Speed",
        "                us  a second",
        "  slow       1,234      0.50",
        "  quick one   2.35      12.3",
        "  (noted)",
    ]
