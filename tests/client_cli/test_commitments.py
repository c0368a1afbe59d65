"""A nonce is revealed only when everybody is bound, and nobody is let out of it afterwards."""

from collections.abc import Callable

import msgspec
import pytest

from client_cli.guest import Guest
from client_cli.race import Race
from client_cli.receipt import Receipt, read_receipt
from engine.deal import nonce_commitment
from protocol.messages import MatchState, Reveal
from tests.client_cli.lies import CHANGES, UNSEEN, committed
from tests.client_cli.table import CODE, NONCES, Table
from tests.client_cli.test_guests import spectator


def ready(table: Table, receipt: Receipt | None = None) -> Race:
    """A player who is ready."""
    race = Race(table.match(), lambda: NONCES[0], 0.0, receipt)
    race.ready()
    return race


def reveals(race: Race) -> bool:
    """Whether the client wants to show its nonce."""
    return any(isinstance(message, Reveal) for message in race.to_send())


def written(race: Race) -> Receipt:
    """The receipt as another run finds it."""
    receipt, _ = read_receipt(b"".join(race.receipt.fresh()))
    return receipt


def revealing(table: Table) -> MatchState:
    return table.bound().match()


def countdown(table: Table) -> MatchState:
    for seat in (0, 1):
        table.reveal(seat)
    return table.match()


def playing(table: Table) -> MatchState:
    return table.started().match()


def over(table: Table) -> MatchState:
    if not table.boards:
        table.started()
    table.play(1, "resign")
    return table.match()


LATER = (countdown, playing, over)


@pytest.mark.parametrize("lie", UNSEEN)
def test_a_nonce_is_hidden_from_who_does_not_bind_everybody(lie: str) -> None:
    table, (tell, doubt) = Table().seated(), UNSEEN[lie]
    race = ready(table)
    race.receive(tell(revealing(table)), 1.0)
    assert race.doubts[0] == doubt
    assert race.hides_nonce
    assert not reveals(race)
    # Nor when it is put right: what came late may have been chosen.
    for _ in range(2):
        race.receive(table.match(), 2.0)
        assert not reveals(race)
    assert race.doubts[0] == doubt


def test_a_nonce_is_revealed_when_everybody_is_bound() -> None:
    table = Table().seated()
    race = ready(table)
    race.receive(revealing(table), 1.0)
    assert reveals(race)
    assert race.doubts == []
    assert not race.hides_nonce


def test_a_rival_who_was_bound_before_stays_bound() -> None:
    table = Table().seated()
    table.commit(1)
    race = ready(table)
    race.receive(committed(1, "ab" * 32)(revealing(table)), 1.0)
    assert race.doubts == ["nonce-commitment-changed"]
    assert not reveals(race)


@pytest.mark.parametrize("later", LATER)
@pytest.mark.parametrize("lie", CHANGES)
def test_a_later_state_that_shows_it_otherwise_is_doubted_at_once(
    lie: str, later: Callable[[Table], MatchState]
) -> None:
    table, (tell, doubt) = Table().seated(), CHANGES[lie]
    race = ready(table)
    race.receive(revealing(table), 1.0)
    assert race.doubts == []
    race.receive(tell(later(table)), 2.0)
    assert doubt in race.doubts
    # And it stays so, whatever is shown then.
    race.receive(table.match(), 3.0)
    assert doubt in race.doubts


@pytest.mark.parametrize("later", LATER)
@pytest.mark.parametrize("lie", CHANGES)
def test_so_it_is_over_a_restart_of_the_client(lie: str, later: Callable[[Table], MatchState]) -> None:
    table, (tell, doubt) = Table().seated(), CHANGES[lie]
    first = ready(table)
    first.receive(revealing(table), 1.0)
    second = Race(tell(later(table)), lambda: b"another nonce...", 2.0, written(first))
    assert doubt in second.doubts
    third = Race(table.match(), lambda: b"", 3.0, Receipt())
    assert third.doubts == []


@pytest.mark.parametrize("lie", CHANGES)
def test_what_was_doubted_once_is_doubted_by_the_next_run_as_well(lie: str) -> None:
    table, (tell, doubt) = Table().seated(), CHANGES[lie]
    first = ready(table)
    first.receive(revealing(table), 1.0)
    first.receive(tell(playing(table)), 2.0)
    assert doubt in Race(table.match(), lambda: b"", 3.0, written(first)).doubts


def test_a_restarted_client_reveals_the_nonce_that_it_committed_to() -> None:
    table = Table().seated()
    first = ready(table)
    second = Race(revealing(table), lambda: b"another nonce...", 1.0, written(first))
    assert not second.cannot_start
    assert second.doubts == []
    assert second.to_send() == [Reveal(match=CODE, nonce=NONCES[0].hex())]


def test_a_restarted_client_that_never_got_to_commit_asks_its_player_again() -> None:
    table = Table().seated()
    second = Race(table.match(), lambda: b"another nonce...", 1.0, written(ready(table)))
    assert second.to_send() == []
    second.ready()
    (sent,) = second.to_send()
    assert getattr(sent, "commitment", "") == nonce_commitment(NONCES[0], CODE, 0)


@pytest.mark.parametrize("you", [0, 1])
def test_a_seat_does_not_go_away(you: int) -> None:
    table = Table().seated()
    race = Race(table.match(you), lambda: NONCES[you], 0.0)
    state = table.match(you)
    assert not race.receive(msgspec.structs.replace(state, seats=state.seats[:1]), 1.0)
    assert race.doubts == ["seat"]
    assert len(race.state.seats) == 2
    lost = Race(msgspec.structs.replace(state, seats=state.seats[:1], you=1), lambda: b"", 0.0)
    assert lost.you is None


def test_another_seat_than_before_is_doubted() -> None:
    table = Table().seated()
    second = Race(table.match(1), lambda: b"", 1.0, written(ready(table)))
    assert second.doubts == ["seat"]


# Those who watch


@pytest.mark.parametrize("lie", [lie for lie in CHANGES if not lie.startswith(("own", "no "))])
def test_who_watches_remembers_too(lie: str) -> None:
    table, (tell, doubt) = Table().seated(), CHANGES[lie]
    guest: Guest = spectator(table.bound())
    guest.heard(tell(playing(table)), 1.0)
    assert doubt in guest.race.doubts
    again = Race(tell(table.match(None)), lambda: b"", 3.0, written(guest.race))
    assert doubt in again.doubts


@pytest.mark.parametrize("seat", [0, 1])
def test_who_watches_doubts_a_nonce_that_does_not_fit(seat: int) -> None:
    table = Table().bound()
    guest = spectator(table)
    table.nonces = [*NONCES]
    table.nonces[seat] = bytes(16)
    table.start()
    guest.heard(table.match(None), 1.0)
    assert guest.race.doubts == ["nonce"]


def test_an_aborted_match_need_not_bind_anybody_but_who_was_bound_before() -> None:
    table = Table().seated()
    table.state, table.aborted = "aborted", "left"
    race = ready(Table().seated())
    race.receive(table.match(), 1.0)
    assert race.doubts == []
    race = ready(Table().seated())
    race.receive(Table().seated().bound().match(), 1.0)
    race.receive(table.match(), 2.0)
    assert race.doubts == ["own-commitment", "nonce-commitment-missing"]
