"""docs/protocol.md has every word there is for a state, a status, a reason and an entry."""

from collections.abc import Iterator

import server.match
from engine.board import ENDINGS, Status
from engine.result import Reason
from protocol.messages import OFFERS
from server.course import State
from server.events import Terms
from server.match import Match
from tests.protocol.page import SECTIONS, first_column, rows_of, under


def _words(heading: str) -> set[str]:
    return set(first_column(under("Words")[heading]))


def test_the_words_are_those_of_the_code() -> None:
    assert _words("States") == set(State)
    assert _words("Statuses") == set(Status)
    assert _words("Reasons") == set(Reason)
    assert _words("Offers") == set(OFFERS)
    assert first_column(SECTIONS["The life of a match"]) == list(State)


def test_the_entries_that_are_words_are_those_of_the_engine() -> None:
    rows = [[cell.strip("`") for cell in row] for row in rows_of(under("Words")["Entries that are words"])]
    assert {entry: status for entry, status, _ in rows} == ENDINGS
    assert {entry for entry, _, who in rows if who == "the player"} == set(server.match.PLAYERS_WORDS)


def test_the_reasons_to_abort_are_those_of_a_match() -> None:
    match = Match(Terms(match="k7wq2m9x", game="sir-tommy", clock=1, grace=1, listed=True, secret="00" * 32, created=0))
    assert _words("Reasons to abort") == set(_ways_to_abort(match)) | {"left"}


def _ways_to_abort(match: Match) -> Iterator[str]:
    for state in State:
        match.state = state
        _, why = match._limit()
        if why:
            yield why
