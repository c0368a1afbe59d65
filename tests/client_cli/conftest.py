"""What every test of the client needs."""

from collections.abc import Iterator

import pytest

from client_cli import language


@pytest.fixture(autouse=True)
def _english() -> Iterator[None]:
    """Whatever language a test has chosen, the next one begins with English."""
    yield
    language.choose("en")
