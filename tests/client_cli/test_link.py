"""The way back from a lost connection: it ends when all that was missed is there, and not before."""

import pytest

from client_cli.link import Link
from protocol.messages import AnyServerMessage, Refused
from tests.client_cli.table import CODE, Table


def lost() -> Link:
    link = Link()
    assert link.up
    link.lost()
    return link


def test_nothing_but_the_answer_ends_it() -> None:
    table = Table().started()
    link = lost()
    early: list[AnyServerMessage] = [table.match(), table.board(0), table.progress(1)]
    for message in early:
        link.heard(message)
        assert not link.up
    link.asked()
    answer: list[AnyServerMessage] = [table.progress(1), table.match(), table.board(0), table.play(0, "t")]
    for message in answer:
        link.heard(message)
        assert not link.up
    link.heard(table.progress(1))
    assert link.up


@pytest.mark.parametrize("state", ["waiting", "seated", "countdown", "over", "aborted"])
def test_where_there_is_no_race_the_state_is_all(state: str) -> None:
    table = Table().started()
    message = table.match()
    message.state = state
    link = lost()
    link.asked()
    link.heard(message)
    assert link.up


def test_a_second_loss_begins_it_again() -> None:
    table = Table().started()
    link = lost()
    link.asked()
    link.heard(table.match())
    link.lost()
    link.heard(table.progress(1))
    assert not link.up


@pytest.mark.parametrize(("n", "up"), [(None, True), (3, False)])
def test_a_refusal_of_the_way_back_ends_it_and_one_of_a_move_does_not(n: int | None, *, up: bool) -> None:
    link = lost()
    link.asked()
    link.heard(Refused(code="store-failed", why="", match=CODE, n=n))
    assert link.up is up
