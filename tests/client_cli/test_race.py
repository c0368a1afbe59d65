"""The client's model of a match: what it sends, what it takes, and what it finds wrong."""

import msgspec
import pytest

from client_cli.race import Race
from engine.deal import nonce_commitment
from protocol.messages import Leave, Move, Moved, Ready, Refused, Rematch, Resume, Reveal, Watch
from tests.client_cli.table import CODE, NONCES, Table


def race_at(table: Table, you: int | None = 0) -> Race:
    """A client that came to the table and is ready."""
    race = Race(table.match(you), lambda: NONCES[0], 0.0)
    if table.state in ("waiting", "seated"):
        race.ready()
    return race


def race_begun(table: Table) -> Race:
    """A client whose own race has begun, with its first message out of the way."""
    race = race_at(table.seated())
    table.started()
    for message in (table.match(), table.board(0), table.progress(1)):
        assert race.receive(message, 1.0)
    race.to_send()
    return race


def moves(race: Race) -> list[tuple[int, str]]:
    return [(message.n, message.move) for message in race.to_send() if isinstance(message, Move)]


def refusal(code: str, n: int | None) -> Refused:
    return Refused(code=code, why="because", match=CODE, n=n)


# Before the race


def test_being_ready_commits_to_a_nonce_once() -> None:
    race = race_at(Table().seated())
    race.ready()
    assert race.to_send() == [Ready(match=CODE, commitment=nonce_commitment(NONCES[0], CODE, 0))]


def test_the_nonce_is_shown_when_both_are_bound_and_not_before() -> None:
    table = Table().seated()
    race = race_at(table)
    race.to_send()
    table.commit(0)
    race.receive(table.match(), 0.0)
    assert race.to_send() == []
    table.commit(1)
    race.receive(table.match(), 0.0)
    assert race.to_send() == [Reveal(match=CODE, nonce=NONCES[0].hex())]


def test_readiness_lost_with_a_connection_is_sent_again() -> None:
    table = Table().seated()
    race = race_at(table)
    race.to_send()
    race.rejoin()
    race.receive(table.match(), 0.0)
    assert [type(message) for message in race.to_send()] == [Resume, Ready]


def test_a_nonce_of_another_run_is_lost() -> None:
    table = Table().seated()
    table.commit(0)
    assert Race(table.match(), lambda: NONCES[0], 0.0).cannot_start
    assert not race_at(Table().seated()).cannot_start


# Moves


def test_moves_are_numbered_and_wait_for_their_answers() -> None:
    table = Table()
    race = race_begun(table)
    assert [race.move("t"), race.move("hp1")] == [1, 2]
    assert moves(race) == [(1, "t"), (2, "hp1")]
    assert race.own is not None
    assert race.own.board.turned == 0
    assert race.receive(table.play(0, "t"), 2.0)
    assert race.unanswered == {2: "hp1"}
    assert race.own.board.view() == table.boards[0].view()


def test_what_was_not_answered_is_sent_again_under_the_same_numbers() -> None:
    table = Table()
    race = race_begun(table)
    race.receive(table.play(0, "t"), 2.0)
    race.move("hp1")
    race.move("t")
    race.to_send()
    race.rejoin()
    assert race.to_send() == [
        Resume(match=CODE, n=1),
        Move(match=CODE, n=2, move="hp1"),
        Move(match=CODE, n=3, move="t"),
    ]


def test_an_answer_that_comes_twice_counts_once() -> None:
    table = Table()
    race = race_begun(table)
    race.move("t")
    answer = table.play(0, "t")
    assert race.receive(answer, 2.0)
    assert not race.receive(answer, 2.0)
    assert race.own is not None
    assert race.own.n == 1


def test_a_gap_asks_for_what_is_missing_once() -> None:
    table = Table()
    race = race_begun(table)
    table.play(0, "t")
    late = [table.play(0, "hp1"), table.play(0, "t")]
    assert not any(race.receive(moved, 2.0) for moved in late)
    assert race.to_send() == [Resume(match=CODE, n=0)]
    race.receive(table.match(), 2.0)
    assert race.receive(table.board(0), 2.0)
    assert race.own is not None
    assert race.own.n == 3


def test_the_clock_voids_what_was_sent_for_its_number() -> None:
    table = Table()
    race = race_begun(table)
    race.move("t")
    race.move("hp1")
    assert race.receive(table.play(0, "timeout"), 2.0)
    assert race.unanswered == {}
    assert not race.playing
    assert not race.receive(refusal("board-finished", 1), 2.0)


def test_a_refusal_voids_what_follows_and_is_told_once() -> None:
    table = Table()
    race = race_begun(table)
    race.move("t")
    race.move("hp1")
    race.to_send()
    assert race.receive(refusal("store-failed", 0), 2.0)
    assert not race.receive(refusal("gap", 0), 2.0)
    assert race.unanswered == {}
    assert race.to_send() == []
    assert race.move("t") == 1


def test_a_refusal_from_further_on_asks_for_what_is_missing() -> None:
    race = race_begun(Table())
    race.move("t")
    race.to_send()
    assert race.receive(refusal("stale", 4), 2.0)
    assert race.to_send() == [Resume(match=CODE, n=0)]


def test_a_move_the_rules_forbid_is_doubted() -> None:
    table = Table()
    race = race_begun(table)
    good = table.play(0, "t")
    bad = msgspec.structs.replace(good, move="hp1", card=None)
    assert not race.receive(bad, 2.0)
    assert race.to_send() == [Resume(match=CODE, n=0)]
    assert "entry" in race.check().doubts


def test_other_matches_are_none_of_its_business() -> None:
    race = race_begun(Table())
    other = Table(code="zzzzzzzz").started()
    assert not race.receive(other.match(), 2.0)
    assert not race.receive(other.play(0, "t"), 2.0)
    assert not race.receive(Refused(code="gap", why="", match="zzzzzzzz", n=3), 2.0)


def test_progress_counts_when_it_changes() -> None:
    table = Table()
    race = race_begun(table)
    table.play(1, "t")
    assert race.receive(table.progress(1), 2.0)
    assert not race.receive(table.progress(1), 2.0)


def test_the_clock_runs_from_what_the_server_says() -> None:
    race = race_begun(Table())
    assert race.left(1.0) == 900_000
    assert race.left(31.5) == 869_500
    assert race.left(5000.0) == 0


def test_asking_and_leaving() -> None:
    race = race_begun(Table())
    race.again()
    race.leave()
    assert race.to_send() == [Rematch(match=CODE), Leave(match=CODE)]


# Spectators


def test_a_spectator_mirrors_both_boards() -> None:
    table = Table().started()
    race = race_at(table, you=None)
    for message in (table.board(0), table.board(1), table.play(0, "t"), table.play(1, "t"), table.play(1, "hp2")):
        assert race.receive(message, 1.0)
    assert [race.mirrors[seat].n for seat in (0, 1)] == [1, 2]
    assert race.own is None


def test_a_spectator_watches_again_on_a_gap_and_after_a_loss() -> None:
    table = Table().started()
    race = race_at(table, you=None)
    race.receive(table.board(0), 1.0)
    table.play(0, "t")
    assert not race.receive(table.play(0, "hp1"), 1.0)
    assert race.to_send() == [Watch(match=CODE)]
    race.rejoin()
    assert race.to_send() == [Watch(match=CODE)]
    assert race.mirrors == {}


# The end


def over(table: Table, race: Race) -> None:
    """A few moves, and both stand."""
    for entry in ("t", "hp1", "t", "hp2", "stand"):
        race.receive(table.play(0, entry), 3.0)
    table.play(1, "stand")
    race.receive(table.progress(1), 3.0)
    race.receive(table.board(1), 3.0)
    race.receive(table.match(), 3.0)


def test_the_deal_is_checked() -> None:
    table = Table()
    race = race_begun(table)
    over(table, race)
    assert race.ended
    assert race.check() == (2, [])


def test_a_board_seen_in_part_compares_no_cards() -> None:
    table = Table().started()
    table.play(0, "t")
    race = race_at(table)
    race.receive(table.board(0), 1.0)
    for entry in ("hp1", "stand"):
        race.receive(table.play(0, entry), 1.0)
    table.play(1, "stand")
    race.receive(table.match(), 1.0)
    assert race.check() == (0, [])


@pytest.mark.parametrize(
    ("doubt", "change"),
    [
        ("promise-changed", {"commitment": "0" * 64}),
        ("secret", {"secret": "00"}),
        ("secret", {"secret": "no hex"}),
        ("secret", {"secret": None}),
    ],
)
def test_what_does_not_fit_is_found(doubt: str, change: dict[str, str | None]) -> None:
    table = Table()
    race = race_begun(table)
    over(table, race)
    race.receive(msgspec.structs.replace(table.match(), **change), 4.0)
    assert doubt in race.check().doubts


def test_a_nonce_that_is_not_ones_own_is_found() -> None:
    table = Table()
    race = race_begun(table)
    over(table, race)
    table.nonces[0] = b"another's nonce."
    table.promises[0] = nonce_commitment(b"another's nonce.", CODE, 0)
    race.receive(table.match(), 4.0)
    assert race.check().doubts == ["own-nonce"]
    table.promises[0] = "0" * 64
    race.receive(table.match(), 4.0)
    assert race.check().doubts == ["nonce", "own-nonce"]


def test_cards_that_are_not_the_deals_are_found() -> None:
    table = Table()
    race = race_begun(table)
    moved = table.play(0, "t")
    assert race.receive(msgspec.structs.replace(moved, card="Ac" if moved.card != "Ac" else "Kd"), 2.0)
    for entry in ("hp1", "stand"):
        race.receive(table.play(0, entry), 2.0)
    table.play(1, "stand")
    race.receive(table.match(), 2.0)
    assert race.check() == (0, ["cards"])


def test_equal_names_are_told_apart_by_their_tags() -> None:
    assert Race(Table().seated("Ada").match(), lambda: b"", 0.0).names == ["Ada (0000)", "Ada (0001)"]
    assert Race(Table().seated("Bo").match(), lambda: b"", 0.0).names == ["Ada", "Bo"]


def test_a_count_that_does_not_follow_is_doubted() -> None:
    table = Table()
    race = race_begun(table)
    moved: Moved = msgspec.structs.replace(table.play(0, "t"), count=7)
    assert race.receive(moved, 2.0)
    assert race.check().doubts[0] == "entry"


def test_the_next_card_is_learnt_and_checked_at_the_end() -> None:
    table = Table("lucas+peek")
    race = race_begun(table)
    assert race.own is not None
    for _ in range(3):
        expected = race.own.board.peek
        assert expected == table.boards[0].peek
        moved = table.play(0, "t")
        assert moved.card == expected
        assert race.receive(moved, 1.0)
    assert race.own.board.view() == table.boards[0].view()
    table.play(0, "stand")
    table.play(1, "stand")
    race.receive(table.match(), 2.0)
    assert race.check() == (3, [])
