"""What a server that cheats says instead of the truth."""

from collections.abc import Callable

from msgspec.structs import replace

from protocol.messages import MatchState

StateLie = Callable[[MatchState], MatchState]


def committed(seat: int, shown: str | None) -> StateLie:
    """Another nonce commitment for a seat."""

    def lie(state: MatchState) -> MatchState:
        seats = [replace(info, nonce_commitment=shown) if at == seat else info for at, info in enumerate(state.seats)]
        return replace(state, seats=seats)

    return lie


def copied(state: MatchState) -> MatchState:
    """The rival is bound to what the player is bound to."""
    return committed(1, state.seats[0].nonce_commitment)(state)


def promising(shown: str) -> StateLie:
    """Another commitment of the server."""
    return lambda state: replace(state, commitment=shown)


def alone(state: MatchState) -> MatchState:
    """There is no rival."""
    return replace(state, seats=state.seats[:1])


def of_another_game(state: MatchState) -> MatchState:
    """The race is another one."""
    return replace(state, game="strategy")


def joined_late(state: MatchState) -> MatchState:
    """Somebody else is bound as well, who can choose a nonce that makes the cards good."""
    third = replace(state.seats[1], name="Mallory", nonce_commitment="cd" * 32)
    return replace(state, seats=[*state.seats, third])


def of_another_length(state: MatchState) -> MatchState:
    """The clock is another one."""
    return replace(state, clock=state.clock // 2)


def against_another(state: MatchState) -> MatchState:
    """The rival is somebody else."""
    return replace(state, seats=[state.seats[0], *(replace(seat, name="Zed") for seat in state.seats[1:])])


CHANGES: dict[str, tuple[StateLie, str]] = {
    "rival's missing": (committed(1, None), "nonce-commitment-missing"),
    "rival's empty": (committed(1, ""), "nonce-commitment-missing"),
    "rival's no hash": (committed(1, "no hash"), "nonce-commitment-missing"),
    "rival's replaced": (committed(1, "ab" * 32), "nonce-commitment-changed"),
    "rival's a copy of one's own": (copied, "same-commitment"),
    "own missing": (committed(0, None), "own-commitment"),
    "own replaced": (committed(0, "ab" * 32), "own-commitment"),
    "server's missing": (promising(""), "commitment-missing"),
    "server's replaced": (promising("ab" * 32), "commitment-changed"),
    "no rival": (alone, "nonce-commitment-missing"),
    "another game": (of_another_game, "game"),
    "a third player": (joined_late, "seat"),
    "another clock": (of_another_length, "terms"),
    "another rival": (against_another, "seat"),
}
"""What a server may show of what everybody is bound to, when that was seen before, and what is to be doubted then."""
ONCE_SEEN = ("rival's replaced", "a third player", "another clock", "another rival")
"""Those of which there is something to remember."""
UNSEEN = {name: change for name, change in CHANGES.items() if name not in ONCE_SEEN}
"""Those that can be told when it is seen for the first time."""
