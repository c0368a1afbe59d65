"""Whose turn it is to think: equal shares for all, whatever they have to think about."""

from collections import defaultdict
from itertools import combinations, count, islice

from hypothesis import given
from hypothesis import strategies as st

from server.turns import AT_A_TIME, Turns

LONGEST = 10
turns_of_any_length = st.lists(st.integers(1, LONGEST), min_size=1, max_size=200)
"""How long the turns take, one after another, whoever has them."""


def take(turns: Turns[str], seconds: int = 1) -> tuple[object, str]:
    party, thought = turns.next()
    turns.took(party, seconds)
    return party, thought


@given(st.dictionaries(st.integers(0, 9), st.integers(1, 20), min_size=1), turns_of_any_length)
def test_all_get_the_same_to_within_one_turn_however_many_boards_they_have(
    boards: dict[int, int], lengths: list[int]
) -> None:
    turns: Turns[str] = Turns()
    for party, number in boards.items():
        for board in range(number):
            turns.join(party, f"{party}.{board}")
    had = dict.fromkeys(boards, 0)
    for length in lengths:
        taker, thought = take(turns, length)
        assert thought.startswith(f"{taker}.")
        had[int(str(taker))] += length
        assert max(had.values()) - min(had.values()) <= LONGEST


comings = st.lists(st.tuples(st.integers(0, 5), st.booleans(), st.integers(1, LONGEST)), max_size=200)
"""Before each turn a party comes or goes, if it can; and how long the turn takes."""


@given(comings)
def test_whoever_comes_and_goes_wins_nothing_by_it(events: list[tuple[int, bool, int]]) -> None:
    """While two wait side by side, what they get meanwhile differs by two turns at most, whatever was before."""
    turns: Turns[str] = Turns()
    here: set[int] = set()
    lead: dict[tuple[int, int], int] = {}
    for party, comes, length in events:
        if comes and party not in here:
            turns.join(party, "board")
            here.add(party)
            lead |= {pair: 0 for pair in combinations(sorted(here), 2) if party in pair}
        elif not comes and party in here:
            turns.leave(party, "board")
            here.remove(party)
            lead = {pair: ahead for pair, ahead in lead.items() if party not in pair}
        if here:
            next_party, _ = take(turns, length)
            for first, second in lead:
                lead[first, second] += length * ((first == next_party) - (second == next_party))
            assert all(abs(ahead) <= 2 * LONGEST for ahead in lead.values())


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(1, LONGEST)), max_size=60))
def test_nobody_starves_however_many_come_new(rounds: list[tuple[int, int]]) -> None:
    """Everyone who waits has a turn before anybody has one who came later."""
    turns: Turns[str] = Turns()
    turns.join(0, "board")
    names = count(1)
    before: dict[object, set[object]] = {0: set()}
    """For each who has had no turn yet, those who were here before and have had none since."""
    here: set[object] = {0}
    for newcomers, length in rounds:
        for name in islice(names, newcomers):
            turns.join(name, "board")
            before[name] = set(here)
            here.add(name)
        party, _ = take(turns, length)
        assert not before.pop(party, set())
        for waited_for in before.values():
            waited_for.discard(party)


@given(st.integers(0, 12), st.lists(st.booleans(), max_size=100))
def test_a_party_has_only_a_few_boards_begun_at_a_time(number: int, done: list[bool]) -> None:
    """However many connections an address has, it takes the memory of a few searches only."""
    turns: Turns[str] = Turns()
    for name in range(number):
        turns.join("party", f"board {name}")
    begun: set[str] = set()
    for is_done in done[: number and len(done)]:
        _, board = take(turns)
        begun.add(board)
        assert len(begun) <= AT_A_TIME
        if is_done:
            turns.leave("party", board)
            begun.remove(board)
            turns.join("party", f"{board} again")


def test_boards_of_one_party_get_the_same() -> None:
    turns: Turns[str] = Turns()
    for board in "abc":
        turns.join("party", board)
    assert [take(turns)[1] for _ in range(6)] == list("abcabc")


def test_nothing_is_remembered_of_those_who_have_gone() -> None:
    turns: Turns[str] = Turns()
    for number in range(100):
        turns.join(number, "board")
        take(turns)
        turns.leave(number, "board")
    assert len(turns) == 0


def test_shares_are_of_time_and_not_of_turns() -> None:
    turns: Turns[str] = Turns()
    turns.join("hasty", "board")
    turns.join("slow", "board")
    had: defaultdict[object, list[int]] = defaultdict(list)
    for _ in range(22):
        party, _ = turns.next()
        length = 10 if party == "slow" else 1
        turns.took(party, length)
        had[party].append(length)
    assert (len(had["hasty"]), len(had["slow"])) == (20, 2)
