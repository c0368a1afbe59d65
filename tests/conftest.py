"""For all tests English, and one hypothesis profile: the same examples on every run, and no test fails for being slow.

And which are slow: with several processes at work, whoever begins with the longest is done first.
"""

import os
import signal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from engine.forty_thieves import stuck_search

# For the processes that tests start.
os.environ["LANGUAGE"] = "en"
os.environ["TOMMY_RECEIPTS"] = "off"

# Where a shell starts this in the background, it has Ctrl+C ignored, also by the processes that tests start.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# What is asserted there is what many tests are about: a failure shows what was compared.
pytest.register_assert_rewrite("tests.server.refusals")

settings.register_profile(
    "tommy",
    derandomize=True,
    database=None,
    deadline=None,
    max_examples=100,
    print_blob=False,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
)
settings.load_profile("tommy")


@pytest.fixture(autouse=True)
def no_verdicts() -> None:
    """No test knows what another has found out about a board."""
    stuck_search.cache_clear()


TESTS = Path(__file__).parent
SLOW = [
    "faults",
    "engine/test_referee.py",
    "e2e",
    "engine/test_forty_thieves_referee.py",
    "client_cli/test_strong_forty_thieves.py",
    "server/test_main.py",
    "protocol/test_other_language.py",
    "server/test_non_interference.py",
    "bench",
    "client_cli/test_cheating_server.py",
    "client_cli/test_foreign.py",
    "engine/test_stuck.py",
    "client_cli/test_bots.py",
    "client_cli/screen/test_terminal.py",
    "client_cli/test_plain.py",
    "engine/test_soliterm.py",
    "server/store",
    "engine/test_verify_changes.py",
    "engine/test_verify_stuck.py",
    "client_cli/test_language.py",
    "engine/test_kinds_of_moves.py",
    "client_cli/test_strong.py",
    "client_cli/test_streams.py",
    "server/test_leaks.py",
    "client_cli/test_secrecy.py",
    "server/test_match_machine.py",
    "engine/test_sir_tommy_invariants.py",
    "engine/test_sir_tommy_stuck.py",
    "client_cli/test_sight.py",
    "client_cli/screen/test_app.py",
    "engine/test_golden.py",
    "engine/test_forty_thieves_invariants.py",
    "server/test_names.py",
    "protocol/test_messages.py",
    "protocol/test_codec.py",
    "protocol/test_fuzz.py",
    "protocol/test_schema.py",
    "engine/test_sir_tommy_positions.py",
    "engine/test_forty_thieves_sequences.py",
    "engine/test_forty_thieves_view.py",
    "engine/test_forty_thieves_positions.py",
    "engine/test_record_bounds.py",
    "engine/test_result.py",
    "engine/test_verify_true_records.py",
]
"""Files and folders that take seconds, about the longest first. They are begun first, and `make check` leaves them out."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the slow tests, and put them first."""
    turns = {TESTS / name: turn for turn, name in enumerate(SLOW)}
    assert all(path.exists() for path in turns), "a slow test has moved"

    def turn(item: pytest.Item) -> int:
        return min((turns[path] for path in (item.path, *item.path.parents) if path in turns), default=len(SLOW))

    for item in items:
        if turn(item) < len(SLOW):
            item.add_marker("slow")
    items.sort(key=turn)
