import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.messages import Hello
from server.names import LONGEST, clean_name


@pytest.mark.parametrize(
    "name", ["Ann", "Bob 2", "José", "Łucja", "Жанна", "李小龍", "O'Neill-Smith", "🂡 Ace", "नमस्ते", "ไทย", "x" * 24]
)
def test_a_proper_name_stays_as_it_is(name: str) -> None:
    assert clean_name(name) == name


@pytest.mark.parametrize(
    ("name", "cleaned"),
    [
        ("  Ann  ", "Ann"),
        ("Ann\u00a0\u2003of   Green\tGables", "Ann of Green Gables"),
        ("A\u200bn\u2060n\ufeff", "Ann"),
        ("\u202eBob", "Bob"),
        ("Bob\x1b[31m", "Bob[31m"),
        ("Bob\x00\x07\x7f\x9b", "Bob"),
        ("Ａｎｎ", "Ann"),  # noqa: RUF001 - the wide letters are the point
        ("Jose\u0301", "José"),
        ("Z\u0351\u036b\u0343\u036a\u0302\u036b\u033d\u034f\u0334\u0319\u0324o\u0301", "Z\u0351\u036bó"),
        ("Ann\nBob", "Ann Bob"),
        ("Ann\u2028Bob", "Ann Bob"),
        ("x" * 40, "x" * 24),
        ("x" * 23 + " y", "x" * 23),
        ("\ufdfa" * 3, clean_name("\ufdfa" * 3)),
    ],
)
def test_what_could_harm_or_mislead_is_taken_out(name: str, cleaned: str) -> None:
    assert clean_name(name) == cleaned


@pytest.mark.parametrize("name", ["", " ", "\u200b\u200d", "\u0301\u0301", "\x00", "\ue000", "\U000e0041"])
def test_a_name_of_nothing_is_player(name: str) -> None:
    assert clean_name(name) == "player"


@given(st.text(max_size=60))
def test_any_text_becomes_a_name_that_can_be_shown_in_one_line(text: str) -> None:
    name = clean_name(text)
    assert 1 <= len(name) <= LONGEST
    assert name == name.strip()
    assert "  " not in name
    assert all(character.isprintable() for character in name)
    kinds = "".join(unicodedata.category(character)[0] for character in name)
    assert "C" not in kinds
    assert "MMM" not in kinds
    assert kinds[0] != "M"


@given(st.text(max_size=60))
def test_a_clean_name_is_a_name_and_stays_clean(text: str) -> None:
    name = clean_name(text)
    assert clean_name(name) == name
    Hello(name=name, key="0" * 32)
