import pytest

from engine.games import CATALOGUE
from engine.spelling import near


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("puss", ["puss-in-the-corner"]),
        ("calc", ["calculation"]),
        ("corner", ["puss-in-the-corner"]),
        ("lim", ["limited"]),
        ("luca", ["lucas"]),
        ("marie", ["maria"]),
        ("m", ["maria"]),
    ],
)
def test_the_beginning_of_a_name_and_a_slip_of_it_are_near(text: str, meant: list[str]) -> None:
    assert near(text, CATALOGUE) == meant


def test_there_are_never_more_than_three_and_the_beginnings_come_first() -> None:
    names = ["ab-one", "ab-two", "ab-three", "ab-four", "abba"]
    assert near("ab", names) == ["ab-one", "ab-two", "ab-three"]
    assert near("abb", names)[0] == "abba"


@pytest.mark.parametrize("text", ["", "qq", "xyzzy", "sir-tommy" * 1000])
def test_what_is_like_no_name_has_none_near(text: str) -> None:
    assert near(text, CATALOGUE) == []
