"""For all tests English, and one hypothesis profile: the same examples on every run, and no test fails for being slow."""

import os

import pytest
from hypothesis import HealthCheck, settings

from engine.forty_thieves import stuck_search

# For the processes that tests start.
os.environ["LANGUAGE"] = "en"
os.environ["TOMMY_RECEIPTS"] = "off"

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
