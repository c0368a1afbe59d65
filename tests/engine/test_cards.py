from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.cards import DECK, UNKNOWN, card_text, parse_card, rank, suit
from engine.errors import BadCard

TEXTS = "Ac Ad Ah As 2c 2d 2h 2s 3c 3d 3h 3s 4c 4d 4h 4s 5c 5d 5h 5s 6c 6d 6h 6s 7c 7d 7h 7s 8c 8d 8h 8s 9c 9d 9h 9s"
TEXTS += " 10c 10d 10h 10s Jc Jd Jh Js Qc Qd Qh Qs Kc Kd Kh Ks"


def test_the_deck_is_every_card_once_in_a_fixed_order() -> None:
    assert [card_text(card) for card in DECK] == TEXTS.split()


def test_a_card_is_its_rank_and_its_suit() -> None:
    assert [(rank(card), suit(card)) for card in DECK] == list(product(range(1, 14), range(4)))


def test_a_text_names_the_card_it_was_written_for() -> None:
    assert [parse_card(text) for text in TEXTS.split()] == list(DECK)


def test_a_card_face_down_is_written_as_question_marks_which_name_no_card() -> None:
    assert card_text(UNKNOWN) == "??"
    with pytest.raises(BadCard):
        parse_card("??")


@pytest.mark.parametrize("text", ["", "A", "c", "1c", "11c", "ac", "AC", "Ax", "0c", "10", "Ac ", " Ac", "Acd", "A♣"])
def test_a_text_that_is_nearly_a_card_is_none(text: str) -> None:
    with pytest.raises(BadCard) as caught:
        parse_card(text)
    assert caught.value.code == "bad-card"
    assert repr(text) in str(caught.value)


@given(st.text(max_size=6))
def test_any_other_text_is_no_card(text: str) -> None:
    if text in TEXTS.split():
        assert card_text(parse_card(text)) == text
    else:
        with pytest.raises(BadCard):
            parse_card(text)
