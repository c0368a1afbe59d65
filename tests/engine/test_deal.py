"""The deal, against a second implementation written from docs/fairness.md, and as a source of chance."""

import hashlib
import hmac
from collections import Counter
from collections.abc import Iterator
from itertools import permutations
from struct import pack, unpack

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import deal as deal_module
from engine.cards import DECK, card_text
from engine.deal import Deal, commitment, deal, nonce_commitment, shuffle
from engine.games import variant
from engine.result import MOST_SEATS
from tests.engine.positions import dealt

SECRET = bytes(range(32))
NONCES = bytes(range(32, 48)), bytes(range(48, 64))
MATCH = "k7wq2m9x"
FIRST = (
    "Js 10d Kh 8h 10s 9d 7h Ks 4s Kd 3h 7c Qh 5c 9c 9s Jd 5s 7d Jc 8c 9h 4d 7s Ad Ac"
    " 6d Qd 2c 2h 6h Jh 10c Qs As 2d 4h 8d 8s 3s 2s 6s 5h 10h 4c 3c Ah Qc 5d 6c Kc 3d"
)
SECOND = (
    "2h 8s Kd 10s 7c 5h 3s Kc 9h 6s Js 2d 10d Kh 4d As Ac 7h 4h Ks Jc 5c 7d 9c 6c 4s"
    " 9s Qh 10h 7s 10c 6d 3d 3h Qd Qs Ad 8h 8c Jd 4c 6h 2s 8d Qc 5d 9d 3c 2c Ah 5s Jh"
)
COMMITMENT = "f11731bcebcc2bd18fa2f482ddbf4163c9a09fb56a099fd2cb0b517ac6674be3"
FIRST_NONCE = "94fbd33d3477f398d5a41f0b25fa1eca3c94a550d5f882316358ef461488ded2"
SECOND_NONCE = "b48280c1b0e37818e897b7b6308a0561fa6b8ec2f892134c8f601c4981136a33"

BY_SEATS = [
    (0, "10d 8c As Kd 7h 2h 5d Jd 6d Kc Jc 5c Qd", "6c Ac 10h Qh Qc 2s Qd As 6s 4s 4h 2d 8c"),
    (1, "Qs 5c Ad Ac Kd Qc Qh 7d 2d 6h 6c 4s 9c", "7s 4h 6s 10c Kc As Jd 5d 4d 7d 3d 10s 7c"),
    (2, "Js 10d Kh 8h 10s 9d 7h Ks 4s Kd 3h 7c Qh", "2h 8s Kd 10s 7c 5h 3s Kc 9h 6s Js 2d 10d"),
    (3, "Jd 6c Ad 10s 4h 7h 7d 8d 7c 7s Kd 5s Qs", "10s Ks 2s 4h 2d 7d As Qc 6c 3d 3h 5s 3s"),
    (8, "Jc 4s 4c 3c Qd Js 10d 3h 10s Qh 2s 6s Kh", "Js 5h 10h Ah 8d 8s 10c Jh Qh 7h 9h Kc 5d"),
]
"""For a number of players the beginnings of both shuffles; worked out from docs/fairness.md without this code."""

secrets = st.binary(min_size=32, max_size=32)
nonces = st.binary(min_size=16, max_size=16)
matches = st.text("abcdefghjkmnpqrstuvwxyz23456789", min_size=8, max_size=8)


def second_list(*values: bytes) -> bytes:
    return b"".join(pack(">I", len(value)) + value for value in values)


def second_shuffle(cards: list[int], key: bytes, label: bytes) -> list[int]:
    stream = hashlib.shake_256(second_list(key, label)).digest(64 * len(cards))
    numbers = list(unpack(f">{len(stream) // 4}I", stream))
    cards = cards.copy()
    for choices in range(len(cards), 1, -1):
        while numbers[0] >= 2**32 - 2**32 % choices:
            numbers.pop(0)
        other = numbers.pop(0) % choices
        cards[choices - 1], cards[other] = cards[other], cards[choices - 1]
    return cards


def second_deal(cards: list[int], secret: bytes, nonces: list[bytes], match: str) -> list[list[int]]:
    message = second_list(b"tommy-race deal", *nonces, match.encode())
    key = hmac.new(secret, message, hashlib.sha256).digest()
    return [second_shuffle(cards, key, label) for label in (b"first", b"second")]


def texts(cards: tuple[int, ...]) -> str:
    return " ".join(map(card_text, cards))


def test_the_same_secrets_deal_the_same_cards_for_ever() -> None:
    cards = deal(DECK, SECRET, NONCES, MATCH)
    assert texts(cards.first) == FIRST
    assert texts(cards.second) == SECOND


def test_the_same_secrets_have_the_same_commitments_for_ever() -> None:
    assert commitment(SECRET, MATCH, "sir-tommy") == COMMITMENT
    assert nonce_commitment(NONCES[0], MATCH, 0) == FIRST_NONCE
    assert nonce_commitment(NONCES[1], MATCH, 1) == SECOND_NONCE


@pytest.mark.parametrize(("seats", "first", "second"), BY_SEATS)
def test_any_number_of_players_are_dealt_the_same_cards_for_ever(seats: int, first: str, second: str) -> None:
    drawn = [bytes(range(16 * seat, 16 * seat + 16)) for seat in range(2, 2 + seats)]
    cards = deal(DECK, SECRET, drawn, MATCH)
    assert texts(cards.first[:13]) == first
    assert texts(cards.second[:13]) == second


@given(secrets, st.lists(nonces, max_size=MOST_SEATS), matches)
def test_a_second_dealer_working_from_the_prose_deals_the_same_cards(
    secret: bytes, drawn: list[bytes], match: str
) -> None:
    for spelling in ("sir-tommy", "puss-in-the-corner"):
        cards = variant(spelling).cards
        assert [*map(list, deal(cards, secret, drawn, match))] == second_deal(list(cards), secret, drawn, match)


@given(secrets, nonces, matches, st.integers(0, MOST_SEATS - 1))
def test_a_second_dealer_working_from_the_prose_makes_the_same_commitments(
    secret: bytes, nonce: bytes, match: str, seat: int
) -> None:
    message = second_list(b"tommy-race commitment", secret, match.encode(), b"calculation+redeal", b"1")
    assert commitment(secret, match, "calculation+redeal") == hashlib.sha256(message).hexdigest()
    message = second_list(b"tommy-race nonce", nonce, match.encode(), str(seat).encode())
    assert nonce_commitment(nonce, match, seat) == hashlib.sha256(message).hexdigest()


@pytest.mark.parametrize("size", [0, 1, 2, 256, 257, 258, 300, 1000, 3000])
def test_the_stream_goes_on_for_as_long_as_there_are_cards(size: int) -> None:
    key = hashlib.sha256(b"long").digest()
    assert list(shuffle(range(size), key, "first")) == second_shuffle(list(range(size)), key, b"first")


def test_a_number_in_the_last_incomplete_run_is_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    def numbers(_seed: bytes) -> Iterator[int]:
        # of three, 2**32 - 1 would favour the first choice; of two, it is as fair as any other
        return iter([2**32 - 1, 0, 2**32 - 1])

    monkeypatch.setattr(deal_module, "_numbers", numbers)
    assert shuffle((10, 20, 30), b"", "") == (30, 20, 10)


@given(st.integers(0, 2**32))
def test_a_deal_is_the_games_cards_in_some_order_twice(seed: int) -> None:
    for spelling, size in (("sir-tommy", 52), ("puss-in-the-corner", 48)):
        cards = dealt(spelling, seed)
        assert len(cards.first) == size
        assert sorted(cards.first) == sorted(cards.second) == list(variant(spelling).cards)


def test_the_second_shuffle_is_another_one_than_the_first() -> None:
    for seed in range(20):
        cards = dealt("sir-tommy", seed)
        assert cards.first != cards.second


def chi_square(observed: Counter[tuple[int, ...]], cells: int) -> float:
    expected = observed.total() / cells
    spread = sum((count - expected) ** 2 for count in observed.values())
    return (spread + (cells - len(observed)) * expected**2) / expected


@pytest.mark.parametrize("label", ["first", "second"])
def test_every_order_of_four_cards_comes_up_as_often_as_any_other(label: str) -> None:
    orders = Counter(shuffle(range(4), number.to_bytes(4), label) for number in range(4800))
    assert set(orders) == set(permutations(range(4)))
    # 23 degrees of freedom: chance alone exceeds 49.7 once in a thousand times
    assert chi_square(orders, 24) < 49.7


def test_every_card_of_a_deck_comes_to_every_place_as_often_as_to_any_other() -> None:
    places: Counter[tuple[int, ...]] = Counter()
    for number in range(1500):
        places.update(enumerate(shuffle(DECK, number.to_bytes(4), "first")))
    # 51 * 51 degrees of freedom: the mean is 2601, and chance alone exceeds 2830 once in a thousand times
    assert chi_square(places, 52 * 52) < 2830


def test_the_two_shuffles_of_a_deal_tell_nothing_of_each_other() -> None:
    pairs: Counter[tuple[int, ...]] = Counter()
    for number in range(6000):
        key = number.to_bytes(4)
        pairs[shuffle(range(3), key, "first") + shuffle(range(3), key, "second")] += 1
    # 35 degrees of freedom: chance alone exceeds 66.6 once in a thousand times
    assert chi_square(pairs, 36) < 66.6


def test_the_servers_commitment_binds_it_to_all_it_was_made_of() -> None:
    made = [
        commitment(SECRET, MATCH, "sir-tommy"),
        commitment(SECRET[:-1] + b"\0", MATCH, "sir-tommy"),
        commitment(SECRET, "k7wq2m9y", "sir-tommy"),
        commitment(SECRET, MATCH, "sir-tommy+redeal"),
        commitment(SECRET, MATCH, "strategy"),
    ]
    assert len(set(made)) == len(made)


def test_the_servers_commitment_binds_it_to_the_version_of_the_deal(monkeypatch: pytest.MonkeyPatch) -> None:
    before = commitment(SECRET, MATCH, "sir-tommy")
    monkeypatch.setattr(deal_module, "DEAL_VERSION", "2")
    assert commitment(SECRET, MATCH, "sir-tommy") != before


def test_a_players_commitment_binds_the_player_to_nonce_match_and_seat() -> None:
    made = [
        nonce_commitment(NONCES[0], MATCH, 0),
        nonce_commitment(NONCES[1], MATCH, 0),
        nonce_commitment(NONCES[0], "k7wq2m9y", 0),
        nonce_commitment(NONCES[0], MATCH, 1),
    ]
    assert len(set(made)) == len(made)


def test_values_hashed_together_cannot_be_cut_in_another_place() -> None:
    assert commitment(SECRET, MATCH + "s", "ir-tommy") != commitment(SECRET, MATCH, "sir-tommy")
    assert commitment(SECRET[:-1], chr(SECRET[-1]) + MATCH, "sir-tommy") != commitment(SECRET, MATCH, "sir-tommy")


def test_a_commitment_to_one_thing_is_none_to_another() -> None:
    assert commitment(NONCES[0], MATCH, "0") != nonce_commitment(NONCES[0], MATCH, 0)


@given(secrets, nonces, nonces, matches, st.data())
def test_everything_that_goes_into_the_deal_changes_the_cards(
    secret: bytes, first: bytes, second: bytes, match: str, data: st.DataObject
) -> None:
    def deals(*inputs: bytes) -> Deal:
        return deal(DECK, inputs[0], (inputs[1], inputs[2]), inputs[3].decode())

    inputs = [secret, first, second, match.encode()]
    place = data.draw(st.integers(0, 3))
    other = data.draw([secrets, nonces, nonces, matches.map(str.encode)][place].filter(lambda v: v != inputs[place]))
    changed = [*inputs[:place], other, *inputs[place + 1 :]]
    assert deals(*changed).first != deals(*inputs).first
    assert deals(*changed).second != deals(*inputs).second


def test_the_nonces_of_the_seats_are_not_interchangeable() -> None:
    assert deal(DECK, SECRET, NONCES, MATCH) != deal(DECK, SECRET, NONCES[::-1], MATCH)
