import unicodedata

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import bounds
from protocol.messages import Hello
from server import names
from server.names import BLANKS, LONGEST, LOOK_ALIKES, clean_name


@pytest.mark.parametrize(
    "name",
    [
        "Ann",
        "Bob 2",
        "José",
        "Łucja",
        "Жанна",
        "李小龍",
        "O'Neill-Smith",
        "🂡 Ace",
        "नमस्ते",
        "ไทย",
        "x" * 24,
        "Ann Жанна",
        "Ann-Жанна",
        "Ελένη 7",
        "Kenji健二けんじケンジ",
        "Ann李",
    ],
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
        ("Jose\u200d\u0301", "José"),
        ("Jose\u20dd\u0301", "José"),
        ("A\u2800n\u3164n\uffa0\u115f", "Ann"),
        ("An\ufe0fn\U000e0100\u180b", "Ann"),
        ("\u2067Ann\u2069\u200f\u061c", "Ann"),
        ("Ann\ud83c\U0001f1e6\u0378", "Ann🇦"),
        ("\u0301Ann \u0301Bob", "Ann Bob"),
    ],
)
def test_what_could_harm_or_mislead_is_taken_out(name: str, cleaned: str) -> None:
    assert clean_name(name) == cleaned


@pytest.mark.parametrize(
    ("name", "marked"),
    [
        ("\u0410nn", "\u0410·nn"),
        ("A\u043dn", "A·\u043d·n"),
        ("B\u03bfb", "B·\u03bf·b"),
        ("Ann7\u0410", "Ann7·\u0410"),
        ("Ann \u0410nn Bob", "Ann \u0410·nn Bob"),
        ("e\u0308\u0435\u0308", "ë·ё"),
        ("B\u0585b", "B·\u0585·b"),
        ("A·\u0410", "A·\u0410"),
        ("A\u0410" * 12, ("A·\u0410·" * 6)),
    ],
)
def test_a_word_of_letters_that_look_alike_shows_where_they_change(name: str, marked: str) -> None:
    assert clean_name(name) == marked


@pytest.mark.parametrize(
    "name", ["", " ", "\u200b\u200d", "\u0301\u0301", "\x00", "\ue000", "\U000e0041", "\u3164\u2800", "\u20dd\ufe0f"]
)
def test_a_name_of_nothing_is_player(name: str) -> None:
    assert clean_name(name) == "player"


words = st.lists(
    st.sampled_from("AnBo7 -·_")
    | st.sampled_from("\u0410\u043e\u03bf\u0391\u0585\u13aa\u212b\u00b5")
    | st.sampled_from("\u0301\u0327\u0308\u09be\u09d7\u20dd\u034f\u200d\u202e\ufe0f\u3164\u1160\u1100\u1161\u00b4")
    | st.characters(),
    max_size=40,
).map("".join)
"""Texts made of what makes trouble, mostly."""


@settings(max_examples=1000)
@given(st.text(max_size=60) | words)
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


@settings(max_examples=1000)
@given(st.text(max_size=60) | words)
def test_a_clean_name_is_a_name_and_stays_clean(text: str) -> None:
    name = clean_name(text)
    assert clean_name(name) == name
    Hello(name=name, key="0" * 64, host="localhost", signature="0" * 128, bot=name)


@settings(max_examples=1000)
@given(st.text(max_size=60) | words)
def test_a_clean_name_may_stand_in_a_record(text: str) -> None:
    msgspec.convert(clean_name(text), bounds.Name)


@given(words)
def test_in_a_clean_name_no_letter_changes_its_looks_unmarked(text: str) -> None:
    scripts = ""
    for character in clean_name(text):
        if unicodedata.category(character)[0] in "ZPS":
            scripts = ""
        script = unicodedata.name(character, "").split(" ")[0] if character.isalpha() else ""
        if script in LOOK_ALIKES:
            assert scripts in ("", script)
            scripts = script


@given(
    words, st.integers(0, 40), st.sampled_from(sorted(BLANKS) + list("\u200b\u200d\u202e\u2066\x00\U000e0041\u20dd"))
)
def test_what_cannot_be_seen_makes_no_other_name(text: str, place: int, blank: str) -> None:
    assert clean_name(text[:place] + blank + text[place:]) == clean_name(text)


def test_no_character_becomes_one_that_cannot_be_seen() -> None:
    """So names are cleaned before they are normalized, and once is enough."""
    for number in range(0x110000):
        normal = unicodedata.normalize("NFKC", names._visible(chr(number)))
        if not normal.isascii():
            assert all(names._visible(character) for character in normal)
